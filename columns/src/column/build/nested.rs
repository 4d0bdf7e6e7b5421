//! Structs and intervals from what they are made of.

use super::into::IntoColumn;
use crate::column::superimpose::OuterNulls;
use crate::column::{Column, IntervalColumn, StructColumn};
use crate::{Closed, Result};
use columnade_buffers::Exec;

/// What [`structs`] gives.
#[derive(Clone, Debug)]
pub struct Structs<N, V> {
    fields: Vec<(N, V)>,
}

/// Structs of these fields, by name, in order. None of them is null: see [`Column::with_validity`]. Without fields there are
/// no rows.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{Column, IntoColumn, structs};
///
/// let exec = Exec::host();
/// let (x, y) = ([1, 2].into_column(&exec)?, ["a", "b"].into_column(&exec)?);
/// let points = structs([("x", x), ("y", y)]).into_column(&exec)?;
/// assert_eq!(points.get(1)?.to_string(), "{x: 2, y: b}");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// When the column is made: [`Error::LengthMismatch`](crate::Error::LengthMismatch) for fields of different lengths,
/// [`Error::DuplicateLabel`](crate::Error::DuplicateLabel) for two of one name.
pub fn structs<N: Into<String>, V: IntoColumn>(fields: impl IntoIterator<Item = (N, V)>) -> Structs<N, V> {
    Structs { fields: fields.into_iter().collect() }
}

impl<N: Into<String>, V: IntoColumn> IntoColumn for Structs<N, V> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        let fields = self.fields.into_iter();
        let fields: Vec<(N, Column)> =
            fields.map(|(name, values)| Ok((name, values.into_column(exec)?))).collect::<Result<_>>()?;
        let Some(size) = fields.iter().map(|(_, field)| field.size()).max() else {
            return Column::full_null(&crate::DType::structure::<String>([]), 0, exec);
        };
        StructColumn::new(fields, None, 0, size).map(Column::Struct)
    }
}

/// What [`intervals`] gives.
#[derive(Clone, Debug)]
pub struct Intervals<V, W> {
    left: V,
    right: W,
    closed: Closed,
}

/// Intervals from lower to upper ends, null where an end is.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{Closed, IntoColumn, intervals};
///
/// let bins = intervals([0, 10], [Some(10), None], Closed::Left).into_column(&Exec::host())?;
/// assert_eq!((bins.get(0)?.to_string(), bins.get(1)?.is_null()), ("[0, 10)".into(), true));
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// When the column is made: as [`IntervalColumn::new`].
///
/// # Source
/// pandas `IntervalArray.from_arrays`.
pub fn intervals<V: IntoColumn, W: IntoColumn>(left: V, right: W, closed: Closed) -> Intervals<V, W> {
    Intervals { left, right, closed }
}

impl<V: IntoColumn, W: IntoColumn> IntoColumn for Intervals<V, W> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        let (left, right) = (self.left.into_column(exec)?, self.right.into_column(exec)?);
        let size = left.size().max(right.size());
        let ends = [left.clone(), right.clone()];
        let mut column = Column::Interval(IntervalColumn::new(left, right, self.closed, None, 0, size)?);
        for end in ends.iter().filter(|end| end.known_null_count() != Some(0)) {
            if let Some(nulls) = OuterNulls::of(end.rows(), exec)? {
                column = nulls.superimpose(&column, exec)?;
            }
        }
        Ok(column)
    }
}
