//! Short strings in sorted order, from the codes that the host sorts rows by.
//!
//! To gather sorted strings reads them at random. Where codes have all that strings differ in, the strings are made of the
//! sorted codes instead.

use super::computed::{Outputs, Values};
use super::fields::{Level, levels};
use super::host::row_map;
use super::strings::{Coder, Packed, StringKey};
use super::{SortKey, SortedKeys};
use crate::parallel::for_each_chunk;
use crate::scratch::Scratch;
use crate::strings_view::{Span, append, fill_morsels};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{ColumnData, Element, OffsetWidth, Result, RowMap, StringData, access, morsel};
use columnade_buffers::{Buffer, Exec};

/// Fewer rows are gathered.
const FEW: usize = 1024;
/// The most bytes that all strings begin with.
const MOST_PREFIX: usize = 24;
/// Bytes that are copied at once, for strings of fewer bytes too.
const COPIED: usize = 64;
/// Bytes of a word.
const WORD: usize = 8;

/// The rows in the order of a sole key of short strings, and the strings; `None` for other keys.
pub(super) fn sort(keys: &[SortKey<'_>], exec: &Exec) -> Result<Option<SortedKeys>> {
    let [key] = keys else { return Ok(None) };
    let guards = access(&[key.view], exec)?;
    let levels = levels(keys, &guards, u64::BITS);
    let [Level::String(key)] = levels.as_slice() else { return Ok(None) };
    let rows = guards[0].len();
    if rows < FEW || key.validity.is_some() || !is_short(key, (0..rows as u64).step_by(rows / FEW)) {
        return Ok(None);
    }
    let mut numbers = Scratch::<u64>::uninit(rows, exec)?;
    let numbers = &mut numbers.as_mut_slice()[..rows];
    for_each_chunk(numbers, HOST_MORSEL_ROWS, |chunk, rows| {
        rows.iter_mut().zip(chunk as u64 * HOST_MORSEL_ROWS as u64..).for_each(|(out, row)| *out = row);
    });
    let prefix = key.common_prefix(numbers);
    let common = key.common(numbers, prefix);
    let row_bits = u64::BITS - (rows as u64 - 1).leading_zeros();
    let packed = Packed::new(common.varying, u64::BITS - row_bits);
    if !common.fits || packed.dropped > 0 || prefix > MOST_PREFIX || packed.bits == 0 {
        return Ok(None);
    }
    let coder = Coder { packed: &packed, row_bits, inverted: key.inverted(&packed) };
    for_each_chunk(numbers, HOST_MORSEL_ROWS, |_, items| {
        for item in items {
            *item = coder.code(*item, key.word(*item as usize, prefix));
        }
    });
    let mut codes = Scratch::<u64>::uninit(rows, exec)?;
    let value = |item: u64| item;
    let outputs: Outputs<'_, u64> = vec![Box::new(Values { out: &mut codes.as_mut_slice()[..rows], value })];
    coder.sort(numbers, outputs, exec)?;
    let codes = &codes.as_slice()[..rows];
    let texts = Texts { key, coder, prefix, codes };
    Ok(Some(SortedKeys {
        rows: texts.rows(exec)?,
        keys: vec![Some(ColumnData::String(texts.strings(exec)?))],
    }))
}

/// Whether strings of some rows are no longer than a word and what they begin with.
fn is_short(key: &StringKey<'_>, rows: impl Iterator<Item = u64>) -> bool {
    let rows: Vec<u64> = rows.collect();
    let most = key.common_prefix(&rows) + WORD;
    rows.iter().all(|&row| key.strings.get(row as usize).len() <= most)
}

/// Sorted strings as codes.
struct Texts<'a> {
    key: &'a StringKey<'a>,
    coder: Coder<'a>,
    /// Bytes that all strings begin with.
    prefix: usize,
    codes: &'a [u64],
}

impl Texts<'_> {
    /// The row numbers below the codes.
    fn rows(&self, exec: &Exec) -> Result<RowMap> {
        let row = (1_u64 << self.coder.row_bits) - 1;
        row_map(self.codes, |item| (item & row) as usize, exec)
    }

    /// Calls `use_word` with the bytes after the prefix of each string, and how many there are.
    #[inline]
    fn for_each(&self, codes: &[u64], mut use_word: impl FnMut([u8; WORD], usize)) {
        let Coder { packed, row_bits, inverted } = self.coder;
        let first = self.key.word(0, self.prefix);
        for &item in codes {
            let (word, left) = packed.decode((item >> row_bits) ^ inverted, first);
            use_word(word.to_be_bytes(), left);
        }
    }

    fn strings(&self, exec: &Exec) -> Result<StringData> {
        let len = self.codes.len();
        let sizes = morsel::map(len, |rows| {
            let mut size = rows.len() * self.prefix;
            self.for_each(&self.codes[rows], |_, left| size += left);
            size
        });
        let bytes = sizes.iter().sum();
        let offset_width = OffsetWidth::for_bytes(bytes);
        let mut chars = Buffer::uninit(bytes, exec)?;
        let offsets = match offset_width {
            OffsetWidth::I32 => self.fill(&sizes, &mut chars, |end| end as i32, exec)?,
            OffsetWidth::I64 => self.fill(&sizes, &mut chars, |end| end as i64, exec)?,
        };
        Ok(StringData { len, offsets, offset_width, chars, validity: None })
    }

    /// Writes the characters, and returns the offsets.
    fn fill<T: Element>(
        &self,
        sizes: &[usize],
        chars: &mut Buffer,
        offset: impl Fn(usize) -> T + Sync,
        exec: &Exec,
    ) -> Result<Buffer> {
        let prefix = self.prefix;
        fill_morsels::<T>(self.codes.len(), sizes, chars, exec, &|first, start, chars, ends| {
            // What all strings begin with, a word, and bytes that are overwritten by the next string.
            let mut text = [0; COPIED];
            text[..prefix].copy_from_slice(&self.key.strings.get(0)[..prefix]);
            let (mut at, mut ends_left) = (0, ends.iter_mut());
            self.for_each(&self.codes[first..first + ends_left.len()], |word, left| {
                text[prefix..prefix + WORD].copy_from_slice(&word);
                at = append(chars, at, Span { tail: &text, len: prefix + left });
                if let Some(end) = ends_left.next() {
                    *end = offset(start + at);
                }
            });
        })
    }
}
