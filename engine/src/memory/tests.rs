use std::panic::Location;
use std::time::Duration;

use columnade_buffers::{Device, Error as DeviceError};
use serde_json::{Value, json};

use super::{
    Amount, ByTier, Cause, EdgeSnapshot, ExposureSite, Flow, MemoryUsage, MoveEvent, Overruns, PinSite,
    Refusal, Report, RetryStatistics, Sample, SpillOptions, SpillSnapshot, SpilledTime, StatisticsLevel,
    Tier, TierUsage, Timeline, Wait, WaitSnapshot,
};
use crate::DataFrame;

const MIB: usize = 1 << 20;

fn tiers(bytes: [usize; 4]) -> ByTier<usize> {
    ByTier::from_fn(|tier| bytes[tier as usize])
}

fn usage() -> MemoryUsage {
    let bytes = tiers([12 * MIB, 4 * MIB, 0, 40 * MIB]);
    let limit = |tier| match tier {
        Tier::Device => Some(16 * MIB),
        Tier::Pinned => Some(8 << 30),
        Tier::Pageable => Some(16 << 30),
        Tier::Disk => None,
    };
    MemoryUsage {
        device: Device::Sim,
        tiers: ByTier::from_fn(|tier| TierUsage {
            bytes: bytes[tier],
            peak: bytes[tier] * 3 / 2,
            limit: limit(tier),
        }),
        managed: 7 * MIB,
        pinned: 2 * MIB,
        leased: MIB,
        deferred: MIB,
        unmanaged: MIB,
        retained: MIB,
        spilled: 40 * MIB,
    }
}

fn edge(from: Tier, to: Tier, cause: Cause) -> EdgeSnapshot {
    let durations = [2, 3, 4].map(Duration::from_millis);
    let moved = Amount { count: 3, bytes: 9 << 20 };
    EdgeSnapshot {
        from,
        to,
        moved,
        freed: 9 << 20,
        duration: durations.iter().sum(),
        queued: Duration::from_micros(120),
        latency: durations.into_iter().collect(),
        causes: vec![(cause, moved)],
        thrash: if to == Tier::Device { Amount { count: 1, bytes: 1 << 20 } } else { Amount::default() },
    }
}

/// Moves of which two on the same way overlap, and usage that rises to the limit.
fn timeline() -> Timeline {
    let event = |started, duration, from, to, owner| MoveEvent {
        started: Duration::from_micros(started),
        duration: Duration::from_micros(duration),
        queued: Duration::from_micros(5),
        from,
        to,
        bytes: MIB,
        freed: MIB,
        cause: Cause::OnDemand,
        owner,
    };
    Timeline {
        device: Device::Sim,
        elapsed: Duration::from_millis(1200),
        moves: vec![
            event(100, 50, Tier::Device, Tier::Pinned, 1),
            event(120, 50, Tier::Device, Tier::Pinned, 2),
            event(150, 50, Tier::Device, Tier::Pinned, 3),
            event(160, 10, Tier::Pinned, Tier::Device, 1),
        ],
        forgotten: 7,
        samples: (0..100)
            .map(|at| {
                let mib = usize::try_from(at).unwrap_or(0) * MIB;
                Sample {
                    at: Duration::from_millis(12 * at),
                    bytes: tiers([mib.min(16 * MIB), mib / 4, 0, mib / 2]),
                    limit: Some(16 * MIB),
                }
            })
            .collect(),
    }
}

