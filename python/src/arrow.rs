//! Arrow's PyCapsule interface: exports as capsules, and imports of those of any library.
//!
//! A capsule holds a struct of Arrow's C interface behind a pointer. A consumer either moves the struct out of it, and
//! marks the original as released, or borrows it as long as the capsule lives. Ours hold an [`Owned`] struct, which is
//! released with the capsule unless a consumer moved it out.

use std::ffi::CStr;
use std::num::NonZero;
use std::ptr::NonNull;

use columnade::arrow::{
    ArrayStruct, ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ExportOptions,
    ImportOptions, NullCounts, OffsetLayout, Owned, OwnedSchema, StreamStruct, Struct, Validation,
};
use columnade::column::DecimalStorage;
use columnade::dtypes::Field;
use columnade::{DType, DataFrame, Device, Error, ErrorKind, Series};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::requested::{Asked, can_cast};
use crate::series::checked_cast;
use crate::work::{argument, lossy_exception, work, work_or};

pub(crate) const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
pub(crate) const STREAM: &CStr = c"arrow_array_stream";
const DEVICE_ARRAY: &CStr = c"arrow_device_array";
const DEVICE_STREAM: &CStr = c"arrow_device_array_stream";

type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// What is exported.
#[derive(Clone)]
pub(crate) enum Exported {
    Frame(DataFrame),
    Series(Series),
}

/// The exact number of nulls: some consumers expect it.
pub(crate) fn options(offsets: OffsetLayout) -> ExportOptions {
    ExportOptions { null_counts: NullCounts::Exact, offsets, ..ExportOptions::default() }
}

fn device_options(offsets: OffsetLayout) -> ExportOptions {
    ExportOptions { offsets, ..ExportOptions::default() }
}

pub(crate) fn capsule<'py, T: Struct + 'static>(
    py: Python<'py>,
    value: Owned<T>,
    name: &'static CStr,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, value, name)
}

