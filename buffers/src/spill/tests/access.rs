//! Guards of many buffers at once: all or none.

use super::{assert_intact, buffers, execs, limited, spilled};
use crate::{Buffer, Error, Tier};
use std::time::{Duration, Instant};

#[test]
fn access_unspills_all_buffers_together() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 8 * 1024);
        let mut all = buffers(20, 1000, &exec);
        let (reads, writes) = all.split_at_mut(5);
        let access = exec.access(&reads.iter().collect::<Vec<_>>(), writes[..2].iter_mut()).unwrap();
        assert_eq!((access.reads.len(), access.writes.len()), (5, 2));
        drop(access);
        assert_eq!(manager.usage().pinned, 0);
        assert!(manager.usage().tiers[Tier::Device].peak <= 8 * 1024);
        assert_intact(&all, &exec);
    }
}

#[test]
fn access_beyond_strict_budget_is_refused_and_holds_nothing() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 8 * 1024);
        let all = buffers(20, 1000, &exec);
        let nine: Vec<&Buffer> = all.iter().take(9).collect();
        let error = exec.strict().access(&nine, []).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
        assert_eq!(manager.usage().pinned, 0);
        assert!(manager.usage().tiers[Tier::Device].peak <= 8 * 1024);
        // With a soft budget it succeeds.
        drop(exec.access(&nine, []).unwrap());
        assert_intact(&all, &exec);
    }
}

/// The same buffer twice needs its memory once.
#[test]
fn access_to_one_buffer_twice_needs_its_bytes_once() {
    for exec in execs() {
        let (exec, _) = limited(&exec, 2 * 1024);
        let all = buffers(4, 1000, &exec);
        let (first, second) = (all[0].slice(0, 100), all[0].slice(500, 100));
        drop(exec.strict().access(&[&all[0], &first, &second, &all[1]], []).unwrap());
        assert_eq!(spilled(&all), [2, 3]);
    }
}

/// Two threads that each need most of the memory, and parts of what the other needs: both make progress, or
/// one gets an out-of-memory error; neither waits for ever.
#[test]
fn threads_that_need_each_others_memory_do_not_deadlock() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 6 * 1024);
        let all = buffers(10, 1000, &exec);
        let rounds = if cfg!(miri) { 5 } else { 200 };
        std::thread::scope(|scope| {
            for shift in [0, 3] {
                let (exec, all) = (exec.with_new_stream().unwrap(), &all);
                scope.spawn(move || {
                    let (mut done, mut round, start) = (0, 0, Instant::now());
                    // On a GPU an access takes longer than rounds that are refused meanwhile.
                    while round < rounds || (done == 0 && start.elapsed() < Duration::from_mins(1)) {
                        let wanted: Vec<&Buffer> = (0..5).map(|at| &all[(at + shift + round) % 10]).collect();
                        match exec.strict().access(&wanted, []) {
                            Ok(access) => done += access.reads.len() / 5,
                            Err(Error::OutOfMemory { .. }) => std::thread::yield_now(),
                            Err(error) => panic!("{error}"),
                        }
                        round += 1;
                    }
                    assert!(done > 0);
                });
            }
        });
        assert_eq!(manager.usage().pinned, 0);
        assert_intact(&all, &exec);
    }
}
