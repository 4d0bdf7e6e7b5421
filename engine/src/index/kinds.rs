//! The kinds of indexes that have columns.

use columnade_columns::{DType, Label, TimeUnit, TimeZone};

#[cfg(doc)]
use super::Index;
use super::labels::Labels;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(pub(super) Labels);

        impl $name {
            /// The number of labels.
            pub fn len(&self) -> usize {
                self.0.len()
            }

            /// Whether there are no labels.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        })*
    };
}

kinds! {
    /// Labels of any dtype that has no kind of its own.
    ///
    /// # Source
    /// pandas and cuDF `Index`.
    SingleIndex;
    /// Labels of several levels.
    ///
    /// # Source
    /// pandas and cuDF `MultiIndex`.
    MultiIndex;
    /// Dates and timestamps, with a time zone or without.
    ///
    /// # Source
    /// pandas and cuDF `DatetimeIndex`.
    DatetimeIndex;
    /// Durations.
    ///
    /// # Source
    /// pandas and cuDF `TimedeltaIndex`.
    TimedeltaIndex;
    /// Values of a dictionary.
    ///
    /// # Source
    /// pandas and cuDF `CategoricalIndex`.
    CategoricalIndex;
    /// Intervals.
    ///
    /// # Source
    /// pandas and cuDF `IntervalIndex`.
    IntervalIndex;
}

impl MultiIndex {
    /// The number of levels, at least two.
    pub fn level_count(&self) -> usize {
        self.0.names().len()
    }

    /// The names of the levels; null for a level without a name.
    pub fn names(&self) -> &[Label] {
        self.0.names()
    }

    /// The dtypes of the levels.
    pub fn dtypes(&self) -> &[DType] {
        self.0.dtypes()
    }
}

impl DatetimeIndex {
    /// How often the labels come, of labels that were made so: by [`Index::date_range`], [`Index::timedelta_range`],
    /// [`Index::shift`] and [`resample`](crate::DataFrame::resample), and slices of those, with a step too. `None` for all others:
    /// see [`inferred_freq`](Self::inferred_freq).
    ///
    /// # Source
    /// pandas `DatetimeIndex.freqstr`, which is inferred again where labels are picked by masks.
    pub fn freq(&self) -> Option<String> {
        self.0.freq().map(|freq| freq.to_string())
    }

    /// The unit of timestamps; `None` for dates, whose unit is a day.
    pub fn unit(&self) -> Option<TimeUnit> {
        if let [DType::Timestamp(unit) | DType::TimestampTz(unit, _)] = self.0.dtypes() {
            Some(*unit)
        } else {
            None
        }
    }

    /// The time zone.
    pub fn zone(&self) -> Option<&TimeZone> {
        if let [DType::TimestampTz(_, zone)] = self.0.dtypes() { Some(zone) } else { None }
    }
}

impl TimedeltaIndex {
    /// How often the labels come, of labels that were made so: by [`Index::date_range`], [`Index::timedelta_range`],
    /// [`Index::shift`] and [`resample`](crate::DataFrame::resample), and slices of those, with a step too. `None` for all others:
    /// see [`inferred_freq`](Self::inferred_freq).
    ///
    /// # Source
    /// pandas `TimedeltaIndex.freqstr`.
    pub fn freq(&self) -> Option<String> {
        self.0.freq().map(|freq| freq.to_string())
    }

    /// The unit.
    pub fn unit(&self) -> Option<TimeUnit> {
        if let [DType::Duration(unit)] = self.0.dtypes() { Some(*unit) } else { None }
    }
}

impl CategoricalIndex {
    /// Whether the categories are ordered.
    pub fn is_ordered(&self) -> bool {
        matches!(self.0.dtypes().first(), Some(DType::Dictionary(dictionary)) if dictionary.ordered)
    }
}
