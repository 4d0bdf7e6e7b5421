//! The syntax tree.

use super::{Elementwise, Function, Literal, Members, RowFunction, Statistic};
use crate::cast::CastMode;
pub use columnade_columns::promote::Arithmetic;
use columnade_columns::{DType, Error, Label};
pub use columnade_kernels::aggregation::Aggregation;
use columnade_kernels::grouping::group_ids::NullKeys;
use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

/// An expression over the columns of a frame. Cheap to clone.
///
/// A frame that evaluates expressions determines their dtypes, and returns the errors that their methods describe. The
/// examples of the methods show the values over these rows:
///
/// | x: `int64` | y: `int64` | word: `utf8` | flag: `bool` | day: `date32` | at: `timestamp[s]` |
/// | --- | --- | --- | --- | --- | --- |
/// | 1 | 4 | tea | true | 2024-02-29 | 2024-02-29 13:45:10 |
/// | null | 5 | null | null | null | null |
/// | 3 | 0 | oat | false | 1969-12-31 | 1969-12-31 00:00:59 |
///
/// # Operators
/// `+`, `-`, `*`, `/` and `%` compute row by row; null where either side is null. A literal may be on either side.
///
/// | operands | `+` `-` `*` | `/` | `%` |
/// | --- | --- | --- | --- |
/// | integers | the common dtype; wraps around | `float64` | the common dtype; null for a zero divisor |
/// | floats, or one of them | the common dtype | the common dtype | the common dtype |
/// | decimals, or with an integer | exact, up to 38 digits | exact to at least 6 digits after the point | exact; null for a zero divisor |
/// | booleans | `int64`; with a number as 0 and 1 | `float64` | `int64` |
/// | strings, dictionaries of strings | `+` joins them | not supported | not supported |
/// | dates, timestamps and times of day | `+` and `-` of a duration; `-` of two gives a duration | not supported | not supported |
/// | durations | `+` and `-` of durations; `*` of a number | by a number a duration, by a duration `float64` | a duration |
///
/// A duration over an integer is rounded towards zero, as is one times or over a float; it is null for a zero divisor and where
/// that is no number. [`floor_div`](Expr::floor_div) of two durations is `int64`. A time of day that leaves the day is counted
/// from midnight again, as in SQL; a date plus a time of day is a timestamp.
///
/// The remainder has the sign of the divisor. `-a` negates signed numbers and durations. `&`, `|` and `!` combine booleans by
/// Kleene's logic; `&`, `|` and `^` of integers combine their bits, and `^` of booleans is whether they differ.
///
/// ```
/// # use columnade_ops::expression::{example::show, col};
/// assert_eq!(show(2 * col("x") - 1)?, "1 <NA> 5");
/// assert_eq!(show(col("y") / 2)?, "2.0 2.5 0.0");
/// assert_eq!(show(col("y") % col("x"))?, "0 <NA> 0");
/// assert_eq!(show(-col("x"))?, "-1 <NA> -3");
/// assert_eq!(show(!col("flag") & col("x").gt(1))?, "false <NA> true");
/// assert_eq!(show(col("word") + "!")?, "tea! <NA> oat!");
/// assert_eq!(show((col("y") & 5) ^ 1)?, "5 4 1");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `UnsupportedDType` for operands that an operator does not have; `Overflow` for a decimal of more than
/// 38 digits.
///
/// # Comparison
///
/// [`eq`](Expr::eq), [`lt`](Expr::lt) and their like compare expressions row by row. The operators `==` and `<` would give
/// one truth instead, so they do not compile. What rustc says names the methods:
///
/// ```compile_fail,E0277
/// use columnade_ops::expression::{col, lit};
/// let rows = col("b") == lit("y"); // col("b").eq("y")
/// ```
///
/// ```compile_fail,E0277
/// use columnade_ops::expression::col;
/// let rows = col("a") > 2; // col("a").gt(2)
/// ```
#[derive(Clone, Debug)]
#[must_use = "an expression computes nothing before a frame evaluates it"]
pub struct Expr(pub(crate) Arc<Node>, pub(super) Depth);

