//! What is wrong with scene files.

use super::Made::{Bytes, Folder, Text};
use super::{Case, case, scene};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Scene files.
    cases.extend([
        case("a.toml", Folder, "info a.toml", 1, "cannot read the scene a.toml: it is not a regular file; save it as one"),
        case("b.toml", Folder, "info a.toml", 1, "there is no file a.toml; check the path"),
        case(
            "a.toml",
            Bytes(b"[[piece]]\n# \xff\n".to_vec()),
            "info a.toml",
            1,
            "a.toml, line 2: this is no UTF-8 text; save it as that",
        ),
        case(
            "a.toml",
            Text("[[piece]]\nfile = \"floor.obj\"\n"),
            "info a.toml --scale 2",
            1,
            "a scene says for each file how it lies: leave --up, --scale and --handedness away",
        ),
        scene("", "a.toml has no piece that stands still, so there is no level; add a [[piece]] with a file"),
        scene("[[piece]\n", "a.toml, line 1: unclosed array table, expected `]`"),
        scene(
            "[piece]\nfile = \"floor.obj\"\n",
            "a.toml, line 1: invalid type: a table, expected a list; write the name in double brackets, as in [[piece]]",
        ),
        scene(
            "piece = 3\n",
            "a.toml, line 1: invalid type: integer `3`, expected a list; write the name in double brackets, as in [[piece]]",
        ),
        scene(
            "[[peice]]\nfile = \"floor.obj\"\n",
            "a.toml, line 1: unknown field `peice`, expected one of `spawn`, `sky`, `group`, `piece`, `prop`, \
             `trigger`, `light`, `camera`",
        ),
        scene("[[piece]]\nname = \"hall\"\n", "a.toml, line 1: missing field `file`"),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\ncolour = 1\n",
            "a.toml, line 3: unknown field `colour`, expected one of `name`, `parent`, `translation`, `rotation`, \
             `scale`, `motion`, `file`, `up`, `unit`, `handedness`, `visible`, `opacity`, `cell-size`, \
              `height-range`, `texture`, `texture-size`",
        ),
        scene("[[piece]]\nfile = 3\n", "a.toml, line 2: invalid type: integer `3`, expected a string"),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\n\nopacity = \"half\"\n",
            "a.toml, line 4: invalid type: string \"half\", expected a number",
        ),
        scene("[[piece]]\nfile = \"floor.obj\"\n\nopacity = 2\n", "a.toml, line 4: piece: opacity must be from 0 to 1"),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\nvisible = 1\n",
            "a.toml, line 3: invalid type: integer `1`, expected true or false",
        ),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\nmotion = 3\n",
            "a.toml, line 3: invalid type: integer `3`, expected a table of keys",
        ),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\nheight-range = [1]\n",
            "a.toml, line 3: invalid length 1, expected a list of length 2",
        ),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\ntranslation = \"here\"\n",
            "a.toml, line 3: invalid type: string \"here\", expected a number or a list of numbers",
        ),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\n[piece.motion]\nspin = 9\nspeed = 2\n",
            "a.toml, line 5: piece: speed and closed are for a path",
        ),
        scene(
            "[[piece]]\nname = \"hall\"\nfile = \"gone.obj\"\n",
            "a.toml, line 3: piece \"hall\": there is no file gone.obj; check the path",
        ),
        scene(
            "[[piece]]\nfile = \"a.toml\"\n",
            "a.toml, line 2: piece: a scene cannot hold another scene; name the meshes in it",
        ),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\nname = \"a\"\n\n[[group]]\nname = \"a\"\n",
            "a.toml, line 3: piece \"a\": line 5 has that name already; names are unique in a scene",
        ),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\nparent = \"gone\"\n",
            "a.toml, line 3: piece: there is nothing named \"gone\" to hang on",
        ),
        scene(
            "[[group]]\nname = \"a\"\nparent = \"a\"\n",
            "a.toml, line 3: group \"a\": it hangs on itself, or more than 64 deep",
        ),
        scene(
            "[[prop]]\nfile = \"floor.obj\"\ngrid = { counts = [0, 1, 1], spacing = [1, 1, 1] }\n",
            "a.toml, line 3: prop: counts of a grid must be at least 1, and make at most 65536 props",
        ),
        scene(
            "[[prop]]\nfile = \"floor.obj\"\ngrid = { counts = [-1, 1, 1], spacing = [1, 1, 1] }\n",
            "a.toml, line 3: invalid value: integer `-1`, expected a whole number from 0 on",
        ),
        scene(
            "[[light]]\nkind = \"laser\"\n",
            "a.toml, line 2: light: there is no kind of light \"laser\"; there are ambient, sun, point and spot",
        ),
        scene("[[trigger]]\nname = \"gate\"\n", "a.toml, line 1: trigger \"gate\": a trigger needs either a size or a radius"),
        scene("[spawn]\ntranslation = [1, 2]\n", "a.toml, line 2: spawn: translation must be three numbers"),
        scene("spawn = 3\n", "a.toml, line 1: invalid type: integer `3`, expected a table of keys"),
        scene(
            "[[piece]]\nfile = \"floor.obj\"\n[sky]\nturn = 3\npictures = \"no/night\"\n",
            "warning: a.toml, line 5: sky: there are no pictures at no/night; a gradient is drawn",
        ),
        scene(
            "[[piece]]\nname = \"hall\"\nfile = \"uses-a.obj\"\n",
            "warning: uses-a.obj (piece \"hall\"): cannot read the material library \"a.mtl\" (there is no such \
             file); its materials are white",
        ),
    ]);
    cases
}
