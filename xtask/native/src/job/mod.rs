//! A small make: one object a source, header dependencies, several compilers at a time.
//!
//! Beside each object lie `<object>.d`, which the compiler writes (`-MD -MF`), `<object>.key`, a hash of the command
//! line, and `<object>.ptxas`, what ptxas says of the kernels' registers. An object is fresh when its key matches and nothing it was made from is newer.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime};

use crate::Error;

#[cfg(test)]
mod tests;

/// One source to compile to one object.
#[derive(Clone, Debug)]
pub struct Job {
    /// The source file.
    pub source: PathBuf,
    /// The object file; its folder is made when missing.
    pub object: PathBuf,
    /// The compiler and its options. [`compile`] appends `-MD -MF <dependencies> -c <source> -o <object>`.
    pub argv: Vec<String>,
}

impl Job {
    fn beside(&self, extension: &str) -> PathBuf {
        self.object.with_extension(extension)
    }

    fn key(&self) -> String {
        let mut hasher = DefaultHasher::new();
        (&self.argv, &self.source, &self.object).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// What the object was made from, as the compiler wrote it down; `None` before the first compilation.
    fn dependencies(&self) -> Option<Vec<PathBuf>> {
        parse_dependencies(&fs::read_to_string(self.beside("d")).ok()?)
    }

    fn is_fresh(&self) -> bool {
        let Some(made) = modified(&self.object) else { return false };
        fs::read_to_string(self.beside("key")).is_ok_and(|key| key == self.key())
            && self.dependencies().is_some_and(|paths| {
                paths.iter().all(|path| modified(path).is_some_and(|changed| changed <= made))
            })
    }

    /// Runs the compiler; `Err` holds its command line and what it printed.
    fn run(&self) -> Result<(), Error> {
        let key = self.beside("key");
        let _ = fs::remove_file(&key);
        if let Some(dir) = self.object.parent() {
            fs::create_dir_all(dir).map_err(Error::file(dir))?;
        }
        let [program, options @ ..] = self.argv.as_slice() else {
            return Err(Error::MissingProgram { program: String::new() });
        };
        let mut command = Command::new(program);
        command.args(options).args(["-MD", "-MF"]).arg(self.beside("d"));
        command.arg("-c").arg(&self.source).arg("-o").arg(&self.object);
        let output = run(&mut command)?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        if !output.status.success() {
            let command = self.argv.join(" ");
            return Err(Error::Compile(vec![format!("{}: {command}\n{said}", self.source.display())]));
        }
        let (resources, warnings): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| is_of_ptxas(line));
        let path = self.beside("ptxas");
        fs::write(&path, resources.join("\n")).map_err(Error::file(&path))?;
        for line in warnings {
            println!("cargo::warning={line}");
        }
        fs::write(&key, self.key()).map_err(Error::file(&key))
    }
}

/// Whether a line is one of those that `-Xptxas -v` adds.
fn is_of_ptxas(line: &str) -> bool {
    line.starts_with("ptxas info") || line.contains("bytes stack frame")
}

/// Runs a command to its end; a missing program is told apart from other failures.
pub(crate) fn run(command: &mut Command) -> Result<std::process::Output, Error> {
    command.output().map_err(|source| {
        let program = Path::new(command.get_program());
        if source.kind() == ErrorKind::NotFound {
            Error::MissingProgram { program: program.display().to_string() }
        } else {
            Error::File { path: program.to_path_buf(), source }
        }
    })
}

pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The prerequisites of a make rule `target: a b \`, with `\ ` for a blank inside a name.
fn parse_dependencies(rule: &str) -> Option<Vec<PathBuf>> {
    let (_, prerequisites) = rule.split_once(": ")?;
    let joined = prerequisites.replace("\\\n", " ").replace("\\ ", "\0");
    Some(joined.split_whitespace().map(|name| PathBuf::from(name.replace('\0', " "))).collect())
}

/// Compiles every job that is out of date and returns all objects, in the order of `jobs`.
///
/// As many compilers run at a time as cargo allows (`NUM_JOBS`). Every dependency below `watched` is named to
/// cargo, so the build script runs again exactly when one of them changes. Build scripts of two profiles may
/// share a folder of objects: a lock file there keeps them apart.
///
/// # Errors
/// All failures of all sources together, or the missing compiler.
pub fn compile(jobs: &[Job], watched: &Path) -> Result<Vec<PathBuf>, Error> {
    let _locks = lock_folders(jobs)?;
    let workers = std::env::var("NUM_JOBS").ok().and_then(|count| count.parse().ok()).unwrap_or(2_usize);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers.min(jobs.len()) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if job.is_fresh() {
                        continue;
                    }
                    let start = Instant::now();
                    if let Err(error) = job.run() {
                        failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(error);
                    }
                    eprintln!("{:.2} s {}", start.elapsed().as_secs_f64(), job.source.display());
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Watched even after a failure, or cargo would not notice that the source was mended.
    watch(jobs, watched);
    merge(failures)?;
    Ok(jobs.iter().map(|job| job.object.clone()).collect())
}

fn lock_folders(jobs: &[Job]) -> Result<Vec<fs::File>, Error> {
    let folders: BTreeSet<_> = jobs.iter().filter_map(|job| job.object.parent()).collect();
    let lock = |folder: &Path| {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
        let path = folder.join(".lock");
        let file = fs::File::create(&path).map_err(Error::file(&path))?;
        file.lock().map_err(Error::file(&path))?;
        Ok(file)
    };
    folders.into_iter().map(lock).collect()
}

fn watch(jobs: &[Job], watched: &Path) {
    let mut paths: BTreeSet<PathBuf> = jobs.iter().map(|job| job.source.clone()).collect();
    paths
        .extend(jobs.iter().filter_map(Job::dependencies).flatten().filter(|path| path.starts_with(watched)));
    for path in paths {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// One error out of many: every compiler message, unless something other than a source is at fault.
fn merge(failures: Vec<Error>) -> Result<(), Error> {
    let mut texts = Vec::new();
    for failure in failures {
        match failure {
            Error::Compile(text) => texts.extend(text),
            other => return Err(other),
        }
    }
    if texts.is_empty() { Ok(()) } else { Err(Error::Compile(texts)) }
}
