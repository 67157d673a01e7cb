// The sky: one triangle over the whole picture, behind everything.

@group(1) @binding(0) var pictures: texture_cube<f32>;
@group(1) @binding(1) var pictures_sampler: sampler;

struct SkyOut {
    @builtin(position) clip: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> SkyOut {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    var out: SkyOut;
    // Depth is reversed: 0 is infinitely far.
    out.clip = vec4(corner, 0.0, 1.0);
    out.direction = view.sky_ahead.xyz + corner.x * view.sky_right.xyz + corner.y * view.sky_up.xyz;
    return out;
}

// Cube maps are left-handed, so Z is turned: the layer +Z is the front, and nothing is mirrored.
@fragment
fn sky_fragment(in: SkyOut) -> @location(0) vec4<f32> {
    let color = textureSample(pictures, pictures_sampler, in.direction * vec3(1.0, 1.0, -1.0));
    return to_target(vec4(color.rgb, 1.0));
}
