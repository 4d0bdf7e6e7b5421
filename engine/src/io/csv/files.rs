//! Several CSV files as one frame: each with its own columns, which those of the frame are among.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};

use super::Options;
use super::format::{CsvFormat, inferred};
use super::records::Records;
use super::types::{ColumnType, csv_type, joined, settled};
use crate::error::{Error, Result};
use crate::io::error::{FileError, check_known, check_unique};
use crate::io::paths::FoundFile;
use crate::io::text::{
    Chunk, Chunks, Decoded, Failed, InPaths, Quoting, TextCompression, TextEncoding, TextFormat, Widening,
};

/// The bytes of a file after the first that its types are inferred from, about.
const SAMPLE: usize = 1 << 16;

/// What is decoded of CSV files.
#[derive(Debug)]
pub(super) struct CsvFiles {
    options: Arc<Options>,
    /// The names of the columns of all files, without those in paths.
    names: Vec<String>,
    /// The position of each name.
    places: HashMap<String, usize>,
    /// Their types.
    types: Vec<ColumnType>,
    /// The names of the columns of each file; none of one without text.
    files: Vec<Option<Vec<String>>>,
    in_paths: InPaths,
    /// The columns that are read.
    selected: Vec<Selected>,
}

#[derive(Clone, Debug)]
enum Selected {
    /// At this position among those of all files.
    Stored(usize),
    /// In the names of folders.
    InPath(String),
}

impl CsvFiles {
    /// The names of the columns, and the types of the first rows of the files.
    pub(super) fn plan(operation: &'static str, options: &Options, found: &[FoundFile]) -> Result<Self> {
        let Some(first) = found.first() else { return Err(Error::file(operation, "", FileError::NoPath)) };
        let failed = |file: &FoundFile, source| Error::file(operation, &file.path, source);
        let in_paths = InPaths::new(found, &options.dtypes).map_err(|source| failed(first, source))?;
        let options = Arc::new(options.clone());
        let mut plan = Self {
            options,
            names: Vec::new(),
            places: HashMap::new(),
            types: Vec::new(),
            files: Vec::new(),
            in_paths,
            selected: Vec::new(),
        };
        let mut types = Vec::new();
        for file in found {
            plan.add(file, &mut types).map_err(|source| failed(file, source))?;
        }
        plan.finish(types).map_err(|source| failed(first, source))?;
        Ok(plan)
    }

    /// Takes in the columns of one more file.
    fn add(&mut self, file: &FoundFile, types: &mut Vec<DataType>) -> Result<(), FileError> {
        let options = Arc::clone(&self.options);
        let mut chunks =
            Chunks::open(&file.path, options.compression, options.encoding(), options.quoting())?;
        if !self.files.is_empty() {
            chunks = chunks.of_size(SAMPLE);
        }
        chunks = chunks.skipping(options.skip_rows);
        let Some(mut chunk) = chunks.next()? else {
            self.files.push(None);
            return Ok(());
        };
        let mut names = options.start(&mut chunk)?;
        if let Some(given) = &options.names {
            check_count(given, &names)?;
            names.clone_from(given);
        } else if !options.has_header
            && let Some(before) = self.files.iter().flatten().next()
        {
            check_count(before, &names)?;
        }
        check_unique(&names)?;
        let rows = Some(options.infer_rows);
        let found = if let Ok((found, _)) = inferred(&options, &chunk.bytes, rows) {
            found
        } else {
            // Rows that are not text; what is done with them is said when they are read.
            let records = Records::of(&chunk.bytes, &options, names.len());
            let good = 0..records.good.len().min(options.infer_rows);
            let good = records.bytes(&chunk.bytes, &options, good);
            inferred(&options, &good, None)?.0
        };
        let found = found.iter().map(settled).chain(std::iter::repeat(DataType::Null));
        for (name, found) in names.iter().zip(found) {
            match self.position(name) {
                Some(at) => types[at] = joined(&types[at], &found),
                None if self.in_paths.data_type(name).is_some() => {}
                None => {
                    self.places.insert(name.clone(), self.names.len());
                    self.names.push(name.clone());
                    types.push(found);
                }
            }
        }
        self.files.push(Some(names));
        Ok(())
    }

