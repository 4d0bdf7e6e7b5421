//! Host implementation of `rolling_quantile`: the rows of the window in a binary indexed tree.

use super::super::windows::{BoundsGuard, Windows};
use super::RollingQuantile;
use crate::parallel::for_each_part;
use crate::{Fixed, FixedData, Result, Storage, View, ViewGuard};
use columnade_buffers::{Buffer, Exec};

pub(super) fn rolling_quantile(
    order: &Fixed<'_>,
    windows: &Windows<'_>,
    q: f64,
    len: usize,
    exec: &Exec,
) -> Result<RollingQuantile> {
    let order = View::Fixed(*order).read(exec)?;
    let guard = BoundsGuard::new(&windows.bounds, exec)?;
    let (rows, bounds) = (order.len(), guard.on_host(len));
    let least = windows.min_values.max(1);
    let mut low = Buffer::uninit(len * 8, exec)?;
    let mut high = Buffer::uninit(len * 8, exec)?;
    let mut place = Buffer::uninit(len * 8, exec)?;
    let mut validity = Buffer::uninit(len.div_ceil(64) * 8, exec)?;
    if len > 0 {
        let windows = bounds.windows_of_task(rows);
        let (mut low, mut high) = (low.write(exec)?, high.write(exec)?);
        let (mut place, mut validity) = (place.write(exec)?, validity.write(exec)?);
        let positions =
            low.as_mut_slice::<i64>().chunks_mut(windows).zip(high.as_mut_slice::<i64>().chunks_mut(windows));
        let words = validity.as_mut_slice::<u64>().chunks_mut(windows / 64);
        let parts = positions.zip(place.as_mut_slice::<f64>().chunks_mut(windows).zip(words));
        for_each_part(parts, |task, ((low, high), (place, words))| {
            let of_window = |k: usize| bounds.of(task * windows + k, rows);
            let (mut first, mut last) = (rows, 0);
            for (start, end) in (0..low.len()).map(of_window).filter(|(start, end)| start < end) {
                (first, last) = (first.min(start), last.max(end));
            }
            let mut values = WindowValues::new(&order, first.min(last), last);
            words.fill(0);
            for k in 0..low.len() {
                let (start, end) = of_window(k);
                values.move_to(start, end);
                let is_valid = values.count as u64 >= least;
                words[k / 64] |= u64::from(is_valid) << (k % 64);
                (low[k], high[k], place[k]) = if is_valid { values.at(q) } else { (0, 0, 0.0) };
            }
        });
    }
    let validity = validity.slice(0, len.div_ceil(8));
    let column = |storage, data| FixedData { storage, len, data, validity: Some(validity.clone()) };
    Ok(RollingQuantile {
        low: column(Storage::I64, low),
        high: column(Storage::I64, high),
        place: column(Storage::F64, place),
    })
}

/// The values of a window in order.
struct WindowValues {
    /// The first row of those that windows may have.
    first: usize,
    /// The place of each row among the sorted ones, from 1; 0 for a null.
    places: Vec<usize>,
    /// The numbers of the sorted rows.
    sorted: Vec<i64>,
    /// How many rows of the window are at some places: a binary indexed tree, whose first element is not used.
    tree: Vec<u32>,
    start: usize,
    end: usize,
    count: usize,
}

impl WindowValues {
    fn new(order: &ViewGuard<'_>, first: usize, last: usize) -> Self {
        let numbers = order.values::<i64>();
        let valid = order.validity();
        let is_valid = |row: &usize| valid.is_none_or(|valid| valid.get(*row));
        let mut by_number: Vec<(i64, usize)> =
            (first..last).filter(is_valid).map(|row| (numbers[row], row)).collect();
        by_number.sort_unstable();
        let mut places = vec![0; last - first];
        for (place, (_, row)) in by_number.iter().enumerate() {
            places[row - first] = place + 1;
        }
        let sorted: Vec<i64> = by_number.iter().map(|(number, _)| *number).collect();
        let tree = vec![0; sorted.len() + 1];
        Self { first, places, sorted, tree, start: first, end: first, count: 0 }
    }

    /// Takes a row into the window, or out of it.
    fn update(&mut self, row: usize, enters: bool) {
        let mut place = self.places[row - self.first];
        if place == 0 {
            return;
        }
        self.count = if enters { self.count + 1 } else { self.count - 1 };
        while place < self.tree.len() {
            let rows = &mut self.tree[place];
            *rows = if enters { *rows + 1 } else { *rows - 1 };
            place += place & place.wrapping_neg();
        }
    }

    fn move_to(&mut self, start: usize, end: usize) {
        if start >= end {
            return self.clear();
        }
        if start >= self.end || end <= self.start {
            self.clear();
            (self.start, self.end) = (start, start);
        }
        while self.start > start {
            self.start -= 1;
            self.update(self.start, true);
        }
        while self.end < end {
            self.update(self.end, true);
            self.end += 1;
        }
        while self.start < start {
            self.update(self.start, false);
            self.start += 1;
        }
        while self.end > end {
            self.end -= 1;
            self.update(self.end, false);
        }
    }

    fn clear(&mut self) {
        for row in self.start..self.end {
            self.update(row, false);
        }
        self.end = self.start;
    }

    /// The number of the value at `position` of the sorted values of the window.
    fn number(&self, position: usize) -> i64 {
        let (mut place, mut left) = (0, position as u32);
        let mut step = self.tree.len().next_power_of_two();
        while step > 0 {
            let next = place + step;
            if next < self.tree.len() && self.tree[next] <= left {
                (place, left) = (next, left - self.tree[next]);
            }
            step /= 2;
        }
        self.sorted[place]
    }

    /// The numbers of the values below and above the quantile, and where it lies.
    fn at(&self, q: f64) -> (i64, i64, f64) {
        let place = (self.count - 1) as f64 * q;
        let low = place.floor();
        let fraction = place - low;
        let number = self.number(low as usize);
        let high = if fraction > 0.0 { self.number(low as usize + 1) } else { number };
        (number, high, place)
    }
}
