//! Parallel loops on all cores.
//!
//! A rayon loop compiles to about twenty functions per closure type, which took a quarter of this crate's
//! compile time. Here each loop is compiled once, over a closure behind a pointer. A task is thousands of
//! rows, so the indirect call costs nothing. Only this file uses rayon's iterators.

use crate::interrupt::Checkpoint;
use columnade_buffers::{Pod, in_workers, worker_threads};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The number of threads that loops run on.
pub(crate) fn threads() -> usize {
    worker_threads()
}

/// Calls `run` with each number less than `tasks`.
pub(crate) fn for_each_task(tasks: usize, run: &(dyn Fn(usize) + Sync)) {
    let checkpoint = Checkpoint::current();
    if tasks <= 1 {
        checkpoint.check();
        (0..tasks).for_each(run);
    } else {
        let run = |task| {
            checkpoint.check();
            run(task);
        };
        in_workers(|| (0..tasks).into_par_iter().for_each(run));
    }
}

/// Returns `run` of each number less than `tasks`, in order.
pub(crate) fn map_tasks<R: Send>(tasks: usize, run: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    if tasks <= 1 {
        Checkpoint::current().check();
        return (0..tasks).map(run).collect();
    }
    let results: Vec<TaskCell<R>> = (0..tasks).map(|_| TaskCell::empty()).collect();
    for_each_task(tasks, &|task| results[task].put(run(task)));
    results.into_iter().filter_map(TaskCell::into_inner).collect()
}

/// Calls `run` with each of `parts` and its number.
pub(crate) fn for_each_part<P: Send>(parts: impl IntoIterator<Item = P>, run: impl Fn(usize, P) + Sync) {
    let parts: Vec<TaskCell<P>> = parts.into_iter().map(TaskCell::full).collect();
    for_each_task(parts.len(), &|task| {
        if let Some(part) = parts[task].take() {
            run(task, part);
        }
    });
}

/// Returns `run` of each of `parts` and its number, in order.
pub(crate) fn map_parts<P: Send, R: Send>(
    parts: impl IntoIterator<Item = P>,
    run: impl Fn(usize, P) -> R + Sync,
) -> Vec<R> {
    let parts: Vec<TaskCell<P>> = parts.into_iter().map(TaskCell::full).collect();
    let results: Vec<TaskCell<R>> = parts.iter().map(|_| TaskCell::empty()).collect();
    for_each_task(parts.len(), &|task| {
        if let Some(part) = parts[task].take() {
            results[task].put(run(task, part));
        }
    });
    results.into_iter().filter_map(TaskCell::into_inner).collect()
}

/// Calls `run` with the number of each chunk of `chunk` values and the chunk; the last one may be shorter.
pub(crate) fn for_each_chunk<T: Pod>(out: &mut [T], chunk: usize, run: impl Fn(usize, &mut [T]) + Sync) {
    if out.len() > chunk {
        let bytes = bytemuck::cast_slice_mut::<T, u8>(out);
        for_each_byte_chunk(bytes, chunk * size_of::<T>(), &|index, bytes| {
            run(index, bytemuck::cast_slice_mut(bytes));
        });
    } else if !out.is_empty() {
        run(0, out);
    }
}

/// The loop of [`for_each_chunk`] over bytes, for values of any type.
fn for_each_byte_chunk(bytes: &mut [u8], chunk: usize, run: &(dyn Fn(usize, &mut [u8]) + Sync)) {
    let checkpoint = Checkpoint::current();
    let run = |(index, bytes): (usize, &mut [u8])| {
        checkpoint.check();
        run(index, bytes);
    };
    in_workers(|| bytes.par_chunks_mut(chunk).enumerate().for_each(run));
}

/// Runs both closures, the second on another core if one is free.
pub(crate) fn join(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    in_workers(|| rayon::join(first, second));
}

/// Values that tasks take, use and put back: as many as run at a time.
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Puts a value into the pool.
    pub(crate) fn put(&self, value: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(value);
    }

    /// Hands `run` a value of the pool, which holds as many as [threads].
    ///
    /// # Panics
    /// When it holds fewer.
    #[expect(clippy::expect_used, reason = "a loop runs no more tasks at a time than it has threads")]
    pub(crate) fn with_kept<R>(&self, run: impl FnOnce(&mut T) -> R) -> R {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut value = kept.expect("a value for each thread");
        let result = run(&mut value);
        self.put(value);
        result
    }

    /// Hands `run` a value that another task has put back, else a new one.
    pub(crate) fn with<R>(&self, new: impl FnOnce() -> T, run: impl FnOnce(&mut T) -> R) -> R {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut value = kept.unwrap_or_else(new);
        let result = run(&mut value);
        self.put(value);
        result
    }
}

/// The value of one task, which is the only one to lock it.
struct TaskCell<T>(Mutex<Option<T>>);

impl<T> TaskCell<T> {
    fn empty() -> Self {
        Self(Mutex::new(None))
    }

    fn full(value: T) -> Self {
        Self(Mutex::new(Some(value)))
    }

    fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn into_inner(self) -> Option<T> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
