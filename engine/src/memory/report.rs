//! The report as text.

use std::fmt;
use std::time::Duration;

use columnade_buffers::{Device, format_bytes};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::{Amount, Cause, Report, RetryStatistics, SpillSnapshot, StatisticsLevel, Tier, TierUsage};

/// Call sites that are printed of each list.
const SITES: usize = 10;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spills = &self.spills;
        let (level, elapsed) = (spills.level.number(), spills.elapsed);
        writeln!(f, "Memory of {} (statistics level {level}, after {elapsed:.1?})\n", spills.device)?;
        writeln!(f, "{}", self.usage_table())?;
        if spills.level == StatisticsLevel::Off && spills.edges.is_empty() {
            return f.write_str(
                "\nMoves are not counted: level 1 of the statistics does, level 2 also tells who pins and exposes \
                 (COLUMNADE_SPILL_STATS).",
            );
        }
        if spills.edges.is_empty() {
            f.write_str("\nNothing moved.\n")?;
        } else {
            writeln!(f, "\n{}", moves_table(spills))?;
        }
        write_incidents(f, self)?;
        write_advice(f, self)?;
        write_sites(f, spills)
    }
}

impl Report {
    pub(super) fn usage_table(&self) -> String {
        let usage = &self.usage;
        let mut table = table(["tier", "now", "peak", "limit"]);
        for (tier, &TierUsage { bytes, peak, limit }) in usage.tiers.iter() {
            // Below the host there is but the disk.
            if usage.device == Device::Host && matches!(tier, Tier::Pinned | Tier::Pageable) {
                continue;
            }
            let limit = limit.map_or_else(|| "no limit".to_owned(), format);
            table.add_row([tier_name(usage.device, tier).to_owned(), format(bytes), format(peak), limit]);
            if tier == Tier::Device {
                for (what, bytes) in [
                    ("- spillable", usage.managed),
                    ("- held by guards", usage.pinned),
                    ("- exported or exposed", usage.leased),
                    ("- deferred free", usage.deferred),
                    ("- unmanaged", usage.unmanaged),
                ] {
                    table.add_row([what.to_owned(), format(bytes), String::new(), String::new()]);
                }
                if usage.retained > 0 {
                    let retained = format(usage.retained);
                    table.add_row(["kept for reuse".to_owned(), retained, String::new(), String::new()]);
                }
            }
        }
        text(table, &[0])
    }
}

/// The host's own memory is no device to most readers.
pub(super) fn tier_name(device: Device, tier: Tier) -> &'static str {
    match tier {
        Tier::Device if device == Device::Host => "memory",
        Tier::Device => "device",
        Tier::Pinned => "pinned",
        Tier::Pageable => "pageable",
        Tier::Disk => "disk",
    }
}

/// The limit of the first tier, as the tier is called.
pub(super) fn limit_name(device: Device) -> &'static str {
    if device == Device::Host { "memory limit" } else { "device limit" }
}

fn moves_table(spills: &SpillSnapshot) -> String {
    let header =
        ["moved", "copies", "bytes", "freed", "a second", "mean", "p99", "queued", "thrash", "causes"];
    let mut table = table(header);
    for edge in &spills.edges {
        table.add_row([
            format!("{} → {}", tier_name(spills.device, edge.from), tier_name(spills.device, edge.to)),
            edge.moved.count.to_string(),
            format_bytes(edge.moved.bytes),
            format_bytes(edge.freed),
            edge.bandwidth().map_or_else(String::new, format_rate),
            format_duration(edge.mean()),
            format_duration(edge.latency.quantile(0.99)),
            format_duration(edge.queued),
            format_bytes(edge.thrash.bytes),
            format_causes(&edge.causes),
        ]);
    }
    text(table, &[0, 9])
}

/// What happened besides moves; what did not happen is omitted.
fn write_incidents(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let Report { spills, retries, .. } = report;
    let SpillSnapshot { skipped_copies, spilled_time, overruns, refused, .. } = spills;
    if skipped_copies.count > 0 {
        let causes = format_causes(&spills.skipped_causes);
        write!(f, "\nEvicted without a copy: {} ({causes})", format_amount(*skipped_copies))?;
    }
    if spilled_time.count > 0 {
        let mean = spilled_time.mean();
        write!(
            f,
            "\nSpilled: {} now; {} came back or ended, after {mean:.1?} on average; {} at a time on average",
            format_amount(spilled_time.now),
            spilled_time.count,
            format_size(spilled_time.byte_seconds / spills.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)),
        )?;
    }
    for wait in &spills.waits {
        let (total, mean) = (wait.duration, wait.mean());
        write!(
            f,
            "\nWaited ({}): {} times, {mean:.1?} on average, {total:.1?} in all",
            wait.what, wait.count
        )?;
    }
    if retries.reservations + retries.refused_reservations > 0 {
        let RetryStatistics { reservations, reserved_bytes, refused_reservations, .. } = retries;
        let bytes = format_bytes(*reserved_bytes);
        write!(
            f,
            "\nReserved: {bytes} for {reservations} attempts in all; refused to {refused_reservations} (all devices)"
        )?;
    }
    if retries.failures > 0 {
        let RetryStatistics { attempts, failures, splits, last_attempts, .. } = retries;
        write!(
            f,
            "\nRetried: memory did not suffice for {failures} of {attempts} attempts; chunks split: {splits}, \
             attempts that could pass the limit: {last_attempts} (all devices)"
        )?;
    }
    if overruns.count > 0 {
        let largest = format_bytes(overruns.largest);
        let limit = limit_name(spills.device);
        write!(f, "\nPassed the {limit}: {} times, by {largest} at most", overruns.count)?;
    }
    if let Some(last) = spills.refusals.last() {
        let usage = &last.usage;
        write!(
            f,
            "\nDid not fit at first: {}; operators went on in chunks or beyond the limit, unless an error was returned; \
             the last asked for {} with {} in use ({} spillable, {} held by guards, {} exported or exposed, {} deferred, \
             {} unmanaged)",
            format_amount(*refused),
            format(last.requested),
            format(usage.tiers[Tier::Device].bytes),
            format(usage.managed),
            format(usage.pinned),
            format(usage.leased),
            format(usage.deferred),
            format(usage.unmanaged),
        )?;
    }
    Ok(())
}

