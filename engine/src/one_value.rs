//! Frames and series of one value, as a scalar of their device.

use columnade_columns::{DeviceScalar, Error as ColumnError};

use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::series::Series;

impl DataFrame {
    /// The only value, of one row and one column, for expressions over other frames: what
    /// [`lit`](crate::lit) takes. It stays on its device.
    ///
    /// ```
    /// use columnade::{col, df, lit};
    ///
    /// let orders = df! { "total" => [10, 40, 25] }?;
    /// let customers = df! { "name" => ["ada", "bob"], "spent" => [20, 70] }?;
    /// let mean = orders.agg(col("total").mean())?.scalar()?;
    /// let above = customers.filter(col("spent").gt(lit(mean) * 2))?;
    /// assert_eq!(above.column("name")?.to_vec::<String>()?, ["bob"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of rows or columns.
    ///
    /// # Device
    /// Nothing is copied, and the host does not wait. An expression repeats the value in each row, by one launch.
    ///
    /// # Source
    /// Scalar subqueries of SQL; cudf/scalar/scalar.hpp.
    pub fn scalar(&self) -> Result<DeviceScalar> {
        match (self.frame().accessor().columns(), self.len()) {
            ([column], 1) => DeviceScalar::new(column.clone()),
            (columns, rows) => Err(not_one(rows, columns.len())),
        }
        .operation("scalar")
    }
}

impl Series {
    /// The only value, of one row, for expressions over frames: what [`lit`](crate::lit) takes. It stays on its device.
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of rows.
    ///
    /// # Device
    /// As [`DataFrame::scalar`].
    pub fn scalar(&self) -> Result<DeviceScalar> {
        let scalar = match self.len() {
            1 => DeviceScalar::new(self.values().clone()),
            rows => Err(not_one(rows, 1)),
        };
        scalar.map_err(|error| self.named(error)).operation("scalar")
    }
}

fn not_one(rows: usize, columns: usize) -> ColumnError {
    let reason = format!("it has {rows} rows and {columns} columns, and a scalar is one row of one column");
    ColumnError::InvalidArgument { name: "frame", reason }
}
