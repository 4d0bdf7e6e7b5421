//! Bytes that the eviction policy moves, against least recently used and against the choice that knows the future.
//!
//! Traces are replayed by a manager under a limit. Counted are the bytes moved down and up.

use crate::trace::{Event, Trace, traces};
use crate::{Effort, Figure, managed};
use columnade_buffers::{Buffer, Device, DeviceLimit, EvictionPolicy, Result, StatisticsLevel, Tier};
use std::collections::HashMap;
use std::hint::black_box;

pub(crate) fn figures(effort: Effort) -> Result<Vec<Figure>> {
    let measured = effort.runs > 1;
    let mut figures = Vec::new();
    for trace in traces(if measured { 64 } else { 8 }) {
        let [lru, ours] = [EvictionPolicy::LeastRecentlyUsed, EvictionPolicy::default()]
            .map(|policy| moved(&trace, policy, effort.runs));
        let lru = lru?;
        for (policy, bytes) in
            [("the default policy", ours?), ("farthest next use", farthest_next_use(&trace))]
        {
            figures.push(Figure {
                name: format!("{}: bytes moved, {policy} against least recently used", trace.name),
                #[expect(clippy::cast_precision_loss, reason = "a ratio")]
                value: bytes as f64 / lru as f64,
                unit: "x",
                target: "",
            });
        }
    }
    Ok(figures)
}

/// Bytes that a manager moves, the median of several runs.
fn moved(trace: &Trace, policy: EvictionPolicy, runs: usize) -> Result<u64> {
    let mut runs = (0..runs).map(|_| replay(trace, policy)).collect::<Result<Vec<_>>>()?;
    runs.sort_unstable();
    Ok(runs[runs.len() / 2])
}

fn replay(trace: &Trace, policy: EvictionPolicy) -> Result<u64> {
    let (exec, manager) = managed(Device::Host, |options| {
        options.device_limit = Some(DeviceLimit::Bytes(trace.limit));
        options.statistics = StatisticsLevel::Spills;
        options.eviction = policy;
    })?;
    let moved = || -> u64 {
        let edges = manager.statistics().snapshot().edges;
        let of_device = edges.iter().filter(|edge| edge.from == Tier::Device || edge.to == Tier::Device);
        of_device.map(|edge| edge.moved.bytes).sum()
    };
    let mut before = 0;
    let mut live: HashMap<usize, Buffer> = HashMap::new();
    for (at, event) in trace.events.iter().enumerate() {
        match *event {
            Event::Allocate(id, bytes) => {
                let buffer = Buffer::zeroed(bytes, &exec)?;
                if at < trace.setup {
                    buffer.spill()?;
                    before = moved();
                }
                live.insert(id, buffer);
            }
            Event::Read(id) => {
                if let Some(buffer) = live.get(&id) {
                    black_box(buffer.read(&exec)?.as_ptr());
                }
            }
            Event::Write(id) => {
                if let Some(buffer) = live.get_mut(&id) {
                    black_box(buffer.write(&exec)?.as_mut_ptr());
                }
            }
            Event::Free(id) => drop(live.remove(&id)),
        }
    }
    Ok(moved() - before)
}

/// Bytes moved when, of what is resident, that with the farthest next use is evicted first (Belady's MIN; with uneven
/// sizes and copies to be written it is close to the optimum, not the optimum).
fn farthest_next_use(trace: &Trace) -> u64 {
    #[derive(Clone, Copy)]
    struct Place {
        bytes: usize,
        resident: bool,
        has_copy: bool,
    }
    let mut uses: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, event) in trace.events.iter().enumerate() {
        if let Event::Read(id) | Event::Write(id) = *event {
            uses.entry(id).or_default().push(at);
        }
    }
    let next_use = |id: usize, after: usize| {
        let uses = uses.get(&id).map_or(&[][..], |uses| uses);
        uses.get(uses.partition_point(|&at| at <= after)).copied().unwrap_or(usize::MAX)
    };
    let (mut places, mut used, mut moved) = (HashMap::<usize, Place>::new(), 0, 0);
    for (at, event) in trace.events.iter().enumerate() {
        let id = match *event {
            Event::Free(id) => {
                let place = places.remove(&id).filter(|place| place.resident);
                used -= place.map_or(0, |place| place.bytes);
                continue;
            }
            Event::Allocate(id, bytes) => {
                let is_setup = at < trace.setup;
                places.insert(id, Place { bytes, resident: !is_setup, has_copy: is_setup });
                used += if is_setup { 0 } else { bytes };
                id
            }
            Event::Read(id) | Event::Write(id) => {
                let Some(place) = places.get_mut(&id) else { continue };
                if !place.resident {
                    (place.resident, place.has_copy) = (true, true);
                    (used, moved) = (used + place.bytes, moved + place.bytes);
                }
                place.has_copy &= !matches!(event, Event::Write(_));
                id
            }
        };
        while used > trace.limit {
            let others = places.iter_mut().filter(|(other, place)| **other != id && place.resident);
            let victim = others.max_by_key(|(other, place)| (next_use(**other, at), place.has_copy, **other));
            let Some((_, place)) = victim else { break };
            moved += if place.has_copy { 0 } else { place.bytes };
            (place.resident, place.has_copy) = (false, true);
            used -= place.bytes;
        }
    }
    moved as u64
}
