//! Arrow arrays in and out.

use super::{data_type, dtype};
use crate::{CategoricalColumn, Column, ColumnAccessor, DType, Error, ErrorKind, Scalar, StringColumn};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, Decimal256Type, Float16Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal32Array, Decimal64Array, Decimal128Array,
    DictionaryArray, Float16Array, Float32Array, Float64Array, Int16Array, Int32Array, Int64Array,
    IntervalDayTimeArray, IntervalMonthDayNanoArray, IntervalYearMonthArray, LargeStringArray, ListArray,
    ListViewArray, PrimitiveArray, RecordBatch, RunArray, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray, UInt64Array,
};
use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, NullBuffer, i256};
use arrow_schema::{DataType, Field, Schema};
use columnade_buffers::{Device, Exec};
use columnade_kernels::OffsetWidth;
use std::sync::Arc;

fn arrays() -> Vec<ArrayRef> {
    let n = 70;
    let some = |i: i32| i % 5 != 2;
    vec![
        Arc::new((0..n).map(|i| some(i).then_some(i16::try_from(i).unwrap())).collect::<Int16Array>()),
        Arc::new((0..n).map(|i| some(i).then_some(-i)).collect::<Int32Array>()),
        Arc::new((0..n).map(i64::from).map(Some).collect::<Int64Array>()),
        Arc::new((0..n).map(|i| some(i).then_some(u64::MAX)).collect::<UInt64Array>()),
        Arc::new((0..n).map(|i| some(i).then_some(f64::from(i) / 4.0)).collect::<Float64Array>()),
        Arc::new((0..n).map(|i| some(i).then_some(i % 3 == 0)).collect::<BooleanArray>()),
        Arc::new((0..n).map(|i| Some(i % 3 == 0)).collect::<BooleanArray>()),
        Arc::new((0..n).map(|i| some(i).then_some(i * 300)).collect::<Date32Array>()),
        Arc::new(
            (0..n).map(|i| some(i).then_some(i64::from(i) << 40)).collect::<TimestampMicrosecondArray>(),
        ),
        Arc::new(
            (0..n)
                .map(|i| some(i).then(|| "é".repeat(usize::try_from(i % 4).unwrap())))
                .collect::<StringArray>(),
        ),
        Arc::new(
            (0..n)
                .map(|i| some(i).then(|| "中".repeat(usize::try_from(i % 4).unwrap())))
                .collect::<LargeStringArray>(),
        ),
        Arc::new(
            (0..n)
                .map(|i| some(i).then(|| "a view's text ".repeat(usize::try_from(i % 4).unwrap())))
                .collect::<StringViewArray>(),
        ),
        Arc::new(decimal64().with_precision_and_scale(15, 2).unwrap()),
        Arc::new((0..n).map(|i| some(i).then_some(i32::MAX - i)).collect::<Decimal32Array>()),
        Arc::new(decimal128().with_precision_and_scale(15, 2).unwrap()),
        Arc::new(decimal128().with_precision_and_scale(38, 5).unwrap()),
        Arc::new(words().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(words().collect::<DictionaryArray<Int32Type>>()),
        Arc::new(words().collect::<DictionaryArray<UInt8Type>>()),
        Arc::new(words().collect::<DictionaryArray<UInt32Type>>()),
    ]
}

fn decimal64() -> Decimal64Array {
    (0..70_i64).map(|i| (i % 5 != 2).then_some(100 - i * 7)).collect()
}

fn decimal128() -> Decimal128Array {
    (0..70_i128).map(|i| (i % 5 != 2).then_some(100 - i * 7)).collect()
}

fn words() -> impl Iterator<Item = Option<&'static str>> {
    (0..70).map(|i| (i % 5 != 2).then_some(["x", "ß", "", "zz"][i % 4]))
}

/// The values as text, read by Arrow alone.
fn texts(array: &dyn Array) -> Vec<Option<String>> {
    let text = |row: usize| {
        let scalar = Column::from_arrow(array).unwrap().get(row).unwrap();
        (!scalar.is_null()).then(|| scalar.to_string())
    };
    (0..array.len()).map(text).collect()
}

