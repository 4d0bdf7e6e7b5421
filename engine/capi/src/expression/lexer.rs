//! Tokens of a text.

use super::error::Problem;

/// The smallest parts of the grammar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or a keyword, as written.
    Word(String),
    /// A name in double quotes.
    Quoted(String),
    /// A constant in single quotes.
    String(String),
    Int(i128),
    Float(f64),
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: [&str; 18] =
    ["==", "!=", "<>", "<=", ">=", "//", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", ",", "."];

impl Token {
    /// The token for a message.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("{word:?}"),
            Token::Quoted(name) => format!("the name {name:?}"),
            Token::String(_) => "a string".to_owned(),
            Token::Int(_) | Token::Float(_) => "a number".to_owned(),
            Token::Symbol(symbol) => format!("{symbol:?}"),
            Token::End => "the end".to_owned(),
        }
    }

    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self, Token::Symbol(found) if *found == symbol)
    }
}

/// The tokens of a text, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The byte that the next token begins at or after.
    next: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, next: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.next..]
    }

    /// The character that a byte belongs to, from 1.
    pub(super) fn character(&self, byte: usize) -> usize {
        1 + self.text.bytes().take(byte).filter(|byte| byte & 0xC0 != 0x80).count()
    }

    /// The next token and the byte that it begins at; an error with the byte that is wrong.
    pub(super) fn token(&mut self) -> Result<(Token, usize), (Problem, usize)> {
        let blanks = self.rest().find(|c: char| !c.is_whitespace()).unwrap_or(self.rest().len());
        self.next += blanks;
        let start = self.next;
        let Some(first) = self.rest().chars().next() else { return Ok((Token::End, start)) };
        let token = match first {
            '\'' => Token::String(self.until('\'', "the ' that ends the string")?),
            '"' => Token::Quoted(self.until('"', "the \" that ends the name")?),
            '0'..='9' => self.number()?,
            '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number()?,
            first if is_start(first) => {
                let len = self.rest().find(|c| !is_start(c) && !is_digit(c));
                let word = &self.rest()[..len.unwrap_or(self.rest().len())];
                self.next += word.len();
                Token::Word(word.to_owned())
            }
            first => match SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol)) {
                Some(symbol) => {
                    self.next += symbol.len();
                    Token::Symbol(symbol)
                }
                None => return Err((expected("an expression", &format!("{first:?}")), start)),
            },
        };
        Ok((token, start))
    }

    /// What is in quotes; two of them are one.
    fn until(&mut self, quote: char, end: &'static str) -> Result<String, (Problem, usize)> {
        let mut inner = String::new();
        let mut rest = self.rest().char_indices().skip(1).peekable();
        while let Some((at, character)) = rest.next() {
            if character != quote {
                inner.push(character);
            } else if rest.next_if(|(_, next)| *next == quote).is_some() {
                inner.push(quote);
            } else {
                self.next += at + 1;
                return Ok(inner);
            }
        }
        Err((expected(end, "the end"), self.text.len()))
    }

    fn number(&mut self) -> Result<Token, (Problem, usize)> {
        let rest = self.rest();
        let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        let mut len = digits(0);
        // A point without digits begins a call of a method.
        let mut is_float = rest[len..].starts_with('.') && digits(len + 1) > 0;
        if is_float {
            len += 1 + digits(len + 1);
        }
        if rest[len..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[len + 1..].starts_with(['+', '-']));
            let exponent = digits(len + 1 + sign);
            if exponent > 0 {
                len += 1 + sign + exponent;
                is_float = true;
            }
        }
        let (text, after) = rest.split_at(len);
        if after.starts_with(is_start) {
            return Err((expected("an operator", "a letter after a number"), self.next + len));
        }
        let too_large = || (Problem::Number { text: text.to_owned() }, self.next);
        let token = if is_float {
            let value: f64 = text.parse().map_err(|_| too_large())?;
            if value.is_infinite() {
                return Err(too_large());
            }
            Token::Float(value)
        } else {
            Token::Int(text.parse().map_err(|_| too_large())?)
        };
        self.next += len;
        Ok(token)
    }
}

pub(super) fn expected(expected: &'static str, found: &str) -> Problem {
    Problem::Expected { expected, found: found.to_owned() }
}

/// Whether a name may begin so.
fn is_start(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn is_digit(character: char) -> bool {
    character.is_alphanumeric()
}
