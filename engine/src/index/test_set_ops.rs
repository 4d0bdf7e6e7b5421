//! Labels as sets: results of pandas 3.1.1, and lists of labels.

use columnade_columns::{DType, Scalar};
use columnade_ops::distinct::Keep;

use super::{Index, RangeIndex, SetOrder};
use crate::alignment::LabelJoin;
use crate::dataframe::{DataFrame, Sample, SortOrder};
use crate::df;
use crate::error::{Error, Result};
use crate::locate::Every;
use crate::series::Series;
use crate::testing::on_every_device;

fn numbers(index: Result<Index>) -> Vec<Option<i64>> {
    let labels = index.and_then(|index| index.to_scalars()).expect("labels").swap_remove(0);
    labels.iter().map(|label| if let Scalar::Int64(value) = label { Some(*value) } else { None }).collect()
}

fn of(labels: &[i64]) -> Index {
    Index::new(labels.to_vec()).expect("numbers")
}

fn some(labels: &[i64]) -> Vec<Option<i64>> {
    labels.iter().copied().map(Some).collect()
}

/// Left, right, then union, intersection, difference and symmetric difference, each sorted and in order of appearance.
type Case<'a> = (&'a [i64], &'a [i64], [[&'a [i64]; 2]; 4]);

#[test]
fn set_operations_equal_those_of_pandas() {
    const NATURAL: SetOrder = SetOrder::Natural;
    const APPEARANCE: SetOrder = SetOrder::Appearance;
    let cases: [Case<'_>; 6] = [
        (
            &[3, 1, 2],
            &[2, 5, 3],
            [[&[1, 2, 3, 5], &[3, 1, 2, 5]], [&[2, 3], &[3, 2]], [&[1], &[1]], [&[1, 5], &[1, 5]]],
        ),
        (
            &[1, 1, 2],
            &[1, 3, 3],
            [[&[1, 1, 2, 3, 3], &[1, 1, 2, 3, 3]], [&[1], &[1]], [&[2], &[2]], [&[2, 3], &[2, 3]]],
        ),
        (
            &[2, 1, 1],
            &[1, 1, 1, 0],
            [[&[0, 1, 1, 1, 2], &[2, 1, 1, 1, 0]], [&[1], &[1]], [&[2], &[2]], [&[0, 2], &[2, 0]]],
        ),
        (&[3, 1], &[3, 1], [[&[3, 1], &[3, 1]], [&[3, 1], &[3, 1]], [&[], &[]], [&[], &[]]]),
        (&[2, 2, 1], &[], [[&[2, 2, 1], &[2, 2, 1]], [&[], &[]], [&[2, 1], &[2, 1]], [&[1, 2], &[2, 1]]]),
        (&[1, 1], &[1, 1], [[&[1, 1], &[1, 1]], [&[1], &[1]], [&[], &[]], [&[], &[]]]),
    ];
    on_every_device(|_| {
        for (left, right, expected) in &cases {
            let (a, b) = (of(left), of(right));
            for (at, order) in [NATURAL, APPEARANCE].into_iter().enumerate() {
                let found = [
                    a.union_with(&b, order),
                    a.intersection_with(&b, order),
                    a.difference_with(&b, order),
                    a.symmetric_difference_with(&b, order),
                ];
                for (which, found) in found.into_iter().enumerate() {
                    assert_eq!(
                        numbers(found),
                        some(expected[which][at]),
                        "{left:?} {right:?} {which} {order:?}"
                    );
                }
            }
            assert_eq!(numbers(a.union(&b)), some(expected[0][0]));
            assert_eq!(numbers(a.intersection(&b)), some(expected[1][1]));
            assert_eq!(numbers(a.difference(&b)), some(expected[2][0]));
            assert_eq!(numbers(a.symmetric_difference(&b)), some(expected[3][0]));
        }
        let (a, b) = (of(&[3, 1]).rename("k").expect("one"), of(&[3, 1]).rename("j").expect("one"));
        assert_eq!(a.union(&b).expect("labels").name(), &columnade_columns::Label::NULL);
        assert_eq!(numbers(a.union_with(&b, SetOrder::Sorted)), some(&[1, 3]));
        let nulls = Index::new([Some(2_i64), None, Some(1), None]).expect("numbers");
        assert_eq!(numbers(nulls.union(&of(&[7]))), [Some(1), Some(2), Some(7), None, None]);
        assert_eq!(numbers(nulls.difference(&of(&[7, 2]))), [Some(1), None]);
    });
}

