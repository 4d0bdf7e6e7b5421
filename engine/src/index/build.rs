//! Indexes from values, and values of indexes.

use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::{
    AsLabel, Column, ColumnAccessor, Error as ColumnError, IntoColumn, Label, Scalar, structs,
};

use super::labels::Labels;
use super::{Index, RangeIndex};
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::options::default_exec_for;
use crate::selection::argument::{Many, One};
use crate::series::Series;

/// One name of an index, or several names of its levels: `"day"`, [`Label::NULL`], `["city", "day"]`. The parameter is
/// inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no levels",
    label = "expected a label, or several of them",
    note = "one name is `\"a\"`, several are `[\"a\", \"b\"]`, no name is `Label::NULL`"
)]
pub trait IndexNames<Kind> {
    /// The names, one for each level.
    fn into_names(self) -> Vec<Label>;
}

impl<L: Into<Label>> IndexNames<One> for L {
    fn into_names(self) -> Vec<Label> {
        vec![self.into()]
    }
}

impl<L: Into<Label>, I: IntoIterator<Item = L>> IndexNames<Many> for I {
    fn into_names(self) -> Vec<Label> {
        self.into_iter().map(Into::into).collect()
    }
}

impl Index {
    /// An index of these labels without a name, on the thread's default device.
    ///
    /// ```
    /// use columnade::builders::timestamps;
    /// use columnade::{Index, TimeUnit};
    ///
    /// let index = Index::new(timestamps(vec![0_i64, 1_000], TimeUnit::Milli))?;
    /// assert!(matches!(index, Index::Datetime(_)));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Device`] when the default device cannot be used; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index(data)`.
    pub fn new(values: impl IntoColumn) -> Result<Self> {
        const OPERATION: &str = "Index::new";
        let exec = default_exec_for(OPERATION)?;
        let column = values.into_column(&exec).operation(OPERATION)?;
        Self::of_columns(OPERATION, &[Label::NULL], &[column], &exec)
    }

    /// An index of several levels, named as given, on the thread's default device.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let levels = [("city", Series::new(["Oslo", "Rome"])?), ("year", Series::new([1998, 2004])?)];
    /// let index = Index::from_arrays(levels)?;
    /// assert_eq!(index.names(), ["city", "year"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] without levels, for levels of different lengths, and when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.from_arrays`.
    pub fn from_arrays<L: Into<Label>, C: IntoColumn>(
        levels: impl IntoIterator<Item = (L, C)>,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrays";
        let exec = default_exec_for(OPERATION)?;
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for (name, values) in levels {
            names.push(name.into());
            columns.push(values.into_column(&exec).operation(OPERATION)?);
        }
        Self::of_columns(OPERATION, &names, &columns, &exec)
    }

    /// The rows of a frame as labels: a level for each column.
    ///
    /// # Errors
    /// [`Error::Operation`] for a frame without columns, and when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.from_frame`.
    pub fn from_frame(frame: &DataFrame) -> Result<Self> {
        let columns = frame.frame().accessor().columns();
        Self::of_columns("from_frame", frame.columns(), columns, frame.exec())
    }

    /// The values of a series as labels, under its name.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index(series)`.
    pub fn from_series(series: &Series) -> Result<Self> {
        let name = series.name().clone();
        Self::of_columns("from_series", &[name], std::slice::from_ref(series.values()), series.exec())
    }

    /// Labels of columns, which are shared, not copied. A consumer that may write their memory does not change the labels.
    pub(crate) fn of_columns(
        operation: &'static str,
        names: &[Label],
        columns: &[Column],
        exec: &Exec,
    ) -> Result<Self> {
        let Some(first) = columns.first() else {
            return Err(Error::argument(operation, "levels", "there are none"));
        };
        if let Some(other) = columns.iter().find(|column| column.size() != first.size()) {
            return Err(ColumnError::LengthMismatch { expected: first.size(), found: other.size() })
                .operation(operation);
        }
        let copies = columns.iter().map(|column| column.shallow_copy(exec));
        let copies = copies.collect::<columnade_columns::Result<Vec<_>>>().operation(operation)?;
        Ok(Self::of_owned(names, copies, exec))
    }

    /// Labels of columns of one length that no one else writes.
    pub(crate) fn of_owned(names: &[Label], columns: Vec<Column>, exec: &Exec) -> Self {
        Self::of_labels(Labels::ready(names.into(), columns, exec))
    }

    /// Labels of columns of one length, which ascend and are unique if that is said.
    pub(crate) fn of_increasing(names: &[Label], columns: Vec<Column>, is_unique: bool, exec: &Exec) -> Self {
        let labels = Labels::ready(names.into(), columns, exec);
        labels.facts().set_increasing(is_unique);
        Self::of_labels(labels)
    }

    /// The labels as a series under their name, labelled by themselves; of several levels, structs.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index.to_series`.
    pub fn to_series(&self) -> Result<Series> {
        const OPERATION: &str = "to_series";
        let exec = self.exec(OPERATION)?;
        let columns = self.columns(&exec).operation(OPERATION)?;
        let column = match &*columns {
            [column] => column.clone(),
            levels => {
                let names = self
                    .names()
                    .iter()
                    .enumerate()
                    .map(|(level, name)| name.as_text().map_or_else(|| level.to_string(), str::to_owned));
                structs(names.zip(levels)).into_column(&exec).operation(OPERATION)?
            }
        };
        let columns = ColumnAccessor::from_columns([(self.name().clone(), column)]).operation(OPERATION)?;
        Ok(Series::from_indexed(crate::indexed_frame::IndexedFrame::with_index(
            Frame::new(columns, exec),
            self.clone(),
        )))
    }

