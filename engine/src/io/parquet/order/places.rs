//! Where dictionaries are in columns: in themselves, in the fields of structs, in the items of lists.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_schema::{DataType, FieldRef};
use columnade_buffers::Exec;
use columnade_columns::{Column, ListColumn, Result};
use columnade_kernels::Bits;
use columnade_kernels::bits::combine;

/// The name of a column, and of each field on the way from it to a dictionary; [`ITEM`] for the items of a list.
pub(super) type Place = Vec<String>;

/// The step from a list to its items. A field of a struct may have this name, and still a step is of one kind only.
const ITEM: &str = "[]";

/// A place as errors show it: `row.levels[]`.
pub(super) fn shown(place: &[String]) -> String {
    let mut shown = String::new();
    for (at, step) in place.iter().enumerate() {
        if at > 0 && step != ITEM {
            shown.push('.');
        }
        shown.push_str(step);
    }
    shown
}

/// The fields directly within a field, with the steps to them.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn children(field: &FieldRef) -> Vec<(&str, &FieldRef)> {
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().map(|field| (field.name().as_str(), field)).collect(),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::Map(item, _) => vec![(ITEM, item)],
        _ => Vec::new(),
    }
}

/// The fields without fields in them, in the order of the leaves of a file.
pub(super) fn leaves<'a>(fields: impl IntoIterator<Item = &'a FieldRef>) -> Vec<(Place, &'a FieldRef)> {
    fn add<'a>(place: Place, field: &'a FieldRef, leaves: &mut Vec<(Place, &'a FieldRef)>) {
        let children = children(field);
        if children.is_empty() {
            leaves.push((place, field));
            return;
        }
        for (step, child) in children {
            add([&place[..], &[step.to_owned()]].concat(), child, leaves);
        }
    }
    let mut leaves = Vec::new();
    for field in fields {
        add(vec![field.name().clone()], field, &mut leaves);
    }
    leaves
}

/// Where a field is a dictionary, or has some within it.
pub(in crate::io::parquet) fn dictionaries_in(field: &FieldRef) -> Vec<Place> {
    let leaves = leaves([field]).into_iter();
    let is_dictionary = |field: &FieldRef| matches!(field.data_type(), DataType::Dictionary(..));
    leaves.filter(|(_, field)| is_dictionary(field)).map(|(place, _)| place).collect()
}

/// Whether there are values at a place in a field. A struct of another file may lack the field.
pub(in crate::io::parquet) fn has(field: &FieldRef, place: &[String]) -> bool {
    let step = |field, step: &String| children(field).into_iter().find(|(name, _)| name == step);
    let found = place.iter().skip(1).try_fold(field, |field, name| step(field, name).map(|(_, child)| child));
    found.is_some_and(|field| *field.data_type() != DataType::Null)
}

/// The arrays of the ordered dictionaries in an array of a field.
pub(super) fn ordered_arrays(field: &FieldRef, array: &ArrayRef) -> Vec<(Place, ArrayRef)> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn add(place: Place, field: &FieldRef, array: &ArrayRef, found: &mut Vec<(Place, ArrayRef)>) {
        let arrays: Vec<ArrayRef> = match field.data_type() {
            DataType::Struct(_) => array.as_struct().columns().to_vec(),
            DataType::List(_) => vec![Arc::clone(array.as_list::<i32>().values())],
            DataType::LargeList(_) => vec![Arc::clone(array.as_list::<i64>().values())],
            DataType::FixedSizeList(..) => vec![Arc::clone(array.as_fixed_size_list().values())],
            DataType::ListView(_) => vec![Arc::clone(array.as_list_view::<i32>().values())],
            DataType::LargeListView(_) => vec![Arc::clone(array.as_list_view::<i64>().values())],
            DataType::Map(..) => vec![Arc::new(array.as_map().entries().clone())],
            _ => Vec::new(),
        };
        if field.dict_is_ordered() == Some(true) {
            found.push((place, Arc::clone(array)));
            return;
        }
        for ((step, child), array) in children(field).into_iter().zip(&arrays) {
            add([&place[..], &[step.to_owned()]].concat(), child, array, found);
        }
    }
    let mut found = Vec::new();
    add(vec![field.name().clone()], field, array, &mut found);
    found
}

/// A column with what is made of the column that the steps of `place` lead to.
pub(super) fn replaced(
    column: Column,
    place: &[String],
    exec: &Exec,
    make: &dyn Fn(Column) -> Result<Column>,
) -> Result<Column> {
    let Some((step, rest)) = place.split_first() else { return make(column) };
    if let Column::List(lists) = &column {
        let items = Arc::new(replaced(lists.items().as_ref().clone(), rest, exec, make)?);
        let (mask, offset, size) = (column.mask().cloned(), column.offset(), column.size());
        let lists =
            ListColumn::new(lists.offsets().clone(), lists.offset_width(), items, mask, offset, size)?;
        return Ok(Column::List(lists));
    }
    let Column::Struct(rows) = &column else { return Ok(column) };
    let fields = rows.names().iter().zip(rows.fields()?);
    let fields =
        fields.map(|(name, field)| if name == step { replaced(field, rest, exec, make) } else { Ok(field) });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    // From row 0 on, as the fields are.
    let bits = column.mask().map(|buffer| Bits { buffer, offset: column.offset(), len: column.size() });
    let mask = bits.map(|bits| combine::copy(bits, exec)).transpose()?;
    rows.with_fields(fields, mask, column.size()).map(Column::Struct)
}
