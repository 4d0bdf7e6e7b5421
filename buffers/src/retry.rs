//! Going on when memory runs out: again with more room, then in smaller pieces.
//!
//! An allocation frees what it can and then fails; it never waits. Waiting is done here, where an operation that
//! failed holds nothing: no guard, no memory that another may wait for.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::sync::assert_holds_no_lock;
use crate::sync::global::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::{Admission, Device, Error, Exec, Wait};

/// An error that may say that memory ran out.
pub trait RetryableError {
    /// The bytes that were asked for, where the error says that a device had no memory for them.
    fn out_of_memory(&self) -> Option<usize>;

    /// Whether the error says that a device's memory ran out.
    fn is_out_of_memory(&self) -> bool {
        self.out_of_memory().is_some()
    }
}

impl RetryableError for Error {
    fn out_of_memory(&self) -> Option<usize> {
        if let Error::OutOfMemory { requested, .. } = self { Some(*requested) } else { None }
    }
}

/// So often a piece is split at most, and what it became: 2⁴⁸ pieces.
const MAX_SPLITS: u32 = 48;
/// In less room than this, in bytes, no operator is cut into pieces: the buffers of a few rows would not fit.
const LEAST_ROOM: usize = 16 << 10;
/// Nor into pieces of fewer bytes than the first, for moving them would take longer than working on them; nor into more
/// than [`MOST_SMALL`] of fewer bytes than the second.
const MIN_CHUNK_BYTES: usize = 64 << 10;
const SMALL_PIECE: usize = 1 << 20;
const MOST_SMALL: usize = 64;
/// So long a thread waits for its turn at most.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Runs `body` on each piece and returns the results in the order of the pieces; a piece that memory does not
/// suffice for is run again, and then in halves.
///
/// | attempt | context | before it |
/// | --- | --- | --- |
/// | first | [strict](Exec::strict), unless it is known that no room can be made | |
/// | second | strict | the other threads that try again on the device have had their turn; then room is made |
/// | third, where no piece would fit | `exec` itself, whose budget is soft | hardly any room could be made |
/// | of the halves | strict | `split`, which gives `None` for what is small enough |
/// | last, where there are no halves | `exec` itself | the turn |
/// | the only one, of a [least piece](Exec::least_piece) that is to have more set aside than the whole budget | `exec` itself | the turn |
///
/// `body` is run several times, so it must leave nothing behind when it fails, and takes every guard within itself:
/// between two attempts nothing is pinned. Results should be such that they can be spilled, which buffers are.
/// Attempts are bounded by the pieces that `split` can make.
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
/// The first error of `body` that does not say that memory ran out, and the one that does when the smallest piece
/// failed for the last time.
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

