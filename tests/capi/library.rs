//! The installed library, and programs made with it.

use columnade::Device;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// What programs are compiled with beside their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    None,
    AddressSanitizer,
}

/// A prefix that `cargo xtask capi` has installed to.
#[derive(Debug)]
pub(crate) struct Library {
    prefix: PathBuf,
}

impl Library {
    /// The library of this test run, with the devices that this program has too.
    pub(crate) fn installed() -> &'static Self {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| {
            let prefix = folder().join("prefix");
            let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let mut command = Command::new(cargo);
            command.current_dir(root()).args(["xtask", "capi", "--debug", "--prefix"]).arg(&prefix);
            if Device::Sim.require().is_ok() {
                command.args(["--features", "sim"]);
            }
            run(&mut command);
            Self { prefix }
        })
    }

    /// The text of all headers.
    pub(crate) fn headers(&self) -> String {
        let headers = fs::read_dir(self.prefix.join("include")).expect("a folder");
        headers.map(|header| text_of(&header.expect("a header").path())).collect()
    }

    pub(crate) fn shared(&self) -> PathBuf {
        self.prefix.join("lib/libcolumnade.so")
    }

    /// The words after `key:` in the pkg-config file of the shared library.
    fn described(&self, key: &str) -> Vec<String> {
        self.described_in("columnade", key)
    }

    fn described_in(&self, package: &str, key: &str) -> Vec<String> {
        let text = text_of(&self.prefix.join("lib/pkgconfig").join(package).with_extension("pc"));
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let words = line.unwrap_or_default().split_whitespace();
        let place = |word: &str| {
            let lib = self.prefix.join("lib");
            word.replace("${includedir}", &self.prefix.join("include").display().to_string())
                .replace("${libdir}", &lib.display().to_string())
        };
        words.map(place).collect()
    }

    /// A program of sources beside this file, as C99.
    pub(crate) fn compile(&self, name: &str, sources: &[&str], tool: Tool) -> PathBuf {
        let mut cc = self.compiler(sources);
        if tool == Tool::AddressSanitizer {
            cc.arg("-fsanitize=address,undefined");
        }
        let rpath = format!("-Wl,-rpath,{}", self.prefix.join("lib").display());
        link(cc.args(self.described("Libs")).arg(rpath), name)
    }

    /// The same with the library in it.
    pub(crate) fn compile_static(&self, name: &str, sources: &[&str], flags: &[&str]) -> PathBuf {
        let mut cc = self.compiler(sources);
        link(cc.args(flags).args(self.described_in("columnade-static", "Libs")), name)
    }

    pub(crate) fn archive(&self) -> PathBuf {
        self.prefix.join("lib/libcolumnade.a")
    }

    pub(crate) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// An example of the library, in the language of its source, with the shared library.
    pub(crate) fn compile_example(&self, name: &str) -> PathBuf {
        let source = examples().join(name);
        let is_cpp = source.extension() == Some(OsStr::new("cpp"));
        let mut compiler = c_compiler(if is_cpp { "c++17" } else { "c99" });
        compiler.arg(source).args(self.described("Cflags")).args(self.described("Libs"));
        let rpath = format!("-Wl,-rpath,{}", self.prefix.join("lib").display());
        link(compiler.arg(rpath), &format!("example-{}", name.replace('.', "-")))
    }

    pub(crate) fn compile_guide(&self, name: &str, text: &str) -> PathBuf {
        let source = folder().join(name).with_extension("c");
        fs::write(&source, text).expect("a source is written");
        let mut cc = c_compiler("c99");
        cc.arg(source).args(self.described("Cflags")).args(self.described("Libs"));
        link(cc.arg(format!("-Wl,-rpath,{}", self.prefix.join("lib").display())), name)
    }

    fn compiler(&self, sources: &[&str]) -> Command {
        let mut cc = c_compiler("c99");
        cc.args(["-g", "-pthread", "-D_POSIX_C_SOURCE=200809L"]).args(self.described("Cflags"));
        cc.args(sources.iter().map(|name| here().join(name).with_extension("c")));
        cc
    }
}

/// The compiler of a language, which takes warnings for errors.
fn c_compiler(language: &str) -> Command {
    let (variable, default) = if is_cpp(language) { ("CXX", "g++") } else { ("CC", "cc") };
    let program = env::var_os(variable).filter(|name| !name.is_empty());
    let mut command = Command::new(program.unwrap_or_else(|| default.into()));
    command.arg(format!("-std={language}")).args(WARNINGS);
    // A library with instrumented kernels needs the sanitizer's runtime in the program.
    if env::var("COLUMNADE_SIM_FLAVOUR").is_ok_and(|flavour| flavour == "asan") {
        command.arg("-fsanitize=address,undefined");
    }
    command
}

