//! Tests of `hash_rows` on every device of the build.

use super::host::{murmur3, xxhash64};
use super::{HashFunction, hash_rows};
use crate::test_columns::{Kind, TestColumn};
use crate::test_values::rows_of;
use crate::{Error, OffsetWidth, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

const STRINGS: Kind = Kind::String(OffsetWidth::I32);

fn hashes(function: HashFunction, columns: &[&TestColumn], exec: &Exec) -> Vec<u64> {
    let views: Vec<_> = columns.iter().map(|column| column.view()).collect();
    let result = hash_rows(function, &views, exec).unwrap();
    let value = |value: Option<Value>| match value {
        Some(Value::U32(hash)) => hash.into(),
        Some(Value::U64(hash)) => hash,
        other => panic!("{other:?}"),
    };
    rows_of(&result, exec).into_iter().map(value).collect()
}

#[test]
fn hashes_match_the_reference_implementations() {
    // From the Python packages mmh3 5 and xxhash 3, which wrap the authors' code.
    #[rustfmt::skip]
    #[expect(clippy::unreadable_literal, reason = "hashes as printed")]
    let texts: [(&[u8], u32, u32, u64); 14] = [
        (b"", 0x0, 0x00000000, 0xef46db3751d8e999),
        (b"", 0x9747b28c, 0xebb6c228, 0x495a197c8d074e3d),
        (b"a", 0x0, 0x3c2569b2, 0xd24ec4f1a98c6e5b),
        (b"a", 0x9747b28c, 0x7fa09ea6, 0x0c7350bffbfe1681),
        (b"abc", 0x0, 0xb3dd93fa, 0x44bc2cf5ad770999),
        (b"abc", 0x9747b28c, 0xc84a62dd, 0x7d79a0222a9406c7),
        (b"\0\0\0\0", 0x0, 0x2362f9de, 0x3aefa6fd5cf2deb4),
        (b"\0\0\0\0", 0x9747b28c, 0xa366817d, 0x94959c2555758d8d),
        (b"Hello, world!", 0x0, 0xc0363e43, 0xf58336a78b6f9476),
        (b"Hello, world!", 0x9747b28c, 0x24884cba, 0x036b52bb82642168),
        (b"The quick brown fox jumps over the lazy dog", 0x0, 0x2e4ff723, 0x0b242d361fda71bc),
        (b"The quick brown fox jumps over the lazy dog", 0x9747b28c, 0x2fa826cd, 0x3e182f2bc9dbde4b),
        ("été".as_bytes(), 0x0, 0x3393660f, 0xec4a491a57c3c9b1),
        ("été".as_bytes(), 0x9747b28c, 0x2a553ff2, 0x756e64bc9755e68a),
    ];
    // Of the bytes 0, 1, 2 … with the seed 7.
    #[rustfmt::skip]
    #[expect(clippy::unreadable_literal, reason = "hashes as printed")]
    let long: [(u8, u32, u64); 7] = [
        (31, 0x157b85f4, 0x0bdbbcaead6c6e56),
        (32, 0x7c416d9c, 0xa5972d57c4aea230),
        (33, 0xf291287c, 0x0c43e57754c778d9),
        (63, 0x48a67736, 0x379eeab4056e3988),
        (64, 0x51948ebc, 0x3c65d1809a38a9bf),
        (65, 0x7cab316f, 0x68dc3663487eb225),
        (100, 0x31d10ece, 0x80653e7e9b887cdd),
    ];
    let long = long.map(|(n, murmur, xx)| ((0..n).collect::<Vec<u8>>(), 7, murmur, xx));
    let cases =
        texts.map(|(text, seed, murmur, xx)| (text.to_vec(), seed, murmur, xx)).into_iter().chain(long);
    for (bytes, seed, murmur, xx) in cases {
        assert_eq!(murmur3(&bytes, seed), murmur, "{bytes:?}");
        assert_eq!(xxhash64(&bytes, seed.into()), xx, "{bytes:?}");
        for device in Device::available() {
            let exec = Exec::new(device).unwrap();
            let column = TestColumn::new(STRINGS, &[b"x".to_vec(), bytes.clone()], None, 1, &exec);
            assert_eq!(
                hashes(HashFunction::Murmur3(seed), &[&column], &exec),
                [u64::from(murmur)],
                "{device}"
            );
            assert_eq!(hashes(HashFunction::XxHash64(seed.into()), &[&column], &exec), [xx], "{device}");
        }
    }
}

#[test]
fn hash_rows_of_every_storage_size_null_pattern_and_offset_matches_chain() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(77);
        for (i, n) in SIZES.into_iter().enumerate() {
            let kinds =
                Storage::ALL.map(Kind::Fixed).into_iter().chain([STRINGS, Kind::String(OffsetWidth::I64)]);
            let columns: Vec<TestColumn> = kinds
                .enumerate()
                .map(|(k, kind)| {
                    TestColumn::random(kind, n, [0, 3][k % 2], Nulls::ALL[(i + k) % 4], &mut rng, &exec)
                })
                .collect();
            let columns: Vec<&TestColumn> = columns.iter().collect();
            for function in [HashFunction::Murmur3(42), HashFunction::XxHash64(u64::MAX)] {
                let found = hashes(function, &columns, &exec);
                for (row, found) in found.into_iter().enumerate() {
                    let expected = columns.iter().zip(Storage::ALL.map(Some).into_iter().chain([None, None]));
                    let expected = expected.fold(None, |so_far, (column, storage)| {
                        let Some(bytes) = &column.rows[row] else { return so_far };
                        Some(one(function, so_far, &normal(bytes, storage)))
                    });
                    let seed = match function {
                        HashFunction::Murmur3(seed) => seed.into(),
                        HashFunction::XxHash64(seed) => seed,
                    };
                    assert_eq!(found, expected.unwrap_or(seed), "{function:?} n={n} row {row} on {device}");
                }
            }
        }
    }
}

