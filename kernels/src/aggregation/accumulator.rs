//! What an accumulator is, and the one that counts.

use crate::bits::BitSlice;
use columnade_buffers::Pod;

/// Rows of one group that follow each other go to this many partial states, so that they do not wait for each other.
pub(crate) const LANES: usize = 4;

/// A result that has no value of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// One aggregation of values of one type.
///
/// A state takes values one by one, and the states of later rows. Operations must not depend on how rows are divided
/// into states, except where a rounding does: then the division must not depend on the number of threads.
pub(crate) trait Accumulator: Clone + Send + Sync {
    /// A value, widened by the reader of its storage type.
    type Input: Pod + Send + Sync;
    /// What is kept for a group.
    type State: Pod + Send + Sync;
    /// What is kept for a group and a lane while one block of rows is read: the state, or something cheaper.
    type Partial: Copy + Send + Sync;
    /// The result, narrowed by the writer of its storage type.
    type Output: Pod + Default + Send + Sync;

    /// The state of no rows.
    const EMPTY: Self::State;
    /// The partial state of no rows.
    const EMPTY_PARTIAL: Self::Partial;

    /// Takes a value.
    fn add(&self, state: &mut Self::State, value: Self::Input);

    /// Takes the values of `later`, all of which come after those of `state`.
    fn merge(&self, state: &mut Self::State, later: Self::State);

    /// The result; `None` for a null.
    fn finish(&self, state: Self::State) -> Result<Option<Self::Output>, Overflow>;

    /// Whether partial states may take these values, at most a block of them.
    fn fits_partials(&self, _values: &[Self::Input]) -> bool {
        true
    }

    /// Takes a value into a partial state.
    fn add_partial(&self, partial: &mut Self::Partial, value: Self::Input);

    /// Takes the partial states of one group.
    fn merge_partials(&self, state: &mut Self::State, partials: &[Self::Partial; LANES]);

    /// Takes a block of rows of one group, at most [`BLOCK_ROWS`](super::BLOCK_ROWS).
    fn add_rows(&self, state: &mut Self::State, values: &[Self::Input], valid: Option<BitSlice<'_>>) {
        match valid {
            None => values.iter().for_each(|&value| self.add(state, value)),
            Some(valid) => {
                for (row, &value) in values.iter().enumerate() {
                    if valid.get(row) {
                        self.add(state, value);
                    }
                }
            }
        }
    }
}

/// The number of rows, or of values where nulls are kept out.
#[derive(Clone)]
pub(crate) struct Count;

impl Accumulator for Count {
    type Input = ();
    type State = i64;
    type Partial = i64;
    type Output = i64;
    const EMPTY: i64 = 0;
    const EMPTY_PARTIAL: i64 = 0;

    #[inline]
    fn add(&self, state: &mut i64, (): ()) {
        *state += 1;
    }

    fn merge(&self, state: &mut i64, later: i64) {
        *state += later;
    }

    fn finish(&self, state: i64) -> Result<Option<i64>, Overflow> {
        Ok(Some(state))
    }

    #[inline]
    fn add_partial(&self, partial: &mut i64, (): ()) {
        *partial += 1;
    }

    fn merge_partials(&self, state: &mut i64, partials: &[i64; LANES]) {
        *state += partials.iter().sum::<i64>();
    }

    fn add_rows(&self, state: &mut i64, values: &[()], valid: Option<BitSlice<'_>>) {
        *state += valid.map_or(values.len(), |valid| valid.count_ones()) as i64;
    }
}
