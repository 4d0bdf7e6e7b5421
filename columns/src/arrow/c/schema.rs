//! Fields as schemas, and back.

use super::abi::{ARROW_FLAG_DICTIONARY_ORDERED, ARROW_FLAG_NULLABLE, ArrowSchema};
use super::format::{self, Format, FormatString};
use super::options::OffsetLayout;
use super::owned::{Owned, OwnedSchema};
use super::path::Path;
use super::tree::{Family, Tree};
use super::violation::Violation;
use crate::accessor::Header;
use crate::arrow::{dtype, field_dtype};
use crate::{Column, ColumnAccessor, DType, Error, Label, Result};
use arrow_array::new_empty_array;
use arrow_schema::{DataType, Field};
use columnade_buffers::Exec;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::Arc;

/// No tree of types is deeper; a child that is its own parent is.
const MAX_DEPTH: usize = 64;
/// No type has more children.
pub(super) const MAX_CHILDREN: usize = 1 << 20;
/// No tree of types has more fields. Children that several parents share are met once for each: so a few schemas can say
/// more than there is time to read.
const MAX_FIELDS: usize = 1 << 21;

/// A field as a schema called `name`.
pub(super) fn export(name: &str, field: &Field) -> Result<OwnedSchema> {
    let mut exporter = Exporter::new(1);
    exporter.field(name, field, &Path::ROOT)?;
    Ok(exporter.finish())
}

/// The schema of a frame, a struct without nulls: one field for each label.
///
/// # Errors
/// [`Error::UnsupportedLabel`] for labels that are not strings; as [`export`].
pub(super) fn export_frame(labels: &[Label], fields: &[Field]) -> Result<OwnedSchema> {
    let mut exporter = Exporter::new(fields.len() + 1);
    let children = exporter.tree.reserve(fields.len());
    for (at, (label, field)) in children.clone().zip(labels.iter().zip(fields)) {
        let Some(name) = label.as_text() else {
            return Err(Error::UnsupportedLabel { label: label.clone() });
        };
        exporter.field(name, field, &Path::ROOT.child(name))?;
        exporter.tree.place(at);
    }
    let name = exporter.text("", &Path::ROOT)?;
    let texts = Texts { format: FormatText::Known(c"+s"), name, metadata: None };
    exporter.tree.add(Owned::released().into_raw(), texts, Family { children, dictionary: None });
    Ok(exporter.finish())
}

/// Where the texts of a schema are: positions in the text of the whole tree.
struct Texts {
    format: FormatText,
    name: Position,
    metadata: Option<Position>,
}

type Position = usize;

enum FormatText {
    Known(&'static CStr),
    At(Position),
}

/// One export of a tree, whose nodes have their names, metadata and formats with parameters in one text.
struct Exporter {
    tree: Tree<ArrowSchema, Texts, Vec<u8>>,
}

impl Exporter {
    fn new(nodes: usize) -> Self {
        Self { tree: Tree::new(nodes, Vec::with_capacity(nodes * 16)) }
    }

    /// Appends text, with the zero byte that C ends it with.
    fn text(&mut self, text: &str, path: &Path<'_>) -> Result<Position> {
        if text.as_bytes().contains(&0) {
            let reason = format!("{text:?} has a zero byte, which C ends text at");
            return path.fail(Violation::Inexpressible { reason });
        }
        let at = self.tree.shared.len();
        self.tree.shared.extend_from_slice(text.as_bytes());
        self.tree.shared.push(0);
        Ok(at)
    }

    fn field(&mut self, name: &str, field: &Field, path: &Path<'_>) -> Result<()> {
        let data_type = field.data_type();
        let inexpressible = |reason: String| path.error(Violation::Inexpressible { reason });
        let mut family = Family::default();
        let fields = format::children(data_type);
        family.children = self.tree.reserve(fields.len());
        for (at, child) in family.children.clone().zip(fields) {
            self.field(child.name(), child, &path.child(child.name()))?;
            self.tree.place(at);
        }
        if let DataType::Dictionary(_, values) = data_type {
            let at = self.tree.reserve(1).start;
            self.field("", &Field::new("", (**values).clone(), true), &path.child("dictionary"))?;
            self.tree.place(at);
            family.dictionary = Some(at);
        }
        let format = match format::write(data_type) {
            Some(FormatString::Known(known)) => FormatText::Known(known),
            Some(FormatString::Made(text)) => FormatText::At(self.text(&text, path)?),
            None => return Err(inexpressible(format!("no format is written for {data_type}"))),
        };
        let name = self.text(name, path)?;
        let metadata = metadata(field).map_err(inexpressible)?.map(|metadata| {
            let at = self.tree.shared.len();
            self.tree.shared.extend(metadata);
            at
        });
        let mut schema = Owned::<ArrowSchema>::released().into_raw();
        if field.is_nullable() {
            schema.flags |= ARROW_FLAG_NULLABLE;
        }
        if field.dict_is_ordered() == Some(true) {
            schema.flags |= ARROW_FLAG_DICTIONARY_ORDERED;
        }
        self.tree.add(schema, Texts { format, name, metadata }, family);
        Ok(())
    }

