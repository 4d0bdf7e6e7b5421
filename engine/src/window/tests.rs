//! Windows of frames, series and groups with results of pandas, on every device.

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Label, TimeUnit};
use columnade_ops::expression::{
    Closed, Expr, Interpolation, Literal, RollingWindow, col, hours, len, minutes,
};

use super::WindowSize;
use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;

const START: i64 = 1_704_067_200;

/// `k` with a null, `x` with a null, ascending times `t`, and a word.
fn frame(exec: &Exec) -> DataFrame {
    let k = [Some("b"), Some("a"), Some("b"), None, Some("a"), Some("b")];
    let x = [Some(1.0), Some(5.0), None, Some(2.0), Some(7.0), Some(4.0)];
    let t: Vec<i64> = [0, 60, 90, 120, 240, 255].iter().map(|minutes| START + minutes * 60).collect();
    let t = Column::from_slice(&t, exec).unwrap().reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap();
    let columns = ColumnAccessor::from_columns([
        ("k", Column::from_options(k, exec).unwrap()),
        ("x", Column::from_options(x, exec).unwrap()),
        ("t", t),
    ]);
    DataFrame::from_frame(Frame::new(columns.unwrap(), exec.clone()))
}

fn execs() -> Vec<Exec> {
    Device::available().into_iter().map(|device| Exec::new(device).unwrap()).collect()
}

fn floats(series: &Series) -> Vec<Option<f64>> {
    series.to_options::<f64>().unwrap()
}

fn close(found: &[Option<f64>], expected: &[Option<f64>]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let is_near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
            (None, None) => true,
            _ => false,
        };
        assert!(is_near, "{found:?} {expected:?}");
    }
}

#[test]
fn windows_of_rows_and_times_match_pandas() {
    let some = |values: [f64; 6]| values.map(|x| (x >= 0.0).then_some(x)).to_vec();
    for exec in execs() {
        let frame = frame(&exec);
        let x = |found: crate::error::Result<DataFrame>| floats(&found.unwrap().column("x").unwrap());
        assert_eq!(x(frame.rolling(2).min_periods(1).sum()), some([1., 6., 5., 2., 9., 11.]));
        let centred = frame.rolling(3).center(true).min_periods(1);
        assert_eq!(x(centred.sum()), some([6., 6., 7., 9., 13., 11.]));
        let of_time = frame.rolling("2h").on("t");
        let expanding = frame.column("x").unwrap();
        let expanding = expanding.expanding();
        let so_far = |found: crate::error::Result<Series>| floats(&found.unwrap());
        assert_eq!(x(of_time.sum()), some([1., 6., 6., 7., 7., 11.]));
        assert_eq!(so_far(expanding.sum()), some([1., 6., 6., 8., 15., 19.]));
        close(&x(of_time.mean()), &some([1., 3., 3., 3.5, 7., 5.5]));
        close(&so_far(expanding.mean()), &some([1., 3., 3., 8. / 3., 3.75, 3.8]));
        assert_eq!(x(of_time.min()), some([1., 1., 1., 2., 7., 4.]));
        assert_eq!(x(of_time.max()), some([1., 5., 5., 5., 7., 7.]));
        close(&x(of_time.var()), &some([-1., 8., 8., 4.5, -1., 4.5]));
        close(
            &so_far(expanding.std()),
            &some([
                -1.,
                8_f64.sqrt(),
                8_f64.sqrt(),
                2.081_665_999_466_132_6,
                2.753_785_273_643_051,
                2.387_467_277_262_664_4,
            ]),
        );
        assert_eq!(x(of_time.first()), some([1., 1., 1., 5., 7., 7.]));
        assert_eq!(x(of_time.last()), some([1., 5., 5., 2., 7., 4.]));
        let count = of_time.count().unwrap();
        assert_eq!(count.columns(), ["k", "x"]);
        assert_eq!(count.column("x").unwrap().to_vec::<i64>().unwrap(), [1, 2, 2, 2, 1, 2]);
        assert_eq!(
            x(frame.rolling("2h").on("t").closed(Closed::Both).sum()),
            some([1., 6., 6., 8., 9., 11.])
        );
        assert_eq!(
            x(frame.rolling("1h").on("t").closed(Closed::Left).sum()),
            some([-1., 1., 5., 5., -1., 7.])
        );
        assert_eq!(x(of_time.median()), some([1., 3., 3., 3.5, 7., 5.5]));
        close(
            &x(frame.rolling("4h").on("t").skew()),
            &[None, None, None, Some(1.293_342_780_733_396), Some(-0.585_582_726_281_387), Some(0.0)],
        );
        close(
            &so_far(expanding.kurt()),
            &[None, None, None, None, Some(-3.032_967_032_967_037), Some(-1.117_266_851_338_876)],
        );
        let by_key = frame.group_by("k").rolling(3).min_periods(0).skew().unwrap();
        assert_eq!(floats(&by_key.column("x").unwrap()), [None; 5]);

        // Times as labels give the same, and a slice is that of the rows alone.
        let labelled = frame.set_index("t").unwrap();
        let found = labelled.rolling("2h").sum().unwrap();
        assert_eq!(x(Ok(found.clone())), some([1., 6., 6., 7., 7., 11.]));
        assert!(found.index().equals(labelled.index()).unwrap());
        let part = labelled.slice(1, 3).unwrap().column("x").unwrap().rolling("2h").sum().unwrap();
        assert_eq!(floats(&part), [Some(5.0), Some(5.0), Some(7.0)]);
        let range = |window: &_| {
            let window = Clone::clone(window);
            [(col("x").rolling_max(window) - col("x")).alias("below")]
        };
        let below = labelled.rolling("2h").agg(range).unwrap();
        assert_eq!(
            floats(&below.column("below").unwrap()),
            [Some(0.), Some(0.), None, Some(3.), Some(0.), Some(3.)]
        );
        assert_eq!(labelled.head(0).unwrap().rolling("2h").sum().unwrap().shape(), (0, 1));
    }
}

