//! What the process has registered: objects with their PTX, and the host's addresses of kernels.

mod fat_binary;
mod interface;
#[cfg(test)]
mod tests;

use crate::counts;
use crate::machine::{Launch, Machine, Options};
use crate::memory;
use crate::parser;
use crate::program::Module;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A module with its variables in memory.
struct Loaded {
    module: Module,
    /// Addresses of the variables, which live as long as the process.
    globals: Vec<u64>,
    /// How often each instruction ran.
    issued: Mutex<Vec<u64>>,
}

/// A kernel of a loaded module.
#[derive(Clone)]
struct Kernel {
    loaded: Arc<Loaded>,
    index: usize,
}

/// The PTX of an object, or why it has none.
type Source = Result<String, String>;
/// The module of an object, or why it is none.
type LoadResult = Result<Arc<Loaded>, String>;

#[derive(Default)]
struct Registry {
    /// The text of each object, or why it has none, and the module once it is loaded.
    objects: Vec<(Source, Option<LoadResult>)>,
    /// By the host's address: the object and the name.
    functions: HashMap<usize, (usize, String)>,
    kernels: HashMap<usize, Kernel>,
}

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);
static OPTIONS: OnceLock<Options> = OnceLock::new();

/// The code of an error, as in CUDA, and its text.
type Failure = (i32, String);
const INVALID_FUNCTION: i32 = 98;
const INVALID_PTX: i32 = 218;
const LAUNCH_FAILURE: i32 = 719;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with_registry<T>(f: impl FnOnce(&mut Registry) -> T) -> T {
    f(lock(&REGISTRY).get_or_insert_default())
}

impl Registry {
    fn register_object(&mut self, text: Source) -> usize {
        self.objects.push((text, None));
        self.objects.len() - 1
    }

    fn register_function(&mut self, object: usize, host: usize, name: String) {
        self.functions.insert(host, (object, name));
    }

    fn loaded(&mut self, object: usize) -> Result<Arc<Loaded>, String> {
        let (text, loaded) = self.objects.get_mut(object).ok_or("no such object")?;
        loaded.get_or_insert_with(|| load(text.as_ref().map_err(Clone::clone)?)).clone()
    }

    fn kernel(&mut self, host: usize) -> Result<Kernel, Failure> {
        if let Some(kernel) = self.kernels.get(&host) {
            return Ok(kernel.clone());
        }
        let unknown = || (INVALID_FUNCTION, "a kernel that no object registered".to_owned());
        let (object, name) = self.functions.get(&host).cloned().ok_or_else(unknown)?;
        let loaded = self.loaded(object).map_err(|text| (INVALID_PTX, text))?;
        let index = *loaded.module.by_name.get(&name).ok_or_else(unknown)?;
        let kernel = Kernel { loaded, index };
        self.kernels.insert(host, kernel.clone());
        Ok(kernel)
    }
}

/// Parses a text and gives its variables memory.
fn load(text: &str) -> Result<Arc<Loaded>, String> {
    let module = parser::parse(text).map_err(|error| error.to_string())?;
    let place = |global: &crate::program::Global| {
        // Kernels access a variable until the process ends. Words, so that it is aligned.
        let words: &'static mut [u128] =
            Box::leak(vec![0; global.size.div_ceil(16).max(1)].into_boxed_slice());
        for (at, byte) in global.bytes.iter().enumerate() {
            words[at / 16] |= u128::from(*byte) << (8 * (at % 16));
        }
        let start = words.as_ptr().expose_provenance() as u64;
        memory::allocated(start, global.size as u64);
        start
    };
    let globals = module.globals.iter().map(place).collect();
    let issued = Mutex::new(vec![0; module.code.len()]);
    Ok(Arc::new(Loaded { module, globals, issued }))
}

/// A launch with its parameters copied, to run when its stream comes to it.
struct Pending {
    kernel: Kernel,
    /// 16-byte units, so that the parameters are aligned.
    params: Vec<u128>,
}

impl Kernel {
    fn function(&self) -> &crate::program::Function {
        &self.loaded.module.functions[self.index]
    }
}

impl Pending {
    fn run(&self, launch: Launch<'_>) -> Result<(), Failure> {
        let Loaded { module, globals, issued } = &*self.kernel.loaded;
        let options = OPTIONS.get().copied().unwrap_or_default();
        let outcome = Machine::new(module, globals, &options, self.kernel.index, launch).run();
        let outcome = outcome.map_err(|fault| (LAUNCH_FAILURE, fault.to_string()))?;
        counts::add(&self.kernel.function().name, outcome.counts);
        let mut issued = lock(issued);
        for (pc, count) in outcome.issued {
            issued[pc as usize] += count;
        }
        Ok(())
    }
}

/// What the program's objects contain, and how much of it ran.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Launches of each kernel, by mangled name.
    pub kernels: BTreeMap<String, u64>,
    /// Instruction forms: places in the code, places that ran, and how often warps ran them.
    pub forms: BTreeMap<String, [u64; 3]>,
}

/// Loads every registered object, and says what the launches so far reached of it.
///
/// # Errors
/// An object without PTX, or an instruction that is not known, with its line.
pub fn coverage() -> Result<Coverage, String> {
    let launches = counts::snapshot();
    let mut coverage = Coverage::default();
    let count = with_registry(|registry| registry.objects.len());
    for object in 0..count {
        let loaded = with_registry(|registry| registry.loaded(object))?;
        for kernel in loaded.module.functions.iter().filter(|function| function.is_kernel) {
            let launched = launches.get(&kernel.name).map_or(0, |counts| counts.launches);
            coverage.kernels.insert(kernel.name.clone(), launched);
        }
        for (inst, issued) in loaded.module.code.iter().zip(&*lock(&loaded.issued)) {
            let form = loaded.module.forms[inst.form as usize].clone();
            let [places, reached, ran] = coverage.forms.entry(form).or_default();
            *places += 1;
            *reached += u64::from(*issued > 0);
            *ran += issued;
        }
    }
    Ok(coverage)
}
