//! Tests of `segmented_sum` on the host.

use super::segmented_sum;
use crate::test_columns::{Kind, TestColumn};
use crate::{Error, Fixed, Storage, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The value of a row, of a little-endian integer.
fn number(bytes: &[u8], is_signed: bool) -> i64 {
    let is_negative = is_signed && bytes.last().is_some_and(|last| last & 0x80 > 0);
    let mut wide = [if is_negative { 0xff } else { 0 }; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(wide)
}

fn index(bound: usize, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(u64::try_from(bound).unwrap())).unwrap()
}

#[test]
fn sums_of_random_runs_match_naive_sums() {
    let exec = Exec::host();
    let mut rng = Rng::new(2);
    for storage in [Storage::I8, Storage::U16, Storage::I32, Storage::U32, Storage::I64, Storage::U64] {
        for n in SIZES {
            for nulls in [Nulls::NoMask, Nulls::Some, Nulls::All] {
                let column = TestColumn::random(Kind::Fixed(storage), n, 3, nulls, &mut rng, &exec);
                let runs: Vec<(usize, usize)> = (0..n)
                    .map(|_| {
                        let start = index(n + 1, &mut rng);
                        (start, index((n - start).min(9) + 1, &mut rng))
                    })
                    .collect();
                let buffer = |of: fn(&(usize, usize)) -> usize| {
                    let numbers = std::iter::once(77).chain(runs.iter().map(of));
                    let numbers: Vec<i64> = numbers.map(|n| i64::try_from(n).unwrap()).collect();
                    Buffer::from_slice(&numbers, &exec).unwrap()
                };
                let (starts, lengths) = (buffer(|run| run.0), buffer(|run| run.1));
                let bounds = |data| Fixed { storage: Storage::I64, data, validity: None, offset: 1, len: n };
                let View::Fixed(values) = column.view() else { panic!("values have fixed width") };
                let sums =
                    segmented_sum(&values, &bounds(&starts), &bounds(&lengths), &exec).unwrap().unwrap();
                let is_signed = storage.is_signed();
                let out = if is_signed { Storage::I64 } else { Storage::U64 };
                assert_eq!((sums.storage, sums.len, sums.validity.is_some()), (out, n, false));
                let expected = runs.iter().map(|&(start, length)| {
                    let rows = column.rows[start..start + length].iter().flatten();
                    rows.fold(0_i64, |sum, bytes| sum.wrapping_add(number(bytes, is_signed)))
                });
                let found = sums.data.to_vec::<i64>(&exec).unwrap();
                assert_eq!(found, expected.collect::<Vec<_>>(), "{storage}, {n} rows, {nulls:?}");
            }
        }
    }
}

#[test]
fn other_types_and_devices_are_not_summed() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let data = Buffer::from_slice(&[1_i64, 0], &exec).unwrap();
        let one = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: 1 };
        let of = |storage| segmented_sum(&Fixed { storage, ..one }, &one, &one, &exec).unwrap();
        assert!(of(Storage::F64).is_none() && of(Storage::I128).is_none() && of(Storage::Bit).is_none());
        assert_eq!(of(Storage::I64).is_some(), device == Device::Host);
        let two = Fixed { len: 2, ..one };
        let unequal = segmented_sum(&one, &one, &two, &exec).unwrap_err();
        assert_eq!(unequal, Error::LengthMismatch { left: 1, right: 2 });
        let narrow = Fixed { storage: Storage::I32, ..one };
        let refused = segmented_sum(&one, &narrow, &one, &exec).unwrap_err();
        assert_eq!(refused, Error::UnsupportedStorage { storage: Storage::I32 });
    }
}
