//! Other categories.

use super::{dictionary_of, encode};
use crate::cast::{CastMode, cast};
use crate::copying::{concat, gather_column};
use crate::distinct::factorize;
use crate::expression::col;
use crate::groupby::grouped_rows::{compute, row_map, take};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result, Scalar};
use columnade_kernels::Storage;
use columnade_kernels::copying::gather::MapNulls;
use std::collections::HashSet;
use std::sync::Arc;

/// The values with more categories, after those there are.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than dictionaries; [`Error::DTypeMismatch`] for categories of another dtype;
/// [`Error::InvalidArgument`] for one that is there already, twice, or null; [`Error::Memory`].
///
/// # Source
/// pandas `cat.add_categories`.
pub fn add_categories(column: &Column, categories: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let old = dictionary_of(column)?;
        let new = Categories::of(old, categories, exec)?;
        if let Some(at) = new.positions.iter().position(Option::is_some) {
            return Err(already(&new.values, at));
        }
        let dictionary = concat(&[old.dictionary(), &new.values], exec)?;
        let same: Vec<Option<i64>> = (0..).take(old.dictionary().size()).map(Some).collect();
        recoded(old, &same, &dictionary, exec)
    })
}

/// The values without some categories: null where they were.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than dictionaries; [`Error::DTypeMismatch`] for categories of another
/// dtype; [`Error::InvalidArgument`] for one that is there already, twice, or null; [`Error::Memory`];
/// [`Error::UnknownCategory`] for one that is not there.
///
/// # Source
/// pandas `cat.remove_categories`.
pub fn remove_categories(column: &Column, categories: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let old = dictionary_of(column)?;
        let removed: HashSet<i64> = Categories::of(old, categories, exec)?.known()?.into_iter().collect();
        let kept = (0..).take(old.dictionary().size()).filter(|at| !removed.contains(at));
        keep(old, &kept.collect::<Vec<_>>(), exec)
    })
}

/// The values without the categories that no row has.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than dictionaries; [`Error::Memory`].
///
/// # Source
/// pandas `cat.remove_unused_categories`.
pub fn remove_unused_categories(column: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let old = dictionary_of(column)?;
        let used = factorize(&old.codes(), exec)?.uniques;
        let used = compute(&[("code", &used)], col("code").cast(DType::Int64), exec)?;
        let mut used = used.to_vec::<i64>()?;
        used.sort_unstable();
        keep(old, &used, exec)
    })
}

/// The values with other categories in place of those there are, in order.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than dictionaries;
/// [`Error::InvalidArgument`] for one that comes twice or is null, and for another number; [`Error::Memory`].
///
/// # Source
/// pandas `cat.rename_categories` of a list.
pub fn rename_categories(column: &Column, categories: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let old = dictionary_of(column)?;
        if categories.size() != old.dictionary().size() {
            let (expected, found) = (old.dictionary().size(), categories.size());
            let reason = format!("{expected} are there, {found} given");
            return Err(Error::InvalidArgument { name: "categories", reason });
        }
        check_distinct(categories, exec)?;
        let renamed = CategoricalColumn::new(&old.codes(), Arc::new(categories.without_mask()))?;
        Ok(Column::Categorical(if old.is_ordered() { renamed.as_ordered() } else { renamed }))
    })
}

/// The values with the same categories in another order.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than dictionaries; [`Error::DTypeMismatch`] for categories of another dtype;
/// [`Error::UnknownCategory`] for one that is not there; [`Error::InvalidArgument`] for one that is missing, comes twice or is
/// null; [`Error::Memory`].
///
/// # Source
/// pandas `cat.reorder_categories`.
pub fn reorder_categories(column: &Column, categories: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let old = dictionary_of(column)?;
        let new = Categories::of(old, categories, exec)?;
        let order = new.known()?;
        let there: HashSet<i64> = order.iter().copied().collect();
        if let Some(missing) = (0..old.dictionary().size()).find(|&at| !there.contains(&signed(at))) {
            let reason = format!("{} is missing", old.dictionary().get(missing)?);
            return Err(Error::InvalidArgument { name: "categories", reason });
        }
        keep(old, &order, exec)
    })
}

