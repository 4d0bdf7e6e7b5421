//! The rows of a file of JSON lines in chunks.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_cast::cast;
use arrow_json::ReaderBuilder;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use columnade_columns::DType;
use columnade_columns::arrow::data_type;
use serde_json::Value;

use super::document;
use super::layout::JsonLayout;
use super::shape::{Fault, MAX_DEPTH, Shape};
use crate::io::csv::types::{ColumnType, NotAValue, converted, csv_type};
use crate::io::error::FileError;
use crate::io::nested::with_leaves;
use crate::io::text::{
    BadRows, Chunk, Chunks, Decoded, Failed, InPaths, Quoting, TextCompression, TextFormat, TextSource,
    Widening,
};

/// What is decoded of files of JSON lines.
#[derive(Debug)]
pub(super) struct JsonFormat {
    /// Those asked for; `None`: all, in the order in which they are met.
    pub(super) columns: Option<Vec<String>>,
    pub(super) given: Vec<(String, DataType)>,
    pub(super) in_paths: Arc<InPaths>,
    pub(super) bad_rows: BadRows,
    /// What rows were found to be: an object.
    pub(super) shape: Shape,
    /// How rows lie in the files; `None`: each file tells.
    pub(super) layout: Option<JsonLayout>,
    pub(super) files: Arc<[PathBuf]>,
    /// How they are compressed; `None`: each tells.
    pub(super) compression: Option<TextCompression>,
}

/// A line of a chunk that is not blank.
#[derive(Clone, Debug)]
struct Line {
    bytes: Range<usize>,
    /// The lines before it.
    before: u64,
}

/// Text that is not rows of the planned types; [`JsonFormat::explained`] says why.
struct Refused;

impl JsonFormat {
    fn is_in_path(&self, name: &str) -> bool {
        self.in_paths.data_type(name).is_some()
    }

    /// The columns that are read of the text, and which of them have given types.
    fn planned(&self) -> Vec<(String, ColumnType)> {
        let found: &[(String, Shape)] = if let Shape::Struct(fields) = &self.shape { fields } else { &[] };
        let given: HashMap<&String, &DataType> =
            self.given.iter().rev().map(|(name, it)| (name, it)).collect();
        let shapes: HashMap<&String, &Shape> = found.iter().map(|(name, shape)| (name, shape)).collect();
        let planned = |name: &String| {
            let (data_type, is_given) = match (given.get(name), shapes.get(name)) {
                (Some(given), _) => ((*given).clone(), true),
                (None, Some(shape)) => (shape.data_type(), false),
                (None, None) => (DataType::Utf8, false),
            };
            (name.clone(), ColumnType { data_type, is_given })
        };
        if let Some(columns) = &self.columns {
            return columns.iter().filter(|name| !self.is_in_path(name)).map(planned).collect();
        }
        let more = self.given.iter().map(|(name, _)| name);
        let more = more.filter(|name| !shapes.contains_key(name));
        let names = found.iter().map(|(name, _)| name).chain(more);
        names.filter(|name| !self.is_in_path(name)).map(planned).collect()
    }

    /// What the lines are, together with what was found before.
    fn scanned(&self, bytes: &[u8], lines: &[Line]) -> Result<Shape, Refused> {
        let mut shape = self.shape.clone();
        // Of columns of given types, what these lines have.
        if let Shape::Struct(fields) = &mut shape {
            let given: HashSet<&String> = self.given.iter().map(|(name, _)| name).collect();
            fields
                .iter_mut()
                .filter(|(name, _)| given.contains(name))
                .for_each(|(_, shape)| *shape = Shape::Null);
        }
        for line in lines {
            let rest = shape.scan(&bytes[line.bytes.clone()]).map_err(|_| Refused)?;
            if !rest.trim_ascii().is_empty() || !matches!(shape, Shape::Struct(_)) {
                return Err(Refused);
            }
        }
        Ok(shape)
    }