/// The other side of an operator. A type of its own, because rustc has a text of its own where one type lacks a comparison
/// with itself.
#[derive(Debug)]
pub struct Other<T>(PhantomData<T>);

/// A type that cannot be named. Several numbers, because rustc takes the only type that would do for the one meant.
#[derive(Debug)]
pub struct NoOperand<const N: usize>;

/// Implemented for no operand, so that `==` between expressions does not compile.
#[diagnostic::on_unimplemented(
    message = "expressions are compared row by row, by methods",
    label = "write `a.eq(b)` for `a == b`, `a.ne(b)` for `a != b`",
    note = "an expression has no single truth, which `==` would give"
)]
pub trait CallEqOrNe {}

/// Implemented for no operand, so that `<` between expressions does not compile.
#[diagnostic::on_unimplemented(
    message = "expressions are compared row by row, by methods",
    label = "write `a.lt(b)` for `a < b`, and `le`, `gt`, `ge` likewise",
    note = "an expression has no single truth, which `<` would give"
)]
pub trait CallLtLeGtOrGe: CallEqOrNe {}

impl CallEqOrNe for Other<NoOperand<0>> {}
impl CallEqOrNe for Other<NoOperand<1>> {}
impl CallLtLeGtOrGe for Other<NoOperand<0>> {}
impl CallLtLeGtOrGe for Other<NoOperand<1>> {}

impl<T> PartialEq<T> for Expr
where
    Other<T>: CallEqOrNe,
{
    fn eq(&self, _: &T) -> bool {
        false
    }
}

impl<T> PartialOrd<T> for Expr
where
    Other<T>: CallLtLeGtOrGe,
{
    fn partial_cmp(&self, _: &T) -> Option<Ordering> {
        None
    }
}

/// How deep a tree is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth {
    levels: u32,
    /// Aggregates and row functions one within the other.
    functions: u32,
}

impl Depth {
    /// That of a tree with this root.
    pub(super) fn of(node: &Node) -> Self {
        let of_operands = node.children().into_iter().map(|operand| operand.1);
        let deepest = of_operands.fold(Depth::default(), |a, b| Depth {
            levels: a.levels.max(b.levels),
            functions: a.functions.max(b.functions),
        });
        let is_function = matches!(
            node,
            Node::RowFunction(..) | Node::Aggregate(..) | Node::Statistic(..) | Node::Over(..) | Node::Len
        );
        Depth {
            levels: deepest.levels.saturating_add(1),
            functions: deepest.functions.saturating_add(is_function.into()),
        }
    }
}