    fn finish(self) -> OwnedSchema {
        self.tree.finish(|schema, texts, text| {
            let at = |position: Position| text[position..].as_ptr().cast();
            schema.format = match texts.format {
                FormatText::Known(known) => known.as_ptr(),
                FormatText::At(position) => at(position),
            };
            schema.name = at(texts.name);
            schema.metadata = texts.metadata.map_or(ptr::null(), at);
        })
    }
}

/// A field's metadata as the interface writes it; `None` when there is none.
fn metadata(field: &Field) -> std::result::Result<Option<Vec<u8>>, String> {
    if field.metadata().is_empty() {
        return Ok(None);
    }
    let entries: BTreeMap<&str, &str> =
        field.metadata().iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let length = |length: usize| {
        i32::try_from(length).map(i32::to_ne_bytes).map_err(|_| "metadata of 2 GiB and more".to_owned())
    };
    let mut bytes = length(entries.len())?.to_vec();
    for text in entries.into_iter().flat_map(|(key, value)| [key, value]) {
        bytes.extend(length(text.len())?);
        bytes.extend(text.as_bytes());
    }
    Ok(Some(bytes))
}

impl OwnedSchema {
    /// The name of the field; the empty string if there is none.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`] when the schema is released or the name is not UTF-8.
    pub fn name(&self) -> Result<&str> {
        if self.is_released() {
            return Path::ROOT.fail(Violation::Released { what: "schema" });
        }
        // SAFETY: the maker of the wrapper promised a schema as the interface has it.
        Ok(unsafe { text(self.as_raw().name, "name", &Path::ROOT) }?.unwrap_or_default())
    }

    /// The dtype of arrays of the schema; for record batches a struct.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`] for an invalid schema and for types without a dtype.
    pub fn dtype(&self) -> Result<DType> {
        field_dtype(&import(self)?)
    }

