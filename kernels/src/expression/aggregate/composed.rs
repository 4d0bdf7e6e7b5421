//! Expressions, filter, grouping and aggregation one after another: on a device, and for many groups.

use super::{Aggregated, Request};
use crate::aggregation::Aggregation;
use crate::copying::filter::filter;
use crate::copying::gather::{MapNulls, gather};
use crate::expression::evaluate::evaluate_where;
use crate::filling::fill::fill;
use crate::grouping::aggregate::aggregate as aggregate_groups;
use crate::grouping::group_ids::{Groups, group_ids};
use crate::{Bits, ColumnData, Result, RowMap, RowWidth, Value, View};
use columnade_buffers::{Buffer, Exec};

pub(super) fn aggregate(request: &Request<'_>, exec: &Exec) -> Result<Aggregated> {
    let mut registers: Vec<_> = request.filter.into_iter().collect();
    for &(aggregation, register) in request.aggregations {
        if aggregation != Aggregation::Size
            && !registers[usize::from(request.filter.is_some())..].contains(&register)
        {
            registers.push(register);
        }
    }
    let mut columns =
        evaluate_where(request.program, request.inputs, request.rows, &registers, request.filter, exec)?;
    let mask = if request.filter.is_some() { Some(columns.remove(0)) } else { None };
    let registers = &registers[usize::from(mask.is_some())..];

    let mut views: Vec<View<'_>> = request.keys.to_vec();
    views.extend(columns.iter().map(|column| View::Fixed(column.view())));
    let mut rows = request.rows;
    let kept: Vec<ColumnData>;
    if let Some(mask) = &mask {
        let keep = Bits { buffer: &mask.data, offset: 0, len: mask.len };
        let valid = mask.validity.as_ref().map(|buffer| Bits { buffer, offset: 0, len: mask.len });
        if views.is_empty() {
            rows = crate::copying::filter::row_map(keep, valid, exec)?.len;
        }
        kept = filter(&views, keep, valid, exec)?;
        views = kept.iter().map(ColumnData::view).collect();
        rows = views.first().map_or(rows, View::len);
    }
    let (keys, values) = views.split_at(request.keys.len());

    let groups =
        if keys.is_empty() { one_group(rows, exec)? } else { group_ids(keys, request.null_keys, exec)? };
    let count = groups.len();
    // Counting rows reads no values: the ids stand in for a column.
    let ids = View::Fixed(crate::Fixed {
        storage: crate::Storage::U32,
        data: &groups.ids.rows,
        validity: None,
        offset: 0,
        len: rows,
    });
    let requests: Vec<_> = request
        .aggregations
        .iter()
        .map(|(aggregation, register)| {
            let position = registers.iter().position(|other| other == register);
            (
                *aggregation,
                position
                    .filter(|_| *aggregation != Aggregation::Size)
                    .map_or(ids, |position| values[position]),
            )
        })
        .collect();
    let mut values = aggregate_groups(&groups, &requests, exec)?;
    if keys.is_empty() && rows == 0 {
        mark_missing(&requests, &mut values, exec)?;
    }
    let keys = keys
        .iter()
        .map(|key| gather(key, &groups.first_rows, MapNulls::Never, exec))
        .collect::<Result<_>>()?;
    Ok(Aggregated { groups: count, keys, values })
}

/// The one group that has no row: its extremes and means are null, whether their inputs may have nulls or not.
fn mark_missing(requests: &[(Aggregation, View<'_>)], values: &mut [ColumnData], exec: &Exec) -> Result<()> {
    for ((aggregation, _), data) in requests.iter().zip(values) {
        if aggregation.is_null_without_values()
            && let ColumnData::Fixed(data) = data
        {
            data.validity = Some(Buffer::zeroed(1, exec)?);
        }
    }
    Ok(())
}

/// All rows in one group, which is there even when they are not.
fn one_group(rows: usize, exec: &Exec) -> Result<Groups> {
    let ids = RowMap { rows: fill(Value::U32(0), rows, exec)?.data, width: RowWidth::U32, len: rows };
    Ok(Groups { ids, first_rows: RowMap::from_u32(&[0], exec)? })
}
