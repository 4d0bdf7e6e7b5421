//! Frames across the C interfaces, on every device.

use std::num::NonZero;

use super::{ArrowStreamFrames, export_arrow_stream};
use crate::arrow::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ExportOptions, ImportOptions,
    OwnedArray, OwnedSchema,
};
use crate::dataframe::{DataFrame, concat};
use crate::error::Error;
use crate::testing::{managed, on_every_device, values};

use columnade_columns::{ColumnAccessor, DType, ErrorKind, IntoColumn};

const EXPORT: ExportOptions = ExportOptions {
    offsets: crate::arrow::OffsetLayout::AsStored,
    decimals: crate::arrow::DecimalWidth::AsStored,
    handover: crate::arrow::Handover::Event,
    null_counts: crate::arrow::NullCounts::WhereKnown,
};

const IMPORT: ImportOptions =
    ImportOptions { copy: crate::arrow::CopyPolicy::IfNeeded, validate: crate::arrow::Validation::Full };

fn frame() -> DataFrame {
    DataFrame::empty()
        .and_then(|frame| frame.with_column("k", [Some("b"), Some("a"), None, Some(""), Some("é")]))
        .and_then(|frame| frame.with_column("n", [Some(3_i64), None, Some(5), Some(-1), Some(0)]))
        .and_then(|frame| frame.with_column("x", [0.5, 1.0, -1.5, 4.0, 2.0]))
        .expect("columns of one length")
}

#[track_caller]
fn assert_same(read: &DataFrame, expected: &DataFrame) {
    assert_eq!((read.shape(), read.columns()), (expected.shape(), expected.columns()));
    assert_eq!(read.device(), expected.device());
    for label in expected.columns() {
        assert_eq!(values(read, label), values(expected, label), "{label}");
    }
}

fn rows(rows: usize) -> NonZero<usize> {
    NonZero::new(rows).expect("not zero")
}

#[test]
fn frame_exported_and_imported_is_equal() {
    on_every_device(|_| {
        let frame = frame();
        let (schema, mut array) = frame.to_arrow_c::<ArrowArray>(&EXPORT).expect("an export");
        assert_same(&DataFrame::from_arrow_c(&schema, &mut array, &IMPORT).expect("an import"), &frame);
        let (schema, mut array) = frame.to_arrow_c::<ArrowDeviceArray>(&EXPORT).expect("an export");
        let read = DataFrame::from_arrow_c(&schema, &mut array, &IMPORT).expect("an import");
        assert!(array.is_released());
        assert_same(&read, &frame);
    });
}

#[test]
fn stream_exported_and_imported_is_equal() {
    on_every_device(|_| {
        let frame = frame();
        for size in [1, 2, 5, 9] {
            let mut stream =
                frame.to_arrow_c_stream::<ArrowArrayStream>(rows(size), &EXPORT).expect("a stream");
            let read = DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect("frames");
            assert_same(&read, &frame);
            let mut stream =
                frame.to_arrow_c_stream::<ArrowDeviceArrayStream>(rows(size), &EXPORT).expect("a stream");
            let read = DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect("frames");
            assert_same(&read, &frame);
        }
        let mut stream = frame.to_arrow_c_stream::<ArrowArrayStream>(rows(2), &EXPORT).expect("a stream");
        let frames = ArrowStreamFrames::new(&mut stream, &IMPORT).expect("frames");
        let lengths: Vec<usize> = frames.map(|frame| frame.expect("a frame").len()).collect();
        assert_eq!(lengths, [2, 2, 1]);
        let none = frame.head(0).expect("no rows");
        let mut stream = none.to_arrow_c_stream::<ArrowArrayStream>(rows(3), &EXPORT).expect("a stream");
        assert_same(&DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect("frames"), &none);
    });
}