    /// The width of the offsets that the schema asks for: 64 bits where a string, binary value or list has them, else 32
    /// bits where there is one with 32; as stored where there is none with either.
    ///
    /// # Errors
    /// Same as [`dtype`](Self::dtype).
    pub fn offset_layout(&self) -> Result<OffsetLayout> {
        Ok(widest_offsets(import(self)?.data_type()))
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn widest_offsets(data_type: &DataType) -> OffsetLayout {
    let wider = |left: OffsetLayout, right: OffsetLayout| match (left, right) {
        (OffsetLayout::I64, _) | (_, OffsetLayout::I64) => OffsetLayout::I64,
        (OffsetLayout::I32, _) | (_, OffsetLayout::I32) => OffsetLayout::I32,
        (OffsetLayout::AsStored, OffsetLayout::AsStored) => OffsetLayout::AsStored,
    };
    match data_type {
        DataType::LargeUtf8 | DataType::LargeBinary | DataType::LargeList(_) | DataType::LargeListView(_) => {
            OffsetLayout::I64
        }
        DataType::Utf8 | DataType::Binary => OffsetLayout::I32,
        DataType::List(item) | DataType::ListView(item) => {
            wider(OffsetLayout::I32, widest_offsets(item.data_type()))
        }
        DataType::RunEndEncoded(_, values) => widest_offsets(values.data_type()),
        DataType::FixedSizeList(item, _) => widest_offsets(item.data_type()),
        DataType::Struct(fields) => {
            let layouts = fields.iter().map(|field| widest_offsets(field.data_type()));
            layouts.fold(OffsetLayout::AsStored, wider)
        }
        DataType::Dictionary(_, values) => widest_offsets(values),
        _ => OffsetLayout::AsStored,
    }
}

/// A schema as a field of a type that has a dtype.
pub(super) fn import(schema: &OwnedSchema) -> Result<Field> {
    // SAFETY: the maker of the wrapper promised a schema as the interface has it.
    unsafe { read(schema.as_raw(), &Path::ROOT, &Budget::new(MAX_FIELDS)) }
}

/// A column of the field's type without rows.
pub(super) fn no_rows(field: &Field, exec: &Exec) -> Result<Column> {
    Column::from_arrow_field(&new_empty_array(field.data_type()), field)?.to_device(exec)
}

/// The types of the columns of frames, and what they are called: read once for all frames of a stream.
#[derive(Debug)]
pub(super) struct FrameSchema {
    pub(super) header: Header,
    /// One for each label, without a name.
    pub(super) fields: Vec<Field>,
}

impl FrameSchema {
    /// A schema of structs as one of frames.
    pub(super) fn import(schema: &OwnedSchema) -> Result<Self> {
        const PATH: &Path<'_> = &Path::ROOT;
        let schema = schema.as_raw();
        // SAFETY: the maker of the wrapper promised a schema as the interface has it, here and below.
        let (_, parsed) = unsafe { format_of(schema, PATH)? };
        if !matches!(parsed, Format::Struct) || !schema.dictionary.is_null() {
            // SAFETY: as above.
            let found = unsafe { read(schema, PATH, &Budget::new(MAX_FIELDS))? };
            let name = found.data_type();
            let reason = format!("{name} is no struct, which a frame comes as: it can be read as a column");
            return PATH.fail(Violation::Inexpressible { reason });
        }
        // SAFETY: as above.
        unsafe { read_metadata(schema.metadata, PATH)? };
        let count = children_of(schema, &parsed, PATH)?;
        let budget = Budget::new(MAX_FIELDS);
        let mut fields = Vec::with_capacity(count);
        let mut labels = Vec::with_capacity(count);
        for at in 0..count {
            // SAFETY: as above, and there are so many children.
            let (child, name) = unsafe { child_of(schema, at, PATH)? };
            // SAFETY: as above.
            fields.push(unsafe { read_as("", child, &PATH.child(name), &budget)? });
            labels.push(Label::from(name));
        }
        Ok(Self { header: Header::new(labels)?, fields })
    }

    /// The columns with their paths, in order.
    pub(super) fn fields(&self) -> impl Iterator<Item = (Path<'_>, &Field)> {
        let name = |label| Path::ROOT.child(Label::as_text(label).unwrap_or_default());
        self.header.labels().iter().map(name).zip(&self.fields)
    }

    /// The columns without rows.
    pub(super) fn no_rows(&self, exec: &Exec) -> Result<ColumnAccessor> {
        let columns = self.fields.iter().map(|field| no_rows(field, exec)).collect::<Result<_>>()?;
        self.header.over(columns, 0)
    }

    /// A struct.
    pub(super) fn dtype(&self) -> Result<DType> {
        let field = |(label, field): (&Label, &Field)| {
            let name = label.as_text().unwrap_or_default().to_owned();
            Ok(crate::Field { name, dtype: field_dtype(field)? })
        };
        let fields = self.header.labels().iter().zip(&self.fields).map(field);
        fields.collect::<Result<_>>().map(DType::Struct)
    }
}

/// The format of a schema, and what it says.
///
/// # Safety
/// What `schema` points to is as the interface says, where it is not null, and lives as long as the result.
unsafe fn format_of<'a>(schema: &'a ArrowSchema, path: &Path<'_>) -> Result<(&'a str, Format)> {
    if schema.release.is_none() {
        return path.fail(Violation::Released { what: "schema" });
    }
    if path.depth() > MAX_DEPTH {
        return path.fail(Violation::TooMany { what: "levels of types", limit: MAX_DEPTH });
    }
    // SAFETY: the caller's promise.
    let Some(format) = (unsafe { text(schema.format, "format", path)? }) else {
        return path.fail(Violation::Null { what: "format" });
    };
    let parsed = format::parse(format).map_err(|violation| path.error(violation))?;
    Ok((format, parsed))
}

/// How many children a schema has: as many as its format says.
fn children_of(schema: &ArrowSchema, format: &Format, path: &Path<'_>) -> Result<usize> {
    if schema.n_children < 0 {
        let (what, found) = ("number of children of the schema", schema.n_children);
        return path.fail(Violation::Size { what, found, reason: "it is negative" });
    }
    let expected = match format {
        Format::Leaf(_) => 0,
        Format::List
        | Format::LargeList
        | Format::FixedSizeList(_)
        | Format::ListView
        | Format::LargeListView => 1,
        Format::RunEnds => 2,
        Format::Struct => schema.n_children,
    };
    if schema.n_children != expected {
        let (what, found) = ("children of the schema", schema.n_children);
        return path.fail(Violation::Count { what, expected, found });
    }
    let children = usize::try_from(expected).ok().filter(|&children| children <= MAX_CHILDREN);
    let Some(children) = children else {
        return path.fail(Violation::TooMany { what: "children of the schema", limit: MAX_CHILDREN });
    };
    if children > 0 && schema.children.is_null() {
        return path.fail(Violation::Null { what: "array of the schema's children" });
    }
    Ok(children)
}

/// A child and its name.
///
/// # Safety
/// Same as [`format_of`]; there are more than `at` children.
unsafe fn child_of<'a>(
    schema: &'a ArrowSchema,
    at: usize,
    path: &Path<'_>,
) -> Result<(&'a ArrowSchema, &'a str)> {
    // SAFETY: there are so many pointers, each to a schema or null.
    let Some(child) = (unsafe { (*schema.children.add(at)).as_ref() }) else {
        return path.fail(Violation::Null { what: "child of the schema" });
    };
    // SAFETY: the caller's promise.
    let name = unsafe { text(child.name, "name", path)? }.unwrap_or_default();
    Ok((child, name))
}

/// How many fields of a tree may still be read.
type Budget = Cell<usize>;

/// # Safety
/// Same as [`format_of`].
unsafe fn read(schema: &ArrowSchema, path: &Path<'_>, budget: &Budget) -> Result<Field> {
    if schema.release.is_none() {
        return path.fail(Violation::Released { what: "schema" });
    }
    // SAFETY: the caller's promise.
    unsafe { read_as(text(schema.name, "name", path)?.unwrap_or_default(), schema, path, budget) }
}

/// Like [`read`], whatever name the schema has.
///
/// # Safety
/// Same as [`format_of`].
unsafe fn read_as(name: &str, schema: &ArrowSchema, path: &Path<'_>, budget: &Budget) -> Result<Field> {
    let Some(left) = budget.get().checked_sub(1) else {
        return path.fail(Violation::TooMany { what: "fields in all", limit: MAX_FIELDS });
    };
    budget.set(left);
    // SAFETY: the caller's promise.
    let (format, parsed) = unsafe { format_of(schema, path)? };
    let children = children_of(schema, &parsed, path)?;
    let child = |at: usize| -> Result<Arc<Field>> {
        // SAFETY: as for the parent; there are so many.
        let (child, name) = unsafe { child_of(schema, at, path)? };
        // SAFETY: as for the parent.
        unsafe { read_as(name, child, &path.child(name), budget) }.map(Arc::new)
    };
    let data_type = match parsed {
        Format::Leaf(leaf) => leaf,
        Format::List => DataType::List(child(0)?),
        Format::LargeList => DataType::LargeList(child(0)?),
        Format::FixedSizeList(length) => DataType::FixedSizeList(child(0)?, length),
        Format::Struct => DataType::Struct((0..children).map(child).collect::<Result<_>>()?),
        Format::ListView => DataType::ListView(child(0)?),
        Format::LargeListView => DataType::LargeListView(child(0)?),
        Format::RunEnds => {
            let (ends, values) = (child(0)?, child(1)?);
            if !matches!(ends.data_type(), DataType::Int16 | DataType::Int32 | DataType::Int64) {
                let name = format!("runs whose ends are {}", ends.data_type());
                return path.fail(Violation::Unsupported { format: format.to_owned(), name });
            }
            DataType::RunEndEncoded(ends, values)
        }
    };
    // SAFETY: the caller's promise: a schema or null.
    let data_type = match unsafe { schema.dictionary.as_ref() } {
        None => data_type,
        Some(_) if !data_type.is_integer() => {
            return path.fail(Violation::Count { what: "dictionaries of the schema", expected: 0, found: 1 });
        }
        Some(dictionary) => {
            // SAFETY: as for the parent.
            let values = unsafe { read(dictionary, &path.child("dictionary"), budget)? };
            DataType::Dictionary(Box::new(data_type), Box::new(values.data_type().clone()))
        }
    };
    let is_dictionary = matches!(data_type, DataType::Dictionary(..));
    let mut field = Field::new(name, data_type, schema.flags & ARROW_FLAG_NULLABLE != 0);
    // SAFETY: the caller's promise.
    if let Some(metadata) = unsafe { read_metadata(schema.metadata, path)? } {
        field.set_metadata(metadata);
    }
    if is_dictionary {
        field = field.with_dict_is_ordered(schema.flags & ARROW_FLAG_DICTIONARY_ORDERED != 0);
    }
    check(&field, format, path)?;
    Ok(field)
}

/// An error unless the field, whose children were found good, has a dtype.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn check(field: &Field, format: &str, path: &Path<'_>) -> Result<()> {
    // Structs are checked field by field, and as intervals.
    let checked = match field.data_type() {
        DataType::Struct(_) if field.metadata().is_empty() => return Ok(()),
        DataType::Struct(_) => field_dtype(field),
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_)
        | DataType::RunEndEncoded(..) => return Ok(()),
        leaf => dtype(leaf),
    };
    match checked {
        Ok(_) => Ok(()),
        Err(Error::NotImplemented { .. }) => {
            let name = field.data_type().to_string();
            path.fail(Violation::Unsupported { format: format.to_owned(), name })
        }
        Err(error) => Err(path.locate(error)),
    }
}

