//! Straight stairs.

use glam::{DVec3, dvec3};

use crate::generate::mesh::Mesh;
use crate::generate::surface::Surface;

/// A straight flight that rises towards -Z from the frame's origin, `width` wide about the Y axis.
#[derive(Clone, Copy, Debug)]
pub struct Stairs {
    pub width: f64,
    pub steps: usize,
    pub rise: f64,
    pub run: f64,
    pub tread: Surface,
    pub side: Surface,
    /// Thickness under the steps of a flight that one can walk under; `None` for one that stands on the ground.
    pub thickness: Option<f64>,
}

/// Builds a flight.
pub fn stairs(mesh: &mut Mesh, flight: &Stairs) {
    let half = flight.width / 2.0;
    let (length, height) = (flight.steps as f64 * flight.run, flight.steps as f64 * flight.rise);
    let slope = flight.rise / flight.run;
    // The lower edge of the sides at a distance from the start.
    let under = |out: f64| match flight.thickness {
        Some(thickness) => (out * slope - thickness).max(0.0),
        None => 0.0,
    };
    // Where the underside leaves the floor.
    let lift = flight.thickness.map_or(length, |thickness| thickness / slope);
    for i in 0..flight.steps {
        let (front, back) = (i as f64 * flight.run, (i + 1) as f64 * flight.run);
        let (low, high) = (i as f64 * flight.rise, (i + 1) as f64 * flight.rise);
        mesh.flat(
            flight.side,
            &[
                dvec3(-half, low, -front),
                dvec3(half, low, -front),
                dvec3(half, high, -front),
                dvec3(-half, high, -front),
            ],
        );
        mesh.flat(
            flight.tread,
            &[
                dvec3(-half, high, -front),
                dvec3(half, high, -front),
                dvec3(half, high, -back),
                dvec3(-half, high, -back),
            ],
        );
        for x in [-half, half] {
            let mut corners = vec![dvec3(x, under(front), -front)];
            if lift > front + 1e-6 && lift < back - 1e-6 {
                corners.push(dvec3(x, 0.0, -lift));
            }
            corners.extend([dvec3(x, under(back), -back), dvec3(x, high, -back), dvec3(x, high, -front)]);
            if x < 0.0 {
                corners.reverse();
            }
            mesh.flat(flight.side, &corners);
        }
    }
    let back = |low: f64| -> [DVec3; 4] {
        [
            dvec3(half, low, -length),
            dvec3(-half, low, -length),
            dvec3(-half, height, -length),
            dvec3(half, height, -length),
        ]
    };
    mesh.flat(flight.side, &back(under(length)));
    if flight.thickness.is_some() {
        mesh.flat(
            flight.side,
            &[
                dvec3(-half, under(length), -length),
                dvec3(half, under(length), -length),
                dvec3(half, 0.0, -lift),
                dvec3(-half, 0.0, -lift),
            ],
        );
    }
}
