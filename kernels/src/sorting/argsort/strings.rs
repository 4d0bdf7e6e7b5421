//! A sort of rows by one string key, on the host.
//!
//! The bytes that all strings begin with are skipped. Of the next eight bytes and the number of bytes there are, the bits that
//! vary are packed, and as many of them as fit are one 64-bit integer with the row, for a radix sort.
//!
//! Rows that this does not tell apart are sorted by items: the next eight bytes of a row's string, how many bytes there are,
//! and the row, in 128 bits. No two are equal, and comparing them is comparing integers. Many items are partitioned by their
//! leading bits, those that vary, on all cores; a partition is sorted in a core's cache. Rows whose eight bytes are equal, and
//! whose strings go on, are sorted by the next eight.

use super::Order;
use super::computed::{Output, Outputs, Source, sort_computed};
use super::host::{for_each_run, runs};
use super::radix::places;
use super::string_ends::StringEnds;
use crate::Result;
use crate::bits::BitSlice;
use crate::parallel::{for_each_chunk, for_each_part, map_parts, threads};
use crate::scratch::Scratch;
use crate::strings_view::{Span, Strings};
use crate::tuning::HOST_MORSEL_ROWS;
use columnade_buffers::Exec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows that one core sorts, and that are sorted without a context: their items take 16 bytes each on the heap.
pub(super) const PART: usize = 32 * 1024;
/// The most leading bits of one partitioning pass: the write positions of all partitions stay in the L1 cache.
const PARTITION_BITS: u32 = 11;
/// At most this many rows are compared as they are.
const SHORT: usize = 8;

/// The row is in the low bits of an item, …
const ROW_BITS: u32 = 56;
/// … the bytes that are left of the string, at most [`LONGER`], above it, and eight of them on top.
const LEFT_BITS: u32 = 8;
/// More bytes are left than an item has.
const LONGER: usize = 9;
const KEY: u128 = u128::MAX << ROW_BITS;
/// The bit of a sorted row that says whether its string is that of the row before it.
pub(super) const EQUAL: u64 = 1 << 63;

/// A string key compared in full.
pub(super) struct StringKey<'a> {
    pub(super) strings: Strings<'a>,
    pub(super) validity: Option<BitSlice<'a>>,
    pub(super) order: Order,
}

/// Bits of a word that vary, moved next to each other in their order.
pub(super) struct Packed {
    /// Masks of adjacent bits, and how far they are moved.
    moves: Vec<(u64, u32)>,
    /// Bits of the lengths below them.
    length_bits: u32,
    /// Bits that a code has: the highest ones.
    pub(super) bits: u32,
    /// Low bits that a code leaves out.
    pub(super) dropped: u32,
}

/// What the words of all rows have in common.
#[derive(Clone, Copy)]
pub(super) struct Common {
    /// Bits in which two items differ.
    pub(super) varying: u128,
    /// Whether each string fits in its item.
    pub(super) fits: bool,
}

