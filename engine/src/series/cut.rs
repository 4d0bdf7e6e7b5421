//! Values sorted into bins.

use std::cmp::Ordering;

use columnade_columns::{CategoricalColumn, Column, DType, Scalar};
use columnade_ops::binning::{BinEdges, bin_numbers};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::copying::take;
use columnade_ops::expression::{Expr, Literal, lit, when};
use std::sync::Arc;

use super::Series;
use crate::error::{Error, InOperation, Result};

/// Bins and their names: what [`Series::cut`] takes.
///
/// ```
/// use columnade::CutOptions;
///
/// let quarters = CutOptions::bins(4);
/// let ages = CutOptions::edges([0, 18, 65, 120]).right(false).labels(["young", "adult", "old"]);
/// let quartiles = CutOptions::quantiles([0.0, 0.25, 0.5, 0.75, 1.0]);
/// # let _ = (quarters, ages, quartiles);
/// ```
///
/// # Source
/// pandas `cut`, `qcut`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of pandas")]
pub struct CutOptions {
    bins: Bins,
    right: bool,
    include_lowest: bool,
    labels: Option<Vec<String>>,
    precision: u8,
    drop_duplicates: bool,
    ordered: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Bins {
    /// So many of equal width between the smallest and the largest value.
    Equal(usize),
    /// Between edges; whole ones are shown without a point.
    Edges(Vec<f64>, bool),
    /// Between quantiles.
    Quantiles(Quantiles),
}

/// Edges of bins: integers or floats. Integers are shown without a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    values: Vec<f64>,
    are_whole: bool,
}

macro_rules! from_edges {
    ($($ty:ty => $whole:literal, $edge:ident => $float:expr;)*) => {
        $(impl<const N: usize> From<[$ty; N]> for Edges {
            fn from(edges: [$ty; N]) -> Self {
                edges.to_vec().into()
            }
        }

        impl From<Vec<$ty>> for Edges {
            fn from(edges: Vec<$ty>) -> Self {
                Self { values: edges.into_iter().map(|$edge| $float).collect(), are_whole: $whole }
            }
        })*
    };
}

from_edges! {
    i32 => true, edge => f64::from(edge);
    f64 => false, edge => edge;
}

/// Shares of the values between which bins are: what [`Series::qcut`] takes. A number is that of bins of equal shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiles(Shares);

#[derive(Clone, Debug, PartialEq)]
enum Shares {
    Given(Vec<f64>),
    /// Of so many bins.
    Equal(u32),
}

impl Quantiles {
    /// The shares.
    ///
    /// # Errors
    /// [`Error::Operation`] for too many bins.
    #[expect(clippy::float_cmp, reason = "whether a share is exact")]
    fn shares(&self, operation: &'static str) -> Result<Vec<f64>> {
        let bins = match &self.0 {
            Shares::Given(shares) => return Ok(shares.clone()),
            Shares::Equal(bins) => *bins,
        };
        check_bins(operation, bins as usize)?;
        // As in pandas: a share that is not exact is rounded up, so that values at an edge belong to the bin below it.
        let share = |edge: u32| {
            if edge == bins {
                return 1.0;
            }
            let share = f64::from(edge) * (1.0 / f64::from(bins));
            let is_exact = f64::from(bins) * share == f64::from(edge);
            if is_exact { share } else { share.next_up() }
        };
        Ok((0..=bins).map(share).collect())
    }
}

impl<const N: usize> From<[f64; N]> for Quantiles {
    fn from(quantiles: [f64; N]) -> Self {
        Self(Shares::Given(quantiles.to_vec()))
    }
}

impl From<Vec<f64>> for Quantiles {
    fn from(quantiles: Vec<f64>) -> Self {
        Self(Shares::Given(quantiles))
    }
}

impl From<u32> for Quantiles {
    fn from(bins: u32) -> Self {
        Self(Shares::Equal(bins))
    }
}

