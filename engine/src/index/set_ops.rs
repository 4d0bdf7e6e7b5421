//! Labels as sets, and labels added and taken away.

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{self as columns, AsLabel, Column, ColumnAccessor, Error as ColumnError, Label};
use columnade_ops::copying::RowMap;
use columnade_ops::distinct::{Keep, duplicated, is_in};
use columnade_ops::expression::col;
use columnade_ops::groupby::{GroupOptions, NullKeys};
use columnade_ops::join::{JoinKind, NullEquality};
use columnade_ops::selection::{Step, kept_rows, positions, range_labels};

use super::Index;
use super::lookup::computed;
use crate::alignment::pairs::{Side, pairs};
use crate::alignment::{self, IntoIndex, LabelJoin, Take, common_names, comparable_levels};
use crate::dataframe::{DataFrame, SortOrder, rows_at};
use crate::error::{Error, InOperation, Result};
use crate::indexed_frame::IndexedFrame;
use crate::locate::RowKey;
use crate::series::Series;

/// The order of labels that a set operation returns.
///
/// # Source
/// pandas `sort=None`, `True`, `False` of `Index.union`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOrder {
    /// Sorted, nulls last, where labels have an order, both sides differ and neither is empty.
    Natural,
    /// Sorted, nulls last; an error for labels without an order.
    Sorted,
    /// Those of the left side in their order, then those of the right one.
    Appearance,
}

impl Index {
    /// The labels of either: each as many times as the side has it that has it more often. In [`SetOrder::Natural`].
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let both = Index::new([3, 1])?.union(&Index::new([2, 3])?)?;
    /// assert!(both.equals(&Index::new([1, 2, 3])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of levels, labels of another kind, and when memory runs out.
    ///
    /// # Device
    /// A merge of sorted labels; otherwise a hash join of both, and a sort. Arithmetic for ranges of one step that meet.
    ///
    /// # Source
    /// pandas `Index.union`.
    pub fn union(&self, other: &Index) -> Result<Index> {
        self.united("union", other, SetOrder::Natural)
    }

    /// [`union`](Self::union) in the order that is asked for.
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    pub fn union_with(&self, other: &Index, order: SetOrder) -> Result<Index> {
        self.united("union_with", other, order)
    }

    /// The labels of both, once each. In [`SetOrder::Appearance`].
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let both = Index::new([3, 1, 2])?.intersection(&Index::new([2, 3])?)?;
    /// assert!(both.equals(&Index::new([3, 2])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    ///
    /// # Source
    /// pandas `Index.intersection`.
    pub fn intersection(&self, other: &Index) -> Result<Index> {
        self.common("intersection", other, SetOrder::Appearance)
    }

    /// [`intersection`](Self::intersection) in the order that is asked for.
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    pub fn intersection_with(&self, other: &Index, order: SetOrder) -> Result<Index> {
        self.common("intersection_with", other, order)
    }

    /// The labels that `other` does not have, once each. In [`SetOrder::Natural`].
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let rest = Index::new(["c", "a", "b"])?.difference(&Index::new(["a"])?)?;
    /// assert!(rest.equals(&Index::new(["b", "c"])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    ///
    /// # Source
    /// pandas `Index.difference`.
    pub fn difference(&self, other: &Index) -> Result<Index> {
        self.without("difference", other, SetOrder::Natural)
    }

    /// [`difference`](Self::difference) in the order that is asked for.
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    pub fn difference_with(&self, other: &Index, order: SetOrder) -> Result<Index> {
        self.without("difference_with", other, order)
    }

    /// The labels that one side has and the other has not, once each. In [`SetOrder::Natural`].
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    ///
    /// # Source
    /// pandas `Index.symmetric_difference`.
    pub fn symmetric_difference(&self, other: &Index) -> Result<Index> {
        self.of_one_side("symmetric_difference", other, SetOrder::Natural)
    }

    /// [`symmetric_difference`](Self::symmetric_difference) in the order that is asked for.
    ///
    /// # Errors
    /// Same as [`union`](Self::union).
    pub fn symmetric_difference_with(&self, other: &Index, order: SetOrder) -> Result<Index> {
        self.of_one_side("symmetric_difference_with", other, order)
    }

