//! arrow-rs reads what we export, and we read what it exports.

use super::{FULL, MANY, MINIMAL, NO_COPY, Pattern, column, dtypes, execs, export, extents, slices};
use crate::arrow::c::{ExportOptions, OwnedArray, OwnedSchema};
use crate::arrow::field_dtype;
use crate::arrow::test_round_trips::{random, random_type};
use crate::arrow::tests::{calendar_intervals, nested_dictionaries, nested_values};
use crate::{Column, ColumnAccessor};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::types::{Int32Type, UInt8Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, Decimal32Array, Decimal128Array, DictionaryArray, FixedSizeBinaryArray,
    FixedSizeListArray, Int64Array, RecordBatch, StringArray, StringViewArray, StructArray, make_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

/// arrow-rs's view of what we export, as a field and an array.
fn theirs((mut schema, mut array): (OwnedSchema, OwnedArray)) -> (Field, ArrayRef) {
    // SAFETY: both are the interface's structs, moved out.
    let (schema, array) = unsafe {
        (
            FFI_ArrowSchema::from_raw(schema.as_mut_ptr().cast()),
            FFI_ArrowArray::from_raw(array.as_mut_ptr().cast()),
        )
    };
    let field = Field::try_from(&schema).unwrap();
    // SAFETY: filled as the interface says.
    let data = unsafe { from_ffi(array, &schema) }.unwrap();
    data.validate_full().unwrap();
    (field, make_array(data))
}

/// What arrow-rs exports of an array, as ours to import.
pub(super) fn ours(array: &dyn Array, field: &Field) -> (OwnedSchema, OwnedArray) {
    let (mut array, _) = to_ffi(&array.to_data()).unwrap();
    let mut schema = FFI_ArrowSchema::try_from(field).unwrap();
    // SAFETY: both are the interface's structs; marked as released, they own nothing any more.
    unsafe {
        (OwnedSchema::move_from((&raw mut schema).cast()), OwnedArray::move_from((&raw mut array).cast()))
    }
}

#[test]
fn arrow_rs_imports_our_exports() {
    for exec in execs() {
        for dtype in dtypes() {
            for (n, pattern) in extents() {
                for slice in slices(&column(&dtype, n, pattern, &exec)) {
                    let context = format!("{dtype} {n} {pattern:?} {exec:?} {}", slice.size());
                    let (field, array) = theirs(export(&slice));
                    assert_eq!(field_dtype(&field).unwrap(), dtype, "{context}");
                    assert_eq!((field.name().as_str(), field.is_nullable()), ("c", true));
                    assert_eq!(field.data_type(), array.data_type());
                    let back = Column::from_arrow_field(&array, &field).unwrap();
                    assert_eq!(back.to_scalars().unwrap(), slice.to_scalars().unwrap(), "{context}");
                }
            }
        }
    }
}

#[test]
fn arrow_rs_exports_are_imported() {
    for options in [FULL, MINIMAL, NO_COPY].into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
        for dtype in dtypes() {
            for (n, pattern) in extents() {
                let whole = column(&dtype, n, pattern, &columnade_buffers::Exec::host());
                let (field, array) = (whole.arrow_field("c"), whole.to_arrow().unwrap());
                for (offset, len) in [(0, n), (0, 0), (1, 1), (3, 30), (31, 33), (513, 40), (n, 0)] {
                    if offset + len > n {
                        continue;
                    }
                    let context = format!("{dtype} {n} {pattern:?} {offset} {len}");
                    let (schema, mut array) = ours(&array.slice(offset, len), &field);
                    let read = Column::from_arrow_c(&schema, &mut array, &options)
                        .unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert!(array.is_released());
                    assert_eq!(read.dtype(), dtype, "{context}");
                    let expected = whole.slice(offset, len).unwrap().to_scalars().unwrap();
                    assert_eq!(read.to_scalars().unwrap(), expected, "{context}");
                }
            }
        }
    }
}

#[test]
fn dictionary_of_nested_values_is_decoded() {
    let codes: Vec<Option<i8>> = (0..70).map(|row| (row % 7 > 0).then_some(row % 5)).collect();
    for values in nested_values() {
        for array in nested_dictionaries(&values, &codes) {
            let field = Field::new("c", array.data_type().clone(), true);
            for (offset, len) in [(0, 70), (0, 0), (31, 33)] {
                let slice = array.slice(offset, len);
                let expected = Column::from_arrow(&slice).unwrap();
                for options in [FULL, MINIMAL] {
                    let (schema, mut array) = ours(&slice, &field);
                    let read = Column::from_arrow_c(&schema, &mut array, &options).unwrap();
                    assert_eq!(read.dtype(), expected.dtype());
                    assert_eq!(
                        read.to_scalars().unwrap(),
                        expected.to_scalars().unwrap(),
                        "{field} {offset}"
                    );
                }
            }
            let (schema, mut array) = ours(&array, &field);
            let refused = Column::from_arrow_c(&schema, &mut array, &NO_COPY).unwrap_err();
            assert!(refused.to_string().contains("is decoded"), "{refused}");
        }
    }
}