#[test]
fn set_operations_of_many_labels_equal_lists() {
    on_every_device(|_| {
        for rows in [0_i64, 1, 31, 32, 33, 63, 64, 65, 500] {
            let all = |by: i64, extra: i64| (0..rows + extra).map(|row| row * by % 97).collect::<Vec<_>>();
            let (left, right) = (all(37, 3), all(13, 5));
            let slice = |all: &[i64], offset| of(all).slice(offset, all.len()).expect("fewer");
            let (a, b) = (slice(&left, 3), slice(&right, 1));
            let (left, right) = (&left[3..], &right[1..]);
            let count = |all: &[i64], label| all.iter().filter(|&&other| other == label).count();
            let made = |times: &dyn Fn(usize, usize) -> usize| {
                let labels = 0..97_i64;
                let counts = labels.map(|label| (label, times(count(left, label), count(right, label))));
                counts.flat_map(|(label, n)| std::iter::repeat_n(Some(label), n)).collect::<Vec<_>>()
            };
            let sorted = |found| numbers(found);
            let union = a.union_with(&b, SetOrder::Sorted);
            assert_eq!(sorted(union), made(&|l, r| l.max(r)), "{rows}");
            let common = a.intersection_with(&b, SetOrder::Sorted);
            assert_eq!(sorted(common), made(&|l, r| usize::from(l > 0 && r > 0)));
            let rest = a.difference_with(&b, SetOrder::Sorted);
            assert_eq!(sorted(rest), made(&|l, r| usize::from(l > 0 && r == 0)));
            let one = a.symmetric_difference_with(&b, SetOrder::Sorted);
            assert_eq!(sorted(one), made(&|l, r| usize::from((l > 0) != (r > 0))));
        }
    });
}

#[test]
fn ranges_that_meet_are_ranges() {
    on_every_device(|_| {
        let range = |start, step, len| Index::from(RangeIndex::new(start, step, len).expect("labels fit"));
        let union = range(0, 1, 5).union(&range(3, 1, 4)).expect("labels");
        assert!(matches!(&union, Index::Range(found) if found.len() == 7));
        let common = range(0, 2, 5).intersection(&range(4, 2, 4)).expect("labels");
        assert!(matches!(&common, Index::Range(found) if (found.start(), found.len()) == (4, 3)));
        assert_eq!(numbers(range(0, 1, 2).union(&range(4, 1, 2))), some(&[0, 1, 4, 5]));
        assert_eq!(numbers(range(0, 1, 4).difference(&range(1, 1, 2))), some(&[0, 3]));
        assert_eq!(numbers(range(3, -1, 3).union(&range(5, -1, 3))), some(&[1, 2, 3, 4, 5]));
    });
}

#[test]
fn labels_are_added_and_taken_away() {
    on_every_device(|_| {
        let labels = of(&[5, 7, 5, 9]);
        assert_eq!(numbers(labels.unique()), some(&[5, 7, 9]));
        let again = labels.duplicated(Keep::First).and_then(|again| again.to_vec::<bool>());
        assert_eq!(again.expect("booleans"), [false, false, true, false]);
        assert_eq!(numbers(labels.insert(1, 6)), some(&[5, 6, 7, 5, 9]));
        assert_eq!(numbers(labels.insert(4, 6_i64)), some(&[5, 7, 5, 9, 6]));
        assert_eq!(numbers(Index::of_rows(2).insert(0, 9)), some(&[9, 0, 1]));
        assert!(
            labels.insert(5, 6).is_err()
                && labels.insert(0, "x").is_err()
                && labels.insert(0, (1, 2)).is_err()
        );
        assert_eq!(numbers(labels.delete([0, -1])), some(&[7, 5]));
        assert_eq!(numbers(labels.delete([])), some(&[5, 7, 5, 9]));
        assert!(labels.delete([4]).is_err());
        assert_eq!(numbers(labels.drop([5])), some(&[7, 9]));
        assert!(matches!(labels.drop([5, 6]), Err(Error::MissingLabels { operation: "drop", .. })));
        let words = |words: &[&str]| Index::new(words.to_vec()).expect("strings");
        let joined = words(&["a", "b", "a"]).join(&words(&["b", "c"]), LabelJoin::Outer).expect("strings");
        assert_eq!(joined.0.to_scalars().expect("labels"), [["a", "a", "b", "c"].map(Scalar::from)]);
        assert_eq!(joined.1.to_vec::<i64>().expect("rows"), [0, 2, 1, -1]);
        assert_eq!(joined.2.to_vec::<i64>().expect("rows"), [-1, -1, 0, 1]);
    });
}

fn column(frame: &DataFrame, label: &str) -> Vec<Option<i32>> {
    frame.column(label).and_then(|column| column.to_options()).expect("numbers")
}

