//! Columns and frames as arrays.

use super::abi::{ArrowArray, ArrowDeviceArray};
use super::device::{EventCell, name_of};
use super::options::{DecimalWidth, ExportOptions, Handover, NullCounts, OffsetLayout};
use super::owned::{Owned, OwnedArray, OwnedDeviceArray, OwnedSchema};
use super::path::Path;
use super::schema;
use super::tree::{Family, Tree};
use crate::column::rows::same_device;
use crate::{Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorSubject, Result};
use arrow_schema::{DataType, Field};
use columnade_buffers::{Buffer, CallSite, Device, Exec, Lease};
use columnade_kernels::copying::concat::concat;
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::filling::fill::fill;
use columnade_kernels::{ColumnData, Fixed, OffsetWidth, Storage, Value, View};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

impl Column {
    /// Exports the column as a schema named `name` and an array on the host. Shares memory of the host; a column of another
    /// device is copied.
    ///
    /// Nulls are counted. Strings, offsets and dictionary codes are not validated.
    ///
    /// # Errors
    /// [`Error::Overflow`] for offsets that do not fit the 32 bits asked for, in an [`Error::Context`] that names the
    /// field where there are several; [`Error::ArrowInterface`] for a name that C cannot write; [`Error::Memory`].
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::to_ffi`.
    #[track_caller]
    pub fn to_arrow_c(&self, name: &str, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        let _site = CallSite::here();
        let exec = Exec::host();
        let column = if self.device() == Device::Host { self.clone() } else { self.to_device(&exec)? };
        let field = exported_field(&column, *options);
        Ok((schema::export(name, &field)?, column_of_host(&column, &field, *options)?))
    }

    /// Exports the column as a schema named `name` and an array on the device of `exec`, which must be the column's, sharing
    /// memory. The event, if any, covers all work that fills the buffers, on any stream.
    ///
    /// # Errors
    /// Same as [`Column::to_arrow_c`]; [`Error::Memory`] when the column is on another device.
    ///
    /// # Device
    /// One event, and a wait for each stream that wrote a buffer last, `exec`'s excepted; a synchronisation as the
    /// options say.
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `Array._export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c_device(
        &self,
        name: &str,
        options: &ExportOptions,
        exec: &Exec,
    ) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        let _site = CallSite::here();
        let field = exported_field(self, *options);
        Ok((schema::export(name, &field)?, column_of_device(self, &field, *options, exec)?))
    }
}

impl ColumnAccessor {
    /// The schema of what the methods below export.
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not strings; [`Error::ArrowInterface`] for one that C cannot write.
    pub fn to_arrow_c_schema(&self, options: &ExportOptions) -> Result<OwnedSchema> {
        schema::export_frame(self.labels(), &exported_fields(self, *options))
    }

