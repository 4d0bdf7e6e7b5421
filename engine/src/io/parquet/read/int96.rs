//! Timestamps of 96 bits: the unit that they are read in, and whether every value fits it. The decoder keeps the low
//! 64 bits of what does not fit; so columns of them are decoded here, and within lists and structs they are checked first.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, make_array};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, FieldRef, Fields, Schema, TimeUnit as ArrowTimeUnit};
use columnade_columns::{Scalar, TimeUnit};
use parquet::arrow::ARROW_SCHEMA_META_KEY;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::Type as PhysicalType;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{Int96, Int96Type};
use parquet::errors::ParquetError as Library;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::SchemaDescriptor;

use crate::io::file::SourceFile;
use crate::io::parquet::error::ParquetError;

/// 1970-01-01 as a Julian day, which such a timestamp has beside the nanoseconds of the day.
const JULIAN_DAY_OF_EPOCH: i64 = 2_440_588;
const NANOS_PER_DAY: i64 = 86_400_000_000_000;
const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// The values that are checked at a time.
const STEP: usize = 8192;

/// A column of 96-bit timestamps, by itself or within another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int96Leaf {
    /// Its position among the leaves of the file.
    position: usize,
    /// The position of the column that it belongs to.
    root: usize,
    /// What it is read in.
    unit: TimeUnit,
}

/// The footer with 96-bit timestamps in `asked`; else in the unit of the Arrow schema that the file may have; else in
/// microseconds, which represent all dates that others write.
pub(super) fn in_unit(
    footer: ArrowReaderMetadata,
    asked: Option<TimeUnit>,
) -> parquet::errors::Result<ArrowReaderMetadata> {
    if !has_any(footer.parquet_schema()) {
        return Ok(footer);
    }
    let stored = footer.metadata().file_metadata().key_value_metadata();
    let has_schema = stored.is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW_SCHEMA_META_KEY));
    let unit = match asked {
        None if has_schema => return Ok(footer),
        asked => arrow_unit(asked.unwrap_or(TimeUnit::Micro)),
    };
    let mut replace = |_: usize, _: ArrowTimeUnit, zone: Zone| DataType::Timestamp(unit, zone);
    let fields = walked(&footer, &mut replace)?;
    let schema = Arc::new(Schema::new_with_metadata(fields, footer.schema().metadata().clone()));
    ArrowReaderMetadata::try_new(Arc::clone(footer.metadata()), ArrowReaderOptions::new().with_schema(schema))
}

/// The 96-bit timestamps of a file, with the units that its schema reads them in.
pub(super) fn leaves(footer: &ArrowReaderMetadata) -> parquet::errors::Result<Vec<Int96Leaf>> {
    let descriptor = footer.parquet_schema();
    let mut found = Vec::new();
    if has_any(descriptor) {
        walked(footer, &mut |leaf, unit, zone| {
            let root = descriptor.get_column_root_idx(leaf);
            found.push(Int96Leaf { position: leaf, root, unit: unit_of(unit) });
            DataType::Timestamp(unit, zone)
        })?;
    }
    Ok(found)
}

/// A row group of a file.
pub(super) struct Int96Chunk<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) schema: &'a SchemaDescriptor,
    pub(super) group: &'a RowGroupMetaData,
    /// Its position.
    pub(super) row_group: usize,
}

impl Int96Chunk<'_> {
    fn rows(&self) -> Result<usize, ParquetError> {
        usize::try_from(self.group.num_rows()).map_err(ParquetError::damaged)
    }
}

/// The error for memory that the system refused.
fn refused(bytes: usize) -> ParquetError {
    let reason = format!("{bytes} bytes for timestamps could not be allocated");
    ParquetError::Io(std::io::Error::new(std::io::ErrorKind::OutOfMemory, reason))
}

impl Int96Leaf {
    /// Whether it is in one of the columns at these positions.
    pub(super) fn is_within(&self, positions: &[usize]) -> bool {
        positions.contains(&self.root)
    }

    /// Whether it is a column by itself, which [`column`](Self::column) decodes.
    pub(super) fn is_column(&self, schema: &SchemaDescriptor) -> bool {
        schema.column(self.position).path().parts().len() == 1
            && schema.column(self.position).max_rep_level() == 0
    }

    /// The position of the column that it belongs to.
    pub(super) fn root(&self) -> usize {
        self.root
    }

