//! Tests of `evaluate` on every device of the build: random programs against a row-by-row interpreter.

use super::{evaluate, evaluate_where};
use crate::datetime::extract::{DatePart, TimeUnit};
use crate::elementwise::binary::BinaryOp;
use crate::elementwise::compare::CompareOp;
use crate::elementwise::unary::UnaryOp;
use crate::expression::test_programs::{self, Cell};
use crate::expression::{Builder, Op, Program, Register, SharedKeys, Source, Table};
use crate::searching::key_set::KeySet;
use crate::strings::matches::MatchOp;
use crate::test_values::{assert_rows, rows_of};
use crate::{Error, Fixed, FixedData, OffsetWidth, Storage, StringsView, Value, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, pack_bits, unpack_bits};
use std::sync::Arc;

/// Row counts around a mask word, a block and a morsel, and of several morsels.
const ROWS: [usize; 8] = [0, 1, 63, 65, 257, 2047, 2049, 5000];

/// A column on a device and its values.
struct Column {
    source: Source,
    data: Buffer,
    offsets: Option<Buffer>,
    validity: Option<Buffer>,
    offset: usize,
    cells: Vec<Cell>,
}

impl Column {
    fn view(&self) -> View<'_> {
        let (offset, len, validity) = (self.offset, self.cells.len(), self.validity.as_ref());
        match (self.source, &self.offsets) {
            (Source::String, Some(offsets)) => {
                let (chars, offset_width) = (&self.data, OffsetWidth::I32);
                View::String(StringsView { offsets, offset_width, chars, validity, offset, len })
            }
            (Source::Fixed(storage), _) => {
                View::Fixed(Fixed { storage, data: &self.data, validity, offset, len })
            }
            (Source::String, None) => panic!("a string column has offsets"),
        }
    }
}

fn fixed(storage: Storage, rows: usize, offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> Column {
    let total = rows + offset;
    let values: Vec<Value> = (0..total).map(|_| test_programs::random(storage, rng)).collect();
    let mask = nulls.mask(total, rng);
    let bytes = match storage.width() {
        Some(width) => values.iter().flat_map(|value| value.to_bytes()[..width].to_vec()).collect(),
        None => pack_bits(&values.iter().map(|value| *value == Value::Bit(true)).collect::<Vec<_>>()),
    };
    let cells = (offset..total).map(|row| {
        let valid = mask.as_ref().is_none_or(|mask| mask[row]);
        if valid { Cell::Value(values[row]) } else { Cell::Null }
    });
    Column {
        source: Source::Fixed(storage),
        data: Buffer::from_slice(&bytes, exec).unwrap(),
        offsets: None,
        validity: mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
        offset,
        cells: cells.collect(),
    }
}

fn strings(rows: usize, offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> Column {
    let total = rows + offset;
    let values: Vec<String> = (0..total).map(|_| rng.text(6)).collect();
    let mask = nulls.mask(total, rng);
    let mut offsets = vec![0i32];
    for value in &values {
        offsets.push(offsets[offsets.len() - 1] + i32::try_from(value.len()).unwrap());
    }
    let cells = (offset..total).map(|row| {
        let valid = mask.as_ref().is_none_or(|mask| mask[row]);
        if valid { Cell::String(values[row].clone()) } else { Cell::Null }
    });
    Column {
        source: Source::String,
        data: Buffer::from_slice(values.concat().as_bytes(), exec).unwrap(),
        offsets: Some(Buffer::from_slice(&offsets, exec).unwrap()),
        validity: mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
        offset,
        cells: cells.collect(),
    }
}

fn cells(data: &FixedData, exec: &Exec) -> Vec<Cell> {
    let bytes = data.data.to_vec::<u8>(exec).unwrap();
    let valid = match &data.validity {
        Some(mask) => unpack_bits(&mask.to_vec::<u8>(exec).unwrap(), data.len),
        None => vec![true; data.len],
    };
    let value = |row: usize| test_programs::read(data.storage, &bytes, row);
    (0..data.len).map(|row| if valid[row] { Cell::Value(value(row)) } else { Cell::Null }).collect()
}

fn check(program: &Program, columns: &[Column], rows: usize, outputs: &[Register], exec: &Exec) {
    let views: Vec<_> = columns.iter().map(Column::view).collect();
    let results = evaluate(program, &views, rows, outputs, exec).unwrap();
    for (result, &register) in results.iter().zip(outputs) {
        let expected: Vec<Cell> = (0..rows)
            .map(|row| {
                let inputs: Vec<Cell> = columns.iter().map(|column| column.cells[row].clone()).collect();
                test_programs::row(program, &inputs, register)
            })
            .collect();
        let got = cells(result, exec);
        for row in 0..rows {
            assert!(
                test_programs::same(&got[row], &expected[row]),
                "{:?}, row {row} of {rows}, register {register}: {:?}, expected {:?}\n{program:?}",
                exec.device(),
                got[row],
                expected[row]
            );
        }
    }
}

#[test]
fn evaluate_of_random_programs_matches_interpreter() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        for round in 0..if device == Device::Host { 160 } else { 24 } {
            let rows = ROWS[round % ROWS.len()];
            let nulls = Nulls::ALL[rng.below(4) as usize];
            let offset = [0, 5, 64, 67][rng.below(4) as usize];
            let mut columns: Vec<Column> =
                [Storage::I64, Storage::I64, Storage::F64, Storage::I32, Storage::Bit, Storage::I128]
                    .map(|storage| fixed(storage, rows, offset, nulls, &mut rng, &exec))
                    .into();
            columns.push(strings(rows, offset, nulls, &mut rng, &exec));
            columns.push(strings(rows, 0, Nulls::Some, &mut rng, &exec));
            let mut builder = Builder::new(columns.iter().map(|column| column.source).collect());
            let outputs: Vec<Register> =
                (0..12).map(|_| test_programs::random_step(&mut builder, columns.len(), &mut rng)).collect();
            check(&builder.finish(), &columns, rows, &outputs, &exec);
        }
    }
}