#[test]
fn random_arrays_of_random_types_round_trip() {
    for seed in 0..if cfg!(miri) { 4 } else { 300 } {
        let rng = &mut Rng::new(seed);
        let data_type = random_type(3, rng);
        let mut below = |bound: usize| usize::try_from(rng.next()).unwrap() % bound;
        let n = below(90);
        let nulls = Nulls::ALL[below(Nulls::ALL.len())];
        let (offset, part) = (below(n + 1), below(n + 1));
        let slice = random(&data_type, n, nulls, rng).slice(offset, n - offset);
        let field = Field::new("c", data_type, true);
        let context = format!("seed {seed}: {} {n} {nulls:?} {offset} {part}", field.data_type());
        let (schema, mut array) = ours(&slice, &field);
        let read = Column::from_arrow_c(&schema, &mut array, &FULL);
        let read = read.unwrap_or_else(|error| panic!("{context}: {error}"));
        let (from, len) = (part.min(slice.len()), slice.len() - part.min(slice.len()));
        let (found, back) = theirs(export(&read.slice(from, len).unwrap()));
        assert_eq!(found.data_type(), field.data_type(), "{context}");
        back.to_data().validate_full().unwrap();
        assert_eq!(&back, &slice.slice(from, len), "{context}");
    }
}

/// Arrays of layouts that columns do not have.
fn foreign_layouts() -> Vec<(Field, ArrayRef)> {
    let texts = || (0..70).map(|i| (i % 5 != 2).then(|| "view ".repeat(i % 6)));
    let values = || (0..70).map(|i| (i % 5 != 2).then_some(i % 9));
    let structs = StructArray::from(vec![(
        Arc::new(Field::new("a", DataType::Int64, true)),
        Arc::new(values().collect::<Int64Array>()) as ArrayRef,
    )]);
    let lists = FixedSizeListArray::new(
        Arc::new(Field::new("item", structs.data_type().clone(), true)),
        7,
        Arc::new(structs),
        Some((0..10).map(|i| i != 3).collect::<NullBuffer>()),
    );
    let words: StringArray = [Some("a"), None, Some("a"), Some("ß")].into_iter().collect();
    let keys = (0..70).map(|i| (i % 6 != 5).then_some(i % 4));
    let bytes = (0..70_u8).map(|i| (i % 5 != 2).then_some([i, 255 - i, 7]));
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(texts().collect::<StringViewArray>()),
        Arc::new(texts().map(|text| text.map(String::into_bytes)).collect::<BinaryViewArray>()),
        Arc::new(values().map(|v| v.map(|v| i32::try_from(v).unwrap() * 1000)).collect::<Decimal32Array>()),
        Arc::new(
            values()
                .map(|v| v.map(|v| i128::from(v) << 20))
                .collect::<Decimal128Array>()
                .with_precision_and_scale(15, 2)
                .unwrap(),
        ),
        Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes, 3).unwrap()),
        Arc::new(lists),
        Arc::new(DictionaryArray::<UInt8Type>::new(
            keys.clone().map(|k| k.map(|k| u8::try_from(k).unwrap())).collect(),
            Arc::new(words.clone()),
        )),
        Arc::new(DictionaryArray::<UInt64Type>::new(
            keys.clone().map(|k| k.map(|k| u64::try_from(k).unwrap())).collect(),
            Arc::new(words.clone()),
        )),
        Arc::new(DictionaryArray::<Int32Type>::new(keys.collect(), Arc::new(words))),
    ];
    arrays.into_iter().map(|array| (Field::new("c", array.data_type().clone(), true), array)).collect()
}

#[test]
fn unsupported_layouts_are_converted() {
    for (field, array) in foreign_layouts() {
        for (offset, len) in [(0, array.len()), (0, 0), (3, 5), (array.len(), 0)] {
            let slice = array.slice(offset, len);
            let context = format!("{} {offset} {len}", field.data_type());
            let expected = Column::from_arrow_field(&slice, &field).unwrap();
            let (schema, mut array) = ours(&slice, &field);
            let read = Column::from_arrow_c(&schema, &mut array, &FULL).unwrap();
            assert_eq!(read.dtype().logical(), expected.dtype().logical(), "{context}");
            assert_eq!(read.to_scalars().unwrap(), expected.to_scalars().unwrap(), "{context}");
        }
    }
}

