//! The offsets of a time zone from UTC.

use crate::{Error, Result};

/// Seconds in 400 years, the period of the calendar. These are whole weeks too, so rules such as "the last Sunday
/// in March" repeat after them.
const PERIOD: i64 = 146_097 * 86_400;

/// Seconds to add to UTC in a time zone, as a step function of UTC.
///
/// From `repeat_from` on the function repeats every 400 years: a finite table then covers every instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneOffsets {
    /// Ascending; the first is the least number.
    starts: Vec<i64>,
    /// As many as starts.
    offsets: Vec<i32>,
    repeat_from: i64,
}

/// An offset and the seconds of UTC from which and before which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) offset: i64,
}

impl ZoneOffsets {
    /// The function that is `first` and changes at each of `transitions`: an ascending second of UTC and the offset
    /// from then on. The transitions from `repeat_from`, which is not before 1970, to 400 years after it repeat.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for transitions that do not ascend, an offset of a day or more, and a
    /// `repeat_from` before 1970 or in the last 400 years that 64 bits hold.
    pub fn new(
        first: i32,
        transitions: impl IntoIterator<Item = (i64, i32)>,
        repeat_from: i64,
    ) -> Result<Self> {
        let invalid = |reason| Error::InvalidArgument { name: "transitions", reason };
        let (mut starts, mut offsets) = (vec![i64::MIN], vec![first]);
        for (start, offset) in transitions {
            starts.push(start);
            offsets.push(offset);
        }
        if !starts.is_sorted_by(|a, b| a < b) {
            return Err(invalid("they do not ascend"));
        }
        if offsets.iter().any(|offset| offset.unsigned_abs() >= 86_400) {
            return Err(invalid("an offset is a day or more"));
        }
        if !(0..=i64::MAX - PERIOD).contains(&repeat_from) {
            return Err(invalid("they repeat too early or too late"));
        }
        Ok(Self { starts, offsets, repeat_from })
    }

    /// One offset for every instant.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an offset of a day or more.
    pub fn fixed(offset: i32) -> Result<Self> {
        Self::new(offset, [], 0)
    }

    /// The offset at a second of UTC.
    pub fn at(&self, second: i64) -> i32 {
        self.offsets[self.position(self.reduced(second))]
    }

    /// The offset at a second of UTC, and where it holds at least.
    pub(crate) fn span(&self, second: i64) -> Span {
        let reduced = self.reduced(second);
        let position = self.position(reduced);
        let shift = second - reduced;
        let mut start = self.starts[position];
        let mut end = self.starts.get(position + 1).copied().unwrap_or(i64::MAX);
        if second >= self.repeat_from {
            (start, end) = (start.max(self.repeat_from), end.min(self.repeat_from + PERIOD));
        }
        let offset = i64::from(self.offsets[position]);
        Span { start: start.saturating_add(shift), end: end.saturating_add(shift), offset }
    }

    /// The starts and the offsets of the steps.
    pub(crate) fn table(&self) -> (&[i64], &[i32]) {
        (&self.starts, &self.offsets)
    }

    pub(crate) const fn repeat_from(&self) -> i64 {
        self.repeat_from
    }

    /// The second of the table with the offset of `second`.
    const fn reduced(&self, second: i64) -> i64 {
        if second < self.repeat_from {
            second
        } else {
            self.repeat_from + (second - self.repeat_from) % PERIOD
        }
    }

    fn position(&self, second: i64) -> usize {
        self.starts.partition_point(|&start| start <= second) - 1
    }
}
