// The level's triangles: opaque, cut out, blended, and as a wireframe.

struct Material {
    base_color: vec4<f32>,
    // w is 1 where there is a picture of it.
    emissive: vec4<f32>,
    // Opacity below which a cut-out surface has a hole.
    cutoff: f32,
    // 1 for a surface that shows its own colour whatever the light.
    unlit: f32,
    // How steep the slopes of the normal map are.
    bump_scale: f32,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var picture: texture_2d<f32>;
@group(1) @binding(2) var picture_sampler: sampler;
@group(1) @binding(3) var emissive_picture: texture_2d<f32>;
@group(1) @binding(4) var emissive_sampler: sampler;
@group(1) @binding(5) var normal_picture: texture_2d<f32>;
@group(1) @binding(6) var normal_sampler: sampler;

struct VertexIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tex_coord: vec2<f32>,
    @location(3) color: vec4<f32>,
}

struct VertexOut {
    // Invariant, so that passes with other fragment shaders find the very same depth.
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) in_world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tex_coord: vec2<f32>,
    @location(3) color: vec4<f32>,
}

fn of_level(in: VertexIn) -> VertexOut {
    var out: VertexOut;
    out.clip = view.clip_from_world * vec4(in.position, 1.0);
    out.in_world = in.position;
    out.normal = in.normal;
    out.tex_coord = in.tex_coord;
    out.color = vec4(linear_from_srgb(in.color.rgb), in.color.a);
    return out;
}

@vertex
fn vertex(in: VertexIn) -> VertexOut {
    return of_level(in);
}

// The same for a surface with a normal map.
struct BentOut {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) in_world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tex_coord: vec2<f32>,
    @location(3) color: vec4<f32>,
    // w is the sign of the bitangent. Length 0 where there is none.
    @location(4) tangent: vec4<f32>,
}

fn with_tangent(out: VertexOut, tangent: vec4<f32>) -> BentOut {
    return BentOut(out.clip, out.in_world, out.normal, out.tex_coord, out.color, tangent);
}

@vertex
fn bent_vertex(in: VertexIn, @location(8) tangent: vec4<f32>) -> BentOut {
    return with_tangent(of_level(in), tangent);
}

// A copy of a model: the rows of the matrix that takes it to the world.
struct Instance {
    @location(4) x: vec4<f32>,
    @location(5) y: vec4<f32>,
    @location(6) z: vec4<f32>,
    // How much of it is seen.
    @location(7) opacity: f32,
}

fn of_copy(in: VertexIn, instance: Instance) -> VertexOut {
    let position = vec4(in.position, 1.0);
    let in_world = vec3(dot(instance.x, position), dot(instance.y, position), dot(instance.z, position));
    // Turned like the model, and stretched the other way: each column less its scale, twice. A mirrored copy shows its
    // triangles from behind, and its normals with them.
    let columns = transpose(mat3x3(instance.x.xyz, instance.y.xyz, instance.z.xyz));
    let scales = vec3(dot(columns[0], columns[0]), dot(columns[1], columns[1]), dot(columns[2], columns[2]));
    let mirrored = select(1.0, -1.0, determinant(columns) < 0.0);
    var out: VertexOut;
    out.clip = view.clip_from_world * vec4(in_world, 1.0);
    out.in_world = in_world;
    out.normal = normalize(columns * (in.normal / scales)) * mirrored;
    out.tex_coord = in.tex_coord;
    out.color = vec4(linear_from_srgb(in.color.rgb), in.color.a * instance.opacity);
    return out;
}

@vertex
fn copy_vertex(in: VertexIn, instance: Instance) -> VertexOut {
    return of_copy(in, instance);
}

@vertex
fn bent_copy_vertex(in: VertexIn, instance: Instance, @location(8) tangent: vec4<f32>) -> BentOut {
    // Tangents lie in the surface and are stretched with it. Those of a mirrored copy turn round with its normals, and so the
    // bitangent has the sign that it had.
    let turned = vec3(dot(instance.x.xyz, tangent.xyz), dot(instance.y.xyz, tangent.xyz), dot(instance.z.xyz, tangent.xyz));
    let rows = mat3x3(instance.x.xyz, instance.y.xyz, instance.z.xyz);
    let mirrored = select(1.0, -1.0, determinant(rows) < 0.0);
    let unit = turned / max(length(turned), 1e-20);
    return with_tangent(of_copy(in, instance), vec4(unit * mirrored, tangent.w));
}

