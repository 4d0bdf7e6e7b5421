//! Joins with the nearest row before or after it, of keys that have an order and no distances, against the definition.

use super::asof_join::asof_join_with;
use super::{Asof, AsofStrategy, JoinSide, NullEquality, asof_join, check_sorted};
use crate::expression::lit;
use crate::out_of_core::Driver;
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, IntoColumn, categories, structs};
use columnade_kernels::Storage;
use columnade_tests::Rng;

/// Keys are less than this.
const KEYS: i64 = 60;

/// Texts in the order of the numbers, of several lengths.
fn word(number: i64) -> String {
    let tens = "é".repeat(usize::try_from(number / 10).unwrap());
    if number == 0 { String::new() } else { format!("{tens}{}", number % 10) }
}

/// Texts in the opposite order.
fn reversed(number: i64) -> String {
    word(KEYS - 1 - number)
}

fn all(name: impl Fn(i64) -> String) -> Vec<String> {
    (0..KEYS).map(name).collect()
}

/// The categories of all texts in another order than their own.
fn shuffled() -> Vec<String> {
    (0..KEYS).map(|k| word(k * 7 % KEYS)).collect()
}

type Keys<'a> = &'a [Option<i64>];
type Make = fn(Keys<'_>) -> Column;

/// How the keys of both sides are made of numbers, and the number of their place in order.
type Form = (Make, Make, fn(i64) -> i64);

fn column(values: impl IntoColumn) -> Column {
    values.into_column(&Exec::host()).unwrap()
}

fn words(keys: Keys<'_>) -> Vec<Option<String>> {
    keys.iter().map(|key| key.map(word)).collect()
}

fn in_order(keys: Keys<'_>, codes: Storage) -> Column {
    let keys: Vec<Option<String>> = keys.iter().map(|key| key.map(reversed)).collect();
    column(categories(keys).among(all(reversed)).ordered().codes(codes))
}

fn forms() -> Vec<Form> {
    let text: Make = |keys| column(words(keys));
    let found: Make = |keys| column(categories(words(keys)));
    let given: Make = |keys| column(categories(words(keys)).among(shuffled()).codes(Storage::I8));
    let numbers: Make = |keys| {
        let keys: Vec<Option<i64>> = keys.iter().map(|key| key.map(|key| -key)).collect();
        column(categories(keys).among((0..KEYS).map(|key| -key).collect::<Vec<_>>()).ordered())
    };
    let binary: Make = |keys| {
        let bytes = |key: i64| {
            let last = u8::try_from(key % 10).unwrap();
            [vec![0xff; usize::try_from(key / 10).unwrap()], vec![last]].concat()
        };
        let bytes: Vec<Option<Vec<u8>>> = keys.iter().map(|key| key.map(bytes)).collect();
        column(bytes.iter().map(|bytes| bytes.as_deref()).collect::<Vec<_>>())
    };
    let bools: Make =
        |keys| column(keys.iter().map(|key| key.map(|key| key >= KEYS / 2)).collect::<Vec<_>>());
    let lists: Make =
        |keys| column(keys.iter().map(|key| key.map(|key| vec![key / 10, key % 10])).collect::<Vec<_>>());
    let structures: Make = |keys| {
        let of = |field: fn(i64) -> i64| keys.iter().map(|key| key.map(field)).collect::<Vec<_>>();
        let tens: Vec<Option<String>> = of(|key| key / 10).into_iter().map(|key| key.map(word)).collect();
        column(structs([("tens", column(tens)), ("ones", column(of(|key| key % 10)))]))
            .with_validity(keys.iter().map(Option::is_some), &Exec::host())
            .unwrap()
    };
    vec![
        (text, text, |key| key),
        (found, given, |key| key),
        (text, given, |key| key),
        (found, text, |key| key),
        (|keys| in_order(keys, Storage::I8), |keys| in_order(keys, Storage::I16), |key| key),
        (numbers, numbers, |key| key),
        (binary, binary, |key| key),
        (bools, bools, |key| i64::from(key >= KEYS / 2)),
        (lists, lists, |key| key),
        (structures, structures, |key| key),
    ]
}

/// The right row of each left row, by looking at all.
fn nearest(
    left: &[[Option<i64>; 2]],
    right: &[[Option<i64>; 2]],
    is_by: bool,
    asof: &Asof,
) -> Vec<Option<i64>> {
    let is_backward = asof.strategy == AsofStrategy::Backward;
    let of_row = |[group, on]: &[Option<i64>; 2]| {
        let on = (*on)?;
        let is_allowed = |row: usize| {
            let [other_group, other] = right[row];
            let is_before = |other: i64| if is_backward { other < on } else { other > on };
            (!is_by || other_group == *group)
                && other.is_some_and(|other| is_before(other) || (asof.allow_exact_matches && other == on))
        };
        let mut rows = (0..right.len()).filter(|&row| is_allowed(row));
        let row = if is_backward { rows.next_back() } else { rows.next() };
        row.map(|row| i64::try_from(row).unwrap())
    };
    left.iter().map(of_row).collect()
}

fn side(rows: &[[Option<i64>; 2]], make: Make, exec: &Exec) -> ColumnAccessor {
    let [group, on] = [0, 1].map(|at| rows.iter().map(|row| row[at]).collect::<Vec<_>>());
    let numbers = Column::from_values((0_i64..).take(rows.len()), exec).unwrap();
    let on = make(&on).to_device(exec).unwrap();
    ColumnAccessor::from_columns([("by", group.into_column(exec).unwrap()), ("on", on), ("row", numbers)])
        .unwrap()
}

fn rows(n: usize, rng: &mut Rng) -> Vec<[Option<i64>; 2]> {
    // One of so many numbers is none.
    let mut number =
        |below: i64| i64::try_from(rng.below(below.unsigned_abs() + 1)).ok().filter(|&it| it < below);
    (0..n).map(|_| [number(3), number(KEYS)]).collect()
}

#[test]
fn asof_join_of_keys_with_an_order_alone_matches_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for (n, m) in [(0, 3), (3, 0), (40, 33), (150, 64)] {
            for (make_left, make_right, equal) in forms() {
                let equal_keys = |rows: Vec<[Option<i64>; 2]>| -> Vec<_> {
                    rows.into_iter().map(|[group, on]| [group, on.map(equal)]).collect()
                };
                let left_rows = rows(n, &mut rng);
                let mut right_rows = rows(m, &mut rng);
                // Ascending, nulls anywhere.
                let mut keys: Vec<i64> = right_rows.iter().filter_map(|row| row[1]).collect();
                keys.sort_unstable();
                let mut keys = keys.into_iter();
                for row in right_rows.iter_mut().filter(|row| row[1].is_some()) {
                    row[1] = keys.next();
                }
                let (left, right) =
                    (side(&left_rows, make_left, &exec), side(&right_rows, make_right, &exec));
                let (left_rows, right_rows) = (equal_keys(left_rows), equal_keys(right_rows));
                check_sorted(right.get("on").unwrap(), &exec).unwrap();
                for strategy in [AsofStrategy::Backward, AsofStrategy::Forward] {
                    for (allow_exact_matches, keys) in
                        [(true, &[1][..]), (false, &[1]), (true, &[0, 1]), (false, &[0, 1])]
                    {
                        let asof = Asof { strategy, allow_exact_matches, tolerance: None };
                        let expected = nearest(&left_rows, &right_rows, keys.len() > 1, &asof);
                        for budget in [3_000, usize::MAX] {
                            let driver = Driver::new(&exec).with_budget(budget);
                            let [left, right] =
                                [&left, &right].map(|columns| JoinSide { columns, keys, output: &[2] });
                            let joined =
                                asof_join_with(left, right, &asof, NullEquality::Equal, driver).unwrap();
                            let found = joined.right.unwrap().columns()[0].to_options::<i64>().unwrap();
                            let dtypes = [left, right].map(|side| side.columns.columns()[1].dtype());
                            let what = format!("{dtypes:?} {n} in {m}, {asof:?} by {keys:?} on {device}");
                            assert_eq!(found, expected, "{what}");
                        }
                    }
                }
            }
        }
    }
}

