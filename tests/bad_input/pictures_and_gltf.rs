//! What is wrong with glTF files and heightmaps.

use super::Made::{Bytes, Text};
use super::{Case, case, cut_glb, gltf, png};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // glTF.
    cases.extend([
        gltf("", "a.gltf: it is not glTF 2.0: EOF while parsing a value at line 1 column 0; mend it or export the level again"),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"}",
            "a.gltf: it is not glTF 2.0: EOF while parsing an object at line 1 column 26; mend it or export the level again",
        ),
        gltf("{\"asset\":{\"version\":\"1.0\"}}", "a.gltf: it is glTF 1.0, not 2.0; export it as that"),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"}}",
            "a.gltf has no geometry: its scene has no mesh with triangles; check what was exported",
        ),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
            "a.gltf: it needs the extension KHR_draco_mesh_compression, which is not known; export it without",
        ),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":9,\"uri\":\"gone.bin\"}]}",
            "a.gltf: buffer 0: there is no file gone.bin; copy it beside the level",
        ),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":99,\"uri\":\"floor.obj\"}]}",
            "a.gltf: buffer 0: it has 54 bytes instead of 99; mend it or export the level again",
        ),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,?\"}]}",
            "a.gltf: buffer 0: its base64 data is damaged: Invalid symbol 63, offset 0; mend it or export the level again",
        ),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[3]}]}",
            "a.gltf: scenes[0].nodes[0]: Index out of bounds; mend it or export the level again",
        ),
        gltf(
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]}",
            "a.gltf: node 0 hangs below itself or below several nodes; mend it or export the level again",
        ),
        case("a.glb", Bytes(cut_glb()), "info a.glb", 1, "a.glb: it is not glTF 2.0: it is cut off; export or copy it again"),
        case(
            "a.glb",
            Bytes(b"glTF\x01\0\0\0\x0c\0\0\0".to_vec()),
            "info a.glb",
            1,
            "a.glb: it is GLB 1, not 2; mend it or export the level again",
        ),
        case(
            "a.glb",
            Bytes(b"PK\x03\x04".to_vec()),
            "info a.glb",
            1,
            "a.glb: it is not glTF 2.0: expected value at line 1 column 1; mend it or export the level again",
        ),
    ]);
    // Heightmaps.
    cases.extend([
        case(
            "a.png",
            Text("no picture"),
            "info a.png",
            1,
            "a.png cannot be read as a heightmap: the image format could not be determined; save it as PNG, JPEG, \
             TGA, TIFF or BMP",
        ),
        case(
            "a.png",
            Bytes(png(9, 9)[..60].to_vec()),
            "info a.png",
            1,
            "a.png cannot be read as a heightmap: it is cut off; copy or save it again",
        ),
        case(
            "a.png",
            Bytes(png(9, 1)),
            "info a.png",
            1,
            "a.png cannot be read as a heightmap: it has 9 by 1 pixels, and a terrain needs at least 2 by 2",
        ),
        case(
            "a.bmp",
            Bytes(b"BM".to_vec()),
            "info a.bmp",
            1,
            "a.bmp cannot be read as a heightmap: it is cut off; copy or save it again",
        ),
        case(
            "a.tif",
            Bytes(b"II*\0\x08\0\0\0\0\0".to_vec()),
            "info a.tif",
            1,
            "a.tif cannot be read as a heightmap: it is cut off; copy or save it again",
        ),
        case(
            "a.png",
            Bytes(png(3, 3)),
            "info a.png --up z",
            1,
            "a.png cannot be read as a heightmap: its height is up already; leave --up away",
        ),
        case(
            "a.png",
            Bytes(png(3, 3)),
            "info a.png --texture gone.png",
            1,
            "cannot read the texture gone.png: there is no such file; check the path",
        ),
        case(
            "a.png",
            Bytes(png(3, 3)),
            "info a.png --texture text.png",
            1,
            "cannot read the texture text.png: the image format could not be determined; save it as PNG, JPEG, TGA, \
             TIFF or BMP",
        ),
        case(
            "a.png",
            Bytes(png(3, 3)),
            "info floor.obj --cell-size 2",
            1,
            "floor.obj is no heightmap: leave --cell-size, --height-range, --texture and --texture-size away",
        ),
        case(
            "a.png",
            Bytes(png(3, 3)),
            "info a.png --cell-size 1e300",
            1,
            "a.png cannot be read as a heightmap: its cells or heights are too large or too small to tell apart",
        ),
    ]);
    cases
}
