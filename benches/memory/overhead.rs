//! What statistics cost a program that spills all the time.
//!
//! The levels take turns in short rounds over the same allocations, and each is first as often as the others, so that
//! whatever else the machine does is shared out evenly. Rounds are compared with the one without statistics that ran
//! beside them; a figure is the median of these ratios, with the quartiles to tell how far it can be believed.

use crate::{Effort, Figure, devices, managed};
use columnade_buffers::{Buffer, Exec, Result, SpillManager, StatisticsLevel};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::Instant;

/// Allocations that leave and come back.
struct Set {
    name: &'static str,
    /// Bytes of an allocation, and how many there are.
    sizes: &'static [(usize, usize)],
    rounds: usize,
    /// What the overheads of levels 1 and 2 are to be.
    targets: [&'static str; 2],
}

const SETS: [Set; 3] = [
    Set {
        name: "columns of 1,000,000 rows with masks and small companions",
        sizes: &[(8 << 20, 2), (128 << 10, 4), (4 << 10, 4)],
        rounds: 600,
        targets: ["< 0.5", "< 2"],
    },
    Set {
        name: "blocks of 1 MiB, 64 KiB and 4 KiB",
        sizes: &[(1 << 20, 8), (64 << 10, 8), (4 << 10, 8)],
        rounds: 900,
        targets: ["", ""],
    },
    // As little copying to an event as there is.
    Set { name: "blocks of 4 KiB", sizes: &[(4 << 10, 64)], rounds: 900, targets: ["", ""] },
];

const LEVELS: [StatisticsLevel; 3] = StatisticsLevel::ALL;

/// What a round took, in seconds.
#[derive(Clone, Copy)]
struct Round {
    /// Of this thread on a processor.
    thread: f64,
    wall: f64,
}

pub(crate) fn figures(effort: Effort) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    // The one with the most tiers.
    let Some(device) = devices().pop() else { return Ok(figures) };
    for set in SETS {
        let (exec, manager) = managed(device, |_| {})?;
        let mut buffers = Vec::new();
        for &(bytes, count) in set.sizes {
            for _ in 0..count {
                buffers.push(Buffer::zeroed(bytes, &exec)?);
            }
        }
        let round_count = if effort.runs == 1 { 3 } else { set.rounds };
        let mut rounds = Vec::with_capacity(round_count);
        for first in 0..round_count {
            let mut round = [Round { thread: 0.0, wall: 0.0 }; LEVELS.len()];
            for at in (0..LEVELS.len()).map(|place| (first + place) % LEVELS.len()) {
                round[at] = run(LEVELS[at], &mut buffers, &manager, &exec)?;
            }
            rounds.push(round);
        }
        for (level, target) in (1..).zip(set.targets) {
            for (what, time) in [
                ("thread time", (|round: &Round| round.thread) as fn(&Round) -> f64),
                ("time", |round| round.wall),
            ] {
                let mut overheads: Vec<f64> = rounds
                    .iter()
                    .map(|round| 100.0 * (time(&round[level]) / time(&round[0]) - 1.0))
                    .collect();
                overheads.sort_by(f64::total_cmp);
                for (quartile, name, target) in
                    [(1, "lower quartile", ""), (2, "median", target), (3, "upper quartile", "")]
                {
                    figures.push(Figure {
                        name: format!("{device}: statistics at level {level}, {}, {what}, {name}", set.name),
                        value: overheads[overheads.len() * quartile / 4],
                        unit: "%",
                        target,
                    });
                }
            }
        }
    }
    Ok(figures)
}

/// Every allocation is written, leaves, and comes back.
fn run(
    level: StatisticsLevel,
    buffers: &mut [Buffer],
    manager: &std::sync::Arc<SpillManager>,
    exec: &Exec,
) -> Result<Round> {
    let mut options = manager.options();
    options.statistics = level;
    manager.set_options(options)?;
    // What the change of options has driven from the caches comes back.
    let few = buffers.len().min(8);
    let first = buffers.len() - few;
    pass(&mut buffers[first..], exec)?;
    let (wall, thread) = (Instant::now(), thread_time());
    pass(buffers, exec)?;
    Ok(Round { thread: thread_time() - thread, wall: wall.elapsed().as_secs_f64() })
}

fn pass(buffers: &mut [Buffer], exec: &Exec) -> Result<()> {
    for buffer in buffers {
        black_box(buffer.write(exec)?.as_mut_ptr());
        buffer.spill()?;
        black_box(buffer.read(exec)?.as_ptr());
    }
    Ok(())
}

/// Seconds that this thread has run.
#[expect(clippy::cast_precision_loss, reason = "seconds of a benchmark")]
pub(crate) fn thread_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
