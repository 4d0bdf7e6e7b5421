//! Keys that are no columns, keys as row labels and groups without rows, on every device, against outputs of pandas 3.1.1.

use columnade_columns::{ErrorKind, Label, Scalar};
use columnade_ops::expression::{col, len};

use super::{DataFrame, GroupKey};
use crate::builders::categories;
use crate::index::Index;
use crate::series::Series;
use crate::testing::on_every_device;

/// Row labels and values as text, a line a row.
fn lines(frame: &DataFrame) -> Vec<String> {
    let mut columns = frame.index().to_scalars().expect("labels");
    columns.extend(frame.columns().iter().map(|label| crate::testing::values(frame, label)));
    let line =
        |row: usize| columns.iter().map(|column| column[row].to_string()).collect::<Vec<_>>().join(" ");
    (0..frame.len()).map(line).collect()
}

fn sizes() -> DataFrame {
    // Categories in this order, of which rows have the first two.
    let size = categories(["m", "s", "m", "l"]);
    let frame = crate::df! { "k" => [2_i64, 1, 1, 1], "n" => [Some(1_i64), Some(2), None, Some(9)] };
    let frame = frame.and_then(|frame| frame.with_column("size", size));
    frame.and_then(|frame| frame.head(3)).expect("a frame")
}

#[test]
fn unobserved_groups_match_pandas() {
    on_every_device(|_| {
        let frame = sizes();
        let found =
            frame.group_by("size").observed(false).agg([col("n").sum(), col("n").mean().alias("m"), len()]);
        assert_eq!(lines(&found.expect("groups")), ["0 m 1 1.0 2", "1 s 2 2.0 1", "2 l 0 <NA> 0"]);
        let found = frame.group_by(["k", "size"]).observed(false).as_index(true);
        let expected = ["2 m 1", "1 s 2", "1 m 0", "1 l 0", "2 s 0", "2 l 0"];
        assert_eq!(lines(&found.agg(col("n").sum()).expect("groups")), expected);
        let found =
            frame.group_by(["k", "size"]).sort(true).observed(false).as_index(true).agg(col("n").sum());
        let expected = ["1 m 0", "1 s 2", "1 l 0", "2 m 1", "2 s 0", "2 l 0"];
        assert_eq!(lines(&found.expect("groups")), expected);
        // Without a dictionary there are no other groups.
        let found = frame.group_by("k").observed(false).agg(len()).expect("groups");
        assert_eq!(lines(&found), ["0 2 1", "1 1 2"]);
        let found = frame.group_by(["k", "n"]).dropna(false).observed(false).agg(len()).expect("groups");
        assert_eq!(lines(&found), ["0 2 1 1", "1 1 2 1", "2 1 <NA> 1"]);
        let none = frame.slice(0, 0).expect("no rows").group_by("size").observed(false).agg(len());
        assert_eq!(lines(&none.expect("groups")), ["0 m 0", "1 s 0", "2 l 0"]);
    });
}

#[test]
fn null_keys_of_dictionaries_are_groups_where_asked() {
    on_every_device(|_| {
        let size =
            Series::new([Some("b"), None, Some("a")]).and_then(|s| s.cat().encode()).expect("a dictionary");
        let frame = crate::df! { "n" => [1_i64, 2, 3] }.and_then(|frame| frame.with_column("size", size));
        let frame = frame.and_then(|frame| frame.slice(0, 2)).expect("a frame");
        let by = || frame.group_by("size").observed(false);
        assert_eq!(lines(&by().agg(col("n").sum()).expect("groups")), ["0 b 1", "1 a 0"]);
        let kept = by().dropna(false).agg(col("n").sum()).expect("groups");
        assert_eq!(lines(&kept), ["0 b 1", "1 <NA> 2", "2 a 0"]);
    });
}

#[test]
fn keys_as_row_labels_match_pandas() {
    on_every_device(|_| {
        let frame = crate::df! { "a" => ["x", "y", "x"], "b" => [1_i64, 1, 2], "n" => [1_i64, 2, 3] }
            .expect("a frame");
        let sums = frame.group_by(["a", "b"]).as_index(true).agg(col("n").sum()).expect("groups");
        assert_eq!(sums.index().names(), ["a", "b"]);
        assert_eq!(lines(&sums), ["x 1 1", "y 1 2", "x 2 3"]);
        let sums = frame.group_by("b").sort(true).as_index(true).agg(col("n").sum()).expect("groups");
        assert_eq!(lines(&sums), ["1 3", "2 3"]);
        let all = frame.agg(col("n").sum()).expect("one row");
        assert_eq!(lines(&all), ["0 6"]);
    });
}

#[test]
fn levels_and_series_are_keys() {
    on_every_device(|_| {
        let frame =
            crate::df! { "a" => ["x", "y", "x", "x"], "b" => [1_i64, 1, 2, 1], "n" => [1_i64, 2, 3, 4] };
        let frame = frame.and_then(|frame| frame.set_index(["a", "b"])).expect("a frame");
        let by_level = frame.group_by_with([GroupKey::level("b")]).expect("a level");
        assert_eq!(lines(&by_level.agg(col("n").sum()).expect("groups")), ["0 1 7", "1 2 3"]);
        // Rows of groups have no column of the key, and keep their labels.
        let heads = by_level.head(1).expect("rows");
        assert_eq!(
            (heads.columns(), lines(&heads)),
            (&[Label::from("n")][..], vec!["x 1 1".into(), "x 2 3".into()])
        );
        assert_eq!(by_level.get_group(2).expect("rows").columns(), ["n"]);
        let groups = by_level.groups().expect("groups");
        assert_eq!(
            (groups[0].0[0].clone(), groups[0].1.columns()),
            (Scalar::Int64(1), &[Label::from("n")][..])
        );
        assert_eq!(by_level.ngroup().expect("numbers").to_vec::<i64>().expect("numbers"), [0, 0, 1, 0]);

        let rows =
            crate::df! { "n" => [1_i64, 2, 3] }.and_then(|f| f.with_index(&Index::new(["p", "q", "r"])?));
        let rows = rows.expect("a frame");
        let side =
            Series::new(["one", "two", "one"]).and_then(|s| s.with_index(&Index::new(["r", "q", "z"])?));
        let side = side.expect("a series").rename("n");
        // The row p has no key; the key is called as a column.
        let keys = || [GroupKey::values(&side)];
        let by_side = rows.group_by_with(keys()).expect("a key");
        assert_eq!(lines(&by_side.agg(col("n").sum().alias("sum")).expect("groups")), ["0 two 2", "1 one 3"]);
        let kept = by_side.clone().dropna(false).sort(true).agg(col("n").sum().alias("sum")).expect("groups");
        assert_eq!(lines(&kept), ["0 one 3", "1 two 2", "2 <NA> 1"]);
        let mixed = rows.group_by_with([GroupKey::from("n"), GroupKey::values(&side)]).expect("keys");
        assert_eq!(mixed.ngroup().expect("numbers").len(), 3);

        let twice =
            Series::new([1, 2]).and_then(|s| s.with_index(&Index::new(["p", "p"])?)).expect("a series");
        let error = rows.group_by_with([GroupKey::values(&twice)]).expect_err("labels that come twice");
        assert_eq!(error.kind(), ErrorKind::Value);
        assert_eq!(rows.group_by_with([GroupKey::level("z")]).expect_err("no level").kind(), ErrorKind::Key);
    });
}
