//! Descriptions of device memory as columns.

use super::descriptor::{CudaArrayInterface, VERSION};
use super::export::StreamEntry;
use super::typestr::{elements_of, mask_dtype_of, unknown};
use super::{CUDA_ARRAY, MASK};
use crate::arrow::c::CopyPolicy;
use crate::foreign::{is_possible, require_readable};
use crate::tensor::{Grid, Interface, TensorFault, stored_as, to_bits};
use crate::{Column, ColumnAccessor, DType, Label, Result};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::Storage;
use smallvec::SmallVec;
use std::any::Any;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;

/// How descriptions are imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CudaArrayImport {
    /// Whether memory is copied.
    pub copy: CopyPolicy,
    /// Whether the described stream is waited for.
    pub stream: StreamEntry,
    /// How masks are read.
    pub mask: MaskLayout,
}

/// How a mask is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaskLayout {
    /// As its type says: bits for `t1`, as cuDF writes them, else an element for each value.
    #[default]
    AsDescribed,
    /// An element for each value.
    Elements,
    /// A bit for each value, least significant first.
    Bits,
}

/// What keeps the memory.
pub(super) type KeepAlive = Arc<dyn Any + Send + Sync>;

impl Column {
    /// The memory that `interface` describes as a column: of no dimension, a column of one row. It is shared where the
    /// options allow that and the values are contiguous, and never written. Booleans, which are bytes there, and
    /// float16, which becomes `float32`, are copied.
    ///
    /// `exec` is of the device that the memory is on; its stream waits for the described one, and what is queued on that
    /// one later for what the import reads. `keep_alive` is dropped when the last column that uses the memory is dropped
    /// and the work queued with it is done.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor), naming the entry, for an invalid description, elements of a type
    /// without a dtype here, more dimensions, memory that must be copied and may not, and for the host's `exec`;
    /// [`Error::Memory`](crate::Error::Memory).
    ///
    /// # Safety
    /// The memory and the streams are what the interface says, on `exec`'s device, until `keep_alive` is dropped. The
    /// memory is not written until then, except by work that is on the described stream already. With the stream ignored,
    /// there is no such work.
    ///
    /// # Device
    /// Two events for each described stream, one launch for values at distances and one for booleans, and two for a mask.
    /// Float16 is converted on the host, which waits.
    ///
    /// # Source
    /// Numba `cuda.from_cuda_array_interface`; cuDF `as_column` of such objects.
    pub unsafe fn from_cuda_array(
        interface: &CudaArrayInterface,
        keep_alive: impl Any + Send + Sync,
        options: &CudaArrayImport,
        exec: &Exec,
    ) -> Result<Column> {
        // SAFETY: the caller's promise.
        unsafe { column_of(interface, &(Arc::new(keep_alive) as KeepAlive), *options, exec) }
    }
}

impl ColumnAccessor {
    /// Like [`Column::from_cuda_array`], of at most two dimensions, rows by columns: columns with the labels 0, 1, ….
    ///
    /// # Errors
    /// Same as [`Column::from_cuda_array`].
    ///
    /// # Safety
    /// Same as [`Column::from_cuda_array`].
    ///
    /// # Device
    /// Same as [`Column::from_cuda_array`], for each column.
    ///
    /// # Source
    /// cuDF `DataFrame` of such objects.
    pub unsafe fn from_cuda_array(
        interface: &CudaArrayInterface,
        keep_alive: impl Any + Send + Sync,
        options: &CudaArrayImport,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        // SAFETY: the caller's promise.
        unsafe { frame_of(interface, &(Arc::new(keep_alive) as KeepAlive), *options, exec) }
    }
}

/// One dimension as a column.
///
/// # Safety
/// Same as [`Column::from_cuda_array`].
pub(super) unsafe fn column_of(
    interface: &CudaArrayInterface,
    keep_alive: &KeepAlive,
    options: CudaArrayImport,
    exec: &Exec,
) -> Result<Column> {
    // SAFETY: the caller's promise.
    let (mut columns, _) = unsafe { import(interface, keep_alive, options, 1, exec)? };
    columns.pop().ok_or_else(|| CUDA_ARRAY.error("shape", TensorFault::NoColumns))
}

/// Two dimensions as columns.
///
/// # Safety
/// Same as [`Column::from_cuda_array`].
pub(super) unsafe fn frame_of(
    interface: &CudaArrayInterface,
    keep_alive: &KeepAlive,
    options: CudaArrayImport,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    // SAFETY: the caller's promise.
    let (columns, rows) = unsafe { import(interface, keep_alive, options, 2, exec)? };
    if columns.is_empty() {
        return Ok(ColumnAccessor::with_rows(rows));
    }
    ColumnAccessor::from_columns((0_i64..).map(Label::from).zip(columns))
}

