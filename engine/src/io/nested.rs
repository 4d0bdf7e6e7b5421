//! Lists and structs whose values become others.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait, StructArray};
use arrow_schema::{ArrowError, DataType, FieldRef};

/// An array of the structure of `data_type`, with what `leaf` makes of the arrays that are no lists and structs, given their
/// types there.
pub(super) fn with_leaves<E: From<ArrowError>>(
    array: &ArrayRef,
    data_type: &DataType,
    leaf: &impl Fn(&ArrayRef, &DataType) -> Result<ArrayRef, E>,
) -> Result<ArrayRef, E> {
    match (array.data_type(), data_type) {
        (DataType::List(_), DataType::List(field)) => list(array.as_list::<i32>(), field, leaf),
        (DataType::LargeList(_), DataType::LargeList(field)) => list(array.as_list::<i64>(), field, leaf),
        (DataType::Struct(_), DataType::Struct(fields)) if !fields.is_empty() => {
            let array = array.as_struct();
            let (mut made, mut columns) =
                (Vec::with_capacity(fields.len()), Vec::with_capacity(fields.len()));
            for (field, column) in fields.iter().zip(array.columns()) {
                let column = with_leaves(column, field.data_type(), leaf)?;
                made.push(typed(field, &column));
                columns.push(column);
            }
            Ok(Arc::new(StructArray::try_new(made.into(), columns, array.nulls().cloned())?))
        }
        _ => leaf(array, data_type),
    }
}

fn list<O: OffsetSizeTrait, E: From<ArrowError>>(
    array: &GenericListArray<O>,
    field: &FieldRef,
    leaf: &impl Fn(&ArrayRef, &DataType) -> Result<ArrayRef, E>,
) -> Result<ArrayRef, E> {
    let items = with_leaves(array.values(), field.data_type(), leaf)?;
    let (offsets, nulls) = (array.offsets().clone(), array.nulls().cloned());
    Ok(Arc::new(GenericListArray::try_new(typed(field, &items), offsets, items, nulls)?))
}

/// The field with the type of an array.
fn typed(field: &FieldRef, array: &ArrayRef) -> FieldRef {
    Arc::new(field.as_ref().clone().with_data_type(array.data_type().clone()))
}
