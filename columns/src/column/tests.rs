//! Columns on every device: built, sliced, moved and read back.

use super::rows::SLICE_STEP_ROWS;
use super::{
    CategoricalColumn, Column, DecimalColumn, IntervalColumn, ListColumn, NullColumn, NumericColumn,
    StringColumn, StructColumn,
};
use crate::test_dtypes::{dtypes, null, scalar, scalars};
use crate::{Closed, DType, DecimalStorage, DeviceScalar, DictionaryType, Error, ErrorKind, Scalar};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::{ColumnData, FixedData, OffsetWidth, Storage, View};
use columnade_tests::{Nulls, Rng, SIZES};
use std::sync::Arc;

#[test]
fn whole_and_sliced_values_round_trip() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        for dtype in dtypes() {
            for (n, nulls) in [0, 1, 33, 1400].into_iter().flat_map(|n| Nulls::ALL.map(|p| (n, p))) {
                let values = scalars(&dtype, n, nulls, &mut rng);
                let column = Column::from_scalars(&dtype, &values, &exec).unwrap();
                let context = format!("{dtype} n={n} {nulls:?} {device}");
                assert_eq!((column.dtype(), column.size(), column.device()), (dtype.clone(), n, device));
                assert_eq!(column.to_scalars().unwrap(), values, "{context}");
                let null_count = values.iter().filter(|value| value.is_null()).count();
                assert_eq!(column.null_count(&exec).unwrap(), null_count, "{context}");
                let mut slice = column.clone();
                let mut start = 0;
                for step in [1, 5, SLICE_STEP_ROWS, 3] {
                    if slice.size() < step + 2 {
                        break;
                    }
                    slice = slice.slice(step, slice.size() - step - 2).unwrap();
                    start += step;
                    let expected = &values[start..][..slice.size()];
                    assert!(slice.offset() < SLICE_STEP_ROWS, "{context}");
                    assert_eq!(slice.to_scalars().unwrap(), expected, "{context} from {start}");
                    let nulls = expected.iter().filter(|value| value.is_null()).count();
                    assert_eq!(slice.null_count(&exec).unwrap(), nulls, "{context} from {start}");
                    assert_eq!(slice.get(0).unwrap(), expected[0], "{context} from {start}");
                }
            }
        }
    }
}

#[test]
fn columns_move_between_devices() {
    let host = Exec::host();
    let mut rng = Rng::new(8);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for dtype in dtypes() {
            let values = scalars(&dtype, 700, Nulls::Some, &mut rng);
            let column = Column::from_scalars(&dtype, &values, &host).unwrap();
            for (offset, len) in [(0, 700), (3, 690), (530, 100), (700, 0)] {
                let there = column.slice(offset, len).unwrap().to_device(&exec).unwrap();
                assert_eq!(there.device(), device);
                let here = there.slice(len / 3, len / 2).unwrap().to_device(&host).unwrap();
                assert_eq!(
                    here.to_scalars().unwrap(),
                    values[offset + len / 3..][..len / 2],
                    "{dtype} {device}"
                );
            }
            if device == Device::Host {
                let shared = column.to_device(&exec).unwrap().shares_memory(&column);
                assert_eq!(shared, column.data().is_some(), "{dtype}");
            }
        }
    }
}

