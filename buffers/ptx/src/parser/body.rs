//! The body of a function: scopes, registers, labels and directives.

use super::{Declaration, Parser, Result};
use crate::program::{Constant, Inst, Location, NONE, Op, Type};
use std::collections::HashMap;
use std::ops::Range;

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Register {
        slot: u32,
        bits: u8,
    },
    /// A variable; the constant is its address in its space.
    Address(Constant),
    /// A shared variable of the module: it gets an address in each kernel that names it.
    Shared {
        size: usize,
        align: usize,
    },
}

/// A function that is being parsed.
pub(super) struct Body<'a> {
    scopes: Vec<HashMap<String, Symbol>>,
    slots: u32,
    constants: HashMap<Constant, u32>,
    labels: HashMap<&'a str, u32>,
    jumps: Vec<(usize, &'a str)>,
    /// Slots in place of `.param` variables inside a body and of a device function's own.
    params: HashMap<String, Range<u32>>,
    pub(super) shared: usize,
    pub(super) local: usize,
    pub(super) is_kernel: bool,
    /// The condition code's carry.
    pub(super) carry: u32,
    /// Destination of results that are not wanted.
    pub(super) sink: u32,
}

impl<'a> Body<'a> {
    pub(super) fn new(is_kernel: bool) -> Self {
        Self {
            scopes: vec![HashMap::new()],
            slots: 2,
            constants: HashMap::new(),
            labels: HashMap::new(),
            jumps: Vec::new(),
            params: HashMap::new(),
            shared: 0,
            local: 0,
            is_kernel,
            carry: 0,
            sink: 1,
        }
    }

    pub(super) fn slots(&self) -> u32 {
        self.slots
    }

    fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    pub(super) fn constant(&mut self, constant: Constant) -> u32 {
        if let Some(&slot) = self.constants.get(&constant) {
            return slot;
        }
        let slot = self.slot();
        self.constants.insert(constant, slot);
        slot
    }

    /// The constants by slot.
    pub(super) fn take_constants(&mut self) -> Vec<(u32, Constant)> {
        let constants = std::mem::take(&mut self.constants);
        let mut constants: Vec<_> = constants.into_iter().map(|(constant, slot)| (slot, constant)).collect();
        constants.sort_by_key(|constant| constant.0);
        constants
    }

    /// Declares in the innermost scope.
    pub(super) fn declare(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), symbol);
        }
    }

    /// Declares for the whole function.
    pub(super) fn declare_outside(&mut self, name: &str, symbol: Symbol) {
        self.scopes[0].insert(name.to_owned(), symbol);
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// The slots in place of a `.param` variable, which is at most two registers: one for every 8 bytes.
    pub(super) fn param_slots(&mut self, name: &str, bytes: usize) -> Result<Range<u32>> {
        if bytes > 16 {
            return Err(format!("{name}: a parameter of a call with more than 16 bytes"));
        }
        let count = bytes.div_ceil(8) as u32;
        // Scopes of one function reuse names, for variables of other sizes too.
        if let Some(slots) = self.params.get(name).filter(|slots| slots.len() as u32 == count) {
            return Ok(slots.clone());
        }
        let slots = self.slots..self.slots + count;
        self.slots += count;
        self.params.insert(name.to_owned(), slots.clone());
        Ok(slots)
    }

    pub(super) fn find_param(&self, name: &str) -> Option<Range<u32>> {
        self.params.get(name).cloned()
    }

    /// Notes that the next instruction jumps to a label.
    pub(super) fn jump(&mut self, at: usize, label: &'a str) {
        self.jumps.push((at, label));
    }

    pub(super) fn resolve_jumps(&self, code: &mut [Inst]) -> Result<()> {
        for (at, label) in &self.jumps {
            let found = *self.labels.get(label).ok_or_else(|| format!("no label {label}"))?;
            if let Op::Branch { target, .. } = &mut code[*at].op {
                *target = found;
            }
        }
        Ok(())
    }
}

impl<'a> Parser<'a> {
    /// Statements up to the end of the function.
    pub(super) fn body(&mut self, body: &mut Body<'a>) -> Result<()> {
        while !body.scopes.is_empty() {
            let start = self.at;
            // The error's line is that of the statement's start.
            self.statement(body).inspect_err(|_| self.at = start)?;
        }
        Ok(())
    }

    fn statement(&mut self, body: &mut Body<'a>) -> Result<()> {
        match self.peek() {
            "" => return Err("the text ends within a function".into()),
            "{" => {
                self.next();
                body.scopes.push(HashMap::new());
            }
            "}" => {
                self.next();
                body.scopes.pop();
            }
            ";" => {
                self.next();
            }
            ".reg" => self.registers(body)?,
            ".param" => {
                self.next();
                let Declaration { name, size, .. } = self.variable()?;
                body.param_slots(name, size.unwrap_or(usize::MAX))?;
                self.expect(";")?;
            }
            ".shared" | ".local" => {
                let is_shared = self.next() == ".shared";
                let Declaration { name, size, align, .. } = self.variable()?;
                let size = size.ok_or_else(|| format!("the size of {name} is unknown"))?;
                self.expect(";")?;
                let total = if is_shared { &mut body.shared } else { &mut body.local };
                let start = total.next_multiple_of(align);
                *total = start + size;
                body.declare_outside(name, Symbol::Address(Constant::Value(start as u64)));
            }
            ".pragma" => {
                self.next();
                self.next();
                self.expect(";")?;
            }
            ".loc" => self.location()?,
            directive if directive.starts_with('.') => return Err(format!("unknown directive {directive}")),
            label if self.tokens.get(self.at + 1).is_some_and(|token| token.text == ":") => {
                body.labels.insert(label, self.module.code.len() as u32);
                self.at += 2;
            }
            _ => self.instruction(body)?,
        }
        Ok(())
    }

    /// `.reg .b32 %r<56>, %extra;`
    fn registers(&mut self, body: &mut Body<'a>) -> Result<()> {
        self.next();
        let ty = self.next();
        let known = ty.strip_prefix('.').and_then(Type::named);
        let bits = known.ok_or_else(|| format!("registers of type {ty}"))?.bits();
        loop {
            let name = self.next();
            if self.accept("<") {
                let count: u32 = self.number()?;
                self.expect(">")?;
                for number in 0..count {
                    let slot = body.slot();
                    body.declare(&format!("{name}{number}"), Symbol::Register { slot, bits });
                }
            } else {
                let slot = body.slot();
                body.declare(name, Symbol::Register { slot, bits });
            }
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    /// `.loc 2 134 3, function_name $L__info_string0, inlined_at 1 15 3`, without a semicolon.
    fn location(&mut self) -> Result<()> {
        self.next();
        let (file, line) = (self.number()?, self.number()?);
        let _column: u32 = self.number()?;
        let mut inlined_at = None;
        while self.accept(",") {
            match self.next() {
                "function_name" => {
                    self.next();
                    if self.accept("+") {
                        self.next();
                    }
                }
                "inlined_at" => {
                    inlined_at = Some((self.number()?, self.number()?));
                    let _column: u32 = self.number()?;
                }
                other => return Err(format!("unknown part {other} of .loc")),
            }
        }
        // Line 0 is code without a line of its own.
        if line == 0 {
            self.location = NONE;
            return Ok(());
        }
        self.location = self.module.locations.len() as u32;
        self.module.locations.push(Location { file, line, inlined_at });
        Ok(())
    }
}
