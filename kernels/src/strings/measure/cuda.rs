//! Launchers of `measure.cu`.

use super::Measure;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::strings::fault::NOT_UTF8;
use crate::strings::regex::Automaton;
use crate::{Error, Result, StringsView, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `measure`.
    pub struct MeasureArgs {
        pub input: ColumnDesc,
        /// What is searched for.
        pub part: *const u8,
        pub part_bytes: i64,
        /// 0: characters, 1: bytes, 2: the position of `part`, 3: its last position, 4: how often it occurs.
        pub kind: i32,
        pub alloc: Alloc,
    }
    /// Arguments of `count_matches`.
    pub struct CountMatchesArgs {
        pub input: ColumnDesc,
        /// An `Automaton` that finds ends of matches.
        pub automaton: *const u16,
        pub automaton_words: i64,
        pub stride: i32,
        /// Host memory for the bits of what is wrong with the strings.
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    entry measure(MeasureArgs);
    entry count_matches(CountMatchesArgs);
}

pub(super) fn measure(measure: &Measure, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::measure(exec.device())?;
    let guard = View::String(*input).read(exec)?;
    let (kind, part) = match measure {
        Measure::Characters => (0, ""),
        Measure::Bytes => (1, ""),
        Measure::Find(part) => (2, &**part),
        Measure::RFind(part) => (3, &**part),
        Measure::Count(part) => (4, &**part),
    };
    let buffer = Buffer::from_slice(part.as_bytes(), exec)?;
    let part_guard = buffer.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = MeasureArgs {
        input: guard.desc(),
        part: part_guard.as_ptr(),
        part_bytes: part.len() as i64,
        kind,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the searched bytes readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}

pub(super) fn count_matches(automaton: &Automaton, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::count_matches(exec.device())?;
    let guard = View::String(*input).read(exec)?;
    let words = Buffer::from_slice(automaton.words(), exec)?;
    let words_guard = words.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut faults = 0;
    let args = CountMatchesArgs {
        input: guard.desc(),
        automaton: words_guard.as_ptr().cast(),
        automaton_words: automaton.words().len() as i64,
        stride: automaton.stride(),
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the automaton readable, `faults` outlives the call, and the launch owns the
    // output.
    unsafe { launch.run(entry, &args)? };
    if faults & NOT_UTF8 != 0 {
        return Err(Error::InvalidArgument { name: "strings", reason: "a row is not UTF-8" });
    }
    launch.output(0)
}