#[test]
fn slices_share_and_narrow_buffers() {
    let column = Column::from_vec((0..2000_i64).collect());
    let slice = column.slice(1100, 10).unwrap();
    assert!(slice.shares_memory(&column));
    assert_eq!((slice.offset(), slice.data().unwrap().len()), (1100 - 1024, (76 + 10) * 8));
    assert_eq!(slice.get(0), Ok(Scalar::Int64(1100)));
    let beyond = Error::RowsOutOfBounds { offset: 1, count: 2000, len: 2000 };
    assert_eq!(column.slice(1, 2000).unwrap_err(), beyond);
    assert_eq!(column.slice(usize::MAX, 2).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(column.get(2000).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(column.slice(2000, 0).unwrap().size(), 0);
}

#[test]
fn columns_build_from_values_and_options() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let values: Vec<Option<i32>> =
                (0..i32::try_from(n).unwrap()).map(|i| (i % 3 > 0).then_some(i - 7)).collect();
            let column = Column::from_options(values.clone(), &exec).unwrap();
            let expected: Vec<_> =
                values.iter().map(|v| v.map_or(Scalar::Null(DType::Int32), Scalar::Int32)).collect();
            assert_eq!(column.to_scalars().unwrap(), expected);
        }
        let bits = Column::from_values([true, false, true], &exec).unwrap();
        assert_eq!(bits.to_scalars().unwrap(), [true, false, true].map(Scalar::from));
        assert_eq!(bits.known_null_count(), Some(0));
        let text = Column::from_values(["é", "", "🦀"], &exec).unwrap();
        assert_eq!(text.to_scalars().unwrap(), ["é", "", "🦀"].map(Scalar::from));
        let floats = Column::from_slice(&[f64::NAN, -0.0], &exec).unwrap();
        assert!(matches!(floats.get(0), Ok(Scalar::Float64(v)) if v.is_nan()));
        assert!(matches!(floats.get(1), Ok(Scalar::Float64(v)) if v.to_bits() == (-0.0_f64).to_bits()));
    }
}

#[test]
fn full_repeats_one_scalar() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(9);
        for dtype in dtypes() {
            for n in [0, 1, 65] {
                let nulls = Column::full_null(&dtype, n, &exec).unwrap();
                assert_eq!((nulls.dtype(), nulls.device()), (dtype.clone(), device));
                assert_eq!(nulls.to_scalars().unwrap(), vec![null(&dtype); n], "{dtype}");
                assert_eq!(nulls.null_count(&exec), Ok(n));
                let value = scalar(&dtype, &mut rng);
                let full = Column::from_scalar(&value, n, &exec).unwrap();
                assert_eq!(full.to_scalars().unwrap(), vec![value.clone(); n], "{dtype}");
                let one = DeviceScalar::from_scalar(&value, &exec).unwrap();
                assert_eq!((one.device(), one.to_scalar().unwrap()), (device, value.clone()), "{dtype}");
                assert_eq!(one.is_null(&exec), Ok(value.is_null()));
            }
        }
        let dictionary = DType::Dictionary(Box::new(DictionaryType {
            codes: Storage::I8,
            values: DType::Utf8,
            ordered: false,
        }));
        let nulls = Column::full_null(&dictionary, 3, &exec).unwrap();
        assert_eq!(nulls.dtype(), dictionary);
        assert_eq!(nulls.to_scalars().unwrap(), vec![Scalar::Null(DType::Utf8); 3]);
    }
}

#[test]
fn kernel_results_become_columns_of_their_storage() {
    let exec = Exec::host();
    let data = |storage, len| {
        let data = Buffer::zeroed(Storage::bytes(storage, len), &exec).unwrap();
        ColumnData::Fixed(FixedData { storage, len, data, validity: None })
    };
    let cents = DType::decimal(15, 2).unwrap();
    assert_eq!(Column::from_data(cents.clone(), data(Storage::I64, 3)).unwrap().dtype(), cents);
    let refused = Column::from_data(DType::Utf8, data(Storage::I64, 3)).unwrap_err();
    assert_eq!(refused, Error::UnsupportedDType { dtype: DType::Utf8 });
    let column = Column::from_vec(vec![1_i32]);
    assert_eq!(column.with_data(data(Storage::I32, 3), &exec).unwrap().dtype(), DType::Int32);
    assert_eq!(column.with_data(data(Storage::I64, 3), &exec).unwrap_err().kind(), ErrorKind::Type);
    assert_eq!(column.reinterpret(&DType::Date32).unwrap().get(0), Scalar::date(1970, 1, 2));
    assert_eq!(column.reinterpret(&DType::Float32).unwrap_err().kind(), ErrorKind::Type);
}

