//! Hash tables from packed keys to tickets: dense group ids in order of first appearance.

use super::packed::PackedKey;
use crate::row_map::RowIndex;

/// The ticket of absent keys and of [`PackedKey::MISS`].
pub(crate) const NO_TICKET: u32 = u32::MAX;

/// Keys of at most this many bits index an array, without hashing.
const DIRECT_BITS: u32 = 16;

/// Maps every distinct packed key to a ticket: 0, 1, 2 … in order of first appearance in this table.
///
/// Keys of few bits index an array. All others are stored inline in an open-addressing table with linear
/// probing, at most half full. At most 2³² − 1 groups.
///
/// # Source
/// Ticketing: Xue and Marcus, "Global Hash Tables Strike Back", arXiv 2505.04153.
#[derive(Clone, Debug)]
pub(crate) struct GroupTable<K = u64> {
    slots: Slots<K>,
    keys: Vec<K>,
}

#[derive(Clone, Debug)]
enum Slots<K> {
    /// A ticket per key.
    Direct(Vec<u32>),
    /// Keys of at most 31 bits.
    Narrow(Open<u32>),
    /// Any key.
    Wide(Open<K>),
}

/// An empty slot contains [`PackedKey::MISS`] and [`NO_TICKET`]: looking up a miss finds an empty slot and
/// needs no branch.
#[derive(Clone, Copy, Debug)]
struct Slot<S> {
    key: S,
    ticket: u32,
}

#[derive(Clone, Debug)]
struct Open<S> {
    slots: Vec<Slot<S>>,
    /// 64 − log2 of the number of slots.
    shift: u32,
}

/// Resolves hash collisions, and is called for new groups.
pub(crate) trait SameKey<K> {
    /// Whether key `index` of the batch really equals the key of `ticket`.
    fn same(&self, ticket: u32, index: usize) -> bool;
    /// Key `index` of the batch starts the next group.
    fn added(&mut self, index: usize);
}

/// Packed keys are exact, and first rows are not needed.
struct Exact;

impl<K> SameKey<K> for Exact {
    #[inline]
    fn same(&self, _: u32, _: usize) -> bool {
        true
    }
    #[inline]
    fn added(&mut self, _: usize) {}
}

/// Collects the first row of every group. `row` maps an index of the batch to its row, `same` compares two
/// rows.
pub(crate) struct FirstRows<'a, I, R, S> {
    /// One row per group, by ticket.
    pub(crate) rows: &'a mut Vec<I>,
    /// The row of key `index` of the batch.
    pub(crate) row: R,
    /// Whether two rows with equal packed keys are equal.
    pub(crate) same: S,
}

impl<K, I: RowIndex, R: Fn(usize) -> usize, S: Fn(usize, usize) -> bool> SameKey<K>
    for FirstRows<'_, I, R, S>
{
    #[inline]
    fn same(&self, ticket: u32, index: usize) -> bool {
        (self.same)(self.rows[ticket as usize].row(), (self.row)(index))
    }
    #[inline]
    fn added(&mut self, index: usize) {
        self.rows.push(I::of((self.row)(index)));
    }
}

impl<K: PackedKey> GroupTable<K> {
    /// An empty table for keys less than 2^`bits`, with capacity for `groups` of them; it grows as needed.
    pub(crate) fn new(bits: u32, groups: usize) -> Self {
        let slots = if bits <= DIRECT_BITS {
            Slots::Direct(vec![NO_TICKET; 1 << bits])
        } else if bits < u32::BITS {
            Slots::Narrow(Open::new(groups))
        } else {
            Slots::Wide(Open::new(groups))
        };
        Self { slots, keys: Vec::with_capacity(groups) }
    }

    /// An empty table that is an array over all keys less than 2^`bits`.
    pub(crate) fn direct(bits: u32) -> Self {
        Self { slots: Slots::Direct(vec![NO_TICKET; 1 << bits]), keys: Vec::new() }
    }

