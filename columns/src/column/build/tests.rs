//! Columns of what a program has at hand, on every device, against scalars.

use super::{
    IntoColumn, categories, dates, decimals, durations, from_iter, intervals, structs, times, timestamps,
};
use crate::calendar::Date;
use crate::test_execs::{counting, execs};
use crate::{
    CategoricalColumn, Closed, Column, DType, Error, ErrorKind, IntervalScalar, Scalar, TimeUnit, TimeZone,
};
use columnade_buffers::{Exec, Managed, MemoryResource, PADDING_BYTES, SpillOptions};
use columnade_kernels::Storage;
use columnade_tests::{Nulls, Rng, SIZES};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Where a column's values lie on the host.
fn address(column: &Column) -> *const u8 {
    column.data().unwrap().read(&Exec::host()).unwrap().as_slice::<u8>().as_ptr()
}

/// Whole numbers of as many digits at most, null at times.
fn numbers(n: usize, nulls: Nulls, digits: u32, rng: &mut Rng) -> Vec<Option<i64>> {
    let mask = nulls.mask(n, rng).unwrap_or(vec![true; n]);
    let number = |valid: bool| valid.then(|| rng.next().cast_signed() % 10_i64.pow(digits));
    mask.into_iter().map(number).collect()
}

fn expected(values: &[Option<i64>], dtype: &DType, value: impl Fn(i64) -> Scalar) -> Vec<Scalar> {
    values.iter().map(|at| at.map_or(Scalar::Null(dtype.clone()), &value)).collect()
}

#[test]
fn values_of_every_dtype_build_columns_with_nulls() {
    let mut rng = Rng::new(11);
    let zone = TimeZone::new("+02:00").unwrap();
    for exec in execs() {
        for (n, nulls) in SIZES.into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            let values = numbers(n, nulls, 9, &mut rng);
            let check = |made: crate::Result<Column>, dtype: DType, value: &dyn Fn(i64) -> Scalar| {
                let column = made.unwrap();
                let context = format!("{dtype} n={n} {nulls:?} {}", exec.device());
                assert_eq!((column.dtype(), column.device()), (dtype.clone(), exec.device()), "{context}");
                assert_eq!(column.to_scalars().unwrap(), expected(&values, &dtype, value), "{context}");
                let null_count = values.iter().filter(|value| value.is_none()).count();
                assert_eq!(column.known_null_count(), Some(null_count), "{context}");
                assert_eq!(column.mask().is_some(), null_count > 0, "{context}");
            };
            let days: Vec<Option<i32>> =
                values.iter().map(|at| at.map(|at| at.try_into().unwrap())).collect();
            check(dates(days).into_column(&exec), DType::Date32, &|at| {
                Scalar::Date32(at.try_into().unwrap())
            });
            for unit in TimeUnit::ALL {
                let made = timestamps(&values, unit).into_column(&exec);
                check(made, DType::Timestamp(unit), &|at| Scalar::Timestamp(at, unit));
                let made = timestamps(values.clone(), unit).in_zone(zone.clone()).into_column(&exec);
                let dtype = DType::TimestampTz(unit, zone.clone());
                check(made, dtype, &|at| Scalar::TimestampTz(at, unit, zone.clone()));
                let made = durations(from_iter(values.iter().copied()), unit).into_column(&exec);
                check(made, DType::Duration(unit), &|at| Scalar::Duration(at, unit));
                let clock: Vec<_> = values.iter().map(|at| at.map(|at| at.rem_euclid(86_400))).collect();
                let made = times(clock, unit).into_column(&exec);
                check(made, DType::Time(unit), &|at| Scalar::Time(at.rem_euclid(86_400), unit));
            }
            for (precision, scale) in [(9, 0), (15, 2), (18, -3), (19, 4), (38, 38)] {
                let value = |at: i64| Scalar::Decimal { value: at.into(), precision, scale };
                let dtype = DType::decimal(precision, scale).unwrap();
                check(decimals(&values, precision, scale).into_column(&exec), dtype.clone(), &value);
                let wide = from_iter(values.iter().map(|at| at.map(i128::from)));
                check(decimals(wide, precision, scale).into_column(&exec), dtype, &value);
            }
        }
    }
}

