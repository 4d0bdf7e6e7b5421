//! Runs a launch: blocks of warps, 32 lanes in lock step.
//!
//! Some blocks are resident at a time. Warps take rounds of some instructions; within a warp any split may
//! run, so lanes can wait for one another. The schedule is fixed by [`Options`], and random with a seed.

mod access;
mod block;
mod collective;
mod execute;
mod launch_counts;
#[cfg(test)]
mod tests;
mod warp;

use crate::counts::Counts;
use crate::memory::Recent;
use crate::ordering::Ordering;
use crate::program::{Inst, Module};
use block::Block;
use launch_counts::LaunchCounts;
use std::fmt;
use warp::SplitState;

/// What shared and local memory hold before they are written.
const GARBAGE: u8 = 0xcb;
/// Instructions for which a launch may run in a tick of the simulator's watchdog, 20 ms of processor time.
const INSTRUCTIONS_A_TICK: u64 = 200_000;

/// How a kernel is launched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_shared: usize,
    /// Every block may wait for any other.
    pub(crate) is_cooperative: bool,
    pub(crate) params: &'a [u8],
}

/// The schedule and the checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Not 0: a random schedule, the same for the same seed.
    pub(crate) seed: u64,
    /// Blocks that run at the same time.
    pub(crate) resident: usize,
    /// Instructions of a warp before another runs; with a seed the average.
    pub(crate) quantum: u32,
    /// Blocks begin in random order.
    pub(crate) shuffle_blocks: bool,
    /// A return while others wait at a barrier is a fault.
    pub(crate) strict_exit: bool,
    /// Ticks without progress after which a launch hangs; 0 for never.
    pub(crate) hang_ticks: u64,
    /// Check that accesses of different threads are ordered.
    pub(crate) check_order: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            resident: 1,
            quantum: 4096,
            shuffle_blocks: false,
            strict_exit: false,
            hang_ticks: 500,
            check_order: false,
        }
    }
}

/// Why a launch failed: a report that names the kernel, the instruction and its source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

type Result<T> = std::result::Result<T, Fault>;

/// One launch.
pub(crate) struct Machine<'a> {
    module: &'a Module,
    /// Addresses of the module's variables.
    globals: &'a [u64],
    options: Options,
    kernel: usize,
    launch: Launch<'a>,
    block_threads: u32,
    /// Of a thread, rounded up so that lanes are aligned.
    local_bytes: usize,
    memory: Recent,
    counts: LaunchCounts,
    ordering: Option<Ordering>,
    random: u64,
    issued: u64,
    /// Changes of memory, barriers passed and threads returned.
    progress: u64,
}

