//! The C library, used by C programs through nothing but what `cargo xtask capi` installs.
//!
//! | file | what it is |
//! | --- | --- |
//! | `producer.c` | a second implementation of the interfaces: arrays, streams and tensors made by hand, their releases counted |
//! | `tables.c`, `errors.c`, `arrow.c`, `streams.c`, `devices.c`, `dlpack.c`, `forks.c`, `expressions.c`, `frames.c`, `files.c` | the consumer: suites that run on every device |
//! | `check.c` | checks, and the program that runs the suites |
//! | `own_zstd.c` | a program that is linked statically, with symbols of its own |
//! | `planted.c` | a program that uses memory after its release, which the address sanitizer must find |
//! | `library.rs` | builds and installs the library, compiles and runs programs |

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot be made has failed")]

mod library;

use columnade::Device;
use library::{Library, NANOARROW_PEER, Tool, headers_of, text_of};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const SUITES: [&str; 12] = [
    "check",
    "producer",
    "tables",
    "errors",
    "arrow",
    "streams",
    "devices",
    "dlpack",
    "forks",
    "expressions",
    "frames",
    "files",
];

/// Freed memory goes back to the system at once, where memory checkers detect accesses to it.
const KEEP_NOTHING: (&str, &str) = ("COLUMNADE_HOST_RETENTION", "0");

/// The functions that the headers declare.
fn declared() -> BTreeSet<String> {
    let header = Library::installed().headers();
    let calls = header.match_indices("columnade_").filter_map(|(at, _)| {
        let (name, _) = header[at..].split_once('(')?;
        let is_name =
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        // A declaration begins a line; names in comments do not.
        let line = header[..at].rsplit('\n').next()?;
        let declares = ["int ", "void ", "const char* "].contains(&line);
        (is_name && declares).then(|| name.to_owned())
    });
    calls.collect()
}

/// Also with device memory that the host cannot read, and with work that is done late.
#[test]
fn suites_pass() {
    let program = Library::installed().compile("suites", &SUITES, Tool::None);
    library::run(&mut Command::new(&program));
    library::run(Command::new(&program).env("COLUMNADE_SIM_PROTECT", "1"));
    library::run(Command::new(&program).env("COLUMNADE_SIM_LAZY_STREAMS", "1"));
    library::run(Command::new(&program).envs([
        ("COLUMNADE_SPILL", "on"),
        ("COLUMNADE_SPILL_STATS", "2"),
        ("COLUMNADE_SPILL_DEVICE_LIMIT", "1GB"),
    ]));
}

#[test]
fn suites_pass_under_address_sanitizer() {
    let program = Library::installed().compile("suites-asan", &SUITES, Tool::AddressSanitizer);
    library::run(Command::new(program).env(KEEP_NOTHING.0, KEEP_NOTHING.1));
}

/// Memory of released arrays and tensors is freed: a read after the release is detected, and no other.
#[test]
fn use_after_release_is_detected() {
    let program = Library::installed().compile("planted", &["planted"], Tool::AddressSanitizer);
    for device in Device::available() {
        for what in ["array", "tensor"] {
            for (when, is_found) in [("before", false), ("after", true)] {
                let mut planted = Command::new(&program);
                planted.args([&device.to_string(), what, when]).env(KEEP_NOTHING.0, KEEP_NOTHING.1);
                // Memory that the process ends with is the library's own, and not what this is about.
                let output = planted.env("ASAN_OPTIONS", "detect_leaks=0").output().expect("the program");
                let said = String::from_utf8_lossy(&output.stderr);
                let found = said.contains("ERROR: AddressSanitizer: heap-use-after-free");
                assert_eq!(
                    (output.status.success(), found),
                    (!is_found, is_found),
                    "{device} {what}: {said}"
                );
                assert_eq!(said.contains("after the release"), is_found, "{device} {what}: {said}");
            }
        }
    }
}

/// On the host only: the simulator's threads have stacks that valgrind does not know.
#[test]
#[ignore = "needs valgrind, and takes long"]
fn suites_pass_under_valgrind() {
    let program = Library::installed().compile("suites-valgrind", &SUITES, Tool::None);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    valgrind.arg(program).arg("host").env("RAYON_NUM_THREADS", "2");
    library::run(valgrind.env(KEEP_NOTHING.0, KEEP_NOTHING.1));
}

#[test]
fn static_program_links_and_runs() {
    let program = Library::installed().compile_static("suites-static", &SUITES, &[]);
    library::run(&mut Command::new(program));
}

/// A program with functions of its own that are called as those of zstd, without any shared library.
#[test]
fn program_without_shared_libraries_links_beside_another_zstd() {
    let runtime_is_static = library::links("int main(void) { return 0; }", &["-static"]);
    if !runtime_is_static {
        println!("skipped -static: this compiler has no static C library, or an instrumented one");
    }
    let flags =
        if runtime_is_static { &["-static", "-Wl,--gc-sections"][..] } else { &["-Wl,--gc-sections"] };
    let program = Library::installed().compile_static("own-zstd", &["own_zstd"], flags);
    library::run(Command::new(program).current_dir(library::folder()));
}

/// Other libraries in the program keep their names.
#[test]
fn static_library_defines_api_symbols_only() {
    let output =
        Command::new("nm").args(["-g", "--defined-only"]).arg(Library::installed().archive()).output();
    let output = output.expect("nm, which comes with every C compiler");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let symbols = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        Some((words.next()?, words.next()?))
    });
    // Static variables of the simulator's C++ templates, of which linkers keep one.
    let is_simulated = Device::Sim.require().is_ok();
    let foreign = symbols.filter(|(kind, _)| *kind != "u" || !is_simulated);
    let defined: BTreeSet<String> = foreign.map(|(_, name)| name.to_owned()).collect();
    assert_eq!(defined, declared());
}

