//! How arrays are exported and imported.

use super::path::Path;
use super::violation::Violation;
use crate::Result;
use columnade_buffers::Device;

/// How columns are exported. Layout only: to change a dtype, cast the columns first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// The width of the offsets of strings, binary and lists.
    pub offsets: OffsetLayout,
    /// The width of decimals.
    pub decimals: DecimalWidth,
    /// How a consumer learns that the buffers are filled; of no account on the host.
    pub handover: Handover,
    /// Whether nulls are counted on a device; on the host they always are.
    pub null_counts: NullCounts,
}

/// The width of exported offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffsetLayout {
    /// As the column has them, without a copy. A stream has the widths of its first frame.
    #[default]
    AsStored,
    /// 32 bits: an error where they do not fit.
    I32,
    /// 64 bits.
    I64,
}

/// The width of exported decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalWidth {
    /// As the column has them, without a copy: those that were computed in 64 bits up to 18 digits, in 128 beyond.
    #[default]
    AsStored,
    /// 128 bits, for consumers that know no narrower decimals.
    Bits128,
}

/// How a consumer learns that the buffers of a device are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handover {
    /// By an event, which it waits for on its own stream. The host does not wait.
    #[default]
    Event,
    /// The host waits before the export returns, and there is no event.
    Synchronised,
}

/// Whether nulls are counted on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NullCounts {
    /// Where a count is not known, −1 is written: no synchronisation.
    #[default]
    WhereKnown,
    /// Counts are exact, with a synchronisation for each column whose count is unknown.
    Exact,
}

/// How arrays are imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Whether memory is copied.
    pub copy: CopyPolicy,
    /// What is checked.
    pub validate: Validation,
}

impl ImportOptions {
    /// An error unless memory of the host may come to `device` as the options say: elsewhere it is copied.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`](crate::Error::ArrowInterface) for another device and [`CopyPolicy::Never`].
    pub fn require_reach(&self, device: Device) -> Result<()> {
        if self.copy == CopyPolicy::Never && device != Device::Host {
            return Path::ROOT.fail(Violation::NeedsCopy { reason: "the memory goes to another device" });
        }
        Ok(())
    }
}

/// Whether an import copies memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CopyPolicy {
    /// An error where memory cannot be shared.
    Never,
    /// Where memory cannot be shared: it is misaligned, the column has another layout, or a mask changes.
    #[default]
    IfNeeded,
    /// Everything: the producer gets its memory back as soon as the copies are done.
    Always,
}

/// What an import checks. The interface does not state the length of buffers, so it cannot be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validation {
    /// The structs themselves, and that the first and last offsets are within what they point into. The producer
    /// is trusted for offsets in between, UTF-8, the range of dictionary codes and of times of day, and the digits of decimals.
    #[default]
    Minimal,
    /// Also every offset, all strings, every dictionary code, the digits of every decimal, every time of day and the null counts. Reads all
    /// memory; memory of a device is copied to the host.
    Full,
}
