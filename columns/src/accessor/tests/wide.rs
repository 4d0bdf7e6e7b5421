//! Ten thousand columns: nothing takes the square of their number.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::{ColumnAccessor, one_row};
use crate::{Label, RenamedLevels};

const WIDTH: i64 = 10_000;

/// Generous to a loaded machine without optimisation; a hundred million comparisons take longer.
const ENOUGH: Duration = Duration::from_secs(5);

#[test]
fn every_operation_on_many_columns_matches_model() {
    let column = one_row(0);
    let started = Instant::now();
    let mut columns = ColumnAccessor::new();
    for at in 0..WIDTH {
        columns.insert(format!("column {at}"), column.clone()).unwrap();
    }
    let labels = columns.labels().to_vec();
    for (position, label) in labels.iter().enumerate() {
        assert_eq!(columns.position(label), Ok(position));
    }
    assert_eq!(columns.select(labels.iter().rev()).unwrap().labels()[0], labels[labels.len() - 1]);
    assert_eq!(columns.without(&labels[1..]).unwrap().labels(), &labels[..1]);
    assert_eq!(columns.rename(labels.iter().zip(0..)).unwrap().position(77), Ok(77));
    assert_eq!(columns.slice(0, 1).unwrap().len(), labels.len());
    let missing = (0..10).filter(|at| columns.contains(*at)).count();
    assert_eq!(missing, 0);

    let deep = (0..WIDTH).map(|at| ((at / 2, at), column.clone()));
    let deep = ColumnAccessor::from_columns(deep).unwrap();
    let groups: Vec<i64> = (0..WIDTH / 2).rev().collect();
    assert_eq!(deep.select(&groups).unwrap().labels()[0], (WIDTH / 2 - 1, WIDTH - 2));
    assert_eq!(deep.without(&groups[1..]).unwrap().len(), 2);
    assert_eq!(deep.droplevel(0).unwrap().position(4), Ok(4));
    assert_eq!(deep.swaplevel(0, 1).unwrap().position((9, 4)), Ok(9));
    assert!(deep.rename_levels(RenamedLevels::All, |_| Some(0.into())).is_err());
    assert!(started.elapsed() < ENOUGH, "took {:?}", started.elapsed());
}

#[test]
fn equal_labels_have_equal_hashes() {
    let distinct: HashSet<Label> = [Label::from(1), 1.0.into(), true.into(), 1_u8.into(), "1".into()].into();
    assert_eq!(distinct.len(), 2);
    let nans: HashSet<Label> =
        [Label::from(f64::NAN), (-f64::NAN).into(), f32::NAN.into(), Label::NULL].into();
    assert_eq!(nans.len(), 2);
}
