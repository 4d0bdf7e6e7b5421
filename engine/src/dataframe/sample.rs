//! Rows at random.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, ColumnAccessor, DType, Error as ColumnError, Scalar};
use columnade_ops::copying::RowMap;
use columnade_ops::expression::{
    Expr, HashFunction, Rank, RankMethod, col, hash_rows, len as row_count, lit, when,
};
use columnade_ops::groupby::{GroupOptions, NullKeys};
use columnade_ops::selection::{Step, kept_rows, map_of_positions, range_labels};
use columnade_ops::sort::{NullOrder, Order, SearchSide, SortColumn, SortKey, argsort_rows, search_sorted};

use super::DataFrame;
use super::groupby::GroupBy;
use crate::error::{Error, InOperation, Result};
use crate::index::lookup::computed;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;

/// How many rows are taken at random, and how: by [`DataFrame::sample`].
///
/// # Source
/// pandas `sample(n=…, frac=…, replace=…, weights=…, random_state=…)`.
#[derive(Clone, Debug)]
pub struct Sample {
    rows: Rows,
    replace: bool,
    weights: Option<Series>,
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Rows {
    Count(usize),
    Share(f64),
}

impl Sample {
    /// So many rows.
    pub fn n(rows: usize) -> Self {
        Self { rows: Rows::Count(rows), replace: false, weights: None, seed: 0 }
    }

    /// A share of all rows, rounded to whole rows.
    pub fn frac(share: f64) -> Self {
        Self { rows: Rows::Share(share), ..Self::n(0) }
    }

    /// Whether a row can come several times.
    #[must_use]
    pub fn replace(self, replace: bool) -> Self {
        Self { replace, ..self }
    }

    /// How likely each row is, by its label: not negative; null, and no label, as 0.
    #[must_use]
    pub fn weights(self, weights: &Series) -> Self {
        Self { weights: Some(weights.clone()), ..self }
    }

    /// What the choice depends on: the same rows for the same seed. Default: 0.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

impl From<usize> for Sample {
    fn from(rows: usize) -> Self {
        Self::n(rows)
    }
}

impl IndexedFrame {
    fn sample(&self, options: &Sample) -> Result<Self> {
        const OPERATION: &str = "sample";
        let (len, exec) = (self.frame().len(), self.frame().exec());
        let rows = match options.rows {
            Rows::Count(rows) => rows,
            Rows::Share(share) => share_of(share, len)?,
        };
        let weights = self.weights(options)?;
        // What can be taken at all.
        let most = weights.as_ref().map_or(len, |weights| weights.possible);
        if rows > 0 && (most == 0 || (!options.replace && rows > most)) {
            let reason = format!("{rows} of {most} rows that can be taken");
            return Err(Error::argument(OPERATION, "rows", reason));
        }
        let weights = weights.as_ref().map(|weights| &weights.values);
        let map = chosen(rows, len, options, weights, exec).operation(OPERATION)?;
        self.take(OPERATION, Step::Rows { map, distinct: !options.replace, ordered: false })
    }

    /// The weights of these rows.
    fn weights(&self, options: &Sample) -> Result<Option<Weights>> {
        const OPERATION: &str = "sample";
        let exec = self.frame().exec();
        let Some(weights) = &options.weights else { return Ok(None) };
        let take = weights.index().taken_by(OPERATION, self.index(), exec)?;
        let values = take.column(weights.values(), exec).operation(OPERATION)?;
        usable(weights, &values, exec).map(Some)
    }
}

/// An error for what is no share of rows.
fn check_share(share: f64) -> Result<()> {
    if share >= 0.0 && share.is_finite() {
        Ok(())
    } else {
        Err(Error::argument("sample", "frac", format!("{share} is no share")))
    }
}

fn share_of(share: f64, len: usize) -> Result<usize> {
    check_share(share)?;
    #[expect(clippy::cast_precision_loss, reason = "a share is not exact")]
    let rows = (share * len as f64).round_ties_even();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative; too many are refused"
    )]
    Ok(rows as usize)
}

/// Weights of rows, and how many of them are positive.
struct Weights {
    values: Column,
    possible: usize,
}

