//! Searches and rewritings of expressions that share parts: each part is looked at once, however many expressions use it.

use super::{Expr, Node, col};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What a search does at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// Ends: this is what it looked for.
    Found,
    /// Goes on with the operands of the node.
    Below,
    /// Goes on, but not with the operands of the node.
    Beside,
}

impl Search {
    /// [`Found`](Self::Found) if so, otherwise [`Below`](Self::Below).
    pub(crate) const fn found(is_found: bool) -> Self {
        if is_found { Search::Found } else { Search::Below }
    }
}

/// Whether `look` finds a node, in order of appearance.
pub(crate) fn search(expr: &Expr, look: &mut dyn FnMut(&Expr) -> Search) -> bool {
    let mut shared: HashSet<*const Node> = HashSet::new();
    // Not by calls: a deep expression takes no deep stack.
    let mut open = vec![expr];
    while let Some(next) = open.pop() {
        // A node of one owner is reached once.
        if Arc::strong_count(&next.0) > 1 && !shared.insert(Arc::as_ptr(&next.0)) {
            continue;
        }
        match look(next) {
            Search::Found => return true,
            Search::Below => open.extend(next.children().into_iter().rev()),
            Search::Beside => {}
        }
    }
    false
}

/// Expressions and what a rewriting made of them, so that what was shared stays shared.
#[derive(Default)]
pub(crate) struct Rewritten(HashMap<*const Node, (Expr, Expr)>);

impl Rewritten {
    pub(crate) fn get(&self, expr: &Expr) -> Option<Expr> {
        self.0.get(&Arc::as_ptr(&expr.0)).map(|(_, to)| to.clone())
    }

    pub(crate) fn insert(&mut self, expr: &Expr, to: &Expr) {
        if Arc::strong_count(&expr.0) > 1 {
            self.0.insert(Arc::as_ptr(&expr.0), (expr.clone(), to.clone()));
        }
    }
}

/// Numbers of expressions: those that are built alike have one number.
#[derive(Default)]
pub(crate) struct Alike {
    by_address: HashMap<*const Node, (Expr, usize)>,
    by_text: HashMap<String, usize>,
}

impl Alike {
    pub(crate) fn number(&mut self, expr: &Expr) -> usize {
        let address = Arc::as_ptr(&expr.0);
        if let Some((_, number)) = self.by_address.get(&address) {
            return *number;
        }
        // The operands by their numbers.
        let operands = expr.children().into_iter().map(|child| col(self.number(child).to_string()));
        let text = format!("{:?}", expr.with_children(operands.collect()));
        let next = self.by_text.len();
        let number = *self.by_text.entry(text).or_insert(next);
        self.by_address.insert(address, (expr.clone(), number));
        number
    }
}
