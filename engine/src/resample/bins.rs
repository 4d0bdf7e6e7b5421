//! The bins of a column of times.

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar, TimeUnit, TimeZone};
use columnade_ops::expression::{Ambiguous, Literal, LocalTimes, Nonexistent, col, evaluate};

use super::{Edge, Origin};
use crate::frequency::{Anchors, Frequency};

const NANOS_PER_DAY: i128 = 86_400_000_000_000;
/// Bins that a resampling has at most: a gigabyte of edges.
const MAX_BINS: i128 = 1 << 27;

/// How times are divided into bins.
#[derive(Clone, Debug)]
pub(crate) struct Binning {
    pub(crate) frequency: String,
    pub(crate) closed: Option<Edge>,
    pub(crate) label: Option<Edge>,
    pub(crate) origin: Origin,
    /// Nanoseconds; `None` for what is no duration.
    pub(crate) offset: Option<i128>,
}

/// Bins that follow each other, in the unit of the times.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    /// One more than there are bins; none for no bins.
    pub(crate) edges: Vec<i64>,
    /// The labels of the bins.
    pub(crate) labels: Vec<i64>,
    /// The times to which a frame without gaps has its rows.
    pub(crate) grid: Vec<i64>,
    /// Whether bins have their upper edges, or else their lower ones.
    pub(crate) right: bool,
}

/// What times are counted in, and where days begin.
struct Clock<'a> {
    dtype: &'a DType,
    /// Units of a day.
    day: i64,
    second: i64,
    zone: Option<&'a TimeZone>,
}

fn invalid(name: &'static str, reason: impl Into<String>) -> Error {
    Error::InvalidArgument { name, reason: reason.into() }
}

impl Binning {
    /// Bins by a frequency.
    pub(super) fn every(frequency: impl Into<String>) -> Self {
        let frequency = frequency.into();
        Self { frequency, closed: None, label: None, origin: Origin::StartDay, offset: Some(0) }
    }

    pub(super) fn set_offset(&mut self, offset: &Literal) {
        self.offset = if let Literal::Duration(nanoseconds) = offset { Some(*nanoseconds) } else { None };
    }

    /// The bins of times of a dtype from `first` to `last`; no bins without times.
    pub(crate) fn bins(&self, dtype: &DType, range: Option<(i64, i64)>) -> Result<Bins> {
        let clock = Clock::new(dtype)?;
        let frequency = Frequency::parse(&self.frequency)?;
        if matches!(dtype, DType::Duration(_)) {
            return self.spans(&clock, frequency, range);
        }
        let is_end = frequency.ends_periods() || matches!(self.origin, Origin::End | Origin::EndDay);
        let default = if is_end { Edge::Right } else { Edge::Left };
        let right = self.closed.unwrap_or(default) == Edge::Right;
        let label = self.label.unwrap_or(default);
        let step = match frequency {
            Frequency::Fixed(nanos) => clock.units("frequency", nanos)?,
            Frequency::Days(every) => clock.units("frequency", i128::from(every) * NANOS_PER_DAY)?,
            Frequency::Calendar { .. } => 0,
        };
        let offset =
            self.offset.ok_or_else(|| invalid("offset", "a duration is expected, such as hours(1)"))?;
        let offset = clock.units("offset", offset)?;
        let origin = self.origin_timestamp(&clock)?;
        let Some((first, last)) = range else {
            return Ok(Bins { edges: Vec::new(), labels: Vec::new(), grid: Vec::new(), right });
        };
        let (labels, mut edges) = match frequency {
            Frequency::Fixed(_) => {
                let (start, end) = self.anchored(&clock, (first, last), step, offset, origin, right)?;
                let labels = stepped(start, end, step)?;
                (labels.clone(), labels)
            }
            Frequency::Days(_) => {
                // By what clocks show: a day may have 23 or 25 hours.
                let local = (clock.local(first)?, clock.local(last)?);
                let origin = origin.map(|origin| clock.local(origin)).transpose()?;
                let naive = Clock { zone: None, ..clock };
                let (start, end) = self.anchored(&naive, local, step, offset, origin, right)?;
                let labels = clock.instants(&stepped(start, end, step)?)?;
                (labels.clone(), labels)
            }
            Frequency::Calendar { every, anchors } => {
                calendar(&clock, (first, last), every, anchors, right, frequency.ends_periods())?
            }
        };
        let mut times = labels;
        if frequency.ends_periods() && edges.len() > 2 && edges[edges.len() - 2] > last {
            edges.pop();
            times.pop();
        }
        let bins = edges.len().saturating_sub(1);
        let skipped = |skip: bool| times.iter().skip(usize::from(skip)).take(bins).copied().collect();
        Ok(Bins { labels: skipped(label == Edge::Right), grid: skipped(right), edges, right })
    }

