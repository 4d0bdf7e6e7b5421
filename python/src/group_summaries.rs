//! How often values occur, samples, the largest values and statistics of pairs of columns, by group.

use columnade::{Label, ValueCounts, col};
use pyo3::prelude::*;

use crate::expr::label_list_of;
use crate::frame::DataFrame;
use crate::groupby::{GroupBy, SeriesGroupBy};
use crate::series::Series;
use crate::summaries::{sample_of, ties_of};
use crate::work::{work, work_as};

/// How values are counted.
fn options_of(normalize: bool, sort: bool, ascending: bool, dropna: bool) -> ValueCounts {
    ValueCounts::new().normalize(normalize).sort(sort).ascending(ascending).dropna(dropna)
}

#[pymethods]
impl GroupBy {
    /// How often the values of some columns, by default of all that are no keys, occur together in each group: a series labelled by
    /// the keys and the values, the most frequent first in each group.
    ///
    /// normalize: shares of the rows of the group. sort: whether the values of a group are in the order of their counts; otherwise
    /// they are in the order of their first rows. dropna: whether rows with a null are left out.
    #[pyo3(signature = (subset = None, normalize = false, sort = true, ascending = false, dropna = true))]
    fn value_counts(
        &self,
        py: Python<'_>,
        subset: Option<&Bound<'_, PyAny>>,
        normalize: bool,
        sort: bool,
        ascending: bool,
        dropna: bool,
    ) -> PyResult<Series> {
        const OPERATION: &str = "value_counts";
        let labels: Vec<Label> = match subset {
            Some(subset) => label_list_of(OPERATION, subset)?,
            None => self.columns.to_vec(),
        };
        let options = options_of(normalize, sort, ascending, dropna);
        work_as(py, OPERATION, || self.groups.value_counts_with(labels, options)).map(Series::from)
    }

    /// Rows of each group at random: `n` of each, by default one, or the share `frac`; see `DataFrame.sample`.
    #[pyo3(signature = (n = None, frac = None, replace = false, weights = None, seed = None))]
    fn sample(
        &self,
        py: Python<'_>,
        n: Option<usize>,
        frac: Option<f64>,
        replace: bool,
        weights: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<DataFrame> {
        let sample = sample_of(py, n, frac, replace, (weights, None), seed)?;
        work(py, || self.groups.sample(sample)).map(DataFrame)
    }

    /// Pearson's correlation of each pair of columns of numbers in each group: a row for each group and column.
    fn corr(&self, py: Python<'_>) -> PyResult<DataFrame> {
        work(py, || self.groups.corr(self.numbers())).map(DataFrame)
    }

    /// The covariance of each pair of columns of numbers in each group: a row for each group and column.
    #[pyo3(signature = (ddof = 1))]
    fn cov(&self, py: Python<'_>, ddof: u32) -> PyResult<DataFrame> {
        work_as(py, "cov", || self.groups.cov_ddof(self.numbers(), ddof)).map(DataFrame)
    }
}

#[pymethods]
impl SeriesGroupBy {
    /// How often each value occurs in each group: see `GroupBy.value_counts`.
    #[pyo3(signature = (normalize = false, sort = true, ascending = false, dropna = true))]
    fn value_counts(
        &self,
        py: Python<'_>,
        normalize: bool,
        sort: bool,
        ascending: bool,
        dropna: bool,
    ) -> PyResult<Series> {
        let (label, options) = (self.label.clone(), options_of(normalize, sort, ascending, dropna));
        work_as(py, "value_counts", || self.groups.groups.value_counts_with(label, options)).map(Series::from)
    }

    /// Values of each group at random, with their labels: see `GroupBy.sample`.
    #[pyo3(signature = (n = None, frac = None, replace = false, weights = None, seed = None))]
    fn sample(
        &self,
        py: Python<'_>,
        n: Option<usize>,
        frac: Option<f64>,
        replace: bool,
        weights: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Series> {
        let sample = sample_of(py, n, frac, replace, (weights, None), seed)?;
        self.picked(py, |groups| groups.sample(sample))
    }

    /// The n largest values of each group, labelled by the keys and their labels: of equal ones those that `keep` says, "first", "last"
    /// or "all".
    #[pyo3(signature = (n = 5, keep = "first"))]
    fn nlargest(&self, py: Python<'_>, n: usize, keep: &str) -> PyResult<Series> {
        let keep = ties_of(py, "nlargest", keep)?;
        self.picked(py, |groups| groups.nlargest(n, self.label.clone(), keep))
    }

    /// The n smallest values of each group, labelled by the keys and their labels: of equal ones those that `keep` says, "first", "last"
    /// or "all".
    #[pyo3(signature = (n = 5, keep = "first"))]
    fn nsmallest(&self, py: Python<'_>, n: usize, keep: &str) -> PyResult<Series> {
        let keep = ties_of(py, "nsmallest", keep)?;
        self.picked(py, |groups| groups.nsmallest(n, self.label.clone(), keep))
    }

    /// The values of each group, each once, as a list.
    fn unique<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let unique = col(self.label.clone()).collect_unique();
        let made = self.groups.of_groups(py, |groups| groups.agg(unique))?;
        self.result(py, made)
    }
}
