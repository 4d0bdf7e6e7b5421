//! What is to be read: which columns as which types, and which row groups.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, Schema};
use columnade_buffers::{Error as MemoryError, Exec, RetryableError, require_system_memory, worker_threads};
use columnade_columns::{Column, DType, Error as ColumnError, Scalar};
use columnade_ops::expression::Expr;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::arrow::parquet_to_arrow_schema;
use parquet::file::metadata::ColumnChunkMetaData;

use super::columns::{FrameColumns, planned_field};
use super::direct::Form;
use super::file::ParquetFile;
use super::{OPERATION, ReadStatistics, dictionaries, int96};
use crate::error::{Error, Result};
use crate::io::file::KeptFile;
use crate::io::merge::Source;
use crate::io::parquet::codec::is_supported;
use crate::io::parquet::error::{ParquetError, caught};
use crate::io::parquet::order::{self, Orders};
use crate::io::parquet::prune;

/// What a thread takes beside the values that it decodes.
const THREAD_BYTES: u64 = 4 << 20;

/// What is asked for.
pub(super) struct Request<'a> {
    pub(super) columns: Option<&'a [String]>,
    /// Text columns that are read as dictionaries.
    pub(super) dictionaries: &'a [String],
    pub(super) filter: Option<&'a Expr>,
    /// Of all rows of the files, one after the other.
    pub(super) rows: Option<Range<usize>>,
}

/// What is to be read of several files.
#[derive(Debug, Default)]
pub(super) struct Plan {
    files: Vec<PlannedFile>,
    row_groups: Vec<RowGroup>,
    /// The columns in the order of the frame, with their types there, see [`dictionaries`] on those decoded.
    fields: Vec<FieldRef>,
    /// The categories of the ordered dictionaries that they are or have within them.
    orders: Vec<Orders>,
    /// How many of them, from the end, only the filter needs.
    for_filter: usize,
    /// The rows of the row groups before, read or not.
    rows_before: usize,
    pruned: usize,
    rows_pruned: usize,
}

/// The bytes of a chunk, compressed and not. Refuses a chunk that lies nowhere, on which the decoder panics.
fn sizes(chunk: &ColumnChunkMetaData, row_group: usize) -> Result<(u64, u64), ParquetError> {
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let bytes = chunk.compressed_size();
    if let (0.., Ok(compressed), Ok(plain)) =
        (start, u64::try_from(bytes), u64::try_from(chunk.uncompressed_size()))
    {
        return Ok((compressed, plain));
    }
    let column = Some(chunk.column_path().string());
    let reason = format!("its values are said to be {bytes} bytes from byte {start} on");
    Err(ParquetError::Damaged { column, row_group: Some(row_group), reason })
}

/// Refuses what the decoder would take for damage.
fn check_codec(chunk: &ColumnChunkMetaData, row_group: usize) -> Result<(), ParquetError> {
    let codec = chunk.compression();
    if is_supported(codec) {
        return Ok(());
    }
    let codec = codec.to_string();
    // As the format writes it; the level is the library's.
    let codec = codec.split('(').next().unwrap_or(&codec).to_owned();
    Err(ParquetError::UnsupportedCodec { column: chunk.column_path().string(), row_group, codec })
}

/// A file with the types that its columns are decoded as.
#[derive(Debug)]
struct PlannedFile {
    file: KeptFile,
    metadata: ArrowReaderMetadata,
    /// Where it has each column of the frame.
    sources: Vec<Source>,
    /// For each column of the file, its leaf and how its values are decoded into those of the whole column, if they are.
    direct: Vec<Option<(usize, Form)>>,
    /// Its 96-bit timestamps.
    int96: Vec<int96::Int96Leaf>,
}

/// A row group to be read.
#[derive(Debug)]
pub(super) struct RowGroup {
    file: usize,
    position: usize,
    rows: usize,
    /// Which of its rows are read, if not all; one range in a file with 96-bit timestamps.
    ranges: Option<Vec<Range<usize>>>,
    /// Bytes of its planned column chunks.
    pub(super) bytes: u64,
    /// About the bytes that its planned columns take in memory.
    decoded: u64,
}

