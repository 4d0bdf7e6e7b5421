//! A radix sort on the host of items that are computed when they are read.
//!
//! Items are computed twice, to count the leading bits and to write the items to their partitions. Each partition is
//! sorted in a core's cache, and what follows from its items is written at once. So an item takes one write and one read
//! of memory, and its results one write.

use super::radix::{Item, PARTITION_BITS, Target, part, places, sort, sort_part, sorted_alone};
use crate::Result;
use crate::parallel::{Pool, for_each_part, map_tasks, threads};
use crate::scratch::Scratch;
use crate::tuning::HOST_MORSEL_ROWS;
use columnade_buffers::{Exec, Pod};
use std::ops::Range;

/// Items that are computed at a time, in the L1 cache.
pub(super) const BLOCK: usize = 1024;

/// Items that are all different.
pub(super) struct Source<'a, T> {
    pub(super) len: usize,
    /// The bits of their keys from this one on are equal.
    pub(super) high: u32,
    /// Computes the items from a position on, at most [`BLOCK`] at a time.
    pub(super) fill: &'a (dyn Fn(usize, &mut [T]) + Sync),
}

/// Where what follows from sorted items goes.
pub(super) trait Output<'a, T>: Send {
    /// Takes off the place of the first `len` items.
    fn split_front(&mut self, len: usize) -> Box<dyn Output<'a, T> + 'a>;

    /// Writes what follows from the items, as many as there is space for. `before` is the item before them, unless it has
    /// other leading bits.
    fn write(&mut self, before: Option<T>, items: &[T]);
}

/// A value an item.
pub(super) struct Values<'a, V, F> {
    pub(super) out: &'a mut [V],
    pub(super) value: F,
}

impl<'a, T: Item, V: Pod + Send, F: Fn(T) -> V + Copy + Send + 'a> Output<'a, T> for Values<'a, V, F> {
    fn split_front(&mut self, len: usize) -> Box<dyn Output<'a, T> + 'a> {
        let (front, rest) = std::mem::take(&mut self.out).split_at_mut(len);
        self.out = rest;
        Box::new(Self { out: front, value: self.value })
    }

    fn write(&mut self, _: Option<T>, items: &[T]) {
        self.out.iter_mut().zip(items).for_each(|(out, &item)| *out = (self.value)(item));
    }
}

/// The outputs of one range of sorted items.
pub(super) type Outputs<'a, T> = Vec<Box<dyn Output<'a, T> + 'a>>;

