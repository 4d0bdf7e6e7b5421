//! The column accessor: every operation, what pandas answers, and what no pandas has.

mod golden;
mod levels;
mod select;
mod wide;

use super::{ColumnAccessor, Label, LabelPart, Levels};
use crate::{Column, Error, ErrorKind, ListColumn, Scalar, StructColumn};
use columnade_buffers::{Device, Exec};

fn one_row(value: i64) -> Column {
    Column::from_vec(vec![value])
}

/// One row that holds the positions of the columns.
fn frame<L: Into<Label>>(labels: impl IntoIterator<Item = L>) -> ColumnAccessor {
    ColumnAccessor::from_columns((0..).zip(labels).map(|(at, label)| (label, one_row(at)))).unwrap()
}

/// What the row holds.
fn origins(columns: &ColumnAccessor) -> Vec<isize> {
    let value = |column: &Column| match column.get(0).unwrap() {
        Scalar::Int64(value) => value.try_into().unwrap(),
        other => panic!("{other:?} is no position"),
    };
    columns.columns().iter().map(value).collect()
}

fn abc() -> ColumnAccessor {
    let column = |first: i64| Column::from_vec(vec![first, first + 1]);
    ColumnAccessor::from_columns([("a", column(0)), ("b", column(10)), ("c", column(20))]).unwrap()
}

fn two_levels() -> ColumnAccessor {
    frame([("a", "x"), ("a", "y"), ("b", "x"), ("b", "z")])
        .relevel(Levels::named([Some("upper".into()), Some("lower".into())]).unwrap())
        .unwrap()
}

