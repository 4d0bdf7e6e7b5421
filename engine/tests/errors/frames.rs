//! Frames: their construction, selection, aggregation and order.

use std::sync::Arc;

use columnade::builders::categories;
use columnade::expressions::{Interpolation, SearchSide, Ties};
use columnade::{
    Crosstab, DType, DataFrame, Describe, Dummies, GroupKey, Melt, Merge, MergeAsof, Pivot, PivotTable,
    Scalar, Series, Validate, ValueCounts, WideToLong, col, concat, crosstab, default_exec, df, memory,
    merge_sorted, set_default_device, set_default_exec,
};
use columnade_buffers::{HostPool, SpillOptions};

use super::{Case, called, case, frame, without_memory};

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let frame = &frame();
    let tight = &without_memory(frame);
    let numbers = df! { 1998 => [1_i64, 2] }.expect("a number as a label");
    let levels = DataFrame::new([(("tea", "price"), [3]), (("tea", "units"), [5])]).expect("two levels");
    let other = df! { "id" => ["1", "2"], "t" => [1_i64, 2] }.expect("columns of one length");
    let long = Series::new([1_i64, 2, 3]).expect("numbers");
    let gone = "cuda:99".parse().expect("the name of a device");
    vec![
        called(
            "dataframe::construct::new",
            "DataFrame::new",
            &["\"id\""],
            DataFrame::new([("id", [1]), ("id", [2])]),
        ),
        called(
            "dataframe::construct::new",
            "DataFrame::new",
            &["\"more\"", "2", "3"],
            DataFrame::new([("id", vec![1, 2]), ("more", vec![1, 2, 3])]),
        ),
        case("dataframe::construct::to_struct", &["1998"], numbers.to_struct()),
        case("dataframe::construct::to_arrow", &["1998"], numbers.to_arrow()),
        case("dataframe::to_device", &["cuda:99"], frame.to_device(gone)),
        case("series::to_device", &["cuda:99"], long.to_device(gone)),
        case("options::set_default_device", &["cuda:99"], set_default_device(gone)),
        case("dataframe::copy::deep_copy", &["\"k\""], tight.deep_copy()),
        case("frame::deep_copy", &["\"k\""], tight.frame().deep_copy()),
        case("indexed_frame::deep_copy", &["\"k\""], tight.indexed_frame().deep_copy()),
        case("dataframe::select::column", &["\"tax\""], frame.column("tax")),
        case("dataframe::select::row", &["7", "2"], frame.row(7)),
        case("dataframe::select::select", &["\"tax\""], frame.select(["tax", "n"])),
        case("dataframe::select::select", &["\"n\""], frame.select(["n", "n"])),
        case("dataframe::select::select", &["(k + n)", "utf8"], frame.select([col("k") + col("n")])),
        case("dataframe::select::select", &["k.dt().year()", "utf8"], frame.select([col("k").dt().year()])),
        case(
            "dataframe::select::select",
            &["(k == n)", "utf8", "int64"],
            frame.select([col("k").eq(col("n"))]),
        ),
        case(
            "dataframe::select::select",
            &["s.cast(bool)", "struct<k: utf8, n: int64>"],
            frame.select([col("s").cast(columnade::DType::Bool)]),
        ),
        case("dataframe::select::select_by_label", &["\"tax\""], frame.select_by_label("tax")),
        case("dataframe::select::drop", &["\"tax\""], frame.drop(["tax", "n"])),
        case("dataframe::select::slice", &["3"], frame.slice(1, 3)),
        case("dataframe::distinct::unique", &["\"tax\""], frame.unique(["tax", "n"])),
        case("dataframe::distinct::unique", &["subset"], frame.unique(Vec::<&str>::new())),
        case("dataframe::distinct::duplicated", &["subset"], frame.duplicated(Vec::<&str>::new())),
        case("dataframe::distinct::duplicated", &["\"tax\""], frame.duplicated("tax")),
        case("one_value::scalar", &["2 rows", "3 columns"], frame.scalar().map(|_| ())),
        case("dataframe::filter::filter", &["\"tax\""], frame.filter(col("tax").gt(1))),
        case("dataframe::filter::filter", &["(n + 1)", "int64", "boolean"], frame.filter(col("n") + 1)),
        case("dataframe::filter::filter", &["expression n", "int64", "boolean"], frame.filter(col("n"))),
        case(
            "dataframe::filter::filter",
            &["n.str().starts_with", "int64"],
            frame.filter(col("n").str().starts_with("1")),
        ),
        case("dataframe::filter::filter", &["(n == \"x\")", "int64"], frame.filter(col("n").eq("x"))),
        case(
            "dataframe::filter::filter_columns",
            &["\"tax\"", "\"vat\""],
            frame.filter_columns(col("tax").gt(1), ["vat"]),
        ),
        case(
            "dataframe::filter::filter_columns",
            &["\"n\""],
            frame.filter_columns(col("n").gt(1), ["n", "n"]),
        ),
        case("dataframe::assign::with_column", &["\"more\"", "2", "3"], frame.with_column("more", [1, 2, 3])),
        case("dataframe::assign::with_columns", &["\"tax\""], frame.with_columns([col("tax") * 2])),
        case("dataframe::assign::with_columns", &["-k", "utf8"], frame.with_columns([-col("k")])),
        case("dataframe::relabel::rename", &["\"tax\""], frame.rename([("tax", "t")])),
        case("dataframe::relabel::rename", &["\"n\""], frame.rename([("k", "n")])),
        case("dataframe::relabel::swaplevel", &["\"no\""], levels.swaplevel("no", 1)),
        case("dataframe::relabel::droplevel", &["\"tea\""], levels.droplevel(1)),
        case("dataframe::relabel::droplevel", &["7"], levels.droplevel(7)),
        case("dataframe::relabel::rename_levels", &["\"no\""], levels.rename_levels("no", |_| None)),
        case("dataframe::sort::sort_values", &["\"tax\""], frame.sort_values(["tax"])),
        case("dataframe::order::sort_head", &["\"tax\""], frame.sort_head(1, "tax")),
        case("dataframe::order::nlargest", &["\"tax\""], frame.nlargest(1, "tax", Ties::All)),
        case("dataframe::order::nsmallest", &["\"tax\""], frame.nsmallest(1, ["n", "tax"], Ties::First)),
        case("dataframe::order::argsort", &["\"tax\""], frame.argsort("tax")),
        case("dataframe::order::is_sorted", &["\"tax\""], frame.is_sorted("tax")),
        case(
            "dataframe::order::search_sorted",
            &["\"k\""],
            frame.search_sorted("k", &other, SearchSide::Left),
        ),
        case(
            "dataframe::order::search_sorted",
            &["\"n\"", "int64", "utf8"],
            frame.search_sorted(
                "n",
                &other.select(["id"]).and_then(|id| id.rename([("id", "n")])).expect("a column"),
                SearchSide::Right,
            ),
        ),
        case("dataframe::order::merge_sorted", &["frames"], merge_sorted([], "k")),
        case("dataframe::order::merge_sorted", &["\"k\""], merge_sorted([frame, &other], "k")),
        case(
            "dataframe::order::merge_sorted",
            &["\"size\"", "no order in common"],
            merge_sorted([&sizes(["low", "high"]), &sizes(["high", "low"])], "size"),
        ),
        case(
            "dataframe::describe::describe",
            &["percentiles", "1.5"],
            frame.describe(Describe::new().percentiles([1.5])),
        ),
        case("dataframe::statistics::spearman", &["\"column\""], {
            df! { "column" => [1_i64, 2] }.and_then(|numbers| numbers.spearman())
        }),
        case("dataframe::statistics::kendall", &["\"column\""], {
            df! { "column" => [1_i64, 2] }.and_then(|numbers| numbers.kendall())
        }),
        case(
            "dataframe::value_counts::value_counts",
            &["columns"],
            DataFrame::empty().and_then(|none| none.value_counts()),
        ),
        case(
            "dataframe::value_counts::value_counts_with",
            &["bins"],
            frame.value_counts_with(ValueCounts::new().bins(2)),
        ),
        case("dataframe::statistics::quantile", &["k.quantiles([0.5])", "utf8"], frame.quantile([0.5])),
        case(
            "dataframe::statistics::quantile_with",
            &["s.quantiles([0.5])"],
            frame.select("s").expect("a column").quantile_with([0.5], Interpolation::Lower),
        ),
        case("dataframe::statistics::corr", &["k.corr(k)", "utf8"], frame.corr()),
        case("dataframe::statistics::cov", &["k.cov(k)", "utf8"], frame.cov()),
        case("dataframe::statistics::cov_ddof", &["k.cov(k", "utf8"], frame.cov_ddof(0)),
        case("dataframe::statistics::mode", &[], without_memory(frame).mode()),
        case("dataframe::statistics::idxmin", &[], without_memory(frame).idxmin()),
        case("dataframe::statistics::idxmax", &[], without_memory(frame).idxmax()),
        case("dataframe::sort::sort_values", &[], without_memory(frame).sort_values(["n", "s"])),
        case("dataframe::groupby::agg", &["\"tax\""], frame.group_by(["k"]).agg([col("tax").sum()])),
        case("dataframe::groupby::agg", &["k.sum()", "utf8"], frame.agg([col("k").sum()])),
        case("dataframe::groupby::agg", &["s.sum()"], frame.group_by(["n"]).agg([col("s").sum()])),
        case(
            "dataframe::groupby::agg",
            &["(n + 1)", "int64"],
            frame.rows_where(col("n") + 1).agg([col("n").sum()]),
        ),
        case(
            "dataframe::groupby::agg",
            &["s.sum()", "struct<k: utf8, n: int64>"],
            frame.group_by(["s"]).agg([col("s").sum()]),
        ),
        case("dataframe::groupby::agg", &["(n + 1)"], frame.agg([col("n") + 1])),
        case("dataframe::groupby::head", &["\"tax\""], frame.group_by(["tax"]).head(1)),
        case(
            "dataframe::groupby::tail",
            &["\"tax\""],
            frame.group_by(["k"]).rows_where(col("tax").gt(1)).tail(1),
        ),
        case("dataframe::groupby::agg", &["\"n\""], frame.group_by(["n"]).agg([col("n").sum()])),
        case("dataframe::missing::fill_null", &[], without_memory(&nullable()).fill_null(7)),
        case("dataframe::missing::fill_null_strict", &["\"k\"", "utf8"], frame.fill_null_strict(7)),
        case("dataframe::missing::fill_null_each", &["\"k\"", "utf8"], frame.fill_null_each([("k", 7)])),
        case("dataframe::missing::fill_null_each", &["\"tax\""], frame.fill_null_each([("tax", 7)])),
        case("dataframe::missing::drop_nulls", &[], without_memory(&nullable()).drop_nulls(..)),
        case("dataframe::missing::drop_nulls", &["\"tax\""], frame.drop_nulls("tax")),
        case("dataframe::reshape::concat", &["frames"], concat([])),
        case("dataframe::reshape::concat", &["\"n\""], concat([frame, &frame.drop("n").expect("a column")])),
        case(
            "dataframe::reshape::concat",
            &["\"t\"", "int64", "utf8"],
            concat([
                &other.select(["t"]).expect("a column"),
                &other.select(["id"]).and_then(|id| id.rename([("id", "t")])).expect("a column"),
            ]),
        ),
    ]
}

