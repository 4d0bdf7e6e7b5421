//! Covariances and correlations of windows, with results of pandas 3.1.1, on every device.

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, Label, Scalar};
use columnade_ops::expression::{ExponentialWindow, Expr, RollingWindow, col};
use columnade_tests::assert_near;

use crate::dataframe::DataFrame;
use crate::frame::Frame;

type Values = Vec<Option<f64>>;

fn frame(columns: &[(&str, Values)], exec: &Exec) -> DataFrame {
    let columns = columns.iter().map(|(label, values)| {
        let is_whole = values.iter().all(Option::is_some);
        let whole: Vec<f64> = values.iter().flatten().copied().collect();
        let column = if is_whole {
            Column::from_slice(&whole, exec)
        } else {
            Column::from_options(values.clone(), exec)
        };
        (*label, column.unwrap())
    });
    DataFrame::from_frame(Frame::new(ColumnAccessor::from_columns(columns).unwrap(), exec.clone()))
}

fn computed(frame: &DataFrame, expr: Expr) -> Values {
    frame.select([expr.alias("made")]).unwrap().column("made").unwrap().to_options::<f64>().unwrap()
}

#[test]
#[expect(clippy::unreadable_literal, reason = "as pandas prints them")]
fn pairs_of_two_columns_match_pandas() {
    let x = [None, Some(1.0), Some(2.5), None, Some(-4.0), Some(0.5), Some(7.0), Some(2.0)];
    let y = [Some(3.0), None, Some(1.0), Some(2.0), Some(2.5), Some(-1.0), None, Some(4.0)];
    let none = [None; 4];
    let of = |rest: [f64; 4]| [none.to_vec(), rest.map(Some).to_vec()].concat();
    let biased = |rest: [f64; 4]| [vec![None, None, Some(0.0), Some(0.0)], rest.map(Some).to_vec()].concat();
    let cases = [
        (
            (true, false),
            of([-4.875000000000001, -5.208121827411168, -5.208121827411168, 2.0937852436635613]),
            biased([-1.8977076124567474, -2.986667701682548, -2.986667701682548, 1.1886451154520798]),
            of([-1.0, -0.7854207278335317, -0.7854207278335317, 0.29171297287092135]),
        ),
        (
            (false, false),
            of([-4.875, -3.65398185483871, -3.65398185483871, 1.2519374711622266]),
            biased([-2.430747922437673, -2.4098060941828257, -2.4098060941828257, 0.8094924072098895]),
            of([-1.0, -0.6222582871531296, -0.6222582871531296, 0.1934883723454042]),
        ),
        (
            (true, true),
            of([-4.874999999999999, -4.301020408163265, -4.301020408163265, 1.1799219687875153]),
            biased([-2.28515625, -2.633277800916285, -2.633277800916285, 0.7970980211937718]),
            of([-1.0, -0.696887252868597, -0.696887252868597, 0.17308631019000578]),
        ),
        (
            (false, true),
            of([-4.875, -2.7242647058823533, -2.7242647058823533, 0.6553437164339423]),
            biased([-2.34, -1.7784, -1.7784, 0.46857600000000016]),
            of([-0.9999999999999998, -0.5131646626988764, -0.5131646626988764, 0.10993864275588056]),
        ),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // Missing values as nulls, and as NaN.
        for missing in [None, Some(f64::NAN)] {
            let columns = [("x", x), ("y", y)];
            let columns =
                columns.map(|(label, values)| (label, values.map(|value| value.or(missing)).to_vec()));
            let frame = frame(&columns, &exec);
            for ((adjust, ignore_na), cov, of_values, corr) in &cases {
                let window = ExponentialWindow::alpha(0.4).adjust(*adjust).ignore_na(*ignore_na);
                let context = format!("{adjust} {ignore_na} {missing:?} {device}");
                assert_near(&computed(&frame, col("x").ewm_cov(col("y"), window)), cov, &context);
                assert_near(
                    &computed(&frame, col("y").ewm_cov(col("x"), window.bias(true))),
                    of_values,
                    &context,
                );
                assert_near(&computed(&frame, col("x").ewm_corr(col("y"), window)), corr, &context);
            }
            let means = [
                1.0,
                1.9375,
                1.9375,
                -1.8299492385786804,
                -0.6324013157894738,
                2.889118558984202,
                2.502615179167594,
            ];
            let means = [vec![None], means.map(Some).to_vec()].concat();
            assert_near(&computed(&frame, col("x").ewm_mean(ExponentialWindow::alpha(0.4))), &means, "mean");
        }
        let frame = frame(&[("x", x.to_vec()), ("y", y.to_vec())], &exec);
        let three = || RollingWindow::rows(3).min_periods(2);
        for (found, expected) in [
            (col("x").rolling_cov(col("y"), three()), of([-4.875, -7.875, -7.875, 3.75])),
            (col("x").rolling_corr(col("y"), three()), of([-1.0, -1.0, -1.0, 1.0])),
            (
                col("x").rolling_cov(col("y"), RollingWindow::expanding()),
                of([-4.875, -3.5833333333333335, -3.5833333333333335, -0.541666666666667]),
            ),
            (
                col("x").rolling_corr(col("y"), RollingWindow::expanding()),
                of([-1.0, -0.6129736037502215, -0.6129736037502215, -0.08572878039363421]),
            ),
        ] {
            let context = found.to_string();
            assert_near(&computed(&frame, found), &expected, &context);
        }
        // Far from 0, and a column that is constant.
        let far = columnade_ops::expression::lit(1e9);
        let found = computed(&frame, (col("x") + far.clone()).rolling_cov(col("y") - far, three()));
        for (found, expected) in found.iter().zip(of([-4.875, -7.875, -7.875, 3.75])) {
            let is_near = found.zip(expected).is_none_or(|(found, expected)| (found - expected).abs() < 1e-5);
            assert!(found.is_some() == expected.is_some() && is_near, "{found:?} {expected:?}");
        }
        // Of very different scales: pandas' cov and corr of all eight rows.
        let large = [3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0].map(|x: f64| Some(x * 1e9)).to_vec();
        let small = [2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0, 8.0].map(|y: f64| Some(y * 1e-9)).to_vec();
        let scaled = self::frame(&[("x", large), ("y", small)], &exec);
        for (found, expected) in [
            (col("x").rolling_cov(col("y"), 8), 2.1875),
            (col("x").rolling_corr(col("y"), 8), 0.241_772_954_076_284_4),
        ] {
            let context = found.to_string();
            assert_near(&computed(&scaled, found)[7..], &[Some(expected)], &context);
        }
        let constant = col("x").rolling_corr(col("y") * 0.0, three());
        assert!(computed(&frame, constant).iter().all(Option::is_none));
    }
}

