//! Windows that move from row to row.

mod pairs;
#[cfg(test)]
mod test_pairs;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use columnade_columns::{
    AsLabel, Column, ColumnAccessor, DType, Error as ColumnError, Label, LabelPart, Levels,
};
use columnade_ops::expression::{Closed, Expr, Interpolation, Literal, Rank, RollingWindow, col, evaluate};

use crate::dataframe::{DataFrame, GroupBy};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::frequency::Frequency;
use crate::indexed_frame::IndexedFrame;
use crate::resample::Resampled;
use crate::selection::{IntoExprs, IntoLabels};
use crate::series::Series;

pub(crate) use pairs::{paired, pairs};

/// The rows of a window: a number of rows, or a span of time as a duration such as [`hours`](columnade_ops::expression::hours)`(2)`,
/// or a frequency of a fixed length, `"2h"` or `"1D"` (24 hours).
#[derive(Clone, Debug, PartialEq)]
pub struct WindowSize(Size);

#[derive(Clone, Debug, PartialEq)]
enum Size {
    Rows(u64),
    Time(String),
    /// Nanoseconds.
    Span(i128),
    Expanding,
}

impl From<u64> for WindowSize {
    fn from(rows: u64) -> Self {
        Self(Size::Rows(rows))
    }
}

impl From<&str> for WindowSize {
    fn from(frequency: &str) -> Self {
        Self(Size::Time(frequency.to_owned()))
    }
}

/// A duration, as [`hours`](columnade_ops::expression::hours) makes it, or a number of rows; other literals are an error when an
/// aggregate is asked for.
impl From<Literal> for WindowSize {
    fn from(literal: Literal) -> Self {
        Self(match literal {
            Literal::Duration(nanos) => Size::Span(nanos),
            Literal::Int(rows) if let Ok(rows) = u64::try_from(rows) => Size::Rows(rows),
            Literal::String(frequency) => Size::Time(frequency),
            Literal::Null
            | Literal::Bool(_)
            | Literal::Int(_)
            | Literal::Float(_)
            | Literal::Decimal { .. }
            | Literal::Scalar(_)
            | Literal::OneRow(_) => Size::Time(literal.to_string()),
        })
    }
}

impl From<String> for WindowSize {
    fn from(frequency: String) -> Self {
        Self(Size::Time(frequency))
    }
}

/// Windows of the rows of a frame or a series, one for each row.
///
/// Created by `rolling` and `expanding` of [`DataFrame`], [`Series`] and [`GroupBy`]. Results have the row labels of the rows; of
/// groups, the keys before them, in the order of the groups. The expressions [`Expr::rolling_sum`] and its neighbours compute
/// the same beside other columns.
///
/// # Source
/// pandas and cuDF `Rolling`; pandas `Expanding`, `RollingGroupby`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before an aggregate is asked for"]
pub struct Rolling<F> {
    rows: IndexedFrame,
    groups: Option<GroupBy<'static>>,
    size: Size,
    on: Option<Label>,
    min_periods: Option<u64>,
    center: bool,
    closed: Option<Closed>,
    selected: Option<Vec<Label>>,
    made: PhantomData<F>,
}

impl DataFrame {
    /// Windows of a number of rows or a span of time, which end with each row.
    ///
    /// ```
    /// use columnade::{DType, TimeUnit, date_range_periods, df};
    ///
    /// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 00:00:00", 4, "1h")?;
    /// let frame = df! { "t" => times, "n" => [1_i64, 2, 3, 4] }?;
    /// let sums = frame.rolling(2).select("n").sum()?;
    /// assert_eq!(sums.column("n")?.to_options::<i64>()?, [None, Some(3), Some(5), Some(7)]);
    /// let sums = frame.rolling("3h").on("t").sum()?;
    /// assert_eq!(sums.column("n")?.to_vec::<i64>()?, [1, 3, 6, 9]);
    /// assert!(frame.rolling(columnade::expressions::hours(3)).on("t").sum()?.equals(&sums)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.rolling`.
    pub fn rolling(&self, window: impl Into<WindowSize>) -> Rolling<DataFrame> {
        Rolling::new(self.indexed_frame(), window.into().0)
    }