impl Exported {
    /// The schema of what the methods below export.
    pub(crate) fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = work(py, || match self.head()?.portable()? {
            Exported::Frame(frame) => {
                let schema = frame.frame().accessor().to_arrow_c_schema(&options(OffsetLayout::AsStored));
                schema.map_err(|source| Error::Operation { operation: "__arrow_c_schema__", source })
            }
            Exported::Series(series) => {
                series.to_arrow_c::<ArrowArray>(&options(OffsetLayout::AsStored)).map(|(schema, _)| schema)
            }
        })?;
        capsule(py, schema, SCHEMA)
    }

    /// A schema and an array on the host.
    pub(crate) fn array<'py>(
        self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        let (exported, offsets) = self.adapted(py, "__arrow_c_array__", requested_schema)?;
        let (schema, array) = work(py, || match exported {
            Exported::Frame(frame) => frame.to_arrow_c::<ArrowArray>(&options(offsets)),
            Exported::Series(series) => series.to_arrow_c::<ArrowArray>(&options(offsets)),
        })?;
        Ok((capsule(py, schema, SCHEMA)?, capsule(py, array, ARRAY)?))
    }

    /// A stream of one array on the host.
    pub(crate) fn stream<'py>(
        self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (exported, offsets) = self.adapted(py, "__arrow_c_stream__", requested_schema)?;
        let stream = work(py, || match exported {
            Exported::Frame(frame) => {
                frame.to_arrow_c_stream::<ArrowArrayStream>(all_rows(frame.len()), &options(offsets))
            }
            Exported::Series(series) => {
                series.to_arrow_c_stream::<ArrowArrayStream>(all_rows(series.len()), &options(offsets))
            }
        })?;
        capsule(py, stream, STREAM)
    }

    /// A schema and an array on the device of the values.
    pub(crate) fn device_array<'py>(
        self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Capsules<'py>> {
        const OPERATION: &str = "__arrow_c_device_array__";
        refuse_unknown(py, OPERATION, unknown)?;
        let (exported, offsets) = self.adapted(py, OPERATION, requested_schema)?;
        let (schema, array) = work(py, || match exported {
            Exported::Frame(frame) => frame.to_arrow_c::<ArrowDeviceArray>(&device_options(offsets)),
            Exported::Series(series) => series.to_arrow_c::<ArrowDeviceArray>(&device_options(offsets)),
        })?;
        Ok((capsule(py, schema, SCHEMA)?, capsule(py, array, DEVICE_ARRAY)?))
    }

    /// A stream of one array on the device of the values.
    pub(crate) fn device_stream<'py>(
        self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        const OPERATION: &str = "__arrow_c_device_stream__";
        refuse_unknown(py, OPERATION, unknown)?;
        let (exported, offsets) = self.adapted(py, OPERATION, requested_schema)?;
        let stream = work(py, || match exported {
            Exported::Frame(frame) => frame
                .to_arrow_c_stream::<ArrowDeviceArrayStream>(all_rows(frame.len()), &device_options(offsets)),
            Exported::Series(series) => series.to_arrow_c_stream::<ArrowDeviceArrayStream>(
                all_rows(series.len()),
                &device_options(offsets),
            ),
        })?;
        capsule(py, stream, DEVICE_STREAM)
    }

    /// No rows of the same dtypes.
    fn head(&self) -> Result<Self, Error> {
        Ok(match self {
            Exported::Frame(frame) => Exported::Frame(frame.head(0)?),
            Exported::Series(series) => Exported::Series(series.head(0)?),
        })
    }

    /// The values in dtypes that consumers have: Arrow's decimals of 32 and 64 bits are newer than many of them, and some stop the
    /// process at one.
    fn portable(self) -> Result<Self, Error> {
        Ok(match self {
            Exported::Series(series) => {
                let dtype = portable(&series.dtype());
                Exported::Series(cast_series(series, &dtype)?)
            }
            Exported::Frame(mut frame) => {
                for (label, dtype) in frame.schema() {
                    let wide = portable(&dtype);
                    if wide != dtype {
                        let column = cast_series(frame.column(&label)?, &wide)?;
                        frame = frame.with_column(label, column.into_values())?;
                    }
                }
                Exported::Frame(frame)
            }
        })
    }

    /// The values in the dtypes of the schema that a consumer asks for, as far as casts reach. Fields of other names are an error,
    /// as is a value that would be another one; a type that nothing is cast to leaves the values as they are, which the interface
    /// allows. Without a schema they are [`portable`](Self::portable).
    fn adapted(
        self,
        py: Python<'_>,
        operation: &'static str,
        requested: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Self, OffsetLayout)> {
        let Some(asked) = Asked::of(operation, requested)? else {
            return Ok((work(py, || self.portable())?, OffsetLayout::AsStored));
        };
        match &self {
            Exported::Series(series) => asked.check_series(py, series)?,
            Exported::Frame(frame) => asked.check_frame(py, frame)?,
        }
        let offsets = asked.offsets;
        let adapted = work_or(py, lossy_exception, || {
            Ok(match self {
                Exported::Series(series) => Exported::Series(asked.series(series)?),
                Exported::Frame(frame) => Exported::Frame(asked.frame(frame)?),
            })
        })?;
        Ok((adapted, offsets))
    }
}

