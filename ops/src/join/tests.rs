//! Joins of typed keys.

use super::{JoinKind, NullEquality, hash_join};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, DType, Error, ErrorKind};
use std::sync::Arc;

fn words(codes: &[i8], values: &[&str], exec: &Exec) -> Column {
    let codes = Column::from_slice(codes, exec).unwrap();
    let values = Arc::new(Column::from_values(values.iter().copied(), exec).unwrap());
    CategoricalColumn::new(&codes, values).map(Column::Categorical).unwrap()
}

/// Left and right rows of the inner join.
fn pairs(left: &[&Column], right: &[&Column], exec: &Exec) -> Vec<(u64, u64)> {
    let maps = hash_join(left, right, JoinKind::Inner, NullEquality::Equal, exec).unwrap();
    let left = maps.left.to_vec(exec).unwrap().into_iter().flatten();
    left.zip(maps.right.unwrap().to_vec(exec).unwrap().into_iter().flatten()).collect()
}

#[test]
fn dictionaries_are_joined_by_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let left = words(&[0, 1, 1, 0], &["x", "ß"], &exec);
        let right = words(&[2, 1, 0], &["ß", "z", "x"], &exec);
        let expected = [(0, 0), (1, 2), (2, 2), (3, 0)];
        assert_eq!(pairs(&[&left], &[&right], &exec), expected, "{device}");
        let plain = Column::from_values(["x", "z", "ß"], &exec).unwrap();
        assert_eq!(pairs(&[&left], &[&plain], &exec), expected, "{device}");
        assert_eq!(pairs(&[&plain], &[&right], &exec), [(0, 0), (1, 1), (2, 2)], "{device}");
        let number = Column::from_slice(&[1_i32, 1, 2, 2], &exec).unwrap();
        let other = Column::from_slice(&[1_i32, 1, 2], &exec).unwrap();
        assert_eq!(pairs(&[&left, &number], &[&right, &other], &exec), [(0, 0), (2, 2)], "{device}");
    }
}

#[test]
fn keys_of_different_dtypes_are_refused() {
    let exec = Exec::host();
    let ints = Column::from_vec(vec![1_i32]);
    let days = ints.reinterpret(&DType::Date32).unwrap();
    let join = |left: &[&Column], right: &[&Column]| {
        hash_join(left, right, JoinKind::Inner, NullEquality::Equal, &exec).unwrap_err()
    };
    let mismatch = Error::DTypeMismatch { op: "hash_join", left: DType::Int32, right: DType::Date32 };
    assert_eq!(join(&[&ints, &ints], &[&ints, &days]), mismatch.in_column("hash_join", "key 1"));
    assert_eq!(join(&[], &[]).kind(), ErrorKind::Value);
    assert_eq!(join(&[&ints], &[&ints, &ints]).kind(), ErrorKind::Value);
    let two = Column::from_vec(vec![1_i32, 2]);
    assert_eq!(join(&[&ints, &two], &[&ints, &ints]).kind(), ErrorKind::Value);
}