    /// The labels once each, in order of their first appearance.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index.unique`.
    pub fn unique(&self) -> Result<Index> {
        const OPERATION: &str = "unique";
        self.distinct(&self.exec(OPERATION)?).operation(OPERATION)
    }

    /// For each label whether it comes several times and is not the one that `keep` keeps, `bool`.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Index.duplicated`.
    pub fn duplicated(&self, keep: Keep) -> Result<Series> {
        const OPERATION: &str = "duplicated";
        let exec = self.exec(OPERATION)?;
        let found = self.duplicates(keep, &exec).operation(OPERATION)?;
        Series::unnamed(OPERATION, found, exec)
    }

    /// The labels with one more before that at `position`, or at the end. The dtype is the common one.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let labels = Index::new(["a", "c"])?.insert(1, "b")?;
    /// assert!(labels.equals(&Index::new(["a", "b", "c"])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a position after the end, another number of values than of levels, a value of another kind, and
    /// when memory runs out.
    ///
    /// # Source
    /// pandas `Index.insert`.
    pub fn insert(&self, position: usize, label: impl Into<RowKey>) -> Result<Index> {
        const OPERATION: &str = "insert";
        let (label, exec) = (label.into(), self.exec(OPERATION)?);
        if label.0.len() != self.level_count() {
            let reason = format!("{} values for {} levels", label.0.len(), self.level_count());
            return Err(Error::argument(OPERATION, "label", reason));
        }
        if position > self.len() {
            let position = isize::try_from(position).unwrap_or(isize::MAX);
            return Err(ColumnError::PositionOutOfBounds { position, len: self.len() }).operation(OPERATION);
        }
        let made = || {
            let label = Self::of_owned(self.names(), self.needles(&[&label], &exec)?, &exec);
            let (before, after) = (self.sliced(0, position)?, self.sliced(position, self.len() - position)?);
            Self::appended(&[before, label, after], &exec)
        };
        made().operation(OPERATION)
    }

    /// The labels without those at positions; a negative one counts from the end.
    ///
    /// # Errors
    /// [`Error::Operation`] for a position that does not exist, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.delete`.
    pub fn delete(&self, positions: impl IntoIterator<Item = i64>) -> Result<Index> {
        const OPERATION: &str = "delete";
        let exec = self.exec(OPERATION)?;
        let positions: Vec<i64> = positions.into_iter().collect();
        if let Index::Range(range) = self
            && let Some(rest) = range.without_positions(&positions)
        {
            return Ok(Index::Range(rest));
        }
        let rows = rows_at(positions, self.len(), &exec).operation(OPERATION)?;
        let made = || {
            let rows = super::lookup::rows_of(&rows, &exec)?;
            let all = range_labels(0, 1, self.len(), &exec)?;
            let is_gone = is_in(&all, &rows, NullEquality::Equal, &exec)?;
            let map = kept_rows(&computed(&[("gone", &is_gone)], !col("gone"), &exec)?, &exec)?;
            self.picked(&[Step::Rows { map, distinct: true, ordered: true }], &exec)
        };
        made().operation(OPERATION)
    }

    /// The labels without some, each of which is there.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let labels = Index::new(["a", "b", "a"])?.drop(["a"])?;
    /// assert_eq!(labels.len(), 1);
    /// assert!(labels.drop(["x"]).is_err());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLabels`]; [`Error::Operation`] for another number of levels, labels of another kind, and when memory runs
    /// out.
    ///
    /// # Source
    /// pandas `Index.drop`.
    pub fn drop<K>(&self, labels: impl IntoIndex<K>) -> Result<Index> {
        const OPERATION: &str = "drop";
        let exec = self.exec(OPERATION)?;
        let labels = labels.into_index(OPERATION, self, &exec)?;
        if let Index::Range(range) = self
            && let Some(rest) = self.range_without(OPERATION, range, &labels, &exec)?
        {
            return Ok(Index::Range(rest));
        }
        self.picked(&[self.rows_without(OPERATION, &labels, &exec)?], &exec).operation(OPERATION)
    }

