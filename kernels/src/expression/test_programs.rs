//! A simple row-by-row interpreter of programs: the reference of the tests.

use super::{Builder, Op, Program, Register};
use crate::datetime::extract::{DatePart, TimeUnit};
use crate::elementwise::binary::BinaryOp;
use crate::elementwise::compare::CompareOp;
use crate::elementwise::unary::UnaryOp;
use crate::elementwise::wide::divide_decimal;
use crate::strings::matches::MatchOp;
use crate::{Element, Storage, Value};
use columnade_tests::Rng;
use std::cmp::Ordering;

/// One row of one register.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Value(Value),
    String(String),
}

/// A value of a storage type, often small, sometimes extreme.
pub(crate) fn random(storage: Storage, rng: &mut Rng) -> Value {
    let small = rng.below(21) as i64 - 10;
    match storage {
        Storage::Bit => Value::Bit(rng.below(2) == 1),
        Storage::I32 => {
            Value::I32([small as i32, i32::MIN, i32::MAX, rng.next() as i32][rng.below(4) as usize])
        }
        Storage::I64 => Value::I64([small, small, i64::MIN, rng.next() as i64 >> 20][rng.below(4) as usize]),
        Storage::I128 => Value::I128(i128::from(small) * [1, 10i128.pow(17)][rng.below(2) as usize]),
        Storage::F64 => {
            Value::F64([small as f64 / 4.0, -0.0, f64::NAN, f64::INFINITY, rng.unit()][rng.below(5) as usize])
        }
        Storage::F32 => Value::F32(
            [small as f32 / 4.0, -0.0, f32::NAN, f32::INFINITY, rng.unit() as f32][rng.below(5) as usize],
        ),
        Storage::I8 | Storage::I16 | Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64 => {
            let any =
                [i128::from(small), i128::MIN, i128::MAX, i128::from(rng.next())][rng.below(4) as usize];
            cast(Value::I128(any), storage)
        }
    }
}

/// Row `row` of packed values.
pub(crate) fn read(storage: Storage, bytes: &[u8], row: usize) -> Value {
    fn at<T: Element>(bytes: &[u8], row: usize) -> Value {
        bytemuck::pod_read_unaligned::<T>(&bytes[row * size_of::<T>()..][..size_of::<T>()]).into_value()
    }
    dispatch!(storage, T => at::<T>(bytes, row), bit => Value::Bit(bytes[row / 8] >> (row % 8) & 1 == 1))
}

/// Equality in which NaN equals NaN, and zeros of different sign differ.
pub(crate) fn same(a: &Cell, b: &Cell) -> bool {
    match (a, b) {
        (Cell::Value(Value::F64(a)), Cell::Value(Value::F64(b))) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        (Cell::Value(Value::F32(a)), Cell::Value(Value::F32(b))) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        (a, b) => a == b,
    }
}

/// The arithmetic operations of random programs.
const ARITHMETIC: [BinaryOp; 8] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::FloorDiv,
    BinaryOp::Mod,
    BinaryOp::Min,
    BinaryOp::Max,
];

/// Adds a step over registers of matching storage types and returns its register.
pub(crate) fn random_step(builder: &mut Builder, inputs: usize, rng: &mut Rng) -> Register {
    const NUMBERS: [Storage; 4] = [Storage::I64, Storage::F64, Storage::I32, Storage::I128];
    random_step_of(&NUMBERS, builder, inputs, rng)
}

