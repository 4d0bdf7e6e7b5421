//! Explored schedules of the pool; see [`crate::interleavings`].

use shuttle::thread;

use super::{HostPool, MemoryResource};
use crate::Stream;
use crate::interleavings::SCHEDULES;
use crate::sync::Arc;

#[test]
fn a_shelf_gives_each_block_to_one() {
    shuttle::check_random(
        || {
            let pool = Arc::new(HostPool::with_retention(1 << 20));
            let stream = Stream::host();
            for block in [(); 2].map(|()| pool.allocate(64, &stream).unwrap()) {
                // SAFETY: each block is given back once, by who holds it.
                unsafe { pool.deallocate(block, 64, &stream).unwrap() };
            }
            let threads = [1_u8, 2].map(|mark| {
                let (pool, stream) = (Arc::clone(&pool), stream.clone());
                thread::spawn(move || {
                    for _ in 0..2 {
                        let block = pool.allocate(64, &stream).unwrap();
                        // SAFETY: the block is this thread's alone, which is what the mark is to show.
                        unsafe { block.as_ptr().write(mark) };
                        thread::yield_now();
                        // SAFETY: as above; it is given back once.
                        unsafe {
                            assert_eq!(block.as_ptr().read(), mark);
                            pool.deallocate(block, 64, &stream).unwrap();
                        }
                    }
                })
            });
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(pool.trim(), 128, "no block was lost");
        },
        SCHEDULES,
    );
}
