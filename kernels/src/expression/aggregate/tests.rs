//! One suite for the fused aggregate on every device, against maps of rows.

use super::{Request, aggregate};
use crate::aggregation::Aggregation;
use crate::elementwise::compare::CompareOp;
use crate::expression::test_programs::{self, Cell};
use crate::expression::{Builder, Op, Source};
use crate::grouping::group_ids::NullKeys;
use crate::{ColumnData, Fixed, FixedData, Storage, Value, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, pack_bits, unpack_bits};

/// A column of a device and its rows.
struct Column {
    storage: Storage,
    data: Buffer,
    validity: Option<Buffer>,
    offset: usize,
    cells: Vec<Option<Value>>,
}

impl Column {
    fn new(
        storage: Storage,
        rows: usize,
        nulls: Nulls,
        value: impl Fn(&mut Rng) -> Value,
        rng: &mut Rng,
        exec: &Exec,
    ) -> Self {
        let offset = [0, 3][rng.below(2) as usize];
        let total = rows + offset;
        let values: Vec<Value> = (0..total).map(|_| value(rng)).collect();
        let mask = nulls.mask(total, rng);
        let width = storage.width().unwrap();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_bytes()[..width].to_vec()).collect();
        let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
        Self {
            storage,
            data: Buffer::from_slice(&bytes, exec).unwrap(),
            validity: mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
            offset,
            cells: (offset..total).map(|row| valid(row).then_some(values[row])).collect(),
        }
    }

    fn view(&self) -> View<'_> {
        let (validity, len) = (self.validity.as_ref(), self.cells.len());
        View::Fixed(Fixed { storage: self.storage, data: &self.data, validity, offset: self.offset, len })
    }
}

fn cells(data: &ColumnData, exec: &Exec) -> Vec<Cell> {
    let ColumnData::Fixed(FixedData { storage, len, data, validity }) = data else {
        panic!("no strings here")
    };
    let bytes = data.to_vec::<u8>(exec).unwrap();
    let valid = match validity {
        Some(mask) => unpack_bits(&mask.to_vec::<u8>(exec).unwrap(), *len),
        None => vec![true; *len],
    };
    (0..*len)
        .map(
            |row| {
                if valid[row] { Cell::Value(test_programs::read(*storage, &bytes, row)) } else { Cell::Null }
            },
        )
        .collect()
}

