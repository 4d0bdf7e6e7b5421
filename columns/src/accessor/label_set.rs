//! Distinct labels in order, and where each of them is.

use std::hash::{BuildHasher, Hasher, RandomState};

use hashbrown::HashTable;

use super::label::{self, AsLabel, Label};
use crate::{Error, Result};

/// Distinct labels in order. Looking one up takes the same time for any number of them.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelSet {
    labels: Vec<Label>,
    /// Positions by the labels at them.
    positions: HashTable<usize>,
    hasher: RandomState,
}

impl LabelSet {
    /// The labels in their order.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`].
    pub(super) fn new(labels: impl IntoIterator<Item = Label>) -> Result<Self> {
        let labels = labels.into_iter();
        let count = labels.size_hint().0;
        let positions = HashTable::with_capacity(count);
        let mut set = Self { labels: Vec::with_capacity(count), positions, hasher: RandomState::new() };
        for label in labels {
            set.insert(set.labels.len(), label)?;
        }
        Ok(set)
    }

    pub(super) fn as_slice(&self) -> &[Label] {
        &self.labels
    }

    pub(super) fn position(&self, label: &(impl AsLabel + ?Sized)) -> Option<usize> {
        let same = |&at: &usize| self.labels[at] == *label;
        self.positions.find(self.hash(label), same).copied()
    }

    /// Puts a label before the one at `position`, which is at most their number.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`]; the set is as it was.
    pub(super) fn insert(&mut self, position: usize, label: Label) -> Result<()> {
        let hash = self.hash(&label);
        let Self { labels, positions, hasher } = self;
        if positions.find(hash, |&at| labels[at] == label).is_some() {
            return Err(Error::DuplicateLabel { label });
        }
        if position < labels.len() {
            positions.iter_mut().filter(|at| **at >= position).for_each(|at| *at += 1);
        }
        labels.insert(position, label);
        positions.insert_unique(hash, position, |&at| hash_of(hasher, &labels[at]));
        Ok(())
    }

    /// Takes out the label at `position`, which is there.
    pub(super) fn remove(&mut self, position: usize) -> Label {
        let hash = self.hash(&self.labels[position]);
        if let Ok(entry) = self.positions.find_entry(hash, |&at| at == position) {
            entry.remove();
        }
        self.positions.iter_mut().filter(|at| **at > position).for_each(|at| *at -= 1);
        self.labels.remove(position)
    }

    fn hash(&self, label: &(impl AsLabel + ?Sized)) -> u64 {
        hash_of(&self.hasher, label)
    }
}

fn hash_of(hasher: &RandomState, label: &(impl AsLabel + ?Sized)) -> u64 {
    let mut state = hasher.build_hasher();
    label::hash(label, &mut state);
    state.finish()
}
