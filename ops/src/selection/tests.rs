//! Folded steps against the rows that each step leaves of those before.

use super::{Step, affine_labels, compose_maps, fold, kept_rows, map_of_positions, positions, range_labels};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, DType, ErrorKind};
use columnade_kernels::RowMap;
use columnade_tests::Rng;

/// A random step over `rows` rows, and what it leaves of `numbers`.
fn random_step(numbers: &[i64], rng: &mut Rng, exec: &Exec) -> (Step, Vec<i64>) {
    let len = numbers.len();
    let below = |rng: &mut Rng, n: usize| usize::try_from(rng.below(u64::try_from(n).unwrap())).unwrap();
    match rng.below(4) {
        0 => {
            let offset = below(rng, len + 1);
            let count = below(rng, len - offset + 1);
            (Step::Slice { offset, len: count }, numbers[offset..offset + count].to_vec())
        }
        1 => {
            let keep: Vec<Option<bool>> = (0..len + 3)
                .map(|_| match rng.below(5) {
                    0 => None,
                    n => Some(n % 2 == 0),
                })
                .collect();
            let column = Column::from_options(keep.clone(), exec).unwrap().slice(3, len).unwrap();
            let left: Vec<i64> = numbers
                .iter()
                .zip(&keep[3..])
                .filter(|(_, keep)| **keep == Some(true))
                .map(|(number, _)| *number)
                .collect();
            (Step::Mask { keep: column, kept: left.len() }, left)
        }
        2 => {
            let (mut begins, mut left) = (vec![-7], Vec::new());
            for number in numbers {
                begins.push(i64::try_from(left.len()).unwrap());
                left.extend(std::iter::repeat_n(*number, below(rng, 4)));
            }
            let begins = Column::from_slice(&begins, exec).unwrap().slice(1, len).unwrap();
            (Step::Repeat { begins, len: left.len() }, left)
        }
        _ => {
            let count = if len == 0 { 0 } else { below(rng, 2 * len) };
            let rows: Vec<u32> = (0..count).map(|_| u32::try_from(below(rng, len)).unwrap()).collect();
            let left = rows.iter().map(|&row| numbers[row as usize]).collect();
            let map = if rng.below(2) == 0 {
                RowMap::from_u32(&rows, exec).unwrap()
            } else {
                RowMap::from_u64(&rows.iter().copied().map(u64::from).collect::<Vec<_>>(), exec).unwrap()
            };
            (Step::Rows { map, distinct: false, ordered: false }, left)
        }
    }
}

#[test]
fn fold_of_random_steps_leaves_rows_that_steps_leave() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(19);
        for rows in [0_i64, 1, 31, 33, 64, 130] {
            for depth in 0..5 {
                let mut expected: Vec<i64> = (0..rows).collect();
                let mut steps = Vec::new();
                for _ in 0..depth {
                    let (step, left) = random_step(&expected, &mut rng, &exec);
                    assert_eq!(step.len(), left.len());
                    steps.push(step.to_device(&exec).unwrap());
                    expected = left;
                }
                let folded = fold(&steps, &exec).unwrap();
                let (offset, len) = folded.slice.unwrap_or((0, usize::try_from(rows).unwrap()));
                let found: Vec<i64> = match folded.map {
                    None => (offset..offset + len).map(|row| i64::try_from(row).unwrap()).collect(),
                    Some(map) => {
                        let labels = affine_labels(&map, i64::try_from(offset).unwrap(), 1, &exec).unwrap();
                        labels.to_vec::<i64>().unwrap()
                    }
                };
                assert_eq!(found, expected, "{device} rows={rows} {steps:?}");
            }
        }
    }
}

#[test]
fn composed_map_of_no_row_is_no_row() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for first in [RowMap::from_u32(&[7, 5], &exec).unwrap(), RowMap::from_u64(&[7, 5], &exec).unwrap()] {
            let map = RowMap::from_u32(&[1, u32::MAX, 0, 1], &exec).unwrap();
            let composed = compose_maps(&first, &map, &exec).unwrap();
            assert_eq!(composed.to_vec(&exec).unwrap(), [Some(5), None, Some(7), Some(5)], "{device}");
            let rows = positions(&composed, &exec).unwrap();
            assert_eq!(rows.to_vec::<i64>().unwrap(), [5, -1, 7, 5]);
            let again = map_of_positions(&rows, &exec).unwrap();
            assert_eq!(again.to_vec(&exec).unwrap(), [Some(5), None, Some(7), Some(5)]);
        }
        let none = RowMap::from_u32(&[], &exec).unwrap();
        let map = RowMap::from_u32(&[u32::MAX], &exec).unwrap();
        assert_eq!(compose_maps(&none, &map, &exec).unwrap().to_vec(&exec).unwrap(), [None]);
        let with_none = RowMap::from_u32(&[u32::MAX, 3], &exec).unwrap();
        for first in [with_none.clone(), RowMap::from_u64(&[u64::MAX, 3], &exec).unwrap()] {
            let map = RowMap::from_u32(&[1, u32::MAX, 0], &exec).unwrap();
            let composed = compose_maps(&first, &map, &exec).unwrap();
            assert_eq!(composed.to_vec(&exec).unwrap(), [Some(3), None, None], "{device}");
        }
        assert_eq!(positions(&with_none, &exec).unwrap().to_vec::<i64>().unwrap(), [-1, 3]);
    }
}

#[test]
fn range_labels_follow_start_and_step() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let labels = range_labels(7, -3, 3, &exec).unwrap();
        assert_eq!(labels.to_vec::<i64>().unwrap(), [7, 4, 1], "{device}");
        let map = RowMap::from_u32(&[2, 0], &exec).unwrap();
        assert_eq!(affine_labels(&map, 7, -3, &exec).unwrap().to_vec::<i64>().unwrap(), [1, 7]);
        let numbers = Column::from_slice(&[1_i32], &exec).unwrap();
        assert_eq!(kept_rows(&numbers, &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(map_of_positions(&numbers, &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(numbers.dtype(), DType::Int32);
    }
}