/// Weights as `float64` without nulls; an error for negative and infinite ones.
fn usable(weights: &Series, values: &Column, exec: &Exec) -> Result<Weights> {
    const OPERATION: &str = "sample";
    let made = || {
        if !values.dtype().is_numeric() {
            return Err(ColumnError::UnsupportedDType { dtype: values.dtype() });
        }
        let number = col("x").cast(DType::Float64);
        let number = when(col("x").is_null()).then(lit(0.0)).otherwise(number);
        let values = computed(&[("x", values)], number, exec)?.without_mask();
        let is_usable = col("x").ge(0.0).and(col("x").lt(f64::INFINITY));
        let refused = kept_rows(&computed(&[("x", &values)], !is_usable, exec)?, exec)?;
        if refused.len > 0 {
            let reason = "one is negative, infinite or NaN".to_owned();
            return Err(ColumnError::InvalidArgument { name: "weights", reason });
        }
        let possible = kept_rows(&computed(&[("x", &values)], col("x").gt(0.0), exec)?, exec)?.len;
        Ok(Weights { values, possible })
    };
    made().map_err(|error| weights.named(error)).operation(OPERATION)
}

/// Numbers that depend on the row and the seed, `uint64`.
fn hashes(rows: usize, seed: u64, exec: &Exec) -> columns::Result<Column> {
    let numbers = range_labels(0, 1, rows, exec)?;
    computed(&[("row", &numbers)], hash_rows([col("row")], HashFunction::XxHash64(seed)), exec)
}

/// Numbers above 0 and below 1, `float64`.
fn uniform(rows: usize, seed: u64, exec: &Exec) -> columns::Result<Column> {
    // 53 bits, as many as a float has.
    let bits = col("hash").shift_right(lit(Scalar::UInt64(11))).cast(DType::Float64);
    let share = (bits + lit(0.5)) * lit(1.0 / 9_007_199_254_740_992.0);
    computed(&[("hash", &hashes(rows, seed, exec)?)], share, exec)
}

/// The first rows of an order.
fn first(by: &Column, rows: usize, exec: &Exec) -> columns::Result<RowMap> {
    let key = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
    let by = ColumnAccessor::from_columns([("by", by.clone())])?;
    Ok(argsort_rows(&by, &[key], exec)?.head(rows))
}

/// Numbers whose order is that in which rows are taken; null for rows that are not.
fn waiting(len: usize, seed: u64, weights: Option<&Column>, exec: &Exec) -> columns::Result<Column> {
    let Some(weights) = weights else { return hashes(len, seed, exec) };
    // The least of exponential numbers of these rates: a row is first with a chance of its share of all weights.
    let waiting = when(col("weight").gt(0.0)).then(-col("uniform").ln() / col("weight"));
    let waiting = waiting.otherwise(lit(Scalar::Null(DType::Float64)));
    computed(&[("uniform", &uniform(len, seed, exec)?), ("weight", weights)], waiting, exec)
}

fn chosen(
    rows: usize,
    len: usize,
    options: &Sample,
    weights: Option<&Column>,
    exec: &Exec,
) -> columns::Result<RowMap> {
    let seed = options.seed;
    match (options.replace, weights) {
        (false, weights) => first(&waiting(len, seed, weights, exec)?, rows, exec),
        (true, None) => {
            let at = col("hash") % lit(Scalar::UInt64(u64::try_from(len.max(1)).unwrap_or(u64::MAX)));
            let at = computed(&[("hash", &hashes(rows, seed, exec)?)], at.cast(DType::Int64), exec)?;
            map_of_positions(&at.without_mask(), exec)
        }
        (true, Some(weights)) => {
            let sums = computed(&[("weight", weights)], col("weight").cum_sum(), exec)?.without_mask();
            let last = sums.slice(len.saturating_sub(1), 1.min(len))?;
            let total = last.to_scalars()?.pop().unwrap_or(Scalar::Float64(0.0));
            let draws = col("uniform") * lit(total);
            let draws = computed(&[("uniform", &uniform(rows, seed, exec)?)], draws, exec)?;
            let key = || SortKey { column: &sums, order: Order::Ascending, nulls: NullOrder::Last };
            let at = search_sorted(&[key()], &[&draws], SearchSide::Right, exec)?;
            // A draw that rounding made the sum of all takes the last row that has a weight.
            let end = search_sorted(&[key()], &[&last], SearchSide::Left, exec)?;
            let end = end.to_scalars()?.pop().unwrap_or(Scalar::Int64(0));
            let within = when(col("at").gt(lit(end.clone()))).then(lit(end)).otherwise(col("at"));
            map_of_positions(&computed(&[("at", &at)], within, exec)?.without_mask(), exec)
        }
    }
}

