//! Metadata of labels: how many parts they have, and each level's name and dtype.

use smallvec::{SmallVec, smallvec};

use super::label::{AsLabel, Label, LabelPart, nanoseconds, whole};
use crate::{DType, Error, Result};

/// The levels of an accessor's labels: their number, names and dtypes, and whether the labels may be a range.
///
/// With one level a label may be anything, a tuple too; with more, each label has one part a level. All this outlives
/// the last column.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// One for each level, at least one.
    names: SmallVec<[Option<Label>; 1]>,
    /// One for each level; of a level without, the labels decide.
    dtypes: SmallVec<[Option<DType>; 1]>,
    range: RangeLabels,
}

/// Whether labels that are integers with equal steps are a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RangeLabels {
    /// They are integers as any others.
    #[default]
    No,
    /// They are returned as a range while they are one.
    Yes,
}

/// A level by position or by name.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelKey {
    /// From the first, or if negative from the end.
    Position(isize),
    /// The level of that name.
    Name(Label),
}

/// The labels of an accessor as an index: see [`ColumnAccessor::label_index`](super::ColumnAccessor::label_index).
#[derive(Clone, Debug, PartialEq)]
pub enum LabelIndex {
    /// `start`, `start + step`, … up to but without `stop`.
    Range {
        /// The first label.
        start: i64,
        /// Where the labels end; not one of them.
        stop: i64,
        /// From one label to the next; not zero.
        step: i64,
        /// The level's name.
        name: Option<Label>,
    },
    /// The labels of one level.
    Single {
        /// The level's name.
        name: Option<Label>,
        /// Their dtype; `None` where they have none in common.
        dtype: Option<DType>,
    },
    /// Labels of several levels, outermost first.
    Multi {
        /// The levels' names.
        names: Vec<Option<Label>>,
        /// The levels' dtypes; `None` where the parts have none in common.
        dtypes: Vec<Option<DType>>,
    },
}

impl Default for Levels {
    /// One level without a name.
    fn default() -> Self {
        Self { names: smallvec![None], dtypes: smallvec![None], range: RangeLabels::No }
    }
}

impl Levels {
    /// One level for each name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] without names.
    pub fn named(names: impl IntoIterator<Item = Option<Label>>) -> Result<Self> {
        let names: SmallVec<[Option<Label>; 1]> = names.into_iter().collect();
        if names.is_empty() {
            return Err(invalid("names", "there are none; labels have at least one level".to_owned()));
        }
        Ok(Self { dtypes: smallvec![None; names.len()], names, range: RangeLabels::No })
    }

    /// Levels without names: at least one.
    pub(super) fn unnamed(count: usize) -> Self {
        let count = count.max(1);
        Self { names: smallvec![None; count], dtypes: smallvec![None; count], range: RangeLabels::No }
    }

    /// The same levels of these dtypes; a level without one has that of its labels.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is one for each level.
    pub fn with_dtypes(mut self, dtypes: impl IntoIterator<Item = Option<DType>>) -> Result<Self> {
        let dtypes: SmallVec<[Option<DType>; 1]> = dtypes.into_iter().collect();
        if dtypes.len() != self.count() {
            return Err(Error::LengthMismatch { expected: self.count(), found: dtypes.len() });
        }
        self.dtypes = dtypes;
        Ok(self)
    }

    /// The same level, whose labels are returned as a range while they are one.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for several levels.
    pub fn with_range(mut self, range: RangeLabels) -> Result<Self> {
        if range == RangeLabels::Yes && self.is_multi() {
            return Err(invalid("range", format!("labels of {} levels are no range", self.count())));
        }
        self.range = range;
        Ok(self)
    }

    /// The number of levels, at least one.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Whether there are several: labels are tuples.
    pub fn is_multi(&self) -> bool {
        self.count() > 1
    }

    /// The name of each level.
    pub fn names(&self) -> &[Option<Label>] {
        &self.names
    }

    /// The declared dtype of each level, if any.
    pub fn dtypes(&self) -> &[Option<DType>] {
        &self.dtypes
    }

    /// Whether labels that are integers with equal steps are a range.
    pub fn range(&self) -> RangeLabels {
        self.range
    }

