//! Options of spilling, and their environment variables.

mod names;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::{DiskAccess, Error, EvictionPolicy, Result, StatisticsLevel};

/// How the memory of a device is spilled.
///
/// | variable | field | default |
/// | --- | --- | --- |
/// | `COLUMNADE_SPILL` | `spill` | on if there is a device limit |
/// | `COLUMNADE_SPILL_ON_DEMAND` | `on_demand` | on |
/// | `COLUMNADE_SPILL_DEVICE_LIMIT` | `device_limit` | 80 % of the memory that the process may use on the host, none on other devices |
/// | `COLUMNADE_SPILL_SOFT` | `soft` | off |
/// | `COLUMNADE_SPILL_STATS` | `statistics` | 0 |
/// | `COLUMNADE_COPY_ON_WRITE` | `copy_on_write` | on |
/// | `COLUMNADE_SPILL_WATERMARKS` | `watermarks` | none |
/// | `COLUMNADE_SPILL_PINNED_LIMIT` | `pinned_limit` | a quarter of the memory that the process may use |
/// | `COLUMNADE_SPILL_HOST_LIMIT` | `pageable_limit` | half of it |
/// | `COLUMNADE_SPILL_DISK_LIMIT` | `disk_limit` | none |
/// | `COLUMNADE_SPILL_FOLDER` | `folder` | the system's folder for temporary files |
/// | `COLUMNADE_SPILL_DISK_ACCESS` | `disk_access` | `direct`; also `cached`, `gpu-direct` |
///
/// Switches are `on`, `off`, `true`, `false`, `yes`, `no`, `1` or `0`. Sizes are bytes, with a unit if wanted: `4096`,
/// `512MiB`, `1.5 GB` (`KiB` is 1024 bytes, `kB` is 1000). `none` gives a limit its default. Case does not matter.
///
/// # Source
/// cuDF options `spill`, `spill_on_demand`, `spill_device_limit`, `spill_stats`, `copy_on_write`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, each with a variable")]
pub struct SpillOptions {
    /// Whether allocations are spilled at all.
    pub spill: bool,
    /// Whether a failed allocation spills others and is retried.
    pub on_demand: bool,
    /// The most device memory to use; of a limit for the host, freed memory that is kept for reuse takes a part. `None`
    /// for 80 % of the memory that the process may use on the host, and for no limit on other devices. Allocations
    /// exceed it while the rest is held, and that of the smallest chunk.
    pub device_limit: Option<DeviceLimit>,
    /// Whether allocations exceed the device limit while the lower tiers are full or cannot be written. By default that
    /// is an error.
    pub soft: bool,
    /// What is counted.
    pub statistics: StatisticsLevel,
    /// Whether a copy of a buffer shares memory until one of the two is written to.
    pub copy_on_write: bool,
    /// When memory is freed ahead of need, if there is a device limit.
    pub watermarks: Option<Watermarks>,
    /// The most page-locked host memory for spilled bytes; `None` for a quarter of the memory that the process may use.
    pub pinned_limit: Option<usize>,
    /// The most other host memory for spilled bytes; `None` for half of the memory that the process may use.
    pub pageable_limit: Option<usize>,
    /// The most bytes in spill files.
    pub disk_limit: Option<usize>,
    /// Where spill files are, instead of the system's folder for temporary files.
    pub folder: Option<PathBuf>,
    /// How spill files are read and written.
    pub disk_access: DiskAccess,
    /// How allocations are chosen for eviction. Has no variable.
    pub eviction: EvictionPolicy,
}

impl Default for SpillOptions {
    fn default() -> Self {
        Self {
            spill: false,
            on_demand: true,
            device_limit: None,
            soft: false,
            statistics: StatisticsLevel::Off,
            copy_on_write: true,
            watermarks: None,
            pinned_limit: None,
            pageable_limit: None,
            disk_limit: None,
            folder: None,
            disk_access: DiskAccess::Direct,
            eviction: EvictionPolicy::default(),
        }
    }
}

/// The most device memory to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceLimit {
    /// This many bytes.
    Bytes(usize),
    /// This part of the device's memory, in percent up to 100.
    Percent(u8),
}

impl DeviceLimit {
    /// The limit in bytes on a device of `total` bytes.
    pub fn bytes(self, total: usize) -> usize {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Percent(percent) => percent_of(percent, total),
        }
    }
}

