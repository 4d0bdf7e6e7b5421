//! Host twin of `unary`, and its loops.

use super::UnaryOp;
use crate::elementwise::lane::map;
use crate::elementwise::number::{Integer, Number};
use crate::{Error, Fixed, Result, View, morsel};
use columnade_buffers::{Buffer, Exec};

/// A storage type that [`apply`] computes with.
pub(crate) trait Unary: Number {
    /// The operations that only integers or only floats have.
    fn special(op: UnaryOp, values: &[Self], out: &mut [Self]);
}

macro_rules! unary {
    (integer: $($integer:ty),*; float: $($float:ty),*) => {
        $(impl Unary for $integer {
            fn special(op: UnaryOp, values: &[Self], out: &mut [Self]) {
                debug_assert!(op == UnaryOp::BitNot, "{op:?} on integers is refused by the contract");
                map(values, out, Integer::bit_not);
            }
        })*
        $(impl Unary for $float {
            fn special(op: UnaryOp, values: &[Self], out: &mut [Self]) {
                match op {
                    UnaryOp::Sqrt => map(values, out, |v: $float| v.sqrt()),
                    UnaryOp::Floor => map(values, out, |v: $float| v.floor()),
                    UnaryOp::Ceil => map(values, out, |v: $float| v.ceil()),
                    UnaryOp::Trunc => map(values, out, |v: $float| v.trunc()),
                    _ => map(values, out, |v: $float| v.round_ties_even()),
                }
            }
        })*
    };
}

unary!(integer: i8, i16, i32, i64, i128, u8, u16, u32, u64; float: f32, f64);

/// `out[i] = op(values[i])`.
pub(crate) fn apply<T: Unary>(op: UnaryOp, values: &[T], out: &mut [T]) {
    match op {
        UnaryOp::Neg => map(values, out, T::neg),
        UnaryOp::Abs => map(values, out, T::abs),
        _ => T::special(op, values, out),
    }
}

pub(super) fn unary(op: UnaryOp, input: &Fixed<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    dispatch!(input.storage, T => {
        let values = guard.values::<T>();
        morsel::build_values(input.len, exec, |rows, out| apply(op, &values[rows], out))
    }, bit => Err(Error::UnsupportedStorage { storage: input.storage }))
}
