//! Exponentially weighted aggregates on every device, against their weights one by one and against pandas 3.1.1.

use crate::expression::{ExponentialWindow, Expr, col, evaluate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, Error, Scalar};
use columnade_tests::{Rng, SIZES, assert_near};

type Values = Vec<Option<f64>>;

fn computed(frame: &ColumnAccessor, expr: Expr, exec: &Exec) -> Result<Values, Error> {
    let found = evaluate(&[expr], frame, exec)?.swap_remove(0).1.to_scalars()?;
    let value = |scalar: &Scalar| match scalar {
        Scalar::Float64(value) => Some(*value),
        Scalar::Null(_) => None,
        other => panic!("{other:?}"),
    };
    Ok(found.iter().map(value).collect())
}

fn on_every_device(test: impl Fn(&Exec)) {
    for device in Device::available() {
        test(&Exec::new(device).unwrap());
    }
}

#[test]
#[expect(clippy::unreadable_literal, clippy::too_many_lines, reason = "as pandas prints them")]
#[expect(clippy::type_complexity, reason = "options, means, variances and deviations")]
fn aggregates_of_every_option_match_pandas() {
    let x = [None, Some(1.0), Some(2.5), None, None, Some(-4.0), Some(0.5), Some(7.0)];
    let cases: [((bool, bool), [Option<f64>; 8], [Option<f64>; 8], [Option<f64>; 8]); 4] = [
        (
            (true, false),
            [
                None,
                None,
                Some(1.9375),
                Some(1.9375),
                Some(1.9375),
                Some(-2.4750297265160524),
                Some(-0.8289660056657223),
                Some(2.926985784027756),
            ],
            [
                None,
                None,
                Some(1.1249999999999998),
                Some(1.1249999999999998),
                Some(1.125),
                Some(16.63436632747456),
                Some(9.11090272772046),
                Some(27.517946031352505),
            ],
            [
                None,
                None,
                Some(0.7261843774138906),
                Some(0.7261843774138906),
                Some(0.7261843774138906),
                Some(2.620003454685625),
                Some(2.2921485477276664),
                Some(4.246340343469892),
            ],
        ),
        (
            (true, true),
            [
                None,
                None,
                Some(1.9375),
                Some(1.9375),
                Some(1.9375),
                Some(-1.0918367346938775),
                Some(-0.3602941176470587),
                Some(2.83206106870229),
            ],
            [
                None,
                None,
                Some(1.1249999999999998),
                Some(1.1249999999999998),
                Some(1.1249999999999998),
                Some(14.811224489795917),
                Some(8.186074429771908),
                Some(23.221430175123484),
            ],
            [
                None,
                None,
                Some(0.7261843774138906),
                Some(0.7261843774138906),
                Some(0.7261843774138906),
                Some(3.011328050280418),
                Some(2.3516195736932373),
                Some(4.054269155970458),
            ],
        ),
        (
            (false, false),
            [
                None,
                None,
                Some(1.6),
                Some(1.6),
                Some(1.6),
                Some(-2.036363636363636),
                Some(-1.0218181818181817),
                Some(2.1869090909090914),
            ],
            [
                None,
                None,
                Some(1.1250000000000002),
                Some(1.1250000000000002),
                Some(1.125),
                Some(14.249114730878187),
                Some(8.93262410484346),
                Some(26.42095973335369),
            ],
            [
                None,
                None,
                Some(0.7348469228349535),
                Some(0.7348469228349535),
                Some(0.7348469228349535),
                Some(2.7073689288900478),
                Some(2.437593409344514),
                Some(4.359932687976225),
            ],
        ),
        (
            (false, true),
            [
                None,
                None,
                Some(1.6),
                Some(1.6),
                Some(1.6),
                Some(-0.6400000000000001),
                Some(-0.18400000000000005),
                Some(2.6896000000000004),
            ],
            [
                None,
                None,
                Some(1.1250000000000002),
                Some(1.1250000000000002),
                Some(1.1250000000000002),
                Some(12.025735294117649),
                Some(7.02389903329753),
                Some(20.88363397767039),
            ],
            [
                None,
                None,
                Some(0.7348469228349535),
                Some(0.7348469228349535),
                Some(0.7348469228349535),
                Some(2.80185652737609),
                Some(2.2410140561808176),
                Some(3.924239014127452),
            ],
        ),
    ];
    on_every_device(|exec| {
        // A slice of a longer column.
        let longer: Values = [Some(99.0), None, Some(-99.0)].into_iter().chain(x).collect();
        let column = Column::from_options(longer, exec).unwrap().slice(3, x.len()).unwrap();
        let frame = ColumnAccessor::from_columns([("x", column)]).unwrap();
        let of = |expr| computed(&frame, expr, exec).unwrap();
        for ((adjust, ignore_na), mean, var, std) in &cases {
            let window = ExponentialWindow::alpha(0.4).adjust(*adjust).ignore_na(*ignore_na).min_periods(2);
            let context = format!("adjust {adjust}, ignore_na {ignore_na}, {}", exec.device());
            assert_near(&of(col("x").ewm_mean(window)), mean, &context);
            assert_near(&of(col("x").ewm_var(window)), var, &context);
            assert_near(&of(col("x").ewm_std(window.bias(true))), std, &context);
        }
        let means = |window| of(col("x").ewm_mean(window));
        assert_near(
            &means(ExponentialWindow::com(2.0)),
            &[
                None,
                Some(1.0),
                Some(1.9000000000000001),
                Some(1.9000000000000001),
                Some(1.9000000000000001),
                Some(-2.0495867768595035),
                Some(-0.7721649484536082),
                Some(2.5626839317245436),
            ],
            "com",
        );
        assert_near(
            &means(ExponentialWindow::span(3.0)),
            &[
                None,
                Some(1.0),
                Some(2.0),
                Some(2.0),
                Some(2.0),
                Some(-3.0526315789473686),
                Some(-0.8235294117647058),
                Some(3.5304347826086957),
            ],
            "span",
        );
        assert_near(
            &means(ExponentialWindow::halflife(1.5)),
            &[
                None,
                Some(1.0),
                Some(1.920267685653536),
                Some(1.920267685653536),
                Some(1.920267685653536),
                Some(-2.2859910683250697),
                Some(-0.8093146610372467),
                Some(2.7589884360620522),
            ],
            "halflife",
        );
    });
}

