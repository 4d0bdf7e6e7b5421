//! Conversion of float16, which is not a dtype.

use crate::column::fixed::FixedLayout;
use crate::{Column, DType, Error, Result};
use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Storage, View};

/// Float16 values, whose bits are in `halves` on the host, as `float32`: each is the same number.
pub(crate) fn widened(halves: &FixedLayout) -> Result<Column> {
    let host = Exec::host();
    // Rows far before the first are left out; those that are not keep the mask where it is.
    let halves = halves.slice(0, halves.rows.size)?;
    let view = View::Fixed(halves.view());
    let guard = view.read(&host)?;
    let number = |&bits: &u16| <Float16Type as ArrowPrimitiveType>::Native::from_bits(bits).to_f32();
    let before = std::iter::repeat_n(0.0, halves.rows.offset);
    let values: Vec<f32> = before.chain(guard.values::<u16>().iter().map(number)).collect();
    let layout =
        FixedLayout { storage: Storage::F32, data: Buffer::from_vec(values), rows: halves.rows.clone() };
    let unsupported = || Error::UnsupportedDType { dtype: DType::Float32 };
    Column::from_layout(&DType::Float32, layout).ok_or_else(unsupported)
}
