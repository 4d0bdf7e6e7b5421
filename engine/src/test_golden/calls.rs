//! The call of each operation.

use columnade_columns::ColumnAccessor;
use columnade_ops::distinct::Keep;
use columnade_ops::expression::{Expr, Interpolation, Rank, RankMethod, RollingWindow, col, len, lit, when};
use columnade_ops::sort::{SearchSide, Ties};
use columnade_ops::strings::Side;
use serde_json::Value;

use crate::dataframe::{
    Crosstab, DataFrame, DropNulls, Dummies, Melt, Merge, Normalize, Pivot, PivotTable, SortBy, Unique,
    WideToLong, concat, crosstab,
};
use crate::error::Result;
use crate::frame::Frame;
use crate::series::{CutOptions, Series, ValueCounts};

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(super) struct Args<'a>(&'a Value);

impl<'a> Args<'a> {
    pub(super) fn value(self, name: &str) -> &'a Value {
        &self.0[name]
    }

    pub(super) fn text(self, name: &str) -> &'a str {
        self.0[name].as_str().unwrap_or_else(|| panic!("{name} is a text in {}", self.0))
    }

    fn col(self, name: &str) -> Expr {
        col(self.text(name))
    }

    pub(super) fn list(self, name: &str) -> Vec<String> {
        if let Some(one) = self.0[name].as_str() {
            return vec![one.to_owned()];
        }
        let values = self.0[name].as_array().unwrap_or_else(|| panic!("{name} is a list in {}", self.0));
        values.iter().map(|value| value.as_str().expect("a text").to_owned()).collect()
    }

    pub(super) fn truth(self, name: &str) -> bool {
        self.0[name].as_bool().unwrap_or_else(|| panic!("{name} is a boolean in {}", self.0))
    }

    fn whole(self, name: &str) -> i64 {
        self.0[name].as_i64().unwrap_or_else(|| panic!("{name} is an integer in {}", self.0))
    }

    pub(super) fn count(self, name: &str) -> usize {
        usize::try_from(self.whole(name)).expect("not negative")
    }

    pub(super) fn float(self, name: &str) -> f64 {
        self.0[name].as_f64().unwrap_or_else(|| panic!("{name} is a number in {}", self.0))
    }

    fn keep(self) -> Keep {
        match self.text("keep") {
            "first" => Keep::First,
            "last" => Keep::Last,
            _ => Keep::None,
        }
    }

    fn ties(self) -> Ties {
        match self.text("keep") {
            "first" => Ties::First,
            "last" => Ties::Last,
            _ => Ties::All,
        }
    }
}

pub(super) fn of_series(series: &Series) -> Result<DataFrame> {
    let columns = ColumnAccessor::from_columns([("x", series.values().clone())])?;
    Ok(DataFrame::from_frame(Frame::new(columns, series.exec().clone())))
}

fn compared(op: &str, left: Expr, right: Expr) -> Expr {
    match op {
        "lt" => left.lt(right),
        "le" => left.le(right),
        "eq" => left.eq(right),
        "ne" => left.ne(right),
        "gt" => left.gt(right),
        "ge" => left.ge(right),
        other => panic!("no comparison {other}"),
    }
}

fn aggregated(of: &str, x: Expr) -> Expr {
    match of {
        "sum" => x.sum(),
        "min" => x.min(),
        "max" => x.max(),
        "mean" => x.mean(),
        "count" => x.count(),
        "var" => x.var(),
        "std" => x.std(),
        "sem" => x.sem(),
        "skew" => x.skew(),
        "kurt" => x.kurt(),
        "median" => x.median(),
        "nunique" => x.nunique(),
        "prod" => x.product(),
        "first" => x.first(),
        "last" => x.last(),
        "any" => x.any(),
        "all" => x.all(),
        other => panic!("no aggregate {other}"),
    }
}

