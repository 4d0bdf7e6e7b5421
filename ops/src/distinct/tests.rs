//! Distinct rows on every device, against a naive reference.

use super::{Factorized, Keep, duplicated, factorize, is_in, unique, unique_rows};
use crate::copying::{MapNulls, gather};
use crate::join::NullEquality;
use crate::selection::Step;
use crate::test_frames::{frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Scalar};
use columnade_kernels::RowMap;
use columnade_tests::{Nulls, Rng};

fn kept(keys: &[String], keep: Keep) -> Vec<usize> {
    let is_kept = |row: &usize| match keep {
        Keep::First => !keys[..*row].contains(&keys[*row]),
        Keep::Last => !keys[row + 1..].contains(&keys[*row]),
        Keep::None => keys.iter().filter(|key| **key == keys[*row]).count() == 1,
    };
    (0..keys.len()).filter(is_kept).collect()
}

#[test]
fn unique_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, distinct) in [(0, 1), (1, 1), (33, 4), (65, 50), (400, 9)] {
            for (nulls, labels) in [
                (Nulls::NoMask, vec!["i64"]),
                (Nulls::Some, vec!["text", "f64"]),
                (Nulls::Some, vec!["bool", "word", "price"]),
                (Nulls::All, vec!["i8"]),
            ] {
                let whole = frame(n + 3, distinct, nulls, &mut Rng::new(7), &exec);
                let rows = whole.slice(3, n).unwrap();
                let (all, keys) = (lines(&rows), lines(&rows.select(&labels).unwrap()));
                // The two zeros are one value.
                let keys: Vec<String> = keys.iter().map(|key| key.replace("-0.0", "0.0")).collect();
                for keep in [Keep::First, Keep::Last, Keep::None] {
                    let what = format!("{device}, {n} rows, {labels:?}, {keep:?}");
                    let wanted = kept(&keys, keep);
                    let expected: Vec<_> = wanted.iter().map(|row| all[*row].clone()).collect();
                    assert_eq!(lines(&unique(&rows, &labels, keep, &exec).unwrap()), expected, "{what}");
                    let mask = duplicated(&rows, &labels, keep, &exec).unwrap().to_vec::<bool>().unwrap();
                    let expected: Vec<_> = (0..n).map(|row| !wanted.contains(&row)).collect();
                    assert_eq!(mask, expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn unique_rows_keep_the_limit_of_memory() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // Beside the smallest chunk the numbers of fewer rows pass a limit.
        let n = if device == Device::Host { 24_000 } else { 6000 };
        // Nearly all rows differ, or few do.
        for (distinct, labels) in [(100_000, vec!["i64", "text"]), (90, vec!["text", "f64"])] {
            let rows = frame(n, distinct, Nulls::Some, &mut Rng::new(11), &exec);
            let limit = share_of(rows.row_bytes().unwrap(), 5, device);
            for keep in [Keep::First, Keep::Last, Keep::None] {
                // Each of them once, since a simulated device takes long for small chunks.
                if device != Device::Host && (keep == Keep::Last) != (distinct == 90) {
                    continue;
                }
                let expected = lines(&unique(&rows, &labels, keep, &exec).unwrap());
                let (manager, tight) = limited(&exec, limit);
                let source = moved(&rows, &tight);
                let (peak, found) =
                    peak_of(&manager, || unique_rows(&source, &labels, keep, &tight).unwrap());
                let what = format!("{device}, {distinct} values, {keep:?}");
                assert!(peak <= limit, "{what}: {peak} of {limit}");
                assert_eq!(lines(&found.columns), expected, "{what}");
                let again = match found.steps.as_slice() {
                    [Step::Rows { map, .. }] => {
                        let map: Option<Vec<u64>> = map.to_vec(&tight).unwrap().into_iter().collect();
                        let map = RowMap::from_u64(&map.unwrap(), &exec).unwrap();
                        gather(&rows, &map, MapNulls::Never, &exec).unwrap()
                    }
                    other => panic!("{what}: {other:?}"),
                };
                assert_eq!(lines(&again), expected, "{what}: steps");
            }
        }
    }
}

/// Keys of many bytes, all of which differ, or few, or those of the first rows alone.
#[test]
fn wide_keys_keep_the_limit_of_memory() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let n = if device == Device::Host { 4000 } else { 800 };
        for (what, distinct) in [("all", n), ("few", 9), ("first", n)] {
            let key = |row: usize| {
                let value = if what == "first" && row > n / 8 { n + 1 } else { (row * 7919) % distinct };
                (value % 50 > 0).then(|| format!("{value:05}").repeat(300))
            };
            let key: Vec<Option<String>> = (0..n).map(key).collect();
            let lines: Vec<String> = key.iter().map(|key| format!("{key:?}")).collect();
            let key = Column::from_options(key.iter().map(Option::as_deref), &exec).unwrap();
            let row: Vec<i64> = (0..n).map(|row| i64::try_from(row).unwrap()).collect();
            let row = Column::from_options(row.iter().copied().map(Some), &exec).unwrap();
            let rows = ColumnAccessor::from_columns([("key", key), ("row", row)]).unwrap();
            let limit = share_of(rows.row_bytes().unwrap(), 6, device);
            for keep in [Keep::First, Keep::Last, Keep::None] {
                if device != Device::Host && (keep == Keep::None) != (what == "few") {
                    continue;
                }
                let expected: Vec<i64> =
                    kept(&lines, keep).iter().map(|&row| i64::try_from(row).unwrap()).collect();
                let (manager, tight) = limited(&exec, limit);
                let source = moved(&rows, &tight);
                let (peak, found) = peak_of(&manager, || unique(&source, ["key"], keep, &tight).unwrap());
                let what = format!("{device}, {what}, {keep:?}");
                assert_eq!(found.get("row").unwrap().to_vec::<i64>().unwrap(), expected, "{what}");
                assert!(peak <= limit, "{what}: {peak} of {limit}");
            }
        }
    }
}

