//! Props and balls on the GPU: each model once, and where its copies stand, drawn together.

use bytemuck::cast_slice;
use glam::{Mat4, Vec3, Vec4};

use super::bindings::Bindings;
use super::gpu::{Gpu, GpuError};
use super::level::LevelOnGpu;
use super::pipelines::Pipelines;
use super::renderer::{RenderStatistics, set_tangents};
use super::shadow_map::ShadowPipelines;
use crate::bodies::{Balls, Props, VisibleBodies};
use crate::cull::DrawList;
use crate::generate;
use crate::level::{AlphaMode, Level};
use crate::tree::{Mode, Settings, Tree};

/// The models of props, and a ball.
#[derive(Debug)]
pub struct ModelsOnGpu {
    /// In the order of [`Props::models`], then the ball.
    models: Vec<ModelOnGpu>,
}

#[derive(Debug)]
struct ModelOnGpu {
    level: LevelOnGpu,
    /// All of it, by material.
    ranges: DrawList,
}

impl ModelOnGpu {
    fn new(gpu: &Gpu, bindings: &Bindings, level: &Level, tree: &Tree) -> Result<ModelOnGpu, GpuError> {
        let mut on_gpu = LevelOnGpu::new(gpu, bindings, level, tree)?;
        if !gpu.has_polygon_lines() {
            on_gpu.make_edges(gpu);
        }
        let mut ranges = DrawList::new();
        ranges.everything(tree);
        Ok(ModelOnGpu { level: on_gpu, ranges })
    }
}

impl ModelsOnGpu {
    /// Uploads the models of props, and a ball of our own.
    ///
    /// # Errors
    /// When there is no room for them.
    pub fn new(gpu: &Gpu, bindings: &Bindings, props: &Props) -> Result<ModelsOnGpu, GpuError> {
        let mut models = Vec::with_capacity(props.models().len() + 1);
        for model in props.models() {
            models.push(ModelOnGpu::new(gpu, bindings, &model.level, &model.tree)?);
        }
        let ball = generate::props::ball();
        let tree = Tree::build(&ball, &Settings::new(Mode::Octree));
        models.push(ModelOnGpu::new(gpu, bindings, &ball, &tree)?);
        Ok(ModelsOnGpu { models })
    }
}

/// `Instance` of `level.wgsl`: the rows of the matrix from the model to the world, and how much of it is seen.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Instance {
    rows: [Vec4; 3],
    opacity: f32,
    padding: [f32; 3],
}

impl Instance {
    fn new(world_from_model: Mat4, opacity: f32) -> Instance {
        Instance { rows: [0, 1, 2].map(|row| world_from_model.row(row)), opacity, padding: [0.0; 3] }
    }
}

/// Copies of one model, side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    model: u32,
    /// All of them are mixed with what is behind them.
    faded: bool,
    first: u32,
    end: u32,
}

/// Where the props and balls stand that are to be drawn. Reused from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instances {
    instances: Vec<Instance>,
    runs: Vec<Run>,
}

impl Instances {
    /// Takes over where everything visible stands; balls between their last two steps, 1 being after the last.
    pub fn gather(&mut self, visible: &VisibleBodies, props: &Props, balls: &Balls, part: f64) {
        self.instances.clear();
        self.runs.clear();
        for prop in visible.props().iter().filter_map(|&id| props.get(id)) {
            self.add(prop.model().index(), prop.transform().local_from_model(), prop.opacity());
        }
        for ball in visible.balls().iter().filter_map(|&place| balls.at(place)) {
            let (radius, rotation) = (ball.radius() as f32, ball.rotation().as_quat());
            let place = ball.position_between(part).as_vec3();
            let matrix = Mat4::from_scale_rotation_translation(Vec3::splat(radius), rotation, place);
            self.add(props.models().len() as u32, matrix, 1.0);
        }
    }

    fn add(&mut self, model: u32, world_from_model: Mat4, opacity: f32) {
        let (place, faded) = (self.instances.len() as u32, opacity < 1.0);
        self.instances.push(Instance::new(world_from_model, opacity));
        match self.runs.last_mut() {
            Some(run) if run.model == model && run.faded == faded => run.end = place + 1,
            _ => self.runs.push(Run { model, faded, first: place, end: place + 1 }),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        cast_slice(&self.instances)
    }
}

/// Which surfaces to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surfaces {
    /// Opaque and cut out.
    Solid,
    Blended,
    /// The edges of all; as lists of lines where the adapter cannot draw triangles as lines.
    Edges {
        as_lines: bool,
    },
}

/// Draws all copies of each model, one call for each of its materials. They show both their sides, as copies may be mirrored.
pub(super) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    pipelines: &Pipelines,
    (models, instances): (&ModelsOnGpu, &Instances),
    buffer: &wgpu::Buffer,
    surfaces: Surfaces,
    statistics: &mut RenderStatistics,
) {
    for run in &instances.runs {
        let ModelOnGpu { level, ranges } = &models.models[run.model as usize];
        let (indices, per_triangle) = match surfaces {
            Surfaces::Edges { as_lines: true } => (&level.edges, 6),
            _ => (&level.indices, 3),
        };
        let (Some(vertices), Some(indices)) = (&level.vertices, indices) else { continue };
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_vertex_buffer(1, buffer.slice(..));
        set_tangents(pass, 2, level);
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for range in ranges.ranges() {
            let material = &level.materials[range.material as usize];
            let alpha_mode = if run.faded { AlphaMode::Blend } else { material.alpha_mode };
            let solid = if material.is_bent { &pipelines.copies.bent } else { &pipelines.copies.plain };
            let pipeline = match surfaces {
                Surfaces::Edges { .. } => &pipelines.copies.wireframe,
                // Blended ones are drawn behind all others.
                _ if (surfaces == Surfaces::Blended) != (alpha_mode == AlphaMode::Blend) => continue,
                _ => solid.of(alpha_mode),
            };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, &material.bind_group, &[]);
            let triangles = per_triangle * range.first..per_triangle * (range.first + range.count);
            pass.draw_indexed(triangles, 0, run.first..run.end);
            statistics.material_changes += 1;
            statistics.draw_calls += 1;
        }
    }
}

/// Draws what casts shadows of all copies of each model. Faded ones cast none.
pub(super) fn draw_shadows(
    pass: &mut wgpu::RenderPass<'_>,
    pipelines: &ShadowPipelines,
    (models, instances): (&ModelsOnGpu, &Instances),
    buffer: &wgpu::Buffer,
) {
    for run in instances.runs.iter().filter(|run| !run.faded) {
        let ModelOnGpu { level, ranges } = &models.models[run.model as usize];
        let (Some(vertices), Some(indices)) = (&level.vertices, &level.indices) else { continue };
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_vertex_buffer(1, buffer.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for range in ranges.ranges() {
            let material = &level.materials[range.material as usize];
            let Some(pipeline) = pipelines.of(material.alpha_mode, true) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, &material.bind_group, &[]);
            pass.draw_indexed(3 * range.first..3 * (range.first + range.count), 0, run.first..run.end);
        }
    }
}
