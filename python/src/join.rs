//! Joins.

use columnade::{
    DataFrame as Inner, ErrorKind, Expr as InnerExpr, MaintainOrder, Merge, MergeAsof, Validate,
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::construct::frame_of_data;
use crate::expr::{Expr, column_expr_of};
use crate::frame::{DataFrame, sort_by};
use crate::label::label_of;
use crate::values::literal_of;
use crate::work::{argument, work};

/// One key or a list of them.
fn keys_of(operation: &'static str, keys: &Bound<'_, PyAny>) -> PyResult<Vec<InnerExpr>> {
    match keys.cast::<PyList>() {
        Ok(keys) => keys.iter().map(|key| column_expr_of(operation, &key)).collect(),
        Err(_) => Ok(vec![column_expr_of(operation, keys)?]),
    }
}

/// The columns that both frames have.
fn shared(left: &Inner, right: &Inner) -> Vec<InnerExpr> {
    let both = left.columns().iter().filter(|label| right.columns().contains(label));
    both.map(|label| columnade::col(label.clone())).collect()
}

#[pymethods]
impl DataFrame {
    /// The pairs of rows with equal keys: `how` is "inner", "left", "right", "outer", "semi", "anti" or "cross". Without keys
    /// the columns that both frames have are the keys.
    ///
    /// validate: "1:1", "1:m" or "m:1" makes repeated keys an error.
    /// indicator: the label of a column that says where a row comes from.
    /// coalesce: whether keys of both frames are one column; by default those under one label.
    /// condition: a further expression over the columns of a pair.
    #[pyo3(signature = (
        right, how = "inner", on = None, left_on = None, right_on = None, suffixes = None, nulls_equal = None,
        validate = None, indicator = None, maintain_order = None, condition = None, coalesce = None
    ))]
    fn merge(
        &self,
        right: &Bound<'_, PyAny>,
        how: &str,
        on: Option<&Bound<'_, PyAny>>,
        left_on: Option<&Bound<'_, PyAny>>,
        right_on: Option<&Bound<'_, PyAny>>,
        suffixes: Option<(String, String)>,
        nulls_equal: Option<bool>,
        validate: Option<&str>,
        indicator: Option<&Bound<'_, PyAny>>,
        maintain_order: Option<&str>,
        condition: Option<&Expr>,
        coalesce: Option<bool>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "merge";
        let py = right.py();
        let right = frame_of_data(right)?;
        let invalid = |reason: &str| argument(py, ErrorKind::Value, OPERATION, reason);
        let mut merge = match how {
            "inner" => Merge::inner(),
            "left" => Merge::left(),
            "right" => Merge::right(),
            "outer" | "full" => Merge::outer(),
            "semi" | "leftsemi" => Merge::semi(),
            "anti" | "leftanti" => Merge::anti(),
            "cross" => Merge::cross(),
            _ => return Err(invalid("how is inner, left, right, outer, semi, anti or cross")),
        };
        match (on, left_on, right_on) {
            (Some(on), None, None) => merge = merge.on(keys_of(OPERATION, on)?),
            (None, Some(left), Some(right)) => {
                merge = merge.left_on(keys_of(OPERATION, left)?).right_on(keys_of(OPERATION, right)?);
            }
            (None, None, None) if how == "cross" || condition.is_some() => {}
            (None, None, None) => {
                let keys = shared(&self.0, &right);
                if keys.is_empty() {
                    return Err(invalid("the frames have no column in common: name the keys with on"));
                }
                merge = merge.on(keys);
            }
            _ => return Err(invalid("give on, or left_on and right_on")),
        }
        if let Some((left, right)) = suffixes {
            merge = merge.suffixes(left, right);
        }
        if let Some(nulls_equal) = nulls_equal {
            merge = merge.nulls_equal(nulls_equal);
        }
        if let Some(validate) = validate {
            let validate = match validate {
                "1:1" | "one_to_one" => Some(Validate::OneToOne),
                "1:m" | "one_to_many" => Some(Validate::OneToMany),
                "m:1" | "many_to_one" => Some(Validate::ManyToOne),
                "m:m" | "many_to_many" => None,
                _ => return Err(invalid("validate is 1:1, 1:m, m:1 or m:m")),
            };
            if let Some(validate) = validate {
                merge = merge.validate(validate);
            }
        }
        if let Some(label) = indicator {
            merge = merge.indicator(label_of(OPERATION, label)?);
        }
        if let Some(order) = maintain_order {
            merge = merge.maintain_order(match order {
                "left_right" => MaintainOrder::LeftRight,
                "right_left" => MaintainOrder::RightLeft,
                _ => return Err(invalid("maintain_order is left_right or right_left")),
            });
        }
        if let Some(coalesce) = coalesce {
            merge = merge.coalesce(coalesce);
        }
        if let Some(condition) = condition {
            merge = merge.condition(condition.0.clone());
        }
        work(py, || self.0.merge(&right, &merge)).map(Self)
    }

    /// For each row the row of the right frame with the nearest key: `direction` is "backward", "forward" or "nearest". Both
    /// frames are sorted by the key; `by`, or `left_by` and `right_by`, name keys that have to be equal. Null keys are equal unless
    /// `nulls_equal` is false.
    #[pyo3(signature = (
        right, on = None, left_on = None, right_on = None, by = None, direction = "backward", tolerance = None,
        allow_exact_matches = true, suffixes = None, left_by = None, right_by = None, nulls_equal = None
    ))]
    fn merge_asof(
        &self,
        right: &Bound<'_, PyAny>,
        on: Option<&Bound<'_, PyAny>>,
        left_on: Option<&Bound<'_, PyAny>>,
        right_on: Option<&Bound<'_, PyAny>>,
        by: Option<&Bound<'_, PyAny>>,
        direction: &str,
        tolerance: Option<&Bound<'_, PyAny>>,
        allow_exact_matches: bool,
        suffixes: Option<(String, String)>,
        left_by: Option<&Bound<'_, PyAny>>,
        right_by: Option<&Bound<'_, PyAny>>,
        nulls_equal: Option<bool>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "merge_asof";
        let py = right.py();
        let right = frame_of_data(right)?;
        let invalid = |reason: &str| argument(py, ErrorKind::Value, OPERATION, reason);
        let mut merge = match direction {
            "backward" => MergeAsof::backward(),
            "forward" => MergeAsof::forward(),
            "nearest" => MergeAsof::nearest(),
            _ => return Err(invalid("direction is backward, forward or nearest")),
        };
        merge = match (on, left_on, right_on) {
            (Some(on), None, None) => merge.on(keys_of(OPERATION, on)?),
            (None, Some(left), Some(right)) => {
                merge.left_on(keys_of(OPERATION, left)?).right_on(keys_of(OPERATION, right)?)
            }
            _ => return Err(invalid("give on, or left_on and right_on")),
        };
        merge = match (by, left_by, right_by) {
            (None, None, None) => merge,
            (Some(by), None, None) => merge.by(keys_of(OPERATION, by)?),
            (None, Some(left), Some(right)) => {
                merge.left_by(keys_of(OPERATION, left)?).right_by(keys_of(OPERATION, right)?)
            }
            _ => return Err(invalid("give by, or left_by and right_by")),
        };
        if let Some(nulls_equal) = nulls_equal {
            merge = merge.nulls_equal(nulls_equal);
        }
        if let Some(tolerance) = tolerance {
            merge = merge.tolerance(columnade::lit(literal_of(OPERATION, tolerance)?));
        }
        if let Some((left, right)) = suffixes {
            merge = merge.suffixes(left, right);
        }
        merge = merge.allow_exact_matches(allow_exact_matches);
        work(py, || self.0.merge_asof(&right, &merge)).map(Self)
    }
}

/// The rows of all frames, each of which is sorted by some columns, in that order; of equal rows those of earlier frames first.
/// Whether the frames are sorted is not checked.
#[pyfunction]
#[pyo3(signature = (frames, by, ascending = None, nulls_first = None))]
pub(crate) fn merge_sorted(
    frames: Vec<Bound<'_, DataFrame>>,
    by: &Bound<'_, PyAny>,
    ascending: Option<&Bound<'_, PyAny>>,
    nulls_first: Option<&Bound<'_, PyAny>>,
) -> PyResult<DataFrame> {
    let keys = sort_by("merge_sorted", by, ascending, nulls_first)?;
    let frames: Vec<Inner> = frames.into_iter().map(|frame| frame.get().0.clone()).collect();
    work(by.py(), || columnade::merge_sorted(&frames, keys)).map(DataFrame)
}
