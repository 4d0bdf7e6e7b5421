//! Which row groups and pages cannot hold a row that a predicate keeps: by the statistics of both, by Bloom filters, and by the
//! values that paths have.
//!
//! Everything here is conservative: what is not understood may match.

mod bloom;
mod pages;
mod range;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use arrow_schema::{Field, Schema};
use columnade_columns::{Label, Scalar};
use columnade_ops::expression::{Comparison, Expr, Literal, Match, Node};
use parquet::file::metadata::ParquetMetaData;

use self::range::{ChunkRange, Point};
use crate::io::file::SourceFile;

/// A predicate on the rows of a file.
pub(super) struct File<'a> {
    pub(super) filter: &'a Expr,
    /// The columns as they are in the file.
    pub(super) schema: &'a Schema,
    pub(super) metadata: &'a ParquetMetaData,
    pub(super) source: &'a SourceFile,
    /// The columns that the predicate finds otherwise than the file has them: with one value in all rows, or, where there is
    /// none, of another dtype, of which nothing is known.
    pub(super) other: Vec<(String, Option<Scalar>)>,
}

impl File<'_> {
    /// Whether a row of the row group may make the predicate true.
    pub(super) fn may_match(&self, group: usize) -> bool {
        outcomes(self.filter, &|label| self.range(label, group)).can_be_true
            && !self.is_excluded(self.filter, group)
    }

    /// What is known of the values of a column in a row group.
    fn range(&self, label: &Label, group: usize) -> Option<ChunkRange> {
        let name = label.as_text()?;
        let group = self.metadata.row_group(group);
        if let Some((_, value)) = self.other.iter().find(|(other, _)| other == name) {
            return ChunkRange::of_value(value.as_ref()?, group.num_rows());
        }
        let (leaf, field) = self.leaf(name)?;
        ChunkRange::new(field.data_type(), group.column(leaf), group.num_rows())
    }

    /// The position of a column among the leaves of the file; `None` for one that is nested or that the predicate finds
    /// otherwise.
    fn leaf(&self, name: &str) -> Option<(usize, &Field)> {
        if self.other.iter().any(|(other, _)| other == name) {
            return None;
        }
        let (position, field) = self.schema.column_with_name(name)?;
        let leaves = self.metadata.file_metadata().schema_descr();
        let leaf = (0..leaves.num_columns()).find(|&leaf| leaves.get_column_root_idx(leaf) == position)?;
        (leaves.column(leaf).path().parts().len() == 1).then_some((leaf, field))
    }
}

/// What a predicate may be for a row of the group; null for some row is always possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcomes {
    can_be_true: bool,
    can_be_false: bool,
}

impl Outcomes {
    const UNKNOWN: Self = Self { can_be_true: true, can_be_false: true };
    const NULL: Self = Self { can_be_true: false, can_be_false: false };

    fn negated(self) -> Self {
        Self { can_be_true: self.can_be_false, can_be_false: self.can_be_true }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rest is unknown to the reader of files")]
fn outcomes(expr: &Expr, ranges: &dyn Fn(&Label) -> Option<ChunkRange>) -> Outcomes {
    match expr.node() {
        Node::Alias(inner, _) => outcomes(inner, ranges),
        Node::Literal(Literal::Bool(value)) => Outcomes { can_be_true: *value, can_be_false: !value },
        Node::Not(inner) => outcomes(inner, ranges).negated(),
        Node::And(a, b) => {
            let (a, b) = (outcomes(a, ranges), outcomes(b, ranges));
            Outcomes {
                can_be_true: a.can_be_true && b.can_be_true,
                can_be_false: a.can_be_false || b.can_be_false,
            }
        }
        Node::Or(a, b) => {
            let (a, b) = (outcomes(a, ranges), outcomes(b, ranges));
            Outcomes {
                can_be_true: a.can_be_true || b.can_be_true,
                can_be_false: a.can_be_false && b.can_be_false,
            }
        }
        Node::Compare(op, left, right) => match (left.node(), right.node()) {
            (Node::Column(label), Node::Literal(value)) => compare(*op, ranges(label), value),
            (Node::Literal(value), Node::Column(label)) => compare(op.flipped(), ranges(label), value),
            _ => Outcomes::UNKNOWN,
        },
        Node::IsNull(inner) => is_null(inner, ranges),
        Node::IsNotNull(inner) => is_null(inner, ranges).negated(),
        Node::Match(Match::Prefix, inner, prefix) => {
            if let Node::Column(label) = inner.node() {
                starts_with(ranges(label), prefix)
            } else {
                Outcomes::UNKNOWN
            }
        }
        _ => Outcomes::UNKNOWN,
    }
}

/// A column against a constant, by the least and the greatest value.
fn compare(op: Comparison, range: Option<ChunkRange>, value: &Literal) -> Outcomes {
    let Some(range) = range else { return Outcomes::UNKNOWN };
    if range.is_all_null() || matches!(value, Literal::Null) {
        return Outcomes::NULL;
    }
    let (Some(min), Some(max)) = (range.min(), range.max()) else { return Outcomes::UNKNOWN };
    let may_be_nan = min.may_be_nan();
    let Some(value) = Point::of_literal(value, min) else { return Outcomes::UNKNOWN };
    let (Some(min), Some(max)) = (min.compare(&value), max.compare(&value)) else { return Outcomes::UNKNOWN };
    let holds = |least: bool, rest: bool| Outcomes { can_be_true: least, can_be_false: rest };
    let outcomes = match op {
        Comparison::Lt => holds(min.is_lt(), max.is_ge()),
        Comparison::Le => holds(min.is_le(), max.is_gt()),
        Comparison::Gt => holds(max.is_gt(), min.is_le()),
        Comparison::Ge => holds(max.is_ge(), min.is_lt()),
        Comparison::Eq => equal(&range, min, max),
        Comparison::Ne => equal(&range, min, max).negated(),
    };
    // NaN differs from every number, and every other comparison with it is false.
    let nan = Outcomes { can_be_true: op == Comparison::Ne, can_be_false: op != Comparison::Ne };
    Outcomes {
        can_be_true: outcomes.can_be_true || may_be_nan && nan.can_be_true,
        can_be_false: outcomes.can_be_false || may_be_nan && nan.can_be_false,
    }
}

fn equal(range: &ChunkRange, min: Ordering, max: Ordering) -> Outcomes {
    let only_value = range.is_exact() && min.is_eq() && max.is_eq();
    Outcomes { can_be_true: min.is_le() && max.is_ge(), can_be_false: !only_value }
}

fn is_null(inner: &Expr, ranges: &dyn Fn(&Label) -> Option<ChunkRange>) -> Outcomes {
    let Node::Column(label) = inner.node() else { return Outcomes::UNKNOWN };
    let Some(range) = ranges(label) else { return Outcomes::UNKNOWN };
    Outcomes { can_be_true: range.null_count() != Some(0), can_be_false: !range.is_all_null() }
}

/// Strings with a prefix lie between the prefix and the next larger string without it.
fn starts_with(range: Option<ChunkRange>, prefix: &str) -> Outcomes {
    let Some(range) = range else { return Outcomes::UNKNOWN };
    if range.is_all_null() {
        return Outcomes::NULL;
    }
    let (Some(Point::String(min)), Some(Point::String(max))) = (range.min(), range.max()) else {
        return Outcomes::UNKNOWN;
    };
    let prefix = prefix.as_bytes();
    let min_start = &min[..min.len().min(prefix.len())];
    Outcomes { can_be_true: min_start <= prefix && max.as_slice() >= prefix, can_be_false: true }
}
