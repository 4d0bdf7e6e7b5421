//! Choices between values of every dtype, against their scalars.

use super::{Expr, Literal, coalesce, col, evaluate, lit, when};
use crate::copying::copy_if_else;
use crate::test_dtypes::{dtypes, scalars};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar};
use columnade_tests::Rng;

/// The values of an expression as text: the storage of decimals is not theirs.
fn values(expr: Expr, frame: &ColumnAccessor, exec: &Exec) -> Vec<String> {
    texts(&evaluate(&[expr], frame, exec).unwrap().swap_remove(0).1.to_scalars().unwrap())
}

fn texts(values: &[Scalar]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

#[test]
fn choice_between_values_of_every_dtype_takes_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(61);
        for dtype in dtypes().into_iter().filter(|dtype| *dtype != DType::Null) {
            for n in [0, 1, 33, 64, 257] {
                let (offset, len) = (n.min(3), n - n.min(3));
                let mut column = |dtype: &DType| {
                    let values = scalars(dtype, n, &mut rng);
                    let column = Column::from_scalars(dtype, &values, &exec).unwrap();
                    (column.slice(offset, len).unwrap(), values[offset..].to_vec())
                };
                let ((c, is_true), (a, of_a), (b, of_b)) =
                    (column(&DType::Bool), column(&dtype), column(&dtype));
                let frame = [("c", c.clone()), ("a", a.clone()), ("b", b.clone())];
                let frame = ColumnAccessor::from_columns(frame).unwrap();
                let (of_a, of_b) = (texts(&of_a), texts(&of_b));
                let chosen = |choose: &dyn Fn(usize) -> bool| -> Vec<String> {
                    (0..len).map(|row| if choose(row) { &of_a[row] } else { &of_b[row] }.clone()).collect()
                };
                let by_condition = chosen(&|row| is_true[row] == Scalar::from(true));
                let what = format!("{dtype} n={n} {device}");
                let made = values(when(col("c")).then(col("a")).otherwise(col("b")), &frame, &exec);
                assert_eq!(made, by_condition, "when, {what}");
                let made = copy_if_else(&c, &a, &b, &exec).unwrap();
                assert_eq!(texts(&made.to_scalars().unwrap()), by_condition, "copy_if_else, {what}");
                let null = Scalar::Null(dtype.logical().clone()).to_string();
                let filled = chosen(&|row| of_a[row] != null);
                assert_eq!(values(col("a").fill_null(col("b")), &frame, &exec), filled, "fill_null, {what}");
                assert_eq!(values(coalesce([col("a"), col("b")]), &frame, &exec), filled, "coalesce, {what}");
                let nulls: Vec<String> = (0..len)
                    .map(|row| if is_true[row] == Scalar::from(true) { &of_a[row] } else { &null }.clone())
                    .collect();
                let made = when(col("c")).then(col("a")).otherwise(lit(Literal::Null));
                assert_eq!(values(made, &frame, &exec), nulls, "null, {what}");
            }
        }
    }
}

#[test]
fn choice_between_lists_of_other_items_is_an_error() {
    let exec = Exec::host();
    let lists = |dtype: DType| Column::full_null(&DType::list(dtype), 2, &exec).unwrap();
    let frame = [("a", lists(DType::Int32)), ("b", lists(DType::Utf8))];
    let frame = ColumnAccessor::from_columns(frame).unwrap();
    let error = evaluate(&[coalesce([col("a"), col("b")])], &frame, &exec).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Type);
    let text = error.to_string();
    assert!(text.contains("list<int32>") && text.contains("list<utf8>"), "{text}");
}
