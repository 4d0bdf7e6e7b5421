//! Settings of a thread: the default context and display options.

use std::cell::RefCell;

use columnade_buffers::{Device, Exec};
use columnade_columns::Scalar;

use crate::error::{InOperation, Result};

/// How much of a frame or a series is printed.
///
/// # Source
/// pandas `display.max_rows`, `display.min_rows`, `display.max_columns`, `display.max_colwidth`, `display.width`,
/// `display.precision`; Polars `Config.set_tbl_width_chars`, `Config.set_float_precision`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayOptions {
    /// A frame with more rows is truncated.
    pub max_rows: usize,
    /// Rows that are printed of a truncated frame, half from its head and half from its tail.
    pub min_rows: usize,
    /// A frame with more columns is truncated in the middle.
    pub max_columns: usize,
    /// The width of a cell, in which wide characters, as those of Chinese, count twice; of a wider one what fits before an
    /// ellipsis is printed.
    pub max_colwidth: usize,
    /// The width of a line of a printed table: as many columns are left out in the middle as it takes, but no level of the row
    /// labels. Without a limit by default. HTML and Markdown have no width.
    pub width: usize,
    /// Digits after the point of floats; `None`, the default, for as many as tell a value from others.
    pub precision: Option<u8>,
}

impl DisplayOptions {
    /// A value as a cell shows it, whatever its width.
    pub fn text(&self, value: &Scalar) -> String {
        match self.precision {
            Some(digits) => value.text_with_digits(digits),
            None => value.to_string(),
        }
    }

    /// Nothing is left out.
    pub fn all() -> Self {
        let all = usize::MAX;
        Self {
            max_rows: all,
            min_rows: all,
            max_columns: all,
            max_colwidth: all,
            width: all,
            precision: None,
        }
    }
}

impl Default for DisplayOptions {
    fn default() -> Self {
        Self {
            max_rows: 60,
            min_rows: 10,
            max_columns: 20,
            max_colwidth: 50,
            width: usize::MAX,
            precision: None,
        }
    }
}

thread_local! {
    static EXEC: RefCell<Option<Exec>> = const { RefCell::new(None) };
    static DISPLAY: RefCell<Option<DisplayOptions>> = const { RefCell::new(None) };
}

/// The default context of this thread: the one set by [`set_default_exec`] or [`set_default_device`], else a context on the
/// device that `COLUMNADE_DEVICE` names, else on the first GPU of a `cuda` build, else on the host.
///
/// # Errors
/// [`Error::Operation`](crate::Error::Operation) when `COLUMNADE_DEVICE` names a device that this build or machine does
/// not have.
pub fn default_exec() -> Result<Exec> {
    default_exec_for("default_exec")
}

/// [`default_exec`] for the method `operation`, which its error names.
pub(crate) fn default_exec_for(operation: &'static str) -> Result<Exec> {
    EXEC.with_borrow_mut(|exec| {
        if let Some(exec) = exec {
            return Ok(exec.clone());
        }
        let new = Device::default_device().and_then(Exec::new).operation(operation)?;
        Ok(exec.insert(new).clone())
    })
}

/// This thread's default context where that is of `device`, else a new one; an error of the method `operation`.
pub(crate) fn exec_on(operation: &'static str, device: Device) -> Result<Exec> {
    let default = default_exec_for(operation)?;
    if default.device() == device { Ok(default) } else { Exec::new(device).operation(operation) }
}

/// Sets the default context of this thread. Existing frames keep theirs.
pub fn set_default_exec(exec: Exec) {
    EXEC.set(Some(exec));
}

/// Sets the default context of this thread to a new one on `device`. Existing frames do not move.
///
/// # Errors
/// [`Error::Operation`](crate::Error::Operation) when this build or machine does not have the device.
pub fn set_default_device(device: Device) -> Result<()> {
    set_default_exec(Exec::new(device).operation("set_default_device")?);
    Ok(())
}

/// How much this thread prints of a frame.
pub fn display_options() -> DisplayOptions {
    DISPLAY.with_borrow(|options| options.unwrap_or_default())
}

/// Sets how much this thread prints of a frame.
pub fn set_display_options(options: DisplayOptions) {
    DISPLAY.set(Some(options));
}
