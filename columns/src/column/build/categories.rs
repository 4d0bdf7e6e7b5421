//! Values as codes into a dictionary of given categories.

use super::into::IntoColumn;
use crate::Result;
use crate::column::{CategoricalColumn, Column};
use columnade_buffers::Exec;
use columnade_kernels::Storage;
use std::fmt;

/// How the column of a dictionary is made.
type Dictionary<'a> = Box<dyn FnOnce(&Exec) -> Result<Column> + 'a>;

/// What [`categories`] gives.
pub struct Categories<'a, V> {
    values: V,
    dictionary: Option<Dictionary<'a>>,
    codes: Storage,
    is_ordered: bool,
}

/// The values as a column of categories: the distinct ones in order of first appearance, and a code a row, null where there
/// is no value.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{IntoColumn, categories};
///
/// let sizes = [Some("low"), Some("high"), None, Some("low")];
/// let sizes = categories(sizes).among(["low", "mid", "high"]).ordered().into_column(&Exec::host())?;
/// assert_eq!(sizes.dtype().to_string(), "dictionary<int32, utf8, ordered>");
/// assert_eq!((sizes.get(1)?, sizes.get(2)?.is_null()), ("high".into(), true));
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// When the column is made: as [`CategoricalColumn::encode`] and, with a dictionary, [`CategoricalColumn::encode_among`];
/// [`Error::Overflow`](crate::Error::Overflow) where the codes are too narrow for so many values;
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for codes of another type than [`codes`](Categories::codes)
/// names.
///
/// # Source
/// pandas `Categorical`.
pub fn categories<'a, V: IntoColumn>(values: V) -> Categories<'a, V> {
    Categories { values, dictionary: None, codes: Storage::I32, is_ordered: false }
}

impl<'a, V> Categories<'a, V> {
    /// The categories that there are, each once and in order, whether or not a row has them. A value that is not among them is
    /// an error.
    #[must_use]
    pub fn among(self, dictionary: impl IntoColumn + 'a) -> Self {
        Self { dictionary: Some(Box::new(move |exec| dictionary.into_column(exec))), ..self }
    }

    /// The order of the categories is that of the values.
    #[must_use]
    pub fn ordered(self) -> Self {
        Self { is_ordered: true, ..self }
    }

    /// Codes of this width: [`Storage::I8`], [`Storage::I16`], [`Storage::I64`] or, as they are without this,
    /// [`Storage::I32`].
    #[must_use]
    pub fn codes(self, codes: Storage) -> Self {
        Self { codes, ..self }
    }
}

impl<V: IntoColumn> IntoColumn for Categories<'_, V> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        let host = Exec::host();
        let values = self.values.into_column(&host)?;
        let column = match self.dictionary {
            None => CategoricalColumn::encode(&values)?,
            Some(dictionary) => CategoricalColumn::encode_among(&values, &dictionary(&host)?)?,
        };
        let column = column.with_codes(self.codes)?;
        let mut column = Column::Categorical(if self.is_ordered { column.as_ordered() } else { column });
        column.adopt(exec)?;
        Ok(column)
    }
}

impl<V: fmt::Debug> fmt::Debug for Categories<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { values, dictionary: _, codes, is_ordered } = self;
        let mut text = f.debug_struct("Categories");
        text.field("values", values).field("codes", codes).field("is_ordered", is_ordered);
        text.finish_non_exhaustive()
    }
}