fn report() -> Report {
    let at = Location::caller();
    let spills = SpillSnapshot {
        device: Device::Sim,
        level: StatisticsLevel::Exposures,
        elapsed: Duration::from_millis(1200),
        edges: vec![
            edge(Tier::Device, Tier::Pinned, Cause::Limit),
            edge(Tier::Pinned, Tier::Device, Cause::Access),
        ],
        flows: ByTier::from_fn(|_| Flow { born: 1, entered: 2, left: 3, dropped: 4 }),
        skipped_copies: Amount { count: 2, bytes: 2 << 20 },
        skipped_causes: vec![(Cause::Reservation, Amount { count: 2, bytes: 2 << 20 })],
        spilled_time: SpilledTime {
            now: Amount { count: 1, bytes: 1 << 20 },
            count: 4,
            duration: Duration::from_secs(2),
            byte_seconds: 3.0 * 1_048_576.0,
        },
        waits: vec![WaitSnapshot {
            what: Wait::ExclusiveRetry,
            count: 2,
            duration: Duration::from_millis(6),
            latency: [Duration::from_millis(3); 2].into_iter().collect(),
        }],
        refused: Amount { count: 1, bytes: 64 << 20 },
        refusals: vec![Refusal { at: Duration::from_millis(700), requested: 64 * MIB, usage: usage() }],
        overruns: Overruns { count: 2, largest: 4096 },
        exposures: vec![ExposureSite { at, exposed: Amount { count: 3, bytes: 72 }, spilled: 24 }],
        pins: vec![PinSite {
            at,
            taken: Amount { count: 9, bytes: 900 },
            held: Amount { count: 1, bytes: 100 },
        }],
    };
    let retries = RetryStatistics {
        attempts: 40,
        failures: 12,
        last_attempts: 1,
        splits: 5,
        reservations: 7,
        reserved_bytes: 3 << 20,
        refused_reservations: 2,
        waits: 2,
        waited: Duration::from_millis(6),
    };
    Report { usage: usage(), spills, retries, tier_refusal: None, timeline: timeline() }
}

