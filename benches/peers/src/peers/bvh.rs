//! bvh: a binary tree over shapes that the caller keeps and tests.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::ray::Ray;
use glam::Vec3;
use nalgebra::{Point3, Vector3};

use crate::answer::{Answer, Cast};
use crate::building::BuildTime;
use crate::scene::Scene;

pub struct Bvh {
    tree: bvh::bvh::Bvh<f32, 3>,
    shapes: Vec<Shape>,
}

struct Shape {
    corners: [Point3<f32>; 3],
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> Aabb<f32, 3> {
        let [a, b, c] = self.corners;
        Aabb::with_bounds(a.inf(&b).inf(&c), a.sup(&b).sup(&c))
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl Bvh {
    pub fn build(scene: &Scene, time: &mut BuildTime) -> Bvh {
        let mut shapes: Vec<Shape> =
            scene.triangles().map(|corners| Shape { corners: corners.map(point), node: 0 }).collect();
        let tree = time.of(|| bvh::bvh::Bvh::build(&mut shapes));
        Bvh { tree, shapes }
    }
}

fn point(from: Vec3) -> Point3<f32> {
    Point3::from(from.to_array())
}

impl Answer<Cast> for Bvh {
    fn one(&self, cast: &Cast) -> Option<f32> {
        let ray = Ray::new(point(cast.origin), Vector3::from(cast.direction.to_array()));
        // Every shape whose box the ray meets. Its iterator from near to far, left at the first box behind a hit, took longer in
        // three of four kinds of ray.
        let hits = self.tree.traverse_iterator(&ray, &self.shapes).map(|shape| {
            let [a, b, c] = &shape.corners;
            // Its test sees front faces only.
            ray.intersects_triangle(a, b, c).distance.min(ray.intersects_triangle(a, c, b).distance)
        });
        let nearest = hits.fold(f32::INFINITY, f32::min);
        nearest.is_finite().then_some(nearest)
    }
}
