//! The one way into a [`Level`]: positions, attributes and polygons in file terms go in, local-space vertices come out.

use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::normals;
use super::placement::{Handedness, Placement};
use super::triangulate::{Cut, MAX_CONCAVE, Triangulator};
use super::vertices::Vertices;
use super::{IndexedTriangle, Level, Light, Material, Spawn, Texture, Vertex, WarningKind, Warnings, light, tangents};
use crate::geometry::has_area;

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
    /// Empty as long as all are white.
    colors: Vec<[u8; 4]>,
    /// Empty as long as none is given.
    tangents: Vec<Vec4>,
    tex_coords: Vec<Vec2>,
    normals: Vec<Vec3>,
    /// Consecutive polygons of one material and smoothing group.
    runs: Vec<Run>,
    /// Where the corners of each polygon end; they begin where those of the one before end.
    ends: Vec<u32>,
    /// Of all polygons, one array an attribute.
    corner_positions: Vec<u32>,
    /// Empty as long as none has any, as are the normals.
    corner_tex_coords: Vec<u32>,
    corner_normals: Vec<u32>,
    materials: Vec<Material>,
    textures: Vec<Texture>,
    /// Where they stand, and what they are.
    lights: Vec<(DVec3, Light)>,
    warnings: Warnings,
}

/// Consecutive polygons of one material and one smoothing group.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where they end; they begin where the run before ends.
    end: u32,
    material: u32,
    smoothing_group: u32,
}

/// An attribute that a corner does not have.
const NONE: u32 = u32::MAX;

/// The colour of a position that was given none.
const WHITE: [u8; 4] = [255; 4];

impl LevelBuilder {
    /// An empty level whose file coordinates become level coordinates by `placement`.
    pub fn new(placement: Placement) -> LevelBuilder {
        LevelBuilder { placement, ..LevelBuilder::default() }
    }

    /// Adds a position in file coordinates and gives its index.
    pub fn position(&mut self, position: DVec3) -> u32 {
        self.colored_position(position, WHITE)
    }

    /// Adds a position with a vertex colour (see [`Vertex::color`]) and gives its index.
    pub fn colored_position(&mut self, position: DVec3, color: [u8; 4]) -> u32 {
        if color != WHITE || !self.colors.is_empty() {
            self.colors.resize(self.positions.len(), WHITE);
            self.colors.push(color);
        }
        self.positions.push(position);
        self.positions.len() as u32 - 1
    }

    /// Adds texture coordinates (V growing downwards) and gives their index.
    pub fn tex_coord(&mut self, tex_coord: Vec2) -> u32 {
        self.tex_coords.push(tex_coord);
        self.tex_coords.len() as u32 - 1
    }

    /// Adds a normal in file coordinates and gives its index. Its length does not matter; one without a direction counts as
    /// none.
    pub fn normal(&mut self, normal: Vec3) -> u32 {
        self.normals.push(normal);
        self.normals.len() as u32 - 1
    }

    /// Adds a material and gives its index.
    pub fn material(&mut self, material: Material) -> u32 {
        self.materials.push(material);
        self.materials.len() as u32 - 1
    }

    /// Adds a light that stands at a position and shines in its direction, both in file coordinates. Its own position means nothing yet.
    pub fn light(&mut self, position: DVec3, light: Light) {
        self.lights.push((position, light));
    }

    /// Says the tangent of all corners at a position, as [`Level::tangents`] has it, but in file coordinates.
    pub(super) fn tangent(&mut self, position: u32, tangent: Vec4) {
        self.tangents.resize(self.positions.len(), Vec4::ZERO);
        self.tangents[position as usize] = tangent;
    }

    /// Adds a picture and gives its index.
    pub fn texture(&mut self, texture: Texture) -> u32 {
        self.textures.push(texture);
        self.textures.len() as u32 - 1
    }

    /// Adds a polygon, counter-clockwise from the front, of a material; fewer than three corners are ignored. It becomes two
    /// triangles less than it has corners: a fan from the first corner where it is convex.
    ///
    /// Corners without normals are smoothed within one smoothing group where faces meet at less than 60 degrees; group 0 is
    /// flat.
    pub fn polygon(&mut self, corners: &[Corner], material: u32, smoothing_group: u32) {
        if corners.len() < 3 {
            return;
        }
        for corner in corners {
            push_index(&mut self.corner_tex_coords, self.corner_positions.len(), corner.tex_coord);
            push_index(&mut self.corner_normals, self.corner_positions.len(), corner.normal);
            self.corner_positions.push(corner.position);
        }
        self.ends.push(self.corner_positions.len() as u32);
        let end = self.ends.len() as u32;
        match self.runs.last_mut() {
            Some(run) if run.material == material && run.smoothing_group == smoothing_group => run.end = end,
            _ => self.runs.push(Run { end, material, smoothing_group }),
        }
    }

    /// The materials of the polygons so far, each at least once.
    pub(super) fn polygon_materials(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().map(|run| run.material)
    }

    /// Gives the polygons so far other materials, by those that they have.
    pub(super) fn set_polygon_materials(&mut self, material: impl Fn(u32) -> u32) {
        for run in &mut self.runs {
            run.material = material(run.material);
        }
    }

