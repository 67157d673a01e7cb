//! Embree 3.13 through its C API: robust, one ray at a time.

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicIsize, Ordering};

use glam::Vec3;

use crate::answer::{Answer, Cast};
use crate::building::BuildTime;
use crate::scene::Scene;

/// The part of `rtcore.h` that is needed, names and layouts as there.
#[allow(non_snake_case, non_camel_case_types)]
mod sys {
    use super::{c_char, c_uint, c_void};

    pub type RTCDevice = *mut c_void;
    pub type RTCScene = *mut c_void;
    pub type RTCGeometry = *mut c_void;

    pub const RTC_DEVICE_PROPERTY_VERSION: c_uint = 0;
    pub const RTC_GEOMETRY_TYPE_TRIANGLE: c_uint = 0;
    pub const RTC_BUFFER_TYPE_INDEX: c_uint = 0;
    pub const RTC_BUFFER_TYPE_VERTEX: c_uint = 1;
    pub const RTC_FORMAT_UINT3: c_uint = 0x5003;
    pub const RTC_FORMAT_FLOAT3: c_uint = 0x9003;
    pub const RTC_SCENE_FLAG_ROBUST: c_uint = 1 << 2;
    pub const RTC_INVALID_GEOMETRY_ID: c_uint = c_uint::MAX;

    #[repr(C)]
    pub struct RTCIntersectContext {
        pub flags: c_uint,
        pub filter: *const c_void,
        pub instID: [c_uint; 1],
    }

    #[repr(C, align(16))]
    pub struct RTCRay {
        pub org: [f32; 3],
        pub tnear: f32,
        pub dir: [f32; 3],
        pub time: f32,
        pub tfar: f32,
        pub mask: c_uint,
        pub id: c_uint,
        pub flags: c_uint,
    }

    #[repr(C, align(16))]
    pub struct RTCHit {
        pub Ng: [f32; 3],
        pub u: f32,
        pub v: f32,
        pub primID: c_uint,
        pub geomID: c_uint,
        pub instID: [c_uint; 1],
    }

    #[repr(C)]
    pub struct RTCRayHit {
        pub ray: RTCRay,
        pub hit: RTCHit,
    }

    pub type RTCMemoryMonitorFunction = extern "C" fn(user: *mut c_void, bytes: isize, post: bool) -> bool;

    #[link(name = "embree3")]
    unsafe extern "C" {
        pub fn rtcNewDevice(config: *const c_char) -> RTCDevice;
        pub fn rtcReleaseDevice(device: RTCDevice);
        pub fn rtcGetDeviceProperty(device: RTCDevice, property: c_uint) -> isize;
        pub fn rtcGetDeviceError(device: RTCDevice) -> c_uint;
        pub fn rtcSetDeviceMemoryMonitorFunction(
            device: RTCDevice,
            monitor: RTCMemoryMonitorFunction,
            user: *mut c_void,
        );
        pub fn rtcNewScene(device: RTCDevice) -> RTCScene;
        pub fn rtcReleaseScene(scene: RTCScene);
        pub fn rtcSetSceneFlags(scene: RTCScene, flags: c_uint);
        pub fn rtcCommitScene(scene: RTCScene);
        pub fn rtcNewGeometry(device: RTCDevice, kind: c_uint) -> RTCGeometry;
        pub fn rtcReleaseGeometry(geometry: RTCGeometry);
        pub fn rtcSetSharedGeometryBuffer(
            geometry: RTCGeometry,
            kind: c_uint,
            slot: c_uint,
            format: c_uint,
            data: *const c_void,
            offset: usize,
            stride: usize,
            count: usize,
        );
        pub fn rtcCommitGeometry(geometry: RTCGeometry);
        pub fn rtcAttachGeometry(scene: RTCScene, geometry: RTCGeometry) -> c_uint;
        pub fn rtcIntersect1(scene: RTCScene, context: *mut RTCIntersectContext, hit: *mut RTCRayHit);
    }
}

pub struct Embree {
    device: sys::RTCDevice,
    scene: sys::RTCScene,
    /// Bytes that it allocated itself.
    bytes: isize,
    /// Read by Embree as long as the scene lives.
    vertices: Vec<[f32; 3]>,
    indices: Vec<[u32; 3]>,
}

/// Bytes that all devices together hold.
static BYTES: AtomicIsize = AtomicIsize::new(0);

extern "C" fn count(_: *mut c_void, bytes: isize, _: bool) -> bool {
    BYTES.fetch_add(bytes, Ordering::Relaxed);
    true
}

