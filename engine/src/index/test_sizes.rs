//! Ranges of more labels than memory has: what makes columns of them is out of memory or an overflow, and never fewer labels.

use columnade_ops::distinct::Keep;

use super::{Index, RangeIndex};
use crate::testing::on_every_device;
use crate::{Closed, DType, ErrorKind, LabelJoin, Result, Series};

/// Ranges whose sizes in bytes are 2⁶⁴ or more, and one that no machine has memory for.
fn ranges() -> Vec<Index> {
    let range = |start, step, len| Index::Range(RangeIndex::new(start, step, len).expect("a range"));
    vec![
        range(0, 1, 1 << 62),
        range(i64::MIN, 2, 1 << 62),
        range(0, 1, 1 << 63),
        range(7, 0, 1 << 61),
        range(-1, -1, 1 << 52),
    ]
}

/// Out of memory, an overflow, or where `or_works` no error.
fn check<T>(what: &str, index: &Index, or_works: bool, result: Result<T>) {
    match result {
        Ok(_) => assert!(or_works, "{what} of {index:?}: no error"),
        Err(error) => {
            let kind = error.kind();
            let is_size = matches!(kind, ErrorKind::Memory | ErrorKind::Overflow);
            assert!(is_size, "{what} of {index:?}: {kind:?} {error}");
        }
    }
}

#[test]
fn column_of_range_without_memory_is_error() {
    on_every_device(|_| {
        let few = Index::new([1_i64, 5, 9]).expect("labels");
        let series = Series::new([1, 2]).expect("values");
        for index in &ranges() {
            let must_fail = |what: &str, result: Result<()>| check(what, index, false, result);
            must_fail("to_series", index.to_series().map(drop));
            must_fail("to_frame", index.to_frame().map(drop));
            must_fail("to_scalars", index.to_scalars().map(drop));
            must_fail("cast", index.cast(DType::Float64).map(drop));
            must_fail("fill_null", index.fill_null(0).map(drop));
            must_fail("factorize", index.factorize().map(drop));
            must_fail("intervals", index.intervals(Closed::Right).map(drop));
            must_fail("duplicated", index.duplicated(Keep::First).map(drop));
            must_fail("reindex", series.reindex(index).map(drop));
            let may_fail = |what: &str, result: Result<()>| check(what, index, true, result);
            may_fail("append", index.append([&few]).and_then(|both| both.to_series()).map(drop));
            may_fail("get_indexer", few.get_indexer(index).map(drop));
            may_fail("get_indexer in it", index.get_indexer(&few).map(drop));
            may_fail("is_in", index.is_in(&few).map(drop));
            may_fail("contains", index.contains(5).map(drop));
            may_fail("union", index.union(&few).map(drop));
            may_fail("union with itself", index.union(index).map(drop));
            may_fail("intersection", index.intersection(&few).map(drop));
            may_fail("difference", index.difference(&few).map(drop));
            may_fail("symmetric_difference", index.symmetric_difference(&few).map(drop));
            may_fail("join", index.join(&few, LabelJoin::Outer).map(drop));
            may_fail("insert", index.insert(0, 5).map(drop));
            may_fail("delete", index.delete([0]).map(drop));
            may_fail("drop", index.slice(5, 1).and_then(|some| index.drop(&some)).map(drop));
            may_fail("unique", index.unique().map(drop));
            may_fail("sort_values", index.sort_values(..).map(drop));
            may_fail("argsort", index.argsort(..).map(drop));
            may_fail("with_index", series.with_index(index).or_else(|_| series.head(1)).map(drop));
            // What needs no column of all labels works.
            assert_eq!(index.slice(index.len() - 2, 9).expect("a range").len(), 2);
            let some = index.slice(5, 3).and_then(|some| some.to_series()).expect("three labels");
            assert_eq!(some.get(0).ok(), index.get(5).ok());
        }
    });
}
