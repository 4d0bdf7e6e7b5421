//! Frames of every kind of column, and contexts with too little memory for them, for the suites of operators that run
//! out of core.

use crate::sort::{NullOrder, Order, SortColumn};
use columnade_buffers::{Device, Exec, Managed, SpillManager, SpillOptions, Tier};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, ColumnValue, DType, Scalar};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

/// Keys of every kind: for each a label of [`frame`].
pub(crate) const KEYS: [&str; 9] = ["i8", "i64", "u16", "f64", "bool", "text", "day", "price", "word"];

fn column<T: ColumnValue>(values: Vec<T>, mask: Option<&[bool]>, exec: &Exec) -> Column {
    let valid = |row: usize| mask.is_none_or(|mask| mask[row]);
    if mask.is_none() {
        return Column::from_values(values, exec).unwrap();
    }
    let options = values.into_iter().enumerate().map(|(row, value)| valid(row).then_some(value));
    Column::from_options(options.collect::<Vec<_>>(), exec).unwrap()
}

/// `n` rows of at most `distinct` values a column, NaNs and both zeros among the floats, and the numbers of the rows
/// as `row`.
pub(crate) fn frame(n: usize, distinct: u64, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> ColumnAccessor {
    let mut choices = || -> Vec<u64> { (0..n).map(|_| rng.below(distinct)).collect() };
    let small: Vec<i8> = choices().into_iter().map(|c| i8::try_from(c % 100).unwrap() - 50).collect();
    let large: Vec<i64> = choices()
        .into_iter()
        .map(|c| i64::try_from(c).unwrap().wrapping_mul(0x1234_5678_9abc_def1))
        .collect();
    let counts: Vec<u16> = choices().into_iter().map(|c| u16::try_from(c % 60_000).unwrap()).collect();
    let floats: Vec<f64> = choices()
        .into_iter()
        .map(|c| match c % 9 {
            0 => f64::NAN,
            1 => -0.0,
            2 => 0.0,
            _ => f64::from(u32::try_from(c % 1_000_000).unwrap()) * -0.37,
        })
        .collect();
    let truths: Vec<bool> = choices().into_iter().map(|c| c % 2 == 1).collect();
    let texts: Vec<String> = choices()
        .into_iter()
        .map(|c| match (c, c % 7) {
            (0, _) => String::new(),
            (_, 1) => format!("é{c}"),
            (_, 2) => format!("{c}{}", "🦀ß".repeat(usize::try_from(c % 5).unwrap())),
            _ => c.to_string(),
        })
        .collect();
    let days: Vec<i32> = choices().into_iter().map(|c| i32::try_from(c % 20_000).unwrap()).collect();
    let prices: Vec<i64> = choices().into_iter().map(|c| i64::try_from(c).unwrap() - 77).collect();
    let codes: Vec<i8> = choices().into_iter().map(|c| i8::try_from(c % 4).unwrap()).collect();
    let mut masks = (0..KEYS.len()).map(|_| nulls.mask(n, rng)).collect::<Vec<_>>();
    let mut mask = || masks.pop().unwrap();
    let codes = column(codes, mask().as_deref(), exec);
    let dictionary = Arc::new(Column::from_values(["m", "ß", "", "a"], exec).unwrap());
    let money = DType::decimal(15, 2).unwrap();
    let rows: Vec<i64> = (0..).take(n).collect();
    ColumnAccessor::from_columns([
        ("i8", column(small, mask().as_deref(), exec)),
        ("i64", column(large, mask().as_deref(), exec)),
        ("u16", column(counts, mask().as_deref(), exec)),
        ("f64", column(floats, mask().as_deref(), exec)),
        ("bool", column(truths, mask().as_deref(), exec)),
        ("text", column(texts, mask().as_deref(), exec)),
        ("day", column(days, mask().as_deref(), exec).reinterpret(&DType::Date32).unwrap()),
        ("price", column(prices, mask().as_deref(), exec).reinterpret(&money).unwrap()),
        ("word", Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap())),
        ("row", Column::from_slice(&rows, exec).unwrap()),
    ])
    .unwrap()
}

/// Every row as a line.
pub(crate) fn lines(frame: &ColumnAccessor) -> Vec<String> {
    let host = Exec::host();
    let columns: Vec<Vec<Scalar>> =
        frame.columns().iter().map(|column| column.to_device(&host).unwrap().to_scalars().unwrap()).collect();
    (0..frame.rows())
        .map(|row| columns.iter().map(|column| column[row].to_string()).collect::<Vec<_>>().join("|"))
        .collect()
}

/// Sorts `rows` by a column in ascending order, nulls last.
pub(crate) fn ascending(rows: &ColumnAccessor, label: &str) -> SortColumn {
    let position = rows.position(label).unwrap();
    SortColumn { position, order: Order::Ascending, nulls: NullOrder::Last }
}

/// Fails at the first line that differs.
pub(crate) fn assert_lines(found: &[String], expected: &[String], what: &str) {
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{what}: row {row}");
    }
    assert_eq!(found.len(), expected.len(), "{what}: rows");
}

/// The peak of a context's memory while `run` runs, with everything spilled before.
pub(crate) fn peak_of<T>(manager: &SpillManager, run: impl FnOnce() -> T) -> (usize, T) {
    manager.spill_to_device_limit(0);
    manager.reset_peak();
    let result = run();
    (manager.usage().tiers[Tier::Device].peak, result)
}

/// A share of `bytes`, but no less than a smallest chunk and the scratch that the primitives of a device take, however few
/// the rows are.
pub(crate) fn share_of(bytes: usize, share: usize, device: Device) -> usize {
    let min = if device == Device::Host { 64 << 10 } else { 192 << 10 };
    (bytes / share).max(min)
}

/// The context with at most `limit` bytes of memory, beyond which it spills.
pub(crate) fn limited(exec: &Exec, limit: usize) -> (Arc<SpillManager>, Exec) {
    limited_with(exec, limit, &[])
}

/// A [`limited`] run with these variables as well.
pub(crate) fn limited_with(
    exec: &Exec,
    limit: usize,
    variables: &[(String, String)],
) -> (Arc<SpillManager>, Exec) {
    let options = SpillOptions::from_lookup(|variable| match variable {
        "COLUMNADE_SPILL" => Some("on".into()),
        "COLUMNADE_SPILL_DEVICE_LIMIT" => Some(limit.to_string().into()),
        "COLUMNADE_SPILL_STATS" => Some("1".into()),
        _ => variables.iter().find(|(name, _)| *name == variable).map(|(_, value)| value.into()),
    });
    let managed = Managed::new(exec.resource().clone(), options.unwrap()).unwrap();
    (managed.manager().clone(), exec.with_resource(Arc::new(managed)))
}

/// The same rows in memory of another context.
pub(crate) fn moved(frame: &ColumnAccessor, exec: &Exec) -> ColumnAccessor {
    let host = Exec::host();
    let copy = |column: &Column| {
        let values = column.to_device(&host).unwrap();
        match &values {
            Column::Categorical(coded) => {
                let dictionary = copied(coded.dictionary(), exec);
                let made =
                    CategoricalColumn::new(&copied(&coded.codes(), exec), Arc::new(dictionary)).unwrap();
                Column::Categorical(if coded.is_ordered() { made.as_ordered() } else { made })
            }
            other => copied(other, exec),
        }
    };
    ColumnAccessor::from_columns(frame.iter().map(|(label, column)| (label, copy(column)))).unwrap()
}

fn copied(column: &Column, exec: &Exec) -> Column {
    Column::from_scalars(&column.dtype(), &column.to_scalars().unwrap(), exec).unwrap()
}
