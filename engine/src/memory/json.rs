//! A report for programs.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    Amount, Cause, EdgeSnapshot, ExposureSite, Histogram, MemoryUsage, PinSite, Refusal, Report, Tier,
    WaitSnapshot,
};

/// Of the document's form.
const VERSION: u32 = 1;

pub(super) fn document(report: &Report) -> Value {
    let spills = &report.spills;
    json!({
        "version": VERSION,
        "device": spills.device.to_string(),
        "statistics_level": spills.level.number(),
        "elapsed_seconds": seconds(spills.elapsed),
        "usage": usage(&report.usage),
        "edges": spills.edges.iter().map(edge).collect::<Vec<_>>(),
        "flows": by_tier(|tier| {
            let flow = spills.flows[tier];
            json!({
                "born_bytes": flow.born,
                "entered_bytes": flow.entered,
                "left_bytes": flow.left,
                "dropped_bytes": flow.dropped,
            })
        }),
        "skipped_copies": with(amount(spills.skipped_copies), "causes", causes(&spills.skipped_causes)),
        "spilled_time": {
            "now": amount(spills.spilled_time.now),
            "count": spills.spilled_time.count,
            "seconds": seconds(spills.spilled_time.duration),
            "byte_seconds": spills.spilled_time.byte_seconds,
        },
        "waits": spills.waits.iter().map(wait).collect::<Vec<_>>(),
        "refused": amount(spills.refused),
        "refusals": spills.refusals.iter().map(refusal).collect::<Vec<_>>(),
        "overruns": { "count": spills.overruns.count, "largest_bytes": spills.overruns.largest },
        "retries": {
            "attempts": report.retries.attempts,
            "failures": report.retries.failures,
            "last_attempts": report.retries.last_attempts,
            "splits": report.retries.splits,
            "reservations": report.retries.reservations,
            "reserved_bytes": report.retries.reserved_bytes,
            "refused_reservations": report.retries.refused_reservations,
            "waits": report.retries.waits,
            "waited_seconds": seconds(report.retries.waited),
        },
        "tier_refusal": report.tier_refusal.as_ref().map(ToString::to_string),
        "exposures": spills.exposures.iter().map(exposure).collect::<Vec<_>>(),
        "pins": spills.pins.iter().map(pin).collect::<Vec<_>>(),
    })
}

fn usage(usage: &MemoryUsage) -> Value {
    json!({
        "spillable_bytes": usage.managed,
        "pinned_bytes": usage.pinned,
        "leased_bytes": usage.leased,
        "deferred_free_bytes": usage.deferred,
        "unmanaged_bytes": usage.unmanaged,
        "retained_bytes": usage.retained,
        "spilled_bytes": usage.spilled,
        "tiers": by_tier(|tier| {
            let tier = usage.tiers[tier];
            json!({ "bytes": tier.bytes, "peak_bytes": tier.peak, "limit_bytes": tier.limit })
        }),
    })
}

fn edge(edge: &EdgeSnapshot) -> Value {
    json!({
        "from": edge.from.to_string(),
        "to": edge.to.to_string(),
        "count": edge.moved.count,
        "bytes": edge.moved.bytes,
        "freed_bytes": edge.freed,
        "seconds": seconds(edge.duration),
        "queued_seconds": seconds(edge.queued),
        "bytes_per_second": edge.bandwidth(),
        "latency": latency(&edge.latency),
        "causes": causes(&edge.causes),
        "thrash": amount(edge.thrash),
    })
}

fn wait(wait: &WaitSnapshot) -> Value {
    json!({
        "for": wait.what.to_string(),
        "count": wait.count,
        "seconds": seconds(wait.duration),
        "latency": latency(&wait.latency),
    })
}

fn refusal(refusal: &Refusal) -> Value {
    json!({
        "at_seconds": seconds(refusal.at),
        "requested_bytes": refusal.requested,
        "usage": usage(&refusal.usage),
    })
}

fn exposure(site: &ExposureSite) -> Value {
    json!({
        "at": site.at.to_string(),
        "count": site.exposed.count,
        "bytes": site.exposed.bytes,
        "spilled_bytes": site.spilled,
    })
}

fn pin(site: &PinSite) -> Value {
    json!({ "at": site.at.to_string(), "taken": amount(site.taken), "held": amount(site.held) })
}

fn latency(histogram: &Histogram) -> Value {
    let bucket = |(upper, count): (Duration, u64)| json!({ "below_seconds": seconds(upper), "count": count });
    json!({
        "p50_seconds": seconds(histogram.quantile(0.5)),
        "p99_seconds": seconds(histogram.quantile(0.99)),
        "buckets": histogram.buckets().map(bucket).collect::<Vec<_>>(),
    })
}

fn causes(causes: &[(Cause, Amount)]) -> Value {
    causes.iter().map(|&(cause, of_it)| (cause.to_string(), amount(of_it))).collect()
}

fn amount(amount: Amount) -> Value {
    json!({ "count": amount.count, "bytes": amount.bytes })
}

fn by_tier(value: impl Fn(Tier) -> Value) -> Value {
    Tier::ALL.into_iter().map(|tier| (tier.to_string(), value(tier))).collect()
}

/// The object with one field more.
fn with(mut object: Value, field: &str, value: Value) -> Value {
    object[field] = value;
    object
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}
