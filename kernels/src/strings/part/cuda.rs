//! Launchers of `part.cu`.

use super::Part;
use crate::abi::{Alloc, ColumnDesc, Entry};
use crate::launch::Launch;
use crate::strings::fault::Rows;
use crate::strings::literal::{self, Literal};
use crate::strings::regex::{AutomatonTable, Matcher, Pattern, not_on_devices};
use crate::strings::split::cuda::{Separator, limit_of};
use crate::{ColumnData, Error, Result, StringData, StringsView, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `part`.
    pub struct PartArgs {
        pub input: ColumnDesc,
        /// A `Kind`.
        pub kind: i32,
        /// A `Separator`.
        pub separator: i32,
        /// Of a character or a field; from the end if it is negative. Of a partition 0 to 2.
        pub position: i64,
        /// Separators that are used at most.
        pub limit: i64,
        /// The separator, if it is a literal.
        pub literal: [u64; 8],
        pub literal_far: *const u8,
        pub literal_bytes: i64,
        /// Host memory for the bytes of the parts, the bits of what is wrong with the strings, and whether a row has no part.
        pub counts: *mut i64,
        /// Whether separators are searched for from the end.
        pub from_end: i32,
        pub alloc: Alloc,
    }
    /// Arguments of `part_regex`.
    pub struct PartRegexArgs {
        pub input: ColumnDesc,
        /// Of ends of matches, and of where they begin.
        pub ends: AutomatonTable,
        pub starts: AutomatonTable,
        /// As of `PartArgs`.
        pub counts: *mut i64,
        pub alloc: Alloc,
    }
    entry part(PartArgs);
    entry part_regex(PartRegexArgs);
}

/// `Kind` of `part.cu`.
#[derive(Clone, Copy)]
enum Kind {
    Character,
    Field,
    Partition,
}

pub(super) fn part(
    part: &Part<'_>,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let (kind, separator, position, limit, from_end) = match *part {
        Part::Character(position) => (Kind::Character, None, position, None, false),
        Part::Between { separator, position, limit, from_end } => {
            (Kind::Field, separator, position, limit, from_end)
        }
        Part::Partition { separator, field, from_end } => {
            (Kind::Partition, Some(separator), field as i64, None, from_end)
        }
        Part::Group(pattern, 0) => return matched(pattern, input, validity, exec),
        Part::Group(..) => {
            return Err(Error::NotImplemented { feature: "str.extract of a group on this device" });
        }
    };
    let literal = Literal::new(separator.unwrap_or_default().as_bytes(), exec)?;
    let far = literal.read(exec)?;
    run(input, validity, exec, entries::part(exec.device())?, |input, counts, alloc| PartArgs {
        input,
        kind: kind as i32,
        separator: Separator::of(separator) as i32,
        position,
        limit: limit_of(limit),
        literal: literal.words,
        literal_far: literal::address(far.as_ref()),
        literal_bytes: literal.bytes,
        counts,
        from_end: i32::from(from_end),
        alloc,
    })
}

/// The first match of a pattern.
fn matched(
    pattern: &Pattern,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let matcher = Matcher::new(pattern, not_on_devices!("extract"), exec)?;
    let matcher = matcher.read(exec)?;
    run(input, validity, exec, entries::part_regex(exec.device())?, |input, counts, alloc| PartRegexArgs {
        input,
        ends: matcher.ends,
        starts: matcher.starts,
        counts,
        alloc,
    })
}

/// Calls an entry with what `args` makes of the column, the memory for the counts and the allocator. `validity` is the mask
/// of the result if no row is without a part.
fn run<A>(
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
    entry: Entry<A>,
    args: impl FnOnce(ColumnDesc, *mut i64, Alloc) -> A,
) -> Result<StringData> {
    let view = View::String(*input);
    let guard = view.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut counts = [0_i64; 3];
    let args = args(guard.desc(), counts.as_mut_ptr(), launch.alloc());
    // SAFETY: the guards keep the column, the separator and the automata readable, `counts` outlives the call, and the launch
    // owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let [bytes, faults, is_missing] = counts;
    Rows::Utf8Of32Bits.check_faults(faults)?;
    match launch.column(&view, input.len, bytes as usize)? {
        ColumnData::String(strings) if is_missing == 0 => Ok(StringData { validity, ..strings }),
        ColumnData::String(strings) => Ok(strings),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "parts of strings are strings" }),
    }
}
