//! A level on the GPU: one vertex buffer, one index buffer in the tree's order, one bind group a material.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::cast_slice;
use glam::{Vec3, Vec4};
use rayon::prelude::*;
use wgpu::util::DeviceExt;

use super::bindings::Bindings;
use super::gpu::{Gpu, GpuError};
use super::mipmaps::{Mipmap, Opacity, level_count, linear_from_srgb, mipmaps, normal_mipmaps};
use crate::level::{AlphaMode, Level, Map, Material, Wrap};
use crate::tree::Tree;

/// A level as the renderer needs it.
#[derive(Debug)]
pub struct LevelOnGpu {
    /// Tells it from every other one.
    pub(super) id: u64,
    pub(super) vertices: Option<wgpu::Buffer>,
    /// Beside the vertices, where a material has a normal map.
    pub(super) tangents: Option<wgpu::Buffer>,
    /// Three indices a triangle, in the order of the tree's groups.
    pub(super) indices: Option<wgpu::Buffer>,
    pub(super) materials: Vec<MaterialOnGpu>,
    order: IndexOrder,
    /// Six indices a triangle, its edges as lines: made on first use, where triangles can't be drawn as lines.
    pub(super) edges: Option<wgpu::Buffer>,
}

/// A material as the renderer needs it.
#[derive(Debug)]
pub(super) struct MaterialOnGpu {
    pub bind_group: wgpu::BindGroup,
    pub alpha_mode: AlphaMode,
    pub two_sided: bool,
    /// Whether it has a normal map, and the level tangents for it.
    pub is_bent: bool,
}

/// `Material` of `level.wgsl`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct MaterialUniform {
    base_color: Vec4,
    emissive: Vec4,
    cutoff: f32,
    unlit: f32,
    bump_scale: f32,
    padding: f32,
}

/// The order in which a tree draws a level's triangles. Made on any thread, as it takes a while for large levels.
#[derive(Clone, Debug, Default)]
pub struct IndexOrder {
    indices: Vec<u32>,
    /// Triangles of blended materials, in the order of the index buffer; they are sorted anew for each frame.
    blended: Vec<BlendedTriangle>,
    /// Where each material's triangles lie: its first triangle in the index buffer, and that triangle in `blended`.
    blended_starts: Vec<(u32, u32)>,
}

/// A triangle that is mixed with what is behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlendedTriangle {
    pub centroid: Vec3,
    pub vertices: [u32; 3],
    /// Its number in the level: breaks ties in a way that no tree changes.
    pub number: u32,
}

impl IndexOrder {
    /// The order of `tree`, which was built over `level`.
    pub fn new(level: &Level, tree: &Tree) -> IndexOrder {
        let numbers = tree.groups().triangles();
        let indices = numbers.par_iter().flat_map_iter(|&n| level.triangles[n as usize].vertices).collect();
        let mut order =
            IndexOrder { indices, blended: Vec::new(), blended_starts: vec![(0, 0); level.materials.len()] };
        for part in tree.groups().whole() {
            let material = tree.groups().materials()[part.slot as usize];
            if level.materials[material as usize].alpha_mode != AlphaMode::Blend {
                continue;
            }
            let range = part.first..part.first + part.count;
            order.blended_starts[material as usize] = (range.start, order.blended.len() as u32);
            order.blended.extend(numbers[range.start as usize..range.end as usize].iter().map(|&number| {
                let [a, b, c] = level.corners(number);
                let vertices = level.triangles[number as usize].vertices;
                BlendedTriangle { centroid: a / 3.0 + b / 3.0 + c / 3.0, vertices, number }
            }));
        }
        order
    }
}