#[test]
fn times_beyond_a_day_are_refused() {
    for exec in execs() {
        for unit in TimeUnit::ALL {
            let dtype = DType::Time(unit);
            let day = unit.per_day();
            for outside in [-1, day, i64::MIN, i64::MAX] {
                let refused = times([Some(0), None, Some(outside)], unit).into_column(&exec).unwrap_err();
                assert_eq!(refused, Error::Overflow { dtype: dtype.clone() }, "{dtype} {outside}");
                let scalar = Scalar::Time(outside, unit);
                assert_eq!(scalar.to_value(), None);
                let refused = crate::Column::from_scalars(&dtype, &[scalar], &exec).unwrap_err();
                assert_eq!(refused, Error::Overflow { dtype: dtype.clone() }, "{dtype} {outside}");
            }
            let made = times([Some(day - 1), None, Some(0)], unit).into_column(&exec).unwrap();
            assert_eq!(made.get(0).unwrap(), Scalar::Time(day - 1, unit));
        }
    }
}

/// As few bits as an array of literals has, and as many as there are.
#[test]
fn integers_of_every_width_build_columns() {
    for exec in execs() {
        let micros = DType::Timestamp(TimeUnit::Micro);
        for values in [
            [3_i8, -1].into_column(&exec),
            [3_i16, -1].into_column(&exec),
            [3_i32, -1].into_column(&exec),
            [3_i64, -1].into_column(&exec),
        ] {
            let values = values.unwrap();
            let times = timestamps(&values, TimeUnit::Micro).into_column(&exec).unwrap();
            assert_eq!(
                (times.dtype(), times.get(1).unwrap()),
                (micros.clone(), Scalar::Timestamp(-1, TimeUnit::Micro))
            );
            let prices = decimals(&values, 30, 1).into_column(&exec).unwrap();
            assert_eq!(prices.get(0).unwrap().to_string(), "0.3");
        }
        let far = [u64::MAX].into_column(&exec).unwrap();
        assert_eq!(
            timestamps(&far, TimeUnit::Nano).into_column(&exec).unwrap_err().kind(),
            ErrorKind::Overflow
        );
        assert_eq!(dates([i64::MAX]).into_column(&exec).unwrap_err().kind(), ErrorKind::Overflow);
        let digits = decimals(&far, 20, 0).into_column(&exec).unwrap();
        assert_eq!(digits.get(0).unwrap().to_string(), u64::MAX.to_string());
        for refused in [
            timestamps([0.5], TimeUnit::Nano).into_column(&exec),
            durations(["1"], TimeUnit::Nano).into_column(&exec),
            decimals([true], 3, 0).into_column(&exec),
            dates(dates([1])).into_column(&exec),
            timestamps([1_i128], TimeUnit::Nano).into_column(&exec),
        ] {
            assert!(matches!(refused, Err(Error::DTypeMismatch { .. })), "{refused:?}");
        }
        for (precision, scale) in [(0, 0), (39, 0), (3, 39), (3, -39)] {
            let refused = decimals([1], precision, scale).into_column(&exec).unwrap_err();
            assert!(matches!(refused, Error::InvalidArgument { .. }), "{refused}");
        }
    }
}

#[test]
fn decimal_digits_are_checked() {
    for exec in execs() {
        for (precision, inside) in
            [(1_u8, 9_i128), (4, 9999), (18, 10_i128.pow(18) - 1), (19, 10_i128.pow(19) - 1)]
        {
            for (value, fits) in [(inside, true), (-inside, true), (inside + 1, false), (-inside - 1, false)]
            {
                let made = decimals([Some(value), None], precision, 0).into_column(&exec);
                assert_eq!(made.is_ok(), fits, "{value} in {precision} digits");
                let Ok(narrow) = i64::try_from(value) else { continue };
                let made = decimals(vec![narrow], precision, 0).into_column(&exec);
                let dtype = DType::decimal(precision, 0).unwrap();
                let refused = Error::Overflow { dtype };
                assert_eq!(
                    made.map(|column| column.size()),
                    if fits { Ok(1) } else { Err(refused) },
                    "{value}"
                );
            }
        }
        let most = 10_i128.pow(38) - 1;
        assert_eq!(
            [most, -most].into_column(&exec).unwrap().get(1).unwrap().to_string(),
            (-most).to_string()
        );
        for beyond in [most + 1, -most - 1, i128::MIN, i128::MAX] {
            assert_eq!([beyond].into_column(&exec).unwrap_err().kind(), ErrorKind::Overflow);
            assert_eq!([Some(beyond)].into_column(&exec).unwrap_err().kind(), ErrorKind::Overflow);
            assert_eq!((&[beyond]).into_column(&exec).unwrap_err().kind(), ErrorKind::Overflow);
        }
        // What is no value need not fit.
        let masked = [1_000_i64, 1].into_column(&exec).unwrap().with_validity([false, true], &exec).unwrap();
        let fits = decimals(masked, 3, 0).into_column(&exec).unwrap();
        assert_eq!(
            (fits.get(0).unwrap().is_null(), fits.get(1).unwrap().to_string()),
            (true, "1".to_owned())
        );
    }
}

