//! Columns as values without nulls and bits.

use super::{Interface, TensorFault, unsupported_dtype};
use crate::column::fixed::FixedLayout;
use crate::{Column, DType, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::Storage;
use columnade_kernels::elementwise::cast::{CastMode, cast};

/// How the interfaces store values of a dtype that has a storage; a boolean is a byte.
pub(crate) fn stored_as(dtype: &DType) -> Storage {
    dtype.storage().filter(|&storage| storage != Storage::Bit).unwrap_or(Storage::U8)
}

/// The elements of a tensor that comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Elements {
    /// The dtype of the columns that they become.
    pub(crate) dtype: DType,
    /// How they are stored.
    pub(crate) storage: Storage,
}

impl Elements {
    /// Float16, which is not a dtype: it becomes `float32`.
    pub(crate) const HALVES: Self = Self { dtype: DType::Float32, storage: Storage::U16 };

    /// Those that columns of `dtype` are written as.
    pub(crate) fn of(dtype: DType) -> Self {
        let storage = stored_as(&dtype);
        Self { dtype, storage }
    }

    /// Why columns cannot have them as they are, where that is so.
    pub(crate) fn conversion(&self) -> Option<&'static str> {
        if self.dtype == DType::Bool {
            Some("a byte for each boolean becomes a bit")
        } else if *self == Self::HALVES {
            Some("float16 becomes float32")
        } else {
            None
        }
    }
}

/// The contiguous values of a column, and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) data: Buffer,
    pub(crate) storage: Storage,
    /// Whether they are the column's own memory.
    pub(crate) is_shared: bool,
}

impl Plain {
    /// The values of `column`, whatever its mask says: its own where they are not bits.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor) unless the values have a fixed width; dictionaries have codes, not values.
    pub(crate) fn of(interface: Interface, column: &Column, exec: &Exec) -> Result<Self> {
        let layout = fixed_layout(interface, column)?;
        let (values, storage) = (layout.view(), stored_as(&column.dtype()));
        if layout.storage == Storage::Bit {
            let bytes = cast(&values, storage, CastMode::Wrap, exec)?;
            return Ok(Self { data: bytes.data, storage, is_shared: false });
        }
        let data = layout.data.slice(storage.bytes(values.offset), storage.bytes(values.len));
        Ok(Self { data, storage, is_shared: true })
    }

    /// Bytes of one value.
    pub(crate) fn width(&self) -> usize {
        self.storage.bytes(1)
    }
}

fn fixed_layout(interface: Interface, column: &Column) -> Result<&FixedLayout> {
    column
        .fixed_layout()
        .filter(|_| !matches!(column, Column::Categorical(_)))
        .ok_or_else(|| interface.error("type", unsupported_dtype(column.dtype())))
}

/// An error unless no row of `column` is null.
pub(crate) fn require_no_nulls(interface: Interface, column: &Column, exec: &Exec) -> Result<()> {
    match column.null_count(exec)? {
        0 => Ok(()),
        nulls => interface.fail("mask", TensorFault::Nulls { nulls }),
    }
}
