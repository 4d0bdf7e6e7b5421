//! Rows of structs, intervals and lists, by what they are made of.

use super::{MapNulls, RowMap, gather_column, is_nested};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, Error, IntervalColumn, ListColumn, NullColumn, Result};
use columnade_kernels::aggregation::Aggregation;
use columnade_kernels::copying::{concat, copy_if_else, gather, gather_runs};
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::expression::evaluate::evaluate;
use columnade_kernels::expression::{Builder, Op, Register, Source};
use columnade_kernels::filling::fill;
use columnade_kernels::filling::run_rows::run_rows;
use columnade_kernels::reduction::reduce::reduce;
use columnade_kernels::scanning::scan::{ScanRange, scan};
use columnade_kernels::{ColumnData, Fixed, FixedData, OffsetWidth, RowWidth, Storage, Value, View};
use std::sync::Arc;

/// Row `i` of the result is row `map[i]` of `column`, which is nested or null.
pub(super) fn gather_nested(column: &Column, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<Column> {
    let gathered = |child: &Column| gather_column(child, map, nulls, exec);
    match column {
        Column::Struct(structs) => {
            let fields = structs.fields()?.iter().map(gathered).collect::<Result<Vec<_>>>()?;
            let mask = gather_mask(column, map, nulls, exec)?;
            structs.with_fields(fields, mask, map.len).map(Column::Struct)
        }
        Column::Interval(interval) => {
            let (left, right) = (gathered(&interval.left()?)?, gathered(&interval.right()?)?);
            let mask = gather_mask(column, map, nulls, exec)?;
            IntervalColumn::new(left, right, interval.closed(), mask, 0, map.len).map(Column::Interval)
        }
        Column::List(list) => gather_lists(column, list, map, nulls, exec),
        Column::Null(_) => Ok(Column::Null(NullColumn::new(map.len, exec.device()))),
        flat @ (Column::Numeric(_)
        | Column::Boolean(_)
        | Column::String(_)
        | Column::Binary(_)
        | Column::Datetime(_)
        | Column::Timedelta(_)
        | Column::Decimal(_)
        | Column::Categorical(_)) => Err(Error::UnsupportedDType { dtype: flat.dtype() }),
    }
}

/// The mask of the rows that `map` names.
fn gather_mask(column: &Column, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<Option<Buffer>> {
    if column.mask().is_none() && nulls == MapNulls::Never {
        return Ok(None);
    }
    // As the mask of a column of bits, whose values do not matter.
    let blank = Buffer::zeroed(column.size().div_ceil(8), exec)?;
    let (data, offset) = column.mask().map_or((&blank, 0), |mask| (mask, column.offset()));
    let bits = Fixed { storage: Storage::Bit, data, validity: column.mask(), offset, len: column.size() };
    Ok(match gather::gather(&View::Fixed(bits), map, nulls, exec)? {
        ColumnData::Fixed(data) => data.validity,
        ColumnData::String(data) => data.validity,
    })
}

fn gather_lists(
    column: &Column,
    list: &ListColumn,
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<Column> {
    let Runs { starts, lengths } = Runs::of(list, column.offset(), column.size(), exec)?;
    let gathered = |data: &FixedData| -> Result<FixedData> {
        fixed(gather::gather(&View::Fixed(data.view()), map, nulls, exec)?)
    };
    let mask = gather_mask(column, map, nulls, exec)?;
    let runs = Runs { starts: gathered(&starts)?, lengths: gathered(&lengths)? };
    let runs = runs.where_valid(mask.as_ref(), exec)?;
    let (offsets, width, items) = runs.compact(list.items(), list.offset_width(), exec)?;
    ListColumn::new(offsets, width, Arc::new(items), mask, 0, map.len).map(Column::List)
}

/// Lists as runs of items: where each starts and how many items it has, in 64 bits.
pub(crate) struct Runs {
    pub(crate) starts: FixedData,
    pub(crate) lengths: FixedData,
}

impl Runs {
    /// The runs of rows `offset .. offset + size`, those of null rows as they come.
    pub(crate) fn of(list: &ListColumn, offset: usize, size: usize, exec: &Exec) -> Result<Self> {
        let [starts, lengths] =
            numbers_of(list, offset, size, None, exec, |_, start, length, _| [start, length])?;
        Ok(Self { starts, lengths })
    }

    /// The numbers of items of these rows, as [`of`](Self::of).
    pub(crate) fn lengths(list: &ListColumn, offset: usize, size: usize, exec: &Exec) -> Result<FixedData> {
        let [lengths] = numbers_of(list, offset, size, None, exec, |_, _, length, _| [length])?;
        Ok(lengths)
    }

    /// The same with no items where `valid`, bits from 0 on, is not set.
    pub(crate) fn where_valid(self, valid: Option<&Buffer>, exec: &Exec) -> Result<Self> {
        let starts = FixedData { validity: None, ..self.starts };
        let lengths = FixedData { validity: None, ..self.lengths };
        let Some(valid) = valid else { return Ok(Self { starts, lengths }) };
        let len = lengths.len;
        let condition = Fixed { storage: Storage::Bit, data: valid, validity: None, offset: 0, len };
        let none = fill::fill(Value::I64(0), len, exec)?;
        let (then, otherwise) = (View::Fixed(lengths.view()), View::Fixed(none.view()));
        let lengths = fixed(copy_if_else::copy_if_else(&condition, &then, &otherwise, exec)?)?;
        Ok(Self { starts, lengths })
    }

    /// The items of the runs one after the other, and the offsets of the runs in them, of the width `least` if that
    /// suffices.
    pub(crate) fn compact(
        &self,
        items: &Column,
        least: OffsetWidth,
        exec: &Exec,
    ) -> Result<(Buffer, OffsetWidth, Column)> {
        let offsets = scan(Aggregation::Sum, ScanRange::Exclusive, &self.lengths.view(), exec)?;
        let total = FixedData { validity: None, ..reduce(Aggregation::Sum, &self.lengths.view(), exec)? };
        let ends = concat::concat(&[View::Fixed(offsets.view()), View::Fixed(total.view())], exec)?;
        let count = total.data.to_vec::<i64>(exec)?.first().and_then(|&count| usize::try_from(count).ok());
        let count = count.ok_or_else(|| Error::Overflow { dtype: items.dtype() })?;
        let width = if least == OffsetWidth::I64 { least } else { OffsetWidth::for_bytes(count) };
        let ends = fixed(ends)?;
        let ends = match width {
            OffsetWidth::I64 => ends.data,
            OffsetWidth::I32 => cast(&ends.view(), Storage::I32, CastMode::Wrap, exec)?.data,
        };
        if count == 0 {
            return Ok((ends, width, items.slice(0, 0)?));
        }
        let (begins, sources) = (offsets.view(), self.starts.view());
        Ok((ends, width, gather_run_rows(items, &begins, &sources, count, MapNulls::Never, exec)?))
    }
}

/// The rows of `items` that [`run_rows`] of `begins` and `sources` names.
pub(crate) fn gather_run_rows(
    items: &Column,
    begins: &Fixed<'_>,
    sources: &Fixed<'_>,
    rows: usize,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<Column> {
    if is_nested(items) {
        let map = run_rows(begins, sources, rows, RowWidth::for_rows(items.size()), exec)?;
        return gather_column(items, &map, nulls, exec);
    }
    items.with_data(gather_runs::gather_runs(&items.view()?, begins, sources, rows, nulls, exec)?, exec)
}

/// What `chosen` makes of the start and the length of each run, and of a bit of each, in one pass over the offsets.
pub(crate) fn numbers_of<const N: usize>(
    list: &ListColumn,
    offset: usize,
    size: usize,
    bits: Option<Fixed<'_>>,
    exec: &Exec,
    chosen: impl Fn(&mut Builder, Register, Register, Option<Register>) -> [Register; N],
) -> Result<[FixedData; N]> {
    let storage = match list.offset_width() {
        OffsetWidth::I32 => Storage::I32,
        OffsetWidth::I64 => Storage::I64,
    };
    let offsets = |offset: usize| {
        View::Fixed(Fixed { storage, data: list.offsets(), validity: None, offset, len: size })
    };
    let mut inputs = vec![Source::Fixed(storage); 2];
    inputs.extend(bits.map(|bits| Source::Fixed(bits.storage)));
    let mut builder = Builder::new(inputs);
    let start = builder.step(Op::Cast { arg: 0 }, Storage::I64);
    let end = builder.step(Op::Cast { arg: 1 }, Storage::I64);
    let length = builder.step(Op::Binary { op: BinaryOp::Sub, lhs: end, rhs: start }, Storage::I64);
    let mut views = vec![offsets(offset), offsets(offset + 1)];
    views.extend(bits.map(View::Fixed));
    let chosen = chosen(&mut builder, start, length, bits.map(|_| 2));
    let numbers = evaluate(&builder.finish(), &views, size, &chosen, exec)?;
    numbers.try_into().map_err(|_| Error::Internal { invariant: "each register has a result" })
}

/// List `i` of the result is the items of `items` from row `starts[i]` on, `lengths[i]` of them. Both are `int64`
/// without nulls.
///
/// # Errors
/// [`Error::UnsupportedDType`] for starts and lengths of another dtype; [`Error::Memory`].
pub(crate) fn gather_runs(items: &Column, starts: &Column, lengths: &Column, exec: &Exec) -> Result<Column> {
    let numbers = |column: &Column| match column.view()? {
        View::Fixed(view) if view.storage == Storage::I64 => {
            Ok(cast(&view, Storage::I64, CastMode::Wrap, exec)?)
        }
        View::Fixed(_) | View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    };
    let runs = Runs { starts: numbers(starts)?, lengths: numbers(lengths)? };
    let (offsets, width, values) = runs.compact(items, OffsetWidth::I32, exec)?;
    ListColumn::new(offsets, width, Arc::new(values), None, 0, lengths.size()).map(Column::List)
}

/// Data that must have one width.
fn fixed(data: ColumnData) -> Result<FixedData> {
    match data {
        ColumnData::Fixed(fixed) => Ok(fixed),
        ColumnData::String(_) => Err(columnade_kernels::Error::TypeMismatch.into()),
    }
}
