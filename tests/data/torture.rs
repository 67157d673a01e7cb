//! What becomes of each file in the folder of torture.

use nodetree::level::WarningKind::{
    self, DegenerateTriangle, ElementNotDrawn, ImplausibleSize, MalformedLine, MissingMaterialLibrary, MissingTexture,
    NonFiniteTriangle, UnknownKeyword, UnknownMaterial,
};

/// What becomes of a file.
pub enum Outcome {
    /// It opens: triangles, `v` lines, materials, and what is told of it.
    Opens([usize; 3], &'static [(WarningKind, u64)]),
    /// It is refused for this reason.
    Refused(&'static str),
}

use Outcome::{Opens, Refused};

/// Every OBJ file, in order. Triangles and `v` lines are as counted by hand in the text; of what is refused, those that are called
/// invalid are, and the others hold points, lines, or nothing at all.
pub const OUTCOMES: [(&str, Outcome); 59] = [
    ("rapidobj/color/color.obj", Opens([12, 8, 1], &[])),
    ("rapidobj/mtllib/cube.obj", Opens([12, 8, 3], &[])),
    ("rapidobj/mtllib/cube_mtllib_missing.obj", Opens([12, 8, 3], &[(MissingMaterialLibrary, 1)])),
    ("rapidobj/primitives/primitives.obj", Opens([4, 8, 1], &[(ElementNotDrawn, 5)])),
    (
        "tinyobjloader/models/catmark_torus_creases0.obj",
        Opens([64, 32, 1], &[(MalformedLine, 128), (UnknownKeyword, 8)]),
    ),
    ("tinyobjloader/models/colorspace-issue-184.obj", Opens([1, 3, 1], &[(MissingTexture, 2)])),
    ("tinyobjloader/models/cornell_box.obj", Opens([36, 76, 5], &[(ImplausibleSize, 1)])),
    ("tinyobjloader/models/cornell_box_multimaterial.obj", Opens([36, 76, 5], &[(ImplausibleSize, 1)])),
    ("tinyobjloader/models/cube-vertex-w-component.obj", Opens([12, 8, 5], &[(MalformedLine, 8)])),
    ("tinyobjloader/models/cube-vertexcol.obj", Opens([12, 8, 5], &[])),
    ("tinyobjloader/models/cube.obj", Opens([12, 8, 5], &[])),
    ("tinyobjloader/models/invalid-face-definition.obj", Refused("has no geometry: no `f` line has three corners")),
    (
        "tinyobjloader/models/invalid-relative-texture-index.obj",
        Refused("line 2: a face uses `v` index 1, but there are 0"),
    ),
    (
        "tinyobjloader/models/invalid-relative-vertex-index.obj",
        Refused("line 1: a face uses `v` index -4, but there are 0 so far"),
    ),
    ("tinyobjloader/models/issue-138.obj", Opens([12, 8, 2], &[])),
    (
        "tinyobjloader/models/issue-140-zero-face-idx.obj",
        Refused("line 16: a face uses `v` index 0, but the first is 1"),
    ),
    ("tinyobjloader/models/issue-161-inconsistent-f.obj", Opens([12, 8, 6], &[(UnknownMaterial, 1)])),
    ("tinyobjloader/models/issue-162-smoothing-group.obj", Opens([12, 8, 2], &[])),
    ("tinyobjloader/models/issue-235-usemtl-then-o.obj", Opens([2, 8, 2], &[])),
    ("tinyobjloader/models/issue-244-mtl-searchpaths.obj", Opens([2, 8, 2], &[(MissingMaterialLibrary, 1)])),
    ("tinyobjloader/models/issue-246-usemtl-whitespace.obj", Opens([1, 8, 1], &[])),
    ("tinyobjloader/models/issue-248-texres-texopt.obj", Opens([12, 8, 5], &[(MissingTexture, 1)])),
    ("tinyobjloader/models/issue-295-trianguation-failure.obj", Opens([28, 16, 1], &[])),
    ("tinyobjloader/models/issue-319-002.obj", Opens([14, 20, 1], &[(DegenerateTriangle, 1)])),
    ("tinyobjloader/models/issue-319-003.obj", Opens([8, 10, 1], &[])),
    ("tinyobjloader/models/issue-330.obj", Opens([3, 7, 1], &[(ImplausibleSize, 1)])),
    (
        "tinyobjloader/models/issue-356-leading-spaces-newmtl.obj",
        Refused("has no geometry: there are neither `v` nor `f` lines"),
    ),
    ("tinyobjloader/models/issue-92.obj", Opens([1, 3, 1], &[(MissingTexture, 1)])),
    ("tinyobjloader/models/issue-95-2.obj", Opens([1, 3, 1], &[])),
    ("tinyobjloader/models/issue-95.obj", Opens([1, 3, 1], &[])),
    ("tinyobjloader/models/leading-decimal-dot-issue-201.obj", Opens([1, 3, 1], &[])),
    ("tinyobjloader/models/leading-zero-in-exponent-notation-issue-210.obj", Opens([1, 3, 1], &[])),
    ("tinyobjloader/models/line-prim.obj", Refused("has no geometry: no `f` line has three corners")),
    ("tinyobjloader/models/map-bump.obj", Opens([400, 218, 2], &[(MissingTexture, 1)])),
    (
        "tinyobjloader/models/missing_material_file.obj",
        Opens([36, 76, 5], &[(UnknownMaterial, 5), (ImplausibleSize, 1)]),
    ),
    (
        "tinyobjloader/models/mtl filename with whitespace issue46.obj",
        Opens([12, 8, 1], &[(MissingMaterialLibrary, 2)]),
    ),
    (
        "tinyobjloader/models/mtllib-multiple-files-issue-112.obj",
        Opens([1, 3, 1], &[(MissingMaterialLibrary, 2), (MissingTexture, 1)]),
    ),
    ("tinyobjloader/models/no_material.obj", Opens([36, 76, 1], &[(ImplausibleSize, 1)])),
    ("tinyobjloader/models/norm-texopt.obj", Opens([1, 3, 1], &[(MissingTexture, 1)])),
    ("tinyobjloader/models/pbr-mat-ext.obj", Opens([2, 4, 1], &[(MissingTexture, 2)])),
    ("tinyobjloader/models/points-prim.obj", Refused("has no geometry: no `f` line has three corners")),
    ("tinyobjloader/models/refl.obj", Opens([12, 8, 5], &[])),
    ("tinyobjloader/models/skin-weight.obj", Opens([12, 8, 5], &[(UnknownKeyword, 7)])),
    ("tinyobjloader/models/smoothing-group-two-squares.obj", Opens([3, 6, 1], &[(MalformedLine, 7)])),
    ("tinyobjloader/models/smoothing-normal.obj", Opens([6, 8, 5], &[])),
    (
        "tinyobjloader/models/test-nan.obj",
        Opens([36, 76, 5], &[(MalformedLine, 2), (NonFiniteTriangle, 2), (ImplausibleSize, 1)]),
    ),
    ("tinyobjloader/models/texture-filename-with-whitespace.obj", Opens([12, 8, 5], &[(MissingTexture, 2)])),
    ("tinyobjloader/models/texture-options-issue-85.obj", Opens([1, 3, 3], &[(MissingTexture, 2)])),
    ("tinyobjloader/models/tr-and-d-issue-43.obj", Opens([400, 218, 2], &[])),
    ("tinyobjloader/models/usemtl-issue-104.obj", Opens([6, 12, 6], &[])),
    ("tinyobjloader/models/usemtl-issue-68.obj", Opens([400, 218, 2], &[])),
    ("tobj/obj/cornell_box.obj", Opens([36, 76, 5], &[(UnknownKeyword, 1), (MissingTexture, 6), (ImplausibleSize, 1)])),
    ("tobj/obj/empty_name_triangle.obj", Opens([1, 3, 1], &[])),
    ("tobj/obj/invalid_index.obj", Refused("line 12: a face uses `v` index 7, but there are 6")),
    ("tobj/obj/lines.obj", Refused("has no geometry: no `f` line has three corners")),
    ("tobj/obj/quad.obj", Opens([5, 4, 1], &[])),
    ("tobj/obj/quad_colored_merge.obj", Opens([2, 6, 1], &[])),
    ("tobj/obj/triangle.obj", Opens([1, 3, 1], &[])),
    ("tobj/obj/triangle_colored.obj", Opens([1, 3, 1], &[])),
];
