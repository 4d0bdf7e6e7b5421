//! One instruction: which operands its form has, and what the machine does with them.

use super::body::Body;
use super::form::Form;
use super::operands::Arg;
use super::{Parser, Result};
use crate::arithmetic;
use crate::program::{CallSite, Constant, Inst, NONE, Op, Reduction, Shuffle, Space, Type, Vote};

impl<'a> Parser<'a> {
    pub(super) fn instruction(&mut self, body: &mut Body<'a>) -> Result<()> {
        let line = self.line();
        let (mut guard, mut negate) = (NONE, false);
        if self.accept("@") {
            negate = self.accept("!");
            guard = Self::register(body, self.next())?.0;
        }
        let opcode = self.next();
        let mut form = Form::new(opcode);
        let args = self.args()?;
        let zero = body.constant(Constant::Value(0));
        let mut inst = Inst {
            op: Op::Nothing,
            guard,
            negate,
            d: body.sink,
            e: body.sink,
            a: zero,
            b: zero,
            c: zero,
            k: zero,
            line,
            location: self.location,
            form: self.form(opcode),
        };
        match form.base {
            "ld" | "st" | "atom" | "red" => self.memory(body, &mut form, &args, &mut inst)?,
            "mov" if args.iter().any(|arg| matches!(arg, Arg::Many(_))) => {
                self.pack(body, &mut form, &args, &mut inst)?;
            }
            "cvta" => self.convert_address(body, &mut form, &args, &mut inst)?,
            "bra" | "ret" | "exit" | "call" | "trap" => self.control(body, &mut form, &args, &mut inst)?,
            "bar" | "barrier" => self.barrier(body, &mut form, &args, &mut inst)?,
            "shfl" | "vote" | "match" | "redux" | "activemask" => {
                self.collective(body, &mut form, &args, &mut inst)?;
            }
            "membar" | "fence" => {
                form.choose(&[("sc", ()), ("acq_rel", ())]);
                form.choose(&[("cta", ()), ("gl", ()), ("gpu", ()), ("sys", ())]);
                form.end()?;
                inst.op = Op::Fence;
            }
            "nanosleep" => {
                form.take("u32");
                form.end()?;
                inst.op = Op::Yield;
            }
            // Launches are in order, so a dependent grid has nothing to wait for.
            "griddepcontrol" => {
                form.choose(&[("wait", ()), ("launch_dependents", ())]);
                form.end()?;
            }
            _ => self.arithmetic(body, &form, &args, &mut inst)?,
        }
        self.module.code.push(inst);
        Ok(())
    }

    /// An instruction that computes each lane by itself.
    fn arithmetic(
        &mut self,
        body: &mut Body<'a>,
        form: &Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        let known = arithmetic::lookup(form.base, form.rest()).ok_or_else(|| form.unknown())?;
        let [Arg::One(d), sources @ ..] = args else { return Err(operands(form)) };
        if sources.len() != usize::from(known.sources) {
            return Err(operands(form));
        }
        let (slot, width) = Self::register(body, d)?;
        // A conversion to a signed type also extends to a wider register, which the functions do not.
        let to = form.rest().iter().rev().nth(1).and_then(|name| Type::named(name));
        let known_width = match to {
            Some(Type::Signed(8)) => width <= 16,
            Some(Type::Signed(bits)) => width <= bits || d == &"_",
            _ => true,
        };
        if form.base == "cvt" && !known_width {
            return Err(format!("{} to a register of {width} bits", form.opcode));
        }
        inst.d = slot;
        let places = [&mut inst.a, &mut inst.b, &mut inst.c, &mut inst.k];
        for (place, arg) in places.into_iter().zip(sources) {
            let Arg::One(token) = arg else { return Err(operands(form)) };
            *place = self.source(body, token, 64)?;
        }
        if known.carry_in {
            inst.k = body.carry;
        }
        if known.carry_out {
            inst.e = body.carry;
        }
        inst.op = Op::Compute(known.run);
        Ok(())
    }

