//! Evaluation on a device: consecutive steps in one pass, other steps with the element-wise kernels.
//!
//! A pass or a step is one kernel over whole columns; a result is freed after the last step that reads it.

use super::cuda;
use super::demand::{Demand, Overflows, Rows, deciding, fallible, is_checked};
use super::fuse::{Pass, Registers};
use crate::bits::{combine, count};
use crate::copying::concat::concat;
use crate::copying::copy_if_else::copy_if_else;
use crate::copying::gather::{MapNulls, gather};
use crate::datetime::add_months::add_months_by_row;
use crate::datetime::extract::{extract, extract_by_row};
use crate::datetime::local_time::local_time_by_row;
use crate::elementwise::Operand;
use crate::elementwise::binary::{BinaryOp, Limit, binary, binary_by_row};
use crate::elementwise::cast::{CastMode, cast, cast_by_row};
use crate::elementwise::compare::compare;
use crate::elementwise::compare_exact::{compare_float, compare_scaled};
use crate::elementwise::divide_decimals::divide_decimals_by_row;
use crate::elementwise::logical::{LogicalOp, logical, not};
use crate::elementwise::math::math;
use crate::elementwise::mul_wide::mul_wide;
use crate::elementwise::null_test::{NullTest, null_test};
use crate::elementwise::overflow::Checked;
use crate::elementwise::rescale::rescale_by_row;
use crate::elementwise::round::round_by_row;
use crate::elementwise::unary::unary;
use crate::expression::{Op, Program, Register, Table};
use crate::filling::fill::{fill, nulls};
use crate::strings::compare_string::{StringOperand, compare as compare_string};
use crate::strings::matches::matches;
use crate::{
    Bits, ColumnData, Error, Fixed, FixedData, Result, RowMap, RowWidth, Storage, StringsView, View,
};
use columnade_buffers::{Buffer, Exec};

/// Digits of the largest decimal.
const DIGITS: u32 = 38;

pub(super) fn evaluate(
    program: &Program,
    inputs: &[View<'_>],
    rows: usize,
    outputs: &[Register],
    filter: Option<Register>,
    exec: &Exec,
) -> Result<Vec<FixedData>> {
    // The host waits once, after all steps.
    let exec = &exec.deferring_faults();
    let needed = program.needed(outputs.iter().copied());
    let last_reads = last_reads(program, &needed, outputs);
    let masked: Vec<bool> = inputs.iter().map(|view| view.validity_bits().is_some()).collect();
    let nullable = program.nullable(&masked);
    let registers = Registers { program, needed: &needed, last_reads: &last_reads, nullable: &nullable };
    let mut columns = Columns { inputs, rows, program, computed: vec![None; program.steps().len()] };
    // Bits only: of the rows that may overflow.
    let mut overflowed = Vec::new();
    for (steps, pass) in registers.split() {
        if let Some(pass) = &pass {
            columns.run_pass(pass, exec)?;
        } else if registers.is_computed(steps.start) {
            let step = &program.steps()[steps.start];
            let (column, overflow) = columns.run(&step.op, step.storage, exec)?;
            columns.computed[steps.start] = Some(column);
            overflowed.extend(overflow.map(|bits| (steps.start, DeviceRows { bits, rows, exec })));
        }
        for index in steps {
            let (reads, count) = program.steps()[index].op.reads();
            for &read in &reads[..count] {
                if last_reads[read] == Some(index) && read >= inputs.len() {
                    columns.computed[read - inputs.len()] = None;
                }
            }
        }
    }
    if !overflowed.is_empty() && exec.take_fault()?.is_some() {
        let demand = match filter {
            Some(filter) => Demand::Some(columns.rows_where(filter, true, exec)?),
            None => Demand::All,
        };
        let demands = outputs.iter().map(|&register| (register, demand.clone())).collect();
        let overflows = Overflows::new(program, &overflowed);
        overflows.check(demands, filter, |register, value| columns.rows_where(register, value, exec))?;
    }
    outputs.iter().map(|&register| columns.output(register, exec)).collect()
}

/// A bit for each row.
#[derive(Clone)]
struct DeviceRows<'e> {
    bits: Buffer,
    rows: usize,
    exec: &'e Exec,
}

impl DeviceRows<'_> {
    fn bits(&self) -> Bits<'_> {
        Bits { buffer: &self.bits, offset: 0, len: self.rows }
    }
}

