// What casts shadows, seen from the sun: only its depth counts, and the holes of what is cut out.

struct Map {
    map_from_world: mat4x4<f32>,
}

struct Material {
    base_color: vec4<f32>,
    emissive: vec4<f32>,
    cutoff: f32,
}

@group(0) @binding(0) var<uniform> map: Map;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var picture: texture_2d<f32>;
@group(1) @binding(2) var picture_sampler: sampler;

struct Instance {
    @location(4) x: vec4<f32>,
    @location(5) y: vec4<f32>,
    @location(6) z: vec4<f32>,
}

fn to_world(instance: Instance, position: vec3<f32>) -> vec4<f32> {
    let at = vec4(position, 1.0);
    return vec4(dot(instance.x, at), dot(instance.y, at), dot(instance.z, at), 1.0);
}

@vertex
fn solid(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    return map.map_from_world * vec4(position, 1.0);
}

@vertex
fn solid_copy(@location(0) position: vec3<f32>, instance: Instance) -> @builtin(position) vec4<f32> {
    return map.map_from_world * to_world(instance, position);
}

struct CutOut {
    @builtin(position) clip: vec4<f32>,
    @location(0) tex_coord: vec2<f32>,
    @location(1) opacity: f32,
}

@vertex
fn cut_out(@location(0) position: vec3<f32>, @location(2) tex_coord: vec2<f32>, @location(3) color: vec4<f32>) -> CutOut {
    return CutOut(map.map_from_world * vec4(position, 1.0), tex_coord, color.a);
}

@vertex
fn cut_out_copy(
    @location(0) position: vec3<f32>,
    @location(2) tex_coord: vec2<f32>,
    @location(3) color: vec4<f32>,
    instance: Instance,
) -> CutOut {
    return CutOut(map.map_from_world * to_world(instance, position), tex_coord, color.a);
}

@fragment
fn holes(in: CutOut) {
    let opacity = textureSample(picture, picture_sampler, in.tex_coord).a * in.opacity * material.base_color.a;
    if opacity < material.cutoff {
        discard;
    }
}
