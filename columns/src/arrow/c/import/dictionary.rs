//! Dictionaries.

use super::super::options::CopyPolicy;
use super::super::path::Path;
use super::array::Importer;
use super::dictionary_cache::Place;
use super::node::Node;
use super::spread::plausible;
use crate::arrow::spread::gathered;
use crate::column::dictionary::naming_values;
use crate::column::fixed::FixedLayout;
use crate::column::read::validity;
use crate::column::rows::Rows;
use crate::{CategoricalColumn, Column, DType, Result};
use arrow_schema::{DataType, Field};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::Storage;
use std::sync::Arc;

impl Importer<'_> {
    pub(super) fn dictionary(
        &self,
        node: &Node<'_>,
        codes: &DataType,
        values: &DataType,
        ordered: bool,
        path: &Path<'_>,
    ) -> Result<CategoricalColumn> {
        let values_path = path.child("dictionary");
        let no_values = *values == DataType::Null;
        let array = node.dictionary(&values_path)?;
        let place = match self.options.copy {
            CopyPolicy::Always => None,
            CopyPolicy::Never | CopyPolicy::IfNeeded => {
                Place::of(&Node::new(array, values, &values_path)?, values)
            }
        };
        let dictionaries = place.as_ref().and_then(|place| self.dictionaries.get(place));
        let is_known = dictionaries.is_some();
        let values = if let Some(dictionaries) = dictionaries {
            dictionaries
        } else {
            Arc::new(self.column(array, &Field::new("", values.clone(), true), &values_path)?)
        };
        let (from, to) = storages(codes);
        let codes = self.layout(node, from, path)?;
        if no_values {
            return self.categories_of_nothing(&codes, to, ordered);
        }
        let codes = self.widened(codes, to, path)?;
        if self.options.validate == super::super::Validation::Full {
            super::check::check_codes(&codes, values.size(), path)?;
        }
        let column = if is_known {
            self.of_known(codes, values, path)?
        } else {
            let (column, is_clean) = self.distinct(codes, &values, path)?;
            if let (Some(place), true) = (place, is_clean) {
                self.dictionaries.insert(place, column.dictionary(), self.keeper);
            }
            column
        };
        Ok(if ordered { column.as_ordered() } else { column })
    }

    /// The rows of a dictionary of lists or structs, each a copy of its value.
    pub(super) fn nested_dictionary(
        &self,
        node: &Node<'_>,
        codes: &DataType,
        values: &DataType,
        path: &Path<'_>,
    ) -> Result<Column> {
        self.needs_copy("a dictionary of lists or structs is decoded", path)?;
        let values_path = path.child("dictionary");
        let field = Field::new("", values.clone(), true);
        let column = self.column(node.dictionary(&values_path)?, &field, &values_path)?;
        let (from, to) = storages(codes);
        let codes = self.widened(self.layout(node, from, path)?, to, path)?.to_device(&Exec::host())?;
        super::check::check_codes(&codes, column.size(), path)?;
        plausible(node.length, column.size(), path)?;
        let valid = validity(&codes.rows, &Exec::host())?;
        let positions = super::check::codes(&codes)?.into_iter().zip(valid);
        let rows: Vec<_> =
            positions.map(|(code, valid)| usize::try_from(code).ok().filter(|_| valid)).collect();
        gathered(&column, &rows)?.to_device(self.exec)
    }

    /// The rows of a dictionary of nulls, which are all null: whatever their codes say, they have no value.
    fn categories_of_nothing(
        &self,
        codes: &FixedLayout,
        storage: Storage,
        ordered: bool,
    ) -> Result<CategoricalColumn> {
        let dictionary = Arc::new(Column::full_null(&DType::Utf8, 0, self.exec)?.without_mask());
        let size = codes.rows.size;
        let (data, mask) =
            (Buffer::zeroed(storage.bytes(size), self.exec)?, Buffer::zeroed(size.div_ceil(8), self.exec)?);
        let codes = FixedLayout::new(storage, data, Some(mask), 0, size)?;
        let codes = FixedLayout { rows: codes.rows.clone().with_null_count(size), ..codes };
        let column = CategoricalColumn::from_parts(codes, dictionary);
        Ok(if ordered { column.as_ordered() } else { column })
    }

    /// A column whose dictionary has no nulls and no value twice, and whether the producer's is such a one.
    fn distinct(
        &self,
        codes: FixedLayout,
        values: &Column,
        path: &Path<'_>,
    ) -> Result<(CategoricalColumn, bool)> {
        let here = self.here(values)?;
        if CategoricalColumn::is_distinct(&here)? {
            return Ok((self.of_known(codes, Arc::new(values.without_mask()), path)?, true));
        }
        self.needs_copy("its dictionary has nulls or a value twice", path)?;
        let local = codes.to_device(&Exec::host())?;
        let has_nulls = here.null_count(&Exec::host())? > 0;
        let local = if has_nulls { without_null_values(local, &here)? } else { local };
        Ok((CategoricalColumn::normalised(local, &here)?.to_device(self.exec)?, false))
    }

    /// A column over a dictionary that has no nulls and no value twice.
    fn of_known(
        &self,
        codes: FixedLayout,
        dictionary: Arc<Column>,
        path: &Path<'_>,
    ) -> Result<CategoricalColumn> {
        if codes.rows.mask.is_none() {
            // Codes are not checked: each is a row of the dictionary, by the producer's word.
            return Ok(CategoricalColumn::from_parts(codes, dictionary));
        }
        let local = codes.to_device(&Exec::host())?;
        let before = local.data.memory_id();
        let named = naming_values(local, dictionary.size())?;
        if named.data.memory_id() == before {
            // Nothing changed: what is on the device stays there.
            return Ok(CategoricalColumn::from_parts(codes, dictionary));
        }
        self.needs_copy("codes of nulls are none of its dictionary", path)?;
        Ok(CategoricalColumn::from_parts(named.to_device(self.exec)?, dictionary))
    }
}