// `geometric` is the normal without the slopes of a map.
fn light(in_world: vec3<f32>, normal: vec3<f32>, geometric: vec3<f32>) -> vec3<f32> {
    let ambient = mix(view.ambient_below.rgb, view.ambient_above.rgb, 0.5 + 0.5 * normal.y);
    var sun = view.sun.rgb * max(dot(normal, view.to_sun.xyz), 0.0);
    if view.shadow_caster == 1u && dot(normal, view.to_sun.xyz) > 0.0 {
        sun *= sunlit(in_world, geometric, view.to_sun.xyz);
    }
    let to_eye = view.eye_in_world.xyz - in_world;
    let distance = max(length(to_eye), 1e-6);
    let falloff = max(1.0 - pow(distance / view.lamp.w, 2.0), 0.0);
    let lamp = view.lamp.rgb * max(dot(normal, to_eye / distance), 0.0) * falloff * falloff;
    var sum = ambient + sun + lamp;
    for (var i = 0u; i < view.light_count; i++) {
        var received = light_from(view.lights[i], in_world, normal);
        if view.shadow_caster == i + 2u && any(received > vec3(0.0)) {
            received *= sunlit(in_world, geometric, -view.lights[i].direction_and_cosine.xyz);
        }
        sum += received;
    }
    return sum;
}

// How much of the sun reaches a surface. Shadows are looked up beside it, the farther the more it turns from the sun, so that it
// casts none on itself, and soften over a texel; the last map fades out.
fn sunlit(in_world: vec3<f32>, normal: vec3<f32>, to_sun: vec3<f32>) -> f32 {
    let cosine = dot(normal, to_sun);
    let aside_by = normal * sign(cosine) * (2.75 * sqrt(max(1.0 - cosine * cosine, 0.0))) + 0.5 * to_sun;
    let texels = f32(textureDimensions(shadow_maps).x);
    for (var map = 0; map < 4; map++) {
        let beside = in_world + aside_by * view.shadow_texels[map];
        let place = (view.shadow_from_world[map] * vec4(beside, 1.0)).xyz;
        let rim = max(abs(place.x), abs(place.y));
        // Also what lies behind the map's far side is for a larger one.
        if rim > 1.0 - 4.0 / texels || place.z > 1.0 {
            continue;
        }
        let at = vec2(0.5 + 0.5 * place.x, 0.5 - 0.5 * place.y);
        var sum = 0.0;
        for (var tap = 0; tap < 4; tap++) {
            let aside = vec2(f32(tap & 1) - 0.5, f32(tap >> 1u) - 0.5) * 1.5 / texels;
            sum += textureSampleCompareLevel(shadow_maps, shadow_sampler, at + aside, map, place.z);
        }
        let fade = select(0.0, smoothstep(0.8, 0.98, rim), map == 3);
        return mix(0.25 * sum, 1.0, fade);
    }
    return 1.0;
}

// Falls with the square of the distance, and softly to nothing at the range (as KHR_lights_punctual of glTF recommends).
fn light_from(source: Light, in_world: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let range = source.position_and_range.w;
    let direction = source.direction_and_cosine.xyz;
    if range == 0.0 {
        return source.color.rgb * max(-dot(normal, direction), 0.0);
    }
    let to_light = source.position_and_range.xyz - in_world;
    let distance = max(length(to_light), 1e-2);
    let window = clamp(1.0 - pow(distance / range, 4.0), 0.0, 1.0);
    let cone = smoothstep(source.direction_and_cosine.w, source.color.w, -dot(to_light, direction) / distance);
    return source.color.rgb * max(dot(normal, to_light / distance), 0.0) * window * cone / (distance * distance);
}