impl RowGroup {
    /// Its rows in the file.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The bytes that its values take in memory, in about.
    pub(super) fn decoded_bytes(&self) -> usize {
        usize::try_from(self.decoded).unwrap_or(usize::MAX)
    }
}

/// Rows of a file, decoded.
#[derive(Debug)]
pub(super) struct Decoded {
    file: usize,
    /// The position in the file of the row group that they are of.
    row_group: usize,
    count: usize,
    /// Those that are not taken yet.
    columns: Vec<ArrayRef>,
}

impl Decoded {
    fn of(group: &RowGroup, batch: RecordBatch) -> Self {
        let (_, columns, count) = batch.into_parts();
        Self { file: group.file, row_group: group.position, count, columns }
    }

    pub(super) fn rows(&self) -> usize {
        self.count
    }
}

impl Plan {
    /// Reads of `files` the columns asked for and those of the filter, and leaves out what the filter rules out by
    /// statistics, by Bloom filters and by the values in paths.
    pub(super) fn new(files: Vec<ParquetFile>, request: &Request<'_>) -> Result<Self> {
        let FrameColumns { fields, for_filter, sources } = FrameColumns::new(&files, request)?;
        let orders = orders(&files, &fields, &sources);
        let mut plan = Self { fields, orders, for_filter, ..Self::default() };
        for (file, sources) in files.into_iter().zip(sources) {
            let path = file.file.path().to_owned();
            caught(|| plan.add(file, sources, request))
                .map_err(|source| Error::parquet(OPERATION, &path, source))?;
        }
        Ok(plan)
    }

