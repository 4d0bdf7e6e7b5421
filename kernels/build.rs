//! Compiles the `.cu` files, one object per file and build: with the C++ compiler for `sim`, with nvcc for
//! `cuda` and for the simulator's flavour `ptx`.

use columnade_native::{
    Error, Flavour, Job, abi_header, archive, build_script, compile, cxx, env_var, link_cpp, manifest_dir,
    nvcc, nvcc_ptx, object_dir, out_dir, toolkit,
};
use std::path::{Path, PathBuf};

/// The architectures that `nvcc` compiles for: `sm_90` on every change, `all-major` in a release.
const ARCH_VARIABLE: &str = "COLUMNADE_CUDA_ARCH";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(columnade_ptx)");
    build_script(|| {
        if enabled("SIM") {
            build_sim()?;
        }
        if enabled("CUDA") {
            build_cuda()?;
        }
        Ok(())
    });
}

fn build_sim() -> Result<(), Error> {
    let flavour = Flavour::from_env()?;
    let argv = if flavour == Flavour::Ptx { ptx_compiler()? } else { simulated_compiler(flavour) };
    build("sim", &format!("sim-{}", flavour.name()), argv)?;
    link_cpp(flavour);
    if flavour == Flavour::Ptx {
        println!("cargo::rustc-cfg=columnade_ptx");
    }
    Ok(())
}

fn simulated_compiler(flavour: Flavour) -> Vec<String> {
    let mut argv = cxx();
    argv.extend(flavour.kernel_options().iter().map(ToString::to_string));
    argv.extend(["-x".to_owned(), "c++".to_owned()]);
    if let Some(include) = env_var("DEP_COLUMNADE_SIM_INCLUDE") {
        argv.extend(["-I".to_owned(), include]);
    }
    argv
}

/// The objects call the CUDA runtime, in whose place the simulator stands: a program cannot have both.
fn ptx_compiler() -> Result<Vec<String>, Error> {
    if enabled("CUDA") {
        let sentence = "the simulator's flavour ptx and the feature cuda exclude each other: choose one";
        return Err(Error::Toolkit(sentence.into()));
    }
    Ok(nvcc_ptx(&toolkit::cuda()?))
}

fn build_cuda() -> Result<(), Error> {
    let cuda = toolkit::cuda()?;
    let arch = env_var(ARCH_VARIABLE).unwrap_or_else(|| "sm_90".to_owned());
    let mut argv = nvcc(&cuda);
    // What `cargo xtask ledger --resources` reads.
    argv.extend(["-Xptxas".to_owned(), "-v".to_owned(), format!("-arch={arch}")]);
    build("cuda", &format!("cuda-{arch}"), argv)?;
    println!("cargo::rustc-link-search=native={}", cuda.lib.display());
    for library in ["static=cudart_static", "dylib=stdc++", "dylib=dl", "dylib=rt", "dylib=pthread"] {
        println!("cargo::rustc-link-lib={library}");
    }
    Ok(())
}

/// Compiles and archives every `.cu` of the crate with one compiler.
fn build(name: &str, objects: &str, mut argv: Vec<String>) -> Result<(), Error> {
    let root = manifest_dir()?;
    let headers = object_dir("abi")?;
    let objects = object_dir(objects)?;
    let mut sources = Vec::new();
    collect(&root.join("src"), &mut sources);
    sources.sort();
    for include in [root.join("cuda/include"), headers.clone()] {
        argv.extend(["-I".to_owned(), include.display().to_string()]);
    }
    let mut jobs = Vec::new();
    for source in sources {
        let stem = source.file_stem().unwrap_or_default().to_owned();
        abi_header(&source.with_file_name("cuda.rs"), &headers.join(&stem).with_extension("abi.h"))?;
        jobs.push(Job { object: objects.join(&stem).with_extension("o"), source, argv: argv.clone() });
    }
    let objects = compile(&jobs, &root)?;
    archive(&format!("columnade_kernels_{name}"), &objects, &out_dir()?)?;
    Ok(())
}

fn enabled(feature: &str) -> bool {
    std::env::var_os(format!("CARGO_FEATURE_{feature}")).is_some()
}

/// Every `.cu` under `folder`; tells cargo to watch the folder for new files.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "cu") {
            sources.push(path);
        }
    }
}
