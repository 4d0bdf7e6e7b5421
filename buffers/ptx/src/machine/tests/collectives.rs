//! Shuffles, votes, matches, reductions and barriers of a warp.

use crate::testing::{Array, kernel, launch};

/// Runs code in one warp; `%r0` and `%q0` are the results of each lane.
fn lanes_of(body: &str, value: impl Fn(u64) -> u64) -> Vec<(u32, bool)> {
    let input = Array::new((0..32).map(value).collect());
    let out = Array::zeros(32);
    let body = format!(
        "add.s64 %d0, %p1, %o; ld.global.u32 %r1, [%d0]; ld.global.u64 %d3, [%d0]; setp.ne.u32 %q1, %r1, 0;
         setp.ne.u32 %q0, 0, 0;
         {body} selp.u32 %r2, 1, 0, %q0; mov.b64 %d1, {{%r0, %r2}}; add.s64 %d0, %p0, %o; st.global.u64 [%d0], %d1;"
    );
    let text = kernel(2, "", &body);
    launch(&text, 1, 32, &[out.address(), input.address()]).unwrap_or_else(|error| panic!("{error}\n{body}"));
    out.words().into_iter().map(|word| (word as u32, word >> 32 != 0)).collect()
}

#[test]
fn shuffles_read_the_lanes_of_their_segment() {
    for width in [1u32, 2, 4, 8, 16, 32] {
        let segment = (32 - width) << 8;
        for by in [0u32, 1, 2, 3, 7, 16, 31] {
            for mode in ["up", "down", "bfly", "idx"] {
                // Of `__shfl_up_sync` and its like: the lowest lane for up, else the highest of the segment.
                let control = segment | if mode == "up" { 0 } else { 31 };
                let body = format!("shfl.sync.{mode}.b32 %r0|%q0, %r1, {by}, {control}, -1;");
                let found = lanes_of(&body, |lane| 100 + lane);
                for lane in 0..32u32 {
                    let (start, end) = (lane / width * width, lane / width * width + width);
                    let from = match mode {
                        "up" => lane.checked_sub(by).filter(|from| *from >= start),
                        "down" => Some(lane + by).filter(|from| *from < end),
                        // A butterfly may read lower segments.
                        "bfly" => Some(lane ^ by).filter(|from| *from < end),
                        _ => Some(start + by % width),
                    };
                    let expected = (100 + from.unwrap_or(lane), from.is_some());
                    assert_eq!(found[lane as usize], expected, "{mode} {by} of {width}, lane {lane}");
                }
            }
        }
    }
}

#[test]
fn shuffle_from_an_absent_lane_is_garbage() {
    let body = "setp.lt.u32 %q2, %t2, 16; @!%q2 bra A; shfl.sync.idx.b32 %r0, %r1, 20, 31, 65535; A: ";
    let found = lanes_of(body, |_| 7);
    assert!(found[..16].iter().all(|(value, _)| *value == 0xcbcb_cbcb), "{found:?}");
}

#[test]
fn votes_are_about_the_lanes_of_their_mask() {
    for set in [0u32, 1, 0x8000_0000, 0xffff, 0xffff_ffff, 0x5555_5555] {
        let is_set = |lane: u64| u64::from(set >> lane & 1);
        for (form, expected) in
            [("vote.sync.ballot.b32 %r0, %q1, -1;", set), ("vote.ballot.sync.b32 %r0, %q1, -1;", set)]
        {
            assert!(lanes_of(form, is_set).iter().all(|lane| lane.0 == expected), "{form} {set:#x}");
        }
        for (vote, expected) in
            [("any", set != 0), ("all", set == u32::MAX), ("uni", set == 0 || set == u32::MAX)]
        {
            let form = format!("vote.sync.{vote}.pred %q0, %q1, -1;");
            assert!(lanes_of(&form, is_set).iter().all(|lane| lane.1 == expected), "{form} {set:#x}");
        }
    }
}

#[test]
fn matches_find_equal_lanes() {
    for (form, of) in [("match.any.sync.b32 %r0, %r1, -1;", 3u64), ("match.any.sync.b64 %r0, %d3, -1;", 5)] {
        for (lane, (found, _)) in lanes_of(form, |lane| lane % of << 20).into_iter().enumerate() {
            let expected =
                (0..32).filter(|other| other % of == lane as u64 % of).fold(0, |set, other| set | 1 << other);
            assert_eq!(found, expected, "{form} {lane}");
        }
    }
    let all = "match.all.sync.b32 %r0|%q0, %r1, -1;";
    assert!(lanes_of(all, |_| 9).iter().all(|found| *found == (u32::MAX, true)));
    assert!(lanes_of(all, |lane| lane / 31).iter().all(|found| *found == (0, false)));
}

