//! When what is hidden behind nearer surfaces is left out.

use crate::camera::Camera;
use crate::cull::DrawList;
use crate::render::{Gpu, GpuError, LevelOnGpu, Occlusion};
use crate::tree::Tree;

/// Whether to leave out what is hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UseOcclusion {
    /// On software adapters, while it hides enough. Others draw faster than they wait for an answer.
    #[default]
    Auto,
    /// Always.
    On,
    /// Not until it is asked for.
    Off,
}

impl UseOcclusion {
    /// Whether it is in use at the start.
    pub fn begins(self, gpu: &Gpu) -> bool {
        match self {
            UseOcclusion::Auto => gpu.is_software(),
            UseOcclusion::On => true,
            UseOcclusion::Off => false,
        }
    }
}

/// It pays when it hides more than this part of the triangles in view.
const LEAST_SHARE: f32 = 0.25;
/// Frames without it after one in which it did not.
const REST: u32 = 60;

/// Occlusion culling for a screen, with its rests.
pub struct Hiding {
    /// `None` where the adapter cannot do it.
    occlusion: Option<Occlusion>,
    rests: bool,
    rest: u32,
}

impl Hiding {
    /// For pictures with so many samples a pixel.
    pub fn new(gpu: &Gpu, samples: u32, wanted: UseOcclusion) -> Hiding {
        Hiding { occlusion: Occlusion::new(gpu, samples), rests: wanted == UseOcclusion::Auto, rest: 0 }
    }

    /// What the last list was culled with.
    pub fn occlusion(&self) -> Option<&Occlusion> {
        self.occlusion.as_ref()
    }

    /// Leaves out of `list`, which holds what is in the frustum, what is hidden, unless that does not pay at the moment.
    ///
    /// # Errors
    /// When the driver fails; the list is whole.
    pub fn leave_out(
        &mut self,
        gpu: &Gpu,
        contents: (&LevelOnGpu, &Tree),
        camera: &Camera,
        size: (u32, u32),
        list: &mut DrawList,
    ) -> Result<(), GpuError> {
        let Some(occlusion) = self.occlusion.as_mut() else { return Ok(()) };
        if self.rests && self.rest > 0 {
            self.rest -= 1;
            occlusion.forget();
            return Ok(());
        }
        occlusion.cull(gpu, contents, camera, size, list)?;
        let statistics = list.statistics();
        let hidden = statistics.hidden_triangles as f32;
        if hidden < LEAST_SHARE * (hidden + statistics.triangles as f32) {
            self.rest = REST;
        }
        Ok(())
    }
}
