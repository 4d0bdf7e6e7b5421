//! Labels one after the other.

use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::promote::common;
use columnade_columns::{self as columns, DType, Error as ColumnError, Label};

use super::deferred::Base;
use super::labels::Labels;
use super::{Index, RangeIndex};
use crate::error::{InOperation, Result};

impl Index {
    /// These labels and then those of the others. Ranges that continue each other are one range; otherwise labels are put
    /// together when they are looked at. Names are kept where they are equal.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let index = Index::new(["a", "b"])?.append([&Index::new(["a"])?])?;
    /// assert_eq!((index.len(), index.is_unique()?), (3, false));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for another number of levels, and for labels without a common dtype.
    ///
    /// # Source
    /// pandas `Index.append`.
    pub fn append<'a>(&self, others: impl IntoIterator<Item = &'a Index>) -> Result<Self> {
        const OPERATION: &str = "append";
        let parts: Vec<Index> = std::iter::once(self.clone()).chain(others.into_iter().cloned()).collect();
        let exec = parts.iter().find_map(Index::labels).map(|labels| Ok(labels.exec().clone()));
        let exec = exec.unwrap_or_else(|| self.exec(OPERATION))?;
        Self::appended(&parts, &exec).operation(OPERATION)
    }

    /// The labels of all parts, at least one.
    pub(crate) fn appended(parts: &[Index], exec: &Exec) -> columns::Result<Self> {
        let Some(first) = parts.first() else { return Ok(Self::of_rows(0)) };
        if parts.len() == 1 {
            return Ok(first.clone());
        }
        let mut names: Vec<Label> = first.names().to_vec();
        let mut dtypes: Vec<DType> = first.dtypes();
        for part in &parts[1..] {
            if part.level_count() != names.len() {
                let reason = format!("of {} levels after those of {}", part.level_count(), names.len());
                return Err(ColumnError::InvalidArgument { name: "row labels", reason });
            }
            for ((name, dtype), (other, its)) in
                names.iter_mut().zip(&mut dtypes).zip(part.names().iter().zip(part.dtypes()))
            {
                if name != other {
                    *name = Label::NULL;
                }
                if *dtype != its {
                    *dtype = common(dtype, &its)?;
                }
            }
        }
        if let Some(range) = one_range(parts) {
            return Ok(Index::Range(range).renamed(&names));
        }
        let base = Base::Concat(parts.into());
        let labels = Labels::deferred(Arc::from(names), Arc::from(dtypes), exec, base, Vec::new())?;
        Ok(Self::of_labels(labels))
    }
}

/// The range that ranges are together.
fn one_range(parts: &[Index]) -> Option<RangeIndex> {
    let range = |part: &Index| if let Index::Range(range) = part { Some(range.clone()) } else { None };
    let mut ranges = parts.iter().map(range);
    let first = ranges.next()??;
    ranges.try_fold(first, |all, next| all.extended_by(&next?))
}