    fn add(
        &mut self,
        file: ParquetFile,
        sources: Vec<Source>,
        request: &Request<'_>,
    ) -> Result<(), ParquetError> {
        let stored = file.metadata.schema();
        let is_asked = |name: &String| request.dictionaries.contains(name);
        let decoded: Fields = stored
            .fields()
            .iter()
            .map(|field| Ok(dictionaries::decoded(&planned_field(field, is_asked(field.name()))?)))
            .collect::<Result<Vec<_>, ParquetError>>()?
            .into();
        let metadata = file.metadata.metadata();
        let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(decoded)));
        let reader =
            ArrowReaderMetadata::try_new(Arc::clone(metadata), options).map_err(ParquetError::damaged)?;
        let positions: Vec<usize> = sources.iter().filter_map(Source::position).collect();
        let schema = reader.parquet_schema();
        // A part of the columns takes time by the square of their number.
        let projection = if positions.len() == schema.root_schema().get_fields().len() {
            ProjectionMask::all()
        } else {
            ProjectionMask::roots(schema, positions.iter().copied())
        };
        let int96 = int96::leaves(&file.metadata)?;
        let int96: Vec<_> = int96.into_iter().filter(|leaf| leaf.is_within(&positions)).collect();
        let number = self.files.len();
        let source = file.file.open()?;
        let pruning = request.filter.map(|filter| prune::File {
            filter,
            schema: stored,
            metadata,
            source: &source,
            other: self.other_ranges(&sources),
        });
        for (position, group) in metadata.row_groups().iter().enumerate() {
            let rows = usize::try_from(group.num_rows()).map_err(|_| {
                let reason = format!("it is said to have {} rows", group.num_rows());
                ParquetError::Damaged { column: None, row_group: Some(position), reason }
            })?;
            let first = self.rows_before;
            self.rows_before = first.saturating_add(rows);
            let mut ranges = None;
            if let Some(asked) = &request.rows {
                let within = |row: usize| row.clamp(first, self.rows_before) - first;
                let range = within(asked.start)..within(asked.end);
                if range.is_empty() {
                    continue;
                }
                ranges = (range != (0..rows)).then(|| vec![range]);
            }
            if let Some(pruning) = &pruning {
                if !pruning.may_match(position) {
                    self.pruned += 1;
                    continue;
                }
                // What is decoded as a whole is not worth the rows that it would be read without.
                if ranges.is_none() && int96.is_empty() {
                    ranges = pruning.pages(position, rows);
                }
            }
            let read = ranges.as_ref().map_or(rows, |ranges| ranges.iter().map(Range::len).sum());
            if request.rows.is_none() {
                self.rows_pruned += rows - read;
            }
            if read == 0 && rows > 0 {
                self.pruned += 1;
                continue;
            }
            let chunks =
                group.columns().iter().enumerate().filter(|(leaf, _)| projection.leaf_included(*leaf));
            let (mut bytes, mut plain) = (0, 0);
            for (_, chunk) in chunks {
                let (chunk_bytes, chunk_plain) = sizes(chunk, position)?;
                check_codec(chunk, position)?;
                bytes += chunk_bytes;
                // Of strings in a dictionary the pages have far fewer.
                let text =
                    chunk.unencoded_byte_array_data_bytes().and_then(|bytes| u64::try_from(bytes).ok());
                plain += chunk_plain.max(text.unwrap_or(0));
            }
            // Of repeated values the file has fewer than memory will.
            let width = |field| dictionaries::decoded(field).data_type().primitive_width();
            let width: usize = self.fields.iter().filter_map(width).sum();
            let decoded = plain.max(u64::try_from(rows.saturating_mul(width)).unwrap_or(u64::MAX));
            self.row_groups.push(RowGroup { file: number, position, rows, ranges, bytes, decoded });
        }
        let direct = direct_forms(&reader);
        self.files.push(PlannedFile { file: file.file, metadata: reader, sources, direct, int96 });
        Ok(())
    }

    /// What is known of the columns that a file does not have as the frame has them: `None` is nothing.
    fn other_ranges(&self, sources: &[Source]) -> Vec<(String, Option<Scalar>)> {
        let of = |((field, orders), source): ((&FieldRef, &Orders), &Source)| match source {
            // Statistics are those of the text.
            Source::File { is_widened: false, .. } if orders.is_empty() => None,
            Source::File { .. } => Some((field.name().clone(), None)),
            Source::Path(value) => Some((field.name().clone(), Some(value.clone()))),
            Source::Missing => Some((field.name().clone(), Some(Scalar::Null(DType::Null)))),
        };
        self.fields.iter().zip(&self.orders).zip(sources).filter_map(of).collect()
    }

    /// Column `at` of the frame, of rows whose columns after it were taken before.
    pub(super) fn column(&self, at: usize, rows: &mut Decoded) -> Result<Column> {
        let Decoded { file, row_group, count, columns } = rows;
        let (file, field) = (&self.files[*file], &self.fields[at]);
        let column = file.sources[at].column(field, *count, |field| {
            let array = columns.pop().ok_or(ColumnError::Internal { invariant: "a column is taken once" })?;
            dictionaries::column(&array, field)
        });
        column.map_err(|source| {
            // Memory is no fault of a row group.
            let is_memory = source.is_out_of_memory();
            let source = source.in_column(field.name());
            let source = if is_memory {
                ParquetError::Column(source)
            } else {
                ParquetError::Values { row_group: *row_group, source: Box::new(source) }
            };
            Error::parquet(OPERATION, file.file.path(), source)
        })
    }

    /// Column `at` of the frame with the order of the categories of its dictionaries.
    pub(super) fn ordered(
        &self,
        at: usize,
        column: Column,
        exec: &Exec,
    ) -> columnade_columns::Result<Column> {
        order::ordered(column, &self.orders[at], exec)
    }

    /// The row groups to be decoded at a time so that they come to fit `budget` bytes with what is made of them, and what decoders
    /// take beside them; all at once without a budget.
    pub(super) fn batches(&self, budget: Option<usize>) -> Vec<&[RowGroup]> {
        let are_in_place = |group: &RowGroup| (0..self.fields.len()).all(|at| self.leaf(at, group).is_some());
        let share = if self.row_groups.first().is_some_and(are_in_place) { 2 } else { 4 };
        let limit = budget.map_or(u64::MAX, |budget| u64::try_from(budget / share).unwrap_or(u64::MAX));
        let mut batches = Vec::new();
        let mut rest = self.row_groups.as_slice();
        while !rest.is_empty() {
            let batch;
            (batch, rest) = rest.split_at(fitting(rest, limit));
            batches.push(batch);
        }
        if batches.is_empty() {
            batches.push(&[][..]);
        }
        batches
    }

    /// The columns of the frame in ranges that are decoded one after the other: all of them together, unless a row group alone
    /// takes more than half of `budget`.
    pub(super) fn column_ranges(&self, groups: &[RowGroup], budget: Option<usize>) -> Vec<Range<usize>> {
        let all = 0..self.fields.len();
        let ([group], Some(budget)) = (groups, budget) else { return vec![all] };
        if group.decoded_bytes() <= budget / 2 {
            return vec![all];
        }
        let (mut ranges, mut start, mut bytes) = (Vec::new(), 0, 0_usize);
        for at in all.clone() {
            let column = self.column_bytes(at, group);
            if at > start && bytes.saturating_add(column) > budget / 4 {
                ranges.push(start..at);
                (start, bytes) = (at, 0);
            }
            bytes = bytes.saturating_add(column);
        }
        ranges.push(start..all.end);
        ranges
    }

    /// About the bytes that a column of the frame takes in memory for a row group.
    pub(super) fn column_bytes(&self, at: usize, group: &RowGroup) -> usize {
        let file = &self.files[group.file];
        let width = dictionaries::decoded(&self.fields[at]).data_type().primitive_width().unwrap_or(0);
        let values = group.rows.saturating_mul(width);
        let Some(position) = file.sources[at].position() else { return values };
        let schema = file.metadata.parquet_schema();
        let chunks = file.metadata.metadata().row_group(group.position).columns().iter().enumerate();
        let chunks = chunks.filter(|(leaf, _)| schema.get_column_root_idx(*leaf) == position);
        let plain = chunks.map(|(_, chunk)| {
            let text = chunk.unencoded_byte_array_data_bytes().unwrap_or(0);
            usize::try_from(chunk.uncompressed_size().max(text)).unwrap_or(0)
        });
        plain.fold(0, usize::saturating_add).max(values)
    }

    /// The row groups to be read.
    pub(super) fn row_groups(&self) -> &[RowGroup] {
        &self.row_groups
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
        self.files.first().map_or(Path::new(""), |file| file.file.path())
    }

    pub(super) fn statistics(&self) -> ReadStatistics {
        ReadStatistics {
            files: self.files.len(),
            row_groups_read: self.row_groups.len(),
            row_groups_pruned: self.pruned,
            rows_pruned: self.rows_pruned,
            bytes_read: self.row_groups.iter().map(|group| group.bytes).sum(),
        }
    }

    /// The columns at these positions in the frame, of one row group.
    pub(super) fn decode(&self, group: &RowGroup, columns: &[usize]) -> Result<Vec<Decoded>> {
        let file = &self.files[group.file];
        let batches = file
            .decode(group, columns)
            .map_err(|source| Error::parquet(OPERATION, file.file.path(), source))?;
        Ok(batches.into_iter().map(|batch| Decoded::of(group, batch)).collect())
    }

    /// Where a column of the frame is in a row group that is read as a whole, if it can be [decoded directly](super::direct).
    pub(super) fn leaf(&self, at: usize, group: &RowGroup) -> Option<Leaf<'_>> {
        let file = &self.files[group.file];
        let Source::File { position, is_widened: false, .. } = file.sources.get(at)? else { return None };
        let (leaf, form) = (*file.direct.get(*position)?).filter(|_| group.ranges.is_none())?;
        // Dictionaries of other values than strings are made of values that are decoded otherwise.
        let is_dictionary = matches!(self.fields[at].data_type(), DataType::Dictionary(..));
        if is_dictionary != (form == Form::Codes) {
            return None;
        }
        Some(Leaf {
            file: &file.file,
            stored: file.metadata.metadata().row_group(group.position).column(leaf),
            rows: group.rows,
            is_optional: file.metadata.parquet_schema().column(leaf).max_def_level() > 0,
            is_utf8: matches!(self.fields[at].data_type(), DataType::Utf8),
            form,
        })
    }

    /// The error of a row group's file; without one, of all files, which the first stands for.
    pub(super) fn failure(&self, group: Option<&RowGroup>, source: ParquetError) -> Error {
        let path = group.map_or(self.first_path(), |group| self.files[group.file].file.path());
        Error::parquet(OPERATION, path, source)
    }
}

