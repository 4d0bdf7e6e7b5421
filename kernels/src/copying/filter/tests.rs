//! Tests of `filter` on every device of the build.

use super::{filter, row_map};
use crate::test_columns::{KINDS, TestColumn, has_mask, rows};
use crate::{Bits, Error};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES, pack_bits};

/// One row in so many is kept: words with no, few, half and all rows kept.
const DENSITIES: [u64; 4] = [1000, 20, 2, 1];

/// A selection at `offset`, as bits and as a buffer.
fn selection(n: usize, offset: usize, one_in: u64, rng: &mut Rng, exec: &Exec) -> (Vec<bool>, Buffer) {
    let bits: Vec<bool> = (0..offset + n).map(|_| rng.below(one_in) == 0).collect();
    let buffer = Buffer::from_slice(&pack_bits(&bits), exec).unwrap();
    (bits[offset..].to_vec(), buffer)
}

#[test]
fn filter_of_every_width_null_pattern_density_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(4);
        for (n, nulls) in SIZES.into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            for (k, one_in) in DENSITIES.into_iter().enumerate() {
                let columns = KINDS.map(|kind| TestColumn::random(kind, n, 3 * k, nulls, &mut rng, &exec));
                let views = columns.each_ref().map(TestColumn::view);
                let (keep, keep_buffer) = selection(n, k, one_in, &mut rng, &exec);
                let (valid, valid_buffer) = selection(n, 2 * k, 2, &mut rng, &exec);
                let bits = Bits { buffer: &keep_buffer, offset: k, len: n };
                let validity = Bits { buffer: &valid_buffer, offset: 2 * k, len: n };
                for keep_validity in [None, Some(validity)] {
                    let kept = |row: &usize| keep[*row] && (keep_validity.is_none() || valid[*row]);
                    let kept: Vec<usize> = (0..n).filter(kept).collect();
                    let context = format!("n={n} {nulls:?} 1 in {one_in} {device}");
                    let map = row_map(bits, keep_validity, &exec).unwrap().to_vec(&exec).unwrap();
                    assert_eq!(
                        map,
                        kept.iter().map(|&row| Some(row as u64)).collect::<Vec<_>>(),
                        "{context}"
                    );
                    let out = filter(&views, bits, keep_validity, &exec).unwrap();
                    for ((column, out), kind) in columns.iter().zip(&out).zip(KINDS) {
                        let expected: Vec<_> = kept.iter().map(|&row| column.rows[row].clone()).collect();
                        assert_eq!(rows(out, &exec), expected, "{kind:?} {context}");
                        assert_eq!(has_mask(out), nulls != Nulls::NoMask, "mask of {kind:?} {context}");
                    }
                }
            }
        }
    }
}

/// Several host morsels, some without a kept row and some that end within a word of the result.
#[test]
fn filter_of_many_morsels_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(5);
    let n = 3 * crate::tuning::HOST_MORSEL_ROWS + 77;
    let keep: Vec<bool> = (0..n).map(|row| row / 50_000 % 2 == 0 && rng.below(3) > 0).collect();
    let buffer = Buffer::from_slice(&pack_bits(&keep), &exec).unwrap();
    for kind in KINDS {
        let column = TestColumn::random(kind, n, 5, Nulls::Some, &mut rng, &exec);
        let out = filter(&[column.view()], Bits { buffer: &buffer, offset: 0, len: n }, None, &exec).unwrap();
        let expected: Vec<_> = (0..n).filter(|&row| keep[row]).map(|row| column.rows[row].clone()).collect();
        assert!(rows(&out[0], &exec) == expected, "{kind:?}");
    }
}

#[test]
fn filter_of_unequal_lengths_is_length_mismatch() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(6);
        let column = TestColumn::random(KINDS[1], 5, 0, Nulls::NoMask, &mut rng, &exec);
        let buffer = Buffer::from_slice(&[0xff_u8], &exec).unwrap();
        let keep = Bits { buffer: &buffer, offset: 0, len: 4 };
        let error = filter(&[column.view()], keep, None, &exec).unwrap_err();
        assert_eq!(error, Error::LengthMismatch { left: 5, right: 4 });
    }
}
