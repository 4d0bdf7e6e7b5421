//! A timeline as trace events.

use std::collections::BTreeMap;
use std::time::Duration;

use columnade_buffers::{Device, format_bytes};
use serde_json::{Value, json};

use super::report::{limit_name, tier_name};
use super::{MoveEvent, Report, Sample, Tier, Timeline};

/// All events are of one process, the device.
const PROCESS: u32 = 1;

pub(super) fn document(report: &Report) -> Value {
    let timeline = &report.timeline;
    let mut events = vec![json!({
        "ph": "M", "name": "process_name", "pid": PROCESS, "tid": 0,
        "args": { "name": format!("memory of {}", timeline.device) },
    })];
    for (thread, (track, moves)) in (1_u32..).zip(tracks(timeline)) {
        let name = track.to_string();
        events.push(json!({
            "ph": "M", "name": "thread_name", "pid": PROCESS, "tid": thread, "args": { "name": name },
        }));
        events.push(json!({
            "ph": "M", "name": "thread_sort_index", "pid": PROCESS, "tid": thread, "args": { "sort_index": thread },
        }));
        events.extend(moves.into_iter().map(|event| complete(event, thread)));
    }
    events.extend(timeline.samples.iter().flat_map(|sample| counters(sample, timeline.device)));
    events.extend(report.spills.refusals.iter().map(|refusal| {
        json!({
            "ph": "i", "s": "p", "cat": "refused", "pid": PROCESS, "tid": 0, "ts": microseconds(refusal.at),
            "name": format!("refused {}", format_bytes(refusal.requested as u64)),
            "args": { "requested": refusal.requested, "used": refusal.usage.tiers[Tier::Device].bytes },
        })
    }));
    json!({
        "displayTimeUnit": "ms",
        "otherData": { "device": timeline.device.to_string(), "forgotten_moves": timeline.forgotten },
        "traceEvents": events,
    })
}

/// One line of the trace: complete events on it must not overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Track {
    from: Tier,
    to: Tier,
    /// Counted from 1: moves at one time are on different ones.
    lane: usize,
}

impl std::fmt::Display for Track {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} → {}", self.from, self.to)?;
        if self.lane > 1 { write!(f, " ({})", self.lane) } else { Ok(()) }
    }
}

/// Moves by track. They come by start, so that the first lane that is free by then will do.
fn tracks(timeline: &Timeline) -> BTreeMap<Track, Vec<&MoveEvent>> {
    let mut tracks: BTreeMap<Track, Vec<&MoveEvent>> = BTreeMap::new();
    for event in &timeline.moves {
        let lanes = (1..).map(|lane| Track { from: event.from, to: event.to, lane });
        let is_free = |track: &Track| {
            let last = tracks.get(track).and_then(|moves| moves.last());
            last.is_none_or(|last| last.started + last.duration <= event.started)
        };
        let track = lanes.into_iter().find(is_free);
        tracks
            .entry(track.unwrap_or(Track { from: event.from, to: event.to, lane: 1 }))
            .or_default()
            .push(event);
    }
    tracks
}

fn complete(event: &MoveEvent, thread: u32) -> Value {
    json!({
        "ph": "X",
        "name": format_bytes(event.bytes as u64),
        "cat": event.cause.to_string(),
        "pid": PROCESS,
        "tid": thread,
        "ts": microseconds(event.started),
        "dur": microseconds(event.duration),
        "args": {
            "bytes": event.bytes,
            "freed": event.freed,
            "cause": event.cause.to_string(),
            "owner": event.owner,
            "queued_us": microseconds(event.queued),
        },
    })
}

/// The bytes of all tiers, stacked, and the limit by itself.
fn counters(sample: &Sample, device: Device) -> Vec<Value> {
    let counter = |name: &str, args: Value| json!({ "ph": "C", "name": name, "pid": PROCESS, "tid": 0, "ts": microseconds(sample.at), "args": args });
    let bytes =
        sample.bytes.iter().map(|(tier, &bytes)| (tier_name(device, tier).to_owned(), Value::from(bytes)));
    let limit = sample.limit.map(|limit| counter(limit_name(device), json!({ "bytes": limit })));
    std::iter::once(counter("bytes in use", bytes.collect())).chain(limit).collect()
}

/// The unit of the format; fractions are allowed.
fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
