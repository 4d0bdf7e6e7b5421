//! Writes that do not finish: a full disk, a folder that cannot be written to, a process that is killed. Nothing half written
//! is left, and what was there before is.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use columnade::ipc::{IpcCompression, IpcWriteOptions};
use columnade::parquet::{Compression, ParquetWriteOptions};
use columnade::{DataFrame, ErrorKind, Result, read_csv, read_ipc, read_json, read_parquet};

/// For a process that this test starts: the folder that it writes to.
const FOLDER: &str = "COLUMNADE_TEST_WRITES_FOLDER";
/// For such a process: what it does.
const WORK: &str = "COLUMNADE_TEST_WRITES_WORK";

type Write = fn(&DataFrame, &Path) -> Result<()>;
type Read = fn(&Path) -> Result<DataFrame>;

/// Every writer, the name of what it writes, and how that is read.
fn formats() -> [(&'static str, Write, Read); 8] {
    let csv = |path: &Path| read_csv(path).read();
    let ipc = |path: &Path| read_ipc(path).read();
    [
        ("f.csv", |frame, path| frame.write_csv(path), csv),
        ("f.csv.gz", |frame, path| frame.write_csv(path), csv),
        ("f.csv.zst", |frame, path| frame.write_csv(path), csv),
        ("f.jsonl", |frame, path| frame.write_json(path), |path| read_json(path).read()),
        ("f.arrow", |frame, path| frame.write_ipc(path), ipc),
        (
            "lz4.arrow",
            |frame, path| frame.write_ipc_with(path, IpcWriteOptions::new().compression(IpcCompression::Lz4)),
            ipc,
        ),
        (
            "f.parquet",
            |frame, path| {
                let options =
                    ParquetWriteOptions::new().compression(Compression::None).row_group_rows(10_000);
                frame.write_parquet_with(path, &options)
            },
            |path| read_parquet(path).read(),
        ),
        (
            "folder",
            |frame, path| frame.write_dataset(path, ["k"]),
            |path| read_parquet(path).columns(["n", "k"]).read(),
        ),
    ]
}

/// Numbers that do not compress: about 20 bytes a row as text.
fn frame(rows: u64) -> DataFrame {
    let scattered = |row: u64| (row.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ row << 31).cast_signed();
    let columns = [("n", (0..rows).map(scattered).collect::<Vec<_>>())];
    DataFrame::new(columns)
        .and_then(|frame| {
            frame.with_column("k", (0..rows).map(|row| row.cast_signed() % 3).collect::<Vec<_>>())
        })
        .expect("columns of one length")
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    names
}

fn remove(path: &Path) {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.expect("it was there");
}

/// An error of the system that names the file, or one within the folder.
fn assert_refused(result: Result<()>, path: &Path, cause: &str) {
    let error = result.expect_err(cause);
    let said = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Io, "{said}");
    assert!(said.contains(&*path.to_string_lossy()) && said.contains(cause), "{said}");
}

/// Starts this program again, in a shell command if there is one.
fn process(work: &str, folder: &Path, shell: &str) -> Command {
    let program = std::env::current_exe().expect("this program");
    let mut command = match shell {
        "" => Command::new(program),
        shell => {
            let mut command = Command::new("sh");
            command.args(["-c", shell]).arg(program);
            command
        }
    };
    command.args(["--exact", "child", "--nocapture", "--test-threads=1"]);
    command.env(FOLDER, folder).env(WORK, work);
    command
}

/// What a process does that the other tests start.
#[test]
fn child() {
    let (Some(folder), Ok(work)) = (std::env::var_os(FOLDER).map(PathBuf::from), std::env::var(WORK)) else {
        return;
    };
    match work.as_str() {
        "full" => full_disk(&folder),
        "read-only" => read_only(&folder),
        name => writes_on(name, &folder),
    }
}