    /// Windows of all rows up to each row.
    ///
    /// # Source
    /// pandas `DataFrame.expanding`.
    pub fn expanding(&self) -> Rolling<DataFrame> {
        Rolling::new(self.indexed_frame(), Size::Expanding)
    }
}

impl Series {
    /// Windows of a number of rows or a span of time, which end with each row: see [`DataFrame::rolling`]. Times are the row
    /// labels.
    ///
    /// # Source
    /// pandas `Series.rolling`.
    pub fn rolling(&self, window: impl Into<WindowSize>) -> Rolling<Series> {
        Rolling::new(&self.inner, window.into().0)
    }

    /// Windows of all rows up to each row.
    ///
    /// # Source
    /// pandas `Series.expanding`.
    pub fn expanding(&self) -> Rolling<Series> {
        Rolling::new(&self.inner, Size::Expanding)
    }
}

impl GroupBy<'_> {
    /// Windows within the group of each row. Results have the rows of one group after the other, with the keys and then the
    /// labels of the rows as labels.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["b", "a", "b", "b"], "n" => [1_i64, 2, 3, 4] }?;
    /// let sums = frame.group_by("k").rolling(2).min_periods(1).sum()?;
    /// assert_eq!(sums.column("n")?.to_vec::<i64>()?, [1, 4, 7, 2]);
    /// assert_eq!(sums.index().level_count(), 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `GroupBy.rolling`.
    pub fn rolling(&self, window: impl Into<WindowSize>) -> Rolling<DataFrame> {
        self.windows(window.into().0)
    }

    /// Windows of all rows of a group up to each row, as [`rolling`](Self::rolling).
    ///
    /// # Source
    /// pandas `GroupBy.expanding`.
    pub fn expanding(&self) -> Rolling<DataFrame> {
        self.windows(Size::Expanding)
    }

    fn windows(&self, size: Size) -> Rolling<DataFrame> {
        let groups = self.to_static();
        Rolling { groups: Some(groups), ..Rolling::new(self.all_rows().indexed_frame(), size) }
    }
}

impl Rolling<DataFrame> {
    /// The times are those of a column, and not the row labels. The column is not part of the results.
    ///
    /// # Source
    /// pandas `rolling(on=…)`.
    pub fn on(self, label: impl AsLabel) -> Self {
        Self { on: Some(label.to_label()), ..self }
    }

    /// Only these columns are aggregated. Otherwise those that an aggregate is for: numbers for a sum, all for a count.
    ///
    /// # Source
    /// pandas `Rolling[columns]`.
    pub fn select<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { selected: Some(labels.into_labels()), ..self }
    }
}

/// Which columns an aggregate is computed of where none are selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Numbers,
    Ordered,
    All,
}

macro_rules! aggregates {
    ($($(#[$doc:meta])* $name:ident => $of:expr, $make:expr;)*) => {
        impl<F: Resampled> Rolling<F> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// Same as [`agg`](Self::agg).
            pub fn $name(&self) -> Result<F> {
                self.each_column(stringify!($name), $of, $make)
            })*
        }
    };
}

