//! Calls on row labels of every kind.

use columnade_columns::{Closed, DType, Label, TimeUnit};
use columnade_ops::expression::{Expr, LocalTimes, Rank, RankMethod, RollingWindow, col, len};

use super::calls::{Args, of_series, rolled};
use super::label_calls::join;
use crate::alignment::{Concat, concat_with};
use crate::dataframe::{DataFrame, SortBy, SortOrder};
use crate::error::Result;
use crate::index::{Index, IndexerMethod, SetOrder};
use crate::locate::{Every, LabelRows, LabelSlice};
use crate::series::Series;

const HOUR: i64 = 3_600_000_000;
/// 2024-01-01, in microseconds.
const NEW_YEAR: i64 = 1_704_067_200_000_000;
const DAY: i64 = 24 * HOUR;

/// Timestamps of an expression in microseconds.
fn times(frame: &DataFrame, micros: Expr) -> Result<Series> {
    let micros = frame.select([micros.alias("x")])?.column("x")?;
    let times = micros.values().reinterpret(&DType::Timestamp(TimeUnit::Micro))?;
    Series::from_column("times", "x", times, frame.exec().clone())
}

/// Labels of a kind.
fn labels_of(frame: &DataFrame, family: &str) -> Result<Index> {
    match family {
        "times" => Index::from_series(&times(frame, col("n") * (31 * HOUR) + (NEW_YEAR + 50 * DAY))?),
        "levels" => Index::from_frame(&frame.select([col("k").alias("x"), (col("n") % 3).alias("y")])?),
        "text" => Index::from_series(&frame.column("k")?.rename("x")),
        label => Index::from_series(&frame.column(label)?.rename("x")),
    }
}

fn every(index: &Index, step: i64) -> Result<Index> {
    let rows = index.to_series()?.iloc((..).every(step))?;
    Ok(rows.index().clone())
}

fn shown(index: &Index) -> Result<DataFrame> {
    Ok(index.to_frame()?.ignore_index())
}

fn order(a: Args<'_>) -> SortOrder {
    if a.truth("ascending") { SortOrder::ascending() } else { SortOrder::descending() }
}

fn set(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let index = labels_of(frame, a.text("family"))?;
    let (left, right) = (index.slice(0, index.len() * 2 / 3)?, every(&index, -2)?);
    let order = if a.value("sort").is_null() { SetOrder::Natural } else { SetOrder::Appearance };
    shown(&match a.text("of") {
        "union" => left.union_with(&right, order)?,
        "intersection" => left.intersection_with(&right, order)?,
        "difference" => left.difference_with(&right, order)?,
        _ => left.symmetric_difference_with(&right, order)?,
    })
}

fn find(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let family = a.text("family");
    let index = labels_of(frame, family)?;
    let new = match family {
        "text" => Index::new(["zz"])?,
        "times" => Index::new(["2024-03-01 05:00:00"])?.cast(DType::Timestamp(TimeUnit::Micro))?,
        _ => Index::new([3_i64, 1000])?,
    };
    let target = every(&index, -2)?.slice(0, 5)?.append([&new])?;
    of_series(&match a.text("of") {
        "indexer" => index.get_indexer(&target)?,
        "non_unique" => index.get_indexer_non_unique(&target)?.0,
        "isin" => index.is_in(&target)?,
        "pad" => index.get_indexer_with(&target, IndexerMethod::Pad)?,
        "backfill" => index.get_indexer_with(&target, IndexerMethod::Backfill)?,
        _ => index.get_indexer_with(&target, IndexerMethod::Nearest)?,
    })
}

fn between(start: i32, end: i32) -> LabelSlice {
    (start..=end).into()
}

