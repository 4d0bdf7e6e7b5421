//! The structs of Arrow's C interfaces: of the host, and of any device.

use columnade_buffers::Exec;
use columnade_columns::arrow::c::{ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream};

/// A struct that has an array: [`ArrowArray`] of Arrow's C data interface, on the host, or [`ArrowDeviceArray`] of its C device
/// data interface, on any device.
///
/// Exports to the host copy columns of other devices, and imports of the host go to the thread's default device. The arrays of
/// devices stay there, and memory is shared. Methods that import take the kind from their argument.
pub trait ArrayStruct: sealed::Array {}
impl ArrayStruct for ArrowArray {}
impl ArrayStruct for ArrowDeviceArray {}

/// A struct that has a stream of arrays: [`ArrowArrayStream`] of Arrow's C stream interface, on the host, or
/// [`ArrowDeviceArrayStream`] of its C device stream interface, on any device. Otherwise as [`ArrayStruct`].
pub trait StreamStruct: sealed::Stream {}
impl StreamStruct for ArrowArrayStream {}
impl StreamStruct for ArrowDeviceArrayStream {}

pub(crate) mod sealed {
    use super::{ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, Exec};
    use crate::error::{InOperation, Result};
    use crate::options::{default_exec_for, exec_on};
    use columnade_columns::arrow::c::{
        self, ColumnStreamReader, DeviceColumnStreamReader, DeviceStreamReader, ExportOptions, ImportOptions,
        Owned, OwnedArray, OwnedDeviceArray, OwnedDeviceStream, OwnedSchema, OwnedStream, StreamReader,
        Struct,
    };
    use columnade_columns::{Column, ColumnAccessor, DType, Label, Result as ColumnResult};

    /// The frames of a stream that is exported.
    pub(crate) type Frames = Box<dyn Iterator<Item = ColumnResult<ColumnAccessor>> + Send>;

    /// The chunks of a column that is exported as a stream.
    pub(crate) type Chunks = Box<dyn Iterator<Item = ColumnResult<Column>> + Send>;

    pub trait Array: Struct {
        #[track_caller]
        fn export(
            columns: &ColumnAccessor,
            options: ExportOptions,
            exec: &Exec,
        ) -> ColumnResult<(OwnedSchema, Owned<Self>)>;

        #[track_caller]
        fn export_column(
            column: &Column,
            name: &str,
            options: ExportOptions,
            exec: &Exec,
        ) -> ColumnResult<(OwnedSchema, Owned<Self>)>;

        /// The device that the columns are imported to.
        fn target(operation: &'static str, array: &Owned<Self>) -> Result<Exec>;

        fn import(
            schema: &OwnedSchema,
            array: &mut Owned<Self>,
            options: ImportOptions,
            exec: &Exec,
        ) -> ColumnResult<ColumnAccessor>;

        fn import_column(
            schema: &OwnedSchema,
            array: &mut Owned<Self>,
            options: ImportOptions,
            exec: &Exec,
        ) -> ColumnResult<Column>;
    }

    impl Array for ArrowArray {
        fn export(
            columns: &ColumnAccessor,
            options: ExportOptions,
            _exec: &Exec,
        ) -> ColumnResult<(OwnedSchema, OwnedArray)> {
            columns.to_arrow_c(&options)
        }

        fn export_column(
            column: &Column,
            name: &str,
            options: ExportOptions,
            _exec: &Exec,
        ) -> ColumnResult<(OwnedSchema, OwnedArray)> {
            column.to_arrow_c(name, &options)
        }

        fn target(operation: &'static str, _array: &OwnedArray) -> Result<Exec> {
            default_exec_for(operation)
        }

        fn import(
            schema: &OwnedSchema,
            array: &mut OwnedArray,
            options: ImportOptions,
            exec: &Exec,
        ) -> ColumnResult<ColumnAccessor> {
            ColumnAccessor::from_arrow_c_to_device(schema, array, &options, exec)
        }

        fn import_column(
            schema: &OwnedSchema,
            array: &mut OwnedArray,
            options: ImportOptions,
            exec: &Exec,
        ) -> ColumnResult<Column> {
            Column::from_arrow_c_to_device(schema, array, &options, exec)
        }
    }

    impl Array for ArrowDeviceArray {
        fn export(
            columns: &ColumnAccessor,
            options: ExportOptions,
            exec: &Exec,
        ) -> ColumnResult<(OwnedSchema, OwnedDeviceArray)> {
            columns.to_arrow_c_device(&options, exec)
        }

        fn export_column(
            column: &Column,
            name: &str,
            options: ExportOptions,
            exec: &Exec,
        ) -> ColumnResult<(OwnedSchema, OwnedDeviceArray)> {
            column.to_arrow_c_device(name, &options, exec)
        }

        fn target(operation: &'static str, array: &OwnedDeviceArray) -> Result<Exec> {
            exec_on(operation, array.device().operation(operation)?)
        }

        fn import(
            schema: &OwnedSchema,
            array: &mut OwnedDeviceArray,
            options: ImportOptions,
            exec: &Exec,
        ) -> ColumnResult<ColumnAccessor> {
            ColumnAccessor::from_arrow_c_device(schema, array, &options, exec)
        }

        fn import_column(
            schema: &OwnedSchema,
            array: &mut OwnedDeviceArray,
            options: ImportOptions,
            exec: &Exec,
        ) -> ColumnResult<Column> {
            Column::from_arrow_c_device(schema, array, &options, exec)
        }
    }