/// The categories of the dictionaries of a frame, by column, that are ordered in all files that have them.
fn orders(files: &[ParquetFile], fields: &[FieldRef], sources: &[Vec<Source>]) -> Vec<Orders> {
    let of = |(at, field): (usize, &FieldRef)| {
        let places = order::dictionaries_in(field).into_iter();
        let joined = places.filter_map(|place| {
            let has = |(file, sources): &(&ParquetFile, &Vec<Source>)| {
                let position = sources[at].position();
                position.is_some_and(|at| order::has(&file.metadata.schema().fields()[at], &place))
            };
            let known = files.iter().zip(sources).filter(has).map(|(file, _)| file.orders.get(&place));
            order::joined(known).map(|categories| (place, categories))
        });
        joined.collect()
    };
    fields.iter().enumerate().map(of).collect()
}

/// A column chunk of a column without nesting, and how its values become those of memory.
#[derive(Debug)]
pub(super) struct Leaf<'a> {
    pub(super) file: &'a KeptFile,
    pub(super) stored: &'a ColumnChunkMetaData,
    pub(super) rows: usize,
    pub(super) is_optional: bool,
    /// Whether bytes are strings.
    pub(super) is_utf8: bool,
    pub(super) form: Form,
}

/// For each column of a file that is planned with these types, its leaf and how its values are decoded directly.
fn direct_forms(planned: &ArrowReaderMetadata) -> Vec<Option<(usize, Form)>> {
    let (schema, fields) = (planned.parquet_schema(), planned.schema().fields());
    let mut forms = vec![None; fields.len()];
    // Without what its Arrow schema says.
    let Ok(natural) = parquet_to_arrow_schema(schema, None) else { return forms };
    for (leaf, column) in schema.columns().iter().enumerate() {
        if column.path().parts().len() > 1 || column.max_rep_level() > 0 || column.max_def_level() > 1 {
            continue;
        }
        let root = schema.get_column_root_idx(leaf);
        if let (Some(natural), Some(planned), Some(form)) =
            (natural.fields().get(root), fields.get(root), forms.get_mut(root))
        {
            let direct = Form::new(
                column.physical_type(),
                column.type_length(),
                natural.data_type(),
                planned.data_type(),
            );
            *form = direct.map(|form| (leaf, form));
        }
    }
    forms
}

