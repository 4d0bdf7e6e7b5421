//! Tensors as columns and frames.

use super::DLPACK;
use super::abi::DLTensor;
use super::element::elements_of;
use super::owned::ManagedTensor;
use crate::arrow::c::CopyPolicy;
use crate::column::rows::same_device;
use crate::foreign::{is_possible, require_readable};
use crate::tensor::{Elements, Grid, TensorFault};
use crate::{Column, ColumnAccessor, Label, Result};
use columnade_buffers::{Buffer, Exec};
use smallvec::SmallVec;
use std::ptr::NonNull;
use std::slice;
use std::sync::{Arc, OnceLock};

impl Column {
    /// Imports a tensor of at most one dimension as a column; without dimensions, the column has one row. Shares memory if
    /// `copy` allows it and the values are contiguous; booleans, which are bytes there, and float16, which becomes
    /// `float32`, are copied. The tensor is moved out of `tensor`; on an error it stays there.
    ///
    /// `exec` is of [the tensor's device](ManagedTensor::device), and its stream is
    /// [what the producer was told](super::ConsumerStream::of).
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor), naming the field, for an invalid tensor, elements of a type without a
    /// dtype, more dimensions, or a copy that `copy` forbids;
    /// [`Error::Memory`](crate::Error::Memory) also when `exec` is of another device.
    ///
    /// # Device
    /// One launch for values at distances, one for booleans. Float16 is converted on the host, which waits.
    ///
    /// # Source
    /// Python array API standard `from_dlpack`; cudf/interop.hpp `from_dlpack`.
    pub fn from_dlpack(tensor: &mut ManagedTensor, copy: CopyPolicy, exec: &Exec) -> Result<Column> {
        let mut columns = import(tensor, copy, 1, exec)?;
        columns.pop().ok_or_else(|| DLPACK.error("shape", TensorFault::NoColumns))
    }
}

impl ColumnAccessor {
    /// Imports a tensor of at most two dimensions, rows by columns, as columns with the labels 0, 1, …: see
    /// [`Column::from_dlpack`]. Row-major tensors are copied.
    ///
    /// # Errors
    /// Same as [`Column::from_dlpack`].
    ///
    /// # Device
    /// Same as [`Column::from_dlpack`], for each column.
    ///
    /// # Source
    /// Same as [`Column::from_dlpack`]; cuDF `from_dlpack`.
    pub fn from_dlpack(tensor: &mut ManagedTensor, copy: CopyPolicy, exec: &Exec) -> Result<ColumnAccessor> {
        let rows = |tensor: &DLTensor| Ok::<_, crate::Error>(described(tensor)?.grid.rows);
        let rows = tensor.tensor().and_then(rows)?;
        let columns = import(tensor, copy, 2, exec)?;
        if columns.is_empty() {
            return Ok(ColumnAccessor::with_rows(rows));
        }
        ColumnAccessor::from_columns((0_i64..).map(Label::from).zip(columns))
    }
}

/// What a tensor says.
struct Described {
    grid: Grid,
    elements: Elements,
    ndim: i64,
    /// The lowest value; `None` when there are none.
    lowest: Option<NonNull<u8>>,
}

/// The columns of a tensor that has at most `most` dimensions, which is moved out unless that fails.
fn import(tensor: &mut ManagedTensor, copy: CopyPolicy, most: i64, exec: &Exec) -> Result<Vec<Column>> {
    let Described { grid, elements, ndim: found, lowest } = described(tensor.tensor()?)?;
    if found > most {
        return DLPACK.fail("ndim", TensorFault::Dimensions { found, most });
    }
    same_device(tensor.device()?, exec.device())?;
    if let Some(lowest) = lowest {
        require_readable(DLPACK, exec.device(), lowest, grid.bytes())?;
    }
    // The tensor is moved here when nothing can fail any more: until then it is the caller's.
    let keeper = Arc::new(OnceLock::<ManagedTensor>::new());
    let memory = match lowest {
        None => Buffer::uninit(0, exec)?,
        // SAFETY: the tensor's memory, all of it that `grid` has checked to be one range, which the maker of the tensor
        // promised to be there, and not written, until it is deleted, which the keeper does once it has it.
        Some(lowest) => unsafe { Buffer::from_foreign(lowest, grid.bytes(), Arc::clone(&keeper), exec) },
    };
    match grid.read(DLPACK, memory, &elements, &[], copy, exec) {
        Ok(columns) => {
            let _ = keeper.set(tensor.take());
            Ok(columns)
        }
        Err(error) => {
            // The tensor stays the caller's and may be deleted at once: no queued work may still read it. That is worth
            // a wait even where the stream has failed, which the error is about then.
            let _ = exec.synchronize();
            Err(error)
        }
    }
}

/// What the fields say together; every lane is a column.
fn described(tensor: &DLTensor) -> Result<Described> {
    let elements = elements_of(tensor.dtype)?;
    let width = elements.storage.bytes(1);
    let dimensions =
        |found: i32| DLPACK.fail("ndim", TensorFault::Dimensions { found: found.into(), most: 2 });
    let Ok(ndim) = usize::try_from(tensor.ndim) else { return dimensions(tensor.ndim) };
    if ndim > 2 {
        return dimensions(tensor.ndim);
    }
    if ndim > 0 && tensor.shape.is_null() {
        return DLPACK.fail("shape", TensorFault::Null);
    }
    let numbers = |pointer: *mut i64| {
        let numbers = NonNull::new(pointer).filter(|_| ndim > 0)?;
        // SAFETY: what is not null points to a number for each dimension, as the maker of the tensor promised.
        Some(unsafe { slice::from_raw_parts(numbers.as_ptr(), ndim) })
    };
    let mut shape: SmallVec<[i64; 3]> = numbers(tensor.shape).unwrap_or_default().into();
    let mut strides: Option<SmallVec<[i64; 3]>> = numbers(tensor.strides).map(Into::into);
    let lanes = i64::from(tensor.dtype.lanes);
    if lanes > 1 {
        shape.push(lanes);
        if let Some(strides) = &mut strides {
            // They count elements, of which each has all its lanes.
            strides.iter_mut().for_each(|stride| *stride = stride.saturating_mul(lanes));
            strides.push(1);
        }
    }
    let grid = Grid::new(DLPACK, width, &shape, strides.as_deref(), width)?;
    let ndim = i64::try_from(shape.len()).unwrap_or(i64::MAX);
    let lowest = if grid.bytes() == 0 { None } else { Some(lowest(tensor, &grid)?) };
    Ok(Described { grid, elements, ndim, lowest })
}

/// The address of the lowest value.
fn lowest(tensor: &DLTensor, grid: &Grid) -> Result<NonNull<u8>> {
    if tensor.data.is_null() {
        return DLPACK.fail("data", TensorFault::Null);
    }
    let start = tensor.data.cast::<u8>();
    let inside = |offset: usize| start.addr().checked_add(offset)?.checked_sub(grid.before());
    let lowest =
        usize::try_from(tensor.byte_offset).ok().and_then(|offset| Some(start.with_addr(inside(offset)?)));
    lowest
        .and_then(NonNull::new)
        .filter(|&lowest| is_possible(lowest, grid.bytes()))
        .ok_or_else(|| DLPACK.error("byte_offset", TensorFault::Address { found: tensor.byte_offset }))
}
