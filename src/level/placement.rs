//! How file coordinates become level coordinates.

use glam::DVec3;

/// Which axis of the file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// As nodetree has it.
    #[default]
    Y,
    /// As many modellers have it: (x, y, z) becomes (x, z, -y).
    Z,
}

/// Which hand the file's axes follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handedness {
    /// As nodetree has it.
    #[default]
    Right,
    /// Z is mirrored and the winding turned.
    Left,
}

/// How file coordinates become level coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Which axis of the file points up.
    pub up: UpAxis,
    /// Metres per unit of the file, above 0 and finite.
    pub scale: f64,
    /// Which hand the file's axes follow.
    pub handedness: Handedness,
}

impl Default for Placement {
    fn default() -> Placement {
        Placement { up: UpAxis::Y, scale: 1.0, handedness: Handedness::Right }
    }
}

impl Placement {
    /// A position of the file in level coordinates.
    pub fn to_level(&self, file: DVec3) -> DVec3 {
        self.turn(file) * self.scale
    }

    /// A direction of the file in level coordinates, of the same length.
    pub fn turn(&self, file: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = file;
        let DVec3 { x, y, z } = match self.up {
            UpAxis::Y => DVec3::new(x, y, z),
            UpAxis::Z => DVec3::new(x, z, -y),
        };
        match self.handedness {
            Handedness::Right => DVec3::new(x, y, z),
            Handedness::Left => DVec3::new(x, y, -z),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: DVec3 = DVec3::new(1.0, 2.0, 3.0);

    fn placed(up: UpAxis, handedness: Handedness) -> DVec3 {
        Placement { up, scale: 0.5, handedness }.to_level(FILE)
    }

    #[test]
    fn axes_turn_and_mirror() {
        assert_eq!(placed(UpAxis::Y, Handedness::Right), DVec3::new(0.5, 1.0, 1.5));
        assert_eq!(placed(UpAxis::Y, Handedness::Left), DVec3::new(0.5, 1.0, -1.5));
        assert_eq!(placed(UpAxis::Z, Handedness::Right), DVec3::new(0.5, 1.5, -1.0));
        assert_eq!(placed(UpAxis::Z, Handedness::Left), DVec3::new(0.5, 1.5, 1.0));
    }

    #[test]
    fn only_the_left_hand_mirrors() {
        for up in [UpAxis::Y, UpAxis::Z] {
            for (handedness, determinant) in [(Handedness::Right, 1.0), (Handedness::Left, -1.0)] {
                let placement = Placement { up, scale: 3.0, handedness };
                let [x, y, z] = DVec3::AXES.map(|axis| placement.turn(axis));
                assert_eq!(x.cross(y).dot(z), determinant);
            }
        }
    }
}
