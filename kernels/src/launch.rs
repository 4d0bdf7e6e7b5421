//! Calls of entries: memory and errors.

use crate::abi::{Alloc, Entry};
use crate::{ColumnData, Error, FixedData, OffsetWidth, Result, Storage, StringData, View};
use columnade_buffers::{Buffer, Exec, OwnedWriteGuard};
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
    scratch: SmallVec<[OwnedWriteGuard; 4]>,
    outputs: SmallVec<[Option<OwnedWriteGuard>; 4]>,
    error: Option<Error>,
}

/// CUDA's code for "out of memory", which an entry returns if `take` returned null.
const OUT_OF_MEMORY: i32 = 2;

impl<'a> Launch<'a> {
    /// A call on `exec`.
    pub(crate) fn new(exec: &'a Exec) -> Self {
        let memory =
            Memory { exec: exec.clone(), scratch: SmallVec::new(), outputs: SmallVec::new(), error: None };
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
        self.exec.device().make_current()?;
        // SAFETY: the pointers in `args` are valid by the caller's promise; `args` itself lives across the
        // call.
        let code = unsafe { (entry.function)(args, self.exec.stream().as_raw()) };
        if let Some(error) = self.memory.error.take() {
            return Err(error);
        }
        match code {
            0 => Ok(()),
            OUT_OF_MEMORY => Err(columnade_buffers::Error::OutOfMemory {
                device: self.exec.device(),
                requested: 0,
                free: None,
                tier_refusal: None,
            }
            .into()),
            code => Err(columnade_buffers::Error::Device {
                device: self.exec.device(),
                call: entry.name,
                code,
                text: "a CUDA call of the operation failed".to_owned(),
            }
            .into()),
        }
    }

    /// The column of `len` rows that the entry wrote, of the same type as `like`: values or characters in
    /// output 0, the mask in output 1 if requested, and in output 2 the offsets of `string_bytes` bytes of
    /// characters.
    pub(crate) fn column(&mut self, like: &View<'_>, len: usize, string_bytes: usize) -> Result<ColumnData> {
        let data = self.output(0)?;
        let masked = self.memory.outputs.get(1).is_some_and(Option::is_some);
        // An entry may write whole words of bits: bytes after the last bit are excluded.
        let validity = if masked { Some(self.output(1)?.slice(0, len.div_ceil(8))) } else { None };
        Ok(match like {
            View::Fixed(fixed) => {
                let data = data.slice(0, fixed.storage.bytes(len));
                ColumnData::Fixed(FixedData { storage: fixed.storage, len, data, validity })
            }
            View::String(_) => ColumnData::String(StringData {
                len,
                offsets: self.output(2)?,
                offset_width: OffsetWidth::for_bytes(string_bytes),
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

    /// The output that the entry allocated for `slot`; an empty buffer if it allocated none.
    pub(crate) fn output(&mut self, slot: usize) -> Result<Buffer> {
        match self.memory.outputs.get_mut(slot).and_then(Option::take) {
            Some(guard) => Ok(guard.into_buffer()),
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
        let mut guard = Buffer::uninit(bytes, &self.exec)?.into_write(&self.exec)?;
        let pointer = guard.as_mut_ptr();
        match usize::try_from(slot) {
            Err(_) => self.scratch.push(guard),
            Ok(slot) => {
                while self.outputs.len() <= slot {
                    self.outputs.push(None);
                }
                self.outputs[slot] = Some(guard);
            }
        }
        Ok(pointer)
    }
}
