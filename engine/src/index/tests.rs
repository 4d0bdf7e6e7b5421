//! Ranges against the labels written out.

use super::{Index, RangeIndex};
use columnade_columns::Scalar;

fn labels(range: RangeIndex) -> Vec<i64> {
    (0..range.len()).filter_map(|position| range.get(position)).collect()
}

#[test]
fn range_index_labels_follow_range() {
    for (start, step, len) in [(0, 1, 0), (0, 1, 5), (7, -3, 4), (i64::MAX, 1, 1), (5, 0, 3)] {
        let range = RangeIndex::new(start, step, len).expect("labels fit");
        let expected: Vec<i64> = (0..len).map(|k| start + step * i64::try_from(k).expect("small")).collect();
        assert_eq!(labels(range), expected);
        for (offset, count) in [(0, len), (1, 2), (2, 100), (len, 3), (len + 9, 1)] {
            let cut = expected.iter().copied().skip(offset).take(count).collect::<Vec<_>>();
            assert_eq!(labels(range.slice(offset, count)), cut);
        }
    }
}

#[test]
fn range_index_refuses_overflowing_labels() {
    assert_eq!(RangeIndex::new(i64::MAX, 1, 2), None);
    assert_eq!(RangeIndex::new(0, i64::MIN, 3), None);
}

#[test]
fn index_of_rows_counts_from_zero() {
    let index = Index::of_rows(3);
    assert_eq!((index.get(2), index.get(3)), (Some(Scalar::Int64(2)), None));
    assert_eq!(index.slice(1, 9).len(), 2);
}
