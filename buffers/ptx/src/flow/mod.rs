//! The control flow of a function: where lanes that branched apart meet again, and which registers may share
//! a slot.

mod meetings;
mod slots;
#[cfg(test)]
mod tests;

pub(crate) use meetings::{AT_RETURN, find_meetings};
pub(crate) use slots::share_slots;

use crate::program::{Inst, NONE, Op};

/// The basic blocks of a function. Instructions are counted from its first; the number after the last block
/// stands for the exit.
struct Blocks {
    /// First instructions, and the end.
    starts: Vec<usize>,
    successors: Vec<Vec<usize>>,
    /// The block of each instruction.
    of: Vec<usize>,
}

impl Blocks {
    fn new(code: &[Inst], entry: u32) -> Self {
        let target_of = |target: u32| (target - entry) as usize;
        let mut is_leader = vec![false; code.len() + 1];
        is_leader[0] = true;
        for (at, inst) in code.iter().enumerate() {
            match inst.op {
                Op::Branch { target, .. } => {
                    is_leader[target_of(target)] = true;
                    is_leader[at + 1] = true;
                }
                Op::Exit | Op::Return | Op::Trap => is_leader[at + 1] = true,
                _ => {}
            }
        }
        let mut starts: Vec<usize> = (0..code.len()).filter(|at| is_leader[*at]).collect();
        let count = starts.len();
        starts.push(code.len());
        let mut of = vec![count; code.len() + 1];
        for block in 0..count {
            of[starts[block]..starts[block + 1]].fill(block);
        }
        let successors = (0..count)
            .map(|block| {
                let last = &code[starts[block + 1] - 1];
                let next = block + 1;
                let other = match last.op {
                    Op::Branch { target, .. } => of[target_of(target)],
                    Op::Exit | Op::Return | Op::Trap => count,
                    _ => return vec![next],
                };
                if last.guard == NONE { vec![other] } else { vec![next, other] }
            })
            .collect();
        Self { starts, successors, of }
    }

    fn count(&self) -> usize {
        self.successors.len()
    }

    fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }
}
