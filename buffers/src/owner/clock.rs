//! A clock to order uses of memory by: cheap enough to read at every guard, of no unit.

/// The time now. Grows on each thread and, from thread to thread, with what happens after what.
#[cfg(all(target_arch = "x86_64", not(miri), not(shuttle)))]
pub(crate) fn now() -> u64 {
    // Processors of the last fifteen years keep their time stamps in step, whatever their clock rate.
    // SAFETY: reads a counter; every x86-64 processor has it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The time now, as a number of asks.
#[cfg(not(all(target_arch = "x86_64", not(miri), not(shuttle))))]
pub(crate) fn now() -> u64 {
    use crate::sync::global::{AtomicU64, Ordering};
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}
