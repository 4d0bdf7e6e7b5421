//! What is merged next of each run, on its way home.

use crate::chunks::{Operand, at_work};
use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Result};
use std::cell::RefCell;
use std::ops::Range;

/// Rows of each run that were asked for ahead: those of the step at hand, and those of the next one.
#[derive(Default)]
pub(super) struct Windows {
    here: RefCell<Vec<Window>>,
    /// With the number of the step that they are for.
    next: RefCell<Option<(usize, Vec<Window>)>>,
}

/// Some rows of one run.
struct Window {
    start: usize,
    rows: ColumnAccessor,
}

impl Windows {
    /// Makes what was asked for ahead for step `number` that of the step at hand. A step that is tried again keeps its
    /// rows.
    pub(super) fn enter(&self, number: usize) {
        let mut next = self.next.borrow_mut();
        if next.as_ref().is_some_and(|(step, _)| *step == number)
            && let Some((_, windows)) = next.take()
        {
            *self.here.borrow_mut() = windows;
        }
    }

    /// Rows of `run`, the one of this number, from those that were asked for ahead if they are among them.
    pub(super) fn slice(
        &self,
        number: usize,
        run: &ColumnAccessor,
        rows: Range<usize>,
    ) -> Result<ColumnAccessor> {
        let here = self.here.borrow();
        let window = here.get(number).filter(|Window { start, rows: window }| {
            *start <= rows.start && rows.end <= *start + window.rows()
        });
        match window {
            Some(window) => window.rows.slice(rows.start - window.start, rows.len()),
            None => run.slice(rows.start, rows.len()),
        }
    }

    /// Has these rows of each run brought home in the background, for step `number`. What cannot be is brought when it
    /// is wanted.
    pub(super) fn ask(
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
        self.here.borrow().iter().for_each(|window| at_work(&window.rows));
    }

    /// Bytes at home of what was asked for ahead for step `number`, or is at hand.
    pub(super) fn kept_bytes(&self, number: usize) -> usize {
        let bytes = |windows: &[Window]| windows.iter().map(|window| window.rows.kept_bytes()).sum();
        match &*self.next.borrow() {
            Some((step, windows)) if *step == number => bytes(windows),
            _ => bytes(&self.here.borrow()),
        }
    }
}
