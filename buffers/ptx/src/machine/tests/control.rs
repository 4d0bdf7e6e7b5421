//! Branches, calls, barriers of the block, ends.

use crate::machine::Options;
use crate::testing::{Array, kernel, launch, launch_with};

/// The words that threads store: `%d0` of each.
fn results(declarations: &str, body: &str, grid: u32, block: u32) -> Result<Vec<u64>, String> {
    let out = Array::zeros((grid * block) as usize);
    let body = format!("{body}\nadd.s64 %d8, %p0, %o; st.global.u64 [%d8], %d0;");
    launch(&kernel(1, declarations, &body), grid, block, &[out.address()])?;
    Ok(out.words())
}

#[test]
fn nested_branches_and_loops_compute_each_lane() {
    // The number of steps of the Collatz sequence, with lanes that leave the loop at different times.
    let body = "cvt.u64.u32 %d1, %i; add.s64 %d1, %d1, 1; mov.u64 %d0, 0;
        A: setp.eq.s64 %q0, %d1, 1; @%q0 bra.uni END;
        and.b64 %d2, %d1, 1; setp.eq.s64 %q1, %d2, 0; @%q1 bra EVEN;
        mul.lo.s64 %d1, %d1, 3; add.s64 %d1, %d1, 1; bra NEXT;
        EVEN: shr.u64 %d1, %d1, 1;
        NEXT: add.s64 %d0, %d0, 1; bra A;
        END: ";
    let steps = |mut value: u64| {
        let mut count = 0;
        while value != 1 {
            value = if value.is_multiple_of(2) { value / 2 } else { 3 * value + 1 };
            count += 1;
        }
        count
    };
    let expected: Vec<u64> = (1..=3 * 45).map(steps).collect();
    assert_eq!(results("", body, 3, 45), Ok(expected));
}

#[test]
fn lanes_meet_after_a_branch() {
    // After the branch the whole warp issues together: 2 instructions, and not 32 times 2.
    let body =
        "shl.b32 %r0, 1, %t2; mov.u32 %r1, 0; and.b32 %r2, %t2, 1; setp.ne.s32 %q0, %r2, 0; @%q0 bra A;
        add.s32 %r1, %r1, 7; A: activemask.b32 %r3; cvt.u64.u32 %d0, %r3;";
    assert_eq!(results("", body, 1, 32), Ok(vec![0xffff_ffff; 32]));
}

#[test]
fn calls_pass_parameters_and_results() {
    // A function that branches and returns at two places, and one that calls it.
    let declarations = ".func (.param .b32 result) half(.param .b64 x, .param .b32 y);
.func (.param .b32 result) half(.param .b64 x, .param .b32 y)
{ .reg .pred %q<2>; .reg .b32 %r<4>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [x]; ld.param.u32 %r0, [y]; cvt.u32.u64 %r1, %d0; setp.lt.u32 %q0, %r1, 20; @%q0 bra LOW;
  add.s32 %r2, %r1, %r0; st.param.b32 [result], %r2; ret;
  LOW: shl.b32 %r2, %r1, 1; setp.lt.u32 %q1, %r1, 10; @%q1 bra TINY; add.s32 %r2, %r2, 1000;
  TINY: st.param.b32 [result], %r2; ret; }
.func (.param .b32 result) twice(.param .b64 x)
{ .reg .b32 %r<4>; .reg .b64 %d<2>; ld.param.u64 %d0, [x];
  { .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %d0; st.param.b32 [b], 100;
    call.uni (c), half, (a, b); ld.param.b32 %r0, [c]; }
  add.s32 %r0, %r0, %r0; st.param.b32 [result], %r0; ret; }";
    let body = "cvt.u64.u32 %d1, %i; { .param .b64 a; .param .b32 c; st.param.b64 [a], %d1; call.uni (c), twice, (a);
        ld.param.b32 %r0, [c]; } activemask.b32 %r1; cvt.u64.u32 %d2, %r1; cvt.u64.u32 %d0, %r0; shl.b64 %d2, %d2, 32;
        or.b64 %d0, %d0, %d2;";
    let half = |x: u64| match x {
        0..10 => 2 * x,
        10..20 => 2 * x + 1000,
        _ => x + 100,
    };
    let expected: Vec<u64> = (0..32).map(|lane| 2 * half(lane) | 0xffff_ffff << 32).collect();
    assert_eq!(results(declarations, body, 1, 32), Ok(expected));
}

#[test]
fn calls_pass_two_registers_in_one_result() {
    // As libdevice's range reduction does: 16 bytes with a double and an integer, and its local memory.
    let declarations = ".func (.param .align 8 .b8 result[16]) split(.param .b64 x)
{ .local .align 8 .b8 stack[16]; .reg .b32 %r<2>; .reg .b64 %d<4>; mov.u64 %d3, stack; ld.param.u64 %d0, [x];
  st.local.u64 [%d3+8], %d0; add.s64 %d1, %d0, 7; ld.local.u64 %d2, [%d3+8]; cvt.u32.u64 %r0, %d2;
  st.param.b64 [result+0], %d1; st.param.b32 [result+8], %r0; ret; }
.func (.param .b64 result) next(.param .b64 x)
{ .reg .b64 %d<2>; ld.param.u64 %d0, [x]; add.s64 %d1, %d0, 1; st.param.b64 [result], %d1; ret; }";
    // The second scope has a smaller variable of the same name.
    let body = "cvt.u64.u32 %d1, %i; { .param .b64 a; .param .align 8 .b8 c[16]; st.param.b64 [a], %d1;
        call.uni (c), split, (a); ld.param.b64 %d2, [c+0]; ld.param.b32 %r0, [c+8]; }
        { .param .b64 a; .param .b64 c; st.param.b64 [a], %d2; call.uni (c), next, (a); ld.param.b64 %d2, [c]; }
        cvt.u64.u32 %d0, %r0; shl.b64 %d0, %d0, 32; or.b64 %d0, %d0, %d2;";
    let expected: Vec<u64> = (0..32).map(|lane| lane << 32 | (lane + 8)).collect();
    assert_eq!(results(declarations, body, 1, 32), Ok(expected));
    let wrong = ".param .align 8 .b8 c[16]; st.param.b32 [c+4], %r0;";
    assert!(results("", wrong, 1, 32).unwrap_err().contains("unknown form"));
    let other = ".param .b64 a; .param .align 8 .b8 c[16]; call.uni (c), next, (a);";
    assert!(results(declarations, other, 1, 32).unwrap_err().contains("1 results, not 2"));
}

