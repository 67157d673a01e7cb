//! Lights of a glTF file: `KHR_lights_punctual`.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DMat4, DVec3, Vec3};
use gltf::json::extensions::scene::khr_lights_punctual::Type;
use gltf::json::validation::Checked;
use gltf::{Document, Node};

use crate::level::{LampKind, Light};

/// Candela, or lux of a sun, of a light under which a surface shows its own colour at 1 m. glTF leaves the exposure open; this is that
/// of Blender, whose exporter takes a watt for 683 lumens and which shows as white what sends out 1 W/(m² sr). A white surface does so
/// under π W/m².
const UNIT: f32 = 683.0 * PI;

/// Where a light without a range ends: there it is weaker than this.
const WEAKEST: f32 = 1.0 / 4096.0;

/// The brightest light, and the longest range in metres.
const MOST: f32 = 1e6;

/// The light of a node, with its place in the file; `None` where it has none, or one that does not shine.
pub(super) fn of_node(document: &Document, node: &Node<'_>, level_from_node: DMat4) -> Option<(DVec3, Light)> {
    let number = node.light()?.index();
    let light = document.as_json().extensions.as_ref()?.khr_lights_punctual.as_ref()?.lights.get(number)?;
    let Checked::Valid(kind) = light.type_ else { return None };
    let color = Vec3::from_array(light.color.map(|part| (part * light.intensity / UNIT).clamp(0.0, MOST)));
    let brightest = color.max_element();
    let range = light.range.filter(|&range| range > 0.0).unwrap_or((brightest / WEAKEST).sqrt()).min(MOST);
    let kind = match kind {
        Type::Directional => LampKind::Sun,
        Type::Point => LampKind::Point { range },
        Type::Spot => {
            let (inner, outer) =
                light.spot.as_ref().map_or((0.0, PI / 4.0), |spot| (spot.inner_cone_angle, spot.outer_cone_angle));
            let half_angle = outer.clamp(1e-3, FRAC_PI_2);
            LampKind::Spot { range, half_angle, inner_angle: inner.clamp(0.0, half_angle) }
        }
    };
    let direction = level_from_node.transform_vector3(DVec3::NEG_Z).normalize_or(DVec3::NEG_Z).as_vec3();
    // Where it is stands beside it, in f64.
    let light = Light { kind, color, position: Vec3::ZERO, direction };
    (brightest > 0.0).then_some((level_from_node.w_axis.truncate(), light))
}
