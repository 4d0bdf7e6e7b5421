//! Functions of strings with arguments of several kinds, and hashes of rows.

use columnade::{ErrorKind, Expr as InnerExpr, HashFunction, Label};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::expr::{Expr, column_expr_of};
use crate::frame::DataFrame;
use crate::namespaces::{SeriesDatetimeNamespace, SeriesStringNamespace, StringNamespace, escape_of};
use crate::series::Series;
use crate::work::{argument, natural, work, work_as};

/// The characters that stand in place of some, or none.
fn characters_of(map: &Bound<'_, PyDict>) -> PyResult<Vec<(char, Option<char>)>> {
    let py = map.py();
    let refused = || {
        let reason =
            "a table has characters, or their code points, and for each a character, a code point or None";
        argument(py, ErrorKind::Type, "translate", reason)
    };
    let character = |value: &Bound<'_, PyAny>| {
        value.extract::<char>().ok().or_else(|| char::from_u32(value.extract::<u32>().ok()?))
    };
    let pair = |(from, to): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let from = character(&from).ok_or_else(refused)?;
        let to = if to.is_none() { None } else { Some(character(&to).ok_or_else(refused)?) };
        Ok((from, to))
    };
    map.iter().map(pair).collect()
}

/// Columns that parts of strings are split into, at most, as in the library.
const MOST_COLUMNS: usize = 1 << 16;

/// A number of columns.
fn columns_of(py: Python<'_>, operation: &str, n: i64) -> PyResult<usize> {
    usize::try_from(n).ok().filter(|n| (1..=MOST_COLUMNS).contains(n)).ok_or_else(|| {
        let reason = format!("n is 1 to {MOST_COLUMNS}, and not {n}");
        argument(py, ErrorKind::Value, operation, &reason)
    })
}

/// The number of characters that `slice_replace` replaces.
fn length_of(py: Python<'_>, length: Option<i64>) -> PyResult<Option<u64>> {
    length.map(|length| natural(py, "slice_replace", "length", length)).transpose()
}

#[pymethods]
impl StringNamespace {
    /// The parts between separators as a list, or the words between white space; at most `n` splits.
    #[pyo3(signature = (separator = None, n = None))]
    fn split(&self, separator: Option<&str>, n: Option<usize>) -> Expr {
        Expr(self.0.clone().str().split(separator, n))
    }

    /// `split` from the end.
    #[pyo3(signature = (separator = None, n = None))]
    fn rsplit(&self, separator: Option<&str>, n: Option<usize>) -> Expr {
        Expr(self.0.clone().str().rsplit(separator, n))
    }

    /// What is before the first occurrence of a separator, the separator, and what is after it: three expressions.
    fn partition<'py>(&self, py: Python<'py>, separator: &str) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.clone().str().partition(separator).map(Expr))
    }

    /// `partition` at the last occurrence.
    fn rpartition<'py>(&self, py: Python<'py>, separator: &str) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.clone().str().rpartition(separator).map(Expr))
    }

    /// The parts between matches of a regular expression, as lists; at most `n` splits.
    #[pyo3(signature = (pattern, n = None))]
    fn split_regex(&self, pattern: &str, n: Option<usize>) -> Expr {
        Expr(self.0.clone().str().split_regex(pattern, n))
    }

    /// Other characters in place of some, or none, as a dictionary says: that of `str.maketrans` of Python.
    fn translate(&self, table: &Bound<'_, PyDict>) -> PyResult<Expr> {
        Ok(Expr(self.0.clone().str().translate(characters_of(table)?)))
    }

    /// Another string in place of `length` characters from `offset` on, or of all; a negative offset counts from the end.
    #[pyo3(signature = (offset = 0, length = None, repl = ""))]
    fn slice_replace(&self, py: Python<'_>, offset: i64, length: Option<i64>, repl: &str) -> PyResult<Expr> {
        Ok(Expr(self.0.clone().str().slice_replace(offset, length_of(py, length)?, repl)))
    }

    /// The parts between occurrences of a separator as `n` expressions, the last of which has the rest.
    fn split_columns<'py>(&self, py: Python<'py>, separator: &str, n: i64) -> PyResult<Bound<'py, PyList>> {
        let n = columns_of(py, "str.split_columns", n)?;
        PyList::new(py, self.0.clone().str().split_columns(separator, n).into_iter().map(Expr))
    }

    /// `split_columns` from the end: the first expression has the rest.
    fn rsplit_columns<'py>(&self, py: Python<'py>, separator: &str, n: i64) -> PyResult<Bound<'py, PyList>> {
        let n = columns_of(py, "str.rsplit_columns", n)?;
        PyList::new(py, self.0.clone().str().rsplit_columns(separator, n).into_iter().map(Expr))
    }
}

