//! The window's surface and all that draws on it. Outdated and lost surfaces, windows without area and covered ones are
//! survived: there is then no picture, and the next call tries again.

use std::sync::Arc;

use egui_wgpu::ScreenDescriptor;
use image::RgbaImage;
use wgpu::{CurrentSurfaceTexture, SurfaceConfiguration, SurfaceTexture, TextureFormat};
use winit::window::Window;

use super::Options;
use super::hiding::Hiding;
use super::inset::Inset;
use crate::bodies::{Balls, Props};
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::level::Level;
use crate::level::Light;
use crate::render::{
    self, Bindings, CellRange, Frame, Gpu, GpuError, IndexOrder, Inspect, Instances, LevelOnGpu, Lighting, LineVertex,
    ModelsOnGpu, RenderStatistics, Renderer, Sky, SkySource, SunShadows,
};
use crate::tree::Tree;

/// Formats in order of preference: all that pictures can be read from, those that encode colours as sRGB by themselves first.
const FORMATS: [TextureFormat; 4] = [
    TextureFormat::Bgra8UnormSrgb,
    TextureFormat::Rgba8UnormSrgb,
    TextureFormat::Bgra8Unorm,
    TextureFormat::Rgba8Unorm,
];

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
    models: ModelsOnGpu,
    sky: Sky,
    /// `None` where the sun casts none.
    shadows: Option<SunShadows>,
    hiding: Hiding,
    hud: egui_wgpu::Renderer,
    /// Made when it is first wanted.
    inset: Option<Inset>,
}

/// What a frame shows of the level.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// From where.
    pub camera: &'a Camera,
    /// From where the level is culled, if that is another camera.
    pub culled_from: Option<&'a Camera>,
    /// The tree that is in use.
    pub tree: &'a Tree,
    /// All props and balls, and how far between their last two steps the balls are.
    pub bodies: (&'a Props, &'a Balls, f64),
    /// Which triangles.
    pub draw_list: &'a DrawList,
    /// Which props and balls, and where.
    pub instances: &'a Instances,
    /// The lights of the level.
    pub lights: &'a [Light],
    /// Lines that the level can hide, two vertices each.
    pub lines: &'a [LineVertex],
    /// Lines that nothing hides, two vertices each.
    pub lines_on_top: &'a [LineVertex],
    /// Edges only.
    pub wireframe: bool,
    /// Something of the level instead of its materials.
    pub inspect: Option<Inspect>,
    /// The cells that culling took, if these are it.
    pub cells: &'a [CellRange],
}

/// The display's shapes, ready to draw.
pub struct HudShapes {
    /// Fonts to upload, and to let go of after the next frame.
    pub textures: egui::TexturesDelta,
    /// Triangles in points.
    pub primitives: Vec<egui::ClippedPrimitive>,
    /// Physical pixels for each point.
    pub pixels_per_point: f32,
}

fn upload(
    gpu: &Gpu,
    bindings: &Bindings,
    (level, tree, props): (&Level, &Tree, &Props),
    (sky, turn): (&SkySource, f32),
) -> Result<(LevelOnGpu, ModelsOnGpu, Sky), GpuError> {
    let level = LevelOnGpu::new(gpu, bindings, level, tree)?;
    let models = ModelsOnGpu::new(gpu, bindings, props)?;
    let mut sky = Sky::new(gpu, bindings, sky)?;
    sky.turn = turn;
    Ok((level, models, sky))
}

impl Screen {
    /// Uploads the level to the graphics device of `window`.
    pub fn new(
        window: Arc<Window>,
        (gpu, surface): (Gpu, wgpu::Surface<'static>),
        options: &Options,
        (level, tree, props): (&Level, &Tree, &Props),
        sky: (&SkySource, f32),
    ) -> Result<Screen, GpuError> {
        let size = window.inner_size();
        let config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| GpuError::Failed("the adapter cannot draw on the window".to_owned()))?;
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        let has = |format: &TextureFormat| formats.contains(format);
        let encoding = FORMATS.into_iter().filter(TextureFormat::is_srgb).find(has);
        // Else what the surface likes best, where that is one of them.
        let own = Some(config.format).filter(|format| FORMATS.contains(format));
        let format = encoding.or(own).or_else(|| FORMATS.into_iter().find(has));
        let config = SurfaceConfiguration {
            format: format.unwrap_or(config.format),
            present_mode: wgpu::PresentMode::AutoVsync,
            ..config
        };
        // WebGPU on the web has only surfaces that do not encode, but lets their views do so.
        let flags = gpu.adapter.get_downlevel_capabilities().flags;
        let encodes = flags.contains(wgpu::DownlevelFlags::SURFACE_VIEW_FORMATS);
        let format = if encodes { config.format.add_srgb_suffix() } else { config.format };
        let view_formats = if format == config.format { Vec::new() } else { vec![format] };
        let config = SurfaceConfiguration { view_formats, ..config };
        let renderer = Renderer::new(&gpu, format, options.samples);
        let (level, models, sky) = upload(&gpu, renderer.bindings(), (level, tree, props), sky)?;
        let shadows = options.shadows.then(|| SunShadows::new(Renderer::shadow_resolution(&gpu)));
        let hiding = Hiding::new(&gpu, renderer.samples(), options.occlusion);
        let hud = egui_wgpu::Renderer::new(&gpu.device, format, egui_wgpu::RendererOptions::default());
        Ok(Screen {
            window,
            surface,
            config,
            outdated: true,
            gpu,
            renderer,
            level,
            models,
            sky,
            shadows,
            hiding,
            hud,
            inset: None,
        })
    }

