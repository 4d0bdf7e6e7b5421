//! Errors of values count only in rows that take part: those that pass a filter and take a branch of a condition.
//!
//! The steps of a program know which rows these are. A column that is computed before the program runs, such as text that is
//! read as numbers, does not: in other rows its arguments become null, which no function refuses.

use super::Function;
use super::functions::{ColumnFunction, Element};
use super::list::{ListFunction, OutOfRange};
use super::typed::{Typed, TypedNode};
use super::{Ambiguous, Nonexistent, Unmatched};
use crate::cast::CastErrors;
use columnade_columns::{DType, Error, Result, Scalar};
use std::collections::HashMap;
use std::sync::Arc;

/// Nodes that a graph has at most with its guards. A node that several branches share is there once for each of them, so that a
/// graph of shared branches could grow without bound: one with more nodes stays without guards.
const MOST_NODES: usize = 4096;

/// The condition under which the value of a node is used; `None` for all rows.
type Guard = Option<Arc<Typed>>;
/// A node, and the guard that it is under; null for none.
type Key = (*const Typed, *const Typed);

/// `typed`, of which columns that may fail do so only in rows that take their branch, and pass `filter` if there is one.
///
/// # Errors
/// [`Error::Internal`].
pub(crate) fn guarded(typed: Typed, filter: Option<&Typed>) -> Result<Typed> {
    let facts = Facts::of(&typed);
    let is_guarded = filter.is_some() || facts.has_branches;
    if !is_guarded || !facts.column_fails(&typed) {
        return Ok(typed);
    }
    let guard = filter.map(|filter| Arc::new(filter.clone()));
    let mut guarding = Guarding { facts: &facts, made: HashMap::new(), branches: HashMap::new() };
    guarding.make(&typed, guard.as_ref())?;
    let made = guarding.made.remove(&key(&typed, guard.as_ref()));
    Ok(made.map_or_else(|| typed.clone(), Arc::unwrap_or_clone))
}

fn key(typed: &Typed, guard: Option<&Arc<Typed>>) -> Key {
    (std::ptr::from_ref(typed), guard.map_or(std::ptr::null(), Arc::as_ptr))
}

/// What is known of the nodes of an expression, by their address.
#[derive(Default)]
struct Facts {
    /// Whether a node, or one below it, may fail; and whether one of these is a column.
    fails: HashMap<*const Typed, (bool, bool)>,
    has_branches: bool,
}

impl Facts {
    fn of(typed: &Typed) -> Self {
        let mut facts = Self::default();
        // Operands before what uses them, so that a deep expression does not take a deep stack.
        let mut open = vec![typed];
        while let Some(&next) = open.last() {
            if !facts.fails.contains_key(&std::ptr::from_ref(next)) {
                let count = open.len();
                let children = next.children();
                let known = &facts.fails;
                open.extend(
                    children.iter().filter(|child| !known.contains_key(&std::ptr::from_ref(**child))),
                );
                if open.len() > count {
                    continue;
                }
                let below = children.iter().any(|child| facts.fails(child));
                let column_below = children.iter().any(|child| facts.column_fails(child));
                let is_column = matches!(next.node, TypedNode::Function(..) | TypedNode::OfColumns(..));
                let fails = may_fail(next) || below;
                let column_fails = column_below || is_column && fails;
                facts.has_branches |= matches!(next.node, TypedNode::When { .. });
                facts.fails.insert(next, (fails, column_fails));
            }
            open.pop();
        }
        facts
    }

    fn fails(&self, typed: &Typed) -> bool {
        self.fails.get(&std::ptr::from_ref(typed)).is_some_and(|(fails, _)| *fails)
    }

    fn column_fails(&self, typed: &Typed) -> bool {
        self.fails.get(&std::ptr::from_ref(typed)).is_some_and(|(_, column_fails)| *column_fails)
    }
}