#[test]
fn membership_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = [Some("a"), None, Some("ß"), Some("b"), Some("a")];
        let values = Column::from_options(values, &exec).unwrap();
        let among = Column::from_options([Some("ß"), Some("a"), None, Some("a")], &exec).unwrap();
        let run = |among: &Column, nulls| {
            is_in(&values, among, nulls, &exec).unwrap().to_options::<bool>().unwrap()
        };
        let some = Some;
        assert_eq!(
            run(&among, NullEquality::Unequal),
            [some(true), None, some(true), some(false), some(true)],
            "{device}"
        );
        assert_eq!(
            run(&among, NullEquality::Equal),
            [some(true), some(true), some(true), some(false), some(true)],
            "{device}"
        );
        assert_eq!(run(&among.slice(0, 0).unwrap(), NullEquality::Equal), [some(false); 5], "{device}");
    }
}

#[test]
fn codes_lead_back_to_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for label in ["i64", "text", "f64", "word", "day"] {
            let rows = frame(300, 20, Nulls::Some, &mut Rng::new(3), &exec);
            let values = rows.get(label).unwrap().slice(1, 299).unwrap();
            let Factorized { codes, uniques } = factorize(&values, &exec).unwrap();
            let uniques = uniques.to_scalars().unwrap();
            for (code, value) in codes.to_scalars().unwrap().iter().zip(values.to_scalars().unwrap()) {
                match code {
                    Scalar::Int64(code) => {
                        let found = uniques[usize::try_from(*code).unwrap()].to_string();
                        assert_eq!(found.replace("-0.0", "0.0"), value.to_string().replace("-0.0", "0.0"));
                    }
                    _ => assert!(value.is_null(), "{device}, {label}"),
                }
            }
            assert!(uniques.iter().all(|value| !value.is_null()), "{device}, {label}");
        }
    }
}

#[test]
fn invalid_columns_are_typed_errors() {
    let exec = Exec::host();
    // Lists and other compound keys have their suite in `keys`.
    let list = Column::full_null(&DType::list(DType::Int8), 2, &exec).unwrap();
    let rows = ColumnAccessor::from_columns([("l", list.clone())]).unwrap();
    assert_eq!(unique(&rows, ["l"], Keep::First, &exec).unwrap().rows(), 1);
    assert!(matches!(unique(&rows, ["m"], Keep::First, &exec), Err(Error::ColumnNotFound { .. })));
    assert_eq!(factorize(&list, &exec).unwrap().codes.null_count(&exec).unwrap(), 2);
}
