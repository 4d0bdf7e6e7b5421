//! Recently freed small chunks, kept for reuse.
//!
//! Small payloads come and go on several threads at a time. What one has just given back, the next of its size takes
//! from here, without the pool's lock and without cutting blocks up anew.

use smallvec::SmallVec;

use super::arenas::{SlotSpan, Spans};
use super::plan::Plan;
use crate::stripes::{Padded, STRIPES, Sum, own_stripe};
use crate::sync::global::Mutex;

/// Free chunks, which their arenas count as taken.
#[derive(Debug, Default)]
pub(super) struct FreeList {
    stripes: [Padded<Mutex<Stripe>>; STRIPES],
    /// Of all of them and at times more: counted before they are kept, and until after they are taken.
    bytes: Sum,
}

/// In the order that they were given back in.
type Stripe = SmallVec<[SlotSpan; MOST]>;

/// Chunks that the threads of one stripe keep at most.
const MOST: usize = 8;
/// Larger chunks go back at once: copying them takes longer than the pool's lock.
const LARGEST: usize = 64 << 10;

impl FreeList {
    /// No more bytes are kept.
    pub(super) const BOUND: usize = STRIPES * MOST * LARGEST;

    fn own(&self) -> &Mutex<Stripe> {
        &self.stripes[own_stripe()].0
    }

    /// What is planned, if it is one chunk of a size that is kept by threads of this stripe.
    pub(super) fn take(&self, plan: &Plan) -> Option<Spans> {
        let &[chunk] = plan.chunks.as_slice() else { return None };
        if plan.blocks > 0 || chunk > LARGEST {
            return None;
        }
        let span = {
            let mut stripe = self.own().lock();
            let at = stripe.iter().rposition(|span| span.bytes == chunk)?;
            stripe.remove(at)
        };
        self.bytes.subtract(chunk);
        Some(Spans::from_iter([span]))
    }

    /// Keeps a slot that is one small chunk; gives back any other, and the oldest chunk where there are too many.
    pub(super) fn keep(&self, mut spans: Spans) -> Option<Spans> {
        let is_small = |span: &SlotSpan| span.is_chunk() && span.bytes <= LARGEST;
        if spans.len() > 1 || !spans.first().is_some_and(is_small) {
            return Some(spans);
        }
        let span = spans.pop()?;
        self.bytes.add(span.bytes);
        let oldest = {
            let mut stripe = self.own().lock();
            let oldest = (stripe.len() == MOST).then(|| stripe.remove(0));
            stripe.push(span);
            oldest
        }?;
        self.bytes.subtract(oldest.bytes);
        Some(Spans::from_iter([oldest]))
    }

    /// All chunks, to go back where they came from.
    pub(super) fn drain(&self) -> Vec<SlotSpan> {
        let drained: Vec<_> =
            self.stripes.iter().flat_map(|stripe| std::mem::take(&mut *stripe.0.lock())).collect();
        self.bytes.subtract(drained.iter().map(|span| span.bytes).sum());
        drained
    }

    /// Bytes of all chunks.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load()
    }
}
