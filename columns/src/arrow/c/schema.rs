//! Fields as schemas, and back.

use super::abi::{ARROW_FLAG_DICTIONARY_ORDERED, ARROW_FLAG_NULLABLE, ArrowSchema};
use super::format::{self, Format};
use super::owned::{Owned, OwnedSchema};
use super::path::Path;
use super::violation::Violation;
use crate::arrow::{dtype, field_dtype};
use crate::{Error, Result};
use arrow_schema::{DataType, Field};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::Arc;

/// No tree of types is deeper; a child that is its own parent is.
const MAX_DEPTH: usize = 64;
/// No type has more children.
pub(super) const MAX_CHILDREN: usize = 1 << 20;

/// What an exported schema owns.
struct Private {
    format: CString,
    name: CString,
    metadata: Option<Vec<u8>>,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

/// A field as a schema.
pub(super) fn export(field: &Field, path: &Path<'_>) -> Result<OwnedSchema> {
    let data_type = field.data_type();
    let inexpressible = |reason: String| path.error(Violation::Inexpressible { reason });
    let (format, fields) = format::write(data_type)
        .ok_or_else(|| inexpressible(format!("no format is written for {data_type}")))?;
    let text = |text: &str| {
        CString::new(text)
            .map_err(|_| inexpressible(format!("{text:?} has a zero byte, which C ends text at")))
    };
    let (format, name) = (text(&format)?, text(field.name())?);
    // Owned until nothing can fail any more.
    let children: Vec<OwnedSchema> =
        fields.iter().map(|child| export(child, &path.child(child.name()))).collect::<Result<_>>()?;
    let dictionary = match data_type {
        DataType::Dictionary(_, values) => {
            Some(export(&Field::new("", (**values).clone(), true), &path.child("dictionary"))?)
        }
        _ => None,
    };
    let mut flags = if field.is_nullable() { ARROW_FLAG_NULLABLE } else { 0 };
    if field.dict_is_ordered() == Some(true) {
        flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    }
    let boxed = |schema: OwnedSchema| Box::into_raw(Box::new(schema.into_raw()));
    let private = Box::into_raw(Box::new(Private {
        format,
        name,
        metadata: metadata(field).map_err(inexpressible)?,
        children: children.into_iter().map(boxed).collect(),
        dictionary: dictionary.map_or(ptr::null_mut(), boxed),
    }));
    // SAFETY: just made, and from now on owned by the schema, which never moves what is in the box.
    let held = unsafe { &mut *private };
    let schema = ArrowSchema {
        format: held.format.as_ptr(),
        name: held.name.as_ptr(),
        metadata: held.metadata.as_ref().map_or(ptr::null(), |bytes| bytes.as_ptr().cast()),
        flags,
        n_children: i64::try_from(held.children.len()).unwrap_or(i64::MAX),
        children: if held.children.is_empty() { ptr::null_mut() } else { held.children.as_mut_ptr() },
        dictionary: held.dictionary,
        release: Some(release),
        private_data: private.cast(),
    };
    // SAFETY: filled as the interface says.
    Ok(unsafe { Owned::from_raw(schema) })
}

/// Releases a schema of [`export`].
///
/// # Safety
/// `schema` points to one that is not released.
unsafe extern "C" fn release(schema: *mut ArrowSchema) {
    // SAFETY: the caller's promise; `private_data` is the box that `export` made, taken back once.
    let private = unsafe {
        (*schema).release = None;
        Box::from_raw((*schema).private_data.cast::<Private>())
    };
    for &child in
        private.children.iter().chain((!private.dictionary.is_null()).then_some(&private.dictionary))
    {
        // SAFETY: a box that `export` made; what the child holds is released unless a consumer moved it out.
        unsafe { drop(Owned::from_raw(*Box::from_raw(child))) };
    }
}

/// A field's metadata as the interface writes it; `None` when there is none.
fn metadata(field: &Field) -> std::result::Result<Option<Vec<u8>>, String> {
    let entries: BTreeMap<&str, &str> =
        field.metadata().iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    if entries.is_empty() {
        return Ok(None);
    }
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
    /// The name of the field; empty text where there is none.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`] when the schema is released or the name is not UTF-8.
    pub fn name(&self) -> Result<&str> {
        if self.is_released() {
            return Path::ROOT.fail(Violation::Released { what: "schema" });
        }
        // SAFETY: whoever made the wrapper promised a schema as the interface has it.
        Ok(unsafe { text(self.as_raw().name, "name", &Path::ROOT) }?.unwrap_or_default())
    }
}

/// A schema as a field of a type that has a dtype.
pub(super) fn import(schema: &OwnedSchema, path: &Path<'_>) -> Result<Field> {
    // SAFETY: whoever made the wrapper promised a schema as the interface has it.
    unsafe { read(schema.as_raw(), path) }
}

/// # Safety
/// What `schema` points to is as the interface says, where it is not null.
unsafe fn read(schema: &ArrowSchema, path: &Path<'_>) -> Result<Field> {
    if schema.release.is_none() {
        return path.fail(Violation::Released { what: "schema" });
    }
    if path.depth() > MAX_DEPTH {
        return path.fail(Violation::TooMany { what: "levels of types", limit: MAX_DEPTH });
    }
    // SAFETY: the caller's promise, here and below.
    let text = |pointer: *const c_char, what: &'static str| unsafe { text(pointer, what, path) };
    let Some(format) = text(schema.format, "format")? else {
        return path.fail(Violation::Null { what: "format" });
    };
    let name = text(schema.name, "name")?.unwrap_or_default();
    let parsed = format::parse(format).map_err(|violation| path.error(violation))?;
    let children = match &parsed {
        Format::Leaf(_) => 0,
        Format::List | Format::LargeList | Format::FixedSizeList(_) => 1,
        Format::Struct => schema.n_children,
    };
    if schema.n_children != children {
        return path.fail(Violation::Count {
            what: "children of the schema",
            expected: children,
            found: schema.n_children,
        });
    }
    let children = usize::try_from(children).ok().filter(|&children| children <= MAX_CHILDREN);
    let Some(children) = children else {
        return path.fail(Violation::TooMany { what: "children of the schema", limit: MAX_CHILDREN });
    };
    if children > 0 && schema.children.is_null() {
        return path.fail(Violation::Null { what: "array of the schema's children" });
    }
    let child = |at: usize| -> Result<Arc<Field>> {
        // SAFETY: there are so many pointers, each to a schema or null.
        let child = unsafe { (*schema.children.add(at)).as_ref() };
        let Some(child) = child else { return path.fail(Violation::Null { what: "child of the schema" }) };
        // SAFETY: as for the parent.
        let name = unsafe { self::text(child.name, "name", path)? }.unwrap_or_default();
        // SAFETY: as for the parent.
        unsafe { read(child, &path.child(name)) }.map(Arc::new)
    };
    let data_type = match parsed {
        Format::Leaf(leaf) => leaf,
        Format::List => DataType::List(child(0)?),
        Format::LargeList => DataType::LargeList(child(0)?),
        Format::FixedSizeList(length) => DataType::FixedSizeList(child(0)?, length),
        Format::Struct => DataType::Struct((0..children).map(child).collect::<Result<_>>()?),
    };
    // SAFETY: the caller's promise: a schema or null.
    let data_type = match unsafe { schema.dictionary.as_ref() } {
        None => data_type,
        Some(_) if !data_type.is_integer() => {
            return path.fail(Violation::Count { what: "dictionaries of the schema", expected: 0, found: 1 });
        }
        Some(dictionary) => {
            // SAFETY: as for the parent.
            let values = unsafe { read(dictionary, &path.child("dictionary"))? };
            DataType::Dictionary(Box::new(data_type), Box::new(values.data_type().clone()))
        }
    };
    // SAFETY: the caller's promise.
    let metadata = unsafe { read_metadata(schema.metadata, path)? };
    let ordered = schema.flags & ARROW_FLAG_DICTIONARY_ORDERED != 0;
    let is_dictionary = matches!(data_type, DataType::Dictionary(..));
    let field = Field::new(name, data_type, schema.flags & ARROW_FLAG_NULLABLE != 0).with_metadata(metadata);
    let field = if is_dictionary { field.with_dict_is_ordered(ordered) } else { field };
    check(&field, format, path)?;
    Ok(field)
}

/// An error unless the field, whose children were found good, has a dtype.
fn check(field: &Field, format: &str, path: &Path<'_>) -> Result<()> {
    // Structs are checked field by field, and as intervals.
    let checked = match field.data_type() {
        DataType::Struct(_) if field.metadata().is_empty() => return Ok(()),
        DataType::Struct(_) => field_dtype(field),
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) => return Ok(()),
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

/// # Safety
/// `metadata` is null or points to metadata as the interface writes it.
unsafe fn read_metadata(metadata: *const c_char, path: &Path<'_>) -> Result<HashMap<String, String>> {
    let mut entries = HashMap::new();
    if metadata.is_null() {
        return Ok(entries);
    }
    let mut at: *const u8 = metadata.cast();
    let length = |what: &'static str, at: &mut *const u8| -> Result<usize> {
        // SAFETY: the caller's promise: four bytes are there, however aligned.
        let found = i32::from_ne_bytes(unsafe { at.cast::<[u8; 4]>().read_unaligned() });
        // SAFETY: as above.
        *at = unsafe { at.add(4) };
        usize::try_from(found)
            .map_err(|_| path.error(Violation::Size { what, found: found.into(), reason: "it is negative" }))
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
        let key = entry(length("length of a metadata key", &mut at)?, &mut at);
        let value = entry(length("length of a metadata value", &mut at)?, &mut at);
        entries.insert(key, value);
    }
    Ok(entries)
}