#[test]
fn host_vectors_are_adopted_in_place() {
    let (host, counted) = counting(&Exec::host());
    let numbers: Vec<i64> = (0..1000).collect();
    let lies_at = |make: &dyn Fn(Vec<i64>) -> crate::Result<Column>| {
        let values = numbers.clone();
        let before = values.as_ptr().cast::<u8>();
        let column = make(values).unwrap();
        assert_eq!(address(&column), before, "{}", column.dtype());
    };
    lies_at(&|values| values.into_column(&host));
    lies_at(&|values| Column::from_vec_on(values, &host));
    lies_at(&|values| Ok(Column::from_vec(values)));
    lies_at(&|values| timestamps(values, TimeUnit::Nano).into_column(&host));
    lies_at(&|values| timestamps(values, TimeUnit::Nano).in_zone(TimeZone::utc()).into_column(&host));
    lies_at(&|values| durations(values, TimeUnit::Second).into_column(&host));
    lies_at(&|values| decimals(values, 18, 2).into_column(&host));
    let days: Vec<i32> = (0..1000).collect();
    let before = days.as_ptr().cast::<u8>();
    assert_eq!(address(&dates(days).into_column(&host).unwrap()), before);
    let digits: Vec<i128> = (0..1000).collect();
    let before = digits.as_ptr().cast::<u8>();
    assert_eq!(address(&decimals(digits, 38, 2).into_column(&host).unwrap()), before);
    assert_eq!(counted.statistics().unwrap().total, 0, "nothing was copied");
}

/// Vectors that builders fill themselves stay where they are too: items and offsets of lists, bytes and offsets of text,
/// bits and masks.
#[test]
fn built_buffers_are_not_copied_on_host() {
    for n in SIZES.map(|n| n.min(1000)) {
        let (host, counted) = counting(&Exec::host());
        let numbers = || (0_i64..).take(n);
        let texts: Vec<Option<String>> = numbers().map(|n| (n % 7 != 3).then(|| n.to_string())).collect();
        let truths: Vec<Option<bool>> = numbers().map(|n| (n % 5 != 1).then_some(n % 3 == 0)).collect();
        let built = [
            texts.iter().map(Option::as_deref).collect::<Vec<_>>().into_column(&host),
            texts.clone().into_column(&host),
            truths.clone().into_column(&host),
            vec![true; n].into_column(&host),
            from_iter(numbers().map(|n| (n % 5 != 1).then_some(n))).into_column(&host),
            numbers().map(|n| (n % 5 != 1).then(|| vec![n; 2])).collect::<Vec<_>>().into_column(&host),
            Column::from_vec(numbers().collect()).with_validity(numbers().map(|n| n % 2 == 0), &host),
        ];
        assert_eq!(counted.statistics().unwrap().allocations, 0, "{n} rows were copied");
        let [text, owned, bits, ones, odd, lists, halved] = built.map(Result::unwrap);
        let scalars = |column: &Column| column.to_scalars().unwrap();
        let expected: Vec<Scalar> =
            texts.iter().map(|at| at.as_deref().map_or(Scalar::Null(DType::Utf8), Scalar::from)).collect();
        assert_eq!((scalars(&text), scalars(&owned)), (expected.clone(), expected));
        let expected: Vec<Scalar> =
            truths.iter().map(|at| at.map_or(Scalar::Null(DType::Bool), Scalar::from)).collect();
        assert_eq!((scalars(&bits), scalars(&ones)), (expected, vec![true.into(); n]));
        for column in [&text, &bits, &odd, &lists, &halved] {
            assert_eq!(column.size(), n);
            // Aligned as Arrow says of masks, and as long as the rows need.
            let mask = column.mask().map(|mask| (mask.read(&host).unwrap().as_ptr().addr() % 4, mask.len()));
            assert!(mask.is_none_or(|mask| mask == (0, n.div_ceil(8))), "{}", column.dtype());
        }
    }
}

