//! Which allocations are chosen to leave, against least-recently-used and against the optimum that knows the future.
//!
//! Each trace is a list of uses of buffers that together are twice as large as the memory. Counted are the bytes that
//! had to come back.

use crate::{Effort, Figure, devices, managed};
use columnade_buffers::{Buffer, DeviceLimit, Result, StatisticsLevel, Tier};
use columnade_tests::Rng;
use std::hint::black_box;

/// A use of each buffer in turn, by number.
struct Trace {
    name: &'static str,
    /// Bytes of each buffer.
    sizes: Vec<usize>,
    uses: Vec<usize>,
}

const UNIT: usize = 16 << 10;

pub(crate) fn figures(effort: Effort) -> Result<Vec<Figure>> {
    let count = if effort.runs == 1 { 8 } else { 64 };
    let Some(device) = devices().pop() else { return Ok(Vec::new()) };
    let mut figures = Vec::new();
    for trace in traces(count) {
        let memory = trace.sizes.iter().sum::<usize>() / 2;
        let (exec, manager) = managed(device, |options| {
            options.device_limit = Some(DeviceLimit::Bytes(memory));
            options.statistics = StatisticsLevel::Spills;
        })?;
        let buffers: Vec<Buffer> =
            trace.sizes.iter().map(|&bytes| Buffer::zeroed(bytes, &exec)).collect::<Result<_>>()?;
        for buffer in &buffers {
            buffer.spill()?;
        }
        for &at in &trace.uses {
            black_box(buffers[at].read(&exec)?.as_ptr());
        }
        let edges = manager.statistics().snapshot().edges;
        let ours: u64 =
            edges.iter().filter(|edge| edge.to == Tier::Device).map(|edge| edge.moved.bytes).sum();
        let best = misses(&trace, memory, next_use);
        for (other, bytes) in [
            ("the optimum", best),
            (
                "least recently used",
                misses(&trace, memory, |trace, at, buffer| usize::MAX - last_use(trace, at, buffer)),
            ),
        ] {
            figures.push(Figure {
                name: format!("{device}: {}, bytes brought back against {other}", trace.name),
                #[expect(clippy::cast_precision_loss, reason = "a ratio")]
                value: ours as f64 / bytes as f64,
                unit: "x",
                target: "",
            });
        }
    }
    Ok(figures)
}

fn traces(count: usize) -> [Trace; 4] {
    let mut rng = Rng::new(7);
    let even = vec![UNIT; count];
    let mut below = |bound: usize| usize::try_from(rng.below(bound as u64)).unwrap_or(0);
    // A few buffers get most of the uses, as those of a hash table beside a scan.
    let skewed = (0..count * 20).map(|_| below(count).min(below(count)).min(below(count))).collect();
    let scan_and_table = (0..count * 10)
        .map(|at| if at % 2 == 0 { count / 4 + at / 2 % (count - count / 4) } else { below(count / 4) })
        .collect();
    let uneven: Vec<usize> = (0..count).map(|at| UNIT << (at % 4)).collect();
    let random = (0..count * 20).map(|_| below(count)).collect();
    [
        Trace { name: "a loop", sizes: even.clone(), uses: (0..count * 10).map(|at| at % count).collect() },
        Trace { name: "skewed uses", sizes: even.clone(), uses: skewed },
        Trace { name: "a scan beside a table", sizes: even, uses: scan_and_table },
        Trace { name: "random uses of uneven sizes", sizes: uneven, uses: random },
    ]
}

/// Bytes that come in when, of what is in memory, that with the largest `distance` leaves first.
fn misses(trace: &Trace, memory: usize, distance: impl Fn(&Trace, usize, usize) -> usize) -> u64 {
    let (mut inside, mut used, mut missed) = (Vec::new(), 0, 0_u64);
    for (at, &wanted) in trace.uses.iter().enumerate() {
        if inside.contains(&wanted) {
            continue;
        }
        let bytes = trace.sizes[wanted];
        missed += bytes as u64;
        while used + bytes > memory {
            let victim = (0..inside.len()).max_by_key(|&place| distance(trace, at, inside[place]));
            let Some(victim) = victim else { break };
            used -= trace.sizes[inside.swap_remove(victim)];
        }
        inside.push(wanted);
        used += bytes;
    }
    missed
}

fn next_use(trace: &Trace, at: usize, buffer: usize) -> usize {
    trace.uses[at..].iter().position(|&used| used == buffer).unwrap_or(usize::MAX)
}

fn last_use(trace: &Trace, at: usize, buffer: usize) -> usize {
    trace.uses[..at].iter().rposition(|&used| used == buffer).unwrap_or(0)
}