/// The columns, and how many rows they have.
///
/// # Safety
/// Same as [`Column::from_cuda_array`].
unsafe fn import(
    interface: &CudaArrayInterface,
    keep_alive: &KeepAlive,
    options: CudaArrayImport,
    most: i64,
    exec: &Exec,
) -> Result<(Vec<Column>, usize)> {
    if exec.device() == Device::Host {
        let reason = "the memory is a GPU's: take a context there".to_owned();
        return CUDA_ARRAY.fail("data", TensorFault::Device { device_type: 1, device_id: 0, reason });
    }
    let elements = elements_of(&interface.typestr)?;
    let grid = grid(CUDA_ARRAY, interface, elements.storage, most)?;
    if interface.mask.as_ref().is_some_and(|mask| mask.mask.is_some()) {
        return MASK.fail("mask", TensorFault::Size { found: 1, reason: "the mask of a mask" });
    }
    let streams = described_streams(interface, options, exec)?;
    for &stream in &streams {
        // SAFETY: a default stream of CUDA's, or the caller's promise.
        unsafe { exec.stream().wait_for_raw(stream)? };
    }
    let read = || {
        // SAFETY: the caller's promise.
        let memory = unsafe { memory(CUDA_ARRAY, interface, &grid, keep_alive, exec)? };
        let masks = match &interface.mask {
            // SAFETY: as above.
            Some(mask) => unsafe { masks(mask, &grid, interface, keep_alive, options, exec)? },
            None => Vec::new(),
        };
        grid.read(CUDA_ARRAY, memory, &elements, &masks, options.copy, exec)
    };
    let read_in_order = || {
        let columns = read()?;
        if !streams.is_empty() {
            let is_read = exec.stream().record()?;
            // SAFETY: as above.
            streams.iter().try_for_each(|&stream| unsafe { is_read.hold_back(stream) })?;
        }
        Ok((columns, grid.rows))
    };
    read_in_order().inspect_err(|_| {
        // The producer need not keep the memory after an error: no queued work may still read it.
        let _ = exec.synchronize();
    })
}

/// The grid of an array.
fn grid(interface: Interface, array: &CudaArrayInterface, storage: Storage, most: i64) -> Result<Grid> {
    if !(0..=VERSION).contains(&array.version) {
        return interface.fail("version", TensorFault::Version { major: array.version, minor: 0 });
    }
    if let Some(parts) = &array.descr {
        let is_whole = matches!(parts.as_slice(), [(_, typestr)] if *typestr == array.typestr);
        if !is_whole {
            return Err(unknown(interface, "descr", &format!("{parts:?}")));
        }
    }
    let found = i64::try_from(array.shape.len()).unwrap_or(i64::MAX);
    if found > most {
        return interface.fail("shape", TensorFault::Dimensions { found, most });
    }
    if let Some(strides) = array.strides.as_ref().filter(|strides| strides.len() != array.shape.len()) {
        let found = i64::try_from(strides.len()).unwrap_or(i64::MAX);
        let reason = "as many strides as dimensions are needed";
        return interface.fail("strides", TensorFault::Size { found, reason });
    }
    Grid::new(interface, storage.bytes(1), &array.shape, array.strides.as_deref(), 1)
}

/// The memory of an array from its lowest value on.
///
/// # Safety
/// Same as [`Column::from_cuda_array`].
unsafe fn memory(
    interface: Interface,
    array: &CudaArrayInterface,
    grid: &Grid,
    keep_alive: &KeepAlive,
    exec: &Exec,
) -> Result<Buffer> {
    if grid.bytes() == 0 {
        return Ok(Buffer::uninit(0, exec)?);
    }
    // SAFETY: the caller's promise, of all that the grid has checked to be one range.
    unsafe { foreign(interface, array.data.address, grid.before(), grid.bytes(), keep_alive, exec) }
}

/// `bytes` bytes of foreign memory, which begin `before` bytes before `address`.
///
/// # Safety
/// They are as [`Buffer::from_foreign`] asks.
unsafe fn foreign(
    interface: Interface,
    address: usize,
    before: usize,
    bytes: usize,
    keep_alive: &KeepAlive,
    exec: &Exec,
) -> Result<Buffer> {
    if address == 0 {
        return interface.fail("data", TensorFault::Null);
    }
    let lowest = address.checked_sub(before).map(ptr::with_exposed_provenance_mut::<u8>);
    let Some(lowest) = lowest.and_then(NonNull::new).filter(|&lowest| is_possible(lowest, bytes)) else {
        return interface.fail("data", TensorFault::Address { found: address as u64 });
    };
    require_readable(interface, exec.device(), lowest, bytes)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { Buffer::from_foreign(lowest, bytes, Arc::clone(keep_alive), exec) })
}

