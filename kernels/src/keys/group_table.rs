//! Hash tables from packed keys to tickets: dense group ids in order of first appearance.

use super::packed::PackedKey;
use crate::Result;
use crate::row_map::RowIndex;
use crate::scratch::{Cursor, Memory, Scratch};
use columnade_buffers::Exec;

/// The ticket of absent keys and of [`PackedKey::MISS`].
pub(crate) const NO_TICKET: u32 = u32::MAX;

/// Keys of at most this many bits index an array, without hashing.
const DIRECT_BITS: u32 = 16;

/// Slots of a table at least.
const MIN_SLOTS: usize = 1024;

/// Maps every distinct packed key to a ticket: 0, 1, 2 … in order of first appearance in this table.
///
/// Keys of few bits index an array. All others are stored inline in an open-addressing table with linear
/// probing, at most half full. At most 2³² − 1 groups.
///
/// A table in a context's memory has capacity for as many groups as were [requested](GroupTable::request), and grows
/// between batches only; one on the heap, for a small number of groups, grows by itself.
///
/// # Source
/// Ticketing: Xue and Marcus, "Global Hash Tables Strike Back", arXiv 2505.04153.
pub(crate) struct GroupTable<K = u64> {
    slots: Slots<K>,
    /// The keys by ticket; as many of them as there are groups.
    keys: Memory<K>,
    groups: usize,
}

enum Slots<K> {
    /// A ticket per key.
    Direct(Memory<u32>),
    /// Keys of at most 31 bits.
    Narrow(Open<u32>),
    /// Any key.
    Wide(Open<K>),
}

/// A key and its ticket, without padding. An empty slot holds [`PackedKey::MISS`] and [`NO_TICKET`]: looking up a miss
/// finds one and needs no branch.
type Slot<S> = [S; 2];

struct Open<S> {
    /// `count` slots or more.
    slots: Memory<Slot<S>>,
    /// The slots in use, a power of two.
    count: usize,
    /// The slots of an empty table.
    base: usize,
    /// Whether the slots have yet to be filled from the keys.
    stale: bool,
}

/// Resolves hash collisions, and is called for new groups.
pub(crate) trait SameKey<K> {
    /// Whether key `index` of the batch really equals the key of `ticket`.
    fn same(&self, ticket: u32, index: usize) -> bool;
    /// Key `index` of the batch starts the next group.
    fn added(&mut self, index: usize);
}

/// Packed keys are exact, and first rows are not wanted.
struct Exact;

impl<K> SameKey<K> for Exact {
    #[inline]
    fn same(&self, _: u32, _: usize) -> bool {
        true
    }
    #[inline]
    fn added(&mut self, _: usize) {}
}

/// The first row of each group, by ticket.
pub(crate) trait RowList {
    type Row: RowIndex;
    fn get(&self, ticket: usize) -> Self::Row;
    fn add(&mut self, row: Self::Row);
}

impl<I: RowIndex> RowList for Vec<I> {
    type Row = I;
    #[inline]
    fn get(&self, ticket: usize) -> I {
        self[ticket]
    }
    #[inline]
    fn add(&mut self, row: I) {
        self.push(row);
    }
}

impl<I: RowIndex> RowList for Cursor<'_, I> {
    type Row = I;
    #[inline]
    fn get(&self, ticket: usize) -> I {
        self.values[ticket]
    }
    #[inline]
    fn add(&mut self, row: I) {
        self.push(row);
    }
}

/// Collects the first row of every group. `row` maps an index of the batch to its row, `same` compares two
/// rows.
pub(crate) struct FirstRows<'a, L, R, S> {
    /// One row per group, by ticket.
    pub(crate) rows: &'a mut L,
    /// The row of key `index` of the batch.
    pub(crate) row: R,
    /// Whether two rows with equal packed keys are equal.
    pub(crate) same: S,
}

