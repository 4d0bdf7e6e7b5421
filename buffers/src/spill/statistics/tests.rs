use std::panic::Location;
use std::time::{Duration, Instant};

use super::{
    Amount, ByTier, Cause, Histogram, MemoryUsage, Move, SpillStatistics, StatisticsLevel, TierUsage, Wait,
    format_bytes,
};
use crate::{Device, Tier};

const GPU: Device = Device::Sim;

fn down(bytes: usize, owner: u64) -> Move {
    Move {
        from: Tier::Device,
        to: Tier::Pinned,
        bytes,
        freed: bytes,
        started: Instant::now(),
        duration: Duration::from_micros(100),
        queued: Duration::from_micros(10),
        cause: Cause::Limit,
        owner,
    }
}

fn up(bytes: usize, owner: u64) -> Move {
    Move { from: Tier::Pinned, to: Tier::Device, freed: 0, cause: Cause::Access, ..down(bytes, owner) }
}

#[track_caller]
fn here() -> &'static Location<'static> {
    Location::caller()
}

fn usage(used: usize) -> MemoryUsage {
    let tiers = ByTier::from_fn(|tier| match tier {
        Tier::Device => TierUsage { bytes: used, peak: used, limit: Some(1000) },
        _ => TierUsage::default(),
    });
    let device = GPU;
    MemoryUsage {
        device,
        tiers,
        managed: 0,
        pinned: used,
        leased: 0,
        deferred: 0,
        unmanaged: 0,
        retained: 0,
        spilled: 0,
    }
}

#[test]
fn display_at_level_0_is_empty_statistics() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Off);
    statistics.moved(|| down(24, 1));
    assert_eq!(statistics.to_string(), "Spill Statistics (level=0): N/A");
    assert_eq!(format!("{statistics:?}"), "<SpillStatistics level=0>");
}

#[test]
fn display_at_level_1_lists_moves() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    assert_eq!(
        statistics.to_string(),
        "Spill Statistics (level=1):\n  Spilling (level >= 1): None\n  Exposed buffers (level >= 2): disabled"
    );
    statistics.moved(|| Move { duration: Duration::from_micros(3300), ..down(24, 1) });
    statistics.exposed(here(), 24, true);
    assert_eq!(
        statistics.to_string(),
        "Spill Statistics (level=1):\n  Spilling (level >= 1):\n    gpu => cpu: 24B in 0.003s\n  \
         Exposed buffers (level >= 2): disabled"
    );
}

#[test]
fn display_lists_moves_between_all_kinds_of_memory() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    let second = Duration::from_secs(1);
    for (from, to, bytes) in [
        (Tier::Disk, Tier::Device, 1),
        (Tier::Device, Tier::Pinned, 1000),
        (Tier::Device, Tier::Pageable, 524),
        (Tier::Device, Tier::Disk, 3 << 20),
        (Tier::Pinned, Tier::Pageable, 77),
        (Tier::Pinned, Tier::Device, 1024),
        (Tier::Pageable, Tier::Disk, 5),
        (Tier::Disk, Tier::Pageable, 6),
    ] {
        statistics.moved(|| Move { from, to, duration: second, ..down(bytes, 1) });
    }
    assert_eq!(
        statistics.to_string(),
        "Spill Statistics (level=1):\n  Spilling (level >= 1):\n    \
         gpu => cpu: 1.49KiB in 2.000s\n    gpu => disk: 3MiB in 1.000s\n    \
         cpu => gpu: 1KiB in 1.000s\n    cpu => disk: 5B in 1.000s\n    \
         disk => gpu: 1B in 1.000s\n    disk => cpu: 6B in 1.000s\n  \
         Exposed buffers (level >= 2): disabled"
    );
}

#[test]
fn display_of_host_device_matches_cudf() {
    let statistics = SpillStatistics::new(Device::Host, StatisticsLevel::Spills);
    statistics.moved(|| Move { to: Tier::Disk, ..down(2048, 1) });
    assert_eq!(
        statistics.to_string(),
        "Spill Statistics (level=1):\n  Spilling (level >= 1):\n    cpu => disk: 2KiB in 0.000s\n  \
         Exposed buffers (level >= 2): disabled"
    );
}

