//! Where a window's pictures come from: the device of a desktop, which can be opened whenever it is wanted.

use std::sync::Arc;

use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

use super::Options;
use crate::render::{Gpu, GpuError};

/// What opens the graphics device.
#[derive(Default)]
pub struct Graphics;

impl Graphics {
    /// What the window is like.
    pub fn attributes(&self, (width, height): (u32, u32)) -> WindowAttributes {
        Window::default_attributes().with_inner_size(PhysicalSize::new(width, height))
    }

    /// The device for `window`, and its surface.
    pub fn open(
        &mut self,
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        options: &Options,
    ) -> Result<(Gpu, wgpu::Surface<'static>), GpuError> {
        let display = Box::new(event_loop.owned_display_handle());
        let instance = wgpu::Instance::new(options.gpu.instance_descriptor().with_display_handle(display));
        let surface = instance
            .create_surface(Arc::clone(window))
            .map_err(|error| GpuError::Failed(format!("no surface for the window: {error}")))?;
        let gpu = Gpu::for_surface(instance, &surface, &options.gpu)?;
        Ok((gpu, surface))
    }
}
