//! Models to make props and balls of, each a level of its own around the origin.

use glam::DVec3;

use super::mesh::Mesh;
use super::parts;
use crate::level::{Corner, Level, LevelBuilder, Material, Placement, Spawn};

/// A barrel of 0.76 m across and 1 m high that stands on the origin.
pub fn barrel() -> Level {
    let mut mesh = Mesh::new();
    parts::barrel(&mut mesh, DVec3::ZERO, 0.38, 1.0);
    mesh.finish("builtin:barrel", Spawn { feet: DVec3::ZERO, yaw: 0.0 })
}

/// How often the twenty faces of a ball are cut into four.
const CUTS: usize = 2;
/// The colours of a ball's sectors, sRGB: it is seen to roll.
const COLORS: [[u8; 4]; 2] = [[214, 64, 48, 255], [240, 232, 214, 255]];

/// A ball of radius 1 around the origin in two colours: an icosahedron whose faces are cut into four twice.
pub fn ball() -> Level {
    let mut builder = LevelBuilder::new(Placement::default());
    let material = builder.material(Material { name: "ball".to_owned(), ..Material::default() });
    for corners in icosphere() {
        let middle = corners.iter().sum::<DVec3>();
        let sector = usize::from(middle.x * middle.y * middle.z > 0.0);
        let corners = corners.map(|corner| Corner {
            position: builder.colored_position(corner, COLORS[sector]),
            tex_coord: None,
            normal: Some(builder.normal(corner.as_vec3())),
        });
        builder.polygon(&corners, material, 0);
    }
    builder.finish("builtin:ball", None)
}

/// Triangles of the unit sphere, counter-clockwise from outside.
pub(crate) fn icosphere() -> Vec<[DVec3; 3]> {
    // The corners of an icosahedron are those of three golden rectangles.
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let corners: Vec<DVec3> = [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)]
        .into_iter()
        .flat_map(|(short, long)| {
            [DVec3::new(short, long, 0.0), DVec3::new(0.0, short, long), DVec3::new(long, 0.0, short)]
        })
        .collect();
    let mut faces = Vec::new();
    for (i, a) in corners.iter().enumerate() {
        for (j, b) in corners.iter().enumerate().skip(i + 1) {
            for c in &corners[j + 1..] {
                // Edges are 2 long, everything else is longer.
                if [(a, b), (b, c), (c, a)].iter().all(|(from, to)| from.distance_squared(**to) < 4.1) {
                    let is_outward = (b - a).cross(c - a).dot(*a) > 0.0;
                    faces.push(if is_outward { [*a, *b, *c] } else { [*a, *c, *b] });
                }
            }
        }
    }
    for _ in 0..CUTS {
        let cut = |[a, b, c]: [DVec3; 3]| {
            let [ab, bc, ca] = [a + b, b + c, c + a].map(|sum| sum.normalize() * a.length());
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        faces = faces.into_iter().flat_map(cut).collect();
    }
    faces.into_iter().map(|face| face.map(DVec3::normalize)).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn a_ball_is_round_and_closed() {
        let ball = ball();
        assert_eq!(ball.triangles.len(), 20 * 16);
        assert_eq!(ball.origin, DVec3::ZERO);
        let mut volume = 0.0;
        for triangle in 0..ball.triangles.len() as u32 {
            let [a, b, c] = ball.corners(triangle);
            assert!([a, b, c].iter().all(|corner| (corner.length() - 1.0).abs() < 1e-6));
            volume += a.cross(b).dot(c) / 6.0;
        }
        // Of the ball that it is cut from, less what is cut off.
        assert!((3.9..4.189).contains(&volume), "{volume}");
        assert!(ball.vertices.iter().all(|vertex| vertex.normal.distance(vertex.position) < 1e-5));
    }

    #[test]
    fn a_barrel_stands_on_the_origin() {
        let bounds = barrel().bounds();
        assert!(bounds.min.y.abs() < 0.01 && (bounds.max.y - 1.0).abs() < 0.05, "{bounds:?}");
        assert!((bounds.center() * Vec3::new(1.0, 0.0, 1.0)).length() < 0.02, "{bounds:?}");
    }
}
