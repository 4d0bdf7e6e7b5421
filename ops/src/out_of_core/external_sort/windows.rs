//! Prefetched rows of each run.

use super::super::{resident_bytes, touch};
use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Result};
use std::cell::RefCell;
use std::ops::Range;

/// Rows of each run that were prefetched: those of the current step, and those of the next one.
#[derive(Default)]
pub(super) struct Windows {
    current: RefCell<Vec<Window>>,
    /// With the number of the step that they are for.
    next: RefCell<Option<(usize, Vec<Window>)>>,
}

/// Some rows of one run.
struct Window {
    start: usize,
    rows: ColumnAccessor,
}

impl Windows {
    /// Makes step `number` the current one. A step that is tried again keeps its rows.
    pub(super) fn enter(&self, number: usize) {
        let mut next = self.next.borrow_mut();
        if next.as_ref().is_some_and(|(step, _)| *step == number)
            && let Some((_, windows)) = next.take()
        {
            *self.current.borrow_mut() = windows;
        }
    }

    /// Rows of `run`, the one of this number, from the prefetched rows if they are among them.
    pub(super) fn slice(
        &self,
        number: usize,
        run: &ColumnAccessor,
        rows: Range<usize>,
    ) -> Result<ColumnAccessor> {
        let current = self.current.borrow();
        let window = current.get(number).filter(|Window { start, rows: window }| {
            *start <= rows.start && rows.end <= *start + window.rows()
        });
        match window {
            Some(window) => window.rows.slice(rows.start - window.start, rows.len()),
            None => run.slice(rows.start, rows.len()),
        }
    }

    /// Unspills these rows of each run in the background, for step `number`. A failure is left to the step's own attempt.
    pub(super) fn prefetch(
        &self,
        number: usize,
        runs: &[ColumnAccessor],
        rows: impl Iterator<Item = Range<usize>>,
        exec: &Exec,
    ) {
        if self.next.borrow().as_ref().is_some_and(|(step, _)| *step == number) {
            return;
        }
        let window = |(run, rows): (&ColumnAccessor, Range<usize>)| -> Result<Window> {
            let own = run.slice(rows.start, rows.len())?.isolate(exec)?;
            own.will_need();
            Ok(Window { start: rows.start, rows: own })
        };
        if let Ok(windows) = runs.iter().zip(rows).map(window).collect() {
            *self.next.borrow_mut() = Some((number, windows));
        }
        self.current.borrow().iter().for_each(|window| touch(&window.rows));
    }

    /// Bytes on the device of the rows that were prefetched for step `number`, or of those of the current step.
    pub(super) fn resident_bytes(&self, number: usize) -> usize {
        let bytes =
            |windows: &[Window]| resident_bytes(windows.iter().flat_map(|window| window.rows.columns()));
        match &*self.next.borrow() {
            Some((step, windows)) if *step == number => bytes(windows),
            _ => bytes(&self.current.borrow()),
        }
    }
}
