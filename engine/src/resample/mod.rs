//! Rows by bins of time.

mod aggregates;
mod bins;
mod fill;
mod grouper;
mod groups;
#[cfg(test)]
mod test_bins;
#[cfg(test)]
mod test_groups;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use columnade_buffers::Exec;
use columnade_columns::{
    AsLabel, Column, ColumnAccessor, DType, Error as ColumnError, Label, Result as ColumnResult, Scalar,
};
use columnade_ops::binning::time_bins;
use columnade_ops::expression::{Literal, col};
use columnade_ops::groupby::{GroupOptions, aggregate};

use crate::dataframe::{DataFrame, GroupBy};
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::frequency::Frequency;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoLabels;
use crate::series::Series;
use crate::window::of_row_labels;
use bins::{Binning, Bins};

pub use grouper::Grouper;

/// A side of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    /// Where it begins.
    Left,
    /// Where it ends.
    Right,
}

/// Where bins of a fixed length, or of days, begin to be counted.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Origin {
    /// Midnight before the first time.
    #[default]
    StartDay,
    /// 1970-01-01.
    Epoch,
    /// The first time.
    Start,
    /// The last time: bins are counted backwards.
    End,
    /// Midnight after the last time: bins are counted backwards.
    EndDay,
    /// A time.
    Timestamp(Scalar),
}

impl From<Scalar> for Origin {
    fn from(time: Scalar) -> Self {
        Origin::Timestamp(time)
    }
}

/// What [`Resampler`] divides: [`DataFrame`] and [`Series`].
pub trait Resampled: sealed::Rows {}
impl Resampled for DataFrame {}
impl Resampled for Series {}

mod sealed {
    use crate::indexed_frame::IndexedFrame;

    pub trait Rows: Sized {
        const IS_FRAME: bool;
        fn rows(&self) -> &IndexedFrame;
        fn of_rows(rows: IndexedFrame) -> Self;
    }

    impl Rows for super::DataFrame {
        const IS_FRAME: bool = true;

        fn rows(&self) -> &IndexedFrame {
            self.indexed_frame()
        }

        fn of_rows(rows: IndexedFrame) -> Self {
            Self::from_indexed(rows)
        }
    }

    impl Rows for super::Series {
        const IS_FRAME: bool = false;

        fn rows(&self) -> &IndexedFrame {
            &self.inner
        }

        fn of_rows(rows: IndexedFrame) -> Self {
            Self::from_indexed(rows)
        }
    }
}

/// Rows divided into bins of time, which follow each other from the first time to the last: bins without rows are there too.
///
/// Created by [`DataFrame::resample`], [`Series::resample`] and [`GroupBy::resample`]. The times are the row labels, or a column of a frame: see
/// [`on`](Self::on); they need no order, and rows without a time are in no bin. The results are labelled by the bins.
///
/// # Source
/// pandas and cuDF `Resampler`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before an aggregate is asked for"]
pub struct Resampler<F> {
    rows: IndexedFrame,
    binning: Binning,
    on: Option<Label>,
    selected: Option<Vec<Label>>,
    groups: Option<GroupBy<'static>>,
    made: PhantomData<F>,
}

/// The bins of rows.
struct Binned {
    bins: Bins,
    times: Column,
    name: Label,
}

impl DataFrame {
    /// Divides the rows into bins of time by a frequency of pandas: `1h`, `15min`, `1h30min`, `D`, `W-MON`, `ME`, `QS-FEB`; see
    /// [`date_range`](crate::date_range). `D` is a day of the calendar, in the time zone of the times; `24h` is not.
    ///
    /// ```
    /// use columnade::{DType, TimeUnit, col, date_range_periods, df};
    ///
    /// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 09:00:00", 4, "25min")?;
    /// let frame = df! { "t" => times, "n" => [1_i64, 2, 3, 4] }?;
    /// let hours = frame.resample("1h").on("t").agg([col("n").sum(), col("n").max().alias("max")])?;
    /// assert_eq!(hours.column("n")?.to_vec::<i64>()?, [6, 4]);
    /// assert_eq!(hours.index().get(1)?.to_string(), "2024-01-01 10:00:00");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.resample`.
    pub fn resample(&self, frequency: impl Into<String>) -> Resampler<DataFrame> {
        Resampler::new(self.indexed_frame(), frequency)
    }
}

impl Series {
    /// Divides the rows into bins of time: see [`DataFrame::resample`]. The times are the row labels.
    ///
    /// # Source
    /// pandas `Series.resample`.
    pub fn resample(&self, frequency: impl Into<String>) -> Resampler<Series> {
        Resampler::new(&self.inner, frequency)
    }
}

impl Resampler<DataFrame> {
    /// The times are those of a column, and not the row labels.
    ///
    /// # Source
    /// pandas `resample(on=…)`.
    pub fn on(self, label: impl AsLabel) -> Self {
        Self { on: Some(label.to_label()), ..self }
    }

    /// Only these columns are aggregated. Otherwise those that an aggregate is for: numbers for a sum, all for a count.
    ///
    /// # Source
    /// pandas `Resampler[columns]`.
    pub fn select<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { selected: Some(labels.into_labels()), ..self }
    }
}

impl<F: Resampled> Resampler<F> {
    fn new(rows: &IndexedFrame, frequency: impl Into<String>) -> Self {
        let binning = Binning::every(frequency);
        Self { rows: rows.clone(), binning, on: None, selected: None, groups: None, made: PhantomData }
    }