/// One node of an [`Expr`].
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Node {
    /// The column with a label.
    Column(Label),
    /// A constant; takes the dtype of what it is combined with.
    Literal(Literal),
    /// Arithmetic.
    Arithmetic(Arithmetic, Expr, Expr),
    /// A comparison.
    Compare(Comparison, Expr, Expr),
    /// Kleene conjunction.
    And(Expr, Expr),
    /// Kleene disjunction.
    Or(Expr, Expr),
    /// Kleene negation.
    Not(Expr),
    /// Arithmetic, an error where an integer overflows.
    Checked(Arithmetic, Expr, Expr),
    /// A negative, checked.
    CheckedNegate(Expr),
    /// A magnitude, checked.
    CheckedAbs(Expr),
    /// Arithmetic negation.
    Negate(Expr),
    /// The magnitude.
    Abs(Expr),
    /// Rounding to a number of digits after the point, halves to even.
    Round(Expr, i32),
    /// The second where the first is null.
    FillNull(Expr, Expr),
    /// Whether a row is null; never null itself.
    IsNull(Expr),
    /// Whether a row is valid; never null itself.
    IsNotNull(Expr),
    /// A cast to another dtype. The mode is that of numbers to integers.
    Cast(Expr, DType, CastMode),
    /// `then` where the condition is true, `otherwise` where it is false or null.
    When {
        /// The condition.
        condition: Expr,
        /// The value if the condition is true.
        then: Expr,
        /// The value otherwise.
        otherwise: Expr,
    },
    /// A part of a date or a timestamp.
    Part(Part, Expr),
    /// A test of a string against a constant.
    Match(Match, Expr, String),
    /// Whether a value is among those of a column.
    IsIn(Expr, Members),
    /// A function of the values of a row.
    Elementwise(Elementwise, Vec<Expr>),
    /// An aggregate of all rows of a group.
    Aggregate(Aggregation, Expr),
    /// An aggregate that takes several passes over the rows of a group.
    Statistic(Statistic, Vec<Expr>),
    /// A function of each row and the rows before or after it.
    RowFunction(RowFunction, Vec<Expr>),
    /// The aggregates and row functions of an expression by group, for each row.
    Over(Expr, Vec<Expr>, NullKeys),
    /// A function of columns whose result is an input of the expression.
    Function(Function, Vec<Expr>),
    /// The rows of the first where the second is true: in an argument of an aggregate.
    Filter(Expr, Expr),
    /// The number of rows of a group, null or not.
    Len,
    /// The same expression with another label.
    Alias(Expr, Label),
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// A part of a date or a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Part {
    /// Year of the proleptic Gregorian calendar.
    Year,
    /// 1 to 4.
    Quarter,
    /// 1 to 12.
    Month,
    /// 1 to 31.
    Day,
    /// 1 to 366.
    DayOfYear,
    /// Monday = 0.
    Weekday,
    /// 0 to 23.
    Hour,
    /// 0 to 59.
    Minute,
    /// 0 to 59.
    Second,
}

/// A test of a string against a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Match {
    /// Starts with it.
    Prefix,
    /// Ends with it.
    Suffix,
    /// Contains it.
    Contains,
    /// SQL's `LIKE`: `%` is any number of characters, `_` any one character.
    Like,
    /// SQL's `LIKE` with an escape: the character after it stands for itself.
    LikeEscape(char),
    /// The same in any case, of a pattern whose escapes are wrong: evaluating it is an error. Others are [`LikeEscape`](Self::LikeEscape)
    /// of lower case.
    IlikeEscape(char),
}

/// The operator's symbol.
pub(crate) const fn symbol(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::FloorDivide => "//",
        Arithmetic::Modulo => "%",
    }
}

impl Comparison {
    /// The operator's symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        }
    }

    /// The comparison that holds if the sides are swapped.
    #[must_use]
    pub const fn flipped(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
            same @ (Comparison::Eq | Comparison::Ne) => same,
        }
    }
}

impl Part {
    /// The name of the method that builds it.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Year => "year",
            Part::Quarter => "quarter",
            Part::Month => "month",
            Part::Day => "day",
            Part::DayOfYear => "day_of_year",
            Part::Weekday => "weekday",
            Part::Hour => "hour",
            Part::Minute => "minute",
            Part::Second => "second",
        }
    }
}

impl Match {
    /// The name of the method that builds it.
    pub const fn name(self) -> &'static str {
        match self {
            Match::Prefix => "starts_with",
            Match::Suffix => "ends_with",
            Match::Contains => "contains",
            Match::Like => "like",
            Match::LikeEscape(_) => "like_escape",
            Match::IlikeEscape(_) => "ilike_escape",
        }
    }
}

impl Expr {
    /// The root of the tree.
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// The expression without aliases.
    pub(crate) fn unaliased(&self) -> &Expr {
        let mut expr = self;
        while let Node::Alias(aliased, _) = expr.node() {
            expr = aliased;
        }
        expr
    }