    /// `mov.b64 %rd, {%r1, %r2}` and its inverse.
    fn pack(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        let bits = form.ty()?.bits();
        form.end()?;
        let (many, one, is_pack) = match args {
            [Arg::One(one), Arg::Many(many)] => (many, one, true),
            [Arg::Many(many), Arg::One(one)] => (many, one, false),
            _ => return Err(operands(form)),
        };
        let count = many.len() as u8;
        if !matches!(count, 2 | 4) || !matches!(bits, 32 | 64) {
            return Err(operands(form));
        }
        let part = bits / count;
        let mut slots = [body.sink; 4];
        for (slot, token) in slots.iter_mut().zip(many) {
            *slot = if is_pack { self.source(body, token, part)? } else { Self::register(body, token)?.0 };
        }
        if is_pack {
            inst.d = Self::register(body, one)?.0;
            inst.op = Op::Pack { slots, count, bits: part };
        } else {
            inst.a = self.source(body, one, bits)?;
            inst.op = Op::Unpack { slots, count, bits: part };
        }
        Ok(())
    }

    /// `cvta`: between addresses of a space and generic ones.
    fn convert_address(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        let is_to = form.take("to");
        let space = form.space();
        if form.ty()? != Type::Unsigned(64) || matches!(space, Space::Generic | Space::Param) {
            return Err(form.unknown());
        }
        form.end()?;
        let [Arg::One(d), Arg::One(a)] = args else { return Err(operands(form)) };
        (inst.d, inst.a) = (Self::register(body, d)?.0, self.source(body, a, 64)?);
        inst.op = if is_to { Op::FromGeneric(space) } else { Op::ToGeneric(space) };
        Ok(())
    }

    fn control(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        form.take("uni");
        form.end()?;
        inst.op = match (form.base, args) {
            ("bra", [Arg::One(label)]) => {
                body.jump(self.module.code.len(), label);
                Op::Branch { target: 0, reconverge: NONE }
            }
            ("ret", []) if !body.is_kernel => Op::Return,
            ("ret" | "exit", []) => Op::Exit,
            ("trap", []) => Op::Trap,
            ("call", [Arg::Many(results), Arg::One(callee), Arg::Many(list)]) => {
                self.call(body, results, callee, list)?
            }
            ("call", [Arg::One(callee), Arg::Many(list)]) => self.call(body, &[], callee, list)?,
            ("call", [Arg::One(callee)]) => self.call(body, &[], callee, &[])?,
            _ => return Err(operands(form)),
        };
        Ok(())
    }

    fn call(&mut self, body: &Body<'a>, results: &[&str], callee: &str, list: &[&str]) -> Result<Op> {
        let slots = |name: &&str| body.find_param(name).ok_or_else(|| format!("no parameter {name}"));
        let results = match results {
            [] => Vec::new(),
            [one] => slots(one)?.collect(),
            _ => return Err("a call with several results".into()),
        };
        let args = list.iter().map(slots).collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        self.module.calls.push(CallSite { callee: callee.to_owned(), function: 0, args, results });
        Ok(Op::Call { site: self.module.calls.len() as u32 - 1 })
    }

    fn barrier(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        form.take("cta");
        form.take("aligned");
        if form.take("warp") {
            let (true, [Arg::One(mask)]) = (form.take("sync"), args) else { return Err(form.unknown()) };
            inst.k = self.source(body, mask, 32)?;
            inst.op = Op::WarpBarrier;
            return form.end();
        }
        if form.take("sync") {
            form.end()?;
            let (id, counted) = match args {
                [Arg::One(id)] => (id, false),
                [Arg::One(id), Arg::One(threads)] => {
                    inst.b = self.source(body, threads, 32)?;
                    (id, true)
                }
                _ => return Err(operands(form)),
            };
            inst.a = self.source(body, id, 32)?;
            inst.op = Op::Barrier { reduce: None, counted };
            return Ok(());
        }
        let votes = [("and", Vote::All), ("or", Vote::Any), ("popc", Vote::Count)];
        let (true, Some(vote)) = (form.take("red"), form.choose(&votes)) else { return Err(form.unknown()) };
        form.ty()?;
        form.end()?;
        let [Arg::One(d), Arg::One(id), Arg::One(predicate)] = args else { return Err(operands(form)) };
        inst.d = Self::register(body, d)?.0;
        inst.a = self.source(body, id, 32)?;
        inst.c = self.source(body, predicate, 1)?;
        inst.op = Op::Barrier { reduce: Some(vote), counted: false };
        Ok(())
    }