    pub trait Stream: Struct {
        #[track_caller]
        fn export(frames: Frames, options: ExportOptions, exec: &Exec) -> ColumnResult<Owned<Self>>;

        #[track_caller]
        fn export_column(
            name: &str,
            chunks: Chunks,
            options: ExportOptions,
            exec: &Exec,
        ) -> ColumnResult<Owned<Self>>;

        /// Reads the schema.
        fn open(
            operation: &'static str,
            stream: &mut Owned<Self>,
            options: ImportOptions,
        ) -> Result<OpenStream>;

        /// Reads all chunks of a column.
        fn read_column(
            operation: &'static str,
            stream: &mut Owned<Self>,
            options: ImportOptions,
        ) -> Result<ReadColumn>;
    }

    /// A stream whose schema was read.
    #[derive(Debug)]
    pub struct OpenStream {
        pub reader: Reader,
        /// Where the arrays are.
        pub source: Exec,
        /// Where the frames go.
        pub target: Exec,
    }

    #[derive(Debug)]
    pub enum Reader {
        Host(StreamReader),
        Device(DeviceStreamReader),
    }

    impl Reader {
        pub(crate) fn dtype(&self) -> ColumnResult<DType> {
            match self {
                Reader::Host(reader) => reader.dtype(),
                Reader::Device(reader) => reader.dtype(),
            }
        }

        pub(crate) fn no_rows(&self, exec: &Exec) -> ColumnResult<ColumnAccessor> {
            match self {
                Reader::Host(reader) => reader.no_rows(exec),
                Reader::Device(reader) => reader.no_rows(exec),
            }
        }

        pub(crate) fn next(&mut self) -> Option<ColumnResult<ColumnAccessor>> {
            match self {
                Reader::Host(reader) => reader.next(),
                Reader::Device(reader) => reader.next(),
            }
        }
    }

    /// A column that was read from a stream.
    pub struct ReadColumn {
        pub name: Label,
        /// The column without rows, for a stream without arrays.
        pub none: Column,
        pub chunks: ColumnResult<Vec<Column>>,
        pub exec: Exec,
    }

    impl Stream for ArrowArrayStream {
        fn export(frames: Frames, options: ExportOptions, _exec: &Exec) -> ColumnResult<OwnedStream> {
            c::export_stream(frames, &options)
        }

        fn export_column(
            name: &str,
            chunks: Chunks,
            options: ExportOptions,
            _exec: &Exec,
        ) -> ColumnResult<OwnedStream> {
            c::export_column_stream(name, chunks, &options)
        }

        fn open(
            operation: &'static str,
            stream: &mut OwnedStream,
            options: ImportOptions,
        ) -> Result<OpenStream> {
            let target = default_exec_for(operation)?;
            options.require_reach(target.device()).operation(operation)?;
            let reader = StreamReader::new(stream, &options).operation(operation)?;
            Ok(OpenStream { reader: Reader::Host(reader), source: Exec::host(), target })
        }

        fn read_column(
            operation: &'static str,
            stream: &mut OwnedStream,
            options: ImportOptions,
        ) -> Result<ReadColumn> {
            let exec = default_exec_for(operation)?;
            options.require_reach(exec.device()).operation(operation)?;
            let reader = ColumnStreamReader::new(stream, &options).operation(operation)?;
            let (name, none) = (Label::from(reader.name()), reader.no_rows(&exec).operation(operation)?);
            let chunks = reader.map(|chunk| chunk?.to_device(&exec)).collect();
            Ok(ReadColumn { name, none, chunks, exec })
        }
    }

    impl Stream for ArrowDeviceArrayStream {
        fn export(frames: Frames, options: ExportOptions, exec: &Exec) -> ColumnResult<OwnedDeviceStream> {
            c::export_device_stream(frames, &options, exec)
        }

        fn export_column(
            name: &str,
            chunks: Chunks,
            options: ExportOptions,
            exec: &Exec,
        ) -> ColumnResult<OwnedDeviceStream> {
            c::export_column_device_stream(name, chunks, &options, exec)
        }

        fn open(
            operation: &'static str,
            stream: &mut OwnedDeviceStream,
            options: ImportOptions,
        ) -> Result<OpenStream> {
            let exec = device_of(operation, stream)?;
            let reader = DeviceStreamReader::new(stream, &options, &exec).operation(operation)?;
            Ok(OpenStream { reader: Reader::Device(reader), source: exec.clone(), target: exec })
        }

        fn read_column(
            operation: &'static str,
            stream: &mut OwnedDeviceStream,
            options: ImportOptions,
        ) -> Result<ReadColumn> {
            let exec = device_of(operation, stream)?;
            let reader = DeviceColumnStreamReader::new(stream, &options, &exec).operation(operation)?;
            let (name, none) = (Label::from(reader.name()), reader.no_rows(&exec).operation(operation)?);
            Ok(ReadColumn { name, none, chunks: reader.collect(), exec })
        }
    }

    /// The device that a stream has its arrays on: of several GPUs that of the thread's default context, else the first.
    fn device_of(operation: &'static str, stream: &OwnedDeviceStream) -> Result<Exec> {
        let default = default_exec_for(operation)?;
        exec_on(operation, stream.device(default.device()).operation(operation)?)
    }
}