    /// The rows of some lines, if they are of the planned types.
    fn decoded(&self, bytes: &[u8], lines: &[Line]) -> Result<RecordBatch, Failed<Shape>> {
        let refused = |Refused| Failed::File(FileError::NoPath);
        let shape = self.scanned(bytes, lines).map_err(refused)?;
        let planned = self.planned();
        if let Some(wider) = self.wider(shape, &planned).map_err(refused)? {
            return Err(Failed::Types(wider));
        }
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            return Ok(RecordBatch::new_empty(schema_of(&planned)));
        };
        rows(&bytes[first.bytes.start..last.bytes.end], lines.len(), &planned).map_err(refused)
    }

    /// The shape, if columns that are read have wider types than planned, or are new.
    fn wider(&self, shape: Shape, planned: &[(String, ColumnType)]) -> Result<Option<Shape>, Refused> {
        let (Shape::Struct(now), Shape::Struct(found)) = (&self.shape, &shape) else { return Ok(None) };
        let before: HashMap<&String, &Shape> = now.iter().map(|(name, shape)| (name, shape)).collect();
        let planned: HashMap<&String, &ColumnType> = planned.iter().map(|(name, it)| (name, it)).collect();
        let mut is_wider = false;
        for (name, shape) in found {
            match planned.get(name) {
                Some(it) if it.is_given => {
                    if shape.loses_fractions(&it.data_type) {
                        return Err(Refused);
                    }
                }
                Some(_) => {
                    is_wider |= before.get(name).is_none_or(|now| now.data_type() != shape.data_type());
                }
                None => is_wider |= self.columns.is_none() && !self.is_in_path(name),
            }
        }
        Ok(is_wider.then_some(shape))
    }

    /// Why a chunk was refused: its first line that is no row, or whose values are not of the planned types. If bad rows are to
    /// be skipped, the other rows.
    fn explained(&self, chunk: &Chunk, lines: &[Line]) -> Result<Decoded, Failed<Shape>> {
        let skips = self.bad_rows == BadRows::Skip;
        let mut refused = Vec::new();
        let mut wider = None;
        self.refused(chunk, lines, 0..lines.len(), &mut refused, &mut wider);
        if let (Some(&first), false) = (refused.first(), skips) {
            return Err(self.fault(chunk, &lines[first]).into());
        }
        if let Some(wider) = wider {
            return Err(Failed::Types(wider));
        }
        let kept = lines.iter().enumerate().filter(|(k, _)| refused.binary_search(k).is_err());
        let text = |(_, line): (usize, &Line)| chunk.bytes[line.bytes.clone()].to_vec();
        let bytes = kept.map(text).collect::<Vec<_>>().join(&b'\n');
        let lines = lines_of(&bytes);
        match self.decoded(&bytes, &lines) {
            Ok(batch) => Ok(Decoded { batch, skipped: refused.len() as u64 }),
            Err(Failed::Types(types)) => Err(Failed::Types(types)),
            Err(Failed::File(_)) => Err(self.together(&bytes, lines.len()).into()),
        }
    }

    /// Why lines decode alone and not together: dictionaries have fewer codes than there are values.
    fn together(&self, bytes: &[u8], count: usize) -> FileError {
        let mut planned = self.planned().into_iter();
        match planned.find(|it| rows(bytes, count, std::slice::from_ref(it)).is_err()) {
            Some((column, it)) => FileError::TooManyCategories { column, dtype: it.dtype_text() },
            None => {
                FileError::Damaged { batch: None, reason: "lines decode alone and not together".to_owned() }
            }
        }
    }

    /// The lines of a range that are refused, each found by halves, and the types that the others need.
    fn refused(
        &self,
        chunk: &Chunk,
        lines: &[Line],
        range: Range<usize>,
        found: &mut Vec<usize>,
        wider: &mut Option<Shape>,
    ) {
        match self.decoded(&chunk.bytes, &lines[range.clone()]) {
            Ok(_) => return,
            Err(Failed::Types(types)) => {
                match wider {
                    Some(wider) => wider.join(&types),
                    None => *wider = Some(types),
                }
                return;
            }
            Err(Failed::File(_)) if range.len() <= 1 => {
                found.extend(range);
                return;
            }
            Err(Failed::File(_)) => {}
        }
        let middle = range.start + range.len() / 2;
        self.refused(chunk, lines, range.start..middle, found, wider);
        // The first is enough for an error.
        if found.is_empty() || self.bad_rows == BadRows::Skip {
            self.refused(chunk, lines, middle..range.end, found, wider);
        }
    }

    /// What is wrong with a line.
    fn fault(&self, chunk: &Chunk, line: &Line) -> FileError {
        let number = chunk.first_line + line.before;
        let malformed = |reason: String| FileError::Malformed { line: number, reason };
        let bytes = chunk.bytes[line.bytes.clone()].trim_ascii_start();
        let row = match serde_json::from_slice::<Value>(bytes) {
            Ok(Value::Object(row)) => row,
            Ok(Value::Array(_)) => {
                return malformed("a list, where each line is to be an object of one row".to_owned());
            }
            Ok(other) => return malformed(format!("{other}, where an object is expected")),
            Err(error) => return malformed(format!("not JSON: {}", without_line(&error))),
        };
        // The parser of the library keeps one value of a name that an object has twice.
        match Shape::Null.scan(bytes) {
            Err(Fault::Twice { column, name }) => {
                return FileError::RepeatedName { line: number, column, name };
            }
            Err(Fault::TooDeep) => {
                return malformed(format!("lists and objects are nested more than {MAX_DEPTH} deep"));
            }
            Err(Fault::NotJson) | Ok(_) => {}
        }
        for (column, it) in self.planned() {
            let alone = [(column.clone(), it.clone())];
            let value = row.get(&column).unwrap_or(&Value::Null);
            let mut shape = Shape::Null;
            let is_cut = it.is_given
                && shape.scan(value.to_string().as_bytes()).is_ok()
                && shape.loses_fractions(&it.data_type);
            if is_cut || rows(bytes, 1, &alone).is_err() {
                return FileError::InvalidValue {
                    line: number,
                    column,
                    value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
                    dtype: it.dtype_text(),
                    inferred: !it.is_given,
                };
            }
        }
        malformed("not JSON that can be decoded".to_owned())
    }
}

