//! Any level and any questions about it: no panic, no hang, the same bits from any tree on any kind of lanes, and what a loop
//! over all triangles says.
#![no_main]

#[path = "questions/bytes.rs"]
mod bytes;
#[path = "questions/lines.rs"]
mod lines;
#[path = "questions/spheres.rs"]
mod spheres;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::fmt::Debug;

use bytes::Bytes;
use glam::Vec3;
use libfuzzer_sys::fuzz_target;
use nodetree::simd::Simd;
use nodetree::tree::Tree;

/// A level, and a tree of each mode on each kind of lanes.
struct Scene {
    triangles: Vec<[Vec3; 3]>,
    /// Those that the trees hold: finite, and with an area.
    usable: Vec<u32>,
    trees: Vec<Tree>,
    /// Whether lengths are such that f32 holds a hundredth of a millimetre, more or less.
    tame: bool,
}

impl Scene {
    fn new(bytes: &mut Bytes) -> Option<Scene> {
        let settings = bytes.settings()?;
        let triangles = bytes.triangles()?;
        let trees: Vec<Tree> = settings
            .iter()
            .flat_map(|settings| {
                Simd::available().iter().map(|&simd| {
                    let mut tree = support::tree(&triangles, settings);
                    tree.set_simd(simd);
                    tree
                })
            })
            .collect();
        let mut usable: Vec<u32> = trees[0].triangles().map(|(number, _)| number).collect();
        usable.sort_unstable();
        let tame = triangles.iter().flatten().all(|&corner| is_tame(corner));
        Some(Scene { triangles, usable, trees, tame })
    }

    /// Asks every tree; all give the same. A panic names the question.
    #[track_caller]
    fn ask<T: PartialEq + Debug>(&self, question: impl Fn(&Tree) -> T) -> T {
        let answer = question(&self.trees[0]);
        for tree in &self.trees[1..] {
            assert_eq!(question(tree), answer, "{:?} {:?}", tree.simd(), tree.settings());
        }
        answer
    }

    /// Asks the trees of each mode on each kind of lanes; only lanes may not change an answer, of which there is one a mode.
    fn ask_each_mode<T: PartialEq + Debug>(&self, question: impl Fn(&Tree) -> T) -> Vec<T> {
        let of_a_mode = |trees: &[Tree]| {
            let answer = question(&trees[0]);
            for tree in trees {
                assert_eq!(question(tree), answer, "{:?} {:?}", tree.simd(), tree.settings());
            }
            answer
        };
        self.trees.chunks(Simd::available().len()).map(of_a_mode).collect()
    }
}

/// Whether f32 holds a place, and products of a few lengths like it, well.
fn is_tame(place: Vec3) -> bool {
    place.abs().cmple(Vec3::splat(5000.0)).all()
}

/// Questions of an input at most.
const MOST: usize = 24;

fuzz_target!(|input: &[u8]| {
    let Some(mut bytes) = Bytes::new(input) else { return };
    let Some(scene) = Scene::new(&mut bytes) else { return };
    for _ in 0..MOST {
        let Some(kind) = bytes.byte() else { return };
        let asked = match kind % 8 {
            0 | 1 => lines::ray(&scene, &mut bytes),
            2 => lines::segment(&scene, &mut bytes),
            3 => lines::height(&scene, &mut bytes),
            4 => spheres::at_rest(&scene, &mut bytes),
            5 | 6 => spheres::swept(&scene, &mut bytes),
            _ => spheres::sliding(&scene, &mut bytes),
        };
        if asked.is_none() {
            return;
        }
    }
});
