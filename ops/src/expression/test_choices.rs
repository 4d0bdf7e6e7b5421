//! Choices between values of every dtype, against their scalars.

use super::{Expr, Literal, coalesce, col, evaluate, lit, when};
use crate::copying::{concat, copy_if_else};
use crate::missing::fill_null;
use crate::test_dtypes::{dtypes, scalars};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar, promote};
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

/// Lists and structs whose nulls have no dtype or whose items are narrow, and others, as scalars of their dtypes.
fn pairs_of_dtypes() -> Vec<[(DType, Vec<Scalar>); 2]> {
    let list = |item: &DType, values: &[Scalar]| Scalar::List {
        item: Box::new(item.clone()),
        values: values
            .iter()
            .map(|value| if value.is_null() { Scalar::Null(item.clone()) } else { value.clone() })
            .collect(),
    };
    let structure = |x: Scalar, y: Scalar| Scalar::Struct(vec![("x".to_owned(), x), ("y".to_owned(), y)]);
    let (none, text) = (Scalar::Null(DType::Null), Scalar::from("ß"));
    let lists = |item: &DType, valid: &[Scalar]| {
        let dtype = DType::list(item.clone());
        let null = Scalar::Null(dtype.clone());
        let values =
            vec![list(item, &[]), null, list(item, &[none.clone(), none.clone()]), list(item, valid)];
        (dtype, values)
    };
    let nested = |item: &DType, valid: &[Scalar]| {
        let (item, values) = lists(item, valid);
        (
            DType::list(item.clone()),
            vec![
                list(&item, &values),
                list(&item, &[]),
                Scalar::Null(DType::list(item.clone())),
                list(&item, &values[3..]),
            ],
        )
    };
    let structs = |x: &DType, of_x: &Scalar, y: &DType, of_y: &Scalar| {
        let dtype = DType::structure([("x", x.clone()), ("y", y.clone())]);
        let null = |dtype: &DType| Scalar::Null(dtype.clone());
        let values = vec![
            structure(of_x.clone(), of_y.clone()),
            null(&dtype),
            structure(null(x), null(y)),
            structure(null(x), of_y.clone()),
        ];
        (dtype, values)
    };
    let number = Scalar::from(7_i64);
    let narrow = Scalar::from(7_i8);
    vec![
        [
            lists(&DType::Int8, std::slice::from_ref(&narrow)),
            lists(&DType::Int64, std::slice::from_ref(&number)),
        ],
        [
            structs(&DType::Int8, &narrow, &DType::Utf8, &text),
            structs(&DType::Int64, &number, &DType::Utf8, &text),
        ],
        [
            lists(&DType::Null, std::slice::from_ref(&none)),
            lists(&DType::Int64, std::slice::from_ref(&number)),
        ],
        [lists(&DType::Null, std::slice::from_ref(&none)), lists(&DType::Utf8, std::slice::from_ref(&text))],
        [
            nested(&DType::Null, std::slice::from_ref(&none)),
            nested(&DType::Int64, std::slice::from_ref(&number)),
        ],
        [
            structs(&DType::Null, &none, &DType::Utf8, &text),
            structs(&DType::Int64, &number, &DType::Utf8, &text),
        ],
        [
            structs(&DType::Null, &none, &DType::Utf8, &text),
            structs(&DType::Int64, &number, &DType::Null, &none),
        ],
    ]
}

#[test]
fn items_within_values_take_the_common_dtype() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for [left, right] in pairs_of_dtypes().into_iter().flat_map(|[a, b]| [[a.clone(), b.clone()], [b, a]])
        {
            let column =
                |(dtype, values): &(DType, Vec<Scalar>)| Column::from_scalars(dtype, values, &exec).unwrap();
            let (a, b) = (column(&left), column(&right));
            let common = promote::common(&left.0, &right.0).unwrap();
            let what = format!("{} and {} on {device}", left.0, right.0);
            let (of_a, of_b) = (texts(&left.1), texts(&right.1));
            let both = concat(&[&a, &b], &exec).unwrap();
            assert_eq!(both.dtype(), common, "{what}");
            assert_eq!(texts(&both.to_scalars().unwrap()), [of_a.clone(), of_b.clone()].concat(), "{what}");
            let choices = [Some(true), None, Some(false), Some(true)];
            let c = Column::from_options(choices, &exec).unwrap();
            let frame = ColumnAccessor::from_columns([("a", a.clone()), ("b", b.clone()), ("c", c)]).unwrap();
            let chosen: Vec<String> = (0..4)
                .map(|row| if choices[row] == Some(true) { &of_a[row] } else { &of_b[row] }.clone())
                .collect();
            let made = when(col("c")).then(col("a")).otherwise(col("b"));
            assert_eq!(values(made, &frame, &exec), chosen, "when, {what}");
            let null = Scalar::Null(DType::Null).to_string();
            let filled: Vec<String> =
                of_a.iter().zip(&of_b).map(|(a, b)| if *a == null { b } else { a }.clone()).collect();
            assert_eq!(values(col("a").fill_null(col("b")), &frame, &exec), filled, "fill_null, {what}");
            assert_eq!(values(coalesce([col("a"), col("b")]), &frame, &exec), filled, "coalesce, {what}");
            let filler = &right.1[3];
            let filled: Vec<String> =
                of_a.iter().map(|a| if *a == null { of_b[3].clone() } else { a.clone() }).collect();
            let found = fill_null(&a, &Literal::Scalar(filler.clone()), &exec).unwrap();
            assert_eq!(texts(&found.to_scalars().unwrap()), filled, "{filler}, {what}");
            assert_eq!(
                values(col("a").fill_null(lit(filler.clone())), &frame, &exec),
                filled,
                "{filler}, {what}"
            );
            let of_row =
                |row: usize| (of_a[row] != null).then(|| of_a[row] != null && of_b.contains(&of_a[row]));
            let expected: Vec<Option<bool>> = (0..4).map(of_row).collect();
            let found = evaluate(&[col("a").is_in(&b)], &frame, &exec).unwrap().swap_remove(0).1;
            assert_eq!(found.to_options::<bool>().unwrap(), expected, "is_in, {what}");
            for (op, row) in (0..4).flat_map(|row| [(0, row), (1, row)]) {
                let other = if op == 0 { col("b") } else { lit(right.1[row].clone()) };
                let row_of = frame.slice(row, 1).unwrap();
                let found = evaluate(&[col("a").eq(other)], &row_of, &exec).unwrap().swap_remove(0).1;
                let is_null = of_a[row] == null || of_b[row] == null;
                let expected = (!is_null).then(|| of_a[row] == of_b[row]);
                assert_eq!(found.to_options::<bool>().unwrap(), [expected], "row {row} of {what}");
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
