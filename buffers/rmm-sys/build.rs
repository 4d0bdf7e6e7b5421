//! Compiles the shim into a shared library of its own and writes its bindings. Nothing without `cuda`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "cuda")]
    if let Err(message) = shim::build() {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}

#[cfg(feature = "cuda")]
mod shim {
    use columnade_native::toolkit::{self, Rmm, Toolkit};
    use std::env;
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    pub(super) fn build() -> Result<(), String> {
        let cuda = toolkit::cuda()?;
        let rmm = toolkit::rmm()?;
        let out = PathBuf::from(variable("OUT_DIR")?);
        let source = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("shim");
        println!("cargo::rerun-if-changed={}", source.display());
        bind(&source.join("shim.h"), &out.join("shim.rs"))?;
        let library = out.join("libcolumnade_rmm.so");
        compile(&source, &cuda, &rmm, &library)?;
        println!("cargo::rustc-env=COLUMNADE_RMM_BUILT={}", library.display());
        Ok(())
    }

    /// Writes the table of the shim's functions, to be filled when the library is opened.
    fn bind(header: &Path, to: &Path) -> Result<(), String> {
        if let Some(folder) = toolkit::libclang() {
            // SAFETY: this program has one thread, so nothing reads the environment meanwhile.
            unsafe { env::set_var("LIBCLANG_PATH", folder) };
        }
        // libclang alone has no stddef.h; the C compiler's serves.
        let include = output(Command::new("gcc").arg("-print-file-name=include"))?;
        bindgen::Builder::default()
            .header(header.display().to_string())
            .clang_args(["-I", include.trim()])
            .allowlist_item("columnade_rmm_.*|COLUMNADE_RMM_.*")
            .prepend_enum_name(false)
            .dynamic_library_name("Shim")
            .dynamic_link_require_all(true)
            .wrap_unsafe_ops(true)
            .generate()
            .map_err(|error| format!("{}: {error}", header.display()))?
            .write_to_file(to)
            .map_err(|error| format!("{}: {error}", to.display()))
    }

    /// Compiles and links the library. It finds RMM beside itself, else where the build found it.
    fn compile(source: &Path, cuda: &Toolkit, rmm: &Rmm, library: &Path) -> Result<(), String> {
        println!("cargo::rerun-if-env-changed=CXX");
        let compiler = env::var_os("CXX").unwrap_or_else(|| OsString::from("g++"));
        let mut command = Command::new(compiler);
        command.args(["-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]);
        command.args(["-fvisibility=hidden", "-DLIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE"]);
        for folder in rmm.include.iter().chain(&cuda.include) {
            command.arg("-isystem").arg(folder);
        }
        command.arg(source.join("shim.cpp")).arg("-o").arg(library);
        command.args(&rmm.libraries).arg(cuda.lib.join("libcudart_static.a"));
        command.args(["-ldl", "-lrt", "-lpthread", "-Wl,-z,defs", "-Wl,--exclude-libs,ALL"]);
        let script = source.join("shim.map");
        command.arg(format!("-Wl,--version-script={}", script.display()));
        command.arg("-Wl,-rpath,$ORIGIN");
        for folder in rmm.libraries.iter().filter_map(|path| path.parent()) {
            command.arg(format!("-Wl,-rpath,{}", folder.display()));
        }
        output(&mut command).map(drop)
    }

    /// What a command says, or what it complains of.
    fn output(command: &mut Command) -> Result<String, String> {
        let program = command.get_program().display().to_string();
        let output = command.output().map_err(|error| format!("cannot run {program}: {error}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        eprintln!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
        Err(format!("{program} failed ({}); its messages are above", output.status))
    }

    fn variable(name: &str) -> Result<String, String> {
        env::var(name).map_err(|error| format!("{name}: {error}"))
    }
}
