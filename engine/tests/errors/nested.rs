//! Lists, structs and dictionaries.

use columnade::builders::categories;
use columnade::{DataFrame, Series, df, union_categoricals};

use super::{Case, called, case, frame, without_memory};

pub(crate) fn cases() -> Vec<Case> {
    let numbers = &Series::new([Some(1_i64), None]).expect("numbers").rename("n");
    let tags = Series::new([Some(vec![1_i64, 2]), Some(vec![])]).expect("lists").rename("l");
    let words = Series::new([vec!["a"], vec![]]).expect("lists").rename("w");
    let of_numbers = numbers.list();
    let mut all = vec![
        called("series::list::len", "list.len", &["n.list().len()", "int64"], of_numbers.len()),
        called("series::list::first", "list.first", &["n.list().get(0)", "int64"], of_numbers.first()),
        called("series::list::last", "list.last", &["n.list().get(-1)", "int64"], of_numbers.last()),
        called("series::list::sum", "list.sum", &["w.list().sum()", "utf8"], words.list().sum()),
        called("series::list::min", "list.min", &["n.list().min()", "int64"], of_numbers.min()),
        called("series::list::max", "list.max", &["n.list().max()", "int64"], of_numbers.max()),
        called("series::list::mean", "list.mean", &["w.list().mean()", "utf8"], words.list().mean()),
        called("series::list::median", "list.median", &["w.list().median()"], words.list().median()),
        called("series::list::nunique", "list.nunique", &["n.list().nunique()"], of_numbers.nunique()),
        called("series::list::any", "list.any", &["w.list().any()", "utf8"], words.list().any()),
        called("series::list::all", "list.all", &["w.list().all()", "utf8"], words.list().all()),
        called("series::list::sort", "list.sort", &["n.list().sort(", "int64"], of_numbers.sort()),
        called("series::list::unique", "list.unique", &["n.list().unique()"], of_numbers.unique()),
        called("series::list::reverse", "list.reverse", &["n.list().reverse()"], of_numbers.reverse()),
        called("series::list::get", "list.get", &["n.list().get(3)", "int64"], of_numbers.get(3)),
        called(
            "series::list::get_checked",
            "list.get_checked",
            &["l.list().get_checked(1)"],
            tags.list().get_checked(1),
        ),
        called("series::list::contains", "list.contains", &["int64"], of_numbers.contains(1)),
        called("series::list::get_at", "list.get_at", &["int64"], of_numbers.get_at(numbers)),
        called(
            "series::list::get_at_checked",
            "list.get_at_checked",
            &["position -1 is out of bounds for 0"],
            tags.list().get_at_checked(&tags.list().len().expect("lengths").sub(1).expect("positions")),
        ),
        called("series::list::get_or", "list.get_or", &["int64"], of_numbers.get_or(3, 1)),
        called("series::list::get_at_or", "list.get_at_or", &["int64"], of_numbers.get_at_or(numbers, 1)),
        called("series::list::take", "list.take", &["l.list().take(w)", "utf8"], tags.list().take(&words)),
        called(
            "series::list::take_checked",
            "list.take_checked",
            &["take_checked", "position 2 is out of bounds for 2"],
            tags.list().take_checked(&tags),
        ),
        called(
            "series::list::take_each",
            "list.take_each",
            &["take_each([1])", "int64"],
            of_numbers.take_each([1]),
        ),
        called(
            "series::list::take_each_checked",
            "list.take_each_checked",
            &["l.list().take_each_checked([1])", "position 1 is out of bounds for 0"],
            tags.list().take_each_checked([1]),
        ),
        called("series::list::index", "list.index", &["int64"], of_numbers.index(1)),
        called("series::list::index_of", "list.index_of", &["int64"], of_numbers.index_of(numbers)),
        called("series::list::leaves", "list.leaves", &["\"n\"", "int64"], of_numbers.leaves()),
        called(
            "series::list::contains_value",
            "list.contains_value",
            &["int64"],
            of_numbers.contains_value(numbers),
        ),
        called("series::list::sort_with", "list.sort_with", &["int64"], of_numbers.sort_with(true, true)),
        called("series::list::slice", "list.slice", &["n.list().slice(1, 2)"], of_numbers.slice(1, 2)),
        called("series::list::head", "list.head", &["n.list().slice(0, 2)"], of_numbers.head(2)),
        called("series::list::tail", "list.tail", &["n.list().slice(-2, ..)"], of_numbers.tail(2)),
        called("series::list::join", "list.join", &["l.list().join(\",\")"], tags.list().join(",")),
        called(
            "series::list::concat",
            "list.concat",
            &["l.list().concat(w)", "int64", "utf8"],
            tags.list().concat(&words),
        ),
        called("series::list::explode", "explode", &["\"n\"", "int64"], numbers.explode()),
        called(
            "series::structure::rename_fields",
            "struct_.rename_fields",
            &["n.struct_().rename_fields(", "int64"],
            numbers.struct_().rename_fields(["a"]),
        ),
    ];
    all.extend(of_frames());
    all.extend(of_dictionaries());
    all
}

