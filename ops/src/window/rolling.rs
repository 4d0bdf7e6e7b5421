//! Aggregates of windows that move from row to row.

use super::Ordered;
use super::cumulative::{is_ordered_by_sorting, places};
use super::products::product;
use super::range_counts::{self, RangesOf};
use crate::copying::gather_column;
use crate::expression::{
    Aggregation, Closed, Interpolation, Literal, Rolling, RollingAggregate, Statistic, WindowFrame,
    aggregate_dtype, col, lit, when,
};
use crate::groupby::grouped_rows::{compute, take, validity};
use crate::groupby::statistics::order::between;
use crate::groupby::statistics::times::{distance, divided, durations, sum_dtype};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, Scalar, TimeUnit};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::elementwise::unary::{UnaryOp, unary};
use columnade_kernels::rolling::rolling_quantile::{self, rolling_quantile, rolling_quantile_rows};
use columnade_kernels::rolling::rolling_window::{WindowAggregation, WindowBounds, Windows, rolling_window};
use columnade_kernels::rolling::row_windows::row_windows;
use columnade_kernels::searching::search_sorted::{Ranges, SearchSide, search_sorted};
use columnade_kernels::{ColumnData, Fixed, Storage, View};

/// The windows of the ordered rows.
pub(crate) enum Bounds {
    /// Where they begin and end, `int64` without nulls. Those of rows of no group are empty.
    Columns(Box<[Column; 2]>),
    /// Rows before and after each one of all rows.
    Around { before: u64, after: i64 },
}

impl Bounds {
    fn windows(&self, min_values: u64) -> Result<Windows<'_>> {
        let bounds = match self {
            Self::Columns(bounds) => {
                WindowBounds::Columns { starts: fixed(&bounds[0])?, ends: fixed(&bounds[1])? }
            }
            Self::Around { before, after } => WindowBounds::Around { before: *before, after: *after },
        };
        Ok(Windows { bounds, min_values })
    }

    fn ranges(&self) -> Result<RangesOf<'_>> {
        let Self::Columns(bounds) = self else {
            return Err(Error::Internal { invariant: "windows that are read as ranges are columns" });
        };
        Ok(RangesOf { starts: &bounds[0], ends: &bounds[1] })
    }
}

fn invalid(name: &'static str, reason: impl Into<String>) -> Error {
    Error::InvalidArgument { name, reason: reason.into() }
}