impl DataFrame {
    /// Rows at random, with their labels: `5` of them, or as a [`Sample`] says. The choice depends on the seed alone.
    ///
    /// ```
    /// use columnade::{Sample, Series, df};
    ///
    /// let frame = df! { "n" => [1, 2, 3, 4] }?;
    /// let rows = frame.sample(Sample::n(2).seed(7))?;
    /// assert_eq!(rows.len(), 2);
    /// assert_eq!(rows.index().to_scalars()?, frame.sample(Sample::n(2).seed(7))?.index().to_scalars()?);
    /// let weights = Series::new([0, 1, 0, 0])?;
    /// let rows = frame.sample(Sample::frac(0.5).replace(true).weights(&weights))?;
    /// assert_eq!(rows.column("n")?.to_vec::<i32>()?, [2, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for more rows than there are to take, for weights that are negative, infinite or no numbers, for a
    /// share that is none, and when memory runs out; [`Error::DuplicateLabels`] for weights of other labels that are not
    /// unique.
    ///
    /// # Device
    /// Rows that come once: a sort of all rows; with `replace` one pass over the result. The same rows on every device, but for
    /// weights whose sums or logarithms differ in the last bit.
    ///
    /// # Source
    /// pandas `DataFrame.sample`, which takes other rows for a seed.
    pub fn sample(&self, options: impl Into<Sample>) -> Result<Self> {
        self.indexed_frame().sample(&options.into()).map(Self::from_indexed)
    }
}

impl GroupBy<'_> {
    /// Rows of each group at random, in the order of the frame, with their labels: `5` of each, or as a [`Sample`] says, whose
    /// share is that of the rows of a group. The choice depends on the seed alone.
    ///
    /// ```
    /// use columnade::{Sample, df, len};
    ///
    /// let frame = df! { "k" => ["a", "b", "a", "a", "b"], "n" => [1, 2, 3, 4, 5] }?;
    /// let rows = frame.group_by("k").sample(Sample::n(2).seed(7))?;
    /// assert_eq!(rows.group_by("k").agg(len())?.column("len")?.to_vec::<i64>()?, [2, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`DataFrame::sample`], and not implemented for rows that can come several times.
    ///
    /// # Device
    /// A sort of all rows by group.
    ///
    /// # Source
    /// pandas `GroupBy.sample`, which takes other rows for a seed and returns them group by group.
    pub fn sample(&self, options: impl Into<Sample>) -> Result<DataFrame> {
        const OPERATION: &str = "sample";
        let options = options.into();
        let rows = self.all_taking_part(OPERATION)?;
        if self.keys().is_empty() {
            return rows.sample(options);
        }
        if options.replace {
            let feature = "a sample by group whose rows can come several times".to_owned();
            return Err(ColumnError::NotImplemented { feature }).operation(OPERATION);
        }
        let of_group = |expr: Expr| expr.over_with("group", GroupOptions { null_keys: NullKeys::Group });
        let most = match options.rows {
            Rows::Count(rows) => lit(i64::try_from(rows).unwrap_or(i64::MAX)),
            Rows::Share(share) => {
                check_share(share)?;
                (of_group(row_count()).cast(DType::Float64) * lit(share)).round(0)
            }
        };
        let weights = rows.indexed_frame().weights(&options)?.map(|weights| weights.values);
        let exec = rows.exec();
        let taken = || -> columns::Result<_> {
            let waiting = waiting(rows.len(), options.seed, weights.as_ref(), exec)?;
            let numbers = self.numbers(rows.frame().accessor())?;
            let values = [("group", &numbers), ("waiting", &waiting)];
            let too_few = of_group(col("waiting").count()).lt(most.clone());
            let too_few = kept_rows(&computed(&values, too_few, exec)?, exec)?.len;
            let first = Rank { method: RankMethod::First, ..Rank::default() };
            let taken = of_group(col("waiting").rank(first)).le(most.clone());
            Ok((too_few, kept_rows(&computed(&values, taken, exec)?, exec)?))
        };
        let (too_few, map) = taken().operation(OPERATION)?;
        if too_few > 0 {
            let reason = "a group has fewer rows that can be taken".to_owned();
            return Err(Error::argument(OPERATION, "rows", reason));
        }
        let step = Step::Rows { map, distinct: true, ordered: true };
        let taken = rows.indexed_frame().take(OPERATION, step).map(DataFrame::from_indexed)?;
        self.shown(OPERATION, taken)
    }
}

impl Series {
    /// Values at random, with their labels: see [`DataFrame::sample`].
    ///
    /// # Errors
    /// Same as [`DataFrame::sample`].
    ///
    /// # Source
    /// pandas `Series.sample`.
    pub fn sample(&self, options: impl Into<Sample>) -> Result<Self> {
        self.inner.sample(&options.into()).map(Self::from_indexed)
    }
}
