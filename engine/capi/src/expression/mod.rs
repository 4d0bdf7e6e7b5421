//! Expressions: handles, constants, operators, and the functions that make them.
//!
//! | file | what it is |
//! | --- | --- |
//! | `error.rs` | what can be wrong with an expression |
//! | `functions/` | functions by name, for calls from C and from text |
//! | `lexer.rs`, `parser.rs` | expressions of text |

mod error;
mod functions;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;

use std::ffi::{c_char, c_int};

use columnade::expressions::Literal;
use columnade::{DType, Expr, Scalar, col, lit, when};

use crate::argument::Pointers;
use crate::entry::{destroy, entry};
use crate::error::{Failure, Result};
use crate::options::choice;
use crate::place::Place;

pub(crate) use error::Problem;

/// Levels of an expression: its evaluation takes stack for each.
const MAX_LEVELS: usize = 200;
/// Nodes of an expression, counted as often as they occur: its evaluation visits each.
const MAX_NODES: usize = 100_000;

/// What C calls an expression: one that is small enough to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    expr: Expr,
    levels: usize,
    nodes: usize,
}

/// What an operator or a function makes of its operands.
#[derive(Clone, Copy, Debug)]
struct Growth {
    /// Levels above the operands.
    levels: usize,
    /// How often each operand occurs.
    copies: usize,
    /// How often the first operand occurs besides.
    of_first: usize,
}

/// One node over its operands.
const ONE_NODE: Growth = Growth::of_each(1, 1);

impl Growth {
    /// With every operand as often.
    const fn of_each(levels: usize, copies: usize) -> Self {
        Self { levels, copies, of_first: 0 }
    }
}

impl Expression {
    pub(crate) fn expr(&self) -> Expr {
        self.expr.clone()
    }

    /// A column or a constant.
    fn leaf(expr: Expr) -> Self {
        Self { expr, levels: 1, nodes: 1 }
    }

    /// What is made of operands, if it is not too large.
    fn over<'a>(
        operands: impl IntoIterator<Item = &'a Expression>,
        growth: Growth,
        make: impl FnOnce() -> Result<Expr, Problem>,
    ) -> Result<Self, Problem> {
        let (mut levels, mut nodes) = (0, 0_usize);
        for (position, operand) in operands.into_iter().enumerate() {
            levels = operand.levels.max(levels);
            let copies = if position == 0 { growth.copies + growth.of_first } else { growth.copies };
            nodes = nodes.saturating_add(operand.nodes.saturating_mul(copies));
        }
        let levels = levels.saturating_add(growth.levels);
        let nodes = nodes.saturating_add(growth.levels);
        if levels > MAX_LEVELS {
            return Err(Problem::TooDeep { max: MAX_LEVELS });
        }
        if nodes > MAX_NODES {
            return Err(Problem::TooLarge { max: MAX_NODES });
        }
        Ok(Self { expr: make()?, levels, nodes })
    }

    fn unary(self, make: impl FnOnce(Expr) -> Expr) -> Result<Self, Problem> {
        Self::over([&self], ONE_NODE, || Ok(make(self.expr())))
    }

    fn binary(operator: Binary, left: &Self, right: &Self) -> Result<Self, Problem> {
        Self::over([left, right], ONE_NODE, || Ok(operator.apply(left.expr(), right.expr())))
    }

    /// Conditions that are all or in part true. Many make a tree of few levels.
    fn joined(operator: Binary, mut operands: Vec<Self>) -> Result<Self, Problem> {
        while operands.len() > 1 {
            let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(first) = rest.next() {
                pairs.push(match rest.next() {
                    Some(second) => Self::binary(operator, &first, &second)?,
                    None => first,
                });
            }
            operands = pairs;
        }
        operands.pop().ok_or(Problem::Expected { expected: "an operand", found: "nothing".to_owned() })
    }

    /// `branches` are conditions and values; rows that meet none have the last value.
    fn choice(branches: &[(Self, Self)], otherwise: &Self) -> Result<Self, Problem> {
        branches.iter().rev().try_fold(otherwise.clone(), |rest, (condition, value)| {
            Self::over([condition, value, &rest], ONE_NODE, || {
                Ok(when(condition.expr()).then(value.expr()).otherwise(rest.expr()))
            })
        })
    }

    /// A call of a function by its name.
    fn call(name: &str, arguments: &[Self]) -> Result<Self, Problem> {
        functions::call(name, arguments)
    }
}

/// The constant of a dtype that a text writes.
fn constant(dtype: &DType, text: &str) -> Result<Expr, Problem> {
    Ok(lit(Scalar::parse(dtype, text)?))
}

fn null() -> Expr {
    lit(Literal::Null)
}

