//! What a memory limit means to the system: processes with a limit of their own, and the memory that the system says
//! they took.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test stops when what it needs is not there")]

use std::path::Path;
use std::process::{Command, ExitStatus, Output};

use columnade::ipc::IpcWriteOptions;
use columnade::memory::Tier;
use columnade::{DataFrame, Melt, Merge, Result, col, memory, read_csv, read_ipc, read_json, read_parquet};
use tempfile::TempDir;

/// For a process that this test starts: the folder of the files that it reads.
const CHILD: &str = "COLUMNADE_TEST_LIMIT_CHILD";
/// For such a process: it stops when the facts are read, from a file of this format.
const READS_ONLY: &str = "COLUMNADE_TEST_LIMIT_READS_ONLY";
/// For such a process: it changes the shape of what it has read.
const RESHAPES: &str = "COLUMNADE_TEST_LIMIT_RESHAPES";
/// For such a process: it joins what it has read so that rows of both sides stay.
const JOINS_ALL: &str = "COLUMNADE_TEST_LIMIT_JOINS_ALL";
/// For such a process: it writes what it has read.
const WRITES: &str = "COLUMNADE_TEST_LIMIT_WRITES";
/// For such a process: the limit of its memory, or none, with which it frees memory of the C library.
const HEAP: &str = "COLUMNADE_TEST_LIMIT_HEAP";
const LIMIT: usize = 4_000_000;
/// A row of facts: three numbers of 8 bytes, a text of 96 and its offset of 4 or 8.
const ROW_BYTES: usize = 128;
/// Facts for each row of the other side of the join.
const FACTS_PER_ROW: usize = 4;

/// Threads and their arenas take of the address space. With two and one arena, limits of it mean the same on every machine and
/// for each thread.
const PLAIN: [(&str, &str); 2] = [("RAYON_NUM_THREADS", "2"), ("MALLOC_ARENA_MAX", "1")];

/// Facts of about `bytes` bytes, and a quarter as many rows to join with them, as files in a folder.
fn files(bytes: usize) -> Result<TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = bytes / ROW_BYTES;
    let few = rows / FACTS_PER_ROW;
    // Multiplication by an odd number permutes the numbers below a power of two: an order without locality.
    let scattered = |bound: usize| {
        let bits = bound.next_power_of_two() as u64 - 1;
        (0..rows as u64).map(move |row| (row.wrapping_mul(0x9e37_79b1) & bits) % bound as u64)
    };
    let numbers = |bound| scattered(bound).map(u64::cast_signed).collect::<Vec<i64>>();
    let texts = |bound| scattered(bound).map(|number| format!("{number:096}")).collect::<Vec<_>>();
    DataFrame::empty()?
        .with_column("key", numbers(rows))?
        .with_column("group", numbers(few))?
        .with_column("amount", numbers(1000))?
        .with_column("tag", texts(rows))?
        .write_parquet(folder.path().join("facts.parquet"))?;
    let other: Vec<i64> = (0..few as u64).map(u64::cast_signed).collect();
    DataFrame::empty()?
        .with_column("rate", other.iter().map(|group| group % 100).collect::<Vec<_>>())?
        .with_column("group", other)?
        .write_parquet(folder.path().join("other.parquet"))?;
    Ok(folder)
}

/// Reads, sorts, groups and joins, and keeps every result.
fn work(folder: &Path) -> Result<usize> {
    if let Some(format) = std::env::var_os(READS_ONLY) {
        let read = || match format.to_str() {
            Some("csv") => read_csv(folder.join("facts.csv")).read(),
            Some("json") => read_json(folder.join("facts.json")).read(),
            Some("ipc") => read_ipc(folder.join("facts.arrow")).read(),
            Some("nested") => read_parquet(folder.join("nested.parquet")).read(),
            Some("wide") => read_parquet(folder.join("wide.parquet")).read(),
            _ => read_parquet(folder.join("facts.parquet")).read(),
        };
        println!("\nread {} rows", read()?.len());
        // What was freed is there for another read.
        let rows = read()?.len();
        println!("\nread again");
        return Ok(rows);
    }
    let facts = read_parquet(folder.join("facts.parquet")).read()?;
    let other = read_parquet(folder.join("other.parquet")).read()?;
    println!("\nread {} rows", facts.len());
    if std::env::var_os(WRITES).is_some() {
        return write(&facts, folder);
    }
    if std::env::var_os(RESHAPES).is_some() {
        return reshape(&facts);
    }
    if std::env::var_os(JOINS_ALL).is_some() {
        return join_all(&facts, &other);
    }
    let sorted = facts.sort_values(["key"])?;
    let grouped = facts.group_by(["group"]).agg([col("amount").sum(), col("key").min()])?;
    let joined = facts.merge(&other, &Merge::inner().on("group"))?;
    assert_eq!((sorted.len(), joined.len()), (facts.len(), facts.len()));
    assert_eq!(grouped.len(), other.len());
    Ok(joined.len())
}

