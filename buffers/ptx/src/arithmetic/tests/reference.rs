//! What each form should compute, written over wide integers and by the names of the form's parts.

/// Kinds of registers: bits, `f32`, `f64`, or `p` for predicates.
pub(super) struct Signature {
    pub(super) result: &'static str,
    pub(super) sources: Vec<&'static str>,
}

type Reference = Box<dyn Fn(&[u64]) -> u64>;

/// A type by its letter and bits.
#[derive(Clone, Copy)]
struct Type {
    kind: char,
    bits: u32,
}

impl Type {
    fn named(name: &str) -> Option<Self> {
        if name == "pred" {
            return Some(Self { kind: 'p', bits: 1 });
        }
        let kind = name.chars().next().filter(|kind| "busf".contains(*kind))?;
        Some(Self { kind, bits: name[1..].parse().ok()? })
    }

    fn register(self) -> &'static str {
        match (self.kind, self.bits) {
            ('p', _) => "p",
            ('f', 32) => "f32",
            ('f', _) => "f64",
            (_, 8 | 16) => "16",
            (_, 32) => "32",
            _ => "64",
        }
    }

    /// The value of a register's bits.
    fn value(self, bits: u64) -> i128 {
        let low = i128::from(bits) & ((1 << self.bits) - 1);
        if self.kind == 's' && low >> (self.bits - 1) != 0 { low - (1 << self.bits) } else { low }
    }

    /// The bits of a register that hold a value.
    fn bits_of(self, value: i128) -> u64 {
        let width = self.bits.max(if self.kind == 's' { 16 } else { 1 });
        let value = if self.kind == 's' { self.value(value as u64) } else { value & ((1 << self.bits) - 1) };
        (value & ((1 << width) - 1)) as u64
    }
}

pub(super) fn reference(form: &str) -> Option<(Signature, Reference)> {
    let parts: Vec<&str> = form.split('.').collect();
    let (base, modifiers) = (parts[0], &parts[1..]);
    let ty = Type::named(modifiers.last()?)?;
    let same = |count: usize| vec![ty.register(); count];
    let make = |result: &'static str, sources: Vec<&'static str>, f: Reference| {
        Some((Signature { result, sources }, f))
    };
    if base == "setp" {
        return Some(comparison(modifiers, ty));
    }
    if base == "cvt" {
        return conversion(modifiers);
    }
    if ty.kind == 'f' && !matches!(base, "mov" | "selp") {
        return float(base, modifiers, ty);
    }
    if modifiers.contains(&"cc") || matches!(base, "addc" | "subc" | "madc") {
        return None;
    }
    let integer = move |f: fn(i128, i128, i128) -> i128| -> Reference {
        Box::new(move |v| {
            let of = |k: usize| v.get(k).map_or(0, |bits| ty.value(*bits));
            ty.bits_of(f(of(0), of(1), of(2)))
        })
    };
    let own = ty.register();
    match (base, &modifiers[..modifiers.len() - 1]) {
        ("mov", []) => make(own, same(1), integer(|a, _, _| a)),
        ("add", []) => make(own, same(2), integer(|a, b, _| a + b)),
        ("sub", []) => make(own, same(2), integer(|a, b, _| a - b)),
        ("mul", ["lo"]) => make(own, same(2), integer(i128_product)),
        ("mad", ["lo"]) => make(own, same(3), integer(|a, b, c| i128_product(a, b, 0).wrapping_add(c))),
        ("mul", ["hi"]) => make(own, same(2), Box::new(move |v| high(ty, v[0], v[1]))),
        ("mad", ["hi"]) => make(
            own,
            same(3),
            Box::new(move |v| ty.bits_of(i128::from(high(ty, v[0], v[1])) + ty.value(v[2]))),
        ),
        ("mul" | "mad", ["wide"]) => {
            let wide = Type { bits: ty.bits * 2, ..ty };
            let mut sources = same(2);
            if base == "mad" {
                sources.push(wide.register());
            }
            make(
                wide.register(),
                sources,
                Box::new(move |v| {
                    let product = ty.value(v[0]) * ty.value(v[1]);
                    wide.bits_of(product + v.get(2).map_or(0, |c| wide.value(*c)))
                }),
            )
        }
        ("div", []) => make(own, same(2), integer(|a, b, _| if b == 0 { -1 } else { a / b })),
        ("rem", []) => make(own, same(2), integer(|a, b, _| if b == 0 { a } else { a % b })),
        ("min", []) => make(own, same(2), integer(|a, b, _| a.min(b))),
        ("max", []) => make(own, same(2), integer(|a, b, _| a.max(b))),
        ("neg", []) => make(own, same(1), integer(|a, _, _| -a)),
        ("abs", []) => make(own, same(1), integer(|a, _, _| a.abs())),
        ("and", []) => make(own, same(2), integer(|a, b, _| a & b)),
        ("or", []) => make(own, same(2), integer(|a, b, _| a | b)),
        ("xor", []) => make(own, same(2), integer(|a, b, _| a ^ b)),
        ("not", []) => make(own, same(1), integer(|a, _, _| !a)),
        ("selp", []) => make(
            own,
            vec![own, own, "p"],
            Box::new(move |v| ty.bits_of(ty.value(if v[2] != 0 { v[0] } else { v[1] }))),
        ),
        ("shl", []) => make(
            own,
            vec![own, "32"],
            Box::new(move |v| {
                let by = v[1] as u32;
                if by >= ty.bits { 0 } else { ty.bits_of(ty.value(v[0]) << by) }
            }),
        ),
        ("shr", []) => make(
            own,
            vec![own, "32"],
            Box::new(move |v| ty.bits_of(ty.value(v[0]) >> (v[1] as u32).min(100))),
        ),
        _ => bits(base, modifiers, ty),
    }
}

