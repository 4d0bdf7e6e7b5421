//! Compiles the simulator's runtime if the feature `sim` is on. Without the feature no C++ compiler is
//! needed.

use columnade_native::{Error, Flavour, Job};
use std::path::Path;

const SOURCES: [&str; 19] = [
    "arena",
    "barrier",
    "block",
    "c_interface",
    "device",
    "errors",
    "fiber",
    "launch",
    "memory",
    "options",
    "ptx",
    "race",
    "race_callbacks",
    "report",
    "scheduler",
    "shared_memory",
    "stream",
    "warp",
    "watchdog",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(columnade_ptx)");
    if std::env::var_os("CARGO_FEATURE_SIM").is_some() {
        columnade_native::build_script(build);
    }
}

fn build() -> Result<(), Error> {
    let package = columnade_native::manifest_dir()?;
    let flavour = Flavour::from_env()?;
    let objects = columnade_native::object_dir(&format!("sim-runtime-{}", flavour.name()))?;
    let include = package.join("include");

    let mut argv = columnade_native::cxx();
    argv.extend(flavour.runtime_options().iter().map(ToString::to_string));
    argv.extend(["-I".into(), include.display().to_string()]);
    let job = |name: &&str| Job {
        source: package.join("runtime").join(name).with_extension("cpp"),
        object: objects.join(name).with_extension("o"),
        argv: argv.clone(),
    };
    let jobs: Vec<Job> = SOURCES.iter().map(job).collect();
    let objects = columnade_native::compile(&jobs, &package)?;
    columnade_native::archive("cn_sim", &objects, &columnade_native::out_dir()?)?;
    columnade_native::link_cpp(flavour);

    if flavour == Flavour::Ptx {
        println!("cargo::rustc-cfg=columnade_ptx");
        build_cases(&package)?;
    }
    // For the build scripts of packages that depend on this one: DEP_COLUMNADE_SIM_INCLUDE, …_FLAVOUR.
    println!("cargo::metadata=include={}", include.display());
    println!("cargo::metadata=flavour={}", flavour.name());
    println!("cargo::rustc-env=CN_SIM_FLAVOUR={}", flavour.name());
    Ok(())
}

/// The planted faults as nvcc compiles them, for the test `ptx`, which links them.
fn build_cases(package: &Path) -> Result<(), Error> {
    let tests = package.join("tests");
    let objects = columnade_native::object_dir("sim-cases-ptx")?;
    let mut argv = columnade_native::nvcc_ptx(&columnade_native::toolkit::cuda()?, false);
    // The driver is C++ that includes a header of kernels.
    argv.extend(["-x".into(), "cu".into()]);
    let job = |name: &str| Job {
        source: tests.join(name),
        object: objects.join(name).with_extension("o"),
        argv: argv.clone(),
    };
    for object in columnade_native::compile(&[job("planted.cu"), job("driver.cpp")], &tests)? {
        println!("cargo::rustc-link-arg-tests={}", object.display());
    }
    Ok(())
}
