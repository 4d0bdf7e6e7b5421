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
/// With a budget smaller than this, in bytes, no operator is split into chunks: the buffers of a few rows
/// would not fit.
const MIN_CHUNKED_BUDGET: usize = 16 << 10;
/// Chunks are not smaller than this, in bytes: moving them would take longer than computing on them.
const MIN_CHUNK_BYTES: usize = 64 << 10;
/// A large operator has at most [`MAX_SMALL_CHUNKS`] chunks smaller than this, in bytes.
const SMALL_CHUNK_BYTES: usize = 1 << 20;
const MAX_SMALL_CHUNKS: usize = 64;
/// How long a thread waits for the exclusive retry or for a reservation at most.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Runs `body` on each chunk and returns the results in the order of the chunks. A chunk for which memory
/// does not suffice is run again, and then split in halves.
///
/// | attempt | context | before it |
/// | --- | --- | --- |
/// | first | [strict](Exec::strict), unless no memory can be freed | |
/// | second | strict | waits for exclusive retry on the device, then frees memory |
/// | third, if no chunk would fit | `exec` itself, whose budget is soft | hardly any memory could be freed |
/// | of the halves | strict | `split`, which returns `None` for a chunk that is small enough |
/// | last, if there are no halves | `exec` itself | waits for exclusive retry |
/// | the only one, if a [smallest chunk](Exec::min_chunk_bytes) needs a larger reservation than the whole budget | `exec` itself | waits for exclusive retry |
///
/// `body` runs several times, so it must have no effect if it fails, and must take every guard itself:
/// nothing is pinned between two attempts. Results should be spillable, as buffers are. The chunks that
/// `split` can make bound the number of attempts.
///
/// ```
/// use std::sync::Arc;
/// use columnade_buffers::{Buffer, Error, Exec, Limiting, with_retry};
///
/// // Sums a thousand numbers with memory for a hundred.
/// let exec = Exec::host();
/// let exec = exec.with_resource(Arc::new(Limiting::new(exec.resource().clone(), 1024)));
/// let numbers: Vec<i64> = (0..1000).collect();
/// let sums = with_retry(
///     &exec,
///     [&numbers[..]],
///     |numbers| (numbers.len() > 1).then(|| numbers.split_at(numbers.len() / 2).into()),
///     |numbers, exec| Ok::<_, Error>(Buffer::from_slice(numbers, exec)?.to_vec::<i64>(exec)?.iter().sum::<i64>()),
/// )?;
/// assert!(sums.len() > 1);
/// assert_eq!(sums.iter().sum::<i64>(), 499_500);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
///
/// The first error of `body` that is not out-of-memory, and the out-of-memory error of the last attempt at a
/// smallest chunk.
///
/// # Source
///
/// Spark RAPIDS `withRetry`.
pub fn with_retry<I, T, E: RetryableError>(
    exec: &Exec,
    pieces: impl IntoIterator<Item = I>,
    split: impl Fn(&I) -> Option<[I; 2]>,
    body: impl FnMut(&I, &Exec) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    with_retry_in_room(exec, pieces, split, |_| 0, body)
}

/// Like [`with_retry`], with memory reserved for each attempt but the last: `bytes` returns the bytes that a
/// chunk needs in addition to its resident buffers.
///
/// Idle buffers are spilled at once before `body` begins. The reservation is exclusive until `body` ends, and
/// `body` may allocate again what it frees. If the estimate is too small, `body` competes for the rest. If
/// the reservation is refused, the first attempt waits for other operators' reservations to end, and then
/// `body` runs without one.
///
/// Operations within `body` use the context's reservation and make none of their own.
///
/// # Errors
///
/// Those of [`with_retry`]; a refused reservation is not an error.
pub fn with_retry_in_room<I, T, E: RetryableError>(
    exec: &Exec,
    pieces: impl IntoIterator<Item = I>,
    split: impl Fn(&I) -> Option<[I; 2]>,
    bytes: impl Fn(&I) -> usize,
    mut body: impl FnMut(&I, &Exec) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let mut results = Vec::new();
    // The parts of the current chunk that are left, the next part last.
    let mut rest: Vec<(I, u32)> = Vec::new();
    for piece in pieces {
        rest.push((piece, 0));
        while let Some((piece, splits)) = rest.pop() {
            if let Some(result) = attempt_twice_in_room(exec, || bytes(&piece), |exec| body(&piece, exec))? {
                results.push(result);
                continue;
            }
            match split(&piece).filter(|_| splits < MAX_SPLITS) {
                Some([first, second]) => {
                    SPLITS.fetch_add(1, Ordering::Relaxed);
                    rest.push((second, splits + 1));
                    rest.push((first, splits + 1));
                }
                None => results.push(attempt_softly(exec, |exec| body(&piece, exec))?),
            }
        }
    }
    Ok(results)
}

