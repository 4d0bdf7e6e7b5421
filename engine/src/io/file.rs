//! Files in steps each of which can be made to fail: [`columnade_buffers::failpoints`].

use std::fs::{self, File, Metadata, ReadDir};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, Bytes};
use columnade_buffers::failpoints::{Step, failpoint};
use columnade_buffers::{Buffer, Exec, MappedFile, OwnedWriteGuard, system_has_memory};
use parquet::errors::{ParquetError as Library, Result as LibraryResult};
use parquet::file::reader::{ChunkReader, Length};
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use tempfile::{Builder, NamedTempFile, TempDir};

/// Fails where a test injects a failure.
fn step(step: Step) -> io::Result<()> {
    if !failpoint(step) {
        return Ok(());
    }
    let kind = if step == Step::Write { ErrorKind::StorageFull } else { ErrorKind::Other };
    Err(io::Error::new(kind, "injected failure"))
}

pub(super) fn metadata(path: &Path) -> io::Result<Metadata> {
    step(Step::Open)?;
    fs::metadata(path)
}

pub(super) fn read_dir(path: &Path) -> io::Result<ReadDir> {
    step(Step::Open)?;
    fs::read_dir(path)
}

pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    step(Step::Open)?;
    fs::canonicalize(path)
}

/// The file that is to be written: a link's target, there or not, so that the link stays. None if what is there is no file.
pub(super) fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match metadata(path) {
        Ok(found) if !found.is_file() => Ok(None),
        Ok(_) => canonicalize(path).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(linked) => target(&path.parent().unwrap_or(Path::new("")).join(linked)),
            Err(_) => Ok(Some(path.to_owned())),
        },
        Err(error) => Err(error),
    }
}

/// A file to be read, from any number of threads. Clones are the same file.
///
/// A decoder above it makes text of all that goes wrong; the system's own error is kept for
/// [`take_failure`](Self::take_failure).
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    file: Arc<File>,
    len: u64,
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl SourceFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        step(Step::Open)?;
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), len, failure: Arc::default() })
    }

    /// Its bytes when it was opened.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Reads until `bytes` is full or the file ends.
    pub(super) fn read_exact_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.position(at).read_exact(bytes).map_err(|error| self.take_failure().unwrap_or(error))
    }

    /// Its bytes, mapped into memory.
    pub(super) fn mapped(&self) -> io::Result<MappedFile> {
        step(Step::Open)?;
        MappedFile::of(&self.file)
    }

    pub(super) fn position(&self, at: u64) -> Position {
        Position { file: self.clone(), at }
    }

    /// Notes that memory for so many bytes was refused, which is no fault of the file.
    pub(super) fn out_of_memory(&self, bytes: usize) -> Library {
        let reason = format!("{bytes} bytes could not be allocated");
        let error = io::Error::new(ErrorKind::OutOfMemory, reason.clone());
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Library::General(reason)
    }

    /// The system error of a failed read, once.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A file that is opened again for each part that is read of it, and must be the same each time.
#[derive(Debug)]
pub(super) struct KeptFile {
    path: PathBuf,
    /// While it is open, another file that takes its name does not matter.
    file: Option<Arc<File>>,
    identity: Identity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    len: u64,
}

impl Identity {
    fn of(file: &File) -> io::Result<Self> {
        let found = file.metadata()?;
        Ok(Self { device: found.dev(), inode: found.ino(), len: found.len() })
    }
}

impl KeptFile {
    /// A file of this path, which stays open if it is to.
    pub(super) fn new(path: &Path, file: &SourceFile, stays_open: bool) -> io::Result<Self> {
        let identity = Identity::of(&file.file)?;
        Ok(Self { path: path.to_owned(), file: stays_open.then(|| Arc::clone(&file.file)), identity })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// # Errors
    /// Those of the system; if the file was replaced or is longer or shorter than it was.
    pub(super) fn open(&self) -> io::Result<SourceFile> {
        step(Step::Open)?;
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(File::open(&self.path)?),
        };
        if Identity::of(&file)? != self.identity {
            return Err(io::Error::other("it was replaced or changed since its footer was read"));
        }
        Ok(SourceFile { file, len: self.identity.len, failure: Arc::default() })
    }
}

