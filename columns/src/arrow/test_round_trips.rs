//! Random Arrow arrays, nested ones too, through columns of every device and back; Arrow says whether they are equal.

use crate::{Column, ColumnAccessor, DType, ErrorKind};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, DurationMicrosecondType, DurationNanosecondType,
    Float64Type, Int8Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMillisecondType, TimestampNanosecondType,
    UInt16Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray,
    FixedSizeBinaryArray, FixedSizeListArray, LargeBinaryArray, LargeListArray, LargeStringArray, ListArray,
    NullArray, PrimitiveArray, RecordBatch, StringArray, StringViewArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng};
use std::collections::HashMap;
use std::sync::Arc;

fn item(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new_list_field(data_type, true))
}

fn fields<const N: usize>(fields: [(&str, DataType); N]) -> Fields {
    fields.into_iter().map(|(name, data_type)| Field::new(name, data_type, true)).collect()
}

/// Types that come back as they are.
fn kept() -> Vec<DataType> {
    let word = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    let point = DataType::Struct(fields([("x", DataType::Int32), ("s", DataType::Utf8)]));
    vec![
        DataType::Null,
        DataType::Boolean,
        DataType::Int8,
        DataType::UInt16,
        DataType::Int64,
        DataType::Float64,
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::Timestamp(TimeUnit::Millisecond, None),
        DataType::Timestamp(TimeUnit::Nanosecond, Some("Asia/Kolkata".into())),
        DataType::Duration(TimeUnit::Microsecond),
        DataType::Duration(TimeUnit::Nanosecond),
        DataType::Time32(TimeUnit::Second),
        DataType::Time32(TimeUnit::Millisecond),
        DataType::Time64(TimeUnit::Microsecond),
        DataType::Time64(TimeUnit::Nanosecond),
        DataType::Decimal32(9, 1),
        DataType::Decimal64(17, 3),
        DataType::Decimal128(15, 2),
        DataType::Decimal128(30, -2),
        word.clone(),
        DataType::List(item(DataType::Boolean)),
        DataType::LargeList(item(DataType::LargeUtf8)),
        DataType::List(item(DataType::List(item(DataType::Int8)))),
        DataType::List(item(point.clone())),
        DataType::List(item(DataType::Null)),
        point.clone(),
        DataType::Struct(fields([
            ("b", DataType::Boolean),
            ("lists", DataType::LargeList(item(word.clone()))),
            ("p", point),
            ("w", word),
        ])),
        DataType::Struct(Fields::empty()),
    ]
}

/// A random type of so many levels, made of those that come back as they are.
pub(super) fn random_type(levels: usize, rng: &mut Rng) -> DataType {
    let kept = kept();
    match rng.below(if levels == 0 { 1 } else { 4 }) {
        0 => kept[usize::try_from(rng.next()).unwrap() % kept.len()].clone(),
        1 => DataType::List(item(random_type(levels - 1, rng))),
        2 => DataType::LargeList(item(random_type(levels - 1, rng))),
        _ => {
            let count = rng.below(3);
            let field = |at| Field::new(format!("f{at}"), random_type(levels - 1, rng), true);
            DataType::Struct((0..=count).map(field).collect())
        }
    }
}

