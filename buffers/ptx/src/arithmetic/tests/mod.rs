//! Each form of the committed list, and those of the next kernels, against plain arithmetic: parsed and executed
//! as a kernel over all pairs of edge values.

mod reference;

use crate::testing::{Array, kernel, launch};
use reference::{Signature, reference};

/// Forms that the kernels do not use today and the machine executes.
const MORE: [&str; 37] = [
    "bfind.shiftamt.u32",
    "bfind.shiftamt.u64",
    "mul.hi.u16",
    "mul.hi.s16",
    "mul.wide.u16",
    "mul.wide.s16",
    "mad.wide.u32",
    "mad.wide.s32",
    "mad.hi.s32",
    "mad.lo.u64",
    "bfe.u32",
    "bfe.u64",
    "bfi.b32",
    "lop3.b32",
    "bfind.u32",
    "brev.b64",
    "shf.l.clamp.b32",
    "shf.r.clamp.b32",
    "cvt.u8.u32",
    "cvt.s8.s32",
    "cvt.rni.s32.f32",
    "cvt.rmi.s64.f32",
    "cvt.rpi.u32.f64",
    "min.f32",
    "max.f32",
    "min.f64",
    "max.f64",
    "setp.equ.f32",
    "setp.num.f64",
    "setp.lt.and.s32",
    "add.f32",
    "rcp.rn.f64",
    "xor.b64",
    "ex2.approx.ftz.f32",
    "lg2.approx.ftz.f32",
    "rcp.approx.ftz.f64",
    "rsqrt.approx.ftz.f64",
];

/// The forms that the kernels use, one a line.
pub(crate) fn forms_of_kernels() -> Vec<&'static str> {
    include_str!("../../../forms.txt").lines().filter(|line| !line.is_empty()).collect()
}

const INTEGERS: [u64; 24] = [
    0,
    1,
    2,
    3,
    7,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    100,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1234_5678_9abc_def0,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_0000_0000,
    u64::MAX,
];

const FLOATS: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    2.5,
    -2.5,
    0.1,
    1e-310,
    -1e-40,
    3e9,
    -3e9,
    1e19,
    -1e19,
    1e30,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn values(kind: &str) -> Vec<u64> {
    match kind {
        "f64" => FLOATS.iter().map(|value| value.to_bits()).collect(),
        "f32" => FLOATS.iter().map(|value| u64::from((*value as f32).to_bits())).collect(),
        "p" => vec![0, 1],
        _ => INTEGERS.to_vec(),
    }
}

fn register(kind: &str, number: usize) -> String {
    match kind {
        "p" => format!("%q{number}"),
        "16" => format!("%s{number}"),
        "32" | "f32" => format!("%r{number}"),
        _ => format!("%d{number}"),
    }
}

/// Executes a form over operands; all of one operand lie in one array.
fn execute(form: &str, signature: &Signature, operands: &[Vec<u64>]) -> Vec<u64> {
    let mut body = String::new();
    let mut names = Vec::new();
    for (k, kind) in signature.sources.iter().enumerate() {
        body += &format!("add.s64 %d8, %p{}, %o;\n", k + 1);
        let name = register(kind, k);
        body += &match *kind {
            "p" => format!("ld.global.u64 %d7, [%d8]; setp.ne.s64 {name}, %d7, 0;\n"),
            "16" => format!("ld.global.u16 {name}, [%d8];\n"),
            "32" | "f32" => format!("ld.global.u32 {name}, [%d8];\n"),
            _ => format!("ld.global.u64 {name}, [%d8];\n"),
        };
        names.push(name);
    }
    let d = register(signature.result, 5);
    body += &format!("{form} {d}, {};\n", names.join(", "));
    body += &match signature.result {
        "p" => format!("selp.b64 %d6, 1, 0, {d};\n"),
        "16" => format!("cvt.u64.u16 %d6, {d};\n"),
        "32" | "f32" => format!("cvt.u64.u32 %d6, {d};\n"),
        _ => format!("mov.b64 %d6, {d};\n"),
    };
    body += "add.s64 %d8, %p0, %o; st.global.u64 [%d8], %d6;";
    let count = operands[0].len();
    let out = Array::zeros(count);
    let arrays: Vec<Array> = operands.iter().cloned().map(Array::new).collect();
    let mut params = vec![out.address()];
    params.extend(arrays.iter().map(Array::address));
    assert_eq!(count % 16, 0);
    let text = kernel(params.len(), "", &body);
    launch(&text, (count / 16) as u32, 16, &params).unwrap_or_else(|error| panic!("{form}: {error}\n{text}"));
    out.words()
}

