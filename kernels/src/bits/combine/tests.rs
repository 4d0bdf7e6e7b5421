//! Tests of `combine` on every device of the build.

use super::{and, and_not, copy, not, or};
use crate::{Bits, Error};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, SIZES, pack_bits, unpack_bits};

fn bits(buffer: &Buffer, offset: usize, len: usize) -> Bits<'_> {
    Bits { buffer, offset, len }
}

#[test]
fn combine_of_every_operation_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(2);
        for n in SIZES {
            for (i, j) in [(0, 0), (3, 0), (1, 77), (8, 64)] {
                let a: Vec<bool> = (0..i + n).map(|_| rng.below(2) == 1).collect();
                let b: Vec<bool> = (0..j + n).map(|_| rng.below(2) == 1).collect();
                let left = Buffer::from_slice(&pack_bits(&a), &exec).unwrap();
                let right = Buffer::from_slice(&pack_bits(&b), &exec).unwrap();
                let (x, y) = (bits(&left, i, n), bits(&right, j, n));
                let check = |name: &str, result: Buffer, expected: &dyn Fn(bool, bool) -> bool| {
                    let bytes = result.to_vec::<u8>(&exec).unwrap();
                    assert_eq!(bytes.len(), n.div_ceil(8));
                    let expected: Vec<bool> = (0..n).map(|k| expected(a[i + k], b[j + k])).collect();
                    assert_eq!(unpack_bits(&bytes, n), expected, "{name} n={n} offsets {i} {j} {device}");
                    assert!(
                        (n..bytes.len() * 8).all(|k| bytes[k / 8] >> (k % 8) & 1 == 0),
                        "{name} trailing bits"
                    );
                };
                check("and", and(x, y, &exec).unwrap(), &|a, b| a & b);
                check("or", or(x, y, &exec).unwrap(), &|a, b| a | b);
                check("and_not", and_not(x, y, &exec).unwrap(), &|a, b| a && !b);
                check("not", not(x, &exec).unwrap(), &|a, _| !a);
                check("copy", copy(x, &exec).unwrap(), &|a, _| a);
            }
        }
    }
}

#[test]
fn combine_of_unequal_lengths_is_length_mismatch() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let buffer = Buffer::from_slice(&[0_u8; 4], &exec).unwrap();
        let result = and(bits(&buffer, 0, 8), bits(&buffer, 0, 9), &exec);
        assert_eq!(result.unwrap_err(), Error::LengthMismatch { left: 8, right: 9 });
    }
}
