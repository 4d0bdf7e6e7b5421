//! Which rows of a step count: an overflow in a row that no result depends on is none.
//!
//! Every step computes every row. Where checked steps overflow, their rows are compared with those that are demanded: of a
//! result all rows, or those that a filter keeps; of a branch of a conditional the rows that take it.

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

/// An error for the first step that overflows in a demanded row.
///
/// `overflowed`: steps with the valid rows where they overflow. `taken`: the rows where a condition is true.
pub(super) fn check<R: Rows>(
    program: &Program,
    results: Vec<(Register, Demand<R>)>,
    overflowed: &[(usize, R)],
    taken: impl Fn(Register) -> Result<R>,
) -> Result<()> {
    let inputs = program.inputs().len();
    let mut demands: Vec<Demand<R>> = vec![Demand::No; inputs + program.steps().len()];
    for (register, demand) in results {
        demands[register].join(demand)?;
    }
    let mut first = Ok(());
    for (index, step) in program.steps().iter().enumerate().rev() {
        let demand = std::mem::replace(&mut demands[inputs + index], Demand::No);
        if let Some((_, rows)) = overflowed.iter().find(|(step, _)| *step == index)
            && let Demand::Some(rows) = demand.within(rows)?
            && rows.any()?
        {
            first = Err(Error::StepOverflow { step: index, storage: step.storage });
        }
        if matches!(demand, Demand::No) {
            continue;
        }
        if let Op::Select { condition, then, otherwise } = step.op {
            let taken = taken(condition)?;
            demands[then].join(demand.within(&taken)?)?;
            demands[otherwise].join(demand.outside(&taken)?)?;
            demands[condition].join(demand)?;
        } else {
            let (reads, count) = step.op.reads();
            for &register in &reads[..count] {
                demands[register].join(demand.clone())?;
            }
        }
    }
    first
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
