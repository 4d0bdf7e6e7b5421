//! Group ids of rows that come chunk by chunk: what is known of the groups is kept from one chunk to the next, and
//! partitioned as in `partitioned`.

use super::partitioned::{FirstRowMarks, Ranks};
use super::{Groups, NullKeys};
use crate::keys::{
    self, GroupTable, KEY_BATCH, KeyColumn, KeyLayout, KeyWidth, NO_TICKET, NullRows, Origin, Packer, Part,
    PartitionedRows, SameKey,
};
use crate::parallel::for_each_part;
use crate::scratch::{Cursor, List, Scratch};
use crate::tuning::GROUP_PARTITION_TABLE_ROWS;
use crate::{Error, Result, RowMap, RowWidth, View, access};
use columnade_buffers::{Buffer, Exec};
use smallvec::SmallVec;

/// Slots of an array by key that one partition has at least.
const SLOTS: usize = 64 * 1024;
/// The bytes of a group of keys that are hashed, at least; an array that takes less is the faster one.
const HASHED_BYTES: usize = 32;
/// Partitions at most: they are numbered in 16 bits, and each has a table.
const MAX_PARTITIONS: usize = 1024;
/// In an array by key: the group is new, and the rest is its first row in the chunk.
const NEW: u32 = 1 << 31;

/// What has to be known of the keys of all chunks before [`ChunkedGroupIds`] can be made: the range of their values.
#[derive(Clone, Debug, Default)]
pub struct KeyRanges(keys::KeyRanges);

impl KeyRanges {
    /// Measures the keys of one more chunk; `false` for keys that cannot be grouped in chunks: strings.
    ///
    /// # Errors
    /// If the bytes of a key cannot be unspilled.
    pub fn add(&mut self, keys: &[View<'_>], exec: &Exec) -> Result<bool> {
        let guards = access(keys, exec)?;
        let columns: SmallVec<[KeyColumn<'_>; 4]> = guards.iter().map(KeyColumn::new).collect();
        Ok(self.0.add(&columns))
    }

    /// How `groups` groups are found, if chunks have up to `chunk` rows; `None` for keys that 64 bits do not hold.
    fn shape(&self, nulls: NullKeys, groups: usize, chunk: usize) -> Option<(KeyLayout, Shape)> {
        let layout = self.0.layout(null_rows(nulls));
        if layout.width() != KeyWidth::Word {
            return None;
        }
        let groups = groups.max(1);
        if let Some(slots) = layout.bound()
            && slots <= (groups.saturating_mul(HASHED_BYTES) / size_of::<u32>()).max(SLOTS)
            && slots < NEW as usize
        {
            let slots_of_part = slots.div_ceil(MAX_PARTITIONS).max(SLOTS).next_power_of_two();
            return Some((layout, Shape::Direct { slots, slots_of_part }));
        }
        let parts = (groups / GROUP_PARTITION_TABLE_ROWS).next_power_of_two().clamp(2, MAX_PARTITIONS);
        // Hashing is not even, and a chunk may be of new groups.
        let each = (groups / parts + chunk / parts).saturating_mul(9) / 8 + KEY_BATCH;
        Some((layout, Shape::Hashed { parts, each }))
    }

    /// The bytes that numbering takes in all, if there are `groups` groups and chunks have up to `chunk` rows; `None` for keys
    /// that 64 bits do not hold.
    pub fn bytes(&self, nulls: NullKeys, groups: usize, chunk: usize) -> Option<usize> {
        let (layout, shape) = self.shape(nulls, groups, chunk)?;
        let tables = match shape {
            Shape::Direct { slots, .. } => slots * size_of::<u32>(),
            Shape::Hashed { parts, each } => {
                let slot = if layout.bits() < u32::BITS { 8 } else { 16 };
                parts.saturating_mul((2 * each).next_power_of_two() * slot + each * 12)
            }
        };
        Some(tables.saturating_add(chunk.saturating_mul(CHUNK_ROW_BYTES)))
    }
}

/// Bytes of a row while its chunk is numbered: its key twice, and its row, partition, ticket, first row and id.
const CHUNK_ROW_BYTES: usize = 2 * 8 + 4 + 2 + 4 + 4 + 4 + 1;

/// How groups are found.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// In an array over all keys.
    Direct { slots: usize, slots_of_part: usize },
    /// In tables with capacity for so many groups each.
    Hashed { parts: usize, each: usize },
}

/// Numbers the groups of rows that come chunk by chunk, in order of first appearance: the ids are those that
/// [`group_ids`](super::group_ids()) gives for all rows at a time.
///
/// ```text
/// chunk   b a b   null a c      ids  0 1 0   none 1 2      first_rows  0 1   2      (NullKeys::Drop)
/// ```
/// # Device
/// The host only. Of each chunk the rows are partitioned by key and numbered partition by partition, in parallel; memory is for
/// all groups and one chunk.
pub struct ChunkedGroupIds {
    layout: KeyLayout,
    tables: Tables,
    groups: usize,
}

enum Tables {
    /// The id of each key, in partitions of so many.
    Direct(Scratch<u32>, usize),
    Hashed(Vec<Table>),
}

/// The groups of one partition, and the id of each.
struct Table {
    table: GroupTable<u64>,
    ids: List<u32>,
}

fn null_rows(nulls: NullKeys) -> NullRows {
    match nulls {
        NullKeys::Drop => NullRows::Miss,
        NullKeys::Group => NullRows::Keys,
    }
}

impl ChunkedGroupIds {
    /// No groups so far. `ranges` is of the keys of all chunks, which have up to `chunk` rows and about `groups` groups
    /// together; `None` for keys that 64 bits do not hold.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn new(
        ranges: &KeyRanges,
        nulls: NullKeys,
        groups: usize,
        chunk: usize,
        exec: &Exec,
    ) -> Result<Option<Self>> {
        let Some((layout, shape)) = ranges.shape(nulls, groups, chunk) else { return Ok(None) };
        let tables = match shape {
            Shape::Direct { slots, slots_of_part } => {
                Tables::Direct(Scratch::filled(slots, NO_TICKET, exec)?, slots_of_part)
            }
            Shape::Hashed { parts, each } => {
                let table = |_| -> Result<Table> {
                    let table = GroupTable::growing_to(layout.bits().max(u32::BITS - 1), each, each, exec)?;
                    Ok(Table { table, ids: List::new(each, exec)? })
                };
                Tables::Hashed((0..parts).map(table).collect::<Result<_>>()?)
            }
        };
        Ok(Some(Self { layout, tables, groups: 0 }))
    }

