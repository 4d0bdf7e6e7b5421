//! One suite for `gather` on every device.

use super::{MapNulls, gather};
use crate::{ColumnData, Fixed, RowMap, RowWidth, Storage, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES, pack_bits};

/// The naive twin, over one byte string a row.
fn expected(rows: &[Option<Vec<u8>>], map: &[Option<u64>]) -> Vec<Option<Vec<u8>>> {
    map.iter().map(|index| index.and_then(|row| rows[row as usize].clone())).collect()
}

#[test]
fn every_width_null_pattern_and_offset() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1);
        for storage in [Storage::Bit, Storage::I8, Storage::U16, Storage::F32, Storage::I64, Storage::I128] {
            for (&n, nulls) in SIZES.iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
                for offset in [0, 3] {
                    check(storage, n, offset, nulls, &mut rng, &exec);
                }
            }
        }
    }
}

fn check(storage: Storage, n: usize, offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) {
    let data = rng.bytes(storage.bytes(offset + n));
    let mask = nulls.mask(offset + n, rng);
    let buffer = Buffer::from_slice(&data, exec).unwrap();
    let validity = mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap());
    let source = View::Fixed(Fixed { storage, data: &buffer, validity: validity.as_ref(), offset, len: n });
    let value = |row: usize| match storage.width() {
        None => vec![data[row / 8] >> (row % 8) & 1],
        Some(width) => data[row * width..][..width].to_vec(),
    };
    let rows: Vec<_> =
        (offset..offset + n).map(|r| mask.as_ref().is_none_or(|m| m[r]).then(|| value(r))).collect();
    for (map_nulls, width) in [(MapNulls::Never, RowWidth::U32), (MapNulls::Possible, RowWidth::U64)] {
        let m = if n == 0 && map_nulls == MapNulls::Never { 0 } else { n + 5 };
        let map: Vec<Option<u64>> = (0..m)
            .map(|_| {
                (n > 0 && (map_nulls == MapNulls::Never || rng.below(5) > 0))
                    .then(|| rng.below(n.max(1) as u64))
            })
            .collect();
        let row_map = match width {
            RowWidth::U32 => RowMap::from_u32(
                &map.iter().map(|r| r.map_or(u32::MAX, |r| r as u32)).collect::<Vec<_>>(),
                exec,
            ),
            RowWidth::U64 => {
                RowMap::from_u64(&map.iter().map(|r| r.unwrap_or(u64::MAX)).collect::<Vec<_>>(), exec)
            }
        };
        let ColumnData::Fixed(out) = gather(&source, &row_map.unwrap(), map_nulls, exec).unwrap() else {
            panic!("a fixed-width column stays one");
        };
        assert_eq!((out.storage, out.len), (storage, m));
        let bytes = out.data.to_vec::<u8>(exec).unwrap();
        let valid = out.validity.map(|mask| mask.to_vec::<u8>(exec).unwrap());
        let got: Vec<_> = (0..m)
            .map(|i| {
                let set = valid.as_ref().is_none_or(|mask| mask[i / 8] >> (i % 8) & 1 == 1);
                set.then(|| match storage.width() {
                    None => vec![bytes[i / 8] >> (i % 8) & 1],
                    Some(width) => bytes[i * width..][..width].to_vec(),
                })
            })
            .collect();
        assert_eq!(
            got,
            expected(&rows, &map),
            "{storage} n={n} offset={offset} {nulls:?} {:?}",
            exec.device()
        );
    }
}
