//! Bins on every device, against a naive reference and pandas.

use super::{BinEdges, bin_numbers};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, DType, ErrorKind};
use columnade_tests::{Nulls, Rng};

const CLOSED: [BinEdges; 4] = [
    BinEdges { right: true, include_lowest: false },
    BinEdges { right: true, include_lowest: true },
    BinEdges { right: false, include_lowest: false },
    BinEdges { right: false, include_lowest: true },
];

#[expect(clippy::float_cmp, reason = "edges are exact")]
fn expected(x: f64, edges: &[f64], closed: BinEdges) -> Option<i64> {
    let bins = edges.len() - 1;
    let is_in = |bin: &usize| {
        let (low, high) = (edges[*bin], edges[bin + 1]);
        let lowest = closed.include_lowest && closed.right && *bin == 0 && x == low;
        let highest = closed.include_lowest && !closed.right && *bin == bins - 1 && x == high;
        let inside = if closed.right { low < x && x <= high } else { low <= x && x < high };
        inside || lowest || highest
    };
    (0..bins).find(is_in).map(|bin| i64::try_from(bin).unwrap())
}

#[test]
fn bins_of_numbers_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        for n in [0, 1, 31, 32, 33, 65, 700] {
            for nulls in Nulls::ALL {
                let mask = nulls.mask(n + 3, &mut rng);
                let whole: Vec<i32> = (0..n + 3).map(|_| i32::try_from(rng.below(12)).unwrap() - 6).collect();
                let is_valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
                let options = |dtype: &DType| -> Column {
                    let values: Vec<Option<i32>> =
                        whole.iter().enumerate().map(|(row, x)| is_valid(row).then_some(*x)).collect();
                    let column = Column::from_options(values, &exec).unwrap();
                    crate::cast::cast(&column, dtype, crate::cast::CastMode::Checked, &exec).unwrap()
                };
                for edges in [&[-3.0, 0.0, 4.0][..], &[-2.5, -0.0, 0.2, 0.7, 9.0], &[f64::NEG_INFINITY, 1.0]]
                {
                    for closed in CLOSED {
                        for dtype in [DType::Int32, DType::Int8, DType::Float32, DType::Float64] {
                            let values = options(&dtype).slice(3, n).unwrap();
                            let found = bin_numbers(&values, edges, closed, &exec).unwrap();
                            let wanted: Vec<_> = (3..n + 3)
                                .map(|row| {
                                    is_valid(row).then(|| expected(f64::from(whole[row]), edges, closed))?
                                })
                                .collect();
                            let what =
                                format!("{device}, {n} rows of {dtype}, {nulls:?}, {edges:?}, {closed:?}");
                            assert_eq!(found.to_options::<i64>().unwrap(), wanted, "{what}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn bins_of_extremes_are_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let right = CLOSED[0];
        let floats = [f64::NAN, -0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
        let floats = Column::from_slice(&floats, &exec).unwrap();
        let found = bin_numbers(&floats, &[-1.0, 0.0, f64::INFINITY], right, &exec).unwrap();
        assert_eq!(
            found.to_options::<i64>().unwrap(),
            [None, Some(0), Some(0), Some(1), None, Some(1)],
            "{device}"
        );
        // 2^53 and its neighbour are one float64.
        let big = Column::from_slice(&[1_i64 << 53, (1 << 53) + 1, i64::MAX, i64::MIN], &exec).unwrap();
        let edges = [0.0, 9_007_199_254_740_992.0, 1e300];
        let found = bin_numbers(&big, &edges, right, &exec).unwrap();
        assert_eq!(found.to_options::<i64>().unwrap(), [Some(0), Some(1), Some(1), None], "{device}");
        let big = Column::from_slice(&[u64::MAX, 0], &exec).unwrap();
        let found = bin_numbers(&big, &[0.0, 1.0, 1e20], CLOSED[1], &exec).unwrap();
        assert_eq!(found.to_options::<i64>().unwrap(), [Some(1), Some(0)], "{device}");
    }
}

/// Edges beyond the values of a dtype keep its extreme values: compared in 128 bits.
#[test]
fn extreme_integers_are_in_bins_with_edges_beyond_them() {
    const INF: f64 = f64::INFINITY;
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    let dtypes: [(DType, i128, i128); 8] = [
        (DType::Int8, i8::MIN.into(), i8::MAX.into()),
        (DType::Int16, i16::MIN.into(), i16::MAX.into()),
        (DType::Int32, i32::MIN.into(), i32::MAX.into()),
        (DType::Int64, i64::MIN.into(), i64::MAX.into()),
        (DType::UInt8, 0, u8::MAX.into()),
        (DType::UInt16, 0, u16::MAX.into()),
        (DType::UInt32, 0, u32::MAX.into()),
        (DType::UInt64, 0, u64::MAX.into()),
    ];
    let edges = [
        &[-INF, 0.0, INF][..],
        &[-1e300, 0.5, 1e300],
        &[-TWO_63, 0.0, TWO_63],
        &[-2.0 * TWO_63, -TWO_63, -1.0, TWO_63, 2.0 * TWO_63, INF],
        &[-INF, -1e300, -TWO_63],
        &[TWO_63, 2.0 * TWO_63, 1e300],
        &[1e300, INF],
    ];
    #[expect(clippy::cast_possible_truncation, reason = "far edges are beyond all values either way")]
    let reference = |x: i128, edges: &[f64], closed: BinEdges| -> Option<i64> {
        let above = |edge: f64| x > edge.floor() as i128;
        let from = |edge: f64| x >= edge.ceil() as i128;
        let is_in = |bin: &usize| {
            let (low, high) = (edges[*bin], edges[bin + 1]);
            let is_edge = |edge: f64| from(edge) && !above(edge);
            let lowest = closed.include_lowest && closed.right && *bin == 0 && is_edge(low);
            let highest = closed.include_lowest && !closed.right && *bin + 2 == edges.len() && is_edge(high);
            lowest
                || highest
                || if closed.right { above(low) && !above(high) } else { from(low) && !from(high) }
        };
        (0..edges.len() - 1).find(is_in).map(|bin| i64::try_from(bin).unwrap())
    };
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (dtype, low, high) in &dtypes {
            let values: Vec<i128> = vec![*low, low + 1, 0, 1, high - 1, *high];
            let column = if *dtype == DType::UInt64 {
                let values: Vec<u64> = values.iter().map(|x| u64::try_from(*x).unwrap()).collect();
                Column::from_slice(&values, &exec).unwrap()
            } else {
                let values: Vec<i64> = values.iter().map(|x| i64::try_from(*x).unwrap()).collect();
                let column = Column::from_slice(&values, &exec).unwrap();
                crate::cast::cast(&column, dtype, crate::cast::CastMode::Checked, &exec).unwrap()
            };
            for edges in edges {
                for closed in CLOSED {
                    let found = bin_numbers(&column, edges, closed, &exec).unwrap();
                    let wanted: Vec<_> = values.iter().map(|x| reference(*x, edges, closed)).collect();
                    let what = format!("{device}, {dtype}, {edges:?}, {closed:?}");
                    assert_eq!(found.to_options::<i64>().unwrap(), wanted, "{what}");
                }
            }
        }
        // Edges are not rounded to `float32`.
        let values = Column::from_slice(&[-4.4_f32, 0.7, 1.0], &exec).unwrap();
        for (closed, wanted) in [(CLOSED[0], [None, Some(0), Some(1)]), (CLOSED[1], [None, Some(0), Some(1)])]
        {
            let found = bin_numbers(&values, &[-4.4, 0.7, 3.0], closed, &exec).unwrap();
            assert_eq!(found.to_options::<i64>().unwrap(), wanted, "{device}, {closed:?}");
        }
    }
}

#[test]
fn bad_edges_are_refused() {
    let exec = Exec::host();
    let numbers = Column::from_vec(vec![1_i64]);
    for edges in [&[][..], &[1.0], &[1.0, 1.0], &[2.0, 1.0], &[0.0, f64::NAN]] {
        let error = bin_numbers(&numbers, edges, CLOSED[0], &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Value, "{edges:?}: {error}");
    }
    let texts = Column::from_values(["a"], &exec).unwrap();
    let error = bin_numbers(&texts, &[0.0, 1.0], CLOSED[0], &exec).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Type, "{error}");
}
