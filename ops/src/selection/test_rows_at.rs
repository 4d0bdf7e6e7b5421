//! Rows at positions, on every device, against positions of vectors.

use super::{Step, rows_at};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, DType, Error};
use columnade_tests::{Rng, SIZES};

/// The rows of a step, whether none comes twice, and whether they ascend.
fn rows_of(step: &Step, exec: &Exec) -> (Vec<u64>, bool, bool) {
    match step {
        Step::Rows { map, distinct, ordered } => {
            (map.to_vec(exec).unwrap().into_iter().map(Option::unwrap).collect(), *distinct, *ordered)
        }
        Step::Slice { offset: 0, len: 0 } => (Vec::new(), true, true),
        other => panic!("{other:?}"),
    }
}

#[test]
fn rows_match_positions_of_vectors() {
    let mut rng = Rng::new(41);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for len in SIZES {
            let rows = 37_i64;
            let positions: Vec<i64> =
                (0..len).map(|_| i64::try_from(rng.below(74)).unwrap() - rows).collect();
            let expected: Vec<u64> =
                positions.iter().map(|&at| if at < 0 { at + rows } else { at }.unsigned_abs()).collect();
            // A slice, and a narrow dtype.
            let padded: Vec<i8> =
                [9, -9].into_iter().chain(positions.iter().map(|&at| i8::try_from(at).unwrap())).collect();
            let column = Column::from_slice(&padded, &exec).unwrap().slice(2, len).unwrap();
            let (found, distinct, ordered) = rows_of(&rows_at(&column, 37, &exec).unwrap(), &exec);
            assert_eq!(found, expected, "{len} rows on {device}");
            let ascends = expected.is_sorted();
            assert_eq!(ordered, ascends, "{len} rows on {device}");
            assert!(!distinct || expected.windows(2).all(|two| two[0] != two[1]), "{len} rows on {device}");
        }
        let of = |positions: &[u64]| {
            let column = Column::from_slice(positions, &exec).unwrap();
            rows_of(&rows_at(&column, 9, &exec).unwrap(), &exec)
        };
        assert_eq!(of(&[0, 4, 8]), (vec![0, 4, 8], true, true), "on {device}");
        assert_eq!(of(&[0, 4, 4]), (vec![0, 4, 4], false, true), "on {device}");
        assert_eq!(of(&[4, 0]), (vec![4, 0], false, false), "on {device}");
    }
}

#[test]
fn positions_that_do_not_exist_are_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let error = |column: &Column, rows: usize| rows_at(column, rows, &exec).unwrap_err();
        let column = |positions: &[i64]| Column::from_slice(positions, &exec).unwrap();
        let outside = |position| Error::PositionOutOfBounds { position, len: 3 };
        assert_eq!(error(&column(&[0, -3, 2, 3, -4]), 3), outside(3), "on {device}");
        assert_eq!(error(&column(&[-2, -4]), 3), outside(-4), "on {device}");
        assert_eq!(
            error(&column(&[0]), 0),
            Error::PositionOutOfBounds { position: 0, len: 0 },
            "on {device}"
        );
        let far = Column::from_slice(&[1, u64::MAX], &exec).unwrap();
        assert_eq!(error(&far, 3), outside(isize::MAX), "on {device}");
        let null = Column::from_options([Some(1_i64), None], &exec).unwrap();
        assert!(matches!(error(&null, 3), Error::InvalidArgument { name: "positions", .. }), "on {device}");
        let floats = Column::from_slice(&[1.0], &exec).unwrap();
        assert_eq!(error(&floats, 3), Error::UnsupportedDType { dtype: DType::Float64 }, "on {device}");
    }
}
