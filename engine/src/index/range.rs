//! An index that is a rule, not a column.

/// `start`, `start + step`, … for `len` rows.
///
/// # Source
/// pandas `RangeIndex`, which is given a stop instead of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeIndex {
    start: i64,
    step: i64,
    len: usize,
}

impl RangeIndex {
    /// `len` labels from `start` on, `step` apart; `None` when the last would not fit 64 bits.
    pub fn new(start: i64, step: i64, len: usize) -> Option<Self> {
        if let Some(steps) = len.checked_sub(1) {
            i64::try_from(steps).ok()?.checked_mul(step)?.checked_add(start)?;
        }
        Some(Self { start, step, len })
    }

    /// 0, 1, … for `rows` rows.
    pub fn of_rows(rows: usize) -> Self {
        Self { start: 0, step: 1, len: rows }
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
        Self { start: self.get(offset).unwrap_or(self.start), step: self.step, len }
    }
}
