//! Compiles the `.cu` files: one object a file and build, by the C++ compiler under `sim`, by nvcc under `cuda`.

use columnade_native::{self as native, Job};
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let (sim, cuda) = (enabled("SIM"), enabled("CUDA"));
    if !sim && !cuda {
        return;
    }
    println!("cargo::rerun-if-changed=src");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(variable("OUT_DIR"));
    // Objects depend neither on the Rust profile nor on the other features: all builds share one folder.
    let objects = out.ancestors().nth(4).unwrap_or(&out).join("columnade-objects");
    let headers = objects.join("abi");
    let mut sources = Vec::new();
    collect(&root.join("src"), &mut sources);
    sources.sort();
    for source in &sources {
        let header = headers.join(source.file_stem().unwrap_or_default()).with_extension("abi.h");
        native::abi_header(&source.with_file_name("cuda.rs"), &header);
    }
    let include = [root.join("cuda/include"), headers];
    if sim {
        let runtime = PathBuf::from(variable("DEP_COLUMNADE_SIM_INCLUDE"));
        let jobs =
            jobs(&sources, &objects.join(format!("sim-{}", native::flavour().name)), &include, &|| {
                native::sim_kernel_compiler(&runtime)
            });
        native::archive("columnade_kernels_sim", &native::run(&jobs, &root), &out);
        native::link_cpp();
    }
    if cuda {
        let toolkit = native::toolkit::cuda().unwrap_or_else(|reason| native::fail(&reason));
        let arch = native::toolkit::arch();
        let jobs =
            jobs(&sources, &objects.join(format!("cuda-{arch}")), &include, &|| toolkit.nvcc_command(&arch));
        native::archive("columnade_kernels_cuda", &native::run(&jobs, &root), &out);
        toolkit.link_cudart();
    }
}

fn enabled(feature: &str) -> bool {
    std::env::var_os(format!("CARGO_FEATURE_{feature}")).is_some()
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| native::fail(&format!("cargo did not set {name}")))
}

/// Every `.cu` below `folder`.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "cu") {
            sources.push(path);
        }
    }
}

fn jobs(
    sources: &[PathBuf],
    objects: &Path,
    include: &[PathBuf],
    compiler: &dyn Fn() -> Vec<String>,
) -> Vec<Job> {
    let job = |source: &PathBuf| {
        let object = objects.join(source.file_stem().unwrap_or_default()).with_extension("o");
        let mut argv = compiler();
        for folder in include {
            argv.extend(["-I".to_owned(), folder.display().to_string()]);
        }
        argv.extend(["-MD", "-MF"].map(str::to_owned));
        argv.push(object.with_extension("d").display().to_string());
        argv.extend([
            "-c".to_owned(),
            source.display().to_string(),
            "-o".to_owned(),
            object.display().to_string(),
        ]);
        Job { source: source.clone(), object, argv }
    };
    sources.iter().map(job).collect()
}
