//! Binary search of rows in sorted rows.

use super::{NullOrder, Order, SortKey, argsort};
use crate::cast::{CastMode, cast};
use crate::copying::concat;
use crate::expression::{Expr, Literal, col, lit, when};
use crate::groupby::grouped_rows::{column_of, compute, numbers, row_map};
use crate::join::{common_key, in_common_dtype, is_time};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::promote::common;
use columnade_columns::{Column, DType, Error, NumericColumn, Result, Scalar};
use columnade_kernels::copying::scatter::permute;
use columnade_kernels::searching::search_sorted::{self as kernel, Ranges};
use columnade_kernels::{ColumnData, Fixed, View};

pub use columnade_kernels::searching::search_sorted::SearchSide;
use std::borrow::Cow;

/// Where each row of `needles` is inserted into the sorted rows of `keys` so that they stay sorted: before equal rows, or with
/// [`SearchSide::Right`] after them. NaNs are equal and larger than all numbers, nulls are equal and where the key has them.
///
/// # Shapes and units
/// keys: n rows each, sorted as [`argsort`] sorts them (not checked); needles: one column a key, of m rows each → m rows of
/// `int64`, 0 to n. Timestamps of several time zones are compared as instants, and times of several units exactly.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys, or for another number of needles; [`Error::DTypeMismatch`] and
/// [`Error::UnsupportedDType`] with the position of the key; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// One numeric key is searched as `int64` in the logarithm of n steps a needle. Decimals, strings, dictionaries and several
/// keys are sorted together with the needles.
///
/// # Source
/// cudf/search.hpp `lower_bound`, `upper_bound`; pandas `searchsorted`.
pub fn search_sorted(
    keys: &[SortKey<'_>],
    needles: &[&Column],
    side: SearchSide,
    exec: &Exec,
) -> Result<Column> {
    let Some(first) = keys.first() else {
        return Err(Error::InvalidArgument { name: "keys", reason: "there are none".to_owned() });
    };
    if keys.len() != needles.len() {
        let reason = format!("{} columns for {} keys", needles.len(), keys.len());
        return Err(Error::InvalidArgument { name: "needles", reason });
    }
    for (columns, rows) in [
        (keys.iter().map(|key| key.column).collect::<Vec<_>>(), first.column.size()),
        (needles.to_vec(), needles[0].size()),
    ] {
        if let Some(other) = columns.iter().find(|column| column.size() != rows) {
            return Err(Error::LengthMismatch { expected: rows, found: other.size() });
        }
    }
    with_retry_no_split(exec, |exec| {
        let converted = keys.iter().zip(needles).enumerate();
        let converted = converted.map(|(at, (key, needle))| {
            in_one_dtype(key.column, needle, exec).map_err(|error| error.in_key(at))
        });
        let converted = converted.collect::<Result<Vec<_>>>()?;
        let converted_keys = keys.iter().zip(&converted).map(|(key, [column, _])| SortKey {
            column,
            order: key.order,
            nulls: key.nulls,
        });
        let keys = &converted_keys.collect::<Vec<_>>()[..];
        let needles = &converted.iter().map(|[_, needle]| &**needle).collect::<Vec<_>>()[..];
        if let ([key], [needle]) = (keys, needles)
            && let Some(found) = searched(key, needle, side, exec)?
        {
            return Ok(found);
        }
        sorted_together(keys, needles, side, exec)
    })
}

/// A key and its needles: times of several units or zones in one dtype, which has also those beyond the range of the finer unit.
fn in_one_dtype<'a>(key: &'a Column, needle: &'a Column, exec: &Exec) -> Result<[Cow<'a, Column>; 2]> {
    let (own, other) = (key.dtype(), needle.dtype());
    let are_times = is_time(&own) && is_time(&other);
    match common_key(&own, &other).filter(|_| are_times && own != other) {
        Some(common) => {
            let (key, needle) = in_common_dtype(key, needle, &common, exec)?;
            Ok([Cow::Owned(key), Cow::Owned(needle)])
        }
        None => Ok([Cow::Borrowed(key), Cow::Borrowed(needle)]),
    }
}

pub(crate) fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

