//! What files are read and written with.

use std::ffi::{OsStr, c_char};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use columnade::csv::{BadRows, CsvWriteOptions, DuplicateNames, EncodingErrors, TextCompression};
use columnade::ipc::{IpcCompression, IpcFormat, IpcWriteOptions};
use columnade::json::{JsonLayout, JsonWriteOptions};
use columnade::parquet::{Compression, ParquetWriteOptions};
use columnade::{DType, Expr, TimeUnit};

use crate::argument::{Argument, Pointers, reference};
use crate::error::{Failure, Result};
use crate::expression::Expression;
use crate::frame::{optional_text, reserved};
use crate::options::{Sized, choice, options};
use crate::place::Place;
use crate::progress::{Progress, RawProgress};

/// A path: bytes, whatever their encoding.
impl Argument for &Path {
    type C = *const c_char;

    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
        // SAFETY: the caller's promise: null, or text that a zero byte ends.
        let text = unsafe {
            reference(name, value)?;
            std::ffi::CStr::from_ptr(value)
        };
        Ok(Path::new(OsStr::from_bytes(text.to_bytes())))
    }
}

/// The members that all readers have.
#[repr(C)]
#[derive(Clone, Copy)]
struct RawSource {
    size: usize,
    paths: *const *const c_char,
    path_count: i64,
    columns: *const *const c_char,
    column_count: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawParquetRead {
    source: RawSource,
    dictionary: *const *const c_char,
    dictionary_count: i64,
    filter: *const Expression,
    row_offset: i64,
    row_count: i64,
    partitions: i32,
    dictionaries: i32,
    int96_unit: i32,
    reserved: i32,
    progress: RawProgress,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawIpcRead {
    source: RawSource,
    partitions: i32,
    memory_map: i32,
    progress: RawProgress,
}

/// Columns and their dtypes.
#[repr(C)]
#[derive(Clone, Copy)]
struct RawDtypes {
    columns: *const *const c_char,
    dtypes: *const *const c_char,
    count: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawCsvRead {
    source: RawSource,
    dtypes: RawDtypes,
    names: *const *const c_char,
    name_count: i64,
    null_values: *const *const c_char,
    null_value_count: i64,
    skip_rows: i64,
    limit: i64,
    infer_rows: i64,
    header: i32,
    bad_rows: i32,
    delimiter: c_char,
    quote: c_char,
    escape: c_char,
    no_quotes: c_char,
    empty_fields: i32,
    skipped_rows: *mut i64,
    compression: i32,
    partitions: i32,
    encoding: *const c_char,
    encoding_errors: i32,
    short_rows: i32,
    duplicate_names: i32,
    reserved: i32,
    progress: RawProgress,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawJsonRead {
    source: RawSource,
    dtypes: RawDtypes,
    limit: i64,
    infer_rows: i64,
    bad_rows: i32,
    layout: i32,
    skipped_rows: *mut i64,
    compression: i32,
    partitions: i32,
    progress: RawProgress,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawParquetWrite {
    size: usize,
    compression: i32,
    reserved: i32,
    row_group_rows: i64,
    bloom_filters: *const *const c_char,
    bloom_filter_count: i64,
    plain_columns: *const *const c_char,
    plain_column_count: i64,
    page_rows: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawCsvWrite {
    size: usize,
    null_value: *const c_char,
    header: i32,
    delimiter: c_char,
    unquoted_empty: c_char,
    reserved: [c_char; 2],
    compression: i32,
    reserved_end: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawIpcWrite {
    size: usize,
    compression: i32,
    format: i32,
    batch_rows: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawJsonWrite {
    size: usize,
    skip_nulls: i32,
    layout: i32,
    compression: i32,
    reserved: i32,
}

// SAFETY: integers and pointers.
unsafe impl Sized for RawIpcRead {}
// SAFETY: as above.
unsafe impl Sized for RawParquetRead {}
// SAFETY: as above.
unsafe impl Sized for RawCsvRead {}
// SAFETY: as above.
unsafe impl Sized for RawJsonRead {}
// SAFETY: as above.
unsafe impl Sized for RawParquetWrite {}
// SAFETY: as above.
unsafe impl Sized for RawCsvWrite {}
// SAFETY: as above.
unsafe impl Sized for RawIpcWrite {}
// SAFETY: as above.
unsafe impl Sized for RawJsonWrite {}

/// Which files and which of their columns are read.
pub(super) struct Source {
    pub(super) further: Vec<PathBuf>,
    pub(super) columns: Option<Vec<String>>,
}

impl Source {
    /// # Safety
    /// The members are what the header says.
    unsafe fn new(raw: RawSource) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe {
            let further: Vec<&Path> = array("options.paths", raw.paths, raw.path_count)?;
            Ok(Self {
                further: further.into_iter().map(Path::to_owned).collect(),
                columns: texts("options.columns", raw.columns, raw.column_count)?,
            })
        }
    }

    /// All paths, the one that the function got first.
    pub(super) fn paths(&self, first: &Path) -> Vec<PathBuf> {
        std::iter::once(first.to_owned()).chain(self.further.iter().cloned()).collect()
    }
}

/// An array of a member.
///
/// # Safety
/// There are so many.
unsafe fn array<A: Argument<C = *const c_char>>(
    name: &'static str,
    first: *const *const c_char,
    count: i64,
) -> Result<Vec<A>> {
    // SAFETY: the caller's promise.
    unsafe { Pointers::of(name, first).read(usize::from_c(name, count)?) }
}

/// Texts of a member, `None` where there is no array.
///
/// # Safety
/// There are so many.
unsafe fn texts(name: &'static str, first: *const *const c_char, count: i64) -> Result<Option<Vec<String>>> {
    if first.is_null() && count == 0 {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let texts: Vec<&str> = unsafe { array(name, first, count) }?;
    Ok(Some(texts.into_iter().map(str::to_owned).collect()))
}

/// Dtypes of columns by name.
///
/// # Safety
/// The members are what the header says.
unsafe fn dtypes(raw: RawDtypes) -> Result<Vec<(String, DType)>> {
    // SAFETY: the caller's promise.
    let (columns, dtypes): (Vec<&str>, Vec<&str>) = unsafe {
        (
            array("options.dtype_columns", raw.columns, raw.count)?,
            array("options.dtypes", raw.dtypes, raw.count)?,
        )
    };
    let pairs = columns.into_iter().zip(dtypes);
    pairs.map(|(column, dtype)| Ok((column.to_owned(), dtype.parse::<DType>()?))).collect()
}

/// A number where zero is the default.
fn some(name: &'static str, count: i64) -> Result<Option<usize>> {
    // SAFETY: a number.
    let count = unsafe { usize::from_c(name, count) }?;
    Ok(Some(count).filter(|&count| count != 0))
}

/// Rows from one on, up to all.
fn rows(offset: i64, count: i64) -> Result<Option<Range<usize>>> {
    let start = some("options.row_offset", offset)?.unwrap_or(0);
    let count = some("options.row_count", count)?;
    let end = count.map_or(usize::MAX, |count| start.saturating_add(count));
    Ok(Some(start..end).filter(|rows| *rows != (0..usize::MAX)))
}

/// A character where zero is the default.
fn byte(character: c_char) -> Option<u8> {
    Some(character.cast_unsigned()).filter(|&byte| byte != 0)
}

/// How text is compressed; none where the name or the first bytes tell.
const TEXT_COMPRESSIONS: [Option<TextCompression>; 4] =
    [None, Some(TextCompression::None), Some(TextCompression::Gzip), Some(TextCompression::Zstd)];

const ENCODING_ERRORS: [EncodingErrors; 3] =
    [EncodingErrors::Error, EncodingErrors::Replace, EncodingErrors::Ignore];

const DUPLICATE_NAMES: [DuplicateNames; 3] =
    [DuplicateNames::Error, DuplicateNames::Point, DuplicateNames::Duplicated];

const BAD_ROWS: [BadRows; 2] = [BadRows::Error, BadRows::Skip];

pub(super) struct ParquetRead {
    pub(super) source: Source,
    pub(super) dictionary: Option<Vec<String>>,
    pub(super) filter: Option<Expr>,
    pub(super) rows: Option<Range<usize>>,
    pub(super) has_partitions: bool,
    pub(super) dictionaries_of_files: bool,
    pub(super) int96_unit: TimeUnit,
    pub(super) progress: Option<Progress>,
}

const INT96_UNITS: [TimeUnit; 4] = [TimeUnit::Micro, TimeUnit::Nano, TimeUnit::Milli, TimeUnit::Second];

options!(ParquetRead, RawParquetRead, options => {
    reserved("options.reserved", options.reserved)?;
    // SAFETY: the caller's promise: the members are what the header says.
    unsafe {
    ParquetRead {
        source: Source::new(options.source)?,
        dictionary: texts("options.dictionary", options.dictionary, options.dictionary_count)?,
        filter: options.filter.as_ref().map(Expression::expr),
        rows: rows(options.row_offset, options.row_count)?,
        has_partitions: choice("options.partitions", options.partitions, &[true, false])?,
        dictionaries_of_files: choice("options.dictionaries", options.dictionaries, &[false, true])?,
        int96_unit: choice("options.int96_unit", options.int96_unit, &INT96_UNITS)?,
        progress: Progress::of(options.progress),
    }
    }
});

#[expect(clippy::struct_excessive_bools, reason = "options that do not depend on each other")]
pub(super) struct CsvRead {
    pub(super) source: Source,
    pub(super) dtypes: Vec<(String, DType)>,
    pub(super) names: Option<Vec<String>>,
    pub(super) null_values: Option<Vec<String>>,
    pub(super) empty_is_null: bool,
    pub(super) skip_rows: usize,
    pub(super) limit: Option<usize>,
    pub(super) infer_rows: Option<usize>,
    pub(super) has_header: bool,
    pub(super) bad_rows: BadRows,
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
    pub(super) escape: Option<u8>,
    pub(super) skipped_rows: Option<Place<i64>>,
    pub(super) compression: Option<TextCompression>,
    pub(super) has_partitions: bool,
    pub(super) encoding: Option<String>,
    pub(super) encoding_errors: EncodingErrors,
    pub(super) pads_short_rows: bool,
    pub(super) duplicate_names: DuplicateNames,
    pub(super) progress: Option<Progress>,
}

options!(CsvRead, RawCsvRead, options => {
    reserved("options.reserved", options.reserved)?;
    // SAFETY: the caller's promise: the members are what the header says.
    unsafe {
    let has_quotes = choice("options.no_quotes", options.no_quotes.into(), &[true, false])?;
    CsvRead {
        source: Source::new(options.source)?,
        dtypes: dtypes(options.dtypes)?,
        names: texts("options.names", options.names, options.name_count)?,
        null_values: texts("options.null_values", options.null_values, options.null_value_count)?,
        empty_is_null: choice("options.empty_fields", options.empty_fields, &[true, false])?,
        skip_rows: usize::from_c("options.skip_rows", options.skip_rows)?,
        limit: some("options.limit", options.limit)?,
        infer_rows: some("options.infer_rows", options.infer_rows)?,
        has_header: choice("options.header", options.header, &[true, false])?,
        bad_rows: choice("options.bad_rows", options.bad_rows, &BAD_ROWS)?,
        delimiter: byte(options.delimiter).unwrap_or(b','),
        quote: has_quotes.then(|| byte(options.quote).unwrap_or(b'"')),
        escape: byte(options.escape),
        skipped_rows: Option::from_c("options.skipped_rows", options.skipped_rows)?,
        compression: choice("options.compression", options.compression, &TEXT_COMPRESSIONS)?,
        has_partitions: choice("options.partitions", options.partitions, &[true, false])?,
        encoding: optional_text("options.encoding", options.encoding)?.map(str::to_owned),
        encoding_errors: choice("options.encoding_errors", options.encoding_errors, &ENCODING_ERRORS)?,
        pads_short_rows: choice("options.short_rows", options.short_rows, &[false, true])?,
        duplicate_names: choice("options.duplicate_names", options.duplicate_names, &DUPLICATE_NAMES)?,
        progress: Progress::of(options.progress),
    }
    }
});

pub(super) struct JsonRead {
    pub(super) source: Source,
    pub(super) dtypes: Vec<(String, DType)>,
    pub(super) limit: Option<usize>,
    pub(super) infer_rows: Option<usize>,
    pub(super) bad_rows: BadRows,
    pub(super) layout: Option<JsonLayout>,
    pub(super) skipped_rows: Option<Place<i64>>,
    pub(super) compression: Option<TextCompression>,
    pub(super) has_partitions: bool,
    pub(super) progress: Option<Progress>,
}

/// Layouts of files that are read, none where a file tells.
const READ_LAYOUTS: [Option<JsonLayout>; 6] = [
    None,
    Some(JsonLayout::Lines),
    Some(JsonLayout::Records),
    Some(JsonLayout::Index),
    Some(JsonLayout::Columns),
    Some(JsonLayout::Split),
];

/// Layouts of files that are written, by the same numbers.
const WRITTEN_LAYOUTS: [JsonLayout; 6] = [
    JsonLayout::Lines,
    JsonLayout::Lines,
    JsonLayout::Records,
    JsonLayout::Index,
    JsonLayout::Columns,
    JsonLayout::Split,
];

options!(JsonRead, RawJsonRead, options => {
    // SAFETY: the caller's promise: the members are what the header says.
    unsafe {
    JsonRead {
        source: Source::new(options.source)?,
        dtypes: dtypes(options.dtypes)?,
        limit: some("options.limit", options.limit)?,
        infer_rows: some("options.infer_rows", options.infer_rows)?,
        bad_rows: choice("options.bad_rows", options.bad_rows, &BAD_ROWS)?,
        layout: choice("options.layout", options.layout, &READ_LAYOUTS)?,
        skipped_rows: Option::from_c("options.skipped_rows", options.skipped_rows)?,
        compression: choice("options.compression", options.compression, &TEXT_COMPRESSIONS)?,
        has_partitions: choice("options.partitions", options.partitions, &[true, false])?,
        progress: Progress::of(options.progress),
    }
    }
});

pub(super) struct IpcRead {
    pub(super) source: Source,
    pub(super) has_partitions: bool,
    pub(super) memory_map: bool,
    pub(super) progress: Option<Progress>,
}

options!(IpcRead, RawIpcRead, options => {
    // SAFETY: as above.
    let source = unsafe { Source::new(options.source) }?;
    IpcRead {
        source,
        has_partitions: choice("options.partitions", options.partitions, &[true, false])?,
        memory_map: choice("options.memory_map", options.memory_map, &[false, true])?,
        progress: Progress::of(options.progress),
    }
});

options!(ParquetWriteOptions, RawParquetWrite, options => {
    let codecs = [
        Compression::Snappy,
        Compression::None,
        Compression::Zstd,
        Compression::Gzip,
        Compression::Lz4,
        Compression::Brotli,
    ];
    reserved("options.reserved", options.reserved)?;
    // SAFETY: the caller's promise: the members are what the header says.
    let (bloom_filters, plain_columns) = unsafe {
        (
            texts("options.bloom_filters", options.bloom_filters, options.bloom_filter_count)?,
            texts("options.plain_columns", options.plain_columns, options.plain_column_count)?,
        )
    };
    let mut made = ParquetWriteOptions::new()
        .compression(choice("options.compression", options.compression, &codecs)?);
    if let Some(rows) = some("options.row_group_rows", options.row_group_rows)? {
        made = made.row_group_rows(rows);
    }
    if let Some(rows) = some("options.page_rows", options.page_rows)? {
        made = made.page_rows(rows);
    }
    made = bloom_filters.into_iter().flatten().fold(made, ParquetWriteOptions::bloom_filter);
    plain_columns.into_iter().flatten().fold(made, ParquetWriteOptions::plain_column)
});

options!(CsvWriteOptions, RawCsvWrite, options => {
    // SAFETY: as above.
    let null = unsafe { optional_text("options.null_value", options.null_value) }?;
    if options.reserved != [0; 2] {
        return Err(Failure::argument("options.reserved", "is not 0"));
    }
    let quote_empty = choice("options.unquoted_empty", options.unquoted_empty.into(), &[true, false])?;
    let has_header = choice("options.header", options.header, &[true, false])?;
    let mut made = CsvWriteOptions::new().has_header(has_header).quote_empty(quote_empty);
    if let Some(delimiter) = byte(options.delimiter) {
        made = made.delimiter(delimiter);
    }
    reserved("options.reserved_end", options.reserved_end)?;
    if let Some(compression) = choice("options.compression", options.compression, &TEXT_COMPRESSIONS)? {
        made = made.compression(compression);
    }
    match null {
        Some(null) => made.null(null),
        None => made,
    }
});

options!(IpcWriteOptions, RawIpcWrite, options => {
    let codecs = [IpcCompression::None, IpcCompression::Lz4, IpcCompression::Zstd];
    let format = choice("options.format", options.format, &[IpcFormat::File, IpcFormat::Stream])?;
    let made = IpcWriteOptions::new()
        .compression(choice("options.compression", options.compression, &codecs)?)
        .format(format);
    match some("options.batch_rows", options.batch_rows)? {
        Some(rows) => made.batch_rows(rows),
        None => made,
    }
});

options!(JsonWriteOptions, RawJsonWrite, options => {
    reserved("options.reserved", options.reserved)?;
    let made = JsonWriteOptions::new()
        .skip_nulls(choice("options.skip_nulls", options.skip_nulls, &[false, true])?)
        .layout(choice("options.layout", options.layout, &WRITTEN_LAYOUTS)?);
    match choice("options.compression", options.compression, &TEXT_COMPRESSIONS)? {
        Some(compression) => made.compression(compression),
        None => made,
    }
});
