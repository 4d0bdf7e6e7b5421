//! The columns that an expression reads.

use super::shared::{Search, search};
use super::{Expr, Node};
use columnade_columns::{Label, NamesColumn};
use std::collections::HashSet;

/// The labels of the columns that the expressions read, each once, in order of first appearance.
pub fn columns_of<'a>(exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut known = HashSet::new();
    for expr in exprs {
        search(expr, &mut |expr| {
            if let Node::Column(label) = expr.node()
                && known.insert(label.clone())
            {
                labels.push(label.clone());
            }
            Search::Below
        });
    }
    labels
}

impl NamesColumn for Expr {
    fn only_column(&self) -> Option<String> {
        match columns_of([self]).as_slice() {
            [label] => Some(label.to_string()),
            _ => None,
        }
    }
}
