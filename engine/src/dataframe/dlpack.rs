//! Frames as two-dimensional tensors.

use columnade_columns::ColumnAccessor;
use columnade_columns::arrow::c::CopyPolicy;
use columnade_columns::dlpack::{ManagedTensor, TensorRequest};

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::options::exec_on;

impl DataFrame {
    /// Exports the columns, all of one numeric dtype or booleans and without nulls, as a tensor of rows by columns. Columns at
    /// regular distances in one allocation, such as those of an imported tensor, are shared; others are copied to one
    /// allocation. Labels are dropped.
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
    /// [`Error::Operation`](crate::Error::Operation) without columns, for columns of several dtypes, of a dtype without
    /// a DLPack type, or with nulls, for a copy that the request forbids, and when memory runs out.
    ///
    /// # Source
    /// cuDF `DataFrame.to_dlpack`.
    #[track_caller]
    pub fn to_dlpack(&self, request: &TensorRequest) -> Result<ManagedTensor> {
        self.frame().accessor().to_dlpack(request, self.exec()).operation("to_dlpack")
    }

    /// Imports a tensor of at most two dimensions as columns with the labels 0, 1, … on the tensor's device. Shares memory if
    /// `copy` allows it and columns are contiguous. The tensor is moved out of `tensor`; on an error it stays there.
    ///
    /// The context is the thread's default one if it is on that device, else a new one. The producer of a device tensor must
    /// have ordered its work before [the default context's stream](columnade_columns::dlpack::ConsumerStream::of), or have
    /// waited for it.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an invalid tensor, for elements of a type without a dtype, for
    /// a copy that the options forbid, for a device that this build or machine does not have, and when memory runs out.
    ///
    /// # Source
    /// cuDF `from_dlpack`; Python array API standard `from_dlpack`.
    pub fn from_dlpack(tensor: &mut ManagedTensor, copy: CopyPolicy) -> Result<Self> {
        const OPERATION: &str = "from_dlpack";
        let exec = exec_on(OPERATION, tensor.device().operation(OPERATION)?)?;
        let columns = ColumnAccessor::from_dlpack(tensor, copy, &exec).operation(OPERATION)?;
        Ok(Self::from_frame(Frame::new(columns, exec)))
    }
}