/// Joins rows of both sides, of which each has some without a match, and tells how many bytes were brought back for that.
fn join_all(facts: &DataFrame, other: &DataFrame) -> Result<usize> {
    let manager = memory::manager()?;
    let unspilled = || -> u64 {
        let edges = manager.statistics().snapshot().edges;
        edges.iter().filter(|edge| edge.to == Tier::Device).map(|edge| edge.moved.bytes).sum()
    };
    // Half of the groups become others, with a key of many rows for each.
    let moved = other.with_column("group", col("group") + i64::try_from(other.len() / 2).unwrap_or(0))?;
    let before = unspilled();
    let all = facts.merge(&moved, &Merge::outer().on("group"))?;
    println!("\nunspilled {}", unspilled() - before);
    assert_eq!(all.len(), facts.len() + other.len() / 2);
    assert_eq!(all.column("group")?.null_count()?, 0);
    Ok(all.len())
}

type Write = fn(&DataFrame, &Path) -> Result<()>;

/// Writes files, and tells how much of the limited memory each took at a time.
fn write(facts: &DataFrame, folder: &Path) -> Result<usize> {
    let manager = memory::manager()?;
    let formats: [(&str, Write); 5] = [
        ("csv", |facts, path| facts.write_csv(path)),
        ("json", |facts, path| facts.write_json(path)),
        ("parquet", |facts, path| facts.write_parquet(path)),
        ("ipc", |facts, path| facts.write_ipc(path)),
        ("head", |facts, path| facts.head(10)?.write_ipc(path)),
    ];
    for (name, write) in formats {
        manager.reset_peak();
        write(facts, &folder.join(name))?;
        println!("\nwrote {name} peak {}", manager.usage().tiers[Tier::Device].peak);
    }
    let parts = facts.select([col("tag").str().split("0", None)])?;
    assert_eq!(parts.len(), facts.len());
    Ok(facts.len())
}

/// Changes the shape of rows, and tells how much of the limited memory that took.
fn reshape(facts: &DataFrame) -> Result<usize> {
    let manager = memory::manager()?;
    manager.reset_peak();
    let rows = facts.melt(&Melt::new().id_vars(["tag"]).value_vars(["key", "group", "amount"]))?;
    println!("\nmelt peak {}", manager.usage().tiers[Tier::Device].peak);
    assert_eq!(rows.len(), 3 * facts.len());
    manager.reset_peak();
    let rows = facts.unique(["key"])?;
    println!("\nunique peak {}", manager.usage().tiers[Tier::Device].peak);
    // A few keys come twice.
    assert!(rows.len() > facts.len() / 2, "{}", rows.len());
    Ok(facts.len())
}

/// The most memory that this process had at a time, in bytes.
fn peak_resident() -> usize {
    of_status("VmHWM:")
}

/// What the system says of this process, in bytes.
fn of_status(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let peak = status.lines().find_map(|line| line.strip_prefix(name)).expect("a number");
    let kilobytes: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes * 1024
}

/// What the started processes do, where this is one of them.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    match work(Path::new(&folder)) {
        Ok(rows) => println!("\nrows {rows} peak {}", peak_resident()),
        Err(error) => println!("\nerror {error} peak {} kind {:?}", peak_resident(), error.kind()),
    }
    if let Ok(report) = memory::report() {
        println!("{report}");
    }
}

