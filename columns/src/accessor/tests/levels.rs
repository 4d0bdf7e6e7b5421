//! Levels: exchanged, dropped, renamed, and what is known of them.

use super::{frame, one_row, origins, two_levels};
use crate::{
    ColumnAccessor, DType, Error, ErrorKind, Label, LabelIndex, LabelPart, LevelKey, Levels, RangeLabels,
    RenamedLevels, TimeUnit,
};

fn three_levels() -> ColumnAccessor {
    let names = [Some("one".into()), None, Some("three".into())];
    frame([("a", "x", 1), ("a", "y", 2), ("b", "x", 3)]).relevel(Levels::named(names).unwrap()).unwrap()
}

fn multi(columns: &ColumnAccessor) -> (Vec<Option<Label>>, Vec<Option<DType>>) {
    match columns.label_index() {
        LabelIndex::Multi { names, dtypes } => (names, dtypes),
        other => panic!("{other:?}"),
    }
}

#[test]
fn level_count_follows_labels() {
    assert_eq!(frame([("a", "x"), ("b", "y")]).levels().count(), 2);
    assert_eq!(frame([Label::from("a"), ("b", "y").into()]).levels().count(), 1);
    assert_eq!(frame([Label::from(("a", "x")), ("b", "y", "z").into()]).levels().count(), 1);
    assert_eq!(frame(["a", "b"]).levels().count(), 1);
    assert_eq!(frame([] as [Label; 0]).levels().count(), 1);
    let nested = frame([("a", ("x", 1)), ("b", ("y", 2))]);
    assert_eq!((nested.levels().count(), &nested.labels()[0]), (3, &("a", "x", 1).into()));
}

#[test]
fn mismatched_levels_are_refused() {
    let two = Levels::named([None, Some("lower".into())]).unwrap();
    assert!(frame(["a", "b"]).relevel(two.clone()).is_err());
    assert!(three_levels().relevel(two.clone()).is_err());
    assert_eq!(two_levels().relevel(two.clone()).unwrap().levels(), &two);
    assert_eq!(two_levels().relevel(Levels::default()).unwrap().levels().count(), 1, "tuples of one level");
    assert_eq!(Levels::named([]).unwrap_err().kind(), ErrorKind::Value);
    assert!(two.clone().with_range(RangeLabels::Yes).is_err(), "labels of two levels are no range");
    assert!(two.clone().with_dtypes([None]).is_err());
    assert_eq!(two.names(), [None, Some("lower".into())]);
}

#[test]
fn levels_are_found_by_position_and_name() {
    let levels = three_levels().levels().clone();
    for (key, position) in [
        (LevelKey::from(0), 0),
        ((-1).into(), 2),
        ((-3).into(), 0),
        ("three".into(), 2),
        (Label::from("one").into(), 0),
    ] {
        assert_eq!(levels.position(key), Ok(position));
    }
    assert_eq!(levels.position(3).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(levels.position(-4).unwrap_err().kind(), ErrorKind::Index);
    let missing = levels.position("two").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Key);
    assert_eq!(
        missing.to_string(),
        r#"no level of the column labels is called "two"; they are called "one", none, "three""#
    );
    let twice = Levels::named([Some("n".into()), Some("n".into())]).unwrap();
    assert!(matches!(twice.position("n"), Err(Error::InvalidArgument { name: "level", .. })));
    let numbered = Levels::named([Some(1.into()), Some(0.into())]).unwrap();
    assert_eq!(numbered.position(Label::from(0)), Ok(1), "a label is a name");
    assert_eq!(numbered.position(0), Ok(0), "a number is a position");
}

#[test]
fn swaplevel_moves_names_and_dtypes() {
    let columns = three_levels();
    let levels = columns.levels().clone().with_dtypes([None, None, Some(DType::Int8)]).unwrap();
    let columns = columns.relevel(levels).unwrap();
    let swapped = columns.swaplevel("one", -1).unwrap();
    assert_eq!(swapped.labels(), [(1, "x", "a"), (2, "y", "a"), (3, "x", "b")]);
    assert_eq!(origins(&swapped), [0, 1, 2], "columns stay where they are");
    assert_eq!(swapped.levels().names(), [Some("three".into()), None, Some("one".into())]);
    assert_eq!(swapped.levels().dtypes(), [Some(DType::Int8), None, None]);
    assert_eq!(swapped.swaplevel(2, 0).unwrap().labels(), columns.labels());
    assert_eq!(columns.swaplevel(1, 1).unwrap().labels(), columns.labels());
    assert!(frame(["a"]).swaplevel(0, 1).is_err());
}

