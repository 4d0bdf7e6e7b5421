//! Lowers typed expressions to a program over storage types.

mod cast;
mod decimal;
mod estimate;
mod inputs;
mod numbers;
mod strings;

pub(super) use self::estimate::column_bytes;
pub(super) use self::inputs::{Columns, is_output_column};
use self::inputs::{Inputs, input, is_column, is_dictionary_column, source};
use self::numbers::{Number, Numbers};
use super::functions::Element;
use super::typed::TypedNode;
use super::{Arithmetic, Comparison, Expr, Members, Part, Typed};
use crate::cast::kernel_unit;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result, Scalar, TimeUnit};
use columnade_kernels::datetime::extract::{DatePart, TimeUnit as KernelUnit};
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::elementwise::compare::CompareOp;
use columnade_kernels::elementwise::unary::UnaryOp;
use columnade_kernels::expression::evaluate::evaluate_where;
use columnade_kernels::expression::{Builder, Op, Program, Register, SharedKeys};
use columnade_kernels::{ColumnData, Storage, Value, View};
use std::collections::HashMap;

/// A program, the columns that it reads, and the registers of the requested expressions.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// One column per input.
    pub(crate) inputs: Vec<Column>,
    /// One register per expression.
    pub(crate) outputs: Vec<Register>,
    /// The origin of each step.
    steps: Vec<StepOrigin>,
    exprs: Vec<Expr>,
}

/// The origin of a step.
#[derive(Clone, Debug)]
struct StepOrigin {
    /// The dtype of the value that it computes, alone or with other steps.
    dtype: DType,
    /// The register and the dtype of the value that it casts.
    cast: Option<(Register, DType)>,
    /// The position of the expression.
    expression: usize,
}

impl Lowered {
    /// Lowers expressions over the columns of `frame`.
    ///
    /// # Errors
    /// [`Error::NotImplemented`] for an expression that no step computes; errors of testing the values of a
    /// dictionary.
    pub(crate) fn new<'a>(
        exprs: &[(&Expr, &'a Typed)],
        frame: &'a ColumnAccessor,
        exec: &'a Exec,
    ) -> Result<Self> {
        Self::within(exprs, &mut Columns::new(exprs.iter().map(|&(_, typed)| typed), frame, exec))
    }

    /// [`new`](Self::new), with the columns that other expressions share.
    ///
    /// # Errors
    /// [`Error::NotImplemented`] for an expression that no step computes; errors of testing the values of a dictionary.
    pub(super) fn within<'a>(exprs: &[(&Expr, &'a Typed)], columns: &mut Columns<'a>) -> Result<Self> {
        let mut read = Inputs::default();
        for &(expr, typed) in exprs {
            read.add(expr, typed, columns).map_err(|error| in_expression(error, expr))?;
        }
        let Inputs { labels, places, computed, sets, .. } = read;
        let (frame, exec) = (columns.frame, columns.exec);
        let of_frame = labels.iter().map(|label| input(frame.get(label)?, exec));
        let mut inputs = of_frame.collect::<Result<Vec<_>>>()?;
        let mut of_computed = HashMap::with_capacity(computed.len());
        for (number, column) in &computed {
            of_computed.entry(*number).or_insert(inputs.len());
            inputs.push(input(column, exec)?);
        }
        let sources = inputs.iter().map(source).collect::<Result<_>>()?;
        let mut lowering = Lowering {
            builder: Builder::new(sources),
            numbers: &columns.numbers,
            registers: vec![None; columns.numbers.len()],
            columns: places,
            computed: of_computed,
            sets,
            inputs,
            steps: Vec::new(),
            expression: 0,
            exec,
        };
        let mut outputs = Vec::new();
        for (position, (expr, typed)) in exprs.iter().enumerate() {
            lowering.expression = position;
            outputs.push(lowering.lower(typed).map_err(|error| in_expression(error, expr))?);
        }
        let Lowering { builder, inputs, steps, .. } = lowering;
        let exprs = exprs.iter().map(|&(expr, _)| expr.clone()).collect();
        Ok(Self { program: builder.finish(), inputs, outputs, steps, exprs })
    }

    /// The inputs as kernel views.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for a column that no kernel supports.
    pub(crate) fn views(&self) -> Result<Vec<View<'_>>> {
        self.inputs.iter().map(Column::view).collect()
    }

    /// An error of the program over `rows` rows with its dtype and expression; of a cast also with the first row that counts
    /// and its value. `filter`: as of [`evaluate_where`].
    pub(crate) fn locate(
        &self,
        error: columnade_kernels::Error,
        rows: usize,
        filter: Option<Register>,
        exec: &Exec,
    ) -> Error {
        let columnade_kernels::Error::StepOverflow { step, .. } = error else { return error.into() };
        let Some(origin) = self.steps.get(step) else { return error.into() };
        let (overflow, origin) = if origin.cast.is_some() {
            match self.first_refused(rows, filter, exec) {
                Ok(Some(found)) => found,
                Ok(None) => (Error::Overflow { dtype: origin.dtype.clone() }, origin),
                Err(error) => return error,
            }
        } else {
            (Error::Overflow { dtype: origin.dtype.clone() }, origin)
        };
        match self.exprs.get(origin.expression) {
            Some(expr) => overflow.in_expression(expr),
            None => overflow,
        }
    }

    /// The error of the first row that overflows, and the step that computes it; `None` if no row overflows by itself.
    fn first_refused(
        &self,
        rows: usize,
        filter: Option<Register>,
        exec: &Exec,
    ) -> Result<Option<(Error, &StepOrigin)>> {
        let evaluated = |first: usize, count: usize, outputs: &[Register], filter: Option<Register>| {
            let inputs = self.inputs.iter().map(|input| input.slice(first, count));
            let inputs = inputs.collect::<Result<Vec<_>>>()?;
            let views = inputs.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
            match evaluate_where(&self.program, &views, count, outputs, filter, exec) {
                Err(columnade_kernels::Error::StepOverflow { step, .. }) => Ok(Err(step)),
                Err(error) => Err(Error::from(error)),
                Ok(data) => Ok(Ok(data)),
            }
        };
        let (mut first, mut end) = (0, rows);
        // A row in here overflows, and none before.
        while end.saturating_sub(first) > 1 {
            let middle = first + (end - first) / 2;
            match evaluated(first, middle - first, &self.outputs, filter)? {
                Ok(_) => first = middle,
                Err(_) => end = middle,
            }
        }
        let Err(step) = evaluated(first, end - first, &self.outputs, filter)? else { return Ok(None) };
        let Some(origin) = self.steps.get(step) else { return Ok(None) };
        let Some((register, from)) = &origin.cast else {
            return Ok(Some((Error::Overflow { dtype: origin.dtype.clone() }, origin)));
        };
        let Ok(mut data) = evaluated(first, end - first, &[*register], None)? else { return Ok(None) };
        let Some(data) = data.pop() else { return Ok(None) };
        let value = Column::from_data(from.clone(), ColumnData::Fixed(data))?.get(0)?.to_string();
        Ok(Some((Error::ValueOverflow { row: first, value, dtype: origin.dtype.clone() }, origin)))
    }
}

