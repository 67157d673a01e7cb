//! Shadow maps on the GPU: what casts shadows, drawn as its depth from the sun, one layer a slice of the view.

use glam::Mat4;

use super::bindings::{Bindings, layout, uniform};
use super::bodies::{self, Instances, ModelsOnGpu};
use super::gpu::Gpu;
use super::level::LevelOnGpu;
use super::pipelines::{INSTANCES, LEVEL_VERTICES};
use super::shadows::{CASCADES, SunShadows};
use crate::level::AlphaMode;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The maps, and how they are drawn.
#[derive(Debug)]
pub(super) struct ShadowMaps {
    pipelines: ShadowPipelines,
    /// The matrix of each map.
    uniforms: [(wgpu::Buffer, wgpu::BindGroup); CASCADES],
    layers: Vec<wgpu::TextureView>,
    /// All layers.
    pub view: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
    resolution: u32,
    /// Which level each map shows, and from where.
    drawn: [Option<(u64, Mat4)>; CASCADES],
    /// Where the props and balls stand that the maps show.
    bodies: Instances,
}

/// How each kind of surface is drawn into a map.
#[derive(Debug)]
pub(super) struct ShadowPipelines {
    solid: wgpu::RenderPipeline,
    cut_out: wgpu::RenderPipeline,
    solid_copy: wgpu::RenderPipeline,
    cut_out_copy: wgpu::RenderPipeline,
}

impl ShadowPipelines {
    /// For a material of the level, or of copies of a model; `None` for what light shines through.
    pub fn of(&self, alpha_mode: AlphaMode, is_copy: bool) -> Option<&wgpu::RenderPipeline> {
        match (alpha_mode, is_copy) {
            (AlphaMode::Blend, _) => None,
            (AlphaMode::Opaque, false) => Some(&self.solid),
            (AlphaMode::Opaque, true) => Some(&self.solid_copy),
            (AlphaMode::Mask(_), false) => Some(&self.cut_out),
            (AlphaMode::Mask(_), true) => Some(&self.cut_out_copy),
        }
    }
}

impl ShadowMaps {
    /// Maps of one texel, for as long as nothing casts shadows.
    pub fn new(gpu: &Gpu, bindings: &Bindings) -> ShadowMaps {
        let device = &gpu.device;
        let map_layout = layout(device, "shadow map", &[(wgpu::ShaderStages::VERTEX, uniform())]);
        let uniforms = std::array::from_fn(|_| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("shadow map"),
                size: size_of::<Mat4>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("shadow map"),
                layout: &map_layout,
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
            });
            (buffer, bind_group)
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadows"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let (view, layers) = maps(device, 1);
        let pipelines = shadow_pipelines(device, &map_layout, bindings);
        let (drawn, bodies) = ([None; CASCADES], Instances::default());
        ShadowMaps { pipelines, uniforms, layers, view, sampler, resolution: 1, drawn, bodies }
    }

    /// Makes the maps anew where they have not `resolution` by `resolution` texels. Whether they did not.
    pub fn resize(&mut self, gpu: &Gpu, resolution: u32) -> bool {
        let resolution = resolution.min(gpu.device.limits().max_texture_dimension_2d);
        let changes = resolution != self.resolution;
        if changes {
            (self.view, self.layers) = maps(&gpu.device, resolution);
            self.resolution = resolution;
            self.drawn = [None; CASCADES];
        }
        changes
    }

    /// Draws what casts shadows into the maps that do not show it yet, and gives how many triangles of the level that took;
    /// `bodies` are the models of props and balls and where their casters stand.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        shadows: &SunShadows,
        level: &LevelOnGpu,
        bodies: Option<(&ModelsOnGpu, &wgpu::Buffer)>,
    ) -> u32 {
        if self.bodies != *shadows.instances() {
            self.bodies.clone_from(shadows.instances());
            self.drawn = [None; CASCADES];
        }
        let mut triangles = 0;
        let maps = self.drawn.iter_mut().zip(&self.layers).zip(&self.uniforms);
        for (cascade, ((drawn, layer), (uniform, bind_group))) in shadows.cascades().iter().zip(maps) {
            let wanted = Some((level.id, cascade.map_from_world));
            if *drawn == wanted {
                continue;
            }
            *drawn = wanted;
            triangles += cascade.casters.statistics().triangles;
            gpu.queue.write_buffer(uniform, 0, bytemuck::bytes_of(&cascade.map_from_world));
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadows"),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: layer,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_bind_group(0, bind_group, &[]);
            if let (Some(vertices), Some(indices)) = (&level.vertices, &level.indices) {
                pass.set_vertex_buffer(0, vertices.slice(..));
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                for range in cascade.casters.ranges() {
                    let material = &level.materials[range.material as usize];
                    let Some(pipeline) = self.pipelines.of(material.alpha_mode, false) else { continue };
                    pass.set_pipeline(pipeline);
                    pass.set_bind_group(1, &material.bind_group, &[]);
                    pass.draw_indexed(3 * range.first..3 * (range.first + range.count), 0, 0..1);
                }
            }
            if let Some((models, buffer)) = bodies {
                bodies::draw_shadows(&mut pass, &self.pipelines, (models, shadows.instances()), buffer);
            }
        }
        triangles
    }
}

/// All layers as one, and each of them.
fn maps(device: &wgpu::Device, resolution: u32) -> (wgpu::TextureView, Vec<wgpu::TextureView>) {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shadow maps"),
        size: wgpu::Extent3d { width: resolution, height: resolution, depth_or_array_layers: CASCADES as u32 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let view = |dimension, layers: std::ops::Range<u32>| {
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(dimension),
            base_array_layer: layers.start,
            array_layer_count: Some(layers.end - layers.start),
            ..Default::default()
        })
    };
    let count = CASCADES as u32;
    let layers = (0..count).map(|layer| view(wgpu::TextureViewDimension::D2, layer..layer + 1)).collect();
    (view(wgpu::TextureViewDimension::D2Array, 0..count), layers)
}

fn shadow_pipelines(device: &wgpu::Device, map_layout: &wgpu::BindGroupLayout, bindings: &Bindings) -> ShadowPipelines {
    let module = device.create_shader_module(wgpu::include_wgsl!("../../shaders/shadow.wgsl"));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("shadows"),
        bind_group_layouts: &[Some(map_layout), Some(&bindings.material_layout)],
        immediate_size: 0,
    });
    let make = |vertex, buffers, fragment: Option<&'static str>| {
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(vertex),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers,
            },
            // A wall casts a shadow from whichever side it is lit.
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: FORMAT,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState { constant: 0, slope_scale: 1.0, clamp: 0.0 },
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: fragment.map(|entry_point| wgpu::FragmentState {
                module: &module,
                entry_point: Some(entry_point),
                compilation_options: Default::default(),
                targets: &[],
            }),
            multiview_mask: None,
            cache: None,
        })
    };
    let (level, copies) = (&[Some(LEVEL_VERTICES)][..], &[Some(LEVEL_VERTICES), Some(INSTANCES)][..]);
    ShadowPipelines {
        solid: make("solid", level, None),
        cut_out: make("cut_out", level, Some("holes")),
        solid_copy: make("solid_copy", copies, None),
        cut_out_copy: make("cut_out_copy", copies, Some("holes")),
    }
}