    /// Exports the columns as a struct array on the host: see [`Column::to_arrow_c`].
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not strings; as [`Column::to_arrow_c`].
    ///
    /// # Source
    /// pyarrow `RecordBatch._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        let _site = CallSite::here();
        let fields = exported_fields(self, *options);
        Ok((schema::export_frame(self.labels(), &fields)?, frame_of_host(self, &fields, *options)?))
    }

    /// Exports the columns as a struct array on the device of `exec`, which must be theirs: see [`Column::to_arrow_c_device`].
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not strings; as [`Column::to_arrow_c_device`].
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `RecordBatch._export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c_device(
        &self,
        options: &ExportOptions,
        exec: &Exec,
    ) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        let _site = CallSite::here();
        let fields = exported_fields(self, *options);
        Ok((schema::export_frame(self.labels(), &fields)?, frame_of_device(self, &fields, *options, exec)?))
    }
}

/// The column as an array of the type of this field, on the host.
pub(super) fn column_of_host(column: &Column, field: &Field, options: ExportOptions) -> Result<OwnedArray> {
    let exec = Exec::host();
    let mut exporter = Exporter::new(&exec, options, 1);
    if column.device() == Device::Host {
        exporter.column(column, field.data_type(), &Path::ROOT)?;
    } else {
        exporter.column(&column.to_device(&exec)?, field.data_type(), &Path::ROOT)?;
    }
    Ok(exporter.finish())
}

/// The column as an array of the type of this field, on the device of `exec`.
pub(super) fn column_of_device(
    column: &Column,
    field: &Field,
    options: ExportOptions,
    exec: &Exec,
) -> Result<OwnedDeviceArray> {
    let mut exporter = Exporter::new(exec, options, 1);
    exporter.column(column, field.data_type(), &Path::ROOT)?;
    exporter.hand_over()
}

/// The columns as a struct of these fields, on the host.
pub(super) fn frame_of_host(
    frame: &ColumnAccessor,
    fields: &[Field],
    options: ExportOptions,
) -> Result<OwnedArray> {
    let exec = Exec::host();
    let mut exporter = Exporter::new(&exec, options, fields.len() + 1);
    if frame.columns().iter().all(|column| column.device() == Device::Host) {
        exporter.frame(frame, fields)?;
    } else {
        let here = frame.map(frame.rows(), |column| column.to_device(&exec))?;
        exporter.frame(&here, fields)?;
    }
    Ok(exporter.finish())
}

/// The columns as a struct of these fields, on the device of `exec`.
pub(super) fn frame_of_device(
    frame: &ColumnAccessor,
    fields: &[Field],
    options: ExportOptions,
    exec: &Exec,
) -> Result<OwnedDeviceArray> {
    let mut exporter = Exporter::new(exec, options, fields.len() + 1);
    exporter.frame(frame, fields)?;
    exporter.hand_over()
}

/// The field of an exported column, without a name.
pub(super) fn exported_field(column: &Column, options: ExportOptions) -> Field {
    laid_out(column.arrow_field(""), options)
}

/// The fields of exported columns: their names are the labels.
pub(super) fn exported_fields(frame: &ColumnAccessor, options: ExportOptions) -> Vec<Field> {
    frame.columns().iter().map(|column| exported_field(column, options)).collect()
}

/// The field with offsets and decimals of the widths asked for.
fn laid_out(field: Field, options: ExportOptions) -> Field {
    let (offsets, decimals) = (options.offsets, options.decimals);
    if decimals == DecimalWidth::AsStored
        && (offsets == OffsetLayout::AsStored || field.data_type().is_primitive())
    {
        return field;
    }
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
        (DataType::Decimal32(precision, scale) | DataType::Decimal64(precision, scale), _)
            if options.decimals == DecimalWidth::Bits128 =>
        {
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

/// What a node of an exported tree holds until it is released.
#[derive(Default)]
struct Held {
    buffers: SmallVec<[*const c_void; 3]>,
    leases: SmallVec<[Lease; 3]>,
}

/// One export of a tree, whose nodes hold the event together.
struct Exporter<'a> {
    exec: &'a Exec,
    options: ExportOptions,
    tree: Tree<ArrowArray, Held, Option<Arc<EventCell>>>,
}

/// A node before it is added to its tree.
#[derive(Default)]
struct Node {
    length: usize,
    offset: usize,
    null_count: Option<usize>,
    held: Held,
    family: Family,
}

impl<'a> Exporter<'a> {
    fn new(exec: &'a Exec, options: ExportOptions, nodes: usize) -> Self {
        let events = exec.device() != Device::Host && options.handover == Handover::Event;
        Self { exec, options, tree: Tree::new(nodes, events.then(|| Arc::new(EventCell::new()))) }
    }

    /// The columns as a struct, each of the type of its field.
    fn frame(&mut self, frame: &ColumnAccessor, fields: &[Field]) -> Result<()> {
        let children = self.tree.reserve(fields.len());
        for (at, (field, (label, column))) in children.clone().zip(fields.iter().zip(frame.iter())) {
            let path = Path::ROOT.child(label.as_text().unwrap_or_default());
            self.column(column, field.data_type(), &path)?;
            self.tree.place(at);
        }
        let mut node = Node { length: frame.rows(), null_count: Some(0), ..Node::default() };
        node.family.children = children;
        node.held.buffers.push(ptr::null());
        self.add(node);
        Ok(())
    }

    /// The column as an array of a type that differs from its own in the widths of offsets and decimals only.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn column(&mut self, column: &Column, data_type: &DataType, path: &Path<'_>) -> Result<()> {
        same_device(column.device(), self.exec.device())?;
        let mut node = Node { length: column.size(), offset: column.offset(), ..Node::default() };
        if let Column::Null(_) = column {
            node.null_count = Some(column.size());
            self.add(node);
            return Ok(());
        }
        self.mask(&mut node, column)?;
        let mut start = 0;
        if let Some((offsets, width)) = column.offsets() {
            start = self.offsets(&mut node, (offsets, width), data_type, path)?;
        }
        if let Some(data) = column.data() {
            match (column, data_type) {
                (Column::Decimal(decimal), DataType::Decimal128(..))
                    if decimal.storage() != DecimalStorage::Bits128 =>
                {
                    let (from, count) = (decimal.storage().storage(), node.offset + node.length);
                    let data = self.converted(data, from, Storage::I128, count, path)?;
                    self.buffer(&mut node, &data)?;
                }
                // Of offsets that lie, no bytes.
                _ if start > 0 => {
                    let start = start.min(data.len());
                    self.buffer(&mut node, &data.slice(start, data.len() - start))?;
                }
                _ => self.buffer(&mut node, data)?,
            }
        }
        match data_type {
            DataType::Dictionary(_, values) => {
                let at = self.tree.reserve(1).start;
                for dictionary in column.children() {
                    self.column(&dictionary, values, &path.child("dictionary"))?;
                    self.tree.place(at);
                }
                node.family.dictionary = Some(at);
            }
            DataType::List(item) | DataType::LargeList(item) => {
                self.children(&mut node, column, std::slice::from_ref(item), path)?;
            }
            DataType::Struct(fields) => self.children(&mut node, column, fields, path)?,
            _ => {}
        }
        self.add(node);
        Ok(())
    }

    fn children(
        &mut self,
        node: &mut Node,
        column: &Column,
        fields: &[Arc<Field>],
        path: &Path<'_>,
    ) -> Result<()> {
        node.family.children = self.tree.reserve(fields.len());
        let children = column.children();
        for (at, (field, child)) in node.family.children.clone().zip(fields.iter().zip(&children)) {
            self.column(child, field.data_type(), &path.child(field.name()))?;
            self.tree.place(at);
        }
        Ok(())
    }

    #[inline]
    fn add(&mut self, node: Node) {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let array = ArrowArray {
            length: count(node.length),
            offset: count(node.offset),
            null_count: node.null_count.map_or(-1, count),
            n_buffers: count(node.held.buffers.len()),
            ..Owned::released().into_raw()
        };
        self.tree.add(array, node.held, node.family);
    }

    /// The null count and the mask, which is left out where it is known that there are no nulls.
    fn mask(&self, node: &mut Node, column: &Column) -> Result<()> {
        let counted = self.exec.device() == Device::Host || self.options.null_counts == NullCounts::Exact;
        node.null_count =
            if counted { Some(column.null_count(self.exec)?) } else { column.known_null_count() };
        if let Some(mask) = column.mask().filter(|_| node.null_count != Some(0)) {
            return self.buffer(node, mask);
        }
        node.held.buffers.push(ptr::null());
        Ok(())
    }

    /// One more buffer, leased; the stream waits for pending writes to it.
    fn buffer(&self, node: &mut Node, buffer: &Buffer) -> Result<()> {
        let lease = buffer.lease()?;
        lease.order(self.exec.stream())?;
        node.held.buffers.push(lease.as_ptr().cast());
        node.held.leases.push(lease);
        Ok(())
    }

    /// Offsets of the width that the type says, and where in the bytes they begin to count.
    fn offsets(
        &self,
        node: &mut Node,
        (offsets, width): (&Buffer, OffsetWidth),
        data_type: &DataType,
        path: &Path<'_>,
    ) -> Result<usize> {
        let wide = matches!(data_type, DataType::LargeUtf8 | DataType::LargeBinary | DataType::LargeList(_));
        let count = node.offset + node.length + 1;
        if node.length == 0 {
            // Known consumers want the offsets of no rows to be one zero, wherever the rows were that are left out.
            node.offset = 0;
            if self.exec.device() == Device::Host {
                node.held.buffers.push((&raw const NO_ROWS).cast());
                return Ok(0);
            }
            let bytes = if wide { OffsetWidth::I64 } else { OffsetWidth::I32 }.bytes();
            self.buffer(node, &Buffer::zeroed(bytes, self.exec)?)?;
            return Ok(0);
        }
        let mut start = 0;
        match (width, wide) {
            (OffsetWidth::I32, true) => {
                self.buffer(node, &self.converted(offsets, Storage::I32, Storage::I64, count, path)?)?;
            }
            (OffsetWidth::I64, false) => {
                let narrow = match self.converted(offsets, Storage::I64, Storage::I32, count, path) {
                    Err(error) if matches!(data_type, DataType::Utf8 | DataType::Binary) => {
                        let counted = self.counted_from_the_first(offsets, node.offset, count, path)?;
                        let (narrow, first) = counted.ok_or(error)?;
                        start = first;
                        narrow
                    }
                    narrow => narrow?,
                };
                self.buffer(node, &narrow)?;
            }
            _ => self.buffer(node, offsets)?,
        }
        Ok(start)
    }

    /// Offsets of 64 bits in 32, counted from that of the row at `offset`, which is given too: a slice far into the bytes of
    /// a long column has few of its own. Those of rows before it become 0. `None` where it is 0 anyway. Waits for the device.
    fn counted_from_the_first(
        &self,
        offsets: &Buffer,
        offset: usize,
        count: usize,
        path: &Path<'_>,
    ) -> Result<Option<(Buffer, usize)>> {
        let first = offsets.slice(offset * size_of::<i64>(), size_of::<i64>()).to_vec::<i64>(self.exec)?[0];
        let Some(start) = usize::try_from(first).ok().filter(|&start| start > 0) else { return Ok(None) };
        let input =
            Fixed { storage: Storage::I64, data: offsets, validity: None, offset, len: count - offset };
        let first = Operand::Value(Value::I64(first));
        let mut counted = binary(BinaryOp::Sub, Operand::Column(input), first, self.exec)?;
        if offset > 0 {
            let before = fill(Value::I64(0), offset, self.exec)?;
            let parts = [View::Fixed(before.view()), View::Fixed(counted.view())];
            if let ColumnData::Fixed(all) = concat(&parts, self.exec)? {
                counted = all;
            }
        }
        let narrow = self.converted(&counted.data, Storage::I64, Storage::I32, count, path)?;
        Ok(Some((narrow, start)))
    }

    /// The first `count` values of `data` in another width.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn converted(
        &self,
        data: &Buffer,
        from: Storage,
        to: Storage,
        count: usize,
        path: &Path<'_>,
    ) -> Result<Buffer> {
        let input = Fixed { storage: from, data, validity: None, offset: 0, len: count };
        cast(&input, to, CastMode::Checked, self.exec).map(|cast| cast.data).map_err(|error| match error {
            columnade_kernels::Error::Overflow { .. } => {
                path.locate(Error::Overflow { dtype: DType::Int32 }.about(ErrorSubject::Offsets))
            }
            other => other.into(),
        })
    }

    /// The tree.
    fn finish(self) -> OwnedArray {
        self.tree.finish(|array, held, _| array.buffers = held.buffers.as_mut_ptr())
    }

    /// The tree as a device's, with an event that is passed when all its buffers are filled.
    fn hand_over(self) -> Result<OwnedDeviceArray> {
        let (device_type, device_id) = name_of(self.exec.device());
        let sync_event = if let Some(cell) = &self.tree.shared {
            cell.fill(self.exec.stream().record()?);
            cell.address()
        } else {
            self.exec.synchronize()?;
            ptr::null_mut()
        };
        let array = self.finish().into_raw();
        let array = ArrowDeviceArray { array, device_id, device_type, sync_event, reserved: [0; 3] };
        // SAFETY: filled as the interface says; the event is alive as long as any node of the tree.
        Ok(unsafe { Owned::from_raw(array) })
    }
}

/// One offset of either width.
static NO_ROWS: i64 = 0;
