//! Columns.

use std::ffi::{c_char, c_int};

use columnade::column::ColumnAccessor;
use columnade::{DataFrame, Device, Series};

use crate::entry::{destroy, entry};
use crate::error::Result;
use crate::place::Place;
use crate::table::equal_unless;

entry! {
    fn columnade_column_clone(column: &Series, clone: Place<*mut Series>) {
        clone.put_handle(column.clone());
    }

    fn columnade_column_name(column: &Series, name: Place<*mut c_char>) {
        name.put_name(column.name())?;
    }

    fn columnade_column_row_count(column: &Series, rows: Place<i64>) {
        rows.put_count(column.len());
    }

    fn columnade_column_null_count(column: &Series, nulls: Place<i64>) {
        nulls.put_count(column.null_count()?);
    }

    fn columnade_column_dtype(column: &Series, dtype: Place<*mut c_char>) {
        dtype.put_text(&column.dtype());
    }

    fn columnade_column_device(column: &Series, name: Place<*mut c_char>) {
        name.put_name(&column.device())?;
    }

    fn columnade_column_to_text(column: &Series, text: Place<*mut c_char>) {
        text.put_text(column);
    }

    fn columnade_column_rename(column: &Series, name: &str, renamed: Place<*mut Series>) {
        renamed.put_handle(column.rename(name));
    }

    fn columnade_column_slice(column: &Series, offset: usize, rows: usize, slice: Place<*mut Series>) {
        slice.put_handle(numbered_anew(&column.slice(offset, rows)?)?);
    }

    fn columnade_column_to_device(column: &Series, device: Device, moved: Place<*mut Series>) {
        moved.put_handle(column.to_device(device)?);
    }

    fn columnade_column_equals(
        left: &Series,
        right: &Series,
        equal: Place<c_int>,
        difference: Option<Place<*mut c_char>>,
    ) {
        equal_unless(left.difference(right)?, equal, difference);
    }
}

destroy! {
    columnade_column_destroy(column: Series);
}

/// The column with rows that are labelled from 0 on, as all are in C.
fn numbered_anew(column: &Series) -> Result<Series> {
    let columns = ColumnAccessor::from_columns([(column.name().clone(), column.values().clone())])?;
    Ok(DataFrame::from_accessor(columns, column.exec()).column(column.name())?)
}
