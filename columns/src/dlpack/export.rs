//! Columns and frames as tensors.

use super::DLPACK;
use super::abi::{
    DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, FLAG_IS_COPIED,
    FLAG_READ_ONLY,
};
use super::device::hand_over;
use super::element::type_of;
use super::owned::{ManagedTensor, RawTensor};
use super::request::TensorRequest;
use crate::arrow::c::CopyPolicy;
use crate::column::rows::same_device;
use crate::tensor::{Plain, TensorFault, require_no_nulls};
use crate::{Column, ColumnAccessor, Error, Result};
use columnade_buffers::{Buffer, CallSite, CallersContext, Device, Exec, Lease};
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::ptr::{self, NonNull};

impl Column {
    /// Exports the values as a read-only one-dimensional tensor. Booleans are copied, and everything if `request` asks for it.
    /// The column must be on `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Tensor`] for nulls, for a dtype that is neither numeric nor boolean, for a copy that the request
    /// forbids, and for an invalid device or stream; [`Error::Memory`].
    ///
    /// # Device
    /// Counts the nulls if there is a mask and the count is unknown. The consumer's stream waits for the work that
    /// fills the memory; the host does not, unless the memory goes there.
    ///
    /// # Source
    /// Python array API standard `__dlpack__`; cudf/interop.hpp `to_dlpack`.
    #[track_caller]
    pub fn to_dlpack(&self, request: &TensorRequest, exec: &Exec) -> Result<ManagedTensor> {
        let _site = CallSite::here();
        let export = Export::new(request, self.device(), exec)?;
        let dtype = type_of(&self.dtype())?;
        require_no_nulls(DLPACK, self, exec)?;
        let values = Plain::of(DLPACK, self, exec)?;
        let memory = export.memory(values, "a boolean becomes a byte")?;
        export.finish(memory, dtype, &Dimensions::row(self.size()))
    }

    /// A tensor like [`to_dlpack`](Self::to_dlpack) that the consumer may also write. Only this column and its later clones
    /// see the writes: memory shared with others is separated first. Writes to a copy are not seen by the column.
    ///
    /// The consumer's writes must be done before the column is used again; there is no callback for that.
    ///
    /// # Errors
    /// Same as [`to_dlpack`](Self::to_dlpack).
    ///
    /// # Source
    /// Same as [`to_dlpack`](Self::to_dlpack); cuDF library design, copies before exposure to third-party libraries.
    #[track_caller]
    pub fn to_dlpack_mut(&mut self, request: &TensorRequest, exec: &Exec) -> Result<ManagedTensor> {
        let _site = CallSite::here();
        let export = Export::new(request, self.device(), exec)?;
        let dtype = type_of(&self.dtype())?;
        require_no_nulls(DLPACK, self, exec)?;
        let size = self.size();
        let shared = self.fixed_layout_mut().filter(|_| export.shares());
        let Some(layout) = shared.filter(|layout| layout.storage.width().is_some() && size > 0) else {
            return self.to_dlpack(request, exec);
        };
        let lease = layout.data.lease_mut(exec)?;
        let address = lease.as_ptr().wrapping_add(layout.storage.bytes(layout.rows.offset));
        let memory = Memory { address, leases: smallvec![lease], is_copied: false };
        export.finish(memory, dtype, &Dimensions::row(size))
    }
}

impl ColumnAccessor {
    /// Exports the columns, all of one dtype, as a read-only two-dimensional tensor of rows by columns, each column contiguous.
    /// Columns at regular distances in one allocation, such as those of an imported tensor, are shared; others are copied to
    /// one allocation. The columns must be on `exec`'s device.
    ///
    /// # Errors
    /// Same as [`Column::to_dlpack`], naming the column; [`Error::DTypeMismatch`] for columns of several dtypes that each could be
    /// a tensor;
    /// [`Error::Tensor`] when there are no columns.
    ///
    /// # Device
    /// Same as [`Column::to_dlpack`]; a copy for each column where they are copied.
    ///
    /// # Source
    /// cudf/interop.hpp `to_dlpack`; cuDF `DataFrame.to_dlpack`.
    #[track_caller]
    pub fn to_dlpack(&self, request: &TensorRequest, exec: &Exec) -> Result<ManagedTensor> {
        let _site = CallSite::here();
        let Some(first) = self.columns().first() else {
            return DLPACK.fail("columns", TensorFault::NoColumns);
        };
        let export = Export::new(request, first.device(), exec)?;
        // A column that cannot be a tensor is reported before columns of different dtypes.
        for (label, column) in self.iter() {
            type_of(&column.dtype()).map_err(|error| error.in_column(label))?;
        }
        let dtype = first.dtype();
        let element = type_of(&dtype)?;
        let values = |column: &Column| {
            if column.dtype() != dtype {
                return Err(Error::DTypeMismatch { left: dtype.clone(), right: column.dtype() });
            }
            same_device(column.device(), export.device)?;
            require_no_nulls(DLPACK, column, exec)?;
            Plain::of(DLPACK, column, exec)
        };
        let columns =
            self.iter().map(|(label, column)| values(column).map_err(|error| error.in_column(label)));
        let columns: Vec<Plain> = columns.collect::<Result<_>>()?;
        let (memory, stride) = export.columns(&columns, self.rows())?;
        export.finish(memory, element, &Dimensions::frame(self.rows(), columns.len(), stride))
    }
}

