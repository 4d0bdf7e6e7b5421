//! Strings in dictionaries, decoded into the codes of their column; the dictionaries of its row groups become one.

use std::collections::HashMap;
use std::ops::Range;

use columnade_buffers::{Buffer, in_workers};
use columnade_columns::{Column, StringColumn};
use columnade_kernels::OffsetWidth;
use rayon::prelude::*;

use super::codes::{Codes, Run};
use super::pages::Sink;

/// The values that codes stand for.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// Where each value begins, and where the last one ends.
    offsets: Vec<i32>,
    bytes: Vec<u8>,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self { offsets: vec![0], bytes: Vec::new() }
    }
}

impl Dictionary {
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Adds a value, whose code it returns; `None` for more values or bytes than 32 bits count.
    fn push(&mut self, value: &[u8]) -> Option<i32> {
        let code = i32::try_from(self.len()).ok()?;
        let end = i32::try_from(self.bytes.len().checked_add(value.len())?).ok()?;
        self.bytes.extend_from_slice(value);
        self.offsets.push(end);
        Some(code)
    }

    fn values(&self) -> impl Iterator<Item = &[u8]> {
        let place = |offset: i32| usize::try_from(offset).unwrap_or(0);
        self.offsets.windows(2).map(move |pair| &self.bytes[place(pair[0])..place(pair[1])])
    }

    /// The values as a column.
    pub(super) fn into_column(self) -> columnade_columns::Result<Column> {
        let rows = self.len();
        let [offsets, bytes] =
            [arrow_buffer::Buffer::from_vec(self.offsets), arrow_buffer::Buffer::from_vec(self.bytes)]
                .map(Buffer::from_arrow);
        StringColumn::new(offsets, OffsetWidth::I32, bytes, None, 0, rows).map(Column::String)
    }
}

/// Rows of a column of codes.
pub(super) struct CodedRows<'a> {
    rows: &'a mut [i32],
    /// The next row.
    row: usize,
    dictionary: Dictionary,
    /// The codes of the values, where a page has values as they are.
    known: Option<HashMap<Box<[u8]>, i32>>,
}

impl<'a> CodedRows<'a> {
    pub(super) fn new(rows: &'a mut [i32]) -> Self {
        Self { rows, row: 0, dictionary: Dictionary::default(), known: None }
    }

    /// The dictionary, where the rows that are left have no values.
    pub(super) fn finish(mut self) -> Option<Dictionary> {
        self.skip_to(self.rows.len())?;
        Some(self.dictionary)
    }

    /// Rows without values before `row`, of which the code is 0.
    fn skip_to(&mut self, row: usize) -> Option<()> {
        self.rows.get_mut(self.row..row)?.fill(0);
        self.row = row;
        Some(())
    }
}

/// Takes a value off the bytes, which has its length before it.
fn value<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let value;
    (value, *bytes) = rest.split_at_checked(length)?;
    Some(value)
}

impl Sink for CodedRows<'_> {
    fn dictionary(&mut self, mut bytes: &[u8], count: usize) -> Option<()> {
        // The codes of rows before are of another dictionary.
        if self.row > 0 || self.dictionary.len() > 0 {
            return None;
        }
        for _ in 0..count {
            let value = value(&mut bytes)?;
            std::str::from_utf8(value).ok()?;
            self.dictionary.push(value)?;
        }
        Some(())
    }

    fn plain(&mut self, mut bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()> {
        let Self { dictionary, known, .. } = self;
        // The first of those that are there twice.
        let known = known.get_or_insert_with(|| {
            let mut known = HashMap::with_capacity(dictionary.len());
            for (value, code) in dictionary.values().zip(0..) {
                known.entry(value.into()).or_insert(code);
            }
            known
        });
        for range in ranges {
            self.rows.get_mut(self.row..range.start)?.fill(0);
            for row in self.rows.get_mut(range.clone())? {
                let value = value(&mut bytes)?;
                *row = if let Some(&code) = known.get(value) {
                    code
                } else {
                    std::str::from_utf8(value).ok()?;
                    let code = dictionary.push(value)?;
                    known.insert(value.into(), code);
                    code
                };
            }
            self.row = range.end;
        }
        Some(())
    }

    fn coded(&mut self, bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()> {
        // Without values there are no bits either.
        let (&width, bytes) = bytes.split_first().unwrap_or((&0, &[]));
        let mut codes = Codes::new(bytes, usize::from(width))?;
        let values = u32::try_from(self.dictionary.len()).ok()?;
        for range in ranges {
            self.skip_to(range.start)?;
            let mut rows = self.rows.get_mut(range.clone())?;
            codes.read(rows.len(), |run| {
                let largest = match run {
                    Run::Repeated(code, count) => {
                        let (part, rest) = std::mem::take(&mut rows).split_at_mut_checked(count)?;
                        rows = rest;
                        part.fill(code.cast_signed());
                        code
                    }
                    Run::Packed(codes) => {
                        let (part, rest) = std::mem::take(&mut rows).split_at_mut_checked(codes.len())?;
                        rows = rest;
                        let mut largest = 0;
                        for (row, &code) in part.iter_mut().zip(codes) {
                            *row = code.cast_signed();
                            largest = largest.max(code);
                        }
                        largest
                    }
                };
                (largest < values).then_some(())
            })?;
            self.row = range.end;
        }
        Some(())
    }
}

/// One dictionary of the values of all, in order of first appearance, and for each the new code of each of its values;
/// `None` where codes stay as they are. `None` for more values or bytes than 32 bits count.
pub(super) fn union(dictionaries: &[Dictionary]) -> Option<(Dictionary, Vec<Option<Vec<i32>>>)> {
    let mut all = Dictionary::default();
    let mut known: HashMap<&[u8], i32> = HashMap::new();
    let mut maps = Vec::with_capacity(dictionaries.len());
    for dictionary in dictionaries {
        let mut map = Vec::with_capacity(dictionary.len());
        for value in dictionary.values() {
            let code = if let Some(&code) = known.get(value) {
                code
            } else {
                let code = all.push(value)?;
                known.insert(value, code);
                code
            };
            map.push(code);
        }
        let is_same = map.iter().zip(0..).all(|(&code, at)| code == at);
        maps.push((!is_same).then_some(map));
    }
    Some((all, maps))
}

/// The codes of the row groups in `parts` with the codes of the union.
pub(super) fn recode<'a>(parts: impl Iterator<Item = &'a mut [i32]>, maps: &[Option<Vec<i32>>]) {
    let parts: Vec<_> = parts.zip(maps).filter_map(|(part, map)| Some((part, map.as_ref()?))).collect();
    in_workers(|| {
        parts.into_par_iter().for_each(|(part, map)| {
            for code in part {
                // Where no row has a value there may be no dictionary.
                *code = usize::try_from(*code).ok().and_then(|code| map.get(code)).copied().unwrap_or(0);
            }
        });
    });
}
