//! An index that is a rule, not a column.

use std::collections::BTreeSet;

use columnade_columns::Label;

/// `start`, `start + step`, … for `len` rows.
///
/// # Source
/// pandas `RangeIndex`, which is given a stop instead of a length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeIndex {
    start: i64,
    step: i64,
    len: usize,
    name: Label,
}

impl RangeIndex {
    /// `len` labels from `start` on, `step` apart; `None` when the last would not fit 64 bits.
    pub fn new(start: i64, step: i64, len: usize) -> Option<Self> {
        if let Some(steps) = len.checked_sub(1) {
            i64::try_from(steps).ok()?.checked_mul(step)?.checked_add(start)?;
        }
        Some(Self { start, step, len, name: Label::NULL })
    }

    /// 0, 1, … for `rows` rows.
    pub fn of_rows(rows: usize) -> Self {
        Self { start: 0, step: 1, len: rows, name: Label::NULL }
    }

    /// The first label, were there one.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// What one label differs from the one before.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name; null for none.
    pub fn name(&self) -> &Label {
        &self.name
    }

    /// The same labels with another name; [`Label::NULL`] for none.
    #[must_use]
    pub fn rename(&self, name: impl Into<Label>) -> Self {
        Self { name: name.into(), ..self.clone() }
    }

    /// The label at `position`, `None` beyond the end.
    pub fn get(&self, position: usize) -> Option<i64> {
        if position >= self.len {
            return None;
        }
        i64::try_from(position).ok()?.checked_mul(self.step)?.checked_add(self.start)
    }

    /// The labels `offset .. offset + len`, cut at the end.
    #[must_use]
    pub fn slice(&self, offset: usize, len: usize) -> Self {
        let len = len.min(self.len.saturating_sub(offset));
        Self { start: self.get(offset).unwrap_or(self.start), len, ..self.clone() }
    }

    /// `len` labels from the one at `first` on, every `stride`-th, all of which are there.
    pub(crate) fn every(&self, first: usize, stride: i64, len: usize) -> Option<Self> {
        let step = self.step.checked_mul(stride)?;
        let start = if len == 0 { self.start } else { self.get(first)? };
        Some(Self { start, step, len, ..self.clone() })
    }

    /// The same labels in order; `None` if the step does not change its sign.
    pub(super) fn sorted(&self, is_ascending: bool) -> Option<Self> {
        if self.len < 2 || self.step == 0 || (self.step > 0) == is_ascending {
            return Some(self.clone());
        }
        self.every(self.len - 1, -1, self.len)
    }

    /// The labels without those at positions, where these are the first ones, the last ones or both; `None` where what is
    /// left is no range, or a position does not exist.
    pub(super) fn without_positions(&self, positions: &[i64]) -> Option<Self> {
        let len = i64::try_from(self.len).ok()?;
        let at = |&position: &i64| {
            let at = if position < 0 { position.checked_add(len)? } else { position };
            usize::try_from(at).ok().filter(|&at| at < self.len)
        };
        let gone: BTreeSet<usize> = positions.iter().map(at).collect::<Option<_>>()?;
        let front = (0..).zip(&gone).take_while(|(at, gone)| at == *gone).count();
        let back = (1..).zip(gone.iter().rev()).take_while(|(at, gone)| *gone + at == self.len).count();
        (front + back >= gone.len()).then(|| self.slice(front, self.len - gone.len()))
    }

    /// The labels without those of a range of the same step that are among them, as
    /// [`without_positions`](Self::without_positions).
    pub(super) fn without(&self, gone: &Self) -> Option<Self> {
        if gone.is_empty() {
            return Some(self.clone());
        }
        let first = self.position(gone.start)?;
        let left = self.len - gone.len;
        (first == 0 || first == left).then(|| self.slice(if first == 0 { gone.len } else { 0 }, left))
    }

    /// The position of a label, if it is one; the first for a step of 0.
    pub fn position(&self, label: i64) -> Option<usize> {
        // In 128 bits no difference of labels overflows.
        let (distance, step) = (i128::from(label) - i128::from(self.start), i128::from(self.step));
        let position = match step {
            0 => (distance == 0).then_some(0)?,
            _ => (distance % step == 0).then_some(distance / step)?,
        };
        usize::try_from(position).ok().filter(|&position| position < self.len)
    }

    /// The position before all labels that come after `label` in the order of the range, and before or after `label`; of a
    /// step that is not 0.
    pub(super) fn bound(&self, label: i64, is_after: bool) -> usize {
        let (distance, step) = (i128::from(label) - i128::from(self.start), i128::from(self.step));
        let (distance, step) = (distance * step.signum(), step.abs());
        let before = if is_after { distance.div_euclid(step) + 1 } else { -((-distance).div_euclid(step)) };
        usize::try_from(before.max(0)).map_or(self.len, |row| row.min(self.len))
    }

    /// Whether both have the same labels in the same order.
    pub(super) fn same_labels(&self, other: &Self) -> bool {
        self.len == other.len
            && (self.len == 0 || self.start == other.start)
            && (self.len < 2 || self.step == other.step)
    }

    /// Whether the labels of `other` go on where these end.
    pub(super) fn is_followed_by(&self, other: &Self) -> bool {
        let end =
            i64::try_from(self.len).ok().and_then(|len| len.checked_mul(self.step)?.checked_add(self.start));
        end == Some(other.start) && (other.len == 1 || other.step == self.step)
    }

    /// The labels of both, if the second ones follow.
    pub(super) fn extended_by(&self, other: &Self) -> Option<Self> {
        match (self.len, other.len) {
            (_, 0) => Some(self.clone()),
            (0, _) => Some(other.clone()),
            // The step of one label is that of the next one.
            (1, _) => {
                let step = other.start.checked_sub(self.start)?;
                let both = Self { start: self.start, step, len: 1, name: self.name.clone() };
                both.is_followed_by(other).then_some(Self { len: 1 + other.len, ..both })
            }
            (len, more) => self.is_followed_by(other).then(|| Self { len: len + more, ..self.clone() }),
        }
    }
}
