//! Explored schedules of the pool, and a resource for the schedules of others; see [`crate::interleavings`].

use std::ptr::NonNull;

use shuttle::thread;

use super::host_pool::Shelf;
use super::{MemoryResource, pages};
use crate::interleavings::SCHEDULES;
use crate::sync::Arc;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Admission, Device, Result, Stream};

/// Memory directly from the system: a pool has thousands of atomics, too many to make for each schedule.
#[derive(Debug)]
pub(crate) struct Pages;

// SAFETY: blocks are the system's, aligned and initialised.
unsafe impl MemoryResource for Pages {
    fn device(&self) -> Device {
        Device::Host
    }

    fn allocate(&self, bytes: usize, _stream: &Stream, _admission: Admission) -> Result<NonNull<u8>> {
        Ok(pages::allocate(bytes).unwrap())
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, _stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { pages::free(address, bytes) };
        Ok(())
    }
}

#[test]
fn shelf_returns_each_block_to_one_thread() {
    shuttle::check_random(
        || {
            let shelf = Arc::new(Shelf::new());
            // A shelf never touches its blocks, so the addresses alone suffice: each counts its holders.
            let holders = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
            let address = |at: usize| NonNull::without_provenance((at + 1).try_into().unwrap());
            assert!(shelf.put(address(0)) && shelf.put(address(1)));
            let threads = [(); 3].map(|()| {
                let (shelf, holders) = (Arc::clone(&shelf), Arc::clone(&holders));
                thread::spawn(move || {
                    for _ in 0..2 {
                        let Some(block) = shelf.take() else { continue };
                        let holder = &holders[block.addr().get() - 1];
                        assert_eq!(holder.fetch_add(1, Ordering::Relaxed), 0, "held by two");
                        holder.fetch_sub(1, Ordering::Relaxed);
                        assert!(shelf.put(block));
                    }
                })
            });
            for thread in threads {
                thread.join().unwrap();
            }
            let mut left: Vec<_> = std::iter::from_fn(|| shelf.take()).collect();
            left.sort();
            assert_eq!(left, [address(0), address(1)], "no block was lost");
        },
        SCHEDULES,
    );
}
