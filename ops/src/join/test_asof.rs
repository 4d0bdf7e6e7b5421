//! Joins with the nearest row within a tolerance, of keys of every dtype, against the definition.

use super::{Asof, AsofStrategy, JoinSide, NullEquality, asof_join};
use crate::cast::{CastMode, cast};
use crate::expression::{Expr, Literal, hours, lit};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, DecimalStorage, TimeUnit};
use columnade_kernels::{ColumnData, Element, FixedData};

/// Keys of a dtype in its smallest steps, and tolerances with the greatest distance in these steps that is within; `None`
/// where no row matches.
struct Case {
    keys: [Column; 2],
    steps: [Vec<i128>; 2],
    tolerances: Vec<(Expr, Option<i128>)>,
}

macro_rules! case {
    ($ty:ty as $dtype:expr, $left:expr, $right:expr, $($tolerance:expr => $within:expr),* $(,)?) => {{
        let (left, right): (Vec<$ty>, Vec<$ty>) = ($left.to_vec(), $right.to_vec());
        let steps = [&left, &right].map(|keys| keys.iter().map(|key| i128::try_from(*key).unwrap()).collect());
        let keys = [left, right].map(|keys| column(keys, $dtype));
        Case { keys, steps, tolerances: vec![$(($tolerance.into(), $within)),*] }
    }};
}

fn column<T: Element>(keys: Vec<T>, dtype: DType) -> Column {
    let (storage, len) = (T::STORAGE, keys.len());
    let data = FixedData { storage, len, data: Buffer::from_vec(keys), validity: None };
    Column::from_data(dtype, ColumnData::Fixed(data)).unwrap()
}

fn cases() -> Vec<Case> {
    let nanos = |nanos| lit(Literal::Duration(nanos));
    vec![
        case!(i8 as DType::Int8, [-128, -3, 0, 5, 127], [-127, -3, -1, 4, 120],
            5 => Some(5), 2.5 => Some(2), 1000 => Some(1000), 255 => Some(255), 0 => Some(0), lit(Literal::Null) => None,
            lit(2) + lit(1) => Some(3)),
        case!(u64 as DType::UInt64, [0, 3, 1 << 63, u64::MAX], [2, 1 << 62, u64::MAX - 1],
            1 => Some(1), 1e19 => Some(10_000_000_000_000_000_000), u64::MAX => Some(u64::MAX.into())),
        case!(i64 as DType::Int64, [i64::MIN, -7, 0, i64::MAX], [i64::MIN + 2, -6, i64::MAX - 1],
            1 => Some(1), 1_i64 << 62 => Some(1 << 62), 1e30 => Some(u64::MAX.into()), u64::MAX => Some(u64::MAX.into())),
        case!(i64 as DType::decimal(10, 2).unwrap(), [-251, -250, 0, 151, 900], [-100, 1, 300],
            1.5 => Some(150), 2 => Some(200), 0.015 => Some(1), 1e9 => Some(1 << 60)),
        case!(i32 as DType::decimal_stored(9, 0, DecimalStorage::Bits32).unwrap(), [-5, 0, 9], [-3, 7], 2 => Some(2)),
        case!(i128 as DType::decimal(38, 2).unwrap(), [-(10_i128.pow(37)), 0, 151], [-100, 1, 10_i128.pow(37)],
            1.5 => Some(150), 1_000_000 => Some(100_000_000), 1e36 => Some(10_i128.pow(38))),
        case!(i32 as DType::Date32, [-5, 0, 3, 20], [-3, 1, 2, 17], hours(36) => Some(1), hours(72) => Some(3),
            nanos(1) => Some(0), nanos(i128::MAX >> 40) => Some(1 << 40)),
        case!(i64 as DType::Timestamp(TimeUnit::Milli), [i64::MIN, -5, 0, 3, i64::MAX], [-3, 1, 2, 17],
            nanos(1_500_000) => Some(1), nanos(3_000_000) => Some(3), nanos(999_999) => Some(0)),
        case!(i32 as DType::Time(TimeUnit::Second), [0, 60, 3_600, 86_399], [30, 3_000, 86_000],
            nanos(30_000_000_000) => Some(30), hours(1) => Some(3_600)),
        case!(i64 as DType::Duration(TimeUnit::Nano), [-9, 0, 4], [-8, 6], nanos(1) => Some(1), nanos(5) => Some(5)),
    ]
}

