//! The first rows in an order, without sorting all rows.

use super::sort_by::check_keys;
use super::{NullOrder, Order, SortColumn, SortKey, argsort, argsort_scratch_bytes};
use crate::copying::{MapNulls, gather_column};
use crate::expression::{Expr, Literal, col, lit};
use crate::filter::{filter, filter_rows};
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, compute, numbers, row_map};
use crate::out_of_core::external_sort::merge_runs;
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore, by_position, row_numbers, with_labels_of};
use crate::selection::{Picked, Step, map_of_numbers};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::{RowMap, RowWidth};

/// Which of equal rows are among the first.
///
/// # Source
/// pandas `nlargest(keep=…)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// Those that come first, in their order.
    #[default]
    First,
    /// Those that come last, the last one first.
    Last,
    /// All rows that are equal to the last one, in their order: there may be more rows than asked for.
    All,
}

/// Fewer rows are sorted at once: a sample would cost as much.
const SAMPLED_ROWS: usize = 4096;

/// The first `k` rows of all columns in the order of `keys`: those that [`sort_by`](super::sort_by) gives first, with
/// [`Ties::First`]. NaN is larger than all numbers.
///
/// # Shapes and units
/// columns: n rows → the lesser of n and k rows; more with [`Ties::All`].
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::IndexOutOfBounds`] for a key that is not a column;
/// [`Error::Memory`].
///
/// # Device
/// A sample of about √(n·k) rows is sorted. Its row number k is a bound: one pass over the keys keeps the rows up to it, about
/// √(n·k) again if the keys differ, which are sorted. One synchronisation for the bound and one for the number of rows.
/// Keys that are dictionaries or booleans bound nothing; the rows are sorted, and k of them gathered.
///
/// # Source
/// `cudf/sorting.hpp` `top_k`, pandas `nlargest`, Polars `top_k`.
pub fn top_k(
    columns: &ColumnAccessor,
    keys: &[SortColumn],
    k: usize,
    ties: Ties,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    Ok(top(columns, keys, k, ties, false, exec)?.columns)
}

/// [`top_k`], and the rows of the input that these are: of the rows that the bound leaves, each has a number of 4 or 8 bytes.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::IndexOutOfBounds`] for a key that is not a column;
/// [`Error::Memory`].
///
/// # Source
/// pandas `nlargest`, whose rows keep their labels.
pub fn top_rows(
    columns: &ColumnAccessor,
    keys: &[SortColumn],
    k: usize,
    ties: Ties,
    exec: &Exec,
) -> Result<Picked> {
    top(columns, keys, k, ties, true, exec)
}

fn top(
    columns: &ColumnAccessor,
    keys: &[SortColumn],
    k: usize,
    ties: Ties,
    with_rows: bool,
    exec: &Exec,
) -> Result<Picked> {
    check_keys(columns, keys)?;
    let kept = with_retry_no_split(exec, |exec| bound(columns, keys, k, exec))?;
    // Positions as labels: those of columns may have several levels.
    let positioned = by_position(columns.columns(), columns.rows())?;
    let (mut rows, mut steps) = match kept {
        Some(bound) => {
            let Picked { columns, steps } = filter_rows(&positioned, positioned.labels(), &bound, exec)?;
            (columns, steps)
        }
        None => (positioned, Vec::new()),
    };
    if with_rows {
        let all = rows.rows();
        let numbers = with_retry_no_split(exec, |exec| row_numbers(0, all, all, exec))?;
        rows.insert(rows.len().to_string(), numbers)?;
    }
    if ties == Ties::Last {
        // A stable sort of the rows from the last to the first puts the last of equal ones first.
        rows = with_retry_no_split(exec, |exec| reversed(&rows, exec))?;
    }
    let wanted = if ties == Ties::All { usize::MAX } else { k };
    let first = Driver::new(exec).run(&First { keys, k: wanted }, &rows)?;
    let len = if ties != Ties::All || first.rows() <= k {
        first.rows().min(k)
    } else {
        with_retry_no_split(exec, |exec| with_ties(&first, keys, k, exec))?
    };
    let first = first.slice(0, len)?;
    if with_rows {
        let map = map_of_numbers(&first.columns()[columns.len()], exec)?;
        steps.push(Step::Rows { map, distinct: true, ordered: false });
    }
    Ok(Picked { columns: with_labels_of(columns, first.columns(), len)?, steps })
}

