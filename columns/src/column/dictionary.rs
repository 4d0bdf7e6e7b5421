//! One dictionary for several columns.

use super::distinct::{Distinct, is_distinct};
use super::fixed::FixedLayout;
use super::{CategoricalColumn, Column, is_dictionary_value};
use crate::{DType, DictionaryType, Error, Result, Scalar};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Element, Storage, View};
use std::sync::Arc;

/// The union of several dictionaries.
struct Union {
    dictionary: Column,
    /// For each dictionary, the new code of each of its values; `None` where codes stay as they are.
    codes: Vec<Option<Vec<i32>>>,
}

impl CategoricalColumn {
    /// The columns with one shared dictionary of the distinct values, in order of first appearance. Columns that share one
    /// already are returned unchanged.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] when the values have different dtypes, or some columns are ordered and others are not;
    /// [`Error::InvalidArgument`] when there are more than 2³¹ − 1 distinct values, and when the dictionaries of
    /// ordered columns differ, those without values aside: no order is that of both; [`Error::Memory`].
    ///
    /// # Device
    /// Dictionaries, and codes that change, go through the host.
    pub fn unify(columns: &[&CategoricalColumn], exec: &Exec) -> Result<Vec<CategoricalColumn>> {
        let [first, rest @ ..] = columns else { return Ok(Vec::new()) };
        if let Some(other) = rest.iter().find(|column| column.ordered != first.ordered) {
            return Err(Error::DTypeMismatch { left: first.dtype(), right: other.dtype() });
        }
        let one_storage = rest.iter().all(|column| column.codes.storage == first.codes.storage);
        if one_storage && rest.iter().all(|column| column.shares_dictionary(first)) {
            return Ok(columns.iter().map(|&column| column.clone()).collect());
        }
        let dictionaries: Vec<&Column> = columns.iter().map(|column| &*column.dictionary).collect();
        let union = union(&dictionaries)?;
        let changed = union.codes.iter().any(Option::is_some)
            || dictionaries
                .iter()
                .any(|dictionary| ![0, union.dictionary.size()].contains(&dictionary.size()));
        if first.ordered && changed {
            let reason = "ordered dictionaries that differ have no order in common".to_owned();
            return Err(Error::InvalidArgument { name: "dictionaries", reason });
        }
        let dictionary = Arc::new(union.dictionary.to_device(exec)?);
        // One width stays where its codes are enough.
        let storage = match first.codes.storage {
            storage if one_storage && dictionary.size() <= codes_of(storage) => storage,
            _ => Storage::I32,
        };
        columns
            .iter()
            .zip(&union.codes)
            .map(|(column, map)| {
                let codes = recoded(&column.codes, map.as_deref(), storage, exec)?;
                Ok(CategoricalColumn { codes, dictionary: Arc::clone(&dictionary), ordered: first.ordered })
            })
            .collect()
    }

    /// Encodes the values with a dictionary of the distinct values, in order of first appearance, with 32-bit codes, on the
    /// host. Nulls stay null. Floats that are equal are one value, the first of them: 0.0 and −0.0, as in pandas, and all NaN.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for nested values, dictionaries and nulls; [`Error::InvalidArgument`] for more than
    /// 2³¹ − 1 distinct values; [`Error::Memory`].
    ///
    /// # Device
    /// The values go through the host.
    ///
    /// # Source
    /// cudf/dictionary/encode.hpp `encode`; pandas `factorize`.
    pub fn encode(values: &Column) -> Result<CategoricalColumn> {
        let host = Exec::host();
        let values = checked(values)?.to_device(&host)?;
        let mut distinct = Distinct::new();
        let codes = distinct.add(&values)?;
        let dictionary = distinct.into_column(&values)?;
        Ok(CategoricalColumn::of_codes(codes, &values, dictionary))
    }

    /// Encodes the values with `dictionary`, which must contain each of them once: see [`encode`](Self::encode).
    ///
    /// # Errors
    /// Same as [`encode`](Self::encode); [`Error::DTypeMismatch`] for a dictionary of another dtype;
    /// [`Error::InvalidArgument`] for a value that is not in the dictionary, and for a dictionary with nulls or repeated
    /// values.
    ///
    /// # Source
    /// pandas `Categorical(values, categories=…)`, which makes nulls of such values.
    pub fn encode_among(values: &Column, dictionary: &Column) -> Result<CategoricalColumn> {
        let host = Exec::host();
        let values = checked(values)?.to_device(&host)?;
        if dictionary.dtype() != values.dtype() {
            let (left, right) = (dictionary.dtype(), values.dtype());
            return Err(Error::DTypeMismatch { left, right });
        }
        let dictionary = dictionary.to_device(&host)?;
        let invalid = |name, reason| Error::InvalidArgument { name, reason };
        let mut distinct = Distinct::new();
        let own = distinct.add(&dictionary)?;
        if dictionary.null_count(&host)? > 0 || distinct.len() < own.len() {
            return Err(invalid("dictionary", "it has a null, or a value twice".to_owned()));
        }
        let codes = distinct.add(&values)?;
        if distinct.len() > own.len() {
            let value = distinct.into_column(&values)?.get(own.len())?;
            return Err(invalid("values", format!("{value} is not in the dictionary")));
        }
        Ok(CategoricalColumn::of_codes(codes, &values, dictionary.without_mask()))
    }