fn one(function: HashFunction, so_far: Option<u64>, bytes: &[u8]) -> u64 {
    match function {
        HashFunction::Murmur3(seed) => murmur3(bytes, so_far.map_or(seed, |hash| hash as u32)).into(),
        HashFunction::XxHash64(seed) => xxhash64(bytes, so_far.unwrap_or(seed)),
    }
}

/// One bit pattern for NaNs, and one for zeros.
fn normal(bytes: &[u8], storage: Option<Storage>) -> Vec<u8> {
    match storage {
        Some(Storage::F32) => {
            let value = f32::from_le_bytes(bytes.try_into().unwrap());
            let bits = if value.is_nan() {
                0x7fc0_0000
            } else if value == 0.0 {
                0
            } else {
                value.to_bits()
            };
            bits.to_le_bytes().to_vec()
        }
        Some(Storage::F64) => {
            let value = f64::from_le_bytes(bytes.try_into().unwrap());
            let bits = if value.is_nan() {
                0x7ff8 << 48
            } else if value == 0.0 {
                0
            } else {
                value.to_bits()
            };
            bits.to_le_bytes().to_vec()
        }
        _ => bytes.to_vec(),
    }
}

#[test]
fn zeros_and_nans_have_one_hash_and_nulls_leave_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = [0.0, -0.0, f64::NAN, -f64::NAN, f64::from_bits(0x7ff8_0000_0000_0001), 1.0];
        let bytes = values.map(|value| value.to_le_bytes().to_vec());
        let mask = [true, true, true, true, true, false];
        let column = TestColumn::new(Kind::Fixed(Storage::F64), &bytes, Some(&mask), 0, &exec);
        let found = hashes(HashFunction::XxHash64(5), &[&column], &exec);
        assert_eq!(found[0], found[1], "{device}");
        assert_eq!(found[2..4], [found[4]; 2], "{device}");
        assert_ne!(found[0], found[2]);
        assert_eq!(found[5], 5, "{device}");
    }
}

#[test]
fn hash_rows_of_no_columns_or_other_lengths_is_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let of = |n| TestColumn::random(STRINGS, n, 0, Nulls::Some, &mut Rng::new(2), &exec);
        let (long, short) = (of(4), of(3));
        let function = HashFunction::Murmur3(0);
        let error = hash_rows(function, &[], &exec).unwrap_err();
        assert_eq!(error, Error::InvalidArgument { name: "columns", reason: "there are none" });
        let error = hash_rows(function, &[long.view(), short.view()], &exec).unwrap_err();
        assert_eq!(error, Error::LengthMismatch { left: 4, right: 3 });
    }
}
