//! Functions by name, and what they take.

mod aggregates;
mod constants;
mod elementwise;
mod nested;
mod strings;
mod times;
mod windows;

use columnade::expressions::Literal;
use columnade::internal::Node;
use columnade::{DType, Expr, Scalar};

use super::error::Problem;
use super::{Expression, Growth, ONE_NODE};

/// A function that makes an expression of others.
#[derive(Clone, Copy)]
pub(super) struct Function {
    /// With its namespace, as in `str.upper`.
    pub(super) name: &'static str,
    /// How many arguments it takes at least and at most.
    pub(super) arguments: (usize, usize),
    /// What it makes of so many arguments.
    growth: fn(usize) -> Growth,
    make: fn(&Call<'_>) -> Result<Expr, Problem>,
}

/// For functions that take any number of arguments.
const MANY: usize = usize::MAX;

const fn function(
    name: &'static str,
    arguments: (usize, usize),
    make: fn(&Call<'_>) -> Result<Expr, Problem>,
) -> Function {
    Function { name, arguments, growth: |_| ONE_NODE, make }
}

impl Function {
    fn takes(&self, arguments: usize) -> bool {
        (self.arguments.0..=self.arguments.1).contains(&arguments)
    }

    /// The same function, which is made of several nodes.
    const fn growing(self, growth: fn(usize) -> Growth) -> Self {
        Self { growth, ..self }
    }
}

/// All of them. A name without a namespace means the first that ends with it.
const TABLES: [&[Function]; 7] = [
    aggregates::FUNCTIONS,
    constants::FUNCTIONS,
    elementwise::FUNCTIONS,
    windows::FUNCTIONS,
    strings::FUNCTIONS,
    times::FUNCTIONS,
    nested::FUNCTIONS,
];

pub(super) fn all() -> impl Iterator<Item = &'static Function> {
    TABLES.into_iter().flatten()
}

/// The function of this name, or the first of this name in any namespace.
fn find(name: &str) -> Option<&'static Function> {
    let in_namespace =
        |function: &&Function| function.name.split_once('.').is_some_and(|(_, rest)| rest == name);
    all().find(|function| function.name == name).or_else(|| all().find(in_namespace))
}

/// Whether there is a function of this name that takes so many arguments.
pub(super) fn takes(name: &str, arguments: usize) -> bool {
    find(name).is_some_and(|function| function.takes(arguments))
}

/// Calls the function of this name.
pub(super) fn call(name: &str, arguments: &[Expression]) -> Result<Expression, Problem> {
    let function = find(name).ok_or_else(|| Problem::UnknownFunction { name: name.to_owned() })?;
    let (min, max) = function.arguments;
    if !function.takes(arguments.len()) {
        let expected = match (min, max) {
            (0, 0) => "no arguments".to_owned(),
            (1, 1) => "1 argument".to_owned(),
            (min, MANY) => format!("{min} arguments or more"),
            (min, max) if min == max => format!("{min} arguments"),
            (min, max) => format!("{min} to {max} arguments"),
        };
        return Err(Problem::ArgumentCount { function: function.name, expected, found: arguments.len() });
    }
    let call = Call { function: function.name, arguments };
    Expression::over(arguments, (function.growth)(arguments.len()), || (function.make)(&call))
}

/// A call, whose arguments are as many as the function takes.
struct Call<'a> {
    function: &'static str,
    arguments: &'a [Expression],
}

impl Call<'_> {
    /// The first argument.
    fn x(&self) -> Expr {
        self.arg(0)
    }

    fn arg(&self, at: usize) -> Expr {
        self.arguments.get(at).map_or_else(super::null, Expression::expr)
    }

    /// The arguments from one on.
    fn rest(&self, from: usize) -> Vec<Expr> {
        self.arguments.iter().skip(from).map(Expression::expr).collect()
    }

    fn has(&self, at: usize) -> bool {
        at < self.arguments.len()
    }

    fn wrong<T>(&self, at: usize, expected: &'static str) -> Result<T, Problem> {
        Err(Problem::Argument { function: self.function, position: at + 1, expected })
    }

    fn constant(&self, at: usize) -> Option<Literal> {
        match self.arguments.get(at)?.expr.node() {
            Node::Literal(literal) => Some(literal.clone()),
            _ => None,
        }
    }

    fn literal(&self, at: usize) -> Result<Literal, Problem> {
        self.constant(at).map_or_else(|| self.wrong(at, "a constant"), Ok)
    }

    fn string(&self, at: usize) -> Result<String, Problem> {
        match self.constant(at) {
            Some(Literal::String(text) | Literal::Scalar(Scalar::Utf8(text))) => Ok(text),
            _ => self.wrong(at, "a constant string"),
        }
    }

    fn int<T: TryFrom<i128>>(&self, at: usize) -> Result<T, Problem> {
        let value = match self.constant(at) {
            Some(Literal::Int(value)) => T::try_from(value).ok(),
            _ => None,
        };
        value.map_or_else(|| self.wrong(at, "a constant integer in range"), Ok)
    }

    /// An integer, or a default where there is no such argument.
    fn int_or<T: TryFrom<i128>>(&self, at: usize, default: T) -> Result<T, Problem> {
        if self.has(at) { self.int(at) } else { Ok(default) }
    }

    /// An integer where there is such an argument.
    fn optional_int<T: TryFrom<i128>>(&self, at: usize) -> Result<Option<T>, Problem> {
        if self.has(at) { self.int(at).map(Some) } else { Ok(None) }
    }

    /// The integers from one on.
    fn ints<T: TryFrom<i128>>(&self, from: usize) -> Result<Vec<T>, Problem> {
        (from..self.arguments.len()).map(|at| self.int(at)).collect()
    }

    fn number(&self, at: usize) -> Result<f64, Problem> {
        match self.constant(at) {
            Some(Literal::Float(value)) => Ok(value),
            #[expect(clippy::cast_precision_loss, reason = "the nearest float is meant")]
            Some(Literal::Int(value)) => Ok(value as f64),
            _ => self.wrong(at, "a constant number"),
        }
    }

    /// The numbers from one on.
    fn numbers(&self, from: usize) -> Result<Vec<f64>, Problem> {
        (from..self.arguments.len()).map(|at| self.number(at)).collect()
    }

    /// The constants from one on.
    fn literals(&self, from: usize) -> Result<Vec<Literal>, Problem> {
        (from..self.arguments.len()).map(|at| self.literal(at)).collect()
    }

    fn span(&self, at: usize) -> Result<Literal, Problem> {
        match self.constant(at) {
            Some(span @ Literal::Duration(_)) => Ok(span),
            _ => self.wrong(at, "a constant duration, as duration(1, 'd')"),
        }
    }

    fn flag_or(&self, at: usize, default: bool) -> Result<bool, Problem> {
        match self.constant(at) {
            _ if !self.has(at) => Ok(default),
            Some(Literal::Bool(value)) => Ok(value),
            _ => self.wrong(at, "true or false"),
        }
    }

    fn dtype(&self, at: usize) -> Result<DType, Problem> {
        Ok(self.string(at)?.parse::<DType>()?)
    }

    fn character(&self, at: usize) -> Result<char, Problem> {
        let text = self.string(at)?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => self.wrong(at, "a string of one character"),
        }
    }

    /// One of some words.
    fn word<T: Copy>(&self, at: usize, words: &[(&str, T)], expected: &'static str) -> Result<T, Problem> {
        let text = self.string(at)?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map_or_else(|| self.wrong(at, expected), |(_, value)| Ok(*value))
    }
}