/// How many of the row groups, from the first, come to at most `limit` bytes, and at least one if there is any.
pub(super) fn fitting(groups: &[RowGroup], limit: u64) -> usize {
    let mut bytes = 0_u64;
    let fits = groups.iter().take_while(|group| {
        bytes = bytes.saturating_add(group.decoded);
        bytes <= limit
    });
    fits.count().max(1).min(groups.len())
}

/// Fails if the system does not have the memory now that row groups take while they are decoded together. The decoder aborts
/// the process where it is refused memory.
pub(super) fn check_memory(groups: &[RowGroup]) -> Result<(), MemoryError> {
    let all: u64 = groups.iter().map(|group| group.decoded).sum();
    // In each thread the compressed bytes, and buffers that grow by copying.
    let largest = groups.iter().map(|group| 2 * group.decoded.saturating_add(group.bytes)).max().unwrap_or(0);
    let threads = worker_threads().min(groups.len()) as u64;
    let bytes = all.saturating_add(threads * (largest + THREAD_BYTES));
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    require_system_memory(bytes)
}

impl PlannedFile {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn decode(&self, group: &RowGroup, columns: &[usize]) -> Result<Vec<RecordBatch>, ParquetError> {
        let positions: Vec<usize> = columns.iter().filter_map(|&at| self.sources[at].position()).collect();
        // The decoder keeps the file's order: column k is the one with as many asked for before it.
        let order: Vec<usize> =
            positions.iter().map(|&at| positions.iter().filter(|&&other| other < at).count()).collect();
        caught(|| self.decode_columns(group, &positions, &order)).map_err(|error| match error {
            ParquetError::DecoderFailed { column: None, reason, .. } => {
                let column = self.failing_column(group, &positions);
                ParquetError::DecoderFailed { column, row_group: Some(group.position), reason }
            }
            ParquetError::Damaged { column: None, reason, .. } => {
                let column = self.failing_column(group, &positions);
                ParquetError::Damaged { column, row_group: Some(group.position), reason }
            }
            other => other,
        })
    }

