//! Streams, of the host and of devices.

use super::{EXPORT, FULL, MANY, MINIMAL, Pattern, column, dtypes, execs};
use crate::arrow::c::{
    ARROW_DEVICE_CPU, ARROW_DEVICE_EXT_DEV, ColumnStreamReader, DeviceColumnStreamReader, DeviceStreamReader,
    ExportOptions, OffsetLayout, OwnedArray, OwnedDeviceStream, OwnedStream, StreamReader, Violation,
    export_column_device_stream, export_column_stream, export_device_stream, export_stream,
};
use crate::{
    CategoricalColumn, Column, ColumnAccessor, DType, DecimalStorage, Error, Result, Scalar, StringColumn,
};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{DictionaryArray, RecordBatch, RecordBatchIterator, StringViewArray, UInt32Array};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::{OffsetWidth, Storage};
use std::sync::Arc;

/// Frames of every dtype, of several lengths.
fn frames(exec: &Exec) -> Vec<ColumnAccessor> {
    let whole = ColumnAccessor::from_columns(
        dtypes().iter().map(|dtype| (dtype.to_string(), column(dtype, MANY + 100, Pattern::Some, exec))),
    )
    .unwrap();
    [(0, 33), (33, 0), (33, MANY), (MANY + 40, 60)]
        .map(|(offset, len)| whole.slice(offset, len).unwrap())
        .to_vec()
}

fn good(frames: Vec<ColumnAccessor>) -> impl Iterator<Item = Result<ColumnAccessor>> + Send + 'static {
    frames.into_iter().map(Ok)
}

#[track_caller]
fn assert_same(read: &[ColumnAccessor], expected: &[ColumnAccessor]) {
    assert_eq!(read.len(), expected.len());
    for (read, expected) in read.iter().zip(expected) {
        assert_eq!((read.rows(), read.labels()), (expected.rows(), expected.labels()));
        for ((label, read), (_, expected)) in read.iter().zip(expected.iter()) {
            assert_eq!(read.to_scalars().unwrap(), expected.to_scalars().unwrap(), "{label}");
        }
    }
}

#[test]
fn stream_round_trip_is_equal() {
    for exec in execs() {
        let frames = frames(&exec);
        let mut stream = export_stream(good(frames.clone()), &EXPORT).unwrap();
        let reader = StreamReader::new(&mut stream, &FULL).unwrap();
        assert!(stream.is_released());
        assert!(matches!(reader.dtype().unwrap(), DType::Struct(fields) if fields.len() == dtypes().len()));
        let read = reader.collect::<Result<Vec<_>>>().unwrap();
        assert_same(&read, &frames);

        let mut stream = export_device_stream(good(frames.clone()), &EXPORT, &exec).unwrap();
        let other = exec.with_new_stream().unwrap();
        let reader = DeviceStreamReader::new(&mut stream, &FULL, &other).unwrap();
        let read = reader.collect::<Result<Vec<_>>>().unwrap();
        assert!(read.iter().flat_map(ColumnAccessor::columns).all(|column| column.device() == exec.device()));
        assert_same(&read, &frames);
    }
}

/// Values that are copied, as views are, are copied once too.
#[test]
fn repeated_view_dictionary_is_validated_once() {
    let words = StringViewArray::from(vec!["a", "a word of more than twelve bytes", "b"]);
    let chunk = |codes: Vec<u32>| {
        let codes = UInt32Array::from(codes);
        let array = DictionaryArray::new(codes, Arc::new(words.clone()));
        RecordBatch::try_from_iter([("c", Arc::new(array) as _)])
    };
    let chunks = [chunk(vec![0, 1, 2]), chunk(vec![2, 1]), chunk(vec![1])];
    let schema = chunks[0].as_ref().unwrap().schema();
    let batches = RecordBatchIterator::new(chunks, schema);
    let mut theirs = FFI_ArrowArrayStream::new(Box::new(batches));
    // SAFETY: the interface's struct, moved out.
    let mut stream = unsafe { OwnedStream::move_from((&raw mut theirs).cast()) };
    let reader = StreamReader::new(&mut stream, &FULL).unwrap();
    let read = reader.collect::<Result<Vec<_>>>().unwrap();
    let column = |at: usize| match &read[at].columns()[0] {
        Column::Categorical(column) => column.clone(),
        _ => panic!("dictionaries are categorical"),
    };
    assert!(column(0).shares_dictionary(&column(1)) && column(1).shares_dictionary(&column(2)));
    let texts = read[1].columns()[0].to_scalars().unwrap();
    assert_eq!(texts, ["b", "a word of more than twelve bytes"].map(Scalar::from));
}