/// `int64` values in the order of those of a column, null where they are; `None` if there are none.
pub(crate) fn ordered_int64(values: &Column, exec: &Exec) -> Result<Option<Column>> {
    let dtype = values.dtype();
    if dtype == DType::UInt64 {
        let wrapped = cast(values, &DType::Int64, CastMode::Wrap, exec)?;
        return compute(&[("x", &wrapped)], col("x") + i64::MIN, exec).map(Some);
    }
    if dtype.is_integer() || dtype.is_temporal() {
        return cast(values, &DType::Int64, CastMode::Wrap, exec).map(Some);
    }
    if !dtype.is_float() {
        return Ok(None);
    }
    let floats = cast(values, &DType::Float64, CastMode::Wrap, exec)?;
    let data = floats.data().ok_or(Error::Internal { invariant: "floats have data" })?;
    let bits = NumericColumn::new(DType::Int64, data.clone(), None, floats.offset(), floats.size())?;
    let bits = Column::Numeric(bits);
    // The bits of negative numbers are the least integer and their magnitude; both zeros become 0.
    let ordered = when(col("bits").lt(0)).then(lit(i64::MIN) - col("bits")).otherwise(col("bits"));
    let ordered = when(col("x").ne(col("x"))).then(lit(i64::MAX)).otherwise(ordered);
    let ordered = match floats.mask() {
        Some(_) => when(col("x").is_null()).then(lit(Literal::Null)).otherwise(ordered),
        None => ordered,
    };
    compute(&[("x", &floats), ("bits", &bits)], ordered, exec).map(Some)
}

/// One key as `int64`.
fn searched(key: &SortKey<'_>, needles: &Column, side: SearchSide, exec: &Exec) -> Result<Option<Column>> {
    let (dtype, other) = (key.column.dtype(), needles.dtype());
    let dtype = common(&dtype, &other).map_err(|error| error.in_key(0))?;
    let ordered = |column: &Column| -> Result<Option<Column>> {
        let column = cast(column, &dtype, CastMode::Wrap, exec)?;
        let Some(ordered) = ordered_int64(&column, exec)? else { return Ok(None) };
        if key.order == Order::Ascending {
            return Ok(Some(ordered));
        }
        // All bits inverted, which reverses the order without overflow.
        compute(&[("x", &ordered)], lit(-1_i64) - col("x"), exec).map(Some)
    };
    let (Some(values), Some(needles)) = (ordered(key.column)?, ordered(needles)?) else { return Ok(None) };
    let nulls = values.null_count(exec)?;
    let (start, end) = match key.nulls {
        NullOrder::First => (nulls, values.size()),
        NullOrder::Last => (0, values.size() - nulls),
    };
    let constant = |row: usize| {
        Column::from_scalar(&Scalar::Int64(i64::try_from(row).unwrap_or(i64::MAX)), needles.size(), exec)
    };
    let (starts, ends) = (constant(start)?, constant(end)?);
    let ranges = Ranges { starts: fixed(&starts)?, ends: fixed(&ends)? };
    let found = kernel::search_sorted(&fixed(&values)?, &fixed(&needles)?, &ranges, side, exec)?;
    let found = Column::from_data(DType::Int64, ColumnData::Fixed(found))?;
    if needles.mask().is_none() {
        return Ok(Some(found));
    }
    let of_null = match (key.nulls, side) {
        (NullOrder::First, SearchSide::Left) => 0,
        (NullOrder::First, SearchSide::Right) => start,
        (NullOrder::Last, SearchSide::Left) => end,
        (NullOrder::Last, SearchSide::Right) => values.size(),
    };
    let of_null = lit(i64::try_from(of_null).unwrap_or(i64::MAX));
    let or_null: Expr = when(col("x").is_null()).then(of_null).otherwise(col("found"));
    let found = compute(&[("x", &needles), ("found", &found)], or_null, exec)?;
    Ok(Some(found.without_mask()))
}

/// The number of rows of `keys` before each needle in the order of both.
fn sorted_together(
    keys: &[SortKey<'_>],
    needles: &[&Column],
    side: SearchSide,
    exec: &Exec,
) -> Result<Column> {
    let (rows, found) = (keys[0].column.size(), needles[0].size());
    let mut columns = Vec::with_capacity(keys.len());
    for (position, (key, needles)) in keys.iter().zip(needles).enumerate() {
        // Equal rows stay in this order.
        let parts = if side == SearchSide::Left { [*needles, key.column] } else { [key.column, *needles] };
        columns.push(concat(&parts, exec).map_err(|error| error.in_key(position))?);
    }
    let by: Vec<_> = keys
        .iter()
        .zip(&columns)
        .map(|(key, column)| SortKey { column, order: key.order, nulls: key.nulls })
        .collect();
    let order = column_of(&argsort(&by, exec)?, exec)?;
    // Place of each row, then of the needles in their own order, which is the number of needles before them.
    let place = inverse(&order, exec)?;
    let place = if side == SearchSide::Left { place.slice(0, found)? } else { place.slice(rows, found)? };
    let ascending = SortKey { column: &place, order: Order::Ascending, nulls: NullOrder::Last };
    let among = inverse(&column_of(&argsort(&[ascending], exec)?, exec)?, exec)?;
    let before = compute(&[("place", &place), ("among", &among)], col("place") - col("among"), exec)?;
    Ok(before.without_mask())
}

/// Where each row is among the ordered rows.
fn inverse(order: &Column, exec: &Exec) -> Result<Column> {
    let positions = numbers(order.size(), exec)?;
    let map = row_map(order, exec)?;
    let data = permute(&positions.view()?, &map, exec)?;
    Column::from_data(DType::Int64, data)
}
