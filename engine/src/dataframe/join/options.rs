//! How frames are joined.

use columnade_columns::Label;
use columnade_ops::expression::Expr;
use columnade_ops::join::NullEquality;

use super::keys::IntoMergeKeys;
#[cfg(doc)]
use crate::DataFrame;

/// How two frames are joined. Created by [`Merge::inner`], [`left`](Merge::left), [`right`](Merge::right),
/// [`outer`](Merge::outer), [`semi`](Merge::semi), [`anti`](Merge::anti) or [`cross`](Merge::cross), and completed with keys.
#[derive(Clone, Debug)]
pub struct Merge {
    pub(super) how: How,
    pub(super) left_on: Vec<Expr>,
    pub(super) right_on: Vec<Expr>,
    pub(super) suffixes: [String; 2],
    pub(super) nulls: NullEquality,
    pub(super) coalesce: Option<bool>,
    pub(super) validate: Option<Validate>,
    pub(super) indicator: Option<Label>,
    pub(super) order: Option<MaintainOrder>,
    pub(super) condition: Option<Expr>,
}

/// Which rows a join returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Inner,
    Left,
    Right,
    Outer,
    Semi,
    Anti,
    Cross,
}

/// How often keys may occur; see [`Merge::validate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Validate {
    /// Keys are unique on both sides.
    OneToOne,
    /// Keys are unique on the left.
    OneToMany,
    /// Keys are unique on the right.
    ManyToOne,
}

/// The order of the rows of a join; see [`Merge::maintain_order`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaintainOrder {
    /// In left order, and in right order for each left row; right rows without a match come last.
    LeftRight,
    /// In right order, and in left order for each right row; left rows without a match come last.
    RightLeft,
}

impl Merge {
    fn new(how: How) -> Self {
        Self {
            how,
            left_on: Vec::new(),
            right_on: Vec::new(),
            suffixes: ["_x".to_owned(), "_y".to_owned()],
            nulls: NullEquality::Equal,
            coalesce: None,
            validate: None,
            indicator: None,
            order: None,
            condition: None,
        }
    }

    /// A row for every pair of rows with equal keys.
    pub fn inner() -> Self {
        Self::new(How::Inner)
    }

    /// A row for every pair of rows with equal keys, plus the left rows without a match, with nulls on the right.
    pub fn left() -> Self {
        Self::new(How::Left)
    }

    /// A row for every pair of rows with equal keys, plus the right rows without a match, with nulls on the left. In right
    /// order, and in left order for each right row.
    pub fn right() -> Self {
        Self::new(How::Right)
    }

