//! Arithmetic and comparison of frames by label.

use std::collections::HashMap;
use std::ops;

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, ColumnAccessor, Label, LabelPart, Scalar};
use columnade_ops::expression::{Expr, Literal, col, evaluate, lit, when};

use super::{LabelJoin, column_labels};
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;

/// What a frame is combined with: `&frame`, `&series`, or one value for all.
#[derive(Clone, Debug)]
pub enum FrameOperand<'a> {
    /// By the labels of rows and of columns.
    Frame(&'a DataFrame),
    /// Each column with the value of its label, the same in every row. What `&series` stands for.
    Columns(&'a Series),
    /// Each row, in every column, with the value of its label.
    Rows(&'a Series),
    /// The same value everywhere, with the dtype of each column.
    Literal(Literal),
}

impl<'a> From<&'a DataFrame> for FrameOperand<'a> {
    fn from(frame: &'a DataFrame) -> Self {
        FrameOperand::Frame(frame)
    }
}

impl<'a> From<&'a Series> for FrameOperand<'a> {
    fn from(series: &'a Series) -> Self {
        FrameOperand::Columns(series)
    }
}

impl<T: Into<Literal>> From<T> for FrameOperand<'_> {
    fn from(value: T) -> Self {
        FrameOperand::Literal(value.into())
    }
}

/// Makes an expression of two.
type Make = fn(Expr, Expr) -> Expr;

/// Both operands with `fill` where one is null and the other is not.
pub(crate) fn filled(left: &Expr, right: &Expr, fill: &Literal) -> (Expr, Expr) {
    let fill = |this: &Expr, other: &Expr| {
        let only = this.clone().is_null().and(other.clone().is_not_null());
        when(only).then(lit(fill.clone())).otherwise(this.clone())
    };
    (fill(left, right), fill(right, left))
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl DataFrame {
            $($(#[$doc])*
            ///
            /// Frames are aligned by the labels of rows and columns, a series by those of columns
            /// ([`FrameOperand::Columns`]) or of rows ([`FrameOperand::Rows`]): as [`align`](DataFrame::align) with
            /// [`LabelJoin::Outer`]. Labels that one side does not have give null.
            ///
            /// # Errors
            /// [`Error::Operation`], which names the column, for incompatible dtypes, labels of several levels without one of
            /// the same name, labels of another kind, and when memory runs out; [`Error::DuplicateLabels`] for a series by
            /// columns whose labels are not unique.
            pub fn $name<'a>(&self, other: impl Into<FrameOperand<'a>>) -> Result<DataFrame> {
                self.combined(stringify!($name), other.into(), None, $make)
            })*
        }
    };
}

operations! {
    /// Sums; null where either operand is null. Integers wrap around.
    ///
    /// ```
    /// use columnade::expressions::FrameOperand;
    /// use columnade::{DataFrame, Index, Series};
    ///
    /// let a = DataFrame::new([("n", [1, 2]), ("m", [3, 4])])?;
    /// let b = DataFrame::new([("n", [10, 20])])?;
    /// let sum = a.add(&b)?;
    /// assert_eq!(sum.column("n")?.to_vec::<i32>()?, [11, 22]);
    /// assert_eq!(sum.column("m")?.null_count()?, 2);
    ///
    /// let of_columns = Series::new([100, 200])?.with_index(&Index::new(["n", "m"])?)?;
    /// assert_eq!((&a + &of_columns)?.column("m")?.to_vec::<i32>()?, [203, 204]);
    /// let of_rows = Series::new([5, 6])?;
    /// assert_eq!(a.add(FrameOperand::Rows(&of_rows))?.column("n")?.to_vec::<i32>()?, [6, 8]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.add`.
    add => |a, b| a + b;
    /// Differences; null where either operand is null. Integers wrap around.
    sub => |a, b| a - b;
    /// Products; null where either operand is null. Integers wrap around.
    mul => |a, b| a * b;
    /// Quotients; `float64` for integers; null where either operand is null.
    div => |a, b| a / b;
    /// Quotients rounded down; null where either operand is null or the divisor is zero.
    floor_div => Expr::floor_div;
    /// Remainders with the sign of the divisor; null where either operand is null or the divisor is zero.
    rem => |a, b| a % b;
    /// Powers; null where either operand is null. See [`Expr::pow`] for dtypes.
    pow => Expr::pow;
    /// Whether values are equal; null where either operand is null.
    eq => Expr::eq;
    /// Whether values differ; null where either operand is null.
    ne => Expr::ne;
    /// Whether values are less; null where either operand is null.
    lt => Expr::lt;
    /// Whether values are less or equal; null where either operand is null.
    le => Expr::le;
    /// Whether values are greater; null where either operand is null.
    gt => Expr::gt;
    /// Whether values are greater or equal; null where either operand is null.
    ge => Expr::ge;
    /// Kleene conjunctions of booleans.
    and => Expr::and;
    /// Kleene disjunctions of booleans.
    or => Expr::or;
}

