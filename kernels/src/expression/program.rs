//! A flattened expression.

use crate::datetime::extract::{DatePart, TimeUnit};
use crate::datetime::zone::ZoneOffsets;
use crate::elementwise::binary::BinaryOp;
use crate::elementwise::compare::CompareOp;
use crate::elementwise::math::MathOp;
use crate::elementwise::unary::UnaryOp;
use crate::searching::key_set::KeySet;
use crate::strings::matches::MatchOp;
use crate::{Error, Result, Storage, Value};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

/// The number of an input or of a step's result: inputs first, then one register per step.
pub type Register = usize;

/// The type of an input column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Fixed width.
    Fixed(Storage),
    /// Strings; only the string steps read them.
    String,
}

/// A boolean for every code of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Bit `code` is the result for `code`.
    pub bits: Vec<u64>,
    /// Bit `code` is set if the result is not null; `None`: no result is null.
    pub validity: Option<Vec<u64>>,
    /// The number of codes.
    pub len: usize,
}

/// A set that equals itself only, so that it is compared without its keys.
#[derive(Clone, Debug)]
pub struct SharedKeys(pub Arc<KeySet>);

impl PartialEq for SharedKeys {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The operation of a step. Its registers are inputs or earlier steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// The same value in every row; `None`: null in every row.
    Constant(Option<Value>),
    /// Arithmetic of two registers of the step's storage.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// Arithmetic of two integer registers of the step's storage, an error if it wraps around.
    Checked {
        /// The operation.
        op: BinaryOp,
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// Arithmetic of one register of the step's storage.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// The operand.
        arg: Register,
    },
    /// A function of floats of the step's storage.
    Math {
        /// The function.
        op: MathOp,
        /// The operand, the left one of two.
        lhs: Register,
        /// The right operand; the same register again for a function of one number.
        rhs: Register,
    },
    /// Days moved by months, an error for a day that does not fit.
    AddMonths {
        /// `I32` days.
        days: Register,
        /// `I32` months.
        months: Register,
    },
    /// Sum, difference or product of two `I128` registers, an error if it has more than 38 digits.
    Decimal {
        /// `Add`, `Sub` or `Mul`.
        op: BinaryOp,
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// The `I128` product of two `I64` registers.
    MulWide {
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// The quotient of two `I128` registers times 10^`power`, rounded half away from zero; null for a zero divisor, an
    /// error if it has more than 38 digits.
    DivideDecimal {
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
        /// The power of ten.
        power: i32,
    },
    /// Comparison of two `I64` or two `I128` registers, of which the right one is multiplied by a factor above 0, exactly.
    CompareScaled {
        /// The operation.
        op: CompareOp,
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
        /// The factor.
        factor: i128,
    },
    /// Comparison of an `I64` or `U64` register with an `F64` register, exactly.
    CompareFloat {
        /// The operation.
        op: CompareOp,
        /// Left side, the integer.
        lhs: Register,
        /// Right side, the float.
        rhs: Register,
    },
    /// Comparison of two registers of one storage type.
    Compare {
        /// The operation.
        op: CompareOp,
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// Kleene conjunction of bits.
    And {
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// Kleene disjunction of bits.
    Or {
        /// Left side.
        lhs: Register,
        /// Right side.
        rhs: Register,
    },
    /// Kleene negation of bits.
    Not {
        /// The operand.
        arg: Register,
    },
    /// Whether the operand, also a string input, is null.
    IsNull {
        /// The operand.
        arg: Register,
    },
    /// The operand in the step's storage type: integers wrap, floats truncate and saturate.
    Cast {
        /// The operand.
        arg: Register,
    },
    /// The operand, a number, in the step's storage type, an integer; an error for a value that does not fit, and for NaN.
    /// Floats are truncated.
    CastChecked {
        /// The operand.
        arg: Register,
    },
    /// The operand rounded to a number of decimals, halves to even; an error for an integer that does not fit.
    Round {
        /// The operand, of the step's storage.
        arg: Register,
        /// Digits after the point; with a negative number, tens, hundreds and so on.
        decimals: i32,
    },
    /// The operand times 10^`power`, rounded half away from zero if that is negative; an error if the result
    /// has more than `digits` digits or does not fit in the storage type.
    Rescale {
        /// The operand, of the step's storage.
        arg: Register,
        /// The power of ten.
        power: i32,
        /// The most digits of the result, at most 38.
        digits: u32,
    },
    /// `then` where the condition is true, `otherwise` where it is false or null.
    Select {
        /// Bits.
        condition: Register,
        /// Of the step's storage.
        then: Register,
        /// Of the step's storage.
        otherwise: Register,
    },
    /// A part of days or of a timestamp, as `I32`.
    Extract {
        /// The part.
        part: DatePart,
        /// The unit of the operand.
        unit: TimeUnit,
        /// The operand, `I32` days or `I64` units.
        arg: Register,
    },
    /// A part of the day of a timestamp, as `I32`; an error for a day beyond those of `I32`.
    ExtractChecked {
        /// The part.
        part: DatePart,
        /// The unit of the operand.
        unit: TimeUnit,
        /// The operand, `I64` units.
        arg: Register,
    },
    /// The local time of a timestamp, an error if it does not fit.
    LocalTime {
        /// The unit of the operand and of the result.
        unit: TimeUnit,
        /// The offsets of the time zone.
        zone: Arc<ZoneOffsets>,
        /// The operand, `I64` units of UTC.
        arg: Register,
    },
    /// Comparison of a string input with a constant.
    StringCompare {
        /// The operation.
        op: CompareOp,
        /// A string input.
        arg: Register,
        /// The constant, UTF-8 for strings.
        literal: Box<[u8]>,
    },
    /// Comparison of two string inputs.
    StringCompareColumns {
        /// The operation.
        op: CompareOp,
        /// A string input.
        lhs: Register,
        /// A string input.
        rhs: Register,
    },
    /// Test of a string input against a constant.
    StringMatch {
        /// The test.
        op: MatchOp,
        /// A string input.
        arg: Register,
        /// The constant.
        pattern: Box<str>,
    },
    /// The table's boolean for a dictionary code.
    Lookup {
        /// The codes, an integer register; null codes give null.
        codes: Register,
        /// The table.
        table: Table,
    },
    /// Whether the operand is in a set of keys; null where it is null.
    IsIn {
        /// An integer register that [`KeySet::supports`].
        arg: Register,
        /// The keys.
        keys: SharedKeys,
    },
}

/// One step: its operation and the storage type of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The operation.
    pub op: Op,
    /// Storage of the result.
    pub storage: Storage,
}

/// A flattened expression: see the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    inputs: Vec<Source>,
    steps: Vec<Step>,
}

impl Step {
    /// The same for steps that are the same.
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        discriminant(&self.op).hash(&mut hasher);
        self.op.reads().hash(&mut hasher);
        if let Op::Constant(Some(value)) = &self.op {
            value.to_bytes().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Whether both compute the same bits: constants are compared by their bytes, because −0.0 equals 0.0 as a number.
    fn is_same(&self, other: &Self) -> bool {
        match (&self.op, &other.op) {
            (Op::Constant(Some(one)), Op::Constant(Some(two))) => {
                self.storage == other.storage
                    && one.storage() == two.storage()
                    && one.to_bytes() == two.to_bytes()
            }
            _ => self == other,
        }
    }
}

impl Op {
    /// The registers that the step reads.
    pub fn reads(&self) -> ([Register; 3], usize) {
        match *self {
            Op::Constant(_) => ([0; 3], 0),
            Op::Binary { lhs, rhs, .. }
            | Op::Decimal { lhs, rhs, .. }
            | Op::Checked { lhs, rhs, .. }
            | Op::MulWide { lhs, rhs }
            | Op::DivideDecimal { lhs, rhs, .. }
            | Op::CompareScaled { lhs, rhs, .. }
            | Op::CompareFloat { lhs, rhs, .. }
            | Op::Compare { lhs, rhs, .. }
            | Op::And { lhs, rhs }
            | Op::Or { lhs, rhs }
            | Op::Math { lhs, rhs, .. }
            | Op::StringCompareColumns { lhs, rhs, .. } => ([lhs, rhs, 0], 2),
            Op::AddMonths { days, months } => ([days, months, 0], 2),
            Op::Not { arg }
            | Op::IsNull { arg }
            | Op::Cast { arg }
            | Op::CastChecked { arg }
            | Op::Round { arg, .. }
            | Op::Unary { arg, .. }
            | Op::Rescale { arg, .. }
            | Op::Extract { arg, .. }
            | Op::ExtractChecked { arg, .. }
            | Op::LocalTime { arg, .. }
            | Op::StringCompare { arg, .. }
            | Op::StringMatch { arg, .. }
            | Op::IsIn { arg, .. } => ([arg, 0, 0], 1),
            Op::Lookup { codes, .. } => ([codes, 0, 0], 1),
            Op::Select { condition, then, otherwise } => ([condition, then, otherwise], 3),
        }
    }
}

impl Program {
    /// The types of the inputs.
    pub fn inputs(&self) -> &[Source] {
        &self.inputs
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Checks that each step reads registers computed before it, of the types that it takes.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] otherwise.
    pub(crate) fn check(&self) -> Result<()> {
        let invalid = |reason| Err(Error::InvalidArgument { name: "program", reason });
        for (index, step) in self.steps.iter().enumerate() {
            let (reads, count) = step.op.reads();
            let reads = &reads[..count];
            if reads.iter().any(|&read| read >= self.inputs.len() + index) {
                return invalid("a step reads a register that no earlier step computes");
            }
            let is_string = |read: &Register| matches!(self.inputs.get(*read), Some(Source::String));
            match &step.op {
                Op::Constant(Some(value)) if value.storage() != step.storage => {
                    return invalid("a constant has another storage type than its step");
                }
                Op::Extract { unit, arg, .. }
                | Op::ExtractChecked { unit, arg, .. }
                | Op::LocalTime { unit, arg, .. }
                    if self.storage(*arg) != Some(unit.storage()) =>
                {
                    return invalid("a time has another storage type than its unit");
                }
                Op::StringCompare { .. } | Op::StringCompareColumns { .. } | Op::StringMatch { .. }
                    if !reads.iter().all(is_string) =>
                {
                    return invalid("a string step reads a register that is no string input");
                }
                Op::StringCompare { .. }
                | Op::StringCompareColumns { .. }
                | Op::StringMatch { .. }
                | Op::IsNull { .. } => {}
                _ if reads.iter().any(is_string) => {
                    return invalid("a step of fixed-width values reads a string input");
                }
                Op::IsIn { arg, .. } if !self.storage(*arg).is_some_and(KeySet::supports) => {
                    return invalid("a set of keys has another storage type than its operand");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The storage of a register; `None` for a string input.
    pub fn storage(&self, register: Register) -> Option<Storage> {
        match self.inputs.get(register) {
            Some(Source::Fixed(storage)) => Some(*storage),
            Some(Source::String) => None,
            None => self.steps.get(register - self.inputs.len()).map(|step| step.storage),
        }
    }

    /// Which registers the results `roots` depend on, themselves included.
    pub fn needed(&self, roots: impl IntoIterator<Item = Register>) -> Vec<bool> {
        let mut needed = vec![false; self.inputs.len() + self.steps.len()];
        for root in roots {
            needed[root] = true;
        }
        for (index, step) in self.steps.iter().enumerate().rev() {
            if needed[self.inputs.len() + index] {
                let (reads, count) = step.op.reads();
                for &register in &reads[..count] {
                    needed[register] = true;
                }
            }
        }
        needed
    }

    /// Whether a register is a constant that is not zero.
    fn is_nonzero(&self, register: Register) -> bool {
        let step = register.checked_sub(self.inputs.len()).and_then(|step| self.steps.get(step));
        matches!(step, Some(Step { op: Op::Constant(Some(value)), .. }) if *value != Value::zero(value.storage()))
    }

    /// Which registers may contain nulls, given which inputs do.
    pub fn nullable(&self, inputs: &[bool]) -> Vec<bool> {
        let mut nullable = inputs.to_vec();
        for step in &self.steps {
            let (reads, count) = step.op.reads();
            let any = reads[..count].iter().any(|&register| nullable[register]);
            nullable.push(match &step.op {
                Op::Constant(value) => value.is_none(),
                Op::IsNull { .. } => false,
                Op::Binary { op, rhs, .. } | Op::Checked { op, rhs, .. } => {
                    any || makes_nulls(*op, step.storage) && !self.is_nonzero(*rhs)
                }
                Op::DivideDecimal { .. } => true,
                Op::Lookup { table, .. } => any || table.validity.is_some(),
                _ => any,
            });
        }
        nullable
    }
}

/// Whether the operation gives null for some valid operands, as division of integers by zero does.
pub(crate) fn makes_nulls(op: BinaryOp, storage: Storage) -> bool {
    storage.is_integer() && matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod)
}

/// Builds a [`Program`]; equal steps become one.
#[derive(Clone, Debug)]
pub struct Builder {
    program: Program,
    /// The steps by a hash of what tells most of them apart.
    known: HashMap<u64, Vec<usize>>,
}

impl Builder {
    /// A program over these inputs, without steps.
    pub fn new(inputs: Vec<Source>) -> Self {
        Self { program: Program { inputs, steps: Vec::new() }, known: HashMap::new() }
    }

    /// Adds a step, or finds an earlier equal one, and returns its register.
    pub fn step(&mut self, op: Op, storage: Storage) -> Register {
        let step = Step { op, storage };
        let steps = &mut self.program.steps;
        let alike = self.known.entry(step.hash()).or_default();
        let known = alike.iter().copied().find(|&index| steps[index].is_same(&step));
        let index = known.unwrap_or_else(|| {
            steps.push(step);
            alike.push(steps.len() - 1);
            steps.len() - 1
        });
        self.program.inputs.len() + index
    }

    /// The storage of a register; `None` for a string input.
    pub fn storage(&self, register: Register) -> Option<Storage> {
        self.program.storage(register)
    }

    /// The number of registers so far.
    pub fn registers(&self) -> usize {
        self.program.inputs.len() + self.program.steps.len()
    }

    /// The program.
    pub fn finish(self) -> Program {
        self.program
    }
}
