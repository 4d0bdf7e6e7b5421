//! Operations of one kind of dtype, on expressions and on series: `str`, `dt`, `list`, `struct` and `cat`.

use columnade::accessors::{
    CategoricalAccessor, DatetimeProperties, ListMethods, StringMethods, StructMethods,
};
use columnade::expressions::{
    CategoryExpr, DatetimeExpr, JoinNulls, ListExpr, Literal, Side, StringExpr, StructExpr, Unmatched,
};
use columnade::{ErrorKind, Expr as InnerExpr, Series as InnerSeries};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::dtype::dtype_of;
use crate::expr::{Constant, Expr, Given, expr_of};
use crate::frame::DataFrame;
use crate::series::{Series, series_beside};
use crate::values;
use crate::work::{argument, work, work_as};

/// A class for expressions and one for series, each made by a property.
macro_rules! namespace {
    ($property:ident $rust:ident $doc:literal $expr:ident $series:ident $inner:ident $methods:ident) => {
        #[doc = $doc]
        #[pyclass(frozen, module = "columnade")]
        pub(crate) struct $expr(pub(crate) InnerExpr);

        impl $expr {
            fn expr(&self) -> $inner {
                self.0.clone().$rust()
            }
        }

        #[doc = $doc]
        #[pyclass(frozen, module = "columnade")]
        pub(crate) struct $series(pub(crate) InnerSeries);

        impl $series {
            fn series(&self) -> $methods<'_> {
                self.0.$rust()
            }
        }

        #[pymethods]
        impl Expr {
            #[doc = $doc]
            #[getter]
            fn $property(&self) -> $expr {
                $expr(self.0.clone())
            }
        }

        #[pymethods]
        impl Series {
            #[doc = $doc]
            #[getter]
            fn $property(&self) -> $series {
                $series(self.0.clone())
            }
        }
    };
}

namespace!(str str "Functions of strings." StringNamespace SeriesStringNamespace StringExpr StringMethods);
namespace!(dt dt "Functions of dates, timestamps and durations." DatetimeNamespace SeriesDatetimeNamespace DatetimeExpr DatetimeProperties);
namespace!(list list "Functions of lists." ListNamespace SeriesListNamespace ListExpr ListMethods);
namespace!(struct_ struct_ "Functions of structs." StructNamespace SeriesStructNamespace StructExpr StructMethods);
namespace!(cat cat "Functions of dictionaries." CategoryNamespace SeriesCategoryNamespace CategoryExpr CategoricalAccessor);

