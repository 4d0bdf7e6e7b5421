//! Aggregates by keys of rows and of columns.

use columnade_columns::{Column, ColumnAccessor, DType, Label, LabelPart};
use columnade_ops::expression::{Expr, Literal, col, columns_of, lit, when};
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate};
use columnade_ops::reshape;
use columnade_ops::{copying, filter, missing};

use super::DataFrame;
use super::pivot::heads;

use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::selection::{IntoExprs, IntoLabels};

/// Keys, aggregates and what stands in empty cells of [`DataFrame::pivot_table`].
///
/// # Source
/// pandas `pivot_table(index=…, columns=…, values=…, aggfunc=…, fill_value=…, margins=…, margins_name=…, dropna=…)`.
#[derive(Clone, Debug)]
pub struct PivotTable {
    index: Vec<Label>,
    columns: Vec<Label>,
    aggregates: Vec<Expr>,
    fill_value: Option<Literal>,
    margins: Option<String>,
    dropna: bool,
}

impl Default for PivotTable {
    fn default() -> Self {
        Self {
            index: Vec::new(),
            columns: Vec::new(),
            aggregates: Vec::new(),
            fill_value: None,
            margins: None,
            dropna: true,
        }
    }
}

impl PivotTable {
    /// No keys and no aggregates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Columns whose values are the keys of the rows.
    #[must_use]
    pub fn index<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { index: labels.into_labels(), ..self }
    }

    /// Columns whose values become the labels of columns.
    #[must_use]
    pub fn columns<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { columns: labels.into_labels(), ..self }
    }

    /// The aggregates of the rows with the same keys.
    #[must_use]
    pub fn values<A>(self, aggregates: impl IntoExprs<A>) -> Self {
        Self { aggregates: aggregates.into_exprs(), ..self }
    }

    /// What stands where there are no rows, and where an aggregate is null. Default: null.
    #[must_use]
    pub fn fill_value(self, value: impl Into<Literal>) -> Self {
        Self { fill_value: Some(value.into()), ..self }
    }

    /// A last row and a last column of this name with the aggregates over all keys of columns and of rows. Where the keys of
    /// rows are no strings, they are null in that row. Default: none.
    #[must_use]
    pub fn margins(self, name: impl Into<String>) -> Self {
        Self { margins: Some(name.into()), ..self }
    }

    /// Whether rows with a null key are left out, and keys of which all aggregates are null. Default: true.
    #[must_use]
    pub fn dropna(self, dropna: bool) -> Self {
        Self { dropna, ..self }
    }
}

/// Labels of the columns that say which rows of the aggregates are margins.
const MARGINS: [&str; 2] = ["\u{0}margin of rows", "\u{0}margin of columns"];

impl DataFrame {
    /// Aggregates of the rows with the same keys: a row for each key of `index`, a column for each key of `columns`, in
    /// ascending order.
    ///
    /// The keys of rows are the first columns of the result. Columns of one aggregate are called as their keys; those of several
    /// have labels of several levels, the label of the aggregate first.
    ///
    /// ```
    /// use columnade::{PivotTable, col, df};
    ///
    /// let frame = df! {
    ///     "city" => ["Oslo", "Rome", "Oslo", "Oslo"], "item" => ["tea", "tea", "rye", "tea"], "n" => [1_i64, 2, 3, 4],
    /// }?;
    /// let table = PivotTable::new().index("city").columns("item").values(col("n").sum());
    /// let sums = frame.pivot_table(&table.fill_value(0).margins("all"))?;
    /// assert_eq!(sums.columns(), ["city", "rye", "tea", "all"]);
    /// assert_eq!(sums.column("city")?.to_vec::<String>()?, ["Oslo", "Rome", "all"]);
    /// assert_eq!(sums.column("rye")?.to_vec::<i64>()?, [3, 0, 3]);
    /// assert_eq!(sums.column("all")?.to_vec::<i64>()?, [8, 2, 10]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] as [`GroupBy::agg`](crate::GroupBy::agg), without aggregates, for keys of
    /// columns that are no labels or called as the margin, and for a `fill_value` of another dtype.
    ///
    /// # Device
    /// The keys of columns are copied to the host, since they are labels.
    ///
    /// # Source
    /// pandas `DataFrame.pivot_table`; margins as SQL `GROUP BY CUBE`, of all rows with keys.
    pub fn pivot_table(&self, options: &PivotTable) -> Result<Self> {
        self.pivot_table_as("pivot_table", options)
    }

