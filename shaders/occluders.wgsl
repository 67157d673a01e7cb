// The depth of surfaces that hide what is behind them, and how deep each tile of it reaches.

@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

struct Occluder {
    // The same sum as in `level.wgsl`, so that both passes find the very same depth.
    @builtin(position) @invariant clip: vec4<f32>,
}

@vertex
fn occluder(@location(0) position: vec3<f32>) -> Occluder {
    return Occluder(clip_from_world * vec4(position, 1.0));
}

@group(0) @binding(1) var depths: texture_2d<f32>;
@group(0) @binding(2) var sampled_depths: texture_multisampled_2d<f32>;

// `TILE` of `cull/pyramid.rs`.
const TILE: i32 = 4;
const SAMPLES: i32 = 4;

// One triangle over all tiles.
@vertex
fn all_tiles(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// As bits: every adapter can draw those, and depths are in their order.
@fragment
fn farthest(@builtin(position) tile: vec4<f32>) -> @location(0) u32 {
    let first = TILE * vec2<i32>(tile.xy);
    let end = min(first + TILE, vec2<i32>(textureDimensions(depths)));
    var farthest = 1.0;
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            farthest = min(farthest, textureLoad(depths, vec2(x, y), 0).r);
        }
    }
    return bitcast<u32>(farthest);
}

@fragment
fn farthest_of_samples(@builtin(position) tile: vec4<f32>) -> @location(0) u32 {
    let first = TILE * vec2<i32>(tile.xy);
    let end = min(first + TILE, vec2<i32>(textureDimensions(sampled_depths)));
    var farthest = 1.0;
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            for (var sample = 0; sample < SAMPLES; sample++) {
                farthest = min(farthest, textureLoad(sampled_depths, vec2(x, y), sample).r);
            }
        }
    }
    return bitcast<u32>(farthest);
}
