//! Tables.

use std::ffi::{c_char, c_int};

use columnade::column::ColumnAccessor;
use columnade::{DataFrame, Device, Label, Series, concat};

use crate::argument::Pointers;
use crate::entry::{destroy, entry};
use crate::error::{Failure, Result};
use crate::place::Place;

entry! {
    fn columnade_table_from_columns(columns: Pointers<Series>, count: usize, table: Place<*mut DataFrame>) {
        // SAFETY: the caller's promise.
        let columns: Vec<&Series> = unsafe { columns.read(count) }?;
        table.put_handle(of_columns(&columns)?);
    }

    fn columnade_table_clone(table: &DataFrame, clone: Place<*mut DataFrame>) {
        clone.put_handle(table.clone());
    }

    fn columnade_table_row_count(table: &DataFrame, rows: Place<i64>) {
        rows.put_count(table.len());
    }

    fn columnade_table_column_count(table: &DataFrame, columns: Place<i64>) {
        columns.put_count(table.columns().len());
    }

    fn columnade_table_column_name(table: &DataFrame, position: usize, name: Place<*mut c_char>) {
        name.put_name(label_at(table, position)?)?;
    }

    fn columnade_table_schema(table: &DataFrame, text: Place<*mut c_char>) {
        let fields = table.columns().iter().zip(table.dtypes());
        let lines: Vec<String> = fields.map(|(label, dtype)| format!("{label}: {dtype}")).collect();
        text.put_text(&lines.join("\n"));
    }

    fn columnade_table_device(table: &DataFrame, name: Place<*mut c_char>) {
        name.put_name(&table.device())?;
    }

    fn columnade_table_to_text(table: &DataFrame, text: Place<*mut c_char>) {
        text.put_text(table);
    }

    fn columnade_table_column_at(table: &DataFrame, position: usize, column: Place<*mut Series>) {
        column.put_handle(table.column(label_at(table, position)?)?);
    }

    fn columnade_table_column(table: &DataFrame, name: &str, column: Place<*mut Series>) {
        column.put_handle(table.column(name)?);
    }

    fn columnade_table_select(
        table: &DataFrame,
        names: Pointers<c_char>,
        count: usize,
        selected: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let names: Vec<&str> = unsafe { names.read(count) }?;
        selected.put_handle(table.select(names)?);
    }

    fn columnade_table_rename(
        table: &DataFrame,
        names: Pointers<c_char>,
        count: usize,
        renamed: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let names: Vec<&str> = unsafe { names.read(count) }?;
        let labels = names.into_iter().map(Label::from).collect();
        let columns = table.frame().accessor().with_labels(labels)?;
        renamed.put_handle(DataFrame::from_accessor(columns, table.exec()));
    }

    fn columnade_table_slice(table: &DataFrame, offset: usize, rows: usize, slice: Place<*mut DataFrame>) {
        slice.put_handle(numbered_anew(&table.slice(offset, rows)?));
    }

    fn columnade_table_head(table: &DataFrame, rows: usize, head: Place<*mut DataFrame>) {
        head.put_handle(table.head(rows)?);
    }

    fn columnade_table_tail(table: &DataFrame, rows: usize, tail: Place<*mut DataFrame>) {
        tail.put_handle(numbered_anew(&table.tail(rows)?));
    }

    fn columnade_table_concat(tables: Pointers<DataFrame>, count: usize, all: Place<*mut DataFrame>) {
        // SAFETY: the caller's promise.
        let tables: Vec<&DataFrame> = unsafe { tables.read(count) }?;
        all.put_handle(numbered_anew(&concat(tables)?));
    }

    fn columnade_table_to_device(table: &DataFrame, device: Device, moved: Place<*mut DataFrame>) {
        moved.put_handle(table.to_device(device)?);
    }

    fn columnade_table_equals(
        left: &DataFrame,
        right: &DataFrame,
        equal: Place<c_int>,
        difference: Option<Place<*mut c_char>>,
    ) {
        equal_unless(left.difference(right)?, equal, difference);
    }
}

/// The two results of a comparison.
pub(crate) fn equal_unless(
    found: Option<columnade::Difference>,
    equal: Place<c_int>,
    difference: Option<Place<*mut c_char>>,
) {
    equal.put(c_int::from(found.is_none()));
    match (difference, found) {
        (Some(place), Some(found)) => place.put_text(&found),
        (Some(place), None) => place.put(std::ptr::null_mut()),
        (None, _) => {}
    }
}

destroy! {
    columnade_table_destroy(table: DataFrame);
}

/// The table with rows that are labelled from 0 on, as all are in C.
pub(crate) fn numbered_anew(table: &DataFrame) -> DataFrame {
    DataFrame::from_accessor(table.frame().accessor().clone(), table.exec())
}

fn label_at(table: &DataFrame, position: usize) -> Result<&Label> {
    let len = table.columns().len();
    table.columns().get(position).ok_or(Failure::Position { name: "position", found: position, len })
}

fn of_columns(columns: &[&Series]) -> Result<DataFrame> {
    let Some(first) = columns.first() else { return Ok(DataFrame::empty()?) };
    if let Some(other) = columns.iter().find(|column| column.device() != first.device()) {
        let reason = format!("are on {} and on {}; copy them to one device", first.device(), other.device());
        return Err(Failure::argument("columns", reason));
    }
    let accessor = ColumnAccessor::from_columns(
        columns.iter().map(|column| (column.name().clone(), column.values().clone())),
    )?;
    Ok(DataFrame::from_accessor(accessor, first.exec()))
}
