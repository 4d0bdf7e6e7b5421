//! Forked children: they work on the host, and change nothing of their parents. Each test has a process of its own: threads of
//! other tests may hold locks, which a child would never see released.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::own_process::in_own_process;
use super::pattern;
use crate::{
    Buffer, Device, Error, Exec, Managed, SpillManager, SpillOptions, Tier, in_workers, worker_threads,
};

/// Runs `work` in a forked child; panics unless it ends, soon, without a panic.
#[track_caller]
fn in_child(work: impl FnOnce()) {
    // SAFETY: the child runs code of this test only, while no other thread of the test works, and ends without returning.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "forked");
    if child == 0 {
        let done = catch_unwind(AssertUnwindSafe(work)).is_ok();
        // SAFETY: ends the process.
        unsafe { libc::_exit(i32::from(!done)) }
    }
    let (start, mut status) = (Instant::now(), 0);
    loop {
        // SAFETY: writes to a number that is alive.
        let ended = unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) };
        if ended == child {
            break;
        }
        if start.elapsed() > Duration::from_mins(2) {
            // SAFETY: a child of this process that has not been waited for.
            unsafe { libc::kill(child, libc::SIGKILL) };
            panic!("the child does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status}");
}

fn sum() -> usize {
    in_workers(|| (0..10_000_usize).into_par_iter().with_min_len(1).sum())
}

fn managed(settings: &[(&'static str, &str)]) -> (Exec, Arc<SpillManager>) {
    let options = SpillOptions::from_lookup(|variable| {
        let found = settings.iter().find(|(name, _)| *name == variable).map(|(_, value)| *value);
        found.or((variable == "COLUMNADE_SPILL").then_some("on")).map(Into::into)
    });
    let host = Exec::host();
    let managed = Managed::new(host.resource().clone(), options.unwrap()).unwrap();
    let manager = managed.manager().clone();
    (host.with_resource(Arc::new(managed)), manager)
}

/// The parent has started its workers; the child and its child have their own.
#[test]
fn parallel_work_after_fork_ends() {
    in_own_process("tests::forks::parallel_work_after_fork_ends", || {
        assert_eq!(sum(), 49_995_000);
        let threads = worker_threads();
        in_child(|| {
            assert_eq!((sum(), worker_threads()), (49_995_000, threads));
            // In a worker the pool is the worker's.
            assert_eq!(in_workers(|| (sum(), worker_threads())), (49_995_000, threads));
            in_child(|| assert_eq!((sum(), worker_threads()), (49_995_000, threads)));
            assert_eq!(sum(), 49_995_000);
        });
        assert_eq!(sum(), 49_995_000);
    });
}

/// Files are shared with the parent: the child reads none of its bytes there and writes none.
#[test]
fn bytes_on_disk_after_fork_are_parents() {
    in_own_process("tests::forks::bytes_on_disk_after_fork_are_parents", || {
        let (exec, manager) = managed(&[]);
        // Beyond what one thread moves alone.
        let bytes = pattern(2 << 20);
        let spilled = Buffer::from_slice(&bytes, &exec).unwrap();
        spilled.spill().unwrap();
        let copied = Buffer::from_slice(&bytes, &exec).unwrap();
        copied.spill().unwrap();
        drop(copied.read(&exec).unwrap());
        assert_eq!(
            (spilled.is_spilled(), copied.is_spilled()),
            (true, false),
            "resident, with a copy on the disk"
        );
        in_child(|| {
            let error = spilled.to_vec::<u8>(&exec).unwrap_err();
            assert!(matches!(error, Error::Storage { tier: Tier::Disk, .. }), "{error}");
            assert!(error.to_string().contains("before the process was forked"), "{error}");
            // A copy of the parent's is none: the bytes are written again, to a file of the child.
            copied.spill().unwrap();
            assert!(copied.is_spilled());
            assert_eq!(copied.to_vec::<u8>(&exec).unwrap(), bytes);
            let own = Buffer::from_slice(&vec![7_u8; 3 << 20], &exec).unwrap();
            own.spill().unwrap();
            assert_eq!(own.to_vec::<u8>(&exec).unwrap(), vec![7; 3 << 20]);
            drop((spilled.clone(), own));
            drop(spilled);
            drop((copied, exec, manager));
        });
        let (exec, _manager) = managed(&[]);
        assert_eq!(sum(), 49_995_000);
        drop(exec);
    });
}

/// What the child did with them, the parent does not see.
#[test]
fn spilled_bytes_of_parent_are_unchanged_by_child() {
    in_own_process("tests::forks::spilled_bytes_of_parent_are_unchanged_by_child", || {
        let (exec, _manager) = managed(&[]);
        let parts: Vec<Vec<u8>> = (0..6).map(|at| vec![at; 1 << 20]).collect();
        let mut buffers: Vec<Buffer> =
            parts.iter().map(|part| Buffer::from_slice(part, &exec).unwrap()).collect();
        assert!(buffers.iter().all(|buffer| buffer.spill().unwrap()));
        in_child(|| {
            // Freed extents would become holes or be reused, and the bytes there are the parent's.
            buffers.clear();
            let own: Vec<Buffer> =
                (0..6).map(|_| Buffer::from_slice(&vec![99_u8; 1 << 20], &exec).unwrap()).collect();
            assert!(own.iter().all(|buffer| buffer.spill().unwrap()));
        });
        for (buffer, part) in buffers.iter().zip(&parts) {
            assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), *part);
        }
    });
}

/// A child drops managers whose threads it does not have.
#[test]
fn manager_with_background_thread_is_dropped_after_fork() {
    in_own_process("tests::forks::manager_with_background_thread_is_dropped_after_fork", || {
        let settings = [("COLUMNADE_SPILL_DEVICE_LIMIT", "8MB"), ("COLUMNADE_SPILL_WATERMARKS", "50%,25%")];
        let (exec, manager) = managed(&settings);
        let work = |exec: &Exec| {
            let buffers: Vec<Buffer> =
                (0..12).map(|at| Buffer::from_slice(&vec![at; 1 << 20], exec).unwrap()).collect();
            for (at, buffer) in buffers.iter().enumerate() {
                assert_eq!(usize::from(buffer.to_vec::<u8>(exec).unwrap()[0]), at);
            }
        };
        work(&exec);
        in_child(|| {
            work(&exec);
            drop((exec, manager));
            let (exec, _manager) = managed(&settings);
            work(&exec);
        });
    });
}

/// The simulator runs on the calling thread.
#[test]
fn devices_of_host_memory_work_after_fork() {
    in_own_process("tests::forks::devices_of_host_memory_work_after_fork", || {
        for device in [Device::Host, Device::Sim] {
            let Ok(exec) = Exec::new(device) else { continue };
            let buffer = Buffer::from_slice(&[1_i64, 2, 3], &exec).unwrap();
            in_child(|| {
                let copy = buffer.copy_to(&exec).unwrap();
                assert_eq!(copy.to_vec::<i64>(&exec).unwrap(), [1, 2, 3]);
            });
            assert_eq!(buffer.to_vec::<i64>(&exec).unwrap(), [1, 2, 3]);
        }
    });
}
