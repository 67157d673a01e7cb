//! Drawing: the only code that knows the GPU. It knows no window.
//!
//! [`Gpu`] is the adapter, [`Renderer`] the pipelines for one format of target, [`LevelOnGpu`] a level with its materials,
//! [`Sky`] what is behind it. A [`Frame`] says what to show; [`Renderer::draw`] draws it to any target, and [`picture`]
//! to an image in memory.
//!
//! [`SunShadows`] come first, as depths seen from the sun. Then a frame is drawn in one pass with reversed depth (1 at the near plane, 0 infinitely far, in f32, which spreads the
//! precision evenly): opaque and cut-out surfaces in the order of the draw list, the sky where nothing was drawn, blended
//! triangles from back to front, lines.

mod bindings;
mod blended;
mod bodies;
mod frame;
mod gpu;
mod inspect;
mod level;
mod lines;
mod mipmaps;
mod occlusion;
mod picture;
mod pipelines;
mod renderer;
mod shadow_map;
mod shadows;
mod sky;
mod sky_around;
mod sky_files;
mod sky_fit;
mod sky_tone;
mod viewpoint;
mod walker_lines;

pub use bindings::Bindings;
pub use bodies::{Instances, ModelsOnGpu};
pub use frame::{Frame, Lighting, MOST_LIGHTS};
pub use gpu::{Backend, Gpu, GpuError, GpuOptions, adapters};
pub use inspect::{CellRange, Inspect, take_cells};
pub use level::{IndexOrder, LevelOnGpu};
pub use lines::{FRUSTUM_COLOR, LineVertex, color_of, push_box, push_frustum, push_visited_cells, reach_through};
pub use occlusion::Occlusion;
pub use picture::{PICTURE_FORMAT, check_size, off_screen, picture};
pub use renderer::{RenderStatistics, Renderer};
pub use shadows::SunShadows;
pub use sky::{Side, Sky, SkySource};
pub use sky_files::SkyError;
pub use viewpoint::{EYE_HEIGHT, overview, starting_view};
pub use walker_lines::{push_ellipsoid, push_step};

/// Reversed: greater is nearer. Of coplanar surfaces the last one drawn stays, so that a surface whose depth was drawn before
/// is drawn over it.
const NEARER: wgpu::CompareFunction = wgpu::CompareFunction::GreaterEqual;

/// The depth buffer of every pass.
const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
