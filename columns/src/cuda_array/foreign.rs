//! Descriptions of foreign memory that can be imported without `unsafe`.

use super::descriptor::CudaArrayInterface;
use super::export::CudaArray;
use super::import::{CudaArrayImport, KeepAlive, column_of, frame_of};
use crate::column::rows::same_device;
use crate::{Column, ColumnAccessor, Result};
use columnade_buffers::{Device, Exec};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A description of foreign memory with its owner, its device and the import options. The safety promise of an import is
/// made once, when this is constructed. The memory lives as long as this value or a column that uses it.
#[derive(Clone)]
pub struct ForeignCudaArray {
    interface: CudaArrayInterface,
    keep_alive: KeepAlive,
    device: Device,
    options: CudaArrayImport,
}

impl ForeignCudaArray {
    /// A description of memory of `device`, which `keep_alive` keeps.
    ///
    /// # Safety
    /// Same as [`Column::from_cuda_array`], with these options and a context of that device, as often as it is imported.
    pub unsafe fn new(
        interface: CudaArrayInterface,
        keep_alive: impl Any + Send + Sync,
        device: Device,
        options: CudaArrayImport,
    ) -> Self {
        Self { interface, keep_alive: Arc::new(keep_alive), device, options }
    }

    /// What the producer says.
    pub fn interface(&self) -> &CudaArrayInterface {
        &self.interface
    }

    /// The device that the memory is on: the one that a context to import it must have.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The memory as a column: see [`Column::from_cuda_array`].
    ///
    /// # Errors
    /// Same as [`Column::from_cuda_array`]; [`Error::Memory`](crate::Error::Memory) when `exec` is of another device.
    ///
    /// # Device
    /// Same as [`Column::from_cuda_array`].
    ///
    /// # Source
    /// Same as [`Column::from_cuda_array`].
    pub fn to_column(&self, exec: &Exec) -> Result<Column> {
        same_device(self.device, exec.device())?;
        // SAFETY: the caller of `new` promised it, for this device.
        unsafe { column_of(&self.interface, &self.keep_alive, self.options, exec) }
    }

    /// The memory as columns with the labels 0, 1, …: see [`ColumnAccessor::from_cuda_array`].
    ///
    /// # Errors
    /// Same as [`to_column`](Self::to_column).
    ///
    /// # Device
    /// Same as [`ColumnAccessor::from_cuda_array`].
    ///
    /// # Source
    /// Same as [`ColumnAccessor::from_cuda_array`].
    pub fn to_columns(&self, exec: &Exec) -> Result<ColumnAccessor> {
        same_device(self.device, exec.device())?;
        // SAFETY: as above.
        unsafe { frame_of(&self.interface, &self.keep_alive, self.options, exec) }
    }
}

impl CudaArray {
    /// The description, to be imported again with these options.
    pub fn into_foreign(self, options: CudaArrayImport) -> ForeignCudaArray {
        let (interface, device) = (self.interface().clone(), self.device());
        // SAFETY: this keeps the memory and the stream that it describes alive, and leases prevent writes except by
        // consumers, which follow the interface.
        unsafe { ForeignCudaArray::new(interface, self, device, options) }
    }
}

impl fmt::Debug for ForeignCudaArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForeignCudaArray")
            .field("interface", &self.interface)
            .field("device", &self.device)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