/// Each reads a file, groups and joins, and prints.
#[test]
fn examples_print_documented_output() {
    let folder = library::examples();
    let expected = text_of(&folder.join("expected.txt"));
    for example in ["revenue.c", "revenue.cpp"] {
        let program = Library::installed().compile_example(example);
        for device in Device::available() {
            let output = Command::new(&program)
                .arg(&folder)
                .env("COLUMNADE_DEVICE", device.to_string())
                .output()
                .expect("the example");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{example} {device}");
        }
    }
}

/// `find_package` finds both libraries, for C and C++.
#[test]
fn cmake_package_builds_examples() {
    let Some(cmake) = library::cmake() else {
        println!("skipped: there is no cmake");
        return;
    };
    let build = library::folder().join("cmake");
    let prefix = Library::installed().prefix();
    let mut configure = cmake();
    configure.arg("-S").arg(library::examples()).arg("-B").arg(&build);
    library::run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    library::run(cmake().arg("--build").arg(&build));
    let expected = text_of(&library::examples().join("expected.txt"));
    for name in ["revenue_c", "revenue_c_static", "revenue_cpp", "revenue_cpp_static"] {
        let output = Command::new(build.join(name)).arg(library::examples()).output().expect("the program");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name}");
    }
}

#[test]
fn header_compiles_as_c_and_cpp() {
    for language in ["c99", "c11", "c++11", "c++17"] {
        library::compile_string(language, "#include \"columnade.h\"\n#include \"columnade.h\"\n");
    }
}

/// The first header that defines the structs wins: other headers stand before and behind ours, in C and C++.
#[test]
fn header_compiles_with_others_in_any_order() {
    let peers = headers_of(Path::new(env!("CARGO_MANIFEST_DIR")));
    assert!(!peers.is_empty(), "at least the headers beside this file");
    let uses =
        "int f(struct ArrowDeviceArrayStream* s, struct ArrowSchema* o) { return s->get_schema(s, o); }\n";
    let include = |name: &str| format!("#include \"{name}\"\n");
    for language in ["c99", "c++11"] {
        for peer in peers.iter().filter(|peer| peer.speaks(language)) {
            for order in [["columnade.h", peer.name()], [peer.name(), "columnade.h"]] {
                let [first, second] = order.map(include);
                peer.compile_string(language, &format!("{first}{second}{uses}"));
            }
        }
    }
    // Three of them, one of which is as nanoarrow's: it asks for a macro before it looks at the guards.
    let nanoarrow = NANOARROW_PEER;
    let all = format!(
        "{uses}int g(struct ArrowArrayStream* s, struct ArrowArray* o) {{ return nanoarrow_peer_next(s, o); }}\n\
         void h(struct ArrowDeviceArray* a, struct ArrowDeviceArray* b) {{ nanoarrow_peer_move(a, b); }}\n\
         ArrowDeviceType t(struct NanoarrowPeerDevice* d) {{ return d->device_type + ARROW_DEVICE_CPU; }}\n"
    );
    for peer in peers.iter().filter(|peer| peer.name() != nanoarrow) {
        let [ours, other] = ["columnade.h", peer.name()];
        for order in [
            [ours, nanoarrow, other],
            [ours, other, nanoarrow],
            [nanoarrow, ours, other],
            [nanoarrow, other, ours],
            [other, ours, nanoarrow],
            [other, nanoarrow, ours],
        ] {
            let text = order.map(include).concat();
            for language in ["c99", "c++17"] {
                peer.compile_string(language, &format!("{text}{all}"));
            }
        }
    }
}

#[test]
fn only_api_symbols_are_exported() {
    let output =
        Command::new("nm").args(["-D", "--defined-only"]).arg(Library::installed().shared()).output();
    let output = output.expect("nm, which comes with every C compiler");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let exported: BTreeSet<String> =
        text.lines().filter_map(|line| line.split_whitespace().nth(2)).map(str::to_owned).collect();
    assert_eq!(exported, declared());
}

/// Programs ask for the version of the interface.
#[test]
fn shared_library_has_soname() {
    let output = Command::new("readelf").arg("-d").arg(Library::installed().shared()).output();
    let text = String::from_utf8_lossy(&output.expect("readelf").stdout).into_owned();
    let expected =
        format!("[libcolumnade.so.{}]", env!("CARGO_PKG_VERSION").rsplit_once('.').expect("dots").0);
    assert!(text.contains(&expected), "{text}");
    assert!(text.contains("NODELETE"), "{text}");
    // It can be opened when a process has no space left for thread-locals at fixed offsets.
    assert!(!text.contains("STATIC_TLS"), "{text}");
}

/// The programs of the guide compile, run, and print what the guide says.
#[test]
fn guide_programs_print_documented_output() {
    let guide = text_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/c.md"));
    let [programs, printed] = ["```c\n", "```text\n"].map(|start| library::blocks(&guide, start));
    assert_eq!((programs.len(), printed.len()), (3, 3));
    for (at, (program, printed)) in programs.iter().zip(printed).enumerate() {
        let program = Library::installed().compile_guide(&format!("guide-{at}"), program);
        for device in Device::available() {
            let output = Command::new(&program)
                // They write files.
                .current_dir(library::folder())
                .env("COLUMNADE_DEVICE", device.to_string())
                .env("COLUMNADE_SIM_LAZY_STREAMS", "1")
                .output()
                .expect("the guide's program");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), printed.trim_end(), "{device}");
        }
    }
}
