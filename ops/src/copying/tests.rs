//! Gather and concat over columns of every kind.

use super::{MapNulls, RowMap, broadcast, concat, copy_if_else, gather, gather_column, gather_in_chunks};
use crate::test_dtypes::{dtypes, scalars};
use crate::test_frames::{assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    CategoricalColumn, Column, ColumnAccessor, DType, DeviceScalar, ErrorKind, Scalar, StructColumn, TimeUnit,
};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

fn categorical(codes: &[i8], values: &[&str], exec: &Exec) -> Column {
    let codes = Column::from_slice(codes, exec).unwrap();
    let values = Arc::new(Column::from_values(values.iter().copied(), exec).unwrap());
    CategoricalColumn::new(&codes, values).map(Column::Categorical).unwrap()
}

#[test]
fn gather_of_every_kind_of_column_returns_mapped_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let cents = DType::decimal(15, 2).unwrap();
        let columns = ColumnAccessor::from_columns([
            ("int", Column::from_options([Some(1_i32), None, Some(3)], &exec).unwrap()),
            ("bool", Column::from_values([true, false, true], &exec).unwrap()),
            ("text", Column::from_options([Some("ä"), Some(""), None], &exec).unwrap()),
            ("day", Column::from_slice(&[5_i32, 6, 7], &exec).unwrap().reinterpret(&DType::Date32).unwrap()),
            ("price", Column::from_slice(&[100_i64, 200, 300], &exec).unwrap().reinterpret(&cents).unwrap()),
            ("word", categorical(&[1, 0, 1], &["x", "y"], &exec)),
        ])
        .unwrap();
        let map = RowMap::from_u32(&[2, 0, u32::MAX, 0], &exec).unwrap();
        let gathered = gather(&columns, &map, MapNulls::Possible, &exec).unwrap();
        assert_eq!((gathered.rows(), gathered.labels()), (4, columns.labels()));
        for (label, column) in gathered.iter() {
            let source = columns.get(label).unwrap().to_scalars().unwrap();
            let null = Scalar::Null(source[0].dtype());
            let expected = [source[2].clone(), source[0].clone(), null, source[0].clone()];
            assert_eq!(column.to_scalars().unwrap(), expected, "{label} {device}");
            assert_eq!(column.dtype(), columns.get(label).unwrap().dtype());
        }
        let none = RowMap::from_u32(&[], &exec).unwrap();
        let nothing = gather(&columns, &none, MapNulls::Never, &exec).unwrap();
        assert_eq!((nothing.rows(), nothing.len()), (0, 6));
        assert_eq!(gather(&ColumnAccessor::with_rows(3), &map, MapNulls::Possible, &exec).unwrap().rows(), 4);
        let slice = columns.get("int").unwrap().slice(1, 2).unwrap();
        let map = RowMap::from_u32(&[1, 0], &exec).unwrap();
        let taken = gather_column(&slice, &map, MapNulls::Never, &exec).unwrap();
        assert_eq!(taken.to_scalars().unwrap(), [Scalar::Int32(3), Scalar::Null(DType::Int32)]);
    }
}