/// Nothing ever happened, and statistics are off.
fn empty() -> Report {
    let full = report();
    let spills = SpillSnapshot {
        level: StatisticsLevel::Off,
        edges: Vec::new(),
        flows: ByTier::default(),
        skipped_copies: Amount::default(),
        skipped_causes: Vec::new(),
        spilled_time: SpilledTime::default(),
        waits: Vec::new(),
        refused: Amount::default(),
        refusals: Vec::new(),
        overruns: Overruns::default(),
        exposures: Vec::new(),
        pins: Vec::new(),
        ..full.spills
    };
    let timeline = Timeline { moves: Vec::new(), forgotten: 0, samples: Vec::new(), ..full.timeline };
    Report { spills, retries: RetryStatistics::default(), timeline, ..full }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn text_report_has_every_section() {
    let text = report().to_string();
    println!("{text}");
    for part in [
        "Memory of sim (statistics level 2, after 1.2s)",
        "device                 12MiB  18MiB     16MiB",
        "- held by guards        2MiB",
        "- deferred free         1MiB",
        "device → pinned       3   9MiB   9MiB  1000MiB/s",
        "limit 3",
        "Evicted without a copy: 2 allocations with 2MiB (reservation 2)",
        "Spilled: 1 allocation with 1MiB now; 4 came back or ended, after 500.0ms on average; 2.50MiB at a time",
        "Waited (exclusive retry): 2 times, 3.0ms on average, 6.0ms in all",
        "Reserved: 3MiB for 7 attempts in all; refused to 2 (all devices)",
        "Retried: memory did not suffice for 12 of 40 attempts; chunks split: 5, attempts",
        "Passed the device limit: 2 times, by 4KiB at most",
        "Did not fit at first: 1 allocation with 64MiB; operators went on in chunks or beyond the limit, unless an error \
         was returned; the last asked for 64MiB with 12MiB in use",
        "engine/src/memory/tests.rs",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    assert!(text.lines().all(|line| line == line.trim_end()), "{text:?}");
    // The host has no memory below but the disk.
    let mut host = report();
    host.usage.device = Device::Host;
    let text = host.usage_table();
    assert!(text.contains("disk") && !text.contains("pinned") && !text.contains("pageable"), "{text}");
}

#[test]
fn text_report_of_host_calls_its_memory_memory() {
    let mut host = report();
    (host.usage.device, host.spills.device) = (Device::Host, Device::Host);
    host.spills.edges =
        vec![edge(Tier::Device, Tier::Disk, Cause::Limit), edge(Tier::Disk, Tier::Device, Cause::Access)];
    let text = host.to_string();
    assert!(!text.replace("(all devices)", "").contains("device"), "{text}");
    for part in [
        "memory                 12MiB",
        "memory → disk",
        "disk → memory",
        "Passed the memory limit",
        "kept for reuse          1MiB",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn text_report_says_what_to_do() {
    let mut bad = report();
    bad.tier_refusal = Some(DeviceError::Storage {
        tier: Tier::Disk,
        operation: "reserve",
        bytes: 4096,
        reason: "/scratch: No space left on device".to_owned(),
    });
    bad.spills.edges[1].thrash.bytes = bad.spills.edges[1].moved.bytes;
    let text = bad.to_string();
    for part in [
        "\nTo do: bytes could not be spilled (disk memory: reserve of 4096 bytes failed: /scratch: No space left on device); add \
         space there",
        "\nTo do: the work needs more than the limit at once; raise it to 18MiB or more with COLUMNADE_SPILL_DEVICE_LIMIT",
        "\nTo do: most of what was spilled was needed again within a second; raise the limit",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    let mut good = report();
    good.spills.overruns = Overruns::default();
    assert!(!good.to_string().contains("To do"), "{good}");
    assert_eq!(parse(&bad.to_json())["tier_refusal"], bad.tier_refusal.unwrap().to_string());
}

#[test]
fn text_of_empty_report_explains_levels() {
    let text = empty().to_string();
    assert!(text.contains("COLUMNADE_SPILL_STATS"), "{text}");
    assert!(!text.contains("moved"), "{text}");
    let mut counted = empty();
    counted.spills.level = StatisticsLevel::Spills;
    assert!(counted.to_string().contains("\nNothing moved."));
}

#[test]
fn json_has_every_field() {
    let json = parse(&report().to_json());
    assert_eq!(json["version"], 1);
    assert_eq!(json["device"], "sim");
    assert_eq!(json["usage"]["tiers"]["device"]["limit_bytes"], 16 * MIB);
    assert_eq!(json["usage"]["tiers"]["disk"]["limit_bytes"], Value::Null);
    assert_eq!(json["usage"]["spillable_bytes"], 7 * MIB);
    assert_eq!(json["usage"]["deferred_free_bytes"], MIB);
    assert_eq!(json["usage"]["spilled_bytes"], 40 * MIB);
    assert_eq!(json["edges"][0]["from"], "device");
    assert_eq!(json["edges"][0]["bytes"], 9 << 20);
    assert_eq!(json["edges"][0]["bytes_per_second"], 1_048_576_000.0);
    assert_eq!(json["edges"][0]["causes"]["limit"]["count"], 3);
    assert_eq!(json["edges"][0]["latency"]["buckets"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["edges"][1]["thrash"]["bytes"], 1 << 20);
    assert_eq!(json["flows"]["pinned"]["dropped_bytes"], 4);
    assert_eq!(json["skipped_copies"]["causes"]["reservation"]["count"], 2);
    assert_eq!(json["spilled_time"]["seconds"], 2.0);
    assert_eq!(json["waits"][0]["for"], "exclusive retry");
    assert_eq!(json["refusals"][0]["usage"]["leased_bytes"], MIB);
    assert_eq!(json["overruns"]["largest_bytes"], 4096);
    assert_eq!((&json["retries"]["splits"], &json["retries"]["waited_seconds"]), (&json!(5), &json!(0.006)));
    assert_eq!(json["exposures"][0]["spilled_bytes"], 24);
    assert_eq!(json["pins"][0]["held"]["bytes"], 100);
    assert!(json["pins"][0]["at"].as_str().is_some_and(|at| at.contains("tests.rs:")));

    let json = parse(&empty().to_json());
    assert_eq!(json["edges"], Value::Array(Vec::new()));
}

/// The rules of the Trace Event Format for the kinds of events there are.
fn check_event(event: &Value) {
    let phase = event["ph"].as_str().expect("every event has a phase");
    assert!(event["pid"].is_u64() && event["tid"].is_u64(), "{event}");
    assert!(event["name"].is_string(), "{event}");
    if phase != "M" {
        assert!(event["ts"].as_f64().is_some_and(|ts| ts >= 0.0), "{event}");
    }
    match phase {
        "X" => assert!(event["dur"].as_f64().is_some_and(|duration| duration >= 0.0), "{event}"),
        "C" => {
            let series = event["args"].as_object().expect("counters have series");
            assert!(!series.is_empty() && series.values().all(Value::is_number), "{event}");
        }
        "i" => assert!(matches!(event["s"].as_str(), Some("g" | "p" | "t")), "{event}"),
        "M" => match event["name"].as_str() {
            Some("process_name" | "thread_name") => assert!(event["args"]["name"].is_string(), "{event}"),
            Some("thread_sort_index") => assert!(event["args"]["sort_index"].is_number(), "{event}"),
            other => panic!("no such metadata: {other:?}"),
        },
        other => panic!("no such phase here: {other}"),
    }
}

#[test]
fn trace_has_valid_non_overlapping_events() {
    let trace = parse(&report().to_trace());
    let events = trace["traceEvents"].as_array().expect("events");
    events.iter().for_each(check_event);
    let of_phase = |phase: &str| events.iter().filter(|event| event["ph"] == phase).collect::<Vec<_>>();

    let moves = of_phase("X");
    assert_eq!(moves.len(), 4);
    assert_eq!((moves[0]["ts"].as_f64(), moves[0]["dur"].as_f64()), (Some(100.0), Some(50.0)));
    assert_eq!(moves[0]["args"]["bytes"], MIB);
    assert_eq!(moves[0]["cat"], "on demand");
    // Complete events of one thread must not overlap.
    for a in &moves {
        for b in moves.iter().filter(|b| b["tid"] == a["tid"] && b["ts"].as_f64() > a["ts"].as_f64()) {
            assert!(
                b["ts"].as_f64() >= Some(a["ts"].as_f64().unwrap() + a["dur"].as_f64().unwrap()),
                "{a} {b}"
            );
        }
    }
    let names: Vec<_> = of_phase("M")
        .into_iter()
        .filter(|event| event["name"] == "thread_name")
        .map(|event| event["args"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["device → pinned", "device → pinned (2)", "pinned → device"]);

    let counters = of_phase("C");
    assert_eq!(counters.len(), 200);
    assert_eq!(counters[0]["name"], "bytes in use");
    assert_eq!(counters[1]["args"]["bytes"], 16 * MIB);
    assert_eq!(of_phase("i").len(), 1);
    assert_eq!(trace["otherData"]["forgotten_moves"], 7);

    let nothing = parse(&empty().to_trace());
    assert_eq!(nothing["traceEvents"].as_array().map(Vec::len), Some(1));
}

/// Every node that the picture has of this tag.
fn count(svg: &roxmltree::Document<'_>, tag: &str, class: &str) -> usize {
    let nodes = svg.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)));
    nodes
        .filter(|node| {
            class.is_empty() || node.attribute("class").unwrap_or("").split(' ').any(|has| has == class)
        })
        .count()
}

#[test]
fn picture_is_well_formed_and_shows_usage() {
    let text = report().to_svg();
    let svg = roxmltree::Document::parse(&text).expect("XML");
    assert!(svg.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    // Device, pinned and disk; nothing was ever in pageable memory.
    assert_eq!(count(&svg, "path", "band"), 3);
    assert_eq!(count(&svg, "path", "limit"), 1);
    for words in ["16MiB", "device limit 16MiB", "disk (49.50MiB at most)", "time since the start (s)", "1.2"]
    {
        assert!(text.contains(words), "{words}");
    }
    for (tier, bands) in [(Tier::Device, 1), (Tier::Pinned, 1), (Tier::Pageable, 0), (Tier::Disk, 1)] {
        assert_eq!(count(&svg, "path", &tier.to_string()), bands, "{tier}");
    }
    assert!(!text.contains("pageable ("), "{text}");
    assert!(text.contains("prefers-color-scheme: dark"));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

/// The host's own memory is no device.
#[test]
fn picture_and_trace_of_host_call_its_memory_memory() {
    let mut report = report();
    report.timeline.device = Device::Host;
    let (picture, trace) = (report.to_svg(), report.to_trace());
    for text in [&picture, &trace] {
        assert!(text.contains("memory limit") && !text.contains("device limit"), "{text}");
    }
    assert!(picture.contains("memory (") && !picture.contains("device ("), "{picture}");
}

#[test]
fn picture_of_empty_timeline_says_so() {
    let text = empty().to_svg();
    let svg = roxmltree::Document::parse(&text).expect("XML");
    assert_eq!(count(&svg, "path", ""), 0);
    assert!(text.contains("Nothing was sampled"));
}

#[test]
fn pictures_of_edge_case_timelines_are_well_formed() {
    let mut odd = Vec::new();
    // No limit, one sample, no time, all zero, a limit far above, limits that come and go, many samples.
    let sample = |at, bytes, limit| Sample { at: Duration::from_micros(at), bytes: tiers(bytes), limit };
    odd.push((1, vec![sample(0, [1, 0, 0, 0], None)]));
    odd.push((0, vec![sample(0, [5, 0, 0, 0], Some(5))]));
    odd.push((10, vec![sample(0, [0; 4], None), sample(5, [0; 4], None)]));
    odd.push((999_999, vec![sample(0, [1000, 0, 0, 7], Some(usize::MAX))]));
    odd.push((
        50,
        [None, Some(6), Some(9), None, Some(3)].map(|limit| sample(7, [4, 1, 1, 1], limit)).to_vec(),
    ));
    odd.push((
        2_000_000,
        (0..2048).map(|at| sample(at * 900, [7 << (at % 40), 3, 5, 9], Some(1 << 30))).collect(),
    ));
    for (elapsed, samples) in odd {
        let timeline = Timeline { elapsed: Duration::from_micros(elapsed), samples, ..timeline() };
        let text = Report { timeline, ..report() }.to_svg();
        roxmltree::Document::parse(&text).expect("XML");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert!(text.len() < 200_000, "{} bytes", text.len());
    }
}

#[test]
fn live_report_counts_spilled_bytes() {
    for device in Device::available() {
        crate::set_default_device(device).expect("available");
        let before = super::options().expect("managed");
        let options = SpillOptions { spill: true, statistics: StatisticsLevel::Spills, ..before.clone() };
        super::set_options(options.clone()).expect("valid");
        assert_eq!(super::options().expect("managed"), options);
        let frame = DataFrame::new([("a", (0..100_000_i64).collect::<Vec<_>>())]).expect("a frame");
        let manager = super::manager().expect("managed");
        let freed = manager.spill_device_memory(usize::MAX);
        let report = super::report().expect("managed");
        assert!(freed >= 800_000, "{device}: {freed}");
        assert_eq!(report.usage.device, device);
        let down = report.spills.edges.iter().filter(|edge| edge.from == Tier::Device);
        assert!(down.map(|edge| edge.moved.bytes).sum::<u64>() >= 800_000, "{device}:\n{report}");
        assert!(!report.timeline.moves.is_empty() && !report.timeline.samples.is_empty(), "{device}");
        assert_eq!(
            frame.column("a").and_then(|a| a.to_scalars()).expect("brought back")[99_999],
            99_999_i64.into()
        );
        super::set_options(before).expect("as it was");
    }
}

const GUIDE: &str = include_str!("../../../docs/memory-guide.md");
const REFERENCE: &str = include_str!("../../../docs/memory-reference.md");

/// All of it but the call sites, which are of this file.
#[test]
fn guide_shows_every_line_of_the_report() {
    let text = report().to_string();
    for line in text.lines().take_while(|line| !line.starts_with("Did not fit")) {
        assert!(
            GUIDE.lines().any(|other| other == line),
            "{line:?} is not in the guide; the report is now\n{text}"
        );
    }
}

#[test]
fn reference_lists_every_variable() {
    for variable in SpillOptions::VARIABLES {
        assert!(REFERENCE.contains(&format!("| `{variable}` |")), "{variable}");
    }
}
