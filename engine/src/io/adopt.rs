//! Decoded arrays as columns in memory of a context, which counts and spills them.

use columnade_buffers::{
    Device, Exec, MappedFile, Reservation, RetryPolicy, RetryableError, with_retry, with_retry_no_split,
};
use columnade_columns::{Column, Result};

/// The part of a budget that decoders may have, see [`decoding`], and that arrays may take before they become columns.
const SHARE: usize = 8;

/// The bytes that readers decode at a time where memory has a limit; `None` without a limit.
pub(super) fn at_a_time(exec: &Exec) -> Option<usize> {
    exec.budget().map(|budget| budget / SHARE)
}

/// Memory of the host for decoders, which take it from the system beside what `exec` counts. Where the budget of `exec` is of the
/// host's memory, as much of it is reserved, so that both together keep the limit. `None` where that is not to be had: decoding
/// then passes the limit by so much at most.
pub(super) fn decoding(bytes: usize, exec: &Exec) -> Option<Reservation> {
    let is_limited = exec.device() == Device::Host && exec.budget().is_some() && bytes > 0;
    if is_limited { exec.reserve(bytes).ok() } else { None }
}

/// The decoded parts of a column, at least one, as a column in memory of `exec`: all at once; where memory does not
/// suffice, one after the other; where it does not suffice for one, in chunks of its rows. A single part that is on the host
/// anyway stays in a mapped file.
pub(super) fn column(mut groups: Vec<Column>, mapped: Option<&MappedFile>, exec: &Exec) -> Result<Column> {
    let policy = RetryPolicy::no_split().with_fallback();
    match with_retry(exec, [()], policy, |(), exec| whole(&mut groups, mapped, exec)) {
        Err(error) if error.is_out_of_memory() => {}
        whole => return whole.map(|mut whole| whole.swap_remove(0)),
    }
    let rows = groups.iter().map(|group| Rows { group, start: 0, len: group.size() });
    let parts = with_retry(exec, rows, RetryPolicy::split(Rows::halves), Rows::copied)?;
    drop(groups);
    let mut column = Column::assemble(&parts, exec)?;
    drop(parts);
    // The dictionary, which the parts share.
    with_retry_no_split(exec, |exec| column.adopt(exec))?;
    Ok(column)
}

fn whole(groups: &mut [Column], mapped: Option<&MappedFile>, exec: &Exec) -> Result<Column> {
    if let [only] = groups {
        match mapped {
            Some(file) => only.adopt_beside(file, exec)?,
            None => only.adopt(exec)?,
        }
        return Ok(only.clone());
    }
    // To a device in one copy.
    let here = if exec.device() == Device::Host { exec } else { &Exec::host() };
    let mut column = Column::concat(&groups.iter().collect::<Vec<_>>(), here)?;
    column.adopt(exec)?;
    Ok(column)
}

/// Rows `start .. start + len` of a part.
#[derive(Clone, Copy)]
struct Rows<'a> {
    group: &'a Column,
    start: usize,
    len: usize,
}

impl Rows<'_> {
    fn halves(&self) -> Option<[Self; 2]> {
        let half = self.len / 2;
        let rest = Self { start: self.start + half, len: self.len - half, ..*self };
        (half > 0).then_some([Self { len: half, ..*self }, rest])
    }

    /// These rows in memory of `exec`, without the rest.
    fn copied(&self, exec: &Exec) -> Result<Column> {
        let rows = self.group.slice(self.start, self.len)?;
        // A group that was moved before memory ran out is on the device already.
        if rows.device() == exec.device() { rows.deep_copy(exec) } else { rows.to_device(exec) }
    }
}
