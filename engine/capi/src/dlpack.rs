//! DLPack.

use columnade::dlpack::{
    CopyPolicy, DLManagedTensor, DLManagedTensorVersioned, ManagedTensor, TensorRequest,
};
use columnade::{DataFrame, Series};

use crate::entry::entry;
use crate::error::{Failure, Result};
use crate::foreign::{ForeignTensor, Form};
use crate::place::Place;

entry! {
    fn columnade_column_export_dlpack(
        column: &Series,
        options: TensorRequest,
        tensor: Place<*mut DLManagedTensor>,
    ) {
        tensor.put(pointer(column.to_dlpack(&without_version(options))?)?);
    }

    fn columnade_column_export_dlpack_versioned(
        column: &Series,
        options: TensorRequest,
        tensor: Place<*mut DLManagedTensorVersioned>,
    ) {
        tensor.put(pointer(column.to_dlpack(&options)?)?);
    }

    fn columnade_table_export_dlpack(
        table: &DataFrame,
        options: TensorRequest,
        tensor: Place<*mut DLManagedTensor>,
    ) {
        tensor.put(pointer(table.to_dlpack(&without_version(options))?)?);
    }

    fn columnade_table_export_dlpack_versioned(
        table: &DataFrame,
        options: TensorRequest,
        tensor: Place<*mut DLManagedTensorVersioned>,
    ) {
        tensor.put(pointer(table.to_dlpack(&options)?)?);
    }

    fn columnade_column_import_dlpack(
        tensor: ForeignTensor<DLManagedTensor>,
        copy: CopyPolicy,
        column: Place<*mut Series>,
    ) {
        column.put_handle(tensor.import(|tensor| Series::from_dlpack(tensor, copy))?);
    }

    fn columnade_column_import_dlpack_versioned(
        tensor: ForeignTensor<DLManagedTensorVersioned>,
        copy: CopyPolicy,
        column: Place<*mut Series>,
    ) {
        column.put_handle(tensor.import(|tensor| Series::from_dlpack(tensor, copy))?);
    }

    fn columnade_table_import_dlpack(
        tensor: ForeignTensor<DLManagedTensor>,
        copy: CopyPolicy,
        table: Place<*mut DataFrame>,
    ) {
        table.put_handle(tensor.import(|tensor| DataFrame::from_dlpack(tensor, copy))?);
    }

    fn columnade_table_import_dlpack_versioned(
        tensor: ForeignTensor<DLManagedTensorVersioned>,
        copy: CopyPolicy,
        table: Place<*mut DataFrame>,
    ) {
        table.put_handle(tensor.import(|tensor| DataFrame::from_dlpack(tensor, copy))?);
    }
}

/// The same request for the form from before version 1.0.
fn without_version(request: TensorRequest) -> TensorRequest {
    TensorRequest { max_version: None, ..request }
}

/// The tensor as the pointer that C has, in the form that was asked for.
fn pointer<T: Form>(tensor: ManagedTensor) -> Result<*mut T> {
    let pointer = tensor.into_raw().and_then(T::pointer);
    pointer.ok_or_else(|| Failure::Internal("the tensor has another form than was asked for".to_owned()))
}
