//! Arrow, DLPack and the CUDA Array Interface.

use std::num::NonZero;
use std::sync::Arc;

use arrow_array::types::Decimal256Type;
use arrow_array::{PrimitiveArray, RecordBatch};
use columnade::arrow::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowStreamFrames,
    export_arrow_stream,
};
use columnade::arrow::{CopyPolicy, ExportOptions, ImportOptions};
use columnade::cuda_array::CudaArrayExport;
use columnade::dlpack::TensorRequest;
use columnade::errors::ColumnError;
use columnade::{DataFrame, Series, df};

use super::{Case, called, case, frame};

const EXPORT: fn() -> ExportOptions = ExportOptions::default;
const IMPORT: fn() -> ImportOptions = ImportOptions::default;

/// Exports of a series whose name is no string.
fn exports_of(column: &Series, rows: NonZero<usize>) -> [Case; 4] {
    [
        case("series::arrow_c::to_arrow_c", &["1998"], column.to_arrow_c::<ArrowArray>(&EXPORT())),
        case("series::arrow_c::to_arrow_c", &["1998"], column.to_arrow_c::<ArrowDeviceArray>(&EXPORT())),
        case(
            "series::arrow_c::to_arrow_c_stream",
            &["1998"],
            column.to_arrow_c_stream::<ArrowArrayStream>(rows, &EXPORT()),
        ),
        case(
            "series::arrow_c::to_arrow_c_stream",
            &["1998"],
            column.to_arrow_c_stream::<ArrowDeviceArrayStream>(rows, &EXPORT()),
        ),
    ]
}

pub(crate) fn cases() -> Vec<Case> {
    let frame = &frame();
    let numbers = &df! { 1998 => [1_i64, 2] }.expect("a number as a label");
    let column = &numbers.column(1998).expect("a column");
    let names = &mut Series::new(["a", "b"]).expect("strings").rename("k");
    let rows = NonZero::<usize>::MIN;

    // What was moved out of a struct or a tensor is not there a second time.
    let (schema, mut array) = frame.to_arrow_c::<ArrowArray>(&EXPORT()).expect("an array");
    DataFrame::from_arrow_c(&schema, &mut array, &IMPORT()).expect("a frame");
    let (_, mut device_array) = frame.to_arrow_c::<ArrowDeviceArray>(&EXPORT()).expect("an array");
    DataFrame::from_arrow_c(&schema, &mut device_array, &IMPORT()).expect("a frame");
    let mut tensor =
        frame.select(["n"]).and_then(|n| n.to_dlpack(&TensorRequest::default())).expect("a tensor");
    DataFrame::from_dlpack(&mut tensor, CopyPolicy::IfNeeded).expect("a frame");
    let fails = || -> columnade::Result<DataFrame> {
        Err(ColumnError::InvalidArgument { name: "page", reason: "it is lost".to_owned() }.into())
    };
    let broken = || {
        export_arrow_stream::<ArrowArrayStream, _>([Ok(frame.clone()), fails()], &EXPORT()).expect("a stream")
    };
    let broken_device = || {
        export_arrow_stream::<ArrowDeviceArrayStream, _>([Ok(frame.clone()), fails()], &EXPORT())
            .expect("a stream")
    };
    let mut closed = broken();
    let mut second = ArrowStreamFrames::new(&mut closed, &IMPORT()).expect("a schema").skip(1);
    let at = Arc::new(
        PrimitiveArray::<Decimal256Type>::new_null(1).with_precision_and_scale(60, 50).expect("decimals"),
    );
    let batch = RecordBatch::try_from_iter([("at", at as _)]).expect("a batch");
    let mut cases = vec![
        case("dataframe::construct::from_arrow", &["\"at\"", "Decimal256"], DataFrame::from_arrow(&batch)),
        case("dataframe::arrow_c::to_arrow_c", &["1998"], numbers.to_arrow_c::<ArrowArray>(&EXPORT())),
        case("dataframe::arrow_c::to_arrow_c", &["1998"], numbers.to_arrow_c::<ArrowDeviceArray>(&EXPORT())),
        case(
            "dataframe::arrow_c::to_arrow_c_stream",
            &["1998"],
            numbers.to_arrow_c_stream::<ArrowArrayStream>(rows, &EXPORT()),
        ),
        case(
            "dataframe::arrow_c::to_arrow_c_stream",
            &["1998"],
            numbers.to_arrow_c_stream::<ArrowDeviceArrayStream>(rows, &EXPORT()),
        ),
        case(
            "dataframe::arrow_c::from_arrow_c",
            &[],
            DataFrame::from_arrow_c(&schema, &mut array, &IMPORT()),
        ),
        case(
            "dataframe::arrow_c::from_arrow_c",
            &[],
            DataFrame::from_arrow_c(&schema, &mut device_array, &IMPORT()),
        ),
        case(
            "dataframe::arrow_c::from_arrow_c_stream",
            &["page"],
            DataFrame::from_arrow_c_stream(&mut broken(), &IMPORT()),
        ),
        case(
            "dataframe::arrow_c::from_arrow_c_stream",
            &["page"],
            DataFrame::from_arrow_c_stream(&mut broken_device(), &IMPORT()),
        ),
        called(
            "dataframe::arrow_c::new",
            "ArrowStreamFrames",
            &[],
            ArrowStreamFrames::new(&mut closed, &IMPORT()),
        ),
        called("dataframe::arrow_c::new", "ArrowStreamFrames", &["page"], second.next().expect("an error")),
        case(
            "dataframe::arrow_c::export_arrow_stream",
            &["frames"],
            export_arrow_stream::<ArrowArrayStream, _>([], &EXPORT()),
        ),
        case(
            "dataframe::arrow_c::export_arrow_stream",
            &["frames"],
            export_arrow_stream::<ArrowDeviceArrayStream, _>([], &EXPORT()),
        ),
        case("dataframe::dlpack::to_dlpack", &["\"k\"", "utf8"], frame.to_dlpack(&TensorRequest::default())),
        case(
            "dataframe::dlpack::from_dlpack",
            &[],
            DataFrame::from_dlpack(&mut tensor, CopyPolicy::IfNeeded),
        ),
        case("series::arrow_c::from_arrow_c", &[], Series::from_arrow_c(&schema, &mut array, &IMPORT())),
        case(
            "series::arrow_c::from_arrow_c",
            &[],
            Series::from_arrow_c(&schema, &mut device_array, &IMPORT()),
        ),
        case(
            "series::arrow_c::from_arrow_c_stream",
            &["page"],
            Series::from_arrow_c_stream(&mut broken(), &IMPORT()),
        ),
        case(
            "series::arrow_c::from_arrow_c_stream",
            &["page"],
            Series::from_arrow_c_stream(&mut broken_device(), &IMPORT()),
        ),
        case("series::tensor::to_dlpack", &["\"k\"", "utf8"], names.to_dlpack(&TensorRequest::default())),
        case("series::tensor::from_dlpack", &[], Series::from_dlpack(&mut tensor, CopyPolicy::IfNeeded)),
        case("series::tensor::to_cuda_array", &["\"k\""], names.to_cuda_array(&CudaArrayExport::default())),
        case(
            "series::tensor::to_cuda_array_mut",
            &["\"k\""],
            names.to_cuda_array_mut(&CudaArrayExport::default()),
        ),
        case(
            "series::tensor::expose_cuda_array",
            &["\"k\""],
            names.expose_cuda_array(&CudaArrayExport::default()),
        ),
    ];
    cases.extend(exports_of(column, rows));
    cases
}
