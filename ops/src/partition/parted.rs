//! Rows in parts, partitioned part by part.

use super::hash_partition;
use crate::chunks::{ChunkPlan, MAP_BYTES, MemoryEstimate, at_once, at_work, concat_rows, in_chunks, leave};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Result};

/// Rows that lie in several parts, one after the other.
pub(crate) type Parted = Vec<ColumnAccessor>;

/// Has the rows of all parts brought home in the background, each part in buffers of its own. What cannot be is brought
/// when it is wanted.
pub(crate) fn look_ahead(parts: &mut Parted, exec: &Exec) {
    for part in parts {
        if let Ok(own) = part.isolate(exec) {
            own.will_need();
            *part = own;
        }
    }
}

/// Partitions at a time at most. More would make pieces of few rows; what does not fit then is partitioned again.
const MOST: usize = 64;
/// Nor does a piece that takes the room go into parts of fewer bytes than this, but for few of them: each is a move of its
/// own when it comes home.
const LEAST_SLICE: usize = 4 << 10;
const FEW: usize = 4;

/// Into how many partitions `bytes` bytes go, so that each comes to fit `room`.
pub(crate) fn partition_count(bytes: usize, room: usize) -> usize {
    // Hashing is not even: partitions are planned a quarter smaller than what fits.
    let count = bytes.saturating_add(bytes / 4).div_ceil(room.max(1));
    let most = (room / LEAST_SLICE).clamp(FEW, MOST);
    count.clamp(2, most).next_power_of_two()
}

/// The rows of all parts by the hash of their keys, which `keys` gives for a piece of them: for each partition its
/// rows, in order. No more is brought together at a time than fits the budget, and parts that are smaller are partitioned
/// together.
pub(crate) fn partition_parts(
    parts: &[ColumnAccessor],
    count: usize,
    seed: u64,
    exec: &Exec,
    keys: impl for<'a> Fn(&'a ColumnAccessor) -> Result<Vec<&'a Column>>,
) -> Result<Vec<Parted>> {
    let mut partitions: Vec<Parted> = (0..count).map(|_| Parted::new()).collect();
    let partitioned = |rows: &ColumnAccessor, exec: &Exec| {
        let (rows, offsets) = hash_partition(rows, &keys(rows)?, count, seed, exec)?;
        leave(&rows)?;
        Ok((rows, offsets))
    };
    for Group { parts, bytes } in groups(parts, exec)? {
        if let [_, _, ..] = parts {
            let operands: Vec<&ColumnAccessor> = parts.iter().collect();
            let whole = at_once(&operands, bytes, exec, |exec| {
                parts.iter().for_each(at_work);
                partitioned(&concat_rows(parts, exec)?, exec)
            })?;
            if let Some((rows, offsets)) = whole {
                distribute(&mut partitions, &rows, &offsets)?;
                continue;
            }
        }
        for part in parts {
            let plan = ChunkPlan::of(part.rows(), exec, || needs(part))?;
            for (rows, offsets) in in_chunks(part, plan, exec, partitioned)? {
                distribute(&mut partitions, &rows, &offsets)?;
            }
        }
    }
    Ok(partitions)
}

/// What partitioning a part takes.
fn needs(part: &ColumnAccessor) -> Result<MemoryEstimate> {
    let operands = part.row_bytes()?;
    Ok(MemoryEstimate { operands, others: 2 * operands + MAP_BYTES * part.rows(), fixed_overhead: 0 })
}

/// Parts that are next to each other.
struct Group<'a> {
    parts: &'a [ColumnAccessor],
    /// What they take together; 0: not known.
    bytes: usize,
}

/// The parts in groups that fit the budget together, or are one part alone.
fn groups<'a>(parts: &'a [ColumnAccessor], exec: &Exec) -> Result<Vec<Group<'a>>> {
    // Brought together they are there once more.
    let bytes_of = |part| needs(part).map(|needs| needs.bytes() + needs.operands);
    let bytes = match parts {
        [] | [_] => vec![0; parts.len()],
        parts => parts.iter().map(bytes_of).collect::<Result<Vec<usize>>>()?,
    };
    let exec = exec.for_work_of(bytes.iter().sum());
    let most = exec.planned_budget().unwrap_or_else(|| exec.min_chunk_bytes());
    let (mut groups, mut start, mut taken) = (Vec::new(), 0, 0);
    for (at, &bytes) in bytes.iter().enumerate() {
        if at > start && taken + bytes > most {
            groups.push(Group { parts: &parts[start..at], bytes: taken });
            (start, taken) = (at, 0);
        }
        taken += bytes;
    }
    groups.push(Group { parts: &parts[start..], bytes: taken });
    Ok(groups)
}

/// Adds rows that are partitioned, the partitions between these offsets, to what the partitions have so far.
fn distribute(partitions: &mut [Parted], rows: &ColumnAccessor, offsets: &[usize]) -> Result<()> {
    for (partition, ends) in partitions.iter_mut().zip(offsets.windows(2)) {
        // An empty partition keeps one part, for its columns.
        if ends[1] > ends[0] || partition.is_empty() {
            if partition.first().is_some_and(|first| first.rows() == 0) {
                partition.clear();
            }
            partition.push(rows.slice(ends[0], ends[1] - ends[0])?);
        }
    }
    Ok(())
}
