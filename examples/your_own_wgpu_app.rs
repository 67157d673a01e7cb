//! Draws a level with wgpu code of your own: nodetree gives the order of the index buffer and, each frame, the ranges to draw.
//!
//! `cargo run --release --example your_own_wgpu_app` writes `your_own.png`.

use std::error::Error;

use bytemuck::cast_slice;
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::Vertex;
use nodetree::render::{Gpu, GpuOptions, PICTURE_FORMAT, off_screen};
use nodetree::tree::{Mode, Settings, Tree};
use wgpu::util::DeviceExt;

const SHADER: &str = "
@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
struct Out { @builtin(position) clip: vec4<f32>, @location(0) normal: vec3<f32> }
@vertex fn vertex(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>) -> Out {
    return Out(clip_from_world * vec4(position, 1.0), normal);
}
@fragment fn fragment(in: Out) -> @location(0) vec4<f32> {
    let light = 0.35 + 0.65 * max(dot(normalize(in.normal), normalize(vec3(-0.5, 0.7, 0.6))), 0.0);
    return vec4(light * vec3(0.8, 0.75, 0.65), 1.0);
}";

const SIZE: (u32, u32) = (960, 540);
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

fn main() -> Result<(), Box<dyn Error>> {
    let level = nodetree::generate::by_name("castle", None, 1).ok_or("there is a castle")?;
    let tree = Tree::build(&level, &Settings::new(Mode::Octree));

    // Any device will do; this one needs no window.
    let gpu = Gpu::headless(&GpuOptions::default())?;
    let Gpu { device, queue, .. } = &gpu;
    let buffer = |contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    };
    let vertices = buffer(cast_slice(&level.vertices), wgpu::BufferUsages::VERTEX);
    // The one thing to do at load: triangles go into the index buffer in the tree's order.
    let order = tree.groups().triangles();
    let indices: Vec<u32> = order.iter().flat_map(|&number| level.triangles[number as usize].vertices).collect();
    let indices = buffer(cast_slice(&indices), wgpu::BufferUsages::INDEX);

    let spawn = level.spawn.ok_or("the castle has a spawn point")?;
    let eye = level.to_local(spawn.feet) + 1.65 * glam::Vec3::Y;
    let camera = Camera { eye, aspect: SIZE.0 as f32 / SIZE.1 as f32, ..Camera::default() };
    let matrix = buffer(cast_slice(&camera.clip_from_world().to_cols_array()), wgpu::BufferUsages::UNIFORM);

    let pipeline = pipeline(device);
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: matrix.as_entire_binding() }],
    });
    let depth = device
        .create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE.0, height: SIZE.1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        })
        .create_view(&wgpu::TextureViewDescriptor::default());

    // Each frame: cull, and draw what is left.
    let mut list = DrawList::new();
    list.cull(&tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
    let draw = |view: &wgpu::TextureView| {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.3, g: 0.5, b: 0.8, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &depth,
                    // The camera's depth is reversed: 0 is infinitely far.
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            for range in list.ranges() {
                // Bind what `range.material` looks like here.
                pass.draw_indexed(3 * range.first..3 * (range.first + range.count), 0, 0..1);
            }
        }
        queue.submit([encoder.finish()]);
    };
    let (picture, ()) = off_screen(&gpu, PICTURE_FORMAT, SIZE, draw)?;
    picture.save("your_own.png")?;
    println!("your_own.png: {} of {} triangles", list.statistics().triangles, tree.triangle_count());
    Ok(())
}

fn pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Vertex>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
            })],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Greater),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(PICTURE_FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
