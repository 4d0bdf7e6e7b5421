//! The last tier: extents of unlinked files.
//!
//! A spill file has no name, or is unlinked as soon as it is open, so the system frees it when the process
//! ends, however it ends. It is not synchronised to the disk, because it need not survive a crash. Freed
//! extents become holes, and with the last one the file is truncated; it stays open for the next.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::extents::Extents;
use super::memory::{Memory, PAGE_BYTES, Preparation};
use super::movers::Movers;
use super::options::DiskAccess;
use crate::device::forks;
use crate::failpoints::{Step, failpoint};
use crate::resource::pages;
use crate::sync::Arc;
use crate::sync::global::{AtomicU64, AtomicUsize, Condvar, Mutex, Ordering};
use crate::{Error, Result, Tier, TierUsage};

/// From this size on, disk blocks are allocated when an extent is reserved and freed with it. For smaller
/// extents the calls would cost more, and the blocks are reused.
const ALLOCATED_FROM: usize = 64 << 10;

/// Bytes of unused blocks that a file keeps: payloads that are stored and freed repeatedly need no new
/// blocks.
const KEPT: u64 = 1 << 20;

const AFTER_FORK: &str =
    "the bytes were spilled to disk before the process was forked, and only the parent has them";

/// The spill files of one set of tiers.
pub(super) struct Disk {
    movers: Arc<Movers>,
    state: Mutex<DiskState>,
    /// Bytes in use, for readers without the lock.
    used: AtomicUsize,
    /// A hole was punched.
    punched: Condvar,
}

struct DiskState {
    folder: PathBuf,
    access: DiskAccess,
    usage: TierUsage,
    /// The file of new extents.
    file: Option<Arc<SpillFile>>,
    /// How the last file is accessed.
    found: Option<DiskAccess>,
    /// The number of holes that are being punched.
    punching: usize,
    /// The bytes in use when the disk was full; `None` once more can be stored.
    full_at: Option<usize>,
}

struct SpillFile {
    /// The process that made it: a forked child shares the file, and must not change it. What it reads there, the parent
    /// may have replaced.
    forks: u32,
    file: File,
    access: DiskAccess,
    extents: Mutex<Extents>,
}

/// An extent of a spill file, in whole pages, released on drop.
pub(super) struct Extent {
    disk: Arc<Disk>,
    file: Arc<SpillFile>,
    offset: u64,
    bytes: usize,
}

impl Disk {
    pub(super) fn new(
        movers: Arc<Movers>,
        folder: PathBuf,
        access: DiskAccess,
        limit: Option<usize>,
    ) -> Self {
        let usage = TierUsage { limit, ..TierUsage::default() };
        let state = DiskState { folder, access, usage, file: None, found: None, punching: 0, full_at: None };
        Self { movers, state: Mutex::new(state), used: AtomicUsize::new(0), punched: Condvar::new() }
    }

    /// Bytes in use.
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    pub(super) fn usage(&self) -> TierUsage {
        self.state.lock().usage
    }

    pub(super) fn has_space(&self, len: usize) -> bool {
        let state = self.state.lock();
        let bytes = state.usage.bytes.saturating_add(len);
        [state.usage.limit, state.full_at].into_iter().flatten().all(|limit| bytes <= limit)
    }

    /// Changes the options of new extents.
    pub(super) fn set(&self, folder: PathBuf, access: DiskAccess, limit: Option<usize>) {
        let mut state = self.state.lock();
        if state.folder != folder || state.access != access {
            (state.folder, state.access, state.file) = (folder, access, None);
            state.full_at = None;
        }
        state.usage.limit = limit;
    }

    /// How the last spill file is accessed; `None` before the first.
    pub(super) fn access(&self) -> Option<DiskAccess> {
        self.state.lock().found
    }

    /// Refuses bytes beyond the limit, and creates the file if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`], [`Error::NotImplemented`].
    pub(super) fn admit(&self, len: usize) -> Result<()> {
        self.state.lock().admit(len.next_multiple_of(PAGE_BYTES))?;
        self.file().map(drop)
    }

