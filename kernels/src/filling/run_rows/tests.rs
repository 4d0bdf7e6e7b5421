//! Tests of `run_rows` on every device of the build.

use super::run_rows;
use crate::{Error, Fixed, RowMap, RowWidth, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, SIZES};

/// The rows of a map as 64 bits, no row as −1.
fn rows_of(map: &RowMap, exec: &Exec) -> Vec<i64> {
    match map.width {
        RowWidth::U32 => {
            let rows = map.rows.to_vec::<u32>(exec).unwrap();
            rows.iter().map(|&row| if row == RowMap::NONE_U32 { -1 } else { i64::from(row) }).collect()
        }
        RowWidth::U64 => {
            let rows = map.rows.to_vec::<u64>(exec).unwrap();
            rows.iter().map(|&row| i64::try_from(row).unwrap_or(-1)).collect()
        }
    }
}

#[test]
fn run_rows_match_runs_one_after_the_other() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        let number = |rng: &mut Rng, below: u64| i64::try_from(rng.below(below)).unwrap();
        for n in SIZES {
            for longest in [1, 3, 200] {
                let (mut begins, mut sources, mut expected) = (vec![99_i64], vec![77_i64], Vec::new());
                for _ in 0..n {
                    begins.push(i64::try_from(expected.len()).unwrap());
                    let (source, length) = match rng.below(4) {
                        0 => (-1, 1),
                        1 => (number(&mut rng, 1000), 0),
                        _ => (number(&mut rng, 4_000_000_000), number(&mut rng, longest + 1)),
                    };
                    sources.push(source);
                    expected.extend((0..length).map(|k| source + k));
                }
                let buffers = [&begins, &sources].map(|values| Buffer::from_slice(values, &exec).unwrap());
                let [begins, sources] = buffers.each_ref().map(|data| Fixed {
                    storage: Storage::I64,
                    data,
                    validity: None,
                    offset: 1,
                    len: n,
                });
                for width in [RowWidth::U32, RowWidth::U64] {
                    let map = run_rows(&begins, &sources, expected.len(), width, &exec).unwrap();
                    assert_eq!((map.width, map.len), (width, expected.len()));
                    let what = format!("{device}, {n} runs of up to {longest}, {width:?}");
                    assert_eq!(rows_of(&map, &exec), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn run_rows_of_other_types_and_lengths_are_errors() {
    let exec = Exec::host();
    let data = Buffer::from_slice(&[0_i64, 1], &exec).unwrap();
    let two = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: 2 };
    let one = Fixed { len: 1, ..two };
    let refused = run_rows(&two, &one, 2, RowWidth::U32, &exec).unwrap_err();
    assert_eq!(refused, Error::LengthMismatch { left: 2, right: 1 });
    let unsigned = Fixed { storage: Storage::U64, ..two };
    for (begins, sources) in [(&unsigned, &two), (&two, &unsigned)] {
        let refused = run_rows(begins, sources, 2, RowWidth::U32, &exec).unwrap_err();
        assert_eq!(refused, Error::UnsupportedStorage { storage: Storage::U64 });
    }
}
