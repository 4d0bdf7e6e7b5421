//! Host implementation of `rolling_window`: two stacks.

use super::super::windows::{Bounds, BoundsGuard};
use super::monoid::{Monoid, Overflow, Visitor, select};
use super::{WindowAggregation, Windows};
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
            let is_dense = values.validity().is_none();
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
                if is_dense {
                    let mut stacks = DenseStacks::<M>::new(values.values());
                    for (k, result) in results.iter_mut().enumerate() {
                        let (start, end) = rows_of(k);
                        put(k, stacks.of_window(start, end), result);
                    }
                } else {
                    let mut stacks = Stacks::<M>::new(values);
                    for (k, result) in results.iter_mut().enumerate() {
                        let (start, end) = rows_of(k);
                        put(k, stacks.of_window(start, end), result);
                    }
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

/// The partial results of neighbouring rows; `None` without values.
fn merged<M: Monoid>(a: Option<Counted<M>>, b: Option<Counted<M>>) -> Option<Counted<M>> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let partial = M::merge(a.partial, b.partial, [a.count, b.count]);
            Some(Counted { partial, count: a.count + b.count })
        }
        (a, None) => a,
        (None, b) => b,
    }
}

/// A queue of rows as two stacks: the front has the partial results of the rows up to `mid` from each row on, the back that
/// of the rows from `mid` to `end`. Each row is moved from back to front at most once.
struct Stacks<'a, M: Monoid> {
    values: &'a [M::Value],
    guard: &'a ViewGuard<'a>,
    /// The first row of the front; its partial results are in reverse order.
    first: usize,
    front: Vec<Option<Counted<M>>>,
    mid: usize,
    back: Option<Counted<M>>,
    end: usize,
}

impl<'a, M: Monoid> Stacks<'a, M> {
    fn new(guard: &'a ViewGuard<'a>) -> Self {
        Self { values: guard.values(), guard, first: 0, front: Vec::new(), mid: 0, back: None, end: 0 }
    }

    fn row(&self, row: usize) -> Option<Counted<M>> {
        let is_valid = self.guard.validity().is_none_or(|valid| valid.get(row));
        is_valid.then(|| Counted { partial: M::of(self.values[row]), count: 1 })
    }

    fn of_window(&mut self, start: usize, end: usize) -> Option<Counted<M>> {
        if start < self.first || end < self.end || start >= self.end {
            // No rows in common, or rows that were dropped.
            *self = Self { first: start, mid: start, end: start, back: None, front: Vec::new(), ..*self };
        }
        for row in self.end..end {
            self.back = merged(self.back, self.row(row));
        }
        self.end = end;
        if start > self.mid {
            self.front.clear();
            let mut partial = None;
            for row in (start..end).rev() {
                partial = merged(self.row(row), partial);
                self.front.push(partial);
            }
            (self.first, self.mid, self.back) = (start, end, None);
        }
        if start == self.mid { self.back } else { merged(self.front[self.mid - 1 - start], self.back) }
    }
}

/// [`Stacks`] of a column without nulls, of which a range of rows has as many values as rows.
struct DenseStacks<'a, M: Monoid> {
    values: &'a [M::Value],
    first: usize,
    front: Vec<M::Partial>,
    mid: usize,
    /// Without meaning while `mid` is `end`.
    back: M::Partial,
    end: usize,
}

impl<'a, M: Monoid> DenseStacks<'a, M> {
    fn new(values: &'a [M::Value]) -> Self {
        Self { values, first: 0, front: Vec::new(), mid: 0, back: M::of(M::Value::default()), end: 0 }
    }

    #[inline]
    fn of_window(&mut self, start: usize, end: usize) -> Option<Counted<M>> {
        if start >= end {
            return None;
        }
        if start < self.first || end < self.end || start >= self.end {
            // No rows in common, or rows that were dropped.
            self.front.clear();
            (self.first, self.mid, self.end) = (start, start, start);
        }
        for row in self.end..end {
            let partial = M::of(self.values[row]);
            let count = (row - self.mid) as u64;
            self.back = if count == 0 { partial } else { M::merge(self.back, partial, [count, 1]) };
        }
        self.end = end;
        if start > self.mid {
            self.front.clear();
            let mut rows = self.values[start..end].iter().rev();
            if let Some(last) = rows.next() {
                let mut partial = M::of(*last);
                self.front.push(partial);
                for (value, count) in rows.zip(1..) {
                    partial = M::merge(M::of(*value), partial, [1, count]);
                    self.front.push(partial);
                }
            }
            (self.first, self.mid) = (start, end);
        }
        let count = (end - start) as u64;
        let partial = if start == self.mid {
            self.back
        } else {
            let front = self.front[self.mid - 1 - start];
            let counts = [(self.mid - start) as u64, (end - self.mid) as u64];
            if counts[1] == 0 { front } else { M::merge(front, self.back, counts) }
        };
        Some(Counted { partial, count })
    }
}
