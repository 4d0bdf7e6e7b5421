//! The walk over a tree of arrays.

use super::super::abi::ArrowArray;
use super::super::options::{CopyPolicy, ImportOptions, Validation};
use super::super::path::Path;
use super::super::violation::Violation;
use super::Keeper;
use super::check::check;
use super::dictionary_cache::DictionaryCache;
use super::node::Node;
use super::offsets::{OffsetBounds, offset_width};
use crate::arrow::half;
use crate::arrow::import::{IN_NO_MEMORY, is_beyond_reason, regular};
use crate::arrow::schema::{closed_of, dtype};
use crate::column::bytes::BytesLayout;
use crate::column::fixed::FixedLayout;
use crate::column::offsets::Offsets;
use crate::column::rows::{Rows, SLICE_STEP_ROWS};
use crate::foreign::is_possible;
use crate::{Column, DType, Error, IntervalColumn, ListColumn, NullColumn, Result, StructColumn};
use arrow_schema::{DataType, Field, Fields};
use columnade_buffers::{Buffer, Device, Exec, ForeignMemory};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Fixed, OffsetWidth, Storage};
use std::ptr::NonNull;
use std::sync::{Arc, LazyLock};

/// Masks, and values that are bits, are read in words of this many bytes.
const MASK_ALIGNMENT: usize = 4;

/// One import of a tree.
pub(super) struct Importer<'a> {
    pub(super) exec: &'a Exec,
    pub(super) options: &'a ImportOptions,
    /// All that is shared of the tree.
    memory: ForeignMemory,
    pub(super) offsets: OffsetBounds,
    pub(super) dictionaries: &'a DictionaryCache,
    pub(super) keeper: &'a Arc<Keeper>,
}

impl<'a> Importer<'a> {
    pub(super) fn new(
        exec: &'a Exec,
        options: &'a ImportOptions,
        keeper: &'a Arc<Keeper>,
        dictionaries: &'a DictionaryCache,
    ) -> Self {
        let memory = ForeignMemory::new(Arc::clone(keeper), exec);
        Self { exec, options, memory, offsets: OffsetBounds::new(), dictionaries, keeper }
    }

