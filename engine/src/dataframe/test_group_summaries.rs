//! Counts, the largest rows, samples and statistics of pairs by group, on every device, against loops over the rows.

use columnade_columns::Scalar;
use columnade_ops::sort::Ties;
use columnade_tests::Rng;

use super::{DataFrame, Sample};
use crate::series::ValueCounts;
use crate::testing::on_every_device;

type Row = (Option<i64>, Option<i64>, f64);

/// Rows of a frame with few keys and values, both with nulls, and labels that are not a range.
fn rows(len: usize, rng: &mut Rng) -> (DataFrame, Vec<Row>) {
    let of = |value: u64| if value == 0 { None } else { i64::try_from(value).ok() };
    let rows: Vec<Row> = (0..len)
        .map(|_| {
            let share = u32::try_from(rng.below(100)).map_or(0.0, f64::from);
            (of(rng.below(5)), of(rng.below(4)), share / 4.0)
        })
        .collect();
    let frame = crate::df! {
        "k" => rows.iter().map(|row| row.0).collect::<Vec<_>>(),
        "v" => rows.iter().map(|row| row.1).collect::<Vec<_>>(),
        "x" => rows.iter().map(|row| row.2).collect::<Vec<_>>(),
        "label" => (0..len).map(|row| format!("r{row}")).collect::<Vec<_>>(),
    };
    (frame.and_then(|frame| frame.set_index("label")).expect("a frame"), rows)
}

/// The keys in the order of their first rows.
fn keys(rows: &[Row], sorted: bool) -> Vec<i64> {
    let mut found: Vec<i64> = Vec::new();
    for key in rows.iter().filter_map(|row| row.0) {
        if !found.contains(&key) {
            found.push(key);
        }
    }
    if sorted {
        found.sort_unstable();
    }
    found
}

const SIZES: [usize; 8] = [0, 1, 2, 31, 33, 65, 257, 1500];

#[test]
fn counts_of_values_match_loop() {
    on_every_device(|_| {
        let mut rng = Rng::new(11);
        for len in SIZES {
            let (frame, rows) = rows(len, &mut rng);
            for (sorted, by_count, ascending, dropna) in [
                (true, true, false, true),
                (false, true, true, false),
                (false, false, false, true),
                (true, false, false, false),
            ] {
                let mut expected: Vec<(i64, Option<i64>, i64)> = Vec::new();
                for key in keys(&rows, sorted) {
                    let mut counts: Vec<(Option<i64>, i64)> = Vec::new();
                    for row in rows.iter().filter(|row| row.0 == Some(key) && !(dropna && row.1.is_none())) {
                        match counts.iter_mut().find(|count| count.0 == row.1) {
                            Some(count) => count.1 += 1,
                            None => counts.push((row.1, 1)),
                        }
                    }
                    if by_count {
                        counts.sort_by_key(|count| if ascending { count.1 } else { -count.1 });
                    }
                    expected.extend(counts.into_iter().map(|(value, count)| (key, value, count)));
                }
                if !sorted && dropna {
                    // A group whose values are all null has none, and the others keep their order.
                    let of_values: Vec<Row> = rows.iter().filter(|row| row.1.is_some()).copied().collect();
                    let order = keys(&of_values, false);
                    expected.sort_by_key(|row| order.iter().position(|key| *key == row.0));
                }
                let options = ValueCounts::new().sort(by_count).ascending(ascending).dropna(dropna);
                let found = frame.group_by("k").sort(sorted).value_counts_with("v", options).expect("counts");
                let levels = found.index().to_scalars().expect("labels");
                let counts = found.to_vec::<i64>().expect("counts");
                let found: Vec<_> = (0..counts.len())
                    .map(|row| {
                        let Scalar::Int64(key) = levels[0][row] else { panic!("a key is null") };
                        let value =
                            if let Scalar::Int64(value) = levels[1][row] { Some(value) } else { None };
                        (key, value, counts[row])
                    })
                    .collect();
                assert_eq!(
                    found, expected,
                    "{len} rows, sorted {sorted}, by count {by_count}, dropna {dropna}"
                );
            }
            let shares =
                frame.group_by("k").sort(true).value_counts_with("v", ValueCounts::new().normalize(true));
            let shares = shares.expect("shares");
            assert_eq!(shares.name(), "proportion");
            let total: f64 = shares.to_vec::<f64>().expect("shares").iter().sum();
            let groups = keys(&rows.iter().filter(|row| row.1.is_some()).copied().collect::<Vec<_>>(), true);
            let groups = u32::try_from(groups.len()).map_or(0.0, f64::from);
            assert!((total - groups).abs() < 1e-9, "{total} of {groups}");
        }
    });
}

