//! Rows by labels and positions: results of pandas 3.1.1.

use columnade_columns::{Label, Scalar};
use columnade_ops::expression::{Literal, col};

use super::{Every, PositionRows};
use crate::dataframe::DataFrame;
use crate::error::Error;
use crate::index::Index;
use crate::series::Series;
use crate::testing::on_every_device;

fn series(labels: &[&str]) -> Series {
    let rows = i64::try_from(labels.len()).expect("few");
    let index = Index::new(labels).expect("strings");
    Series::new((1..=rows).collect::<Vec<_>>())
        .and_then(|values| values.with_index(&index))
        .expect("a label each")
}

fn numbers(series: &Series) -> Vec<i64> {
    series.to_vec().expect("integers")
}

fn column(frame: &DataFrame) -> Vec<i64> {
    numbers(&frame.column("v").expect("a column"))
}

fn text(index: &Index) -> Vec<String> {
    index.to_scalars().expect("labels").swap_remove(0).iter().map(ToString::to_string).collect()
}

#[test]
fn loc_of_list_takes_each_label_in_order() {
    on_every_device(|_| {
        let found = series(&["a", "b", "a"]).loc(["b", "a"]).expect("rows");
        assert_eq!(
            (numbers(&found), text(found.index())),
            (vec![2, 1, 3], vec!["b".into(), "a".into(), "a".into()])
        );
        assert!(series(&["a"]).loc(Vec::<&str>::new()).expect("no rows").is_empty());
        let error = series(&["a", "b"]).loc(["a", "z", "y"]).expect_err("two are not there");
        let missing = [[Scalar::from("z")], [Scalar::from("y")]];
        assert!(matches!(&error, Error::MissingLabels { missing: found, .. } if *found == missing));
        assert_eq!(error.kind(), columnade_columns::ErrorKind::Key);
        let labels = Index::new(["b", "b"]).expect("strings");
        assert_eq!(numbers(&series(&["a", "b"]).loc(&labels).expect("rows")), [2, 2]);
    });
}

#[test]
fn loc_of_slice_has_both_ends() {
    on_every_device(|_| {
        let range = Series::new([1_i64, 2, 3, 4]).expect("numbers");
        assert_eq!(numbers(&range.loc(1..=2).expect("rows")), [2, 3]);
        assert!(matches!(range.loc(1..=2).expect("rows").index(), Index::Range(_)));
        let words = series(&["a", "c", "d"]);
        assert_eq!(numbers(&words.loc("b"..="c").expect("rows")), [2]);
        assert_eq!(numbers(&words.loc(..="c").expect("rows")), [1, 2]);
        assert_eq!(numbers(&words.loc("c"..).expect("rows")), [2, 3]);
        assert_eq!(numbers(&words.loc(..).expect("rows")), [1, 2, 3]);
        assert!(matches!(series(&["a", "b", "a"]).loc("a"..="b"), Err(Error::UnsortedIndex { .. })));
    });
}

#[test]
fn loc_of_mask_aligns_by_label() {
    on_every_device(|_| {
        let mask = |values: &[Option<bool>], labels: &[&str]| {
            let index = Index::new(labels).expect("strings");
            Series::new(values).and_then(|mask| mask.with_index(&index)).expect("a label each")
        };
        let values = series(&["a", "b", "c"]);
        let reversed = mask(&[Some(true), Some(false), Some(false)], &["c", "b", "a"]);
        assert_eq!(numbers(&values.loc(&reversed).expect("rows")), [3]);
        let with_null = mask(&[Some(true), None, Some(true)], &["a", "b", "c"]);
        assert_eq!(numbers(&values.loc(&with_null).expect("rows")), [1, 3]);
        let short = mask(&[Some(true), Some(false)], &["a", "b"]);
        let error = values.loc(&short).expect_err("no value for c");
        assert!(matches!(&error, Error::MissingLabels { missing, .. } if *missing == [[Scalar::from("c")]]));
        let twice = mask(&[Some(true), Some(false)], &["a", "a"]);
        assert!(matches!(values.loc(&twice), Err(Error::DuplicateLabels { .. })));
        assert!(values.loc(&values).is_err(), "numbers are no mask");
    });
}

fn levels() -> DataFrame {
    DataFrame::new([("n", [1_i64, 2, 1, 3, 2]), ("v", [0, 1, 2, 3, 4])])
        .and_then(|frame| frame.with_column("k", ["a", "a", "b", "b", "c"])?.set_index(["k", "n"]))
        .expect("two levels")
}

