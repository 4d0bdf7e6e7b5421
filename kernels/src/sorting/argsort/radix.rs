//! A radix sort on the host of unsigned integers that are all different.
//!
//! Large inputs are partitioned by their leading bits on all cores until a partition fits in a core's cache.
//! A partition is then sorted by the bits that distinguish most of its items, least significant digit first,
//! and finished by insertion sort. Random items take one pass through memory and two through the cache
//! instead of eight.

use crate::parallel::{for_each_part, map_parts, threads};
use std::ops::{BitOr, BitXor, Shr};

/// An unsigned integer that is sorted.
pub(super) trait Item:
    Copy + Ord + Send + Sync + BitXor<Output = Self> + BitOr<Output = Self> + Shr<u32, Output = Self>
{
    /// The integer without bits.
    const ZERO: Self;

    /// The low bits.
    fn low(self) -> u64;

    /// The number of bits up to the highest one that is set.
    fn bits(self) -> u32;
}

impl Item for u64 {
    const ZERO: Self = 0;

    #[inline]
    fn low(self) -> u64 {
        self
    }

    #[inline]
    fn bits(self) -> u32 {
        Self::BITS - self.leading_zeros()
    }
}

impl Item for u128 {
    const ZERO: Self = 0;

    #[inline]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline]
    fn bits(self) -> u32 {
        Self::BITS - self.leading_zeros()
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
const fn part<T>() -> usize {
    512 * 1024 / (2 * size_of::<T>())
}

/// At most this many items are sorted with the standard library.
const SHORT: usize = 64;

/// The most leading bits of one partitioning pass: the write positions of all partitions stay in the L1
/// cache.
const PARTITION_BITS: u32 = 10;

/// Bits of a digit within a partition: 256 counters.
const DIGIT_BITS: u32 = 8;

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
    let Some(&first) = items.first() else { return 0 };
    let fold = |items: &[T]| items.iter().fold(T::ZERO, |differences, &item| differences | (item ^ first));
    let differences = if items.len() <= part::<T>() {
        fold(items)
    } else {
        map_parts(items.chunks(part::<T>()), |_, items| fold(items)).into_iter().fold(T::ZERO, |a, b| a | b)
    };
    differences.bits()
}

/// Sorts a partition that fits in the cache.
fn sort_part<T: Item>(items: &mut [T], scratch: &mut [T], high: u32, target: Target) {
    let mut found = Target::Items;
    if items.len() <= SHORT {
        items.sort_unstable();
    } else {
        let high = high.min(differing_bits(items));
        let telling = usize::BITS - items.len().leading_zeros() + SPARE_BITS;
        // A whole number of digits, to the nearest: three bits too few cost less than a pass.
        let needed = ((telling + 3) / DIGIT_BITS * DIGIT_BITS).max(DIGIT_BITS).min(high);
        let mut sorted = high - needed;
        let (mut from, mut to) = (&mut *items, &mut *scratch);
        let rest = sorted;
        while sorted < high {
            let width = DIGIT_BITS.min(high - sorted);
            distribute(from, to, sorted, width);
            std::mem::swap(&mut from, &mut to);
            found = if found == Target::Items { Target::Scratch } else { Target::Items };
            sorted += width;
        }
        if rest > 0 && !insertion_sort(from) {
            from.sort_unstable();
        }
    }
    settle(items, scratch, found, target);
}

/// One stable counting-sort pass by the `width` bits from `shift`.
fn distribute<T: Item>(from: &[T], to: &mut [T], shift: u32, width: u32) {
    let mask = (1_u64 << width) - 1;
    let digit = |item: T| ((item >> shift).low() & mask) as u8;
    let mut places = [0_u32; 1 << DIGIT_BITS];
    for &item in from {
        places[digit(item) as usize] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    for &item in from {
        let place = &mut places[digit(item) as usize];
        to[*place as usize] = item;
        *place += 1;
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
    let mask = (1_usize << width) - 1;
    let digit = |item: T| (item >> shift).low() as usize & mask;
    // A few chunks per thread: enough to balance, few enough that the positions are cheap to compute.
    let chunk = items.len().div_ceil(4 * threads()).max(part::<T>());
    let counts: Vec<Vec<usize>> = map_parts(items.chunks(chunk), |_, chunk| {
        let mut counts = vec![0; 1 << width];
        for &item in chunk {
            counts[digit(item)] += 1;
        }
        counts
    });
    // Each partition's output is split among the chunks in order; no two tasks share a slice.
    let mut places: Vec<Vec<_>> = counts.iter().map(|_| Vec::with_capacity(1 << width)).collect();
    let mut rest = &mut *scratch;
    for part in 0..1 << width {
        for (counts, places) in counts.iter().zip(&mut places) {
            let (own, tail) = rest.split_at_mut(counts[part]);
            rest = tail;
            places.push(own.iter_mut());
        }
    }
    for_each_part(items.chunks(chunk).zip(places), |_, (chunk, mut places)| {
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
