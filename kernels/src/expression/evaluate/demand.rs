//! Which rows of a step count: an overflow in a row that no result depends on is none.
//!
//! Every step computes every row. Where checked steps overflow, their rows are compared with those that are demanded: of a
//! result all rows, or those that a filter keeps; of a branch of a conditional the rows that take it; of an operand of `and` the
//! rows where the other one is not false, of `or` those where it is not true. So it does not matter which operand comes first,
//! nor whether rows were left out because of one of them.

use crate::expression::{Op, Program, Register};
use crate::{Error, Result};

/// A set of rows.
pub(super) trait Rows: Clone {
    /// The rows that are in both.
    fn and(&self, other: &Self) -> Result<Self>;
    /// The rows that are in this set and not in the other.
    fn and_not(&self, other: &Self) -> Result<Self>;
    /// The rows that are in either.
    fn or(&self, other: &Self) -> Result<Self>;
    /// The rows that are not in this set.
    fn not(&self) -> Result<Self>;
    /// Whether there is a row.
    fn any(&self) -> Result<bool>;
}

/// The rows of a register that results depend on.
#[derive(Clone)]
pub(super) enum Demand<R> {
    No,
    Some(R),
    All,
}

impl<R: Rows> Demand<R> {
    fn join(&mut self, other: Self) -> Result<()> {
        *self = match (std::mem::replace(self, Demand::No), other) {
            (Demand::No, one) | (one, Demand::No) => one,
            (Demand::Some(a), Demand::Some(b)) => Demand::Some(a.or(&b)?),
            (Demand::All, _) | (_, Demand::All) => Demand::All,
        };
        Ok(())
    }

    /// The rows that are also in `rows`.
    fn within(&self, rows: &R) -> Result<Self> {
        Ok(match self {
            Demand::No => Demand::No,
            Demand::Some(demanded) => Demand::Some(demanded.and(rows)?),
            Demand::All => Demand::Some(rows.clone()),
        })
    }

    /// The rows that are not in `rows`.
    fn outside(&self, rows: &R) -> Result<Self> {
        Ok(match self {
            Demand::No => Demand::No,
            Demand::Some(demanded) => Demand::Some(demanded.and_not(rows)?),
            Demand::All => Demand::Some(rows.not()?),
        })
    }
}

/// What of a register is demanded: all that its values are used for, or only where it is true, as of a filter and of a condition.
#[derive(Clone)]
struct Use<R> {
    value: Demand<R>,
    truth: Demand<R>,
}

impl<R: Rows> Use<R> {
    const NONE: Self = Self { value: Demand::No, truth: Demand::No };

    fn is_none(&self) -> bool {
        matches!((&self.value, &self.truth), (Demand::No, Demand::No))
    }

    /// The rows of either use.
    fn all(&self) -> Result<Demand<R>> {
        let mut all = self.value.clone();
        all.join(self.truth.clone())?;
        Ok(all)
    }
}

/// Whether a step may overflow.
pub(super) fn is_checked(op: &Op) -> bool {
    matches!(
        op,
        Op::Checked { .. }
            | Op::Decimal { .. }
            | Op::DivideDecimal { .. }
            | Op::CastChecked { .. }
            | Op::ExtractChecked { .. }
            | Op::Round { .. }
            | Op::LocalTime { .. }
            | Op::AddMonths { .. }
            | Op::Rescale { .. }
    )
}

/// The registers that a step which may overflow has a part in.
pub(super) fn fallible(program: &Program) -> Vec<bool> {
    let mut fallible = vec![false; program.inputs().len()];
    for step in program.steps() {
        let (reads, count) = step.op.reads();
        let below = reads[..count].iter().any(|&read| fallible[read]);
        fallible.push(below || is_checked(&step.op));
    }
    fallible
}

/// The registers, besides those that they need, whose values tell whether what `op` reads is demanded: conditions, and what is
/// combined with bits that may be those of an overflow.
pub(super) fn deciding(op: &Op, fallible: &[bool]) -> [Option<Register>; 2] {
    match *op {
        Op::Select { condition, .. } => [Some(condition), None],
        Op::And { lhs, rhs } | Op::Or { lhs, rhs } => {
            [Some(lhs).filter(|_| fallible[rhs]), Some(rhs).filter(|_| fallible[lhs])]
        }
        _ => [None, None],
    }
}

/// Tells which of the steps that overflow count.
pub(super) struct Overflows<'a, R> {
    program: &'a Program,
    fallible: Vec<bool>,
    /// Steps with the valid rows where they overflow.
    overflowed: &'a [(usize, R)],
    /// For each register the rows whose value an overflow has a part in; `None` for none.
    failed: Vec<Option<R>>,
}

impl<'a, R: Rows> Overflows<'a, R> {
    pub(super) fn new(program: &'a Program, overflowed: &'a [(usize, R)]) -> Self {
        let registers = program.inputs().len() + program.steps().len();
        Self { program, fallible: fallible(program), overflowed, failed: vec![None; registers] }
    }

