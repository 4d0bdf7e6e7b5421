//! Files.

mod options;
mod scan;
mod writer;

use std::ffi::c_char;
use std::path::Path;

use columnade::csv::{CsvReader, CsvWriteOptions, CsvWriter, TextProgress, TextStatistics};
use columnade::ipc::{IpcProgress, IpcReader, IpcWriteOptions, IpcWriter};
use columnade::json::{JsonReader, JsonWriteOptions, JsonWriter};
use columnade::parquet::{ParquetReader, ParquetWriteOptions, ParquetWriter, ReadProgress};
use columnade::{DataFrame, default_exec};

use crate::argument::Pointers;
use crate::entry::{destroy, entry};
use crate::error::{Failure, Result};
use crate::place::Place;
use options::{CsvRead, IpcRead, JsonRead, ParquetRead};
pub(crate) use scan::Scan;
use writer::Format;
pub(crate) use writer::Writer;

/// Sets what the caller chose.
macro_rules! set {
    ($reader:ident, $($method:ident: $value:expr),* $(,)?) => {
        $(if let Some(value) = $value {
            $reader = $reader.$method(value);
        })*
    };
}

fn parquet(path: &Path, options: ParquetRead) -> Result<ParquetReader<'static>> {
    let mut reader = columnade::read_parquet(options.source.paths(path))
        .exec(&default_exec()?)
        .hive_partitions(options.has_partitions)
        .dictionaries(options.dictionaries_of_files)
        .int96_unit(options.int96_unit);
    set!(
        reader,
        columns: options.source.columns,
        dictionary: options.dictionary,
        filter: options.filter,
        rows: options.rows,
        progress: options.progress.map(|it| move |now: ReadProgress| it.at(now.bytes_done, now.bytes)),
    );
    Ok(reader)
}

fn csv(path: &Path, options: CsvRead) -> Result<CsvReader<'static>> {
    let mut reader = columnade::read_csv(options.source.paths(path))
        .exec(&default_exec()?)
        .has_header(options.has_header)
        .delimiter(options.delimiter)
        .quote(options.quote)
        .empty_is_null(options.empty_is_null)
        .skip_rows(options.skip_rows)
        .bad_rows(options.bad_rows)
        .encoding_errors(options.encoding_errors)
        .pad_short_rows(options.pads_short_rows)
        .duplicate_names(options.duplicate_names)
        .hive_partitions(options.has_partitions);
    set!(
        reader,
        columns: options.source.columns,
        names: options.names,
        null_values: options.null_values,
        limit: options.limit,
        infer_rows: options.infer_rows,
        escape: options.escape,
        compression: options.compression,
        encoding: options.encoding,
        progress: options.progress.map(|it| move |now: TextProgress| it.at(now.bytes_done, now.bytes)),
    );
    for (column, dtype) in options.dtypes {
        reader = reader.dtype(column, dtype);
    }
    Ok(reader)
}

fn json(path: &Path, options: JsonRead) -> Result<JsonReader<'static>> {
    let mut reader = columnade::read_json(options.source.paths(path))
        .exec(&default_exec()?)
        .bad_rows(options.bad_rows)
        .hive_partitions(options.has_partitions);
    set!(
        reader,
        columns: options.source.columns,
        limit: options.limit,
        infer_rows: options.infer_rows,
        layout: options.layout,
        compression: options.compression,
        progress: options.progress.map(|it| move |now: TextProgress| it.at(now.bytes_done, now.bytes)),
    );
    for (column, dtype) in options.dtypes {
        reader = reader.dtype(column, dtype);
    }
    Ok(reader)
}

fn ipc(path: &Path, options: IpcRead) -> Result<IpcReader<'static>> {
    let mut reader = columnade::read_ipc(options.source.paths(path))
        .exec(&default_exec()?)
        .hive_partitions(options.has_partitions)
        .memory_map(options.memory_map);
    set!(
        reader,
        columns: options.source.columns,
        progress: options.progress.map(|it| move |now: IpcProgress| it.at(now.bytes_done, now.bytes)),
    );
    Ok(reader)
}

fn put_skipped(place: Option<Place<i64>>, statistics: &TextStatistics) {
    if let Some(place) = place {
        place.put(statistics.rows_skipped.try_into().unwrap_or(i64::MAX));
    }
}