    /// The values of a row group as timestamps of the type `data_type`, for a leaf that [is a column](Self::is_column).
    pub(super) fn column(
        &self,
        chunk: &Int96Chunk<'_>,
        data_type: &DataType,
    ) -> Result<ArrayRef, ParquetError> {
        let rows = chunk.rows()?;
        let is_optional = chunk.schema.column(self.position).max_def_level() > 0;
        let mut counts: Vec<i64> = Vec::new();
        counts.try_reserve_exact(rows).map_err(|_| refused(rows.saturating_mul(size_of::<i64>())))?;
        let mut valid = BooleanBufferBuilder::new(if is_optional { rows } else { 0 });
        self.decode(chunk, |definitions, values| {
            let mut values = values.iter().map(|value| units(value, self.unit));
            for definition in definitions.iter().filter(|_| is_optional) {
                valid.append(*definition > 0);
                counts.push(if *definition > 0 { values.next().flatten().unwrap_or_default() } else { 0 });
            }
            counts.extend(values.flatten());
        })?;
        if counts.len() != rows {
            let reason = format!("row group {} has {rows} rows, a column {}", chunk.row_group, counts.len());
            return Err(ParquetError::damaged(reason));
        }
        let nulls = is_optional.then(|| NullBuffer::new(valid.finish()));
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        let data = Int64Array::new(counts.into(), nulls).into_data().into_builder();
        Ok(make_array(data.data_type(data_type.clone()).build().map_err(ParquetError::damaged)?))
    }

    /// Refuses a value of a row group that its unit does not represent exactly. The decoder decodes the values of such a leaf
    /// within lists and structs once more, and does not look.
    pub(super) fn check(&self, chunk: &Int96Chunk<'_>) -> Result<(), ParquetError> {
        self.decode(chunk, |_, _| {})
    }

    /// Gives the values of a row group to `take`, some at a time with the definition levels of theirs and of nulls, after it
    /// has refused one that the unit does not represent exactly.
    fn decode(
        &self,
        chunk: &Int96Chunk<'_>,
        mut take: impl FnMut(&[i16], &[Int96]),
    ) -> Result<(), ParquetError> {
        let decoding = |error: Library| ParquetError::decoding(chunk.file, error);
        let stored = chunk.group.column(self.position);
        let pages = SerializedPageReader::new(Arc::new(chunk.file.clone()), stored, chunk.rows()?, None);
        let pages = Box::new(pages.map_err(decoding)?);
        let mut reader = ColumnReaderImpl::<Int96Type>::new(chunk.schema.column(self.position), pages);
        let (mut values, mut definitions, mut repetitions) = (Vec::with_capacity(STEP), vec![], vec![]);
        loop {
            values.clear();
            definitions.clear();
            repetitions.clear();
            let read = reader.read_records(STEP, Some(&mut definitions), Some(&mut repetitions), &mut values);
            let (records, ..) = read.map_err(decoding)?;
            if let Some(value) = values.iter().find(|value| units(value, self.unit).is_none()) {
                return Err(self.misfit(value, stored.column_path().string(), chunk.row_group));
            }
            if records == 0 {
                return Ok(());
            }
            take(&definitions, &values);
        }
    }

    fn misfit(&self, value: &Int96, column: String, row_group: usize) -> ParquetError {
        let finest = [TimeUnit::Nano, TimeUnit::Micro, TimeUnit::Milli, TimeUnit::Second];
        ParquetError::TimestampDoesNotFit {
            column,
            row_group,
            value: text(value),
            unit: self.unit,
            fits: finest.into_iter().find(|&unit| units(value, unit).is_some()),
        }
    }
}

/// Whether a column of the file has such timestamps.
fn has_any(schema: &SchemaDescriptor) -> bool {
    schema.columns().iter().any(|column| column.physical_type() == PhysicalType::INT96)
}

type Zone = Option<Arc<str>>;

/// The fields of the file, where `replace` says the type of each 96-bit timestamp, given its leaf, unit and zone.
fn walked(
    footer: &ArrowReaderMetadata,
    replace: &mut dyn FnMut(usize, ArrowTimeUnit, Zone) -> DataType,
) -> parquet::errors::Result<Fields> {
    let mut walk = Walk { schema: footer.parquet_schema(), leaf: 0, replace };
    let fields = footer.schema().fields().iter().map(|field| walk.field(field)).collect();
    if walk.leaf == footer.parquet_schema().num_columns() {
        return Ok(fields);
    }
    let (leaves, types) = (footer.parquet_schema().num_columns(), walk.leaf);
    Err(Library::General(format!("{leaves} leaves have types of {types}")))
}