/// The values with exactly these categories; null where the category is not among them.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than dictionaries; [`Error::DTypeMismatch`] for categories of another dtype;
/// [`Error::InvalidArgument`] for one that comes twice or is null; [`Error::Memory`].
///
/// # Source
/// pandas `cat.set_categories`.
pub fn set_categories(column: &Column, categories: &Column, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let old = dictionary_of(column)?;
        let new = Categories::of(old, categories, exec)?;
        let mut codes = vec![None; old.dictionary().size()];
        for (code, position) in (0..).zip(&new.positions) {
            let slot = position.and_then(|at| codes.get_mut(usize::try_from(at).ok()?));
            if let Some(slot) = slot {
                *slot = Some(code);
            }
        }
        recoded(old, &codes, &new.values, exec)
    })
}

/// The codes that values have in a dictionary, in the width of its own; null for nulls.
///
/// # Errors
/// [`Error::UnsupportedDType`] for nested values; [`Error::DTypeMismatch`] for values of another dtype;
/// [`Error::UnknownCategory`] for the first that is no category; [`Error::Memory`].
///
/// # Device
/// A hash table of the values; of the distinct ones, a lookup on the host.
///
/// # Source
/// pandas `Categorical._validate_setitem_value`.
pub fn codes_of(values: &Column, of: &CategoricalColumn, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let dtype = of.codes().dtype();
        if values.dtype() == DType::Null {
            return Column::full_null(&dtype, values.size(), exec);
        }
        let encoded = Column::Categorical(encode(values, exec)?);
        let known = set_categories(&encoded, of.dictionary(), exec)?;
        let codes = dictionary_of(&known)?.codes();
        if codes.null_count(exec)? > values.null_count(exec)? {
            let is_unknown = col("code").is_null() & col("value").is_not_null();
            let is_unknown = compute(&[("code", &codes), ("value", values)], is_unknown, exec)?;
            let first = is_unknown.to_options::<bool>()?.iter().position(|unknown| *unknown == Some(true));
            let category = first.map(|row| values.get(row)).transpose()?;
            let category = category.map_or_else(String::new, |value| value.to_string());
            return Err(Error::UnknownCategory { category });
        }
        compute(&[("code", &codes)], col("code").cast(dtype), exec)
    })
}

/// The rows of all columns with one dictionary of all categories: in order of first appearance, or sorted. Ordered
/// dictionaries must be the same.
///
/// # Errors
/// As [`CategoricalColumn::unify`]; [`Error::UnsupportedDType`] for other dtypes than dictionaries, with the position of the
/// column; [`Error::InvalidArgument`] without columns, and for sorting ordered categories.
///
/// # Source
/// pandas `union_categoricals`.
pub fn union_categoricals(columns: &[&Column], sort_categories: bool, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let mut dictionaries = Vec::with_capacity(columns.len());
        for (position, column) in columns.iter().enumerate() {
            dictionaries.push(dictionary_of(column).map_err(|error| error.in_key(position))?);
        }
        let unified = CategoricalColumn::unify(&dictionaries, exec)?;
        let Some(first) = unified.first() else {
            return Err(Error::InvalidArgument { name: "columns", reason: "there are none".to_owned() });
        };
        if sort_categories && first.is_ordered() {
            let reason = "ordered categories have an order already".to_owned();
            return Err(Error::InvalidArgument { name: "sort_categories", reason });
        }
        let dictionary = Arc::clone(first.dictionary());
        let parts: Vec<Column> = unified.into_iter().map(Column::Categorical).collect();
        let joined = Column::concat(&parts.iter().collect::<Vec<_>>(), exec)?;
        if !sort_categories {
            return Ok(joined);
        }
        let key = SortKey { column: &dictionary, order: Order::Ascending, nulls: NullOrder::Last };
        let order = argsort(&[key], exec)?.to_vec(exec)?;
        let order = order.into_iter().flatten().map(|row| i64::try_from(row).unwrap_or(i64::MAX));
        keep(dictionary_of(&joined)?, &order.collect::<Vec<_>>(), exec)
    })
}

/// Categories that were given, and where they are in a dictionary.
struct Categories {
    values: Column,
    positions: Vec<Option<i64>>,
}

