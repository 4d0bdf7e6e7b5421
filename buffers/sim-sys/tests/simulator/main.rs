//! The simulator on kernels: correct ones give right answers, planted faults are found.
#![cfg(feature = "sim")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends at the first surprise")]

mod planted;
mod program;
mod samples;

use std::collections::BTreeSet;

/// Cases of the program that have a test of their own, beside the lists of both modules.
const SINGLE: [&str; 4] = ["deadlock", "hidden_missing_barrier", "missing_barrier", "missing_loop_barrier"];

#[test]
fn every_case_of_the_program_is_tested() {
    let compiled: BTreeSet<String> = program::cases().into_iter().collect();
    let lists = [&samples::SAMPLES[..], planted::FOUND, &SINGLE[..]];
    let tested: BTreeSet<String> = lists.concat().into_iter().map(String::from).collect();
    assert_eq!(compiled, tested);
}