/// [`random_step`] of these numbers.
pub(crate) fn random_step_of(
    numbers: &[Storage],
    builder: &mut Builder,
    inputs: usize,
    rng: &mut Rng,
) -> Register {
    let storage = numbers[rng.below(numbers.len() as u64) as usize];
    let bit = Storage::Bit;
    match rng.below(11) {
        0 | 1 => {
            let (lhs, rhs) = (pick(builder, storage, rng), pick(builder, storage, rng));
            let op = ARITHMETIC[rng.below(8) as usize];
            // The tests of `binary` cover the modulo of infinities.
            let op = if storage.is_float() && !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
                BinaryOp::Div
            } else {
                op
            };
            builder.step(Op::Binary { op, lhs, rhs }, storage)
        }
        2 | 3 => {
            let storage = if rng.below(8) == 0 { bit } else { storage };
            let (lhs, rhs) = (pick(builder, storage, rng), pick(builder, storage, rng));
            let op = CompareOp::ALL[rng.below(6) as usize];
            builder.step(Op::Compare { op, lhs, rhs }, bit)
        }
        4 => {
            let (lhs, rhs) = (pick(builder, bit, rng), pick(builder, bit, rng));
            builder.step(if rng.below(2) == 0 { Op::And { lhs, rhs } } else { Op::Or { lhs, rhs } }, bit)
        }
        5 => {
            let arg = pick(builder, bit, rng);
            builder.step(Op::Not { arg }, bit)
        }
        6 => builder.step(Op::IsNull { arg: rng.below(inputs as u64) as usize }, bit),
        7 => {
            let storage = if rng.below(4) == 0 { bit } else { storage };
            let condition = pick(builder, bit, rng);
            let (then, otherwise) = (pick(builder, storage, rng), pick(builder, storage, rng));
            builder.step(Op::Select { condition, then, otherwise }, storage)
        }
        8 => {
            let (lhs, rhs) = (pick(builder, Storage::I64, rng), pick(builder, Storage::I64, rng));
            builder.step(Op::MulWide { lhs, rhs }, Storage::I128)
        }
        9 => {
            let arg = pick(builder, storage, rng);
            let ops = UnaryOp::ALL.into_iter().filter(|op| op.takes(storage));
            let ops: Vec<UnaryOp> = ops.collect();
            let op = ops[rng.below(ops.len() as u64) as usize];
            builder.step(Op::Unary { op, arg }, storage)
        }
        _ => {
            let from = if rng.below(4) == 0 { bit } else { storage };
            let arg = pick(builder, from, rng);
            let to = if rng.below(6) == 0 { bit } else { numbers[rng.below(numbers.len() as u64) as usize] };
            builder.step(Op::Cast { arg }, to)
        }
    }
}

/// A register of that storage type: an input, a step or a new constant.
fn pick(builder: &mut Builder, storage: Storage, rng: &mut Rng) -> Register {
    let known: Vec<Register> =
        (0..builder.registers()).filter(|&r| builder.storage(r) == Some(storage)).collect();
    let choice = rng.below(known.len() as u64 + 1) as usize;
    if let Some(&register) = known.get(choice) {
        return register;
    }
    let value = (rng.below(8) > 0).then(|| random(storage, rng));
    builder.step(Op::Constant(value), storage)
}