    /// The label of the result: the alias, otherwise the label of the column that it is computed from,
    /// otherwise the expression as text.
    pub fn label(&self) -> Label {
        let mut expr = self;
        loop {
            expr = match expr.label_or_operand() {
                Ok(label) => return label,
                Err(operand) => operand,
            };
        }
    }

    /// The label, or the operand that has it.
    fn label_or_operand(&self) -> Result<Label, &Expr> {
        Ok(match self.node() {
            Node::Alias(_, label) | Node::Column(label) => label.clone(),
            Node::Aggregate(_, arg)
            | Node::Cast(arg, ..)
            | Node::Abs(arg)
            | Node::CheckedAbs(arg)
            | Node::Round(arg, _)
            | Node::Filter(arg, _)
            | Node::FillNull(arg, _)
            | Node::Over(arg, ..) => return Err(arg),
            Node::Function(function, arguments) => match (function.own_label(), arguments.first()) {
                (Some(label), _) => label,
                (None, Some(first)) => return Err(first),
                (None, None) => "".into(),
            },
            Node::Statistic(_, arguments) | Node::RowFunction(_, arguments)
                if let Some(first) = arguments.first() =>
            {
                return Err(first);
            }
            Node::Elementwise(function, arguments)
                if function.keeps_label()
                    && let Some(first) = arguments.first() =>
            {
                return Err(first);
            }
            Node::Len => "len".into(),
            Node::Literal(_)
            | Node::Arithmetic(..)
            | Node::Compare(..)
            | Node::And(..)
            | Node::Or(..)
            | Node::Not(_)
            | Node::Checked(..)
            | Node::CheckedNegate(_)
            | Node::Negate(_)
            | Node::IsNull(_)
            | Node::IsNotNull(_)
            | Node::When { .. }
            | Node::Part(..)
            | Node::Match(..)
            | Node::IsIn(..)
            | Node::Elementwise(..)
            | Node::Statistic(..)
            | Node::RowFunction(..) => self.to_string().into(),
        })
    }

    /// The levels of the tree.
    pub(crate) fn levels(&self) -> u32 {
        self.1.levels
    }

    /// Checks that the tree has no more levels than its evaluation has a stack for, as evaluating methods do.
    ///
    /// ```
    /// # use columnade_ops::expression::col;
    /// assert!(col("x").check_levels().is_ok());
    /// let deep = (0..100_000).fold(col("x"), |x, _| x + 1);
    /// assert!(deep.check_levels().is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`].
    pub fn check_levels(&self) -> columnade_columns::Result<()> {
        let Depth { levels, functions } = self.1;
        let most = if functions > 0 { MAX_WINDOWED_LEVELS } else { MAX_LEVELS };
        let reason = if levels > most {
            format!("it has {levels} levels, more than {most}")
        } else if functions > MAX_FUNCTIONS {
            format!(
                "it has {functions} aggregates and row functions within each other, more than {MAX_FUNCTIONS}"
            )
        } else {
            return Ok(());
        };
        Err(Error::InvalidArgument { name: "expression", reason })
    }

