//! Host twin of `aggregate`: dense accumulators by group, a set for each range of rows, merged in range order.

use super::Aggregation;
use super::fold::{
    Count, Extreme, ExtremeBits, ExtremeString, Fold, Largest, Mean, MeanBits, Smallest, Sum, SumBits,
    SumWide,
};
use crate::bits::BitSlice;
use crate::copying::gather::{MapNulls, gather};
use crate::grouping::group_ids::Groups;
use crate::keys::{Cells, KeyColumn};
use crate::tuning::{AGGREGATE_LANE_GROUPS, AGGREGATE_RANGES, HOST_MORSEL_ROWS};
use crate::{ColumnData, Element, Error, FixedData, Result, RowMap, RowWidth, Storage, View};
use columnade_buffers::{Buffer, Exec};
use rayon::prelude::*;
use std::marker::PhantomData;

pub(super) fn aggregate(
    groups: &Groups,
    request: (Aggregation, View<'_>),
    exec: &Exec,
) -> Result<ColumnData> {
    let (aggregation, view) = request;
    let ids = groups.ids.rows.read(exec)?;
    let guard = view.read(exec)?;
    let column = KeyColumn::new(&guard);
    let rows = Rows {
        ids: &ids.as_slice::<u32>()[..groups.ids.len],
        validity: column.validity,
        masked: view.validity_bits().is_some(),
        groups: groups.len(),
        exec,
    };
    match aggregation {
        Aggregation::CountAll => Rows { validity: None, ..rows }.fold(&Count).map(ColumnData::Fixed),
        Aggregation::Count => rows.fold(&Count).map(ColumnData::Fixed),
        Aggregation::Sum => sum(&rows, &column.cells),
        Aggregation::SumWide => sum_wide(&rows, &column.cells),
        Aggregation::Mean => mean(&rows, &column.cells),
        Aggregation::Min | Aggregation::Max => match (&column.cells, aggregation) {
            (Cells::String(text), Aggregation::Min) => gather(
                &view,
                &rows.row_map(&ExtremeString(*text, PhantomData::<Smallest>))?,
                rows.map_nulls(),
                exec,
            ),
            (Cells::String(text), _) => gather(
                &view,
                &rows.row_map(&ExtremeString(*text, PhantomData::<Largest>))?,
                rows.map_nulls(),
                exec,
            ),
            (cells, Aggregation::Min) => extreme::<Smallest>(&rows, cells),
            (cells, _) => extreme::<Largest>(&rows, cells),
        },
    }
}

/// Applies `$body` to the slice behind a column of numbers; bits and text take arms of their own.
macro_rules! numbers {
    ($cells:expr, $values:ident => $body:expr, $($other:tt)*) => {
        match $cells {
            Cells::I8($values) => $body,
            Cells::I16($values) => $body,
            Cells::I32($values) => $body,
            Cells::I64($values) => $body,
            Cells::I128($values) => $body,
            Cells::U8($values) => $body,
            Cells::U16($values) => $body,
            Cells::U32($values) => $body,
            Cells::U64($values) => $body,
            $($other)*
        }
    };
}

const TEXT: Error = Error::NotImplemented { feature: "sums and means of text" };

fn sum(rows: &Rows<'_>, cells: &Cells<'_>) -> Result<ColumnData> {
    let sums = numbers!(cells, values => rows.fold(&Sum(values)),
        Cells::F32(values) => rows.fold(&Sum(values)),
        Cells::F64(values) => rows.fold(&Sum(values)),
        Cells::Bit(bits) => rows.fold(&SumBits(*bits)),
        Cells::String(_) => Err(TEXT),
    );
    sums.map(ColumnData::Fixed)
}

fn sum_wide(rows: &Rows<'_>, cells: &Cells<'_>) -> Result<ColumnData> {
    let refused = |storage| Err(Error::UnsupportedStorage { storage });
    let sums = numbers!(cells, values => rows.fold(&SumWide(values)),
        Cells::F32(_) => refused(Storage::F32),
        Cells::F64(_) => refused(Storage::F64),
        Cells::Bit(_) => refused(Storage::Bit),
        Cells::String(_) => Err(TEXT),
    );
    sums.map(ColumnData::Fixed)
}

fn mean(rows: &Rows<'_>, cells: &Cells<'_>) -> Result<ColumnData> {
    let means = numbers!(cells, values => rows.fold(&Mean(values)),
        Cells::F32(values) => rows.fold(&Mean(values)),
        Cells::F64(values) => rows.fold(&Mean(values)),
        Cells::Bit(bits) => rows.fold(&MeanBits(*bits)),
        Cells::String(_) => Err(TEXT),
    );
    rows.with_mask(means?)
}

fn extreme<E: super::fold::End>(rows: &Rows<'_>, cells: &Cells<'_>) -> Result<ColumnData> {
    let extremes = numbers!(cells, values => rows.fold(&Extreme(values, PhantomData::<E>)),
        Cells::F32(values) => rows.fold(&Extreme(values, PhantomData::<E>)),
        Cells::F64(values) => rows.fold(&Extreme(values, PhantomData::<E>)),
        Cells::Bit(bits) => rows.fold(&ExtremeBits(*bits, PhantomData::<E>)).and_then(|bytes| rows.pack(&bytes)),
        Cells::String(_) => Err(TEXT),
    );
    rows.with_mask(extremes?)
}

/// The rows to aggregate.
#[derive(Clone, Copy)]
struct Rows<'a> {
    ids: &'a [u32],
    /// `None` also when the mask has no null.
    validity: Option<BitSlice<'a>>,
    /// Whether the values have a mask.
    masked: bool,
    groups: usize,
    exec: &'a Exec,
}

