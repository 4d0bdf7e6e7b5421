//! Tests of `argsort` on every device of the build.

use super::{NullOrder, Order, SortKey, argsort, argsort_with_keys};
use crate::test_columns::{Kind, Row, TestColumn, rows};
use crate::{Error, OffsetWidth, Storage, StringsView, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::cmp::Ordering;

const KINDS: [Kind; 14] = [
    Kind::Fixed(Storage::Bit),
    Kind::Fixed(Storage::I8),
    Kind::Fixed(Storage::I16),
    Kind::Fixed(Storage::I32),
    Kind::Fixed(Storage::I64),
    Kind::Fixed(Storage::I128),
    Kind::Fixed(Storage::U8),
    Kind::Fixed(Storage::U16),
    Kind::Fixed(Storage::U32),
    Kind::Fixed(Storage::U64),
    Kind::Fixed(Storage::F32),
    Kind::Fixed(Storage::F64),
    Kind::String(OffsetWidth::I32),
    Kind::String(OffsetWidth::I64),
];

const DIRECTIONS: [(Order, NullOrder); 4] = [
    (Order::Ascending, NullOrder::First),
    (Order::Ascending, NullOrder::Last),
    (Order::Descending, NullOrder::First),
    (Order::Descending, NullOrder::Last),
];

/// A value, from a few that tie and differ at the extremes, or from all.
fn value(kind: Kind, rng: &mut Rng) -> Vec<u8> {
    let few = rng.below(3) > 0;
    match kind {
        Kind::Fixed(Storage::Bit) => vec![u8::from(rng.below(2) == 1)],
        Kind::Fixed(Storage::F32) if few => {
            let pool =
                [0.0, -0.0, 1.5, -1.5, f32::NAN, -f32::NAN, f32::INFINITY, f32::MIN, f32::MIN_POSITIVE];
            pool[rng.below(9) as usize].to_le_bytes().to_vec()
        }
        Kind::Fixed(Storage::F64) if few => {
            let pool = [0.0, -0.0, 1.5, -1.5, f64::NAN, -f64::NAN, f64::NEG_INFINITY, f64::MAX, 1e-300];
            pool[rng.below(9) as usize].to_le_bytes().to_vec()
        }
        Kind::Fixed(storage) => {
            let width = storage.bytes(1);
            if few {
                // Small numbers of either sign, and the extremes.
                let small = (rng.below(5) as i128 - 2).to_le_bytes()[..width].to_vec();
                let top = [0x80, 0x7f, small[width - 1]][rng.below(3) as usize];
                [&small[..width - 1], &[top]].concat()
            } else {
                rng.bytes(width)
            }
        }
        Kind::String(_) if few => {
            // Ties, prefixes of each other, zeros, and equal first bytes for longer than a word.
            let pool = ["", "a", "a\0", "ab", "abcdefgh", "abcdefghi", "abcdefghj", "zz", "é", "中"];
            pool[rng.below(10) as usize].as_bytes().to_vec()
        }
        Kind::String(_) => rng.text(12).into_bytes(),
    }
}

fn column(kind: Kind, n: usize, offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> TestColumn {
    let values: Vec<Vec<u8>> = (0..offset + n).map(|_| value(kind, rng)).collect();
    let mask = nulls.mask(offset + n, rng);
    TestColumn::new(kind, &values, mask.as_deref(), offset, exec)
}

fn compare_values(kind: Kind, a: &[u8], b: &[u8]) -> Ordering {
    let float = |bytes: &[u8]| match bytes.len() {
        4 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        _ => f64::from_le_bytes(bytes.try_into().unwrap()),
    };
    let integer = |bytes: &[u8], signed: bool| {
        let sign = if signed && bytes[bytes.len() - 1] >= 0x80 { 0xff } else { 0 };
        let mut wide = [sign; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        i128::from_le_bytes(wide)
    };
    match kind {
        Kind::String(_) => a.cmp(b),
        Kind::Fixed(Storage::F32 | Storage::F64) => {
            let (a, b) = (float(a), float(b));
            a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
        }
        Kind::Fixed(storage) => integer(a, storage.is_signed()).cmp(&integer(b, storage.is_signed())),
    }
}

fn compare(kind: Kind, (order, nulls): (Order, NullOrder), a: &Row, b: &Row) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) if nulls == NullOrder::First => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => compare(kind, (order, nulls), b, a).reverse(),
        (Some(a), Some(b)) if order == Order::Ascending => compare_values(kind, a, b),
        (Some(a), Some(b)) => compare_values(kind, b, a),
    }
}

