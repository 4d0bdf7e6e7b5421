//! Selection of columns by label.

use std::collections::HashMap;
use std::ops::{RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};

use super::label_set::LabelSet;
use super::levels::too_deep;
use super::positions::masked;
use super::{AsLabel, ColumnAccessor, Label, LabelPart};
use crate::{Error, Result};

/// Which columns, in terms of labels; what [`ColumnAccessor::select_by_label`] takes.
///
/// | from | is |
/// | --- | --- |
/// | `"a"`, `1998`, `("a", "x")` | [`Path`](Self::Path): one label, or the beginning of some |
/// | `["a", "b"]`, a `Vec` | [`List`](Self::List): several labels, or beginnings |
/// | `"a"..="c"`, `"b"..`, `..="c"`, `..` | [`Slice`](Self::Slice): from label to label, both included |
///
/// A mask and a wildcard are spelled out.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelKey {
    /// One label; with several levels a shorter one means those that begin with it: see
    /// [`select_grouped`](ColumnAccessor::select_grouped).
    Path(Label),
    /// Several of them: see [`select`](ColumnAccessor::select).
    List(Vec<Label>),
    /// The columns where it is true: see [`select_mask`](ColumnAccessor::select_mask).
    Mask(Vec<bool>),
    /// The columns from the first label to the last: see [`select_slice`](ColumnAccessor::select_slice).
    Slice {
        /// The first label, or its beginning; without it the first column.
        first: Option<Label>,
        /// The last label, or its beginning; without it the last column.
        last: Option<Label>,
    },
    /// The columns whose labels match, level by level: see [`select_matching`](ColumnAccessor::select_matching).
    Wildcard(Vec<Wildcard>),
}

/// What one level of a label must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Wildcard {
    /// Anything.
    Any,
    /// This part.
    Is(LabelPart),
}

impl ColumnAccessor {
    /// The columns of a key, which may be a label, several, a mask, a slice or a wildcard: see [`LabelKey`].
    ///
    /// # Errors
    /// What the method of the key's kind returns.
    ///
    /// # Source
    /// cuDF `ColumnAccessor.select_by_label`, pandas `DataFrame.loc[:, …]`.
    pub fn select_by_label(&self, key: impl Into<LabelKey>) -> Result<Self> {
        match key.into() {
            LabelKey::Path(label) => self.select_grouped(label),
            LabelKey::List(labels) => self.select(labels),
            LabelKey::Mask(mask) => self.select_mask(&mask),
            LabelKey::Slice { first, last } => {
                self.select_slice(first.as_ref().map(as_label), last.as_ref().map(as_label))
            }
            LabelKey::Wildcard(pattern) => self.select_matching(pattern),
        }
    }

    /// The column of a label. With several levels, a label of fewer parts gives all columns whose labels begin with
    /// it, without that beginning; a whole label gives its one column and stays whole.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::InvalidArgument`] for a label of more parts than there are levels.
    pub fn select_grouped(&self, label: impl AsLabel) -> Result<Self> {
        let depth = label.depth();
        if !self.levels.is_multi() || depth == self.levels.count() {
            return self.pick([self.position(label)?]);
        }
        let found = self.beginning_with(&label)?;
        let mut group = self.pick(found)?;
        let rests = group.labels().iter().map(|label| Label::of(label.parts()[depth..].to_vec()));
        group.labels = LabelSet::new(rests)?.into();
        group.levels = self.levels.without_first(depth);
        Ok(group)
    }

    /// The columns of `labels`, in their order. With several levels, a label of fewer parts stands for all that begin
    /// with it; labels stay whole.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] when a column is asked for twice;
    /// [`Error::InvalidArgument`] for a label of more parts than there are levels.
    pub fn select<K: AsLabel>(&self, labels: impl IntoIterator<Item = K>) -> Result<Self> {
        self.pick(self.positions_of(labels)?)
    }

    /// All columns but those of `labels`. With several levels, a label of fewer parts stands for all that begin with
    /// it.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::InvalidArgument`] for a label of more parts than there are levels.
    pub fn without<K: AsLabel>(&self, labels: impl IntoIterator<Item = K>) -> Result<Self> {
        let mut is_kept = vec![true; self.len()];
        for position in self.positions_of(labels)? {
            is_kept[position] = false;
        }
        self.select_mask(&is_kept)
    }