/// What a process says that succeeds; see [`start`].
fn run(folder: &Path, shell: &str, variables: &[(&str, &str)]) -> String {
    let (status, said) = start(folder, shell, variables);
    assert!(status.success(), "{status}: {said}");
    // In a worker that waits for memory, and the read begins anew.
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// Whether the memory of the process is that of the library: simulators that check accesses, or execute what nvcc made, take
/// much of their own, also where no test asks for them.
fn measures_the_library() -> bool {
    let flavour = std::env::var("COLUMNADE_SIM_FLAVOUR");
    let is_plain = !matches!(flavour.as_deref(), Ok("ptx" | "asan" | "race"));
    if !is_plain {
        println!("skipped: the simulator takes memory of its own");
    }
    is_plain
}

/// Runs [`work`] in a process with these variables, after the commands of a shell.
fn start(folder: &Path, shell: &str, variables: &[(&str, &str)]) -> (ExitStatus, String) {
    let this = std::env::current_exe().expect("a path");
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{shell} exec \"$0\" --exact child --nocapture --test-threads=1")])
        .arg(this);
    command.env(CHILD, folder).env("COLUMNADE_DEVICE", "host").envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().expect("a shell");
    (status, format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

/// The number behind a word.
fn number(said: &str, word: &str) -> usize {
    let behind = said.split(&format!("{word} ")).nth(1).unwrap_or_default();
    behind.split_whitespace().next().unwrap_or_default().parse().unwrap_or_else(|_| panic!("{word}: {said}"))
}

/// The error that the process reported; it took no more memory than one that keeps its limit.
fn error_of(said: &str) -> &str {
    let line =
        said.lines().find(|line| line.starts_with("error ")).unwrap_or_else(|| panic!("no error: {said}"));
    assert!(number(line, "peak") <= most(LIMIT), "{line}");
    line
}

/// A limit beside which what a program takes without any data is not all.
const LARGER_LIMIT: usize = 16_000_000;

/// A quarter more than the limit, for size classes, and what a program takes without any data.
const fn most(limit: usize) -> usize {
    limit + limit / 4 + 100_000_000
}

#[test]
fn resident_memory_of_process_stays_near_limit() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    // Without a limit the process takes about 130, 230 and 420 MB.
    let limit = LARGER_LIMIT.to_string();
    for factor in [2, 4, 8] {
        let folder = files(factor * LARGER_LIMIT)?;
        let said = run(folder.path(), "", &[("COLUMNADE_SPILL_DEVICE_LIMIT", &limit)]);
        assert_eq!(number(&said, "rows"), factor * LARGER_LIMIT / ROW_BYTES, "{said}");
        let peak = number(&said, "peak");
        assert!(peak <= most(LARGER_LIMIT), "{factor} times the limit: {peak} bytes\n{said}");
    }
    Ok(())
}

/// Decoders take memory that no limit counts; readers reserve it, and decode a part at a time.
#[test]
fn reads_of_all_formats_keep_resident_memory_near_limit() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    // Without a limit the process takes about 230 to 420 MB.
    let folder = files(6 * LARGER_LIMIT)?;
    let facts = read_parquet(folder.path().join("facts.parquet")).read()?;
    facts.write_csv(folder.path().join("facts.csv"))?;
    facts.write_json(folder.path().join("facts.json"))?;
    facts.write_ipc_with(folder.path().join("facts.arrow"), IpcWriteOptions::new().batch_rows(50_000))?;
    let nested = columnade::struct_of([col("key"), col("tag")]).alias("nested");
    facts.select([nested])?.write_parquet(folder.path().join("nested.parquet"))?;
    // A row group of nine times the limit.
    let wide = (0..24).map(|number| (col("key") + number).alias(format!("c{number}")));
    facts.select(wide.collect::<Vec<_>>())?.write_parquet(folder.path().join("wide.parquet"))?;
    drop(facts);
    let limit = LARGER_LIMIT.to_string();
    for format in ["csv", "json", "ipc", "nested", "wide"] {
        let variables = [("COLUMNADE_SPILL_DEVICE_LIMIT", &*limit), (READS_ONLY, format)];
        let said = run(folder.path(), "", &variables);
        assert_eq!(number(&said, "rows"), 6 * LARGER_LIMIT / ROW_BYTES, "{said}");
        let peak = number(&said, "peak");
        assert!(peak <= most(LARGER_LIMIT), "{format}: {peak} bytes\n{said}");
    }
    Ok(())
}

