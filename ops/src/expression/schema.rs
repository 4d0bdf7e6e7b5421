//! The columns that an expression reads.

use super::{Expr, Node};
use columnade_columns::Label;

/// The labels of the columns that the expressions read, each once, in order of first appearance.
pub fn columns_of<'a>(exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<Label> {
    let mut labels = Vec::new();
    for expr in exprs {
        collect(expr, &mut labels);
    }
    labels
}

fn collect(expr: &Expr, labels: &mut Vec<Label>) {
    if let Node::Column(label) = expr.node()
        && !labels.contains(label)
    {
        labels.push(label.clone());
    }
    for child in expr.children() {
        collect(child, labels);
    }
}