/// The value of `register` in one row, from the values of the inputs in that row.
pub(crate) fn row(program: &Program, inputs: &[Cell], register: Register) -> Cell {
    let Some(step) = register.checked_sub(inputs.len()) else {
        return inputs[register].clone();
    };
    let step = &program.steps()[step];
    let cell = |register: Register| row(program, inputs, register);
    let value = |register: Register| match cell(register) {
        Cell::Value(value) => Some(value),
        _ => None,
    };
    let text = |register: Register| match cell(register) {
        Cell::String(text) => Some(text),
        _ => None,
    };
    let truth = |register: Register| value(register).map(|value| value == Value::Bit(true));
    let result = match &step.op {
        Op::Constant(constant) => *constant,
        &Op::Binary { op, lhs, rhs } => value(lhs).zip(value(rhs)).and_then(|(a, b)| binary(op, a, b)),
        &Op::MulWide { lhs, rhs } => {
            value(lhs).zip(value(rhs)).map(|(a, b)| Value::I128(integer(a).wrapping_mul(integer(b))))
        }
        &Op::Compare { op, lhs, rhs } => {
            value(lhs).zip(value(rhs)).map(|(a, b)| Value::Bit(compare(op, a, b)))
        }
        &Op::And { lhs, rhs } => match (truth(lhs), truth(rhs)) {
            (Some(false), _) | (_, Some(false)) => Some(Value::Bit(false)),
            (Some(true), Some(true)) => Some(Value::Bit(true)),
            _ => None,
        },
        &Op::Or { lhs, rhs } => match (truth(lhs), truth(rhs)) {
            (Some(true), _) | (_, Some(true)) => Some(Value::Bit(true)),
            (Some(false), Some(false)) => Some(Value::Bit(false)),
            _ => None,
        },
        &Op::Unary { op, arg } => value(arg).map(|value| unary(op, value)),
        &Op::Not { arg } => truth(arg).map(|truth| Value::Bit(!truth)),
        &Op::IsNull { arg } => Some(Value::Bit(cell(arg) == Cell::Null)),
        &Op::Cast { arg } => value(arg).map(|value| cast(value, step.storage)),
        &Op::Select { condition, then, otherwise } => {
            if truth(condition) == Some(true) {
                value(then)
            } else {
                value(otherwise)
            }
        }
        Op::StringCompare { op, arg, literal } => {
            text(*arg).map(|text| Value::Bit(holds(*op, text.as_bytes().cmp(literal))))
        }
        &Op::StringCompareColumns { op, lhs, rhs } => {
            text(lhs).zip(text(rhs)).map(|(a, b)| Value::Bit(holds(op, a.cmp(&b))))
        }
        Op::StringMatch { op, arg, pattern } => text(*arg).map(|text| {
            let pattern = &**pattern;
            Value::Bit(match op {
                MatchOp::Prefix => text.starts_with(pattern),
                MatchOp::Suffix => text.ends_with(pattern),
                MatchOp::Contains => text.contains(pattern),
                MatchOp::Like | MatchOp::LikeEscape(_) => panic!("the tests of `matches` cover LIKE"),
            })
        }),
        &Op::Checked { op, lhs, rhs } => value(lhs).zip(value(rhs)).and_then(|(a, b)| binary(op, a, b)),
        &Op::Decimal { op, lhs, rhs } => value(lhs).zip(value(rhs)).and_then(|(a, b)| binary(op, a, b)),
        &Op::DivideDecimal { lhs, rhs, power } => value(lhs).zip(value(rhs)).and_then(|(a, b)| {
            let quotient = divide_decimal(integer(a), integer(b), power).map(Value::I128);
            quotient.filter(|_| integer(b) != 0)
        }),
        &Op::CastChecked { arg } => value(arg).map(|value| cast(value, step.storage)),
        // Monday, the fourth day before 1970-01-01, is 0. Days are clamped.
        &Op::ExtractChecked { part: DatePart::Weekday, unit, arg } => value(arg).map(|value| {
            let day = day_of(integer(value), unit).clamp(i32::MIN.into(), i32::MAX.into());
            Value::I32((day + 3).rem_euclid(7) as i32)
        }),
        Op::Lookup { codes, table } => value(*codes).and_then(|code| {
            let code = integer(code) as usize;
            let bit = |words: &[u64]| words[code / 64] >> (code % 64) & 1 == 1;
            table.validity.as_ref().is_none_or(|valid| bit(valid)).then(|| Value::Bit(bit(&table.bits)))
        }),
        other => panic!("no reference for {other:?}"),
    };
    result.map_or(Cell::Null, Cell::Value)
}

/// The first step that overflows in a row that `register` depends on: steps are only looked at when they are needed.
/// `is_filter`: it only matters whether the register is true.
pub(crate) fn overflow(
    program: &Program,
    inputs: &[Cell],
    register: Register,
    is_filter: bool,
) -> Option<usize> {
    let index = register.checked_sub(inputs.len())?;
    let step = &program.steps()[index];
    let value = |register: Register| match row(program, inputs, register) {
        Cell::Value(value) => Some(value),
        _ => None,
    };
    let inner = |register: Register| overflow(program, inputs, register, false);
    let holds = |register: Register, bit: bool| value(register) == Some(Value::Bit(bit));
    // An operand matters unless the other one decides, which it does only as a value that is right.
    let beside = |one: Register, other: Register, decides: bool| {
        let is_right = inner(other).is_none();
        let matters = match (is_filter, decides) {
            (true, false) => holds(other, true) || !is_right,
            _ => !(holds(other, decides) && is_right),
        };
        if matters { overflow(program, inputs, one, is_filter) } else { None }
    };
    let pair = |lhs, rhs| Some((integer(value(lhs)?), integer(value(rhs)?)));
    let digits = |value: Option<i128>| value.is_none_or(|value| value.unsigned_abs() >= 10_u128.pow(38));
    let exact = |op, (a, b): (i128, i128)| match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        _ => a.checked_mul(b),
    };
    let below = match step.op {
        Op::Select { condition, then, otherwise } => {
            let branch = if holds(condition, true) { then } else { otherwise };
            let of_condition = overflow(program, inputs, condition, true);
            [of_condition, overflow(program, inputs, branch, is_filter), None]
        }
        Op::And { lhs, rhs } => [beside(lhs, rhs, false), beside(rhs, lhs, false), None],
        Op::Or { lhs, rhs } => [beside(lhs, rhs, true), beside(rhs, lhs, true), None],
        ref op => {
            let (reads, count) = op.reads();
            let below = |k: usize| if k < count { inner(reads[k]) } else { None };
            [below(0), below(1), below(2)]
        }
    };
    let own = match step.op {
        Op::Checked { op, lhs, rhs } => {
            pair(lhs, rhs).is_some_and(|pair| i64::try_from(exact(op, pair).unwrap()).is_err())
        }
        Op::Decimal { op, lhs, rhs } => pair(lhs, rhs).is_some_and(|pair| digits(exact(op, pair))),
        Op::DivideDecimal { lhs, rhs, power } => {
            pair(lhs, rhs).is_some_and(|(a, b)| divide_decimal(a, b, power).is_none())
        }
        Op::ExtractChecked { unit, arg, .. } => {
            value(arg).is_some_and(|value| i32::try_from(day_of(integer(value), unit)).is_err())
        }
        Op::CastChecked { arg } => value(arg).is_some_and(|value| match step.storage {
            Storage::I32 => i32::try_from(integer(value)).is_err(),
            Storage::I64 => i64::try_from(integer(value)).is_err(),
            _ => false,
        }),
        _ => false,
    };
    below.into_iter().flatten().chain(own.then_some(index)).min()
}

