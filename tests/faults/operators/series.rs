//! Methods of series.

use columnade::arrow::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ExportOptions, ImportOptions,
};
use columnade::column::{ColumnAccessor, ListColumn};
use columnade::cuda_array::{CudaArrayExport, CudaArrayImport};
use columnade::dlpack::{CopyPolicy, TensorRequest};
use columnade::expressions::{
    Ambiguous, ExponentialWindow, Interpolation, JoinNulls, Keep, LocalTimes, Nonexistent, Rank, SearchSide,
    Side, Ties, Unmatched,
};
use columnade::{
    Column, CutOptions, DType, DataFrame, Device, ErrorKind, Index, Result, Scalar, Series, TimeUnit,
    TimeZone, ValueCounts, lit, union_categoricals,
};
use std::num::NonZero;

use super::{Operator, shown};
use crate::inputs::Inputs;
use crate::made::Made;

/// Of the streams.
const ROWS_A_BATCH: NonZero<usize> = NonZero::new(30).unwrap();

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new(
        "series: row labels",
        &[
            "engine::series::index::with_index",
            "engine::series::index::reset_index",
            "engine::series::index::sort_index",
            "engine::series::index::sort_levels",
            "engine::series::index::take",
        ],
        |inputs| {
            let labels = Index::from_series(&series(inputs, "word")?)?;
            let rows = series(inputs, "n")?.with_index(&labels)?.sort_index(..)?.take((0..700).rev())?;
            Ok(rows.sort_levels("word", ..)?.reset_index()?.into())
        },
    ),
    Operator::new("series: new", &["engine::series::new"], |_| {
        let flags = (0..1200).map(|row| (row % 6 != 0).then_some(row % 4 == 0)).collect::<Vec<_>>();
        Ok(Series::new(flags)?.into())
    }),
    Operator::new(
        "series: strings",
        &[
            "engine::series::string_functions::len",
            "engine::series::string_functions::byte_count",
            "engine::series::string_functions::find",
            "engine::series::string_functions::lower",
            "engine::series::string_functions::upper",
            "engine::series::string_functions::capitalize",
            "engine::series::string_functions::title",
            "engine::series::string_functions::strip",
            "engine::series::string_functions::lstrip",
            "engine::series::string_functions::rstrip",
            "engine::series::string_functions::strip_chars",
            "engine::series::string_functions::pad",
            "engine::series::string_functions::zfill",
            "engine::series::string_functions::repeat",
            "engine::series::string_functions::reverse",
            "engine::series::string_functions::replace",
            "engine::series::string_functions::replace_n",
            "engine::series::string_functions::remove_prefix",
            "engine::series::string_functions::remove_suffix",
            "engine::series::string_functions::concat",
            "engine::series::string_parts::split_columns",
            "engine::series::string_parts::rsplit_columns",
            "engine::series::string_parts::partition",
            "engine::series::string_parts::rpartition",
            "engine::series::cast::cast",
            "engine::series::cast::try_cast",
        ],
        |inputs| {
            let (word, kind) = (series(inputs, "word")?, series(inputs, "kind")?);
            let mut values = word.str().len()?.to_scalars()?;
            values.extend(word.str().byte_count()?.to_scalars()?);
            values.extend(word.str().find("a")?.to_scalars()?);
            let text = word.str();
            let made = [
                text.lower(),
                text.upper(),
                text.capitalize(),
                text.title(),
                text.strip(),
                text.lstrip(),
                text.rstrip(),
                text.strip_chars("ab", Side::Both),
                text.pad(9, Side::Left, '·'),
                text.zfill(9),
                text.repeat(3),
                text.reverse(),
                text.replace("a", "éé"),
                text.replace_n("a", "", 1),
                text.remove_prefix("a"),
                text.remove_suffix("a"),
                text.concat(&[&kind, &word], "-", JoinNulls::Ignore),
                text.split_part("a", 1),
                text.replace_regex("[ab]", "<$0>", None),
                text.extract("a.", 0),
                text.contains_regex("a.").and_then(|found| found.cast(DType::Utf8)),
                text.partition("a").and_then(|parts| parts.column("word_2")),
                text.rpartition("a").and_then(|parts| parts.column("word_0")),
                text.split_columns("a", 2).and_then(|parts| parts.column("word_1")),
                text.rsplit_columns("a", 2).and_then(|parts| parts.column("word_0")),
                word.try_cast(DType::Float64),
                word.cast(DType::Binary).and_then(|bytes| bytes.cast(DType::Utf8)),
                word.str().len()?.cast(DType::Utf8),
            ];
            for made in made {
                match made {
                    Ok(made) => values.extend(made.to_scalars()?),
                    // On devices.
                    Err(error) if error.kind() == ErrorKind::NotImplemented => {
                        values.push(error.to_string().into());
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: distinct values",
        &[
            "engine::series::distinct::unique",
            "engine::series::distinct::duplicated",
            "engine::series::distinct::is_in",
            "engine::series::distinct::factorize",
            "engine::series::distinct::value_counts",
        ],
        |inputs| {
            let (word, kind) = (series(inputs, "word")?, series(inputs, "kind")?);
            let mut values = word.unique()?.to_scalars()?;
            values.extend(word.duplicated(Keep::Last)?.to_scalars()?);
            values.extend(word.is_in(&word.unique()?)?.to_scalars()?);
            let (codes, uniques) = kind.factorize()?;
            values.extend(codes.to_scalars()?.into_iter().chain(uniques.to_scalars()?));
            values.extend(kind.value_counts()?.column("count")?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: order, bins and counts",
        &[
            "engine::series::order::sort_values",
            "engine::series::order::argsort",
            "engine::series::order::nlargest",
            "engine::series::order::nsmallest",
            "engine::series::order::is_sorted",
            "engine::series::order::search_sorted",
            "engine::series::cut::cut",
            "engine::series::cut::cut_codes",
            "engine::series::cut::cut_edges",
            "engine::series::value_counts::value_counts_with",
            "engine::series::value_counts::hist",
            "engine::series::cut::qcut",
            "engine::series::statistics::idxmin",
            "engine::series::statistics::idxmax",
            "engine::series::statistics::modes",
            "engine::series::statistics::describe",
        ],
        |inputs| {
            let (word, n) = (series(inputs, "word")?, series(inputs, "n")?);
            let sorted = n.sort_values(..)?;
            let mut values =
                sorted.search_sorted(&n.nlargest(30, Ties::All)?, SearchSide::Left)?.to_scalars()?;
            values.extend(
                n.argsort(..)?.to_scalars()?.into_iter().chain(word.nsmallest(9, Ties::Last)?.to_scalars()?),
            );
            values.push(Scalar::Bool(sorted.is_sorted(..)?));
            values.extend(n.cut(CutOptions::bins(3))?.to_scalars()?);
            values.extend(n.qcut([0.0, 0.5, 1.0])?.to_scalars()?);
            values.extend(n.cut_codes(CutOptions::bins(3))?.to_scalars()?);
            values.extend(n.cut_edges(CutOptions::bins(3))?.into_iter().map(Scalar::Float64));
            let shared = CutOptions::bins(3).labels(["end", "middle", "end"]).ordered(false);
            values.extend(n.cut(shared)?.to_scalars()?);
            values.extend(n.value_counts_with(ValueCounts::new().bins(4))?.column("count")?.to_scalars()?);
            values.extend(n.hist([-1e9, 0.0, 1e9])?.column("count")?.to_scalars()?);
            values.extend([n.idxmin()?, n.idxmax()?]);
            values.extend(word.modes()?.to_scalars()?);
            values.extend(n.describe(..)?.column("statistic")?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: parts and patterns of strings",
        &["engine::series::string::slice", "engine::series::string::like_escape"],
        |inputs| {
            let (word, kind) = (series(inputs, "word")?, series(inputs, "kind")?);
            let mut values = word.str().slice(1, 3)?.to_scalars()?;
            values.extend(kind.str().slice(-1, None)?.to_scalars()?);
            values.extend(word.str().like_escape("%!_%", '!')?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: statistics",
        &[
            "engine::series::statistics::quantile",
            "engine::series::statistics::quantile_with",
            "engine::series::statistics::corr",
            "engine::series::statistics::cov",
            "engine::series::statistics::var_ddof",
            "engine::series::statistics::std_ddof",
            "engine::series::statistics::sem_ddof",
            "engine::series::statistics::cov_ddof",
            "engine::series::statistics::sum_min_count",
            "engine::series::statistics::product_min_count",
            "engine::series::statistics::quantiles",
        ],
        |inputs| {
            let (n, float) = (series(inputs, "n")?, series(inputs, "float")?);
            let word = series(inputs, "word")?;
            let mut values = n.quantiles([0.1, 0.7], Interpolation::Linear)?.to_scalars()?;
            values.extend([
                n.std()?,
                n.var_ddof(0)?,
                n.std_ddof(2)?,
                n.sem_ddof(0)?,
                n.cov_ddof(&float, 2)?,
                n.sum_min_count(3)?,
                n.product_min_count(3)?,
                n.quantile(0.3)?,
                word.quantile_with(0.5, Interpolation::Lower)?,
                n.corr(&float)?,
                n.cov(&float)?,
                word.nunique()?,
                word.mode()?,
            ]);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: row functions",
        &[
            "engine::series::rows::rank",
            "engine::series::rows::shift",
            "engine::series::rows::shift_or",
            "engine::series::rows::diff",
            "engine::series::rows::pct_change",
            "engine::series::rows::fill_forward",
            "engine::series::rows::fill_backward",
        ],
        |inputs| {
            let (n, word) = (series(inputs, "n")?, series(inputs, "word")?);
            let mut values = word.rank(Rank::default())?.to_scalars()?;
            values.extend(word.shift(2)?.fill_forward(None)?.fill_backward(Some(1))?.to_scalars()?);
            values.extend(n.shift_or(-2, 0)?.to_scalars()?);
            values.extend(n.diff(1)?.to_scalars()?);
            values.extend(n.pct_change(1)?.to_scalars()?);
            values.extend(n.cum_sum()?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: functions",
        &[
            "engine::series::math::log",
            "engine::series::math::clip",
            "engine::series::math::replace",
            "engine::series::math::replace_or",
            "engine::series::math::replace_strict",
            "engine::series::math::interpolate",
            "engine::series::math::interpolate_limit",
            "engine::series::math::between",
            "engine::series::missing::fill_nan",
            "engine::series::missing::nan_to_null",
            "engine::series::datetime::add_years",
            "engine::index::datetime::truncate",
            "engine::index::datetime::add_months",
            "engine::index::datetime::periods_until",
            "engine::series::datetime::truncate",
            "engine::series::datetime::floor",
            "engine::series::datetime::ceil",
            "engine::series::datetime::round",
            "engine::series::datetime::add_months",
            "engine::series::datetime::offset_by",
            "engine::series::datetime::periods_until",
            "engine::series::datetime::tz_localize",
            "engine::series::datetime::tz_convert",
            "engine::series::datetime::strftime",
            "engine::series::datetime::to_datetime",
            "engine::series::datetime::to_datetime_with",
            "engine::index::datetime::floor",
            "engine::index::datetime::ceil",
            "engine::index::datetime::round",
            "engine::index::datetime::tz_localize",
            "engine::index::datetime::tz_convert",
            "engine::index::datetime::strftime",
            "engine::series::index::add_prefix",
            "engine::series::index::add_suffix",
            "engine::series::distinct::get_dummies",
            "engine::date_range::date_range",
            "engine::date_range::date_range_periods",
            "engine::date_range::date_range_with",
            "engine::date_range::date_range_periods_with",
        ],
        |inputs| {
            let n = series(inputs, "n")?;
            let time = n.evaluate(|n| (n * 1_000_000).cast(DType::Timestamp(TimeUnit::Second)))?;
            let rules = LocalTimes { ambiguous: Ambiguous::Null, nonexistent: Nonexistent::ShiftForward };
            let zoned = time.dt().tz_localize("Europe/Berlin", rules)?;
            let made = [
                n.pow(2)?.abs()?.log(2.0)?.floor()?,
                n.clip(2, 9)?,
                n.replace([(1, 2)])?,
                n.replace_or([(1, 2)], 0)?,
                n.evaluate(|n| n % 3)?.replace_strict([(0, 5), (1, 4), (2, 3)])?,
                n.interpolate()?,
                n.interpolate_limit(1)?,
                n.between(2, 9)?,
                n.cast(DType::Float64)?.fill_nan(1.0)?.nan_to_null()?,
                time.dt().add_years(1)?,
                time.dt().truncate("1mo")?,
                time.dt().floor("1h")?,
                time.dt().ceil("1w")?,
                time.dt().round("1q")?,
                time.dt().add_months(1)?,
                zoned.dt().offset_by("1mo2d3h")?,
                time.dt().periods_until(columnade::date("2000-01-01")?, "1d")?,
                time.dt().day_name()?,
                zoned.dt().truncate("1d")?,
                zoned.dt().tz_convert("Asia/Tokyo")?,
            ];
            let mut values = Vec::new();
            for series in made {
                values.extend(series.to_scalars()?);
            }
            let dummies = series(inputs, "kind")?.get_dummies()?;
            for label in dummies.columns() {
                values.extend(dummies.column(label)?.to_scalars()?);
            }
            let day = DType::Date32;
            values.extend(columnade::date_range(&day, "2024-01-01", "2024-03-01", "ME")?.to_scalars()?);
            values.extend(columnade::date_range_periods(&day, "2024-01-01", 40, "D")?.to_scalars()?);
            let berlin = DType::TimestampTz(TimeUnit::Second, TimeZone::new("Europe/Berlin")?);
            let (start, end) = ("2024-03-30 02:30:00", "2024-04-03 00:00:00");
            values.extend(columnade::date_range_with(&berlin, start, end, "D", rules)?.to_scalars()?);
            values.extend(columnade::date_range_periods_with(&berlin, start, 40, "h", rules)?.to_scalars()?);
            let labels = Index::from_series(&time)?;
            let (dt, zoned) = (labels.dt(), labels.dt().tz_localize("Europe/Berlin", rules)?);
            for made in [
                dt.truncate("1mo")?,
                dt.add_months(1)?,
                dt.periods_until(columnade::date("2000-01-01")?, "1d")?,
                dt.floor("1h")?,
                dt.ceil("1w")?,
                dt.round("1q")?,
                dt.year()?,
                dt.day_name()?,
                dt.strftime("%F")?,
                zoned.dt().tz_convert("Asia/Tokyo")?,
            ] {
                values.extend(made.to_scalars()?.remove(0));
            }
            values.extend(n.add_prefix("a")?.add_suffix("b")?.index().to_scalars()?.remove(0));
            let text = time.dt().strftime("%FT%T")?;
            text.str().to_datetime_with(DType::Date32, "%F", Unmatched::Null)?;
            values.extend(text.str().to_datetime(DType::Timestamp(TimeUnit::Second), "%FT%T")?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: rolling",
        &[
            "engine::series::rolling::rolling_sum",
            "engine::series::rolling::rolling_mean",
            "engine::series::rolling::rolling_min",
            "engine::series::rolling::rolling_max",
            "engine::series::rolling::rolling_count",
            "engine::series::rolling::rolling_var",
            "engine::series::rolling::rolling_std",
            "engine::series::rolling::rolling_skew",
            "engine::series::rolling::rolling_kurt",
            "engine::series::rolling::rolling_first",
            "engine::series::rolling::rolling_last",
            "engine::series::rolling::rolling_nunique",
            "engine::series::rolling::rolling_rank",
            "engine::series::rolling::cum_product",
        ],
        |inputs| {
            let (n, float, word) = (series(inputs, "n")?, series(inputs, "float")?, series(inputs, "word")?);
            let mut values = n.rolling_sum(3)?.to_scalars()?;
            values.extend(float.rolling_mean(3)?.to_scalars()?);
            values.extend(n.rolling_min(7)?.rolling_max(2)?.to_scalars()?);
            values.extend(word.rolling_count(4)?.to_scalars()?);
            values.extend(float.rolling_var(5)?.rolling_std(3)?.to_scalars()?);
            values.extend(float.rolling_skew(4)?.to_scalars()?);
            values.extend(float.rolling_kurt(5)?.to_scalars()?);
            values.extend(word.rolling_first(2)?.rolling_last(3)?.to_scalars()?);
            values.extend(word.rolling_nunique(3)?.to_scalars()?);
            values.extend(float.rolling_rank(Rank::default(), 4)?.to_scalars()?);
            values.extend(n.cum_product()?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: exponentially falling weights",
        &[
            "engine::series::rolling::ewm_mean",
            "engine::series::rolling::ewm_var",
            "engine::series::rolling::ewm_std",
            "engine::dataframe::exponential::mean",
            "engine::dataframe::exponential::var",
            "engine::dataframe::exponential::std",
        ],
        |inputs| {
            let (n, float, window) =
                (series(inputs, "n")?, series(inputs, "float")?, ExponentialWindow::com(2.0));
            let mut values = n.ewm_mean(window)?.to_scalars()?;
            values.extend(float.ewm_var(window.ignore_na(true))?.to_scalars()?);
            values.extend(n.ewm_std(window.adjust(false))?.to_scalars()?);
            let of_frame = inputs.frame.select(["n"])?.head(40)?.ewm(window);
            for made in [of_frame.mean()?, of_frame.var()?, of_frame.std()?] {
                values.extend(made.column("n")?.to_scalars()?);
            }
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: rolling quantiles",
        &["engine::series::rolling::rolling_median", "engine::series::rolling::rolling_quantile"],
        |inputs| {
            // Not implemented on devices.
            let float = series(inputs, "float")?.to_device(Device::Host)?;
            let median = float.rolling_median(3)?;
            Ok(median.rolling_quantile(0.3, Interpolation::Lower, 4)?.into())
        },
    ),
    Operator::new("series: arithmetic", &["engine::series::arithmetic::evaluate"], |inputs| {
        let (n, price, float) = (series(inputs, "n")?, series(inputs, "price")?, series(inputs, "float")?);
        let sum = n.add(&price)?.sub(3)?.mul(&n)?;
        Ok(sum.div(&float)?.evaluate(|value| value * lit(2))?.into())
    }),
    Operator::new("series: division and remainder", &["engine::series::arithmetic::evaluate"], |inputs| {
        let (n, small) = (series(inputs, "n")?, series(inputs, "small")?);
        Ok(n.floor_div(&small)?.add(&n.rem(7)?)?.into())
    }),
    Operator::new(
        "series: checked arithmetic and rounding",
        &[
            "engine::series::numbers::checked_add",
            "engine::series::numbers::checked_sub",
            "engine::series::numbers::checked_mul",
            "engine::series::numbers::checked_floor_div",
            "engine::series::numbers::checked_neg",
            "engine::series::numbers::checked_abs",
            "engine::series::numbers::abs",
            "engine::series::numbers::neg",
            "engine::series::numbers::round",
        ],
        |inputs| {
            let (n, price) = (series(inputs, "n")?, series(inputs, "price")?);
            let sum = n.checked_add(1)?.checked_sub(&n)?.checked_mul(&n)?.checked_floor_div(3)?;
            let sum = sum.checked_neg()?.checked_abs()?;
            Ok(sum.neg()?.abs()?.add(&price.round(1)?.div(7)?)?.into())
        },
    ),
    Operator::new("series: comparison", &["engine::series::arithmetic::evaluate"], |inputs| {
        let (word, day) = (series(inputs, "word")?, series(inputs, "day")?);
        let equal = word.eq("naïve3")?;
        Ok(equal.eq(&day.ge(&day)?)?.ne(&word.lt(&word)?)?.into())
    }),
    Operator::new(
        "series: nulls dropped and filled",
        &[
            "engine::series::missing::drop_nulls",
            "engine::series::missing::fill_null",
            "engine::series::missing::is_null",
            "engine::series::missing::is_not_null",
        ],
        |inputs| {
            let mut values = series(inputs, "word")?.fill_null("ß")?.to_scalars()?;
            values.extend(series(inputs, "kind")?.drop_nulls()?.to_scalars()?);
            let nulls = series(inputs, "word")?.is_null()?;
            values.extend(nulls.ne(&series(inputs, "word")?.is_not_null()?)?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: namespaces",
        &[
            "engine::series::categorical::as_ordered",
            "engine::series::categorical::as_unordered",
            "engine::series::categorical::categories",
            "engine::series::categorical::codes",
            "engine::series::categorical::is_ordered",
            "engine::series::structure::explode",
            "engine::series::structure::field",
            "engine::series::structure::rename_fields",
            "engine::series::structure::names",
        ],
        |inputs| {
            let kind = series(inputs, "kind")?.cat().as_ordered()?;
            let mut values = kind.cat().codes()?.to_scalars()?;
            values.extend(kind.cat().as_unordered()?.cat().categories()?.to_scalars()?);
            values.push(kind.cat().is_ordered()?.into());
            let rows = inputs.frame.select(["n", "word"])?.to_struct()?;
            let valid = (0..rows.len()).map(|row| row % 5 > 0);
            let rows = Series::new(rows.values().with_validity(valid, rows.exec())?)?;
            let last = rows.struct_().names()?.last().cloned().unwrap_or_default();
            values.extend(rows.struct_().field(&last)?.to_scalars()?);
            values.extend(rows.struct_().rename_fields(["a", "b"])?.to_scalars()?);
            values.extend(rows.struct_().explode()?.column("n")?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: reductions",
        &[
            "engine::series::reduce::sum",
            "engine::series::reduce::mean",
            "engine::series::reduce::min",
            "engine::series::reduce::max",
            "engine::series::reduce::count",
            "engine::series::null_count",
        ],
        |inputs| {
            let (price, day, word) =
                (series(inputs, "price")?, series(inputs, "day")?, series(inputs, "word")?);
            let count = Scalar::from(i64::try_from(word.count()? + word.null_count()?).unwrap_or(-1));
            Ok(vec![price.sum()?, price.mean()?, day.min()?, day.max()?, count].into())
        },
    ),
    Operator::new(
        "series: values",
        &[
            "engine::series::get",
            "engine::dataframe::select::row",
            "engine::series::to_scalars",
            "engine::series::iter",
            "engine::series::to_options",
            "engine::series::to_vec",
            "engine::series::head",
            "engine::series::tail",
            "engine::series::slice",
        ],
        |inputs| {
            let kind = series(inputs, "kind")?;
            let mut values = kind.tail(700)?.head(500)?.slice(3, 490)?.to_scalars()?;
            let word = series(inputs, "word")?;
            values.push(word.get(1234)?);
            values.extend(inputs.frame.row(77)?);
            let option = |word: Option<String>| word.map_or(Scalar::Null(DType::Utf8), Scalar::from);
            values.extend(word.slice(5, 200)?.to_options::<String>()?.into_iter().map(option));
            values.extend(word.slice(300, 200)?.iter::<String>()?.map(option));
            let words = kind.drop_nulls()?.head(100)?.to_vec::<String>()?;
            values.extend(words.into_iter().map(Scalar::from));
            Ok(values.into())
        },
    ),
    Operator::new("series: equals", &["engine::series::equals"], |inputs| {
        let (word, kind) = (series(inputs, "word")?, series(inputs, "kind")?);
        let found = [word.equals(&word)?, word.equals(&kind)?];
        Ok(found.map(Scalar::from).to_vec().into())
    }),
    Operator::new("series: difference", &["engine::series::difference::difference"], |inputs| {
        let word = series(inputs, "word")?;
        let (left, right) = (word.head(800)?, word.slice(1, 800)?);
        let found = [left.difference(&left)?, left.difference(&right)?];
        Ok(Made::String(format!("{found:?}")))
    }),
    Operator::new(
        "series: C interface, there and back",
        &["engine::series::arrow_c::to_arrow_c", "engine::series::arrow_c::from_arrow_c"],
        |inputs| {
            let (schema, mut array) =
                series(inputs, "word")?.to_arrow_c::<ArrowArray>(&ExportOptions::default())?;
            Ok(Series::from_arrow_c(&schema, &mut array, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "series: C device interface, there and back",
        &["engine::series::arrow_c::to_arrow_c", "engine::series::arrow_c::from_arrow_c"],
        |inputs| {
            let (schema, mut array) =
                series(inputs, "kind")?.to_arrow_c::<ArrowDeviceArray>(&ExportOptions::default())?;
            Ok(Series::from_arrow_c(&schema, &mut array, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "series: C stream, there and back",
        &["engine::series::arrow_c::to_arrow_c_stream"],
        |inputs| {
            let mut stream = series(inputs, "word")?
                .to_arrow_c_stream::<ArrowArrayStream>(ROWS_A_BATCH, &ExportOptions::default())?;
            Ok(Series::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "series: C device stream, there and back",
        &["engine::series::arrow_c::to_arrow_c_stream"],
        |inputs| {
            let word = series(inputs, "word")?;
            let mut stream =
                word.to_arrow_c_stream::<ArrowDeviceArrayStream>(ROWS_A_BATCH, &ExportOptions::default())?;
            Ok(Series::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "series: C stream of structs",
        &["engine::series::arrow_c::from_arrow_c_stream"],
        |inputs| {
            let mut stream =
                inputs.rare.to_arrow_c_stream::<ArrowArrayStream>(ROWS_A_BATCH, &ExportOptions::default())?;
            Ok(Series::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "series: C device stream of structs",
        &["engine::series::arrow_c::from_arrow_c_stream"],
        |inputs| {
            let mut stream = inputs
                .rare
                .to_arrow_c_stream::<ArrowDeviceArrayStream>(ROWS_A_BATCH, &ExportOptions::default())?;
            Ok(Series::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "series: DLPack, there and back",
        &["engine::series::tensor::to_dlpack", "engine::series::tensor::from_dlpack"],
        |inputs| {
            let mut tensor = series(inputs, "float")?.to_dlpack(&TensorRequest::default())?;
            Ok(Series::from_dlpack(&mut tensor, CopyPolicy::default())?.into())
        },
    ),
    Operator::new("series: to_cuda_array", &["engine::series::tensor::to_cuda_array"], |inputs| {
        let numbers = series(inputs, "n")?;
        if numbers.device() == Device::Host {
            // The interface is about memory of devices: refused, whatever fails.
            let refused = numbers.to_cuda_array(&CudaArrayExport::default()).is_err();
            return Ok(vec![Scalar::from(refused)].into());
        }
        let array = numbers.to_cuda_array(&CudaArrayExport::default())?;
        let rows = array.interface().shape.first().copied().unwrap_or_default();
        Ok(vec![Scalar::from(rows)].into())
    }),
    Operator::new(
        "series: CUDA Array Interface, there and back",
        &[
            "engine::series::tensor::to_cuda_array_mut",
            "engine::series::tensor::expose_cuda_array",
            "engine::series::tensor::from_cuda_array",
        ],
        |inputs| {
            let (mut numbers, options) = (series(inputs, "n")?, CudaArrayExport::default());
            if numbers.device() == Device::Host {
                let refused = [
                    numbers.to_cuda_array_mut(&options).is_err(),
                    numbers.expose_cuda_array(&options).is_err(),
                ];
                return Ok(refused.map(Scalar::from).to_vec().into());
            }
            let exported = numbers.to_cuda_array_mut(&options)?.into_foreign(CudaArrayImport::default());
            let read = Series::from_cuda_array(&exported)?;
            drop(exported);
            // Without nulls: a mask that is made for an exposure is never given back.
            numbers.drop_nulls()?.expose_cuda_array(&options)?;
            Ok(read.into())
        },
    ),
    Operator::new(
        "series: shallow_copy and deep_copy",
        &["engine::series::copy::shallow_copy", "engine::series::copy::deep_copy"],
        |inputs| Ok(series(inputs, "price")?.shallow_copy()?.deep_copy()?.into()),
    ),
    Operator::new("series: to_device", &["engine::series::to_device"], |inputs| {
        Ok(series(inputs, "word")?.to_device(Device::Host)?.into())
    }),
    Operator::new(
        "series: lists",
        &[
            "engine::series::list::get",
            "engine::series::list::get_checked",
            "engine::series::list::contains",
            "engine::series::list::get_at",
            "engine::series::list::get_at_checked",
            "engine::series::list::get_or",
            "engine::series::list::get_at_or",
            "engine::series::list::take",
            "engine::series::list::take_checked",
            "engine::series::list::take_each",
            "engine::series::list::take_each_checked",
            "engine::series::list::index",
            "engine::series::list::index_of",
            "engine::series::list::leaves",
            "ops::lists::positions::leaves",
            "engine::series::list::contains_value",
            "engine::series::list::sort_with",
            "engine::series::list::slice",
            "engine::series::list::head",
            "engine::series::list::tail",
            "engine::series::list::join",
            "engine::series::list::concat",
            "engine::series::list::explode",
        ],
        |inputs| {
            let lists = inputs.rare.column("list")?.head(300)?;
            let (items, mut values) = (lists.list(), Vec::new());
            let some = lists.values().slice(1, 2)?;
            let some = DataFrame::from_accessor(ColumnAccessor::from_columns([("l", some)])?, &inputs.exec);
            values.extend(some.column("l")?.list().get_checked(-1)?.to_scalars()?);
            let some = some.column("l")?;
            let (lengths, last) = (items.len()?, some.list().len()?.sub(1)?);
            let as_lists = |numbers: &Series| -> Result<Series> {
                let lists =
                    ListColumn::from_lengths(numbers.values(), vec![Some(1); numbers.len()], &inputs.exec)?;
                let lists = ColumnAccessor::from_columns([("at", Column::List(lists))])?;
                DataFrame::from_accessor(lists, &inputs.exec).column("at")
            };
            values.extend(some.list().get_at_checked(&last)?.to_scalars()?);
            values.extend(some.list().take_checked(&as_lists(&last)?)?.to_scalars()?);
            values.extend(some.list().take_each_checked([0, -1])?.to_scalars()?);
            for made in [
                items.get_or(2, "none"),
                items.get_at_or(&lengths, "none"),
                items.take(&as_lists(&lengths)?),
                items.take_each([1, -1]),
                items.index("ä5.0"),
                items.index_of(&items.last()?),
                items.leaves(),
                items.get(1),
                items.contains("ä5.0"),
                items.get_at(&items.len()?.sub(1)?),
                items.contains_value(&items.first()?),
                items.sort_with(true, false),
                items.slice(-2, 1),
                items.head(1),
                items.tail(1),
                items.join("-"),
                items.concat(&lists),
                items.max(),
                items.unique(),
                items.reverse(),
                lists.explode(),
            ] {
                values.extend(made?.to_scalars()?);
            }
            Ok(values.into())
        },
    ),
    Operator::new(
        "series: dictionaries",
        &[
            "engine::series::categorical::encode",
            "engine::series::categorical::decode",
            "engine::series::categorical::add_categories",
            "engine::series::categorical::remove_categories",
            "engine::series::categorical::remove_unused_categories",
            "engine::series::categorical::rename_categories",
            "engine::series::categorical::reorder_categories",
            "engine::series::categorical::set_categories",
            "engine::series::categorical::union_categoricals",
            "ops::categories::encode",
            "ops::categories::changes::codes_of",
            "ops::categories::changes::add_categories",
            "ops::categories::changes::remove_categories",
            "ops::categories::changes::remove_unused_categories",
            "ops::categories::changes::rename_categories",
            "ops::categories::changes::reorder_categories",
            "ops::categories::changes::set_categories",
            "ops::categories::changes::union_categoricals",
        ],
        |inputs| {
            let words = series(inputs, "word")?.cat().encode()?;
            let more = words.cat().add_categories(["+1", "+2"])?;
            let fewer = more.cat().remove_categories(["+1"])?.cat().remove_unused_categories()?;
            let two = fewer.cat().set_categories(["+1", "+2"])?;
            let two = two.cat().reorder_categories(["+2", "+1"])?.cat().rename_categories(["a", "b"])?;
            let all = union_categoricals([&more, &fewer, &two], true)?;
            let mut values = all.cat().decode()?.to_scalars()?;
            values.extend(all.cat().codes()?.to_scalars()?);
            let set = two.set_iloc(0, "b")?.set_iloc([1, 2], ["b", "a"])?;
            values.extend(set.cat().decode()?.to_scalars()?);
            Ok(values.into())
        },
    ),
    Operator::new("series: display", &["engine::series::display::fmt"], |inputs| {
        shown(&series(inputs, "word")?)
    }),
];

fn series(inputs: &Inputs, label: &str) -> Result<Series> {
    inputs.frame.column(label)
}