/// Whether a node refuses some values of its dtypes.
fn may_fail(typed: &Typed) -> bool {
    let is_exact = typed.dtype.is_decimal() || typed.dtype.is_temporal();
    match &typed.node {
        TypedNode::Function(function, arguments) => match function {
            // All values but bytes have a text.
            Function::Cast(dtype, errors) => {
                let from = arguments.first().map(|argument| argument.dtype.logical());
                let is_text = *dtype.logical() == DType::Utf8 && from != Some(&DType::Binary);
                *errors == CastErrors::Raise && !is_text
            }
            Function::List(
                ListFunction::Get(out) | ListFunction::Take(out) | ListFunction::TakeEach(_, out),
            ) => *out == OutOfRange::Error,
            Function::List(_) | Function::String(_) | Function::Struct(_) | Function::Category(_) => false,
        },
        TypedNode::OfColumns(function, _) => match function {
            ColumnFunction::Localize(_, rules) => {
                rules.ambiguous == Ambiguous::Raise || rules.nonexistent == Nonexistent::Raise
            }
            ColumnFunction::Parse { unmatched, .. } => *unmatched == Unmatched::Raise,
            ColumnFunction::Names(_)
            | ColumnFunction::Hash(_)
            | ColumnFunction::Format(_)
            | ColumnFunction::Lookup(_) => false,
        },
        TypedNode::Cast(_) => !typed.dtype.is_float(),
        TypedNode::Checked(..) | TypedNode::Element(Element::CastChecked, _) => true,
        TypedNode::Arithmetic(..)
        | TypedNode::Negate(_)
        | TypedNode::Abs(_)
        | TypedNode::Round(..)
        | TypedNode::Element(..) => is_exact,
        TypedNode::Column(_)
        | TypedNode::Constant(_)
        | TypedNode::OneRow(_)
        | TypedNode::Compare(..)
        | TypedNode::And(..)
        | TypedNode::Or(..)
        | TypedNode::Not(_)
        | TypedNode::IsNull(_)
        | TypedNode::When { .. }
        | TypedNode::Part(..)
        | TypedNode::Match(..)
        | TypedNode::Decode(_)
        | TypedNode::IsIn(..) => false,
    }
}

/// A graph in which guards are made.
struct Guarding<'a> {
    facts: &'a Facts,
    made: HashMap<Key, Arc<Typed>>,
    /// The guards of the branches of a condition that is under a guard.
    branches: HashMap<Key, [Arc<Typed>; 2]>,
}

impl Guarding<'_> {
    fn make(&mut self, root: &Typed, guard: Option<&Arc<Typed>>) -> Result<()> {
        let mut open: Vec<(&Typed, Guard)> = vec![(root, guard.cloned())];
        while let Some((next, guard)) = open.last().cloned() {
            if self.made.len() > MOST_NODES {
                return Ok(());
            }
            let at = key(next, guard.as_ref());
            if !self.made.contains_key(&at) {
                let count = open.len();
                let operands = self.operands(next, guard.as_ref());
                let unknown = |(operand, guard): &(&Typed, Guard)| {
                    !self.made.contains_key(&key(operand, guard.as_ref()))
                };
                open.extend(operands.into_iter().filter(unknown));
                if open.len() > count {
                    continue;
                }
                let made = self.made_of(next, guard.as_ref())?;
                self.made.insert(at, Arc::new(made));
            }
            open.pop();
        }
        Ok(())
    }

    /// The operands that are made before a node, under their guards. Branches come after their condition, of which their
    /// guards are.
    fn operands<'t>(&mut self, typed: &'t Typed, guard: Option<&Arc<Typed>>) -> Vec<(&'t Typed, Guard)> {
        if !self.facts.column_fails(typed) {
            return Vec::new();
        }
        let TypedNode::When { condition, then, otherwise } = &typed.node else {
            return typed.children().into_iter().map(|child| (child, guard.cloned())).collect();
        };
        let Some(made) = self.made.get(&key(condition, guard)).cloned() else {
            return vec![(condition, guard.cloned())];
        };
        let [taken, not_taken] = self
            .branches
            .entry(key(typed, guard))
            .or_insert_with(|| {
                let not_taken = Arc::new(when(&made, truth(false), truth(true)));
                [both(guard, &made), both(guard, &not_taken)]
            })
            .clone();
        vec![(then, Some(taken)), (otherwise, Some(not_taken))]
    }

    /// A node whose operands are made.
    fn made_of(&self, typed: &Typed, guard: Option<&Arc<Typed>>) -> Result<Typed> {
        if !self.facts.column_fails(typed) {
            return Ok(typed.clone());
        }
        let made = |operand: &Typed, guard: Option<&Arc<Typed>>| {
            let made = self.made.get(&key(operand, guard)).cloned();
            made.ok_or(Error::Internal { invariant: "a node is made after its operands" })
        };
        if let TypedNode::When { condition, then, otherwise } = &typed.node {
            let branches = self.branches.get(&key(typed, guard));
            let [taken, not_taken] = branches.ok_or(Error::Internal { invariant: "branches have guards" })?;
            let (condition, then) = (made(condition, guard)?, made(then, Some(taken))?);
            let otherwise = made(otherwise, Some(not_taken))?;
            return Ok(Typed {
                dtype: typed.dtype.clone(),
                node: TypedNode::When { condition, then, otherwise },
            });
        }
        let operands = typed.children().into_iter().map(|operand| made(operand, guard));
        let mut operands = operands.collect::<Result<Vec<_>>>()?;
        if let (Some(guard), TypedNode::Function(_, arguments) | TypedNode::OfColumns(_, arguments)) =
            (guard, &typed.node)
        {
            for (at, (argument, operand)) in arguments.iter().zip(&mut operands).enumerate() {
                let is_constant = matches!(operand.node, TypedNode::Constant(_) | TypedNode::OneRow(_));
                let fails = at == 0 && may_fail(typed) || self.facts.fails(argument);
                if fails && !is_constant && operand.dtype != DType::Null {
                    let null = Scalar::Null(operand.dtype.clone());
                    let null = Typed { dtype: operand.dtype.clone(), node: TypedNode::Constant(null) };
                    *operand = Arc::new(when(guard, (**operand).clone(), null));
                }
            }
        }
        Ok(typed.with_children(&operands))
    }
}

