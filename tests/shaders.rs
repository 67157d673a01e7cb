//! Every shader through the writers of the interfaces that this machine does not have: HLSL for DX12, GLSL ES for WebGL2 and
//! OpenGL ES, Metal. What a browser or Windows would refuse shows here.

#![cfg(feature = "viewer")]

use naga::back::pipeline_constants::process_overrides;
use naga::back::{glsl, hlsl, msl};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

const VIEW: &str = include_str!("../shaders/view.wgsl");

/// Name and text, put together as the renderer does.
fn shaders() -> Vec<(&'static str, String)> {
    let with_view = |text: &str| format!("{VIEW}{text}");
    vec![
        ("level", with_view(include_str!("../shaders/level.wgsl"))),
        ("inspect", with_view(include_str!("../shaders/inspect.wgsl"))),
        ("sky", with_view(include_str!("../shaders/sky.wgsl"))),
        ("lines", with_view(include_str!("../shaders/lines.wgsl"))),
        ("occluders", include_str!("../shaders/occluders.wgsl").to_owned()),
        ("shadow", include_str!("../shaders/shadow.wgsl").to_owned()),
    ]
}

/// Hands each entry point of each shader, with its overrides decided, to `write`.
fn for_each_entry(mut write: impl FnMut(&Module, &ModuleInfo, ShaderStage, &str) -> Result<(), String>) -> usize {
    let mut count = 0;
    for (name, text) in shaders() {
        let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        let info = validator.validate(&module).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        for entry in &module.entry_points {
            for encode in [0.0, 1.0] {
                let constants = if module.overrides.is_empty() {
                    Default::default()
                } else {
                    [("encode_srgb".to_owned(), encode)].into_iter().collect()
                };
                let (module, info) = process_overrides(&module, &info, Some((entry.stage, &entry.name)), &constants)
                    .unwrap_or_else(|error| panic!("{name}, {}: {error}", entry.name));
                write(&module, &info, entry.stage, &entry.name)
                    .unwrap_or_else(|error| panic!("{name}, {}: {error}", entry.name));
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_entry_becomes_hlsl() {
    let count = for_each_entry(|module, info, stage, name| {
        for shader_model in [hlsl::ShaderModel::V5_1, hlsl::ShaderModel::V6_0] {
            let options = hlsl::Options { shader_model, fake_missing_bindings: true, ..hlsl::Options::default() };
            let pipeline = hlsl::PipelineOptions { entry_point: Some((stage, name.to_owned())) };
            let mut text = String::new();
            let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
            let written = writer.write(module, info, None).map_err(|error| error.to_string())?;
            // What the writer cannot say in HLSL it tells by the entry.
            written.entry_point_names.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
            assert!(text.contains(name), "{name} is missing");
        }
        Ok(())
    });
    assert!(count > 20, "{count}");
}

#[test]
fn every_entry_becomes_glsl_for_webgl() {
    for version in [glsl::Version::Embedded { version: 300, is_webgl: true }, glsl::Version::new_gles(310)] {
        for_each_entry(|module, info, shader_stage, name| {
            let options = glsl::Options { version, ..glsl::Options::default() };
            let pipeline = glsl::PipelineOptions { shader_stage, entry_point: name.to_owned(), multiview: None };
            let mut text = String::new();
            let policies = BoundsCheckPolicies::default();
            let mut writer = glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
                .map_err(|error| format!("{version:?}: {error}"))?;
            writer.write().map_err(|error| format!("{version:?}: {error}"))?;
            assert!(text.contains("void main()"), "{text}");
            Ok(())
        });
    }
}

#[test]
fn every_entry_becomes_metal() {
    for_each_entry(|module, info, stage, name| {
        let options = msl::Options { lang_version: (2, 1), fake_missing_bindings: true, ..msl::Options::default() };
        let pipeline = msl::PipelineOptions { entry_point: Some((stage, name.to_owned())), ..Default::default() };
        let (text, written) =
            msl::write_string(module, info, &options, &pipeline).map_err(|error| error.to_string())?;
        written.entry_point_names.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        assert!(!text.is_empty());
        Ok(())
    });
}
