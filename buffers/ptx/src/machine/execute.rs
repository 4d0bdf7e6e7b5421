//! Runs the instructions of a warp.

use super::block::Block;
use super::warp::{Frame, Split, SplitState};
use super::{Machine, Result};
use crate::flow::AT_RETURN;
use crate::program::{Inst, LOCAL_WINDOW, NONE, Op, SHARED_WINDOW, Space};
use crate::traffic::lanes;
use std::mem;

/// What a yield counts as, in instructions for which lanes at a meeting have waited.
const YIELDED: u32 = 512;

/// How a split goes on after an instruction.
enum Next {
    /// With the following instruction.
    Following,
    /// Where its program counter now is.
    Jumped,
    /// Not now: it was put away.
    Waits,
}

impl Machine<'_> {
    /// Runs one ready split until it waits, meets others, returns or its round is over.
    pub(super) fn run_warp(&mut self, block: &mut Block, w: usize, left: &mut u32) -> Result<()> {
        let module = self.module;
        let ready = |split: &Split| split.state == SplitState::Ready;
        let mut at = block.warps[w].splits.iter().rposition(ready).unwrap_or(0);
        if self.options.seed != 0 && block.warps[w].splits.len() > 1 {
            let choices: Vec<usize> =
                (0..block.warps[w].splits.len()).filter(|at| ready(&block.warps[w].splits[*at])).collect();
            at = choices[self.random_below(choices.len() as u64) as usize];
        }
        let mut split = block.warps[w].splits.remove(at);
        let round = *left;
        loop {
            if split.pc == split.meet_at && split.depth() == split.meet_depth {
                match block.warps[w].arrive(&split, split.pc) {
                    Some(merged) => split = merged,
                    None => return Ok(()),
                }
                continue;
            }
            if *left == 0 {
                block.warps[w].suspend(split, round);
                return Ok(());
            }
            *left -= 1;
            let inst = &module.code[split.pc as usize];
            let mut mask = split.mask;
            if inst.guard != NONE {
                let guard = &block.warps[w].registers[(split.base + inst.guard) as usize];
                let set = guard
                    .iter()
                    .enumerate()
                    .fold(0, |set, (lane, value)| set | ((*value & 1) as u32) << lane);
                mask &= if inst.negate { !set } else { set };
            }
            self.issued += 1;
            self.counts.issue(split.pc, mask.count_ones());
            if let Op::Branch { target, reconverge } = inst.op {
                branch(block, w, &mut split, mask, target, reconverge);
                continue;
            }
            if mask == 0 {
                split.pc += 1;
                continue;
            }
            match self.execute(block, w, &mut split, inst, mask, left)? {
                Next::Following => split.pc += 1,
                Next::Jumped => {}
                Next::Waits => return Ok(()),
            }
        }
    }

    #[inline]
    fn execute(
        &mut self,
        block: &mut Block,
        w: usize,
        split: &mut Split,
        inst: &Inst,
        mask: u32,
        left: &mut u32,
    ) -> Result<Next> {
        let base = split.base as usize;
        match inst.op {
            Op::Compute(run) => run(&mut block.warps[w].registers[base..], inst, mask),
            Op::Load(access) => self.load(block, w, base, inst, &access, mask)?,
            Op::Store(access) => self.store(block, w, base, inst, &access, mask)?,
            Op::Atomic { access, op } => self.atomic(block, w, base, inst, &access, op, mask)?,
            Op::Pack { .. } | Op::Unpack { .. } | Op::ToGeneric(_) | Op::FromGeneric(_) | Op::ActiveMask => {
                move_bits(&mut block.warps[w].registers[base..], inst, mask);
            }
            Op::Exit => return self.exit(block, w, split, mask),
            Op::Call { .. } | Op::Return | Op::Barrier { .. } if mask != split.mask => {
                return Err(self.fault(inst, block, w, "a predicate that differs between lanes"));
            }
            Op::Call { site } => return self.call(block, w, split, inst, site),
            Op::Return => return self.return_from_call(block, w, split, inst),
            Op::Barrier { counted, .. } => {
                let id = self.arrive_at_barrier(block, w, split.base, inst, mask, counted)?;
                self.counts.total.barriers += 1;
                split.state = SplitState::AtBarrier(id);
                block.warps[w].splits.push(take(split));
                self.release(block, id)?;
                return Ok(Next::Waits);
            }
            Op::WarpBarrier | Op::Shuffle(_) | Op::Vote(_) | Op::Match { .. } | Op::Reduce { .. } => {
                if mask != split.mask {
                    return Err(self.fault(inst, block, w, "a predicate that differs between lanes"));
                }
                if !self.try_collective(block, w, split, inst)? {
                    split.state = SplitState::AtCollective;
                    block.warps[w].splits.push(take(split));
                    self.collect(block, w);
                    return Ok(Next::Waits);
                }
            }
            Op::Fence => {
                if let Some(ordering) = &mut self.ordering {
                    ordering.fence(block.rank, w, mask);
                }
            }
            Op::Yield => {
                split.pc += 1;
                // A lane that yields waits for others: those that wait for it soon go on alone.
                *left = 0;
                block.warps[w].suspend(take(split), YIELDED);
                return Ok(Next::Waits);
            }
            Op::Trap => {
                let lane = mask.trailing_zeros();
                return Err(self.fault(inst, block, w, &format!("trap in lane {lane}")));
            }
            Op::Nothing | Op::Branch { .. } => {}
        }
        Ok(Next::Following)
    }

    fn exit(&mut self, block: &mut Block, w: usize, split: &mut Split, mask: u32) -> Result<Next> {
        self.progress += 1;
        split.mask &= !mask;
        split.pc += 1;
        block.live -= mask.count_ones();
        block.warps[w].leave(mask);
        if split.mask != 0 {
            block.warps[w].splits.push(take(split));
        }
        self.collect(block, w);
        self.release_all(block)?;
        Ok(Next::Waits)
    }

    fn call(
        &mut self,
        block: &mut Block,
        w: usize,
        split: &mut Split,
        inst: &Inst,
        site: u32,
    ) -> Result<Next> {
        let called = &self.module.calls[site as usize];
        let callee = &self.module.functions[called.function];
        let base = split.base + self.module.functions[split.function as usize].slots as u32;
        if base as usize + callee.slots > block.warps[w].registers.len() {
            return Err(self.fault(inst, block, w, "calls within calls that are too deep"));
        }
        let window = (called.function as u32, base);
        if block.warps[w].filled != window {
            self.fill(block, w, called.function, base as usize, |_| true);
            block.warps[w].filled = window;
        }
        let registers = &mut block.warps[w].registers;
        for (from, to) in called.args.iter().zip(&callee.param_slots) {
            copy(registers, split.base + from, base + to, split.mask);
        }
        split.frames.push(Frame { back: split.pc + 1, base: split.base, site });
        (split.base, split.function, split.pc) = (base, called.function as u32, callee.entry);
        Ok(Next::Jumped)
    }

    fn return_from_call(
        &mut self,
        block: &mut Block,
        w: usize,
        split: &mut Split,
        inst: &Inst,
    ) -> Result<Next> {
        if split.meet_at == AT_RETURN && split.depth() == split.meet_depth {
            // All go on with this very instruction once they are here.
            return Ok(match block.warps[w].arrive(split, split.pc) {
                Some(merged) => {
                    *split = merged;
                    Next::Jumped
                }
                None => Next::Waits,
            });
        }
        let Some(frame) = split.frames.pop() else {
            return Err(self.fault(inst, block, w, "return from a kernel"));
        };
        let results = &self.module.calls[frame.site as usize].results;
        for (from, to) in self.module.functions[split.function as usize].result_slots.iter().zip(results) {
            copy(&mut block.warps[w].registers, split.base + from, frame.base + to, split.mask);
        }
        let outer = split.frames.last().map(|outer| self.module.calls[outer.site as usize].function);
        split.function = outer.unwrap_or(self.kernel) as u32;
        (split.base, split.pc) = (frame.base, frame.back);
        Ok(Next::Jumped)
    }
}