impl CutOptions {
    fn new(bins: Bins) -> Self {
        let include_lowest = matches!(bins, Bins::Quantiles(_));
        Self {
            bins,
            right: true,
            include_lowest,
            labels: None,
            precision: 3,
            drop_duplicates: false,
            ordered: true,
        }
    }

    /// `bins` of equal width; the range of the values is extended by 0.1 % at the end whose edge belongs to no bin.
    pub fn bins(bins: usize) -> Self {
        Self::new(Bins::Equal(bins))
    }

    /// Bins between edges, which ascend: integers or floats.
    pub fn edges(edges: impl Into<Edges>) -> Self {
        let Edges { values, are_whole } = edges.into();
        Self::new(Bins::Edges(values, are_whole))
    }

    /// Bins between quantiles of the values: so many of equal shares, or between quantiles from 0 to 1, which ascend. The first bin
    /// has its lower edge.
    ///
    /// # Source
    /// pandas `qcut`.
    pub fn quantiles(quantiles: impl Into<Quantiles>) -> Self {
        Self::new(Bins::Quantiles(quantiles.into()))
    }

    /// Whether a bin has its upper edge, or else its lower one. Default: true.
    #[must_use]
    pub fn right(self, right: bool) -> Self {
        Self { right, ..self }
    }

    /// Whether the first bin has its lower edge too; without [`right`](Self::right) no bin has the upper edge of the last. Default:
    /// false, and true for quantiles.
    #[must_use]
    pub fn include_lowest(self, include_lowest: bool) -> Self {
        Self { include_lowest, ..self }
    }

    /// Names of the bins instead of their edges, each once if the categories are [`ordered`](Self::ordered).
    #[must_use]
    pub fn labels<S: Into<String>>(self, labels: impl IntoIterator<Item = S>) -> Self {
        Self { labels: Some(labels.into_iter().map(Into::into).collect()), ..self }
    }

    /// How many digits after the point edges are shown with, or more if they need them to differ. Default: 3.
    #[must_use]
    pub fn precision(self, precision: u8) -> Self {
        Self { precision, ..self }
    }

    /// Whether there are no bins where fewer than two edges are left.
    fn has_no_bins(&self) -> bool {
        self.drop_duplicates && self.labels.is_none()
    }

    /// The edges that were given.
    pub(super) fn edge_values(&self) -> Vec<f64> {
        if let Bins::Edges(edges, _) = &self.bins { edges.clone() } else { Vec::new() }
    }

    /// Whether of equal edges or quantiles one is kept, and all values are in no bin where one is left; otherwise they are an error.
    /// Default: false.
    ///
    /// # Source
    /// pandas `duplicates="drop"`.
    #[must_use]
    pub fn drop_duplicates(self, drop: bool) -> Self {
        Self { drop_duplicates: drop, ..self }
    }

    /// Whether the categories have an order. Without one, which only [`labels`](Self::labels) can be, bins may share a name.
    /// Default: true.
    ///
    /// # Source
    /// pandas `cut(ordered=…)`.
    #[must_use]
    pub fn ordered(self, ordered: bool) -> Self {
        Self { ordered, ..self }
    }
}

/// Bins of one width, whose edges and labels are made on the host.
const MOST_BINS: usize = 1 << 24;

fn check_bins(operation: &'static str, bins: usize) -> Result<()> {
    if bins > MOST_BINS {
        return Err(Error::argument(operation, "bins", format!("{bins} are more than {MOST_BINS}")));
    }
    Ok(())
}

