//! Joins of sorted keys by merging, against the join by hashing.

use super::{JoinKind, NullEquality, hash_join, is_merged, merge_join};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnValue, DType, Error, IntoColumn, TimeUnit, timestamps};
use columnade_kernels::RowMap;

fn column<T: ColumnValue + Clone>(values: &[T], exec: &Exec) -> Column {
    Column::from_values(values.iter().cloned(), exec).unwrap()
}

/// The pairs, in an order that both joins have.
fn pairs(left: &RowMap, right: Option<&RowMap>, exec: &Exec) -> Vec<(Option<u64>, Option<u64>)> {
    let lefts = left.to_vec(exec).unwrap();
    let rights = right.map_or_else(|| vec![None; lefts.len()], |right| right.to_vec(exec).unwrap());
    let mut pairs: Vec<_> = lefts.into_iter().zip(rights).collect();
    pairs.sort_unstable();
    pairs
}

fn check(left: &Column, right: &Column, exec: &Exec) {
    let what = format!("{} and {} on {}", left.dtype(), right.dtype(), exec.device());
    assert!(is_merged(&left.dtype(), &right.dtype()), "{what}");
    for kind in [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full] {
        let merged = merge_join(left, right, kind, exec).unwrap();
        let hashed = hash_join(&[left], &[right], kind, NullEquality::Equal, exec).unwrap();
        let [merged, hashed] = [merged, hashed].map(|maps| pairs(&maps.left, maps.right.as_ref(), exec));
        assert_eq!(merged, hashed, "{kind:?} of {what}");
    }
}

#[test]
fn merged_pairs_of_every_dtype_are_those_of_hashing() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let longs = column(&[i64::MIN, -3, -3, 0, 4, 90, i64::MAX], &exec);
        check(&longs, &column(&[-3_i64, 1, 90, i64::MAX], &exec), &exec);
        check(&longs, &column(&[-3_i8, 1, 90], &exec), &exec);
        check(&column(&[0_u8, 0, 255], &exec), &column(&[-1_i32, 0, 255], &exec), &exec);
        check(&column(&[0_u64, 1 << 63, u64::MAX], &exec), &column(&[1_u64, u64::MAX], &exec), &exec);
        let floats = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 2.5, f64::INFINITY];
        check(&column(&floats, &exec), &column(&[-1.5_f64, 0.0, 2.0, f64::INFINITY], &exec), &exec);
        check(&column(&floats, &exec), &column(&[-1.5_f32, -0.0, 2.5], &exec), &exec);
        let times = |counts: Vec<i64>| timestamps(counts, TimeUnit::Micro).into_column(&exec).unwrap();
        check(&times(vec![-1, 0, 86_400_000_000]), &times(vec![0, 7]), &exec);
        let dates = column(&[-1_i32, 0, 2], &exec).reinterpret(&DType::Date32).unwrap();
        check(&dates, &dates.slice(1, 2).unwrap(), &exec);
        let none = longs.slice(0, 0).unwrap();
        check(&none, &longs.slice(2, 3).unwrap(), &exec);
        check(&longs.slice(1, 5).unwrap(), &none, &exec);
    }
}

#[test]
fn keys_that_are_not_merged_are_refused() {
    let exec = Exec::host();
    let texts = Column::from_values(["a"], &exec).unwrap();
    let numbers = column(&[1_i64], &exec);
    let large = column(&[1_u64], &exec);
    assert!(!is_merged(&DType::Utf8, &DType::Utf8));
    assert!(!is_merged(&DType::Int64, &DType::UInt64), "compared as decimals");
    let error = |left, right| merge_join(left, right, JoinKind::Inner, &exec).unwrap_err();
    assert_eq!(error(&texts, &texts), Error::UnsupportedDType { dtype: DType::Utf8 });
    assert!(
        matches!(error(&numbers, &large), Error::UnsupportedDType { dtype } if dtype.as_decimal().is_some())
    );
    assert!(matches!(error(&numbers, &texts), Error::DTypeMismatch { .. }));
}
