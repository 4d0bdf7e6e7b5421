//! Concatenation of columns that together are larger than the memory of a device.

use super::bytes::BytesLayout;
use super::fixed::FixedLayout;
use super::isolate::signed;
use super::offsets::Offsets;
use super::rows::{Rows, SLICE_STEP_ROWS};
use super::{
    BinaryColumn, CategoricalColumn, Column, IntervalColumn, Layout, ListColumn, NullColumn, StringColumn,
    StructColumn,
};
use crate::{Error, Result};
use columnade_buffers::{Buffer, Exec, RetryPolicy, with_retry, with_retry_no_split};
use columnade_kernels::bits::combine;
use columnade_kernels::copying::concat::concat;
use columnade_kernels::filling::fill::fill;
use columnade_kernels::{Bits, ColumnData, Fixed, OffsetWidth, Storage, Value, View};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

impl Column {
    /// The rows of all columns, one column after the other, as [`Column::concat`] gives them. No more than one of them
    /// is on the device at a time, and a result that does not fit there is built in a lower tier.
    ///
    /// # Errors
    /// Same as [`Column::concat`].
    ///
    /// # Device
    /// Bytes are copied; masks and bits that do not begin with a byte, and offsets, are launched for each part.
    pub fn assemble(parts: &[Column], exec: &Exec) -> Result<Column> {
        let [first, rest @ ..] = parts else { return Column::concat(&[], exec) };
        if rest.is_empty() {
            return Ok(first.clone());
        }
        let mismatch = |other: &Column| Error::DTypeMismatch { left: first.dtype(), right: other.dtype() };
        if let Some(other) = rest.iter().find(|part| part.dtype().logical() != first.dtype().logical()) {
            return Err(mismatch(other));
        }
        let categorical: Vec<&CategoricalColumn> = parts
            .iter()
            .filter_map(|part| if let Column::Categorical(part) = part { Some(part) } else { None })
            .collect();
        if categorical.len() == parts.len() {
            let recoded = recode_in_chunks(&categorical, exec)?;
            let categorical: Vec<&CategoricalColumn> =
                recoded.as_ref().map_or(categorical, |recoded| recoded.iter().collect());
            let unified = CategoricalColumn::unify(&categorical, exec)?;
            let unified: Vec<Column> = unified.into_iter().map(Column::Categorical).collect();
            return unified[0].put_together(&unified, exec);
        }
        if let Some(part) = rest.iter().find(|part| part.dtype() != first.dtype()) {
            return Err(mismatch(part));
        }
        first.put_together(parts, exec)
    }