impl Categories {
    fn of(old: &CategoricalColumn, categories: &Column, exec: &Exec) -> Result<Self> {
        let dictionary = old.dictionary();
        let values = if categories.dtype() == dictionary.dtype() {
            categories.clone()
        } else if categories.dtype().is_integer() && dictionary.dtype().is_integer() {
            cast(categories, &dictionary.dtype(), CastMode::Checked, exec)?
        } else {
            return Err(Error::DTypeMismatch { left: dictionary.dtype(), right: categories.dtype() });
        };
        check_distinct(&values, exec)?;
        // The values of a dictionary are distinct, so their numbers are their codes.
        let both = concat(&[dictionary, &values], exec)?;
        let codes = factorize(&both, exec)?.codes.slice(dictionary.size(), values.size())?;
        let known = signed(dictionary.size());
        let positions = codes.to_options::<i64>()?.into_iter().map(|code| code.filter(|&code| code < known));
        Ok(Self { values: values.without_mask(), positions: positions.collect() })
    }

    /// Where the categories are.
    ///
    /// # Errors
    /// [`Error::UnknownCategory`] for the first that is not there.
    fn known(&self) -> Result<Vec<i64>> {
        let position = |(at, position): (usize, &Option<i64>)| match position {
            Some(position) => Ok(*position),
            None => Err(Error::UnknownCategory { category: self.values.get(at)?.to_string() }),
        };
        self.positions.iter().enumerate().map(position).collect()
    }
}

fn check_distinct(categories: &Column, exec: &Exec) -> Result<()> {
    if categories.dtype().is_nested() || matches!(categories.dtype(), DType::Dictionary(_) | DType::Null) {
        return Err(Error::UnsupportedDType { dtype: categories.dtype() });
    }
    let codes = factorize(categories, exec)?.codes.to_options::<i64>()?;
    let mut seen = HashSet::with_capacity(codes.len());
    match codes.iter().position(|code| code.is_none_or(|code| !seen.insert(code))) {
        Some(at) => Err(already(categories, at)),
        None => Ok(()),
    }
}

/// The error for a category that is null or is there twice.
fn already(categories: &Column, at: usize) -> Error {
    let reason = match categories.get(at) {
        Ok(Scalar::Null(_)) => "a null is no category".to_owned(),
        Ok(value) => format!("{value} is there already"),
        Err(error) => return error,
    };
    Error::InvalidArgument { name: "categories", reason }
}

/// The values with the categories at `positions`, null where another one was.
fn keep(old: &CategoricalColumn, positions: &[i64], exec: &Exec) -> Result<Column> {
    let mut codes = vec![None; old.dictionary().size()];
    for (code, &position) in (0..).zip(positions) {
        if let Some(slot) = usize::try_from(position).ok().and_then(|at| codes.get_mut(at)) {
            *slot = Some(code);
        }
    }
    let rows = Column::from_slice(positions, exec)?;
    let map = row_map(&rows, exec)?;
    let dictionary = gather_column(old.dictionary(), &map, MapNulls::Never, exec)?;
    recoded(old, &codes, &dictionary, exec)
}

/// The rows with the new code of each old one, null for none, in the old width if that suffices.
fn recoded(
    old: &CategoricalColumn,
    codes: &[Option<i64>],
    dictionary: &Column,
    exec: &Exec,
) -> Result<Column> {
    let old_codes = old.codes();
    let fits = match old.codes_storage() {
        Storage::I8 => dictionary.size() <= 1 << 7,
        Storage::I16 => dictionary.size() <= 1 << 15,
        Storage::I32
        | Storage::I64
        | Storage::Bit
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => true,
    };
    let dtype = if fits { old_codes.dtype() } else { DType::Int32 };
    let new_codes = if codes.is_empty() {
        Column::full_null(&dtype, old_codes.size(), exec)?
    } else {
        let map = Column::from_options(codes.iter().copied(), exec)?;
        let rows = compute(&[("code", &old_codes)], col("code").cast(DType::Int64), exec)?;
        compute(&[("code", &take(&map, &rows, exec)?)], col("code").cast(dtype), exec)?
    };
    let made = CategoricalColumn::new(&new_codes, Arc::new(dictionary.without_mask()))?;
    Ok(Column::Categorical(if old.is_ordered() { made.as_ordered() } else { made }))
}

fn signed(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}
