//! Expressions of text, by recursive descent: so few rules need no crate, and depths and positions are ours to check.
//! Operators by precedence, those that bind loosest first:
//!
//! ```text
//! text       = expression [ "as" name ]
//! expression = expression "or" expression | expression "and" expression | "not" expression
//!            | sum [ ( "=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=" ) sum
//!                  | "is" [ "not" ] "null" | [ "not" ] "in" "(" arguments ")"
//!                  | [ "not" ] "between" sum "and" sum | [ "not" ] "like" string ]
//! sum        = sum ( "+" | "-" ) product | product
//! product    = product ( "*" | "/" | "//" | "%" ) factor | factor
//! factor     = "-" factor | operand { "." [ namespace "." ] name "(" [ arguments ] ")" }
//! operand    = number | string | "true" | "false" | "null" | name | "(" expression ")"
//!            | [ namespace "." ] name "(" [ arguments ] ")" | "between" "(" arguments ")"
//!            | "case" { "when" expression "then" expression } [ "else" expression ] "end"
//! ```

use columnade::{col, lit};

use super::error::Problem;
use super::functions::takes;
use super::lexer::{Lexer, Token, expected};
use super::{Binary, Expression, null};
use crate::error::Failure;

/// Levels of parentheses, calls and signs in a text: reading it takes stack for each.
const MAX_NESTING: usize = 64;

/// Words that are no names unless they are quoted.
const KEYWORDS: [&str; 16] = [
    "and", "as", "between", "case", "else", "end", "false", "in", "is", "like", "not", "null", "or", "then",
    "true", "when",
];

/// Functions whose names are written with a namespace.
const NAMESPACES: [&str; 5] = ["str", "dt", "list", "cat", "struct"];

type Parsed<T = Expression> = Result<T, (Problem, usize)>;

/// The expression that a text writes.
pub(super) fn parse(text: &str) -> Result<Expression, Failure> {
    let lexer = Lexer::new(text);
    parsed(lexer.clone())
        .map_err(|(problem, byte)| Failure::Syntax { character: lexer.character(byte), problem })
}

