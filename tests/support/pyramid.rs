//! Which triangles a line, a moving body or a ball may meet: those whose boxes it comes near. Boxes around eight triangles,
//! boxes around eight boxes and so on; f64, no order, and margins far beyond any rounding, so that it is plainly right.

use glam::{DVec3, Vec3};

use super::brute;

/// A closed box.
#[derive(Clone, Copy, Debug)]
struct Cuboid {
    min: DVec3,
    max: DVec3,
}

impl Cuboid {
    fn around(&self, other: &Cuboid) -> Cuboid {
        Cuboid { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Made larger on all sides by `pad`, and by much more than f64 rounds at that place and at `other`.
    fn padded(&self, pad: DVec3, other: DVec3) -> Cuboid {
        let greatest = self.min.abs().max(self.max.abs()).max(other.abs()).max_element();
        let pad = pad + 1e-9 * greatest;
        Cuboid { min: self.min - pad, max: self.max + pad }
    }

    /// Whether a point of the line `origin + t * way` with t from `from` to `to` lies in it.
    fn meets(&self, origin: DVec3, way: DVec3, from: f64, to: f64) -> bool {
        let (mut near, mut far) = (from, to);
        for axis in 0..3 {
            let (low, high) = (self.min[axis] - origin[axis], self.max[axis] - origin[axis]);
            if way[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
            } else {
                let (one, other) = (low / way[axis], high / way[axis]);
                near = near.max(one.min(other));
                far = far.min(one.max(other));
            }
        }
        near <= far + 1e-9 * far.abs() + 1e-9
    }

    /// A distance that no point of it is nearer than, in the space in which lengths are divided by `radii`.
    fn least_distance(&self, point: DVec3, radii: DVec3) -> f64 {
        let outside = (self.min - point).max(point - self.max).max(DVec3::ZERO);
        (outside / radii).length() * (1.0 - 1e-9)
    }
}

/// The boxes. Triangles without area are in none.
pub struct Pyramid {
    /// Triangles whose neighbours are near in space.
    order: Vec<u32>,
    /// Boxes of the triangles in that order, boxes of each eight of those, and so on to the last few.
    levels: Vec<Vec<Cuboid>>,
}

const EIGHT: usize = 8;

impl Pyramid {
    pub fn new(triangles: &[[Vec3; 3]]) -> Pyramid {
        let cuboid = |number: u32| {
            let [a, b, c] = triangles[number as usize].map(|corner| corner.as_dvec3());
            Cuboid { min: a.min(b).min(c), max: a.max(b).max(c) }
        };
        let mut order: Vec<u32> =
            (0..triangles.len() as u32).filter(|&number| brute::has_area(&triangles[number as usize])).collect();
        sort(&mut order, &|number| cuboid(number).min + cuboid(number).max, 0);
        let mut levels = vec![order.iter().map(|&number| cuboid(number)).collect::<Vec<_>>()];
        while levels[levels.len() - 1].len() > EIGHT {
            let below = &levels[levels.len() - 1];
            let join = |few: &[Cuboid]| few[1..].iter().fold(few[0], |all, one| all.around(one));
            levels.push(below.chunks(EIGHT).map(join).collect());
        }
        Pyramid { order, levels }
    }

    /// All triangles, those near each other together.
    pub fn triangles(&self) -> &[u32] {
        &self.order
    }

    /// Every triangle that may come within `pad` of the line `origin + t * way` with t from `from` to `to`.
    pub fn along(&self, origin: DVec3, way: DVec3, from: f64, to: f64, pad: DVec3, found: impl FnMut(u32)) {
        self.visit(|cuboid| cuboid.padded(pad, origin).meets(origin, way, from, to), found);
    }

    /// Every triangle that may be within a distance of a point, in the space in which lengths are divided by `radii`. `found` gives the
    /// distance to go on with.
    pub fn near(&self, point: DVec3, radii: DVec3, distance: f64, mut found: impl FnMut(u32) -> f64) {
        let within = std::cell::Cell::new(distance);
        self.visit(
            |cuboid| cuboid.padded(DVec3::ZERO, point).least_distance(point, radii) <= within.get(),
            |number| within.set(found(number)),
        );
    }

    fn visit(&self, may: impl Fn(&Cuboid) -> bool, mut found: impl FnMut(u32)) {
        let top = self.levels.len() - 1;
        self.descend(top, 0..self.levels[top].len(), &may, &mut found);
    }

    fn descend(
        &self,
        level: usize,
        range: std::ops::Range<usize>,
        may: &impl Fn(&Cuboid) -> bool,
        found: &mut impl FnMut(u32),
    ) {
        for index in range {
            if may(&self.levels[level][index]) {
                match level.checked_sub(1) {
                    None => found(self.order[index]),
                    Some(below) => {
                        let end = self.levels[below].len().min(EIGHT * (index + 1));
                        self.descend(below, EIGHT * index..end, may, found);
                    }
                }
            }
        }
    }
}

/// Halves along one axis after the other.
fn sort(order: &mut [u32], center: &impl Fn(u32) -> DVec3, axis: usize) {
    if order.len() > EIGHT {
        let half = (order.len() / 2).next_multiple_of(EIGHT);
        order.select_nth_unstable_by(half - 1, |&a, &b| center(a)[axis].total_cmp(&center(b)[axis]));
        let (one, other) = order.split_at_mut(half);
        sort(one, center, (axis + 1) % 3);
        sort(other, center, (axis + 1) % 3);
    }
}
