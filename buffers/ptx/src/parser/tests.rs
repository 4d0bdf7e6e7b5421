use super::parse;
use crate::testing::kernel;

fn error_of(text: &str) -> String {
    parse(text).map_or_else(|error| error.to_string(), |_| "no error".to_owned())
}

#[test]
fn unknown_forms_are_errors_with_their_line() {
    for form in [
        "add.sat.s32 %r0, %r1, %r2;",
        "add.s32.rn %r0, %r1, %r2;",
        "mul.s32 %r0, %r1, %r2;",
        "mad.lo.sat.s32 %r0, %r1, %r2, %r3;",
        "add.rz.f32 %r0, %r1, %r2;",
        "add.ftz.f32 %r0, %r1, %r2;",
        "div.ftz.f32 %r0, %r1, %r2;",
        "cvt.sat.u8.s32 %s0, %r1;",
        "cvt.f32.s32 %r0, %r1;",
        "cvt.s64.f64 %d0, %d1;",
        "setp.xor.s32 %q0, %r1, %r2;",
        "setp.lt.or.s32 %q0, %r1, %r2, %q1;",
        "setp.lt.b32 %q0, %r1, %r2;",
        "shl.s32 %r0, %r1, %r2;",
        "min.f16 %s0, %s1, %s2;",
        "ld.global.v8.u32 %r0, [%d0];",
        "ld.global.v4.u64 {%d0, %d1, %d2, %d3}, [%d4];",
        "ld.global.b128 %d0, [%d1];",
        "ld.mmio.global.u32 %r0, [%d0];",
        "st.async.global.u32 [%d0], %r0;",
        "st.param.u32 [p0], %r0;",
        "atom.global.inc.u32 %r0, [%d0], %r1;",
        "atom.global.add.f16 %s0, [%d0], %s1;",
        "atom.global.cas.b128 %d0, [%d1], %d2, %d3;",
        "atom.global.min.f32 %r0, [%d0], %r1;",
        "red.global.cas.b32 [%d0], %r1, %r2;",
        "bar.arrive 0, 64;",
        "bar.red.xor.pred %q0, 0, %q1;",
        "barrier.cluster.arrive;",
        "shfl.up.b32 %r0, %r1, 1, 0;",
        "shfl.sync.up.b64 %d0, %d1, 1, 0, -1;",
        "vote.sync.ballot.pred %q0, %q1, -1;",
        "match.any.b32 %r0, %r1, -1;",
        "cvta.param.u64 %d0, %d1;",
        "cp.async.ca.shared.global [%d0], [%d1], 16;",
        "brx.idx %r0, targets;",
        "elect.sync %r0|%q0, -1;",
        "fence.proxy.async;",
        "bfind.s32 %r0, %r1;",
        "prmt.b32.f4e %r0, %r1, %r2, %r3;",
        "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [t, {%r4, %r5}];",
    ] {
        let text = kernel(1, "", form);
        let line = text.lines().position(|line| line == form).unwrap() + 1;
        let error = error_of(&text);
        assert!(error.starts_with(&format!("PTX line {line}: ")), "{form}: {error}");
    }
}

#[test]
fn wrong_operands_are_errors() {
    for body in [
        "add.s32 %r0, %r1;",
        "add.s32 %r0, %r1, %r2, %r3;",
        "add.s32 %r0|%q0, %r1, %r2;",
        "setp.lt.s32 %q0|%q1, %r1, %r2;",
        "add.s32 %r0, %r1, %nosuch;",
        "mov.u32 %r0, %clock;",
        "mov.u32 %r0, %tid.w;",
        "add.s32 5, %r1, %r2;",
        "ld.global.v2.u32 %r0, [%d0];",
        "ld.global.v2.u32 {%r0, %r1, %r2}, [%d0];",
        "atom.global.cas.b32 %r0, [%d0], %r1;",
        "atom.global.add.u32 %r0, [%d0], %r1, %r2;",
        "mov.b64 %d0, {%r0, %r1, %r2};",
        "vote.sync.any.pred %q0|%q1, %q2, -1;",
        "cvt.s32.s8 %d0, %s1;",
        "bra nowhere;",
        "call nothing;",
        ".nosuch 5;",
        "{ ",
    ] {
        assert_ne!(error_of(&kernel(1, "", body)), "no error", "{body}");
    }
}

#[test]
fn unknown_directives_are_errors() {
    for declarations in [
        ".global .align 8 .u64 table[2] = {one, two};",
        ".global .align 4 .b8 small[2] = {1, 2, 3};",
        ".tex .u64 texture;",
        ".func (.param .align 16 .b8 r[32]) f() { ret; }",
        ".func f() .alias { ret; }",
    ] {
        assert_ne!(error_of(&kernel(1, declarations, "")), "no error", "{declarations}");
    }
    assert_eq!(error_of(&kernel(1, "", "")), "no error");
    assert!(error_of("garbage").contains("unknown directive garbage"));
    assert!(error_of(".visible .entry k() { add.s32").contains("the text ends"));
    assert!(error_of(".visible .entry k() { }").contains("does not end"));
}

#[test]
fn source_lines_are_those_of_loc() {
    let text = "
.version 9.0
.entry k()
{
.reg .b32 %r<2>;
mov.u32 %r0, 1;
.loc 1 27 3
mov.u32 %r0, 2;
.loc 2 134 3, function_name $L__info_string0, inlined_at 1 29 5
mov.u32 %r0, 3;
.loc 1 0 0
ret;
}
.file 1 \"/src/filter.cu\"
.file 2 \"/include/kernel.h\", 1700000000, 12
.section .debug_str
{
$L__info_string0:
.b8 95,90,0
}
";
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let places: Vec<String> = module.code.iter().map(|inst| module.place(inst)).collect();
    let expected = [
        "mov.u32 (PTX line 6)",
        "filter.cu:27, mov.u32 (PTX line 8)",
        "kernel.h:134, inlined at filter.cu:29, mov.u32 (PTX line 10)",
        "ret (PTX line 12)",
    ];
    assert_eq!(places, expected);
}

#[test]
fn calls_must_fit_their_functions() {
    let two = ".func f(.param .b64 x, .param .b64 y) { ret; }";
    let body = "{ .param .b64 a; st.param.b64 [a], %d0; call.uni f, (a); }";
    assert!(error_of(&kernel(1, two, body)).contains("takes 2 parameters, not 1"));
}