/// A disk of a megabyte, which is full after some of the bytes, wherever the writer is then.
fn full_disk(folder: &Path) {
    const FULL: &str = "No space left on device";
    for (name, write, read) in formats() {
        let path = folder.join(name);
        assert_refused(write(&frame(200_000), &path), &path, FULL);
        assert_eq!(names_in(folder), Vec::<PathBuf>::new(), "{name}");
        // A folder that has files is not replaced.
        if name != "folder" {
            write(&frame(10), &path).expect("there is space");
            assert_refused(write(&frame(200_000), &path), &path, FULL);
            assert_eq!(names_in(folder), std::slice::from_ref(&path), "{name}");
            assert_eq!(read(&path).expect("the old file").len(), 10, "{name}");
            remove(&path);
        }
        let filler = folder.join("filler");
        let (mut failed, mut written) = (0, 0);
        for free in [0, 4, 8, 16, 20, 24, 28, 32, 64, 256] {
            fs::write(&filler, vec![0; 1024 * (1024 - 64 - free)]).expect("there is space");
            // The rest but for so many kilobytes.
            let rest = folder.join("rest");
            let mut space = 64;
            while space > 0 && fs::write(&rest, vec![0; 1024 * space]).is_err() {
                space -= 1;
            }
            fs::write(&rest, vec![0; 1024 * space.saturating_sub(free)]).expect("less than that");
            let left = [filler.clone(), rest.clone()];
            match write(&frame(1000), &path) {
                Ok(()) => {
                    assert_eq!(read(&path).expect("a whole file").len(), 1000, "{name}, {free} kB free");
                    remove(&path);
                    written += 1;
                }
                refused => {
                    assert_refused(refused, &path, FULL);
                    failed += 1;
                }
            }
            assert_eq!(names_in(folder), left, "{name}, {free} kB free");
            for path in &left {
                remove(path);
            }
        }
        assert!(failed > 0 && written > 0, "{name}: {failed} failed, {written} were written");
    }
    println!("done");
}

fn read_only(folder: &Path) {
    const REFUSED: &str = "Read-only file system";
    for (name, write, read) in formats() {
        let (old, new) = (folder.join(name), folder.join(format!("new-{name}")));
        assert_refused(write(&frame(10), &new), &new, REFUSED);
        if name != "folder" {
            assert_refused(write(&frame(10), &old), &old, REFUSED);
            assert_eq!(read(&old).expect("the old file").len(), 20, "{name}");
        }
    }
    assert_eq!(names_in(folder).len(), formats().len() - 1);
    println!("done");
}

/// Writes one file again and again, or one folder after the other.
fn writes_on(name: &str, folder: &Path) {
    let (_, write, _) = formats().into_iter().find(|(format, ..)| *format == name).expect("a format");
    let frame = frame(300_000);
    println!("begins");
    for number in 0.. {
        let path = if name == "folder" { format!("{name}-{number}") } else { name.to_owned() };
        write(&frame, &folder.join(path)).expect("there is space");
    }
}

/// A process that writes `name` in a folder, once it has begun.
fn begun(name: &str, folder: &Path) -> Child {
    let mut child = process(name, folder, "").stdout(Stdio::piped()).spawn().expect("started");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let begins = lines.any(|line| line.is_ok_and(|line| line.contains("begins")));
    assert!(begins, "{name}");
    child
}

fn kill(mut child: Child) {
    child.kill().expect("it was there");
    child.wait().expect("it ended");
}

/// A shell command that runs its arguments with a small file system of their own at `place`, prepared by `more`; none where
/// the system does not let it.
fn with_small_disk(place: &Path, more: &str) -> Option<String> {
    let may_mount = Command::new("unshare").args(["-rm", "true"]).status();
    let place = place.display();
    may_mount.is_ok_and(|status| status.success()).then(|| {
        format!(
            "exec unshare -rm sh -c 'mount -t tmpfs -o size=1m tmpfs {place} && {more} exec \"$0\" \"$@\"' \
             \"$0\" \"$@\""
        )
    })
}

fn assert_done(command: &mut Command) {
    let output = command.output().expect("started");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("done"), "{said}");
}

