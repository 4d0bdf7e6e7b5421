//! Series on every device, against values worked out by hand.

use columnade_columns::{DType, ErrorKind, Scalar};
use columnade_ops::expression::lit;

use super::Series;
use crate::testing::{ints, on_every_device};

fn numbers() -> Series {
    Series::new([Some(7_i64), None, Some(-3), Some(0)]).expect("numbers").renamed("n")
}

#[test]
fn what_a_series_is() {
    on_every_device(|device| {
        let series = numbers();
        assert_eq!(series.name(), "n");
        assert_eq!((series.len(), series.dtype()), (4, DType::Int64));
        assert_eq!(series.device(), device);
        assert_eq!(series.null_count().expect("counted"), 1);
        assert_eq!(series.get(2).expect("inside"), Scalar::Int64(-3));
        assert_eq!(series.get(4).map_err(|error| error.kind()), Err(ErrorKind::Index));
        assert_eq!(
            series.tail(2).and_then(|tail| tail.to_scalars()).expect("tail"),
            ints(&[Some(-3), Some(0)])
        );
        assert_eq!(series.head(9).expect("head").len(), 4);
    });
}

#[test]
fn arithmetic_and_comparison() {
    on_every_device(|_| {
        let series = numbers();
        let scalars =
            |made: crate::Result<Series>| made.and_then(|series| series.to_scalars()).expect("dtypes fit");
        assert_eq!(scalars(series.add(&series)), ints(&[Some(14), None, Some(-6), Some(0)]));
        assert_eq!(scalars(series.mul(3)), ints(&[Some(21), None, Some(-9), Some(0)]));
        assert_eq!(scalars(series.floor_div(2)), ints(&[Some(3), None, Some(-2), Some(0)]));
        assert_eq!(scalars(series.rem(2)), ints(&[Some(1), None, Some(1), Some(0)]));
        let positive = scalars(series.gt(0));
        assert_eq!(positive, [true.into(), Scalar::Null(DType::Bool), false.into(), false.into()]);
        assert_eq!(
            scalars(series.evaluate(|n| n * lit(2) + lit(1))),
            ints(&[Some(15), None, Some(-5), Some(1)])
        );
        assert_eq!(series.add(1).expect("numbers").name(), "n");

        let short = Series::new(vec![1_i64]).expect("numbers");
        let error = series.add(&short).expect_err("other length");
        assert_eq!(error.kind(), ErrorKind::Value);
        assert!(error.to_string().starts_with("add: "), "{error}");
        let text = Series::new(["a", "b", "c", "d"]).expect("text");
        assert_eq!(series.add(&text).map(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::Type));
    });
}

#[test]
fn reductions() {
    on_every_device(|_| {
        let series = numbers();
        assert_eq!(series.sum().expect("numbers"), Scalar::Int64(4));
        assert_eq!(series.min().expect("numbers"), Scalar::Int64(-3));
        assert_eq!(series.max().expect("numbers"), Scalar::Int64(7));
        assert_eq!(series.count().expect("numbers"), 3);
        assert_eq!(series.mean().expect("numbers"), Scalar::Float64(4.0 / 3.0));
        let empty = Series::new(Vec::<i64>::new()).expect("numbers");
        assert_eq!(empty.sum().expect("numbers"), Scalar::Int64(0));
        assert_eq!(empty.max().expect("numbers"), Scalar::Null(DType::Int64));
        let unnamed = Series::new(vec![1_i64, 2]).expect("numbers");
        assert_eq!(unnamed.sum().expect("numbers"), Scalar::Int64(3));
    });
}

#[test]
fn printed_series() {
    on_every_device(|_| {
        let text = numbers().to_string();
        assert!(text.contains("null") && text.ends_with("[4 rows, int64]"), "{text}");
    });
}