/// Runs `body`, and again if memory runs out, like [`with_retry`] for a chunk that cannot be split.
///
/// # Errors
///
/// The last error of `body`.
///
/// # Source
///
/// Spark RAPIDS `withRetryNoSplit`.
pub fn with_retry_no_split<T, E: RetryableError>(
    exec: &Exec,
    mut body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<T, E> {
    match attempt_twice(exec, &mut body)? {
        Some(result) => Ok(result),
        None => attempt_softly(exec, body),
    }
}

/// The attempts of [`with_retry`] at the whole chunk; `None` if memory suffices for none of them. For an
/// operation that has its own way to continue in chunks.
///
/// # Errors
///
/// An error of `body` that is not out-of-memory.
pub fn attempt_twice<T, E: RetryableError>(
    exec: &Exec,
    body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<Option<T>, E> {
    attempt_twice_in_room(exec, || 0, body)
}

/// Like [`attempt_twice`], with memory reserved for each attempt: see [`with_retry_in_room`].
///
/// # Errors
///
/// As [`attempt_twice`].
pub fn attempt_twice_in_room<T, E: RetryableError>(
    exec: &Exec,
    bytes: impl Fn() -> usize,
    mut body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<Option<T>, E> {
    if is_tier_full(exec) && exec.make_room(MIN_CHUNKED_BUDGET) == 0 && is_without_free_memory(exec) {
        return sufficed(attempt_softly(exec, body));
    }
    let reserved = bytes();
    if must_exceed_budget(exec, reserved) {
        return sufficed(attempt_softly(exec, body));
    }
    let requested = match attempt(exec, reserved, MAX_WAIT, &mut body) {
        Ok(result) => return Ok(Some(result)),
        Err(error) => error.out_of_memory().ok_or(error)?,
    };
    let _exclusive = ExclusiveRetry::take(exec);
    exec.make_room(requested);
    // No wait for other reservations during the exclusive retry: their operators may wait for it.
    let mut attempted = attempt(exec, bytes(), Duration::ZERO, &mut body);
    if attempted.as_ref().is_err_and(RetryableError::is_out_of_memory) && is_without_free_memory(exec) {
        attempted = attempt_softly(exec, body);
    }
    sufficed(attempted)
}

impl Exec {
    /// The most bytes that an operator should plan to use at a time; `None` if unlimited.
    ///
    /// This is the [budget](Self::budget), but at least the [smallest chunk](Self::min_chunk_bytes). `None`
    /// also if every plan would exceed the budget: not even a chunk of a few rows fits, or the budget is used
    /// up and the lower tiers are full.
    pub fn planned_budget(&self) -> Option<usize> {
        let budget = self.budget().filter(|&budget| budget >= MIN_CHUNKED_BUDGET && !is_tier_full(self))?;
        Some(budget.max(self.min_chunk_bytes()))
    }

    /// The smallest bytes per chunk. An operator that needs fewer is not split, and it exceeds a smaller
    /// budget: ever smaller chunks would take longer the smaller the budget is. 0 if the budget cannot be
    /// exceeded.
    pub fn min_chunk_bytes(&self) -> usize {
        if soft_budget(self).is_none() {
            return 0;
        }
        // The device's capacity cannot be exceeded.
        let hard = self.resource().spill_manager().and_then(|manager| manager.upstream().limit());
        MIN_CHUNK_BYTES.max(self.min_chunk()).min(hard.map_or(usize::MAX, |hard| hard / 2))
    }

    /// This context for an operator that needs `bytes` bytes in all, and for the operators that it calls. The
    /// more bytes, the larger the [smallest chunk](Self::min_chunk_bytes).
    #[must_use]
    pub fn for_work_of(&self, bytes: usize) -> Self {
        let min_chunk = (bytes / MAX_SMALL_CHUNKS).min(SMALL_CHUNK_BYTES);
        if min_chunk <= self.min_chunk().max(MIN_CHUNK_BYTES) {
            self.clone()
        } else {
            self.with_min_chunk(min_chunk)
        }
    }
}

/// The budget, if this context may exceed it.
fn soft_budget(exec: &Exec) -> Option<usize> {
    let limit = exec.resource().spill_manager()?.limit()?;
    (exec.admission() == Admission::Soft && exec.budget() == Some(limit)).then_some(limit)
}

/// Whether a reservation of `bytes` exceeds the budget although it is not more than the smallest chunk.
fn must_exceed_budget(exec: &Exec, bytes: usize) -> bool {
    soft_budget(exec).is_some_and(|budget| bytes > budget && bytes <= exec.min_chunk_bytes())
}

/// `None` if memory did not suffice.
fn sufficed<T, E: RetryableError>(attempted: Result<T, E>) -> Result<Option<T>, E> {
    match attempted {
        Ok(result) => Ok(Some(result)),
        Err(error) if error.is_out_of_memory() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether smaller chunks would not fit either, but the budget may be exceeded: the memory in use is held, or
/// no lower tier takes it, or the budget is tiny.
fn is_without_free_memory(exec: &Exec) -> bool {
    let free = exec.resource().spill_manager().and_then(|manager| manager.free());
    exec.admission() == Admission::Soft && free.is_some_and(|free| free < MIN_CHUNKED_BUDGET)
}

/// Whether the budget is used up and the lower tiers are known to be full, so that an attempt within the
/// budget would fail.
fn is_tier_full(exec: &Exec) -> bool {
    is_without_free_memory(exec)
        && exec.resource().spill_manager().is_some_and(|manager| manager.is_tier_full())
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
