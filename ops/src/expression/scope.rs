//! What is known while expressions are resolved against a frame.

use super::typed::{Typed, TypedNode, TypedOperand};
use super::{Expr, Node};
use columnade_columns::{Column, ColumnAccessor, DType, Label, Result};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A frame, and the expressions that are resolved against it so far. An expression that is used many times is resolved once.
pub(crate) struct Scope<'a> {
    frame: &'a ColumnAccessor,
    /// By the address of the node, which the clone of the expression keeps alive.
    known: RefCell<HashMap<*const Node, (Expr, TypedOperand)>>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(frame: &'a ColumnAccessor) -> Self {
        Self { frame, known: RefCell::default() }
    }

    /// A column of the frame.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`](columnade_columns::Error::ColumnNotFound).
    pub(super) fn get(&self, label: &Label) -> Result<&'a Column> {
        self.frame.get(label)
    }

    /// Whether a node is a column whose values are in a dictionary.
    pub(super) fn is_coded(&self, typed: &Typed) -> bool {
        let TypedNode::Column(label) = &typed.node else { return false };
        self.get(label).is_ok_and(|column| matches!(column.dtype(), DType::Dictionary(_)))
    }

    pub(super) fn known(&self, expr: &Expr) -> Option<TypedOperand> {
        self.known.borrow().get(&Arc::as_ptr(&expr.0)).map(|(_, operand)| operand.clone())
    }

    pub(super) fn remember(&self, expr: &Expr, operand: TypedOperand) {
        self.known.borrow_mut().insert(Arc::as_ptr(&expr.0), (expr.clone(), operand));
    }
}
