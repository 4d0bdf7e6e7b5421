//! Series as text.

use std::fmt;

use super::Series;
use crate::dataframe::write_table;
use crate::options::display_options;

impl fmt::Display for Series {
    /// The values with their row labels; of a long series the first and last, as
    /// [`DisplayOptions`](crate::DisplayOptions) says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing stands where a name would be.
        let shown = if self.is_unnamed() { self.rename("") } else { self.clone() };
        write_table(f, shown.inner.frame(), self.index(), display_options())?;
        write!(f, "\n[{} rows, {}]", self.len(), self.dtype())
    }
}