fn cumulated(of: &str, x: Expr) -> Expr {
    match of {
        "cumsum" => x.cum_sum(),
        "cummin" => x.cum_min(),
        "cummax" => x.cum_max(),
        "cumprod" => x.cum_product(),
        other => panic!("no cumulative {other}"),
    }
}

pub(super) fn rolled(of: &str, x: Expr, window: RollingWindow) -> Expr {
    match of {
        "sum" => x.rolling_sum(window),
        "mean" => x.rolling_mean(window),
        "min" => x.rolling_min(window),
        "max" => x.rolling_max(window),
        "count" => x.rolling_count(window),
        "var" => x.rolling_var(window),
        "std" => x.rolling_std(window),
        "median" => x.rolling_median(window),
        other => panic!("no rolling {other}"),
    }
}

fn ranked(method: &str, ascending: bool, pct: bool) -> Rank {
    let method = match method {
        "average" => RankMethod::Average,
        "min" => RankMethod::Min,
        "max" => RankMethod::Max,
        "dense" => RankMethod::Dense,
        _ => RankMethod::First,
    };
    Rank { method, descending: !ascending, pct }
}

fn text(of: &str, s: Expr) -> Expr {
    let s = s.str();
    match of {
        "len" => s.len(),
        "lower" => s.lower(),
        "upper" => s.upper(),
        "capitalize" => s.capitalize(),
        "title" => s.title(),
        "swapcase" => s.swapcase(),
        "strip" => s.strip(),
        "lstrip" => s.lstrip(),
        "rstrip" => s.rstrip(),
        "contains" => s.contains("a"),
        "starts_with" => s.starts_with("t"),
        "ends_with" => s.ends_with("a"),
        "find" => s.find("e"),
        "replace" => s.replace("a", "oo"),
        "slice" => s.slice(1, 2),
        "zfill" => s.zfill(4),
        "repeat" => s.repeat(2),
        "is_alpha" => s.is_alpha(),
        "is_digit" => s.is_decimal(),
        "is_upper" => s.is_upper(),
        "is_lower" => s.is_lower(),
        "is_space" => s.is_space(),
        "remove_prefix" => s.remove_prefix("te"),
        "remove_suffix" => s.remove_suffix("p"),
        "pad" => s.pad(5, Side::Left, '*'),
        other => panic!("no function of strings {other}"),
    }
}

fn time_part(of: &str, t: Expr) -> Expr {
    let t = t.dt();
    match of {
        "year" => t.year(),
        "month" => t.month(),
        "day" => t.day(),
        "hour" => t.hour(),
        "minute" => t.minute(),
        "second" => t.second(),
        "microsecond" => t.microsecond(),
        "dayofweek" => t.weekday(),
        "dayofyear" => t.day_of_year(),
        "quarter" => t.quarter(),
        "days_in_month" => t.days_in_month(),
        "week" => t.week(),
        "is_leap_year" => t.is_leap_year(),
        "is_month_start" => t.is_month_start(),
        "is_month_end" => t.is_month_end(),
        "is_quarter_start" => t.is_quarter_start(),
        "is_quarter_end" => t.is_quarter_end(),
        "is_year_start" => t.is_year_start(),
        "is_year_end" => t.is_year_end(),
        other => panic!("no part {other}"),
    }
}

/// The right side of joins: every other row from the last on.
fn right_of(frame: &DataFrame) -> Result<DataFrame> {
    let last = i64::try_from(frame.len()).expect("few rows") - 1;
    let some = frame.filter((lit(last) - col("n")).eq((lit(last) - col("n")).floor_div(2) * 2))?;
    some.sort_values(SortBy::descending("n"))?.select(["i", "k", "s", "j"])?.rename([("j", "w")])
}

