// Coloured lines, one pixel wide.

struct LineOut {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@vertex
fn line_vertex(@location(0) position: vec3<f32>, @location(1) color: vec4<f32>) -> LineOut {
    var out: LineOut;
    out.clip = view.clip_from_world * vec4(position, 1.0);
    // A little nearer than it is, so that a line on a surface shows; 1 is as near as depth goes.
    out.clip.z = min(out.clip.z * 1.0005, out.clip.w);
    out.color = vec4(linear_from_srgb(color.rgb), color.a);
    return out;
}

@fragment
fn line_fragment(in: LineOut) -> @location(0) vec4<f32> {
    return to_target(in.color);
}
