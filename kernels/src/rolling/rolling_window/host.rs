//! Host implementation of `rolling_window`: two stacks.

use super::super::windows::{Bounds, BoundsGuard};
use super::monoid::{Monoid, Overflow, Visitor, select};
use super::{WindowAggregation, Windows};
use crate::bits::BitSlice;
use crate::parallel::for_each_part;
use crate::{Error, Fixed, FixedData, Result, Storage, View, ViewGuard};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(super) fn rolling_window(
    aggregation: WindowAggregation,
    values: &Fixed<'_>,
    windows: &Windows<'_>,
    len: usize,
    exec: &Exec,
) -> Result<FixedData> {
    let storage = values.storage;
    let values = View::Fixed(*values).read(exec)?;
    let guard = BoundsGuard::new(&windows.bounds, exec)?;
    let ddof = aggregation.code().1;
    let min_values = windows.min_values;
    let task = Task { values: &values, bounds: guard.on_host(len), min_values, ddof, exec };
    select(aggregation, storage, task).ok_or(Error::UnsupportedStorage { storage })?
}

struct Task<'a> {
    values: &'a ViewGuard<'a>,
    bounds: Bounds<'a>,
    min_values: u64,
    ddof: u32,
    exec: &'a Exec,
}

impl Visitor for Task<'_> {
    type Output = Result<FixedData>;

    fn visit<M: Monoid>(self) -> Result<FixedData> {
        let Self { values, bounds, min_values, ddof, exec } = self;
        let (rows, len) = (values.len(), bounds.len());
        let storage = <M::Value as crate::Element>::STORAGE;
        let mut data = Buffer::uninit(storage.bytes(len), exec)?;
        let mut validity = Buffer::uninit(len.div_ceil(64) * 8, exec)?;
        let overflowed = AtomicBool::new(false);
        if len > 0 {
            let windows = bounds.windows_of_task(rows);
            let (mut data, mut validity) = (data.write(exec)?, validity.write(exec)?);
            let results = data.as_mut_slice::<M::Value>().chunks_mut(windows);
            let words = validity.as_mut_slice::<u64>().chunks_mut(windows / 64);
            for_each_part(results.zip(words), |task, (results, words)| {
                let rows_of = |k: usize| bounds.of(task * windows + k, rows);
                words.fill(0);
                let mut put = |k: usize, of_window: Option<Counted<M>>, result: &mut M::Value| {
                    let count = of_window.map_or(0, |counted| counted.count);
                    let is_valid =
                        count >= min_values && of_window.is_none_or(|counted| M::has_result(counted.partial));
                    words[k / 64] |= u64::from(is_valid) << (k % 64);
                    let finished = match of_window {
                        Some(counted) if is_valid => M::finish(counted.partial, count, ddof),
                        Some(_) => Ok(M::Value::default()),
                        None => Ok(M::of_none()),
                    };
                    *result = finished.unwrap_or_else(|Overflow| {
                        overflowed.store(true, Relaxed);
                        M::Value::default()
                    });
                };
                let windows = (0..results.len()).map(rows_of);
                if let Some(valid) = values.validity() {
                    let rows = SparseRows { values: values.values(), valid };
                    let partials = WindowQueue::<M, _>::new(rows).of_windows(windows);
                    results.iter_mut().zip(partials).enumerate().for_each(|(k, (to, of))| put(k, of, to));
                } else {
                    let partials = WindowQueue::<M, _>::new(DenseRows(values.values())).of_windows(windows);
                    results.iter_mut().zip(partials).enumerate().for_each(|(k, (to, of))| put(k, of, to));
                }
            });
        }
        if overflowed.into_inner() {
            return Err(Error::Overflow { storage: Storage::I128 });
        }
        Ok(FixedData { storage, len, data, validity: Some(validity.slice(0, len.div_ceil(8))) })
    }
}

/// The partial result of `count` values.
struct Counted<M: Monoid> {
    partial: M::Partial,
    count: u64,
}

impl<M: Monoid> Clone for Counted<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Monoid> Copy for Counted<M> {}

/// Rows whose partial results are merged.
trait Rows<M: Monoid> {
    /// The partial result of a range of rows.
    type Partial: Copy;

    fn of_row(&self, row: usize) -> Self::Partial;

    /// The partial result of neighbouring ranges of so many rows.
    fn merge(&self, parts: [Self::Partial; 2], rows: [u64; 2]) -> Self::Partial;

