//! The binary operators of expressions and series, also with the value on the left.
//!
//! Written out: `#[pymethods]` does not make operators of what a macro repeats.

use pyo3::prelude::*;

use crate::expr::{Expr, expr_of};
use crate::series::Series;

#[pymethods]
impl Expr {
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("add", other)?);
        Ok(Self(a + b))
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("add", other)?, self.0.clone());
        Ok(Self(a + b))
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("sub", other)?);
        Ok(Self(a - b))
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("sub", other)?, self.0.clone());
        Ok(Self(a - b))
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("mul", other)?);
        Ok(Self(a * b))
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("mul", other)?, self.0.clone());
        Ok(Self(a * b))
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("div", other)?);
        Ok(Self(a / b))
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("div", other)?, self.0.clone());
        Ok(Self(a / b))
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("floor_div", other)?);
        Ok(Self(a.floor_div(b)))
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("floor_div", other)?, self.0.clone());
        Ok(Self(a.floor_div(b)))
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("rem", other)?);
        Ok(Self(a % b))
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("rem", other)?, self.0.clone());
        Ok(Self(a % b))
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("and", other)?);
        Ok(Self(a & b))
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("and", other)?, self.0.clone());
        Ok(Self(a & b))
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("or", other)?);
        Ok(Self(a | b))
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("or", other)?, self.0.clone());
        Ok(Self(a | b))
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (self.0.clone(), expr_of("xor", other)?);
        Ok(Self(a ^ b))
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (a, b) = (expr_of("xor", other)?, self.0.clone());
        Ok(Self(a ^ b))
    }
}

#[pymethods]
impl Series {
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("add", other, |a, b| a + b)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("add", other, |b, a| a + b)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("sub", other, |a, b| a - b)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("sub", other, |b, a| a - b)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        match self.repeated(other)? {
            Some(made) => Ok(made),
            None => self.operated("mul", other, |a, b| a * b),
        }
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        match self.repeated(other)? {
            Some(made) => Ok(made),
            None => self.operated("mul", other, |b, a| a * b),
        }
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("div", other, |a, b| a / b)
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("div", other, |b, a| a / b)
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("floor_div", other, columnade::Expr::floor_div)
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("floor_div", other, |b, a| a.floor_div(b))
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("rem", other, |a, b| a % b)
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("rem", other, |b, a| a % b)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("and", other, |a, b| a & b)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("and", other, |b, a| a & b)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("or", other, |a, b| a | b)
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("or", other, |b, a| a | b)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("xor", other, |a, b| a ^ b)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.operated("xor", other, |b, a| a ^ b)
    }
}