impl Series {
    /// The bin of each value as an ordered category, named by its edges: `(0.994, 3.0]` has its upper edge, `[1.0, 3.0)` its lower
    /// one. Null for a null, for NaN and outside of all bins.
    ///
    /// ```
    /// use columnade::{CutOptions, Series};
    ///
    /// let series = Series::new([1, 7, 5, 4, 6, 3])?;
    /// assert_eq!(series.cut(CutOptions::bins(3))?.get(0)?.to_string(), "(0.994, 3.0]");
    /// let named = series.cut(CutOptions::edges([0, 3, 5]).labels(["low", "high"]))?;
    /// assert_eq!(named.head(3)?.to_options::<String>()?, [Some("low".to_owned()), None, Some("high".to_owned())]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for values that are neither numbers nor all null, no bins, edges or quantiles that do not ascend,
    /// another number of names than bins, names that are there twice in order, bins without an order that have no names, bins of
    /// equal width of infinite values, and when memory runs out.
    ///
    /// # Source
    /// pandas `cut`, `qcut`, whose categories are intervals.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn cut(&self, cut: CutOptions) -> Result<Series> {
        const OPERATION: &str = "cut";
        let values = self.binned_as(OPERATION, &cut)?;
        self.with_values(OPERATION, values)
    }

    /// The bin of each value between quantiles of all values, as an ordered category: as many bins of equal shares, or those
    /// between the quantiles, each 0 to 1, which ascend. The first bin has its lower edge. Names, and what becomes of equal
    /// quantiles, are options of [`cut`](Self::cut) by [`CutOptions::quantiles`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let series = Series::new([1, 7, 5, 4, 6, 3])?;
    /// assert_eq!(series.qcut(2)?.get(0)?.to_string(), "(0.999, 4.5]");
    /// assert!(series.qcut([0.0, 0.5])?.get(1)?.is_null());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for values that are no numbers, for quantiles that do not ascend or are not 0 to 1, where two quantiles
    /// of the values are equal, without values, and when memory runs out.
    ///
    /// # Source
    /// pandas `qcut`.
    pub fn qcut(&self, quantiles: impl Into<Quantiles>) -> Result<Series> {
        const OPERATION: &str = "qcut";
        let values = self.binned_as(OPERATION, &CutOptions::quantiles(quantiles))?;
        self.with_values(OPERATION, values)
    }

    /// The number of the bin of each value, from 0, `int64`; null as [`cut`](Self::cut). Names have no effect.
    ///
    /// # Errors
    /// Same as [`cut`](Self::cut).
    ///
    /// # Source
    /// pandas `cut(labels=False)`.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn cut_codes(&self, cut: CutOptions) -> Result<Series> {
        const OPERATION: &str = "cut_codes";
        let bins = self.bins(OPERATION, &CutOptions { labels: None, ordered: true, ..cut.clone() })?;
        let codes = self.codes(OPERATION, &cut, &bins)?;
        self.with_values(OPERATION, codes)
    }

    /// The edges of the bins that [`cut`](Self::cut) makes, one more than bins.
    ///
    /// ```
    /// use columnade::{CutOptions, Series};
    ///
    /// let series = Series::new([1, 7, 5, 4, 6, 3])?;
    /// assert_eq!(series.cut_edges(CutOptions::quantiles(2))?, [1.0, 4.5, 7.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`cut`](Self::cut).
    ///
    /// # Source
    /// pandas `cut(retbins=True)`.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn cut_edges(&self, cut: CutOptions) -> Result<Vec<f64>> {
        Ok(self.bins("cut_edges", &cut)?.edges)
    }

    /// [`cut`](Self::cut) for the method `operation`, which its errors name.
    pub(crate) fn binned_as(&self, operation: &'static str, cut: &CutOptions) -> Result<Column> {
        let bins = self.bins(operation, cut)?;
        self.binned(operation, cut, &bins)
    }

    fn codes(&self, operation: &'static str, cut: &CutOptions, bins: &NamedBins) -> Result<Column> {
        if bins.edges.is_empty() {
            return Column::full_null(&DType::Int64, self.len(), self.exec()).operation(operation);
        }
        // Without its upper edge no bin has the last edge.
        let closed = BinEdges { right: cut.right, include_lowest: cut.include_lowest && cut.right };
        bin_numbers(self.values(), &bins.edges, closed, self.exec())
            .map_err(|error| self.named(error))
            .operation(operation)
    }

    fn binned(&self, operation: &'static str, cut: &CutOptions, bins: &NamedBins) -> Result<Column> {
        let exec = self.exec();
        let mut codes = self.codes(operation, cut, bins)?;
        let mut names: Vec<&str> = bins.names.iter().map(String::as_str).collect();
        if !cut.ordered {
            // The category of a bin is the first one of its name.
            let mut once: Vec<&str> = Vec::with_capacity(names.len());
            let mut category = Vec::with_capacity(names.len());
            for &name in &names {
                let known = once.iter().position(|other| *other == name);
                category.push(i64::try_from(known.unwrap_or(once.len())).unwrap_or(i64::MAX));
                if known.is_none() {
                    once.push(name);
                }
            }
            if once.len() < names.len() {
                let categories = Column::from_slice(&category, exec).operation(operation)?;
                codes = take(&categories, &codes, exec).operation(operation)?;
            }
            names = once;
        }
        let codes = cast(&codes, &DType::Int32, CastMode::Wrap, exec).operation(operation)?;
        let names: Vec<Scalar> = names.into_iter().map(Into::into).collect();
        let names = Column::from_scalars(&DType::Utf8, &names, exec).operation(operation)?;
        let categories = CategoricalColumn::new(&codes, Arc::new(names)).operation(operation)?;
        Ok(Column::Categorical(if cut.ordered { categories.as_ordered() } else { categories }))
    }

    /// The edges and names of the bins of these values.
    fn bins(&self, operation: &'static str, cut: &CutOptions) -> Result<NamedBins> {
        let dtype = self.dtype();
        if !dtype.is_numeric() && dtype != DType::Null {
            let error = columnade_columns::Error::UnsupportedDType { dtype };
            return Err(self.named(error)).operation(operation);
        }
        let (edges, are_whole) = match &cut.bins {
            Bins::Edges(edges, are_whole) => {
                let mut edges = edges.clone();
                if cut.drop_duplicates {
                    edges.dedup();
                }
                (edges, *are_whole)
            }
            Bins::Equal(bins) => (self.equal_widths(operation, *bins, cut.right)?, false),
            Bins::Quantiles(quantiles) => {
                let shares = quantiles.shares(operation)?;
                let is_float = dtype.is_float();
                let quantiles = self.reduce(operation, |x| {
                    // NaN is in no bin, as null.
                    let is_nan = |x: &Expr| x.clone().is_nan();
                    let x = if is_float { when(is_nan(&x)).then(lit(Literal::Null)).otherwise(x) } else { x };
                    x.quantiles(shares)
                })?;
                let Scalar::List { values, .. } = quantiles else { return Ok(NamedBins::default()) };
                let float =
                    |value: &Scalar| if let Scalar::Float64(value) = value { Some(*value) } else { None };
                let mut edges: Vec<f64> = values.iter().filter_map(float).collect();
                if edges.is_empty() && cut.has_no_bins() {
                    return Ok(NamedBins::default());
                }
                if edges.len() < values.len() {
                    return Err(Error::argument(
                        operation,
                        "quantiles",
                        "there are no values to take them of",
                    ));
                }
                if cut.drop_duplicates {
                    edges.dedup();
                }
                (edges, false)
            }
        };
        let what = if matches!(cut.bins, Bins::Quantiles(_)) { "quantiles" } else { "edges" };
        if edges.len() < 2 && cut.has_no_bins() {
            return Ok(NamedBins::default());
        }
        if edges.len() < 2 {
            return Err(Error::argument(operation, what, format!("{} of them: a bin has two", edges.len())));
        }
        let descends = |(edge, next): &(&f64, &f64)| edge.partial_cmp(next).is_none_or(Ordering::is_ge);
        if let Some((edge, next)) = edges.iter().zip(&edges[1..]).find(descends) {
            let reason = format!("{edge:?} is followed by {next:?}: they must ascend");
            return Err(Error::argument(operation, what, reason));
        }
        let names = match &cut.labels {
            None if !cut.ordered => {
                let reason = "bins without an order have names: give labels";
                return Err(Error::argument(operation, "ordered", reason));
            }
            None => names(&edges, are_whole, cut),
            Some(labels) => {
                if labels.len() + 1 != edges.len() {
                    let reason = format!("{} of them for {} bins", labels.len(), edges.len() - 1);
                    return Err(Error::argument(operation, "labels", reason));
                }
                let twice = (1..labels.len()).find(|at| labels[..*at].contains(&labels[*at]));
                if let Some(twice) = twice.filter(|_| cut.ordered) {
                    return Err(Error::argument(
                        operation,
                        "labels",
                        format!("{:?} is there twice", labels[twice]),
                    ));
                }
                labels.clone()
            }
        };
        Ok(NamedBins { edges, names })
    }

    /// The edges of bins of equal width.
    #[expect(clippy::wildcard_enum_match_arm, reason = "floats and nulls come of a cast to float64")]
    #[expect(clippy::cast_precision_loss, reason = "2^53 bins do not fit in memory")]
    fn equal_widths(&self, operation: &'static str, bins: usize, right: bool) -> Result<Vec<f64>> {
        if bins == 0 {
            return Err(Error::argument(operation, "bins", "there are none: at least one is needed"));
        }
        check_bins(operation, bins)?;
        let end =
            |of_values: fn(columnade_ops::expression::Expr) -> columnade_ops::expression::Expr| match self
                .reduce(operation, |x| of_values(x.cast(DType::Float64)))?
            {
                Scalar::Float64(value) if value.is_finite() => Ok(value),
                Scalar::Null(_) => {
                    Err(Error::argument(operation, "bins", "there are no values to take them of"))
                }
                other => Err(Error::argument(operation, "bins", format!("a value is {other}"))),
            };
        let (mut low, mut high) =
            (end(columnade_ops::expression::Expr::min)?, end(columnade_ops::expression::Expr::max)?);
        let is_one = low >= high;
        if is_one {
            let margin = |value: f64| if value == 0.0 { 0.001 } else { 0.001 * value.abs() };
            (low, high) = (low - margin(low), high + margin(high));
        }
        let step = (high - low) / bins as f64;
        let mut edges: Vec<f64> = (0..bins).map(|bin| low + bin as f64 * step).chain([high]).collect();
        if !is_one {
            let margin = (high - low) * 0.001;
            if right {
                edges[0] -= margin;
            } else {
                edges[bins] += margin;
            }
        }
        Ok(edges)
    }
}

