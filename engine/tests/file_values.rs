//! Values that a file, or a dtype, does not have: the errors name column, dtype and, of what is read, row group.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Decimal256Array, RecordBatch};
use arrow_buffer::i256;
use columnade::errors::ColumnError;
use columnade::files::FileError;
use columnade::parquet::ParquetError;
use columnade::{DType, DataFrame, Error, ErrorKind, TimeUnit, builders, df, read_parquet};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

/// A second that is none of milliseconds, and that has no text with a year of four digits.
const FAR: i64 = 1 << 62;

fn far_times() -> columnade::Result<DataFrame> {
    let times = builders::timestamps([Some(1), None, Some(FAR)], TimeUnit::Second);
    df! { "id" => [1, 2, 3], "at" => times }
}

#[test]
fn time_that_milliseconds_do_not_have_is_not_written_to_parquet() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("far.parquet");
    let frame = far_times().expect("a frame");
    // The value within a list and a struct is named, too.
    let nested = frame.select(["at"]).and_then(|frame| frame.to_struct()).expect("a struct");
    let nested = df! { "row" => nested }.expect("a frame");
    for (frame, label) in [(frame, "at"), (nested, "row")] {
        let error = frame.write_parquet(&path).expect_err("no milliseconds");
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        let Error::Parquet { source, .. } = &error else { unreachable!("{error}") };
        assert_eq!((source.column(), source.dtype()), (Some(label), Some("timestamp[s]")), "{error}");
        let ParquetError::ValueDoesNotFit { value, .. } = source else { unreachable!("{error}") };
        assert!(value.starts_with('1'), "{error}");
        assert!(!path.exists());
    }
}

#[test]
fn time_without_text_is_not_written_to_csv_or_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = far_times().expect("a frame");
    let writes: [fn(&DataFrame, &Path) -> columnade::Result<()>; 2] =
        [|frame, path| frame.write_csv(path), |frame, path| frame.write_json(path)];
    for write in writes {
        let path = folder.path().join("far");
        let error = write(&frame, &path).expect_err("no text");
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        let Error::File { source, .. } = &error else { unreachable!("{error}") };
        assert_eq!((source.column(), source.dtype()), (Some("at"), Some("timestamp[s]")), "{error}");
        assert!(matches!(**source, FileError::NoText { .. }), "{error}");
        assert!(!path.exists());
    }
}

/// A file of two row groups, of which the second has a decimal of 40 digits.
#[test]
fn wide_decimal_that_does_not_fit_is_named_with_its_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.parquet");
    let wide = i256::from_string(&format!("1{}", "0".repeat(39))).expect("a number");
    let values = Decimal256Array::from_iter_values([i256::ONE, i256::ONE, wide]);
    let values: ArrayRef = Arc::new(values.with_precision_and_scale(50, 2).expect("a decimal"));
    let batch = RecordBatch::try_from_iter([("price", values)]).expect("a batch");
    let rows = WriterProperties::builder().set_max_row_group_row_count(Some(2)).build();
    let file = File::create(&path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(rows)).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("a file");

    let error = read_parquet(&path).read().expect_err("40 digits");
    assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
    let Error::Parquet { source, .. } = &error else { unreachable!("{error}") };
    assert_eq!((source.column(), source.row_group()), (Some("price"), Some(1)), "{error}");
    let ParquetError::Values { source, .. } = source else { unreachable!("{error}") };
    let dtype = DType::decimal(38, 2).expect("a dtype");
    assert_eq!(source.clone().without_context(), ColumnError::Overflow { dtype });
    assert_eq!(read_parquet(&path).rows(0..2).read().expect("the first row group").len(), 2);
}