aggregates! {
    /// The sum of each window of each column of numbers; see [`Expr::rolling_sum`].
    sum => Of::Numbers, Expr::rolling_sum;
    /// The mean of each window of each column of numbers.
    mean => Of::Numbers, Expr::rolling_mean;
    /// The median of each window of each column of numbers.
    median => Of::Numbers, Expr::rolling_median;
    /// The sample variance of each window of each column of numbers.
    var => Of::Numbers, Expr::rolling_var;
    /// The sample standard deviation of each window of each column of numbers.
    std => Of::Numbers, Expr::rolling_std;
    /// The skewness of each window of each column of numbers; see [`Expr::rolling_skew`].
    skew => Of::Numbers, Expr::rolling_skew;
    /// The excess kurtosis of each window of each column of numbers; see [`Expr::rolling_kurt`].
    kurt => Of::Numbers, Expr::rolling_kurt;
    /// The smallest value of each window of each column of numbers, dates, timestamps and durations.
    min => Of::Ordered, Expr::rolling_min;
    /// The largest value of each window, as [`min`](Self::min).
    max => Of::Ordered, Expr::rolling_max;
    /// The number of values of each window that are not null.
    count => Of::All, Expr::rolling_count;
    /// The first value of each window that is not null.
    first => Of::All, Expr::rolling_first;
    /// The last value of each window that is not null.
    last => Of::All, Expr::rolling_last;
    /// The number of distinct values of each window, nulls not counted; see [`Expr::rolling_nunique`].
    nunique => Of::All, Expr::rolling_nunique;
}

impl<F: Resampled> Rolling<F> {
    fn new(rows: &IndexedFrame, size: Size) -> Self {
        Self {
            rows: rows.clone(),
            groups: None,
            size,
            on: None,
            min_periods: None,
            center: false,
            closed: None,
            selected: None,
            made: PhantomData,
        }
    }

    /// Windows with fewer values that are not null are null: see [`RollingWindow::min_periods`].
    pub fn min_periods(self, min_periods: u64) -> Self {
        Self { min_periods: Some(min_periods), ..self }
    }

    /// Whether a row is in the middle of its window: see [`RollingWindow::center`].
    pub fn center(self, center: bool) -> Self {
        Self { center, ..self }
    }

    /// Which ends belong to a window: see [`RollingWindow::closed`]. Windows of all rows so far have no other ends.
    pub fn closed(self, closed: Closed) -> Self {
        Self { closed: Some(closed), ..self }
    }

    /// Expressions over windows, which a function makes of this one: `|window| [col("x").rolling_sum(window.clone())]`.
    /// Aggregates are those of the windows, see [`Expr::in_windows`]: `|_| [col("x").sum()]`.
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let frame = df! { "n" => [1_i64, 5, 2] }?;
    /// let range = frame.rolling(2).agg(|window| {
    ///     (col("n").rolling_max(window.clone()) - col("n").rolling_min(window.clone())).alias("range")
    /// })?;
    /// assert_eq!(range.column("range")?.to_options::<i64>()?, [None, Some(4), Some(3)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a window of no rows, a frequency that is none or of no fixed length,
    /// times that are null or do not ascend (in each group), a centred or otherwise closed window that cannot be, a dtype that
    /// an aggregate does not support, an expression that windows do not have, and when memory runs out.
    ///
    /// # Source
    /// pandas `Rolling.agg`.
    pub fn agg<E: IntoExprs<A>, A>(&self, make: impl FnOnce(&RollingWindow) -> E) -> Result<DataFrame> {
        const OPERATION: &str = "agg";
        let window = self.window(OPERATION)?;
        let mut exprs = make(&window).into_exprs();
        for expr in &mut exprs {
            *expr = expr.in_windows(&window).operation(OPERATION)?.alias(expr.label());
        }
        self.computed(OPERATION, exprs).map(DataFrame::from_indexed)
    }

