//! Arrow's C interfaces.

use std::num::NonZero;

use columnade::arrow::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowSchema, ExportOptions,
    ImportOptions, OwnedArray, OwnedDeviceArray, OwnedDeviceStream, OwnedSchema, OwnedStream,
};
use columnade::{DataFrame, Series};

use crate::entry::entry;
use crate::error::{Failure, Result};
use crate::place::Place;

entry! {
    fn columnade_table_export_schema(table: &DataFrame, options: ExportOptions, schema: Place<ArrowSchema>) {
        schema.put_struct(table.frame().accessor().to_arrow_c_schema(&options)?);
    }

    fn columnade_table_export(
        table: &DataFrame,
        options: ExportOptions,
        schema: Place<ArrowSchema>,
        array: Place<ArrowArray>,
    ) {
        let exported = table.to_arrow_c::<ArrowArray>(&options)?;
        schema.put_struct(exported.0);
        array.put_struct(exported.1);
    }

    fn columnade_column_export(
        column: &Series,
        options: ExportOptions,
        schema: Place<ArrowSchema>,
        array: Place<ArrowArray>,
    ) {
        let exported = column.to_arrow_c::<ArrowArray>(&options)?;
        schema.put_struct(exported.0);
        array.put_struct(exported.1);
    }

    fn columnade_table_export_device(
        table: &DataFrame,
        options: ExportOptions,
        schema: Place<ArrowSchema>,
        array: Place<ArrowDeviceArray>,
    ) {
        let exported = table.to_arrow_c::<ArrowDeviceArray>(&options)?;
        schema.put_struct(exported.0);
        array.put_struct(exported.1);
    }

    fn columnade_column_export_device(
        column: &Series,
        options: ExportOptions,
        schema: Place<ArrowSchema>,
        array: Place<ArrowDeviceArray>,
    ) {
        let exported = column.to_arrow_c::<ArrowDeviceArray>(&options)?;
        schema.put_struct(exported.0);
        array.put_struct(exported.1);
    }

    fn columnade_table_export_stream(
        table: &DataFrame,
        rows: usize,
        options: ExportOptions,
        stream: Place<ArrowArrayStream>,
    ) {
        stream.put_struct(table.to_arrow_c_stream::<ArrowArrayStream>(some_rows(rows)?, &options)?);
    }

    fn columnade_table_export_device_stream(
        table: &DataFrame,
        rows: usize,
        options: ExportOptions,
        stream: Place<ArrowDeviceArrayStream>,
    ) {
        stream.put_struct(table.to_arrow_c_stream::<ArrowDeviceArrayStream>(some_rows(rows)?, &options)?);
    }

    fn columnade_column_export_stream(
        column: &Series,
        rows: usize,
        options: ExportOptions,
        stream: Place<ArrowArrayStream>,
    ) {
        stream.put_struct(column.to_arrow_c_stream::<ArrowArrayStream>(some_rows(rows)?, &options)?);
    }

    fn columnade_column_export_device_stream(
        column: &Series,
        rows: usize,
        options: ExportOptions,
        stream: Place<ArrowDeviceArrayStream>,
    ) {
        stream.put_struct(column.to_arrow_c_stream::<ArrowDeviceArrayStream>(some_rows(rows)?, &options)?);
    }

    fn columnade_table_import(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: ImportOptions,
        table: Place<*mut DataFrame>,
    ) {
        table.put_handle(DataFrame::from_arrow_c(schema, array, &options)?);
    }

    fn columnade_column_import(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: ImportOptions,
        column: Place<*mut Series>,
    ) {
        column.put_handle(Series::from_arrow_c(schema, array, &options)?);
    }

    fn columnade_table_import_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: ImportOptions,
        table: Place<*mut DataFrame>,
    ) {
        table.put_handle(DataFrame::from_arrow_c(schema, array, &options)?);
    }

    fn columnade_column_import_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: ImportOptions,
        column: Place<*mut Series>,
    ) {
        column.put_handle(Series::from_arrow_c(schema, array, &options)?);
    }

    fn columnade_table_import_stream(
        stream: &mut OwnedStream,
        options: ImportOptions,
        table: Place<*mut DataFrame>,
    ) {
        table.put_handle(DataFrame::from_arrow_c_stream(stream, &options)?);
    }

    fn columnade_table_import_device_stream(
        stream: &mut OwnedDeviceStream,
        options: ImportOptions,
        table: Place<*mut DataFrame>,
    ) {
        table.put_handle(DataFrame::from_arrow_c_stream(stream, &options)?);
    }

    fn columnade_column_import_stream(
        stream: &mut OwnedStream,
        options: ImportOptions,
        column: Place<*mut Series>,
    ) {
        column.put_handle(Series::from_arrow_c_stream(stream, &options)?);
    }

    fn columnade_column_import_device_stream(
        stream: &mut OwnedDeviceStream,
        options: ImportOptions,
        column: Place<*mut Series>,
    ) {
        column.put_handle(Series::from_arrow_c_stream(stream, &options)?);
    }
}

fn some_rows(rows: usize) -> Result<NonZero<usize>> {
    NonZero::new(rows).ok_or_else(|| Failure::argument("rows", "is 0, and no array would ever be the last"))
}