#[test]
fn droplevel_keeps_at_least_one_level() {
    let columns = three_levels();
    let two = columns.droplevel(0).unwrap();
    assert_eq!(two.labels(), [("x", 1), ("y", 2), ("x", 3)]);
    assert_eq!(two.levels().names(), [None, Some("three".into())]);
    let one = two.droplevel(-2).unwrap();
    assert_eq!(one.labels(), [1, 2, 3], "a tuple of one is its part");
    assert_eq!((one.levels().is_multi(), one.levels().names()), (false, &[Some("three".into())][..]));
    assert_eq!(origins(&one), [0, 1, 2]);
    assert!(matches!(one.droplevel(0), Err(Error::InvalidArgument { .. })));
    assert!(
        matches!(columns.droplevel("three"), Ok(rest) if rest.levels().names() == [Some("one".into()), None])
    );
    assert!(matches!(two.droplevel(1), Err(Error::DuplicateLabel { label, .. }) if label == "x"));
}

#[test]
fn rename_levels_drops_mismatched_dtype() {
    let levels = Levels::default().with_dtypes([Some(DType::Int16)]).unwrap();
    let columns = frame([1, 2]).relevel(levels).unwrap();
    let dtype = |columns: &ColumnAccessor| match columns.label_index() {
        LabelIndex::Single { dtype, .. } => dtype,
        other => panic!("{other:?}"),
    };
    let moved = columns.rename_levels(0, |part| (*part == LabelPart::from(1)).then(|| 7.into())).unwrap();
    assert_eq!((moved.labels(), dtype(&moved)), (&[7.into(), 2.into()][..], Some(DType::Int16)));
    let text = columns.rename_levels(0, |part| Some(part.to_string().into())).unwrap();
    assert_eq!((text.labels(), dtype(&text)), (&["1".into(), "2".into()][..], Some(DType::Utf8)));
    let halves = columns.rename_levels(RenamedLevels::All, |part| match part {
        LabelPart::Int(1) => Some(1.5.into()),
        _ => None,
    });
    assert_eq!(dtype(&halves.unwrap()), Some(DType::Float64));
    assert!(columns.rename_levels(1, |_| None).is_err());
    assert!(columns.rename_levels("name", |_| None).is_err());
}

#[test]
fn rename_levels_changes_one_level_or_all() {
    let quiet = |part: &LabelPart| (*part == LabelPart::from("x")).then(|| "q".into());
    let columns = frame([("x", "x"), ("a", "x")]);
    assert_eq!(columns.rename_levels(0, quiet).unwrap().labels(), [("q", "x"), ("a", "x")]);
    assert_eq!(columns.rename_levels(-1, quiet).unwrap().labels(), [("x", "q"), ("a", "q")]);
    assert_eq!(columns.rename_levels(RenamedLevels::All, quiet).unwrap().labels(), [("q", "q"), ("a", "q")]);
    let mut flat = frame(["x"]);
    flat.insert(("x", "x"), one_row(1)).unwrap();
    let labels = [Label::from("q"), ("x", "x").into()];
    assert_eq!(flat.rename_levels(0, quiet).unwrap().labels(), labels, "a tuple of one level is no part");
    let exchange =
        |part: &LabelPart| Some(if *part == LabelPart::from("a") { "x".into() } else { "a".into() });
    assert_eq!(frame(["a", "x"]).rename_levels(0, exchange).unwrap().labels(), ["x", "a"], "all at once");
}

#[test]
fn multi_level_labels_form_index() {
    let (names, dtypes) = multi(&three_levels());
    assert_eq!(names, [Some("one".into()), None, Some("three".into())]);
    assert_eq!(dtypes, [Some(DType::Utf8), Some(DType::Utf8), Some(DType::Int64)]);

    // What was said holds while it holds every label, and of an empty index always.
    let dictionary = DType::dictionary(DType::Utf8);
    let said = [Some(dictionary.clone()), None, Some(DType::Int8)];
    let levels = three_levels().levels().clone().with_dtypes(said).unwrap();
    let mut columns = three_levels().relevel(levels).unwrap();
    assert_eq!(multi(&columns).1, [Some(dictionary.clone()), Some(DType::Utf8), Some(DType::Int8)]);
    assert_eq!(multi(&columns.select_by_index([0]).unwrap()).1[0], Some(dictionary.clone()));
    let none = columns.select_by_index([] as [isize; 0]).unwrap();
    assert_eq!(multi(&none).1, [Some(dictionary), Some(DType::Utf8), Some(DType::Int8)]);
    columns.insert(("a", "z", 4), one_row(3)).unwrap();
    assert_eq!(
        multi(&columns).1,
        [Some(DType::Utf8), Some(DType::Utf8), Some(DType::Int8)],
        "a category may be new"
    );
    columns.insert(("a", 5), one_row(3)).unwrap();
    assert_eq!(
        multi(&columns).1,
        [Some(DType::Utf8), None, None],
        "text of a short key stands among numbers"
    );
}

