//! Culling on real levels: 1 000 random frusta each, against a loop over all triangles in f64.

use glam::{DVec3, Vec3};
use libtest_mimic::{Failed, Trial};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::generate;
use nodetree::geometry::{Aabb, Frustum};
use nodetree::level::Level;
use nodetree::tree::{Mode, Settings, Tree};

mod data;
mod support;
use support::Random;

const SEED: u64 = 20;
const FRUSTA: usize = 1000;
/// In the median at most this many times the needed triangles are drawn.
const GREATEST_RATIO: f64 = 1.3;

fn main() {
    let trials =
        data::LEVELS.map(|name| Trial::test(format!("culling_{name}"), move || cull(&data::level(name).open())));
    let castle = Trial::test("culling_castle", || cull(&generate::castle(&generate::Options::CASTLE)));
    data::run_with(vec![castle], trials.into_iter().collect()).exit();
}

fn cull(level: &Level) -> Result<(), Failed> {
    let corners: Vec<[Vec3; 3]> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let bounds: Vec<Aabb> = corners.iter().map(|corners| Aabb::around(*corners)).collect();
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(level, &Settings::new(mode));
        let mut list = DrawList::new();
        let mut seen = vec![u32::MAX; corners.len()];
        let (mut ratios, mut draws) = (Vec::new(), Vec::new());
        let random = &mut Random::new(SEED);
        for pose in 0..FRUSTA as u32 {
            let frustum = frustum(random, &tree.bounds());
            list.cull(&tree, &frustum);
            for range in list.ranges() {
                for &number in &tree.groups().triangles()[range.first as usize..][..range.count as usize] {
                    if std::mem::replace(&mut seen[number as usize], pose) == pose {
                        return Err(format!("{mode:?}, pose {pose}: triangle {number} is drawn twice").into());
                    }
                    if level.triangles[number as usize].material != range.material {
                        return Err(format!("{mode:?}, pose {pose}: triangle {number} in another's range").into());
                    }
                }
            }
            let mut needed = 0;
            for (number, _) in tree.triangles() {
                if touches(&frustum, &bounds[number as usize]) {
                    needed += 1;
                    if seen[number as usize] != pose {
                        return Err(format!("{mode:?}, pose {pose}: triangle {number} is missing").into());
                    }
                }
            }
            if needed > 0 {
                ratios.push(f64::from(list.statistics().triangles) / f64::from(needed));
                draws.push(list.ranges().len() as f64 / f64::from(list.statistics().materials));
            }
        }
        let (ratio, draws) = (median(&mut ratios), median(&mut draws));
        println!("{} {mode:?}: {ratio:.3} times the needed, {draws:.1} draws a material, seed {SEED}", level.name);
        if ratio > GREATEST_RATIO {
            return Err(format!("{mode:?}: {ratio:.3} times the needed triangles are drawn in the median").into());
        }
    }
    Ok(())
}

/// A view from inside the level's box; half of them reach to infinity.
fn frustum(random: &mut Random, bounds: &Aabb) -> Frustum {
    let eye = Vec3::from_array([0, 1, 2].map(|axis| random.range(bounds.min[axis], bounds.max[axis])));
    let view_distance = (random.range(0.0, 1.0) < 0.5).then(|| random.range(0.1, 0.8) * bounds.size().length());
    let camera = Camera {
        eye,
        yaw: random.range(-3.2, 3.2),
        pitch: random.range(-0.7, 0.7),
        view_distance,
        ..Camera::default()
    };
    Frustum::from_clip_from_world(camera.clip_from_world())
}

/// Whether the box is not wholly outside one of the planes, in f64.
fn touches(frustum: &Frustum, bounds: &Aabb) -> bool {
    frustum.planes().iter().all(|plane| {
        let normal = plane.normal.as_dvec3();
        let farthest =
            std::array::from_fn(|axis| f64::from(if normal[axis] < 0.0 { bounds.min[axis] } else { bounds.max[axis] }));
        normal.dot(DVec3::from_array(farthest)) + f64::from(plane.distance) >= 0.0
    })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
