//! Launcher of `evaluate.cu`.

use super::fuse::{Pass, PassOutput};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{FixedData, Result, View, ViewGuard, access};
use columnade_buffers::Exec;

policy! {
    /// Of `evaluate.cu`.
    pub struct EvaluatePolicy {
        /// Threads of a block.
        pub const BLOCK_THREADS: i32 = 128;
        /// Rows of a thread: several loads are in flight, and a step is decoded once for all of them.
        pub const ROWS: i32 = 4;
        /// Columns that a pass reads: their descriptors and its steps travel in its arguments, which are at most 4 KiB.
        pub const MOST_INPUTS: usize = 16;
        /// Columns that a pass writes.
        pub const MOST_OUTPUTS: usize = 16;
        /// Steps of a pass.
        pub const MOST_STEPS: usize = 64;
        /// Values of a row in shared memory: those of a block take the 48 KiB that every GPU has for one.
        pub const MOST_SLOTS: usize = 12;
    }
}

abi! {
    /// A step of a pass over slots.
    pub struct EvaluateStep {
        /// A `Code`.
        pub code: u8,
        /// The `Storage` of the result.
        pub storage: u8,
        /// The slot of the result.
        pub result: u8,
        /// Slots of the operands, or `IMMEDIATE`; of `Load` the input in `a`, of `Store` the output in `b`.
        pub a: u8,
        pub b: u8,
        pub c: u8,
        /// The operation of `Binary`, `Unary` and `Compare`; of `Constant` whether it is null, of `Load` whether only the mask
        /// is read.
        pub op: u8,
        /// The `Storage` of the operands of `Compare` and `Cast`; of `Store` the bytes of a value.
        pub from: u8,
        /// The bits of a constant, integers extended to 64 bits.
        pub value: u64,
    }

    /// A result of a pass.
    pub struct EvaluateOutput {
        /// A `Storage`.
        pub storage: i32,
        /// Whether it has a mask.
        pub masked: i32,
    }

    /// Arguments of `evaluate`.
    pub struct EvaluateArgs {
        /// Host memory.
        pub inputs: *const ColumnDesc,
        pub outputs: *const EvaluateOutput,
        pub steps: *const EvaluateStep,
        pub input_count: i32,
        /// Output `i` has values in output `2 i` and its mask in output `2 i + 1`.
        pub output_count: i32,
        pub step_count: i32,
        pub slots: i32,
        pub rows: i64,
        pub alloc: Alloc,
    }
    entry evaluate(EvaluateArgs);
}

/// What a step does. The discriminants are those in `evaluate.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Code {
    Load = 0,
    Store = 1,
    Constant = 2,
    Binary = 3,
    Unary = 4,
    Compare = 5,
    Cast = 6,
    And = 7,
    Or = 8,
    Not = 9,
    IsNull = 10,
    Select = 11,
}

/// In place of a slot: the operand is the value in the step.
pub(super) const IMMEDIATE: u8 = u8::MAX;

/// The results of a pass over the columns that it reads.
pub(super) fn evaluate(pass: &Pass, inputs: &[View<'_>], rows: usize, exec: &Exec) -> Result<Vec<FixedData>> {
    let entry = entries::evaluate(exec.device())?;
    let guards = access(inputs, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let results = pass.outputs.iter();
    let outputs: Vec<EvaluateOutput> = results
        .map(|output| EvaluateOutput { storage: output.storage as i32, masked: i32::from(output.masked) })
        .collect();
    let mut launch = Launch::new(exec);
    let args = EvaluateArgs {
        inputs: columns.as_ptr(),
        outputs: outputs.as_ptr(),
        steps: pass.steps.as_ptr(),
        input_count: columns.len() as i32,
        output_count: outputs.len() as i32,
        step_count: pass.steps.len() as i32,
        slots: pass.slots as i32,
        rows: rows as i64,
        alloc: launch.alloc(),
    };
    // SAFETY: `guards` keep the inputs readable; the vectors outlive the call, which reads them before it returns; the launch
    // owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let result = |(i, output): (usize, &PassOutput)| {
        let data = launch.output(2 * i)?.slice(0, output.storage.bytes(rows));
        let masked = output.masked.then(|| launch.output(2 * i + 1)).transpose()?;
        let validity = masked.map(|mask| mask.slice(0, rows.div_ceil(8)));
        Ok(FixedData { storage: output.storage, len: rows, data, validity })
    };
    pass.outputs.iter().enumerate().map(result).collect()
}