    /// An error for the first step that overflows in a demanded row.
    ///
    /// `filter`: of this bit register it matters in which rows it is true. `holds`: the rows where a bit register is valid and
    /// has a value.
    pub(super) fn check(
        mut self,
        results: Vec<(Register, Demand<R>)>,
        filter: Option<Register>,
        holds: impl Fn(Register, bool) -> Result<R>,
    ) -> Result<()> {
        let inputs = self.program.inputs().len();
        let roots = results.iter().map(|(register, _)| *register).chain(filter);
        self.find_failed(&self.program.needed(roots), &holds)?;
        let mut uses: Vec<Use<R>> = vec![Use::NONE; inputs + self.program.steps().len()];
        for (register, demand) in results {
            uses[register].value.join(demand)?;
        }
        if let Some(filter) = filter {
            uses[filter].truth.join(Demand::All)?;
        }
        let mut first = Ok(());
        for (index, step) in self.program.steps().iter().enumerate().rev() {
            let used = std::mem::replace(&mut uses[inputs + index], Use::NONE);
            if used.is_none() || !self.fallible[inputs + index] {
                continue;
            }
            if let Some(rows) = self.rows_of(index)
                && let Demand::Some(rows) = used.all()?.within(rows)?
                && rows.any()?
            {
                first = Err(Error::StepOverflow { step: index, storage: step.storage });
            }
            match step.op {
                Op::Select { condition, then, otherwise } => {
                    let taken = holds(condition, true)?;
                    uses[then].value.join(used.value.within(&taken)?)?;
                    uses[then].truth.join(used.truth.within(&taken)?)?;
                    uses[otherwise].value.join(used.value.outside(&taken)?)?;
                    uses[otherwise].truth.join(used.truth.outside(&taken)?)?;
                    uses[condition].truth.join(used.all()?)?;
                }
                Op::And { lhs, rhs } => {
                    for (one, other) in [(lhs, rhs), (rhs, lhs)] {
                        if self.fallible[one] {
                            // Beside what is false nothing else matters, and beside null not whether the result is true.
                            let value = used.value.outside(&self.certain(other, false, &holds)?)?;
                            uses[one].value.join(value)?;
                            let truth = used.truth.within(&self.possible(other, &holds)?)?;
                            uses[one].truth.join(truth)?;
                        }
                    }
                }
                Op::Or { lhs, rhs } => {
                    for (one, other) in [(lhs, rhs), (rhs, lhs)] {
                        if self.fallible[one] {
                            let certain = self.certain(other, true, &holds)?;
                            uses[one].value.join(used.value.outside(&certain)?)?;
                            uses[one].truth.join(used.truth.outside(&certain)?)?;
                        }
                    }
                }
                ref op => {
                    let (reads, count) = op.reads();
                    let all = used.all()?;
                    for &register in &reads[..count] {
                        uses[register].value.join(all.clone())?;
                    }
                }
            }
        }
        first
    }

    fn rows_of(&self, step: usize) -> Option<&'a R> {
        self.overflowed.iter().find(|(of, _)| *of == step).map(|(_, rows)| rows)
    }

    /// Finds the rows of each needed register whose value an overflow has a part in.
    fn find_failed(&mut self, needed: &[bool], holds: &impl Fn(Register, bool) -> Result<R>) -> Result<()> {
        let inputs = self.program.inputs().len();
        for (index, step) in self.program.steps().iter().enumerate() {
            if !needed[inputs + index] {
                continue;
            }
            let mut failed = self.rows_of(index).cloned();
            match step.op {
                Op::Select { condition, then, otherwise } => {
                    join(&mut failed, self.failed[condition].clone())?;
                    if self.failed[then].is_some() || self.failed[otherwise].is_some() {
                        let taken = holds(condition, true)?;
                        let of_then = self.failed[then].as_ref().map(|rows| rows.and(&taken));
                        let of_otherwise = self.failed[otherwise].as_ref().map(|rows| rows.and_not(&taken));
                        join(&mut failed, of_then.transpose()?)?;
                        join(&mut failed, of_otherwise.transpose()?)?;
                    }
                }
                Op::And { lhs, rhs } | Op::Or { lhs, rhs } => {
                    let decides = matches!(step.op, Op::Or { .. });
                    for (one, other) in [(lhs, rhs), (rhs, lhs)] {
                        if let Some(rows) = &self.failed[one] {
                            let rows = rows.and_not(&self.certain(other, decides, holds)?)?;
                            join(&mut failed, Some(rows))?;
                        }
                    }
                }
                ref op => {
                    let (reads, count) = op.reads();
                    for &register in &reads[..count] {
                        join(&mut failed, self.failed[register].clone())?;
                    }
                }
            }
            self.failed[inputs + index] = failed;
        }
        Ok(())
    }

    /// The rows where a register has this value, and no overflow has a part in it.
    fn certain(
        &self,
        register: Register,
        value: bool,
        holds: &impl Fn(Register, bool) -> Result<R>,
    ) -> Result<R> {
        let rows = holds(register, value)?;
        match &self.failed[register] {
            Some(failed) => rows.and_not(failed),
            None => Ok(rows),
        }
    }

    /// The rows where a register is true, or an overflow has a part in it.
    fn possible(&self, register: Register, holds: &impl Fn(Register, bool) -> Result<R>) -> Result<R> {
        let rows = holds(register, true)?;
        match &self.failed[register] {
            Some(failed) => rows.or(failed),
            None => Ok(rows),
        }
    }
}

fn join<R: Rows>(rows: &mut Option<R>, other: Option<R>) -> Result<()> {
    *rows = match (rows.take(), other) {
        (Some(a), Some(b)) => Some(a.or(&b)?),
        (one, other) => one.or(other),
    };
    Ok(())
}

/// Of two results of parts of the rows the error of the earlier step, so that it does not depend on the parts.
pub(crate) fn earlier<T>(one: Result<T>, two: Result<T>) -> Result<T> {
    match (&one, &two) {
        (Err(Error::StepOverflow { step: a, .. }), Err(Error::StepOverflow { step: b, .. })) if a > b => two,
        (Ok(_) | Err(Error::StepOverflow { .. }), Err(_))
            if !matches!(two, Err(Error::StepOverflow { .. })) =>
        {
            two
        }
        (Ok(_), Err(_)) => two,
        _ => one,
    }
}