    /// An extent for `len` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`] if the limit is reached, the disk is full, or no file can be created.
    pub(super) fn reserve(self: &Arc<Self>, len: usize) -> Result<Extent> {
        let bytes = len.next_multiple_of(PAGE_BYTES);
        if failpoint(Step::Reserve) {
            return Err(refusal("reserve", bytes, &"injected failure"));
        }
        let mut extent = self.take(bytes)?;
        if extent.allocate().is_err() {
            // Freed extents may not be holes yet.
            drop(extent);
            self.await_holes();
            extent = self.take(bytes)?;
            extent.allocate().map_err(|error| extent.failed("reserve", &error))?;
        }
        let usage = &mut self.state.lock().usage;
        usage.peak = usage.peak.max(usage.bytes);
        Ok(extent)
    }

    /// An extent of the current file, within the limit. The drop releases it.
    fn take(self: &Arc<Self>, bytes: usize) -> Result<Extent> {
        // No file is created for a refused request.
        self.state.lock().admit(bytes)?;
        let file = self.file()?;
        let mut state = self.state.lock();
        state.admit(bytes)?;
        state.usage.bytes += bytes;
        self.used.store(state.usage.bytes, Ordering::Relaxed);
        drop(state);
        let offset = file.extents.lock().take(bytes as u64);
        Ok(Extent { disk: Arc::clone(self), file, offset, bytes })
    }

    /// The current file, or a new one.
    fn file(&self) -> Result<Arc<SpillFile>> {
        let (folder, access) = {
            let state = self.state.lock();
            if let Some(file) = state.file.as_ref().filter(|file| file.is_own()) {
                return Ok(Arc::clone(file));
            }
            (state.folder.clone(), state.access)
        };
        access.check()?;
        if failpoint(Step::Open) {
            return Err(refusal("create", 0, &"injected failure"));
        }
        let file = Arc::new(create(&folder, access)?);
        let mut state = self.state.lock();
        // Another thread may have created it between the two locks.
        if let Some(file) = state.file.as_ref().filter(|file| file.is_own()) {
            return Ok(Arc::clone(file));
        }
        if state.folder == folder && state.access == access {
            state.file = Some(Arc::clone(&file));
            state.found = Some(file.access);
        }
        Ok(file)
    }

    /// Waits for the holes that are being punched; returns whether there were any.
    pub(super) fn await_holes(&self) -> bool {
        let mut state = self.state.lock();
        let any = state.punching > 0;
        while state.punching > 0 {
            self.punched.wait(&mut state);
        }
        any
    }
}

impl DiskState {
    /// Refuses bytes beyond the limit.
    fn admit(&self, bytes: usize) -> Result<()> {
        let used = self.usage.bytes;
        let Some(limit) = self.usage.limit.filter(|&limit| used.saturating_add(bytes) > limit) else {
            return Ok(());
        };
        let folder = self.folder.display();
        let reason = format!("{used} of {limit} bytes are in use in {folder} (COLUMNADE_SPILL_DISK_LIMIT)");
        Err(refusal("reserve", bytes, &reason))
    }
}

fn refusal(operation: &'static str, bytes: usize, reason: &dyn ToString) -> Error {
    Error::Storage { tier: Tier::Disk, operation, bytes, reason: reason.to_string() }
}

/// Whether a read may begin: the place of an injected failure. Called by the thread that moves, not by the
/// thread that reads, so that steps are counted in order.
pub(super) fn begin_read(bytes: usize) -> Result<()> {
    if failpoint(Step::Read) { Err(refusal("read", bytes, &"injected failure")) } else { Ok(()) }
}

impl Extent {
    /// Allocates the extent's disk blocks, so that a full disk is detected here and not by a write.
    fn allocate(&self) -> io::Result<()> {
        require_allowed(self.offset + self.bytes as u64)?;
        if self.bytes < ALLOCATED_FROM {
            return Ok(());
        }
        self.file.allocate(self.offset, self.bytes as u64)?;
        self.disk.state.lock().full_at = None;
        Ok(())
    }

    /// Like [`begin_read`], for a write, which fails as if the disk were full.
    pub(super) fn begin_write(&self) -> Result<()> {
        if failpoint(Step::Write) {
            return Err(self.failed("write", &io::Error::new(io::ErrorKind::StorageFull, "injected failure")));
        }
        Ok(())
    }

    /// Whether the bytes are those that this process wrote.
    pub(super) fn is_own(&self) -> bool {
        self.file.is_own()
    }