/// Which rows are up to row `k` of a sample in the order of `keys`; `None` if that would leave most of them.
fn bound(columns: &ColumnAccessor, keys: &[SortColumn], k: usize, exec: &Exec) -> Result<Option<Expr>> {
    let rows = columns.rows();
    let is_bounding = |key: &SortColumn| bounds(&columns.columns()[key.position].dtype());
    if rows < SAMPLED_ROWS || k == 0 || !keys.first().is_some_and(is_bounding) {
        return Ok(None);
    }
    let sample = rows.saturating_mul(k).isqrt().max(k).saturating_mul(2).max(1024);
    if sample > rows / 4 {
        return Ok(None);
    }
    let stride = i64::try_from(rows / sample).unwrap_or(i64::MAX);
    let sampled = compute(&[("n", &numbers(sample, exec)?)], col("n") * stride, exec)?;
    let sampled = row_map(&sampled, exec)?;
    let bounding: Vec<&SortColumn> = keys.iter().take_while(|key| is_bounding(key)).collect();
    let values = bounding
        .iter()
        .map(|key| gather_column(&columns.columns()[key.position], &sampled, MapNulls::Never, exec))
        .collect::<Result<Vec<_>>>()?;
    let by: Vec<_> = values
        .iter()
        .zip(&bounding)
        .map(|(column, key)| SortKey { column, order: key.order, nulls: key.nulls })
        .collect();
    let last = first_rows(&argsort(&by, exec)?, k);
    let last =
        RowMap { rows: last.rows.slice((k - 1) * last.width.bytes(), last.width.bytes()), len: 1, ..last };
    let mut kept: Option<Expr> = None;
    for (values, key) in values.iter().zip(&bounding).rev() {
        let value = gather_column(values, &last, MapNulls::Never, exec)?.get(0)?;
        kept = Some(up_to(**key, &value, kept));
    }
    Ok(kept)
}

/// Whether values are compared with a literal in the order of a sort.
fn bounds(dtype: &DType) -> bool {
    dtype.is_numeric() || dtype.is_temporal() || *dtype == DType::Utf8
}

/// Whether a row is before the row with `value` in the order of the key, or equal in it and up to that row by the `next` keys.
fn up_to(key: SortColumn, value: &Scalar, next: Option<Expr>) -> Expr {
    let x = || col(key.position.to_string());
    let (before, equal) = if value.is_null() {
        let before = if key.nulls == NullOrder::Last { x().is_not_null() } else { lit(false) };
        (before, x().is_null())
    } else {
        let is_float = value.dtype().is_float();
        let is_nan = is_float && value.to_string() == "NaN";
        let bound = || lit(Literal::Scalar(value.clone()));
        let (before, equal) = match key.order {
            Order::Ascending if is_nan => (x().eq(x()), x().ne(x())),
            Order::Descending if is_nan => (lit(false), x().ne(x())),
            Order::Ascending => (x().lt(bound()), x().eq(bound())),
            Order::Descending if is_float => (x().gt(bound()).or(x().ne(x())), x().eq(bound())),
            Order::Descending => (x().gt(bound()), x().eq(bound())),
        };
        (if key.nulls == NullOrder::First { before.or(x().is_null()) } else { before }, equal)
    };
    before.or(match next {
        Some(next) => equal.and(next),
        None => equal,
    })
}

fn reversed(rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
    let last = i64::try_from(rows.rows()).unwrap_or(i64::MAX) - 1;
    let map = compute(&[("n", &numbers(rows.rows(), exec)?)], lit(last) - col("n"), exec)?;
    let map = row_map(&map, exec)?;
    rows.map(map.len, |column| gather_column(column, &map, MapNulls::Never, exec))
}

/// The number of sorted rows up to the last one that is equal to row `k` in the keys.
fn with_ties(sorted: &ColumnAccessor, keys: &[SortColumn], k: usize, exec: &Exec) -> Result<usize> {
    if k == 0 {
        return Ok(0);
    }
    let by: Vec<&Column> = keys.iter().map(|key| &sorted.columns()[key.position]).collect();
    // Groups are numbered in the order of their rows.
    let ids = GroupedRows::new(&by, sorted.rows(), NullKeys::Group, exec)?.id_column()?;
    let Scalar::UInt32(last) = ids.get(k - 1)? else {
        return Err(Error::Internal { invariant: "ids of groups are uint32" });
    };
    let ids = ColumnAccessor::from_columns([("id", ids)])?;
    Ok(filter(&ids, &col("id").le(last), exec)?.rows())
}

/// The first rows of a map.
fn first_rows(map: &RowMap, k: usize) -> RowMap {
    let len = map.len.min(k);
    let bytes = match map.width {
        RowWidth::U32 => size_of::<u32>(),
        RowWidth::U64 => size_of::<u64>(),
    };
    RowMap { rows: map.rows.slice(0, len * bytes), len, width: map.width }
}

/// Sorts rows and gathers the first of them.
struct First<'a> {
    keys: &'a [SortColumn],
    k: usize,
}

impl First<'_> {
    fn key_columns<'a>(&self, rows: &'a ColumnAccessor) -> impl Iterator<Item = &'a Column> {
        self.keys.iter().map(|key| &rows.columns()[key.position])
    }
}

impl OutOfCore for First<'_> {
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate> {
        let keys: usize = self.key_columns(rows).map(Column::row_bytes).sum::<Result<_>>()?;
        let input = rows.row_bytes()?;
        let scratch = argsort_scratch_bytes(self.key_columns(rows), rows.rows());
        Ok(MemoryEstimate::new(input, input + keys + scratch))
    }

    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let by: Vec<_> = self
            .key_columns(rows)
            .zip(self.keys)
            .map(|(column, key)| SortKey { column, order: key.order, nulls: key.nulls })
            .collect();
        let map = first_rows(&argsort(&by, exec)?, self.k);
        rows.map(map.len, |column| gather_column(column, &map, MapNulls::Never, exec))
    }

    fn combine(&self, runs: Vec<ColumnAccessor>, driver: Driver<'_>) -> Result<ColumnAccessor> {
        let merged = merge_runs(runs, self.keys, driver)?;
        merged.slice(0, merged.rows().min(self.k))
    }
}