    /// A column of one row, which has `value`, with the dictionary, order and codes of this one.
    ///
    /// # Errors
    /// Those of [`encode_among`](Self::encode_among).
    ///
    /// # Device
    /// The dictionary is looked through on the host.
    pub fn with_value(&self, value: &Scalar, exec: &Exec) -> Result<CategoricalColumn> {
        let values =
            Column::from_scalars(&self.dictionary.dtype(), std::slice::from_ref(value), &Exec::host())?;
        let found = Self::encode_among(&values, &self.dictionary)?;
        let mut codes = recoded(&found.codes, None, self.codes.storage, exec)?;
        codes.data.adopt(exec)?;
        Ok(CategoricalColumn { codes, ..self.clone() })
    }

    /// A code for each row of `values`, whose nulls the rows have.
    fn of_codes(mut codes: Vec<i32>, values: &Column, dictionary: Column) -> CategoricalColumn {
        // The rows keep their offset, so that the mask stays as it is.
        if values.offset() > 0 {
            codes.splice(..0, vec![0; values.offset()]);
        }
        let data = Buffer::from_vec(codes);
        let codes = FixedLayout { storage: Storage::I32, data, rows: values.rows().clone() };
        CategoricalColumn { codes, dictionary: Arc::new(dictionary), ordered: false }
    }

    /// The same with dictionary codes of another width.
    ///
    /// # Errors
    /// [`Error::Overflow`] when the dictionary has more values than such codes can represent;
    /// [`Error::InvalidArgument`] for an invalid storage type of codes; [`Error::Memory`].
    ///
    /// # Device
    /// Codes that change go through the host.
    pub fn with_codes(&self, storage: Storage) -> Result<CategoricalColumn> {
        let (values, ordered) = (self.dictionary.dtype(), self.ordered);
        let dtype = DType::Dictionary(Box::new(DictionaryType { codes: storage, values, ordered }));
        if !matches!(storage, Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64) {
            let reason = format!("{storage} is none of i8, i16, i32 and i64");
            return Err(Error::InvalidArgument { name: "codes", reason });
        }
        if self.dictionary.size() > codes_of(storage) {
            return Err(Error::Overflow { dtype });
        }
        let exec = Exec::new(self.codes.data.device())?;
        let codes = recoded(&self.codes, None, storage, &exec)?;
        Ok(CategoricalColumn { codes, ..self.clone() })
    }

    /// Whether values on the host are there once each, and none of them is null.
    pub(crate) fn is_distinct(values: &Column) -> Result<bool> {
        Ok(values.null_count(&Exec::host())? == 0 && is_distinct(values)?)
    }

    /// Codes into a dictionary of distinct values without nulls.
    pub(crate) fn from_parts(codes: FixedLayout, dictionary: Arc<Column>) -> CategoricalColumn {
        CategoricalColumn { codes, dictionary, ordered: false }
    }

    /// A column on the host of codes that a foreign dictionary came with: its values may be there twice or be null.
    /// A row whose code names a null is null in `codes` already. Codes keep their width.
    pub(crate) fn normalised(codes: FixedLayout, values: &Column) -> Result<CategoricalColumn> {
        if CategoricalColumn::is_distinct(values)? {
            let codes = naming_values(codes, values.size())?;
            return Ok(CategoricalColumn::from_parts(codes, Arc::new(values.without_mask())));
        }
        let union = union(&[values])?;
        let codes = recoded(&codes, union.codes[0].as_deref(), codes.storage, &Exec::host())?;
        Ok(CategoricalColumn::from_parts(codes, Arc::new(union.dictionary)))
    }
}

/// The values, which a dictionary may hold.
fn checked(values: &Column) -> Result<&Column> {
    if is_dictionary_value(&values.dtype()) {
        return Ok(values);
    }
    Err(Error::UnsupportedDType { dtype: values.dtype() })
}

/// Whether some code, of a null row, is no row of the dictionary: foreign arrays may hold anything there.
fn names_no_value(codes: &FixedLayout, values: usize) -> Result<bool> {
    if codes.rows.mask.is_none() {
        return Ok(false);
    }
    let view = View::Fixed(codes.view());
    let host = Exec::host();
    let guard = view.read(&host)?;
    Ok(match codes.storage {
        Storage::I8 => outside(guard.values::<i8>(), values),
        Storage::I16 => outside(guard.values::<i16>(), values),
        Storage::I64 => outside(guard.values::<i64>(), values),
        Storage::Bit
        | Storage::I32
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => outside(guard.values::<i32>(), values),
    })
}