/// Adds a step that may overflow, or one that decides whether that counts.
pub(crate) fn random_checked_step(builder: &mut Builder, rng: &mut Rng) -> Register {
    let (bit, long, wide) = (Storage::Bit, Storage::I64, Storage::I128);
    let arithmetic = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul][rng.below(3) as usize];
    match rng.below(13) {
        0 | 1 => {
            let (lhs, rhs) = (pick(builder, long, rng), pick(builder, long, rng));
            builder.step(Op::Checked { op: arithmetic, lhs, rhs }, long)
        }
        10 | 11 => {
            let (lhs, rhs) = (pick(builder, bit, rng), pick(builder, bit, rng));
            builder.step(if rng.below(2) == 0 { Op::And { lhs, rhs } } else { Op::Or { lhs, rhs } }, bit)
        }
        12 => {
            let arg = pick(builder, bit, rng);
            builder.step(Op::Not { arg }, bit)
        }
        2 => {
            let (lhs, rhs) = (pick(builder, wide, rng), pick(builder, wide, rng));
            builder.step(Op::Decimal { op: arithmetic, lhs, rhs }, wide)
        }
        3 => {
            let (lhs, rhs) = (pick(builder, wide, rng), pick(builder, wide, rng));
            builder.step(Op::DivideDecimal { lhs, rhs, power: rng.below(40) as i32 - 5 }, wide)
        }
        4 => {
            let (from, to) =
                [(wide, long), (long, Storage::I32), (Storage::I32, long)][rng.below(3) as usize];
            let arg = pick(builder, from, rng);
            builder.step(Op::CastChecked { arg }, to)
        }
        5 => {
            let arg = pick(builder, long, rng);
            builder.step(Op::Cast { arg }, wide)
        }
        7 => {
            let (arg, unit) = (pick(builder, long, rng), TimeUnit::ALL[1 + rng.below(4) as usize]);
            builder.step(Op::ExtractChecked { part: DatePart::Weekday, unit, arg }, Storage::I32)
        }
        6 => {
            let (lhs, rhs) = (pick(builder, long, rng), pick(builder, long, rng));
            builder.step(Op::Compare { op: CompareOp::ALL[rng.below(6) as usize], lhs, rhs }, bit)
        }
        _ => {
            let storage = [long, wide, bit][rng.below(3) as usize];
            let condition = pick(builder, bit, rng);
            let (then, otherwise) = (pick(builder, storage, rng), pick(builder, storage, rng));
            builder.step(Op::Select { condition, then, otherwise }, storage)
        }
    }
}

/// The day of a time, rounded down.
fn day_of(time: i128, unit: TimeUnit) -> i128 {
    time.div_euclid(86_400 * i128::from(unit.per_second()))
}

