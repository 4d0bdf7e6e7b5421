//! Where the values are.

use super::{Elements, Interface, TensorFault};
use crate::arrow::c::CopyPolicy;
use crate::arrow::half;
use crate::column::fixed::FixedLayout;
use crate::{Column, DType, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::copying::gather::{MapNulls, gather};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, Fixed, RowMap, RowWidth, Storage, Value};

/// Rows and columns of values at regular distances, in bytes that begin at the lowest of them.
///
/// One dimension is one column; none is one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Bytes of one value.
    width: usize,
    /// Bytes from one row to the next.
    row_stride: isize,
    /// Bytes from one column to the next.
    column_stride: isize,
    /// Bytes from the lowest value to the first.
    before: usize,
    /// Bytes from the lowest value to the end of the highest.
    bytes: usize,
}

/// A dimension as it comes: how many, and how far from one to the next in strides of `unit` bytes.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    len: usize,
    stride: isize,
}

/// More columns than any frame has.
const MOST_COLUMNS: usize = 1 << 20;
const TOO_LARGE: &str = "more than any memory";

impl Grid {
    /// `shape` values of `width` bytes. Strides count units of `unit` bytes; without them the last dimension is
    /// contiguous, and each other dimension is one of rows of the next.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor), naming `shape` or `strides`, unless there are at most two dimensions and
    /// all values are within one range of memory, each a whole number of values from the others.
    pub(crate) fn new(
        interface: Interface,
        width: usize,
        shape: &[i64],
        strides: Option<&[i64]>,
        unit: usize,
    ) -> Result<Self> {
        if shape.len() > 2 {
            let found = i64::try_from(shape.len()).unwrap_or(i64::MAX);
            return interface.fail("shape", TensorFault::Dimensions { found, most: 2 });
        }
        let mut dimensions = [Dimension { len: 1, stride: 0 }; 2];
        // From the last: how many bytes all dimensions behind take when nothing is between.
        let mut compact = width;
        for (at, &found) in shape.iter().enumerate().rev() {
            let size =
                |found, reason| interface.error(format!("shape[{at}]"), TensorFault::Size { found, reason });
            let len = usize::try_from(found).map_err(|_| size(found, "it is negative"))?;
            let stride = match strides.and_then(|strides| strides.get(at)) {
                Some(&stride) => {
                    bytes_of(stride, unit).filter(|stride| len <= 1 || stride % width.cast_signed() == 0)
                }
                None => isize::try_from(compact).ok(),
            };
            let stride = stride.ok_or_else(|| {
                let found = strides.and_then(|strides| strides.get(at)).copied().unwrap_or_default();
                let reason = "it is too large, or no whole number of values";
                interface.error(format!("strides[{at}]"), TensorFault::Size { found, reason })
            });
            let bytes = compact.checked_mul(len.max(1)).filter(|&bytes| isize::try_from(bytes).is_ok());
            compact = bytes.ok_or_else(|| size(found, TOO_LARGE))?;
            dimensions[at] = Dimension { len, stride: if len == 0 { 0 } else { stride? } };
        }
        let [rows, columns] = dimensions;
        if columns.len > MOST_COLUMNS {
            let found = shape.last().copied().unwrap_or_default();
            return interface
                .fail("shape[1]", TensorFault::Size { found, reason: "more columns than a frame has" });
        }
        let mut grid = Self {
            rows: rows.len,
            columns: columns.len,
            width,
            row_stride: rows.stride,
            column_stride: columns.stride,
            before: 0,
            bytes: 0,
        };
        if rows.len > 0 && columns.len > 0 {
            let extent = grid.extent();
            // Without strides the sizes were found good above.
            let stride = strides.unwrap_or_default().iter().max_by_key(|stride| stride.unsigned_abs());
            let found = stride.copied().unwrap_or(i64::MAX);
            let too_far = || TensorFault::Size { found, reason: "values so far apart are in no memory" };
            (grid.before, grid.bytes) = extent.ok_or_else(|| interface.error("strides", too_far()))?;
        }
        Ok(grid)
    }

    /// Bytes before the first value, and bytes in all; `None` for more than any memory has.
    fn extent(&self) -> Option<(usize, usize)> {
        let (mut before, mut after) = (0_usize, self.width);
        for (len, stride) in [(self.rows, self.row_stride), (self.columns, self.column_stride)] {
            let reach = (len - 1).checked_mul(stride.unsigned_abs())?;
            let side = if stride < 0 { &mut before } else { &mut after };
            *side = side.checked_add(reach)?;
        }
        let bytes = before.checked_add(after).filter(|&bytes| isize::try_from(bytes).is_ok())?;
        Some((before, bytes))
    }

    /// Bytes from the lowest value to the end of the highest; 0 when there are no values.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes from the lowest value to the first.
    pub(crate) fn before(&self) -> usize {
        self.before
    }