/// Codes on the host, of which those of null rows too are rows of a dictionary of so many values.
pub(crate) fn naming_values(codes: FixedLayout, values: usize) -> Result<FixedLayout> {
    if !names_no_value(&codes, values)? {
        return Ok(codes);
    }
    let identity: Vec<i32> = (0..).take(values).collect();
    recoded(&codes, Some(&identity), codes.storage, &Exec::host())
}

fn outside<T: Copy + TryInto<usize>>(codes: &[T], values: usize) -> bool {
    // 0 is a code that nulls may have without any values.
    codes.iter().any(|&code| code.try_into().map_or(true, |code: usize| code >= values.max(1)))
}

fn union(dictionaries: &[&Column]) -> Result<Union> {
    let Some(first) = dictionaries.first() else {
        return Err(Error::InvalidArgument { name: "dictionaries", reason: "there are none".to_owned() });
    };
    let exec = Exec::host();
    let mut distinct = Distinct::new();
    let mut codes = Vec::with_capacity(dictionaries.len());
    for dictionary in dictionaries {
        if dictionary.dtype() != first.dtype() {
            return Err(Error::DTypeMismatch { left: first.dtype(), right: dictionary.dtype() });
        }
        let map = distinct.add(&dictionary.to_device(&exec)?)?;
        let unchanged =
            dictionary.null_count(&exec)? == 0 && map.iter().zip(0..).all(|(&code, row)| code == row);
        codes.push((!unchanged).then_some(map));
    }
    let widest = Column::widest(dictionaries).unwrap_or(first);
    Ok(Union { dictionary: distinct.into_column(widest)?, codes })
}

/// How many values codes of a width can represent.
fn codes_of(storage: Storage) -> usize {
    match storage {
        Storage::I8 => 1 << 7,
        Storage::I16 => 1 << 15,
        Storage::I64 => usize::MAX,
        Storage::Bit
        | Storage::I32
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => 1 << 31,
    }
}

/// The codes in the width of `storage`, each replaced by `map[code]`. Codes of null rows may be anything and become 0.
fn recoded(codes: &FixedLayout, map: Option<&[i32]>, storage: Storage, exec: &Exec) -> Result<FixedLayout> {
    if map.is_none() && codes.storage == storage {
        return Ok(codes.clone());
    }
    let host = Exec::host();
    let local = codes.to_device(&host)?;
    let view = View::Fixed(local.view());
    let guard = view.read(&host)?;
    let recode = |code: i32| match map {
        None => code,
        Some(map) => usize::try_from(code).ok().and_then(|code| map.get(code).copied()).unwrap_or(0),
    };
    // The rows keep their offset, so that the mask stays as it is.
    let mut values = vec![0_i32; codes.rows.offset];
    values.reserve(codes.rows.size);
    match codes.storage {
        Storage::I8 => values.extend(guard.values::<i8>().iter().map(|&code| recode(code.into()))),
        Storage::I16 => values.extend(guard.values::<i16>().iter().map(|&code| recode(code.into()))),
        // Only what stands under a null is beyond 32 bits: a dictionary that needs them is nowhere made, and not recoded.
        Storage::I64 => {
            values.extend(guard.values::<i64>().iter().map(|&code| recode(i32::try_from(code).unwrap_or(0))));
        }
        Storage::Bit
        | Storage::I32
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => values.extend(guard.values::<i32>().iter().map(|&code| recode(code))),
    }
    let data = Buffer::from_slice(&values, &host)?;
    let wide = FixedLayout { storage: Storage::I32, data, rows: codes.rows.clone() };
    let mut narrow = wide.narrowed(storage)?;
    narrow.data.adopt(exec)?;
    Ok(narrow)
}

impl FixedLayout {
    /// Codes of 32 bits on the host in another width.
    ///
    /// # Errors
    /// [`Error::Overflow`] when a code does not fit.
    pub(super) fn narrowed(&self, storage: Storage) -> Result<FixedLayout> {
        fn narrow<T: Element + TryFrom<i32>>(codes: &[i32], dtype: &DType) -> Result<Buffer> {
            let fit = |&code: &i32| T::try_from(code).map_err(|_| Error::Overflow { dtype: dtype.clone() });
            Ok(Buffer::from_slice(&codes.iter().map(fit).collect::<Result<Vec<T>>>()?, &Exec::host())?)
        }
        let host = Exec::host();
        let guard = self.data.read(&host)?;
        let codes = guard.as_slice::<i32>();
        let data = match storage {
            Storage::I8 => narrow::<i8>(codes, &DType::Int8)?,
            Storage::I16 => narrow::<i16>(codes, &DType::Int16)?,
            Storage::I64 => narrow::<i64>(codes, &DType::Int64)?,
            Storage::Bit
            | Storage::I32
            | Storage::I128
            | Storage::U8
            | Storage::U16
            | Storage::U32
            | Storage::U64
            | Storage::F32
            | Storage::F64 => return Ok(self.clone()),
        };
        Ok(FixedLayout { storage, data, rows: self.rows.clone() })
    }
}
