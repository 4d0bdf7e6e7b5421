//! Joining two frames on equal keys.

use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::join::{JoinKind, NullEquality, Side, common_key, join_rows};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::selection::IntoLabels;

const OPERATION: &str = "merge";

/// How two frames are joined. Created by [`Merge::inner`], [`left`](Merge::left), [`semi`](Merge::semi) or
/// [`anti`](Merge::anti) and completed with keys.
#[derive(Clone, Debug)]
pub struct Merge {
    kind: JoinKind,
    left_keys: Vec<Label>,
    right_keys: Vec<Label>,
    suffixes: [String; 2],
    nulls: NullEquality,
}

impl Merge {
    fn new(kind: JoinKind) -> Self {
        Self {
            kind,
            left_keys: Vec::new(),
            right_keys: Vec::new(),
            suffixes: ["_x".to_owned(), "_y".to_owned()],
            nulls: NullEquality::Equal,
        }
    }

    /// A row for every pair of rows with equal keys.
    pub fn inner() -> Self {
        Self::new(JoinKind::Inner)
    }

    /// A row for every pair of rows with equal keys, plus the left rows without a match, with nulls on the right.
    pub fn left() -> Self {
        Self::new(JoinKind::Left)
    }

    /// The left rows with a match.
    pub fn semi() -> Self {
        Self::new(JoinKind::Semi)
    }

    /// The left rows without a match.
    pub fn anti() -> Self {
        Self::new(JoinKind::Anti)
    }

    /// Keys with the same labels on both sides: `"a"` or `["a", "b"]`. The result has them once.
    #[must_use]
    pub fn on<A>(self, labels: impl IntoLabels<A>) -> Self {
        let labels = labels.into_labels();
        Self { left_keys: labels.clone(), right_keys: labels, ..self }
    }

    /// The keys of the left frame, in the order of those of [`right_on`](Self::right_on).
    #[must_use]
    pub fn left_on<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { left_keys: labels.into_labels(), ..self }
    }

    /// The keys of the right frame, in the order of those of [`left_on`](Self::left_on).
    #[must_use]
    pub fn right_on<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { right_keys: labels.into_labels(), ..self }
    }

    /// The suffixes of labels that both frames have, keys excepted. Default: `_x` and `_y`.
    #[must_use]
    pub fn suffixes(self, left: impl Into<String>, right: impl Into<String>) -> Self {
        Self { suffixes: [left.into(), right.into()], ..self }
    }

    /// Whether null keys match each other, as in pandas, or nothing, as in SQL and Polars. Default: true.
    ///
    /// ```
    /// use columnade::{Merge, df};
    ///
    /// let frame = df! { "k" => [Some("a"), None] }?;
    /// assert_eq!(frame.merge(&frame, &Merge::inner().on("k"))?.len(), 2);
    /// assert_eq!(frame.merge(&frame, &Merge::inner().on("k").nulls_equal(false))?.len(), 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// Polars `join(nulls_equal=…)`, cuDF `null_equality`.
    #[must_use]
    pub fn nulls_equal(self, nulls_equal: bool) -> Self {
        let nulls = if nulls_equal { NullEquality::Equal } else { NullEquality::Unequal };
        Self { nulls, ..self }
    }

    /// Whether the key at this position has one label on both sides.
    fn is_shared_key(&self, right_label: &Label) -> bool {
        self.left_keys.iter().zip(&self.right_keys).any(|(left, right)| left == right && right == right_label)
    }
}

