//! Errors of values count only in rows that take part: those that pass a filter and take a branch of a condition, and for an
//! operand of `and` and `or` those where the other operand does not decide.
//!
//! The steps of a program know which rows these are. A column that is computed before the program runs, such as text that is
//! read as numbers, does not: in other rows its arguments become null, which no function refuses.
//!
//! Where both operands have such columns, those of text become steps; of others the left operand decides first.

use super::Function;
use super::condition::is_of_values;
use super::functions::{ColumnFunction, Element};
use super::list::{ListAggregate, ListFunction, OutOfRange};
use super::typed::{Typed, TypedNode};
use super::{Ambiguous, Arithmetic, Comparison, Nonexistent, Unmatched};
use crate::cast::CastErrors;
use columnade_columns::{DType, Error, Result, Scalar};
use std::collections::HashMap;
use std::sync::Arc;

/// Nodes that a graph has at most with its guards. A node that several branches share is there once for each of them, so that a
/// graph of shared branches could grow without bound: one with more nodes stays without guards.
const MOST_NODES: usize = 4096;

/// The condition under which the value of a node is used; `None` for all rows.
type Guard = Option<Arc<Typed>>;
/// A node, the guard that it is under, null for none, and whether it only matters where it is true.
type Key = (*const Typed, *const Typed, bool);

/// What of an expression matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matters {
    Values,
    /// The rows where it is true, as of a filter.
    Truth,
}

/// What is guarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guarded {
    /// Branches, and rows that a filter drops.
    Branches,
    /// Operands of `and` and `or` too. For when evaluation without it has failed: to guard costs a pass.
    Operands,
    /// As [`Branches`](Self::Branches), where the errors of columns of text are those of steps, whose rows a program knows. It
    /// finds the value where there is one; the error does not say what is wrong.
    Steps,
}

/// What `evaluate` makes, tried with the guards that the error of the attempt before calls for.
pub(crate) fn with_guards<'t, T>(
    typed: impl Fn() -> Vec<&'t Typed>,
    evaluate: impl Fn(Guarded) -> Result<T>,
) -> Result<T> {
    match evaluate(Guarded::Branches) {
        Err(error) if is_of_operands(&error, typed()) => match evaluate(Guarded::Steps) {
            Err(error) if is_of_values(&error) => evaluate(Guarded::Operands),
            made => made,
        },
        made => made,
    }
}

/// `typed`, of which columns that may fail do so only in rows that take their branch, and pass `filter` if there is one.
///
/// # Errors
/// [`Error::Internal`].
pub(crate) fn guarded(
    typed: Typed,
    filter: Option<&Typed>,
    matters: Matters,
    guarded: Guarded,
) -> Result<Typed> {
    let typed = if guarded == Guarded::Steps { with_steps(&typed)? } else { typed };
    let facts = Facts::of(&typed);
    let is_guarded =
        filter.is_some() || facts.has_branches || facts.has_operands && guarded == Guarded::Operands;
    if !is_guarded || !facts.column_fails(&typed) {
        return Ok(typed);
    }
    let guard = filter.map(|filter| Arc::new(filter.clone()));
    let mut guarding = Guarding { facts: &facts, guarded, made: HashMap::new(), guards: HashMap::new() };
    let root = (&typed, guard, matters);
    guarding.make(&root)?;
    let made = guarding.made.remove(&key(&root));
    Ok(made.map_or_else(|| typed.clone(), Arc::unwrap_or_clone))
}

/// `typed`, where texts that cannot be read are null, and steps overflow in their rows.
fn with_steps(typed: &Typed) -> Result<Typed> {
    let mut made: HashMap<*const Typed, Arc<Typed>> = HashMap::new();
    let mut open = vec![typed];
    while let Some(&next) = open.last() {
        let at = std::ptr::from_ref(next);
        if !made.contains_key(&at) {
            let count = open.len();
            let children = next.children();
            open.extend(children.iter().filter(|child| !made.contains_key(&std::ptr::from_ref(**child))));
            if open.len() > count {
                continue;
            }
            let operands: Option<Vec<_>> =
                children.iter().map(|child| made.get(&std::ptr::from_ref(*child)).cloned()).collect();
            let operands =
                operands.ok_or(Error::Internal { invariant: "a node is made after its operands" })?;
            let node = next.with_children(&operands);
            made.insert(at, Arc::new(step_of_text(&node).unwrap_or(node)));
        }
        open.pop();
    }
    let root = made.remove(&std::ptr::from_ref(typed));
    Ok(root.map_or_else(|| typed.clone(), Arc::unwrap_or_clone))
}