    fn collective(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        args: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<()> {
        let ty = form.ty()?;
        if form.base == "activemask" {
            let [Arg::One(d)] = args else { return Err(operands(form)) };
            (inst.d, inst.op) = (Self::register(body, d)?.0, Op::ActiveMask);
            return form.end();
        }
        if !form.take("sync") {
            return Err(form.unknown());
        }
        let [d, Arg::One(a), rest @ .., Arg::One(mask)] = args else { return Err(operands(form)) };
        let mut has_pair = false;
        match d {
            Arg::One(d) => inst.d = Self::register(body, d)?.0,
            Arg::Pair(d, e) => {
                (inst.d, inst.e) = (Self::register(body, d)?.0, Self::register(body, e)?.0);
                has_pair = true;
            }
            _ => return Err(operands(form)),
        }
        inst.a = self.source(body, a, ty.bits())?;
        inst.k = self.source(body, mask, 32)?;
        inst.op = self.collective_op(body, form, ty, rest, inst)?;
        let may_pair = matches!(inst.op, Op::Shuffle(_) | Op::Match { all: true });
        if has_pair && !may_pair {
            return Err(operands(form));
        }
        form.end()
    }

    fn collective_op(
        &mut self,
        body: &mut Body<'a>,
        form: &mut Form<'a>,
        ty: Type,
        rest: &[Arg<'a>],
        inst: &mut Inst,
    ) -> Result<Op> {
        let unknown = |form: &Form<'a>| form.unknown();
        Ok(match (form.base, rest) {
            ("shfl", [Arg::One(b), Arg::One(c)]) if ty == Type::Bits(32) => {
                (inst.b, inst.c) = (self.source(body, b, 32)?, self.source(body, c, 32)?);
                let modes = [
                    ("up", Shuffle::Up),
                    ("down", Shuffle::Down),
                    ("bfly", Shuffle::Butterfly),
                    ("idx", Shuffle::Index),
                ];
                Op::Shuffle(form.choose(&modes).ok_or_else(|| unknown(form))?)
            }
            ("vote", []) => {
                let votes = [
                    ("ballot", Vote::Ballot),
                    ("all", Vote::All),
                    ("any", Vote::Any),
                    ("uni", Vote::Uniform),
                ];
                let vote = form.choose(&votes).ok_or_else(|| unknown(form))?;
                if ty != (if vote == Vote::Ballot { Type::Bits(32) } else { Type::Pred }) {
                    return Err(unknown(form));
                }
                Op::Vote(vote)
            }
            ("match", []) if matches!(ty, Type::Bits(32 | 64)) => {
                let all = form.choose(&[("all", true), ("any", false)]).ok_or_else(|| unknown(form))?;
                Op::Match { all }
            }
            ("redux", []) if ty.bits() == 32 => {
                let reductions = [
                    ("add", Reduction::Add),
                    ("min", Reduction::Min),
                    ("max", Reduction::Max),
                    ("and", Reduction::And),
                    ("or", Reduction::Or),
                    ("xor", Reduction::Xor),
                ];
                let reduction = form.choose(&reductions).ok_or_else(|| unknown(form))?;
                Op::Reduce { reduction, signed: ty.is_signed() }
            }
            _ => return Err(unknown(form)),
        })
    }
}

fn operands(form: &Form<'_>) -> String {
    format!("unexpected operands of {}", form.opcode)
}
