//! Filters, gathers and concatenations.

use columnade_ops::copying::{MapNulls, concat, gather};
use columnade_ops::expression::col;
use columnade_ops::filter::{apply_mask, filter};
use columnade_ops::lists::explode;
use columnade_ops::missing::{DropHow, drop_nulls};
use columnade_ops::partition::hash_partition;

use super::case;
use crate::Case;
use crate::inputs::Inputs;

/// Eight columns of 8 bytes.
const WIDE: [&str; 8] = ["few", "some", "many", "unique", "a", "b", "c", "n"];

pub(super) fn cases<'a>(inputs: &'a Inputs<'a>) -> Vec<Case<'a>> {
    let (frame, exec) = (&inputs.frame, inputs.exec);
    let n = inputs.rows as u64;
    let bit = n.div_ceil(8);
    let all_bits = inputs.masks(1);
    // Of values of 8 bytes, four share a sector: at half of the rows 15 of 16 sectors are read.
    let filtered = |columns: u64| bit + columns * (8 * n * 15 / 16 + 4 * n + all_bits * 3 / 2);
    let gathered = |columns: u64| 4 * n + columns * (16 * n + 2 * all_bits);
    vec![
        case("filter 1 column, half of the rows", filtered(1), || {
            apply_mask(&frame.select(["a"])?, &inputs.half, exec)
        }),
        case("filter 8 columns, half of the rows", filtered(8), || {
            apply_mask(&frame.select(WIDE)?, &inputs.half, exec)
        }),
        case("filter 3 columns where a < 0.1", 3 * 8 * n + 3 * 8 * n / 10 + 3 * all_bits, || {
            filter(&frame.select(["a", "b", "n"])?, &col("a").lt(0.1), exec)
        }),
        case("drop nulls of 3 columns", 3 * (16 * n + 2 * all_bits), || {
            drop_nulls(&frame.select(["a", "b", "n"])?, ["a"], DropHow::Any, exec)
        }),
        case("gather 1 column at random", gathered(1), || {
            gather(&frame.select(["a"])?, &inputs.shuffled, MapNulls::Never, exec)
        }),
        case("gather 8 columns at random", gathered(8), || {
            gather(&frame.select(WIDE)?, &inputs.shuffled, MapNulls::Never, exec)
        }),
        // Offsets and items, and for each item a value of the other column.
        case("explode lists beside 1 column", 12 * n + 24 * inputs.items + 2 * all_bits, || {
            explode(&frame.select(["lists", "few"])?, ["lists"], exec)
        }),
        case("slice of 8 columns", 0, || frame.select(WIDE)?.slice(inputs.rows / 3, inputs.rows / 3)),
        case("concatenate two columns", 32 * n + 4 * all_bits, || {
            concat(&[frame.get("a")?, frame.get("b")?], exec)
        }),
        case("hash partition of 3 columns, 16 partitions", 3 * (16 * n + 2 * all_bits), || {
            let rows = frame.select(["n", "a", "b"])?;
            hash_partition(&rows, &[rows.get("n")?], 16, 0, exec)
        }),
    ]
}
