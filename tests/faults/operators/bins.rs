//! Bins of time, and windows.

use columnade::expressions::{ExponentialWindow, Interpolation, Rank};
use columnade::{DType, DataFrame, ErrorKind, Result, col, len};
use columnade_ops::binning::{
    TimeMatch, aggregate_bins, rows_at_times, time_bins, time_bins_by_group, union_of_times,
};
use columnade_ops::expression::evaluate;

use super::Operator;
use crate::inputs::Inputs;
use crate::made::Made;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new(
        "ops: bins of times",
        &[
            "ops::binning::times::time_bins",
            "ops::binning::times::time_bins_by_group",
            "ops::binning::times::aggregate_bins",
            "ops::binning::times::rows_at_times",
            "ops::binning::times::union_of_times",
        ],
        |inputs| {
            let (day, exec) = (inputs.columns().get("day")?, &inputs.exec);
            let edges: Vec<i64> = (0..200).map(|edge| edge * 100).collect();
            let numbers = time_bins(day, &edges, true, exec)?;
            let group = evaluate(&[col("n").is_null().cast(DType::Int64)], inputs.columns(), exec)?;
            let of_groups = time_bins_by_group(day, &group[0].1, &edges, &[0, 100, 200], true, exec)?;
            let found = aggregate_bins(inputs.columns(), &numbers, 199, &[len(), col("n").sum()], exec)?;
            let all = union_of_times(day, day, exec)?;
            let rows = rows_at_times(&all, day, TimeMatch::Before(Some(2)), exec)?;
            let mut made = found.get("n")?.to_scalars()?;
            made.extend(rows.to_scalars()?);
            made.extend(of_groups.to_scalars()?);
            Ok(Made::Scalars(made))
        },
    ),
    Operator::new(
        "frame: resample",
        &[
            "engine::resample::aggregates::agg",
            "engine::resample::aggregates::size",
            "engine::resample::aggregates::quantile",
            "engine::resample::aggregates::ohlc",
            "engine::index::inferred_freq::inferred_freq",
        ],
        |inputs| {
            let bins = inputs.frame.resample("W").on("day").select(["n", "float"]);
            let mut made = bins.agg([col("n").sum(), col("word").max()])?.column("word")?.to_scalars()?;
            made.extend(bins.size()?.to_scalars()?);
            let of_groups = inputs.frame.group_by("kind").resample("30D").on("day").select(["n"]);
            made.extend(of_groups.sum()?.column("n")?.to_scalars()?);
            if let Some(labels) = weeks(inputs)?.index().as_datetime() {
                made.extend(labels.inferred_freq()?.map(Into::into));
            }
            made.extend(bins.quantile(0.5, Interpolation::Linear)?.column("n")?.to_scalars()?);
            made.extend(bins.ohlc()?.column(("n", "close"))?.to_scalars()?);
            Ok(Made::Scalars(made))
        },
    ),
    Operator::new(
        "frame: resample, rows of bins",
        &[
            "engine::resample::fill::asfreq",
            "engine::resample::fill::ffill",
            "engine::resample::fill::bfill",
            "engine::resample::fill::interpolate",
        ],
        |inputs| {
            let weeks = weeks(inputs)?.resample("2D");
            let mut made = weeks.asfreq()?.column("n")?.to_scalars()?;
            made.extend(weeks.ffill(Some(2))?.column("n")?.to_scalars()?);
            made.extend(weeks.bfill(None)?.column("n")?.to_scalars()?);
            made.extend(weeks.interpolate()?.column("n")?.to_scalars()?);
            Ok(Made::Scalars(made))
        },
    ),
    Operator::new(
        "frame: covariances of windows",
        &["engine::window::pairs::cov", "engine::window::pairs::corr"],
        |inputs| {
            let frame = inputs.frame.select(["n", "float"])?;
            let mut made = frame.rolling(4).min_periods(2).cov()?.column("n")?.to_scalars()?;
            let window = ExponentialWindow::span(4.0);
            made.extend(frame.ewm(window).corr()?.column("float")?.to_scalars()?);
            Ok(Made::Scalars(made))
        },
    ),
    Operator::new(
        "frame: rolling",
        &[
            "engine::window::agg",
            "engine::window::quantile",
            "engine::window::rank",
            "engine::window::var_ddof",
            "engine::window::std_ddof",
            "engine::window::sem_ddof",
        ],
        |inputs| {
            let sorted = inputs.frame.sort_values("day")?;
            let windows = sorted.filter(col("day").is_not_null())?.rolling("9D").on("day").select("n");
            let mut made = windows
                .agg(|window| {
                    [col("n").rolling_sum(window.clone()), col("float").rolling_max(window.clone())]
                })?
                .column("float")?
                .to_scalars()?;
            let groups = inputs.frame.group_by("kind").rolling(5).min_periods(1).select("n");
            made.extend(groups.sum()?.column("n")?.to_scalars()?);
            for spread in [groups.var_ddof(0)?, groups.std_ddof(2)?, groups.sem_ddof(1)?] {
                made.extend(spread.column("n")?.to_scalars()?);
            }
            made.extend(groups.rank(Rank::default())?.column("n")?.to_scalars()?);
            match groups.quantile(0.3, Interpolation::Lower) {
                Ok(quantiles) => made.extend(quantiles.column("n")?.to_scalars()?),
                // On devices.
                Err(error) if error.kind() == ErrorKind::NotImplemented => {}
                Err(error) => return Err(error),
            }
            Ok(Made::Scalars(made))
        },
    ),
];

/// A row a week.
fn weeks(inputs: &Inputs) -> Result<DataFrame> {
    inputs.frame.resample("W").on("day").select("n").max()
}