/// All arrays of a stream have one schema, whatever widths the chunks have.
#[test]
fn decimal_and_code_widths_follow_first_chunk() {
    for exec in execs() {
        let money = |storage| {
            let dtype = DType::decimal_stored(7, 2, storage).unwrap();
            column(&dtype, 40, Pattern::Some, &exec)
        };
        let words = column(&DType::dictionary(DType::Utf8), 40, Pattern::Some, &exec);
        let coded = |codes| match &words {
            Column::Categorical(words) => Column::Categorical(words.with_codes(codes).unwrap()),
            _ => panic!("a dictionary is categorical"),
        };
        for chunks in [
            DecimalStorage::ALL.map(money),
            [Storage::I8, Storage::I64, Storage::I16].map(coded),
            [Storage::I32, Storage::I8, Storage::I32].map(coded),
        ] {
            let given = chunks.clone().into_iter().map(Ok);
            let mut stream = export_column_device_stream("c", given, &EXPORT, &exec).unwrap();
            let reader = DeviceColumnStreamReader::new(&mut stream, &FULL, &exec).unwrap();
            let read = reader.collect::<Result<Vec<_>>>().unwrap();
            assert_eq!(read.len(), 3);
            for (read, chunk) in read.iter().zip(&chunks) {
                assert_eq!(read.dtype(), chunks[0].dtype());
                let text = |column: &Column| {
                    format!(
                        "{:?}",
                        column.to_scalars().unwrap().iter().map(Scalar::to_string).collect::<Vec<_>>()
                    )
                };
                assert_eq!(text(read), text(chunk));
            }
        }
    }
}

/// A dictionary that comes with every array is looked through once, and is one for all that is read; a new one is seen.
#[test]
fn repeated_dictionary_is_validated_once() {
    for exec in execs() {
        let column = |words: &[&str]| {
            let values = Column::from_values(words.iter().cycle().take(90).copied(), &exec).unwrap();
            let column = CategoricalColumn::encode(&values).unwrap();
            Column::Categorical(column).to_device(&exec).unwrap()
        };
        let (words, others) = (column(&["a", "b", "c"]), column(&["b", "a", "c"]));
        let given = [
            words.slice(0, 30).unwrap(),
            words.slice(31, 3).unwrap(),
            others.slice(0, 30).unwrap(),
            others.slice(30, 60).unwrap(),
            words.slice(60, 30).unwrap(),
        ];
        let expected: Vec<Vec<Scalar>> = given.iter().map(|column| column.to_scalars().unwrap()).collect();
        let chunks = given.into_iter().map(Ok);
        let mut stream = export_column_device_stream("c", chunks, &EXPORT, &exec).unwrap();
        let reader = DeviceColumnStreamReader::new(&mut stream, &FULL, &exec).unwrap();
        let read = reader.collect::<Result<Vec<_>>>().unwrap();
        let found: Vec<Vec<Scalar>> = read.iter().map(|column| column.to_scalars().unwrap()).collect();
        assert_eq!(found, expected);
        let shared = |left: usize, right: usize| match (&read[left], &read[right]) {
            (Column::Categorical(left), Column::Categorical(right)) => left.shares_dictionary(right),
            _ => panic!("dictionaries are categorical"),
        };
        assert!(shared(0, 1) && shared(2, 3) && !shared(1, 2), "{}", exec.device());
        // Only the last array's are remembered.
        assert!(!shared(0, 4), "{}", exec.device());
    }
}