fn i128_product(a: i128, b: i128, _: i128) -> i128 {
    a.wrapping_mul(b)
}

/// By schoolbook multiplication of 32-bit digits of the magnitudes.
fn high(ty: Type, a: u64, b: u64) -> u64 {
    let (a, b) = (ty.value(a), ty.value(b));
    let (x, y) = (a.unsigned_abs(), b.unsigned_abs());
    let (x0, x1, y0, y1) = (x & 0xffff_ffff, x >> 32, y & 0xffff_ffff, y >> 32);
    let middle = x0 * y1 + x1 * y0 + (x0 * y0 >> 32);
    let (low, upper) = ((x0 * y0 & 0xffff_ffff) | (middle & 0xffff_ffff) << 32, x1 * y1 + (middle >> 32));
    // 128 bits in two halves, negated where the signs differ.
    let (mut low, mut upper) = (low as u64, upper as u64);
    if (a < 0) != (b < 0) {
        low = low.wrapping_neg();
        upper = (!upper).wrapping_add(u64::from(low == 0));
    }
    let product = i128::from(low) | i128::from(upper) << 64;
    ty.bits_of(product >> ty.bits)
}

fn bits(base: &str, modifiers: &[&str], ty: Type) -> Option<(Signature, Reference)> {
    let own = ty.register();
    let make = |result: &'static str, sources: Vec<&'static str>, f: Reference| {
        Some((Signature { result, sources }, f))
    };
    // Bits as a list, the lowest first.
    let list = move |value: u64| -> Vec<bool> { (0..ty.bits).map(|bit| value >> bit & 1 != 0).collect() };
    let number = |list: &[bool]| list.iter().rev().fold(0u64, |value, bit| value << 1 | u64::from(*bit));
    match (base, &modifiers[..modifiers.len() - 1]) {
        ("popc", []) => {
            make("32", vec![own], Box::new(move |v| list(v[0]).iter().filter(|bit| **bit).count() as u64))
        }
        ("clz", []) => make(
            "32",
            vec![own],
            Box::new(move |v| list(v[0]).iter().rev().take_while(|bit| !**bit).count() as u64),
        ),
        ("bfind", ["shiftamt"]) => make(
            "32",
            vec![own],
            Box::new(move |v| {
                let highest = list(v[0]).iter().rposition(|bit| *bit);
                highest.map_or(0xffff_ffff, |at| u64::from(ty.bits) - 1 - at as u64)
            }),
        ),
        ("bfind", []) => make(
            "32",
            vec![own],
            Box::new(move |v| list(v[0]).iter().rposition(|bit| *bit).map_or(0xffff_ffff, |at| at as u64)),
        ),
        ("brev", []) => make(
            own,
            vec![own],
            Box::new(move |v| {
                let mut bits = list(v[0]);
                bits.reverse();
                number(&bits)
            }),
        ),
        ("bmsk", ["clamp"]) => make(
            own,
            vec!["32", "32"],
            Box::new(move |v| {
                let (first, length) = (v[0] & 0xffff_ffff, v[1] & 0xffff_ffff);
                (first..first + length.min(32)).filter(|bit| *bit < 32).fold(0, |mask, bit| mask | 1 << bit)
            }),
        ),
        ("bfi", []) => make(
            own,
            vec![own, own, "32", "32"],
            Box::new(move |v| {
                let (field, mut into) = (list(v[0]), list(v[1]));
                let (first, length) = ((v[2] & 255) as usize, (v[3] & 255) as usize);
                for k in 0..length {
                    if let (Some(bit), Some(place)) = (field.get(k), into.get_mut(first + k)) {
                        *place = *bit;
                    }
                }
                number(&into)
            }),
        ),
        ("bfe", []) => make(
            own,
            vec![own, "32", "32"],
            Box::new(move |v| {
                let (first, length) = ((v[1] & 255) as usize, (v[2] & 255) as usize);
                let field: Vec<bool> = list(v[0]).into_iter().skip(first).take(length).collect();
                number(&field)
            }),
        ),
        ("lop3", []) => make(
            own,
            vec![own, own, own, "32"],
            Box::new(move |v| {
                (0..32).fold(0, |all, bit| {
                    let row = (v[0] >> bit & 1) * 4 + (v[1] >> bit & 1) * 2 + (v[2] >> bit & 1);
                    all | (v[3] >> row & 1) << bit
                })
            }),
        ),
        ("prmt", []) => make(
            own,
            vec![own, own, own],
            Box::new(|v| {
                let bytes: Vec<u8> =
                    (v[0] as u32).to_le_bytes().into_iter().chain((v[1] as u32).to_le_bytes()).collect();
                (0..4).fold(0, |all, k| {
                    let nibble = v[2] >> (4 * k) & 15;
                    let byte = bytes[(nibble % 8) as usize];
                    let byte = if nibble < 8 {
                        byte
                    } else if byte >= 128 {
                        255
                    } else {
                        0
                    };
                    all | u64::from(byte) << (8 * k)
                })
            }),
        ),
        ("shf", [direction, kind]) => {
            let (is_left, is_wrap) = (*direction == "l", *kind == "wrap");
            make(
                own,
                vec![own, own, "32"],
                Box::new(move |v| {
                    let both = (v[1] & 0xffff_ffff) << 32 | v[0] & 0xffff_ffff;
                    let by = v[2] & 0xffff_ffff;
                    let by = if is_wrap { by % 32 } else { by.min(32) };
                    if is_left {
                        (u128::from(both) << by >> 32) as u64 & 0xffff_ffff
                    } else {
                        both >> by & 0xffff_ffff
                    }
                }),
            )
        }
        _ => None,
    }
}