macro_rules! fill_operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl DataFrame {
            $($(#[$doc])*
            ///
            /// # Errors
            /// Same as [`add`](DataFrame::add), and for a value that a column cannot have.
            pub fn $name<'a>(
                &self,
                other: impl Into<FrameOperand<'a>>,
                fill_value: impl Into<Literal>,
            ) -> Result<DataFrame> {
                self.combined(stringify!($name), other.into(), Some(&fill_value.into()), $make)
            })*
        }
    };
}

fill_operations! {
    /// [`add`](DataFrame::add) with `fill_value` where exactly one operand is null or not there.
    ///
    /// # Source
    /// pandas `DataFrame.add(fill_value=…)`.
    add_with => |a, b| a + b;
    /// [`sub`](DataFrame::sub) with `fill_value` where exactly one operand is null or not there.
    sub_with => |a, b| a - b;
    /// [`mul`](DataFrame::mul) with `fill_value` where exactly one operand is null or not there.
    mul_with => |a, b| a * b;
    /// [`div`](DataFrame::div) with `fill_value` where exactly one operand is null or not there.
    div_with => |a, b| a / b;
    /// [`floor_div`](DataFrame::floor_div) with `fill_value` where exactly one operand is null or not there.
    floor_div_with => Expr::floor_div;
    /// [`rem`](DataFrame::rem) with `fill_value` where exactly one operand is null or not there.
    rem_with => |a, b| a % b;
    /// [`pow`](DataFrame::pow) with `fill_value` where exactly one operand is null or not there.
    pow_with => Expr::pow;
}

macro_rules! binary {
    ($($trait:ident $method:ident $by:ident),*) => {
        $(
            impl<'a, T: Into<FrameOperand<'a>>> ops::$trait<T> for &DataFrame {
                type Output = Result<DataFrame>;
                fn $method(self, other: T) -> Result<DataFrame> {
                    DataFrame::$by(self, other)
                }
            }
        )*
    };
}

binary!(Add add add, Sub sub sub, Mul mul mul, Div div div, Rem rem rem, BitAnd bitand and, BitOr bitor or);

impl DataFrame {
    fn combined(
        &self,
        operation: &'static str,
        other: FrameOperand<'_>,
        fill: Option<&Literal>,
        make: Make,
    ) -> Result<DataFrame> {
        match other {
            FrameOperand::Literal(value) => {
                let make = |label: &Label| made(col(label), lit(value.clone()), fill, make);
                let exprs: Vec<Expr> =
                    self.columns().iter().map(|label| make(label).alias(label.clone())).collect();
                let columns = self.frame().evaluate(operation, &exprs)?;
                let accessor = self.frame().accessor();
                let mut of_labels = ColumnAccessor::with_levels(self.len(), accessor.levels().clone());
                for (label, column) in columns {
                    of_labels.insert(label, column).operation(operation)?;
                }
                let frame = self.frame().with_columns(of_labels);
                Ok(Self::from_indexed(self.indexed_frame().with_frame(frame)))
            }
            FrameOperand::Frame(other) => {
                let (left, right) = self.aligned_with(operation, other, LabelJoin::Outer)?;
                left.each_with(operation, |label, column| {
                    let other = right.frame().column(operation, label)?;
                    of_columns(column, other, fill, make, self.exec())
                        .map_err(|error| error.in_column(label))
                        .operation(operation)
                })
            }
            FrameOperand::Rows(series) => {
                let (left, right) =
                    self.indexed_frame().align_rows(operation, &series.inner, LabelJoin::Outer)?;
                let right = &right.frame().accessor().columns()[0];
                Self::from_indexed(left).each_with(operation, |label, column| {
                    of_columns(column, right, fill, make, self.exec())
                        .map_err(|error| error.in_column(label))
                        .operation(operation)
                })
            }
            FrameOperand::Columns(series) => self.with_values_of_columns(operation, series, fill, make),
        }
    }