    /// The columns where `mask` is true.
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`] for a mask that has not one value for each column.
    pub fn select_mask(&self, mask: &[bool]) -> Result<Self> {
        self.pick(masked(mask, self.len())?)
    }

    /// The columns from the first that has the label `first`, or begins with it, to the last that has the label
    /// `last`, or begins with it, both included; none where that is before. Without columns every slice is empty.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::InvalidArgument`] for a label of more parts than there are levels.
    pub fn select_slice(&self, first: Option<&dyn AsLabel>, last: Option<&dyn AsLabel>) -> Result<Self> {
        if self.is_empty() {
            return Ok(self.clone());
        }
        let start = match first {
            Some(label) => self.beginning_with(label)?[0],
            None => 0,
        };
        let end = match last {
            Some(label) => self.beginning_with(label)?.last().map_or(0, |position| position + 1),
            None => self.len(),
        };
        self.pick(start..end)
    }

    /// The columns whose labels match, level by level; unspecified levels match anything. Labels stay
    /// whole.
    ///
    /// ```
    /// use columnade_columns::{Column, ColumnAccessor, Wildcard};
    ///
    /// let column = Column::from_vec(vec![1_i64]);
    /// let labels = [("tea", "price"), ("tea", "units"), ("rye", "price")];
    /// let sales = ColumnAccessor::from_columns(labels.map(|label| (label, column.clone())))?;
    /// let prices = sales.select_matching([Wildcard::Any, "price".into()])?;
    /// assert_eq!(prices.labels(), [("tea", "price"), ("rye", "price")]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a pattern of more parts than there are levels. That no label matches is none.
    pub fn select_matching(&self, pattern: impl IntoIterator<Item = Wildcard>) -> Result<Self> {
        let pattern: Vec<Wildcard> = pattern.into_iter().collect();
        let levels = self.levels.count();
        if pattern.len() > levels {
            let reason = format!("there are {}, labels have {levels} levels", pattern.len());
            return Err(Error::InvalidArgument { name: "pattern", reason });
        }
        let matches = |label: &Label| {
            pattern.iter().enumerate().all(|(level, wanted)| match wanted {
                Wildcard::Any => true,
                Wildcard::Is(part) if levels == 1 => *label == *part,
                Wildcard::Is(part) => label.parts()[level] == *part,
            })
        };
        self.pick((0..self.len()).filter(|&position| matches(&self.labels()[position])))
    }

    /// The positions of labels, or of those that begin with them. Takes one pass over all labels for each number of
    /// parts, not for each label.
    fn positions_of<K: AsLabel>(&self, labels: impl IntoIterator<Item = K>) -> Result<Vec<usize>> {
        let levels = self.levels.count();
        let mut groups: HashMap<usize, HashMap<&[LabelPart], Vec<usize>>> = HashMap::new();
        let mut positions = Vec::new();
        for label in labels {
            let depth = label.depth();
            if !self.levels.is_multi() || depth == levels {
                positions.push(self.position(label)?);
                continue;
            }
            let label = label.to_label();
            if depth > levels {
                return Err(too_deep(&label, levels));
            }
            let groups = groups.entry(depth).or_insert_with(|| {
                let mut groups: HashMap<&[LabelPart], Vec<usize>> = HashMap::new();
                for (position, other) in self.labels().iter().enumerate() {
                    groups.entry(&other.parts()[..depth]).or_default().push(position);
                }
                groups
            });
            positions.extend(groups.get(label.parts()).ok_or_else(|| self.not_found(&label))?);
        }
        Ok(positions)
    }

    /// The positions of a label or, with several levels, of those that begin with it: at least one.
    fn beginning_with(&self, label: &(impl AsLabel + ?Sized)) -> Result<Vec<usize>> {
        let (depth, levels) = (label.depth(), self.levels.count());
        if !self.levels.is_multi() {
            let position = self.labels.position(label).ok_or_else(|| self.not_found(label))?;
            return Ok(vec![position]);
        }
        if depth > levels {
            return Err(too_deep(&label.to_label(), levels));
        }
        let begins = |other: &Label| (0..depth).all(|level| other.part(level) == label.part(level));
        let found: Vec<usize> =
            (0..self.len()).filter(|&position| begins(&self.labels()[position])).collect();
        if found.is_empty() { Err(self.not_found(label)) } else { Ok(found) }
    }
}

fn as_label(label: &Label) -> &dyn AsLabel {
    label
}

impl<P: Into<LabelPart>> From<P> for Wildcard {
    fn from(part: P) -> Self {
        Self::Is(part.into())
    }
}

impl<L: Into<Label>> From<L> for LabelKey {
    fn from(label: L) -> Self {
        Self::Path(label.into())
    }
}

impl<L: Into<Label>> From<Vec<L>> for LabelKey {
    fn from(labels: Vec<L>) -> Self {
        Self::List(labels.into_iter().map(Into::into).collect())
    }
}

impl<L: Into<Label>, const N: usize> From<[L; N]> for LabelKey {
    fn from(labels: [L; N]) -> Self {
        Self::List(labels.into_iter().map(Into::into).collect())
    }
}

impl<L: Into<Label>> From<RangeInclusive<L>> for LabelKey {
    fn from(range: RangeInclusive<L>) -> Self {
        let (first, last) = range.into_inner();
        Self::Slice { first: Some(first.into()), last: Some(last.into()) }
    }
}

impl<L: Into<Label>> From<RangeFrom<L>> for LabelKey {
    fn from(range: RangeFrom<L>) -> Self {
        Self::Slice { first: Some(range.start.into()), last: None }
    }
}

impl<L: Into<Label>> From<RangeToInclusive<L>> for LabelKey {
    fn from(range: RangeToInclusive<L>) -> Self {
        Self::Slice { first: None, last: Some(range.end.into()) }
    }
}

impl From<RangeFull> for LabelKey {
    fn from(_: RangeFull) -> Self {
        Self::Slice { first: None, last: None }
    }
}