/// One export and its request.
struct Export<'a> {
    request: &'a TensorRequest,
    /// Where the values are.
    device: Device,
    exec: &'a Exec,
    /// Where they are copied to, if the request names another device.
    elsewhere: Option<Exec>,
}

/// Memory of a tensor, and what holds it.
struct Memory {
    address: *const u8,
    leases: SmallVec<[Lease; 1]>,
    is_copied: bool,
}

/// Rows and columns, and strides in elements.
struct Dimensions {
    ndim: i32,
    shape: [i64; 2],
    strides: [i64; 2],
}

impl<'a> Export<'a> {
    fn new(request: &'a TensorRequest, device: Device, exec: &'a Exec) -> Result<Self> {
        same_device(device, exec.device())?;
        let here = DLDevice::of(device);
        let elsewhere = match request.dl_device {
            None => None,
            Some(asked) if asked == here => None,
            Some(DLDevice::CPU) => Some(Exec::host()),
            Some(asked) => return Err(asked.unusable("memory goes to the host only, or stays where it is")),
        };
        if device == Device::Host || elsewhere.is_some() {
            request.stream.require_none("the host has no streams")?;
        }
        Ok(Self { request, device, exec, elsewhere })
    }

    /// Whether the column's own memory may be exported.
    fn shares(&self) -> bool {
        self.request.copy != CopyPolicy::Always && self.elsewhere.is_none()
    }

    /// The context of the exported memory.
    fn target(&self) -> &Exec {
        self.elsewhere.as_ref().unwrap_or(self.exec)
    }

    fn needs_copy(&self, reason: &'static str) -> Result<()> {
        match self.request.copy {
            CopyPolicy::Never => DLPACK.fail("copy", TensorFault::NeedsCopy { reason }),
            CopyPolicy::IfNeeded | CopyPolicy::Always => Ok(()),
        }
    }

    /// The values themselves, or a copy of them; `converted` says why values that are none of the column's are.
    fn memory(&self, values: Plain, converted: &'static str) -> Result<Memory> {
        if !values.is_shared {
            self.needs_copy(converted)?;
        }
        if self.elsewhere.is_some() {
            self.needs_copy("the memory goes to another device")?;
            return self.copy(values.data.copy_to(self.target())?);
        }
        match (values.is_shared, self.request.copy) {
            (false, _) => self.copy(values.data),
            (true, CopyPolicy::Always) => self.copy(values.data.copy_to(self.exec)?),
            (true, CopyPolicy::Never | CopyPolicy::IfNeeded) => {
                let lease = values.data.lease()?;
                Ok(Memory { address: lease.as_ptr(), leases: smallvec![lease], is_copied: false })
            }
        }
    }

    /// A copy without other owners: the consumer may write it.
    fn copy(&self, mut copy: Buffer) -> Result<Memory> {
        let lease = copy.lease_mut(self.target())?;
        Ok(Memory { address: lease.as_ptr(), leases: smallvec![lease], is_copied: true })
    }

    /// All columns, and the distance from one to the next in elements.
    fn columns(&self, columns: &[Plain], rows: usize) -> Result<(Memory, usize)> {
        if self.shares()
            && columns.iter().all(|column| column.is_shared)
            && let Some(found) = at_regular_distances(columns)?
        {
            return Ok(found);
        }
        self.needs_copy("the columns are not at regular distances in one allocation")?;
        let parts: Vec<Buffer> = columns.iter().map(|column| column.data.clone()).collect();
        let whole = Buffer::assemble(&parts, self.exec)?;
        let here = if self.elsewhere.is_some() { whole.copy_to(self.target())? } else { whole };
        Ok((self.copy(here)?, rows))
    }

