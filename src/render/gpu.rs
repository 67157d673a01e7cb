//! The graphics device: which adapter is taken, and what it can do.

use std::fmt;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use wgpu::{Adapter, AdapterInfo, Backends, DeviceType, Dx12Compiler, Features, Instance, InstanceDescriptor, Surface};

/// Which graphics interface to draw through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best adapter of any; of one adapter, DX12 on Windows, Metal on macOS, else Vulkan, then GL.
    #[default]
    Auto,
    /// Vulkan.
    Vulkan,
    /// OpenGL ES 3 or OpenGL.
    Gl,
    /// Direct3D 12.
    Dx12,
    /// Metal.
    Metal,
}

impl Backend {
    fn backends(self) -> Backends {
        match self {
            Backend::Auto => Backends::VULKAN | Backends::GL | Backends::DX12 | Backends::METAL,
            Backend::Vulkan => Backends::VULKAN,
            Backend::Gl => Backends::GL,
            Backend::Dx12 => Backends::DX12,
            Backend::Metal => Backends::METAL,
        }
    }
}

/// Which adapter to take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Through which graphics interface.
    pub backend: Backend,
    /// A part of the adapter's name, in any case; `None` takes the fastest kind.
    pub adapter: Option<String>,
}

impl GpuOptions {
    /// A wgpu instance for these options. Off-screen drawing needs no display handle.
    pub fn instance(&self) -> Instance {
        Instance::new(self.instance_descriptor())
    }

    /// How to make the instance, for callers that add a display handle.
    pub fn instance_descriptor(&self) -> InstanceDescriptor {
        let mut descriptor = InstanceDescriptor::new_without_display_handle();
        descriptor.backends = self.backend.backends();
        // DXC where there is one, as it is faster and the adapter then offers more; FXC comes with Windows.
        descriptor.backend_options.dx12.shader_compiler = Dx12Compiler::Auto;
        descriptor
    }
}

/// What a machine without adapters lacks.
const DRIVER: &str = if cfg!(target_os = "linux") {
    "a Vulkan or OpenGL driver (the package mesa-vulkan-drivers on Debian, Ubuntu and Fedora)"
} else {
    "the driver of the graphics card"
};

/// Why there is nothing to draw with.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver answered.
    #[error("no graphics adapter found{}; install {DRIVER}", through(*.0))]
    NoAdapter(Backend),
    /// There are adapters, but none of that name.
    #[error("no graphics adapter is named like {name:?}; there are: {}", .have.join("; "))]
    NoSuchAdapter {
        /// What was asked for.
        name: String,
        /// What there is.
        have: Vec<String>,
    },
    /// The driver refused.
    #[error("the graphics adapter {adapter} gives no device: {reason}")]
    NoDevice {
        /// Name and interface.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// Something is larger than the adapter can hold.
    #[error("{what} needs {needs}, but {adapter} allows {allows}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How large it is, with unit.
        needs: String,
        /// What the adapter allows, with unit.
        allows: String,
        /// Name and interface.
        adapter: String,
    },
    /// The driver failed in the middle.
    #[error("the graphics driver failed: {0}")]
    Failed(String),
}

fn through(backend: Backend) -> String {
    match backend {
        Backend::Auto => String::new(),
        backend => format!(" for --backend {}", format!("{backend:?}").to_lowercase()),
    }
}

/// An adapter with its device and queue.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Where it all comes from.
    pub instance: Instance,
    /// The hardware or the software rasteriser.
    pub adapter: Adapter,
    /// Makes resources.
    pub device: wgpu::Device,
    /// Takes commands.
    pub queue: wgpu::Queue,
    info: AdapterInfo,
}

impl Gpu {
    /// A device that needs no window.
    pub fn headless(options: &GpuOptions) -> Result<Gpu, GpuError> {
        Gpu::choose(options.instance(), None, options)
    }

    /// A device that can show pictures on `surface`, which `instance` made.
    pub fn for_surface(instance: Instance, surface: &Surface<'_>, options: &GpuOptions) -> Result<Gpu, GpuError> {
        Gpu::choose(instance, Some(surface), options)
    }