    /// Whether the columns are where columns can be: the values of each are contiguous.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.rows <= 1 || self.row_stride == self.width.cast_signed()
    }

    /// The columns of `elements` in `memory`, which begins at the lowest value: parts of it where that can be.
    pub(crate) fn read(
        &self,
        interface: Interface,
        memory: Buffer,
        elements: &Elements,
        masks: &[Buffer],
        copy: CopyPolicy,
        exec: &Exec,
    ) -> Result<Vec<Column>> {
        let needs_copy = |reason| match copy {
            CopyPolicy::Never => interface.fail("data", TensorFault::NeedsCopy { reason }),
            CopyPolicy::IfNeeded | CopyPolicy::Always => Ok(()),
        };
        if !self.is_contiguous() && self.bytes > 0 {
            needs_copy("the values of a column are not one after the other")?;
        }
        let conversion = elements.conversion();
        if let Some(reason) = conversion.filter(|_| self.bytes > 0) {
            needs_copy(reason)?;
        }
        let is_aligned = memory.is_empty() || memory.read(exec)?.as_ptr().addr().is_multiple_of(self.width);
        let memory = if is_aligned {
            memory
        } else {
            needs_copy("the address is no multiple of a value's size")?;
            memory.copy_to(exec)?
        };
        (0..self.columns)
            .map(|at| {
                let mut values = self.column(&memory, at, elements.storage, exec)?;
                let is_part = is_aligned && self.is_contiguous() && conversion.is_none();
                if is_part && copy == CopyPolicy::Always {
                    values = values.copy_to(exec)?;
                }
                self.finish(interface, values, elements, masks.get(at).cloned(), exec)
            })
            .collect()
    }

    /// The contiguous values of one column.
    pub(crate) fn column(&self, memory: &Buffer, at: usize, storage: Storage, exec: &Exec) -> Result<Buffer> {
        if self.bytes == 0 {
            return Ok(Buffer::uninit(0, exec)?);
        }
        // `extent` has seen that this and all below does not overflow.
        let first = self.before.wrapping_add_signed(at.cast_signed() * self.column_stride);
        if self.is_contiguous() {
            return Ok(memory.slice(first, self.rows * self.width));
        }
        let reach = (self.rows - 1) * self.row_stride.unsigned_abs();
        let (lowest, start) = if self.row_stride < 0 { (first - reach, reach) } else { (first, 0) };
        let between = memory.slice(lowest, reach + self.width);
        let len = between.len() / self.width;
        let source = Fixed { storage, data: &between, validity: None, offset: 0, len };
        let map = self.row_map(start / self.width, len, exec)?;
        match gather(&source.into(), &map, MapNulls::Never, exec)? {
            ColumnData::Fixed(values) => Ok(values.data),
            ColumnData::String(text) => Ok(text.chars),
        }
    }

    /// Which of `len` values the rows are, the first of them at `start`.
    fn row_map(&self, start: usize, len: usize, exec: &Exec) -> Result<RowMap> {
        let step = self.row_stride / self.width.cast_signed();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`start` and the rows are below `len`, and a negative step wraps around as the sequence does"
        )]
        let (width, first, step) = match u32::try_from(len) {
            Ok(len) if len < u32::MAX => (RowWidth::U32, Value::U32(start as u32), Value::U32(step as u32)),
            _ => (RowWidth::U64, Value::U64(start as u64), Value::U64(step as u64)),
        };
        let rows = sequence(first, step, self.rows, exec)?;
        Ok(RowMap { rows: rows.data, width, len: self.rows })
    }

    fn finish(
        &self,
        interface: Interface,
        values: Buffer,
        elements: &Elements,
        mask: Option<Buffer>,
        exec: &Exec,
    ) -> Result<Column> {
        let Elements { dtype, storage } = elements;
        let (storage, data) = if *dtype == DType::Bool {
            (Storage::Bit, to_bits(&values, *storage, self.rows, exec)?)
        } else {
            (*storage, values)
        };
        let layout = FixedLayout::new(storage, data, mask, 0, self.rows)?;
        if elements == &Elements::HALVES {
            return half::widened(&layout.to_device(&Exec::host())?)?.to_device(exec);
        }
        let unknown = || interface.error("type", super::unsupported_dtype(dtype.clone()));
        Column::from_layout(dtype, layout).ok_or_else(unknown)
    }
}

/// A bit for each value: 1 unless the value is zero.
pub(crate) fn to_bits(values: &Buffer, storage: Storage, len: usize, exec: &Exec) -> Result<Buffer> {
    let values = Fixed { storage, data: values, validity: None, offset: 0, len };
    Ok(cast(&values, Storage::Bit, CastMode::Wrap, exec)?.data)
}

fn bytes_of(stride: i64, unit: usize) -> Option<isize> {
    isize::try_from(stride).ok()?.checked_mul(isize::try_from(unit).ok()?)
}
