//! Pictures: the same renderer, drawn off-screen and read back.

use image::RgbaImage;

use super::frame::Frame;
use super::gpu::{Gpu, GpuError};
use super::level::LevelOnGpu;
use super::renderer::{RenderStatistics, Renderer};

/// The format of pictures: make the [`Renderer`] with it.
pub const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Draws `frame` to a picture of `size` pixels and reads it back. `renderer` draws [`PICTURE_FORMAT`].
pub fn picture(
    gpu: &Gpu,
    renderer: &mut Renderer,
    level: &mut LevelOnGpu,
    size: (u32, u32),
    frame: &Frame<'_>,
) -> Result<(RgbaImage, RenderStatistics), GpuError> {
    check_size(gpu, size, renderer.samples())?;
    off_screen(gpu, renderer.format(), size, |view| renderer.draw(gpu, level, view, size, frame))
}

/// Lets `draw` fill a target of `size` pixels, which the adapter must allow, and reads it back. `format` has eight bits for
/// each of red, green, blue and opacity, in this order or with blue first.
pub fn off_screen<T>(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    size: (u32, u32),
    draw: impl FnOnce(&wgpu::TextureView) -> T,
) -> Result<(RgbaImage, T), GpuError> {
    let (width, height) = size;
    // Rows in the buffer begin at multiples of 256 bytes.
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let (buffer, drawn) = gpu.catching(|| {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let drawn = draw(&view);
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("read back") });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: Some(height),
                },
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        gpu.queue.submit([encoder.finish()]);
        (buffer, drawn)
    })?;
    let mut pixels = Vec::with_capacity(4 * width as usize * height as usize);
    read(gpu, &buffer, |mapped| {
        mapped.chunks_exact(row as usize).for_each(|line| pixels.extend_from_slice(&line[..4 * width as usize]));
    })?;
    if format.remove_srgb_suffix() == wgpu::TextureFormat::Bgra8Unorm {
        pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
    }
    let image = RgbaImage::from_raw(width, height, pixels).expect("four bytes a pixel");
    Ok((image, drawn))
}

/// Waits until `buffer` is written and hands its bytes to `take`.
pub(super) fn read(gpu: &Gpu, buffer: &wgpu::Buffer, take: impl FnOnce(&[u8])) -> Result<(), GpuError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver is gone only when waiting failed, which is told below.
        let _ = sender.send(result);
    });
    let failed = |error: &dyn std::fmt::Display| GpuError::Failed(error.to_string());
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
    receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
    take(&buffer.get_mapped_range(..).map_err(|error| failed(&error))?);
    buffer.unmap();
    Ok(())
}

/// More samples in one picture than this are refused: with their depth they take 2 GiB, and drivers that run out of memory
/// do not always say so.
const MOST_SAMPLES: u64 = 1 << 28;

/// Complains about a size that the adapter can't draw with that many samples a pixel.
pub fn check_size(gpu: &Gpu, (width, height): (u32, u32), samples: u32) -> Result<(), GpuError> {
    let most = gpu.device.limits().max_texture_dimension_2d;
    let refuse = |allows: String| {
        Err(GpuError::TooLarge {
            what: "the picture",
            needs: format!("{width}x{height} pixels with {samples} samples each"),
            allows,
            adapter: gpu.description(),
        })
    };
    if width.max(height) > most || width.min(height) == 0 {
        return refuse(format!("1 to {most} pixels a side"));
    }
    if u64::from(width) * u64::from(height) * u64::from(samples) > MOST_SAMPLES {
        return refuse(format!("{MOST_SAMPLES} samples"));
    }
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    gpu.check_buffer("the picture", u64::from(row) * u64::from(height))
}
