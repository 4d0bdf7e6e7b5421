//! Spilling from the host to a file and back, against `dd` on the same folder, one after the other.
//!
//! `cargo bench -p columnade-benches --bench disk [-- GIBIBYTES [FOLDER] [--json FILE]]` prints a record. The folder needs twice the
//! space; `COLUMNADE_SPILL_DISK_ACCESS=cached` goes through the page cache. Run as a test (`cargo test --benches`) it
//! moves a little, once, and leaves `dd` out.

#![allow(missing_docs, reason = "a program")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use columnade_buffers::{Buffer, Device, Exec, HostPool, Managed, SpillOptions, Tier};

const RUNS: usize = 5;
const GIBIBYTES: usize = 4;
const FEW_BYTES: usize = (3 << 20) + 64;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Gigabytes a second of every run.
#[derive(Default)]
struct Speeds {
    dd_write: Vec<f64>,
    spill: Vec<f64>,
    dd_read: Vec<f64>,
    bring_back: Vec<f64>,
}

fn main() -> Result<()> {
    let measured = columnade_benches::is_measured();
    let mut asked = columnade_benches::arguments().into_iter();
    let gibibytes: usize = asked.next().map_or(Ok(GIBIBYTES), |count| count.parse())?;
    let folder = asked.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let bytes = if measured { gibibytes << 30 } else { FEW_BYTES };

    let mut options = SpillOptions::from_env()?;
    options.spill = true;
    options.folder = Some(folder.clone());
    let managed = Managed::new(Arc::new(HostPool::new()), options)?;
    let manager = Arc::clone(managed.manager());
    let exec = Exec::new(Device::Host)?.with_resource(Arc::new(managed));
    let mut buffer = Buffer::uninit(bytes, &exec)?;
    for (at, word) in buffer.write(&exec)?.as_mut_slice::<u64>().iter_mut().enumerate() {
        *word = value(at, 0);
    }

    let mut speeds = Speeds::default();
    for run in 1..=if measured { RUNS } else { 1 } {
        if measured {
            let file = folder.join(format!("columnade-dd-{}", std::process::id()));
            let written = timed(bytes, || dd("/dev/zero".as_ref(), &file, "oflag=direct", bytes));
            let read = timed(bytes, || dd(&file, "/dev/null".as_ref(), "iflag=direct", bytes));
            std::fs::remove_file(&file)?;
            speeds.dd_write.push(written?);
            speeds.dd_read.push(read?);
        }
        let spill = || {
            assert!(buffer.spill()? && buffer.tier() == Tier::Disk);
            Ok(())
        };
        speeds.spill.push(timed(bytes, spill)?);
        let bring_back = || {
            buffer.read(&exec)?;
            Ok(())
        };
        speeds.bring_back.push(timed(bytes, bring_back)?);
        let mut guard = buffer.write(&exec)?;
        let words = guard.as_mut_slice::<u64>();
        assert!(words.iter().enumerate().skip(run).all(|(at, &word)| word == value(at, 0)));
        // A change makes the file's bytes worthless: the next spill must write all again.
        words[run - 1] = value(run - 1, run);
    }
    let list =
        |speeds: &[f64]| speeds.iter().map(|speed| format!("{speed:.3}")).collect::<Vec<_>>().join(", ");
    let access = manager.disk_access().map(|access| format!("{access:?}").to_lowercase());
    let mut record =
        format!("{{\n  \"bytes\": {bytes},\n  \"access\": \"{}\",\n", access.unwrap_or_default());
    for (name, speeds) in [
        ("dd oflag=direct", &mut speeds.dd_write),
        ("spill host to disk", &mut speeds.spill),
        ("dd iflag=direct", &mut speeds.dd_read),
        ("bring back", &mut speeds.bring_back),
    ] {
        if !speeds.is_empty() {
            let (runs, median) = (list(speeds), median(speeds));
            let _ =
                writeln!(record, "  \"{name}, GB/s\": {{ \"runs\": [{runs}], \"median\": {median:.3} }},");
        }
    }
    let ratio = |ours: &mut [f64], theirs: &mut [f64]| {
        let ratio = median(ours) / median(theirs);
        if ratio.is_finite() { format!("{ratio:.3}") } else { "null".to_owned() }
    };
    let written = ratio(&mut speeds.spill, &mut speeds.dd_write);
    let read = ratio(&mut speeds.bring_back, &mut speeds.dd_read);
    let _ = write!(record, "  \"spill / dd\": {written},\n  \"bring back / dd\": {read}\n}}");
    println!("{record}");
    Ok(columnade_benches::write_json(&record)?)
}

/// Words that no disk can pack.
fn value(at: usize, run: usize) -> u64 {
    (at as u64 ^ (run as u64) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Gigabytes a second of moving `bytes` bytes.
fn timed(bytes: usize, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    Ok(bytes as f64 / start.elapsed().as_secs_f64() / 1e9)
}

fn dd(from: &Path, to: &Path, flag: &str, bytes: usize) -> Result<()> {
    let mut command = Command::new("dd");
    command.arg(format!("if={}", from.display())).arg(format!("of={}", to.display()));
    command.args(["bs=4M", flag, "status=none"]).arg(format!("count={}", bytes >> 22));
    if command.status()?.success() { Ok(()) } else { Err("dd failed".into()) }
}

fn median(speeds: &mut [f64]) -> f64 {
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(f64::NAN)
}
