//! Series.

use columnade::expressions::{
    ExponentialWindow, Interpolation, JoinNulls, Keep, Rank, RankMethod, SearchSide, Side, Ties,
};
use columnade::{Column, CutOptions, DType, DataFrame, Exec, Index, Series, ValueCounts, col};

use super::{Case, called, case, without_memory};

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    let numbers = &Series::new([Some(1_i64), None]).expect("numbers").rename("n");
    let words = Index::from_series(names).expect("labels");
    let by_words = &numbers.with_index(&words).expect("two labels");
    let unnamed = &Series::new(["a", "b"]).expect("strings");
    let rows = DataFrame::new([("n", numbers.values())]).expect("a column");
    let tight = &without_memory(&rows).column("n").expect("a column");
    let lists = &lists();
    let below = Series::new([1, -1]).expect("numbers");
    vec![
        called(
            "series::new",
            "Series::new",
            &["list<int32>"],
            Series::new(columnade::builders::categories([vec![1], vec![2]])),
        ),
        case("series::reduce::sum", &["k.sum()", "utf8"], names.sum()),
        case("one_value::scalar", &["\"k\"", "2 rows"], names.scalar().map(|_| ())),
        case("series::order::sort_values", &[], tight.sort_values(..)),
        case("series::order::argsort", &[], tight.argsort(..)),
        case("series::order::is_sorted", &[], tight.is_sorted(..)),
        case("series::order::nlargest", &[], tight.nlargest(1, Ties::First)),
        case("series::order::nsmallest", &[], tight.nsmallest(1, Ties::First)),
        case(
            "series::order::search_sorted",
            &["\"k\"", "utf8", "int64"],
            names.search_sorted(numbers, SearchSide::Left),
        ),
        case("series::statistics::idxmin", &[], tight.idxmin()),
        case("series::statistics::idxmax", &[], tight.idxmax()),
        case("series::statistics::modes", &[], tight.modes()),
        case("series::statistics::describe", &["frame"], lists.describe(..)),
        case("series::cut::cut", &["\"k\"", "utf8"], names.cut(CutOptions::bins(2))),
        case(
            "series::cut::cut",
            &["bins", "1000000000000"],
            numbers.cut(CutOptions::bins(1_000_000_000_000)),
        ),
        case("series::cut::cut", &["ordered", "labels"], numbers.cut(CutOptions::bins(2).ordered(false))),
        case("series::cut::cut_edges", &["\"k\"", "utf8"], names.cut_edges(CutOptions::bins(2)).map(|_| ())),
        case("series::cut::qcut", &["\"k\"", "utf8"], names.qcut(2)),
        case("repeats::tile", &["int64"], names.tile(usize::MAX)),
        case("repeats::repeat", &["counts", "-1"], names.repeat(&below)),
        case("repeats::repeat", &["float64"], names.repeat(numbers.mul(0.5).expect("floats"))),
        case("series::index::add_prefix", &[], tight.add_prefix("a")),
        case("series::index::add_suffix", &[], tight.add_suffix("a")),
        case(
            "series::cut::cut_codes",
            &["edges", "2.0", "1.0"],
            numbers.cut_codes(CutOptions::edges([2.0, 1.0])),
        ),
        case(
            "series::value_counts::value_counts_with",
            &[],
            tight.value_counts_with(ValueCounts::new().dropna(false)),
        ),
        case("series::value_counts::hist", &["\"k\"", "utf8"], names.hist([0, 1])),
        case("series::reduce::sum", &["self.sum()", "utf8"], unnamed.sum()),
        case("series::reduce::mean", &["k.mean()", "utf8"], names.mean()),
        case("series::reduce::min", &[], tight.min()),
        case("series::reduce::max", &[], tight.max()),
        case("series::get", &["\"k\"", "7"], names.get(7)),
        case("series::to_vec", &["\"k\"", "utf8", "String", "i64"], names.to_vec::<i64>()),
        case("series::to_vec", &["\"l\"", "Vec<i32>", "Vec<i64>"], lists.to_vec::<Vec<i64>>()),
        case("series::iter", &["\"k\"", "utf8"], names.iter::<i64>()),
        case("series::to_options", &["\"k\"", "utf8"], names.to_options::<i64>()),
        case("series::slice", &["3"], names.slice(1, 3)),
        case("series::copy::deep_copy", &["\"n\""], tight.deep_copy()),
        case("series::missing::fill_null", &["\"k\"", "utf8"], names.fill_null(7)),
        case("series::missing::fill_nan", &["k.is_nan()", "utf8"], names.fill_nan(7)),
        case("series::missing::nan_to_null", &["k.is_nan()", "utf8"], names.nan_to_null()),
        case("series::missing::drop_nulls", &[], tight.drop_nulls()),
        case("series::missing::is_null", &[], tight.is_null()),
        case("series::missing::is_not_null", &[], tight.is_not_null()),
        case("series::arithmetic::evaluate", &["-k", "utf8"], names.evaluate(|x| -x)),
        case("series::arithmetic::evaluate", &["\"tax\""], names.evaluate(|x| x + col("tax"))),
        case("series::arithmetic::and", &["expression k", "utf8"], names.and(numbers)),
        case("series::arithmetic::or", &["expression k", "utf8"], names.or(numbers)),
        case("series::arithmetic::add", &["(k + n)", "utf8"], names.add(numbers)),
        case("series::arithmetic::add", &["int64", "utf8"], numbers.add(by_words)),
        case("series::arithmetic::add_with", &["int64", "utf8"], numbers.add_with(by_words, 1)),
        case("series::arithmetic::sub_with", &["int64", "utf8"], numbers.sub_with(by_words, 1)),
        case("series::arithmetic::mul_with", &["int64", "utf8"], numbers.mul_with(by_words, 1)),
        case("series::arithmetic::div_with", &["int64", "utf8"], numbers.div_with(by_words, 1)),
        case("series::arithmetic::floor_div_with", &["int64", "utf8"], numbers.floor_div_with(by_words, 1)),
        case("series::arithmetic::rem_with", &["int64", "utf8"], numbers.rem_with(by_words, 1)),
        case("series::arithmetic::pow_with", &["int64", "utf8"], numbers.pow_with(by_words, 1)),
        case("series::arithmetic::eq_with", &["int64", "utf8"], numbers.eq_with(by_words, 1)),
        case("series::arithmetic::ne_with", &["int64", "utf8"], numbers.ne_with(by_words, 1)),
        case("series::arithmetic::lt_with", &["int64", "utf8"], numbers.lt_with(by_words, 1)),
        case("series::arithmetic::le_with", &["int64", "utf8"], numbers.le_with(by_words, 1)),
        case("series::arithmetic::gt_with", &["int64", "utf8"], numbers.gt_with(by_words, 1)),
        case("series::arithmetic::ge_with", &["int64", "utf8"], numbers.ge_with(by_words, 1)),
        case("series::arithmetic::sub", &["(k - n)", "utf8"], names.sub(numbers)),
        case("series::arithmetic::mul", &["(self * n)", "utf8"], unnamed.mul(numbers)),
        case("series::arithmetic::div", &["(n / other)", "utf8"], numbers.div(unnamed)),
        case("series::arithmetic::floor_div", &["utf8"], names.floor_div(names)),
        case("series::arithmetic::rem", &["(k % n)", "utf8"], names.rem(numbers)),
        case("series::numbers::checked_add", &["n.checked_add(", "int64"], numbers.checked_add(i64::MAX)),
        case("series::numbers::checked_sub", &["n.checked_sub(", "int64"], numbers.checked_sub(i64::MIN)),
        case("series::numbers::checked_mul", &["utf8"], names.checked_mul(2)),
        case("series::numbers::checked_floor_div", &["utf8"], names.checked_floor_div(numbers)),
        case("series::numbers::checked_neg", &["k.checked_neg()", "utf8"], names.checked_neg()),
        case("series::numbers::checked_abs", &["k.checked_abs()", "utf8"], names.checked_abs()),
        case("series::numbers::abs", &["k.abs()", "utf8"], names.abs()),
        case("series::numbers::neg", &["-k", "utf8"], names.neg()),
        case("series::numbers::round", &["k.round(1)", "utf8"], names.round(1)),
        case("series::arithmetic::eq", &["(k == n)", "utf8", "int64"], names.eq(numbers)),
        case("series::arithmetic::ne", &["(k != 7)", "utf8"], names.ne(7)),
        case("series::arithmetic::lt", &["(k < n)", "utf8", "int64"], names.lt(numbers)),
        case("series::arithmetic::le", &["(k <= n)", "utf8", "int64"], names.le(numbers)),
        case("series::arithmetic::gt", &["(k > n)", "utf8", "int64"], names.gt(numbers)),
        case("series::arithmetic::ge", &["(k >= n)", "utf8", "int64"], names.ge(numbers)),
        called("series::datetime::year", "dt.year", &["k.dt().year()", "utf8"], names.dt().year()),
        called("series::datetime::quarter", "dt.quarter", &["utf8"], names.dt().quarter()),
        called("series::datetime::month", "dt.month", &["utf8"], names.dt().month()),
        called("series::datetime::day", "dt.day", &["utf8"], names.dt().day()),
        called("series::datetime::day_of_year", "dt.day_of_year", &["utf8"], names.dt().day_of_year()),
        called("series::datetime::weekday", "dt.weekday", &["utf8"], names.dt().weekday()),
        called("series::datetime::hour", "dt.hour", &["utf8"], names.dt().hour()),
        called("series::datetime::minute", "dt.minute", &["utf8"], names.dt().minute()),
        called("series::datetime::second", "dt.second", &["utf8"], names.dt().second()),
        called("series::string::starts_with", "str.starts_with", &["int64"], numbers.str().starts_with("a")),
        called("series::string::ends_with", "str.ends_with", &["int64"], numbers.str().ends_with("a")),
        called("series::string::contains", "str.contains", &["int64"], numbers.str().contains("a")),
        called("series::string::like", "str.like", &["int64"], numbers.str().like("a")),
        called("series::string::not_like", "str.not_like", &["int64"], numbers.str().not_like("a")),
        called("series::string::slice", "str.slice", &["int64"], numbers.str().slice(0, 2)),
        called(
            "series::string::like_escape",
            "str.like_escape",
            &["pattern \"a!b\" is invalid at character 1", "the escape is not before"],
            names.str().like_escape("a!b", '!'),
        ),
        called(
            "series::categorical::categories",
            "cat.categories",
            &["\"n\"", "int64"],
            numbers.cat().categories(),
        ),
        called("series::categorical::codes", "cat.codes", &["\"n\"", "int64"], numbers.cat().codes()),
        called(
            "series::categorical::is_ordered",
            "cat.is_ordered",
            &["\"n\"", "int64"],
            numbers.cat().is_ordered(),
        ),
        called(
            "series::categorical::as_ordered",
            "cat.as_ordered",
            &["\"n\"", "int64"],
            numbers.cat().as_ordered(),
        ),
        called(
            "series::categorical::as_unordered",
            "cat.as_unordered",
            &["int64"],
            numbers.cat().as_unordered(),
        ),
        called("series::structure::names", "struct_.names", &["\"n\"", "int64"], numbers.struct_().names()),
        called(
            "series::structure::field",
            "struct_.field",
            &["\"n\"", "int64"],
            numbers.struct_().field("x"),
        ),
        called(
            "series::structure::explode",
            "struct_.explode",
            &["\"n\"", "int64"],
            numbers.struct_().explode(),
        ),
    ]
}

