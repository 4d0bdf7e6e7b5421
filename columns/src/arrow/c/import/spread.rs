//! List views, run-end encoding, calendar intervals and decimals of 256 bits, which columns do not have: their rows are copied.

use super::super::path::Path;
use super::super::violation::Violation;
use super::array::Importer;
use super::node::Node;
use crate::arrow::calendar;
use crate::arrow::import::primitive;
use crate::arrow::spread::{REPEATS_TOO_OFTEN, lists, narrowed, repeats_too_often, runs};
use crate::column::read::validity;
use crate::column::rows::Rows;
use crate::{Column, DType, Result, StructColumn};
use arrow_array::Array;
use arrow_buffer::i256;
use arrow_schema::{DataType, Field, IntervalUnit};
use columnade_buffers::{Device, Exec};
use columnade_kernels::OffsetWidth;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

impl Importer<'_> {
    pub(super) fn list_view(
        &self,
        node: &Node<'_>,
        item: &Field,
        width: OffsetWidth,
        path: &Path<'_>,
    ) -> Result<Column> {
        self.needs_copy("list views become lists", path)?;
        let item_path = path.child(item.name());
        let items = self.column(node.child(0, &item_path)?, item, &item_path)?;
        let (starts, sizes) = (
            self.numbers(node, 1, "offsets buffer", width, path)?,
            self.numbers(node, 2, "sizes buffer", width, path)?,
        );
        let valid = self.valid(node, path)?;
        let range = |row: usize| -> Result<Option<Range<usize>>> {
            if !valid[row] {
                return Ok(None);
            }
            let (start, size) = (starts[row], sizes[row]);
            let range = usize::try_from(start).ok().zip(usize::try_from(size).ok());
            let range = range.and_then(|(start, size)| Some(start..start.checked_add(size)?));
            range.filter(|range| range.end <= items.size()).map(Some).ok_or_else(|| {
                let reason = "which, with its size, is beyond the items";
                path.error(Violation::Offset { row: node.offset + row, found: start, reason })
            })
        };
        let rows: Vec<_> = (0..node.length).map(range).collect::<Result<_>>()?;
        let total = rows.iter().flatten().map(Range::len).fold(0, usize::saturating_add);
        plausible(total, items.size(), path)?;
        lists(&items, &rows)?.to_device(self.exec)
    }

    pub(super) fn run_ends(
        &self,
        node: &Node<'_>,
        ends: &Field,
        values: &Field,
        path: &Path<'_>,
    ) -> Result<Column> {
        self.needs_copy("run-end encoding is decoded", path)?;
        let (ends_path, values_path) = (path.child(ends.name()), path.child(values.name()));
        let ends = positions(&self.here(&self.column(node.child(0, &ends_path)?, ends, &ends_path)?)?, ends)?;
        let column = self.column(node.child(1, &values_path)?, values, &values_path)?;
        let mut positions = Vec::with_capacity(ends.len());
        let mut last = 0;
        for (row, found) in ends.into_iter().enumerate() {
            let end = usize::try_from(found).ok().filter(|&end| end > last);
            let reason = "which is no end of a run, since those ascend from 1";
            last = end.ok_or_else(|| ends_path.error(Violation::Offset { row, found, reason }))?;
            positions.push(last);
        }
        if last < node.end() || column.size() < positions.len() {
            let found = i64::try_from(node.end()).unwrap_or(i64::MAX);
            return path.fail(Violation::Size { what: "length", found, reason: "the runs end before" });
        }
        plausible(node.length, column.size(), path)?;
        runs(&column, &positions, node.offset, node.length)?.to_device(self.exec)
    }

    pub(super) fn wide_decimals(&self, node: &Node<'_>, dtype: &DType, path: &Path<'_>) -> Result<Column> {
        const WIDTH: usize = 32;
        self.needs_copy("decimals of 256 bits become those of 128", path)?;
        let bytes = self.local(node, 1, ("values buffer", node.end() * WIDTH), path)?;
        let valid = self.valid(node, path)?;
        let (values, _) = bytes.as_chunks::<WIDTH>();
        let value = |(row, value): (usize, &[u8; WIDTH])| valid[row].then(|| i256::from_le_bytes(*value));
        let values = values.get(node.offset..).unwrap_or_default();
        let narrow = narrowed(dtype, values.iter().enumerate().map(value))?;
        primitive(dtype, &narrow.to_data())?.to_device(self.exec)
    }

    pub(super) fn calendar_intervals(
        &self,
        node: &Node<'_>,
        unit: IntervalUnit,
        path: &Path<'_>,
    ) -> Result<Column> {
        self.needs_copy("calendar intervals become structs of their parts", path)?;
        let bytes = self.local(node, 1, ("values buffer", node.end() * calendar::width(unit)), path)?;
        let (mut names, mut children) = (Vec::new(), SmallVec::new());
        for (name, column) in calendar::columns(unit, &bytes)? {
            names.push(name);
            children.push(Arc::new(column.to_device(self.exec)?));
        }
        let rows = self.rows(node, path)?;
        StructColumn::from_parts(names.into(), children, rows, self.exec.device()).map(Column::Struct)
    }

    /// The bytes of one of the array's buffers, on the host.
    fn local(
        &self,
        node: &Node<'_>,
        at: usize,
        (what, len): (&'static str, usize),
        path: &Path<'_>,
    ) -> Result<Vec<u8>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let Some(address) = node.buffer(at) else { return path.fail(Violation::Null { what }) };
        let shared = self.share(what, address, len, path)?;
        let host = Exec::host();
        let local = if self.exec.device() == Device::Host { shared } else { shared.copy_to(&host)? };
        Ok(local.to_vec::<u8>(&host)?)
    }

    /// The offsets or sizes of the node's rows, one for each.
    fn numbers(
        &self,
        node: &Node<'_>,
        at: usize,
        what: &'static str,
        width: OffsetWidth,
        path: &Path<'_>,
    ) -> Result<Vec<i64>> {
        if node.length == 0 {
            return Ok(Vec::new());
        }
        let bytes = self.local(node, at, (what, node.end() * width.bytes()), path)?;
        let numbers: Vec<i64> = match width {
            OffsetWidth::I32 => {
                bytes.as_chunks().0.iter().map(|bytes| i32::from_ne_bytes(*bytes).into()).collect()
            }
            OffsetWidth::I64 => bytes.as_chunks().0.iter().map(|bytes| i64::from_ne_bytes(*bytes)).collect(),
        };
        Ok(numbers.get(node.offset..).unwrap_or_default().to_vec())
    }

    /// Which of the node's rows are valid.
    fn valid(&self, node: &Node<'_>, path: &Path<'_>) -> Result<Vec<bool>> {
        let rows: Rows = self.rows(node, path)?;
        let host = Exec::host();
        let here = if self.exec.device() == Device::Host { rows } else { rows.to_device(&host)? };
        validity(&here, &host)
    }
}

/// An error for more rows than are made of so few values.
pub(super) fn plausible(rows: usize, values: usize, path: &Path<'_>) -> Result<()> {
    if repeats_too_often(rows, values) {
        let found = i64::try_from(rows).unwrap_or(i64::MAX);
        return path.fail(Violation::Size { what: "length", found, reason: REPEATS_TOO_OFTEN });
    }
    Ok(())
}

/// Where runs end; 0 for null, which no run ends at.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn positions(ends: &Column, field: &Field) -> Result<Vec<i64>> {
    Ok(match field.data_type() {
        DataType::Int16 => ends.to_options::<i16>()?.into_iter().map(|end| end.unwrap_or(0).into()).collect(),
        DataType::Int32 => ends.to_options::<i32>()?.into_iter().map(|end| end.unwrap_or(0).into()).collect(),
        _ => ends.to_options::<i64>()?.into_iter().map(|end| end.unwrap_or(0)).collect(),
    })
}
