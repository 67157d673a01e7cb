//! The view of the camera that culls, in a corner of the window while another one looks.

use crate::render::{Frame, Gpu, LevelOnGpu, Renderer};

/// Its edges as parts of the window's.
pub const SHARE: f32 = 0.28;
/// Colours as egui takes them: encoded.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A picture that the display shows.
pub struct Inset {
    renderer: Renderer,
    view: wgpu::TextureView,
    size: (u32, u32),
    id: egui::TextureId,
}

impl Inset {
    /// For a window of `size` pixels.
    pub fn new(gpu: &Gpu, hud: &mut egui_wgpu::Renderer, size: (u32, u32)) -> Inset {
        let renderer = Renderer::new(gpu, FORMAT, None);
        let size = inset_size(size);
        let view = target(gpu, size);
        let id = hud.register_native_texture(&gpu.device, &view, wgpu::FilterMode::Linear);
        Inset { renderer, view, size, id }
    }

    /// Follows the window's size.
    pub fn resize(&mut self, gpu: &Gpu, hud: &mut egui_wgpu::Renderer, size: (u32, u32)) {
        let size = inset_size(size);
        if size != self.size {
            (self.size, self.view) = (size, target(gpu, size));
            hud.update_egui_texture_from_wgpu_texture(&gpu.device, &self.view, wgpu::FilterMode::Linear, self.id);
        }
    }

    /// What egui knows it by.
    pub fn id(&self) -> egui::TextureId {
        self.id
    }

    /// Draws it.
    pub fn draw(&mut self, gpu: &Gpu, level: &mut LevelOnGpu, frame: &Frame<'_>) {
        self.renderer.draw(gpu, level, &self.view, self.size, frame);
    }
}

fn inset_size((width, height): (u32, u32)) -> (u32, u32) {
    let part = |edge: u32| ((edge as f32 * SHARE) as u32).max(1);
    (part(width), part(height))
}

fn target(gpu: &Gpu, (width, height): (u32, u32)) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("inset"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