    /// Writes whole pages from page-aligned memory at a whole page of the extent.
    pub(super) fn write(&self, at: usize, bytes: &[u8]) -> Result<()> {
        debug_assert!(at.is_multiple_of(PAGE_BYTES) && at + bytes.len() <= self.bytes);
        if !self.is_own() {
            return Err(refusal("write", bytes.len(), &AFTER_FORK));
        }
        let mut written = 0;
        while written < bytes.len() {
            let offset = self.offset + (at + written) as u64;
            // Checked here too, because the bound may have been lowered meanwhile.
            let allowed = require_allowed(offset + (bytes.len() - written) as u64);
            match allowed.and_then(|()| self.file.file.write_at(&bytes[written..], offset)) {
                Ok(0) => return Err(refusal("write", bytes.len(), &"the file takes no more bytes")),
                Ok(count) => {
                    let advanced = self.file.advance(written, count, bytes.len());
                    written = advanced.map_err(|error| self.failed("write", &error))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::StorageFull && self.disk.await_holes() => {}
                Err(error) => return Err(self.failed("write", &error)),
            }
        }
        Ok(())
    }

    /// Reads whole pages at a whole page of the extent into page-aligned memory.
    pub(super) fn read(&self, at: usize, target: &mut [u8]) -> Result<()> {
        debug_assert!(at.is_multiple_of(PAGE_BYTES) && at + target.len() <= self.bytes);
        if !self.is_own() {
            return Err(refusal("read", target.len(), &AFTER_FORK));
        }
        let (mut read, len) = (0, target.len());
        while read < len {
            match self.file.file.read_at(&mut target[read..], self.offset + (at + read) as u64) {
                Ok(0) => return Err(refusal("read", len, &"the file ends too early")),
                Ok(count) => {
                    let advanced = self.file.advance(read, count, len);
                    read = advanced.map_err(|error| self.failed("read", &error))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.failed("read", &error)),
            }
        }
        Ok(())
    }

    fn failed(&self, operation: &'static str, error: &io::Error) -> Error {
        let mut state = self.disk.state.lock();
        if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge) {
            state.full_at = Some(state.usage.bytes.saturating_sub(self.bytes));
        }
        refusal(operation, self.bytes, &format!("{}: {error}", state.folder.display()))
    }
}

impl Drop for Extent {
    fn drop(&mut self) {
        let (disk, file) = (Arc::clone(&self.disk), Arc::clone(&self.file));
        let (offset, bytes) = (self.offset, self.bytes as u64);
        let mut state = disk.state.lock();
        state.usage.bytes -= self.bytes;
        disk.used.store(state.usage.bytes, Ordering::Relaxed);
        if !file.is_own() {
            return;
        }
        if self.bytes < ALLOCATED_FROM {
            drop(state);
            return file.put_back(offset, bytes);
        }
        state.punching += 1;
        drop(state);
        let movers = Arc::clone(&disk.movers);
        // A file system without holes keeps the blocks until the file is empty: the extent is reused.
        movers.leave(move || {
            file.punch(offset, bytes);
            file.put_back(offset, bytes);
            drop(file);
            disk.state.lock().punching -= 1;
            disk.punched.notify_all();
        });
    }
}

/// A spill file in `folder`, of which a page was written.
pub(super) fn check_writable(folder: &Path, access: DiskAccess) -> Result<()> {
    create(folder, access).map(drop)
}

fn create(folder: &Path, access: DiskAccess) -> Result<SpillFile> {
    SpillFile::create(folder, access).map_err(|error| {
        refusal("create", 0, &format!("no file in {} can be written: {error}", folder.display()))
    })
}

impl SpillFile {
    fn is_own(&self) -> bool {
        self.forks == forks()
    }

    /// A file without a name in `folder`.
    fn create(folder: &Path, access: DiskAccess) -> io::Result<Self> {
        if access == DiskAccess::Direct && DIRECT != 0 {
            // A file system may refuse direct access when the file is opened or on first use.
            let direct = open(folder, DIRECT).and_then(|file| probe(&file).map(|()| file));
            if let Ok(file) = direct {
                return Ok(Self { forks: forks(), file, access, extents: Mutex::default() });
            }
        }
        let file = open(folder, 0)?;
        probe(&file)?;
        Ok(Self { forks: forks(), file, access: DiskAccess::Cached, extents: Mutex::default() })
    }

