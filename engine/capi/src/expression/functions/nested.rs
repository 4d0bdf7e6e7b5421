//! Functions of lists, dictionaries and structs.

use columnade::{concat_list, struct_of};

use super::{Function, MANY, function};

pub(super) const FUNCTIONS: &[Function] = &[
    function("concat_list", (1, MANY), |a| Ok(concat_list(a.rest(0)))),
    function("struct_of", (1, MANY), |a| Ok(struct_of(a.rest(0)))),
    function("list.len", (1, 1), |a| Ok(a.x().list().len())),
    function("list.get", (2, 2), |a| Ok(a.x().list().get(a.literal(1)?))),
    function("list.get_checked", (2, 2), |a| Ok(a.x().list().get_checked(a.literal(1)?))),
    function("list.get_at", (2, 2), |a| Ok(a.x().list().get_at(a.arg(1)))),
    function("list.get_at_checked", (2, 2), |a| Ok(a.x().list().get_at_checked(a.arg(1)))),
    function("list.get_or", (3, 3), |a| Ok(a.x().list().get_at_or(a.arg(1), a.arg(2)))),
    function("list.take", (2, 2), |a| Ok(a.x().list().take(a.arg(1)))),
    function("list.take_checked", (2, 2), |a| Ok(a.x().list().take_checked(a.arg(1)))),
    function("list.take_each", (2, MANY), |a| Ok(a.x().list().take_each(a.ints(1)?))),
    function("list.take_each_checked", (2, MANY), |a| Ok(a.x().list().take_each_checked(a.ints(1)?))),
    function("list.index", (2, 2), |a| Ok(a.x().list().index_of(a.arg(1)))),
    function("list.first", (1, 1), |a| Ok(a.x().list().first())),
    function("list.last", (1, 1), |a| Ok(a.x().list().last())),
    function("list.contains", (2, 2), |a| Ok(a.x().list().contains(a.literal(1)?))),
    function("list.sum", (1, 1), |a| Ok(a.x().list().sum())),
    function("list.min", (1, 1), |a| Ok(a.x().list().min())),
    function("list.max", (1, 1), |a| Ok(a.x().list().max())),
    function("list.mean", (1, 1), |a| Ok(a.x().list().mean())),
    function("list.median", (1, 1), |a| Ok(a.x().list().median())),
    function("list.nunique", (1, 1), |a| Ok(a.x().list().nunique())),
    function("list.any", (1, 1), |a| Ok(a.x().list().any())),
    function("list.all", (1, 1), |a| Ok(a.x().list().all())),
    function("list.sort", (1, 3), |a| Ok(a.x().list().sort_with(a.flag_or(1, false)?, a.flag_or(2, false)?))),
    function("list.unique", (1, 1), |a| Ok(a.x().list().unique())),
    function("list.reverse", (1, 1), |a| Ok(a.x().list().reverse())),
    function("list.slice", (2, 3), |a| Ok(a.x().list().slice(a.int(1)?, a.optional_int(2)?))),
    function("list.head", (2, 2), |a| Ok(a.x().list().head(a.int(1)?))),
    function("list.tail", (2, 2), |a| Ok(a.x().list().tail(a.int(1)?))),
    function("list.concat", (2, 2), |a| Ok(a.x().list().concat(a.arg(1)))),
    function("list.join", (2, 2), |a| Ok(a.x().list().join(a.string(1)?))),
    function("cat.encode", (1, 1), |a| Ok(a.x().cat().encode())),
    function("cat.decode", (1, 1), |a| Ok(a.x().cat().decode())),
    function("cat.codes", (1, 1), |a| Ok(a.x().cat().codes())),
    function("cat.as_ordered", (1, 1), |a| Ok(a.x().cat().as_ordered())),
    function("cat.as_unordered", (1, 1), |a| Ok(a.x().cat().as_unordered())),
    function("cat.add_categories", (2, MANY), |a| Ok(a.x().cat().add_categories(a.literals(1)?))),
    function("cat.remove_categories", (2, MANY), |a| Ok(a.x().cat().remove_categories(a.literals(1)?))),
    function("cat.rename_categories", (2, MANY), |a| Ok(a.x().cat().rename_categories(a.literals(1)?))),
    function("cat.reorder_categories", (2, MANY), |a| Ok(a.x().cat().reorder_categories(a.literals(1)?))),
    function("cat.set_categories", (2, MANY), |a| Ok(a.x().cat().set_categories(a.literals(1)?))),
    function("struct.rename_fields", (2, MANY), |a| {
        let names = (1..a.arguments.len()).map(|at| a.string(at)).collect::<Result<Vec<_>, _>>()?;
        Ok(a.x().struct_().rename_fields(names))
    }),
    function("struct.field", (2, 2), |a| Ok(a.x().struct_().field(a.string(1)?))),
];