fn to_float(ty: Type, bits: u64) -> f64 {
    if ty.bits == 32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
}

fn comparison(modifiers: &[&str], ty: Type) -> (Signature, Reference) {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let relation = modifiers[0].to_owned();
    let is_and = modifiers.get(1) == Some(&"and");
    let mut sources = vec![ty.register(); 2];
    if is_and {
        sources.push("p");
    }
    let f = move |v: &[u64]| {
        let order = if ty.kind == 'f' {
            to_float(ty, v[0]).partial_cmp(&to_float(ty, v[1]))
        } else {
            Some(ty.value(v[0]).cmp(&ty.value(v[1])))
        };
        let (relation, unordered) = match relation.as_str() {
            "nan" => return u64::from(order.is_none()),
            "num" => return u64::from(order.is_some()),
            longer if longer.len() == 3 => (&longer[..2], true),
            short => (short, false),
        };
        let holds = match order {
            None => unordered,
            Some(order) => match relation {
                "eq" => order == Equal,
                "ne" => order != Equal,
                "lt" => order == Less,
                "le" => order != Greater,
                "gt" => order == Greater,
                "ge" => order != Less,
                other => panic!("{other}"),
            },
        };
        u64::from(holds && v.get(2) != Some(&0))
    };
    (Signature { result: "p", sources }, Box::new(f))
}