/// An operator between two operands, in the order of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl Binary {
    const ALL: [Self; 14] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::FloorDivide,
        Binary::Modulo,
        Binary::Eq,
        Binary::Ne,
        Binary::Lt,
        Binary::Le,
        Binary::Gt,
        Binary::Ge,
        Binary::And,
        Binary::Or,
    ];

    fn apply(self, left: Expr, right: Expr) -> Expr {
        match self {
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            Binary::Divide => left / right,
            Binary::FloorDivide => left.floor_div(right),
            Binary::Modulo => left % right,
            Binary::Eq => left.eq(right),
            Binary::Ne => left.ne(right),
            Binary::Lt => left.lt(right),
            Binary::Le => left.le(right),
            Binary::Gt => left.gt(right),
            Binary::Ge => left.ge(right),
            Binary::And => left.and(right),
            Binary::Or => left.or(right),
        }
    }
}

/// An operator before its operand, in the order of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unary {
    Negate,
    Not,
    IsNull,
    IsNotNull,
}

impl Unary {
    const ALL: [Self; 4] = [Unary::Negate, Unary::Not, Unary::IsNull, Unary::IsNotNull];

    fn apply(self, operand: Expr) -> Expr {
        match self {
            Unary::Negate => -operand,
            Unary::Not => !operand,
            Unary::IsNull => operand.is_null(),
            Unary::IsNotNull => operand.is_not_null(),
        }
    }
}

/// The operands of a call.
fn operands(arguments: &[&Expression]) -> Vec<Expression> {
    arguments.iter().map(|&argument| argument.clone()).collect()
}

entry! {
    fn columnade_expr_parse(text: &str, expr: Place<*mut Expression>) {
        expr.put_handle(parser::parse(text)?);
    }

    fn columnade_expr_clone(expr: &Expression, clone: Place<*mut Expression>) {
        clone.put_handle(expr.clone());
    }

    fn columnade_expr_to_text(expr: &Expression, text: Place<*mut c_char>) {
        text.put_text(&expr.expr);
    }

    fn columnade_expr_label(expr: &Expression, label: Place<*mut c_char>) {
        label.put_name(&expr.expr.label())?;
    }

    fn columnade_expr_column(name: &str, expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(col(name)));
    }

    fn columnade_expr_null(expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(null()));
    }

    fn columnade_expr_bool(value: c_int, expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(lit(value != 0)));
    }

    fn columnade_expr_int64(value: i64, expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(lit(value)));
    }

    fn columnade_expr_uint64(value: u64, expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(lit(value)));
    }

    fn columnade_expr_float64(value: f64, expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(lit(value)));
    }

    fn columnade_expr_string(value: &str, expr: Place<*mut Expression>) {
        expr.put_handle(Expression::leaf(lit(value)));
    }

    fn columnade_expr_literal(dtype: &str, value: &str, expr: Place<*mut Expression>) {
        let dtype: DType = dtype.parse()?;
        expr.put_handle(Expression::leaf(constant(&dtype, value)?));
    }

    fn columnade_expr_unary(operation: i32, operand: &Expression, expr: Place<*mut Expression>) {
        let operator = choice("operation", operation, &Unary::ALL)?;
        expr.put_handle(operand.clone().unary(|operand| operator.apply(operand))?);
    }

    fn columnade_expr_binary(
        operation: i32,
        left: &Expression,
        right: &Expression,
        expr: Place<*mut Expression>,
    ) {
        expr.put_handle(Expression::binary(choice("operation", operation, &Binary::ALL)?, left, right)?);
    }

    fn columnade_expr_when(
        conditions: Pointers<Expression>,
        values: Pointers<Expression>,
        count: usize,
        otherwise: Option<&Expression>,
        expr: Place<*mut Expression>,
    ) {
        // SAFETY: the caller's promise.
        let (conditions, values) = unsafe { (conditions.read(count)?, values.read(count)?) };
        if count == 0 {
            return Err(Failure::argument("count", "is 0: a choice has a condition"));
        }
        let branches: Vec<_> = operands(&conditions).into_iter().zip(operands(&values)).collect();
        let otherwise = otherwise.cloned().unwrap_or_else(|| Expression::leaf(null()));
        expr.put_handle(Expression::choice(&branches, &otherwise)?);
    }

    fn columnade_expr_cast(operand: &Expression, dtype: &str, expr: Place<*mut Expression>) {
        let dtype: DType = dtype.parse()?;
        expr.put_handle(operand.clone().unary(|operand| operand.cast(dtype))?);
    }

    fn columnade_expr_alias(operand: &Expression, label: &str, expr: Place<*mut Expression>) {
        expr.put_handle(operand.clone().unary(|operand| operand.alias(label))?);
    }

    fn columnade_expr_call(
        function: &str,
        arguments: Pointers<Expression>,
        count: usize,
        expr: Place<*mut Expression>,
    ) {
        // SAFETY: the caller's promise.
        let arguments: Vec<&Expression> = unsafe { arguments.read(count) }?;
        expr.put_handle(Expression::call(function, &operands(&arguments))?);
    }
}

destroy! {
    columnade_expr_destroy(expr: Expression);
}