/// A full join is a left and an anti join, whose keys become one column, each a chunk at a time: no chunk brings back a whole
/// column.
#[test]
fn outer_join_keeps_the_limit() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    let bytes = 8 * LARGER_LIMIT;
    let folder = files(bytes)?;
    let limit = LARGER_LIMIT.to_string();
    let said = run(folder.path(), "", &[("COLUMNADE_SPILL_DEVICE_LIMIT", &*limit), (JOINS_ALL, "1")]);
    let (peak, unspilled) = (number(&said, "peak"), number(&said, "unspilled"));
    assert!(peak <= most(LARGER_LIMIT), "{peak} bytes\n{said}");
    assert!(unspilled <= 6 * bytes, "{unspilled} bytes brought back\n{said}");
    Ok(())
}

/// A file is written a part at a time: not even a few rows bring whole columns back.
#[test]
fn writes_keep_the_limit() -> Result<()> {
    let folder = files(4 * LIMIT)?;
    let limit = LIMIT.to_string();
    let said = run(folder.path(), "", &[("COLUMNADE_SPILL_DEVICE_LIMIT", &limit), (WRITES, "1")]);
    for name in ["csv", "json", "parquet", "ipc", "head"] {
        let peak = number(&said, &format!("wrote {name} peak"));
        assert!(peak <= LIMIT, "{name}: {peak} bytes\n{said}");
    }
    Ok(())
}

#[test]
fn changes_of_shape_keep_the_limit() -> Result<()> {
    let folder = files(4 * LIMIT)?;
    let limit = LIMIT.to_string();
    let said = run(folder.path(), "", &[("COLUMNADE_SPILL_DEVICE_LIMIT", &limit), (RESHAPES, "1")]);
    for name in ["melt", "unique"] {
        let peak = number(&said, &format!("{name} peak"));
        assert!(peak <= LIMIT, "{name}: {peak} bytes\n{said}");
    }
    Ok(())
}

#[test]
fn unwritable_spill_folder_is_error_at_start() -> Result<()> {
    let folder = files(LIMIT / 8)?;
    let on = ("COLUMNADE_SPILL", "on");
    for (shell, spill_folder, cause) in [
        ("", "/proc", "No such file or directory"),
        ("", "/proc/self/status", "not a folder that exists"),
        // Half a kilobyte.
        ("ulimit -f 1;", "/tmp", "File too large"),
    ] {
        let said = run(folder.path(), shell, &[on, ("COLUMNADE_SPILL_FOLDER", spill_folder)]);
        let error = error_of(&said);
        assert!(error.contains(spill_folder) && error.contains(cause), "{error}");
    }
    let soft = [on, ("COLUMNADE_SPILL_FOLDER", "/proc"), ("COLUMNADE_SPILL_SOFT", "on")];
    assert!(run(folder.path(), "", &soft).contains("rows "));
    Ok(())
}

#[test]
fn full_spill_folder_is_error_before_limit_is_passed() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    let folder = files(4 * LIMIT)?;
    let spills = tempfile::tempdir().expect("a folder");
    let place = spills.path().to_str().expect("a path of text");
    let limit = LIMIT.to_string();
    let limited = [("COLUMNADE_SPILL_DEVICE_LIMIT", &*limit), ("COLUMNADE_SPILL_FOLDER", place)];
    let small =
        [limited[0], limited[1], ("COLUMNADE_SPILL_DISK_LIMIT", "1MB"), ("COLUMNADE_SPILL_STATS", "1")];
    let mount = format!(
        "exec unshare -rm sh -c 'mount -t tmpfs -o size=2m tmpfs {place} && exec \"$0\" \"$@\"' \"$0\" \"$@\""
    );
    let may_mount =
        Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success());
    let mut cases = vec![
        (String::new(), &small[..], "(COLUMNADE_SPILL_DISK_LIMIT)"),
        // Two megabytes a file.
        ("ulimit -f 4096;".to_owned(), &limited[..], "File too large"),
    ];
    if may_mount {
        cases.push((mount, &limited[..], "No space left on device"));
    }
    for (shell, variables, cause) in cases {
        let said = run(folder.path(), &shell, variables);
        let error = error_of(&said);
        assert!(error.contains(place) && error.contains(cause), "{error}");
        if variables.len() == small.len() {
            assert!(said.contains("To do: bytes could not be spilled"), "{said}");
            for passed in said.lines().filter_map(|line| line.strip_prefix("Passed the memory limit")) {
                assert!(!passed.contains("MiB"), "by more than one chunk: {passed}");
            }
        }
    }
    let soft = [small[0], small[1], small[2], ("COLUMNADE_SPILL_SOFT", "on")];
    assert!(run(folder.path(), "", &soft).contains("rows "));
    Ok(())
}

