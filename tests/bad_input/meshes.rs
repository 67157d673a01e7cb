//! What is wrong with a file whatever its format, with OBJ files and with their materials.

use super::Made::{Bytes, Folder, Pipe, Text};
use super::{Case, case, mtl, obj};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Whatever the format is.
    cases.extend([
        case("b.obj", Folder, "info a.obj", 1, "there is no file a.obj; check the path"),
        case("a.obj", Folder, "info a.obj", 1, "a.obj is a directory; name a level file inside it"),
        case("a.obj", Pipe, "info a.obj", 1, "cannot read a.obj: it is not a regular file; save it as one"),
        case("a.glb", Pipe, "info a.glb", 1, "cannot read a.glb: it is not a regular file; save it as one"),
        case("a.png", Pipe, "info a.png", 1, "cannot read a.png: it is not a regular file; save it as one"),
        case(
            "a.toml",
            Pipe,
            "info a.toml",
            1,
            "cannot read the scene a.toml: it is not a regular file; save it as one",
        ),
        case("a.obj", Text(""), "info a.obj/b.obj", 1, "there is no file a.obj/b.obj; check the path"),
        case(
            "a.fbx",
            Text("Kaydara"),
            "info a.fbx",
            1,
            "a.fbx: the format .fbx is not known; nodetree reads OBJ (.obj), glTF (.gltf, .glb), heightmaps (.bmp, \
             .png, .tif) and scenes of those (.toml), so export the level as one of those",
        ),
        case(
            "a",
            Text("v 0 0 0"),
            "info a",
            1,
            "a: the name has no extension, so the format is not known; nodetree reads OBJ (.obj), glTF (.gltf, .glb), \
             heightmaps (.bmp, .png, .tif) and scenes of those (.toml), so export the level as one of those",
        ),
        case(
            "a",
            Folder,
            "info builtin:palace",
            1,
            "there is no built-in level \"palace\"; there are castle, terrain and city",
        ),
    ]);
    // OBJ.
    cases.extend([
        obj("", "a.obj has no geometry: there are neither `v` nor `f` lines; check that it was exported completely"),
        obj("v 0 0 0\nv 1 0 0\nl 1 2\n", "a.obj has no geometry: no `f` line has three corners; export it as polygons"),
        obj(
            "v nan 0 0\nv 1 0 0\nv 0 0 inf\nf 1 2 3\n",
            "a.obj has no geometry: no triangle has finite corners; check its numbers, which need decimal points",
        ),
        case(
            "a.obj",
            Bytes(b"\x89PNG\r\n\x1a\n\0\0".to_vec()),
            "info a.obj",
            1,
            "a.obj is not an OBJ file: it is a PNG picture; name a level",
        ),
        case(
            "a.obj",
            Bytes(b"\xff\xfev\0 \0".to_vec()),
            "info a.obj",
            1,
            "a.obj is not an OBJ file: it is UTF-16 text; save it as UTF-8",
        ),
        case(
            "a.obj",
            Bytes(b"glTF\x02\0\0\0".to_vec()),
            "info a.obj",
            1,
            "a.obj is not an OBJ file: it is binary glTF; name it .glb",
        ),
        case(
            "a.obj",
            Bytes(b"v 0 0\0 0\n".to_vec()),
            "info a.obj",
            1,
            "a.obj is not an OBJ file: it holds binary data; export the level as OBJ text",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\n\nf 1 2 4\n",
            "a.obj, line 5: a face uses `v` index 4, but there are 3; mend the line or export the level again",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 0\n",
            "a.obj, line 4: a face uses `v` index 0, but the first is 1; mend the line or export the level again",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nf -4 -3 -2\n",
            "a.obj, line 4: a face uses `v` index -4, but there are 3 so far; mend the line or export the level again",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1/9 2/9 3/9\n",
            "a.obj, line 4: a face uses `vt` index 9, but there are 0; mend the line or export the level again",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nvn 0 1 0\nf 1//2 2//1 3//1\n",
            "a.obj, line 5: a face uses `vn` index 2, but there are 1; mend the line or export the level again",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 three\n",
            "a.obj, line 4: \"three\" in a face is no index of a `v` line; mend the line or export the level again",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvn 0 1 0\nf 1/1/1/1 2 3\n",
            "a.obj, line 6: the face corner \"1/1/1/1\" has more than three indices; mend the line or export the \
             level again",
        ),
        obj(
            "v 0 0 zero\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n",
            "warning: line 1: a vertex without three numbers; triangles with it are left out",
        ),
        obj(
            "v 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n",
            "warning: line 1: a vertex without three numbers; triangles with it are left out",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2\n",
            "warning: line 5: a face of fewer than three corners; ignored",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2 2\n",
            "warning: triangles without an area are neither drawn nor met",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv nan 0 1\nv 0 0 1\nf 1 2 4\nf 1 2 3\n",
            "warning: triangles with corners that are no finite numbers are neither drawn nor met",
        ),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nfoo 1\nf 1 2 3\n", "warning: line 4: the keyword \"foo\" is unknown; ignored"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nl 1 2\n", "warning: line 5: lines (`l`) are not drawn"),
        obj(
            "v 0 0 0\nv 4 4 0\nv 4 0 0\nv 1 4 0\nf 1 2 3 4\n",
            "warning: a polygon's outline crosses itself; cut as well as may be",
        ),
        obj(
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nusemtl rust\nf 1 2 3\n",
            "warning: no material library defines \"rust\"; drawn white",
        ),
        obj(
            "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0.1\nf 1 2 3\n",
            "warning: the whole level is only 0.10 m long; if its unit is not the metre, try --scale 100",
        ),
        obj(
            "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n",
            "warning: cannot read the material library \"gone.mtl\" (there is no such file); its materials are white",
        ),
    ]);
    // MTL and textures.
    cases.extend([
        case(
            "a.mtl",
            Folder,
            "info uses-a.obj",
            0,
            "warning: cannot read the material library \"a.mtl\" (there is no such file); its materials are white",
        ),
        case(
            "a.mtl",
            Pipe,
            "info uses-a.obj",
            0,
            "warning: cannot read the material library \"a.mtl\" (it is not a regular file; save it as one); its \
             materials are white",
        ),
        mtl("newmtl b\n", "warning: no material library defines \"a\"; drawn white"),
        mtl("Kd 1 0 0\nnewmtl a\n", "warning: a.mtl: a line before any `newmtl`; ignored"),
        mtl("newmtl a\nKd red\n", "warning: a.mtl: line 2: \"Kd red\" is not understood; ignored"),
        mtl("newmtl a\nglitter 1\n", "warning: a.mtl: the key \"glitter\" is unknown; ignored"),
        mtl("newmtl a\nnewmtl a\n", "warning: a.mtl: the material \"a\" is defined again; the first definition counts"),
        mtl("newmtl a\nd 0\n", "warning: all materials are fully transparent (`d 0` or `Tr 1`); drawn opaque"),
        mtl(
            "newmtl a\nmap_Kd gone.png\n",
            "warning: cannot read the texture \"gone.png\" (there is no such file); drawn without it",
        ),
        mtl(
            "newmtl a\nmap_Kd text.png\n",
            "warning: cannot read the texture \"text.png\" (the image format could not be determined; save it as PNG, \
             JPEG, TGA, TIFF or BMP); drawn without it",
        ),
        mtl("newmtl a\nmap_Ke .\n", "warning: cannot read the texture \".\" (there is no such file); drawn without it"),
        case(
            "pipe.png",
            Pipe,
            "info pipe.obj",
            0,
            "warning: cannot read the texture \"pipe.png\" (it is not a regular file; save it as one); drawn without it",
        ),
    ]);
    cases
}
