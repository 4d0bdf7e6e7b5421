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