#[test]
fn whole_and_sliced_arrays_round_trip() {
    for array in arrays() {
        let whole = texts(&array);
        for (offset, len) in [(0, 70), (0, 0), (1, 68), (8, 9), (13, 57), (70, 0)] {
            let slice = array.slice(offset, len);
            let column = Column::from_arrow(&slice).unwrap();
            assert_eq!(column.dtype(), dtype(array.data_type()).unwrap());
            assert_eq!(column.size(), len);
            assert_eq!(column.known_null_count(), Some(slice.logical_null_count()), "{}", array.data_type());
            let back = column.to_arrow().unwrap();
            assert_eq!(back.data_type(), &column.arrow_type());
            back.to_data().validate_full().unwrap();
            assert_eq!(texts(&back), whole[offset..offset + len], "{} {offset}", array.data_type());
            if len > 4 {
                let inner = column.slice(3, len - 4).unwrap().to_arrow().unwrap();
                inner.to_data().validate_full().unwrap();
                assert_eq!(texts(&inner), whole[offset + 3..][..len - 4], "{} {offset}", array.data_type());
            }
            if back.data_type() == array.data_type() {
                assert_eq!(&back, &slice, "{}", array.data_type());
            }
        }
    }
}

#[test]
fn imported_values_match_arrow() {
    let column = Column::from_arrow(&decimal128().with_precision_and_scale(15, 2).unwrap()).unwrap();
    assert_eq!(column.get(1), Ok(Scalar::Decimal { value: 93, precision: 15, scale: 2 }));
    let column = Column::from_arrow(&words().collect::<DictionaryArray<UInt8Type>>().slice(4, 9)).unwrap();
    let expected: Vec<_> =
        words().skip(4).take(9).map(|word| word.map_or(Scalar::Null(DType::Utf8), Scalar::from)).collect();
    assert_eq!(column.to_scalars().unwrap(), expected);
    let bits: BooleanArray = (0..70).map(|i| (i % 7 != 0).then_some(i % 2 == 0)).collect();
    let column = Column::from_arrow(&bits.slice(9, 40)).unwrap();
    let expected: Vec<_> = (9..49)
        .map(|i| if i % 7 == 0 { Scalar::Null(DType::Bool) } else { Scalar::Bool(i % 2 == 0) })
        .collect();
    assert_eq!(column.to_scalars().unwrap(), expected);
}

#[test]
fn import_and_export_share_memory() {
    let array = Int64Array::from_iter_values(0..1000);
    let column = Column::from_arrow(&array.slice(100, 800)).unwrap();
    let back = column.to_arrow().unwrap().to_data();
    assert_eq!(back.buffers()[0].as_ptr(), array.values()[100..].as_ptr().cast());
    let text = StringArray::from_iter_values(["a", "bc", "def"]);
    let back = Column::from_arrow(&text.slice(1, 2)).unwrap().to_arrow().unwrap().to_data();
    assert_eq!(back.buffers()[1].as_ptr(), text.values().as_ptr());
}

#[test]
fn sliced_masks_share_memory() {
    let host = Exec::host();
    let n = 300;
    let some = |i: i32| i % 5 != 2;
    let mut arrays = arrays();
    arrays.retain(|array| {
        let converts = matches!(
            array.data_type(),
            DataType::Utf8View | DataType::Decimal32(..) | DataType::Decimal128(15, _)
        );
        let codes = array.as_any_dictionary_opt().map(|array| array.keys().data_type().is_signed_integer());
        array.null_count() > 0 && !converts && codes != Some(false)
    });
    arrays.push(Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(
        (0..n).map(|i| some(i).then(|| (0..i % 3).map(Some))),
    )));
    arrays.push(Arc::new((0..n).map(|i| some(i).then_some(i64::from(i))).collect::<Int64Array>()));
    let word = |array: &dyn Array| {
        let nulls = array.nulls().unwrap();
        nulls.buffer()[nulls.offset() / 32 * 4..].as_ptr()
    };
    for array in arrays {
        for (offset, len) in [(0, 60), (1, 60), (3, 30), (9, 40), (31, 30), (33, 30), (200, 90)] {
            if offset + len > array.len() {
                continue;
            }
            let slice = array.slice(offset, len);
            let column = Column::from_arrow(&slice).unwrap();
            let mask = column.mask().unwrap().read(&host).unwrap();
            assert_eq!(mask.as_ptr(), word(&slice), "{} {offset}", array.data_type());
            assert_eq!(texts(&column.to_arrow().unwrap()), texts(&slice), "{} {offset}", array.data_type());
            if let Some(offsets) = column.offsets() {
                let before = offset % 32 * offsets.1.bytes();
                let start = slice.to_data().buffers()[0].as_ptr();
                assert_eq!(offsets.0.read(&host).unwrap().as_ptr(), start.wrapping_sub(before));
            }
        }
    }
    // A mask that begins elsewhere than the values, which nothing precedes.
    let nulls: NullBuffer = (0..70).map(some).collect();
    let nulls = nulls.slice(9, 60);
    let values = Int64Array::new((0..60).collect(), Some(nulls));
    let column = Column::from_arrow(&values).unwrap();
    assert_eq!((column.offset(), column.null_count(&host)), (0, Ok(12)));
    assert_eq!(&column.to_arrow().unwrap(), &(Arc::new(values) as ArrayRef));
}