    /// The operands of this expression.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        self.node().children()
    }

    /// Whether both are one tree: of the same nodes, constants and columns. NaN is no constant that is the same.
    pub(crate) fn is_same(&self, other: &Expr) -> bool {
        let (own, others) = (self.children(), other.children());
        Arc::ptr_eq(&self.0, &other.0)
            || self.node().is_alike(other.node())
                && own.len() == others.len()
                && own.iter().zip(others).all(|(own, other)| own.is_same(other))
    }

    /// The same node over what `replace` makes of each operand.
    ///
    /// The loop is written out: of a collected iterator of results optimised builds branch on the unused part of a
    /// `ControlFlow`, which valgrind reports.
    pub(crate) fn try_map_children(
        &self,
        mut replace: impl FnMut(&Expr) -> columnade_columns::Result<Expr>,
    ) -> columnade_columns::Result<Expr> {
        let operands = self.children();
        let mut children = Vec::with_capacity(operands.len());
        for operand in operands {
            children.push(replace(operand)?);
        }
        Ok(self.with_children(children))
    }

    /// The same node over other operands, as many as [`children`](Self::children) gives.
    pub(crate) fn with_children(&self, children: Vec<Expr>) -> Expr {
        let mut children = children.into_iter();
        let mut next = || children.next().unwrap_or_else(|| self.clone());
        Expr::new(match self.node() {
            Node::Column(_) | Node::Literal(_) | Node::Len => return self.clone(),
            Node::Arithmetic(op, _, _) => Node::Arithmetic(*op, next(), next()),
            Node::Checked(op, _, _) => Node::Checked(*op, next(), next()),
            Node::Abs(_) => Node::Abs(next()),
            Node::CheckedNegate(_) => Node::CheckedNegate(next()),
            Node::CheckedAbs(_) => Node::CheckedAbs(next()),
            Node::Round(_, decimals) => Node::Round(next(), *decimals),
            Node::FillNull(_, _) => Node::FillNull(next(), next()),
            Node::Compare(op, _, _) => Node::Compare(*op, next(), next()),
            Node::And(_, _) => Node::And(next(), next()),
            Node::Or(_, _) => Node::Or(next(), next()),
            Node::Not(_) => Node::Not(next()),
            Node::Negate(_) => Node::Negate(next()),
            Node::IsNull(_) => Node::IsNull(next()),
            Node::IsNotNull(_) => Node::IsNotNull(next()),
            Node::Cast(_, dtype, mode) => Node::Cast(next(), dtype.clone(), *mode),
            Node::When { .. } => Node::When { condition: next(), then: next(), otherwise: next() },
            Node::Part(part, _) => Node::Part(*part, next()),
            Node::Match(test, _, pattern) => Node::Match(*test, next(), pattern.clone()),
            Node::IsIn(_, members) => Node::IsIn(next(), members.clone()),
            Node::Aggregate(aggregation, _) => Node::Aggregate(*aggregation, next()),
            Node::Statistic(statistic, _) => Node::Statistic(statistic.clone(), children.collect()),
            Node::RowFunction(function, _) => Node::RowFunction(*function, children.collect()),
            Node::Function(function, _) => Node::Function(function.clone(), children.collect()),
            Node::Elementwise(function, _) => Node::Elementwise(function.clone(), children.collect()),
            Node::Over(_, _, null_keys) => Node::Over(next(), children.collect(), *null_keys),
            Node::Filter(..) => Node::Filter(next(), next()),
            Node::Alias(_, label) => Node::Alias(next(), label.clone()),
        })
    }
}

impl Node {
    /// Whether both are the same but for their operands.
    fn is_alike(&self, other: &Node) -> bool {
        match (self, other) {
            (Node::Column(a), Node::Column(b)) | (Node::Alias(_, a), Node::Alias(_, b)) => a == b,
            (Node::Literal(a), Node::Literal(b)) => a == b,
            (Node::Arithmetic(a, ..), Node::Arithmetic(b, ..))
            | (Node::Checked(a, ..), Node::Checked(b, ..)) => a == b,
            (Node::Compare(a, ..), Node::Compare(b, ..)) => a == b,
            (Node::Round(_, a), Node::Round(_, b)) => a == b,
            (Node::Cast(_, a, mode), Node::Cast(_, b, other)) => a == b && mode == other,
            (Node::Part(a, _), Node::Part(b, _)) => a == b,
            (Node::Match(a, _, text), Node::Match(b, _, other)) => a == b && text == other,
            (Node::IsIn(_, a), Node::IsIn(_, b)) => a == b,
            (Node::Elementwise(a, _), Node::Elementwise(b, _)) => a == b,
            (Node::Aggregate(a, _), Node::Aggregate(b, _)) => a == b,
            (Node::Statistic(a, _), Node::Statistic(b, _)) => a == b,
            (Node::RowFunction(a, _), Node::RowFunction(b, _)) => a == b,
            (Node::Over(.., a), Node::Over(.., b)) => a == b,
            (Node::Function(a, _), Node::Function(b, _)) => a == b,
            (Node::And(..), Node::And(..))
            | (Node::Or(..), Node::Or(..))
            | (Node::Not(_), Node::Not(_))
            | (Node::CheckedNegate(_), Node::CheckedNegate(_))
            | (Node::CheckedAbs(_), Node::CheckedAbs(_))
            | (Node::Negate(_), Node::Negate(_))
            | (Node::Abs(_), Node::Abs(_))
            | (Node::FillNull(..), Node::FillNull(..))
            | (Node::IsNull(_), Node::IsNull(_))
            | (Node::IsNotNull(_), Node::IsNotNull(_))
            | (Node::When { .. }, Node::When { .. })
            | (Node::Filter(..), Node::Filter(..))
            | (Node::Len, Node::Len) => true,
            _ => false,
        }
    }