/// The result of a call, whose columns are those that pandas gives.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn call(op: &str, args: &Value, frame: &DataFrame) -> Result<DataFrame> {
    let a = Args(args);
    if let Some(made) = super::label_calls::call(op, a, frame)? {
        return Ok(made);
    }
    if let Some(made) = super::index_calls::call(op, a, frame)? {
        return Ok(made);
    }
    let one = |expr: Expr| frame.select([expr.alias("x")]);
    let over = |expr: Expr| frame.select([expr.over(a.text("by")).alias("x")]);
    match op {
        "filter" => {
            let value = match a.text("column") {
                "i" => lit(1),
                "f" => lit(1.5),
                "s" => lit("tea"),
                _ => lit(4),
            };
            frame.filter(compared(a.text("by"), a.col("column"), value))
        }
        "sort_values" => {
            let by = a.list("by").into_iter().map(|label| {
                let by =
                    if a.truth("ascending") { SortBy::ascending(label) } else { SortBy::descending(label) };
                if a.truth("first") { by.nulls_first() } else { by }
            });
            frame.sort_values(by)
        }
        "drop_duplicates" => frame.unique(Unique::new().subset(a.list("by")).keep(a.keep())),
        "duplicated" => of_series(&frame.duplicated(Unique::new().subset(a.list("by")).keep(a.keep()))?),
        "dropna" => {
            let options = if a.text("how") == "any" { DropNulls::any() } else { DropNulls::all() };
            frame.drop_nulls(if args["by"].is_null() { options } else { options.subset(a.list("by")) })
        }
        "dropna_thresh" => frame.drop_nulls(DropNulls::thresh(a.count("thresh"))),
        "head" => frame.head(a.count("n")),
        "tail" => frame.tail(a.count("n")),
        "nlargest" => frame.nlargest(a.count("n"), a.text("column"), a.ties()),
        "nsmallest" => frame.nsmallest(a.count("n"), a.text("column"), a.ties()),
        "concat" => concat([frame, &frame.tail(3)?]),
        "tile" => frame.tile(a.count("n")),
        "repeat" => frame.repeat(a.count("n")),
        "arithmetic" => {
            let left = a.col("left");
            let right = match &args["right"] {
                Value::String(label) => col(label),
                number if number.is_i64() => lit(a.whole("right")),
                _ => lit(a.float("right")),
            };
            one(match a.text("op") {
                "add" => left + right,
                "sub" => left - right,
                "mul" => left * right,
                _ => left / right,
            })
        }
        "floor_div" => one(a.col("left").floor_div(a.whole("right"))),
        "modulo" => one(a.col("left") % a.whole("right")),
        "compare" => {
            let left = a.text("left");
            let right = match (a.text("right"), left) {
                (_, "t") => col("t").shift(1),
                ("same", label) => col(label),
                (_, "i") => col("j"),
                (_, "f") => col("i"),
                _ => col("k"),
            };
            one(compared(a.text("op"), col(left), right))
        }
        "logic" => {
            let (x, y) = (col("b"), col("i").gt(0));
            one(match a.text("op") {
                "and" => x.and(y),
                "or" => x.or(y),
                _ => !x,
            })
        }
        "fillna" => one(match a.text("column") {
            "i" => col("i").fill_null(7),
            "f" => col("f").fill_null(0.25),
            "s" => col("s").fill_null("none"),
            "b" => col("b").fill_null(true),
            _ => col("g").fill_null(1.0),
        }),
        "ffill" => one(a.col("column").fill_forward(args["limit"].as_u64())),
        "bfill" => one(a.col("column").fill_backward(args["limit"].as_u64())),
        "isna" => one(a.col("column").is_null()),
        "is_in" => one(match a.text("column") {
            "i" => col("i").is_in([1, 2, 9]).fill_null(false),
            _ => col("s").is_in(["tea", "", "ß"]).fill_null(false),
        }),
        "between" => one(a.col("column").between(0, 3)),
        "clip" => one(a.col("column").clip(-1, 2)),
        "abs" => one(a.col("column").abs()),
        "round" => one((col("f") * 1.375).round(i32::try_from(a.whole("decimals")).expect("small"))),
        "where" => one(when(col("j").gt(0)).then(a.col("column")).otherwise(a.col("column").shift(1))),
        "shift" => one(a.col("column").shift(a.whole("n"))),
        "diff" => one(a.col("column").diff(a.whole("n"))),
        "pct_change" => one(a.col("column").pct_change(a.whole("n"))),
        "aggregate" => frame.agg([aggregated(a.text("of"), a.col("column")).alias("x")]),
        "aggregate_bool" => frame.agg([aggregated(a.text("of"), col("b")).alias("x")]),
        "quantile" => {
            let interpolation = match a.text("interpolation") {
                "linear" => Interpolation::Linear,
                "lower" => Interpolation::Lower,
                "higher" => Interpolation::Higher,
                "nearest" => Interpolation::Nearest,
                _ => Interpolation::Midpoint,
            };
            frame.agg([a.col("column").quantile_with(a.float("q"), interpolation).alias("x")])
        }
        "cumulative" => one(cumulated(a.text("of"), a.col("column"))),
        "cumulative_float" => one(cumulated(a.text("of"), col("f"))),
        "rank" => one(a.col("column").rank(ranked(a.text("method"), a.truth("ascending"), a.truth("pct")))),
        "rolling" => {
            let window = RollingWindow::rows(a.count("window") as u64).center(a.truth("center"));
            let window = args["min_periods"].as_u64().map_or(window.clone(), |n| window.min_periods(n));
            one(rolled(a.text("of"), col("f"), window))
        }
        "expanding" => {
            let window = RollingWindow::expanding().min_periods(a.count("min_periods") as u64);
            one(rolled(a.text("of"), col("f"), window))
        }
        "value_counts" => {
            let options = ValueCounts::new().normalize(a.truth("normalize")).dropna(a.truth("dropna"));
            frame.column(a.text("column"))?.value_counts_with(options.ascending(a.truth("ascending")))
        }
        "describe" => frame.select(["i", "f", "j"])?.describe(..)?.drop("statistic"),
        "mode" => of_series(&frame.column(a.text("column"))?.modes()?),
        "factorize" => of_series(&frame.column(a.text("column"))?.factorize()?.0),
        "cut_codes" => {
            let edges: Vec<f64> =
                args["bins"].as_array().expect("edges").iter().filter_map(Value::as_f64).collect();
            let cut = CutOptions::edges(edges).right(a.truth("right")).include_lowest(a.truth("lowest"));
            of_series(&frame.column("i")?.cut_codes(cut)?)
        }
        "corr" => {
            let (x, y) = (col("f"), col("j"));
            frame.agg([if a.text("of") == "corr" { x.corr(y) } else { x.cov(y) }.alias("x")])
        }
        "search_sorted" => {
            let side = if a.text("side") == "left" { SearchSide::Left } else { SearchSide::Right };
            let needles = Series::new([-60_i64, -3, 0, 17, 60])?;
            of_series(&frame.column("j")?.sort_values(..)?.search_sorted(&needles, side)?)
        }
        "groupby_agg" => {
            let aggregate = aggregated(a.text("of"), a.col("column")).alias("x");
            frame.group_by(a.list("by")).dropna(a.truth("dropna")).sort(true).agg(aggregate)
        }
        "groupby_size" => {
            let groups = frame.group_by(a.list("by")).dropna(a.truth("dropna")).sort(a.truth("sort"));
            groups.agg(len().alias("x"))
        }
        "groupby_text" => {
            frame.group_by(a.text("by")).sort(true).agg(aggregated(a.text("of"), col("s")).alias("x"))
        }
        "groupby_quantile" => {
            frame.group_by(a.text("by")).sort(true).agg(col("f").quantile(a.float("q")).alias("x"))
        }
        "transform" => over(aggregated(a.text("of"), a.col("column"))),
        "groupby_cumulative" => over(cumulated(a.text("of"), a.col("column"))),
        "groupby_shift" => over(a.col("column").shift(a.whole("n"))),
        "groupby_rank" => over(col("j").rank(ranked(a.text("method"), true, false))),
        "groupby_head" => {
            let (groups, n) = (frame.group_by(a.text("by")), a.whole("n"));
            if a.text("of") == "head" { groups.head(n) } else { groups.tail(n) }
        }
        "cumcount" => of_series(&frame.group_by(a.text("by")).cumcount()?),
        "ngroup" => {
            let groups = frame.group_by(a.text("by")).dropna(a.truth("dropna")).sort(a.truth("sort"));
            of_series(&groups.ngroup()?)
        }
        "groupby_rolling" => {
            let window = RollingWindow::rows(a.count("window") as u64);
            frame.select([rolled(a.text("of"), col("j"), window).over("k").alias("x")])
        }
        "merge" => {
            let (on, how) = (a.list("on"), a.text("how"));
            let right = right_of(frame)?;
            let wanted: Vec<String> = on.iter().cloned().chain(["w".to_owned()]).collect();
            let merge = match how {
                "inner" => Merge::inner(),
                "left" => Merge::left(),
                "right" => Merge::right(),
                _ => Merge::outer(),
            };
            let left = frame.select(["i", "k", "s", "n"])?;
            let found = left.merge(&right.select(wanted)?, &merge.on(on.clone()))?;
            found.sort_values(["n".to_owned(), "w".to_owned()].into_iter().chain(on))
        }
        "merge_cross" => frame.select(["n", "s"])?.merge(&frame.select(["k"])?.head(3)?, &Merge::cross()),
        "merge_semi" => {
            let merge = if a.truth("anti") { Merge::anti() } else { Merge::semi() };
            frame.merge(&right_of(frame)?, &merge.on(a.text("on")))
        }
        "melt" => frame.melt(&Melt::new().id_vars(a.list("ids")).value_vars(a.list("values"))),
        "pivot" => {
            let pivot = Pivot::new().index(a.list("index")).columns(a.text("columns"));
            frame.pivot(&pivot.values(a.text("values")))
        }
        "pivot_table" | "pivot_table_margins" => {
            let (index, columns) = (a.list("index"), a.list("columns"));
            let values = if op == "pivot_table" { a.text("values") } else { "j" };
            let table = PivotTable::new().index(index).columns(columns);
            let table = table.values(aggregated(a.text("of"), col(values)));
            let table = if args["fill"].is_null() { table } else { table.fill_value(0) };
            frame.pivot_table(&if op == "pivot_table" { table } else { table.margins("All") })
        }
        "crosstab" => {
            let options = match args["normalize"].as_str() {
                None => Crosstab::new(),
                Some("all") => Crosstab::new().normalize(Normalize::All),
                Some("index") => Crosstab::new().normalize(Normalize::Index),
                Some(_) => Crosstab::new().normalize(Normalize::Columns),
            };
            crosstab(&frame.column(a.text("index"))?, &frame.column(a.text("columns"))?, options)
        }
        "get_dummies" => {
            let column = a.text("column");
            let options = Dummies::new().columns(column).drop_first(a.truth("first"));
            frame.select(["n", column])?.get_dummies(options)
        }
        "wide_to_long" => {
            let wide = frame.select(["n", "i", "j", "f"])?.rename([("i", "x1"), ("j", "x2"), ("f", "y2")])?;
            wide.wide_to_long(&WideToLong::new(["x", "y"], "w").i("n"))
        }
        "text" => one(text(a.text("of"), col("s"))),
        "time_part" => one(time_part(a.text("of"), col("t"))),
        "time_round" => {
            let period = a.text("frequency").replace('D', "1d");
            let period = if period == "h" { "1h" } else { &period };
            let t = col("t").dt();
            one(match a.text("of") {
                "floor" => t.floor(period),
                "ceil" => t.ceil(period),
                _ => t.round(period),
            })
        }
        "strftime" => one(col("t").dt().strftime(a.text("format"))),
        "interpolate" => one(col("f").interpolate()),
        other => panic!("no call of {other}"),
    }
}