// Bright surfaces in full light keep their shading instead of clipping at white: values up to the knee stay, those above
// approach 1.
fn soften(color: vec3<f32>) -> vec3<f32> {
    let knee = 0.6;
    let above = max(color - knee, vec3(0.0));
    return min(color, vec3(knee)) + (1.0 - knee) * (1.0 - exp(-above / (1.0 - knee)));
}

// A surface seen from behind is lit from behind. Vertex normals of length 0 get the ambient light of a wall.
fn shade(in: VertexOut, normal: vec3<f32>, front: bool, albedo: vec3<f32>) -> vec3<f32> {
    let facing = normal / max(length(normal), 1e-6) * select(-1.0, 1.0, front);
    let geometric = in.normal / max(length(in.normal), 1e-6);
    return mix(soften(albedo * light(in.in_world, facing, geometric)), albedo, material.unlit);
}

// What the surface sends out whatever the light.
fn emission(tex_coord: vec2<f32>) -> vec3<f32> {
    if material.emissive.w == 0.0 {
        return material.emissive.rgb;
    }
    return material.emissive.rgb * textureSample(emissive_picture, emissive_sampler, tex_coord).rgb;
}

// The normal as the map bends it. As MikkTSpace wants it, the vectors between the vertices are taken as they are.
fn bent(in: VertexOut, tangent: vec4<f32>) -> vec3<f32> {
    let sampled = textureSample(normal_picture, normal_sampler, in.tex_coord).xyz * 2.0 - 1.0;
    let slope = vec3(sampled.xy * material.bump_scale, sampled.z);
    let bitangent = tangent.w * cross(in.normal, tangent.xyz);
    let normal = slope.x * tangent.xyz + slope.y * bitangent + slope.z * in.normal;
    return select(in.normal, normal, dot(tangent.xyz, tangent.xyz) > 0.0);
}

fn colored(in: VertexOut) -> vec4<f32> {
    return textureSample(picture, picture_sampler, in.tex_coord) * in.color * material.base_color;
}

@fragment
fn opaque(in: VertexOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let emitted = emission(in.tex_coord);
    return to_target(vec4(shade(in, in.normal, front, colored(in).rgb) + emitted, 1.0));
}

// Pictures are looked at before pixels are left out, as their mipmap is chosen by the pixels around.
@fragment
fn cut_out(in: VertexOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let emitted = emission(in.tex_coord);
    let color = colored(in);
    if color.a < material.cutoff {
        discard;
    }
    return to_target(vec4(shade(in, in.normal, front, color.rgb) + emitted, 1.0));
}

@fragment
fn blended(in: VertexOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let emitted = emission(in.tex_coord);
    let color = colored(in);
    return to_target(vec4(shade(in, in.normal, front, color.rgb) + emitted, color.a));
}

fn without_tangent(in: BentOut) -> VertexOut {
    return VertexOut(in.clip, in.in_world, in.normal, in.tex_coord, in.color);
}

@fragment
fn bent_opaque(in: BentOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let surface = without_tangent(in);
    let emitted = emission(in.tex_coord);
    let normal = bent(surface, in.tangent);
    return to_target(vec4(shade(surface, normal, front, colored(surface).rgb) + emitted, 1.0));
}

@fragment
fn bent_cut_out(in: BentOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let surface = without_tangent(in);
    let emitted = emission(in.tex_coord);
    let normal = bent(surface, in.tangent);
    let color = colored(surface);
    if color.a < material.cutoff {
        discard;
    }
    return to_target(vec4(shade(surface, normal, front, color.rgb) + emitted, 1.0));
}

@fragment
fn bent_blended(in: BentOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let surface = without_tangent(in);
    let emitted = emission(in.tex_coord);
    let normal = bent(surface, in.tangent);
    let color = colored(surface);
    return to_target(vec4(shade(surface, normal, front, color.rgb) + emitted, color.a));
}

// Bright enough to be seen before any surface, and still telling surfaces apart by their light.
@fragment
fn wireframe(in: VertexOut, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    return to_target(vec4(0.15 + 0.6 * shade(in, in.normal, front, vec3(1.0)), 1.0));
}
