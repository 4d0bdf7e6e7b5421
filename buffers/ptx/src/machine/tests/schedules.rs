//! Results do not depend on the schedule; lanes and blocks that wait for one another make progress.

use crate::machine::Options;
use crate::testing::{Array, kernel, launch_with};

fn schedules() -> Vec<Options> {
    let plain = Options::default();
    let mut all = vec![plain, Options { resident: 4, ..plain }, Options { resident: 3, quantum: 3, ..plain }];
    for seed in 1..4 {
        all.push(Options { seed, resident: 3, quantum: 8, shuffle_blocks: seed % 2 == 0, ..plain });
    }
    all
}

/// A spin lock that lanes of one warp take in turn: the one that has it must get on while others spin.
#[test]
fn spin_lock_within_a_warp_ends() {
    let body = "A: atom.global.cas.b32 %r0, [%p0], 0, 1; setp.ne.s32 %q0, %r0, 0; @%q0 bra A;
        ld.volatile.global.u32 %r1, [%p1]; add.s32 %r1, %r1, 1; st.volatile.global.u32 [%p1], %r1; membar.gl;
        atom.global.exch.b32 %r0, [%p0], 0;";
    for options in schedules() {
        let (lock, counter) = (Array::zeros(1), Array::zeros(1));
        launch_with(&kernel(2, "", body), 2, 36, &[lock.address(), counter.address()], &options)
            .unwrap_or_else(|error| panic!("{options:?}: {error}"));
        assert_eq!(counter.words(), [72], "{options:?}");
    }
}

/// Blocks that wait for the block before them, in the order in which they begin.
#[test]
fn look_back_over_blocks_ends() {
    // A ticket says which block this is; it adds its 1 to the sum of the block before.
    let body =
        "setp.ne.u32 %q0, %t2, 0; @%q0 bra END; atom.global.add.u32 %r0, [%p0], 1; mul.wide.u32 %d0, %r0, 4;
        add.s64 %d0, %p1, %d0; mov.u32 %r1, 0; setp.eq.u32 %q1, %r0, 0; @%q1 bra WRITE;
        WAIT: ld.acquire.gpu.u32 %r1, [%d0+-4]; setp.eq.u32 %q2, %r1, 0; @%q2 bra WAIT;
        WRITE: add.s32 %r1, %r1, 1; st.release.gpu.u32 [%d0], %r1; END: ";
    for options in schedules() {
        let (ticket, sums) = (Array::zeros(1), Array::zeros(8));
        let check = Options { check_order: true, ..options };
        launch_with(&kernel(2, "", body), 16, 64, &[ticket.address(), sums.address()], &check)
            .unwrap_or_else(|error| panic!("{options:?}: {error}"));
        assert_eq!(sums.halves(), (1..=16).collect::<Vec<u32>>(), "{options:?}");
    }
}

#[test]
fn same_seed_gives_the_same_schedule() {
    // The order in which blocks come to a counter.
    let body =
        "setp.ne.u32 %q0, %t2, 0; @%q0 bra END; atom.global.add.u32 %r0, [%p0], 1; mul.wide.u32 %d0, %r0, 4;
        add.s64 %d0, %p1, %d0; st.global.u32 [%d0], %t0; END: ";
    let order = |options: &Options| {
        let (counter, order) = (Array::zeros(1), Array::zeros(16));
        launch_with(&kernel(2, "", body), 32, 96, &[counter.address(), order.address()], options).unwrap();
        order.halves()
    };
    let of = |seed| Options { seed, resident: 3, quantum: 8, shuffle_blocks: true, ..Options::default() };
    assert_eq!(order(&of(7)), order(&of(7)));
    assert_ne!(order(&of(7)), order(&of(8)));
    assert_eq!(order(&Options::default()), (0..32).collect::<Vec<u32>>());
}

#[test]
fn unordered_accesses_are_found_with_their_places() {
    let check = Options { check_order: true, ..Options::default() };
    for (body, kind) in [
        // Two warps, two lanes and two blocks write one word.
        ("mov.u32 %r0, 1; st.global.u32 [%p0], %r0;", "write after write"),
        (
            "setp.ne.u32 %q0, %t2, 0; @%q0 bra A; st.global.u32 [%p0], 1; bra B; A: ld.global.u32 %r0, [%p0]; B: ",
            "race",
        ),
        (
            ".shared .align 4 .b8 tile[4]; ld.shared.u32 %r0, [tile]; setp.ne.u32 %q0, %t2, 40; @%q0 bra A; \
          st.shared.u32 [tile], 1; A: ",
            "race",
        ),
    ] {
        let cell = Array::zeros(1);
        let report = launch_with(&kernel(1, "", body), 1, 64, &[cell.address()], &check).unwrap_err();
        assert!(report.contains(kind) && report.contains("PTX line"), "{body}: {report}");
    }
    let ordered = ".shared .align 4 .b8 tile[4]; setp.ne.u32 %q0, %t2, 40; @%q0 bra A; st.shared.u32 [tile], 1; A: \
        bar.sync 0; ld.shared.u32 %r0, [tile];";
    launch_with(&kernel(1, "", ordered), 4, 64, &[0], &check).unwrap();
}
