//! Dictionary columns.

use super::fixed::FixedLayout;
use super::{Column, NumericColumn};
use crate::{DType, DictionaryType, Error, Result};
use columnade_buffers::Exec;
use columnade_kernels::Storage;
use std::sync::Arc;

/// Codes into a dictionary of distinct values. Slices, gathers and filters share the dictionary.
///
/// The mask of the codes marks null rows. The dictionary has no nulls and no repeated values, so rows of one column are
/// equal if and only if their codes are. Codes of null rows are valid positions too, or 0.
#[derive(Clone, Debug)]
pub struct CategoricalColumn {
    pub(super) codes: FixedLayout,
    pub(super) dictionary: Arc<Column>,
    pub(super) ordered: bool,
}

impl CategoricalColumn {
    /// The value of row `i` is row `codes[i]` of `dictionary`, or null if the code is null. The caller guarantees that codes
    /// are valid positions, and that the values of the dictionary are distinct and not null.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] when the codes are not signed integers, and for a dictionary of
    /// dictionaries, of nested values or of nulls; [`Error::Memory`] when codes and dictionary are on different devices.
    pub fn new(codes: &Column, dictionary: Arc<Column>) -> Result<Self> {
        let codes = if let Column::Numeric(NumericColumn { dtype, layout }) = codes
            && dtype.is_signed_integer()
        {
            layout
        } else {
            return Err(Error::UnsupportedDType { dtype: codes.dtype() });
        };
        if !is_dictionary_value(&dictionary.dtype()) {
            return Err(Error::UnsupportedDType { dtype: dictionary.dtype() });
        }
        super::rows::check_device(&codes.data, dictionary.device())?;
        Ok(Self { codes: codes.clone(), dictionary, ordered: false })
    }

    /// The same as an ordered dictionary: values are ordered as in the dictionary.
    ///
    /// # Source
    /// pandas `Series.cat.as_ordered`.
    #[must_use]
    pub fn as_ordered(&self) -> Self {
        Self { ordered: true, ..self.clone() }
    }

    /// The same as an unordered dictionary.
    ///
    /// # Source
    /// pandas `Series.cat.as_unordered`.
    #[must_use]
    pub fn as_unordered(&self) -> Self {
        Self { ordered: false, ..self.clone() }
    }

    /// Whether the dictionary is ordered.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The storage of the codes.
    pub fn codes_storage(&self) -> Storage {
        self.codes.storage
    }

    /// The distinct values.
    pub fn dictionary(&self) -> &Arc<Column> {
        &self.dictionary
    }

    /// The codes as a column of integers that shares the buffers and the mask.
    pub fn codes(&self) -> Column {
        let dtype = match self.codes.storage {
            Storage::I8 => DType::Int8,
            Storage::I16 => DType::Int16,
            Storage::I64 => DType::Int64,
            Storage::Bit
            | Storage::I32
            | Storage::I128
            | Storage::U8
            | Storage::U16
            | Storage::U32
            | Storage::U64
            | Storage::F32
            | Storage::F64 => DType::Int32,
        };
        Column::Numeric(NumericColumn { dtype, layout: self.codes.clone() })
    }

    /// Whether codes of both columns mean the same values because they share one dictionary.
    pub fn shares_dictionary(&self, other: &CategoricalColumn) -> bool {
        Arc::ptr_eq(&self.dictionary, &other.dictionary)
    }

    pub(super) fn dtype(&self) -> DType {
        let values = self.dictionary.dtype();
        DType::Dictionary(Box::new(DictionaryType {
            codes: self.codes.storage,
            values,
            ordered: self.ordered,
        }))
    }

    pub(crate) fn to_device(&self, exec: &Exec) -> Result<Self> {
        // On one device the dictionary stays the same object, and codes stay comparable.
        let dictionary = if self.dictionary.device() == exec.device() {
            Arc::clone(&self.dictionary)
        } else {
            Arc::new(self.dictionary.to_device(exec)?)
        };
        Ok(Self { codes: self.codes.to_device(exec)?, dictionary, ordered: self.ordered })
    }
}

/// Whether a dictionary may hold values of `dtype`: one buffer tells them apart.
pub(crate) fn is_dictionary_value(dtype: &DType) -> bool {
    !(dtype.is_nested() || matches!(dtype, DType::Dictionary(_) | DType::Null))
}
