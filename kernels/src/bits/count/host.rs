//! Host implementation of `count_ones`.

use crate::bits::BitSlice;
use crate::{Bits, Result, morsel};
use columnade_buffers::Exec;

vectorised! {
    fn ones[](bits: BitSlice<'_>) -> usize {
        bits.words().map(|word| word.count_ones() as usize).sum()
    }
}

pub(super) fn count_ones(bits: Bits<'_>, exec: &Exec) -> Result<usize> {
    let guard = bits.read(exec)?;
    let slice = BitSlice::new(guard.as_slice(), bits.offset, bits.len);
    Ok(morsel::map(bits.len, |rows| ones(slice.slice(rows.start, rows.len()))).into_iter().sum())
}
