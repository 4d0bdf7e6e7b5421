//! A radix sort on the host of items that are all different.
//!
//! Large inputs are partitioned by their leading bits on all cores until a partition fits in a core's cache.
//! A partition is then sorted by the bits that distinguish most of its items, least significant digit first,
//! and finished by insertion sort. Random items take one pass through memory and two through the cache
//! instead of eight.

use crate::parallel::{for_each_part, map_parts, threads};
use std::slice::IterMut;

/// An item that is sorted: bits that are read as digits, and for [`Pair`] a row that tells items with equal bits apart.
pub(super) trait Item: Copy + Ord + Send + Sync {
    /// An item without bits.
    const ZERO: Self;

    /// The bits that are read as digits.
    fn key(self) -> u64;

    /// The digit from bit `shift` on.
    #[inline]
    fn digit(self, shift: u32, mask: u64) -> usize {
        (self.key() >> shift & mask) as usize
    }
}

impl Item for u64 {
    const ZERO: Self = 0;

    #[inline]
    fn key(self) -> u64 {
        self
    }
}

/// A word and its row. Items with equal words are in the order of their rows before they are sorted.
pub(super) type Pair = [u64; 2];

impl Item for Pair {
    const ZERO: Self = [0; 2];

    #[inline]
    fn key(self) -> u64 {
        self[0]
    }
}

/// Where the sorted items are to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// In the input slice.
    Items,
    /// In the scratch slice.
    Scratch,
}

/// Items of a partition that one core sorts: with its scratch memory it takes 512 KiB of the L2 cache.
pub(super) const fn part<T>() -> usize {
    512 * 1024 / (2 * size_of::<T>())
}

/// At most this many items are sorted with the standard library.
const SHORT: usize = 64;

/// The most leading bits of one partitioning pass: the write positions of all partitions stay in the L1
/// cache.
pub(super) const PARTITION_BITS: u32 = 10;

/// Bits of a digit within a partition: 256 counters.
const DIGIT_BITS: u32 = 8;
/// The highest digit.
const DIGIT_MASK: usize = (1 << DIGIT_BITS) - 1;

/// A partition of 2^n items is sorted by n plus this many bits: then few items have equal bits.
const SPARE_BITS: u32 = 2;

/// Moves per item after which an insertion sort stops.
const MOVES: usize = 4;

/// Sorts `items`, whose bits from `high` on are equal. `scratch` has the same length; the slice that is not
/// the target has unspecified contents afterwards.
pub(super) fn sort<T: Item>(items: &mut [T], scratch: &mut [T], high: u32, target: Target) {
    if items.is_sorted() {
        settle(items, scratch, Target::Items, target);
    } else if items.len() > part::<T>() {
        partition(items, scratch, high, target);
    } else {
        sort_part(items, scratch, high, target);
    }
}

/// Moves sorted items to where they are to be.
fn settle<T: Item>(items: &mut [T], scratch: &mut [T], found: Target, target: Target) {
    match (found, target) {
        (Target::Items, Target::Scratch) => scratch.copy_from_slice(items),
        (Target::Scratch, Target::Items) => items.copy_from_slice(scratch),
        _ => {}
    }
}

/// The number of low bits in which any two items differ.
fn differing_bits<T: Item>(items: &[T]) -> u32 {
    if items.len() <= part::<T>() {
        return differences(items);
    }
    // Each part shares an item with the one before it.
    let starts = (0..items.len()).step_by(part::<T>());
    let parts = starts.map(|start| &items[start.saturating_sub(1)..items.len().min(start + part::<T>())]);
    map_parts(parts, |_, items| differences(items)).into_iter().max().unwrap_or(0)
}

/// [`differing_bits`] on one core.
fn differences<T: Item>(items: &[T]) -> u32 {
    let Some(first) = items.first().map(|item| item.key()) else { return 0 };
    let differences = items.iter().fold(0, |differences, item| differences | (item.key() ^ first));
    u64::BITS - differences.leading_zeros()
}

/// Sorts a partition that fits in the cache.
pub(super) fn sort_part<T: Item>(items: &mut [T], scratch: &mut [T], high: u32, target: Target) {
    let found = sorted_part(items, scratch, high);
    settle(items, scratch, found, target);
}

