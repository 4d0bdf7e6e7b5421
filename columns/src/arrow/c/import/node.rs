//! An array checked against its type.

use super::super::abi::ArrowArray;
use super::super::path::Path;
use super::super::schema::MAX_CHILDREN;
use super::super::violation::Violation;
use crate::Result;
use arrow_schema::DataType;
use std::ffi::c_void;
use std::ptr::NonNull;

/// More rows than any memory holds: sizes in bytes are computed without a check below this.
const MAX_ROWS: i64 = i64::MAX / 64;

/// An array that has the buffers, children and dictionary that its type has, and lengths that may be.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    array: &'a ArrowArray,
    pub(super) offset: usize,
    pub(super) length: usize,
    /// `None`: the producer does not know.
    pub(super) null_count: Option<usize>,
}

impl<'a> Node<'a> {
    pub(super) fn new(array: &'a ArrowArray, data_type: &DataType, path: &Path<'_>) -> Result<Self> {
        // Views have any number of data buffers.
        let is_view = matches!(data_type, DataType::Utf8View | DataType::BinaryView);
        let buffers = buffers(data_type);
        // Known producers give nulls a validity buffer, as Arrow had it before version 0.15.
        let is_old_null = *data_type == DataType::Null && array.n_buffers == 1;
        let has_others = (is_view && array.n_buffers > buffers) || is_old_null;
        let found = if has_others { array.n_buffers } else { buffers };
        let is_dictionary = matches!(data_type, DataType::Dictionary(..));
        Self::checked(array, (found, children(data_type), is_dictionary), path)
    }

    /// An array of structs of so many fields.
    pub(super) fn of_struct(array: &'a ArrowArray, fields: usize, path: &Path<'_>) -> Result<Self> {
        Self::checked(array, (1, i64::try_from(fields).unwrap_or(i64::MAX), false), path)
    }

    fn checked(
        array: &'a ArrowArray,
        (buffers, children, is_dictionary): (i64, i64, bool),
        path: &Path<'_>,
    ) -> Result<Self> {
        if array.release.is_none() {
            return path.fail(Violation::Released { what: "array" });
        }
        let length = size("length", array.length, MAX_ROWS, path)?;
        let offset = size("offset", array.offset, MAX_ROWS - array.length, path)?;
        let null_count = match array.null_count {
            -1 => None,
            dictionaries => Some(size("null count", dictionaries, array.length, path)?),
        };
        for (what, number, expected, found) in [
            ("buffers", "number of buffers", buffers, array.n_buffers),
            ("children", "number of children", children, array.n_children),
        ] {
            if found < 0 {
                return path.fail(Violation::Size { what: number, found, reason: "it is negative" });
            }
            if found != expected {
                return path.fail(Violation::Count { what, expected, found });
            }
        }
        if usize::try_from(array.n_buffers).map_or(true, |buffers| buffers > MAX_CHILDREN) {
            return path.fail(Violation::TooMany { what: "buffers", limit: MAX_CHILDREN });
        }
        if buffers > 0 && array.buffers.is_null() {
            return path.fail(Violation::Null { what: "array of buffers" });
        }
        if children > 0 && array.children.is_null() {
            return path.fail(Violation::Null { what: "array of children" });
        }
        if is_dictionary == array.dictionary.is_null() {
            let (expected, found) = if is_dictionary { (1, 0) } else { (0, 1) };
            return path.fail(Violation::Count { what: "dictionaries", expected, found });
        }
        Ok(Self { array, offset, length, null_count })
    }

    /// The rows that the buffers hold: those of the array and those before.
    pub(super) fn end(&self) -> usize {
        self.offset + self.length
    }

    pub(super) fn buffer_count(&self) -> usize {
        usize::try_from(self.array.n_buffers).unwrap_or(0)
    }

    /// The address of a buffer; `None` for null.
    pub(super) fn buffer(&self, at: usize) -> Option<NonNull<u8>> {
        debug_assert!(at < self.buffer_count());
        // SAFETY: the maker of the wrapper promised so many addresses, and `new` checked that the array of them is not
        // null.
        let address: *const c_void = unsafe { *self.array.buffers.add(at) };
        NonNull::new(address.cast_mut().cast())
    }

    /// A child.
    pub(super) fn child(&self, at: usize, path: &Path<'_>) -> Result<&'a ArrowArray> {
        debug_assert!(i64::try_from(at).is_ok_and(|at| at < self.array.n_children));
        // SAFETY: as for buffers; each is a pointer to an array or null.
        let child = unsafe { (*self.array.children.add(at)).as_ref() };
        child.ok_or_else(|| path.error(Violation::Null { what: "array" }))
    }

    /// The values of a dictionary.
    pub(super) fn dictionary(&self, path: &Path<'_>) -> Result<&'a ArrowArray> {
        // SAFETY: an array or null, by the promise of the maker of the wrapper.
        let dictionary = unsafe { self.array.dictionary.as_ref() };
        dictionary.ok_or_else(|| path.error(Violation::Null { what: "array" }))
    }

    /// What tells this node of a tree from all others.
    pub(super) fn id(&self) -> usize {
        std::ptr::from_ref(self.array).addr()
    }
}

fn size(what: &'static str, found: i64, most: i64, path: &Path<'_>) -> Result<usize> {
    let reason = if found < 0 { "it is negative" } else { "it is too large" };
    usize::try_from(found)
        .ok()
        .filter(|_| found <= most)
        .ok_or_else(|| path.error(Violation::Size { what, found, reason }))
}

/// How many buffers an array has; a view at least these.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn buffers(data_type: &DataType) -> i64 {
    match data_type {
        DataType::Null | DataType::RunEndEncoded(..) => 0,
        DataType::Struct(_) | DataType::FixedSizeList(..) => 1,
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::Utf8View
        | DataType::BinaryView
        | DataType::ListView(_)
        | DataType::LargeListView(_) => 3,
        _ => 2,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn children(data_type: &DataType) -> i64 {
    match data_type {
        DataType::Struct(fields) => i64::try_from(fields.len()).unwrap_or(i64::MAX),
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_) => 1,
        DataType::RunEndEncoded(..) => 2,
        _ => 0,
    }
}
