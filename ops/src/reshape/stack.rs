//! Levels of the labels of columns as keys of rows.

use super::melt::label_column;
use super::rows::{interleave, repeat, tile};
use crate::copying::check_common;
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{AsLabel, Column, ColumnAccessor, DType, Error, Label, LabelPart, Result};

/// What [`stack`] makes of columns.
#[derive(Clone, Debug)]
pub struct Stacked {
    /// The keys of the rows, each repeated for the labels that became keys.
    pub rows: Vec<Column>,
    /// The labels that became keys, a column for each level.
    pub keys: Vec<Column>,
    /// The parts of the labels that stay, and the values under them: one column without parts if none stay.
    pub values: Vec<(Vec<LabelPart>, Column)>,
}

/// The columns whose labels differ in `levels` only as one column, whose rows have those parts of the labels as keys: first
/// the values of the first row, in the order of the labels, then those of the second.
///
/// A label that no column has gives nulls. Values are brought to the common dtype of their column.
///
/// # Shapes and units
/// rows, columns: n rows each; k different labels in `levels` → k · n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns; [`Error::DTypeMismatch`] for values without a common dtype, with the column;
/// [`Error::Overflow`] for more than `i64::MAX` rows; [`Error::Memory`].
///
/// # Device
/// A gather of each key and of each column of values.
///
/// # Source
/// pandas `DataFrame.stack`.
pub fn stack(rows: &[Column], columns: &ColumnAccessor, levels: &[usize], exec: &Exec) -> Result<Stacked> {
    let depth = columns.labels().iter().map(AsLabel::depth).max().unwrap_or(0);
    let parts = |label: &Label, stacked: bool| -> Vec<LabelPart> {
        let parts = label.parts().iter().enumerate();
        parts.filter(|(level, _)| levels.contains(level) == stacked).map(|(_, part)| part.clone()).collect()
    };
    let (mut keys, mut rest): (Vec<Vec<LabelPart>>, Vec<Vec<LabelPart>>) = (Vec::new(), Vec::new());
    let mut places = Vec::with_capacity(columns.len());
    for label in columns.labels() {
        let place = |found: &mut Vec<Vec<LabelPart>>, parts: Vec<LabelPart>| {
            found.iter().position(|other| *other == parts).unwrap_or_else(|| {
                found.push(parts);
                found.len() - 1
            })
        };
        places.push((place(&mut keys, parts(label, true)), place(&mut rest, parts(label, false))));
    }
    if columns.is_empty() || levels.is_empty() || levels.iter().any(|level| *level >= depth) {
        let reason = "there are none that become keys".to_owned();
        return Err(Error::InvalidArgument { name: "columns", reason });
    }
    for at in 0..rest.len() {
        let of_rest = places.iter().zip(columns.iter()).filter(|((_, place), _)| *place == at);
        check_common(of_rest.map(|(_, column)| column))?;
    }
    // Each step keeps to the budget by itself.
    let missing = with_retry_no_split(exec, |exec| Column::full_null(&DType::Null, columns.rows(), exec))?;
    let mut values = Vec::with_capacity(rest.len());
    for (at, rest) in rest.iter().enumerate() {
        let mut parts = vec![&missing; keys.len()];
        for ((key, place), column) in places.iter().zip(columns.columns()) {
            if *place == at {
                parts[*key] = column;
            }
        }
        values.push((rest.clone(), interleave(&parts, exec)?));
    }
    let heads = keys.iter().map(|parts| Label::from_parts(parts.iter().cloned()));
    let heads = heads.collect::<Result<Vec<Label>>>()?;
    let numbered = |columns: Vec<Column>| {
        ColumnAccessor::from_columns(
            columns.into_iter().enumerate().map(|(level, column)| (Label::from(level.to_string()), column)),
        )
    };
    let of_levels = |exec: &Exec| (0..levels.len()).map(|level| label_column(&heads, level, exec)).collect();
    let heads = numbered(with_retry_no_split(exec, of_levels)?)?;
    let rows = repeat(&numbered(rows.to_vec())?, keys.len(), exec)?;
    let keys = if columns.rows() == 0 { heads.slice(0, 0)? } else { tile(&heads, columns.rows(), exec)? };
    Ok(Stacked { rows: rows.columns().to_vec(), keys: keys.columns().to_vec(), values })
}
