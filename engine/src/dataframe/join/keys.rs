//! The keys of a join.

use columnade_columns::{Column, ColumnAccessor, Label};
use columnade_ops::expression::{Expr, Node, col};
use columnade_ops::join::{common_key, duplicate_key};

use super::options::Merge;
use super::{OPERATION, Validate};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::selection::argument::{Computed, ComputedMany, Many, One};

/// One or several keys: what [`Merge::on`](crate::Merge::on) takes.
///
/// A label or several of them, as [`IntoLabels`](crate::selection::IntoLabels) says; an expression, or an array, a vector or
/// an iterator of expressions. The parameter is inferred.
///
/// ```compile_fail,E0277
/// columnade::Merge::inner().on(columnade::DType::Int64); // `DType` is not a key: write `"a"` or `col("a") * 2`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key",
    label = "expected a label, an expression, or several of one kind",
    note = "write `\"a\"`, `[\"a\", \"b\"]`, `col(\"a\") * 2` or `[col(\"a\"), col(\"b\") * 2]`"
)]
pub trait IntoMergeKeys<Kind> {
    /// The keys, in order.
    fn into_merge_keys(self) -> Vec<Expr>;
}

impl<L: Into<Label>> IntoMergeKeys<One> for L {
    fn into_merge_keys(self) -> Vec<Expr> {
        vec![col(self)]
    }
}

impl<L: Into<Label>, I: IntoIterator<Item = L>> IntoMergeKeys<Many> for I {
    fn into_merge_keys(self) -> Vec<Expr> {
        self.into_iter().map(|label| col(label)).collect()
    }
}

impl IntoMergeKeys<Computed> for Expr {
    fn into_merge_keys(self) -> Vec<Expr> {
        vec![self]
    }
}

impl<I: IntoIterator<Item = Expr>> IntoMergeKeys<ComputedMany> for I {
    fn into_merge_keys(self) -> Vec<Expr> {
        self.into_iter().collect()
    }
}

/// A frame of a join: its columns by position, those of computed keys and others that the join needs after them.
pub(super) struct Input {
    pub(super) columns: ColumnAccessor,
    /// The positions of the keys.
    pub(super) keys: Vec<usize>,
    /// The labels of the keys.
    pub(super) key_labels: Vec<Label>,
    /// The number of columns of the frame.
    pub(super) own: usize,
}

impl Input {
    pub(super) fn new(operation: &'static str, frame: &Frame, keys: &[Expr]) -> Result<Self> {
        frame.check_expressions(operation, keys)?;
        let own = frame.accessor().len();
        let mut input = Self {
            columns: ColumnAccessor::with_rows(frame.len()),
            keys: Vec::with_capacity(keys.len()),
            key_labels: keys.iter().map(Expr::label).collect(),
            own,
        };
        for column in frame.accessor().columns() {
            input.push(operation, column.clone())?;
        }
        for key in keys {
            let position = if let Node::Column(label) = key.node() {
                frame.accessor().position(label).operation(operation)?
            } else {
                let (_, computed) = frame.evaluate(operation, std::slice::from_ref(key))?.swap_remove(0);
                input.push(operation, computed)?
            };
            input.keys.push(position);
        }
        Ok(input)
    }

    /// Appends a column that is not one of the frame, and returns its position.
    pub(super) fn push(&mut self, operation: &'static str, column: Column) -> Result<usize> {
        let position = self.columns.len();
        self.columns.insert(position.to_string(), column).operation(operation)?;
        Ok(position)
    }

    pub(super) fn key(&self, key: usize) -> &Column {
        &self.columns.columns()[self.keys[key]]
    }
}

/// Checks that there are as many keys on both sides, with common dtypes.
pub(super) fn check_keys(operation: &'static str, left: &Input, right: &Input) -> Result<()> {
    if left.keys.is_empty() || left.keys.len() != right.keys.len() {
        let (left, right) = (left.keys.len(), right.keys.len());
        let reason = format!("{left} on the left, {right} on the right; give as many, at least one");
        return Err(Error::argument(operation, "keys", reason));
    }
    for key in 0..left.keys.len() {
        let (left_dtype, right_dtype) = (left.key(key).dtype(), right.key(key).dtype());
        if common_key(&left_dtype, &right_dtype).is_none() {
            return Err(Error::KeyMismatch {
                operation,
                left_label: left.key_labels[key].clone(),
                left: left_dtype,
                right_label: right.key_labels[key].clone(),
                right: right_dtype,
            });
        }
    }
    Ok(())
}

/// Checks that keys are as unique as the options say.
pub(super) fn check_unique(merge: &Merge, left: &Input, right: &Input, frame: &Frame) -> Result<()> {
    let (on_left, on_right) = match merge.validate {
        None => (false, false),
        Some(Validate::OneToOne) => (true, true),
        Some(Validate::OneToMany) => (true, false),
        Some(Validate::ManyToOne) => (false, true),
    };
    for (side, input, is_checked) in [("left", left, on_left), ("right", right, on_right)] {
        if !is_checked {
            continue;
        }
        let keys: Vec<&Column> = (0..input.keys.len()).map(|key| input.key(key)).collect();
        let repeated = duplicate_key(&keys, merge.nulls, frame.exec());
        let repeated =
            repeated.map_err(|error| error.with_key_labels(&input.key_labels)).operation(OPERATION)?;
        if let Some(key) = repeated {
            let labels = input.key_labels.clone();
            return Err(Error::DuplicateKey { operation: OPERATION, side, labels, key });
        }
    }
    Ok(())
}