#[test]
fn windows_of_groups_match_pandas() {
    for exec in execs() {
        let frame = frame(&exec);
        let x = |found: &DataFrame| floats(&found.column("x").unwrap());
        let labels = |found: &DataFrame| {
            let levels = found.index().to_scalars().unwrap();
            let [keys, rows] = &levels[..] else { panic!("{} levels", levels.len()) };
            keys.iter().zip(rows).map(|(key, row)| format!("{key}{row}")).collect::<Vec<_>>()
        };
        let sorted = frame.group_by("k").sort(true);
        let found = sorted.rolling(2).min_periods(1).sum().unwrap();
        assert_eq!(x(&found), [Some(5.), Some(12.), Some(1.), Some(1.), Some(4.)]);
        assert_eq!(found.index().names(), [Label::from("k"), Label::NULL]);
        assert_eq!(labels(&found), ["a1", "a4", "b0", "b2", "b5"]);
        assert_eq!(found.columns(), ["x"]);
        let found = sorted.rolling("3h").on("t").sum().unwrap();
        assert_eq!(x(&found), [Some(5.), Some(7.), Some(1.), Some(1.), Some(4.)]);
        let found = frame.group_by("k").expanding().select("x").max().unwrap();
        assert_eq!(x(&found), [Some(1.), Some(1.), Some(4.), Some(5.), Some(7.)]);
        assert_eq!(labels(&found), ["b0", "b2", "b5", "a1", "a4"]);
        let found = frame.group_by("k").dropna(false).rows_where(col("x").gt(1)).expanding().sum().unwrap();
        assert_eq!(x(&found), [Some(5.), Some(12.), Some(2.), Some(4.)]);
        let several = frame.group_by(["k", "x"]).sort(true).expanding().count().unwrap();
        assert_eq!((several.index().level_count(), several.len()), (3, 4));
    }
}

