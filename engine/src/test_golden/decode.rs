//! Inputs and results from JSON.

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Label, LabelPart, Scalar, TimeUnit};
use serde_json::Value;

use crate::dataframe::DataFrame;
use crate::options::default_exec_for;

fn dtype(name: &str) -> DType {
    match name {
        "bool" => DType::Bool,
        "int8" => DType::Int8,
        "int16" => DType::Int16,
        "int32" => DType::Int32,
        "int64" => DType::Int64,
        "uint8" => DType::UInt8,
        "uint16" => DType::UInt16,
        "uint32" => DType::UInt32,
        "uint64" => DType::UInt64,
        "float32" => DType::Float32,
        "float64" => DType::Float64,
        "utf8" => DType::Utf8,
        "date32" => DType::Date32,
        "timestamp[s]" => DType::Timestamp(TimeUnit::Second),
        "timestamp[us]" => DType::Timestamp(TimeUnit::Micro),
        "timestamp[ns]" => DType::Timestamp(TimeUnit::Nano),
        "duration[us]" => DType::Duration(TimeUnit::Micro),
        "duration[ns]" => DType::Duration(TimeUnit::Nano),
        "null" => DType::Null,
        other => panic!("no dtype is called {other}"),
    }
}

/// A value: null, a boolean, a number, text, or the name of a float that JSON has no number for.
fn scalar(dtype: &DType, value: &Value) -> Scalar {
    if value.is_null() {
        return Scalar::Null(dtype.clone());
    }
    let whole = || value.as_i64().unwrap_or_else(|| panic!("{value} is no integer"));
    let float = || match value.as_str() {
        Some(name) => name.parse::<f64>().expect("NaN, inf or -inf"),
        None => value.as_f64().unwrap_or_else(|| panic!("{value} is no number")),
    };
    match dtype {
        DType::Bool => Scalar::Bool(value.as_bool().unwrap_or_else(|| panic!("{value} is no boolean"))),
        DType::Int8 => Scalar::Int8(whole().try_into().expect("8 bits")),
        DType::Int16 => Scalar::Int16(whole().try_into().expect("16 bits")),
        DType::Int32 => Scalar::Int32(whole().try_into().expect("32 bits")),
        DType::Int64 => Scalar::Int64(whole()),
        DType::UInt8 => Scalar::UInt8(whole().try_into().expect("8 bits")),
        DType::UInt16 => Scalar::UInt16(whole().try_into().expect("16 bits")),
        DType::UInt32 => Scalar::UInt32(whole().try_into().expect("32 bits")),
        DType::UInt64 => Scalar::UInt64(value.as_u64().unwrap_or_else(|| panic!("{value} is negative"))),
        #[expect(clippy::cast_possible_truncation, reason = "written from a float32")]
        DType::Float32 => Scalar::Float32(float() as f32),
        DType::Float64 => Scalar::Float64(float()),
        DType::Utf8 => {
            Scalar::Utf8(value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned())
        }
        DType::Date32 => Scalar::Date32(whole().try_into().expect("32 bits")),
        DType::Timestamp(unit) => Scalar::Timestamp(whole(), *unit),
        DType::Duration(unit) => Scalar::Duration(whole(), *unit),
        other => panic!("no values of {other}"),
    }
}

fn part(value: &Value) -> LabelPart {
    match value {
        Value::Null => LabelPart::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().expect("a number").into(),
        },
        Value::String(text) => text.into(),
        other => panic!("{other} is no label"),
    }
}

fn label(value: &Value) -> Label {
    match value {
        Value::Array(parts) => Label::from_parts(parts.iter().map(part)).expect("parts"),
        one => part(one).into(),
    }
}

/// The frame of these columns, on the device of the test.
pub(super) fn frame(columns: &Value) -> DataFrame {
    let exec: Exec = default_exec_for("golden").expect("a device");
    let columns = columns.as_array().expect("columns").iter().map(|column| {
        let dtype = dtype(column["dtype"].as_str().expect("a dtype"));
        let values: Vec<Scalar> =
            column["values"].as_array().expect("values").iter().map(|value| scalar(&dtype, value)).collect();
        (label(&column["label"]), Column::from_scalars(&dtype, &values, &exec).expect("a column"))
    });
    DataFrame::from_accessor(ColumnAccessor::from_columns(columns).expect("columns of one length"), &exec)
}

/// The columns of a result.
pub(super) struct Expected(Vec<(Label, DType, Vec<Scalar>)>);

impl Expected {
    pub(super) fn new(columns: &Value) -> Self {
        let column = |column: &Value| {
            let dtype = dtype(column["dtype"].as_str().expect("a dtype"));
            let values = column["values"].as_array().expect("values");
            let values = values.iter().map(|value| scalar(&dtype, value)).collect();
            (label(&column["label"]), dtype, values)
        };
        Self(columns.as_array().expect("columns").iter().map(column).collect())
    }

    /// How the result differs; `None` if it is the same.
    pub(super) fn differs(&self, found: &DataFrame) -> Option<String> {
        let labels: Vec<&Label> = self.0.iter().map(|(label, _, _)| label).collect();
        if found.columns().iter().collect::<Vec<_>>() != labels {
            return Some(format!("columns {:?}, expected {labels:?}", found.columns()));
        }
        for ((label, dtype, values), column) in self.0.iter().zip(found.frame().accessor().columns()) {
            let of_column = column.dtype();
            if of_column.logical() != dtype {
                return Some(format!("column {label:?}: {of_column}, expected {dtype}"));
            }
            let scalars = column.to_scalars().expect("values");
            if scalars.len() != values.len() {
                return Some(format!("column {label:?}: {} rows, expected {}", scalars.len(), values.len()));
            }
            let row = scalars.iter().zip(values).position(|(found, expected)| !same(found, expected));
            if let Some(row) = row {
                let (found, expected) = (&scalars[row], &values[row]);
                return Some(format!("column {label:?}, row {row}: {found}, expected {expected}"));
            }
        }
        None
    }
}

/// Whether values are equal; floats to a rounding of sums.
fn same(found: &Scalar, expected: &Scalar) -> bool {
    match (found, expected) {
        (Scalar::Float64(a), Scalar::Float64(b)) => {
            a.total_cmp(b).is_eq()
                || a.is_nan() && b.is_nan()
                || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3)
        }
        (found, expected) if found.is_null() || expected.is_null() => found.is_null() && expected.is_null(),
        (found, expected) => found == expected,
    }
}
