//! Reservations of operators for their attempts.

use std::cell::Cell;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{assert_conserved, assert_intact, buffers, execs, limited, spilled};
use crate::failpoints::arm_this_thread;
use crate::{Buffer, Error, Exec, Result, RetryPolicy, Tier, Wait, retry_statistics, with_retry};

/// The attempts of `body` within the budget, with `bytes` bytes reserved for each.
fn attempt_reserved<T>(exec: &Exec, bytes: usize, mut body: impl FnMut(&Exec) -> Result<T>) -> Result<T> {
    let policy = RetryPolicy::no_split().reserve(move |()| bytes).with_fallback();
    with_retry(exec, [()], policy, |(), exec| body(exec)).map(|mut made| made.remove(0))
}

/// Idle data is spilled for a reservation before the work begins; no other operation gets the memory, and it can be
/// allocated and freed repeatedly.
#[test]
fn reservation_is_made_first_and_is_exclusive() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 8 * 1024);
        let idle = buffers(8, 1000, &exec);
        let made = attempt_reserved(&exec, 6 * 1024, |inside| {
            assert_eq!(spilled(&idle).len(), 6, "idle data was spilled before anything was allocated");
            assert!(inside.resource().is_reserved());
            // Others can allocate the rest of the budget, and not more.
            let rest = exec.strict();
            drop(Buffer::uninit(2 * 1024, &rest)?);
            assert!(Buffer::uninit(4 * 1024, &rest).is_err());
            // Three times the reservation in all, never more than it at a time.
            for _ in 0..3 {
                let scratch = Buffer::uninit(5 * 1024, inside)?;
                let _held = scratch.read(inside)?;
                assert!(Buffer::uninit(4 * 1024, &rest).is_err());
            }
            // An operation inside reserves nothing again.
            attempt_reserved(inside, 6 * 1024, |inside| Buffer::zeroed(6 * 1024, inside))
        });
        let made = made.unwrap();
        // What was not used is free again, and the result is spilled like anything else.
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 6 * 1024);
        drop(exec.reserve(8 * 1024).unwrap());
        assert!(made.is_spilled());
        assert!(manager.usage().tiers[Tier::Device].peak <= 8 * 1024);
        assert_intact(&idle, &exec);
        drop((idle, made));
        assert_conserved(&manager);
    }
}

/// Estimates that are too small or are refused do not fail the attempt.
#[test]
fn reservation_of_wrong_estimate_is_no_failure() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 8 * 1024);
        let idle = buffers(4, 1000, &exec);
        for estimate in [1, 1024, 8 * 1024, 9 * 1024, usize::MAX] {
            let made = attempt_reserved(&exec, estimate, |inside| Buffer::zeroed(7 * 1024, inside));
            assert!(made.is_ok(), "{estimate}");
        }
        // Pinned buffers cannot be spilled; half of the estimate is enough for the work.
        let held: Vec<_> = idle.iter().map(|buffer| buffer.read(&exec).unwrap()).collect();
        let started = Instant::now();
        let before = retry_statistics();
        attempt_reserved(&exec, 6 * 1024, |inside| Buffer::zeroed(3 * 1024, inside)).unwrap();
        assert!(started.elapsed() < Duration::from_secs(5), "there was no reservation to wait for");
        assert!(retry_statistics().refused_reservations > before.refused_reservations);
        drop(held);
        assert!(manager.usage().tiers[Tier::Device].peak <= 8 * 1024);
        assert_intact(&idle, &exec);
    }
}

/// Two operators that fit one after the other wait for each other: neither is split, and the limit holds.
#[test]
fn reservations_of_two_operators_wait_for_each_other() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 64 * 1024);
        let start = Barrier::new(2);
        let work = |seed: usize| {
            let exec = exec.with_new_stream().unwrap();
            let inputs = buffers(10, 1000, &exec);
            start.wait();
            for _ in 0..20 {
                let attempts = Cell::new(0);
                let policy = RetryPolicy::no_split().reserve(|()| 40 * 1024);
                let made = with_retry(&exec, [()], policy, |(), inside| {
                    attempts.set(attempts.get() + 1);
                    let parts: Vec<Buffer> = (0..6)
                        .map(|_| {
                            std::thread::yield_now();
                            Buffer::zeroed(4096, inside)
                        })
                        .collect::<Result<_>>()?;
                    Ok::<_, Error>((parts.len() * 4096, inputs[seed].to_vec::<u8>(inside)?))
                });
                assert_eq!(made.unwrap()[0].0, 6 * 4096);
                assert_eq!(attempts.get(), 1, "memory sufficed at once");
            }
            assert_intact(&inputs, &exec);
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| work(1));
            work(2);
            other.join().unwrap();
        });
        assert!(manager.usage().tiers[Tier::Device].peak <= 64 * 1024);
        let waits = manager.statistics().snapshot().waits;
        assert!(
            waits.iter().all(|wait| wait.what != Wait::Reservation || wait.duration < Duration::from_mins(1))
        );
        assert_conserved(&manager);
    }
}

/// Small reservations that come again and again do not keep a large one waiting for ever.
#[test]
#[cfg_attr(miri, ignore = "threads that run until another is served take Miri for ever")]
fn large_reservation_beside_small_ones_is_served() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 64 * 1024);
        let (is_over, at_work) = (AtomicBool::new(false), AtomicUsize::new(0));
        let small = || {
            let exec = exec.with_new_stream().unwrap();
            while !is_over.load(Ordering::Relaxed) {
                let body = |inside: &Exec| {
                    at_work.fetch_add(1, Ordering::Relaxed);
                    // So that there is hardly ever a moment without a reservation.
                    std::thread::sleep(Duration::from_millis(2));
                    Buffer::zeroed(1024, inside)
                };
                assert!(attempt_reserved(&exec, 20 * 1024, body).is_ok());
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(small);
            }
            while at_work.load(Ordering::Relaxed) < 6 {
                std::thread::yield_now();
            }
            for _ in 0..3 {
                let reserved =
                    attempt_reserved(&exec, 60 * 1024, |inside| Ok(inside.resource().is_reserved()));
                // Before the assertion, so that the other threads end.
                is_over.fetch_or(!matches!(reserved, Ok(true)), Ordering::Relaxed);
            }
            assert!(!is_over.swap(true, Ordering::Relaxed), "the reservation was refused");
        });
        assert_conserved(&manager);
    }
}

/// The work is done without a reservation that fails, and nothing stays reserved.
#[test]
fn failing_reservation_is_survived() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 8 * 1024);
        let idle = buffers(8, 1000, &exec);
        let run = |exec: &Exec| {
            attempt_reserved(exec, 4 * 1024, |inside| Buffer::from_slice(&[7_u8; 3000], inside))
        };
        for step in 1.. {
            let armed = arm_this_thread(step);
            let before = retry_statistics().refused_reservations;
            let made = run(&exec);
            let failed = armed.has_failed();
            drop(armed);
            if step == 1 {
                assert!(
                    failed && retry_statistics().refused_reservations > before,
                    "the reservation is the first step"
                );
            }
            if let Ok(made) = &made {
                assert_eq!(made.to_vec::<u8>(&exec).unwrap(), [7; 3000]);
            }
            drop(made);
            drop(exec.reserve(8 * 1024).unwrap());
            assert_intact(&idle, &exec);
            if !failed {
                break;
            }
        }
        drop(idle);
        assert_conserved(&manager);
    }
}
