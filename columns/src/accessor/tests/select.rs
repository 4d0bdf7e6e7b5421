//! Columns by label and by position: what the kinds of keys mean.

use super::{abc, frame, one_row, origins, two_levels};
use crate::{AsLabel, Error, ErrorKind, Label, LabelKey, Positions, Wildcard};

#[test]
fn short_key_selects_group_without_key() {
    let columns = two_levels();
    let group = columns.select_by_label("a").unwrap();
    assert_eq!(group.labels(), ["x", "y"]);
    assert_eq!((group.levels().is_multi(), group.levels().names()), (false, &[Some("lower".into())][..]));
    let deep = frame([("a", "x", 1), ("a", "x", 2), ("a", "y", 1)]);
    assert_eq!(deep.select_by_label("a").unwrap().labels(), [("x", 1), ("x", 2), ("y", 1)]);
    assert!(deep.select_by_label("a").unwrap().levels().is_multi(), "two levels are left");
    assert_eq!(deep.select_by_label(("a", "x")).unwrap().labels(), [1, 2]);
    assert_eq!(columns.select_by_label("q").unwrap_err().kind(), ErrorKind::Key);
    assert_eq!(columns.select_by_label(("a", "z")).unwrap_err().kind(), ErrorKind::Key);
    assert_eq!(columns.select_by_label(("a", "x", "z")).unwrap_err().kind(), ErrorKind::Value);
}

#[test]
fn whole_label_selects_column_with_label() {
    let one = two_levels().select_by_label(("b", "z")).unwrap();
    assert_eq!((one.labels(), origins(&one)), (&[Label::from(("b", "z"))][..], vec![3]));
    assert_eq!(one.levels(), two_levels().levels());
    assert_eq!(abc().select_by_label("b").unwrap().labels(), ["b"]);
}

#[test]
fn list_is_several_labels_and_tuple_is_one() {
    let columns = two_levels();
    assert_eq!(columns.select_by_label(["b"]).unwrap().labels(), [("b", "x"), ("b", "z")]);
    assert_eq!(columns.select_by_label(["b", "a"]).unwrap().labels()[0], ("b", "x"));
    assert!(columns.select_by_label(("b", "a")).is_err());
    assert_eq!(
        columns.select_by_label(vec![("b", "x"), ("a", "y")]).unwrap().labels(),
        [("b", "x"), ("a", "y")]
    );
    assert_eq!(columns.select_by_label(["b"]).unwrap().levels(), columns.levels());
    let mixed: Vec<Label> = vec![("b", "z").into(), "a".into()];
    assert_eq!(origins(&columns.select_by_label(mixed).unwrap()), [3, 0, 1]);
    assert_eq!(columns.without(["a"]).unwrap().labels(), [("b", "x"), ("b", "z")]);
    assert_eq!(columns.without(["a", "a"]).unwrap().len(), 2);
    assert_eq!(columns.select::<&str>([]).unwrap().rows(), 1);
    assert!(matches!(columns.select([("a", "x", "q")]), Err(Error::InvalidArgument { .. })));
}

#[test]
fn mask_of_other_length_is_refused() {
    let columns = abc();
    let masked = columns.select_by_label(LabelKey::Mask(vec![true, false, true])).unwrap();
    assert_eq!(masked.labels(), ["a", "c"]);
    assert_eq!(columns.select_mask(&[false; 3]).unwrap().rows(), 2);
    for len in [0, 2, 4] {
        assert_eq!(columns.select_mask(&vec![true; len]).unwrap_err().kind(), ErrorKind::Index);
        assert_eq!(columns.select_by_index(vec![true; len]).unwrap_err().kind(), ErrorKind::Index);
    }
    let truths = frame([true, false]);
    assert_eq!(origins(&truths.select_by_label([false, true]).unwrap()), [1, 0], "labels may be booleans");
}