/// Only some results are written: the others stay in the slots of a pass, of which long programs take more than there are.
#[test]
fn passes_over_every_storage_match_interpreter() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for round in 0..if device == Device::Host { 120 } else { 60 } {
            let rows = [0, 1, 31, 33, 127, 128, 129, 511, 513, 1500][round % 10];
            let offset = [0, 5, 64, 67][rng.below(4) as usize];
            let nulls = Nulls::ALL[rng.below(4) as usize];
            let mut columns: Vec<Column> =
                Storage::ALL.map(|storage| fixed(storage, rows, offset, nulls, &mut rng, &exec)).into();
            columns.push(strings(rows, offset, nulls, &mut rng, &exec));
            let mut builder = Builder::new(columns.iter().map(|column| column.source).collect());
            let some: Vec<Storage> =
                Storage::ALL.into_iter().filter(|storage| *storage != Storage::Bit).collect();
            let numbers = match rng.below(5) {
                0 => &some[..],
                1 => &[Storage::I64, Storage::F64],
                2 => &[Storage::I16, Storage::U8],
                3 => &[Storage::I8, Storage::U32],
                _ => &[Storage::U16, Storage::I32, Storage::F32],
            };
            let steps = [2, 7, 30, 110][rng.below(4) as usize];
            let registers: Vec<Register> = (0..steps)
                .map(|_| test_programs::random_step_of(numbers, &mut builder, columns.len(), &mut rng))
                .collect();
            let outputs: Vec<Register> = registers.iter().rev().step_by(3).copied().take(20).collect();
            check(&builder.finish(), &columns, rows, &outputs, &exec);
        }
    }
}

/// A sum that wraps around is not written but read by the next step.
#[test]
fn integers_wrap_around_between_steps() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(5);
        for storage in Storage::ALL.into_iter().filter(|storage| storage.is_integer()) {
            let columns = [0; 3].map(|_| fixed(storage, 400, 3, Nulls::Some, &mut rng, &exec));
            let mut builder = Builder::new(vec![Source::Fixed(storage); 3]);
            let mut outputs = Vec::new();
            for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul] {
                let wrapped = builder.step(Op::Binary { op, lhs: 0, rhs: 1 }, storage);
                let negative = builder.step(Op::Unary { op: UnaryOp::Neg, arg: wrapped }, storage);
                for arg in [wrapped, negative] {
                    outputs.push(
                        builder.step(Op::Compare { op: CompareOp::Lt, lhs: arg, rhs: 2 }, Storage::Bit),
                    );
                    outputs.push(builder.step(Op::Cast { arg }, Storage::F64));
                    outputs.push(builder.step(Op::Binary { op: BinaryOp::Div, lhs: arg, rhs: 2 }, storage));
                }
            }
            // Casts too leave what the narrower type has.
            for to in Storage::ALL.into_iter().filter(|storage| storage.is_integer()) {
                let narrow = builder.step(Op::Cast { arg: 0 }, to);
                outputs.push(builder.step(Op::Cast { arg: narrow }, Storage::F64));
            }
            check(&builder.finish(), &columns, 400, &outputs, &exec);
        }
    }
}

