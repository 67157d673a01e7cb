//! What is asked, and what everyone that answers looks like.

use glam::Vec3;

/// How far until something is hit along a ray.
#[derive(Clone, Copy, Debug)]
pub struct Cast {
    pub origin: Vec3,
    /// Of unit length.
    pub direction: Vec3,
}

/// The height of what lies below a point.
#[derive(Clone, Copy, Debug)]
pub struct Below(pub Vec3);

/// How far a ball of [`RADIUS`] gets.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub center: Vec3,
    pub displacement: Vec3,
}

/// Metres.
pub const RADIUS: f32 = 0.4;

/// Something that answers questions of a kind with a number, in metres, or with nothing.
///
/// A question holds plain coordinates: whatever a library wants made of them first, as a ray with the inverse of its
/// direction, is made inside, and so within the time.
pub trait Answer<Q> {
    fn one(&self, question: &Q) -> Option<f32>;

    /// Answers questions one after the other.
    fn all(&self, questions: &[Q], answers: &mut [Option<f32>]) {
        for (question, answer) in questions.iter().zip(answers) {
            *answer = self.one(question);
        }
    }
}

/// Heights from something that only knows rays.
pub struct RayDown<'a, T>(pub &'a T);

impl<T: Answer<Cast>> Answer<Below> for RayDown<'_, T> {
    fn one(&self, &Below(point): &Below) -> Option<f32> {
        let distance = self.0.one(&Cast { origin: point, direction: Vec3::NEG_Y })?;
        Some(point.y - distance)
    }
}
