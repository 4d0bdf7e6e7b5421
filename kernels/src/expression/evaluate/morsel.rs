//! The registers of a program for one morsel of rows, which stay in the cache.

use super::demand::{Demand, Overflows, Rows};
use super::steps;
use crate::elementwise::lane::Lane;
use crate::expression::{Op, Program, Register, Source};
use crate::strings_view::Strings;
use crate::{Element, Result, ViewGuard};
use columnade_buffers::Pod;
use std::ops::Range;

/// Rows of a morsel. A register of eight-byte values takes 16 KiB: ten of them fit in the L2 cache of any
/// server core, two or three in the L1 cache.
pub(crate) const MORSEL_ROWS: usize = 2048;

/// Words of a mask of a morsel.
pub(crate) const MORSEL_WORDS: usize = MORSEL_ROWS / 64;

/// A bit for each row of a morsel.
pub(super) type RowBits = [u64; MORSEL_WORDS];

/// The rows of a morsel where a step overflows.
pub(super) type Overflow = Box<RowBits>;

/// One register: values and validity of the morsel's rows.
#[derive(Debug, Default)]
pub(super) struct RegisterValues {
    /// Values, packed from the start; `u128` for alignment.
    data: Vec<u128>,
    /// Validity words; meaningful only when `nulls`.
    validity: Vec<u64>,
    /// Whether any row may be null.
    nulls: bool,
}

/// The state of one worker, reused for every morsel.
pub(crate) struct Morsel<'a> {
    program: &'a Program,
    inputs: &'a [ViewGuard<'a>],
    first: usize,
    rows: usize,
    slots: Vec<RegisterValues>,
    /// Inputs whose values were copied into their slot instead of being read in place.
    copied: Vec<bool>,
    /// Steps that overflow, with their rows.
    overflowed: Vec<(usize, RowBits)>,
}

impl RegisterValues {
    pub(super) fn values_mut<T: Pod>(&mut self, rows: usize) -> &mut [T] {
        let bytes = rows * size_of::<T>();
        self.data.resize(bytes.div_ceil(16).max(self.data.len()), 0);
        &mut bytemuck::cast_slice_mut(&mut self.data)[..rows]
    }

    pub(super) fn values<T: Pod>(&self, rows: usize) -> &[T] {
        &bytemuck::cast_slice(&self.data)[..rows]
    }

    /// The validity words; the caller writes all of them.
    pub(super) fn validity_mut(&mut self) -> &mut [u64; MORSEL_WORDS] {
        self.nulls = true;
        self.validity.resize(MORSEL_WORDS, 0);
        #[expect(clippy::unwrap_used, reason = "the vector was just made that long")]
        self.validity.first_chunk_mut().unwrap()
    }

    pub(super) fn set_all_valid(&mut self) {
        self.nulls = false;
    }

    pub(super) fn validity(&self) -> Option<&[u64; MORSEL_WORDS]> {
        if self.nulls { self.validity.first_chunk() } else { None }
    }
}

