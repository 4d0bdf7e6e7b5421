//! A timeline as a picture.

use std::fmt::Write as _;
use std::time::Duration;

use columnade_buffers::{Device, format_bytes};

use super::report::{format_size, limit_name, tier_name};
use super::{Sample, Tier, Timeline};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 936.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 372.0;

/// Samples along the time axis: about the picture's resolution.
const COLUMNS: f64 = 800.0;
/// A limit this many times above all that was ever in use is written in words, since a line would flatten the rest.
const FAR: usize = 3;

/// Colours of both modes, by class: a band has the class of its tier. Custom properties would be shorter, but few
/// viewers besides browsers know them.
const STYLE: &str = "\
text { font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; fill: #6e6e68; }
.title { font-size: 16px; font-weight: 600; }
.end { text-anchor: end; } .middle { text-anchor: middle; }
.page { fill: #fcfcfb; } .title, .key { fill: #1c1c1a; } .grid { stroke: #e4e4e0; } .axis { stroke: #6e6e68; }
.device { fill: #2a78d6; } .pinned { fill: #1baf7a; } .pageable { fill: #eda100; } .disk { fill: #6b5bd2; }
.band { stroke: #fcfcfb; } .limit { fill: none; stroke: #1c1c1a; stroke-width: 1.5; stroke-dasharray: 6 4; }
@media (prefers-color-scheme: dark) {
text { fill: #a4a49c; }
.page { fill: #1a1a19; } .title, .key { fill: #f0f0ec; } .grid { stroke: #373733; } .axis { stroke: #a4a49c; }
.device { fill: #3987e5; } .pinned { fill: #199e70; } .pageable { fill: #c98500; } .disk { fill: #8577e6; }
.band { stroke: #1a1a19; } .limit { stroke: #f0f0ec; }
}
";

/// Bytes of each tier stacked over time, the device at the bottom so that its limit is a line over it.
pub(super) fn picture(timeline: &Timeline) -> String {
    let scale = Scale::new(timeline);
    let samples = thinned(&timeline.samples, &scale);
    let mut svg = String::new();
    open(&mut svg, timeline);
    if samples.is_empty() {
        let (x, y) = (f64::midpoint(LEFT, RIGHT), f64::midpoint(TOP, BOTTOM));
        let why = "Nothing was sampled: statistics were off (COLUMNADE_SPILL_STATS).";
        text(&mut svg, "middle", x, y, why);
    } else {
        axes(&mut svg, &scale);
        for tier in Tier::ALL.into_iter().rev().filter(|&tier| peak(&samples, tier) > 0) {
            band(&mut svg, &samples, &scale, (timeline.device, tier));
        }
        if scale.shows_limit {
            limit(&mut svg, &samples, &scale);
        }
        legend(&mut svg, &samples, &scale, timeline.device);
    }
    svg.push_str("</svg>\n");
    svg
}

/// From bytes and time to places in the picture.
struct Scale {
    seconds: f64,
    bytes: f64,
    byte_step: f64,
    shows_limit: bool,
}

impl Scale {
    fn new(timeline: &Timeline) -> Self {
        let in_use =
            timeline.samples.iter().map(|sample| stacked(sample, Tier::Disk)).max().unwrap_or(0).max(1);
        let limit = timeline.samples.iter().filter_map(|sample| sample.limit).max();
        let shows_limit = limit.is_some_and(|limit| limit / FAR <= in_use);
        let most = if shows_limit { in_use.max(limit.unwrap_or(0)) } else { in_use };
        let byte_step = byte_step(most);
        // Space above the highest band.
        let bytes = as_f64(most) * 1.05;
        Self { seconds: timeline.elapsed.as_secs_f64().max(1e-6), bytes, byte_step, shows_limit }
    }

    fn x(&self, at: Duration) -> f64 {
        LEFT + (at.as_secs_f64() / self.seconds).min(1.0) * (RIGHT - LEFT)
    }

    fn y(&self, bytes: f64) -> f64 {
        BOTTOM - (bytes / self.bytes).min(1.0) * (BOTTOM - TOP)
    }
}

/// Bytes of this tier and those drawn below it.
fn stacked(sample: &Sample, tier: Tier) -> usize {
    Tier::ALL.into_iter().filter(|&below| below <= tier).map(|below| sample.bytes[below]).sum()
}

fn peak(samples: &[Sample], tier: Tier) -> usize {
    samples.iter().map(|sample| sample.bytes[tier]).max().unwrap_or(0)
}

/// One sample for each column of the picture, with the most of those that fall on it.
fn thinned(samples: &[Sample], scale: &Scale) -> Vec<Sample> {
    let mut thin: Vec<Sample> = Vec::new();
    for sample in samples {
        match thin.last_mut() {
            Some(last) if sample.at.saturating_sub(last.at).as_secs_f64() < scale.seconds / COLUMNS => {
                last.join(sample);
            }
            _ => thin.push(*sample),
        }
    }
    thin
}

fn open(svg: &mut String, timeline: &Timeline) {
    let name = escape(&format!("Memory of {} over time", timeline.device));
    let about = "Bytes in use of every tier, stacked, against seconds since the start.";
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\">\n<title>{name}</title>\n<desc>{about}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    text(svg, "title", LEFT, 32.0, &format!("Memory of {} over time", timeline.device));
}

fn axes(svg: &mut String, scale: &Scale) {
    for tick in ticks(scale.byte_step, scale.bytes) {
        let y = scale.y(tick);
        line(svg, "grid", (LEFT, y), (RIGHT, y));
        text(svg, "end", LEFT - 8.0, y + 4.0, &format_size(tick));
    }
    line(svg, "axis", (LEFT, BOTTOM), (RIGHT, BOTTOM));
    let (unit, factor) = if scale.seconds < 1e-3 {
        ("µs", 1e6)
    } else if scale.seconds < 1.0 {
        ("ms", 1e3)
    } else {
        ("s", 1.0)
    };
    let step = time_step(scale.seconds * factor);
    let decimals = usize::from(step < 1.0);
    for tick in ticks(step, scale.seconds * factor) {
        let x = LEFT + tick / (scale.seconds * factor) * (RIGHT - LEFT);
        line(svg, "axis", (x, BOTTOM), (x, BOTTOM + 4.0));
        text(svg, "middle", x, BOTTOM + 20.0, &format!("{tick:.decimals$}"));
    }
    text(svg, "end", RIGHT, BOTTOM + 38.0, &format!("time since the start ({unit})"));
}

/// The area from the axis to the top of `tier`: what is below it is drawn over it.
fn band(svg: &mut String, samples: &[Sample], scale: &Scale, (device, tier): (Device, Tier)) {
    let mut path = format!("M{:.1} {BOTTOM}", scale.x(samples[0].at));
    let mut height = BOTTOM;
    for sample in samples {
        let next = scale.y(as_f64(stacked(sample, tier)));
        if (next - height).abs() >= 0.05 {
            let _ = write!(path, "H{:.1}V{next:.1}", scale.x(sample.at));
            height = next;
        }
    }
    let _ = write!(path, "H{RIGHT}V{BOTTOM}Z");
    let name = tier_name(device, tier);
    let about = format!("{name}: {} at most", format_bytes(peak(samples, tier) as u64));
    let _ =
        writeln!(svg, "<path class=\"band {tier}\" d=\"{path}\"><title>{}</title></path>", escape(&about));
}

/// The limit in force, as it changed.
fn limit(svg: &mut String, samples: &[Sample], scale: &Scale) {
    let mut path = String::new();
    let mut height = None;
    for sample in samples {
        let (x, next) = (scale.x(sample.at), sample.limit.map(|limit| scale.y(as_f64(limit))));
        if next == height {
            continue;
        }
        let _ = match (height, next) {
            (None, Some(y)) => write!(path, "M{x:.1} {y:.1}"),
            (Some(_), Some(y)) => write!(path, "H{x:.1}V{y:.1}"),
            (_, None) => write!(path, "H{x:.1}"),
        };
        height = next;
    }
    if height.is_some() {
        let _ = write!(path, "H{RIGHT}");
    }
    let _ = writeln!(svg, "<path class=\"limit\" d=\"{path}\"/>");
}

/// The tiers in use, as they lie from below, and the limit.
fn legend(svg: &mut String, samples: &[Sample], scale: &Scale, device: Device) {
    let mut x = LEFT;
    let mut entry = |svg: &mut String, swatch: &dyn Fn(&mut String, f64), words: &str| {
        swatch(svg, x);
        text(svg, "key", x + 20.0, 56.0, words);
        x += 48.0 + 6.6 * as_f64(words.chars().count());
    };
    for tier in Tier::ALL.into_iter().filter(|&tier| peak(samples, tier) > 0) {
        let square = |svg: &mut String, x: f64| {
            let _ = writeln!(
                svg,
                "<rect class=\"{tier}\" x=\"{x:.1}\" y=\"46\" width=\"12\" height=\"12\" rx=\"2\"/>"
            );
        };
        let (name, most) = (tier_name(device, tier), format_bytes(peak(samples, tier) as u64));
        entry(svg, &square, &format!("{name} ({most} at most)"));
    }
    if let Some(limit) = samples.iter().rev().find_map(|sample| sample.limit) {
        let (dashes, note) = if scale.shows_limit { ("limit", "") } else { ("", ", above the picture") };
        let dashes = |svg: &mut String, x: f64| line(svg, dashes, (x - 2.0, 52.0), (x + 14.0, 52.0));
        entry(svg, &dashes, &format!("{} {}{note}", limit_name(device), format_bytes(limit as u64)));
    }
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, words: &str) {
    let words = escape(words);
    let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>");
}

/// Text as it may stand between tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// From zero on, as far as `end`.
fn ticks(step: f64, end: f64) -> impl Iterator<Item = f64> {
    (0_u32..).map(move |tick| f64::from(tick) * step).take_while(move |&tick| tick <= end * (1.0 + 1e-9))
}

/// A power of two of bytes that divides `most` into four to eight parts.
fn byte_step(most: usize) -> f64 {
    as_f64((most.max(1) / 4).checked_ilog2().map_or(1, |power| 1_usize << power))
}

/// One, two or five times a power of ten, such that there are four to ten parts.
fn time_step(most: f64) -> f64 {
    let power = 10_f64.powf((most / 10.0).log10().ceil());
    [0.1, 0.2, 0.5, 1.0]
        .into_iter()
        .map(|part| part * power)
        .find(|step| most / step <= 10.0)
        .unwrap_or(power)
}

#[expect(clippy::cast_precision_loss, reason = "a picture has some thousand places")]
fn as_f64(count: usize) -> f64 {
    count as f64
}