#[test]
fn lookup_returns_table_bit_of_each_code() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        for nulls in Nulls::ALL {
            let mut codes = fixed(Storage::I32, 300, 7, nulls, &mut rng, &exec);
            let values: Vec<i32> = (0..307).map(|_| rng.below(70) as i32).collect();
            codes.data = Buffer::from_slice(&values, &exec).unwrap();
            for (cell, &value) in codes.cells.iter_mut().zip(&values[7..]) {
                if *cell != Cell::Null {
                    *cell = Cell::Value(Value::I32(value));
                }
            }
            for validity in [None, Some(vec![0xffff_0000_ffff_ff0f, 0x3f])] {
                let table = Table { bits: vec![0x1234_5678_9abc_def1, 0x2a], validity, len: 70 };
                let mut builder = Builder::new(vec![codes.source]);
                let answer = builder.step(Op::Lookup { codes: 0, table }, Storage::Bit);
                check(&builder.finish(), std::slice::from_ref(&codes), 300, &[answer], &exec);
            }
        }
    }
}

#[test]
fn decimal_overflow_is_an_error_unless_row_is_null() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let large = 10i128.pow(37);
        let data = Buffer::from_slice(&[1i128, large, 3], &exec).unwrap();
        let mask = Buffer::from_slice(&[0b101u8], &exec).unwrap();
        for (validity, fails) in [(None, true), (Some(&mask), false)] {
            let view =
                View::Fixed(Fixed { storage: Storage::I128, data: &data, validity, offset: 0, len: 3 });
            for op in [BinaryOp::Add, BinaryOp::Mul] {
                let mut builder = Builder::new(vec![Source::Fixed(Storage::I128)]);
                let value = if op == BinaryOp::Add { large * 9 } else { 10 };
                let constant = builder.step(Op::Constant(Some(Value::I128(value))), Storage::I128);
                let result = builder.step(Op::Decimal { op, lhs: 0, rhs: constant }, Storage::I128);
                let result = evaluate(&builder.finish(), &[view], 3, &[result], &exec);
                match result {
                    Err(Error::StepOverflow { step: 1, storage: Storage::I128 }) => {
                        assert!(fails, "{op:?} {device}");
                    }
                    Ok(_) => assert!(!fails, "{op:?} {device}"),
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
}

#[test]
fn string_comparison_and_match_are_bytewise() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        let column = strings(400, 3, Nulls::Some, &mut rng, &exec);
        for literal in ["", "a", "é", "中", "ab"] {
            let mut builder = Builder::new(vec![Source::String]);
            let mut outputs = Vec::new();
            for op in CompareOp::ALL {
                outputs.push(builder.step(
                    Op::StringCompare { op, arg: 0, literal: literal.as_bytes().into() },
                    Storage::Bit,
                ));
            }
            for op in [MatchOp::Prefix, MatchOp::Suffix, MatchOp::Contains] {
                outputs.push(
                    builder.step(Op::StringMatch { op, arg: 0, pattern: literal.into() }, Storage::Bit),
                );
            }
            check(&builder.finish(), std::slice::from_ref(&column), 400, &outputs, &exec);
        }
    }
}

