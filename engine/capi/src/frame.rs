//! Tables computed from tables: by expressions, by groups, in order, joined.

use std::ffi::c_char;

use columnade::expressions::Keep;
use columnade::{DataFrame, Expr, MaintainOrder, Merge, SortBy, Unique, Validate};

use crate::argument::{Argument, Pointers};
use crate::entry::entry;
use crate::error::{Failure, Result};
use crate::expression::Expression;
use crate::options::{Sized, choice, options};
use crate::place::Place;
use crate::table::numbered_anew;

#[repr(C)]
#[derive(Clone, Copy)]
struct RawGroup {
    size: usize,
    null_keys: i32,
    order: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawSort {
    size: usize,
    descending: *const i32,
    nulls_first: *const i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawUnique {
    size: usize,
    keep: i32,
    reserved: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawMerge {
    size: usize,
    kind: i32,
    nulls: i32,
    coalesce: i32,
    validate: i32,
    order: i32,
    reserved: i32,
    left_suffix: *const c_char,
    right_suffix: *const c_char,
    indicator: *const c_char,
    condition: *const Expression,
}

// SAFETY: integers and pointers.
unsafe impl Sized for RawGroup {}
// SAFETY: as above.
unsafe impl Sized for RawSort {}
// SAFETY: as above.
unsafe impl Sized for RawUnique {}
// SAFETY: as above.
unsafe impl Sized for RawMerge {}

/// How groups are made.
struct GroupOptions {
    drops_null_keys: bool,
    is_sorted: bool,
}

options!(GroupOptions, RawGroup, options => GroupOptions {
    drops_null_keys: choice("options.null_keys", options.null_keys, &[true, false])?,
    is_sorted: choice("options.order", options.order, &[false, true])?,
});

/// Flags of the columns that rows are sorted by, of which there are as many as names.
struct SortOptions {
    descending: *const i32,
    nulls_first: *const i32,
}

options!(SortOptions, RawSort, options => SortOptions {
    descending: options.descending,
    nulls_first: options.nulls_first,
});

options!(Unique, RawUnique, options => {
    let keep = choice("options.keep", options.keep, &[Keep::First, Keep::Last, Keep::None])?;
    reserved("options.reserved", options.reserved)?;
    Unique::new().keep(keep)
});

options!(Merge, RawMerge, options => {
    let kinds = [
        Merge::inner as fn() -> Merge,
        Merge::left,
        Merge::right,
        Merge::outer,
        Merge::semi,
        Merge::anti,
        Merge::cross,
    ];
    reserved("options.reserved", options.reserved)?;
    let mut merge = choice("options.kind", options.kind, &kinds)?();
    merge = merge.nulls_equal(choice("options.nulls", options.nulls, &[true, false])?);
    if let Some(coalesce) = choice("options.coalesce", options.coalesce, &[None, Some(true), Some(false)])? {
        merge = merge.coalesce(coalesce);
    }
    let validations =
        [None, Some(Validate::OneToOne), Some(Validate::OneToMany), Some(Validate::ManyToOne)];
    if let Some(validate) = choice("options.validate", options.validate, &validations)? {
        merge = merge.validate(validate);
    }
    let orders = [None, Some(MaintainOrder::LeftRight), Some(MaintainOrder::RightLeft)];
    if let Some(order) = choice("options.order", options.order, &orders)? {
        merge = merge.maintain_order(order);
    }
    // SAFETY: the caller's promise: null, or texts that a zero byte ends, and a handle.
    let (left, right, indicator, condition) = unsafe {
        (
            optional_text("options.left_suffix", options.left_suffix)?,
            optional_text("options.right_suffix", options.right_suffix)?,
            optional_text("options.indicator", options.indicator)?,
            options.condition.as_ref(),
        )
    };
    merge = merge.suffixes(left.unwrap_or("_x"), right.unwrap_or("_y"));
    if let Some(indicator) = indicator {
        merge = merge.indicator(indicator);
    }
    if let Some(condition) = condition {
        merge = merge.condition(condition.expr());
    }
    merge
});

/// A member that later versions may use.
pub(crate) fn reserved(name: &'static str, value: i32) -> Result<()> {
    if value == 0 { Ok(()) } else { Err(Failure::argument(name, format!("is {value}, not 0"))) }
}

/// The text of a member, if there is one.
///
/// # Safety
/// `text` is null, or text that a zero byte ends.
pub(crate) unsafe fn optional_text<'a>(name: &'static str, text: *const c_char) -> Result<Option<&'a str>> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    unsafe { <&str>::from_c(name, text) }.map(Some)
}

/// Flag `at` of an array; not set if there is no array.
///
/// # Safety
/// `flags` is null or has so many numbers.
unsafe fn flag(name: &'static str, flags: *const i32, at: usize) -> Result<bool> {
    if flags.is_null() {
        return Ok(false);
    }
    // SAFETY: the caller's promise.
    choice(name, unsafe { flags.add(at).read() }, &[false, true])
}

/// The expressions of an array.
///
/// # Safety
/// There are so many.
unsafe fn exprs(pointers: Pointers<Expression>, count: usize) -> Result<Vec<Expr>> {
    // SAFETY: the caller's promise.
    let expressions: Vec<&Expression> = unsafe { pointers.read(count) }?;
    Ok(expressions.into_iter().map(Expression::expr).collect())
}

entry! {
    fn columnade_table_filter(table: &DataFrame, predicate: &Expression, filtered: Place<*mut DataFrame>) {
        filtered.put_handle(numbered_anew(&table.filter(predicate.expr())?));
    }

    fn columnade_table_select_exprs(
        table: &DataFrame,
        columns: Pointers<Expression>,
        count: usize,
        selected: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let columns = unsafe { exprs(columns, count) }?;
        selected.put_handle(numbered_anew(&table.select(columns)?));
    }

    fn columnade_table_with_columns(
        table: &DataFrame,
        columns: Pointers<Expression>,
        count: usize,
        extended: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let columns = unsafe { exprs(columns, count) }?;
        extended.put_handle(numbered_anew(&table.with_columns(columns)?));
    }

    fn columnade_table_group_by(
        table: &DataFrame,
        keys: Pointers<Expression>,
        key_count: usize,
        aggregates: Pointers<Expression>,
        aggregate_count: usize,
        options: GroupOptions,
        grouped: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let (keys, aggregates) =
            unsafe { (exprs(keys, key_count)?, exprs(aggregates, aggregate_count)?) };
        let groups = table.group_by(keys).dropna(options.drops_null_keys).sort(options.is_sorted);
        grouped.put_handle(numbered_anew(&groups.agg(aggregates)?));
    }

    fn columnade_table_sort_values(
        table: &DataFrame,
        names: Pointers<c_char>,
        count: usize,
        options: SortOptions,
        sorted: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let names: Vec<&str> = unsafe { names.read(count) }?;
        let by = names.into_iter().enumerate().map(|(at, name)| {
            // SAFETY: the caller's promise: as many flags as names.
            let (descending, nulls_first) = unsafe {
                (
                    flag("options.descending", options.descending, at)?,
                    flag("options.nulls_first", options.nulls_first, at)?,
                )
            };
            let by = if descending { SortBy::descending(name) } else { SortBy::ascending(name) };
            Ok(if nulls_first { by.nulls_first() } else { by })
        });
        let by = by.collect::<Result<Vec<_>>>()?;
        sorted.put_handle(numbered_anew(&table.sort_values(by)?));
    }

    fn columnade_table_merge(
        left: &DataFrame,
        right: &DataFrame,
        left_on: Pointers<Expression>,
        right_on: Pointers<Expression>,
        count: usize,
        options: Merge,
        merged: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let left_on = unsafe { exprs(left_on, count) }?;
        let options = if right_on.is_null() {
            options.on(left_on)
        } else {
            // SAFETY: as above.
            options.left_on(left_on).right_on(unsafe { exprs(right_on, count) }?)
        };
        merged.put_handle(numbered_anew(&left.merge(right, &options)?));
    }

    fn columnade_table_unique(
        table: &DataFrame,
        names: Pointers<c_char>,
        count: usize,
        options: Unique,
        unique: Place<*mut DataFrame>,
    ) {
        // SAFETY: the caller's promise.
        let names: Vec<&str> = unsafe { names.read(count) }?;
        let options = if names.is_empty() { options } else { options.subset(names) };
        unique.put_handle(numbered_anew(&table.unique(options)?));
    }
}
