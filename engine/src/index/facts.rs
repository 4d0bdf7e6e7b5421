//! What is known of labels. Computed once; a fact that two threads compute is the same.

use std::sync::OnceLock;

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, DType};
use columnade_ops::join::{NullEquality, duplicate_key};
use columnade_ops::selection::Step;
use columnade_ops::sort::{NullOrder, Order, SortKey, is_sorted, is_strictly_sorted};

use super::deferred::Base;
use super::labels::Labels;

/// Properties of labels, computed on first use.
#[derive(Debug, Default)]
pub(super) struct Facts {
    unique: OnceLock<bool>,
    increasing: OnceLock<bool>,
    decreasing: OnceLock<bool>,
    nulls: OnceLock<bool>,
}

impl Facts {
    /// Takes over what is known of labels of which `steps` left these.
    pub(super) fn inherit(&self, of: &Facts, steps: &[Step]) {
        let carry = |to: &OnceLock<bool>, from: &OnceLock<bool>, fact: bool| {
            if from.get() == Some(&fact) {
                to.get_or_init(|| fact);
            }
        };
        carry(&self.nulls, &of.nulls, false);
        if steps.iter().all(Step::is_distinct) {
            carry(&self.unique, &of.unique, true);
        }
        if steps.iter().all(Step::is_ordered) {
            carry(&self.increasing, &of.increasing, true);
            carry(&self.decreasing, &of.decreasing, true);
        }
    }

    /// Labels that ascend.
    pub(super) fn set_increasing(&self, is_unique: bool) {
        self.increasing.get_or_init(|| true);
        if is_unique {
            self.unique.get_or_init(|| true);
        }
    }
}

fn known(cell: &OnceLock<bool>, compute: impl FnOnce() -> columns::Result<bool>) -> columns::Result<bool> {
    if let Some(known) = cell.get() {
        return Ok(*known);
    }
    let computed = compute()?;
    Ok(*cell.get_or_init(|| computed))
}

impl Labels {
    /// Whether no label comes twice. Rows picked once of a range are unique.
    pub(super) fn is_unique(&self) -> columns::Result<bool> {
        known(&self.facts().unique, || {
            if let Some((Base::Range(range), steps)) = self.pending()
                && range.step() != 0
                && steps.iter().all(Step::is_distinct)
            {
                return Ok(true);
            }
            let columns = self.columns()?;
            if self.facts().increasing.get() == Some(&true)
                && let Some(is_strict) = is_strictly_increasing(&columns, self.exec())?
            {
                return Ok(is_strict);
            }
            let keys: Vec<&Column> = columns.iter().collect();
            Ok(self.len() < 2 || duplicate_key(&keys, NullEquality::Equal, self.exec())?.is_none())
        })
    }

    /// Whether each label is at least the one before. False with a null, and with NaN.
    pub(super) fn is_increasing(&self) -> columns::Result<bool> {
        known(&self.facts().increasing, || {
            if let Some((Base::Range(range), steps)) = self.pending()
                && range.step() >= 0
                && steps.iter().all(Step::is_ordered)
            {
                return Ok(true);
            }
            self.is_in_order(Order::Ascending)
        })
    }

    /// Whether each label is at most the one before. False with a null, and with NaN.
    pub(super) fn is_decreasing(&self) -> columns::Result<bool> {
        known(&self.facts().decreasing, || self.is_in_order(Order::Descending))
    }

    /// Whether a level has a null.
    pub(super) fn has_nulls(&self) -> columns::Result<bool> {
        known(&self.facts().nulls, || {
            if let Some((Base::Range(_), _)) = self.pending() {
                return Ok(false);
            }
            any_null(&self.columns()?, self.exec())
        })
    }

    fn is_in_order(&self, order: Order) -> columns::Result<bool> {
        let columns = self.columns()?;
        if columns.len() == 1 && self.len() > 0 && (self.has_nulls()? || has_nan(&columns[0])?) {
            return Ok(false);
        }
        let keys: Vec<SortKey<'_>> =
            columns.iter().map(|column| SortKey { column, order, nulls: NullOrder::Last }).collect();
        is_sorted(&keys, self.exec())
    }
}

/// Whether no label of those that ascend is equal to the one before; `None` where labels are not compared one by one.
fn is_strictly_increasing(columns: &[Column], exec: &Exec) -> columns::Result<Option<bool>> {
    let key = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
    match is_strictly_sorted(&columns.iter().map(key).collect::<Vec<_>>(), exec) {
        Ok(is_strict) => Ok(Some(is_strict)),
        Err(columns::Error::UnsupportedDType { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn any_null(columns: &[Column], exec: &Exec) -> columns::Result<bool> {
    for column in columns {
        if column.null_count(exec)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether floats in ascending order with NaN last have one: the last one or, in descending order, the first.
fn has_nan(column: &Column) -> columns::Result<bool> {
    if !matches!(column.dtype(), DType::Float32 | DType::Float64) || column.is_empty() {
        return Ok(false);
    }
    let is_nan = |row: usize| Ok::<_, columns::Error>(column.get(row)?.to_string() == "NaN");
    Ok(is_nan(0)? || is_nan(column.size() - 1)?)
}
