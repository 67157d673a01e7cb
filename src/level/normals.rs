//! Normals for corners that have none: the normals of the faces around, weighted by area and angle, within a smoothing group
//! and below a crease angle.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::triangulate::newell;

/// Cosine of the crease angle, 60 degrees: across sharper edges nothing is smoothed. Less a little, so that 60 itself is.
const CREASE: f32 = 0.5 - 1e-6;

/// Corners at one point up to which each is compared with each.
const FEW: usize = 64;

/// The smoothed normals of all corners: unit length, [`Vec3::Y`] where nothing around has an area. `position_of` gives each
/// corner's index into `positions`; the corners of a face end where `ends` says, and begin where those of the one before end. Its
/// smoothing group is in `groups`; 0 is flat. Positions at the same place count as one.
///
/// Weights by Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998, times the face's area.
pub(super) fn smooth(positions: &[Vec3], position_of: &[u32], ends: &[u32], groups: &[u32]) -> Vec<Vec3> {
    let faces = Faces::new(positions, position_of, ends, groups);
    let around = Around::new(positions, position_of);
    let mut normals: Vec<Vec3> = (0..position_of.len() as u32)
        .into_par_iter()
        .map(|corner| {
            let group = faces.group_of(corner);
            let corners = around.corners(position_of[corner as usize]);
            if group == 0 || corners.len() > FEW {
                return faces.normal_of(corner).try_normalize().unwrap_or(Vec3::Y);
            }
            let own = faces.normal_of(corner);
            let sum = corners
                .iter()
                .filter(|&&other| faces.group_of(other) == group && faces.normal_of(other).dot(own) >= CREASE)
                .fold(DVec3::ZERO, |sum, &other| sum + faces.weighted(other));
            unit(sum, own)
        })
        .collect();
    for corners in around.lists().filter(|corners| corners.len() > FEW) {
        smooth_many(&faces, corners, &mut normals);
    }
    normals
}

fn unit(sum: DVec3, own: Vec3) -> Vec3 {
    sum.try_normalize().map(DVec3::as_vec3).or(own.try_normalize()).unwrap_or(Vec3::Y)
}

/// The same for a point where very many corners meet, as at the tip of a fine cone: corners of nearly one direction count
/// as one, which bounds the work.
fn smooth_many(faces: &Faces, corners: &[u32], normals: &mut [Vec3]) {
    let key = |corner: u32| (faces.group_of(corner), (faces.normal_of(corner) * 8.0).round().as_ivec3().to_array());
    let mut bundles: BTreeMap<(u32, [i32; 3]), (DVec3, DVec3)> = BTreeMap::new();
    for &corner in corners.iter().filter(|&&corner| faces.group_of(corner) != 0) {
        let (sum, direction) = bundles.entry(key(corner)).or_default();
        *sum += faces.weighted(corner);
        *direction += faces.normal_of(corner).as_dvec3();
    }
    let mut smoothed: BTreeMap<(u32, [i32; 3]), Vec3> = BTreeMap::new();
    for (&(group, cell), (_, own)) in &bundles {
        let own = own.normalize_or_zero();
        let same_group = bundles.range((group, [i32::MIN; 3])..=(group, [i32::MAX; 3]));
        let sum = same_group
            .filter(|(_, (_, direction))| direction.normalize_or_zero().dot(own) >= f64::from(CREASE))
            .fold(DVec3::ZERO, |sum, (_, (weighted, _))| sum + *weighted);
        smoothed.insert((group, cell), unit(sum, own.as_vec3()));
    }
    for &corner in corners {
        if let Some(normal) = smoothed.get(&key(corner)) {
            normals[corner as usize] = *normal;
        }
    }
}

/// What each face gives to its corners.
struct Faces<'a> {
    /// The smoothing group of each.
    groups: &'a [u32],
    /// Unit normals; zero for faces without an area.
    normals: Vec<Vec3>,
    /// The face of each corner.
    face_of: Vec<u32>,
    /// Area times angle of each corner.
    weights: Vec<f32>,
}

