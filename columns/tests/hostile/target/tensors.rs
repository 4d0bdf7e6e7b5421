//! Tensors, right and wrong.

use super::input::Input;
use super::ledger::Ledger;
use super::{read, simulator};
use columnade_buffers::Exec;
use columnade_columns::arrow::c::CopyPolicy;
use columnade_columns::dlpack::{
    DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, ManagedTensor,
    RawTensor, TensorRequest,
};
use columnade_columns::{Column, ColumnAccessor, Error};
use std::ptr::{self, NonNull};

/// Bytes that a tensor's values lie in.
const BYTES: i128 = 1 << 20;

/// What holds of a tensor, however it is made: see the module. The error that it is refused with on the host. The same
/// tensor is then one of the simulator.
pub(crate) fn tensor(data: &[u8]) -> Option<Error> {
    let refused = on(data, &Exec::host());
    if let Some(exec) = simulator() {
        on(data, exec);
    }
    refused
}

fn on(data: &[u8], exec: &Exec) -> Option<Error> {
    let input = &mut Input::new(data);
    let copy = input.options().copy;
    let is_frame = input.byte() & 1 == 1;
    let ledger = Ledger::default();
    let mut tensor = made(input, &ledger, DLDevice::of(exec.device()));
    let released = ledger.count();
    let refused = if is_frame {
        let frame = ColumnAccessor::from_dlpack(&mut tensor, copy, exec);
        frame.map(|frame| frame_again(&frame, exec)).err()
    } else {
        Column::from_dlpack(&mut tensor, copy, exec).map(|column| again(&column, exec)).err()
    };
    assert_eq!(refused.is_some(), !tensor.is_taken());
    if refused.is_some() {
        assert_eq!(ledger.count(), released, "a tensor that is refused is left alone");
    }
    drop(tensor);
    ledger.assert_settled_soon();
    refused
}

/// The column can be read, and goes out and comes in again.
fn again(column: &Column, exec: &Exec) {
    read::column(column, 0);
    let mut tensor = column.to_dlpack(&TensorRequest::default(), exec).unwrap();
    let back = Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, exec).unwrap();
    assert_eq!(text(&back), text(column));
}

/// Like [`again`], for all columns and the frame that they make.
fn frame_again(frame: &ColumnAccessor, exec: &Exec) {
    frame.columns().iter().for_each(|column| again(column, exec));
    if frame.is_empty() {
        assert!(frame.to_dlpack(&TensorRequest::default(), exec).is_err());
        return;
    }
    let mut tensor = frame.to_dlpack(&TensorRequest::default(), exec).unwrap();
    let back = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, exec).unwrap();
    assert_eq!((back.rows(), back.len()), (frame.rows(), frame.len()));
    for (back, column) in back.columns().iter().zip(frame.columns()) {
        assert_eq!(text(back), text(column));
    }
}

/// Values as text, in which NaN is what it is.
fn text(column: &Column) -> String {
    format!("{:?}", column.to_scalars().unwrap())
}

/// What a tensor owns.
struct Private {
    shape: Vec<i64>,
    strides: Vec<i64>,
    memory: Box<[u8]>,
    ledger: Ledger,
}

