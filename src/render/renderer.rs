//! The renderer: one call draws a frame to any target, be it a window, a picture file or a test.

use bytemuck::cast_slice;

use super::DEPTH_FORMAT;
use super::bindings::Bindings;
use super::blended::BlendedOrder;
use super::bodies::Surfaces;
use super::frame::{Frame, ViewUniform};
use super::gpu::Gpu;
use super::inspect::Inspect;
use super::level::LevelOnGpu;
use super::pipelines::Pipelines;
use super::shadow_map::ShadowMaps;
use crate::level::AlphaMode;

/// Draws levels to targets of one format. Knows no window.
#[derive(Debug)]
pub struct Renderer {
    format: wgpu::TextureFormat,
    samples: u32,
    bindings: Bindings,
    pipelines: Pipelines,
    view_uniform: wgpu::Buffer,
    view_bind_group: wgpu::BindGroup,
    shadow_maps: ShadowMaps,
    targets: Option<PassTargets>,
    blended: BlendedOrder,
    blended_indices: GrowingBuffer,
    lines: GrowingBuffer,
    instances: GrowingBuffer,
    shadow_instances: GrowingBuffer,
}

/// What one frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderStatistics {
    /// Draw calls for the level, props and balls, without sky and lines.
    pub draw_calls: u32,
    /// How often the material changed, the first included.
    pub material_changes: u32,
    /// Triangles of the level drawn into shadow maps. Maps that show what they should already are not drawn again.
    pub shadow_triangles: u32,
    /// How many samples a pixel has.
    pub samples: u32,
}

impl Renderer {
    /// A renderer for targets of `color_format`. sRGB formats let the hardware encode; for others the shaders do.
    /// `samples` a pixel, 1 or 4: what the adapter can't do becomes 1; `None` is 4 on hardware and 1 in software.
    pub fn new(gpu: &Gpu, color_format: wgpu::TextureFormat, samples: Option<u32>) -> Renderer {
        let wanted = samples.unwrap_or(if gpu.is_software() { 1 } else { 4 });
        let samples = gpu.supported_samples(wanted, color_format);
        let bindings = Bindings::new(gpu);
        let pipelines = Pipelines::new(gpu, &bindings, color_format, samples);
        let device = &gpu.device;
        let view_uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let shadow_maps = ShadowMaps::new(gpu, &bindings);
        let view_bind_group = bind_view(gpu, &pipelines, &view_uniform, &shadow_maps);
        Renderer {
            format: color_format,
            samples,
            view_uniform,
            view_bind_group,
            shadow_maps,
            bindings,
            pipelines,
            targets: None,
            blended: BlendedOrder::default(),
            blended_indices: GrowingBuffer::new("blended indices", wgpu::BufferUsages::INDEX),
            lines: GrowingBuffer::new("lines", wgpu::BufferUsages::VERTEX),
            instances: GrowingBuffer::new("instances", wgpu::BufferUsages::VERTEX),
            shadow_instances: GrowingBuffer::new("shadow instances", wgpu::BufferUsages::VERTEX),
        }
    }

    /// How materials and skies are bound: make [`LevelOnGpu`](super::LevelOnGpu) and [`Sky`](super::Sky) with it.
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// How many samples a pixel has.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Texels along each side of the shadow maps that the adapter draws in good time.
    pub fn shadow_resolution(gpu: &Gpu) -> u32 {
        if gpu.is_software() { 1024 } else { 2048 }
    }