#[test]
fn largest_rows_match_loop() {
    on_every_device(|_| {
        let mut rng = Rng::new(12);
        for len in SIZES {
            let (frame, rows) = rows(len, &mut rng);
            for (sorted, largest, keep, n) in [
                (true, true, Ties::First, 3),
                (false, true, Ties::Last, 2),
                (true, false, Ties::All, 1),
                (false, false, Ties::Last, 5),
                (true, true, Ties::First, 0),
            ] {
                let mut expected = Vec::new();
                for key in keys(&rows, sorted) {
                    let mut group: Vec<(usize, i64)> = rows
                        .iter()
                        .enumerate()
                        .filter(|(_, row)| row.0 == Some(key))
                        .filter_map(|(at, row)| Some((at, row.1?)))
                        .collect();
                    if keep == Ties::Last {
                        group.reverse();
                    }
                    group.sort_by_key(|(_, value)| if largest { -value } else { *value });
                    let end = if keep == Ties::All && n > 0 && n <= group.len() {
                        group.iter().rposition(|row| row.1 == group[n - 1].1).map_or(0, |last| last + 1)
                    } else {
                        n.min(group.len())
                    };
                    expected.extend(group[..end].iter().map(|(at, value)| (key, format!("r{at}"), *value)));
                }
                let groups = frame.group_by("k").sort(sorted);
                let found =
                    if largest { groups.nlargest(n, "v", keep) } else { groups.nsmallest(n, "v", keep) };
                let found = found.expect("rows");
                let levels = found.index().to_scalars().expect("labels");
                let values = found.column("v").and_then(|values| values.to_vec::<i64>()).expect("values");
                let found: Vec<_> = (0..values.len())
                    .map(|row| {
                        let (Scalar::Int64(key), Scalar::Utf8(label)) = (&levels[0][row], &levels[1][row])
                        else {
                            panic!("a label is null")
                        };
                        (*key, label.clone(), values[row])
                    })
                    .collect();
                assert_eq!(found, expected, "{len} rows, sorted {sorted}, largest {largest}, {keep:?}");
            }
        }
    });
}

#[test]
fn samples_have_rows_of_each_group() {
    on_every_device(|_| {
        let mut rng = Rng::new(13);
        let (frame, rows) = rows(1500, &mut rng);
        let by = || frame.group_by("k");
        let found = by().sample(Sample::n(7).seed(1)).expect("rows");
        let of_keys =
            |found: &DataFrame| found.column("k").and_then(|keys| keys.to_vec::<i64>()).expect("keys");
        let taken = of_keys(&found);
        for key in keys(&rows, true) {
            assert_eq!(taken.iter().filter(|taken| **taken == key).count(), 7);
        }
        // Other seeds take other rows, one seed the same ones; labels stay with their rows, in order, once.
        let labels = |found: &DataFrame| found.index().to_scalars().expect("labels").swap_remove(0);
        let again = by().sample(Sample::n(7).seed(1)).expect("rows");
        assert_eq!(labels(&found), labels(&again));
        assert_ne!(labels(&found), labels(&by().sample(Sample::n(7).seed(2)).expect("rows")));
        let places: Vec<usize> = labels(&found)
            .iter()
            .filter_map(|label| label.to_string().trim_start_matches('r').parse().ok())
            .collect();
        assert!(places.len() == found.len() && places.is_sorted_by(|one, next| one < next));
        for (place, key) in places.iter().zip(&taken) {
            assert_eq!(rows[*place].0, Some(*key));
        }
        // A share is one of each group, half to even.
        let half = of_keys(&by().sample(Sample::frac(0.5)).expect("rows"));
        for key in keys(&rows, true) {
            let all = rows.iter().filter(|row| row.0 == Some(key)).count();
            let expected = if all % 4 == 3 { all / 2 + 1 } else { all / 2 };
            assert_eq!(half.iter().filter(|taken| **taken == key).count(), expected, "{all} rows");
        }
        // Rows without a weight are not taken.
        let weights = frame.column("v").and_then(|values| values.fill_null(0)).expect("weights");
        let found = by().sample(Sample::n(9).weights(&weights).seed(4)).expect("rows");
        let values = found.column("v").and_then(|values| values.to_options::<i64>()).expect("values");
        assert!(values.len() == 9 * keys(&rows, true).len() && values.iter().all(Option::is_some));
        assert!(by().sample(Sample::n(1400)).is_err());
        assert_eq!(frame.slice(0, 0).expect("no rows").group_by("k").sample(3).expect("no rows").len(), 0);
    });
}

#[test]
fn statistics_of_pairs_match_those_of_each_group() {
    on_every_device(|_| {
        let mut rng = Rng::new(14);
        let (frame, rows) = rows(300, &mut rng);
        let groups = frame.group_by("k").sort(true);
        let found = [groups.corr(["v", "x"]), groups.cov(["v", "x"]), groups.cov_ddof(["v", "x"], 0)];
        for (which, found) in found.into_iter().enumerate() {
            let found = found.expect("statistics");
            assert_eq!(found.index().names().len(), 2);
            for key in keys(&rows, true) {
                let pairs: Vec<(f64, f64)> = rows
                    .iter()
                    .filter(|row| row.0 == Some(key))
                    .filter_map(|row| Some((f64::from(i32::try_from(row.1?).ok()?), row.2)))
                    .collect();
                let count = u32::try_from(pairs.len()).map_or(0.0, f64::from);
                let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
                let (mean_v, mean_x) = (mean(|pair| pair.0), mean(|pair| pair.1));
                let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
                let both = sum(&|pair| (pair.0 - mean_v) * (pair.1 - mean_x));
                let squares =
                    [sum(&|pair| (pair.0 - mean_v).powi(2)), sum(&|pair| (pair.1 - mean_x).powi(2))];
                let expected = match which {
                    0 => both / (squares[0] * squares[1]).sqrt(),
                    1 => both / (count - 1.0),
                    _ => both / count,
                };
                for (row, column) in [("v", "x"), ("x", "v")] {
                    let Scalar::Float64(value) = found.at((key, row), column).expect("a value") else {
                        panic!("no float")
                    };
                    assert!((value - expected).abs() < 1e-9, "group {key}: {value}, not {expected}");
                }
            }
        }
    });
}
