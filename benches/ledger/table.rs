//! The counts as text.

use crate::cost::Cost;
use crate::record::Record;

#[expect(clippy::cast_precision_loss, reason = "a ratio")]
fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

/// One line a case. "traffic" is the factor over the ideal bytes, "lanes" the active lanes an instruction.
pub(crate) fn print(record: &Record) {
    println!(
        "{:<44} {:>7} {:>5} {:>8} {:>7} {:>6} {:>8} {:>5} {:>6} {:>10} {:>8} {:>8} {:>7} {:>6} {:>7}",
        "operation",
        "rows",
        "nulls",
        "launches",
        "memsets",
        "copies",
        "pageable",
        "syncs",
        "allocs",
        "peak KiB",
        "traffic",
        "instr/row",
        "lanes",
        "banks",
        "atomics"
    );
    for ((operation, rows, has_nulls), counts) in record {
        let of = |name: &str| counts.get(name).copied().unwrap_or(0);
        let copies = of("copies to device") + of("copies to host") + of("copies within");
        println!(
            "{operation:<44} {rows:>7} {:>5} {:>8} {:>7} {copies:>6} {:>8} {:>5} {:>6} {:>10} {:>8.2} {:>8.2} {:>7.1} {:>6.2} {:>7}",
            if *has_nulls { "yes" } else { "no" },
            of("launches"),
            of("memsets"),
            of("pageable copies"),
            of("synchronizations"),
            of("allocations"),
            of("peak bytes") / 1024,
            ratio(of("traffic bytes"), of("ideal bytes")),
            ratio(of("warp instructions"), *rows as u64),
            ratio(of("lane instructions"), of("warp instructions")),
            ratio(of("shared passes"), of("shared passes without conflicts")),
            of("most atomics on one address"),
        );
    }
}

/// One line a kernel of a case, those with the most traffic first.
pub(crate) fn kernels(name: &str, rows: usize, has_nulls: bool, cost: &Cost) {
    println!("{name}, {rows} rows{}", if has_nulls { ", nulls" } else { "" });
    let mut kernels: Vec<_> = cost.kernels.iter().collect();
    kernels
        .sort_by_key(|(_, of)| std::cmp::Reverse(of.loads.sectors + of.stores.sectors + of.atomics.sectors));
    for (kernel, of) in kernels {
        let short = short(kernel);
        println!(
            "    {short:<60} {:>3} launches {:>8} load {:>8} store {:>8} atomic sectors {:>9} instructions",
            of.launches, of.loads.sectors, of.stores.sectors, of.atomics.sectors, of.instructions
        );
    }
}

/// The identifiers of a mangled name, without those of CUB's and the compiler's own.
fn short(mangled: &str) -> String {
    let mut rest = mangled.strip_prefix("_Z").unwrap_or(mangled);
    let mut names = Vec::new();
    while names.len() < 4 {
        let Some(start) = rest.find(|c: char| c.is_ascii_digit()) else { break };
        let digits = rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        let length: usize = rest[start..start + digits].parse().unwrap_or(0);
        let Some(name) = rest.get(start + digits..start + digits + length) else { break };
        if length > 1
            && !name.starts_with("_GLOBAL")
            && !name.starts_with("CUB_")
            && !name.starts_with("_INTERNAL")
        {
            names.push(name);
        }
        rest = &rest[start + digits + length..];
        if length == 0 {
            break;
        }
    }
    names.join("::")
}
