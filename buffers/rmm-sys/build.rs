//! Compiles the shim into a shared library of its own and generates its bindings. Does nothing without
//! `cuda`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "cuda")]
    columnade_native::build_script(shim::build);
}

#[cfg(feature = "cuda")]
mod shim {
    use columnade_native::toolkit::{self, Rmm, Toolkit};
    use columnade_native::{Error, Job, compile, env_var, manifest_dir, object_dir, out_dir};
    use std::env;
    use std::path::Path;
    use std::process::Command;

    pub(super) fn build() -> Result<(), Error> {
        let cuda = toolkit::cuda()?;
        let rmm = toolkit::rmm()?;
        let folder = manifest_dir()?.join("shim");
        bind(&folder.join("shim.h"), &out_dir()?.join("shim.rs"))?;

        let compiler = env_var("CXX").unwrap_or_else(|| "g++".to_owned());
        let source = folder.join("shim.cpp");
        let object = object_dir("rmm")?.join("shim.o");
        let argv = command_line(&compiler, &rmm, &cuda);
        let objects = compile(&[Job { source, object, argv }], &folder)?;

        let library = out_dir()?.join("libcolumnade_rmm.so");
        let script = folder.join("shim.map");
        println!("cargo::rerun-if-changed={}", script.display());
        let mut linker = Command::new(&compiler);
        linker.arg("-shared").args(objects).arg("-o").arg(&library);
        link_options(&mut linker, &rmm, &cuda, &script);
        output(&mut linker)?;
        println!("cargo::rustc-env=COLUMNADE_RMM_BUILT={}", library.display());
        Ok(())
    }

    /// Writes the table of the shim's functions, which is filled when the library is opened.
    fn bind(header: &Path, to: &Path) -> Result<(), Error> {
        println!("cargo::rerun-if-changed={}", header.display());
        if let Some(folder) = toolkit::libclang() {
            // SAFETY: this program has one thread, so nothing reads the environment meanwhile.
            unsafe { env::set_var("LIBCLANG_PATH", folder) };
        }
        // libclang has no stddef.h of its own; the C compiler's works.
        let include = output(Command::new("gcc").arg("-print-file-name=include"))?;
        let bindings = bindgen::Builder::default()
            .header(header.display().to_string())
            .clang_args(["-I", include.trim()])
            .allowlist_item("columnade_rmm_.*|COLUMNADE_RMM_.*")
            .prepend_enum_name(false)
            .dynamic_library_name("Shim")
            .dynamic_link_require_all(true)
            .wrap_unsafe_ops(true)
            .generate()
            .map_err(|error| Error::Toolkit(format!("{}: {error}", header.display())))?;
        bindings.write_to_file(to).map_err(Error::file(to))
    }

    /// RMM's headers precede the toolkit's: they contain the CCCL that RMM was built with.
    fn command_line(compiler: &str, rmm: &Rmm, cuda: &Toolkit) -> Vec<String> {
        let options =
            [compiler, "-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"];
        let mut argv = options.map(String::from).to_vec();
        argv.push("-DLIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE".to_owned());
        for folder in rmm.include.iter().chain(&cuda.include) {
            argv.extend(["-isystem".to_owned(), folder.display().to_string()]);
        }
        argv
    }

    /// The library finds RMM in its own folder, otherwise where the build found it, and exports only its C
    /// functions.
    fn link_options(linker: &mut Command, rmm: &Rmm, cuda: &Toolkit, script: &Path) {
        linker.args(&rmm.libraries).arg(cuda.lib.join("libcudart_static.a"));
        linker.args(["-ldl", "-lrt", "-lpthread", "-Wl,-z,defs", "-Wl,--exclude-libs,ALL"]);
        linker.arg(format!("-Wl,--version-script={}", script.display())).arg("-Wl,-rpath,$ORIGIN");
        for folder in rmm.libraries.iter().filter_map(|path| path.parent()) {
            linker.arg(format!("-Wl,-rpath,{}", folder.display()));
        }
    }

    /// The standard output of a command.
    fn output(command: &mut Command) -> Result<String, Error> {
        let program = command.get_program().to_owned();
        let output = command.output().map_err(Error::file(Path::new(&program)))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Error::Tool { command: format!("{command:?}"), output: text })
    }
}