    /// Bins of durations: from the first one on, whatever the origin, called after where they begin. Closed on the right, they
    /// are called after where they end. The offset moves labels only.
    fn spans(&self, clock: &Clock<'_>, frequency: Frequency, range: Option<(i64, i64)>) -> Result<Bins> {
        let step = match frequency {
            Frequency::Fixed(nanos) => clock.units("frequency", nanos)?,
            Frequency::Days(every) => clock.units("frequency", i128::from(every) * NANOS_PER_DAY)?,
            Frequency::Calendar { .. } => {
                let reason = "durations are in no calendar: one of a fixed length is expected, such as 24h";
                return Err(invalid("frequency", reason));
            }
        };
        let offset =
            self.offset.ok_or_else(|| invalid("offset", "a duration is expected, such as hours(1)"))?;
        let offset = clock.units("offset", offset)?;
        let right = self.closed == Some(Edge::Right);
        let Some((first, last)) = range else {
            return Ok(Bins { edges: Vec::new(), labels: Vec::new(), grid: Vec::new(), right });
        };
        let overflow = || Error::Overflow { dtype: clock.dtype.clone() };
        let end = if right { last.checked_add(step).ok_or_else(overflow)? } else { last };
        let grid = stepped(first, end, step)?;
        let edge = if right { first.checked_sub(step) } else { grid[grid.len() - 1].checked_add(step) };
        let mut edges = grid.clone();
        edges.insert(if right { 0 } else { grid.len() }, edge.ok_or_else(overflow)?);
        let labels = grid.iter().map(|label| label.checked_add(offset).ok_or_else(overflow));
        Ok(Bins { labels: labels.collect::<Result<_>>()?, edges, grid, right })
    }

    /// The origin in the clock's unit, if it is a time: of clocks with a zone, the instant.
    fn origin_timestamp(&self, clock: &Clock<'_>) -> Result<Option<i64>> {
        let Origin::Timestamp(scalar) = &self.origin else { return Ok(None) };
        let wrong = || {
            let kind = if clock.zone.is_some() { "a" } else { "no" };
            invalid("origin", format!("{scalar} is no time for {}, which has {kind} time zone", clock.dtype))
        };
        let per_second = |unit: TimeUnit| 1_000_000_000 / i128::from(unit.per_second());
        let (nanos, has_zone) = if let Scalar::Timestamp(value, unit) = scalar {
            (i128::from(*value) * per_second(*unit), false)
        } else if let Scalar::TimestampTz(value, unit, _) = scalar {
            (i128::from(*value) * per_second(*unit), true)
        } else if let Scalar::Date32(days) = scalar {
            (i128::from(*days) * NANOS_PER_DAY, false)
        } else {
            return Err(wrong());
        };
        if has_zone != clock.zone.is_some() {
            return Err(wrong());
        }
        clock.units("origin", nanos).map(Some)
    }

    /// The first and the last edge of bins of one length.
    fn anchored(
        &self,
        clock: &Clock<'_>,
        (first, last): (i64, i64),
        step: i64,
        offset: i64,
        origin: Option<i64>,
        right: bool,
    ) -> Result<(i64, i64)> {
        let overflow = || Error::Overflow { dtype: clock.dtype.clone() };
        let step = i128::from(step);
        let (first_time, last_time) = (i128::from(first), i128::from(last));
        let of_end = |end: i64| {
            let steps = (i128::from(end) - first_time).div_euclid(step) + i128::from(!right);
            i128::from(end) - steps * step
        };
        let origin = match self.origin {
            Origin::StartDay => i128::from(clock.midnight(first, false)?),
            // Midnight, by the clock of the zone.
            Origin::Epoch => i128::from(clock.instants(&[0])?[0]),
            Origin::Start => first_time,
            Origin::End => of_end(last),
            Origin::EndDay => of_end(clock.midnight(last, true)?),
            Origin::Timestamp(_) => i128::from(origin.unwrap_or(0)),
        } + i128::from(offset);
        // Those that come from the end are counted from the first edge on, which may be before the first time.
        let is_counted_back = matches!(self.origin, Origin::End | Origin::EndDay);
        let first_time = if is_counted_back { origin - i128::from(offset) } else { first_time };
        let (before, after) = ((first_time - origin).rem_euclid(step), (last_time - origin).rem_euclid(step));
        let start = if right && before == 0 { first_time - step } else { first_time - before };
        let end = if right && after == 0 { last_time } else { last_time + step - after };
        // An offset may move the first edge behind the first time, which pandas refuses.
        let behind = (start - i128::from(first) + i128::from(right)).max(0);
        let start = start - (behind + step - 1).div_euclid(step) * step;
        let fits = |time: i128| i64::try_from(time).map_err(|_| overflow());
        Ok((fits(start)?, fits(end)?))
    }
}

/// Every `step` from `start` to `end`.
fn stepped(start: i64, end: i64, step: i64) -> Result<Vec<i64>> {
    let bins = (i128::from(end) - i128::from(start)) / i128::from(step);
    check_number(bins)?;
    let edges = 0..=i64::try_from(bins).unwrap_or(0);
    Ok(edges.map(|bin| start + bin * step).collect())
}

