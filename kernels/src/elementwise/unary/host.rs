//! Host implementation of `unary`, and its inner loops.

use super::UnaryOp;
use crate::elementwise::lane::map;
use crate::elementwise::number::{Integer, Number};
use crate::{Error, Fixed, Result, View, morsel};
use columnade_buffers::{Buffer, Exec};

/// A storage type that [`apply`] supports.
pub(crate) trait Unary: Number {
    /// `out[i] = op(values[i])`.
    fn apply(op: UnaryOp, values: &[Self], out: &mut [Self]);
}

macro_rules! unary {
    (signed: $($signed:ty),*; unsigned: $($unsigned:ty as $as:ty),*; float: $($float:ty),*) => {
        $(impl Unary for $signed {
            fn apply(op: UnaryOp, values: &[Self], out: &mut [Self]) {
                match op {
                    UnaryOp::Neg => map(values, out, Number::neg),
                    UnaryOp::Abs => map(values, out, Number::abs),
                    _ => {
                        debug_assert!(op == UnaryOp::BitNot, "{op:?} on integers is refused by the contract");
                        map(values, out, Integer::bit_not);
                    }
                }
            }
        })*
        $(impl Unary for $unsigned {
            fn apply(op: UnaryOp, values: &[Self], out: &mut [Self]) {
                match op {
                    UnaryOp::Abs => out.copy_from_slice(values),
                    // The same for a signed type of that width.
                    _ => <$as>::apply(op, bytemuck::cast_slice(values), bytemuck::cast_slice_mut(out)),
                }
            }
        })*
        $(impl Unary for $float {
            fn apply(op: UnaryOp, values: &[Self], out: &mut [Self]) {
                match op {
                    UnaryOp::Neg => map(values, out, Number::neg),
                    UnaryOp::Abs => map(values, out, Number::abs),
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

unary! {
    signed: i8, i16, i32, i64, i128;
    unsigned: u8 as i8, u16 as i16, u32 as i32, u64 as i64;
    float: f32, f64
}

pub(super) fn unary(op: UnaryOp, input: &Fixed<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    dispatch!(input.storage, T => {
        let values = guard.values::<T>();
        morsel::build_values(input.len, exec, |rows, out| T::apply(op, &values[rows], out))
    }, bit => Err(Error::UnsupportedStorage { storage: input.storage }))
}