#[test]
fn unknown_variable_is_error_with_nearest_name() -> Result<()> {
    let folder = files(LIMIT / 8)?;
    let said = run(folder.path(), "", &[("COLUMNADE_SPILL_LIMIT", "1GB")]);
    let error = error_of(&said);
    assert!(
        error.contains("\"COLUMNADE_SPILL_LIMIT\"") && error.contains("COLUMNADE_SPILL_DEVICE_LIMIT"),
        "{error}"
    );
    Ok(())
}

/// Spilling is on, and of the memory that the process may use 80 % are the limit.
#[test]
fn default_limit_follows_limit_of_process() -> Result<()> {
    let folder = files(LIMIT / 8)?;
    let said = run(folder.path(), "ulimit -v 2097152;", &[("COLUMNADE_SPILL", "on")]);
    let memory = said.lines().find(|line| line.starts_with("memory ")).unwrap_or_default();
    assert!(memory.trim_end().ends_with("1.60GiB"), "{said}");
    Ok(())
}

/// Without spilling, whatever the system refuses is an error, once the files are read.
#[test]
fn refused_allocation_is_error_and_never_abort() -> Result<()> {
    let folder = files(8 * LIMIT)?;
    let (mut failed, mut finished, mut names_rest) = (0, 0, false);
    for kilobytes in (80_000..400_000).step_by(20_000) {
        let (status, said) = start(folder.path(), &format!("ulimit -v {kilobytes};"), &PLAIN);
        if !said.contains("\nread ") {
            continue;
        }
        assert!(status.success(), "{status} with {kilobytes} kB: {said}");
        if let Some(error) = said.lines().find(|line| line.starts_with("error ")) {
            assert!(error.contains("out of memory on host: "), "{error}");
            names_rest |= error.contains(" are free)");
            failed += 1;
        } else {
            finished += 1;
        }
        if finished > 1 {
            break;
        }
    }
    assert!(failed > 0 && finished > 0, "the limits test nothing: {failed} failed, {finished} finished");
    assert!(names_rest, "no error says what the limit leaves");
    Ok(())
}

/// There are as many as the address space has space for.
#[test]
fn threads_that_do_not_fit_are_not_started() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    let folder = files(LIMIT)?;
    let variables = [("RAYON_NUM_THREADS", "256"), PLAIN[1], (READS_ONLY, "parquet")];
    for kilobytes in [120_000, 200_000, 400_000] {
        let said = run(folder.path(), &format!("ulimit -v {kilobytes};"), &variables);
        assert!(said.contains("\nread "), "{kilobytes} kB: {said}");
    }
    Ok(())
}

/// The Parquet decoder aborts where it is refused memory, so it is asked for what there is.
#[test]
fn memory_refused_to_parquet_reader_is_error_and_never_abort() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    let folder = files(8 * LIMIT)?;
    reads_or_fails(folder.path(), "parquet", "read_parquet");
    Ok(())
}

/// So do encoders, and vectors for the parts of strings, whose number is not known before.
#[test]
fn memory_refused_to_writers_is_error_and_never_abort() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    let folder = files(2 * LIMIT)?;
    let (mut failed, mut finished) = (0, 0);
    for kilobytes in (60_000..300_000).step_by(8_000) {
        let variables = [PLAIN[0], PLAIN[1], (WRITES, "1")];
        let (status, said) = start(folder.path(), &format!("ulimit -v {kilobytes};"), &variables);
        if status.code() == Some(127) || !said.contains("\nread ") {
            continue;
        }
        assert!(status.success(), "{status} with {kilobytes} kB: {said}");
        match said.lines().find(|line| line.starts_with("error ")) {
            Some(error) => {
                assert!(error.contains("out of memory on host: "), "{error}");
                assert!(error.ends_with("kind Memory"), "{error}");
                failed += 1;
            }
            None => finished += 1,
        }
        if finished > 1 {
            break;
        }
    }
    assert!(failed > 0 && finished > 0, "the limits test nothing: {failed} failed, {finished} finished");
    Ok(())
}

