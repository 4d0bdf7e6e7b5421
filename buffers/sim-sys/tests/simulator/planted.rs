//! The flavours that can detect a planted fault detect it, with a report that names it; none hangs.
use std::process::Command;

use crate::program::{CALL_FAILED, CORRECT, WRONG, compiler, flavour, run};
use columnade_native::Flavour::{self, Asan, Plain, Race};

const ALL: &[Flavour] = &[Plain, Asan, Race];

/// Runs the case named like the test and checks that its report contains a text.
macro_rules! found {
    ($($case:ident in $flavours:expr, with $environment:expr => $code:expr, $text:expr;)*) => {
        /// The cases that this macro tests.
        pub(crate) const FOUND: &[&str] = &[$(stringify!($case)),*];

        $(#[test]
        fn $case() {
            let environment: &[(&str, &str)] = &$environment;
            if $flavours.contains(&flavour()) {
                expect(stringify!($case), environment, $code, $text);
            }
        })*
    };
}

/// The exit code of a sanitizer.
const SANITIZER: i32 = 1;
const ADDRESS: &str = "ERROR: AddressSanitizer";
const RACE: &str = "sim: race (";
const SEED: (&str, &str) = ("COLUMNADE_SIM_SEED", "7");
const LAZY: (&str, &str) = ("COLUMNADE_SIM_LAZY_STREAMS", "1");
const IMPATIENT: (&str, &str) = ("COLUMNADE_SIM_HANG_TICKS", "25");

#[track_caller]
fn expect(case: &str, environment: &[(&str, &str)], code: i32, text: &str) {
    let outcome = run(case, environment);
    assert!(outcome.code == Some(code) && outcome.text.contains(text), "{case}: {outcome:#?}");
}

found! {
    shared_overrun in [Asan], with [] => SANITIZER, ADDRESS;
    shared_index in [Asan], with [] => SANITIZER, "runtime error: index 64 out of bounds";
    dynamic_overrun in [Asan], with [] => SANITIZER, ADDRESS;
    global_overrun in [Asan], with [] => SANITIZER, ADDRESS;
    local_overrun in [Asan], with [] => SANITIZER, "ERROR: AddressSanitizer: stack-buffer-overflow";
    use_after_free in [Asan], with [] => SANITIZER, "ERROR: AddressSanitizer: heap-use-after-free";
    copy_overrun in [Asan], with [] => SANITIZER, ADDRESS;
    early_freed_source in [Asan], with [LAZY] => SANITIZER, "ERROR: AddressSanitizer: heap-use-after-free";
    shift_too_far in [Asan], with [] => SANITIZER, "runtime error: shift exponent 32 is too large";
    double_free in ALL, with [] => CALL_FAILED, "is freed, but it is no live allocation";

    missing_syncwarp in [Race], with [] => CALL_FAILED, RACE;
    lost_update in [Race], with [] => CALL_FAILED, RACE;
    blocks_overlap in [Race], with [] => CALL_FAILED, "sim: race (write after write)";
    block_reads_block in [Race], with [] => CALL_FAILED, "sim: race (read after write)";
    missing_event_wait in ALL, with [LAZY] => WRONG, "value == 11";
    missing_synchronize in ALL, with [LAZY] => WRONG, "result[n - 1] == 2";
    uninitialised_shared in ALL, with [] => WRONG, "out[t] == 0";
    outside_lane in ALL, with [] => WRONG, "values()[0] == 7";

    divergent_barrier in ALL, with [] => CALL_FAILED, "divergent barrier in block (0,0,0): thread 0 waits at";
    early_exit in ALL, with [("COLUMNADE_SIM_STRICT_EXIT", "1")] => CALL_FAILED, "thread 100 returned while 100 threads wait";
    mask_too_wide in ALL, with [] => CALL_FAILED, "wait at __shfl_sync(mask 0xffffffff)";
    not_in_mask in ALL, with [] => CALL_FAILED, "the calling lane 16 is not in its mask 0x0000ffff";
    mixed_collectives in ALL, with [] => CALL_FAILED, "lane 0 at __all_sync";
    grid_sync_without_cooperation in ALL, with [] => CALL_FAILED, "not cooperative";
    trap in ALL, with [] => CALL_FAILED, "[thread (5,0,0) of block (0,0,0)]";

    spin_for_ever in ALL, with [IMPATIENT] => CALL_FAILED, "sim: hang";
    acquire_for_ever in ALL, with [] => CALL_FAILED, "sim: livelock";
    look_back_scan_by_block_index in ALL, with [SEED, ("COLUMNADE_SIM_SHUFFLE_BLOCKS", "1")] => CALL_FAILED, "sim: livelock";
    volatile_spin in ALL, with [] => CORRECT, "";
    spin_lock in ALL, with [] => CORRECT, "";
}

/// Threads are grouped by where they wait, with file and line.
#[test]
fn deadlock() {
    let outcome = run("deadlock", &[]);
    assert_eq!(outcome.code, Some(CALL_FAILED), "{outcome:#?}");
    assert!(outcome.text.contains("sim: deadlock: no thread can run."), "{outcome:#?}");
    let waiting =
        outcome.text.lines().filter(|line| line.contains("wait at") && line.contains("planted.cu:"));
    assert!(waiting.count() >= 2, "{outcome:#?}");
}

/// Wrong results without the race checker, races with it.
#[test]
fn missing_barrier() {
    for case in ["missing_barrier", "missing_loop_barrier"] {
        let (code, text) = if flavour() == Race { (CALL_FAILED, RACE) } else { (WRONG, "wrong: out[") };
        expect(case, &[], code, text);
    }
}

/// In the sequential schedule the fault does not show; a random schedule or the race checker detects it.
#[test]
fn hidden_missing_barrier() {
    let case = "hidden_missing_barrier";
    if flavour() == Race {
        expect(case, &[], CALL_FAILED, "[shared tile]");
        return;
    }
    expect(case, &[], CORRECT, "");
}

/// The race checker does not depend on the schedule.
#[test]
fn races_are_detected_in_every_schedule() {
    if flavour() != Race {
        return;
    }
    for seed in ["1", "2", "3", "4", "5"] {
        for case in [
            "missing_barrier",
            "hidden_missing_barrier",
            "missing_loop_barrier",
            "missing_syncwarp",
            "lost_update",
        ] {
            expect(case, &[("COLUMNADE_SIM_SEED", seed)], CALL_FAILED, RACE);
        }
    }
}

#[test]
fn raw_shared_memory_does_not_compile() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join("raw_shared.cu");
    let text = "#include <cuda_runtime.h>\nvoid kernel() { __shared__ int tile[64]; tile[0] = 1; }\n";
    std::fs::write(&source, text).unwrap();
    let argv = compiler();
    let output = Command::new(&argv[0]).args(&argv[1..]).arg("-fsyntax-only").arg(&source).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("declare shared memory with SHARED or DYN_SHARED"), "{said}");
}