    /// The operands.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match self {
            Node::Column(_) | Node::Literal(_) | Node::Len => vec![],
            Node::Arithmetic(_, a, b)
            | Node::Checked(_, a, b)
            | Node::Compare(_, a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Filter(a, b)
            | Node::FillNull(a, b) => vec![a, b],
            Node::Not(a)
            | Node::Negate(a)
            | Node::Abs(a)
            | Node::CheckedNegate(a)
            | Node::CheckedAbs(a)
            | Node::Round(a, _)
            | Node::IsNull(a)
            | Node::IsNotNull(a)
            | Node::Cast(a, ..)
            | Node::Part(_, a)
            | Node::Match(_, a, _)
            | Node::IsIn(a, _)
            | Node::Aggregate(_, a)
            | Node::Alias(a, _) => vec![a],
            Node::When { condition, then, otherwise } => vec![condition, then, otherwise],
            Node::Statistic(_, arguments)
            | Node::RowFunction(_, arguments)
            | Node::Function(_, arguments)
            | Node::Elementwise(_, arguments) => arguments.iter().collect(),
            Node::Over(function, keys, _) => std::iter::once(function).chain(keys).collect(),
        }
    }
}

/// The most levels of an expression that is evaluated: some steps take stack for each.
const MAX_LEVELS: u32 = 5000;
/// The same of one with aggregates or row functions.
const MAX_WINDOWED_LEVELS: u32 = 1000;
/// The most aggregates and row functions within each other: each evaluates what is in it.
const MAX_FUNCTIONS: u32 = 100;

/// Expressions of more levels are an ellipsis, as text takes stack for each.
const MAX_TEXT_LEVELS: u32 = 500;

/// What stands in place of a node that is dropped.
static NOTHING: LazyLock<Arc<Node>> = LazyLock::new(|| Arc::new(Node::Len));

/// Drops operands one after the other, so that a deep expression takes no deep stack.
impl Drop for Expr {
    fn drop(&mut self) {
        if Arc::strong_count(&self.0) > 1 || self.levels() < 100 {
            return;
        }
        let mut open = vec![std::mem::replace(&mut self.0, Arc::clone(&NOTHING))];
        while let Some(node) = open.pop() {
            if let Some(node) = Arc::into_inner(node) {
                // They are held here while their expressions are dropped.
                open.extend(node.children().into_iter().map(|operand| Arc::clone(&operand.0)));
            }
        }
    }
}

/// The most characters of the text of an expression: one that is used many times would be written as often.
const LONGEST_TEXT: usize = 1000;

/// Writes a number of characters at most.
struct Limited<'a, 'f> {
    to: &'a mut fmt::Formatter<'f>,
    left: usize,
    is_full: bool,
}

impl fmt::Write for Limited<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let Some((end, _)) = text.char_indices().nth(self.left) else {
            self.left -= text.chars().count();
            return self.to.write_str(text);
        };
        self.is_full = true;
        self.left = 0;
        self.to.write_str(&text[..end])?;
        // Ends the writing.
        Err(fmt::Error)
    }
}