/// Joins of frames.
pub(crate) fn of_shapes() -> Vec<Case> {
    let frame = &frame();
    let tight = &without_memory(frame);
    let keys = || PivotTable::new().index("k").columns("n");
    let n = frame.column("n").expect("a column");
    let three = Series::new([1_i64, 2, 3]).expect("numbers");
    vec![
        case("dataframe::groups::nth", &["\"tax\""], frame.group_by("tax").nth(0)),
        case("dataframe::group_extremes::idxmin", &["\"tax\""], frame.group_by("k").idxmin("tax")),
        case(
            "dataframe::group_extremes::idxmax",
            &["2 levels"],
            frame
                .set_index(["k", "n"])
                .and_then(|levels| levels.group_by_with([GroupKey::level("k")])?.idxmax("s")),
        ),
        case(
            "dataframe::group_extremes::quantiles",
            &["between 0 and 1"],
            frame.group_by("k").quantiles("n", [2.0], Interpolation::Linear),
        ),
        case("dataframe::groups::filter", &["\"tax\""], frame.group_by("k").filter(col("tax").sum().gt(1))),
        case("dataframe::groups::get_group", &["zebra"], frame.group_by("k").get_group("zebra")),
        case("dataframe::groups::groups", &["\"tax\""], frame.group_by("tax").groups()),
        called(
            "dataframe::group_apply::apply",
            "select",
            &["\"tax\""],
            frame.group_by("k").apply(|_: &[Scalar], rows: &DataFrame| rows.select("tax")),
        ),
        case("dataframe::groupby::ngroup", &["\"tax\""], frame.group_by("tax").ngroup()),
        case(
            "dataframe::groupby::ngroup",
            &["(n + k)", "utf8"],
            frame.group_by(col("n") + col("k")).ngroup(),
        ),
        case("dataframe::groupby::cumcount", &["\"tax\""], frame.group_by("tax").cumcount()),
        case("repeats::tile", &[], tight.tile(2)),
        case("repeats::repeat", &[], tight.repeat(2)),
        case(
            "dataframe::transpose::interleave_columns",
            &["\"n\"", "utf8", "int64"],
            frame.interleave_columns(),
        ),
        case("dataframe::transpose::transpose", &["\"n\"", "utf8", "int64"], frame.transpose()),
        case("dataframe::melt::melt", &["\"tax\""], frame.melt(&Melt::new().id_vars(["tax", "n"]))),
        case(
            "dataframe::melt::melt",
            &["\"n\"", "utf8", "int64"],
            frame.melt(&Melt::new().value_vars(["k", "n"])),
        ),
        case(
            "dataframe::melt::melt",
            &["\"k\""],
            frame.melt(&Melt::new().id_vars("k").value_vars("n").value_name("k")),
        ),
        case("dataframe::pivot::pivot", &["\"tax\""], frame.pivot(&Pivot::new().index("tax").columns("n"))),
        case(
            "dataframe::pivot::pivot",
            &["the entry (1)"],
            frame.tile(2).and_then(|twice| twice.pivot(&Pivot::new().index("n").values("k"))),
        ),
        case(
            "dataframe::pivot::pivot",
            &["column \"s\"", "struct<k: utf8, n: int64>"],
            frame.pivot(&Pivot::new().index("n").columns("s").values("k")),
        ),
        case("dataframe::pivot_table::pivot_table", &["values"], frame.pivot_table(&keys())),
        case(
            "dataframe::pivot_table::pivot_table",
            &["k.sum()", "utf8"],
            frame.pivot_table(&keys().values(col("k").sum())),
        ),
        case(
            "dataframe::pivot_table::pivot_table",
            &["column \"most\""],
            frame.pivot_table(&keys().values(col("n").max().alias("most")).fill_value("none")),
        ),
        case("dataframe::crosstab::crosstab", &["\"n\""], crosstab(&n, &three.rename("n"), Crosstab::new())),
        case(
            "dataframe::dummies::get_dummies",
            &["\"tax\""],
            frame.get_dummies(Dummies::new().columns("tax")),
        ),
        case("dataframe::dummies::from_dummies", &["separator", "\"k\""], frame.from_dummies("_", None)),
        case("dataframe::dummies::from_dummies", &["column \"k\"", "utf8"], frame.from_dummies("", None)),
        case(
            "dataframe::wide_to_long::wide_to_long",
            &["stubs", "\"n\""],
            frame.wide_to_long(&WideToLong::new("n", "j")),
        ),
    ]
}