    /// [`pivot_table`](Self::pivot_table) for the method `operation`, which its errors name.
    pub(super) fn pivot_table_as(&self, operation: &'static str, options: &PivotTable) -> Result<Self> {
        let PivotTable { index, columns, aggregates, fill_value, margins, dropna } = options;
        self.frame().check_labels(operation, index.iter().chain(columns))?;
        self.frame().check_labels(operation, columns_of(aggregates))?;
        if aggregates.is_empty() {
            return Err(Error::argument(operation, "values", "there are no aggregates"));
        }
        let mut rows = self.aggregates(operation, options, [true, true])?;
        if margins.is_some() {
            let mut parts = vec![rows];
            for by in [[true, false], [false, true], [false, false]] {
                // Without keys there is no margin over them.
                if (by[0] || !index.is_empty()) && (by[1] || !columns.is_empty()) {
                    parts.push(self.aggregates(operation, options, by)?);
                }
            }
            let first = &parts[0];
            let labels = first.labels().to_vec();
            let mut all = ColumnAccessor::with_levels(
                parts.iter().map(ColumnAccessor::rows).sum(),
                first.levels().clone(),
            );
            for (position, label) in labels.into_iter().enumerate() {
                let columns: Vec<&Column> = parts.iter().map(|part| &part.columns()[position]).collect();
                let column = copying::concat(&columns, self.exec()).map_err(|error| error.in_column(&label));
                all.insert(label, column.operation(operation)?).operation(operation)?;
            }
            rows = all;
        }
        if *dropna {
            let known = aggregates.iter().map(|aggregate| col(aggregate.label()).is_not_null());
            if let Some(known) = known.reduce(Expr::or) {
                rows = filter::filter(&rows, &known, self.exec()).operation(operation)?;
            }
        }
        let [row_keys, column_keys] = [(MARGINS[0], index), (MARGINS[1], columns)].map(|(margin, labels)| {
            let margin = margins.iter().map(|_| Label::from(margin));
            rows.select(margin.chain(labels.iter().cloned()).collect::<Vec<_>>())
        });
        let (row_keys, column_keys) = (row_keys.operation(operation)?, column_keys.operation(operation)?);
        let labels: Vec<Label> = aggregates.iter().map(Expr::label).collect();
        let values = rows.select(&labels).operation(operation)?;
        let mut table = reshape::pivot(&row_keys, &column_keys, &values, self.exec()).operation(operation)?;
        let mut heads = heads(operation, &table.columns)?;
        if let Some(name) = margins {
            for head in &mut heads {
                let is_margin = head.remove(0) == LabelPart::Bool(true);
                if let ([first, rest @ ..], true) = (&mut head[..], is_margin) {
                    *first = name.as_str().into();
                    rest.fill("".into());
                }
            }
            table.rows = named_margin(&table.rows, index, name, self.exec()).operation(operation)?;
        }
        for (label, columns) in labels.iter().zip(&mut table.values) {
            for column in columns {
                if let Some(value) = fill_value {
                    *column = missing::fill_null(column, value, self.exec())
                        .map_err(|error| error.in_column(label))
                        .operation(operation)?;
                }
            }
        }
        let names = columns.iter().cloned().map(Some).collect();
        let found = self.table(operation, table, &labels, &heads, names)?;
        if !*dropna || fill_value.is_some() || found.is_empty() {
            return Ok(found);
        }
        // Keys of columns of which one aggregate is null everywhere, another is not.
        let mut kept = Vec::with_capacity(found.columns().len());
        for (position, (label, column)) in found.frame().accessor().iter().enumerate() {
            let nulls = column.null_count(self.exec()).operation(operation)?;
            if position < index.len() || nulls < column.size() {
                kept.push(label.clone());
            }
        }
        let kept = found.frame().accessor().select(&kept).operation(operation)?;
        Ok(Self::from_frame(Frame::new(kept, self.exec().clone())))
    }

    /// The aggregates by the keys of rows, of columns, or both; the other keys are null. With margins, the first two columns say
    /// which of both are left out.
    fn aggregates(
        &self,
        operation: &'static str,
        options: &PivotTable,
        by: [bool; 2],
    ) -> Result<ColumnAccessor> {
        let PivotTable { index, columns, aggregates, margins, dropna, .. } = options;
        let exec = self.exec();
        let keys = || index.iter().chain(columns);
        let known = keys().map(|key| col(key.clone()).is_not_null()).reduce(Expr::and);
        let used = [(index, by[0]), (columns, by[1])];
        let used: Vec<&Label> =
            used.iter().filter(|(_, used)| *used).flat_map(|(labels, _)| labels.iter()).collect();
        let used: Vec<Expr> = used.into_iter().map(|label| col(label.clone())).collect();
        let null_keys = if *dropna { NullKeys::Drop } else { NullKeys::Group };
        let rows_where = known.filter(|_| *dropna && margins.is_some());
        let found = aggregate(
            self.frame().accessor(),
            rows_where.as_ref(),
            &used,
            aggregates,
            GroupOptions { null_keys },
            exec,
        )
        .operation(operation)?;
        if margins.is_none() {
            return Ok(found);
        }
        // Without rows there are no margins either.
        let found = if self.is_empty() { found.slice(0, 0).operation(operation)? } else { found };
        let rows = found.rows();
        let mut all = ColumnAccessor::with_rows(rows);
        for (label, is_key) in MARGINS.iter().zip(by) {
            let flag = Column::from_scalar(&(!is_key).into(), rows, exec).operation(operation)?;
            all.insert(*label, flag).operation(operation)?;
        }
        for label in keys() {
            let column = if let Ok(column) = found.get(label) {
                column.clone()
            } else {
                let dtype = self.frame().column(operation, label)?.dtype();
                Column::full_null(&dtype, rows, exec).operation(operation)?
            };
            all.insert(label.clone(), column).operation(operation)?;
        }
        for label in aggregates.iter().map(Expr::label) {
            let column = found.get(&label).operation(operation)?.clone();
            all.insert(label, column).operation(operation)?;
        }
        Ok(all)
    }
}

/// The keys of rows, of which strings have the name of the margin in its row.
fn named_margin(
    keys: &ColumnAccessor,
    index: &[Label],
    name: &str,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<ColumnAccessor> {
    let mut named = ColumnAccessor::with_rows(keys.rows());
    for (position, label) in index.iter().enumerate() {
        let column = keys.get(label)?;
        let column = if *column.dtype().logical() == DType::Utf8 {
            let text = if position == 0 { name } else { "" };
            let key = when(col(MARGINS[0])).then(lit(text)).otherwise(col(label.clone()));
            columnade_ops::expression::evaluate(&[key], keys, exec)?.swap_remove(0).1
        } else {
            column.clone()
        };
        named.insert(label.clone(), column)?;
    }
    Ok(named)
}
