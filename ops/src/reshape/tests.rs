//! Reshaping on every device, against naive references.

use super::{RepeatCounts, interleave, melt, pivot, repeat, repeat_rows, stack, tile, tile_rows, transpose};
use crate::selection::{Step, fold};
use crate::test_frames::{KEYS, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Label, Scalar};
use columnade_tests::{Nulls, Rng};
use std::collections::BTreeMap;

const SIZES: [usize; 9] = [0, 1, 31, 32, 33, 63, 65, 255, 257];

fn rows(n: usize, nulls: Nulls, exec: &Exec) -> ColumnAccessor {
    frame(n + 3, 40, nulls, &mut Rng::new(n as u64), exec).slice(3, n).unwrap()
}

#[test]
fn repeated_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let rows = rows(n, if n % 2 == 0 { Nulls::Some } else { Nulls::NoMask }, &exec);
            let all = lines(&rows);
            for count in [0, 1, 2, 3] {
                let tiled: Vec<_> = (0..count).flat_map(|_| all.clone()).collect();
                assert_eq!(lines(&tile(&rows, count, &exec).unwrap()), tiled, "{device}, {n}, {count}");
                let repeated: Vec<_> =
                    all.iter().flat_map(|line| std::iter::repeat_n(line.clone(), count)).collect();
                assert_eq!(lines(&repeat(&rows, count, &exec).unwrap()), repeated, "{device}, {n}, {count}");
            }
        }
        let one = ColumnAccessor::from_columns([("n", Column::from_slice(&[1_i64, 2], &exec).unwrap())]);
        let refused = tile(&one.unwrap(), usize::MAX / 2, &exec).unwrap_err();
        assert_eq!(refused, Error::Overflow { dtype: DType::Int64 });
    }
}

/// More copies of a row, and more rows, than a row map makes at once.
#[test]
fn many_copies_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, count) in [(1, 255), (1, 256), (1, 257), (3, 300), (2, 1025), (255, 3), (257, 3), (40, 13)] {
            let rows = rows(n, Nulls::Some, &exec);
            let all = lines(&rows);
            let tiled: Vec<_> = (0..count).flat_map(|_| all.clone()).collect();
            assert_eq!(lines(&tile(&rows, count, &exec).unwrap()), tiled, "{device}, {n}, {count}");
            let repeated: Vec<_> =
                all.iter().flat_map(|line| std::iter::repeat_n(line.clone(), count)).collect();
            assert_eq!(lines(&repeat(&rows, count, &exec).unwrap()), repeated, "{device}, {n}, {count}");
        }
    }
}

#[test]
fn reshaped_rows_keep_the_limit_of_memory() {
    type Reshape = fn(&ColumnAccessor, &Exec) -> ColumnAccessor;
    fn together(columns: &[Column]) -> ColumnAccessor {
        let named = columns.iter().enumerate().map(|(at, column)| (at.to_string(), column.clone()));
        ColumnAccessor::from_columns(named).unwrap()
    }
    let cases: [(&str, Reshape); 5] = [
        ("melt", |rows, exec| {
            let made = melt(rows, ["text", "word"], ["i8", "i64", "u16"], exec).unwrap();
            let mut columns = made.ids.columns().to_vec();
            columns.extend(made.variables);
            columns.push(made.values);
            together(&columns)
        }),
        ("stack", |rows, exec| {
            let values = rows.select(["i8", "i64", "u16"]).unwrap();
            let made = stack(rows.select(["text", "word"]).unwrap().columns(), &values, &[0], exec).unwrap();
            let mut columns = [made.rows, made.keys].concat();
            columns.extend(made.values.into_iter().map(|(_, values)| values));
            together(&columns)
        }),
        ("interleave", |rows, exec| {
            let words = [rows.get("word").unwrap(), rows.get("word").unwrap()];
            together(&[interleave(&words, exec).unwrap()])
        }),
        ("tile", |rows, exec| tile(rows, 3, exec).unwrap()),
        ("repeat", |rows, exec| repeat(rows, 3, exec).unwrap()),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // Beside the smallest chunk the row maps of fewer rows pass a limit.
        let n = if device == Device::Host { 24_000 } else { 6000 };
        let rows = frame(n, 5000, Nulls::Some, &mut Rng::new(11), &exec);
        let limit = share_of(rows.row_bytes().unwrap(), 4, device);
        for (what, reshape) in &cases {
            let expected = lines(&reshape(&rows, &exec));
            let (manager, tight) = limited(&exec, limit);
            let source = moved(&rows, &tight);
            let (peak, found) = peak_of(&manager, || reshape(&source, &tight));
            assert!(peak <= limit, "{what}, {device}: {peak} of {limit}");
            assert_eq!(lines(&found), expected, "{what}, {device}");
        }
    }
}

