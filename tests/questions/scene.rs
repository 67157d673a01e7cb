//! A level, the trees over it, and what looking at every triangle says about it.

use std::fmt;
use std::str::FromStr;

use glam::{DVec3, Vec3};
use nodetree::geometry::Aabb;
use nodetree::tree::Tree;

use crate::support::brute::{self, Crossing};
use crate::support::contact;
use crate::support::levels::{self, KINDS, Kind};
use crate::support::pyramid::Pyramid;
use crate::support::{Random, trees};

/// Names a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Levels of one kind differ by it.
    pub round: u64,
    pub kind: Kind,
    /// Of at least 10 000 triangles.
    pub is_large: bool,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}/{:?}/{}", self.round, self.kind, if self.is_large { "large" } else { "small" })
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let wrong = || format!("{text:?} is not like 0/Terrain/large");
        let [round, kind, size] = text.split('/').collect::<Vec<_>>()[..] else { return Err(wrong()) };
        let kind = KINDS.into_iter().find(|known| format!("{known:?}") == kind).ok_or_else(wrong)?;
        let is_large = match size {
            "large" => true,
            "small" => false,
            _ => return Err(wrong()),
        };
        Ok(Place { round: round.parse().map_err(|_| wrong())?, kind, is_large })
    }
}

/// What questions are asked about.
pub struct Scene {
    pub kind: Kind,
    pub triangles: Vec<[Vec3; 3]>,
    /// Every mode and leaf preset on every kind of lanes.
    pub trees: Vec<Tree>,
    pub pyramid: Pyramid,
    /// Around all triangles but one that is far away.
    pub bounds: Aabb,
    /// The longest edge of the bounds.
    pub scale: f32,
}

impl Scene {
    pub fn new(place: &Place) -> Scene {
        let level = if place.is_large { levels::large_level } else { levels::level };
        let triangles = level(place.kind, place.round);
        assert!(triangles.len() >= if place.is_large { 10_000 } else { 100 });
        Scene::of(place.kind, trees(&triangles), triangles)
    }

    /// Triangles, of which at least one has area, and trees over them.
    pub fn of(kind: Kind, trees: Vec<Tree>, triangles: Vec<[Vec3; 3]>) -> Scene {
        let mut scene =
            Scene { kind, trees, pyramid: Pyramid::new(&triangles), bounds: Aabb::EMPTY, scale: 0.0, triangles };
        scene.bounds = Aabb::around(scene.targets().iter().flatten().copied());
        scene.scale = scene.bounds.size().max_element();
        scene
    }

    /// What to aim at: where one triangle is far away, the rest.
    pub fn targets(&self) -> &[[Vec3; 3]] {
        &self.triangles[..self.triangles.len() - usize::from(self.kind == Kind::OneFar)]
    }

    /// A point in the bounds.
    pub fn inside(&self, random: &mut Random) -> Vec3 {
        self.bounds.min + self.bounds.size() * Vec3::new(random.unit(), random.unit(), random.unit())
    }

    /// A point in the bounds or around them.
    pub fn anywhere(&self, random: &mut Random) -> Vec3 {
        self.inside(random) + random.vector(0.5 * self.scale)
    }

    /// [`brute::crossings`].
    pub fn crossings(&self, origin: DVec3, direction: DVec3) -> Vec<Crossing> {
        let mut found = Vec::new();
        self.pyramid.along(origin, direction, 0.0, f64::INFINITY, DVec3::ZERO, |number| {
            found.extend(brute::crossing(number, &self.triangles[number as usize], origin, direction));
        });
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.triangle.cmp(&b.triangle)));
        found
    }

    /// [`brute::heights`].
    pub fn heights(&self, x: f32, z: f32) -> Vec<f64> {
        let (point, mut found) = (DVec3::new(f64::from(x), 0.0, f64::from(z)), Vec::new());
        self.pyramid.along(point, DVec3::Y, f64::NEG_INFINITY, f64::INFINITY, DVec3::ZERO, |number| {
            found.extend(brute::height(&self.triangles[number as usize], x, z));
        });
        found.sort_by(|a, b| b.total_cmp(a));
        found
    }

    /// The nearest triangle and its distance, in the space in which lengths are divided by `radii`.
    pub fn nearest(&self, center: DVec3, radii: DVec3) -> (u32, f64) {
        let mut best = (u32::MAX, f64::INFINITY);
        self.pyramid.near(center, radii, f64::INFINITY, |number| {
            let distance = self.distance(number, center, radii);
            if distance < best.1 {
                best = (number, distance);
            }
            best.1
        });
        best
    }

    /// Every triangle at most `distance` away with its distance, in the space in which lengths are divided by `radii`.
    pub fn within(&self, center: DVec3, radii: DVec3, distance: f64) -> Vec<(u32, f64)> {
        let mut found = Vec::new();
        self.pyramid.near(center, radii, distance, |number| {
            let its = self.distance(number, center, radii);
            if its <= distance {
                found.push((number, its));
            }
            distance
        });
        found
    }

    /// How far a triangle is from a point, in the space in which lengths are divided by `radii`.
    pub fn distance(&self, number: u32, center: DVec3, radii: DVec3) -> f64 {
        contact::distance(DVec3::ZERO, self.in_unit_space(number, center, radii))
    }

    pub fn in_unit_space(&self, number: u32, center: DVec3, radii: DVec3) -> [DVec3; 3] {
        contact::to_unit(&self.triangles[number as usize], center, radii)
    }
}

/// A unit vector along an axis, with zeros of either sign.
pub fn axis(random: &mut Random) -> Vec3 {
    let zero = |random: &mut Random| *random.pick(&[0.0, -0.0]);
    let mut axis = Vec3::new(zero(random), zero(random), zero(random));
    axis[random.below(3)] = *random.pick(&[1.0, -1.0]);
    axis
}

/// Says something when what it lives in panics.
pub struct OnPanic<F: Fn() -> String>(pub F);

impl<F: Fn() -> String> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0());
        }
    }
}

/// Checks each tree, and says which one was wrong.
pub fn for_each_tree(trees: &[Tree], mut check: impl FnMut(&Tree)) {
    for tree in trees {
        let _which = OnPanic(|| format!("with {:?} on {:?}", tree.settings(), tree.simd()));
        check(tree);
    }
}