/// The text of a node, with that of its operands.
struct NodeText<'a>(&'a Expr);

/// The expression as it is written. A text of more than a thousand characters ends with an ellipsis, and one of more than 500
/// levels is one.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.levels() > MAX_TEXT_LEVELS {
            return f.write_str("…");
        }
        let mut limited = Limited { to: f, left: LONGEST_TEXT, is_full: false };
        match write!(limited, "{}", NodeText(self)) {
            Err(_) if limited.is_full => f.write_str("…"),
            written => written,
        }
    }
}

impl fmt::Display for NodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.node() {
            Node::Column(label) => write!(f, "{label}"),
            Node::Literal(literal) => write!(f, "{literal}"),
            Node::Arithmetic(op, a, b) => write!(f, "({a} {} {b})", symbol(*op)),
            Node::Compare(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
            Node::And(a, b) => write!(f, "({a} & {b})"),
            Node::Or(a, b) => write!(f, "({a} | {b})"),
            Node::Not(a) => write!(f, "!{a}"),
            Node::Checked(op, a, b) => {
                let name = match op {
                    Arithmetic::Add => "checked_add",
                    Arithmetic::Subtract => "checked_sub",
                    Arithmetic::Multiply => "checked_mul",
                    Arithmetic::Divide => "checked_div",
                    Arithmetic::FloorDivide => "checked_floor_div",
                    Arithmetic::Modulo => "checked_rem",
                };
                write!(f, "{a}.{name}({b})")
            }
            Node::Negate(a) => write!(f, "-{a}"),
            Node::Abs(a) => write!(f, "{a}.abs()"),
            Node::CheckedNegate(a) => write!(f, "{a}.checked_neg()"),
            Node::CheckedAbs(a) => write!(f, "{a}.checked_abs()"),
            Node::Round(a, decimals) => write!(f, "{a}.round({decimals})"),
            Node::FillNull(a, value) => write!(f, "{a}.fill_null({value})"),
            Node::IsNull(a) => write!(f, "{a}.is_null()"),
            Node::IsNotNull(a) => write!(f, "{a}.is_not_null()"),
            Node::Cast(a, dtype, _) => write!(f, "{a}.cast({dtype})"),
            Node::When { condition, then, otherwise } => {
                write!(f, "when({condition}).then({then}).otherwise({otherwise})")
            }
            Node::Part(part, a) => write!(f, "{a}.dt().{}()", part.name()),
            Node::Match(test @ (Match::LikeEscape(escape) | Match::IlikeEscape(escape)), a, text) => {
                write!(f, "{a}.str().{}({text:?}, {escape:?})", test.name())
            }
            Node::Match(test, a, text) => write!(f, "{a}.str().{}({text:?})", test.name()),
            Node::IsIn(a, members) => write!(f, "{a}.is_in({members})"),
            Node::Aggregate(aggregate, a) => write!(f, "{a}.{}()", aggregate.name()),
            Node::Statistic(statistic, arguments) => statistic.fmt(arguments, f),
            Node::RowFunction(function, arguments) => function.fmt(arguments, f),
            Node::Function(function, arguments) => function.fmt(arguments, f),
            Node::Elementwise(function, arguments) => function.fmt(arguments, f),
            Node::Filter(a, condition) => write!(f, "{a}.filter({condition})"),
            Node::Over(function, keys, null_keys) => {
                write!(f, "{function}.over([")?;
                for (position, key) in keys.iter().enumerate() {
                    write!(f, "{}{key}", if position == 0 { "" } else { ", " })?;
                }
                f.write_str(match null_keys {
                    NullKeys::Drop => "])",
                    NullKeys::Group => "], dropna=false)",
                })
            }
            Node::Len => f.write_str("len()"),
            Node::Alias(a, label) => write!(f, "{a} as {label}"),
        }
    }
}
