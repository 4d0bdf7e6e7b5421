//! What the interface says, as plain values.

/// The version that is written here.
pub(super) const VERSION: i64 = 3;

/// The entries of `__cuda_array_interface__`. Nothing is checked until it is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CudaArrayInterface {
    /// Elements in each dimension.
    pub shape: Vec<i64>,
    /// The type of an element as NumPy writes it: `<i8`, `|b1`, `<M8[ns]`.
    pub typestr: String,
    /// Where the elements are.
    pub data: DevicePointer,
    /// The version of the interface.
    pub version: i64,
    /// Bytes from one element to the next in each dimension; `None`: the last dimension is contiguous, and each other is
    /// one of rows of the next.
    pub strides: Option<Vec<i64>>,
    /// The parts of an element as names and types: one without a name, where it has no parts.
    pub descr: Option<Vec<(String, String)>>,
    /// Which elements are valid: an array of the same shape, where an element that is not zero says yes.
    pub mask: Option<Box<CudaArrayInterface>>,
    /// The stream to synchronise with: 1 for the legacy default stream, 2 for the thread's, else a handle. `None`: there
    /// is nothing to wait for.
    pub stream: Option<i64>,
}

/// Where the elements of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DevicePointer {
    /// The address of the first; 0 when there are none.
    pub address: usize,
    /// Whether the consumer must not write them.
    pub is_read_only: bool,
}
