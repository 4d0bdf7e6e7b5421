//! Packed keys against pairwise comparison of their rows.

use super::{
    FirstRows, GroupTable, HashedRows, KeyColumn, KeyLayout, KeyWidth, NO_TICKET, NullRows, Origin,
    PackedKey, Packer,
};
use crate::{Fixed, OffsetWidth, Storage, StringsView, View, ViewGuard, access};
use columnade_buffers::{Buffer, Exec};
use columnade_tests::{Rng, pack_bits};
use std::collections::HashMap;

/// A column on the host that owns its buffers.
struct Owned {
    storage: Option<Storage>,
    data: Buffer,
    offsets: Option<Buffer>,
    validity: Option<Buffer>,
    len: usize,
}

impl Owned {
    fn fixed<T: crate::Element>(values: &[T], valid: Option<&[bool]>) -> Self {
        Self {
            storage: Some(T::STORAGE),
            data: Buffer::from_slice(values, &Exec::host()).unwrap(),
            offsets: None,
            validity: valid.map(|bits| Buffer::from_slice(&pack_bits(bits), &Exec::host()).unwrap()),
            len: values.len(),
        }
    }

    fn strings(values: &[&str], valid: Option<&[bool]>) -> Self {
        let mut offsets = vec![0_i32];
        for value in values {
            offsets.push(offsets[offsets.len() - 1] + value.len() as i32);
        }
        Self {
            storage: None,
            data: Buffer::from_slice(values.concat().as_bytes(), &Exec::host()).unwrap(),
            offsets: Some(Buffer::from_slice(&offsets, &Exec::host()).unwrap()),
            validity: valid.map(|bits| Buffer::from_slice(&pack_bits(bits), &Exec::host()).unwrap()),
            len: values.len(),
        }
    }

    fn view(&self) -> View<'_> {
        let validity = self.validity.as_ref();
        match (self.storage, &self.offsets) {
            (Some(storage), _) => {
                View::Fixed(Fixed { storage, data: &self.data, validity, offset: 0, len: self.len })
            }
            (None, offsets) => View::String(StringsView {
                offsets: offsets.as_ref().unwrap(),
                offset_width: OffsetWidth::I32,
                chars: &self.data,
                validity,
                offset: 0,
                len: self.len,
            }),
        }
    }
}

fn guards<'a>(columns: &'a [Owned], exec: &'a Exec) -> Vec<ViewGuard<'a>> {
    let views: Vec<_> = columns.iter().map(Owned::view).collect();
    access(&views, exec).unwrap().into_iter().collect()
}