impl DataFrame {
    /// Joins with another frame on equal keys.
    ///
    /// Rows are in the order of the left frame and, within a match, of the right frame. Columns of the left frame come
    /// first. The result has a key with one label on both sides once; other labels of both sides get suffixes.
    ///
    /// Keys are equal by value: integers of any two dtypes, decimals of one scale, dictionaries and their values. A key that
    /// the result has once has the common dtype in inner and left joins (`int32` and `int64`: `int64`; `int64` and `uint64`:
    /// `decimal(20,0)`; a dictionary stays as on the left); keys of different labels, and the rows of semi and anti joins,
    /// keep their dtypes.
    ///
    /// ```
    /// use columnade::{DataFrame, Merge};
    ///
    /// let people = DataFrame::new([("id", vec![1_i64, 2, 3])])?.with_column("name", ["Ada", "Bo", "Cy"])?;
    /// let visits = DataFrame::new([("id", vec![3_i64, 1, 3])])?.with_column("day", [7, 8, 9])?;
    /// let joined = visits.merge(&people, &Merge::inner().on("id"))?;
    /// assert_eq!(joined.columns(), ["id", "day", "name"]);
    /// assert_eq!(joined.column("name")?.to_scalars()?, ["Cy".into(), "Ada".into(), "Cy".into()]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::KeyMismatch`] for keys without a common dtype, such as text and numbers; [`Error::Operation`] without
    /// keys or with different numbers of keys, for labels that are equal in spite of the suffixes, for frames on different
    /// devices, and when memory runs out.
    pub fn merge(&self, other: &DataFrame, merge: &Merge) -> Result<DataFrame> {
        let (left, right) = (self.frame().accessor(), other.frame().accessor());
        let left_keys = key_positions(self.frame(), &merge.left_keys)?;
        let right_keys = key_positions(other.frame(), &merge.right_keys)?;
        check_keys(merge, left, &left_keys, right, &right_keys)?;

        let exec = self.exec();
        let left_output: Vec<usize> = (0..left.len()).collect();
        let right_output: Vec<usize> =
            (0..right.len()).filter(|&position| !merge.is_shared_key(&right.labels()[position])).collect();
        let left = Side { columns: left, keys: &left_keys, output: &left_output };
        let right = Side { columns: right, keys: &right_keys, output: &right_output };
        let joined = join_rows(left, right, merge.kind, merge.nulls, exec)
            .map_err(|error| error.with_key_labels(&merge.left_keys))
            .operation(OPERATION)?;
        match joined.right {
            None => Ok(self.with_rows(joined.left)),
            Some(right) => {
                let left = promote_shared_keys(merge, joined.left, other.frame().accessor(), exec)?;
                Ok(self.with_rows(side_by_side(merge, &left, &right)?))
            }
        }
    }
}

/// The positions of the keys of one side; every label that is missing is named.
fn key_positions(frame: &Frame, labels: &[Label]) -> Result<Vec<usize>> {
    frame.check_labels(OPERATION, labels)?;
    let positions = labels.iter().map(|label| frame.accessor().position(label));
    positions.collect::<columnade_columns::Result<_>>().operation(OPERATION)
}

fn check_keys(
    merge: &Merge,
    left: &ColumnAccessor,
    left_keys: &[usize],
    right: &ColumnAccessor,
    right_keys: &[usize],
) -> Result<()> {
    if left_keys.is_empty() || left_keys.len() != right_keys.len() {
        let (left, right) = (left_keys.len(), right_keys.len());
        let reason = format!("{left} on the left, {right} on the right; give as many, at least one");
        return Err(Error::argument(OPERATION, "keys", reason));
    }
    let labels = merge.left_keys.iter().zip(&merge.right_keys);
    for ((left_label, right_label), (&left_key, &right_key)) in labels.zip(left_keys.iter().zip(right_keys)) {
        let (left, right) = (left.columns()[left_key].dtype(), right.columns()[right_key].dtype());
        if common_key(&left, &right).is_none() {
            return Err(Error::KeyMismatch {
                operation: OPERATION,
                left_label: left_label.clone(),
                left,
                right_label: right_label.clone(),
                right,
            });
        }
    }
    Ok(())
}

/// The joined left columns, with the common dtype of a key that both sides have under one label: that of numbers, while
/// dictionaries and widths of decimals are the left frame's.
fn promote_shared_keys(
    merge: &Merge,
    mut joined: ColumnAccessor,
    right: &ColumnAccessor,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    for label in merge.left_keys.iter().filter(|label| merge.is_shared_key(label)) {
        let key = joined.get(label).operation(OPERATION)?;
        let (left_dtype, right_dtype) = (key.dtype(), right.get(label).operation(OPERATION)?.dtype());
        if left_dtype.logical().same_values(right_dtype.logical()) {
            continue;
        }
        if let Some(dtype) = common_key(&left_dtype, &right_dtype) {
            let promoted = cast(key, &dtype, CastMode::Wrap, exec).operation(OPERATION)?;
            joined.set(label.clone(), promoted).operation(OPERATION)?;
        }
    }
    Ok(joined)
}

/// The label with a suffix to its first part, which becomes a string.
fn suffixed(label: &Label, suffix: &str) -> columnade_columns::Result<Label> {
    let (first, rest) = (label.parts()[0].to_string(), &label.parts()[1..]);
    Label::from_parts(std::iter::once(format!("{first}{suffix}").into()).chain(rest.iter().cloned()))
}

/// The columns of both sides under distinct labels.
fn side_by_side(merge: &Merge, left: &ColumnAccessor, right: &ColumnAccessor) -> Result<ColumnAccessor> {
    let [left_suffix, right_suffix] = &merge.suffixes;
    let in_both = |label: &Label| left.contains(label) && right.contains(label);
    let mut columns = ColumnAccessor::with_levels(left.rows(), left.levels().clone());
    for (side, suffix) in [(left, left_suffix), (right, right_suffix)] {
        for (label, column) in side.iter() {
            let label =
                if in_both(label) { suffixed(label, suffix).operation(OPERATION)? } else { label.clone() };
            columns.insert(label, column.clone()).operation(OPERATION)?;
        }
    }
    Ok(columns)
}
