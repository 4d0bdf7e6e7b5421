//! Page indexes: which rows of a row group are in pages that may match.

use std::ops::Range;

use columnade_columns::Label;
use columnade_ops::expression::columns_of;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::file::metadata::page_index::RowGroupPageIndex;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::statistics::Statistics;

use super::range::ChunkRange;
use super::{File, outcomes};

/// The pages of a column.
struct Pages {
    label: Label,
    /// The first row of each.
    firsts: Vec<usize>,
    ranges: Vec<Option<ChunkRange>>,
}

impl File<'_> {
    /// The rows of a row group of so many rows that are in pages which may make the predicate true; `None`: all.
    pub(in crate::io::parquet) fn pages(&self, group: usize, rows: usize) -> Option<Vec<Range<usize>>> {
        let index = self.metadata.page_index_for_row_group(group);
        let labels = columns_of([self.filter]);
        let pages: Vec<Pages> =
            labels.into_iter().filter_map(|label| self.pages_of(label, &index, rows)).collect();
        let mut starts: Vec<usize> = pages.iter().flat_map(|pages| pages.firsts.iter().copied()).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut kept: Vec<Range<usize>> = Vec::new();
        for (at, &start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(rows);
            let range = |label: &Label| match pages.iter().find(|pages| pages.label == *label) {
                Some(pages) => {
                    let after = pages.firsts.partition_point(|&first| first <= start);
                    pages.ranges.get(after.checked_sub(1)?)?.clone()
                }
                None => self.range(label, group),
            };
            if !outcomes(self.filter, &range).can_be_true {
                continue;
            }
            match kept.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => kept.push(start..end),
            }
        }
        let is_all = starts.is_empty() || matches!(kept.as_slice(), [all] if *all == (0..rows));
        (!is_all).then_some(kept)
    }

    /// The pages of a column; `None` without an index, or with one that is not of such a row group.
    fn pages_of(&self, label: Label, index: &RowGroupPageIndex, rows: usize) -> Option<Pages> {
        let (leaf, field) = self.leaf(label.as_text()?)?;
        let (statistics, locations) = (index.column_index(leaf)?, index.page_locations(leaf)?);
        let firsts = locations.iter().map(|page| usize::try_from(page.first_row_index).ok());
        let firsts = firsts.collect::<Option<Vec<usize>>>()?;
        let is_of_group = firsts.first() == Some(&0)
            && firsts.is_sorted()
            && firsts.last().is_some_and(|&last| last <= rows)
            && usize::try_from(statistics.num_pages()) == Ok(firsts.len());
        if !is_of_group {
            return None;
        }
        let range = |page: usize| {
            let end = firsts.get(page + 1).copied().unwrap_or(rows);
            let rows = u64::try_from(end - firsts[page]).ok()?;
            let of_page = of_page(statistics, page)?;
            // Long text is cut.
            let range = ChunkRange::of_statistics(field.data_type(), &of_page, rows).inexact();
            Some(if statistics.is_null_page(page) { range.all_null() } else { range })
        };
        let ranges = (0..firsts.len()).map(range).collect();
        Some(Pages { label, firsts, ranges })
    }
}

/// The statistics of one page as those of a chunk.
fn of_page(index: &ColumnIndexMetaData, page: usize) -> Option<Statistics> {
    let nulls = index.null_count(page).and_then(|nulls| u64::try_from(nulls).ok());
    let bytes = |value: Option<&[u8]>| value.map(|value| ByteArray::from(value.to_vec()));
    Some(match index {
        ColumnIndexMetaData::INT32(index) => {
            let (min, max) = (index.min_value(page).copied(), index.max_value(page).copied());
            Statistics::int32(min, max, None, nulls, false)
        }
        ColumnIndexMetaData::INT64(index) => {
            let (min, max) = (index.min_value(page).copied(), index.max_value(page).copied());
            Statistics::int64(min, max, None, nulls, false)
        }
        ColumnIndexMetaData::FLOAT(index) => {
            let (min, max) = (index.min_value(page).copied(), index.max_value(page).copied());
            Statistics::float(min, max, None, nulls, false)
        }
        ColumnIndexMetaData::DOUBLE(index) => {
            let (min, max) = (index.min_value(page).copied(), index.max_value(page).copied());
            Statistics::double(min, max, None, nulls, false)
        }
        ColumnIndexMetaData::BYTE_ARRAY(index) => {
            let (min, max) = (bytes(index.min_value(page)), bytes(index.max_value(page)));
            Statistics::byte_array(min, max, None, nulls, false)
        }
        ColumnIndexMetaData::FIXED_LEN_BYTE_ARRAY(index) => {
            let (min, max) = (bytes(index.min_value(page)), bytes(index.max_value(page)));
            let fixed = |value: Option<ByteArray>| value.map(FixedLenByteArray::from);
            Statistics::fixed_len_byte_array(fixed(min), fixed(max), None, nulls, false)
        }
        ColumnIndexMetaData::BOOLEAN(_) | ColumnIndexMetaData::INT96(_) => return None,
    })
}
