//! What crossing the border costs, beside arrow-rs in the same run:
//! `cargo test --release -p columnade-columns --lib -- --ignored --nocapture figures`.

#![expect(clippy::cast_possible_wrap, clippy::cast_precision_loss, reason = "small numbers")]

use super::arrow_rs::ours;
use super::{EXPORT, MINIMAL, NO_COPY};
use crate::arrow::c::{StreamReader, export_stream};
use crate::{Column, ColumnAccessor, Result};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::Field;
use columnade_buffers::Exec;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The fastest of several runs.
fn fastest<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let started = Instant::now();
        black_box(work());
        started.elapsed()
    };
    (0..runs).map(time).min().unwrap_or_default()
}

/// A frame of numbers and text, one column in two with nulls.
fn frame(rows: usize, columns: usize) -> ColumnAccessor {
    let exec = Exec::host();
    let column = |at: usize| match at % 3 {
        0 => Column::from_vec((0..rows as i64).collect()),
        1 => Column::from_options((0..rows).map(|row| (row % 7 != 1).then_some(row as f64)), &exec).unwrap(),
        _ => {
            let text = ["a", "bc", "the text of a row"];
            Column::from_options((0..rows).map(|row| (row % 5 != 1).then_some(text[row % 3])), &exec).unwrap()
        }
    };
    ColumnAccessor::from_columns((0..columns).map(|at| (format!("c{at}"), column(at)))).unwrap()
}

#[test]
#[ignore = "a measurement"]
fn figures_of_one_frame() {
    for rows in [0, 1000, 1_000_000] {
        let frame = frame(rows, 100);
        // Nulls are counted once, by the first export.
        drop(frame.to_arrow_c(&EXPORT).unwrap());
        let both = fastest(200, || {
            let (schema, mut array) = frame.to_arrow_c(&EXPORT).unwrap();
            ColumnAccessor::from_arrow_c(&schema, &mut array, &NO_COPY).unwrap()
        });
        println!("export and import of 100 columns of {rows} rows, nothing copied: {both:?}");
        let batch = frame.to_record_batch().unwrap();
        let structs = StructArray::from(batch);
        let field = Field::new("", structs.data_type().clone(), false);
        let theirs = fastest(200, || {
            let (mut schema, mut array) = ours(&structs, &field);
            // SAFETY: both are the interface's structs, moved out.
            unsafe {
                let schema = arrow_array::ffi::FFI_ArrowSchema::from_raw(schema.as_mut_ptr().cast());
                let array = arrow_array::ffi::FFI_ArrowArray::from_raw(array.as_mut_ptr().cast());
                arrow_array::ffi::from_ffi(array, &schema).unwrap()
            }
        });
        println!("the same by arrow-rs: {theirs:?}");
    }
}

#[test]
#[ignore = "a measurement"]
fn figures_of_a_stream() {
    const FRAMES: usize = 10_000;
    const COLUMNS: usize = 6;
    let frame = frame(100, COLUMNS);
    let frames = || {
        let frame = frame.clone();
        export_stream((0..FRAMES).map(move |_| Ok(frame.clone())), &EXPORT).unwrap()
    };
    let ours = fastest(5, || {
        let read = StreamReader::new(&mut frames(), &MINIMAL).unwrap();
        read.map(|frame: Result<ColumnAccessor>| frame.unwrap().rows()).sum::<usize>()
    });
    let theirs = fastest(5, || {
        // SAFETY: the interface's struct, moved out.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(frames().as_mut_ptr().cast()) };
        let read = RecordBatchStreamReader::try_new(stream).unwrap();
        read.map(|batch: std::result::Result<RecordBatch, _>| batch.unwrap().num_rows()).sum::<usize>()
    });
    let per_second = |time: Duration| (FRAMES * COLUMNS) as f64 / time.as_secs_f64() / 1e6;
    println!("our stream read by us: {:.2} million columns/s", per_second(ours));
    println!("our stream read by arrow-rs: {:.2} million columns/s", per_second(theirs));
}