#[test]
fn concat_of_mixed_dtypes_has_common_dtype() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let small = Column::from_slice(&[1_i8], &exec).unwrap();
        let float = Column::from_options([Some(0.5_f32), None], &exec).unwrap();
        let joined = concat(&[&small, &float], &exec).unwrap();
        let expected = [Scalar::Float32(1.0), Scalar::Float32(0.5), Scalar::Null(DType::Float32)];
        assert_eq!(joined.to_scalars().unwrap(), expected);

        let word = categorical(&[1, 0], &["x", "y"], &exec);
        let text = Column::from_values(["z"], &exec).unwrap();
        let joined = concat(&[&word, &text], &exec).unwrap();
        assert_eq!(joined.dtype(), DType::Utf8);
        assert_eq!(joined.to_scalars().unwrap(), ["y", "x", "z"].map(Scalar::from));

        let days = Column::from_slice(&[1_i32], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        let millis = DType::Timestamp(TimeUnit::Milli);
        let times = Column::from_slice(&[7_i64], &exec).unwrap().reinterpret(&millis).unwrap();
        let joined = concat(&[&days, &times], &exec).unwrap();
        let expected = [86_400_000, 7].map(|value| Scalar::Timestamp(value, TimeUnit::Milli));
        assert_eq!(joined.to_scalars().unwrap(), expected);

        assert_eq!(concat(&[&text, &small], &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(concat(&[], &exec).unwrap_err().kind(), ErrorKind::Value);
    }
}

#[test]
fn copy_if_else_with_null_condition_takes_other_column() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let condition = Column::from_options([Some(false), Some(true), Some(false), None], &exec).unwrap();
        let condition = condition.slice(1, 3).unwrap();
        let small = Column::from_options([Some(1_i16), Some(2), None], &exec).unwrap();
        let large = Column::from_slice(&[10_i32, 20, 30], &exec).unwrap();
        let chosen = copy_if_else(&condition, &small, &large, &exec).unwrap();
        assert_eq!(chosen.to_scalars().unwrap(), [1, 20, 30].map(Scalar::Int32), "{device}");

        let word = categorical(&[1, 0, 1], &["x", "y"], &exec);
        let other = categorical(&[0, 1, 0], &["y", "z"], &exec);
        let chosen = copy_if_else(&condition, &word, &other, &exec).unwrap();
        assert_eq!(chosen.to_scalars().unwrap(), ["y", "z", "y"].map(Scalar::from), "{device}");
        let text = Column::from_options([None, Some("é"), None], &exec).unwrap();
        let chosen = copy_if_else(&condition, &word, &text, &exec).unwrap();
        let expected = ["y".into(), "é".into(), Scalar::Null(DType::Utf8)];
        assert_eq!(chosen.to_scalars().unwrap(), expected, "{device}");

        assert_eq!(copy_if_else(&condition, &small, &text, &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(copy_if_else(&small, &small, &small, &exec).unwrap_err().kind(), ErrorKind::Type);
        let short = small.slice(0, 2).unwrap();
        assert_eq!(copy_if_else(&condition, &short, &small, &exec).unwrap_err().kind(), ErrorKind::Value);
    }
}

#[test]
fn gather_broadcast_and_concat_of_every_dtype_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for dtype in dtypes() {
            for n in [1, 33, 90] {
                let values = scalars(&dtype, n + 4, &mut rng);
                let column = Column::from_scalars(&dtype, &values, &exec).unwrap().slice(3, n).unwrap();
                let (values, context) = (&values[3..3 + n], format!("{dtype} n={n} {device}"));
                let rows: Vec<u32> = (0..n + 7)
                    .map(|_| match rng.below(5) {
                        0 => u32::MAX,
                        _ => u32::try_from(rng.below(u64::try_from(n).unwrap())).unwrap(),
                    })
                    .collect();
                let value = |row: u32| {
                    let row = usize::try_from(row).unwrap();
                    values.get(row).cloned().unwrap_or(Scalar::Null(dtype.logical().clone()))
                };
                let map = RowMap::from_u32(&rows, &exec).unwrap();
                let gathered = gather_column(&column, &map, MapNulls::Possible, &exec).unwrap();
                let expected: Vec<Scalar> = rows.iter().map(|&row| value(row)).collect();
                assert_eq!(gathered.dtype(), dtype, "{context}");
                assert_eq!(gathered.to_scalars().unwrap(), expected, "{context}");
                let known: Vec<u32> = rows.into_iter().filter(|&row| row != u32::MAX).collect();
                let map = RowMap::from_u32(&known, &exec).unwrap();
                let gathered = gather_column(&column, &map, MapNulls::Never, &exec).unwrap();
                let expected: Vec<Scalar> = known.iter().map(|&row| value(row)).collect();
                assert_eq!(gathered.to_scalars().unwrap(), expected, "{context}");
                let one = DeviceScalar::from_row(&column, n / 2).unwrap();
                let many = broadcast(&one, 5, &exec).unwrap();
                assert_eq!(many.to_scalars().unwrap(), vec![values[n / 2].clone(); 5], "{context}");
                let twice = concat(&[&column, &column.slice(n / 2, n - n / 2).unwrap()], &exec).unwrap();
                let expected = [values, &values[n / 2..]].concat();
                assert_eq!(twice.to_scalars().unwrap(), expected, "{context}");
            }
        }
        let none: [(&str, Column); 0] = [];
        let empty = Column::Struct(StructColumn::new(none, None, 0, 3).unwrap()).to_device(&exec).unwrap();
        let map = RowMap::from_u32(&[2, 2, 0, 1], &exec).unwrap();
        let gathered = gather_column(&empty, &map, MapNulls::Never, &exec).unwrap();
        assert_eq!((gathered.size(), gathered.device()), (4, device));
    }
}