fn conversion(modifiers: &[&str]) -> Option<(Signature, Reference)> {
    let [rounding @ .., to, from] = modifiers else { return None };
    let rounding = rounding.first().copied().unwrap_or_default().to_owned();
    let (to, from) = (Type::named(to)?, Type::named(from)?);
    let signature = Signature { result: to.register(), sources: vec![from.register()] };
    let round = move |value: f64| match rounding.as_str() {
        "rzi" => value.trunc(),
        "rmi" => value.floor(),
        "rpi" => value.ceil(),
        "rni" => {
            let down = value.floor();
            let is_up = value - down > 0.5 || (value - down == 0.5 && down % 2.0 != 0.0);
            (if is_up { down + 1.0 } else { down }).copysign(value)
        }
        _ => value,
    };
    let float_bits =
        move |value: f64| if to.bits == 32 { (value as f32).to_bits().into() } else { value.to_bits() };
    let f: Reference = match (from.kind, to.kind) {
        ('f', 'f') => Box::new(move |v| {
            if from.bits == to.bits && !to_float(from, v[0]).is_finite() {
                return v[0] & (u64::MAX >> (64 - to.bits));
            }
            float_bits(round(to_float(from, v[0])))
        }),
        ('f', _) => Box::new(move |v| {
            let value = to_float(from, v[0]);
            if value.is_nan() {
                return if from.bits == 64 || to.bits == 64 { 1 << (to.bits - 1) } else { 0 };
            }
            let (low, high) = match to.kind {
                's' => (-(1i128 << (to.bits - 1)), (1i128 << (to.bits - 1)) - 1),
                _ => (0, (1i128 << to.bits) - 1),
            };
            let rounded = round(value);
            let whole = if rounded >= 1e30 {
                high
            } else if rounded <= -1e30 {
                low
            } else {
                rounded as i128
            };
            to.bits_of(whole.clamp(low, high))
        }),
        (_, 'f') => Box::new(move |v| nearest(to, from.value(v[0]))),
        _ => Box::new(move |v| to.bits_of(from.value(v[0]))),
    };
    Some((signature, f))
}

/// The float nearest to an integer, ties to even.
fn nearest(to: Type, value: i128) -> u64 {
    let digits = if to.bits == 32 { 24 } else { 53 };
    let magnitude = value.unsigned_abs();
    let drop = (128 - magnitude.leading_zeros()).saturating_sub(digits);
    let mut kept = magnitude >> drop;
    let rest = magnitude - (kept << drop);
    let half = if drop == 0 { 1 } else { 1u128 << (drop - 1) };
    kept += u128::from(rest > half || (rest == half && kept % 2 == 1));
    // Exact: at most 53 digits, times a power of two.
    let float = (kept as f64) * 2f64.powi(drop as i32);
    let float = if value < 0 { -float } else { float };
    if to.bits == 32 { (float as f32).to_bits().into() } else { float.to_bits() }
}