#[test]
fn stream_of_iterator_passes_frames_and_errors() {
    on_every_device(|_| {
        let frame = frame();
        let twice = vec![Ok(frame.clone()), Ok(frame.clone())];
        let mut stream = export_arrow_stream::<ArrowArrayStream, _>(twice, &EXPORT).expect("a stream");
        let read = DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect("frames");
        assert_same(&read, &concat([&frame, &frame]).expect("both"));
        let with_none = vec![Ok(frame.head(0).expect("no rows")), Ok(frame.clone())];
        let mut stream = export_arrow_stream::<ArrowArrayStream, _>(with_none, &EXPORT).expect("a stream");
        let frames = ArrowStreamFrames::new(&mut stream, &IMPORT).expect("frames");
        assert_eq!(frames.map(|frame| frame.expect("a frame").len()).collect::<Vec<_>>(), [frame.len()]);
        let gone = crate::read_parquet("there is no such file").read();
        let mut stream =
            export_arrow_stream::<ArrowArrayStream, _>([Ok(frame.clone()), gone], &EXPORT).expect("a stream");
        let error = DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect_err("an error");
        assert!(error.to_string().contains("no such file"), "{error}");
        let failing = vec![Ok(frame.clone()), Err(Error::argument("test", "second", "it failed"))];
        let mut stream =
            export_arrow_stream::<ArrowDeviceArrayStream, _>(failing, &EXPORT).expect("a stream");
        let error = DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect_err("an error");
        assert!(error.to_string().contains("it failed"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Value);
    });
}

#[test]
fn failed_import_names_operation_and_leaves_source() {
    let columns = [(1_i64, vec![1_i64].into_column(&columnade_buffers::Exec::host()).expect("a column"))];
    let columns = ColumnAccessor::from_columns(columns).expect("one column");
    let frame = DataFrame::from_accessor(columns, &columnade_buffers::Exec::host());
    let error = frame.to_arrow_c::<ArrowArray>(&EXPORT).expect_err("a label that is not text");
    assert!(matches!(error, Error::Operation { operation: "to_arrow_c", .. }));
    // An array of numbers is no frame.
    let numbers = frame.frame().accessor().columns()[0].clone();
    let (schema, mut array) = numbers.to_arrow_c("n", &EXPORT).expect("an export");
    let error = DataFrame::from_arrow_c(&schema, &mut array, &IMPORT).expect_err("no frame");
    assert!(error.to_string().contains("Int64") && !array.is_released(), "{error}");
    let (schema, mut array) = (OwnedSchema::released(), OwnedArray::released());
    assert!(DataFrame::from_arrow_c(&schema, &mut array, &IMPORT).is_err());
    assert_eq!(numbers.dtype(), DType::Int64);
}

/// An export is attributed to the line of the program that requests it, not to the library's own lines.
#[test]
fn exports_are_attributed_to_the_calling_line() {
    on_every_device(|device| {
        let (exec, manager) = managed(device, &[("COLUMNADE_SPILL_STATS", "2")]);
        let frame = frame().to_exec(&exec).and_then(|frame| frame.deep_copy()).expect("moved");
        let numbers = frame.column("x").expect("there");
        let rows = NonZero::new(2).expect("not zero");
        let mut lines = Vec::new();
        macro_rules! line_of {
            ($exported:expr) => {{
                lines.push(line!());
                $exported.expect("exported")
            }};
        }
        let whole = line_of!(frame.to_arrow_c::<ArrowDeviceArray>(&EXPORT));
        let one = line_of!(numbers.to_arrow_c::<ArrowDeviceArray>(&EXPORT));
        let tensor = line_of!(numbers.to_dlpack(&crate::dlpack::TensorRequest::default()));
        let mut stream = line_of!(frame.to_arrow_c_stream::<ArrowDeviceArrayStream>(rows, &EXPORT));
        // Reading the stream adds no line.
        let read = DataFrame::from_arrow_c_stream(&mut stream, &IMPORT).expect("read");
        let exposures = manager.statistics().snapshot().exposures;
        let here: Vec<_> = exposures.iter().filter(|site| site.at.file() == file!()).collect();
        let mut found: Vec<u32> = here.iter().map(|site| site.at.line()).collect();
        found.sort_unstable();
        assert_eq!(found, lines, "{device}: {exposures:?}");
        assert_eq!(here.len(), exposures.len(), "{device}: {exposures:?}");
        drop((whole, one, tensor, read));
    });
}
