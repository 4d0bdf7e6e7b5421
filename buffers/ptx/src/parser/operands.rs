//! Operands: registers, constants, special registers, addresses and lists of them.

use super::body::{Body, Symbol};
use super::{Parser, Result, number};
use crate::program::{Constant, Special};

/// An operand as it is written.
#[derive(Debug)]
pub(super) enum Arg<'a> {
    One(&'a str),
    /// `d|p`
    Pair(&'a str, &'a str),
    /// `{a, b}`, or the parenthesised lists of a call.
    Many(Vec<&'a str>),
    /// `[base+offset]`
    Address(&'a str, i64),
}

impl<'a> Parser<'a> {
    /// The operands of an instruction, up to its semicolon.
    pub(super) fn args(&mut self) -> Result<Vec<Arg<'a>>> {
        let mut args = Vec::new();
        while !self.accept(";") {
            if !args.is_empty() && !self.accept(",") {
                return Err(format!(", or ; expected, not {:?}", self.peek()));
            }
            args.push(match self.next() {
                open @ ("{" | "(") => {
                    let close = if open == "{" { "}" } else { ")" };
                    let mut many = Vec::new();
                    while !self.accept(close) {
                        many.push(self.next());
                        if !self.accept(",") && self.peek() != close {
                            return Err(format!("{close} expected, not {:?}", self.peek()));
                        }
                    }
                    Arg::Many(many)
                }
                "[" => {
                    let base = self.next();
                    let offset = if self.accept("+") { self.number::<u64>()? as i64 } else { 0 };
                    self.expect("]")?;
                    Arg::Address(base, offset)
                }
                "" => return Err("the text ends within an instruction".into()),
                first if self.accept("|") => Arg::Pair(first, self.next()),
                first => Arg::One(first),
            });
        }
        Ok(args)
    }

    /// The slot of a source operand; constants are cut to `bits`.
    pub(super) fn source(&self, body: &mut Body<'a>, token: &str, bits: u8) -> Result<u32> {
        if let Some(value) = number(token) {
            let value = if bits < 64 { value & ((1 << bits) - 1) } else { value };
            return Ok(body.constant(Constant::Value(value)));
        }
        if let Some(Symbol::Register { slot, .. }) = body.find(token) {
            return Ok(slot);
        }
        if let Some(special) = special(token) {
            return Ok(body.constant(Constant::Special(special)));
        }
        match body.find(token).or_else(|| self.symbols.get(token).copied()) {
            Some(Symbol::Address(constant)) => Ok(body.constant(constant)),
            Some(Symbol::Shared { size, align }) => {
                let start = body.shared.next_multiple_of(align);
                body.shared = start + size;
                let constant = Constant::Value(start as u64);
                body.declare_outside(token, Symbol::Address(constant));
                Ok(body.constant(constant))
            }
            Some(Symbol::Register { .. }) | None => Err(format!("unknown operand {token:?}")),
        }
    }

    /// The slot and the width of a destination.
    pub(super) fn register(body: &Body<'a>, token: &str) -> Result<(u32, u8)> {
        match body.find(token) {
            Some(Symbol::Register { slot, bits }) => Ok((slot, bits)),
            None if token == "_" => Ok((body.sink, 64)),
            _ => Err(format!("{token:?} is no register")),
        }
    }
}

fn special(name: &str) -> Option<Special> {
    if let Some((register, axis)) = name.rsplit_once('.') {
        let axis = match axis {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return None,
        };
        return Some(match register {
            "%tid" => Special::Tid(axis),
            "%ntid" => Special::Ntid(axis),
            "%ctaid" => Special::Ctaid(axis),
            "%nctaid" => Special::Nctaid(axis),
            _ => return None,
        });
    }
    Some(match name {
        "%laneid" => Special::Lane,
        "%lanemask_le" => Special::LanesUpTo,
        "%lanemask_lt" => Special::LanesBelow,
        "%lanemask_ge" => Special::LanesFrom,
        "%lanemask_gt" => Special::LanesAbove,
        "%lanemask_eq" => Special::ThisLane,
        _ => return None,
    })
}