/// The aggregate of each row's window.
pub(super) fn rolling(
    by: Rolling,
    values: &Column,
    times: Option<&Column>,
    rows: &Ordered<'_>,
) -> Result<Column> {
    if by.center && by.frame == WindowFrame::Expanding {
        return Err(invalid("center", "windows of all rows so far have no middle"));
    }
    let default = match by.frame {
        WindowFrame::Rows { rows: 0, .. } => return Err(invalid("window", "a window has at least one row")),
        WindowFrame::Rows { rows, .. } => rows,
        WindowFrame::Time { .. } | WindowFrame::Expanding => 1,
    };
    let min_periods = by.min_periods.unwrap_or(default);
    if let WindowFrame::Rows { rows, .. } = by.frame
        && min_periods > rows
    {
        let reason = format!("{min_periods} are more than the {rows} rows of the window");
        return Err(invalid("min_periods", reason));
    }
    let dtype = dtype(by.aggregate, &values.dtype())?;
    let values = rows.values(values)?;
    let of_ranges = matches!(by.aggregate, RollingAggregate::NUnique | RollingAggregate::Rank(_));
    let bounds = bounds(by.frame, by.center, times, of_ranges, rows)?;
    let exec = rows.exec;
    let of_windows = |aggregation, values: &Column, dtype: &DType, min| {
        of_windows(aggregation, values, dtype, &bounds, min, exec)
    };
    let counts = |min| -> Result<Column> {
        let valid = match validity(&values, exec)? {
            Some(valid) => valid.without_mask(),
            None => Column::from_scalar(&Scalar::Bool(true), values.size(), exec)?,
        };
        of_windows(WindowAggregation::Sum, &valid, &DType::Int64, min)
    };
    let found = match by.aggregate {
        RollingAggregate::Sum => of_windows(WindowAggregation::Sum, &values, &dtype, min_periods)?,
        RollingAggregate::Min | RollingAggregate::Max if is_ordered_by_sorting(&values.dtype()) => {
            let is_min = by.aggregate == RollingAggregate::Min;
            let end = if is_min { WindowAggregation::Min } else { WindowAggregation::Max };
            let (order, places) = places(&values, exec)?;
            let place = of_windows(end, &places, &DType::Int64, min_periods.max(1))?;
            take(&values, &take(&order, &place, exec)?, exec)?
        }
        RollingAggregate::Min => of_windows(WindowAggregation::Min, &values, &dtype, min_periods.max(1))?,
        RollingAggregate::Max => of_windows(WindowAggregation::Max, &values, &dtype, min_periods.max(1))?,
        RollingAggregate::Mean if distance(&dtype).is_some() => {
            let sums = of_windows(WindowAggregation::Sum, &values, &sum_dtype()?, min_periods.max(1))?;
            divided(&sums, &counts(0)?, &dtype, exec)?
        }
        RollingAggregate::Mean => {
            let values = crate::cast::cast(&values, &DType::Float64, CastMode::Wrap, exec)?;
            of_windows(WindowAggregation::Mean, &values, &dtype, min_periods.max(1))?
        }
        RollingAggregate::Var { ddof } | RollingAggregate::Std { ddof } => {
            let of_times = distance(&values.dtype()).is_some();
            let floats = if of_times {
                compute(&[("x", &values)], col("x").cast(DType::Int64).cast(DType::Float64), exec)?
            } else {
                crate::cast::cast(&values, &DType::Float64, CastMode::Wrap, exec)?
            };
            let variance = WindowAggregation::Variance { ddof };
            let variance = of_windows(variance, &floats, &DType::Float64, min_periods.max(1))?;
            if matches!(by.aggregate, RollingAggregate::Var { .. }) {
                variance
            } else if of_times {
                durations(&sqrt(&variance, exec)?, &values.dtype(), exec)?
            } else {
                sqrt(&variance, exec)?
            }
        }
        RollingAggregate::Skew | RollingAggregate::Kurt => {
            let is_skew = by.aggregate == RollingAggregate::Skew;
            let shape = if is_skew { WindowAggregation::Skewness } else { WindowAggregation::Kurtosis };
            let floats = crate::cast::cast(&values, &DType::Float64, CastMode::Wrap, exec)?;
            of_windows(shape, &floats, &dtype, min_periods)?
        }
        RollingAggregate::Count => counts(min_periods)?,
        RollingAggregate::NUnique => {
            let found = range_counts::distinct(&values, bounds.ranges()?, exec)?;
            of_enough(&found, &counts(0)?, min_periods, exec)?
        }
        RollingAggregate::Rank(rank) => {
            let values_in = counts(0)?;
            let found = range_counts::ranks(rank, &values, bounds.ranges()?, &values_in, exec)?;
            of_enough(&found, &values_in, min_periods, exec)?
        }
        RollingAggregate::First | RollingAggregate::Last => {
            let is_first = by.aggregate == RollingAggregate::First;
            let end = if is_first { WindowAggregation::Min } else { WindowAggregation::Max };
            let source = of_windows(end, &valid_rows(&values, rows)?, &DType::Int64, min_periods.max(1))?;
            take(&values, &source, exec)?
        }
        RollingAggregate::Quantile { q, interpolation } => {
            quantile(&values, q, interpolation, &bounds, min_periods.max(1), exec)?
        }
    };
    // Rows of no group have windows of no rows, of which a sum and a count are 0.
    let is_zero_of_none =
        matches!(by.aggregate, RollingAggregate::Sum | RollingAggregate::Count | RollingAggregate::NUnique);
    let found = if is_zero_of_none && rows.has_rows_of_no_group()? && min_periods == 0 {
        let or_null = when(col("start").is_not_null()).then(col("found")).otherwise(lit(Literal::Null));
        rows.compute(&[("found", &found)], or_null)?
    } else {
        found
    };
    rows.in_row_order(&found)
}

/// The product of the rows of a group up to each row.
pub(super) fn cumulative_product(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let ordered = rows.values(values)?;
    let bounds = bounds(WindowFrame::Expanding, false, None, false, rows)?;
    let products = product(&ordered, &bounds, 1, rows.exec)?;
    let or_null = when(col("x").is_not_null()).then(col("product")).otherwise(lit(Literal::Null));
    rows.in_row_order(&compute(&[("x", &ordered), ("product", &products)], or_null, rows.exec)?)
}

