//! Alignment by label.

use columnade::{Concat, Index, LabelJoin, Reindex, Series, concat_with, df};

use super::{Case, case};

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
    vec![
        case("alignment::series::align", &["int32", "utf8"], by_five.align(of_words, LabelJoin::Outer)),
        case("alignment::frame::align", &["2", "1"], by_words.align(by_levels, LabelJoin::Left)),
        case("alignment::frame::align_rows", &["2", "1"], by_words.align_rows(by_levels, LabelJoin::Left)),
        case("alignment::reindex::reindex", &["b"], of_words.reindex(["b", "z"])),
        case(
            "alignment::reindex::reindex_with",
            &["limit"],
            of_words.reindex_with(["b"], Reindex::new().limit(1)),
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
        case("alignment::arithmetic::add", &["\"k\"", "utf8"], keys.add(&keys)),
        case(
            "alignment::arithmetic::add",
            &["a"],
            by_words.add(
                &Series::new([1, 2])
                    .and_then(|twice| twice.with_index(&Index::new(["a", "a"])?))
                    .expect("labels"),
            ),
        ),
        case("alignment::arithmetic::sub", &["\"k\"", "utf8"], keys.sub(&keys)),
        case("alignment::arithmetic::mul", &["\"k\"", "utf8"], keys.mul(&keys)),
        case("alignment::arithmetic::div", &["\"k\"", "utf8"], keys.div(&keys)),
        case("alignment::arithmetic::floor_div", &["\"k\"", "utf8"], keys.floor_div(&keys)),
        case("alignment::arithmetic::rem", &["\"k\"", "utf8"], keys.rem(&keys)),
        case("alignment::arithmetic::pow", &["\"k\"", "utf8"], keys.pow(&keys)),
        case("alignment::arithmetic::eq", &["2", "1"], by_words.eq(by_levels)),
        case("alignment::arithmetic::ne", &["2", "1"], by_words.ne(by_levels)),
        case("alignment::arithmetic::lt", &["2", "1"], by_words.lt(by_levels)),
        case("alignment::arithmetic::le", &["2", "1"], by_words.le(by_levels)),
        case("alignment::arithmetic::gt", &["2", "1"], by_words.gt(by_levels)),
        case("alignment::arithmetic::ge", &["2", "1"], by_words.ge(by_levels)),
        case("alignment::arithmetic::and", &["\"k\"", "utf8"], keys.and(&keys)),
        case("alignment::arithmetic::or", &["\"k\"", "utf8"], keys.or(&keys)),
    ]
}