/// So do the decoders of text.
#[test]
fn memory_refused_to_readers_of_text_is_error_and_never_abort() -> Result<()> {
    if !measures_the_library() {
        return Ok(());
    }
    let folder = files(4 * LIMIT)?;
    let facts = read_parquet(folder.path().join("facts.parquet")).read()?;
    facts.write_csv(folder.path().join("facts.csv"))?;
    facts.write_json(folder.path().join("facts.json"))?;
    reads_or_fails(folder.path(), "csv", "read_csv");
    reads_or_fails(folder.path(), "json", "read_json");
    Ok(())
}

/// Reads with less and with more address space: each read succeeds, or is an error that says what was refused.
fn reads_or_fails(folder: &Path, format: &str, operation: &str) {
    // A second read that does not fit where the first did: the C library takes address space for the arenas of threads that it
    // starts late. Memory that the first read did not give back would be missing for more of these sizes.
    const CLOSE: usize = 3;
    let (mut failed, mut finished, mut close) = (0, 0, 0);
    let variables = [PLAIN[0], PLAIN[1], (READS_ONLY, format)];
    for kilobytes in (60_000..260_000).step_by(10_000) {
        let (status, said) = start(folder, &format!("ulimit -v {kilobytes};"), &variables);
        if status.code() == Some(127) {
            // The program itself does not fit.
            continue;
        }
        assert!(status.success(), "{status} with {kilobytes} kB: {said}");
        assert!(!said.contains("panicked"), "{kilobytes} kB: {said}");
        // Of text, the C library may keep what its decoders have freed in small parts.
        let is_first_alone = said.contains("\nread ") && !said.contains("\nread again");
        close += usize::from(format == "parquet" && is_first_alone);
        assert!(close <= CLOSE, "{kilobytes} kB: {said}");
        match said.lines().find(|line| line.starts_with("error ")) {
            Some(error) => {
                let says = |words: &[&str]| words.iter().any(|words| error.contains(words));
                assert!(says(&[operation]) && says(&["out of memory on host: ", "allocated"]), "{error}");
                assert!(error.ends_with("kind Memory"), "{error}");
                failed += 1;
            }
            None => finished += 1,
        }
        if finished > 1 {
            break;
        }
    }
    assert!(failed > 0 && finished > 0, "the limits test nothing: {failed} failed, {finished} finished");
}

/// The C library keeps what decoders have freed: 48 MB in small blocks, the last of which stays in use.
#[cfg(target_env = "gnu")]
#[test]
fn freed_memory_goes_back_to_the_system_under_a_limit() {
    const FREED: usize = 48 << 20;
    let Some(limited) = std::env::var_os(HEAP) else {
        for limit in ["", "64MB"] {
            let mut test = Command::new(std::env::current_exe().expect("this program"));
            test.args(["freed_memory_goes_back_to_the_system_under_a_limit", "--exact", "--nocapture"]);
            test.envs(PLAIN).env(HEAP, limit);
            if !limit.is_empty() {
                test.env("COLUMNADE_SPILL_DEVICE_LIMIT", limit);
            }
            let output = test.output().expect("started");
            assert!(output.status.success(), "{limit:?}: {}", String::from_utf8_lossy(&output.stdout));
        }
        return;
    };
    // A large block that is freed has the library take smaller ones from its heap.
    drop(vec![1_u8; 30 << 20]);
    let blocks: Vec<Vec<u8>> = (0..FREED >> 16).map(|_| vec![1; 1 << 16]).collect();
    let last = vec![1_u8; 1 << 16];
    drop(blocks);
    let before = of_status("VmRSS:");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("few.csv");
    std::fs::write(&path, "n\n1\n").expect("written");
    assert_eq!(read_csv(&path).read().expect("a frame").len(), 1);
    let returned = before.saturating_sub(of_status("VmRSS:"));
    if limited.is_empty() {
        assert!(returned < FREED / 2, "{returned} bytes, without a limit");
    } else {
        assert!(returned > FREED / 2, "{returned} bytes");
    }
    assert_eq!(last.len(), 1 << 16);
}
