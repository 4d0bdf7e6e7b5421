//! Host implementation of `concat`.

use crate::bits::BitSlice;
use crate::parallel::{for_each_chunk, for_each_part};
use crate::strings_view::StringOffsets;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{
    ColumnData, Element, FixedData, OffsetWidth, Result, Storage, StringData, View, ViewGuard, access, morsel,
};
use columnade_buffers::{Buffer, Exec};

pub(super) fn concat(first: &View<'_>, views: &[View<'_>], exec: &Exec) -> Result<ColumnData> {
    let guards = access(views, exec)?;
    let len = guards.iter().map(ViewGuard::len).sum();
    let masked = guards.iter().any(|guard| guard.validity().is_some());
    let validity = if masked {
        let masks = guards.iter().map(|guard| (guard.len(), guard.validity()));
        Some(Masks::new(masks).join(exec)?)
    } else {
        None
    };
    Ok(match first {
        View::Fixed(fixed) => {
            let storage = fixed.storage;
            let data = concat_values(storage, &guards, exec)?;
            ColumnData::Fixed(FixedData { storage, len, data, validity })
        }
        View::String(_) => ColumnData::String(concat_strings(&guards, len, validity, exec)?),
    })
}

fn concat_values(storage: Storage, guards: &[ViewGuard<'_>], exec: &Exec) -> Result<Buffer> {
    dispatch_width!(storage, T => {
        let parts: Vec<&[u8]> = guards.iter().map(|guard| bytemuck::cast_slice(guard.values::<T>())).collect();
        join(&parts, exec)
    }, bit => {
        Masks::new(guards.iter().map(|guard| (guard.len(), Some(guard.value_bits())))).join(exec)
    })
}

/// Bytes that one task copies.
const COPY_BYTES: usize = 8 * HOST_MORSEL_ROWS;

/// The bytes of all parts, concatenated.
fn join(parts: &[&[u8]], exec: &Exec) -> Result<Buffer> {
    let len = parts.iter().map(|part| part.len()).sum::<usize>();
    let mut out = Buffer::uninit(len, exec)?;
    if len == 0 {
        return Ok(out);
    }
    let mut guard = out.write(exec)?;
    let mut rest = guard.as_mut_slice::<u8>();
    let mut copies = Vec::new();
    for part in parts.iter().flat_map(|part| part.chunks(COPY_BYTES)) {
        let (target, tail) = rest.split_at_mut(part.len());
        rest = tail;
        copies.push((target, part));
    }
    for_each_part(copies, |_, (target, part): (&mut [u8], &[u8])| target.copy_from_slice(part));
    drop(guard);
    Ok(out)
}

/// Bitmasks to concatenate; an absent one is all ones.
struct Masks<'a> {
    /// The first bit of each part in the result, then the end.
    starts: Vec<usize>,
    len: usize,
    bits: Vec<Option<BitSlice<'a>>>,
}

impl<'a> Masks<'a> {
    fn new(parts: impl Iterator<Item = (usize, Option<BitSlice<'a>>)>) -> Self {
        let (mut starts, mut bits) = (vec![0], Vec::new());
        let mut end = 0;
        for (len, part) in parts.filter(|(len, _)| *len > 0) {
            end += len;
            starts.push(end);
            bits.push(part);
        }
        Self { starts, len: end, bits }
    }

    fn join(&self, exec: &Exec) -> Result<Buffer> {
        morsel::build_bits(self.len, exec, |rows, out| {
            let mut part = self.starts.partition_point(|&start| start <= rows.start) - 1;
            for (word, out) in out.iter_mut().enumerate() {
                *out = self.word(rows.start + word * 64, &mut part);
            }
        })
    }

    /// The 64 bits from bit `first`, which is in part `part`; advances `part` to the part of the next bit.
    fn word(&self, first: usize, part: &mut usize) -> u64 {
        let (mut word, mut filled) = (0, 0);
        while filled < 64 && *part < self.bits.len() {
            let within = first + filled - self.starts[*part];
            let rest = self.starts[*part + 1] - self.starts[*part] - within;
            let take = rest.min(64 - filled);
            let bits = match self.bits[*part] {
                None => u64::MAX >> (64 - take),
                Some(bits) => bits.slice(within, take).word(0),
            };
            word |= bits << filled;
            filled += take;
            if take == rest {
                *part += 1;
            }
        }
        word
    }
}

fn concat_strings(
    guards: &[ViewGuard<'_>],
    len: usize,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let parts: Vec<_> = guards.iter().map(|guard| guard.strings().whole()).collect();
    let chars: Vec<&[u8]> = parts.iter().map(|(chars, _)| *chars).collect();
    let offset_width = OffsetWidth::for_bytes(chars.iter().map(|chars| chars.len()).sum());
    let offsets = match offset_width {
        OffsetWidth::I32 => join_offsets::<i32>(&parts, len, exec, |at| at as i32)?,
        OffsetWidth::I64 => join_offsets::<i64>(&parts, len, exec, |at| at)?,
    };
    Ok(StringData { len, offsets, offset_width, chars: join(&chars, exec)?, validity })
}

/// The offsets of all parts, shifted to where the characters of each part begin.
fn join_offsets<T: Element>(
    parts: &[(&[u8], StringOffsets<'_>)],
    rows: usize,
    exec: &Exec,
    offset: impl Fn(i64) -> T + Sync,
) -> Result<Buffer> {
    let mut out = Buffer::uninit((rows + 1) * size_of::<T>(), exec)?;
    let mut guard = out.write(exec)?;
    let (first, mut rest) = guard.as_mut_slice::<T>().split_at_mut(1);
    first[0] = offset(0);
    let mut start = 0;
    for (chars, offsets) in parts {
        let (target, tail) = rest.split_at_mut(offsets.rows());
        rest = tail;
        match *offsets {
            StringOffsets::I32(offsets) => shift(target, offsets, |by| offset(start + i64::from(by))),
            StringOffsets::I64(offsets) => shift(target, offsets, |by| offset(start + by)),
        }
        start += chars.len() as i64;
    }
    drop(guard);
    Ok(out)
}

/// Writes `moved(offset − first offset)` for the end of each row.
fn shift<S: Element + std::ops::Sub<Output = S>, T: Element>(
    target: &mut [T],
    offsets: &[S],
    moved: impl Fn(S) -> T + Sync,
) {
    let Some((&first, ends)) = offsets.split_first() else { return };
    for_each_chunk(target, HOST_MORSEL_ROWS, |morsel, target| {
        for (target, &end) in target.iter_mut().zip(&ends[morsel * HOST_MORSEL_ROWS..]) {
            *target = moved(end - first);
        }
    });
}