#[test]
fn rows_go_by_one_level_or_without_labels() {
    on_every_device(|_| {
        let frame = df! { "k" => ["a", "é", "a"], "y" => [1, 1, 2], "n" => [5, 6, 7] }.expect("columns");
        let by = frame.set_index(["k", "y"]).expect("columns");
        let of_a = by.xs("a", "k").expect("a label");
        assert_eq!(
            (of_a.index().names().to_vec(), column(&of_a, "n")),
            (vec!["y".into()], vec![Some(5), Some(7)])
        );
        let of_one = by.column("n").and_then(|n| n.xs(1, "y")).expect("a label");
        assert_eq!(of_one.to_vec::<i32>().expect("numbers"), [5, 6]);
        assert!(matches!(by.xs("z", "k"), Err(Error::MissingLabels { operation: "xs", .. })));
        assert!(matches!(by.xs(1, "z"), Err(Error::MissingLevel { operation: "xs", .. })));
        let one = frame.set_index("k").expect("a column");
        assert_eq!(one.xs("a", "k").expect("a label").index().names(), ["k"]);
        assert_eq!(column(&one.drop_rows(["a"]).expect("labels"), "n"), [Some(6)]);
        let gone = one.column("n").and_then(|n| n.drop_rows(["é"])).expect("labels");
        assert_eq!(gone.to_vec::<i32>().expect("numbers"), [5, 7]);
        assert!(matches!(one.drop_rows(["z"]), Err(Error::MissingLabels { operation: "drop_rows", .. })));
        let again = one.drop_rows(Vec::<&str>::new()).expect("no labels");
        assert_eq!(again.len(), 3);
    });
}

fn rows(series: &Series, options: Sample) -> Vec<i64> {
    series.sample(options).and_then(|rows| rows.to_vec()).expect("enough rows")
}

#[test]
fn sample_takes_rows_by_weight_and_seed() {
    let of_devices = std::cell::RefCell::new(Vec::new());
    on_every_device(|_| {
        let all = Series::new((0..1000_i64).collect::<Vec<_>>()).expect("numbers");
        let few = rows(&all, Sample::n(100).seed(3));
        let distinct: std::collections::BTreeSet<_> = few.iter().collect();
        assert_eq!((few.len(), distinct.len()), (100, 100));
        assert_eq!(few, rows(&all, Sample::frac(0.1).seed(3)));
        assert_ne!(few, rows(&all, Sample::n(100).seed(4)));
        assert!(!few.is_sorted(), "rows are shuffled");
        let mean = i64::try_from(few.len()).map(|len| few.iter().sum::<i64>() / len).expect("few");
        assert!((350..650).contains(&mean), "{mean}");
        let again = rows(&all, Sample::n(3000).replace(true));
        assert!(again.len() == 3000 && again.iter().all(|row| (0..1000).contains(row)));
        // Rows of weight 3 are three times as likely as those of weight 1, others do not come.
        let weights: Vec<f64> = (0..1000).map(|row| [3.0, 1.0, 0.0, 0.0][row % 4]).collect();
        let weights = Series::new(weights).expect("numbers");
        let share = |rows: &[i64], of: i64| rows.iter().filter(|&&row| row % 4 == of).count();
        let drawn = rows(&all, Sample::n(4000).replace(true).weights(&weights).seed(5));
        assert_eq!(share(&drawn, 0) + share(&drawn, 1), 4000);
        assert!((2800..3200).contains(&share(&drawn, 0)), "{}", share(&drawn, 0));
        let once = rows(&all, Sample::n(100).weights(&weights).seed(5));
        assert!(share(&once, 0) > share(&once, 1) && share(&once, 2) + share(&once, 3) == 0);
        assert_eq!(rows(&all, Sample::n(500).weights(&weights)).len(), 500);
        assert!(all.sample(Sample::n(501).weights(&weights)).is_err());
        assert!(all.sample(1001).is_err() && all.sample(Sample::frac(1.5)).is_err());
        assert!(all.sample(Sample::frac(-0.5)).is_err());
        let negative = Series::new([-1.0]).expect("a number");
        let error =
            all.head(1).and_then(|one| one.sample(Sample::n(1).weights(&negative))).expect_err("negative");
        assert!(error.to_string().contains("weights"), "{error}");
        let none = all.head(0).expect("no rows");
        assert_eq!(rows(&none, Sample::frac(0.5)), [0_i64; 0]);
        assert!(none.sample(Sample::n(1).replace(true)).is_err());
        of_devices.borrow_mut().push((few, again));
    });
    let of_devices = of_devices.into_inner();
    assert!(of_devices.windows(2).all(|pair| pair[0] == pair[1]), "the same rows on every device");
}

