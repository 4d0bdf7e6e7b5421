//! Limits of sizes, and a hook for tests: wide row numbers and offsets, small tiles and grids, so that few rows run the code
//! for many.

use crate::Result;
use columnade_buffers::Exec;

/// Whether this process was started with it. Always false outside the tests of this crate.
pub(crate) fn are_small() -> bool {
    #[cfg(test)]
    return *tests::SMALL;
    #[cfg(not(test))]
    false
}

/// Out of memory for values that no allocation can hold, whose bytes an entry would count modulo 2⁶⁴.
pub(crate) fn require_memory(bytes: usize, exec: &Exec) -> Result<()> {
    if isize::try_from(bytes).is_ok() {
        return Ok(());
    }
    Err(columnade_buffers::Error::OutOfMemory {
        device: exec.device(),
        requested: bytes,
        free: None,
        tier_refusal: None,
    }
    .into())
}

#[cfg(test)]
mod tests {
    use columnade_buffers::Device;
    use std::env;
    use std::process::Command;
    use std::sync::LazyLock;

    const VARIABLE: &str = "COLUMNADE_TEST_SMALL_LIMITS";

    pub(super) static SMALL: LazyLock<bool> = LazyLock::new(|| env::var_os(VARIABLE).is_some());

    /// The suites of what has such code.
    const SUITES: [&str; 20] = [
        "bits::count",
        "copying::",
        "datetime::local_time",
        "datetime::time_format",
        "grouping::aggregate",
        "grouping::group_ids",
        "joining::",
        "partitioning::",
        "reduction::",
        "rolling::rolling_quantile",
        "rolling::rolling_window",
        "scanning::",
        "searching::",
        "sorting::",
        "strings::convert",
        "strings::slice",
        "strings::measure",
        "strings::part",
        "strings::split",
        "strings::transform",
    ];

    /// Runs them again in a process with the hook, on the simulator.
    #[test]
    fn suites_pass_with_wide_rows_and_small_tiles() {
        if *SMALL || !Device::available().contains(&Device::Sim) {
            return;
        }
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(SUITES).args(["--skip", "many_morsels"]);
        let output = again.env(VARIABLE, "1").env("COLUMNADE_TEST_DEVICES", "sim").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        // A filter that selects nothing passes too.
        let passed = text.matches(" ... ok").count();
        assert!(passed >= 3 * SUITES.len(), "{passed} tests: {text}");
    }
}
