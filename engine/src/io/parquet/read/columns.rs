//! The columns of several files as those of one frame: by their names, in the widest of their types.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Schema};
use columnade_columns::arrow::{data_type, field_dtype};
use columnade_columns::{DType, Error as ColumnError, Label, MAX_PRECISION_64, Scalar};
use columnade_ops::expression::columns_of;

use super::OPERATION;
use super::file::ParquetFile;
use super::plan::Request;
use crate::error::{Error, Result};
use crate::io::hive;
use crate::io::parquet::error::ParquetError;

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
}

/// The columns of a frame of several files.
#[derive(Debug, Default)]
pub(super) struct FrameColumns {
    /// In the order of the frame, with their types there.
    pub(super) fields: Vec<FieldRef>,
    /// How many of them, from the end, only the filter needs.
    pub(super) for_filter: usize,
    /// For each file, where it has each of them.
    pub(super) sources: Vec<Vec<Source>>,
}

impl FrameColumns {
    pub(super) fn new(files: &[ParquetFile], request: &Request<'_>) -> Result<Self> {
        let Some(first) = files.first() else { return Ok(Self::default()) };
        let partitions = partition_columns(files);
        let (labels, for_filter) = labels(files, &partitions, request)
            .map_err(|source| Error::parquet(OPERATION, &first.path, source))?;
        let mut fields: Vec<Option<FieldRef>> = vec![None; labels.len()];
        let mut sources = Vec::with_capacity(files.len());
        for file in files {
            let of_file = |label: &String| source(file, label, &partitions, request.dictionaries);
            let found = labels.iter().map(of_file).collect::<Result<Vec<_>, _>>();
            let found = found.and_then(|found| widen(&mut fields, &found).map(|()| found));
            sources.push(found.map_err(|source| Error::parquet(OPERATION, &file.path, source))?);
        }
        let partition = |label: &String| {
            let (name, dtype) = partitions.iter().find(|(name, _)| name == label)?;
            Some(Arc::new(Field::new(name, data_type(dtype), true)))
        };
        let null = |label: &String| Arc::new(Field::new(label, DataType::Null, true));
        let fields: Vec<FieldRef> = labels
            .iter()
            .zip(fields)
            .map(|(label, field)| field.or_else(|| partition(label)).unwrap_or_else(|| null(label)))
            .collect();
        for (at, frame) in fields.iter().enumerate() {
            for source in sources.iter_mut().filter_map(|sources: &mut Vec<Source>| sources.get_mut(at)) {
                if let Source::File { field, is_widened, .. } = source {
                    *is_widened = field_dtype(field) != field_dtype(frame);
                }
            }
        }
        Ok(Self { fields, for_filter, sources })
    }
}

/// The columns in the names of folders, with their dtypes.
fn partition_columns(files: &[ParquetFile]) -> Vec<(String, DType)> {
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in files.iter().flat_map(|file| &file.partitions) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let dtype = |name: &String| {
        let partitions = files.iter().flat_map(|file| &file.partitions);
        hive::dtype(partitions.filter(|(other, _)| other == name).filter_map(|(_, value)| value.as_deref()))
    };
    names.into_iter().map(|name| (name.clone(), dtype(name))).collect()
}

/// The labels of the columns that are read, with those of the filter at the end, and how many those are.
fn labels(
    files: &[ParquetFile],
    partitions: &[(String, DType)],
    request: &Request<'_>,
) -> Result<(Vec<String>, usize), ParquetError> {
    let mut available: Vec<String> = Vec::new();
    let mut known: HashSet<&str> = partitions.iter().map(|(name, _)| name.as_str()).collect();
    for field in files.iter().flat_map(|file| file.metadata.schema().fields()) {
        if known.insert(field.name()) {
            available.push(field.name().clone());
        }
    }
    available.extend(partitions.iter().map(|(name, _)| name.clone()));
    let mut labels = request.columns.map_or_else(|| available.clone(), <[String]>::to_vec);
    let asked = labels.len();
    let mut missing: Vec<Label> = Vec::new();
    for label in columns_of(request.filter) {
        match label.as_text() {
            Some(name) if labels.iter().any(|other| other == name) => {}
            Some(name) => labels.push(name.to_owned()),
            // Names in a file are strings.
            None => missing.push(label),
        }
    }
    if let Some(twice) = labels.iter().enumerate().find(|(k, label)| labels[..*k].contains(label)) {
        let label = twice.1.into();
        return Err(ParquetError::Column(ColumnError::DuplicateLabel { label }));
    }
    for label in labels.iter().chain(request.dictionaries) {
        if !available.contains(label) && !missing.iter().any(|other| other == label) {
            missing.push(label.into());
        }
    }
    if missing.is_empty() {
        let for_filter = labels.len() - asked;
        return Ok((labels, for_filter));
    }
    Err(ParquetError::MissingColumns { missing, available })
}