    /// Gives the corners so far other texture coordinates, by their material and the index of those that they have; `None` leaves
    /// them.
    pub(super) fn place_tex_coords(&mut self, place: impl Fn(u32, u32) -> Option<Vec2>) {
        if self.corner_tex_coords.is_empty() {
            return;
        }
        let mut placed: HashMap<(u32, u32), u32> = HashMap::new();
        let (mut first_polygon, mut first) = (0, 0);
        for run in &self.runs {
            let end = self.ends[first_polygon..run.end as usize].last().map_or(first, |&end| end as usize);
            for index in self.corner_tex_coords[first..end].iter_mut().filter(|index| **index != NONE) {
                let tex_coords = &mut self.tex_coords;
                *index = *placed.entry((run.material, *index)).or_insert_with(|| match place(run.material, *index) {
                    None => *index,
                    Some(tex_coord) => {
                        tex_coords.push(tex_coord);
                        tex_coords.len() as u32 - 1
                    }
                });
            }
            (first_polygon, first) = (run.end as usize, end);
        }
    }

    /// The faults so far, to add more.
    pub fn warnings(&mut self) -> &mut Warnings {
        &mut self.warnings
    }

    /// Moves everything to local space, cuts the polygons, and makes the vertices. Without any material there is a default
    /// one.
    ///
    /// # Panics
    /// When a polygon refers to a position, texture coordinate, normal or material that was never added.
    pub fn finish(mut self, name: impl Into<String>, spawn: Option<Spawn>) -> Level {
        if self.placement.handedness == Handedness::Left {
            self.turn_winding();
        }
        let source_positions = self.positions.len();
        for position in &mut self.positions {
            *position = self.placement.to_level(*position);
        }
        let origin = local_origin(&self.positions);
        let positions: Vec<Vec3> = self.positions.iter().map(|&position| (position - origin).as_vec3()).collect();
        self.positions = Vec::new();
        let vertices = self.vertices(&positions);
        if self.materials.is_empty() && !self.runs.is_empty() {
            self.materials.push(Material::default());
        }
        let triangles = self.triangles(&positions, &vertices.of_corner);
        let corners = vertices.of_corner.iter().copied().zip(self.corner_positions.iter().copied());
        let tangents = tangents::placed(&self.tangents, &self.placement, corners, vertices.list.len());
        let lights = light::placed(&self.lights, &self.placement, origin);
        let mut level = Level {
            name: name.into(),
            vertices: vertices.list,
            tangents: Vec::new(),
            triangles,
            materials: self.materials,
            textures: self.textures,
            lights,
            origin,
            source_positions,
            spawn,
            warnings: self.warnings,
        };
        warn_unusable(&mut level);
        tangents::complete(&mut level, tangents);
        level
    }

    /// Turns each polygon round, its first corner staying first.
    fn turn_winding(&mut self) {
        let mut first = 0;
        for &end in &self.ends {
            let rest = first + 1..end as usize;
            for indices in [&mut self.corner_positions, &mut self.corner_tex_coords, &mut self.corner_normals] {
                if !indices.is_empty() {
                    indices[rest.clone()].reverse();
                }
            }
            first = end as usize;
        }
    }

    /// The unit normals in local space of the corners of polygons: those given, or else computed ones.
    fn unit_normals(&mut self, positions: &[Vec3]) -> CornerNormals {
        let mut given = std::mem::take(&mut self.normals);
        for normal in &mut given {
            let unit = self.placement.turn(normal.as_dvec3()).try_normalize();
            *normal = unit.map_or(Vec3::NAN, |normal| normal.as_vec3());
        }
        let of_corner = |&index: &u32| {
            if index == NONE { None } else { Some(given[index as usize]).filter(|normal| !normal.is_nan()) }
        };
        if !self.corner_normals.is_empty() && self.corner_normals.iter().all(|index| of_corner(index).is_some()) {
            return CornerNormals::Given(given);
        }
        let mut groups: Vec<u32> = Vec::with_capacity(self.ends.len());
        for run in &self.runs {
            groups.resize(run.end as usize, run.smoothing_group);
        }
        let mut computed = normals::smooth(positions, &self.corner_positions, &self.ends, &groups);
        for (normal, index) in computed.iter_mut().zip(&self.corner_normals) {
            *normal = of_corner(index).unwrap_or(*normal);
        }
        CornerNormals::OfEach(computed)
    }

    /// Makes each different corner a vertex. What corners have beside positions goes.
    fn vertices(&mut self, positions: &[Vec3]) -> CornerVertices {
        let normals = self.unit_normals(positions);
        let mut vertices = Vertices::new(positions.len());
        // Each index of a normal makes room for that of the vertex.
        let mut of_corner = std::mem::take(&mut self.corner_normals);
        of_corner.resize(self.corner_positions.len(), NONE);
        let tex_coords = std::mem::take(&mut self.corner_tex_coords);
        for (corner, vertex) in of_corner.iter_mut().enumerate() {
            let position = self.corner_positions[corner];
            let tex_coord = tex_coords.get(corner).copied().unwrap_or(NONE);
            let normal = match &normals {
                CornerNormals::Given(normals) => normals[*vertex as usize],
                CornerNormals::OfEach(normals) => normals[corner],
            };
            let tex_coord = if tex_coord == NONE { Vec2::ZERO } else { self.tex_coords[tex_coord as usize] };
            let color = self.colors.get(position as usize).copied().unwrap_or(WHITE);
            let wanted = Vertex { position: positions[position as usize], normal, tex_coord, color };
            *vertex = vertices.number(position, wanted);
        }
        CornerVertices { list: vertices.into_list(), of_corner }
    }

