//! Columns and frames as arrays.

use super::abi::{ArrowArray, ArrowDeviceArray};
use super::device::{EventCell, name_of};
use super::options::{DecimalWidth, ExportOptions, Handover, NullCounts, OffsetLayout};
use super::owned::{Owned, OwnedArray, OwnedDeviceArray, OwnedSchema};
use super::path::Path;
use super::schema;
use super::violation::Violation;
use crate::column::rows::same_device;
use crate::{Column, ColumnAccessor, Error, Result};
use arrow_schema::{DataType, Field, Fields};
use columnade_buffers::{Buffer, Device, Exec, Lease};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Fixed, OffsetWidth, Storage};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

const OP: &str = "to_arrow_c";

impl Column {
    /// The column as a schema called `name` and an array of the host, sharing memory; a column of another device is
    /// copied to the host.
    ///
    /// Nulls are counted. What the column promises of its text, offsets and codes is passed on unchecked.
    ///
    /// # Errors
    /// [`Error::Overflow`] for offsets that do not fit the width asked for; [`Error::ArrowInterface`] for a name that
    /// C cannot write; [`Error::Memory`].
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::to_ffi`.
    pub fn to_arrow_c(&self, name: &str, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        let exec = Exec::host();
        let column = if self.device() == Device::Host { self.clone() } else { self.to_device(&exec)? };
        let field = exported_field(&column, name, *options);
        let schema = schema::export(&field, &Path::ROOT)?;
        let array = Exporter::new(&exec, *options).column(&column, field.data_type(), &Path::ROOT)?;
        Ok((schema, array))
    }

    /// The column as a schema called `name` and an array of the device of `exec`, which is the column's, sharing memory.
    /// The event, where there is one, covers all work that fills the buffers, whatever stream it was queued on.
    ///
    /// # Errors
    /// As [`Column::to_arrow_c`]; [`Error::Memory`] when the column is on another device.
    ///
    /// # Device
    /// One event, and a wait for each stream that wrote a buffer last, `exec`'s excepted; a synchronisation as the
    /// options say.
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `Array._export_to_c_device`.
    pub fn to_arrow_c_device(
        &self,
        name: &str,
        options: &ExportOptions,
        exec: &Exec,
    ) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        let field = exported_field(self, name, *options);
        let schema = schema::export(&field, &Path::ROOT)?;
        let exporter = Exporter::new(exec, *options);
        let array = exporter.column(self, field.data_type(), &Path::ROOT)?;
        Ok((schema, exporter.hand_over(array)?))
    }
}

impl ColumnAccessor {
    /// The schema of what the methods below export.
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not text; [`Error::ArrowInterface`] for one that C cannot write.
    pub fn to_arrow_c_schema(&self, options: &ExportOptions) -> Result<OwnedSchema> {
        schema::export(&exported_struct(self, *options)?, &Path::ROOT)
    }

    /// The columns as an array of structs of the host: see [`Column::to_arrow_c`].
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not text; as [`Column::to_arrow_c`].
    ///
    /// # Source
    /// pyarrow `RecordBatch._export_to_c`.
    pub fn to_arrow_c(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        let field = exported_struct(self, *options)?;
        Ok((schema::export(&field, &Path::ROOT)?, frame_of_host(self, &field, *options)?))
    }

    /// The columns as an array of structs of the device of `exec`, which is theirs: see [`Column::to_arrow_c_device`].
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not text; as [`Column::to_arrow_c_device`].
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `RecordBatch._export_to_c_device`.
    pub fn to_arrow_c_device(
        &self,
        options: &ExportOptions,
        exec: &Exec,
    ) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        let field = exported_struct(self, *options)?;
        Ok((schema::export(&field, &Path::ROOT)?, frame_of_device(self, &field, *options, exec)?))
    }
}

/// The columns as the struct that `field` says, on the host.
pub(super) fn frame_of_host(
    frame: &ColumnAccessor,
    field: &Field,
    options: ExportOptions,
) -> Result<OwnedArray> {
    let exec = Exec::host();
    if frame.columns().iter().all(|column| column.device() == Device::Host) {
        return Exporter::new(&exec, options).frame(frame, field);
    }
    let here = frame.map(OP, frame.rows(), |column| column.to_device(&exec))?;
    Exporter::new(&exec, options).frame(&here, field)
}

/// The columns as the struct that `field` says, on the device of `exec`.
pub(super) fn frame_of_device(
    frame: &ColumnAccessor,
    field: &Field,
    options: ExportOptions,
    exec: &Exec,
) -> Result<OwnedDeviceArray> {
    let exporter = Exporter::new(exec, options);
    let array = exporter.frame(frame, field)?;
    exporter.hand_over(array)
}

/// The field of an exported column.
fn exported_field(column: &Column, name: &str, options: ExportOptions) -> Field {
    laid_out(column.arrow_field(name), options)
}

/// The field of exported columns: a struct without nulls.
pub(super) fn exported_struct(frame: &ColumnAccessor, options: ExportOptions) -> Result<Field> {
    let field = |(label, column): (&crate::Label, &Column)| {
        let name = label.as_text().ok_or_else(|| Error::UnsupportedLabel { op: OP, label: label.clone() })?;
        Ok(exported_field(column, name, options))
    };
    let fields = frame.iter().map(field).collect::<Result<Fields>>()?;
    Ok(Field::new("", DataType::Struct(fields), false))
}

/// The field with offsets and decimals of the widths asked for.
fn laid_out(field: Field, options: ExportOptions) -> Field {
    let item = |field: &Arc<Field>| Arc::new(laid_out((**field).clone(), options));
    let data_type = match (field.data_type().clone(), options.offsets) {
        (DataType::Utf8, OffsetLayout::I64) => DataType::LargeUtf8,
        (DataType::LargeUtf8, OffsetLayout::I32) => DataType::Utf8,
        (DataType::Binary, OffsetLayout::I64) => DataType::LargeBinary,
        (DataType::LargeBinary, OffsetLayout::I32) => DataType::Binary,
        (DataType::List(child), OffsetLayout::I64) => DataType::LargeList(item(&child)),
        (DataType::LargeList(child), OffsetLayout::I32) | (DataType::List(child), _) => {
            DataType::List(item(&child))
        }
        (DataType::LargeList(child), _) => DataType::LargeList(item(&child)),
        (DataType::Struct(fields), _) => DataType::Struct(fields.iter().map(item).collect()),
        (DataType::Decimal64(precision, scale), _) if options.decimals == DecimalWidth::Bits128 => {
            DataType::Decimal128(precision, scale)
        }
        (DataType::Dictionary(codes, values), _) => {
            let values = laid_out(Field::new("", *values, true), options);
            DataType::Dictionary(codes, Box::new(values.data_type().clone()))
        }
        (other, _) => other,
    };
    field.with_data_type(data_type)
}

/// What an exported array owns: each node of the tree its own part, for consumers may take trees apart.
struct Private {
    buffers: SmallVec<[*const c_void; 3]>,
    children: SmallVec<[*mut ArrowArray; 2]>,
    dictionary: *mut ArrowArray,
    _leases: SmallVec<[Lease; 3]>,
    _event: Option<Arc<EventCell>>,
}

/// One export of a tree.
struct Exporter<'a> {
    exec: &'a Exec,
    options: ExportOptions,
    event: Option<Arc<EventCell>>,
}

/// A node of a tree before its parts are given away.
#[derive(Default)]
struct Node {
    length: usize,
    offset: usize,
    null_count: Option<usize>,
    buffers: SmallVec<[*const c_void; 3]>,
    leases: SmallVec<[Lease; 3]>,
    children: SmallVec<[OwnedArray; 2]>,
    dictionary: Option<OwnedArray>,
}

impl<'a> Exporter<'a> {
    fn new(exec: &'a Exec, options: ExportOptions) -> Self {
        let events = exec.device() != Device::Host && options.handover == Handover::Event;
        Self { exec, options, event: events.then(|| Arc::new(EventCell::new())) }
    }

    fn frame(&self, frame: &ColumnAccessor, field: &Field) -> Result<OwnedArray> {
        let DataType::Struct(fields) = field.data_type() else {
            return Path::ROOT.fail(Violation::Inexpressible { reason: format!("{field} is no frame") });
        };
        let children = fields
            .iter()
            .zip(frame.columns())
            .map(|(field, column)| self.column(column, field.data_type(), &Path::ROOT.child(field.name())))
            .collect::<Result<_>>()?;
        let buffers = SmallVec::from_iter([ptr::null()]);
        let node = Node { length: frame.rows(), null_count: Some(0), buffers, children, ..Node::default() };
        Ok(self.finish(node))
    }

    /// The column as an array of a type that differs from its own in the widths of offsets and decimals only.
    fn column(&self, column: &Column, data_type: &DataType, path: &Path<'_>) -> Result<OwnedArray> {
        same_device(column.device(), self.exec.device())?;
        let mut node = Node { length: column.size(), offset: column.offset(), ..Node::default() };
        if let Column::Null(_) = column {
            node.null_count = Some(column.size());
            return Ok(self.finish(node));
        }
        self.mask(&mut node, column)?;
        if let Some((offsets, width)) = column.offsets() {
            let none = (node.length == 0).then(|| self.no_rows(offsets, width, node.offset)).transpose()?;
            let offsets = none.as_ref().unwrap_or(offsets);
            if none.is_some() {
                node.offset = 0;
            }
            let wide =
                matches!(data_type, DataType::LargeUtf8 | DataType::LargeBinary | DataType::LargeList(_));
            let (from, to) = match (width, wide) {
                (OffsetWidth::I32, true) => (Storage::I32, Storage::I64),
                (OffsetWidth::I64, false) => (Storage::I64, Storage::I32),
                _ => (Storage::I64, Storage::I64),
            };
            let count = node.offset + node.length + 1;
            self.buffer(&mut node, &self.converted(offsets, from, to, count, path)?)?;
        }
        if let Some(data) = column.data() {
            let widened = matches!(data_type, DataType::Decimal128(..))
                && column.dtype().storage() == Some(Storage::I64);
            let data = if widened {
                self.converted(data, Storage::I64, Storage::I128, node.offset + node.length, path)?
            } else {
                data.clone()
            };
            self.buffer(&mut node, &data)?;
        }
        match data_type {
            DataType::Dictionary(_, values) => {
                for dictionary in column.children() {
                    let path = path.child("dictionary");
                    node.dictionary = Some(self.column(&dictionary, values, &path)?);
                }
            }
            DataType::List(item) | DataType::LargeList(item) => {
                self.children(&mut node, column, std::slice::from_ref(item), path)?;
            }
            DataType::Struct(fields) => self.children(&mut node, column, fields, path)?,
            _ => {}
        }
        Ok(self.finish(node))
    }

    fn children(
        &self,
        node: &mut Node,
        column: &Column,
        fields: &[Arc<Field>],
        path: &Path<'_>,
    ) -> Result<()> {
        for (field, child) in fields.iter().zip(column.children()) {
            let child = self.column(&child, field.data_type(), &path.child(field.name()))?;
            node.children.push(child);
        }
        Ok(())
    }

    /// The null count and the mask, which is left out where it is known that there are no nulls.
    fn mask(&self, node: &mut Node, column: &Column) -> Result<()> {
        let counted = self.exec.device() == Device::Host || self.options.null_counts == NullCounts::Exact;
        node.null_count =
            if counted { Some(column.null_count(self.exec)?) } else { column.known_null_count() };
        if let Some(mask) = column.mask().filter(|_| node.null_count != Some(0)) {
            return self.buffer(node, mask);
        }
        node.buffers.push(ptr::null());
        Ok(())
    }

    /// One more buffer, leased; the stream waits for whoever fills it.
    fn buffer(&self, node: &mut Node, buffer: &Buffer) -> Result<()> {
        let lease = buffer.lease()?;
        lease.order(self.exec.stream())?;
        node.buffers.push(lease.as_ptr().cast());
        node.leases.push(lease);
        Ok(())
    }

    /// The offsets of no rows: known consumers want them to be one zero, wherever the rows were that are left out.
    fn no_rows(&self, offsets: &Buffer, width: OffsetWidth, row: usize) -> Result<Buffer> {
        if self.exec.device() == Device::Host && row == 0 {
            let guard = offsets.read(self.exec)?;
            let bytes: &[u8] = guard.as_slice();
            if bytes.get(..width.bytes()).is_some_and(|first| first.iter().all(|&byte| byte == 0)) {
                return Ok(offsets.clone());
            }
        }
        Ok(Buffer::zeroed(width.bytes(), self.exec)?)
    }

    /// The first `count` values of `data` in another width.
    fn converted(
        &self,
        data: &Buffer,
        from: Storage,
        to: Storage,
        count: usize,
        path: &Path<'_>,
    ) -> Result<Buffer> {
        if from == to {
            return Ok(data.clone());
        }
        let input = Fixed { storage: from, data, validity: None, offset: 0, len: count };
        cast(&input, to, CastMode::Checked, self.exec).map(|cast| cast.data).map_err(|error| match error {
            columnade_kernels::Error::Overflow { .. } => path.error(Violation::Inexpressible {
                reason: "the offsets do not fit 32 bits; export them in 64".to_owned(),
            }),
            other => other.into(),
        })
    }

    /// Gives the parts of a node to an array that owns them.
    fn finish(&self, node: Node) -> OwnedArray {
        let boxed = |array: OwnedArray| Box::into_raw(Box::new(array.into_raw()));
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let private = Box::into_raw(Box::new(Private {
            buffers: node.buffers,
            children: node.children.into_iter().map(boxed).collect(),
            dictionary: node.dictionary.map_or(ptr::null_mut(), boxed),
            _leases: node.leases,
            _event: self.event.clone(),
        }));
        // SAFETY: just made, and from now on owned by the array, which never moves what is in the box.
        let held = unsafe { &mut *private };
        let array = ArrowArray {
            length: count(node.length),
            null_count: node.null_count.map_or(-1, count),
            offset: count(node.offset),
            n_buffers: count(held.buffers.len()),
            n_children: count(held.children.len()),
            buffers: if held.buffers.is_empty() { ptr::null_mut() } else { held.buffers.as_mut_ptr() },
            children: if held.children.is_empty() { ptr::null_mut() } else { held.children.as_mut_ptr() },
            dictionary: held.dictionary,
            release: Some(release),
            private_data: private.cast(),
        };
        // SAFETY: filled as the interface says.
        unsafe { Owned::from_raw(array) }
    }

    /// The tree as a device's, with an event that is passed when all its buffers are filled.
    fn hand_over(&self, array: OwnedArray) -> Result<OwnedDeviceArray> {
        let (device_type, device_id) = name_of(self.exec.device());
        let sync_event = if let Some(cell) = &self.event {
            cell.fill(self.exec.stream().record()?);
            cell.address()
        } else {
            self.exec.synchronize()?;
            ptr::null_mut()
        };
        let array = ArrowDeviceArray {
            array: array.into_raw(),
            device_id,
            device_type,
            sync_event,
            reserved: [0; 3],
        };
        // SAFETY: filled as the interface says; the event is alive as long as any node of the tree.
        Ok(unsafe { Owned::from_raw(array) })
    }
}

/// Releases an array of [`Exporter::finish`]. It calls nothing of the driver but to give an event and memory back, which
/// any thread may do.
///
/// # Safety
/// `array` points to one that is not released.
unsafe extern "C" fn release(array: *mut ArrowArray) {
    // SAFETY: the caller's promise; `private_data` is the box that `finish` made, taken back once.
    let private = unsafe {
        (*array).release = None;
        Box::from_raw((*array).private_data.cast::<Private>())
    };
    for &child in
        private.children.iter().chain((!private.dictionary.is_null()).then_some(&private.dictionary))
    {
        // SAFETY: a box that `finish` made; what the child holds is released unless a consumer moved it out.
        unsafe { drop(Owned::from_raw(*Box::from_raw(child))) };
    }
}
