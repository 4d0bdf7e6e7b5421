//! Row labels of frames and series.

use columnade::{DataFrame, GroupKey, Index, Series, SetIndex, SortOrder, Unstack, df};

use super::{Case, case, frame, without_memory};

pub(crate) fn cases() -> Vec<Case> {
    let frame = &frame();
    let tight = &without_memory(frame);
    let by_n = &tight.set_index("n").expect("shares memory");
    let series_by_n = &by_n.column("k").expect("a column");
    let three = &Index::of_rows(3);
    let kept = &frame.set_index_with("k", SetIndex::new().drop(false)).expect("a column");
    let names = &kept.column("k").expect("a column");
    let twice = df! { "k" => ["a", "a"] }.expect("a column");
    let unique = SetIndex::new().verify_integrity(true);
    let descending = SortOrder::descending;
    let words = &Index::new(["b", "a", "b"]).expect("strings");
    let by_words = &df! { "v" => [1, 2, 3] }.and_then(|frame| frame.with_index(words)).expect("a label each");
    let of_words = &by_words.column("v").expect("a column");
    vec![
        case("dataframe::group_keys::group_by_with", &["\"z\""], frame.group_by_with([GroupKey::level("z")])),
        case(
            "dataframe::group_keys::group_by_with",
            &["more than once"],
            frame.group_by_with([GroupKey::values(of_words)]),
        ),
        case("dataframe::stack::stack", &["\"n\"", "utf8", "int64"], frame.stack()),
        case("dataframe::stack::stack_levels", &["levels", "stack"], frame.stack_levels([0])),
        case("dataframe::stack::unstack", &["levels", "1 of 1"], frame.unstack()),
        case("dataframe::stack::unstack", &["levels", "1 of 1"], names.unstack()),
        case("dataframe::stack::unstack_with", &["\"z\""], frame.unstack_with(&Unstack::new().levels(["z"]))),
        case("dataframe::stack::unstack_with", &["3", "1"], names.unstack_with(&Unstack::new().levels([3]))),
        case("locate::loc", &["z", "y"], by_words.loc(["a", "z", "y"])),
        case("locate::loc", &["z"], of_words.loc("z")),
        case("locate::loc_at", &["\"w\""], by_words.loc_at("a", "w")),
        case("locate::iloc", &["7", "3"], by_words.iloc(7)),
        case("locate::at", &["b"], by_words.at("b", "v")),
        case("locate::iat", &["5", "1"], by_words.iat(0, 5)),
        case("locate::assign::set_loc", &["z"], by_words.set_loc("z", "v", 1)),
        case("locate::assign::set_loc", &["z"], names.set_loc("z", 1)),
        case("locate::assign::set_iloc", &["int32", "utf8"], by_words.set_iloc(0, "v", ["x"])),
        case("dataframe::index::set_index", &["\"tax\""], frame.set_index(["tax", "n"])),
        case("dataframe::index::set_index", &["levels"], frame.set_index(Vec::<&str>::new())),
        case("dataframe::index::set_index_with", &["a"], twice.set_index_with("k", unique)),
        case("dataframe::index::with_index", &["2", "3"], frame.with_index(three)),
        case("dataframe::index::reset_index", &["\"k\""], kept.reset_index()),
        case("dataframe::index::reset_levels", &["\"year\"", "\"k\""], kept.reset_levels("year")),
        case("dataframe::index::rename_axis", &["names", "2"], frame.rename_axis(["a", "b"])),
        case("dataframe::index::sort_index", &[], by_n.sort_index(descending())),
        case("dataframe::index::sort_levels", &["\"year\"", "\"k\""], kept.sort_levels("year", ..)),
        case("dataframe::index::take", &["7"], frame.take([7])),
        case("series::index::with_index", &["2", "3"], names.with_index(three)),
        case("series::index::reset_index", &["\"k\""], names.reset_index()),
        case("dataframe::index::drop_row_level", &["\"year\""], frame.drop_row_level("year")),
        case("dataframe::index::swap_row_levels", &["\"year\""], frame.swap_row_levels("year", 0)),
        case("dataframe::index::reorder_row_levels", &["order"], frame.reorder_row_levels([0, 0])),
        case("series::index::droplevel", &["\"year\""], names.droplevel("year")),
        case("series::index::swaplevel", &["\"year\""], names.swaplevel("year", 0)),
        case("series::index::reorder_levels", &["order"], names.reorder_levels([0, 0])),
        case("series::index::rename_axis", &["names", "2"], names.rename_axis(["a", "b"])),
        case("series::index::sort_index", &[], series_by_n.sort_index(descending())),
        case("series::index::sort_levels", &["\"year\"", "\"k\""], names.sort_levels("year", ..)),
        case("series::index::take", &["7"], names.take([7])),
        case("dataframe::equals::equals", &[], by_n.equals(&by_n_of_other_width())),
        case(
            "series::equals",
            &[],
            series_by_n.equals(&by_n_of_other_width().column("k").expect("a column")),
        ),
        case("series::difference::difference", &[], {
            series_by_n.difference(&by_n_of_other_width().column("k").expect("a column"))
        }),
    ]
}

/// The labels of `by_n` in another dtype, so that a comparison casts.
fn by_n_of_other_width() -> DataFrame {
    let labels = Index::from_series(&Series::new([1_i32, 2]).expect("numbers")).expect("labels");
    let frame = frame().drop("n").expect("a column");
    frame.with_index(&labels).expect("two labels")
}
