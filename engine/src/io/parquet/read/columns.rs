//! The columns of several Parquet files that a frame has.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};
use columnade_columns::arrow::field_dtype;
use columnade_columns::{Error as ColumnError, Label, MAX_PRECISION_64};
use columnade_ops::expression::columns_of;

use super::OPERATION;
use super::file::ParquetFile;
use super::plan::Request;
use crate::error::{Error, Result};
use crate::io::error::twice;
use crate::io::hive::Partitions;
use crate::io::merge::{self, MergeFault, Named, NamedFields, Source};
use crate::io::parquet::error::ParquetError;

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
        let partitions = Partitions::new(files.iter().map(|file| file.partitions.as_slice()));
        let (labels, for_filter) = labels(files, &partitions, request)
            .map_err(|source| Error::parquet(OPERATION, first.file.path(), source))?;
        let mut sources = Vec::with_capacity(files.len());
        for (at, file) in files.iter().enumerate() {
            let named = NamedFields::of(file.metadata.schema());
            let of_file = |label: &String| source(&named, at, label, &partitions, request.dictionaries);
            let found = labels.iter().map(of_file).collect::<Result<Vec<_>, _>>();
            sources.push(found.map_err(|source| Error::parquet(OPERATION, file.file.path(), source))?);
        }
        let fields = merge::fields(&labels, &partitions, &mut sources)
            .map_err(|(file, fault)| Error::parquet(OPERATION, files[file].file.path(), fault.into()))?;
        Ok(Self { fields, for_filter, sources })
    }
}

/// The labels of the columns that are read, with those of the filter at the end, and how many those are.
fn labels(
    files: &[ParquetFile],
    partitions: &Partitions,
    request: &Request<'_>,
) -> Result<(Vec<String>, usize), ParquetError> {
    let available = merge::labels(files.iter().map(|file| file.metadata.schema().as_ref()), partitions);
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
    if let Some(label) = twice(&labels) {
        let label = label.into();
        return Err(ParquetError::Column(ColumnError::DuplicateLabel { label }));
    }
    let known: HashSet<&String> = available.iter().collect();
    for label in labels.iter().chain(request.dictionaries) {
        if !known.contains(label) && !missing.iter().any(|other| other == label) {
            missing.push(label.into());
        }
    }
    if missing.is_empty() {
        let for_filter = labels.len() - asked;
        return Ok((labels, for_filter));
    }
    Err(ParquetError::MissingColumns { missing, available })
}

/// Where a file, which is the one at `at`, has a column.
fn source(
    named: &NamedFields<'_>,
    at: usize,
    label: &str,
    partitions: &Partitions,
    dictionaries: &[String],
) -> Result<Source, ParquetError> {
    if let Some(value) = partitions.scalar(at, label) {
        return Ok(Source::Path(value));
    }
    let (position, field) = match named.get(label) {
        Named::Nowhere => return Ok(Source::Missing),
        Named::Twice => {
            return Err(ParquetError::Column(ColumnError::DuplicateLabel { label: label.into() }));
        }
        Named::At(position, field) => (position, field),
    };
    check_type(field)?;
    let field = planned_field(field, dictionaries.iter().any(|name| name == label))?;
    Ok(Source::File { position, field, is_widened: false })
}

/// Refuses a column of a type that no column has.
fn check_type(field: &Field) -> Result<(), ParquetError> {
    let unsupported = || ParquetError::UnsupportedType {
        column: field.name().clone(),
        data_type: field.data_type().to_string(),
    };
    match field_dtype(field) {
        Ok(_) if has_intervals(field.data_type()) => Err(unsupported()),
        Err(ColumnError::NotImplemented { .. }) => Err(unsupported()),
        Err(error) => Err(ParquetError::Column(error.in_column(field.name()))),
        Ok(_) => Ok(()),
    }
}

/// Whether there are calendar intervals in a type: the decoder loses a part of what Parquet stores of them.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn has_intervals(data_type: &DataType) -> bool {
    match data_type {
        DataType::Interval(_) => true,
        DataType::Struct(fields) => fields.iter().any(|field| has_intervals(field.data_type())),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => has_intervals(item.data_type()),
        _ => false,
    }
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

impl From<MergeFault> for ParquetError {
    fn from(fault: MergeFault) -> Self {
        match fault {
            MergeFault::Column(error) => ParquetError::Column(error),
            MergeFault::TypesDiffer { column, expected, found } => {
                ParquetError::TypesDiffer { column, expected: expected.to_string(), found: found.to_string() }
            }
        }
    }
}