impl StringKey<'_> {
    /// Sorts `rows`, which ascend, by their strings; rows of equal strings ascend. Those after the first of equal ones are
    /// marked with [`EQUAL`]. `scratch` has the same length. Without a context there are at most [`PART`] rows.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(super) fn sort(&self, rows: &mut [u64], scratch: &mut [u64], exec: Option<&Exec>) -> Result<()> {
        let Some(&first) = rows.first() else { return Ok(()) };
        // Nulls and values do not meet here.
        if self.validity.is_some_and(|validity| !validity.get(first as usize)) {
            rows[1..].iter_mut().for_each(|row| *row |= EQUAL);
            return Ok(());
        }
        if rows.len() <= SHORT {
            self.sort_few(rows);
            return Ok(());
        }
        let Some(exec) = exec else {
            let mut items: Vec<u128> = rows.iter().map(|&row| self.item(row as usize, 0)).collect();
            self.sort_part(&mut items, rows, 0);
            return Ok(());
        };
        let skipped = self.common_prefix(rows);
        let common = self.common(rows, skipped);
        let row_bits = u64::BITS - rows.last().copied().unwrap_or(0).leading_zeros();
        let packed = Packed::new(common.varying, u64::BITS - row_bits);
        self.sort_packed(&packed, rows, scratch, skipped, row_bits, exec)?;
        if common.fits && packed.dropped == 0 {
            return Ok(());
        }
        // Rows of equal codes are told apart by what follows, or by the bits that were left out.
        let is_many = AtomicBool::new(false);
        let equal = |_: u64, next: u64| next & EQUAL != 0;
        for_each_run(rows, scratch, &equal, &|rows, _| {
            if rows.len() > PART {
                is_many.store(true, Relaxed);
            } else if let Some(depth) = self.undecided(&packed, rows, skipped) {
                self.sort_run(rows, depth);
            }
        });
        if !is_many.into_inner() {
            return Ok(());
        }
        for run in runs(rows, &equal).into_iter().filter(|run| run.len() > PART) {
            let rows = &mut rows[run];
            if let Some(depth) = self.undecided(&packed, rows, skipped) {
                self.sort_many(rows, depth, exec)?;
            }
        }
        Ok(())
    }

    /// Sorts rows of one core, which ascend, by their strings from byte `depth` on.
    fn sort_run(&self, rows: &mut [u64], depth: usize) {
        let row_of = |row: u64| (row & !EQUAL) as usize;
        let Some(ends) = StringEnds::new(self.strings, rows, depth, row_of) else {
            let mut items: Vec<u128> = rows.iter().map(|&row| self.item(row_of(row), depth)).collect();
            self.sort_part(&mut items, rows, depth);
            return;
        };
        let key = StringKey { strings: ends.strings(), validity: None, order: self.order };
        let mut items: Vec<u128> = (0..rows.len()).map(|row| key.item(row, 0)).collect();
        let mut sorted = vec![0; rows.len()];
        key.sort_part(&mut items, &mut sorted, 0);
        for at in &mut sorted {
            *at = row_of(rows[row_of(*at)]) as u64 | *at & EQUAL;
        }
        rows.copy_from_slice(&sorted);
    }

    /// From which byte on rows of one code may differ; `None` if they are equal.
    fn undecided(&self, packed: &Packed, rows: &[u64], depth: usize) -> Option<usize> {
        if packed.dropped > 0 {
            return Some(depth);
        }
        self.goes_on(self.item((rows[0] & !EQUAL) as usize, depth)).then_some(depth + 8)
    }

    /// Sorts many rows from byte `depth` on.
    fn sort_many(&self, rows: &mut [u64], depth: usize, exec: &Exec) -> Result<()> {
        let mut items = Scratch::<u128>::uninit(rows.len(), exec)?;
        let mut other = Scratch::<u128>::uninit(rows.len(), exec)?;
        let items = &mut items.as_mut_slice()[..rows.len()];
        let source = &*rows;
        for_each_chunk(items, HOST_MORSEL_ROWS, |chunk, items| {
            let rows = &source[chunk * HOST_MORSEL_ROWS..];
            items
                .iter_mut()
                .zip(rows)
                .for_each(|(item, &row)| *item = self.item((row & !EQUAL) as usize, depth));
        });
        self.sort_items(items, &mut other.as_mut_slice()[..rows.len()], rows, depth);
        Ok(())
    }

    fn sort_few(&self, rows: &mut [u64]) {
        let string = |row: u64| self.strings.get(row as usize);
        rows.sort_unstable_by(|&a, &b| {
            let order = string(a).cmp(string(b));
            let order = if self.order == Order::Descending { order.reverse() } else { order };
            order.then(a.cmp(&b))
        });
        for at in (1..rows.len()).rev() {
            if string(rows[at]) == string(rows[at - 1]) {
                rows[at] |= EQUAL;
            }
        }
    }

    /// The item of a row from byte `depth` on, which is within its string or at its end.
    #[inline]
    fn item(&self, row: usize, depth: usize) -> u128 {
        let (word, left) = self.word(row, depth);
        let key = u128::from(word) << LEFT_BITS | left as u128;
        let key = if self.order == Order::Descending { !key } else { key };
        key << ROW_BITS | row as u128
    }

    /// Eight bytes from byte `depth` on, zeros after the end, and how many bytes there are, at most [`LONGER`].
    #[inline]
    pub(super) fn word(&self, row: usize, depth: usize) -> (u64, usize) {
        let Span { tail, len } = self.strings.span(row);
        let left = len - depth;
        let word = if let Some(bytes) = tail.get(depth..).and_then(<[u8]>::first_chunk::<8>) {
            let word = u64::from_be_bytes(*bytes);
            // What follows the string is another's.
            if left >= 8 { word } else { word & !(u64::MAX >> (8 * left)) }
        } else {
            let mut bytes = [0; 8];
            bytes[..left].copy_from_slice(&tail[depth..len]);
            u64::from_be_bytes(bytes)
        };
        (word, left.min(LONGER))
    }

    /// Whether strings of this item go on.
    #[inline]
    fn goes_on(&self, item: u128) -> bool {
        let left = (item >> ROW_BITS) as u8;
        (if self.order == Order::Descending { !left } else { left }) == LONGER as u8
    }

    /// How many bytes all strings begin with.
    pub(super) fn common_prefix(&self, rows: &[u64]) -> usize {
        let first = self.strings.get(rows[0] as usize);
        let shared = |bytes: &[u8], most: usize| {
            let most = most.min(bytes.len());
            if bytes[..most] == first[..most] {
                return most;
            }
            bytes.iter().zip(first).take_while(|(a, b)| a == b).count()
        };
        let prefixes = map_parts(rows.chunks(HOST_MORSEL_ROWS), |_, rows| {
            let mut most = first.len();
            for &row in rows {
                if most == 0 {
                    break;
                }
                most = shared(self.strings.get(row as usize), most);
            }
            most
        });
        prefixes.into_iter().min().unwrap_or(0)
    }

    pub(super) fn common(&self, rows: &[u64], depth: usize) -> Common {
        let first = self.item(rows[0] as usize, depth);
        let parts = map_parts(rows.chunks(HOST_MORSEL_ROWS), |_, rows| {
            let (mut varying, mut fits) = (0, true);
            for &row in rows {
                let item = self.item(row as usize, depth);
                varying |= item ^ first;
                fits &= !self.goes_on(item);
            }
            Common { varying: varying & KEY, fits }
        });
        let both = |a: Common, b: Common| Common { varying: a.varying | b.varying, fits: a.fits && b.fits };
        parts.into_iter().fold(Common { varying: 0, fits: true }, both)
    }

    /// Sorts rows by their codes; those after the first of equal ones are marked with [`EQUAL`].
    fn sort_packed(
        &self,
        packed: &Packed,
        rows: &mut [u64],
        codes: &mut [u64],
        depth: usize,
        row_bits: u32,
        exec: &Exec,
    ) -> Result<()> {
        let coder = Coder { packed, row_bits, inverted: self.inverted(packed) };
        let source = &*rows;
        for_each_chunk(codes, HOST_MORSEL_ROWS, |chunk, codes| {
            let rows = &source[chunk * HOST_MORSEL_ROWS..];
            for (code, &row) in codes.iter_mut().zip(rows) {
                *code = coder.code(row, self.word(row as usize, depth));
            }
        });
        let outputs: Outputs<'_, u64> = vec![Box::new(Marked { out: rows, row_bits })];
        coder.sort(codes, outputs, exec)
    }

    /// The bits of a code that are inverted.
    pub(super) fn inverted(&self, packed: &Packed) -> u64 {
        if self.order == Order::Descending { !(u64::MAX << packed.bits) } else { 0 }
    }

    /// Sorts items from byte `depth` on, which ascend in their rows, into `out`.
    fn sort_items<'b>(
        &self,
        items: &'b mut [u128],
        scratch: &'b mut [u128],
        out: &'b mut [u64],
        depth: usize,
    ) {
        // A list and no recursion, which would be as deep as long strings with one beginning have words.
        let mut rest = vec![(items, scratch, out, depth)];
        while let Some((mut items, mut scratch, mut out, depth)) = rest.pop() {
            if items.len() <= PART {
                self.sort_part(items, out, depth);
                continue;
            }
            let first = items[0];
            let differences = map_parts(items.chunks(HOST_MORSEL_ROWS), |_, items| {
                items.iter().fold(0, |differences, item| differences | (item ^ first))
            });
            let varying = differences.into_iter().fold(0, |a, b| a | b) & KEY;
            if varying == 0 && !self.goes_on(first) {
                write_equal(items, out);
                continue;
            }
            if varying == 0 {
                for_each_chunk(items, HOST_MORSEL_ROWS, |_, items| self.advance(items, depth + 8));
                rest.push((items, scratch, out, depth + 8));
                continue;
            }
            let high = u128::BITS - varying.leading_zeros();
            let width = ((items.len() * 4 / PART).ilog2() + 1).min(PARTITION_BITS).min(high - ROW_BITS);
            let sizes = partition(items, scratch, high - width, width);
            let mut small = Vec::with_capacity(sizes.len());
            for size in sizes.into_iter().filter(|&size| size > 0) {
                let (part, part_rest) = scratch.split_at_mut(size);
                let (other, other_rest) = items.split_at_mut(size);
                let (part_out, out_rest) = out.split_at_mut(size);
                (scratch, items, out) = (part_rest, other_rest, out_rest);
                if size <= PART {
                    small.push((part, part_out));
                } else {
                    rest.push((part, other, part_out, depth));
                }
            }
            for_each_part(small, |_, (part, out): (&mut [u128], &mut [u64])| {
                self.sort_part(part, out, depth);
            });
        }
    }

    /// Sorts the items of one core into `out`.
    fn sort_part(&self, items: &mut [u128], out: &mut [u64], mut depth: usize) {
        items.sort_unstable();
        // Runs of equal items whose strings go on.
        let mut runs = Vec::new();
        self.write_run(items, out, 0, items.len(), &mut runs);
        while !runs.is_empty() {
            depth += 8;
            // All of them first: the reads of many rows are under way at a time.
            for &(start, end) in &runs {
                self.advance(&mut items[start..end], depth);
            }
            let mut next = Vec::new();
            for (start, end) in runs {
                items[start..end].sort_unstable();
                self.write_run(items, out, start, end, &mut next);
            }
            runs = next;
        }
    }

    /// Writes the rows of sorted items `start .. end`, and lists the runs of equal ones whose strings go on.
    fn write_run(
        &self,
        items: &[u128],
        out: &mut [u64],
        start: usize,
        end: usize,
        runs: &mut Vec<(usize, usize)>,
    ) {
        let mut at = start;
        while at < end {
            let first = items[at];
            let mut next = at + 1;
            while next < end && items[next] & KEY == first & KEY {
                next += 1;
            }
            if next - at > 1 && self.goes_on(first) {
                runs.push((at, next));
            } else {
                write_equal(&items[at..next], &mut out[at..next]);
            }
            at = next;
        }
    }

    /// Takes the items of rows to byte `depth`.
    fn advance(&self, items: &mut [u128], depth: usize) {
        for item in items {
            *item = self.item((*item & !KEY) as usize, depth);
        }
    }
}