    /// The rows of parts of this column's kind.
    fn put_together(&self, parts: &[Column], exec: &Exec) -> Result<Column> {
        let size = parts.iter().map(Column::size).sum();
        if let Column::Null(_) = self {
            return Ok(Column::Null(NullColumn::new(size, self.device())));
        }
        let masked = parts.iter().any(|part| part.mask().is_some() && part.known_null_count() != Some(0));
        let rows = if masked {
            let masks: Vec<Run> = parts.iter().map(Run::of_mask).collect();
            Rows::new(Some(assemble_bits(&masks, exec)?), 0, size, self.device())?
        } else {
            Rows::without_mask(0, size)
        };
        match self {
            Column::Interval(interval) => {
                let ends = |end: fn(&IntervalColumn) -> Result<Column>| -> Result<Arc<Column>> {
                    let parts = intervals(parts).map(end).collect::<Result<Vec<_>>>()?;
                    Column::assemble(&parts, exec).map(Arc::new)
                };
                let (left, right) = (ends(IntervalColumn::left)?, ends(IntervalColumn::right)?);
                IntervalColumn::from_parts(left, right, interval.closed, rows).map(Column::Interval)
            }
            Column::Struct(first) => {
                let fields = structs(parts).map(StructColumn::fields).collect::<Result<Vec<_>>>()?;
                let children = (0..first.names.len())
                    .map(|at| {
                        let field: Vec<Column> = fields.iter().map(|fields| fields[at].clone()).collect();
                        Column::assemble(&field, exec).map(Arc::new)
                    })
                    .collect::<Result<SmallVec<_>>>()?;
                let names = Arc::clone(&first.names);
                StructColumn::from_parts(names, children, rows, self.device()).map(Column::Struct)
            }
            Column::List(_) => {
                let lists: Vec<&ListColumn> = lists(parts).collect();
                let all: Vec<(&Offsets, &Rows)> =
                    lists.iter().map(|list| (&list.offsets, &list.rows)).collect();
                let spans =
                    all.iter().map(|(offsets, rows)| offsets.span(rows)).collect::<Result<Vec<_>>>()?;
                let offsets = assemble_offsets(&all, &spans, exec)?;
                let items = lists.iter().zip(&spans);
                let items = items.map(|(list, span)| list.items.slice(span.start, span.len()));
                let items = Column::assemble(&items.collect::<Result<Vec<_>>>()?, exec)?;
                Ok(Column::List(ListColumn { offsets, items: Arc::new(items), rows }))
            }
            Column::String(_) => {
                Ok(Column::String(StringColumn { layout: assemble_bytes(parts, rows, exec)? }))
            }
            Column::Binary(_) => {
                Ok(Column::Binary(BinaryColumn { layout: assemble_bytes(parts, rows, exec)? }))
            }
            Column::Numeric(_)
            | Column::Boolean(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Categorical(_)
            | Column::Null(_) => {
                let layouts: Vec<&FixedLayout> = parts.iter().filter_map(fixed).collect();
                let storage = layouts.first().map_or(Storage::Bit, |layout| layout.storage);
                let data = if storage == Storage::Bit {
                    let bits: Vec<Run> = layouts.iter().map(|bits| Run::of(&bits.rows, &bits.data)).collect();
                    assemble_bits(&bits, exec)?
                } else {
                    let bytes = |part: &&FixedLayout| {
                        part.data.slice(storage.bytes(part.rows.offset), storage.bytes(part.rows.size))
                    };
                    Buffer::assemble(&layouts.iter().map(bytes).collect::<Vec<_>>(), exec)?
                };
                self.with_fixed(FixedLayout { storage, data, rows })
            }
        }
    }
}

fn fixed(part: &Column) -> Option<&FixedLayout> {
    if let Layout::Fixed(fixed) = part.layout() { Some(fixed) } else { None }
}

fn intervals(parts: &[Column]) -> impl Iterator<Item = &IntervalColumn> {
    parts.iter().filter_map(|part| if let Column::Interval(part) = part { Some(part) } else { None })
}

fn structs(parts: &[Column]) -> impl Iterator<Item = &StructColumn> {
    parts.iter().filter_map(|part| if let Column::Struct(part) = part { Some(part) } else { None })
}

fn lists(parts: &[Column]) -> impl Iterator<Item = &ListColumn> {
    parts.iter().filter_map(|part| if let Column::List(part) = part { Some(part) } else { None })
}

/// Parts whose dictionaries differ get new codes, in chunks that are well within the budget; `None` where
/// the parts may stay as they are.
fn recode_in_chunks(parts: &[&CategoricalColumn], exec: &Exec) -> Result<Option<Vec<CategoricalColumn>>> {
    /// New codes of a chunk take this share of the budget at most.
    const SHARE: usize = 8;
    let Some(budget) = exec.budget() else { return Ok(None) };
    if parts.iter().all(|part| part.shares_dictionary(parts[0])) {
        return Ok(None);
    }
    let rows = (budget / SHARE / size_of::<i32>()).max(SLICE_STEP_ROWS);
    let mut recoded = Vec::with_capacity(parts.len());
    for part in parts {
        let size = part.codes.rows.size;
        for start in (0..size.max(1)).step_by(rows) {
            let codes = part.codes.slice(start, rows.min(size - start))?.isolate()?;
            recoded.push(CategoricalColumn { codes, ..(*part).clone() });
        }
    }
    Ok(Some(recoded))
}

/// Bits of a buffer, or as many ones.
struct Run {
    buffer: Option<Buffer>,
    offset: usize,
    len: usize,
}

impl Run {
    fn of(rows: &Rows, buffer: &Buffer) -> Self {
        Self { buffer: Some(buffer.clone()), offset: rows.offset, len: rows.size }
    }

    fn of_mask(part: &Column) -> Self {
        let ones = Self { buffer: None, offset: 0, len: part.size() };
        part.mask().map_or(ones, |mask| Self::of(part.rows(), mask))
    }

    fn bits<'a>(&self, buffer: &'a Buffer) -> View<'a> {
        let (storage, offset, len) = (Storage::Bit, self.offset, self.len);
        View::Fixed(Fixed { storage, data: buffer, validity: None, offset, len })
    }

    /// The bytes that the bits lie in, from the first bit's on.
    fn narrowed(&self, exec: &Exec) -> Result<Self> {
        let (buffer, offset) = match &self.buffer {
            Some(buffer) => {
                let first = self.offset / 8;
                let bytes = (self.offset % 8 + self.len).div_ceil(8);
                (buffer.slice(first, bytes).isolate()?, self.offset % 8)
            }
            None => (fill(Value::Bit(true), self.len, exec)?.data, 0),
        };
        Ok(Self { buffer: Some(buffer), offset, len: self.len })
    }
}