/// [`sort_part`]; returns where the sorted items are.
pub(super) fn sorted_part<T: Item>(items: &mut [T], scratch: &mut [T], high: u32) -> Target {
    if items.len() <= SHORT {
        items.sort_unstable();
        return Target::Items;
    }
    // Digits are counted while the bits that differ are looked for, which are most often all of them.
    let (mut digits, mut high) = (Digits::new(items.len(), high), high);
    let differing = digits.count(items);
    if differing < high {
        high = differing;
        digits = Digits::new(items.len(), high);
        digits.count(items);
    }
    let mut found = Target::Items;
    let (mut from, mut to) = (&mut *items, &mut *scratch);
    for digit in 0..digits.passes() {
        digits.distribute(digit, from, to);
        std::mem::swap(&mut from, &mut to);
        found = if found == Target::Items { Target::Scratch } else { Target::Items };
    }
    if digits.low > 0 && !insertion_sort(from) {
        from.sort_unstable();
    }
    found
}

/// Sorts items on one core, more than fit in its cache too. Returns where they are.
pub(super) fn sorted_alone<T: Item>(items: &mut [T], scratch: &mut [T], high: u32) -> Target {
    if items.len() <= part::<T>() {
        return sorted_part(items, scratch, high);
    }
    let high = high.min(differences(items));
    let width = DIGIT_BITS.min(high);
    let mut digits = Digits { low: high - width, high, counts: [[0; 1 << DIGIT_BITS]; MOST_DIGITS] };
    digits.count(items);
    if width == 0 {
        return Target::Items;
    }
    let sizes = digits.counts[0];
    digits.distribute(0, items, scratch);
    let (mut items, mut scratch) = (items, scratch);
    for size in sizes {
        let (own, rest) = items.split_at_mut(size as usize);
        let (own_scratch, scratch_rest) = scratch.split_at_mut(size as usize);
        (items, scratch) = (rest, scratch_rest);
        if size > 0 {
            let found = sorted_alone(own_scratch, own, digits.low);
            settle(own_scratch, own, found, Target::Scratch);
        }
    }
    Target::Items
}

/// The most digits that a partition is sorted by.
const MOST_DIGITS: usize = 3;

/// The digits by which a partition is sorted, and how many items have each.
struct Digits {
    /// The bits from `low` to `high` are those of the digits.
    low: u32,
    high: u32,
    counts: [[u32; 1 << DIGIT_BITS]; MOST_DIGITS],
}

impl Digits {
    /// The digits that tell `len` items apart, most likely.
    fn new(len: usize, high: u32) -> Self {
        let telling = usize::BITS - len.leading_zeros() + SPARE_BITS;
        // A whole number of digits, to the nearest: three bits too few cost less than a pass.
        let most = MOST_DIGITS as u32 * DIGIT_BITS;
        let needed = ((telling + 3) / DIGIT_BITS * DIGIT_BITS).clamp(DIGIT_BITS, most).min(high);
        Self { low: high - needed, high, counts: [[0; 1 << DIGIT_BITS]; MOST_DIGITS] }
    }

    fn passes(&self) -> usize {
        (self.high - self.low).div_ceil(DIGIT_BITS) as usize
    }

    /// The lowest bit of a digit, and its mask.
    fn bits(&self, digit: usize) -> (u32, u64) {
        let shift = self.low + digit as u32 * DIGIT_BITS;
        (shift, (1 << DIGIT_BITS.min(self.high - shift)) - 1)
    }

    /// Counts the digits. Returns the number of low bits in which any two items differ.
    fn count<T: Item>(&mut self, items: &[T]) -> u32 {
        match self.passes() {
            0 => differences(items),
            1 => self.count_digits::<1, T>(items),
            2 => self.count_digits::<2, T>(items),
            _ => self.count_digits::<MOST_DIGITS, T>(items),
        }
    }

