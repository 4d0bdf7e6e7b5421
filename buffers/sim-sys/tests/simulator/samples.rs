//! Correct kernels return correct results, in every schedule and stream mode.
use crate::program::{CORRECT, run};

pub(crate) const SAMPLES: [&str; 29] = [
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
    "unknown_streams_are_refused",
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
fn samples_in_sequential_schedule_are_correct() {
    all_are_correct(&[]);
}

#[test]
fn samples_with_lazy_streams_are_correct() {
    all_are_correct(&[("COLUMNADE_SIM_LAZY_STREAMS", "1")]);
}

#[test]
fn samples_in_random_schedules_are_correct() {
    for seed in ["1", "2", "3"] {
        all_are_correct(&[("COLUMNADE_SIM_SEED", seed), ("COLUMNADE_SIM_SHUFFLE_BLOCKS", "1")]);
    }
}

#[test]
fn samples_with_interleaved_blocks_are_correct() {
    all_are_correct(&[("COLUMNADE_SIM_RESIDENT", "4"), ("COLUMNADE_SIM_PREEMPT", "3")]);
}

#[test]
fn samples_with_protected_memory_are_correct() {
    all_are_correct(&[("COLUMNADE_SIM_PROTECT", "1")]);
}

#[test]
fn samples_with_lone_active_masks_are_correct() {
    all_are_correct(&[("COLUMNADE_SIM_LONE_ACTIVEMASK", "1")]);
}
