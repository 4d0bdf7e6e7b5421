//! Expressions as data of serde: those that come back are built as those that went.
#![cfg(feature = "serde")]

use super::*;
use crate::categories::encode;
use crate::strings::JoinNulls;
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, DeviceScalar, Label, Scalar, TimeUnit};

fn again(expr: &Expr) -> Expr {
    let bytes = postcard::to_stdvec(expr).unwrap();
    postcard::from_bytes(&bytes).unwrap()
}

/// One of each node and of each kind of function.
fn exprs() -> Vec<Expr> {
    let (x, at, word) = (|| col("x"), || col("at"), || col("word"));
    let scalars = [
        Scalar::Float32(-0.0),
        Scalar::Decimal { value: i128::MAX / 3, precision: 38, scale: 2 },
        Scalar::Timestamp(i64::MIN, TimeUnit::Nano),
        Scalar::Null(DType::list(DType::Utf8)),
    ];
    let mut exprs: Vec<Expr> = scalars.into_iter().map(lit).collect();
    let label = Label::from_parts([1.5.into(), "ü".into()] as [columnade_columns::LabelPart; 2]).unwrap();
    exprs.extend([
        col(label),
        col(Label::NULL).alias(7),
        lit(f64::NAN),
        lit(i128::MIN),
        lit(Literal::Null) + days(3),
        lit_decimal("-1.5").unwrap(),
        (x() - 1) * x() / 3 % 5,
        x().floor_div(2).checked_add(1).abs().round(-2),
        -x() ^ 3,
        (!x().lt(2) & x().is_null()) | x().is_not_null(),
        x().fill_null(0).cast(DType::Int8).try_cast(DType::Utf8),
        when(x().gt(1)).then(x()).otherwise("no"),
        at().dt().year() + at().dt().week(),
        at().dt().truncate("15min").dt().tz_localize("Europe/Rome", LocalTimes::default()),
        at().dt().round("no period"),
        at().dt().strftime("%Y"),
        word().str().to_datetime(DType::Date32, "%Y"),
        word().str().like_escape("a!%", '!'),
        word().str().upper().str().slice(-3, Some(2)).str().concat([lit("!")], "-", JoinNulls::Ignore),
        word().str().replace_regex("a+", "b", Some(2)).str().split("-", None).list().get(0),
        word().cat().encode().cat().set_categories(["tea", "oat"]).cat().codes(),
        struct_of([x(), word()]).struct_().field("x"),
        x().log(2.0).exp().pow(0.5).sign(),
        x().bit_xor(1).shift_left(2).eq_missing(3),
        max_horizontal([x(), col("y")]),
        hash_rows([x(), word()], HashFunction::Murmur3(7)),
        x().is_in(0..40),
        word().is_in((0..40).map(|n| n.to_string())),
        x().sum().filter(x().gt(1)) / len(),
        x().quantiles_with([0.1, f64::INFINITY], Interpolation::Midpoint),
        x().cov_ddof(col("y"), 0) + x().nth(-1),
        x().histogram([f64::NEG_INFINITY, 0.0]),
        x().rank(Rank { method: RankMethod::Dense, descending: true, pct: false }).over(["k", "l"]),
        x().rolling_quantile(0.5, Interpolation::Lower, RollingWindow::time("at", hours(3))),
        x().ewm_mean(ExponentialWindow::halflife(0.1).adjust(false)),
        x().cum_sum().shift(2).fill_forward(Some(1)).interpolate() - row_number(),
    ]);
    exprs
}

#[test]
fn expressions_come_back_as_they_went() {
    for expr in exprs() {
        let made = again(&expr);
        let (before, after) = (format!("{expr:?}"), format!("{made:?}"));
        // Members are called by their address.
        let is_of_set = before.contains("Members(");
        assert!(is_of_set || before == after, "{before}\n{after}");
        assert_eq!((made.to_string(), made.label()), (expr.to_string(), expr.label()));
    }
}

