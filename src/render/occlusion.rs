//! Occlusion culling: what is hidden behind nearer surfaces is not drawn.
//!
//! What was seen in the frame before, and is in view, is drawn as depth alone. How deep each tile of that picture reaches is
//! read back, and culling leaves out the cells that lie behind. What has come into sight is not behind anything that was
//! drawn, and is taken. The depth is that of the very samples of the picture, so that nothing is left out that would show.
//!
//! Source: Greene, Kass and Miller, "Hierarchical Z-Buffer Visibility", SIGGRAPH 1993, with its temporal coherence.

use std::cell::Cell;

use glam::Mat4;

use super::bindings::{layout, uniform};
use super::gpu::{Gpu, GpuError};
use super::level::LevelOnGpu;
use super::picture::read;
use super::pipelines::LEVEL_VERTICES;
use super::{DEPTH_FORMAT, NEARER};
use crate::camera::Camera;
use crate::cull::{DepthPyramid, DrawList, SeenChunks};
use crate::geometry::Frustum;
use crate::level::AlphaMode;
use crate::tree::Tree;

/// The format of the tiles: the bits of f32, as not every adapter draws these.
const TILE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
const TILE_BYTES: u32 = 4;

/// Culls by what is nearer, for pictures of a renderer with as many samples.
#[derive(Debug)]
pub struct Occlusion {
    samples: u32,
    matrix: wgpu::Buffer,
    matrix_bind_group: wgpu::BindGroup,
    two_sided: wgpu::RenderPipeline,
    one_sided: wgpu::RenderPipeline,
    farthest: wgpu::RenderPipeline,
    depth_layout: wgpu::BindGroupLayout,
    targets: Option<Targets>,
    occluders: DrawList,
    /// Through which matrix the depth was drawn, until it is used.
    depth_from: Cell<Option<Mat4>>,
    pyramid: DepthPyramid,
    /// In the frame before; `None` before the first.
    seen: Option<SeenChunks>,
}

/// What is drawn to, for one size.
#[derive(Debug)]
struct Targets {
    size: (u32, u32),
    depth: wgpu::TextureView,
    depth_bind_group: wgpu::BindGroup,
    tiles: wgpu::Texture,
    tiles_view: wgpu::TextureView,
    buffer: wgpu::Buffer,
}

impl Occlusion {
    /// For pictures with `samples` a pixel, 1 or 4, as [`Renderer::samples`](super::Renderer::samples) says. `None` for 4
    /// through GL, where wgpu draws nothing right into a texture of many samples, and in a browser, where nothing may wait.
    pub fn new(gpu: &Gpu, samples: u32) -> Option<Occlusion> {
        let is_gl = gpu.adapter.get_info().backend == wgpu::Backend::Gl;
        if cfg!(target_arch = "wasm32") || samples > 1 && is_gl {
            return None;
        }
        let device = &gpu.device;
        let matrix_layout = layout(device, "occluders", &[(wgpu::ShaderStages::VERTEX, uniform())]);
        let matrix = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("occluders"),
            size: size_of::<Mat4>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let matrix_bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("occluders"),
            layout: &matrix_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: matrix.as_entire_binding() }],
        });
        let depth_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("depths"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: depth_binding(samples),
                visibility: wgpu::ShaderStages::FRAGMENT,
                // Depth as a plain number: GL has no other way to look at one.
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: samples > 1,
                },
                count: None,
            }],
        });
        let module = device.create_shader_module(wgpu::include_wgsl!("../../shaders/occluders.wgsl"));
        let occluders = |cull_mode| occluders_pipeline(device, &module, &matrix_layout, samples, cull_mode);
        Some(Occlusion {
            samples,
            matrix_bind_group,
            two_sided: occluders(None),
            one_sided: occluders(Some(wgpu::Face::Back)),
            farthest: farthest_pipeline(device, &module, &depth_layout, samples),
            matrix,
            depth_layout,
            targets: None,
            occluders: DrawList::new(),
            depth_from: Cell::new(None),
            pyramid: DepthPyramid::new(),
            seen: None,
        })
    }

    /// Fills `list` with what `camera` sees of `tree`, in whose order `level` is: a picture of `size` pixels is the same as
    /// with all that is in the frustum. Waits for the adapter.
    ///
    /// # Errors
    /// When the driver fails; then the list holds all that is in the frustum.
    pub fn cull(
        &mut self,
        gpu: &Gpu,
        (level, tree): (&LevelOnGpu, &Tree),
        camera: &Camera,
        size: (u32, u32),
        list: &mut DrawList,
    ) -> Result<(), GpuError> {
        let clip_from_world = camera.clip_from_world();
        let frustum = Frustum::from_clip_from_world(clip_from_world);
        match &self.seen {
            Some(seen) => self.occluders.cull_seen(tree, &frustum, seen),
            None => self.occluders.cull(tree, &frustum),
        }
        self.pyramid.clear();
        let filled = self.fill_pyramid(gpu, level, tree, clip_from_world, size);
        list.cull_hidden(tree, &frustum, &self.pyramid, self.seen.get_or_insert_default());
        filled
    }

    /// Forgets what was seen: the next picture shows something else.
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// The depth of the occluders for a picture like that, once: drawing the picture changes it. `None` where they were drawn
    /// for another one.
    pub(super) fn take_depth(&self, camera: &Camera, size: (u32, u32), samples: u32) -> Option<&wgpu::TextureView> {
        let targets = self.targets.as_ref().filter(|targets| targets.size == size && self.samples == samples)?;
        (self.depth_from.take()? == camera.clip_from_world()).then_some(&targets.depth)
    }

    /// Draws the occluders and takes in how deep they reach.
    fn fill_pyramid(
        &mut self,
        gpu: &Gpu,
        level: &LevelOnGpu,
        tree: &Tree,
        clip_from_world: Mat4,
        size: (u32, u32),
    ) -> Result<(), GpuError> {
        self.depth_from.set(None);
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            self.targets = Some(gpu.catching(|| Targets::new(gpu, &self.depth_layout, self.samples, size))?);
        }
        let Some(targets) = &self.targets else { return Ok(()) };
        gpu.queue.write_buffer(&self.matrix, 0, bytemuck::bytes_of(&clip_from_world));
        self.draw(gpu, level, targets);
        self.depth_from.set(Some(clip_from_world));
        let (columns, _) = DepthPyramid::tiles(size);
        let pyramid = &mut self.pyramid;
        read(gpu, &targets.buffer, |bytes| {
            let rows = bytes.chunks_exact(row_bytes(columns) as usize);
            let farthest = rows.flat_map(|row| &bytemuck::cast_slice(row)[..columns as usize]).copied();
            pyramid.fill(clip_from_world, size, &tree.bounds(), farthest);
        })
    }

    /// Draws the occluders, and the tiles from their depth into the buffer.
    fn draw(&self, gpu: &Gpu, level: &LevelOnGpu, targets: &Targets) {
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("occlusion") });
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("occluders"),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &targets.depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            if let (Some(vertices), Some(indices)) = (&level.vertices, &level.indices) {
                pass.set_bind_group(0, &self.matrix_bind_group, &[]);
                pass.set_vertex_buffer(0, vertices.slice(..));
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                for range in self.occluders.ranges() {
                    let material = &level.materials[range.material as usize];
                    // Only what has no holes hides.
                    if material.alpha_mode == AlphaMode::Opaque {
                        pass.set_pipeline(if material.two_sided { &self.two_sided } else { &self.one_sided });
                        pass.draw_indexed(3 * range.first..3 * (range.first + range.count), 0, 0..1);
                    }
                }
            }
        }
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("tiles"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &targets.tiles_view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(&self.farthest);
            pass.set_bind_group(0, &targets.depth_bind_group, &[]);
            pass.draw(0..3, 0..1);
        }
        let tiles = targets.tiles.size();
        encoder.copy_texture_to_buffer(
            targets.tiles.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &targets.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes(tiles.width)),
                    rows_per_image: Some(tiles.height),
                },
            },
            tiles,
        );
        gpu.queue.submit([encoder.finish()]);
    }
}