fn dtype(aggregate: RollingAggregate, dtype: &DType) -> Result<DType> {
    match aggregate {
        RollingAggregate::Sum => aggregate_dtype(Aggregation::Sum, dtype),
        RollingAggregate::Mean => aggregate_dtype(Aggregation::Mean, dtype),
        RollingAggregate::Var { ddof } => Statistic::Var { ddof }.dtype(dtype),
        RollingAggregate::Std { ddof } => Statistic::Std { ddof }.dtype(dtype),
        RollingAggregate::Skew => Statistic::Skew.dtype(dtype),
        RollingAggregate::Kurt => Statistic::Kurt.dtype(dtype),
        RollingAggregate::Min => aggregate_dtype(Aggregation::Min, dtype),
        RollingAggregate::Max => aggregate_dtype(Aggregation::Max, dtype),
        RollingAggregate::Count | RollingAggregate::NUnique => Ok(DType::Int64),
        RollingAggregate::Rank(rank) => Ok(rank.dtype()),
        RollingAggregate::Quantile { q, interpolation } => {
            Statistic::Quantile { q, interpolation }.dtype(dtype)
        }
        RollingAggregate::First | RollingAggregate::Last => Ok(dtype.clone()),
    }
}

pub(super) fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

/// An aggregation of the values of windows, as a column of `dtype`.
pub(crate) fn of_windows(
    aggregation: WindowAggregation,
    values: &Column,
    dtype: &DType,
    bounds: &Bounds,
    min_values: u64,
    exec: &Exec,
) -> Result<Column> {
    let view = fixed(values)?;
    let Some(to) = dtype.storage() else { return Err(Error::UnsupportedDType { dtype: dtype.clone() }) };
    // The kernel has the widest of each kind of numbers.
    let wide = match to {
        Storage::F32 | Storage::F64 => Storage::F64,
        Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64 => Storage::U64,
        Storage::I128 => Storage::I128,
        Storage::Bit | Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64 => Storage::I64,
    };
    let widened = cast(&view, wide, CastMode::Wrap, exec)?;
    let windows = bounds.windows(min_values)?;
    let found = rolling_window(aggregation, &widened.view(), &windows, exec).map_err(|error| {
        let is_overflow = matches!(error, columnade_kernels::Error::Overflow { .. });
        if is_overflow { Error::Overflow { dtype: dtype.clone() } } else { error.into() }
    })?;
    let found = if wide == to { found } else { cast(&found.view(), to, CastMode::Wrap, exec)? };
    Column::from_data(dtype.clone(), ColumnData::Fixed(found))
}

/// The results of windows with enough values.
fn of_enough(found: &Column, counts: &Column, min_values: u64, exec: &Exec) -> Result<Column> {
    let least = i64::try_from(min_values).unwrap_or(i64::MAX);
    let or_null = when(col("count").ge(least)).then(col("found")).otherwise(lit(Literal::Null));
    compute(&[("found", found), ("count", counts)], or_null, exec)
}

fn sqrt(values: &Column, exec: &Exec) -> Result<Column> {
    let roots = unary(UnaryOp::Sqrt, &fixed(values)?, exec)?;
    Column::from_data(DType::Float64, ColumnData::Fixed(roots))
}

/// The positions of the ordered rows, null where `values` are.
fn valid_rows(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let Some(valid) = validity(values, rows.exec)? else { return rows.positions().cloned() };
    rows.compute(&[("valid", &valid)], when(col("valid")).then(col("row")).otherwise(lit(Literal::Null)))
}

