//! Comparisons. Those that end in `u` are true where an operand is NaN.

use super::lanes::{map2, map3};
use super::{Form, floats, integers};
use std::cmp::Ordering;

/// Whether two numbers differ; false if one is NaN.
fn differ<T: PartialOrd + Copy>(a: T, b: T) -> bool {
    matches!(a.partial_cmp(&b), Some(Ordering::Less | Ordering::Greater))
}

/// A relation, a combination with a third predicate, and the type.
pub(super) fn lookup(modifiers: &[&str]) -> Option<Form> {
    match modifiers {
        [relation, ty] => {
            integer(relation, ty).or_else(|| bits(relation, ty)).or_else(|| float(relation, ty))
        }
        [relation, "and", ty] => integers!(*ty, T => compared_and::<T>(relation)?),
        _ => None,
    }
}

fn integer(relation: &str, ty: &str) -> Option<Form> {
    integers!(ty, T => match relation {
        "eq" => map2(|a: T, b: T| a == b),
        "ne" => map2(|a: T, b: T| a != b),
        "lt" | "lo" => map2(|a: T, b: T| a < b),
        "le" | "ls" => map2(|a: T, b: T| a <= b),
        "gt" | "hi" => map2(|a: T, b: T| a > b),
        "ge" | "hs" => map2(|a: T, b: T| a >= b),
        _ => return None,
    })
}

fn bits(relation: &str, ty: &str) -> Option<Form> {
    let unsigned = match ty {
        "b16" => "u16",
        "b32" => "u32",
        "b64" => "u64",
        _ => return None,
    };
    if matches!(relation, "eq" | "ne") { integer(relation, unsigned) } else { None }
}

fn float(relation: &str, ty: &str) -> Option<Form> {
    floats!(ty, T => match relation {
        "eq" => map2(|a: T, b: T| a == b),
        "ne" => map2(|a: T, b: T| differ(a, b)),
        "lt" => map2(|a: T, b: T| a < b),
        "le" => map2(|a: T, b: T| a <= b),
        "gt" => map2(|a: T, b: T| a > b),
        "ge" => map2(|a: T, b: T| a >= b),
        "equ" => map2(|a: T, b: T| !differ(a, b)),
        "neu" => map2(|a: T, b: T| a != b),
        "ltu" => map2(|a: T, b: T| a < b || a.is_nan() || b.is_nan()),
        "leu" => map2(|a: T, b: T| a <= b || a.is_nan() || b.is_nan()),
        "gtu" => map2(|a: T, b: T| a > b || a.is_nan() || b.is_nan()),
        "geu" => map2(|a: T, b: T| a >= b || a.is_nan() || b.is_nan()),
        "num" => map2(|a: T, b: T| !a.is_nan() && !b.is_nan()),
        "nan" => map2(|a: T, b: T| a.is_nan() || b.is_nan()),
        _ => return None,
    })
}

fn compared_and<T: super::Value + PartialOrd>(relation: &str) -> Option<Form> {
    Some(match relation {
        "eq" => map3(|a: T, b: T, p: bool| a == b && p),
        "ne" => map3(|a: T, b: T, p: bool| a != b && p),
        "lt" => map3(|a: T, b: T, p: bool| a < b && p),
        "le" => map3(|a: T, b: T, p: bool| a <= b && p),
        "gt" => map3(|a: T, b: T, p: bool| a > b && p),
        "ge" => map3(|a: T, b: T, p: bool| a >= b && p),
        _ => return None,
    })
}
