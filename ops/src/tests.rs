//! What holds for every operation: memory that runs out is an error, whichever allocation it is that fails.

use crate::cast::{CastMode, cast};
use crate::copying::{MapNulls, RowMap, concat, copy_if_else, gather};
use crate::expression::col;
use crate::filter::apply_mask;
use crate::groupby::{GroupOptions, NullKeys, aggregate};
use crate::join::{JoinKind, JoinSide, NullEquality, hash_join, join_rows};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use columnade_buffers::failpoints::FailAt;
use columnade_buffers::{Device, Error as MemoryError, Exec, Limiting};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, ErrorKind, Result};
use std::sync::Arc;

/// An operation that is run for its errors alone.
type Run<'a> = Box<dyn Fn(&Exec) -> Result<()> + 'a>;

/// The operations that go on when an allocation fails once.
const RETRIED: [&str; 5] = ["filter", "concat", "sort_by", "join_rows", "aggregate"];

fn operations<'a>(
    columns: &'a ColumnAccessor,
    mask: &'a Column,
    map: &'a RowMap,
) -> Vec<(&'static str, Run<'a>)> {
    let column = |label: &str| columns.get(label).unwrap();
    let (n, word, category) = (column("n"), column("word"), column("category"));
    let cents = DType::decimal(38, 2).unwrap();
    let key = |position| SortColumn { position, order: Order::Descending, nulls: NullOrder::First };
    vec![
        ("gather", Box::new(|exec| gather(columns, map, MapNulls::Possible, exec).map(drop))),
        ("filter", Box::new(move |exec| apply_mask(columns, mask, exec).map(drop))),
        ("concat", Box::new(move |exec| concat(&[word, category], exec).map(drop))),
        ("copy_if_else", Box::new(move |exec| copy_if_else(mask, word, category, exec).map(drop))),
        ("sort_by", Box::new(move |exec| sort_by(columns, &[key(2), key(0)], exec).map(drop))),
        (
            "hash_join",
            Box::new(move |exec| {
                hash_join(&[n, word], &[n, category], JoinKind::Left, NullEquality::Equal, exec).map(drop)
            }),
        ),
        (
            "join_rows",
            Box::new(move |exec| {
                let side = JoinSide { columns, keys: &[1, 2], output: &[0, 1, 2] };
                join_rows(side, side, JoinKind::Left, NullEquality::Equal, exec).map(drop)
            }),
        ),
        (
            "aggregate",
            Box::new(move |exec| {
                let options = GroupOptions { null_keys: NullKeys::Group };
                aggregate(columns, None, &[col("word")], &[col("n").mean()], options, exec).map(drop)
            }),
        ),
        ("cast", Box::new(move |exec| cast(n, &cents, CastMode::Checked, exec).map(drop))),
    ]
}

#[test]
fn kth_allocation_failure_is_memory_error_or_retried() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let dictionary = Arc::new(Column::from_values(["m", "ß", "a"], &exec).unwrap());
        let codes = Column::from_slice(&[2_i8, 0, 1, 0], &exec).unwrap();
        let category = Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap());
        let columns = ColumnAccessor::from_columns([
            ("n", Column::from_options([Some(5_i32), None, Some(7), Some(-7)], &exec).unwrap()),
            ("word", Column::from_options([Some("x"), Some("ä"), None, Some("")], &exec).unwrap()),
            ("category", category),
        ])
        .unwrap();
        let mask = Column::from_options([Some(true), None, Some(false), Some(true)], &exec).unwrap();
        let map = RowMap::from_u32(&[3, u32::MAX, 0], &exec).unwrap();
        for (name, run) in operations(&columns, &mask, &map) {
            for k in 1.. {
                let resource = Arc::new(FailAt::new(exec.resource().clone(), k));
                let result = run(&exec.with_resource(resource.clone()));
                if !resource.has_failed() {
                    result.unwrap_or_else(|error| panic!("{name} on {device}: {error}"));
                    assert!(k > 1, "{name} on {device} allocates nothing");
                    break;
                }
                // Operations that run out of core try again what failed once.
                match result {
                    Ok(()) => assert!(RETRIED.contains(&name), "{name} on {device}, allocation {k}"),
                    Err(error) => {
                        assert!(!RETRIED.contains(&name), "{name} on {device}, allocation {k}: {error}");
                        assert_eq!(
                            error.kind(),
                            ErrorKind::Memory,
                            "{name} on {device}, allocation {k}: {error}"
                        );
                        assert!(
                            error.to_string().contains(&out_of_memory(device)),
                            "{name} on {device}: {error}"
                        );
                    }
                }
            }
            // What has no memory at all is an error.
            let nothing = Arc::new(Limiting::new(exec.resource().clone(), 0));
            let error = run(&exec.with_resource(nothing)).expect_err("there is no memory");
            assert_eq!(error.kind(), ErrorKind::Memory, "{name} on {device}: {error}");
            assert!(error.to_string().contains(&out_of_memory(device)), "{name} on {device}: {error}");
        }
    }
}

/// How the text of an error about memory of this device begins.
fn out_of_memory(device: Device) -> String {
    let text = MemoryError::OutOfMemory { device, requested: 0, free: None, tier_refusal: None }.to_string();
    text.split(':').next().unwrap_or_default().to_owned()
}
