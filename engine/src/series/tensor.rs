//! Series as tensors of one dimension, and such tensors as series.

use columnade_columns::Column;
use columnade_columns::arrow::c::CopyPolicy;
use columnade_columns::cuda_array::{CudaArray, CudaArrayExport};
use columnade_columns::dlpack::{ManagedTensor, TensorRequest};

use super::Series;
use crate::error::{InOperation, Result};
use crate::options::exec_on;

impl Series {
    /// The values, numbers or booleans without nulls, as a tensor of one dimension, to be read: without a copy, but for
    /// booleans and what `request` wants copied. Row labels and the name are left behind.
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
    /// [`Error::Operation`](crate::Error::Operation) for nulls, for a dtype that DLPack has no type for, for a copy that
    /// is needed and not allowed, and when memory runs out.
    ///
    /// # Source
    /// cuDF `Series.to_dlpack`; Python array API standard `__dlpack__`.
    #[track_caller]
    pub fn to_dlpack(&self, request: &TensorRequest) -> Result<ManagedTensor> {
        self.values().to_dlpack(request, self.exec()).operation("to_dlpack")
    }

    /// A tensor of at most one dimension as a series without a name on the tensor's device; without a copy where `copy`
    /// allows that and the values are contiguous. The tensor is moved out of `tensor`, or left there on an error.
    ///
    /// Context and streams are as in [`DataFrame::from_dlpack`](crate::DataFrame::from_dlpack).
    ///
    /// # Errors
    /// As [`DataFrame::from_dlpack`](crate::DataFrame::from_dlpack).
    ///
    /// # Source
    /// cuDF `from_dlpack`; Python array API standard `from_dlpack`.
    pub fn from_dlpack(tensor: &mut ManagedTensor, copy: CopyPolicy) -> Result<Self> {
        const OPERATION: &str = "from_dlpack";
        let exec = exec_on(tensor.device().operation(OPERATION)?)?;
        let column = Column::from_dlpack(tensor, copy, &exec).operation(OPERATION)?;
        Self::from_column(OPERATION, "", column, exec)
    }

    /// A description of the values for consumers of the CUDA Array Interface, to be read, with a mask where there are
    /// nulls; it is true as long as the result lives.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a series of the host, for a dtype that NumPy has no type for,
    /// for nulls that the options refuse, and when memory runs out.
    ///
    /// # Source
    /// cuDF `Series.__cuda_array_interface__`.
    #[track_caller]
    pub fn to_cuda_array(&self, options: &CudaArrayExport) -> Result<CudaArray> {
        self.values().to_cuda_array(options, self.exec()).operation("to_cuda_array")
    }
}