#[test]
fn mismatched_buffers_are_refused() {
    let exec = Exec::host();
    let bytes = |n| Buffer::zeroed(n, &exec).unwrap();
    let short = NumericColumn::new(DType::Int32, bytes(11), None, 1, 2).unwrap_err();
    let reason = "11 bytes where the rows take 12".to_owned();
    assert_eq!(short, Error::InvalidArgument { name: "data", reason });
    assert!(NumericColumn::new(DType::Int32, bytes(64), Some(bytes(1)), 1, 8).is_err());
    assert!(NumericColumn::new(DType::Utf8, bytes(64), None, 0, 1).is_err());
    assert!(DecimalColumn::new(&DType::Int64, bytes(64), None, 0, 1).is_err());
    assert!(StringColumn::new(bytes(0), OffsetWidth::I32, bytes(0), None, 0, 0).is_err());
    let dictionary = Arc::new(Column::from_values(["a"], &exec).unwrap());
    let unsigned =
        CategoricalColumn::new(&Column::from_vec(vec![0_u8]), Arc::clone(&dictionary)).unwrap_err();
    assert_eq!(unsigned, Error::UnsupportedDType { dtype: DType::UInt8 });
    let column =
        CategoricalColumn::new(&Column::from_vec(vec![0_i8]), dictionary).map(Column::Categorical).unwrap();
    assert!(CategoricalColumn::new(&Column::from_vec(vec![0_i8]), Arc::new(column)).is_err());
}

fn categorical(codes: &[i32], mask: Option<&[u8]>, values: &[&str], exec: &Exec) -> CategoricalColumn {
    let dictionary = Arc::new(Column::from_values(values.iter().copied(), exec).unwrap());
    let mask = mask.map(|mask| Buffer::from_slice(mask, exec).unwrap());
    let data = Buffer::from_slice(codes, exec).unwrap();
    let codes = NumericColumn::new(DType::Int32, data, mask, 0, codes.len()).unwrap();
    CategoricalColumn::new(&Column::Numeric(codes), dictionary).unwrap()
}

#[test]
fn dictionaries_are_unified() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let first = categorical(&[1, 0, 1], None, &["x", "ß"], &exec);
        // The code of a null row may be anything.
        let second = categorical(&[2, 99, 0, 1], Some(&[0b1101]), &["ß", "z", "x"], &exec);
        let unified = CategoricalColumn::unify(&[&first, &second], &exec).unwrap();
        assert!(unified[0].shares_dictionary(&unified[1]));
        assert_eq!(unified[0].dictionary().size(), 3);
        for (before, after) in [&first, &second].into_iter().zip(&unified) {
            let before = Column::Categorical(before.clone());
            let after = Column::Categorical(after.clone());
            assert_eq!(after.to_scalars().unwrap(), before.to_scalars().unwrap());
            assert_eq!(after.device(), device);
        }
        let again = CategoricalColumn::unify(&[&unified[0], &unified[1]], &exec).unwrap();
        assert!(again[0].shares_dictionary(&unified[0]));
        let slice = Column::Categorical(again[1].clone()).slice(2, 2).unwrap();
        let View::Fixed(codes) = slice.view().unwrap() else {
            panic!("codes have one width");
        };
        assert_eq!((codes.storage, codes.offset, codes.len), (Storage::I32, 2, 2));
    }
}

#[test]
fn concat_appends_columns() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        let ordered = |dtype: &DType| matches!(dtype, DType::Dictionary(dictionary) if dictionary.ordered);
        for dtype in dtypes().into_iter().filter(|dtype| !ordered(dtype)) {
            let parts: Vec<Vec<Scalar>> =
                [(40, Nulls::NoMask), (0, Nulls::NoMask), (70, Nulls::Some), (9, Nulls::All)]
                    .map(|(n, nulls)| scalars(&dtype, n, nulls, &mut rng))
                    .to_vec();
            let columns: Vec<Column> =
                parts.iter().map(|part| Column::from_scalars(&dtype, part, &exec).unwrap()).collect();
            let sliced: Vec<Column> =
                columns.iter().map(|c| c.slice(c.size() / 3, c.size() / 2).unwrap()).collect();
            let expected: Vec<Scalar> =
                parts.iter().flat_map(|part| part[part.len() / 3..][..part.len() / 2].to_vec()).collect();
            let joined = Column::concat(&sliced.iter().collect::<Vec<_>>(), &exec).unwrap();
            assert_eq!((joined.dtype(), joined.device()), (dtype.clone(), device));
            assert_eq!(joined.to_scalars().unwrap(), expected, "{dtype} {device}");
        }
        let words = categorical(&[0, 1], None, &["a", "b"], &exec);
        let others = categorical(&[1, 0], Some(&[0b01]), &["b", "c"], &exec);
        let [words, others] = [words, others].map(Column::Categorical);
        let joined = Column::concat(&[&words, &others], &exec).unwrap();
        let expected = ["a".into(), "b".into(), "c".into(), Scalar::Null(DType::Utf8)];
        assert_eq!(joined.to_scalars().unwrap(), expected);
        let numbers = Column::from_slice(&[1_i32], &exec).unwrap();
        assert_eq!(Column::concat(&[&words, &numbers], &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(Column::concat(&[], &exec).unwrap_err().kind(), ErrorKind::Value);
    }
}

