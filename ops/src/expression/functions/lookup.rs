//! Values in place of many others, found in a table.

use super::ColumnFunction;
use crate::cast::decode;
use crate::cast::dictionary::by_code;
use crate::copying::gather_column;
use crate::distinct::{Keep, unique};
use crate::expression::scope::Scope;
use crate::expression::typed::{Typed, TypedNode, TypedOperand, resolve_in, unify};
use crate::expression::weak::{Equal, adopt, beside, equal};
use crate::expression::{Expr, Literal, Members, lit, when};
use crate::join::{NullEquality, common_key, hash_join};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::joining::hash_join::JoinKind;
use std::sync::Arc;

/// Values by their keys, of which none comes twice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lookup {
    keys: Members,
    values: Members,
}

impl Lookup {
    /// The value of each row's key; null where there is none.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(super) fn run(&self, column: &Column, exec: &Exec) -> Result<Column> {
        let keys = self.keys.on_device(exec)?;
        if let Column::Categorical(dictionary) = column {
            if keys.mask().is_none() {
                return by_code(dictionary, &self.run(dictionary.dictionary(), exec)?, exec);
            }
            return self.run(&decode(dictionary, exec)?, exec);
        }
        let maps = hash_join(&[column], &[&*keys], JoinKind::Left, NullEquality::Equal, exec)?;
        let rows = maps.right.ok_or(Error::Internal { invariant: "a left join has right rows" })?;
        gather_column(&*self.values.on_device(exec)?, &rows, MapNulls::Possible, exec)
    }
}

/// What `x.replace_or(pairs, rest)` is, if the pairs are constants that are comparable with `x` by a look-up: the cost of a
/// row does not depend on how many they are.
///
/// # Errors
/// Those of `x` and `rest`.
pub(super) fn looked_up(
    expr: &Expr,
    x: &Typed,
    pairs: Option<&[(Literal, Literal)]>,
    rest: TypedOperand,
    scope: &Scope<'_>,
) -> Result<Option<Typed>> {
    let Some(pairs) = pairs else { return Ok(None) };
    let dtype = match &rest {
        TypedOperand::Typed(rest) => rest.dtype.clone(),
        TypedOperand::Literal(literal) => resolve_in(&lit(literal.clone()), scope)?.dtype,
    };
    let Some(dtype) = common(dtype.logical().clone(), pairs, scope) else { return Ok(None) };
    let Some(table) = table(x, pairs, &dtype) else { return Ok(None) };
    let look_up = |values: &Column| {
        let table =
            Lookup { keys: Members::of_host(table.keys.clone()), values: Members::of_host(values.clone()) };
        let node = TypedNode::OfColumns(ColumnFunction::Lookup(table), [x.clone()].into());
        Typed { dtype: values.dtype(), node }
    };
    let found = look_up(&table.values);
    // A null may be the value of a key.
    let is_found = if table.values.mask().is_some() {
        look_up(&Column::from_values(vec![true; table.keys.size()], &Exec::host())?)
    } else {
        found.clone()
    };
    let (found, rest) = unify(expr, TypedOperand::Typed(found), rest, false)?;
    let condition = Typed { dtype: DType::Bool, node: TypedNode::IsNull(Arc::new(is_found)) };
    let dtype = found.dtype.clone();
    let node =
        TypedNode::When { condition: Arc::new(condition), then: Arc::new(rest), otherwise: Arc::new(found) };
    Ok(Some(Typed { dtype, node }))
}

/// The dtype of a chain of conditions with these values and one of `dtype` at its end; `None` if they have none in common.
fn common(mut dtype: DType, pairs: &[(Literal, Literal)], scope: &Scope<'_>) -> Option<DType> {
    for (_, to) in pairs.iter().rev() {
        if let Ok(scalar) = beside(to, &dtype)
            && scalar.dtype() == dtype
        {
            continue;
        }
        let rest = if dtype == DType::Null { lit(Literal::Null) } else { lit(Scalar::Null(dtype)) };
        dtype = resolve_in(&when(lit(true)).then(lit(to.clone())).otherwise(rest), scope).ok()?.dtype;
    }
    Some(dtype)
}

struct Table {
    keys: Column,
    values: Column,
}

/// The first pair of each key that `x` may have, with values of `dtype`; `None` for constants that are compared otherwise.
fn table(x: &Typed, pairs: &[(Literal, Literal)], dtype: &DType) -> Option<Table> {
    let own = x.dtype.logical();
    if own.is_nested() || *own == DType::Null {
        return None;
    }
    let typed = pairs.iter().find_map(|(from, _)| {
        let Literal::Scalar(scalar) = from else { return None };
        (!matches!(scalar, Scalar::Null(_))).then(|| scalar.dtype())
    });
    // Constants of a dtype are compared as a column of it is.
    let of = typed.unwrap_or_else(|| own.clone());
    common_key(own, &of)?;
    let (mut keys, mut values) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
    for (from, to) in pairs {
        let key = match from {
            Literal::Null | Literal::Scalar(Scalar::Null(_)) => Scalar::Null(of.clone()),
            Literal::Scalar(scalar) if scalar.dtype() == of => scalar.clone(),
            Literal::Int(_) | Literal::Float(_) | Literal::Decimal { .. } | Literal::Duration(_)
                if of == *own =>
            {
                match equal(from, own)? {
                    Equal::Value(key) => key,
                    Equal::Nothing => continue,
                }
            }
            Literal::Bool(_) | Literal::String(_) if of == *own => adopt(from, own).ok()?,
            Literal::Bool(_)
            | Literal::Int(_)
            | Literal::Float(_)
            | Literal::Decimal { .. }
            | Literal::String(_)
            | Literal::Duration(_)
            | Literal::Scalar(_)
            | Literal::OneRow(_) => return None,
        };
        keys.push(key);
        values.push(adopt(to, dtype).ok()?);
    }
    let host = Exec::host();
    let columns = ColumnAccessor::from_columns([
        ("key", Column::from_scalars(&of, &keys, &host).ok()?),
        ("value", Column::from_scalars(dtype, &values, &host).ok()?),
    ]);
    let first = unique(&columns.ok()?, ["key"], Keep::First, &host).ok()?;
    Some(Table { keys: first.get("key").ok()?.clone(), values: first.get("value").ok()?.clone() })
}
