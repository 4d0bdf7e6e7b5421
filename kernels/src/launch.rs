//! Calls of entries: memory and errors.

use crate::abi::{Alloc, Entry};
use crate::interrupt::Checkpoint;
use crate::runtime;
use crate::tuning::{SCRATCH_BLOCK_LEAST, SCRATCH_BLOCK_MOST};
use crate::{ColumnData, Error, FixedData, OffsetWidth, Result, Storage, StringData, View};
use columnade_buffers::{Buffer, Exec, OwnedWriteGuard, PinnedMemory};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One call of an entry: allocates memory for the running entry and keeps it pinned until the call is over.
pub(crate) struct Launch<'a> {
    exec: &'a Exec,
    memory: Box<Memory>,
}

/// The state of the callback. Boxed, because the entry has its address.
struct Memory {
    exec: Exec,
    scratch: Scratch,
    pinned: SmallVec<[PinnedMemory; 1]>,
    outputs: SmallVec<[Option<OwnedWriteGuard>; 4]>,
    error: Option<Error>,
}

/// Alignment of arrays in scratch memory: that of the allocations of a GPU.
const SCRATCH_ALIGNMENT: usize = 256;

/// In the tests of this crate every array is an allocation, so that the address sanitizer and the flavour `ptx` see
/// where it ends.
const SHARED_SCRATCH: bool = !cfg!(test);

/// Outputs of a column, of any type; `kColumnSlots` of `strings.cuh`.
const COLUMN_OUTPUTS: usize = 3;

/// CUDA's code for "out of memory", which an entry returns if `take` returned null.
const OUT_OF_MEMORY: i32 = 2;

impl<'a> Launch<'a> {
    /// A call on `exec`.
    pub(crate) fn new(exec: &'a Exec) -> Self {
        let memory = Memory {
            exec: exec.clone(),
            scratch: Scratch::default(),
            pinned: SmallVec::new(),
            outputs: SmallVec::new(),
            error: None,
        };
        Self { exec, memory: Box::new(memory) }
    }

    /// The allocator for the arguments. Valid while `self` lives.
    pub(crate) fn alloc(&mut self) -> Alloc {
        Alloc { context: (&raw mut *self.memory).cast(), take }
    }

    /// Calls the entry.
    ///
    /// # Safety
    /// Every pointer in `args` must be valid for the entry's use of it, and stay valid until the work that
    /// the entry queues on the stream is ordered before any reuse: guards held across this call ensure both.
    pub(crate) unsafe fn run<A>(&mut self, entry: Entry<A>, args: &A) -> Result<()> {
        Checkpoint::current().check();
        let device = self.exec.device();
        device.make_current()?;
        runtime::require_kernels(device)?;
        // What failed before, perhaps in code of others, is not an error of this call.
        runtime::clear_last_error(device);
        // SAFETY: the pointers in `args` are valid by the caller's promise; `args` itself lives across the
        // call.
        let code = unsafe { (entry.function)(args, self.exec.stream().as_raw()) };
        if let Some(error) = self.memory.error.take() {
            return Err(error);
        }
        match code {
            0 => Ok(()),
            OUT_OF_MEMORY => Err(columnade_buffers::Error::OutOfMemory {
                device,
                requested: 0,
                free: None,
                tier_refusal: None,
            }
            .into()),
            code => Err(columnade_buffers::Error::Device {
                device,
                call: entry.name,
                code,
                text: runtime::describe(device, code),
            }
            .into()),
        }
    }

    /// The column of `len` rows that the entry wrote, of the same type as `like`: values or characters in
    /// output 0, the mask in output 1 if requested, and in output 2 the offsets of `string_bytes` bytes of
    /// characters.
    pub(crate) fn column(&mut self, like: &View<'_>, len: usize, string_bytes: usize) -> Result<ColumnData> {
        self.column_at(0, like, len, string_bytes)
    }