fn is_cpp(language: &str) -> bool {
    language.starts_with("c++")
}

/// Whether the compiler links a program with these flags.
pub(crate) fn links(text: &str, flags: &[&str]) -> bool {
    let source = folder().join("links.c");
    fs::write(&source, text).expect("a source is written");
    let output = c_compiler("c99").args(flags).arg(&source).arg("-o").arg(folder().join("links")).output();
    output.is_ok_and(|output| output.status.success())
}

fn link(cc: &mut Command, name: &str) -> PathBuf {
    let program = folder().join(name);
    run(cc.arg("-o").arg(&program));
    program
}

/// Compiles a text against our header.
pub(crate) fn compile_string(language: &str, text: &str) {
    compile_with(language, text, &[]);
}

fn compile_with(language: &str, text: &str, include: &[&Path]) {
    let extension = if is_cpp(language) { "cpp" } else { "c" };
    let unique = std::thread::current().name().unwrap_or("test").replace("::", "-");
    let source = folder().join(format!("{unique}-{language}")).with_extension(extension);
    fs::write(&source, text).expect("a source is written");
    let mut compiler = c_compiler(language);
    compiler.arg("-fsyntax-only").args(Library::installed().described("Cflags"));
    for folder in include {
        // Warnings of headers of others are theirs.
        compiler.arg("-isystem").arg(folder);
    }
    run(compiler.arg(source));
}

/// A header of another library that defines some of the structs too.
#[derive(Debug)]
pub(crate) struct Header {
    folder: PathBuf,
    name: &'static str,
    /// Oldest standards of C and C++ that take it.
    languages: [&'static str; 2],
}

impl Header {
    pub(crate) fn name(&self) -> &str {
        self.name
    }

    pub(crate) fn speaks(&self, language: &str) -> bool {
        self.languages.contains(&language)
    }

    /// With the headers beside these tests too.
    pub(crate) fn compile_string(&self, language: &str, text: &str) {
        compile_with(language, text, &[&self.folder, &here()]);
    }
}

/// The header here that stands for nanoarrow's, devices included.
pub(crate) const NANOARROW_PEER: &str = "nanoarrow_device_peer.h";

/// Commands of `CMake`: the program of the system, or the package of the Python that the tests are given, which must have it.
pub(crate) fn cmake() -> Option<fn() -> Command> {
    let program: fn() -> Command = || Command::new("cmake");
    if program().arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    env::var_os("COLUMNADE_PYTHON")?;
    Some(|| {
        let mut command = Command::new(env::var_os("COLUMNADE_PYTHON").unwrap_or_default());
        command.args(["-m", "cmake"]);
        command
    })
}

/// The headers beside these tests, and those of Python packages that happen to be there.
pub(crate) fn headers_of(tests: &Path) -> Vec<Header> {
    let own = |name| Header { folder: tests.join("capi"), name, languages: ["c99", "c++11"] };
    let mut headers =
        vec![own("peer.h"), own("dlpack_structs.h"), own("nanoarrow_peer.h"), own(NANOARROW_PEER)];
    let python = env::var_os("COLUMNADE_PYTHON").unwrap_or_else(|| "python3".into());
    let found = Command::new(python).args(["-c", "import pyarrow; print(pyarrow.get_include())"]).output();
    if let Ok(output) = found
        && output.status.success()
    {
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        for name in ["arrow/c/abi.h", "arrow/c/dlpack_abi.h"] {
            if folder.join(name).exists() {
                headers.push(Header { folder: folder.clone(), name, languages: ["c99", "c++11"] });
            }
        }
    }
    headers
}

/// The blocks of a page that begin so.
pub(crate) fn blocks(page: &str, start: &str) -> Vec<String> {
    let rest = page.split(start).skip(1);
    rest.map(|rest| rest.split_once("```").expect("blocks end").0.to_owned()).collect()
}

pub(crate) fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a command, which must succeed.
pub(crate) fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        said(&output.stdout),
        said(&output.stderr)
    );
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// The examples of the C library.
pub(crate) fn examples() -> PathBuf {
    root().join("engine/capi/examples")
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("capi")
}

/// Where programs are made: in the target folder of this run.
pub(crate) fn folder() -> PathBuf {
    let program = env::current_exe().expect("a program knows where it is");
    let target = program.ancestors().find(|path| path.file_name() == Some(OsStr::new("deps")));
    let folder =
        target.and_then(Path::parent).expect("tests are in target/<profile>/deps").join("capi-tests");
    fs::create_dir_all(&folder).expect("a folder is made");
    folder
}
