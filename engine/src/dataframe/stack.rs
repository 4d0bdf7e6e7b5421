//! Labels of columns as row labels, and back.

use columnade_columns::{AsLabel, Column, ColumnAccessor, Label, LabelPart, Levels, Scalar};
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::reshape::{self, Stacked};

use super::DataFrame;
use super::pivot::heads;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::index::lookup::computed;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;
use columnade_columns::LevelKey;

/// Which levels of the row labels become labels of columns, and what stands where there is no row: for
/// [`DataFrame::unstack_with`].
///
/// # Source
/// pandas `unstack(level=…, fill_value=…)`.
#[derive(Clone, Debug)]
pub struct Unstack {
    levels: Vec<LevelKey>,
    fill_value: Option<Literal>,
}

impl Default for Unstack {
    fn default() -> Self {
        Self { levels: vec![LevelKey::Position(-1)], fill_value: None }
    }
}

impl Unstack {
    /// The last level; null where there is no row.
    pub fn new() -> Self {
        Self::default()
    }

    /// Levels by their names or positions, from the end if negative.
    #[must_use]
    pub fn levels<L: Into<LevelKey>>(self, levels: impl IntoIterator<Item = L>) -> Self {
        Self { levels: levels.into_iter().map(Into::into).collect(), ..self }
    }

    /// What stands where there is no row. Nulls of rows stay. Default: null.
    #[must_use]
    pub fn fill_value(self, value: impl Into<Literal>) -> Self {
        Self { fill_value: Some(value.into()), ..self }
    }
}

impl DataFrame {
    /// All values as one series in their common dtype, those of the first row first. The labels of the columns become the last
    /// levels of the row labels. Nulls are values too.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "city" => ["Oslo", "Rome"], "may" => [9, 18], "june" => [14, 22] }?.set_index("city")?;
    /// let rows = frame.stack()?;
    /// assert_eq!(rows.to_vec::<i32>()?, [9, 14, 18, 22]);
    /// assert_eq!(rows.index().to_scalars()?[1][1], "june".into());
    /// assert!(rows.unstack()?.column("june")?.equals(&frame.column("june")?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] without columns, for values without a common dtype, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.stack` of all levels.
    pub fn stack(&self) -> Result<Series> {
        const OPERATION: &str = "stack";
        let levels: Vec<usize> = (0..self.label_depth()).collect();
        let (index, mut stacked) = self.stacked(OPERATION, &levels)?;
        let Some((_, values)) = stacked.values.pop() else {
            return Err(Error::argument(OPERATION, "columns", "there are none"));
        };
        let series = Series::unnamed(OPERATION, values, self.exec().clone())?;
        Ok(series.labelled_by(&index))
    }