#[test]
fn imported_dictionaries_are_distinct_without_nulls() {
    let values: StringArray = [Some("a"), None, Some("a"), Some("b")].into_iter().collect();
    let keys: Int32Array = [Some(0), Some(1), None, Some(2), Some(3)].into_iter().collect();
    let array = DictionaryArray::<Int32Type>::new(keys, Arc::new(values));
    let Column::Categorical(column) = Column::from_arrow(&array).unwrap() else {
        panic!("a dictionary is categorical");
    };
    let dictionary = column.dictionary().to_scalars().unwrap();
    assert_eq!(dictionary, ["a", "b"].map(Scalar::from));
    let null = Scalar::Null(DType::Utf8);
    let rows = Column::Categorical(column).to_scalars().unwrap();
    assert_eq!(rows, ["a".into(), null.clone(), null, "a".into(), "b".into()]);
}

#[test]
fn chunks_form_one_column_on_every_device() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for array in arrays() {
            let chunks: Vec<ArrayRef> =
                [(0, 13), (13, 0), (13, 40), (53, 17)].map(|(offset, len)| array.slice(offset, len)).to_vec();
            let column = Column::from_chunks(&chunks, &exec).unwrap();
            assert_eq!(column.device(), device);
            let expected = Column::from_arrow(&array).unwrap();
            assert_eq!(column.dtype().logical(), expected.dtype().logical());
            assert_eq!(column.to_scalars().unwrap(), expected.to_scalars().unwrap(), "{}", array.data_type());
        }
        let first: DictionaryArray<Int8Type> = ["x", "y"].into_iter().collect();
        let second: DictionaryArray<Int8Type> = ["y", "w", "x"].into_iter().collect();
        let column = Column::from_chunks(&[Arc::new(first), Arc::new(second)], &exec).unwrap();
        assert_eq!(column.to_scalars().unwrap(), ["x", "y", "y", "w", "x"].map(Scalar::from));
        let Column::Categorical(column) = column else { panic!("a dictionary is categorical") };
        assert_eq!(column.dictionary().size(), 3);
    }
    assert!(matches!(Column::from_chunks(&[], &Exec::host()), Err(Error::InvalidArgument { .. })));
    let mixed: [ArrayRef; 2] = [Arc::new(Int32Array::from(vec![1])), Arc::new(StringArray::from(vec!["a"]))];
    assert!(Column::from_chunks(&mixed, &Exec::host()).is_err());
}

#[test]
fn decimals_keep_width_and_share_memory() {
    let array = Decimal128Array::from(vec![1, -250]).with_precision_and_scale(15, 2).unwrap();
    let column = Column::from_arrow(&array).unwrap();
    assert_eq!(column.dtype().to_string(), "decimal128(15,2)");
    let host = Exec::host();
    let guard = column.data().unwrap().read(&host).unwrap();
    assert_eq!(guard.as_ptr().cast(), array.values().as_ptr());
    let array = Decimal32Array::from(vec![1, -250]).with_precision_and_scale(7, 2).unwrap();
    let column = Column::from_arrow(&array).unwrap();
    assert_eq!(column.dtype().to_string(), "decimal32(7,2)");
    assert_eq!(column.get(1).unwrap().to_string(), "-2.50");
    assert_eq!(column.to_arrow().unwrap().as_ref(), &array as &dyn Array);
}

