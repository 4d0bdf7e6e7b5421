//! Spilling from a device to pinned host memory and back, one way and both at once, and what pinned memory costs first.
//!
//! `cargo bench -p columnade-benches --bench link [-- --json FILE]`, with `--features cuda` on a machine with a GPU. The
//! link itself is what `nvbandwidth` measures beside it. The simulator has no link: there it shows that everything runs,
//! and the record says so.

#![allow(missing_docs, reason = "a program")]

use std::sync::{Arc, Barrier};
use std::time::Instant;

use columnade_benches::{Figure, is_measured, publish};
use columnade_buffers::{Buffer, Device, Exec, Result, SpillManager, SpillOptions, Tier};

/// How much is done.
struct Effort {
    /// Bytes of an allocation.
    sizes: &'static [usize],
    /// Runs of which the median counts.
    runs: usize,
}

const MEASURED: Effort = Effort { sizes: &[64 << 20, 256 << 20, 1 << 30], runs: 9 };
/// Of the simulator, whose figures say nothing.
const SIMULATED: Effort = Effort { sizes: &[64 << 20], runs: 3 };
const CHECKED: Effort = Effort { sizes: &[1 << 20], runs: 1 };

/// Fractions of a device's free memory and of the host's that are not asked for.
const SHARE: usize = 8;

const NO_LINK: &str = "the simulator has no link: its figures say nothing";

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let devices: Vec<Device> =
        Device::available().into_iter().filter(|device| *device != Device::Host).collect();
    let mut figures = Vec::new();
    for &device in &devices {
        let effort = match device {
            _ if !is_measured() => CHECKED,
            Device::Sim => SIMULATED,
            _ => MEASURED,
        };
        start_up(device, &effort, &mut figures)?;
        for &bytes in effort.sizes {
            if device.memory_info()?.free / SHARE < bytes || Device::Host.memory_info()?.free / SHARE < bytes
            {
                println!("{device}: {} MiB are left out: there is too little memory", bytes >> 20);
                continue;
            }
            directions(device, bytes, effort.runs, &mut figures)?;
        }
    }
    let note = match devices[..] {
        [] => Some("no device with a link"),
        _ => devices.contains(&Device::Sim).then_some(NO_LINK),
    };
    Ok(publish(&figures, note)?)
}

/// A context over a manager of its own, with pinned memory for three allocations of `bytes` bytes.
fn managed(device: Device, bytes: usize) -> Result<Exec> {
    let options = SpillOptions {
        spill: true,
        pinned_limit: Some(3 * bytes + (64 << 20)),
        pageable_limit: Some(0),
        ..SpillOptions::default()
    };
    let managed = SpillManager::of(device)?.with_options(options)?;
    Ok(Exec::new(device)?.with_resource(Arc::new(managed)))
}

/// What the first spill takes longer than the next, for each GiB: no pinned memory is there when it comes.
fn start_up(device: Device, effort: &Effort, figures: &mut Vec<Figure>) -> Result<()> {
    let bytes = effort.sizes.last().copied().unwrap_or_default();
    let mut seconds = Vec::new();
    for _ in 0..effort.runs.min(3) {
        let exec = managed(device, bytes)?;
        let mut buffer = Buffer::zeroed(bytes, &exec)?;
        exec.synchronize()?;
        let first = down(&buffer)?;
        change(&mut buffer, &exec)?;
        let next = down(&buffer)?;
        seconds.push((first - next) * 1.073_741_824 / gigabytes(bytes));
    }
    figures.push(Figure {
        name: format!("{device}: start-up of pinned memory, a GiB"),
        value: median(seconds),
        unit: "s",
        target: "<= 0.1",
    });
    Ok(())
}

/// Down, up, and both at once.
fn directions(device: Device, bytes: usize, runs: usize, figures: &mut Vec<Figure>) -> Result<()> {
    let exec = managed(device, bytes)?;
    let others = exec.with_new_stream()?;
    let mut buffer = Buffer::zeroed(bytes, &exec)?;
    let mut other = Buffer::zeroed(bytes, &others)?;
    // Pinned memory for both is there from now on.
    for buffer in [&buffer, &other] {
        down(buffer)?;
    }
    let [mut downs, mut ups, mut boths] = [const { Vec::new() }; 3];
    for _ in 0..runs {
        change(&mut buffer, &exec)?;
        downs.push(gigabytes(bytes) / down(&buffer)?);
        ups.push(gigabytes(bytes) / up(&buffer, &exec)?);

        change(&mut buffer, &exec)?;
        change(&mut other, &others)?;
        down(&other)?;
        let begin = Barrier::new(3);
        let seconds = std::thread::scope(|scope| -> Result<f64> {
            let leaves = scope.spawn(|| {
                begin.wait();
                down(&buffer)
            });
            let comes = scope.spawn(|| {
                begin.wait();
                up(&other, &others)
            });
            begin.wait();
            let started = Instant::now();
            for thread in [leaves, comes] {
                thread.join().unwrap_or(Ok(f64::NAN))?;
            }
            Ok(started.elapsed().as_secs_f64())
        })?;
        boths.push(2.0 * gigabytes(bytes) / seconds);
    }
    let [down, up, both] = [downs, ups, boths].map(median);
    let mebibytes = bytes >> 20;
    for (name, value, unit, target) in [
        ("device to pinned", down, "GB/s", ">= 90 % of the link"),
        ("pinned to device", up, "GB/s", ">= 90 % of the link"),
        ("both at once", both, "GB/s", ""),
        ("both at once, against the faster one alone", both / down.max(up), "x", ">= 1.6"),
    ] {
        figures.push(Figure { name: format!("{device}: {name}, {mebibytes} MiB"), value, unit, target });
    }
    Ok(())
}

/// Writes to it, so that no copy below is good any more.
fn change(buffer: &mut Buffer, exec: &Exec) -> Result<()> {
    buffer.write(exec)?;
    exec.synchronize()
}

/// The seconds that it takes to leave.
fn down(buffer: &Buffer) -> Result<f64> {
    let started = Instant::now();
    buffer.spill()?;
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(buffer.tier(), Tier::Pinned, "pinned memory is for all of it");
    Ok(seconds)
}

/// The seconds that unspilling it takes.
fn up(buffer: &Buffer, exec: &Exec) -> Result<f64> {
    let started = Instant::now();
    buffer.read(exec)?;
    exec.synchronize()?;
    Ok(started.elapsed().as_secs_f64())
}

#[expect(clippy::cast_precision_loss, reason = "a rate")]
fn gigabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e9
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
