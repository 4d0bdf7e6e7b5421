//! Files.

mod options;

use std::ffi::c_char;
use std::path::Path;

use columnade::csv::CsvWriteOptions;
use columnade::ipc::IpcWriteOptions;
use columnade::json::JsonWriteOptions;
use columnade::parquet::ParquetWriteOptions;
use columnade::{DataFrame, default_exec};

use crate::argument::Pointers;
use crate::entry::entry;
use crate::place::Place;
use options::{CsvRead, JsonRead, ParquetRead, Source};

/// Sets what the caller chose.
macro_rules! set {
    ($reader:ident, $($method:ident: $value:expr),* $(,)?) => {
        $(if let Some(value) = $value {
            $reader = $reader.$method(value);
        })*
    };
}

entry! {
    fn columnade_read_parquet(path: &Path, options: ParquetRead, table: Place<*mut DataFrame>) {
        let mut reader = columnade::read_parquet(options.source.paths(path))
            .exec(&default_exec()?)
            .hive_partitions(options.has_partitions)
            .dictionaries(options.dictionaries_of_files);
        set!(
            reader,
            columns: options.source.columns,
            dictionary: options.dictionary,
            filter: options.filter,
            rows: options.rows,
        );
        table.put_handle(reader.read()?);
    }

    fn columnade_read_csv(path: &Path, options: CsvRead, table: Place<*mut DataFrame>) {
        let mut reader = columnade::read_csv(options.source.paths(path))
            .exec(&default_exec()?)
            .has_header(options.has_header)
            .delimiter(options.delimiter)
            .quote(options.quote)
            .skip_rows(options.skip_rows)
            .bad_rows(options.bad_rows);
        set!(
            reader,
            columns: options.source.columns,
            names: options.names,
            null_values: options.null_values,
            limit: options.limit,
            infer_rows: options.infer_rows,
            escape: options.escape,
        );
        for (column, dtype) in options.dtypes {
            reader = reader.dtype(column, dtype);
        }
        let (frame, statistics) = reader.read_with_statistics()?;
        if let Some(place) = options.skipped_rows {
            place.put(statistics.rows_skipped.try_into().unwrap_or(i64::MAX));
        }
        table.put_handle(frame);
    }

    fn columnade_read_json(path: &Path, options: JsonRead, table: Place<*mut DataFrame>) {
        let mut reader = columnade::read_json(options.source.paths(path))
            .exec(&default_exec()?)
            .bad_rows(options.bad_rows);
        set!(
            reader,
            columns: options.source.columns,
            limit: options.limit,
            infer_rows: options.infer_rows,
            layout: options.layout,
        );
        for (column, dtype) in options.dtypes {
            reader = reader.dtype(column, dtype);
        }
        let (frame, statistics) = reader.read_with_statistics()?;
        if let Some(place) = options.skipped_rows {
            place.put(statistics.rows_skipped.try_into().unwrap_or(i64::MAX));
        }
        table.put_handle(frame);
    }

    fn columnade_read_ipc(path: &Path, options: Source, table: Place<*mut DataFrame>) {
        let mut reader = columnade::read_ipc(options.paths(path)).exec(&default_exec()?);
        set!(reader, columns: options.columns);
        table.put_handle(reader.read()?);
    }

    fn columnade_table_write_parquet(table: &DataFrame, path: &Path, options: ParquetWriteOptions) {
        table.write_parquet_with(path, &options)?;
    }

    fn columnade_table_write_dataset(
        table: &DataFrame,
        folder: &Path,
        names: Pointers<c_char>,
        count: usize,
        options: ParquetWriteOptions,
    ) {
        // SAFETY: the caller's promise.
        let names: Vec<&str> = unsafe { names.read(count) }?;
        table.write_dataset_with(folder, names, &options)?;
    }

    fn columnade_table_write_csv(table: &DataFrame, path: &Path, options: CsvWriteOptions) {
        table.write_csv_with(path, &options)?;
    }

    fn columnade_table_write_json(table: &DataFrame, path: &Path, options: JsonWriteOptions) {
        table.write_json_with(path, options)?;
    }

    fn columnade_table_write_ipc(table: &DataFrame, path: &Path, options: IpcWriteOptions) {
        table.write_ipc_with(path, options)?;
    }
}
