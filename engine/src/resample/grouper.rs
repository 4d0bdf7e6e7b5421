//! Bins of time as keys of groups.

use columnade_columns::{AsLabel, Column, Label};
use columnade_ops::copying::take;
use columnade_ops::expression::Literal;

use super::bins::Binning;
use super::{Edge, Origin, bins_of, times_from, times_of};
use crate::dataframe::DataFrame;
use crate::error::{InOperation, Result};
use crate::window::of_row_labels;

/// Bins of time as a key of [`DataFrame::group_by_with`]: the label of the bin of each row. As the only key, all bins from the
/// first time to the last are groups of `agg`, in their order, as of [`DataFrame::resample`]; beside other keys, those that rows
/// have.
///
/// ```
/// use columnade::{DType, GroupKey, Grouper, TimeUnit, col, date_range_periods, df};
///
/// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 09:00:00", 4, "40min")?;
/// let frame = df! { "t" => times, "k" => ["a", "b", "a", "a"], "n" => [1_i64, 2, 3, 4] }?;
/// let keys = [GroupKey::from("k"), Grouper::every("1h").on("t").into()];
/// let sums = frame.group_by_with(keys)?.agg(col("n").sum())?;
/// assert_eq!(sums.columns(), ["k", "t", "n"]);
/// assert_eq!(sums.column("n")?.to_vec::<i64>()?, [1, 2, 3, 4]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas `Grouper(freq=…, key=…)`.
#[derive(Clone, Debug)]
#[must_use = "a key of groups"]
pub struct Grouper {
    binning: Binning,
    on: Option<Label>,
}

impl Grouper {
    /// Bins by a frequency of the times that are row labels; see [`on`](Self::on).
    pub fn every(frequency: impl Into<String>) -> Self {
        Self { binning: Binning::every(frequency), on: None }
    }

    /// The times are those of a column.
    pub fn on(self, label: impl AsLabel) -> Self {
        Self { on: Some(label.to_label()), ..self }
    }

    /// Which edge belongs to a bin: see [`Resampler::closed`](super::Resampler::closed).
    pub fn closed(mut self, closed: Edge) -> Self {
        self.binning.closed = Some(closed);
        self
    }

    /// Which edge a bin is called after: see [`Resampler::label`](super::Resampler::label).
    pub fn label(mut self, label: Edge) -> Self {
        self.binning.label = Some(label);
        self
    }

    /// Where bins begin to be counted: see [`Resampler::origin`](super::Resampler::origin).
    pub fn origin(mut self, origin: impl Into<Origin>) -> Self {
        self.binning.origin = origin.into();
        self
    }

    /// A duration that is added to the origin.
    pub fn offset(mut self, offset: impl Into<Literal>) -> Self {
        self.binning.set_offset(&offset.into());
        self
    }

    /// The name of the key, the label of each row's bin, and those of all bins.
    pub(crate) fn key(&self, operation: &'static str, frame: &DataFrame) -> Result<(Label, Column, Column)> {
        let exec = frame.exec();
        let (times, name) = times_of(operation, frame.indexed_frame(), self.on.as_ref())?;
        let labels = || -> columnade_columns::Result<(Column, Column)> {
            let bins = bins_of(&self.binning, &times, exec)?;
            let numbers = columnade_ops::binning::time_bins(&times, &bins.edges, bins.right, exec)?;
            let all = times_from(&bins.labels, &times.dtype(), exec)?;
            Ok((take(&all, &numbers, exec)?, all))
        };
        let (labels, all) =
            labels().map_err(|error| error.in_column(of_row_labels(&name))).operation(operation)?;
        let name = if name == Label::NULL { Label::from("index") } else { name };
        Ok((name, labels, all))
    }
}
