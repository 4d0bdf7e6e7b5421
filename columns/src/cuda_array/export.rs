//! Columns as descriptions of device memory.

use super::CUDA_ARRAY;
use super::descriptor::{CudaArrayInterface, DevicePointer, VERSION};
use super::typestr::typestr_of;
use crate::column::fixed::FixedLayout;
use crate::column::rows::same_device;
use crate::tensor::{Plain, TensorFault};
use crate::{AsLabel, Column, ColumnAccessor, DType, Result};
use columnade_buffers::{Buffer, CallSite, Device, Exec, Lease, Stream};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Fixed, Storage};
use smallvec::SmallVec;
use std::mem::ManuallyDrop;

/// How columns are described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CudaArrayExport {
    /// Whether the stream is published.
    pub stream: StreamEntry,
    /// What becomes of nulls.
    pub nulls: MaskPolicy,
}

/// Whether the stream that the interface tells of counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamEntry {
    /// It is published with all pending work joined into it; on import it is waited for.
    #[default]
    Honour,
    /// None is published, and nothing joined; on import it is ignored. The order of work is the caller's.
    Ignore,
}

/// What becomes of nulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaskPolicy {
    /// A mask in addition to the values.
    #[default]
    Publish,
    /// An error: the consumer would overlook them.
    Refuse,
}

/// A description of a column's memory, and what keeps it true: the memory stays where it is, and the stream exists, as
/// long as this lives.
#[derive(Debug)]
pub struct CudaArray {
    interface: CudaArrayInterface,
    _leases: SmallVec<[Lease; 2]>,
    stream: Stream,
}

impl CudaArray {
    /// The description.
    pub fn interface(&self) -> &CudaArrayInterface {
        &self.interface
    }

    /// The device of the memory.
    pub fn device(&self) -> Device {
        self.stream.device()
    }
}

impl Column {
    /// A description of the values, to be read, held by a lease. A boolean becomes a byte. The column is on `exec`'s
    /// device, and its stream is the one that is published.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor) for a column of the host, for a dtype that NumPy has no type for, and for
    /// nulls that are refused; [`Error::Memory`](crate::Error::Memory).
    ///
    /// # Device
    /// Counts the nulls if there is a mask and the count is unknown. The published stream waits for the work that
    /// fills the memory; the host does not.
    ///
    /// # Source
    /// cuDF `Column.__cuda_array_interface__`.
    #[track_caller]
    pub fn to_cuda_array(&self, options: &CudaArrayExport, exec: &Exec) -> Result<CudaArray> {
        let _site = CallSite::here();
        let mut export = Export::new(self, options, exec)?;
        let values = Plain::of(CUDA_ARRAY, self, exec)?;
        let (mut data, is_read_only) = (values.data, values.is_shared);
        let lease = if is_read_only { data.lease()? } else { data.lease_mut(exec)? };
        let address = lease.as_ptr().addr();
        export.leases.push(lease);
        export.finish(self, address, is_read_only)
    }

    /// A description like [`to_cuda_array`](Self::to_cuda_array) that the consumer may also write. Only this column and its
    /// later clones see the writes: memory shared with others is separated first. Booleans are copied, so the column does
    /// not see writes to them.
    ///
    /// # Errors
    /// Same as [`to_cuda_array`](Self::to_cuda_array).
    ///
    /// # Source
    /// Same as [`to_cuda_array`](Self::to_cuda_array).
    #[track_caller]
    pub fn to_cuda_array_mut(&mut self, options: &CudaArrayExport, exec: &Exec) -> Result<CudaArray> {
        let _site = CallSite::here();
        let mut export = Export::new(self, options, exec)?;
        let Some(layout) = self.writable_layout() else { return self.to_cuda_array(options, exec) };
        let lease = layout.data.lease_mut(exec)?;
        let address = lease.as_ptr().addr() + layout.storage.bytes(layout.rows.offset);
        export.leases.push(lease);
        export.finish(self, address, false)
    }

    /// Like [`to_cuda_array_mut`](Self::to_cuda_array_mut), with the values permanently exposed: the description stays true
    /// of them as long as the column lives, whatever becomes of the result. They are never spilled again, and every
    /// shallow copy of them is a physical one. The published stream is never destroyed. Prefer a lease.
    ///
    /// Buffers that are made for the description (booleans and masks as bytes) are never freed either: each call that makes
    /// some leaks them. Only consumers see what is written to them.
    ///
    /// # Errors
    /// Same as [`to_cuda_array`](Self::to_cuda_array).
    ///
    /// # Source
    /// cuDF `ExposureTrackedBuffer.mark_exposed`, which `__cuda_array_interface__` calls.
    #[track_caller]
    pub fn expose_cuda_array(&mut self, options: &CudaArrayExport, exec: &Exec) -> Result<CudaArray> {
        let _site = CallSite::here();
        let mut export = Export::new(self, options, exec)?;
        export.is_for_good = true;
        let exposed = if let Some(layout) = self.writable_layout() {
            let address = layout.data.expose(exec)?.addr() + layout.storage.bytes(layout.rows.offset);
            // The lease says what is pending, and makes no difference to memory that is exposed.
            export.leases.push(layout.data.lease_mut(exec)?);
            export.finish(self, address, false)?
        } else {
            let mut bytes = Plain::of(CUDA_ARRAY, self, exec)?.data;
            let address = export.lease_made(&mut bytes)?;
            export.finish(self, address, false)?
        };
        if options.stream == StreamEntry::Honour {
            // There is no callback when the last consumer has synchronised with it.
            let _for_good = ManuallyDrop::new(exec.stream().clone());
        }
        Ok(exposed)
    }

