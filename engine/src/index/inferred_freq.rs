//! How often labels come.

use columnade_columns::calendar::{Date, date_of, days_to};
use columnade_columns::{DType, Result as ColumnResult, TimeUnit};

use super::labels::Labels;
use super::{DatetimeIndex, TimedeltaIndex};
use crate::error::{InOperation, Result};
use crate::frequency::{MONTHS, WEEKDAYS};

const OPERATION: &str = "inferred_freq";

impl DatetimeIndex {
    /// The frequency that times come with, as [`resample`](crate::DataFrame::resample) takes it: `h`, `2D`, `W-MON`, `ME`, `B`,
    /// `WOM-2TUE`. `None` for fewer than three labels, for labels in no order or that come several times, with a null, and
    /// without a frequency. Days and months are those of the time zone. Business hours are `bh`.
    ///
    /// It follows from the labels alone, whatever [`freq`](Self::freq) they were made with.
    ///
    /// ```
    /// use columnade::{DType, Index, TimeUnit, date_range_periods};
    ///
    /// let days = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-31", 4, "ME")?;
    /// let days = Index::from_series(&days)?;
    /// assert_eq!(days.as_datetime().and_then(|days| days.inferred_freq().transpose()).transpose()?, Some("ME".to_owned()));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Device
    /// The labels are copied to the host.
    ///
    /// # Source
    /// pandas `DatetimeIndex.inferred_freq`.
    pub fn inferred_freq(&self) -> Result<Option<String>> {
        inferred(&self.0).operation(OPERATION)
    }
}

impl TimedeltaIndex {
    /// The frequency that durations come with: see [`DatetimeIndex::inferred_freq`].
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `TimedeltaIndex.inferred_freq`.
    pub fn inferred_freq(&self) -> Result<Option<String>> {
        inferred(&self.0).operation(OPERATION)
    }
}

fn inferred(labels: &Labels) -> ColumnResult<Option<String>> {
    let is_ordered = labels.is_increasing()? || labels.is_decreasing()?;
    if labels.len() < 3 || !is_ordered || !labels.is_unique()? {
        return Ok(None);
    }
    let column = &labels.columns()?[0];
    let dtype = column.dtype();
    let times = if dtype == DType::Date32 {
        column.reinterpret(&DType::Int32)?.to_vec::<i32>()?.into_iter().map(i64::from).collect()
    } else {
        column.reinterpret(&DType::Int64)?.to_vec::<i64>()?
    };
    let second = dtype.unit().map_or(0, TimeUnit::per_second);
    let local = if let DType::TimestampTz(_, zone) = &dtype {
        let offsets = zone.offsets()?;
        let local = |time: &i64| time.saturating_add(i64::from(offsets.at(time.div_euclid(second))) * second);
        times.iter().map(local).collect()
    } else {
        times.clone()
    };
    let is_date = !matches!(dtype, DType::Duration(_));
    Ok(frequency(&times, &local, if second == 0 { 1 } else { 86_400 * second }, is_date))
}