    /// Some levels of the labels of the columns as the last levels of the row labels, by their names or positions. Columns
    /// whose labels differ in these levels only become one, in the common dtype of their values; null where there was none.
    ///
    /// ```
    /// use columnade::{Pivot, df};
    ///
    /// let frame = df! { "city" => ["Oslo", "Oslo"], "month" => [5, 6], "low" => [4, 8], "high" => [14, 19] }?;
    /// let wide = frame.set_index(["city", "month"])?.unstack()?;
    /// assert_eq!(wide.columns()[1], ("low", 6));
    /// let long = wide.stack_levels([-1])?;
    /// assert_eq!((long.columns().len(), long.index().level_count()), (2, 2));
    /// assert_eq!(long.column("high")?.to_vec::<i32>()?, [14, 19]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] without columns, for values without a common dtype, and when memory runs out;
    /// [`Error::Operation`] for a level that is not there, and for all levels.
    ///
    /// # Source
    /// pandas `DataFrame.stack(level)`.
    pub fn stack_levels<L: Into<LevelKey>>(&self, levels: impl IntoIterator<Item = L>) -> Result<Self> {
        const OPERATION: &str = "stack_levels";
        let accessor = self.frame().accessor();
        let mut positions = Vec::new();
        for level in levels {
            let position = accessor.levels().position(level).operation(OPERATION)?;
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
        positions.sort_unstable();
        if positions.len() >= accessor.levels().count() {
            return Err(Error::argument(OPERATION, "levels", "one stays at least; stack takes all of them"));
        }
        let (index, stacked) = self.stacked(OPERATION, &positions)?;
        let names = accessor.levels().names().iter().enumerate();
        let names = names.filter(|(level, _)| !positions.contains(level)).map(|(_, name)| name.clone());
        let mut columns =
            ColumnAccessor::with_levels(index.len(), Levels::named(names).operation(OPERATION)?);
        for (parts, column) in stacked.values {
            let label = Label::from_parts(parts).operation(OPERATION)?;
            columns.insert(label, column).operation(OPERATION)?;
        }
        Ok(self.labelled(columns, index))
    }

    fn label_depth(&self) -> usize {
        let labels = self.columns().iter().map(AsLabel::depth).max();
        self.frame().accessor().levels().count().max(labels.unwrap_or(1))
    }

    pub(super) fn labelled(&self, columns: ColumnAccessor, index: Index) -> Self {
        let frame = Frame::new(columns, self.exec().clone());
        Self::from_indexed(IndexedFrame::with_index(frame, index))
    }

    /// The name of a level of the labels of the columns.
    pub(super) fn level_name(&self, level: usize) -> Label {
        let name = self.frame().accessor().levels().names().get(level).cloned().flatten();
        name.unwrap_or(Label::NULL)
    }

    fn stacked(&self, operation: &'static str, levels: &[usize]) -> Result<(Index, Stacked)> {
        let (accessor, exec) = (self.frame().accessor(), self.exec());
        let rows = self.index().columns(exec).operation(operation)?;
        let stacked = reshape::stack(&rows, accessor, levels, exec).operation(operation)?;
        let mut names = self.index().names().to_vec();
        names.extend(levels.iter().map(|level| self.level_name(*level)));
        let columns: Vec<Column> = stacked.rows.iter().chain(&stacked.keys).cloned().collect();
        Ok((Index::of_columns(operation, &names, &columns, exec)?, stacked))
    }

    /// The last level of the row labels as the last level of the labels of the columns: see
    /// [`unstack_with`](Self::unstack_with).
    ///
    /// # Errors
    /// Same as [`unstack_with`](Self::unstack_with).
    pub fn unstack(&self) -> Result<Self> {
        self.unstacked("unstack", &Unstack::new(), true)
    }

    /// Levels of the row labels as the last levels of the labels of the columns: a row for each label of the levels that stay,
    /// in ascending order, and columns for each of the levels that do not, in ascending order too.
    ///
    /// ```
    /// use columnade::{Unstack, df};
    ///
    /// let frame = df! { "city" => ["Rome", "Oslo", "Oslo"], "month" => [5, 5, 6], "n" => [1, 2, 3] }?;
    /// let frame = frame.set_index(["city", "month"])?;
    /// let wide = frame.unstack_with(&Unstack::new().levels(["month"]).fill_value(0))?;
    /// assert_eq!(wide.index().get(0)?, "Oslo".into());
    /// assert_eq!(wide.column(("n", 6))?.to_vec::<i32>()?, [3, 0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLevel`]; [`Error::Operation`] for a position without a level, if no level stays, for two rows with the
    /// same labels, for labels that columns cannot have, for a `fill_value` of another dtype, and when memory runs out.
    ///
    /// # Device
    /// The labels that columns get are copied to the host.
    ///
    /// # Source
    /// pandas `DataFrame.unstack(level, fill_value)`.
    pub fn unstack_with(&self, options: &Unstack) -> Result<Self> {
        self.unstacked("unstack_with", options, true)
    }

    /// `unstack`; the labels of the columns stay if `keeps_labels`, and the frame is one series otherwise.
    fn unstacked(&self, operation: &'static str, options: &Unstack, keeps_labels: bool) -> Result<Self> {
        const THERE: &str = "there";
        let (accessor, exec) = (self.frame().accessor(), self.exec());
        let levels = self.level_positions(operation, &options.levels)?;
        let kept: Vec<usize> =
            (0..self.index().level_count()).filter(|level| !levels.contains(level)).collect();
        if kept.is_empty() || levels.is_empty() {
            let reason =
                format!("{} of {} become labels of columns", levels.len(), self.index().level_count());
            return Err(Error::argument(operation, "levels", reason));
        }
        let labels = self.index().columns(exec).operation(operation)?;
        let names = self.index().names();
        let keys = |positions: &[usize]| {
            let key = |level: &usize| (Label::from(level.to_string()), labels[*level].clone());
            ColumnAccessor::from_columns(positions.iter().map(key))
        };
        let made = || -> columnade_columns::Result<_> {
            // Labels of one level, since the mark has one.
            let values = accessor.columns().iter().enumerate();
            let mut values = ColumnAccessor::from_columns(
                values.map(|(place, column)| (Label::from(place.to_string()), column.clone())),
            )?;
            if options.fill_value.is_some() || values.is_empty() {
                values.insert(THERE, Column::from_scalar(&Scalar::Bool(true), self.len(), exec)?)?;
            }
            reshape::pivot(&keys(&kept)?, &keys(&levels)?, &values, exec)
        };
        let mut pivoted = made().operation(operation)?;
        if let Some(value) = &options.fill_value {
            let marks = pivoted.values.pop().unwrap_or_default();
            for (label, columns) in accessor.labels().iter().zip(&mut pivoted.values) {
                for (column, mark) in columns.iter_mut().zip(&marks) {
                    let filled = when(col(THERE).is_null()).then(lit(value.clone())).otherwise(col("x"));
                    *column = computed(&[("x", column), (THERE, mark)], filled, exec)
                        .map_err(|error| error.in_column(label))
                        .operation(operation)?;
                }
            }
        }
        let parts = heads(operation, &pivoted.columns)?;
        let depth = if keeps_labels { self.label_depth() } else { 0 };
        let mut level_names: Vec<Option<Label>> = accessor.levels().names().to_vec();
        level_names.resize(depth, None);
        level_names.extend(
            levels.iter().map(|level| Some(names[*level].clone()).filter(|name| *name != Label::NULL)),
        );
        let mut table = ColumnAccessor::with_levels(
            pivoted.rows.rows(),
            Levels::named(level_names).operation(operation)?,
        );
        for (label, columns) in accessor.labels().iter().zip(pivoted.values) {
            for (head, column) in parts.iter().zip(columns) {
                let mut parts = if keeps_labels { label.parts().to_vec() } else { Vec::new() };
                parts.resize(depth, LabelPart::from(""));
                parts.extend(head.iter().cloned());
                let label = Label::from_parts(parts).operation(operation)?;
                table.insert(label, column).operation(operation)?;
            }
        }
        let names: Vec<Label> = kept.iter().map(|level| names[*level].clone()).collect();
        let index = Index::of_columns(operation, &names, pivoted.rows.columns(), exec)?;
        Ok(self.labelled(table, index))
    }

    /// The positions of levels of the row labels.
    fn level_positions(&self, operation: &'static str, levels: &[LevelKey]) -> Result<Vec<usize>> {
        let count = self.index().level_count();
        let mut positions = Vec::with_capacity(levels.len());
        for level in levels {
            let position = match level {
                LevelKey::Name(name) => self.index().level(operation, name)?,
                LevelKey::Position(position) => {
                    let from_end = if *position < 0 {
                        count.checked_add_signed(*position)
                    } else {
                        usize::try_from(*position).ok()
                    };
                    let missing =
                        columnade_columns::Error::PositionOutOfBounds { position: *position, len: count };
                    from_end.filter(|found| *found < count).ok_or(missing).operation(operation)?
                }
            };
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
        Ok(positions)
    }
}

impl Series {
    /// The last level of the row labels as labels of columns: see [`unstack_with`](Self::unstack_with).
    ///
    /// # Errors
    /// Same as [`DataFrame::unstack_with`].
    pub fn unstack(&self) -> Result<DataFrame> {
        self.to_frame().unstacked("unstack", &Unstack::new(), false)
    }

    /// Levels of the row labels as labels of columns: a frame with a column for each of their labels, in ascending order, and a
    /// row for each label of the other levels.
    ///
    /// # Errors
    /// Same as [`DataFrame::unstack_with`].
    ///
    /// # Source
    /// pandas `Series.unstack(level, fill_value)`.
    pub fn unstack_with(&self, options: &Unstack) -> Result<DataFrame> {
        self.to_frame().unstacked("unstack_with", options, false)
    }
}