/// Built memory counts in a budget, leaves and comes back.
#[test]
fn built_columns_can_be_spilled() {
    let host = Exec::host();
    let options = SpillOptions { spill: true, ..SpillOptions::default() };
    let managed = Managed::new(host.resource().clone(), options).unwrap();
    let manager = managed.manager().clone();
    let host = host.with_resource(Arc::new(managed));
    let texts: Vec<Option<String>> = (0..1000).map(|n| (n % 7 != 3).then(|| n.to_string())).collect();
    let column = texts.clone().into_column(&host).unwrap();
    let before = column.to_scalars().unwrap();
    let bytes = [texts.iter().flatten().map(String::len).sum(), 1001 * 4, 1000_usize.div_ceil(8)];
    let padded: usize = bytes.iter().map(|bytes| bytes.next_multiple_of(PADDING_BYTES)).sum();
    assert_eq!(manager.usage().managed, padded);
    manager.spill_device_memory(usize::MAX);
    assert_eq!(manager.usage().managed, 0);
    assert_eq!(column.to_scalars().unwrap(), before);
}

#[test]
fn slices_are_copied_once() {
    for exec in execs() {
        let (exec, counted) = counting(&exec);
        let numbers: Vec<i64> = (0..1000).collect();
        for column in [
            numbers.as_slice().into_column(&exec),
            (&numbers).into_column(&exec),
            timestamps(numbers.as_slice(), TimeUnit::Nano).into_column(&exec),
        ] {
            assert_eq!(column.unwrap().get(999).map(|last| last.is_null()), Ok(false));
        }
        assert_eq!(counted.statistics().unwrap().allocations, 3, "{}", exec.device());
        let bits: Vec<bool> = numbers.iter().map(|n| n % 3 == 1).collect();
        for n in SIZES {
            let bits = &bits[..n.min(1000)];
            let column = bits.into_column(&exec).unwrap();
            assert_eq!(
                column.to_scalars().unwrap(),
                bits.iter().map(|&bit| bit.into()).collect::<Vec<Scalar>>()
            );
            assert_eq!(bits.to_vec().into_column(&exec).unwrap().to_scalars(), column.to_scalars());
        }
    }
}

#[test]
fn mask_is_created_at_first_null() {
    for exec in execs() {
        for n in [1_usize, 7, 8, 9, 31, 32, 33, 64, 65, 1000] {
            for null in [0, n / 2, n - 1] {
                let values: Vec<Option<i32>> =
                    (0_i32..).take(n).map(|at| (usize::try_from(at) != Ok(null)).then_some(at)).collect();
                let column = values.clone().into_column(&exec).unwrap();
                let scalars: Vec<Scalar> =
                    values.iter().map(|at| at.map_or(Scalar::Null(DType::Int32), Scalar::Int32)).collect();
                assert_eq!(column.to_scalars().unwrap(), scalars, "n={n} null={null}");
                assert_eq!(column.null_count(&exec), Ok(1));
                // Bits after the last row are zero.
                let mask = column
                    .mask()
                    .unwrap()
                    .copy_to(&Exec::host())
                    .unwrap()
                    .to_vec::<u8>(&Exec::host())
                    .unwrap();
                let ones: u32 = mask.iter().map(|byte| byte.count_ones()).sum();
                assert_eq!(ones as usize, n - 1);
            }
        }
    }
}

#[test]
fn dates_timestamps_and_durations_build_columns() {
    for exec in execs() {
        let day = Date { year: 1998, month: 9, day: 2 };
        let days = [Some(day), None].into_column(&exec).unwrap();
        let expected = [Scalar::date(1998, 9, 2).unwrap(), Scalar::Null(DType::Date32)];
        assert_eq!(days.to_scalars().unwrap(), expected);
        for none in [
            Date { month: 13, ..day },
            Date { day: 31, ..day },
            Date { year: 6_000_000, ..day },
            Date { year: i64::MAX, ..day },
            Date { year: i64::MIN, ..day },
        ] {
            let refused = [none].into_column(&exec).unwrap_err();
            assert_eq!(refused, Error::Parse { text: none.to_string(), dtype: DType::Date32 });
        }
        let epoch = SystemTime::UNIX_EPOCH;
        let second = Duration::from_secs(1);
        let times = [epoch, epoch + second, epoch - second].into_column(&exec).unwrap();
        assert_eq!(times.dtype(), DType::TimestampTz(TimeUnit::Nano, TimeZone::utc()));
        assert_eq!(times.get(2).unwrap().to_string(), "1969-12-31 23:59:59.000000000Z");
        let years = |count: u64| Duration::from_secs(count * 366 * 86_400);
        for far in [epoch + years(400), epoch - years(400)] {
            assert_eq!([far].into_column(&exec).unwrap_err().kind(), ErrorKind::Overflow);
        }
        let spans = [Some(second), None].into_column(&exec).unwrap();
        assert_eq!(spans.get(0).unwrap(), Scalar::Duration(1_000_000_000, TimeUnit::Nano));
        assert_eq!([Duration::MAX].into_column(&exec).unwrap_err().kind(), ErrorKind::Overflow);
        let lists = [vec![day], vec![]].into_column(&exec).unwrap();
        assert_eq!(lists.dtype(), DType::list(DType::Date32));
    }
}

