//! Summaries of columns.

use columnade_columns::{Column, ColumnAccessor, DType, Label, Scalar};
use columnade_ops::expression::{Expr, col};
use columnade_ops::groupby::{GroupOptions, aggregate};
use std::ops::RangeFull;

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::series::Series;

/// The label of the names of the statistics.
const STATISTIC: &str = "statistic";

/// What [`DataFrame::describe`] shows. `..` stands for columns of numbers and times, and the quartiles.
///
/// # Source
/// pandas `describe(percentiles=…, include=…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Describe {
    percentiles: Vec<f64>,
    include_all: bool,
}

impl Describe {
    /// Columns of numbers and times, and the quartiles.
    pub fn new() -> Self {
        Self { percentiles: vec![0.25, 0.5, 0.75], include_all: false }
    }

    /// These quantiles, each 0 to 1, instead of the quartiles.
    #[must_use]
    pub fn percentiles(self, percentiles: impl IntoIterator<Item = f64>) -> Self {
        Self { percentiles: percentiles.into_iter().collect(), ..self }
    }

    /// Columns of every dtype that has an order, with the number of distinct values, the most frequent one and how often it
    /// occurs.
    #[must_use]
    pub fn include_all(self) -> Self {
        Self { include_all: true, ..self }
    }
}

impl Default for Describe {
    fn default() -> Self {
        Self::new()
    }
}

impl From<RangeFull> for Describe {
    fn from(_: RangeFull) -> Self {
        Self::new()
    }
}

/// Which statistics a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Mean, deviation and quantiles, as `float64`.
    Number,
    /// Mean and quantiles, and the deviation of durations, as text.
    Time,
    /// Distinct values, as text.
    Category,
}

impl Kind {
    fn of(dtype: &DType) -> Option<Self> {
        let values = dtype.logical();
        if matches!(dtype, DType::Dictionary(_)) || *values == DType::Bool || values.is_bytes() {
            Some(Kind::Category)
        } else if values.is_numeric() {
            Some(Kind::Number)
        } else if values.is_temporal() || matches!(values, DType::Duration(_) | DType::Time(_)) {
            Some(Kind::Time)
        } else {
            None
        }
    }
}

impl DataFrame {
    /// Summary statistics: a row for each statistic, its name in the column `statistic`, and the described columns.
    ///
    /// Columns of numbers are `float64`: `count`, `mean`, `std`, `min`, quantiles as `25%`, and `max`. Columns of times are
    /// text, and have no `std`, but those of durations have. With [`Describe::include_all`] there are also `unique`, `top` and `freq`, the number of
    /// distinct values, the most frequent one (the first of several) and its rows, of all other columns but nested ones, as
    /// text; they are shown too if no column is of numbers or times. What a column has not is null. Nulls are not counted.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "n" => [1, 2, 3, 10], "word" => ["a", "b", "a", "a"] }?;
    /// let summary = frame.describe(..)?;
    /// assert_eq!(summary.columns(), ["statistic", "n"]);
    /// assert_eq!(summary.column("n")?.get(1)?, 4.0.into());
    /// assert_eq!(summary.column("statistic")?.get(4)?, "25%".into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for percentiles outside 0 to 1 or given twice, for a described column that is called `statistic`, for
    /// a frame without a column that can be described, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.describe`, which puts `std` last where there are times; columns of times are objects there.
    pub fn describe(&self, options: impl Into<Describe>) -> Result<Self> {
        self.described("describe", &options.into())
    }

    pub(crate) fn described(&self, operation: &'static str, options: &Describe) -> Result<Self> {
        let percentiles = percentiles(operation, &options.percentiles)?;
        let columns = self.frame().accessor().columns();
        let kinds = self
            .columns()
            .iter()
            .zip(columns)
            .filter_map(|(label, column)| Kind::of(&column.dtype()).map(|kind| (label, column, kind)));
        let mut described: Vec<_> = kinds.collect();
        let has_numbers = described.iter().any(|(_, _, kind)| *kind != Kind::Category);
        if !options.include_all && has_numbers {
            described.retain(|(_, _, kind)| *kind != Kind::Category);
        }
        if described.is_empty() {
            return Err(Error::argument(operation, "frame", "it has no column that can be described"));
        }
        let with_categories = described.iter().any(|(_, _, kind)| *kind == Kind::Category);
        let with_numbers = has_numbers || options.include_all;
        let names = statistics(&percentiles, with_categories, with_numbers);
        let exec = self.exec();
        let texts: Vec<Scalar> = names.iter().map(|name| name.as_str().into()).collect();
        let names_column = Column::from_scalars(&DType::Utf8, &texts, exec).operation(operation)?;
        let mut summary = ColumnAccessor::from_columns([(STATISTIC, names_column)]).operation(operation)?;
        for (label, column, kind) in described {
            let values = self.statistics_of(operation, label, column, kind, &percentiles)?;
            let of_row =
                |name: &String| values.iter().find(|(other, _)| other == name).map(|(_, value)| value);
            let dtype = if kind == Kind::Number { DType::Float64 } else { DType::Utf8 };
            let shown: Vec<Scalar> = names
                .iter()
                .map(|name| match of_row(name) {
                    Some(value) if !value.is_null() && kind == Kind::Number => value.clone(),
                    Some(value) if !value.is_null() => value.to_string().into(),
                    _ => Scalar::Null(dtype.clone()),
                })
                .collect();
            let column = Column::from_scalars(&dtype, &shown, exec).operation(operation)?;
            summary.insert(label.clone(), column).operation(operation)?;
        }
        Ok(DataFrame::from_frame(Frame::new(summary, exec.clone())))
    }