    /// The column that does not decode by itself.
    fn failing_column(&self, group: &RowGroup, positions: &[usize]) -> Option<String> {
        let fails = |position: &&usize| {
            let alone = caught(|| self.decode_columns(group, &[**position], &[0]));
            matches!(alone, Err(ParquetError::DecoderFailed { .. } | ParquetError::Damaged { .. }))
        };
        let position = positions.iter().find(fails)?;
        Some(self.metadata.schema().field(*position).name().clone())
    }

    /// The columns at some positions in the file; `order` picks of what is decoded, which keeps the file's order.
    fn decode_columns(
        &self,
        group: &RowGroup,
        positions: &[usize],
        order: &[usize],
    ) -> Result<Vec<RecordBatch>, ParquetError> {
        let file = self.file.open()?;
        let schema = self.metadata.parquet_schema();
        let metadata = self.metadata.metadata().row_group(group.position);
        let chunk = int96::Int96Chunk { file: &file, schema, group: metadata, row_group: group.position };
        // The columns that are decoded here, by their positions.
        let mut own = Vec::new();
        for leaf in self.int96.iter().filter(|leaf| leaf.is_within(positions)) {
            if leaf.is_column(schema) {
                let field = self.metadata.schema().field(leaf.root());
                let column = leaf.column(&chunk, field.data_type())?;
                let range = group.ranges.as_ref().and_then(|ranges| ranges.first());
                let column = match range {
                    Some(range) => column.slice(range.start, range.len()),
                    None => column,
                };
                own.push((leaf.root(), column));
            } else {
                leaf.check(&chunk)?;
            }
        }
        let decoded: HashSet<usize> = own.iter().map(|(own, _)| *own).collect();
        let others = positions.iter().copied().filter(|at| !decoded.contains(at));
        let mut reader =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), self.metadata.clone())
                .with_projection(ProjectionMask::roots(schema, others))
                .with_row_groups(vec![group.position])
                .with_batch_size(group.rows.max(1));
        if let Some(ranges) = &group.ranges {
            let ranges = ranges.iter().cloned();
            reader = reader.with_row_selection(RowSelection::from_consecutive_ranges(ranges, group.rows));
        }
        let reader = reader.build().map_err(|error| ParquetError::decoding(&file, error))?;
        let mut first = 0;
        reader
            .map(|batch| {
                let batch = with_columns(&batch?, positions, &own, first, self.metadata.schema())?;
                first += batch.num_rows();
                batch.project(order)
            })
            .collect::<Result<Vec<_>, ArrowError>>()
            .map_err(|error| ParquetError::decoding(&file, error))
    }
}

/// A decoded batch, from row `first` of its row group on, with the columns that are not decoded with it, in the file's order.
fn with_columns(
    batch: &RecordBatch,
    positions: &[usize],
    own: &[(usize, ArrayRef)],
    first: usize,
    schema: &Schema,
) -> Result<RecordBatch, ArrowError> {
    if own.is_empty() {
        return Ok(batch.clone());
    }
    let mut sorted = positions.to_vec();
    sorted.sort_unstable();
    let mut decoded = batch.columns().iter();
    let column = |at: &usize| match own.iter().find(|(own, _)| own == at) {
        Some((_, column)) => Some(column.slice(first, batch.num_rows())),
        None => decoded.next().cloned(),
    };
    let columns: Vec<ArrayRef> = sorted.iter().filter_map(column).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(schema.project(&sorted)?), columns, &options)
}
