//! Keys of groups that are no columns of the frame, and groups without rows.

use std::borrow::Cow;

use columnade_columns::{AsLabel, Column, ColumnAccessor, Label, LabelPart};
use columnade_ops::copying::{MapNulls, concat, gather, gather_column};
use columnade_ops::distinct::{Keep, unique};
use columnade_ops::expression::{Expr, col, lit, when};
use columnade_ops::groupby::aggregate;
use columnade_ops::reshape::{repeat, tile};
use columnade_ops::selection::{map_of_positions, positions};
use columnade_ops::sort::{NullOrder, Order, SortColumn, SortKey, argsort, sort_by};

use super::DataFrame;
use super::groupby::GroupBy;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::index::lookup::{computed, right_of};
use crate::index::{Index, column_names};
use crate::resample::Grouper;
use crate::selection::Selector;
use crate::series::{Series, all_categories};

/// A key of [`DataFrame::group_by_with`]: a column, an expression, a level of the row labels, a series, or bins of time
/// ([`Grouper`]).
///
/// # Source
/// pandas `groupby(by=…, level=…)`.
#[derive(Clone, Debug)]
pub struct GroupKey(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Expr(Expr),
    Level(Label),
    Values(Series),
    Bins(Grouper),
}

impl GroupKey {
    /// A level of the row labels by its name; [`Label::NULL`] for one without.
    pub fn level(name: impl Into<Label>) -> Self {
        Self(Kind::Level(name.into()))
    }

    /// The values of a series, put in the order of the frame by its row labels.
    pub fn values(series: &Series) -> Self {
        Self(Kind::Values(series.clone()))
    }
}

impl From<Grouper> for GroupKey {
    fn from(bins: Grouper) -> Self {
        Self(Kind::Bins(bins))
    }
}

impl<S: Into<Selector>> From<S> for GroupKey {
    fn from(selector: S) -> Self {
        Self(Kind::Expr(selector.into().0))
    }
}

impl DataFrame {
    /// [`group_by`](Self::group_by) for keys that are no columns: levels of the row labels, bins of time, and series, whose
    /// values belong to the rows with their labels. A row without one has a null key.
    ///
    /// Such keys are columns of aggregates under the name of the level or the series (`index` or `level_0` without one), and no
    /// columns of the rows of a group.
    ///
    /// ```
    /// use columnade::{GroupKey, Series, col, df};
    ///
    /// let frame = df! { "city" => ["Oslo", "Rome", "Oslo"], "n" => [1, 2, 3] }?.set_index("city")?;
    /// let sums = frame.group_by_with([GroupKey::level("city")])?.agg(col("n").sum())?;
    /// assert_eq!(sums.columns(), ["city", "n"]);
    /// assert_eq!(sums.column("n")?.to_vec::<i64>()?, [4, 2]);
    ///
    /// let rows = df! { "n" => [1, 2, 3] }?;
    /// let side = Series::new(["a", "b", "a"])?.rename("side");
    /// let sums = rows.group_by_with([GroupKey::values(&side)])?.agg(col("n").sum())?;
    /// assert_eq!(sums.column("side")?.to_vec::<String>()?, ["a", "b"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLevel`]; [`Error::DuplicateLabels`] for a series whose labels come twice and are not those of the frame;
    /// [`Error::Operation`] for a series with labels of another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.groupby(level=…)`, `DataFrame.groupby(series)`.
    pub fn group_by_with<K: Into<GroupKey>>(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<GroupBy<'static>> {
        const OPERATION: &str = "group_by_with";
        let exec = self.exec();
        let mut columns = self.frame().accessor().clone();
        let (mut by, mut hidden, mut bins_of_time) = (Vec::new(), Vec::new(), None);
        let names = column_names(self.index().names(), |_| false);
        for key in keys {
            let (name, values) = match key.into().0 {
                Kind::Expr(expr) => {
                    by.push(expr);
                    continue;
                }
                Kind::Level(name) => {
                    let level = self.index().level(OPERATION, &name)?;
                    (names[level].clone(), self.index().columns(exec).operation(OPERATION)?[level].clone())
                }
                Kind::Bins(bins) => {
                    let (name, values, bins) = bins.key(OPERATION, self)?;
                    bins_of_time = Some(bins);
                    (name, values)
                }
                Kind::Values(series) => {
                    let take = series.index().taken_by(OPERATION, self.index(), exec)?;
                    let one = ColumnAccessor::from_columns([("x", series.values().clone())]);
                    let taken = one.and_then(|one| take.columns(&one, exec)).operation(OPERATION)?;
                    let name = series.name().clone();
                    let name = if name == Label::NULL { Label::from("index") } else { name };
                    (name, taken.columns()[0].clone())
                }
            };
            let label = self.key_label(by.len()).operation(OPERATION)?;
            columns.insert(label.clone(), values).operation(OPERATION)?;
            by.push(col(label.clone()).alias(name));
            hidden.push(label);
        }
        let frame = if self.columns().is_empty() {
            // Without columns the keys say how many rows there are.
            Self::from_frame(self.frame().with_columns(columns))
        } else {
            self.with_accessor(columns)
        };
        let bins = if by.len() == 1 { bins_of_time } else { None };
        let mut groups = GroupBy::of(Cow::Owned(frame), by, hidden);
        groups.bins = bins;
        Ok(groups)
    }