#[test]
fn loc_of_first_levels_drops_them() {
    on_every_device(|_| {
        let frame = levels();
        let found = frame.loc("a").expect("rows");
        assert_eq!((column(&found), text(found.index())), (vec![0, 1], vec!["1".into(), "2".into()]));
        assert_eq!(found.index().names(), ["n"]);
        let whole = frame.loc(("b", 3)).expect("a row");
        assert_eq!((column(&whole), whole.index().level_count()), (vec![3], 2));
        assert_eq!(column(&frame.loc("a"..="b").expect("rows")), [0, 1, 2, 3]);
        assert_eq!(column(&frame.loc(("a", 2)..=("b", 1)).expect("rows")), [1, 2]);
        assert_eq!(column(&frame.loc([("c", 2), ("a", 1)]).expect("rows")), [4, 0]);
        let firsts = frame.loc(["c", "a"]).expect("rows");
        assert_eq!((column(&firsts), firsts.index().level_count()), (vec![4, 0, 1], 2));
        let unsorted = frame.take([2, 0, 4, 1, 3]).expect("rows");
        assert_eq!(column(&unsorted.loc("a").expect("rows")), [0, 1]);
        assert!(matches!(unsorted.loc("a"..="b"), Err(Error::UnsortedIndex { .. })));
        assert!(matches!(frame.loc("z"), Err(Error::MissingLabels { .. })));
        assert!(frame.loc(("a", 9)).expect_err("no row").to_string().contains("(a, 9)"));
    });
}

#[test]
fn loc_at_selects_rows_and_columns() {
    on_every_device(|_| {
        let frame = levels().with_column("w", col("v") * 2).expect("a column");
        let found = frame.loc_at("b", ["w", "v"]).expect("rows");
        assert_eq!(found.columns(), ["w", "v"].map(Label::from));
        assert_eq!(column(&found), [2, 3]);
        assert_eq!(column(&frame.loc(col("w").gt(4)).expect("rows")), [3, 4]);
        assert_eq!(column(&frame.loc_at(col("w").gt(4), "v").expect("rows")), [3, 4]);
        assert!(matches!(frame.loc_at("b", "x"), Err(Error::MissingColumns { .. })));
    });
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "positions count from the end, and steps go backwards")]
fn iloc_takes_rows_as_pandas() {
    on_every_device(|_| {
        let frame = DataFrame::new([("v", [1_i64, 2, 3, 4, 5, 6])]).expect("numbers");
        let of = |rows: PositionRows| column(&frame.iloc(rows).expect("rows"));
        assert_eq!(of((..).every(-1)), [6, 5, 4, 3, 2, 1]);
        assert_eq!(of((4..1).every(-2)), [5, 3]);
        assert_eq!(of((1..100).every(2)), [2, 4, 6]);
        assert_eq!(of((-3..).into()), [4, 5, 6]);
        assert_eq!(of((..-2).into()), [1, 2, 3, 4]);
        assert!(of((5..2).into()).is_empty());
        assert_eq!(of((-100..-4).into()), [1, 2]);
        assert_eq!(of((-1..-10).every(-3)), [6, 3]);
        assert_eq!(of((2..3).every(7)), [3]);
        assert_eq!(of((-1..-100).every(-1)), [6, 5, 4, 3, 2, 1]);
        assert_eq!(of((2..=-1).into()), [3, 4, 5, 6]);
        assert_eq!(of([0, -1, 0].into()), [1, 6, 1]);
        assert_eq!(of(2_usize.into()), [3]);
        let mask = Series::new([true, false, false, false, true, false]).expect("booleans");
        assert_eq!(of((&mask).into()), [1, 5]);
        let reversed = frame.iloc((..).every(-1)).expect("rows");
        assert_eq!(text(reversed.index()), ["5", "4", "3", "2", "1", "0"]);
        assert!(frame.iloc(6).expect_err("beyond the end").to_string().contains('6'));
        assert!(frame.iloc((..).every(0)).is_err());
        let short = Series::new([true]).expect("a boolean");
        assert!(frame.iloc(&short).is_err());
        let none = frame.iloc(..0).expect("no rows");
        assert_eq!(none.iloc((..).every(-1)).expect("no rows").len(), 0);
    });
}

#[test]
fn at_and_iat_return_one_value() {
    on_every_device(|_| {
        let frame = levels();
        assert_eq!(frame.at(("b", 1), "v").expect("a value"), Scalar::Int64(2));
        assert_eq!(frame.iat(-1, 0).expect("a value"), Scalar::Int64(4));
        assert!(frame.iat(5, 0).is_err() && frame.iat(0, 1).is_err());
        assert!(matches!(series(&["a", "a"]).at("a"), Err(Error::DuplicateLabels { .. })));
        assert_eq!(series(&["a", "b"]).at("b").expect("a value"), Scalar::Int64(2));
    });
}

