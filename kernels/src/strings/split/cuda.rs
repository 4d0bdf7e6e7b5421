//! Launchers of `split.cu`.

use super::{Lists, Split};
use crate::abi::{Alloc, ColumnDesc, Entry};
use crate::launch::Launch;
use crate::strings::fault::Rows;
use crate::strings::literal::{self, Literal};
use crate::strings::regex::{AutomatonTable, Matcher, Pattern, Unsupported, not_on_devices};
use crate::{Error, OffsetWidth, Result, StringData, StringsView, View};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `split`.
    pub struct SplitArgs {
        pub input: ColumnDesc,
        /// A `Separator`.
        pub separator: i32,
        /// Whether separators are searched for from the end.
        pub from_end: i32,
        /// Separators that are used at most.
        pub limit: i64,
        /// The separator, if it is a literal.
        pub literal: [u64; 8],
        pub literal_far: *const u8,
        pub literal_bytes: i64,
        /// Host memory for the number of parts, their bytes, the bits of what is wrong with the strings, and whether offsets
        /// have 64 bits.
        pub counts: *mut i64,
        pub alloc: Alloc,
    }
    /// Arguments of `split_regex`.
    pub struct SplitRegexArgs {
        pub input: ColumnDesc,
        /// Of ends of matches, and of where they begin.
        pub ends: AutomatonTable,
        pub starts: AutomatonTable,
        /// Matches that are used at most.
        pub limit: i64,
        /// Whether the parts are between the matches; else they are the matches.
        pub between: i32,
        /// As of `SplitArgs`.
        pub counts: *mut i64,
        pub alloc: Alloc,
    }
    entry split(SplitArgs);
    entry split_regex(SplitRegexArgs);
}

/// `Separator` of `fields.cuh`.
#[derive(Clone, Copy)]
pub(in crate::strings) enum Separator {
    Literal,
    Empty,
    WhiteSpace,
}

impl Separator {
    pub(in crate::strings) fn of(separator: Option<&str>) -> Self {
        match separator {
            None => Separator::WhiteSpace,
            Some("") => Separator::Empty,
            Some(_) => Separator::Literal,
        }
    }
}

/// No string has so many separators.
pub(in crate::strings) fn limit_of(limit: Option<usize>) -> i64 {
    limit.and_then(|limit| i64::try_from(limit).ok()).unwrap_or(i64::MAX)
}

pub(super) fn split(split: &Split<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<Lists> {
    match split {
        Split::Literal { separator, limit, from_end } => {
            separated(*separator, *limit, *from_end, input, exec)
        }
        Split::Regex(pattern, limit) => {
            matched(pattern, *limit, true, input, exec, &not_on_devices!("split_regex"))
        }
        Split::Matches(pattern, 0) => {
            matched(pattern, None, false, input, exec, &not_on_devices!("extract_all"))
        }
        Split::Matches(..) => {
            Err(Error::NotImplemented { feature: "str.extract_all of a group on this device" })
        }
    }
}

fn separated(
    separator: Option<&str>,
    limit: Option<usize>,
    from_end: bool,
    input: &StringsView<'_>,
    exec: &Exec,
) -> Result<Lists> {
    let literal = Literal::new(separator.unwrap_or_default().as_bytes(), exec)?;
    let far = literal.read(exec)?;
    let entry = entries::split(exec.device())?;
    run(input, exec, entry, |input, counts, alloc| SplitArgs {
        input,
        separator: Separator::of(separator) as i32,
        from_end: i32::from(from_end),
        limit: limit_of(limit),
        literal: literal.words,
        literal_far: literal::address(far.as_ref()),
        literal_bytes: literal.bytes,
        counts,
        alloc,
    })
}

fn matched(
    pattern: &Pattern,
    limit: Option<usize>,
    between: bool,
    input: &StringsView<'_>,
    exec: &Exec,
    unsupported: &dyn Fn(Unsupported) -> Error,
) -> Result<Lists> {
    let matcher = Matcher::new(pattern, unsupported, exec)?;
    let matcher = matcher.read(exec)?;
    let entry = entries::split_regex(exec.device())?;
    run(input, exec, entry, |input, counts, alloc| SplitRegexArgs {
        input,
        ends: matcher.ends,
        starts: matcher.starts,
        limit: limit_of(limit),
        between: i32::from(between),
        counts,
        alloc,
    })
}

/// Calls an entry with what `args` makes of the column, the memory for the counts and the allocator.
fn run<A>(
    input: &StringsView<'_>,
    exec: &Exec,
    entry: Entry<A>,
    args: impl FnOnce(ColumnDesc, *mut i64, Alloc) -> A,
) -> Result<Lists> {
    let guard = View::String(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let mut counts = [0_i64; 4];
    let args = args(guard.desc(), counts.as_mut_ptr(), launch.alloc());
    // SAFETY: the guards keep the column, the separator and the automata readable, `counts` outlives the call, and the launch
    // owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let [parts, _, faults, is_wide] = counts;
    Rows::Utf8Of32Bits.check_faults(faults)?;
    let offset_width = if is_wide == 0 { OffsetWidth::I32 } else { OffsetWidth::I64 };
    let parts = StringData {
        len: parts as usize,
        offsets: launch.output(OFFSETS)?,
        offset_width,
        chars: launch.output(CHARS)?,
        validity: None,
    };
    Ok(Lists { offsets: launch.output(ROWS)?, offset_width, parts })
}

/// Slots of `strings.cuh` and `split_strings.cuh`.
const CHARS: usize = 0;
const OFFSETS: usize = 2;
const ROWS: usize = 3;
