//! Correct kernels give right answers, in every schedule and stream mode.
use crate::program::{CORRECT, run};

pub(crate) const SAMPLES: [&str; 28] = [
    "active_mask",
    "atomics",
    "ballot_bitmask",
    "cooperative_groups",
    "copy_and_synchronize",
    "cub_block",
    "cub_merge_sort",
    "cub_radix_sort",
    "cub_runs",
    "cub_scan_and_reduce",
    "cub_select",
    "cub_warp",
    "device_lambda",
    "elementwise",
    "errors_belong_to_a_thread",
    "event_orders_streams",
    "event_queries_make_progress",
    "grid_sync",
    "hash_table",
    "int128",
    "look_back_scan",
    "refused_launches",
    "shared_histogram",
    "shuffle_reduction",
    "streams_wait_for_each_other",
    "threads_launch_at_once",
    "three_dimensions",
    "warp_collectives",
];

#[track_caller]
fn all_are_correct(environment: &[(&str, &str)]) {
    let failures: Vec<_> = SAMPLES
        .iter()
        .map(|case| (case, run(case, environment)))
        .filter(|(_, outcome)| outcome.code != Some(CORRECT) || !outcome.text.is_empty())
        .collect();
    assert!(failures.is_empty(), "{environment:?}: {failures:#?}");
}

#[test]
fn in_order() {
    all_are_correct(&[]);
}

#[test]
fn with_lazy_streams() {
    all_are_correct(&[("COLUMNADE_SIM_LAZY_STREAMS", "1")]);
}

#[test]
fn in_random_schedules() {
    for seed in ["1", "2", "3"] {
        all_are_correct(&[("COLUMNADE_SIM_SEED", seed), ("COLUMNADE_SIM_SHUFFLE_BLOCKS", "1")]);
    }
}

#[test]
fn with_interleaved_blocks() {
    all_are_correct(&[("COLUMNADE_SIM_RESIDENT", "4"), ("COLUMNADE_SIM_PREEMPT", "3")]);
}

#[test]
fn with_protected_memory() {
    all_are_correct(&[("COLUMNADE_SIM_PROTECT", "1")]);
}

#[test]
fn with_lone_active_masks() {
    all_are_correct(&[("COLUMNADE_SIM_LONE_ACTIVEMASK", "1")]);
}