pub(super) fn check_number(bins: i128) -> Result<()> {
    if bins <= MAX_BINS {
        return Ok(());
    }
    Err(invalid("frequency", format!("{bins} bins from the first to the last time are more than {MAX_BINS}")))
}

/// The first times of the days of a calendar, and the edges of the bins.
fn calendar(
    clock: &Clock<'_>,
    (first, last): (i64, i64),
    every: i64,
    anchors: Anchors,
    right: bool,
    ends_periods: bool,
) -> Result<(Vec<i64>, Vec<i64>)> {
    let overflow = || Error::Overflow { dtype: clock.dtype.clone() };
    let days = [first, last].map(|time| clock.local(time).map(|local| local.div_euclid(clock.day)));
    let [first, last] = days;
    let (first, last) = (first?, last?);
    let of_first = anchors.number(first).ok_or_else(overflow)?;
    let start = if !right {
        of_first
    } else if anchors.day(of_first) == Some(first) {
        of_first - every
    } else {
        of_first - (every - 1)
    };
    let end = anchors.number(last).and_then(|number| number.checked_add(every)).ok_or_else(overflow)?;
    check_number((i128::from(end) - i128::from(start)) / i128::from(every))?;
    let mut midnights = Vec::new();
    let mut number = start;
    while number <= end {
        let day = anchors.day(number).and_then(|day| day.checked_mul(clock.day)).ok_or_else(overflow)?;
        midnights.push(day);
        number += every;
    }
    let labels = clock.instants(&midnights)?;
    let edges = if right && ends_periods {
        // To the last moment of the day.
        let ends = midnights.iter().map(|midnight| midnight.checked_add(clock.day - 1).ok_or_else(overflow));
        clock.instants(&ends.collect::<Result<Vec<_>>>()?)?
    } else {
        labels.clone()
    };
    Ok((labels, edges))
}

impl<'a> Clock<'a> {
    fn new(dtype: &'a DType) -> Result<Self> {
        let zone = if let DType::TimestampTz(_, zone) = dtype { Some(zone) } else { None };
        if !super::is_time(dtype) {
            return Err(Error::NotTimes { dtype: dtype.clone() });
        }
        let second = dtype.unit().map_or(0, TimeUnit::per_second);
        Ok(Self { dtype, day: if second == 0 { 1 } else { 86_400 * second }, second, zone })
    }

    /// Nanoseconds in units.
    fn units(&self, name: &'static str, nanos: i128) -> Result<i64> {
        let unit = NANOS_PER_DAY / i128::from(self.day);
        if nanos % unit != 0 {
            let nanos = if nanos % 1_000_000_000 == 0 {
                format!("{} s", nanos / 1_000_000_000)
            } else {
                format!("{nanos} ns")
            };
            return Err(invalid(name, format!("{nanos} is no multiple of the unit of {}", self.dtype)));
        }
        i64::try_from(nanos / unit).map_err(|_| Error::Overflow { dtype: self.dtype.clone() })
    }

    /// What clocks show at an instant.
    fn local(&self, time: i64) -> Result<i64> {
        let Some(zone) = self.zone else { return Ok(time) };
        let offset = i64::from(zone.offsets()?.at(time.div_euclid(self.second)));
        time.checked_add(offset * self.second).ok_or_else(|| Error::Overflow { dtype: self.dtype.clone() })
    }

    /// The instants at which clocks show these times: the first of two, and the next of those that clocks skip.
    fn instants(&self, local: &[i64]) -> Result<Vec<i64>> {
        let (Some(zone), Some(unit)) = (self.zone, self.dtype.unit()) else { return Ok(local.to_vec()) };
        let exec = Exec::host();
        let column = Column::from_slice(local, &exec)?.reinterpret(&DType::Timestamp(unit))?;
        let frame = ColumnAccessor::from_columns([("local", column)])?;
        let rules = LocalTimes { ambiguous: Ambiguous::Earliest, nonexistent: Nonexistent::ShiftForward };
        let instants = col("local").dt().tz_localize(zone.name(), rules);
        let (_, instants) = evaluate(&[instants], &frame, &exec)?.swap_remove(0);
        instants.reinterpret(&DType::Int64)?.to_vec::<i64>()
    }

    /// The midnight before a time, or the one after it with `up`; of a midnight, itself.
    fn midnight(&self, time: i64, up: bool) -> Result<i64> {
        let local = self.local(time)?;
        let overflow = || Error::Overflow { dtype: self.dtype.clone() };
        let day = if up && local.rem_euclid(self.day) != 0 {
            local.div_euclid(self.day) + 1
        } else {
            local.div_euclid(self.day)
        };
        Ok(self.instants(&[day.checked_mul(self.day).ok_or_else(overflow)?])?[0])
    }
}
