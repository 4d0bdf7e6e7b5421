//! The levels of labels exchanged, dropped and renamed.

use std::mem;

use super::{AsLabel, ColumnAccessor, Label, LabelPart, LevelKey};
use crate::{Error, Result};

/// Which levels [`ColumnAccessor::rename_levels`] changes.
#[derive(Clone, Debug, PartialEq)]
pub enum RenamedLevels {
    /// Every level.
    All,
    /// One level.
    One(LevelKey),
}

impl<K: Into<LevelKey>> From<K> for RenamedLevels {
    fn from(level: K) -> Self {
        Self::One(level.into())
    }
}

impl ColumnAccessor {
    /// The same columns in the same order, with two levels of their labels exchanged; names and dtypes go with them.
    ///
    /// # Errors
    /// What [`Levels::position`](super::Levels::position) returns.
    ///
    /// # Source
    /// pandas `DataFrame.swaplevel(axis="columns")`.
    pub fn swaplevel(&self, a: impl Into<LevelKey>, b: impl Into<LevelKey>) -> Result<Self> {
        let (a, b) = (self.levels.position(a)?, self.levels.position(b)?);
        if a == b {
            return Ok(self.clone());
        }
        let mut levels = self.levels.clone();
        levels.swap(a, b);
        let swapped = |label: &Label| {
            let mut parts = label.parts().to_vec();
            parts.swap(a, b);
            Label::of(parts)
        };
        self.labelled(self.labels().iter().map(swapped), levels)
    }

    /// The same columns without one level of their labels.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`] when two labels differ in that level alone; [`Error::InvalidArgument`] for the only
    /// level; what [`Levels::position`](super::Levels::position) returns.
    ///
    /// # Source
    /// pandas `DataFrame.droplevel(axis="columns")`.
    pub fn droplevel(&self, level: impl Into<LevelKey>) -> Result<Self> {
        let level = self.levels.position(level)?;
        if !self.levels.is_multi() {
            let reason = "labels have no other level".to_owned();
            return Err(Error::InvalidArgument { name: "level", reason });
        }
        let mut levels = self.levels.clone();
        levels.remove(level);
        let dropped = |label: &Label| {
            let mut parts = label.parts().to_vec();
            parts.remove(level);
            Label::of(parts)
        };
        self.labelled(self.labels().iter().map(dropped), levels)
    }

    /// The same columns with some parts of their labels replaced: those for which `rename` has another. With one
    /// level, labels that are tuples stay as they are; see [`rename`](Self::rename). A level's dtype is forgotten when
    /// a part becomes one of another kind.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use columnade_columns::{Column, ColumnAccessor, LabelPart, RenamedLevels};
    ///
    /// let column = Column::from_vec(vec![1_i64]);
    /// let sales = ColumnAccessor::from_columns([(("tea", 1998), column.clone()), (("rye", 1999), column)])?;
    /// let names = HashMap::from([(LabelPart::from("tea"), LabelPart::from("thé"))]);
    /// let renamed = sales.rename_levels(0, |part| names.get(part).cloned())?;
    /// assert_eq!(renamed.labels(), [("thé", 1998), ("rye", 1999)]);
    /// let shouted = sales.rename_levels(RenamedLevels::All, |part| Some(part.to_string().to_uppercase().into()))?;
    /// assert_eq!(shouted.labels(), [("TEA", "1998"), ("RYE", "1999")]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`] when two columns would have one label; what
    /// [`Levels::position`](super::Levels::position) returns.
    ///
    /// # Source
    /// pandas `DataFrame.rename(columns=…, level=…)`.
    pub fn rename_levels(
        &self,
        levels: impl Into<RenamedLevels>,
        mut rename: impl FnMut(&LabelPart) -> Option<LabelPart>,
    ) -> Result<Self> {
        let changed = match levels.into() {
            RenamedLevels::All => 0..self.levels.count(),
            RenamedLevels::One(key) => {
                let level = self.levels.position(key)?;
                level..level + 1
            }
        };
        let mut levels = self.levels.clone();
        let mut labels = self.labels().to_vec();
        for label in labels.iter_mut().filter(|label| label.depth() == self.levels.count()) {
            let mut parts = label.parts().to_vec();
            for level in changed.clone() {
                let Some(part) = rename(&parts[level]) else { continue };
                if mem::discriminant(&part) != mem::discriminant(&parts[level]) {
                    levels.forget_dtype(level);
                }
                parts[level] = part;
            }
            *label = Label::of(parts);
        }
        self.labelled(labels, levels)
    }
}
