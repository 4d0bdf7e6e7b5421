//! Calls by row labels.

use columnade_columns::{DType, Label, TimeUnit};
use columnade_ops::expression::{ExponentialWindow, col};

use super::calls::Args;
use crate::alignment::{Concat, LabelJoin, Reindex, concat_with};
use crate::dataframe::{DataFrame, SortOrder, Unstack, concat};
use crate::error::Result;
use crate::index::{Index, IndexerMethod};
use crate::series::Series;
use crate::window::Rolling;

/// Rows with unique labels, and every other one of them, reversed.
fn by_label(frame: &DataFrame) -> Result<(DataFrame, DataFrame)> {
    let last = i64::try_from(frame.len()).expect("few") - 1;
    let rows: Vec<i64> = (0..=last).rev().step_by(2).collect();
    Ok((frame.set_index("n")?, frame.take(rows)?.set_index("n")?))
}

/// The labels as a column, before the values.
fn labelled(found: &Series) -> Result<DataFrame> {
    found.rename("x").reset_index()
}

pub(super) fn join(how: &str) -> LabelJoin {
    match how {
        "outer" => LabelJoin::Outer,
        "inner" => LabelJoin::Inner,
        "left" => LabelJoin::Left,
        _ => LabelJoin::Right,
    }
}

/// The result of a call, whose columns are those that pandas gives; `None` for another operation.
pub(super) fn call(op: &str, a: Args<'_>, frame: &DataFrame) -> Result<Option<DataFrame>> {
    if !op.starts_with("label_") {
        return Ok(None);
    }
    let (left, right) = by_label(frame)?;
    let value = |name: &str| a.value(name);
    let made = match op {
        "label_arithmetic" => {
            let (x, y) = (left.column("j")?, right.column("i")?);
            labelled(&match (a.text("op"), value("fill").is_null()) {
                ("add", true) => x.add(&y)?,
                ("add", false) => x.add_with(&y, 0)?,
                ("sub", true) => x.sub(&y)?,
                ("sub", false) => x.sub_with(&y, 0)?,
                (_, true) => x.mul(&y)?,
                (_, false) => x.mul_with(&y, 0)?,
            })?
        }
        "label_align" => {
            let (s, f) = left.column("s")?.align(&right.column("f")?, join(a.text("how")))?;
            concat_with([&s.to_frame(), &f.to_frame()], &Concat::columns())?.reset_index()?
        }
        "label_reindex" => {
            let options = match value("method").as_str() {
                None => Reindex::new(),
                Some("pad") => Reindex::new().method(IndexerMethod::Pad),
                Some(_) => Reindex::new().method(IndexerMethod::Backfill),
            };
            let options = if value("limit").is_null() { options } else { options.limit(a.count("limit")) };
            let labels = [-3_i64, -1, 0, 2, 7, 8, 9, 10, 33, 70];
            left.select(["i", "s"])?.reindex_with(labels, options)?.reset_index()?
        }
        "label_combine_first" => {
            let column = a.text("column");
            labelled(&right.column(column)?.combine_first(&left.column(column)?)?)?
        }
        "label_where" => {
            let values = left.column(a.text("column"))?;
            let (condition, other) = (left.column("j")?.gt(0)?, values.evaluate(|x| x.shift(1))?);
            labelled(&if a.text("of") == "where" {
                values.where_(&condition, &other)?
            } else {
                values.mask(&condition, &other)?
            })?
        }
        "label_concat" => {
            let sides = [left.select("j")?, right.select(a.text("column"))?];
            let how = if a.text("how") == "outer" { Concat::columns() } else { Concat::columns().inner() };
            concat_with(&sides, &how)?.reset_index()?
        }
        "label_stack" => labelled(&left.select(a.list("columns"))?.stack()?)?.select(["n", "x"])?,
        "label_xs" => {
            let frame = frame.set_index(["k", "n"])?.select(a.text("column"))?;
            frame.xs(a.text("key"), "k")?.reset_index()?
        }
        "label_resample" => {
            let times =
                frame.column("j")?.evaluate(|j| j * 129_600_000_000_i64 + 1_704_067_200_000_000_i64)?;
            let times = times.values().reinterpret(&DType::Timestamp(TimeUnit::Micro))?;
            let index = Index::of_owned(&[Label::NULL], vec![times], frame.exec());
            // Of unsorted times, pandas sorts the rows first.
            let values = frame.column("i")?.with_index(&index)?.sort_index(SortOrder::default())?;
            let bins = values.resample(a.text("frequency"));
            let found = match a.text("of") {
                "sum" => bins.sum(),
                "min" => bins.min(),
                "max" => bins.max(),
                "count" => bins.count(),
                "first" => bins.first(),
                _ => bins.last(),
            }?;
            found.rename("x").to_frame()
        }
        "label_ewm" => {
            let window = ExponentialWindow::alpha(a.float("alpha"));
            let window = window.adjust(a.truth("adjust")).ignore_na(a.truth("ignore_na"));
            let x = col("i");
            frame.select([match a.text("of") {
                "mean" => x.ewm_mean(window),
                "var" => x.ewm_var(window),
                _ => x.ewm_std(window),
            }
            .alias("x")])?
        }
        "label_update" => {
            let column = a.text("column");
            let other = right.select(column)?;
            let before = other.with_column(column, other.column(column)?.evaluate(|x| x.shift(1))?)?;
            let head = other.head(2)?;
            let more: Vec<i64> = (1000..).take(head.len()).collect();
            let head = head.with_index(&Index::new(more)?.rename("n")?)?;
            left.select(["j", column])?.update(&concat([&before, &head])?)?.reset_index()?
        }
        "label_unstack" => {
            let rows = i64::try_from(a.count("rows")).expect("few");
            let values = frame.select([
                (col("n") % rows).alias("n"),
                col("n").floor_div(rows).alias("k"),
                col(a.text("column")).alias("x"),
            ])?;
            let values = values.set_index(["n", "k"])?.column("x")?;
            values.unstack_with(&Unstack::new().levels([a.text("level")]))?.reset_index()?
        }
        "label_pairs" => pairs(a, frame)?,
        other => panic!("no call of {other}"),
    };
    Ok(Some(made))
}

fn pairs(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let labels = a.list("columns");
    let values = labels.iter().map(|label| match label.as_str() {
        "j" => (col("j") + col("n") * col("n")).cast(DType::Float64).alias("j"),
        label => col(label).cast(DType::Float64).alias(label),
    });
    let values = frame.select(values.collect::<Vec<_>>())?;
    let is_cov = a.text("of") == "cov";
    let rolling = |window: Rolling<DataFrame>| if is_cov { window.cov() } else { window.corr() };
    let ewm = |window: ExponentialWindow| {
        let window = values.ewm(window);
        if is_cov { window.cov() } else { window.corr() }
    };
    match a.text("window") {
        "rolling" => rolling(values.rolling(3)),
        "rolling_min" => rolling(values.rolling(4).min_periods(2)),
        "expanding" => rolling(values.expanding()),
        "ewm" => ewm(ExponentialWindow::alpha(0.4)),
        _ => ewm(ExponentialWindow::alpha(0.4).adjust(false).ignore_na(true)),
    }
}
