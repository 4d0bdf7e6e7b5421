//! Where lanes that branched apart meet again: at the immediate post-dominator of the branch, the first
//! instruction that every path from it to the end passes.

use super::Blocks;
use crate::program::{Inst, NONE, Op};

/// The meeting place of lanes that meet nowhere before a device function returns.
pub(crate) const AT_RETURN: u32 = NONE - 1;

const UNKNOWN: usize = usize::MAX;

/// Writes its meeting place into each conditional branch of a function.
pub(crate) fn find_meetings(code: &mut [Inst], entry: u32) {
    let blocks = Blocks::new(code, entry);
    let dominators = post_dominators(&blocks);
    let exit = blocks.count();
    let returns = code.iter().any(|inst| matches!(inst.op, Op::Return));
    for (at, inst) in code.iter_mut().enumerate() {
        let is_guarded = inst.guard != NONE;
        if let Op::Branch { reconverge, .. } = &mut inst.op {
            let meeting = dominators[blocks.of[at]];
            *reconverge = match meeting {
                _ if !is_guarded => NONE,
                meeting if meeting < exit => blocks.starts[meeting] as u32 + entry,
                _ if returns => AT_RETURN,
                _ => NONE,
            };
        }
    }
}

/// The immediate post-dominator of each block, by Cooper, Harvey and Kennedy's iteration on the reversed
/// graph ("A Simple, Fast Dominance Algorithm"). Unknown for blocks that do not reach the exit.
fn post_dominators(blocks: &Blocks) -> Vec<usize> {
    let exit = blocks.count();
    let order = postorder_from_exit(blocks);
    let mut number = vec![UNKNOWN; exit + 1];
    for (position, &block) in order.iter().enumerate() {
        number[block] = position;
    }
    let mut dominators = vec![UNKNOWN; exit + 1];
    dominators[exit] = exit;
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for &block in order.iter().rev().skip(1) {
            let known = blocks.successors[block].iter().filter(|next| dominators[**next] != UNKNOWN);
            let meeting = known.copied().reduce(|one, other| common(&dominators, &number, one, other));
            let meeting = meeting.unwrap_or(UNKNOWN);
            has_changed |= dominators[block] != meeting;
            dominators[block] = meeting;
        }
    }
    dominators
}

fn common(dominators: &[usize], number: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        while number[one] < number[other] {
            one = dominators[one];
        }
        while number[other] < number[one] {
            other = dominators[other];
        }
    }
    one
}

/// Postorder of the reversed graph.
fn postorder_from_exit(blocks: &Blocks) -> Vec<usize> {
    let exit = blocks.count();
    let mut predecessors = vec![Vec::new(); exit + 1];
    for (block, successors) in blocks.successors.iter().enumerate() {
        for &next in successors {
            predecessors[next].push(block);
        }
    }
    let (mut order, mut stack) = (Vec::new(), vec![(exit, 0)]);
    let mut is_seen = vec![false; exit + 1];
    is_seen[exit] = true;
    while let Some((block, child)) = stack.pop() {
        let Some(&before) = predecessors[block].get(child) else {
            order.push(block);
            continue;
        };
        stack.push((block, child + 1));
        if !is_seen[before] {
            is_seen[before] = true;
            stack.push((before, 0));
        }
    }
    order
}
