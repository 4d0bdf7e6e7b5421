//! Row labels.

mod append;
mod build;
mod datetime;
mod deferred;
mod display;
mod facts;
mod inferred_freq;
mod interval;
mod kinds;
mod labels;
pub(crate) mod lookup;
mod made;
mod multi;
mod nearest;
mod order;
mod period;
mod range;
mod range_lookup;
mod ranges;
mod set_ops;
mod shift;
mod slices;
#[cfg(test)]
mod test_freq;
#[cfg(test)]
mod test_interval;
#[cfg(test)]
mod test_lookup;
#[cfg(test)]
mod test_rows;
#[cfg(test)]
mod test_set_ops;
#[cfg(test)]
mod test_sizes;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use columnade_buffers::{Device, Error as DeviceError, Exec};
use columnade_columns::promote::common;
use columnade_columns::{
    self as columns, AsLabel, Column, DType, Error as ColumnError, ErrorKind, Label, LabelPartRef, Scalar,
};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::comparing;
use columnade_ops::selection::{Step, range_labels};

use crate::error::{Error, InOperation, Result};
use crate::frequency::Frequency;
use crate::options::default_exec_for;
use deferred::Base;

pub use build::IndexNames;
pub(crate) use build::column_names;
pub use datetime::DatetimeLabels;
pub use kinds::{CategoricalIndex, DatetimeIndex, IntervalIndex, MultiIndex, SingleIndex, TimedeltaIndex};
pub use labels::Labels;
pub use nearest::IndexerMethod;
pub use range::RangeIndex;
pub use ranges::index_with_freq;
pub use set_ops::SetOrder;

/// The row labels of a frame or a series, in one or several levels.
///
/// The kind follows from the dtype, never from values. Indexes are immutable and cheap to clone. They are compared by
/// [`equals`](Self::equals) and [`identical`](Self::identical): both may compute labels, and so may fail.
///
/// ```
/// use columnade::{Index, df};
///
/// let days = df! { "day" => ["mon", "tue", "wed"], "n" => [3, 1, 2] }?.set_index("day")?;
/// assert_eq!(days.index().name(), "day");
/// assert_eq!(days.index().get(1)?, "tue".into());
/// assert!(days.index().is_unique()?);
/// assert!(matches!(days.index(), Index::Single(_)));
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas and cuDF `Index` and its subclasses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Index {
    /// `start`, `start + step`, …, never materialised.
    Range(RangeIndex),
    /// Labels of a dtype without a kind of its own.
    Single(SingleIndex),
    /// Labels of several levels.
    Multi(MultiIndex),
    /// Dates and timestamps.
    Datetime(DatetimeIndex),
    /// Durations.
    Timedelta(TimedeltaIndex),
    /// Values of a dictionary.
    Categorical(CategoricalIndex),
    /// Intervals.
    Interval(IntervalIndex),
}

impl Index {
    /// 0, 1, … for `rows` rows.
    pub fn of_rows(rows: usize) -> Self {
        Self::Range(RangeIndex::of_rows(rows))
    }