impl<'a> Morsel<'a> {
    /// A worker over these inputs.
    pub(crate) fn new(program: &'a Program, inputs: &'a [ViewGuard<'a>]) -> Self {
        let registers = program.inputs().len() + program.steps().len();
        let slots = std::iter::repeat_with(RegisterValues::default).take(registers).collect();
        Self {
            program,
            inputs,
            first: 0,
            rows: 0,
            slots,
            copied: vec![false; inputs.len()],
            overflowed: Vec::new(),
        }
    }

    /// Loads the rows `first .. first + rows`, at most [`MORSEL_ROWS`]; the inputs marked in `needed` become
    /// readable.
    pub(crate) fn load(&mut self, first: usize, rows: usize, needed: &[bool]) {
        debug_assert!(rows <= MORSEL_ROWS);
        self.first = first;
        self.rows = rows;
        self.overflowed.clear();
        self.load_inputs(needed);
    }

    /// Makes more inputs of the current rows readable.
    pub(crate) fn load_inputs(&mut self, needed: &[bool]) {
        let (first, rows) = (self.first, self.rows);
        for (index, (guard, slot)) in self.inputs.iter().zip(&mut self.slots).enumerate() {
            if !needed[index] {
                continue;
            }
            self.copied[index] = false;
            match guard.validity() {
                None => slot.set_all_valid(),
                Some(bits) => copy_words(bits.slice(first, rows).words(), slot.validity_mut()),
            }
            if self.program.inputs()[index] == Source::Fixed(crate::Storage::Bit) {
                let bits = guard.value_bits().slice(first, rows);
                copy_words(bits.words(), slot.values_mut::<u64>(MORSEL_WORDS));
            }
        }
    }

    /// Loads only the current rows listed in `selected` (ascending positions within the morsel), packed: the
    /// morsel then has `selected.len()` rows.
    pub(crate) fn load_selected(&mut self, selected: &[u32], needed: &[bool]) {
        let first = self.first;
        for (index, (guard, slot)) in self.inputs.iter().zip(&mut self.slots).enumerate() {
            if !needed[index] {
                continue;
            }
            match guard.validity() {
                None => slot.set_all_valid(),
                Some(bits) => steps::pack_words(selected.len(), slot.validity_mut(), |i| {
                    bits.get(first + selected[i] as usize)
                }),
            }
            let Source::Fixed(storage) = self.program.inputs()[index] else {
                continue;
            };
            self.copied[index] = true;
            dispatch_width!(storage, T => {
                let source = &guard.values::<T>()[first..];
                for (out, &row) in slot.values_mut::<T>(selected.len()).iter_mut().zip(selected) {
                    *out = source[row as usize];
                }
            }, bit => {
                let bits = guard.value_bits();
                steps::pack_words(selected.len(), slot.values_mut::<u64>(MORSEL_WORDS), |i| bits.get(first + selected[i] as usize));
            });
        }
        self.rows = selected.len();
        self.overflowed.clear();
    }

    /// Runs the steps marked in `needed` (indexed by register), in order. What overflows is for [`Morsel::check`].
    ///
    /// # Errors
    /// [`crate::Error::UnsupportedStorage`].
    pub(crate) fn run(&mut self, needed: &[bool]) -> Result<()> {
        let inputs = self.program.inputs().len();
        for (index, step) in self.program.steps().iter().enumerate() {
            let register = inputs + index;
            if needed[register] {
                let mut slot = std::mem::take(&mut self.slots[register]);
                let done = steps::run(step, &*self, &mut slot);
                self.slots[register] = slot;
                if let Some(rows) = done? {
                    self.overflowed.push((index, *rows));
                }
            }
        }
        Ok(())
    }

    /// Whether a step that ran since the morsel was loaded overflows in a row that the filter depends on, or that it keeps and
    /// one of `results` depends on.
    ///
    /// # Errors
    /// [`crate::Error::StepOverflow`].
    pub(crate) fn check(&self, filter: Option<Register>, results: &[Register]) -> Result<()> {
        if self.overflowed.is_empty() {
            return Ok(());
        }
        let demand = filter.map_or(Demand::All, |filter| Demand::Some(self.rows_where(filter, true)));
        let demands = results.iter().map(|&register| (register, demand.clone())).collect();
        let overflows = Overflows::new(self.program, &self.overflowed);
        overflows.check(demands, filter, |register, value| Ok(self.rows_where(register, value)))
    }

    /// The rows where a bit register is valid and has this value.
    fn rows_where(&self, register: Register, value: bool) -> RowBits {
        let valid = self.validity(register);
        let flip = if value { 0 } else { u64::MAX };
        let mut rows = [0; MORSEL_WORDS];
        for (k, (rows, bits)) in rows.iter_mut().zip(self.bits(register)).enumerate() {
            *rows = (bits ^ flip) & valid.map_or(u64::MAX, |mask| mask[k]);
        }
        rows
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The values of a register; `T` must match its storage type.
    pub(crate) fn lane<T: Element>(&self, register: Register) -> Lane<'_, T> {
        if let Some(guard) = self.inputs.get(register)
            && !self.copied[register]
        {
            return Lane::Slice(&guard.values::<T>()[self.first..self.first + self.rows]);
        }
        if let Some(step) = register.checked_sub(self.inputs.len())
            && let Op::Constant(value) = self.program.steps()[step].op
        {
            return Lane::Scalar(value.and_then(T::from_value).unwrap_or_default());
        }
        Lane::Slice(self.slots[register].values(self.rows))
    }

    /// The values of a register as unsigned integers of their width, for what moves them only.
    pub(crate) fn bytes_lane<T: Pod>(&self, register: Register) -> Lane<'_, T> {
        if let Some(guard) = self.inputs.get(register)
            && !self.copied[register]
        {
            return Lane::Slice(&guard.values::<T>()[self.first..self.first + self.rows]);
        }
        if let Some(step) = register.checked_sub(self.inputs.len())
            && let Op::Constant(value) = self.program.steps()[step].op
        {
            let bytes = value.map_or([0; 16], crate::Value::to_bytes);
            return Lane::Scalar(bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()]));
        }
        Lane::Slice(self.slots[register].values(self.rows))
    }

    /// The storage type of a register that is not a string input.
    pub(super) fn storage(&self, register: Register) -> crate::Storage {
        self.program.storage(register).unwrap_or(crate::Storage::Bit)
    }

    /// The values of a bit register; bits beyond the last row are unspecified.
    pub(crate) fn bits(&self, register: Register) -> &[u64] {
        self.slots[register].values(MORSEL_WORDS)
    }

    /// The validity of a register; `None`: every row is valid.
    pub(crate) fn validity(&self, register: Register) -> Option<&[u64; MORSEL_WORDS]> {
        self.slots[register].validity()
    }

    /// The rows of a string input, and the range of them that is the morsel. Not after
    /// [`Morsel::load_selected`]: strings are read in place.
    pub(super) fn strings(&self, register: Register) -> (Strings<'_>, Range<usize>) {
        (self.inputs[register].strings(), self.first..self.first + self.rows)
    }
}

impl Rows for RowBits {
    fn and(&self, other: &Self) -> Result<Self> {
        Ok(std::array::from_fn(|k| self[k] & other[k]))
    }

    fn and_not(&self, other: &Self) -> Result<Self> {
        Ok(std::array::from_fn(|k| self[k] & !other[k]))
    }

    fn or(&self, other: &Self) -> Result<Self> {
        Ok(std::array::from_fn(|k| self[k] | other[k]))
    }

    fn not(&self) -> Result<Self> {
        Ok(self.map(|word| !word))
    }

    fn any(&self) -> Result<bool> {
        Ok(self.iter().any(|&word| word != 0))
    }
}

fn copy_words(words: impl Iterator<Item = u64>, out: &mut [u64]) {
    for (out, word) in out.iter_mut().zip(words) {
        *out = word;
    }
}
