//! Seeds of the fuzzer by what is wrong with them: each is refused for that reason, here and in every run of it.
//!
//! A seed is bytes that choose what a producer does, so it says something else when the targets choose otherwise.
//! `cargo test -p columnade-columns --test hostile -- --ignored missing_seeds_are_found` looks for new ones then.

use crate::target;
use columnade_columns::arrow::c::Violation;
use columnade_columns::{Error, TensorFault};
use columnade_tests::Rng;
use std::fs;
use std::path::{Path, PathBuf};

type Target = fn(&[u8]) -> Option<Error>;

/// What a producer does wrong, and how the error says so.
struct Seed {
    target: (&'static str, Target),
    name: &'static str,
    is_it: fn(&Error) -> bool,
}

const ARRAY: (&str, Target) = ("array", target::array);
const STREAM: (&str, Target) = ("stream", target::stream);
const TENSOR: (&str, Target) = ("tensor", target::tensor);

macro_rules! violation {
    ($pattern:pat $(if $guard:expr)?) => {
        |error| matches!(error, Error::ArrowInterface { violation: $pattern, .. } $(if $guard)?)
    };
}

macro_rules! fault {
    ($field:literal, $pattern:pat) => {
        |error| matches!(error, Error::Tensor { field, fault: $pattern, .. } if field.starts_with($field))
    };
}

macro_rules! seeds {
    ($($target:ident $name:literal $is_it:expr,)*) => {
        const SEEDS: &[Seed] = &[$(Seed { target: $target, name: $name, is_it: $is_it }),*];
    };
}

seeds! {
    ARRAY "released-array" violation!(Violation::Released { what: "array" }),
    ARRAY "released-schema" violation!(Violation::Released { what: "schema" }),
    ARRAY "wrong-number-of-buffers" violation!(Violation::Count { what: "buffers", .. }),
    ARRAY "wrong-number-of-children" violation!(Violation::Count { what: "children", .. }),
    ARRAY "wrong-number-of-children-of-the-schema" violation!(Violation::Count { what: "children of the schema", .. }),
    ARRAY "dictionary-missing-or-too-many" violation!(Violation::Count { what: "dictionaries", .. }),
    ARRAY "null-buffers" violation!(Violation::Null { what: "array of buffers" }),
    ARRAY "null-children" violation!(Violation::Null { what: "array of children" }),
    ARRAY "null-child" violation!(Violation::Null { what: "array" }),
    ARRAY "null-values" violation!(Violation::Null { what: "values buffer" }),
    ARRAY "null-offsets" violation!(Violation::Null { what: "offsets buffer" }),
    ARRAY "null-format" violation!(Violation::Null { what: "format" }),
    ARRAY "negative-length" violation!(Violation::Size { what: "length", found: ..0, .. }),
    ARRAY "absurd-length" violation!(Violation::Size { what: "length", found: 0x100_0000_0000.., .. }),
    ARRAY "absurd-offset" violation!(Violation::Size { what: "offset", .. }),
    ARRAY "absurd-null-count" violation!(Violation::Size { what: "null count", .. }),
    ARRAY "rows-in-no-memory" violation!(Violation::Size { what: "length", reason, .. } if reason.contains("no memory")),
    ARRAY "child-shorter-than-its-parent" violation!(Violation::Size { reason, .. } if reason.contains("parent")),
    ARRAY "negative-text-offset" violation!(Violation::Offset { reason: "which is negative", .. }),
    ARRAY "backward-offsets" violation!(Violation::Offset { reason, .. } if reason.contains("before")),
    ARRAY "offsets-past-the-items" violation!(Violation::Offset { reason: "which is beyond the items", .. }),
    ARRAY "view-past-its-buffer" violation!(Violation::Offset { reason: "which is beyond its buffer", .. }),
    ARRAY "invalid-utf-8" violation!(Violation::Utf8 { what } if what.contains("row")),
    ARRAY "code-past-its-dictionary" violation!(Violation::Code { .. }),
    ARRAY "unknown-format" violation!(Violation::Format { .. }),
    ARRAY "format-without-a-dtype" violation!(Violation::Unsupported { .. }),
    ARRAY "types-too-deep" violation!(Violation::TooMany { what: "levels of types", .. }),
    ARRAY "negative-number-of-children" violation!(Violation::Size { what: "number of children of the schema", found: ..0, .. }),
    ARRAY "metadata-without-end" violation!(Violation::TooMany { what: "metadata entries", .. }),
    ARRAY "wrong-device" violation!(Violation::Device { .. }),
    ARRAY "no-frame" violation!(Violation::Inexpressible { .. }),
    ARRAY "two-fields-of-one-name" |error| matches!(error, Error::DuplicateLabel { .. }),
    STREAM "producer-fails" violation!(Violation::Producer { .. }),
    STREAM "released-schema" violation!(Violation::Released { what: "schema" }),
    STREAM "wrong-number-of-buffers" violation!(Violation::Count { what: "buffers", .. }),
    STREAM "negative-length" violation!(Violation::Size { what: "length", found: ..0, .. }),
    STREAM "unknown-format" violation!(Violation::Format { .. }),
    TENSOR "unknown-version" fault!("version", TensorFault::Version { .. }),
    TENSOR "unknown-element" fault!("dtype", TensorFault::ElementType { .. }),
    TENSOR "no-lanes" fault!("dtype.lanes", TensorFault::Size { .. }),
    TENSOR "too-many-dimensions" fault!("ndim", TensorFault::Dimensions { .. }),
    TENSOR "null-shape" fault!("shape", TensorFault::Null),
    TENSOR "negative-shape" fault!("shape", TensorFault::Size { found: ..0, .. }),
    TENSOR "absurd-shape" fault!("shape", TensorFault::Size { found: 0x100_0000_0000.., .. }),
    TENSOR "absurd-strides" fault!("strides", TensorFault::Size { .. }),
    TENSOR "null-data" fault!("data", TensorFault::Null),
    TENSOR "offset-out-of-memory" fault!("byte_offset", TensorFault::Address { .. }),
    TENSOR "wrong-device" fault!("device", TensorFault::Device { .. }),
}

impl Seed {
    /// Beside what the fuzzer found, which has no name but its hash.
    fn path(&self) -> PathBuf {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
        corpus.join(self.target.0).join(format!("seed-{}", self.name))
    }