impl Rows<'_> {
    /// Ranges of rows with accumulators of their own. Depends on numbers of rows and groups alone, and so does the
    /// order of additions.
    fn ranges(&self) -> usize {
        let rows = self.ids.len();
        if rows < 2 * HOST_MORSEL_ROWS {
            return 1;
        }
        // Merging reads every accumulator of every range: no more than an eighth of the rows.
        (rows / (8 * self.groups).max(HOST_MORSEL_ROWS)).clamp(2, AGGREGATE_RANGES)
    }

    fn fold<F: Fold>(&self, fold: &F) -> Result<FixedData> {
        if self.groups <= AGGREGATE_LANE_GROUPS {
            self.fold_lanes::<F, 4>(fold)
        } else {
            self.fold_lanes::<F, 1>(fold)
        }
    }

    /// With several lanes, neighbouring rows of one group do not wait for each other's addition.
    fn fold_lanes<F: Fold, const LANES: usize>(&self, fold: &F) -> Result<FixedData> {
        let ranges = self.ranges();
        let range = self.ids.len().div_ceil(ranges).next_multiple_of(64).max(64);
        // The last accumulator takes the rows that are in no group, and nulls.
        let width = (self.groups + 1) * LANES;
        let mut accs = Buffer::uninit(ranges * width * size_of::<F::Acc>(), self.exec)?;
        let mut out = Buffer::uninit(self.groups * size_of::<F::Out>(), self.exec)?;
        let (mut accs, mut out_guard) = (accs.write(self.exec)?, out.write(self.exec)?);
        let accs = &mut accs.as_mut_slice::<F::Acc>()[..ranges * width];
        let results = &mut out_guard.as_mut_slice::<F::Out>()[..self.groups];
        each_chunk(accs, width, &|k, accs| {
            let start = (k * range).min(self.ids.len());
            let ids = &self.ids[start..self.ids.len().min(start + range)];
            let validity = self.validity.map(|bits| bits.slice(start, ids.len()));
            accumulate::<F, LANES>(fold, ids, start, validity, accs);
        });
        let accs = &*accs;
        each_chunk(results, HOST_MORSEL_ROWS, &|chunk, results| {
            for (group, result) in (chunk * HOST_MORSEL_ROWS..).zip(results) {
                let mut acc = F::EMPTY;
                for range in accs.chunks_exact(width) {
                    for lane in &range[group * LANES..][..LANES] {
                        fold.merge(&mut acc, lane);
                    }
                }
                *result = F::finish(acc);
            }
        });
        drop(out_guard);
        Ok(FixedData { storage: F::Out::STORAGE, len: self.groups, data: out, validity: None })
    }

    /// The rows that a fold of rows chose, one a group.
    fn row_map<F: Fold<Out = u64>>(&self, fold: &F) -> Result<RowMap> {
        let rows = self.fold(fold)?;
        Ok(RowMap { rows: rows.data, width: RowWidth::U64, len: rows.len })
    }

    fn map_nulls(&self) -> MapNulls {
        if self.masked { MapNulls::Possible } else { MapNulls::Never }
    }

    /// Adds the mask of groups that have a value, if the values have a mask.
    fn with_mask(&self, mut data: FixedData) -> Result<ColumnData> {
        if self.masked {
            let counts = self.fold(&Count)?;
            let counts = counts.data.read(self.exec)?;
            let counts = &counts.as_slice::<i64>()[..self.groups];
            data.validity = Some(self.bits(counts, |&count| count > 0)?);
        }
        Ok(ColumnData::Fixed(data))
    }

    /// Bytes of 0 or 1 as a bit column.
    fn pack(&self, bytes: &FixedData) -> Result<FixedData> {
        let values = bytes.data.read(self.exec)?;
        let data = self.bits(&values.as_slice::<u8>()[..bytes.len], |&byte| byte == 1)?;
        Ok(FixedData { storage: Storage::Bit, len: bytes.len, data, validity: None })
    }

    fn bits<T>(&self, values: &[T], set: impl Fn(&T) -> bool) -> Result<Buffer> {
        let mut out = Buffer::uninit(values.len().div_ceil(8), self.exec)?;
        let mut guard = out.write(self.exec)?;
        for (byte, values) in guard.as_mut_slice::<u8>().iter_mut().zip(values.chunks(8)) {
            *byte = values.iter().enumerate().fold(0, |byte, (k, value)| byte | u8::from(set(value)) << k);
        }
        drop(guard);
        Ok(out)
    }
}

