//! Numbers of rows by the values of two series.

use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::expression::{Expr, col, len};

use super::{DataFrame, PivotTable};
use crate::alignment::LabelJoin;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::series::Series;

/// Margins and shares of [`crosstab`].
///
/// # Source
/// pandas `crosstab(margins=…, margins_name=…, normalize=…, dropna=…)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstab {
    margins: Option<String>,
    normalize: Option<Normalize>,
}

/// What the numbers of [`crosstab`] are shares of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalize {
    /// Of all rows.
    All,
    /// Of those in the same row of the table, which therefore sums to 1.
    Index,
    /// Of those in the same column of the table, which therefore sums to 1.
    Columns,
}

impl Crosstab {
    /// Numbers, without margins.
    pub fn new() -> Self {
        Self::default()
    }

    /// A last row and a last column of this name with the numbers of all rows and columns. Shares by row have the row
    /// only, shares by column the column only.
    #[must_use]
    pub fn margins(self, name: impl Into<String>) -> Self {
        Self { margins: Some(name.into()), ..self }
    }

    /// Shares in the place of numbers.
    #[must_use]
    pub fn normalize(self, normalize: Normalize) -> Self {
        Self { normalize: Some(normalize), ..self }
    }
}

impl From<std::ops::RangeFull> for Crosstab {
    fn from(_: std::ops::RangeFull) -> Self {
        Self::new()
    }
}

/// How often each value of `index` comes together with each value of `columns`: a row for each value of the first, after a
/// column with the values, and a column for each value of the second, both in ascending order. Rows go together by their
/// labels; those that one of both lacks, and rows with a null, are left out.
///
/// Series without a name are called `row_0` and `col_0`.
///
/// ```
/// use columnade::{Crosstab, Normalize, Series, crosstab};
///
/// let cities = Series::new(["Oslo", "Rome", "Oslo"])?.rename("city");
/// let items = Series::new(["tea", "tea", "rye"])?;
/// let table = crosstab(&cities, &items, Crosstab::new().margins("all"))?;
/// assert_eq!(table.columns(), ["city", "rye", "tea", "all"]);
/// assert_eq!(table.column("tea")?.to_vec::<i64>()?, [1, 1, 2]);
///
/// let shares = crosstab(&cities, &items, Crosstab::new().normalize(Normalize::Index))?;
/// assert_eq!(shares.column("tea")?.to_vec::<f64>()?, [0.5, 1.0]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::Operation`] for series of one name, for values of `columns` that are no labels or called as the margin, and when
/// memory runs out.
///
/// # Source
/// pandas `crosstab`.
pub fn crosstab(index: &Series, columns: &Series, options: impl Into<Crosstab>) -> Result<DataFrame> {
    const OPERATION: &str = "crosstab";
    let Crosstab { margins, normalize } = options.into();
    let exec = index.exec();
    let name = |series: &Series, default: &str| {
        if series.is_unnamed() { Label::from(default) } else { series.name().clone() }
    };
    let (row, column) = (name(index, "row_0"), name(columns, "col_0"));
    let (index, columns) = index.align_as(OPERATION, columns, LabelJoin::Inner)?;
    let keys = [(row.clone(), index.values().clone()), (column.clone(), columns.values().clone())];
    let keys = ColumnAccessor::from_columns(keys).operation(OPERATION)?;
    let rows = DataFrame::from_frame(Frame::new(keys, exec.clone()));
    let counts = PivotTable::new().index(row.clone()).columns(column).values(len()).fill_value(0);
    let counts = match &margins {
        Some(name) => counts.margins(name.as_str()),
        // Sums are found without margins.
        None => counts,
    };
    let table = rows.pivot_table_as(OPERATION, &counts)?;
    let Some(normalize) = normalize else { return Ok(table) };
    let (has_margins, rows) = (margins.is_some() && !table.is_empty(), table.len());
    let labels: Vec<Label> = table.columns().iter().skip(1).cloned().collect();
    let inner = labels.len() - usize::from(has_margins);
    let number = |label: &Label| col(label.clone());
    let of_rows = sum(labels[..inner].iter().map(number).collect());
    // The margin of rows is as large as the rows together.
    let twice = if has_margins { 2 } else { 1 };
    let share = |label: &Label| match (normalize, &of_rows) {
        (Normalize::Index, Some(of_row)) => number(label) / of_row.clone(),
        (Normalize::All, Some(of_row)) => number(label) / (of_row.clone().sum() / twice),
        (Normalize::Columns, _) => number(label) / (number(label).sum() / twice),
        (_, None) => number(label),
    };
    let kept = if normalize == Normalize::Index { &labels[..inner] } else { &labels[..] };
    let shares = kept.iter().map(|label| share(label).alias(label.clone()));
    let exprs: Vec<Expr> = std::iter::once(col(row)).chain(shares).collect();
    let mut shares = ColumnAccessor::with_levels(rows, table.frame().accessor().levels().clone());
    for (label, values) in table.frame().evaluate(OPERATION, &exprs)? {
        shares.insert(label, values).operation(OPERATION)?;
    }
    if normalize == Normalize::Columns && has_margins {
        shares = shares.slice(0, rows - 1).operation(OPERATION)?;
    }
    Ok(DataFrame::from_frame(Frame::new(shares, exec.clone())))
}

/// The sum of all expressions, nested as little as possible; `None` of none.
pub(super) fn sum(mut terms: Vec<Expr>) -> Option<Expr> {
    while terms.len() > 1 {
        let mut pairs = terms.into_iter();
        let mut sums = Vec::new();
        while let Some(left) = pairs.next() {
            sums.push(match pairs.next() {
                Some(right) => left + right,
                None => left,
            });
        }
        terms = sums;
    }
    terms.pop()
}
