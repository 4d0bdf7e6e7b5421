//! A stable radix sort of keys with their rows, for the host.
//!
//! Large inputs are partitioned by their leading bits on all cores until a part fits in a core's cache. A part is
//! then sorted by no more bits than tell most of its keys apart, least significant digit first; the few runs of keys
//! that still agree are finished by insertion. Random 64-bit keys so take one pass through memory and two through
//! the cache instead of eight.

use columnade_buffers::Pod;
use rayon::prelude::*;

/// A key and what it belongs to.
pub(super) trait Item: Pod + Send + Sync {
    /// What is sorted by.
    fn key(&self) -> u64;
}

/// The bits of the keys that are sorted by; above `high` all keys of a slice agree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    pub(super) low: u32,
    pub(super) high: u32,
}

/// Where the sorted items are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// Where the items were.
    Items,
    /// In the other slice.
    Scratch,
}

/// Items of a part that one core sorts: with its scratch it takes 2 × 12 bytes an item of the second-level cache.
const PART: usize = 32 * 1024;

/// Fewer items are sorted by insertion.
const SHORT: usize = 32;

/// Leading bits of one partition at most: as many parts as keep their write positions in the second-level cache and
/// the TLB.
const PARTITION_BITS: u32 = 10;

/// Bits of a digit within a part: 256 counters.
const DIGIT_BITS: u32 = 8;

/// A part is sorted by this many bits more than its number of items has, and then by insertion: few keys still agree.
const SPARE_BITS: u32 = 2;

/// Sorts `items` by `bits` of their keys, stably. `scratch` has the same length; what is not the target is clobbered.
pub(super) fn sort<T: Item>(items: &mut [T], scratch: &mut [T], bits: Bits, target: Target) {
    if items.len() > PART {
        partition(items, scratch, bits, target);
    } else {
        sort_part(items, scratch, bits, target);
    }
}

/// `bits` without leading bits in which all keys agree.
fn differing<T: Item>(items: &[T], bits: Bits) -> Bits {
    let Some(first) = items.first().map(Item::key) else { return bits };
    let fold = |items: &[T]| items.iter().fold(0, |differences, item| differences | (item.key() ^ first));
    let differences = if items.len() <= PART {
        fold(items)
    } else {
        items.par_chunks(PART).map(fold).reduce(|| 0, |a, b| a | b)
    };
    Bits { high: bits.high.min(64 - differences.leading_zeros()), ..bits }
}

/// Moves sorted items from where they are to where they are wanted.
fn settle<T: Item>(items: &mut [T], scratch: &mut [T], found: Target, target: Target) {
    match (found, target) {
        (Target::Items, Target::Scratch) => scratch.copy_from_slice(items),
        (Target::Scratch, Target::Items) => items.copy_from_slice(scratch),
        _ => {}
    }
}

fn insertion_sort<T: Item>(items: &mut [T], low: u32) {
    for sorted in 1..items.len() {
        let item = items[sorted];
        let key = item.key() >> low;
        let mut place = sorted;
        while place > 0 && items[place - 1].key() >> low > key {
            items[place] = items[place - 1];
            place -= 1;
        }
        items[place] = item;
    }
}

/// Sorts a part that fits in the cache.
fn sort_part<T: Item>(items: &mut [T], scratch: &mut [T], bits: Bits, target: Target) {
    let bits = differing(items, bits);
    if bits.high <= bits.low {
        return settle(items, scratch, Target::Items, target);
    }
    if items.len() <= SHORT {
        insertion_sort(items, bits.low);
        return settle(items, scratch, Target::Items, target);
    }
    let open = bits.high - bits.low;
    let telling = usize::BITS - items.len().leading_zeros() + SPARE_BITS;
    // Whole digits, to the nearest: three bits too few cost less than a pass.
    let needed = ((telling + 3) / DIGIT_BITS * DIGIT_BITS).max(DIGIT_BITS).min(open);
    let passes = needed.div_ceil(DIGIT_BITS);
    let cut = bits.high - needed;
    let (mut from, mut to) = (&mut *items, &mut *scratch);
    for pass in 0..passes {
        let shift = cut + pass * DIGIT_BITS;
        distribute(from, to, shift, DIGIT_BITS.min(bits.high - shift));
        std::mem::swap(&mut from, &mut to);
    }
    if cut > bits.low {
        finish_runs(from, to, Bits { low: bits.low, high: cut });
    }
    let found = if passes % 2 == 0 { Target::Items } else { Target::Scratch };
    settle(items, scratch, found, target);
}