impl<'a> Faces<'a> {
    fn new(positions: &[Vec3], position_of: &[u32], ends: &[u32], groups: &'a [u32]) -> Faces<'a> {
        let mut faces = Faces {
            groups,
            normals: Vec::with_capacity(ends.len()),
            face_of: Vec::with_capacity(position_of.len()),
            weights: Vec::with_capacity(position_of.len()),
        };
        let mut first = 0;
        for (face, &end) in ends.iter().enumerate() {
            let corners = &position_of[first..end as usize];
            first = end as usize;
            let at = |i: usize| positions[corners[i % corners.len()] as usize];
            let normal = newell((0..corners.len()).map(at));
            let (normal, area) = if normal.is_finite() {
                (normal.normalize_or_zero(), 0.5 * normal.length())
            } else {
                (DVec3::ZERO, 0.0)
            };
            faces.normals.push(normal.as_vec3());
            for i in 0..corners.len() {
                let [before, corner, after] = [i + corners.len() - 1, i, i + 1].map(|i| at(i).as_dvec3());
                let (to_next, to_before) = (after - corner, before - corner);
                let turn = to_next.cross(to_before);
                let angle = libm::atan2(turn.length(), to_next.dot(to_before));
                // Corners that bend inwards.
                let angle = if turn.dot(normal) < 0.0 { std::f64::consts::TAU - angle } else { angle };
                let weight = angle * area;
                faces.weights.push(if weight.is_finite() { weight as f32 } else { 0.0 });
                faces.face_of.push(face as u32);
            }
        }
        faces
    }

    fn group_of(&self, corner: u32) -> u32 {
        self.groups[self.face_of[corner as usize] as usize]
    }

    fn normal_of(&self, corner: u32) -> Vec3 {
        self.normals[self.face_of[corner as usize] as usize]
    }

    fn weighted(&self, corner: u32) -> DVec3 {
        self.normal_of(corner).as_dvec3() * f64::from(self.weights[corner as usize])
    }
}

/// Which corners lie at the same place.
struct Around {
    /// The place of each position.
    place_of: Vec<u32>,
    /// Where the corners of each place begin, and one more for the end.
    starts: Vec<u32>,
    /// Corners by place, ascending within one.
    corners: Vec<u32>,
}

impl Around {
    fn new(positions: &[Vec3], position_of: &[u32]) -> Around {
        // Adding 0 makes -0 the same as 0.
        let key = |position: u32| (positions[position as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        order.par_sort_unstable_by_key(|&position| (key(position), position));
        let mut place_of = vec![0; positions.len()];
        let mut places = 0;
        for (i, &position) in order.iter().enumerate() {
            places += u32::from(i == 0 || key(order[i - 1]) != key(position));
            place_of[position as usize] = places - 1;
        }
        let mut starts = vec![0; places as usize + 1];
        for &position in position_of {
            starts[place_of[position as usize] as usize + 1] += 1;
        }
        for place in 0..places as usize {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut corners = vec![0; position_of.len()];
        for (corner, &position) in position_of.iter().enumerate() {
            let slot = &mut next[place_of[position as usize] as usize];
            corners[*slot as usize] = corner as u32;
            *slot += 1;
        }
        Around { place_of, starts, corners }
    }

    /// The corners at the place of a position.
    fn corners(&self, position: u32) -> &[u32] {
        self.list(self.place_of[position as usize] as usize)
    }

    fn list(&self, place: usize) -> &[u32] {
        &self.corners[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    fn lists(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.starts.len() - 1).map(|place| self.list(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Normals of triangles given by positions, all in one smoothing group.
    fn of_triangles(triangles: &[[[f32; 3]; 3]]) -> Vec<Vec3> {
        let positions: Vec<Vec3> = triangles.iter().flatten().map(|&position| Vec3::from(position)).collect();
        let corners: Vec<u32> = (0..positions.len() as u32).collect();
        let ends: Vec<u32> = (1..=triangles.len() as u32).map(|n| 3 * n).collect();
        smooth(&positions, &corners, &ends, &vec![1; triangles.len()])
    }

    const O: [f32; 3] = [0.0; 3];

    #[test]
    fn faces_count_by_area_and_angle() {
        // At the origin: a right angle of area 0.5 that faces +Z, and 45 degrees of area 4 tilted by 45 degrees.
        let slope = 0.5_f32.sqrt();
        let flat = [O, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let tilted = [O, [4.0 * slope, 0.0, -4.0 * slope], [2.0 * slope, 2.0, -2.0 * slope]];
        let normal = of_triangles(&[flat, tilted])[0];
        let quarter = std::f32::consts::FRAC_PI_2;
        let wanted = Vec3::Z * 0.5 * quarter + Vec3::new(slope, 0.0, slope) * 4.0 * (quarter / 2.0);
        assert!(normal.abs_diff_eq(wanted.normalize(), 1e-6), "{normal} {wanted}");
    }

    #[test]
    fn a_cube_stays_sharp_and_a_flat_seam_smooth() {
        let cube = [
            [O, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            [O, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [O, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        ];
        let normals = of_triangles(&cube);
        assert_eq!([normals[0], normals[3], normals[6]], [Vec3::Z, Vec3::X, Vec3::Y]);
        // The two sides of a leaf do not cancel each other.
        let leaf = [[O, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [O, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]];
        let normals = of_triangles(&leaf);
        assert_eq!([normals[0], normals[3]], [Vec3::Z, Vec3::NEG_Z]);
    }

    #[test]
    fn faces_without_an_area_give_nothing_and_get_something() {
        let nan = [f32::NAN, 0.0, 0.0];
        let normals = of_triangles(&[[O, O, O], [O, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [O, nan, [1.0, 0.0, 0.0]]]);
        assert!(normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-6), "{normals:?}");
        assert_eq!(normals[3..6], [Vec3::Z; 3]);
    }

    #[test]
    fn many_corners_at_one_point_agree_with_few() {
        // Up and down the tip of a flat cone, once with each corner compared with each, once bundled.
        let cone = |count: usize| {
            let at = |i: usize| {
                let (sin, cos) = (i as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
                [cos, -0.5, -sin]
            };
            of_triangles(&(0..count).map(|i| [O, at(i), at(i + 1)]).collect::<Vec<_>>())
        };
        for count in [FEW, FEW + 1, 20 * FEW] {
            let normals = cone(count);
            assert!(normals.iter().step_by(3).all(|normal| normal.dot(Vec3::Y) > 0.999), "{count}");
        }
    }
}
