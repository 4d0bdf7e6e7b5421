//! Host twin of `argsort`.
//!
//! Rows are sorted by a word of packed key bits; where that leaves runs of equal words and there is more to compare,
//! each run is sorted by the next word, or by the text, and so on.

use super::SortKey;
use super::fields::{Level, TextKey, Word, levels};
use super::radix::{self, Bits, Item, Target};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, RowMap, RowWidth, View, access};
use columnade_buffers::{Buffer, Exec, Pod};
use rayon::prelude::*;

pub(super) fn argsort(keys: &[SortKey<'_>], rows: usize, exec: &Exec) -> Result<RowMap> {
    let views: Vec<View<'_>> = keys.iter().map(|key| key.view).collect();
    let guards = access(&views, exec)?;
    let levels = levels(keys, &guards);
    let row_bits = usize::BITS - rows.leading_zeros();
    let width = RowWidth::for_rows(rows);
    let sorted = match (&levels[..], width) {
        ([Level::Word(word)], _) if word.bits + row_bits <= 64 => {
            sort_packed(word, rows, row_bits, width, exec)?
        }
        (_, RowWidth::U32) => sort_levels::<[u32; 3]>(&levels, rows, width, exec)?,
        (_, RowWidth::U64) => sort_levels::<[u64; 2]>(&levels, rows, width, exec)?,
    };
    Ok(RowMap { rows: sorted, width, len: rows })
}

/// A key and its row, where both do not fit in one word.
trait Pair: Item {
    fn row(&self) -> usize;
    fn set_row(&mut self, row: usize);
    fn set_key(&mut self, key: u64);
}

impl Item for [u32; 3] {
    #[inline]
    fn key(&self) -> u64 {
        u64::from(self[1]) << 32 | u64::from(self[0])
    }
}

impl Pair for [u32; 3] {
    #[inline]
    fn row(&self) -> usize {
        self[2] as usize
    }
    #[inline]
    fn set_row(&mut self, row: usize) {
        self[2] = row as u32;
    }
    #[inline]
    fn set_key(&mut self, key: u64) {
        (self[0], self[1]) = (key as u32, (key >> 32) as u32);
    }
}

impl Item for [u64; 2] {
    #[inline]
    fn key(&self) -> u64 {
        self[0]
    }
}

impl Pair for [u64; 2] {
    #[inline]
    fn row(&self) -> usize {
        self[1] as usize
    }
    #[inline]
    fn set_row(&mut self, row: usize) {
        self[1] = row as u64;
    }
    #[inline]
    fn set_key(&mut self, key: u64) {
        self[0] = key;
    }
}

/// Key bits on top, the row beneath.
impl Item for u64 {
    #[inline]
    fn key(&self) -> u64 {
        *self
    }
}

/// Sorts by one word that leaves room for the row.
fn sort_packed(word: &Word<'_>, rows: usize, row_bits: u32, width: RowWidth, exec: &Exec) -> Result<Buffer> {
    let mut items = Buffer::uninit(rows * 8, exec)?;
    let mut scratch = Buffer::uninit(rows * 8, exec)?;
    let (mut items, mut scratch) = (items.write(exec)?, scratch.write(exec)?);
    let (items, scratch) = (items.as_mut_slice::<u64>(), scratch.as_mut_slice::<u64>());
    for_each_chunk(items, |start, chunk| {
        for (k, block) in chunk.chunks_mut(BLOCK).enumerate() {
            let first = start + k * BLOCK;
            word.fill(block, |i| first + i);
            for (i, item) in block.iter_mut().enumerate() {
                *item = *item << row_bits | (first + i) as u64;
            }
        }
    });
    let bits = Bits { low: row_bits, high: row_bits + word.bits };
    if !items.is_sorted() {
        radix::sort(items, scratch, bits, Target::Items);
    }
    let mask = (1 << row_bits) - 1;
    rows_out(items, width, exec, |item| (item & mask) as usize)
}

fn sort_levels<P: Pair>(levels: &[Level<'_>], rows: usize, width: RowWidth, exec: &Exec) -> Result<Buffer> {
    let mut items = Buffer::uninit(rows * size_of::<P>(), exec)?;
    let mut scratch = Buffer::uninit(rows * size_of::<P>(), exec)?;
    let (mut items, mut scratch) = (items.write(exec)?, scratch.write(exec)?);
    let (items, scratch) = (items.as_mut_slice::<P>(), scratch.as_mut_slice::<P>());
    for_each_chunk(items, |start, chunk| {
        chunk.iter_mut().enumerate().for_each(|(i, item)| item.set_row(start + i));
    });
    sort_by(levels, items, scratch);
    rows_out(items, width, exec, Pair::row)
}

/// Sorts rows by the first level, then every run of rows that it leaves equal by the others.
fn sort_by<P: Pair>(levels: &[Level<'_>], items: &mut [P], scratch: &mut [P]) {
    let Some((level, rest)) = levels.split_first() else { return };
    match level {
        Level::Word(word) => {
            sort_by_word(word, items, scratch);
            if !rest.is_empty() {
                let equal = |a: &P, b: &P| a.key() == b.key();
                for_each_run(items, scratch, &equal, &|items, scratch| sort_by(rest, items, scratch));
            }
        }
        Level::Text(text) => {
            sort_by_text(text, items);
            if !rest.is_empty() {
                let equal = |a: &P, b: &P| text.compare(a.row(), b.row()).is_eq();
                for_each_run(items, scratch, &equal, &|items, scratch| sort_by(rest, items, scratch));
            }
        }
    }
}

/// Rows whose words are made at a time, in the first-level cache.
const BLOCK: usize = 1024;

fn sort_by_word<P: Pair>(word: &Word<'_>, items: &mut [P], scratch: &mut [P]) {
    for_each_chunk(items, |_, chunk| {
        let mut words = [0; BLOCK];
        for block in chunk.chunks_mut(BLOCK) {
            let words = &mut words[..block.len()];
            word.fill(words, |i| block[i].row());
            block.iter_mut().zip(words).for_each(|(item, word)| item.set_key(*word));
        }
    });
    if !items.is_sorted_by_key(Item::key) {
        radix::sort(items, scratch, Bits { low: 0, high: word.bits }, Target::Items);
    }
}

fn sort_by_text<P: Pair>(text: &TextKey<'_>, items: &mut [P]) {
    let compare = |a: &P, b: &P| text.compare(a.row(), b.row());
    if items.len() <= HOST_MORSEL_ROWS {
        items.sort_by(compare);
    } else {
        items.par_sort_by(compare);
    }
}

/// Calls `body` for every run of several neighbours that are equal, on all cores when there are many items.
fn for_each_run<P: Pair>(
    items: &mut [P],
    scratch: &mut [P],
    equal: &(impl Fn(&P, &P) -> bool + Sync),
    body: &(impl Fn(&mut [P], &mut [P]) + Sync),
) {
    if items.len() > HOST_MORSEL_ROWS {
        // The end of the run that lies across the middle; when it takes all the rest, there is nothing to halve.
        let middle = items.len() / 2;
        let run = items[middle..].windows(2).take_while(|pair| equal(&pair[0], &pair[1])).count();
        let end = middle + run + 1;
        if end < items.len() {
            let (left, right) = items.split_at_mut(end);
            let (left_scratch, right_scratch) = scratch.split_at_mut(end);
            rayon::join(
                || for_each_run(left, left_scratch, equal, body),
                || for_each_run(right, right_scratch, equal, body),
            );
            return;
        }
    }
    let mut start = 0;
    while start < items.len() {
        let run = items[start..].windows(2).take_while(|pair| equal(&pair[0], &pair[1])).count();
        let end = start + run + 1;
        if run > 0 {
            body(&mut items[start..end], &mut scratch[start..end]);
        }
        start = end;
    }
}

fn for_each_chunk<T: Send>(items: &mut [T], body: impl Fn(usize, &mut [T]) + Sync) {
    if items.len() <= HOST_MORSEL_ROWS {
        body(0, items);
    } else {
        items
            .par_chunks_mut(HOST_MORSEL_ROWS)
            .enumerate()
            .for_each(|(chunk, items)| body(chunk * HOST_MORSEL_ROWS, items));
    }
}

/// The rows of sorted items.
fn rows_out<T: Pod + Sync>(
    items: &[T],
    width: RowWidth,
    exec: &Exec,
    row: impl Fn(&T) -> usize + Sync,
) -> Result<Buffer> {
    match width {
        RowWidth::U32 => crate::morsel::build_values(items.len(), exec, |rows, out: &mut [u32]| {
            out.iter_mut().zip(&items[rows]).for_each(|(out, item)| *out = row(item) as u32);
        }),
        RowWidth::U64 => crate::morsel::build_values(items.len(), exec, |rows, out: &mut [u64]| {
            out.iter_mut().zip(&items[rows]).for_each(|(out, item)| *out = row(item) as u64);
        }),
    }
}