#[test]
fn display_at_level_2_lists_exposures() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Exposures);
    assert_eq!(
        statistics.to_string(),
        "Spill Statistics (level=2):\n  Spilling (level >= 1): None\n  Exposed buffers (level >= 2): None"
    );
    let (seldom, often) = (here(), here());
    statistics.exposed(seldom, 1536, true);
    for spilled in [false, true, false] {
        statistics.exposed(often, 24, spilled);
    }
    assert_eq!(
        statistics.to_string(),
        format!(
            "Spill Statistics (level=2):\n  Spilling (level >= 1): None\n  Exposed buffers (level >= 2): \n    \
             exposed 3 times, total: 72B, spilled: 24B, traceback:\n    {often}\n    \
             exposed 1 times, total: 1.50KiB, spilled: 1.50KiB, traceback:\n    {seldom}"
        )
    );
}

#[test]
fn format_bytes_uses_largest_unit() {
    for (bytes, text) in [
        (0, "0B"),
        (24, "24B"),
        (1023, "1023B"),
        (1024, "1KiB"),
        (1524, "1.49KiB"),
        (1 << 20, "1MiB"),
        (3 << 29, "1.50GiB"),
        (1 << 40, "1TiB"),
        (1 << 50, "1PiB"),
        (u64::MAX, "16.00EiB"),
    ] {
        assert_eq!(format_bytes(bytes), text);
    }
}

#[test]
fn edge_snapshot_sums_its_moves() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    statistics.moved(|| down(4000, 1));
    statistics.moved(|| Move {
        cause: Cause::OnDemand,
        freed: 0,
        duration: Duration::from_micros(300),
        ..down(1000, 2)
    });
    let snapshot = statistics.snapshot();
    assert_eq!(snapshot.edges.len(), 1);
    let edge = snapshot.edge(Tier::Device, Tier::Pinned).unwrap();
    assert_eq!(edge.moved, Amount { count: 2, bytes: 5000 });
    assert_eq!(edge.freed, 4000);
    assert_eq!((edge.duration, edge.queued), (Duration::from_micros(400), Duration::from_micros(20)));
    assert_eq!(edge.latency.count(), 2);
    assert_eq!(edge.mean(), Duration::from_micros(200));
    assert!((edge.bandwidth().unwrap() - 12_500_000.0).abs() < 1.0);
    assert_eq!(
        edge.causes,
        [
            (Cause::Limit, Amount { count: 1, bytes: 4000 }),
            (Cause::OnDemand, Amount { count: 1, bytes: 1000 })
        ]
    );
    assert!(snapshot.edge(Tier::Pinned, Tier::Device).is_none());
}

#[test]
fn quantile_is_an_upper_bound() {
    assert_eq!(Histogram::default().quantile(0.99), Duration::ZERO);
    let mut durations = vec![Duration::from_micros(3); 98];
    durations.extend([Duration::from_millis(5), Duration::from_hours(1)]);
    let histogram: Histogram = durations.into_iter().collect();
    assert_eq!(histogram.count(), 100);
    for (fraction, exact) in [(0.5, 3_000), (0.98, 3_000), (0.99, 5_000_000)] {
        let quantile = histogram.quantile(fraction);
        let exact = Duration::from_nanos(exact);
        assert!(quantile >= exact && quantile <= exact * 2, "{fraction}: {quantile:?}");
    }
    assert_eq!(histogram.buckets().map(|(_, count)| count).collect::<Vec<_>>(), [98, 1, 1]);
    let edges: Histogram = [0, 1023, 1024, 2047].map(Duration::from_nanos).into_iter().collect();
    assert_eq!(
        edges.buckets().collect::<Vec<_>>(),
        [(Duration::from_nanos(1024), 2), (Duration::from_nanos(2048), 2)]
    );
}