#[test]
fn label_slices_include_both_ends() {
    let columns = frame(["d", "b", "c", "a"]);
    assert_eq!(columns.select_by_label("b"..="c").unwrap().labels(), ["b", "c"]);
    assert_eq!(columns.select_by_label("c"..).unwrap().labels(), ["c", "a"]);
    assert_eq!(columns.select_by_label(..="b").unwrap().labels(), ["d", "b"]);
    assert_eq!(columns.select_by_label(..).unwrap().labels(), columns.labels());
    assert_eq!(columns.select_by_label("a"..="d").unwrap().len(), 0, "by place, not by order");
    assert_eq!(columns.select_by_label("q"..).unwrap_err().kind(), ErrorKind::Key);

    let deep = two_levels();
    assert_eq!(deep.select_by_label("a"..="a").unwrap().labels(), [("a", "x"), ("a", "y")]);
    let (first, last): (&dyn AsLabel, &dyn AsLabel) = (&("a", "y"), &"b");
    assert_eq!(origins(&deep.select_slice(Some(first), Some(last)).unwrap()), [1, 2, 3]);
    let apart = frame([("a", 1), ("b", 1), ("a", 2), ("c", 1)]);
    assert_eq!(origins(&apart.select_by_label("a"..="a").unwrap()), [0, 1, 2], "from the first to the last");
    assert_eq!(apart.select_by_label("b"..="a").unwrap().len(), 2);
}

#[test]
fn wildcards_match_by_level() {
    let deep = frame([("a", "x", 1), ("a", "y", 1), ("b", "x", 2)]);
    let select =
        |pattern: Vec<Wildcard>| origins(&deep.select_by_label(LabelKey::Wildcard(pattern)).unwrap());
    assert_eq!(select(vec![Wildcard::Any, "x".into()]), [0, 2]);
    assert_eq!(select(vec![Wildcard::Any, Wildcard::Any, 1.into()]), [0, 1]);
    assert_eq!(select(vec!["a".into()]), [0, 1]);
    assert_eq!(select(vec![]), [0, 1, 2]);
    assert_eq!(select(vec!["a".into(), "q".into()]), [] as [isize; 0]);
    let kept = deep.select_matching([Wildcard::Any, "y".into()]).unwrap();
    assert_eq!(kept.labels(), [("a", "y", 1)], "all levels stay");
    assert!(deep.select_matching(vec![Wildcard::Any; 4]).is_err());
    let mut flat = frame(["x", "y"]);
    flat.insert(("x", 1), one_row(2)).unwrap();
    assert_eq!(origins(&flat.select_matching(["x".into()]).unwrap()), [0]);
    assert_eq!(flat.select_matching([Wildcard::Any]).unwrap().len(), 3);
}

#[test]
fn positions_count_from_both_ends() {
    let columns = frame(["a", "b", "c", "d"]);
    assert_eq!(origins(&columns.select_by_index(-1).unwrap()), [3]);
    assert_eq!(origins(&columns.select_by_index(1..3).unwrap()), [1, 2]);
    assert_eq!(origins(&columns.select_by_index(-2..).unwrap()), [2, 3]);
    assert_eq!(origins(&columns.select_by_index(..-1).unwrap()), [0, 1, 2]);
    assert_eq!(origins(&columns.select_by_index([2, 0]).unwrap()), [2, 0]);
    assert_eq!(columns.select_by_index(4).unwrap_err().kind(), ErrorKind::Index);
    assert!(matches!(columns.select_by_index([1, -3]), Err(Error::DuplicateLabel { .. })));
    let all = |step| Positions::Slice { start: None, stop: None, step };
    assert_eq!(origins(&columns.select_by_index(all(isize::MIN)).unwrap()), [3]);
    assert_eq!(origins(&columns.select_by_index(all(isize::MAX)).unwrap()), [0]);
    assert!(matches!(columns.select_by_index(all(0)), Err(Error::InvalidArgument { name: "step", .. })));
    let (start, stop) = (Some(isize::MIN), Some(isize::MAX));
    assert_eq!(columns.select_by_index(Positions::Slice { start, stop, step: 1 }).unwrap().len(), 4);
    let none = columns.select_by_index([] as [isize; 0]).unwrap();
    assert_eq!(none.select_by_index(Positions::Slice { start, stop, step: -1 }).unwrap().rows(), 1);
}
