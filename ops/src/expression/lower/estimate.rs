//! How much memory columns take that are computed before a program runs.

use super::inputs::is_column;
use super::numbers::Numbers;
use crate::expression::typed::{Typed, TypedNode};
use std::collections::HashSet;

/// The bytes of the columns that the expressions compute before their program runs, each counted once; an estimate, of so many
/// `bytes` of arguments in so many `rows`.
pub(crate) fn column_bytes(exprs: &[Typed], bytes: usize, rows: usize) -> usize {
    let mut numbers = Numbers::default();
    for typed in exprs {
        numbers.add(typed);
    }
    let mut total = 0_usize;
    // Of each node; operands are before what uses them.
    let mut sizes: Vec<usize> = Vec::with_capacity(numbers.len());
    for (typed, operands) in numbers.nodes() {
        let different: HashSet<usize> = operands.iter().copied().collect();
        let of_operands = || different.iter().filter_map(|&operand| sizes.get(operand)).copied();
        let most = of_operands().max().unwrap_or(0);
        let size = if let TypedNode::Function(function, _) = &typed.node {
            let arguments = of_operands().fold(0, usize::saturating_add);
            function.result_bytes(bytes.max(arguments), rows)
        } else if is_column(typed) {
            bytes.max(most)
        } else {
            most
        };
        if is_column(typed) {
            total = total.saturating_add(size);
        }
        sizes.push(size);
    }
    total
}
