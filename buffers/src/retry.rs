//! Retries after memory has run out: first with more free memory, then in smaller chunks.
//!
//! An allocation frees what it can and then fails; it never waits. Waiting happens here, where the failed
//! operation holds no guard and no memory that another thread may wait for.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::sync::assert_holds_no_lock;
use crate::sync::global::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::{Admission, Device, Error, Exec, Wait};

/// An error that may be an out-of-memory error.
pub trait RetryableError {
    /// The requested bytes, if the error says that a device had no memory for them.
    fn out_of_memory(&self) -> Option<usize>;

    /// Whether this is an out-of-memory error of a device.
    fn is_out_of_memory(&self) -> bool {
        self.out_of_memory().is_some()
    }
}

impl RetryableError for Error {
    fn out_of_memory(&self) -> Option<usize> {
        if let Error::OutOfMemory { requested, .. } = self { Some(*requested) } else { None }
    }
}

/// How many times a chunk and its halves are split at most: into 2⁴⁸ chunks.
const MAX_SPLITS: u32 = 48;
/// With fewer free bytes than this, smaller chunks are no help: the buffers of a few rows do not fit.
const MIN_FREE: usize = 16 << 10;
/// How long a thread waits for the exclusive retry or for a reservation at most.
const MAX_WAIT: Duration = Duration::from_secs(10);

type Split<'a, I> = Box<dyn Fn(&I) -> Option<[I; 2]> + 'a>;
type Reserve<'a, I> = Box<dyn Fn(&I) -> usize + 'a>;

/// How [`with_retry`] splits a chunk that memory does not suffice for, and what it reserves for an attempt.
pub struct RetryPolicy<'a, I> {
    split: Option<Split<'a, I>>,
    reserve: Option<Reserve<'a, I>>,
    min_chunk: usize,
    has_fallback: bool,
}

impl<'a, I> RetryPolicy<'a, I> {
    /// A chunk that memory does not suffice for is split in the two parts that `split` returns, to be processed in this
    /// order; `None` for a chunk that is not to be split further.
    pub fn split(split: impl Fn(&I) -> Option<[I; 2]> + 'a) -> Self {
        Self { split: Some(Box::new(split)), ..Self::no_split() }
    }

    /// Chunks are never split.
    pub fn no_split() -> Self {
        Self { split: None, reserve: None, min_chunk: 0, has_fallback: false }
    }

    /// Reserves `bytes(chunk)` bytes of the budget before each attempt at the chunk: what it allocates at a time, with
    /// what it brings back from lower tiers.
    ///
    /// Idle data is spilled for the reservation at once, and no other operator gets the memory before the attempt ends.
    /// Within it the body allocates and frees freely; operations that it calls reserve nothing themselves. An
    /// estimate that is too small makes the body compete for the rest of the budget. When the reservation is refused,
    /// the first attempt waits for those of other operators to end, and then runs without one.
    #[must_use]
    pub fn reserve(self, bytes: impl Fn(&I) -> usize + 'a) -> Self {
        Self { reserve: Some(Box::new(bytes)), ..self }
    }

    /// Chunks of `bytes` bytes are worth passing the budget: a chunk whose reservation is larger than the whole budget,
    /// but not larger than `bytes`, is attempted once, with the soft budget.
    #[must_use]
    pub fn min_chunk(self, bytes: usize) -> Self {
        Self { min_chunk: bytes, ..self }
    }

    /// The caller has another way to do the work. A chunk that memory does not suffice for and that is not split is
    /// then the out-of-memory error, instead of one more attempt that may pass the budget.
    #[must_use]
    pub fn with_fallback(self) -> Self {
        Self { has_fallback: true, ..self }
    }
}

