//! What ptxas says of the kernels: registers, stack, spills, shared memory, and the occupancy that follows.

use crate::workspace;
use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

/// Threads of a block, unless a kernel chooses otherwise.
const BLOCK: u32 = 256;
/// Of a multiprocessor of every architecture below.
const REGISTERS: u32 = 65536;
const THREADS: u32 = 2048;
/// The architectures of a release, with the shared memory of a multiprocessor that blocks can have.
const ARCHITECTURES: [(&str, u32); 3] = [("sm_80", 163 << 10), ("sm_90", 227 << 10), ("sm_100", 227 << 10)];
/// The one that every change is compiled for.
const USUAL: &str = "sm_90";
/// The same with PTX for the simulator beside it, where the environment chooses it.
const USUAL_WITH_PTX: &str = "sm_90+ptx";
/// Registers are given to warps in units of this many.
const REGISTER_UNIT: u32 = 256;
const LEAST_OCCUPANCY: f64 = 0.5;
/// Of a kernel whose blocks share less than [`LITTLE_SHARED`] bytes: a thread of it has a row, or a few, to itself, and nothing
/// but other warps to hide the latency of its loads.
const LEAST_OCCUPANCY_OF_ROWS: f64 = 0.75;
const LITTLE_SHARED: u32 = 256;

/// CUB chooses the registers and the shared memory of its own kernels.
const FOREIGN: &str = "_ZN3cub";
const SPILLS_AT_64: &str = "bounded to 64 registers it spills";
const SPILLS_AT_40: &str = "bounded to 40 registers, which three quarters take, it spills";
/// Kernels, by part of their mangled name, that may fill less of a multiprocessor: how much they must, with the reason.
const LOW_OCCUPANCY: [(&str, f64, &str); 23] = [
    (
        "scan_rowsINS_8ExactSumEn",
        0.0,
        "sums of 128-bit decimals have 192 bits: a tile of them takes 44 KiB of shared memory",
    ),
    ("scan_rowsINS_3MinInEEn", 0.0, SPILLS_AT_64),
    ("scan_rowsINS_3MaxInEEn", 0.0, SPILLS_AT_64),
    ("11write_meansENS0_5Means", 0.0, SPILLS_AT_64),
    ("11insert_rowsIyNS_7AnyRows", 0.5, SPILLS_AT_40),
    ("9find_rowsIjNS_7AnyRows", 0.5, SPILLS_AT_40),
    ("9find_rowsIyNS_7AnyRows", 0.5, SPILLS_AT_40),
    ("13find_disorderI", 0.5, SPILLS_AT_40),
    ("14compare_valuesIn", 0.5, SPILLS_AT_40),
    ("13binary_valuesIaLin1", 0.5, SPILLS_AT_40),
    ("13binary_valuesIhLin1", 0.5, SPILLS_AT_40),
    ("13choose_valuesIh", 0.5, SPILLS_AT_40),
    ("11divide_rowsENS_7OperandIn", 0.5, SPILLS_AT_40),
    ("11fold_chunksINS0_13StringExtreme", 0.5, SPILLS_AT_40),
    ("12merge_chunksINS0_13StringExtreme", 0.5, SPILLS_AT_40),
    ("14pairs_of_nodesI", 0.5, SPILLS_AT_40),
    ("17quantiles_of_rowsI", 0.5, SPILLS_AT_40),
    (
        "17merge_far_windowsI",
        0.5,
        "two states of up to 64 bytes; bounded to 64 registers, and taken by few windows",
    ),
    ("14evaluate_stepsENS0_4Plan", 0.5, "an interpreter with several rows a thread, bounded to 64 registers"),
    ("10accumulateINS0_", 0.5, "several rows a thread, whose sums stay in registers"),
    (
        "16aggregate_rangesENS0_4Plan",
        0.5,
        "several rows a thread; the shared memory is asked for at the launch",
    ),
    ("20exclusive_sum_of_fewI", 0.5, "one block"),
    ("14FormattedTimesE", 0.5, SPILLS_AT_40),
];

