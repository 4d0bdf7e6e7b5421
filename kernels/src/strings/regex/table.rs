//! Automata in the memory of devices.

use super::{Automaton, Pattern, Unsupported};
use crate::abi::{Alloc, ColumnDesc};
use crate::{Error, Result};
use columnade_buffers::{Buffer, Exec, ReadGuard};

abi! {
    /// An automaton in memory of the device.
    pub struct AutomatonTable {
        pub words: *const u16,
        pub count: i64,
        pub stride: i32,
    }
    /// Arguments of an entry that searches each row.
    pub struct SearchArgs {
        pub input: ColumnDesc,
        /// Of ends of matches.
        pub automaton: AutomatonTable,
        /// Host memory for the bits of what is wrong with the strings.
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
}

impl Automaton {
    /// As arguments of an entry; `words` are a copy of its words.
    pub(in crate::strings) fn table(&self, words: &ReadGuard<'_>) -> AutomatonTable {
        AutomatonTable {
            words: words.as_ptr().cast(),
            count: self.words().len() as i64,
            stride: self.stride(),
        }
    }
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
