//! Ranges of timestamps with a time zone.

use columnade_buffers::Exec;
use columnade_columns::{
    Column, ColumnAccessor, DType, Error as ColumnError, Result as ColumnResult, Scalar, TimeUnit, TimeZone,
};
use columnade_ops::expression::{Expr, LocalTimes, col, evaluate};

use super::{Until, column as of_times, count, times};
use crate::frequency::Frequency;

/// The instants of a range whose ends are local times.
///
/// Days and the other frequencies of the calendar are those of the local time, which is then one of the zone: a day may have 23 or
/// 25 hours. Hours and less are counted in the time that passes.
pub(super) fn column(
    (unit, zone): (TimeUnit, &TimeZone),
    start: &str,
    frequency: &str,
    until: Until<&str>,
    rules: LocalTimes,
    exec: &Exec,
) -> ColumnResult<Column> {
    let local = DType::Timestamp(unit);
    let localize = |times: &Column| computed(times, |x| x.dt().tz_localize(zone.name(), rules), exec);
    let start = count(&local, start)?;
    let until = until.map(|end| count(&local, end))?;
    if !matches!(Frequency::parse(frequency)?, Frequency::Fixed(_)) {
        return localize(&of_times(&local, &times(&local, start, frequency, until)?, exec)?);
    }
    let instant = |time: i64| {
        let instant = localize(&of_times(&local, &[time], exec)?)?.get(0)?;
        if let Scalar::TimestampTz(instant, ..) = instant {
            return Ok(instant);
        }
        let reason = format!("{} is no time of the zone", Scalar::Timestamp(time, unit));
        Err(ColumnError::InvalidArgument { name: "start or end", reason })
    };
    let until = until.map(instant)?;
    let times = times(&local, instant(start)?, frequency, until)?;
    of_times(&DType::TimestampTz(unit, zone.clone()), &times, exec)
}

/// An expression over times.
fn computed(times: &Column, expr: impl FnOnce(Expr) -> Expr, exec: &Exec) -> ColumnResult<Column> {
    let frame = ColumnAccessor::from_columns([("time", times.clone())])?;
    let (_, column) = evaluate(&[expr(col("time"))], &frame, exec)?.swap_remove(0);
    Ok(column)
}
