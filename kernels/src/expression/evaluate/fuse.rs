//! Consecutive steps as one pass over the rows.
//!
//! A device keeps the values of a pass in slots of shared memory; a slot is free again after the last step that reads it. A
//! pass reads columns (inputs of the program and results of earlier steps) and writes those of its results that are read
//! after it.

use super::cuda::{Code, EvaluatePolicy, EvaluateStep, IMMEDIATE};
use crate::elementwise::binary::BinaryOp;
use crate::expression::{Op, Program, Register, Step};
use crate::{Storage, Value};
use std::collections::HashMap;
use std::ops::Range;

/// A result of a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassOutput {
    pub register: Register,
    pub storage: Storage,
    pub masked: bool,
}

/// Steps of a program as one pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// The registers that it reads.
    pub inputs: Vec<Register>,
    pub outputs: Vec<PassOutput>,
    pub steps: Vec<EvaluateStep>,
    /// Slots that are used at a time.
    pub slots: usize,
}

/// What is known of the registers before a pass.
pub(super) struct Registers<'a> {
    pub program: &'a Program,
    /// Those that results depend on.
    pub needed: &'a [bool],
    /// The last step that reads a register, by its number; `usize::MAX` for one that is read after all steps.
    pub last_reads: &'a [Option<usize>],
    /// Whether a register may be null.
    pub nullable: &'a [bool],
}

/// Whether a pass has the step. 128-bit values do not fit a slot; powers and shifts depend on the width of the value.
pub(super) fn is_fused(program: &Program, step: &Step) -> bool {
    let is_word = |register: Register| program.storage(register).is_some_and(|of| of != Storage::I128);
    let (reads, count) = step.op.reads();
    let words = step.storage != Storage::I128 && reads[..count].iter().all(|&read| is_word(read));
    match &step.op {
        Op::Binary { op, .. } => {
            words && !matches!(op, BinaryOp::Power | BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
        }
        Op::Unary { .. }
        | Op::Compare { .. }
        | Op::And { .. }
        | Op::Or { .. }
        | Op::Not { .. }
        | Op::Cast { .. }
        | Op::Select { .. } => words,
        Op::IsNull { .. } => true,
        _ => false,
    }
}

impl Registers<'_> {
    /// The steps in parts: several as a pass, or one without a pass.
    pub(super) fn split(&self) -> Vec<(Range<usize>, Option<Pass>)> {
        let mut parts = Vec::new();
        let (mut first, end) = (0, self.program.steps().len());
        while first < end {
            let fused = |index: &usize| {
                let step = &self.program.steps()[*index];
                !self.is_computed(*index) || is_fused(self.program, step)
            };
            let run = (first..end).take_while(fused).count();
            if run == 0 {
                parts.push((first..first + 1, None));
                first += 1;
            } else {
                self.fit(first..first + run, &mut parts);
                first += run;
            }
        }
        parts
    }

    /// Whether the step has a result: constants are operands.
    pub(super) fn is_computed(&self, index: usize) -> bool {
        self.needed[self.program.inputs().len() + index]
            && !matches!(self.program.steps()[index].op, Op::Constant(_))
    }

    /// The steps as one pass, or in halves where they exceed a limit. A step alone is no pass: its own kernel needs no slots.
    fn fit(&self, steps: Range<usize>, parts: &mut Vec<(Range<usize>, Option<Pass>)>) {
        if steps.clone().filter(|&index| self.is_computed(index)).count() < 2 {
            parts.extend(steps.map(|index| (index..index + 1, None)));
        } else if let Some(pass) = (Encoder::new(self, steps.clone())).pass() {
            parts.push((steps, Some(pass)));
        } else {
            let middle = steps.start + steps.len() / 2;
            self.fit(steps.start..middle, parts);
            self.fit(middle..steps.end, parts);
        }
    }
}

/// Gives slots to the registers of a pass, step by step. Its functions return `None` where a limit is exceeded.
struct Encoder<'a> {
    registers: &'a Registers<'a>,
    run: Range<usize>,
    pass: Pass,
    slots: HashMap<Register, u8>,
    free: Vec<u8>,
    /// The last step of the run that reads a register.
    last: HashMap<Register, usize>,
    /// Whether a register is read otherwise than for its nulls.
    values: HashMap<Register, bool>,
}

impl<'a> Encoder<'a> {
    fn new(registers: &'a Registers<'a>, run: Range<usize>) -> Self {
        let (mut last, mut values) = (HashMap::new(), HashMap::new());
        for index in run.clone().filter(|&index| registers.is_computed(index)) {
            let op = &registers.program.steps()[index].op;
            let (reads, count) = op.reads();
            for &read in &reads[..count] {
                last.insert(read, index);
                *values.entry(read).or_insert(false) |= !matches!(op, Op::IsNull { .. });
            }
        }
        let free = (0..EvaluatePolicy::MOST_SLOTS as u8).rev().collect();
        Self { registers, run, pass: Pass::default(), slots: HashMap::new(), free, last, values }
    }

    fn pass(mut self) -> Option<Pass> {
        for index in self.run.clone() {
            if self.registers.is_computed(index) {
                self.step(index)?;
            }
        }
        let fits = self.pass.inputs.len() <= EvaluatePolicy::MOST_INPUTS
            && self.pass.outputs.len() <= EvaluatePolicy::MOST_OUTPUTS
            && self.pass.steps.len() <= EvaluatePolicy::MOST_STEPS;
        fits.then_some(self.pass)
    }