#[test]
fn children_have_their_own_offsets() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let numbers = Column::from_slice(&(0..3000_i64).collect::<Vec<_>>(), &exec).unwrap();
        let words = Column::from_values((0..3000).map(|i| i.to_string()), &exec).unwrap();
        // The children begin at rows 7 and 600 of their buffers, the struct at row 5 of its children.
        let fields = [("n", numbers.slice(7, 2000).unwrap()), ("w", words.slice(600, 2000).unwrap())];
        let mask: Vec<u8> = (0..251).map(|byte| if byte % 2 == 0 { 0xff } else { 0x55 }).collect();
        let mask = Buffer::from_slice(&mask, &exec).unwrap();
        let column = StructColumn::new(fields, Some(mask), 5, 1995).map(Column::Struct).unwrap();
        let row = |row: usize| {
            let at = row + 5;
            if at / 8 % 2 == 1 && at % 2 == 1 {
                return Scalar::Null(column.dtype());
            }
            let (n, w) = (i64::try_from(at + 7).unwrap(), (at + 600).to_string());
            Scalar::Struct(vec![("n".to_owned(), n.into()), ("w".to_owned(), w.into())])
        };
        let values = column.to_scalars().unwrap();
        assert_eq!(values, (0..1995).map(row).collect::<Vec<_>>());
        let slice = column.slice(1001, 90).unwrap();
        assert!(slice.offset() < SLICE_STEP_ROWS && slice.children()[0].size() <= SLICE_STEP_ROWS + 90);
        assert_eq!(slice.to_scalars().unwrap(), values[1001..1091]);
        let Column::Struct(structs) = &slice else { panic!("a slice of structs is structs") };
        assert_eq!(structs.fields().unwrap()[0].get(3), Ok(Scalar::Int64(1001 + 3 + 5 + 7)));
        assert_eq!(structs.field("m", &exec).unwrap_err().kind(), ErrorKind::Key);
    }
}

#[test]
fn field_is_null_where_struct_is_null() {
    let n = 1300;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let some = (0..n).map(|i| (i % 3 != 0).then(|| i.to_string()));
        let fields = [
            ("all", Column::from_values(0..n, &exec).unwrap().slice(40, 1200).unwrap()),
            ("some", Column::from_options(some, &exec).unwrap().slice(71, 1200).unwrap()),
            ("none", Column::Null(NullColumn::new(1200, device))),
        ];
        let whole = StructColumn::new(fields, None, 0, 1200).map(Column::Struct).unwrap();
        let nulled = whole.with_validity((0..1200).map(|row| row % 7 != 2), &exec).unwrap();
        for (column, has_nulls) in [(whole, false), (nulled, true)] {
            for (offset, len) in [(0, 1200), (5, 90), (600, 33), (1200, 0)] {
                let Column::Struct(slice) = column.slice(offset, len).unwrap() else { panic!("structs") };
                let raw = slice.fields().unwrap();
                for (name, raw) in ["all", "some", "none"].into_iter().zip(raw) {
                    let field = slice.field(name, &exec).unwrap();
                    let expected = raw.to_scalars().unwrap().into_iter().zip(offset..).map(|(value, row)| {
                        if has_nulls && row % 7 == 2 { Scalar::Null(raw.dtype()) } else { value }
                    });
                    let expected: Vec<Scalar> = expected.collect();
                    assert_eq!(field.to_scalars().unwrap(), expected, "{name} {offset} {device}");
                    let nulls = expected.iter().filter(|value| value.is_null()).count();
                    assert_eq!(field.null_count(&exec).unwrap(), nulls);
                    assert_eq!(raw.data().is_some(), field.shares_memory(&raw));
                }
            }
        }
    }
}

