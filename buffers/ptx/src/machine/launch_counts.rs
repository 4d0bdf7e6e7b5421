//! Counters of one launch: totals, and one for each instruction that the launch can reach.

use super::Outcome;
use crate::counts::Counts;
use crate::program::Module;
use std::collections::HashMap;

pub(super) struct LaunchCounts {
    pub(super) total: Counts,
    /// Atomics on global memory by address.
    pub(super) atomics: HashMap<u64, u64>,
    /// Of the kernel's instructions, then of those of all device functions.
    issued: Vec<u64>,
    entry: u32,
    length: u32,
    /// Start, length and first counter of the device functions.
    callees: Vec<(u32, u32, u32)>,
}

impl LaunchCounts {
    pub(super) fn new(module: &Module, kernel: usize) -> Self {
        let kernel = &module.functions[kernel];
        let length = kernel.end - kernel.entry;
        let mut callees = Vec::new();
        let mut count = length;
        for function in module.functions.iter().filter(|function| !function.is_kernel) {
            callees.push((function.entry, function.end - function.entry, count));
            count += function.end - function.entry;
        }
        Self {
            total: Counts::default(),
            atomics: HashMap::new(),
            issued: vec![0; count as usize],
            entry: kernel.entry,
            length,
            callees,
        }
    }

    /// Counts an instruction of a warp.
    #[inline]
    pub(super) fn issue(&mut self, pc: u32, lanes: u32) {
        self.total.lanes += u64::from(lanes);
        let at = pc.wrapping_sub(self.entry);
        let at = if at < self.length { at } else { self.place_of_callee(pc) };
        self.issued[at as usize] += 1;
    }

    fn place_of_callee(&self, pc: u32) -> u32 {
        let inside = |(start, length, _): &&(u32, u32, u32)| pc.wrapping_sub(*start) < *length;
        self.callees.iter().find(inside).map_or(0, |(start, _, first)| first + pc - start)
    }

    pub(super) fn outcome(self, module: &Module, threads: u64) -> Outcome {
        let mut counts = self.total;
        counts.launches = 1;
        counts.threads = threads;
        counts.instructions = self.issued.iter().sum();
        counts.most_on_one_address = self.atomics.into_values().max().unwrap_or(0);
        let own = (self.entry, self.length, 0);
        let mut issued = Vec::new();
        for (start, length, first) in [own].into_iter().chain(self.callees) {
            let of = |at: u32| (start + at, self.issued[(first + at) as usize]);
            issued.extend((0..length).map(of).filter(|(_, count)| *count > 0));
        }
        debug_assert!(issued.iter().all(|(pc, _)| (*pc as usize) < module.code.len()));
        Outcome { counts, issued }
    }
}
