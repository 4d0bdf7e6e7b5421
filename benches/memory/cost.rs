//! Time a call.

use crate::overhead::thread_time;
use crate::{Effort, Figure, devices, managed, median};
use columnade_buffers::{Buffer, Device, DeviceLimit, Error, Exec, Result, Tier};
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Short runs that a figure is made of, for each of [`Effort::runs`].
const SHORT: usize = 30;

/// Nanoseconds a call of `work`, the least of many short runs: whatever else the machine does adds to the others.
#[expect(clippy::cast_precision_loss, reason = "a mean")]
fn nanoseconds(effort: Effort, loops: usize, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let loops = (loops / SHORT).max(1);
    let mut least = f64::MAX;
    for _ in 0..effort.runs * SHORT {
        let started = Instant::now();
        for _ in 0..loops {
            work()?;
        }
        least = least.min(started.elapsed().as_secs_f64() * 1e9 / loops as f64);
    }
    Ok(least)
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

/// Guards, slices, evictions and unspills of small allocations that no other thread uses, on one and on two threads.
fn threads(effort: Effort, figures: &mut Vec<Figure>) -> Result<()> {
    let (exec, _manager) = managed(Device::Host, |_| {})?;
    let loops = effort.loops / SHORT;
    // Tells how much of a second processor the machine has to give.
    let sums = |_: &Exec, _: &mut Buffer| -> Result<()> {
        black_box((0..loops as u64 * 100).fold(0, |sum: u64, number| black_box(sum.wrapping_add(number))));
        Ok(())
    };
    figures.extend(
        scaling("sums of numbers", &exec, effort, sums)?.map(|figure| Figure { target: "", ..figure }),
    );
    let guards = |exec: &Exec, buffer: &mut Buffer| -> Result<()> {
        for _ in 0..loops {
            black_box(buffer.read(exec)?.as_ptr());
            black_box(buffer.slice(64, 128).len());
            black_box(buffer.write(exec)?.as_mut_ptr());
        }
        Ok(())
    };
    figures.extend(scaling("guards and slices", &exec, effort, guards)?);
    for device in devices() {
        // Those of the host go to a file.
        let share = if device == Device::Host { 50_000 } else { 500 };
        let (exec, _manager) = managed(device, |_| {})?;
        figures.extend(scaling("departures and returns", &exec, effort, moves(effort, share))?);
        if device == Device::Host {
            figures.extend(files_alone(&std::env::temp_dir(), "of a disk", &exec, effort, share)?);
        }
    }
    // Files that are no disk's: what is left are the transitions, and the system's calls.
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        let share = 5_000;
        let (exec, _manager) = managed(Device::Host, |options| options.folder = Some(memory.to_owned()))?;
        let name = "departures to files in memory, and returns";
        figures.extend(scaling(name, &exec, effort, moves(effort, share))?);
        figures.extend(files_alone(memory, "in memory", &exec, effort, share)?);
    }
    Ok(())
}

/// What departures and returns ask of the system alone: how much of it two threads get is the most that ours can.
fn files_alone(folder: &Path, whose: &str, exec: &Exec, effort: Effort, share: usize) -> Result<[Figure; 2]> {
    let work = |_: &Exec, _: &mut Buffer| {
        there_and_back(folder, (effort.loops / share).max(1)).map_err(|error| Error::Storage {
            tier: Tier::Disk,
            operation: "write and read",
            bytes: size_of::<Page>(),
            reason: error.to_string(),
        })
    };
    let figures = scaling(&format!("files {whose} alone"), exec, effort, work)?;
    Ok(figures.map(|figure| Figure { target: "", ..figure }))
}

/// A write, a departure and a return, `share` times fewer than the effort's loops.
fn moves(effort: Effort, share: usize) -> impl Fn(&Exec, &mut Buffer) -> Result<()> + Sync {
    let loops = (effort.loops / share).max(1);
    move |exec: &Exec, buffer: &mut Buffer| {
        for _ in 0..loops {
            black_box(buffer.write(exec)?.as_mut_ptr());
            buffer.spill()?;
            black_box(buffer.read(exec)?.as_ptr());
        }
        Ok(())
    }
}

/// 4 KiB written to a file of their own and read back, past the page cache where the file system allows it.
fn there_and_back(folder: &Path, loops: usize) -> io::Result<()> {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("columnade-bench-{}-{}", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = folder.join(name);
    let direct = i32::try_from(rustix::fs::OFlags::DIRECT.bits()).unwrap_or_default();
    let open = |flags| -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create(true).truncate(true).custom_flags(flags).open(&path)
    };
    let file = open(direct).or_else(|_| open(0))?;
    std::fs::remove_file(&path)?;
    let mut page = Page([0; 4096]);
    for _ in 0..loops {
        file.write_all_at(&page.0, 0)?;
        file.read_exact_at(&mut page.0, 0)?;
    }
    Ok(())
}

/// Aligned as direct access asks for.
#[repr(align(4096))]
struct Page([u8; 4096]);

/// How much more is done on two threads, the median of runs in turn with those on one: by the clock, and by the time
/// that threads were on a processor, which other programs do not take away.
fn scaling(
    name: &str,
    exec: &Exec,
    effort: Effort,
    work: impl Fn(&Exec, &mut Buffer) -> Result<()> + Sync,
) -> Result<[Figure; 2]> {
    let mut parts = Vec::new();
    for _ in 0..2 {
        parts.push((exec.with_new_stream()?, Buffer::zeroed(4096, exec)?));
    }
    let mut run = |threads: usize| -> Result<[f64; 2]> {
        let start = Barrier::new(threads);
        std::thread::scope(|scope| {
            let running: Vec<_> = parts[..threads]
                .iter_mut()
                .map(|(exec, buffer)| {
                    let (work, start) = (&work, &start);
                    scope.spawn(move || -> Result<[f64; 2]> {
                        // Once for nothing: a new thread has no memory of the allocator's yet.
                        work(exec, buffer)?;
                        start.wait();
                        let (started, thread) = (Instant::now(), thread_time());
                        work(exec, buffer)?;
                        Ok([started.elapsed().as_secs_f64(), thread_time() - thread])
                    })
                })
                .collect();
            running.into_iter().try_fold([0.0; 2], |[time, thread]: [f64; 2], running| {
                let its = running.join().unwrap_or(Ok([f64::MAX; 2]))?;
                Ok([time.max(its[0]), thread.max(its[1])])
            })
        })
    };
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..effort.runs * SHORT {
        let (one, two) = (run(1)?, run(2)?);
        for (at, ratios) in ratios.iter_mut().enumerate() {
            ratios.push(2.0 * one[at] / two[at]);
        }
    }
    let [time, thread] = ratios.map(median);
    let name = format!("{}: {name}, two threads against one", exec.device());
    Ok([
        Figure { name: name.clone(), value: time, unit: "x", target: ">= 1.7" },
        Figure { name: format!("{name}, by thread time"), value: thread, unit: "x", target: "" },
    ])
}
