//! The columns of several files as those of one frame: by their names, in the widest of their types.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::PrimitiveArray;
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int64Type, UInt64Type};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use columnade_buffers::Exec;
use columnade_columns::arrow::{data_type, field_dtype};
use columnade_columns::{
    Column, DType, Error as ColumnError, Field as StructField, ListColumn, Result, Scalar, StructColumn,
};
use columnade_kernels::Bits;
use columnade_kernels::bits::combine;
use columnade_ops::cast::{CastMode, cast};

use super::hive::Partitions;

/// Where a file has a column of the frame.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// At this position in the file.
    File {
        position: usize,
        /// Its type in a frame of this file alone.
        field: FieldRef,
        /// Whether the frame has a wider one.
        is_widened: bool,
    },
    /// In the names of the folders that it is in.
    Path(Scalar),
    /// Nowhere: its rows are null.
    Missing,
}

impl Source {
    /// The position in the file.
    pub(super) fn position(&self) -> Option<usize> {
        match self {
            Source::File { position, .. } => Some(*position),
            Source::Path(_) | Source::Missing => None,
        }
    }

    /// Some rows as the frame has them, whose column has the field `frame`; `stored` gives those of the file.
    pub(super) fn column(
        &self,
        frame: &Field,
        rows: usize,
        stored: impl FnOnce(&FieldRef) -> Result<Column>,
    ) -> Result<Column> {
        let dtype = || field_dtype(frame);
        let host = Exec::host();
        match self {
            Source::File { field, is_widened: false, .. } => stored(field),
            Source::File { field, .. } => widened(&stored(field)?, &dtype()?, &host),
            Source::Path(value) => Column::from_scalar(value, rows, &host),
            Source::Missing => Column::full_null(&dtype()?, rows, &host),
        }
    }
}

/// The fields of a file by their names.
pub(super) struct NamedFields<'a>(HashMap<&'a str, Named<'a>>);

/// The field of a name.
#[derive(Clone, Copy)]
pub(super) enum Named<'a> {
    Nowhere,
    At(usize, &'a FieldRef),
    /// Several have it.
    Twice,
}

impl<'a> NamedFields<'a> {
    pub(super) fn of(schema: &'a Schema) -> Self {
        let mut named = HashMap::with_capacity(schema.fields().len());
        for (position, field) in schema.fields().iter().enumerate() {
            let entry = named.entry(field.name().as_str());
            entry.and_modify(|named| *named = Named::Twice).or_insert(Named::At(position, field));
        }
        Self(named)
    }

    pub(super) fn get(&self, name: &str) -> Named<'a> {
        self.0.get(name).copied().unwrap_or(Named::Nowhere)
    }
}

/// Why columns of files are not one column.
#[derive(Debug)]
pub(super) enum MergeFault {
    Column(ColumnError),
    TypesDiffer { column: String, expected: DType, found: DType },
}

/// The names of all columns: those of the files in the order in which they are met, then those in the names of folders.
pub(super) fn labels<'a>(schemas: impl Iterator<Item = &'a Schema>, partitions: &Partitions) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    let mut known: HashSet<&str> = partitions.names().collect();
    for field in schemas.flat_map(Schema::fields) {
        if known.insert(field.name()) {
            labels.push(field.name().clone());
        }
    }
    labels.extend(partitions.names().map(ToOwned::to_owned));
    labels
}

/// The fields of the frame, given where each file has its columns, and notes which columns of files have narrower types. An
/// error is that of a file, with its position.
pub(super) fn fields(
    labels: &[String],
    partitions: &Partitions,
    sources: &mut [Vec<Source>],
) -> std::result::Result<Vec<FieldRef>, (usize, MergeFault)> {
    let mut found: Vec<Option<FieldRef>> = vec![None; labels.len()];
    for (file, sources) in sources.iter().enumerate() {
        widen(&mut found, sources).map_err(|fault| (file, fault))?;
    }
    let partition =
        |label: &String| Some(Arc::new(Field::new(label, data_type(partitions.dtype(label)?), true)));
    let null = |label: &String| Arc::new(Field::new(label, DataType::Null, true));
    let fields: Vec<FieldRef> = labels
        .iter()
        .zip(found)
        .map(|(label, field)| field.or_else(|| partition(label)).unwrap_or_else(|| null(label)))
        .collect();
    for (at, frame) in fields.iter().enumerate() {
        for source in sources.iter_mut().filter_map(|sources| sources.get_mut(at)) {
            if let Source::File { field, is_widened, .. } = source {
                *is_widened = field_dtype(field) != field_dtype(frame);
            }
        }
    }
    Ok(fields)
}