    /// The number of groups so far.
    pub fn len(&self) -> usize {
        self.groups
    }

    /// Whether there are no groups so far.
    pub fn is_empty(&self) -> bool {
        self.groups == 0
    }

    /// The ids of the rows of the next chunk; the first rows are those of the groups that no chunk before it has, counted
    /// from its first row. After an error the groups are not to be used any more.
    ///
    /// # Errors
    /// [`Error::NotImplemented`] for 2³¹ groups or more, and for chunks of as many rows; [`Error::Memory`].
    pub fn number(&mut self, keys: &[View<'_>], exec: &Exec) -> Result<Groups> {
        let rows = keys.first().map_or(0, View::len);
        if self.groups + rows >= NEW as usize {
            return Err(Error::NotImplemented { feature: "2^31 groups or more in chunks" });
        }
        let guards = access(keys, exec)?;
        let columns: SmallVec<[KeyColumn<'_>; 4]> = guards.iter().map(KeyColumn::new).collect();
        let source = Packer::new(&self.layout, &columns, Origin::Measured);
        let mut ids = Buffer::uninit(rows * size_of::<u32>(), exec)?;
        let mut guard = ids.write(exec)?;
        let out = &mut guard.as_mut_slice::<u32>()[..rows];
        let first_rows = number(source, &mut self.tables, self.groups, out, exec)?;
        drop(guard);
        self.groups += first_rows.len;
        Ok(Groups { ids: RowMap { rows: ids, width: RowWidth::U32, len: rows }, first_rows })
    }
}

/// Writes the ids of the rows of a chunk, where `before` groups were known, and returns the first rows of new ones.
fn number(
    source: Packer<'_>,
    tables: &mut Tables,
    before: usize,
    ids: &mut [u32],
    exec: &Exec,
) -> Result<RowMap> {
    let count = ids.len();
    let partitions = match &*tables {
        Tables::Direct(slots, slots_of_part) => slots.as_slice().len().div_ceil(*slots_of_part).max(1),
        Tables::Hashed(parts) => parts.len(),
    };
    let of_key: &(dyn Fn(u64) -> usize + Sync) = &match &*tables {
        Tables::Direct(_, slots_of_part) => {
            let shift = slots_of_part.trailing_zeros();
            // A miss is in no slot of the first partition.
            Box::new(move |key: u64| if key == u64::MAX { 0 } else { (key >> shift) as usize })
                as Box<dyn Fn(u64) -> usize + Sync>
        }
        Tables::Hashed(parts) => {
            let mask = parts.len() as u64 - 1;
            Box::new(move |key: u64| (keys::PackedKey::hash(key) & mask) as usize)
        }
    };
    let mut partitioned = PartitionedRows::new(source, 0..count, partitions, of_key, exec)?;
    let mut marks = Scratch::filled(count.div_ceil(64), 0, exec)?;
    let parts = partitioned.parts();
    let first_rows = match tables {
        Tables::Direct(slots, slots_of_part) => {
            let slots = slots.as_mut_slice();
            // Without a key that has a code there are no slots.
            let slots: Vec<&mut [u32]> =
                if slots.is_empty() { vec![slots] } else { slots.chunks_mut(*slots_of_part).collect() };
            let parts = slots.into_iter().zip(parts).collect();
            number_direct(parts, *slots_of_part, before, &mut marks, exec)?
        }
        Tables::Hashed(tables) => {
            let mut new_rows = Scratch::<u32>::uninit(count, exec)?;
            let mut rest = &mut new_rows.as_mut_slice()[..count];
            let mut work = Vec::with_capacity(partitions);
            for (table, parts) in tables.iter_mut().zip(parts) {
                let most = parts.iter().map(|part| part.keys.len()).sum::<usize>();
                table.table.request(most, exec)?;
                table.ids.request(most, exec)?;
                let (new_rows, tail) = rest.split_at_mut(most);
                work.push(Hashed { table, parts, new_rows, new: 0 });
                rest = tail;
            }
            number_hashed(work, before, &mut marks, exec)?
        }
    };
    partitioned.tickets_in_row_order(ids);
    Ok(first_rows)
}

/// The parts of a partition, and its part of the array by key.
type Direct<'a, 'b> = Vec<(&'a mut [u32], Vec<Part<'b, u64>>)>;

fn number_direct(
    mut work: Direct<'_, '_>,
    slots_of_part: usize,
    before: usize,
    marks: &mut Scratch<u64>,
    exec: &Exec,
) -> Result<RowMap> {
    let slot_of = |partition: usize, key: u64| key.wrapping_sub((partition * slots_of_part) as u64) as usize;
    let first = FirstRowMarks(marks.as_atomics());
    for_each_part(&mut work, |partition, (slots, parts)| {
        for part in &*parts {
            for (&key, &row) in part.keys.iter().zip(part.rows) {
                if let Some(slot) = slots.get_mut(slot_of(partition, key))
                    && *slot == NO_TICKET
                {
                    *slot = NEW | row;
                    first.mark(row);
                }
            }
        }
    });
    let ranks = Ranks::new(marks.as_slice(), exec)?;
    for_each_part(&mut work, |partition, (slots, parts)| {
        let ranks = ranks.reader();
        for part in parts {
            for (&key, ticket) in part.keys.iter().zip(&mut *part.tickets) {
                *ticket = slots.get_mut(slot_of(partition, key)).map_or(NO_TICKET, |slot| {
                    if *slot & NEW != 0 {
                        *slot = before as u32 + ranks.rank(*slot & !NEW);
                    }
                    *slot
                });
            }
        }
    });
    ranks.first_rows(exec)
}

/// One partition of a chunk, with a place for the first rows of its new groups.
struct Hashed<'a, 'b> {
    table: &'a mut Table,
    parts: Vec<Part<'b, u64>>,
    new_rows: &'a mut [u32],
    new: usize,
}

/// Collects the first rows of groups that are new; packed keys are exact.
struct NewRows<'a, 'b> {
    new_rows: &'a mut Cursor<'b, u32>,
    /// The rows of a batch of keys.
    rows: &'a [u32],
}

impl SameKey<u64> for NewRows<'_, '_> {
    #[inline]
    fn same(&self, _: u32, _: usize) -> bool {
        true
    }

    #[inline]
    fn added(&mut self, index: usize) {
        self.new_rows.push(self.rows[index]);
    }
}

fn number_hashed(
    mut work: Vec<Hashed<'_, '_>>,
    before: usize,
    marks: &mut Scratch<u64>,
    exec: &Exec,
) -> Result<RowMap> {
    let first = FirstRowMarks(marks.as_atomics());
    for_each_part(&mut work, |_, Hashed { table, parts, new_rows, new }| {
        let mut new_rows = Cursor { values: new_rows, len: new };
        for part in parts {
            let batches = part.keys.chunks(KEY_BATCH).zip(part.rows.chunks(KEY_BATCH));
            for ((keys, rows), tickets) in batches.zip(part.tickets.chunks_mut(KEY_BATCH)) {
                table.table.tickets_where(keys, tickets, &mut NewRows { new_rows: &mut new_rows, rows });
            }
        }
        for &row in &new_rows.values[..*new_rows.len] {
            first.mark(row);
        }
    });
    let ranks = Ranks::new(marks.as_slice(), exec)?;
    for_each_part(&mut work, |_, Hashed { table, parts, new_rows, new }| {
        let ranks = ranks.reader();
        let mut ids = table.ids.cursor();
        for &row in &new_rows[..*new] {
            ids.push(before as u32 + ranks.rank(row));
        }
        let ids = table.ids.as_slice();
        for ticket in parts.iter_mut().flat_map(|part| part.tickets.iter_mut()) {
            *ticket = ids.get(*ticket as usize).copied().unwrap_or(NO_TICKET);
        }
    });
    ranks.first_rows(exec)
}