/// The right row of a left key, by looking at all.
fn nearest(key: i128, right: &[i128], asof: &Asof, within: Option<i128>) -> Option<i64> {
    let is_allowed = |other: &i128| asof.allow_exact_matches || *other != key;
    let before = right.iter().rposition(|other| *other <= key && is_allowed(other));
    let after = right.iter().position(|other| *other >= key && is_allowed(other));
    let distance = |row: usize| right[row].abs_diff(key);
    let found = match (asof.strategy, before, after) {
        (AsofStrategy::Backward, before, _) => before,
        (AsofStrategy::Forward, _, after) => after,
        (AsofStrategy::Nearest, Some(before), Some(after)) => {
            Some(if distance(before) <= distance(after) { before } else { after })
        }
        (AsofStrategy::Nearest, before, after) => before.or(after),
    };
    found
        .filter(|row| within.is_some_and(|within| distance(*row) <= within.unsigned_abs()))
        .map(|row| i64::try_from(row).unwrap())
}

fn joined(left: &Column, right: &Column, asof: &Asof, exec: &Exec) -> Vec<Option<i64>> {
    let left = ColumnAccessor::from_columns([("k", left.to_device(exec).unwrap())]).unwrap();
    let rows = Column::from_values((0_i64..).take(right.size()), exec).unwrap();
    let right = [("k", right.to_device(exec).unwrap()), ("row", rows)];
    let right = ColumnAccessor::from_columns(right).unwrap();
    let left = JoinSide { columns: &left, keys: &[0], output: &[0] };
    let right = JoinSide { columns: &right, keys: &[0], output: &[1] };
    let joined = asof_join(left, right, asof, NullEquality::Equal, exec).unwrap();
    joined.right.unwrap().columns()[0].to_options::<i64>().unwrap()
}

fn asofs(tolerance: &Expr) -> impl Iterator<Item = Asof> {
    let strategies = [AsofStrategy::Backward, AsofStrategy::Forward, AsofStrategy::Nearest];
    let asof = |strategy, allow_exact_matches| Asof {
        strategy,
        allow_exact_matches,
        tolerance: Some(tolerance.clone()),
    };
    strategies.into_iter().flat_map(move |strategy| [asof(strategy, true), asof(strategy, false)])
}

#[test]
fn tolerance_of_every_dtype_matches_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for Case { keys: [left, right], steps, tolerances } in cases() {
            for (tolerance, within) in tolerances {
                for asof in asofs(&tolerance) {
                    let expected: Vec<_> =
                        steps[0].iter().map(|key| nearest(*key, &steps[1], &asof, within)).collect();
                    let what = format!("{asof:?} of {} on {device}", left.dtype());
                    assert_eq!(joined(&left, &right, &asof, &exec), expected, "{what}");
                }
            }
        }
    }
}

/// Infinite keys and NaN are at no distance from themselves, and further than any from others.
#[test]
fn tolerance_of_floats_matches_definition() {
    let left = [f64::NEG_INFINITY, -1.25, -0.0, 2.0, f64::INFINITY, f64::NAN];
    let right = [f64::NEG_INFINITY, -1.0, 0.0, 2.5, f64::NAN];
    let expected = [Some(0), Some(1), Some(2), Some(3), None, Some(4)];
    let close = [Some(0), Some(1), Some(2), None, None, Some(4)];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let asof = |tolerance: Expr| Asof {
            strategy: AsofStrategy::Nearest,
            allow_exact_matches: true,
            tolerance: Some(tolerance),
        };
        let single = |values: &Column| cast(values, &DType::Float32, CastMode::Wrap, &Exec::host()).unwrap();
        let double = [Column::from_vec(left.to_vec()), Column::from_vec(right.to_vec())];
        let pairs = [double.each_ref().map(single), double];
        for [left, right] in &pairs {
            assert_eq!(joined(left, right, &asof(lit(0.5)), &exec), expected, "{device}");
            assert_eq!(joined(left, right, &asof(lit(1)), &exec), expected, "{device}");
            assert_eq!(joined(left, right, &asof(lit(0.25)), &exec), close, "{device}");
            let all = joined(left, right, &asof(lit(f64::INFINITY)), &exec);
            assert_eq!(all[4], Some(3), "{device}");
        }
    }
}

/// Right rows without a key match nothing, and the numbers of the others stay.
#[test]
fn null_keys_match_nothing_within_tolerance() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let left = Column::from_values([Some(1_i64), None, Some(8)], &exec).unwrap();
        let right = Column::from_values([None, Some(2_i64), None, Some(5)], &exec).unwrap();
        let asof = |strategy| Asof { strategy, allow_exact_matches: true, tolerance: Some(lit(3)) };
        let found = |strategy| joined(&left, &right, &asof(strategy), &exec);
        assert_eq!(found(AsofStrategy::Backward), [None, None, Some(3)], "{device}");
        assert_eq!(found(AsofStrategy::Forward), [Some(1), None, None], "{device}");
        assert_eq!(found(AsofStrategy::Nearest), [Some(1), None, Some(3)], "{device}");
    }
}
