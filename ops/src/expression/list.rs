//! Expressions over lists.

use super::function::call;
use super::{Expr, Function, Literal, Node, lit};
use columnade_columns::DType;
use std::fmt;

/// A function of lists: see [`ListExpr`]. The lists are the first argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ListFunction {
    /// The number of items.
    Len,
    /// The item at a position, the second argument.
    Get(OutOfRange),
    /// The item at a position, the second argument, or the third where there is none.
    GetOr,
    /// The items at the positions in a list, the second argument.
    Take(OutOfRange),
    /// The items at positions that are the same for each list.
    TakeEach(Vec<i64>, OutOfRange),
    /// Whether a value, the second argument, is among the items.
    Contains,
    /// The position of a value, the second argument.
    Index,
    /// An aggregate of the items.
    Aggregate(ListAggregate),
    /// The items in order.
    Sort {
        /// Whether the largest item is first.
        descending: bool,
        /// Whether nulls are first.
        nulls_first: bool,
    },
    /// Each distinct item once, where it is first.
    Unique,
    /// The items from the last to the first.
    Reverse,
    /// The items from an offset on, at most so many.
    Slice(i64, Option<u64>),
    /// The items of all arguments.
    Concat,
    /// Strings with a separator between them.
    Join(String),
}

/// An aggregate of the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ListAggregate {
    /// The sum.
    Sum,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The number of distinct items.
    NUnique,
    /// Whether any is true.
    Any,
    /// Whether all are true.
    All,
}

/// What a position outside of a list gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OutOfRange {
    /// A null.
    #[default]
    Null,
    /// An error with the position and the number of items.
    Error,
}

impl ListAggregate {
    /// The aggregate of an expression.
    pub(crate) fn of(self, items: Expr) -> Expr {
        match self {
            ListAggregate::Sum => items.sum(),
            ListAggregate::Min => items.min(),
            ListAggregate::Max => items.max(),
            ListAggregate::Mean => items.mean(),
            ListAggregate::Median => items.median(),
            ListAggregate::NUnique => items.nunique(),
            ListAggregate::Any => items.any(),
            ListAggregate::All => items.all(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            ListAggregate::Sum => "sum",
            ListAggregate::Min => "min",
            ListAggregate::Max => "max",
            ListAggregate::Mean => "mean",
            ListAggregate::Median => "median",
            ListAggregate::NUnique => "nunique",
            ListAggregate::Any => "any",
            ListAggregate::All => "all",
        }
    }
}

impl ListFunction {
    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            ListFunction::Len => "len",
            ListFunction::Get(OutOfRange::Null) => "get",
            ListFunction::Get(OutOfRange::Error) => "get_checked",
            ListFunction::GetOr => "get_or",
            ListFunction::Take(OutOfRange::Null) => "take",
            ListFunction::Take(OutOfRange::Error) => "take_checked",
            ListFunction::TakeEach(_, OutOfRange::Null) => "take_each",
            ListFunction::TakeEach(_, OutOfRange::Error) => "take_each_checked",
            ListFunction::Contains => "contains",
            ListFunction::Index => "index",
            ListFunction::Aggregate(aggregate) => aggregate.name(),
            ListFunction::Sort { .. } => "sort",
            ListFunction::Unique => "unique",
            ListFunction::Reverse => "reverse",
            ListFunction::Slice(..) => "slice",
            ListFunction::Concat => "concat",
            ListFunction::Join(_) => "join",
        }
    }

    /// The dtype of a constant in place of an argument, of which the lists are number 0.
    pub(super) fn constant_dtype(&self, lists: &DType, at: usize) -> Option<DType> {
        match (self, lists, at) {
            (ListFunction::Get(_), ..) | (ListFunction::GetOr, _, 1) => Some(DType::Int64),
            (
                ListFunction::GetOr | ListFunction::Contains | ListFunction::Index | ListFunction::Concat,
                DType::List(items),
                _,
            ) => Some(items.logical().clone()),
            _ => None,
        }
    }

    pub(super) fn fmt(&self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = match self {
            ListFunction::Slice(offset, Some(length)) => vec![offset.to_string(), length.to_string()],
            ListFunction::Slice(offset, None) => vec![offset.to_string(), "..".to_owned()],
            ListFunction::Join(separator) => vec![format!("{separator:?}")],
            ListFunction::Sort { descending, nulls_first } => {
                vec![format!("descending={descending}"), format!("nulls_first={nulls_first}")]
            }
            ListFunction::TakeEach(positions, _) => vec![format!("{positions:?}")],
            ListFunction::Len
            | ListFunction::Get(_)
            | ListFunction::GetOr
            | ListFunction::Take(_)
            | ListFunction::Contains
            | ListFunction::Index
            | ListFunction::Aggregate(_)
            | ListFunction::Unique
            | ListFunction::Reverse
            | ListFunction::Concat => vec![],
        };
        let others = match arguments {
            [first, others @ ..] => {
                write!(f, "{first}")?;
                others
            }
            [] => arguments,
        };
        f.write_str(".list().")?;
        call(f, self.name(), others, &options)
    }
}