/// Statistics, row functions and distinct values.
pub(crate) fn of_many_rows() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    let numbers = &Series::new([Some(1_i64), None]).expect("numbers").rename("n");
    let of_words = numbers.with_index(&Index::from_series(names).expect("labels")).expect("two labels");
    let rows = DataFrame::new([("n", numbers.values())]).expect("a column");
    let tight = &without_memory(&rows).column("n").expect("a column");
    let lists = &lists();
    vec![
        case("series::statistics::var", &["k.var()", "utf8"], names.var()),
        case("series::statistics::std", &["k.std()", "utf8"], names.std()),
        case("series::statistics::var_ddof", &["k.var(ddof=0)", "utf8"], names.var_ddof(0)),
        case("series::statistics::std_ddof", &["k.std(ddof=0)", "utf8"], names.std_ddof(0)),
        case("series::statistics::sem", &["k.sem()", "utf8"], names.sem()),
        case("series::statistics::sem_ddof", &["k.sem(ddof=0)", "utf8"], names.sem_ddof(0)),
        case("series::statistics::product", &["k.product()", "utf8"], names.product()),
        case("series::statistics::sum_min_count", &["k.sum()", "utf8"], names.sum_min_count(1)),
        case("series::statistics::product_min_count", &["k.product()", "utf8"], names.product_min_count(1)),
        case(
            "series::statistics::quantiles",
            &["between 0 and 1"],
            numbers.quantiles([0.5, 1.5], Interpolation::Linear),
        ),
        case("series::statistics::cov_ddof", &["utf8"], names.cov_ddof(numbers, 0)),
        case("series::statistics::skew", &["k.skew()", "utf8"], names.skew()),
        case("series::statistics::kurt", &["k.kurt()", "utf8"], names.kurt()),
        case("series::statistics::kendall", &["int64", "utf8"], of_words.kendall(numbers)),
        case("series::statistics::spearman", &["int64", "utf8"], of_words.spearman(numbers)),
        case("series::statistics::autocorr", &["utf8"], names.autocorr(1)),
        case("series::statistics::median", &["k.quantile(0.5)", "utf8"], names.median()),
        case("series::statistics::any", &["k.any()", "utf8"], names.any()),
        case("series::statistics::all", &["k.all()", "utf8"], names.all()),
        case("series::statistics::nunique", &[], tight.nunique()),
        case("series::statistics::arg_min", &[], tight.arg_min()),
        case("series::statistics::arg_max", &[], tight.arg_max()),
        case("series::statistics::mode", &[], tight.mode()),
        case("series::statistics::first", &[], tight.first()),
        case("series::statistics::last", &[], tight.last()),
        case("series::statistics::quantile", &["between 0 and 1"], numbers.quantile(1.5)),
        case(
            "series::statistics::quantile_with",
            &["k.quantile(0.5, midpoint)", "utf8"],
            names.quantile_with(0.5, Interpolation::Midpoint),
        ),
        case("series::statistics::corr", &["expression k: dtype utf8"], numbers.corr(names)),
        case("series::statistics::corr", &["expression k: dtype utf8"], names.corr(numbers)),
        case("series::statistics::cov", &["utf8"], names.cov(numbers)),
        case("series::rows::cum_sum", &["k.cum_sum()", "utf8"], names.cum_sum()),
        case("series::rows::cum_min", &["l.cum_min()", "list<int32>"], lists.cum_min()),
        case("series::rows::cum_max", &["l.cum_max()", "list<int32>"], lists.cum_max()),
        case("series::rows::cum_count", &[], tight.cum_count()),
        case("series::rows::rank", &[], tight.rank(Rank::default())),
        case("series::rows::shift", &[], tight.shift(1)),
        case("series::rows::shift_or", &["utf8"], names.shift_or(1, 0)),
        case("series::rows::diff", &["utf8"], names.diff(1)),
        case("series::rows::pct_change", &["utf8"], names.pct_change(1)),
        case("series::rows::fill_forward", &[], tight.fill_forward(None)),
        case("series::rows::fill_backward", &[], tight.fill_backward(Some(1))),
        case(
            "series::rolling::ewm_mean",
            &["0.5 is not 1 or more"],
            numbers.ewm_mean(ExponentialWindow::span(0.5)),
        ),
        case("series::rolling::ewm_var", &["utf8"], names.ewm_var(ExponentialWindow::com(1.0))),
        case("series::rolling::ewm_std", &["utf8"], names.ewm_std(ExponentialWindow::com(1.0))),
        case("series::rolling::rolling_sum", &["k.rolling_sum(2)", "utf8"], names.rolling_sum(2)),
        case("series::rolling::rolling_sum", &["at least one row"], numbers.rolling_sum(0)),
        case("series::rolling::rolling_mean", &["k.rolling_mean(2)", "utf8"], names.rolling_mean(2)),
        case("series::rolling::rolling_min", &["l.rolling_min(2)", "list<int32>"], lists.rolling_min(2)),
        case("series::rolling::rolling_max", &["l.rolling_max(2)", "list<int32>"], lists.rolling_max(2)),
        case("series::rolling::rolling_count", &["at least one row"], names.rolling_count(0)),
        case("series::rolling::rolling_var", &["k.rolling_var(2)", "utf8"], names.rolling_var(2)),
        case("series::rolling::rolling_std", &["k.rolling_std(2)", "utf8"], names.rolling_std(2)),
        case("series::rolling::rolling_skew", &["k.rolling_skew(3)", "utf8"], names.rolling_skew(3)),
        case("series::rolling::rolling_kurt", &["k.rolling_kurt(4)", "utf8"], names.rolling_kurt(4)),
        case(
            "series::rolling::rolling_median",
            &["k.rolling_quantile(0.5, 2)", "utf8"],
            names.rolling_median(2),
        ),
        case(
            "series::rolling::rolling_quantile",
            &["between 0 and 1"],
            numbers.rolling_quantile(1.5, Interpolation::Linear, 2),
        ),
        case("series::rolling::rolling_first", &["at least one row"], names.rolling_first(0)),
        case("series::rolling::rolling_last", &[], tight.rolling_last(1)),
        case("series::rolling::rolling_nunique", &["at least one row"], names.rolling_nunique(0)),
        case(
            "series::rolling::rolling_rank",
            &["k.rolling_rank(dense, 2)", "dense ranks of windows"],
            names.rolling_rank(Rank { method: RankMethod::Dense, ..Rank::default() }, 2),
        ),
        case("series::rolling::cum_product", &["k.cum_product()", "utf8"], names.cum_product()),
        case("series::distinct::unique", &[], tight.unique()),
        case("series::distinct::duplicated", &[], tight.duplicated(Keep::First)),
        case("series::distinct::is_in", &["\"n\"", "int64", "utf8"], numbers.is_in(names)),
        case("series::distinct::factorize", &[], tight.factorize()),
        case("series::distinct::value_counts", &[], tight.value_counts()),
    ]
}