/// Chunks of every dtype, of several lengths, as themselves: none of them is a struct of one field.
#[test]
fn column_chunks_round_trip() {
    let rows = if cfg!(miri) { 80 } else { 700 };
    for exec in execs() {
        for dtype in dtypes() {
            let whole = column(&dtype, rows, Pattern::Some, &exec);
            let parts = [(0, 33), (33, 0), (33, rows - 60), (rows - 20, 20)];
            let chunks = parts.map(|(offset, len)| whole.slice(offset, len).unwrap());
            let given = || chunks.clone().into_iter().map(Ok);
            let same = |read: Vec<Column>| {
                assert_eq!(read.len(), chunks.len());
                for (read, chunk) in read.iter().zip(&chunks) {
                    assert_eq!((read.dtype(), read.to_scalars()), (dtype.clone(), chunk.to_scalars()));
                }
                read
            };
            let mut stream = export_column_stream("c", given(), &EXPORT).unwrap();
            let reader = ColumnStreamReader::new(&mut stream, &FULL).unwrap();
            assert_eq!((reader.name(), reader.dtype().unwrap()), ("c", dtype.clone()));
            same(reader.collect::<Result<_>>().unwrap());
            let mut stream = export_column_device_stream("c", given(), &EXPORT, &exec).unwrap();
            let other = exec.with_new_stream().unwrap();
            let reader = DeviceColumnStreamReader::new(&mut stream, &FULL, &other).unwrap();
            let read = same(reader.collect::<Result<_>>().unwrap());
            assert!(read.iter().all(|chunk| chunk.device() == exec.device()), "{dtype}");
        }
    }
}

#[test]
fn mixed_and_empty_chunk_streams_are_handled() {
    let chunks = [Column::from_vec(vec![1_i64]), Column::from_vec(vec![1.0])];
    let mut stream = export_column_stream("c", chunks.into_iter().map(Ok), &EXPORT).unwrap();
    let mut reader = ColumnStreamReader::new(&mut stream, &FULL).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().size(), 1);
    let error = reader.next().unwrap().unwrap_err().to_string();
    assert!(error.contains("began with int64, and a later chunk is float64"), "{error}");
    let none = export_column_stream("c", [], &EXPORT).unwrap_err();
    assert!(matches!(none, Error::InvalidArgument { name: "chunks", .. }));
    let only = || [Ok(Column::from_vec(vec![1]))];
    let unwritable = export_column_stream("a\0b", only(), &EXPORT).unwrap_err();
    assert!(matches!(unwritable, Error::ArrowInterface { violation: Violation::Inexpressible { .. }, .. }));
    assert!(export_column_stream("", only(), &EXPORT).is_ok());
}

/// Bare columns come from independent producers in the conformance suite.
#[test]
fn struct_stream_reads_as_one_column() {
    for exec in execs() {
        let frames = frames(&exec);
        let mut stream = export_device_stream(good(frames.clone()), &EXPORT, &exec).unwrap();
        let reader = DeviceColumnStreamReader::new(&mut stream, &FULL, &exec).unwrap();
        let Ok(DType::Struct(fields)) = reader.dtype() else { panic!("no struct") };
        assert_eq!((reader.name(), fields.len()), ("", dtypes().len()));
        let read = reader.collect::<Result<Vec<_>>>().unwrap();
        assert_eq!(read.len(), frames.len());
        for (read, frame) in read.iter().zip(&frames) {
            assert_eq!((read.size(), read.device()), (frame.rows(), exec.device()));
            for (read, column) in read.children().iter().zip(frame.columns()) {
                assert_eq!(read.to_scalars().unwrap(), column.to_scalars().unwrap(), "{}", column.dtype());
            }
        }
    }
    let mut stream = export_stream(good(frames(&Exec::host())), &EXPORT).unwrap();
    let reader = ColumnStreamReader::new(&mut stream, &FULL).unwrap();
    assert!(
        stream.is_released() && matches!(reader.dtype(), Ok(DType::Struct(_))) && reader.name().is_empty()
    );
    assert_eq!(reader.map(|column| column.unwrap().size()).sum::<usize>(), 33 + MANY + 60);
}