fn of_frames() -> Vec<Case> {
    let frame = &frame();
    let lists = df! { "a" => [vec![1, 2]], "b" => [vec![1]] }.expect("lists");
    let twice = frame.unnest("s").err();
    vec![
        case("dataframe::explode::explode", &["\"k\"", "utf8"], frame.explode("k")),
        case("dataframe::explode::explode", &["\"tax\""], frame.explode(["tax"])),
        case("dataframe::explode::explode", &["row 0", "\"a\"", "\"b\""], lists.explode(["a", "b"])),
        case("dataframe::explode::unnest", &["\"k\"", "utf8"], frame.unnest("k")),
        case("dataframe::explode::unnest", &["\"k\""], twice.map_or(Ok(frame.clone()), Err)),
    ]
}

fn of_dictionaries() -> Vec<Case> {
    let sizes = Series::new(categories(["low", "high"])).expect("a dictionary").rename("c");
    let lists = Series::new([vec![1_i64]]).expect("lists").rename("l");
    let plain = Series::new(["low"]).expect("strings").rename("k");
    let rows = DataFrame::new([("c", sizes.values())]).expect("a column");
    let tight = without_memory(&rows).column("c").expect("a column");
    let (sizes, tight) = (sizes.cat(), tight.cat());
    vec![
        called(
            "series::categorical::encode",
            "cat.encode",
            &["l.cat().encode()", "list<int64>"],
            lists.cat().encode(),
        ),
        called(
            "series::categorical::decode",
            "cat.decode",
            &["k.cat().decode()", "utf8"],
            plain.cat().decode(),
        ),
        called(
            "series::categorical::add_categories",
            "cat.add_categories",
            &["\"c\"", "low is there already"],
            sizes.add_categories(["low"]),
        ),
        called(
            "series::categorical::remove_categories",
            "cat.remove_categories",
            &["\"c\"", "\"huge\" is no category"],
            sizes.remove_categories(["huge"]),
        ),
        called(
            "series::categorical::remove_unused_categories",
            "cat.remove_unused_categories",
            &[],
            tight.remove_unused_categories(),
        ),
        called(
            "series::categorical::rename_categories",
            "cat.rename_categories",
            &["\"c\"", "2", "1"],
            sizes.rename_categories(["x"]),
        ),
        called(
            "series::categorical::reorder_categories",
            "cat.reorder_categories",
            &["\"c\"", "low is missing"],
            sizes.reorder_categories(["high"]),
        ),
        called(
            "series::categorical::set_categories",
            "cat.set_categories",
            &["\"c\"", "utf8", "int64"],
            sizes.set_categories([1_i64]),
        ),
        case(
            "series::categorical::union_categoricals",
            &["\"k\"", "utf8"],
            union_categoricals([&plain], false),
        ),
        case("series::categorical::union_categoricals", &["series"], union_categoricals([], true)),
    ]
}
