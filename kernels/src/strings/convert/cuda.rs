//! Launcher of `convert.cu`.

use super::powers::POWERS;
use super::{Meaning, Parsed, ZonedTimes};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::strings::literal::{self, Literal};
use crate::tuning::ParsePolicy;
use crate::{
    ColumnData, Error, Fixed, FixedData, OffsetWidth, Result, Storage, StringData, StringsView, View,
};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `parse_text`. Output 0 are the values, output 1 is the mask.
    pub struct ParseTextArgs {
        pub input: ColumnDesc,
        /// A `Kind`.
        pub kind: i32,
        /// A `TimeKind`.
        pub time_kind: i32,
        /// Bytes of a value.
        pub width: i32,
        /// Digits after the point of a decimal.
        pub scale: i32,
        /// Digits of the unit of a time after the second.
        pub digits: i32,
        /// 10 to the power of `digits`.
        pub per_second: i64,
        /// The greatest magnitude of an integer or a decimal, the lowest word first.
        pub most: [u64; 2],
        /// That of a negative integer.
        pub least: u64,
        /// `POWERS`, in host memory.
        pub powers: *const u64,
        /// Host memory for the first row without a value, above the byte that is wrong; negative: none.
        pub failed: *mut i64,
        pub alloc: Alloc,
    }
    /// Arguments of `format_text`.
    pub struct FormatTextArgs {
        pub input: ColumnDesc,
        /// The seconds between local time and UTC of each row; without data: unknown.
        pub offsets: ColumnDesc,
        /// As of `ParseTextArgs`.
        pub kind: i32,
        pub time_kind: i32,
        pub scale: i32,
        pub digits: i32,
        pub per_second: i64,
        /// Whether UTC is shown as a Z.
        pub shows_z: i32,
        /// What follows times in UTC whose local time is not known.
        pub zone: [u64; 8],
        pub zone_far: *const u8,
        pub zone_bytes: i64,
        pub powers: *const u64,
        /// Host memory for the bytes of the strings, and for the bits of what is wrong with them.
        pub string_bytes: *mut i64,
        pub faults: *mut i64,
        pub alloc: Alloc,
    }
    entry parse_text(ParseTextArgs);
    entry format_text(FormatTextArgs);
}

/// `Kind` of `convert.cu`.
#[derive(Clone, Copy)]
enum Kind {
    Bool,
    Integer,
    Decimal,
    Count,
    Float,
}

/// `TimeKind` of `time_text.cuh`.
#[derive(Clone, Copy)]
enum TimeKind {
    Date,
    Time,
    Zoned,
    Duration,
    Clock,
}

/// A meaning as numbers.
struct Prepared {
    kind: Kind,
    time_kind: TimeKind,
    scale: i32,
    digits: u8,
    most: u128,
    least: u64,
}

impl Prepared {
    fn new(meaning: Meaning) -> Result<Self> {
        let mut prepared =
            Self { kind: Kind::Count, time_kind: TimeKind::Date, scale: 0, digits: 0, most: 0, least: 0 };
        let mut count = |kind, digits| (prepared.time_kind, prepared.digits) = (kind, digits);
        match meaning {
            Meaning::Bool => prepared.kind = Kind::Bool,
            Meaning::Integer(storage) => {
                let (most, least) = magnitudes(storage).ok_or(Error::UnsupportedStorage { storage })?;
                (prepared.kind, prepared.most, prepared.least) = (Kind::Integer, most.into(), least);
            }
            Meaning::Float(Storage::F32 | Storage::F64) => prepared.kind = Kind::Float,
            Meaning::Float(storage) => return Err(Error::UnsupportedStorage { storage }),
            Meaning::Decimal { storage, precision, scale } => {
                let fits = match storage {
                    Storage::I32 => i32::MAX.unsigned_abs().into(),
                    Storage::I64 => i64::MAX.unsigned_abs().into(),
                    Storage::I128 => i128::MAX.unsigned_abs(),
                    _ => return Err(Error::UnsupportedStorage { storage }),
                };
                prepared.most = (10_u128.pow(u32::from(precision).min(38)) - 1).min(fits);
                (prepared.kind, prepared.scale) = (Kind::Decimal, scale.into());
            }
            Meaning::Date => count(TimeKind::Date, 0),
            Meaning::Time { digits } => count(TimeKind::Time, digits),
            Meaning::Zoned { digits } => count(TimeKind::Zoned, digits),
            Meaning::Duration { digits } => count(TimeKind::Duration, digits),
            Meaning::Clock { digits } => count(TimeKind::Clock, digits),
        }
        Ok(prepared)
    }

    fn per_second(&self) -> i64 {
        10_i64.pow(self.digits.into())
    }
}

