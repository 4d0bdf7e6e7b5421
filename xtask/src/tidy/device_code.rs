//! Kernels stay within what nvcc and the simulator both run.

use super::Finding;
use super::source::{Source, find_word};

/// The folder of the headers that kernels share.
const HEADERS: &str = "kernels/cuda/include/";

/// The headers that hide the differences between nvcc and the simulator may use both sides' words.
const PORTABILITY: [&str; 2] = ["kernel.h", "primitives.cuh"];

/// Words that only nvcc understands, and what to write instead.
const FORBIDDEN: [(&str, &str); 3] = [
    ("<<<", "launch through launch(kernel, grid, block, ...)"),
    ("__shared__", "declare shared memory with SHARED(...) or DYN_SHARED(...)"),
    ("volatile", "poll with load_acquire, publish with store_release"),
];

/// The standard headers that an entry's host code may use.
const HOST_STANDARD: [&str; 4] = ["<algorithm>", "<cstring>", "<type_traits>", "<vector>"];

/// Parts of the names of tuning numbers, which `policy!` blocks declare.
const TUNING: [&str; 10] =
    ["Threads", "Block", "Tile", "Stage", "Items", "Batch", "Probes", "Chunk", "Shared", "Small"];

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let headers: Vec<_> = sources.iter().filter_map(|source| source.path.strip_prefix(HEADERS)).collect();
    let device = sources.iter().filter(|source| {
        source.path.starts_with("kernels/")
            && matches!(source.extension(), "cu" | "cuh")
            && !PORTABILITY.contains(&source.name())
    });
    device
        .flat_map(|source| {
            let mut findings = forbidden(source);
            findings.extend(tuning(source));
            if source.extension() == "cu" {
                findings.extend(includes(source, &headers));
            }
            findings
        })
        .collect()
}

fn forbidden(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    // For each open #if, whether its condition tells the two builds apart.
    let mut conditions: Vec<bool> = Vec::new();
    for (number, line) in source.code_lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if let Some(directive) = directive {
            let tells = directive.contains("SIM") || directive.contains("__CUDA");
            if directive.starts_with("if") {
                conditions.push(tells);
            } else if directive.starts_with("elif") {
                if let Some(last) = conditions.last_mut() {
                    *last |= tells;
                }
            } else if directive.starts_with("endif") {
                conditions.pop();
            }
        }
        let assembly = ["asm", "__asm__"].into_iter().find_map(|word| find_word(line, word));
        if assembly.is_some() && !conditions.contains(&true) {
            let what = "inline PTX outside an #if that leaves the simulator another way";
            findings.push(Finding::new(&source.path, number, what));
        }
        for (word, instead) in FORBIDDEN {
            let is_there = if word == "<<<" { line.contains(word) } else { find_word(line, word).is_some() };
            if is_there && !(word == "volatile" && assembly.is_some()) {
                findings.push(Finding::new(&source.path, number, format!("{word}: {instead}")));
            }
        }
    }
    findings
}

/// Tuning numbers come from `policy!` blocks, whose headers the build generates.
fn tuning(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in source.code_lines() {
        let policy = line.trim_start().strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {"));
        let name = policy.filter(|name| name.ends_with("Policy")).or_else(|| tuning_number(line));
        if let Some(name) = name {
            let what = format!("{name}: declare it in a policy! block of cuda.rs or kernels/src/tuning.rs");
            findings.push(Finding::new(&source.path, number, what));
        }
    }
    findings
}

/// The name of a constant of the line that has a number of its own and is named as a tuning number.
fn tuning_number(line: &str) -> Option<&str> {
    let declared = &line[find_word(line, "constexpr")?..];
    let (left, right) = declared.split_once('=')?;
    let value = right.split(';').next().unwrap_or_default();
    let is_own = value.chars().any(|c| c.is_ascii_digit()) && !value.contains(char::is_alphabetic);
    let name = left.split_whitespace().last()?;
    (is_own && TUNING.iter().any(|part| name.contains(part))).then_some(name)
}

/// A kernel includes the shared headers, its own generated interface and a few standard headers, nothing else.
fn includes(source: &Source, headers: &[&str]) -> Vec<Finding> {
    let own = format!("{}.abi.h", source.name().trim_end_matches(".cu"));
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(source.text.lines()) {
        let Some(directive) = line.trim_start().strip_prefix('#') else { continue };
        let Some(target) = directive.trim_start().strip_prefix("include") else { continue };
        let target = target.split("//").next().unwrap_or_default().trim();
        let quoted = target.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        let fits = |name: &str| name == own || PORTABILITY.contains(&name) || headers.contains(&name);
        if !quoted.is_some_and(fits) && !HOST_STANDARD.contains(&target) {
            let what = format!("includes {target}; kernels include {own} and the headers of {HEADERS} only");
            findings.push(Finding::new(&source.path, number, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        let header = Source::new("kernels/cuda/include/bits.cuh", String::new());
        let kernel = Source::new("kernels/src/a/scan/scan.cu", text.to_owned());
        check(&[header, kernel]).into_iter().map(|finding| (finding.line, finding.what)).collect()
    }

    #[test]
    fn portable_code_passes() {
        let text = "#include \"scan.abi.h\"\n#include \"kernel.h\"\n#include \"bits.cuh\"\n// volatile __shared__ <<<\n\
                    SHARED(a, int[4]);\n#ifdef __CUDA_SIM__\n#else\nasm volatile(\"mov\");\n#endif\nf(\"<<<\");";
        assert_eq!(found(text), []);
    }

    #[test]
    fn foreign_includes_are_found() {
        let found = found("#include <cub/cub.cuh>\n#include \"other.abi.h\"\n# include \"bits.cuh\" // fine");
        assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [1, 2]);
        assert!(found[0].1.starts_with("includes <cub/cub.cuh>; kernels include scan.abi.h"));
    }

    #[test]
    fn tuning_numbers_are_found() {
        let text = "struct ScanPolicy {\n  static constexpr int kThreads = 256;\n};\nconstexpr int64_t kChunk = 8 * 1024;\n\
                    constexpr int kTile = kThreads * ScanPolicy::kItems;\nconstexpr int kMonths = 12;\nint kTile = 3;";
        let lines: Vec<_> = found(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 2, 4]);
    }

    #[test]
    fn unportable_words_are_found() {
        let text = "k<<<1, 2>>>();\nextern __shared__ int a[];\nvolatile int *p;\nasm(\"mov\");\n#if N > 4\nasm(\"x\");\n#endif";
        let lines: Vec<_> = found(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 6]);
    }
}