    /// The graphics device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Takes the order of another tree.
    pub fn set_order(&mut self, order: IndexOrder) -> Result<(), GpuError> {
        self.level.set_order(&self.gpu, order)
    }

    /// Takes another level in the place of the one that it has, which stays where that fails.
    pub fn set_level(&mut self, contents: (&Level, &Tree, &Props), sky: (&SkySource, f32)) -> Result<(), GpuError> {
        (self.level, self.models, self.sky) = upload(&self.gpu, self.renderer.bindings(), contents, sky)?;
        if self.shadows.is_some() {
            self.shadows = Some(SunShadows::new(Renderer::shadow_resolution(&self.gpu)));
        }
        Ok(())
    }

    /// The picture of the camera that culls, made if need be.
    pub fn inset(&mut self) -> egui::TextureId {
        let size = (self.config.width, self.config.height);
        let inset = self.inset.get_or_insert_with(|| Inset::new(&self.gpu, &mut self.hud, size));
        inset.resize(&self.gpu, &mut self.hud, size);
        inset.id()
    }

    /// Leaves what is hidden out of a list of what the level's tree shows to a camera, where that pays.
    ///
    /// # Errors
    /// When the driver fails; the list is whole.
    pub fn leave_out_hidden(&mut self, tree: &Tree, camera: &Camera, list: &mut DrawList) -> Result<(), GpuError> {
        let size = (self.config.width, self.config.height);
        self.hiding.leave_out(&self.gpu, (&self.level, tree), camera, size, list)
    }

    /// Draws and shows a frame. `None` when there is nothing to draw on at the moment.
    pub fn draw(&mut self, shown: &Shown<'_>, hud: &mut HudShapes) -> Option<RenderStatistics> {
        // Also when there is nothing to draw on: egui tells of them once.
        for (id, deltas) in &hud.textures.set {
            for delta in deltas {
                self.hud.update_texture(&self.gpu.device, &self.gpu.queue, *id, delta);
            }
        }
        let statistics = self.acquire().map(|target| {
            let format = Some(self.renderer.format());
            let view = target.texture.create_view(&wgpu::TextureViewDescriptor { format, ..Default::default() });
            let size = (self.config.width, self.config.height);
            let statistics = self.draw_shown(&view, size, shown);
            self.draw_hud(&view, size, hud);
            self.window.pre_present_notify();
            self.gpu.queue.present(target);
            statistics
        });
        for id in &hud.textures.free {
            self.hud.free_texture(id);
        }
        hud.textures.clear();
        statistics
    }

    /// Draws what the last [`Screen::draw`] showed to a picture, with `hud` or without.
    pub fn picture(&mut self, shown: &Shown<'_>, hud: Option<&HudShapes>) -> Result<RgbaImage, GpuError> {
        let size = (self.config.width, self.config.height);
        let gpu = self.gpu.clone();
        let (picture, ()) = render::off_screen(&gpu, self.renderer.format(), size, |view| {
            self.draw_shown(view, size, shown);
            if let Some(hud) = hud {
                self.draw_hud(view, size, hud);
            }
        })?;
        Ok(picture)
    }

    fn draw_shown(&mut self, view: &wgpu::TextureView, size: (u32, u32), shown: &Shown<'_>) -> RenderStatistics {
        if let Some(shadows) = &mut self.shadows {
            shadows.cast(shown.tree, shown.camera, Lighting::direction_to_sun(shown.lights), Some(shown.bodies));
        }
        let frame = Frame::new(shown.camera, shown.draw_list, &self.sky);
        let frame = Frame {
            shadows: self.shadows.as_ref(),
            occlusion: self.hiding.occlusion(),
            lighting: frame.lighting.with(shown.lights.iter().copied(), shown.camera.eye),
            lines: shown.lines,
            lines_on_top: shown.lines_on_top,
            bodies: Some((&self.models, shown.instances)),
            wireframe: shown.wireframe,
            inspect: shown.inspect,
            cells: shown.cells,
            ..frame
        };
        if let Some((camera, inset)) = shown.culled_from.zip(self.inset.as_mut()) {
            let frame = Frame {
                camera,
                shadows: None,
                occlusion: None,
                lines: &[],
                lines_on_top: &[],
                inspect: None,
                ..frame.clone()
            };
            inset.draw(&self.gpu, &mut self.level, &frame);
        }
        self.renderer.draw(&self.gpu, &mut self.level, view, size, &frame)
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
    fn draw_hud(&mut self, view: &wgpu::TextureView, (width, height): (u32, u32), hud: &HudShapes) {
        let Gpu { device, queue, .. } = &self.gpu;
        let screen = ScreenDescriptor { size_in_pixels: [width, height], pixels_per_point: hud.pixels_per_point };
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
