//! Rows that come several times, with their labels.

use columnade_buffers::Exec;
use columnade_columns as columns;
use columnade_ops::reshape::{RepeatCounts, repeat_rows, tile_rows};
use columnade_ops::selection::Step;

use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;

/// How often each row comes: what [`DataFrame::repeat`], [`Series::repeat`] and [`Index::repeat`] take. A number is that of every
/// row, a series of integers has one for each row, by position.
#[derive(Clone, Debug)]
pub struct Repeats(Counts);

#[derive(Clone, Debug)]
enum Counts {
    Same(usize),
    Each(Box<Series>),
}

impl From<usize> for Repeats {
    fn from(count: usize) -> Self {
        Self(Counts::Same(count))
    }
}

impl From<Series> for Repeats {
    fn from(counts: Series) -> Self {
        Self(Counts::Each(Box::new(counts)))
    }
}

impl From<&Series> for Repeats {
    fn from(counts: &Series) -> Self {
        counts.clone().into()
    }
}

impl Repeats {
    fn step(&self, rows: usize, exec: &Exec) -> columns::Result<Step> {
        match &self.0 {
            Counts::Same(count) => repeat_rows(rows, RepeatCounts::Same(*count), exec),
            Counts::Each(counts) => {
                repeat_rows(rows, RepeatCounts::Each(&counts.values().to_device(exec)?), exec)
            }
        }
    }
}

impl IndexedFrame {
    fn repeated(&self, operation: &'static str, repeats: &Repeats) -> Result<Self> {
        let step = repeats.step(self.frame().len(), self.frame().exec()).operation(operation)?;
        self.take(operation, step)
    }

    fn tiled(&self, operation: &'static str, count: usize) -> Result<Self> {
        let step = tile_rows(self.frame().len(), count, self.frame().exec()).operation(operation)?;
        self.take(operation, step)
    }
}

impl DataFrame {
    /// All rows `count` times with their labels, one copy of the frame below the other.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "n" => [1_i64, 2] }?;
    /// assert_eq!(frame.tile(2)?.column("n")?.to_vec::<i64>()?, [1, 2, 1, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for more rows than 63 bits count, and when memory runs out.
    ///
    /// # Source
    /// cuDF `DataFrame.tile`, `numpy.tile`.
    pub fn tile(&self, count: usize) -> Result<Self> {
        self.indexed_frame().tiled("tile", count).map(Self::from_indexed)
    }

    /// Each row several times, its copies next to each other, all with its label.
    ///
    /// ```
    /// use columnade::{Series, df};
    ///
    /// let frame = df! { "n" => [7_i64, 8, 9] }?;
    /// assert_eq!(frame.repeat(2)?.column("n")?.to_vec::<i64>()?, [7, 7, 8, 8, 9, 9]);
    /// let some = frame.repeat(Series::new([2, 0, 1])?)?;
    /// assert_eq!(some.column("n")?.to_vec::<i64>()?, [7, 7, 9]);
    /// assert_eq!(some.index().get(2)?, 2_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for counts that are no integers, null or negative, for another number of counts than rows, for more
    /// rows than 63 bits count, and when memory runs out.
    ///
    /// # Source
    /// cuDF `DataFrame.repeat`, `numpy.repeat`.
    pub fn repeat(&self, repeats: impl Into<Repeats>) -> Result<Self> {
        self.indexed_frame().repeated("repeat", &repeats.into()).map(Self::from_indexed)
    }
}

impl Series {
    /// All values `count` times with their labels, one copy of the series below the other: see [`DataFrame::tile`].
    ///
    /// # Errors
    /// Same as [`DataFrame::tile`].
    ///
    /// # Source
    /// cuDF `Series.tile`, `numpy.tile`.
    pub fn tile(&self, count: usize) -> Result<Self> {
        self.inner.tiled("tile", count).map(Self::from_indexed)
    }

    /// Each value several times, its copies next to each other, all with its label: see [`DataFrame::repeat`]. Strings are repeated
    /// within themselves by [`StringMethods::repeat`](crate::accessors::StringMethods::repeat).
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let words = Series::new(["a", "b"])?;
    /// assert_eq!(words.repeat(Series::new([1, 2])?)?.to_vec::<String>()?, ["a", "b", "b"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`DataFrame::repeat`].
    ///
    /// # Source
    /// pandas `Series.repeat`.
    pub fn repeat(&self, repeats: impl Into<Repeats>) -> Result<Self> {
        self.inner.repeated("repeat", &repeats.into()).map(Self::from_indexed)
    }
}

impl Index {
    /// Each label several times, its copies next to each other: see [`DataFrame::repeat`].
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let labels = Index::new(["a", "b"])?.repeat(2)?;
    /// assert!(labels.equals(&Index::new(["a", "a", "b", "b"])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`DataFrame::repeat`].
    ///
    /// # Source
    /// pandas `Index.repeat`.
    pub fn repeat(&self, repeats: impl Into<Repeats>) -> Result<Self> {
        const OPERATION: &str = "repeat";
        let exec = self.exec(OPERATION)?;
        let step = repeats.into().step(self.len(), &exec).operation(OPERATION)?;
        self.picked(&[step], &exec).operation(OPERATION)
    }
}