fn loc_one(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let frame = frame.set_index("n")?.select(["i", "s"])?;
    let frame = match a.text("order") {
        "rows" => frame,
        "reversed" => frame.iloc((..).every(-1))?,
        _ => concat_with([&frame.iloc((1_i64..).every(2))?, &frame.iloc((..).every(2))?], &Concat::rows())?,
    };
    let rows: LabelRows = match a.text("rows") {
        "one" => [3].into(),
        "missing" => [1000].into(),
        "list" => [5, 0, 2].into(),
        "list_missing" => [1, 1000].into(),
        "slice" => (2..=6).into(),
        "outside" => (-9..=900).into(),
        "reverse" => between(6, 2).into(),
        "every" => LabelSlice::from(1..=40).every(3).into(),
        "back" => between(40, 3).every(-2).into(),
        "from" => (4..).into(),
        _ => (..=4).into(),
    };
    frame.loc(rows)?.reset_index()
}

fn loc_levels(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let levels = Index::from_frame(&frame.select([col("k"), (col("n") % 3).alias("m"), col("n")])?)?;
    let frame = frame.select("j")?.with_index(&levels)?;
    let frame = if a.text("order") == "sorted" { frame.sort_index(..)? } else { frame };
    let rows: LabelRows = match a.text("rows") {
        "list" => (.., [1, 0]).into(),
        "one_list" => ("a", [2, 0]).into(),
        "slice_one" => ("a"..="b", 1).into(),
        "one_slice" => ("b", 0..=1).into(),
        "lists" => (["c", "a"], [2, 0]).into(),
        "two" => ("a", 1).into(),
        "all_one" => (.., 1).into(),
        "last" => (.., .., [7, 3]).into(),
        "first" => (["b"],).into(),
        "missing_list" => (.., [1, 9]).into(),
        "missing_one" => ("z", [1]).into(),
        "outside" => ("b", 7..=9).into(),
        "from" => (.., 1..).into(),
        "to" => (..="b", ..=1).into(),
        "three" => ("a", [1, 0], 3..=40).into(),
        "key" => ("a", 1, 4).into(),
        _ => (.., Vec::<i64>::new()).into(),
    };
    frame.loc(rows)?.reset_index()
}

fn level_align(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let levels = |exprs: [Expr; 2]| Index::from_frame(&frame.select(exprs)?);
    let left = frame.column("j")?.with_index(&levels([col("k"), col("n")])?)?;
    let parity = || (col("n") % 2).alias("m");
    let one = |labels: [&'static str; 3], name: Label| {
        Series::new([10_i64, 20, 30])?.with_index(&Index::new(labels)?.rename(name)?)
    };
    let numbered =
        |index: Index| Series::new((0..).take(index.len()).collect::<Vec<i64>>())?.with_index(&index);
    let right = match a.text("right") {
        "one" => one(["b", "a", "z"], "k".into())?,
        "repeated" => one(["b", "a", "a"], "k".into())?,
        "unnamed" => one(["b", "a", "z"], Label::NULL)?,
        "reordered" => numbered(every(&levels([col("n"), col("k")])?, -2)?)?,
        "more" => {
            let three = Index::from_frame(&frame.select([col("k"), col("n"), parity()])?)?;
            numbered(every(&three, -3)?)?
        }
        _ => numbered(every(&levels([col("k"), parity()])?, -3)?)?,
    };
    let (left, right) = left.align(&right, join(a.text("how")))?;
    let both =
        concat_with([&left.rename("left").to_frame(), &right.rename("right").to_frame()], &Concat::columns());
    // Labels that come several times are those of both.
    both?.reset_index()
}

fn zoned(frame: &DataFrame, zone: &str) -> Result<Series> {
    let times = times(frame, col("n") * (7 * HOUR) + (NEW_YEAR + 79 * DAY))?;
    times.dt().tz_localize("UTC", LocalTimes::default())?.dt().tz_convert(zone)
}

/// Instants as times without a zone.
fn utc(times: &Series) -> Result<Series> {
    times.dt().tz_convert("UTC")?.dt().tz_naive()
}