/// The first row that is less than one before it, nulls aside.
#[test]
fn order_of_every_dtype_is_checked() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (make, _, _) in forms() {
            for (keys, expected) in [
                (vec![Some(1), Some(1), None, Some(40)], None),
                (vec![None, Some(2), None, Some(31), Some(50), Some(3), Some(1)], Some(5)),
                (vec![Some(35), Some(2)], Some(1)),
                (vec![None, None], None),
                (vec![], None),
            ] {
                let column = make(&keys).to_device(&exec).unwrap();
                let found = check_sorted(&column, &exec);
                let expected = expected.map_or(Ok(()), |row| Err(Error::NotSorted { row }));
                assert_eq!(found, expected, "{} on {device}", column.dtype());
            }
        }
    }
}

fn joined(left: impl IntoColumn, right: impl IntoColumn, asof: &Asof) -> Result<Vec<Option<i64>>, Error> {
    let exec = Exec::host();
    let frame = |on: Column| {
        let rows = Column::from_values((0_i64..).take(on.size()), &exec).unwrap();
        ColumnAccessor::from_columns([("on", on), ("row", rows)]).unwrap()
    };
    let (left, right) = (frame(left.into_column(&exec).unwrap()), frame(right.into_column(&exec).unwrap()));
    let [left, right] = [&left, &right].map(|columns| JoinSide { columns, keys: &[0], output: &[1] });
    let joined = asof_join(left, right, asof, NullEquality::Equal, &exec)?;
    joined.right.unwrap().columns()[0].to_options()
}

