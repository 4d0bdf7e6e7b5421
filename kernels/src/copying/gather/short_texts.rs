//! Gathers short strings of few source rows through a table of their characters.

use super::host::{CopyMorsel, Index, Offset, copied};
use crate::parallel::map_parts;
use crate::scratch::Scratch;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, StringData};
use columnade_buffers::{Buffer, Exec};

/// The characters of a string, and zeros.
type Entry = [u8; LONGEST];
/// The longest string of the table.
const LONGEST: usize = 16;
/// The most source rows: their table stays in the L2 cache.
const ROWS: usize = 16 * 1024;
/// The least rows of a map for each source row.
const ROWS_PER_ENTRY: usize = 8;

/// The strings of all source rows, and an empty one for rows of the map without a source.
pub(super) struct ShortTexts {
    entries: Scratch<Entry>,
    /// Their lengths, which stay in the L1 cache.
    lengths: Scratch<u8>,
}

impl ShortTexts {
    /// `None` where the table does not pay, where a string is too long for it, and where memory is limited.
    pub(super) fn new<S: Offset>(
        source: &[u8],
        offsets: &[S],
        rows: usize,
        exec: &Exec,
    ) -> Result<Option<Self>> {
        let spans = offsets.windows(2);
        let len = spans.len();
        let pays = len <= ROWS && len * ROWS_PER_ENTRY <= rows && exec.budget().is_none();
        if !pays || spans.clone().any(|span| span[1].at() - span[0].at() > LONGEST) {
            return Ok(None);
        }
        let mut entries = Scratch::filled(len + 1, Entry::default(), exec)?;
        let mut lengths = Scratch::filled(len + 1, 0, exec)?;
        let filled = entries.as_mut_slice().iter_mut().zip(lengths.as_mut_slice());
        for ((entry, length), span) in filled.zip(spans) {
            let text = &source[span[0].at()..span[1].at()];
            entry[..text.len()].copy_from_slice(text);
            *length = text.len() as u8;
        }
        Ok(Some(Self { entries, lengths }))
    }

    pub(super) fn gather<I: Index>(
        &self,
        map: &[I],
        validity: Option<Buffer>,
        exec: &Exec,
    ) -> Result<StringData> {
        let texts = Texts { entries: self.entries.as_slice(), lengths: self.lengths.as_slice(), map };
        let sizes = map_parts(map.chunks(HOST_MORSEL_ROWS), |_, map: &[I]| texts.size(map));
        copied(&texts, map.len(), &sizes, validity, exec)
    }
}

struct Texts<'a, I> {
    entries: &'a [Entry],
    lengths: &'a [u8],
    map: &'a [I],
}

impl<I: Index> Texts<'_, I> {
    /// The bytes of the strings that `map` refers to.
    fn size(&self, map: &[I]) -> usize {
        map.iter().map(|index| usize::from(self.lengths[self.position(index)])).sum()
    }

    /// Where the string of an index is: the last one is empty.
    #[inline]
    fn position(&self, index: &I) -> usize {
        index.row().unwrap_or(self.entries.len() - 1)
    }
}

impl<I: Index> CopyMorsel for Texts<'_, I> {
    fn copy<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]) {
        let mut at = 0;
        for (end, index) in ends.iter_mut().zip(&self.map[first..]) {
            let position = self.position(index);
            let (entry, len) = (&self.entries[position], usize::from(self.lengths[position]));
            // What is written after the string is replaced by the next one.
            match chars[at..].first_chunk_mut() {
                Some(target) => *target = *entry,
                None => chars[at..at + len].copy_from_slice(&entry[..len]),
            }
            at += len;
            *end = T::of(start + at);
        }
    }
}
