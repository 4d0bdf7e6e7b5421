//! Equality of columns against that of their scalars.

use super::equals;
use crate::test_dtypes::{dtypes, scalars};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{
    CategoricalColumn, Column, DType, ListColumn, NumericColumn, Scalar, StructColumn, TimeUnit,
};
use columnade_kernels::OffsetWidth;
use columnade_tests::Rng;
use std::sync::Arc;

#[test]
fn equality_of_every_dtype_is_false_if_one_row_differs() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(21);
        for dtype in dtypes() {
            for n in [0, 1, 33, 70] {
                let values = scalars(&dtype, n + 5, &mut rng);
                let column = Column::from_scalars(&dtype, &values, &exec).unwrap().slice(3, n).unwrap();
                let same = Column::from_scalars(&dtype, &values[3..3 + n], &exec).unwrap();
                let context = format!("{dtype} n={n} {device}");
                assert!(equals(&column, &same, &exec).unwrap(), "{context}");
                if n == 0 || dtype == DType::Null {
                    continue;
                }
                let row = usize::try_from(rng.below(u64::try_from(n).unwrap())).unwrap();
                let mut other = values[3..3 + n].to_vec();
                while other[row] == values[3 + row] {
                    other[row] = scalars(&dtype, 1, &mut rng).swap_remove(0);
                }
                let other = Column::from_scalars(&dtype, &other, &exec).unwrap();
                assert!(!equals(&column, &other, &exec).unwrap(), "{context} row {row}");
                assert!(!equals(&column, &same.slice(1, n - 1).unwrap(), &exec).unwrap(), "{context}");
            }
        }
    }
}

#[test]
fn equality_of_nulls_nans_and_zeros_compares_values_and_masks() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let floats = |values: [Option<f64>; 4]| Column::from_options(values, &exec).unwrap();
        let a = floats([Some(f64::NAN), None, Some(-0.0), Some(1.0)]);
        assert!(equals(&a, &floats([Some(-f64::NAN), None, Some(0.0), Some(1.0)]), &exec).unwrap());
        assert!(!equals(&a, &floats([None, None, Some(0.0), Some(1.0)]), &exec).unwrap());
        assert!(!equals(&a, &floats([Some(f64::NAN), Some(0.0), Some(0.0), Some(1.0)]), &exec).unwrap());
        // A mask without nulls is no mask.
        let bare = Column::from_slice(&[1_i32, 2, 3], &exec).unwrap();
        let mask = Buffer::from_slice(&[0b111_u8], &exec).unwrap();
        let data = bare.data().unwrap().clone();
        let masked = Column::Numeric(NumericColumn::new(DType::Int32, data, Some(mask), 0, 3).unwrap());
        assert!(equals(&bare, &masked, &exec).unwrap());
        assert!(equals(&masked, &bare, &exec).unwrap());
        let days = bare.reinterpret(&DType::Date32).unwrap();
        assert!(!equals(&bare, &days, &exec).unwrap());
    }
}

#[test]
fn equality_ignores_values_of_null_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mask = || Some(Buffer::from_slice(&[0b101_u8], &exec).unwrap());
        let items = Column::from_slice(&[1_i64, 2, 3, 4, 5], &exec).unwrap();
        let list = |offsets: [i32; 4], items: &Column| {
            let offsets = Buffer::from_slice(&offsets, &exec).unwrap();
            let list = ListColumn::new(offsets, OffsetWidth::I32, Arc::new(items.clone()), mask(), 0, 3);
            Column::List(list.unwrap())
        };
        // [1, 2], null over 3 and 4, [5]; and the same without the items below the null, in 64 bits.
        let full = list([0, 2, 4, 5], &items);
        let offsets = Buffer::from_slice(&[0_i64, 2, 2, 3], &exec).unwrap();
        let items = Arc::new(Column::from_slice(&[1_i64, 2, 5], &exec).unwrap());
        let lean = ListColumn::new(offsets, OffsetWidth::I64, items, mask(), 0, 3).map(Column::List).unwrap();
        assert!(equals(&full, &lean, &exec).unwrap());
        let structs = |values: [i64; 3]| {
            let column = Column::from_slice(&values, &exec).unwrap();
            Column::Struct(StructColumn::new([("a", column)], mask(), 0, 3).unwrap())
        };
        assert!(equals(&structs([1, 2, 3]), &structs([1, 9, 3]), &exec).unwrap());
        assert!(!equals(&structs([1, 2, 3]), &structs([1, 2, 9]), &exec).unwrap());
    }
}

#[test]
fn equality_of_categories_compares_values_and_order() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let category = |codes: [i8; 3], values: [&str; 3]| {
            let codes = Column::from_slice(&codes, &exec).unwrap();
            let values = Arc::new(Column::from_values(values, &exec).unwrap());
            CategoricalColumn::new(&codes, values).unwrap()
        };
        let (a, b) = (category([0, 1, 2], ["x", "y", "z"]), category([2, 1, 0], ["z", "y", "x"]));
        let [plain_a, plain_b] = [&a, &b].map(|column| Column::Categorical(column.clone()));
        assert!(equals(&plain_a, &plain_b, &exec).unwrap());
        let [ordered_a, ordered_b] = [&a, &b].map(|column| Column::Categorical(column.as_ordered()));
        assert!(!equals(&ordered_a, &ordered_b, &exec).unwrap());
        assert!(!equals(&plain_a, &ordered_a, &exec).unwrap());
        let again = Column::Categorical(category([0, 1, 2], ["x", "y", "z"]).as_ordered());
        assert!(equals(&ordered_a, &again, &exec).unwrap());
        let units = Column::from_scalars(
            &DType::Duration(TimeUnit::Milli),
            &[Scalar::Duration(1, TimeUnit::Milli)],
            &exec,
        );
        let other = Column::from_scalars(
            &DType::Duration(TimeUnit::Micro),
            &[Scalar::Duration(1, TimeUnit::Micro)],
            &exec,
        );
        assert!(!equals(&units.unwrap(), &other.unwrap(), &exec).unwrap());
    }
}