/// Makes the types of the frame wide enough for those of one more file.
fn widen(fields: &mut [Option<FieldRef>], sources: &[Source]) -> std::result::Result<(), MergeFault> {
    for (frame, source) in fields.iter_mut().zip(sources) {
        let Source::File { field, .. } = source else { continue };
        *frame = Some(match frame {
            None => Arc::clone(field),
            Some(frame) => joined(frame, field)?,
        });
    }
    Ok(())
}

/// A field of the narrowest type with the values of both.
fn joined(a: &FieldRef, b: &FieldRef) -> std::result::Result<FieldRef, MergeFault> {
    if a.data_type() == b.data_type() {
        return Ok(Arc::clone(a));
    }
    let in_column = |error: ColumnError| MergeFault::Column(error.in_column(a.name()));
    let (left, right) = (field_dtype(a).map_err(in_column)?, field_dtype(b).map_err(in_column)?);
    match wider(&left, &right) {
        Some(dtype) if dtype == left => Ok(Arc::clone(a)),
        Some(dtype) if dtype == right => Ok(Arc::clone(b)),
        Some(dtype) => Ok(Arc::new(Field::new(a.name(), data_type(&dtype), true))),
        None => Err(MergeFault::TypesDiffer { column: a.name().clone(), expected: left, found: right }),
    }
}

/// The narrowest number with all values of two numbers; the finer unit of two times, and of a date and a timestamp the timestamp; of
/// a dictionary and its values, the values; of lists that of their items; of structs all fields, in the order in which they are
/// met. Values that the finer unit does not have, or a float in place of an integer of 64 bits, are an error when they are read.
fn wider(a: &DType, b: &DType) -> Option<DType> {
    match (a, b) {
        (DType::Null, other) | (other, DType::Null) => return Some(other.clone()),
        (a, b) if a == b => return Some(a.clone()),
        (DType::List(a), DType::List(b)) => return wider(a, b).map(DType::list),
        (DType::Struct(a), DType::Struct(b)) => {
            return all_fields(a, b).map(|fields| DType::Struct(fields.into()));
        }
        _ => {}
    }
    if let (DType::Dictionary(dictionary), other) | (other, DType::Dictionary(dictionary)) = (a, b) {
        return (dictionary.values == *other).then(|| other.clone());
    }
    if let Some(dtype) = finer(a, b) {
        return Some(dtype);
    }
    if let (Some(a), Some(b)) = (digits(a), digits(b))
        && (a.is_decimal || b.is_decimal)
    {
        return of_digits(a, b);
    }
    let float = |dtype: &DType| matches!(dtype, DType::Float32 | DType::Float64);
    match (integer(a), integer(b)) {
        (Some((bits, signed)), Some((other, both))) if signed == both => of_bits(bits.max(other), signed),
        (Some((bits, signed)), Some((other, _))) => {
            // A sign takes a bit more than the unsigned one has.
            let (with, without) = if signed { (bits, other) } else { (other, bits) };
            of_bits(with.max(2 * without), true)
        }
        // Significands of floats hold so many bits; of 64 bits many values have fewer, and others are an error when they are read.
        (Some((bits, _)), None) | (None, Some((bits, _))) if float(a) || float(b) => {
            let is_narrow = *a == DType::Float32 || *b == DType::Float32;
            Some(if is_narrow && bits <= 16 { DType::Float32 } else { DType::Float64 })
        }
        (None, None) if float(a) && float(b) => Some(DType::Float64),
        _ => None,
    }
}

/// The finer of two times of one kind, and the timestamp of a date and a timestamp.
fn finer(a: &DType, b: &DType) -> Option<DType> {
    if let (DType::Date32, it @ DType::Timestamp(_)) | (it @ DType::Timestamp(_), DType::Date32) = (a, b) {
        return Some(it.clone());
    }
    let is_one_kind = match (a, b) {
        (DType::TimestampTz(_, zone), DType::TimestampTz(_, other)) => zone == other,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    let (unit, other) = (a.unit()?, b.unit()?);
    is_one_kind.then(|| if unit < other { b.clone() } else { a.clone() })
}

/// The decimal digits that numbers of a dtype have.
#[derive(Clone, Copy)]
struct Digits {
    /// Before the point, of decimals of a negative scale with the zeros there.
    before: i16,
    /// After the point; negative: so many zeros are before it.
    after: i16,
    is_decimal: bool,
}

/// The digits of a decimal or of an integer.
fn digits(dtype: &DType) -> Option<Digits> {
    if let DType::Decimal { precision, scale, .. } = dtype {
        let (precision, after) = (i16::from(*precision), i16::from(*scale));
        return Some(Digits { before: precision - after, after, is_decimal: true });
    }
    let before = match integer(dtype)? {
        (8, _) => 3,
        (16, _) => 5,
        (32, _) => 10,
        (_, true) => 19,
        (_, false) => 20,
    };
    Some(Digits { before, after: 0, is_decimal: false })
}

/// The decimal with the digits of both, if it has no more than 38.
fn of_digits(a: Digits, b: Digits) -> Option<DType> {
    let (before, after) = (a.before.max(b.before), a.after.max(b.after));
    DType::decimal(u8::try_from(before + after).ok()?, i8::try_from(after).ok()?).ok()
}

/// The fields of two structs, each of the wider dtype.
fn all_fields(a: &[StructField], b: &[StructField]) -> Option<Vec<StructField>> {
    let mut fields = a.to_vec();
    for field in b {
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => known.dtype = wider(&known.dtype, &field.dtype)?,
            None => fields.push(field.clone()),
        }
    }
    Some(fields)
}