#[test]
fn return_within_a_second_counts_as_thrash() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    let left = Instant::now();
    for (owner, after) in [(1, 200), (2, 1500)] {
        statistics.moved(|| Move { started: left, ..down(100, owner) });
        statistics.moved(|| Move { started: left + Duration::from_millis(after), ..up(100, owner) });
    }
    // Never evicted: made in the lower tier.
    statistics.moved(|| up(7, 3));
    let snapshot = statistics.snapshot();
    assert_eq!(snapshot.edge(Tier::Pinned, Tier::Device).unwrap().thrash, Amount { count: 1, bytes: 100 });
    assert_eq!(snapshot.spilled_time.count, 2);
    assert_eq!(snapshot.spilled_time.now, Amount::default());
    assert_eq!(snapshot.spilled_time.duration, Duration::from_micros(1_700_000 - 200));
    assert!((snapshot.spilled_time.byte_seconds - 169.98).abs() < 1e-6);
}

#[test]
fn absence_ends_with_the_allocation_and_lasting_ones_count() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    let hour_ago = Instant::now().checked_sub(Duration::from_hours(1));
    let Some(hour_ago) = hour_ago else { return };
    statistics.moved(|| Move { started: hour_ago, ..down(100, 1) });
    statistics.skipped_copy(50, Cause::Limit, 2);
    statistics.gone(2);
    statistics.gone(99);
    let spilled = statistics.snapshot().spilled_time;
    assert_eq!(spilled.now, Amount { count: 1, bytes: 100 });
    assert_eq!(spilled.count, 2);
    assert!(spilled.duration >= Duration::from_secs(3599));
    statistics.set_level(StatisticsLevel::Off, ByTier::default);
    assert_eq!(statistics.snapshot().spilled_time.now, Amount::default());
}

#[test]
fn flows_add_up_to_resident_bytes() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    statistics.born(Tier::Device, 1000);
    statistics.moved(|| down(600, 1));
    // Unspilled, the spilled copy is kept; evicted again without a copy.
    statistics.moved(|| up(600, 1));
    statistics.skipped_copy(600, Cause::Reservation, 1);
    statistics.moved(|| Move { from: Tier::Pinned, to: Tier::Disk, ..down(600, 1) });
    // A part of it as an allocation of its own, and one assembled in a lower tier.
    statistics.moved(|| Move { from: Tier::Disk, freed: 0, to: Tier::Device, ..up(64, 2) });
    statistics.born(Tier::Pageable, 300);
    statistics.dropped(Tier::Disk, 600);
    statistics.dropped(Tier::Device, 400);
    let snapshot = statistics.snapshot();
    for (tier, resident) in [(Tier::Device, 64), (Tier::Pinned, 0), (Tier::Pageable, 300), (Tier::Disk, 0)] {
        assert_eq!(snapshot.unaccounted(tier, resident), 0, "{tier}");
    }
    assert_eq!(snapshot.unaccounted(Tier::Device, 100), -36);
    assert_eq!(snapshot.skipped_copies, Amount { count: 1, bytes: 600 });
    assert_eq!(snapshot.skipped_causes, [(Cause::Reservation, Amount { count: 1, bytes: 600 })]);
    // Bytes that were born on the device were not unspilled.
    assert_eq!(snapshot.flows[Tier::Device].born, 1000);
    assert_eq!(snapshot.flows[Tier::Device].entered, 664);
}

#[test]
fn waits_refusals_and_overruns_are_counted() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    statistics.waited(Wait::ExclusiveRetry, Duration::from_millis(2));
    statistics.waited(Wait::ExclusiveRetry, Duration::from_millis(4));
    statistics.overrun(10);
    statistics.overrun(5);
    for requested in 0..40 {
        statistics.refused(requested, || Some(usage(900)));
    }
    let snapshot = statistics.snapshot();
    assert_eq!(snapshot.waits.len(), 1);
    assert_eq!((snapshot.waits[0].what, snapshot.waits[0].count), (Wait::ExclusiveRetry, 2));
    assert_eq!(snapshot.waits[0].mean(), Duration::from_millis(3));
    assert_eq!((snapshot.overruns.count, snapshot.overruns.largest), (2, 10));
    assert_eq!(snapshot.refused, Amount { count: 40, bytes: (0..40).sum() });
    assert_eq!(snapshot.refusals.len(), 32);
    assert_eq!(snapshot.refusals[31].requested, 39);
    assert_eq!(snapshot.refusals[31].usage, usage(900));
}

