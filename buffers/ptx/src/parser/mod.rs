//! PTX text to a [`Module`].
//!
//! The parser accepts the forms that the machine executes and no others: an unknown instruction, modifier,
//! operand or directive is an error that names its line.

mod body;
mod form;
mod instruction;
mod lexer;
mod memory;
mod operands;
#[cfg(test)]
mod tests;

use crate::flow;
use crate::program::{CallSite, Constant, Function, Global, Inst, Module, NONE, Op, Param, Type};
use body::{Body, Symbol};
use lexer::{Token, lex, number};
use std::collections::HashMap;
use std::fmt;

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParseError {
    line: u32,
    what: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PTX line {}: {}", self.line, self.what)
    }
}

/// What went wrong in the current line.
type Result<T> = std::result::Result<T, String>;

/// Decodes a PTX text.
pub(crate) fn parse(text: &str) -> std::result::Result<Module, ParseError> {
    let mut parser = Parser {
        tokens: lex(text),
        at: 0,
        module: Module::default(),
        forms: HashMap::new(),
        symbols: HashMap::new(),
        location: NONE,
    };
    parser.file().map_err(|what| ParseError { line: parser.line(), what })?;
    let mut module = parser.module;
    for CallSite { callee, function, args, results } in &mut module.calls {
        let error = |what| ParseError { line: 0, what };
        *function = *module.by_name.get(callee).ok_or_else(|| error(format!("no function {callee}")))?;
        let params = module.functions[*function].param_slots.len();
        if params != args.len() {
            return Err(error(format!("{callee} takes {params} parameters, not {}", args.len())));
        }
        let given = module.functions[*function].result_slots.len();
        if !results.is_empty() && given != results.len() {
            return Err(error(format!("{callee} has {given} results, not {}", results.len())));
        }
    }
    Ok(module)
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    module: Module,
    /// Numbers of the module's forms.
    forms: HashMap<&'a str, u32>,
    /// Variables of the module.
    symbols: HashMap<&'a str, Symbol>,
    /// The last `.loc`.
    location: u32,
}