/// What a launch did: in total, and how often each instruction ran, by its number in the module.
pub(crate) struct Outcome {
    pub(crate) counts: Counts,
    pub(crate) issued: Vec<(u32, u64)>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        module: &'a Module,
        globals: &'a [u64],
        options: &Options,
        kernel: usize,
        launch: Launch<'a>,
    ) -> Self {
        let function = &module.functions[kernel];
        let callees = module.functions.iter().filter(|function| !function.is_kernel);
        // Local memory of callees lies behind the kernel's own.
        let local = function.local.max(callees.map(|callee| callee.local).max().unwrap_or(0));
        let block_threads = launch.block.iter().product();
        Self {
            module,
            globals,
            options: *options,
            kernel,
            launch,
            block_threads,
            local_bytes: local.next_multiple_of(16),
            memory: Recent::default(),
            counts: LaunchCounts::new(module, kernel),
            ordering: options.check_order.then(|| Ordering::new(block_threads)),
            random: options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x0123_4567) | 1,
            issued: 0,
            progress: 0,
        }
    }

    /// Runs the whole grid.
    pub(crate) fn run(mut self) -> Result<Outcome> {
        let blocks = self.launch.grid.iter().map(|extent| u64::from(*extent)).product();
        let mut order: Vec<u64> =
            if self.options.shuffle_blocks { (0..blocks).collect() } else { Vec::new() };
        for at in (1..order.len()).rev() {
            let other = self.random_below(at as u64 + 1) as usize;
            order.swap(at, other);
        }
        let rank_of = |begun: u64| order.get(begun as usize).copied().unwrap_or(begun);
        let limit = if self.launch.is_cooperative { blocks } else { self.options.resident.max(1) as u64 };
        let (mut begun, mut resident) = (0, Vec::new());
        while begun < blocks.min(limit) {
            let mut block = self.new_block();
            self.begin_block(&mut block, rank_of(begun));
            begun += 1;
            resident.push(block);
        }
        let mut seen = (0, 0);
        while !resident.is_empty() {
            let mut at = 0;
            while at < resident.len() {
                self.round(&mut resident[at])?;
                if resident[at].live > 0 {
                    at += 1;
                } else if begun < blocks {
                    self.begin_block(&mut resident[at], rank_of(begun));
                    begun += 1;
                } else {
                    resident.swap_remove(at);
                }
            }
            self.check_progress(&mut seen, &resident)?;
        }
        if let Some(report) = self.ordering.as_mut().and_then(Ordering::take_report) {
            return Err(Fault(format!("{report} [kernel {}]", self.name())));
        }
        Ok(self.counts.outcome(self.module, blocks * u64::from(self.block_threads)))
    }

    fn name(&self) -> &'a str {
        &self.module.functions[self.kernel].name
    }

    /// A fault if nothing has changed for too long. `seen` is when something last had, and what.
    fn check_progress(&self, seen: &mut (u64, u64), resident: &[Block]) -> Result<()> {
        if seen.1 != self.progress {
            *seen = (self.issued, self.progress);
        }
        let limit = self.options.hang_ticks * INSTRUCTIONS_A_TICK;
        if limit == 0 || self.issued - seen.0 < limit {
            return Ok(());
        }
        let places: Vec<String> = resident.iter().flat_map(|block| self.places(block)).take(8).collect();
        let places = places.join("; ");
        Err(Fault(format!(
            "hang: {limit} instructions changed no memory and passed no barrier [kernel {}]: {places}",
            self.name()
        )))
    }

    /// Gives every warp of a block a round.
    fn round(&mut self, block: &mut Block) -> Result<()> {
        let mut any_ran = false;
        let count = block.warps.len();
        let first = if self.options.seed == 0 { 0 } else { self.random_below(count as u64) as usize };
        for w in (0..count).map(|w| (w + first) % count) {
            let mut left = self.options.quantum.max(1);
            if self.options.seed != 0 {
                left = 1 + self.random_below(2 * u64::from(left)) as u32;
            }
            while left > 0 && block.warps[w].has_ready() {
                any_ran = true;
                self.run_warp(block, w, &mut left)?;
            }
        }
        if any_ran || block.live == 0 {
            return Ok(());
        }
        // Lanes that wait only to meet others may be what these wait for.
        let parted = block.warps.iter_mut().fold(false, |any, warp| warp.part() | any);
        if parted {
            return Ok(());
        }
        let places = self.places(block).join("; ");
        Err(Fault(format!(
            "deadlock: no thread of block {:?} can run [kernel {}]: {places}",
            block.id,
            self.name()
        )))
    }

    /// Where the lanes of a block are.
    fn places(&self, block: &Block) -> Vec<String> {
        let of = |(w, split): (usize, &warp::Split)| {
            let what = match split.state {
                SplitState::Ready => "can run at",
                SplitState::AtBarrier(_) | SplitState::AtCollective => "wait at",
            };
            let place = self.module.place(&self.module.code[split.pc as usize]);
            format!("lanes {:#010x} of warp {w} {what} {place}", split.mask)
        };
        let warps = block.warps.iter().enumerate();
        warps.flat_map(|(w, warp)| warp.splits.iter().map(move |split| (w, split))).map(of).collect()
    }

    fn fault(&self, inst: &Inst, block: &Block, w: usize, what: &str) -> Fault {
        let place = self.module.place(inst);
        Fault(format!("{what}, at {place} [warp {w} of block {:?}, kernel {}]", block.id, self.name()))
    }

    fn random_below(&mut self, limit: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % limit.max(1)
    }
}
