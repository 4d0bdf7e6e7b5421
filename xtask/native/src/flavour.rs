//! The simulator's flavours: which checks its runtime and the simulated kernels are compiled with.

use crate::toolkit::Toolkit;
use crate::{Error, env_var};

/// The variable that chooses the flavour of a whole build. Give each flavour its own `CARGO_TARGET_DIR`.
pub const VARIABLE: &str = "COLUMNADE_SIM_FLAVOUR";

/// Set to 1, it makes a compiler's warnings errors; else they are shown as cargo's.
pub const DENY_WARNINGS: &str = "COLUMNADE_DENY_WARNINGS";

/// Thread-locals may be those of other libraries: `std::call_once` has some.
const FOREIGN_THREAD_LOCALS: &str = "-ftls-model=global-dynamic";

/// What the simulator's runtime and the kernels are compiled with. All packages of one build agree on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Optimised, no instrumentation: wrong answers, deadlocks, divergent barriers, bad masks, hangs.
    Plain,
    /// `AddressSanitizer` and `UndefinedBehaviorSanitizer`: also accesses out of bounds or after free, leaks.
    Asan,
    /// Every access of a kernel is checked against CUDA's ordering rules: also missing synchronisation.
    Race,
    /// The kernels are compiled by nvcc, and their PTX is executed: also accesses out of bounds, after free or
    /// misaligned, in the code that a GPU's driver is given, with real CUB.
    Ptx,
}

impl Flavour {
    /// The flavour that [`VARIABLE`] names; plain when it is not set.
    ///
    /// # Errors
    /// A value that is no flavour.
    pub fn from_env() -> Result<Self, Error> {
        let Some(value) = env_var(VARIABLE) else { return Ok(Self::Plain) };
        Self::named(&value).ok_or_else(|| Error::Variable {
            name: VARIABLE.into(),
            value: Some(value),
            expected: "plain, asan, race or ptx",
        })
    }

    /// The flavour of a [`name`](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        [Self::Plain, Self::Asan, Self::Race, Self::Ptx].into_iter().find(|flavour| flavour.name() == name)
    }

    /// As in [`VARIABLE`]; part of the names of object folders.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Asan => "asan",
            Self::Race => "race",
            Self::Ptx => "ptx",
        }
    }

    /// Options for the simulator's own runtime: never instrumented (half the run time under
    /// `AddressSanitizer`), it only tells the sanitizer about its stacks. The standard library, whose thread-locals
    /// are another library's, is for the runtime alone.
    pub fn runtime_options(self) -> &'static [&'static str] {
        match self {
            Self::Plain => &["-O2", FOREIGN_THREAD_LOCALS],
            Self::Asan => &["-O2", FOREIGN_THREAD_LOCALS, "-DCN_SIM_ASAN"],
            Self::Race => &["-O2", FOREIGN_THREAD_LOCALS, "-DCN_SIM_RACE"],
            Self::Ptx => &["-O2", FOREIGN_THREAD_LOCALS, "-DCN_SIM_PTX"],
        }
    }

    /// Options of the C++ compiler for simulated kernels and their launchers; nvcc compiles those of
    /// [`Ptx`](Self::Ptx), with [`nvcc`].
    ///
    /// The race flavour uses the compiler's thread instrumentation but not its library: the simulator defines
    /// the callbacks, with CUDA's rules in place of those for POSIX threads.
    pub fn kernel_options(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::Ptx => &["-O2"],
            Self::Asan => {
                &["-O1", "-DCN_SIM_ASAN", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
            }
            Self::Race => &[
                "-O1",
                "-DCN_SIM_RACE",
                "-fsanitize=thread",
                "--param",
                "tsan-distinguish-volatile=1",
                "--param",
                "tsan-instrument-func-entry-exit=0",
            ],
        }
    }

    /// Shared libraries that a program with objects of this flavour needs, in link order.
    pub fn libraries(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::Race | Self::Ptx => &["stdc++"],
            Self::Asan => &["asan", "ubsan", "stdc++"],
        }
    }
}

/// What nvcc compiles CUDA sources with, whatever they are compiled for.
pub fn nvcc(toolkit: &Toolkit) -> Vec<String> {
    let options = [
        "-std=c++17",
        "-O3",
        // The same results as the simulator: no contraction of multiply and add.
        "-fmad=false",
        "--extended-lambda",
        "-Xcompiler",
        "-fPIC,-fvisibility=hidden,-Wall,-Wextra,-Werror",
        "-Werror",
        "all-warnings",
        // One template serves signed and unsigned types, and compares both with zero.
        "-diag-suppress=186",
    ];
    let mut argv = vec![toolkit.nvcc.display().to_string()];
    argv.extend(options.map(String::from));
    argv
}

/// [`nvcc`] for the flavour [`Flavour::Ptx`]: objects with plain PTX and source lines.
///
/// `and_machine_code` adds machine code of the same architecture, so that a build for GPUs can use the objects too.
pub fn nvcc_ptx(toolkit: &Toolkit, and_machine_code: bool) -> Vec<String> {
    let mut argv = nvcc(toolkit);
    let code = if and_machine_code { "[compute_90,sm_90]" } else { "compute_90" };
    let code = format!("arch=compute_90,code={code}");
    let options = ["-gencode", &code, "--no-compress", "-lineinfo", "-DCN_PTX"];
    argv.extend(options.map(String::from));
    argv
}

/// The C++ compiler (`CXX`, else `g++`) with the options that every simulated source has, whatever its flavour.
///
/// No contraction of multiply and add, so that results are the same bits as of kernels that `nvcc` compiled
/// with `-fmad=false`; hidden symbols, so that no program sees the simulator's names; thread-locals, of which
/// `threadIdx` is one, are the simulator's own and looked up once a function: in a program the linker makes them fixed
/// offsets, and a shared library can still be opened when a process has no space left for such. Warnings are errors only where [`DENY_WARNINGS`] says
/// so: a newer compiler knows more of them.
pub fn cxx() -> Vec<String> {
    let options = [
        "-std=c++17",
        "-g1",
        "-fPIC",
        "-fvisibility=hidden",
        "-ftls-model=local-dynamic",
        "-Wall",
        "-Wextra",
        "-Wno-unknown-pragmas",
        "-fno-strict-aliasing",
        "-ffp-contract=off",
    ];
    let mut argv = vec![env_var("CXX").unwrap_or_else(|| "g++".into())];
    argv.extend(options.map(String::from));
    if env_var(DENY_WARNINGS).is_some_and(|value| value != "0") {
        argv.push("-Werror".into());
    }
    argv
}