/// The distances between neighbours, each once, ascending.
fn distances(times: impl Iterator<Item = i64> + Clone) -> Vec<i64> {
    let mut found: Vec<i64> = times.clone().zip(times.skip(1)).map(|(a, b)| b.saturating_sub(a)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn counted(name: &str, count: i64) -> String {
    if count == 1 { name.to_owned() } else { format!("{count}{name}") }
}

/// The frequency of times in order, of which `day` are a day. `local` are what clocks show.
fn frequency(times: &[i64], local: &[i64], day: i64, is_date: bool) -> Option<String> {
    let of_clocks = distances(local.iter().copied());
    if of_clocks.first()? % day == 0 {
        return of_days(local, &of_clocks, day, is_date);
    }
    // Divided evenly: a part of an hour is no hour.
    let is_hours = |hours: &[i64]| {
        day % 24 == 0 && of_clocks.iter().copied().eq(hours.iter().map(|hours| hours * (day / 24)))
    };
    if is_hours(&[1, 17]) || is_hours(&[1, 65]) || is_hours(&[1, 17, 65]) {
        return Some("bh".to_owned());
    }
    let [distance] = distances(times.iter().copied())[..] else { return None };
    let units = [(24, "h"), (1440, "min"), (86_400, "s"), (86_400_000, "ms"), (86_400_000_000, "us")];
    for (per_day, name) in units {
        if day % per_day == 0 && distance % (day / per_day) == 0 {
            return Some(counted(name, distance / (day / per_day)));
        }
    }
    Some(counted("ns", distance))
}

/// Where in their months days are.
#[derive(Clone, Copy)]
enum Place {
    Start,
    BusinessStart,
    End,
    BusinessEnd,
}

fn of_days(times: &[i64], found: &[i64], day: i64, is_date: bool) -> Option<String> {
    let days: Vec<i64> = times.iter().map(|time| time.div_euclid(day)).collect();
    let weekday = |day: i64| usize::try_from((day + 3).rem_euclid(7)).unwrap_or(0);
    let name = |day: i64| WEEKDAYS[weekday(day)];
    let daily = || match found {
        [distance] if distance / day % 7 == 0 => {
            Some(counted(&format!("W-{}", name(days[0])), distance / day / 7))
        }
        [distance] => Some(counted("D", distance / day)),
        _ => None,
    };
    if !is_date {
        return daily();
    }
    let dates: Vec<Date> = days.iter().map(|day| date_of(*day)).collect();
    let month = |date: &Date| date.year * 12 + i64::from(date.month);
    if let [months] = distances(dates.iter().map(month))[..]
        && let Some(place) = place(&days, &dates)
    {
        let named = |[start, business_start, end, business_end]: [&'static str; 4]| match place {
            Place::Start => start,
            Place::BusinessStart => business_start,
            Place::End => end,
            Place::BusinessEnd => business_end,
        };
        let first = usize::from(dates[0].month) - 1;
        if months % 12 == 0 {
            return Some(counted(
                &format!("{}-{}", named(["YS", "BYS", "YE", "BYE"]), MONTHS[first]),
                months / 12,
            ));
        }
        if months % 3 == 0 {
            // Of the months of a quarter, pandas names the first one of the year for starts, the last one for ends.
            let month =
                if matches!(place, Place::Start | Place::BusinessStart) { first % 3 } else { 9 + first % 3 };
            return Some(counted(
                &format!("{}-{}", named(["QS", "BQS", "QE", "BQE"]), MONTHS[month]),
                months / 3,
            ));
        }
        return Some(counted(named(["MS", "BMS", "ME", "BME"]), months));
    }
    if let [_] = found {
        return daily();
    }
    let is_business = |pair: &[i64]| match weekday(pair[0]) {
        4 => pair[1] - pair[0] == 3,
        weekday => weekday < 4 && pair[1] - pair[0] == 1,
    };
    if found == [day, 3 * day] && days.windows(2).all(is_business) {
        return Some("B".to_owned());
    }
    let week = |date: &Date| (date.day - 1) / 7;
    let is_one = days.iter().all(|day| weekday(*day) == weekday(days[0]));
    let mut weeks: Vec<u8> = dates.iter().map(week).filter(|week| *week < 4).collect();
    weeks.sort_unstable();
    weeks.dedup();
    match weeks[..] {
        [week] if is_one => Some(format!("WOM-{}{}", week + 1, name(days[0]))),
        _ => None,
    }
}

/// The place that all days have.
fn place(days: &[i64], dates: &[Date]) -> Option<Place> {
    let (mut start, mut business_start, mut end, mut business_end) = (true, true, true, true);
    for (&day, date) in days.iter().zip(dates) {
        let weekday = (day + 3).rem_euclid(7);
        let next = if date.month == 12 {
            Date { year: date.year + 1, month: 1, day: 1 }
        } else {
            Date { year: date.year, month: date.month + 1, day: 1 }
        };
        let left = days_to(next)? - 1 - day;
        start &= date.day == 1;
        business_start &= date.day == 1 || (date.day <= 3 && weekday == 0);
        end &= left == 0;
        business_end &= left == 0 || (left < 3 && weekday == 4);
    }
    if end {
        Some(Place::End)
    } else if business_end {
        Some(Place::BusinessEnd)
    } else if start {
        Some(Place::Start)
    } else if business_start {
        Some(Place::BusinessStart)
    } else {
        None
    }
}
