//! Expressions as data of serde: the nodes in a list, each after its operands, which it has by their places.
//!
//! An expression that others share is one entry, and a deep one takes no deep stack.

use super::{Expr, Literal, Members, Node};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Scalar};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::sync::Arc;

/// The expressions that one is made of, each once and after its operands, with the places of these.
fn nodes(expr: &Expr) -> Vec<(&Expr, Vec<usize>)> {
    let mut places: HashMap<*const Node, usize> = HashMap::new();
    let mut nodes = Vec::new();
    let mut open = vec![expr];
    while let Some(&next) = open.last() {
        if !places.contains_key(&Arc::as_ptr(&next.0)) {
            let operands = next.children();
            let place = |operand: &&Expr| places.get(&Arc::as_ptr(&operand.0)).copied();
            let Some(known) = operands.iter().map(place).collect::<Option<Vec<_>>>() else {
                open.extend(operands.into_iter().rev());
                continue;
            };
            places.insert(Arc::as_ptr(&next.0), nodes.len());
            nodes.push((next, known));
        }
        open.pop();
    }
    nodes
}

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Without operands of its own: the number of rows stands in their places.
        let entry = |(expr, operands): (&Expr, Vec<usize>)| {
            (expr.with_children(vec![Expr::new(Node::Len); operands.len()]), operands)
        };
        let entries: Vec<_> = nodes(self).into_iter().map(entry).collect();
        serializer.collect_seq(entries.iter().map(|(expr, operands)| (expr.node(), operands)))
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Vec::<(Node, Vec<usize>)>::deserialize(deserializer)?;
        let mut made: Vec<Expr> = Vec::with_capacity(entries.len());
        for (node, operands) in entries {
            let expr = Expr::new(node);
            if expr.children().len() != operands.len() {
                return Err(D::Error::custom("an expression has another number of operands"));
            }
            let operands: Option<Vec<Expr>> = operands.iter().map(|at| made.get(*at).cloned()).collect();
            let operands = operands.ok_or_else(|| D::Error::custom("an operand follows its expression"))?;
            made.push(expr.with_children(operands));
        }
        made.pop().ok_or_else(|| D::Error::custom("there is no expression"))
    }
}

/// The values of [`Members`].
#[derive(Serialize, Deserialize)]
enum Values {
    Listed(Vec<Literal>),
    Column(DType, Vec<Scalar>),
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(listed) = self.listed() {
            return Values::Listed(listed.to_vec()).serialize(serializer);
        }
        let column = self.column().to_device(&Exec::host()).map_err(S::Error::custom)?;
        let scalars = column.to_scalars().map_err(S::Error::custom)?;
        Values::Column(column.dtype(), scalars).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Values::deserialize(deserializer)? {
            Values::Listed(listed) => Members::of_listed(listed.iter().map(Some))
                .ok_or_else(|| D::Error::custom("the values are neither integers nor strings")),
            Values::Column(dtype, scalars) => Column::from_scalars(&dtype, &scalars, &Exec::host())
                .map(Members::of_host)
                .map_err(D::Error::custom),
        }
    }
}
