//! Labels of rows as methods take them.

use std::ops::{RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};

use columnade_columns::calendar::{Date, days_to};
use columnade_columns::{DType, Scalar, Time, Timedelta, Timestamp};
use columnade_ops::expression::Expr;

use crate::index::Index;
use crate::series::Series;

/// The label of a row: a value, or a tuple with a value for each level or for the first ones. Strings stand for dates and
/// timestamps too, where the labels are those.
#[derive(Clone, Debug, PartialEq)]
pub struct RowKey(pub(crate) Vec<Scalar>);

/// Labels from one to another, both included: `"b"..="d"`, `"b"..`, `..="d"`, `..`.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelSlice {
    pub(crate) start: Option<RowKey>,
    pub(crate) end: Option<RowKey>,
    /// Which of the rows in between are taken.
    pub(crate) step: i64,
}

impl LabelSlice {
    /// Every `step`-th row from the first label on. Of a negative step rows go backwards, from the row of the first label to that
    /// of the last, which is before it. [`Index::slice_locs`] ignores the step.
    ///
    /// ```
    /// use columnade::expressions::LabelSlice;
    /// use columnade::{Index, Series};
    ///
    /// let series = Series::new([1, 2, 3, 4])?.with_index(&Index::new(["a", "b", "c", "d"])?)?;
    /// assert_eq!(series.loc(LabelSlice::from("a"..="c").every(2))?.to_vec::<i32>()?, [1, 3]);
    /// assert_eq!(series.loc(LabelSlice::from("d"..="b").every(-1))?.to_vec::<i32>()?, [4, 3, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `loc[start:end:step]`.
    #[must_use]
    pub fn every(self, step: i64) -> Self {
        Self { step, ..self }
    }

    /// The same slice with its ends in the order of the rows.
    pub(crate) fn forward(&self) -> Self {
        if self.step >= 0 {
            return self.clone();
        }
        Self { start: self.end.clone(), end: self.start.clone(), step: self.step }
    }
}

/// The labels of one level: part of a tuple of [`LabelRows`].
///
/// | argument | labels |
/// | --- | --- |
/// | `"a"`, `7` | one |
/// | `["a", "b"]`, a vector | each of them |
/// | `"a"..="c"`, `"a"..`, `..="c"` | from one to another, both included |
/// | `..` | all |
#[derive(Clone, Debug)]
pub struct LevelRows(pub(crate) LevelLabels);

#[derive(Clone, Debug)]
pub(crate) enum LevelLabels {
    One(Scalar),
    Several(Vec<Scalar>),
    Slice { start: Option<Scalar>, end: Option<Scalar> },
}

/// Rows by their labels: what [`DataFrame::loc`](crate::DataFrame::loc) takes.
///
/// | argument | rows |
/// | --- | --- |
/// | `"a"`, `7`, `("Oslo", 2024)` | those of a label, or of the first levels of one |
/// | `(.., ["Oslo", "Rome"])`, `("a"..="c", 2024)` | those of some labels of each level: see [`LevelRows`] |
/// | `["a", "b"]`, a vector, a slice | those of each label, in this order |
/// | `"a"..="c"`, `"a"..`, `..="c"`, `..` | from a label to another, both included |
/// | a [`Series`] of booleans | those for which it is true, aligned by label |
/// | an [`Index`] | those of its labels |
/// | `col("n").gt(1)` | those for which an expression over columns is true |
#[derive(Clone, Debug)]
pub struct LabelRows(pub(crate) Rows);

#[derive(Clone, Debug)]
pub(crate) enum Rows {
    Key(RowKey),
    Keys(Vec<RowKey>),
    Slice(LabelSlice),
    Mask(Series),
    Labels(Index),
    Where(Expr),
    /// Some labels of each of the first levels.
    Levels(Vec<LevelLabels>),
}

macro_rules! values {
    ($($ty:ty),*) => {
        $(
            impl From<$ty> for RowKey {
                fn from(value: $ty) -> Self {
                    Self(vec![value.into()])
                }
            }

            impl From<$ty> for LabelRows {
                fn from(value: $ty) -> Self {
                    Self(Rows::Key(value.into()))
                }
            }

            impl From<$ty> for LevelRows {
                fn from(value: $ty) -> Self {
                    Self(LevelLabels::One(value.into()))
                }
            }
        )*
    };
}

values!(
    bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, &str, String, Scalar, Timestamp, Timedelta, Time
);

fn date(date: Date) -> Scalar {
    let days = days_to(date).and_then(|days| i32::try_from(days).ok());
    days.map_or(Scalar::Null(DType::Date32), Scalar::Date32)
}

impl From<Date> for RowKey {
    fn from(value: Date) -> Self {
        Self(vec![date(value)])
    }
}

impl From<Date> for LevelRows {
    fn from(value: Date) -> Self {
        Self(LevelLabels::One(date(value)))
    }
}

impl From<Date> for LabelRows {
    fn from(date: Date) -> Self {
        Self(Rows::Key(date.into()))
    }
}