#[test]
fn lists_build_from_values_and_lengths() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let lists = [Some(vec![Some(1_i32), None]), None, Some(vec![]), Some(vec![Some(7)])];
        let column = Column::from_options(lists.clone(), &exec).unwrap();
        assert_eq!(column.dtype(), DType::list(DType::Int32));
        let expected: Vec<String> = ["[1, <NA>]", "<NA>", "[]", "[7]"].map(str::to_owned).to_vec();
        let texts = |column: &Column| {
            column.to_scalars().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(texts(&column), expected);
        let items = Column::from_options([Some(1_i32), None, Some(7)], &exec).unwrap();
        let lengths = [Some(2), None, Some(0), Some(1)];
        let built = ListColumn::from_lengths(&items, lengths, &exec).unwrap();
        assert_eq!(texts(&Column::List(built)), expected);
        assert!(matches!(
            ListColumn::from_lengths(&items, [Some(2)], &exec),
            Err(Error::LengthMismatch { expected: 3, found: 2, .. })
        ));
        let nested = Column::from_values([vec![vec!["a", "é"], vec![]], vec![]], &exec).unwrap();
        assert_eq!(nested.dtype().to_string(), "list<list<utf8>>");
        assert_eq!(texts(&nested), ["[[a, é], []]", "[]"]);
        let bytes = Column::from_values([&b"\x00a"[..], b""], &exec).unwrap();
        assert_eq!(bytes.dtype(), DType::Binary);
        assert_eq!(texts(&bytes), ["b\"\\x00a\"", "b\"\""]);
    }
}