fn made(input: &mut Input<'_>, ledger: &Ledger, here: DLDevice) -> ManagedTensor {
    let element = DLDataType {
        code: if input.seldom() { input.byte() } else { input.pick(&[0, 1, 2, 6]) },
        bits: if input.seldom() { input.byte() } else { input.pick(&[64, 32, 16, 8]) },
        lanes: match input.byte() {
            0..0xc0 => 1,
            0xc0..0xfc => u16::from(input.byte() % 5),
            _ => u16::from(input.byte()),
        },
    };
    let dimensions = input.pick(&[1, 2, 0, 1, 2, 3, 4]);
    let mut shape: Vec<i64> = (0..dimensions).map(|_| length(input)).collect();
    let mut strides: Vec<i64> = (0..dimensions).map(|_| stride(input)).collect();
    if input.byte() < 0x60 {
        strides = compact(&shape);
    }
    // Elements of no known size are refused before memory is read.
    let width = i128::from(element.bits / 8).max(1) * i128::from(element.lanes.max(1));
    if (BYTES..=i128::from(i64::MAX)).contains(&width.saturating_mul(extent(&shape, &strides).1)) {
        // The import cannot detect that there is no such memory.
        for (len, stride) in shape.iter_mut().zip(&mut strides) {
            *len = len.rem_euclid(8);
            *stride %= 16;
        }
    }
    let (before, elements) = extent(&shape, &strides);
    let bytes = usize::try_from(width.saturating_mul(elements).min(BYTES)).unwrap_or(0);
    let shift = input.byte() % 16;
    let fill = input.byte();
    let private = Box::new(Private {
        memory: (0..bytes + usize::from(shift)).map(|at| fill.wrapping_mul(at.to_le_bytes()[0])).collect(),
        shape,
        strides,
        ledger: ledger.clone(),
    });
    ledger.made();
    let private = Box::into_raw(private);
    // SAFETY: just made; the tensor owns it from now on.
    let held = unsafe { &mut *private };
    let first =
        usize::try_from(width.saturating_mul(before)).ok().filter(|&first| first < bytes).unwrap_or(0);
    let shown = if input.seldom() { input.below(16) } else { 0 }.min(first);
    let dl_tensor = DLTensor {
        data: if input.seldom() {
            ptr::null_mut()
        } else {
            held.memory.as_mut_ptr().wrapping_add(usize::from(shift) + first - shown).cast()
        },
        device: device(input, here),
        ndim: if input.seldom() && input.seldom() {
            input.pick(&[-1, i32::MIN, i32::MAX, 5])
        } else {
            i32::try_from(held.shape.len()).unwrap()
        },
        dtype: element,
        shape: if input.seldom() { ptr::null_mut() } else { held.shape.as_mut_ptr() },
        strides: if is_compact(&held.shape, &held.strides) && input.byte() < 0x80 {
            ptr::null_mut()
        } else {
            held.strides.as_mut_ptr()
        },
        byte_offset: if input.seldom() && input.seldom() {
            u64::MAX - u64::from(input.byte())
        } else {
            u64::try_from(shown).unwrap()
        },
    };
    let manager_ctx = private.cast();
    let version = match input.byte() {
        0..0x40 => None,
        0x40..0xe0 => Some(DLPackVersion::CURRENT),
        _ => Some(DLPackVersion { major: u32::from(input.byte() % 4), minor: u32::from(input.byte()) }),
    };
    let tensor = match version {
        None => {
            let deleter = Some(delete_legacy as _);
            RawTensor::Legacy(leaked(DLManagedTensor { dl_tensor, manager_ctx, deleter }))
        }
        Some(version) => {
            let (deleter, flags) = (Some(delete_versioned as _), u64::from(input.byte()));
            RawTensor::Versioned(leaked(DLManagedTensorVersioned {
                version,
                manager_ctx,
                deleter,
                flags,
                dl_tensor,
            }))
        }
    };
    // SAFETY: made as the interface says, but for what a consumer can find out.
    unsafe { ManagedTensor::from_raw(tensor) }
}

fn leaked<T>(value: T) -> NonNull<T> {
    NonNull::from(Box::leak(Box::new(value)))
}

fn length(input: &mut Input<'_>) -> i64 {
    match input.byte() {
        small @ 0..0xe0 => i64::from(small % 20),
        _ => input.number(),
    }
}

fn stride(input: &mut Input<'_>) -> i64 {
    match input.byte() {
        small @ 0..0xe0 => i64::from(small.cast_signed() % 12),
        _ => input.number(),
    }
}

fn device(input: &mut Input<'_>, here: DLDevice) -> DLDevice {
    match input.byte() {
        0..0xc0 => here,
        0xc0..0xe0 => DLDevice { device_type: DLDevice::TYPE_CUDA_HOST, device_id: 0 },
        _ => DLDevice {
            device_type: i32::from(input.byte().cast_signed()),
            device_id: i32::from(input.byte().cast_signed()),
        },
    }
}

/// The strides of a tensor whose last dimension is contiguous.
fn compact(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1_i64; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at].wrapping_mul(shape[at]);
    }
    strides
}

fn is_compact(shape: &[i64], strides: &[i64]) -> bool {
    strides == compact(shape)
}

/// Elements before the first, and elements in all from the lowest to the highest.
fn extent(shape: &[i64], strides: &[i64]) -> (i128, i128) {
    if shape.iter().any(|&len| len <= 0) {
        return (0, 0);
    }
    let (mut before, mut after) = (0, 1);
    for (&len, &stride) in shape.iter().zip(strides) {
        let reach = (i128::from(len) - 1).saturating_mul(i128::from(stride));
        let side: &mut i128 = if reach < 0 { &mut before } else { &mut after };
        *side = side.saturating_add(reach.saturating_abs());
    }
    (before, before.saturating_add(after))
}

/// # Safety
/// A tensor of this producer, once.
unsafe extern "C" fn delete_legacy(tensor: *mut DLManagedTensor) {
    // SAFETY: the caller's promise: the boxes that `made` leaked.
    unsafe { Box::from_raw(Box::from_raw(tensor).manager_ctx.cast::<Private>()) }.ledger.released();
}

/// # Safety
/// Same as [`delete_legacy`].
unsafe extern "C" fn delete_versioned(tensor: *mut DLManagedTensorVersioned) {
    // SAFETY: as above.
    unsafe { Box::from_raw(Box::from_raw(tensor).manager_ctx.cast::<Private>()) }.ledger.released();
}
