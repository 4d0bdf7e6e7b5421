//! Bytes moved, against the least possible.

use crate::{Effort, Figure, devices, managed};
use columnade_buffers::{Buffer, DeviceLimit, Result, SpillManager, StatisticsLevel, Tier};
use std::hint::black_box;

/// Bytes of one buffer.
const BYTES: usize = 64 << 10;
/// Uses of a working set, one after the other.
const PASSES: usize = 5;
/// The same of a set that hardly fits, after the first.
const MORE_PASSES: usize = 20;

pub(crate) fn figures(effort: Effort) -> Result<Vec<Figure>> {
    let count: usize = if effort.runs == 1 { 16 } else { 1000 };
    let mut figures = Vec::new();
    for device in devices() {
        let limited = |limit: usize| {
            managed(device, |options| {
                options.device_limit = Some(DeviceLimit::Bytes(limit));
                options.statistics = StatisticsLevel::Spills;
            })
        };
        let excess = count.div_ceil(1000);
        for (pass, is_written) in [("read", false), ("written", true)] {
            let (exec, manager) = limited(count * BYTES)?;
            let mut all: Vec<Buffer> =
                (0..count + excess).map(|_| Buffer::zeroed(BYTES, &exec)).collect::<Result<_>>()?;
            let made = down(&manager) + up(&manager);
            let mut pass_over = || -> Result<u64> {
                let before = down(&manager) + up(&manager);
                for buffer in &mut all {
                    if is_written {
                        black_box(buffer.write(&exec)?.as_mut_ptr());
                    } else {
                        black_box(buffer.read(&exec)?.as_ptr());
                    }
                }
                Ok(down(&manager) + up(&manager) - before)
            };
            let first = pass_over()?;
            let later = (0..MORE_PASSES).try_fold(0, |sum, _| Ok(sum + pass_over()?))?;
            let name = format!("{device}: a set 0.1 % over the limit, {pass}: down and up");
            figures.push(Figure {
                name: format!("{name} in the first pass / excess"),
                value: ratio(first, excess * BYTES),
                unit: "x",
                target: "",
            });
            figures.push(Figure {
                name: format!("{name} in each later pass / excess"),
                value: ratio(later, MORE_PASSES * excess * BYTES),
                unit: "x",
                target: "<= 2",
            });
            if !is_written {
                figures.push(Figure {
                    name: format!("{device}: a set 0.1 % over the limit: down while it is made / excess"),
                    value: ratio(made, excess * BYTES),
                    unit: "x",
                    target: "<= 2",
                });
            }
        }

        let (exec, manager) = limited(count / 2 * BYTES)?;
        let all: Vec<Buffer> = (0..count).map(|_| Buffer::zeroed(BYTES, &exec)).collect::<Result<_>>()?;
        for _ in 0..PASSES {
            for buffer in &all {
                black_box(buffer.read(&exec)?.as_ptr());
            }
        }
        figures.push(Figure {
            name: format!("{device}: bytes written down in five read-only passes over twice the limit"),
            value: ratio(down(&manager), count * BYTES),
            unit: "x",
            target: "<= 1",
        });
        figures.push(Figure {
            name: format!("{device}: bytes brought back in them, against the set"),
            value: ratio(up(&manager), count * BYTES),
            unit: "x",
            target: "",
        });
    }
    Ok(figures)
}

fn down(manager: &SpillManager) -> u64 {
    let edges = manager.statistics().snapshot().edges;
    edges.iter().filter(|edge| edge.from == Tier::Device).map(|edge| edge.moved.bytes).sum()
}

fn up(manager: &SpillManager) -> u64 {
    let edges = manager.statistics().snapshot().edges;
    edges.iter().filter(|edge| edge.to == Tier::Device).map(|edge| edge.moved.bytes).sum()
}

#[expect(clippy::cast_precision_loss, reason = "a ratio")]
fn ratio(part: u64, whole: usize) -> f64 {
    part as f64 / whole as f64
}