#[test]
fn lower_level_counts_less() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Off);
    statistics.refused(1, || unreachable!("level 0 asks for nothing"));
    statistics.sample(|| unreachable!("level 0 asks for nothing"));
    statistics.moved(|| down(1, 1));
    statistics.born(Tier::Device, 1);
    statistics.waited(Wait::ExclusiveRetry, Duration::from_secs(1));
    let snapshot = statistics.snapshot();
    assert!(snapshot.edges.is_empty() && snapshot.waits.is_empty());
    assert_eq!(snapshot.flows, ByTier::default());
    assert!(statistics.timeline().moves.is_empty());

    statistics.set_level(StatisticsLevel::Spills, ByTier::default);
    assert!(statistics.pinned(here(), 8).is_none());
    statistics.moved(|| down(1, 1));
    assert_eq!(statistics.snapshot().edges[0].moved.count, 1);
    assert!(statistics.snapshot().pins.is_empty());

    // A counted guard is also counted when it is dropped, whatever the level is then.
    statistics.set_level(StatisticsLevel::Exposures, ByTier::default);
    assert_eq!(statistics.level(), StatisticsLevel::Exposures);
    let at = here();
    assert_eq!(statistics.pinned(at, 8), Some(at));
    assert_eq!(statistics.pinned(at, 8), Some(at));
    statistics.set_level(StatisticsLevel::Off, ByTier::default);
    statistics.unpinned(at, 8);
    let pin = statistics.snapshot().pins[0];
    assert_eq!(
        (pin.at, pin.taken, pin.held),
        (at, Amount { count: 2, bytes: 16 }, Amount { count: 1, bytes: 8 })
    );
}

#[test]
fn guards_dropped_by_other_threads_are_counted() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Exposures);
    let at = here();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..100).for_each(|_| assert!(statistics.pinned(at, 10).is_some())));
            scope.spawn(|| (0..100).for_each(|_| statistics.unpinned(at, 10)));
        }
    });
    let pins = statistics.snapshot().pins;
    assert_eq!(pins.len(), 1);
    assert_eq!(pins[0].taken, Amount { count: 400, bytes: 4000 });
    assert_eq!(pins[0].held, Amount::default());
}

#[test]
fn counts_of_concurrent_threads_add_up() {
    const THREADS: u64 = 4;
    const ALL: Amount = Amount { count: THREADS * ROUNDS, bytes: THREADS * ROUNDS * 64 };
    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 2000 };
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Exposures);
    let at = here();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let statistics = &statistics;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let owner = thread * ROUNDS + round;
                    statistics.born(Tier::Device, 64);
                    statistics.moved(|| down(64, owner));
                    statistics.moved(|| up(64, owner));
                    statistics.skipped_copy(64, Cause::Limit, owner);
                    statistics.exposed(at, 64, round % 2 == 0);
                    statistics.waited(Wait::Residency, Duration::from_micros(1));
                    statistics.sample(|| (ByTier::default(), None));
                    statistics.gone(owner);
                    statistics.dropped(Tier::Pinned, 64);
                    if round % 100 == 0 {
                        let _ = (statistics.snapshot(), statistics.timeline());
                    }
                }
            });
        }
    });
    let snapshot = statistics.snapshot();
    for (from, to) in [(Tier::Device, Tier::Pinned), (Tier::Pinned, Tier::Device)] {
        let edge = snapshot.edge(from, to).unwrap();
        assert_eq!(edge.moved, ALL);
        assert_eq!(edge.latency.count(), ALL.count);
        assert_eq!(edge.causes.len(), 1);
        assert_eq!(edge.causes[0].1, ALL);
        assert_eq!(edge.duration, Duration::from_micros(100) * u32::try_from(ALL.count).unwrap());
    }
    assert_eq!(snapshot.edge(Tier::Pinned, Tier::Device).unwrap().thrash, ALL);
    assert_eq!(snapshot.skipped_copies, ALL);
    assert_eq!(snapshot.spilled_time.now, Amount::default());
    assert_eq!(snapshot.spilled_time.count, 2 * ALL.count);
    assert_eq!(snapshot.waits[0].count, ALL.count);
    assert_eq!(snapshot.exposures.len(), 1);
    assert_eq!(snapshot.exposures[0].exposed, ALL);
    assert_eq!(snapshot.exposures[0].spilled, ALL.bytes / 2);
    for tier in Tier::ALL {
        assert_eq!(snapshot.unaccounted(tier, 0), 0, "{tier}");
    }
    let timeline = statistics.timeline();
    assert_eq!(timeline.moves.len() as u64 + timeline.forgotten, 2 * ALL.count);
}