/// The edges of bins, and the names of the bins.
#[derive(Default)]
struct NamedBins {
    edges: Vec<f64>,
    names: Vec<String>,
}

/// A number with `precision` digits after the point, or if it is less than 1 after its first zeros.
#[expect(clippy::cast_possible_truncation, reason = "the logarithm of a float64 is a small number")]
fn rounded(x: f64, precision: i32) -> f64 {
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let (whole, fraction) = (x.trunc(), x.fract());
    let digits =
        if whole == 0.0 { -(fraction.abs().log10().floor() as i32) - 1 + precision } else { precision };
    // As numpy rounds.
    let scale = 10_f64.powi(digits);
    let scaled = (x * scale).round_ties_even() / scale;
    if scaled.is_finite() { scaled } else { x }
}

fn names(edges: &[f64], are_whole: bool, cut: &CutOptions) -> Vec<String> {
    let distinct = |precision: &i32| {
        edges.windows(2).all(|pair| rounded(pair[0], *precision) < rounded(pair[1], *precision))
    };
    let precision = i32::from(cut.precision);
    let precision = (precision..20).find(distinct).unwrap_or(precision);
    let mut shown: Vec<f64> = edges.iter().map(|edge| rounded(*edge, precision)).collect();
    let lowered = cut.right && cut.include_lowest;
    if lowered {
        shown[0] -= 10_f64.powi(-precision);
    }
    let text = |edge: f64| {
        // Without the sign of zero.
        let edge = edge + 0.0;
        if are_whole && !lowered { format!("{edge}") } else { format!("{edge:?}") }
    };
    shown
        .windows(2)
        .map(|pair| {
            let (low, high) = (text(pair[0]), text(pair[1]));
            if cut.right { format!("({low}, {high}]") } else { format!("[{low}, {high})") }
        })
        .collect()
}