/// A random array built by Arrow alone.
pub(super) fn random(data_type: &DataType, n: usize, nulls: Nulls, rng: &mut Rng) -> ArrayRef {
    let mask = nulls.mask(n, rng);
    let valid: Vec<bool> = mask.clone().unwrap_or(vec![true; n]);
    let buffer = mask.map(NullBuffer::from);
    let bytes = |rng: &mut Rng| {
        let len = usize::try_from(rng.below(16)).unwrap();
        rng.bytes(len)
    };
    let text = |rng: &mut Rng| rng.text(14);
    match data_type {
        DataType::Null => Arc::new(NullArray::new(n)),
        DataType::Boolean => {
            Arc::new(valid.iter().map(|v| v.then(|| rng.below(2) == 1)).collect::<BooleanArray>())
        }
        DataType::Int8 => {
            Arc::new(numbers::<Int8Type>(&valid, rng, |bits| bits.to_le_bytes()[0].cast_signed()))
        }
        DataType::UInt16 => {
            Arc::new(numbers::<UInt16Type>(&valid, rng, |bits| u16::try_from(bits >> 48).unwrap()))
        }
        DataType::Int32 => {
            Arc::new(numbers::<Int32Type>(&valid, rng, |bits| i32::try_from(bits >> 33).unwrap()))
        }
        DataType::Int64 => Arc::new(numbers::<Int64Type>(&valid, rng, u64::cast_signed)),
        DataType::Float64 => Arc::new(numbers::<Float64Type>(&valid, rng, f64::from_bits)),
        DataType::Timestamp(TimeUnit::Millisecond, None) => {
            Arc::new(numbers::<TimestampMillisecondType>(&valid, rng, u64::cast_signed))
        }
        DataType::Timestamp(_, zone) => Arc::new(
            numbers::<TimestampNanosecondType>(&valid, rng, u64::cast_signed).with_timezone_opt(zone.clone()),
        ),
        DataType::Duration(TimeUnit::Microsecond) => {
            Arc::new(numbers::<DurationMicrosecondType>(&valid, rng, u64::cast_signed))
        }
        DataType::Time32(TimeUnit::Second) => {
            Arc::new(numbers::<Time32SecondType>(&valid, rng, |n| i32::try_from(n % 86_400).unwrap()))
        }
        DataType::Time32(_) => Arc::new(numbers::<Time32MillisecondType>(&valid, rng, |n| {
            i32::try_from(n % 86_400_000).unwrap()
        })),
        DataType::Time64(TimeUnit::Microsecond) => {
            Arc::new(numbers::<Time64MicrosecondType>(&valid, rng, |n| {
                i64::try_from(n % 86_400_000_000).unwrap()
            }))
        }
        DataType::Time64(_) => Arc::new(numbers::<Time64NanosecondType>(&valid, rng, |n| {
            i64::try_from(n % 86_400_000_000_000).unwrap()
        })),
        DataType::Duration(_) => Arc::new(numbers::<DurationNanosecondType>(&valid, rng, u64::cast_signed)),
        DataType::Decimal32(precision, scale) => {
            let array = numbers::<Decimal32Type>(&valid, rng, |bits| i32::try_from(bits >> 40).unwrap());
            Arc::new(array.with_precision_and_scale(*precision, *scale).unwrap())
        }
        DataType::Decimal64(precision, scale) => {
            let array = numbers::<Decimal64Type>(&valid, rng, |bits| i64::try_from(bits >> 16).unwrap());
            Arc::new(array.with_precision_and_scale(*precision, *scale).unwrap())
        }
        DataType::Decimal128(precision, scale) => {
            let array = numbers::<Decimal128Type>(&valid, rng, |bits| i128::from(bits >> 16) - 7);
            Arc::new(array.with_precision_and_scale(*precision, *scale).unwrap())
        }
        DataType::Utf8 => Arc::new(valid.iter().map(|v| v.then(|| text(rng))).collect::<StringArray>()),
        DataType::LargeUtf8 => {
            Arc::new(valid.iter().map(|v| v.then(|| text(rng))).collect::<LargeStringArray>())
        }
        DataType::Utf8View => {
            Arc::new(valid.iter().map(|v| v.then(|| text(rng))).collect::<StringViewArray>())
        }
        DataType::Binary => Arc::new(valid.iter().map(|v| v.then(|| bytes(rng))).collect::<BinaryArray>()),
        DataType::LargeBinary => {
            Arc::new(valid.iter().map(|v| v.then(|| bytes(rng))).collect::<LargeBinaryArray>())
        }
        DataType::BinaryView => {
            Arc::new(valid.iter().map(|v| v.then(|| bytes(rng))).collect::<BinaryViewArray>())
        }
        DataType::FixedSizeBinary(width) => {
            let data = rng.bytes(n * usize::try_from(*width).unwrap());
            Arc::new(FixedSizeBinaryArray::new(*width, data.into(), buffer))
        }
        DataType::Dictionary(_, _) => {
            let values: ArrayRef = Arc::new(StringArray::from(vec!["x", "", "ß", "yy"]));
            let keys = numbers::<Int8Type>(&valid, rng, |bits| i8::try_from(bits % 4).unwrap());
            Arc::new(DictionaryArray::<Int8Type>::new(keys, values))
        }
        DataType::List(field) => {
            let offsets = OffsetBuffer::from_lengths((0..n).map(|_| usize::try_from(rng.below(4)).unwrap()));
            let count = usize::try_from(offsets[n]).unwrap();
            // Items after the last row are there too.
            let items = random(field.data_type(), count + 2, Nulls::Some, rng);
            Arc::new(ListArray::new(Arc::clone(field), offsets, items, buffer))
        }
        DataType::LargeList(field) => {
            let offsets = OffsetBuffer::from_lengths((0..n).map(|_| usize::try_from(rng.below(4)).unwrap()));
            let items = random(field.data_type(), usize::try_from(offsets[n]).unwrap(), Nulls::Some, rng);
            Arc::new(LargeListArray::new(Arc::clone(field), offsets, items, buffer))
        }
        DataType::FixedSizeList(field, size) => {
            let items = random(field.data_type(), n * usize::try_from(*size).unwrap(), Nulls::Some, rng);
            Arc::new(FixedSizeListArray::new(Arc::clone(field), *size, items, buffer))
        }
        DataType::Struct(fields) if fields.is_empty() => Arc::new(StructArray::new_empty_fields(n, buffer)),
        DataType::Struct(fields) => {
            let arrays = fields.iter().map(|field| random(field.data_type(), n, Nulls::Some, rng)).collect();
            Arc::new(StructArray::new(fields.clone(), arrays, buffer))
        }
        other => panic!("no random arrays of {other}"),
    }
}

