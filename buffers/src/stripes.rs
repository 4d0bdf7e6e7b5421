//! What threads share, several times over, so that they seldom meet at one cache line.

use std::cell::Cell;

use crate::sync::global::{self, AtomicUsize, Ordering};

/// A value in cache lines of its own: 128 bytes, for processors fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);

/// One of several of each thing for each thread, while threads are few.
pub(crate) const STRIPES: usize = 8;

/// The stripe of this thread.
#[inline]
pub(crate) fn own_stripe() -> usize {
    static THREADS: global::AtomicU32 = global::AtomicU32::new(0);
    thread_local! {
        static STRIPE: Cell<usize> = const { Cell::new(STRIPES) };
    }
    #[cold]
    fn assign() -> usize {
        let stripe = THREADS.fetch_add(1, Ordering::Relaxed) as usize % STRIPES;
        STRIPE.set(stripe);
        stripe
    }
    let stripe = STRIPE.get();
    if stripe < STRIPES { stripe } else { assign() }
}

/// A number that many threads add to and few read. Nothing is decided by it that has to be explored, and it is read and
/// changed under locks that are not.
#[derive(Debug, Default)]
pub(crate) struct Sum([Padded<AtomicUsize>; STRIPES]);

impl Sum {
    pub(crate) fn add(&self, number: usize) {
        self.0[own_stripe()].0.fetch_add(number, Ordering::Relaxed);
    }

    pub(crate) fn subtract(&self, number: usize) {
        self.add(number.wrapping_neg());
    }

    /// All that was added, less what was subtracted. While others do so, some of that.
    pub(crate) fn load(&self) -> usize {
        self.0.iter().fold(0, |sum, part| sum.wrapping_add(part.0.load(Ordering::Relaxed)))
    }
}