    /// The position of a level.
    ///
    /// # Errors
    /// [`Error::PositionOutOfBounds`]; [`Error::LevelNotFound`]; [`Error::InvalidArgument`] for a name that several
    /// levels have.
    pub fn position(&self, level: impl Into<LevelKey>) -> Result<usize> {
        let name = match level.into() {
            LevelKey::Position(position) => return from_end(position, self.count()),
            LevelKey::Name(name) => name,
        };
        let mut found = self.names.iter().enumerate().filter(|(_, other)| other.as_ref() == Some(&name));
        match (found.next(), found.next()) {
            (Some((position, _)), None) => Ok(position),
            (None, _) => Err(Error::LevelNotFound { name, available: self.names.to_vec() }),
            (Some(_), Some(_)) => {
                let reason = format!("several levels have the name {name:?}");
                Err(Error::InvalidArgument { name: "level", reason })
            }
        }
    }

    pub(super) fn without_first(&self, levels: usize) -> Self {
        Self {
            names: self.names.iter().skip(levels).cloned().collect(),
            dtypes: self.dtypes.iter().skip(levels).cloned().collect(),
            range: RangeLabels::No,
        }
    }

    pub(super) fn remove(&mut self, level: usize) {
        self.names.remove(level);
        self.dtypes.remove(level);
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.names.swap(a, b);
        self.dtypes.swap(a, b);
    }

    /// The label in as many parts as there are levels: the empty string stands for those that are missing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] when there are more parts than levels.
    pub(super) fn pad(&self, label: Label) -> Result<Label> {
        let (depth, count) = (label.depth(), self.count());
        if !self.is_multi() || depth == count {
            return Ok(label);
        }
        if depth > count {
            return Err(too_deep(&label, count));
        }
        let padding = std::iter::repeat_n(LabelPart::from(""), count - depth);
        Ok(Label::of(label.parts().iter().cloned().chain(padding).collect()))
    }

    /// Takes in a new label: a dtype that does not hold it is forgotten, and that of a dictionary always, since its
    /// values are not known here.
    pub(super) fn admit(&mut self, label: &Label) {
        for (dtype, part) in self.dtypes.iter_mut().zip(label.parts()) {
            if dtype
                .as_ref()
                .is_some_and(|dtype| matches!(dtype, DType::Dictionary(_)) || !holds(dtype, part))
            {
                *dtype = None;
            }
        }
        if !self.is_multi() && label.depth() > 1 {
            self.dtypes[0] = None;
        }
    }

    pub(super) fn forget_dtype(&mut self, level: usize) {
        self.dtypes[level] = None;
    }

    /// The dtype of a level whose parts are these: the declared one if it holds all of them, else the one they
    /// have in common.
    pub(super) fn dtype_of<'a>(
        &self,
        level: usize,
        parts: impl Iterator<Item = &'a LabelPart> + Clone,
    ) -> Option<DType> {
        match &self.dtypes[level] {
            Some(dtype) if parts.clone().all(|part| holds(dtype, part)) => Some(dtype.clone()),
            _ => common_dtype(parts),
        }
    }
}

fn invalid(name: &'static str, reason: String) -> Error {
    Error::InvalidArgument { name, reason }
}

pub(super) fn too_deep(label: &Label, levels: usize) -> Error {
    let reason = format!("{label:?} has {} parts, labels here have {levels}", label.depth());
    Error::InvalidArgument { name: "label", reason }
}

/// The position that `position` is, counted from the end if negative.
pub(super) fn from_end(position: isize, len: usize) -> Result<usize> {
    let found =
        if position < 0 { len.checked_sub(position.unsigned_abs()) } else { Some(position.unsigned_abs()) };
    found.filter(|&found| found < len).ok_or(Error::PositionOutOfBounds { position, len })
}

/// The dtype that parts have in common: of integers and floats `float64`, of times the finest unit, of no parts
/// strings; `None` where there is none. Nulls have any dtype.
fn common_dtype<'a>(parts: impl Iterator<Item = &'a LabelPart>) -> Option<DType> {
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return Some(DType::Utf8);
    }
    let mut common: Option<DType> = None;
    let mut negative = false;
    for part in parts.filter(|part| !matches!(part, LabelPart::Null)) {
        negative |= matches!(part, LabelPart::Int(value) if *value < 0);
        let dtype = part.dtype()?;
        common = Some(match (common, dtype) {
            (None, dtype) => dtype,
            (Some(before), dtype) if before == dtype => before,
            (Some(DType::Timestamp(a)), DType::Timestamp(b)) => DType::Timestamp(a.max(b)),
            (Some(DType::Duration(a)), DType::Duration(b)) => DType::Duration(a.max(b)),
            (Some(DType::Time(a)), DType::Time(b)) => DType::Time(a.max(b)),
            (Some(before), dtype) if before.is_integer() && dtype.is_integer() => DType::UInt64,
            (Some(before), dtype) if is_number(&before) && is_number(&dtype) => DType::Float64,
            _ => return None,
        });
    }
    // No integer dtype holds both a negative number and one beyond `int64`.
    common.filter(|dtype| !(negative && *dtype == DType::UInt64))
}

