//! Launchers of `measure.cu`.

use super::Measure;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::strings::literal::{self, Literal};
use crate::strings::predicate::cuda::search;
use crate::strings::regex::{Automaton, SearchArgs};
use crate::{Result, StringsView, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `measure`.
    pub struct MeasureArgs {
        pub input: ColumnDesc,
        /// What is searched for.
        pub part: [u64; 8],
        pub part_far: *const u8,
        pub part_bytes: i64,
        /// 0: characters, 1: bytes, 2: the position of `part`, 3: its last position, 4: how often it occurs.
        pub kind: i32,
        pub alloc: Alloc,
    }
    entry measure(MeasureArgs);
    entry count_matches(SearchArgs);
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
    let part = Literal::new(part.as_bytes(), exec)?;
    let far = part.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = MeasureArgs {
        input: guard.desc(),
        part: part.words,
        part_far: literal::address(far.as_ref()),
        part_bytes: part.bytes,
        kind,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the searched bytes readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}

pub(super) fn count_matches(automaton: &Automaton, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    search(automaton, input, entries::count_matches(exec.device())?, exec)
}
