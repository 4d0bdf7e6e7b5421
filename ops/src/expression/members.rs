//! Values that [`Expr::is_in`] looks for.

use super::{Expr, Literal, Node, col, lit, when};
use crate::groupby::grouped_rows::compute;
use crate::join::common_key;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Result, Scalar};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The values of a column, or many listed ones. They are equal only to themselves, so that they are compared without being
/// read.
#[derive(Clone)]
pub struct Members {
    column: Arc<Column>,
    /// The values as they were listed.
    listed: Option<Arc<[Literal]>>,
    /// Whether they are moved to the device of the values that are looked for.
    moves: bool,
}

/// Of more listed values a set is made, if they are integers or strings, and so are those that are looked for.
const FEW: usize = 16;

impl Members {
    /// The column.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// The column on the device of `exec`.
    ///
    /// # Errors
    /// [`Error::Memory`](columnade_columns::Error::Memory).
    pub(crate) fn on_device(&self, exec: &Exec) -> Result<Cow<'_, Column>> {
        if self.moves && self.column.device() != exec.device() {
            return self.column.to_device(exec).map(Cow::Owned);
        }
        Ok(Cow::Borrowed(&self.column))
    }

    /// Whether values of a dtype are looked for among these: where a join takes both as keys, and whole numbers among floats.
    pub(crate) fn go_with(&self, dtype: &DType) -> bool {
        let own = self.column.dtype();
        common_key(dtype, &own).is_some() || are_whole_and_float(dtype, &own)
    }

    /// The column on the device of `exec`, with whole numbers beside floats, and floats beside whole numbers, in the dtype of
    /// those. Values that it does not have exactly equal none of them, and are null.
    ///
    /// # Errors
    /// [`Error::Memory`](columnade_columns::Error::Memory).
    pub(crate) fn beside(&self, dtype: &DType, exec: &Exec) -> Result<Cow<'_, Column>> {
        let column = self.on_device(exec)?;
        if !are_whole_and_float(dtype, &column.dtype()) {
            return Ok(column);
        }
        let target = if dtype.logical().is_float() { DType::Float64 } else { dtype.logical().clone() };
        let made = compute(&[("x", &*column)], col("x").try_cast(target), exec)?;
        let exact = when(col("x").eq(col("made"))).then(col("made")).otherwise(lit(Literal::Null));
        compute(&[("x", &*column), ("made", &made)], exact, exec).map(Cow::Owned)
    }

    /// The values as they were listed, if they were.
    #[cfg(feature = "serde")]
    pub(super) fn listed(&self) -> Option<&[Literal]> {
        self.listed.as_deref()
    }

    /// The values of a column of the host, wherever those are that are looked for.
    pub(super) fn of_host(column: Column) -> Self {
        Self { column: Arc::new(column), listed: None, moves: true }
    }

    /// A set of many integers or strings.
    pub(super) fn of_listed<'a>(literals: impl Iterator<Item = Option<&'a Literal>>) -> Option<Self> {
        let literals: Vec<&Literal> = literals.collect::<Option<_>>()?;
        let host = Exec::host();
        let column = if let Literal::String(_) = literals.first()? {
            let texts = literals
                .iter()
                .map(|literal| if let Literal::String(text) = literal { Some(text.as_str()) } else { None });
            Column::from_values(texts.collect::<Option<Vec<_>>>()?, &host).ok()?
        } else {
            let numbers = literals.iter().map(|literal| {
                if let Literal::Int(number) = literal { i64::try_from(*number).ok() } else { None }
            });
            Column::from_values(numbers.collect::<Option<Vec<_>>>()?, &host).ok()?
        };
        let listed = literals.into_iter().cloned().collect();
        Some(Self { column: Arc::new(column), listed: Some(listed), moves: true })
    }

    /// The comparisons that listed values stand for beside values of a dtype that the set is not for.
    pub(crate) fn tests_for(&self, value: &Expr, dtype: &DType) -> Option<Expr> {
        let listed = self.listed.as_ref()?;
        let is_text = self.column.dtype() == DType::Utf8;
        let is_for = if is_text { *dtype.logical() == DType::Utf8 } else { dtype.is_integer() };
        (!is_for)
            .then(|| any_of(listed.iter().map(|literal| value.clone().eq(literal.clone())).collect(), value))
    }
}

fn are_whole_and_float(left: &DType, right: &DType) -> bool {
    let (left, right) = (left.logical(), right.logical());
    (left.is_integer() && right.is_float()) || (left.is_float() && right.is_integer())
}

fn literal(value: &Expr) -> Option<&Literal> {
    if let Node::Literal(literal) = value.node() { Some(literal) } else { None }
}

fn is_null(value: &Expr) -> bool {
    matches!(literal(value), Some(Literal::Null | Literal::Scalar(Scalar::Null(_))))
}

fn is_nan(value: &Expr) -> bool {
    match literal(value) {
        Some(Literal::Float(number) | Literal::Scalar(Scalar::Float64(number))) => number.is_nan(),
        Some(Literal::Scalar(Scalar::Float32(number))) => number.is_nan(),
        _ => false,
    }
}

/// Whether one of the tests holds, of which there may be none.
fn any_of(mut tests: Vec<Expr>, value: &Expr) -> Expr {
    // A balanced tree: thousands of values must not become thousands of levels.
    while tests.len() > 1 {
        let mut pairs = Vec::with_capacity(tests.len().div_ceil(2));
        let mut rest = tests.into_iter();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => first.or(second),
                None => first,
            });
        }
        tests = pairs;
    }
    tests.pop().unwrap_or_else(|| value.clone().is_null().and(lit(Literal::Null)))
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.column, &other.column)
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({:p}, {self})", Arc::as_ptr(&self.column))
    }
}

impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values of {}", self.column.size(), self.column.dtype())
    }
}

impl From<Column> for Members {
    fn from(column: Column) -> Self {
        Self { column: Arc::new(column), listed: None, moves: false }
    }
}

/// What [`Expr::is_in`] takes: an array, a vector or an iterator of values, or a column. The parameter is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a list of values nor a column",
    label = "expected several values, or a series",
    note = "`col(\"a\").is_in([1, 2])`, `col(\"a\").is_in(&frame.column(\"b\")?)`"
)]
pub trait IntoMembers<Kind> {
    /// Whether `value` is one of these.
    fn contain(self, value: Expr) -> Expr;
}

/// The kind of listed values.
#[derive(Clone, Copy, Debug)]
pub struct ListedValues;
/// The kind of the values of a column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnValues;

impl<T: Into<Expr>, I: IntoIterator<Item = T>> IntoMembers<ListedValues> for I {
    fn contain(self, value: Expr) -> Expr {
        // As with the values of a column, nulls match nothing, and NaN equals NaN.
        let others: Vec<Expr> = self.into_iter().map(Into::into).filter(|other| !is_null(other)).collect();
        if others.len() > FEW
            && let Some(set) = Members::of_listed(others.iter().map(literal))
        {
            return Expr::new(Node::IsIn(value, set));
        }
        let equals = |other: Expr| {
            if is_nan(&other) { value.clone().is_nan() } else { value.clone().eq(other) }
        };
        any_of(others.into_iter().map(equals).collect(), &value)
    }
}

impl IntoMembers<ColumnValues> for Column {
    fn contain(self, value: Expr) -> Expr {
        Expr::new(Node::IsIn(value, self.into()))
    }
}

impl IntoMembers<ColumnValues> for &Column {
    fn contain(self, value: Expr) -> Expr {
        self.clone().contain(value)
    }
}