impl Embree {
    pub fn build(scene: &Scene, time: &mut BuildTime) -> Embree {
        const CONFIG: &CStr = c"threads=1";
        let mut vertices: Vec<[f32; 3]> = scene.positions.iter().map(Vec3::to_array).collect();
        // It loads 16 bytes a vertex, beyond the last one.
        vertices.push([0.0; 3]);
        // SAFETY: the string ends with a zero; a device may be made at any time.
        let device = unsafe { sys::rtcNewDevice(CONFIG.as_ptr()) };
        assert!(!device.is_null(), "Embree makes no device");
        let before = BYTES.load(Ordering::Relaxed);
        // SAFETY: the device lives, and `count` may be called at any time, from any thread.
        let mesh = unsafe {
            sys::rtcSetDeviceMemoryMonitorFunction(device, count, ptr::null_mut());
            sys::rtcNewScene(device)
        };
        let indices = scene.indices.clone();
        let mut embree = Embree { device, scene: mesh, bytes: 0, vertices, indices };
        // SAFETY: device and scene live. The buffers have the stride, the number of items and the padding that are told, are not
        // changed, and outlive the scene (see `drop`).
        unsafe {
            sys::rtcSetSceneFlags(mesh, sys::RTC_SCENE_FLAG_ROBUST);
            let geometry = sys::rtcNewGeometry(device, sys::RTC_GEOMETRY_TYPE_TRIANGLE);
            let (vertices, indices) = (&embree.vertices, &embree.indices);
            sys::rtcSetSharedGeometryBuffer(
                geometry,
                sys::RTC_BUFFER_TYPE_VERTEX,
                0,
                sys::RTC_FORMAT_FLOAT3,
                vertices.as_ptr().cast(),
                0,
                size_of_val(&vertices[0]),
                vertices.len() - 1,
            );
            sys::rtcSetSharedGeometryBuffer(
                geometry,
                sys::RTC_BUFFER_TYPE_INDEX,
                0,
                sys::RTC_FORMAT_UINT3,
                indices.as_ptr().cast(),
                0,
                size_of_val(&indices[0]),
                indices.len(),
            );
            time.of(|| {
                sys::rtcCommitGeometry(geometry);
                sys::rtcAttachGeometry(mesh, geometry);
                sys::rtcCommitScene(mesh);
            });
            sys::rtcReleaseGeometry(geometry);
            assert_eq!(sys::rtcGetDeviceError(device), 0, "Embree's error code");
        }
        embree.bytes = BYTES.load(Ordering::Relaxed) - before;
        embree
    }

    /// Bytes that it allocated itself, which our allocator does not see.
    pub fn own_bytes(&self) -> usize {
        self.bytes as usize
    }

    /// Its version, as in 31305.
    pub fn version() -> isize {
        // SAFETY: no configuration is asked for; the device is released once, after its last use.
        unsafe {
            let device = sys::rtcNewDevice(ptr::null());
            let version = sys::rtcGetDeviceProperty(device, sys::RTC_DEVICE_PROPERTY_VERSION);
            sys::rtcReleaseDevice(device);
            version
        }
    }
}

impl Drop for Embree {
    fn drop(&mut self) {
        // SAFETY: both were made in `build`, and nothing uses them later; the buffers are dropped after this.
        unsafe {
            sys::rtcReleaseScene(self.scene);
            sys::rtcReleaseDevice(self.device);
        }
    }
}

impl Answer<Cast> for Embree {
    fn one(&self, cast: &Cast) -> Option<f32> {
        let mut context =
            sys::RTCIntersectContext { flags: 0, filter: ptr::null(), instID: [sys::RTC_INVALID_GEOMETRY_ID] };
        let mut ray = sys::RTCRayHit {
            ray: sys::RTCRay {
                org: cast.origin.to_array(),
                tnear: 0.0,
                dir: cast.direction.to_array(),
                time: 0.0,
                tfar: f32::INFINITY,
                mask: c_uint::MAX,
                id: 0,
                flags: 0,
            },
            hit: sys::RTCHit {
                Ng: [0.0; 3],
                u: 0.0,
                v: 0.0,
                primID: sys::RTC_INVALID_GEOMETRY_ID,
                geomID: sys::RTC_INVALID_GEOMETRY_ID,
                instID: [sys::RTC_INVALID_GEOMETRY_ID],
            },
        };
        // SAFETY: the scene is committed; context and ray are as the header lays them out, and aligned.
        unsafe { sys::rtcIntersect1(self.scene, &mut context, &mut ray) };
        (ray.hit.geomID != sys::RTC_INVALID_GEOMETRY_ID).then_some(ray.ray.tfar)
    }
}