/// Methods that both classes of a namespace have.
macro_rules! methods {
    ($space:literal $expr:ident $series:ident; $($(#[$meta:meta])* $name:ident($($argument:ident: $ty:ty),*);)*) => {
        #[pymethods]
        impl $expr {
            $($(#[$meta])* fn $name(&self, _py: Python<'_>, $($argument: $ty),*) -> PyResult<Expr> {
                $(let $argument = $argument.value(_py, concat!($space, stringify!($name)), stringify!($argument))?;)*
                Ok(Expr(self.expr().$name($($argument),*)))
            })*
        }

        #[pymethods]
        impl $series {
            $($(#[$meta])* fn $name(&self, py: Python<'_>, $($argument: $ty),*) -> PyResult<Series> {
                $(let $argument = $argument.value(py, concat!($space, stringify!($name)), stringify!($argument))?;)*
                work(py, || self.series().$name($($argument),*)).map(Series::from)
            })*
        }
    };
}

methods! {
    "str." StringNamespace SeriesStringNamespace;
    /// The number of characters.
    len();
    /// The number of bytes.
    byte_count();
    /// Lower case.
    lower();
    /// Upper case.
    upper();
    /// The first character in upper case, the rest in lower.
    capitalize();
    /// The first character of each word in upper case, the rest in lower.
    title();
    /// Upper case for lower, and lower for upper.
    swapcase();
    /// Without white space at both ends.
    strip();
    /// Without white space at the start.
    lstrip();
    /// Without white space at the end.
    rstrip();
    /// The characters in reverse order.
    reverse();
    /// Filled with zeros on the left, after a sign.
    zfill(width: Constant<usize>);
    /// The string several times.
    repeat(count: Constant<usize>);
    /// The position of the first occurrence in characters, -1 without one.
    find(part: Constant<&str>);
    /// The position of the last occurrence in characters, -1 without one.
    rfind(part: Constant<&str>);
    /// The number of occurrences.
    count(part: Constant<&str>);
    /// Each occurrence replaced, literally.
    replace(old: Constant<&str>, new: Constant<&str>);
    /// Without a prefix.
    remove_prefix(prefix: Constant<&str>);
    /// Without a suffix.
    remove_suffix(suffix: Constant<&str>);
    /// `length` characters from `offset` on; a negative offset counts from the end.
    #[pyo3(signature = (offset, length = None))]
    slice(offset: Constant<i64>, length: Option<u64>);
    /// The character at a position.
    get(position: Constant<i64>);
    /// One of the parts between separators.
    split_part(separator: Constant<&str>, position: Constant<i64>);
    /// Whether a regular expression matches anywhere.
    contains_regex(pattern: Constant<&str>);
    /// Whether a regular expression matches at the start.
    match_regex(pattern: Constant<&str>);
    /// Whether a regular expression matches the whole string.
    fullmatch_regex(pattern: Constant<&str>);
    /// The number of matches of a regular expression.
    count_regex(pattern: Constant<&str>);
    /// Matches of a regular expression replaced, the first `n` or all.
    #[pyo3(signature = (pattern, new, n = None))]
    replace_regex(pattern: Constant<&str>, new: Constant<&str>, n: Option<usize>);
    /// A group of the first match of a regular expression.
    #[pyo3(signature = (pattern, group = 1))]
    extract(pattern: Constant<&str>, group: usize);
    /// A group of each match of a regular expression, as a list.
    #[pyo3(signature = (pattern, group = 0))]
    extract_all(pattern: Constant<&str>, group: usize);
    /// Whether all characters are letters.
    is_alpha();
    /// Whether all characters are numeric.
    is_numeric();
    /// Whether all characters are decimal digits.
    is_decimal();
    /// Whether all characters are letters or numeric.
    is_alnum();
    /// Whether all characters are white space.
    is_space();
    /// Whether all letters are lower case.
    is_lower();
    /// Whether all letters are upper case.
    is_upper();
    /// Whether each word is in title case.
    is_title();
    /// Whether all characters are ASCII.
    is_ascii();
}

methods! {
    "dt." DatetimeNamespace SeriesDatetimeNamespace;
    /// The year.
    year();
    /// The quarter, 1 to 4.
    quarter();
    /// The month, 1 to 12.
    month();
    /// The day of the month.
    day();
    /// The day of the year.
    day_of_year();
    /// The day of the week, 0 for Monday.
    weekday();
    /// The hour.
    hour();
    /// The minute.
    minute();
    /// The second.
    second();
    /// The milliseconds of the second.
    millisecond();
    /// The microseconds of the second.
    microsecond();
    /// The nanoseconds of the second.
    nanosecond();
    /// The year of the ISO week.
    iso_year();
    /// The ISO week.
    week();
    /// The number of days of the month.
    days_in_month();
    /// Whether the year is a leap year.
    is_leap_year();
    /// Whether it is the first day of the month.
    is_month_start();
    /// Whether it is the last day of the month.
    is_month_end();
    /// Whether it is the first day of the quarter.
    is_quarter_start();
    /// Whether it is the last day of the quarter.
    is_quarter_end();
    /// Whether it is the first day of the year.
    is_year_start();
    /// Whether it is the last day of the year.
    is_year_end();
    /// The date.
    date();
    /// The time since midnight, as a duration.
    time();
    /// The name of the day.
    day_name();
    /// The name of the month.
    month_name();
    /// The first day of the month.
    month_start();
    /// The last day of the month.
    month_end();
    /// The local time without its zone.
    tz_naive();
    /// A duration in seconds.
    total_seconds();
    /// The whole days of a duration.
    days();
    /// The seconds of a duration beside its days.
    seconds();
    /// The same instants in another zone.
    tz_convert(zone: Constant<&str>);
    /// As text in a format, such as "%Y-%m-%d".
    strftime(format: Constant<&str>);
}

methods! {
    "list." ListNamespace SeriesListNamespace;
    /// The number of items.
    len();
    /// The first item.
    first();
    /// The last item.
    last();
    /// The sum of the items.
    sum();
    /// The smallest item.
    min();
    /// The largest item.
    max();
    /// The mean of the items.
    mean();
    /// The median of the items.
    median();
    /// The number of distinct items.
    nunique();
    /// Whether an item is true.
    any();
    /// Whether all items are true.
    all();
    /// The distinct items.
    unique();
    /// The items in reverse order.
    reverse();
    /// `length` items from `offset` on; a negative offset counts from the end.
    #[pyo3(signature = (offset, length = None))]
    slice(offset: Constant<i64>, length: Option<u64>);
    /// The first items.
    #[pyo3(signature = (n = 5))]
    head(n: u64);
    /// The last items.
    #[pyo3(signature = (n = 5))]
    tail(n: u64);
    /// The items in order.
    #[pyo3(name = "sort", signature = (descending = false, nulls_first = false))]
    sort_with(descending: bool, nulls_first: bool);
    /// The items as one string with separators between.
    join(separator: Constant<&str>);
}

methods! {
    "cat." CategoryNamespace SeriesCategoryNamespace;
    /// Strings as a dictionary.
    encode();
    /// The values of a dictionary.
    decode();
    /// The codes of a dictionary.
    codes();
    /// A dictionary whose categories have an order.
    as_ordered();
    /// A dictionary whose categories have none.
    as_unordered();
}

methods! {
    "struct." StructNamespace SeriesStructNamespace;
    /// The values of a field.
    field(name: Constant<&str>);
    /// The fields under other names.
    rename_fields(names: Vec<String>);
}

/// A text, or an expression of texts.
fn part_of(operation: &'static str, name: &str, value: &Bound<'_, PyAny>) -> PyResult<InnerExpr> {
    if value.is_instance_of::<Expr>()
        || value.is_instance_of::<Series>()
        || value.is_instance_of::<PyString>()
    {
        return expr_of(operation, value);
    }
    let reason =
        format!("{name} is a text, or the texts of another column, not {}", value.get_type().name()?);
    Err(argument(value.py(), ErrorKind::Type, operation, &reason))
}

/// Searches for a text, or for that of each row.
macro_rules! searches {
    ($($(#[$meta:meta])* $name:ident($part:ident);)*) => {
        #[pymethods]
        impl StringNamespace {
            $($(#[$meta])* fn $name(&self, $part: &Bound<'_, PyAny>) -> PyResult<Expr> {
                const OPERATION: &str = concat!("str.", stringify!($name));
                Ok(Expr(self.expr().$name(part_of(OPERATION, stringify!($part), $part)?)))
            })*
        }

        #[pymethods]
        impl SeriesStringNamespace {
            $($(#[$meta])* fn $name(&self, $part: &Bound<'_, PyAny>) -> PyResult<Series> {
                const OPERATION: &str = concat!("str.", stringify!($name));
                if let Ok(text) = $part.extract::<&str>() {
                    return work($part.py(), || self.series().$name(text)).map(Series::from);
                }
                if !$part.is_instance_of::<Series>() {
                    let _text = part_of(OPERATION, stringify!($part), $part)?;
                }
                Series::from(self.0.clone()).combined(OPERATION, $part, |strings, part| strings.str().$name(part))
            })*
        }
    };
}

searches! {
    /// Whether the string starts with a prefix.
    starts_with(prefix);
    /// Whether the string ends with a suffix.
    ends_with(suffix);
    /// Whether the string contains another, literally.
    contains(part);
}

fn side_of(py: Python<'_>, side: &str) -> PyResult<Side> {
    Ok(match side {
        "left" => Side::Left,
        "right" => Side::Right,
        "both" => Side::Both,
        _ => return Err(argument(py, ErrorKind::Value, "str", "side is \"left\", \"right\" or \"both\"")),
    })
}

fn character_of(py: Python<'_>, operation: &str, name: &str, text: &str) -> PyResult<char> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(argument(py, ErrorKind::Value, operation, &format!("{name} is one character"))),
    }
}

fn fill_of(py: Python<'_>, fill: &str) -> PyResult<char> {
    character_of(py, "str.pad", "fill", fill)
}

pub(crate) fn escape_of(py: Python<'_>, operation: &str, escape: Option<&str>) -> PyResult<Option<char>> {
    escape.map(|escape| character_of(py, operation, "escape", escape)).transpose()
}

fn unmatched_of(strict: bool) -> Unmatched {
    if strict { Unmatched::Raise } else { Unmatched::Null }
}

#[pymethods]
impl StringNamespace {
    /// Without some characters, at the side "left", "right" or "both".
    #[pyo3(signature = (characters, side = "both"))]
    fn strip_chars(&self, py: Python<'_>, characters: &str, side: &str) -> PyResult<Expr> {
        Ok(Expr(self.expr().strip_chars(characters, side_of(py, side)?)))
    }

    /// Filled to a width, at the side "left", "right" or "both".
    #[pyo3(signature = (width, side = "left", fill = " "))]
    fn pad(&self, py: Python<'_>, width: usize, side: &str, fill: &str) -> PyResult<Expr> {
        Ok(Expr(self.expr().pad(width, side_of(py, side)?, fill_of(py, fill)?)))
    }

    /// Strings in a format as times: `to_datetime("%d.%m.%Y")`. Others are an error, with strict=False null.
    #[pyo3(signature = (format, dtype = None, strict = true))]
    fn to_datetime(
        &self,
        py: Python<'_>,
        format: &str,
        dtype: Option<&Bound<'_, PyAny>>,
        strict: bool,
    ) -> PyResult<Expr> {
        let dtype = time_dtype(py, dtype)?;
        Ok(Expr(self.expr().to_datetime_with(dtype, format, unmatched_of(strict))))
    }
}

#[pymethods]
impl SeriesStringNamespace {
    /// Without some characters, at the side "left", "right" or "both".
    #[pyo3(signature = (characters, side = "both"))]
    fn strip_chars(&self, py: Python<'_>, characters: &str, side: &str) -> PyResult<Series> {
        let side = side_of(py, side)?;
        work(py, || self.series().strip_chars(characters, side)).map(Series::from)
    }

    /// Filled to a width, at the side "left", "right" or "both".
    #[pyo3(signature = (width, side = "left", fill = " "))]
    fn pad(&self, py: Python<'_>, width: usize, side: &str, fill: &str) -> PyResult<Series> {
        let (side, fill) = (side_of(py, side)?, fill_of(py, fill)?);
        work(py, || self.series().pad(width, side, fill)).map(Series::from)
    }

    /// Strings in a format as times: `to_datetime("%d.%m.%Y")`. Others are an error, with strict=False null.
    #[pyo3(signature = (format, dtype = None, strict = true))]
    fn to_datetime(
        &self,
        py: Python<'_>,
        format: &str,
        dtype: Option<&Bound<'_, PyAny>>,
        strict: bool,
    ) -> PyResult<Series> {
        let dtype = time_dtype(py, dtype)?;
        work_as(py, "str.to_datetime", || self.series().to_datetime_with(dtype, format, unmatched_of(strict)))
            .map(Series::from)
    }
}

fn time_dtype(_py: Python<'_>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<columnade::DType> {
    match dtype {
        Some(dtype) => dtype_of("str.to_datetime", dtype),
        None => Ok(columnade::DType::Timestamp(columnade::TimeUnit::Micro)),
    }
}

/// Positions that are the same for each list, if they are a sequence of integers.
fn each_position(positions: &Bound<'_, PyAny>) -> Option<Vec<i64>> {
    positions.extract().ok()
}

/// Either a default or an error for positions outside of a list.
fn default_or_error(py: Python<'_>, default: Option<&Bound<'_, PyAny>>, null_on_oob: bool) -> PyResult<()> {
    if default.is_some() && !null_on_oob {
        let reason = "there is a default, so that no position is an error";
        return Err(argument(py, ErrorKind::Value, "list.get", reason));
    }
    Ok(())
}

#[pymethods]
impl ListNamespace {
    /// The item at a position, from the end if it is negative. Outside of the list it is `default`, or an error unless
    /// `null_on_oob`.
    #[pyo3(signature = (position, default = None, null_on_oob = true))]
    fn get(
        &self,
        position: &Bound<'_, PyAny>,
        default: Option<&Bound<'_, PyAny>>,
        null_on_oob: bool,
    ) -> PyResult<Expr> {
        default_or_error(position.py(), default, null_on_oob)?;
        let (lists, position) = (self.expr(), expr_of("list.get", position)?);
        Ok(Expr(match default {
            Some(default) => lists.get_at_or(position, expr_of("list.get", default)?),
            None if null_on_oob => lists.get_at(position),
            None => lists.get_at_checked(position),
        }))
    }

    /// The items at positions: the same for each list, or a list in each row. A position outside of the list gives a null, or
    /// an error unless `null_on_oob`.
    #[pyo3(signature = (positions, null_on_oob = true))]
    fn take(&self, positions: &Bound<'_, PyAny>, null_on_oob: bool) -> PyResult<Expr> {
        let lists = self.expr();
        Ok(Expr(match (each_position(positions), null_on_oob) {
            (Some(each), true) => lists.take_each(each),
            (Some(each), false) => lists.take_each_checked(each),
            (None, true) => lists.take(expr_of("list.take", positions)?),
            (None, false) => lists.take_checked(expr_of("list.take", positions)?),
        }))
    }

    /// Whether a value is among the items.
    fn contains(&self, value: &Bound<'_, PyAny>) -> PyResult<Expr> {
        Ok(Expr(self.expr().contains_value(expr_of("list.contains", value)?)))
    }

    /// The position of the first item that is equal to a value, -1 without one.
    fn index(&self, value: &Bound<'_, PyAny>) -> PyResult<Expr> {
        Ok(Expr(self.expr().index_of(expr_of("list.index", value)?)))
    }
}

#[pymethods]
impl SeriesListNamespace {
    /// The item at a position, from the end if it is negative. Outside of the list it is `default`, or an error unless
    /// `null_on_oob`.
    #[pyo3(signature = (position, default = None, null_on_oob = true))]
    fn get(
        &self,
        position: &Bound<'_, PyAny>,
        default: Option<&Bound<'_, PyAny>>,
        null_on_oob: bool,
    ) -> PyResult<Series> {
        let py = position.py();
        default_or_error(py, default, null_on_oob)?;
        let default = default.map(|default| values::literal_of("list.get", default)).transpose()?;
        if let Ok(positions) = position.cast::<Series>() {
            let positions = &positions.get().0;
            return work_as(py, "list.get", || match default {
                Some(default) => self.series().get_at_or(positions, default),
                None if null_on_oob => self.series().get_at(positions),
                None => self.series().get_at_checked(positions),
            })
            .map(Series::from);
        }
        let position: i64 = position.extract()?;
        work_as(py, "list.get", || match default {
            Some(default) => self.series().get_or(position, default),
            None if null_on_oob => self.series().get(position),
            None => self.series().get_checked(position),
        })
        .map(Series::from)
    }

    /// The items at positions: the same for each list, or a list in each row. A position outside of the list gives a null, or
    /// an error unless `null_on_oob`.
    #[pyo3(signature = (positions, null_on_oob = true))]
    fn take(&self, positions: &Bound<'_, PyAny>, null_on_oob: bool) -> PyResult<Series> {
        let py = positions.py();
        if !positions.is_instance_of::<Series>()
            && let Some(each) = each_position(positions)
        {
            return work_as(py, "list.take", || {
                let lists = self.series();
                if null_on_oob { lists.take_each(each) } else { lists.take_each_checked(each) }
            })
            .map(Series::from);
        }
        let positions = series_beside("list.take", positions, &self.0)?;
        work_as(py, "list.take", || {
            let lists = self.series();
            if null_on_oob { lists.take(&positions) } else { lists.take_checked(&positions) }
        })
        .map(Series::from)
    }

    /// Whether a value is among the items, or that of the same row of a series.
    fn contains(&self, value: &Bound<'_, PyAny>) -> PyResult<Series> {
        let py = value.py();
        if let Ok(values) = value.cast::<Series>() {
            let values = &values.get().0;
            return work(py, || self.series().contains_value(values)).map(Series::from);
        }
        let value = values::literal_of("list.contains", value)?;
        work(py, || self.series().contains(value)).map(Series::from)
    }

    /// The position of the first item that is equal to a value, or to that of the same row of a series; -1 without one.
    fn index(&self, value: &Bound<'_, PyAny>) -> PyResult<Series> {
        let py = value.py();
        if let Ok(values) = value.cast::<Series>() {
            let values = &values.get().0;
            return work(py, || self.series().index_of(values)).map(Series::from);
        }
        let value = values::literal_of("list.index", value)?;
        work(py, || self.series().index(value)).map(Series::from)
    }

    /// The items of each list, and behind them those of the same label of a series, or a value.
    #[pyo3(name = "_concat")]
    fn concat(&self, other: &Bound<'_, PyAny>) -> PyResult<Series> {
        Series::from(self.0.clone()).combined("list.concat", other, |lists, other| lists.list().concat(other))
    }

    /// The series.
    #[getter(_series)]
    fn own(&self) -> Series {
        self.0.clone().into()
    }

    /// The items of the innermost lists, one a row.
    fn leaves(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.series().leaves()).map(Series::from)
    }
}

#[pymethods]
impl SeriesStructNamespace {
    /// The names of the fields.
    #[getter]
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        work(py, || self.series().names().map(<[String]>::to_vec))
    }

    /// A column for each field.
    fn explode(&self, py: Python<'_>) -> PyResult<DataFrame> {
        work(py, || self.series().explode()).map(DataFrame)
    }
}

#[pymethods]
impl SeriesCategoryNamespace {
    /// The values of the dictionary.
    fn categories(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.series().categories()).map(Series::from)
    }

    /// Whether the categories have an order.
    fn is_ordered(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, || self.series().is_ordered())
    }

    /// The dictionary without the categories that no row has.
    fn remove_unused_categories(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.series().remove_unused_categories()).map(Series::from)
    }
}

