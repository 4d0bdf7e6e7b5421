//! Means.

use super::accumulator::{Accumulator, LANES, Overflow};
use super::sum::Sum;
use crate::bits::BitSlice;
use columnade_buffers::Pod;

/// The mean: a sum and the number of values, from which both can be had as well.
#[derive(Clone)]
pub(crate) struct Mean<S>(pub(crate) S);

impl<S: Sum> Accumulator for Mean<S>
where
    [S::State; 2]: Pod,
{
    type Input = S::Input;
    /// The sum, and the number of values in the type of the sum, for a layout without padding.
    type State = [S::State; 2];
    type Partial = (S::Partial, i64);
    type Output = f64;
    const EMPTY: Self::State = [S::EMPTY; 2];
    const EMPTY_PARTIAL: Self::Partial = (S::EMPTY_PARTIAL, 0);

    #[inline]
    fn add(&self, state: &mut Self::State, value: S::Input) {
        self.0.add(&mut state[0], value);
        self.0.merge(&mut state[1], S::of_count(1));
    }

    fn merge(&self, state: &mut Self::State, later: Self::State) {
        self.0.merge(&mut state[0], later[0]);
        self.0.merge(&mut state[1], later[1]);
    }

    fn finish(&self, state: Self::State) -> Result<Option<f64>, Overflow> {
        let count = S::count(state[1]);
        if count > 0 { S::to_f64(state[0]).map(|sum| Some(sum / count as f64)) } else { Ok(None) }
    }

    fn fits_partials(&self, values: &[S::Input]) -> bool {
        self.0.fits_partials(values)
    }

    #[inline]
    fn add_partial(&self, partial: &mut Self::Partial, value: S::Input) {
        self.0.add_partial(&mut partial.0, value);
        partial.1 += 1;
    }

    fn merge_partials(&self, state: &mut Self::State, partials: &[Self::Partial; LANES]) {
        self.0.merge_partials(&mut state[0], &partials.map(|partial| partial.0));
        let count = partials.iter().map(|partial| partial.1).sum();
        self.0.merge(&mut state[1], S::of_count(count));
    }

    fn add_rows(&self, state: &mut Self::State, values: &[S::Input], valid: Option<BitSlice<'_>>) {
        self.0.add_rows(&mut state[0], values, valid);
        let count = valid.map_or(values.len(), |valid| valid.count_ones());
        self.0.merge(&mut state[1], S::of_count(count as i64));
    }
}