/// The leaves of a file, in the order in which its fields have them.
struct Walk<'a> {
    schema: &'a SchemaDescriptor,
    leaf: usize,
    replace: &'a mut dyn FnMut(usize, ArrowTimeUnit, Zone) -> DataType,
}

impl Walk<'_> {
    fn field(&mut self, field: &FieldRef) -> FieldRef {
        let data_type = self.data_type(field.data_type());
        Arc::new(field.as_ref().clone().with_data_type(data_type))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn data_type(&mut self, data_type: &DataType) -> DataType {
        match data_type {
            DataType::Struct(fields) => {
                DataType::Struct(fields.iter().map(|field| self.field(field)).collect())
            }
            DataType::List(item) => DataType::List(self.field(item)),
            DataType::LargeList(item) => DataType::LargeList(self.field(item)),
            DataType::ListView(item) => DataType::ListView(self.field(item)),
            DataType::LargeListView(item) => DataType::LargeListView(self.field(item)),
            DataType::FixedSizeList(item, length) => DataType::FixedSizeList(self.field(item), *length),
            DataType::Map(entries, is_sorted) => DataType::Map(self.field(entries), *is_sorted),
            DataType::Dictionary(codes, values) => {
                DataType::Dictionary(codes.clone(), Box::new(self.data_type(values)))
            }
            leaf => self.leaf(leaf),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn leaf(&mut self, data_type: &DataType) -> DataType {
        let leaf = self.leaf;
        self.leaf += 1;
        let is_int96 = self
            .schema
            .columns()
            .get(leaf)
            .is_some_and(|column| column.physical_type() == PhysicalType::INT96);
        match data_type {
            DataType::Timestamp(unit, zone) if is_int96 => (self.replace)(leaf, *unit, zone.clone()),
            other => other.clone(),
        }
    }
}

/// The value in a unit, where that represents it exactly.
fn units(value: &Int96, unit: TimeUnit) -> Option<i64> {
    let ((days, nanos), per) = (parts(value), nanos_per(unit));
    let units = i128::from(days) * i128::from(NANOS_PER_DAY / per) + i128::from(nanos / per);
    if nanos % per == 0 { i64::try_from(units).ok() } else { None }
}

/// The days since 1970-01-01, and nanoseconds to be added, which may be more than a day has.
fn parts(value: &Int96) -> (i64, i64) {
    let (days, nanos) = match *value.data() {
        [low, high, days] => (days.cast_signed(), (u64::from(high) << 32 | u64::from(low)).cast_signed()),
        _ => (0, 0),
    };
    (i64::from(days) - JULIAN_DAY_OF_EPOCH, nanos)
}

/// The value as a timestamp of seconds, which represent any, and the rest.
fn text(value: &Int96) -> String {
    let (days, nanos) = parts(value);
    let seconds = days * (NANOS_PER_DAY / NANOS_PER_SECOND) + nanos.div_euclid(NANOS_PER_SECOND);
    let text = Scalar::Timestamp(seconds, TimeUnit::Second).to_string();
    match nanos.rem_euclid(NANOS_PER_SECOND) {
        0 => text,
        rest => format!("{text}.{rest:09}"),
    }
}

fn nanos_per(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => NANOS_PER_SECOND,
        TimeUnit::Milli => 1_000_000,
        TimeUnit::Micro => 1000,
        TimeUnit::Nano => 1,
    }
}

fn arrow_unit(unit: TimeUnit) -> ArrowTimeUnit {
    match unit {
        TimeUnit::Second => ArrowTimeUnit::Second,
        TimeUnit::Milli => ArrowTimeUnit::Millisecond,
        TimeUnit::Micro => ArrowTimeUnit::Microsecond,
        TimeUnit::Nano => ArrowTimeUnit::Nanosecond,
    }
}

fn unit_of(unit: ArrowTimeUnit) -> TimeUnit {
    match unit {
        ArrowTimeUnit::Second => TimeUnit::Second,
        ArrowTimeUnit::Millisecond => TimeUnit::Milli,
        ArrowTimeUnit::Microsecond => TimeUnit::Micro,
        ArrowTimeUnit::Nanosecond => TimeUnit::Nano,
    }
}
