//! The schema that a consumer of Arrow's interface asks for, and values in its dtypes.
//!
//! Values in another dtype are those that pyarrow's safe casts give: a cast that gives other values is an error, except that
//! floats, and decimals as floats and the reverse, are rounded.

use columnade::arrow::{OffsetLayout, OwnedSchema};
use columnade::column::ColumnAccessor;
use columnade::dtypes::Field;
use columnade::errors::ColumnError;
use columnade::{DType, DataFrame, Error, ErrorKind, Expr, Index, Label, RangeIndex, Scalar, Series, col};
use pyo3::prelude::*;

use crate::arrow::{SCHEMA, capsule_of, with};
use crate::series::checked_cast;
use crate::work::argument;

/// The schema that a consumer asks for.
pub(crate) struct Asked {
    operation: &'static str,
    dtype: DType,
    pub(crate) offsets: OffsetLayout,
}

impl Asked {
    /// None if nothing is asked for, or types that have no dtype.
    pub(crate) fn of(
        operation: &'static str,
        requested: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Self>> {
        let Some(requested) = requested.filter(|requested| !requested.is_none()) else { return Ok(None) };
        let holder = capsule_of(operation, requested)?;
        if !holder.is_valid_checked(Some(SCHEMA)) {
            let reason =
                "expected a capsule named arrow_schema, found one of another name, or one that was used";
            return Err(argument(requested.py(), ErrorKind::Value, operation, reason));
        }
        let asked = with(&holder, SCHEMA, |schema: &mut OwnedSchema| {
            schema.dtype().ok().zip(schema.offset_layout().ok())
        })?;
        Ok(asked.map(|(dtype, offsets)| Self { operation, dtype, offsets }))
    }

    /// Fields of other names than the columns of a frame have, or than structs in them, are an error.
    pub(crate) fn check_frame(&self, py: Python<'_>, frame: &DataFrame) -> PyResult<()> {
        let DType::Struct(asked) = &self.dtype else {
            let reason = format!("a frame is exported as a struct, not as {}", self.dtype);
            return Err(argument(py, ErrorKind::Value, self.operation, &reason));
        };
        let field = |(label, dtype): (Label, DType)| Field { name: label.to_string(), dtype };
        let columns: Vec<Field> = frame.schema().into_iter().map(field).collect();
        self.refuse(py, fields_differ("the frame", &columns, asked))
    }

    /// Structs whose fields have other names are an error.
    pub(crate) fn check_series(&self, py: Python<'_>, series: &Series) -> PyResult<()> {
        self.refuse(py, names_differ("the series", &series.dtype(), &self.dtype))
    }

    fn refuse(&self, py: Python<'_>, difference: Option<String>) -> PyResult<()> {
        let reason = |difference| format!("the schema asked for is another one: {difference}");
        difference.map_or(Ok(()), |difference| {
            Err(argument(py, ErrorKind::Value, self.operation, &reason(difference)))
        })
    }

    /// A frame, which was checked, in the order and the dtypes of the fields.
    pub(crate) fn frame(&self, mut frame: DataFrame) -> Result<DataFrame, Error> {
        let DType::Struct(fields) = &self.dtype else { return Ok(frame) };
        let labels: Vec<Label> = frame.schema().into_iter().map(|(label, _)| label).collect();
        let names: Vec<String> = labels.iter().map(ToString::to_string).collect();
        let is_in_order = fields.iter().map(|field| &field.name).eq(&names);
        let ordered: Vec<Label> = if is_in_order {
            labels
        } else {
            let place = |field: &Field| names.iter().position(|name| *name == field.name);
            fields.iter().filter_map(|field| labels.get(place(field)?).cloned()).collect()
        };
        if !is_in_order {
            frame = frame.select(ordered.clone())?;
        }
        for (field, label) in fields.iter().zip(ordered) {
            let column = frame.column(&label)?;
            if field.dtype != column.dtype() {
                let made = converted(column, &field.dtype).map_err(|error| self.in_column(error, &label))?;
                frame = frame.with_column(label, made.into_values())?;
            }
        }
        Ok(frame)
    }

    /// A series, which was checked, in the dtype.
    pub(crate) fn series(&self, series: Series) -> Result<Series, Error> {
        let name = series.name().clone();
        converted(series, &self.dtype).map_err(|error| self.in_column(error, &name))
    }

    /// An error of this operation and of a column; a series without a name is none.
    fn in_column(&self, error: Error, label: &Label) -> Error {
        match error {
            Error::Operation { source, .. } | Error::Value(source) => {
                let is_known = *label == Label::NULL || matches!(source, ColumnError::Context { .. });
                let source = if is_known { source } else { source.in_column(label) };
                Error::Operation { operation: self.operation, source }
            }
            other => other,
        }
    }
}

/// How the fields of a struct differ from those that are asked for, in number and names.
fn fields_differ(whose: &str, fields: &[Field], asked: &[Field]) -> Option<String> {
    let names = |fields: &[Field]| fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    let (found, wanted) = (names(fields), names(asked));
    let absent = |names: &[String], others: &[String]| {
        let absent: Vec<String> = names.iter().filter(|name| !others.contains(name)).cloned().collect();
        (!absent.is_empty())
            .then(|| absent.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))
    };
    let (lacking, further) = (absent(&wanted, &found), absent(&found, &wanted));
    if found.len() != wanted.len() || lacking.is_some() || further.is_some() {
        let lacking = lacking.map_or_else(String::new, |names| format!("; {whose} has no {names}"));
        let further = further.map_or_else(String::new, |names| format!("; the schema has no {names}"));
        return Some(format!(
            "it has {} fields, and {whose} has {}{lacking}{further}",
            wanted.len(),
            found.len()
        ));
    }
    let same_order = found == wanted;
    asked.iter().enumerate().find_map(|(at, asked)| {
        let field =
            if same_order { fields.get(at) } else { fields.iter().find(|field| field.name == asked.name) };
        field.and_then(|field| names_differ(&format!("{:?}", field.name), &field.dtype, &asked.dtype))
    })
}