    /// The index of the kind that goes with the dtypes.
    fn of_labels(labels: Labels) -> Self {
        let [dtype] = labels.dtypes() else { return Self::Multi(MultiIndex(labels)) };
        if matches!(dtype, DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..)) {
            Self::Datetime(DatetimeIndex(labels))
        } else if matches!(dtype, DType::Duration(_)) {
            Self::Timedelta(TimedeltaIndex(labels))
        } else if matches!(dtype, DType::Dictionary(_)) {
            Self::Categorical(CategoricalIndex(labels))
        } else if matches!(dtype, DType::Interval(_)) {
            Self::Interval(IntervalIndex(labels))
        } else {
            Self::Single(SingleIndex(labels))
        }
    }

    /// The labels of every index but a range.
    pub(crate) fn labels(&self) -> Option<&Labels> {
        match self {
            Index::Range(_) => None,
            Index::Single(index) => Some(&index.0),
            Index::Multi(index) => Some(&index.0),
            Index::Datetime(index) => Some(&index.0),
            Index::Timedelta(index) => Some(&index.0),
            Index::Categorical(index) => Some(&index.0),
            Index::Interval(index) => Some(&index.0),
        }
    }

    /// How often times come, where they were made so.
    pub(crate) fn freq(&self) -> Option<Frequency> {
        self.labels().and_then(Labels::freq)
    }

    /// The same labels, times that come this often.
    pub(crate) fn with_freq(&self, freq: Option<Frequency>) -> Self {
        self.labels().map_or_else(|| self.clone(), |labels| Self::of_labels(labels.clone().with_freq(freq)))
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        if let Index::Range(range) = self { range.len() } else { self.labels().map_or(0, Labels::len) }
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the levels; null for a level without a name.
    pub fn names(&self) -> &[Label] {
        if let Index::Range(range) = self {
            std::slice::from_ref(range.name())
        } else {
            self.labels().map_or(&[], Labels::names)
        }
    }

    /// The name; null for none, and for several levels.
    ///
    /// # Source
    /// pandas `Index.name`.
    pub fn name(&self) -> &Label {
        if let [name] = self.names() { name } else { &Label::NULL }
    }

    /// The number of levels.
    pub fn level_count(&self) -> usize {
        self.names().len()
    }

    /// The dtypes of the levels.
    pub fn dtypes(&self) -> Vec<DType> {
        self.labels().map_or_else(|| vec![DType::Int64], |labels| labels.dtypes().to_vec())
    }

    /// The index as one of dates and timestamps.
    pub fn as_datetime(&self) -> Option<&DatetimeIndex> {
        if let Index::Datetime(index) = self { Some(index) } else { None }
    }

    /// The index as one of several levels.
    pub fn as_multi(&self) -> Option<&MultiIndex> {
        if let Index::Multi(index) = self { Some(index) } else { None }
    }

    /// The index as one of intervals.
    pub fn as_interval(&self) -> Option<&IntervalIndex> {
        if let Index::Interval(index) = self { Some(index) } else { None }
    }

    /// The same labels with another name; [`Label::NULL`] for none. Several levels are renamed by
    /// [`set_names`](Self::set_names).
    ///
    /// # Errors
    /// [`Error::Operation`] for an index of several levels.
    ///
    /// # Source
    /// pandas `Index.rename`.
    pub fn rename(&self, name: impl Into<Label>) -> Result<Self> {
        self.named("rename", &[name.into()])
    }

    /// The same labels with other names of the levels, one for each; [`Label::NULL`] for none.
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of names.
    ///
    /// # Source
    /// pandas `Index.set_names`.
    pub fn set_names<A>(&self, names: impl IndexNames<A>) -> Result<Self> {
        self.named("set_names", &names.into_names())
    }

    pub(crate) fn named(&self, operation: &'static str, names: &[Label]) -> Result<Self> {
        if names.len() != self.level_count() {
            let reason = format!("{} for {} levels", names.len(), self.level_count());
            return Err(Error::argument(operation, "names", reason));
        }
        Ok(self.renamed(names))
    }

    /// The same labels under names, one for each level.
    pub(crate) fn renamed(&self, names: &[Label]) -> Self {
        match (self, self.labels()) {
            (Index::Range(range), _) => {
                Index::Range(range.rename(names.first().cloned().unwrap_or(Label::NULL)))
            }
            (_, Some(labels)) => Self::of_labels(labels.with_names(names.into())),
            (_, None) => self.clone(),
        }
    }

    /// The label of the row at `position`, copied to the host. Of several levels a struct, whose fields are called as the
    /// levels, or as their positions.
    ///
    /// # Errors
    /// [`Error::Operation`] beyond the end, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index[position]`.
    pub fn get(&self, position: usize) -> Result<Scalar> {
        self.label_at("get", position)
    }

    pub(crate) fn label_at(&self, operation: &'static str, position: usize) -> Result<Scalar> {
        self.label(position).operation(operation)
    }

    pub(crate) fn label(&self, position: usize) -> columns::Result<Scalar> {
        let mut levels = self.levels_at(position)?;
        if levels.len() == 1 {
            return Ok(levels.swap_remove(0));
        }
        let names = self
            .names()
            .iter()
            .enumerate()
            .map(|(level, name)| name.as_text().map_or_else(|| level.to_string(), str::to_owned));
        Ok(Scalar::Struct(names.zip(levels).collect()))
    }

    /// The label of each level of the row at `position`.
    pub(crate) fn levels_at(&self, position: usize) -> columns::Result<Vec<Scalar>> {
        if position >= self.len() {
            return Err(ColumnError::IndexOutOfBounds { index: position, len: self.len() });
        }
        Ok(self.rows(position, 1)?.into_iter().filter_map(|mut level| level.pop()).collect())
    }

    /// The labels of some rows, a list for each level; only these are computed and copied to the host.
    pub(crate) fn rows(&self, offset: usize, len: usize) -> columns::Result<Vec<Vec<Scalar>>> {
        match (self, self.labels()) {
            (Index::Range(range), _) => {
                let rows = offset..offset.saturating_add(len);
                let mut labels = Vec::new();
                labels.try_reserve_exact(rows.len()).map_err(|_| DeviceError::OutOfMemory {
                    device: Device::Host,
                    requested: rows.len().saturating_mul(size_of::<Scalar>()),
                    free: None,
                    tier_refusal: None,
                })?;
                labels.extend(rows.filter_map(|row| range.get(row)).map(Scalar::Int64));
                Ok(vec![labels])
            }
            (_, Some(labels)) => labels.rows(offset, len),
            (_, None) => Ok(Vec::new()),
        }
    }

    /// The labels of the rows `offset .. offset + len`, cut at the end. Those of a range are a range.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        self.sliced(offset, len).operation("slice")
    }

    pub(crate) fn sliced(&self, offset: usize, len: usize) -> columns::Result<Self> {
        let offset = offset.min(self.len());
        let len = len.min(self.len() - offset);
        if len == self.len() {
            return Ok(self.clone());
        }
        match (self, self.labels()) {
            (Index::Range(range), _) => Ok(Index::Range(range.slice(offset, len))),
            (_, Some(labels)) => Ok(Self::of_labels(labels.picked(&[Step::Slice { offset, len }])?)),
            (_, None) => Ok(self.clone()),
        }
    }

    /// The labels of the rows that `steps` leave, computed when they are looked at.
    pub(crate) fn picked(&self, steps: &[Step], exec: &Exec) -> columns::Result<Self> {
        match (steps, self.labels()) {
            ([], _) => Ok(self.clone()),
            ([Step::Slice { offset, len }], _) => self.sliced(*offset, *len),
            // All rows in their order.
            ([Step::Mask { kept, .. }], _) if *kept == self.len() => Ok(self.clone()),
            (_, Some(labels)) => Ok(Self::of_labels(labels.picked(steps)?)),
            (_, None) => {
                let Index::Range(range) = self else { return Ok(self.clone()) };
                let (names, base) = (Arc::from(self.names()), Base::Range(range.clone()));
                let labels = Labels::deferred(names, Arc::new([DType::Int64]), exec, base, steps.to_vec())?;
                Ok(Self::of_labels(labels))
            }
        }
    }

    /// A column for each level, on the device of `exec`.
    pub(crate) fn columns(&self, exec: &Exec) -> columns::Result<Arc<[Column]>> {
        match (self, self.labels()) {
            (Index::Range(range), _) => {
                Ok(Arc::new([range_labels(range.start(), range.step(), range.len(), exec)?]))
            }
            (_, Some(labels)) => labels.columns(),
            (_, None) => Ok(Arc::new([])),
        }
    }

    /// Bytes that the labels keep allocated: none of a range, and of rows that were picked and not looked at yet.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.labels().map_or(0, Labels::memory_bytes)
    }

    /// The context of the labels; the thread's default for a range, which has none.
    pub(crate) fn exec(&self, operation: &'static str) -> Result<Exec> {
        self.labels().map_or_else(|| default_exec_for(operation), |labels| Ok(labels.exec().clone()))
    }

    /// The labels on the device of `exec`.
    pub(crate) fn to_device(&self, exec: &Exec) -> columns::Result<Self> {
        self.labels().map_or_else(|| Ok(self.clone()), |labels| labels.to_device(exec).map(Self::of_labels))
    }

    /// Whether the labels were computed: false for a range, and for rows that were picked and not looked at.
    #[cfg(test)]
    pub(crate) fn is_materialised(&self) -> bool {
        self.labels().is_some_and(Labels::is_ready)
    }

    /// Whether both have the same labels in the same order; names may differ, and dtypes if their values compare. A null is
    /// equal to a null and NaN to NaN.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let labels = Index::new([0_i64, 1, 2])?;
    /// assert!(labels.equals(&Index::of_rows(3))?);
    /// assert!(!labels.identical(&labels.rename("id")?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels on different devices, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.equals`.
    pub fn equals(&self, other: &Index) -> Result<bool> {
        self.has_labels_of(other).operation("equals")
    }

    /// Whether both have the same labels, names and dtypes; a range is as the integers it stands for.
    ///
    /// # Errors
    /// Same as [`equals`](Self::equals).
    ///
    /// # Source
    /// pandas `Index.identical`.
    pub fn identical(&self, other: &Index) -> Result<bool> {
        if self.names() != other.names() || self.dtypes() != other.dtypes() {
            return Ok(false);
        }
        self.has_labels_of(other).operation("identical")
    }

    /// [`equals`](Self::equals) without the name of a method.
    pub(crate) fn has_labels_of(&self, other: &Index) -> columns::Result<bool> {
        if self.len() != other.len() || self.level_count() != other.level_count() {
            return Ok(false);
        }
        match (self, other, self.labels(), other.labels()) {
            (Index::Range(left), Index::Range(right), _, _) => return Ok(left.same_labels(right)),
            (_, _, Some(left), Some(right)) if left.is_same(right) => return Ok(true),
            _ => {}
        }
        let Some(exec) = self.labels().or(other.labels()).map(Labels::exec) else { return Ok(false) };
        let (left, right) = (self.columns(exec)?, other.columns(exec)?);
        for (left, right) in left.iter().zip(right.iter()) {
            if !equal_values(left, right, exec)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no label comes twice. Rows that were picked of a range are unique without a look, unless one was picked twice.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index.is_unique`.
    pub fn is_unique(&self) -> Result<bool> {
        self.unique_labels().operation("is_unique")
    }

    pub(crate) fn unique_labels(&self) -> columns::Result<bool> {
        if let Index::Range(range) = self {
            Ok(range.step() != 0 || range.len() < 2)
        } else {
            self.labels().map_or(Ok(true), Labels::is_unique)
        }
    }

    /// Whether each label is at least the one before; false with a null or NaN.
    ///
    /// # Errors
    /// [`Error::Operation`] for labels without an order, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.is_monotonic_increasing`.
    pub fn is_monotonic_increasing(&self) -> Result<bool> {
        self.increasing_labels().operation("is_monotonic_increasing")
    }

    pub(crate) fn increasing_labels(&self) -> columns::Result<bool> {
        if let Index::Range(range) = self {
            Ok(range.step() >= 0 || range.len() < 2)
        } else {
            self.labels().map_or(Ok(true), Labels::is_increasing)
        }
    }

    /// Whether each label is at most the one before; false with a null or NaN.
    ///
    /// # Errors
    /// [`Error::Operation`] for labels without an order, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.is_monotonic_decreasing`.
    pub fn is_monotonic_decreasing(&self) -> Result<bool> {
        self.decreasing_labels().operation("is_monotonic_decreasing")
    }

    pub(crate) fn decreasing_labels(&self) -> columns::Result<bool> {
        if let Index::Range(range) = self {
            Ok(range.step() <= 0 || range.len() < 2)
        } else {
            self.labels().map_or(Ok(true), Labels::is_decreasing)
        }
    }

    /// Whether a label is null, or has a null level.
    ///
    /// # Errors
    /// [`Error::Operation`] when the device fails.
    ///
    /// # Source
    /// pandas `Index.hasnans`, which is true for NaN too.
    pub fn has_nulls(&self) -> Result<bool> {
        self.labels().map_or(Ok(false), Labels::has_nulls).operation("has_nulls")
    }

    /// The position of a level by its name.
    pub(crate) fn level(&self, operation: &'static str, level: impl AsLabel) -> Result<usize> {
        let level = level.to_label();
        let by_name = self.names().iter().position(|name| *name == level);
        by_name.or_else(|| self.level_at(&level)).ok_or_else(|| Error::MissingLevel {
            operation,
            level: level.clone(),
            available: self.names().to_vec(),
        })
    }

    /// The level that a number stands for, which counts from the end if it is negative.
    fn level_at(&self, level: &Label) -> Option<usize> {
        let [part] = level.parts() else { return None };
        let LabelPartRef::Int(number) = part.as_part() else { return None };
        let levels = self.level_count();
        let from_start = if number < 0 { number.checked_add(i64::try_from(levels).ok()?)? } else { number };
        usize::try_from(from_start).ok().filter(|level| *level < levels)
    }
}

/// Whether columns have equal values, compared in their common dtype.
fn equal_values(left: &Column, right: &Column, exec: &Exec) -> columns::Result<bool> {
    let dtypes = (left.dtype(), right.dtype());
    if dtypes.0.same_values(&dtypes.1) {
        return comparing::equals(left, right, exec);
    }
    let Ok(common) = common(&dtypes.0, &dtypes.1) else { return Ok(false) };
    let made = |column: &Column| cast(column, &common, CastMode::Wrap, exec);
    match made(left).and_then(|left| Ok((left, made(right)?))) {
        Ok((left, right)) => comparing::equals(&left, &right, exec),
        // A time beyond the range of the finer unit equals none of it.
        Err(error) if error.kind() == ErrorKind::Overflow => Ok(false),
        Err(error) => Err(error),
    }
}