/// Refuses a place that a scan, which goes on after the call, would write to.
fn no_place(place: Option<&Place<i64>>) -> Result<()> {
    if place.is_none() {
        return Ok(());
    }
    let reason = "is of reads only: columnade_scan_skipped_rows says it of a scan";
    Err(Failure::argument("options.skipped_rows", reason))
}

entry! {
    fn columnade_read_parquet(path: &Path, options: ParquetRead, table: Place<*mut DataFrame>) {
        table.put_handle(parquet(path, options)?.read()?);
    }

    fn columnade_read_csv(path: &Path, options: CsvRead, table: Place<*mut DataFrame>) {
        let mut options = options;
        let skipped_rows = options.skipped_rows.take();
        let (frame, statistics) = csv(path, options)?.read_with_statistics()?;
        put_skipped(skipped_rows, &statistics);
        table.put_handle(frame);
    }

    fn columnade_read_json(path: &Path, options: JsonRead, table: Place<*mut DataFrame>) {
        let mut options = options;
        let skipped_rows = options.skipped_rows.take();
        let (frame, statistics) = json(path, options)?.read_with_statistics()?;
        put_skipped(skipped_rows, &statistics);
        table.put_handle(frame);
    }

    fn columnade_read_ipc(path: &Path, options: IpcRead, table: Place<*mut DataFrame>) {
        table.put_handle(ipc(path, options)?.read()?);
    }

    fn columnade_scan_parquet(path: &Path, options: ParquetRead, batch_rows: usize, scan: Place<*mut Scan>) {
        let frames = parquet(path, options)?.scan()?;
        scan.put_handle(Scan::of_parquet(frames, batch_rows));
    }

    fn columnade_scan_csv(path: &Path, options: CsvRead, batch_rows: usize, scan: Place<*mut Scan>) {
        no_place(options.skipped_rows.as_ref())?;
        scan.put_handle(Scan::new(csv(path, options)?.scan()?, batch_rows));
    }

    fn columnade_scan_json(path: &Path, options: JsonRead, batch_rows: usize, scan: Place<*mut Scan>) {
        no_place(options.skipped_rows.as_ref())?;
        scan.put_handle(Scan::new(json(path, options)?.scan()?, batch_rows));
    }

    fn columnade_scan_ipc(path: &Path, options: IpcRead, batch_rows: usize, scan: Place<*mut Scan>) {
        scan.put_handle(Scan::new(ipc(path, options)?.scan()?, batch_rows));
    }

    fn columnade_scan_next(scan: &Scan, table: Place<*mut DataFrame>) {
        match scan.next()? {
            Some(frame) => table.put_handle(frame),
            None => table.put(std::ptr::null_mut()),
        }
    }

    fn columnade_scan_skipped_rows(scan: &Scan, rows: Place<i64>) {
        rows.put(scan.rows_skipped().try_into().unwrap_or(i64::MAX));
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

    fn columnade_writer_open_parquet(path: &Path, options: ParquetWriteOptions, writer: Place<*mut Writer>) {
        let open = ParquetWriter::create_for_frames(path, &options)?;
        writer.put_handle(Writer::new(Format::Parquet(Box::new(open))));
    }

    fn columnade_writer_open_csv(path: &Path, options: CsvWriteOptions, writer: Place<*mut Writer>) {
        let open = CsvWriter::create(path, &options)?;
        writer.put_handle(Writer::new(Format::Csv(Box::new(open))));
    }

    fn columnade_writer_open_json(path: &Path, options: JsonWriteOptions, writer: Place<*mut Writer>) {
        let open = JsonWriter::create(path, options)?;
        writer.put_handle(Writer::new(Format::Json(Box::new(open))));
    }

    fn columnade_writer_open_ipc(path: &Path, options: IpcWriteOptions, writer: Place<*mut Writer>) {
        let open = IpcWriter::create(path, options)?;
        writer.put_handle(Writer::new(Format::Ipc(Box::new(open))));
    }

    fn columnade_writer_append(writer: &Writer, table: &DataFrame) {
        writer.append(table)?;
    }

    fn columnade_writer_finish(writer: &Writer) {
        writer.finish()?;
    }
}

destroy! {
    columnade_scan_destroy(scan: Scan);
    columnade_writer_destroy(writer: Writer);
}
