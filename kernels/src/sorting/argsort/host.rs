//! Host implementation of `argsort`.
//!
//! An item is a word of packed key bits with the row number in the low bits, so all items differ and sorting
//! them is stable. Rows are sorted by the first word. Runs of rows with equal words are sorted by the next
//! word, or by the string, and so on. Runs of many rows are sorted one after the other, each on all cores.

use super::SortKey;
use super::fields::{Level, levels};
use super::radix::{self, Target};
use super::restored;
use super::strings::{EQUAL, PART};
use crate::parallel::{for_each_chunk, join};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, RowMap, RowWidth, View, access, morsel};
use columnade_buffers::{Buffer, Exec};
use std::ops::Range;

/// Items whose words are computed at a time, in the L1 cache.
const BLOCK: usize = 1024;

pub(super) fn argsort(keys: &[SortKey<'_>], rows: usize, exec: &Exec) -> Result<RowMap> {
    let views: Vec<View<'_>> = keys.iter().map(|key| key.view).collect();
    let guards = access(&views, exec)?;
    let items = Items { row_bits: usize::BITS - rows.leading_zeros() };
    let levels = levels(keys, &guards, 64 - items.row_bits);
    if let [Level::Word(word)] = levels.as_slice() {
        return Ok(restored::sort_words::<u64>(word, &[], rows, items.row_bits, exec)?.rows);
    }
    let mut buffer = Buffer::uninit(rows * 8, exec)?;
    let mut scratch = Buffer::uninit(rows * 8, exec)?;
    let (mut sorted, mut scratch) = (buffer.write(exec)?, scratch.write(exec)?);
    let (sorted, scratch) = (sorted.as_mut_slice::<u64>(), scratch.as_mut_slice::<u64>());
    if let Some((Level::Word(word), rest)) = levels.split_first() {
        for_each_block(sorted, |first, block| {
            word.fill(block, |i| first + i);
            block.iter_mut().enumerate().for_each(|(i, item)| *item = items.pack(*item, first + i));
        });
        radix::sort(sorted, scratch, items.row_bits + word.bits, Target::Items);
        items.sort_runs(rest, sorted, scratch, Some(exec))?;
    } else {
        for_each_block(sorted, |first, block| {
            block.iter_mut().enumerate().for_each(|(i, item)| *item = (first + i) as u64);
        });
        items.sort_by(&levels, sorted, scratch, Some(exec))?;
    }
    row_map(sorted, |item| items.row(item), exec)
}

/// The rows of sorted items.
pub(super) fn row_map<T: Copy + Sync>(
    items: &[T],
    row: impl Fn(T) -> usize + Copy + Sync,
    exec: &Exec,
) -> Result<RowMap> {
    let (len, width) = (items.len(), RowWidth::for_rows(items.len()));
    let rows = match width {
        RowWidth::U32 => morsel::build_values(len, exec, |rows, out: &mut [u32]| {
            out.iter_mut().zip(&items[rows]).for_each(|(out, &item)| *out = row(item) as u32);
        })?,
        RowWidth::U64 => morsel::build_values(len, exec, |rows, out: &mut [u64]| {
            out.iter_mut().zip(&items[rows]).for_each(|(out, &item)| *out = row(item) as u64);
        })?,
    };
    Ok(RowMap { rows, width, len })
}

/// The layout of the items: the number of low bits for a row number.
#[derive(Clone, Copy)]
struct Items {
    row_bits: u32,
}

impl Items {
    fn pack(self, word: u64, row: usize) -> u64 {
        word << self.row_bits | row as u64
    }

    fn row(self, item: u64) -> usize {
        (item & ((1 << self.row_bits) - 1)) as usize
    }

    /// Sorts rows by the first level, then every run of equal rows by the other levels. Without a context there are few
    /// rows.
    fn sort_by(
        self,
        levels: &[Level<'_>],
        items: &mut [u64],
        scratch: &mut [u64],
        exec: Option<&Exec>,
    ) -> Result<()> {
        match levels.split_first() {
            None => Ok(()),
            Some((Level::Word(word), rest)) => {
                for_each_block(items, |_, block| {
                    let mut words = [0; BLOCK];
                    let words = &mut words[..block.len()];
                    word.fill(words, |i| self.row(block[i]));
                    block
                        .iter_mut()
                        .zip(words)
                        .for_each(|(item, word)| *item = self.pack(*word, self.row(*item)));
                });
                radix::sort(items, scratch, self.row_bits + word.bits, Target::Items);
                self.sort_runs(rest, items, scratch, exec)
            }
            Some((Level::String(key), rest)) => {
                for_each_block(items, |_, block| {
                    for item in block {
                        *item = self.row(*item) as u64;
                    }
                });
                key.sort(items, scratch, exec)?;
                self.sort_equal(rest, items, scratch, exec, &|_, next| next & EQUAL != 0)
            }
        }
    }

    /// Sorts the runs of items with equal words by the other levels.
    fn sort_runs(
        self,
        levels: &[Level<'_>],
        items: &mut [u64],
        scratch: &mut [u64],
        exec: Option<&Exec>,
    ) -> Result<()> {
        let equal = |a: u64, b: u64| a >> self.row_bits == b >> self.row_bits;
        self.sort_equal(levels, items, scratch, exec, &equal)
    }

    /// Sorts the runs of items, each of which is equal to the one before it, by the other levels.
    fn sort_equal(
        self,
        levels: &[Level<'_>],
        items: &mut [u64],
        scratch: &mut [u64],
        exec: Option<&Exec>,
        equal: &(dyn Fn(u64, u64) -> bool + Sync),
    ) -> Result<()> {
        if levels.is_empty() {
            return Ok(());
        }
        let Some(exec) = exec else {
            let mut sorted = Ok(());
            for run in runs(items, equal) {
                let done = self.sort_by(levels, &mut items[run.clone()], &mut scratch[run], None);
                sorted = sorted.and(done);
            }
            return sorted;
        };
        // Strings of many rows take memory of the context, which is not asked for in a parallel loop.
        let large: Vec<_> = if items.len() > PART {
            runs(items, equal).into_iter().filter(|run| run.len() > PART).collect()
        } else {
            Vec::new()
        };
        for_each_run(items, scratch, equal, &|items, scratch| {
            if items.len() <= PART {
                let sorted = self.sort_by(levels, items, scratch, None);
                debug_assert!(sorted.is_ok(), "few rows take no memory of a context");
            }
        });
        large
            .into_iter()
            .try_for_each(|run| self.sort_by(levels, &mut items[run.clone()], &mut scratch[run], Some(exec)))
    }
}

/// The runs of more than one item, each of which is equal to the one before it.
pub(super) fn runs(items: &[u64], equal: &(dyn Fn(u64, u64) -> bool + Sync)) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for at in 1..=items.len() {
        if at == items.len() || !equal(items[at - 1], items[at]) {
            if at - start > 1 {
                runs.push(start..at);
            }
            start = at;
        }
    }
    runs
}

/// Calls `body` for every run of equal neighbours, on all cores if there are many items.
pub(super) fn for_each_run(
    items: &mut [u64],
    scratch: &mut [u64],
    equal: &(dyn Fn(u64, u64) -> bool + Sync),
    body: &(dyn Fn(&mut [u64], &mut [u64]) + Sync),
) {
    let run_at = |items: &[u64], start: usize| {
        let run = items[start..].windows(2).take_while(|pair| equal(pair[0], pair[1])).count();
        start + run + 1
    };
    if items.len() > HOST_MORSEL_ROWS {
        // Splits at the end of the run across the middle, unless that run extends to the end.
        let end = run_at(items, items.len() / 2);
        if end < items.len() {
            let (left, right) = items.split_at_mut(end);
            let (left_scratch, right_scratch) = scratch.split_at_mut(end);
            join(&mut || for_each_run(left, left_scratch, equal, body), &mut || {
                for_each_run(right, right_scratch, equal, body);
            });
            return;
        }
    }
    let mut start = 0;
    while start < items.len() {
        let end = run_at(items, start);
        if end - start > 1 {
            body(&mut items[start..end], &mut scratch[start..end]);
        }
        start = end;
    }
}

/// Calls `body` with the first row of each block of at most [`BLOCK`] items.
fn for_each_block(items: &mut [u64], body: impl Fn(usize, &mut [u64]) + Sync) {
    for_each_chunk(items, HOST_MORSEL_ROWS, |chunk, items| {
        for (block, items) in items.chunks_mut(BLOCK).enumerate() {
            body(chunk * HOST_MORSEL_ROWS + block * BLOCK, items);
        }
    });
}
