//! The threads that parallel loops run on: those of rayon's global pool, and in a forked child, which has none of them,
//! those of another pool.

use std::io::Error;
use std::sync::mpsc::{Sender, channel};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use crate::device::forks;
use crate::resource::resource_left;
use crate::sync::global::OnceLock;

/// Runs `work`, which may use rayon, on the worker threads of this process; in a worker of any pool, in place.
pub fn in_workers<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    start_global_pool();
    match own_pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// How many worker threads loops run on.
pub fn worker_threads() -> usize {
    start_global_pool();
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

/// Of a limited address space, a thread takes this much at least: its stack, and memory of its own.
const THREAD: usize = 16 << 20;

/// Gives rayon's global pool as many threads as the system starts, up to those that rayon asks for, unless
/// there is one. By itself rayon panics where the address space has no space for the stacks of all.
fn start_global_pool() {
    static STARTED: OnceLock<()> = OnceLock::new();
    // A child has a pool of its own, and never waits for a thread of its parent.
    if forks() > 0 {
        return;
    }
    STARTED.get_or_init(|| {
        let most = resource_left().map_or(usize::MAX, |left| (left / THREAD).max(1));
        let threads = wanted_threads().min(most);
        let mut waiting: Vec<Sender<ThreadBuilder>> = (0..threads).map_while(|_| started_thread()).collect();
        if waiting.is_empty() {
            // Rayon would start threads at the first loop, and panic: this one is the only worker.
            let _made = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
            return;
        }
        let pool = ThreadPoolBuilder::new().num_threads(waiting.len()).spawn_handler(|worker| {
            let thread =
                waiting.pop().ok_or_else(|| Error::other("a pool has as many workers as threads"))?;
            thread.send(worker).map_err(|_| Error::other("the thread has ended"))
        });
        // A pool that was made before stays. The threads that wait end with their channels.
        let _made = pool.build_global();
    });
}

/// As many threads as rayon's global pool has by itself.
fn wanted_threads() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|asked| asked.parse().ok());
    match asked {
        Some(0) | None => std::thread::available_parallelism().map_or(1, usize::from),
        Some(asked) => asked,
    }
}

/// A thread that becomes the worker it is sent; `None` if the system starts none.
fn started_thread() -> Option<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let thread = std::thread::Builder::new().name("columnade-worker".to_owned());
    let started = thread.spawn(move || {
        if let Ok(worker) = receiver.recv() {
            worker.run();
        }
    });
    started.is_ok().then_some(sender)
}

#[expect(clippy::expect_used, reason = "as rayon's global pool: no loop runs without a thread")]
fn new_pool() -> ThreadPool {
    let named = || ThreadPoolBuilder::new().thread_name(|at| format!("columnade-worker-{at}"));
    named().build().or_else(|_| named().num_threads(1).build()).expect("the system starts a thread")
}