impl<K, L: RowList, R: Fn(usize) -> usize, S: Fn(usize, usize) -> bool> SameKey<K>
    for FirstRows<'_, L, R, S>
{
    #[inline]
    fn same(&self, ticket: u32, index: usize) -> bool {
        (self.same)(self.rows.get(ticket as usize).row(), (self.row)(index))
    }
    #[inline]
    fn added(&mut self, index: usize) {
        self.rows.add(RowIndex::of((self.row)(index)));
    }
}

impl<K: PackedKey> GroupTable<K> {
    /// An empty table on the heap for keys below 2^`bits`. The number of groups must have a small bound: a budget does
    /// not count them.
    pub(crate) fn on_heap(bits: u32) -> Self {
        let slots = if bits <= DIRECT_BITS {
            Slots::Direct(Memory::Heap(vec![NO_TICKET; 1 << bits]))
        } else if bits < u32::BITS {
            Slots::Narrow(Open::none())
        } else {
            Slots::Wide(Open::none())
        };
        Self { slots, keys: Memory::Heap(Vec::new()), groups: 0 }
    }

    /// An empty table in `exec`'s memory for keys below 2^`bits`, with capacity for `groups` of them.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn new(bits: u32, groups: usize, exec: &Exec) -> Result<Self> {
        Self::growing_to(bits, groups, groups, exec)
    }

    /// A [`GroupTable::new`] with memory for as many as `most` groups, so that it can grow where none may be
    /// allocated.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn growing_to(bits: u32, groups: usize, most: usize, exec: &Exec) -> Result<Self> {
        if bits <= DIRECT_BITS {
            return Self::direct(bits, most.max(groups), exec);
        }
        let slots = if bits < u32::BITS {
            Slots::Narrow(Open::new(groups, most, exec)?)
        } else {
            Slots::Wide(Open::new(groups, most, exec)?)
        };
        Ok(Self { slots, keys: Memory::uninit(most, Some(exec))?, groups: 0 })
    }

    /// An empty table in `exec`'s memory that is an array over all keys below 2^`bits`, with capacity for `groups` of them.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn direct(bits: u32, groups: usize, exec: &Exec) -> Result<Self> {
        let slots = Memory::Counted(Scratch::filled(1 << bits, NO_TICKET, exec)?);
        let keys = Memory::uninit(groups.min(1 << bits), Some(exec))?;
        Ok(Self { slots: Slots::Direct(slots), keys, groups: 0 })
    }

    /// Reserves capacity for `more` groups, in memory of `exec`; [`GroupTable::settle`] finishes that.
    ///
    /// # Errors
    /// When memory cannot be had; the table is then not to be used any more.
    pub(crate) fn request(&mut self, more: usize, exec: &Exec) -> Result<()> {
        self.grow(more, Some(exec))
    }

    fn grow(&mut self, more: usize, exec: Option<&Exec>) -> Result<()> {
        let groups = self.most(more);
        let capacity = self.keys.as_slice().len();
        if groups > capacity {
            let mut keys = Memory::uninit(groups.max(2 * capacity), exec)?;
            keys.as_mut_slice()[..self.groups].copy_from_slice(self.keys());
            self.keys = keys;
        }
        match &mut self.slots {
            Slots::Direct(_) => Ok(()),
            Slots::Narrow(open) => open.grow(groups, exec),
            Slots::Wide(open) => open.grow(groups, exec),
        }
    }

    /// The groups that `more` keys make at most.
    fn most(&self, more: usize) -> usize {
        match &self.slots {
            Slots::Direct(slots) => (self.groups + more).min(slots.as_slice().len()),
            _ => self.groups + more,
        }
    }

    /// Whether there is capacity for `more` groups.
    pub(crate) fn has_space(&self, more: usize) -> bool {
        let groups = self.most(more);
        groups <= self.keys.as_slice().len()
            && match &self.slots {
                Slots::Direct(_) => true,
                Slots::Narrow(open) => groups * 2 <= open.slots.as_slice().len(),
                Slots::Wide(open) => groups * 2 <= open.slots.as_slice().len(),
            }
    }

    /// Makes use of the memory there is for `more` groups: moves the keys to the slots that were made for them.
    /// Allocates nothing.
    pub(crate) fn settle(&mut self, more: usize) {
        let groups = self.most(more);
        let keys = &self.keys.as_slice()[..self.groups];
        match &mut self.slots {
            Slots::Direct(_) => {}
            Slots::Narrow(open) => open.settle(groups, keys, K::narrow),
            Slots::Wide(open) => open.settle(groups, keys, |key| key),
        }
    }

    /// Removes all keys and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.groups = 0;
        match &mut self.slots {
            Slots::Direct(slots) => slots.as_mut_slice().fill(NO_TICKET),
            Slots::Narrow(open) => open.clear(),
            Slots::Wide(open) => open.clear(),
        }
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.groups
    }

    /// The keys of the groups, by ticket.
    pub(crate) fn keys(&self) -> &[K] {
        &self.keys.as_slice()[..self.groups]
    }

    /// The ticket of each key; new tickets for new keys, [`NO_TICKET`] for [`PackedKey::MISS`].
    pub(crate) fn tickets(&mut self, packed: &[K], out: &mut [u32]) {
        self.tickets_where(packed, out, &mut Exact);
    }

    /// Like [`GroupTable::tickets`], but `groups` decides whether equal packed keys are equal. There must be
    /// capacity for as many groups as there are keys.
    pub(crate) fn tickets_where(&mut self, packed: &[K], out: &mut [u32], groups: &mut impl SameKey<K>) {
        if packed.is_empty() {
            // An empty table on the heap has no slots to settle.
            return;
        }
        if matches!(self.keys, Memory::Heap(_)) && !self.has_space(packed.len()) {
            let grown = self.grow(packed.len(), None);
            debug_assert!(grown.is_ok(), "the heap has no errors");
        }
        self.settle(packed.len());
        let mut keys = Cursor { values: self.keys.as_mut_slice(), len: &mut self.groups };
        match &mut self.slots {
            Slots::Direct(slots) => {
                let slots = slots.as_mut_slice();
                for (index, (&key, out)) in packed.iter().zip(out).enumerate() {
                    let Some(slot) = slots.get_mut(key.index()) else {
                        *out = NO_TICKET;
                        continue;
                    };
                    if *slot == NO_TICKET {
                        *slot = *keys.len as u32;
                        keys.push(key);
                        groups.added(index);
                    }
                    *out = *slot;
                }
            }
            Slots::Narrow(open) => open.tickets(packed, K::narrow, &mut keys, out, groups),
            Slots::Wide(open) => open.tickets(packed, |key| key, &mut keys, out, groups),
        }
    }

    /// The ticket of each key, [`NO_TICKET`] for absent keys.
    pub(crate) fn find(&self, packed: &[K], out: &mut [u32]) {
        self.find_where(packed, out, |_, _| true);
    }

    /// Like [`GroupTable::find`], but `same(ticket, index)` decides whether equal packed keys are equal.
    pub(crate) fn find_where(&self, packed: &[K], out: &mut [u32], same: impl Fn(u32, usize) -> bool) {
        match &self.slots {
            Slots::Direct(slots) => {
                let slots = slots.as_slice();
                for (&key, out) in packed.iter().zip(out) {
                    *out = slots.get(key.index()).copied().unwrap_or(NO_TICKET);
                }
            }
            Slots::Narrow(open) => open.find(packed, K::narrow, out, same),
            Slots::Wide(open) => open.find(packed, |key| key, out, same),
        }
    }
}