    /// Cuts the polygons in order.
    fn triangles(&mut self, positions: &[Vec3], vertex_of_corner: &[u32]) -> Vec<IndexedTriangle> {
        let mut triangulator = Triangulator::new();
        let mut triangles = Vec::with_capacity(vertex_of_corner.len() - 2 * self.ends.len());
        let (mut outline, mut cut): (Vec<Vec3>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
        let (mut first, mut face) = (0, 0);
        for &Run { end: end_of_run, material, .. } in &self.runs {
            while face < end_of_run {
                let end = self.ends[face as usize] as usize;
                let vertices = &vertex_of_corner[first..end];
                if let &[a, b, c] = vertices {
                    triangles.push(IndexedTriangle { vertices: [a, b, c], material, face });
                } else {
                    outline.clear();
                    let corners = &self.corner_positions[first..end];
                    outline.extend(corners.iter().map(|&position| positions[position as usize]));
                    cut.clear();
                    match triangulator.cut(&outline, &mut cut) {
                        Cut::Exact => {}
                        Cut::Doubtful => {
                            let what = "a polygon's outline crosses itself; cut as well as may be";
                            self.warnings.add(WarningKind::DoubtfulPolygon, what);
                        }
                        Cut::TooLong => {
                            let what = format!(
                                "a concave polygon of more than {MAX_CONCAVE} corners is cut as a fan, which may cover more; split it"
                            );
                            self.warnings.add(WarningKind::DoubtfulPolygon, what);
                        }
                    }
                    triangles.extend(cut.iter().map(|corners| IndexedTriangle {
                        vertices: corners.map(|corner| vertices[corner as usize]),
                        material,
                        face,
                    }));
                }
                first = end;
                face += 1;
            }
        }
        triangles
    }
}

/// Adds the index of a corner that so many corners stand before; nothing while there was none.
fn push_index(indices: &mut Vec<u32>, before: usize, index: Option<u32>) {
    if index.is_some() || !indices.is_empty() {
        indices.resize(before, NONE);
        indices.push(index.unwrap_or(NONE));
    }
}

/// Unit normals of the corners of polygons.
enum CornerNormals {
    /// By their indices, which every corner has.
    Given(Vec<Vec3>),
    /// By corner.
    OfEach(Vec<Vec3>),
}

/// Vertices, and which one each corner of the polygons is.
struct CornerVertices {
    list: Vec<Vertex>,
    of_corner: Vec<u32>,
}

/// Counts the triangles that no tree can hold.
pub(crate) fn warn_unusable(level: &mut Level) {
    let (mut degenerate, mut non_finite) = (0, 0);
    for triangle in 0..level.triangles.len() as u32 {
        let corners = level.corners(triangle);
        if !corners.iter().all(|corner| corner.is_finite()) {
            non_finite += 1;
        } else if !has_area(&corners) {
            degenerate += 1;
        }
    }
    let what = "triangles without an area are neither drawn nor met";
    level.warnings.add_many(WarningKind::DegenerateTriangle, what, degenerate);
    let what = "triangles with corners that are no finite numbers are neither drawn nor met";
    level.warnings.add_many(WarningKind::NonFiniteTriangle, what, non_finite);
}

/// The median of the finite positions, axis by axis, rounded to multiples of 64 m so that coordinates stay easy to compare.
/// The middle of their box would do as well but for a stray vertex far away, which must not cost all others their precision.
pub(crate) fn local_origin(positions: &[DVec3]) -> DVec3 {
    let mut values: Vec<f64> = Vec::with_capacity(positions.len());
    let median = [0, 1, 2].map(|axis| {
        values.clear();
        values.extend(positions.iter().filter(|position| position.is_finite()).map(|position| position[axis]));
        let middle = values.len() / 2;
        if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
    });
    // Adding 0 makes -0 the same as 0.
    (DVec3::from_array(median) / 64.0).round() * 64.0 + DVec3::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin_of(xs: &[f64]) -> f64 {
        local_origin(&xs.iter().map(|&x| DVec3::new(x, 0.0, 0.0)).collect::<Vec<_>>()).x
    }

    #[test]
    fn a_stray_vertex_does_not_move_the_origin() {
        assert_eq!(origin_of(&[4_500_000.0, 4_500_010.0, 4_500_020.0]), 4_499_968.0 + 64.0);
        assert_eq!(origin_of(&[-1.0, 2.0, 3.0, 1e30, f64::NAN]), 0.0);
        assert_eq!(origin_of(&[]), 0.0);
    }
}