    /// An array of the type of `field` as a column.
    pub(super) fn column(&self, array: &ArrowArray, field: &Field, path: &Path<'_>) -> Result<Column> {
        let node = Node::new(array, field.data_type(), path)?;
        let column = self.unsliced(&node, field, path).map_err(|error| path.locate(error))?;
        if self.options.validate == Validation::Full {
            check(&column, &node, path, self.exec).map_err(|error| path.locate(error))?;
        }
        // Rows far before the first are left out of the buffers, and all of them where there are none.
        let most = if node.length > 0 { SLICE_STEP_ROWS } else { 1 };
        if column.size() == node.length && column.offset() < most {
            return Ok(column);
        }
        column.slice(0, node.length)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn unsliced(&self, node: &Node<'_>, field: &Field, path: &Path<'_>) -> Result<Column> {
        let data_type = field.data_type();
        match data_type {
            DataType::Null => Ok(Column::Null(NullColumn::new(node.length, self.exec.device()))),
            DataType::Dictionary(codes, values) if dtype(data_type)?.is_nested() => {
                self.nested_dictionary(node, codes, values, path)
            }
            DataType::Dictionary(codes, values) => {
                let ordered = field.dict_is_ordered() == Some(true);
                self.dictionary(node, codes, values, ordered, path).map(Column::Categorical)
            }
            DataType::Utf8 | DataType::LargeUtf8 => self.bytes(node, &DType::Utf8, data_type, path),
            DataType::Binary | DataType::LargeBinary => self.bytes(node, &DType::Binary, data_type, path),
            DataType::Utf8View => self.views(node, &DType::Utf8, path),
            DataType::BinaryView => self.views(node, &DType::Binary, path),
            DataType::FixedSizeBinary(width) => self.fixed_size_bytes(node, row_length(*width, path)?, path),
            DataType::List(item) | DataType::LargeList(item) => self.list(node, item, data_type, path),
            DataType::FixedSizeList(item, length) => {
                self.fixed_size_list(node, item, row_length(*length, path)?, path)
            }
            DataType::Struct(fields) => self.structure(node, field, fields, path),
            DataType::Float16 => self.half_floats(node, path),
            DataType::ListView(item) => self.list_view(node, item, OffsetWidth::I32, path),
            DataType::LargeListView(item) => self.list_view(node, item, OffsetWidth::I64, path),
            DataType::RunEndEncoded(ends, values) => self.run_ends(node, ends, values, path),
            DataType::Interval(unit) => self.calendar_intervals(node, *unit, path),
            DataType::Decimal256(..) => self.wide_decimals(node, &dtype(data_type)?, path),
            _ => self.fixed(node, &dtype(data_type)?, path),
        }
    }

    /// `len` bytes of the array's as they are, aligned or not.
    pub(super) fn share(
        &self,
        what: &'static str,
        address: NonNull<u8>,
        len: usize,
        path: &Path<'_>,
    ) -> Result<Buffer> {
        require_possible(what, address, len, path)?;
        // SAFETY: the maker of the wrapper promised initialised memory of the device, as long as the rows say, until the
        // array is released, which the keeper does when it is dropped or, when the import fails, the caller does after
        // this and all work with it is gone; the stream waits for the producer.
        Ok(unsafe { self.memory.buffer(address, len) })
    }

    /// `len` bytes of one of the array's buffers, copied where they are not aligned or are to be copied anyway.
    pub(super) fn buffer(
        &self,
        node: &Node<'_>,
        at: usize,
        (what, len, alignment): (&'static str, usize, usize),
        path: &Path<'_>,
    ) -> Result<Buffer> {
        if len == 0 {
            return self.zeros(0);
        }
        let Some(address) = node.buffer(at) else { return path.fail(Violation::Null { what }) };
        let shared = self.share(what, address, len, path)?;
        if !address.as_ptr().addr().is_multiple_of(alignment) {
            self.needs_copy("its memory is not aligned", path)?;
            return Ok(shared.copy_to(self.exec)?);
        }
        match self.options.copy {
            CopyPolicy::Always => Ok(shared.copy_to(self.exec)?),
            CopyPolicy::Never | CopyPolicy::IfNeeded => Ok(shared),
        }
    }

    /// An error where copies are not allowed.
    pub(super) fn needs_copy(&self, reason: &'static str, path: &Path<'_>) -> Result<()> {
        match self.options.copy {
            CopyPolicy::Never => path.fail(Violation::NeedsCopy { reason }),
            CopyPolicy::IfNeeded | CopyPolicy::Always => Ok(()),
        }
    }

    /// Which rows there are and which are null. That there is none is the producer's word; their number is
    /// counted on demand.
    pub(super) fn rows(&self, node: &Node<'_>, path: &Path<'_>) -> Result<Rows> {
        let (offset, length) = (node.offset, node.length);
        let claimed = node.null_count;
        let full = self.options.validate == Validation::Full;
        if node.buffer(0).is_none() || length == 0 || (claimed == Some(0) && !full) {
            if let Some(nulls) = claimed.filter(|&nulls| nulls > 0 && length > 0) {
                let found = i64::try_from(nulls).unwrap_or(i64::MAX);
                let reason = "there is no validity buffer";
                return path.fail(Violation::Size { what: "null count", found, reason });
            }
            return Rows::new(None, offset, length, self.exec.device());
        }
        let mask = self.buffer(node, 0, ("validity buffer", node.end().div_ceil(8), MASK_ALIGNMENT), path)?;
        let rows = Rows::new(Some(mask), offset, length, self.exec.device())?;
        if let Some(claimed) = claimed.filter(|_| full) {
            let counted = rows.null_count(self.exec)?;
            if counted != claimed {
                let found = i64::try_from(claimed).unwrap_or(i64::MAX);
                let reason = "the validity buffer says otherwise";
                return path.fail(Violation::Size { what: "null count", found, reason });
            }
            if counted == 0 {
                return Rows::new(None, offset, length, self.exec.device());
            }
        }
        Ok(rows)
    }

    /// Values that are stored as `storage`.
    pub(super) fn layout(&self, node: &Node<'_>, storage: Storage, path: &Path<'_>) -> Result<FixedLayout> {
        let alignment = storage.width().unwrap_or(MASK_ALIGNMENT);
        let data = self.buffer(node, 1, ("values buffer", storage.bytes(node.end()), alignment), path)?;
        Ok(FixedLayout { storage, data, rows: self.rows(node, path)? })
    }

    fn fixed(&self, node: &Node<'_>, dtype: &DType, path: &Path<'_>) -> Result<Column> {
        let storage = dtype.storage().ok_or_else(|| unsupported(dtype))?;
        let layout = self.layout(node, storage, path)?;
        Column::from_layout(dtype, layout).ok_or_else(|| unsupported(dtype))
    }

    fn half_floats(&self, node: &Node<'_>, path: &Path<'_>) -> Result<Column> {
        self.needs_copy("float16 becomes float32", path)?;
        let halves = self.layout(node, Storage::U16, path)?;
        half::widened(&halves.to_device(&Exec::host())?)?.to_device(self.exec)
    }

    /// The values in another width, that holds all of them.
    pub(super) fn widened(&self, layout: FixedLayout, to: Storage, path: &Path<'_>) -> Result<FixedLayout> {
        if layout.storage == to {
            return Ok(layout);
        }
        self.needs_copy("its values are stored in another width here", path)?;
        let rows = &layout.rows;
        let input = Fixed {
            storage: layout.storage,
            data: &layout.data,
            validity: rows.mask.as_ref(),
            offset: rows.offset,
            len: rows.size,
        };
        FixedLayout::from_data(cast(&input, to, CastMode::Wrap, self.exec)?)
    }

    /// The offsets of a node, and where the last one ends.
    fn offsets(
        &self,
        node: &Node<'_>,
        data_type: &DataType,
        path: &Path<'_>,
    ) -> Result<(Offsets, Rows, usize)> {
        let width = offset_width(data_type).unwrap_or(OffsetWidth::I32);
        if node.length == 0 {
            // Arrays without rows may have no offsets at all.
            let rows = Rows::new(None, 0, 0, self.exec.device())?;
            let buffer = self.zeros(width.bytes())?;
            return Ok((Offsets { buffer, width }, rows, 0));
        }
        let span = self.span(node, width, path)?;
        let bytes = (node.end() + 1) * width.bytes();
        let buffer = self.buffer(node, 1, ("offsets buffer", bytes, width.bytes()), path)?;
        Ok((Offsets { buffer, width }, self.rows(node, path)?, span.end))
    }

    /// At most one offset, which is zero, or nothing at all: on the host always the same.
    fn zeros(&self, bytes: usize) -> Result<Buffer> {
        static ZERO: i64 = 0;
        // SAFETY: static, initialised memory of the host that is never written.
        static NO_ROWS: LazyLock<Buffer> = LazyLock::new(|| unsafe {
            Buffer::from_foreign(NonNull::from(&ZERO).cast(), size_of_val(&ZERO), (), &Exec::host())
        });
        match self.exec.device() {
            Device::Host => Ok(NO_ROWS.slice(0, bytes)),
            Device::Sim | Device::Cuda(_) => Ok(Buffer::zeroed(bytes, self.exec)?),
        }
    }

    fn bytes(&self, node: &Node<'_>, dtype: &DType, data_type: &DataType, path: &Path<'_>) -> Result<Column> {
        let (offsets, rows, end) = self.offsets(node, data_type, path)?;
        let bytes = self.buffer(node, 2, ("data buffer", end, 1), path)?;
        Ok(Column::from_bytes(dtype, BytesLayout::of_parts(offsets, bytes, rows)))
    }

    fn fixed_size_bytes(&self, node: &Node<'_>, width: usize, path: &Path<'_>) -> Result<Column> {
        let len = end_of(node, width, path)?;
        let bytes = self.buffer(node, 1, ("values buffer", len, 1), path)?;
        let rows = self.rows(node, path)?;
        let offsets = self.regular(node, width, bytes.len(), path)?;
        Ok(Column::from_bytes(&DType::Binary, BytesLayout::of_parts(offsets, bytes, rows)))
    }

    /// Offsets of rows of one length, whose values, all there, take so many bytes.
    fn regular(&self, node: &Node<'_>, length: usize, values: usize, path: &Path<'_>) -> Result<Offsets> {
        let values = if length == 0 { 0 } else { values };
        if is_beyond_reason(node.end(), node.buffer(0).is_some(), values) {
            let found = i64::try_from(node.end()).unwrap_or(i64::MAX);
            return path.fail(Violation::Size { what: "length", found, reason: IN_NO_MEMORY });
        }
        regular(length, node.end(), self.exec)
    }

    fn list(&self, node: &Node<'_>, item: &Field, data_type: &DataType, path: &Path<'_>) -> Result<Column> {
        let item_path = path.child(item.name());
        let items = self.column(node.child(0, &item_path)?, item, &item_path)?;
        let (offsets, rows, end) = self.offsets(node, data_type, path)?;
        if end > items.size() {
            let found = i64::try_from(end).unwrap_or(i64::MAX);
            return path.fail(Violation::Offset {
                row: node.end(),
                found,
                reason: "which is beyond the items",
            });
        }
        Ok(Column::List(ListColumn { offsets, items: Arc::new(items), rows }))
    }

    fn fixed_size_list(
        &self,
        node: &Node<'_>,
        item: &Field,
        length: usize,
        path: &Path<'_>,
    ) -> Result<Column> {
        let item_path = path.child(item.name());
        let items = self.column(node.child(0, &item_path)?, item, &item_path)?;
        enough(&items, end_of(node, length, path)?, &item_path)?;
        let offsets = self.regular(node, length, items.memory_bytes(), path)?;
        Ok(Column::List(ListColumn { offsets, items: Arc::new(items), rows: self.rows(node, path)? }))
    }

    fn structure(&self, node: &Node<'_>, field: &Field, fields: &Fields, path: &Path<'_>) -> Result<Column> {
        let child = |(at, field): (usize, &Arc<Field>)| {
            let path = path.child(field.name());
            let column = self.column(node.child(at, &path)?, field, &path)?;
            enough(&column, node.end(), &path)?;
            Ok(Arc::new(column))
        };
        let children: Vec<Arc<Column>> = fields.iter().enumerate().map(child).collect::<Result<_>>()?;
        let rows = self.rows(node, path)?;
        if let (Some(closed), [left, right]) = (closed_of(field)?, children.as_slice()) {
            let (left, right) = (Arc::clone(left), Arc::clone(right));
            return IntervalColumn::from_parts(left, right, closed, rows).map(Column::Interval);
        }
        let names = fields.iter().map(|field| field.name().clone()).collect();
        StructColumn::from_parts(names, children.into(), rows, self.exec.device()).map(Column::Struct)
    }

    /// The column on the host.
    pub(super) fn here(&self, column: &Column) -> Result<Column> {
        match self.exec.device() {
            Device::Host => Ok(column.clone()),
            Device::Sim | Device::Cuda(_) => column.to_device(&Exec::host()),
        }
    }
}

/// An error for memory that cannot be.
pub(super) fn require_possible(
    what: &'static str,
    address: NonNull<u8>,
    len: usize,
    path: &Path<'_>,
) -> Result<()> {
    if is_possible(address, len) {
        return Ok(());
    }
    let found = i64::try_from(len).unwrap_or(i64::MAX);
    path.fail(Violation::Size { what, found, reason: "it is larger than any memory" })
}

/// The length of every row of a fixed-size dtype.
fn row_length(length: i32, path: &Path<'_>) -> Result<usize> {
    usize::try_from(length).map_err(|_| {
        path.error(Violation::Size { what: "fixed size", found: length.into(), reason: "it is negative" })
    })
}

/// Where the last of a node's rows ends, which are all of one length.
fn end_of(node: &Node<'_>, length: usize, path: &Path<'_>) -> Result<usize> {
    let end = node.end().checked_mul(length);
    end.filter(|&end| isize::try_from(end).is_ok()).ok_or_else(|| {
        let found = i64::try_from(node.end()).unwrap_or(i64::MAX);
        path.error(Violation::Size { what: "length", found, reason: "it is too large" })
    })
}

/// An error unless a child has the rows that its parent uses.
pub(super) fn enough(child: &Column, rows: usize, path: &Path<'_>) -> Result<()> {
    if child.size() >= rows {
        return Ok(());
    }
    let found = i64::try_from(child.size()).unwrap_or(i64::MAX);
    path.fail(Violation::Size { what: "length", found, reason: "its parent has more rows" })
}

fn unsupported(dtype: &DType) -> Error {
    Error::UnsupportedDType { dtype: dtype.clone() }
}
