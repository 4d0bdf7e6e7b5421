//! Aggregates of values of every dtype on every device, against their definition over scalars.

use std::cmp::Ordering;

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Scalar};
use columnade_tests::Rng;

use crate::expression::{Expr, col};
use crate::groupby::{GroupOptions, aggregate};
use crate::sort::Order;
use crate::test_dtypes::{dtypes, scalars};

const GROUPS: usize = 5;

/// The order of values as sort keys, with nulls last, those within values too.
fn compare(order: Order, a: &Scalar, b: &Scalar) -> Ordering {
    let one_by_one = |a: &[&Scalar], b: &[&Scalar]| {
        let first = a.iter().zip(b).map(|(a, b)| compare(order, a, b)).find(|found| found.is_ne());
        first.unwrap_or_else(|| directed(order, a.len().cmp(&b.len())))
    };
    match (a, b) {
        (Scalar::Null(_), _) | (_, Scalar::Null(_)) => is_null(a).cmp(&is_null(b)),
        (Scalar::List { values: a, .. }, Scalar::List { values: b, .. }) => {
            one_by_one(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>())
        }
        (Scalar::Struct(a), Scalar::Struct(b)) => {
            let fields = |of: &[(_, Scalar)]| of.iter().map(|field| field.1.clone()).collect::<Vec<_>>();
            let (a, b) = (fields(a), fields(b));
            one_by_one(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>())
        }
        (Scalar::Interval(a), Scalar::Interval(b)) => one_by_one(&[&a.left, &a.right], &[&b.left, &b.right]),
        (Scalar::Decimal { value: a, .. }, Scalar::Decimal { value: b, .. }) => directed(order, a.cmp(b)),
        (Scalar::Utf8(a), Scalar::Utf8(b)) => directed(order, a.cmp(b)),
        (Scalar::Binary(a), Scalar::Binary(b)) => directed(order, a.cmp(b)),
        (Scalar::Bool(a), Scalar::Bool(b)) => directed(order, a.cmp(b)),
        (Scalar::Float32(a), Scalar::Float32(b)) => directed(order, a.total_cmp(b)),
        (Scalar::Float64(a), Scalar::Float64(b)) => directed(order, a.total_cmp(b)),
        _ => directed(order, whole(a).cmp(&whole(b))),
    }
}

fn directed(order: Order, found: Ordering) -> Ordering {
    if order == Order::Descending { found.reverse() } else { found }
}

fn is_null(value: &Scalar) -> bool {
    matches!(value, Scalar::Null(_))
}

/// What integers, dates and times count.
fn whole(value: &Scalar) -> i64 {
    match value {
        Scalar::UInt8(value) => (*value).into(),
        Scalar::Int16(value) => (*value).into(),
        Scalar::Int32(value) | Scalar::Date32(value) => (*value).into(),
        Scalar::Int64(value)
        | Scalar::Timestamp(value, _)
        | Scalar::TimestampTz(value, _, _)
        | Scalar::Duration(value, _)
        | Scalar::Time(value, _) => *value,
        other => panic!("{other:?} is no integer"),
    }
}

fn equal(a: &Scalar, b: &Scalar) -> bool {
    compare(Order::Ascending, a, b).is_eq()
}

/// A list of values.
fn list(dtype: &DType, values: Vec<Scalar>) -> Scalar {
    Scalar::List { item: dtype.clone().into(), values }
}

/// The rows of a group with their numbers, to the aggregate.
type Definition = fn(&DType, &[(i64, Scalar)]) -> Scalar;

fn values(rows: &[(i64, Scalar)]) -> Vec<Scalar> {
    rows.iter().map(|row| row.1.clone()).filter(|value| !is_null(value)).collect()
}

fn sorted(order: Order, rows: &[(i64, Scalar)]) -> Vec<Scalar> {
    let mut values = values(rows);
    values.sort_by(|a, b| compare(order, a, b));
    values
}

