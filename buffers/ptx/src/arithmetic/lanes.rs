//! Functions of one lane made into functions of a warp.

use super::Form;
use crate::program::Inst;
use std::array;

/// A register of a warp.
pub(crate) type Lanes = [u64; 32];

/// A type that a register can hold.
pub(crate) trait Value: Copy {
    /// From the low bits of a register.
    fn get(bits: u64) -> Self;
    /// As the bits of a register.
    fn put(self) -> u64;
}

macro_rules! values {
    ($($t:ty: $bits:ident => $get:expr, $value:ident => $put:expr;)*) => {$(
        impl Value for $t {
            #[inline(always)]
            fn get($bits: u64) -> Self { $get }
            #[inline(always)]
            fn put(self) -> u64 { let $value = self; $put }
        }
    )*};
}
values! {
    bool: bits => bits & 1 != 0, value => u64::from(value);
    u8: bits => bits as u8, value => u64::from(value);
    // No register is narrower than 16 bits.
    i8: bits => bits as i8, value => u64::from(value as i16 as u16);
    u16: bits => bits as u16, value => u64::from(value);
    i16: bits => bits as i16, value => u64::from(value as u16);
    u32: bits => bits as u32, value => u64::from(value);
    i32: bits => bits as i32, value => u64::from(value as u32);
    u64: bits => bits, value => value;
    i64: bits => bits as i64, value => value as u64;
    f32: bits => f32::from_bits(bits as u32), value => u64::from(value.to_bits());
    f64: bits => f64::from_bits(bits), value => value.to_bits();
}

/// A value of a function's type that has no bytes, so that the type alone says which function it is: a form
/// can then be a plain function pointer, with the lane's function inlined into its loop.
#[inline(always)]
fn the<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: F has no bytes to read, and a value of it exists: the `map` functions were given one.
    unsafe { std::ptr::NonNull::<F>::dangling().read() }
}

/// Every lane is computed, so that the loop becomes vector code; only active lanes are kept.
#[inline(always)]
fn each(registers: &mut [Lanes], inst: &Inst, mask: u32, f: impl Fn(&[Lanes], usize) -> u64) {
    let all: Lanes = array::from_fn(|lane| f(registers, lane));
    let d = &mut registers[inst.d as usize];
    if mask == u32::MAX {
        *d = all;
        return;
    }
    for lane in 0..32 {
        d[lane] = if mask >> lane & 1 != 0 { all[lane] } else { d[lane] };
    }
}

fn plain(run: super::Compute, sources: u8) -> Form {
    Form { run, sources, carry_in: false, carry_out: false }
}

pub(super) fn map1<A: Value, R: Value, F: Fn(A) -> R + Copy>(_: F) -> Form {
    fn run<A: Value, R: Value, F: Fn(A) -> R + Copy>(registers: &mut [Lanes], inst: &Inst, mask: u32) {
        let a = registers[inst.a as usize];
        each(registers, inst, mask, |_, lane| the::<F>()(A::get(a[lane])).put());
    }
    plain(run::<A, R, F>, 1)
}

pub(super) fn map2<A: Value, B: Value, R: Value, F: Fn(A, B) -> R + Copy>(_: F) -> Form {
    fn run<A: Value, B: Value, R: Value, F: Fn(A, B) -> R + Copy>(
        registers: &mut [Lanes],
        inst: &Inst,
        mask: u32,
    ) {
        let (at_a, at_b) = (inst.a as usize, inst.b as usize);
        assert!(at_a < registers.len() && at_b < registers.len());
        each(registers, inst, mask, |registers, lane| {
            the::<F>()(A::get(registers[at_a][lane]), B::get(registers[at_b][lane])).put()
        });
    }
    plain(run::<A, B, R, F>, 2)
}

pub(super) fn map3<A: Value, B: Value, C: Value, R: Value, F: Fn(A, B, C) -> R + Copy>(_: F) -> Form {
    fn run<A: Value, B: Value, C: Value, R: Value, F: Fn(A, B, C) -> R + Copy>(
        registers: &mut [Lanes],
        inst: &Inst,
        mask: u32,
    ) {
        let (at_a, at_b, at_c) = (inst.a as usize, inst.b as usize, inst.c as usize);
        assert!(at_a < registers.len() && at_b < registers.len() && at_c < registers.len());
        each(registers, inst, mask, |registers, lane| {
            let (a, b) = (A::get(registers[at_a][lane]), B::get(registers[at_b][lane]));
            the::<F>()(a, b, C::get(registers[at_c][lane])).put()
        });
    }
    plain(run::<A, B, C, R, F>, 3)
}

/// A field and its place: value, base, first bit, length.
pub(super) fn map4<A: Value, R: Value, F: Fn(A, A, u32, u32) -> R + Copy>(_: F) -> Form {
    fn run<A: Value, R: Value, F: Fn(A, A, u32, u32) -> R + Copy>(
        registers: &mut [Lanes],
        inst: &Inst,
        mask: u32,
    ) {
        each(registers, inst, mask, |registers, lane| {
            let of = |slot: u32| registers[slot as usize][lane];
            let (first, length) = (u32::get(of(inst.c)), u32::get(of(inst.k)));
            the::<F>()(A::get(of(inst.a)), A::get(of(inst.b)), first, length).put()
        });
    }
    plain(run::<A, R, F>, 4)
}

/// With the carry, which is read from slot `k` and written to slot `e`.
pub(super) fn with_carry<T: Value, F: Fn(T, T, T, bool) -> (T, bool) + Copy>(_: F, sources: u8) -> Form {
    fn run<T: Value, F: Fn(T, T, T, bool) -> (T, bool) + Copy>(
        registers: &mut [Lanes],
        inst: &Inst,
        mask: u32,
    ) {
        for lane in (0..32).filter(|lane| mask >> lane & 1 != 0) {
            let of = |slot: u32| registers[slot as usize][lane];
            let (a, b, c) = (T::get(of(inst.a)), T::get(of(inst.b)), T::get(of(inst.c)));
            let (value, carry) = the::<F>()(a, b, c, of(inst.k) & 1 != 0);
            // The carry first: where none is wanted its slot is the sink.
            registers[inst.e as usize][lane] = u64::from(carry);
            registers[inst.d as usize][lane] = value.put();
        }
    }
    Form { run: run::<T, F>, sources, carry_in: false, carry_out: false }
}