/// One pass of counting sort by the `width` bits from `shift`.
fn distribute<T: Item>(from: &[T], to: &mut [T], shift: u32, width: u32) {
    let mask = (1_u64 << width) - 1;
    let digit = |item: &T| (item.key() >> shift & mask) as u8;
    let mut places = [0_u32; 1 << DIGIT_BITS];
    for item in from {
        places[digit(item) as usize] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    for item in from {
        let place = &mut places[digit(item) as usize];
        to[*place as usize] = *item;
        *place += 1;
    }
}

/// Sorts every run of items that agree above `bits` by those bits.
fn finish_runs<T: Item>(items: &mut [T], scratch: &mut [T], bits: Bits) {
    let mut start = 0;
    while start < items.len() {
        let top = items[start].key() >> bits.high;
        let run = items[start + 1..].iter().take_while(|item| item.key() >> bits.high == top).count();
        let end = start + 1 + run;
        if run >= SHORT {
            sort_part(&mut items[start..end], &mut scratch[start..end], bits, Target::Items);
        } else if run > 0 {
            insertion_sort(&mut items[start..end], bits.low);
        }
        start = end;
    }
}

/// Partitions by the leading bits on all cores, then sorts the parts.
fn partition<T: Item>(items: &mut [T], scratch: &mut [T], bits: Bits, target: Target) {
    if bits.high <= bits.low {
        return settle(items, scratch, Target::Items, target);
    }
    let parts = (items.len() * 4 / PART).ilog2() + 1;
    let width = parts.min(PARTITION_BITS).min(bits.high - bits.low);
    let shift = bits.high - width;
    let mask = (1_u64 << width) - 1;
    let digit = |item: &T| (item.key() >> shift & mask) as usize;
    // A few chunks a thread: enough to balance, few enough that their positions are cheap to lay out.
    let chunk = items.len().div_ceil(4 * rayon::current_num_threads()).max(PART);
    let counts: Vec<Vec<usize>> = items
        .par_chunks(chunk)
        .map(|chunk| {
            let mut counts = vec![0; 1 << width];
            chunk.iter().for_each(|item| counts[digit(item)] += 1);
            counts
        })
        .collect();
    // The target of each part is laid out chunk after chunk, which keeps the sort stable.
    let mut targets: Vec<Vec<_>> = counts.iter().map(|_| Vec::with_capacity(1 << width)).collect();
    let mut rest = &mut *scratch;
    for part in 0..1 << width {
        for (counts, targets) in counts.iter().zip(&mut targets) {
            let (places, tail) = rest.split_at_mut(counts[part]);
            rest = tail;
            targets.push(places.iter_mut());
        }
    }
    items.par_chunks(chunk).zip(targets).for_each(|(chunk, mut targets)| {
        for item in chunk {
            if let Some(place) = targets[digit(item)].next() {
                *place = *item;
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
    // The items are in the scratch by now.
    let target = if target == Target::Items { Target::Scratch } else { Target::Items };
    let bits = Bits { high: shift, ..bits };
    parts.into_par_iter().for_each(|(part_items, part_scratch)| {
        // A part as large as that comes of keys that agree in more bits than these.
        let bits = if part_items.len() > PART { differing(part_scratch, bits) } else { bits };
        sort(part_scratch, part_items, bits, target);
    });
}