/// The values in the order of their first rows.
fn distinct(rows: &[(i64, Scalar)]) -> Vec<Scalar> {
    let mut found: Vec<Scalar> = Vec::new();
    for value in values(rows) {
        if !found.iter().any(|other| equal(other, &value)) {
            found.push(value);
        }
    }
    found
}

fn or_null(dtype: &DType, value: Option<Scalar>) -> Scalar {
    value.unwrap_or_else(|| Scalar::Null(dtype.clone()))
}

fn count(values: &[Scalar]) -> Scalar {
    Scalar::Int64(i64::try_from(values.len()).unwrap())
}

fn arg(order: Order, rows: &[(i64, Scalar)]) -> Scalar {
    let first = rows.iter().filter(|row| !is_null(&row.1)).min_by(|a, b| compare(order, &a.1, &b.1));
    or_null(&DType::Int64, first.map(|row| Scalar::Int64(row.0)))
}

/// Aggregates that values of every dtype have.
fn cases() -> Vec<(&'static str, Expr, Definition)> {
    let x = || col("x");
    vec![
        ("count", x().count(), |_, rows| count(&values(rows))),
        ("nunique", x().nunique(), |_, rows| count(&distinct(rows))),
        ("first", x().first(), |dtype, rows| or_null(dtype, values(rows).into_iter().next())),
        ("last", x().last(), |dtype, rows| or_null(dtype, values(rows).pop())),
        ("nth", x().nth(1), |dtype, rows| or_null(dtype, rows.get(1).map(|row| row.1.clone()))),
        ("nth from the end", x().nth(-2), |dtype, rows| {
            or_null(dtype, rows.iter().nth_back(1).map(|row| row.1.clone()))
        }),
        ("min", x().min(), |dtype, rows| or_null(dtype, sorted(Order::Ascending, rows).into_iter().next())),
        ("max", x().max(), |dtype, rows| or_null(dtype, sorted(Order::Descending, rows).into_iter().next())),
        ("arg_min", x().arg_min(), |_, rows| arg(Order::Ascending, rows)),
        ("arg_max", x().arg_max(), |_, rows| arg(Order::Descending, rows)),
        ("mode", x().mode(), |dtype, rows| {
            let sorted = sorted(Order::Ascending, rows);
            let times = |value: &Scalar| sorted.iter().filter(|other| equal(value, other)).count();
            // The first of those with most rows is the smallest.
            let most = sorted.iter().map(times).max();
            or_null(dtype, sorted.iter().find(|value| Some(times(value)) == most).cloned())
        }),
        ("collect", x().collect(), |dtype, rows| list(dtype, rows.iter().map(|row| row.1.clone()).collect())),
        ("collect_unique", x().collect_unique(), |dtype, rows| list(dtype, distinct(rows))),
        ("top_k", x().top_k(2), |dtype, rows| {
            list(dtype, sorted(Order::Descending, rows).into_iter().take(2).collect())
        }),
        ("bottom_k", x().bottom_k(2), |dtype, rows| {
            list(dtype, sorted(Order::Ascending, rows).into_iter().take(2).collect())
        }),
    ]
}