/// Sorts by the columns and compares with the standard library's stable sort.
fn check(keys: &[(Kind, &TestColumn, (Order, NullOrder))], exec: &Exec, context: &str) {
    let n = keys[0].1.rows.len();
    let mut expected: Vec<usize> = (0..n).collect();
    expected.sort_by(|&a, &b| {
        keys.iter().fold(Ordering::Equal, |found, (kind, column, direction)| {
            found.then_with(|| compare(*kind, *direction, &column.rows[a], &column.rows[b]))
        })
    });
    let sort_keys: Vec<SortKey<'_>> = keys
        .iter()
        .map(|(_, column, (order, nulls))| SortKey { view: column.view(), order: *order, nulls: *nulls })
        .collect();
    let map = argsort(&sort_keys, exec).unwrap();
    assert_eq!(map.len, n);
    let got: Vec<usize> = map.to_vec(exec).unwrap().into_iter().map(|row| row.unwrap() as usize).collect();
    let kinds: Vec<_> = keys.iter().map(|(kind, _, direction)| (kind, direction)).collect();
    let what = format!("{kinds:?} n={n} {context} {}", exec.device());
    assert!(got == expected, "{what}");
    let sorted = argsort_with_keys(&sort_keys, exec).unwrap();
    let got: Vec<_> =
        sorted.rows.to_vec(exec).unwrap().into_iter().map(|row| row.unwrap() as usize).collect();
    assert!(got == expected, "with keys, {what}");
    for ((kind, column, _), found) in keys.iter().zip(&sorted.keys) {
        let Some(found) = found else {
            assert!(!(keys.len() == 1 && is_restored(*kind, column, exec)), "gathered, {what}");
            continue;
        };
        let expected: Vec<Row> = expected.iter().map(|&row| column.rows[row].clone()).collect();
        assert!(rows(found, exec) == expected, "keys, {what}");
    }
}

/// Whether the host has the values of a sole key at hand: they fit 64 bits with the bit for nulls, and are not all equal.
fn is_restored(kind: Kind, column: &TestColumn, exec: &Exec) -> bool {
    // Strings have a test of their own.
    let Kind::Fixed(storage) = kind else { return false };
    let values: Vec<&Vec<u8>> = column.rows.iter().flatten().collect();
    let differ = values.iter().any(|value| compare_values(kind, value, values[0]) != Ordering::Equal);
    let narrow = storage.bytes(1) < 8 || values.len() == column.rows.len();
    let is_kind = !matches!(storage, Storage::Bit | Storage::I128);
    exec.device() == Device::Host && differ && narrow && is_kind
}

#[test]
fn argsort_by_key_of_every_type_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(15);
        for (n, kind) in SIZES.into_iter().flat_map(|n| KINDS.map(|kind| (n, kind))) {
            for (k, nulls) in Nulls::ALL.into_iter().enumerate() {
                let column = column(kind, n, 3 * k, nulls, &mut rng, &exec);
                let directions: &[_] = if n < 300 { &DIRECTIONS } else { &DIRECTIONS[k..=k] };
                for &direction in directions {
                    check(&[(kind, &column, direction)], &exec, &format!("{nulls:?}"));
                }
            }
        }
    }
}

