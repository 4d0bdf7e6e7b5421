//! Functions of every column and of rows by their groups, and frames as text.

use columnade::expressions::{Rank, Ties};
use columnade::{CutOptions, DType, Index, Sample, Series, ValueCounts, col, df};

use super::{Case, case, frame, without_memory};

pub(crate) fn cases() -> Vec<Case> {
    let frame = &frame();
    let tight = &without_memory(&frame.select(["k", "n"]).expect("columns"));
    let floats = df! { "x" => [1.25, 2.5] }.expect("floats");
    let words = &df! { "k" => ["a", "b"], "w" => ["x", "y"] }.expect("words");
    let of_words = &words.group_by("k");
    let none = &frame.group_by("z");
    let twice = Index::new(["a", "a"]).and_then(|twice| Series::new([1, 2])?.with_index(&twice));
    let values = &frame.column("k").expect("words");
    vec![
        case("dataframe::columnwise::fill_forward", &[], tight.fill_forward(None)),
        case("dataframe::columnwise::fill_backward", &[], tight.fill_backward(None)),
        case("dataframe::columnwise::shift", &[], tight.shift(1)),
        case("dataframe::columnwise::shift_or", &["utf8"], words.shift_or(1, 0)),
        case("dataframe::columnwise::interpolate_limit", &["utf8"], words.interpolate_limit(1)),
        case("dataframe::columnwise::fill_nan", &["float64"], floats.fill_nan("x")),
        case("dataframe::columnwise::nan_to_null", &[], without_memory(&floats).nan_to_null()),
        case("dataframe::columnwise::diff", &["utf8"], words.diff(1)),
        case("dataframe::columnwise::pct_change", &["utf8"], words.pct_change(1)),
        case("dataframe::columnwise::rank", &[], tight.rank(Rank::default())),
        case("dataframe::columnwise::clip", &["utf8"], words.clip(0, 1)),
        case("dataframe::cut::cut", &["\"k\"", "utf8"], frame.cut("k", CutOptions::bins(2))),
        case("dataframe::cut::cut", &["\"z\""], frame.cut("z", CutOptions::bins(2))),
        case("dataframe::cut::cut", &["\"n\"", "bins"], frame.cut("n", CutOptions::bins(0))),
        case("dataframe::cut::qcut", &["\"k\"", "utf8"], frame.qcut("k", 2)),
        case("dataframe::columnwise::round", &[], without_memory(&floats).round(1)),
        case("dataframe::columnwise::cast", &["\"k\"", "\"a\""], frame.cast([("k", DType::Int64)])),
        case("dataframe::columnwise::try_cast", &["\"z\""], frame.try_cast([("z", DType::Int64)])),
        case("dataframe::columnwise::add_prefix", &["\"_1\""], {
            let both = df! { 1 => [1], "1" => [2] }.expect("columns");
            both.add_prefix("_")
        }),
        case("dataframe::columnwise::add_suffix", &["\"1_\""], {
            let both = df! { 1 => [1], "1" => [2] }.expect("columns");
            both.add_suffix("_")
        }),
        case("dataframe::info::memory_usage", &[], tight.memory_usage()),
        case("dataframe::info::first_valid_index", &[], tight.first_valid_index()),
        case("dataframe::info::last_valid_index", &[], tight.last_valid_index()),
        case("dataframe::group_rows::transform", &["\"z\""], none.transform(col("n").sum())),
        case("dataframe::group_rows::shift", &["\"z\""], none.shift(1)),
        case("dataframe::group_rows::diff", &["utf8"], of_words.diff(1)),
        case("dataframe::group_rows::pct_change", &["utf8"], of_words.pct_change(1)),
        case("dataframe::group_rows::rank", &["\"z\""], none.rank(Rank::default())),
        case("dataframe::group_rows::fill_forward", &["\"z\""], none.fill_forward(None)),
        case("dataframe::group_rows::fill_backward", &["\"z\""], none.fill_backward(None)),
        case("dataframe::group_summaries::value_counts", &["\"z\""], none.value_counts("n")),
        case(
            "dataframe::group_summaries::value_counts_with",
            &["bins"],
            of_words.value_counts_with("k", ValueCounts::new().bins(2)),
        ),
        case("dataframe::group_summaries::nlargest", &["\"z\""], none.nlargest(1, "n", Ties::All)),
        case("dataframe::group_summaries::nsmallest", &["\"tax\""], of_words.nsmallest(1, "tax", Ties::All)),
        case("dataframe::group_summaries::corr", &["utf8"], of_words.corr(["k"])),
        case("dataframe::group_summaries::cov", &["\"tax\""], of_words.cov(["tax"])),
        case("dataframe::group_summaries::cov_ddof", &["utf8"], of_words.cov_ddof(["k"], 0)),
        case("dataframe::sample::sample", &["a group"], of_words.sample(Sample::n(1000))),
        case(
            "dataframe::sample::sample",
            &["several times", "not implemented"],
            of_words.sample(Sample::n(1).replace(true)),
        ),
        case("series::map::map", &["more than once"], values.map(&twice.expect("rows"))),
    ]
}
