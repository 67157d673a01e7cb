//! The window's surface and all that draws on it. Outdated and lost surfaces, windows without area and covered ones are
//! survived: there is then no picture, and the next call tries again.

use std::sync::Arc;

use egui_wgpu::ScreenDescriptor;
use wgpu::{CurrentSurfaceTexture, SurfaceConfiguration, SurfaceTexture, TextureFormat};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use crate::level::Level;
use crate::render::{Frame, Gpu, GpuError, GpuOptions, LevelOnGpu, RenderStatistics, Renderer};
use crate::tree::Tree;

/// A window that can be drawn on.
pub struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: SurfaceConfiguration,
    /// The configuration is not the surface's: it changed, or was never set.
    outdated: bool,
    gpu: Gpu,
    renderer: Renderer,
    level: LevelOnGpu,
    hud: egui_wgpu::Renderer,
}

/// The display's shapes, ready to draw.
pub struct HudShapes {
    /// What egui made.
    pub output: egui::FullOutput,
    /// The same, cut into triangles.
    pub primitives: Vec<egui::ClippedPrimitive>,
}

impl Screen {
    /// Opens the graphics device for `window` and uploads the level.
    pub fn new(
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
        options: &GpuOptions,
        samples: Option<u32>,
        level: &Level,
        tree: &Tree,
    ) -> Result<Screen, GpuError> {
        let display = Box::new(event_loop.owned_display_handle());
        let instance = wgpu::Instance::new(options.instance_descriptor().with_display_handle(display));
        let surface = instance
            .create_surface(Arc::clone(&window))
            .map_err(|error| GpuError::Failed(format!("no surface for the window: {error}")))?;
        let gpu = Gpu::for_surface(instance, &surface, options)?;
        let size = window.inner_size();
        let config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .map(|config| SurfaceConfiguration { format: encoded(&surface, &gpu, config.format), ..config })
            .ok_or_else(|| GpuError::Failed("the adapter cannot draw on the window".to_owned()))?;
        let config = SurfaceConfiguration { present_mode: wgpu::PresentMode::AutoVsync, ..config };
        let renderer = Renderer::new(&gpu, config.format, samples);
        let level = LevelOnGpu::new(&gpu, &renderer, level, tree)?;
        let hud = egui_wgpu::Renderer::new(&gpu.device, config.format, egui_wgpu::RendererOptions::default());
        Ok(Screen { window, surface, config, outdated: true, gpu, renderer, level, hud })
    }

    /// The graphics device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Reorders the level's triangles by another tree.
    pub fn set_tree(&mut self, level: &Level, tree: &Tree) {
        self.level.set_tree(&self.gpu, level, tree);
    }

    /// Draws and shows a frame. `None` when there is nothing to draw on at the moment.
    pub fn draw(&mut self, frame: &Frame<'_>, hud: &HudShapes) -> Option<RenderStatistics> {
        // Also when there is nothing to draw on: they are told once.
        for (id, deltas) in &hud.output.textures_delta.set {
            for delta in deltas {
                self.hud.update_texture(&self.gpu.device, &self.gpu.queue, *id, delta);
            }
        }
        let statistics = self.acquire().map(|target| self.draw_on(target, frame, hud));
        for id in &hud.output.textures_delta.free {
            self.hud.free_texture(id);
        }
        statistics
    }

    fn draw_on(&mut self, target: SurfaceTexture, frame: &Frame<'_>, hud: &HudShapes) -> RenderStatistics {
        let view = target.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let size = (self.config.width, self.config.height);
        let statistics = self.renderer.draw(&self.gpu, &mut self.level, &view, size, frame);
        self.draw_hud(&view, hud);
        self.window.pre_present_notify();
        self.gpu.queue.present(target);
        statistics
    }

    /// Brings the surface to the window's size; nothing while that has no area.
    fn configure(&mut self) -> bool {
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return false;
        }
        let most = self.gpu.device.limits().max_texture_dimension_2d;
        let (width, height) = (size.width.min(most), size.height.min(most));
        if self.outdated || (width, height) != (self.config.width, self.config.height) {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.gpu.device, &self.config);
            self.outdated = false;
        }
        true
    }

    fn acquire(&mut self) -> Option<SurfaceTexture> {
        // Once as it is, once more with a new configuration, once more with a new surface.
        for _ in 0..3 {
            if !self.configure() {
                return None;
            }
            match self.surface.get_current_texture() {
                CurrentSurfaceTexture::Success(texture) => return Some(texture),
                CurrentSurfaceTexture::Suboptimal(texture) => {
                    // Good enough for once; it is not to be reconfigured while the texture is out.
                    self.outdated = true;
                    return Some(texture);
                }
                CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Validation => self.outdated = true,
                CurrentSurfaceTexture::Lost => {
                    self.outdated = true;
                    self.surface = self.gpu.instance.create_surface(Arc::clone(&self.window)).ok()?;
                }
                CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => return None,
            }
        }
        None
    }

    /// Draws the display over what `view` shows.
    fn draw_hud(&mut self, view: &wgpu::TextureView, hud: &HudShapes) {
        let Gpu { device, queue, .. } = &self.gpu;
        let screen = ScreenDescriptor {
            size_in_pixels: [self.config.width, self.config.height],
            pixels_per_point: hud.output.pixels_per_point,
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("display") });
        let before = self.hud.update_buffers(device, queue, &mut encoder, &hud.primitives, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("display"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            self.hud.render(&mut pass.forget_lifetime(), &hud.primitives, &screen);
        }
        queue.submit(before.into_iter().chain([encoder.finish()]));
    }
}

/// The surface's format that encodes colours as sRGB by itself, where there is one.
fn encoded(surface: &wgpu::Surface<'_>, gpu: &Gpu, default: TextureFormat) -> TextureFormat {
    let formats = surface.get_capabilities(&gpu.adapter).formats;
    let encoded = default.add_srgb_suffix();
    if formats.contains(&encoded) {
        encoded
    } else {
        formats.into_iter().find(TextureFormat::is_srgb).unwrap_or(default)
    }
}
