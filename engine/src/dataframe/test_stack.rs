//! Stacking and its inverse on every device, against outputs of pandas 3.1.1 and against themselves.

use columnade_columns::{ErrorKind, Label, LevelKey, Scalar};
use columnade_tests::{Rng, SIZES};

use super::{DataFrame, Unstack};
use crate::error::Result;
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

fn of_series(series: &Series) -> Vec<String> {
    lines(&series.to_frame())
}

fn quarters() -> DataFrame {
    let months = crate::df! {
        "k" => ["a", "a", "b", "b"], "q" => [2, 1, 2, 1], "x" => [1, 2, 4, 5], "y" => [Some(3.5), None, Some(6.5), None],
    };
    months.and_then(|frame| frame.set_index(["k", "q"])).expect("a frame")
}

#[test]
fn unstack_matches_pandas() {
    on_every_device(|_| {
        let frame = crate::df! {
            "a" => ["x", "y", "x"], "b" => [2_i64, 1, 1], "v" => [Some(1.0), Some(2.0), None], "w" => [1_i64, 2, 3],
        };
        let frame = frame.and_then(|frame| frame.set_index(["a", "b"])).expect("a frame");
        let wide = frame.unstack().expect("a frame");
        let labels: [Label; 4] = [("v", 1).into(), ("v", 2).into(), ("w", 1).into(), ("w", 2).into()];
        assert_eq!(wide.columns(), labels);
        assert_eq!(lines(&wide), ["x <NA> 1.0 3 1", "y 2.0 <NA> 2 <NA>"]);
        assert_eq!(wide.index().names(), ["a"]);
        assert_eq!(wide.frame().accessor().levels().names(), [None, Some("b".into())]);
        let filled = frame.unstack_with(&Unstack::new().levels(["a"]).fill_value(0)).expect("a frame");
        // The null of a row stays.
        assert_eq!(lines(&filled), ["1 <NA> 2.0 3 2", "2 1.0 0.0 1 0"]);
        let w = frame.column("w").expect("a column");
        assert_eq!(w.unstack().expect("a frame").columns(), [Label::from(1), Label::from(2)]);
        let filled = w.unstack_with(&Unstack::new().levels([0]).fill_value(-1)).expect("a frame");
        assert_eq!(lines(&filled), ["1 3 2", "2 1 -1"]);
    });
}

#[test]
fn stack_matches_pandas() {
    on_every_device(|_| {
        let wide = quarters().unstack().expect("a frame");
        let wide = wide.drop([Label::from(("y", 1))]).expect("a frame");
        let all = wide.stack().expect("a series");
        assert_eq!(all.index().names(), [Label::from("k"), Label::NULL, Label::from("q")]);
        let expected = ["a x 1 2.0", "a x 2 1.0", "a y 2 3.5", "b x 1 5.0", "b x 2 4.0", "b y 2 6.5"];
        assert_eq!(of_series(&all), expected);
        let long = wide.stack_levels(["q"]).expect("a frame");
        assert_eq!(long.columns(), ["x", "y"]);
        assert_eq!(lines(&long), ["a 1 2 <NA>", "a 2 1 3.5", "b 1 5 <NA>", "b 2 4 6.5"]);
        let other = wide.stack_levels([0]).expect("a frame");
        assert_eq!(other.columns(), [Label::from(1), Label::from(2)]);
        assert_eq!(lines(&other), ["a x 2 1.0", "a y <NA> 3.5", "b x 5 4.0", "b y <NA> 6.5"]);
    });
}

#[test]
fn stacked_frames_are_restored() {
    on_every_device(|_| {
        let mut rng = Rng::new(7);
        for rows in SIZES.into_iter().filter(|&rows| rows > 0 && rows < 700) {
            let k: Vec<i64> = (0..i64::try_from(rows + 2).expect("few")).collect();
            let made = |rng: &mut Rng| -> Vec<Option<i64>> {
                (0..rows + 2).map(|_| (rng.below(4) > 0).then(|| rng.below(100).cast_signed())).collect()
            };
            let frame =
                crate::df! { "k" => k, "a" => made(&mut rng), "b" => made(&mut rng), "ü" => made(&mut rng) };
            // Rows of a larger frame, at an odd offset.
            let frame = frame.and_then(|frame| frame.slice(1, rows)?.set_index("k")).expect("a frame");
            let stacked = frame.stack().expect("a series");
            let mut expected = Vec::new();
            let columns: Vec<Vec<Scalar>> =
                ["a", "b", "ü"].iter().map(|label| crate::testing::values(&frame, *label)).collect();
            for row in 0..rows {
                expected.extend(columns.iter().map(|column| column[row].clone()));
            }
            assert_eq!(stacked.to_scalars().expect("values"), expected, "{rows} rows");
            let restored = stacked.unstack().expect("a frame");
            assert_eq!(restored.difference(&frame).expect("frames of one device"), None, "{rows} rows");
        }
    });
}

#[test]
fn frames_without_a_stack_are_refused() {
    fn kind<T>(result: Result<T>) -> ErrorKind {
        result.err().expect("an error").kind()
    }
    on_every_device(|_| {
        let frame = quarters();
        let by = |level: LevelKey| Unstack::new().levels([level]);
        assert_eq!(kind(frame.unstack_with(&by("z".into()))), ErrorKind::Key);
        assert_eq!(kind(frame.unstack_with(&by(2.into()))), ErrorKind::Index);
        assert_eq!(kind(frame.unstack_with(&Unstack::new().levels([0, 1]))), ErrorKind::Value);
        let wrong = frame.unstack_with(&by("q".into()).fill_value("none")).expect_err("an error");
        assert!(wrong.to_string().contains("column \"x\""), "{wrong}");
        assert_eq!(kind(frame.reset_index().and_then(|rows| rows.unstack())), ErrorKind::Value);
        assert_eq!(kind(frame.stack_levels([0])), ErrorKind::Value);
        let twice = crate::concat([&frame, &frame]).expect("a frame");
        assert!(twice.unstack().expect_err("an error").to_string().contains("the entry"), "equal labels");
        let words = crate::df! { "s" => ["a"], "n" => [1] }.expect("a frame");
        assert_eq!(kind(words.stack()), ErrorKind::Type);
        assert_eq!(kind(DataFrame::empty().and_then(|none| none.stack())), ErrorKind::Value);
        let none = frame.slice(0, 0).expect("no rows");
        assert!(none.stack().expect("a series").is_empty());
        assert_eq!(none.unstack().expect("a frame").shape(), (0, 0));
    });
}
