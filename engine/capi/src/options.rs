//! Options structs, which begin with their size so that they can grow.

use std::mem::MaybeUninit;
use std::ptr;

use columnade::arrow::{
    DecimalWidth, ExportOptions, Handover, ImportOptions, NullCounts, OffsetLayout, Validation,
};
use columnade::dlpack::{ConsumerStream, CopyPolicy, DLDevice, DLPackVersion, TensorRequest};

use crate::argument::Argument;
use crate::error::{Failure, Result};

/// No options struct was ever larger: what says that it is was not initialised.
const LARGEST: usize = 4096;

/// A struct of the header that begins with its size. Its other members are integers and pointers, and zeros are their
/// defaults.
///
/// # Safety
/// The struct is `repr(C)`, begins with a `usize`, and any bytes are a value of it.
pub(crate) unsafe trait Sized: Copy {}

#[repr(C)]
#[derive(Clone, Copy)]
struct Export {
    size: usize,
    offsets: i32,
    decimals: i32,
    handover: i32,
    null_counts: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Import {
    size: usize,
    copy: i32,
    validate: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    size: usize,
    copy: i32,
    place: i32,
    stream: i64,
}

// SAFETY: integers that fill it.
unsafe impl Sized for Export {}
// SAFETY: as above.
unsafe impl Sized for Import {}
// SAFETY: as above.
unsafe impl Sized for Tensor {}

const _: () = assert!(size_of::<Export>() == size_of::<usize>() + 16);
const _: () = assert!(size_of::<Import>() == size_of::<usize>() + 8);
const _: () = assert!(size_of::<Tensor>() == size_of::<usize>() + 16);

/// What the caller wrote, with defaults for members that the caller's header does not have yet. Members that this library
/// does not have yet must be zero. Null: all defaults.
///
/// # Safety
/// `options` is null, or points to a struct of the type in any version of the header.
pub(crate) unsafe fn read<T: Sized>(options: *const T) -> Result<T> {
    let mut own = MaybeUninit::<T>::zeroed();
    if !options.is_null() {
        // SAFETY: the caller's promise: every version begins with the size.
        let size = unsafe { options.cast::<usize>().read() };
        if !(size_of::<usize>()..=LARGEST).contains(&size) {
            let reason = format!("has a size of {size}: begin with COLUMNADE_..._OPTIONS_INIT");
            return Err(Failure::argument("options", reason));
        }
        let known = size.min(size_of::<T>());
        // SAFETY: the struct has `size` bytes, and its own place `size_of::<T>()`; integers all of them.
        let rest = unsafe {
            ptr::copy_nonoverlapping(options.cast::<u8>(), own.as_mut_ptr().cast(), known);
            std::slice::from_raw_parts(options.cast::<u8>().add(known), size - known)
        };
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Failure::argument(
                "options",
                "has members that this version of the library does not know",
            ));
        }
    }
    // SAFETY: any bytes are a value.
    Ok(unsafe { own.assume_init() })
}

/// The choice that a number stands for.
pub(crate) fn choice<T: Copy>(name: &'static str, number: i32, choices: &[T]) -> Result<T> {
    let chosen = usize::try_from(number).ok().and_then(|at| choices.get(at));
    chosen.copied().ok_or_else(|| Failure::argument(name, format!("is {number}, which stands for nothing")))
}

const COPIES: [CopyPolicy; 3] = [CopyPolicy::IfNeeded, CopyPolicy::Never, CopyPolicy::Always];

impl Argument for CopyPolicy {
    type C = i32;

    unsafe fn from_c(name: &'static str, value: i32) -> Result<Self> {
        choice(name, value, &COPIES)
    }
}

/// The type of an argument that points to options which no other crate can see.
macro_rules! options {
    ($ty:ty, $raw:ty, $options:ident => $made:expr) => {
        impl Argument for $ty {
            type C = *const std::ffi::c_void;

            unsafe fn from_c(_: &'static str, value: Self::C) -> Result<Self> {
                // SAFETY: the caller's promise.
                let $options = unsafe { $crate::options::read(value.cast::<$raw>()) }?;
                Ok($made)
            }
        }
    };
}
pub(crate) use options;

options!(ExportOptions, Export, options => ExportOptions {
    offsets: choice(
        "options.offsets",
        options.offsets,
        &[OffsetLayout::AsStored, OffsetLayout::I32, OffsetLayout::I64],
    )?,
    decimals: choice("options.decimals", options.decimals, &[DecimalWidth::AsStored, DecimalWidth::Bits128])?,
    handover: choice("options.handover", options.handover, &[Handover::Event, Handover::Synchronised])?,
    null_counts: choice(
        "options.null_counts",
        options.null_counts,
        &[NullCounts::WhereKnown, NullCounts::Exact],
    )?,
});

options!(ImportOptions, Import, options => ImportOptions {
    copy: choice("options.copy", options.copy, &COPIES)?,
    validate: choice("options.validate", options.validate, &[Validation::Minimal, Validation::Full])?,
});

options!(TensorRequest, Tensor, options => TensorRequest {
    copy: choice("options.copy", options.copy, &COPIES)?,
    dl_device: choice("options.place", options.place, &[None, Some(DLDevice::CPU)])?,
    // SAFETY: the caller's promise: a number above 2 is the handle of a live stream.
    stream: unsafe { ConsumerStream::from_number(Some(options.stream).filter(|&stream| stream != 0)) }?,
    max_version: Some(DLPackVersion::CURRENT),
});

#[cfg(test)]
mod tests {
    use super::*;

    fn import(bytes: &[usize]) -> Result<ImportOptions> {
        // SAFETY: a struct of words, the first its size.
        unsafe { ImportOptions::from_c("options", bytes.as_ptr().cast()) }
    }

    #[test]
    fn options_of_other_sizes_default_missing_members() {
        let full = 1 << 32;
        assert_eq!(import(&[16, full]).expect("ours").validate, Validation::Full);
        assert_eq!(import(&[8]).expect("older"), ImportOptions::default());
        assert_eq!(import(&[24, full, 0]).expect("newer, with defaults").validate, Validation::Full);
        for wrong in [&[24, full, 1][..], &[0, 0], &[7, 0], &[16, 9]] {
            assert_eq!(import(wrong).map_err(|failure| failure.code()), Err(libc::EINVAL), "{wrong:?}");
        }
        // SAFETY: null.
        let defaults = unsafe { ImportOptions::from_c("options", std::ptr::null()) };
        assert_eq!(defaults.expect("null"), ImportOptions::default());
    }
}