    fn with_values_of_columns(
        &self,
        operation: &'static str,
        series: &Series,
        fill: Option<&Literal>,
        make: Make,
    ) -> Result<DataFrame> {
        series.index().check_unique(operation, series.exec())?;
        let (labels, values) = (labels_of(operation, series)?, series.to_scalars()?);
        let dtype = series.dtype();
        let all = column_labels::aligned(self.columns(), &labels, LabelJoin::Outer);
        let values: HashMap<Label, Scalar> = labels.into_iter().zip(values).collect();
        let left = self.indexed_frame().with_column_labels(operation, &all, |_| dtype.clone())?;
        Self::from_indexed(left).each_with(operation, |label, column| {
            let value = values.get(label).cloned().unwrap_or_else(|| Scalar::Null(dtype.clone()));
            let expr = made(col(LEFT), lit(value), fill, make);
            evaluated(&[(LEFT, column)], expr, self.exec())
                .map_err(|error| error.in_column(label))
                .operation(operation)
        })
    }

    /// The same labels with other columns.
    pub(crate) fn each_with(
        &self,
        operation: &'static str,
        make: impl Fn(&Label, &Column) -> Result<Column>,
    ) -> Result<Self> {
        let frame = self.frame();
        let mut columns = ColumnAccessor::with_levels(self.len(), frame.accessor().levels().clone());
        for (label, column) in frame.accessor().iter() {
            columns.insert(label, make(label, column)?).operation(operation)?;
        }
        let frame = Frame::new(columns, self.exec().clone());
        Ok(Self::from_indexed(IndexedFrame::with_index(frame, self.index().clone())))
    }
}

/// What expressions call the operands.
const LEFT: &str = "left";
const RIGHT: &str = "right";

fn made(left: Expr, right: Expr, fill: Option<&Literal>, make: Make) -> Expr {
    let (left, right) = match fill {
        None => (left, right),
        Some(fill) => filled(&left, &right, fill),
    };
    make(left, right)
}

fn of_columns(
    left: &Column,
    right: &Column,
    fill: Option<&Literal>,
    make: Make,
    exec: &Exec,
) -> columns::Result<Column> {
    evaluated(&[(LEFT, left), (RIGHT, right)], made(col(LEFT), col(RIGHT), fill, make), exec)
}

/// The values of an expression, of which errors do not name the expression.
pub(super) fn evaluated(values: &[(&str, &Column)], expr: Expr, exec: &Exec) -> columns::Result<Column> {
    let columns = values.iter().map(|(label, column)| (*label, (*column).clone()));
    let made = evaluate(&[expr.alias("made")], &ColumnAccessor::from_columns(columns)?, exec);
    Ok(made.map_err(columns::Error::without_context)?.swap_remove(0).1)
}

/// The row labels of a series as labels of columns.
pub(super) fn labels_of(operation: &'static str, series: &Series) -> Result<Vec<Label>> {
    let levels = series.index().to_scalars()?;
    let label = |row: usize| {
        let part = |value: &Scalar| {
            if matches!(value, Scalar::Null(_)) { Ok(LabelPart::Null) } else { LabelPart::try_from(value) }
        };
        let parts = levels.iter().map(|level| part(&level[row]));
        Label::from_parts(parts.collect::<columns::Result<Vec<_>>>()?)
    };
    (0..series.len()).map(|row| label(row).operation(operation)).collect()
}