fn frame(labels: &[&str]) -> DataFrame {
    series(labels).rename("v").to_frame()
}

#[test]
fn set_loc_gives_rows_values_as_pandas() {
    on_every_device(|_| {
        let values = frame(&["a", "b", "c"]);
        let large = || values.column("v").and_then(|v| v.gt(1)).expect("a mask");
        let index = Index::new(["c", "b", "a"]).expect("strings");
        let other =
            Series::new([10_i64, 20, 30]).and_then(|values| values.with_index(&index)).expect("labels");
        assert_eq!(column(&values.set_loc(&large(), "v", &other).expect("set")), [1, 20, 10]);
        assert_eq!(column(&values.set_loc(&large(), "v", [7_i64, 8]).expect("set")), [1, 7, 8]);
        assert_eq!(column(&values.set_loc(["c", "a"], "v", [7_i64, 8]).expect("set")), [8, 2, 7]);
        assert_eq!(column(&values.set_iloc([0, 0], "v", [7_i64, 8]).expect("set")), [8, 2, 3]);
        assert_eq!(column(&values.set_loc("b"..="c", "v", 0).expect("set")), [1, 0, 0]);
        assert_eq!(column(&values.set_loc(col("v").eq(2), "v", 9).expect("set")), [1, 9, 3]);
        assert_eq!(column(&values.set_iloc(-1, "v", 9).expect("set")), [1, 2, 9]);
        assert_eq!(column(&values), [1, 2, 3], "the frame is as it was");
        let partly = other.loc(["c"]).expect("a row");
        let set = values.set_loc(.., "v", &partly).and_then(|set| set.column("v")).expect("set");
        assert_eq!(set.to_options::<i64>().expect("numbers"), [None, None, Some(10)]);
        assert!(matches!(values.set_loc("z", "v", 1), Err(Error::MissingLabels { .. })));
        assert!(values.set_loc(.., "v", [1_i64]).is_err(), "three rows");
        assert!(values.set_loc(.., "v", "word").is_err(), "the column keeps its dtype");
        let twice =
            Series::new([1_i64, 2]).and_then(|v| v.with_index(&Index::new(["a", "a"])?)).expect("labels");
        assert!(matches!(values.set_loc(.., "v", &twice), Err(Error::DuplicateLabels { .. })));
    });
}

#[test]
fn set_loc_of_dictionary_takes_its_categories_as_pandas() {
    on_every_device(|_| {
        let words = Series::new([Some("a"), Some("b"), None, Some("a")]).expect("words");
        let words =
            words.rename("v").cat().encode().and_then(|v| v.cat().as_ordered()).expect("a dictionary");
        let frame = words.to_frame();
        let texts = |frame: &DataFrame| {
            let values = frame.column("v").expect("a column");
            assert_eq!(values.dtype(), words.dtype());
            values.cat().decode().and_then(|values| values.to_options::<String>()).expect("words")
        };
        let some = |texts: [Option<&str>; 4]| texts.map(|text| text.map(str::to_owned)).to_vec();
        let set = frame.set_loc([0, 2], "v", "b").expect("a category");
        assert_eq!(texts(&set), some([Some("b"), Some("b"), Some("b"), Some("a")]));
        let set = frame.set_iloc([3, 0], "v", [Some("b"), None]).expect("categories");
        assert_eq!(texts(&set), some([None, Some("b"), None, Some("b")]));
        let set = frame.set_loc(1, "v", Literal::Null).expect("a null");
        assert_eq!(texts(&set), some([Some("a"), None, None, Some("a")]));
        let other = Series::new(["b", "a"]).and_then(|v| v.with_index(&Index::new([3, 0])?)).expect("labels");
        let set = frame.set_loc([0, 3], "v", &other).expect("by label");
        assert_eq!(texts(&set), some([Some("a"), Some("b"), None, Some("b")]));
        for error in [frame.set_loc(0, "v", "z"), frame.set_loc([0, 1], "v", ["a", "z"])] {
            let text = error.expect_err("no category").to_string();
            assert!(text.contains("column \"v\"") && text.contains("\"z\" is no category"), "{text}");
        }
        assert!(frame.set_loc(0, "v", 1).is_err(), "another dtype");
        let none = frame.slice(0, 0).and_then(|none| none.set_iloc(.., "v", Vec::<String>::new()));
        assert!(none.expect("no rows").is_empty());
    });
}