    fn finish(&self, memory: Memory, dtype: DLDataType, shape: &Dimensions) -> Result<ManagedTensor> {
        hand_over(&memory.leases, self.request.stream, self.target())?;
        let is_empty = shape.shape[..if shape.ndim == 1 { 1 } else { 2 }].contains(&0);
        let flags = match memory {
            Memory { is_copied: true, .. } => FLAG_IS_COPIED,
            Memory { ref leases, .. } if leases.iter().all(Lease::may_write) => 0,
            Memory { .. } => FLAG_READ_ONLY,
        };
        let tensor = DLTensor {
            data: if is_empty { ptr::null_mut() } else { memory.address.cast_mut().cast() },
            device: DLDevice::of(self.target().device()),
            ndim: shape.ndim,
            dtype,
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            byte_offset: 0,
        };
        let is_versioned = self.request.max_version.is_some_and(|version| version.major >= 1);
        let (ctx, version) = (ptr::null_mut(), DLPackVersion::CURRENT);
        let raw = if is_versioned {
            let deleter = Some(delete::<DLManagedTensorVersioned> as unsafe extern "C" fn(*mut _));
            let managed =
                DLManagedTensorVersioned { version, manager_ctx: ctx, deleter, flags, dl_tensor: tensor };
            RawTensor::Versioned(Exported::leak(managed, shape, memory.leases))
        } else {
            let deleter = Some(delete::<DLManagedTensor> as unsafe extern "C" fn(*mut _));
            let managed = DLManagedTensor { dl_tensor: tensor, manager_ctx: ctx, deleter };
            RawTensor::Legacy(Exported::leak(managed, shape, memory.leases))
        };
        // SAFETY: made above as the interface says, with no other owner.
        Ok(unsafe { ManagedTensor::from_raw(raw) })
    }
}

/// The columns as they are, when they are at regular distances in one allocation; and the distance in elements.
fn at_regular_distances(columns: &[Plain]) -> Result<Option<(Memory, usize)>> {
    let Some(first) = columns.first() else { return Ok(None) };
    if !columns.iter().all(|column| column.data.shares_memory(&first.data)) {
        return Ok(None);
    }
    let leases: SmallVec<[Lease; 1]> =
        columns.iter().map(|column| column.data.lease()).collect::<Result<_, _>>()?;
    let address = |at: usize| leases[at].as_ptr().addr();
    let distance = match columns.len() {
        1 => first.data.len(),
        _ => match address(1).checked_sub(address(0)) {
            Some(distance) if distance.is_multiple_of(first.width()) => distance,
            _ => return Ok(None),
        },
    };
    // Columns in one place, as clones are, would be a stride of 0, which known consumers take for none.
    let is_apart = distance > 0 || first.data.is_empty();
    let is_regular =
        is_apart && (1..leases.len()).all(|at| address(at).checked_sub(address(at - 1)) == Some(distance));
    let start = leases[0].as_ptr();
    let memory = Memory { address: start, leases, is_copied: false };
    Ok(is_regular.then_some((memory, distance / first.width())))
}

impl Dimensions {
    fn row(size: usize) -> Self {
        Self { ndim: 1, shape: [size.cast_signed() as i64, 0], strides: [1, 0] }
    }

    fn frame(rows: usize, columns: usize, stride: usize) -> Self {
        // Without rows there is no distance, and any stride will do but 0.
        let [rows, columns, stride] = [rows, columns, stride.max(1)].map(|size| size.cast_signed() as i64);
        Self { ndim: 2, shape: [rows, columns], strides: [1, stride] }
    }
}

/// A tensor that is out, at an address that does not change, with what it points to and what holds its memory.
struct Exported<T> {
    tensor: T,
    shape: [i64; 2],
    strides: [i64; 2],
    /// Dropped with the rest.
    _leases: SmallVec<[Lease; 1]>,
}

/// The two structs, as far as making and deleting them goes.
trait Managed {
    fn tensor(&mut self) -> &mut DLTensor;
    fn context(&mut self) -> &mut *mut c_void;
}

impl Managed for DLManagedTensor {
    fn tensor(&mut self) -> &mut DLTensor {
        &mut self.dl_tensor
    }

    fn context(&mut self) -> &mut *mut c_void {
        &mut self.manager_ctx
    }
}

impl Managed for DLManagedTensorVersioned {
    fn tensor(&mut self) -> &mut DLTensor {
        &mut self.dl_tensor
    }

    fn context(&mut self) -> &mut *mut c_void {
        &mut self.manager_ctx
    }
}

impl<T: Managed> Exported<T> {
    fn leak(tensor: T, shape: &Dimensions, leases: SmallVec<[Lease; 1]>) -> NonNull<T> {
        let this = Self { tensor, shape: shape.shape, strides: shape.strides, _leases: leases };
        let this = Box::into_raw(Box::new(this));
        // SAFETY: the box was made above and is whole; the pointers into it are made from the one to all of it, which
        // is the one that `delete` gets back. A box's address is not null.
        unsafe {
            let tensor = &raw mut (*this).tensor;
            (*tensor).tensor().shape = (&raw mut (*this).shape).cast();
            (*tensor).tensor().strides = (&raw mut (*this).strides).cast();
            *(*tensor).context() = this.cast();
            NonNull::new_unchecked(tensor)
        }
    }
}

/// Deletes a tensor of [`Exported::leak`]. It calls nothing of the driver but what a lease's end does.
///
/// # Safety
/// `tensor` is one of those, and not deleted.
unsafe extern "C" fn delete<T: Managed>(tensor: *mut T) {
    let _context = CallersContext::keep();
    // SAFETY: the context is the box that the tensor is in, which is not used any more.
    drop(unsafe { Box::from_raw((*(*tensor).context()).cast::<Exported<T>>()) });
}
