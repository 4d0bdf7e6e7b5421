//! Hints on the use of a column's buffers, and their residency.

use super::{Column, Layout};
use columnade_buffers::Buffer;

impl Column {
    /// Hints that the rows will be used soon: see [`Buffer::will_need`]. It applies to whole buffers; for a slice of a spilled
    /// column, [isolate](Column::isolate) the rows first.
    pub fn will_need(&self) {
        self.for_each_buffer(&mut Buffer::will_need);
    }

    /// Counts the rows as used just now: see [`Buffer::touch`].
    pub fn touch(&self) {
        self.for_each_buffer(&mut Buffer::touch);
    }

    /// Hints that the rows will not be used soon: see [`Buffer::done_with`].
    pub fn done_with(&self) {
        self.for_each_buffer(&mut Buffer::done_with);
    }

    /// Bytes of resident buffers, dictionaries included. For slices of strings, binary and lists, of the whole buffers.
    pub fn resident_bytes(&self) -> usize {
        let mut bytes = 0;
        self.for_each_buffer(&mut |buffer| {
            if !buffer.is_spilled() {
                bytes += buffer.len();
            }
        });
        bytes
    }

    /// Calls `visit` with each buffer of the column and its children.
    fn for_each_buffer(&self, visit: &mut impl FnMut(&Buffer)) {
        match self.layout() {
            Layout::Fixed(fixed) => visit(&fixed.data),
            Layout::Bytes(bytes) => visit(&bytes.bytes),
            Layout::Nested { .. } => {}
        }
        if let Some((offsets, _)) = self.offsets() {
            visit(offsets);
        }
        if let Some(mask) = self.mask() {
            visit(mask);
        }
        for child in self.children() {
            child.for_each_buffer(visit);
        }
    }
}
