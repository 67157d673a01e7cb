//! What is wrong with paths and with values of options.

use super::Made::Folder;
use super::{Case, case, inputs, path, value};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Camera paths and recorded walks.
    cases.extend([
        case(
            "b",
            Folder,
            "bench floor.obj --path a.jsonl",
            1,
            "cannot read a.jsonl: No such file or directory (os error 2)",
        ),
        case(
            "a.jsonl",
            Folder,
            "bench floor.obj --path a.jsonl",
            1,
            "cannot read a.jsonl: Is a directory (os error 21)",
        ),
        path("", "a.jsonl holds no cameras; write one a line, as in {\"camera\":[X,Y,Z,YAW,PITCH]}"),
        path("{}\n", "a.jsonl holds no cameras; write one a line, as in {\"camera\":[X,Y,Z,YAW,PITCH]}"),
        path(
            "{\"camera\":[0,2,0,0,0]}\n\n{\"camera\":[1,2]}\n",
            "a.jsonl, line 3: invalid length 2, expected an array of length 5",
        ),
        path(
            "{\"camera\":[0,2,0,0,0]}\n{\"forward\":1}\n",
            "a.jsonl, line 2: neither \"camera\" nor \"eye\"; each line needs one of them",
        ),
        path("{\"camera\":[0,2,0,0,0]}\nhello\n", "a.jsonl, line 2: expected an object in braces"),
        inputs("", "a.jsonl is empty: it needs a first line with the start, which may be {}"),
        inputs("{}\n{\"forward\":2}\n", "a.jsonl, line 2: forward must be from -1 to 1, not 2"),
        inputs("{}\n\n{\"forward\":1,\"repeat\":0}\n", "a.jsonl, line 3: repeat must be from 1 to 12000000, not 0"),
        inputs(
            "{}\n{\"sideways\":1}\n",
            "a.jsonl, line 2: unknown field `sideways`, expected one of `forward`, `right`, `up`, `yaw`, `pitch`, \
             `jump`, `crouch`, `fast`, `speed`, `mode`, `collide`, `repeat`",
        ),
        inputs("{\"spawn\":[1e300,0,0]}\n", "a.jsonl, line 1: the spawn is too far away"),
    ]);
    // Values of options.
    cases.extend([
        case("a", Folder, "info floor.obj --triangles 9", 1, "floor.obj is no built-in level: leave --triangles away"),
        value("info --scale 0", "invalid value '0' for '--scale <S>': must be a number above 0"),
        value("info --scale nan", "invalid value 'nan' for '--scale <S>': must be a number above 0"),
        value("info --up x", "invalid value 'x' for '--up <AXIS>' [possible values: y, z]"),
        value(
            "info --handedness both",
            "invalid value 'both' for '--handedness <HAND>' [possible values: right, left]",
        ),
        value(
            "info --tree binary",
            "invalid value 'binary' for '--tree <MODE>' [possible values: auto, quadtree, octree]",
        ),
        value(
            "info --leaf-triangles -3",
            "invalid value '-3' for '--leaf-triangles <N>': must be a whole number from 1 to 4294967295",
        ),
        value("info --leaf-size 1e-9", "invalid value '1e-9' for '--leaf-size <M>': must be between 0.001 and 1e9"),
        value("info --spawn 1,2", "invalid value '1,2' for '--spawn <X,Y,Z>': expected 3 numbers with commas, got 2"),
        value(
            "info --height-range 1,nan",
            "invalid value '1,nan' for '--height-range <MIN,MAX>': \"nan\" is not finite",
        ),
        value(
            "info builtin:terrain --triangles -3",
            "invalid value '-3' for '--triangles <N>': must be a whole number from 1 to 20000000",
        ),
        value(
            "info builtin:terrain --seed -3",
            "invalid value '-3' for '--seed <S>': must be a whole number from 0 to 18446744073709551615",
        ),
        value(
            "info --leaf-triangles many",
            "invalid value 'many' for '--leaf-triangles <N>': must be a whole number from 1 to 4294967295",
        ),
        value("bench --frames -3", "invalid value '-3' for '--frames <N>': must be a whole number from 1 to 100000"),
        value(
            "walk floor.obj --inputs a --every -3",
            "invalid value '-3' for '--every <N>': must be a whole number from 1 to 18446744073709551615",
        ),
        #[cfg(feature = "viewer")]
        value(
            "render -o a.png --time -3",
            "invalid value '-3' for '--time <SECONDS>': must be from 0 to 1000000 seconds",
        ),
        #[cfg(feature = "viewer")]
        value(
            "render -o a.png --props -3",
            "invalid value '-3' for '--props [<N>]': must be a whole number from 0 to 10000",
        ),
        #[cfg(feature = "viewer")]
        value("render -o a.png --samples -3", "invalid value '-3' for '--samples <N>' [possible values: 1, 4]"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --size 0x9", "invalid value '0x9' for '--size <WxH>': expected a size like 1280x720"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --fov 0", "invalid value '0' for '--fov <D>': must be from 1 to 170 degrees"),
    ]);
    cases
}
