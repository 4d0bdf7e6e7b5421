//! Groups by lists, structs and intervals.

use super::{GroupOptions, aggregate};
use crate::copying::gather_column;
use crate::expression::{Expr, col, evaluate, resolve_output};
use crate::groupby::grouped_rows::{numbers, row_map};
use crate::keys::{Numbering, is_compound, numbered};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Error, Label, Levels, Result};
use columnade_kernels::copying::gather::MapNulls;

/// [`aggregate`] with numbers in place of the compound keys; `None` if no key is compound. The keys of the result are those
/// of the first row of each group.
pub(super) fn aggregate_by_numbers(
    frame: &ColumnAccessor,
    rows_where: Option<&Expr>,
    keys: &[Expr],
    aggregates: &[Expr],
    options: GroupOptions,
    exec: &Exec,
) -> Result<Option<ColumnAccessor>> {
    let is_compound = |key: &Expr| Ok(is_compound(&resolve_output(key, frame)?.dtype));
    let compound = keys.iter().map(is_compound).collect::<Result<Vec<bool>>>()?;
    if !compound.contains(&true) {
        return Ok(None);
    }
    let mut rows = frame.clone().relevel(Levels::default())?;
    let (mut by, mut replaced) = (keys.to_vec(), Vec::new());
    for (position, key) in by.iter_mut().enumerate().filter(|(position, _)| compound[*position]) {
        let label = key.label();
        let (_, values) = evaluate(std::slice::from_ref(key), &rows, exec)?.swap_remove(0);
        let numbers = with_retry_no_split(exec, |exec| numbered(&values, Numbering::Equality, exec));
        let unused = insert_unused(&mut rows, "number", numbers.map_err(|error| error.in_column(&label))?)?;
        *key = col(unused).alias(label);
        replaced.push((position, values));
    }
    let row = insert_unused(&mut rows, "row", numbers(frame.rows(), exec)?)?;
    let mut asked = aggregates.to_vec();
    let labels: Vec<Label> = by.iter().chain(aggregates).map(Expr::label).collect();
    let mut first = "first".to_owned();
    while labels.contains(&first.as_str().into()) {
        first.push('\'');
    }
    asked.push(col(row).min().alias(first));
    let result = aggregate(&rows, rows_where, &by, &asked, options, exec)?;
    let first = result.columns().last().ok_or(Error::Internal { invariant: "an aggregate was asked for" })?;
    let mut columns = ColumnAccessor::with_rows(result.rows());
    let kept = result.labels().iter().zip(result.columns()).take(result.len() - 1);
    for (position, (label, column)) in kept.enumerate() {
        let column = match replaced.iter().find(|(key, _)| *key == position) {
            Some((_, values)) => first_values(values, first, exec).map_err(|error| error.in_column(label))?,
            None => column.clone(),
        };
        columns.insert(label.clone(), column)?;
    }
    Ok(Some(columns))
}

fn first_values(values: &Column, first: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| gather_column(values, &row_map(first, exec)?, MapNulls::Never, exec))
}

/// Adds a column under a label that no other has.
fn insert_unused(rows: &mut ColumnAccessor, name: &str, column: Column) -> Result<Label> {
    let mut label = name.to_owned();
    while rows.contains(&*label) {
        label.push('\'');
    }
    rows.insert(label.clone(), column)?;
    Ok(label.into())
}
