//! Reading OBJ: the text alone, and all of a level with its materials and textures from disk: `cargo bench --bench loading`.

mod setup;

use std::fs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nodetree::level::{LoadOptions, load, read_obj, write_obj};

fn loading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut group = setup::group(criterion, "loading", 1);
    for name in ["terrain", "city"] {
        let path = folder.path().join(format!("{name}.obj"));
        write_obj(&setup::level(name, Some(100_000)), &path).expect("a level written");
        let text = fs::read(&path).expect("the level just written");
        group.throughput(Throughput::Bytes(text.len() as u64));
        // Beside this path there are neither materials nor textures.
        let elsewhere = folder.path().join("elsewhere").join("level.obj");
        group.bench_function(format!("{name}, OBJ text"), |bencher| {
            bencher.iter(|| read_obj(&text, &elsewhere, &LoadOptions::default()).expect("a level"));
        });
        group.bench_function(format!("{name}, with textures"), |bencher| {
            bencher.iter(|| load(&path, &LoadOptions::default()).expect("a level"));
        });
    }
    group.finish();
}

criterion_group!(benches, loading);
criterion_main!(benches);