fn is_number(dtype: &DType) -> bool {
    matches!(dtype, DType::Int64 | DType::UInt64 | DType::Float64)
}

/// Whether a dtype holds a part without loss.
fn holds(dtype: &DType, part: &LabelPart) -> bool {
    let integer = match part {
        LabelPart::Int(value) => Some(i128::from(*value)),
        LabelPart::UInt(value) => Some(i128::from(*value)),
        LabelPart::Float(value) => whole(*value),
        LabelPart::Null
        | LabelPart::Bool(_)
        | LabelPart::String(_)
        | LabelPart::Date(_)
        | LabelPart::Timestamp(..)
        | LabelPart::Duration(..)
        | LabelPart::Time(..) => None,
    };
    match (dtype, part) {
        (DType::Dictionary(dictionary), part) => holds(&dictionary.values, part),
        (_, LabelPart::Null)
        | (DType::Bool, LabelPart::Bool(_))
        | (DType::Float64, LabelPart::Float(_))
        | (DType::Utf8, LabelPart::String(_))
        | (DType::Date32, LabelPart::Date(_)) => true,
        (DType::Float32, LabelPart::Float(value)) => narrows(*value),
        (DType::Float64, _) => integer.is_some_and(|value| value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS),
        (DType::Float32, _) => integer.is_some_and(|value| value.unsigned_abs() <= 1 << f32::MANTISSA_DIGITS),
        (DType::Timestamp(unit), LabelPart::Timestamp(value, other))
        | (DType::Duration(unit), LabelPart::Duration(value, other))
        | (DType::Time(unit), LabelPart::Time(value, other)) => {
            let step = nanoseconds(1, *unit);
            let time = nanoseconds(*value, *other);
            time % step == 0 && i64::try_from(time / step).is_ok()
        }
        (DType::Int8, _) => integer.is_some_and(|value| i8::try_from(value).is_ok()),
        (DType::Int16, _) => integer.is_some_and(|value| i16::try_from(value).is_ok()),
        (DType::Int32, _) => integer.is_some_and(|value| i32::try_from(value).is_ok()),
        (DType::Int64, _) => integer.is_some_and(|value| i64::try_from(value).is_ok()),
        (DType::UInt8, _) => integer.is_some_and(|value| u8::try_from(value).is_ok()),
        (DType::UInt16, _) => integer.is_some_and(|value| u16::try_from(value).is_ok()),
        (DType::UInt32, _) => integer.is_some_and(|value| u32::try_from(value).is_ok()),
        (DType::UInt64, _) => integer.is_some_and(|value| u64::try_from(value).is_ok()),
        _ => false,
    }
}

/// Whether a number survives as `float32`.
#[expect(clippy::cast_possible_truncation, reason = "the loss is what is asked for")]
#[expect(clippy::float_cmp, reason = "equal bits are meant")]
fn narrows(value: f64) -> bool {
    value.is_nan() || f64::from(value as f32) == value
}

impl LabelIndex {
    /// The range that labels are: integers with equal steps.
    pub(super) fn range(labels: &[Label], name: Option<&Label>) -> Option<Self> {
        let at = |position: usize| match labels.get(position)?.parts() {
            [LabelPart::Int(value)] => Some(*value),
            _ => None,
        };
        let name = name.cloned();
        if labels.is_empty() {
            return Some(Self::Range { start: 0, stop: 0, step: 1, name });
        }
        let start = at(0)?;
        let step = if labels.len() == 1 { 1 } else { at(1)?.checked_sub(start).filter(|&step| step != 0)? };
        let mut stop = start;
        for position in 0..labels.len() {
            if at(position)? != stop {
                return None;
            }
            stop = stop.checked_add(step)?;
        }
        Some(Self::Range { start, stop, step, name })
    }
}

impl From<isize> for LevelKey {
    fn from(position: isize) -> Self {
        Self::Position(position)
    }
}

impl From<&str> for LevelKey {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<Label> for LevelKey {
    fn from(name: Label) -> Self {
        Self::Name(name)
    }
}
