//! The order of rows whose codes are equal, by what their strings go on with.

use super::host::split_at_runs;
use super::strings::{EQUAL, LONGER, PART, Packed, StringKey};
use crate::strings_view::Span;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows whose strings are read at a time.
const BATCH: usize = 1024;

/// What a task reuses.
#[derive(Default)]
struct Batch<'a> {
    /// The runs of equal codes, one after the other.
    runs: Vec<(usize, usize)>,
    rows: usize,
    spans: Vec<Span<'a>>,
    items: Vec<u128>,
}

impl<'a> StringKey<'a> {
    /// Sorts each run of at most [`PART`] rows of equal codes, marked as such, by the bytes from `skipped` on; whether there are
    /// longer runs, which are left as they are.
    pub(super) fn sort_ties(&self, packed: &Packed, rows: &mut [u64], skipped: usize) -> bool {
        let is_many = AtomicBool::new(false);
        split_at_runs(rows, &|_, next| next & EQUAL != 0, &|rows| {
            let mut batch = Batch::default();
            let mut start = 0;
            while start < rows.len() {
                let more = rows[start + 1..].iter().take_while(|&&row| row & EQUAL != 0).count();
                let end = start + 1 + more;
                if more >= PART {
                    is_many.store(true, Relaxed);
                } else if more > 0 {
                    batch.runs.push((start, end));
                    batch.rows += end - start;
                }
                start = end;
                if batch.rows >= BATCH || start == rows.len() {
                    self.sort_batch(packed, rows, skipped, &mut batch);
                }
            }
        });
        is_many.into_inner()
    }

    /// Sorts runs: the offsets of all their rows are read first, then their bytes, so that the reads of many rows are under way
    /// at a time.
    fn sort_batch(&self, packed: &Packed, rows: &mut [u64], skipped: usize, batch: &mut Batch<'a>) {
        batch.rows = 0;
        batch.spans.clear();
        for &(start, end) in &batch.runs {
            batch
                .spans
                .extend(rows[start..end].iter().map(|&row| self.strings.span((row & !EQUAL) as usize)));
        }
        // Codes of all bits are followed by the next eight bytes, if there are any.
        let depth = if packed.dropped > 0 { skipped } else { skipped + 8 };
        let goes_on = |span: &Span<'_>| packed.dropped > 0 || span.len - skipped >= LONGER;
        batch.items.clear();
        let mut spans = batch.spans.iter();
        for &(start, end) in &batch.runs {
            for (&row, span) in rows[start..end].iter().zip(spans.by_ref()) {
                batch.items.push(if goes_on(span) {
                    self.item_of(*span, (row & !EQUAL) as usize, depth)
                } else {
                    0
                });
            }
        }
        let (mut items, mut spans) = (&mut *batch.items, &*batch.spans);
        for (start, end) in batch.runs.drain(..) {
            let (own, rest) = items.split_at_mut(end - start);
            // The strings of a run of all bits end together or go on together.
            if goes_on(&spans[0]) {
                self.sort_part(own, &mut rows[start..end], depth);
            }
            (items, spans) = (rest, &spans[end - start..]);
        }
    }
}
