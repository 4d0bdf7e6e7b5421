//! Tests of `gather_runs` on every device of the build.

use super::gather_runs;
use crate::copying::gather::MapNulls;
use crate::test_columns::{KINDS, Kind, Row, TestColumn, has_mask, rows};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{ColumnData, Error, Fixed, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// Runs of a source of `rows` rows, and the rows that they name one after the other.
struct Runs {
    begins: Vec<i64>,
    sources: Vec<i64>,
    named: Vec<Option<usize>>,
}

impl Runs {
    /// `count` runs of up to `longest` rows, some of no row and some without rows.
    fn random(count: usize, longest: u64, rows: usize, nulls: MapNulls, rng: &mut Rng) -> Self {
        let mut runs = Self { begins: Vec::new(), sources: Vec::new(), named: Vec::new() };
        for _ in 0..count {
            runs.begins.push(runs.named.len() as i64);
            if nulls == MapNulls::Possible && (rows == 0 || rng.below(4) == 0) {
                runs.sources.push(-1);
                runs.named.push(None);
                continue;
            }
            let source = rng.below(rows as u64 + 1) as usize;
            let length = (rng.below(longest + 1) as usize).min(rows - source);
            runs.sources.push(source as i64);
            runs.named.extend((source..source + length).map(Some));
        }
        runs
    }
}

fn check(source: &TestColumn, pattern: Nulls, runs: &Runs, nulls: MapNulls, what: &str, exec: &Exec) {
    // A number before the runs, as of a slice.
    let buffers = [&runs.begins, &runs.sources].map(|numbers| {
        let numbers: Vec<i64> = [77].iter().chain(numbers).copied().collect();
        Buffer::from_slice(&numbers, exec).unwrap()
    });
    let len = runs.begins.len();
    let [begins, sources] =
        buffers.each_ref().map(|data| Fixed { storage: Storage::I64, data, validity: None, offset: 1, len });
    let made = gather_runs(&source.view(), &begins, &sources, runs.named.len(), nulls, exec).unwrap();
    let expected: Vec<Row> =
        runs.named.iter().map(|row| row.and_then(|row| source.rows[row].clone())).collect();
    assert_eq!(rows(&made, exec), expected, "{what}");
    if let ColumnData::Fixed(data) = &made
        && data.storage == Storage::I32
        && exec.device() == Device::Host
    {
        let values = data.data.to_vec::<i32>(exec).unwrap();
        let of_none = values.iter().zip(&runs.named).filter(|(_, row)| row.is_none());
        assert!(of_none.into_iter().all(|(value, _)| *value == 0), "values of no row of {what}");
    }
    let masked = pattern != Nulls::NoMask || nulls == MapNulls::Possible;
    assert_eq!(has_mask(&made), masked, "mask of {what}");
}

#[test]
fn gather_runs_of_every_width_null_pattern_and_offset_matches_rows_one_by_one() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        for kind in KINDS {
            for (&n, nulls) in SIZES.iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
                let source = TestColumn::random(kind, n, 3, nulls, &mut rng, &exec);
                for map_nulls in [MapNulls::Never, MapNulls::Possible] {
                    for longest in [4, 200] {
                        let count = n.div_ceil(1 + longest as usize / 4);
                        let runs = Runs::random(count, longest, n, map_nulls, &mut rng);
                        let what = format!("{kind:?} n={n} {nulls:?} {map_nulls:?} {longest} {device}");
                        check(&source, nulls, &runs, map_nulls, &what, &exec);
                    }
                }
            }
        }
    }
}

#[test]
fn runs_across_the_morsels_of_the_host_are_gathered() {
    let exec = Exec::host();
    let mut rng = Rng::new(4);
    for nulls in [Nulls::NoMask, Nulls::Some] {
        let source = TestColumn::random(Kind::Fixed(Storage::I32), 1000, 0, nulls, &mut rng, &exec);
        for (rows, longest) in
            [(HOST_MORSEL_ROWS, 3), (2 * HOST_MORSEL_ROWS + 1, 9), (HOST_MORSEL_ROWS - 1, 1)]
        {
            let count = 2 * rows / (longest as usize / 2).max(1);
            let runs = Runs::random(count, longest, 1000, MapNulls::Possible, &mut rng);
            assert!(runs.named.len() > rows, "several morsels");
            check(&source, nulls, &runs, MapNulls::Possible, &format!("{nulls:?} {rows} {longest}"), &exec);
        }
    }
}

#[test]
fn runs_of_other_types_and_lengths_are_errors() {
    let exec = Exec::host();
    let data = Buffer::from_slice(&[0_i64, 1], &exec).unwrap();
    let two = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: 2 };
    let one = Fixed { len: 1, ..two };
    let source = crate::View::Fixed(two);
    let refused =
        |begins, sources| gather_runs(&source, begins, sources, 2, MapNulls::Never, &exec).unwrap_err();
    assert_eq!(refused(&two, &one), Error::LengthMismatch { left: 2, right: 1 });
    let unsigned = Fixed { storage: Storage::U64, ..two };
    for (begins, sources) in [(&unsigned, &two), (&two, &unsigned)] {
        assert_eq!(refused(begins, sources), Error::UnsupportedStorage { storage: Storage::U64 });
    }
}