/// How rows and their codes share an item.
#[derive(Clone, Copy)]
pub(super) struct Coder<'a> {
    pub(super) packed: &'a Packed,
    pub(super) row_bits: u32,
    /// The bits of a code that are inverted.
    pub(super) inverted: u64,
}

impl Coder<'_> {
    #[inline]
    pub(super) fn code(self, row: u64, (word, left): (u64, usize)) -> u64 {
        row | (self.packed.code(word, left) ^ self.inverted) << self.row_bits
    }

    /// Sorts items. Rows of one code stay together, so that each can be compared with the one before it.
    pub(super) fn sort(self, items: &[u64], outputs: Outputs<'_, u64>, exec: &Exec) -> Result<()> {
        let len = items.len();
        let fill = |start: usize, out: &mut [u64]| out.copy_from_slice(&items[start..start + out.len()]);
        let source = Source { len, high: self.row_bits + self.packed.bits, fill: &fill };
        let mut memory = Scratch::uninit(len, exec)?;
        sort_computed(&source, self.packed.bits, &mut memory.as_mut_slice()[..len], outputs, exec)
    }
}

/// The rows of sorted codes.
struct Marked<'a> {
    out: &'a mut [u64],
    row_bits: u32,
}

impl<'a> Output<'a, u64> for Marked<'a> {
    fn split_front(&mut self, len: usize) -> Box<dyn Output<'a, u64> + 'a> {
        let (front, rest) = std::mem::take(&mut self.out).split_at_mut(len);
        self.out = rest;
        Box::new(Self { out: front, row_bits: self.row_bits })
    }

    fn write(&mut self, before: Option<u64>, items: &[u64]) {
        let row = (1 << self.row_bits) - 1;
        let Some(&first) = items.first() else { return };
        let mut before = before.unwrap_or(!first) >> self.row_bits;
        for (out, &item) in self.out.iter_mut().zip(items) {
            let code = item >> self.row_bits;
            *out = item & row | if code == before { EQUAL } else { 0 };
            before = code;
        }
    }
}