/// Patterns of SQL, with a character after which the next one stands for itself.
macro_rules! patterns {
    ($($(#[$meta:meta])* $name:ident $escaped:ident $operation:literal;)*) => {
        #[pymethods]
        impl StringNamespace {
            $($(#[$meta])*
            #[pyo3(signature = (pattern, escape = None))]
            fn $name(&self, py: Python<'_>, pattern: &str, escape: Option<&str>) -> PyResult<Expr> {
                let text = self.0.clone().str();
                Ok(Expr(match escape_of(py, $operation, escape)? {
                    Some(escape) => text.$escaped(pattern, escape),
                    None => text.$name(pattern),
                }))
            })*
        }

        #[pymethods]
        impl SeriesStringNamespace {
            $($(#[$meta])*
            #[pyo3(signature = (pattern, escape = None))]
            fn $name(&self, py: Python<'_>, pattern: &str, escape: Option<&str>) -> PyResult<Series> {
                let escape = escape_of(py, $operation, escape)?;
                work_as(py, $operation, || match escape {
                    Some(escape) => self.0.str().$escaped(pattern, escape),
                    None => self.0.str().$name(pattern),
                })
                .map(Series::from)
            })*
        }
    };
}

patterns! {
    /// Whether the string matches a pattern of SQL's LIKE; the character after `escape` stands for itself.
    like like_escape "str.like";
    /// Like `like`, in any case.
    ilike ilike_escape "str.ilike";
}

#[pymethods]
impl SeriesStringNamespace {
    /// The parts between separators as a list, or the words between white space; at most `n` splits.
    #[pyo3(signature = (separator = None, n = None))]
    fn split(&self, py: Python<'_>, separator: Option<&str>, n: Option<usize>) -> PyResult<Series> {
        work(py, || self.0.str().split(separator, n)).map(Series::from)
    }

    /// `split` from the end.
    #[pyo3(signature = (separator = None, n = None))]
    fn rsplit(&self, py: Python<'_>, separator: Option<&str>, n: Option<usize>) -> PyResult<Series> {
        work(py, || self.0.str().rsplit(separator, n)).map(Series::from)
    }

    /// What is before the first occurrence of a separator, the separator, and what is after it: a frame of three columns, which
    /// are called after the series, with `_0`, `_1` and `_2`.
    fn partition(&self, py: Python<'_>, separator: &str) -> PyResult<DataFrame> {
        work(py, || self.0.str().partition(separator)).map(DataFrame)
    }

    /// `partition` at the last occurrence.
    fn rpartition(&self, py: Python<'_>, separator: &str) -> PyResult<DataFrame> {
        work(py, || self.0.str().rpartition(separator)).map(DataFrame)
    }

    /// The series.
    #[getter(_series)]
    fn own(&self) -> Series {
        self.0.clone().into()
    }

    /// The parts between matches of a regular expression, as lists; at most `n` splits.
    #[pyo3(signature = (pattern, n = None))]
    fn split_regex(&self, py: Python<'_>, pattern: &str, n: Option<usize>) -> PyResult<Series> {
        work(py, || self.0.str().split_regex(pattern, n)).map(Series::from)
    }

    /// Other characters in place of some, or none, as a dictionary says: that of `str.maketrans` of Python.
    fn translate(&self, table: &Bound<'_, PyDict>) -> PyResult<Series> {
        let map = characters_of(table)?;
        work(table.py(), || self.0.str().translate(map)).map(Series::from)
    }

    /// Another string in place of `length` characters from `offset` on, or of all; a negative offset counts from the end.
    #[pyo3(signature = (offset = 0, length = None, repl = ""))]
    fn slice_replace(
        &self,
        py: Python<'_>,
        offset: i64,
        length: Option<i64>,
        repl: &str,
    ) -> PyResult<Series> {
        let length = length_of(py, length)?;
        work(py, || self.0.str().slice_replace(offset, length, repl)).map(Series::from)
    }

    /// The parts between occurrences of a separator as a frame of `n` columns, the last of which has the rest; they are called
    /// after the series, with `_0`, `_1` and so on.
    fn split_columns(&self, py: Python<'_>, separator: &str, n: i64) -> PyResult<DataFrame> {
        let n = columns_of(py, "str.split_columns", n)?;
        work(py, || self.0.str().split_columns(separator, n)).map(DataFrame)
    }

    /// `split_columns` from the end: the first column has the rest.
    fn rsplit_columns(&self, py: Python<'_>, separator: &str, n: i64) -> PyResult<DataFrame> {
        let n = columns_of(py, "str.rsplit_columns", n)?;
        work(py, || self.0.str().rsplit_columns(separator, n)).map(DataFrame)
    }
}

#[pymethods]
impl SeriesDatetimeNamespace {
    /// The series.
    #[getter(_series)]
    fn own(&self) -> Series {
        self.0.clone().into()
    }
}

/// The function that a name and a seed say.
fn hash_of(py: Python<'_>, function: &str, seed: i64) -> PyResult<HashFunction> {
    const OPERATION: &str = "hash_rows";
    match function {
        "xxhash64" => Ok(HashFunction::XxHash64(natural(py, OPERATION, "seed", seed)?)),
        "murmur3" => Ok(HashFunction::Murmur3(natural(py, OPERATION, "seed", seed)?)),
        _ => {
            let reason = format!("function is xxhash64 or murmur3, not {function:?}");
            Err(argument(py, ErrorKind::Value, OPERATION, &reason))
        }
    }
}

/// A hash of some columns of each row, by "xxhash64" or "murmur3", which are published functions: an expression.
#[pyfunction]
#[pyo3(signature = (*columns, function = "xxhash64", seed = 0))]
pub(crate) fn hash_rows(columns: &Bound<'_, PyTuple>, function: &str, seed: i64) -> PyResult<Expr> {
    let function = hash_of(columns.py(), function, seed)?;
    let columns = columns.iter().map(|column| column_expr_of("hash_rows", &column));
    let columns: Vec<InnerExpr> = columns.collect::<PyResult<_>>()?;
    Ok(Expr(columnade::hash_rows(columns, function)))
}

#[pymethods]
impl DataFrame {
    /// A hash of each row, by "xxhash64" or "murmur3", which are published functions.
    #[pyo3(signature = (function = "xxhash64", seed = 0))]
    fn hash_rows(&self, py: Python<'_>, function: &str, seed: i64) -> PyResult<Series> {
        let function = hash_of(py, function, seed)?;
        let columns: Vec<InnerExpr> = self.0.columns().iter().cloned().map(columnade::col).collect();
        work_as(py, "hash_rows", || {
            let made = self.0.select(columnade::hash_rows(columns, function).alias("hash"))?;
            Ok(made.column("hash")?.rename(Label::NULL))
        })
        .map(Series::from)
    }
}
