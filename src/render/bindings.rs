//! How materials and skies are bound: what levels and skies are uploaded for, and what the pipelines read.

use super::gpu::Gpu;
use crate::level::Wrap;

/// The layouts of materials and skies, and the samplers that they are read with. The same for every renderer of a device.
#[derive(Debug)]
pub struct Bindings {
    pub(super) material_layout: wgpu::BindGroupLayout,
    pub(super) sky_layout: wgpu::BindGroupLayout,
    /// By the wrap along U, then along V.
    samplers: [[wgpu::Sampler; 3]; 3],
    sky_sampler: wgpu::Sampler,
}

impl Bindings {
    pub(super) fn new(gpu: &Gpu) -> Bindings {
        let device = &gpu.device;
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let filtering = (fragment, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering));
        let sampler = |label, [address_mode_u, address_mode_v]: [wgpu::AddressMode; 2], anisotropy_clamp| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(label),
                address_mode_u,
                address_mode_v,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp,
                ..Default::default()
            })
        };
        let picture_2d = (fragment, picture(wgpu::TextureViewDimension::D2));
        Bindings {
            material_layout: layout(
                device,
                "material",
                &[(fragment, uniform()), picture_2d, filtering, picture_2d, filtering, picture_2d, filtering],
            ),
            sky_layout: layout(device, "sky", &[(fragment, picture(wgpu::TextureViewDimension::Cube)), filtering]),
            samplers: WRAPS.map(|u| WRAPS.map(|v| sampler("material", [u, v].map(address_mode), gpu.anisotropy()))),
            sky_sampler: sampler("sky", [wgpu::AddressMode::ClampToEdge; 2], 1),
        }
    }

    /// Pictures of the colour, the emission and the normals, with their wraps.
    pub(super) fn material(
        &self,
        gpu: &Gpu,
        uniform: &wgpu::Buffer,
        pictures: [(&wgpu::TextureView, [Wrap; 2]); 3],
    ) -> wgpu::BindGroup {
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }];
        for (place, (picture, [u, v])) in pictures.into_iter().enumerate() {
            let number = |wrap| WRAPS.iter().position(|&known| known == wrap).expect("all are known");
            let sampler = &self.samplers[number(u)][number(v)];
            let resources = [wgpu::BindingResource::TextureView(picture), wgpu::BindingResource::Sampler(sampler)];
            entries.extend(
                (1 + 2 * place as u32..)
                    .zip(resources)
                    .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }),
            );
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &self.material_layout,
            entries: &entries,
        })
    }

    pub(super) fn sky(&self, gpu: &Gpu, pictures: &wgpu::TextureView) -> wgpu::BindGroup {
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("sky"),
            layout: &self.sky_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(pictures) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sky_sampler) },
            ],
        })
    }
}

/// Every wrap of a texture.
const WRAPS: [Wrap; 3] = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp];

fn address_mode(wrap: Wrap) -> wgpu::AddressMode {
    match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    }
}

pub(super) fn layout(
    device: &wgpu::Device,
    label: &str,
    bindings: &[(wgpu::ShaderStages, wgpu::BindingType)],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = bindings
        .iter()
        .enumerate()
        .map(|(binding, &(visibility, ty))| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

pub(super) fn uniform() -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

fn picture(view_dimension: wgpu::TextureViewDimension) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension,
        multisampled: false,
    }
}
