//! Alignment by label.

use columnade::expressions::Keep;
use columnade::{Concat, Index, Join, LabelJoin, Reindex, Sample, Series, SetOrder, concat_with, df};

use super::{Case, case, without_memory};

/// The cases of functions of one module with the same operands, whose errors name the same.
macro_rules! each {
    ($module:literal, $names:expr, $left:ident, $arguments:tt: $($function:ident)*) => {
        [$(case(concat!($module, "::", stringify!($function)), $names, $left.$function $arguments)),*]
    };
}

pub(crate) fn cases() -> Vec<Case> {
    let levels = &Index::from_arrays([("k", vec![1, 2]), ("k", vec![3, 4])]).expect("levels");
    let keys = df! { "k" => ["a", "a"] }.expect("a column");
    let words = &Index::new(["b", "a", "b"]).expect("strings");
    let by_words = &df! { "v" => [1, 2, 3] }.and_then(|frame| frame.with_index(words)).expect("a label each");
    let of_words = &by_words.column("v").expect("a column");
    let by_levels = &df! { "v" => [1, 2] }.and_then(|frame| frame.with_index(levels)).expect("a label each");
    let by_five =
        &Series::new([5, 6]).and_then(|five| five.with_index(&Index::new([5, 6])?)).expect("labels");
    let small = df! { "n" => [1_i8] }.expect("a number");
    let large = df! { "n" => [700_i64] }.expect("a number");
    let mut cases = vec![
        case("alignment::series::align", &["int32", "utf8"], by_five.align(of_words, LabelJoin::Outer)),
        case(
            "alignment::frame::align",
            &[r#"["k", "k"]"#, "[null]"],
            by_words.align(by_levels, LabelJoin::Left),
        ),
        case(
            "alignment::frame::align_rows",
            &[r#"["k", "k"]"#, "[null]"],
            by_words.align_rows(by_levels, LabelJoin::Left),
        ),
        case("alignment::reindex::reindex", &["b"], of_words.reindex(["b", "z"])),
        case(
            "alignment::reindex::reindex_with",
            &["limit"],
            of_words.reindex_with(["b"], Reindex::new().limit(1)),
        ),
        case(
            "alignment::reindex::reindex_with",
            &["tolerance"],
            of_words.reindex_with(["b"], Reindex::new().tolerance(1)),
        ),
        case(
            "alignment::reindex::reindex_like",
            &["b"],
            by_words.reindex_like(&by_words.head(2).expect("rows")),
        ),
        case("alignment::reindex::reindex_columns", &["\"v\""], by_words.reindex_columns(["v", "v"])),
        case("alignment::combine::combine_first", &["b"], of_words.combine_first(by_five)),
        case(
            "alignment::combine::combine_first",
            &["b"],
            by_words.combine_first(&by_words.head(2).expect("rows")),
        ),
        case("alignment::combine::update", &["b"], by_five.update(of_words)),
        case("alignment::combine::update", &["\"n\"", "int8"], small.update(&large)),
        case("alignment::combine::where_", &["\"v\"", "int32"], of_words.where_(of_words, 1)),
        case("alignment::combine::mask", &["\"v\"", "int32"], by_words.mask(by_words, 1)),
        case(
            "alignment::concat::concat_with",
            &["keys", "1", "2"],
            concat_with([&small, &large], &Concat::rows().keys("a")),
        ),
        case("alignment::concat::concat_with", &["\"n\""], concat_with([&small, &large], &Concat::columns())),
        case("dataframe::assign::with_column", &["b"], small.with_column("m", of_words)),
        case("dataframe::assign::insert", &["\"n\""], small.insert(0, "n", [1])),
        case("dataframe::assign::pop", &["\"tax\"", "\"n\""], small.pop("tax")),
        case("dataframe::assign::reorder", &["\"tax\"", "\"n\""], small.reorder("tax")),
        case(
            "alignment::arithmetic::add",
            &["a"],
            by_words.add(
                &Series::new([1, 2])
                    .and_then(|twice| twice.with_index(&Index::new(["a", "a"])?))
                    .expect("labels"),
            ),
        ),
    ];
    let words = &["\"k\"", "utf8"];
    cases.extend(each!("alignment::arithmetic", words, keys, (&keys): sub mul div floor_div rem pow and or));
    let levels = &[r#"["k", "k"]"#, "[null]"];
    cases.extend(each!(
        "alignment::arithmetic", levels, by_words, (by_levels, 1):
        add_with sub_with mul_with div_with floor_div_with rem_with pow_with
    ));
    cases.extend(each!("alignment::arithmetic", levels, by_words, (by_levels): eq ne lt le gt ge));
    cases
}

/// Labels as sets, and rows by labels.
pub(crate) fn of_sets() -> Vec<Case> {
    let levels = &Index::from_arrays([("k", vec![1, 2]), ("j", vec![3, 4])]).expect("levels");
    let words = &Index::new(["b", "a", "b"]).expect("strings");
    let numbers = &Index::new([5, 6]).expect("numbers");
    let frame = &df! { "v" => [1, 2, 3] }.and_then(|frame| frame.with_index(words)).expect("a label each");
    let series = &frame.column("v").expect("a column");
    let tight = &without_memory(&super::frame());
    let tight_index = &Index::from_frame(&tight.select("n").expect("a column")).expect("shares memory");
    let appearance = SetOrder::Appearance;
    let mut cases = vec![
        case("index::set_ops::unique", &[], tight_index.unique()),
        case("index::set_ops::duplicated", &[], tight_index.duplicated(Keep::First)),
        case("index::set_ops::insert", &["7", "3"], words.insert(7, "c")),
        case("index::set_ops::insert", &["label", "1", "2"], levels.insert(0, 1)),
        case("index::set_ops::delete", &["7", "3"], words.delete([7])),
        case("index::set_ops::drop", &["z"], words.drop(["b", "z"])),
        case("index::set_ops::join", &["int32", "utf8"], words.join(numbers, LabelJoin::Inner)),
        case("index::set_ops::drop_rows", &["z"], frame.drop_rows(["z"])),
        case("index::set_ops::xs", &["\"year\""], series.xs("b", "year")),
        case("dataframe::sample::sample", &["7", "3"], frame.sample(7)),
        case("dataframe::sample::sample", &["frac", "-1"], series.sample(Sample::frac(-1.0))),
        case("dataframe::sample::sample", &["\"w\"", "utf8"], {
            let weights =
                Series::new(["x", "y", "z"]).and_then(|weights| weights.rename("w").with_index(words));
            frame.sample(Sample::n(1).weights(&weights.expect("a label each")))
        }),
        case("alignment::join::join", &["\"v\""], frame.join(frame, LabelJoin::Left)),
        case("alignment::join::join", &["\"row labels\"", "int32", "utf8"], {
            let others = df! { "other" => [1] }.and_then(|other| other.with_index(&Index::new([1])?));
            frame.join(&others.expect("a label"), LabelJoin::Left)
        }),
        case(
            "alignment::join::join",
            &["\"tax\"", "\"v\""],
            frame.join(frame, Join::new(LabelJoin::Left).on("tax")),
        ),
    ];
    let dtypes = &["int32", "utf8"];
    cases.extend(each!(
        "index::set_ops", dtypes, words, (numbers): union intersection difference symmetric_difference
    ));
    cases.extend(each!(
        "index::set_ops", &["2", "1"], words, (levels, appearance):
        union_with intersection_with difference_with symmetric_difference_with
    ));
    cases
}
