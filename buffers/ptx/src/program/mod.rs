//! A decoded module: what the parser makes of PTX text and the machine executes.
//!
//! Every operand is the number of a slot, 32 lanes of 64 bits. Constants and special registers have slots of
//! their own, filled when a warp starts, so instructions do not distinguish kinds of operands.

mod types;

pub(crate) use types::{Space, Type};

use crate::arithmetic::Compute;
use std::collections::HashMap;

/// No slot, no instruction.
pub(crate) const NONE: u32 = u32::MAX;

/// Generic addresses of shared and local memory: the offset plus one of these. No allocation of a process has
/// such an address.
pub(crate) const SHARED_WINDOW: u64 = 1 << 56;
pub(crate) const LOCAL_WINDOW: u64 = 1 << 57;

/// A register of the hardware that a thread can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    Lane,
    LanesUpTo,
    LanesBelow,
    LanesFrom,
    LanesAbove,
    ThisLane,
}

/// An operand that an instruction does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Constant {
    Value(u64),
    Special(Special),
    /// The start of the dynamic shared memory, which lies behind the static variables.
    DynamicShared,
    /// The address of a global variable of the module.
    Global(usize),
}

/// What a memory instruction reads or writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    /// Bytes of an element, and elements.
    pub(crate) bytes: u8,
    pub(crate) count: u8,
    pub(crate) signed: bool,
    pub(crate) order: Order,
    pub(crate) offset: i64,
    /// Slots of the elements.
    pub(crate) slots: [u32; 4],
    /// Bits of a destination register, to which a signed element is extended.
    pub(crate) width: u8,
}

/// What other threads may conclude from an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// An atomic, or declared `volatile`, `relaxed` or stronger: two of them do not race.
    pub(crate) strong: bool,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
}

impl Order {
    /// An ordinary load or store.
    pub(crate) const WEAK: Self = Self { strong: false, acquire: false, release: false };
    /// Atomic, but no other access is ordered by it.
    pub(crate) const RELAXED: Self = Self { strong: true, acquire: false, release: false };
}

/// How an atomic changes the value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    AddFloat,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
}

/// Which lane a shuffle reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote says about the predicates of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    Ballot,
    All,
    Any,
    Uniform,
    /// The number of true ones; of a barrier only.
    Count,
}

/// A reduction over the lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Each lane by itself: the function writes `d` from `a`, `b`, `c` and `k`.
    Compute(Compute),
    /// Several registers to one, the first in the low bits.
    Pack {
        slots: [u32; 4],
        count: u8,
        bits: u8,
    },
    /// One register to several.
    Unpack {
        slots: [u32; 4],
        count: u8,
        bits: u8,
    },
    Load(Access),
    Store(Access),
    Atomic {
        access: Access,
        op: AtomicOp,
    },
    ToGeneric(Space),
    FromGeneric(Space),
    Branch {
        target: u32,
        reconverge: u32,
    },
    /// A call of the module's call site of that number.
    Call {
        site: u32,
    },
    Return,
    Exit,
    /// A barrier of the block; `a` is its number, `b` its threads if `counted`, `c` a predicate to reduce.
    Barrier {
        reduce: Option<Vote>,
        counted: bool,
    },
    /// A barrier of the lanes in the mask `k`.
    WarpBarrier,
    Shuffle(Shuffle),
    Vote(Vote),
    Match {
        all: bool,
    },
    Reduce {
        reduction: Reduction,
        signed: bool,
    },
    ActiveMask,
    /// A fence; for the order of memory only, since execution is sequential.
    Fence,
    /// Lets other warps run.
    Yield,
    Trap,
    Nothing,
}

/// One instruction. Slots are relative to the window of its function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// The predicate, or [`NONE`]; with `negate` lanes run where it is false.
    pub(crate) guard: u32,
    pub(crate) negate: bool,
    pub(crate) d: u32,
    /// A second destination: of a shuffle its predicate, of arithmetic the carry.
    pub(crate) e: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
    /// A fourth source: a carry, or the mask of a collective.
    pub(crate) k: u32,
    /// The line of the PTX text.
    pub(crate) line: u32,
    /// Which of [`Module::locations`], or [`NONE`].
    pub(crate) location: u32,
    /// Which of [`Module::forms`].
    pub(crate) form: u32,
}

/// A parameter in the bytes that a launch passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// A kernel, or a device function that is called.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) is_kernel: bool,
    /// Its instructions in [`Module::code`].
    pub(crate) entry: u32,
    pub(crate) end: u32,
    pub(crate) slots: usize,
    pub(crate) constants: Vec<(u32, Constant)>,
    pub(crate) params: Vec<Param>,
    /// Slots of a device function's parameters and result; calls copy to and from them.
    pub(crate) param_slots: Vec<u32>,
    pub(crate) result_slots: Vec<u32>,
    /// Bytes of static shared memory of a block, and of local memory of a thread.
    pub(crate) shared: usize,
    pub(crate) local: usize,
    pub(crate) max_threads: usize,
}

/// A call: the slots of the caller.
#[derive(Debug)]
pub(crate) struct CallSite {
    pub(crate) callee: String,
    pub(crate) function: usize,
    pub(crate) args: Vec<u32>,
    pub(crate) results: Vec<u32>,
}

/// A variable in global memory.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) size: usize,
    /// Its first bytes; zeros follow.
    pub(crate) bytes: Vec<u8>,
}

/// A line of source, from `-lineinfo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: u32,
    pub(crate) line: u32,
    /// Where the function of that line was inlined: file and line.
    pub(crate) inlined_at: Option<(u32, u32)>,
}

/// All of one PTX text.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) code: Vec<Inst>,
    pub(crate) functions: Vec<Function>,
    pub(crate) by_name: HashMap<String, usize>,
    pub(crate) calls: Vec<CallSite>,
    /// The instruction forms that occur: opcodes with their modifiers.
    pub(crate) forms: Vec<String>,
    pub(crate) globals: Vec<Global>,
    pub(crate) locations: Vec<Location>,
    pub(crate) files: HashMap<u32, String>,
}

impl Module {
    /// Where an instruction comes from: the line of its source, if known, and of the PTX.
    pub(crate) fn place(&self, inst: &Inst) -> String {
        let name = |file: u32| {
            let path = self.files.get(&file).map_or("?", String::as_str);
            path.rsplit('/').next().unwrap_or(path)
        };
        let form = self.forms.get(inst.form as usize).map_or("?", String::as_str);
        let text = format!("{form} (PTX line {})", inst.line);
        match self.locations.get(inst.location as usize) {
            Some(Location { file, line, inlined_at: Some((at_file, at_line)) }) => {
                format!("{}:{line}, inlined at {}:{at_line}, {text}", name(*file), name(*at_file))
            }
            Some(Location { file, line, inlined_at: None }) => format!("{}:{line}, {text}", name(*file)),
            None => text,
        }
    }
}
