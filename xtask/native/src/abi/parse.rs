//! Text to [`Interface`]: a tokenizer and a recursive-descent parser for what stands inside `abi! { … }` and
//! `policy! { … }`.

use super::{Constant, Entry, Fault, Field, Interface, Policy, SCALARS, Struct, Type};

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(usize),
    Mark(char),
}

/// Parses every block of a file; a file without one has an empty interface.
pub(super) fn interface(source: &str) -> Result<Interface, Fault> {
    let mut interface = Interface::default();
    for mut parser in blocks(source, "abi! {")? {
        parser.block(&mut interface)?;
    }
    for mut parser in blocks(source, "policy! {")? {
        while !parser.take('}') {
            interface.policies.push(parser.policy()?);
        }
    }
    Ok(interface)
}

/// What stands in the blocks that begin with `opening`.
fn blocks(source: &str, opening: &str) -> Result<Vec<Parser>, Fault> {
    let mut blocks = Vec::new();
    for (start, _) in source.match_indices(opening) {
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        if !source[line_start..start].trim().is_empty() {
            continue; // in a comment or another macro's text
        }
        let line = source[..start].matches('\n').count() + 1;
        blocks.push(Parser { tokens: tokens(&source[start + opening.len()..], line)?, at: 0 });
    }
    Ok(blocks)
}

/// Tokens with their lines, up to the brace that closes the block; comments and attributes are left out.
fn tokens(body: &str, first_line: usize) -> Result<Vec<(Token, usize)>, Fault> {
    let mut tokens = Vec::new();
    let mut line = first_line;
    let mut depth = 1;
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("#[") {
            attribute_len(rest).ok_or_else(|| Fault::new(line, "an attribute that does not end"))?
        } else if c.is_alphabetic() || c == '_' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push((Token::Word(rest[..len].into()), line));
            len
        } else if c.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
            let number = rest[..len].replace('_', "").parse();
            tokens.push((Token::Number(number.map_err(|_| Fault::new(line, "a number too large"))?), line));
            len
        } else {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if !c.is_whitespace() {
                tokens.push((Token::Mark(c), line));
            }
            if depth == 0 {
                return Ok(tokens);
            }
            c.len_utf8()
        };
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    Err(Fault::new(first_line, "a block that does not end"))
}

/// Bytes of `#[…]`, brackets inside counted.
fn attribute_len(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return Some(at + 1),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
}

impl Parser {
    fn block(&mut self, interface: &mut Interface) -> Result<(), Fault> {
        loop {
            if self.take('}') {
                return Ok(());
            }
            self.visibility()?;
            let line = self.line();
            match self.word()?.as_str() {
                "struct" => interface.structs.push(self.structure(line)?),
                "entry" => interface.entries.push(self.entry()?),
                other => {
                    return Err(Fault::new(line, format!("expected `struct` or `entry`, found `{other}`")));
                }
            }
        }
    }

    fn structure(&mut self, line: usize) -> Result<Struct, Fault> {
        let name = self.word()?;
        self.expect('{')?;
        let mut fields = Vec::new();
        while !self.take('}') {
            self.visibility()?;
            let line = self.line();
            let name = self.word()?;
            self.expect(':')?;
            fields.push(Field { name, ty: self.ty()?, line });
            if !self.take(',') && self.peek() != Some(&Token::Mark('}')) {
                return Err(Fault::new(self.line(), "expected `,` after a field"));
            }
        }
        if fields.is_empty() {
            return Err(Fault::new(
                line,
                format!("struct {name} has no fields, which C++ sizes differently"),
            ));
        }
        Ok(Struct { name, fields, line })
    }

    /// `pub struct <name> { pub const <name>: <integer> = <number>; … }`
    fn policy(&mut self) -> Result<Policy, Fault> {
        self.visibility()?;
        let line = self.line();
        self.keyword("struct")?;
        let name = self.word()?;
        self.expect('{')?;
        let mut constants = Vec::new();
        while !self.take('}') {
            constants.push(self.constant()?);
        }
        if constants.is_empty() {
            return Err(Fault::new(line, format!("policy {name} has no constants")));
        }
        Ok(Policy { name, constants })
    }

    fn constant(&mut self) -> Result<Constant, Fault> {
        self.visibility()?;
        let line = self.line();
        self.keyword("const")?;
        let name = self.word()?;
        self.expect(':')?;
        let ty = self.word()?;
        if !SCALARS.iter().any(|scalar| scalar.0 == ty && !ty.starts_with('f')) {
            return Err(Fault::new(line, format!("{ty} is no integer")));
        }
        self.expect('=')?;
        let Some(Token::Number(value)) = self.next() else {
            return Err(Fault::new(line, format!("expected the value of {name} as a number")));
        };
        self.expect(';')?;
        Ok(Constant { name, ty, value })
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), Fault> {
        let line = self.line();
        let found = self.word()?;
        if found == keyword {
            return Ok(());
        }
        Err(Fault::new(line, format!("expected `{keyword}`, found `{found}`")))
    }

    fn entry(&mut self) -> Result<Entry, Fault> {
        let name = self.word()?;
        self.expect('(')?;
        let args = self.word()?;
        self.expect(')')?;
        self.expect(';')?;
        Ok(Entry { name, args })
    }

    fn ty(&mut self) -> Result<Type, Fault> {
        if self.take('*') {
            let line = self.line();
            let is_const = match self.word()?.as_str() {
                "const" => true,
                "mut" => false,
                other => return Err(Fault::new(line, format!("expected `const` or `mut`, found `{other}`"))),
            };
            return Ok(Type::Pointer { to: Box::new(self.ty()?), is_const });
        }
        if self.take('[') {
            let of = Box::new(self.ty()?);
            self.expect(';')?;
            let line = self.line();
            let Some(Token::Number(len)) = self.next() else {
                return Err(Fault::new(line, "expected the length of an array as a number"));
            };
            self.expect(']')?;
            return Ok(Type::Array { of, len });
        }
        self.word().map(Type::Named)
    }

    /// Skips `pub` and `pub(…)`.
    fn visibility(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(&Token::Word("pub".into())) {
            self.at += 1;
            if self.take('(') {
                self.word()?;
                self.expect(')')?;
            }
        }
        Ok(())
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn next(&mut self) -> Option<Token> {
        self.at += 1;
        self.tokens.get(self.at - 1).map(|(token, _)| token.clone())
    }

    /// The line of the next token, or of the last one at the end.
    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |(_, line)| *line)
    }

    fn take(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: char) -> Result<(), Fault> {
        let line = self.line();
        if self.take(mark) { Ok(()) } else { Err(Fault::new(line, format!("expected `{mark}`"))) }
    }

    fn word(&mut self) -> Result<String, Fault> {
        let line = self.line();
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            Some(Token::Number(number)) => Err(Fault::new(line, format!("expected a name, found {number}"))),
            Some(Token::Mark(mark)) => Err(Fault::new(line, format!("expected a name, found `{mark}`"))),
            None => Err(Fault::new(line, "expected a name, found the end of the block")),
        }
    }
}
