//! The first difference between two frames.

use std::fmt;

use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Label, Scalar};
use columnade_ops::comparing;

use super::DataFrame;
use crate::error::{InOperation, Result, quoted};

/// The first difference between two frames or two series, in the order of the variants.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Difference {
    /// The labels of the columns.
    Labels {
        /// Those on the left.
        left: Vec<Label>,
        /// Those on the right.
        right: Vec<Label>,
    },
    /// The number of rows.
    Rows {
        /// On the left.
        left: usize,
        /// On the right.
        right: usize,
    },
    /// The row labels.
    RowLabels,
    /// The dtype of a column.
    DType {
        /// The column.
        column: Label,
        /// Its dtype on the left.
        left: DType,
        /// Its dtype on the right.
        right: DType,
    },
    /// The categories of an ordered dictionary, of the column or nested in it.
    Categories {
        /// The column.
        column: Label,
        /// The position of the first category that differs.
        position: usize,
        /// The category on the left; `None` if there are no more.
        left: Option<Scalar>,
        /// The category on the right; `None` if there are no more.
        right: Option<Scalar>,
    },
    /// A value.
    Value {
        /// The column.
        column: Label,
        /// The position of the first row that differs.
        row: usize,
        /// The value on the left.
        left: Scalar,
        /// The value on the right.
        right: Scalar,
    },
}

/// A column, or a series without a name.
struct Named<'a>(&'a Label);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self.0 == Label::NULL { f.write_str("the series") } else { write!(f, "column {:?}", self.0) }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Labels { left, right } => {
                write!(f, "the columns are {} on the left, {} on the right", quoted(left), quoted(right))
            }
            Self::Rows { left, right } => write!(f, "{left} rows on the left, {right} on the right"),
            Self::RowLabels => f.write_str("the rows have other labels"),
            Self::DType { column, left, right } => {
                write!(f, "{} is {left} on the left, {right} on the right", Named(column))
            }
            Self::Categories { column, position, left, right } => {
                let text = |category: &Option<Scalar>| {
                    category.as_ref().map_or_else(|| "not there".to_owned(), ToString::to_string)
                };
                let (left, right) = (text(left), text(right));
                write!(
                    f,
                    "{} has other categories in order: number {position} is {left} on the left, {right} on the right",
                    Named(column)
                )
            }
            Self::Value { column, row, left, right } => {
                write!(f, "{}, row {row}: {left} on the left, {right} on the right", Named(column))
            }
        }
    }
}

impl DataFrame {
    /// The first difference between two frames; `None` when they are [equal](Self::equals).
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let left = df! { "x" => [1, 2, 3] }?;
    /// let right = df! { "x" => [1, 5, 3] }?;
    /// let difference = left.difference(&right)?.map(|difference| difference.to_string());
    /// assert_eq!(difference.as_deref(), Some("column \"x\", row 1: 2 on the left, 5 on the right"));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the frames are on different devices, or one fails.
    pub fn difference(&self, other: &DataFrame) -> Result<Option<Difference>> {
        if self.columns() != other.columns() {
            let (left, right) = (self.columns().to_vec(), other.columns().to_vec());
            return Ok(Some(Difference::Labels { left, right }));
        }
        if self.len() != other.len() {
            return Ok(Some(Difference::Rows { left: self.len(), right: other.len() }));
        }
        if !self.index().has_labels_of(other.index()).operation("difference")? {
            return Ok(Some(Difference::RowLabels));
        }
        for ((label, left), (_, right)) in self.frame().accessor().iter().zip(other.frame().accessor().iter())
        {
            if let Some(difference) = of_columns(label, left, right, self.exec())? {
                return Ok(Some(difference));
            }
        }
        Ok(None)
    }
}

/// The first difference between two columns of as many rows.
pub(crate) fn of_columns(
    label: &Label,
    left: &Column,
    right: &Column,
    exec: &Exec,
) -> Result<Option<Difference>> {
    const OPERATION: &str = "difference";
    let column = || label.clone();
    if !left.dtype().same_values(&right.dtype()) {
        return Ok(Some(Difference::DType { column: column(), left: left.dtype(), right: right.dtype() }));
    }
    let located = |error: columnade_columns::Error| error.in_column(label);
    if comparing::equals(left, right, exec).map_err(located).operation(OPERATION)? {
        return Ok(None);
    }
    let other_order = other_categories(label, left, right, exec).map_err(located).operation(OPERATION)?;
    if other_order.is_some() {
        return Ok(other_order);
    }
    let Some(row) = first_difference(left, right, exec).map_err(located).operation(OPERATION)? else {
        return Ok(None);
    };
    let value = |column: &Column| column.get(row).map_err(located).operation(OPERATION);
    Ok(Some(Difference::Value { column: column(), row, left: value(left)?, right: value(right)? }))
}

/// The first category that differs in ordered dictionaries, of the columns or nested in them, in both.
fn other_categories(
    label: &Label,
    left: &Column,
    right: &Column,
    exec: &Exec,
) -> columnade_columns::Result<Option<Difference>> {
    if let (Column::Categorical(left), Column::Categorical(right)) = (left, right) {
        if !left.is_ordered() {
            return Ok(None);
        }
        let (left, right) = (left.dictionary(), right.dictionary());
        let Some(position) = first_difference(left, right, exec)? else { return Ok(None) };
        let category = |dictionary: &Column| {
            (position < dictionary.size()).then(|| dictionary.get(position)).transpose()
        };
        let (left, right) = (category(left)?, category(right)?);
        return Ok(Some(Difference::Categories { column: label.clone(), position, left, right }));
    }
    for (left, right) in left.children().iter().zip(&right.children()) {
        if let Some(found) = other_categories(label, left, right, exec)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The first row that two columns of one dtype do not have in common.
fn first_difference(left: &Column, right: &Column, exec: &Exec) -> columnade_columns::Result<Option<usize>> {
    let equal = |start: usize, rows: usize| {
        comparing::equals(&left.slice(start, rows)?, &right.slice(start, rows)?, exec)
    };
    let common = left.size().min(right.size());
    if equal(0, common)? {
        return Ok((left.size() != right.size()).then_some(common));
    }
    // The first row that differs is always among these.
    let mut differing = 0..common;
    while differing.len() > 1 {
        let half = differing.len() / 2;
        let middle = differing.start + half;
        if equal(differing.start, half)? {
            differing.start = middle;
        } else {
            differing.end = middle;
        }
    }
    Ok(Some(differing.start))
}