/// The tests of `searching` compare [`KeySet::contains`] with a reference.
#[test]
fn members_of_key_set_are_those_that_the_set_contains() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        for (storage, n) in
            [(Storage::I64, 0), (Storage::I32, 65), (Storage::I32, 5000), (Storage::I64, 2048)]
        {
            let keys = Buffer::from_slice(&[-7_i64, 3, 3, 64, 200, -1, 0], &exec).unwrap();
            let keys = Fixed { storage: Storage::I64, data: &keys, validity: None, offset: 1, len: 6 };
            let set = Arc::new(KeySet::new(&keys, &exec).unwrap().unwrap());
            let column = fixed(storage, n, 5, Nulls::Some, &mut rng, &exec);
            let mut builder = Builder::new(vec![column.source]);
            let step = |arg| Op::IsIn { arg, keys: SharedKeys(Arc::clone(&set)) };
            let member = builder.step(step(0), Storage::Bit);
            assert_eq!(builder.step(step(0), Storage::Bit), member, "one step for one set");
            let constant = builder.step(Op::Constant(Some(Value::I32(64))), Storage::I32);
            let always = builder.step(step(constant), Storage::Bit);
            let both = builder.step(Op::And { lhs: member, rhs: always }, Storage::Bit);
            let program = builder.finish();
            let views = [column.view()];
            let results = evaluate(&program, &views, n, &[member, both], &exec).unwrap();
            let expected = set.contains(&views[0].as_fixed().unwrap(), &exec).unwrap();
            let expected = rows_of(&expected, &exec);
            for result in &results {
                assert_rows(&rows_of(result, &exec), &expected, &format!("{storage} n={n} {device}"));
            }
        }
    }
}