fn zones(op: &str, a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let index = Index::from_series(&zoned(frame, a.text("zone"))?)?;
    if op == "zone_loc" {
        let (values, rows) = (frame.column("n")?.with_index(&index)?, a.text("rows"));
        return of_series(&match rows.split_once(':') {
            Some((start, "")) => values.loc(start..)?,
            Some((start, end)) => values.loc(start..=end)?,
            None => values.loc(rows)?,
        });
    }
    let bins = frame.column("j")?.with_index(&index)?.resample(a.text("frequency"));
    let found = match a.text("of") {
        "sum" => bins.sum()?,
        "count" => bins.count()?,
        _ => bins.max()?,
    };
    let labels = utc(&found.index().to_series()?)?.ignore_index();
    DataFrame::new([("t", labels), ("x", found.ignore_index())])
}

fn category(frame: &DataFrame) -> Result<Series> {
    frame.column("k")?.cat().encode()?.cat().set_categories(["c", "z", "b", "a"])?.cat().as_ordered()
}

fn categories(op: &str, a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let frame = frame.with_column("k", &category(frame)?)?;
    let plain = |frame: DataFrame| frame.with_column("k", &frame.column("k")?.cat().decode()?);
    match op {
        "category_group" => {
            let x = match a.text("of") {
                "sum" => col("j").sum(),
                "count" => col("j").count(),
                _ => col("j").min(),
            };
            plain(frame.group_by("k").sort(true).observed(a.truth("observed")).agg(x.alias("x"))?)
        }
        "category_sort" => {
            let by = if a.truth("ascending") { SortBy::ascending("k") } else { SortBy::descending("k") };
            plain(frame.sort_values(by)?.select(["k", "n"])?)
        }
        _ => frame.set_index("k")?.select("n")?.loc(a.list("rows")),
    }
}

fn group_rows(a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let by = a.list("by");
    let of = a.text("of");
    if let Some(n) = of.strip_prefix("nth") {
        return frame.group_by(by).nth(n.parse().expect("a number"))?.select(["n", "j"]);
    }
    match of {
        "head" => return frame.group_by(by).head(2)?.select(["n", "j"]),
        "tail" => return frame.group_by(by).tail(2)?.select(["n", "j"]),
        "filter" => return frame.group_by(by).filter(len().gt(3))?.select(["n", "j"]),
        _ => {}
    }
    let mut columns = by.clone();
    columns.extend(["i".to_owned(), "j".to_owned()]);
    let grouped = frame.select(columns)?;
    let grouped = grouped.group_by(by);
    of_series(&match of {
        "diff" => grouped.diff(1)?.column("j")?,
        "ffill" => grouped.fill_forward(None)?.column("i")?,
        "bfill" => grouped.fill_backward(None)?.column("i")?,
        _ => {
            let rank = Rank { method: RankMethod::Dense, descending: false, pct: false };
            grouped.rank(rank)?.column("j")?
        }
    })
}

fn closed(a: Args<'_>) -> Closed {
    match a.text("closed") {
        "left" => Closed::Left,
        "right" => Closed::Right,
        "both" => Closed::Both,
        _ => Closed::Neither,
    }
}

fn windows(op: &str, a: Args<'_>, frame: &DataFrame) -> Result<DataFrame> {
    let of = a.text("of");
    if op == "window_time" {
        let values = frame.column("i")?.cast(DType::Float64)?.with_index(&labels_of(frame, "times")?)?;
        let values = values.rolling(a.text("window")).closed(closed(a));
        let found = match of {
            "sum" => values.sum()?,
            "max" => values.max()?,
            _ => values.count()?,
        };
        return of_series(&found.cast(DType::Float64)?);
    }
    let count = |name: &str| u64::try_from(a.count(name)).expect("few");
    if op == "window_closed" {
        let values = frame.column("i")?.cast(DType::Float64)?.rolling(count("window")).min_periods(1);
        let values = values.center(a.truth("center")).closed(closed(a));
        let found = match of {
            "sum" => values.sum()?,
            "min" => values.min()?,
            _ => values.count()?,
        };
        return of_series(&found.cast(DType::Float64)?);
    }
    let window = RollingWindow::rows(count("window"));
    let window =
        if a.value("min_periods").is_null() { window } else { window.min_periods(count("min_periods")) };
    let window = if op == "window_center" { window.center(true) } else { window };
    frame.select([rolled(of, col("i").cast(DType::Float64), window).cast(DType::Float64).alias("x")])
}

