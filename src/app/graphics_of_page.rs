//! Where a window's pictures come from in a browser: from a device that was waited for before there was a window.

use std::sync::Arc;

use web_sys::HtmlCanvasElement;
use winit::event_loop::ActiveEventLoop;
use winit::platform::web::WindowAttributesExtWebSys;
use winit::window::{Window, WindowAttributes};

use super::Options;
use crate::render::{Gpu, GpuError};

/// A canvas, and the device that draws on it until it is lost.
pub struct Graphics {
    canvas: HtmlCanvasElement,
    opened: Option<(Gpu, wgpu::Surface<'static>)>,
}

impl Graphics {
    /// Asks the browser for a device: WebGPU where it has that and `webgpu` allows it, else WebGL2.
    pub async fn of(canvas: HtmlCanvasElement, webgpu: bool) -> Result<Graphics, GpuError> {
        let backends =
            if webgpu { wgpu::Backends::BROWSER_WEBGPU } else { wgpu::Backends::empty() } | wgpu::Backends::GL;
        let descriptor =
            wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::new_without_display_handle() };
        let instance = wgpu::util::new_instance_with_webgpu_detection(descriptor).await;
        let surface = instance
            .create_surface(wgpu::SurfaceTarget::Canvas(canvas.clone()))
            .map_err(|error| GpuError::Failed(format!("nothing can be drawn on the page: {error}")))?;
        let gpu = Gpu::of_browser(instance, &surface).await?;
        Ok(Graphics { canvas, opened: Some((gpu, surface)) })
    }

    /// What the window is like: the canvas, as large as the page has it.
    pub fn attributes(&self, _: (u32, u32)) -> WindowAttributes {
        Window::default_attributes().with_canvas(Some(self.canvas.clone()))
    }

    /// The device for the canvas, and its surface; once.
    pub fn open(
        &mut self,
        _: &ActiveEventLoop,
        _: &Arc<Window>,
        _: &Options,
    ) -> Result<(Gpu, wgpu::Surface<'static>), GpuError> {
        let gone = || GpuError::Failed("the browser took the graphics device away; load the page again".to_owned());
        self.opened.take().ok_or_else(gone)
    }
}
