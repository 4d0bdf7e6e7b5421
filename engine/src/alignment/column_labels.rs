//! Labels of columns of two sides.

use std::cmp::Ordering;
use std::collections::HashSet;

use columnade_columns::{Label, TimeUnit};
use columnade_columns::{LabelPart, LabelPartOf};

use super::LabelJoin;

/// The labels that `how` keeps. Those of both sides that are not equal are sorted where they can be compared, as those of
/// rows.
pub(crate) fn aligned(left: &[Label], right: &[Label], how: LabelJoin) -> Vec<Label> {
    match how {
        LabelJoin::Left => left.to_vec(),
        LabelJoin::Right => right.to_vec(),
        _ if left == right => left.to_vec(),
        LabelJoin::Inner => {
            let right: HashSet<&Label> = right.iter().collect();
            left.iter().filter(|label| right.contains(label)).cloned().collect()
        }
        LabelJoin::Outer => sorted(either(left, right)),
    }
}

/// The labels of the left side, then those that only the right one has.
pub(crate) fn either(left: &[Label], right: &[Label]) -> Vec<Label> {
    let known: HashSet<&Label> = left.iter().collect();
    left.iter().chain(right.iter().filter(|label| !known.contains(label))).cloned().collect()
}

/// The labels in order, as they are if two cannot be compared.
pub(crate) fn sorted(mut labels: Vec<Label>) -> Vec<Label> {
    let Some(first) = labels.first() else { return labels };
    let kinds: Vec<u8> = first.parts().iter().map(kind).collect();
    let is_alike = |label: &Label| label.parts().iter().map(kind).eq(kinds.iter().copied());
    if kinds.contains(&NONE) || !labels.iter().all(is_alike) {
        return labels;
    }
    labels.sort_by(|left, right| {
        let parts = left.parts().iter().zip(right.parts()).map(|(left, right)| compared(left, right));
        parts.fold(Ordering::Equal, Ordering::then)
    });
    labels
}

/// What has no order.
const NONE: u8 = u8::MAX;

/// Parts of one kind can be compared.
fn kind(part: &LabelPart) -> u8 {
    match part {
        LabelPartOf::Null => NONE,
        LabelPartOf::Float(value) if value.is_nan() => NONE,
        LabelPartOf::Bool(_) => 0,
        LabelPartOf::Int(_) | LabelPartOf::UInt(_) => 1,
        LabelPartOf::Float(_) => 2,
        LabelPartOf::String(_) => 3,
        LabelPartOf::Date(_) => 4,
        LabelPartOf::Timestamp(..) => 5,
        LabelPartOf::Duration(..) => 6,
        LabelPartOf::Time(..) => 7,
    }
}

/// The order of two parts of one kind.
fn compared(left: &LabelPart, right: &LabelPart) -> Ordering {
    match (left, right) {
        (LabelPartOf::Float(left), LabelPartOf::Float(right)) => left.total_cmp(right),
        (LabelPartOf::String(left), LabelPartOf::String(right)) => {
            AsRef::<str>::as_ref(left).cmp(AsRef::<str>::as_ref(right))
        }
        _ => whole(left).cmp(&whole(right)),
    }
}

fn whole(part: &LabelPart) -> i128 {
    let nanoseconds = |value: i64, unit: TimeUnit| {
        i128::from(value) * i128::from(TimeUnit::Nano.per_second() / unit.per_second())
    };
    match part {
        LabelPartOf::Bool(value) => i128::from(*value),
        LabelPartOf::Int(value) => i128::from(*value),
        LabelPartOf::UInt(value) => i128::from(*value),
        LabelPartOf::Date(days) => i128::from(*days),
        LabelPartOf::Timestamp(value, unit)
        | LabelPartOf::Duration(value, unit)
        | LabelPartOf::Time(value, unit) => nanoseconds(*value, *unit),
        LabelPartOf::Null | LabelPartOf::Float(_) | LabelPartOf::String(_) => 0,
    }
}
