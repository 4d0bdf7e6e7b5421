//! Frames as tensors of two dimensions, and such tensors as frames.

use columnade_columns::ColumnAccessor;
use columnade_columns::arrow::c::CopyPolicy;
use columnade_columns::dlpack::{ManagedTensor, TensorRequest};

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::options::exec_on;

impl DataFrame {
    /// The columns, all of one numeric dtype or booleans and without nulls, as a tensor of rows by columns. Without a copy
    /// where they are at regular distances in one allocation, as those of an imported tensor; else they are copied, one
    /// after the other. Labels are left behind.
    ///
    /// ```
    /// use columnade::DataFrame;
    /// use columnade::dlpack::{CopyPolicy, TensorRequest};
    ///
    /// let frame = DataFrame::new([("x", vec![1.0_f64, 2.0]), ("y", vec![3.0, 4.0])])?;
    /// let mut tensor = frame.to_dlpack(&TensorRequest::default())?;
    /// assert!(tensor.is_copied().is_ok_and(|is_copied| is_copied));
    /// let back = DataFrame::from_dlpack(&mut tensor, CopyPolicy::Never)?;
    /// assert_eq!(back.column(1)?.to_scalars()?, frame.column("y")?.to_scalars()?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for no columns, for columns of several dtypes, of one that DLPack has
    /// no type for, or with nulls, for a copy that is needed and not allowed, and when memory runs out.
    ///
    /// # Source
    /// cuDF `DataFrame.to_dlpack`.
    #[track_caller]
    pub fn to_dlpack(&self, request: &TensorRequest) -> Result<ManagedTensor> {
        self.frame().columns().to_dlpack(request, self.exec()).operation("to_dlpack")
    }

    /// A tensor of at most two dimensions as columns with the labels 0, 1, … on the tensor's device; without a copy where
    /// `copy` allows that and columns are contiguous. The tensor is moved out of `tensor`, or left there on an error.
    ///
    /// The frame is worked on in the thread's default context where that is of the device, else in a new one. A producer
    /// on a device must have been asked with
    /// [the default context's stream](columnade_columns::dlpack::ConsumerStream::of), or have waited for its work.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a tensor that is not what the interface says, for elements of a
    /// type without a dtype, for memory that must be copied and may not, for a device that this build or machine does
    /// not have, and when memory runs out.
    ///
    /// # Source
    /// cuDF `from_dlpack`; Python array API standard `from_dlpack`.
    pub fn from_dlpack(tensor: &mut ManagedTensor, copy: CopyPolicy) -> Result<Self> {
        const OPERATION: &str = "from_dlpack";
        let exec = exec_on(tensor.device().operation(OPERATION)?)?;
        let columns = ColumnAccessor::from_dlpack(tensor, copy, &exec).operation(OPERATION)?;
        Ok(Self::from_frame(Frame::new(columns, exec)))
    }
}
