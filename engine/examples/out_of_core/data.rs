//! The frames: seeded, of a given size in bytes.

use std::ops::Range;

use columnade::{DataFrame, concat};

use crate::report::mebibytes;

/// How many rows the frames have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) facts: usize,
    /// As many as a quarter of the facts; every fact belongs to one.
    pub(crate) dimensions: usize,
}

/// Bytes of a row of facts: four numbers of 8 bytes, a text of 8 and its offset of 4.
const FACT_BYTES: usize = 4 * 8 + 12;
/// Bytes of a row of dimensions: two numbers and a text.
const DIMENSION_BYTES: usize = 2 * 8 + 12;
const FACTS_PER_DIMENSION: usize = 4;

impl Shape {
    /// Frames of about `bytes` bytes together.
    pub(crate) fn of_bytes(bytes: usize) -> Self {
        let dimensions = bytes / (FACTS_PER_DIMENSION * FACT_BYTES + DIMENSION_BYTES);
        Self { facts: dimensions * FACTS_PER_DIMENSION, dimensions }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.facts * FACT_BYTES + self.dimensions * DIMENSION_BYTES
    }

    /// Without a limit all of it is in `memory` bytes at a time.
    pub(crate) fn require_memory(&self, memory: usize) -> Result<(), String> {
        let bytes = self.bytes();
        if bytes <= memory {
            return Ok(());
        }
        let (bytes, memory) = (mebibytes(bytes), mebibytes(memory));
        Err(format!(
            "frames of {bytes:.0} MiB do not fit the memory there is, {memory:.0} MiB, for the work without a limit that \
             they are compared with: give a smaller --limit or --factor"
        ))
    }
}

/// The frames to work on.
pub(crate) struct Tables {
    /// `key` to sort by, `group`, `amount`, `weight`, `tag`.
    pub(crate) facts: DataFrame,
    /// `group`, each once, in random order, `rate`, `name`.
    pub(crate) dimensions: DataFrame,
}

impl Tables {
    /// Makes the frames where the thread's default context says, block by block of `block` bytes: a column may be larger than
    /// the limit.
    pub(crate) fn make(shape: Shape, block: usize, seed: u64) -> columnade::Result<Self> {
        let Shape { facts, dimensions } = shape;
        let groups = (dimensions as u64).max(1);
        let mut random: [Random; 8] =
            std::array::from_fn(|number| Random(seed.wrapping_mul(31).wrapping_add(number as u64 + 1)));
        let [key, group, amount, weight, tag, order, rate, name] = &mut random;
        let facts = in_blocks(facts, block / FACT_BYTES, |rows| {
            let rows = rows.len();
            DataFrame::empty()?
                // Some keys come twice: the sort has ties to keep in order.
                .with_column("key", key.numbers(rows, (facts as u64).max(1)))?
                .with_column("group", group.numbers(rows, groups))?
                .with_column("amount", amount.numbers(rows, 1_000_000))?
                // Multiples of 1/8: their sums are exact in any order.
                .with_column("weight", weight.eighths(rows))?
                .with_column("tag", tag.texts(rows))
        })?;
        let shuffled = shuffled(dimensions, order);
        let dimensions = in_blocks(dimensions, block / DIMENSION_BYTES, |rows| {
            DataFrame::empty()?
                .with_column("group", shuffled[rows.clone()].to_vec())?
                .with_column("rate", rate.numbers(rows.len(), 100))?
                .with_column("name", name.texts(rows.len()))
        })?;
        Ok(Self { facts, dimensions })
    }

    /// All frames.
    pub(crate) fn frames(&self) -> [&DataFrame; 2] {
        [&self.facts, &self.dimensions]
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.frames().iter().map(|frame| frame.memory_bytes()).sum()
    }
}

/// What `make` makes of `block` rows at a time, together.
fn in_blocks(
    rows: usize,
    block: usize,
    mut make: impl FnMut(Range<usize>) -> columnade::Result<DataFrame>,
) -> columnade::Result<DataFrame> {
    let block = block.max(1);
    let starts = (0..rows.max(1)).step_by(block);
    let blocks =
        starts.map(|start| make(start..rows.min(start + block))).collect::<columnade::Result<Vec<_>>>()?;
    Ok(concat(&blocks)?.ignore_index())
}

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn numbers(&mut self, rows: usize, bound: u64) -> Vec<i64> {
        (0..rows).map(|_| (self.next() % bound).cast_signed()).collect()
    }

    fn eighths(&mut self, rows: usize) -> Vec<f64> {
        (0..rows).map(|_| f64::from(u16::try_from(self.next() % 8000).unwrap_or(0)) / 8.0).collect()
    }

    /// Eight characters, so that the size of a text column is known.
    fn texts(&mut self, rows: usize) -> Vec<String> {
        (0..rows).map(|_| format!("{:08x}", self.next() >> 32)).collect()
    }
}

/// The numbers below `count` in random order.
fn shuffled(count: usize, random: &mut Random) -> Vec<i64> {
    let mut numbers: Vec<i64> = (0..count as u64).map(u64::cast_signed).collect();
    for at in (1..count).rev() {
        let other = usize::try_from(random.next() % (at as u64 + 1)).unwrap_or(at);
        numbers.swap(at, other);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn frame_larger_than_memory_is_refused() {
        let shape = Shape::of_bytes(usize::MAX);
        assert!(shape.require_memory(1 << 50).unwrap_err().contains("--limit"));
        let shape = Shape::of_bytes(1 << 20);
        assert_eq!(shape.require_memory(1 << 20), Ok(()));
        assert!(shape.require_memory(1 << 19).is_err());
    }
}