/// The values of a list or a series as literals.
fn literals_of(operation: &'static str, values: &Bound<'_, PyAny>) -> PyResult<Vec<Literal>> {
    if let Ok(series) = values.cast::<Series>() {
        let series = series.get().0.clone();
        let scalars = work(values.py(), || series.to_scalars())?;
        return Ok(scalars.into_iter().map(Literal::Scalar).collect());
    }
    if !values.is_instance_of::<PyList>() {
        let reason = format!("categories are a list or a series, not {}", values.get_type().name()?);
        return Err(argument(values.py(), ErrorKind::Type, operation, &reason));
    }
    values.try_iter()?.map(|value| values::literal_of(operation, &value?)).collect()
}

/// Methods of dictionaries that take categories.
macro_rules! of_categories {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl SeriesCategoryNamespace {
            $($(#[$meta])* fn $name(&self, categories: &Bound<'_, PyAny>) -> PyResult<Series> {
                let (py, categories) = (categories.py(), series_beside(stringify!($name), categories, &self.0)?);
                work(py, || self.series().$name(categories.into_values())).map(Series::from)
            })*
        }

        #[pymethods]
        impl CategoryNamespace {
            $($(#[$meta])* fn $name(&self, categories: &Bound<'_, PyAny>) -> PyResult<Expr> {
                Ok(Expr(self.expr().$name(literals_of(stringify!($name), categories)?)))
            })*
        }
    };
}

