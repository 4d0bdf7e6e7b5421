//! String and binary views, which columns do not have: their rows are copied.

use super::super::path::Path;
use super::super::violation::Violation;
use super::array::Importer;
use super::node::Node;
use crate::column::bytes_column;
use crate::{Column, DType, Result};
use columnade_buffers::{Buffer, Device, Exec};

/// Bytes of a view: its length, and up to 12 bytes, or 4 of them and where the rest is.
const VIEW_BYTES: usize = 16;
const INLINE_BYTES: usize = 12;

impl Importer<'_> {
    pub(super) fn views(&self, node: &Node<'_>, dtype: &DType, path: &Path<'_>) -> Result<Column> {
        self.needs_copy("views of text and bytes become rows one after the other", path)?;
        let host = Exec::host();
        let here = |at: usize, what, len| -> Result<Vec<u8>> {
            if len == 0 {
                return Ok(Vec::new());
            }
            let Some(address) = node.buffer(at) else { return path.fail(Violation::Null { what }) };
            let shared = self.share(what, address, len, path)?;
            let local = if self.exec.device() == Device::Host { shared } else { shared.copy_to(&host)? };
            Ok(local.to_vec::<u8>(&host)?)
        };
        // Validity, views, any number of buffers, and the sizes of these.
        let last = node.buffer_count() - 1;
        let sizes = here(last, "buffer of sizes", (last - 2) * size_of::<i64>())?;
        let buffers = sizes
            .as_chunks()
            .0
            .iter()
            .zip(2..last)
            .map(|(size, at)| {
                let found = i64::from_ne_bytes(*size);
                let size = usize::try_from(found).ok().filter(|&size| isize::try_from(size).is_ok());
                let Some(size) = size else {
                    let (what, reason) = ("size of a buffer", "it is negative or too large");
                    return path.fail(Violation::Size { what, found, reason });
                };
                here(at, "buffer of views", size)
            })
            .collect::<Result<Vec<_>>>()?;
        let views = here(1, "views buffer", node.end() * VIEW_BYTES)?;
        let (views, _) = views.as_chunks::<VIEW_BYTES>();
        let rows = self.rows(node, path)?;
        let mask = rows.mask.as_ref().map(|mask| local(mask)?.to_vec::<u8>(&host)).transpose();
        let mask = mask?;
        let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row / 8] >> (row % 8) & 1 == 1);
        let values = (node.offset..node.end())
            .map(|row| {
                if !valid(row) {
                    return Ok(None);
                }
                bytes_of(&views[row], &buffers)
                    .map(Some)
                    .map_err(|(found, reason)| path.error(Violation::Offset { row, found, reason }))
            })
            .collect::<Result<Vec<Option<&[u8]>>>>()?;
        bytes_column(dtype, values.into_iter(), self.exec)
    }
}

/// The buffer on the host.
fn local(buffer: &Buffer) -> columnade_buffers::Result<Buffer> {
    if buffer.device() == Device::Host { Ok(buffer.clone()) } else { buffer.copy_to(&Exec::host()) }
}

/// The bytes of a view; else the number in it that leads nowhere, and why.
fn bytes_of<'a>(view: &'a [u8; VIEW_BYTES], buffers: &'a [Vec<u8>]) -> Result<&'a [u8], (i64, &'static str)> {
    let number = |at: usize| i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
    let length = number(0);
    let Ok(size) = usize::try_from(length) else { return Err((length.into(), "a length that is negative")) };
    if size <= INLINE_BYTES {
        return Ok(&view[4..4 + size]);
    }
    let (buffer, start) = (number(8), number(12));
    let found = usize::try_from(buffer).ok().and_then(|buffer| buffers.get(buffer));
    let Some(found) = found else { return Err((buffer.into(), "a buffer that is not there")) };
    let range = usize::try_from(start).ok().map(|start| start..start.saturating_add(size));
    range.and_then(|range| found.get(range)).ok_or((start.into(), "which is beyond its buffer"))
}
