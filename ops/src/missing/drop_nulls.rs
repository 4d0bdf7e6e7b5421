//! Drops rows with nulls.

use crate::expression::{Expr, col, evaluate_mask, lit, when};
use crate::filter::apply_mask;
use crate::selection::{Picked, Step};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{AsLabel, BooleanColumn, Column, ColumnAccessor, DType, Result, Scalar};
use columnade_kernels::Bits;
use columnade_kernels::bits::combine;

/// Which rows are dropped, by the nulls in the columns that are looked at.
///
/// # Source
/// pandas `dropna(how=…, thresh=…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropHow {
    /// Those with at least one null.
    Any,
    /// Those without a valid value.
    All,
    /// Those with fewer valid values than this.
    Thresh(usize),
}

/// Keeps the rows of all columns that `how` does not drop for the nulls in the columns of `labels`, in order; NaN is a
/// value. If no row can be dropped, the columns are shared.
///
/// # Shapes and units
/// columns: n rows → at most n rows.
///
/// # Errors
/// [`Error::ColumnNotFound`](columnade_columns::Error::ColumnNotFound);
/// [`Error::DuplicateLabel`](columnade_columns::Error::DuplicateLabel) for a label given twice;
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// Reads one bit per row of each mask, then runs [`apply_mask`]. A threshold between one and all of the columns
/// counts the bits with an expression.
///
/// # Source
/// `cudf/stream_compaction.hpp`: `drop_nulls(keep_threshold)`, pandas `dropna`, Polars `drop_nulls`.
pub fn drop_nulls<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    how: DropHow,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    Ok(valid_rows(columns, labels, how, exec)?.columns)
}

/// [`drop_nulls`], and which rows are kept.
///
/// # Errors
/// [`Error::ColumnNotFound`](columnade_columns::Error::ColumnNotFound);
/// [`Error::DuplicateLabel`](columnade_columns::Error::DuplicateLabel) for a label given twice;
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Source
/// pandas `dropna`, whose rows keep their labels.
pub fn valid_rows<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    how: DropHow,
    exec: &Exec,
) -> Result<Picked> {
    let all = || Picked { columns: columns.clone(), steps: Vec::new() };
    let looked_at = columns.select(labels)?;
    let rows = columns.rows();
    let required = match how {
        DropHow::Any => looked_at.len(),
        DropHow::All => 1,
        DropHow::Thresh(values) => values,
    };
    let is_null = |column: &&Column| column.dtype() == DType::Null;
    let nulls = looked_at.columns().iter().filter(is_null).count();
    let masks: Vec<Bits<'_>> = looked_at
        .columns()
        .iter()
        .filter_map(|column| Some(Bits { buffer: column.mask()?, offset: column.offset(), len: rows }))
        .collect();
    let always_valid = looked_at.len() - nulls - masks.len();
    let Some(required) = required.checked_sub(always_valid).filter(|&required| required > 0) else {
        return Ok(all());
    };
    if required > masks.len() {
        let columns = columns.slice(0, 0)?;
        return Ok(Picked { columns, steps: vec![Step::Slice { offset: 0, len: 0 }] });
    }
    let keep = if required == masks.len() {
        combined(&masks, combine::and, exec)?
    } else if required == 1 {
        combined(&masks, combine::or, exec)?
    } else {
        at_least(required, &masks, exec)?
    };
    match keep {
        None => Ok(all()),
        Some(keep) => {
            let columns = apply_mask(columns, &keep, exec)?;
            Ok(Picked { steps: vec![Step::Mask { keep, kept: columns.rows() }], columns })
        }
    }
}

type Combine = fn(Bits<'_>, Bits<'_>, &Exec) -> columnade_kernels::Result<Buffer>;

/// All masks combined by `combine`; `None` without masks.
fn combined(masks: &[Bits<'_>], combine: Combine, exec: &Exec) -> Result<Option<Column>> {
    let Some((&first, rest)) = masks.split_first() else { return Ok(None) };
    let mut all: Option<Buffer> = None;
    for &mask in rest {
        let so_far = match &all {
            None => first,
            Some(buffer) => Bits { buffer, offset: 0, len: first.len },
        };
        all = Some(combine(so_far, mask, exec)?);
    }
    let column = match all {
        None => BooleanColumn::new(first.buffer.clone(), None, first.offset, first.len)?,
        Some(buffer) => BooleanColumn::new(buffer, None, 0, first.len)?,
    };
    Ok(Some(Column::Boolean(column)))
}

/// The rows with at least `required` set bits.
fn at_least(required: usize, masks: &[Bits<'_>], exec: &Exec) -> Result<Option<Column>> {
    let number = |position: usize| Scalar::Int64(i64::try_from(position).unwrap_or(i64::MAX));
    let columns = masks.iter().enumerate().map(|(position, mask)| {
        let column = BooleanColumn::new(mask.buffer.clone(), None, mask.offset, mask.len)?;
        Ok((position.to_string(), Column::Boolean(column)))
    });
    let columns = ColumnAccessor::from_columns(columns.collect::<Result<Vec<_>>>()?)?;
    let one =
        |label: &columnade_columns::Label| when(col(label)).then(lit(number(1))).otherwise(lit(number(0)));
    let ones = columns.labels().iter().map(one).collect();
    let Some(count) = sum(ones) else { return Ok(None) };
    evaluate_mask(&count.ge(lit(number(required))), &columns, exec).map(Some)
}

/// The sum of expressions, as a balanced tree: its depth is the logarithm of their number.
fn sum(mut terms: Vec<Expr>) -> Option<Expr> {
    while terms.len() > 1 {
        let mut pairs = Vec::with_capacity(terms.len().div_ceil(2));
        let mut rest = terms.into_iter();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => first + second,
                None => first,
            });
        }
        terms = pairs;
    }
    terms.pop()
}