    /// [`column`](Self::column) number `column` of an entry that writes several: its outputs are the three from
    /// `3 * column` on.
    pub(crate) fn column_at(
        &mut self,
        column: usize,
        like: &View<'_>,
        len: usize,
        string_bytes: usize,
    ) -> Result<ColumnData> {
        let first = COLUMN_OUTPUTS * column;
        let data = self.output(first)?;
        let masked = self.memory.outputs.get(first + 1).is_some_and(Option::is_some);
        // An entry may write whole words of bits: bytes after the last bit are excluded.
        let validity = if masked { Some(self.output(first + 1)?.slice(0, len.div_ceil(8))) } else { None };
        Ok(match like {
            View::Fixed(fixed) => {
                let data = data.slice(0, fixed.storage.bytes(len));
                ColumnData::Fixed(FixedData { storage: fixed.storage, len, data, validity })
            }
            View::String(_) => ColumnData::String(StringData {
                len,
                offsets: self.output(first + 2)?,
                // Without characters an entry leaves narrow offsets as they are.
                offset_width: if crate::limits::are_small() && string_bytes > 0 {
                    OffsetWidth::I64
                } else {
                    OffsetWidth::for_bytes(string_bytes)
                },
                chars: data,
                validity,
            }),
        })
    }

    /// An overflow of `storage` if the word that the entry wrote to `slot` is not zero. Synchronises.
    pub(crate) fn check_flag(&mut self, slot: usize, storage: Storage) -> Result<()> {
        let flag = self.output(slot)?.to_vec::<u32>(self.exec)?;
        if flag.iter().any(|&word| word != 0) { Err(Error::Overflow { storage }) } else { Ok(()) }
    }

    /// The output that the entry allocated for `slot`, if it did.
    pub(crate) fn given_output(&mut self, slot: usize) -> Option<Buffer> {
        self.memory.outputs.get_mut(slot).and_then(Option::take).map(OwnedWriteGuard::into_buffer)
    }

    /// The output that the entry allocated for `slot`; an empty buffer if it allocated none.
    pub(crate) fn output(&mut self, slot: usize) -> Result<Buffer> {
        match self.given_output(slot) {
            Some(buffer) => Ok(buffer),
            None => Ok(Buffer::uninit(0, self.exec)?),
        }
    }
}

/// The callback behind [`Alloc`]. No panic unwinds into C++.
unsafe extern "C" fn take(context: *mut c_void, slot: i32, bytes: usize) -> *mut c_void {
    // SAFETY: `context` is the `Memory` of `Launch::alloc`, and the entry runs within `Launch::run`, which
    // has the only other reference to it and does not use it during the call.
    let memory = unsafe { &mut *context.cast::<Memory>() };
    let taken = catch_unwind(AssertUnwindSafe(|| memory.take(slot, bytes)));
    match taken {
        Ok(Ok(pointer)) => pointer.cast(),
        Ok(Err(error)) => {
            memory.error = Some(error);
            std::ptr::null_mut()
        }
        Err(_) => std::ptr::null_mut(),
    }
}

impl Memory {
    fn take(&mut self, slot: i32, bytes: usize) -> Result<*mut u8> {
        if slot == Alloc::LIMITS {
            let is_small = crate::limits::are_small();
            return Ok(if is_small { std::ptr::dangling_mut() } else { std::ptr::null_mut() });
        }
        if slot == Alloc::FAULT {
            if !self.exec.defers_faults() {
                return Ok(std::ptr::null_mut());
            }
            let word = self.exec.fault_word()?;
            return Ok(word.as_ptr().cast());
        }
        if slot == Alloc::SCRATCH {
            return self.scratch.take(bytes, &self.exec);
        }
        if slot == Alloc::PINNED {
            let mut memory = self.exec.pinned_memory(bytes)?;
            let pointer = memory.as_mut_ptr();
            self.pinned.push(memory);
            return Ok(pointer);
        }
        let mut guard = match slot & Alloc::UNPADDED {
            0 => Buffer::uninit_write(bytes, &self.exec)?,
            _ => Buffer::unpadded_write(bytes, &self.exec)?,
        };
        let pointer = guard.as_mut_ptr();
        let slot = (slot & !Alloc::UNPADDED) as usize;
        while self.outputs.len() <= slot {
            self.outputs.push(None);
        }
        self.outputs[slot] = Some(guard);
        Ok(pointer)
    }
}