/// Sorts the items of `source` into `outputs`. `memory` has the length of the source. Items whose `most` leading bits are
/// equal stay together.
///
/// # Errors
/// When memory cannot be had: as much again, for items of which many have equal leading bits.
pub(super) fn sort_computed<T: Item + Pod>(
    source: &Source<'_, T>,
    most: u32,
    memory: &mut [T],
    mut outputs: Outputs<'_, T>,
    exec: &Exec,
) -> Result<()> {
    let (len, high) = (source.len, source.high);
    if len <= part::<T>() {
        for (block, items) in memory.chunks_mut(BLOCK).enumerate() {
            (source.fill)(block * BLOCK, items);
        }
        sort_part(memory, &mut vec![T::ZERO; len], high, Target::Items);
        write(&mut outputs, None, memory);
        return Ok(());
    }
    let width = ((len * 4 / part::<T>()).ilog2() + 1).min(PARTITION_BITS).min(high).min(most);
    let shift = high - width;
    let chunks = Chunks::new(len);
    let Some(counts) = counts(source, &chunks, shift, width) else {
        write_in_order(source, outputs);
        return Ok(());
    };
    distribute(source, &chunks, places(&counts, memory), shift, width);
    // Partitions that one core sorts while others sort theirs, and partitions that are sorted on all cores.
    let alone = (len / (4 * threads())).max(part::<T>());
    let (mut parts, mut large) = (Vec::with_capacity(1 << width), Vec::new());
    let mut rest = memory;
    for digit in 0..1 << width {
        let len = counts.iter().map(|counts| counts[digit]).sum();
        let (items, tail) = rest.split_at_mut(len);
        rest = tail;
        let own: Outputs<'_, T> = outputs.iter_mut().map(|output| output.split_front(len)).collect();
        if len > alone {
            large.push((items, own));
        } else if len > 0 {
            parts.push((items, own));
        }
    }
    let most = |parts: &[(&mut [T], Outputs<'_, T>)]| parts.iter().map(|(items, _)| items.len()).max();
    let size = most(&parts).unwrap_or(1);
    let mut scratch = Scratch::<T>::uninit((size * threads()).max(most(&large).unwrap_or(0)), exec)?;
    let pool = Pool::new();
    scratch.as_mut_slice().chunks_mut(size).take(threads()).for_each(|scratch| pool.put(scratch));
    for_each_part(parts, |_, (items, mut outputs): (&mut [T], Outputs<'_, T>)| {
        pool.with_kept(|scratch| {
            let scratch = &mut scratch[..items.len()];
            let sorted = match sorted_alone(items, scratch, shift) {
                Target::Items => &*items,
                Target::Scratch => scratch,
            };
            write(&mut outputs, None, sorted);
        });
    });
    drop(pool);
    for (items, outputs) in large {
        sort(items, &mut scratch.as_mut_slice()[..items.len()], shift, Target::Items);
        write_many(items, outputs);
    }
    Ok(())
}

/// The ranges of items that threads read: a few per thread, which is enough to balance, and few enough that their
/// positions in the partitions are cheap to compute.
struct Chunks {
    len: usize,
    size: usize,
}

impl Chunks {
    fn new(len: usize) -> Self {
        Self { len, size: len.div_ceil(4 * threads()).max(BLOCK) }
    }

    fn count(&self) -> usize {
        self.len.div_ceil(self.size)
    }

    fn range(&self, chunk: usize) -> Range<usize> {
        chunk * self.size..self.len.min((chunk + 1) * self.size)
    }
}

impl<T: Item> Source<'_, T> {
    /// Calls `use_items` with the items of a range, a block at a time.
    fn for_each_block(&self, range: Range<usize>, mut use_items: impl FnMut(&[T])) {
        let mut block = [T::ZERO; BLOCK];
        for start in range.clone().step_by(BLOCK) {
            let items = &mut block[..BLOCK.min(range.end - start)];
            (self.fill)(start, items);
            use_items(items);
        }
    }

    /// The item at a position.
    fn at(&self, position: usize) -> T {
        let mut item = [T::ZERO];
        (self.fill)(position, &mut item);
        item[0]
    }
}

/// How many items of each chunk have each digit of `width` bits from `shift`; `None` if all are in order.
fn counts<T: Item>(
    source: &Source<'_, T>,
    chunks: &Chunks,
    shift: u32,
    width: u32,
) -> Option<Vec<Vec<usize>>> {
    let mask = (1 << width) - 1;
    let counted = map_tasks(chunks.count(), &|chunk| {
        let range = chunks.range(chunk);
        let (mut counts, mut is_sorted) = (vec![0; 1 << width], true);
        let mut before = if range.start == 0 { T::ZERO } else { source.at(range.start - 1) };
        source.for_each_block(range, |items| {
            for &item in items {
                counts[item.digit(shift, mask)] += 1;
            }
            if is_sorted {
                is_sorted = before <= items[0] && items.is_sorted();
                before = items[items.len() - 1];
            }
        });
        (counts, is_sorted)
    });
    let is_sorted = counted.iter().all(|(_, is_sorted)| *is_sorted);
    (!is_sorted).then(|| counted.into_iter().map(|(counts, _)| counts).collect())
}

/// Writes the items of each chunk to its places in the partitions.
fn distribute<T: Item>(
    source: &Source<'_, T>,
    chunks: &Chunks,
    places: Vec<Vec<std::slice::IterMut<'_, T>>>,
    shift: u32,
    width: u32,
) {
    let mask = (1 << width) - 1;
    for_each_part(places, |chunk, mut places| {
        source.for_each_block(chunks.range(chunk), |items| {
            for &item in items {
                if let Some(place) = places[item.digit(shift, mask)].next() {
                    *place = item;
                }
            }
        });
    });
}

fn write<T: Copy>(outputs: &mut Outputs<'_, T>, before: Option<T>, items: &[T]) {
    for output in outputs {
        output.write(before, items);
    }
}

/// Writes the results of many sorted items, on all cores.
fn write_many<T: Item>(items: &[T], outputs: Outputs<'_, T>) {
    for_each_part(
        items.chunks(HOST_MORSEL_ROWS).zip(split(outputs, items.len())),
        |chunk, (own, mut outputs)| {
            let before = (chunk * HOST_MORSEL_ROWS).checked_sub(1).map(|before| items[before]);
            write(&mut outputs, before, own);
        },
    );
}

/// Writes the results of items that are in order.
fn write_in_order<T: Item>(source: &Source<'_, T>, outputs: Outputs<'_, T>) {
    for_each_part(split(outputs, source.len), |chunk, mut outputs| {
        let start = chunk * HOST_MORSEL_ROWS;
        let mut before = start.checked_sub(1).map(|before| source.at(before));
        source.for_each_block(start..source.len.min(start + HOST_MORSEL_ROWS), |items| {
            let mut own = outputs.iter_mut().map(|output| output.split_front(items.len())).collect();
            write(&mut own, before, items);
            before = items.last().copied();
        });
    });
}

/// The outputs of each morsel.
fn split<T>(mut outputs: Outputs<'_, T>, len: usize) -> Vec<Outputs<'_, T>> {
    let starts = (0..len).step_by(HOST_MORSEL_ROWS);
    starts
        .map(|start| {
            let len = HOST_MORSEL_ROWS.min(len - start);
            outputs.iter_mut().map(|output| output.split_front(len)).collect()
        })
        .collect()
}