    fn reaches(&self, bytes: &[u8]) -> bool {
        self.target.1(bytes).is_some_and(|error| (self.is_it)(&error))
    }
}

#[test]
fn seeds_are_refused_for_their_named_violation() {
    for seed in SEEDS {
        let bytes =
            fs::read(seed.path()).unwrap_or_else(|error| panic!("{}: {error}", seed.path().display()));
        let error = (seed.target.1)(&bytes).unwrap_or_else(|| panic!("{} is read", seed.name));
        assert!((seed.is_it)(&error), "{}: {error}", seed.name);
    }
    // Every seed file is listed.
    for (target, _) in [ARRAY, STREAM, TENSOR] {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let names = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path());
        let is_seed =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("seed-"));
        for path in names.filter(is_seed) {
            assert!(SEEDS.iter().any(|seed| seed.path() == path), "{} has no reason", path.display());
        }
    }
}

/// Looks for seeds that are not there, or no longer what they are named after.
#[test]
#[ignore = "writes the corpus"]
fn missing_seeds_are_found() {
    let mut rng = Rng::new(21);
    let mut missing = Vec::new();
    for seed in SEEDS {
        if fs::read(seed.path()).is_ok_and(|bytes| seed.reaches(&bytes)) {
            continue;
        }
        let kept = seed.path().parent().map(|corpus| fs::read_dir(corpus).unwrap());
        let kept: Vec<Vec<u8>> =
            kept.into_iter().flatten().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
        let found = kept.iter().find(|bytes| seed.reaches(bytes)).cloned();
        let found = found.or_else(|| {
            (0..300_000).find_map(|_| {
                let bytes = changed(&kept[below(&mut rng, kept.len())], &mut rng);
                seed.reaches(&bytes).then_some(bytes)
            })
        });
        match found {
            Some(found) => fs::write(seed.path(), smallest(found, seed)).unwrap(),
            None => missing.push(seed.name),
        }
    }
    assert!(missing.is_empty(), "not found: {missing:?}");
}

fn below(rng: &mut Rng, bound: usize) -> usize {
    usize::try_from(rng.below(bound.try_into().unwrap())).unwrap()
}

/// The bytes with some of them changed, or others altogether.
fn changed(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    if bytes.is_empty() || rng.below(3) == 0 {
        let len = below(rng, 120);
        let mut bytes = rng.bytes(len);
        let tame = rng.below(4) + 1;
        bytes.iter_mut().filter(|_| rng.below(4) < tame).for_each(|byte| *byte %= 0xe0);
        return bytes;
    }
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        let at = below(rng, bytes.len());
        bytes[at] = if rng.below(3) == 0 { 0xf8 } else { rng.bytes(1)[0] };
    }
    bytes
}

/// The bytes without those that change nothing: the end, and then one by one what zero does as well.
fn smallest(mut bytes: Vec<u8>, seed: &Seed) -> Vec<u8> {
    while !bytes.is_empty() && seed.reaches(&bytes[..bytes.len() - 1]) {
        bytes.pop();
    }
    for at in 0..bytes.len() {
        let byte = std::mem::take(&mut bytes[at]);
        if !seed.reaches(&bytes) {
            bytes[at] = byte;
        }
    }
    bytes
}
