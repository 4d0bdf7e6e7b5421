//! Host implementation of `hash_join`.
//!
//! Both sides get tickets from a hash table over the keys of one side: the smaller one, unless the sizes are
//! close. The right rows of each ticket are listed in row order, and a left row's matches are the list of its
//! ticket. So the order of the result does not depend on the build side.

use super::partitioned;
use super::rank_table::RankTable;
use super::{JoinKind, JoinMaps, MatchRanges, NullEquality};
use crate::keys::{
    GroupTable, HashedRows, KEY_BATCH, KeyColumn, KeyLayout, KeyWidth, NO_TICKET, NullRows, Origin,
    PackedKey, Packer, RowKeys,
};
use crate::parallel::{for_each_chunk, for_each_part, for_each_task, threads};
use crate::row_map::RowIndex;
use crate::scratch::{List, Scratch};
use crate::tuning::{HOST_MORSEL_ROWS, JOIN_DENSE_KEYS, JOIN_DENSE_KEYS_PER_ROW, JOIN_PARTITION_ROWS};
use crate::{Error, Result, RowMap, RowWidth, View, access, morsel};
use columnade_buffers::{Buffer, Exec};
use smallvec::SmallVec;

pub(super) fn hash_join(
    left: &[View<'_>],
    right: &[View<'_>],
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<JoinMaps> {
    match join(left, right, Output::Maps(kind), nulls, exec)? {
        Joined::Maps(maps) => Ok(maps),
        Joined::Ranges(_) => Err(Error::Internal { invariant: "a join of a kind gives maps" }),
    }
}

pub(super) fn match_ranges(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<MatchRanges> {
    match join(left, right, Output::Ranges, nulls, exec)? {
        Joined::Ranges(ranges) => Ok(ranges),
        Joined::Maps(_) => Err(Error::Internal { invariant: "a join without a kind gives ranges" }),
    }
}

/// What is made of the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Maps(JoinKind),
    Ranges,
}

enum Joined {
    Maps(JoinMaps),
    Ranges(MatchRanges),
}

fn join(
    left: &[View<'_>],
    right: &[View<'_>],
    output: Output,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Joined> {
    let views: SmallVec<[View<'_>; 8]> = left.iter().chain(right).copied().collect();
    let guards = access(&views, exec)?;
    let columns: SmallVec<[KeyColumn<'_>; 8]> = guards.iter().map(KeyColumn::new).collect();
    let (left, right) = columns.split_at(left.len());
    let rows = |side: &[KeyColumn<'_>]| side.first().map_or(0, |column| column.rows);
    let nulls = match nulls {
        NullEquality::Equal => NullRows::Keys,
        NullEquality::Unequal => NullRows::Miss,
    };
    // Building costs about twice as much as probing.
    let build = if rows(left) * 2 <= rows(right) { Side::Left } else { Side::Right };
    let (built, left_origin, right_origin) = match build {
        Side::Left => (left, Origin::Measured, Origin::Foreign),
        Side::Right => (right, Origin::Foreign, Origin::Measured),
    };
    let layout = KeyLayout::measure(built, nulls);
    let join = Join { output, build, left_rows: rows(left), right_rows: rows(right), exec };
    let packers = (Packer::new(&layout, left, left_origin), Packer::new(&layout, right, right_origin));
    match layout.width() {
        KeyWidth::Word => join.run::<u64, _>(packers.0, packers.1, &layout),
        KeyWidth::Double => join.run::<u128, _>(packers.0, packers.1, &layout),
        KeyWidth::Hashed => join.run(HashedRows::new(left, nulls), HashedRows::new(right, nulls), &layout),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A table over the keys of one side.
enum Table<K> {
    /// Keys in a small range.
    Ranked(RankTable),
    /// Any keys, and the first row of each unless keys are exact.
    Hashed(GroupTable<K>, List<u64>),
}

struct Join<'a> {
    output: Output,
    /// The side that the table is built from.
    build: Side,
    left_rows: usize,
    right_rows: usize,
    exec: &'a Exec,
}

impl Join<'_> {
    fn run<K: PackedKey, S: RowKeys<K>>(&self, left: S, right: S, layout: &KeyLayout) -> Result<Joined> {
        let mut left_tickets = Buffer::uninit(self.left_rows * size_of::<u32>(), self.exec)?;
        let mut right_tickets = Buffer::uninit(self.right_rows * size_of::<u32>(), self.exec)?;
        let (mut left_guard, mut right_guard) =
            (left_tickets.write(self.exec)?, right_tickets.write(self.exec)?);
        let left_tickets = &mut left_guard.as_mut_slice::<u32>()[..self.left_rows];
        let right_tickets = &mut right_guard.as_mut_slice::<u32>()[..self.right_rows];
        let distinct = match self.build {
            _ if self.is_partitioned(layout) => {
                let left = partitioned::Side { source: left, tickets: &mut *left_tickets };
                let right = partitioned::Side { source: right, tickets: &mut *right_tickets };
                let (built, probed) = match self.build {
                    Side::Left => (left, right),
                    Side::Right => (right, left),
                };
                let partitioning = partitioned::Partitioning::for_rows(built.tickets.len());
                partitioned::number(built, probed, layout.bits(), partitioning, self.exec)?
            }
            Side::Right => {
                let table = Table::build(right, layout, right_tickets, self.lists_wanted(), self.exec)?;
                table.probe(left, right, left_tickets);
                table.len()
            }
            Side::Left => {
                let table = Table::build(left, layout, left_tickets, true, self.exec)?;
                table.probe(right, left, right_tickets);
                table.len()
            }
        };
        let (left_tickets, right_tickets) = (&*left_tickets, &*right_tickets);
        match RowWidth::for_rows(self.left_rows.max(self.right_rows)) {
            RowWidth::U32 => self.outputs::<u32>(left_tickets, right_tickets, distinct),
            RowWidth::U64 => self.outputs::<u64>(left_tickets, right_tickets, distinct),
        }
    }

    /// Whether both sides are partitioned, since a table of one does not stay in a cache.
    fn is_partitioned(&self, layout: &KeyLayout) -> bool {
        let (built, probed) = match self.build {
            Side::Left => (self.left_rows, self.right_rows),
            Side::Right => (self.right_rows, self.left_rows),
        };
        let are_narrow = RowWidth::for_rows(built.max(probed)) == RowWidth::U32;
        built >= JOIN_PARTITION_ROWS && are_narrow && dense_bound(layout, built).is_none()
    }

    /// Whether the matching right rows are needed.
    fn lists_wanted(&self) -> bool {
        match self.output {
            Output::Ranges => true,
            Output::Maps(kind) => kind.has_pairs(),
        }
    }

    fn outputs<I: RowIndex>(&self, left: &[u32], right: &[u32], distinct: usize) -> Result<Joined> {
        match self.output {
            Output::Maps(kind) => self.maps::<I>(kind, left, right, distinct).map(Joined::Maps),
            Output::Ranges => self.ranges::<I>(left, right, distinct).map(Joined::Ranges),
        }
    }

    /// The list of right rows, and the range of each left row in it.
    fn ranges<I: RowIndex>(&self, left: &[u32], right: &[u32], distinct: usize) -> Result<MatchRanges> {
        let exact = (self.build == Side::Right).then_some(distinct);
        let lists = Lists::<I>::new(right, distinct, exact, self.exec)?;
        let bound = |ticket: u32, end: bool| match &lists {
            _ if ticket == NO_TICKET => I::of(0),
            Lists::One { .. } => I::of(ticket as usize + usize::from(end)),
            Lists::Many { ends, .. } => ends.as_slice()[ticket as usize + usize::from(end)],
        };
        let bounds = |end: bool| -> Result<RowMap> {
            let rows = morsel::build_values::<I>(left.len(), self.exec, |rows, out| {
                for (&ticket, out) in left[rows].iter().zip(out) {
                    *out = bound(ticket, end);
                }
            })?;
            Ok(RowMap { rows, width: I::WIDTH, len: left.len() })
        };
        let (starts, ends) = (bounds(false)?, bounds(true)?);
        let list = |rows: Scratch<I>| {
            let len = rows.as_slice().len();
            RowMap { rows: rows.into_buffer(len), width: I::WIDTH, len }
        };
        let rows = match lists {
            Lists::One { row } => row.map(list),
            Lists::Many { rows, .. } => Some(list(rows)),
        };
        Ok(MatchRanges { starts, ends, rows, right_rows: self.right_rows })
    }

    fn maps<I: RowIndex>(
        &self,
        kind: JoinKind,
        left: &[u32],
        right: &[u32],
        distinct: usize,
    ) -> Result<JoinMaps> {
        if !kind.has_pairs() {
            // All tickets of a table of right keys occur on the right.
            let present = match self.build {
                Side::Left => Some(present(right, distinct, self.exec)?),
                Side::Right => None,
            };
            return self.left_rows_where::<I>(kind, left, present.as_ref().map(Scratch::as_slice));
        }
        let unmatched = match kind {
            JoinKind::Full => {
                let found = present(left, distinct, self.exec)?;
                let found = found.as_slice();
                let unmatched = |ticket: u32| found.get(ticket as usize).is_none_or(|&found| found == 0);
                Some(self.rows_where::<I>(right, &unmatched)?)
            }
            _ => None,
        };
        let exact = (self.build == Side::Right).then_some(distinct);
        match Lists::<I>::new(right, distinct, exact, self.exec)? {
            Lists::One { row } => {
                let row = row.as_ref().map(Scratch::as_slice);
                let row_of = |ticket: u32| match row {
                    None if ticket == NO_TICKET => I::NONE,
                    None => I::of(ticket as usize),
                    Some(row) => row.get(ticket as usize).copied().unwrap_or(I::NONE),
                };
                let is_kept = |ticket: u32| kind.keeps_left() || ticket != NO_TICKET;
                let count = |left: &[u32]| left.iter().filter(|&&ticket| is_kept(ticket)).count();
                self.pairs::<I>(left, unmatched, &count, &|left, first, left_out, right_out| {
                    let mut next = 0;
                    for (row, &ticket) in (first..).zip(left) {
                        // Written in any case, counted only if kept: no branch to predict.
                        if let (Some(left), Some(right)) = (left_out.get_mut(next), right_out.get_mut(next)) {
                            (*left, *right) = (I::of(row), row_of(ticket));
                        }
                        next += usize::from(is_kept(ticket));
                    }
                })
            }
            Lists::Many { ends, rows } => {
                let (ends, rows) = (ends.as_slice(), rows.as_slice());
                let list = |ticket: u32| match ends.get(ticket as usize + 1) {
                    Some(end) if ticket != NO_TICKET => &rows[ends[ticket as usize].row()..end.row()],
                    _ => &[],
                };
                let least = usize::from(kind.keeps_left());
                let count = |left: &[u32]| left.iter().map(|&ticket| list(ticket).len().max(least)).sum();
                self.pairs::<I>(left, unmatched, &count, &|left, first, left_out, right_out| {
                    let mut next = 0;
                    for (row, &ticket) in (first..).zip(left) {
                        let found = list(ticket);
                        let end = next + found.len();
                        left_out[next..end].fill(I::of(row));
                        right_out[next..end].copy_from_slice(found);
                        next = end;
                        if found.is_empty() && least > 0 {
                            (left_out[next], right_out[next]) = (I::of(row), I::NONE);
                            next += 1;
                        }
                    }
                })
            }
        }
    }

    /// The left rows of a semi or anti join.
    fn left_rows_where<I: RowIndex>(
        &self,
        kind: JoinKind,
        left: &[u32],
        present: Option<&[u8]>,
    ) -> Result<JoinMaps> {
        let wanted = kind == JoinKind::Semi;
        let left = match present {
            None => self.rows_where::<I>(left, &|ticket| (ticket != NO_TICKET) == wanted)?,
            Some(present) => self.rows_where::<I>(left, &|ticket| {
                present.get(ticket as usize).is_some_and(|&there| there != 0) == wanted
            })?,
        };
        Ok(JoinMaps { left, right: None })
    }

    /// The rows whose tickets are kept.
    fn rows_where<I: RowIndex>(
        &self,
        tickets: &[u32],
        keep: &(impl Fn(u32) -> bool + Sync),
    ) -> Result<RowMap> {
        let count = |tickets: &[u32]| tickets.iter().filter(|&&ticket| keep(ticket)).count();
        let counts = morsel::map(tickets.len(), |rows| count(&tickets[rows]));
        let total = counts.iter().sum();
        let mut out = Buffer::uninit(total * size_of::<I>(), self.exec)?;
        let mut guard = out.write(self.exec)?;
        let outs = split(&mut guard.as_mut_slice::<I>()[..total], &counts);
        for_each_part(outs.into_iter().zip(tickets.chunks(HOST_MORSEL_ROWS)), |morsel, (out, tickets)| {
            let mut next = 0;
            for (row, &ticket) in (morsel * HOST_MORSEL_ROWS..).zip(tickets) {
                // Written in any case, counted only if kept: no branch to predict.
                if let Some(out) = out.get_mut(next) {
                    *out = I::of(row);
                }
                next += usize::from(keep(ticket));
            }
        });
        drop(guard);
        Ok(RowMap { rows: out, width: I::WIDTH, len: total })
    }

    /// The pairs of an inner, left or full join, morsel by morsel: `count` says how many its left rows have, `write` writes them.
    /// The right rows of `unmatched` follow, without a left row.
    fn pairs<I: RowIndex>(
        &self,
        left: &[u32],
        unmatched: Option<RowMap>,
        count: &(impl Fn(&[u32]) -> usize + Sync),
        write: &(impl Fn(&[u32], usize, &mut [I], &mut [I]) + Sync),
    ) -> Result<JoinMaps> {
        let counts = morsel::map(left.len(), |rows| count(&left[rows]));
        let matched: usize = counts.iter().sum();
        let total = matched + unmatched.as_ref().map_or(0, |rows| rows.len);
        let mut left_out = Buffer::uninit(total * size_of::<I>(), self.exec)?;
        let mut right_out = Buffer::uninit(total * size_of::<I>(), self.exec)?;
        let (mut left_guard, mut right_guard) = (left_out.write(self.exec)?, right_out.write(self.exec)?);
        let (left_pairs, left_rest) = left_guard.as_mut_slice::<I>()[..total].split_at_mut(matched);
        let (right_pairs, right_rest) = right_guard.as_mut_slice::<I>()[..total].split_at_mut(matched);
        if let Some(unmatched) = unmatched {
            left_rest.fill(I::NONE);
            right_rest.copy_from_slice(&unmatched.rows.read(self.exec)?.as_slice::<I>()[..unmatched.len]);
        }
        let (left_outs, right_outs) = (split(left_pairs, &counts), split(right_pairs, &counts));
        let morsels = left_outs.into_iter().zip(right_outs).zip(left.chunks(HOST_MORSEL_ROWS));
        for_each_part(morsels, |morsel, ((left_out, right_out), left)| {
            write(left, morsel * HOST_MORSEL_ROWS, left_out, right_out);
        });
        drop((left_guard, right_guard));
        let map = |rows| RowMap { rows, width: I::WIDTH, len: total };
        Ok(JoinMaps { left: map(left_out), right: Some(map(right_out)) })
    }
}

/// Splits `out` into slices of the given lengths.
fn split<'a, I>(mut out: &'a mut [I], lengths: &[usize]) -> Vec<&'a mut [I]> {
    let mut parts = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (head, rest) = out.split_at_mut(length);
        parts.push(head);
        out = rest;
    }
    parts
}

/// Which tickets occur.
fn present(tickets: &[u32], distinct: usize, exec: &Exec) -> Result<Scratch<u8>> {
    let mut found = Scratch::filled(distinct, 0, exec)?;
    let present = found.as_mut_slice();
    for &ticket in tickets {
        if let Some(present) = present.get_mut(ticket as usize) {
            *present = 1;
        }
    }
    Ok(found)
}

/// A bound of the keys, if it is so small that a table of `rows` of them needs no hashing.
fn dense_bound(layout: &KeyLayout, rows: usize) -> Option<usize> {
    let dense = JOIN_DENSE_KEYS.max(rows.saturating_mul(JOIN_DENSE_KEYS_PER_ROW));
    layout.bound().filter(|&bound| bound <= dense)
}

/// The right rows of each ticket.
enum Lists<I> {
    /// One row per ticket: row `ticket`, or the listed row.
    One { row: Option<Scratch<I>> },
    /// `rows[ends[ticket] .. ends[ticket + 1]]`, ascending.
    Many { ends: Scratch<I>, rows: Scratch<I> },
}

impl<I: RowIndex> Lists<I> {
    /// `exact`: the number of tickets that occur, if known.
    fn new(tickets: &[u32], distinct: usize, exact: Option<usize>, exec: &Exec) -> Result<Self> {
        let counts = morsel::map(tickets.len(), |rows| {
            let is_row = |ticket: u32, row: usize| ticket as usize == row || ticket == NO_TICKET;
            let in_order = tickets[rows.clone()].iter().zip(rows.start..).all(|(&t, row)| is_row(t, row));
            (tickets[rows].iter().filter(|&&ticket| ticket != NO_TICKET).count(), in_order)
        });
        let kept: usize = counts.iter().map(|(kept, _)| kept).sum();
        // Each ticket occurs, so that none belongs to a row without one.
        let in_order = exact.is_some() && counts.iter().all(|(_, in_order)| *in_order);
        if in_order && u32::try_from(tickets.len()).is_ok() {
            return Ok(Lists::One { row: None });
        }
        if exact == Some(kept) {
            let mut row_of = Scratch::filled(distinct, I::NONE, exec)?;
            // Each thread writes the rows of a part of the tickets.
            let part = distinct.div_ceil(threads()).max(HOST_MORSEL_ROWS);
            for_each_chunk(row_of.as_mut_slice(), part, |nth, rows| {
                for (row, &ticket) in tickets.iter().enumerate() {
                    if let Some(out) = rows.get_mut((ticket as usize).wrapping_sub(nth * part)) {
                        *out = I::of(row);
                    }
                }
            });
            return Ok(Lists::One { row: Some(row_of) });
        }
        // Starts, and behind them the number of listed rows. Each thread counts and lists a part of the tickets. From the last
        // row to the first, each row moves what is the end of its list at first to the front.
        let mut all_ends = Scratch::filled(distinct + 1, I::of(0), exec)?;
        let ends = &mut all_ends.as_mut_slice()[..=distinct];
        let part = distinct.div_ceil(threads().min(LIST_PARTS)).max(HOST_MORSEL_ROWS);
        for_each_chunk(&mut ends[..distinct], part, |nth, ends| {
            for &ticket in tickets {
                if let Some(end) = ends.get_mut((ticket as usize).wrapping_sub(nth * part)) {
                    *end = I::of(end.row() + 1);
                }
            }
        });
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += end.row();
            *end = I::of(sum);
        }
        let mut all_rows = Scratch::uninit(kept, exec)?;
        let mut rest = &mut all_rows.as_mut_slice()[..kept];
        let (mut parts, mut before) = (Vec::new(), 0);
        for ends in ends[..distinct].chunks_mut(part) {
            let end = ends.last().map_or(before, |end| end.row());
            let (rows, tail) = rest.split_at_mut(end - before);
            parts.push((before, ends, rows));
            (rest, before) = (tail, end);
        }
        for_each_part(parts, |nth, (before, ends, rows): (usize, &mut [I], &mut [I])| {
            for (row, &ticket) in tickets.iter().enumerate().rev() {
                if let Some(end) = ends.get_mut((ticket as usize).wrapping_sub(nth * part)) {
                    let start = end.row() - 1;
                    rows[start - before] = I::of(row);
                    *end = I::of(start);
                }
            }
        });
        Ok(Lists::Many { ends: all_ends, rows: all_rows })
    }
}

impl<K: PackedKey> Table<K> {
    /// A table of the keys of all rows. Writes the ticket of each row if `wanted`.
    fn build<S: RowKeys<K>>(
        source: S,
        layout: &KeyLayout,
        tickets: &mut [u32],
        wanted: bool,
        exec: &Exec,
    ) -> Result<Self> {
        let rows = tickets.len();
        if let Some(bound) = dense_bound(layout, rows) {
            let mut table = RankTable::new(bound, exec)?;
            table.add_all(|add| {
                for_each_task(rows.div_ceil(HOST_MORSEL_ROWS), &|morsel| {
                    let start = morsel * HOST_MORSEL_ROWS;
                    each_batch(source, start, HOST_MORSEL_ROWS.min(rows - start), |_, keys| add(keys));
                });
            });
            table.rank();
            if wanted {
                for_each_chunk(tickets, HOST_MORSEL_ROWS, |morsel, tickets| {
                    let start = morsel * HOST_MORSEL_ROWS;
                    each_batch(source, start, tickets.len(), |first, keys| {
                        table.find(keys, &mut tickets[first - start..][..keys.len()]);
                    });
                });
            }
            return Ok(Table::Ranked(table));
        }
        let mut table = GroupTable::new(layout.bits(), rows.min(JOIN_TABLE_ROWS), exec)?;
        let mut first_rows = List::new(0, exec)?;
        let mut keys = [K::default(); KEY_BATCH];
        for (batch, out) in tickets.chunks_mut(KEY_BATCH).enumerate() {
            let (first, keys) = (batch * KEY_BATCH, &mut keys[..out.len()]);
            source.keys(first, keys);
            table.request(keys.len(), exec)?;
            if S::EXACT {
                // Their first rows are not needed.
                table.tickets(keys, out);
            } else {
                first_rows.request(keys.len(), exec)?;
                source.tickets(&mut table, keys, out, &mut first_rows.cursor(), |index| first + index);
            }
        }
        Ok(Table::Hashed(table, first_rows))
    }

    /// The number of different keys.
    fn len(&self) -> usize {
        match self {
            Table::Ranked(table) => table.len(),
            Table::Hashed(table, _) => table.len(),
        }
    }

    /// The ticket of each row of `source` in the table of the keys of `built`.
    fn probe<S: RowKeys<K>>(&self, source: S, built: S, tickets: &mut [u32]) {
        for_each_chunk(tickets, HOST_MORSEL_ROWS, |morsel, tickets| {
            let start = morsel * HOST_MORSEL_ROWS;
            each_batch(source, start, tickets.len(), |first, keys| {
                let out = &mut tickets[first - start..][..keys.len()];
                match self {
                    Table::Ranked(table) => table.find(keys, out),
                    Table::Hashed(table, _) if S::EXACT => table.find(keys, out),
                    Table::Hashed(table, first_rows) => {
                        let first_rows = first_rows.as_slice();
                        table.find_where(keys, out, |ticket, index| {
                            built.same(first_rows[ticket as usize].row(), &source, first + index)
                        });
                    }
                }
            });
        });
    }
}

/// The initial capacity of a table is at most this many keys: keys of a large side may repeat.
const JOIN_TABLE_ROWS: usize = 1 << 20;

/// Parts of the tickets whose lists are made at a time at most: each looks at all tickets.
const LIST_PARTS: usize = 8;

/// Calls `each` with the first row and the keys of every batch of the `rows` rows from `start`.
fn each_batch<K: PackedKey, S: RowKeys<K>>(
    source: S,
    start: usize,
    rows: usize,
    mut each: impl FnMut(usize, &[K]),
) {
    let mut keys = [K::default(); KEY_BATCH];
    for first in (start..start + rows).step_by(KEY_BATCH) {
        let keys = &mut keys[..KEY_BATCH.min(start + rows - first)];
        source.keys(first, keys);
        each(first, keys);
    }
}
