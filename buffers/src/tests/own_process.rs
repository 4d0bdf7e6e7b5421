//! Tests that run in a process of their own: another one of this program, in which no other test runs.

use std::process::Command;

/// Set in the process in which a test runs its body.
const OWN_PROCESS: &str = "COLUMNADE_TEST_OWN_PROCESS";

/// Whether this is the process of one test.
pub(crate) fn is_own_process() -> bool {
    std::env::var_os(OWN_PROCESS).is_some()
}

/// This test program, with the arguments to run only the test of this name.
pub(crate) fn program_of(test: &str) -> Command {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(OWN_PROCESS, "1");
    program
}

/// Runs `body` if called in the process of its own, otherwise starts that process with the test of this name.
#[track_caller]
pub(crate) fn in_own_process(test: &str, body: impl FnOnce()) {
    if is_own_process() {
        return body();
    }
    let output = program_of(test).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