/// A series of lists, `l`.
fn lists() -> Series {
    let list = DType::list(DType::Int32);
    let list = Column::full_null(&list, 2, &Exec::host()).expect("nulls");
    Series::new(list).expect("lists").rename("l")
}

/// Strings made of strings, and their lengths.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn of_strings() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    let numbers = &Series::new([Some(1_i64), None]).expect("numbers").rename("n");
    let twice = &Series::new(["a", "b"])
        .expect("strings")
        .with_index(&columnade::Index::new(["x", "x"]).expect("labels"))
        .expect("as many");
    let none = JoinNulls::Propagate;
    vec![
        called("series::cast::cast", "cast", &["\"k\"", "row 0", "\"a\"", "int64"], names.cast(DType::Int64)),
        called(
            "series::cast::try_cast",
            "try_cast",
            &["\"k\"", "list<int8>"],
            names.try_cast(DType::list(DType::Int8)),
        ),
        called(
            "series::string_parts::split_columns",
            "str.split_columns",
            &["\"n\"", "int64"],
            numbers.str().split_columns("-", 2),
        ),
        called(
            "series::string_parts::rsplit_columns",
            "str.rsplit_columns",
            &["n: 65537 columns are more than 65536"],
            names.str().rsplit_columns("-", (1 << 16) + 1),
        ),
        called(
            "series::string_parts::partition",
            "str.partition",
            &["\"n\"", "int64"],
            numbers.str().partition("-"),
        ),
        called(
            "series::string_parts::rpartition",
            "str.rpartition",
            &["separator"],
            names.str().rpartition(""),
        ),
        called("series::string_functions::len", "str.len", &["\"n\"", "int64"], numbers.str().len()),
        called(
            "series::string_functions::byte_count",
            "str.byte_count",
            &["\"n\"", "int64"],
            numbers.str().byte_count(),
        ),
        called("series::string_functions::find", "str.find", &["\"n\"", "int64"], numbers.str().find("a")),
        called("series::string_functions::lower", "str.lower", &["\"n\"", "int64"], numbers.str().lower()),
        called("series::string_functions::upper", "str.upper", &["\"n\"", "int64"], numbers.str().upper()),
        called(
            "series::string_functions::capitalize",
            "str.capitalize",
            &["\"n\"", "int64"],
            numbers.str().capitalize(),
        ),
        called("series::string_functions::title", "str.title", &["\"n\"", "int64"], numbers.str().title()),
        called("series::string_functions::strip", "str.strip", &["\"n\"", "int64"], numbers.str().strip()),
        called("series::string_functions::lstrip", "str.lstrip", &["\"n\"", "int64"], numbers.str().lstrip()),
        called("series::string_functions::rstrip", "str.rstrip", &["\"n\"", "int64"], numbers.str().rstrip()),
        called(
            "series::string_functions::strip_chars",
            "str.strip_chars",
            &["\"n\"", "int64"],
            numbers.str().strip_chars("a", Side::Left),
        ),
        called(
            "series::string_functions::pad",
            "str.pad",
            &["\"n\"", "int64"],
            numbers.str().pad(3, Side::Both, ' '),
        ),
        called("series::string_functions::zfill", "str.zfill", &["\"n\"", "int64"], numbers.str().zfill(3)),
        called(
            "series::string_functions::repeat",
            "str.repeat",
            &["\"n\"", "int64"],
            numbers.str().repeat(3),
        ),
        called(
            "series::string_functions::reverse",
            "str.reverse",
            &["\"n\"", "int64"],
            numbers.str().reverse(),
        ),
        called(
            "series::string_functions::replace",
            "str.replace",
            &["\"n\"", "int64"],
            numbers.str().replace("a", "b"),
        ),
        called(
            "series::string_functions::replace_n",
            "str.replace_n",
            &["\"n\"", "int64"],
            numbers.str().replace_n("a", "b", 1),
        ),
        called(
            "series::string_functions::remove_prefix",
            "str.remove_prefix",
            &["\"n\"", "int64"],
            numbers.str().remove_prefix("a"),
        ),
        called(
            "series::string_functions::remove_suffix",
            "str.remove_suffix",
            &["\"n\"", "int64"],
            numbers.str().remove_suffix("a"),
        ),
        called(
            "series::string_functions::concat",
            "str.concat",
            &["\"n\"", "int64"],
            numbers.str().concat(&[], "", JoinNulls::Ignore),
        ),
        called("series::string_functions::repeat", "str.repeat", &["\"k\""], names.str().repeat(usize::MAX)),
        called(
            "series::string_functions::concat",
            "str.concat",
            &["\"n\"", "int64"],
            names.str().concat(&[names, numbers], "", none),
        ),
        called(
            "series::string_functions::concat",
            "str.concat",
            &["labels", "x"],
            names.str().concat(&[twice], "", none),
        ),
    ]
}
