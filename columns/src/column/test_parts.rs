//! Rows in buffers of their own, and parts put together in lower tiers.

use super::{CategoricalColumn, Column, StringColumn};
use crate::test_dtypes::{dtypes, scalars};
use crate::{DType, ErrorKind, Scalar};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::OffsetWidth;
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

#[test]
fn isolated_rows_have_their_own_buffers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(15);
        for (k, dtype) in dtypes().into_iter().enumerate() {
            let values = scalars(&dtype, 1700, Nulls::ALL[k % 4], &mut rng);
            let column = Column::from_scalars(&dtype, &values, &exec).unwrap();
            for (offset, len) in [(0, 1700), (0, 3), (515, 600), (1024, 64), (7, 0), (1699, 1)] {
                let slice = column.slice(offset, len).unwrap();
                let own = slice.isolate(&exec).unwrap();
                let expected = &values[offset..offset + len];
                assert_eq!(own.to_scalars().unwrap(), expected, "{dtype} {offset}+{len} on {device}");
                assert_eq!(own.isolate(&exec).unwrap().to_scalars().unwrap(), expected);
                assert_eq!(slice.row_bytes().unwrap(), own.row_bytes().unwrap());
                if let Column::String(text) = &own {
                    let named: usize = expected
                        .iter()
                        .map(|value| if let Scalar::Utf8(text) = value { text.len() } else { 0 })
                        .sum();
                    assert_eq!(text.chars().len(), named, "{offset}+{len} on {device}");
                }
            }
        }
    }
}

#[test]
fn parts_of_any_length_and_offset_assemble() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(16);
        for (k, dtype) in dtypes().into_iter().enumerate() {
            let all_values = scalars(&dtype, 1200, Nulls::Some, &mut rng);
            let all = Column::from_scalars(&dtype, &all_values, &exec).unwrap();
            for lengths in [&[0, 0][..], &[1, 0, 7, 8, 9, 64, 3], &[513, 31, 1, 1, 1, 1, 1, 1, 1, 65]] {
                let mut expected = Vec::new();
                let mut parts = Vec::new();
                for (at, &len) in lengths.iter().enumerate() {
                    let offset = [0, 3, 515][at % 3];
                    let nulls = Nulls::ALL[(at + k) % 4];
                    // Ordered dictionaries go together only when they are the same.
                    let ordered = matches!(&dtype, DType::Dictionary(dictionary) if dictionary.ordered);
                    let values = scalars(&dtype, offset + len + 2, nulls, &mut rng);
                    let (values, column) = if ordered {
                        (all_values.clone(), all.clone())
                    } else {
                        let column = Column::from_scalars(&dtype, &values, &exec).unwrap();
                        (values, column)
                    };
                    parts.push(column.slice(offset, len).unwrap());
                    expected.extend_from_slice(&values[offset..offset + len]);
                }
                let assembled = Column::assemble(&parts, &exec).unwrap();
                assert_eq!(assembled.to_scalars().unwrap(), expected, "{dtype} {lengths:?} on {device}");
                let concatenated = Column::concat(&parts.iter().collect::<Vec<_>>(), &exec).unwrap();
                let nulls = concatenated.null_count(&exec).unwrap();
                assert_eq!(assembled.null_count(&exec).unwrap(), nulls, "{dtype} {lengths:?} on {device}");
            }
        }
    }
}

#[test]
fn string_parts_of_mixed_offset_widths_assemble() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let narrow = Column::from_values(["ä", "", "xyz"], &exec).unwrap();
        let wide = StringColumn::new(
            Buffer::from_slice(&[2_i64, 5, 5, 6], &exec).unwrap(),
            OffsetWidth::I64,
            Buffer::from_slice(b"__abcd__", &exec).unwrap(),
            None,
            0,
            3,
        );
        let parts = [narrow.clone(), Column::String(wide.unwrap()), narrow];
        let assembled = Column::assemble(&parts, &exec).unwrap();
        let expected = ["ä", "", "xyz", "abc", "", "d", "ä", "", "xyz"].map(Scalar::from);
        assert_eq!(assembled.to_scalars().unwrap(), expected, "{device}");
    }
}

#[test]
fn incompatible_parts_are_refused() {
    let exec = Exec::host();
    let (number, text) = (Column::from_vec(vec![1_i64]), Column::from_values(["a"], &exec).unwrap());
    assert_eq!(Column::assemble(&[], &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(Column::assemble(&[number.clone(), text.clone()], &exec).unwrap_err().kind(), ErrorKind::Type);
    let dictionary = Arc::new(text.clone());
    let codes = Column::from_slice(&[0_i8], &exec).unwrap();
    let coded = Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap());
    assert_eq!(Column::assemble(&[coded, text], &exec).unwrap_err().kind(), ErrorKind::Type);
}
