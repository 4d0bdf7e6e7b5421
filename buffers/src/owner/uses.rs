//! Which streams used an allocation last.

use smallvec::SmallVec;

use super::Hold;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::{Event, Result, Stream};

/// The last write and the reads since, each as a stream and that stream's ticket at the time.
///
/// Recording a use makes no driver call. An event is recorded only if another stream must wait; see
/// [`Stream::wait_for`]. Most memory is used on one stream only: two words show without the lock that there
/// is nothing to wait for and nothing new to record.
pub(super) struct Uses {
    noted: Mutex<Noted>,
    /// The number of the stream of all recorded uses; [`SEVERAL`] for more than one stream.
    only: AtomicU64,
    /// The last recorded use; [`NOTHING`] if another may follow that is not visible here.
    last: AtomicU64,
}

/// No stream has this number.
const SEVERAL: u64 = 0;
const NOTHING: u64 = 0;

#[derive(Clone)]
struct Noted {
    /// Initially the allocation, which is work on a stream like any other.
    write: Use,
    /// At most one per stream.
    reads: SmallVec<[Use; 2]>,
}

#[derive(Clone)]
struct Use {
    stream: Stream,
    ticket: u64,
}

impl Use {
    fn now(stream: &Stream) -> Self {
        Self { stream: stream.clone(), ticket: stream.ticket() }
    }

    fn make_wait(&self, stream: &Stream) -> Result<()> {
        stream.wait_for(&self.stream, self.ticket)
    }
}

/// A use in one word, or [`NOTHING`] if its numbers do not fit.
#[inline]
fn mark(stream: &Stream, hold: Hold) -> u64 {
    const ID_BITS: u32 = 23;
    const TICKET_BITS: u32 = 40;
    let (id, ticket) = (stream.id(), stream.ticket());
    if id >> ID_BITS != 0 || ticket >> TICKET_BITS != 0 {
        return NOTHING;
    }
    // Numbers and tickets begin at 1, so no use is `NOTHING`.
    (u64::from(hold == Hold::Write) << (ID_BITS + TICKET_BITS)) | (id << TICKET_BITS) | ticket
}

impl Clone for Uses {
    /// A copy of the current record.
    fn clone(&self) -> Self {
        let noted = self.noted.lock().clone();
        let only = AtomicU64::new(noted.only());
        Self { noted: Mutex::new(noted), only, last: AtomicU64::new(NOTHING) }
    }
}

impl Noted {
    fn only(&self) -> u64 {
        let id = self.write.stream.id();
        if self.reads.iter().all(|read| read.stream.id() == id) { id } else { SEVERAL }
    }
}

impl Uses {
    /// The uses of memory that was just allocated on `stream`.
    pub(super) fn new(stream: &Stream) -> Self {
        let noted = Noted { write: Use::now(stream), reads: SmallVec::new() };
        Self { noted: Mutex::new(noted), only: AtomicU64::new(stream.id()), last: AtomicU64::new(NOTHING) }
    }

    /// Makes `stream` wait for the last write.
    #[inline]
    pub(super) fn order_read(&self, stream: &Stream) -> Result<()> {
        if self.is_only(stream) { Ok(()) } else { self.wait_for_write(stream) }
    }

    #[cold]
    fn wait_for_write(&self, stream: &Stream) -> Result<()> {
        let write = self.noted.lock().write.clone();
        write.make_wait(stream)
    }

    /// Makes `stream` wait for the last write and for all reads since.
    #[inline]
    pub(super) fn order_write(&self, stream: &Stream) -> Result<()> {
        if self.is_only(stream) { Ok(()) } else { self.wait_for_all(stream) }
    }

    #[cold]
    fn wait_for_all(&self, stream: &Stream) -> Result<()> {
        let (write, reads) = {
            let noted = self.noted.lock();
            (noted.write.clone(), noted.reads.clone())
        };
        write.make_wait(stream)?;
        reads.iter().try_for_each(|read| read.make_wait(stream))
    }

    #[inline]
    fn is_only(&self, stream: &Stream) -> bool {
        // Acquire: the uses of the stream that is read here have been recorded.
        self.only.load(Ordering::Acquire) == stream.id()
    }

    #[inline]
    fn is_noted(&self, mark: u64) -> bool {
        mark != NOTHING && self.last.load(Ordering::Acquire) == mark
    }

    /// Records that work queued on `stream` until now reads the memory.
    #[inline]
    pub(super) fn note_read(&self, stream: &Stream) {
        let mark = mark(stream, Hold::Read);
        if !self.is_noted(mark) {
            self.note_read_anew(stream, mark);
        }
    }

    #[cold]
    fn note_read_anew(&self, stream: &Stream, mark: u64) {
        let mut noted = self.noted.lock();
        let ticket = stream.ticket();
        match noted.reads.iter_mut().find(|read| read.stream == *stream) {
            Some(read) => read.ticket = ticket,
            None => noted.reads.push(Use { stream: stream.clone(), ticket }),
        }
        self.publish(&noted, mark);
    }

    /// Records that work queued on `stream` until now writes the memory. That work waits for all earlier uses
    /// and so replaces them.
    #[inline]
    pub(super) fn note_write(&self, stream: &Stream) {
        let mark = mark(stream, Hold::Write);
        if !self.is_noted(mark) {
            self.note_write_anew(stream, mark);
        }
    }

    #[cold]
    fn note_write_anew(&self, stream: &Stream, mark: u64) {
        let mut noted = self.noted.lock();
        noted.write = Use::now(stream);
        noted.reads.clear();
        self.publish(&noted, mark);
    }

    /// Like [`note_write`](Self::note_write), for work that did not wait for the reads recorded since the
    /// address was exported.
    pub(super) fn note_unordered_write(&self, stream: &Stream) {
        let mut noted = self.noted.lock();
        noted.write = Use::now(stream);
        self.publish(&noted, NOTHING);
    }

    /// Publishes for readers without the lock what is recorded under it. The mark was taken before the
    /// record, whose ticket may be later but not earlier.
    fn publish(&self, noted: &Noted, mark: u64) {
        self.only.store(noted.only(), Ordering::Release);
        self.last.store(mark, Ordering::Release);
    }

    /// The stream of the last use.
    pub(super) fn last_stream(&self) -> Stream {
        let noted = self.noted.lock();
        noted.reads.last().unwrap_or(&noted.write).stream.clone()
    }

    /// An event after every use. For uses of one stream it may be an event that is shared.
    pub(super) fn last_event(&self) -> Result<Event> {
        let only = {
            let noted = self.noted.lock();
            let reads = noted.reads.iter().map(|read| read.ticket);
            let ticket = reads.fold(noted.write.ticket, u64::max);
            (noted.only() != SEVERAL).then(|| (noted.write.stream.clone(), ticket))
        };
        match only {
            Some((stream, ticket)) => stream.event_covering(ticket).map(|(_, event)| event),
            None => self.settle()?.record(),
        }
    }

    /// The stream of the last use, after it has been made to wait for every other use: the stream to free on.
    pub(super) fn settle(&self) -> Result<Stream> {
        let stream = self.last_stream();
        self.order_write(&stream)?;
        Ok(stream)
    }
}