#[test]
fn single_level_labels_form_index() {
    let single = |labels: Vec<Label>, dtype: Option<DType>| {
        let levels = Levels::named([Some("n".into())]).unwrap().with_dtypes([dtype]).unwrap();
        match frame(labels).relevel(levels).unwrap().label_index() {
            LabelIndex::Single { name, dtype } => {
                assert_eq!(name, Some("n".into()));
                dtype
            }
            other => panic!("{other:?}"),
        }
    };
    let seconds = |value| LabelPart::Timestamp(value, TimeUnit::Second).into();
    let nanos = |value| LabelPart::Timestamp(value, TimeUnit::Nano).into();
    assert_eq!(single(vec![], None), Some(DType::Utf8));
    assert_eq!(single(vec![], Some(DType::Date32)), Some(DType::Date32));
    assert_eq!(single(vec![("a", 1).into()], None), None);
    assert_eq!(single(vec![Label::NULL, 1.into()], None), Some(DType::Int64), "every dtype has nulls");
    assert_eq!(single(vec![Label::NULL], None), None);
    assert_eq!(single(vec![seconds(1), nanos(1)], None), Some(DType::Timestamp(TimeUnit::Nano)));
    let milli = DType::Timestamp(TimeUnit::Milli);
    assert_eq!(single(vec![seconds(1), nanos(2_000_000)], Some(milli.clone())), Some(milli.clone()));
    assert_eq!(
        single(vec![nanos(1)], Some(milli)),
        Some(DType::Timestamp(TimeUnit::Nano)),
        "digits would be lost"
    );
    assert_eq!(single(vec![LabelPart::Date(3).into()], None), Some(DType::Date32));
    let whole = vec![Label::from(1.0), 2.into()];
    assert_eq!(single(whole.clone(), None), Some(DType::Float64));
    assert_eq!(single(whole, Some(DType::UInt8)), Some(DType::UInt8));
    assert_eq!(single(vec![1.5.into()], Some(DType::Int64)), Some(DType::Float64));
    assert_eq!(single(vec![0.1.into()], Some(DType::Float32)), Some(DType::Float64));
    assert_eq!(single(vec![f64::NAN.into(), 0.5.into()], Some(DType::Float32)), Some(DType::Float32));
    assert_eq!(single(vec![((1_i64 << 53) + 1).into()], Some(DType::Float64)), Some(DType::Int64));
    assert_eq!(single(vec![i64::MIN.into(), u64::MAX.into()], None), None, "no integer dtype holds both");
    assert_eq!(single(vec!["a".into()], Some(DType::Bool)), Some(DType::Utf8));
}

#[test]
fn range_labels_form_range_index() {
    let range = |labels: &[i64]| {
        let levels = Levels::default().with_range(RangeLabels::Yes).unwrap();
        match frame(labels.iter().copied()).relevel(levels).unwrap().label_index() {
            LabelIndex::Range { start, stop, step, name: None } => Some((start, stop, step)),
            LabelIndex::Single { .. } => None,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(range(&[]), Some((0, 0, 1)));
    assert_eq!(range(&[7]), Some((7, 8, 1)));
    assert_eq!(range(&[4, 1, -2]), Some((4, -5, -3)));
    assert_eq!(range(&[0, 1, 3]), None);
    assert_eq!(range(&[i64::MAX]), None, "what ends beyond 64 bits is none");
    assert_eq!(range(&[i64::MIN, i64::MAX]), None);

    let levels = Levels::default().with_range(RangeLabels::Yes).unwrap();
    let mut columns = frame([0, 1]).relevel(levels).unwrap();
    columns.insert("text", one_row(2)).unwrap();
    assert!(matches!(columns.label_index(), LabelIndex::Single { dtype: None, .. }));
    columns.remove("text").unwrap();
    assert!(matches!(columns.label_index(), LabelIndex::Range { .. }));
    assert!(matches!(frame([0, 1]).label_index(), LabelIndex::Single { .. }), "only where it was said");
}