fn same(found: &Scalar, expected: &Scalar) -> bool {
    match (found, expected) {
        (Scalar::Null(_), Scalar::Null(_)) => true,
        (Scalar::List { values: a, .. }, Scalar::List { values: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Scalar::Null(_), _) | (_, Scalar::Null(_)) => false,
        _ => equal(found, expected),
    }
}

#[test]
fn aggregates_of_every_dtype_match_their_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(240);
        for (dtype, n) in dtypes().into_iter().flat_map(|dtype| [0, 1, 33, 130].map(|n| (dtype.clone(), n))) {
            let mut rows = scalars(&dtype, n, &mut rng);
            // The last group has no value.
            let nulls = rows.iter_mut().skip(GROUPS - 1).step_by(GROUPS);
            nulls.for_each(|value| *value = Scalar::Null(dtype.logical().clone()));
            let keys: Vec<i64> = (0..n).map(|row| i64::try_from(row % GROUPS).unwrap()).collect();
            let frame = ColumnAccessor::from_columns([
                ("k", Column::from_slice(&keys, &exec).unwrap()),
                ("x", Column::from_scalars(&dtype, &rows, &exec).unwrap()),
            ])
            .unwrap();
            let numbered: Vec<(i64, Scalar)> = (0..).zip(rows).collect();
            let of_group = |group: usize| -> Vec<(i64, Scalar)> {
                numbered.iter().skip(group).step_by(GROUPS).cloned().collect()
            };
            for (name, aggregated, definition) in cases() {
                let case = format!("{name} of {n} rows of {dtype} on {device}");
                let asked = [aggregated.alias("found")];
                let found = |keys: &[Expr]| {
                    let found = aggregate(&frame, None, keys, &asked, GroupOptions::default(), &exec);
                    found
                        .unwrap_or_else(|error| panic!("{case}: {error}"))
                        .get("found")
                        .unwrap()
                        .to_scalars()
                        .unwrap()
                };
                let by_group = found(&[col("k")]);
                assert_eq!(by_group.len(), GROUPS.min(n), "{case}");
                for (group, found) in by_group.iter().enumerate() {
                    let expected = definition(dtype.logical(), &of_group(group));
                    assert!(same(found, &expected), "{case}, group {group}: {found:?}, not {expected:?}");
                }
                let (whole, expected) = (found(&[]), definition(dtype.logical(), &numbered));
                assert!(same(&whole[0], &expected), "{case}: {:?}, not {expected:?}", whole[0]);
            }
        }
    }
}

/// Sums, moments and the like are of numbers, and some of them of times; the error names the aggregate and the dtype.
#[test]
fn aggregates_of_dtypes_that_have_none_are_typed_errors() {
    let exec = Exec::host();
    let x = || col("x");
    let numeric = [x().sum(), x().mean(), x().std(), x().sem(), x().any(), x().all(), x().median()];
    let moments =
        [x().product(), x().var(), x().skew(), x().kurt(), x().corr(x()), x().histogram([0.0, 1.0])];
    for dtype in dtypes() {
        let logical = dtype.logical();
        let is_number = logical.is_numeric() || matches!(logical, DType::Bool | DType::Null);
        let is_time = matches!(
            logical,
            DType::Date32
                | DType::Timestamp(_)
                | DType::TimestampTz(..)
                | DType::Duration(_)
                | DType::Time(_)
        );
        let frame = ColumnAccessor::from_columns([(
            "x",
            Column::from_scalars(&dtype, &scalars(&dtype, 9, &mut Rng::new(241)), &exec).unwrap(),
        )])
        .unwrap();
        let refused = |expr: &Expr| {
            let found =
                aggregate(&frame, None, &[], &[expr.clone().alias("r")], GroupOptions::default(), &exec);
            let error = found.err()?;
            // Decimals are named without their width.
            let name = logical.to_string().replace("decimal32", "decimal").replace("decimal128", "decimal");
            assert!(error.to_string().contains(&name), "{error} names no dtype {dtype}");
            assert!(error.to_string().contains("expression x."), "{error} names no aggregate");
            Some(matches!(error.without_context(), Error::UnsupportedDType { .. }))
        };
        for expr in numeric.iter().chain(&moments) {
            // Whether a product of decimals is exact depends on the values.
            if expr.to_string().contains("product") && logical.is_decimal() {
                continue;
            }
            let found = refused(expr);
            if is_number {
                // Bits have no bins.
                let is_left_out = expr.to_string().contains("histogram") && *logical == DType::Bool;
                assert!(found.is_none() || is_left_out && found == Some(true), "{expr} of {dtype}");
            } else if !is_time {
                assert_eq!(found, Some(true), "{expr} of {dtype}");
            }
        }
    }
}