impl Rows for DeviceRows<'_> {
    fn and(&self, other: &Self) -> Result<Self> {
        Ok(Self { bits: combine::and(self.bits(), other.bits(), self.exec)?, ..*self })
    }

    fn and_not(&self, other: &Self) -> Result<Self> {
        Ok(Self { bits: combine::and_not(self.bits(), other.bits(), self.exec)?, ..*self })
    }

    fn or(&self, other: &Self) -> Result<Self> {
        Ok(Self { bits: combine::or(self.bits(), other.bits(), self.exec)?, ..*self })
    }

    fn not(&self) -> Result<Self> {
        Ok(Self { bits: combine::not(self.bits(), self.exec)?, ..*self })
    }

    fn any(&self) -> Result<bool> {
        Ok(count::count_ones(self.bits(), self.exec)? > 0)
    }
}

/// Read after all steps.
const AT_END: usize = usize::MAX;

/// The last step that reads each register. Outputs are read after all steps, and where steps may overflow those too that tell
/// whether a row that overflows counts.
fn last_reads(program: &Program, needed: &[bool], outputs: &[Register]) -> Vec<Option<usize>> {
    let inputs = program.inputs().len();
    let mut last = vec![None; inputs + program.steps().len()];
    let steps = || program.steps().iter().enumerate().filter(|(index, _)| needed[inputs + index]);
    let fallible = steps().any(|(_, step)| is_checked(&step.op)).then(|| fallible(program));
    for (index, step) in steps() {
        let (reads, count) = step.op.reads();
        for &read in &reads[..count] {
            last[read] = last[read].max(Some(index));
        }
        if let Some(fallible) = &fallible {
            for register in deciding(&step.op, fallible).into_iter().flatten() {
                last[register] = Some(AT_END);
            }
        }
    }
    for &register in outputs {
        last[register] = Some(AT_END);
    }
    last
}

/// The registers as columns.
struct Columns<'a> {
    inputs: &'a [View<'a>],
    rows: usize,
    program: &'a Program,
    computed: Vec<Option<FixedData>>,
}