/// The rows that a step takes of `rows`.
fn taken(rows: usize, step: Step, exec: &Exec) -> Vec<i64> {
    let whole = crate::selection::range_labels(0, 1, rows, exec).unwrap();
    let len = step.len();
    let folded = fold(&[step], exec).unwrap();
    let (offset, kept) = folded.slice.unwrap_or((0, rows));
    let part = whole.slice(offset, kept).unwrap();
    let part = match folded.map {
        Some(map) => {
            crate::copying::gather_column(&part, &map, crate::copying::MapNulls::Never, exec).unwrap()
        }
        None => part,
    };
    assert_eq!(part.size(), len);
    part.to_vec::<i64>().unwrap()
}

#[test]
fn steps_of_repeated_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        for n in SIZES {
            let all: Vec<i64> = (0..i64::try_from(n).unwrap()).collect();
            for count in [0, 1, 2, 5] {
                let expected: Vec<i64> = all.iter().flat_map(|&row| vec![row; count]).collect();
                let step = repeat_rows(n, RepeatCounts::Same(count), &exec).unwrap();
                assert_eq!(taken(n, step, &exec), expected, "{device} {n} {count}");
                let step = tile_rows(n, count, &exec).unwrap();
                assert_eq!(taken(n, step, &exec), all.repeat(count), "{device} {n} {count}");
            }
            for most in [1, 2, 7] {
                let counts: Vec<u8> = (0..n).map(|_| u8::try_from(rng.below(most)).unwrap()).collect();
                let expected: Vec<i64> =
                    all.iter().zip(&counts).flat_map(|(&row, &count)| vec![row; count.into()]).collect();
                let counts = Column::from_values(counts, &exec).unwrap();
                let step = repeat_rows(n, RepeatCounts::Each(&counts), &exec).unwrap();
                assert_eq!(taken(n, step, &exec), expected, "{device} {n} below {most}");
            }
        }
    }
}

#[test]
fn counts_that_are_none_are_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let refused = |counts: Column| repeat_rows(2, RepeatCounts::Each(&counts), &exec).unwrap_err();
        let ints = |values: Vec<i64>| Column::from_values(values, &exec).unwrap();
        assert!(matches!(refused(ints(vec![1, -1])), Error::InvalidArgument { name: "counts", .. }));
        let nulls = Column::from_options(vec![Some(1_i64), None], &exec).unwrap();
        assert!(matches!(refused(nulls), Error::InvalidArgument { name: "counts", .. }));
        assert_eq!(refused(ints(vec![1])), Error::LengthMismatch { expected: 2, found: 1 });
        let floats = Column::from_values(vec![1.0, 2.0], &exec).unwrap();
        assert_eq!(refused(floats), Error::UnsupportedDType { dtype: DType::Float64 });
        // Their sum is 2⁶⁴, which is 0 in 64 bits.
        let four = ints(vec![1 << 62; 4]);
        let sum = repeat_rows(4, RepeatCounts::Each(&four), &exec).unwrap_err();
        assert_eq!(sum, Error::Overflow { dtype: DType::Int64 });
        let large = repeat_rows(2, RepeatCounts::Same(1 << 62), &exec).unwrap_err();
        assert_eq!(large, Error::Overflow { dtype: DType::Int64 });
        let wide = Column::from_values(vec![u64::MAX, 1], &exec).unwrap();
        assert_eq!(refused(wide).kind(), ErrorKind::Overflow);
    }
}

