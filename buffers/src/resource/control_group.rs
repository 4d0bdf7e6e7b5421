//! The memory limit of the process.

use std::path::Path;

use crate::device::host_memory_info;

/// Where the system mounts control groups.
const ROOT: &str = "/sys/fs/cgroup";

/// The memory that this process may use: the machine's, or the limit of its control group or of its resources if that is
/// less.
pub(crate) fn memory_limit() -> usize {
    let total = host_memory_info().total;
    // Miri has no files.
    if cfg!(miri) {
        return total;
    }
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_limit(&groups, Path::new(ROOT));
    group.into_iter().chain(resource_limit()).fold(total, usize::min)
}

/// The smaller of the soft limits of the address space and of data.
#[cfg(not(miri))]
fn resource_limit() -> Option<usize> {
    let limits = [libc::RLIMIT_AS, libc::RLIMIT_DATA].into_iter().filter_map(|resource| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call writes to a value that is alive.
        let is_known = unsafe { libc::getrlimit(resource, &raw mut limit) } == 0;
        usize::try_from(limit.rlim_cur).ok().filter(|_| is_known && limit.rlim_cur != libc::RLIM_INFINITY)
    });
    limits.min()
}

#[cfg(miri)]
fn resource_limit() -> Option<usize> {
    None
}

/// Blocks of the pool leave this much of such a limit, or an eighth of it if that is less. The process aborts where the
/// standard library is refused memory, so collections and threads need some that no block takes.
const HEADROOM: usize = 32 << 20;

/// What the limit of the process's address space or data leaves for blocks of the pool; `None` without such a limit.
pub(crate) fn resource_left() -> Option<usize> {
    let limit = resource_limit()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kibibytes = size.trim().strip_suffix(" kB")?.parse::<usize>().ok()?;
    let headroom = HEADROOM.min(limit / 8);
    Some(limit.saturating_sub(kibibytes.saturating_mul(1024)).saturating_sub(headroom))
}

/// The smallest limit of the control groups named in `groups`, which has the form of `/proc/self/cgroup`, and
/// of their ancestors. Supports both versions of control groups; a group without a folder under `root` has no
/// limit.
pub(super) fn group_limit(groups: &str, root: &Path) -> Option<usize> {
    let limits = groups.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (root, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let group = root.join(path.trim_start_matches('/'));
        let folders = group.ancestors().take_while(|folder| folder.starts_with(&root));
        // An unlimited group has `max`.
        let limit = |folder: &Path| std::fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok();
        folders.filter_map(limit).min()
    });
    limits.min()
}
