//! Registers that are never alive at the same time share a slot: PTX names a new register for every value,
//! thousands in a kernel, and a warp's slots should stay in the cache.
//!
//! Each register is alive in one interval of the code, widened where it lives around a loop; intervals get
//! slots by a linear scan. Lanes at different places disturb each other in no way, since each writes its own
//! part of a slot.

use super::Blocks;
use crate::program::{CallSite, Function, Inst, NONE, Op};

/// A set of slots.
#[derive(Clone)]
struct Slots(Vec<u64>);

impl Slots {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, slot: u32) {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
    }

    fn has(&self, slot: u32) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 != 0
    }
}

/// Renumbers the slots of a function.
pub(crate) fn share_slots(code: &mut [Inst], function: &mut Function, calls: &mut [CallSite]) {
    let blocks = Blocks::new(code, function.entry);
    let pinned = pinned(code, function, calls);
    let intervals = intervals(code, &blocks, function.slots);
    let (places, total) = assign(&pinned, &intervals);
    let renumber = |slot: &mut u32| {
        if *slot != NONE {
            *slot = places[*slot as usize];
        }
    };
    for inst in code.iter_mut() {
        visit(inst, |slot, _| renumber(slot));
        if let Op::Call { site } = inst.op {
            let site = &mut calls[site as usize];
            site.args.iter_mut().chain(&mut site.results).for_each(renumber);
        }
    }
    function.constants.iter_mut().for_each(|constant| renumber(&mut constant.0));
    function.param_slots.iter_mut().chain(&mut function.result_slots).for_each(renumber);
    function.slots = total as usize;
}

/// Calls `use_slot` with every slot of an instruction and whether it is written.
fn visit(inst: &mut Inst, mut use_slot: impl FnMut(&mut u32, bool)) {
    for slot in [&mut inst.a, &mut inst.b, &mut inst.c, &mut inst.k] {
        use_slot(slot, false);
    }
    if inst.guard != NONE {
        use_slot(&mut inst.guard, false);
    }
    match &mut inst.op {
        Op::Store(access) => access.slots.iter_mut().for_each(|slot| use_slot(slot, false)),
        Op::Load(access) | Op::Atomic { access, .. } => {
            access.slots.iter_mut().for_each(|slot| use_slot(slot, true));
        }
        Op::Pack { slots, .. } => slots.iter_mut().for_each(|slot| use_slot(slot, false)),
        Op::Unpack { slots, .. } => slots.iter_mut().for_each(|slot| use_slot(slot, true)),
        _ => {}
    }
    use_slot(&mut inst.d, true);
    use_slot(&mut inst.e, true);
}

/// Slots that keep one of their own: the carry and the sink, constants, and what calls copy.
fn pinned(code: &[Inst], function: &Function, calls: &[CallSite]) -> Slots {
    let mut pinned = Slots::new(function.slots);
    let own = [0, 1].into_iter().chain(function.constants.iter().map(|constant| constant.0));
    let own = own.chain(function.param_slots.iter().chain(&function.result_slots).copied());
    own.for_each(|slot| pinned.insert(slot));
    for inst in code {
        if let Op::Call { site } = inst.op {
            let site = &calls[site as usize];
            site.args.iter().chain(&site.results).for_each(|slot| pinned.insert(*slot));
        }
    }
    pinned
}

/// The registers that are alive where each block begins.
fn alive(code: &mut [Inst], blocks: &Blocks, slots: usize) -> Vec<Slots> {
    let count = blocks.count();
    let (mut uses, mut kills) = (vec![Slots::new(slots); count], vec![Slots::new(slots); count]);
    for block in 0..count {
        for inst in &mut code[blocks.range(block)] {
            // A guarded write keeps the old value in some lanes.
            let is_guarded = inst.guard != NONE;
            visit(inst, |slot, is_write| {
                if (!is_write || is_guarded) && !kills[block].has(*slot) {
                    uses[block].insert(*slot);
                } else if is_write {
                    kills[block].insert(*slot);
                }
            });
        }
    }
    let mut alive = uses.clone();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for block in (0..count).rev() {
            for word in 0..slots.div_ceil(64) {
                let next = blocks.successors[block].iter().filter(|next| **next < count);
                let out = next.fold(0, |out, next| out | alive[*next].0[word]);
                let now = uses[block].0[word] | out & !kills[block].0[word];
                has_changed |= now != alive[block].0[word];
                alive[block].0[word] = now;
            }
        }
    }
    alive
}

/// The first and the last instruction at which each slot is alive; the first after the last if none.
fn intervals(code: &mut [Inst], blocks: &Blocks, slots: usize) -> Vec<(usize, usize)> {
    let alive = alive(code, blocks, slots);
    let mut intervals = vec![(usize::MAX, 0usize); slots];
    let mut touch = |slot: u32, at: usize| {
        let (first, last) = &mut intervals[slot as usize];
        (*first, *last) = ((*first).min(at), (*last).max(at));
    };
    for block in 0..blocks.count() {
        let range = blocks.range(block);
        for at in range.clone() {
            visit(&mut code[at], |slot, _| touch(*slot, at));
        }
        for slot in 0..slots as u32 {
            if alive[block].has(slot) {
                touch(slot, range.start);
            }
            let mut next = blocks.successors[block].iter().filter(|next| **next < alive.len());
            if next.any(|next| alive[*next].has(slot)) {
                touch(slot, range.end);
            }
        }
    }
    intervals
}

/// The new number of each slot, and how many there are.
fn assign(pinned: &Slots, intervals: &[(usize, usize)]) -> (Vec<u32>, u32) {
    let mut places = vec![NONE; intervals.len()];
    let mut total = 0;
    let mut add = || {
        total += 1;
        total - 1
    };
    for slot in (0..intervals.len() as u32).filter(|slot| pinned.has(*slot)) {
        places[slot as usize] = add();
    }
    let mut by_start: Vec<usize> =
        (0..intervals.len()).filter(|slot| intervals[*slot].0 != usize::MAX).collect();
    by_start.sort_by_key(|slot| intervals[*slot].0);
    let (mut active, mut free): (Vec<(usize, u32)>, Vec<u32>) = (Vec::new(), Vec::new());
    for slot in by_start {
        if places[slot] != NONE {
            continue;
        }
        let (first, last) = intervals[slot];
        active.retain(|&(end, place)| {
            if end < first {
                free.push(place);
            }
            end >= first
        });
        let place = free.pop().unwrap_or_else(&mut add);
        places[slot] = place;
        active.push((last, place));
    }
    (places, total)
}