/// The values of a column in a dtype that has them all, see [`wider`]; fields that a struct lacks are null.
fn widened(column: &Column, to: &DType, host: &Exec) -> Result<Column> {
    if column.dtype() == *to {
        return Ok(column.clone());
    }
    match (column, to) {
        (Column::Null(_), _) => Column::full_null(to, column.size(), host),
        (Column::List(lists), DType::List(items)) => {
            let items = Arc::new(widened(lists.items(), items, host)?);
            let (mask, offset) = (column.mask().cloned(), column.offset());
            let offsets = lists.offsets().clone();
            ListColumn::new(offsets, lists.offset_width(), items, mask, offset, column.size())
                .map(Column::List)
        }
        (Column::Struct(rows), DType::Struct(fields)) => {
            let stored = rows.fields()?;
            let of = |field: &StructField| {
                let found = rows.names().iter().zip(&stored).find(|(name, _)| **name == field.name);
                let values = match found {
                    Some((_, values)) => widened(values, &field.dtype, host),
                    None => Column::full_null(&field.dtype, column.size(), host),
                };
                Ok((field.name.clone(), values?))
            };
            let fields = fields.iter().map(of).collect::<Result<Vec<_>>>()?;
            // From row 0 on, as the fields are.
            let bits =
                column.mask().map(|buffer| Bits { buffer, offset: column.offset(), len: column.size() });
            let mask = bits.map(|bits| combine::copy(bits, host)).transpose()?;
            StructColumn::new(fields, mask, 0, column.size()).map(Column::Struct)
        }
        _ => {
            if *to == DType::Float64 && integer(&column.dtype()).is_some_and(|(bits, _)| bits == 64) {
                check_exact(column, to)?;
            }
            cast(column, to, CastMode::Checked, host)
        }
    }
}

/// Refuses an integer of 64 bits that is no float.
///
/// # Source
/// pyarrow `concat_tables` with `promote_options="permissive"`, which refuses all beyond 2⁵³.
fn check_exact(column: &Column, to: &DType) -> Result<()> {
    let array = column.to_arrow()?;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "the loss is what is looked for; the float is an integer of at most 65 bits"
    )]
    let inexact = |value: i128| (value as f64) as i128 != value;
    let found = match array.as_primitive_opt::<Int64Type>() {
        Some(signed) => first(signed, inexact),
        None => array.as_primitive_opt::<UInt64Type>().and_then(|unsigned| first(unsigned, inexact)),
    };
    match found {
        Some((row, value)) => {
            Err(ColumnError::ValueOverflow { row, value: value.to_string(), dtype: to.clone() })
        }
        None => Ok(()),
    }
}

/// The first value for which a condition holds, with its row.
fn first<T: ArrowPrimitiveType>(
    values: &PrimitiveArray<T>,
    condition: impl Fn(i128) -> bool,
) -> Option<(usize, i128)>
where
    i128: From<T::Native>,
{
    let valid = values.iter().enumerate().filter_map(|(row, value)| Some((row, i128::from(value?))));
    valid.into_iter().find(|&(_, value)| condition(value))
}

const INTEGERS: [(DType, u32, bool); 8] = [
    (DType::Int8, 8, true),
    (DType::Int16, 16, true),
    (DType::Int32, 32, true),
    (DType::Int64, 64, true),
    (DType::UInt8, 8, false),
    (DType::UInt16, 16, false),
    (DType::UInt32, 32, false),
    (DType::UInt64, 64, false),
];

/// The bits of an integer, and whether it has a sign.
fn integer(dtype: &DType) -> Option<(u32, bool)> {
    INTEGERS.iter().find(|(integer, ..)| integer == dtype).map(|&(_, bits, signed)| (bits, signed))
}

fn of_bits(bits: u32, signed: bool) -> Option<DType> {
    let found = INTEGERS.iter().find(|(_, width, sign)| (*width, *sign) == (bits, signed));
    found.map(|(integer, ..)| integer.clone())
}
