//! Building the tree in both modes, on one thread and on all: `cargo bench --bench building`.

mod setup;

use criterion::{Criterion, criterion_group, criterion_main};
use nodetree::tree::{Mode, Settings, Tree};

fn building(criterion: &mut Criterion) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for name in ["terrain", "city"] {
        let level = setup::level(name, Some(setup::triangles()));
        let mut group = setup::group(criterion, "building", level.triangles.len());
        for mode in [Mode::Quadtree, Mode::Octree] {
            let settings = Settings::new(mode);
            group.bench_function(format!("{name}, {}, one thread", mode.name()), |bencher| {
                one.install(|| bencher.iter(|| Tree::build(&level, &settings)));
            });
            group.bench_function(format!("{name}, {}, all threads", mode.name()), |bencher| {
                bencher.iter(|| Tree::build(&level, &settings));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, building);
criterion_main!(benches);