/// The scratch memory of one call: small arrays share blocks, since an allocation costs as much as a launch.
#[derive(Default)]
struct Scratch {
    blocks: SmallVec<[OwnedWriteGuard; 2]>,
    /// What is left of the last shared block.
    rest: *mut u8,
    rest_bytes: usize,
    /// Bytes of the last shared block.
    block_bytes: usize,
}

impl Scratch {
    fn take(&mut self, bytes: usize, exec: &Exec) -> Result<*mut u8> {
        if SHARED_SCRATCH {
            self.shared(bytes, exec)
        } else {
            Ok(self.block(Buffer::uninit_write(bytes, exec)?))
        }
    }

    fn shared(&mut self, bytes: usize, exec: &Exec) -> Result<*mut u8> {
        let bytes = bytes.max(1).next_multiple_of(SCRATCH_ALIGNMENT);
        if bytes > SCRATCH_BLOCK_MOST {
            return Ok(self.block(Buffer::unpadded_write(bytes, exec)?));
        }
        if bytes > self.rest_bytes {
            let block = (2 * bytes).max(2 * self.block_bytes).clamp(SCRATCH_BLOCK_LEAST, SCRATCH_BLOCK_MOST);
            self.rest = self.block(Buffer::unpadded_write(block, exec)?);
            (self.rest_bytes, self.block_bytes) = (block, block);
        }
        let pointer = self.rest;
        self.rest = pointer.wrapping_add(bytes);
        self.rest_bytes -= bytes;
        Ok(pointer)
    }

    fn block(&mut self, mut guard: OwnedWriteGuard) -> *mut u8 {
        let pointer = guard.as_mut_ptr();
        self.blocks.push(guard);
        pointer
    }
}

#[cfg(test)]
mod tests {
    use super::{SCRATCH_ALIGNMENT, Scratch};
    use crate::filling::fill::fill;
    use crate::tuning::{SCRATCH_BLOCK_LEAST, SCRATCH_BLOCK_MOST};
    use crate::{Value, runtime};
    use columnade_buffers::{Device, Exec};

    #[test]
    fn small_scratch_arrays_share_blocks() {
        for device in Device::available() {
            let exec = Exec::new(device).unwrap();
            let mut scratch = Scratch::default();
            let sizes = [1, 0, 256, 257, 1000, 100];
            let addresses = sizes.map(|bytes| scratch.shared(bytes, &exec).unwrap().addr());
            assert_eq!(scratch.blocks.len(), 1, "{device}");
            for (pair, bytes) in addresses.windows(2).zip(sizes) {
                assert_eq!(pair[1] - pair[0], bytes.max(1).next_multiple_of(SCRATCH_ALIGNMENT), "{device}");
            }
            // Blocks double, and what is larger than the largest has one of its own.
            scratch.shared(SCRATCH_BLOCK_LEAST, &exec).unwrap();
            assert_eq!(scratch.block_bytes, 2 * SCRATCH_BLOCK_LEAST, "{device}");
            let left = scratch.rest_bytes;
            scratch.shared(SCRATCH_BLOCK_MOST + 1, &exec).unwrap();
            assert_eq!((scratch.blocks.len(), scratch.rest_bytes), (3, left), "{device}");
        }
    }

    #[test]
    fn error_of_earlier_call_is_not_blamed_on_operation() {
        for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
            let exec = Exec::new(device).unwrap();
            runtime::leave_error(device);
            fill(Value::I64(3), 1000, &exec).unwrap();
        }
    }

    #[test]
    fn codes_have_name_of_cuda() {
        for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
            assert!(runtime::describe(device, 1).starts_with("cudaErrorInvalidValue"), "{device}");
        }
    }
}
