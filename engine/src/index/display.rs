//! Labels as text: only those that are printed leave the device.

use std::fmt;

use columnade_columns::{Label, Result as ColumnResult, Scalar};

use super::Index;
use crate::dataframe::Window;
use crate::options::display_options;

impl fmt::Display for Index {
    /// The kind, the labels, their dtypes, and the names and the frequency where there are some:
    /// `DatetimeIndex([2024-01-31, 2024-02-29], date32, name: day, freq: ME)`. Of many labels the first and last, as
    /// [`DisplayOptions`](crate::DisplayOptions) say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Index::Range(range) = self {
            let (start, step) = (range.start(), range.step());
            write!(f, "RangeIndex(start: {start}, step: {step}, labels: {}", range.len())?;
        } else {
            let dtypes: Vec<String> = self.dtypes().iter().map(ToString::to_string).collect();
            let labels = match self.shown_labels() {
                Ok(labels) => labels.join(", "),
                // An error of `fmt` is the writer's: callers take it for a bug, and many panic.
                Err(error) => return write!(f, "the labels cannot be read: {error}"),
            };
            let dtypes = if dtypes.len() == 1 { dtypes.concat() } else { format!("[{}]", dtypes.join(", ")) };
            write!(f, "{}([{labels}], {dtypes}", self.kind_name())?;
        }
        match self.names() {
            [name] if *name != Label::NULL => write!(f, ", name: {name}")?,
            names if names.len() > 1 && names.iter().any(|name| *name != Label::NULL) => {
                let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                write!(f, ", names: [{}]", names.join(", "))?;
            }
            _ => {}
        }
        if let Some(freq) = self.freq() {
            write!(f, ", freq: {freq}")?;
        }
        let shown = display_options();
        if self.len() > shown.max_rows && self.labels().is_some() {
            write!(f, ", labels: {}", self.len())?;
        }
        f.write_str(")")
    }
}

impl Index {
    /// What pandas calls the kind.
    fn kind_name(&self) -> &'static str {
        match self {
            Index::Range(_) => "RangeIndex",
            Index::Single(_) => "Index",
            Index::Multi(_) => "MultiIndex",
            Index::Datetime(_) => "DatetimeIndex",
            Index::Timedelta(_) => "TimedeltaIndex",
            Index::Categorical(_) => "CategoricalIndex",
            Index::Interval(_) => "IntervalIndex",
        }
    }

    /// The first and last labels, and an ellipsis between them where some are left out.
    fn shown_labels(&self) -> ColumnResult<Vec<String>> {
        let options = display_options();
        let window = Window::new(self.len(), options.max_rows, options.min_rows);
        let mut shown = self.shown_rows(0, window.head())?;
        if window.is_cut() {
            shown.push("…".to_owned());
            shown.extend(self.shown_rows(self.len() - window.tail(), window.tail())?);
        }
        Ok(shown)
    }

    fn shown_rows(&self, offset: usize, len: usize) -> ColumnResult<Vec<String>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let levels = self.rows(offset, len)?;
        let text = |label: &Scalar| {
            if let Scalar::Utf8(text) = label { format!("{text:?}") } else { label.to_string() }
        };
        Ok((0..len)
            .map(|row| {
                let parts: Vec<String> = levels.iter().filter_map(|level| level.get(row).map(text)).collect();
                if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
            })
            .collect())
    }
}