#[test]
fn null_struct_rows_are_null_in_every_column() {
    let host = columnade_buffers::Exec::host();
    let n = MANY;
    let columns: Vec<Column> = dtypes().iter().map(|dtype| column(dtype, n, Pattern::Some, &host)).collect();
    let fields: Vec<Field> =
        columns.iter().enumerate().map(|(i, column)| column.arrow_field(&format!("c{i}"))).collect();
    let arrays = columns.iter().map(|column| column.to_arrow().unwrap()).collect();
    let nulls = (0..n).map(|row| row % 3 != 1).collect::<NullBuffer>();
    let whole = StructArray::new(fields.clone().into(), arrays, Some(nulls));
    for (offset, len) in [(0, n), (5, n - n / 6), (n - 43, 33), (3, 0)] {
        let slice = whole.slice(offset, len);
        let field = Field::new("", whole.data_type().clone(), false);
        let (schema, mut array) = ours(&slice, &field);
        let frame = ColumnAccessor::from_arrow_c(&schema, &mut array, &FULL).unwrap();
        assert_eq!((frame.rows(), frame.len()), (len, columns.len()));
        for ((_, read), column) in frame.iter().zip(&columns) {
            let expected = column.slice(offset, len).unwrap().to_scalars().unwrap();
            for (row, (read, expected)) in read.to_scalars().unwrap().iter().zip(expected).enumerate() {
                match (offset + row) % 3 {
                    1 => assert!(read.is_null(), "{} {offset} {row}", column.dtype()),
                    _ => assert_eq!(*read, expected, "{} {offset} {row}", column.dtype()),
                }
            }
        }
    }
}

#[test]
fn frame_exports_as_record_batch() {
    for exec in execs() {
        let columns: Vec<(String, Column)> = dtypes()
            .iter()
            .map(|dtype| (dtype.to_string(), column(dtype, 100, Pattern::Some, &exec).slice(9, 80).unwrap()))
            .collect();
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        let (field, array) = theirs(frame.to_arrow_c(&ExportOptions::default()).unwrap());
        let batch = RecordBatch::from(array.as_any().downcast_ref::<StructArray>().unwrap());
        assert_eq!(batch.num_rows(), 80);
        assert!(matches!(field.data_type(), DataType::Struct(fields) if fields.len() == frame.len()));
        let back = ColumnAccessor::from_record_batch(&batch).unwrap();
        assert_eq!(back.labels(), frame.labels());
        for ((_, back), (_, column)) in back.iter().zip(frame.iter()) {
            assert_eq!(back.to_scalars().unwrap(), column.to_scalars().unwrap());
        }
    }
    let empty = ColumnAccessor::with_rows(5);
    let (schema, mut array) = empty.to_arrow_c(&ExportOptions::default()).unwrap();
    let back = ColumnAccessor::from_arrow_c(&schema, &mut array, &FULL).unwrap();
    assert_eq!((back.rows(), back.len()), (5, 0));
}

#[test]
fn metadata_and_flags_match_arrow_rs() {
    for dtype in dtypes() {
        let column = column(&dtype, 3, Pattern::Some, &columnade_buffers::Exec::host());
        let (field, _) = theirs(export(&column));
        let expected = column.arrow_field("c");
        assert_eq!(field.data_type(), expected.data_type());
        assert_eq!(field.metadata(), expected.metadata());
        assert_eq!(field.dict_is_ordered(), expected.dict_is_ordered());
        let schema = Schema::new(vec![expected]);
        assert!(FFI_ArrowSchema::try_from(&schema).is_ok());
    }
}

#[test]
fn calendar_intervals_of_arrow_rs_become_structs() {
    for (whole, expected) in calendar_intervals() {
        let field = Field::new("c", whole.data_type().clone(), true);
        for (start, len) in [(0, 3), (1, 2), (2, 1), (0, 0)] {
            for options in [FULL, MINIMAL] {
                let (schema, mut array) = ours(&whole.slice(start, len), &field);
                let read = Column::from_arrow_c(&schema, &mut array, &options).unwrap();
                assert!(array.is_released());
                assert_eq!(read.dtype(), field_dtype(&field).unwrap());
                let texts: Vec<_> = read.to_scalars().unwrap().iter().map(ToString::to_string).collect();
                assert_eq!(texts, expected[start..start + len], "{start} {len}");
            }
        }
        let (schema, mut array) = ours(&whole, &field);
        let refused = Column::from_arrow_c(&schema, &mut array, &NO_COPY).unwrap_err();
        assert!(refused.to_string().contains("structs of their parts"), "{refused}");
    }
}