/// When the spiller frees memory ahead of need, in percent of the device limit; never without a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watermarks {
    /// Freeing begins when usage exceeds this.
    pub start: u8,
    /// Freeing ends when usage is at most this.
    pub stop: u8,
}

impl Watermarks {
    /// Both thresholds in bytes for a limit of `limit` bytes: where freeing begins and ends.
    pub fn bytes(self, limit: usize) -> (usize, usize) {
        (percent_of(self.start, limit), percent_of(self.stop, limit))
    }

    fn are_in_order(self) -> bool {
        self.stop <= self.start && self.start <= 100
    }
}

/// Rounded down, without overflow.
fn percent_of(percent: u8, total: usize) -> usize {
    let percent = usize::from(percent);
    total / 100 * percent + total % 100 * percent / 100
}

const SWITCH: &str = "on, off, true, false, yes, no, 1 or 0";
const BYTES: &str = "a whole number of bytes such as 4096, or one with a unit such as 512MiB or 1.5GB";
const SIZE: &str = "none, a whole number of bytes such as 4096, or one with a unit such as 512MiB or 1.5GB";
const SIZE_OR_PERCENT: &str = "none, a whole number of bytes such as 4096, one with a unit such as 512MiB or 1.5GB, or a whole percentage up to 100%";
const LEVEL: &str = "0, 1 or 2";
const WATERMARKS: &str =
    "none, or two whole percentages up to 100%, the first not below the second, such as 90%,80%";
const DISK_ACCESS: &str = "direct, cached or gpu-direct";
const FOLDER: &str = "the path of a folder";

impl SpillOptions {
    pub(super) fn tiers(&self) -> super::TierOptions {
        super::TierOptions {
            pinned_limit: self.pinned_limit,
            pageable_limit: self.pageable_limit,
            disk_limit: self.disk_limit,
            folder: self.folder.clone(),
            disk_access: self.disk_access,
        }
    }

    /// Checks the values of the options.
    ///
    /// # Errors
    ///
    /// [`Error::Option`], the same as for the environment variable of the field.
    pub(super) fn check(&self) -> Result<()> {
        match (self.device_limit, self.watermarks) {
            (Some(DeviceLimit::Percent(percent @ 101..)), _) => {
                let value = format!("{percent}%");
                Err(refuse("COLUMNADE_SPILL_DEVICE_LIMIT", value.as_ref(), SIZE_OR_PERCENT))
            }
            (_, Some(marks)) if !marks.are_in_order() => {
                let value = format!("{}%,{}%", marks.start, marks.stop);
                Err(refuse("COLUMNADE_SPILL_WATERMARKS", value.as_ref(), WATERMARKS))
            }
            _ => Ok(()),
        }
    }

    /// The environment variables of [`from_env`](Self::from_env).
    pub const VARIABLES: [&str; 12] = names::VARIABLES;

    /// The options from the environment, with defaults for variables that are not set.
    ///
    /// # Errors
    /// [`Error::Option`] with the name of the first variable with an invalid value, or of a variable that begins as those
    /// of this library do and is none of them.
    pub fn from_env() -> Result<Self> {
        names::check(std::env::vars_os().map(|(name, _)| name))?;
        Self::from_lookup(std::env::var_os)
    }

