//! Adoption of foreign memory: it becomes a context's own.

use arrow_buffer::ArrowNativeType;

use super::{Allocation, Owner};
use crate::sync::Arc;
use crate::{Buffer, Exec, Pod, Result, SpillManager};

impl Buffer {
    /// Makes the memory the context's own: counted in its budget, spilled with it, and written in place.
    ///
    /// Memory that is the context's own already is unchanged. The memory of a vector that came through Arrow
    /// and is not shared is taken over without a copy. All other memory is copied: memory of another device
    /// or another budget, and foreign memory that is shared, is a part of a larger allocation, or was not
    /// allocated by Rust's allocator.
    ///
    /// # Errors
    ///
    /// Those of [`copy_to`](Self::copy_to), and [`Error::OutOfMemory`](crate::Error::OutOfMemory) if a
    /// [strict](Exec::strict) context's budget has no space for adopted memory. The buffer is then unchanged.
    pub fn adopt(&mut self, exec: &Exec) -> Result<()> {
        let manager = exec.resource().spill_manager();
        let is_here = self.device() == exec.device();
        if is_here
            && (self.owner().is_managed_by(manager.as_ref()) || self.take_over(manager.as_ref(), exec)?)
        {
            return Ok(());
        }
        *self = if is_here {
            // Not `copy_to`: a copy of spilled bytes would stay with the manager that spilled them.
            Self::of(self.read(exec)?.copy_on_device(exec)?, self.len())
        } else {
            self.copy_to(exec)?
        };
        Ok(())
    }

    /// Takes over Arrow's memory if possible; otherwise returns false.
    fn take_over(&mut self, manager: Option<&Arc<SpillManager>>, exec: &Exec) -> Result<bool> {
        // Reserved memory is for allocations only.
        if exec.resource().is_reserved() {
            return Ok(false);
        }
        let (offset, len) = (self.offset(), self.len());
        let Some(owner) = self.sole_owner() else { return Ok(false) };
        let Some(bytes) = owner.unshared_arrow_bytes() else { return Ok(false) };
        if let Some(manager) = manager {
            manager.adopt(bytes, exec.admission())?;
        }
        let Some(owner) = owner.take_arrow_over(manager) else {
            if let Some(manager) = manager {
                manager.release(bytes);
            }
            return Ok(false);
        };
        *self = Self::part_of(owner, offset, len);
        Ok(true)
    }
}

impl Owner {
    /// Whether `manager` already counts the memory, or need not.
    fn is_managed_by(&self, manager: Option<&Arc<SpillManager>>) -> bool {
        if self.capacity == 0 {
            return true;
        }
        let is_same = |manager| self.manager.as_ref().is_some_and(|own| Arc::ptr_eq(own, manager));
        !self.foreign && manager.is_none_or(is_same)
    }

    /// The bytes of the Arrow memory behind this buffer, if it is not shared.
    fn unshared_arrow_bytes(&self) -> Option<usize> {
        let body = self.body.lock_first();
        let Allocation::Adopted { _keep_alive: memory, .. } = &body.allocation else { return None };
        let memory = memory.downcast_ref::<arrow_buffer::Buffer>()?;
        (memory.strong_count() == 1).then(|| memory.len())
    }

    /// An allocation of the vector that Arrow held here, whose bytes `manager` counts already; this
    /// allocation is then empty. `None`, without a change, if the memory is not a vector's.
    fn take_arrow_over(&mut self, manager: Option<&Arc<SpillManager>>) -> Option<Self> {
        let mut body = self.body.lock_first();
        let (memory, counted) = match std::mem::replace(&mut body.allocation, Allocation::Spilled) {
            Allocation::Adopted { _keep_alive: memory, counted } => (memory, counted),
            other => {
                body.allocation = other;
                return None;
            }
        };
        let memory = match memory.downcast::<arrow_buffer::Buffer>() {
            Ok(memory) => *memory,
            Err(other) => {
                body.allocation = Allocation::Adopted { _keep_alive: other, counted };
                return None;
            }
        };
        // The layout of a vector's allocation determines the width of its values.
        let taken = from_arrow_vec::<u8>(memory, manager)
            .or_else(|memory| from_arrow_vec::<i16>(memory, manager))
            .or_else(|memory| from_arrow_vec::<i32>(memory, manager))
            .or_else(|memory| from_arrow_vec::<i64>(memory, manager))
            .or_else(|memory| from_arrow_vec::<i128>(memory, manager));
        taken
            .map_err(|memory| {
                body.allocation = Allocation::Adopted { _keep_alive: Box::new(memory), counted }
            })
            .ok()
    }
}

/// An allocation of the vector of `T` that `memory` was made from; otherwise returns `memory`.
fn from_arrow_vec<T: Pod + ArrowNativeType>(
    memory: arrow_buffer::Buffer,
    manager: Option<&Arc<SpillManager>>,
) -> std::result::Result<Owner, arrow_buffer::Buffer> {
    // A partial last value would be lost.
    if !memory.len().is_multiple_of(size_of::<T>()) {
        return Err(memory);
    }
    let mut values = memory.into_vec::<T>()?;
    // Capacity beyond the last value is not counted.
    values.shrink_to_fit();
    Ok(Owner::from_counted_vec(values, manager.cloned()))
}