/// A function of text that may fail, as one that gives null, with a step that overflows in the rows where only the result is
/// null. `None` for other nodes.
fn step_of_text(typed: &Typed) -> Option<Typed> {
    let (node, text) =
        if let TypedNode::Function(Function::Cast(dtype, CastErrors::Raise), arguments) = &typed.node {
            let function = Function::Cast(dtype.clone(), CastErrors::Null);
            (TypedNode::Function(function, arguments.clone()), arguments.first()?)
        } else if let TypedNode::OfColumns(ColumnFunction::Parse { format, text, unmatched }, arguments) =
            &typed.node
            && *unmatched == Unmatched::Raise
        {
            let (format, text, unmatched) = (format.clone(), text.clone(), Unmatched::Null);
            let function = ColumnFunction::Parse { format, text, unmatched };
            (TypedNode::OfColumns(function, arguments.clone()), arguments.first()?)
        } else {
            return None;
        };
    let is_coded = matches!(typed.dtype, DType::Dictionary(_));
    if !text.dtype.logical().is_bytes() || typed.dtype.storage().is_none() || is_coded {
        return None;
    }
    let of = |dtype: DType, node| Arc::new(Typed { dtype, node });
    let number = |value: i64| of(DType::Int64, TypedNode::Constant(Scalar::Int64(value)));
    let is_null = |of_typed: Arc<Typed>| of(DType::Bool, TypedNode::IsNull(of_typed));
    let value = of(typed.dtype.clone(), node);
    let is_there = of(DType::Bool, TypedNode::Not(is_null(Arc::new(text.clone()))));
    let is_wrong = of(DType::Bool, TypedNode::And(is_null(value.clone()), is_there));
    let most = when(&is_wrong, (*number(i64::MAX)).clone(), (*number(0)).clone());
    let sum = TypedNode::Checked(Arithmetic::Add, Arc::new(most), number(1));
    let is_right = of(DType::Bool, TypedNode::Compare(Comparison::Gt, of(DType::Int64, sum), number(0)));
    Some(when(&is_right, (*value).clone(), (*value).clone()))
}

/// Whether an error may be that of an operand that [`Guarded::Operands`] guards.
fn is_of_operands<'t>(error: &Error, typed: impl IntoIterator<Item = &'t Typed>) -> bool {
    is_of_values(error)
        && typed.into_iter().any(|typed| {
            let facts = Facts::of(typed);
            facts.has_operands && facts.column_fails(typed)
        })
}

/// A node, its guard, and what of it matters.
type Used<'t> = (&'t Typed, Guard, Matters);

fn key((typed, guard, matters): &Used<'_>) -> Key {
    let guard = guard.as_ref().map_or(std::ptr::null(), Arc::as_ptr);
    (std::ptr::from_ref(*typed), guard, *matters == Matters::Truth)
}

/// What is known of the nodes of an expression, by their address.
#[derive(Default)]
struct Facts {
    /// Whether a node, or one below it, may fail; and whether one of these is a column.
    fails: HashMap<*const Typed, (bool, bool)>,
    has_branches: bool,
    has_operands: bool,
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
                facts.has_operands |= matches!(next.node, TypedNode::And(..) | TypedNode::Or(..));
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
            // Sums of exact items.
            Function::List(ListFunction::Aggregate(ListAggregate::Sum | ListAggregate::Mean)) => {
                let items = arguments.first().map(|argument| argument.dtype.logical());
                matches!(items, Some(DType::List(item)) if item.is_decimal() || item.is_temporal())
            }
            Function::List(_) | Function::String(_) | Function::Struct(_) | Function::Category(_) => false,
        },
        TypedNode::OfColumns(function, _) => match function {
            ColumnFunction::Localize(_, rules) => {
                rules.ambiguous == Ambiguous::Raise || rules.nonexistent == Nonexistent::Raise
            }
            ColumnFunction::Parse { unmatched, .. } => *unmatched == Unmatched::Raise,
            ColumnFunction::Known => true,
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
    guarded: Guarded,
    made: HashMap<Key, Arc<Typed>>,
    /// The guards of the operands of a node that has some of its own.
    guards: HashMap<Key, [Guard; 2]>,
}

