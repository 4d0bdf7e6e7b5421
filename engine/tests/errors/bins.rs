//! Rows by bins of time, and windows.

use columnade::expressions::{Interpolation, Rank};
use columnade::{DType, DataFrame, TimeUnit, col, date_range_periods, df};

use super::{Case, case};

fn frame() -> DataFrame {
    let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 00:00:00", 2, "1h");
    df! { "t" => times.expect("times"), "k" => ["a", "b"], "n" => [1_i64, 2] }.expect("a frame")
}

pub(crate) fn cases() -> Vec<Case> {
    let frame = frame();
    let of_month = frame.resample("M").on("t");
    let twice = frame.take([0, 0]).expect("rows").resample("1h").on("t");
    vec![
        case(
            "window::agg",
            &["window", "ME"],
            frame.rolling("ME").agg(|window| col("n").rolling_sum(window.clone())),
        ),
        case(
            "window::agg",
            &["do not ascend"],
            frame
                .take([1, 0])
                .expect("rows")
                .rolling("1h")
                .on("t")
                .agg(|window| col("n").rolling_sum(window.clone())),
        ),
        case("window::pairs::cov", &["window", "ME"], frame.rolling("ME").on("t").cov()),
        case("window::pairs::corr", &["window", "ME"], frame.rolling("ME").on("t").corr()),
        case("window::var_ddof", &["window", "ME"], frame.rolling("ME").on("t").var_ddof(0)),
        case("window::std_ddof", &["window", "ME"], frame.rolling("ME").on("t").std_ddof(0)),
        case("window::sem_ddof", &["window", "ME"], frame.rolling("ME").on("t").sem_ddof(0)),
        case("window::rank", &["window", "ME"], frame.rolling("ME").on("t").rank(Rank::default())),
        case("window::quantile", &["q"], frame.rolling(2).quantile(-0.5, Interpolation::Linear)),
        case(
            "resample::aggregates::agg",
            &["\"M\"", "ME for ends of months", "\"t\""],
            of_month.agg(col("n").sum()),
        ),
        case(
            "resample::aggregates::agg",
            &["\"n\"", "int64"],
            frame.resample("1h").on("n").agg(col("k").max()),
        ),
        case("resample::aggregates::agg", &["\"tax\""], frame.resample("1h").on("t").agg(col("tax").sum())),
        case(
            "resample::aggregates::quantile",
            &["q"],
            frame.resample("1h").on("t").quantile(1.5, Interpolation::Linear),
        ),
        case("resample::aggregates::size", &["1 ns", "timestamp[s]"], frame.resample("1ns").on("t").size()),
        case(
            "resample::aggregates::size",
            &["cbh", "not implemented"],
            frame.group_by("k").resample("cbh").on("t").size(),
        ),
        case("resample::aggregates::ohlc", &["\"tax\""], frame.resample("1h").on("t").select("tax").ohlc()),
        case("resample::fill::asfreq", &["2024-01-01 00:00:00"], twice.asfreq()),
        case("resample::fill::ffill", &["2024-01-01 00:00:00"], twice.ffill(None)),
        case("resample::fill::bfill", &["2024-01-01 00:00:00"], twice.bfill(Some(1))),
        case("resample::fill::interpolate", &["bh"], frame.resample("bh").on("t").interpolate()),
    ]
}
