//! The categories as other writers store them: in dictionary pages, and in the metadata of fields.

use std::sync::Arc;

use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::io::file::SourceFile;

/// The categories as Polars writes those of its dtype `Enum`: the length of each in bytes, and its text, with semicolons.
pub(super) fn of_polars(mut text: &str) -> Option<Vec<String>> {
    let mut categories = Vec::new();
    while !text.is_empty() {
        let (length, rest) = text.split_once(';')?;
        let (category, rest) = rest.split_at_checked(length.parse().ok()?)?;
        categories.push(category.to_owned());
        text = rest;
    }
    Some(categories)
}

/// The strings in the dictionary pages of a column, if each row group has the same, or the first of them, and no other values.
pub(super) fn of_pages(file: &SourceFile, footer: &ArrowReaderMetadata, leaf: usize) -> Option<Vec<String>> {
    let mut order: Vec<String> = Vec::new();
    for group in footer.metadata().row_groups() {
        let page = dictionary_page(file, group.column(leaf), usize::try_from(group.num_rows()).ok()?)?;
        let (short, long) = if page.len() < order.len() { (&page, &order) } else { (&order, &page) };
        if !long.starts_with(short) {
            return None;
        }
        if page.len() > order.len() {
            order = page;
        }
    }
    Some(order)
}

/// The strings of the dictionary that all values of a chunk are in.
fn dictionary_page(file: &SourceFile, chunk: &ColumnChunkMetaData, rows: usize) -> Option<Vec<String>> {
    if !is_one_dictionary(chunk) {
        return None;
    }
    let mut pages = SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None).ok()?;
    let Page::DictionaryPage { buf, num_values, encoding, .. } = pages.get_next_page().ok()?? else {
        return None;
    };
    if !matches!(encoding, Encoding::PLAIN | Encoding::PLAIN_DICTIONARY) {
        return None;
    }
    let mut rest = &buf[..];
    let mut values = Vec::new();
    for _ in 0..num_values {
        let (length, after) = rest.split_first_chunk()?;
        let (value, after) = after.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        values.push(str::from_utf8(value).ok()?.to_owned());
        rest = after;
    }
    Some(values)
}

/// Whether the footer says that all values of a chunk are codes into its dictionary.
fn is_one_dictionary(chunk: &ColumnChunkMetaData) -> bool {
    let codes = [Encoding::PLAIN_DICTIONARY, Encoding::RLE_DICTIONARY];
    chunk.dictionary_page_offset().is_some()
        && chunk
            .page_encoding_stats_mask()
            .is_some_and(|pages| pages.encodings().all(|encoding| codes.contains(&encoding)))
}
