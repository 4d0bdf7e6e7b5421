//! Functions of strings and dictionaries, on every device.

use super::{JoinNulls, Measure, Side, Transform, concat, measure, transform};
use crate::out_of_core::by_position;
use crate::test_frames::{limited, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, DType, Error};
use columnade_kernels::Storage;

fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

/// The same rows as strings and as a dictionary.
fn columns(exec: &Exec) -> [Column; 2] {
    let words = Column::from_options([Some("Ab"), None, Some("é x"), Some("Ab"), Some("")], exec).unwrap();
    let dictionary = Column::Categorical(CategoricalColumn::encode(&words).unwrap());
    let dictionary = dictionary.to_device(exec).unwrap();
    [words, dictionary]
}

#[test]
fn lengths_of_strings_and_dictionaries_are_those_of_their_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for column in columns(&exec) {
            for (start, len) in [(0, 5), (1, 3), (2, 0)] {
                let column = column.slice(start, len).unwrap();
                for (function, expected) in [
                    (Measure::Characters, ["2", "<NA>", "3", "2", "0"]),
                    (Measure::Bytes, ["2", "<NA>", "4", "2", "0"]),
                    (Measure::Find("x".into()), ["-1", "<NA>", "2", "-1", "-1"]),
                ] {
                    let found = measure(&function, &column, &exec).unwrap();
                    assert_eq!(found.dtype(), DType::Int64);
                    assert_eq!(texts(&found), expected[start..start + len], "{function:?} on {device}");
                }
            }
        }
    }
}

#[test]
fn transforms_of_strings_and_dictionaries_are_those_of_their_values() {
    let exec = Exec::host();
    for column in columns(&exec) {
        for (start, len) in [(0, 5), (1, 3), (2, 0)] {
            let column = column.slice(start, len).unwrap();
            for (function, expected) in [
                (Transform::Lower, ["ab", "<NA>", "é x", "ab", ""]),
                (Transform::Repeat(2), ["AbAb", "<NA>", "é xé x", "AbAb", ""]),
                (Transform::Strip(Side::Left, Some(['A', 'é'].into())), ["b", "<NA>", " x", "b", ""]),
            ] {
                let made = transform(&function, &column, &exec).unwrap();
                // Of a dictionary a dictionary, of which equal values are one.
                assert_eq!(made.dtype(), column.dtype());
                if let Column::Categorical(made) = &made {
                    assert!(made.dictionary().size() <= 3);
                }
                assert_eq!(texts(&made), expected[start..start + len], "{function:?}");
            }
        }
    }
}

#[test]
fn concat_of_strings_and_dictionaries_joins_rows() {
    let exec = Exec::host();
    let [words, dictionary] = columns(&exec);
    let joined = concat(&[&words, &dictionary, &words], "-", JoinNulls::Propagate, &exec).unwrap();
    assert_eq!(texts(&joined), ["Ab-Ab-Ab", "<NA>", "é x-é x-é x", "Ab-Ab-Ab", "--"]);
    let joined = concat(&[&dictionary, &words], "", JoinNulls::Ignore, &exec).unwrap();
    assert_eq!(texts(&joined), ["AbAb", "", "é xé x", "AbAb", ""]);
}

#[test]
fn other_dtypes_and_devices_are_typed_errors() {
    let exec = Exec::host();
    let numbers = Column::from_vec(vec![1_i64]);
    let bytes = Column::from_values([&b"a"[..]], &exec).unwrap();
    for column in [&numbers, &bytes] {
        let unsupported = Error::UnsupportedDType { dtype: column.dtype() };
        assert_eq!(transform(&Transform::Lower, column, &exec).unwrap_err(), unsupported);
        assert_eq!(measure(&Measure::Bytes, column, &exec).unwrap_err(), unsupported);
        let error = concat(&[column], "", JoinNulls::Ignore, &exec).unwrap_err();
        assert_eq!(error, unsupported.in_key(0));
    }
    let word = Column::from_values(["a"], &exec).unwrap();
    let two = Column::from_values(["a", "b"], &exec).unwrap();
    let error = concat(&[&word, &two], "", JoinNulls::Ignore, &exec).unwrap_err();
    assert_eq!(error, Error::LengthMismatch { expected: 1, found: 2 });
    let error = transform(&Transform::Repeat(usize::MAX), &two, &exec);
    assert!(matches!(error, Err(Error::InvalidArgument { name: "strings", .. })), "{error:?}");
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let made = transform(&Transform::Title, &word.to_device(&exec).unwrap(), &exec).unwrap();
        assert_eq!(texts(&made), ["A"], "{device}");
    }
}

#[test]
fn dictionary_whose_values_become_equal_has_each_once_in_the_same_codes() {
    let exec = Exec::host();
    let words =
        Column::from_options([Some("a"), Some("A"), None, Some("b"), Some("B"), Some("a")], &exec).unwrap();
    for storage in [Storage::I8, Storage::I16, Storage::I32, Storage::I64] {
        let dictionary = CategoricalColumn::encode(&words).unwrap().with_codes(storage).unwrap();
        let column = Column::Categorical(dictionary.as_ordered()).slice(1, 5).unwrap();
        let made = transform(&Transform::Upper, &column, &exec).unwrap();
        assert_eq!(texts(&made), ["A", "<NA>", "B", "B", "A"]);
        let Column::Categorical(made) = made else { panic!("not a dictionary") };
        assert_eq!(made.dictionary().size(), 2);
        assert_eq!(made.codes_storage(), storage);
        assert!(!made.is_ordered());
    }
    let none = Column::Categorical(CategoricalColumn::encode(&words.slice(2, 1).unwrap()).unwrap());
    assert_eq!(texts(&transform(&Transform::Upper, &none, &exec).unwrap()), ["<NA>"]);
}

/// The results are as large as the strings: all of them do not fit with the strings.
#[test]
fn functions_of_strings_larger_than_the_limit_run_in_chunks() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let words: Vec<Option<String>> = (0..20_000)
            .map(|row| (row % 7 > 0).then(|| format!("Wörter {row} {}", "x".repeat(row % 30))))
            .collect();
        let column = Column::from_options(words.clone(), &exec).unwrap().slice(3, 19_990).unwrap();
        let words = &words[3..19_993];
        let rows = by_position([&column], column.size()).unwrap();
        let limit = share_of(rows.row_bytes().unwrap(), 2, device);
        let (manager, tight) = limited(&exec, limit);
        let column = moved(&rows, &tight).columns()[0].clone();
        let (peak, bytes) = peak_of(&manager, || measure(&Measure::Bytes, &column, &tight).unwrap());
        assert!(peak <= limit, "{peak} of {limit} on {device}");
        let expected: Vec<Option<i64>> =
            words.iter().map(|word| word.as_ref().map(|word| i64::try_from(word.len()).unwrap())).collect();
        assert_eq!(bytes.to_options::<i64>().unwrap(), expected, "{device}");
        if device != Device::Host {
            continue;
        }
        for is_joined in [false, true] {
            let make = || {
                if is_joined {
                    concat(&[&column, &column], "-", JoinNulls::Propagate, &tight).unwrap()
                } else {
                    transform(&Transform::Upper, &column, &tight).unwrap()
                }
            };
            let of_word = |word: &str| if is_joined { format!("{word}-{word}") } else { word.to_uppercase() };
            let (peak, made) = peak_of(&manager, make);
            assert!(peak <= limit, "{peak} of {limit}");
            let expected: Vec<Option<String>> =
                words.iter().map(|word| word.as_deref().map(of_word)).collect();
            assert_eq!(made.to_options::<String>().unwrap(), expected);
        }
    }
}
