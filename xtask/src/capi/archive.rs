//! The static library: one object, whose global symbols are those of the headers.
//!
//! The archive that cargo makes has the symbols of everything that is linked into it, such as those of zstd, and a program
//! with a zstd of its own could not be linked with it.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What every function of the interface begins with.
const PREFIX: &str = "columnade_";

/// Bitcode of Rust's standard library, which belongs to objects that are no more.
const DROPPED: [&str; 2] = [".llvmbc", ".llvmcmd"];

/// Makes the archive `to` of the archive `from`, with the symbols of `headers` alone.
pub(super) fn make(from: &Path, to: &Path, headers: &[String]) -> Result<(), String> {
    let functions = functions(headers);
    let object = to.with_extension("o");
    let names = to.with_extension("symbols");
    let failed = |error| format!("{}: {error}", to.display());
    fs::write(&names, functions.join("\n")).map_err(failed)?;
    let mut link = Command::new("ld");
    // Groups of C++ would be dropped where the program has a group of the same name, although their symbols differ then.
    link.args(["-r", "--gc-sections", "--force-group-allocation"]);
    link.args(functions.iter().flat_map(|function| ["-u", function.as_str()]));
    let linked = run(link.arg("-o").arg(&object).arg(from));
    let hidden = linked.and_then(|()| {
        let mut hide = Command::new("objcopy");
        hide.args(DROPPED.map(|section| format!("--remove-section={section}")));
        let keep = [OsStr::new("--keep-global-symbols"), names.as_os_str()].join(OsStr::new("="));
        run(hide.arg(keep).arg(&object))
    });
    let archived = hidden.and_then(|()| {
        super::remove(to).map_err(failed)?;
        run(Command::new("ar").arg("rcs").arg(to).arg(&object))
    });
    for left in [&object, &names] {
        super::remove(left).map_err(failed)?;
    }
    archived
}

/// The functions that headers declare, each at the start of a line.
fn functions(headers: &[String]) -> Vec<String> {
    let lines = headers.iter().flat_map(|header| header.lines());
    let declarations = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let names = declarations.filter_map(|line| {
        let (start, _) = line.split_once('(')?;
        let name = start.rsplit([' ', '*']).next()?;
        name.starts_with(PREFIX).then(|| name.to_owned())
    });
    names.collect()
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        format!("cannot run {program}, which the static library needs (GNU binutils): {error}")
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_that_headers_declare() {
        let header = "/* columnade_no(1) */\nint columnade_a(int x,\n    int y);\nconst char* columnade_b2(void);\n  x";
        assert_eq!(functions(&[header.to_owned()]), ["columnade_a", "columnade_b2"]);
    }
}