/// Runs `body` on each chunk of `input` and returns the results in the order of the chunks. When memory runs out, the
/// chunk is run again after other data was spilled, and then split as `policy` says.
///
/// `body` may run several times for a chunk. It must be idempotent: a run that fails must leave no side effect behind.
/// The chunk belongs to `with_retry`, and each run borrows it. `body` takes its guards and allocates its scratch
/// within the run and returns the result only, so that between two attempts nothing is pinned or held. Results that are
/// buffers can be spilled while later chunks run.
///
/// A chunk is first attempted in a [strict](Exec::strict) context, which the budget bounds. If memory runs out, the
/// thread waits until no other thread retries on the device, spills, and attempts it once more, strictly. Then the chunk
/// is split and its parts are attempted in the same way. A chunk that is not split is attempted a last time with `exec`
/// itself, which may pass a soft budget. Where smaller chunks would not fit either, because hardly any memory can be
/// freed, the budget is passed at once. The number of attempts is bounded by the chunks that `policy` can make.
///
/// ```
/// use std::sync::Arc;
/// use columnade_buffers::{Buffer, Error, Exec, Limiting, RetryPolicy, with_retry};
///
/// // Sums a thousand numbers with memory for a hundred.
/// let exec = Exec::host();
/// let exec = exec.with_resource(Arc::new(Limiting::new(exec.resource().clone(), 1024)));
/// let numbers: Vec<i64> = (0..1000).collect();
/// fn halves<'a>(chunk: &&'a [i64]) -> Option<[&'a [i64]; 2]> {
///     (chunk.len() > 1).then(|| chunk.split_at(chunk.len() / 2).into())
/// }
/// let sums = with_retry(&exec, [&numbers[..]], RetryPolicy::split(halves), |chunk, exec| {
///     Ok::<_, Error>(Buffer::from_slice(chunk, exec)?.to_vec::<i64>(exec)?.iter().sum::<i64>())
/// })?;
/// assert!(sums.len() > 1);
/// assert_eq!(sums.iter().sum::<i64>(), 499_500);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
///
/// The first error of `body` that does not say that memory ran out, and the one that does when the last attempt at a
/// chunk failed.
///
/// # Source
///
/// Spark RAPIDS `RmmRapidsRetryIterator.withRetry`.
pub fn with_retry<I, T, E: RetryableError>(
    exec: &Exec,
    input: impl IntoIterator<Item = I>,
    policy: RetryPolicy<'_, I>,
    mut body: impl FnMut(&I, &Exec) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let RetryPolicy { split, reserve, min_chunk, has_fallback } = policy;
    let mut results = Vec::new();
    // What is left of the chunk at hand, the next part last.
    let mut rest: Vec<(I, u32)> = Vec::new();
    for chunk in input {
        rest.push((chunk, 0));
        while let Some((chunk, splits)) = rest.pop() {
            let bytes = || reserve.as_ref().map_or(0, |reserve| reserve(&chunk));
            let error = match attempt_twice(exec, bytes, min_chunk, |exec| body(&chunk, exec)) {
                Ok(result) => {
                    results.push(result);
                    continue;
                }
                Err(error) if error.is_out_of_memory() => error,
                Err(error) => return Err(error),
            };
            let parts = split.as_ref().filter(|_| splits < MAX_SPLITS).and_then(|split| split(&chunk));
            match parts {
                Some([first, second]) => {
                    SPLITS.fetch_add(1, Ordering::Relaxed);
                    rest.push((second, splits + 1));
                    rest.push((first, splits + 1));
                }
                None if has_fallback => return Err(error),
                None => results.push(attempt_softly(exec, |exec| body(&chunk, exec))?),
            }
        }
    }
    Ok(results)
}