pub(crate) fn of_joins() -> Vec<Case> {
    let frame = &frame();
    let other = df! { "id" => ["1", "2"], "t" => [1_i64, 2] }.expect("columns of one length");
    vec![
        case(
            "dataframe::join::merge",
            &["\"tax\""],
            frame.merge(&other, &Merge::inner().left_on("tax").right_on("t")),
        ),
        case(
            "dataframe::join::merge",
            &["\"n\"", "int64", "\"id\"", "utf8"],
            frame.merge(&other, &Merge::inner().left_on("n").right_on("id")),
        ),
        case(
            "dataframe::join::merge",
            &["\"s\"", "struct<k: utf8, n: int64>"],
            frame.merge(frame, &Merge::inner().left_on("s").right_on("n")),
        ),
        case("dataframe::join::merge", &["keys"], frame.merge(&other, &Merge::inner())),
        case(
            "dataframe::join::merge",
            &["\"n\"", "uint8", "utf8"],
            frame.merge(&other, &Merge::outer().left_on(col("n").cast(DType::UInt8)).right_on("id")),
        ),
        case(
            "dataframe::join::merge",
            &["\"t\"", "right", "1"],
            frame.merge(
                &concat([&other, &other]).expect("frames of one schema"),
                &Merge::inner().left_on("n").right_on("t").validate(Validate::ManyToOne),
            ),
        ),
        case("dataframe::join::merge", &["keys"], frame.merge(&other, &Merge::cross().on("n"))),
        case(
            "dataframe::join::merge",
            &["\"tax\""],
            frame.merge(&other, &Merge::inner().condition(col("tax").lt(col("t")))),
        ),
        case(
            "dataframe::join::merge",
            &["(n + t)", "int64"],
            frame.merge(&other, &Merge::inner().condition(col("n") + col("t"))),
        ),
        case(
            "dataframe::join::merge",
            &["condition", "(n + t).sum()"],
            frame.merge(&other, &Merge::inner().condition((col("n") + col("t")).sum().lt(col("t")))),
        ),
        case(
            "dataframe::join::asof::merge_asof",
            &["\"k\"", "utf8"],
            frame.merge_asof(frame, &MergeAsof::nearest().on("k")),
        ),
        case(
            "dataframe::join::asof::merge_asof",
            &["\"d\"", "row 1"],
            frame.merge_asof(
                &df! { "d" => [2_i64, 1] }.expect("a column"),
                &MergeAsof::nearest().left_on("n").right_on("d"),
            ),
        ),
    ]
}

/// A column of ordered categories.
fn sizes(order: [&'static str; 2]) -> DataFrame {
    let sizes = categories(["low"]).among(order).ordered();
    DataFrame::empty().and_then(|frame| frame.with_column("size", sizes)).expect("a column")
}

/// A column with a null.
fn nullable() -> DataFrame {
    df! { "x" => [Some(1_i64), None] }.expect("a column")
}

/// Of a context whose resource spills nothing.
pub(crate) fn of_memory() -> Vec<Case> {
    let before = default_exec().expect("a context");
    set_default_exec(before.with_resource(Arc::new(HostPool::new())));
    let cases = vec![
        called("memory::manager", "memory::manager", &[], memory::manager()),
        called("memory::options", "memory::options", &[], memory::options()),
        called(
            "memory::set_options",
            "memory::set_options",
            &[],
            memory::set_options(SpillOptions::default()),
        ),
        called("memory::report", "memory::report", &[], memory::report()),
    ];
    set_default_exec(before);
    cases
}