/// The slots of a table for `groups` groups, at most half of them taken.
fn slots_for(groups: usize) -> usize {
    (groups * 2).next_power_of_two().max(MIN_SLOTS)
}

/// The first slot of a key of this hash among `count`.
#[inline]
fn first_slot(hash: u64, count: usize) -> usize {
    (hash >> (u64::BITS - count.trailing_zeros())) as usize
}

impl<S: PackedKey> Open<S> {
    fn empty() -> Slot<S> {
        [S::MISS, S::from_word(u64::from(NO_TICKET))]
    }

    fn new(groups: usize, most: usize, exec: &Exec) -> Result<Self> {
        let count = slots_for(groups);
        let slots = Memory::uninit(slots_for(most.max(groups)), Some(exec))?;
        Ok(Self { slots, count, base: count, stale: true })
    }

    fn none() -> Self {
        Self { slots: Memory::Heap(Vec::new()), count: 0, base: 0, stale: true }
    }

    /// Whether half the slots in use are enough for `groups`.
    fn holds(&self, groups: usize) -> bool {
        groups * 2 <= self.count
    }

    /// Makes memory for `groups`. Small tables grow fourfold: their slots are cheap, moving keys is not.
    fn grow(&mut self, groups: usize, exec: Option<&Exec>) -> Result<()> {
        if slots_for(groups) > self.slots.as_slice().len() {
            let count = slots_for(groups).max(self.count * if self.count < 1 << 18 { 4 } else { 2 });
            // What was there goes first: the keys are all that is needed of it.
            self.slots = Memory::Heap(Vec::new());
            self.slots = Memory::uninit(count, exec)?;
            (self.count, self.stale) = (count, true);
        }
        Ok(())
    }

