//! Damaged and hostile files: the targets of `cargo xtask fuzz`, on the corpus, on what is left of its files when they are
//! cut, and on files of it with random bytes in them, the same in every run. `COLUMNADE_TEST_ROUNDS` is how many of each.

#![expect(clippy::unwrap_used, reason = "a test")]

mod target;

use std::fs;
use std::path::Path;

use columnade::builders::categories;
use columnade::ipc::{IpcCompression, IpcWriteOptions};
use columnade::parquet::{Compression, ParquetWriteOptions};
use columnade::{DType, DataFrame, Error, TimeUnit, lit, read_json};
use columnade_tests::Rng;

/// Runs a target on the corpus of that name and on inputs made of it.
fn run(name: &str, target: fn(&[u8]) -> Result<(), Error>) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut kept: Vec<_> = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!kept.is_empty(), "{} is empty", corpus.display());
    kept.sort();
    let rounds = std::env::var("COLUMNADE_TEST_ROUNDS").map_or(8, |rounds| rounds.parse().unwrap());
    let mut rng = Rng::new(rounds);
    for path in &kept {
        let whole = fs::read(path).unwrap();
        let outcome = target(&whole);
        if path.file_name().unwrap().to_str().unwrap().starts_with("good-") {
            outcome.unwrap();
        }
        if whole.is_empty() {
            continue;
        }
        let below = |rng: &mut Rng, bound: usize| usize::try_from(rng.below(bound as u64)).unwrap();
        for _ in 0..rounds {
            drop(target(&whole[..below(&mut rng, whole.len())]));
            let mut changed = whole.clone();
            for _ in 0..=below(&mut rng, 4) {
                let at = below(&mut rng, changed.len());
                changed[at] = rng.bytes(1)[0];
            }
            drop(target(&changed));
        }
    }
}

#[test]
fn hostile_csv_is_refused_or_read() {
    run("csv", target::csv);
}

#[test]
fn hostile_json_is_refused_or_read() {
    run("json", target::json);
}

#[test]
fn hostile_ipc_is_refused_or_read() {
    run("ipc", target::ipc);
}

#[test]
fn hostile_parquet_is_refused_or_read() {
    run("parquet", target::parquet);
}

/// Writes the seeds: small files of every dtype, whole.
#[test]
#[ignore = "renews the seeds of the fuzzer"]
fn seeds_are_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let seed = |target: &str, name: &str, choice: u8, contents: &[u8]| {
        let bytes = [&[choice], contents].concat();
        fs::write(folder.join(target).join(format!("good-{name}")), bytes).unwrap();
    };
    let text = "i,s,d,t\n1,a,2026-01-31,2026-01-31T10:00:00\n,\"b \"\"c\"\"\nd\",,\n3,é,1969-12-31,1960-01-01T00:00:00.5\n";
    for (name, choice) in [("csv", 0), ("skip", 0b100), ("no-header", 0b1000), ("scan", 0b100_0000)] {
        seed("csv", name, choice, text.as_bytes());
    }
    seed("csv", "semicolons", 0b1_0000, b"a;b\n'x\\'y';1.5\nNA;-0.0\n");
    seed("csv", "limit", 0b10_0000, b"comment\na,b\n1,2\n1.5,x\n");
    let lines = concat!(
        "{\"i\": 1, \"l\": [1, 2.5], \"o\": {\"a\": true, \"b\": null}}\n",
        "{\"i\": \"x\", \"l\": [], \"u\": \"\\u00e9\\n\"}\n\n{\"o\": {\"c\": [{}, {\"d\": -1e300}]}}\n"
    );
    for (name, choice) in [("json", 0), ("skip", 0b100), ("scan", 0b100_0000)] {
        seed("json", name, choice, lines.as_bytes());
    }
    let path = folder.join("frame");
    let frame = read_json_text(&path, lines);
    let level = categories(["b", "a", "b"]).among(["a", "b"]).ordered();
    let frame = frame.with_column("level", level).unwrap();
    let frame = frame.with_columns([
        lit(7).alias("seven"),
        lit("2026-01-31T10:00:00").cast(DType::Timestamp(TimeUnit::Micro)).alias("time"),
        lit(2.5).cast(DType::decimal(10, 2).unwrap()).alias("decimal"),
    ]);
    let frame = frame.unwrap();
    for (name, compression) in
        [("plain", IpcCompression::None), ("lz4", IpcCompression::Lz4), ("zstd", IpcCompression::Zstd)]
    {
        frame.write_ipc_with(&path, IpcWriteOptions::new().compression(compression).batch_rows(2)).unwrap();
        let bytes = fs::read(&path).unwrap();
        for (how, choice) in [("read", 0), ("mapped", 1), ("scan", 0b100_0000)] {
            seed("ipc", &format!("{name}-{how}"), choice, &bytes);
        }
    }
    for compression in [
        Compression::None,
        Compression::Snappy,
        Compression::Zstd,
        Compression::Gzip,
        Compression::Lz4,
        Compression::Brotli,
    ] {
        let options =
            ParquetWriteOptions::new().compression(compression).row_group_rows(2).bloom_filter("seven");
        frame.write_parquet_with(&path, &options).unwrap();
        let bytes = fs::read(&path).unwrap();
        seed("parquet", &format!("{compression:?}"), 0, &bytes);
    }
    frame
        .drop(["l", "o"])
        .unwrap()
        .rename([("i", "s"), ("seven", "i")])
        .unwrap()
        .write_parquet(&path)
        .unwrap();
    let bytes = fs::read(&path).unwrap();
    for (name, choice) in [("filter", 1), ("dictionary", 2), ("rows", 4), ("scan", 0b100_0001)] {
        seed("parquet", name, choice, &bytes);
    }
    fs::remove_file(&path).unwrap();
}

fn read_json_text(path: &Path, lines: &str) -> DataFrame {
    fs::write(path, lines).unwrap();
    read_json(path).read().unwrap()
}