impl Targets {
    fn new(gpu: &Gpu, depth_layout: &wgpu::BindGroupLayout, samples: u32, size: (u32, u32)) -> Targets {
        let texture = |label, (width, height), sample_count, format, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let depth = texture("occluders", size, samples, DEPTH_FORMAT, wgpu::TextureUsages::TEXTURE_BINDING);
        let depth = depth.create_view(&wgpu::TextureViewDescriptor::default());
        let (columns, rows) = DepthPyramid::tiles(size);
        let tiles = texture("tiles", (columns, rows), 1, TILE_FORMAT, wgpu::TextureUsages::COPY_SRC);
        Targets {
            size,
            depth_bind_group: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("depths"),
                layout: depth_layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: depth_binding(samples),
                    resource: wgpu::BindingResource::TextureView(&depth),
                }],
            }),
            depth,
            tiles_view: tiles.create_view(&wgpu::TextureViewDescriptor::default()),
            tiles,
            buffer: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("tiles"),
                size: u64::from(row_bytes(columns)) * u64::from(rows),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        }
    }
}

/// Bytes of a row of tiles in the buffer.
fn row_bytes(columns: u32) -> u32 {
    (columns * TILE_BYTES).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// Where `occluders.wgsl` looks for depths.
fn depth_binding(samples: u32) -> u32 {
    if samples > 1 { 2 } else { 1 }
}

fn occluders_pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    matrix_layout: &wgpu::BindGroupLayout,
    samples: u32,
    cull_mode: Option<wgpu::Face>,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("occluders"),
        layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("occluders"),
            bind_group_layouts: &[Some(matrix_layout)],
            immediate_size: 0,
        })),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("occluder"),
            compilation_options: Default::default(),
            buffers: &[Some(LEVEL_VERTICES)],
        },
        primitive: wgpu::PrimitiveState { cull_mode, ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(true),
            depth_compare: Some(NEARER),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: None,
        multiview_mask: None,
        cache: None,
    })
}

fn farthest_pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    depth_layout: &wgpu::BindGroupLayout,
    samples: u32,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("tiles"),
        layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("tiles"),
            bind_group_layouts: &[Some(depth_layout)],
            immediate_size: 0,
        })),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("all_tiles"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(if samples > 1 { "farthest_of_samples" } else { "farthest" }),
            compilation_options: Default::default(),
            targets: &[Some(TILE_FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