#[test]
fn streams_round_trip_through_arrow_rs() {
    let frames = frames(&Exec::host());
    let mut stream = export_stream(good(frames.clone()), &EXPORT).unwrap();
    // SAFETY: the interface's struct, moved out.
    let theirs = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_mut_ptr().cast()) };
    assert!(stream.is_released());
    let batches: Vec<RecordBatch> =
        RecordBatchStreamReader::try_new(theirs).unwrap().map(|batch| batch.unwrap()).collect();
    let read: Vec<_> =
        batches.iter().map(|batch| ColumnAccessor::from_record_batch(batch).unwrap()).collect();
    assert_same(&read, &frames);

    let schema = batches[0].schema();
    let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let mut theirs = FFI_ArrowArrayStream::new(Box::new(batches));
    // SAFETY: as above.
    let mut stream = unsafe { OwnedStream::move_from((&raw mut theirs).cast()) };
    let read = StreamReader::new(&mut stream, &FULL).unwrap().collect::<Result<Vec<_>>>().unwrap();
    assert_same(&read, &frames);
}

fn texts(values: &[&str], wide: bool) -> ColumnAccessor {
    let column = Column::from_values(values.iter().copied(), &Exec::host()).unwrap();
    let options = ExportOptions {
        offsets: if wide { OffsetLayout::I64 } else { OffsetLayout::I32 },
        ..ExportOptions::default()
    };
    let (schema, mut array) = column.to_arrow_c("t", &options).unwrap();
    let column = Column::from_arrow_c(&schema, &mut array, &MINIMAL).unwrap();
    ColumnAccessor::from_columns([("t", column)]).unwrap()
}

#[test]
fn offset_widths_follow_first_frame() {
    for wide in [true, false] {
        let frames = vec![texts(&["a"], wide), texts(&["bc", ""], !wide), texts(&[], wide)];
        let mut stream = export_stream(good(frames.clone()), &EXPORT).unwrap();
        let read = StreamReader::new(&mut stream, &FULL).unwrap().collect::<Result<Vec<_>>>().unwrap();
        assert_same(&read, &frames);
        let widths: Vec<_> =
            read.iter().map(|frame| frame.get("t").unwrap().offsets().unwrap().1.bytes()).collect();
        assert_eq!(widths, [if wide { 8 } else { 4 }; 3]);
    }
}

/// A stream that began with 32-bit offsets has no others: what does not fit them comes as several arrays.
#[test]
#[cfg_attr(miri, ignore = "two gigabytes, of which the system makes a few pages")]
fn frame_beyond_32_bit_offsets_is_exported_as_several_arrays() {
    const FAR: usize = (2 << 30) - 3;
    let mut bytes = vec![0_u8; FAR + 6];
    bytes[FAR..].copy_from_slice("abcß!".as_bytes());
    let ends = [0, FAR, FAR + 3, FAR + 6].map(|end| i64::try_from(end).unwrap());
    let (offsets, bytes) = (Buffer::from_vec(ends.to_vec()), Buffer::from_vec(bytes));
    let long = StringColumn::new(offsets, OffsetWidth::I64, bytes, None, 0, 3).unwrap();
    let long = ColumnAccessor::from_columns([("t", Column::String(long))]).unwrap();
    let given = vec![texts(&["a"], false), long, texts(&["b"], false)];
    let mut stream = export_stream(good(given), &EXPORT).unwrap();
    let read = StreamReader::new(&mut stream, &MINIMAL).unwrap().collect::<Result<Vec<_>>>().unwrap();
    assert_eq!(read.iter().map(ColumnAccessor::rows).collect::<Vec<_>>(), [1, 1, 2, 1]);
    for frame in &read {
        assert_eq!(frame.columns()[0].offsets().unwrap().1, OffsetWidth::I32);
    }
    let texts = |at: usize| read[at].columns()[0].to_scalars().unwrap();
    assert_eq!((texts(0), texts(3)), (vec![Scalar::from("a")], vec![Scalar::from("b")]));
    assert_eq!(texts(2), ["abc", "ß!"].map(Scalar::from));
}

/// What a stream without arrays stands for has the widths of its schema.
#[test]
fn stream_without_arrays_keeps_offset_widths() {
    for exec in execs() {
        for wide in [true, false] {
            let frame = texts(&[], wide).map(0, |column| column.to_device(&exec)).unwrap();
            let schema = frame.columns()[0].arrow_field("t");
            let batches = RecordBatchIterator::new([], Arc::new(arrow_schema::Schema::new(vec![schema])));
            let mut theirs = FFI_ArrowArrayStream::new(Box::new(batches));
            // SAFETY: the interface's struct, moved out.
            let mut stream = unsafe { OwnedStream::move_from((&raw mut theirs).cast()) };
            let mut reader = StreamReader::new(&mut stream, &FULL).unwrap();
            assert!(reader.next().is_none());
            let none = reader.no_rows(&exec).unwrap();
            assert_eq!(
                (none.rows(), none.labels(), none.columns()[0].device()),
                (0, frame.labels(), exec.device())
            );
            assert_eq!(none.columns()[0].offsets().unwrap().1.bytes(), if wide { 8 } else { 4 });
        }
    }
}

