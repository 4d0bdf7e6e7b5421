//! Numbers of typed nodes: equal nodes have one number, so that each is computed once.

use crate::expression::typed::{Typed, TypedNode};
use columnade_columns::{Error, Result, Scalar};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

/// The number of a node and of all nodes that are equal to it.
pub(super) type Number = usize;

/// The nodes of some expressions, each visited once, however many parents it has.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a> {
    /// By the address of a node, which the lifetime keeps alive.
    by_address: HashMap<*const Typed, Number>,
    by_hash: HashMap<u64, Vec<Number>>,
    nodes: Vec<Numbered<'a>>,
}

/// One of equal nodes.
#[derive(Debug)]
struct Numbered<'a> {
    typed: &'a Typed,
    operands: Vec<Number>,
    /// The number of operands and results that the node is.
    uses: usize,
}

impl<'a> Numbers<'a> {
    /// Adds a result and the nodes below it.
    pub(super) fn add(&mut self, typed: &'a Typed) {
        // Operands before what uses them, so that a deep expression does not take a deep stack.
        let mut open = vec![typed];
        while let Some(&next) = open.last() {
            if !self.by_address.contains_key(&std::ptr::from_ref(next)) {
                let count = open.len();
                let known = &self.by_address;
                let unknown = |operand: &&Typed| !known.contains_key(&std::ptr::from_ref(*operand));
                open.extend(next.children().into_iter().rev().filter(unknown));
                if open.len() > count {
                    continue;
                }
                self.number(next);
            }
            open.pop();
        }
        if let Some(&number) = self.by_address.get(&std::ptr::from_ref(typed)) {
            self.nodes[number].uses += 1;
        }
    }

    /// The number of a node that was added.
    ///
    /// # Errors
    /// [`Error::Internal`] for another node.
    pub(super) fn of(&self, typed: &Typed) -> Result<Number> {
        let number = self.by_address.get(&std::ptr::from_ref(typed)).copied();
        number.ok_or(Error::Internal { invariant: "a node is numbered before it is lowered" })
    }

    /// Counts what a node that is used more than once is made of as used more than once too, but for a column: that is kept
    /// when it is computed. For when all results are added.
    pub(super) fn share(&mut self, is_column: impl Fn(&Typed) -> bool) {
        // Operands are before what uses them.
        for number in (0..self.nodes.len()).rev() {
            if self.nodes[number].uses > 1 && !is_column(self.nodes[number].typed) {
                for operand in self.nodes[number].operands.clone() {
                    self.nodes[operand].uses += 1;
                }
            }
        }
    }

    /// Whether a node is needed more than once: as an operand, as a result, or for a node of which that is true.
    pub(super) fn is_shared(&self, number: Number) -> bool {
        self.nodes.get(number).is_some_and(|node| node.uses > 1)
    }

    /// The nodes and the numbers of their operands, operands first.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (&'a Typed, &[Number])> {
        self.nodes.iter().map(|node| (node.typed, node.operands.as_slice()))
    }

    /// How many different nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Numbers a node whose operands have numbers.
    fn number(&mut self, typed: &'a Typed) {
        let operand = |operand: &Typed| self.by_address.get(&std::ptr::from_ref(operand)).copied();
        let operands: Vec<Number> = typed.children().into_iter().filter_map(operand).collect();
        let hash = hash(typed, &operands);
        let same = |&&number: &&Number| {
            let other: &Numbered<'_> = &self.nodes[number];
            other.operands == operands && is_same(typed, other.typed)
        };
        let known = self.by_hash.get(&hash).and_then(|alike| alike.iter().find(same).copied());
        let number = known.unwrap_or_else(|| {
            let number = self.nodes.len();
            for &operand in &operands {
                self.nodes[operand].uses += 1;
            }
            self.nodes.push(Numbered { typed, operands, uses: 0 });
            self.by_hash.entry(hash).or_default().push(number);
            number
        });
        self.by_address.insert(std::ptr::from_ref(typed), number);
    }
}

fn hash(typed: &Typed, operands: &[Number]) -> u64 {
    let mut hasher = DefaultHasher::new();
    discriminant(&typed.node).hash(&mut hasher);
    operands.hash(&mut hasher);
    if let TypedNode::Column(label) = &typed.node {
        label.hash(&mut hasher);
    } else if let TypedNode::Constant(scalar) = &typed.node {
        match scalar.to_value() {
            Some(value) => value.to_bytes().hash(&mut hasher),
            None => scalar.to_string().hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// Whether two nodes over the same operands are the same.
fn is_same(one: &Typed, other: &Typed) -> bool {
    use TypedNode as Node;
    let is_same_node = match (&one.node, &other.node) {
        (Node::Column(a), Node::Column(b)) => a == b,
        (Node::Constant(a), Node::Constant(b)) => is_same_constant(a, b),
        (Node::OneRow(a), Node::OneRow(b)) => a == b,
        (Node::Arithmetic(a, ..), Node::Arithmetic(b, ..)) | (Node::Checked(a, ..), Node::Checked(b, ..)) => {
            a == b
        }
        (Node::Compare(a, ..), Node::Compare(b, ..)) => a == b,
        (Node::Round(_, a), Node::Round(_, b)) => a == b,
        (Node::Part(a, _), Node::Part(b, _)) => a == b,
        (Node::Match(a, _, text), Node::Match(b, _, other)) => a == b && text == other,
        (Node::Function(a, _), Node::Function(b, _)) => a == b,
        (Node::IsIn(_, a), Node::IsIn(_, b)) => a == b,
        (Node::Element(a, _), Node::Element(b, _)) => a == b,
        (Node::OfColumns(a, _), Node::OfColumns(b, _)) => a == b,
        (
            Node::And(..)
            | Node::Or(..)
            | Node::Not(_)
            | Node::Negate(_)
            | Node::Abs(_)
            | Node::IsNull(_)
            | Node::Cast(_)
            | Node::When { .. }
            | Node::Decode(_),
            node,
        ) => discriminant(&one.node) == discriminant(node),
        _ => false,
    };
    is_same_node && one.dtype == other.dtype
}

/// Constants are compared by their bytes: −0.0 equals 0.0 as a number, and NaN not itself.
fn is_same_constant(one: &Scalar, other: &Scalar) -> bool {
    match (one.to_value(), other.to_value()) {
        (Some(a), Some(b)) => {
            one.dtype() == other.dtype() && a.storage() == b.storage() && a.to_bytes() == b.to_bytes()
        }
        _ => one == other,
    }
}