    /// The device that a browser gives for `surface`, which `instance` made. It cannot be waited for there.
    #[cfg(target_arch = "wasm32")]
    pub async fn of_browser(instance: Instance, surface: &Surface<'_>) -> Result<Gpu, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(surface),
            ..Default::default()
        };
        let refused = |error: wgpu::RequestAdapterError| {
            GpuError::Failed(format!(
                "the browser gives neither WebGPU nor WebGL2 ({error}); turn on its use of graphics hardware"
            ))
        };
        let adapter = instance.request_adapter(&options).await.map_err(refused)?;
        Gpu::open(&instance, adapter).await
    }

    fn choose(instance: Instance, surface: Option<&Surface<'_>>, options: &GpuOptions) -> Result<Gpu, GpuError> {
        let mut adapters = pollster::block_on(instance.enumerate_adapters(options.backend.backends()));
        adapters.retain(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)));
        if adapters.is_empty() {
            return Err(GpuError::NoAdapter(options.backend));
        }
        adapters.sort_by_key(|adapter| preference(&adapter.get_info()));
        if let Some(name) = &options.adapter {
            let have = adapters.iter().map(|adapter| describe(&adapter.get_info())).collect();
            let wanted = name.to_lowercase();
            adapters.retain(|adapter| describe(&adapter.get_info()).to_lowercase().contains(&wanted));
            if adapters.is_empty() {
                return Err(GpuError::NoSuchAdapter { name: name.clone(), have });
            }
        }
        let mut refusal = GpuError::NoAdapter(options.backend);
        for adapter in adapters {
            match pollster::block_on(Gpu::open(&instance, adapter)) {
                Ok(gpu) => return Ok(gpu),
                Err(error) => refusal = error,
            }
        }
        Err(refusal)
    }

    async fn open(instance: &Instance, adapter: Adapter) -> Result<Gpu, GpuError> {
        let info = adapter.get_info();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("nodetree"),
            required_features: adapter.features() & Features::POLYGON_MODE_LINE,
            // All that there is: large levels have buffers and textures beyond the defaults.
            required_limits: adapter.limits(),
            ..Default::default()
        };
        match adapter.request_device(&descriptor).await {
            Ok((device, queue)) => Ok(Gpu { instance: instance.clone(), adapter, device, queue, info }),
            Err(error) => Err(GpuError::NoDevice { adapter: describe(&info), reason: error.to_string() }),
        }
    }

    /// Whether the processor draws: then fewer samples keep it fluent.
    pub fn is_software(&self) -> bool {
        self.info.device_type == DeviceType::Cpu
    }

    /// Name of the adapter and of the interface, for people.
    pub fn description(&self) -> String {
        describe(&self.info)
    }

    /// Whether triangles can be drawn as lines directly.
    pub(super) fn has_polygon_lines(&self) -> bool {
        self.device.features().contains(Features::POLYGON_MODE_LINE)
    }

    /// The strongest anisotropic filter that is worth its time here; 1 is none. In software it is none: llvmpipe walks over
    /// the whole ellipse that a pixel covers, which at grazing angles takes seconds a frame.
    pub(super) fn anisotropy(&self) -> u16 {
        let flags = self.adapter.get_downlevel_capabilities().flags;
        let has_filter = flags.contains(wgpu::DownlevelFlags::ANISOTROPIC_FILTERING);
        if has_filter && !self.is_software() { 16 } else { 1 }
    }

    /// The most samples a pixel, at most `wanted`, that targets of `format` can have.
    pub(super) fn supported_samples(&self, wanted: u32, format: wgpu::TextureFormat) -> u32 {
        let color = self.adapter.get_texture_format_features(format).flags;
        let depth = self.adapter.get_texture_format_features(super::DEPTH_FORMAT).flags;
        // Without WebGPU's guarantees only 1 and 4 may be asked for.
        [4].into_iter()
            .find(|&count| {
                count <= wanted && color.sample_count_supported(count) && depth.sample_count_supported(count)
            })
            .unwrap_or(1)
    }

    /// Does `work`, and tells when the driver ran out of memory over it; without this, wgpu ends the program.
    pub(super) fn catching<T>(&self, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        // What was not made for want of memory is invalid when it is used: that is told as well, but memory first.
        let invalid = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let out_of_memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let result = work();
        let out_of_memory = at_once(out_of_memory.pop());
        let invalid = at_once(invalid.pop());
        match out_of_memory.or(invalid) {
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::Failed("it ran out of memory".to_owned())),
            Some(error) => Err(GpuError::Failed(error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))),
            None => Ok(result),
        }
    }

    /// Complains when a buffer of that many bytes can't be had.
    pub(super) fn check_buffer(&self, what: &'static str, bytes: u64) -> Result<(), GpuError> {
        let most = self.device.limits().max_buffer_size;
        if bytes <= most {
            return Ok(());
        }
        let mebibytes = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
        Err(GpuError::TooLarge { what, needs: mebibytes(bytes), allows: mebibytes(most), adapter: self.description() })
    }
}

/// Every adapter that this machine has, best first, each in one line: name, interface, kind and driver.
pub fn adapters() -> Vec<String> {
    let instance = GpuOptions::default().instance();
    let mut infos: Vec<AdapterInfo> = pollster::block_on(instance.enumerate_adapters(Backend::Auto.backends()))
        .iter()
        .map(Adapter::get_info)
        .collect();
    infos.sort_by_key(preference);
    infos
        .iter()
        .map(|info| {
            let kind = match info.device_type {
                DeviceType::DiscreteGpu => "discrete",
                DeviceType::IntegratedGpu => "integrated",
                DeviceType::VirtualGpu => "virtual",
                DeviceType::Cpu => "software",
                DeviceType::Other => "unknown kind",
            };
            let driver = format!("{} {}", info.driver, info.driver_info);
            format!("{}, {kind}, driver {}", describe(info), driver.trim())
        })
        .collect()
}

/// What `future` has to say without waiting. Only a browser's WebGPU would make us wait; it tells of errors on its console.
fn at_once<T>(future: impl Future<Output = Option<T>>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => None,
    }
}

fn describe(info: &AdapterInfo) -> String {
    // Browsers do not say what it is.
    let name = if info.name.is_empty() { "graphics adapter" } else { &info.name };
    format!("{name} ({})", BackendName(info.backend))
}

/// How a backend is written for people.
struct BackendName(wgpu::Backend);

impl fmt::Display for BackendName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.0 {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Gl => "OpenGL",
            wgpu::Backend::Dx12 => "DX12",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::BrowserWebGpu => "WebGPU",
            wgpu::Backend::Noop => "no backend",
        })
    }
}

/// Adapters are tried in ascending order: fast kinds first, then the platform's own interface.
fn preference(info: &AdapterInfo) -> (u8, u8) {
    let kind = match info.device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    };
    let backend = match info.backend {
        wgpu::Backend::Dx12 | wgpu::Backend::Metal => 0,
        wgpu::Backend::Vulkan => 1,
        _ => 2,
    };
    (kind, backend)
}
