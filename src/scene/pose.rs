//! Where something stands in its parent's space, and what others see of it from theirs.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::fault::Wrong;
use super::file::{Numbers, Stand};

/// Turned, scaled and moved in the space of a parent, in f64: scenes may be far from zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// In metres.
    pub translation: DVec3,
    /// Of unit length.
    pub rotation: DQuat,
    /// Along the thing's own axes, before the rotation; negative mirrors, 0 is not allowed.
    pub scale: DVec3,
}

impl Default for Pose {
    fn default() -> Pose {
        Pose { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    }
}

/// Scales beyond these turn numbers to noise.
const SCALES: [f64; 2] = [1e-6, 1e6];
/// The farthest translation, in metres.
const FARTHEST: f64 = 1e9;

impl Pose {
    /// Neither turned nor scaled.
    pub fn at(translation: DVec3) -> Pose {
        Pose { translation, ..Pose::default() }
    }

    /// The map from the thing's own space to its parent's.
    pub fn parent_from_own(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Checks that it is made of finite numbers in range and a rotation of unit length. The error says which is not.
    pub(super) fn check(&self) -> Result<(), Wrong> {
        let [least, most] = SCALES;
        if self.translation.is_nan() || self.translation.abs().max_element() > FARTHEST {
            let what = format!("translation must be made of numbers of at most {FARTHEST:.0} m");
            return Err(Wrong::at("translation", what));
        }
        if self.rotation.is_nan() || (self.rotation.length() - 1.0).abs() > 1e-6 {
            return Err(Wrong::at("rotation", "rotation must be of unit length"));
        }
        let sizes = self.scale.abs();
        if !(sizes.min_element() >= least && sizes.max_element() <= most) {
            return Err(Wrong::at("scale", "scale must be from 0.000001 to 1000000, or a mirroring negative"));
        }
        Ok(())
    }

    /// What an entry says.
    pub(super) fn of(stand: &Stand<'_>) -> Result<Pose, Wrong> {
        let pose = Pose {
            translation: stand.translation.map_or(Ok(DVec3::ZERO), |numbers| numbers.three("translation"))?,
            rotation: stand.rotation.map_or(Ok(DQuat::IDENTITY), rotation)?,
            scale: match stand.scale.map(|numbers| &numbers.0[..]) {
                None => DVec3::ONE,
                Some(&[all]) => DVec3::splat(all),
                Some(&[x, y, z]) => DVec3::new(x, y, z),
                Some(_) => return Err(Wrong::at("scale", "scale must be one number or three")),
            },
        };
        pose.check()?;
        Ok(pose)
    }
}

impl Numbers {
    /// Exactly three numbers. The error names the key.
    pub(super) fn three(&self, key: &'static str) -> Result<DVec3, Wrong> {
        match self.0[..] {
            [x, y, z] => Ok(DVec3::new(x, y, z)),
            _ => Err(Wrong::at(key, format!("{key} must be three numbers"))),
        }
    }
}

/// Yaw; or yaw, pitch and roll in degrees; or a quaternion.
fn rotation(numbers: &Numbers) -> Result<DQuat, Wrong> {
    let wrong = |what: &str| Err(Wrong::at("rotation", what));
    match numbers.0[..] {
        [yaw] => turn([yaw, 0.0, 0.0]),
        [yaw, pitch, roll] => turn([yaw, pitch, roll]),
        [x, y, z, w] => {
            let quaternion = DQuat::from_xyzw(x, y, z, w);
            let is_unit = (quaternion.length() - 1.0).abs() < 1e-3;
            if is_unit { Ok(quaternion.normalize()) } else { wrong("rotation must be a quaternion of length 1") }
        }
        _ => wrong("rotation must be a yaw, or yaw, pitch and roll in degrees, or a quaternion x, y, z, w"),
    }
}

/// Rolled about Z, then pitched about X, then turned about Y, in degrees.
fn turn(degrees: [f64; 3]) -> Result<DQuat, Wrong> {
    if !degrees.iter().all(|angle| angle.is_finite()) {
        return Err(Wrong::at("rotation", "rotation must be made of finite numbers"));
    }
    let [yaw, pitch, roll] = degrees.map(|angle| (angle % 360.0).to_radians());
    Ok(about(DVec3::Y, yaw) * about(DVec3::X, pitch) * about(DVec3::Z, roll))
}

/// The rotation about a unit axis by an angle in radians: the same bits in every build, as what moves walkers must be.
pub(super) fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// Takes a map apart; `None` where it leans, which scale, rotation and translation can't say.
pub(super) fn pose_of(map: &DAffine3) -> Option<Pose> {
    let columns = map.matrix3.to_cols_array_2d().map(DVec3::from_array);
    let mut scale = DVec3::from_array(columns.map(DVec3::length));
    if map.matrix3.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let [x, y, z] = [columns[0] / scale.x, columns[1] / scale.y, columns[2] / scale.z];
    let leaning = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
    (leaning < 1e-6 && rotation.is_finite()).then_some(Pose { translation: map.translation, rotation, scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaw_turns_left_and_pitch_upwards() {
        let ahead = DVec3::NEG_Z;
        let left = turn([90.0, 0.0, 0.0]).unwrap() * ahead;
        assert!(left.distance(DVec3::NEG_X) < 1e-12, "{left}");
        let up = turn([0.0, 90.0, 0.0]).unwrap() * ahead;
        assert!(up.distance(DVec3::Y) < 1e-12, "{up}");
        let turned = turn([90.0, 45.0, 0.0]).unwrap() * ahead;
        let half = 0.5_f64.sqrt();
        assert!(turned.distance(DVec3::new(-half, half, 0.0)) < 1e-12, "{turned}");
    }

    #[test]
    fn maps_are_taken_apart_unless_they_lean() {
        let pose = Pose {
            translation: DVec3::new(1.0, 2.0, 3.0),
            rotation: turn([30.0, 40.0, 50.0]).unwrap(),
            scale: DVec3::new(-2.0, 3.0, 0.5),
        };
        let found = pose_of(&pose.parent_from_own()).expect("it does not lean");
        assert!(found.parent_from_own().abs_diff_eq(pose.parent_from_own(), 1e-12), "{found:?}");
        let stretched = Pose { scale: DVec3::new(1.0, 2.0, 1.0), ..Pose::default() }.parent_from_own();
        assert_eq!(pose_of(&(stretched * pose.parent_from_own())), None);
    }
}
