//! Loading a large OBJ file beside bare tobj, in processor time and memory: `cargo bench --bench loading_beside_tobj`.
//!
//! The level is the built-in terrain with as many triangles as NODETREE_BENCH_TRIANGLES says (2 000 000), with normals and texture
//! coordinates, or the file that NODETREE_BENCH_FILE names. Each way of loading runs in processes of its own, in
//! turn with the others, NODETREE_BENCH_TURNS times (5); the median counts. Linux only, as `/proc` tells time and memory.

use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use nodetree::level::{Cache, LoadOptions, load, write_obj};

/// Says to a process of its own which way it takes.
const WAY: &str = "NODETREE_BENCH_WAY";

const WAYS: [&str; 5] = ["nothing", "tobj", "nodetree", "to cache", "from cache"];

/// Names the folder of the cache to it.
const CACHE: &str = "NODETREE_BENCH_CACHE";

fn main() {
    let number = |name: &str, usual| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    if let Ok(way) = env::var(WAY) {
        let file = env::args_os().nth(1).expect("a file");
        return println!("{}", take(&way, Path::new(&file)));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = env::var_os("NODETREE_BENCH_FILE").map(PathBuf::from).unwrap_or_else(|| {
        let level = nodetree::generate::by_name("terrain", Some(number("NODETREE_BENCH_TRIANGLES", 2_000_000)), 1);
        let mut level = level.expect("a built-in level");
        // tobj refuses a file that has colours at some vertices only.
        level.vertices.iter_mut().for_each(|vertex| vertex.color = [255; 4]);
        let file = folder.path().join("terrain.obj");
        write_obj(&level, &file).expect("a level written");
        file
    });
    println!("{} of {} MB", file.display(), fs::metadata(&file).map_or(0, |metadata| metadata.len()) / 1_000_000);
    let mut taken = WAYS.map(|_| Vec::new());
    for _ in 0..number("NODETREE_BENCH_TURNS", 5) {
        for (way, taken) in WAYS.iter().zip(&mut taken) {
            taken.push(in_a_process(way, &file, &folder.path().join("cache")));
        }
    }
    println!("{:<12} {:>9} {:>9} {:>9} {:>9}", "", "CPU s", "wall s", "peak MB", "level MB");
    for (way, taken) in WAYS.iter().zip(taken) {
        let column = |column: usize| {
            let mut values: Vec<f64> = taken.iter().map(|row: &Vec<f64>| row[column]).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        println!("{way:<12} {:>9.2} {:>9.2} {:>9.0} {:>9.0}", column(0), column(1), column(2), column(3));
    }
}

/// What a process measured that goes one way.
fn in_a_process(way: &str, file: &Path, cache: &Path) -> Vec<f64> {
    if way == "to cache" {
        let _ = fs::remove_dir_all(cache);
    }
    let program = env::current_exe().expect("the path of this program");
    let output = Command::new(program).arg(file).env(WAY, way).env(CACHE, cache).output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 4, "{way}: {text} {}", String::from_utf8_lossy(&output.stderr));
    numbers
}

/// Goes one way, and tells processor and wall time in seconds, peak memory and the level's in MB.
fn take(way: &str, file: &Path) -> String {
    let start = Instant::now();
    let bytes = match way {
        "nothing" => 0,
        "tobj" => {
            let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
            let mut reader = BufReader::new(File::open(file).expect("the file"));
            let (models, _) = tobj::load_obj_buf(&mut reader, &options, |_| Ok(Default::default())).expect("a level");
            black_box(models);
            0
        }
        _ => {
            let cache = (way != "nodetree").then(|| Cache::new(env::var_os(CACHE).expect("a folder")));
            let level = black_box(load(file, &LoadOptions { cache, ..LoadOptions::default() }).expect("a level"));
            let textures: usize = level.textures.iter().map(|texture| texture.rgba.len()).sum();
            size_of_val(&*level.vertices) + size_of_val(&*level.triangles) + textures
        }
    };
    let wall = start.elapsed().as_secs_f64();
    let status = fs::read_to_string("/proc/self/status").expect("/proc");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak: f64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    let ticks = fs::read_to_string("/proc/self/stat").expect("/proc");
    // Behind the name, which may hold spaces; a tick is 10 ms.
    let behind = ticks.rsplit(')').next().unwrap_or_default().split_whitespace();
    let cpu: f64 = behind.skip(11).take(2).map(|ticks| ticks.parse::<f64>().expect("ticks") / 100.0).sum();
    format!("{cpu} {wall} {} {}", peak / 1000.0, bytes as f64 / 1e6)
}