impl LevelOnGpu {
    /// Uploads a level in the order of `tree`, with mipmaps for every texture.
    pub fn new(gpu: &Gpu, bindings: &Bindings, level: &Level, tree: &Tree) -> Result<LevelOnGpu, GpuError> {
        gpu.check_buffer("the level's vertex buffer", size_of_val(&level.vertices[..]) as u64)?;
        gpu.check_buffer("the level's tangents", size_of_val(&level.tangents[..]) as u64)?;
        let smaller = all_mipmaps(level);
        let (vertices, tangents, materials) = gpu.catching(|| {
            let buffer = |label, bytes: &[u8]| {
                (!bytes.is_empty()).then(|| {
                    gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                        label: Some(label),
                        contents: bytes,
                        usage: wgpu::BufferUsages::VERTEX,
                    })
                })
            };
            let vertices = buffer("level vertices", cast_slice(&level.vertices));
            let tangents = buffer("level tangents", cast_slice(&level.tangents));
            let mut pictures =
                Pictures { white: upload_texture(gpu, 1, 1, (&[255; 4], &[]), true), views: HashMap::new() };
            for ((index, is_color), smaller) in smaller {
                let texture = &level.textures[index as usize];
                let view = upload_texture(gpu, texture.width, texture.height, (&texture.rgba, &smaller), is_color);
                pictures.views.insert((index, is_color), view);
            }
            let upload = |material: &Material| upload_material(gpu, bindings, material, &pictures, tangents.is_some());
            let materials = level.materials.iter().map(upload).collect();
            (vertices, tangents, materials)
        })?;
        let order = IndexOrder::default();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut on_gpu = LevelOnGpu { id, vertices, tangents, indices: None, materials, order, edges: None };
        on_gpu.set_order(gpu, IndexOrder::new(level, tree))?;
        Ok(on_gpu)
    }

    /// Takes the order of another tree over the same level.
    pub fn set_tree(&mut self, gpu: &Gpu, level: &Level, tree: &Tree) -> Result<(), GpuError> {
        self.set_order(gpu, IndexOrder::new(level, tree))
    }

    /// Takes an order that was made before, on another thread perhaps.
    pub fn set_order(&mut self, gpu: &Gpu, order: IndexOrder) -> Result<(), GpuError> {
        let bytes: &[u8] = cast_slice(&order.indices);
        gpu.check_buffer("the level's index buffer", bytes.len() as u64)?;
        match &self.indices {
            Some(buffer) if buffer.size() == bytes.len() as u64 => gpu.queue.write_buffer(buffer, 0, bytes),
            _ => {
                let make = || {
                    gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                        label: Some("level indices"),
                        contents: bytes,
                        usage: wgpu::BufferUsages::INDEX | wgpu::BufferUsages::COPY_DST,
                    })
                };
                self.indices = gpu.catching(|| (!bytes.is_empty()).then(make))?;
            }
        }
        self.order = order;
        self.edges = None;
        Ok(())
    }

    /// The blended triangles at `first..first + count` of the index buffer, all of `material`.
    pub(super) fn blended(&self, material: u32, first: u32, count: u32) -> &[BlendedTriangle] {
        let (start, place) = self.order.blended_starts[material as usize];
        let from = (place + first - start) as usize;
        &self.order.blended[from..from + count as usize]
    }

    /// Makes the edges of all triangles as lines, unless they are there.
    pub(super) fn make_edges(&mut self, gpu: &Gpu) {
        if self.edges.is_none() && !self.order.indices.is_empty() {
            let triangles = self.order.indices.as_chunks::<3>().0;
            let edges: Vec<u32> = triangles.iter().flat_map(|&[a, b, c]| [a, b, b, c, c, a]).collect();
            self.edges = Some(gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("level edges"),
                contents: cast_slice(&edges),
                usage: wgpu::BufferUsages::INDEX,
            }));
        }
    }
}

/// The textures of a level by index and whether they hold colours, which are sRGB-encoded; else they hold normals.
struct Pictures {
    /// For what has no picture.
    white: wgpu::TextureView,
    views: HashMap<(u32, bool), wgpu::TextureView>,
}

