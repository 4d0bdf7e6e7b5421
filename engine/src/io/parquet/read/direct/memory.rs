//! Memory of the host for the values of a whole column.

use arrow_buffer::ArrowNativeType;
use columnade_buffers::{Buffer, Exec, Pod, WriteGuard};

/// Values, of unspecified content until they are decoded.
pub(super) enum Memory<T> {
    /// Of the context's resource, which counts it, and whose pool has memory that was used before: a new page costs more than
    /// decoding into it.
    Pooled(Buffer),
    /// Of the system, where the resource has none: a context with a budget can make space for parts of it once it is decoded.
    Own(Vec<T>),
}

/// Write access to all values.
pub(in crate::io::parquet::read) enum Access<'a, T> {
    Pooled(WriteGuard<'a>),
    Own(&'a mut [T]),
}

impl<T: Pod + ArrowNativeType> Memory<T> {
    /// Of `pool`, if there is one that has the memory.
    pub(super) fn new(len: usize, pool: Option<&Exec>) -> Self {
        let bytes = len.saturating_mul(size_of::<T>());
        if let Some(exec) = pool
            && let Ok(buffer) = Buffer::uninit(bytes, exec)
        {
            return Memory::Pooled(buffer);
        }
        Memory::Own(vec![T::zeroed(); len])
    }

    pub(super) fn access<'a>(&'a mut self, exec: &'a Exec) -> columnade_buffers::Result<Access<'a, T>> {
        match self {
            Memory::Pooled(buffer) => buffer.write(exec).map(Access::Pooled),
            Memory::Own(values) => Ok(Access::Own(values)),
        }
    }

    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            Memory::Pooled(buffer) => buffer,
            Memory::Own(values) => Buffer::from_arrow(arrow_buffer::Buffer::from_vec(values)),
        }
    }
}

impl<T: Pod> Access<'_, T> {
    pub(super) fn values(&mut self) -> &mut [T] {
        match self {
            Access::Pooled(guard) => guard.as_mut_slice(),
            Access::Own(values) => values,
        }
    }
}
