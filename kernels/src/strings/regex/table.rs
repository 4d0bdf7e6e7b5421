//! Automata in the memory of devices.

use super::{Automaton, Pattern, Unsupported};
use crate::abi::{Alloc, ColumnDesc, Entry};
use crate::launch::Launch;
use crate::strings::fault;
use crate::{Error, Result, StringsView, View};
use columnade_buffers::{Buffer, Exec, ReadGuard};

/// An automaton in memory of the device; `AutomatonTable` of `automaton.cuh`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct AutomatonTable {
    words: *const u16,
    count: i64,
    stride: i32,
}

impl Automaton {
    /// As arguments of an entry; `words` are a copy of its words.
    fn table(&self, words: &ReadGuard<'_>) -> AutomatonTable {
        AutomatonTable {
            words: words.as_ptr().cast(),
            count: self.words().len() as i64,
            stride: self.stride(),
        }
    }
}

/// Calls an entry with what `args` makes of the column, the automaton, the memory for what is wrong with the strings and the
/// allocator, and returns its output.
///
/// # Errors
/// Rows that are not UTF-8; when memory cannot be had.
pub(in crate::strings) fn search<A>(
    automaton: &Automaton,
    input: &StringsView<'_>,
    exec: &Exec,
    entry: Entry<A>,
    args: impl FnOnce(ColumnDesc, AutomatonTable, *mut i64, Alloc) -> A,
) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let words = Buffer::from_slice(automaton.words(), exec)?;
    let words = words.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut faults = 0;
    let args = args(guard.desc(), automaton.table(&words), &raw mut faults, launch.alloc());
    // SAFETY: the guards keep the column and the automaton readable, `faults` outlives the call, and the launch owns the
    // output.
    unsafe { launch.run(entry, &args)? };
    fault::check_utf8(faults)?;
    launch.output(0)
}

/// The two automata of a pattern: where leftmost matches end, and where those begin.
pub(in crate::strings) struct Matcher<'a> {
    automata: [&'a Automaton; 2],
    words: [Buffer; 2],
}

/// [`Matcher`] as arguments of an entry.
pub(in crate::strings) struct MatcherGuard<'a> {
    pub(in crate::strings) ends: AutomatonTable,
    pub(in crate::strings) starts: AutomatonTable,
    _words: [ReadGuard<'a>; 2],
}

impl<'a> Matcher<'a> {
    /// Copies the automata to the device.
    ///
    /// # Errors
    /// That of `unsupported` for a pattern that has none; when memory cannot be had.
    pub(in crate::strings) fn new(
        pattern: &'a Pattern,
        unsupported: impl Fn(Unsupported) -> Error,
        exec: &Exec,
    ) -> Result<Self> {
        let automata = [pattern.ends().map_err(&unsupported)?, pattern.starts().map_err(&unsupported)?];
        let [ends, starts] = automata.map(|automaton| Buffer::from_slice(automaton.words(), exec));
        Ok(Self { automata, words: [ends?, starts?] })
    }

    /// Keeps them readable.
    pub(in crate::strings) fn read<'b>(&'b self, exec: &'b Exec) -> Result<MatcherGuard<'b>> {
        let [ends, starts] = &self.words;
        let words = [ends.read(exec)?, starts.read(exec)?];
        let ([of_ends, of_starts], [ends, starts]) = (self.automata, &words);
        Ok(MatcherGuard { ends: of_ends.table(ends), starts: of_starts.table(starts), _words: words })
    }
}
