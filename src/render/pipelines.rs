//! The pipelines: how each kind of thing becomes pixels.

use glam::Vec4;

use super::bindings::{Bindings, layout, uniform};
use super::bodies::Instance;
use super::gpu::Gpu;
use super::inspect::Inspect;
use super::level::MaterialOnGpu;
use super::lines::LineVertex;
use super::{DEPTH_FORMAT, NEARER};
use crate::level::{AlphaMode, Vertex};

/// Every pipeline, and the layouts of what they read.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub view_layout: wgpu::BindGroupLayout,
    /// Of materials without a normal map, ...
    pub plain: Sides,
    /// ... and with one.
    pub bent: Sides,
    /// Of triangles where the adapter draws them as lines, else of a list of lines.
    pub wireframe: wgpu::RenderPipeline,
    pub copies: Copies,
    pub inspect: Inspections,
    pub sky: wgpu::RenderPipeline,
    pub lines: wgpu::RenderPipeline,
    pub lines_on_top: wgpu::RenderPipeline,
}

/// The same for models of which many copies are drawn at once; two-sided.
#[derive(Debug)]
pub(super) struct Copies {
    pub plain: ByMode,
    pub bent: ByMode,
    pub wireframe: wgpu::RenderPipeline,
}

/// One for each way to look for faults.
#[derive(Debug)]
pub(super) struct Inspections {
    normals: wgpu::RenderPipeline,
    depth: wgpu::RenderPipeline,
    overdraw: wgpu::RenderPipeline,
    cells: wgpu::RenderPipeline,
}

impl Inspections {
    pub fn of(&self, inspect: Inspect) -> &wgpu::RenderPipeline {
        match inspect {
            Inspect::Normals => &self.normals,
            Inspect::Depth => &self.depth,
            Inspect::Overdraw => &self.overdraw,
            Inspect::Cells => &self.cells,
        }
    }
}

/// One for each use of opacity.
#[derive(Debug)]
pub(super) struct ByMode {
    opaque: wgpu::RenderPipeline,
    cut_out: wgpu::RenderPipeline,
    blended: wgpu::RenderPipeline,
}

impl ByMode {
    pub fn of(&self, mode: AlphaMode) -> &wgpu::RenderPipeline {
        match mode {
            AlphaMode::Opaque => &self.opaque,
            AlphaMode::Mask(_) => &self.cut_out,
            AlphaMode::Blend => &self.blended,
        }
    }
}

/// The pipelines for two-sided surfaces, and for those that are drawn from their front only.
#[derive(Debug)]
pub(super) struct Sides {
    two_sided: ByMode,
    one_sided: ByMode,
}

impl Sides {
    pub fn of(&self, two_sided: bool) -> &ByMode {
        if two_sided { &self.two_sided } else { &self.one_sided }
    }
}

/// What differs between pipelines.
struct Kind<'a> {
    label: &'static str,
    module: &'a wgpu::ShaderModule,
    layout: &'a wgpu::PipelineLayout,
    vertex: &'static str,
    fragment: &'static str,
    buffers: &'static [Option<wgpu::VertexBufferLayout<'static>>],
    topology: wgpu::PrimitiveTopology,
    polygon_mode: wgpu::PolygonMode,
    cull_mode: Option<wgpu::Face>,
    blend: Option<wgpu::BlendState>,
    depth_write: bool,
    depth_compare: wgpu::CompareFunction,
}

const LEVEL_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm8x4];
const TANGENT_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![8 => Float32x4];
const LINE_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];

const INSTANCE_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32];

pub(super) const LEVEL_VERTICES: wgpu::VertexBufferLayout<'static> =
    vertices(size_of::<Vertex>(), wgpu::VertexStepMode::Vertex, &LEVEL_ATTRIBUTES);
const TANGENTS: wgpu::VertexBufferLayout<'static> =
    vertices(size_of::<Vec4>(), wgpu::VertexStepMode::Vertex, &TANGENT_ATTRIBUTES);
const LINE_VERTICES: wgpu::VertexBufferLayout<'static> =
    vertices(size_of::<LineVertex>(), wgpu::VertexStepMode::Vertex, &LINE_ATTRIBUTES);
pub(super) const INSTANCES: wgpu::VertexBufferLayout<'static> =
    vertices(size_of::<Instance>(), wgpu::VertexStepMode::Instance, &INSTANCE_ATTRIBUTES);

const fn vertices(
    size: usize,
    step_mode: wgpu::VertexStepMode,
    attributes: &'static [wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout { array_stride: size as u64, step_mode, attributes }
}

/// The fragments of surfaces that are opaque, cut out and blended, and the same with a normal map.
const PLAIN: [&str; 3] = ["opaque", "cut_out", "blended"];
const BENT: [&str; 3] = ["bent_opaque", "bent_cut_out", "bent_blended"];

