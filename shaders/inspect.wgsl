// The level as those look at it who look for faults: no materials, no light.

struct InspectOut {
    @builtin(position) clip: vec4<f32>,
    @location(0) in_world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) @interpolate(flat) cell: u32,
}

@vertex
fn inspect_vertex(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @builtin(instance_index) cell: u32,
) -> InspectOut {
    return InspectOut(view.clip_from_world * vec4(position, 1.0), position, normal, cell);
}

fn facing(normal: vec3<f32>, front: bool) -> vec3<f32> {
    return normal / max(length(normal), 1e-6) * select(-1.0, 1.0, front);
}

// X, Y and Z as red, green and blue: grey is 0, as seen from the side that is looked at.
@fragment
fn inspect_normals(in: InspectOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    return vec4(shown(0.5 + 0.5 * facing(in.normal, front)), 1.0);
}

// Bright near, darker by the same step for each doubling of the distance; black from 1 km on.
@fragment
fn inspect_depth(in: InspectOut) -> @location(0) vec4<f32> {
    let distance = length(view.eye_in_world.xyz - in.in_world);
    return vec4(shown(vec3(1.0 - log2(1.0 + distance) / 10.0)), 1.0);
}

// Each layer adds to the light of a pixel.
@fragment
fn inspect_overdraw() -> @location(0) vec4<f32> {
    return vec4(0.1, 0.04, 0.01, 1.0);
}

// A colour for each cell that culling took: green where it is wholly in sight, amber where it crosses a plane.
@fragment
fn inspect_cells(in: InspectOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var hash = (in.cell >> 1u) * 2654435761u;
    hash = (hash ^ (hash >> 15u)) * 2246822519u;
    let tint = f32(hash >> 24u) / 255.0;
    let inside = mix(vec3(0.1, 0.75, 0.3), vec3(0.2, 0.55, 0.75), tint);
    let crossing = mix(vec3(0.95, 0.75, 0.2), vec3(0.9, 0.4, 0.15), tint);
    let light = 0.7 + 0.3 * dot(facing(in.normal, front), vec3(0.36, 0.8, 0.48));
    return vec4(shown(light * select(inside, crossing, (in.cell & 1u) == 1u)), 1.0);
}

// Colours as they are to be seen on the screen.
fn shown(color: vec3<f32>) -> vec3<f32> {
    return select(linear_from_srgb(clamp(color, vec3(0.0), vec3(1.0))), color, encode_srgb);
}
