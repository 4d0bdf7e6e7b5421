//! Contexts for the suites of this crate, and processes in which the simulator behaves otherwise.

use columnade_buffers::{Device, Exec, Managed, MemoryResource, SpillOptions, Statistics, current_resource};
use std::env;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A context of every device of the build.
pub(crate) fn execs() -> Vec<Exec> {
    Device::available().into_iter().map(|device| Exec::new(device).unwrap()).collect()
}

/// The same context, and what counts the memory that it gives.
pub(crate) fn counting(exec: &Exec) -> (Exec, Arc<Statistics>) {
    let counter = Arc::new(Statistics::new(current_resource(exec.device()).unwrap()));
    (exec.with_resource(Arc::clone(&counter) as Arc<dyn MemoryResource>), counter)
}

/// A context whose memory can be spilled.
pub(crate) fn spilling(exec: &Exec) -> Exec {
    let upstream = current_resource(exec.device()).unwrap();
    let options = SpillOptions { spill: true, ..SpillOptions::default() };
    exec.with_resource(Arc::new(Managed::new(upstream, options).unwrap()))
}

/// Whether all work of the context's stream is done. Where the simulator is lazy, work that was not waited for is not.
///
/// A GPU takes a moment to notice an event on an idle stream, too short a time for this to find all work that is left there.
pub(crate) fn is_idle(exec: &Exec) -> bool {
    let event = exec.stream().record().unwrap();
    let moment = if matches!(exec.device(), Device::Cuda(_)) { 50 } else { 0 };
    let end = Instant::now() + Duration::from_millis(moment);
    while !event.is_done().unwrap() {
        if Instant::now() >= end {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

/// Work runs only when something waits for it, so that a forgotten wait shows. The simulator reads it once a process.
const LAZY: &str = "COLUMNADE_SIM_LAZY_STREAMS";
/// A look of the host at device memory is a fault; surely found where one test runs at a time.
const PROTECTED: &str = "COLUMNADE_SIM_PROTECT";

/// Runs the tests with these in their names again, in a process where the simulator is lazy.
#[track_caller]
pub(crate) fn lazily(tests: &[&str]) {
    if is_first() {
        again(LAZY, tests, &[]);
    }
}

/// Runs the tests with these in their names again, in a process where the simulator protects its memory.
#[track_caller]
pub(crate) fn protected(tests: &[&str]) {
    if is_first() {
        again(PROTECTED, tests, &["--test-threads=1"]);
    }
}

/// Whether there is a simulator, and it is in no mode yet.
fn is_first() -> bool {
    Device::Sim.require().is_ok() && [LAZY, PROTECTED].iter().all(|mode| env::var_os(mode).is_none())
}

/// Runs the ignored test of this name in a process of its own, where what the simulator counts is the test's alone.
#[track_caller]
pub(crate) fn alone(test: &str) {
    if Device::Sim.require().is_ok() {
        again(LAZY, &[test], &["--ignored"]);
    }
}

/// Runs tests of this program again, in a mode of the simulator; each name is one of some test that ran.
#[track_caller]
fn again(mode: &str, tests: &[&str], arguments: &[&str]) {
    let this = env::current_exe().unwrap();
    let run = Command::new(this).env(mode, "1").args(tests).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    let missing = tests.iter().find(|&&name| !text.contains(name));
    assert!(
        run.status.success() && missing.is_none(),
        "{mode}: {} {missing:?}\n{text}\n{}",
        run.status,
        String::from_utf8_lossy(&run.stderr)
    );
}
