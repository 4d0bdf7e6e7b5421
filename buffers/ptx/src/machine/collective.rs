//! Instructions in which the lanes of a warp read one another.

use super::block::Block;
use super::warp::{Split, SplitState};
use super::{Machine, Result};
use crate::arithmetic::Lanes;
use crate::program::{Inst, Op, Reduction, Shuffle, Vote};
use crate::traffic::lanes;

impl Machine<'_> {
    /// Runs a collective if all lanes that its mask names are here.
    pub(super) fn try_collective(
        &mut self,
        block: &mut Block,
        w: usize,
        split: &Split,
        inst: &Inst,
    ) -> Result<bool> {
        let warp = &mut block.warps[w];
        let registers = &mut warp.registers[split.base as usize..];
        let members = registers[inst.k as usize];
        let first = split.mask.trailing_zeros() as usize;
        let named = members[first] as u32;
        if lanes(split.mask).any(|lane| members[lane] as u32 != named) {
            return Err(self.fault(inst, block, w, "lanes with different masks"));
        }
        if let Some(lane) = lanes(split.mask & !named).next() {
            let what = format!("the calling lane {lane} is not in its mask {named:#010x}");
            return Err(self.fault(inst, block, w, &what));
        }
        if named & warp.live & !split.mask != 0 {
            return Ok(false);
        }
        collective(registers, inst, split.mask);
        self.note_collective(block, w, inst, split.mask);
        Ok(true)
    }

    fn note_collective(&mut self, block: &Block, w: usize, inst: &Inst, mask: u32) {
        if let (Some(ordering), Op::WarpBarrier) = (&mut self.ordering, inst.op) {
            ordering.warp_barrier(block.rank, w, mask | !block.warps[w].live);
        }
    }

    /// Runs the collectives of lanes that came to them apart, once all that they name are there.
    pub(super) fn collect(&mut self, block: &mut Block, w: usize) {
        for k in 0..block.warps[w].splits.len() {
            let warp = &mut block.warps[w];
            if warp.splits[k].state != SplitState::AtCollective {
                continue;
            }
            let (pc, base, mask) = (warp.splits[k].pc, warp.splits[k].base, warp.splits[k].mask);
            let is_here = |split: &Split| {
                split.state == SplitState::AtCollective && (split.pc, split.base) == (pc, base)
            };
            let all =
                warp.splits.iter().filter(|split| is_here(split)).fold(0, |all, split| all | split.mask);
            let inst = &self.module.code[pc as usize];
            let named = warp.registers[(base + inst.k) as usize][mask.trailing_zeros() as usize] as u32;
            if named & warp.live & !all != 0 {
                continue;
            }
            // Lanes of another mask at the same place wait on.
            let is_named = |split: &Split| {
                let lane = split.mask.trailing_zeros() as usize;
                is_here(split) && warp.registers[(base + inst.k) as usize][lane] as u32 == named
            };
            let chosen: Vec<bool> = warp.splits.iter().map(is_named).collect();
            let those = warp.splits.iter().zip(&chosen).filter(|(_, chosen)| **chosen);
            let all = those.fold(0, |all, (split, _)| all | split.mask);
            if named & warp.live & !all != 0 {
                continue;
            }
            collective(&mut warp.registers[base as usize..], inst, all);
            for (split, chosen) in warp.splits.iter_mut().zip(chosen) {
                if chosen {
                    split.state = SplitState::Ready;
                    split.pc += 1;
                }
            }
            self.note_collective(block, w, inst, all);
        }
    }
}

/// Shuffle, vote, match or reduction among the lanes of a mask.
fn collective(registers: &mut [Lanes], inst: &Inst, mask: u32) {
    let a = registers[inst.a as usize];
    match inst.op {
        Op::Shuffle(kind) => {
            let (b, c) = (registers[inst.b as usize], registers[inst.c as usize]);
            for lane in lanes(mask) {
                let (from, is_inside) = shuffle_source(kind, lane as i32, b[lane] as u32, c[lane] as u32);
                // The predicate first: where none is wanted its slot is the sink.
                registers[inst.e as usize][lane] = is_inside.into();
                registers[inst.d as usize][lane] = match from {
                    _ if !is_inside => a[lane],
                    from if mask >> from & 1 != 0 => a[from],
                    // Undefined: the lane does not take part.
                    _ => 0xcbcb_cbcb,
                };
            }
        }
        Op::Vote(vote) => {
            let set = lanes(mask).fold(0u32, |set, lane| set | ((a[lane] & 1) as u32) << lane);
            let value = match vote {
                Vote::Ballot => set,
                Vote::All => u32::from(set == mask),
                Vote::Any => u32::from(set != 0),
                Vote::Uniform => u32::from(set == mask || set == 0),
                Vote::Count => set.count_ones(),
            };
            lanes(mask).for_each(|lane| registers[inst.d as usize][lane] = value.into());
        }
        Op::Match { all } => {
            for lane in lanes(mask) {
                let same = lanes(mask)
                    .filter(|other| a[*other] == a[lane])
                    .fold(0u32, |set, other| set | 1 << other);
                registers[inst.e as usize][lane] = u64::from(same == mask);
                registers[inst.d as usize][lane] = u64::from(if all && same != mask { 0 } else { same });
            }
        }
        Op::Reduce { reduction, signed } => {
            let values = lanes(mask).map(|lane| a[lane] as u32);
            let value = values.reduce(|one, other| reduce(reduction, signed, one, other)).unwrap_or(0);
            lanes(mask).for_each(|lane| registers[inst.d as usize][lane] = value.into());
        }
        _ => {}
    }
}

/// The lane that a shuffle reads, and whether it lies in the lane's segment.
fn shuffle_source(kind: Shuffle, lane: i32, by: u32, control: u32) -> (usize, bool) {
    let (by, clamp) = ((by & 31) as i32, (control & 31) as i32);
    let segment = (control >> 8 & 31) as i32;
    let last = lane & segment | clamp & !segment;
    let (from, is_inside) = match kind {
        Shuffle::Up => (lane - by, lane - by >= last),
        Shuffle::Down => (lane + by, lane + by <= last),
        Shuffle::Butterfly => (lane ^ by, lane ^ by <= last),
        Shuffle::Index => {
            let from = lane & segment | by & !segment;
            (from, from <= last)
        }
    };
    (from as usize & 31, is_inside)
}

fn reduce(reduction: Reduction, signed: bool, one: u32, other: u32) -> u32 {
    match (reduction, signed) {
        (Reduction::Add, _) => one.wrapping_add(other),
        (Reduction::Min, false) => one.min(other),
        (Reduction::Max, false) => one.max(other),
        (Reduction::Min, true) => (one as i32).min(other as i32) as u32,
        (Reduction::Max, true) => (one as i32).max(other as i32) as u32,
        (Reduction::And, _) => one & other,
        (Reduction::Or, _) => one | other,
        (Reduction::Xor, _) => one ^ other,
    }
}