/// An error with its expression, if it is not about memory and has none yet.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn in_expression(error: Error, expr: &Expr) -> Error {
    match error {
        Error::Memory(_) | Error::Context { .. } => error,
        other => other.in_expression(expr),
    }
}

/// A program under construction.
struct Lowering<'a> {
    builder: Builder,
    numbers: &'a Numbers<'a>,
    /// The register of each node that is lowered, by its number.
    registers: Vec<Option<Register>>,
    /// The inputs that are columns of the frame.
    columns: HashMap<Label, Register>,
    /// The inputs that are nodes.
    computed: HashMap<Number, Register>,
    sets: Vec<(Number, SharedKeys)>,
    inputs: Vec<Column>,
    steps: Vec<StepOrigin>,
    /// The position of the expression being lowered.
    expression: usize,
    exec: &'a Exec,
}

impl Lowering<'_> {
    fn lower(&mut self, typed: &Typed) -> Result<Register> {
        // Operands before what uses them, so that a deep expression does not take a deep stack.
        let mut open = vec![typed];
        while let Some(&next) = open.last() {
            if self.known(next)?.is_none() {
                let count = open.len();
                for operand in self.operands(next)?.into_iter().rev() {
                    if self.known(operand)?.is_none() {
                        open.push(operand);
                    }
                }
                if open.len() > count {
                    continue;
                }
                let register = self.lower_node(next)?;
                self.note_node(next)?;
                self.registers[self.numbers.of(next)?] = Some(register);
            }
            open.pop();
        }
        self.known(typed)?.ok_or(Error::Internal { invariant: "a node is lowered after its operands" })
    }

    /// The register of a node that is lowered.
    fn known(&self, typed: &Typed) -> Result<Option<Register>> {
        Ok(self.registers.get(self.numbers.of(typed)?).copied().flatten())
    }

    /// The operands that a node reads from registers. Constants of decimals may be in other units.
    fn operands<'t>(&self, typed: &'t Typed) -> Result<Vec<&'t Typed>> {
        if is_column(typed) || self.input(typed)?.is_some() {
            return Ok(Vec::new());
        }
        let is_read = |operand: &&Typed| {
            let is_decimal_constant =
                operand.dtype.is_decimal() && matches!(operand.node, TypedNode::Constant(_));
            storage(&operand.dtype).is_ok() && !is_decimal_constant
        };
        Ok(typed.children().into_iter().filter(is_read).collect())
    }

    /// Records that the steps since the last call compute a value of `dtype`.
    fn note(&mut self, dtype: &DType) {
        self.note_cast(dtype, None);
    }

    fn note_cast(&mut self, dtype: &DType, cast: Option<(Register, DType)>) {
        let origin = StepOrigin { dtype: dtype.clone(), cast, expression: self.expression };
        self.steps.resize(self.builder.registers() - self.inputs.len(), origin);
    }

    /// Records that the steps since the last call compute a node.
    fn note_node(&mut self, typed: &Typed) -> Result<()> {
        if let TypedNode::Element(Element::AddMonths, arguments) = &typed.node
            && arguments.len() > 2
        {
            // The days of times, which are what does not fit.
            self.note(arguments.last().map_or(&typed.dtype, |time| &time.dtype));
            return Ok(());
        }
        let cast = if let TypedNode::Cast(arg) = &typed.node {
            Some(&**arg)
        } else if let TypedNode::Element(Element::CastChecked, arguments) = &typed.node {
            arguments.first()
        } else {
            None
        };
        let register = cast.map(|arg| self.known(arg)).transpose()?.flatten();
        // A count of units that is checked is named by the dtype of the time that it becomes.
        if let (Some(arg), Some(register)) = (cast, register)
            && matches!(arg.node, TypedNode::Checked(..))
            && typed.dtype.unit().is_some()
            && let Some(origin) =
                register.checked_sub(self.inputs.len()).and_then(|step| self.steps.get_mut(step))
        {
            origin.dtype = typed.dtype.clone();
        }
        let cast = register.zip(cast).map(|(register, arg)| (register, arg.dtype.clone()));
        self.note_cast(&typed.dtype, cast);
        Ok(())
    }

    fn lower_node(&mut self, typed: &Typed) -> Result<Register> {
        let storage = storage(&typed.dtype);
        Ok(match &typed.node {
            TypedNode::Column(_) if typed.dtype.is_nested() || typed.dtype == DType::Null => {
                return Err(Error::UnsupportedDType { dtype: typed.dtype.clone() });
            }
            TypedNode::Column(label) => self.column(label)?,
            TypedNode::Constant(scalar) => self.constant(scalar)?,
            TypedNode::Arithmetic(op, left, right) => {
                if typed.dtype.is_decimal() {
                    return self.decimal_arithmetic(*op, left, right, &typed.dtype);
                }
                let (lhs, rhs) = (self.lower(left)?, self.lower(right)?);
                self.builder.step(Op::Binary { op: binary(*op), lhs, rhs }, storage?)
            }
            TypedNode::Checked(op, left, right) => {
                let (lhs, rhs) = (self.lower(left)?, self.lower(right)?);
                self.builder.step(Op::Checked { op: binary(*op), lhs, rhs }, storage?)
            }
            TypedNode::Abs(arg) => {
                let arg = self.lower(arg)?;
                self.builder.step(Op::Unary { op: UnaryOp::Abs, arg }, storage?)
            }
            TypedNode::Round(arg, decimals) => self.round(arg, *decimals, &typed.dtype)?,
            TypedNode::Compare(op, left, right) => match self.input(typed)? {
                Some(input) => input,
                None => self.compare(*op, left, right)?,
            },
            TypedNode::And(left, right) => {
                let (lhs, rhs) = (self.lower(left)?, self.lower(right)?);
                self.builder.step(Op::And { lhs, rhs }, Storage::Bit)
            }
            TypedNode::Or(left, right) => {
                let (lhs, rhs) = (self.lower(left)?, self.lower(right)?);
                self.builder.step(Op::Or { lhs, rhs }, Storage::Bit)
            }
            TypedNode::Not(arg) => {
                let arg = self.lower(arg)?;
                self.builder.step(Op::Not { arg }, Storage::Bit)
            }
            TypedNode::Negate(arg) => {
                let (rhs, storage) = (self.lower(arg)?, storage?);
                // −x is 0 − x for integers, and −0.0 − x for floats, which keeps the sign of a zero.
                let zero = match storage {
                    Storage::F32 => Value::F32(-0.0),
                    Storage::F64 => Value::F64(-0.0),
                    other @ (Storage::Bit
                    | Storage::I8
                    | Storage::I16
                    | Storage::I32
                    | Storage::I64
                    | Storage::I128
                    | Storage::U8
                    | Storage::U16
                    | Storage::U32
                    | Storage::U64) => Value::zero(other),
                };
                let lhs = self.value(zero);
                self.builder.step(Op::Binary { op: BinaryOp::Sub, lhs, rhs }, storage)
            }
            TypedNode::IsNull(arg) => {
                let arg = match self.input(arg)? {
                    Some(input) => input,
                    None => self.lower(arg)?,
                };
                self.builder.step(Op::IsNull { arg }, Storage::Bit)
            }
            TypedNode::Cast(arg) => self.cast(arg, &typed.dtype)?,
            TypedNode::When { condition, then, otherwise } => {
                if let Some(computed) = self.input(typed)? {
                    return Ok(computed);
                }
                let storage = storage?;
                let condition = self.lower(condition)?;
                let (then, otherwise) = (self.lower(then)?, self.lower(otherwise)?);
                self.builder.step(Op::Select { condition, then, otherwise }, storage)
            }
            TypedNode::Part(name, arg) => {
                let of_day = !matches!(name, Part::Hour | Part::Minute | Part::Second);
                // Times of coarse units reach beyond the days of dates.
                let is_checked =
                    of_day && matches!(arg.dtype.unit(), Some(TimeUnit::Second | TimeUnit::Milli));
                let (arg, unit) = if let DType::TimestampTz(unit, zone) = &arg.dtype {
                    (self.local_time(arg, *unit, TimeUnit::Second, zone)?, Some(TimeUnit::Second))
                } else {
                    (self.lower(arg)?, arg.dtype.unit())
                };
                let (part, unit) = (part(*name), unit.map_or(KernelUnit::Day, kernel_unit));
                if !is_checked {
                    return Ok(self.builder.step(Op::Extract { part, unit, arg }, Storage::I32));
                }
                let checked = self.builder.step(Op::ExtractChecked { part, unit, arg }, Storage::I32);
                self.note(&DType::Date32);
                checked
            }
            TypedNode::Match(test, arg, text) => self.string_match(*test, arg, text)?,
            TypedNode::IsIn(arg, values) => self.is_in(typed, arg, values)?,
            TypedNode::Element(op, arguments) => self.element(*op, arguments, storage?)?,
            TypedNode::Function(..)
            | TypedNode::OfColumns(..)
            | TypedNode::Decode(_)
            | TypedNode::OneRow(_) => {
                let computed = self.input(typed)?;
                computed.ok_or(Error::Internal { invariant: "a function of columns is an input" })?
            }
        })
    }

    fn element(&mut self, op: Element, arguments: &[Typed], storage: Storage) -> Result<Register> {
        let registers = arguments.iter().map(|arg| self.lower(arg)).collect::<Result<Vec<_>>>()?;
        let (Some(&lhs), Some(&rhs)) = (registers.first(), registers.get(1).or(registers.first())) else {
            return Err(Error::Internal { invariant: "a function has its arguments" });
        };
        let op = match op {
            Element::Unary(op) => Op::Unary { op, arg: lhs },
            Element::Math(op) => Op::Math { op, lhs, rhs },
            Element::Binary(op) => Op::Binary { op, lhs, rhs },
            Element::CastChecked => Op::CastChecked { arg: lhs },
            Element::AddMonths => Op::AddMonths { days: lhs, months: rhs },
        };
        Ok(self.builder.step(op, storage))
    }

    /// The register of an expression that is an input.
    fn input(&self, typed: &Typed) -> Result<Option<Register>> {
        if let TypedNode::Column(label) = &typed.node {
            return self.column(label).map(Some);
        }
        Ok(self.computed.get(&self.numbers.of(typed)?).copied())
    }

    fn is_in(&mut self, typed: &Typed, arg: &Typed, values: &Members) -> Result<Register> {
        if let Some(input) = self.input(typed)? {
            return Ok(input);
        }
        if is_dictionary_column(arg) {
            return self.dictionary_is_in(arg, values);
        }
        let number = self.numbers.of(typed)?;
        let keys = self.sets.iter().find(|(known, _)| *known == number).map(|(_, keys)| keys.clone());
        let keys = keys.ok_or(Error::Internal { invariant: "a test of membership has keys or a column" })?;
        let arg = self.lower(arg)?;
        Ok(self.builder.step(Op::IsIn { arg, keys }, Storage::Bit))
    }

    fn column(&self, label: &Label) -> Result<Register> {
        self.columns
            .get(label)
            .copied()
            .ok_or(Error::Internal { invariant: "each column that is read is an input" })
    }

    fn value(&mut self, value: Value) -> Register {
        self.builder.step(Op::Constant(Some(value)), value.storage())
    }

    fn constant(&mut self, scalar: &Scalar) -> Result<Register> {
        let storage = storage(&scalar.dtype())?;
        Ok(self.builder.step(Op::Constant(scalar.to_value()), storage))
    }

    /// A comparison of which the side with fewer units is multiplied by a factor.
    fn compare_scaled(
        &mut self,
        op: Comparison,
        (lhs, rhs): (Register, Register),
        scales_right: bool,
        factor: i128,
    ) -> Register {
        let (op, lhs, rhs) =
            if scales_right { (compare(op), lhs, rhs) } else { (compare(op.flipped()), rhs, lhs) };
        self.builder.step(Op::CompareScaled { op, lhs, rhs, factor }, Storage::Bit)
    }

    fn compare(&mut self, op: Comparison, left: &Typed, right: &Typed) -> Result<Register> {
        if left.dtype.logical().is_bytes() {
            return self.string_compare(op, left, right);
        }
        if left.dtype.is_decimal() && right.dtype.is_decimal() {
            return self.decimal_compare(op, left, right);
        }
        let (lhs, rhs) = (self.lower(left)?, self.lower(right)?);
        if left.dtype.is_integer() && right.dtype.is_float() {
            return Ok(self.builder.step(Op::CompareFloat { op: compare(op), lhs, rhs }, Storage::Bit));
        }
        if left.dtype.is_float() && right.dtype.is_integer() {
            let op = compare(op.flipped());
            return Ok(self.builder.step(Op::CompareFloat { op, lhs: rhs, rhs: lhs }, Storage::Bit));
        }
        if let (Some(l), Some(r)) = (per_day(&left.dtype), per_day(&right.dtype))
            && l != r
        {
            let (lhs, rhs) = (self.store_as(lhs, Storage::I64), self.store_as(rhs, Storage::I64));
            let (finer, coarser) = (l.max(r), l.min(r));
            return Ok(self.compare_scaled(op, (lhs, rhs), l > r, (finer / coarser).into()));
        }
        Ok(self.builder.step(Op::Compare { op: compare(op), lhs, rhs }, Storage::Bit))
    }
}