    /// The quantile `q`, 0 to 1, of each window of each column of numbers.
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg), and for `q` outside 0 to 1.
    ///
    /// # Source
    /// pandas `Rolling.quantile`.
    pub fn quantile(&self, q: f64, interpolation: Interpolation) -> Result<F> {
        self.each_column("quantile", Of::Numbers, |x, window| x.rolling_quantile(q, interpolation, window))
    }

    /// The rank of the last value of each window of each column of numbers, dates, timestamps and durations among the values of the
    /// window; see [`Expr::rolling_rank`].
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg), and for dense ranks, which are not implemented.
    ///
    /// # Source
    /// pandas `Rolling.rank`.
    pub fn rank(&self, rank: Rank) -> Result<F> {
        self.each_column("rank", Of::Ordered, |x, window| x.rolling_rank(rank, window))
    }

    /// The variance of each window of each column of numbers, divided by the number of values less `ddof`.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let values = Series::new([1.0, 5.0, 5.0])?;
    /// assert_eq!(values.rolling(2).var_ddof(0)?.to_options::<f64>()?, [None, Some(4.0), Some(0.0)]);
    /// assert_eq!(values.expanding().sem_ddof(0)?.to_options::<f64>()?[1], Some(2_f64.sqrt()));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg).
    ///
    /// # Source
    /// pandas `Rolling.var(ddof=…)`.
    pub fn var_ddof(&self, ddof: u32) -> Result<F> {
        self.each_column("var_ddof", Of::Numbers, |x, window| x.rolling_var_ddof(ddof, window))
    }

    /// The square root of [`var_ddof`](Self::var_ddof).
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg).
    ///
    /// # Source
    /// pandas `Rolling.std(ddof=…)`.
    pub fn std_ddof(&self, ddof: u32) -> Result<F> {
        self.each_column("std_ddof", Of::Numbers, |x, window| x.rolling_std_ddof(ddof, window))
    }

    /// The standard error of the mean of each window: [`std_ddof`](Self::std_ddof) divided by the root of the number of values.
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg).
    ///
    /// # Source
    /// pandas `Rolling.sem(ddof=…)`.
    pub fn sem_ddof(&self, ddof: u32) -> Result<F> {
        self.each_column("sem_ddof", Of::Numbers, |x, window| x.rolling_sem_ddof(ddof, window))
    }

    fn each_column(
        &self,
        operation: &'static str,
        of: Of,
        make: impl Fn(Expr, RollingWindow) -> Expr,
    ) -> Result<F> {
        let window = self.window(operation)?;
        let labels = self.columns_for(operation, of)?;
        let exprs = labels.iter().map(|label| make(col(label), window.clone()).alias(label)).collect();
        self.computed(operation, exprs).map(F::of_rows)
    }

    fn columns_for(&self, operation: &'static str, of: Of) -> Result<Vec<Label>> {
        if let Some(selected) = &self.selected {
            self.rows.frame().check_labels(operation, selected)?;
            return Ok(selected.clone());
        }
        let keys: Vec<Label> = self.groups.iter().flat_map(GroupBy::key_labels).collect();
        let is_chosen = |dtype: &DType| {
            let is_number = dtype.is_numeric() || *dtype == DType::Bool;
            of == Of::All || is_number || (of == Of::Ordered && dtype.is_temporal())
        };
        let columns = self.rows.frame().accessor().iter();
        // A series says what is wrong with its dtype.
        let chosen = columns.filter(|(label, column)| {
            let is_other = Some(*label) == self.on.as_ref() || keys.contains(label);
            !F::IS_FRAME || (!is_other && is_chosen(&column.dtype()))
        });
        Ok(chosen.map(|(label, _)| label.clone()).collect())
    }

    /// The label of the times among the columns. For row labels, one that no column has; errors show it.
    fn times(&self) -> Label {
        self.on.clone().unwrap_or_else(|| {
            let columns = self.rows.frame().accessor();
            let mut name = "row labels".to_owned();
            loop {
                let rest = std::iter::repeat_n("", columns.levels().count() - 1);
                let parts = std::iter::once(name.as_str()).chain(rest).map(LabelPart::from);
                let label = Label::from_parts(parts).unwrap_or(Label::NULL);
                if !columns.contains(&label) {
                    return label;
                }
                name.push('\'');
            }
        })
    }

    fn window(&self, operation: &'static str) -> Result<RollingWindow> {
        let mut window = match &self.size {
            Size::Rows(rows) => RollingWindow::rows(*rows),
            Size::Expanding => RollingWindow::expanding(),
            Size::Span(nanoseconds) => {
                RollingWindow::time(col(self.times()), Literal::Duration(*nanoseconds))
            }
            Size::Time(text) => {
                let nanoseconds = match Frequency::parse(text).operation(operation)? {
                    Frequency::Fixed(nanoseconds) => nanoseconds,
                    Frequency::Days(days) => i128::from(days) * 86_400_000_000_000,
                    Frequency::Calendar { .. } => {
                        let reason = format!("{text} has no fixed length");
                        return Err(Error::argument(operation, "window", reason));
                    }
                };
                RollingWindow::time(col(self.times()), Literal::Duration(nanoseconds))
            }
        };
        if self.center && matches!(self.size, Size::Expanding) {
            return Err(Error::argument(operation, "center", "windows of all rows so far have no middle"));
        }
        window = window.center(self.center);
        if let Some(closed) = self.closed {
            if matches!(self.size, Size::Expanding) && closed != Closed::Right {
                let reason = "windows of all rows so far have no other ends";
                return Err(Error::argument(operation, "closed", reason));
            }
            window = window.closed(closed);
        }
        if let Some(min_periods) = self.min_periods {
            window = window.min_periods(min_periods);
        }
        Ok(window)
    }

    /// The values of expressions, in the order of the rows or of the groups, with their labels.
    fn computed(&self, operation: &'static str, exprs: Vec<Expr>) -> Result<IndexedFrame> {
        let rows = match &self.groups {
            None => self.rows.clone(),
            Some(groups) => groups.all_taking_part(operation)?.indexed_frame().clone(),
        };
        let mut frame = rows.frame().clone();
        if matches!(self.size, Size::Time(_) | Size::Span(_)) && self.on.is_none() {
            frame = with_times(operation, &rows, self.times())?;
        }
        if let Some(on) = &self.on {
            frame.check_labels(operation, [on])?;
        }
        let over = |expr: Expr| match &self.groups {
            Some(groups) => groups.within(expr),
            None => expr,
        };
        let exprs: Vec<Expr> = exprs
            .into_iter()
            .map(|expr| {
                let label = expr.label();
                over(expr).alias(label)
            })
            .collect();
        frame.check_expressions(operation, &exprs)?;
        let columns = evaluate(&exprs, frame.accessor(), frame.exec()).operation(operation)?;
        let columns = if columns.is_empty() {
            ColumnAccessor::with_rows(frame.len())
        } else {
            ColumnAccessor::from_columns(columns).operation(operation)?
        };
        let made = Frame::new(columns, frame.exec().clone());
        match &self.groups {
            None => Ok(rows.with_frame(made)),
            Some(groups) => groups.by_group(operation, &rows, made),
        }
    }
}