    /// Removes all keys and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        match &mut self.slots {
            Slots::Direct(slots) => slots.fill(NO_TICKET),
            Slots::Narrow(open) => open.slots.fill(Open::EMPTY),
            Slots::Wide(open) => open.slots.fill(Open::EMPTY),
        }
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The keys of the groups, by ticket.
    pub(crate) fn keys(&self) -> &[K] {
        &self.keys
    }

    /// The ticket of each key; new tickets for new keys, [`NO_TICKET`] for [`PackedKey::MISS`].
    pub(crate) fn tickets(&mut self, packed: &[K], out: &mut [u32]) {
        self.tickets_where(packed, out, &mut Exact);
    }

    /// Like [`GroupTable::tickets`], but `groups` decides whether equal packed keys are equal.
    pub(crate) fn tickets_where(&mut self, packed: &[K], out: &mut [u32], groups: &mut impl SameKey<K>) {
        let keys = &mut self.keys;
        match &mut self.slots {
            Slots::Direct(slots) => {
                for (index, (&key, out)) in packed.iter().zip(out).enumerate() {
                    let Some(slot) = slots.get_mut(key.index()) else {
                        *out = NO_TICKET;
                        continue;
                    };
                    if *slot == NO_TICKET {
                        *slot = keys.len() as u32;
                        keys.push(key);
                        groups.added(index);
                    }
                    *out = *slot;
                }
            }
            Slots::Narrow(open) => open.tickets(packed, K::narrow, keys, out, groups),
            Slots::Wide(open) => open.tickets(packed, |key| key, keys, out, groups),
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
                for (&key, out) in packed.iter().zip(out) {
                    *out = slots.get(key.index()).copied().unwrap_or(NO_TICKET);
                }
            }
            Slots::Narrow(open) => open.find(packed, K::narrow, out, same),
            Slots::Wide(open) => open.find(packed, |key| key, out, same),
        }
    }
}

impl<S: PackedKey> Open<S> {
    const EMPTY: Slot<S> = Slot { key: S::MISS, ticket: NO_TICKET };

    fn new(groups: usize) -> Self {
        Self::of_slots((groups * 2).next_power_of_two().max(1024))
    }

    fn of_slots(count: usize) -> Self {
        Self { slots: vec![Self::EMPTY; count], shift: u64::BITS - count.trailing_zeros() }
    }

    fn tickets<K: Copy, G: SameKey<K>>(
        &mut self,
        packed: &[K],
        narrow: impl Fn(K) -> S + Copy,
        keys: &mut Vec<K>,
        out: &mut [u32],
        groups: &mut G,
    ) {
        for (index, (&packed, out)) in packed.iter().zip(out).enumerate() {
            let key = narrow(packed);
            let mask = self.slots.len() - 1;
            let mut at = self.first_slot(key);
            *out = loop {
                let slot = self.slots[at & mask];
                if slot.key == key && (slot.ticket == NO_TICKET || groups.same(slot.ticket, index)) {
                    break slot.ticket;
                }
                if slot.ticket == NO_TICKET {
                    let ticket = keys.len() as u32;
                    self.slots[at & mask] = Slot { key, ticket };
                    keys.push(packed);
                    groups.added(index);
                    if keys.len() * 2 > self.slots.len() {
                        self.grow();
                    }
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
        let slots = self.slots.as_slice();
        let mask = slots.len() - 1;
        for (index, (&packed, out)) in packed.iter().zip(out).enumerate() {
            let key = narrow(packed);
            let mut at = self.first_slot(key);
            *out = loop {
                let slot = slots[at & mask];
                if slot.ticket == NO_TICKET || (slot.key == key && same(slot.ticket, index)) {
                    break slot.ticket;
                }
                at += 1;
            };
        }
    }

    #[inline]
    fn first_slot(&self, key: S) -> usize {
        (key.hash() >> self.shift) as usize
    }

    /// Small tables grow fourfold: their slots are cheap, rehashing is not.
    #[cold]
    fn grow(&mut self) {
        let count = self.slots.len() * if self.slots.len() < 1 << 18 { 4 } else { 2 };
        let old = std::mem::replace(self, Self::of_slots(count)).slots;
        let mask = count - 1;
        for slot in old.into_iter().filter(|slot| slot.ticket != NO_TICKET) {
            let mut at = (slot.key.hash() >> self.shift) as usize;
            while self.slots[at & mask].ticket != NO_TICKET {
                at += 1;
            }
            self.slots[at & mask] = slot;
        }
    }
}
