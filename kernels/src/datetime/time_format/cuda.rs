//! Launcher of `time_format.cu`.

use super::{Parsed, TimeFormat};
use crate::abi::{Alloc, ColumnDesc};
use crate::datetime::extract::TimeUnit;
use crate::launch::Launch;
use crate::strings::convert::cuda::{parsed, written};
use crate::strings::fault::NOT_A_DATE;
use crate::strings::literal::{self, Literal};
use crate::{Error, Fixed, Result, Storage, StringData, StringsView, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `format_times`.
    pub struct FormatTimesArgs {
        pub input: ColumnDesc,
        /// The seconds from UTC of each row; without data: none.
        pub offsets: ColumnDesc,
        /// Units a second; 0: days.
        pub per_second: i64,
        /// `TimeFormat::program`.
        pub program: [u64; 8],
        pub program_far: *const u8,
        pub program_bytes: i64,
        /// Host memory for the bytes of the strings, and for the bits of what is wrong with them.
        pub string_bytes: *mut i64,
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    /// Arguments of `parse_times`. Output 0 are the times, output 1 is the mask.
    pub struct ParseTimesArgs {
        pub input: ColumnDesc,
        /// As of `FormatTimesArgs`.
        pub per_second: i64,
        pub program: [u64; 8],
        pub program_far: *const u8,
        pub program_bytes: i64,
        /// Host memory for the first row that does not match, above the byte that is wrong; negative: none.
        pub failed: *mut i64,
        pub alloc: Alloc,
    }
    entry format_times(FormatTimesArgs);
    entry parse_times(ParseTimesArgs);
}

pub(super) fn format(
    format: &TimeFormat,
    local: &Fixed<'_>,
    offsets: Option<&Fixed<'_>>,
    unit: TimeUnit,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let entry = entries::format_times(exec.device())?;
    let views: Vec<View<'_>> = std::iter::once(local).chain(offsets).map(|view| View::Fixed(*view)).collect();
    let guards = crate::access(&views, exec)?;
    let literal = Literal::new(&format.program(), exec)?;
    let program = literal.read(exec)?;
    let mut launch = Launch::new(exec);
    let (mut string_bytes, mut faults) = (0, 0);
    let args = FormatTimesArgs {
        input: guards[0].desc(),
        offsets: guards.get(1).map_or(ColumnDesc::absent(Storage::I64), crate::view::ViewGuard::desc),
        per_second: unit.per_second(),
        program: literal.words,
        program_far: literal::address(program.as_ref()),
        program_bytes: literal.bytes,
        string_bytes: &raw mut string_bytes,
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the columns and the program readable, `string_bytes` and `faults` outlive the call, and the
    // launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    if faults & NOT_A_DATE != 0 {
        return Err(Error::Overflow { storage: Storage::I32 });
    }
    written(&mut launch, local.len, string_bytes, faults, validity, exec)
}

pub(super) fn parse(
    format: &TimeFormat,
    input: &StringsView<'_>,
    unit: TimeUnit,
    exec: &Exec,
) -> Result<Parsed> {
    let entry = entries::parse_times(exec.device())?;
    let guard = View::String(*input).read(exec)?;
    let literal = Literal::new(&format.read_program(), exec)?;
    let program = literal.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut failed = -1;
    let args = ParseTimesArgs {
        input: guard.desc(),
        per_second: unit.per_second(),
        program: literal.words,
        program_far: literal::address(program.as_ref()),
        program_bytes: literal.bytes,
        failed: &raw mut failed,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the program readable, `failed` outlives the call, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let (times, unmatched) = parsed(&mut launch, input, unit.storage(), failed)?;
    Ok(Parsed { times, unmatched })
}