/// Where a file has a column.
fn source(
    file: &ParquetFile,
    label: &str,
    partitions: &[(String, DType)],
    dictionaries: &[String],
) -> Result<Source, ParquetError> {
    if let Some((_, dtype)) = partitions.iter().find(|(name, _)| name == label) {
        let value = file.partitions.iter().rev().find(|(name, _)| name == label);
        return Ok(Source::Path(hive::scalar(value.and_then(|(_, value)| value.as_deref()), dtype)));
    }
    let stored = file.metadata.schema();
    let Some((position, _)) = stored.column_with_name(label) else { return Ok(Source::Missing) };
    check_type(stored, position)?;
    let field = &stored.fields()[position];
    let field = planned_field(field, dictionaries.iter().any(|name| name == label))?;
    Ok(Source::File { position, field, is_widened: false })
}

/// Refuses a column of a type that no column has, and one of several of one name.
fn check_type(stored: &Schema, position: usize) -> Result<(), ParquetError> {
    let field = stored.field(position);
    if stored.fields().iter().filter(|other| other.name() == field.name()).count() > 1 {
        let label = field.name().into();
        return Err(ParquetError::Column(ColumnError::DuplicateLabel { label }));
    }
    match field_dtype(field) {
        Err(ColumnError::NotImplemented { .. }) => Err(ParquetError::UnsupportedType {
            column: field.name().clone(),
            data_type: field.data_type().to_string(),
        }),
        Err(error) => Err(ParquetError::Column(error.in_column(field.name()))),
        Ok(_) => Ok(()),
    }
}

/// Makes the types of the frame wide enough for those of one more file.
fn widen(fields: &mut [Option<FieldRef>], sources: &[Source]) -> Result<(), ParquetError> {
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
fn joined(a: &FieldRef, b: &FieldRef) -> Result<FieldRef, ParquetError> {
    if a.data_type() == b.data_type() {
        return Ok(Arc::clone(a));
    }
    let in_column = |error: ColumnError| ParquetError::Column(error.in_column(a.name()));
    let (left, right) = (field_dtype(a).map_err(in_column)?, field_dtype(b).map_err(in_column)?);
    if left == right || right == DType::Null {
        return Ok(Arc::clone(a));
    }
    if left == DType::Null {
        return Ok(Arc::clone(b));
    }
    match wider(&left, &right) {
        Some(dtype) => Ok(Arc::new(Field::new(a.name(), data_type(&dtype), true))),
        None => Err(ParquetError::TypesDiffer {
            column: a.name().clone(),
            expected: left.to_string(),
            found: right.to_string(),
        }),
    }
}

/// The narrowest number with all values of two numbers; of a dictionary and its values, the values.
fn wider(a: &DType, b: &DType) -> Option<DType> {
    if let (DType::Dictionary(dictionary), other) | (other, DType::Dictionary(dictionary)) = (a, b) {
        return (dictionary.values == *other).then(|| other.clone());
    }
    let float = |dtype: &DType| matches!(dtype, DType::Float32 | DType::Float64);
    match (integer(a), integer(b)) {
        (Some((bits, signed)), Some((other, both))) if signed == both => of_bits(bits.max(other), signed),
        (Some((bits, signed)), Some((other, _))) => {
            // A sign takes a bit more than the unsigned one has.
            let (with, without) = if signed { (bits, other) } else { (other, bits) };
            of_bits(with.max(2 * without), true)
        }
        // Significands of floats hold so many bits.
        (Some((bits, _)), None) | (None, Some((bits, _))) if float(a) || float(b) => {
            let is_narrow = *a == DType::Float32 || *b == DType::Float32;
            (bits <= 32).then_some(if is_narrow && bits <= 16 { DType::Float32 } else { DType::Float64 })
        }
        (None, None) if float(a) && float(b) => Some(DType::Float64),
        _ => None,
    }
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

/// A field with the type that the frame has it in: text as text or as a dictionary, decimals as narrow as they fit.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(super) fn planned_field(field: &FieldRef, as_dictionary: bool) -> Result<FieldRef, ParquetError> {
    let text = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let data_type = match field.data_type() {
        DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8 if as_dictionary => text(),
        DataType::Dictionary(_, values)
            if matches!(**values, DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8) =>
        {
            text()
        }
        other if as_dictionary => {
            let reason = format!("is {other}; only text is read as a dictionary");
            return Err(ParquetError::Format(format!("column {:?} {reason}", field.name())));
        }
        DataType::Utf8View => DataType::Utf8,
        DataType::Dictionary(codes, values) => {
            DataType::Dictionary(codes.clone(), Box::new(narrowed(values)))
        }
        other => narrowed(other),
    };
    Ok(Arc::new(field.as_ref().clone().with_data_type(data_type)))
}

/// Decimals that fit 64 bits in these.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn narrowed(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
            if *precision <= MAX_PRECISION_64 =>
        {
            DataType::Decimal64(*precision, *scale)
        }
        other => other.clone(),
    }
}