#[test]
fn argsort_by_several_keys_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(16);
        for round in 0..60 {
            let n = SIZES[round % SIZES.len()];
            let kinds: Vec<Kind> = (0..2 + rng.below(3)).map(|_| KINDS[rng.below(14) as usize]).collect();
            let columns: Vec<_> = kinds
                .iter()
                .map(|&kind| column(kind, n, round % 5, Nulls::ALL[rng.below(4) as usize], &mut rng, &exec))
                .collect();
            let keys: Vec<_> = kinds
                .iter()
                .zip(&columns)
                .map(|(&kind, column)| (kind, column, DIRECTIONS[rng.below(4) as usize]))
                .collect();
            check(&keys, &exec, &format!("round {round}"));
        }
    }
}

/// Sizes at which the host implementation partitions on all cores, on keys that spread well, badly and not at all.
#[test]
fn argsort_of_many_rows_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(17);
    let n = 200_003;
    let ascending = (Order::Ascending, NullOrder::Last);
    let mut u64s = |make: &dyn Fn(usize, u64) -> u64| {
        let values: Vec<_> = (0..n).map(|row| make(row, rng.next()).to_le_bytes().to_vec()).collect();
        TestColumn::new(Kind::Fixed(Storage::U64), &values, None, 0, &exec)
    };
    let columns = [
        ("random", u64s(&|_, random| random)),
        ("few leading bits", u64s(&|_, random| random >> (random % 60))),
        ("one outlier", u64s(&|row, random| if row == 7 { u64::MAX } else { random % 1000 })),
        ("few values", u64s(&|_, random| (random % 3) << 40)),
        ("equal", u64s(&|_, _| 9)),
        ("sorted", u64s(&|row, _| row as u64 * 77)),
        ("reversed", u64s(&|row, _| u64::MAX - row as u64)),
        ("packed with the row", u64s(&|_, random| random % (1 << 46))),
    ];
    let kind = Kind::Fixed(Storage::U64);
    for (name, column) in &columns {
        check(&[(kind, column, ascending)], &exec, name);
        check(&[(kind, column, (Order::Descending, NullOrder::First))], &exec, name);
    }
    let (few, random) = (&columns[3].1, &columns[0].1);
    check(&[(kind, few, ascending), (kind, random, ascending)], &exec, "runs of many rows");
    let text = Kind::String(OffsetWidth::I32);
    let strings = column(text, n, 1, Nulls::Some, &mut Rng::new(18), &exec);
    check(&[(text, &strings, ascending), (kind, random, ascending)], &exec, "text, then numbers");
}

/// Partitions that fit no core's cache and are sorted by one core all the same: half of the rows have few leading bits.
#[test]
fn argsort_of_large_partitions_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(23);
    let n = 800_003;
    let kind = Kind::Fixed(Storage::U64);
    let values: Vec<_> = (0..n).map(|_| (rng.next() >> (4 * rng.below(3))).to_le_bytes().to_vec()).collect();
    let column = TestColumn::new(kind, &values, None, 0, &exec);
    check(&[(kind, &column, (Order::Ascending, NullOrder::Last))], &exec, "large partitions");
}

/// The string of a row, of a random number.
type Shape = fn(usize, u64) -> String;