#[test]
fn unsupported_arrow_types_are_named() {
    for unsupported in [
        DataType::Time64(arrow_schema::TimeUnit::Second),
        DataType::Decimal256(60, 50),
        DataType::Union(arrow_schema::UnionFields::empty(), arrow_schema::UnionMode::Dense),
        DataType::Dictionary(
            Box::new(DataType::Int8),
            Box::new(DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))),
        ),
    ] {
        let error = dtype(&unsupported).unwrap_err();
        assert!(error.to_string().contains(&unsupported.to_string()), "{error}");
    }
    for array in arrays() {
        let known = dtype(array.data_type()).unwrap();
        assert_eq!(dtype(&data_type(&known)), Ok(known));
    }
}

#[test]
fn record_batches_round_trip() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let fields: Vec<Field> = arrays()
            .iter()
            .enumerate()
            .map(|(i, a)| Field::new(format!("c{i}"), a.data_type().clone(), true))
            .collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays()).unwrap();
        let columns = ColumnAccessor::from_record_batch(&batch).unwrap();
        let halves = [batch.slice(0, 30), batch.slice(30, 40)];
        let joined = ColumnAccessor::from_record_batches(&halves, &exec).unwrap();
        assert_eq!((columns.rows(), joined.rows(), joined.len()), (70, 70, arrays().len()));
        let back = joined.to_record_batch().unwrap();
        for ((label, column), array) in columns.iter().zip(back.columns()) {
            assert_eq!(texts(array), texts(&column.to_arrow().unwrap()), "{label}");
        }
    }
    let int = Int64Array::from(vec![1]);
    let schema =
        Schema::new(vec![Field::new("a", DataType::Int64, true), Field::new("a", DataType::Int64, true)]);
    let batch = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(int.clone()), Arc::new(int)]).unwrap();
    assert!(matches!(ColumnAccessor::from_record_batch(&batch), Err(Error::DuplicateLabel { .. })));
    let none = arrow_array::new_empty_array(&DataType::Decimal256(60, 50));
    let schema = Schema::new(vec![Field::new("n", none.data_type().clone(), true)]);
    let batch = RecordBatch::try_new(Arc::new(schema), vec![none]).unwrap();
    let refused = ColumnAccessor::from_record_batch(&batch).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotImplemented);
    assert!(refused.to_string().contains("\"n\"") && refused.to_string().contains("Decimal256"), "{refused}");
}

/// Every one of them, there and gone, wherever a slice begins.
#[test]
fn float16_becomes_float32() {
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    let nulls: NullBuffer = bits.iter().map(|bits| bits % 5 != 2).collect();
    let values: Vec<<Float16Type as ArrowPrimitiveType>::Native> =
        bits.iter().map(|&bits| <Float16Type as ArrowPrimitiveType>::Native::from_bits(bits)).collect();
    let array = Float16Array::new(values.clone().into(), Some(nulls));
    for (offset, len) in [(0, 1 << 16), (1, 1), (31, 700), (513, 30_000), (0, 0)] {
        let column = Column::from_arrow(&array.slice(offset, len)).unwrap();
        assert_eq!(column.dtype(), DType::Float32);
        for (row, value) in column.to_scalars().unwrap().into_iter().enumerate() {
            let expected = values[offset + row].to_f64();
            match value {
                Scalar::Float32(value) if expected.is_nan() => assert!(value.is_nan()),
                Scalar::Float32(value) => {
                    let same = f64::from(value).to_bits() == expected.to_bits();
                    assert!(same, "{value} is not {expected}");
                }
                null => assert!(null.is_null() && (offset + row) % 5 == 2),
            }
        }
    }
}

