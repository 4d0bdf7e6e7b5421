//! The text of cuDF's statistics.

use std::fmt;
use std::time::Duration;

use crate::{Device, SpillManager, Tier};

use super::{EdgeSnapshot, SpillSnapshot, StatisticsLevel};

/// Formats bytes as `24B` or `1.49KiB`, in the largest unit of which there is at least one; whole numbers
/// without decimals, others with two.
///
/// # Source
/// cuDF `format_bytes`.
pub fn format_bytes(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = (u64::BITS - bytes.leading_zeros()).saturating_sub(1) / 10;
    let name = UNITS[unit as usize];
    let shift = unit * 10;
    if bytes.trailing_zeros() >= shift || bytes == 0 {
        return format!("{}{name}", bytes >> shift);
    }
    #[expect(clippy::cast_precision_loss, reason = "two decimals are printed")]
    let amount = bytes as f64 / (1_u64 << shift) as f64;
    format!("{amount:.2}{name}")
}

/// cuDF's kinds of memory, and the disk.
const PLACES: [&str; 3] = ["gpu", "cpu", "disk"];

/// The kind of memory of a tier of this device.
fn place(device: Device, tier: Tier) -> &'static str {
    match tier {
        Tier::Device if device != Device::Host => PLACES[0],
        Tier::Device | Tier::Pinned | Tier::Pageable => PLACES[1],
        Tier::Disk => PLACES[2],
    }
}

impl SpillSnapshot {
    /// Bytes and time of all moves from one kind of memory to another, if there were any.
    fn between(&self, from: &str, to: &str) -> Option<(u64, Duration)> {
        let between =
            |edge: &&EdgeSnapshot| place(self.device, edge.from) == from && place(self.device, edge.to) == to;
        let sums = self.edges.iter().filter(between).map(|edge| (edge.moved.bytes, edge.duration));
        sums.reduce(|a, b| (a.0 + b.0, a.1 + b.1))
    }
}

impl fmt::Display for SpillSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spill Statistics (level={}):", self.level.number())?;
        if self.level == StatisticsLevel::Off {
            return f.write_str(" N/A");
        }
        write!(f, "\n  Spilling (level >= 1):")?;
        let pairs = PLACES.into_iter().flat_map(|from| PLACES.into_iter().map(move |to| (from, to)));
        let mut lines = pairs
            .filter(|(from, to)| from != to)
            .filter_map(|(from, to)| self.between(from, to).map(|sum| (from, to, sum)))
            .peekable();
        if lines.peek().is_none() {
            f.write_str(" None")?;
        }
        for (from, to, (bytes, duration)) in lines {
            write!(f, "\n    {from} => {to}: {} in {:.3}s", format_bytes(bytes), duration.as_secs_f64())?;
        }
        f.write_str("\n  Exposed buffers (level >= 2): ")?;
        if self.level < StatisticsLevel::Exposures {
            return f.write_str("disabled");
        }
        if self.exposures.is_empty() {
            return f.write_str("None");
        }
        for site in &self.exposures {
            let (total, spilled) = (format_bytes(site.exposed.bytes), format_bytes(site.spilled));
            let count = site.exposed.count;
            write!(
                f,
                "\n    exposed {count} times, total: {total}, spilled: {spilled}, traceback:\n    {}",
                site.at
            )?;
        }
        Ok(())
    }
}

/// cuDF's line about its manager: the limit, what is spilled, what is not, and how much of that cannot be.
impl fmt::Display for SpillManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usage = self.usage();
        let limit = self.limit().map_or_else(|| "N/A".to_owned(), |limit| format_bytes(limit as u64));
        let held = usage.pinned + usage.leased;
        let (spilled, unspilled) = (usage.spilled as u64, (usage.managed + held) as u64);
        let percent = (held as u64 * 200 + unspilled).checked_div(unspilled * 2).unwrap_or(0);
        write!(
            f,
            "<SpillManager device_memory_limit={limit} | {} spilled | {} ({percent}%) unspilled (unspillable)>",
            format_bytes(spilled),
            format_bytes(unspilled)
        )
    }
}