/// A place in a file, from which it is read on.
pub(super) struct Position {
    file: SourceFile,
    at: u64,
}

impl Read for Position {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match step(Step::Read).and_then(|()| self.file.file.read_at(bytes, self.at)) {
            Ok(count) => {
                self.at += count as u64;
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                *self.file.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(kind.into())
            }
        }
    }
}

impl Length for SourceFile {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for SourceFile {
    type T = BufReader<Position>;

    fn get_read(&self, start: u64) -> LibraryResult<Self::T> {
        Ok(BufReader::new(self.position(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> LibraryResult<Bytes> {
        // Before memory is taken for what a damaged file claims to hold.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            let reason = format!("{length} bytes from {start} on, where the file has {}", self.len);
            return Err(Library::EOF(reason));
        }
        let mut bytes = Vec::new();
        if !system_has_memory(length) || bytes.try_reserve_exact(length).is_err() {
            return Err(self.out_of_memory(length));
        }
        bytes.resize(length, 0);
        self.position(start).read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A range of a file in memory, which is read as the file is.
#[derive(Debug)]
pub(super) struct LoadedRange {
    start: u64,
    bytes: Bytes,
}

/// Memory of the pool, which has pages already. It is held, because workers of a parallel loop read it.
struct Pooled(OwnedWriteGuard);

impl AsRef<[u8]> for Pooled {
    fn as_ref(&self) -> &[u8] {
        self.0.as_slice()
    }
}

impl LoadedRange {
    /// Reads the range, which may end behind the file: then what is there is shorter.
    pub(super) fn read(file: &SourceFile, start: u64, length: u64) -> Result<Self, LoadError> {
        let length = length.min(file.len().saturating_sub(start));
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut memory = Buffer::uninit_write(length, &Exec::host())?;
        file.read_exact_at(start, memory.as_mut_slice())?;
        Ok(Self { start, bytes: Bytes::from_owner(Pooled(memory)) })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn from(&self, at: u64) -> LibraryResult<Bytes> {
        let start = at.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        match start.filter(|&start| start <= self.bytes.len()) {
            Some(start) => Ok(self.bytes.slice(start..)),
            None => Err(Library::EOF(format!("byte {at} is not in the column chunk"))),
        }
    }
}

/// Why a range was not loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Memory(#[from] columnade_buffers::Error),
}

impl Length for LoadedRange {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for LoadedRange {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> LibraryResult<Self::T> {
        Ok(self.from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> LibraryResult<Bytes> {
        let mut bytes = self.from(start)?;
        if length > bytes.len() {
            return Err(Library::EOF(format!(
                "{length} bytes from {start} on, where there are {}",
                bytes.len()
            )));
        }
        Ok(bytes.split_to(length))
    }
}

/// A file that is written in the folder of its target and then takes its name. Dropped before, it is removed; where the file
/// system has files without a name, it is one of those, so that nothing is left of a process that is killed; but if that
/// happens just before it replaces a file, it is left whole under a hidden name.
#[derive(Debug)]
pub(super) struct PartialFile {
    /// Until it has its name.
    file: Option<Partial>,
    folder: PathBuf,
    suffix: &'static str,
}

#[derive(Debug)]
enum Partial {
    Unnamed(File),
    Named(NamedTempFile),
}

impl PartialFile {
    /// A new file in the folder of `path`, so that renaming it does not copy, with the permissions of a new file.
    pub(super) fn beside(path: &Path, suffix: &'static str) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        step(Step::Open)?;
        let file = match unnamed(folder)? {
            Some(file) => Partial::Unnamed(file),
            None => Partial::Named(partial_names(suffix).tempfile_in(folder).map_err(without_path)?),
        };
        Ok(Self { file: Some(file), folder: folder.to_owned(), suffix })
    }

    /// Gives it its name, in place of a file that has it, whose permissions it takes. Nothing can be written then, and if that
    /// fails it is removed.
    pub(super) fn rename(&mut self, path: &Path) -> io::Result<()> {
        let file = self.file.take().ok_or_else(renamed)?;
        step(Step::Rename)?;
        if let Ok(before) = fs::metadata(path) {
            let written = match &file {
                Partial::Unnamed(file) => file,
                Partial::Named(file) => file.as_file(),
            };
            written.set_permissions(before.permissions())?;
        }
        let named = match file {
            Partial::Named(file) => file.into_temp_path(),
            Partial::Unnamed(file) => match link(&file, path) {
                // A link does not replace a file, but a file with another name does.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    partial_names(self.suffix).make_in(&self.folder, |at| link(&file, at))?.into_temp_path()
                }
                linked => return linked,
            },
        };
        named.persist(path).map_err(|failure| failure.error)
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step(Step::Write)?;
        match self.file.as_mut().ok_or_else(renamed)? {
            Partial::Unnamed(file) => file.write(bytes),
            Partial::Named(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.file.as_mut().ok_or_else(renamed)? {
            Partial::Unnamed(file) => file.flush(),
            Partial::Named(file) => file.flush(),
        }
    }
}

/// How the name of a file or a folder begins before it has its own. Readers of folders leave hidden names out.
const PARTIAL_PREFIX: &str = ".columnade-";

/// How a file or a folder is called before it has its name.
fn partial_names(suffix: &str) -> Builder<'_, '_> {
    let mut builder = Builder::new();
    builder.prefix(PARTIAL_PREFIX).suffix(suffix).permissions(fs::Permissions::from_mode(0o666));
    builder
}

/// An error of the system without the hidden name, which the library adds behind its text.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let Some((said, _)) = text.split_once(" at path ") else { return error };
    let number = said.rsplit_once("(os error ").and_then(|(_, rest)| rest.strip_suffix(')')?.parse().ok());
    number.map_or_else(|| io::Error::new(error.kind(), said), io::Error::from_raw_os_error)
}

/// A file without a name in a folder; `None` where the system has none, or would not give it a name.
fn unnamed(folder: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => {
            let file = File::from(file);
            Ok(fs::exists(in_proc(&file)).unwrap_or(false).then_some(file))
        }
        // The file system has none, or the system is older than they are.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives a file without a name one that no file has.
fn link(file: &File, path: &Path) -> io::Result<()> {
    let from = in_proc(file);
    Ok(rustix::fs::linkat(CWD, from, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

fn in_proc(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// How the name of a [`PartialFolder`] ends.
const FOLDER_SUFFIX: &str = ".dataset.part";

/// A folder that is filled beside its target and renamed to it. Dropped before, it is removed with what is in it. That of a
/// process that was killed is removed when the next one is made in the same place: its lock is free then.
#[derive(Debug)]
pub(super) struct PartialFolder {
    folder: TempDir,
    /// Held until the folder has its name.
    _lock: File,
}

impl PartialFolder {
    /// A new folder in that of `path`.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let parent = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        step(Step::Open)?;
        remove_abandoned(parent);
        let mut names = partial_names(FOLDER_SUFFIX);
        names.permissions(fs::Permissions::from_mode(0o777));
        loop {
            let folder = names.tempdir_in(parent).map_err(without_path)?;
            if let Some(lock) = locked(folder.path())? {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives it its name, in place of a folder without files that has it.
    pub(super) fn rename(self, path: &Path) -> io::Result<()> {
        step(Step::Rename)?;
        fs::rename(self.folder.path(), path)?;
        // Nothing is there to be removed.
        let _ = self.folder.keep();
        Ok(())
    }
}

/// A lock on a new folder; `None` if another process took the folder for abandoned before it was locked. A file system
/// without locks has no process that could take it so.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let file = match File::open(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
        return Ok(None);
    }
    Ok(fs::exists(folder)?.then_some(file))
}

/// Removes the partial folders of processes that were killed. What cannot be removed stays: it is hidden from readers.
fn remove_abandoned(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_partial = name.starts_with(PARTIAL_PREFIX) && name.ends_with(FOLDER_SUFFIX);
        if !is_partial || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let Ok(file) = File::open(entry.path()) else { continue };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Makes a folder, and those that it is in.
pub(super) fn create_folders(path: &Path) -> io::Result<()> {
    step(Step::Open)?;
    fs::create_dir_all(path)
}

fn renamed() -> io::Error {
    io::Error::other("the file is whole already")
}