#[test]
fn incompatible_parts_are_refused() {
    let exec = Exec::host();
    let (three, four) = (Column::from_vec(vec![1_i64; 3]), Column::from_vec(vec![1_i64; 4]));
    let twice = [("a", three.clone()), ("a", three.clone())];
    assert!(matches!(StructColumn::new(twice, None, 0, 3), Err(Error::DuplicateLabel { .. })));
    // Few names and many are looked through in different ways.
    for fields in [2, 16, 17, 40] {
        for again in [0, fields / 2 - 1, fields - 2] {
            let name = |at: usize| if at + 1 == fields { format!("f{again}") } else { format!("f{at}") };
            let given = (0..fields).map(|at| (name(at), three.clone()));
            let repeated = StructColumn::new(given, None, 0, 3).unwrap_err();
            assert!(
                matches!(&repeated, Error::DuplicateLabel { label, .. } if *label == name(again)),
                "{repeated}"
            );
        }
        let different = (0..fields).map(|at| (format!("f{at}"), three.clone()));
        assert!(StructColumn::new(different, None, 0, 3).is_ok());
    }
    let short = StructColumn::new([("a", three.clone())], None, 1, 3).unwrap_err();
    assert!(matches!(short, Error::LengthMismatch { expected: 4, found: 3, .. }));
    let interval = |left: &Column, right: &Column, size| {
        IntervalColumn::new(left.clone(), right.clone(), Closed::Right, None, 0, size)
    };
    assert!(interval(&three, &four, 3).is_ok());
    assert_eq!(interval(&three, &four, 4).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(interval(&three, &Column::from_vec(vec![1_i32; 3]), 3).unwrap_err().kind(), ErrorKind::Type);
    let words = Column::from_values(["a"], &exec).unwrap();
    assert!(matches!(interval(&words, &words, 1), Err(Error::UnsupportedDType { .. })));
    let offsets = Buffer::zeroed(12, &exec).unwrap();
    let lists =
        |offset| ListColumn::new(offsets.clone(), OffsetWidth::I32, Arc::new(three.clone()), None, offset, 2);
    assert!(lists(0).is_ok());
    assert_eq!(lists(1).unwrap_err().kind(), ErrorKind::Value);
    for (dtype, kind) in [
        (DType::Decimal { precision: 39, scale: 0, storage: DecimalStorage::Bits128 }, ErrorKind::Value),
        (
            DType::list(DType::Decimal { precision: 0, scale: 0, storage: DecimalStorage::Bits128 }),
            ErrorKind::Value,
        ),
        (DType::dictionary(DType::list(DType::Int8)), ErrorKind::Type),
        (DType::interval(DType::Utf8, Closed::Left), ErrorKind::Type),
    ] {
        assert_eq!(Column::full_null(&dtype, 2, &exec).unwrap_err().kind(), kind, "{dtype}");
        assert_eq!(Column::from_scalars(&dtype, &[], &exec).unwrap_err().kind(), kind, "{dtype}");
    }
    let many: Vec<Scalar> = (0..129_i64).map(Scalar::from).collect();
    let narrow = DictionaryType { codes: Storage::I8, values: DType::Int64, ordered: false };
    let narrow = DType::Dictionary(Box::new(narrow));
    let refused = Column::from_scalars(&narrow, &many, &exec).unwrap_err();
    assert_eq!(refused, Error::Overflow { dtype: narrow });
    for column in [
        Column::from_values([vec![1_i8]], &exec).unwrap(),
        Column::full_null(&DType::Null, 1, &exec).unwrap(),
    ] {
        let refused = column.view().unwrap_err();
        assert_eq!(refused, Error::UnsupportedDType { dtype: column.dtype() });
    }
}

#[test]
fn ordered_dictionaries_keep_their_order() {
    let exec = Exec::host();
    let sizes = categorical(&[1, 0], None, &["small", "large"], &exec).as_ordered();
    let same = categorical(&[0, 1], None, &["small", "large"], &exec).as_ordered();
    let other = categorical(&[0, 1], None, &["large", "small"], &exec).as_ordered();
    let unified = CategoricalColumn::unify(&[&sizes, &same], &exec).unwrap();
    assert!(unified.iter().all(CategoricalColumn::is_ordered));
    assert_eq!(CategoricalColumn::unify(&[&sizes, &other], &exec).unwrap_err().kind(), ErrorKind::Value);
    // Without values there is no order to keep.
    let empty = categorical(&[], None, &[], &exec).as_ordered();
    let unified = CategoricalColumn::unify(&[&empty, &sizes], &exec).unwrap();
    assert!(unified.iter().all(|column| column.is_ordered() && column.shares_dictionary(&unified[1])));
    let plain = sizes.as_unordered();
    assert_eq!(CategoricalColumn::unify(&[&sizes, &plain], &exec).unwrap_err().kind(), ErrorKind::Type);
    let dtype = Column::Categorical(sizes).dtype();
    assert_eq!(dtype.to_string(), "dictionary<int32, utf8, ordered>");
}

#[test]
fn decimals_beyond_precision_are_refused() {
    let exec = Exec::host();
    for (precision, storage, most) in [
        (3, DecimalStorage::Bits32, 999_i128),
        (7, DecimalStorage::Bits32, 9_999_999),
        (3, DecimalStorage::Bits64, 999),
        (15, DecimalStorage::Bits128, 10_i128.pow(15) - 1),
        (38, DecimalStorage::Bits128, 10_i128.pow(38) - 1),
    ] {
        let dtype = DType::decimal_stored(precision, 2, storage).unwrap();
        for (value, fits) in [(most, true), (-most, true), (most + 1, false), (-most - 1, false)] {
            let scalar = Scalar::Decimal { value, precision, scale: 2 };
            let made = Column::from_scalars(&dtype, std::slice::from_ref(&scalar), &exec);
            assert_eq!(made.is_ok(), fits, "{value} as {dtype}");
            assert_eq!(Column::from_scalar(&scalar, 3, &exec).is_ok(), fits, "{value} as {dtype}");
            if let Err(error) = made {
                assert!(matches!(error, Error::Overflow { .. }), "{error}");
            }
        }
    }
}

#[test]
fn string_with_offsets_outside_data_is_error() {
    for offsets in [[0_i32, 4], [-1, 2], [3, 1]] {
        let offsets = Buffer::from_vec(offsets.to_vec());
        let column =
            StringColumn::new(offsets, OffsetWidth::I32, Buffer::from_vec(b"abc".to_vec()), None, 0, 1);
        let column = Column::String(column.unwrap());
        for refused in [column.get(0).map(drop), column.to_vec::<String>().map(drop)] {
            assert!(matches!(refused, Err(Error::InvalidArgument { name: "offsets", .. })), "{refused:?}");
        }
    }
}