/// As [`with_retry`], with memory set aside for each attempt but the last: `bytes` bytes for a piece, what it takes at a
/// time beyond what is at home already.
///
/// What is idle is spilled in one go before `body` begins, and nobody else takes the room until it ends; what it frees
/// it may allocate again. An estimate that is too small makes `body` compete for the rest as without one. Where the
/// room cannot be had, the first attempt waits for other operators' rooms to end, and then `body` runs without.
///
/// Within `body`, operations find the room in the context and set nothing aside themselves.
///
/// # Errors
///
/// As [`with_retry`]; a room that is refused is none.
pub fn with_retry_in_room<I, T, E: RetryableError>(
    exec: &Exec,
    pieces: impl IntoIterator<Item = I>,
    split: impl Fn(&I) -> Option<[I; 2]>,
    bytes: impl Fn(&I) -> usize,
    mut body: impl FnMut(&I, &Exec) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let mut results = Vec::new();
    // What is left of the piece at hand, the next part last.
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

/// Runs `body`, and again when memory runs out: see [`with_retry`], of a piece that has no halves.
///
/// # Errors
///
/// What `body` returned last.
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

/// The attempts of [`with_retry`] at the whole alone; `None` when memory suffices for none. For an operation whose way
/// in pieces is another one.
///
/// # Errors
///
/// An error of `body` that does not say that memory ran out.
pub fn attempt_twice<T, E: RetryableError>(
    exec: &Exec,
    body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<Option<T>, E> {
    attempt_twice_in_room(exec, || 0, body)
}

/// As [`attempt_twice`], with memory set aside for each attempt: see [`with_retry_in_room`].
///
/// # Errors
///
/// As [`attempt_twice`].
pub fn attempt_twice_in_room<T, E: RetryableError>(
    exec: &Exec,
    bytes: impl Fn() -> usize,
    mut body: impl FnMut(&Exec) -> Result<T, E>,
) -> Result<Option<T>, E> {
    if is_tier_full(exec) && exec.make_room(LEAST_ROOM) == 0 && is_without_room(exec) {
        return sufficed(attempt_softly(exec, body));
    }
    let reserved = bytes();
    if is_to_pass(exec, reserved) {
        return sufficed(attempt_softly(exec, body));
    }
    let requested = match attempt(exec, reserved, MAX_WAIT, &mut body) {
        Ok(result) => return Ok(Some(result)),
        Err(error) => error.out_of_memory().ok_or(error)?,
    };
    let _exclusive = ExclusiveRetry::take(exec);
    exec.make_room(requested);
    // No wait for others' rooms with the turn in hand, which they may wait for.
    let mut attempted = attempt(exec, bytes(), Duration::ZERO, &mut body);
    if attempted.as_ref().is_err_and(RetryableError::is_out_of_memory) && is_without_room(exec) {
        attempted = attempt_softly(exec, body);
    }
    sufficed(attempted)
}

impl Exec {
    /// The bytes that an operator had better plan to take at a time at most; `None`: any number.
    ///
    /// That is the [budget](Self::budget), but no less than a [least piece](Self::least_piece); unless it is passed whatever
    /// the plan: where not even a piece of a few rows fits, and where it is used up and the tiers below take no more.
    pub fn planned_budget(&self) -> Option<usize> {
        let budget = self.budget().filter(|&budget| budget >= LEAST_ROOM && !is_tier_full(self))?;
        Some(budget.max(self.min_chunk_bytes()))
    }

    /// The bytes that a piece of an operator takes at least. What takes less is not cut into pieces, and a budget that is
    /// less is passed: going through ever more of ever smaller pieces would take longer the less there is. 0 where the
    /// budget cannot be passed.
    pub fn min_chunk_bytes(&self) -> usize {
        if soft_budget(self).is_none() {
            return 0;
        }
        // What the device has is no matter of choice.
        let hard = self.resource().spill_manager().and_then(|manager| manager.upstream().limit());
        MIN_CHUNK_BYTES.max(self.worth()).min(hard.map_or(usize::MAX, |hard| hard / 2))
    }

    /// This context for an operator that takes `bytes` bytes in all: the more, the larger is a
    /// [least piece](Self::least_piece), also for the operators that it is made of.
    #[must_use]
    pub fn for_work_of(&self, bytes: usize) -> Self {
        let worth = (bytes / MOST_SMALL).min(SMALL_PIECE);
        if worth <= self.worth().max(MIN_CHUNK_BYTES) { self.clone() } else { self.with_worth(worth) }
    }
}

/// The budget, where this context may pass it.
fn soft_budget(exec: &Exec) -> Option<usize> {
    let limit = exec.resource().spill_manager()?.limit()?;
    (exec.admission() == Admission::Soft && exec.budget() == Some(limit)).then_some(limit)
}

/// Whether so many bytes are to be set aside as no budget has that is less than a least piece.
fn is_to_pass(exec: &Exec, bytes: usize) -> bool {
    soft_budget(exec).is_some_and(|budget| bytes > budget && bytes <= exec.min_chunk_bytes())
}

/// `None` when memory did not suffice.
fn sufficed<T, E: RetryableError>(attempted: Result<T, E>) -> Result<Option<T>, E> {
    match attempted {
        Ok(result) => Ok(Some(result)),
        Err(error) if error.is_out_of_memory() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether smaller pieces would not fit either, but the budget may be passed: what is in the way is held, or no tier below
/// takes it, or there is hardly a budget.
fn is_without_room(exec: &Exec) -> bool {
    let free = exec.resource().spill_manager().and_then(|manager| manager.free());
    exec.admission() == Admission::Soft && free.is_some_and(|free| free < LEAST_ROOM)
}

/// Whether the budget is used up and the tiers below are known to be full, so that an attempt within it would fail.
fn is_tier_full(exec: &Exec) -> bool {
    is_without_room(exec) && exec.resource().spill_manager().is_some_and(|manager| manager.is_tier_full())
}

/// An attempt within the budget, in a room of `bytes` bytes if that can be had.
fn attempt<T, E: RetryableError>(
    exec: &Exec,
    bytes: usize,
    patience: Duration,
    body: impl FnOnce(&Exec) -> Result<T, E>,
) -> Result<T, E> {
    let reserved = exec.reserve_memory(bytes, patience);
    counted(body(&reserved.as_ref().map_or_else(|| exec.strict(), |reserved| reserved.exec(exec))))
}

/// The last attempt, which may pass the budget.
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

/// What was tried again in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryStatistics {
    /// Bodies run.
    pub attempts: u64,
    /// Of them, those that memory did not suffice for.
    pub failures: u64,
    /// Of all, those with a soft budget, because there was nothing left to split or pieces would not have fitted either.
    pub last_attempts: u64,
    /// Pieces split in two.
    pub splits: u64,
    /// Attempts that memory was set aside for.
    pub reservations: u64,
    /// Bytes of that in all.
    pub reserved_bytes: u64,
    /// Attempts without, because it could not be had.
    pub refused_reservations: u64,
    /// Waits for another thread's attempt.
    pub waits: u64,
    /// How long they took.
    pub waited: Duration,
}

/// What was tried again in this process so far.
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

/// Counts a room, of so many bytes or refused.
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

/// Whose turn it is to try again, by device. Few, and never dropped.
static RETRY_LOCKS: Mutex<Vec<(Device, &'static Mutex<()>)>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this thread has a turn: bodies may contain retries of their own.
    static IS_EXCLUSIVE: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, no other thread tries again on the device; unless it could not be had.
struct ExclusiveRetry(Option<MutexGuard<'static, ()>>);

impl ExclusiveRetry {
    fn take(exec: &Exec) -> Self {
        if IS_EXCLUSIVE.get() {
            return Self(None);
        }
        let turn = retry_lock_of(exec.device());
        let guard = turn.try_lock().or_else(|| {
            // A worker that waited would hold up the parallel loop that the turn's owner may be in.
            if rayon::current_thread_index().is_some() {
                return None;
            }
            assert_holds_no_lock();
            let started = Instant::now();
            let guard = turn.try_lock_for(MAX_WAIT);
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
    let mut turns = RETRY_LOCKS.lock();
    if let Some((_, turn)) = turns.iter().find(|(other, _)| *other == device) {
        return turn;
    }
    let turn: &'static Mutex<()> = Box::leak(Box::default());
    turns.push((device, turn));
    turn
}
