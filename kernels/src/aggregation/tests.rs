//! What holds for every accumulator, however rows come into it.

use super::{
    Accumulator, Aggregation, BLOCK_ROWS, Block, BlockScratch, Positions, Selected, Visitor, select, update,
};
use crate::bits::BitSlice;
use crate::test_values::TestColumn;
use crate::{Storage, Value, View, ViewGuard};
use columnade_buffers::Exec;
use columnade_tests::{Nulls, Rng};

/// Rows enter a state one by one, all at once, through lanes of few groups, into one of many groups, and in two parts
/// that are merged.
struct EveryWay<'a> {
    guard: &'a ViewGuard<'a>,
    what: String,
}

impl Visitor for EveryWay<'_> {
    type Output = ();

    fn visit<A: Accumulator + 'static>(self, selected: Selected<A>) {
        let Selected { accumulator, read, .. } = selected;
        let (rows, mut scratch) = (self.guard.len(), BlockScratch::<A>::new());
        let values = read(Block::Column { guard: self.guard, first: 0, rows }, &mut scratch.values).to_vec();
        let validity = self.guard.validity();
        let valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
        let one_by_one = |rows: std::ops::Range<usize>| {
            let mut state = A::EMPTY;
            rows.filter(|&row| valid(row)).for_each(|row| accumulator.add(&mut state, values[row]));
            state
        };
        let result = |state: A::State| {
            accumulator.finish(state).map(|value| value.map(|v| bytemuck::bytes_of(&v).to_vec()))
        };
        let expected = result(one_by_one(0..rows));

        let mut at_once = A::EMPTY;
        accumulator.add_rows(&mut at_once, &values, validity);
        assert_eq!(result(at_once), expected, "{}, at once", self.what);

        let mut merged = one_by_one(0..rows / 3);
        accumulator.merge(&mut merged, one_by_one(rows / 3..rows));
        assert_eq!(result(merged), expected, "{}, merged", self.what);

        for groups in [2, 1000] {
            let mut positions = Positions::new();
            (0..rows).for_each(|row| positions.all[row] = groups as u32 - row as u32 % 2);
            let mut states = vec![A::EMPTY; groups + 1];
            let of_valid = positions.of(rows, validity);
            update(&accumulator, &values, of_valid, &mut states, &mut scratch.partials);
            let mut all = states[groups];
            accumulator.merge(&mut all, states[groups - 1]);
            assert_eq!(result(all), expected, "{}, of {groups} groups", self.what);
        }
    }
}

/// Random values without a rounding in any sum of them.
fn column(storage: Storage, rows: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> TestColumn {
    if storage == Storage::I128 && rows % 2 == 1 {
        // Sums of at most 38 digits.
        let values: Vec<Value> = (0..rows).map(|_| Value::I128(i128::from(rng.next()) << 40)).collect();
        return TestColumn::new(storage, &values, nulls.mask(rows, rng).as_deref(), 0, exec);
    }
    if !storage.is_float() {
        return TestColumn::random(storage, rows, rows % 2, nulls, rng, exec);
    }
    let values: Vec<Value> = (0..rows)
        .map(|_| (rng.below(2000) as f64 - 1000.0) / 4.0)
        .map(|value| if storage == Storage::F32 { Value::F32(value as f32) } else { Value::F64(value) })
        .collect();
    TestColumn::new(storage, &values, nulls.mask(rows, rng).as_deref(), 0, exec)
}

#[test]
fn every_accumulator_gives_one_result_however_rows_are_divided() {
    let (exec, mut rng) = (Exec::host(), Rng::new(31));
    for storage in Storage::ALL {
        for aggregation in Aggregation::ALL {
            for (case, rows) in [0, 1, 63, 64, 65, 700, BLOCK_ROWS - 1, BLOCK_ROWS].into_iter().enumerate() {
                let nulls = Nulls::ALL[case % 4];
                let column = column(storage, rows, nulls, &mut rng, &exec);
                let guard = View::Fixed(column.view()).read(&exec).unwrap();
                let what = format!("{aggregation:?} of {rows} rows of {storage}, {nulls:?}");
                let selected = select(aggregation, storage, EveryWay { guard: &guard, what });
                assert_eq!(selected.is_ok(), aggregation.output(storage).is_some());
            }
        }
    }
}

/// Sums of 64-bit values at the ends of their range, which partial sums of 64 bits would wrap.
#[test]
fn wide_sums_and_means_are_exact_at_the_ends_of_the_range() {
    let exec = Exec::host();
    let column = TestColumn::new(Storage::I64, &vec![Value::I64(i64::MIN); BLOCK_ROWS], None, 0, &exec);
    let guard = View::Fixed(column.view()).read(&exec).unwrap();
    for aggregation in [Aggregation::SumWide, Aggregation::Mean] {
        let what = format!("{aggregation:?}");
        select(aggregation, Storage::I64, EveryWay { guard: &guard, what }).unwrap();
    }
}

#[test]
fn positions_of_nulls_are_zero() {
    let mut positions = Positions::new();
    positions.all.iter_mut().zip(7..).for_each(|(position, group)| *position = group);
    let bits = [0b0110_0000, 0b1];
    let validity = BitSlice::new(&bits, 5, 4);
    assert_eq!(positions.of(4, Some(validity)), [7, 8, 0, 10]);
    assert_eq!(positions.of(4, None), [7, 8, 9, 10]);
}

/// The enum of the `.cu` files has the same names and numbers.
#[test]
fn cuda_enum_equals_rust_enum() {
    let header = include_str!("../../cuda/include/aggregation.cuh");
    let names = header.split_once("enum Aggregation : int32_t {").unwrap().1.split_once("};").unwrap().0;
    let names: Vec<_> = names.split(',').map(|name| name.trim().replace('_', "").to_lowercase()).collect();
    let expected: Vec<_> = Aggregation::ALL.iter().map(|name| format!("{name:?}").to_lowercase()).collect();
    assert_eq!(names, expected);
    for (number, aggregation) in Aggregation::ALL.into_iter().enumerate() {
        assert_eq!(aggregation as usize, number);
    }
}