    /// The labels that `how` keeps of both, and the position of each on both sides, −1 for none, `int64`.
    ///
    /// ```
    /// use columnade::{Index, LabelJoin};
    ///
    /// let (labels, left, right) = Index::new(["a", "b"])?.join(&Index::new(["b", "c"])?, LabelJoin::Outer)?;
    /// assert_eq!(labels.len(), 3);
    /// assert_eq!(left.to_vec::<i64>()?, [0, 1, -1]);
    /// assert_eq!(right.to_vec::<i64>()?, [-1, 0, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of levels, labels of another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.join(return_indexers=True)`.
    pub fn join(&self, other: &Index, how: LabelJoin) -> Result<(Index, Series, Series)> {
        const OPERATION: &str = "join";
        let exec = self.labels().or(other.labels()).map(|labels| labels.exec().clone());
        let exec = exec.map_or_else(|| self.exec(OPERATION), Ok)?;
        let aligned = self.joined_in_order(OPERATION, other, how, &exec)?;
        let rows = |take: &Take| match take {
            Take::All => range_labels(0, 1, aligned.index.len(), &exec),
            Take::Slice { offset, len } => {
                range_labels(i64::try_from(*offset).unwrap_or(i64::MAX), 1, *len, &exec)
            }
            Take::Rows { map, .. } => positions(map, &exec),
        };
        let [left, right] = [&aligned.left, &aligned.right].map(rows);
        let left = Series::unnamed(OPERATION, left.operation(OPERATION)?, exec.clone())?;
        let right = Series::unnamed(OPERATION, right.operation(OPERATION)?, exec)?;
        Ok((aligned.index, left, right))
    }

    /// The rows that have none of `labels`, each of which is there.
    pub(crate) fn rows_without(&self, operation: &'static str, labels: &Index, exec: &Exec) -> Result<Step> {
        self.check_levels(operation, labels)?;
        let wanted = labels.columns(exec).operation(operation)?;
        self.rows_of_all(operation, &wanted, exec)?;
        let found = || {
            let (own, gone) = comparable_levels(self, labels, exec)?;
            rows_of_pairs((self, &own), (labels, &gone), JoinKind::Anti, exec)
        };
        let map = found().operation(operation)?;
        Ok(Step::Rows { map, distinct: true, ordered: true })
    }

    fn exec_of_both(&self, operation: &'static str, other: &Index) -> Result<Exec> {
        if self.labels().is_none() { other.exec(operation) } else { self.exec(operation) }
    }

    fn united(&self, operation: &'static str, other: &Index, order: SetOrder) -> Result<Index> {
        self.check_levels(operation, other)?;
        let (names, exec) = (common_names(self, other), self.exec_of_both(operation, other)?);
        let equal = self.has_labels_of(other).operation(operation)?;
        let made = if equal {
            self.clone()
        } else if self.is_empty() || other.is_empty() {
            Self::appended(&[self.clone(), other.clone()], &exec).operation(operation)?
        } else {
            if let (Index::Range(left), Index::Range(right)) = (self, other)
                && order != SetOrder::Appearance
                && let Some(range) = alignment::range_of_either(left, right)
            {
                return Ok(Index::Range(range).renamed(&names));
            }
            let unite = || {
                let (mut left, mut right) = comparable_levels(self, other, &exec)?;
                let parts = [
                    Self::of_owned(&names, left.clone(), &exec),
                    Self::of_owned(&names, right.clone(), &exec),
                ];
                if !(self.unique_labels()? && other.unique_labels()?) {
                    // The second of a label on one side is the second of it on the other.
                    left.push(occurrences(&left, &exec)?);
                    right.push(occurrences(&right, &exec)?);
                }
                let map = rows_of_pairs((other, &right), (self, &left), JoinKind::Anti, &exec)?;
                let new = parts[1].picked(&[Step::Rows { map, distinct: true, ordered: true }], &exec)?;
                Self::appended(&[parts[0].clone(), new], &exec)
            };
            let united = unite().operation(operation)?;
            return united.renamed(&names).in_order(operation, order);
        };
        let order = if order == SetOrder::Natural { SetOrder::Appearance } else { order };
        made.renamed(&names).in_order(operation, order)
    }