fn quantile(
    values: &Column,
    q: f64,
    interpolation: Interpolation,
    bounds: &Bounds,
    min_values: u64,
    exec: &Exec,
) -> Result<Column> {
    let windows = bounds.windows(min_values)?;
    let of_kernel = match interpolation {
        Interpolation::Linear => rolling_quantile::Interpolation::Linear,
        Interpolation::Lower => rolling_quantile::Interpolation::Lower,
        Interpolation::Higher => rolling_quantile::Interpolation::Higher,
        Interpolation::Nearest => rolling_quantile::Interpolation::Nearest,
        Interpolation::Midpoint => rolling_quantile::Interpolation::Midpoint,
    };
    // Others are ordered by more than their words: strings, and categories by their names.
    let has_words = matches!(values, Column::Numeric(_) | Column::Datetime(_) | Column::Timedelta(_));
    let found =
        if has_words { rolling_quantile_rows(&fixed(values)?, &windows, q, of_kernel, exec)? } else { None };
    if let Some(found) = found {
        let at = |rows| gather_column(values, rows, MapNulls::Possible, exec);
        let low = at(&found.low)?;
        if matches!(interpolation, Interpolation::Linear | Interpolation::Midpoint) {
            let share = Column::from_data(DType::Float64, ColumnData::Fixed(found.share))?;
            return between(&low, &at(&found.high)?, &share, exec);
        }
        return Ok(low);
    }
    let (sorted, order) = places(values, exec)?;
    let found = rolling_quantile(&fixed(&order)?, &windows, q, exec)?;
    let [low, high] =
        [found.low, found.high].map(|rows| Column::from_data(DType::Int64, ColumnData::Fixed(rows)));
    let at = |numbers: &Column| take(values, &take(&sorted, numbers, exec)?, exec);
    let (low, high) = (low?, high?);
    let place = Column::from_data(DType::Float64, ColumnData::Fixed(found.place))?;
    let whole = || col("place").floor_div(1.0);
    let fraction = || col("place") - whole();
    let share = match interpolation {
        Interpolation::Lower => return at(&low),
        Interpolation::Higher => return at(&high),
        Interpolation::Nearest => {
            let is_odd = (whole() % 2.0).ne(0.0);
            let up = fraction().gt(0.5).or(fraction().eq(0.5).and(is_odd));
            let nearest = when(up).then(col("high")).otherwise(col("low"));
            let columns = [("place", &place), ("low", &low), ("high", &high)];
            return at(&compute(&columns, nearest, exec)?);
        }
        Interpolation::Linear => fraction(),
        Interpolation::Midpoint => when(fraction().gt(0.0)).then(lit(0.5)).otherwise(lit(0.0)),
    };
    let share = compute(&[("place", &place)], share, exec)?;
    between(&at(&low)?, &at(&high)?, &share, exec)
}

/// The windows; as columns if they are read as ranges.
fn bounds(
    frame: WindowFrame,
    center: bool,
    times: Option<&Column>,
    of_ranges: bool,
    rows: &Ordered<'_>,
) -> Result<Bounds> {
    let of_groups = |before, after| -> Result<(Column, Column)> {
        let groups = rows.bounds()?;
        let ranges = Ranges { starts: fixed(&groups.start)?, ends: fixed(&groups.end)? };
        let windows = row_windows(&ranges, before, after, rows.exec)?;
        let [starts, ends] = [windows.starts, windows.ends]
            .map(|bound| Column::from_data(DType::Int64, ColumnData::Fixed(bound)));
        Ok((starts?, ends?))
    };
    let around = |before, after| -> Result<Bounds> {
        if rows.is_whole && !of_ranges {
            return Ok(Bounds::Around { before, after });
        }
        let (starts, ends) = of_groups(before, after)?;
        Ok(Bounds::Columns(Box::new([starts, ends])))
    };
    match frame {
        WindowFrame::Rows { rows: length, closed } => {
            let others = length.saturating_sub(1);
            let after = if center { others / 2 } else { 0 };
            let has_start = matches!(closed, Closed::Left | Closed::Both);
            let has_end = matches!(closed, Closed::Right | Closed::Both);
            let before = (others - after).saturating_add(u64::from(has_start));
            around(before, i64::try_from(after).unwrap_or(i64::MAX) - i64::from(!has_end))
        }
        WindowFrame::Expanding => around(u64::MAX, 0),
        WindowFrame::Time { nanoseconds, closed } => {
            let whole = of_groups(u64::MAX, 0)?;
            let times = times.ok_or(Error::Internal { invariant: "a window of time has times" })?;
            of_times(nanoseconds, closed, center, times, whole, rows)
        }
    }
}