fn upload_material(
    gpu: &Gpu,
    bindings: &Bindings,
    material: &Material,
    pictures: &Pictures,
    has_tangents: bool,
) -> MaterialOnGpu {
    let [r, g, b, a] = material.base_color;
    let [r, g, b] = [r, g, b].map(linear_from_srgb);
    let uniform = MaterialUniform {
        base_color: Vec4::new(r, g, b, a),
        emissive: Vec3::from_array(material.emissive).extend(f32::from(material.emissive_map.is_some())),
        cutoff: if let AlphaMode::Mask(cutoff) = material.alpha_mode { cutoff } else { 0.0 },
        unlit: f32::from(material.unlit),
        bump_scale: material.normal_map.map_or(1.0, |normal_map| normal_map.scale),
        padding: 0.0,
    };
    let uniform = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("material"),
        contents: bytemuck::bytes_of(&uniform),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let picture = |map: Option<Map>, is_color| {
        let map = map.unwrap_or(Map { texture: u32::MAX, wrap: [Wrap::Repeat; 2] });
        (pictures.views.get(&(map.texture, is_color)).unwrap_or(&pictures.white), map.wrap)
    };
    let color = material.texture.map(|texture| Map { texture, wrap: material.wrap });
    let normals = material.normal_map.map(|normal_map| normal_map.map);
    let pictures = [picture(color, true), picture(material.emissive_map, true), picture(normals, false)];
    MaterialOnGpu {
        bind_group: bindings.material(gpu, &uniform, pictures),
        alpha_mode: material.alpha_mode,
        two_sided: material.two_sided,
        is_bent: normals.is_some() && has_tangents,
    }
}

/// The mipmaps of every texture that is used, made in parallel; as colours, as normals, or as both.
fn all_mipmaps(level: &Level) -> Vec<((u32, bool), Vec<Mipmap>)> {
    let uses = level.materials.iter().flat_map(|material| {
        let colors = [material.texture, material.emissive_map.map(|map| map.texture)];
        let normals = material.normal_map.map(|normal_map| (normal_map.map.texture, false));
        colors.into_iter().flatten().map(|texture| (texture, true)).chain(normals)
    });
    let uses: BTreeSet<(u32, bool)> = uses.collect();
    let make = |(index, is_color): (u32, bool)| {
        let texture = &level.textures[index as usize];
        if is_color {
            mipmaps(texture.width, texture.height, &texture.rgba, opacity_of(level, index))
        } else {
            normal_mipmaps(texture.width, texture.height, &texture.rgba)
        }
    };
    uses.into_par_iter().map(|used| (used, make(used))).collect()
}

/// What a texture's opacity is used for. A texture that several materials use shrinks for the one that needs most care.
fn opacity_of(level: &Level, texture: u32) -> Opacity {
    let mut opacity = Opacity::Unused;
    for material in level.materials.iter().filter(|material| material.texture == Some(texture)) {
        match material.alpha_mode {
            AlphaMode::Opaque => {}
            AlphaMode::Blend if opacity == Opacity::Unused => opacity = Opacity::Blend,
            AlphaMode::Blend => {}
            AlphaMode::Mask(cutoff) => opacity = Opacity::CutOut(cutoff),
        }
    }
    opacity
}

/// A texture with all its mipmaps; the largest levels are left out where the adapter can't hold them.
fn upload_texture(
    gpu: &Gpu,
    width: u32,
    height: u32,
    (rgba, smaller): (&[u8], &[Mipmap]),
    is_color: bool,
) -> wgpu::TextureView {
    let all = std::iter::once((width, height, rgba))
        .chain(smaller.iter().map(|level| (level.width, level.height, &level.rgba[..])));
    let most = gpu.device.limits().max_texture_dimension_2d;
    let levels: Vec<_> = all.filter(|&(width, height, _)| width.max(height) <= most).collect();
    let (width, height, _) = levels[0];
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: level_count(width, height),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: if is_color { wgpu::TextureFormat::Rgba8UnormSrgb } else { wgpu::TextureFormat::Rgba8Unorm },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, &(width, height, rgba)) in levels.iter().enumerate() {
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: level as u32,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            rgba,
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: Some(height) },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
