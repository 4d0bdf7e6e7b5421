//! Rolling extremes of values that are ordered by sorting, on every device, against the rows of each window one by one.

use crate::expression::{Expr, RollingWindow, col, evaluate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, ErrorKind};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

/// Texts in the order of their code points; their places in the dictionary are others.
const WORDS: [&str; 6] = ["", "a", "ab", "b", "ß", "日本"];
/// The place in the dictionary of each text.
const CODES: [i32; 6] = [3, 0, 5, 1, 2, 4];

type Make = fn(Expr, RollingWindow) -> Expr;

struct Case {
    keys: Vec<i64>,
    /// Positions in `WORDS`.
    words: Vec<Option<usize>>,
    rows: ColumnAccessor,
}

impl Case {
    /// Rows after three that a slice leaves out: as strings, as a dictionary, an ordered one, and an ordered one of numbers.
    fn new(n: usize, nulls: Nulls, exec: &Exec) -> Self {
        let mut rng = Rng::new(n as u64 + 11);
        let mask = nulls.mask(n + 3, &mut rng);
        let word = |row: usize, rng: &mut Rng| {
            let word = usize::try_from(rng.below(6)).unwrap();
            mask.as_ref().is_none_or(|mask| mask[row]).then_some(word)
        };
        let words: Vec<Option<usize>> = (0..n + 3).map(|row| word(row, &mut rng)).collect();
        let keys: Vec<i64> = (0..n + 3).map(|_| i64::try_from(rng.below(3)).unwrap()).collect();
        let texts = words.iter().map(|word| word.map(|word| WORDS[word]));
        let codes: Vec<Option<i32>> = words.iter().map(|word| word.map(|word| CODES[word])).collect();
        let codes = Column::from_options(codes, exec).unwrap();
        let mut dictionary = [""; 6];
        for (word, code) in WORDS.iter().zip(CODES) {
            dictionary[usize::try_from(code).unwrap()] = word;
        }
        let dictionary = Arc::new(Column::from_values(dictionary, exec).unwrap());
        let numbers = Arc::new(Column::from_slice(&[7_i16, 1, 6, 2, 5, 3], exec).unwrap());
        let coded = CategoricalColumn::new(&codes, dictionary).unwrap();
        let rows = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&keys, exec).unwrap()),
            ("text", Column::from_options(texts, exec).unwrap()),
            ("coded", Column::Categorical(coded.clone())),
            ("ordered", Column::Categorical(coded.as_ordered())),
            ("numbers", Column::Categorical(CategoricalColumn::new(&codes, numbers).unwrap().as_ordered())),
        ]);
        let rows = rows.unwrap().slice(3, n).unwrap();
        Self { keys: keys[3..].to_vec(), words: words[3..].to_vec(), rows }
    }

    /// The extreme of the last `length` rows of the key by `order`; null for fewer than `least` values.
    fn reference(
        &self,
        length: usize,
        least: usize,
        order: fn(usize) -> i32,
        sign: i32,
    ) -> Vec<Option<usize>> {
        let of_row = |row: usize| {
            let rows = (0..=row).rev().filter(|other| self.keys[*other] == self.keys[row]).take(length);
            let values: Vec<usize> = rows.filter_map(|row| self.words[row]).collect();
            let best = values.iter().copied().min_by_key(|word| sign * order(*word));
            best.filter(|_| values.len() >= least.max(1))
        };
        (0..self.keys.len()).map(of_row).collect()
    }
}

#[test]
fn rolling_extremes_of_strings_and_dictionaries_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] =
            if device == Device::Host { &[0, 1, 31, 32, 33, 64, 65, 700] } else { &[0, 1, 33, 130] };
        for (at, &n) in sizes.iter().enumerate() {
            let case = Case::new(n, Nulls::ALL[at % Nulls::ALL.len()], &exec);
            for (length, least) in [(1, 1), (4, 2), (5, 0), (100, 1)] {
                for label in ["text", "coded", "ordered", "numbers"] {
                    let window = || RollingWindow::rows(length as u64).min_periods(least as u64);
                    let by_code = matches!(label, "ordered" | "numbers");
                    let order: fn(usize) -> i32 =
                        if by_code { |word| CODES[word] } else { |word| i32::try_from(word).unwrap() };
                    let ends: [(Make, i32); 2] =
                        [(|x, w| x.rolling_min(w), 1), (|x, w| x.rolling_max(w), -1)];
                    for (make, sign) in ends {
                        let expr = make(col(label), window()).over(col("k"));
                        let found = evaluate(std::slice::from_ref(&expr), &case.rows, &exec)
                            .unwrap()
                            .swap_remove(0)
                            .1;
                        assert_eq!(found.dtype(), case.rows.get(label).unwrap().dtype());
                        let text = |word: Option<usize>| match word {
                            None => "<NA>".to_owned(),
                            Some(word) if label == "numbers" => {
                                [7, 1, 6, 2, 5, 3][usize::try_from(CODES[word]).unwrap()].to_string()
                            }
                            Some(word) => WORDS[word].to_owned(),
                        };
                        let expected = case.reference(length, least, order, sign);
                        let expected: Vec<String> = expected.into_iter().map(text).collect();
                        let found: Vec<String> =
                            found.to_scalars().unwrap().iter().map(ToString::to_string).collect();
                        assert_eq!(found, expected, "{expr}, {n} rows on {device}");
                    }
                }
            }
        }
    }
}

#[test]
fn rolling_extreme_of_lists_is_an_error() {
    let exec = Exec::host();
    let lists = Column::from_values([vec![1_i64]], &exec).unwrap();
    let rows = ColumnAccessor::from_columns([("x", lists)]).unwrap();
    let error = evaluate(&[col("x").rolling_min(2)], &rows, &exec).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Type, "{error}");
}
