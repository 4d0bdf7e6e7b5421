//! Columns whose labels end in the values of a key as rows.

use columnade_columns::{Column, ColumnAccessor, DType, Label, Scalar};
use columnade_ops::reshape;

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::selection::IntoLabels;

/// Which columns [`DataFrame::wide_to_long`] makes rows of.
///
/// # Source
/// pandas `wide_to_long(stubnames, i, j, sep=…, suffix=…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WideToLong {
    stubs: Vec<Label>,
    i: Vec<Label>,
    j: Label,
    separator: String,
    any_suffix: bool,
}

impl WideToLong {
    /// The columns whose labels begin with one of `stubs` and end in digits; `j` is the column that these become.
    pub fn new<A>(stubs: impl IntoLabels<A>, j: impl Into<Label>) -> Self {
        Self {
            stubs: stubs.into_labels(),
            i: Vec::new(),
            j: j.into(),
            separator: String::new(),
            any_suffix: false,
        }
    }

    /// The columns that identify rows of the frame. They come first in the result.
    #[must_use]
    pub fn i<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { i: labels.into_labels(), ..self }
    }

    /// What stands between stub and suffix. Default: nothing.
    #[must_use]
    pub fn separator(self, separator: impl Into<String>) -> Self {
        Self { separator: separator.into(), ..self }
    }

    /// Suffixes are any text that is not empty, in the place of digits.
    #[must_use]
    pub fn any_suffix(self) -> Self {
        Self { any_suffix: true, ..self }
    }
}

impl DataFrame {
    /// A column for each stub: the values of all columns that are called as the stub with a suffix, those of the first suffix
    /// before those of the second; `j` has the suffix, `int64` if all are digits. The other columns are repeated. Where a stub has no
    /// column of a suffix, its values are null.
    ///
    /// ```
    /// use columnade::{WideToLong, df};
    ///
    /// let frame = df! { "id" => [7_i64, 8], "ht1" => [2.8, 2.9], "ht2" => [3.4, 3.8] }?;
    /// let rows = frame.wide_to_long(&WideToLong::new("ht", "age").i("id"))?;
    /// assert_eq!(rows.columns(), ["id", "age", "ht"]);
    /// assert_eq!(rows.column("age")?.to_vec::<i64>()?, [1, 1, 2, 2]);
    /// assert_eq!(rows.column("ht")?.to_vec::<f64>()?, [2.8, 2.9, 3.4, 3.8]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a stub that is a column, for values of a stub without a common dtype, for
    /// a label that comes twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `wide_to_long`.
    pub fn wide_to_long(&self, options: &WideToLong) -> Result<Self> {
        const OPERATION: &str = "wide_to_long";
        let WideToLong { stubs, i, j, separator, any_suffix } = options;
        self.frame().check_labels(OPERATION, i)?;
        let accessor = self.frame().accessor();
        let stub_text: Vec<String> = stubs.iter().map(|stub| format!("{stub}{separator}")).collect();
        if let Some(stub) = stubs.iter().find(|stub| accessor.contains(stub)) {
            let reason = format!("the stub {stub:?} is a column");
            return Err(crate::Error::argument(OPERATION, "stubs", reason));
        }
        let mut suffixes: Vec<String> = Vec::new();
        let mut melted: Vec<(usize, String, &Column)> = Vec::new();
        let mut others = Vec::new();
        for (label, column) in accessor.iter() {
            let text = label.to_string();
            let found = stub_text.iter().enumerate().find_map(|(stub, start)| {
                let suffix = text.strip_prefix(start.as_str())?;
                let fits = !suffix.is_empty() && (*any_suffix || suffix.bytes().all(|b| b.is_ascii_digit()));
                fits.then(|| (stub, suffix.to_owned()))
            });
            match found.filter(|_| !i.contains(label)) {
                Some((stub, suffix)) => {
                    if !suffixes.contains(&suffix) {
                        suffixes.push(suffix.clone());
                    }
                    melted.push((stub, suffix, column));
                }
                None if !i.contains(label) => others.push(label.clone()),
                None => {}
            }
        }
        let (count, exec) = (suffixes.len(), self.exec());
        let tiled = |labels: &[Label]| {
            let columns = accessor.select(labels)?;
            reshape::tile(&columns, count, exec)
        };
        let (keys, others) = (tiled(i).operation(OPERATION)?, tiled(&others).operation(OPERATION)?);
        let mut made = ColumnAccessor::with_rows(self.len() * count);
        for (label, column) in keys.iter() {
            made.insert(label.clone(), column.clone()).operation(OPERATION)?;
        }
        made.insert(j.clone(), self.suffixes(OPERATION, &suffixes)?).operation(OPERATION)?;
        for (label, column) in others.iter() {
            made.insert(label.clone(), column.clone()).operation(OPERATION)?;
        }
        for (stub, label) in stubs.iter().enumerate() {
            let of_suffix = |suffix: &String| {
                melted
                    .iter()
                    .find(|(of, found, _)| *of == stub && found == suffix)
                    .map(|(_, _, column)| *column)
            };
            let dtype = suffixes.iter().find_map(of_suffix).map_or(DType::Null, Column::dtype);
            let nulls = Column::full_null(&dtype, self.len(), exec).operation(OPERATION)?;
            let parts: Vec<&Column> =
                suffixes.iter().map(|suffix| of_suffix(suffix).unwrap_or(&nulls)).collect();
            let values = match &parts[..] {
                [] => Column::full_null(&DType::Null, 0, exec),
                parts => columnade_ops::copying::concat(parts, exec),
            };
            let values = values.map_err(|error| error.in_column(label)).operation(OPERATION)?;
            made.insert(label.clone(), values).operation(OPERATION)?;
        }
        Ok(Self::from_frame(Frame::new(made, exec.clone())))
    }

    /// The suffix of each row of the result.
    fn suffixes(&self, operation: &'static str, suffixes: &[String]) -> Result<Column> {
        let exec = self.exec();
        let numbers: Option<Vec<i64>> = suffixes.iter().map(|suffix| suffix.parse().ok()).collect();
        let column = if let Some(numbers) = numbers {
            Column::from_slice(&numbers, exec)
        } else {
            let texts: Vec<Scalar> = suffixes.iter().map(|suffix| suffix.as_str().into()).collect();
            Column::from_scalars(&DType::Utf8, &texts, exec)
        };
        let one = ColumnAccessor::from_columns([("j", column.operation(operation)?)]).operation(operation)?;
        let repeated = reshape::repeat(&one, self.len(), exec).operation(operation)?;
        Ok(repeated.columns()[0].clone())
    }
}