    fn count_digits<const N: usize, T: Item>(&mut self, items: &[T]) -> u32 {
        let Some(first) = items.first().map(|item| item.key()) else { return 0 };
        let bits: [(u32, u64); N] = std::array::from_fn(|digit| self.bits(digit));
        let mut differences = 0;
        for &item in items {
            differences |= item.key() ^ first;
            for (digit, &(shift, mask)) in bits.iter().enumerate() {
                self.counts[digit][item.digit(shift, mask) & DIGIT_MASK] += 1;
            }
        }
        u64::BITS - differences.leading_zeros()
    }

    /// One stable counting-sort pass by a digit.
    fn distribute<T: Item>(&mut self, digit: usize, from: &[T], to: &mut [T]) {
        let (shift, mask) = self.bits(digit);
        let places = &mut self.counts[digit];
        let mut start = 0;
        for place in &mut *places {
            start += std::mem::replace(place, start);
        }
        for &item in from {
            let place = &mut places[item.digit(shift, mask) & DIGIT_MASK];
            to[*place as usize] = item;
            *place += 1;
        }
    }
}

/// Sorts nearly sorted items. Returns false, with the items in some order, if they are not nearly sorted.
fn insertion_sort<T: Item>(items: &mut [T]) -> bool {
    let mut moves = MOVES * items.len();
    for sorted in 1..items.len() {
        let item = items[sorted];
        let mut place = sorted;
        while place > 0 && items[place - 1] > item {
            items[place] = items[place - 1];
            place -= 1;
        }
        items[place] = item;
        if sorted - place > moves {
            return false;
        }
        moves -= sorted - place;
    }
    true
}

/// Partitions by the leading bits on all cores, then sorts the partitions.
fn partition<T: Item>(items: &mut [T], scratch: &mut [T], high: u32, target: Target) {
    let parts = (items.len() * 4 / part::<T>()).ilog2() + 1;
    let width = parts.min(PARTITION_BITS).min(high);
    let shift = high - width;
    let digit = |item: T| item.digit(shift, (1 << width) - 1);
    // A few chunks per thread: enough to balance, few enough that the positions are cheap to compute.
    let chunk = items.len().div_ceil(4 * threads()).max(part::<T>());
    let counts: Vec<Vec<usize>> = map_parts(items.chunks(chunk), |_, chunk| {
        let mut counts = vec![0; 1 << width];
        for &item in chunk {
            counts[digit(item)] += 1;
        }
        counts
    });
    for_each_part(items.chunks(chunk).zip(places(&counts, scratch)), |_, (chunk, mut places)| {
        for &item in chunk {
            if let Some(place) = places[digit(item)].next() {
                *place = item;
            }
        }
    });
    let mut parts = Vec::with_capacity(1 << width);
    let (mut items, mut scratch) = (items, scratch);
    for part in 0..1 << width {
        let len = counts.iter().map(|counts| counts[part]).sum();
        let (part_items, items_tail) = items.split_at_mut(len);
        let (part_scratch, scratch_tail) = scratch.split_at_mut(len);
        (items, scratch) = (items_tail, scratch_tail);
        if len > 0 {
            parts.push((part_items, part_scratch));
        }
    }
    // The items are now in the scratch slice.
    let target = if target == Target::Items { Target::Scratch } else { Target::Items };
    for_each_part(parts, |_, (part_items, part_scratch): (&mut [T], &mut [T])| {
        // The items of a partition that is still large have more equal bits than these.
        let high =
            if part_items.len() > part::<T>() { shift.min(differing_bits(part_scratch)) } else { shift };
        sort(part_scratch, part_items, high, target);
    });
}

/// Where each chunk, which has so many items of each digit, writes those of a digit: the output of a digit is split among
/// the chunks in order.
pub(super) fn places<'a, T>(counts: &[Vec<usize>], mut out: &'a mut [T]) -> Vec<Vec<IterMut<'a, T>>> {
    let digits = counts.first().map_or(0, Vec::len);
    let mut places: Vec<Vec<_>> = counts.iter().map(|_| Vec::with_capacity(digits)).collect();
    for digit in 0..digits {
        for (counts, places) in counts.iter().zip(&mut places) {
            let (own, rest) = out.split_at_mut(counts[digit]);
            out = rest;
            places.push(own.iter_mut());
        }
    }
    places
}
