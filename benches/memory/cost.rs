//! Time a call.

use crate::{Effort, Figure, devices, managed, median};
use columnade_buffers::{Buffer, Device, DeviceLimit, Exec, Result};
use std::hint::black_box;
use std::time::Instant;

pub(crate) fn figures(effort: Effort) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for device in devices() {
        registration(device, effort, &mut figures)?;
        guards(device, effort, &mut figures)?;
    }
    threads(effort, &mut figures)?;
    Ok(figures)
}

/// Nanoseconds a call of `work`, the median of several runs.
#[expect(clippy::cast_precision_loss, reason = "a mean")]
fn nanoseconds(effort: Effort, loops: usize, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut values = Vec::with_capacity(effort.runs);
    for _ in 0..effort.runs {
        let started = Instant::now();
        for _ in 0..loops {
            work()?;
        }
        values.push(started.elapsed().as_secs_f64() * 1e9 / loops as f64);
    }
    Ok(median(values))
}

/// Making, touching and dropping a small buffer while many others live, less what its memory costs.
fn registration(device: Device, effort: Effort, figures: &mut Vec<Figure>) -> Result<()> {
    let (exec, manager) =
        managed(device, |options| options.device_limit = Some(DeviceLimit::Bytes(1 << 40)))?;
    let upstream = exec
        .with_resource(std::sync::Arc::clone(exec.resource().upstream().unwrap_or_else(|| exec.resource())));
    let mut live = Vec::new();
    let loops = effort.loops / 10;
    for count in [10, 1_000, 100_000, 1_000_000] {
        if count > effort.owners || (device != Device::Host && count > 100_000) {
            break;
        }
        while live.len() < count {
            live.push(Buffer::uninit(64, &exec)?);
        }
        let touched = |exec: &Exec| {
            nanoseconds(effort, loops, || {
                let buffer = Buffer::uninit(64, exec)?;
                black_box(buffer.read(exec)?.as_ptr());
                Ok(())
            })
        };
        let (with, without) = (touched(&exec)?, touched(&upstream)?);
        figures.push(Figure {
            name: format!("{device}: allocation, first touch and drop, {count} live"),
            value: with,
            unit: "ns",
            target: "",
        });
        figures.push(Figure {
            name: format!("{device}: of which registration, {count} live"),
            value: with - without,
            unit: "ns",
            target: "< 1000, flat",
        });
    }
    assert_eq!(manager.statistics().snapshot().edges.len(), 0, "nothing was to be spilled");
    Ok(())
}

fn guards(device: Device, effort: Effort, figures: &mut Vec<Figure>) -> Result<()> {
    let (exec, _manager) = managed(device, |_| {})?;
    let mut buffer = Buffer::zeroed(4096, &exec)?;
    let mut figure = |name: &str, value, target| {
        figures.push(Figure { name: format!("{device}: {name}"), value, unit: "ns", target });
    };
    figure(
        "read guard",
        nanoseconds(effort, effort.loops, || {
            black_box(buffer.read(&exec)?.as_ptr());
            Ok(())
        })?,
        "< 50",
    );
    figure(
        "write guard",
        nanoseconds(effort, effort.loops, || {
            black_box(buffer.write(&exec)?.as_mut_ptr());
            Ok(())
        })?,
        "< 50",
    );
    let others: Vec<Buffer> = (0..3).map(|_| Buffer::zeroed(4096, &exec)).collect::<Result<_>>()?;
    let reads: Vec<&Buffer> = others.iter().collect();
    figure(
        "access of three buffers",
        nanoseconds(effort, effort.loops, || {
            black_box(exec.access(&reads, [])?.reads.len());
            Ok(())
        })?,
        "",
    );
    figure(
        "slice and drop",
        nanoseconds(effort, effort.loops, || {
            black_box(buffer.slice(64, 128).len());
            Ok(())
        })?,
        "",
    );
    Ok(())
}

/// Guards, slices, and departures and returns of small allocations that nobody else uses, on one and on two threads.
fn threads(effort: Effort, figures: &mut Vec<Figure>) -> Result<()> {
    let (exec, _manager) = managed(Device::Host, |_| {})?;
    let loops = effort.loops;
    let guards = |exec: &Exec, buffer: &mut Buffer| -> Result<()> {
        for _ in 0..loops {
            black_box(buffer.read(exec)?.as_ptr());
            black_box(buffer.slice(64, 128).len());
            black_box(buffer.write(exec)?.as_mut_ptr());
        }
        Ok(())
    };
    figures.push(scaling("guards and slices", &exec, effort, guards)?);
    if let Some(device) = devices().into_iter().find(|device| *device != Device::Host) {
        let (exec, _manager) = managed(device, |_| {})?;
        let loops = (effort.loops / 200).max(1);
        let moves = |exec: &Exec, buffer: &mut Buffer| -> Result<()> {
            for _ in 0..loops {
                black_box(buffer.write(exec)?.as_mut_ptr());
                buffer.spill()?;
                black_box(buffer.read(exec)?.as_ptr());
            }
            Ok(())
        };
        figures.push(scaling("departures and returns", &exec, effort, moves)?);
    }
    Ok(())
}

fn scaling(
    name: &str,
    exec: &Exec,
    effort: Effort,
    work: impl Fn(&Exec, &mut Buffer) -> Result<()> + Sync,
) -> Result<Figure> {
    let run = |threads: usize| -> Result<f64> {
        let mut seconds = Vec::new();
        for _ in 0..effort.runs {
            let mut parts = Vec::new();
            for _ in 0..threads {
                parts.push((exec.with_new_stream()?, Buffer::zeroed(4096, exec)?));
            }
            let started = Instant::now();
            std::thread::scope(|scope| {
                let running: Vec<_> = parts
                    .iter_mut()
                    .map(|(exec, buffer)| {
                        let work = &work;
                        scope.spawn(move || work(exec, buffer))
                    })
                    .collect();
                running.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
            })?;
            seconds.push(started.elapsed().as_secs_f64());
        }
        Ok(median(seconds))
    };
    let (one, two) = (run(1)?, run(2)?);
    Ok(Figure {
        name: format!("{}: {name}, two threads against one", exec.device()),
        value: 2.0 * one / two,
        unit: "x",
        target: ">= 1.7",
    })
}