/// A bit mask for each column.
///
/// # Safety
/// Same as [`Column::from_cuda_array`].
unsafe fn masks(
    mask: &CudaArrayInterface,
    values: &Grid,
    array: &CudaArrayInterface,
    keep_alive: &KeepAlive,
    options: CudaArrayImport,
    exec: &Exec,
) -> Result<Vec<Buffer>> {
    let dtype = mask_dtype_of(&mask.typestr)?;
    let has_shape = mask.shape == array.shape;
    let is_bits = match options.mask {
        MaskLayout::AsDescribed => dtype.is_none(),
        MaskLayout::Elements => false,
        MaskLayout::Bits => true,
    };
    if is_bits {
        // SAFETY: the caller's promise.
        return Ok(vec![unsafe { bits(mask, dtype.as_ref(), values, keep_alive, options.copy, exec)? }]);
    }
    let Some(storage) = dtype.as_ref().filter(|_| has_shape).map(stored_as) else {
        let reason = "an element for each value is needed; bits are of the type t1, or asked for";
        let found = mask.shape.first().copied().unwrap_or_default();
        return MASK.fail("shape", TensorFault::Size { found, reason });
    };
    needs_copy(options.copy, "an element for each value of a mask becomes a bit")?;
    let grid = grid(MASK, mask, storage, 2)?;
    // SAFETY: the caller's promise.
    let memory = unsafe { memory(MASK, mask, &grid, keep_alive, exec)? };
    let is_aligned = mask.data.address.is_multiple_of(storage.bytes(1));
    let memory = if is_aligned { memory } else { memory.copy_to(exec)? };
    (0..grid.columns)
        .map(|at| to_bits(&grid.column(&memory, at, storage, exec)?, storage, grid.rows, exec))
        .collect()
}

/// A mask of bits: shared where a kernel can read it.
///
/// # Safety
/// Same as [`Column::from_cuda_array`].
unsafe fn bits(
    mask: &CudaArrayInterface,
    dtype: Option<&DType>,
    values: &Grid,
    keep_alive: &KeepAlive,
    copy: CopyPolicy,
    exec: &Exec,
) -> Result<Buffer> {
    let fail = |field: &str, found, reason| MASK.fail(field, TensorFault::Size { found, reason });
    let (&[len], 1, None | Some(DType::UInt8)) = (mask.shape.as_slice(), values.columns, dtype) else {
        let found = i64::try_from(mask.shape.len()).unwrap_or(i64::MAX);
        return fail(
            "shape",
            found,
            "bits go with one dimension of values, in bits or bytes of one dimension",
        );
    };
    if mask.strides.as_ref().is_some_and(|strides| strides.as_slice() != [1]) {
        return fail("strides", 1, "bits are read one after the other only");
    }
    let bits = usize::try_from(len).ok().and_then(|len| len.checked_mul(if dtype.is_none() { 1 } else { 8 }));
    if bits.is_none_or(|bits| bits < values.rows) {
        return fail("shape", len, "fewer bits than values");
    }
    let bytes = values.rows.div_ceil(8);
    if bytes == 0 {
        return Ok(Buffer::uninit(0, exec)?);
    }
    // SAFETY: the caller's promise: there are as many bits as values, by the check.
    let shared = unsafe { foreign(MASK, mask.data.address, 0, bytes, keep_alive, exec)? };
    let is_aligned = mask.data.address.is_multiple_of(align_of::<u32>());
    if is_aligned && copy != CopyPolicy::Always {
        return Ok(shared);
    }
    needs_copy(copy, "the address of the mask is no multiple of a word's size")?;
    Ok(shared.copy_to(exec)?)
}

fn needs_copy(copy: CopyPolicy, reason: &'static str) -> Result<()> {
    match copy {
        CopyPolicy::Never => CUDA_ARRAY.fail("mask", TensorFault::NeedsCopy { reason }),
        CopyPolicy::IfNeeded | CopyPolicy::Always => Ok(()),
    }
}

/// The handles of the streams that an array and its mask are described with, each once, `exec`'s own left out.
fn described_streams(
    array: &CudaArrayInterface,
    options: CudaArrayImport,
    exec: &Exec,
) -> Result<SmallVec<[*mut c_void; 2]>> {
    let mut handles = SmallVec::new();
    if options.stream == StreamEntry::Ignore {
        return Ok(handles);
    }
    for number in [Some(array), array.mask.as_deref()].into_iter().flatten().filter_map(|array| array.stream)
    {
        let handle = handle_of(number, exec)?;
        if handle != exec.stream().as_raw() && !handles.contains(&handle) {
            handles.push(handle);
        }
    }
    Ok(handles)
}

/// The handle of the stream of that number.
fn handle_of(number: i64, exec: &Exec) -> Result<*mut c_void> {
    let fail = |reason| CUDA_ARRAY.fail("stream", TensorFault::Stream { number, reason });
    match (number, exec.device()) {
        (0, _) => fail("it could be none or either default stream"),
        (1 | 2, Device::Sim) => fail("the simulator has no default streams"),
        _ => match usize::try_from(number) {
            Ok(handle) => Ok(ptr::with_exposed_provenance_mut(handle)),
            Err(_) => fail("no stream has this number"),
        },
    }
}
