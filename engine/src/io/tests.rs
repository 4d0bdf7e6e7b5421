//! Files each step of which fails once.

use std::path::Path;

use columnade_buffers::{Device, failpoints};
use tempfile::tempdir;

use super::{ParquetError, ParquetWriteOptions, read_parquet};
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::options::set_default_exec;
use crate::testing::{managed, values};

/// Runs `work` until no step of it is left to fail, `before` each time, and looks at what is there after each error.
/// Returns how many named the file.
fn each_step_fails(path: &Path, before: impl Fn(), work: impl Fn() -> Result<()>, look: impl Fn()) -> usize {
    let mut of_the_file = 0;
    for k in 1.. {
        before();
        let armed = failpoints::arm_this_thread(k);
        let result = work();
        let has_failed = armed.has_failed();
        drop(armed);
        match result {
            Ok(()) if !has_failed => break,
            Ok(()) => continue,
            Err(Error::Parquet { path: named, source: ParquetError::Io(error), .. }) => {
                assert_eq!(
                    (named.as_path(), error.to_string().as_str()),
                    (path, "injected failure"),
                    "step {k}"
                );
                of_the_file += 1;
            }
            // Memory for the arrays or the columns.
            Err(Error::Parquet { source: ParquetError::Column(_), .. } | Error::Operation { .. }) => {}
            Err(error) => panic!("step {k}: {error:?}"),
        }
        look();
    }
    of_the_file
}

#[test]
fn file_is_replaced_atomically() {
    // What is done in parallel is done by this thread, whose steps are counted.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let _alone = alone.expect("a pool of this thread");
    // Other tests spill what the shared manager has, and a worker must not wait for an unspill.
    set_default_exec(managed(Device::Host, &[]).0);
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("frame.parquet");
    let frame = |from: i64| DataFrame::new([("n", (from..from + 300).collect::<Vec<_>>())]).expect("a frame");
    let (old, new) = (frame(0), frame(1000));
    let options = ParquetWriteOptions::new().row_group_rows(100);
    let write = |frame: &DataFrame| frame.write_parquet_with(&path, &options);
    let read = || read_parquet(&path).read().expect("a whole file");
    let count = || std::fs::read_dir(folder.path()).expect("a folder").count();

    let is_old = || {
        assert_eq!(values(&read(), "n"), values(&old, "n"));
        assert_eq!(count(), 1, "a part of a file is left");
    };
    let failed = each_step_fails(&path, || write(&old).expect("written"), || write(&new), is_old);
    // To find what is there, by its name and without links; to make a file, write it and rename it.
    assert!(failed >= 5, "{failed} steps");
    assert_eq!(values(&read(), "n"), values(&new, "n"));

    let failed = each_step_fails(&path, || {}, || read_parquet(&path).read().map(drop), || {});
    // To find and open it, both its ends and the footer; of three row groups each to open and read.
    assert!(failed >= 11, "{failed} steps");
}

#[test]
fn dataset_is_whole_or_not_there() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let _alone = alone.expect("a pool of this thread");
    set_default_exec(managed(Device::Host, &[]).0);
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("data");
    let frame = DataFrame::new([("n", (0..30_i64).collect::<Vec<_>>())])
        .and_then(|frame| frame.with_column("k", (0..30_i64).map(|n| n % 3).collect::<Vec<_>>()))
        .expect("a frame");
    let count = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let mut of_files = 0;
    for step in 1.. {
        let armed = failpoints::arm_this_thread(step);
        let result = frame.write_dataset(&path, ["k"]);
        let has_failed = armed.has_failed();
        drop(armed);
        match result {
            Ok(()) => {
                assert_eq!(read_parquet(&path).read().expect("whole").len(), 30);
                std::fs::remove_dir_all(&path).expect("removed");
                if !has_failed {
                    break;
                }
            }
            Err(Error::Parquet { path: named, source: ParquetError::Io(error), .. }) => {
                assert!(named.starts_with(folder.path()), "step {step}: {named:?}");
                assert_eq!(error.to_string(), "injected failure", "step {step}");
                of_files += 1;
            }
            // Memory for the rows in order.
            Err(Error::Parquet { source: ParquetError::Column(_), .. } | Error::Operation { .. }) => {}
            Err(error) => panic!("step {step}: {error:?}"),
        }
        assert_eq!(count(), 0, "step {step}: something is left");
    }
    // Three files, each to make a folder for, make, write and rename; the folder to look for, make and rename.
    assert!(of_files >= 15, "{of_files} steps");
}