    /// Applies the columns and dtypes that were asked for.
    fn finish(&mut self, types: Vec<DataType>) -> Result<(), FileError> {
        if self.files.iter().flatten().next().is_none() {
            match &self.options.names {
                Some(given) => self.names.clone_from(given),
                None => return Err(FileError::NoColumns),
            }
            check_unique(&self.names)?;
            self.names.retain(|name| self.in_paths.data_type(name).is_none());
            self.places = self.names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
        }
        let types = types.into_iter().chain(std::iter::repeat(DataType::Null)).take(self.names.len());
        self.types = types.map(|data_type| ColumnType { data_type, is_given: false }).collect();
        let in_paths = self.in_paths.names().map(ToOwned::to_owned);
        let available: Vec<String> = self.names.iter().cloned().chain(in_paths).collect();
        let asked = self.options.columns.as_ref().unwrap_or(&available);
        let given = self.options.dtypes.iter().map(|(name, _)| name);
        check_known(&asked.iter().chain(given).cloned().collect::<Vec<_>>(), &available)?;
        check_unique(asked)?;
        let selected = |name: &String| match self.position(name) {
            Some(at) => Selected::Stored(at),
            None => Selected::InPath(name.clone()),
        };
        self.selected = asked.iter().map(selected).collect();
        for (name, dtype) in &self.options.dtypes {
            let Some(at) = self.position(name) else { continue };
            let Some(data_type) = csv_type(dtype) else {
                let data_type = dtype.to_string();
                return Err(FileError::UnsupportedType { column: name.clone(), data_type });
            };
            self.types[at] = ColumnType { data_type, is_given: true };
        }
        Ok(())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The columns of one file.
    fn of_file(&self, file: usize) -> CsvFormat {
        let names = self.files[file].clone().unwrap_or_default();
        let unread = || ColumnType { data_type: DataType::Utf8, is_given: true };
        let types =
            names.iter().map(|name| self.position(name).map_or_else(unread, |at| self.types[at].clone()));
        let types = types.collect();
        let places: HashMap<&String, usize> = names.iter().zip(0..).collect();
        let selected = self.selected.iter().filter_map(|selected| match selected {
            Selected::Stored(at) => places.get(&self.names[*at]).copied(),
            Selected::InPath(_) => None,
        });
        let selected = selected.collect();
        CsvFormat { options: Arc::clone(&self.options), names, types, selected }
    }

    /// The rows of a file with the columns of the frame, given those that it has.
    fn framed(&self, file: usize, stored: &RecordBatch) -> Result<RecordBatch, FileError> {
        let rows = stored.num_rows();
        let by_name: HashMap<&String, &ArrayRef> =
            stored.schema_ref().fields().iter().map(|field| field.name()).zip(stored.columns()).collect();
        let columns = self.selected.iter().map(|selected| match selected {
            Selected::Stored(at) => Ok(match by_name.get(&self.names[*at]).copied() {
                Some(column) => Arc::clone(column),
                None => new_null_array(&self.types[*at].stored(), rows),
            }),
            Selected::InPath(name) => self.in_paths.array(file, name, rows),
        });
        let columns = columns.collect::<Result<Vec<ArrayRef>, FileError>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(self.schema(), columns, &options)?)
    }

    /// Types of one file as those of all.
    fn of_all(&self, format: &CsvFormat, types: Vec<DataType>) -> Vec<DataType> {
        let mut all: Vec<DataType> = self.types.iter().map(|now| now.data_type.clone()).collect();
        for (name, found) in format.names.iter().zip(types) {
            if let Some(at) = self.position(name) {
                all[at] = found;
            }
        }
        all
    }
}

fn check_count(expected: &[String], found: &[String]) -> Result<(), FileError> {
    if expected.len() == found.len() {
        return Ok(());
    }
    Err(FileError::SchemaDiffers { expected: expected.join(", "), found: found.join(", ") })
}

impl TextFormat for CsvFiles {
    type Types = Vec<DataType>;

    fn compression(&self) -> Option<TextCompression> {
        self.options.compression
    }

    fn encoding(&self) -> TextEncoding {
        self.options.encoding()
    }

    fn quoting(&self) -> Option<Quoting> {
        self.options.quoting()
    }

    fn skipped_lines(&self) -> usize {
        self.options.skip_rows
    }

    fn start(&self, file: usize, first: &mut Chunk) -> Result<(), FileError> {
        let found = self.options.start(first)?;
        let expected = self.files[file].as_deref().unwrap_or_default();
        check_count(expected, &found)?;
        // It was written since its columns were looked up.
        if self.options.has_header && self.options.names.is_none() && found != expected {
            return Err(FileError::SchemaDiffers { expected: expected.join(", "), found: found.join(", ") });
        }
        Ok(())
    }

    fn first_rows(&self, file: usize, chunk: &Chunk, rows: usize) -> Option<Chunk> {
        let columns = self.files[file].as_ref().map_or(0, Vec::len);
        let end = Records::end_of(&chunk.bytes, &self.options, columns, rows);
        (end < chunk.bytes.len())
            .then(|| Chunk { bytes: chunk.bytes[..end].to_vec(), first_line: chunk.first_line })
    }

    fn decode(&self, file: usize, chunk: &Chunk) -> Result<Decoded, Failed<Vec<DataType>>> {
        let format = self.of_file(file);
        match format.decode(chunk) {
            Ok(Decoded { batch, skipped }) => Ok(Decoded { batch: self.framed(file, &batch)?, skipped }),
            Err(Failed::Types(types)) => Err(Failed::Types(self.of_all(&format, types))),
            Err(Failed::File(source)) => Err(Failed::File(source)),
        }
    }
}

impl Widening for CsvFiles {
    fn schema(&self) -> SchemaRef {
        let field = |selected: &Selected| -> FieldRef {
            let (name, data_type) = match selected {
                Selected::Stored(at) => (&self.names[*at], self.types[*at].stored()),
                Selected::InPath(name) => {
                    (name, self.in_paths.data_type(name).unwrap_or(&DataType::Utf8).clone())
                }
            };
            Arc::new(Field::new(name, data_type, true))
        };
        Arc::new(Schema::new(self.selected.iter().map(field).collect::<Vec<_>>()))
    }

    fn joined(a: Vec<DataType>, b: &Vec<DataType>) -> Vec<DataType> {
        a.iter().zip(b).map(|(a, b)| joined(a, b)).collect()
    }

    fn widen(&mut self, types: Vec<DataType>) {
        for (now, wide) in self.types.iter_mut().zip(types) {
            now.data_type = wide;
        }
    }

    fn too_narrow(&self, types: &Vec<DataType>) -> FileError {
        let at = self.types.iter().zip(types).position(|(now, wide)| now.data_type != *wide).unwrap_or(0);
        let wide = ColumnType { data_type: types[at].clone(), is_given: false };
        FileError::InferredTooNarrow {
            column: self.names[at].clone(),
            expected: self.types[at].dtype_text(),
            found: wide.dtype_text(),
        }
    }
}