/// Text that C ends with a zero byte; `None` for null.
///
/// # Safety
/// `pointer` is null or points to such text, which lives as long as the result.
unsafe fn text<'a>(pointer: *const c_char, what: &'static str, path: &Path<'_>) -> Result<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map(Some).map_err(|_| path.error(Violation::Utf8 { what: what.to_owned() }))
}

/// The longest metadata key that is read. A length says how far to read and nothing else does, so that a corrupt one
/// would be followed out of the producer's memory.
const MAX_METADATA_KEY: usize = 1 << 20;
/// The longest metadata value that is read; schemas of other libraries, written as text, take megabytes.
const MAX_METADATA_VALUE: usize = 1 << 28;

/// # Safety
/// `metadata` is null or points to metadata as the interface writes it.
unsafe fn read_metadata(metadata: *const c_char, path: &Path<'_>) -> Result<Option<HashMap<String, String>>> {
    if metadata.is_null() {
        return Ok(None);
    }
    let mut entries = HashMap::new();
    let mut at: *const u8 = metadata.cast();
    let length = |what: &'static str, at: &mut *const u8| -> Result<usize> {
        // SAFETY: the caller's promise: four bytes are there, however aligned.
        let found = i32::from_ne_bytes(unsafe { at.cast::<[u8; 4]>().read_unaligned() });
        // SAFETY: as above.
        *at = unsafe { at.add(4) };
        usize::try_from(found)
            .map_err(|_| path.error(Violation::Size { what, found: found.into(), reason: "it is negative" }))
    };
    let require = |what: &'static str, length: usize, most: usize| {
        let found = i64::try_from(length).unwrap_or(i64::MAX);
        let reason = "it is larger than any producer's";
        if length > most { path.fail(Violation::Size { what, found, reason }) } else { Ok(length) }
    };
    let entry = |length: usize, at: &mut *const u8| {
        // SAFETY: the caller's promise: so many bytes are there.
        let bytes = unsafe { std::slice::from_raw_parts(*at, length) };
        // SAFETY: as above.
        *at = unsafe { at.add(length) };
        String::from_utf8_lossy(bytes).into_owned()
    };
    let count = length("number of metadata entries", &mut at)?;
    if count > MAX_CHILDREN {
        return path.fail(Violation::TooMany { what: "metadata entries", limit: MAX_CHILDREN });
    }
    for _ in 0..count {
        let (key, value) = ("length of a metadata key", "length of a metadata value");
        let key = entry(require(key, length(key, &mut at)?, MAX_METADATA_KEY)?, &mut at);
        let value = entry(require(value, length(value, &mut at)?, MAX_METADATA_VALUE)?, &mut at);
        entries.insert(key, value);
    }
    Ok(Some(entries))
}
