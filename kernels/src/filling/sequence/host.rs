//! Host implementation of `sequence`.

use crate::{Element, Error, Result, Storage, Value, morsel};
use columnade_buffers::{Buffer, Exec};

/// Element `i` of a sequence.
trait Term: Element {
    fn term(start: Self, step: Self, i: usize) -> Self;
}

macro_rules! integer_terms {
    ($($ty:ty),*) => {$(impl Term for $ty {
        #[inline]
        fn term(start: Self, step: Self, i: usize) -> Self {
            start.wrapping_add(step.wrapping_mul(i as $ty))
        }
    })*};
}

integer_terms!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl Term for f32 {
    #[inline]
    fn term(start: Self, step: Self, i: usize) -> Self {
        (f64::from(start) + i as f64 * f64::from(step)) as f32
    }
}

impl Term for f64 {
    #[inline]
    fn term(start: Self, step: Self, i: usize) -> Self {
        start + i as f64 * step
    }
}

pub(super) fn sequence(start: Value, step: Value, len: usize, exec: &Exec) -> Result<Buffer> {
    dispatch!(start.storage(), T => match (T::from_value(start), T::from_value(step)) {
        (Some(start), Some(step)) => terms(start, step, len, exec),
        _ => Err(Error::TypeMismatch),
    }, bit => Err(Error::UnsupportedStorage { storage: Storage::Bit }))
}

fn terms<T: Term>(start: T, step: T, len: usize, exec: &Exec) -> Result<Buffer> {
    morsel::build_values(len, exec, |rows, out| {
        for (i, out) in rows.zip(out) {
            *out = T::term(start, step, i);
        }
    })
}
