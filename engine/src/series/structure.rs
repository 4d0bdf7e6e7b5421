//! Structs of a series.

use columnade_columns::{Column, ColumnAccessor, Error as ColumnError, StructColumn};

use super::Series;
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

/// The fields of a series of structs: see [`Series::struct_`].
///
/// # Source
/// pandas `Series.struct`, cuDF `StructMethods`.
#[derive(Clone, Copy, Debug)]
pub struct StructMethods<'a>(&'a Series);

impl Series {
    /// The operations on structs. Fields share memory with the structs, except for their null masks.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let points = df! { "x" => [1, 2], "y" => ["a", "b"] }?.to_struct()?;
    /// assert_eq!(points.struct_().names()?, ["x", "y"]);
    /// assert_eq!(points.struct_().field("x")?.to_vec::<i32>()?, [1, 2]);
    /// assert_eq!(points.struct_().explode()?.columns(), ["x", "y"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn struct_(&self) -> StructMethods<'_> {
        StructMethods(self)
    }
}

impl StructMethods<'_> {
    /// The names of the fields, in order.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than structs.
    pub fn names(&self) -> Result<&[String]> {
        Ok(self.column("struct_.names")?.names())
    }

    /// The values of one field, named after it; null also where the struct is null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than structs, for an unknown field, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.struct.field`.
    pub fn field(&self, name: &str) -> Result<Series> {
        const OPERATION: &str = "struct_.field";
        let field = self.column(OPERATION)?.field(name, self.0.exec());
        let field = field.map_err(|error| self.0.named(error)).operation(OPERATION)?;
        Ok(self.0.with_values(OPERATION, field)?.rename(name))
    }

    /// The structs with other names of their fields, as many as there are, in order.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than structs, for another number of names, for two fields of one name, and when
    /// memory runs out.
    ///
    /// # Source
    /// Polars `Series.struct.rename_fields`.
    pub fn rename_fields<N: Into<String>>(&self, names: impl IntoIterator<Item = N>) -> Result<Series> {
        self.0.evaluated("struct_.rename_fields", |structs| structs.struct_().rename_fields(names))
    }

    /// A frame with a column for each field; null also where the struct is null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than structs, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.struct.explode`, Polars `Series.struct.unnest`.
    pub fn explode(&self) -> Result<DataFrame> {
        const OPERATION: &str = "struct_.explode";
        let structs = self.column(OPERATION)?;
        let mut columns = ColumnAccessor::with_rows(self.0.len());
        for name in structs.names() {
            let field = structs.field(name, self.0.exec()).map_err(|error| self.0.named(error));
            columns.insert(name, field.operation(OPERATION)?).operation(OPERATION)?;
        }
        let inner = &self.0.inner;
        Ok(DataFrame::from_indexed(inner.with_frame(inner.frame().with_columns(columns))))
    }

    fn column(&self, operation: &'static str) -> Result<&StructColumn> {
        match self.0.values() {
            Column::Struct(column) => Ok(column),
            other @ (Column::Numeric(_)
            | Column::Boolean(_)
            | Column::String(_)
            | Column::Binary(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Categorical(_)
            | Column::Interval(_)
            | Column::List(_)
            | Column::Null(_)) => {
                Err(self.0.named(ColumnError::UnsupportedDType { dtype: other.dtype() })).operation(operation)
            }
        }
    }
}