    /// The format of the targets.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Draws `frame` to all of `target`, a view of this renderer's format and of `size` pixels, each at least 1, and submits
    /// it.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        level: &mut LevelOnGpu,
        target: &wgpu::TextureView,
        size: (u32, u32),
        frame: &Frame<'_>,
    ) -> RenderStatistics {
        let mut statistics = RenderStatistics { samples: self.samples, ..RenderStatistics::default() };
        gpu.queue.write_buffer(&self.view_uniform, 0, bytemuck::bytes_of(&ViewUniform::new(frame)));
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            self.targets = Some(PassTargets::new(gpu, self.format, self.samples, size));
        }
        let is_solid = !frame.wireframe && frame.inspect.is_none();
        if is_solid {
            self.blended.sort(level, frame.draw_list, frame.camera);
            self.blended_indices.write(gpu, cast_slice(self.blended.indices()));
        }
        self.lines.write_two(gpu, cast_slice(frame.lines), cast_slice(frame.lines_on_top));
        if let Some((_, instances)) = frame.bodies {
            self.instances.write(gpu, instances.bytes());
        }
        let use_edges = frame.wireframe && frame.inspect.is_none() && !gpu.has_polygon_lines();
        if use_edges {
            level.make_edges(gpu);
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        if let Some(shadows) = frame.shadows {
            if self.shadow_maps.resize(gpu, shadows.resolution()) {
                self.view_bind_group = bind_view(gpu, &self.pipelines, &self.view_uniform, &self.shadow_maps);
            }
            self.shadow_instances.write(gpu, shadows.instances().bytes());
            let bodies = frame.bodies.map(|(models, _)| models).zip(self.shadow_instances.buffer());
            statistics.shadow_triangles = self.shadow_maps.draw(gpu, &mut encoder, shadows, level, bodies);
        }
        {
            let targets = self.targets.as_ref().expect("made above");
            let (view, resolve_target) = match &targets.color {
                Some(color) => (color, Some(target)),
                None => (target, None),
            };
            let drawn_before = frame.occlusion.filter(|_| is_solid);
            let drawn_before = drawn_before.and_then(|it| it.take_depth(frame.camera, size, self.samples));
            let (depth, depth_before) = match drawn_before {
                Some(depth) => (depth, wgpu::LoadOp::Load),
                // Reversed: 0 is infinitely far.
                None => (&targets.depth, wgpu::LoadOp::Clear(0.0)),
            };
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("level"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        // With many samples only what they resolve to is kept.
                        store: if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store },
                    },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: depth,
                    depth_ops: Some(wgpu::Operations { load: depth_before, store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.view_bind_group, &[]);
            if let Some(inspect) = frame.inspect {
                self.draw_inspected(&mut pass, level, frame, inspect, &mut statistics);
            } else if frame.wireframe {
                self.draw_edges(&mut pass, level, frame, use_edges, &mut statistics);
                self.draw_bodies(&mut pass, frame, Surfaces::Edges { as_lines: use_edges }, &mut statistics);
            } else {
                self.draw_solid(&mut pass, level, frame, &mut statistics);
                self.draw_bodies(&mut pass, frame, Surfaces::Solid, &mut statistics);
            }
            if frame.inspect.is_none() {
                pass.set_pipeline(&self.pipelines.sky);
                pass.set_bind_group(1, &frame.sky.bind_group, &[]);
                pass.draw(0..3, 0..1);
            }
            if is_solid {
                self.draw_blended(&mut pass, level, &mut statistics);
                self.draw_bodies(&mut pass, frame, Surfaces::Blended, &mut statistics);
            }
            self.draw_lines(&mut pass, frame);
        }
        gpu.queue.submit([encoder.finish()]);
        statistics
    }

    /// Opaque and cut-out, in the order of the list: material, then tree.
    fn draw_solid(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        level: &LevelOnGpu,
        frame: &Frame<'_>,
        statistics: &mut RenderStatistics,
    ) {
        let (Some(vertices), Some(indices)) = (&level.vertices, &level.indices) else { return };
        pass.set_vertex_buffer(0, vertices.slice(..));
        set_tangents(pass, 1, level);
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        let (mut bound, mut bound_pipeline) = (None, None);
        for range in frame.draw_list.ranges() {
            let material = &level.materials[range.material as usize];
            if material.alpha_mode == AlphaMode::Blend {
                continue;
            }
            if bound != Some(range.material) {
                let cut_out = matches!(material.alpha_mode, AlphaMode::Mask(_));
                let wanted = (cut_out, material.two_sided, material.is_bent);
                if bound_pipeline != Some(wanted) {
                    pass.set_pipeline(self.pipelines.of(material));
                    bound_pipeline = Some(wanted);
                }
                pass.set_bind_group(1, &material.bind_group, &[]);
                bound = Some(range.material);
                statistics.material_changes += 1;
            }
            pass.draw_indexed(3 * range.first..3 * (range.first + range.count), 0, 0..1);
            statistics.draw_calls += 1;
        }
    }

    /// Triangles without their materials.
    fn draw_inspected(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        level: &LevelOnGpu,
        frame: &Frame<'_>,
        inspect: Inspect,
        statistics: &mut RenderStatistics,
    ) {
        let (Some(vertices), Some(indices)) = (&level.vertices, &level.indices) else { return };
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_pipeline(self.pipelines.inspect.of(inspect));
        let mut draw = |first, count, instance| {
            pass.draw_indexed(3 * first..3 * (first + count), 0, instance..instance + 1);
            statistics.draw_calls += 1;
        };
        if inspect == Inspect::Cells {
            for range in frame.cells {
                // Cells are told by the number of the instance.
                draw(range.first, range.count, range.cell << 1 | u32::from(range.crosses));
            }
        } else {
            for range in frame.draw_list.ranges() {
                draw(range.first, range.count, 0);
            }
        }
    }

    /// Triangles as their edges, whatever their material.
    fn draw_edges(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        level: &LevelOnGpu,
        frame: &Frame<'_>,
        as_lines: bool,
        statistics: &mut RenderStatistics,
    ) {
        let indices = if as_lines { level.edges.as_ref() } else { level.indices.as_ref() };
        let (Some(vertices), Some(indices)) = (&level.vertices, indices) else { return };
        let per_triangle = if as_lines { 6 } else { 3 };
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_pipeline(&self.pipelines.wireframe);
        let mut bound = None;
        for range in frame.draw_list.ranges() {
            if bound != Some(range.material) {
                pass.set_bind_group(1, &level.materials[range.material as usize].bind_group, &[]);
                bound = Some(range.material);
                statistics.material_changes += 1;
            }
            pass.draw_indexed(per_triangle * range.first..per_triangle * (range.first + range.count), 0, 0..1);
            statistics.draw_calls += 1;
        }
    }

    /// Blended triangles from back to front, those of one material that follow each other in one call.
    fn draw_blended(&self, pass: &mut wgpu::RenderPass<'_>, level: &LevelOnGpu, statistics: &mut RenderStatistics) {
        let (Some(vertices), Some(indices)) = (&level.vertices, self.blended_indices.buffer()) else { return };
        if self.blended.indices().is_empty() {
            return;
        }
        pass.set_vertex_buffer(0, vertices.slice(..));
        set_tangents(pass, 1, level);
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for run in self.blended.runs() {
            let material = &level.materials[run.material as usize];
            pass.set_pipeline(self.pipelines.of(material));
            pass.set_bind_group(1, &material.bind_group, &[]);
            pass.draw_indexed(3 * run.first..3 * (run.first + run.count), 0, 0..1);
            statistics.material_changes += 1;
            statistics.draw_calls += 1;
        }
    }

    fn draw_bodies(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        frame: &Frame<'_>,
        surfaces: Surfaces,
        statistics: &mut RenderStatistics,
    ) {
        if let (Some(bodies), Some(buffer)) = (frame.bodies, self.instances.buffer()) {
            super::bodies::draw(pass, &self.pipelines, bodies, buffer, surfaces, statistics);
        }
    }

    fn draw_lines(&self, pass: &mut wgpu::RenderPass<'_>, frame: &Frame<'_>) {
        let Some(buffer) = self.lines.buffer() else { return };
        let (hidden, on_top) = (frame.lines.len() as u32, frame.lines_on_top.len() as u32);
        for (pipeline, range) in
            [(&self.pipelines.lines, 0..hidden), (&self.pipelines.lines_on_top, hidden..hidden + on_top)]
        {
            if !range.is_empty() {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(range, 0..1);
            }
        }
    }
}

