//! What is known of the near future of a column's buffers, and where they are.

use super::{Column, Layout};
use columnade_buffers::Buffer;

impl Column {
    /// Says that the rows will be used soon: see [`Buffer::will_need`]. The buffers are taken whole; of a slice of what
    /// is spilled, [isolate](Column::isolate) the rows first.
    pub fn will_need(&self) {
        self.for_each_buffer(&mut Buffer::will_need);
    }

    /// Counts the rows as used just now: see [`Buffer::touch`].
    pub fn touch(&self) {
        self.for_each_buffer(&mut Buffer::touch);
    }

    /// Says that the rows will not be used for long: see [`Buffer::done_with`].
    pub fn done_with(&self) {
        self.for_each_buffer(&mut Buffer::done_with);
    }

    /// Bytes of the buffers that are on the device now and not spilled, a dictionary's among them. Of strings, binary and
    /// lists that are a slice, the whole column's.
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