/// The error of the last frame that a stream gives.
fn failure(frames: impl Iterator<Item = Result<ColumnAccessor>> + Send + 'static) -> (i32, String) {
    let mut stream = export_stream(frames, &EXPORT).unwrap();
    let mut reader = StreamReader::new(&mut stream, &FULL).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(reader.next().is_none(), "after an error there is nothing");
    match error {
        Error::ArrowInterface { violation: Violation::Producer { code, message }, .. } => (code, message),
        other => panic!("{other}"),
    }
}

#[test]
fn stream_errors_reach_consumer() {
    let frame = |name: &str, column| ColumnAccessor::from_columns([(name, column)]).unwrap();
    let ints = || Column::from_vec(vec![1_i64, 2]);
    let floats = Column::from_vec(vec![1.0, 2.0]);
    let (code, message) = failure(good(vec![frame("a", ints()), frame("a", floats)]));
    assert!(code == 22 && message.contains("\"a\""), "{code} {message}");
    let (_, message) = failure(good(vec![frame("a", ints()), frame("b", ints())]));
    assert!(message.contains("began with"), "{message}");
    let (_, message) = failure(good(vec![frame("a", ints()), ColumnAccessor::with_rows(3)]));
    assert!(message.contains("columns of a later frame"), "{message}");
    let missing = Error::NotImplemented { feature: "the second frame".to_owned() };
    let (code, message) = failure([Ok(frame("a", ints())), Err(missing)].into_iter());
    assert_eq!((code, message.as_str()), (38, "the second frame is not implemented"));
    let mut first = Some(frame("a", ints()));
    let panics = std::iter::from_fn(move || match first.take() {
        Some(frame) => Some(Ok(frame)),
        None => panic!("no second frame"),
    });
    let (code, message) = failure(panics);
    assert_eq!((code, message.as_str()), (5, "the stream panicked: no second frame"));
    assert!(matches!(
        export_stream(std::iter::empty(), &EXPORT),
        Err(Error::InvalidArgument { name: "frames", .. })
    ));
}

#[test]
fn arrays_outlive_stream_released_early() {
    let frames = vec![texts(&["a", "b"], false); 3];
    let mut stream = export_stream(good(frames.clone()), &EXPORT).unwrap();
    let mut schema = crate::arrow::c::OwnedSchema::released();
    let mut array = OwnedArray::released();
    let raw = stream.as_mut_ptr();
    // SAFETY: a stream of ours, and places for what it writes.
    unsafe {
        assert_eq!((*raw).get_schema.unwrap()(raw, schema.as_mut_ptr()), 0);
        assert_eq!((*raw).get_next.unwrap()(raw, array.as_mut_ptr()), 0);
        assert!((*raw).get_last_error.unwrap()(raw).is_null());
    }
    std::thread::spawn(move || drop(stream)).join().unwrap();
    let read = ColumnAccessor::from_arrow_c(&schema, &mut array, &FULL).unwrap();
    assert_same(&[read], &frames[..1]);
}

#[test]
fn ended_stream_keeps_returning_released_arrays() {
    let mut stream = export_stream(good(vec![texts(&[], false)]), &EXPORT).unwrap();
    let raw = stream.as_mut_ptr();
    for end in [false, true, true] {
        let mut array = OwnedArray::released();
        // SAFETY: a stream of ours, and a place for what it writes.
        unsafe { assert_eq!((*raw).get_next.unwrap()(raw, array.as_mut_ptr()), 0) };
        assert_eq!(array.is_released(), end);
    }
}

