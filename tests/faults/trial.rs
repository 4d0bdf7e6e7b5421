//! One operation under one budget, again and again, with other steps failing each time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use columnade::{Device, Exec, Result, set_default_exec};
use columnade_buffers::failpoints::{self, Pattern};
use columnade_buffers::{
    DeviceLimit, Managed, MemoryResource, MemoryUsage, SpillManager, SpillOptions, Tier, current_resource,
    set_current_resource,
};

use crate::Options;
use crate::inputs::{Inputs, Masters};
use crate::made::{Seen, names_failure};
use crate::operators::Operator;
use crate::report::Line;

/// How much memory there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Budget {
    /// Memory for everything.
    Roomy,
    /// Half of what the operation and its operands need; the rest goes to the fastest tier below.
    Tight,
    /// A sixth, so that out-of-core operations run in chunks. The rest goes to the disk, where the operands are when
    /// the operation starts.
    Narrow,
}

/// Memory for everything.
const ROOMY: usize = 1 << 30;

impl Budget {
    pub(crate) const ALL: [Self; 3] = [Self::Roomy, Self::Tight, Self::Narrow];
}

/// An operation, and what is right.
pub(crate) struct Trial<'a> {
    operator: &'a Operator,
    device: Device,
    masters: &'a Masters,
    /// The bytes of the operands.
    operands: Vec<Vec<u8>>,
    expected: Seen,
    /// The most bytes that the operation and its operands take at a time.
    working_set: usize,
}

/// The memory of a device under a budget: new contexts on the device take theirs from it.
struct Memory {
    manager: Arc<SpillManager>,
    budget: Budget,
    limit: usize,
    /// The resource that new contexts took their memory from before.
    before: Arc<dyn MemoryResource>,
    /// What there is between two runs.
    rest: TrialState,
}

/// What came of one run.
struct Outcome {
    /// Steps counted.
    steps: u64,
    /// Whether one of them failed.
    failed: bool,
    /// Whether the answer came all the same, and not an error of memory or storage.
    answered: bool,
}

impl<'a> Trial<'a> {
    /// Runs the operation without a failure and with memory for everything: that result is the expected one.
    pub(crate) fn new(operator: &'a Operator, device: Device, masters: &'a Masters) -> Result<Self, String> {
        let memory = Memory::new(device, ROOMY, Budget::Roomy)?;
        let (expected, operands) = {
            let (exec, inputs) = memory.inputs(masters)?;
            let operands = inputs.bytes().map_err(|error| error.to_string())?;
            memory.manager.reset_peak();
            let made = operator.run(&inputs).map_err(|error| error.to_string())?;
            let expected = made.see(&exec, &inputs.target).map_err(|error| error.to_string())?;
            (expected, operands)
        };
        let working_set = memory.manager.usage().tiers[Tier::Device].peak;
        Ok(Self { operator, device, masters, operands, expected, working_set })
    }

    /// Makes steps fail, each in a run of its own.
    pub(crate) fn run(&self, budget: Budget, options: &Options, line: &mut Line) {
        let limit = match budget {
            Budget::Roomy => ROOMY,
            Budget::Tight => self.working_set / 2,
            Budget::Narrow => self.working_set / 6,
        };
        let memory = match Memory::new(self.device, limit, budget) {
            Ok(memory) => memory,
            Err(error) => return line.lost(&format!("{budget:?}"), &error),
        };
        let steps = match self.once(&memory, Pattern::None) {
            Ok(outcome) => outcome.steps,
            Err(lost) => return line.lost(&format!("{budget:?}, without a fault"), &lost),
        };
        line.steps.push(steps);
        let mut patterns: Vec<Pattern> = Vec::new();
        let (once, from) = if options.all { (steps, steps) } else { (options.steps, options.steps / 4) };
        patterns.extend(spread(once, steps).map(Pattern::Once));
        line.left_out += steps.saturating_sub(once);
        patterns.extend(spread(from, steps).map(Pattern::From));
        let seeds = (0..options.random).map(|run| options.seed + run);
        patterns.extend(seeds.map(|seed| Pattern::OneIn { steps: (steps / 3).max(2), seed }));
        for pattern in patterns {
            match self.once(&memory, pattern) {
                // A run that went another way had fewer steps.
                Ok(outcome) if !outcome.failed => {}
                Ok(Outcome { answered: true, .. }) => line.answers += 1,
                Ok(_) => line.errors += 1,
                Err(lost) => line.lost(&format!("{budget:?}, {pattern:?} of {steps}"), &lost),
            }
        }
    }

    /// One run with failures, all that must hold after it, and one without.
    fn once(&self, memory: &Memory, pattern: Pattern) -> Result<Outcome, String> {
        let outcome = self.with_operands(memory, pattern);
        set_default_exec(Exec::host());
        memory.comes_to_rest()?;
        let exec = Exec::new(self.device).map_err(|error| error.to_string())?;
        exec.reserve(memory.limit - memory.rest.used())
            .map_err(|error| format!("memory was left reserved: {error}"))?;
        outcome
    }

