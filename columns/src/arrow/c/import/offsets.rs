//! Where the rows of strings, binary and lists begin and end in what their offsets point into.

use super::super::abi::ArrowArray;
use super::super::path::Path;
use super::super::schema::FrameSchema;
use super::super::violation::Violation;
use super::array::{Importer, require_possible};
use super::node::Node;
use crate::Result;
use arrow_schema::{DataType, Field};
use columnade_buffers::{Buffer, Device};
use columnade_kernels::OffsetWidth;
use std::collections::HashMap;
use std::ops::Range;
use std::ptr::NonNull;

/// The first and the last offset of each node of a tree that has offsets, by the node.
pub(super) type OffsetBounds = HashMap<usize, (i64, i64)>;

/// The width of the offsets of arrays of a type that has some.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(super) fn offset_width(data_type: &DataType) -> Option<OffsetWidth> {
    match data_type {
        DataType::Utf8 | DataType::Binary | DataType::List(_) => Some(OffsetWidth::I32),
        DataType::LargeUtf8 | DataType::LargeBinary | DataType::LargeList(_) => Some(OffsetWidth::I64),
        _ => None,
    }
}

impl Importer<'_> {
    /// Brings the first and last offsets of a whole tree from the device, with one synchronisation.
    pub(super) fn fetch_offset_bounds(&mut self, root: &ArrowArray, field: &Field) -> Result<()> {
        let mut wanted = Wanted::default();
        self.want_offset_bounds(root, field.data_type(), &Path::ROOT, &mut wanted)?;
        self.fetch(&wanted)
    }

    /// Like [`fetch_offset_bounds`](Self::fetch_offset_bounds), of the columns of a frame.
    pub(super) fn fetch_frame_offset_bounds(
        &mut self,
        root: &ArrowArray,
        schema: &FrameSchema,
    ) -> Result<()> {
        let mut wanted = Wanted::default();
        let node = Node::of_struct(root, schema.fields.len(), &Path::ROOT)?;
        for (at, (path, field)) in schema.fields().enumerate() {
            self.want_offset_bounds(node.child(at, &path)?, field.data_type(), &path, &mut wanted)?;
        }
        self.fetch(&wanted)
    }

    fn fetch(&mut self, wanted: &Wanted) -> Result<()> {
        if wanted.nodes.is_empty() {
            return Ok(());
        }
        let bytes = Buffer::assemble(&wanted.parts, self.exec)?.to_vec::<u8>(self.exec)?;
        let mut bytes = bytes.as_slice();
        let mut next = |width: OffsetWidth| {
            let (offset, rest) = bytes.split_at(width.bytes());
            bytes = rest;
            read(offset)
        };
        self.offsets = wanted.nodes.iter().map(|&(id, width)| (id, (next(width), next(width)))).collect();
        Ok(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn want_offset_bounds(
        &self,
        array: &ArrowArray,
        data_type: &DataType,
        path: &Path<'_>,
        wanted: &mut Wanted,
    ) -> Result<()> {
        let node = Node::new(array, data_type, path)?;
        if let Some(width) = offset_width(data_type).filter(|_| node.length > 0) {
            wanted.parts.push(self.offset_at(&node, node.offset, width, path)?);
            wanted.parts.push(self.offset_at(&node, node.end(), width, path)?);
            wanted.nodes.push((node.id(), width));
        }
        match data_type {
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::FixedSizeList(item, _)
            | DataType::ListView(item)
            | DataType::LargeListView(item) => {
                let path = path.child(item.name());
                self.want_offset_bounds(node.child(0, &path)?, item.data_type(), &path, wanted)
            }
            DataType::Struct(fields) => fields.iter().enumerate().try_for_each(|(at, field)| {
                let path = path.child(field.name());
                self.want_offset_bounds(node.child(at, &path)?, field.data_type(), &path, wanted)
            }),
            DataType::RunEndEncoded(_, values) => {
                let path = path.child(values.name());
                self.want_offset_bounds(node.child(1, &path)?, values.data_type(), &path, wanted)
            }
            DataType::Dictionary(_, values) => {
                let path = path.child("dictionary");
                self.want_offset_bounds(node.dictionary(&path)?, values, &path, wanted)
            }
            _ => Ok(()),
        }
    }

    /// The bytes of one offset.
    fn offset_at(&self, node: &Node<'_>, row: usize, width: OffsetWidth, path: &Path<'_>) -> Result<Buffer> {
        let whole = self.whole(node, width, path)?;
        Ok(whole.slice(row * width.bytes(), width.bytes()))
    }

    /// All offsets up to the last row's.
    fn whole(&self, node: &Node<'_>, width: OffsetWidth, path: &Path<'_>) -> Result<Buffer> {
        let offsets = first_of(node, width, path)?;
        self.share(OFFSETS, offsets, (node.end() + 1) * width.bytes(), path)
    }

    /// What the rows of a node that has some span in what its offsets point into.
    pub(super) fn span(&self, node: &Node<'_>, width: OffsetWidth, path: &Path<'_>) -> Result<Range<usize>> {
        let (first, last) = if self.exec.device() == Device::Host {
            let offsets = first_of(node, width, path)?;
            let offset = |row: usize| {
                let at = offsets.as_ptr().wrapping_add(row * width.bytes());
                // SAFETY: as in `share`: the memory of so many offsets is there and initialised, however aligned, and is
                // the host's, whose stream has waited for the producer.
                read(unsafe { std::slice::from_raw_parts(at, width.bytes()) })
            };
            (offset(node.offset), offset(node.end()))
        } else {
            // All were fetched before.
            self.offsets.get(&node.id()).copied().unwrap_or((-1, -1))
        };
        let bad = |row, found, reason| path.error(Violation::Offset { row, found, reason });
        let start = usize::try_from(first).map_err(|_| bad(node.offset, first, "which is negative"))?;
        let end = usize::try_from(last).map_err(|_| bad(node.end(), last, "which is negative"))?;
        if end < start {
            return Err(bad(node.end(), last, "which is before the first"));
        }
        if isize::try_from(end).is_err() {
            return Err(bad(node.end(), last, "which is beyond any memory"));
        }
        Ok(start..end)
    }
}

const OFFSETS: &str = "offsets buffer";

/// Where the offsets up to the last row's are.
fn first_of(node: &Node<'_>, width: OffsetWidth, path: &Path<'_>) -> Result<NonNull<u8>> {
    let Some(offsets) = node.buffer(1) else { return path.fail(Violation::Null { what: OFFSETS }) };
    require_possible(OFFSETS, offsets, (node.end() + 1) * width.bytes(), path)?;
    Ok(offsets)
}

/// What to bring from the device.
#[derive(Default)]
struct Wanted {
    /// Two for each node.
    parts: Vec<Buffer>,
    nodes: Vec<(usize, OffsetWidth)>,
}

/// An offset of either width, however aligned.
fn read(bytes: &[u8]) -> i64 {
    match *bytes {
        [a, b, c, d] => i32::from_ne_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => i64::from_ne_bytes([a, b, c, d, e, f, g, h]),
        _ => -1,
    }
}