/// The greatest magnitudes above and below zero.
fn magnitudes(storage: Storage) -> Option<(u64, u64)> {
    let signed = |most: i64| Some((most.unsigned_abs(), most.unsigned_abs() + 1));
    match storage {
        Storage::I8 => signed(i8::MAX.into()),
        Storage::I16 => signed(i16::MAX.into()),
        Storage::I32 => signed(i32::MAX.into()),
        Storage::I64 => signed(i64::MAX),
        Storage::U8 => Some((u8::MAX.into(), 0)),
        Storage::U16 => Some((u16::MAX.into(), 0)),
        Storage::U32 => Some((u32::MAX.into(), 0)),
        Storage::U64 => Some((u64::MAX, 0)),
        Storage::Bit | Storage::I128 | Storage::F32 | Storage::F64 => None,
    }
}

/// The values of an entry that reads strings, and the row that failed, with the byte.
pub(crate) fn parsed(
    launch: &mut Launch<'_>,
    input: &StringsView<'_>,
    storage: Storage,
    failed: i64,
) -> Result<(FixedData, Option<(usize, usize)>)> {
    let failed = u64::try_from(failed).ok().map(|failed| {
        ((failed >> ParsePolicy::BYTE_BITS) as usize, (failed & ((1 << ParsePolicy::BYTE_BITS) - 1)) as usize)
    });
    let data = launch.output(0)?.slice(0, storage.bytes(input.len));
    let has_nulls = failed.is_some() || input.validity.is_some();
    let validity = has_nulls.then(|| launch.output(1)).transpose()?;
    let validity = validity.map(|validity| validity.slice(0, input.len.div_ceil(8)));
    Ok((FixedData { storage, len: input.len, data, validity }, failed))
}

/// The strings that an entry wrote.
pub(crate) fn written(
    launch: &mut Launch<'_>,
    len: usize,
    string_bytes: i64,
    faults: i64,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    if faults != 0 {
        let reason = "the result is larger than any memory";
        return Err(Error::InvalidArgument { name: "strings", reason });
    }
    // Of which only the type matters.
    let empty = Buffer::uninit(0, exec)?;
    let like = View::String(StringsView {
        offsets: &empty,
        offset_width: OffsetWidth::I32,
        chars: &empty,
        validity: None,
        offset: 0,
        len: 0,
    });
    match launch.column(&like, len, string_bytes as usize)? {
        ColumnData::String(strings) => Ok(StringData { validity, ..strings }),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "values are written as strings" }),
    }
}

pub(super) fn parse(input: &StringsView<'_>, meaning: Meaning, exec: &Exec) -> Result<Parsed> {
    let entry = entries::parse_text(exec.device())?;
    let prepared = Prepared::new(meaning)?;
    let guard = View::String(*input).read(exec)?;
    let storage = meaning.storage();
    let mut launch = Launch::new(exec);
    let mut failed = -1;
    let args = ParseTextArgs {
        input: guard.desc(),
        kind: prepared.kind as i32,
        time_kind: prepared.time_kind as i32,
        width: storage.width().unwrap_or(0) as i32,
        scale: prepared.scale,
        digits: prepared.digits.into(),
        per_second: prepared.per_second(),
        most: [prepared.most as u64, (prepared.most >> 64) as u64],
        least: prepared.least,
        powers: POWERS.as_ptr(),
        failed: &raw mut failed,
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the column readable, the powers and `failed` outlive the call, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let (data, failed) = parsed(&mut launch, input, storage, failed)?;
    Ok(Parsed { data, failed: failed.map(|(row, _)| row) })
}

pub(super) fn format(
    input: &Fixed<'_>,
    meaning: Meaning,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    run(input, meaning, None, validity, exec)
}

pub(super) fn format_zoned(
    input: &Fixed<'_>,
    digits: u8,
    times: &ZonedTimes<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    run(input, Meaning::Zoned { digits }, Some(times), validity, exec)
}

fn run(
    input: &Fixed<'_>,
    meaning: Meaning,
    times: Option<&ZonedTimes<'_>>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let entry = entries::format_text(exec.device())?;
    let prepared = Prepared::new(meaning)?;
    let views: Vec<View<'_>> = std::iter::once(View::Fixed(*input))
        .chain(times.and_then(|times| times.offsets).map(View::Fixed))
        .collect();
    let guards = crate::access(&views, exec)?;
    let literal = Literal::new(times.map_or(&[][..], |times| times.unknown.as_bytes()), exec)?;
    let zone = literal.read(exec)?;
    let mut launch = Launch::new(exec);
    let (mut string_bytes, mut faults) = (0, 0);
    let args = FormatTextArgs {
        input: guards[0].desc(),
        offsets: guards.get(1).map_or(ColumnDesc::absent(Storage::I64), crate::view::ViewGuard::desc),
        kind: prepared.kind as i32,
        time_kind: prepared.time_kind as i32,
        scale: prepared.scale,
        digits: prepared.digits.into(),
        per_second: prepared.per_second(),
        shows_z: times.is_some_and(|times| times.shows_z).into(),
        zone: literal.words,
        zone_far: literal::address(zone.as_ref()),
        zone_bytes: literal.bytes,
        powers: POWERS.as_ptr(),
        string_bytes: &raw mut string_bytes,
        faults: &raw mut faults,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the columns and the zone readable, the powers, `string_bytes` and `faults` outlive the call, and
    // the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    written(&mut launch, input.len, string_bytes, faults, validity, exec)
}