fn numbers<T: ArrowPrimitiveType>(
    valid: &[bool],
    rng: &mut Rng,
    value: impl Fn(u64) -> T::Native,
) -> PrimitiveArray<T> {
    valid.iter().map(|valid| valid.then(|| value(rng.next()))).collect()
}

#[test]
fn arrow_arrays_round_trip() {
    let mut rng = Rng::new(99);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for data_type in kept() {
            for (n, nulls) in [0, 1, 65, 700].into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
                let array = random(&data_type, n, nulls, &mut rng);
                for (offset, len) in [(0, n), (n / 3, n / 2), (n.min(3), n - n.min(3)), (n, 0)] {
                    let slice = array.slice(offset, len);
                    let context = format!("{data_type} n={n} {nulls:?} {offset}..+{len} {device}");
                    let column = Column::from_arrow(&slice).unwrap();
                    assert_eq!(
                        column.null_count(&Exec::host()).unwrap(),
                        slice.logical_null_count(),
                        "{context}"
                    );
                    assert_eq!(column.arrow_type(), data_type, "{context}");
                    let there = column.to_device(&exec).unwrap();
                    assert_eq!(there.device(), device, "{context}");
                    let back = there.to_device(&Exec::host()).unwrap().to_arrow().unwrap();
                    back.to_data().validate_full().unwrap();
                    assert_eq!(&back, &slice, "{context}");
                    let (from, some) = (len / 5, len / 2);
                    let inner = there.slice(from, some).unwrap().to_device(&Exec::host()).unwrap();
                    assert_eq!(&inner.to_arrow().unwrap(), &slice.slice(from, some), "{context}");
                }
                let cut = n / 3;
                let parts = [array.slice(0, cut), array.slice(cut, n - cut)];
                let whole = Column::from_chunks(&parts, &exec).unwrap().to_device(&Exec::host()).unwrap();
                // Offsets narrow, and so do codes that are put together.
                let texts = |column: &Column| -> Vec<String> {
                    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
                };
                let expected = texts(&Column::from_arrow(&array).unwrap());
                assert_eq!(texts(&whole), expected, "{data_type} n={n} {nulls:?} {device}");
            }
        }
    }
}

