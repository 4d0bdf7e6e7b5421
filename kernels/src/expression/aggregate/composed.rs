//! Expressions, filter, grouping and aggregation one after another: on a device, and for many groups.

use super::{Aggregated, Request};
use crate::aggregation::Aggregation;
use crate::copying::filter::filter;
use crate::copying::gather::{MapNulls, gather};
use crate::expression::Register;
use crate::expression::evaluate::evaluate_where;
use crate::filling::fill::fill;
use crate::grouping::group_aggregate::group_aggregate;
use crate::reduction::reduce::reduce_each;
use crate::{Bits, ColumnData, Error, Result, Value, View};
use columnade_buffers::Exec;

pub(super) fn aggregate(request: &Request<'_>, exec: &Exec) -> Result<Aggregated> {
    let mut registers: Vec<Register> = Vec::new();
    for &(aggregation, register) in request.aggregations {
        if aggregation != Aggregation::Size && !registers.contains(&register) {
            registers.push(register);
        }
    }
    // Inputs are aggregated where they are.
    let is_input = |register: Register| matches!(request.inputs.get(register), Some(View::Fixed(_)));
    let computed = registers.iter().copied().filter(|register| !is_input(*register));
    let outputs: Vec<_> = request.filter.into_iter().chain(computed).collect();
    let mut columns =
        evaluate_where(request.program, request.inputs, request.rows, &outputs, request.filter, exec)?;
    let mask = if request.filter.is_some() { Some(columns.remove(0)) } else { None };

    let mut views: Vec<View<'_>> = request.keys.to_vec();
    let mut computed = columns.iter();
    for &register in &registers {
        views.push(if let Some(input @ View::Fixed(_)) = request.inputs.get(register) {
            *input
        } else {
            let column = computed.next().ok_or(Error::Internal { invariant: "each output has a column" })?;
            View::Fixed(column.view())
        });
    }
    let mut rows = request.rows;
    let mut kept: Vec<ColumnData> = Vec::new();
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

    if keys.is_empty() {
        let values = reduce_columns(request, &registers, values, rows, exec)?;
        return Ok(Aggregated { groups: 1, keys: None, values });
    }
    // The first key stands in for the column of a request that reads none.
    let requests: Vec<_> = request
        .aggregations
        .iter()
        .map(|(aggregation, register)| {
            let position = registers.iter().position(|other| other == register);
            let read = position.filter(|_| *aggregation != Aggregation::Size);
            (*aggregation, read.map_or(keys[0], |position| values[position]))
        })
        .collect();
    let groups = group_aggregate(keys, request.null_keys, &requests, exec)?;
    let len = groups.first_rows.len;
    // First rows ascend, so as many as there are rows are all of them.
    let keys = if len < rows {
        let gathered = keys.iter().map(|key| gather(key, &groups.first_rows, MapNulls::Never, exec));
        Some(gathered.collect::<Result<_>>()?)
    } else if mask.is_some() {
        kept.truncate(request.keys.len());
        Some(kept)
    } else {
        None
    };
    Ok(Aggregated { groups: len, keys, values: groups.values })
}

/// All rows as one group, which is there even when they are not.
fn reduce_columns(
    request: &Request<'_>,
    registers: &[Register],
    values: &[View<'_>],
    rows: usize,
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    let of_rows = |aggregation: Aggregation| aggregation == Aggregation::Size;
    let mut found: Vec<(usize, ColumnData)> = Vec::new();
    let mut failed = Vec::new();
    for (at, &(aggregation, _)) in request.aggregations.iter().enumerate() {
        // Counting rows reads no values.
        if of_rows(aggregation) {
            found.push((at, ColumnData::Fixed(fill(Value::I64(rows as i64), 1, exec)?)));
        }
    }
    // The aggregations of a column read it together.
    for (register, value) in registers.iter().zip(values) {
        let View::Fixed(input) = value else { continue };
        let each = request.aggregations.iter().enumerate();
        let of_column: Vec<(usize, Aggregation)> = each
            .filter(|(_, (aggregation, read))| !of_rows(*aggregation) && read == register)
            .map(|(at, (aggregation, _))| (at, *aggregation))
            .collect();
        match reduce_each(&of_column, input, exec) {
            Ok(columns) => found.extend(columns.into_iter().map(|(at, one)| (at, ColumnData::Fixed(one)))),
            Err(error) => failed.push(error),
        }
    }
    // The error of the first one, in whatever order columns are read.
    if let Some((at, error)) = failed.into_iter().min_by_key(|(at, _)| *at) {
        return Err(error.of_request(at));
    }
    found.sort_unstable_by_key(|(at, _)| *at);
    if found.len() != request.aggregations.len() {
        return Err(Error::Internal { invariant: "a register that is aggregated has a column" });
    }
    Ok(found.into_iter().map(|(_, column)| column).collect())
}