#[test]
fn full_disk_leaves_what_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    match with_small_disk(folder.path(), "") {
        Some(shell) => assert_done(&mut process("full", folder.path(), &shell)),
        None => println!("skipped: no file system can be mounted"),
    }
}

#[test]
fn unwritable_folder_is_named() {
    let (folder, place) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    for (name, write, _) in formats().into_iter().filter(|(name, ..)| *name != "folder") {
        write(&frame(20), &folder.path().join(name)).expect("written");
    }
    let fill = format!(
        "cp {}/* {} && mount -o remount,ro {} &&",
        folder.path().display(),
        place.path().display(),
        place.path().display()
    );
    match with_small_disk(place.path(), &fill) {
        Some(shell) => assert_done(&mut process("read-only", place.path(), &shell)),
        None => println!("skipped: no file system can be mounted"),
    }
    // A folder that is none.
    let none = folder.path().join("f.csv").join("g");
    for (name, write, _) in formats() {
        let path = none.join(name);
        assert_refused(write(&frame(10), &path), &path, "Not a directory");
    }
}

/// While it writes a file that is there already.
#[test]
fn killed_process_leaves_old_file() {
    for (name, write, read) in formats().into_iter().filter(|(name, ..)| *name != "folder") {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        write(&frame(10), &path).expect("written");
        for milliseconds in [1, 20, 60] {
            let child = begun(name, folder.path());
            sleep(Duration::from_millis(milliseconds));
            kill(child);
            let len = read(&path).expect("a whole file").len();
            assert!([10, 300_000].contains(&len), "{name}: {len} rows");
            // Killed just before it takes the name of the old file, the new one is whole and hidden.
            let names = names_in(folder.path());
            let (hidden, named): (Vec<_>, Vec<_>) = names.into_iter().partition(|path| is_hidden(path));
            assert_eq!(named, std::slice::from_ref(&path), "{name}");
            for left in hidden {
                let whole = folder.path().join(format!("left-{name}"));
                fs::rename(&left, &whole).expect("it is there");
                assert_eq!(read(&whole).expect("a whole file").len(), 300_000, "{name}");
                remove(&whole);
            }
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.')
}

/// A folder appears whole. What a killed process leaves beside it no reader takes for data, and the next write removes it, but
/// not that of a process which still writes.
#[test]
fn killed_process_leaves_no_partial_dataset() {
    let folder = tempfile::tempdir().expect("a folder");
    let hidden = || names_in(folder.path()).iter().filter(|path| is_hidden(path)).count();
    let mut abandoned = 0;
    for milliseconds in [1, 5, 10, 20, 40, 60, 80, 100] {
        let child = begun("folder", folder.path());
        sleep(Duration::from_millis(milliseconds));
        kill(child);
        abandoned += hidden();
        let whole = names_in(folder.path()).len() - hidden();
        for pattern in ["*/*/*.parquet", "**/*.parquet"] {
            match read_parquet(folder.path().join(pattern)).read() {
                Ok(read) => assert_eq!(read.len(), 300_000 * whole),
                Err(error) => assert!(whole == 0 && error.to_string().contains("no file matches"), "{error}"),
            }
        }
        for path in names_in(folder.path()).iter().filter(|path| path.join("k=0").exists()) {
            if path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] != b'.') {
                remove(path);
            }
        }
    }
    assert!(abandoned > 0, "no process was killed while it wrote");

    let mut child = begun("folder", folder.path());
    for _ in 0..5 {
        let path = folder.path().join("own");
        frame(10).write_dataset(&path, ["k"]).expect("written");
        assert!(hidden() <= 1, "only that of the process that writes");
        remove(&path);
        sleep(Duration::from_millis(10));
    }
    assert!(child.try_wait().expect("its state").is_none(), "its folder was removed");
    kill(child);
    frame(10).write_dataset(folder.path().join("own"), ["k"]).expect("written");
    assert_eq!(hidden(), 0);
}