#[test]
fn shared_parts_stay_shared_and_deep_expressions_take_no_deep_stack() {
    let doubled = (0..60).fold(col("a"), |x, _| x.clone() + x);
    assert!(postcard::to_stdvec(&doubled).unwrap().len() < 2000);
    let made = again(&doubled);
    let host = Exec::host();
    let frame = ColumnAccessor::from_columns([("a", Column::from_slice(&[3_i64], &host).unwrap())]).unwrap();
    let (_, values) = evaluate(&[made], &frame, &host).unwrap().swap_remove(0);
    assert_eq!(values.to_vec::<i64>().unwrap(), [3 << 60]);
    let deep = (0..3000).fold(col("a"), |x, _| x + 1);
    let (_, values) = evaluate(&[again(&deep)], &frame, &host).unwrap().swap_remove(0);
    assert_eq!(values.to_vec::<i64>().unwrap(), [3003]);
}

#[test]
fn members_are_found_on_every_device() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values: Vec<i64> = (0..100).collect();
        let frame = ColumnAccessor::from_columns([("a", Column::from_slice(&values, &exec).unwrap())]);
        let frame = frame.unwrap();
        let some = Column::from_options([Some(3_i64), None, Some(70)], &exec).unwrap();
        for expr in [col("a").is_in(some), col("a").is_in((0..60).map(|n| 3 * n))] {
            let [before, after] = [expr.clone(), again(&expr)].map(|expr| {
                let (_, found) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
                found.to_options::<bool>().unwrap()
            });
            assert_eq!(before, after, "{device}");
            assert!(before.contains(&Some(true)) && before.contains(&Some(false)));
        }
    }
}

/// Compared with the text of the whole tree.
#[test]
fn trees_of_the_same_nodes_are_the_same() {
    let (exprs, others) = (exprs(), exprs());
    let texts =
        [&exprs, &others].map(|exprs| exprs.iter().map(|expr| format!("{expr:?}")).collect::<Vec<_>>());
    let nan = |text: &str| text.contains("NaN");
    for (a, own) in exprs.iter().zip(&texts[0]).filter(|(_, text)| !nan(text)) {
        for (b, other) in others.iter().zip(&texts[1]) {
            assert_eq!(a.is_same(b), own == other, "{own} and {other}");
        }
        assert!(a.is_same(a) && !a.clone().alias("x").is_same(&a.clone().alias("y")), "{own}");
    }
}

#[test]
fn scalars_of_devices_come_back_with_their_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([("a", Column::from_slice(&[1_i64, 2], &exec).unwrap())]);
        let scalar = DeviceScalar::from_scalar(&Scalar::Int64(40), &exec).unwrap();
        let (_, found) =
            evaluate(&[again(&(col("a") + lit(scalar)))], &frame.unwrap(), &exec).unwrap().swap_remove(0);
        assert_eq!(found.to_vec::<i64>().unwrap(), [41, 42], "{device}");
    }
}

#[test]
fn categories_of_devices_come_back_with_their_order() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes = Column::from_values(["small", "big", "small", "mid"], &exec).unwrap();
        let sizes = encode(&sizes, &exec).unwrap().as_ordered();
        let frame = ColumnAccessor::from_columns([("size", Column::Categorical(sizes.clone()))]).unwrap();
        for (row, expected) in [(1, [false, true, false, true]), (3, [false, false, false, true])] {
            let scalar = DeviceScalar::from_row(frame.get("size").unwrap(), row).unwrap();
            let at_least = again(&col("size").ge(lit(scalar)));
            let (_, found) = evaluate(&[at_least], &frame, &exec).unwrap().swap_remove(0);
            assert_eq!(found.to_vec::<bool>().unwrap(), expected, "{device}");
        }
    }
}

#[test]
fn data_that_is_no_expression_is_an_error() {
    let bytes = postcard::to_stdvec(&(col("a") + 1)).unwrap();
    for end in 0..bytes.len() {
        assert!(postcard::from_bytes::<Expr>(&bytes[..end]).is_err(), "{end} bytes");
    }
    // A node that is its own operand.
    let itself = postcard::to_stdvec(&vec![(Node::Not(col("a")), vec![0_usize])]).unwrap();
    assert!(postcard::from_bytes::<Expr>(&itself).is_err());
    let more =
        postcard::to_stdvec(&vec![(Node::Len, vec![]), (Node::Not(col("a")), vec![0_usize, 0])]).unwrap();
    assert!(postcard::from_bytes::<Expr>(&more).is_err());
}
