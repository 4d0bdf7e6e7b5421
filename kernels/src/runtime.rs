//! The CUDA runtime of the kernels: its errors, and the devices that it has code for.

use crate::Result;
use columnade_buffers::Device;
use std::ffi::{CStr, c_char};

/// The runtime's functions for errors, under the names of one build.
struct Functions {
    name: unsafe extern "C" fn(i32) -> *const c_char,
    text: unsafe extern "C" fn(i32) -> *const c_char,
    /// Returns and clears the error of this thread.
    take_last: unsafe extern "C" fn() -> i32,
}

#[cfg(feature = "sim")]
mod sim {
    use std::ffi::c_char;
    unsafe extern "C" {
        pub(super) fn cn_sim_error_name(code: i32) -> *const c_char;
        pub(super) fn cn_sim_error_string(code: i32) -> *const c_char;
        pub(super) fn cn_sim_get_last_error() -> i32;
    }
}

#[cfg(feature = "cuda")]
mod gpu {
    use std::ffi::c_char;
    unsafe extern "C" {
        pub(super) fn cudaGetErrorName(code: i32) -> *const c_char;
        pub(super) fn cudaGetErrorString(code: i32) -> *const c_char;
        pub(super) fn cudaGetLastError() -> i32;
    }
}

fn functions(device: Device) -> Option<Functions> {
    match device {
        #[cfg(feature = "sim")]
        Device::Sim => Some(Functions {
            name: sim::cn_sim_error_name,
            text: sim::cn_sim_error_string,
            take_last: sim::cn_sim_get_last_error,
        }),
        #[cfg(feature = "cuda")]
        Device::Cuda(_) => Some(Functions {
            name: gpu::cudaGetErrorName,
            text: gpu::cudaGetErrorString,
            take_last: gpu::cudaGetLastError,
        }),
        _ => None,
    }
}

/// CUDA's name and description of an error.
pub(crate) fn describe(device: Device, code: i32) -> String {
    let Some(functions) = functions(device) else { return "an unknown error".to_owned() };
    // SAFETY: both accept any code and return a string that is static, or valid until this thread's next error.
    let [name, text] = [functions.name, functions.text].map(|say| unsafe { CStr::from_ptr(say(code)) });
    let (name, text) = (name.to_string_lossy(), text.to_string_lossy());
    if name == text { name.into_owned() } else { format!("{name}: {text}") }
}

/// Clears the error that an earlier call of this thread has left.
pub(crate) fn clear_last_error(device: Device) {
    if let Some(functions) = functions(device) {
        // SAFETY: takes nothing.
        unsafe { (functions.take_last)() };
    }
}

/// Leaves an error with this thread, as a call that failed does.
#[cfg(test)]
pub(crate) fn leave_error(device: Device) {
    match device {
        #[cfg(feature = "sim")]
        Device::Sim => {
            // SAFETY: an address that is not registered is refused.
            let code = unsafe { columnade_sim_sys::cn_sim_host_unregister(std::ptr::null_mut()) };
            assert_ne!(code, 0, "nothing is registered there");
        }
        _ => {}
    }
}

/// The least compute capability that the build has code for, as 10 × major + minor.
#[cfg(feature = "cuda")]
const LEAST_CAPABILITY: &str = env!("COLUMNADE_CUDA_LEAST");

/// An error if this build has no code for the device.
#[cfg(feature = "cuda")]
pub(crate) fn require_kernels(device: Device) -> Result<()> {
    let Some((major, minor)) = device.compute_capability()? else { return Ok(()) };
    let least: u32 = LEAST_CAPABILITY.parse().unwrap_or(0);
    if 10 * major + minor >= least {
        return Ok(());
    }
    let reason = format!(
        "its compute capability is {major}.{minor}, and the kernels of this build need {}.{} or newer; build with \
         COLUMNADE_CUDA_ARCH=all-major",
        least / 10,
        least % 10
    );
    Err(columnade_buffers::Error::NoDevice { device, reason }.into())
}

/// Kernels of the simulator run on every machine.
#[cfg(not(feature = "cuda"))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature as with GPUs")]
pub(crate) fn require_kernels(_device: Device) -> Result<()> {
    Ok(())
}
