//! Host implementation of `copy_if_else`.

use crate::bits::BitSlice;
use crate::strings_view::build_strings;
use crate::{ColumnData, Fixed, FixedData, Result, View, access, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

pub(super) fn copy_if_else(
    cond: &Fixed<'_>,
    then: &View<'_>,
    otherwise: &View<'_>,
    exec: &Exec,
) -> Result<ColumnData> {
    let guards = access(&[View::Fixed(*cond), *then, *otherwise], exec)?;
    let (cond, a, b) = (&guards[0], &guards[1], &guards[2]);
    let cond = Condition { bits: cond.value_bits(), validity: cond.validity() };
    let len = then.len();
    let validity = if a.validity().is_some() || b.validity().is_some() {
        Some(choose_bits(cond, len, a.validity(), b.validity(), exec)?)
    } else {
        None
    };
    Ok(match then {
        View::Fixed(fixed) => {
            let storage = fixed.storage;
            let data = dispatch_width!(storage, T => choose_values(cond, a.values::<T>(), b.values::<T>(), exec)?,
                bit => choose_bits(cond, len, Some(a.value_bits()), Some(b.value_bits()), exec)?);
            ColumnData::Fixed(FixedData { storage, len, data, validity })
        }
        View::String(_) => {
            let (a, b) = (a.strings(), b.strings());
            let value = |row| if cond.get(row) { a.span(row) } else { b.span(row) };
            ColumnData::String(build_strings(len, validity, exec, value)?)
        }
    })
}

/// Where `then` is chosen.
#[derive(Clone, Copy)]
struct Condition<'a> {
    bits: BitSlice<'a>,
    validity: Option<BitSlice<'a>>,
}

impl Condition<'_> {
    fn get(&self, row: usize) -> bool {
        self.bits.get(row) && self.validity.is_none_or(|validity| validity.get(row))
    }

    fn word(&self, word: usize) -> u64 {
        self.bits.word(word) & self.validity.map_or(u64::MAX, |validity| validity.word(word))
    }
}

/// An unsigned integer, of which values of a width are chosen.
pub(crate) trait Choose: Pod + Send + Sync {
    /// `a` if `bit` is 1, `b` if it is 0.
    fn choose(bit: u64, a: Self, b: Self) -> Self;
}

macro_rules! choose {
    ($($t:ty),*) => {$(
        impl Choose for $t {
            // Arithmetic, since a choice between two places in memory becomes a branch that no processor foresees.
            #[inline(always)]
            fn choose(bit: u64, a: Self, b: Self) -> Self {
                let mask = (0 as $t).wrapping_sub(bit as $t);
                b ^ (a ^ b) & mask
            }
        }
    )*};
}

choose!(u8, u16, u32, u64, u128);

vectorised! {
    /// `out[k]` is `a[k]` where bit `k` of `word` is set, else `b[k]`.
    pub(crate) fn blend[T: Choose](word: u64, a: &[T], b: &[T], out: &mut [T]) {
        for (k, ((out, a), b)) in out.iter_mut().zip(a).zip(b).enumerate() {
            *out = T::choose(word >> k & 1, *a, *b);
        }
    }
}

fn choose_values<T: Choose>(cond: Condition<'_>, a: &[T], b: &[T], exec: &Exec) -> Result<Buffer> {
    morsel::build_values(a.len(), exec, |rows, out| {
        for (k, out) in out.chunks_mut(64).enumerate() {
            let first = rows.start + k * 64;
            let block = first..first + out.len();
            blend(cond.word(first / 64), &a[block.clone()], &b[block], out);
        }
    })
}

/// An absent bitmask is all ones.
fn choose_bits(
    cond: Condition<'_>,
    len: usize,
    a: Option<BitSlice<'_>>,
    b: Option<BitSlice<'_>>,
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_bits(len, exec, |rows, out| {
        for (k, out) in out.iter_mut().enumerate() {
            let word = rows.start / 64 + k;
            let (a, b) = (a.map_or(u64::MAX, |a| a.word(word)), b.map_or(u64::MAX, |b| b.word(word)));
            let choice = cond.word(word);
            *out = choice & a | !choice & b;
        }
    })
}
