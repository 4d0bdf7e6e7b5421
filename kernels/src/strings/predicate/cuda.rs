//! Launchers of `predicate.cu`.

use super::Characters;
use super::tables::{ALPHABETIC, DECIMAL, LOWERCASE, NUMERIC, TABLES, UPPERCASE};
use crate::abi::{Alloc, ColumnDesc, Entry};
use crate::launch::Launch;
use crate::strings::fault::{NEEDS_TABLES, check_utf8};
use crate::strings::literal;
use crate::strings::regex::{Automaton, AutomatonTable};
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
    /// Arguments of `contains_regex`.
    pub struct ContainsArgs {
        pub input: ColumnDesc,
        pub automaton: AutomatonTable,
        /// As of `TestArgs`.
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    entry test_strings(TestArgs);
    entry contains_regex(ContainsArgs);
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
        Characters::Alpha => (Kind::Each, ALPHABETIC),
        Characters::Numeric => (Kind::Each, NUMERIC),
        Characters::Decimal => (Kind::Each, DECIMAL),
        Characters::Alnum => (Kind::Each, ALPHABETIC | NUMERIC),
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
    check_utf8(faults)?;
    if faults & NEEDS_TABLES != 0 {
        return Ok(None);
    }
    Ok(Some(launch.output(0)?.slice(0, input.len.div_ceil(8))))
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
    check_utf8(faults)?;
    launch.output(0)
}

pub(super) fn contains(automaton: &Automaton, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::contains_regex(exec.device())?;
    let bits = search(automaton, input, exec, entry, |input, automaton, faults, alloc| ContainsArgs {
        input,
        automaton,
        faults,
        alloc,
    })?;
    Ok(bits.slice(0, input.len.div_ceil(8)))
}