impl Pipelines {
    pub fn new(gpu: &Gpu, bindings: &Bindings, format: wgpu::TextureFormat, samples: u32) -> Pipelines {
        let device = &gpu.device;
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let shadow_maps = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2Array,
            multisampled: false,
        };
        let comparing = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        let view_layout = layout(device, "view", &[(both, uniform()), (fragment, shadow_maps), (fragment, comparing)]);
        let pipeline_layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let level_layout = pipeline_layout("level", &[Some(&view_layout), Some(&bindings.material_layout)]);
        let sky_pipeline_layout = pipeline_layout("sky", &[Some(&view_layout), Some(&bindings.sky_layout)]);
        let line_layout = pipeline_layout("lines", &[Some(&view_layout)]);
        let module = |label, source: &'static str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let level =
            module("level", concat!(include_str!("../../shaders/view.wgsl"), include_str!("../../shaders/level.wgsl")));
        let sky =
            module("sky", concat!(include_str!("../../shaders/view.wgsl"), include_str!("../../shaders/sky.wgsl")));
        let lines =
            module("lines", concat!(include_str!("../../shaders/view.wgsl"), include_str!("../../shaders/lines.wgsl")));
        let inspect = module(
            "inspect",
            concat!(include_str!("../../shaders/view.wgsl"), include_str!("../../shaders/inspect.wgsl")),
        );
        let surface = |label, fragment, two_sided: bool| Kind {
            label,
            module: &level,
            layout: &level_layout,
            vertex: "vertex",
            fragment,
            buffers: const { &[Some(LEVEL_VERTICES)] },
            topology: wgpu::PrimitiveTopology::TriangleList,
            polygon_mode: wgpu::PolygonMode::Fill,
            cull_mode: (!two_sided).then_some(wgpu::Face::Back),
            blend: None,
            depth_write: true,
            depth_compare: NEARER,
        };
        let make = |kind: Kind<'_>| pipeline(device, format, samples, &kind);
        let by_mode = |vertex, buffers, [opaque, cut_out, blended]: [&'static str; 3], two_sided| {
            let kind = |label, fragment| Kind { vertex, buffers, ..surface(label, fragment, two_sided) };
            let blended =
                Kind { blend: Some(wgpu::BlendState::ALPHA_BLENDING), depth_write: false, ..kind("blended", blended) };
            let [opaque, cut_out] = [kind("opaque", opaque), kind("cut out", cut_out)].map(make);
            ByMode { opaque, cut_out, blended: make(blended) }
        };
        let sides = |vertex, buffers, fragments| Sides {
            two_sided: by_mode(vertex, buffers, fragments, true),
            one_sided: by_mode(vertex, buffers, fragments, false),
        };
        let line = |label, depth_compare| {
            make(Kind {
                label,
                module: &lines,
                layout: &line_layout,
                vertex: "line_vertex",
                fragment: "line_fragment",
                buffers: const { &[Some(LINE_VERTICES)] },
                topology: wgpu::PrimitiveTopology::LineList,
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                depth_write: false,
                depth_compare,
                ..surface(label, "", true)
            })
        };
        let inspection = |fragment| Kind {
            module: &inspect,
            layout: &line_layout,
            vertex: "inspect_vertex",
            buffers: const { &[Some(LEVEL_VERTICES)] },
            ..surface("inspect", fragment, true)
        };
        let added = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let overdraw = Kind {
            blend: Some(wgpu::BlendState { color: added, alpha: added }),
            depth_write: false,
            depth_compare: wgpu::CompareFunction::Always,
            ..inspection("inspect_overdraw")
        };
        let edges = || {
            let kind = surface("wireframe", "wireframe", true);
            if gpu.has_polygon_lines() {
                Kind { polygon_mode: wgpu::PolygonMode::Line, ..kind }
            } else {
                Kind { topology: wgpu::PrimitiveTopology::LineList, ..kind }
            }
        };
        Pipelines {
            plain: sides("vertex", &[Some(LEVEL_VERTICES)], PLAIN),
            bent: sides("bent_vertex", &[Some(LEVEL_VERTICES), Some(TANGENTS)], BENT),
            wireframe: make(edges()),
            copies: Copies {
                plain: by_mode("copy_vertex", &[Some(LEVEL_VERTICES), Some(INSTANCES)], PLAIN, true),
                bent: by_mode("bent_copy_vertex", &[Some(LEVEL_VERTICES), Some(INSTANCES), Some(TANGENTS)], BENT, true),
                wireframe: make(Kind {
                    vertex: "copy_vertex",
                    buffers: &[Some(LEVEL_VERTICES), Some(INSTANCES)],
                    ..edges()
                }),
            },
            inspect: Inspections {
                normals: make(inspection("inspect_normals")),
                depth: make(inspection("inspect_depth")),
                overdraw: make(overdraw),
                cells: make(inspection("inspect_cells")),
            },
            sky: make(Kind {
                module: &sky,
                layout: &sky_pipeline_layout,
                vertex: "sky_vertex",
                fragment: "sky_fragment",
                buffers: &[],
                depth_write: false,
                // The sky's depth is 0: it shows only where nothing was drawn.
                ..surface("sky", "", true)
            }),
            lines: line("lines", NEARER),
            lines_on_top: line("lines on top", wgpu::CompareFunction::Always),
            view_layout,
        }
    }

    /// That of a material of the level.
    pub fn of(&self, material: &MaterialOnGpu) -> &wgpu::RenderPipeline {
        let sides = if material.is_bent { &self.bent } else { &self.plain };
        sides.of(material.two_sided).of(material.alpha_mode)
    }
}

fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat, samples: u32, kind: &Kind<'_>) -> wgpu::RenderPipeline {
    let constants = [("encode_srgb", f64::from(u8::from(!format.is_srgb())))];
    let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.label),
        layout: Some(kind.layout),
        vertex: wgpu::VertexState {
            module: kind.module,
            entry_point: Some(kind.vertex),
            compilation_options: compilation_options.clone(),
            buffers: kind.buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: kind.topology,
            front_face: wgpu::FrontFace::Ccw,
            cull_mode: kind.cull_mode,
            polygon_mode: kind.polygon_mode,
            ..Default::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(kind.depth_write),
            depth_compare: Some(kind.depth_compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: kind.module,
            entry_point: Some(kind.fragment),
            compilation_options,
            targets: &[Some(wgpu::ColorTargetState { format, blend: kind.blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