fn float(base: &str, modifiers: &[&str], ty: Type) -> Option<(Signature, Reference)> {
    let own = ty.register();
    let f: fn(f64, f64, f64) -> f64 = match base {
        "add" => |a, b, _| a + b,
        "sub" => |a, b, _| a - b,
        "mul" => |a, b, _| a * b,
        "div" => |a, b, _| a / b,
        "rcp" => |a, _, _| 1.0 / a,
        "rsqrt" => |a, _, _| a.sqrt().recip(),
        "ex2" => |a, _, _| 2f64.powf(a),
        "lg2" => |a, _, _| a.ln() / std::f64::consts::LN_2,
        "sqrt" => |a, _, _| a.sqrt(),
        "neg" => |a, _, _| -a,
        "abs" => |a, _, _| a.abs(),
        "copysign" => |a, b, _| b.copysign(a),
        "fma" => |a, b, c| a.mul_add(b, c),
        "min" | "max" => |_, _, _| 0.0,
        _ => return None,
    };
    let sources = match base {
        "rcp" | "rsqrt" | "ex2" | "lg2" | "sqrt" | "neg" | "abs" => 1,
        "fma" => 3,
        _ => 2,
    };
    let (base, flushes, toward_zero) =
        (base.to_owned(), modifiers.contains(&"ftz"), modifiers.contains(&"rz"));
    let reference = move |v: &[u64]| {
        if matches!(base.as_str(), "neg" | "abs" | "copysign") {
            // Bits of the sign only, of NaNs too.
            let sign = 1u64 << (ty.bits - 1);
            let of = |k: usize| v[k] & (u64::MAX >> (64 - ty.bits));
            return match base.as_str() {
                "neg" => of(0) ^ sign,
                "abs" => of(0) & !sign,
                _ => of(1) & !sign | of(0) & sign,
            };
        }
        let of = |k: usize| v.get(k).map_or(0.0, |bits| to_float(ty, *bits));
        if base == "min" || base == "max" {
            return extreme(ty, &base, v);
        }
        if ty.bits == 64 && flushes {
            // Of the operand and of the result the high words only; an exponent of zeros means zero.
            let high =
                |bits: u64| if (bits << 1) >> 53 == 0 { bits >> 63 << 63 } else { bits & !0xffff_ffff };
            return if of(0).is_nan() {
                v[0]
            } else {
                high(f(f64::from_bits(high(v[0])), 0.0, 0.0).to_bits())
            };
        }
        if ty.bits == 64 {
            return f(of(0), of(1), of(2)).to_bits();
        }
        let flush = |value: f32| if flushes && value.is_subnormal() { 0f32.copysign(value) } else { value };
        // Double precision has more than twice the digits, so rounding twice is harmless, but for fma.
        let single = match base.as_str() {
            "fma" if toward_zero => return fma_toward_zero(of(0), of(1), of(2)),
            "fma" => (of(0) as f32).mul_add(of(1) as f32, of(2) as f32),
            _ => flush(f(flush(of(0) as f32).into(), of(1), of(2)) as f32),
        };
        u64::from(if single.is_nan() { 0x7fff_ffff } else { single.to_bits() })
    };
    Some((Signature { result: own, sources: vec![own; sources] }, Box::new(reference)))
}

/// For the edge values: where the sum in double precision is exact, or a part of it negligible.
fn fma_toward_zero(a: f64, b: f64, c: f64) -> u64 {
    let rounded = (a as f32).mul_add(b as f32, c as f32);
    if rounded.is_nan() {
        return 0x7fff_ffff;
    }
    let is_infinite = a.is_infinite() || b.is_infinite() || c.is_infinite();
    if rounded.is_infinite() && !is_infinite {
        return f32::MAX.copysign(rounded).to_bits().into();
    }
    if is_infinite || rounded == 0.0 {
        return rounded.to_bits().into();
    }
    // The next value toward zero is right if the rounded one lies further from zero than the exact result.
    let (product, sum) = (a * b, a * b + c);
    let lost = if product.abs() > c.abs() { c - (sum - product) } else { product - (sum - c) };
    let difference = (f64::from(rounded) - sum) - lost;
    let is_away = difference != 0.0 && (difference > 0.0) == (rounded > 0.0);
    u64::from(if is_away { rounded.to_bits() - 1 } else { rounded.to_bits() })
}

/// −0 is below +0, and a NaN gives way to a number.
fn extreme(ty: Type, base: &str, v: &[u64]) -> u64 {
    let (a, b) = (to_float(ty, v[0]), to_float(ty, v[1]));
    let low = |bits: u64| bits & (u64::MAX >> (64 - ty.bits));
    if a.is_nan() && b.is_nan() {
        return if ty.bits == 32 { 0x7fff_ffff } else { 0x7ff8_0000_0000_0000 };
    }
    if a.is_nan() || b.is_nan() {
        return low(if a.is_nan() { v[1] } else { v[0] });
    }
    let is_first = (a.total_cmp(&b) == std::cmp::Ordering::Less) == (base == "min");
    low(if is_first { v[0] } else { v[1] })
}