/// A dtype with decimals of 128 bits.
#[expect(clippy::wildcard_enum_match_arm, reason = "all others are as they are")]
fn portable(dtype: &DType) -> DType {
    match dtype {
        DType::Decimal { precision, scale, .. } => {
            DType::Decimal { precision: *precision, scale: *scale, storage: DecimalStorage::Bits128 }
        }
        DType::List(item) => DType::list(portable(item)),
        DType::Struct(fields) => {
            let field = |field: &Field| Field { dtype: portable(&field.dtype), ..field.clone() };
            DType::Struct(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

fn cast_series(series: Series, dtype: &DType) -> Result<Series, Error> {
    if series.dtype() == *dtype || !can_cast(&series, dtype) {
        Ok(series)
    } else {
        checked_cast(&series, dtype)
    }
}

fn all_rows(rows: usize) -> NonZero<usize> {
    NonZero::new(rows).unwrap_or(NonZero::<usize>::MIN)
}

/// Keywords of later versions of the interface: accepted if they are None.
fn refuse_unknown(py: Python<'_>, operation: &str, unknown: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let mut names = Vec::new();
    for (name, value) in unknown.into_iter().flatten() {
        if !value.is_none() {
            names.push(name.extract::<String>()?);
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    Err(argument(
        py,
        ErrorKind::NotImplemented,
        operation,
        &format!("the keyword {} is not known", names.join(", ")),
    ))
}

pub(crate) fn capsule_of<'py>(operation: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    value.cast::<PyCapsule>().cloned().map_err(|_| {
        let found =
            value.get_type().name().map_or_else(|_| "another object".to_owned(), |name| name.to_string());
        argument(value.py(), ErrorKind::Type, operation, &format!("expected a capsule, found {found}"))
    })
}

/// Calls `read` with the struct in a capsule of this name. The struct may be released.
pub(crate) fn with<T: Struct, R>(
    capsule: &Bound<'_, PyCapsule>,
    name: &'static CStr,
    read: impl FnOnce(&mut Owned<T>) -> R,
) -> PyResult<R> {
    let pointer: NonNull<T> = capsule.pointer_checked(Some(name))?.cast();
    // SAFETY: by the interface, a capsule of this name points to this struct, initialised by its producer, which lives as
    // long as the capsule; `capsule` holds it. Python's lock is held and `read` does not give it up, so nothing
    // else touches the struct meanwhile.
    let owned = unsafe { Owned::<T>::borrow_from(pointer.as_ptr()) };
    let Some(owned) = owned else {
        return Err(argument(capsule.py(), ErrorKind::Value, "import", "the capsule points to nothing"));
    };
    Ok(read(owned))
}

/// Moves the struct out of a capsule, calls `import` without Python's lock, and moves what is left back in: an import
/// that fails leaves its source as it was.
fn consume<T: Struct, R: Send>(
    py: Python<'_>,
    capsule: &Bound<'_, PyCapsule>,
    name: &'static CStr,
    import: impl FnOnce(&mut Owned<T>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let mut taken = with(capsule, name, |owned: &mut Owned<T>| owned.take())?;
    if taken.is_released() {
        let reason = "the capsule was used before, and is empty";
        return Err(argument(py, ErrorKind::Value, "import", reason));
    }
    let imported = work(py, || import(&mut taken));
    if !taken.is_released() {
        with(capsule, name, |owned: &mut Owned<T>| *owned = taken)?;
    }
    imported
}

/// A pair of capsules that a method returned.
fn pair<'py>(operation: &str, capsules: &Bound<'py, PyAny>) -> PyResult<Capsules<'py>> {
    let capsules =
        capsules.cast::<PyTuple>().ok().filter(|capsules| capsules.len() == 2).ok_or_else(|| {
            argument(
                capsules.py(),
                ErrorKind::Type,
                operation,
                "expected a schema and an array, as two capsules",
            )
        })?;
    Ok((capsule_of(operation, &capsules.get_item(0)?)?, capsule_of(operation, &capsules.get_item(1)?)?))
}

/// What a class imports from Arrow's structs.
pub(crate) trait Imported: Sized + Send {
    fn array<A: ArrayStruct>(
        schema: &OwnedSchema,
        array: &mut Owned<A>,
        options: ImportOptions,
    ) -> Result<Self, Error>;
    fn stream<S: StreamStruct>(stream: &mut Owned<S>, options: ImportOptions) -> Result<Self, Error>;
    fn on_device(self, device: Device) -> Result<Self, Error>;
    fn device(&self) -> Device;
}

macro_rules! imported {
    ($($class:ident),*) => {
        $(impl Imported for $class {
            fn array<A: ArrayStruct>(
                schema: &OwnedSchema,
                array: &mut Owned<A>,
                options: ImportOptions,
            ) -> Result<Self, Error> {
                Self::from_arrow_c(schema, array, &options)
            }
            fn stream<S: StreamStruct>(stream: &mut Owned<S>, options: ImportOptions) -> Result<Self, Error> {
                Self::from_arrow_c_stream(stream, &options)
            }
            fn on_device(self, device: Device) -> Result<Self, Error> {
                self.to_device(device)
            }
            fn device(&self) -> Device {
                $class::device(self)
            }
        })*
    };
}

imported!(DataFrame, Series);

/// How much of imported arrays is checked: what lengths and buffers say ("minimal"), or every row ("full").
pub(crate) fn options_of(py: Python<'_>, validate: &str) -> PyResult<ImportOptions> {
    let validate = match validate {
        "minimal" => Validation::Minimal,
        "full" => Validation::Full,
        _ => {
            let reason = "validate is \"minimal\" or \"full\"";
            return Err(argument(py, ErrorKind::Value, "from_arrow", reason));
        }
    };
    Ok(ImportOptions { validate, ..ImportOptions::default() })
}

/// Imports what an object offers, the methods of devices first: those of the host may copy. Data of the host goes to the
/// default device; data of another device stays there.
pub(crate) fn import<T: Imported>(value: &Bound<'_, PyAny>, options: ImportOptions) -> PyResult<T> {
    let py = value.py();
    let methods =
        ["__arrow_c_device_stream__", "__arrow_c_device_array__", "__arrow_c_stream__", "__arrow_c_array__"];
    let mut refused = None;
    for method in methods {
        if !value.hasattr(method)? {
            continue;
        }
        let produced = match value.call_method0(method) {
            Ok(produced) => produced,
            // Some classes have methods of devices that always raise this.
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyNotImplementedError>(py) => {
                refused = Some(error);
                continue;
            }
            Err(error) => return Err(error),
        };
        let imported: T = match method {
            "__arrow_c_device_stream__" => {
                let capsule = capsule_of(method, &produced)?;
                consume(py, &capsule, DEVICE_STREAM, |stream: &mut Owned<ArrowDeviceArrayStream>| {
                    T::stream(stream, options)
                })?
            }
            "__arrow_c_device_array__" => {
                let (schema, array) = pair(method, &produced)?;
                with_schema(py, &schema, |py, schema| {
                    consume(py, &array, DEVICE_ARRAY, |array: &mut Owned<ArrowDeviceArray>| {
                        T::array(schema, array, options)
                    })
                })?
            }
            "__arrow_c_stream__" => {
                let capsule = capsule_of(method, &produced)?;
                consume(py, &capsule, STREAM, |stream: &mut Owned<ArrowArrayStream>| {
                    T::stream(stream, options)
                })?
            }
            _ => {
                let (schema, array) = pair(method, &produced)?;
                with_schema(py, &schema, |py, schema| {
                    consume(py, &array, ARRAY, |array: &mut Owned<ArrowArray>| {
                        T::array(schema, array, options)
                    })
                })?
            }
        };
        return work(py, || {
            let default = columnade::default_exec()?.device();
            if imported.device() == Device::Host && default != Device::Host {
                imported.on_device(default)
            } else {
                Ok(imported)
            }
        });
    }
    Err(refused.unwrap_or_else(|| {
        let reason = "the object has none of Arrow's methods, such as __arrow_c_stream__";
        argument(py, ErrorKind::Type, "from_arrow", reason)
    }))
}

/// Calls `import` with the schema of a capsule, moved out of it meanwhile.
fn with_schema<R>(
    py: Python<'_>,
    capsule: &Bound<'_, PyCapsule>,
    import: impl FnOnce(Python<'_>, &OwnedSchema) -> PyResult<R>,
) -> PyResult<R> {
    let schema = with(capsule, SCHEMA, |schema: &mut OwnedSchema| schema.take())?;
    let imported = import(py, &schema);
    with(capsule, SCHEMA, |place: &mut OwnedSchema| *place = schema)?;
    imported
}

/// Whether a schema in a capsule is that of frames. One that has no dtype here may be.
#[pyfunction]
#[pyo3(name = "_is_struct")]
pub(crate) fn is_struct(schema: &Bound<'_, PyAny>) -> PyResult<bool> {
    let capsule = capsule_of("from_arrow", schema)?;
    with(&capsule, SCHEMA, |schema: &mut OwnedSchema| {
        !schema.dtype().is_ok_and(|dtype| !matches!(dtype, DType::Struct(_)))
    })
}
