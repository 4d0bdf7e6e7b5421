//! Functions of every column and of rows by their groups, and frames as text.

use columnade::dtypes::IntervalScalar;
use columnade::expressions::{Interpolation, Rank, Ties, hours};
use columnade::{
    Closed, Concat, CutOptions, DType, DisplayOptions, Index, Result, Sample, Series, TimeUnit, ValueCounts,
    col, concat, concat_with, lit,
};

use super::Operator;
use crate::inputs::Inputs;
use crate::made::Made;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new(
        "frame: group_by, labels of extremes and quantiles",
        &[
            "engine::dataframe::group_extremes::idxmin",
            "engine::dataframe::group_extremes::idxmax",
            "engine::dataframe::group_extremes::quantiles",
        ],
        |inputs| {
            let groups = inputs.frame.group_by("kind").sort(true).as_index(true);
            let (lowest, highest) = (groups.idxmin(["price", "day"])?, groups.idxmax("small")?);
            let found = groups.quantiles("float", [0.25, 0.5], Interpolation::Linear)?;
            let mut all = Vec::new();
            for (frame, label) in [(lowest, "price"), (highest, "small"), (found, "float")] {
                all.extend(frame.column(label)?.to_scalars()?);
            }
            Ok(Made::Scalars(all))
        },
    ),
    Operator::new(
        "frame: group_by, counts of values, the largest and samples",
        &[
            "engine::dataframe::group_summaries::value_counts",
            "engine::dataframe::group_summaries::value_counts_with",
            "engine::dataframe::group_summaries::nlargest",
            "engine::dataframe::group_summaries::nsmallest",
            "engine::dataframe::sample::sample",
        ],
        |inputs| {
            let groups = inputs.frame.group_by("kind").sort(true);
            let mut all = groups.value_counts("small")?.to_scalars()?;
            let shares = ValueCounts::new().normalize(true).dropna(false).ascending(true);
            all.extend(groups.value_counts_with(["word", "small"], shares)?.to_scalars()?);
            all.extend(groups.nlargest(3, "n", Ties::Last)?.column("n")?.to_scalars()?);
            all.extend(groups.nsmallest(2, "float", Ties::All)?.column("float")?.to_scalars()?);
            all.extend(groups.sample(Sample::frac(0.5).seed(3))?.column("n")?.to_scalars()?);
            Ok(Made::Scalars(all))
        },
    ),
    Operator::new(
        "frame: group_by, pairs of columns",
        &[
            "engine::dataframe::group_summaries::corr",
            "engine::dataframe::group_summaries::cov",
            "engine::dataframe::group_summaries::cov_ddof",
        ],
        |inputs| {
            let groups = inputs.frame.group_by("kind").sort(true);
            let mut all = groups.corr(["n", "float"])?.column("n")?.to_scalars()?;
            all.extend(groups.cov(["n", "float"])?.column("float")?.to_scalars()?);
            all.extend(groups.cov_ddof(["n", "float"], 0)?.column("float")?.to_scalars()?);
            Ok(Made::Scalars(all))
        },
    ),
    Operator::new(
        "frame: scalar in the filter of another",
        &["engine::one_value::scalar", "engine::dataframe::filter::filter"],
        |inputs| {
            let mean = inputs.frame.agg(col("n").mean())?.scalar()?;
            let word = inputs.frame.column("word")?.slice(1, 1)?.scalar()?;
            Ok(inputs.frame.filter(col("n").gt(lit(mean)).or(col("word").eq(lit(word))))?.into())
        },
    ),
    Operator::new(
        "frame: levels of row labels",
        &[
            "engine::dataframe::index::drop_row_level",
            "engine::dataframe::index::swap_row_levels",
            "engine::dataframe::index::reorder_row_levels",
            "engine::series::index::droplevel",
            "engine::series::index::swaplevel",
            "engine::series::index::reorder_levels",
        ],
        |inputs| {
            let frame = inputs.frame.set_index(["word", "n"])?.swap_row_levels(0, 1)?;
            let series = frame.reorder_row_levels([1, 0])?.column("small")?;
            let series = series.swaplevel(0, 1)?.reorder_levels([1, 0])?.droplevel("n")?;
            let mut seen = series.index().slice(0, 9)?.to_scalars()?.concat();
            seen.push(frame.drop_row_level(0)?.index().get(3)?);
            Ok(Made::Scalars(seen))
        },
    ),
    Operator::new(
        "frame: counts of rows and rank correlations",
        &[
            "engine::dataframe::value_counts::value_counts",
            "engine::dataframe::value_counts::value_counts_with",
            "engine::dataframe::statistics::kendall",
            "engine::series::statistics::kendall",
            "engine::dataframe::statistics::spearman",
            "engine::series::statistics::spearman",
            "engine::series::statistics::autocorr",
        ],
        |inputs| {
            let rows = inputs.frame.select(["kind", "flag"])?;
            let shares = ValueCounts::new().normalize(true).dropna(false);
            let mut seen = rows.value_counts()?.to_scalars()?;
            seen.extend(rows.value_counts_with(shares)?.to_scalars()?);
            let numbers = inputs.frame.select(["n", "float"])?;
            let (n, float) = (numbers.column("n")?, numbers.column("float")?);
            seen.extend(numbers.spearman()?.column("n")?.to_scalars()?);
            seen.extend(numbers.kendall()?.column("n")?.to_scalars()?);
            seen.extend([n.kendall(&float)?, n.spearman(&float)?, n.autocorr(2)?]);
            Ok(Made::Scalars(seen))
        },
    ),
    Operator::new(
        "frame: functions of every column",
        &[
            "engine::dataframe::columnwise::fill_forward",
            "engine::dataframe::columnwise::fill_backward",
            "engine::dataframe::columnwise::shift",
            "engine::dataframe::columnwise::shift_or",
            "engine::dataframe::columnwise::interpolate_limit",
            "engine::dataframe::columnwise::fill_nan",
            "engine::dataframe::columnwise::nan_to_null",
            "engine::dataframe::columnwise::diff",
            "engine::dataframe::columnwise::pct_change",
            "engine::dataframe::columnwise::rank",
            "engine::dataframe::columnwise::clip",
            "engine::dataframe::columnwise::round",
        ],
        |inputs| {
            let rows =
                inputs.frame.select(["n", "word"])?.shift(2)?.fill_forward(Some(3))?.fill_backward(None)?;
            let numbers = rows.select("n")?;
            let ranks = rows.rank(Rank::default())?.add_prefix("rank_")?;
            let made = [
                numbers.diff(1)?.add_prefix("diff_")?,
                numbers.pct_change(2)?.add_suffix("_change")?,
                numbers.clip(-40, 90)?.round(-1)?,
                numbers.shift_or(-3, 0)?.interpolate_limit(2)?.add_prefix("filled_")?,
                numbers.cast([("n", DType::Float64)])?.fill_nan(1.5)?.nan_to_null()?.add_prefix("float_")?,
                ranks,
            ];
            Ok(concat_with(&made, &Concat::columns())?.into())
        },
    ),
    Operator::new(
        "frame: bins of columns",
        &["engine::dataframe::cut::cut", "engine::dataframe::cut::qcut"],
        |inputs| {
            let numbers = inputs.frame.select(["n", "small"])?.cast([("small", DType::Float64)])?;
            let bins = numbers.cut(["n", "small"], CutOptions::bins(3))?.add_prefix("bin_of_")?;
            let halves = numbers.qcut("n", [0.0, 0.5, 1.0])?;
            Ok(concat_with(&[bins, halves], &Concat::columns())?.into())
        },
    ),
    Operator::new(
        "frame: dtypes and labels of columns",
        &[
            "engine::dataframe::columnwise::cast",
            "engine::dataframe::columnwise::try_cast",
            "engine::dataframe::columnwise::add_prefix",
            "engine::dataframe::columnwise::add_suffix",
        ],
        |inputs| {
            let made = inputs.frame.select(["n", "small"])?.cast([("n", DType::Float64)])?;
            Ok(made.try_cast([("small", DType::Int8)])?.add_prefix("a_")?.add_suffix("_z")?.into())
        },
    ),
    Operator::new(
        "frame: info and labels of values",
        &[
            "engine::dataframe::info::info",
            "engine::dataframe::info::memory_usage",
            "engine::dataframe::info::first_valid_index",
            "engine::dataframe::info::last_valid_index",
        ],
        |inputs| {
            let frame = inputs.frame.select(["n", "word"])?;
            let mut labels = Vec::new();
            labels.extend(frame.first_valid_index()?);
            labels.extend(frame.last_valid_index()?);
            labels.extend(frame.column("n")?.first_valid_index()?);
            labels.extend(frame.column("n")?.last_valid_index()?);
            // The bytes depend on what is spilled; only their number is compared.
            labels.push(i64::try_from(frame.memory_usage()?.len()).unwrap_or(0).into());
            let lines = frame.info()?.lines().count();
            labels.push(i64::try_from(lines).unwrap_or(0).into());
            Ok(Made::Scalars(labels))
        },
    ),
    Operator::new(
        "frame: text, HTML and Markdown",
        &[
            "engine::dataframe::markup::to_string_with",
            "engine::dataframe::markup::to_html",
            "engine::dataframe::markup::to_markdown",
        ],
        |inputs| {
            let options = DisplayOptions::default();
            let frame = &inputs.frame;
            let word = inputs.frame.column("word")?;
            let parts = [
                frame.to_string_with(options)?,
                frame.to_html(options)?,
                frame.to_markdown(options)?,
                word.to_string_with(options)?,
                word.to_markdown(options)?,
            ];
            Ok(Made::String(parts.join("\n")))
        },
    ),
    Operator::new(
        "frame: group_by, values of rows",
        &[
            "engine::dataframe::group_rows::transform",
            "engine::dataframe::group_rows::shift",
            "engine::dataframe::group_rows::diff",
            "engine::dataframe::group_rows::pct_change",
            "engine::dataframe::group_rows::rank",
            "engine::dataframe::group_rows::fill_forward",
            "engine::dataframe::group_rows::fill_backward",
        ],
        |inputs| {
            let rows = inputs.frame.select(["kind", "n"])?;
            let groups = rows.group_by("kind");
            let made = [
                groups.transform([col("n").sum(), (col("n") - col("n").min()).alias("above")])?,
                groups.shift(1)?,
                groups.diff(1)?,
                groups.rank(Rank::default())?,
                groups.fill_forward(Some(2))?,
                groups.fill_backward(None)?,
                groups.pct_change(1)?,
            ];
            let first = made[0].clone();
            let rest = made[1..].iter().map(|frame| frame.cast([("n", DType::Float64)]));
            let rest = concat(&rest.collect::<Result<Vec<_>>>()?)?;
            Ok(concat([&first.cast([("n", DType::Float64)])?.select("n")?, &rest])?.into())
        },
    ),
    Operator::new(
        "index: labels of products, tuples and other labels",
        &[
            "engine::index::made::from_product",
            "engine::index::made::from_tuples",
            "engine::index::made::factorize",
            "engine::index::made::cast",
            "engine::index::made::fill_null",
            "engine::index::made::where_",
            "engine::index::multi::levels",
            "engine::index::multi::codes",
        ],
        |_| {
            let numbers = || (0..40_i64).collect::<Vec<_>>();
            let product = Index::from_product([("a", numbers()), ("b", numbers())])?;
            let tuples = Index::from_tuples((0..300_i64).map(|row| (row, row % 7)), ["a", "b"])?;
            let (codes, labels) =
                tuples.get_level_values("b")?.fill_null(3)?.cast(DType::Float64)?.factorize()?;
            let parts = [product.get_level_values("a")?, tuples.get_level_values("a")?];
            let mut values = parts[0].append([&parts[1]])?.to_scalars()?.concat();
            values.extend(codes.to_scalars()?);
            let even = tuples.to_frame()?.column("a")?.rem(2)?.eq(0)?;
            values.extend(labels.to_scalars()?.concat());
            values.extend(tuples.get_level_values("a")?.where_(&even, -1)?.to_scalars()?.concat());
            if let Some(levels) = tuples.as_multi() {
                values.extend(levels.levels()?[1].to_scalars()?.concat());
                values.extend(levels.codes()?[0].to_scalars()?);
            }
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new(
        "index: ranges of times, durations and intervals, moved",
        &[
            "engine::index::ranges::date_range",
            "engine::index::ranges::date_range_periods",
            "engine::index::ranges::timedelta_range",
            "engine::index::ranges::timedelta_range_periods",
            "engine::index::ranges::intervals",
            "engine::index::ranges::interval_range",
            "engine::index::interval::left",
            "engine::index::interval::right",
            "engine::index::interval::mid",
            "engine::index::interval::length",
            "engine::index::interval::contains",
            "engine::index::interval::overlaps",
            "engine::index::shift::shift",
            "engine::index::shift::shift_by",
        ],
        |_| {
            let days = Index::date_range(&DType::Date32, "2024-01-01", "2025-12-31", "D")?;
            let ends = Index::date_range_periods(&DType::Date32, "2024-01-31", 300, "ME")?;
            let mut values = days.shift(3)?.append([&ends.shift_by(-2, "QS")?])?.to_scalars()?.concat();
            let spans = Index::timedelta_range(TimeUnit::Second, hours(0), hours(900), "2h")?;
            let some = Index::timedelta_range_periods(TimeUnit::Second, hours(9), 200, "90min")?;
            values.extend(spans.append([&some.shift_by(1, "D")?])?.to_scalars()?.concat());
            values.extend(days.intervals(Closed::Left)?.to_scalars()?.concat());
            let index = Index::interval_range(0, 900, 3, Closed::Right)?;
            values.extend(index.to_scalars()?.concat());
            if let Some(intervals) = index.as_interval() {
                for made in [intervals.left()?, intervals.right()?, intervals.mid()?, intervals.length()?] {
                    values.extend(made.to_scalars()?.concat());
                }
                values.extend(intervals.contains(7)?.to_scalars()?);
                let other = IntervalScalar { left: 4_i64.into(), right: 9_i64.into(), closed: Closed::Both };
                values.extend(intervals.overlaps(&other)?.to_scalars()?);
            }
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new("series: map", &["engine::series::map::map"], |inputs: &Inputs| {
        let labels = Index::new(["a", "b", "tea"])?;
        let by_label = Series::new([1_i64, 2, 3])?.with_index(&labels)?.to_device(inputs.frame.device())?;
        let kind = inputs.frame.column("kind")?;
        let small = inputs.frame.column("small")?.map([(1, 10_i64), (2, 20)])?;
        Ok(concat([&kind.map(&by_label)?.rename("n").to_frame(), &small.rename("n").to_frame()])?.into())
    }),
];