/// Bits one after the other: whole bytes are passed on, what is left of a part, less than a byte, begins the next.
fn assemble_bits(runs: &[Run], exec: &Exec) -> Result<Buffer> {
    let mut bytes = Vec::with_capacity(runs.len() + 1);
    let mut left: Option<Run> = None;
    for run in runs.iter().filter(|run| run.len > 0) {
        let joined = with_retry_no_split(exec, |exec| join(left.as_ref(), run, exec))?;
        let Some(buffer) = &joined.buffer else { continue };
        let whole = joined.len / 8;
        bytes.push(buffer.slice(0, whole));
        let rest = joined.len % 8;
        left = (rest > 0).then(|| Run { buffer: Some(buffer.slice(whole, 1)), offset: 0, len: rest });
    }
    if let Some(Run { buffer: Some(buffer), len, .. }) = &left {
        // Bits beyond the last are zero.
        bytes.push(combine::copy(Bits { buffer: &buffer.isolate()?, offset: 0, len: *len }, exec)?);
    }
    Ok(Buffer::assemble(&bytes, exec)?)
}

/// The bits of `left`, less than a byte, and those of `run`, from the first bit of a buffer on.
fn join(left: Option<&Run>, run: &Run, exec: &Exec) -> Result<Run> {
    let run = run.narrowed(exec)?;
    if left.is_none() && run.offset == 0 {
        return Ok(run);
    }
    let left = left.map(|left| left.narrowed(exec)).transpose()?;
    let views: Vec<View<'_>> = left
        .iter()
        .chain([&run])
        .filter_map(|run| run.buffer.as_ref().map(|buffer| run.bits(buffer)))
        .collect();
    let len = views.iter().map(View::len).sum();
    match concat(&views, exec)? {
        ColumnData::Fixed(joined) => Ok(Run { buffer: Some(joined.data), offset: 0, len }),
        ColumnData::String(text) => Ok(Run { buffer: Some(text.chars), offset: 0, len }),
    }
}

/// Strings or binary, concatenated.
fn assemble_bytes(parts: &[Column], rows: Rows, exec: &Exec) -> Result<BytesLayout> {
    let layouts: Vec<&BytesLayout> = parts
        .iter()
        .filter_map(|part| if let Layout::Bytes(bytes) = part.layout() { Some(bytes) } else { None })
        .collect();
    let all: Vec<(&Offsets, &Rows)> = layouts.iter().map(|part| (&part.offsets, &part.rows)).collect();
    let spans = layouts.iter().map(|part| part.span()).collect::<Result<Vec<_>>>()?;
    let offsets = assemble_offsets(&all, &spans, exec)?;
    let bytes = layouts.iter().zip(&spans).map(|(part, span)| part.bytes.slice(span.start, span.len()));
    let bytes = Buffer::assemble(&bytes.collect::<Vec<_>>(), exec)?;
    Ok(BytesLayout::of_parts(offsets, bytes, rows))
}

/// Offsets one part after the other, those of each, which spans what `spans` says, counting on from those before.
fn assemble_offsets(parts: &[(&Offsets, &Rows)], spans: &[Range<usize>], exec: &Exec) -> Result<Offsets> {
    let total = spans.iter().map(ExactSizeIterator::len).sum();
    let wide = parts.iter().any(|(offsets, _)| offsets.width == OffsetWidth::I64);
    let width = if wide { OffsetWidth::I64 } else { OffsetWidth::for_bytes(total) };
    let mut buffers = Vec::with_capacity(parts.len() + 1);
    let mut end = 0;
    for ((offsets, rows), span) in parts.iter().zip(spans) {
        let by = signed(end)? - signed(span.start)?;
        let starts = |&(first, count): &(usize, usize), exec: &Exec| {
            offsets.shifted(rows.offset + first, count, width, by, exec)
        };
        buffers.extend(with_retry(exec, [(0, rows.size)], RetryPolicy::split(halves), starts)?);
        end += span.len();
    }
    buffers.push(match width {
        OffsetWidth::I32 => Buffer::from_slice(&[i32::try_from(total).unwrap_or(i32::MAX)], exec)?,
        OffsetWidth::I64 => Buffer::from_slice(&[signed(total)?], exec)?,
    });
    Ok(Offsets { buffer: Buffer::assemble(&buffers, exec)?, width })
}

/// The halves of a range of rows, given by its first row and its length; `None` for few rows: where memory does not
/// suffice for them, single rows would only take more allocations.
fn halves(&(first, count): &(usize, usize)) -> Option<[(usize, usize); 2]> {
    let half = count / 2;
    (half >= SLICE_STEP_ROWS).then_some([(first, half), (first + half, count - half)])
}