#[test]
fn null_dictionaries_become_empty_string_dictionaries() {
    for keys in [vec![], vec![None], vec![Some(0), None, Some(1)]] {
        let keys: arrow_array::Int8Array = keys.into();
        let array = DictionaryArray::new(keys.clone(), Arc::new(arrow_array::NullArray::new(2)));
        let column = Column::from_arrow(&array).unwrap();
        assert_eq!(column.dtype().to_string(), "dictionary<int8, utf8>");
        assert_eq!(column.dtype(), dtype(array.data_type()).unwrap());
        assert_eq!(column.to_scalars().unwrap(), vec![Scalar::Null(DType::Utf8); keys.len()]);
        assert_eq!(column.children()[0].size(), 0);
        column.to_arrow().unwrap().to_data().validate_full().unwrap();
    }
}

/// Lists and structs, some of them null and two of them equal.
pub(super) fn nested_values() -> Vec<ArrayRef> {
    let numbers = vec![Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(7)]), Some(vec![])];
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(numbers);
    let words: ArrayRef = Arc::new(StringArray::from(vec![Some("ü"), None, Some("b"), None, Some("b")]));
    let fields = vec![
        (Arc::new(Field::new("word", DataType::Utf8, true)), words),
        (Arc::new(Field::new("list", lists.data_type().clone(), true)), Arc::new(lists.clone()) as ArrayRef),
    ];
    let structs = StructArray::from(fields);
    vec![Arc::new(lists), Arc::new(structs)]
}

/// The same codes in each type.
pub(super) fn nested_dictionaries(values: &ArrayRef, codes: &[Option<i8>]) -> Vec<ArrayRef> {
    fn of<T: ArrowDictionaryKeyType>(values: &ArrayRef, codes: &[Option<i8>]) -> ArrayRef
    where
        T::Native: TryFrom<i8>,
    {
        let code = |code: &Option<i8>| code.map(|code| T::Native::try_from(code).ok().unwrap());
        let keys = codes.iter().map(code).collect::<PrimitiveArray<T>>();
        Arc::new(DictionaryArray::<T>::new(keys, Arc::clone(values)))
    }
    vec![
        of::<Int8Type>(values, codes),
        of::<UInt8Type>(values, codes),
        of::<Int16Type>(values, codes),
        of::<UInt16Type>(values, codes),
        of::<Int32Type>(values, codes),
        of::<UInt32Type>(values, codes),
        of::<Int64Type>(values, codes),
        of::<UInt64Type>(values, codes),
    ]
}

#[test]
fn dictionary_of_nested_values_is_decoded() {
    let codes: Vec<Option<i8>> = (0..70).map(|row| (row % 7 > 0).then_some(row % 5)).collect();
    for values in nested_values() {
        let own = Column::from_arrow(&values).unwrap();
        let scalars = own.to_scalars().unwrap();
        let null = Scalar::Null(own.dtype());
        let expected: Vec<Scalar> = codes
            .iter()
            .map(|code| code.map_or(null.clone(), |code| scalars[usize::try_from(code).unwrap()].clone()))
            .collect();
        for array in nested_dictionaries(&values, &codes) {
            assert_eq!(dtype(array.data_type()).unwrap(), own.dtype());
            for (offset, len) in [(0, 70), (0, 0), (1, 1), (31, 33), (69, 1)] {
                let column = Column::from_arrow(&array.slice(offset, len)).unwrap();
                assert_eq!(column.dtype(), own.dtype());
                let expected = &expected[offset..offset + len];
                assert_eq!(column.to_scalars().unwrap(), expected, "{} {offset}", array.data_type());
                column.to_arrow().unwrap().to_data().validate_full().unwrap();
            }
        }
        // No value at all.
        for array in nested_dictionaries(&values.slice(0, 0), &[None, None]) {
            let column = Column::from_arrow(&array).unwrap();
            assert_eq!(column.to_scalars().unwrap(), [null.clone(), null.clone()]);
        }
    }
}

#[test]
fn float_dictionary_is_imported() {
    let values: Float64Array = vec![0.0, f64::NAN, -0.0, -f64::NAN, 1.5].into();
    let keys: Int32Array = vec![Some(2), Some(3), None, Some(0), Some(4), Some(1)].into();
    let column = Column::from_arrow(&DictionaryArray::<Int32Type>::new(keys, Arc::new(values))).unwrap();
    let Column::Categorical(column) = &column else { panic!("{}", column.dtype()) };
    // Rows are equal where their codes are.
    let codes = [Some(0), Some(1), None, Some(0), Some(2), Some(1)];
    let codes = codes.map(|code| code.map_or(Scalar::Null(DType::Int32), Scalar::Int32));
    assert_eq!(column.codes().to_scalars().unwrap(), codes);
    assert_eq!(column.dictionary().size(), 3);
}