/// Every combination of the operands' values, repeated to fill blocks of 16 threads.
fn combinations(kinds: &[&str]) -> Vec<Vec<u64>> {
    let all: Vec<Vec<u64>> = kinds.iter().map(|kind| values(kind)).collect();
    let mut count: usize = all.iter().map(Vec::len).product();
    // Of four operands a part.
    let stride = if count > 20_000 { 37 } else { 1 };
    count = (count / stride).next_multiple_of(16);
    let mut operands = vec![Vec::new(); kinds.len()];
    for at in 0..count {
        let mut rest = at * stride;
        for (operand, values) in operands.iter_mut().zip(&all) {
            operand.push(values[rest % values.len()]);
            rest /= values.len();
        }
    }
    operands
}

fn is_same(kind: &str, one: u64, other: u64) -> bool {
    let both_nan = match kind {
        "f64" => f64::from_bits(one).is_nan() && f64::from_bits(other).is_nan(),
        _ => false,
    };
    one == other || both_nan
}

#[test]
fn each_form_agrees_with_plain_arithmetic() {
    let mut tested = 0;
    for form in forms_of_kernels().into_iter().chain(MORE) {
        let Some((signature, expected)) = reference(form) else { continue };
        let operands = combinations(&signature.sources);
        let results = execute(form, &signature, &operands);
        for (at, result) in results.into_iter().enumerate() {
            let inputs: Vec<u64> = operands.iter().map(|operand| operand[at]).collect();
            let expected = expected(&inputs);
            assert!(
                is_same(signature.result, result, expected),
                "{form} of {inputs:x?} is {result:#x}, not {expected:#x}"
            );
        }
        tested += 1;
    }
    assert!(tested > 200, "{tested} forms");
}

/// Forms of these opcodes have tests of their own.
const ELSEWHERE: [&str; 29] = [
    "activemask",
    "atom",
    "bar",
    "bra",
    "call",
    "cvta",
    "exit",
    "fence",
    "griddepcontrol",
    "ld",
    "match",
    "membar",
    "nanosleep",
    "red",
    "redux",
    "ret",
    "shfl",
    "st",
    "trap",
    "vote",
    "barrier",
    // With the condition code: `carries_chain_over_wide_numbers`.
    "add.cc",
    "addc",
    "sub.cc",
    "subc",
    "mad.lo.cc",
    "mad.hi.cc",
    "madc",
    "madc.lo",
];

#[test]
fn each_form_of_the_kernels_is_tested() {
    for form in forms_of_kernels() {
        let is_elsewhere = ELSEWHERE.iter().any(|prefix| {
            form.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        assert!(is_elsewhere || reference(form).is_some(), "no test of {form}");
    }
}

/// What the condition code is, by what the wide operation says.
type Flag = fn(bool) -> u64;

#[test]
fn narrow_sums_and_differences_carry_over_wide_numbers() {
    // 128 bits in two 64-bit halves, then in four 32-bit quarters.
    let halves =
        "add.cc.s64 %d4, %d0, %d2; addc.cc.s64 %d5, %d1, %d3; addc.u32 %r4, 0, 0; cvt.u64.u32 %d6, %r4;";
    let borrow =
        "sub.cc.s64 %d4, %d0, %d2; subc.cc.s64 %d5, %d1, %d3; addc.u32 %r4, 0, 0; cvt.u64.u32 %d6, %r4;";
    let quarters = "mov.b64 {%r0, %r1}, %d0; mov.b64 {%r2, %r3}, %d1; mov.b64 {%r4, %r5}, %d2; \
                    mov.b64 {%r6, %r7}, %d3; add.cc.u32 %r0, %r0, %r4; addc.cc.u32 %r1, %r1, %r5; \
                    addc.cc.u32 %r2, %r2, %r6; addc.cc.u32 %r3, %r3, %r7; addc.u32 %r8, 0, 0; \
                    mov.b64 %d4, {%r0, %r1}; mov.b64 %d5, {%r2, %r3}; cvt.u64.u32 %d6, %r8;";
    let lesser = "mov.b64 {%r0, %r1}, %d0; mov.b64 {%r2, %r3}, %d1; mov.b64 {%r4, %r5}, %d2; \
                  mov.b64 {%r6, %r7}, %d3; sub.cc.u32 %r0, %r0, %r4; subc.cc.u32 %r1, %r1, %r5; \
                  subc.cc.u32 %r2, %r2, %r6; subc.cc.u32 %r3, %r3, %r7; subc.u32 %r8, 0, 0; \
                  mov.b64 %d4, {%r0, %r1}; mov.b64 %d5, {%r2, %r3}; cvt.u64.u32 %d6, %r8;";
    let wide = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
    let operands = combinations(&["64", "64", "64", "64"]);
    let cases: [(&str, bool, Flag); 4] = [
        (halves, true, |carry: bool| u64::from(carry)),
        // The flag of a subtraction is set where nothing was borrowed.
        (borrow, false, |borrow: bool| u64::from(!borrow)),
        (quarters, true, |carry: bool| u64::from(carry)),
        (lesser, false, |borrow: bool| if borrow { 0xffff_ffff } else { 0 }),
    ];
    for (code, is_sum, flag) in cases {
        let results = wide_results(code, &operands);
        for at in 0..operands[0].len() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| operands[k][at]);
            let (one, other) = (wide(a, b), wide(c, d));
            let (value, flagged) =
                if is_sum { one.overflowing_add(other) } else { one.overflowing_sub(other) };
            let expected = [value as u64, (value >> 64) as u64, flag(flagged)];
            assert_eq!(results[at], expected, "{one:#x} and {other:#x}: {code}");
        }
    }
}