/// What one aggregation of the values of a group is.
fn expected(aggregation: Aggregation, storage: Storage, values: &[Option<Value>]) -> Cell {
    let valid: Vec<Value> = values.iter().copied().flatten().collect();
    let wide = |value: &Value| match *value {
        Value::I64(v) => i128::from(v),
        Value::I128(v) => v,
        _ => 0,
    };
    let float = |value: &Value| match *value {
        Value::F64(v) => v,
        _ => wide(value) as f64,
    };
    let exact: i128 = valid.iter().map(wide).sum();
    // Quarters of small integers: every order of addition gives the same sum.
    let sum: f64 = if storage == Storage::F64 { valid.iter().map(float).sum() } else { exact as f64 };
    let extreme = |least: bool| {
        valid.iter().copied().reduce(|a, b| {
            let less = if storage == Storage::F64 { float(&b) < float(&a) } else { wide(&b) < wide(&a) };
            let more = if storage == Storage::F64 { float(&b) > float(&a) } else { wide(&b) > wide(&a) };
            if least && less || !least && more { b } else { a }
        })
    };
    let result = match aggregation {
        Aggregation::Size => Some(Value::I64(values.len() as i64)),
        Aggregation::Count => Some(Value::I64(valid.len() as i64)),
        Aggregation::Sum if storage == Storage::F64 => Some(Value::F64(sum + 0.0)),
        Aggregation::Sum if storage == Storage::I128 => Some(Value::I128(exact)),
        Aggregation::Sum => Some(Value::I64(exact as i64)),
        Aggregation::SumWide => Some(Value::I128(exact)),
        Aggregation::Mean => (!valid.is_empty()).then(|| Value::F64((sum + 0.0) / valid.len() as f64)),
        Aggregation::SumLow => Some(Value::I128(valid.iter().map(|v| i128::from(wide(v) as u64)).sum())),
        Aggregation::SumHigh => Some(Value::I128(valid.iter().map(|v| wide(v) >> 64).sum())),
        Aggregation::Min => extreme(true),
        Aggregation::Max => extreme(false),
    };
    result.map_or(Cell::Null, Cell::Value)
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table of cases and their oracle")]
fn fused_aggregate_equals_map_of_rows() {
    use Aggregation::{Count, Max, Mean, Min, Size, Sum, SumHigh, SumLow, SumWide};
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(5);
        let sizes: &[usize] =
            if device == Device::Host { &[0, 1, 65, 2050, 300_000] } else { &[0, 1, 65, 2050] };
        for &rows in sizes {
            for (groups, threshold, nulls) in [
                (1, -1, Nulls::NoMask),
                (4, 97, Nulls::Some),
                (300, 50, Nulls::NoNulls),
                (3, 200, Nulls::All),
                (70_000, 10, Nulls::Some),
                // As dense as keys have to be for states at their positions.
                (18_000, 40, Nulls::Some),
                (18_000, 97, Nulls::NoMask),
            ] {
                let key = Column::new(
                    Storage::I32,
                    rows,
                    nulls,
                    |rng| Value::I32(rng.below(groups) as i32 - 2),
                    &mut rng,
                    &exec,
                );
                let chance = Column::new(
                    Storage::I64,
                    rows,
                    Nulls::Some,
                    |rng| Value::I64(rng.below(100) as i64),
                    &mut rng,
                    &exec,
                );
                let values = [
                    Column::new(
                        Storage::I64,
                        rows,
                        Nulls::Some,
                        |rng| Value::I64(rng.next() as i64 >> 3),
                        &mut rng,
                        &exec,
                    ),
                    Column::new(
                        Storage::F64,
                        rows,
                        nulls,
                        |rng| Value::F64(rng.below(64) as f64 / 4.0 - 8.0),
                        &mut rng,
                        &exec,
                    ),
                    Column::new(
                        Storage::I128,
                        rows,
                        Nulls::NoMask,
                        |rng| Value::I128(i128::from(rng.next()) << 40),
                        &mut rng,
                        &exec,
                    ),
                ];
                let mut builder = Builder::new(vec![
                    Source::Fixed(Storage::I64),
                    Source::Fixed(Storage::I64),
                    Source::Fixed(Storage::F64),
                    Source::Fixed(Storage::I128),
                ]);
                let constant = builder.step(Op::Constant(Some(Value::I64(threshold))), Storage::I64);
                let filter =
                    builder.step(Op::Compare { op: CompareOp::Ge, lhs: 0, rhs: constant }, Storage::Bit);
                let program = builder.finish();
                let inputs = [chance.view(), values[0].view(), values[1].view(), values[2].view()];
                let mut aggregations = vec![(Size, 0), (SumWide, 1), (SumLow, 3), (SumHigh, 3)];
                for register in 1..=3 {
                    aggregations
                        .extend([Sum, Min, Max, Count, Mean].map(|aggregation| (aggregation, register)));
                }
                for (keyed, null_keys) in
                    [(false, NullKeys::Drop), (true, NullKeys::Drop), (true, NullKeys::Group)]
                {
                    let keys = [key.view()];
                    let request = Request {
                        program: &program,
                        inputs: &inputs,
                        rows,
                        filter: (threshold >= 0).then_some(filter),
                        keys: if keyed { &keys } else { &[] },
                        null_keys,
                        aggregations: &aggregations,
                    };
                    let done = aggregate(&request, &exec).unwrap();

                    let mut order: Vec<Option<Value>> = if keyed { vec![] } else { vec![None] };
                    let mut members: Vec<Vec<usize>> = order.iter().map(|_| vec![]).collect();
                    let mut places = std::collections::HashMap::new();
                    for row in 0..rows {
                        let taken = threshold < 0
                            || matches!(chance.cells[row], Some(Value::I64(c)) if c >= threshold);
                        let dropped = keyed && key.cells[row].is_none() && null_keys == NullKeys::Drop;
                        if !taken || dropped {
                            continue;
                        }
                        if !keyed {
                            members[0].push(row);
                            continue;
                        }
                        let code = key.cells[row].map(Value::to_bytes);
                        let place = *places.entry(code).or_insert_with(|| {
                            order.push(key.cells[row]);
                            members.push(vec![]);
                            order.len() - 1
                        });
                        members[place].push(row);
                    }
                    let what = format!(
                        "{rows} rows, {groups} groups, {threshold}, {nulls:?}, {keyed} {null_keys:?} on {device}"
                    );
                    assert_eq!(done.groups, order.len(), "{what}");
                    if keyed {
                        let expected: Vec<Cell> =
                            order.iter().map(|key| key.map_or(Cell::Null, Cell::Value)).collect();
                        let keys = match &done.keys {
                            Some(keys) => cells(&keys[0], &exec),
                            None => key.cells.iter().map(|key| key.map_or(Cell::Null, Cell::Value)).collect(),
                        };
                        assert_eq!(keys, expected, "{what}");
                    }
                    for (&(aggregation, register), result) in aggregations.iter().zip(&done.values) {
                        let got = cells(result, &exec);
                        let column = &values[register.max(1) - 1];
                        for (group, rows) in members.iter().enumerate() {
                            let of_group: Vec<_> = rows.iter().map(|&row| column.cells[row]).collect();
                            let expected = expected(aggregation, column.storage, &of_group);
                            assert_eq!(
                                got[group], expected,
                                "{aggregation:?} of {register}, group {group}: {what}"
                            );
                        }
                    }
                }
            }
        }
    }
}