impl From<RowKey> for LabelRows {
    fn from(key: RowKey) -> Self {
        Self(Rows::Key(key))
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {
        $(
            impl<$($name: Into<Scalar>),*> From<($($name,)*)> for RowKey {
                #[expect(non_snake_case, reason = "values are called as their types")]
                fn from(($($name,)*): ($($name,)*)) -> Self {
                    Self(vec![$($name.into()),*])
                }
            }

            impl<$($name: Into<LevelRows>),*> From<($($name,)*)> for LabelRows {
                #[expect(non_snake_case, reason = "values are called as their types")]
                fn from(($($name,)*): ($($name,)*)) -> Self {
                    of_levels(vec![$($name.into().0),*])
                }
            }
        )*
    };
}

/// A label if each level has one, otherwise some of each level.
fn of_levels(levels: Vec<LevelLabels>) -> LabelRows {
    let one =
        |level: &LevelLabels| if let LevelLabels::One(value) = level { Some(value.clone()) } else { None };
    let key: Option<Vec<Scalar>> = levels.iter().map(one).collect();
    LabelRows(key.map_or(Rows::Levels(levels), |key| Rows::Key(RowKey(key))))
}

impl<S: Into<Scalar>, const N: usize> From<[S; N]> for LevelRows {
    fn from(labels: [S; N]) -> Self {
        Self(LevelLabels::Several(labels.into_iter().map(Into::into).collect()))
    }
}

impl<S: Into<Scalar>> From<Vec<S>> for LevelRows {
    fn from(labels: Vec<S>) -> Self {
        Self(LevelLabels::Several(labels.into_iter().map(Into::into).collect()))
    }
}

macro_rules! level_slices {
    ($($ty:ident, $slice:ident => $start:expr, $end:expr;)*) => {
        $(impl<S: Into<Scalar>> From<$ty<S>> for LevelRows {
            fn from($slice: $ty<S>) -> Self {
                Self(LevelLabels::Slice { start: $start, end: $end })
            }
        })*
    };
}

level_slices! {
    RangeFrom, slice => Some(slice.start.into()), None;
    RangeToInclusive, slice => None, Some(slice.end.into());
}

impl<S: Into<Scalar>> From<RangeInclusive<S>> for LevelRows {
    fn from(slice: RangeInclusive<S>) -> Self {
        let (start, end) = slice.into_inner();
        Self(LevelLabels::Slice { start: Some(start.into()), end: Some(end.into()) })
    }
}

impl From<RangeFull> for LevelRows {
    fn from(_: RangeFull) -> Self {
        Self(LevelLabels::Slice { start: None, end: None })
    }
}

tuples! { (A) (A B) (A B C) (A B C D) }

fn keys<K: Into<RowKey>>(keys: impl IntoIterator<Item = K>) -> LabelRows {
    LabelRows(Rows::Keys(keys.into_iter().map(Into::into).collect()))
}

impl<K: Into<RowKey>, const N: usize> From<[K; N]> for LabelRows {
    fn from(labels: [K; N]) -> Self {
        keys(labels)
    }
}

impl<K: Into<RowKey>> From<Vec<K>> for LabelRows {
    fn from(labels: Vec<K>) -> Self {
        keys(labels)
    }
}

impl<K: Into<RowKey> + Clone> From<&[K]> for LabelRows {
    fn from(labels: &[K]) -> Self {
        keys(labels.iter().cloned())
    }
}

impl From<LabelSlice> for LabelRows {
    fn from(slice: LabelSlice) -> Self {
        Self(Rows::Slice(slice))
    }
}

macro_rules! slices {
    ($($ty:ident, $slice:ident => $start:expr, $end:expr;)*) => {
        $(
            impl<K: Into<RowKey>> From<$ty<K>> for LabelSlice {
                fn from($slice: $ty<K>) -> Self {
                    Self { start: $start, end: $end, step: 1 }
                }
            }

            impl<K: Into<RowKey>> From<$ty<K>> for LabelRows {
                fn from(slice: $ty<K>) -> Self {
                    LabelSlice::from(slice).into()
                }
            }
        )*
    };
}

slices! {
    RangeFrom, slice => Some(slice.start.into()), None;
    RangeToInclusive, slice => None, Some(slice.end.into());
}

impl<K: Into<RowKey>> From<RangeInclusive<K>> for LabelSlice {
    fn from(slice: RangeInclusive<K>) -> Self {
        let (start, end) = slice.into_inner();
        Self { start: Some(start.into()), end: Some(end.into()), step: 1 }
    }
}

impl<K: Into<RowKey>> From<RangeInclusive<K>> for LabelRows {
    fn from(slice: RangeInclusive<K>) -> Self {
        LabelSlice::from(slice).into()
    }
}

impl From<RangeFull> for LabelSlice {
    fn from(_: RangeFull) -> Self {
        Self { start: None, end: None, step: 1 }
    }
}

impl From<RangeFull> for LabelRows {
    fn from(slice: RangeFull) -> Self {
        LabelSlice::from(slice).into()
    }
}

impl From<&Series> for LabelRows {
    fn from(mask: &Series) -> Self {
        Self(Rows::Mask(mask.clone()))
    }
}

impl From<&Index> for LabelRows {
    fn from(labels: &Index) -> Self {
        Self(Rows::Labels(labels.clone()))
    }
}

impl From<Expr> for LabelRows {
    fn from(predicate: Expr) -> Self {
        Self(Rows::Where(predicate))
    }
}
