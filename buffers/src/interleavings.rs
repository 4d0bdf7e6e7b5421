//! Explored schedules: `RUSTFLAGS="--cfg shuttle" cargo test -p columnade-buffers --lib`.
//!
//! Each test here and in `resource` runs thousands of times, with the threads interleaved differently at
//! every atomic operation.

use shuttle::Runner;
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::thread;

use crate::resource::interleavings::Pages;
use crate::sync::Arc;
use crate::{Buffer, Exec, Statistics, Stream};

pub(crate) const SCHEDULES: usize = 5000;

/// A context with its own resource: primitives of one run must not be visible in the next.
fn exec() -> Exec {
    let resource = Statistics::new(Arc::new(Pages));
    Exec::with_parts(Stream::host(), Arc::new(resource))
}

pub(crate) fn fill(buffer: &mut Buffer, value: u8, exec: &Exec) {
    let mut guard = buffer.write(exec).unwrap();
    let bytes = guard.as_mut_slice::<u8>();
    for byte in bytes {
        *byte = value;
        thread::yield_now();
    }
}

/// Runs `test` under `schedules` schedules. Half of them choose the next thread at random at every step. The
/// other half change threads rarely, so that one thread gets far while another stands between two steps.
pub(crate) fn check(schedules: usize, test: impl Fn() + Send + Sync + 'static) {
    const CHANGES: usize = 3;
    let mut config = shuttle::Config::new();
    // Moves to and from files need more stack than the explorer's threads have by default.
    config.stack_size = 256 << 10;
    let test = Arc::new(test);
    let again = Arc::clone(&test);
    Runner::new(RandomScheduler::new(schedules / 2), config.clone()).run(move || again());
    Runner::new(PctScheduler::new(CHANGES, schedules / 2), config).run(move || test());
}

fn explore(test: impl Fn(Exec) + Send + Sync + 'static) {
    check(SCHEDULES, move || {
        let exec = exec();
        test(exec.clone());
        assert_eq!(exec.resource().statistics().unwrap().live, 0, "leaked");
    });
}

#[test]
fn concurrent_writes_of_two_views_are_separate() {
    explore(|exec| {
        let first = Buffer::from_slice(&[0_u8; 3], &exec).unwrap();
        let threads = [1, 2].map(|value| {
            let (mut view, exec) = (first.clone(), exec.clone());
            thread::spawn(move || {
                fill(&mut view, value, &exec);
                assert_eq!(view.to_vec::<u8>(&exec).unwrap(), [value; 3]);
            })
        });
        drop(first);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn write_is_invisible_to_other_view() {
    explore(|exec| {
        let mut buffer = Buffer::from_slice(&[0_u8; 3], &exec).unwrap();
        let (view, reader) = (buffer.slice(1, 2), exec.clone());
        let thread = thread::spawn(move || {
            let guard = view.read(&reader).unwrap();
            let first = guard.as_slice::<u8>().to_vec();
            thread::yield_now();
            assert_eq!(guard.as_slice::<u8>(), first);
            assert_eq!(first, [0; 2]);
        });
        fill(&mut buffer, 1, &exec);
        thread.join().unwrap();
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), [1; 3]);
    });
}

#[test]
fn pinned_allocation_outlives_its_other_views() {
    explore(|exec| {
        let buffer = Buffer::from_slice(&[7_u8; 3], &exec).unwrap();
        let threads = [0, 1].map(|at| {
            let (view, exec) = (buffer.slice(at, 2), exec.clone());
            // The last of three drops frees, whichever it is; `Owner::drop` asserts that nothing is held.
            thread::spawn(move || {
                let guard = view.read(&exec).unwrap();
                thread::yield_now();
                assert_eq!(guard.as_slice::<u8>(), [7; 2]);
            })
        });
        drop(buffer);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn leased_bytes_survive_other_writes() {
    explore(|exec| {
        let mut buffer = Buffer::from_slice(&[7_u8; 3], &exec).unwrap();
        let arrow = buffer.to_arrow().unwrap();
        let thread = thread::spawn(move || {
            thread::yield_now();
            assert_eq!(arrow.as_slice(), [7; 3]);
        });
        fill(&mut buffer, 1, &exec);
        thread.join().unwrap();
        assert!(buffer.is_unique());
    });
}