    /// That of a range of so many rows; `None` without values.
    fn counted(&self, partial: Self::Partial, rows: u64) -> Option<Counted<M>>;
}

/// Rows without nulls: a range has as many values as rows.
struct DenseRows<'a, V>(&'a [V]);

impl<M: Monoid> Rows<M> for DenseRows<'_, M::Value> {
    type Partial = M::Partial;

    #[inline]
    fn of_row(&self, row: usize) -> M::Partial {
        M::of(self.0[row])
    }

    #[inline]
    fn merge(&self, [a, b]: [M::Partial; 2], rows: [u64; 2]) -> M::Partial {
        M::merge(a, b, rows)
    }

    #[inline]
    fn counted(&self, partial: M::Partial, count: u64) -> Option<Counted<M>> {
        Some(Counted { partial, count })
    }
}

/// Rows some of which are null.
struct SparseRows<'a, V> {
    values: &'a [V],
    valid: BitSlice<'a>,
}

impl<M: Monoid> Rows<M> for SparseRows<'_, M::Value> {
    type Partial = Option<Counted<M>>;

    #[inline]
    fn of_row(&self, row: usize) -> Option<Counted<M>> {
        self.valid.get(row).then(|| Counted { partial: M::of(self.values[row]), count: 1 })
    }

    #[inline]
    fn merge(&self, parts: [Option<Counted<M>>; 2], _rows: [u64; 2]) -> Option<Counted<M>> {
        match parts {
            [Some(a), Some(b)] => {
                let partial = M::merge(a.partial, b.partial, [a.count, b.count]);
                Some(Counted { partial, count: a.count + b.count })
            }
            [a, None] => a,
            [None, b] => b,
        }
    }

    #[inline]
    fn counted(&self, partial: Option<Counted<M>>, _rows: u64) -> Option<Counted<M>> {
        partial
    }
}

/// A queue of rows as two stacks: the front has the partial results of the rows up to `mid` from each row on, the back that
/// of the rows from `mid` to `end`. Each row is moved from back to front at most once.
struct WindowQueue<M: Monoid, R: Rows<M>> {
    rows: R,
    /// The first row of the front; its partial results are in reverse order.
    first: usize,
    front: Vec<R::Partial>,
    mid: usize,
    /// `None` while `mid` is `end`.
    back: Option<R::Partial>,
    end: usize,
}

impl<M: Monoid, R: Rows<M>> WindowQueue<M, R> {
    fn new(rows: R) -> Self {
        Self { rows, first: 0, front: Vec::new(), mid: 0, back: None, end: 0 }
    }

    /// The partial results of windows, whose starts and ends ascend for the most part.
    fn of_windows(
        mut self,
        windows: impl Iterator<Item = (usize, usize)>,
    ) -> impl Iterator<Item = Option<Counted<M>>> {
        windows.map(move |(start, end)| self.of_window(start, end))
    }

    #[inline]
    fn of_window(&mut self, start: usize, end: usize) -> Option<Counted<M>> {
        if start >= end {
            return None;
        }
        if start < self.first || end < self.end || start >= self.end {
            // No rows in common, or rows that were dropped.
            self.front.clear();
            (self.first, self.mid, self.end, self.back) = (start, start, start, None);
        }
        for row in self.end..end {
            let partial = self.rows.of_row(row);
            let counts = [(row - self.mid) as u64, 1];
            self.back = Some(self.back.map_or(partial, |back| self.rows.merge([back, partial], counts)));
        }
        self.end = end;
        if start > self.mid {
            self.front.clear();
            let mut partial = self.rows.of_row(end - 1);
            self.front.push(partial);
            for row in (start..end - 1).rev() {
                let counts = [1, (end - 1 - row) as u64];
                partial = self.rows.merge([self.rows.of_row(row), partial], counts);
                self.front.push(partial);
            }
            (self.first, self.mid, self.back) = (start, end, None);
        }
        let front = (start < self.mid).then(|| self.front[self.mid - 1 - start]);
        let counts = [(self.mid - start) as u64, (end - self.mid) as u64];
        let partial = match (front, self.back) {
            (Some(front), Some(back)) => Some(self.rows.merge([front, back], counts)),
            (front, back) => front.or(back),
        };
        partial.and_then(|partial| self.rows.counted(partial, (end - start) as u64))
    }
}