#[test]
fn categories_of_every_dtype_are_encoded() {
    let mut rng = Rng::new(12);
    for exec in execs() {
        let plain = crate::test_dtypes::dtypes();
        for dtype in plain.iter().filter(|dtype| crate::column::is_dictionary_value(dtype)) {
            for (n, nulls) in [0, 1, 33, 700].into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
                let few = crate::test_dtypes::scalars(dtype, 5, Nulls::ALL[0], &mut rng);
                let mask = nulls.mask(n, &mut rng).unwrap_or(vec![true; n]);
                let mut pick = |valid: bool| {
                    let value = few[usize::try_from(rng.below(5)).unwrap()].clone();
                    if valid { value } else { Scalar::Null(dtype.clone()) }
                };
                let values: Vec<Scalar> = mask.into_iter().map(&mut pick).collect();
                let whole = Column::from_scalars(dtype, &values, &exec).unwrap();
                for start in [0, n / 3] {
                    let (column, values) = (whole.slice(start, n - start).unwrap(), &values[start..]);
                    let encoded = categories(&column).into_column(&exec).unwrap();
                    let context = format!("{dtype} n={n} {nulls:?} from {start} {}", exec.device());
                    assert_eq!(encoded.dtype(), DType::dictionary(dtype.clone()), "{context}");
                    assert_eq!(encoded.device(), exec.device(), "{context}");
                    assert_eq!(encoded.to_scalars().unwrap(), values, "{context}");
                    let mut firsts: Vec<&Scalar> = Vec::new();
                    for value in values.iter().filter(|value| !value.is_null()) {
                        if !firsts.contains(&value) {
                            firsts.push(value);
                        }
                    }
                    let dictionary = encoded.children()[0].to_scalars().unwrap();
                    assert_eq!(dictionary.iter().collect::<Vec<_>>(), firsts, "{context}");
                }
            }
        }
    }
}

#[test]
fn values_encode_against_given_categories() {
    for exec in execs() {
        let sizes = [Some("low"), None, Some("high")];
        let all = ["low", "mid", "high"];
        for (codes, is_ordered) in
            [Storage::I8, Storage::I16, Storage::I32].into_iter().zip([true, false, true])
        {
            let sizes = categories(sizes).among(all).codes(codes);
            let column = if is_ordered { sizes.ordered() } else { sizes }.into_column(&exec).unwrap();
            let Column::Categorical(column) = &column else { panic!("{}", column.dtype()) };
            assert_eq!((column.codes_storage(), column.is_ordered()), (codes, is_ordered));
            assert_eq!(column.dictionary().to_scalars().unwrap(), all.map(Scalar::from));
            let codes: Vec<String> =
                column.codes().to_scalars().unwrap().iter().map(Scalar::to_string).collect();
            assert_eq!(codes, ["0", "<NA>", "2"]);
        }
        let refused = categories(["low", "none"]).among(all).into_column(&exec).unwrap_err();
        assert!(refused.to_string().contains("none is not in the dictionary"), "{refused}");
        let twice = categories(["low"]).among(["low", "low"]).into_column(&exec).unwrap_err();
        assert!(matches!(twice, Error::InvalidArgument { name: "dictionary", .. }), "{twice}");
        let null = categories(["low"]).among([Some("low"), None]).into_column(&exec).unwrap_err();
        assert!(matches!(null, Error::InvalidArgument { name: "dictionary", .. }), "{null}");
        let other = categories(["1"]).among([1]).into_column(&exec).unwrap_err();
        assert!(matches!(other, Error::DTypeMismatch { .. }), "{other}");
        let nested = categories([vec![1], vec![2]]).into_column(&exec).unwrap_err();
        assert!(matches!(nested, Error::UnsupportedDType { .. }), "{nested}");
        let many = from_iter(0..200);
        let refused = categories(many).codes(Storage::I8).into_column(&exec).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Overflow);
        for (codes, name) in [(Storage::U8, "u8"), (Storage::F64, "f64"), (Storage::Bit, "bit")] {
            let refused = categories([1]).codes(codes).into_column(&exec).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Value);
            assert!(refused.to_string().starts_with(&format!("codes: {name} is none of")), "{refused}");
        }
    }
    // Equal floats have one code, and so have all NaNs.
    let floats = Column::from_vec(vec![0.0_f64, -0.0, f64::NAN, 1.0, -f64::NAN]);
    let column = CategoricalColumn::encode(&floats).unwrap();
    assert_eq!(column.codes().to_scalars().unwrap(), [0, 0, 1, 2, 1].map(Scalar::Int32));
}