impl Columns<'_> {
    /// The rows where a bit register is valid and has this value.
    fn rows_where<'e>(&self, register: Register, value: bool, exec: &'e Exec) -> Result<DeviceRows<'e>> {
        let column = self.column(register, exec)?;
        let view = column.view();
        let values = Bits { buffer: view.data, offset: view.offset, len: view.len };
        let bits = match (view.validity_bits(), value) {
            (Some(valid), true) => combine::and(values, valid, exec)?,
            (Some(valid), false) => combine::and_not(valid, values, exec)?,
            (None, true) => combine::copy(values, exec)?,
            (None, false) => combine::not(values, exec)?,
        };
        Ok(DeviceRows { bits, rows: self.rows, exec })
    }

    fn run_pass(&mut self, pass: &Pass, exec: &Exec) -> Result<()> {
        let input = |&register: &Register| match self.inputs.get(register) {
            Some(input) => Ok(*input),
            None => match &self.computed[register - self.inputs.len()] {
                Some(column) => Ok(View::Fixed(column.view())),
                None => Err(Error::Internal { invariant: "a register lives as long as a step reads it" }),
            },
        };
        let inputs: Vec<View<'_>> = pass.inputs.iter().map(input).collect::<Result<_>>()?;
        let results = cuda::evaluate(pass, &inputs, self.rows, exec)?;
        for (output, result) in pass.outputs.iter().zip(results) {
            self.computed[output.register - self.inputs.len()] = Some(result);
        }
        Ok(())
    }

    /// The column of a step, and where it may overflow the rows that do.
    fn run(&self, op: &Op, storage: Storage, exec: &Exec) -> Result<Checked> {
        let column = match op {
            &Op::Checked { op, lhs, rhs } => {
                return self
                    .pair(lhs, rhs, exec, |lhs, rhs| binary_by_row(op, lhs, rhs, Limit::Storage, exec));
            }
            &Op::Decimal { op, lhs, rhs } => {
                let limit = Limit::Digits(DIGITS);
                return self.pair(lhs, rhs, exec, |lhs, rhs| binary_by_row(op, lhs, rhs, limit, exec));
            }
            &Op::DivideDecimal { lhs, rhs, power } => {
                return self.pair(lhs, rhs, exec, |lhs, rhs| divide_decimals_by_row(lhs, rhs, power, exec));
            }
            &Op::CastChecked { arg } => {
                return cast_by_row(&self.column(arg, exec)?.view(), storage, CastMode::Checked, exec);
            }
            &Op::ExtractChecked { part, unit, arg } => {
                return extract_by_row(part, &self.column(arg, exec)?.view(), unit, exec);
            }
            &Op::Round { arg, decimals } => {
                return round_by_row(&self.column(arg, exec)?.view(), decimals, exec);
            }
            &Op::AddMonths { days, months } => {
                return self.pair(days, months, exec, |days, months| add_months_by_row(days, months, exec));
            }
            &Op::LocalTime { unit, ref zone, arg } => {
                return local_time_by_row(&self.column(arg, exec)?.view(), unit, zone, exec);
            }
            &Op::Rescale { arg, power, digits } => return self.rescale(arg, storage, power, digits, exec),
            &Op::Unary { op, arg } => unary(op, &self.column(arg, exec)?.view(), exec),
            &Op::Math { op, lhs, rhs } => self.pair(lhs, rhs, exec, |lhs, rhs| math(op, lhs, rhs, exec)),
            &Op::CompareScaled { op, lhs, rhs, factor } => {
                self.pair(lhs, rhs, exec, |lhs, rhs| compare_scaled(op, lhs, rhs, factor, exec))
            }
            &Op::CompareFloat { op, lhs, rhs } => {
                self.pair(lhs, rhs, exec, |lhs, rhs| compare_float(op, lhs, rhs, exec))
            }
            Op::Constant(_) => Err(Error::Internal { invariant: "constants are operands and no steps" }),
            &Op::Binary { op, lhs, rhs } => self.pair(lhs, rhs, exec, |lhs, rhs| binary(op, lhs, rhs, exec)),
            &Op::MulWide { lhs, rhs } => self.pair(lhs, rhs, exec, |lhs, rhs| mul_wide(lhs, rhs, exec)),
            &Op::Compare { op, lhs, rhs } => {
                self.pair(lhs, rhs, exec, |lhs, rhs| compare(op, lhs, rhs, exec))
            }
            &Op::And { lhs, rhs } => {
                self.pair(lhs, rhs, exec, |lhs, rhs| logical(LogicalOp::And, lhs, rhs, exec))
            }
            &Op::Or { lhs, rhs } => {
                self.pair(lhs, rhs, exec, |lhs, rhs| logical(LogicalOp::Or, lhs, rhs, exec))
            }
            &Op::Not { arg } => not(&self.column(arg, exec)?.view(), exec),
            &Op::IsNull { arg } => match self.inputs.get(arg) {
                Some(input) => null_test(NullTest::IsNull, input, exec),
                None => null_test(NullTest::IsNull, &View::Fixed(self.column(arg, exec)?.view()), exec),
            },
            &Op::Cast { arg } => cast(&self.column(arg, exec)?.view(), storage, CastMode::Wrap, exec),
            &Op::Select { condition, then, otherwise } => {
                let (condition, then) = (self.column(condition, exec)?, self.column(then, exec)?);
                let otherwise = self.column(otherwise, exec)?;
                let (then, otherwise) = (View::Fixed(then.view()), View::Fixed(otherwise.view()));
                fixed(copy_if_else(&condition.view(), &then, &otherwise, exec)?)
            }
            &Op::Extract { part, unit, arg } => extract(part, &self.column(arg, exec)?.view(), unit, exec),
            Op::StringCompare { op, arg, literal } => compare_string(
                *op,
                StringOperand::Column(self.strings(*arg)?),
                StringOperand::Value(literal),
                exec,
            ),
            &Op::StringCompareColumns { op, lhs, rhs } => compare_string(
                op,
                StringOperand::Column(self.strings(lhs)?),
                StringOperand::Column(self.strings(rhs)?),
                exec,
            ),
            Op::StringMatch { op, arg, pattern } => matches(*op, &self.strings(*arg)?, pattern, exec),
            Op::Lookup { codes, table } => self.lookup(*codes, table, exec),
            Op::IsIn { arg, keys } => keys.0.contains(&self.column(*arg, exec)?.view(), exec),
        };
        Ok((column?, None))
    }

    /// Powers beyond 38 digits are those of the host: nothing but zero is left, or fits.
    fn rescale(
        &self,
        arg: Register,
        storage: Storage,
        power: i32,
        digits: u32,
        exec: &Exec,
    ) -> Result<Checked> {
        let column = self.column(arg, exec)?;
        let most = DIGITS.cast_signed();
        if power < -most {
            let zero = Operand::Value(crate::Value::zero(storage));
            let none = binary(BinaryOp::Mul, column.view().into(), zero, exec)?;
            return Ok((none, None));
        }
        rescale_by_row(&column.view(), storage, power.min(most), digits, exec)
    }

    /// Looks up each code in a table: a gather of the table's bits by the codes.
    fn lookup(&self, codes: Register, table: &Table, exec: &Exec) -> Result<FixedData> {
        let codes = self.column(codes, exec)?;
        // A null code becomes the index "no such row"; gathering that gives a null.
        let rows = cast(&codes.view(), Storage::U32, CastMode::Wrap, exec)?;
        let rows = if rows.validity.is_none() {
            rows.data
        } else {
            let valid = null_test(NullTest::IsValid, &View::Fixed(codes.view()), exec)?;
            let none = fill(crate::Value::U32(RowMap::NONE_U32), self.rows, exec)?;
            let plain = FixedData { validity: None, ..rows };
            let (yes, no) = (View::Fixed(plain.view()), View::Fixed(none.view()));
            fixed(copy_if_else(&valid.view(), &yes, &no, exec)?)?.data
        };
        let map = RowMap { rows, width: RowWidth::U32, len: self.rows };
        let bits = Buffer::from_slice(&table.bits, exec)?;
        let validity = table.validity.as_ref().map(|words| Buffer::from_slice(words, exec)).transpose()?;
        let answers = Fixed {
            storage: Storage::Bit,
            data: &bits,
            validity: validity.as_ref(),
            offset: 0,
            len: table.len,
        };
        let nulls = if codes.view().validity.is_some() { MapNulls::Possible } else { MapNulls::Never };
        fixed(gather(&View::Fixed(answers), &map, nulls, exec)?)
    }

    /// A register as an operand; constants remain scalars.
    fn operand(&self, register: Register) -> Result<Operand<'_>> {
        if let Some(input) = self.inputs.get(register) {
            return Ok(Operand::Column(input.as_fixed()?));
        }
        let step = register - self.inputs.len();
        match (&self.program.steps()[step].op, &self.computed[step]) {
            (Op::Constant(Some(value)), _) => Ok(Operand::Value(*value)),
            (Op::Constant(None), _) => Ok(Operand::Null(self.program.steps()[step].storage)),
            (_, Some(column)) => Ok(Operand::Column(column.view())),
            (_, None) => Err(Error::Internal { invariant: "a register lives as long as a step reads it" }),
        }
    }

    /// Calls `f` with two operands, at least one of them a column: two constants have no number of rows.
    fn pair<R>(
        &self,
        lhs: Register,
        rhs: Register,
        exec: &Exec,
        f: impl FnOnce(Operand<'_>, Operand<'_>) -> Result<R>,
    ) -> Result<R> {
        let (left, right) = (self.operand(lhs)?, self.operand(rhs)?);
        if left.rows().is_none() && right.rows().is_none() {
            return f(Operand::Column(self.column(lhs, exec)?.view()), right);
        }
        f(left, right)
    }

    /// A register as an owned column or a view of an input.
    fn column(&self, register: Register, exec: &Exec) -> Result<Whole<'_>> {
        Ok(match self.operand(register)? {
            Operand::Column(view) if self.rows == view.len => Whole::View(view),
            Operand::Column(view) => {
                return Err(Error::LengthMismatch { left: self.rows, right: view.len });
            }
            Operand::Value(value) => Whole::Own(fill(value, self.rows, exec)?),
            Operand::Null(storage) => Whole::Own(nulls(storage, self.rows, exec)?),
        })
    }

    fn strings(&self, register: Register) -> Result<StringsView<'_>> {
        match self.inputs.get(register) {
            Some(View::String(strings)) => Ok(*strings),
            _ => Err(Error::Internal { invariant: "string steps read string inputs" }),
        }
    }

    fn output(&self, register: Register, exec: &Exec) -> Result<FixedData> {
        if let Some(step) = register.checked_sub(self.inputs.len())
            && let Some(column) = &self.computed[step]
        {
            return Ok(column.clone());
        }
        self.column(register, exec)?.into_owned(exec)
    }
}

/// A materialised register, one value per row.
enum Whole<'a> {
    View(Fixed<'a>),
    Own(FixedData),
}

impl Whole<'_> {
    fn view(&self) -> Fixed<'_> {
        match self {
            Whole::View(view) => *view,
            Whole::Own(data) => data.view(),
        }
    }

    /// The buffers of the column; an input column is copied.
    fn into_owned(self, exec: &Exec) -> Result<FixedData> {
        match self {
            Whole::View(view) => fixed(concat(&[View::Fixed(view)], exec)?),
            Whole::Own(data) => Ok(data),
        }
    }
}

fn fixed(data: ColumnData) -> Result<FixedData> {
    match data {
        ColumnData::Fixed(fixed) => Ok(fixed),
        ColumnData::String(_) => Err(Error::Internal { invariant: "columns of fixed width stay so" }),
    }
}