/// The result of a call, whose columns are those that pandas gives; `None` for another operation.
pub(super) fn call(op: &str, a: Args<'_>, frame: &DataFrame) -> Result<Option<DataFrame>> {
    let made = match op {
        "index_set" => set(a, frame)?,
        "index_of_set" => {
            let index = labels_of(frame, a.text("family"))?;
            shown(&match a.text("of") {
                "unique" => index.unique()?,
                "delete" => index.delete([0])?,
                "repeat_append" => index.append([&index.slice(0, 2)?])?,
                "sort" => index.sort_values(..)?,
                _ => index.sort_values(SortOrder::descending())?,
            })?
        }
        "index_find" => find(a, frame)?,
        "loc_one" => loc_one(a, frame)?,
        "loc_levels" => loc_levels(a, frame)?,
        "iloc" => {
            let rows = frame.select(["i", "s", "n"])?;
            match a.text("rows") {
                "every" => rows.iloc((..).every(3))?,
                "back" => rows.iloc((..).every(-2))?,
                "tail" => rows.iloc(-5..)?,
                "list" => rows.iloc([0, -1, 0])?,
                "outside" => rows.iloc([0, 70])?,
                _ => {
                    let (start, end) = (5, 2);
                    rows.iloc(start..end)?
                }
            }
        }
        "level_align" => level_align(a, frame)?,
        "level_sort" => {
            let levels =
                Index::from_frame(&frame.select([col("k"), (col("n") % 3).alias("m"), col("n")])?)?;
            frame.select("j")?.with_index(&levels)?.sort_levels(a.list("by"), order(a))?.reset_index()?
        }
        "frame_arithmetic" => {
            let left = frame.set_index("n")?.select(["j", "i"])?;
            let right =
                frame.iloc((..).every(-2))?.set_index("n")?.select(["i", "j"])?.rename([("j", "u")])?;
            match (a.text("op"), a.value("fill").is_null()) {
                ("add", true) => left.add(&right)?,
                ("add", false) => left.add_with(&right, 0)?,
                ("sub", _) => left.sub(&right)?,
                _ => left.mul(&right)?,
            }
            .reset_index()?
        }
        "concat_rows" => {
            let parts = [
                frame.set_index("n")?.select(["j", "s"])?,
                frame.head(3)?.set_index("n")?.select(["s", "i"])?,
            ];
            let how = if a.text("join") == "inner" { Concat::rows().inner() } else { Concat::rows() };
            let how = if a.truth("keys") { how.keys([1, 2]).names(["part"]) } else { how };
            concat_with(&parts, &how)?.reset_index()?
        }
        "index_shift" => {
            let times = times(frame, col("j") * (53 * HOUR) + (NEW_YEAR + 2 * DAY))?;
            let periods = a.value("periods").as_i64().expect("a number");
            let shifted = Index::from_series(&times)?.shift_by(periods, a.text("frequency"))?;
            of_series(&shifted.to_series()?)?
        }
        "group_rows" => group_rows(a, frame)?,
        _ if op.starts_with("zone_") => zones(op, a, frame)?,
        _ if op.starts_with("category_") => categories(op, a, frame)?,
        _ if op.starts_with("window_") => windows(op, a, frame)?,
        _ => return Ok(None),
    };
    Ok(Some(made))
}