#[test]
fn evaluate_with_inputs_of_other_types_is_an_error() {
    let exec = Exec::host();
    let program = Builder::new(vec![Source::Fixed(Storage::I64)]).finish();
    let data = Buffer::from_slice(&[1i64, 2], &exec).unwrap();
    let view = |storage, len| View::Fixed(Fixed { storage, data: &data, validity: None, offset: 0, len });
    let refused = |views: &[View<'_>], rows| evaluate(&program, views, rows, &[], &exec).unwrap_err();
    assert!(matches!(refused(&[], 2), Error::LengthMismatch { .. }));
    assert!(matches!(refused(&[view(Storage::I64, 1)], 2), Error::LengthMismatch { .. }));
    assert!(matches!(refused(&[view(Storage::F64, 2)], 2), Error::UnsupportedStorage { .. }));
}

#[test]
fn invalid_program_is_refused() {
    let refused = |sources: Vec<Source>, op: Op, storage| {
        let mut builder = Builder::new(sources);
        builder.step(op, storage);
        match builder.finish().check() {
            Err(Error::InvalidArgument { name: "program", reason }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let numbers = || vec![Source::Fixed(Storage::I64)];
    assert!(refused(numbers(), Op::Not { arg: 1 }, Storage::Bit).contains("no earlier step"));
    let constant = Op::Constant(Some(Value::I32(1)));
    assert!(refused(numbers(), constant, Storage::I64).contains("constant"));
    let extract = Op::Extract { part: DatePart::Year, unit: TimeUnit::Day, arg: 0 };
    assert!(refused(numbers(), extract, Storage::I32).contains("unit"));
    let matches = Op::StringMatch { op: MatchOp::Like, arg: 0, pattern: "a%".into() };
    assert!(refused(numbers(), matches, Storage::Bit).contains("no string input"));
    assert!(refused(vec![Source::String], Op::Cast { arg: 0 }, Storage::I64).contains("a string input"));

    let one = Buffer::from_slice(&[1_i64], &Exec::host()).unwrap();
    let one = Fixed { storage: Storage::I64, data: &one, validity: None, offset: 0, len: 1 };
    let keys = SharedKeys(Arc::new(KeySet::new(&one, &Exec::host()).unwrap().unwrap()));
    let floats = vec![Source::Fixed(Storage::F64)];
    assert!(refused(floats, Op::IsIn { arg: 0, keys }, Storage::Bit).contains("set of keys"));

    let mut valid = Builder::new(vec![Source::String, Source::Fixed(Storage::I32)]);
    let null = valid.step(Op::IsNull { arg: 0 }, Storage::Bit);
    valid.step(Op::StringMatch { op: MatchOp::Like, arg: 0, pattern: "a%".into() }, Storage::Bit);
    valid.step(Op::Extract { part: DatePart::Year, unit: TimeUnit::Day, arg: 1 }, Storage::I32);
    valid.step(Op::Not { arg: null }, Storage::Bit);
    assert_eq!(valid.finish().check(), Ok(()));
}

/// Steps that overflow in few rows: whether these count depends on filters and conditions.
#[test]
fn overflow_counts_only_in_rows_that_take_part() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(17);
        let (mut failed, mut done) = (0, 0);
        for round in 0..if device == Device::Host { 300 } else { 60 } {
            let rows = [1, 63, 65, 257, 2049, 5000][round % 6];
            let nulls = Nulls::ALL[rng.below(4) as usize];
            let offset = [0, 5, 64][rng.below(3) as usize];
            let columns =
                [Storage::I64, Storage::I64, Storage::I128, Storage::I32, Storage::Bit, Storage::Bit]
                    .map(|storage| rarely_large(storage, rows, offset, nulls, &mut rng, &exec));
            let mut builder = Builder::new(columns.iter().map(|column| column.source).collect());
            let mut outputs: Vec<Register> =
                (0..12).map(|_| test_programs::random_checked_step(&mut builder, &mut rng)).collect();
            let filter = (rng.below(2) == 0).then(|| {
                let bits = |register: &Register| builder.storage(*register) == Some(Storage::Bit);
                (0..builder.registers()).filter(bits).nth(rng.below(3) as usize).unwrap_or(4)
            });
            outputs.drain(..rng.below(11) as usize);
            outputs.extend(filter);
            let program = builder.finish();
            let cells_of =
                |row: usize| columns.iter().map(|column| column.cells[row].clone()).collect::<Vec<_>>();
            let kept = |row: usize| {
                let keeps =
                    |f| test_programs::row(&program, &cells_of(row), f) == Cell::Value(Value::Bit(true));
                filter.is_none_or(keeps)
            };
            let expected = (0..rows)
                .filter_map(|row| {
                    let of = |register, is_filter| {
                        test_programs::overflow(&program, &cells_of(row), register, is_filter)
                    };
                    let results = outputs.iter().filter(|_| kept(row)).filter_map(|&r| of(r, false)).min();
                    results.into_iter().chain(filter.and_then(|filter| of(filter, true))).min()
                })
                .min();
            let views: Vec<_> = columns.iter().map(Column::view).collect();
            let found = evaluate_where(&program, &views, rows, &outputs, filter, &exec);
            let what = format!("round {round}, {rows} rows on {device}: {program:?} {outputs:?} {filter:?}");
            let results = match (found, expected) {
                (Err(Error::StepOverflow { step, .. }), Some(expected)) => {
                    assert_eq!(step, expected, "{what}");
                    failed += 1;
                    continue;
                }
                (found, None) => found.unwrap_or_else(|error| panic!("{error}, {what}")),
                (found, expected) => panic!("{found:?}, expected {expected:?}, {what}"),
            };
            done += 1;
            for (result, &register) in results.iter().zip(&outputs) {
                let found = cells(result, &exec);
                for row in (0..rows).filter(|&row| kept(row)) {
                    let expected = test_programs::row(&program, &cells_of(row), register);
                    assert!(test_programs::same(&found[row], &expected), "row {row}, {register}, {what}");
                }
            }
        }
        assert!(failed > 10 && done > 10, "{failed} failed, {done} did not on {device}");
    }
}

/// Small numbers, and in one row of a thousand one that overflows in most operations.
fn rarely_large(
    storage: Storage,
    rows: usize,
    offset: usize,
    nulls: Nulls,
    rng: &mut Rng,
    exec: &Exec,
) -> Column {
    let mut column = fixed(storage, rows, offset, nulls, rng, exec);
    let values: Vec<Value> = (0..rows + offset)
        .map(|_| {
            let large = rng.below(1000) == 0;
            let small = i128::from(rng.below(9)) - 4;
            match storage {
                Storage::Bit => Value::Bit(rng.below(8) > 0),
                Storage::I32 => Value::I32(small as i32),
                Storage::I64 => Value::I64(if large { i64::MAX - 9 } else { small as i64 }),
                _ => Value::I128(if large { 10_i128.pow(38) - 9 } else { small }),
            }
        })
        .collect();
    let bytes = match storage.width() {
        Some(width) => values.iter().flat_map(|value| value.to_bytes()[..width].to_vec()).collect(),
        None => pack_bits(&values.iter().map(|value| *value == Value::Bit(true)).collect::<Vec<_>>()),
    };
    column.data = Buffer::from_slice(&bytes, exec).unwrap();
    for (cell, value) in column.cells.iter_mut().zip(&values[offset..]) {
        if *cell != Cell::Null {
            *cell = Cell::Value(*value);
        }
    }
    column
}
