//! The threads that parallel loops run on: those of rayon's global pool, and in a forked child, which has none of them,
//! those of another pool.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::device::forks;
use crate::sync::global::OnceLock;

/// Runs `work`, which may use rayon, on the worker threads of this process; in a worker of any pool, in place.
pub fn in_workers<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match own_pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// How many worker threads loops run on.
pub fn worker_threads() -> usize {
    own_pool().map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads)
}

/// The pools of the children of one process, of their children, and so on. A child uses only places that no thread of
/// its parent has used, so none of them can be locked.
struct Generation {
    pool: OnceLock<ThreadPool>,
    children: OnceLock<Box<Generation>>,
}

impl Generation {
    const fn new() -> Self {
        Self { pool: OnceLock::new(), children: OnceLock::new() }
    }
}

static CHILDREN: Generation = Generation::new();

/// The pool of a forked child; `None` where rayon finds the right one itself.
fn own_pool() -> Option<&'static ThreadPool> {
    let forks = forks();
    if forks == 0 || rayon::current_thread_index().is_some() {
        return None;
    }
    let mut generation = &CHILDREN;
    for _ in 1..forks {
        generation = generation.children.get_or_init(|| Box::new(Generation::new()));
    }
    Some(generation.pool.get_or_init(new_pool))
}

#[expect(clippy::expect_used, reason = "as rayon's global pool: no loop runs without a thread")]
fn new_pool() -> ThreadPool {
    let named = || ThreadPoolBuilder::new().thread_name(|at| format!("columnade-worker-{at}"));
    named().build().or_else(|_| named().num_threads(1).build()).expect("the system starts a thread")
}
