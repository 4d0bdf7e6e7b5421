//! Minimum and greatest values.

use super::accumulator::{Accumulator, LANES, Overflow};
use super::sum::for_words;
use crate::RowMap;
use crate::bits::BitSlice;
use crate::keys::StringCells;
use columnade_buffers::Pod;
use std::cmp::Ordering;
use std::marker::PhantomData;

/// An integer that orders like the value that it stands for.
pub(crate) trait Key: Pod + Ord + Default + Send + Sync {
    /// Below or equal to every key.
    const LEAST: Self;
    /// Above or equal to every key.
    const GREATEST: Self;
    /// Marks a state without a value, and one with a value.
    const SEEN: [Self; 2];
}

impl Key for i32 {
    const LEAST: Self = i32::MIN;
    const GREATEST: Self = i32::MAX;
    const SEEN: [Self; 2] = [0, 1];
}

impl Key for i64 {
    const LEAST: Self = i64::MIN;
    const GREATEST: Self = i64::MAX;
    const SEEN: [Self; 2] = [0, 1];
}

impl Key for i128 {
    const LEAST: Self = i128::MIN;
    const GREATEST: Self = i128::MAX;
    const SEEN: [Self; 2] = [0, 1];
}

/// One end of an order.
pub(crate) trait End: Clone + Send + Sync {
    /// Whether it is the lower one.
    const IS_LEAST: bool;

    /// The key that is nearer to this end.
    #[inline]
    fn nearer<K: Ord>(a: K, b: K) -> K {
        if Self::IS_LEAST { a.min(b) } else { a.max(b) }
    }
}

/// The least.
#[derive(Clone)]
pub(crate) struct Minimum;
/// The greatest.
#[derive(Clone)]
pub(crate) struct Maximum;

impl End for Minimum {
    const IS_LEAST: bool = true;
}

impl End for Maximum {
    const IS_LEAST: bool = false;
}

/// The least or greatest key.
#[derive(Clone)]
pub(crate) struct Extreme<K, E>(PhantomData<(K, E)>);

impl<K: Key, E: End> Extreme<K, E> {
    pub(crate) const NEW: Self = Self(PhantomData);
    const WORST: K = if E::IS_LEAST { K::GREATEST } else { K::LEAST };
}

impl<K: Key, E: End> Accumulator for Extreme<K, E>
where
    [K; 2]: Pod,
{
    type Input = K;
    /// The key, and whether there is one: every key may be a value's.
    type State = [K; 2];
    type Partial = [K; 2];
    type Output = K;
    const EMPTY: [K; 2] = [Self::WORST, K::SEEN[0]];
    const EMPTY_PARTIAL: [K; 2] = Self::EMPTY;

    #[inline]
    fn add(&self, state: &mut [K; 2], value: K) {
        *state = [E::nearer(state[0], value), K::SEEN[1]];
    }

    fn merge(&self, state: &mut [K; 2], later: [K; 2]) {
        *state = [E::nearer(state[0], later[0]), state[1].max(later[1])];
    }

    fn finish(&self, state: [K; 2]) -> Result<Option<K>, Overflow> {
        Ok((state[1] == K::SEEN[1]).then_some(state[0]))
    }

    #[inline]
    fn add_partial(&self, partial: &mut [K; 2], value: K) {
        self.add(partial, value);
    }

    fn merge_partials(&self, state: &mut [K; 2], partials: &[[K; 2]; LANES]) {
        for &partial in partials {
            self.merge(state, partial);
        }
    }

    fn add_rows(&self, state: &mut [K; 2], values: &[K], valid: Option<BitSlice<'_>>) {
        if valid.map_or(values.len(), |valid| valid.count_ones()) > 0 {
            self.add(state, extreme_key(values, valid, Self::WORST, E::nearer));
        }
    }
}

vectorised! {
    fn extreme_key[K: Key, F: Fn(K, K) -> K](values: &[K], valid: Option<BitSlice<'_>>, worst: K, nearer: F) -> K {
        let best = std::cell::Cell::new(worst);
        for_words(
            values,
            valid,
            |values| best.set(values.iter().fold(best.get(), |best, &value| nearer(best, value))),
            |values, word| {
                let key = |k: usize, value: K| if word >> k & 1 == 1 { value } else { worst };
                best.set(values.iter().enumerate().fold(best.get(), |best, (k, &value)| nearer(best, key(k, value))));
            },
        );
        best.get()
    }
}

/// The row of the least or greatest string, the first of equal ones.
#[derive(Clone)]
pub(crate) struct ExtremeString<'a, E> {
    strings: StringCells<'a>,
    end: PhantomData<E>,
}

impl<'a, E: End> ExtremeString<'a, E> {
    pub(crate) fn new(strings: StringCells<'a>) -> Self {
        Self { strings, end: PhantomData }
    }
}

impl<E: End> Accumulator for ExtremeString<'_, E> {
    /// A row number.
    type Input = u64;
    /// A row number; all ones without a value.
    type State = u64;
    type Partial = u64;
    type Output = u64;
    const EMPTY: u64 = RowMap::NONE_U64;
    const EMPTY_PARTIAL: u64 = RowMap::NONE_U64;

    fn add(&self, state: &mut u64, row: u64) {
        let nearer = *state == RowMap::NONE_U64 || {
            match self.strings.bytes(row as usize).cmp(self.strings.bytes(*state as usize)) {
                Ordering::Less => E::IS_LEAST,
                Ordering::Equal => row < *state,
                Ordering::Greater => !E::IS_LEAST,
            }
        };
        if nearer {
            *state = row;
        }
    }

    fn merge(&self, state: &mut u64, later: u64) {
        if later != RowMap::NONE_U64 {
            self.add(state, later);
        }
    }

    /// Of no value the row that gathers a null.
    fn finish(&self, state: u64) -> Result<Option<u64>, Overflow> {
        Ok(Some(state))
    }

    fn add_partial(&self, partial: &mut u64, row: u64) {
        self.add(partial, row);
    }

    fn merge_partials(&self, state: &mut u64, partials: &[u64; LANES]) {
        for &partial in partials {
            self.merge(state, partial);
        }
    }
}
