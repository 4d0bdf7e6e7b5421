//! Kernels on the simulator: correct ones return correct results, planted faults are detected.
#![cfg(all(feature = "sim", not(columnade_ptx)))]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends at the first surprise")]

mod planted;
mod program;
mod samples;

use std::collections::BTreeSet;

/// Cases with a test of their own that are in neither module's list.
const SINGLE: [&str; 4] = ["deadlock", "hidden_missing_barrier", "missing_barrier", "missing_loop_barrier"];

#[test]
fn every_compiled_case_is_tested() {
    let compiled: BTreeSet<String> = program::cases().into_iter().collect();
    let lists = [&samples::SAMPLES[..], planted::FOUND, &SINGLE[..]];
    let tested: BTreeSet<String> = lists.concat().into_iter().map(String::from).collect();
    assert_eq!(compiled, tested);
}