/// Kernels, by part of their mangled name, that may have a stack of so many bytes, with the reason. The numbers are
/// those of `MathOp`: sine, cosine and tangent.
const STACK: [(&str, u32, &str); 3] = [
    ("math_valuesILi7E", 40, "the reduction of large angles keeps a product of five words in an array"),
    ("math_valuesILi8E", 40, "as the sine"),
    ("math_valuesILi9E", 40, "as the sine"),
];

/// A kernel of one architecture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Resources {
    registers: u32,
    stack: u32,
    spilled: u32,
    shared: u32,
}

impl Resources {
    /// The share of a multiprocessor's threads that can be resident, in blocks of [`BLOCK`].
    fn occupancy(self, shared: u32) -> f64 {
        let warp = (self.registers * 32).next_multiple_of(REGISTER_UNIT).max(1);
        let by_registers = REGISTERS / (warp * (BLOCK / 32));
        let by_shared = shared.checked_div(self.shared).unwrap_or(u32::MAX);
        let blocks = by_registers.min(by_shared).min(THREADS / BLOCK);
        f64::from(blocks * BLOCK) / f64::from(THREADS)
    }
}

/// Builds the kernels for the usual architecture, or for all of a release, and reads what ptxas said.
pub(crate) fn run(only: &str, check: bool, all: bool) -> Result<ExitCode, String> {
    let mut refused = 0;
    let shared_objects = std::env::var("COLUMNADE_CUDA_ARCH").is_ok_and(|chosen| chosen == USUAL_WITH_PTX);
    for (architecture, shared) in ARCHITECTURES.into_iter().filter(|(name, _)| all || *name == USUAL) {
        let architecture =
            if architecture == USUAL && shared_objects { USUAL_WITH_PTX } else { architecture };
        refused += of_architecture(architecture, shared, only)?;
    }
    Ok(if check && refused > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The number of kernels beyond their limits.
fn of_architecture(architecture: &str, shared: u32, only: &str) -> Result<usize, String> {
    let mut command = workspace::cargo();
    command.args(["build", "--quiet", "-p", "columnade-kernels", "--features", "columnade-kernels/cuda"]);
    command.env("COLUMNADE_CUDA_ARCH", architecture);
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("the kernels do not compile for {architecture}"));
    }
    let folder = workspace::target().join(format!("columnade-objects/cuda-{architecture}"));
    let mut kernels = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "ptxas") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            kernels.extend(parse(&text));
        }
    }
    if kernels.is_empty() {
        return Err(format!("{}: ptxas said nothing of any kernel", folder.display()));
    }
    println!("registers  stack  spilled  shared  occupancy  kernel");
    let mut refused = Vec::new();
    for (name, of) in kernels.iter().filter(|(name, _)| name.contains(only)) {
        let reason = objection(name, *of, shared);
        if reason.is_some() || !only.is_empty() {
            let Resources { registers, stack, spilled, shared: used } = of;
            println!(
                "{registers:>9}  {stack:>5}  {spilled:>7}  {used:>6}  {:>8.0}%  {name}",
                100.0 * of.occupancy(shared)
            );
        }
        refused.extend(reason.map(|reason| format!("{name}: {reason}")));
    }
    for line in &refused {
        println!("{line}");
    }
    println!("{architecture}: {} kernels, {} beyond their limits", kernels.len(), refused.len());
    Ok(refused.len())
}

/// What is wrong with a kernel's resources.
fn objection(name: &str, of: Resources, shared: u32) -> Option<&'static str> {
    let stack = STACK.iter().find(|(part, ..)| name.contains(part)).map_or(0, |(_, bytes, _)| *bytes);
    let usual = if of.shared < LITTLE_SHARED { LEAST_OCCUPANCY_OF_ROWS } else { LEAST_OCCUPANCY };
    let least =
        LOW_OCCUPANCY.iter().find(|(part, ..)| name.contains(part)).map_or(usual, |(_, least, _)| *least);
    if name.starts_with(FOREIGN) {
        None
    } else if of.spilled > 0 {
        Some("spills registers")
    } else if of.stack > stack {
        Some("has a stack frame")
    } else if of.occupancy(shared) >= least {
        None
    } else if of.occupancy(shared) < LEAST_OCCUPANCY {
        Some("fills less than half of a multiprocessor")
    } else {
        Some("shares little and fills less than three quarters of a multiprocessor")
    }
}

