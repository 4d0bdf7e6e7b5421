//! Decoded columns are memory of the context: counted, spilled, and read in chunks if they do not fit at once.

use std::path::{Path, PathBuf};

use columnade_buffers::{Device, Exec, SpillManager, Tier};
use columnade_ops::expression::{col, lit};
use tempfile::{TempDir, tempdir};

use crate::dataframe::DataFrame;
use crate::io::{ParquetWriteOptions, read_parquet};
use crate::testing::{managed, values};

const ROWS: i64 = 2000;

/// Numbers, flags and text with nulls, of which a dictionary would have few.
fn frame() -> DataFrame {
    let rows = || 0..ROWS;
    DataFrame::new([("n", rows().collect::<Vec<_>>())])
        .and_then(|frame| {
            frame.with_column("x", rows().map(|n| (n % 3 > 0).then_some(n)).collect::<Vec<_>>())
        })
        .and_then(|frame| {
            frame.with_column("flag", rows().map(|n| (n % 7 > 0).then_some(n % 2 == 0)).collect::<Vec<_>>())
        })
        .and_then(|frame| {
            let text = |n: i64| (n % 5 > 0).then(|| "é".repeat(40 + usize::from(n % 2 == 0)));
            frame.with_column("text", rows().map(text).collect::<Vec<_>>())
        })
        .expect("columns of one length")
}

fn written(folder: &TempDir, group_rows: usize) -> PathBuf {
    let path = folder.path().join(format!("{group_rows}.parquet"));
    let options = ParquetWriteOptions::new().row_group_rows(group_rows);
    frame().write_parquet_with(&path, &options).expect("written");
    path
}

fn read(path: &Path, exec: &Exec) -> DataFrame {
    read_parquet(path).dictionary(["text"; 0]).exec(exec).read().expect("read")
}

fn assert_same(read: &DataFrame) {
    let frame = frame();
    assert_eq!(read.columns(), frame.columns());
    for label in frame.columns() {
        assert_eq!(values(read, label), values(&frame, label), "{label} on {}", read.device());
    }
}

fn used(manager: &SpillManager) -> usize {
    manager.usage().tiers[Tier::Device].bytes
}

/// One row group, two, and many; with a dictionary and without.
#[test]
fn read_columns_are_counted_and_spilled() {
    for device in Device::available() {
        let folder = tempdir().expect("a folder");
        for group_rows in [2000, 1001, 100] {
            let path = written(&folder, group_rows);
            for dictionary in [&[][..], &["text"]] {
                let (exec, manager) = managed(device, &[]);
                let frame =
                    read_parquet(&path).dictionary(dictionary.to_vec()).exec(&exec).read().expect("read");
                let context = format!("groups of {group_rows}, dictionary {dictionary:?} on {device}");
                let bytes = frame.memory_bytes();
                assert!(used(&manager) >= bytes, "{context}: {bytes} of {:?}", manager.usage());
                assert_eq!(used(&manager), manager.usage().managed, "{context}");
                assert!(manager.spill_device_memory(usize::MAX) >= bytes, "{context}");
                assert_eq!(used(&manager), 0, "{context}");
                assert_same(&frame);
                drop(frame);
                assert_eq!(used(&manager), 0, "{context}");
            }
        }
    }
}

#[test]
fn single_row_group_on_host_is_adopted_without_copy() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, 2000);
    let (exec, manager) = managed(Device::Host, &[]);
    let frame = read_parquet(&path).columns(["n"]).exec(&exec).read().expect("read");
    // Memory of the resource is padded, that of a vector is not.
    assert_eq!(used(&manager), 2000 * 8);
    assert_eq!(values(&frame, "n").len(), 2000);
    let exec = frame.exec().clone();
    let mut column = frame.column("n").expect("the column").into_values();
    drop(frame);
    let id = column.data().expect("numbers").memory_id();
    column.write(&exec).expect("its own").as_mut_slice::<i64>()[0] = 7;
    assert_eq!(column.data().expect("numbers").memory_id(), id, "written in place");
}

/// The text is far larger than its dictionaries in the file say: it is thought to fit.
#[test]
fn read_larger_than_the_limit_runs_in_chunks() {
    for device in Device::available() {
        let folder = tempdir().expect("a folder");
        for group_rows in [2000, 1000, 100] {
            let path = written(&folder, group_rows);
            // All of it has about 160 kB.
            let (exec, manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "100 kB")]);
            let frame = read(&path, &exec);
            let peak = manager.usage().tiers[Tier::Device].peak;
            assert!(peak <= 100_000, "groups of {group_rows}: {peak} bytes at a time on {device}");
            assert_same(&frame);
            let filtered =
                read_parquet(&path).filter(col("n").lt(lit(1500))).exec(&exec).read().expect("read");
            assert_eq!(filtered.len(), 1500);
        }
    }
}

/// Each allocation of the read fails once, above the budget and below it.
#[cfg(feature = "failpoints")]
#[test]
fn failed_allocation_is_retried() {
    use std::sync::Arc;

    use columnade_buffers::failpoints::FailAt;

    use crate::testing::managed_over;

    for device in Device::available() {
        let folder = tempdir().expect("a folder");
        for group_rows in [2000, 500] {
            let path = written(&folder, group_rows);
            for k in 1.. {
                let (exec, manager) = managed(device, &[]);
                let failing = Arc::new(FailAt::new(exec.resource().clone(), k));
                let frame = read(&path, &exec.with_resource(failing.clone()));
                assert_same(&frame);
                drop(frame);
                assert_eq!(used(&manager), 0, "groups of {group_rows}, allocation {k} on {device}");

                let exec = Exec::new(device).expect("a device");
                let below = Arc::new(FailAt::new(exec.resource().clone(), k));
                let (exec, _) =
                    managed_over(&exec.with_resource(below.clone()), &[("COLUMNADE_SPILL_ON_DEMAND", "off")]);
                assert_same(&read(&path, &exec));
                if !failing.has_failed() && !below.has_failed() {
                    assert!(k > 2, "something was allocated");
                    break;
                }
            }
        }
    }
}