fn integer(value: Value) -> i128 {
    match value {
        Value::Bit(v) => v.into(),
        Value::I8(v) => v.into(),
        Value::I16(v) => v.into(),
        Value::I32(v) => v.into(),
        Value::I64(v) => v.into(),
        Value::I128(v) => v,
        Value::U8(v) => v.into(),
        Value::U16(v) => v.into(),
        Value::U32(v) => v.into(),
        Value::U64(v) => v.into(),
        Value::F32(_) | Value::F64(_) => panic!("{value:?} is not an integer"),
    }
}

/// Integers wrap; floats are truncated and saturate.
fn cast(value: Value, to: Storage) -> Value {
    macro_rules! to_storage {
        ($value:expr) => {
            match to {
                Storage::Bit => panic!("bits are told apart by zero"),
                Storage::I8 => Value::I8($value as i8),
                Storage::I16 => Value::I16($value as i16),
                Storage::I32 => Value::I32($value as i32),
                Storage::I64 => Value::I64($value as i64),
                Storage::I128 => Value::I128($value as i128),
                Storage::U8 => Value::U8($value as u8),
                Storage::U16 => Value::U16($value as u16),
                Storage::U32 => Value::U32($value as u32),
                Storage::U64 => Value::U64($value as u64),
                Storage::F32 => Value::F32($value as f32),
                Storage::F64 => Value::F64($value as f64),
            }
        };
    }
    match value {
        Value::F32(value) if to == Storage::Bit => Value::Bit(value != 0.0),
        Value::F64(value) if to == Storage::Bit => Value::Bit(value != 0.0),
        Value::F32(value) => to_storage!(value),
        Value::F64(value) => to_storage!(value),
        value if to == Storage::Bit => Value::Bit(integer(value) != 0),
        value => to_storage!(integer(value)),
    }
}

fn unary(op: UnaryOp, value: Value) -> Value {
    macro_rules! of_float {
        ($variant:ident, $value:ident) => {
            Value::$variant(match op {
                UnaryOp::Neg => -$value,
                UnaryOp::Abs => $value.abs(),
                UnaryOp::Sqrt => $value.sqrt(),
                UnaryOp::Floor => $value.floor(),
                UnaryOp::Ceil => $value.ceil(),
                UnaryOp::Trunc => $value.trunc(),
                _ => $value.round_ties_even(),
            })
        };
    }
    match value {
        Value::F32(value) => of_float!(F32, value),
        Value::F64(value) => of_float!(F64, value),
        value => {
            let wide = integer(value);
            let result = match op {
                UnaryOp::Neg => wide.wrapping_neg(),
                UnaryOp::Abs => wide.wrapping_abs(),
                _ => !wide,
            };
            cast(Value::I128(result), value.storage())
        }
    }
}

fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    if let (Value::F64(a), Value::F64(b)) = (a, b) {
        return Some(Value::F64(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            _ => a / b,
        }));
    }
    if let (Value::F32(a), Value::F32(b)) = (a, b) {
        return Some(Value::F32(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            _ => a / b,
        }));
    }
    let storage = a.storage();
    let (a, b) = (integer(a), integer(b));
    let zero = b == 0;
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        _ if zero => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::FloorDiv => {
            a.wrapping_sub(a.wrapping_rem(b).wrapping_add(b).wrapping_rem(b)).wrapping_div(b)
        }
        _ => a.wrapping_rem(b).wrapping_add(b).wrapping_rem(b),
    };
    Some(cast(Value::I128(result), storage))
}

fn compare(op: CompareOp, a: Value, b: Value) -> bool {
    let order = match (a, b) {
        (Value::F64(a), Value::F64(b)) => a.partial_cmp(&b),
        (Value::F32(a), Value::F32(b)) => a.partial_cmp(&b),
        (a, b) => Some(integer(a).cmp(&integer(b))),
    };
    // A NaN differs from everything.
    order.map_or(op == CompareOp::Ne, |order| holds(op, order))
}

fn holds(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Eq => order == Ordering::Equal,
        CompareOp::Ne => order != Ordering::Equal,
        CompareOp::Lt => order == Ordering::Less,
        CompareOp::Le => order != Ordering::Greater,
        CompareOp::Gt => order == Ordering::Greater,
        CompareOp::Ge => order != Ordering::Less,
    }
}
