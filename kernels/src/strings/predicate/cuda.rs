//! Launchers of `predicate.cu`.

use super::Characters;
use super::tables::{DECIMAL, LETTER, LOWERCASE, NUMERIC, TABLES, UPPERCASE};
use crate::abi::{Alloc, ColumnDesc, Entry};
use crate::launch::Launch;
use crate::strings::fault::{NEEDS_TABLES, Rows};
use crate::strings::literal;
use crate::strings::regex::{Automaton, SearchArgs};
use crate::{Error, Result, StringsView, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `test_strings`.
    pub struct TestArgs {
        pub input: ColumnDesc,
        /// A `Kind`.
        pub kind: i32,
        /// Properties, of `tables.rs`.
        pub wanted: u32,
        /// The properties of characters beyond ASCII; null: strings that have any are a fault.
        pub tables: *const u8,
        /// Host memory for the bits of what is wrong with the strings.
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    entry test_strings(TestArgs);
    entry contains_regex(SearchArgs);
}

/// `Kind` of `predicate.cu`.
#[derive(Clone, Copy)]
enum Kind {
    Each,
    Space,
    Case,
    Title,
    Ascii,
}

pub(super) fn test(characters: Characters, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    if let Some(bits) = run(characters, input, None, exec)? {
        return Ok(bits);
    }
    let tables = Buffer::from_slice(&TABLES, exec)?;
    let bits = run(characters, input, Some(&tables), exec)?;
    bits.ok_or(Error::Internal { invariant: "the tables have every character" })
}

/// `None` if there are other characters than ASCII, whose properties `tables` has.
fn run(
    characters: Characters,
    input: &StringsView<'_>,
    tables: Option<&Buffer>,
    exec: &Exec,
) -> Result<Option<Buffer>> {
    let (kind, wanted) = match characters {
        Characters::Alpha => (Kind::Each, LETTER),
        Characters::Numeric => (Kind::Each, NUMERIC),
        Characters::Decimal => (Kind::Each, DECIMAL),
        Characters::Alnum => (Kind::Each, LETTER | NUMERIC),
        Characters::Space => (Kind::Space, 0),
        Characters::Lower => (Kind::Case, LOWERCASE),
        Characters::Upper => (Kind::Case, UPPERCASE),
        Characters::Title => (Kind::Title, 0),
        Characters::Ascii => (Kind::Ascii, 0),
    };
    let entry = entries::test_strings(exec.device())?;
    let guard = View::String(*input).read(exec)?;
    let tables = tables.map(|tables| tables.read(exec)).transpose()?;
    let mut launch = Launch::new(exec);
    let mut faults = 0;
    let args = TestArgs {
        input: guard.desc(),
        kind: kind as i32,
        wanted: u32::from(wanted),
        tables: literal::address(tables.as_ref()),
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the tables readable, `faults` outlives the call, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Rows::Utf8.check_faults(faults)?;
    if faults & NEEDS_TABLES != 0 {
        return Ok(None);
    }
    Ok(Some(launch.output(0)?.slice(0, input.len.div_ceil(8))))
}

/// The output of an entry that searches each row.
///
/// # Errors
/// Rows that are not UTF-8; when memory cannot be had.
pub(in crate::strings) fn search(
    automaton: &Automaton,
    input: &StringsView<'_>,
    entry: Entry<SearchArgs>,
    exec: &Exec,
) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let words = Buffer::from_slice(automaton.words(), exec)?;
    let words = words.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut faults = 0;
    let args = SearchArgs {
        input: guard.desc(),
        automaton: automaton.table(&words),
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the automaton readable, `faults` outlives the call, and the launch owns the
    // output.
    unsafe { launch.run(entry, &args)? };
    Rows::Utf8.check_faults(faults)?;
    launch.output(0)
}

pub(super) fn contains(automaton: &Automaton, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let bits = search(automaton, input, entries::contains_regex(exec.device())?, exec)?;
    Ok(bits.slice(0, input.len.div_ceil(8)))
}
