//! Tests of `run_numbers` on every device of the build.

use super::run_numbers;
use crate::{Error, Fixed, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, SIZES};

#[test]
fn run_numbers_match_repeated_numbers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(8);
        for n in SIZES {
            for longest in [1, 3, 200] {
                let lengths: Vec<u64> = (0..n).map(|_| rng.below(longest + 1)).collect();
                let mut starts = vec![99_i64];
                let mut expected = Vec::new();
                for (run, &length) in (0_i64..).zip(&lengths) {
                    starts.push(i64::try_from(expected.len()).unwrap());
                    expected.extend((0..length).map(|_| run));
                }
                let data = Buffer::from_slice(&starts, &exec).unwrap();
                let starts = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 1, len: n };
                let what = format!("{device}, {n} runs of up to {longest}");
                let wide = run_numbers(&starts, expected.len(), Storage::I64, &exec).unwrap();
                assert_eq!(
                    (wide.storage, wide.len, wide.validity.is_some()),
                    (Storage::I64, expected.len(), false)
                );
                assert_eq!(wide.data.to_vec::<i64>(&exec).unwrap(), expected, "{what}");
                let narrow = run_numbers(&starts, expected.len(), Storage::U32, &exec).unwrap();
                let expected: Vec<u32> = expected.iter().map(|&run| u32::try_from(run).unwrap()).collect();
                assert_eq!(narrow.data.to_vec::<u32>(&exec).unwrap(), expected, "{what}");
            }
        }
    }
}

/// More empty runs between two rows than a block of a device reads.
#[test]
fn run_numbers_after_many_empty_runs_match_repeated_numbers() {
    const RUNS: i64 = 60_000;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (mut starts, mut expected) = (Vec::new(), Vec::new());
        for run in 0..RUNS {
            starts.push(i64::try_from(expected.len()).unwrap());
            let length = match run {
                0 | 1_000 | 45_000 => 3,
                50_000 => 1_500,
                run if run > 55_000 && run % 7 == 0 => 1,
                _ => 0,
            };
            expected.extend((0..length).map(|_| run));
        }
        let data = Buffer::from_slice(&starts, &exec).unwrap();
        let len = starts.len();
        let starts = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len };
        let found = run_numbers(&starts, expected.len(), Storage::I64, &exec).unwrap();
        assert_eq!(found.data.to_vec::<i64>(&exec).unwrap(), expected, "{device}");
    }
}

#[test]
fn run_numbers_of_other_types_are_errors() {
    let exec = Exec::host();
    let data = Buffer::from_slice(&[0_i64], &exec).unwrap();
    let starts = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: 1 };
    let refused = run_numbers(&starts, 1, Storage::I8, &exec).unwrap_err();
    assert_eq!(refused, Error::UnsupportedStorage { storage: Storage::I8 });
    let starts = Fixed { storage: Storage::U64, ..starts };
    let refused = run_numbers(&starts, 1, Storage::I64, &exec).unwrap_err();
    assert_eq!(refused, Error::UnsupportedStorage { storage: Storage::U64 });
}