impl Guarding<'_> {
    fn make<'t>(&mut self, root: &Used<'t>) -> Result<()> {
        let mut open: Vec<Used<'t>> = vec![root.clone()];
        while let Some(next) = open.last().cloned() {
            if self.made.len() > MOST_NODES {
                return Ok(());
            }
            let at = key(&next);
            if !self.made.contains_key(&at) {
                let count = open.len();
                let operands = self.operands(&next);
                open.extend(operands.into_iter().filter(|operand| !self.made.contains_key(&key(operand))));
                if open.len() > count {
                    continue;
                }
                let made = self.made_of(&next)?;
                self.made.insert(at, Arc::new(made));
            }
            open.pop();
        }
        Ok(())
    }

    /// The operands that are made before a node. Those with guards of their own come after what these are of.
    fn operands<'t>(&mut self, used: &Used<'t>) -> Vec<Used<'t>> {
        let (typed, guard, matters) = used;
        if !self.facts.column_fails(typed) {
            return Vec::new();
        }
        if let TypedNode::When { condition, then, otherwise } = &typed.node {
            let condition = (&**condition, guard.clone(), Matters::Truth);
            let Some(made) = self.made.get(&key(&condition)).cloned() else { return vec![condition] };
            let guards = self.guards.entry(key(used)).or_insert_with(|| {
                let not_taken = Arc::new(when(&made, truth(false), truth(true)));
                [Some(both(guard.as_ref(), &made)), Some(both(guard.as_ref(), &not_taken))]
            });
            let [taken, not_taken] = guards.clone();
            return vec![condition, (then, taken, *matters), (otherwise, not_taken, *matters)];
        }
        let (TypedNode::And(left, right) | TypedNode::Or(left, right)) = &typed.node else {
            let of_values = |child| (child, guard.clone(), Matters::Values);
            return typed.children().into_iter().map(of_values).collect();
        };
        if self.guarded == Guarded::Branches {
            return vec![(left, guard.clone(), *matters), (right, guard.clone(), *matters)];
        }
        // An operand that does not fail guards the other one; of two that do, the left one guards the right one.
        let is_right_first = self.facts.column_fails(left) && !self.facts.fails(right);
        let (first, second) = if is_right_first { (right, left) } else { (left, right) };
        let first = (&**first, guard.clone(), *matters);
        let Some(made) = self.made.get(&key(&first)).cloned() else { return vec![first] };
        let is_or = matches!(typed.node, TypedNode::Or(..));
        let guards = self.guards.entry(key(used)).or_insert_with(|| {
            let open = undecided(&made, is_or, *matters);
            [Some(both(guard.as_ref(), &open)), None]
        });
        let [of_second, _] = guards.clone();
        let second = (&**second, of_second, *matters);
        if is_right_first { vec![second, first] } else { vec![first, second] }
    }

    /// A node whose operands are made.
    fn made_of(&mut self, used: &Used<'_>) -> Result<Typed> {
        let (typed, guard, _) = used;
        if !self.facts.column_fails(typed) {
            return Ok((*typed).clone());
        }
        let operands = self.operands(used);
        let operands = operands.iter().map(|operand| {
            let made = self.made.get(&key(operand)).cloned();
            made.ok_or(Error::Internal { invariant: "a node is made after its operands" })
        });
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

/// Where an operand does not decide: for `and` where it is not false, for `or` where it is not true. As a filter, `and` is
/// decided by null too.
fn undecided(operand: &Arc<Typed>, is_or: bool, matters: Matters) -> Arc<Typed> {
    let bits = |node| Arc::new(Typed { dtype: DType::Bool, node });
    match (is_or, matters) {
        (true, _) => Arc::new(when(operand, truth(false), truth(true))),
        (false, Matters::Truth) => operand.clone(),
        (false, Matters::Values) => {
            bits(TypedNode::Or(operand.clone(), bits(TypedNode::IsNull(operand.clone()))))
        }
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
            (TypedNode::When { .. }, [condition, then, otherwise]) => TypedNode::When {
                condition: condition.clone(),
                then: then.clone(),
                otherwise: otherwise.clone(),
            },
            // Columns and constants have no operands.
            (node, _) => node.clone(),
        };
        Typed { dtype: self.dtype.clone(), node }
    }
}
