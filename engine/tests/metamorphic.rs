//! Operations that undo each other, and operations of parts that are parts of the operation, on every device.

use columnade::expressions::ExponentialWindow;
use columnade::prelude::*;
use columnade::{Concat, Grouper, LabelJoin, concat_with, date_range_periods, set_default_device};
use columnade_tests::SIZES;

type Tested = columnade::Result<()>;

fn on_every_device(test: impl Fn(&DataFrame) -> Tested) -> Tested {
    for device in Device::available() {
        set_default_device(device)?;
        for rows in SIZES.into_iter().filter(|&rows| rows < 130) {
            test(&frame(rows)?)?;
            // Rows within others.
            test(&frame(rows + 5)?.slice(3, rows)?)?;
        }
    }
    Ok(())
}

fn frame(rows: usize) -> columnade::Result<DataFrame> {
    let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-30 20:00:00", rows, "7h")?;
    let numbers = || (0_i32..).take(rows);
    let n: Vec<Option<i64>> =
        numbers().map(|row| (row % 5 != 3).then(|| i64::from(row * 37 % 101) - 40)).collect();
    let f: Vec<f64> = numbers().map(|row| f64::from(row * 13 % 29) / 4.0 - 2.0).collect();
    let k: Vec<&str> = (0..rows).map(|row| ["b", "ä", ""][row * 7 % 3]).collect();
    let id: Vec<i64> = numbers().map(i64::from).collect();
    df! { "id" => id, "t" => times, "k" => k, "n" => n, "f" => f }
}

fn same(left: &DataFrame, right: &DataFrame) -> Tested {
    assert_eq!(left.difference(right)?.map(|difference| difference.to_string()), None);
    Ok(())
}

#[test]
fn reset_index_undoes_set_index() -> Tested {
    on_every_device(|frame| {
        same(&frame.set_index("id")?.reset_index()?, &frame.ignore_index())?;
        same(&frame.set_index(["id", "t"])?.reset_index()?, &frame.ignore_index())
    })
}

#[test]
fn unstack_undoes_stack() -> Tested {
    on_every_device(|frame| {
        let wide = frame.set_index("id")?.select(["n", "f"])?;
        let wide = wide.with_column("n", col("n").cast(DType::Float64))?;
        let back = wide.stack()?.unstack()?;
        for label in ["n", "f"] {
            if !wide.is_empty() {
                assert_eq!(back.column(label)?.to_scalars()?, wide.column(label)?.to_scalars()?);
            }
        }
        Ok(())
    })
}

#[test]
fn operations_of_slices_are_slices_of_operations() -> Tested {
    on_every_device(|frame| {
        let (left, right) = (frame.set_index("id")?.select(["n", "f"])?, frame.set_index("id")?.select("n")?);
        let whole = left.add(&right)?;
        let half = frame.len() / 2;
        let parts = left.slice(half, frame.len() - half)?.add(&right.slice(half, frame.len() - half)?)?;
        same(&whole.slice(half, frame.len() - half)?, &parts)?;
        // What comes later has no effect on windows that end with each row.
        let window = ExponentialWindow::span(5.0);
        same(&left.ewm(window).mean()?.head(half)?, &left.head(half)?.ewm(window).mean()?)?;
        same(&left.expanding().sum()?.head(half)?, &left.head(half)?.expanding().sum()?)
    })
}

#[test]
fn alignment_of_shuffled_rows_is_that_of_rows_in_order() -> Tested {
    on_every_device(|frame| {
        let rows = frame.set_index("id")?.select(["n", "k"])?;
        let last = i64::try_from(frame.len()).map_or(0, |rows| rows - 1);
        let reversed = rows.take((0..=last).rev().collect::<Vec<i64>>())?;
        for how in [LabelJoin::Outer, LabelJoin::Inner, LabelJoin::Left] {
            let (left, right) = rows.align(&reversed, how)?;
            same(&left, &right)?;
            same(&left.reset_index()?, &rows.reset_index()?)?;
        }
        same(&reversed.reindex_like(&rows)?, &rows)?;
        let sides = concat_with([&rows.select("n")?, &reversed.select("k")?], &Concat::columns())?;
        same(&sides, &rows)
    })
}

#[test]
fn bins_of_groups_are_bins_of_the_rows_of_each() -> Tested {
    on_every_device(|frame| {
        let of_groups = frame.group_by("k").resample("1D").on("t").select(["n", "f"]);
        let (sums, first) = (of_groups.sum()?, of_groups.ffill(None)?);
        let mut at = 0;
        let mut filled = 0;
        for (_, rows) in frame.group_by("k").groups()? {
            let bins = rows.resample("1D").on("t").select(["n", "f"]);
            let expected = bins.sum()?;
            same(&sums.slice(at, expected.len())?.ignore_index(), &expected.ignore_index())?;
            at += expected.len();
            let expected = bins.ffill(None)?;
            same(&first.slice(filled, expected.len())?.ignore_index(), &expected.ignore_index())?;
            filled += expected.len();
        }
        assert_eq!((at, filled), (sums.len(), first.len()));
        // A key alone has the bins of a resampling.
        let alone = frame.group_by_with([Grouper::every("1D").on("t")])?.as_index(true);
        let alone = alone.agg([col("n").sum(), col("f").sum()])?;
        same(&alone, &frame.resample("1D").on("t").select(["n", "f"]).sum()?)
    })
}

#[test]
fn values_set_in_series_are_those_of_plain_lists() -> Tested {
    on_every_device(|frame| {
        let n = frame.column("n")?;
        let mut expected = n.to_options::<i64>()?;
        assert_eq!(n.is_null()?.to_vec::<bool>()?, expected.iter().map(Option::is_none).collect::<Vec<_>>());
        assert_eq!(
            n.is_not_null()?.to_vec::<bool>()?,
            expected.iter().map(Option::is_some).collect::<Vec<_>>()
        );
        let Some(last) = expected.len().checked_sub(1) else { return Ok(()) };
        // The rows keep the labels that they have in a larger frame.
        let label = n.index().get(last / 2)?;
        let made = n.set_loc(label, 7_i64)?.set_iloc(-1, 5_i64)?;
        expected[last / 2] = Some(7);
        expected[last] = Some(5);
        assert_eq!(made.to_options::<i64>()?, expected);
        assert!(made.index().equals(n.index())? && made.name() == n.name());
        let unnamed = n.rename(Label::NULL).set_iloc(0, 1_i64)?;
        assert_eq!((unnamed.name(), unnamed.get(0)?), (&Label::NULL, 1_i64.into()));
        Ok(())
    })
}