    fn with_operands(&self, memory: &Memory, pattern: Pattern) -> Result<Outcome, String> {
        let (exec, inputs) = memory.inputs(self.masters)?;
        let armed = failpoints::arm_pattern(pattern);
        let result = catch_unwind(AssertUnwindSafe(|| self.operator.run(&inputs)));
        let (steps, failed) = (armed.counted(), armed.has_failed());
        drop(armed);
        let answered = match result {
            Err(_) => return Err(format!("it panicked: {}", last_panic())),
            Ok(Ok(made)) => {
                self.check(made.see(&exec, &inputs.target))?;
                true
            }
            Ok(Err(error)) if !failed => return Err(format!("an error without a failure: {error}")),
            Ok(Err(error)) if !names_failure(&error) => {
                return Err(format!("an error that names no memory and no file: {error} ({error:?})"));
            }
            Ok(Err(_)) => false,
        };
        let pinned = || Ok((memory.manager.usage().pinned > 0).then(|| memory.manager.usage()));
        if let Some(usage) = at_last(pinned)? {
            return Err(format!("a guard was left behind: {usage:?}"));
        }
        if inputs.bytes().map_err(|error| format!("the operands cannot be read: {error}"))? != self.operands {
            return Err("an operand has changed".to_owned());
        }
        if !self.masters.folder_is_tidy() || (!answered && inputs.target.exists()) {
            return Err("a file was left behind".to_owned());
        }
        if pattern != Pattern::None {
            let again = self.operator.run(&inputs).map_err(|error| format!("the next run: {error}"))?;
            self.check(again.see(&exec, &inputs.target)).map_err(|error| format!("the next run: {error}"))?;
        }
        Ok(Outcome { steps, failed, answered })
    }

    /// Whether this is the right answer.
    fn check(&self, seen: Result<Seen>) -> Result<(), String> {
        let seen = seen.map_err(|error| format!("the answer cannot be read: {error}"))?;
        seen.difference(&self.expected)
            .map_or(Ok(()), |difference| Err(format!("a wrong answer: {difference}")))
    }
}

impl Memory {
    fn new(device: Device, limit: usize, budget: Budget) -> Result<Self, String> {
        let mut options = SpillOptions { spill: true, ..SpillOptions::default() };
        options.device_limit = Some(DeviceLimit::Bytes(limit));
        if budget == Budget::Narrow {
            (options.pinned_limit, options.pageable_limit) = (Some(0), Some(0));
        }
        let make = || {
            let before = current_resource(device)?;
            // What the device's first resource manages, without its manager.
            let upstream = before.upstream().unwrap_or(&before).clone();
            let managed = Managed::new(upstream, options)?;
            let manager = Arc::clone(managed.manager());
            set_current_resource(device, Arc::new(managed));
            let rest = TrialState::of(&manager)?;
            Ok::<_, columnade_buffers::Error>(Self { manager, budget, limit, before, rest })
        };
        make().map_err(|error| error.to_string())
    }

    /// A context on a new stream, and operands in its memory.
    fn inputs(&self, masters: &Masters) -> Result<(Exec, Inputs), String> {
        let exec = Exec::new(self.manager.device()).map_err(|error| error.to_string())?;
        set_default_exec(exec.clone());
        let inputs = masters.upload(&exec).map_err(|error| format!("the operands: {error}"))?;
        if self.budget == Budget::Narrow {
            self.manager.spill_device_memory(usize::MAX);
        }
        Ok((exec, inputs))
    }

    /// Waits until nothing of a run is left.
    fn comes_to_rest(&self) -> Result<(), String> {
        let left = || {
            let now = TrialState::of(&self.manager).map_err(|error| error.to_string())?;
            Ok((now != self.rest).then_some(now))
        };
        match at_last(left)? {
            None => Ok(()),
            Some(now) => Err(format!("something was left behind: {:?} became {now:?}", self.rest)),
        }
    }
}

/// What `left` still finds after a while: a thread that unspilled an allocation in advance may be the last to drop it.
fn at_last<T>(mut left: impl FnMut() -> Result<Option<T>, String>) -> Result<Option<T>, String> {
    let patience = Instant::now() + Duration::from_mins(1);
    loop {
        let found = left()?;
        if found.is_none() || Instant::now() > patience {
            return Ok(found);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        set_default_exec(Exec::host());
        set_current_resource(self.manager.device(), Arc::clone(&self.before));
    }
}

/// What must be the same before and after a run.
#[derive(Debug, PartialEq)]
struct TrialState {
    usage: Bytes,
    host: Option<(usize, usize)>,
}

/// Bytes in each tier, the device first, and those that are exported.
#[derive(Debug, PartialEq)]
struct Bytes {
    tiers: [usize; 4],
    leased: usize,
}

impl From<MemoryUsage> for Bytes {
    fn from(usage: MemoryUsage) -> Self {
        let mut tiers = Tier::ALL.map(|tier| usage.tiers[tier].bytes);
        // What a failure leaves without a mark goes back when memory is short.
        tiers[0] -= usage.deferred;
        Self { tiers, leased: usage.leased }
    }
}

impl TrialState {
    /// What is given out and stored, of the device and of the host.
    fn of(manager: &SpillManager) -> columnade_buffers::Result<Self> {
        Exec::new(manager.device())?.synchronize()?;
        let host = Exec::host().resource().statistics();
        Ok(Self { usage: manager.usage().into(), host: host.map(|host| (host.current, host.live)) })
    }

    fn used(&self) -> usize {
        self.usage.tiers[0]
    }
}

/// Up to `count` numbers from 1 to `last`, evenly spread, the first and the last among them.
fn spread(count: u64, last: u64) -> impl Iterator<Item = u64> {
    let count = count.min(last);
    (0..count).map(move |at| 1 + at * (last - 1) / (count - 1).max(1))
}

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn last_panic() -> String {
    PANIC.lock().map_or_else(|_| String::new(), |text| text.clone())
}

/// Panics are reported with what was lost by them.
pub(crate) fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut text) = PANIC.lock() {
            *text = panic.to_string().replace('\n', " ");
        }
    }));
}
