//! A walker in lines: its body, and what its last step did.

use std::f32::consts::TAU;

use glam::Vec3;

use super::lines::LineVertex;
use crate::walk::{Settings, Walker};

/// Points of a ring around the body.
const AROUND: usize = 48;
/// Rings of the body that lie level, dense enough to look like a surface, and those that stand upright.
const LEVEL_RINGS: usize = 32;
const UPRIGHT_RINGS: usize = 8;
/// The body's colour where it is lit, and the part of that where it is not.
const BODY_COLOR: [f32; 3] = [150.0, 210.0, 255.0];
const SHADE: f32 = 0.5;
/// Where the light comes from: as from a lamp over the shoulder.
const LIGHT: Vec3 = Vec3::new(0.48, 0.8, 0.36);

const SWEEP_COLOR: [u8; 4] = [255, 80, 220, 255];
const CONTACT_COLOR: [u8; 4] = [255, 235, 60, 255];
const VELOCITY_COLOR: [u8; 4] = [90, 255, 150, 255];
/// Length of a contact's normal, in metres, and of the arms of the cross at its foot.
const NORMAL: f32 = 0.4;
const CROSS: f32 = 0.1;
/// The velocity is drawn as the way of so many seconds.
const VELOCITY_TIME: f32 = 0.25;

/// Appends an ellipsoid as rings, of which those parts are drawn that face `eye`, shaded as its surface is. Nothing when the
/// eye is in it or close to it.
pub fn push_ellipsoid(lines: &mut Vec<LineVertex>, center: Vec3, radii: Vec3, eye: Vec3) {
    if ((eye - center) / radii).length() < 1.5 {
        return;
    }
    let mut piece = |from: Vec3, to: Vec3| {
        let normal = (0.5 * (from + to) / radii).normalize_or_zero();
        let middle = center + 0.5 * (from + to) * radii;
        if normal.dot(eye - middle) > 0.0 {
            let light = SHADE + (1.0 - SHADE) * normal.dot(LIGHT).max(0.0);
            let [r, g, b] = BODY_COLOR.map(|part| (part * light) as u8);
            lines.extend(LineVertex::line(center + from * radii, center + to * radii, [r, g, b, 255]));
        }
    };
    let around = |step: usize| (TAU * step as f32 / AROUND as f32).sin_cos();
    for step in 0..AROUND {
        let [(sin, cos), (sin_next, cos_next)] = [around(step), around(step + 1)];
        for ring in 0..LEVEL_RINGS {
            let (radius, height) = (0.5 * TAU * (ring as f32 + 0.5) / LEVEL_RINGS as f32).sin_cos();
            piece(
                Vec3::new(radius * cos, height, radius * sin),
                Vec3::new(radius * cos_next, height, radius * sin_next),
            );
        }
        for ring in 0..UPRIGHT_RINGS {
            // Half a turn of them: each goes through both poles.
            let (z, x) = (0.5 * TAU * ring as f32 / UPRIGHT_RINGS as f32).sin_cos();
            piece(Vec3::new(x * cos, sin, z * cos), Vec3::new(x * cos_next, sin_next, z * cos_next));
        }
    }
}

/// Appends what the last step of a walker did: the sweeps of its body, at the height of the centre and of the feet; its
/// contacts with their normals; and its velocity as the way of a quarter of a second.
pub fn push_step(lines: &mut Vec<LineVertex>, walker: &Walker, settings: &Settings) {
    let (center, radii) = walker.ellipsoid(settings);
    let feet = Vec3::NEG_Y * radii.y;
    for &[from, to] in walker.sweeps() {
        for offset in [Vec3::ZERO, feet] {
            lines.extend(LineVertex::line(from + offset, to + offset, SWEEP_COLOR));
            push_cross(lines, to + offset, 0.5 * CROSS, SWEEP_COLOR);
        }
    }
    for contact in walker.contacts() {
        push_cross(lines, contact.point, CROSS, CONTACT_COLOR);
        lines.extend(LineVertex::line(contact.point, contact.point + NORMAL * contact.normal, CONTACT_COLOR));
    }
    lines.extend(LineVertex::line(center, center + VELOCITY_TIME * walker.velocity(), VELOCITY_COLOR));
}

fn push_cross(lines: &mut Vec<LineVertex>, at: Vec3, arm: f32, color: [u8; 4]) {
    for axis in Vec3::AXES {
        lines.extend(LineVertex::line(at - arm * axis, at + arm * axis, color));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Mode, Settings as TreeSettings, Tree};

    #[test]
    fn rings_lie_on_the_ellipsoid_and_face_the_eye() {
        let (center, radii, eye) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.35, 0.9, 0.35), Vec3::new(4.0, 3.0, 2.0));
        let mut lines = Vec::new();
        push_ellipsoid(&mut lines, center, radii, eye);
        assert!(lines.len() > 1000 && lines.len().is_multiple_of(2), "{}", lines.len());
        for end in &lines {
            let from_center = (end.position - center) / radii;
            assert!((from_center.length() - 1.0).abs() < 1e-5, "{end:?}");
            // A piece that faces it just so may end a little behind the outline.
            let normal = (from_center / radii).normalize();
            assert!(normal.dot((eye - end.position).normalize()) > -0.1, "{end:?}");
        }
        // The top is lit, the bottom is not.
        let height = |end: &&LineVertex| end.position.y;
        let top = lines.iter().max_by(|one, other| height(one).total_cmp(&height(other))).unwrap();
        let bottom = lines.iter().min_by(|one, other| height(one).total_cmp(&height(other))).unwrap();
        assert!(top.color[0] > bottom.color[0], "{top:?} and {bottom:?}");
        lines.clear();
        push_ellipsoid(&mut lines, center, radii, center + 1.2 * radii.y * Vec3::Y);
        assert!(lines.is_empty(), "close to the body there is nothing to see");
    }

    #[test]
    fn a_step_shows_its_contacts_and_where_it_went() {
        let floor = [[[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, -9.0]]].map(|corners| corners.map(Vec3::from));
        let tree = Tree::from_triangles(&floor, &[0], &TreeSettings::new(Mode::Octree));
        let settings = Settings::default();
        let mut walker = Walker::new(Vec3::new(-4.0, 0.01, -4.0), 0.0);
        for _ in 0..60 {
            walker.step(&tree, &settings, &crate::walk::Input { forward: 1.0, ..walker.input() });
        }
        let mut lines = Vec::new();
        push_step(&mut lines, &walker, &settings);
        let of_color = |color: [u8; 4]| lines.chunks(2).filter(move |line| line[0].color == color);
        let feet = walker.feet();
        let normal = of_color(CONTACT_COLOR).next_back().unwrap();
        // Where it stood before the step.
        assert!(normal[0].position.distance(feet) < 0.05 && normal[0].position.y.abs() < 1e-5, "{normal:?}");
        assert!(normal[1].position.distance(normal[0].position + NORMAL * Vec3::Y) < 1e-5, "{normal:?}");
        let sweep = of_color(SWEEP_COLOR).next().unwrap();
        let way = sweep[1].position - sweep[0].position;
        assert!((way.z + 4.0 / 120.0).abs() < 1e-3 && way.x.abs() < 1e-6, "{way}");
        let velocity = of_color(VELOCITY_COLOR).next().unwrap();
        assert!((velocity[1].position - velocity[0].position - Vec3::NEG_Z).length() < 1e-2, "{velocity:?}");
    }
}
