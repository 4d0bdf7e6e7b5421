//! What the instructions compute that look at each lane by itself: one function a form.
//!
//! A form is found by its opcode and all of its modifiers, so that a modifier which nothing handles is an
//! unknown form. Registers are slots of 64 bits a lane; a value narrower than its slot is zero-extended.

mod bits;
mod carry;
mod compare;
mod convert;
mod float;
mod integer;
mod lanes;
#[cfg(test)]
mod tests;

pub(crate) use lanes::{Lanes, Value};

use crate::program::Inst;
use lanes::{map1, map3};

/// Computes the destination of an instruction in the lanes of a mask.
pub(crate) type Compute = fn(registers: &mut [Lanes], inst: &Inst, mask: u32);

/// A form that the machine executes.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    pub(crate) run: Compute,
    /// The number of source operands.
    pub(crate) sources: u8,
    /// It reads or writes the condition code.
    pub(crate) carry_in: bool,
    pub(crate) carry_out: bool,
}

/// Evaluates an expression with `$T` as the Rust type of an integer type's name; None for other names.
macro_rules! integers {
    ($name:expr, $T:ident => $form:expr) => {
        match $name {
            "u16" => {
                type $T = u16;
                Some($form)
            }
            "s16" => {
                type $T = i16;
                Some($form)
            }
            "u32" => {
                type $T = u32;
                Some($form)
            }
            "s32" => {
                type $T = i32;
                Some($form)
            }
            "u64" => {
                type $T = u64;
                Some($form)
            }
            "s64" => {
                type $T = i64;
                Some($form)
            }
            _ => None,
        }
    };
}
/// The same for types of bits, with the predicate's.
macro_rules! bit_types {
    ($name:expr, $T:ident => $form:expr) => {
        match $name {
            "pred" => {
                type $T = bool;
                Some($form)
            }
            "b16" => {
                type $T = u16;
                Some($form)
            }
            "b32" => {
                type $T = u32;
                Some($form)
            }
            "b64" => {
                type $T = u64;
                Some($form)
            }
            _ => None,
        }
    };
}
/// The same for floating-point types.
macro_rules! floats {
    ($name:expr, $T:ident => $form:expr) => {
        match $name {
            "f32" => {
                type $T = f32;
                Some($form)
            }
            "f64" => {
                type $T = f64;
                Some($form)
            }
            _ => None,
        }
    };
}
pub(crate) use {bit_types, floats, integers};

/// The form of an opcode and its modifiers, the type last; None for one that is not known.
pub(crate) fn lookup(base: &str, modifiers: &[&str]) -> Option<Form> {
    match (base, modifiers) {
        ("mov", [ty]) => bit_types!(width(ty), T => map1(|a: T| a)),
        ("selp", [ty]) => bit_types!(width(ty), T => map3(|a: T, b: T, p: bool| if p { a } else { b })),
        ("setp", _) => compare::lookup(modifiers),
        ("cvt", _) => convert::lookup(modifiers),
        _ => carry::lookup(base, modifiers)
            .or_else(|| integer::lookup(base, modifiers))
            .or_else(|| float::lookup(base, modifiers))
            .or_else(|| bits::lookup(base, modifiers)),
    }
}

/// The type of bits as wide as a type, for forms that only move.
fn width(ty: &str) -> &str {
    match ty {
        "u16" | "s16" => "b16",
        "u32" | "s32" | "f32" => "b32",
        "u64" | "s64" | "f64" => "b64",
        other => other,
    }
}