/// How codes of a type are stored where they come from, and here.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn storages(codes: &DataType) -> (Storage, Storage) {
    match codes {
        DataType::Int8 => (Storage::I8, Storage::I8),
        DataType::Int16 => (Storage::I16, Storage::I16),
        DataType::UInt8 => (Storage::U8, Storage::I16),
        DataType::UInt16 => (Storage::U16, Storage::I32),
        DataType::UInt64 | DataType::Int64 => (Storage::I64, Storage::I64),
        // Also without a sign: a dictionary has no row that a sign would hide.
        _ => (Storage::I32, Storage::I32),
    }
}

/// Codes on the host, null also where the value is that they name.
fn without_null_values(codes: FixedLayout, values: &Column) -> Result<FixedLayout> {
    let host = Exec::host();
    let bit = |mask: &Option<Vec<u8>>, row: usize| {
        mask.as_ref().is_none_or(|mask| mask[row / 8] >> (row % 8) & 1 == 1)
    };
    let bytes = |rows: &Rows| -> Result<Option<Vec<u8>>> {
        Ok(rows.mask.as_ref().map(|mask| mask.to_vec::<u8>(&host)).transpose()?)
    };
    let (mask, value_mask) = (bytes(&codes.rows)?, bytes(values.rows())?);
    let (offset, size) = (codes.rows.offset, codes.rows.size);
    let names = super::check::codes(&codes)?;
    let mut joined = vec![0_u8; (offset + size).div_ceil(8)];
    for (row, code) in (offset..).zip(names) {
        let named = usize::try_from(code).ok().filter(|&code| code < values.size());
        let valid = named.is_none_or(|code| bit(&value_mask, values.offset() + code));
        joined[row / 8] |= u8::from(valid && bit(&mask, row)) << (row % 8);
    }
    let rows = Rows::new(Some(Buffer::from_slice(&joined, &host)?), offset, size, host.device())?;
    Ok(FixedLayout { rows, ..codes })
}