/// What errors call row labels: their name, if they have one.
pub(crate) fn of_row_labels(name: &Label) -> Label {
    if *name == Label::NULL { Label::from("row labels") } else { name.clone() }
}

/// The columns, with the row labels as a column of times.
fn with_times(operation: &'static str, rows: &IndexedFrame, label: Label) -> Result<Frame> {
    let frame = rows.frame();
    let levels = rows.index().columns(frame.exec()).operation(operation)?;
    let [times] = &*levels else {
        let reason = format!("{} levels of row labels are no times: name a column of times", levels.len());
        return Err(Error::argument(operation, "on", reason));
    };
    let is_time = matches!(times.dtype(), DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..));
    if !is_time && !matches!(times.dtype(), DType::Duration(_)) {
        let error = ColumnError::NotTimes { dtype: times.dtype() };
        return Err(error.in_column(of_row_labels(rows.index().name()))).operation(operation);
    }
    if times.null_count(frame.exec()).operation(operation)? > 0 {
        return Err(Error::argument(
            operation,
            "row labels",
            "one is null, and windows of time need all of them",
        ));
    }
    let with_times = |times: Column| -> columnade_columns::Result<ColumnAccessor> {
        let mut columns = frame.accessor().clone();
        if columns.is_empty() {
            columns = ColumnAccessor::with_levels(frame.len(), Levels::default());
        }
        columns.insert(label, times)?;
        Ok(columns)
    };
    Ok(frame.with_columns(with_times(times.clone()).operation(operation)?))
}