    /// Like [`from_env`](Self::from_env), with the values that `lookup` returns for variables.
    ///
    /// # Errors
    /// Those of `from_env`.
    pub fn from_lookup(lookup: impl Fn(&'static str) -> Option<OsString>) -> Result<Self> {
        fn field<T>(
            lookup: &impl Fn(&'static str) -> Option<OsString>,
            variable: &'static str,
            expected: &'static str,
            parse: impl FnOnce(&str) -> Option<T>,
            default: T,
        ) -> Result<T> {
            let Some(value) = lookup(variable) else { return Ok(default) };
            let parsed = value.to_str().and_then(|value| parse(value.trim()));
            parsed.ok_or_else(|| refuse(variable, &value, expected))
        }

        let default = Self::default();
        let size = |variable, default| field(&lookup, variable, SIZE, |value| or_none(value, bytes), default);
        let device_limit = field(
            &lookup,
            "COLUMNADE_SPILL_DEVICE_LIMIT",
            SIZE_OR_PERCENT,
            |value| or_none(value, device_limit),
            default.device_limit,
        )?;
        Ok(Self {
            spill: field(&lookup, "COLUMNADE_SPILL", SWITCH, switch, device_limit.is_some())?,
            on_demand: field(&lookup, "COLUMNADE_SPILL_ON_DEMAND", SWITCH, switch, default.on_demand)?,
            device_limit,
            soft: field(&lookup, "COLUMNADE_SPILL_SOFT", SWITCH, switch, default.soft)?,
            statistics: field(&lookup, "COLUMNADE_SPILL_STATS", LEVEL, level, default.statistics)?,
            copy_on_write: field(&lookup, "COLUMNADE_COPY_ON_WRITE", SWITCH, switch, default.copy_on_write)?,
            watermarks: field(
                &lookup,
                "COLUMNADE_SPILL_WATERMARKS",
                WATERMARKS,
                |value| or_none(value, watermarks),
                default.watermarks,
            )?,
            pinned_limit: size("COLUMNADE_SPILL_PINNED_LIMIT", default.pinned_limit)?,
            pageable_limit: size("COLUMNADE_SPILL_HOST_LIMIT", default.pageable_limit)?,
            disk_limit: size("COLUMNADE_SPILL_DISK_LIMIT", default.disk_limit)?,
            folder: match lookup("COLUMNADE_SPILL_FOLDER") {
                Some(path) if path.is_empty() => return Err(refuse("COLUMNADE_SPILL_FOLDER", &path, FOLDER)),
                path => path.map(PathBuf::from),
            },
            disk_access: field(
                &lookup,
                "COLUMNADE_SPILL_DISK_ACCESS",
                DISK_ACCESS,
                disk_access,
                default.disk_access,
            )?,
            eviction: default.eviction,
        })
    }
}

fn refuse(variable: &'static str, value: &OsStr, expected: &'static str) -> Error {
    Error::Option { variable, value: value.to_string_lossy().into_owned(), expected }
}

#[expect(clippy::option_option, reason = "whether the value means something, and whether that is a limit")]
fn or_none<T>(value: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if value.eq_ignore_ascii_case("none") { Some(None) } else { parse(value).map(Some) }
}

fn switch(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

fn disk_access(value: &str) -> Option<DiskAccess> {
    match value.to_ascii_lowercase().as_str() {
        "direct" => Some(DiskAccess::Direct),
        "cached" => Some(DiskAccess::Cached),
        "gpu-direct" => Some(DiskAccess::GpuDirect),
        _ => None,
    }
}

fn level(value: &str) -> Option<StatisticsLevel> {
    let number = digits(value)?;
    StatisticsLevel::ALL.into_iter().find(|level| u128::from(level.number()) == number)
}

fn percent(value: &str) -> Option<u8> {
    let number = digits(value.strip_suffix('%')?.trim_end())?;
    u8::try_from(number).ok().filter(|&percent| percent <= 100)
}

fn device_limit(value: &str) -> Option<DeviceLimit> {
    if value.ends_with('%') {
        percent(value).map(DeviceLimit::Percent)
    } else {
        bytes(value).map(DeviceLimit::Bytes)
    }
}

fn watermarks(value: &str) -> Option<Watermarks> {
    let (start, stop) = value.split_once(',')?;
    let marks = Watermarks { start: percent(start.trim())?, stop: percent(stop.trim())? };
    marks.are_in_order().then_some(marks)
}

/// Parses a number of bytes: `4096`, `512MiB`, `1.5 GB`.
///
/// # Errors
///
/// [`Error::Option`] for anything else.
pub fn parse_bytes(text: &str) -> Result<usize> {
    bytes(text.trim()).ok_or_else(|| Error::Option {
        variable: "the size",
        value: text.to_owned(),
        expected: BYTES,
    })
}

/// A number of bytes with a unit, rounded down, or an integer without a unit.
fn bytes(value: &str) -> Option<usize> {
    let number_end = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
    let (number, unit) = value.split_at(number_end);
    let unit: u128 = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return None,
    };
    if unit == 1 && number.contains('.') {
        return None;
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let scale = 10_u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let scaled = digits(whole)?.checked_mul(scale)?.checked_add(digits(fraction)?)?;
    usize::try_from(scaled.checked_mul(unit)? / scale).ok()
}

/// Digits only: `parse` alone would accept a sign.
fn digits(value: &str) -> Option<u128> {
    if value.bytes().all(|byte| byte.is_ascii_digit()) { value.parse().ok() } else { None }
}
