//! What is to be read: which columns as which types, and which row groups.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, Schema};
use columnade_columns::{Error as ColumnError, MAX_PRECISION_64};
use columnade_ops::expression::{Expr, columns_of};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression as Codec;
use parquet::file::metadata::ColumnChunkMetaData;

use super::file::ParquetFile;
use super::{OPERATION, ReadStatistics, dictionaries, int96};
use crate::error::{Error, Result};
use crate::io::file::SourceFile;
use crate::io::parquet::error::{ParquetError, caught};
use crate::io::parquet::{names_and_types, prune};

/// What is to be read of several files.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    files: Vec<PlannedFile<'a>>,
    row_groups: Vec<RowGroup>,
    /// The columns in the order of the frame, with their types there, see [`dictionaries`] on those decoded.
    fields: Vec<FieldRef>,
    /// How many of them, from the end, only the filter needs.
    for_filter: usize,
    pruned: usize,
}

/// The bytes of a chunk, compressed and not. Refuses a chunk that lies nowhere, on which the decoder panics.
fn sizes(chunk: &ColumnChunkMetaData) -> Result<(u64, u64), ParquetError> {
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let bytes = chunk.compressed_size();
    if let (0.., Ok(compressed), Ok(plain)) =
        (start, u64::try_from(bytes), u64::try_from(chunk.uncompressed_size()))
    {
        return Ok((compressed, plain));
    }
    let column = chunk.column_path();
    let reason = format!("the values of {column} are said to be {bytes} bytes from byte {start} on");
    Err(ParquetError::Damaged { reason })
}

/// Refuses what the decoder would take for damage.
fn check_codec(chunk: &ColumnChunkMetaData) -> Result<(), ParquetError> {
    match chunk.compression() {
        Codec::UNCOMPRESSED | Codec::SNAPPY | Codec::ZSTD(_) => Ok(()),
        other @ (Codec::GZIP(_) | Codec::LZO | Codec::BROTLI(_) | Codec::LZ4 | Codec::LZ4_RAW) => {
            let codec = other.to_string();
            // As the format writes it; the level is the library's.
            let codec = codec.split('(').next().unwrap_or(&codec).to_owned();
            Err(ParquetError::UnsupportedCodec { column: chunk.column_path().string(), codec })
        }
    }
}

/// A file with the types that its columns are decoded as.
#[derive(Debug)]
struct PlannedFile<'a> {
    path: &'a Path,
    metadata: ArrowReaderMetadata,
    /// For each column of the frame, its position in the file.
    positions: Vec<usize>,
    /// Its 96-bit timestamps.
    int96: Vec<int96::Leaf>,
    /// For each column of the frame, its position in the decoded batches, which keep the order of the file.
    order: Vec<usize>,
}

/// A row group to be read.
#[derive(Debug)]
pub(super) struct RowGroup {
    file: usize,
    position: usize,
    rows: usize,
    /// Bytes of its planned column chunks.
    pub(super) bytes: u64,
    /// About the bytes that its planned columns take in memory.
    decoded: u64,
}

impl<'a> Plan<'a> {
    /// Reads of `files` the columns asked for and those of the filter, and leaves out the row groups that the
    /// filter rules out.
    pub(super) fn new(
        files: &'a [ParquetFile],
        columns: Option<&[String]>,
        dictionaries: &[String],
        filter: Option<&Expr>,
    ) -> Result<Self> {
        let mut plan = Self { files: vec![], row_groups: vec![], fields: vec![], for_filter: 0, pruned: 0 };
        for file in files {
            caught(|| plan.add(file, columns, dictionaries, filter))
                .map_err(|source| Error::parquet(OPERATION, &file.path, source))?;
        }
        Ok(plan)
    }

