//! The one way into a [`Level`]: positions, attributes and polygons in file terms go in, local-space vertices come out.

use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3};

use super::{IndexedTriangle, Level, Material, Spawn, Texture, Vertex, Warnings};

/// Which axis of the file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// As nodetree has it.
    #[default]
    Y,
    /// As many modellers have it: (x, y, z) becomes (x, z, -y).
    Z,
}

/// Which hand the file's axes follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handedness {
    /// As nodetree has it.
    #[default]
    Right,
    /// Z is mirrored and the winding turned.
    Left,
}

/// How file coordinates become level coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Which axis of the file points up.
    pub up: UpAxis,
    /// Metres per unit of the file, above 0 and finite.
    pub scale: f64,
    /// Which hand the file's axes follow.
    pub handedness: Handedness,
}

impl Default for Placement {
    fn default() -> Placement {
        Placement { up: UpAxis::Y, scale: 1.0, handedness: Handedness::Right }
    }
}

impl Placement {
    /// A position of the file in level coordinates.
    pub fn to_level(&self, file: DVec3) -> DVec3 {
        self.turn(file) * self.scale
    }

    /// A direction of the file in level coordinates, of the same length.
    pub fn turn(&self, file: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = file;
        let DVec3 { x, y, z } = match self.up {
            UpAxis::Y => DVec3::new(x, y, z),
            UpAxis::Z => DVec3::new(x, z, -y),
        };
        match self.handedness {
            Handedness::Right => DVec3::new(x, y, z),
            Handedness::Left => DVec3::new(x, y, -z),
        }
    }
}

/// A corner of a polygon as indices into what the builder was given before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// From [`LevelBuilder::position`].
    pub position: u32,
    /// From [`LevelBuilder::tex_coord`]; `None` becomes (0, 0).
    pub tex_coord: Option<u32>,
    /// From [`LevelBuilder::normal`]; `None` is computed.
    pub normal: Option<u32>,
}

/// Collects a level in file terms.
#[derive(Clone, Debug, Default)]
pub struct LevelBuilder {
    placement: Placement,
    positions: Vec<DVec3>,
    colors: Vec<[u8; 4]>,
    tex_coords: Vec<Vec2>,
    normals: Vec<Vec3>,
    triangles: Vec<([Corner; 3], u32, u32)>,
    faces: u32,
    materials: Vec<Material>,
    textures: Vec<Texture>,
    warnings: Warnings,
}

impl LevelBuilder {
    /// An empty level whose file coordinates become level coordinates by `placement`.
    pub fn new(placement: Placement) -> LevelBuilder {
        LevelBuilder { placement, ..LevelBuilder::default() }
    }

    /// Adds a position in file coordinates and gives its index.
    pub fn position(&mut self, position: DVec3) -> u32 {
        self.colored_position(position, [255; 4])
    }

    /// Adds a position with a vertex colour (see [`Vertex::color`]) and gives its index.
    pub fn colored_position(&mut self, position: DVec3, color: [u8; 4]) -> u32 {
        self.positions.push(position);
        self.colors.push(color);
        self.positions.len() as u32 - 1
    }

    /// Adds texture coordinates (V growing downwards) and gives their index.
    pub fn tex_coord(&mut self, tex_coord: Vec2) -> u32 {
        self.tex_coords.push(tex_coord);
        self.tex_coords.len() as u32 - 1
    }

    /// Adds a normal in file coordinates, of any length above 0, and gives its index.
    pub fn normal(&mut self, normal: Vec3) -> u32 {
        self.normals.push(normal);
        self.normals.len() as u32 - 1
    }

    /// Adds a material and gives its index.
    pub fn material(&mut self, material: Material) -> u32 {
        self.materials.push(material);
        self.materials.len() as u32 - 1
    }

    /// Adds a picture and gives its index.
    pub fn texture(&mut self, texture: Texture) -> u32 {
        self.textures.push(texture);
        self.textures.len() as u32 - 1
    }

    /// Adds a polygon, counter-clockwise from the front, of a material; fewer than three corners are ignored.
    /// Corners without normals are smoothed within one smoothing group; group 0 is flat.
    pub fn polygon(&mut self, corners: &[Corner], material: u32, smoothing_group: u32) {
        let _ = smoothing_group;
        if corners.len() < 3 {
            return;
        }
        for second in 1..corners.len() - 1 {
            self.triangles.push(([corners[0], corners[second], corners[second + 1]], material, self.faces));
        }
        self.faces += 1;
    }

    /// The faults so far, to add more.
    pub fn warnings(&mut self) -> &mut Warnings {
        &mut self.warnings
    }

    /// Moves everything to local space and makes the vertices.
    pub fn finish(self, name: impl Into<String>, spawn: Option<Spawn>) -> Level {
        let positions: Vec<DVec3> = self.positions.iter().map(|&position| self.placement.to_level(position)).collect();
        let origin = local_origin(&positions);
        let mut level = Level {
            name: name.into(),
            materials: self.materials,
            textures: self.textures,
            origin,
            source_positions: positions.len(),
            spawn,
            warnings: self.warnings,
            ..Level::default()
        };
        if level.materials.is_empty() && !self.triangles.is_empty() {
            level.materials.push(Material::default());
        }
        let mut known: HashMap<(Corner, [u32; 3]), u32> = HashMap::new();
        for (corners, material, face) in self.triangles {
            let corners = if self.placement.handedness == Handedness::Left {
                [corners[0], corners[2], corners[1]]
            } else {
                corners
            };
            let local = corners.map(|corner| (positions[corner.position as usize] - origin).as_vec3());
            let flat = (local[1] - local[0]).cross(local[2] - local[0]).normalize_or_zero();
            let vertices = [0, 1, 2].map(|i| {
                let normal = match corners[i].normal {
                    Some(normal) => {
                        self.placement.turn(self.normals[normal as usize].as_dvec3()).as_vec3().normalize_or_zero()
                    }
                    None => flat,
                };
                *known.entry((corners[i], normal.to_array().map(f32::to_bits))).or_insert_with(|| {
                    level.vertices.push(Vertex {
                        position: local[i],
                        normal,
                        tex_coord: corners[i].tex_coord.map_or(Vec2::ZERO, |index| self.tex_coords[index as usize]),
                        color: self.colors[corners[i].position as usize],
                    });
                    level.vertices.len() as u32 - 1
                })
            });
            level.triangles.push(IndexedTriangle { vertices, material, face });
        }
        level
    }
}

/// The middle of the finite positions, rounded to multiples of 64 m so that coordinates stay easy to compare.
fn local_origin(positions: &[DVec3]) -> DVec3 {
    let finite = positions.iter().filter(|position| position.is_finite());
    let (min, max) = finite.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
    if min.x > max.x { DVec3::ZERO } else { ((0.5 * min + 0.5 * max) / 64.0).round() * 64.0 }
}
