//! Threads that share, slice, write, export, expose, spill and drop memory at random, checked against a model
//! of every byte.
//!
//! ```text
//! cargo xtask stress --threads 8 --seconds 60 --seed 1 --device all
//! ```
//!
//! A device's limit is a fraction of what the threads hold, so that memory is spilled and unspilled all the
//! time, and the limits of device and tiers change during the run. The same seed gives every thread the same
//! operations; their results depend on how the threads interleave. The last line is `stress: N operations, M
//! moves, D differences`. The run fails if a byte differs, memory leaks or a thread is stuck; then it prints
//! what every thread was doing.

mod options;
mod random;
mod watch;
mod worker;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use columnade_buffers::{Buffer, Device, Error, Exec, Managed, SpillManager, Statistics, Tier};

use options::Options;
use watch::Board;
use worker::{Pool, Worker};

/// The results of a run on one device.
#[derive(Default)]
struct Summary {
    operations: u64,
    refusals: u64,
    moves: u64,
    differences: u64,
}

fn main() -> ExitCode {
    let options = match Options::from_arguments() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    let mut total = Summary::default();
    let share = options.duration / u32::try_from(options.devices.len()).unwrap_or(1).max(1);
    for &device in &options.devices {
        match run(device, &options, share) {
            Ok(summary) => {
                let Summary { operations, refusals, moves, differences } = summary;
                println!(
                    "{device}: {operations} operations ({refusals} refused), {moves} moves, {differences} differences"
                );
                total.operations += operations;
                total.moves += moves;
                total.differences += differences;
            }
            Err(error) => {
                eprintln!("error: {device}: {error}");
                total.differences += 1;
            }
        }
    }
    let Summary { operations, moves, differences, .. } = total;
    println!("stress: {operations} operations, {moves} moves, {differences} differences");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Stresses one device, with a resource and a spill manager of this run alone.
fn run(device: Device, options: &Options, duration: Duration) -> Result<Summary, Error> {
    let exec = Exec::new(device)?;
    let below = Arc::clone(exec.resource().upstream().unwrap_or(exec.resource()));
    let counted = Arc::new(Statistics::new(below));
    let managed = Managed::new(counted.clone(), options::spilling(0))?;
    let manager = Arc::clone(managed.manager());
    let exec = exec.with_resource(Arc::new(managed));

    let pool = Pool::new(&exec)?;
    let board = Board::new(options.threads);
    let end = Instant::now() + duration;
    let workers: Vec<Worker> = (0..options.threads)
        .map(|number| Worker::new(number, options.seed, exec.with_new_stream()?, Arc::clone(&manager)))
        .collect::<Result<_, Error>>()?;
    let mut summary = Summary::default();
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| board.watch(options.patience));
        let threads: Vec<_> = workers
            .into_iter()
            .map(|mut worker| {
                let (pool, board) = (&pool, &board);
                scope.spawn(move || {
                    while Instant::now() < end && worker.differences == 0 {
                        worker.step(pool, board);
                    }
                    board.done(worker.number);
                    (worker.step, worker.refusals, worker.differences)
                })
            })
            .collect();
        for thread in threads {
            // A thread that panicked has printed the reason.
            let (operations, refusals, differences) = thread.join().unwrap_or((0, 0, 1));
            summary.operations += operations;
            summary.refusals += refusals;
            summary.differences += differences;
        }
        board.end();
        drop(watch.join());
    });
    drop(pool);
    exec.synchronize()?;
    summary.moves = manager.statistics().snapshot().edges.iter().map(|edge| edge.moved.count).sum();
    summary.differences += left_over(&manager, &*counted);
    // Allocation still works after the run.
    Buffer::zeroed(1000, &exec)?;
    Ok(summary)
}

/// Everything was dropped, so any nonzero count is a difference.
fn left_over(manager: &SpillManager, memory: &dyn columnade_buffers::MemoryResource) -> u64 {
    let mut differences = 0;
    let mut expect_none = |what: String, bytes: i128| {
        if bytes != 0 {
            eprintln!("{what}: {bytes} bytes are left");
            differences += 1;
        }
    };
    let (usage, snapshot) = (manager.usage(), manager.statistics().snapshot());
    for tier in Tier::ALL {
        expect_none(format!("in use, {tier}"), usage.tiers[tier].bytes as i128);
        expect_none(format!("accounted for, {tier}"), snapshot.unaccounted(tier, 0));
    }
    expect_none("pinned by guards".to_owned(), usage.pinned as i128);
    expect_none("memory".to_owned(), memory.statistics().map_or(0, |counted| counted.current as i128));
    differences
}