#[test]
fn fixed_size_lists_and_binary_get_offsets() {
    let mut rng = Rng::new(5);
    for nulls in Nulls::ALL {
        for size in [1, 3] {
            let lists = random(&DataType::FixedSizeList(item(DataType::Utf8), size), 40, nulls, &mut rng);
            for (offset, len) in [(0, 40), (7, 21), (40, 0)] {
                let slice = lists.slice(offset, len);
                let back = Column::from_arrow(&slice).unwrap().to_arrow().unwrap();
                let (back, slice) = (back.as_list::<i32>(), slice.as_fixed_size_list());
                assert_eq!(
                    back.logical_nulls(),
                    slice.logical_nulls().filter(|nulls| nulls.null_count() > 0)
                );
                for row in (0..len).filter(|&row| slice.is_valid(row)) {
                    assert_eq!(&back.value(row), &slice.value(row), "{size} {offset} {row}");
                }
            }
        }
        let bytes = random(&DataType::FixedSizeBinary(5), 40, nulls, &mut rng).slice(3, 30);
        let back = Column::from_arrow(&bytes).unwrap().to_arrow().unwrap();
        assert!(back.as_binary::<i32>().iter().eq(bytes.as_fixed_size_binary().iter()));
        let views = random(&DataType::BinaryView, 40, nulls, &mut rng).slice(3, 30);
        let back = Column::from_arrow(&views).unwrap().to_arrow().unwrap();
        assert!(back.as_binary::<i32>().iter().eq(views.as_binary_view().iter()));
        let views = random(&DataType::Utf8View, 40, nulls, &mut rng).slice(3, 30);
        let back = Column::from_arrow(&views).unwrap().to_arrow().unwrap();
        assert!(back.as_string::<i32>().iter().eq(views.as_string_view().iter()));
    }
}

#[test]
fn numbers_and_lists_share_memory() {
    let mut rng = Rng::new(6);
    for data_type in kept() {
        let array = random(&data_type, 64, Nulls::NoMask, &mut rng);
        if matches!(data_type, DataType::Struct(_) | DataType::Null | DataType::Dictionary(..)) {
            continue;
        }
        let back = Column::from_arrow(&array).unwrap().slice(5, 50).unwrap().to_arrow().unwrap();
        let (before, after) = (array.to_data(), back.to_data());
        let first = |data: &arrow_data::ArrayData| data.buffers()[0].data_ptr();
        assert_eq!(first(&before), first(&after), "{data_type}");
    }
}

#[test]
fn field_metadata_is_converted() {
    let mut rng = Rng::new(7);
    let words = random(
        &DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
        40,
        Nulls::Some,
        &mut rng,
    );
    let ends = fields([("left", DataType::Int64), ("right", DataType::Int64)]);
    let spans = random(&DataType::Struct(ends), 40, Nulls::Some, &mut rng);
    let closed = |parameters: &str| {
        HashMap::from([
            ("ARROW:extension:name".to_owned(), "pandas.interval".to_owned()),
            ("ARROW:extension:metadata".to_owned(), parameters.to_owned()),
        ])
    };
    let pandas = closed("{\"subtype\": \"int64\", \"closed\": \"left\"}");
    let batch = |metadata: HashMap<String, String>| {
        let schema = Schema::new(vec![
            Field::new("w", words.data_type().clone(), true).with_dict_is_ordered(true),
            Field::new("s", spans.data_type().clone(), true).with_metadata(metadata),
        ]);
        RecordBatch::try_new(Arc::new(schema), vec![Arc::clone(&words), Arc::clone(&spans)]).unwrap()
    };
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let columns = ColumnAccessor::from_record_batches(&[batch(pandas.clone())], &exec).unwrap();
        let dtypes: Vec<DType> = columns.columns().iter().map(Column::dtype).collect();
        assert_eq!(dtypes[0].to_string(), "dictionary<int8, utf8, ordered>");
        assert_eq!(dtypes[1].to_string(), "interval<int64, left>");
        let back = columns.to_record_batch().unwrap();
        assert_eq!(back, batch(pandas.clone()));
        let again = ColumnAccessor::from_record_batch(&back).unwrap();
        assert_eq!(again.columns()[1].dtype(), dtypes[1]);
    }
    let refused = ColumnAccessor::from_record_batch(&batch(closed("{}"))).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Value);
}
