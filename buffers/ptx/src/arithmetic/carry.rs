//! Additions and subtractions of numbers wider than a register.
//!
//! After a subtraction the flag is a carry, the opposite of a borrow: it is set where nothing was borrowed.
//! nvcc's 128-bit division reads it with `addc`, and is wrong with the borrow that the manual describes.

use super::Form;
use super::integer::high_u32;
use super::lanes::with_carry;

pub(super) fn lookup(base: &str, modifiers: &[&str]) -> Option<Form> {
    let (carry_out, rest) = match modifiers {
        ["lo" | "hi", "cc", _] => (true, [modifiers[0], modifiers[2]]),
        ["lo" | "hi", ty] => (false, [modifiers[0], *ty]),
        ["cc", ty] => (true, ["", *ty]),
        [ty] => (false, ["", *ty]),
        _ => return None,
    };
    let carry_in = matches!(base, "addc" | "subc" | "madc");
    // Without the condition code the form is plain integer arithmetic.
    let is_carried = carry_in || carry_out && matches!(base, "add" | "sub" | "mad");
    if !is_carried {
        return None;
    }
    let form = match (base, rest) {
        ("mad" | "madc", [half @ ("lo" | "hi"), "u32"]) => multiply_add(half, carry_in),
        ("mad" | "madc", _) => return None,
        (_, ["", "u32" | "s32"]) => add_u32(base),
        (_, ["", "u64" | "s64"]) => add_u64(base),
        _ => return None,
    };
    Some(Form { carry_in, carry_out, ..form })
}

macro_rules! additions {
    ($name:ident, $T:ty) => {
        fn $name(base: &str) -> Form {
            match base {
                "add" => with_carry(|a: $T, b: $T, _: $T, _| a.overflowing_add(b), 2),
                "sub" => with_carry(|a: $T, b: $T, _: $T, _| (a.wrapping_sub(b), a >= b), 2),
                "addc" => with_carry(
                    |a: $T, b: $T, _: $T, carry: bool| {
                        let (sum, first) = a.overflowing_add(b);
                        let (sum, second) = sum.overflowing_add(carry.into());
                        (sum, first | second)
                    },
                    2,
                ),
                _ => with_carry(
                    |a: $T, b: $T, _: $T, carry: bool| {
                        let (rest, first) = a.overflowing_sub(b);
                        let (rest, second) = rest.overflowing_sub((!carry).into());
                        (rest, !(first | second))
                    },
                    2,
                ),
            }
        }
    };
}
additions!(add_u32, u32);
additions!(add_u64, u64);

fn multiply_add(half: &str, carry_in: bool) -> Form {
    fn sum(product: u32, c: u32, carry: bool) -> (u32, bool) {
        let (sum, first) = product.overflowing_add(c);
        let (sum, second) = sum.overflowing_add(carry.into());
        (sum, first | second)
    }
    match (half, carry_in) {
        ("lo", true) => with_carry(|a: u32, b, c, carry| sum(a.wrapping_mul(b), c, carry), 3),
        ("lo", false) => with_carry(|a: u32, b, c, _| sum(a.wrapping_mul(b), c, false), 3),
        (_, true) => with_carry(|a: u32, b, c, carry| sum(high_u32(a, b), c, carry), 3),
        (_, false) => with_carry(|a: u32, b, c, _| sum(high_u32(a, b), c, false), 3),
    }
}