#[test]
fn columns_become_rows_and_back() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            for label in ["text", "f64", "bool", "word", "price"] {
                let values = rows(3 * n, Nulls::Some, &exec).get(label).unwrap().clone();
                let parts: Vec<Column> = (0..3).map(|part| values.slice(part * n, n).unwrap()).collect();
                let scalars: Vec<Vec<String>> = parts.iter().map(texts).collect();
                let expected: Vec<String> =
                    (0..n).flat_map(|row| scalars.iter().map(move |column| column[row].clone())).collect();
                let found = interleave(&parts.iter().collect::<Vec<_>>(), &exec).unwrap();
                assert_eq!(texts(&found), expected, "{device}, {n}, {label}");

                let columns = ["a", "b", "c"].into_iter().zip(parts.clone());
                let columns = ColumnAccessor::from_columns(columns).unwrap();
                let turned = transpose(&columns, &exec).unwrap();
                assert_eq!(turned.len(), n);
                for (row, column) in turned.iter().enumerate() {
                    let of_row: Vec<String> = scalars.iter().map(|column| column[row].clone()).collect();
                    assert_eq!(texts(column), of_row, "{device}, {n}, {label}");
                }
            }
        }
        assert_eq!(interleave(&[], &exec).unwrap_err().kind(), ErrorKind::Value);
        let none = transpose(&ColumnAccessor::with_rows(2), &exec).unwrap();
        assert!(none.len() == 2 && none.iter().all(Column::is_empty));
    }
}

#[test]
fn melted_columns_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let rows = rows(n, Nulls::Some, &exec);
            let melted = melt(&rows, ["text"], ["i8", "i64", "u16"], &exec).unwrap();
            let ids = texts(rows.get("text").unwrap());
            assert_eq!(texts(melted.ids.get("text").unwrap()), [&ids[..], &ids, &ids].concat());
            let expected: Vec<String> =
                ["i8", "i64", "u16"].iter().flat_map(|label| texts(rows.get(*label).unwrap())).collect();
            assert_eq!(texts(&melted.values), expected, "{device}, {n}");
            assert_eq!(melted.values.dtype(), DType::Int64);
            let labels: Vec<String> =
                ["i8", "i64", "u16"].iter().flat_map(|label| vec![(*label).to_owned(); n]).collect();
            assert_eq!(texts(&melted.variables[0]), labels, "{device}, {n}");
        }
        let numbers = |labels: [Label; 2]| {
            let column = || Column::from_slice(&[1_i64], &exec).unwrap();
            let rows = ColumnAccessor::from_columns(labels.map(|label| (label, column()))).unwrap();
            let melted = melt(&rows, Vec::<Label>::new(), rows.labels(), &exec).unwrap();
            melted.variables.iter().map(|column| (column.dtype(), texts(column))).collect::<Vec<_>>()
        };
        let text = |values: [&str; 2]| values.map(str::to_owned).to_vec();
        assert_eq!(numbers([1998.into(), 1999.into()]), [(DType::Int64, text(["1998", "1999"]))]);
        assert_eq!(numbers([1998.into(), "a".into()]), [(DType::Utf8, text(["1998", "a"]))]);
        let levels = numbers([("a", 1).into(), ("b", 2).into()]);
        assert_eq!(levels, [(DType::Utf8, text(["a", "b"])), (DType::Int64, text(["1", "2"]))]);
        let rows = rows(3, Nulls::Some, &exec);
        assert_eq!(melt(&rows, ["i8"], ["text", "f64"], &exec).unwrap_err().kind(), ErrorKind::Type);
        assert!(melt(&rows, ["no"], ["i8"], &exec).is_err());
        assert_eq!(melt(&rows, ["i8"], Vec::<&str>::new(), &exec).unwrap().values.size(), 0);
    }
}

fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(|value| value.to_string().replace("-0.0", "0.0")).collect()
}

/// Distinct values in the order of a sort.
fn sorted(keys: &ColumnAccessor, exec: &Exec) -> Vec<Vec<String>> {
    let by: Vec<_> = (0..keys.len())
        .map(|position| crate::sort::SortColumn {
            position,
            order: crate::sort::Order::Ascending,
            nulls: crate::sort::NullOrder::Last,
        })
        .collect();
    let rows = crate::sort::sort_by(keys, &by, exec).unwrap();
    let mut rows = tuples(&rows);
    rows.dedup();
    rows
}

fn tuples(columns: &ColumnAccessor) -> Vec<Vec<String>> {
    let texts: Vec<Vec<String>> = columns.columns().iter().map(texts).collect();
    (0..columns.rows()).map(|row| texts.iter().map(|column| column[row].clone()).collect()).collect()
}

#[test]
fn pivoted_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            for (row_labels, column_labels) in [
                (vec!["i8"], vec!["text"]),
                (vec!["word", "bool"], vec!["i64"]),
                (vec!["day"], vec!["word", "f64"]),
                (vec![], vec!["price"]),
                (vec!["text"], vec![]),
            ] {
                let what = format!("{device}, {n}, {row_labels:?}, {column_labels:?}");
                let whole = frame(n + 3, 9, Nulls::Some, &mut Rng::new(5), &exec).slice(3, n).unwrap();
                let keys: Vec<&str> = row_labels.iter().chain(&column_labels).copied().collect();
                let twice = pivot(
                    &whole.select(&row_labels).unwrap(),
                    &whole.select(&column_labels).unwrap(),
                    &whole,
                    &exec,
                );
                let distinct =
                    crate::distinct::unique(&whole, &keys, crate::distinct::Keep::First, &exec).unwrap();
                if distinct.rows() < n {
                    let refused = twice.unwrap_err();
                    assert!(matches!(refused, Error::DuplicateEntry { .. }), "{what}: {refused}");
                    let Error::DuplicateEntry { key } = refused else { continue };
                    assert_eq!(key.len(), keys.len());
                } else {
                    assert!(twice.is_ok(), "{what}");
                }
                let by = [distinct.select(&row_labels).unwrap(), distinct.select(&column_labels).unwrap()];
                let found = pivot(&by[0], &by[1], &distinct, &exec).unwrap();
                let mut cells = BTreeMap::new();
                let values = tuples(&distinct);
                let row_keys = if row_labels.is_empty() { vec![vec![]; n] } else { tuples(&by[0]) };
                let column_keys = if column_labels.is_empty() { vec![vec![]; n] } else { tuples(&by[1]) };
                for (row, value) in values.into_iter().enumerate() {
                    cells.insert((row_keys[row].clone(), column_keys[row].clone()), value);
                }
                let expected = |keys: &ColumnAccessor| {
                    if keys.is_empty() { vec![vec![]] } else { sorted(keys, &exec) }
                };
                let (heads, sides) = (expected(&by[1]), expected(&by[0]));
                assert_eq!(tuples(&found.columns), heads, "{what}");
                assert_eq!(tuples(&found.rows), sides, "{what}");
                for (position, columns) in found.values.iter().enumerate() {
                    assert_eq!(columns.len(), heads.len(), "{what}");
                    let null = Scalar::Null(DType::Null).to_string();
                    for (head, column) in heads.iter().zip(columns) {
                        let expected: Vec<String> = sides
                            .iter()
                            .map(|side| match cells.get(&(side.clone(), head.clone())) {
                                Some(values) => values[position].clone(),
                                None => null.clone(),
                            })
                            .collect();
                        assert_eq!(texts(column), expected, "{what}, {}", KEYS[position.min(8)]);
                    }
                }
            }
        }
    }
}