/// A declared variable or parameter.
struct Declaration<'a> {
    name: &'a str,
    element: usize,
    /// None for `[]`.
    size: Option<usize>,
    align: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| token.text)
    }

    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.tokens.get(self.at - 1).map_or("", |token| token.text)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at.min(self.tokens.len().saturating_sub(1))).map_or(0, |token| token.line)
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(format!("{token} expected, not {:?}", self.peek())) }
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Result<T> {
        let token = self.next();
        number(token).and_then(|value| value.try_into().ok()).ok_or_else(|| format!("{token:?} is no number"))
    }

    fn form(&mut self, opcode: &'a str) -> u32 {
        let count = self.forms.len() as u32;
        *self.forms.entry(opcode).or_insert_with(|| {
            self.module.forms.push(opcode.to_owned());
            count
        })
    }

    fn file(&mut self) -> Result<()> {
        while self.at < self.tokens.len() {
            match self.next() {
                ".version" | ".address_size" => {
                    self.next();
                }
                ".target" => {
                    self.next();
                    while self.accept(",") {
                        self.next();
                    }
                }
                ".file" => {
                    let number = self.number()?;
                    let name = self.next().trim_matches('"').to_owned();
                    self.module.files.insert(number, name);
                    while self.accept(",") {
                        self.next();
                    }
                }
                ".section" => self.skip_section()?,
                ".visible" | ".weak" | ".extern" | ".common" => {}
                ".global" | ".const" => self.global()?,
                ".shared" => {
                    let variable = self.variable()?;
                    let symbol = match variable.size {
                        None => Symbol::Address(Constant::DynamicShared),
                        Some(size) => Symbol::Shared { size, align: variable.align },
                    };
                    self.expect(";")?;
                    self.symbols.insert(variable.name, symbol);
                }
                ".entry" => self.function(true)?,
                ".func" => self.function(false)?,
                other => {
                    self.at -= 1;
                    return Err(format!("unknown directive {other}"));
                }
            }
        }
        Ok(())
    }

    /// Debug information that is not read.
    fn skip_section(&mut self) -> Result<()> {
        self.next();
        self.expect("{")?;
        while !self.accept("}") {
            if self.next().is_empty() {
                return Err("the text ends within a section".into());
            }
        }
        Ok(())
    }

    /// A variable in global memory, with its first values.
    fn global(&mut self) -> Result<()> {
        let Declaration { name, element, size, .. } = self.variable()?;
        let size = size.ok_or_else(|| format!("the size of {name} is unknown"))?;
        let mut bytes = Vec::new();
        if self.accept("=") {
            let is_list = self.accept("{");
            loop {
                let value: u64 = self.number()?;
                bytes.extend_from_slice(&value.to_le_bytes()[..element]);
                if !self.accept(",") {
                    break;
                }
            }
            if is_list {
                self.expect("}")?;
            }
        }
        self.expect(";")?;
        if bytes.len() > size {
            return Err(format!("{name} has {size} bytes and values of {}", bytes.len()));
        }
        self.symbols.insert(name, Symbol::Address(Constant::Global(self.module.globals.len())));
        self.module.globals.push(Global { size, bytes });
        Ok(())
    }

    /// `.align 8 .b8 name[24]`, after the state space.
    fn variable(&mut self) -> Result<Declaration<'a>> {
        let (mut align, mut element) = (1, None);
        loop {
            match self.next() {
                ".align" => align = self.number()?,
                // Attributes of a pointer parameter, which say what the pointer is for.
                ".ptr" | ".global" | ".const" | ".shared" | ".local" => {}
                token if token.starts_with('.') => {
                    let ty = Type::named(&token[1..]).ok_or_else(|| format!("unknown type {token}"))?;
                    element = Some(ty.bytes());
                }
                name => {
                    let element = element.ok_or_else(|| format!("{name} has no type"))?;
                    let mut size = Some(element);
                    while self.accept("[") {
                        if self.accept("]") {
                            size = None;
                            continue;
                        }
                        let count: usize = self.number()?;
                        size = size.map(|size| size * count);
                        self.expect("]")?;
                    }
                    return Ok(Declaration { name, element, size, align: align.max(element) });
                }
            }
        }
    }

    fn parameters(&mut self) -> Result<Vec<Declaration<'a>>> {
        let mut all = Vec::new();
        if !self.accept("(") {
            return Ok(all);
        }
        while !self.accept(")") {
            self.expect(".param")?;
            all.push(self.variable()?);
            self.accept(",");
        }
        Ok(all)
    }

    /// The rest of a function's head; whether a body follows.
    fn attributes(&mut self, max_threads: &mut usize) -> Result<bool> {
        loop {
            match self.next() {
                ";" => return Ok(false),
                "{" => return Ok(true),
                ".maxntid" | ".reqntid" => {
                    *max_threads = self.number()?;
                    while self.accept(",") {
                        *max_threads *= self.number::<usize>()?;
                    }
                }
                ".minnctapersm" | ".maxnctapersm" | ".maxnreg" => {
                    self.next();
                }
                ".noreturn" => {}
                other => return Err(format!("unknown attribute {other} of a function")),
            }
        }
    }

    fn function(&mut self, is_kernel: bool) -> Result<()> {
        let results = self.parameters()?;
        let name = self.next().to_owned();
        let declared = self.parameters()?;
        let mut max_threads = 1024;
        if !self.attributes(&mut max_threads)? {
            return Ok(());
        }
        let mut body = Body::new(is_kernel);
        let (mut params, mut param_slots, mut size) = (Vec::new(), Vec::new(), 0usize);
        for Declaration { name, size: bytes, align, .. } in declared {
            let bytes = bytes.ok_or_else(|| format!("the size of {name} is unknown"))?;
            size = size.next_multiple_of(align);
            if is_kernel {
                body.declare(name, Symbol::Address(Constant::Value(size as u64)));
            } else {
                param_slots.extend(body.param_slots(name, bytes)?);
            }
            params.push(Param { offset: size, size: bytes });
            size += bytes;
        }
        let result_slots = match results.as_slice() {
            [] => Vec::new(),
            [one] => body.param_slots(one.name, one.size.unwrap_or(usize::MAX))?.collect(),
            _ => return Err(format!("{name} has several results")),
        };
        let entry = self.module.code.len() as u32;
        self.location = NONE;
        self.body(&mut body)?;
        let end = self.module.code.len() as u32;
        body.resolve_jumps(&mut self.module.code)?;
        let mut function = Function {
            name: name.clone(),
            is_kernel,
            entry,
            end,
            slots: body.slots() as usize,
            constants: body.take_constants(),
            params,
            param_slots,
            result_slots,
            shared: body.shared,
            local: body.local,
            max_threads,
        };
        let code: &mut [Inst] = &mut self.module.code[entry as usize..end as usize];
        if !code.last().is_some_and(|last| last.guard == NONE && ends_path(last.op)) {
            return Err(format!("{name} does not end"));
        }
        flow::find_meetings(code, entry);
        flow::share_slots(code, &mut function, &mut self.module.calls);
        self.module.by_name.insert(name, self.module.functions.len());
        self.module.functions.push(function);
        Ok(())
    }
}

/// Whether the instruction after this one is not reached from it.
fn ends_path(op: Op) -> bool {
    matches!(op, Op::Exit | Op::Return | Op::Branch { .. } | Op::Trap)
}