/// What would help, if something did not go well.
fn write_advice(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let Report { usage, spills, tier_refusal, .. } = report;
    if let Some(refusal) = tier_refusal {
        write!(
            f,
            "\nTo do: bytes could not be spilled ({refusal}); add space there, name another folder with \
             COLUMNADE_SPILL_FOLDER, or raise the limit with COLUMNADE_SPILL_DEVICE_LIMIT"
        )?;
    }
    let peak = usage.tiers[Tier::Device].peak;
    if spills.overruns.count > 0 {
        write!(
            f,
            "\nTo do: the work needs more than the limit at once; raise it to {} or more with \
             COLUMNADE_SPILL_DEVICE_LIMIT, or release what is held",
            format(peak)
        )?;
    }
    let back = spills.edges.iter().filter(|edge| edge.to == Tier::Device);
    let (moved, thrash) =
        back.fold((0, 0), |(moved, thrash), edge| (moved + edge.moved.bytes, thrash + edge.thrash.bytes));
    if thrash > moved / 2 {
        write!(
            f,
            "\nTo do: most of what was spilled was needed again within a second; raise the limit with \
             COLUMNADE_SPILL_DEVICE_LIMIT"
        )?;
    }
    Ok(())
}

fn write_sites(f: &mut fmt::Formatter<'_>, spills: &SpillSnapshot) -> fmt::Result {
    if !spills.pins.is_empty() {
        let mut table = table(["held by guards", "guards", "bytes", "guards so far", "bytes so far"]);
        for site in spills.pins.iter().take(SITES) {
            table.add_row([
                site.at.to_string(),
                site.held.count.to_string(),
                format_bytes(site.held.bytes),
                site.taken.count.to_string(),
                format_bytes(site.taken.bytes),
            ]);
        }
        write!(f, "\n\n{}", text(table, &[0]))?;
        write_rest(f, spills.pins.len())?;
    }
    if !spills.exposures.is_empty() {
        let mut table = table(["exported or exposed", "times", "bytes", "spilled then"]);
        for site in spills.exposures.iter().take(SITES) {
            table.add_row([
                site.at.to_string(),
                site.exposed.count.to_string(),
                format_bytes(site.exposed.bytes),
                format_bytes(site.spilled),
            ]);
        }
        write!(f, "\n\n{}", text(table, &[0]))?;
        write_rest(f, spills.exposures.len())?;
    }
    Ok(())
}

fn write_rest(f: &mut fmt::Formatter<'_>, sites: usize) -> fmt::Result {
    if sites > SITES { write!(f, "\n… and {} more places", sites - SITES) } else { Ok(()) }
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    table
}

/// The columns at `left` are texts, the others figures.
fn text(mut table: Table, left: &[usize]) -> String {
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if left.contains(&at) {
            CellAlignment::Left
        } else {
            CellAlignment::Right
        });
    }
    table.trim_fmt()
}

fn format(bytes: usize) -> String {
    format_bytes(bytes as u64)
}

fn format_duration(duration: Duration) -> String {
    if duration.is_zero() { "0s".to_owned() } else { format!("{duration:.1?}") }
}

fn format_amount(amount: Amount) -> String {
    let allocations = if amount.count == 1 { "allocation" } else { "allocations" };
    format!("{} {allocations} with {}", amount.count, format_bytes(amount.bytes))
}

fn format_rate(bytes_per_second: f64) -> String {
    format!("{}/s", format_size(bytes_per_second))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are not negative; a cast saturates"
)]
pub(super) fn format_size(bytes: f64) -> String {
    format_bytes(bytes as u64)
}

fn format_causes(causes: &[(Cause, Amount)]) -> String {
    let causes: Vec<_> = causes.iter().map(|(cause, amount)| format!("{cause} {}", amount.count)).collect();
    causes.join(", ")
}
