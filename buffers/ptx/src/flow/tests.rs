//! Meeting places of known graphs, and slots of registers against a naive execution.

use crate::parser::parse;
use crate::program::{NONE, Op};
use crate::testing::{Array, kernel, launch};

/// The meeting place of each guarded branch: how many instructions into the kernel, by the label there.
fn meetings(body: &str) -> Vec<Option<u32>> {
    let text = format!(".entry k() {{ .reg .pred %q<9>; .reg .b32 %r<9>; {body} }}");
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let guarded = module.code.iter().filter(|inst| inst.guard != NONE);
    guarded
        .filter_map(|inst| match inst.op {
            Op::Branch { reconverge, .. } => Some((reconverge != NONE).then_some(reconverge)),
            _ => None,
        })
        .collect()
}

#[test]
fn branches_meet_at_their_post_dominators() {
    // If, then else.
    let both = "@%q0 bra A; mov.u32 %r0, 1; bra B; A: mov.u32 %r0, 2; B: mov.u32 %r1, 3; ret;";
    assert_eq!(meetings(both), [Some(4)]);
    // A loop's exit.
    let around = "A: mov.u32 %r0, 1; @%q0 bra A; mov.u32 %r1, 2; ret;";
    assert_eq!(meetings(around), [Some(2)]);
    // A branch within a loop meets before the loop goes round.
    let nested = "A: @%q1 bra B; mov.u32 %r0, 1; B: mov.u32 %r1, 2; @%q0 bra A; ret;";
    assert_eq!(meetings(nested), [Some(2), Some(4)]);
    // Paths that return apart meet nowhere.
    let apart = "@%q0 bra A; ret; A: mov.u32 %r0, 1; ret;";
    assert_eq!(meetings(apart), [None]);
    // A guarded return is a path too.
    let early = "@%q0 bra A; @%q1 ret; A: mov.u32 %r0, 1; ret;";
    assert_eq!(meetings(early), [None]);
}

#[test]
fn registers_of_a_chain_share_slots() {
    let mut body = ".reg .b64 %x<400>; mov.u64 %x0, 1;\n".to_owned();
    for k in 1..400 {
        body += &format!("add.s64 %x{k}, %x{}, {k};\n", k - 1);
    }
    body += "st.global.u64 [%p0], %x399;";
    let text = kernel(1, "", &body);
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    // Constants keep their slots; the 400 registers need two.
    let function = &module.functions[0];
    assert!(function.slots < function.constants.len() + 20, "{} slots", function.slots);
    let out = Array::zeros(1);
    launch(&text, 1, 1, &[out.address()]).unwrap();
    assert_eq!(out.words(), [1 + (1..400).sum::<u64>()]);
}

#[test]
fn register_that_lives_around_a_loop_keeps_its_slot() {
    // %d1 is read in each round before it is written, %d2 is written before the loop and read after it.
    let body = "
        mov.u64 %d0, 0; mov.u64 %d1, 1; mov.u64 %d2, 77;
        A: add.s64 %d3, %d1, %d1; mov.u64 %d4, %d3; mov.u64 %d1, %d4;
        add.s64 %d0, %d0, 1; setp.lt.u64 %q0, %d0, 10; @%q0 bra A;
        add.s64 %d5, %d1, %d2; st.global.u64 [%p0], %d5;";
    let out = Array::zeros(1);
    launch(&kernel(1, "", body), 1, 1, &[out.address()]).unwrap();
    assert_eq!(out.words(), [1024 + 77]);
}

#[test]
fn guarded_write_keeps_the_old_value_in_other_lanes() {
    let body = "
        mov.u32 %r0, 5; setp.lt.u32 %q0, %i, 3;
        @%q0 mov.u32 %r0, 9; mov.u32 %r1, 100; @!%q0 mov.u32 %r1, 200; add.s32 %r2, %r0, %r1;
        cvt.u64.u32 %d0, %r2; add.s64 %d1, %p0, %o; st.global.u64 [%d1], %d0;";
    let out = Array::zeros(32);
    launch(&kernel(1, "", body), 1, 32, &[out.address()]).unwrap();
    let expected: Vec<u64> = (0..32).map(|lane| if lane < 3 { 109 } else { 205 }).collect();
    assert_eq!(out.words(), expected);
}
