//! What a level designer wants to know of a mesh before it goes into an engine.

use std::collections::HashSet;

use glam::Vec3;
use rayon::prelude::*;

use super::Level;

/// What was found in a level. Corners are the same where their positions are equal to the bit; triangles without an area or with
/// corners that are not finite are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// Triangles that have the corners of another one with a lower number, whichever way round.
    pub duplicate_triangles: u64,
    /// Edges that only one triangle has: holes, rims, T-junctions, and the borders of what is meant to be open.
    pub open_edges: u64,
    /// Edges along which two neighbours run the same way: the fronts of the two show to different sides.
    pub turned_edges: u64,
    /// Edges that more than two triangles have.
    pub crowded_edges: u64,
    /// Materials that no triangle has, by index.
    pub unused_materials: Vec<u32>,
    /// Materials whose picture could not be read, by index.
    pub untextured_materials: Vec<u32>,
    /// Bytes in memory: vertices and triangles.
    pub mesh_bytes: u64,
    /// Bytes in memory: pictures, without the smaller copies that drawing adds.
    pub texture_bytes: u64,
}

impl Level {
    /// Looks for what is often wrong with a mesh.
    ///
    /// Cost: a sort of its edges, on all cores, and 24 bytes an edge while it lasts.
    pub fn inspect(&self) -> Inspection {
        let places = self.places();
        let triangles: Vec<[u32; 3]> = (0..self.triangles.len())
            .into_par_iter()
            .filter(|&number| crate::geometry::has_area(&self.corners(number as u32)))
            .map(|number| self.triangles[number].vertices.map(|vertex| places[vertex as usize]))
            .collect();
        let mut sorted: Vec<[u32; 3]> = triangles.clone();
        sorted.par_iter_mut().for_each(|corners| corners.sort_unstable());
        sorted.par_sort_unstable();
        let duplicate_triangles = sorted.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        drop(sorted);

        let mut inspection = Inspection { duplicate_triangles, ..Inspection::default() };
        self.count_edges(&triangles, &mut inspection);
        self.look_at_materials(&mut inspection);
        inspection.mesh_bytes = (size_of_val(&self.vertices[..])
            + size_of_val(&self.tangents[..])
            + size_of_val(&self.triangles[..])) as u64;
        inspection.texture_bytes = self.textures.iter().map(|texture| texture.rgba.len() as u64).sum();
        inspection
    }

    /// For each vertex the first one at its position.
    fn places(&self) -> Vec<u32> {
        // Adding 0 makes -0 the same as 0.
        let key = |vertex: u32| (self.vertices[vertex as usize].position + Vec3::ZERO).to_array().map(f32::to_bits);
        let mut order: Vec<u32> = (0..self.vertices.len() as u32).collect();
        order.par_sort_unstable_by_key(|&vertex| (key(vertex), vertex));
        let mut places = vec![0; self.vertices.len()];
        for run in order.chunk_by(|&a, &b| key(a) == key(b)) {
            run.iter().for_each(|&vertex| places[vertex as usize] = run[0]);
        }
        places
    }

    fn count_edges(&self, triangles: &[[u32; 3]], inspection: &mut Inspection) {
        // The ends in order, and whether the triangle runs from the first to the second.
        let mut edges: Vec<(u32, u32, bool)> = triangles
            .par_iter()
            .flat_map_iter(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .map(|(from, to)| (from.min(to), from.max(to), from < to))
            .collect();
        edges.par_sort_unstable();
        for edge in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            match edge {
                [_] => inspection.open_edges += 1,
                [one, other] => inspection.turned_edges += u64::from(one.2 == other.2),
                _ => inspection.crowded_edges += 1,
            }
        }
    }

    fn look_at_materials(&self, inspection: &mut Inspection) {
        let used: HashSet<u32> = self.triangles.iter().map(|triangle| triangle.material).collect();
        let which =
            |is_so: &dyn Fn(u32) -> bool| (0..self.materials.len() as u32).filter(|&index| is_so(index)).collect();
        inspection.unused_materials = which(&|index| !used.contains(&index));
        inspection.untextured_materials = which(&|index| {
            let material = &self.materials[index as usize];
            material.texture.is_none() && material.texture_path.is_some()
        });
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::level::{Corner, LevelBuilder, Material, Placement};

    fn level(positions: &[[f64; 3]], faces: &[&[u32]]) -> Level {
        let mut builder = LevelBuilder::new(Placement::default());
        builder.material(Material::default());
        positions.iter().for_each(|&position| {
            builder.position(DVec3::from_array(position));
        });
        for face in faces {
            let corner = |&position: &u32| Corner { position, tex_coord: None, normal: None };
            builder.polygon(&face.iter().map(corner).collect::<Vec<_>>(), 0, 0);
        }
        builder.finish("made", None)
    }

    const CUBE: [[f64; 3]; 8] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 0.0, 1.0],
        [0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];
    const SIDES: [&[u32]; 6] =
        [&[0, 1, 2, 3], &[7, 6, 5, 4], &[4, 5, 1, 0], &[5, 6, 2, 1], &[6, 7, 3, 2], &[7, 4, 0, 3]];

    #[test]
    fn a_closed_cube_has_nothing_wrong() {
        let found = level(&CUBE, &SIDES).inspect();
        let counts = [found.duplicate_triangles, found.open_edges, found.turned_edges, found.crowded_edges];
        assert_eq!(counts, [0; 4]);
        assert!(found.unused_materials.is_empty() && found.untextured_materials.is_empty());
    }

    #[test]
    fn each_fault_is_counted() {
        let open = level(&CUBE, &SIDES[..5]).inspect();
        assert_eq!((open.open_edges, open.turned_edges), (4, 0));
        let mut turned = SIDES;
        turned[0] = &[3, 2, 1, 0];
        let turned = level(&CUBE, &turned).inspect();
        assert_eq!((turned.open_edges, turned.turned_edges), (0, 4));
        let again: Vec<&[u32]> = SIDES.into_iter().chain([SIDES[0]]).collect();
        let doubled = level(&CUBE, &again).inspect();
        // Its four edges and the diagonal, which four triangles have.
        assert_eq!((doubled.duplicate_triangles, doubled.crowded_edges), (2, 5));
        assert_eq!(doubled.turned_edges + doubled.open_edges, 0);
    }

    #[test]
    fn equal_positions_are_one_corner() {
        let mut positions = CUBE.to_vec();
        positions.extend(CUBE);
        positions[8] = [-0.0, 0.0, -0.0];
        let sides: Vec<Vec<u32>> = SIDES.iter().map(|side| side.to_vec()).collect();
        let moved: Vec<u32> = SIDES[0].iter().map(|corner| corner + 8).collect();
        let mut sides: Vec<&[u32]> = sides.iter().map(Vec::as_slice).collect();
        sides[0] = &moved;
        assert_eq!(level(&positions, &sides).inspect().open_edges, 0);
    }

    #[test]
    fn materials_without_use_or_picture_are_named() {
        let mut found = level(&CUBE, &SIDES);
        found.materials.push(Material { texture_path: Some("gone.png".into()), ..Material::default() });
        let found = found.inspect();
        assert_eq!((found.unused_materials, found.untextured_materials), (vec![1], vec![1]));
        assert_eq!(found.texture_bytes, 0);
        assert!(found.mesh_bytes > 0);
    }
}
