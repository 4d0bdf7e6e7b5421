//! Columns on every device: built, sliced, moved and read back.

use super::rows::SLICE_STEP_ROWS;
use super::{CategoricalColumn, Column, DecimalColumn, NumericColumn, StringColumn};
use crate::{DType, DictionaryType, Error, ErrorKind, Scalar, TimeUnit};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::{ColumnData, FixedData, OffsetWidth, Storage, View};
use columnade_tests::{Nulls, Rng, SIZES};
use std::sync::Arc;

fn dtypes() -> Vec<DType> {
    let mut dtypes = DType::NUMERIC.to_vec();
    dtypes.extend([DType::Bool, DType::Utf8, DType::Date32]);
    dtypes.extend(TimeUnit::ALL.map(DType::Timestamp));
    dtypes.extend([DType::Decimal { precision: 15, scale: 2 }, DType::Decimal { precision: 38, scale: 10 }]);
    dtypes
}

fn scalar(dtype: &DType, rng: &mut Rng) -> Scalar {
    let text = match dtype {
        DType::Bool => (rng.below(2) == 1).to_string(),
        DType::Utf8 => rng.text(9),
        DType::Float32 | DType::Float64 => format!("{}.5", rng.below(1000)),
        DType::Date32 => return Scalar::Date32(i32::try_from(rng.below(40_000)).unwrap() - 20_000),
        DType::Timestamp(unit) => return Scalar::Timestamp(rng.next().cast_signed(), *unit),
        DType::Decimal { .. } => format!("-{}.{:02}", rng.below(1 << 40), rng.below(100)),
        _ => rng.below(128).to_string(),
    };
    Scalar::parse(dtype, &text).unwrap()
}

/// `n` scalars of `dtype`, null as `nulls` says.
fn scalars(dtype: &DType, n: usize, nulls: Nulls, rng: &mut Rng) -> Vec<Scalar> {
    let mask = nulls.mask(n, rng).unwrap_or(vec![true; n]);
    mask.iter().map(|&valid| if valid { scalar(dtype, rng) } else { Scalar::Null(dtype.clone()) }).collect()
}

#[test]
fn values_there_and_back_whole_and_sliced() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        for dtype in dtypes() {
            for (n, nulls) in [0, 1, 33, 600, 1400].into_iter().flat_map(|n| Nulls::ALL.map(|p| (n, p))) {
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
                assert!(column.to_device(&exec).unwrap().shares_memory(&column));
            }
        }
    }
}

#[test]
fn slices_share_memory_and_narrow_it() {
    let column = Column::from_vec((0..2000_i64).collect());
    let slice = column.slice(1100, 10).unwrap();
    assert!(slice.shares_memory(&column));
    assert_eq!((slice.offset(), slice.data().unwrap().len()), (1100 - 1024, (76 + 10) * 8));
    assert_eq!(slice.get(0), Ok(Scalar::Int64(1100)));
    let beyond = Error::IndexOutOfBounds { op: "slice", index: 2001, len: 2000 };
    assert_eq!(column.slice(1, 2000).unwrap_err(), beyond);
    assert_eq!(column.slice(usize::MAX, 2).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(column.get(2000).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(column.slice(2000, 0).unwrap().size(), 0);
}

#[test]
fn from_values_and_options() {
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
fn full_columns() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(9);
        for dtype in dtypes() {
            for n in [0, 1, 65] {
                let nulls = Column::full_null(&dtype, n, &exec).unwrap();
                assert_eq!(nulls.to_scalars().unwrap(), vec![Scalar::Null(dtype.clone()); n], "{dtype}");
                assert_eq!(nulls.null_count(&exec), Ok(n));
                let value = scalar(&dtype, &mut rng);
                let full = Column::from_scalar(&value, n, &exec).unwrap();
                assert_eq!(full.to_scalars().unwrap(), vec![value; n], "{dtype}");
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
fn results_become_columns_of_their_storage() {
    let exec = Exec::host();
    let data = |storage, len| {
        let data = Buffer::zeroed(Storage::bytes(storage, len), &exec).unwrap();
        ColumnData::Fixed(FixedData { storage, len, data, validity: None })
    };
    let cents = DType::Decimal { precision: 15, scale: 2 };
    assert_eq!(Column::from_data(cents.clone(), data(Storage::I64, 3)).unwrap().dtype(), cents);
    let refused = Column::from_data(DType::Utf8, data(Storage::I64, 3)).unwrap_err();
    assert_eq!(refused, Error::UnsupportedDType { op: "column from data", dtype: DType::Utf8 });
    let column = Column::from_vec(vec![1_i32]);
    assert_eq!(column.with_data(data(Storage::I32, 3)).unwrap().dtype(), DType::Int32);
    assert_eq!(column.with_data(data(Storage::I64, 3)).unwrap_err().kind(), ErrorKind::Type);
    assert_eq!(column.reinterpret(&DType::Date32).unwrap().get(0), Scalar::date(1970, 1, 2));
    assert_eq!(column.reinterpret(&DType::Float32).unwrap_err().kind(), ErrorKind::Type);
}

#[test]
fn buffers_that_do_not_fit_are_refused() {
    let exec = Exec::host();
    let bytes = |n| Buffer::zeroed(n, &exec).unwrap();
    let short = NumericColumn::new(DType::Int32, bytes(11), None, 1, 2).unwrap_err();
    let reason = "11 bytes where the rows take 12".to_owned();
    assert_eq!(short, Error::InvalidArgument { op: "column", name: "data", reason });
    assert!(NumericColumn::new(DType::Int32, bytes(64), Some(bytes(1)), 1, 8).is_err());
    assert!(NumericColumn::new(DType::Utf8, bytes(64), None, 0, 1).is_err());
    assert!(DecimalColumn::new(39, 0, bytes(64), None, 0, 1).is_err());
    assert!(StringColumn::new(bytes(0), OffsetWidth::I32, bytes(0), None, 0, 0).is_err());
    let dictionary = Arc::new(Column::from_values(["a"], &exec).unwrap());
    let unsigned =
        CategoricalColumn::new(&Column::from_vec(vec![0_u8]), Arc::clone(&dictionary)).unwrap_err();
    assert_eq!(unsigned, Error::UnsupportedDType { op: "categorical column", dtype: DType::UInt8 });
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
fn dictionaries_unify() {
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
        let View::Fixed(codes) = slice.view("test").unwrap() else {
            panic!("codes have one width");
        };
        assert_eq!((codes.storage, codes.offset, codes.len), (Storage::I32, 2, 2));
    }
}

#[test]
fn columns_one_after_the_other() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for dtype in dtypes() {
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