#[test]
fn concat_beyond_budget_is_assembled_in_lower_tier() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(32);
        let frames: Vec<ColumnAccessor> = [513, 1, 0, 5000, 700]
            .into_iter()
            .zip(Nulls::ALL.into_iter().cycle())
            .map(|(n, nulls)| frame(n, 500, nulls, &mut rng, &exec))
            .collect();
        let bytes: usize = frames.iter().map(|frame| frame.row_bytes().unwrap()).sum();
        let all = |frames: &[ColumnAccessor], exec: &Exec| {
            let columns = frames[0].labels().iter().map(|label| {
                let parts: Vec<&Column> = frames.iter().map(|frame| frame.get(label).unwrap()).collect();
                (label.clone(), concat(&parts, exec).unwrap())
            });
            ColumnAccessor::from_columns(columns).unwrap()
        };
        let expected: Vec<String> = frames.iter().flat_map(lines).collect();
        assert_lines(&lines(&all(&frames, &exec)), &expected, "whole");
        for share in [4, 16] {
            let limit = share_of(bytes, share, device);
            let (manager, tight) = limited(&exec, limit);
            let parts: Vec<ColumnAccessor> = frames.iter().map(|frame| moved(frame, &tight)).collect();
            let (peak, together) = peak_of(&manager, || all(&parts, &tight));
            assert!(peak <= limit, "{peak} of {limit} on {device}");
            assert_lines(&lines(&together), &expected, &format!("1/{share} on {device}"));
            // Of other dtypes, and codes beside values.
            let (word, text) = (parts[3].get("word").unwrap(), parts[3].get("text").unwrap());
            let mixed = concat(&[word, text, word], &tight).unwrap();
            let mixed_whole = concat(
                &[
                    frames[3].get("word").unwrap(),
                    frames[3].get("text").unwrap(),
                    frames[3].get("word").unwrap(),
                ],
                &exec,
            );
            assert_eq!(mixed.to_scalars().unwrap(), mixed_whole.unwrap().to_scalars().unwrap());
        }
    }
}

#[test]
fn gather_of_rows_that_exceed_the_budget_is_that_of_all() {
    let (exec, mut rng) = (Exec::host(), Rng::new(7));
    // An eighth is less than a column of texts: its rows are gathered in the order of the map, and sorted.
    for (n, share) in [(5_000, 2), (9_000, 8)] {
        let rows = frame(n + 9, 1 << 20, Nulls::Some, &mut rng, &exec).slice(7, n).unwrap();
        let map: Vec<u32> = (0..n + n / 2)
            .map(|_| {
                if rng.below(20) == 0 {
                    RowMap::NONE_U32
                } else {
                    u32::try_from(rng.below(n as u64)).unwrap()
                }
            })
            .collect();
        let map = RowMap::from_u32(&map, &exec).unwrap();
        let expected = lines(&gather(&rows, &map, MapNulls::Possible, &exec).unwrap());
        let limit = rows.row_bytes().unwrap() / share;
        let (manager, tight) = limited(&exec, limit);
        let source = moved(&rows, &tight);
        let (peak, found) =
            peak_of(&manager, || gather_in_chunks(&source, &map, MapNulls::Possible, &tight).unwrap());
        assert!(peak <= limit, "{peak} of {limit}, {n} rows, 1/{share}");
        assert_eq!(found.labels(), rows.labels());
        assert_lines(&lines(&found), &expected, &format!("{n} rows, 1/{share}"));
    }
}