    /// The levels as columns, labelled by themselves. A level without a name is called as its position.
    ///
    /// # Errors
    /// [`Error::Operation`] for two levels of one name, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.to_frame`.
    pub fn to_frame(&self) -> Result<DataFrame> {
        const OPERATION: &str = "to_frame";
        let exec = self.exec(OPERATION)?;
        let columns = self.columns(&exec).operation(OPERATION)?;
        let names = self.names().iter().enumerate().map(|(level, name)| {
            if name == &Label::NULL {
                Label::from(i64::try_from(level).unwrap_or(i64::MAX))
            } else {
                name.clone()
            }
        });
        let columns =
            ColumnAccessor::from_columns(names.zip(columns.iter().cloned())).operation(OPERATION)?;
        Ok(DataFrame::from_indexed(crate::indexed_frame::IndexedFrame::with_index(
            Frame::new(columns, exec),
            self.clone(),
        )))
    }

    /// All labels, copied to the host: a list of scalars for each level.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    pub fn to_scalars(&self) -> Result<Vec<Vec<Scalar>>> {
        self.rows(0, self.len()).operation("to_scalars")
    }

    /// The labels of one level, by its name, as an index of that level.
    ///
    /// # Errors
    /// [`Error::MissingLevel`]; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index.get_level_values`.
    pub fn get_level_values(&self, level: impl AsLabel) -> Result<Self> {
        const OPERATION: &str = "get_level_values";
        let level = self.level(OPERATION, level)?;
        if self.level_count() == 1 {
            return Ok(self.clone());
        }
        let exec = self.exec(OPERATION)?;
        let columns = self.columns(&exec).operation(OPERATION)?;
        Ok(Self::of_owned(&self.names()[level..=level], vec![columns[level].clone()], &exec))
    }

    /// Levels by their positions.
    pub(crate) fn with_levels(&self, operation: &'static str, levels: &[usize]) -> Result<Self> {
        if self.level_count() == 1 && levels == [0] {
            return Ok(self.clone());
        }
        let exec = self.exec(operation)?;
        let columns = self.columns(&exec).operation(operation)?;
        let names: Vec<Label> = levels.iter().map(|&level| self.names()[level].clone()).collect();
        let columns = levels.iter().map(|&level| columns[level].clone()).collect();
        Ok(Self::of_owned(&names, columns, &exec))
    }

    /// The labels without one level.
    ///
    /// # Errors
    /// [`Error::MissingLevel`]; [`Error::Operation`] for the only level, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.droplevel`.
    pub fn droplevel(&self, level: impl AsLabel) -> Result<Self> {
        self.without_level("droplevel", level)
    }

    pub(crate) fn without_level(&self, operation: &'static str, level: impl AsLabel) -> Result<Self> {
        let level = self.level(operation, level)?;
        if self.level_count() == 1 {
            return Err(Error::argument(operation, "level", "there is no other"));
        }
        let others: Vec<usize> = (0..self.level_count()).filter(|&other| other != level).collect();
        self.with_levels(operation, &others)
    }

    /// The labels with two levels swapped.
    ///
    /// # Errors
    /// [`Error::MissingLevel`]; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.swaplevel`.
    pub fn swaplevel(&self, a: impl AsLabel, b: impl AsLabel) -> Result<Self> {
        self.with_swapped("swaplevel", a, b)
    }

    pub(crate) fn with_swapped(
        &self,
        operation: &'static str,
        a: impl AsLabel,
        b: impl AsLabel,
    ) -> Result<Self> {
        let (a, b) = (self.level(operation, a)?, self.level(operation, b)?);
        let mut levels: Vec<usize> = (0..self.level_count()).collect();
        levels.swap(a, b);
        self.with_levels(operation, &levels)
    }

    /// The labels with their levels in another order.
    ///
    /// # Errors
    /// [`Error::MissingLevel`]; [`Error::Operation`] unless each level is given once, and when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.reorder_levels`.
    pub fn reorder_levels<A>(&self, order: impl IndexNames<A>) -> Result<Self> {
        self.with_order("reorder_levels", &order.into_names())
    }

    pub(crate) fn with_order(&self, operation: &'static str, order: &[Label]) -> Result<Self> {
        let levels = order.iter().map(|level| self.level(operation, level)).collect::<Result<Vec<_>>>()?;
        let mut sorted = levels.clone();
        sorted.sort_unstable();
        if sorted != (0..self.level_count()).collect::<Vec<_>>() {
            return Err(Error::argument(operation, "order", "each level is given once"));
        }
        self.with_levels(operation, &levels)
    }
}

impl From<RangeIndex> for Index {
    fn from(range: RangeIndex) -> Self {
        Index::Range(range)
    }
}

/// The names of levels where columns of unnamed ones are made: `index` for one, `level_0`, `level_1`, … for several.
pub(crate) fn column_names(names: &[Label], taken: impl Fn(&Label) -> bool) -> Arc<[Label]> {
    let numbered = names.len() > 1 || taken(&Label::from("index"));
    let name = |(level, name): (usize, &Label)| {
        if *name != Label::NULL {
            name.clone()
        } else if numbered {
            Label::from(format!("level_{level}"))
        } else {
            Label::from("index")
        }
    };
    names.iter().enumerate().map(name).collect()
}
