//! The same crossings by arrow-rs.

#![expect(clippy::expect_used, reason = "what fails here is arrow-rs")]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, StructArray};
use columnade_columns::arrow::c::{OwnedArray, OwnedStream};
use columnade_columns::{ColumnAccessor, Result};
use std::hint::black_box;

/// A closure that exports a frame as a record batch and imports it again.
pub(crate) fn there_and_back(frame: &ColumnAccessor) -> Result<impl FnMut() -> Result<()>> {
    let data = StructArray::from(frame.to_record_batch()?).to_data();
    Ok(move || {
        let (array, schema): (FFI_ArrowArray, FFI_ArrowSchema) = to_ffi(&data).expect("a type that there is");
        // SAFETY: what was exported just now.
        black_box(unsafe { from_ffi(array, &schema) }.expect("what was exported"));
        Ok(())
    })
}

/// The rows of a stream, read by arrow-rs.
pub(crate) fn read(stream: &mut OwnedStream) -> usize {
    // SAFETY: the interface's struct, moved out.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_mut_ptr().cast()) };
    let read = RecordBatchStreamReader::try_new(stream).expect("a stream of ours");
    read.map(|batch| batch.expect("a batch of ours").num_rows()).sum()
}

/// The rows of a stream, of which nothing but the length is looked at.
pub(crate) fn drain(stream: &mut OwnedStream) -> usize {
    let get_next = stream.as_raw().get_next.expect("a stream of ours");
    let mut rows = 0;
    loop {
        let mut array = OwnedArray::released();
        // SAFETY: a stream of ours, and a place for what it writes.
        let code = unsafe { get_next(stream.as_mut_ptr(), array.as_mut_ptr()) };
        assert_eq!(code, 0);
        if array.is_released() {
            return rows;
        }
        rows += usize::try_from(array.as_raw().length).unwrap_or(0);
    }
}
