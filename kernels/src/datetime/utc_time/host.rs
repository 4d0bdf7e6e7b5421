//! Host implementation of `utc_time`, and its inner loop.

use super::{Ambiguous, Done, Nonexistent, Rules};
use crate::parallel::for_each_part;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// No offset is a day or more.
const DAY: i64 = 86_400;

/// The instants at which clocks show a local time, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Once(i64),
    /// The earlier and the later one.
    Twice(i64, i64),
    /// The instant at which the clocks are set forward.
    Skipped(i64),
    Overflow,
}

pub(super) fn outcome(local: i64, rules: &Rules<'_>) -> Outcome {
    let per_second = rules.unit.per_second();
    let second = local.div_euclid(per_second);
    // A span without an end ends at the greatest number, which no time is behind.
    let last = second.saturating_add(DAY).min(i64::MAX - 1);
    let mut span = rules.zone.span(second.saturating_sub(DAY));
    let instant = |offset: i64| local.checked_sub(offset * per_second);
    // The offset is constant around the time.
    if last < span.end {
        return instant(span.offset).map_or(Outcome::Overflow, Outcome::Once);
    }
    let (mut first, mut second_one, mut skipped) = (None, None, None);
    loop {
        let starts = span.start == i64::MIN || second >= span.start.saturating_add(span.offset);
        let ends = span.end != i64::MAX && second >= span.end.saturating_add(span.offset);
        if starts && !ends {
            if first.is_none() {
                first = Some(span.offset);
            } else {
                second_one = Some(span.offset);
            }
        }
        if span.end > last {
            break;
        }
        let next = rules.zone.span(span.end);
        if ends && second < next.start.saturating_add(next.offset) && skipped.is_none() {
            skipped = Some(next.start);
        }
        span = next;
    }
    match (first, second_one, skipped) {
        (Some(one), None, _) => instant(one).map_or(Outcome::Overflow, Outcome::Once),
        (Some(one), Some(two), _) => match (instant(one), instant(two)) {
            (Some(one), Some(two)) => Outcome::Twice(one, two),
            _ => Outcome::Overflow,
        },
        (None, _, Some(start)) => start.checked_mul(per_second).map_or(Outcome::Overflow, Outcome::Skipped),
        (None, _, None) => Outcome::Overflow,
    }
}

/// What becomes of a row.
enum Row {
    Instant(i64),
    Refused,
    Null,
}

fn row(local: i64, rules: &Rules<'_>) -> Row {
    match outcome(local, rules) {
        Outcome::Once(instant) => Row::Instant(instant),
        Outcome::Twice(earlier, later) => match rules.ambiguous {
            Ambiguous::Raise => Row::Refused,
            Ambiguous::Earliest => Row::Instant(earlier),
            Ambiguous::Latest => Row::Instant(later),
            Ambiguous::Null => Row::Null,
        },
        Outcome::Skipped(set) => match rules.nonexistent {
            Nonexistent::Raise => Row::Refused,
            Nonexistent::ShiftForward => Row::Instant(set),
            Nonexistent::ShiftBackward => set.checked_sub(1).map_or(Row::Refused, Row::Instant),
            Nonexistent::Null => Row::Null,
        },
        Outcome::Overflow => Row::Refused,
    }
}

/// Local times with one offset, at least a day from every change.
#[derive(Clone, Copy)]
struct Constant {
    first: i64,
    end: i64,
    offset: i64,
}

impl Constant {
    /// Around the instant of a local time.
    fn around(local: i64, rules: &Rules<'_>) -> Self {
        let per_second = rules.unit.per_second();
        let span = rules.zone.span(local.div_euclid(per_second));
        let first = span.start.saturating_add(2 * DAY).saturating_mul(per_second);
        let end = span.end.saturating_sub(2 * DAY).saturating_mul(per_second);
        Self { first, end, offset: span.offset * per_second }
    }
}

pub(super) fn utc_time(input: &Fixed<'_>, rules: &Rules<'_>, exec: &Exec) -> Result<Done> {
    let len = input.len;
    let guard = View::Fixed(*input).read(exec)?;
    let (times, valid) = (guard.values::<i64>(), guard.validity());
    let mut data = Buffer::uninit(len * 8, exec)?;
    let words = len.div_ceil(64);
    let mut refused = Buffer::zeroed(words * 8, exec)?;
    let mut nulls = if rules.makes_nulls() { Some(Buffer::zeroed(words * 8, exec)?) } else { None };
    let any = AtomicBool::new(false);
    {
        let mut data = data.write(exec)?;
        let mut refused = refused.write(exec)?;
        let mut nulls = nulls.as_mut().map(|nulls| nulls.write(exec)).transpose()?;
        let mut nulls =
            nulls.as_mut().map(|nulls| nulls.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64));
        let parts = times
            .chunks(HOST_MORSEL_ROWS)
            .zip(data.as_mut_slice::<i64>().chunks_mut(HOST_MORSEL_ROWS))
            .zip(refused.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64))
            .map(|part| (part, nulls.as_mut().and_then(Iterator::next)));
        let parts: Vec<_> = parts.collect();
        for_each_part(parts, |part, (((times, out), refused), mut nulls)| {
            // No row is in this range.
            let mut known = Constant { first: 0, end: 0, offset: 0 };
            for (at, (&local, out)) in times.iter().zip(out).enumerate() {
                if local < known.first || local >= known.end {
                    known = Constant::around(local, rules);
                }
                // Far from the ends of 64 bits, since the range is.
                if local >= known.first
                    && local < known.end
                    && let Some(instant) = local.checked_sub(known.offset)
                {
                    *out = instant;
                    continue;
                }
                *out = 0;
                match row(local, rules) {
                    Row::Instant(instant) => *out = instant,
                    _ if valid.is_some_and(|valid| !valid.get(part * HOST_MORSEL_ROWS + at)) => {}
                    Row::Refused => {
                        refused[at / 64] |= 1 << (at % 64);
                        any.store(true, Relaxed);
                    }
                    Row::Null => {
                        if let Some(nulls) = &mut nulls {
                            nulls[at / 64] |= 1 << (at % 64);
                        }
                    }
                }
            }
        });
    }
    let bytes = len.div_ceil(8);
    let refused = any.into_inner().then(|| refused.slice(0, bytes));
    Ok(Done { data, refused, nulls: nulls.map(|nulls| nulls.slice(0, bytes)) })
}