    fn step(&mut self, index: usize) -> Option<()> {
        let program = self.registers.program;
        let step = &program.steps()[index];
        let mut code = EvaluateStep { storage: step.storage as u8, ..EMPTY };
        let (reads, count) = step.op.reads();
        let mut operands = [0; 3];
        let mut has_value = false;
        for (operand, &read) in operands.iter_mut().zip(&reads[..count]) {
            *operand = match self.constant(read) {
                Some(Constant(Some(value))) if !has_value => {
                    (has_value, code.value) = (true, word(value)?);
                    IMMEDIATE
                }
                _ => self.slot(read)?,
            };
        }
        [code.a, code.b, code.c] = operands;
        for &read in &reads[..count] {
            if self.last.get(&read) == Some(&index)
                && let Some(slot) = self.slots.remove(&read)
            {
                self.free.push(slot);
            }
        }
        let from = reads[..count].first().and_then(|&read| program.storage(read));
        code.from = from.map_or(0, |storage| storage as u8);
        code.code = match &step.op {
            Op::Binary { op, .. } => {
                code.op = *op as u8;
                Code::Binary
            }
            Op::Unary { op, .. } => {
                code.op = *op as u8;
                Code::Unary
            }
            Op::Compare { op, .. } => {
                code.op = *op as u8;
                Code::Compare
            }
            Op::Cast { .. } => Code::Cast,
            Op::And { .. } => Code::And,
            Op::Or { .. } => Code::Or,
            Op::Not { .. } => Code::Not,
            Op::IsNull { .. } => Code::IsNull,
            Op::Select { .. } => Code::Select,
            _ => return None,
        } as u8;
        let register = program.inputs().len() + index;
        code.result = self.take(register)?;
        self.pass.steps.push(code);
        if self.registers.last_reads[register].is_some_and(|last| last >= self.run.end) {
            self.store(register, step.storage, code.result)?;
        }
        if !self.last.contains_key(&register) {
            self.slots.remove(&register);
            self.free.push(code.result);
        }
        Some(())
    }

    /// The constant in a register.
    fn constant(&self, register: Register) -> Option<Constant> {
        let index = register.checked_sub(self.registers.program.inputs().len())?;
        match self.registers.program.steps()[index].op {
            Op::Constant(value) => Some(Constant(value)),
            _ => None,
        }
    }

    /// A free slot for the register.
    fn take(&mut self, register: Register) -> Option<u8> {
        let slot = self.free.pop()?;
        self.pass.slots = self.pass.slots.max(usize::from(slot) + 1);
        self.slots.insert(register, slot);
        Some(slot)
    }

    /// The slot of a register, which is loaded if it has none yet.
    fn slot(&mut self, register: Register) -> Option<u8> {
        if let Some(&slot) = self.slots.get(&register) {
            return Some(slot);
        }
        let slot = self.take(register)?;
        let storage = self.registers.program.storage(register).unwrap_or(Storage::Bit);
        let mut step = EvaluateStep { storage: storage as u8, result: slot, ..EMPTY };
        if let Some(Constant(value)) = self.constant(register) {
            step.code = Code::Constant as u8;
            step.a = IMMEDIATE;
            step.op = u8::from(value.is_none());
            step.value = value.map_or(Some(0), word)?;
        } else {
            step.code = Code::Load as u8;
            step.a = u8::try_from(self.pass.inputs.len()).ok()?;
            step.op = u8::from(!self.values.get(&register).copied().unwrap_or(true));
            self.pass.inputs.push(register);
        }
        self.pass.steps.push(step);
        Some(slot)
    }

    fn store(&mut self, register: Register, storage: Storage, slot: u8) -> Option<()> {
        let (a, b) = (slot, u8::try_from(self.pass.outputs.len()).ok()?);
        let from = u8::try_from(storage.width().unwrap_or(0)).ok()?;
        let step = EvaluateStep { code: Code::Store as u8, storage: storage as u8, a, b, from, ..EMPTY };
        self.pass.steps.push(step);
        self.pass.outputs.push(PassOutput { register, storage, masked: self.registers.nullable[register] });
        Some(())
    }
}

/// A constant of the program; `None` is null.
struct Constant(Option<Value>);

/// A step without anything.
const EMPTY: EvaluateStep =
    EvaluateStep { code: 0, storage: 0, result: 0, a: 0, b: 0, c: 0, op: 0, from: 0, value: 0 };

/// The value as slots have it; `None` for 128 bits.
fn word(value: Value) -> Option<u64> {
    Some(match value {
        Value::Bit(bit) => u64::from(bit),
        Value::I8(value) => i64::from(value).cast_unsigned(),
        Value::I16(value) => i64::from(value).cast_unsigned(),
        Value::I32(value) => i64::from(value).cast_unsigned(),
        Value::I64(value) => value.cast_unsigned(),
        Value::I128(_) => return None,
        Value::U8(value) => value.into(),
        Value::U16(value) => value.into(),
        Value::U32(value) => value.into(),
        Value::U64(value) => value,
        Value::F32(value) => value.to_bits().into(),
        Value::F64(value) => value.to_bits(),
    })
}
