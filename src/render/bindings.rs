//! How materials and skies are bound: what levels and skies are uploaded for, and what the pipelines read.

use super::gpu::Gpu;

/// The layouts of materials and skies, and the samplers that they are read with. The same for every renderer of a device.
#[derive(Debug)]
pub struct Bindings {
    pub(super) material_layout: wgpu::BindGroupLayout,
    pub(super) sky_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    sky_sampler: wgpu::Sampler,
}

impl Bindings {
    pub(super) fn new(gpu: &Gpu) -> Bindings {
        let device = &gpu.device;
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let filtering = (fragment, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering));
        let sampler = |label, address_mode, anisotropy_clamp| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(label),
                address_mode_u: address_mode,
                address_mode_v: address_mode,
                address_mode_w: address_mode,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp,
                ..Default::default()
            })
        };
        Bindings {
            material_layout: layout(
                device,
                "material",
                &[(fragment, uniform()), (fragment, picture(wgpu::TextureViewDimension::D2)), filtering],
            ),
            sky_layout: layout(device, "sky", &[(fragment, picture(wgpu::TextureViewDimension::Cube)), filtering]),
            sampler: sampler("material", wgpu::AddressMode::Repeat, gpu.anisotropy()),
            sky_sampler: sampler("sky", wgpu::AddressMode::ClampToEdge, 1),
        }
    }

    pub(super) fn material(&self, gpu: &Gpu, uniform: &wgpu::Buffer, texture: &wgpu::TextureView) -> wgpu::BindGroup {
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &self.material_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(texture) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
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