    fn common(&self, operation: &'static str, other: &Index, order: SetOrder) -> Result<Index> {
        let (names, exec) = (common_names(self, other), self.exec_of_both(operation, other)?);
        let found = self.rows_joined(operation, other, JoinKind::Semi, &exec)?;
        let is_natural = order == SetOrder::Natural && self.has_labels_of(other).operation(operation)?;
        found.renamed(&names).in_order(operation, if is_natural { SetOrder::Appearance } else { order })
    }

    fn without(&self, operation: &'static str, other: &Index, order: SetOrder) -> Result<Index> {
        let (names, exec) = (common_names(self, other), self.exec_of_both(operation, other)?);
        let found = self.rows_joined(operation, other, JoinKind::Anti, &exec)?;
        let is_natural = order == SetOrder::Natural && other.is_empty();
        found.renamed(&names).in_order(operation, if is_natural { SetOrder::Appearance } else { order })
    }

    fn of_one_side(&self, operation: &'static str, other: &Index, order: SetOrder) -> Result<Index> {
        let (names, exec) = (common_names(self, other), self.exec_of_both(operation, other)?);
        let left = self.rows_joined(operation, other, JoinKind::Anti, &exec)?;
        let right = other.rows_joined(operation, self, JoinKind::Anti, &exec)?;
        let both = Self::appended(&[left, right], &exec).operation(operation)?;
        both.renamed(&names).in_order(operation, order)
    }

    /// The labels with (semi) or without (anti) an equal one on the other side, once each.
    fn rows_joined(
        &self,
        operation: &'static str,
        other: &Index,
        kind: JoinKind,
        exec: &Exec,
    ) -> Result<Index> {
        self.check_levels(operation, other)?;
        if let Some(found) = self.joined_with_range(other, kind, exec).operation(operation)? {
            return Ok(found);
        }
        let find = || {
            let (left, right) = comparable_levels(self, other, exec)?;
            let map = rows_of_pairs((self, &left), (other, &right), kind, exec)?;
            self.picked(&[Step::Rows { map, distinct: true, ordered: true }], exec)?.distinct(exec)
        };
        find().operation(operation)
    }

    fn in_order(&self, operation: &'static str, order: SetOrder) -> Result<Index> {
        if order == SetOrder::Appearance {
            return Ok(self.clone());
        }
        let exec = self.exec(operation)?;
        match self.sorted(SortOrder::default(), &exec) {
            Ok(sorted) => Ok(sorted),
            Err(ColumnError::UnsupportedDType { .. }) if order == SetOrder::Natural => Ok(self.clone()),
            Err(error) => Err(error).operation(operation),
        }
    }

    fn duplicates(&self, keep: Keep, exec: &Exec) -> columns::Result<Column> {
        let levels = self.columns(exec)?;
        let columns = ColumnAccessor::from_columns(numbered(&levels))?;
        duplicated(&columns, columns.labels(), keep, exec)
    }

    pub(crate) fn distinct(&self, exec: &Exec) -> columns::Result<Index> {
        if self.unique_labels()? {
            return Ok(self.clone());
        }
        let repeated = self.duplicates(Keep::First, exec)?;
        let map = kept_rows(&computed(&[("repeated", &repeated)], !col("repeated"), exec)?, exec)?;
        self.picked(&[Step::Rows { map, distinct: true, ordered: true }], exec)
    }
}

fn numbered(levels: &[Column]) -> impl Iterator<Item = (Label, Column)> {
    let label = |at| Label::from(i64::try_from(at).unwrap_or(i64::MAX));
    levels.iter().enumerate().map(move |(at, level)| (label(at), level.clone()))
}