    /// The values, where they are the ones that a consumer writes.
    fn writable_layout(&mut self) -> Option<&mut FixedLayout> {
        self.fixed_layout_mut().filter(|layout| layout.storage != Storage::Bit)
    }
}

impl ColumnAccessor {
    /// [`Column::to_cuda_array_mut`] of the column of a label.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`](crate::Error::ColumnNotFound); as [`Column::to_cuda_array_mut`].
    ///
    /// # Source
    /// Same as [`Column::to_cuda_array_mut`].
    pub fn to_cuda_array_mut(
        &mut self,
        label: impl AsLabel,
        options: &CudaArrayExport,
        exec: &Exec,
    ) -> Result<CudaArray> {
        self.column_mut(label)?.to_cuda_array_mut(options, exec)
    }

    /// [`Column::expose_cuda_array`] of the column of a label.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`](crate::Error::ColumnNotFound); as [`Column::expose_cuda_array`].
    ///
    /// # Source
    /// Same as [`Column::expose_cuda_array`].
    #[track_caller]
    pub fn expose_cuda_array(
        &mut self,
        label: impl AsLabel,
        options: &CudaArrayExport,
        exec: &Exec,
    ) -> Result<CudaArray> {
        self.column_mut(label)?.expose_cuda_array(options, exec)
    }
}

/// One export.
struct Export<'a> {
    options: &'a CudaArrayExport,
    exec: &'a Exec,
    typestr: String,
    leases: SmallVec<[Lease; 2]>,
    /// What was made for it, which the column does not keep.
    made: SmallVec<[Lease; 2]>,
    /// Whether that is kept permanently once nothing can fail any more.
    is_for_good: bool,
}

impl<'a> Export<'a> {
    fn new(column: &Column, options: &'a CudaArrayExport, exec: &'a Exec) -> Result<Self> {
        if column.device() == Device::Host {
            let reason = "the interface is about memory of GPUs; move it there first (to_device)".to_owned();
            return CUDA_ARRAY.fail("data", TensorFault::Device { device_type: 1, device_id: 0, reason });
        }
        same_device(column.device(), exec.device())?;
        let typestr = typestr_of(&column.dtype())?;
        if options.nulls == MaskPolicy::Refuse {
            crate::tensor::require_no_nulls(CUDA_ARRAY, column, exec)?;
        }
        let (leases, made) = (SmallVec::new(), SmallVec::new());
        Ok(Self { options, exec, typestr, leases, made, is_for_good: false })
    }

    fn finish(mut self, column: &Column, address: usize, is_read_only: bool) -> Result<CudaArray> {
        let mask = match column.mask() {
            Some(mask) if column.null_count(self.exec)? > 0 => Some(self.mask(mask, column)?),
            _ => None,
        };
        if self.options.stream == StreamEntry::Honour {
            let all = self.leases.iter().chain(&self.made);
            all.into_iter().try_for_each(|lease| lease.order(self.exec.stream()))?;
        }
        let typestr = std::mem::take(&mut self.typestr);
        let mut interface = self.describe(column.size(), typestr, address, is_read_only);
        interface.mask = mask.map(Box::new);
        if self.is_for_good {
            // There is no callback when the last consumer is done with it.
            self.made.into_iter().for_each(std::mem::forget);
        } else {
            self.leases.extend(self.made);
        }
        Ok(CudaArray { interface, _leases: self.leases, stream: self.exec.stream().clone() })
    }

    /// A byte for each row, and its description.
    fn mask(&mut self, mask: &Buffer, column: &Column) -> Result<CudaArrayInterface> {
        let (offset, len) = (column.offset(), column.size());
        let bits = Fixed { storage: Storage::Bit, data: mask, validity: None, offset, len };
        let mut bytes = cast(&bits, Storage::U8, CastMode::Wrap, self.exec)?.data;
        let address = self.lease_made(&mut bytes)?;
        Ok(self.describe(len, typestr_of(&DType::Bool)?, address, true))
    }

    /// Leases memory that was made for the description.
    fn lease_made(&mut self, bytes: &mut Buffer) -> Result<usize> {
        let lease = bytes.lease_mut(self.exec)?;
        let address = lease.as_ptr().addr();
        self.made.push(lease);
        Ok(address)
    }

    fn describe(
        &self,
        size: usize,
        typestr: String,
        address: usize,
        is_read_only: bool,
    ) -> CudaArrayInterface {
        CudaArrayInterface {
            shape: vec![size.cast_signed() as i64],
            descr: Some(vec![(String::new(), typestr.clone())]),
            typestr,
            data: DevicePointer { address: if size == 0 { 0 } else { address }, is_read_only },
            version: VERSION,
            strides: None,
            mask: None,
            stream: (self.options.stream == StreamEntry::Honour).then(|| number_of(self.exec.stream())),
        }
    }
}

/// The number of a stream; the driver's null is its legacy default stream.
fn number_of(stream: &Stream) -> i64 {
    match stream.as_raw().expose_provenance() {
        0 => 1,
        handle => handle.cast_signed() as i64,
    }
}
