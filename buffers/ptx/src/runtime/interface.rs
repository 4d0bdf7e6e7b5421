//! The C interface for the simulator's runtime, `buffers/sim-sys/runtime/ptx.cpp`, which declares it again.

use super::{Failure, Launch, OPTIONS, Pending, coverage, fat_binary, with_registry};
use crate::machine::Options;
use crate::{counts, memory};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Write;
use std::slice;

/// The options of the simulator that the machine has too.
#[repr(C)]
pub(crate) struct COptions {
    seed: u64,
    hang_ticks: u64,
    resident: u32,
    quantum: u32,
    shuffle_blocks: u32,
    strict_exit: u32,
    check_order: u32,
}

/// How a kernel is launched.
#[repr(C)]
pub(crate) struct CLaunch {
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: usize,
    cooperative: u32,
}

/// What `cudaFuncGetAttributes` says of a kernel.
#[repr(C)]
pub(crate) struct CKernel {
    shared: usize,
    local: usize,
    max_threads: u32,
}

thread_local! {
    static REPORT: RefCell<CString> = RefCell::default();
}

/// Keeps the text for [`cn_ptx_last_report`] and returns the code.
fn fail((code, text): Failure) -> i32 {
    let text = CString::new(format!("ptx: {}", text.replace('\0', " "))).unwrap_or_default();
    REPORT.with_borrow_mut(|report| *report = text);
    code
}

/// The text of this thread's last failure, valid until its next one.
#[unsafe(no_mangle)]
extern "C" fn cn_ptx_last_report() -> *const c_char {
    REPORT.with_borrow(|report| report.as_ptr())
}

/// Sets the schedule and the checks of all launches, once.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_options(options: *const COptions) {
    // SAFETY: the caller passes a structure.
    let options = unsafe { &*options };
    let _ = OPTIONS.set(Options {
        seed: options.seed,
        resident: options.resident as usize,
        quantum: options.quantum,
        shuffle_blocks: options.shuffle_blocks != 0,
        strict_exit: options.strict_exit != 0,
        hang_ticks: options.hang_ticks,
        check_order: options.check_order != 0,
    });
}

#[unsafe(no_mangle)]
extern "C" fn cn_ptx_allocated(start: u64, bytes: usize) {
    memory::allocated(start, bytes as u64);
}

#[unsafe(no_mangle)]
extern "C" fn cn_ptx_freed(start: u64) {
    memory::freed(start);
}

/// Whether bytes begin in an allocation and end behind it.
#[unsafe(no_mangle)]
extern "C" fn cn_ptx_overruns(start: u64, bytes: usize) -> i32 {
    let end = start.saturating_add(bytes as u64);
    let is_over = memory::nearest(start).is_some_and(|(_, limit)| start < limit && end > limit);
    i32::from(is_over)
}

/// Registers the container of an object; its number.
///
/// # Safety
/// The container is the compiler's, and lives as long as the process.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_register_object(container: *const u8) -> usize {
    // SAFETY: every container starts with a header of 16 bytes.
    let header = unsafe { &*container.cast::<[u8; 16]>() };
    let text = match fat_binary::size(header) {
        // SAFETY: the header says how long the container is.
        Some(size) => fat_binary::ptx(unsafe { slice::from_raw_parts(container, size) }).map(str::to_owned),
        None => Err("an object with a container of impossible size".to_owned()),
    };
    with_registry(|registry| registry.register_object(text))
}

/// Registers the host's address of a kernel.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_register_function(object: usize, host: usize, name: *const c_char) {
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    with_registry(|registry| registry.register_function(object, host, name));
}

/// Describes a kernel; 0 or an error code.
///
/// # Safety
/// `out` is a place for a description.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_describe(host: usize, out: *mut CKernel) -> i32 {
    match with_registry(|registry| registry.kernel(host)) {
        Ok(kernel) => {
            let function = kernel.function();
            let (shared, local) = (function.shared, function.local);
            // SAFETY: the caller's promise.
            unsafe { out.write(CKernel { shared, local, max_threads: function.max_threads as u32 }) };
            0
        }
        Err(failure) => fail(failure),
    }
}

/// Copies the parameters of a launch; 0 or an error code.
///
/// # Safety
/// `args` has one pointer for each parameter of the kernel, each to as many bytes as the parameter has; `out`
/// is a place for a pointer. The launch ends with [`cn_ptx_drop`].
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_prepare(host: usize, args: *const *const u8, out: *mut *mut Pending) -> i32 {
    let kernel = match with_registry(|registry| registry.kernel(host)) {
        Ok(kernel) => kernel,
        Err(failure) => return fail(failure),
    };
    let params = &kernel.function().params;
    let size = params.last().map_or(0, |last| last.offset + last.size);
    let mut bytes = vec![0u128; size.div_ceil(16)];
    for (k, param) in params.iter().enumerate() {
        // SAFETY: `args` has a pointer for each parameter, and `bytes` has place for all of them.
        unsafe {
            let to = bytes.as_mut_ptr().cast::<u8>().add(param.offset);
            to.copy_from_nonoverlapping(args.add(k).read(), param.size);
        }
    }
    let pending = Box::new(Pending { kernel, params: bytes });
    // SAFETY: the caller's promise.
    unsafe { out.write(Box::into_raw(pending)) };
    0
}

/// Runs a launch; 0 or an error code.
///
/// # Safety
/// `pending` is from [`cn_ptx_prepare`]; what its parameters point to stays valid during the call.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_run(pending: *const Pending, launch: *const CLaunch) -> i32 {
    // SAFETY: the caller's promise.
    let (pending, launch) = unsafe { (&*pending, &*launch) };
    let (start, size) = (pending.params.as_ptr().cast::<u8>(), pending.params.len() * 16);
    // Kernels read parameters by their address.
    let _ = start.expose_provenance();
    // SAFETY: the same memory as bytes.
    let params = unsafe { slice::from_raw_parts(start, size) };
    let launch = Launch {
        grid: launch.grid,
        block: launch.block,
        dynamic_shared: launch.dynamic_shared,
        is_cooperative: launch.cooperative != 0,
        params,
    };
    pending.run(launch).map_or_else(fail, |()| 0)
}

/// Ends a launch.
///
/// # Safety
/// `pending` is from [`cn_ptx_prepare`] and not used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_drop(pending: *mut Pending) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(pending) });
}

/// Appends to a file what the process launched: a line for each kernel, its name and its counts, and for each
/// form.
///
/// # Safety
/// `path` is a C string.
#[unsafe(no_mangle)]
unsafe extern "C" fn cn_ptx_report(path: *const c_char) {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned();
    let coverage = match coverage() {
        Ok(coverage) => coverage,
        Err(error) => {
            eprintln!("ptx: {error}");
            return;
        }
    };
    let (mut text, all) = (String::new(), counts::snapshot());
    for (kernel, launches) in coverage.kernels {
        let of = all.get(&kernel).copied().unwrap_or_default();
        let (loads, stores) = (of.loads.sectors, of.stores.sectors);
        let _ = writeln!(text, "kernel\t{kernel}\t{launches}\t{}\t{loads}\t{stores}", of.instructions);
    }
    for (form, [places, reached, ran]) in coverage.forms {
        let _ = writeln!(text, "form\t{form}\t{places}\t{reached}\t{ran}");
    }
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    // One write: several processes may append.
    if let Err(error) = file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
        eprintln!("ptx: {path}: {error}");
    }
}
