//! Renaming columns, and levels of labels.

use columnade_columns::{AsLabel, Label, LabelPart, LevelKey, Levels, RenamedLevels};

use super::DataFrame;
use crate::error::{InOperation, Result};

impl DataFrame {
    /// The same columns with some labels replaced, given as (from, to). All change at once, so labels can be swapped.
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) when two columns would have one label.
    pub fn rename<F: AsLabel, T: Into<Label>>(
        &self,
        pairs: impl IntoIterator<Item = (F, T)>,
    ) -> Result<Self> {
        const OPERATION: &str = "rename";
        let pairs: Vec<(F, T)> = pairs.into_iter().collect();
        self.frame().check_labels(OPERATION, pairs.iter().map(|(from, _)| from))?;
        Ok(self.with_accessor(self.frame().accessor().rename(pairs).operation(OPERATION)?))
    }

    /// The levels of the columns' labels: their names and dtypes.
    pub fn levels(&self) -> &Levels {
        self.frame().accessor().levels()
    }

    /// The same columns in the same order, with two levels of their labels swapped.
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let sales = DataFrame::new([(("tea", "price"), [3]), (("rye", "price"), [2])])?;
    /// assert_eq!(sales.swaplevel(0, 1)?.columns(), [("price", "tea"), ("price", "rye")]);
    /// assert_eq!(sales.droplevel(1)?.columns(), ["tea", "rye"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an unknown level.
    ///
    /// # Source
    /// pandas `DataFrame.swaplevel(axis="columns")`.
    pub fn swaplevel(&self, a: impl Into<LevelKey>, b: impl Into<LevelKey>) -> Result<Self> {
        Ok(self.with_accessor(self.frame().accessor().swaplevel(a, b).operation("swaplevel")?))
    }

    /// The same columns without one level of their labels.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an unknown level, for the only one, and when two
    /// columns would have one label.
    ///
    /// # Source
    /// pandas `DataFrame.droplevel(axis="columns")`.
    pub fn droplevel(&self, level: impl Into<LevelKey>) -> Result<Self> {
        Ok(self.with_accessor(self.frame().accessor().droplevel(level).operation("droplevel")?))
    }

    /// The same columns with parts of their labels replaced as `rename` says, in one level or in [all](RenamedLevels::All).
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let sales = DataFrame::new([(("tea", "price"), [3]), (("rye", "price"), [2])])?;
    /// let shouted = sales.rename_levels(0, |part| Some(part.to_string().to_uppercase().into()))?;
    /// assert_eq!(shouted.columns(), [("TEA", "price"), ("RYE", "price")]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an unknown level, and when two columns would have one
    /// label.
    ///
    /// # Source
    /// pandas `DataFrame.rename(columns=…, level=…)`.
    pub fn rename_levels(
        &self,
        levels: impl Into<RenamedLevels>,
        rename: impl FnMut(&LabelPart) -> Option<LabelPart>,
    ) -> Result<Self> {
        let columns = self.frame().accessor().rename_levels(levels, rename).operation("rename_levels")?;
        Ok(self.with_accessor(columns))
    }
}