/// Of equal values, the first is the category, with its sign.
#[test]
fn negative_zero_stays_in_dictionary() {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    for (values, expected) in [
        (vec![1.5, -0.0, 2.5], vec![1.5, -0.0, 2.5]),
        (vec![1.5, -0.0, 1.5], vec![1.5, -0.0]),
        (vec![-0.0, 1.5, 0.0], vec![-0.0, 1.5]),
        (vec![0.0, 1.5, -0.0], vec![0.0, 1.5]),
    ] {
        let array: Float64Array = values.clone().into();
        let keys: Int32Array = (0..3).map(Some).collect();
        let column = Column::from_arrow(&DictionaryArray::<Int32Type>::new(keys, Arc::new(array))).unwrap();
        let Column::Categorical(column) = &column else { panic!("{}", column.dtype()) };
        let kept = column.dictionary().to_vec::<f64>().unwrap();
        assert_eq!(bits(&kept), bits(&expected), "{values:?}");
        let encoded = CategoricalColumn::encode(&Column::from_vec(values)).unwrap();
        assert_eq!(bits(&encoded.dictionary().to_vec::<f64>().unwrap()), bits(&expected));
    }
    let single: Float32Array = vec![1.5, 1.5, -0.0].into();
    let keys: Int32Array = (0..3).map(Some).collect();
    let column = Column::from_arrow(&DictionaryArray::<Int32Type>::new(keys, Arc::new(single))).unwrap();
    let Column::Categorical(column) = &column else { panic!("{}", column.dtype()) };
    assert_eq!(column.dictionary().to_vec::<f32>().unwrap()[1].to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn primitive_dictionary_is_imported() {
    let values: Int64Array = vec![500, 7].into();
    let keys: Int32Array = vec![Some(1), None, Some(0)].into();
    let array = DictionaryArray::<Int32Type>::new(keys, Arc::new(values));
    let column = Column::from_arrow(&array).unwrap();
    assert_eq!(column.dtype().to_string(), "dictionary<int32, int64>");
    assert_eq!(column.to_scalars().unwrap(), [7_i64.into(), Scalar::Null(DType::Int64), 500_i64.into()]);
    let back = column.to_arrow().unwrap();
    assert_eq!(back.as_any().downcast_ref::<DictionaryArray<Int32Type>>(), Some(&array));
}

#[test]
fn invalid_utf8_is_not_exported() {
    let exec = Exec::host();
    let buffer = |bytes: &[u8]| columnade_buffers::Buffer::from_slice(bytes, &exec).unwrap();
    for (offsets, chars) in
        [([0_i32, 1, 2], &[0xff_u8, 0xfe][..]), ([0, 1, 2], "é".as_bytes()), ([0, 2, 1], b"ab")]
    {
        let offsets = columnade_buffers::Buffer::from_slice(&offsets, &exec).unwrap();
        let text = StringColumn::new(offsets, OffsetWidth::I32, buffer(chars), None, 0, 2).unwrap();
        assert!(matches!(Column::String(text).to_arrow(), Err(Error::Arrow { .. })), "{chars:?}");
    }
    let dictionary = Arc::new(Column::from_values(["a"], &exec).unwrap());
    let codes = CategoricalColumn::new(&Column::from_vec(vec![0_i32, 1]), dictionary).unwrap();
    assert!(matches!(Column::Categorical(codes).to_arrow(), Err(Error::Arrow { .. })));
}

/// Intervals of each unit, the second one null, and the structs that they become.
pub(super) fn calendar_intervals() -> [(ArrayRef, [&'static str; 3]); 3] {
    let months = IntervalYearMonthArray::from(vec![Some(-14), None, Some(i32::MAX)]);
    let days = [Some((1, -2)), None, Some((i32::MIN, i32::MAX))];
    let days = days.map(|part| part.map(|(days, milliseconds)| IntervalDayTime::new(days, milliseconds)));
    let all = [Some((1, -2, 3)), None, Some((i32::MIN, 0, i64::MIN))];
    let all = all.map(|part| part.map(|(months, days, rest)| IntervalMonthDayNano::new(months, days, rest)));
    [
        (Arc::new(months), ["{months: -14}", "<NA>", "{months: 2147483647}"]),
        (
            Arc::new(IntervalDayTimeArray::from(days.to_vec())),
            ["{days: 1, milliseconds: -2}", "<NA>", "{days: -2147483648, milliseconds: 2147483647}"],
        ),
        (
            Arc::new(IntervalMonthDayNanoArray::from(all.to_vec())),
            [
                "{months: 1, days: -2, nanoseconds: 3}",
                "<NA>",
                "{months: -2147483648, days: 0, nanoseconds: -9223372036854775808}",
            ],
        ),
    ]
}

/// Slices of layouts that columns do not have, against Arrow's own rows.
#[test]
fn layouts_without_a_column_become_rows() {
    let items = Int32Array::from(vec![Some(1), None, Some(3), Some(4), Some(5)]);
    let views = ListViewArray::new(
        Arc::new(Field::new_list_field(DataType::Int32, true)),
        vec![3, 0, 0, 2, 5].into(),
        vec![2, 3, 5, 0, 0].into(),
        Arc::new(items),
        Some(NullBuffer::from(vec![true, true, false, true, true])),
    );
    let expected = ["[4, 5]", "[1, <NA>, 3]", "<NA>", "[]", "[]"];
    let words = StringArray::from(vec![Some("é"), None, Some("zz")]);
    let runs = RunArray::<Int32Type>::try_new(&Int32Array::from(vec![2, 3, 70]), &words).unwrap();
    let run = |row: usize| ["é", "é", "<NA>"].get(row).copied().unwrap_or("zz");
    let text = |array: &dyn Array| {
        let column = Column::from_arrow(array).unwrap();
        assert_eq!(column.dtype(), dtype(array.data_type()).unwrap());
        column.to_scalars().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for (start, len) in [(0, 5), (1, 3), (0, 0), (4, 1), (3, 2)] {
        assert_eq!(text(&views.slice(start, len)), expected[start..start + len]);
    }
    for (start, len) in [(0, 70), (1, 1), (1, 2), (2, 1), (2, 64), (3, 63), (31, 33), (70, 0), (0, 0)] {
        let expected: Vec<_> = (start..start + len).map(run).collect();
        assert_eq!(text(&runs.slice(start, len)), expected, "{start} {len}");
    }
    // More rows of one value than any memory is asked for.
    let many = RunArray::<Int32Type>::try_new(&Int32Array::from(vec![i32::MAX]), &Int32Array::from(vec![1]));
    assert!(Column::from_arrow(&many.unwrap()).unwrap_err().to_string().contains("fill no memory"));

    let wide = [Some(i256::from_i128(-1205)), None, Some(i256::from_i128(10_i128.pow(38) - 1))];
    let wide = PrimitiveArray::<Decimal256Type>::from_iter(wide).with_precision_and_scale(60, 2).unwrap();
    let expected = ["-12.05", "<NA>", "999999999999999999999999999999999999.99"];
    assert_eq!(text(&wide), expected);
    assert_eq!(text(&wide.slice(1, 2)), expected[1..]);
    let beyond = PrimitiveArray::<Decimal256Type>::from_iter([Some(i256::from_i128(10_i128.pow(38)))]);
    let beyond = beyond.with_precision_and_scale(60, 2).unwrap();
    assert!(matches!(Column::from_arrow(&beyond).unwrap_err(), Error::Overflow { .. }));
    assert!(matches!(dtype(&DataType::Decimal256(60, 50)), Err(Error::NotImplemented { .. })));

    for (array, expected) in calendar_intervals() {
        for (start, len) in [(0, 3), (1, 2), (2, 1), (1, 0), (0, 0)] {
            assert_eq!(text(&array.slice(start, len)), expected[start..start + len], "{start} {len}");
        }
    }
    assert_eq!(dtype(&DataType::Date64).unwrap(), DType::Timestamp(crate::TimeUnit::Milli));
}
