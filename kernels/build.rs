//! Compiles the `.cu` files, one object per file and build: with the C++ compiler for `sim`, with nvcc for
//! `cuda` and for the simulator's flavour `ptx`.

use columnade_native::{
    AbiHeaders, Error, Flavour, Job, archive, build_script, compile, cxx, env_var, link_cpp, manifest_dir,
    nvcc, nvcc_ptx, object_dir, out_dir, toolkit,
};
use std::path::{Path, PathBuf};

/// The architectures that `nvcc` compiles for: one that its `-arch` knows, or a list of compute capabilities, `80,90,100`,
/// of which the last is PTX too, for newer GPUs. `sm_90` as a default, [`RELEASE`] in a release, [`WITH_PTX`] where the
/// flavour `ptx` is built besides.
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
    let (objects, argv) = if flavour == Flavour::Ptx {
        ptx_compiler()?
    } else {
        (format!("sim-{}", flavour.name()), simulated_compiler(flavour))
    };
    build("sim", &objects, argv)?;
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

/// The folder of the objects, and the compiler.
///
/// The objects call the CUDA runtime, in whose place the simulator stands: a program cannot have both.
fn ptx_compiler() -> Result<(String, Vec<String>), Error> {
    if enabled("CUDA") {
        let sentence = "the simulator's flavour ptx and the feature cuda exclude each other: choose one";
        return Err(Error::Toolkit(sentence.into()));
    }
    let cuda = toolkit::cuda()?;
    if env_var(ARCH_VARIABLE).is_some_and(|arch| arch == WITH_PTX) {
        return Ok((format!("cuda-{WITH_PTX}"), compiler_with_ptx(&cuda)));
    }
    Ok((format!("sim-{}", Flavour::Ptx.name()), nvcc_ptx(&cuda, false)))
}

/// What `cargo xtask ledger --resources` reads.
const RESOURCES: [&str; 2] = ["-Xptxas", "-v"];

/// Machine code, and PTX as the flavour `ptx` runs it: one object for both builds, since nvcc takes minutes for either.
const WITH_PTX: &str = "sm_90+ptx";

fn compiler_with_ptx(cuda: &toolkit::Toolkit) -> Vec<String> {
    let mut argv = nvcc_ptx(cuda, true);
    argv.extend(RESOURCES.map(String::from));
    argv
}

fn build_cuda() -> Result<(), Error> {
    let cuda = toolkit::cuda()?;
    let arch = env_var(ARCH_VARIABLE).unwrap_or_else(|| "sm_90".to_owned());
    let (argv, least) = if arch == WITH_PTX {
        (compiler_with_ptx(&cuda), 90)
    } else {
        let (options, least) = architectures(&arch)?;
        let mut argv = nvcc(&cuda);
        argv.extend(RESOURCES.map(String::from));
        argv.extend(options);
        (argv, least)
    };
    println!("cargo::rustc-env=COLUMNADE_CUDA_LEAST={least}");
    build("cuda", &format!("cuda-{arch}"), argv)?;
    println!("cargo::rustc-link-search=native={}", cuda.lib.display());
    for library in ["static=cudart_static", "dylib=stdc++", "dylib=dl", "dylib=rt", "dylib=pthread"] {
        println!("cargo::rustc-link-lib={library}");
    }
    Ok(())
}

/// What `ARCH_VARIABLE=release` stands for: the data centre GPUs, and through the first and the last also the others since
/// compute capability 8.0.
const RELEASE: &str = "80,90,100";

/// The least compute capability that CUDA 13 compiles for.
const LEAST_OF_TOOLKIT: u32 = 75;

/// The options of nvcc, and the least compute capability of the code, as 10 × major + minor.
fn architectures(arch: &str) -> Result<(Vec<String>, u32), Error> {
    let arch = if arch == "release" { RELEASE } else { arch };
    let number = |text: &str| text.trim_end_matches(['a', 'f']).parse::<u32>().ok();
    let unknown = || {
        Error::Toolkit(format!(
            "{ARCH_VARIABLE}={arch}: expected release, sm_NN, {WITH_PTX}, all-major or a list such as {RELEASE}"
        ))
    };
    if let Some(capability) = arch.strip_prefix("sm_") {
        return Ok((vec![format!("-arch={arch}")], number(capability).ok_or_else(unknown)?));
    }
    if arch.starts_with("all") {
        return Ok((vec![format!("-arch={arch}")], LEAST_OF_TOOLKIT));
    }
    let capabilities: Vec<&str> = arch.split(',').collect();
    let numbers: Option<Vec<u32>> = capabilities.iter().map(|capability| number(capability)).collect();
    let least = numbers.and_then(|numbers| numbers.into_iter().min()).ok_or_else(unknown)?;
    let mut options: Vec<String> =
        capabilities.iter().map(|of| format!("-gencode=arch=compute_{of},code=sm_{of}")).collect();
    if let Some(last) = capabilities.last() {
        options.push(format!("-gencode=arch=compute_{last},code=compute_{last}"));
    }
    Ok((options, least))
}

/// What the headers of several kernels include: structs of arguments, and tuning numbers.
const SHARED: [&str; 3] = ["tuning.rs", "rolling/windows.rs", "strings/regex/table.rs"];

/// Compiles and archives every `.cu` of the crate with one compiler.
fn build(name: &str, objects: &str, mut argv: Vec<String>) -> Result<(), Error> {
    let root = manifest_dir()?;
    let mut headers = AbiHeaders::new(object_dir("abi")?);
    for shared in SHARED {
        let stem = Path::new(shared).file_stem().unwrap_or_default();
        headers.shared(&root.join("src").join(shared), &stem.to_string_lossy())?;
    }
    let objects = object_dir(objects)?;
    let mut sources = Vec::new();
    collect(&root.join("src"), &mut sources);
    sources.sort();
    for include in [root.join("cuda/include"), headers.folder().to_path_buf()] {
        argv.extend(["-I".to_owned(), include.display().to_string()]);
    }
    let mut jobs = Vec::new();
    for source in sources {
        let stem = source.file_stem().unwrap_or_default().to_owned();
        headers.write(&source.with_file_name("cuda.rs"), &stem.to_string_lossy())?;
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