    /// A label that no column has, for a key.
    fn key_label(&self, number: usize) -> columnade_columns::Result<Label> {
        let depth = self.columns().iter().map(AsLabel::depth).max().unwrap_or(1);
        let mut parts = vec![LabelPart::from(format!("\u{0}key {number}"))];
        parts.resize(depth, LabelPart::from(""));
        Label::from_parts(parts)
    }
}

impl GroupBy<'_> {
    /// The rows without the columns that are keys only.
    pub(super) fn shown(&self, operation: &'static str, rows: DataFrame) -> Result<DataFrame> {
        if self.hidden.is_empty() { Ok(rows) } else { rows.without(operation, &self.hidden) }
    }

    /// The groups with those of all other combinations of keys: of a dictionary all its categories, all bins of time if they
    /// are the only key, otherwise the keys that a row has. They are sorted if that is asked for, as bins are; otherwise those
    /// that rows have come first.
    pub(super) fn with_unobserved(
        &self,
        operation: &'static str,
        found: &DataFrame,
        aggregates: &[Expr],
    ) -> Result<DataFrame> {
        let exec = self.frame.exec();
        let keys = self.keys.len();
        let made = || -> columnade_columns::Result<_> {
            let groups = found.frame().accessor();
            let mut values = Vec::with_capacity(keys);
            for position in 0..keys {
                values.push(match &self.bins {
                    Some(bins) => with_null_of(bins.clone(), &groups.columns()[position], exec)?,
                    None => key_values(groups, position, exec)?,
                });
            }
            Ok((product(&values, exec)?, groups.clone()))
        };
        let (all, groups) = made().operation(operation)?;
        let names: Vec<Label> = groups.labels()[..keys].to_vec();
        let index = Index::of_columns(operation, &names, &groups.columns()[..keys], exec)?;
        let target = Index::of_columns(operation, &names, &all, exec)?;
        let maps = index.joined(operation, &target, exec)?;
        let made = || -> columnade_columns::Result<_> {
            let rows = self.frame.frame().accessor().slice(0, 0)?;
            let empty = aggregate(&rows, None, &[], aggregates, self.options, exec)?;
            let missing = i64::try_from(groups.rows()).unwrap_or(i64::MAX);
            let found = positions(right_of(&maps)?, exec)?;
            let or_missing = when(col("row").lt(0)).then(lit(missing)).otherwise(col("row"));
            let mut rows = computed(&[("row", &found)], or_missing, exec)?;
            let mut columns = ColumnAccessor::from_columns(names.iter().cloned().zip(all))?;
            if !self.is_sorted() && self.bins.is_none() {
                let by = SortKey { column: &rows, order: Order::Ascending, nulls: NullOrder::Last };
                let order = argsort(&[by], exec)?;
                columns = gather(&columns, &order, MapNulls::Never, exec)?;
                rows = gather_column(&rows, &order, MapNulls::Never, exec)?;
            }
            let map = map_of_positions(&rows, exec)?;
            let mut both = ColumnAccessor::with_rows(groups.rows() + 1);
            let of_groups = groups.iter().skip(keys);
            for ((label, column), empty) in of_groups.zip(empty.columns()) {
                let column = concat(&[column, empty], exec).map_err(|error| error.in_column(label))?;
                both.insert(label.clone(), column)?;
            }
            for (label, column) in gather(&both, &map, MapNulls::Never, exec)?.iter() {
                columns.insert(label.clone(), column.clone())?;
            }
            Ok(columns)
        };
        Ok(self.frame.with_rows(made().operation(operation)?))
    }
}

/// The values of a key, ascending, nulls last: all categories of a dictionary, otherwise those of the groups.
fn key_values(
    groups: &ColumnAccessor,
    position: usize,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<Column> {
    let key = &groups.columns()[position];
    if let Column::Categorical(categories) = key {
        return with_null_of(all_categories(categories, exec)?, key, exec);
    }
    let key = ColumnAccessor::from_columns([("key", key.clone())])?;
    let distinct = unique(&key, ["key"], Keep::First, exec)?;
    let by = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
    Ok(sort_by(&distinct, &[by], exec)?.columns()[0].clone())
}

/// Values, and a null after them if a key of groups is null.
fn with_null_of(
    values: Column,
    key: &Column,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<Column> {
    if key.null_count(exec)? == 0 {
        return Ok(values);
    }
    concat(&[&values, &Column::full_null(&key.dtype(), 1, exec)?], exec)
}

/// All combinations of values, of which those of the first column change last.
fn product(values: &[Column], exec: &columnade_buffers::Exec) -> columnade_columns::Result<Vec<Column>> {
    let overflow = || columnade_columns::Error::Overflow { dtype: columnade_columns::DType::Int64 };
    let sizes = |columns: &[Column]| {
        columns.iter().try_fold(1_usize, |all, column| all.checked_mul(column.size())).ok_or_else(overflow)
    };
    let mut made = Vec::with_capacity(values.len());
    for (position, column) in values.iter().enumerate() {
        let one = ColumnAccessor::from_columns([("key", column.clone())])?;
        let repeated = repeat(&one, sizes(&values[position + 1..])?, exec)?;
        made.push(tile(&repeated, sizes(&values[..position])?, exec)?.columns()[0].clone());
    }
    Ok(made)
}
