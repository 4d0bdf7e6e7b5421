//! Launchers of `transform.cu`.

use super::tables::TABLES;
use super::{Side, Transform};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::strings::fault::{NEEDS_TABLES, Rows, TOO_LARGE};
use crate::strings::literal::{self, Literal};
use crate::strings::regex::{AutomatonTable, Matcher, Pattern, not_on_devices};
use crate::{ColumnData, Error, Result, StringData, StringsView, View};
use columnade_buffers::{Buffer, Exec};
use regex_automata::util::interpolate;

policy! {
    /// Of rows that are parts of others (`composed_strings.cuh`).
    pub struct ComposePolicy {
        /// From this mean length on, they are written in words. A thread a row makes rows of up to 64 bytes in shared memory, the
        /// longer ones in global memory byte by byte.
        pub const LONG_BYTES: i64 = 48;
        /// Bytes of the rows of a block, about: some words for each thread pay for finding the rows.
        pub const BLOCK_BYTES: i64 = 16_384;
    }

    /// Of `join_strings`.
    pub struct JoinPolicy {
        /// The columns of one launch: their descriptors travel in its arguments, which are at most 4 KiB.
        pub const MOST_COLUMNS: usize = 64;
        /// The most whose long rows are written in words, each of which looks for its column.
        pub const COMPOSED_COLUMNS: i32 = 8;
    }
}

