//! Items of lists by their positions, and positions of items.

use super::list::{ListExpr, ListFunction, OutOfRange};
use super::{Expr, Function, Literal, Node, lit};

impl ListExpr {
    /// The item of each list at the position that its row has in another expression; a position outside of a list is an
    /// error, a null gives null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// let last = col("l").list().len() - 1;
    /// let error = show_lists(col("l").list().get_at_checked(last)).unwrap_err();
    /// assert!(error.to_string().contains("position -1 is out of bounds for 0"));
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `ItemOutOfBounds`, of the first such row; `UnsupportedDType` for other dtypes than lists and
    /// for positions that are no integers.
    ///
    /// # Source
    /// Polars `list.get` of an expression.
    pub fn get_at_checked(self, position: Expr) -> Expr {
        self.function_of(ListFunction::Get(OutOfRange::Error), position)
    }

    /// The item at a position of each list, as [`get`](Self::get) has it, and `default` where the position is outside of the
    /// list. A null list and a null item give null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().get_or(0, 7))?, "3 7 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists; `InvalidArgument` for a default that does not fit
    /// the items.
    ///
    /// # Source
    /// cuDF `list.get(default=)`.
    pub fn get_or(self, position: impl Into<Literal>, default: impl Into<Literal>) -> Expr {
        self.get_at_or(lit(position), lit(default))
    }

    /// The item of each list at the position that its row has in another expression, and the value of `default` in that row
    /// where the position is outside of the list. A null list, a null item and a null position give null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col, lit};
    /// assert_eq!(show_lists(col("l").list().get_at_or(lit(-1), col("l").list().len()))?, "<NA> 0 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists and for positions that are no integers;
    /// `DTypeMismatch` for defaults without a common dtype with the items.
    ///
    /// # Source
    /// cuDF `list.get(default=)`.
    pub fn get_at_or(self, position: Expr, default: Expr) -> Expr {
        Expr::new(Node::Function(Function::List(ListFunction::GetOr), vec![self.0, position, default]))
    }

    /// The items of each list at the positions in the list of its row, in their order; a negative position counts from the
    /// end. Null for a null position and one outside of the list; a null list of either gives null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// // Items of the list as positions in it.
    /// assert_eq!(show_lists(col("l").list().take(col("l")))?, "[<NA>, 1, <NA>] [] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists, and for positions that are no integers.
    ///
    /// # Source
    /// Polars `list.gather(null_on_oob=True)`, cudf/lists/gather.hpp `segmented_gather`.
    pub fn take(self, positions: Expr) -> Expr {
        self.function_of(ListFunction::Take(OutOfRange::Null), positions)
    }

    /// [`take`](Self::take), of which a position outside of a list is an error.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// let error = show_lists(col("l").list().take_checked(col("l"))).unwrap_err();
    /// assert!(error.to_string().contains("position 3 is out of bounds for 3"));
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `ItemOutOfBounds`, of the first such position; `UnsupportedDType` as [`take`](Self::take).
    ///
    /// # Source
    /// Polars `list.gather`, cuDF `list.take`.
    pub fn take_checked(self, positions: Expr) -> Expr {
        self.function_of(ListFunction::Take(OutOfRange::Error), positions)
    }

    /// The items of each list at positions that are the same for all, as [`take`](Self::take).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().take_each([0, -2]))?, "[3, 1] [<NA>, <NA>] <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.gather(null_on_oob=True)` of a list.
    pub fn take_each(self, positions: impl IntoIterator<Item = i64>) -> Expr {
        self.function(ListFunction::TakeEach(positions.into_iter().collect(), OutOfRange::Null))
    }

    /// [`take_each`](Self::take_each), of which a position outside of a list is an error.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// let error = show_lists(col("l").list().take_each_checked([0])).unwrap_err();
    /// assert!(error.to_string().contains("position 0 is out of bounds for 0"));
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `ItemOutOfBounds`, of the first such position; `UnsupportedDType` for other dtypes than lists.
    ///
    /// # Source
    /// Polars `list.gather` of a list.
    pub fn take_each_checked(self, positions: impl IntoIterator<Item = i64>) -> Expr {
        self.function(ListFunction::TakeEach(positions.into_iter().collect(), OutOfRange::Error))
    }

    /// The position of the first item that is equal to a value: `int64`, −1 without one. A null is equal to nulls, NaN to
    /// NaNs, −0.0 to 0.0.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().index(1))?, "1 -1 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists; `DTypeMismatch` for a value that is not compared
    /// with the items.
    ///
    /// # Source
    /// cuDF `list.index`, cudf/lists/contains.hpp `index_of`.
    pub fn index(self, value: impl Into<Literal>) -> Expr {
        self.function_of(ListFunction::Index, lit(value))
    }

    /// The position in each list of the value that its row has in another expression, as [`index`](Self::index).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show_lists, col};
    /// assert_eq!(show_lists(col("l").list().index_of(col("l").list().last()))?, "2 -1 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than lists; `DTypeMismatch` for values that are not compared
    /// with the items.
    ///
    /// # Source
    /// cuDF `list.index` of a series.
    pub fn index_of(self, value: Expr) -> Expr {
        self.function_of(ListFunction::Index, value)
    }
}
