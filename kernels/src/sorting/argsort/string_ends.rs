//! The ends of the strings of one core's rows, copied next to each other.
//!
//! Rows with one beginning are anywhere in a column, and each eight bytes of them that are compared are read from memory again.
//! Copied once, they are read from the core's cache.

use crate::simd::prefetch;
use crate::strings_view::{Span, StringOffsets, Strings, append};

/// Fewer rows, which stay in the L1 cache where they are.
const FEW: usize = 512;
/// The most bytes of a row on average.
const BYTES: usize = 32;
/// Rows that are read at a time.
const BLOCK: usize = 128;

/// Strings on the heap, at most [`BYTES`] and an offset for each row.
pub(super) struct StringEnds {
    chars: Vec<u8>,
    offsets: Vec<i32>,
}

impl StringEnds {
    /// The strings of `rows` from byte `depth` on, which is within each of them or at its end. `None` where a copy does not pay:
    /// rows are few, or their strings long.
    pub(super) fn new(
        strings: Strings<'_>,
        rows: &[u64],
        depth: usize,
        row_of: impl Fn(u64) -> usize,
    ) -> Option<Self> {
        if rows.len() < FEW {
            return None;
        }
        let most = rows.len() * BYTES;
        let mut chars = vec![0; most];
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        let (mut spans, mut at) = ([Span::default(); BLOCK], 0);
        for rows in rows.chunks(BLOCK) {
            // The reads of many rows are under way at a time: first of their offsets, then of their bytes.
            for (span, &row) in spans.iter_mut().zip(rows) {
                let Span { tail, len } = strings.span(row_of(row));
                *span = Span { tail: &tail[depth..], len: len - depth };
            }
            let spans = &spans[..rows.len()];
            for span in spans {
                [0, span.len].into_iter().filter_map(|at| span.tail.get(at)).for_each(prefetch);
            }
            for &span in spans {
                if span.len > most - at {
                    return None;
                }
                at = append(&mut chars, at, span);
                offsets.push(at as i32);
            }
        }
        Some(Self { chars, offsets })
    }

    pub(super) fn strings(&self) -> Strings<'_> {
        Strings::new(&self.chars, StringOffsets::I32(&self.offsets))
    }
}