#[test]
fn wrong_windows_are_refused() {
    let exec = Exec::host();
    let frame = frame(&exec);
    let said = |error: crate::error::Error, kind: ErrorKind, text: &str| {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    said(frame.rolling(0).sum().unwrap_err(), ErrorKind::Value, "at least one row");
    said(frame.rolling("ME").sum().unwrap_err(), ErrorKind::Value, "ME has no fixed length");
    said(frame.rolling("1H").sum().unwrap_err(), ErrorKind::Value, "at character 1: write h");
    said(
        frame.rolling("1h").sum().unwrap_err(),
        ErrorKind::Type,
        "\"row labels\": times are expected, not int64",
    );
    said(
        frame.resample("1h").sum().unwrap_err(),
        ErrorKind::Type,
        "\"row labels\": times are expected, not int64",
    );
    said(frame.rolling("1h").on("u").sum().unwrap_err(), ErrorKind::Key, "\"u\"");
    said(frame.expanding().center(true).sum().unwrap_err(), ErrorKind::Value, "center");
    said(frame.expanding().closed(Closed::Both).sum().unwrap_err(), ErrorKind::Value, "closed");
    said(frame.rolling(2).select("k").sum().unwrap_err(), ErrorKind::Type, "utf8");
    said(frame.column("k").unwrap().rolling(2).mean().unwrap_err(), ErrorKind::Type, "utf8");
    said(frame.rolling(2).min_periods(3).sum().unwrap_err(), ErrorKind::Value, "min_periods");
    let two = frame.set_index(["k", "t"]).unwrap();
    said(two.rolling("1h").sum().unwrap_err(), ErrorKind::Value, "2 levels");
    let back = frame.take([3, 2, 1]).unwrap();
    said(back.rolling("1h").on("t").sum().unwrap_err(), ErrorKind::Value, "do not ascend");
    said(frame.rolling(2).quantile(2.0, Interpolation::Linear).unwrap_err(), ErrorKind::Value, "q");
}

#[test]
fn windows_of_durations_are_those_of_frequencies() {
    for exec in execs() {
        let frame = frame(&exec);
        for (window, frequency) in [(hours(2), "2h"), (hours(100_000), "100000h"), (minutes(30), "30min")] {
            let of = |size: WindowSize| frame.rolling(size).on("t").select("x").sum().unwrap();
            assert!(of(window.into()).equals(&of(frequency.into())).unwrap(), "{frequency}");
            let labelled = frame.set_index("t").unwrap();
            let of = |size: WindowSize| labelled.rolling(size).select("x").mean().unwrap();
            assert!(of(hours(2).into()).equals(&of("2h".into())).unwrap());
        }
        assert!(frame.rolling(hours(-1)).on("t").select("x").sum().is_err());
        assert!(frame.rolling(Literal::from("x")).on("t").select("x").sum().is_err());
    }
}

type Method = fn(Expr, RollingWindow) -> Expr;

#[test]
fn aggregates_of_expressions_are_those_of_windows() {
    for exec in execs() {
        let frame = frame(&exec);
        let made = |expr: Expr| {
            let found = frame.rolling(3).min_periods(1).agg(|_| [expr]).unwrap();
            floats(&found.column(&found.columns()[0]).unwrap())
        };
        let by_method = |expr: Method| {
            let found =
                frame.rolling(3).min_periods(1).agg(|window| [expr(col("x"), window.clone())]).unwrap();
            floats(&found.column(&found.columns()[0]).unwrap())
        };
        let x = || col("x");
        assert_eq!(made(x().sum()), [1., 6., 6., 7., 9., 13.].map(Some));
        let cases: [(Expr, Method); 11] = [
            (x().sum(), Expr::rolling_sum),
            (x().mean(), Expr::rolling_mean),
            (x().min(), Expr::rolling_min),
            (x().max(), Expr::rolling_max),
            (x().var(), Expr::rolling_var),
            (x().std(), Expr::rolling_std),
            (x().median(), Expr::rolling_median),
            (x().skew(), Expr::rolling_skew),
            (x().first(), Expr::rolling_first),
            (x().last(), Expr::rolling_last),
            (x().sem(), |x, window| x.rolling_sem_ddof(1, window)),
        ];
        for (expr, method) in cases {
            let text = expr.to_string();
            assert_eq!(made(expr), by_method(method), "{text}");
        }
        // Arithmetic is of the aggregates of each window, under the label of the expression.
        let range = (x() * 2).max() - x().min();
        assert_eq!(made(range.clone()), [1., 9., 9., 8., 12., 12.].map(Some));
        let labels = frame.expanding().agg(|_| [range.clone()]).unwrap().columns().to_vec();
        assert_eq!(labels, [range.label()]);
        let grouped = frame.group_by("k").rolling(2).min_periods(1).agg(|_| [x().sum()]).unwrap();
        assert_eq!(floats(&grouped.column("x").unwrap()), [1., 1., 4., 5., 12.].map(Some));
        let of_time = frame.rolling("2h").on("t").agg(|_| [x().count()]).unwrap();
        assert_eq!(of_time.column("x").unwrap().to_options::<i64>().unwrap(), [1, 2, 2, 2, 1, 2].map(Some));

        let refused =
            [x(), x() - x().mean(), x().mode(), (x() - x().mean()).sum(), x().filter(x().gt(1)).sum(), len()];
        for expr in refused {
            let text = expr.to_string();
            let error = frame.rolling(2).agg(|_| [expr]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotImplemented);
            assert!(error.to_string().contains(&text), "{error}");
        }
        // What is of windows or groups of its own stays that.
        let own = frame
            .rolling(3)
            .agg(|window| [x() - x().rolling_min(window.clone().min_periods(1)), x().sum().over("k")]);
        assert_eq!(own.unwrap().len(), 6);
    }
}