/// The mean and the variance of the values up to a row of a group, from all their weights.
fn naive(values: &[Option<f64>], alpha: f64, ignore_na: bool) -> Option<(f64, Option<f64>)> {
    let mut weighted = Vec::new();
    let mut weight = 1.0;
    for value in values.iter().rev() {
        weighted.extend(value.map(|value| (value, weight)));
        if value.is_some() || !ignore_na {
            weight *= 1.0 - alpha;
        }
    }
    let sum =
        |of: fn(f64, f64) -> f64| weighted.iter().map(|(value, weight)| of(*value, *weight)).sum::<f64>();
    let (all, squares) = (sum(|_, weight| weight), sum(|_, weight| weight * weight));
    let mean = (!weighted.is_empty()).then(|| sum(|value, weight| value * weight) / all)?;
    let apart: f64 = weighted.iter().map(|(value, weight)| weight * (value - mean).powi(2)).sum();
    let var = (weighted.len() > 1).then(|| apart / all * (all * all / (all * all - squares)));
    Some((mean, var))
}

#[test]
fn groups_of_every_size_match_their_weights() {
    on_every_device(|exec| {
        let mut rng = Rng::new(23);
        for rows in SIZES.into_iter().filter(|&rows| rows < 700) {
            let keys: Vec<Option<i64>> =
                (0..rows).map(|_| Some(rng.below(4).cast_signed()).filter(|key| *key > 0)).collect();
            let x: Values = (0..rows)
                .map(|_| (rng.below(5) > 0).then(|| f64::from(u32::try_from(rng.below(1000)).unwrap()) - 1e6))
                .collect();
            let columns = [
                ("k", Column::from_options(keys.clone(), exec)),
                ("x", Column::from_options(x.clone(), exec)),
            ];
            let columns = columns.map(|(label, column)| (label, column.unwrap()));
            let frame = ColumnAccessor::from_columns(columns).unwrap();
            for ignore_na in [false, true] {
                let window = ExponentialWindow::alpha(0.3).ignore_na(ignore_na);
                let expected: Vec<_> = (0..rows)
                    .map(|row| {
                        let group: Values = (0..=row)
                            .filter(|&other| keys[other] == keys[row])
                            .map(|other| x[other])
                            .collect();
                        keys[row].and_then(|_| naive(&group, 0.3, ignore_na))
                    })
                    .collect();
                let context = format!("{rows} rows, ignore_na {ignore_na}, {}", exec.device());
                let found = computed(&frame, col("x").ewm_mean(window).over("k"), exec).unwrap();
                assert_near(
                    &found,
                    &expected.iter().map(|pair| pair.map(|(mean, _)| mean)).collect::<Values>(),
                    &context,
                );
                let found = computed(&frame, col("x").ewm_var(window).over("k"), exec).unwrap();
                for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let expected = expected.and_then(|(_, var)| var);
                    let distance = found.zip(expected).map(|(found, expected)| (found - expected).abs());
                    // The weights' sums of the definition lose digits that far from 0.
                    let is_near =
                        distance.is_none_or(|distance| distance <= 1e-6 * (1.0 + expected.unwrap_or(0.0)));
                    assert!(
                        found.is_some() == expected.is_some() && is_near,
                        "{context}, row {row}: {found:?}, {expected:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn weights_out_of_range_are_refused() {
    on_every_device(|exec| {
        let columns = [
            ("x", Column::from_slice(&[1_i64, 2], exec)),
            ("s", Column::from_scalars(&columnade_columns::DType::Utf8, &["a".into(), "b".into()], exec)),
        ];
        let columns = columns.map(|(label, column)| (label, column.unwrap()));
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        for (window, name) in [
            (ExponentialWindow::com(-0.5), "com"),
            (ExponentialWindow::span(0.5), "span"),
            (ExponentialWindow::halflife(0.0), "halflife"),
            (ExponentialWindow::alpha(1.5), "alpha"),
            (ExponentialWindow::alpha(f64::NAN), "alpha"),
        ] {
            let error = computed(&frame, col("x").ewm_mean(window), exec).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
        let error = computed(&frame, col("s").ewm_var(ExponentialWindow::com(1.0)), exec).unwrap_err();
        assert!(
            error.to_string().contains("s.ewm_var(com 1)") && error.to_string().contains("utf8"),
            "{error}"
        );
        // All of the weight is on the newest value.
        let found = computed(&frame, col("x").ewm_mean(ExponentialWindow::alpha(1.0)), exec).unwrap();
        assert_eq!(found, [Some(1.0), Some(2.0)]);
    });
}