#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn timeline_keeps_latest_moves_by_start() {
    use super::timeline::MOVES;
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    let began = Instant::now();
    let all = MOVES as u64 + 1000;
    for owner in 0..all {
        statistics.moved(|| Move { started: began + Duration::from_nanos(owner), ..down(1, owner) });
    }
    let timeline = statistics.timeline();
    assert_eq!((timeline.moves.len(), timeline.forgotten), (MOVES, 1000));
    assert!(timeline.moves.is_sorted_by_key(|event| event.owner));
    assert_eq!(timeline.moves.last().unwrap().owner, all - 1);
}

#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn samples_cover_all_time_and_keep_peaks() {
    use super::timeline::{Sample, Samples};
    let mut samples = Samples::default();
    let mut push = |at, device| {
        let bytes = ByTier::from_fn(|tier| if tier == Tier::Device { device } else { 0 });
        samples.push(Sample { at: Duration::from_micros(at), bytes, limit: Some(7) });
    };
    for at in 0..100_000 {
        push(at * 10, if at == 54_321 { 1_000_000 } else { 5 });
    }
    let samples = samples.load();
    assert!(samples.len() > 500 && samples.len() <= 2048, "{}", samples.len());
    assert!(samples.is_sorted_by_key(|sample| sample.at));
    assert_eq!(samples[0].at, Duration::ZERO);
    assert!(samples[samples.len() - 1].at > Duration::from_millis(990));
    let peak = samples.iter().filter(|sample| sample.bytes[Tier::Device] == 1_000_000).collect::<Vec<_>>();
    assert_eq!(peak.len(), 1);
    assert!(peak[0].at <= Duration::from_micros(543_210) && peak[0].at > Duration::from_millis(540));
}

#[test]
fn device_samples_keep_values_of_other_tiers() {
    let statistics = SpillStatistics::new(GPU, StatisticsLevel::Spills);
    statistics.sample(|| (ByTier::from_fn(|tier| tier as usize + 1), Some(9)));
    statistics.sample_device(|| (70, None));
    let samples = statistics.timeline().samples;
    assert_eq!(samples.len(), 2);
    assert_eq!(
        samples[1].bytes,
        ByTier::from_fn(|tier| if tier == Tier::Device { 70 } else { tier as usize + 1 })
    );
    assert_eq!((samples[0].limit, samples[1].limit), (Some(9), None));
}

#[test]
fn repeated_events_are_counted_exactly_at_each_level() {
    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 10_000 };
    let (edge, at) = (down(4096, 1), here());
    for level in StatisticsLevel::ALL {
        let statistics = SpillStatistics::new(GPU, level);
        for owner in 0..ROUNDS {
            statistics.moved(|| Move { owner: owner % 1000, ..edge });
            statistics.born(Tier::Device, 4096);
            statistics.sample(|| (ByTier::default(), None));
            if statistics.pinned(at, 4096).is_some() {
                statistics.unpinned(at, 4096);
            }
            statistics.exposed(at, 4096, false);
        }
        let snapshot = statistics.snapshot();
        let moves = if level == StatisticsLevel::Off { 0 } else { ROUNDS };
        let moved: u64 = snapshot.edges.iter().map(|edge| edge.moved.count).sum();
        assert_eq!((moved, snapshot.flows[Tier::Device].born), (moves, moves * 4096), "{level:?}");
        let sites = if level == StatisticsLevel::Exposures { ROUNDS } else { 0 };
        let taken: u64 = snapshot.pins.iter().map(|site| site.taken.count).sum();
        let held: u64 = snapshot.pins.iter().map(|site| site.held.bytes).sum();
        let exposed: u64 = snapshot.exposures.iter().map(|site| site.exposed.count).sum();
        assert_eq!((taken, held, exposed), (sites, 0, sites), "{level:?}");
    }
}