#[test]
fn endless_recursion_is_a_fault() {
    let declarations = ".func f() { call.uni f; ret; }";
    assert!(results(declarations, "call.uni f;", 1, 32).unwrap_err().contains("too deep"));
}

#[test]
fn barrier_orders_shared_memory() {
    for (threads, reverse) in [(256u32, 255u32), (70, 69), (33, 32)] {
        let body = format!(
            ".shared .align 8 .b8 tile[2048]; mov.u64 %d1, tile; add.s64 %d2, %d1, %o; cvt.u64.u32 %d3, %t2;
             st.shared.u64 [%d2], %d3; bar.sync 0; sub.u32 %r0, {reverse}, %t2; mul.wide.u32 %d4, %r0, 8;
             add.s64 %d4, %d1, %d4; ld.shared.u64 %d0, [%d4];"
        );
        let expected: Vec<u64> = (0..u64::from(threads)).rev().collect();
        assert_eq!(results("", &body, 1, threads), Ok(expected));
    }
}

#[test]
fn barriers_reduce_predicates() {
    for (set, count) in [(0u32, 0u64), (1, 1), (40, 40), (64, 64)] {
        for (form, expected) in [
            ("bar.red.or.pred %q0, 0, %q1; selp.u64 %d0, 1, 0, %q0;", u64::from(count > 0)),
            ("bar.red.and.pred %q0, 0, %q1; selp.u64 %d0, 1, 0, %q0;", u64::from(count == 64)),
            ("bar.red.popc.u32 %r0, 0, %q1; cvt.u64.u32 %d0, %r0;", count),
        ] {
            let body = format!("setp.lt.u32 %q1, %t2, {set}; {form}");
            assert_eq!(results("", &body, 1, 64), Ok(vec![expected; 64]), "{form}");
        }
    }
}

#[test]
fn counted_barrier_waits_for_its_threads_only() {
    // The first two of four warps meet at barrier 1; the others do not come to it.
    let body = "mov.u64 %d0, 1; setp.ge.u32 %q0, %t2, 64; @%q0 bra A; bar.sync 1, 64; mov.u64 %d0, 2; A: bar.sync 0;";
    let expected: Vec<u64> = (0..128).map(|thread| if thread < 64 { 2 } else { 1 }).collect();
    assert_eq!(results("", body, 1, 128), Ok(expected));
}

#[test]
fn divergent_barriers_are_faults() {
    let body = "setp.lt.u32 %q0, %t2, 20; @%q0 bra A; bar.sync 0; bra B; A: bar.sync 0; B: mov.u64 %d0, 0;";
    assert!(results("", body, 1, 64).unwrap_err().contains("divergent barrier"));
    let predicated = "setp.lt.u32 %q0, %t2, 20; @%q0 bar.sync 0; mov.u64 %d0, 0;";
    assert!(results("", predicated, 1, 32).unwrap_err().contains("predicate that differs"));
    let wrong = "mov.u32 %r0, 16; bar.sync %r0; mov.u64 %d0, 0;";
    assert!(results("", wrong, 1, 32).unwrap_err().contains("barrier that does not exist"));
}

#[test]
fn return_before_a_barrier_is_a_fault_only_if_strict() {
    let body = "setp.ge.u32 %q0, %t2, 40; @%q0 ret; bar.sync 0;";
    let text = kernel(1, "", body);
    launch(&text, 1, 64, &[0]).unwrap();
    let strict = Options { strict_exit: true, ..Options::default() };
    let report = launch_with(&text, 1, 64, &[0], &strict).unwrap_err();
    assert!(report.contains("24 threads returned while 40 threads wait"), "{report}");
}

#[test]
fn trap_is_a_fault_of_its_lane() {
    let report =
        launch(&kernel(1, "", "setp.ne.u32 %q0, %t2, 5; @%q0 bra A; trap; A: "), 1, 32, &[0]).unwrap_err();
    assert!(report.contains("trap in lane 5") && report.contains("kernel k"), "{report}");
}

#[test]
fn endless_spin_is_a_hang() {
    let cell = Array::zeros(1);
    let options = Options { hang_ticks: 1, ..Options::default() };
    let body = "A: ld.volatile.global.u32 %r0, [%p0]; nanosleep.u32 20; setp.eq.s32 %q0, %r0, 0; @%q0 bra A;";
    let report = launch_with(&kernel(1, "", body), 2, 64, &[cell.address()], &options).unwrap_err();
    assert!(report.contains("hang"), "{report}");
}

#[test]
fn instructions_without_effect_run() {
    let body = "membar.cta; membar.gl; fence.acq_rel.gpu; fence.sc.sys; griddepcontrol.wait;
        griddepcontrol.launch_dependents; nanosleep.u32 20; mov.u64 %d0, 3; exit;";
    assert_eq!(results("", body, 1, 1), Ok(vec![0]));
}
