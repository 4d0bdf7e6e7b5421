//! Joining with the nearest row.

use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Scalar};
use columnade_ops::expression::{Expr, evaluate};
use columnade_ops::join::{Asof, AsofStrategy, JoinSide, asof_join, check_sorted};

use super::keys::{Input, IntoMergeKeys, check_keys};
use super::options::Merge;
use super::output::Output;
use super::{DataFrame, together};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

const OPERATION: &str = "merge_asof";

/// How a frame is joined with the nearest rows of another. Created by [`backward`](MergeAsof::backward),
/// [`forward`](MergeAsof::forward) or [`nearest`](MergeAsof::nearest), and completed with the ordered key.
///
/// # Source
/// pandas `merge_asof`, Polars `join_asof`.
#[derive(Clone, Debug)]
pub struct MergeAsof {
    merge: Merge,
    on: [Vec<Expr>; 2],
    asof: Asof,
}

impl MergeAsof {
    fn new(strategy: AsofStrategy) -> Self {
        let asof = Asof { strategy, allow_exact_matches: true, tolerance: None };
        Self { merge: Merge::left(), on: [Vec::new(), Vec::new()], asof }
    }

    /// Each left row with the last right row whose key is not greater.
    pub fn backward() -> Self {
        Self::new(AsofStrategy::Backward)
    }

    /// Each left row with the first right row whose key is not less.
    pub fn forward() -> Self {
        Self::new(AsofStrategy::Forward)
    }

    /// Each left row with the right row whose key, a number or a time, is nearest; the earlier one if two are equally near.
    pub fn nearest() -> Self {
        Self::new(AsofStrategy::Nearest)
    }

    /// The ordered key of both frames: a label or an expression.
    #[must_use]
    pub fn on<A>(self, key: impl IntoMergeKeys<A>) -> Self {
        let key = key.into_merge_keys();
        Self { on: [key.clone(), key], ..self }
    }

    /// The ordered key of the left frame.
    #[must_use]
    pub fn left_on<A>(self, key: impl IntoMergeKeys<A>) -> Self {
        let [_, right] = self.on;
        Self { on: [key.into_merge_keys(), right], ..self }
    }

    /// The ordered key of the right frame.
    #[must_use]
    pub fn right_on<A>(self, key: impl IntoMergeKeys<A>) -> Self {
        let [left, _] = self.on;
        Self { on: [left, key.into_merge_keys()], ..self }
    }

    /// Keys of both frames that must be equal: labels or expressions.
    #[must_use]
    pub fn by<A>(self, keys: impl IntoMergeKeys<A>) -> Self {
        Self { merge: self.merge.on(keys), ..self }
    }

    /// The keys of the left frame that must equal those of [`right_by`](Self::right_by).
    #[must_use]
    pub fn left_by<A>(self, keys: impl IntoMergeKeys<A>) -> Self {
        Self { merge: self.merge.left_on(keys), ..self }
    }

    /// The keys of the right frame that must equal those of [`left_by`](Self::left_by).
    #[must_use]
    pub fn right_by<A>(self, keys: impl IntoMergeKeys<A>) -> Self {
        Self { merge: self.merge.right_on(keys), ..self }
    }

    /// The greatest distance of keys that match: a number, or a duration such as [`minutes(5)`](crate::expressions::minutes)
    /// for times. Other keys have none.
    #[must_use]
    pub fn tolerance(mut self, tolerance: impl Into<Expr>) -> Self {
        self.asof.tolerance = Some(tolerance.into());
        self
    }

    /// Whether equal keys match. Default: true.
    #[must_use]
    pub fn allow_exact_matches(mut self, allow: bool) -> Self {
        self.asof.allow_exact_matches = allow;
        self
    }

    /// The suffixes of labels that both frames have, shared keys excepted. Default: `_x` and `_y`.
    #[must_use]
    pub fn suffixes(self, left: impl Into<String>, right: impl Into<String>) -> Self {
        Self { merge: self.merge.suffixes(left, right), ..self }
    }

    /// Whether null keys of [`by`](Self::by) match each other. Default: true.
    #[must_use]
    pub fn nulls_equal(self, nulls_equal: bool) -> Self {
        Self { merge: self.merge.nulls_equal(nulls_equal), ..self }
    }
}

