//! Series as one-dimensional tensors.

use columnade_columns::Column;
use columnade_columns::arrow::c::CopyPolicy;
use columnade_columns::cuda_array::{CudaArray, CudaArrayExport, ForeignCudaArray};
use columnade_columns::dlpack::{ManagedTensor, TensorRequest};

use super::{Series, named};
use crate::error::{InOperation, Result};
use crate::options::exec_on;

impl Series {
    /// Exports the values, numbers or booleans without nulls, as a read-only one-dimensional tensor. Booleans are copied, and
    /// everything if `request` asks for it. Row labels and the name are dropped.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::dlpack::{CopyPolicy, TensorRequest};
    ///
    /// let series = Series::new([1_i64, 2, 3])?;
    /// let mut tensor = series.to_dlpack(&TensorRequest::default())?;
    /// let back = Series::from_dlpack(&mut tensor, CopyPolicy::Never)?;
    /// assert_eq!(back.to_scalars()?, series.to_scalars()?);
    ///
    /// let refused = Series::new([Some(1_i64), None])?.to_dlpack(&TensorRequest::default());
    /// assert!(refused.is_err_and(|error| error.to_string().contains("fill_null")));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for nulls, for a dtype without a DLPack type, for a copy that the
    /// request forbids, and when memory runs out.
    ///
    /// # Source
    /// cuDF `Series.to_dlpack`; Python array API standard `__dlpack__`.
    #[track_caller]
    pub fn to_dlpack(&self, request: &TensorRequest) -> Result<ManagedTensor> {
        self.values()
            .to_dlpack(request, self.exec())
            .map_err(|error| self.named(error))
            .operation("to_dlpack")
    }

    /// Imports a tensor of at most one dimension as a series without a name, on the tensor's device. Shares memory if `copy`
    /// allows it and the values are contiguous. The tensor is moved out of `tensor`; on an error it stays there.
    ///
    /// Context and streams are as in [`DataFrame::from_dlpack`](crate::DataFrame::from_dlpack).
    ///
    /// # Errors
    /// Same as [`DataFrame::from_dlpack`](crate::DataFrame::from_dlpack).
    ///
    /// # Source
    /// cuDF `from_dlpack`; Python array API standard `from_dlpack`.
    pub fn from_dlpack(tensor: &mut ManagedTensor, copy: CopyPolicy) -> Result<Self> {
        const OPERATION: &str = "from_dlpack";
        let exec = exec_on(OPERATION, tensor.device().operation(OPERATION)?)?;
        let column = Column::from_dlpack(tensor, copy, &exec).operation(OPERATION)?;
        Self::unnamed(OPERATION, column, exec)
    }

    /// A read-only description of the values for consumers of the CUDA Array Interface, with a mask if there are nulls. It is
    /// valid as long as the result lives.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a series on the host, for a dtype without a NumPy type,
    /// for nulls that the options refuse, and when memory runs out.
    ///
    /// # Source
    /// cuDF `Series.__cuda_array_interface__`.
    #[track_caller]
    pub fn to_cuda_array(&self, options: &CudaArrayExport) -> Result<CudaArray> {
        self.values()
            .to_cuda_array(options, self.exec())
            .map_err(|error| self.named(error))
            .operation("to_cuda_array")
    }

    /// A description like [`to_cuda_array`](Self::to_cuda_array) that the consumer may also write. Only this series and its
    /// later clones see the writes. Booleans are copied, so the series does not see writes to them.
    ///
    /// # Errors
    /// Same as [`to_cuda_array`](Self::to_cuda_array).
    ///
    /// # Source
    /// Same as [`to_cuda_array`](Self::to_cuda_array).
    #[track_caller]
    pub fn to_cuda_array_mut(&mut self, options: &CudaArrayExport) -> Result<CudaArray> {
        let name = self.name().clone();
        let (columns, exec) = self.inner.frame_mut().accessor_mut();
        columns
            .to_cuda_array_mut(&name, options, exec)
            .map_err(|error| named(&name, error))
            .operation("to_cuda_array_mut")
    }

    /// Like [`to_cuda_array_mut`](Self::to_cuda_array_mut), with the values permanently exposed, for consumers that cannot hold
    /// the result. The values do not move as long as the series lives, are never spilled again, and every shallow copy of
    /// them copies at once. Buffers made for the description (booleans and masks as bytes) and the stream are never freed.
    /// Prefer a lease.
    ///
    /// # Errors
    /// Same as [`to_cuda_array`](Self::to_cuda_array).
    ///
    /// # Source
    /// cuDF `Series.__cuda_array_interface__`.
    #[track_caller]
    pub fn expose_cuda_array(&mut self, options: &CudaArrayExport) -> Result<CudaArray> {
        let name = self.name().clone();
        let (columns, exec) = self.inner.frame_mut().accessor_mut();
        columns
            .expose_cuda_array(&name, options, exec)
            .map_err(|error| named(&name, error))
            .operation("expose_cuda_array")
    }

    /// Imports memory that a producer describes with the CUDA Array Interface, of at most one dimension, as a series without a
    /// name, on its device. Shares memory if the options of `array` allow it and the values are contiguous. The context is
    /// the thread's default one if it is on that device, else a new one; it waits for the described stream.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an invalid description, for elements of a type without
    /// a dtype, for more dimensions, for a copy that the options forbid, for a device that this build or machine
    /// does not have, and when memory runs out.
    ///
    /// # Source
    /// cuDF `Series` of an object with `__cuda_array_interface__`.
    pub fn from_cuda_array(array: &ForeignCudaArray) -> Result<Self> {
        const OPERATION: &str = "from_cuda_array";
        let exec = exec_on(OPERATION, array.device())?;
        let column = array.to_column(&exec).operation(OPERATION)?;
        Self::unnamed(OPERATION, column, exec)
    }
}
