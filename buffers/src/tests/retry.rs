//! Retries: how many attempts, in which order, and what remains of them.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{execs, pattern};
use crate::failpoints::FailAt;
use crate::{
    Buffer, Device, Error, Exec, Limiting, Result, RetryPolicy, RetryableError, retry_statistics, with_retry,
    with_retry_no_split,
};

fn limited(exec: &Exec, bytes: usize) -> (Arc<Limiting>, Exec) {
    let limiting = Arc::new(Limiting::new(exec.resource().clone(), bytes));
    (limiting.clone(), exec.with_resource(limiting))
}

fn out_of_memory(device: Device) -> Error {
    Error::OutOfMemory { device, requested: 64, free: None, tier_refusal: None }
}

fn halves(range: &(usize, usize)) -> Option<[(usize, usize); 2]> {
    let middle = range.0.midpoint(range.1);
    (middle > range.0).then_some([(range.0, middle), (middle, range.1)])
}

#[test]
fn chunks_return_in_order_within_limit() {
    for exec in execs() {
        let bytes = pattern(10_000);
        for limit in [10_048, 5_056, 2_560, 640, 64] {
            let (limiting, tight) = limited(&exec, limit);
            let tried = Cell::new(0);
            let (input, policy) = ([(0, 4_000), (4_000, 10_000)], RetryPolicy::split(halves));
            let parts = with_retry(&tight, input, policy, |&(from, to), tight| {
                tried.set(tried.get() + 1);
                Buffer::from_slice(&bytes[from..to], tight)?.to_vec::<u8>(tight)
            })
            .unwrap();
            assert_eq!(parts.concat(), bytes, "{limit} on {}", exec.device());
            assert_eq!(limiting.used(), 0);
            // Two attempts for each chunk that failed, one for each that did not.
            assert!(tried.get() <= 3 * parts.len(), "{} attempts for {} chunks", tried.get(), parts.len());
        }
    }
}

#[test]
fn retry_of_oversized_work_is_out_of_memory() {
    for exec in execs() {
        let (limiting, tight) = limited(&exec, 64);
        let tried = Cell::new(0);
        let error = with_retry(&tight, [(0, 1_024)], RetryPolicy::split(halves), |_, tight| {
            tried.set(tried.get() + 1);
            let kept = Buffer::zeroed(64, tight)?;
            Buffer::zeroed(1 << 20, tight).map(|_| drop(kept))
        })
        .unwrap_err();
        assert_eq!(error.out_of_memory(), Some(1 << 20));
        // Down to the first chunk of one number and no further: two attempts per size, and the last one.
        assert_eq!(tried.get(), 2 * 11 + 1);
        assert_eq!(limiting.used(), 0, "a body that failed leaves nothing behind");
        tried.set(0);
        let refuse = |_: &Exec| {
            tried.set(tried.get() + 1);
            Err::<(), _>(out_of_memory(exec.device()))
        };
        assert!(with_retry_no_split(&exec, refuse).unwrap_err().is_out_of_memory());
        assert_eq!(tried.get(), 3);
    }
}

#[test]
fn endless_split_stops_at_maximum() {
    let exec = Exec::host();
    let tried = Cell::new(0);
    let body = |(): &(), _: &Exec| {
        tried.set(tried.get() + 1);
        Err::<(), _>(out_of_memory(Device::Host))
    };
    assert!(with_retry(&exec, [()], RetryPolicy::split(|()| Some([(), ()])), body).is_err());
    assert_eq!(tried.get(), 2 * 49 + 1);
}

#[test]
fn transient_failure_is_retried_without_split() {
    for exec in execs() {
        for k in 1..=3 {
            let failing = Arc::new(FailAt::new(exec.resource().clone(), k));
            let unsteady = exec.with_resource(failing.clone());
            let three = with_retry_no_split(&unsteady, |unsteady| {
                (0..3).map(|at| Buffer::from_slice(&[at], unsteady)).collect::<Result<Vec<_>>>()
            })
            .unwrap();
            let values: Vec<i32> = three.iter().flat_map(|one| one.to_vec::<i32>(&exec).unwrap()).collect();
            assert_eq!(values, [0, 1, 2]);
            assert!(failing.has_failed() && failing.asked() == 3 + k);
        }
    }
}

#[test]
fn other_errors_are_not_retried() {
    let exec = Exec::host();
    let no_device = Error::NoDevice { device: Device::Sim, reason: "test".to_owned() };
    let tried = Cell::new(0);
    let body = |_: &Exec| {
        tried.set(tried.get() + 1);
        Err::<(), _>(no_device.clone())
    };
    assert_eq!(with_retry_no_split(&exec, body), Err(no_device.clone()));
    let policy = RetryPolicy::no_split().with_fallback();
    assert_eq!(with_retry(&exec, [()], policy, |(), exec| body(exec)), Err(no_device.clone()));
    assert_eq!(tried.get(), 2);
}

#[test]
fn nested_retry_does_not_deadlock() {
    let exec = Exec::host();
    let order = RefCell::new(Vec::new());
    let result = with_retry_no_split(&exec, |exec| {
        order.borrow_mut().push("outer");
        with_retry_no_split(exec, |_| {
            order.borrow_mut().push("inner");
            Err::<(), _>(out_of_memory(Device::Host))
        })
    });
    assert!(result.is_err());
    assert_eq!(order.borrow().iter().filter(|&&who| who == "outer").count(), 3);
    assert_eq!(order.borrow().len(), 3 + 9);
}

#[test]
fn exclusive_retry_is_held_by_one_thread() {
    let exec = Exec::host();
    let (at_once, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let tried = Cell::new(0);
                with_retry_no_split(&exec, |_| {
                    tried.set(tried.get() + 1);
                    if tried.get() == 1 {
                        return Err(out_of_memory(Device::Host));
                    }
                    most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(10));
                    at_once.fetch_sub(1, Ordering::SeqCst);
                    Ok::<_, Error>(())
                })
                .unwrap();
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 1);
    assert!(retry_statistics().waits >= 1);
}
