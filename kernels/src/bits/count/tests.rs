//! Tests of `count_ones` on every device of the build.

use super::count_ones;
use crate::Bits;
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, SIZES, pack_bits};

#[test]
fn count_ones_ignores_bits_outside_the_range() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        for n in SIZES.into_iter().chain([300_000]) {
            for (offset, density) in [(0, 2), (5, 2), (64, 1), (13, 100)] {
                // Ones before and after the range, which must not be counted.
                let mut bits = vec![true; offset + n + 9];
                for bit in &mut bits[offset..offset + n] {
                    *bit = rng.below(density) == 0;
                }
                let buffer = Buffer::from_slice(&pack_bits(&bits), &exec).unwrap();
                let ones = count_ones(Bits { buffer: &buffer, offset, len: n }, &exec).unwrap();
                let expected = bits[offset..offset + n].iter().filter(|&&bit| bit).count();
                assert_eq!(ones, expected, "n={n} offset={offset} {device}");
            }
        }
    }
}