impl DataFrame {
    /// Each row with the nearest row of another frame by an ordered key, among those with equal keys of
    /// [`by`](MergeAsof::by); nulls where there is none. Rows keep their order.
    ///
    /// The ordered key must be ascending in both frames, nulls aside, as [`sort_values`](Self::sort_values) orders it: text by
    /// code points, ordered dictionaries by their categories, which must be the same in both frames, other dictionaries by
    /// their values. A null matches nothing, and NaN is the greatest number. Keys of different dtypes promote as in
    /// [`merge`](Self::merge). A key may be an expression with aggregates and row functions, which are those of all rows of
    /// its frame: `col("t") - col("t").min()`. Left rows that exceed the memory limit are joined in chunks; the other frame
    /// must fit.
    ///
    /// ```
    /// use columnade::{MergeAsof, df};
    ///
    /// let trades = df! { "t" => [3, 7, 9], "price" => [10, 11, 12] }?;
    /// let quotes = df! { "t" => [1, 7, 8], "bid" => [9, 10, 11] }?;
    /// let last = trades.merge_asof(&quotes, &MergeAsof::backward().on("t"))?;
    /// assert_eq!(last.columns(), ["t", "price", "bid"]);
    /// assert_eq!(last.column("bid")?.to_vec::<i32>()?, [9, 10, 11]);
    /// let recent = trades.merge_asof(&quotes, &MergeAsof::backward().on("t").tolerance(1))?;
    /// assert_eq!(recent.column("bid")?.to_options::<i32>()?, [None, Some(10), Some(11)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::KeyMismatch`]; [`Error::Operation`] for a key that is not ascending, naming its
    /// column and the first row that is less than one before it, for an ordered dictionary beside other values or other
    /// categories, for a tolerance that is negative or of another dtype, for a tolerance and [`nearest`](MergeAsof::nearest) of
    /// keys that are no numbers and no times, and when memory runs out.
    ///
    /// # Source
    /// pandas `merge_asof`, Polars `join_asof`.
    pub fn merge_asof(&self, other: &DataFrame, merge: &MergeAsof) -> Result<DataFrame> {
        let exec = self.exec();
        let MergeAsof { merge, on: [left_on, right_on], asof } = merge.clone();
        if left_on.len() != 1 || right_on.len() != 1 {
            let (left, right) = (left_on.len(), right_on.len());
            let reason = format!("{left} ordered keys on the left, {right} on the right; give one on both");
            return Err(crate::Error::argument(OPERATION, "on", reason));
        }
        if let Some(tolerance) = &asof.tolerance
            && is_negative(tolerance, exec)
        {
            let reason = format!("{tolerance} is negative; a tolerance is a distance");
            return Err(crate::Error::argument(OPERATION, "tolerance", reason));
        }
        let joined_by = |by: &[Expr], on: Vec<Expr>| by.iter().cloned().chain(on).collect::<Vec<_>>();
        let (left_on, right_on) = (joined_by(&merge.left_on, left_on), joined_by(&merge.right_on, right_on));
        let merge = Merge { left_on, right_on, ..merge };
        let mut left = Input::new(OPERATION, self.frame(), &merge.left_on)?;
        let mut right = Input::new(OPERATION, other.frame(), &merge.right_on)?;
        check_keys(OPERATION, &left, &right)?;
        let last = left.keys.len() - 1;
        for input in [&left, &right] {
            check_sorted(input.key(last), exec)
                .map_err(|error| error.in_column(&input.key_labels[last]))
                .operation(OPERATION)?;
        }
        let output = Output::plan(&merge, [self.frame(), other.frame()], [&mut left, &mut right], exec)?;
        let [of_left, of_right] = &output.columns;
        let left_side = JoinSide { columns: &left.columns, keys: &left.keys, output: of_left };
        let right_side = JoinSide { columns: &right.columns, keys: &right.keys, output: of_right };
        let joined = asof_join(left_side, right_side, &asof, merge.nulls, exec)
            .map_err(|error| error.with_key_labels(&left.key_labels))
            .operation(OPERATION)?;
        let columns = together(&joined).operation(OPERATION)?;
        let columns = output.columns(&merge, [self.frame(), other.frame()], &columns, exec)?;
        Ok(self.with_rows(columns))
    }
}

/// Whether a distance is below none. What is no distance is refused where it is compared.
fn is_negative(distance: &Expr, exec: &Exec) -> bool {
    let frame = ColumnAccessor::with_rows(1);
    let found = evaluate(&[distance.clone().lt(distance.clone() - distance.clone())], &frame, exec);
    found.is_ok_and(|found| found.iter().all(|(_, is)| is.get(0) == Ok(Scalar::Bool(true))))
}