#[test]
fn columns_form_struct() {
    for exec in execs() {
        let point = |n: i32| {
            let (x, y) =
                (from_iter(0..n).into_column(&exec)?, from_iter((0..n).map(|_| "a")).into_column(&exec)?);
            structs([("x", x), ("y", y)]).into_column(&exec)
        };
        for n in [0, 1, 33] {
            let column = point(n).unwrap();
            assert_eq!(
                (column.dtype(), column.device()),
                (DType::structure([("x", DType::Int32), ("y", DType::Utf8)]), exec.device())
            );
            assert_eq!(column.size(), usize::try_from(n).unwrap());
        }
        let row = point(33).unwrap().get(32).unwrap();
        assert_eq!(row, Scalar::Struct(vec![("x".into(), 32.into()), ("y".into(), "a".into())]));
        let none = structs::<&str, Column>([]).into_column(&exec).unwrap();
        assert_eq!((none.size(), none.device()), (0, exec.device()));
        let uneven = structs([("x", vec![1]), ("y", vec![1, 2])]).into_column(&exec).unwrap_err();
        assert!(matches!(uneven, Error::LengthMismatch { .. }), "{uneven}");
        let twice = structs([("x", [1]), ("x", [2])]).into_column(&exec).unwrap_err();
        assert!(matches!(twice, Error::DuplicateLabel { .. }), "{twice}");
    }
}

#[test]
fn interval_with_null_end_is_null() {
    let mut rng = Rng::new(13);
    for exec in execs() {
        for (n, nulls) in SIZES.into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            let (left, right) = (numbers(n, nulls, 9, &mut rng), numbers(n, Nulls::Some, 9, &mut rng));
            let dtype = DType::interval(DType::Int64, Closed::Both);
            let row = |(left, right): (&Option<i64>, &Option<i64>)| match (*left, *right) {
                (Some(left), Some(right)) => Scalar::Interval(Box::new(IntervalScalar {
                    left: left.into(),
                    right: right.into(),
                    closed: Closed::Both,
                })),
                _ => Scalar::Null(dtype.clone()),
            };
            let rows: Vec<Scalar> = left.iter().zip(&right).map(row).collect();
            let column = intervals(&left, &right, Closed::Both).into_column(&exec).unwrap();
            assert_eq!((column.dtype(), column.device()), (dtype.clone(), exec.device()));
            assert_eq!(column.to_scalars().unwrap(), rows, "n={n} {nulls:?}");
            // Of slices, whose masks begin in the middle of a byte.
            let ends = |values: &Vec<Option<i64>>| {
                values.into_column(&exec).and_then(|all| all.slice(n / 3, n - n / 3))
            };
            let slices = intervals(ends(&left).unwrap(), ends(&right).unwrap(), Closed::Both);
            assert_eq!(slices.into_column(&exec).unwrap().to_scalars().unwrap(), rows[n / 3..]);
        }
        for refused in [
            intervals([1], [1, 2], Closed::Left).into_column(&exec),
            intervals([1, 2], [1], Closed::Left).into_column(&exec),
        ] {
            assert!(matches!(refused, Err(Error::LengthMismatch { .. })), "{refused:?}");
        }
        let refused = intervals([1], [1_i64], Closed::Left).into_column(&exec).unwrap_err();
        assert!(matches!(refused, Error::DTypeMismatch { .. }), "{refused}");
        let refused = intervals(["a"], ["b"], Closed::Left).into_column(&exec).unwrap_err();
        assert!(matches!(refused, Error::UnsupportedDType { .. }), "{refused}");
    }
}
