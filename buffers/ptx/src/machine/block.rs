//! A resident block: its warps, its shared memory, its barriers.

use super::warp::{SplitState, Warp};
use super::{GARBAGE, Machine, Result};
use crate::program::{Constant, Inst, Op, Special, Vote};
use crate::traffic::lanes;

/// Barriers that a block has.
const BARRIERS: usize = 16;
/// Calls of device functions within one another.
const CALL_DEPTH: usize = 4;

#[derive(Clone, Copy, Default)]
pub(super) struct Barrier {
    arrived: u32,
    /// The number of threads that it waits for, if given.
    expected: Option<u32>,
    /// True predicates.
    true_count: u32,
}

pub(super) struct Block {
    pub(super) id: [u32; 3],
    /// In the order of the grid.
    pub(super) rank: u64,
    pub(super) warps: Vec<Warp>,
    pub(super) shared: Vec<u8>,
    barriers: [Barrier; BARRIERS],
    /// Threads that have not returned.
    pub(super) live: u32,
    has_constants: bool,
}

impl Machine<'_> {
    pub(super) fn new_block(&self) -> Block {
        let function = &self.module.functions[self.kernel];
        let callees = self.module.functions.iter().filter(|function| !function.is_kernel);
        let callee_slots = callees.map(|function| function.slots).max().unwrap_or(0);
        let slots = function.slots + CALL_DEPTH * callee_slots;
        let shared = self.static_shared() + self.launch.dynamic_shared;
        let warps = (0..self.block_threads.div_ceil(32)).map(|_| Warp::new(slots, self.local_bytes * 32));
        Block {
            id: [0; 3],
            rank: 0,
            warps: warps.collect(),
            shared: vec![GARBAGE; shared],
            barriers: [Barrier::default(); BARRIERS],
            live: 0,
            has_constants: false,
        }
    }

    pub(super) fn static_shared(&self) -> usize {
        self.module.functions[self.kernel].shared.next_multiple_of(16)
    }

    pub(super) fn begin_block(&mut self, block: &mut Block, rank: u64) {
        let [x, y, _] = self.launch.grid.map(u64::from);
        block.id = [(rank % x) as u32, (rank / x % y) as u32, (rank / x / y) as u32];
        block.rank = rank;
        block.live = self.block_threads;
        block.shared.fill(GARBAGE);
        block.barriers = [Barrier::default(); BARRIERS];
        if let Some(ordering) = &mut self.ordering {
            ordering.begin_block(rank, block.shared.as_ptr() as u64, block.shared.len());
        }
        let pc = self.module.functions[self.kernel].entry;
        for w in 0..block.warps.len() {
            let here = (self.block_threads - w as u32 * 32).min(32);
            let live = u32::MAX >> (32 - here);
            block.warps[w].begin(live, pc, self.kernel as u32);
            // Constants stay from block to block, but for the block's own place.
            let is_new = !block.has_constants;
            self.fill(block, w, self.kernel, 0, |constant| {
                is_new || matches!(constant, Constant::Special(Special::Ctaid(_)))
            });
            block.warps[w].filled = (u32::MAX, u32::MAX);
        }
        block.has_constants = true;
    }

    /// Writes the constants and special registers of a function's window that `wanted` names.
    pub(super) fn fill(
        &self,
        block: &mut Block,
        w: usize,
        function: usize,
        base: usize,
        wanted: impl Fn(&Constant) -> bool,
    ) {
        let id = block.id;
        for (slot, constant) in &self.module.functions[function].constants {
            if !wanted(constant) {
                continue;
            }
            let register = &mut block.warps[w].registers[base + *slot as usize];
            match constant {
                Constant::Value(value) => register.fill(*value),
                Constant::Global(index) => register.fill(self.globals[*index]),
                Constant::DynamicShared => register.fill(self.static_shared() as u64),
                Constant::Special(special) => {
                    for (lane, value) in register.iter_mut().enumerate() {
                        *value = u64::from(self.special(*special, id, w as u32 * 32, lane as u32));
                    }
                }
            }
        }
    }

    fn special(&self, special: Special, id: [u32; 3], first: u32, lane: u32) -> u32 {
        let [x, y, _] = self.launch.block;
        let thread = first + lane;
        match special {
            Special::Tid(0) => thread % x,
            Special::Tid(1) => thread / x % y,
            Special::Tid(_) => thread / x / y,
            Special::Ntid(axis) => self.launch.block[usize::from(axis)],
            Special::Ctaid(axis) => id[usize::from(axis)],
            Special::Nctaid(axis) => self.launch.grid[usize::from(axis)],
            Special::Lane => lane,
            Special::LanesUpTo => u32::MAX >> (31 - lane),
            Special::LanesBelow => (1 << lane) - 1,
            Special::LanesFrom => u32::MAX << lane,
            Special::LanesAbove => (u32::MAX << lane) << 1,
            Special::ThisLane => 1 << lane,
        }
    }

    /// Lanes of a warp come to a barrier; its number, or why not.
    pub(super) fn arrive_at_barrier(
        &self,
        block: &mut Block,
        w: usize,
        base: u32,
        inst: &Inst,
        mask: u32,
        counted: bool,
    ) -> Result<usize> {
        let first = mask.trailing_zeros() as usize;
        let register = |slot: u32| &block.warps[w].registers[(base + slot) as usize];
        let id = register(inst.a)[first] as usize;
        if id >= BARRIERS {
            return Err(self.fault(inst, block, w, "a barrier that does not exist"));
        }
        let expected = counted.then(|| register(inst.b)[first] as u32);
        let true_count = lanes(mask).filter(|lane| register(inst.c)[*lane] & 1 != 0).count() as u32;
        let barrier = &mut block.barriers[id];
        if barrier.arrived > 0 && barrier.expected != expected {
            return Err(self.fault(
                inst,
                block,
                w,
                "threads of one barrier expect different numbers of threads",
            ));
        }
        barrier.arrived += mask.count_ones();
        barrier.expected = expected;
        barrier.true_count += true_count;
        Ok(id)
    }

    /// Threads have returned: barriers may wait for fewer.
    pub(super) fn release_all(&mut self, block: &mut Block) -> Result<()> {
        (0..BARRIERS).try_for_each(|id| self.release(block, id))
    }

    /// Lets threads at a barrier go on when all that it waits for are there.
    pub(super) fn release(&mut self, block: &mut Block, id: usize) -> Result<()> {
        let barrier = block.barriers[id];
        if barrier.arrived == 0 || barrier.arrived < barrier.expected.unwrap_or(block.live) {
            return Ok(());
        }
        block.barriers[id] = Barrier::default();
        self.progress += 1;
        if let Some(ordering) = &mut self.ordering {
            ordering.block_barrier(block.rank);
        }
        let exited = self.block_threads - block.live;
        for w in 0..block.warps.len() {
            let mut place = None;
            for k in 0..block.warps[w].splits.len() {
                let split = &mut block.warps[w].splits[k];
                if split.state != SplitState::AtBarrier(id) {
                    continue;
                }
                let inst = &self.module.code[split.pc as usize];
                if place.is_some_and(|place| place != split.pc) {
                    let what = "divergent barrier: lanes of a warp are at different barriers";
                    return Err(self.fault(inst, block, w, what));
                }
                if self.options.strict_exit && exited > 0 {
                    let what = format!("{exited} threads returned while {} threads wait", barrier.arrived);
                    return Err(self.fault(inst, block, w, &what));
                }
                place = Some(split.pc);
                split.state = SplitState::Ready;
                split.pc += 1;
                let (mask, at) = (split.mask, (split.base + inst.d) as usize);
                if let Op::Barrier { reduce: Some(vote), .. } = inst.op {
                    let value = match vote {
                        Vote::Any => u32::from(barrier.true_count > 0),
                        Vote::All => u32::from(barrier.true_count == barrier.arrived),
                        _ => barrier.true_count,
                    };
                    let register = &mut block.warps[w].registers[at];
                    lanes(mask).for_each(|lane| register[lane] = value.into());
                }
            }
        }
        Ok(())
    }
}