    fn add(
        &mut self,
        file: &'a ParquetFile,
        columns: Option<&[String]>,
        dictionaries: &[String],
        filter: Option<&Expr>,
    ) -> Result<(), ParquetError> {
        let stored = file.metadata.schema();
        let available = || stored.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
        let mut labels = columns.map_or_else(available, <[String]>::to_vec);
        let asked = labels.len();
        let mut missing = Vec::new();
        for label in columns_of(filter) {
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
        for label in labels.iter().chain(dictionaries) {
            if stored.column_with_name(label).is_none() && !missing.iter().any(|other| other == label) {
                missing.push(label.into());
            }
        }
        if !missing.is_empty() {
            return Err(ParquetError::MissingColumns { missing, available: available() });
        }

        let planned = Schema::new(
            stored
                .fields()
                .iter()
                .map(|field| planned_field(field, dictionaries.contains(field.name())))
                .collect::<Result<Vec<_>, _>>()?,
        );
        let positions =
            labels.iter().map(|label| planned.index_of(label)).collect::<Result<Vec<_>, ArrowError>>();
        let positions = positions.map_err(|error| ParquetError::Format(error.to_string()))?;
        let fields: Vec<FieldRef> =
            positions.iter().map(|&position| Arc::clone(&planned.fields()[position])).collect();
        self.take_fields(fields, labels.len() - asked)?;

        let metadata = file.metadata.metadata();
        let decoded: Fields = planned.fields().iter().map(dictionaries::decoded).collect();
        let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(decoded)));
        let reader =
            ArrowReaderMetadata::try_new(Arc::clone(metadata), options).map_err(ParquetError::damaged)?;
        let projection = ProjectionMask::roots(reader.parquet_schema(), positions.iter().copied());
        let number = self.files.len();
        for (position, group) in metadata.row_groups().iter().enumerate() {
            if filter.is_some_and(|filter| !prune::may_match(filter, stored, reader.parquet_schema(), group))
            {
                self.pruned += 1;
                continue;
            }
            let rows = usize::try_from(group.num_rows()).map_err(|_| {
                ParquetError::damaged(format!(
                    "row group {position} is said to have {} rows",
                    group.num_rows()
                ))
            })?;
            let chunks =
                group.columns().iter().enumerate().filter(|(leaf, _)| projection.leaf_included(*leaf));
            let (mut bytes, mut plain) = (0, 0);
            for (_, chunk) in chunks {
                let (chunk_bytes, chunk_plain) = sizes(chunk)?;
                check_codec(chunk)?;
                bytes += chunk_bytes;
                plain += chunk_plain;
            }
            // Of repeated values the file has fewer than memory will.
            let width = |field| dictionaries::decoded(field).data_type().primitive_width();
            let width: usize = self.fields.iter().filter_map(width).sum();
            let decoded = plain.max(u64::try_from(rows * width).unwrap_or(u64::MAX));
            self.row_groups.push(RowGroup { file: number, position, rows, bytes, decoded });
        }
        // The decoder keeps the file's order: column k of the frame is the one with as many planned before it.
        let order =
            positions.iter().map(|&at| positions.iter().filter(|&&other| other < at).count()).collect();
        let int96 = int96::leaves(&file.metadata)?;
        let int96 = int96.into_iter().filter(|leaf| leaf.is_within(&positions)).collect();
        self.files.push(PlannedFile { path: &file.path, metadata: reader, positions, int96, order });
        Ok(())
    }

    /// The first file sets the fields; those of the others are the same but for nulls.
    fn take_fields(&mut self, fields: Vec<FieldRef>, for_filter: usize) -> Result<(), ParquetError> {
        if self.files.is_empty() {
            self.fields = fields;
            self.for_filter = for_filter;
            return Ok(());
        }
        let same = self.fields.len() == fields.len()
            && self
                .fields
                .iter()
                .zip(&fields)
                .all(|(a, b)| a.name() == b.name() && a.data_type() == b.data_type());
        if same {
            return Ok(());
        }
        Err(ParquetError::SchemaDiffers {
            expected: names_and_types(&self.fields),
            found: names_and_types(&fields),
        })
    }

    /// The row groups to be decoded at a time so that they come to fit `budget` bytes with what is made of them; all at
    /// once without a budget.
    pub(super) fn batches(&self, budget: Option<usize>) -> Vec<&[RowGroup]> {
        let limit = budget.map_or(u64::MAX, |budget| u64::try_from(budget / 2).unwrap_or(u64::MAX));
        let mut batches = Vec::new();
        let (mut start, mut bytes) = (0, 0_u64);
        for (at, group) in self.row_groups.iter().enumerate() {
            if at > start && bytes.saturating_add(group.decoded) > limit {
                batches.push(&self.row_groups[start..at]);
                (start, bytes) = (at, 0);
            }
            bytes = bytes.saturating_add(group.decoded);
        }
        batches.push(&self.row_groups[start..]);
        batches
    }

    /// The columns in the order of the frame, with those that only the filter needs at the end.
    pub(super) fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// The labels that only the filter needs.
    pub(super) fn columns_for_filter(&self) -> impl Iterator<Item = &str> {
        self.fields[self.fields.len() - self.for_filter..].iter().map(|field| field.name().as_str())
    }

    pub(super) fn first_path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |file| file.path)
    }

    pub(super) fn statistics(&self) -> ReadStatistics {
        ReadStatistics {
            files: self.files.len(),
            row_groups_read: self.row_groups.len(),
            row_groups_pruned: self.pruned,
            bytes_read: self.row_groups.iter().map(|group| group.bytes).sum(),
        }
    }

    /// The planned columns of one row group, in the order of the frame.
    pub(super) fn decode(&self, group: &RowGroup) -> Result<Vec<RecordBatch>> {
        let file = &self.files[group.file];
        file.decode(group).map_err(|source| Error::parquet(OPERATION, file.path, source))
    }
}

