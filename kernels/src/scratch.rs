//! Host memory of an operation while it runs: tables, lists and sort buffers whose size depends on the rows.
//!
//! It comes from the context, so that the budget counts it and a limit refuses it with
//! [`OutOfMemory`](columnade_buffers::Error::OutOfMemory). An allocation may spill, so none is made in a parallel loop:
//! a list is [requested](List::request) capacity for before the loop, and within it takes no more than its capacity.

use crate::Result;
use columnade_buffers::{Buffer, Exec, OwnedWriteGuard, Pod};
use std::marker::PhantomData;
use std::sync::atomic::AtomicU64;

/// Values in memory of a context's host.
pub(crate) struct Scratch<T> {
    memory: OwnedWriteGuard,
    values: PhantomData<T>,
}

impl<T: Pod> Scratch<T> {
    /// `len` values, whatever they are.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn uninit(len: usize, exec: &Exec) -> Result<Self> {
        let memory = Buffer::uninit_write(len * size_of::<T>(), exec)?;
        Ok(Self { memory, values: PhantomData })
    }

    /// `len` times `value`.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn filled(len: usize, value: T, exec: &Exec) -> Result<Self> {
        let mut scratch = Self::uninit(len, exec)?;
        scratch.as_mut_slice().fill(value);
        Ok(scratch)
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.memory.as_slice()
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        self.memory.as_mut_slice()
    }

    /// The first `len` values as a buffer.
    pub(crate) fn into_buffer(self, len: usize) -> Buffer {
        self.memory.into_buffer().slice(0, len * size_of::<T>())
    }
}

impl Scratch<u64> {
    /// The words for threads that change them at the same time.
    pub(crate) fn as_atomics(&mut self) -> &[AtomicU64] {
        self.memory.as_atomics()
    }
}

/// Values that are kept in a context's memory, or on the heap where their number has a small bound.
pub(crate) enum Memory<T> {
    Heap(Vec<T>),
    Counted(Scratch<T>),
}

impl<T: Pod> Memory<T> {
    /// No values.
    pub(crate) const NONE: Self = Memory::Heap(Vec::new());

    /// `len` values, whatever they are: in `exec`'s memory, on the heap without one.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn uninit(len: usize, exec: Option<&Exec>) -> Result<Self> {
        Ok(match exec {
            None => Memory::Heap(vec![T::zeroed(); len]),
            Some(exec) => Memory::Counted(Scratch::uninit(len, exec)?),
        })
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Memory::Heap(values) => values,
            Memory::Counted(values) => values.as_slice(),
        }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Memory::Heap(values) => values,
            Memory::Counted(values) => values.as_mut_slice(),
        }
    }
}

/// A list that grows when asked to, and never by itself.
pub(crate) struct List<T> {
    memory: Scratch<T>,
    len: usize,
}

impl<T: Pod> List<T> {
    /// An empty list with capacity for `capacity` values.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn new(capacity: usize, exec: &Exec) -> Result<Self> {
        Ok(Self { memory: Scratch::uninit(capacity, exec)?, len: 0 })
    }

    /// Reserves capacity for `more` values.
    ///
    /// # Errors
    /// When memory cannot be had; the list is then as it was.
    pub(crate) fn request(&mut self, more: usize, exec: &Exec) -> Result<()> {
        let capacity = self.memory.as_slice().len();
        if self.len + more > capacity {
            let mut memory = Scratch::uninit((self.len + more).max(2 * capacity), exec)?;
            memory.as_mut_slice()[..self.len].copy_from_slice(self.as_slice());
            self.memory = memory;
        }
        Ok(())
    }

    /// Whether there is capacity for `more` values.
    pub(crate) fn has_space(&self, more: usize) -> bool {
        self.len + more <= self.memory.as_slice().len()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.memory.as_slice()[..self.len]
    }

    /// The list for a loop that adds to it.
    pub(crate) fn cursor(&mut self) -> Cursor<'_, T> {
        Cursor { values: self.memory.as_mut_slice(), len: &mut self.len }
    }

    /// The values as a buffer.
    pub(crate) fn into_buffer(self) -> Buffer {
        self.memory.into_buffer(self.len)
    }
}

/// Values with capacity for more.
pub(crate) struct Cursor<'a, T> {
    pub(crate) values: &'a mut [T],
    pub(crate) len: &'a mut usize,
}

impl<T: Copy> Cursor<'_, T> {
    /// Adds a value. There must be capacity for it.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        self.values[*self.len] = value;
        *self.len += 1;
    }
}
