//! The column accessor.

use super::ColumnAccessor;
use crate::{Column, Error, ErrorKind};

fn abc() -> ColumnAccessor {
    let column = |first: i64| Column::from_vec(vec![first, first + 1]);
    ColumnAccessor::from_columns([("a", column(0)), ("b", column(10)), ("c", column(20))]).unwrap()
}

fn firsts(columns: &ColumnAccessor) -> Vec<(String, String)> {
    columns.iter().map(|(label, column)| (label.to_string(), column.get(0).unwrap().to_string())).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn order_is_kept_by_every_change() {
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
fn labels_are_distinct() {
    let mut columns = abc();
    let column = columns.get("a").unwrap().clone();
    let duplicate = |op| Error::DuplicateLabel { op, label: "a".into() };
    assert_eq!(columns.insert("a", column).unwrap_err(), duplicate("insert"));
    assert_eq!(columns.select(["a", "b", "a"]).unwrap_err(), duplicate("select"));
    assert_eq!(columns.rename([("b", "a")]).unwrap_err(), duplicate("rename"));
    assert_eq!(columns.len(), 3);
}

#[test]
fn a_missing_label_says_what_there_is() {
    let missing = abc().get("d").unwrap_err();
    assert_eq!(missing.to_string(), r#"column "d" not found; there are "a", "b", "c""#);
    assert_eq!(missing.kind(), ErrorKind::Key);
    assert!(abc().select(["a", "d"]).is_err() && abc().without(["d"]).is_err() && abc().remove("d").is_err());
    assert!(abc().rename([("d", "e")]).is_err());
}

#[test]
fn lengths_are_equal() {
    let mut columns = abc();
    let long = Column::from_vec(vec![1_i64, 2, 3]);
    let refused = columns.insert("long", long.clone()).unwrap_err();
    assert_eq!(refused.to_string(), r#"insert, column "long": insert: expected 2 rows, found 3"#);
    assert_eq!(refused.kind(), ErrorKind::Value);
    assert!(columns.set("a", long.clone()).is_err());
    assert!(columns.insert_at(4, "x", long).is_err());
    for label in ["a", "b", "c"] {
        columns.remove(label).unwrap();
    }
    assert_eq!((columns.rows(), columns.len()), (2, 0), "rows outlive the last column");
    assert_eq!(columns.slice(1, 1).unwrap().rows(), 1);
    assert!(columns.slice(1, 2).is_err());
}
