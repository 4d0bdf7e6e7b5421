//! Tests of `gather` on every device of the build.

use super::{MapNulls, gather};
use crate::test_columns::{KINDS, Kind, Row, TestColumn, has_mask, rows};
use crate::{RowMap, RowWidth};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The reference implementation.
fn expected(rows: &[Row], map: &[Option<u64>]) -> Vec<Row> {
    map.iter().map(|index| index.and_then(|row| rows[row as usize].clone())).collect()
}

#[test]
fn gather_of_every_width_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1);
        for kind in KINDS {
            for (&n, nulls) in SIZES.iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
                for offset in [0, 3] {
                    check(kind, n, offset, nulls, &mut rng, &exec);
                }
            }
        }
    }
}

fn check(kind: Kind, n: usize, offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) {
    let source = TestColumn::random(kind, n, offset, nulls, rng, exec);
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
        let out = gather(&source.view(), &row_map.unwrap(), map_nulls, exec).unwrap();
        let context = format!("{kind:?} n={n} offset={offset} {nulls:?} {}", exec.device());
        assert_eq!(rows(&out, exec), expected(&source.rows, &map), "{context}");
        assert_eq!(
            has_mask(&out),
            nulls != Nulls::NoMask || map_nulls == MapNulls::Possible,
            "mask of {context}"
        );
    }
}