/// Runs `body` once, and again when memory runs out: [`with_retry`] of work that has no smaller chunks.
///
/// # Errors
///
/// What `body` returned last.
///
/// # Source
///
/// Spark RAPIDS `RmmRapidsRetryIterator.withRetryNoSplit`.
pub fn with_retry_no_split<T, E: RetryableError>(
    exec: &Exec,
    mut body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<T, E> {
    with_retry(exec, [()], RetryPolicy::no_split(), |(), exec| body(exec)).map(|mut done| done.remove(0))
}

/// The attempts within the budget; the budget is passed where smaller chunks would not fit either.
fn attempt_twice<T, E: RetryableError>(
    exec: &Exec,
    bytes: impl Fn() -> usize,
    min_chunk: usize,
    mut body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<T, E> {
    if exec.is_exhausted() && exec.make_space(MIN_FREE) == 0 && has_hardly_any_memory(exec) {
        return attempt_softly(exec, body);
    }
    let reserved = bytes();
    if exec.is_budget_soft() && reserved <= min_chunk && exec.budget().is_some_and(|budget| reserved > budget)
    {
        return attempt_softly(exec, body);
    }
    let requested = match attempt(exec, reserved, MAX_WAIT, &mut body) {
        Ok(result) => return Ok(result),
        Err(error) => error.out_of_memory().ok_or(error)?,
    };
    let _exclusive = ExclusiveRetry::take(exec);
    exec.make_space(requested);
    // Other operators may wait for this exclusive retry, so it does not wait for their reservations.
    let attempted = attempt(exec, bytes(), Duration::ZERO, &mut body);
    if attempted.as_ref().is_err_and(RetryableError::is_out_of_memory) && has_hardly_any_memory(exec) {
        return attempt_softly(exec, body);
    }
    attempted
}

impl Exec {
    /// Whether this context's operations may pass the [budget](Self::budget), because neither the context is
    /// [strict](Self::strict) nor the device itself has no more memory.
    pub fn is_budget_soft(&self) -> bool {
        let limit = self.resource().spill_manager().and_then(|manager| manager.limit());
        self.admission() == Admission::Soft && limit.is_some() && self.budget() == limit
    }

    /// The most bytes that can be had on the device where the budget is passed, if there is a bound.
    pub fn device_limit(&self) -> Option<usize> {
        self.resource().spill_manager().and_then(|manager| manager.upstream().limit())
    }

    /// Whether the soft budget is used up and the lower tiers are known to be full: work then passes the budget, also
    /// in chunks.
    pub fn is_exhausted(&self) -> bool {
        has_hardly_any_memory(self)
            && self.resource().spill_manager().is_some_and(|manager| manager.is_limit_open())
    }
}

/// Whether the budget may be passed and has hardly any memory free, so that smaller chunks would not fit either.
fn has_hardly_any_memory(exec: &Exec) -> bool {
    let free = exec.resource().spill_manager().and_then(|manager| manager.free());
    exec.admission() == Admission::Soft && free.is_some_and(|free| free < MIN_FREE)
}

/// An attempt within the budget, with a reservation of `bytes` bytes if it is granted.
fn attempt<T, E: RetryableError>(
    exec: &Exec,
    bytes: usize,
    patience: Duration,
    body: impl FnOnce(&Exec) -> Result<T, E>,
) -> Result<T, E> {
    let reserved = exec.reserve_memory(bytes, patience);
    counted(body(&reserved.as_ref().map_or_else(|| exec.strict(), |reserved| reserved.exec(exec))))
}

/// The last attempt, which may exceed the budget.
fn attempt_softly<T, E: RetryableError>(
    exec: &Exec,
    body: impl FnOnce(&Exec) -> Result<T, E>,
) -> Result<T, E> {
    let _exclusive = ExclusiveRetry::take(exec);
    LAST_ATTEMPTS.fetch_add(1, Ordering::Relaxed);
    counted(body(exec))
}

fn counted<T, E: RetryableError>(result: Result<T, E>) -> Result<T, E> {
    ATTEMPTS.fetch_add(1, Ordering::Relaxed);
    if result.as_ref().is_err_and(RetryableError::is_out_of_memory) {
        FAILURES.fetch_add(1, Ordering::Relaxed);
    }
    result
}

static ATTEMPTS: AtomicU64 = AtomicU64::new(0);
static FAILURES: AtomicU64 = AtomicU64::new(0);
static LAST_ATTEMPTS: AtomicU64 = AtomicU64::new(0);
static SPLITS: AtomicU64 = AtomicU64::new(0);
static RESERVATIONS: AtomicU64 = AtomicU64::new(0);
static RESERVED_BYTES: AtomicU64 = AtomicU64::new(0);
static REFUSED_RESERVATIONS: AtomicU64 = AtomicU64::new(0);
static WAITS: AtomicU64 = AtomicU64::new(0);
static WAITED_NANOS: AtomicU64 = AtomicU64::new(0);

/// Counts of the retries of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryStatistics {
    /// Runs of a body.
    pub attempts: u64,
    /// Runs that ended out of memory.
    pub failures: u64,
    /// Runs with a soft budget, because there was nothing left to split or chunks would not have fitted
    /// either.
    pub last_attempts: u64,
    /// Chunks split in two.
    pub splits: u64,
    /// Runs with a reservation.
    pub reservations: u64,
    /// The sum of the reservations in bytes.
    pub reserved_bytes: u64,
    /// Runs without a reservation, because it was refused.
    pub refused_reservations: u64,
    /// Waits for another thread's exclusive retry.
    pub waits: u64,
    /// The time that they took.
    pub waited: Duration,
}

/// The counts of the retries of this process so far.
pub fn retry_statistics() -> RetryStatistics {
    RetryStatistics {
        attempts: ATTEMPTS.load(Ordering::Relaxed),
        failures: FAILURES.load(Ordering::Relaxed),
        last_attempts: LAST_ATTEMPTS.load(Ordering::Relaxed),
        splits: SPLITS.load(Ordering::Relaxed),
        reservations: RESERVATIONS.load(Ordering::Relaxed),
        reserved_bytes: RESERVED_BYTES.load(Ordering::Relaxed),
        refused_reservations: REFUSED_RESERVATIONS.load(Ordering::Relaxed),
        waits: WAITS.load(Ordering::Relaxed),
        waited: Duration::from_nanos(WAITED_NANOS.load(Ordering::Relaxed)),
    }
}

/// Counts a reservation, or a refused one (`None`).
pub(crate) fn count_reservation(bytes: Option<usize>) {
    match bytes {
        Some(bytes) => {
            RESERVATIONS.fetch_add(1, Ordering::Relaxed);
            RESERVED_BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        None => {
            REFUSED_RESERVATIONS.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The locks for exclusive retry, by device. Few, and never dropped.
static RETRY_LOCKS: Mutex<Vec<(Device, &'static Mutex<()>)>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this thread holds one: bodies may contain retries of their own.
    static IS_EXCLUSIVE: Cell<bool> = const { Cell::new(false) };
}

/// While this lives, no other thread retries on the device. Empty if the lock was not acquired.
struct ExclusiveRetry(Option<MutexGuard<'static, ()>>);

impl ExclusiveRetry {
    fn take(exec: &Exec) -> Self {
        if IS_EXCLUSIVE.get() {
            return Self(None);
        }
        let lock = retry_lock_of(exec.device());
        let guard = lock.try_lock().or_else(|| {
            // A waiting worker could block a parallel loop of the thread that holds the lock.
            if rayon::current_thread_index().is_some() {
                return None;
            }
            assert_holds_no_lock();
            let started = Instant::now();
            let guard = lock.try_lock_for(MAX_WAIT);
            let waited = started.elapsed();
            WAITS.fetch_add(1, Ordering::Relaxed);
            WAITED_NANOS.fetch_add(u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
            if let Some(manager) = exec.resource().spill_manager() {
                manager.statistics().waited(Wait::ExclusiveRetry, waited);
            }
            guard
        });
        IS_EXCLUSIVE.set(guard.is_some());
        Self(guard)
    }
}

impl Drop for ExclusiveRetry {
    fn drop(&mut self) {
        if self.0.is_some() {
            IS_EXCLUSIVE.set(false);
        }
    }
}

fn retry_lock_of(device: Device) -> &'static Mutex<()> {
    let mut locks = RETRY_LOCKS.lock();
    if let Some((_, lock)) = locks.iter().find(|(other, _)| *other == device) {
        return lock;
    }
    let lock: &'static Mutex<()> = Box::leak(Box::default());
    locks.push((device, lock));
    lock
}