impl PlannedFile<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn decode(&self, group: &RowGroup) -> Result<Vec<RecordBatch>, ParquetError> {
        caught(|| self.decode_columns(group, &self.positions, &self.order)).map_err(|error| match error {
            ParquetError::DecoderFailed { column: None, reason } => {
                let column = self.failing_column(group);
                ParquetError::DecoderFailed { column, reason }
            }
            other => other,
        })
    }

    /// The column that the decoder panics on by itself.
    fn failing_column(&self, group: &RowGroup) -> Option<String> {
        let fails = |position: &&usize| {
            let alone = caught(|| self.decode_columns(group, &[**position], &[0]));
            matches!(alone, Err(ParquetError::DecoderFailed { .. }))
        };
        let position = self.positions.iter().find(fails)?;
        Some(self.metadata.schema().field(*position).name().clone())
    }

    /// The columns at some positions in the file; `order` picks of what is decoded, which keeps the file's order.
    fn decode_columns(
        &self,
        group: &RowGroup,
        positions: &[usize],
        order: &[usize],
    ) -> Result<Vec<RecordBatch>, ParquetError> {
        let projection = ProjectionMask::roots(self.metadata.parquet_schema(), positions.iter().copied());
        let file = SourceFile::open(self.path)?;
        for leaf in self.int96.iter().filter(|leaf| leaf.is_within(positions)) {
            let metadata = self.metadata.metadata();
            leaf.check(
                &file,
                self.metadata.parquet_schema(),
                metadata.row_group(group.position),
                group.position,
            )?;
        }
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), self.metadata.clone())
            .with_projection(projection)
            .with_row_groups(vec![group.position])
            .with_batch_size(group.rows.max(1))
            .build()
            .map_err(|error| ParquetError::decoding(&file, error))?;
        reader
            .map(|batch| batch.and_then(|batch| batch.project(order)))
            .collect::<Result<Vec<_>, ArrowError>>()
            .map_err(|error| ParquetError::decoding(&file, error))
    }
}

/// A field with the type that the frame has it in: text as text or as a dictionary, decimals as narrow as they fit.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn planned_field(field: &FieldRef, as_dictionary: bool) -> Result<FieldRef, ParquetError> {
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
