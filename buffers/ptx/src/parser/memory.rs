//! Loads, stores and atomics.

use super::body::Body;
use super::form::Form;
use super::operands::Arg;
use super::{Parser, Result};
use crate::arithmetic;
use crate::program::{Access, AtomicOp, Inst, Op, Space, Type};
use std::ops::Range;

const ATOMICS: [(&str, AtomicOp); 8] = [
    ("add", AtomicOp::Add),
    ("min", AtomicOp::Min),
    ("max", AtomicOp::Max),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
    ("exch", AtomicOp::Exchange),
    ("cas", AtomicOp::CompareAndSwap),
];

impl<'a> Parser<'a> {
    /// `ld`, `st`, `atom` and `red`.
    pub(super) fn memory(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        let is_atomic = matches!(form.base, "atom" | "red");
        let ty = form.ty()?;
        let count = form.choose(&[("v2", 2), ("v4", 4)]).unwrap_or(1);
        let mut access = Access {
            space: form.space(),
            bytes: ty.bytes() as u8,
            count,
            signed: ty.is_signed(),
            order: form.order(is_atomic),
            offset: 0,
            slots: [body.sink; 4],
            width: ty.bits(),
        };
        form.skip_cache_hints();
        if form.base == "ld" {
            form.take("nc");
        }
        let op = if is_atomic { Some(atomic(form, ty)?) } else { None };
        form.end()?;
        if usize::from(count) * ty.bytes() > 16 || ty == Type::Pred {
            return Err(form.unknown());
        }
        let (values, base, offset, rest) = match (form.base, args) {
            ("ld", [value, Arg::Address(base, offset)]) | ("st", [Arg::Address(base, offset), value]) => {
                (elements(value)?, *base, *offset, &[][..])
            }
            ("atom", [Arg::One(value), Arg::Address(base, offset), rest @ ..]) => {
                (vec![*value], *base, *offset, rest)
            }
            ("red", [Arg::Address(base, offset), rest @ ..]) => (vec![], *base, *offset, rest),
            _ => return Err(format!("unexpected operands of {}", form.opcode)),
        };
        if !is_atomic && values.len() != usize::from(count) {
            return Err(format!("{} of {} values", form.opcode, values.len()));
        }
        access.offset = offset;
        if access.space == Space::Param {
            match body.find_param(base) {
                Some(slots) => return self.param_slot_access(body, form, &access, &values, slots, inst),
                None if form.base != "ld" => return Err(form.unknown()),
                None => {}
            }
        }
        inst.a = self.source(body, base, 64)?;
        for (slot, token) in access.slots.iter_mut().zip(&values) {
            if form.base == "st" {
                *slot = self.source(body, token, ty.bits())?;
            } else {
                (*slot, access.width) = Self::register(body, token)?;
            }
        }
        inst.op = match (form.base, op) {
            ("ld", _) => Op::Load(access),
            ("st", _) => Op::Store(access),
            (_, Some(op)) => {
                let expected = if op == AtomicOp::CompareAndSwap { 2 } else { 1 };
                if rest.len() != expected {
                    return Err(format!("unexpected operands of {}", form.opcode));
                }
                for (slot, arg) in [&mut inst.b, &mut inst.c].into_iter().zip(rest) {
                    let Arg::One(token) = arg else { return Err("an operand of an atomic".into()) };
                    *slot = self.source(body, token, ty.bits())?;
                }
                inst.d = access.slots[0];
                Op::Atomic { access, op }
            }
            _ => return Err(form.unknown()),
        };
        Ok(())
    }

    /// A parameter of a call, or of this device function, is a slot for every 8 bytes: the access is a move.
    fn param_slot_access(
        &mut self,
        body: &mut Body<'a>,
        form: &Form<'a>,
        access: &Access,
        values: &[&'a str],
        mut slots: Range<u32>,
        inst: &mut Inst,
    ) -> Result<()> {
        let bits = access.bytes * 8;
        let ty = match bits {
            64 => "b64",
            32 => "b32",
            16 => "b16",
            _ => return Err(form.unknown()),
        };
        let ([value], false) = (values, access.signed) else { return Err(form.unknown()) };
        // A part of a slot that is not its start is not supported.
        let number =
            usize::try_from(access.offset).ok().filter(|offset| offset % 8 == 0).map(|offset| offset / 8);
        let slot = number.and_then(|number| slots.nth(number)).ok_or_else(|| form.unknown())?;
        let mov = arithmetic::lookup("mov", &[ty]).ok_or_else(|| form.unknown())?;
        inst.op = Op::Compute(mov.run);
        if form.base == "st" {
            (inst.d, inst.a) = (slot, self.source(body, value, bits)?);
        } else {
            (inst.d, inst.a) = (Self::register(body, value)?.0, slot);
        }
        Ok(())
    }
}

fn elements<'a>(value: &Arg<'a>) -> Result<Vec<&'a str>> {
    match value {
        Arg::One(one) => Ok(vec![*one]),
        Arg::Many(many) => Ok(many.clone()),
        _ => Err("unexpected operands of a memory access".into()),
    }
}

/// Operation and type of an atomic that the machine executes.
fn atomic(form: &mut Form<'_>, ty: Type) -> Result<AtomicOp> {
    let op = form.choose(&ATOMICS).ok_or_else(|| form.unknown())?;
    let is_compare = op == AtomicOp::CompareAndSwap;
    if form.base == "red" && (is_compare || op == AtomicOp::Exchange) {
        return Err(form.unknown());
    }
    match (op, ty) {
        (AtomicOp::Add, Type::Float(_)) => Ok(AtomicOp::AddFloat),
        (AtomicOp::Add | AtomicOp::Min | AtomicOp::Max, Type::Unsigned(32 | 64) | Type::Signed(32 | 64))
        | (AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Exchange, Type::Bits(32 | 64))
        | (AtomicOp::CompareAndSwap, Type::Bits(16 | 32 | 64)) => Ok(op),
        _ => Err(form.unknown()),
    }
}