/// Writes the rows of items of equal strings.
fn write_equal(items: &[u128], out: &mut [u64]) {
    let mut mark = 0;
    for (out, &item) in out.iter_mut().zip(items) {
        *out = (item & !KEY) as u64 | mark;
        mark = EQUAL;
    }
}

/// Distributes the items by the `width` bits from `shift`, stably, on all cores. Returns how many have each digit.
fn partition(items: &[u128], out: &mut [u128], shift: u32, width: u32) -> Vec<usize> {
    let mask = (1_usize << width) - 1;
    let digit = |item: u128| (item >> shift) as usize & mask;
    let chunk = items.len().div_ceil(4 * threads()).max(PART);
    let counts: Vec<Vec<usize>> = map_parts(items.chunks(chunk), |_, chunk| {
        let mut counts = vec![0; 1 << width];
        for &item in chunk {
            counts[digit(item)] += 1;
        }
        counts
    });
    for_each_part(items.chunks(chunk).zip(places(&counts, out)), |_, (chunk, mut places)| {
        for &item in chunk {
            if let Some(place) = places[digit(item)].next() {
                *place = item;
            }
        }
    });
    (0..1 << width).map(|part| counts.iter().map(|counts| counts[part]).sum()).collect()
}

impl Packed {
    /// For items that differ in these bits; a code has at most `most` bits.
    pub(super) fn new(varying: u128, most: u32) -> Self {
        let length = (varying >> ROW_BITS) as u8;
        let length_bits = u8::BITS - length.leading_zeros();
        let mut word = (varying >> (ROW_BITS + LEFT_BITS)) as u64;
        let all = length_bits + word.count_ones();
        let dropped = all.saturating_sub(most);
        // Where the next bits go in a code of all bits.
        let (mut moves, mut at) = (Vec::new(), length_bits);
        while word != 0 {
            let low = word.trailing_zeros();
            let run = (word >> low).trailing_ones();
            let mask = if run == 64 { u64::MAX } else { ((1 << run) - 1) << low };
            word &= !mask;
            // Without those that are left out, which are the lowest of all.
            let lost = dropped.saturating_sub(at).min(run);
            if lost < run {
                let (low, to) = (low + lost, (at + lost) - dropped);
                moves.push((mask & u64::MAX << low, low.wrapping_sub(to)));
            }
            at += run;
        }
        Self { moves, length_bits: length_bits.saturating_sub(dropped), bits: all - dropped, dropped }
    }

    #[inline]
    fn code(&self, word: u64, left: usize) -> u64 {
        // Lengths are left out as a whole or not at all, bit by bit from the lowest.
        let length = (left as u64 >> self.dropped.min(u64::BITS - 1)) & !(u64::MAX << self.length_bits);
        self.moves.iter().fold(length, |code, &(mask, by)| code | (word & mask).rotate_right(by & 63))
    }

    /// The word and the length of a code; `first` are those of some row.
    #[inline]
    pub(super) fn decode(&self, code: u64, first: (u64, usize)) -> (u64, usize) {
        let lengths = !(u64::MAX << self.length_bits);
        let left = (first.1 as u64 & !lengths | code & lengths) as usize;
        let word = self
            .moves
            .iter()
            .fold(first.0, |word, &(mask, by)| word & !mask | code.rotate_left(by & 63) & mask);
        (word, left)
    }
}
