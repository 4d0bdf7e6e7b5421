//! The planted faults in the flavour `ptx`: nvcc compiles them, their PTX is executed, and a report names the
//! fault and its source line.
#![cfg(columnade_ptx)]
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use columnade_sim_sys as _;
use std::ffi::{CString, c_char};
use std::process::Command;

// Exit codes; the same as in `harness.h`.
const CORRECT: i32 = 0;
const WRONG: i32 = 3;
const CALL_FAILED: i32 = 4;

const CASE: &str = "CN_SIM_CASE";

unsafe extern "C" {
    /// Runs a case of `planted.cu`; may end the process.
    fn cn_sim_run_case(name: *const c_char) -> i32;
}

/// Not a test: a case in a process of its own, which it may end.
#[test]
#[ignore = "runs a case for the other tests"]
fn child() {
    let name = CString::new(std::env::var(CASE).unwrap_or_default()).unwrap();
    // SAFETY: a C string; the case does as it likes with the process, which is its own.
    std::process::exit(unsafe { cn_sim_run_case(name.as_ptr()) });
}

/// The exit code of a case and what it reported.
fn run(case: &str, environment: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("COLUMNADE_SIM_")) {
        command.env_remove(name);
    }
    command.args(["--exact", "child", "--ignored", "--nocapture"]).env(CASE, case);
    let output = command.envs(environment.iter().copied()).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

macro_rules! found {
    ($($case:ident with $environment:expr => $code:expr, $text:expr;)*) => {$(
        #[test]
        fn $case() {
            let environment: &[(&str, &str)] = &$environment;
            let (code, report) = run(stringify!($case), environment);
            assert!(code == Some($code) && report.contains($text), "{code:?}: {report}");
            // The machine's report names the line.
            let names_line = |line: &str| line.starts_with("ptx: ") && line.contains("planted.cu:");
            assert!($code != CALL_FAILED || report.lines().any(names_line), "{report}");
        }
    )*};
}

const ORDER: (&str, &str) = ("COLUMNADE_SIM_CHECK_ORDER", "1");
const IMPATIENT: (&str, &str) = ("COLUMNADE_SIM_HANG_TICKS", "5");

found! {
    shared_overrun with [] => CALL_FAILED, "Shared memory";
    shared_index with [] => CALL_FAILED, "Shared memory";
    dynamic_overrun with [] => CALL_FAILED, "Shared memory";
    global_overrun with [] => CALL_FAILED, "outside every allocation (byte 4096 of or behind an allocation of 4096)";
    local_overrun with [] => CALL_FAILED, "Local memory";
    use_after_free with [] => CALL_FAILED, "outside every allocation";

    missing_barrier with [ORDER] => CALL_FAILED, "race (";
    hidden_missing_barrier with [ORDER] => CALL_FAILED, "race (";
    missing_loop_barrier with [ORDER] => CALL_FAILED, "race (";
    missing_syncwarp with [ORDER] => CALL_FAILED, "race (";
    lost_update with [ORDER] => CALL_FAILED, "race (";
    blocks_overlap with [ORDER] => CALL_FAILED, "race (write after write)";
    block_reads_block with [ORDER] => CALL_FAILED, "race (read after write)";
    uninitialised_shared with [] => WRONG, "out[t] == 0";
    outside_lane with [] => WRONG, "values()[0] == 7";

    divergent_barrier with [] => CALL_FAILED, "divergent barrier";
    deadlock with [] => CALL_FAILED, "deadlock";
    early_exit with [("COLUMNADE_SIM_STRICT_EXIT", "1")] => CALL_FAILED, "156 threads returned while 100 threads wait";
    mask_too_wide with [] => CALL_FAILED, "deadlock";
    not_in_mask with [] => CALL_FAILED, "the calling lane 16 is not in its mask 0x0000ffff";
    mixed_collectives with [] => CALL_FAILED, "deadlock";
    trap with [] => CALL_FAILED, "trap in lane 5";

    spin_for_ever with [IMPATIENT] => CALL_FAILED, "hang";
    acquire_for_ever with [IMPATIENT] => CALL_FAILED, "hang";
    volatile_spin with [] => CORRECT, "";
    spin_lock with [] => CORRECT, "";
    active_mask with [ORDER] => CORRECT, "";
    // PTX defines such shifts.
    shift_too_far with [] => CORRECT, "";
}

/// A copy is not the machine's.
#[test]
fn copy_overrun() {
    let (code, report) = run("copy_overrun", &[]);
    assert!(code == Some(CALL_FAILED) && report.contains("4100 bytes are copied"), "{code:?}: {report}");
}