#[test]
fn reductions_combine_all_lanes() {
    let values: Vec<u32> = (0..32u32).map(|lane| lane.wrapping_mul(0x9e37_79b9) ^ 0x8000_0001).collect();
    let value = |lane: u64| u64::from(values[lane as usize]);
    let signed = || values.iter().map(|value| *value as i32);
    for (form, expected) in [
        ("add.s32", values.iter().fold(0u32, |sum, value| sum.wrapping_add(*value))),
        ("min.u32", values.iter().copied().min().unwrap()),
        ("max.u32", values.iter().copied().max().unwrap()),
        ("min.s32", signed().min().unwrap() as u32),
        ("max.s32", signed().max().unwrap() as u32),
        ("and.b32", values.iter().fold(u32::MAX, |all, value| all & value)),
        ("or.b32", values.iter().fold(0, |all, value| all | value)),
        ("xor.b32", values.iter().fold(0, |all, value| all ^ value)),
    ] {
        let found = lanes_of(&format!("redux.sync.{form} %r0, %r1, -1;"), value);
        assert!(found.iter().all(|lane| lane.0 == expected), "{form}");
    }
}

#[test]
fn special_registers_describe_the_lane() {
    for (register, expected) in [
        ("%laneid", (|lane| lane) as fn(u32) -> u32),
        ("%lanemask_eq", |lane| 1 << lane),
        ("%lanemask_lt", |lane| (1 << lane) - 1),
        ("%lanemask_le", |lane| ((2u64 << lane) - 1) as u32),
        ("%lanemask_gt", |lane| !((2u64 << lane) - 1) as u32),
        ("%lanemask_ge", |lane| !((1u32 << lane) - 1)),
        ("%tid.x", |lane| lane),
        ("%ntid.x", |_| 32),
        ("%nctaid.y", |_| 1),
        ("%ctaid.z", |_| 0),
    ] {
        for (lane, (found, _)) in
            lanes_of(&format!("mov.u32 %r0, {register};"), |_| 0).into_iter().enumerate()
        {
            assert_eq!(found, expected(lane as u32), "{register} of lane {lane}");
        }
    }
    assert!(lanes_of("activemask.b32 %r0;", |_| 0).iter().all(|lane| lane.0 == u32::MAX));
}

/// Lanes that branched apart come to one collective at different times.
#[test]
fn collective_waits_for_lanes_of_other_branches() {
    let body =
        "mov.u32 %r3, 0; @%q1 bra A; add.s32 %r3, %r3, 5; B: add.s32 %r3, %r3, 1; setp.lt.u32 %q2, %r3, 9;
        @%q2 bra B; bar.warp.sync -1; A: vote.sync.ballot.b32 %r0, %q1, -1;";
    // Half of the lanes wait at the warp barrier that the others never reach.
    let failing = kernel(2, "", "setp.lt.u32 %q1, %t2, 16; @%q1 bra A; bar.warp.sync -1; A: ");
    let report = launch(&failing, 1, 32, &[0, 0]).map(|_| "no report".to_owned());
    // The lanes at A return, after which the barrier waits for no other.
    assert_eq!(report.as_deref(), Ok("no report"));
    let report =
        launch(&kernel(2, "", &format!("setp.lt.u32 %q1, %t2, 16; {body}")), 1, 32, &[0, 0]).unwrap_err();
    assert!(report.contains("deadlock") && report.contains("bar.warp.sync"), "{report}");
    let apart = "@%q1 bra A; mov.u32 %r3, 0; B: add.s32 %r3, %r3, 1; setp.lt.u32 %q2, %r3, 9; @%q2 bra B;
        A: vote.sync.ballot.b32 %r0, %q1, -1;";
    let found = lanes_of(apart, |lane| lane % 2);
    assert!(found.iter().all(|lane| lane.0 == 0xaaaa_aaaa), "{found:x?}");
}

#[test]
fn collectives_with_wrong_masks_are_faults() {
    for (body, what) in [
        ("shfl.sync.idx.b32 %r0, %r1, 0, 31, 65535;", "the calling lane 16 is not in its mask 0x0000ffff"),
        ("shl.b32 %r2, 1, %t2; or.b32 %r2, %r2, 3; vote.sync.ballot.b32 %r0, %q0, %r2;", "different masks"),
        ("setp.lt.u32 %q1, %t2, 16; @%q1 bra A; bar.warp.sync -1; bra B; A: bar.sync 0; B: ", "deadlock"),
    ] {
        let report = launch(&kernel(1, "", body), 1, 64, &[0]).unwrap_err();
        assert!(report.contains(what), "{body}: {report}");
    }
}