fn truth(value: bool) -> Typed {
    Typed { dtype: DType::Bool, node: TypedNode::Constant(Scalar::Bool(value)) }
}

fn when(condition: &Arc<Typed>, then: Typed, otherwise: Typed) -> Typed {
    let condition = condition.clone();
    let dtype = then.dtype.clone();
    Typed { dtype, node: TypedNode::When { condition, then: Arc::new(then), otherwise: Arc::new(otherwise) } }
}

/// Rows of `guard` for which `condition` is true.
fn both(guard: Option<&Arc<Typed>>, condition: &Arc<Typed>) -> Arc<Typed> {
    let Some(guard) = guard else { return condition.clone() };
    let node = TypedNode::And(guard.clone(), condition.clone());
    Arc::new(Typed { dtype: DType::Bool, node })
}

impl Typed {
    /// The node with other operands, as many as it has.
    fn with_children(&self, operands: &[Arc<Typed>]) -> Typed {
        let values = || operands.iter().map(|operand| (**operand).clone()).collect::<Arc<[Typed]>>();
        let node = match (&self.node, operands) {
            (TypedNode::Arithmetic(op, ..), [a, b]) => TypedNode::Arithmetic(*op, a.clone(), b.clone()),
            (TypedNode::Checked(op, ..), [a, b]) => TypedNode::Checked(*op, a.clone(), b.clone()),
            (TypedNode::Compare(op, ..), [a, b]) => TypedNode::Compare(*op, a.clone(), b.clone()),
            (TypedNode::And(..), [a, b]) => TypedNode::And(a.clone(), b.clone()),
            (TypedNode::Or(..), [a, b]) => TypedNode::Or(a.clone(), b.clone()),
            (TypedNode::Not(_), [a]) => TypedNode::Not(a.clone()),
            (TypedNode::Negate(_), [a]) => TypedNode::Negate(a.clone()),
            (TypedNode::Abs(_), [a]) => TypedNode::Abs(a.clone()),
            (TypedNode::Round(_, places), [a]) => TypedNode::Round(a.clone(), *places),
            (TypedNode::IsNull(_), [a]) => TypedNode::IsNull(a.clone()),
            (TypedNode::Cast(_), [a]) => TypedNode::Cast(a.clone()),
            (TypedNode::Part(part, _), [a]) => TypedNode::Part(*part, a.clone()),
            (TypedNode::Match(test, _, text), [a]) => TypedNode::Match(*test, a.clone(), text.clone()),
            (TypedNode::Decode(_), [a]) => TypedNode::Decode(a.clone()),
            (TypedNode::IsIn(_, members), [a]) => TypedNode::IsIn(a.clone(), members.clone()),
            (TypedNode::Function(function, _), _) => TypedNode::Function(function.clone(), values()),
            (TypedNode::OfColumns(function, _), _) => TypedNode::OfColumns(function.clone(), values()),
            (TypedNode::Element(element, _), _) => TypedNode::Element(*element, values()),
            // Columns and constants have no operands, and conditions are made with their guards.
            (node, _) => node.clone(),
        };
        Typed { dtype: self.dtype.clone(), node }
    }
}