/// Calls `task` with every chunk of `slice` and its number, in parallel when there are several. One instance a type,
/// not one an aggregation: the scheduler is most of the code.
fn each_chunk<T: Send>(slice: &mut [T], chunk: usize, task: &(dyn Fn(usize, &mut [T]) + Sync)) {
    if slice.len() <= chunk {
        task(0, slice);
    } else {
        slice.par_chunks_mut(chunk).enumerate().for_each(|(k, slice)| task(k, slice));
    }
}

/// Takes the rows from `start` into the accumulators of their groups; the accumulators after the last group's take
/// rows without a group, and nulls.
fn accumulate<F: Fold, const LANES: usize>(
    fold: &F,
    ids: &[u32],
    start: usize,
    validity: Option<BitSlice<'_>>,
    accs: &mut [F::Acc],
) {
    accs.fill(F::EMPTY);
    let nowhere = accs.len() / LANES - 1;
    let mut add = |k: usize, id: u32| {
        let group = (id as usize).min(nowhere);
        fold.add(&mut accs[group * LANES + k % LANES], start + k);
    };
    let Some(validity) = validity else {
        for (k, &id) in ids.iter().enumerate() {
            add(k, id);
        }
        return;
    };
    for (word, ids) in ids.chunks(64).enumerate() {
        let valid = validity.word(word);
        for (k, &id) in ids.iter().enumerate() {
            // Without a branch: nulls are as unpredictable as their data.
            let hidden = ((valid >> k & 1) as u32).wrapping_sub(1);
            add(word * 64 + k, id | hidden);
        }
    }
}