#[test]
fn products_carry_over_wide_numbers() {
    // The 128-bit product of two 64-bit numbers from 32-bit parts, as CUDA's own headers multiply.
    let code = "mov.b64 {%r0, %r1}, %d0; mov.b64 {%r2, %r3}, %d2; \
                mul.lo.u32 %r4, %r0, %r2; mul.hi.u32 %r5, %r0, %r2; \
                mad.lo.cc.u32 %r5, %r0, %r3, %r5; madc.hi.u32 %r6, %r0, %r3, 0; \
                mad.lo.cc.u32 %r5, %r1, %r2, %r5; madc.hi.cc.u32 %r6, %r1, %r2, %r6; addc.u32 %r7, 0, 0; \
                mad.lo.cc.u32 %r6, %r1, %r3, %r6; madc.hi.u32 %r7, %r1, %r3, %r7; \
                mov.b64 %d4, {%r4, %r5}; mov.b64 %d5, {%r6, %r7}; mov.u64 %d6, 0;";
    let operands = combinations(&["64", "64", "64", "64"]);
    let results = wide_results(code, &operands);
    for at in 0..operands[0].len() {
        let (a, b) = (operands[0][at], operands[2][at]);
        let product = u128::from(a) * u128::from(b);
        assert_eq!(results[at], [product as u64, (product >> 64) as u64, 0], "{a:#x} * {b:#x}");
    }
}

/// Runs code with operands in `%d0` to `%d3`, results in `%d4` to `%d6`.
fn wide_results(code: &str, operands: &[Vec<u64>]) -> Vec<[u64; 3]> {
    let count = operands[0].len();
    let outs = [0; 3].map(|_| Array::zeros(count));
    let inputs: Vec<Array> = operands.iter().cloned().map(Array::new).collect();
    let mut body = String::new();
    for k in 0..4 {
        body += &format!("add.s64 %d8, %p{}, %o; ld.global.u64 %d{k}, [%d8];\n", k + 3);
    }
    body += code;
    for k in 0..3 {
        body += &format!("\nadd.s64 %d8, %p{k}, %o; st.global.u64 [%d8], %d{};", k + 4);
    }
    let params: Vec<u64> = outs.iter().chain(&inputs).map(Array::address).collect();
    launch(&kernel(7, "", &body), (count / 16) as u32, 16, &params).unwrap();
    let [low, high, flag] = outs.map(|out| out.words());
    (0..count).map(|at| [low[at], high[at], flag[at]]).collect()
}

#[test]
fn fma_toward_zero_truncates_the_exact_result() {
    let (signature, _) = reference("fma.rn.f32").unwrap();
    let mut state = 1u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Exponents that are near each other.
        u64::from(
            f32::from_bits((state as u32 & 0x807f_ffff) | (120 + (state >> 40) as u32 % 14) << 23).to_bits(),
        )
    };
    let operands: Vec<Vec<u64>> = (0..3).map(|_| (0..4096).map(|_| random()).collect()).collect();
    let results = execute("fma.rz.f32", &signature, &operands);
    for (at, result) in results.into_iter().enumerate() {
        let float = |k: usize| f32::from_bits(operands[k][at] as u32);
        // Exact in 128-bit integers, in units of 2^-74.
        let exact = |value: f32, unit: i32| -> i128 {
            let bits = value.to_bits();
            let mantissa = i128::from(bits & 0x7f_ffff | 0x80_0000);
            let shift = (bits >> 23 & 255) as i32 - 150 + unit;
            if value < 0.0 { -(mantissa << shift) } else { mantissa << shift }
        };
        let sum = exact(float(0), 37) * exact(float(1), 37) + exact(float(2), 74);
        let magnitude = sum.unsigned_abs();
        let bits = 128 - magnitude.leading_zeros() as i32;
        let drop = (bits - 24).max(0);
        let truncated = (magnitude >> drop) as f64 * 2f64.powi(drop - 74);
        let expected = if sum < 0 { -truncated } else { truncated } as f32;
        assert_eq!(f32::from_bits(result as u32), expected, "{} * {} + {}", float(0), float(1), float(2));
    }
}