    /// Frees an extent. Small ones keep their blocks, which are freed when the last extent is.
    fn put_back(&self, offset: u64, bytes: u64) {
        let mut extents = self.extents.lock();
        extents.put_back(offset, bytes);
        // Under the lock: there is no extent, and none is made before the file is truncated.
        if extents.idle().is_some_and(|kept| kept > KEPT) && self.file.set_len(0).is_ok() {
            extents.restart();
        }
    }

    /// The position after a transfer of `count` more bytes. A short transfer is continued from there; with
    /// direct access from a whole page.
    fn advance(&self, done: usize, count: usize, len: usize) -> io::Result<usize> {
        let reached = done + count;
        if reached == len || self.access != DiskAccess::Direct {
            return Ok(reached);
        }
        let page = reached / PAGE_BYTES * PAGE_BYTES;
        if page > done { Ok(page) } else { Err(io::Error::other("less than a page was transferred")) }
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    fn allocate(&self, offset: u64, bytes: u64) -> io::Result<()> {
        match self.fallocate(0, offset, bytes) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
            done => done,
        }
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    fn punch(&self, offset: u64, bytes: u64) {
        drop(self.fallocate(libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE, offset, bytes));
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    fn fallocate(&self, mode: libc::c_int, offset: u64, bytes: u64) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
        let (offset, bytes) = (offset.try_into().map_err(too_large)?, bytes.try_into().map_err(too_large)?);
        loop {
            // SAFETY: the descriptor is open; the call changes the file's blocks only, not memory.
            if unsafe { libc::fallocate(self.file.as_raw_fd(), mode, offset, bytes) } == 0 {
                return Ok(());
            }
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
    }

    #[cfg(any(not(target_os = "linux"), miri))]
    fn allocate(&self, _offset: u64, _bytes: u64) -> io::Result<()> {
        Ok(())
    }

    #[cfg(any(not(target_os = "linux"), miri))]
    fn punch(&self, _offset: u64, _bytes: u64) {}
}

// Miri supports neither direct access nor files without a name.
#[cfg(all(target_os = "linux", not(miri)))]
const DIRECT: libc::c_int = libc::O_DIRECT;
#[cfg(any(not(target_os = "linux"), miri))]
const DIRECT: libc::c_int = 0;

/// The number of the next file that needs a name.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Opens a new file without a name, or unlinks it.
fn open(folder: &Path, flags: libc::c_int) -> io::Result<File> {
    #[cfg(all(target_os = "linux", not(miri)))]
    if let Ok(file) = options(flags | libc::O_TMPFILE).open(folder) {
        return Ok(file);
    }
    open_named(folder, flags)
}

fn options(flags: libc::c_int) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600).custom_flags(flags);
    options
}

/// Opens a new file and unlinks it.
pub(super) fn open_named(folder: &Path, flags: libc::c_int) -> io::Result<File> {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".columnade-{}-{number}.spill", std::process::id()));
    let file = options(flags).create_new(true).open(&path).inspect_err(|error| {
        // Flags may be refused after the file was created.
        if error.kind() != io::ErrorKind::AlreadyExists {
            drop(std::fs::remove_file(&path));
        }
    })?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// Fails if files of this process may not grow that far: the system would end the process with a signal.
#[cfg(not(miri))]
fn require_allowed(end: u64) -> io::Result<()> {
    let mut bound = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call writes to a value that is alive.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut bound) } == 0;
    if is_known && bound.rlim_cur != libc::RLIM_INFINITY && end > bound.rlim_cur {
        return Err(io::Error::from_raw_os_error(libc::EFBIG));
    }
    Ok(())
}

#[cfg(miri)]
fn require_allowed(_end: u64) -> io::Result<()> {
    Ok(())
}

/// Writes and reads a page as a transfer would.
fn probe(file: &File) -> io::Result<()> {
    require_allowed(PAGE_BYTES as u64)?;
    let mut memory = Memory::new(pages::MAPPED_FROM, Preparation::None).map_err(io::Error::other)?;
    let page = &mut memory.as_mut_slice()[..PAGE_BYTES];
    file.write_all_at(page, 0)?;
    file.read_exact_at(page, 0)
}