#[test]
fn pairs_of_all_columns_match_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let of = |values: [f64; 3]| values.map(Some).to_vec();
        let frame = frame(&[("x", of([1.0, 2.0, 4.0])), ("y", of([3.0, 1.0, 2.0]))], &exec);
        let window = ExponentialWindow::com(1.0);
        let nothing = || vec![None, None];
        let pairs = |rest: [f64; 4]| [nothing(), rest.map(Some).to_vec()].concat();
        for (found, x, y) in [
            (frame.rolling(2).cov(), pairs([0.5, -1.0, 2.0, 1.0]), pairs([-1.0, 2.0, 1.0, 0.5])),
            (
                frame.expanding().corr(),
                pairs([1.0, -1.0, 1.0, -0.327_326_835_353_988_6]),
                pairs([-1.0, 1.0, -0.327_326_835_353_988_6, 1.0]),
            ),
            (frame.ewm(window).cov(), pairs([0.5, -1.0, 2.5, 0.0]), pairs([-1.0, 2.0, 0.0, 5.0 / 7.0])),
            (frame.ewm(window).corr(), pairs([1.0, -1.0, 1.0, 0.0]), pairs([-1.0, 1.0, 0.0, 1.0])),
        ] {
            let found = found.unwrap();
            assert_eq!(found.columns(), ["x", "y"]);
            assert_near(&found.column("x").unwrap().to_options().unwrap(), &x, "x");
            assert_near(&found.column("y").unwrap().to_options().unwrap(), &y, "y");
            assert_eq!(found.index().names(), [Label::NULL, Label::NULL]);
            let levels = found.index().to_scalars().unwrap();
            let rows: Vec<Scalar> = [0_i64, 0, 1, 1, 2, 2].map(Scalar::Int64).to_vec();
            assert_eq!(levels[0], rows);
            assert_eq!(levels[1], ["x", "y", "x", "y", "x", "y"].map(Scalar::from).to_vec());
        }
        let three = frame.with_column("z", [0.5, -2.0, 8.0]).unwrap();
        let found = three.expanding().cov().unwrap();
        for (label, expected) in [
            ("x", [0.5, -1.0, -1.25, 7.0 / 3.0, -0.5, 20.0 / 3.0]),
            ("y", [-1.0, 2.0, 2.5, -0.5, 1.0, 1.25]),
            ("z", [-1.25, 2.5, 3.125, 20.0 / 3.0, 1.25, 27.083_333_333_333_336]),
        ] {
            let expected = [vec![None; 3], expected.map(Some).to_vec()].concat();
            assert_near(&found.column(label).unwrap().to_options().unwrap(), &expected, label);
        }
        let none = frame.slice(0, 0).unwrap();
        assert_eq!(none.expanding().cov().unwrap().shape(), (0, 2));
        assert_eq!(none.ewm(window).corr().unwrap().shape(), (0, 2));
    }
}