/// How many times each label came so far, itself included.
fn occurrences(levels: &[Column], exec: &Exec) -> columns::Result<Column> {
    let row = range_labels(0, 1, levels.first().map_or(0, Column::size), exec)?;
    let names: Vec<String> = (0..levels.len()).map(|level| format!("level {level}")).collect();
    let mut columns: Vec<(&str, &Column)> = names.iter().map(String::as_str).zip(levels).collect();
    columns.push(("row", &row));
    let options = GroupOptions { null_keys: NullKeys::Group };
    computed(&columns, col("row").cum_count().over_with(names.clone(), options), exec)
}

/// The left rows of a join of labels, given with their levels.
fn rows_of_pairs(
    left: (&Index, &[Column]),
    right: (&Index, &[Column]),
    kind: JoinKind,
    exec: &Exec,
) -> columns::Result<RowMap> {
    let side = |(index, levels)| Side { index, levels };
    let join = |exec: &Exec| pairs(side(left), side(right), kind, exec);
    Ok(with_retry_no_split(exec, join)?.maps.left)
}

macro_rules! rows {
    ($($of:ident: $frame:expr;)*) => {
        $(
            impl $of {
                /// The rows without those of some labels, each of which is there.
                ///
                /// ```
                /// use columnade::{Index, Series};
                ///
                /// let series = Series::new([1, 2])?.with_index(&Index::new(["a", "b"])?)?;
                /// assert_eq!(series.drop_rows(["a"])?.to_vec::<i32>()?, [2]);
                /// # Ok::<(), columnade::Error>(())
                /// ```
                ///
                /// # Errors
                /// [`Error::MissingLabels`]; [`Error::Operation`] for another number of levels, labels of another kind, and
                /// when memory runs out.
                ///
                /// # Source
                /// pandas `drop(index=…)`.
                pub fn drop_rows<K>(&self, labels: impl IntoIndex<K>) -> Result<Self> {
                    const OPERATION: &str = "drop_rows";
                    let labels = labels.into_index(OPERATION, self.index(), self.exec())?;
                    let step = self.index().rows_without(OPERATION, &labels, self.exec())?;
                    let frame: fn(&Self) -> &IndexedFrame = $frame;
                    frame(self).take(OPERATION, step).map(Self::from_indexed)
                }

                /// The rows in which one level of the labels has a value; the level drops, unless it is the only one.
                ///
                /// ```
                /// use columnade::df;
                ///
                /// let frame = df! { "k" => ["a", "a", "b"], "year" => [1, 2, 1], "n" => [5, 6, 7] }?;
                /// let frame = frame.set_index(["k", "year"])?.xs(1, "year")?;
                /// assert_eq!(frame.index().names(), ["k"]);
                /// assert_eq!(frame.column("n")?.to_vec::<i32>()?, [5, 7]);
                /// # Ok::<(), columnade::Error>(())
                /// ```
                ///
                /// # Errors
                /// [`Error::MissingLevel`]; [`Error::MissingLabels`]; [`Error::Operation`] for a value of another kind, for
                /// several values, and when memory runs out.
                ///
                /// # Source
                /// pandas `xs(key, level=…)`.
                pub fn xs(&self, key: impl Into<RowKey>, level: impl AsLabel) -> Result<Self> {
                    const OPERATION: &str = "xs";
                    let (index, exec) = (self.index(), self.exec());
                    let level = index.level(OPERATION, level)?;
                    let step = index.with_levels(OPERATION, &[level])?.found(OPERATION, &key.into(), exec)?;
                    let frame: fn(&Self) -> &IndexedFrame = $frame;
                    let found = frame(self).take(OPERATION, step)?;
                    let others: Vec<usize> = (0..index.level_count()).filter(|&other| other != level).collect();
                    if others.is_empty() {
                        return Ok(Self::from_indexed(found));
                    }
                    let index = found.index().with_levels(OPERATION, &others)?;
                    Ok(Self::from_indexed(IndexedFrame::with_index(found.frame().clone(), index)))
                }
            }
        )*
    };
}

rows! {
    Series: |series| &series.inner;
    DataFrame: DataFrame::indexed_frame;
}