fn bind_view(gpu: &Gpu, pipelines: &Pipelines, uniform: &wgpu::Buffer, shadow_maps: &ShadowMaps) -> wgpu::BindGroup {
    let resources = [
        uniform.as_entire_binding(),
        wgpu::BindingResource::TextureView(&shadow_maps.view),
        wgpu::BindingResource::Sampler(&shadow_maps.sampler),
    ];
    let entries: Vec<_> =
        (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("view"),
        layout: &pipelines.view_layout,
        entries: &entries,
    })
}

/// Binds the tangents of a level, which only what has a normal map reads.
pub(super) fn set_tangents(pass: &mut wgpu::RenderPass<'_>, slot: u32, level: &LevelOnGpu) {
    if let Some(tangents) = &level.tangents {
        pass.set_vertex_buffer(slot, tangents.slice(..));
    }
}

/// A buffer that is written anew each frame and made anew only when it is too small.
#[derive(Debug)]
struct GrowingBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

impl GrowingBuffer {
    fn new(label: &'static str, usage: wgpu::BufferUsages) -> GrowingBuffer {
        GrowingBuffer { label, usage, buffer: None }
    }

    fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    fn write(&mut self, gpu: &Gpu, bytes: &[u8]) {
        self.write_two(gpu, bytes, &[]);
    }

    /// Writes both, one behind the other.
    fn write_two(&mut self, gpu: &Gpu, first: &[u8], second: &[u8]) {
        let needed = (first.len() + second.len()) as u64;
        if needed == 0 {
            return;
        }
        let buffer = match &self.buffer {
            Some(buffer) if buffer.size() >= needed => buffer,
            _ => self.buffer.insert(gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: needed.next_power_of_two().max(4096),
                usage: self.usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })),
        };
        for (offset, bytes) in [(0, first), (first.len() as u64, second)] {
            if !bytes.is_empty() {
                gpu.queue.write_buffer(buffer, offset, bytes);
            }
        }
    }
}

/// What a pass draws to beside its target, made for one size.
#[derive(Debug)]
struct PassTargets {
    size: (u32, u32),
    /// `None` with one sample a pixel: then the target itself is drawn to.
    color: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

impl PassTargets {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat, samples: u32, (width, height): (u32, u32)) -> PassTargets {
        let make = |label, format| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        PassTargets {
            size: (width, height),
            color: (samples > 1).then(|| make("samples", format)),
            depth: make("depth", DEPTH_FORMAT),
        }
    }
}