/// The kernels in what ptxas prints, by mangled name.
fn parse(text: &str) -> BTreeMap<String, Resources> {
    let mut kernels = BTreeMap::new();
    let mut name = String::new();
    let mut of = Resources::default();
    let number = |line: &str, unit: &str| -> u32 {
        let words = line.split(unit).next().map(str::split_whitespace);
        words.and_then(Iterator::last).and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            rest.split('\'').next().unwrap_or_default().clone_into(&mut name);
            of = Resources::default();
        } else if line.contains("bytes stack frame") {
            of.stack = number(line, " bytes stack frame");
            let spilled = line.split_once("stack frame,").map_or("", |(_, rest)| rest);
            of.spilled = number(spilled, " bytes spill stores");
        } else if line.contains(" registers") && !name.is_empty() {
            of.registers = number(line, " registers");
            of.shared = if line.contains(" bytes smem") { number(line, " bytes smem") } else { 0 };
            kernels.insert(std::mem::take(&mut name), of);
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::{Resources, objection, parse};

    const HOPPER: u32 = 227 << 10;

    const TEXT: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3onei' for 'sm_90'
ptxas info    : Function properties for _Z3onei
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 4096 bytes smem, 400 bytes cmem[0]
ptxas info    : Compiling entry function '_Z3twoi' for 'sm_90'
ptxas info    : Function properties for _Z3twoi
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 168 registers, used 0 barriers, 400 bytes cmem[0]";

    #[test]
    fn resources_of_each_kernel_are_read() {
        let kernels = parse(TEXT);
        assert_eq!(kernels.len(), 2);
        assert_eq!(kernels["_Z3onei"], Resources { registers: 32, stack: 0, spilled: 0, shared: 4096 });
        assert_eq!(kernels["_Z3twoi"], Resources { registers: 168, stack: 16, spilled: 8, shared: 0 });
    }

    #[test]
    fn occupancy_follows_from_registers_and_shared_memory() {
        let of =
            |registers, shared| Resources { registers, shared, ..Resources::default() }.occupancy(HOPPER);
        let shares = [of(32, 0), of(33, 0), of(64, 0), of(168, 0), of(32, 64 << 10)];
        assert_eq!(shares.map(|share| share.to_string()), ["1", "0.75", "0.5", "0.125", "0.375"]);
    }

    #[test]
    fn spills_stack_and_low_occupancy_are_refused() {
        let kernels = parse(TEXT);
        assert_eq!(objection("_Z3onei", kernels["_Z3onei"], HOPPER), None);
        assert_eq!(objection("_Z3twoi", kernels["_Z3twoi"], HOPPER), Some("spills registers"));
        let stack = Resources { registers: 32, stack: 8, ..Resources::default() };
        assert_eq!(objection("_Z3six", stack, HOPPER), Some("has a stack frame"));
        let angles = Resources { stack: 40, ..stack };
        assert_eq!(objection("_Z11math_valuesILi7EEvl", angles, HOPPER), None);
        assert_eq!(objection("_Z11math_valuesILi10EEvl", angles, HOPPER), Some("has a stack frame"));
        let more = Resources { stack: 48, ..stack };
        assert_eq!(objection("_Z11math_valuesILi7EEvl", more, HOPPER), Some("has a stack frame"));
        let wide = Resources { registers: 168, ..Resources::default() };
        assert_eq!(objection("_Z3six", wide, HOPPER), Some("fills less than half of a multiprocessor"));
        let half = Resources { registers: 64, ..Resources::default() };
        let reason = "shares little and fills less than three quarters of a multiprocessor";
        assert_eq!(objection("_Z3six", half, HOPPER), Some(reason));
        assert_eq!(objection("_Z3six", Resources { shared: 4096, ..half }, HOPPER), None);
        assert_eq!(objection("_Z11divide_rowsENS_7OperandInEES2_", half, HOPPER), None);
        let less = Resources { registers: 72, ..half };
        assert_eq!(
            objection("_Z11divide_rowsENS_7OperandInEES2_", less, HOPPER),
            Some("fills less than half of a multiprocessor")
        );
    }
}