    /// Which edge belongs to a bin. Default: the right one for weeks, the ends of months, quarters and years, and bins that are
    /// counted from the end; otherwise the left one.
    pub fn closed(mut self, closed: Edge) -> Self {
        self.binning.closed = Some(closed);
        self
    }

    /// Which edge a bin is called after. Default: that which [`closed`](Self::closed) has by default.
    pub fn label(mut self, label: Edge) -> Self {
        self.binning.label = Some(label);
        self
    }

    /// Where bins begin to be counted; for frequencies of a fixed length and days. Default: midnight before the first time.
    ///
    /// ```
    /// use columnade::{DType, Origin, TimeUnit, date_range_periods, df};
    ///
    /// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 09:10:00", 3, "30min")?;
    /// let frame = df! { "t" => times, "n" => [1_i64, 2, 3] }?;
    /// let hours = frame.resample("1h").on("t").origin(Origin::Start).sum()?;
    /// assert_eq!(hours.index().get(0)?.to_string(), "2024-01-01 09:10:00");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn origin(mut self, origin: impl Into<Origin>) -> Self {
        self.binning.origin = origin.into();
        self
    }

    /// A duration that is added to the origin, such as [`minutes(15)`](crate::expressions::minutes).
    pub fn offset(mut self, offset: impl Into<Literal>) -> Self {
        self.binning.set_offset(&offset.into());
        self
    }

    fn exec(&self) -> &Exec {
        self.rows.frame().exec()
    }

    fn accessor(&self) -> &ColumnAccessor {
        self.rows.frame().accessor()
    }

    /// The times, and their name.
    fn times(&self, operation: &'static str) -> Result<(Column, Label)> {
        times_of(operation, &self.rows, self.on.as_ref())
    }

    fn binned(&self, operation: &'static str) -> Result<Binned> {
        let (times, name) = self.times(operation)?;
        let bins = bins_of(&self.binning, &times, self.exec());
        let bins = bins.map_err(|error| error.in_column(of_row_labels(&name)));
        Ok(Binned { bins: bins.operation(operation)?, times, name })
    }

    /// The labels of bins as an index.
    fn index_of(&self, binned: &Binned, labels: &[i64]) -> ColumnResult<Index> {
        let labels = times_from(labels, &binned.times.dtype(), self.exec())?;
        let index = Index::of_owned(std::slice::from_ref(&binned.name), vec![labels], self.exec());
        Ok(index.with_freq(Frequency::parse(&self.binning.frequency).ok()))
    }
}

/// The times of rows, which a column has or are their labels.
fn times_of(operation: &'static str, rows: &IndexedFrame, on: Option<&Label>) -> Result<(Column, Label)> {
    let frame = rows.frame();
    if let Some(label) = on {
        return Ok((frame.column(operation, label)?.clone(), label.clone()));
    }
    let levels = rows.index().columns(frame.exec()).operation(operation)?;
    match &*levels {
        [times] => Ok((times.clone(), rows.index().name().clone())),
        _ => Err(crate::error::Error::argument(
            operation,
            "on",
            format!("{} levels of row labels are no times: name a column of times", levels.len()),
        )),
    }
}

fn bins_of(binning: &Binning, times: &Column, exec: &Exec) -> ColumnResult<Bins> {
    let dtype = times.dtype();
    if !is_time(&dtype) {
        return Err(ColumnError::NotTimes { dtype });
    }
    let frame = ColumnAccessor::from_columns([("time", times.clone())])?;
    let ends = [col("time").min().alias("first"), col("time").max().alias("last")];
    let ends = aggregate(&frame, None, &[], &ends, GroupOptions::default(), exec)?;
    let end = |column: usize| -> ColumnResult<Option<i64>> { Ok(count(&ends.columns()[column].get(0)?)) };
    binning.bins(&dtype, end(0)?.zip(end(1)?))
}

/// What is divided into bins.
fn is_time(dtype: &DType) -> bool {
    matches!(dtype, DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..) | DType::Duration(_))
}

/// A time in the unit of its dtype.
fn count(time: &Scalar) -> Option<i64> {
    if let Scalar::Date32(days) = time {
        Some((*days).into())
    } else if let Scalar::Timestamp(count, _) | Scalar::TimestampTz(count, ..) | Scalar::Duration(count, _) =
        time
    {
        Some(*count)
    } else {
        None
    }
}

/// A column of times in the unit of their dtype.
fn times_from(times: &[i64], dtype: &DType, exec: &Exec) -> ColumnResult<Column> {
    let column = if *dtype == DType::Date32 {
        let fits =
            |&time: &i64| i32::try_from(time).map_err(|_| ColumnError::Overflow { dtype: dtype.clone() });
        Column::from_slice(&times.iter().map(fits).collect::<ColumnResult<Vec<_>>>()?, exec)?
    } else {
        Column::from_slice(times, exec)?
    };
    column.reinterpret(dtype)
}

impl Binned {
    /// The number of the bin of each row.
    fn numbers(&self, exec: &Exec) -> ColumnResult<Column> {
        time_bins(&self.times, &self.bins.edges, self.bins.right, exec)
    }
}

impl<F: Resampled> Resampler<F> {
    fn made(&self, columns: ColumnAccessor, index: Index) -> F {
        F::of_rows(IndexedFrame::with_index(Frame::new(columns, self.exec().clone()), index))
    }
}