/// [`fields_differ`] of the structs in a dtype.
fn names_differ(whose: &str, dtype: &DType, asked: &DType) -> Option<String> {
    match (dtype, asked) {
        (DType::Struct(fields), DType::Struct(asked)) => fields_differ(whose, fields, asked),
        (DType::List(items), DType::List(asked)) => names_differ(whose, items, asked),
        (DType::Dictionary(dictionary), DType::Dictionary(asked)) => {
            names_differ(whose, &dictionary.values, &asked.values)
        }
        _ => None,
    }
}

/// The values in another dtype, as they are where nothing is cast to it, which the interface allows.
fn converted(series: Series, dtype: &DType) -> Result<Series, Error> {
    if series.dtype() == *dtype || !is_converted(&series.dtype(), dtype) || !can_cast(&series, dtype) {
        return Ok(series);
    }
    let made = checked_cast(&series, dtype)?;
    let positions = Index::from(RangeIndex::of_rows(series.len()));
    match lost(&series.with_index(&positions)?, &made.with_index(&positions)?)? {
        None => Ok(made),
        Some((row, value, dtype)) => {
            Err(Error::Value(ColumnError::ValueOverflow { row, value: value.to_string(), dtype }))
        }
    }
}

/// Whether there is a cast at all: that of no rows.
pub(crate) fn can_cast(series: &Series, dtype: &DType) -> bool {
    series.head(0).and_then(|none| none.cast(dtype.clone())).is_ok()
}

/// Whether values mean the same in another dtype. Local times are not those of a zone, as which Arrow has timestamps.
fn is_converted(from: &DType, to: &DType) -> bool {
    match (from, to) {
        _ if from.same_values(to) => true,
        (DType::List(from), DType::List(to)) => is_converted(from, to),
        (DType::Struct(from), DType::Struct(to)) => to.iter().all(|to| {
            from.iter()
                .find(|from| from.name == to.name)
                .is_none_or(|from| is_converted(&from.dtype, &to.dtype))
        }),
        (DType::List(_) | DType::Struct(_) | DType::Interval(_), _)
        | (_, DType::Interval(_))
        | (DType::TimestampTz(..), DType::Timestamp(_) | DType::Date32 | DType::Time(_)) => false,
        (DType::Dictionary(from), to) => is_converted(&from.values, to),
        (from, DType::Dictionary(to)) => is_converted(from, &to.values),
        // Nothing is cast back, by which a loss is seen.
        (from, DType::Decimal { .. }) if from.unit().is_some() || *from == DType::Date32 => false,
        _ => true,
    }
}

/// The first row whose value another dtype does not have, the value and that dtype. Rows have their positions as labels.
fn lost(from: &Series, to: &Series) -> Result<Option<(usize, Scalar, DType)>, Error> {
    let (old, new) = (from.dtype(), to.dtype());
    let is_text = |dtype: &DType| matches!(dtype, DType::Utf8 | DType::Binary);
    match (&old, &new) {
        _ if old.same_values(&new) || old == DType::Null || is_text(&old) || is_text(&new) => Ok(None),
        (DType::Dictionary(dictionary), _) => lost(&from.cast(dictionary.values.clone())?, to),
        (_, DType::Dictionary(dictionary)) => lost(from, &to.cast(dictionary.values.clone())?),
        (DType::List(_), DType::List(_)) => lost(&from.explode()?, &to.explode()?),
        (DType::Struct(fields), DType::Struct(_)) => {
            for field in fields.iter() {
                let found = lost(&from.struct_().field(&field.name)?, &to.struct_().field(&field.name)?)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            Ok(None)
        }
        _ => match is_lost(&old, &new) {
            Some(condition) => first_row(from, to, condition),
            None => Ok(None),
        },
    }
}

/// The condition under which a value `from` is another one in `to`. None where no value is, but for rounding.
fn is_lost(old: &DType, new: &DType) -> Option<Expr> {
    let (from, to) = (col("from"), col("to"));
    if old.is_float() && new.is_float() {
        let is_narrower = *old == DType::Float64;
        return is_narrower.then(|| from.abs().lt(f64::INFINITY) & to.abs().eq(f64::INFINITY));
    }
    if old.is_decimal() && new.is_float() || old.is_float() && new.is_decimal() {
        return None;
    }
    if old.is_integer() && new.is_float() {
        let bound =
            if *new == DType::Float64 { 1_i64 << f64::MANTISSA_DIGITS } else { 1 << f32::MANTISSA_DIGITS };
        return Some(from.clone().gt(bound) | from.lt(-bound));
    }
    Some(from.ne_missing(to.try_cast(old.clone())))
}

fn first_row(from: &Series, to: &Series, condition: Expr) -> Result<Option<(usize, Scalar, DType)>, Error> {
    let columns = [("from", from.values().clone()), ("to", to.values().clone())];
    let columns = ColumnAccessor::from_columns(columns).map_err(Error::Value)?;
    let both = DataFrame::from_accessor(columns, from.exec()).with_index(from.index())?;
    let other = both.filter(condition)?;
    if other.is_empty() {
        return Ok(None);
    }
    let row = match other.index().get(0)? {
        Scalar::Int64(row) => usize::try_from(row).unwrap_or_default(),
        _ => 0,
    };
    Ok(Some((row, other.column("from")?.get(0)?, to.dtype())))
}
