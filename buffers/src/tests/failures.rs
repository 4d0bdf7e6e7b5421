//! Allocations that fail: an error, and nothing is lost.

use std::sync::Arc;

use super::{execs, overwrite, pattern};
use crate::failpoints::FailAt;
use crate::{Buffer, Error, Exec, Limiting, MemoryResource, Result, Statistics};

/// Everything that allocates, in a row; returns what it made.
fn allocate_in_many_ways(source: &Buffer, exec: &Exec) -> Result<Vec<u8>> {
    let mut clone = source.clone();
    overwrite(&mut clone, 1, &[1, 2, 3], exec)?;
    let mut slice = clone.slice(0, 50);
    let zeroed = Buffer::zeroed(200, exec)?;
    let mut copy = zeroed.copy_to(exec)?;
    let _kept = (copy.clone(), slice.clone());
    drop(exec.access(&[source, &zeroed], [&mut slice, &mut copy])?);
    exec.fault_word()?;
    let uninit = Buffer::uninit(10_000, exec)?;
    drop(uninit);
    Buffer::from_slice(&[7_u8; 65], exec)?;
    clone.to_vec(exec)
}

#[test]
fn kth_allocation_failure_leaks_nothing() {
    for exec in execs() {
        let bytes = pattern(100);
        let source = Buffer::from_slice(&bytes, &exec).unwrap();
        let mut k = 1;
        loop {
            let counting = Arc::new(Statistics::new(exec.resource().clone()));
            let failing = Arc::new(FailAt::new(counting.clone(), k));
            // A new context each time, because the fault word is shared by the contexts of one stream.
            let context = exec.with_new_stream().unwrap().with_resource(failing.clone());
            let result = allocate_in_many_ways(&source, &context);
            drop(context);
            let counted = counting.statistics().unwrap();
            assert_eq!((counted.live, counted.current), (0, 0), "leaked at k = {k} on {}", exec.device());
            assert_eq!(source.to_vec::<u8>(&exec).unwrap(), bytes);
            match result {
                Ok(made) => {
                    assert!(!failing.has_failed());
                    assert_eq!(made[..5], [bytes[0], 1, 2, 3, bytes[4]]);
                    break;
                }
                Err(error) => assert!(matches!(error, Error::OutOfMemory { .. }), "{error}"),
            }
            k += 1;
        }
        assert!(k > 6, "only {k} allocations were tried");
    }
}

#[test]
fn failed_write_leaves_buffer_shared() {
    for exec in execs() {
        let first = Buffer::from_slice(&[1_u8; 100], &exec).unwrap();
        let mut second = first.clone();
        let full = exec.with_resource(Arc::new(Limiting::new(exec.resource().clone(), 127)));
        let error = second.write(&full).unwrap_err();
        assert_eq!(
            error,
            Error::OutOfMemory { device: exec.device(), requested: 128, free: Some(127), tier_refusal: None }
        );
        assert!(second.shares_memory(&first) && !second.owner().is_held());
        drop(first);
        second.write(&full).unwrap();
    }
}