/// What expressions compute from lists: see [`Expr::list`].
///
/// # Source
/// Polars `Expr.list`, pandas `Series.list`, cuDF `ListMethods`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before a method of the namespace is called"]
pub struct ListExpr(pub(super) Expr);

impl Expr {
    /// The operations on lists: `col("tags").list().len()`. Each gives null for a null list.
    ///
    /// The examples show the values over the lists `[3, 1, null]`, `[]` and null.
    pub fn list(self) -> ListExpr {
        ListExpr(self)
    }
}

/// The items of the lists of each row one after the other; null where one of the lists is null. A value that is no list is one
/// item, also where it is null.
///
/// ```
/// # use columnade_ops::expression::{example::show_lists, col, concat_list};
/// assert_eq!(show_lists(concat_list([col("l"), col("l").list().head(1)]))?, "[3, 1, <NA>, 3] [] <NA>");
/// assert_eq!(show_lists(concat_list([col("l").list().len(), col("l")]))?, "[3, 3, 1, <NA>] [0] <NA>");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `InvalidArgument` without expressions; `DTypeMismatch` for items without a common dtype.
///
/// # Source
/// Polars `concat_list`, cudf/lists/combine.hpp `concatenate_rows`.
pub fn concat_list(lists: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::new(Node::Function(Function::List(ListFunction::Concat), lists.into_iter().collect()))
}

impl ListExpr {
    pub(super) fn function(self, function: ListFunction) -> Expr {
        Expr::new(Node::Function(Function::List(function), vec![self.0]))
    }

    pub(super) fn function_of(self, function: ListFunction, argument: Expr) -> Expr {
        Expr::new(Node::Function(Function::List(function), vec![self.0, argument]))
    }

    fn aggregate(self, aggregate: ListAggregate) -> Expr {
        self.function(ListFunction::Aggregate(aggregate))
    }

    /// The number of items, nulls among them: `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().len())?, "3 0 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, as all functions of lists.
    ///
    /// # Source
    /// Polars `list.len`, `cudf/lists/count_elements.hpp`.
    pub fn len(self) -> Expr {
        self.function(ListFunction::Len)
    }

    /// The item at a position, from 0, or from the end if it is negative; null where there is none. The position may be an
    /// expression of integers.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().get(1))?, "1 <NA> <NA>");
    /// assert_eq!(show_lists(col("l").list().get(-3) + 1)?, "4 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for a position that is no integer.
    ///
    /// # Source
    /// Polars `list.get(null_on_oob=True)`, cudf/lists/extract.hpp `extract_list_element`.
    pub fn get(self, position: impl Into<Literal>) -> Expr {
        self.function_of(ListFunction::Get(OutOfRange::Null), lit(position))
    }

    /// The item of each list at the position that its row has in another expression; null where [`get`](Self::get) is.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col, lit};
    /// assert_eq!(show_lists(col("l").list().get_at(lit(1)))?, "1 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.get` of an expression.
    pub fn get_at(self, position: Expr) -> Expr {
        self.function_of(ListFunction::Get(OutOfRange::Null), position)
    }

    /// The item at a position of each list, as [`get`](Self::get) has it; a position outside of a list is an error.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// let error = show_lists(col("l").list().get_checked(1)).unwrap_err();
    /// assert!(error.to_string().contains("position 1 is out of bounds for 0"));
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `ItemOutOfBounds`, of the first such row.
    ///
    /// # Source
    /// Polars `list.get`.
    pub fn get_checked(self, position: impl Into<Literal>) -> Expr {
        self.function_of(ListFunction::Get(OutOfRange::Error), lit(position))
    }

    /// The first item; null for an empty list.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().first())?, "3 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.first`.
    pub fn first(self) -> Expr {
        self.get(0)
    }

    /// The last item; null for an empty list.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().last())?, "<NA> <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.last`.
    pub fn last(self) -> Expr {
        self.get(-1)
    }

    /// Whether a value is among the items: `bool`. A null is equal to nulls, NaN to NaNs, −0.0 to 0.0.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().contains(1))?, "true false <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for a value that is not compared with the items.
    ///
    /// # Source
    /// Polars `list.contains(nulls_equal=True)`, cudf/lists/contains.hpp.
    pub fn contains(self, value: impl Into<Literal>) -> Expr {
        self.function_of(ListFunction::Contains, lit(value))
    }

    /// Whether each list has the value that its row has in another expression; null where [`contains`](Self::contains) is.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col, lit};
    /// assert_eq!(show_lists(col("l").list().contains_value(lit(1)))?, "true false <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists; `DTypeMismatch` for values that are not compared with
    /// the items.
    ///
    /// # Source
    /// Polars `list.contains` of an expression.
    pub fn contains_value(self, value: Expr) -> Expr {
        self.function_of(ListFunction::Contains, value)
    }