fn firsts(columns: &ColumnAccessor) -> Vec<(String, String)> {
    columns.iter().map(|(label, column)| (label.to_string(), column.get(0).unwrap().to_string())).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn every_change_keeps_order() {
    let mut columns = abc();
    columns.insert_at(1, "z", Column::from_vec(vec![7_i64, 8])).unwrap();
    columns.set("b", Column::from_vec(vec![5_i64, 6])).unwrap();
    columns.set("new", Column::from_vec(vec![9_i64, 9])).unwrap();
    assert_eq!(firsts(&columns), pairs(&[("a", "0"), ("z", "7"), ("b", "5"), ("c", "20"), ("new", "9")]));
    assert_eq!(columns.remove("z").unwrap().get(0).unwrap().to_string(), "7");
    assert_eq!(columns.position("b"), Ok(1));
    assert_eq!(firsts(&columns.select(["c", "a"]).unwrap()), pairs(&[("c", "20"), ("a", "0")]));
    assert_eq!(firsts(&columns.without(["c", "new"]).unwrap()), pairs(&[("a", "0"), ("b", "5")]));
    let swapped = columns.rename([("a", "b"), ("b", "a")]).unwrap();
    assert_eq!(firsts(&swapped), pairs(&[("b", "0"), ("a", "5"), ("c", "20"), ("new", "9")]));
}

#[test]
fn every_operation_refuses_duplicate_labels() {
    let mut columns = abc();
    let column = columns.get("a").unwrap().clone();
    let duplicate = || Error::DuplicateLabel { label: "a".into() };
    let twice = [("a", column.clone()), ("a", column.clone())];
    assert_eq!(ColumnAccessor::from_columns(twice).unwrap_err(), duplicate());
    assert_eq!(columns.insert("a", column.clone()).unwrap_err(), duplicate());
    assert_eq!(columns.insert_at(0, "a", column).unwrap_err(), duplicate());
    assert_eq!(columns.select(["a", "b", "a"]).unwrap_err(), duplicate());
    assert_eq!(columns.select_by_index([0, 1, -3]).unwrap_err(), duplicate());
    assert_eq!(columns.rename([("b", "a")]).unwrap_err(), duplicate());
    assert_eq!(columns.rename([("a", "x"), ("a", "y")]).unwrap_err(), duplicate());
    assert_eq!(columns.with_labels(vec!["a".into(); 3]).unwrap_err(), duplicate());
    assert_eq!(columns.rename_levels(0, |_| Some("a".into())).unwrap_err(), duplicate());
    assert_eq!(columns.labels(), ["a", "b", "c"], "what fails changes nothing");

    let deep = two_levels();
    assert_eq!(deep.droplevel(1).unwrap_err(), duplicate());
    let path = || Error::DuplicateLabel { label: ("a", "x").into() };
    assert_eq!(deep.rename_levels(1, |_| Some("x".into())).unwrap_err(), path());
    let overlapping: [Label; 2] = ["a".into(), ("a", "x").into()];
    assert_eq!(deep.select(overlapping).unwrap_err(), path());
    assert_eq!(path().kind(), ErrorKind::Value);
}

#[test]
fn missing_label_error_lists_labels() {
    let missing = abc().get("d").unwrap_err();
    assert_eq!(missing.to_string(), r#"column "d" not found; there are "a", "b", "c""#);
    assert_eq!(missing.kind(), ErrorKind::Key);
    assert!(abc().select(["a", "d"]).is_err() && abc().without(["d"]).is_err() && abc().remove("d").is_err());
    assert!(abc().rename([("d", "e")]).is_err());
    let missing = frame([1, 2]).get(("a", f64::NAN)).unwrap_err();
    assert_eq!(missing.to_string(), r#"column ("a", NaN) not found; there are 1, 2"#);
}

#[test]
fn unequal_lengths_are_refused() {
    let mut columns = abc();
    let long = Column::from_vec(vec![1_i64, 2, 3]);
    let refused = columns.insert("long", long.clone()).unwrap_err();
    assert_eq!(refused.to_string(), r#"column "long": expected 2 rows, found 3"#);
    assert_eq!(refused.kind(), ErrorKind::Value);
    assert!(columns.set("a", long.clone()).is_err());
    assert!(columns.set("new", long.clone()).is_err());
    assert!(columns.insert_at(4, "x", long.clone()).is_err());
    assert!(columns.map(2, |_| Ok(long.clone())).is_err());
    let uneven = [("a", one_row(1)), ("b", long)];
    assert_eq!(ColumnAccessor::from_columns(uneven).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!((columns.len(), columns.rows()), (3, 2));
}

#[test]
fn rows_and_levels_survive_without_columns() {
    let mut columns = two_levels();
    let levels = columns.levels().clone();
    for label in [("a", "x"), ("a", "y"), ("b", "x"), ("b", "z")] {
        columns.remove(label).unwrap();
    }
    assert_eq!((columns.rows(), columns.len(), columns.is_empty()), (1, 0, true));
    assert_eq!(columns.levels(), &levels);
    let empty = columns.map(7, |column| Ok(column.clone())).unwrap();
    assert_eq!(
        (empty.rows(), empty.levels()),
        (7, &levels),
        "as a cross join of frames without columns needs"
    );
    assert_eq!(empty.slice(3, 2).unwrap().rows(), 2);
    assert!(empty.slice(6, 2).is_err());
    for kept in [
        empty.select::<&str>([]).unwrap(),
        empty.select_by_index(..).unwrap(),
        empty.select_by_label("no"..="matter").unwrap(),
        empty.swaplevel(0, 1).unwrap().swaplevel(0, 1).unwrap(),
        empty.rename_levels(0, |_| None).unwrap(),
        empty.with_labels(vec![]).unwrap(),
    ] {
        assert_eq!((kept.rows(), kept.levels()), (7, &levels));
    }
    assert!(columns.insert("short", Column::from_vec(vec![1_i64, 2])).is_err(), "the rows are still one");
    columns.insert("short", one_row(3)).unwrap();
    assert_eq!(columns.labels(), [("short", "")]);

    let mut none = ColumnAccessor::new();
    assert_eq!((none.rows(), none.levels().count()), (0, 1));
    none.insert("a", Column::from_vec(vec![1_i64, 2])).unwrap();
    assert_eq!(none.rows(), 2, "the first column decides where nothing did");
}

#[test]
fn nan_labels_are_equal() {
    let mut columns = frame([Label::from(f64::NAN), ("a", f64::NAN).into(), Label::NULL]);
    assert_eq!(columns.position(f64::NAN), Ok(0));
    assert_eq!(columns.position(-f64::NAN), Ok(0));
    assert_eq!(columns.position(f32::NAN), Ok(0));
    assert_eq!(columns.position(("a", f64::NAN)), Ok(1));
    assert_eq!(columns.position(LabelPart::Null), Ok(2));
    assert!(columns.insert(f64::NAN, one_row(9)).is_err());
    columns.set(f64::NAN, one_row(9)).unwrap();
    assert_eq!(origins(&columns), [9, 1, 2]);
    columns.remove(f64::NAN).unwrap();
    assert_eq!(columns.position(Label::NULL), Ok(1));
}

#[test]
fn stored_short_keys_are_padded() {
    let mut columns = two_levels();
    columns.set("c", one_row(4)).unwrap();
    columns.insert_at(0, "d", one_row(5)).unwrap();
    columns.set("c", one_row(6)).unwrap();
    assert_eq!(columns.labels()[0], ("d", ""));
    assert_eq!(columns.labels()[5], ("c", ""));
    assert_eq!(origins(&columns), [5, 0, 1, 2, 3, 6]);
    assert!(columns.insert(("c", ""), one_row(7)).is_err());
    assert!(columns.get("c").is_err(), "a key is padded only when it is stored");
    let renamed = columns.rename([(("a", "x"), "e")]).unwrap();
    assert_eq!((&renamed.labels()[1], renamed.levels()), (&("e", "").into(), columns.levels()));
    let deep = columns.set(("a", "b", "c"), one_row(7)).unwrap_err();
    assert_eq!(deep.to_string(), r#"label: ("a", "b", "c") has 3 parts, labels here have 2"#);

    let mut flat = frame(["a"]);
    flat.insert(("a", "x"), one_row(1)).unwrap();
    assert_eq!(flat.levels().count(), 1, "labels of one level may be tuples");
    assert_eq!(flat.select_by_label(("a", "x")).unwrap().labels(), [("a", "x")]);
    assert_eq!(flat.select_by_label("a").unwrap().labels(), ["a"]);
}

#[test]
fn insert_at_every_position() {
    for (at, expected) in [(0, [9, 0, 1, 2]), (1, [0, 9, 1, 2]), (3, [0, 1, 2, 9]), (-1, [0, 1, 2, 9])] {
        let mut columns = frame(["a", "b", "c"]);
        columns.insert_at(at, "new", one_row(9)).unwrap();
        assert_eq!(origins(&columns), expected);
        for (position, label) in columns.labels().iter().enumerate() {
            assert_eq!(columns.position(label), Ok(position));
        }
    }
    for position in [-2, 4, isize::MIN, isize::MAX] {
        let outside = frame(["a", "b", "c"]).insert_at(position, "new", one_row(9)).unwrap_err();
        assert_eq!(outside, Error::PositionOutOfBounds { position, len: 3 });
        assert_eq!(outside.kind(), ErrorKind::Index);
    }
}

#[test]
fn sliced_accessor_shares_labels() {
    let columns = abc();
    let sliced = columns.slice(1, 1).unwrap();
    assert!(std::ptr::eq(columns.labels(), sliced.labels()));
    let mut other = sliced.clone();
    other.remove("b").unwrap();
    assert_eq!((sliced.len(), sliced.position("c")), (3, Ok(2)), "a copy goes its own way");
    assert_eq!(other.position("c"), Ok(1));
}

/// Whether two columns have memory in common, their children's too.
fn share_memory(a: &Column, b: &Column) -> bool {
    let buffers = |column: &Column| [column.data().cloned(), column.mask().cloned()].into_iter().flatten();
    buffers(a).any(|ours| buffers(b).any(|theirs| ours.shares_memory(&theirs)))
        || a.children().iter().zip(b.children()).any(|(a, b)| share_memory(a, &b))
}

#[test]
fn shallow_copies_share_and_deep_copies_do_not() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let text = Column::from_options([Some("a"), None, Some("ß")], &exec).unwrap();
        let numbers = Column::from_options([Some(1_i64), Some(2), None], &exec).unwrap();
        let lists = ListColumn::from_lengths(&numbers, [Some(2), None, Some(1)], &exec).unwrap();
        let fields = [("text", text.clone()), ("n", numbers.clone())];
        let columns = ColumnAccessor::from_columns([
            ("text", text),
            ("n", numbers),
            ("lists", Column::List(lists)),
            ("structs", Column::Struct(StructColumn::new(fields, None, 0, 3).unwrap())),
        ])
        .unwrap();
        for columns in [columns.clone(), columns.slice(1, 2).unwrap(), columns.slice(3, 0).unwrap()] {
            let shallow = columns.clone();
            let deep = columns.deep_copy(&exec).unwrap();
            assert_eq!((deep.labels(), deep.rows()), (columns.labels(), columns.rows()));
            for ((label, column), (shallow, deep)) in
                columns.iter().zip(shallow.columns().iter().zip(deep.columns()))
            {
                assert_eq!(column.to_scalars().unwrap(), deep.to_scalars().unwrap(), "{label}");
                assert_eq!(column.null_count(&exec).unwrap(), deep.null_count(&exec).unwrap(), "{label}");
                assert!(share_memory(column, shallow), "{label}");
                assert!(!share_memory(column, deep), "{label} on {device:?}");
            }
        }
    }
}