fn parsed(mut lexer: Lexer<'_>) -> Parsed {
    let (token, at) = lexer.token()?;
    let mut parser = Parser { lexer, token, at, nesting: 0 };
    let mut expression = parser.expression()?;
    if parser.keyword("as")? {
        let (at, label) = (parser.at, parser.name()?);
        expression = expression.unary(|operand| operand.alias(label)).map_err(|problem| (problem, at))?;
    }
    match parser.token {
        Token::End => Ok(expression),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token that is read next, and the byte that it begins at.
    token: Token,
    at: usize,
    nesting: usize,
}

/// An operator between two values, and how tight it binds.
fn operator(token: &Token) -> Option<(Binary, u8)> {
    let Token::Symbol(symbol) = token else { return None };
    Some(match *symbol {
        "+" => (Binary::Add, 1),
        "-" => (Binary::Subtract, 1),
        "*" => (Binary::Multiply, 2),
        "/" => (Binary::Divide, 2),
        "//" => (Binary::FloorDivide, 2),
        "%" => (Binary::Modulo, 2),
        _ => return None,
    })
}

fn comparison(token: &Token) -> Option<Binary> {
    let Token::Symbol(symbol) = token else { return None };
    Some(match *symbol {
        "=" | "==" => Binary::Eq,
        "!=" | "<>" => Binary::Ne,
        "<" => Binary::Lt,
        "<=" => Binary::Le,
        ">" => Binary::Gt,
        ">=" => Binary::Ge,
        _ => return None,
    })
}

impl Parser<'_> {
    fn advance(&mut self) -> Parsed<Token> {
        let (token, at) = self.lexer.token()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn unexpected(&self, what: &'static str) -> (Problem, usize) {
        (expected(what, &self.token.describe()), self.at)
    }

    /// Whether the next token is this keyword, which is then read.
    fn keyword(&mut self, keyword: &str) -> Parsed<bool> {
        let found = self.token.is_keyword(keyword);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn symbol(&mut self, symbol: &str) -> Parsed<bool> {
        let found = self.token.is_symbol(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Reads a keyword or a symbol that must be there.
    fn require(&mut self, what: &'static str) -> Parsed<()> {
        if self.token.is_keyword(what) || self.token.is_symbol(what) {
            self.advance().map(|_| ())
        } else {
            Err(self.unexpected(what))
        }
    }

    fn name(&mut self) -> Parsed<String> {
        let is_name = match &self.token {
            Token::Word(word) => !is_keyword(word),
            token => matches!(token, Token::Quoted(_)),
        };
        if !is_name {
            return Err(self.unexpected("a name"));
        }
        match self.advance()? {
            Token::Word(name) | Token::Quoted(name) => Ok(name),
            _ => Err(self.unexpected("a name")),
        }
    }

    /// The name after a point, which may be a keyword.
    fn method(&mut self) -> Parsed<String> {
        match &self.token {
            Token::Word(_) => match self.advance()? {
                Token::Word(name) => Ok(name),
                _ => Err(self.unexpected("a name")),
            },
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Reads what is nested one level deeper.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.nesting == MAX_NESTING {
            return Err((Problem::TooDeep { max: MAX_NESTING }, self.at));
        }
        self.nesting += 1;
        let read = read(self);
        self.nesting -= 1;
        read
    }

    fn expression(&mut self) -> Parsed {
        let at = self.at;
        let mut either = Vec::new();
        loop {
            let mut all = vec![self.condition()?];
            while self.keyword("and")? {
                all.push(self.condition()?);
            }
            either.push(Expression::joined(Binary::And, all).map_err(|problem| (problem, at))?);
            if !self.keyword("or")? {
                return Expression::joined(Binary::Or, either).map_err(|problem| (problem, at));
            }
        }
    }

    fn condition(&mut self) -> Parsed {
        let at = self.at;
        if self.keyword("not")? {
            let negated = self.nested(Self::condition)?;
            return negated.unary(|operand| !operand).map_err(|problem| (problem, at));
        }
        let left = self.value(0)?;
        self.compared(left, at)
    }

    /// What a value is compared with, if with anything.
    fn compared(&mut self, left: Expression, at: usize) -> Parsed {
        let here = |problem| (problem, at);
        if let Some(operator) = comparison(&self.token) {
            self.advance()?;
            let right = self.value(0)?;
            if comparison(&self.token).is_some() {
                return Err(self.unexpected("and between comparisons"));
            }
            return Expression::binary(operator, &left, &right).map_err(here);
        }
        if self.keyword("is")? {
            let is_not = self.keyword("not")?;
            self.require("null")?;
            return left.unary(|x| if is_not { x.is_not_null() } else { x.is_null() }).map_err(here);
        }
        let is_negated = self.keyword("not")?;
        let made = if self.keyword("in")? {
            self.require("(")?;
            let mut arguments = vec![left];
            self.arguments(&mut arguments)?;
            Expression::call("is_in", &arguments)
        } else if self.keyword("between")? {
            let low = self.value(0)?;
            self.require("and")?;
            let high = self.value(0)?;
            Expression::call("between", &[left, low, high])
        } else if self.keyword("like")? {
            let mut arguments = vec![left, self.value(0)?];
            if self.keyword("escape")? {
                arguments.push(self.value(0)?);
            }
            let function = if is_negated { "str.not_like" } else { "str.like" };
            return Expression::call(function, &arguments).map_err(here);
        } else if is_negated {
            return Err(self.unexpected("in, between or like"));
        } else {
            return Ok(left);
        };
        let made = made.map_err(here)?;
        if is_negated { made.unary(|operand| !operand).map_err(here) } else { Ok(made) }
    }

    /// Operands and operators between them that bind tighter than `loosest`.
    fn value(&mut self, loosest: u8) -> Parsed {
        let mut left = self.factor()?;
        while let Some((operator, precedence)) = operator(&self.token)
            && precedence > loosest
        {
            let at = self.at;
            self.advance()?;
            let right = self.value(precedence)?;
            left = Expression::binary(operator, &left, &right).map_err(|problem| (problem, at))?;
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed {
        let at = self.at;
        if !self.symbol("-")? {
            let operand = self.operand()?;
            return self.methods(operand);
        }
        // A sign before a number is the number's, unless a method is called on it.
        let negative = match self.token {
            Token::Int(value) => Some(lit(-value)),
            Token::Float(value) => Some(lit(-value)),
            _ => None,
        };
        if let Some(negative) = negative {
            let number = self.operand()?;
            if !self.token.is_symbol(".") {
                return Ok(Expression::leaf(negative));
            }
            let called = self.methods(number)?;
            return called.unary(|operand| -operand).map_err(|problem| (problem, at));
        }
        let operand = self.nested(Self::factor)?;
        operand.unary(|operand| -operand).map_err(|problem| (problem, at))
    }

    /// Calls after a point.
    fn methods(&mut self, mut receiver: Expression) -> Parsed {
        while self.symbol(".")? {
            let (at, function) = (self.at, self.called()?);
            let mut arguments = vec![receiver];
            if !self.symbol(")")? {
                self.arguments(&mut arguments)?;
            }
            receiver = Expression::call(&function, &arguments).map_err(|problem| (problem, at))?;
        }
        Ok(receiver)
    }

    /// Expressions up to the parenthesis that ends them, at least one.
    fn arguments(&mut self, arguments: &mut Vec<Expression>) -> Parsed<()> {
        loop {
            arguments.push(self.nested(Self::expression)?);
            if self.symbol(")")? {
                return Ok(());
            }
            if !self.symbol(",")? {
                return Err(self.unexpected("a comma or )"));
            }
        }
    }

    fn operand(&mut self) -> Parsed {
        if self.token.is_keyword("case") {
            self.advance()?;
            return self.case();
        }
        if self.token.is_keyword("between") {
            return self.between();
        }
        if let Token::Word(word) = &self.token {
            let constant = match word.to_ascii_lowercase().as_str() {
                "true" => Some(lit(true)),
                "false" => Some(lit(false)),
                "null" => Some(null()),
                _ => None,
            };
            if let Some(constant) = constant {
                self.advance()?;
                return Ok(Expression::leaf(constant));
            }
            if !is_keyword(word) {
                return self.column_or_call();
            }
        }
        let constant = match &self.token {
            Token::Int(value) => lit(*value),
            Token::Float(value) => lit(*value),
            Token::String(value) => lit(value.as_str()),
            Token::Quoted(name) => col(name.as_str()),
            Token::Symbol("(") => {
                self.advance()?;
                let inner = self.nested(Self::expression)?;
                if !self.symbol(")")? {
                    return Err(self.unexpected("an operator or )"));
                }
                return Ok(inner);
            }
            Token::Word(_) | Token::Symbol(_) | Token::End => return Err(self.unexpected("an expression")),
        };
        self.advance()?;
        Ok(Expression::leaf(constant))
    }

    /// A word that is no keyword: a column, or a function if a parenthesis follows.
    fn column_or_call(&mut self) -> Parsed {
        let (at, name) = (self.at, self.name()?);
        if self.token.is_symbol(".") && NAMESPACES.contains(&name.as_str()) {
            return self.call_of_namespace(&name);
        }
        if !self.symbol("(")? {
            return Ok(Expression::leaf(col(name)));
        }
        let mut arguments = Vec::new();
        if !self.symbol(")")? {
            self.arguments(&mut arguments)?;
        }
        Expression::call(&name, &arguments).map_err(|problem| (problem, at))
    }

    /// The call of a function by its whole name, `str.upper(x)`, or of a method of a column that is called as a namespace,
    /// `str.upper()`: what takes as many arguments, the function if both do.
    fn call_of_namespace(&mut self, namespace: &str) -> Parsed {
        self.require(".")?;
        let (at, method) = (self.at, self.called()?);
        let column = Expression::leaf(col(namespace));
        let mut arguments = vec![column];
        if !self.symbol(")")? {
            self.arguments(&mut arguments)?;
        }
        let function = format!("{namespace}.{method}");
        let is_function = takes(&function, arguments.len() - 1);
        let called = if is_function {
            Expression::call(&function, &arguments[1..])
        } else {
            Expression::call(&method, &arguments)
        };
        called.map_err(|problem| (problem, at))
    }

    /// The name of a function after a point, and the parenthesis of its arguments.
    fn called(&mut self) -> Parsed<String> {
        let mut function = self.method()?;
        if self.token.is_symbol(".") && NAMESPACES.contains(&function.as_str()) {
            self.advance()?;
            function = format!("{function}.{}", self.method()?);
        }
        self.require("(")?;
        Ok(function)
    }

    /// The function, as no operand is before the word. Not in `operand`, whose frame is on the stack for each level.
    fn between(&mut self) -> Parsed {
        let at = self.at;
        self.advance()?;
        self.require("(")?;
        let mut arguments = Vec::new();
        self.arguments(&mut arguments)?;
        Expression::call("between", &arguments).map_err(|problem| (problem, at))
    }

    fn case(&mut self) -> Parsed {
        let at = self.at;
        let mut branches = Vec::new();
        while self.keyword("when")? {
            let condition = self.nested(Self::expression)?;
            self.require("then")?;
            branches.push((condition, self.nested(Self::expression)?));
        }
        if branches.is_empty() {
            return Err(self.unexpected("when"));
        }
        let otherwise =
            if self.keyword("else")? { self.nested(Self::expression)? } else { Expression::leaf(null()) };
        self.require("end")?;
        Expression::choice(&branches, &otherwise).map_err(|problem| (problem, at))
    }
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}
