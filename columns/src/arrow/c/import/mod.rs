//! Arrays as columns and frames.

mod array;
mod check;
mod dictionary;
mod dictionary_cache;
mod frame;
mod node;
mod offsets;
mod spread;
mod views;

use super::abi::ArrowArray;
use super::device::wait_for_producer;
use super::options::ImportOptions;
use super::owned::{Owned, OwnedArray, OwnedDeviceArray, OwnedSchema};
use super::path::Path;
use super::schema::{self, FrameSchema};
use super::violation::Violation;
use crate::column::rows::same_device;
use crate::{Column, ColumnAccessor, Result};
use array::Importer;
use arrow_schema::Field;
use columnade_buffers::{Device, Exec};
pub(super) use dictionary_cache::DictionaryCache;
use std::sync::{Arc, OnceLock};

impl Column {
    /// An array of the host as a column, sharing memory as the options allow. The array is moved out of `array`, or left
    /// there on an error.
    ///
    /// Copied are: misaligned values, offsets and masks; views of strings, binary and lists; run-end encoding, which is
    /// decoded; decimals of 256 bits; float16, which becomes `float32`;
    /// unsigned 8-bit and 16-bit dictionary codes, and dictionaries with nulls or repeated values. A dictionary of nulls
    /// becomes a string dictionary without values. Fixed-size lists and binary get offsets. An interval is the struct that
    /// pandas writes, see [`Column::from_arrow_field`].
    ///
    /// # Errors
    /// [`Error::ArrowInterface`](crate::Error::ArrowInterface), naming the field, for an array that is not what the
    /// schema says, for a type without a dtype here, and for memory that must be copied and may not;
    /// [`Error::Overflow`](crate::Error::Overflow) when a full validation finds a decimal with more digits than its type
    /// says or a time of day that no day has;
    /// [`Error::DuplicateLabel`](crate::Error::DuplicateLabel) for two fields of one name;
    /// [`Error::Memory`](crate::Error::Memory).
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::from_ffi`.
    pub fn from_arrow_c(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
    ) -> Result<Column> {
        let field = schema::import(schema)?;
        column_from_host(&field, array, *options, &DictionaryCache::default())
    }

    /// Like [`Column::from_arrow_c`], and then [`Column::to_device`] to the device of `exec`: one import, which leaves the
    /// array where it is also when the copy fails.
    ///
    /// # Errors
    /// Same as [`Column::from_arrow_c`].
    ///
    /// # Device
    /// A copy of what the rows span; the host waits for it.
    pub fn from_arrow_c_to_device(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
        exec: &Exec,
    ) -> Result<Column> {
        let field = schema::import(schema)?;
        options.require_reach(exec.device())?;
        from_host(array, *options, &DictionaryCache::default(), |importer, root| {
            let column = importer.column(root, &field, &Path::ROOT)?;
            settled(exec, || column.to_device(exec))
        })
    }

    /// An array of any device as a column there, sharing memory as the options allow: see [`Column::from_arrow_c`].
    /// `exec` is of [the array's device](OwnedDeviceArray::device); its stream waits for the array's event.
    ///
    /// Page-locked memory is the host's and needs a build with CUDA where it comes with an event; managed memory is its
    /// GPU's. The memory of the extension device 0 is taken for the simulator's.
    ///
    /// # Errors
    /// Same as [`Column::from_arrow_c`], and for a device that cannot be used; [`Error::Memory`](crate::Error::Memory) when
    /// `exec` is of another device.
    ///
    /// # Device
    /// One synchronisation for all offsets of an array together. Views, float16, dictionaries and a full validation go
    /// through the host.
    ///
    /// # Source
    /// cudf/interop.hpp `from_arrow_device_column`; pyarrow `Array._import_from_c_device`.
    pub fn from_arrow_c_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: &ImportOptions,
        exec: &Exec,
    ) -> Result<Column> {
        let field = schema::import(schema)?;
        column_from_device(&field, array, *options, exec, &DictionaryCache::default())
    }
}

impl ColumnAccessor {
    /// An array of structs of the host as columns: see [`Column::from_arrow_c`]. A row that is null as a whole is null
    /// in every column.
    ///
    /// # Errors
    /// Same as [`Column::from_arrow_c`], and for a schema that is no struct.
    ///
    /// # Source
    /// pyarrow `RecordBatch._import_from_c`.
    pub fn from_arrow_c(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
    ) -> Result<ColumnAccessor> {
        let schema = FrameSchema::import(schema)?;
        frame_from_host(&schema, array, *options, &DictionaryCache::default())
    }

    /// Like [`ColumnAccessor::from_arrow_c`], and then [`Column::to_device`] of each column to the device of `exec`: see
    /// [`Column::from_arrow_c_to_device`].
    ///
    /// # Errors
    /// Same as [`ColumnAccessor::from_arrow_c`].
    ///
    /// # Device
    /// Same as [`Column::from_arrow_c_to_device`].
    pub fn from_arrow_c_to_device(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        let schema = FrameSchema::import(schema)?;
        options.require_reach(exec.device())?;
        from_host(array, *options, &DictionaryCache::default(), |importer, root| {
            let frame = importer.frame(root, &schema)?;
            settled(exec, || frame.map(frame.rows(), |column| column.to_device(exec)))
        })
    }

    /// An array of structs of any device as columns there: see [`Column::from_arrow_c_device`]. A row that is null as a
    /// whole is null in every column.
    ///
    /// # Errors
    /// Same as [`Column::from_arrow_c_device`], and for a schema that is no struct.
    ///
    /// # Source
    /// cudf/interop.hpp `from_arrow_device`; pyarrow `RecordBatch._import_from_c_device`.
    pub fn from_arrow_c_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: &ImportOptions,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        let schema = FrameSchema::import(schema)?;
        frame_from_device(&schema, array, *options, exec, &DictionaryCache::default())
    }
}

pub(super) fn column_from_host(
    field: &Field,
    array: &mut OwnedArray,
    options: ImportOptions,
    dictionaries: &DictionaryCache,
) -> Result<Column> {
    from_host(array, options, dictionaries, |importer, root| importer.column(root, field, &Path::ROOT))
}

pub(super) fn column_from_device(
    field: &Field,
    array: &mut OwnedDeviceArray,
    options: ImportOptions,
    exec: &Exec,
    dictionaries: &DictionaryCache,
) -> Result<Column> {
    from_device(array, options, exec, dictionaries, |importer, root| {
        if exec.device() != Device::Host {
            importer.fetch_offset_bounds(root, field)?;
        }
        importer.column(root, field, &Path::ROOT)
    })
}

pub(super) fn frame_from_host(
    schema: &FrameSchema,
    array: &mut OwnedArray,
    options: ImportOptions,
    dictionaries: &DictionaryCache,
) -> Result<ColumnAccessor> {
    from_host(array, options, dictionaries, |importer, root| importer.frame(root, schema))
}

pub(super) fn frame_from_device(
    schema: &FrameSchema,
    array: &mut OwnedDeviceArray,
    options: ImportOptions,
    exec: &Exec,
    dictionaries: &DictionaryCache,
) -> Result<ColumnAccessor> {
    from_device(array, options, exec, dictionaries, |importer, root| {
        if exec.device() != Device::Host {
            importer.fetch_frame_offset_bounds(root, schema)?;
        }
        importer.frame(root, schema)
    })
}

/// The array that imported buffers look into. It is moved here when nothing can fail any more: until then it is the
/// caller's, and dropping this releases nothing.
type Keeper = OnceLock<OwnedArray>;

fn from_host<T>(
    array: &mut OwnedArray,
    options: ImportOptions,
    dictionaries: &DictionaryCache,
    import: impl FnOnce(&Importer<'_>, &ArrowArray) -> Result<T>,
) -> Result<T> {
    let exec = Exec::host();
    let keeper = Arc::new(Keeper::new());
    let imported = import(&Importer::new(&exec, &options, &keeper, dictionaries), array.as_raw())?;
    let _ = keeper.set(array.take());
    Ok(imported)
}

/// What `import` makes on `exec`'s device of memory that nothing queued may still read when it fails.
fn settled<T>(exec: &Exec, import: impl FnOnce() -> Result<T>) -> Result<T> {
    import().inspect_err(|_| {
        // Worth a wait even where the stream has failed, which the error is about then.
        let _ = exec.synchronize();
    })
}

fn from_device<T>(
    array: &mut OwnedDeviceArray,
    options: ImportOptions,
    exec: &Exec,
    dictionaries: &DictionaryCache,
    import: impl FnOnce(&mut Importer<'_>, &ArrowArray) -> Result<T>,
) -> Result<T> {
    if array.is_released() {
        return Path::ROOT.fail(Violation::Released { what: "array" });
    }
    same_device(array.device()?, exec.device())?;
    wait_for_producer(array.as_raw(), exec)?;
    let keeper = Arc::new(Keeper::new());
    let mut importer = Importer::new(exec, &options, &keeper, dictionaries);
    // On an error the array stays the caller's and may be released at once.
    let imported = settled(exec, || import(&mut importer, &array.as_raw().array))?;
    // SAFETY: moved out of a wrapper whose maker promised what the interface says; the event belongs to the array.
    let moved = unsafe { Owned::from_raw(array.take().into_raw().array) };
    let _ = keeper.set(moved);
    Ok(imported)
}