/// Lanes of `mask` jump. If others do not, they become a split of their own.
fn branch(block: &mut Block, w: usize, split: &mut Split, mask: u32, target: u32, reconverge: u32) {
    if mask == split.mask {
        split.pc = target;
        return;
    }
    if mask == 0 {
        split.pc += 1;
        return;
    }
    let warp = &mut block.warps[w];
    let is_here = reconverge == split.meet_at && split.depth() == split.meet_depth;
    if reconverge != NONE && !is_here {
        warp.meet(split, reconverge);
    }
    let mut taken = split.clone();
    (taken.pc, taken.mask) = (target, mask);
    split.mask &= !mask;
    split.pc += 1;
    if split.pc == split.meet_at {
        mem::swap(split, &mut taken);
    }
    warp.splits.push(taken);
}

fn take(split: &mut Split) -> Split {
    mem::replace(split, Split::new(NONE, 0, NONE))
}

/// Copies a register in the lanes of a mask.
fn copy(registers: &mut [crate::arithmetic::Lanes], from: u32, to: u32, mask: u32) {
    let value = registers[from as usize];
    lanes(mask).for_each(|lane| registers[to as usize][lane] = value[lane]);
}

fn move_bits(registers: &mut [crate::arithmetic::Lanes], inst: &Inst, mask: u32) {
    let window = |space| match space {
        Space::Shared => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        _ => 0,
    };
    for lane in lanes(mask) {
        let a = registers[inst.a as usize][lane];
        registers[inst.d as usize][lane] = match inst.op {
            Op::Pack { slots, count, bits } => {
                let low = |slot: u32| registers[slot as usize][lane] & ((1 << bits) - 1);
                (0..count).fold(0, |all, k| all | low(slots[usize::from(k)]) << (k * bits))
            }
            Op::Unpack { slots, count, bits } => {
                for k in 0..count {
                    registers[slots[usize::from(k)] as usize][lane] = a >> (k * bits) & ((1 << bits) - 1);
                }
                continue;
            }
            Op::ToGeneric(space) => a.wrapping_add(window(space)),
            Op::FromGeneric(space) => a.wrapping_sub(window(space)),
            _ => u64::from(mask),
        };
    }
}
