//! Where `unsafe` and `cfg(feature)` may stand.

use super::Finding;
use super::source::{Source, find_word};

/// Folders and files that may hold `unsafe`; the argument for each block stands beside it.
const UNSAFE: [&str; 35] = [
    "benches/boundary/arrow_rs.rs",
    "buffers/examples/stress/",
    "buffers/src/device/",
    "buffers/src/interleavings.rs",
    "buffers/src/owner/",
    "buffers/src/owner.rs",
    "buffers/src/resource/",
    "buffers/src/resource.rs",
    "buffers/src/spill/interleavings.rs",
    "buffers/src/spill/managed.rs",
    "buffers/src/spill/tests/",
    "buffers/src/spill/tier/",
    "buffers/src/tests/",
    // Device memory at the addresses that kernels compute, each checked first.
    "buffers/ptx/src/machine/access.rs",
    // Functions of one lane, known by their types alone.
    "buffers/ptx/src/arithmetic/lanes.rs",
    // The C interface for the simulator's runtime.
    "buffers/ptx/src/runtime/interface.rs",
    // Results that launches have written.
    "buffers/ptx/src/testing.rs",
    "buffers/rmm-sys/",
    "buffers/sim-sys/",
    "columns/src/arrow/",
    "columns/src/arrow.rs",
    "columns/src/cuda_array/",
    "columns/src/dlpack/",
    "columns/tests/hostile/",
    "columns/tests/panics/",
    "engine/capi/",
    // The call of a function in C.
    "examples/device_array_to_c/main.rs",
    "kernels/src/abi.rs",
    "kernels/src/launch.rs",
    "kernels/src/runtime.rs",
    "kernels/src/simd.rs",
    // Structs in capsules of other libraries, and memory that they describe.
    "python/src/arrow.rs",
    "python/src/cuda_array.rs",
    "python/src/dlpack.rs",
    "python/src/interrupt.rs",
];

/// Files of these names under `kernels/src` may hold `unsafe`: they touch what the device touches.
const UNSAFE_KERNEL_FILES: [&str; 2] = ["cuda.rs", "host.rs"];

/// Crates that forbid it altogether.
const SAFE: [&str; 2] = ["engine/src/lib.rs", "ops/src/lib.rs"];

/// Folders and files that may ask which features are on. Everything else asks for a device.
const FEATURES: [&str; 24] = [
    "buffers/build.rs",
    "buffers/rmm-sys/",
    "buffers/sim-sys/",
    "buffers/src/device/",
    "buffers/src/lib.rs",
    "buffers/src/resource/mod.rs",
    "buffers/src/sync.rs",
    "buffers/src/tests/",
    // Tests that call the simulator.
    "columns/src/arrow/c/tests/lifetime.rs",
    "columns/src/cuda_array/tests/streams.rs",
    // Codecs of files that builds may leave out, and their tests.
    "engine/src/io/csv/tests.rs",
    "engine/src/io/ipc/message.rs",
    "engine/src/io/ipc/tests.rs",
    "engine/src/io/parquet/codec.rs",
    "engine/src/io/parquet/read/direct/tests.rs",
    "engine/src/io/parquet/read/direct/unpack.rs",
    "engine/src/io/test_appended.rs",
    "engine/src/io/text/compression.rs",
    "engine/src/testing.rs",
    "kernels/build.rs",
    "kernels/src/abi.rs",
    "kernels/src/launch.rs",
    "kernels/src/runtime.rs",
    "kernels/src/jit/",
];

/// Features that any file may ask for: that of tests, and that of data of serde.
const ANYWHERE: [&str; 2] = ["feature = \"failpoints\"", "feature = \"serde\""];

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings: Vec<_> = sources.iter().filter(|source| source.is_rust()).flat_map(misplaced).collect();
    for source in sources.iter().filter(|source| SAFE.contains(&source.path.as_str())) {
        if !source.code.contains("#![forbid(unsafe_code)]") {
            findings.push(Finding::new(&source.path, 1, "this crate has no #![forbid(unsafe_code)]"));
        }
    }
    findings
}

fn misplaced(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let unsafe_fits = fits(&UNSAFE, &source.path) || is_kernel_file(source, &UNSAFE_KERNEL_FILES);
    let feature_fits = fits(&FEATURES, &source.path) || is_kernel_file(source, &["mod.rs"]);
    for ((number, line), text) in source.code_lines().zip(source.text.lines()) {
        if !unsafe_fits && find_word(line, "unsafe").is_some() {
            let what = "unsafe outside the folders that are argued for (xtask/src/tidy/rust_code.rs)";
            findings.push(Finding::new(&source.path, number, what));
        }
        let is_free = ANYWHERE.iter().any(|feature| text.contains(feature));
        if !feature_fits && asks_for_feature(line) && !is_free {
            let what = "cfg(feature) outside the files that choose a device (xtask/src/tidy/rust_code.rs)";
            findings.push(Finding::new(&source.path, number, what));
        }
    }
    findings
}

fn fits(places: &[&str], path: &str) -> bool {
    places.iter().any(|place| path == *place || (place.ends_with('/') && path.starts_with(place)))
}

fn is_kernel_file(source: &Source, names: &[&str]) -> bool {
    source.path.starts_with("kernels/src/") && names.contains(&source.name())
}

/// `cfg(feature = "x")`, also inside `all(...)`, `cfg_attr` and `cfg!`.
fn asks_for_feature(line: &str) -> bool {
    let asks = |at: usize| {
        line[at..].split_once("feature").is_some_and(|(_, rest)| rest.trim_start().starts_with('='))
    };
    line.contains("cfg") && find_word(line, "feature").is_some_and(asks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[Source::new(path, text.to_owned())]).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn misplaced_unsafe_is_found() {
        let text = "// unsafe\n#![deny(unsafe_code)]\nlet x = unsafe { *p };\n\"unsafe\"";
        assert_eq!(lines("columns/src/mask.rs", text), [3]);
        assert_eq!(lines("kernels/src/gather/mod.rs", text), [3]);
        for path in ["kernels/src/gather/cuda.rs", "columns/src/arrow/import.rs", "buffers/src/owner/mod.rs"]
        {
            assert!(lines(path, text).is_empty(), "{path}");
        }
    }

    #[test]
    fn crates_without_forbid_unsafe_are_found() {
        assert_eq!(lines("ops/src/lib.rs", "//! Ops."), [1]);
        assert!(lines("ops/src/lib.rs", "//! Ops.\n#![forbid(unsafe_code)]").is_empty());
    }

    #[test]
    fn misplaced_features_are_found() {
        let text = "#[cfg(all(test, feature = \"sim\"))]\nlet feature = 1;\nif cfg!(feature = \"cuda\") {}";
        assert_eq!(lines("engine/src/frame.rs", text), [1, 3]);
        assert!(lines("buffers/src/device/mod.rs", text).is_empty());
        assert!(lines("engine/src/io/mod.rs", "#[cfg(all(test, feature = \"failpoints\"))]").is_empty());
        assert!(lines("kernels/src/gather/mod.rs", text).is_empty());
    }
}