    /// The statistics of a column by name.
    fn statistics_of(
        &self,
        operation: &'static str,
        label: &Label,
        column: &Column,
        kind: Kind,
        percentiles: &[(f64, String)],
    ) -> Result<Vec<(String, Scalar)>> {
        let exec = self.exec();
        let x = || col("x");
        let number = |expr: Expr| if kind == Kind::Number { expr.cast(DType::Float64) } else { expr };
        let mut exprs = vec![number(x().count()).alias("count")];
        if kind == Kind::Category {
            exprs.push(x().nunique().alias("unique"));
        } else {
            exprs.extend([
                number(x().mean()).alias("mean"),
                number(x().min()).alias("min"),
                number(x().max()).alias("max"),
            ]);
            exprs.extend(percentiles.iter().map(|(q, name)| number(x().quantile(*q)).alias(name.as_str())));
        }
        let is_duration = matches!(column.dtype().logical(), DType::Duration(_));
        if kind == Kind::Number || is_duration {
            exprs.push(x().std().alias("std"));
        }
        let rows = ColumnAccessor::from_columns([("x", column.clone())]).operation(operation)?;
        let found = aggregate(&rows, None, &[], &exprs, GroupOptions::default(), exec)
            .map_err(|error| error.in_column(label))
            .operation(operation)?;
        let mut values = Vec::new();
        for (name, column) in found.iter() {
            values.push((name.as_text().unwrap_or_default().to_owned(), column.get(0).operation(operation)?));
        }
        if kind == Kind::Category {
            let counts =
                Series::from_column(operation, "value", column.clone(), exec.clone())?.value_counts()?;
            if !counts.is_empty() {
                let (top, freq) = (counts.column("value")?.get(0)?, counts.column("count")?.get(0)?);
                values.extend([("top".to_owned(), top), ("freq".to_owned(), freq)]);
            }
        }
        Ok(values)
    }
}

/// The names of the rows, in pandas' order.
fn statistics(percentiles: &[(f64, String)], with_categories: bool, with_numbers: bool) -> Vec<String> {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut names = own(&["count"]);
    if with_categories {
        names.extend(own(&["unique", "top", "freq"]));
    }
    if with_numbers {
        names.extend(own(&["mean", "std", "min"]));
        names.extend(percentiles.iter().map(|(_, name)| name.clone()));
        names.push("max".to_owned());
    }
    names
}

/// The shares in order with their names, whole percents without digits after the point, the others with as many as tell them
/// apart.
fn percentiles(operation: &'static str, shares: &[f64]) -> Result<Vec<(f64, String)>> {
    let mut shares = shares.to_vec();
    shares.sort_by(f64::total_cmp);
    if let Some(share) = shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
        let reason = format!("a percentile is between 0 and 1, and not {share}");
        return Err(Error::argument(operation, "percentiles", reason));
    }
    if let Some((share, _)) = shares.iter().zip(shares.iter().skip(1)).find(|(share, next)| share >= next) {
        return Err(Error::argument(operation, "percentiles", format!("{share} is there twice")));
    }
    let percents: Vec<f64> = shares.iter().map(|share| 100.0 * share).collect();
    let is_whole = |percent: f64| (percent - percent.round()).abs() <= 1e-8 + 1e-5 * percent.round();
    let broken: Vec<f64> = percents.iter().copied().filter(|percent| !is_whole(*percent)).collect();
    // The least distance between two of them, and from the ends.
    let bounds = std::iter::once(0.0).chain(broken.iter().copied()).chain([100.0]).collect::<Vec<_>>();
    let least =
        bounds.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0).fold(100.0, f64::min);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to 15"
    )]
    let digits = (-least.log10().floor()).clamp(1.0, 15.0) as usize;
    let name = |percent: f64| {
        if is_whole(percent) {
            return format!("{}%", percent.round());
        }
        let text = format!("{percent:.digits$}");
        format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
    };
    let names: Vec<String> = percents.into_iter().map(name).collect();
    Ok(shares.into_iter().zip(names).collect())
}