of_categories! {
    /// The dictionary with further categories.
    add_categories;
    /// The dictionary without these categories, whose rows become null.
    remove_categories;
    /// The categories under other names, one for each.
    rename_categories;
    /// The same categories in another order.
    reorder_categories;
    /// Other categories; rows of those that are missing become null.
    set_categories;
}

/// The namespaces' classes, so that their documentation is found.
pub(crate) fn classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<StringNamespace>()?;
    module.add_class::<SeriesStringNamespace>()?;
    module.add_class::<DatetimeNamespace>()?;
    module.add_class::<SeriesDatetimeNamespace>()?;
    module.add_class::<ListNamespace>()?;
    module.add_class::<SeriesListNamespace>()?;
    module.add_class::<StructNamespace>()?;
    module.add_class::<SeriesStructNamespace>()?;
    module.add_class::<CategoryNamespace>()?;
    module.add_class::<SeriesCategoryNamespace>()
}

#[pymethods]
impl StringNamespace {
    /// The string and others, columns or texts, one after the other with a separator between them; null where one is.
    #[pyo3(signature = (*others, separator = ""))]
    fn concat(&self, others: &Bound<'_, PyTuple>, separator: &str) -> PyResult<Expr> {
        let others = others.iter().map(|other| expr_of("concat", &other)).collect::<PyResult<Vec<_>>>()?;
        Ok(Expr(self.expr().concat(others, separator, JoinNulls::Propagate)))
    }
}

#[pymethods]
impl SeriesStringNamespace {
    /// The strings and those of other series by label, or texts, one after the other with a separator between them; null where
    /// one is.
    #[pyo3(signature = (*others, separator = ""))]
    fn concat(&self, others: &Bound<'_, PyTuple>, separator: &str) -> PyResult<Series> {
        let mut whole = Series::from(self.0.clone());
        for other in others {
            whole = whole
                .combined("concat", &other, |a, b| a.str().concat([b], separator, JoinNulls::Propagate))?;
        }
        Ok(whole)
    }
}