/// Products and tuples as `MultiIndex` of pandas 3.1.1 has them.
#[test]
fn labels_are_made_of_products_tuples_and_other_labels() {
    on_every_device(|_| {
        let levels = [("a", Series::new(["x", "y"])), ("b", Series::new(["1", "2", "3"]))];
        let levels = levels.map(|(name, level)| (name, level.expect("texts")));
        let product = Index::from_product(levels.clone()).expect("labels");
        let tuples = [("x", "1"), ("x", "2"), ("x", "3"), ("y", "1"), ("y", "2"), ("y", "3")];
        assert!(product.identical(&Index::from_tuples(tuples, ["a", "b"]).expect("labels")).expect("labels"));
        let [(a, of_a), (b, of_b)] = levels;
        let none = of_b.slice(0, 0).expect("no labels");
        assert_eq!(Index::from_product([(a, of_a), (b, none)]).expect("no labels").len(), 0);
        assert!(Index::from_tuples([("x", "1")], ["a"]).is_err());

        let all = Index::new([Some(9_i64), Some(5), None, Some(7), Some(5)]).expect("labels");
        let labels = all.slice(1, 4).and_then(|labels| labels.rename("n")).expect("labels");
        let (codes, uniques) = labels.factorize().expect("codes");
        assert_eq!(codes.to_options::<i64>().expect("codes"), [Some(0), None, Some(1), Some(0)]);
        assert_eq!(uniques.names(), ["n"]);
        assert!(uniques.equals(&Index::new([5_i64, 7]).expect("labels")).expect("labels"));
        let filled = labels.fill_null(6).and_then(|labels| labels.cast(DType::Float64)).expect("labels");
        let expected =
            Index::new([5.0, 6.0, 7.0, 5.0]).and_then(|floats| floats.rename("n")).expect("floats");
        assert!(filled.identical(&expected).expect("labels"));
        assert!(product.factorize().is_err() && product.cast(DType::Utf8).is_err());
        let (codes, _) = Index::of_rows(3).factorize().expect("codes of a range");
        assert_eq!(codes.to_vec::<i64>().expect("codes"), [0, 1, 2]);
    });
}

#[test]
fn ranges_stay_ranges_where_what_is_left_is_one() {
    let range = |start, step, len| Index::Range(RangeIndex::new(start, step, len).expect("a range"));
    let is_range = |index: Result<Index>, wanted: &Index| {
        let index = index.expect("labels");
        assert!(matches!(index, Index::Range(_)), "{index:?}");
        assert!(index.equals(wanted).expect("equals"), "{index:?} and {wanted:?}");
    };
    on_every_device(|_| {
        for (huge, len) in [(4_000_000_000_i64, 4_000_000_000_usize), (9, 9)] {
            let many = range(0, 1, len);
            let few = of(&[5, -1, 3, 5, huge]);
            assert_eq!(numbers(many.intersection(&few)), some(&[3, 5]));
            assert_eq!(numbers(range(huge - 1, -1, len).intersection(&few)), some(&[5, 3]));
            assert_eq!(numbers(few.intersection(&many)), some(&[5, 3]));
            assert_eq!(numbers(few.difference(&many)), some(&[-1, huge]));
            assert_eq!(few.is_in(&many).unwrap().to_vec::<bool>().unwrap(), [true, false, true, true, false]);
            assert_eq!(numbers(of(&[]).intersection(&many)), some(&[]));
            is_range(many.difference(&range(0, 1, 4)), &range(4, 1, len - 4));
            is_range(many.difference(&range(7, 1, len)), &range(0, 1, 7));
            is_range(many.difference(&range(-7, 1, 7)), &many);
            is_range(many.drop([0_i64, 1, huge - 1]), &range(2, 1, len - 3));
            is_range(many.delete([-1, 0, 1, 1]), &range(2, 1, len - 3));
            is_range(many.delete([0; 0]), &many);
            is_range(many.sort_values(SortOrder::descending()), &range(huge - 1, -1, len));
            is_range(range(huge - 1, -1, len).sort_values(..), &many);
            is_range(range(huge - 1, -1, len).difference(&range(huge - 1, -1, 1)), &range(0, 1, len - 1));
            assert!(matches!(many.drop([huge]), Err(Error::MissingLabels { .. })));
            assert!(many.delete([huge]).is_err());
        }
        let small = range(0, 2, 4);
        assert_eq!(numbers(small.difference(&range(2, 2, 1))), some(&[0, 4, 6]));
        assert_eq!(numbers(small.drop([2_i64])), some(&[0, 4, 6]));
        assert_eq!(numbers(small.delete([1])), some(&[0, 4, 6]));
        assert_eq!(numbers(small.delete([0, 1, 2, 3])), some(&[]));
        assert_eq!(numbers(small.difference(&of(&[4]))), some(&[0, 2, 6]));
        let frame = df! { "n" => [1, 2, 3, 4, 5] }.unwrap();
        for (rows, labels) in [((..).every(2), range(0, 2, 3)), ((..).every(-1), range(4, -1, 5))] {
            is_range(frame.iloc(rows).map(|frame| frame.index().clone()), &labels);
        }
        assert!(matches!(frame.iloc((9..).every(2)).unwrap().index(), Index::Range(_)));
        assert!(frame.iloc((..).every(0)).is_err());
    });
}