/// Strings of every shape that the host implementation tells apart, fewer and more than one core sorts at a time: a common
/// prefix, few bits that vary, strings that tie for several words, and ends and zero bytes at the boundaries of words.
#[test]
fn argsort_of_many_strings_matches_reference() {
    let shapes: [(&str, Shape); 8] = [
        ("codes", |_, random| format!("id{:010}", random % 10_000_000)),
        ("few codes", |_, random| format!("id{:010}", random % 50)),
        ("one string", |_, _| "the same string in every row".to_owned()),
        ("letters", |_, random| {
            let letter = |at: u64| char::from(b'a' + (random.rotate_left(at as u32 * 7) % 26) as u8);
            (0..random % 21).map(letter).collect()
        }),
        ("addresses", |_, random| {
            format!("https://example.org/users/{}/items/{:04}", random % 200, random >> 54)
        }),
        ("repeats of a letter", |_, random| "x".repeat((random % 40) as usize)),
        ("zero bytes", |_, random| {
            "ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"[..2 + (random % 19) as usize].to_owned()
        }),
        ("words of two halves", |_, random| {
            format!("{}é{}", "12345678".repeat((random % 4) as usize), random >> 60)
        }),
    ];
    let host = Exec::host();
    let mut rng = Rng::new(20);
    for device in Device::available() {
        let exec = if device == Device::Host { host.clone() } else { Exec::new(device).unwrap() };
        // Devices have one way for all sizes.
        let sizes: &[usize] = if device == Device::Host { &[9, 1000, 33_000, 140_000] } else { &[1000] };
        for (k, (name, shape)) in shapes.into_iter().enumerate() {
            for (at, &n) in sizes.iter().enumerate() {
                let nulls = Nulls::ALL[(k + at) % 4];
                let offset = 3 * (k % 3);
                let mask = nulls.mask(offset + n, &mut rng);
                let values: Vec<Vec<u8>> =
                    (0..offset + n).map(|row| shape(row, rng.next()).into_bytes()).collect();
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][(k + at) % 2]);
                let strings = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
                for direction in [DIRECTIONS[k % 2], DIRECTIONS[2 + (k + at) % 2]] {
                    check(&[(kind, &strings, direction)], &exec, name);
                }
                let number = Kind::Fixed(Storage::I16);
                let numbers = column(number, n, 0, Nulls::Some, &mut rng, &exec);
                let then = (number, &numbers, DIRECTIONS[(k + at) % 4]);
                check(&[(kind, &strings, DIRECTIONS[(k + 1) % 4]), then], &exec, &format!("{name}, numbers"));
                check(&[then, (kind, &strings, DIRECTIONS[k % 4])], &exec, &format!("numbers, {name}"));
            }
        }
    }
}

/// Strings that differ in a word after what all begin with are made of the sorted codes; others are not.
#[test]
fn argsort_with_keys_of_short_strings_has_them() {
    let shapes: [(&str, bool, Shape); 9] = [
        ("codes", true, |_, random| format!("id{:010}", random % 10_000_000)),
        ("lengths", true, |_, random| "12345678"[..(random % 9) as usize].to_owned()),
        ("lengths and zero bytes", true, |_, random| "a\0\0\0\0\0"[..=(random % 6) as usize].to_owned()),
        ("a long beginning", true, |_, random| format!("the same 24 bytes first:{}", random % 1000)),
        ("a longer beginning", false, |_, random| format!("the same 25 bytes at first{}", random % 1000)),
        ("beyond ASCII", true, |_, random| "ééé€"[..2 * (random % 4) as usize].to_owned()),
        ("one string", false, |_, _| "same".to_owned()),
        ("longer than a word", false, |_, random| format!("{random:09}")),
        ("bits that do not fit", false, |_, random| {
            (0..8).map(|at| char::from((random >> (8 * at)) as u8 & 127)).collect()
        }),
    ];
    let exec = Exec::host();
    let mut rng = Rng::new(22);
    for (k, (name, is_restored, shape)) in shapes.into_iter().enumerate() {
        for n in [1024, 33_000, 140_000] {
            let offset = 3 * (k % 3);
            let values: Vec<Vec<u8>> =
                (0..offset + n).map(|row| shape(row, rng.next()).into_bytes()).collect();
            let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][k % 2]);
            let strings = TestColumn::new(kind, &values, None, offset, &exec);
            for (order, nulls) in DIRECTIONS {
                let key = SortKey { view: strings.view(), order, nulls };
                let found = argsort_with_keys(&[key], &exec).unwrap();
                assert_eq!(found.keys[0].is_some(), is_restored, "{name} n={n}");
                check(&[(kind, &strings, (order, nulls))], &exec, name);
            }
        }
    }
}