fn backward() -> Asof {
    Asof { strategy: AsofStrategy::Backward, allow_exact_matches: true, tolerance: None }
}

#[test]
fn nearest_and_tolerance_of_keys_without_distances_are_refused() {
    let refused = |dtype| Error::NoDistance { dtype }.in_key(0);
    let nearest = Asof { strategy: AsofStrategy::Nearest, ..backward() };
    let within = Asof { tolerance: Some(lit(1)), ..backward() };
    for asof in [nearest, within] {
        assert_eq!(joined(["a"], ["a"], &asof).unwrap_err(), refused(DType::Utf8));
        assert_eq!(joined([true], [true], &asof).unwrap_err(), refused(DType::Bool));
        let sizes = || categories([1_i64]).ordered();
        let dtype = sizes().into_column(&Exec::host()).unwrap().dtype();
        let error = joined(sizes(), sizes(), &asof).unwrap_err();
        assert_eq!((error.kind(), error), (ErrorKind::Type, refused(dtype)));
        // The values of a dictionary without an order have distances.
        assert_eq!(joined(categories([5_i64]), [4_i64], &asof).unwrap(), [Some(0)]);
    }
}

#[test]
fn ordered_dictionaries_go_with_those_of_the_same_categories_alone() {
    let sizes = |order: [&'static str; 2]| categories(["low"]).among(order).ordered();
    let low_first = || sizes(["low", "high"]);
    assert_eq!(joined(low_first(), low_first(), &backward()).unwrap(), [Some(0)]);
    let error = joined(low_first(), sizes(["high", "low"]), &backward()).unwrap_err();
    assert!(error.to_string().contains("key 0: dictionaries: "), "{error}");
    for error in [
        joined(low_first(), ["low"], &backward()).unwrap_err(),
        joined(["low"], low_first(), &backward()).unwrap_err(),
        joined(low_first(), categories(["low"]), &backward()).unwrap_err(),
    ] {
        assert!(matches!(error.clone().without_context(), Error::DTypeMismatch { .. }), "{error}");
        assert!(error.to_string().starts_with("key 0: "), "{error}");
    }
}

#[test]
fn null_keys_match_nothing_whatever_the_other_dtype_is() {
    let nulls = || Column::full_null(&DType::Null, 2, &Exec::host()).unwrap();
    let none = [None, None];
    assert_eq!(joined(nulls(), ["a"], &backward()).unwrap(), none);
    assert_eq!(joined(["a", "b"], nulls(), &backward()).unwrap(), none);
    assert_eq!(joined(nulls(), nulls(), &backward()).unwrap(), none);
    check_sorted(&nulls(), &Exec::host()).unwrap();
}