    /// A row for every pair of rows with equal keys, plus the rows of both frames without a match: the full outer join.
    /// Those of the right frame come last.
    ///
    /// ```
    /// use columnade::{Merge, df};
    ///
    /// let left = df! { "k" => [1, 2], "l" => ["a", "b"] }?;
    /// let right = df! { "k" => [2, 3], "r" => ["x", "y"] }?;
    /// let joined = left.merge(&right, &Merge::outer().on("k"))?;
    /// assert_eq!(joined.column("k")?.to_vec::<i32>()?, [1, 2, 3]);
    /// assert_eq!(joined.column("r")?.to_options::<String>()?, [None, Some("x".into()), Some("y".into())]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn outer() -> Self {
        Self::new(How::Outer)
    }

    /// The left rows with a match.
    pub fn semi() -> Self {
        Self::new(How::Semi)
    }

    /// The left rows without a match.
    pub fn anti() -> Self {
        Self::new(How::Anti)
    }

    /// A row for every pair of rows; takes no keys.
    ///
    /// ```
    /// use columnade::{Merge, df};
    ///
    /// let (sizes, colours) = (df! { "size" => ["S", "L"] }?, df! { "colour" => ["red", "blue", "black"] }?);
    /// let all = sizes.merge(&colours, &Merge::cross())?;
    /// assert_eq!(all.len(), 6);
    /// assert_eq!(all.column("colour")?.to_vec::<String>()?[..3], ["red", "blue", "black"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn cross() -> Self {
        Self::new(How::Cross)
    }

    /// Keys of both frames: `"a"`, `["a", "b"]`, `col("a") % 10`, or several expressions. The result has a column that is a key
    /// of both under one label once; see [`coalesce`](Self::coalesce).
    #[must_use]
    pub fn on<A>(self, keys: impl IntoMergeKeys<A>) -> Self {
        let keys = keys.into_merge_keys();
        Self { left_on: keys.clone(), right_on: keys, ..self }
    }

    /// The keys of the left frame, in the order of those of [`right_on`](Self::right_on): labels or expressions.
    ///
    /// ```
    /// use columnade::{Merge, col, df};
    ///
    /// let people = df! { "name" => ["Ada", "Bo"], "cents" => [1000, 250] }?;
    /// let prices = df! { "euros" => [10], "item" => ["book"] }?;
    /// let bought = people.merge(&prices, &Merge::inner().left_on(col("cents")).right_on(col("euros") * 100))?;
    /// assert_eq!(bought.column("name")?.to_vec::<String>()?, ["Ada"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    #[must_use]
    pub fn left_on<A>(self, keys: impl IntoMergeKeys<A>) -> Self {
        Self { left_on: keys.into_merge_keys(), ..self }
    }

    /// The keys of the right frame, in the order of those of [`left_on`](Self::left_on).
    #[must_use]
    pub fn right_on<A>(self, keys: impl IntoMergeKeys<A>) -> Self {
        Self { right_on: keys.into_merge_keys(), ..self }
    }

    /// A condition on pairs of rows beside equal keys, or instead of keys: only pairs for which it is true match. Its columns
    /// have the labels that the result of an inner join has.
    ///
    /// The condition is evaluated for some of the pairs at a time. Without keys, inequalities between the two frames such as
    /// `col("start").le(col("time"))` are searched for in sorted rows; of several, those with one value of a side, as in
    /// `lo <= t and t < hi`. Any other condition without keys is evaluated for all pairs.
    ///
    /// An aggregate or a row function in the condition is of all rows of the frame whose columns it reads, whether or not they
    /// are in a pair: `col("price").gt(col("bid").mean())`. One that reads columns of both frames, or none, is an error.
    ///
    /// ```
    /// use columnade::{Merge, col, df};
    ///
    /// let lines = df! { "order" => [1, 1, 2], "supplier" => [7, 8, 7] }?;
    /// let others = Merge::semi().on("order").condition(col("supplier_x").ne(col("supplier_y")));
    /// assert_eq!(lines.merge(&lines, &others)?.len(), 2);
    ///
    /// let visits = df! { "time" => [3, 12] }?;
    /// let shifts = df! { "name" => ["early", "late"], "from" => [0, 10], "to" => [10, 20] }?;
    /// let during = col("time").ge(col("from")).and(col("time").lt(col("to")));
    /// let on_duty = visits.merge(&shifts, &Merge::inner().condition(during))?;
    /// assert_eq!(on_duty.column("name")?.to_vec::<String>()?, ["early", "late"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// cuDF `mixed_join` and `conditional_join`, Polars `join_where`.
    #[must_use]
    pub fn condition(self, predicate: impl Into<Expr>) -> Self {
        Self { condition: Some(predicate.into()), ..self }
    }

    /// The suffixes of labels that both frames have, coalesced keys excepted. Default: `_x` and `_y`.
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

    /// Whether the two columns of a key are one in the result, under the label of the left: always, or never. Default: those
    /// with one label on both sides are. Computed keys are not in the result.
    ///
    /// A coalesced key has the value of the row that there is: in a right join of the right row, in an outer join of the left
    /// row, or of the right one where there is none.
    ///
    /// ```
    /// use columnade::{Merge, df};
    ///
    /// let (left, right) = (df! { "a" => [1, 2] }?, df! { "b" => [2, 3] }?);
    /// let keyed = Merge::outer().left_on("a").right_on("b");
    /// assert_eq!(left.merge(&right, &keyed)?.columns(), ["a", "b"]);
    /// let joined = left.merge(&right, &keyed.coalesce(true))?;
    /// assert_eq!(joined.columns(), ["a"]);
    /// assert_eq!(joined.column("a")?.to_vec::<i32>()?, [1, 2, 3]);
    ///
    /// let kept = left.merge(&left, &Merge::inner().on("a").coalesce(false))?;
    /// assert_eq!(kept.columns(), ["a_x", "a_y"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// Polars `join(coalesce=…)`.
    #[must_use]
    pub fn coalesce(self, coalesce: bool) -> Self {
        Self { coalesce: Some(coalesce), ..self }
    }

    /// Returns an error if keys occur more often than this. Costs a hash table of the keys that are to be unique. Keys with a
    /// null count if nulls are equal.
    ///
    /// ```
    /// use columnade::{Merge, Validate, df};
    ///
    /// let (orders, people) = (df! { "id" => [7, 7, 8] }?, df! { "id" => [7, 8] }?);
    /// let keyed = Merge::inner().on("id");
    /// assert!(orders.merge(&people, &keyed.clone().validate(Validate::ManyToOne)).is_ok());
    /// let error = orders.merge(&people, &keyed.validate(Validate::OneToOne)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "merge: the key \"id\" of the left frame is not unique: 7 occurs more than once"
    /// );
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `merge(validate=…)`, Polars `join(validate=…)`.
    #[must_use]
    pub fn validate(self, validate: Validate) -> Self {
        Self { validate: Some(validate), ..self }
    }

    /// Adds a column of this label at the end that says where each row is from: a dictionary of `left_only`, `right_only` and
    /// `both`.
    ///
    /// # Source
    /// pandas `merge(indicator=…)`.
    #[must_use]
    pub fn indicator(self, label: impl Into<Label>) -> Self {
        Self { indicator: Some(label.into()), ..self }
    }

    /// The order of the rows. Default: that of the left frame; of the right frame for a right join. The order is defined in any
    /// case; a left join in right order, and a right join in left order, take a sort more.
    ///
    /// # Source
    /// Polars `join(maintain_order="left_right")`.
    #[must_use]
    pub fn maintain_order(self, order: MaintainOrder) -> Self {
        Self { order: Some(order), ..self }
    }
}