    /// The sum of the items, in the dtypes of [`Expr::sum`]; 0 for a list without valid items.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().sum())?, "4 0 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for items that have no sum; `Overflow` for decimals.
    ///
    /// # Source
    /// Polars `list.sum`, cudf/reduction.hpp `segmented_reduce`.
    pub fn sum(self) -> Expr {
        self.aggregate(ListAggregate::Sum)
    }

    /// The least item; null for a list without valid items. As [`Expr::min`].
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().min())?, "1 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.min`.
    pub fn min(self) -> Expr {
        self.aggregate(ListAggregate::Min)
    }

    /// The greatest item; null for a list without valid items. As [`Expr::max`].
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().max())?, "3 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.max`.
    pub fn max(self) -> Expr {
        self.aggregate(ListAggregate::Max)
    }

    /// The mean of the items; null for a list without valid items. As [`Expr::mean`].
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().mean())?, "2.0 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.mean`.
    pub fn mean(self) -> Expr {
        self.aggregate(ListAggregate::Mean)
    }

    /// The median of the items; null for a list without valid items. As [`Expr::median`].
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().median())?, "2.0 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.median`.
    pub fn median(self) -> Expr {
        self.aggregate(ListAggregate::Median)
    }

    /// The number of distinct items, nulls not counted: `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().nunique())?, "2 0 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.n_unique`, which counts a null.
    pub fn nunique(self) -> Expr {
        self.aggregate(ListAggregate::NUnique)
    }

    /// Whether any item is true, or not zero; false for a list without valid items.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().any())?, "true false <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.any`.
    pub fn any(self) -> Expr {
        self.aggregate(ListAggregate::Any)
    }

    /// Whether all items are true, or not zero; true for a list without valid items.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().all())?, "true true <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.all`.
    pub fn all(self) -> Expr {
        self.aggregate(ListAggregate::All)
    }

    /// The items in ascending order, nulls last. NaN is the largest number.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().sort())?, "[1, 3, <NA>] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.sort(nulls_last=True)`, cudf/lists/sorting.hpp `sort_lists`.
    pub fn sort(self) -> Expr {
        self.sort_with(false, false)
    }

    /// The items in ascending or `descending` order, nulls first or last.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().sort_with(true, true))?, "[<NA>, 3, 1] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.sort`.
    pub fn sort_with(self, descending: bool, nulls_first: bool) -> Expr {
        self.function(ListFunction::Sort { descending, nulls_first })
    }

    /// Each distinct item once, in order of first appearance; a null is one.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().unique())?, "[3, 1, <NA>] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for items that it does not take.
    ///
    /// # Source
    /// Polars `list.unique(maintain_order=True)`, `cudf/lists/stream_compaction.hpp` `distinct`.
    pub fn unique(self) -> Expr {
        self.function(ListFunction::Unique)
    }

    /// The items from the last to the first.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().reverse())?, "[<NA>, 1, 3] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.reverse`, cudf/lists/reverse.hpp.
    pub fn reverse(self) -> Expr {
        self.function(ListFunction::Reverse)
    }

    /// The items from `offset` on, at most `length`; a negative offset counts from the end. A range that is partly outside
    /// of a list gives the part within it.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().slice(-2, None))?, "[1, <NA>] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.slice`.
    pub fn slice(self, offset: i64, length: impl Into<Option<u64>>) -> Expr {
        self.function(ListFunction::Slice(offset, length.into()))
    }

    /// The first `n` items.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().head(2))?, "[3, 1] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.head`.
    pub fn head(self, n: u64) -> Expr {
        self.slice(0, n)
    }

    /// The last `n` items.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().tail(2))?, "[1, <NA>] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.tail`.
    pub fn tail(self, n: u64) -> Expr {
        self.slice(i64::try_from(n).map_or(i64::MIN, |n| -n), if n == 0 { Some(0) } else { None })
    }

    /// The items followed by those of another list, or by a value; null where one of the lists is null: see [`concat_list`].
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().concat(col("l")))?, "[3, 1, <NA>, 3, 1, <NA>] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for items without a common dtype.
    ///
    /// # Source
    /// Polars `list.concat`.
    pub fn concat(self, other: Expr) -> Expr {
        concat_list([self.0, other])
    }

    /// The strings of a list with `separator` between them; nulls are left out.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a b").str().split(" ", None).list().join("-"))?, "a-b a-b a-b");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for items that are no strings.
    ///
    /// # Source
    /// Polars `list.join`, pandas `Series.str.join`.
    pub fn join(self, separator: impl Into<String>) -> Expr {
        self.function(ListFunction::Join(separator.into()))
    }
}
