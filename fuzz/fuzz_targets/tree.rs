//! Any triangles, split in any way: the build ends, the tree is sound, and culling draws nothing twice.
#![no_main]

use glam::Vec3;
use libfuzzer_sys::fuzz_target;
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::tree::{Mode, Settings, Tree};

fuzz_target!(|bytes: &[u8]| {
    let Some((&[flags, leaf, size, repeat], rest)) = bytes.split_first_chunk::<4>() else { return };
    let mut numbers = rest.chunks_exact(4).map(|bytes| {
        let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
        // Half of the inputs are small numbers on a grid, where seams and ties live; half are any bits at all.
        if flags & 1 == 0 { f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) / 8.0 } else { f32::from_le_bytes(bytes) }
    });
    let mut point = || Some(Vec3::new(numbers.next()?, numbers.next()?, numbers.next()?));
    let (Some(eye), Some(angles)) = (point(), point()) else { return };
    let mut corners = Vec::new();
    while let (Some(a), Some(b), Some(c)) = (point(), point(), point()) {
        corners.extend((0..=repeat % 8).map(|step| [a, b, c].map(|corner| corner * (1.0 + f32::from(step)))));
    }
    let materials: Vec<u32> = (0..corners.len() as u32).map(|number| number % 5).collect();
    let settings = Settings {
        mode: if flags & 2 == 0 { Mode::Quadtree } else { Mode::Octree },
        leaf_triangles: u32::from(leaf),
        leaf_size: f32::from(size) / 16.0 + 1e-3,
    };
    let tree = Tree::from_triangles(&corners, &materials, &settings);
    tree.validate(&corners, &materials).expect("a sound tree");
    let camera = Camera { eye, yaw: angles.x, pitch: angles.y, ..Camera::default() };
    let mut list = DrawList::new();
    list.cull(&tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
    let mut last = (0, 0);
    for range in list.ranges() {
        assert!(range.count > 0 && (range.material, range.first) >= last, "ranges overlap or are out of order");
        last = (range.material, range.first + range.count);
    }
    assert!(list.statistics().triangles as usize <= tree.triangle_count());
});
