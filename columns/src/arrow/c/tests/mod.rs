//! The C interfaces: against arrow-rs's own, against hostile producers, on every device, and when each side frees its memory.

mod arrow_rs;
mod codes;
mod device;
mod hostile;
mod layout;
mod lifetime;
mod options;
mod producer;
mod streams;

use super::{ExportOptions, ImportOptions, OwnedArray, OwnedDeviceArray, OwnedSchema, Validation};
use crate::scalar::IntervalScalar;
use crate::test_dtypes::slices;
use crate::test_execs::execs;
use crate::{
    Closed, Column, DType, DecimalStorage, DictionaryType, Field, Result, Scalar, TimeUnit, TimeZone,
};
use columnade_buffers::Exec;
use columnade_kernels::Storage;

/// Every dtype, in every unit and width that is a layout of its own.
fn dtypes() -> Vec<DType> {
    let mut dtypes = DType::NUMERIC.to_vec();
    dtypes.extend([DType::Bool, DType::Utf8, DType::Binary, DType::Date32, DType::Null]);
    let berlin = TimeZone::new("Europe/Berlin").unwrap();
    for unit in TimeUnit::ALL {
        dtypes.extend([DType::Timestamp(unit), DType::TimestampTz(unit, berlin.clone())]);
        dtypes.push(DType::Duration(unit));
    }
    for (precision, scale) in [(1, 0), (9, 2), (18, -3), (19, 4), (38, 38)] {
        dtypes.push(DType::decimal(precision, scale).unwrap());
    }
    for (precision, storage) in [(9, DecimalStorage::Bits32), (15, DecimalStorage::Bits128)] {
        dtypes.push(DType::decimal_stored(precision, 2, storage).unwrap());
    }
    for (codes, values, ordered) in [
        (Storage::I8, DType::Utf8, false),
        (Storage::I16, DType::Int64, true),
        (Storage::I32, DType::Binary, false),
        (Storage::I32, DType::Utf8, true),
        (Storage::I64, DType::Utf8, false),
    ] {
        dtypes.push(DType::Dictionary(Box::new(DictionaryType { codes, values, ordered })));
    }
    for closed in Closed::ALL {
        dtypes.push(DType::interval(DType::Int64, closed));
    }
    dtypes.push(DType::interval(DType::TimestampTz(TimeUnit::Nano, berlin), Closed::Left));
    let inner = DType::structure([("x", DType::Bool), ("y", DType::list(DType::Utf8))]);
    dtypes.extend([
        DType::list(DType::Int32),
        DType::list(DType::list(DType::Utf8)),
        DType::list(inner.clone()),
        DType::list(DType::dictionary(DType::Utf8)),
        inner,
        DType::structure([
            ("ö", DType::dictionary(DType::Utf8)),
            ("when", DType::interval(DType::Int64, Closed::Both)),
        ]),
        DType::structure([("deep", DType::structure([("deeper", DType::list(DType::Null))]))]),
    ]);
    // Miri takes seconds for a hundred values, so it tests fewer of each kind.
    if cfg!(miri) { dtypes.into_iter().step_by(7).collect() } else { dtypes }
}

/// Many rows, beyond a step of slicing.
const MANY: usize = if cfg!(miri) { 70 } else { 600 };

