//! Hostile producers of Arrow's C interfaces and of DLPack: the targets of `cargo xtask fuzz`, on what the fuzzer has kept
//! and on random bytes, the same in every run.

#![expect(clippy::unwrap_used, reason = "a test")]

mod seeds;
mod target;

use columnade_columns::Error;
use columnade_tests::Rng;
use std::fs;
use std::path::Path;

/// Runs a target on the corpus of that name and on random inputs.
fn run(name: &str, target: fn(&[u8]) -> Option<Error>) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let kept = fs::read_dir(&corpus).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let mut kept: Vec<_> = kept.collect();
    assert!(!kept.is_empty(), "{} is empty", corpus.display());
    kept.sort();
    if cfg!(miri) {
        kept.truncate(20);
    }
    for bytes in &kept {
        target(bytes);
    }
    let mut rng = Rng::new(7);
    for _ in 0..if cfg!(miri) { 20 } else { 5_000 } {
        let len = usize::try_from(rng.below(300)).unwrap();
        let mut bytes = rng.bytes(len);
        // Small numbers choose what is right: without them an array of any size is refused.
        let tame = rng.below(4) + 1;
        for byte in &mut bytes {
            if rng.below(4) < tame {
                *byte %= 0xe0;
            }
        }
        target(&bytes);
    }
}

#[test]
fn hostile_arrays_are_refused_or_valid() {
    run("array", target::array);
}

#[test]
fn hostile_streams_are_refused_or_valid() {
    run("stream", target::stream);
}

#[test]
fn hostile_tensors_are_refused_or_valid() {
    run("tensor", target::tensor);
}