    /// Takes as many slots into use as `groups` need, and fills them from `keys` when that has yet to be done.
    fn settle<K: Copy>(&mut self, groups: usize, keys: &[K], narrow: impl Fn(K) -> S) {
        if !self.holds(groups) {
            self.count = slots_for(groups).max(4 * self.count).min(self.slots.as_slice().len());
            self.stale = true;
        }
        if self.stale {
            self.fill(keys, narrow);
        }
    }

    #[cold]
    fn fill<K: Copy>(&mut self, keys: &[K], narrow: impl Fn(K) -> S) {
        let slots = &mut self.slots.as_mut_slice()[..self.count];
        slots.fill(Self::empty());
        let mask = slots.len() - 1;
        for (ticket, &key) in keys.iter().enumerate() {
            let key = narrow(key);
            let mut at = first_slot(key.hash(), slots.len());
            while slots[at & mask][1].narrow() != NO_TICKET {
                at += 1;
            }
            slots[at & mask] = [key, S::from_word(ticket as u64)];
        }
        self.stale = false;
    }

    fn clear(&mut self) {
        (self.count, self.stale) = (self.base, true);
    }

    fn tickets<K: Copy, G: SameKey<K>>(
        &mut self,
        packed: &[K],
        narrow: impl Fn(K) -> S + Copy,
        keys: &mut Cursor<'_, K>,
        out: &mut [u32],
        groups: &mut G,
    ) {
        let slots = &mut self.slots.as_mut_slice()[..self.count];
        let mask = slots.len() - 1;
        for (index, (&packed, out)) in packed.iter().zip(out).enumerate() {
            let key = narrow(packed);
            let mut at = first_slot(key.hash(), slots.len());
            *out = loop {
                let [found, ticket] = slots[at & mask];
                let ticket = ticket.narrow();
                if found == key && (ticket == NO_TICKET || groups.same(ticket, index)) {
                    break ticket;
                }
                if ticket == NO_TICKET {
                    let ticket = *keys.len as u32;
                    slots[at & mask] = [key, S::from_word(u64::from(ticket))];
                    keys.push(packed);
                    groups.added(index);
                    break ticket;
                }
                at += 1;
            };
        }
    }

    fn find<K: Copy>(
        &self,
        packed: &[K],
        narrow: impl Fn(K) -> S + Copy,
        out: &mut [u32],
        same: impl Fn(u32, usize) -> bool,
    ) {
        if self.stale {
            // Not a key has been looked up: the table is empty.
            return out.fill(NO_TICKET);
        }
        let slots = &self.slots.as_slice()[..self.count];
        let mask = slots.len() - 1;
        for (index, (&packed, out)) in packed.iter().zip(out).enumerate() {
            let key = narrow(packed);
            let mut at = first_slot(key.hash(), slots.len());
            *out = loop {
                let [found, ticket] = slots[at & mask];
                let ticket = ticket.narrow();
                if ticket == NO_TICKET || (found == key && same(ticket, index)) {
                    break ticket;
                }
                at += 1;
            };
        }
    }
}