/// The rows as columns of the planned types.
fn rows(bytes: &[u8], rows: usize, planned: &[(String, ColumnType)]) -> Result<RecordBatch, Refused> {
    let decoded: Vec<Field> =
        planned.iter().map(|(name, it)| Field::new(name, decoded_type(it), true)).collect();
    let mut decoder = ReaderBuilder::new(Arc::new(Schema::new(decoded)))
        .with_batch_size(rows + 1)
        .with_coerce_primitive(true)
        .build_decoder()
        .map_err(|_| Refused)?;
    let mut at = 0;
    while at < bytes.len() {
        match decoder.decode(&bytes[at..]) {
            Ok(count) if count > 0 => at += count,
            Ok(_) => break,
            Err(_) => return Err(Refused),
        }
    }
    if decoder.has_partial_record() || decoder.len() != rows {
        return Err(Refused);
    }
    let batch = decoder.flush().map_err(|_| Refused)?;
    let fields: Vec<FieldRef> = schema_of(planned).fields().iter().map(Arc::clone).collect();
    let Some(batch) = batch else { return Ok(RecordBatch::new_empty(Arc::new(Schema::new(fields)))) };
    let columns = batch.columns().iter().zip(planned).map(|(column, (_, it))| {
        let made = with_leaves(column, &it.data_type, &|leaf, data_type| {
            if matches!(data_type, DataType::Dictionary(..)) {
                return Ok(cast(leaf, data_type)?);
            }
            let it = ColumnType { data_type: data_type.clone(), is_given: it.is_given };
            if it.decoded() == *data_type { Ok(Arc::clone(leaf)) } else { converted(leaf, &it) }
        });
        made.map_err(|NotAValue| Refused)
    });
    let columns = columns.collect::<Result<Vec<ArrayRef>, Refused>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options).map_err(|_| Refused)
}

/// The text of an error of one line.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((reason, _)) => format!("{reason} at byte {}", error.column()),
        None => text,
    }
}

/// The type that the library decodes: strings for what its parsers would change to fit, see [`converted`].
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn decoded_type(it: &ColumnType) -> DataType {
    let within = |field: &FieldRef| {
        let inner = ColumnType { data_type: field.data_type().clone(), is_given: it.is_given };
        Arc::new(field.as_ref().clone().with_data_type(decoded_type(&inner)))
    };
    match &it.data_type {
        DataType::Dictionary(..) => DataType::Utf8,
        DataType::List(item) => DataType::List(within(item)),
        DataType::LargeList(item) => DataType::LargeList(within(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(within).collect()),
        _ => it.decoded(),
    }
}

fn schema_of(planned: &[(String, ColumnType)]) -> SchemaRef {
    Arc::new(Schema::new(
        planned.iter().map(|(name, it)| Field::new(name, it.stored(), true)).collect::<Vec<_>>(),
    ))
}

/// The Arrow type of a dtype whose values JSON can express.
pub(super) fn json_type(dtype: &DType) -> Option<DataType> {
    fn is_known(dtype: &DType) -> bool {
        if let DType::List(item) = dtype {
            return is_known(item);
        }
        if let DType::Struct(fields) = dtype {
            return fields.iter().all(|field| is_known(&field.dtype));
        }
        csv_type(dtype).is_some()
    }
    is_known(dtype).then(|| data_type(dtype))
}

fn lines_of(bytes: &[u8]) -> Vec<Line> {
    let (mut lines, mut start) = (Vec::new(), 0);
    for (before, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let end = start + line.len();
        let text = line.trim_ascii_end();
        if !text.trim_ascii_start().is_empty() {
            lines.push(Line { bytes: start..start + text.len(), before: before as u64 });
        }
        start = end;
    }
    lines
}

impl TextFormat for JsonFormat {
    type Types = Shape;

    /// In a string, the end of a line is escaped.
    fn compression(&self) -> Option<TextCompression> {
        self.compression
    }

    fn quoting(&self) -> Option<Quoting> {
        None
    }

    fn lines(&self, text: TextSource) -> TextSource {
        Box::new(document::Lines::new(text, self.layout))
    }

    fn start(&self, _: usize, first: &mut Chunk) -> Result<(), FileError> {
        if first.bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
            first.bytes.drain(..3);
        }
        Ok(())
    }

    fn first_rows(&self, _: usize, chunk: &Chunk, rows: usize) -> Option<Chunk> {
        let lines = lines_of(&chunk.bytes);
        let end = lines.get(rows).map(|_| lines[rows - 1].bytes.end)?;
        Some(Chunk { bytes: chunk.bytes[..end].to_vec(), first_line: chunk.first_line })
    }

    fn decode(&self, file: usize, chunk: &Chunk) -> Result<Decoded, Failed<Shape>> {
        let lines = lines_of(&chunk.bytes);
        let Decoded { batch, skipped } = match self.decoded(&chunk.bytes, &lines) {
            Ok(batch) => Decoded { batch, skipped: 0 },
            Err(Failed::Types(types)) => return Err(Failed::Types(types)),
            Err(Failed::File(_)) => self.explained(chunk, &lines).map_err(|failed| match failed {
                Failed::File(fault) => Failed::File(self.located(file, fault)),
                types @ Failed::Types(_) => types,
            })?,
        };
        Ok(Decoded { batch: self.framed(file, batch)?, skipped })
    }
}

