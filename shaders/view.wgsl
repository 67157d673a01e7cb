// What every pass knows of the camera and the light. Colours are linear.

struct Light {
    // w is the range in metres; 0 for a sun, which shines from everywhere.
    position_and_range: vec4<f32>,
    // The unit direction of suns and spots, and the cosine of the angle from a spot's axis to its rim.
    direction_and_cosine: vec4<f32>,
    // w is the cosine of the angle to where a spot's soft rim begins. Other lights have a rim that everything is inside of.
    color: vec4<f32>,
}

struct View {
    clip_from_world: mat4x4<f32>,
    eye_in_world: vec4<f32>,
    // Light from straight above and from straight below.
    ambient_above: vec4<f32>,
    ambient_below: vec4<f32>,
    // Unit direction towards the sun.
    to_sun: vec4<f32>,
    sun: vec4<f32>,
    // The lamp at the eye; w is its range in metres.
    lamp: vec4<f32>,
    // The direction of a pixel in the sky's space is ahead + x * right + y * up, x and y from -1 to 1.
    sky_ahead: vec4<f32>,
    sky_right: vec4<f32>,
    sky_up: vec4<f32>,
    // For each shadow map, to it from the world: X and Y from -1 to 1, depth from 0 nearest to the sun.
    shadow_from_world: array<mat4x4<f32>, 4>,
    // The edge of a texel of each map, in metres.
    shadow_texels: vec4<f32>,
    lights: array<Light, 64>,
    light_count: u32,
    // Whose shadows they are: 0 no one's, 1 the sun's, from 2 on those of the lights.
    shadow_caster: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// True where the target keeps what is written instead of encoding it.
override encode_srgb: bool = false;

// IEC 61966-2-1.
fn srgb_from_linear(linear: vec3<f32>) -> vec3<f32> {
    let clamped = clamp(linear, vec3(0.0), vec3(1.0));
    return select(1.055 * pow(clamped, vec3(1.0 / 2.4)) - 0.055, 12.92 * clamped, clamped <= vec3(0.0031308));
}

fn linear_from_srgb(encoded: vec3<f32>) -> vec3<f32> {
    return select(pow((encoded + 0.055) / 1.055, vec3(2.4)), encoded / 12.92, encoded <= vec3(0.04045));
}

fn to_target(color: vec4<f32>) -> vec4<f32> {
    if encode_srgb {
        return vec4(srgb_from_linear(color.rgb), color.a);
    }
    return color;
}
