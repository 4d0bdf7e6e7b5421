//! What a frame is made of, and its first and last values.

use columnade_columns::{Column, DType, Label, Scalar};
use columnade_ops::expression::{Expr, Literal, col, evaluate, lit, row_number, when};
use comfy_table::{ContentArrangement, Table, presets};

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;

impl DataFrame {
    /// The number of rows, the row labels, and of each column its label, the number of values that are not null, the dtype
    /// and the bytes, as text.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let text = df! { "n" => [Some(1_i64), None], "word" => ["tea", "rye"] }?.info()?;
    /// assert!(text.starts_with("2 rows × 2 columns\nrow labels: int64, 0 to 1\n"));
    /// assert!(text.contains("int64") && text.contains("utf8"));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    ///
    /// # Source
    /// pandas `DataFrame.info`.
    pub fn info(&self) -> Result<String> {
        let (rows, columns) = self.shape();
        info(self.indexed_frame(), &format!("{rows} rows × {columns} columns"))
    }

    /// The bytes that each column keeps allocated, `int64`, under the labels of the columns as text, and first those of the row
    /// labels under `Index`. A range takes none, and labels that were not read yet none either. Memory that columns share is
    /// counted for each. It is what pandas counts with `deep=True`: of strings, their characters and offsets.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let bytes = df! { "n" => [1_i64, 2, 3] }?.memory_usage()?;
    /// assert_eq!(bytes.to_vec::<i64>()?, [0, 24]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.memory_usage`.
    pub fn memory_usage(&self) -> Result<Series> {
        const OPERATION: &str = "memory_usage";
        let columns = self.frame().accessor().iter();
        let columns = columns.map(|(label, column)| (label.to_string(), column.memory_bytes()));
        let (names, bytes): (Vec<String>, Vec<i64>) = [("Index".to_owned(), self.index().memory_bytes())]
            .into_iter()
            .chain(columns)
            .map(|(name, bytes)| (name, i64::try_from(bytes).unwrap_or(i64::MAX)))
            .unzip();
        let exec = self.exec();
        let names = Column::from_values(names, exec).operation(OPERATION)?;
        let bytes = Column::from_slice(&bytes, exec).operation(OPERATION)?;
        let index = Index::of_owned(&[Label::NULL], vec![names], exec);
        Series::unnamed(OPERATION, bytes, exec.clone())?.with_index(&index)
    }

    /// The label of the first row with a value that is not null; `None` without one. A label of several levels is a struct.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [None, Some(1), None], "b" => [None, None, Some(2)] }?;
    /// assert_eq!(frame.first_valid_index()?, Some(1_i64.into()));
    /// assert_eq!(frame.column("a")?.last_valid_index()?, Some(1_i64.into()));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.first_valid_index`.
    pub fn first_valid_index(&self) -> Result<Option<Scalar>> {
        valid_label("first_valid_index", self.indexed_frame(), false)
    }

    /// The label of the last row with a value that is not null; `None` without one.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.last_valid_index`.
    pub fn last_valid_index(&self) -> Result<Option<Scalar>> {
        valid_label("last_valid_index", self.indexed_frame(), true)
    }
}

impl Series {
    /// The number of rows, the row labels, and of the values their name, the number of those that are not null, the dtype and
    /// the bytes, as text.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let text = Series::new([Some(1_i64), None])?.rename("n").info()?;
    /// assert!(text.starts_with("2 rows\nrow labels: int64, 0 to 1\n"));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    ///
    /// # Source
    /// pandas `Series.info`.
    pub fn info(&self) -> Result<String> {
        info(&self.inner, &format!("{} rows", self.len()))
    }

    /// The bytes that the values keep allocated, and with `index` those of the row labels, as
    /// [`DataFrame::memory_usage`] counts them.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([1_i64, 2, 3])?.memory_usage(true), 24);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Series.memory_usage(index, deep=True)`.
    pub fn memory_usage(&self, index: bool) -> usize {
        self.values().memory_bytes() + if index { self.index().memory_bytes() } else { 0 }
    }

    /// The label of the first value that is not null; `None` without one. A label of several levels is a struct.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `Series.first_valid_index`.
    pub fn first_valid_index(&self) -> Result<Option<Scalar>> {
        valid_label("first_valid_index", &self.inner, false)
    }

    /// The label of the last value that is not null; `None` without one.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `Series.last_valid_index`.
    pub fn last_valid_index(&self) -> Result<Option<Scalar>> {
        valid_label("last_valid_index", &self.inner, true)
    }
}

/// The first line, the row labels, and a line for each column.
fn info(inner: &IndexedFrame, first: &str) -> Result<String> {
    const OPERATION: &str = "info";
    let (frame, index) = (inner.frame(), inner.index());
    let rows = frame.len();
    let ends = if rows == 0 {
        String::new()
    } else {
        format!(", {} to {}", index.label_at(OPERATION, 0)?, index.label_at(OPERATION, rows - 1)?)
    };
    let dtypes: Vec<String> = index.dtypes().iter().map(ToString::to_string).collect();
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(["column", "not null", "dtype", "bytes"]);
    for (label, column) in frame.accessor().iter() {
        let nulls = column.null_count(frame.exec()).map_err(|error| error.in_column(label));
        let valid = rows - nulls.operation(OPERATION)?;
        table.add_row([
            label.to_string(),
            valid.to_string(),
            column.dtype().to_string(),
            column.memory_bytes().to_string(),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let labels = dtypes.join(", ");
    Ok(format!("{first}\nrow labels: {labels}{ends}\n{}", table.trim_fmt()))
}

/// The label of the first or the last row that has a value.
fn valid_label(operation: &'static str, rows: &IndexedFrame, is_last: bool) -> Result<Option<Scalar>> {
    let (accessor, exec) = (rows.frame().accessor(), rows.frame().exec());
    let labels = accessor.labels().iter();
    let Some(is_valid) = labels.map(|label| col(label.clone()).is_not_null()).reduce(Expr::or) else {
        return Ok(None);
    };
    let none = lit(Literal::Null).cast(DType::Int64);
    let number = when(is_valid).then(row_number()).otherwise(none).alias("row");
    let (_, numbers) = evaluate(&[number], accessor, exec).operation(operation)?.swap_remove(0);
    let numbers = Series::unnamed(operation, numbers, exec.clone())?;
    let number = if is_last {
        numbers.evaluated(operation, Expr::max)
    } else {
        numbers.evaluated(operation, Expr::min)
    }?;
    if number.is_empty() {
        return Ok(None);
    }
    let Scalar::Int64(number) = number.values().get(0).operation(operation)? else { return Ok(None) };
    rows.index().label_at(operation, usize::try_from(number - 1).unwrap_or(0)).map(Some)
}
