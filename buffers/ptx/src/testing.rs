//! For tests: device memory, and launches of a PTX text.

use crate::counts::Counts;
use crate::machine::{Launch, Machine, Options};
use crate::{memory, parser};

/// An array in device memory.
pub(crate) struct Array {
    words: Vec<u64>,
}

impl Array {
    pub(crate) fn new(words: Vec<u64>) -> Self {
        memory::allocated(words.as_ptr().expose_provenance() as u64, words.len() as u64 * 8);
        Self { words }
    }

    pub(crate) fn zeros(count: usize) -> Self {
        Self::new(vec![0; count])
    }

    pub(crate) fn address(&self) -> u64 {
        self.words.as_ptr().expose_provenance() as u64
    }

    /// What a launch that is over has written.
    pub(crate) fn words(&self) -> Vec<u64> {
        let start = std::ptr::with_exposed_provenance::<u64>(self.address() as usize);
        // SAFETY: in the vector; launches write through the same exposed address.
        (0..self.words.len()).map(|at| unsafe { start.add(at).read_volatile() }).collect()
    }

    /// The 32-bit halves.
    pub(crate) fn halves(&self) -> Vec<u32> {
        self.words().into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]).collect()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        memory::freed(self.address());
    }
}

/// A kernel `k` with 64-bit parameters `p0`, `p1`, … in the registers `%p0`, `%p1`, …, `%i` as the thread's number
/// and the registers `%s`, `%r`, `%d` and `%q` of 16, 32, 64 bits and predicates.
pub(crate) fn kernel(params: usize, declarations: &str, body: &str) -> String {
    let list: Vec<String> = (0..params).map(|k| format!(".param .u64 p{k}")).collect();
    let loads: String = (0..params).map(|k| format!("ld.param.u64 %p{k}, [p{k}];\n")).collect();
    format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{declarations}\n\
         .visible .entry k({})\n{{\n.reg .pred %q<9>; .reg .b16 %s<9>; .reg .b32 %r<9>, %i, %t<4>;\n\
         .reg .b64 %d<9>, %p<9>, %o;\n{loads}\
         mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x;\n\
         mad.lo.s32 %i, %t0, %t1, %t2; mul.wide.u32 %o, %i, 8;\n{body}\nret;\n}}\n",
        list.join(", ")
    )
}

/// Launches the kernel `k` of a text; the counts or the report.
pub(crate) fn launch(text: &str, grid: u32, block: u32, params: &[u64]) -> Result<Counts, String> {
    launch_with(text, grid, block, params, &Options::default())
}

pub(crate) fn launch_with(
    text: &str,
    grid: u32,
    block: u32,
    params: &[u64],
    options: &Options,
) -> Result<Counts, String> {
    let module = parser::parse(text).map_err(|error| error.to_string())?;
    let variables: Vec<Array> = module
        .globals
        .iter()
        .map(|global| {
            let mut words = vec![0u64; global.size.div_ceil(8).max(1)];
            for (at, byte) in global.bytes.iter().enumerate() {
                words[at / 8] |= u64::from(*byte) << (at % 8 * 8);
            }
            Array::new(words)
        })
        .collect();
    let globals: Vec<u64> = variables.iter().map(Array::address).collect();
    let bytes: Vec<u8> = params.iter().flat_map(|param| param.to_le_bytes()).collect();
    let _ = bytes.as_ptr().expose_provenance();
    let launch = Launch {
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        dynamic_shared: 256,
        is_cooperative: false,
        params: &bytes,
    };
    let kernel = module.by_name["k"];
    Machine::new(&module, &globals, options, kernel, launch)
        .run()
        .map(|outcome| outcome.counts)
        .map_err(|fault| fault.to_string())
}