/// Times of 10⁷ strings; run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn argsort_of_strings_times() {
    let exec = Exec::host();
    let n = 10_000_000;
    let mut rng = Rng::new(21);
    let shapes: [(&str, Shape); 5] = [
        ("id%010d of 100,000", |_, random| format!("id{:010}", random % 100_000)),
        ("id%010d, all distinct", |row, _| format!("id{:010}", row * 7_654_321 % 10_000_000)),
        ("random a-z, 5 to 20", |_, random| {
            let letter = |at: u64| char::from(b'a' + (random.rotate_left(at as u32 * 7) % 26) as u8);
            (0..5 + random % 16).map(letter).collect()
        }),
        ("URLs", |_, random| format!("https://www.example.com/{:x}/{}", random >> 40, random % 1000)),
        ("URLs of 1,000 sites", |_, random| {
            let (site, page, item) = (random % 1000, (random >> 10) % 100_000, random >> 34);
            format!("https://www.site{site}.com/page/{page}?id={item}")
        }),
    ];
    for (name, shape) in shapes {
        let values: Vec<Vec<u8>> = (0..n).map(|row| shape(row, rng.next()).into_bytes()).collect();
        let kind = Kind::String(OffsetWidth::I32);
        let strings = TestColumn::new(kind, &values, None, 0, &exec);
        let key = SortKey { view: strings.view(), order: Order::Ascending, nulls: NullOrder::Last };
        let mut times: Vec<f64> = Vec::new();
        for _ in 0..5 {
            let started = std::time::Instant::now();
            drop(argsort(&[key], &exec).unwrap());
            times.push(started.elapsed().as_secs_f64());
        }
        println!("{name}: {times:.3?} s");
    }
}

#[test]
fn argsort_of_invalid_keys_is_an_error() {
    let exec = Exec::host();
    let mut rng = Rng::new(19);
    let short = column(KINDS[1], 3, 0, Nulls::NoMask, &mut rng, &exec);
    let long = column(KINDS[1], 4, 0, Nulls::NoMask, &mut rng, &exec);
    let key =
        |column| SortKey { view: TestColumn::view(column), order: Order::Ascending, nulls: NullOrder::Last };
    let error = argsort(&[key(&short), key(&long)], &exec).unwrap_err();
    assert_eq!(error, Error::LengthMismatch { left: 3, right: 4 });
    assert!(matches!(argsort(&[], &exec), Err(Error::InvalidArgument { .. })));
}

/// Strings that share a long beginning, which an empty one lacks, on a stack with no space for a call per word of it.
#[test]
fn argsort_of_long_shared_beginnings_needs_little_stack() {
    const ROWS: usize = 33_000;
    let sort = || {
        let (mut offsets, mut chars) = (vec![0_i32, 0], Vec::new());
        for row in 1..ROWS {
            chars.extend_from_slice(&[b'a'; 2048]);
            chars.extend_from_slice(format!("{:05}", ROWS - row).as_bytes());
            offsets.push(i32::try_from(chars.len()).unwrap());
        }
        let exec = Exec::host();
        let offsets = Buffer::from_slice(&offsets, &exec).unwrap();
        let chars = Buffer::from_slice(&chars, &exec).unwrap();
        let offset_width = OffsetWidth::I32;
        let strings = StringsView {
            offsets: &offsets,
            offset_width,
            chars: &chars,
            validity: None,
            offset: 0,
            len: ROWS,
        };
        let key = SortKey { view: View::String(strings), order: Order::Ascending, nulls: NullOrder::Last };
        argsort(&[key], &exec).unwrap().to_vec(&exec).unwrap()
    };
    let sorted = std::thread::Builder::new().stack_size(128 << 10).spawn(sort).unwrap().join().unwrap();
    let expected = std::iter::once(0).chain((1..ROWS as u64).rev()).map(Some);
    assert!(sorted.into_iter().eq(expected));
}
