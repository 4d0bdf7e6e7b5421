//! Bloom filters: which values a row group does not have.

use columnade_columns::Label;
use columnade_ops::expression::{Comparison, Expr, Literal, Node};
use parquet::basic::Type as PhysicalType;
use parquet::bloom_filter::Sbbf;

use super::File;
use super::range::{Point, count_in};

impl File<'_> {
    /// Whether the Bloom filters of the row group say that no row makes the predicate true.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is unknown to the reader of files")]
    pub(super) fn is_excluded(&self, expr: &Expr, group: usize) -> bool {
        match expr.node() {
            Node::Alias(inner, _) => self.is_excluded(inner, group),
            Node::And(a, b) => self.is_excluded(a, group) || self.is_excluded(b, group),
            Node::Or(a, b) => self.is_excluded(a, group) && self.is_excluded(b, group),
            Node::Compare(Comparison::Eq, left, right) => match (left.node(), right.node()) {
                (Node::Column(label), Node::Literal(value)) | (Node::Literal(value), Node::Column(label)) => {
                    self.lacks(label, value, group).unwrap_or(false)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a column has the value in no row; `None` where no filter says.
    fn lacks(&self, label: &Label, value: &Literal, group: usize) -> Option<bool> {
        let (leaf, field) = self.leaf(label.as_text()?)?;
        let chunk = self.metadata.row_group(group).column(leaf);
        chunk.bloom_filter_offset()?;
        // Of the kind that the column's statistics are.
        let range = self.range(label, group)?;
        let like = range.min()?;
        let mut point = Point::of_literal(value, like)?;
        // The filter has counts of the column's unit.
        if let (Point::Timestamp(count, unit), Point::Timestamp(_, own))
        | (Point::Instant(count, unit), Point::Instant(_, own)) = (&mut point, like)
        {
            // Between two of them there is none.
            let Some(of_column) = count_in(*count, *unit, *own) else { return Some(true) };
            (*count, *unit) = (of_column, *own);
        }
        let Ok(Some(filter)) = Sbbf::read_from_column_chunk(chunk, self.source) else {
            // A filter that cannot be read excludes nothing; the values say what is wrong, if anything is.
            self.source.take_failure();
            return None;
        };
        let has = match (point, chunk.column_type()) {
            (Point::Number { value, scale: 0 }, PhysicalType::INT32) if field.data_type().is_integer() => {
                let bits = i32::try_from(value).or_else(|_| u32::try_from(value).map(u32::cast_signed));
                filter.check(&bits.ok()?)
            }
            (Point::Number { value, scale: 0 }, PhysicalType::INT64) if field.data_type().is_integer() => {
                let bits = i64::try_from(value).or_else(|_| u64::try_from(value).map(u64::cast_signed));
                filter.check(&bits.ok()?)
            }
            (Point::Date(days), PhysicalType::INT32) => filter.check(&days),
            (Point::Timestamp(count, _) | Point::Instant(count, _), PhysicalType::INT64) => {
                filter.check(&count)
            }
            (Point::String(text), PhysicalType::BYTE_ARRAY) => filter.check(text.as_slice()),
            _ => return None,
        };
        Some(!has)
    }
}