/// A value that differs from its neighbours, and is never null.
fn scalar(dtype: &DType, i: usize) -> Scalar {
    let number = i64::try_from(i % 120).unwrap() - 7;
    match dtype {
        DType::Bool => Scalar::Bool(i.is_multiple_of(3)),
        DType::Utf8 => Scalar::from(["", "ß", "zwei", "the text of more than twelve bytes", "中"][i % 5]),
        DType::Binary => Scalar::Binary(vec![0xff; i % 4]),
        DType::Date32 => Scalar::Date32(i32::try_from(number).unwrap() * 300),
        DType::Timestamp(unit) => Scalar::Timestamp(number << 33, *unit),
        DType::TimestampTz(unit, zone) => Scalar::TimestampTz(number << 33, *unit, zone.clone()),
        DType::Duration(unit) => Scalar::Duration(-number, *unit),
        DType::Time(unit) => Scalar::Time((number + 7) * 701 * unit.per_second(), *unit),
        DType::Decimal { precision, scale, .. } => {
            Scalar::Decimal { value: i128::from(number % 10), precision: *precision, scale: *scale }
        }
        DType::Dictionary(dictionary) => scalar(&dictionary.values, i % 5),
        DType::Interval(interval) => {
            let (left, right) = (scalar(&interval.values, i), scalar(&interval.values, i + 1));
            Scalar::Interval(Box::new(IntervalScalar { left, right, closed: interval.closed }))
        }
        DType::List(item) => {
            Scalar::List { item: item.clone(), values: (0..i % 4).map(|at| value(item, i + at)).collect() }
        }
        DType::Struct(fields) => {
            let value = |Field { name, dtype }: &Field| (name.clone(), value(dtype, i + name.len()));
            Scalar::Struct(fields.iter().map(value).collect())
        }
        DType::Null => Scalar::Null(DType::Null),
        DType::Float32 | DType::Float64 if i.is_multiple_of(7) => Scalar::parse(dtype, "-0.0").unwrap(),
        number => Scalar::parse(number, &(i % 100).to_string()).unwrap(),
    }
}

/// Like [`scalar`], null now and then.
fn value(dtype: &DType, i: usize) -> Scalar {
    if i % 5 == 2 { Scalar::Null(dtype.logical().clone()) } else { scalar(dtype, i) }
}

/// Which rows are null.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    None,
    Some,
    All,
}

const PATTERNS: [Pattern; 3] = [Pattern::None, Pattern::Some, Pattern::All];

/// Columns without rows, of one row, of some and of many, with nulls and without.
fn extents() -> Vec<(usize, Pattern)> {
    if cfg!(miri) {
        return vec![(0, Pattern::None), (MANY, Pattern::Some)];
    }
    [0, 1, 70, MANY].into_iter().flat_map(|n| PATTERNS.map(|pattern| (n, pattern))).collect()
}

/// A column of `n` rows on `exec`'s device.
fn column(dtype: &DType, n: usize, pattern: Pattern, exec: &Exec) -> Column {
    let row = |i| match pattern {
        Pattern::None => scalar(dtype, i),
        Pattern::Some => value(dtype, i),
        Pattern::All => Scalar::Null(dtype.logical().clone()),
    };
    let rows: Vec<Scalar> = (0..n).map(row).collect();
    Column::from_scalars(dtype, &rows, exec).unwrap_or_else(|error| panic!("{dtype}: {error}"))
}

const EXPORT: ExportOptions = ExportOptions {
    offsets: super::OffsetLayout::AsStored,
    decimals: super::DecimalWidth::AsStored,
    handover: super::Handover::Event,
    null_counts: super::NullCounts::WhereKnown,
};

const FULL: ImportOptions = ImportOptions { copy: super::CopyPolicy::IfNeeded, validate: Validation::Full };

const MINIMAL: ImportOptions =
    ImportOptions { copy: super::CopyPolicy::IfNeeded, validate: Validation::Minimal };

const NO_COPY: ImportOptions =
    ImportOptions { copy: super::CopyPolicy::Never, validate: Validation::Minimal };

fn export(column: &Column) -> (OwnedSchema, OwnedArray) {
    column.to_arrow_c("c", &EXPORT).unwrap()
}

fn export_device(column: &Column, exec: &Exec) -> (OwnedSchema, OwnedDeviceArray) {
    column.to_arrow_c_device("c", &EXPORT, exec).unwrap()
}

fn import((schema, mut array): (OwnedSchema, OwnedArray), options: ImportOptions) -> Result<Column> {
    Column::from_arrow_c(&schema, &mut array, &options)
}