/// Units of a time dtype in a day.
fn per_day(dtype: &DType) -> Option<i64> {
    if *dtype == DType::Date32 { Some(1) } else { dtype.unit().map(|unit| 86_400 * unit.per_second()) }
}

/// The storage type of a result, which is never a string.
fn storage(dtype: &DType) -> Result<Storage> {
    if let DType::Utf8 | DType::Binary | DType::Dictionary(_) = dtype {
        Err(Error::NotImplemented { feature: format!("an expression whose result is {dtype}") })
    } else {
        dtype.storage().ok_or_else(|| Error::NotImplemented { feature: format!("expressions over {dtype}") })
    }
}

fn binary(op: Arithmetic) -> BinaryOp {
    match op {
        Arithmetic::Add => BinaryOp::Add,
        Arithmetic::Subtract => BinaryOp::Sub,
        Arithmetic::Multiply => BinaryOp::Mul,
        Arithmetic::Divide => BinaryOp::Div,
        Arithmetic::FloorDivide => BinaryOp::FloorDiv,
        Arithmetic::Modulo => BinaryOp::Mod,
    }
}

fn compare(op: Comparison) -> CompareOp {
    match op {
        Comparison::Eq => CompareOp::Eq,
        Comparison::Ne => CompareOp::Ne,
        Comparison::Lt => CompareOp::Lt,
        Comparison::Le => CompareOp::Le,
        Comparison::Gt => CompareOp::Gt,
        Comparison::Ge => CompareOp::Ge,
    }
}

fn part(part: Part) -> DatePart {
    match part {
        Part::Year => DatePart::Year,
        Part::Quarter => DatePart::Quarter,
        Part::Month => DatePart::Month,
        Part::Day => DatePart::Day,
        Part::DayOfYear => DatePart::DayOfYear,
        Part::Weekday => DatePart::Weekday,
        Part::Hour => DatePart::Hour,
        Part::Minute => DatePart::Minute,
        Part::Second => DatePart::Second,
    }
}