/// The windows of a span of time before each row, or half of it before and half after. The rows of the group up to each row
/// begin at `first` and end at `row`.
fn of_times(
    nanoseconds: Option<i128>,
    closed: Closed,
    center: bool,
    times: &Column,
    (first, row): (Column, Column),
    rows: &Ordered<'_>,
) -> Result<Bounds> {
    let Some(span) = nanoseconds.filter(|span| *span > 0) else {
        return Err(invalid(
            "window",
            "a window of time is a duration of more than nothing, such as days(1)",
        ));
    };
    let dtype = times.dtype();
    let unit: i128 = if let DType::Timestamp(unit) | DType::TimestampTz(unit, _) | DType::Duration(unit) =
        dtype.logical()
    {
        match unit {
            TimeUnit::Second => 1_000_000_000,
            TimeUnit::Milli => 1_000_000,
            TimeUnit::Micro => 1_000,
            TimeUnit::Nano => 1,
        }
    } else if *dtype.logical() == DType::Date32 {
        86_400_000_000_000
    } else {
        return Err(Error::UnsupportedDType { dtype });
    };
    let exec = rows.exec;
    let counts = crate::cast::cast(times, &DType::Int64, CastMode::Wrap, exec)?;
    let times = rows.values(&counts)?;
    if times.null_count(exec)? > 0 {
        // Rows of no group have no bounds.
        let is_missing = col("time").is_null().and(col("start").is_not_null());
        if any(&rows.compute(&[("time", &times)], is_missing)?, exec)? {
            return Err(invalid("by", format!("a time of the {dtype} column is null")));
        }
    }
    let times = times.without_mask();
    let before = rows
        .compute(&[], when(col("row").gt(col("start"))).then(col("row") - 1).otherwise(lit(Literal::Null)))?;
    let before = take(&times, &before, exec)?;
    let descends = when(col("before").is_null()).then(lit(false)).otherwise(col("before").gt(col("time")));
    let descends = compute(&[("before", &before), ("time", &times)], descends, exec)?.without_mask();
    if any(&descends, exec)? {
        return Err(invalid(
            "by",
            format!("the times of the {dtype} column do not ascend: sort the rows by them"),
        ));
    }
    // In whole units: a time is less than 1.5 units before another if it is less than 2, and at most 1.5 if at most 1.
    let unit = if center { 2 * unit } else { unit };
    let [within, below] =
        [span / unit, (span - 1) / unit + 1].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
    let (span, side) = match closed {
        Closed::Right | Closed::Neither => (below, SearchSide::Right),
        Closed::Left | Closed::Both => (within, SearchSide::Left),
    };
    let ranges = Ranges { starts: fixed(&first)?, ends: fixed(&row)? };
    let find_in = |ranges: &Ranges<'_>, needles: &Column, side| -> Result<Column> {
        let found = search_sorted(&fixed(&times)?, &fixed(needles)?, ranges, side, exec)?;
        Column::from_data(DType::Int64, ColumnData::Fixed(found))
    };
    let find = |needles: &Column, side| find_in(&ranges, needles, side);
    // No time is before the first one that there is.
    let from = |least: i64| when(col("time").lt(least)).then(lit(i64::MIN)).otherwise(col("time") - span);
    let is_early = i64::MIN.saturating_add(span);
    let needles = compute(&[("time", &times)], from(is_early), exec)?;
    let mut starts = find(&needles, side)?;
    if side == SearchSide::Right {
        // All rows are less than the span before a time that is.
        let columns = [("time", &times), ("found", &starts), ("first", &first)];
        let of_early = when(col("time").lt(is_early)).then(col("first")).otherwise(col("found"));
        starts = compute(&columns, of_early, exec)?;
    }
    if center {
        let end = &rows.bounds()?.end;
        let ranges = Ranges { starts: fixed(&first)?, ends: fixed(end)? };
        let (span, side) = match closed {
            Closed::Right | Closed::Both => (within, SearchSide::Right),
            Closed::Left | Closed::Neither => (below, SearchSide::Left),
        };
        // No time is after the last one that there is.
        let is_late = col("time").gt(i64::MAX - span);
        let to = when(is_late.clone()).then(lit(i64::MAX)).otherwise(col("time") + span);
        let found = find_in(&ranges, &compute(&[("time", &times)], to, exec)?, side)?;
        let columns = [("time", &times), ("found", &found), ("end", end)];
        let ends = compute(&columns, when(is_late).then(col("end")).otherwise(col("found")), exec)?;
        return Ok(Bounds::Columns(Box::new([starts, ends])));
    }
    let ends = match closed {
        Closed::Right | Closed::Both => None,
        Closed::Left | Closed::Neither => Some(find(&times, SearchSide::Left)?),
    };
    Ok(Bounds::Columns(Box::new([starts, ends.unwrap_or(row)])))
}

/// Whether a row is true.
fn any(values: &Column, exec: &Exec) -> Result<bool> {
    use columnade_kernels::reduction::reduce::reduce;
    let greatest = reduce(columnade_kernels::aggregation::Aggregation::Max, &fixed(values)?, exec)?;
    Ok(Column::from_data(DType::Bool, ColumnData::Fixed(greatest))?.get(0)? == Scalar::Bool(true))
}