/// Checks that packed keys are equal exactly if rows are, and are misses exactly if the row is excluded.
fn check<K: PackedKey>(owned: &[Owned], nulls: NullRows, width: KeyWidth) {
    let exec = Exec::host();
    let guards = guards(owned, &exec);
    let columns: Vec<_> = guards.iter().map(KeyColumn::new).collect();
    let layout = KeyLayout::measure(&columns, nulls);
    assert_eq!(layout.width(), width, "{layout:?}");
    let rows = columns[0].rows;
    for origin in [Origin::Measured, Origin::Foreign] {
        let mut keys = vec![K::default(); rows];
        Packer::new(&layout, &columns, origin).pack(0, &mut keys);
        let mut from_seven = vec![K::default(); rows - 7];
        Packer::new(&layout, &columns, origin).pack(7, &mut from_seven);
        assert_eq!(from_seven, keys[7..]);
        let compared = HashedRows::new(&columns, nulls);
        for a in 0..rows {
            let takes_part = nulls == NullRows::Keys || columns.iter().all(|column| column.valid(a));
            assert_eq!(keys[a] != K::MISS, takes_part, "row {a} of {layout:?}");
            for b in 0..rows {
                if takes_part && keys[b] != K::MISS {
                    assert_eq!(
                        keys[a] == keys[b],
                        compared.same(a, &compared, b),
                        "rows {a} and {b} of {layout:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn packed_keys_are_equal_exactly_if_rows_are() {
    let valid: Vec<bool> = (0..20).map(|row| row % 4 != 1).collect();
    let valid = Some(valid.as_slice());
    let mut rng = Rng::new(5);
    let small: Vec<i64> = (0..20).map(|_| rng.below(5) as i64 - 3).collect();
    let ends: Vec<i64> = (0..20).map(|row| [i64::MIN, -1, 0, 1, i64::MAX][row % 5]).collect();
    let decimals: Vec<i128> = (0..20).map(|row| i128::MAX - (row % 3) as i128).collect();
    let floats: Vec<f64> =
        (0..20).map(|row| [0.0, -0.0, f64::NAN, -f64::NAN, f64::NEG_INFINITY][row % 5]).collect();
    let strings: Vec<&str> = (0..20).map(|row| ["", "a", "é", "a\0", "\0", "abcdefg"][row % 6]).collect();
    let same_length: Vec<&str> = (0..20).map(|row| ["R", "N", "A"][row % 3]).collect();
    let longer: Vec<&str> = (0..20).map(|row| ["", "elf Zeichen", "fünfzehn Byte"][row % 3]).collect();
    let varied: Vec<&str> =
        (0..20).map(|row| ["\0\0\0\0\0\0\0\0\0\0", "~~~~~~~~~~~~~~~~", "a", "\0", ""][row % 5]).collect();
    let sixteen: Vec<&str> =
        (0..20).map(|row| ["sechzehn Zeichen", "sechzehn zeicheN", "Sechzehn Zeichen"][row % 3]).collect();
    // Only a null is longer than what is packed.
    let too_long: Vec<&str> =
        (0..20).map(|row| if row % 4 == 1 { "a string of many bytes" } else { "short" }).collect();
    for nulls in [NullRows::Keys, NullRows::Miss] {
        check::<u64>(&[Owned::fixed(&small, valid), Owned::strings(&strings, valid)], nulls, KeyWidth::Word);
        check::<u64>(&[Owned::fixed(&floats, valid)], nulls, KeyWidth::Word);
        check::<u64>(
            &[Owned::fixed(&decimals, None), Owned::strings(&same_length, valid)],
            nulls,
            KeyWidth::Word,
        );
        check::<u64>(
            &[Owned::strings(&same_length, None), Owned::strings(&same_length, None)],
            nulls,
            KeyWidth::Word,
        );
        check::<u128>(&[Owned::fixed(&ends, valid)], nulls, KeyWidth::Double);
        check::<u64>(
            &[Owned::strings(&longer, valid), Owned::fixed(&[1_u8; 20], None)],
            nulls,
            KeyWidth::Word,
        );
        check::<u128>(&[Owned::strings(&varied, valid), Owned::fixed(&small, None)], nulls, KeyWidth::Double);
        check::<u64>(
            &[Owned::strings(&sixteen, valid), Owned::strings(&sixteen, None)],
            nulls,
            KeyWidth::Word,
        );
        check::<u64>(&[Owned::strings(&too_long, valid)], nulls, KeyWidth::Word);
        check::<u128>(&[Owned::fixed(&floats, valid), Owned::fixed(&small, valid)], nulls, KeyWidth::Double);
    }
}

#[test]
fn value_outside_measured_range_is_a_miss() {
    let build = [Owned::fixed(&[10_i32, 20, 30], None), Owned::strings(&["ab", "c", ""], None)];
    let probe = [
        Owned::fixed(&[9_i32, 10, 31, 30, 20, i32::MIN], Some(&[true, true, true, true, false, true])),
        Owned::strings(&["ab", "ab", "c", "abc", "c", "c"], None),
    ];
    let exec = Exec::host();
    let (build, probe) = (guards(&build, &exec), guards(&probe, &exec));
    let columns: Vec<_> = build.iter().map(KeyColumn::new).collect();
    let layout = KeyLayout::measure(&columns, NullRows::Keys);
    let columns: Vec<_> = probe.iter().map(KeyColumn::new).collect();
    let mut keys = [0_u64; 6];
    Packer::new(&layout, &columns, Origin::Foreign).pack(0, &mut keys);
    assert_eq!(keys.map(|key| key == u64::MISS), [true, false, true, true, true, true]);
}

/// The codes of strings, which are equal exactly if the strings are and less than the bound.
fn codes(strings: &[&str], valid: Option<&[bool]>) -> (KeyLayout, Vec<u64>) {
    let (owned, exec) = ([Owned::strings(strings, valid)], Exec::host());
    let guards = guards(&owned, &exec);
    let columns: Vec<_> = guards.iter().map(KeyColumn::new).collect();
    let layout = KeyLayout::measure(&columns, NullRows::Keys);
    let mut keys = vec![0_u64; strings.len()];
    Packer::new(&layout, &columns, Origin::Measured).pack(0, &mut keys);
    (layout, keys)
}

#[test]
fn strings_of_numbers_have_dense_keys() {
    let numbers: Vec<String> = (1..=100_000).map(|number| format!("id{number:010}")).collect();
    let strings: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let (layout, keys) = codes(&strings, None);
    // Five digits of ten values, and one of two.
    assert_eq!(layout.bound(), Some(200_000));
    assert!(keys.is_sorted_by(|a, b| a < b), "keys of one length are in the order of their strings");
    assert_eq!(keys[99_999], 100_000);

    let (layout, keys) = codes(&["a", "b", "", "ab"], Some(&[true, true, false, true]));
    // Two bytes that are one, two lengths, one null.
    assert_eq!(layout.bound(), Some(5));
    assert_eq!(keys, [0, 2, 4, 1]);
}

#[test]
fn strings_of_one_length_have_keys_in_their_order() {
    let mut rng = Rng::new(9);
    let mut random = |length: usize, n: usize| -> Vec<String> {
        let text = |rng: &mut Rng| (0..length).map(|_| char::from(b'w' + rng.below(4) as u8)).collect();
        (0..n).map(|_| text(&mut rng)).collect()
    };
    for length in 1..=16 {
        for n in [1, 2, 31, 32, 33, 255, 257, 1000] {
            let strings = random(length, n);
            let strings: Vec<&str> = strings.iter().map(String::as_str).collect();
            let (layout, keys) = codes(&strings, None);
            assert!(keys.iter().all(|&key| layout.bound().is_none_or(|bound| key < bound as u64)));
            for (keys, strings) in keys.windows(2).zip(strings.windows(2)) {
                assert_eq!(keys[0].cmp(&keys[1]), strings[0].cmp(strings[1]), "{strings:?}");
            }
        }
    }
    // Of one length in each morsel, but of two in all.
    let strings = [random(2, crate::tuning::HOST_MORSEL_ROWS), random(3, 70)].concat();
    let strings: Vec<&str> = strings.iter().map(String::as_str).collect();
    let (_, keys) = codes(&strings, None);
    let known: HashMap<u64, &str> = keys.iter().copied().zip(strings.iter().copied()).collect();
    assert_eq!(known.len(), strings.iter().collect::<std::collections::HashSet<_>>().len());
    assert!(keys.iter().zip(&strings).all(|(key, string)| known[key] == *string));
}

#[test]
fn equal_strings_one_string_and_none_have_one_key() {
    for strings in [&["same"; 40][..], &["one"], &["", "", ""], &["sixteen bytes ok"; 3]] {
        let (layout, keys) = codes(strings, None);
        assert_eq!((layout.bound(), layout.bits(), layout.width()), (Some(1), 0, KeyWidth::Word));
        assert!(keys.iter().all(|&key| key == 0));
    }
    assert_eq!(codes(&[], None).0.bound(), Some(1));
    let none = [false; 3];
    assert_eq!(codes(&["a", "of more bytes than are packed", "c"], Some(&none)).1, [1; 3]);
    assert_eq!(codes(&["seventeen bytes ."], None).0.width(), KeyWidth::Hashed);
}

#[test]
fn keys_of_columns_that_overflow_together_get_wider() {
    let exec = Exec::host();
    let width = |owned: &[Owned]| {
        let guards = guards(owned, &exec);
        let columns: Vec<_> = guards.iter().map(KeyColumn::new).collect();
        KeyLayout::measure(&columns, NullRows::Keys).width()
    };
    let bits = |count: u32| Owned::fixed(&[0_u64, (1_u64 << (count - 1)) - 1 + (1 << (count - 1))], None);
    // 2^64 − 1 is the key of no row: 2^64 keys are one too many.
    assert_eq!(width(&[bits(32), bits(32)]), KeyWidth::Double);
    assert_eq!(width(&[bits(32), bits(31)]), KeyWidth::Word);
    assert_eq!(width(&[bits(32), Owned::fixed(&[0_u64, (1 << 32) - 2], None)]), KeyWidth::Word);
    assert_eq!(width(&[bits(63), bits(63), bits(1)]), KeyWidth::Double);
    assert_eq!(width(&[bits(63), bits(63), bits(2)]), KeyWidth::Hashed);
    assert_eq!(width(&[bits(63), bits(63), bits(63)]), KeyWidth::Hashed);
}

#[test]
fn foreign_strings_outside_the_measured_range_are_misses() {
    let build = [Owned::strings(&["id07", "id19", "x"], None)];
    let probe_strings = [
        "id07",
        "id19",
        "id17",
        "id08",
        "id29",
        "Id07",
        "x",
        "y",
        "",
        "id0",
        "id077",
        "id07 and much more",
        "id\u{0}7",
    ];
    let probe = [Owned::strings(&probe_strings, None)];
    let exec = Exec::host();
    let (build, probe) = (guards(&build, &exec), guards(&probe, &exec));
    let columns: Vec<_> = build.iter().map(KeyColumn::new).collect();
    let layout = KeyLayout::measure(&columns, NullRows::Miss);
    let mut built = [0_u64; 3];
    Packer::new(&layout, &columns, Origin::Measured).pack(0, &mut built);
    let columns: Vec<_> = probe.iter().map(KeyColumn::new).collect();
    let mut keys = [0_u64; 13];
    Packer::new(&layout, &columns, Origin::Foreign).pack(0, &mut keys);
    assert_eq!([keys[0], keys[1], keys[6]], built);
    for (row, text) in probe_strings.iter().enumerate() {
        let same = |other: &&str| other == text;
        assert_eq!(built.contains(&keys[row]), ["id07", "id19", "x"].iter().any(same), "{text:?}");
    }
    let missed: Vec<&str> =
        probe_strings.iter().zip(keys).filter(|(_, key)| *key == u64::MISS).map(|(text, _)| *text).collect();
    assert_eq!(missed, ["id29", "Id07", "y", "", "id077", "id07 and much more", "id\u{0}7"]);
}

#[test]
fn tickets_are_in_order_of_first_appearance() {
    let mut rng = Rng::new(6);
    for (bits, distinct) in [(0, 1), (4, 16), (16, 60_000), (31, 5), (31, 9_000), (64, 1), (64, 9_000)] {
        let spread = |v: u64| if bits == 64 { v.wrapping_mul(0x1_0000_0001) } else { v };
        let keys: Vec<u64> = (0..40_000)
            .map(|row| if row % 100 == 7 { u64::MISS } else { spread(rng.below(distinct)) })
            .collect();
        let exec = Exec::host();
        // On the heap, in a context's memory with a request for each batch, and with capacity for all from the start.
        let on_heap = GroupTable::<u64>::on_heap(bits);
        let requested = GroupTable::new(bits, 0, &exec).unwrap();
        let roomy = GroupTable::growing_to(bits, 0, keys.len(), &exec).unwrap();
        for (kind, mut table) in [on_heap, requested, roomy].into_iter().enumerate() {
            let mut tickets = vec![0; keys.len()];
            for (keys, out) in keys.chunks(1000).zip(tickets.chunks_mut(1000)) {
                if kind == 1 {
                    table.request(keys.len(), &exec).unwrap();
                }
                table.tickets(keys, out);
            }
            let mut naive = HashMap::new();
            let expected: Vec<u32> = keys
                .iter()
                .map(|&key| {
                    let next = naive.len() as u32;
                    if key == u64::MISS { NO_TICKET } else { *naive.entry(key).or_insert(next) }
                })
                .collect();
            assert_eq!(tickets, expected);
            assert_eq!(table.len(), naive.len());
            assert!(table.keys().iter().enumerate().all(|(ticket, key)| naive[key] == ticket as u32));
            let mut found = vec![0; keys.len()];
            table.find(&keys, &mut found);
            assert_eq!(found, expected);
            if distinct < 1 << bits.min(63) {
                table.find(&[spread(distinct), u64::MISS], &mut found[..2]);
                assert_eq!(found[..2], [NO_TICKET; 2]);
            }
            table.clear();
            table.find(&keys, &mut found);
            assert_eq!(found, vec![NO_TICKET; keys.len()]);
        }
    }
}

#[test]
fn different_rows_with_equal_hashes_get_different_tickets() {
    let hashes = [1_u64, 1, 1, 2, 1, 2];
    let rows = ["a", "b", "a", "c", "b", "c"];
    let mut first: Vec<u32> = Vec::new();
    let mut table = GroupTable::<u64>::on_heap(64);
    let mut tickets = [0; 6];
    let mut groups =
        FirstRows { rows: &mut first, row: |index| index, same: |a: usize, b: usize| rows[a] == rows[b] };
    table.tickets_where(&hashes, &mut tickets, &mut groups);
    assert_eq!(tickets, [0, 1, 0, 2, 1, 2]);
    assert_eq!(first, [0, 1, 3]);
    let mut found = [0; 2];
    table.find_where(&[1, 1], &mut found, |ticket, index| {
        rows[first[ticket as usize] as usize] == ["b", "x"][index]
    });
    assert_eq!(found, [1, NO_TICKET]);
}