#[test]
fn invalid_streams_are_refused() {
    let mut gone = OwnedStream::released();
    assert!(StreamReader::new(&mut gone, &FULL).is_err());
    let mut gone = OwnedDeviceStream::released();
    assert!(DeviceStreamReader::new(&mut gone, &FULL, &Exec::host()).is_err());
    let mut stream = export_stream(good(vec![texts(&[], false)]), &EXPORT).unwrap();
    // SAFETY: the stream is ours to change; what is taken away is put back.
    let kept = unsafe { (*stream.as_mut_ptr()).get_schema.take() };
    let error = StreamReader::new(&mut stream, &FULL).unwrap_err();
    assert!(error.to_string().contains("get_schema") && !stream.is_released(), "{error}");
    // SAFETY: as above.
    unsafe { (*stream.as_mut_ptr()).get_schema = kept };
    assert!(StreamReader::new(&mut stream, &FULL).is_ok());
    let mut stream = export_device_stream(good(vec![texts(&[], false)]), &EXPORT, &Exec::host()).unwrap();
    // SAFETY: the stream is ours to change.
    unsafe { (*stream.as_mut_ptr()).device_type = 99 };
    let error = DeviceStreamReader::new(&mut stream, &FULL, &Exec::host()).unwrap_err();
    assert!(error.to_string().contains("99") && !stream.is_released(), "{error}");
}

/// An iterator that panics when it is dropped.
struct Bomb(std::vec::IntoIter<ColumnAccessor>);

impl Iterator for Bomb {
    type Item = Result<ColumnAccessor>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Ok)
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("the iterator does not want to go"));
    }
}

#[test]
fn panic_in_iterator_drop_is_contained() {
    let frame = ColumnAccessor::from_columns([("a", Column::from_vec(vec![1_i64, 2]))]).unwrap();
    let bomb = |frames| Bomb(vec![frame.clone(); frames].into_iter());
    for exec in execs() {
        let host = exec.device() == Device::Host;
        for read in [0, 1].into_iter().filter(|_| host) {
            let mut stream = export_stream(bomb(2), &EXPORT).unwrap();
            let mut reader = StreamReader::new(&mut stream, &FULL).unwrap();
            assert_eq!(
                reader.by_ref().take(read).map(|frame| frame.unwrap().rows()).sum::<usize>(),
                2 * read
            );
            drop(reader);
        }
        drop(export_device_stream(bomb(2), &EXPORT, &exec).unwrap());
    }
    // At the end of the frames it is the consumer's error.
    let (code, message) = failure(bomb(1));
    assert!(code == 5 && message.contains("does not want to go"), "{code} {message}");
}

/// A producer whose arrays are not where its stream says: nothing is read there.
#[test]
fn stream_arrays_of_other_device_are_refused() {
    let Ok(sim) = Exec::new(Device::Sim) else { return };
    let host = Exec::host();
    for (there, said, reader) in [(&host, ARROW_DEVICE_EXT_DEV, &sim), (&sim, ARROW_DEVICE_CPU, &host)] {
        let values = column(&DType::Int64, 40, Pattern::Some, there);
        let (frame, data) =
            (ColumnAccessor::from_columns([("a", values.clone())]).unwrap(), values.data().unwrap().clone());
        drop(values);
        let check = |error: &Error, left: bool| {
            let expected =
                columnade_buffers::Error::DeviceMismatch { expected: reader.device(), found: there.device() };
            assert_eq!((error, left), (&Error::Memory(expected), false));
        };
        let frames = vec![frame.clone(), frame.clone()];
        let mut stream = export_device_stream(good(frames), &EXPORT, there).unwrap();
        // SAFETY: the stream is ours to change.
        unsafe { (*stream.as_mut_ptr()).device_type = said };
        let mut read = DeviceStreamReader::new(&mut stream, &FULL, reader).unwrap();
        let error = read.next().unwrap().unwrap_err();
        check(&error, read.next().is_some());
        let chunks = frame.columns().to_vec();
        let mut stream =
            export_column_device_stream("a", chunks.into_iter().map(Ok), &EXPORT, there).unwrap();
        // SAFETY: as above.
        unsafe { (*stream.as_mut_ptr()).device_type = said };
        let mut read = DeviceColumnStreamReader::new(&mut stream, &FULL, reader).unwrap();
        let error = read.next().unwrap().unwrap_err();
        check(&error, read.next().is_some());
        // The memory has no owner any more.
        drop(frame);
        assert!(data.is_unique());
    }
}