impl Widening for JsonFormat {
    fn schema(&self) -> SchemaRef {
        let stored = schema_of(&self.planned());
        let in_path = |name: &str| -> Option<FieldRef> {
            Some(Arc::new(Field::new(name, self.in_paths.data_type(name)?.clone(), true)))
        };
        let fields: Vec<FieldRef> = match &self.columns {
            None => {
                stored.fields().iter().cloned().chain(self.in_paths.names().filter_map(in_path)).collect()
            }
            Some(columns) => columns
                .iter()
                .filter_map(|name| {
                    in_path(name).or_else(|| stored.fields().find(name).map(|(_, it)| Arc::clone(it)))
                })
                .collect(),
        };
        Arc::new(Schema::new(fields))
    }

    fn joined(mut a: Shape, b: &Shape) -> Shape {
        a.join(b);
        a
    }

    fn widen(&mut self, types: Shape) {
        self.shape = types;
    }

    fn too_narrow(&self, types: &Shape) -> FileError {
        let before = self.planned();
        let wider = Self {
            shape: types.clone(),
            columns: self.columns.clone(),
            given: self.given.clone(),
            in_paths: Arc::clone(&self.in_paths),
            bad_rows: self.bad_rows,
            layout: self.layout,
            files: Arc::clone(&self.files),
            compression: self.compression,
        };
        let type_before =
            |name: &String| before.iter().find(|(other, _)| other == name).map(|(_, it)| it.clone());
        let changed = wider
            .planned()
            .into_iter()
            .find(|(name, it)| type_before(name).map(|before| before.stored()) != Some(it.stored()));
        let (column, found) = changed.map_or_else(Default::default, |(name, it)| (name, it.dtype_text()));
        let expected = type_before(&column).map_or_else(|| "absent".to_owned(), |it| it.dtype_text());
        FileError::InferredTooNarrow { column, expected, found }
    }
}

impl JsonFormat {
    /// An error of a line that was made of a document, with the row and the line in the file.
    fn located(&self, file: usize, mut fault: FileError) -> FileError {
        let Some(row) = fault.line() else { return fault };
        let text = self.files.get(file).and_then(|path| Chunks::text(path, self.compression).ok());
        let found = text.and_then(|text| document::line_of_row(text, self.layout, row, fault.column()));
        let Some(found) = found else { return fault };
        if let FileError::Malformed { line, .. }
        | FileError::RepeatedName { line, .. }
        | FileError::InvalidValue { line, .. } = &mut fault
        {
            *line = found;
        }
        FileError::DocumentRow { row, source: Box::new(fault) }
    }

    /// The rows of a file with the columns of the frame, given those of the text.
    fn framed(&self, file: usize, stored: RecordBatch) -> Result<RecordBatch, FileError> {
        if self.in_paths.names().next().is_none() {
            return Ok(stored);
        }
        let (schema, rows) = (self.schema(), stored.num_rows());
        let columns = schema.fields().iter().map(|field| match stored.column_by_name(field.name()) {
            Some(column) => Ok(Arc::clone(column)),
            None => self.in_paths.array(file, field.name(), rows),
        });
        let columns = columns.collect::<Result<Vec<ArrayRef>, FileError>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
    }

    /// Infers the types of the first rows of a chunk; rows that are none are left out.
    pub(super) fn infer(&mut self, chunk: &Chunk, rows: usize) {
        for line in lines_of(&chunk.bytes).iter().take(rows) {
            if let Ok(shape) = self.scanned(&chunk.bytes, std::slice::from_ref(line)) {
                self.shape = shape;
            }
        }
    }
}