abi! {
    /// Arguments of `transform`.
    pub struct TransformArgs {
        pub input: ColumnDesc,
        /// A `Kind`.
        pub kind: i32,
        /// A `Side`: 0 left, 1 right, 2 both.
        pub side: i32,
        /// A width, a count, a limit or a first character.
        pub first: i64,
        /// Characters at most; negative: all.
        pub length: i64,
        /// Characters, what is added or replaced, or pairs of characters.
        pub literal: [u64; 8],
        pub literal_far: *const u8,
        pub literal_bytes: i64,
        /// What stands in place of `literal`.
        pub other: [u64; 8],
        pub other_far: *const u8,
        pub other_bytes: i64,
        /// The case of characters beyond ASCII; null: strings that have any are a fault.
        pub tables: *const u32,
        /// Host memory for the bytes of the strings, and for the bits of what is wrong with them.
        pub string_bytes: *mut i64,
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    /// Arguments of `join_strings`.
    pub struct JoinArgs {
        /// `count` columns of `rows` rows, in host memory.
        pub columns: *const ColumnDesc,
        pub count: i64,
        pub rows: i64,
        /// Whether a row is empty if one of its strings is null; else those are left out.
        pub propagates: i32,
        pub separator: [u64; 8],
        pub separator_far: *const u8,
        pub separator_bytes: i64,
        /// As of `TransformArgs`.
        pub string_bytes: *mut i64,
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    /// Arguments of `replace_regex`.
    pub struct ReplaceRegexArgs {
        pub input: ColumnDesc,
        /// Of ends of matches, and of where they begin.
        pub ends: AutomatonTable,
        pub starts: AutomatonTable,
        /// Matches that are replaced at most.
        pub limit: i64,
        /// What stands in place of a match, but for the match itself.
        pub literal: [u64; 8],
        pub literal_far: *const u8,
        pub literal_bytes: i64,
        /// Where in it the match stands, as `u32`, in order.
        pub positions: [u64; 8],
        pub positions_far: *const u8,
        pub positions_bytes: i64,
        /// As of `TransformArgs`.
        pub string_bytes: *mut i64,
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    entry transform(TransformArgs);
    entry join_strings(JoinArgs);
    entry replace_regex(ReplaceRegexArgs);
}

/// `Kind` of `transform.cu`.
#[derive(Clone, Copy)]
enum Kind {
    Lower,
    Upper,
    Capitalize,
    Title,
    SwapCase,
    Strip,
    StripCharacters,
    Pad,
    ZFill,
    Repeat,
    Reverse,
    Replace,
    SliceReplace,
    Translate,
    RemovePrefix,
    RemoveSuffix,
}

/// A transform as numbers.
struct Prepared {
    kind: Kind,
    side: Side,
    first: i64,
    length: i64,
    literal: Literal,
    other: Literal,
}

/// No string has so many characters.
fn clamped(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn words(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_ne_bytes).collect()
}

impl Prepared {
    fn new(transform: &Transform, exec: &Exec) -> Result<Self> {
        let (mut side, mut first, mut length) = (Side::Both, 0, -1);
        let (mut literal, mut other) = (Vec::new(), &[][..]);
        let kind = match transform {
            Transform::Lower => Kind::Lower,
            Transform::Upper => Kind::Upper,
            Transform::Capitalize => Kind::Capitalize,
            Transform::Title => Kind::Title,
            Transform::SwapCase => Kind::SwapCase,
            Transform::Strip(at, characters) => {
                side = *at;
                literal = words(characters.iter().flatten().map(|character| u32::from(*character)));
                if characters.is_some() { Kind::StripCharacters } else { Kind::Strip }
            }
            Transform::Pad { width, fill, side: at } => {
                (first, side) = (clamped(*width), *at);
                literal = fill.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
                Kind::Pad
            }
            Transform::ZFill(width) => {
                (first, literal) = (clamped(*width), b"0".to_vec());
                Kind::ZFill
            }
            Transform::Repeat(count) => {
                first = clamped(*count);
                Kind::Repeat
            }
            Transform::Reverse => Kind::Reverse,
            Transform::Replace { from, to, limit } => {
                (first, literal) = (limit.map_or(i64::MAX, clamped), from.as_bytes().to_vec());
                other = to.as_bytes();
                Kind::Replace
            }
            Transform::SliceReplace(range, with) => {
                (first, literal) = (range.offset, with.as_bytes().to_vec());
                length = range.length.map_or(-1, |length| i64::try_from(length).unwrap_or(-1));
                Kind::SliceReplace
            }
            Transform::Translate(map) => {
                let pair =
                    |&(from, to): &(char, Option<char>)| [u32::from(from), to.map_or(u32::MAX, u32::from)];
                literal = words(map.iter().flat_map(pair));
                Kind::Translate
            }
            Transform::RemovePrefix(part) => {
                literal = part.as_bytes().to_vec();
                Kind::RemovePrefix
            }
            Transform::RemoveSuffix(part) => {
                literal = part.as_bytes().to_vec();
                Kind::RemoveSuffix
            }
        };
        let (literal, other) = (Literal::new(&literal, exec)?, Literal::new(other, exec)?);
        Ok(Self { kind, side, first, length, literal, other })
    }
}

pub(super) fn transform(
    transform: &Transform,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let prepared = Prepared::new(transform, exec)?;
    let made = if let Some(made) = run(&prepared, input, None, exec)? {
        made
    } else {
        let tables = Buffer::from_slice(&TABLES, exec)?;
        let made = run(&prepared, input, Some(&tables), exec)?;
        made.ok_or(Error::Internal { invariant: "the tables have every character" })?
    };
    Ok(StringData { validity, ..made })
}

/// `None` if there are other characters than ASCII, whose case `tables` has.
fn run(
    prepared: &Prepared,
    input: &StringsView<'_>,
    tables: Option<&Buffer>,
    exec: &Exec,
) -> Result<Option<StringData>> {
    let entry = entries::transform(exec.device())?;
    let view = View::String(*input);
    let guard = view.read(exec)?;
    let tables = tables.map(|tables| tables.read(exec)).transpose()?;
    let (literal, other) = (prepared.literal.read(exec)?, prepared.other.read(exec)?);
    let mut launch = Launch::new(exec);
    let (mut string_bytes, mut faults) = (0, 0);
    let args = TransformArgs {
        input: guard.desc(),
        kind: prepared.kind as i32,
        side: prepared.side as i32,
        first: prepared.first,
        length: prepared.length,
        literal: prepared.literal.words,
        literal_far: literal::address(literal.as_ref()),
        literal_bytes: prepared.literal.bytes,
        other: prepared.other.words,
        other_far: literal::address(other.as_ref()),
        other_bytes: prepared.other.bytes,
        tables: literal::address(tables.as_ref()).cast(),
        string_bytes: &raw mut string_bytes,
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column, the literals and the tables readable, `string_bytes` and `faults` outlive the call,
    // and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    check(faults)?;
    if faults & NEEDS_TABLES != 0 {
        return Ok(None);
    }
    match launch.column(&view, input.len, string_bytes as usize)? {
        ColumnData::String(strings) => Ok(Some(strings)),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "strings are made of strings" }),
    }
}

/// A replacement without its whole matches, and where in it they stand.
fn without_matches(to: &str, pattern: &Pattern) -> Result<(String, Vec<u32>)> {
    let (mut literal, mut positions, mut has_groups) = (String::new(), Vec::new(), false);
    let append = |group: usize, literal: &mut String| {
        if group == 0 {
            positions.push(literal.len() as u32);
        } else if group <= pattern.groups() {
            has_groups = true;
        }
    };
    interpolate::string(to, append, |name| pattern.group_of(name), &mut literal);
    if has_groups {
        return Err(Error::NotImplemented { feature: "str.replace_regex with groups on this device" });
    }
    Ok((literal, positions))
}

pub(super) fn replace_regex(
    pattern: &Pattern,
    to: &str,
    limit: Option<usize>,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let (literal, positions) = without_matches(to, pattern)?;
    let matcher = Matcher::new(pattern, not_on_devices!("replace_regex"), exec)?;
    let matcher = matcher.read(exec)?;
    let entry = entries::replace_regex(exec.device())?;
    let literal = Literal::new(literal.as_bytes(), exec)?;
    let positions = Literal::new(&words(positions.into_iter()), exec)?;
    let (literal_guard, positions_guard) = (literal.read(exec)?, positions.read(exec)?);
    let view = View::String(*input);
    let guard = view.read(exec)?;
    let mut launch = Launch::new(exec);
    let (mut string_bytes, mut faults) = (0, 0);
    let args = ReplaceRegexArgs {
        input: guard.desc(),
        ends: matcher.ends,
        starts: matcher.starts,
        limit: limit.map_or(i64::MAX, clamped),
        literal: literal.words,
        literal_far: literal::address(literal_guard.as_ref()),
        literal_bytes: literal.bytes,
        positions: positions.words,
        positions_far: literal::address(positions_guard.as_ref()),
        positions_bytes: positions.bytes,
        string_bytes: &raw mut string_bytes,
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column, the automata and the literals readable, `string_bytes` and `faults` outlive the
    // call, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    check(faults)?;
    match launch.column(&view, input.len, string_bytes as usize)? {
        ColumnData::String(strings) => Ok(StringData { validity, ..strings }),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "strings are made of strings" }),
    }
}

/// The error of strings that are not UTF-8, or of a result that is too large.
fn check(faults: i64) -> Result<()> {
    Rows::Utf8.check_faults(faults)?;
    if faults & TOO_LARGE != 0 {
        let reason = "the result is larger than any memory";
        return Err(Error::InvalidArgument { name: "strings", reason });
    }
    Ok(())
}

pub(super) fn join(
    inputs: &[StringsView<'_>],
    separator: &str,
    propagates: bool,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    if inputs.len() > JoinPolicy::MOST_COLUMNS {
        return Err(Error::NotImplemented { feature: "str.concat of more than 64 columns on this device" });
    }
    let entry = entries::join_strings(exec.device())?;
    let views: Vec<View<'_>> = inputs.iter().map(|input| View::String(*input)).collect();
    let guards = views.iter().map(|view| view.read(exec)).collect::<Result<Vec<_>>>()?;
    let columns: Vec<ColumnDesc> = guards.iter().map(crate::view::ViewGuard::desc).collect();
    let literal = Literal::new(separator.as_bytes(), exec)?;
    let separator = literal.read(exec)?;
    let mut launch = Launch::new(exec);
    let (mut string_bytes, mut faults) = (0, 0);
    let rows = inputs.first().map_or(0, |input| input.len);
    let args = JoinArgs {
        columns: columns.as_ptr(),
        count: columns.len() as i64,
        rows: rows as i64,
        propagates: i32::from(propagates),
        separator: literal.words,
        separator_far: literal::address(separator.as_ref()),
        separator_bytes: literal.bytes,
        string_bytes: &raw mut string_bytes,
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the columns and the separator readable, `columns`, `string_bytes` and `faults` outlive the
    // call, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    check(faults)?;
    let like = views.first().ok_or(Error::Internal { invariant: "there are columns" })?;
    match launch.column(like, rows, string_bytes as usize)? {
        ColumnData::String(strings) => Ok(StringData { validity, ..strings }),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "strings are made of strings" }),
    }
}
