//! Builds offsets on the host.

use super::{finished, with_padded_capacity};
use crate::Result;
use crate::column::offsets::Offsets;
use columnade_buffers::Exec;
use columnade_kernels::OffsetWidth;

/// The ends of rows, of 32 bits until one does not fit.
pub(in crate::column) struct OffsetsBuilder {
    narrow: Vec<i32>,
    /// All of them, once one is wide.
    wide: Vec<i64>,
}

impl OffsetsBuilder {
    /// Of no rows yet, with a place for as many.
    pub(in crate::column) fn with_capacity(rows: usize) -> Self {
        let mut narrow = with_padded_capacity(rows.saturating_add(1));
        narrow.push(0);
        Self { narrow, wide: Vec::new() }
    }

    /// The next row ends where `end` items have been.
    #[inline]
    pub(in crate::column) fn push(&mut self, end: usize) {
        match i32::try_from(end) {
            Ok(end) if self.wide.is_empty() => self.narrow.push(end),
            _ => self.push_wide(end),
        }
    }

    #[cold]
    fn push_wide(&mut self, end: usize) {
        self.wide.extend(std::mem::take(&mut self.narrow).into_iter().map(i64::from));
        self.wide.push(i64::try_from(end).unwrap_or(i64::MAX));
    }

    pub(in crate::column) fn finish(self, exec: &Exec) -> Result<Offsets> {
        if self.wide.is_empty() {
            return Ok(Offsets { buffer: finished(self.narrow, exec)?, width: OffsetWidth::I32 });
        }
        Ok(Offsets { buffer: finished(self.wide, exec)?, width: OffsetWidth::I64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_execs::execs;

    const LAST_NARROW: usize = i32::MAX as usize;

    #[test]
    fn offset_width_follows_last_offset() {
        for exec in execs() {
            for (ends, width) in [
                (vec![], OffsetWidth::I32),
                (vec![0, 7], OffsetWidth::I32),
                (vec![7, LAST_NARROW, LAST_NARROW], OffsetWidth::I32),
                (vec![7, LAST_NARROW, LAST_NARROW + 1, LAST_NARROW + 9], OffsetWidth::I64),
                (vec![LAST_NARROW + 1], OffsetWidth::I64),
            ] {
                let mut builder = OffsetsBuilder::with_capacity(0);
                for &end in &ends {
                    builder.push(end);
                }
                let offsets = builder.finish(&exec).unwrap();
                let numbers: Vec<i64> = match offsets.width {
                    OffsetWidth::I32 => {
                        offsets.buffer.to_vec::<i32>(&exec).unwrap().into_iter().map(i64::from).collect()
                    }
                    OffsetWidth::I64 => offsets.buffer.to_vec(&exec).unwrap(),
                };
                let expected: Vec<i64> =
                    std::iter::once(0).chain(ends).map(|end| i64::try_from(end).unwrap()).collect();
                assert_eq!((offsets.width, numbers), (width, expected));
                assert_eq!(offsets.device(), exec.device());
            }
        }
    }
}
