//! Which streams used an allocation last.

use smallvec::SmallVec;

use crate::sync::Mutex;
use crate::{Result, Stream};

/// The last write, and the reads since, each as a stream and that stream's ticket at the time.
///
/// Noting a use calls no driver. An event is recorded only when another stream must wait; see
/// [`Stream::wait_for`].
pub(super) struct Uses(Mutex<Noted>);

#[derive(Clone)]
struct Noted {
    /// At first the allocation itself, which is work on a stream as any other.
    write: Use,
    /// At most one for each stream.
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

impl Clone for Uses {
    /// What is noted now.
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().clone()))
    }
}

impl Uses {
    /// Memory that was just allocated on `stream`.
    pub(super) fn new(stream: &Stream) -> Self {
        Self(Mutex::new(Noted { write: Use::now(stream), reads: SmallVec::new() }))
    }

    /// Makes `stream` wait for the last write.
    pub(super) fn order_read(&self, stream: &Stream) -> Result<()> {
        let write = self.0.lock().write.clone();
        write.make_wait(stream)
    }

    /// Makes `stream` wait for the last write and for all reads since.
    pub(super) fn order_write(&self, stream: &Stream) -> Result<()> {
        let (write, reads) = {
            let noted = self.0.lock();
            (noted.write.clone(), noted.reads.clone())
        };
        write.make_wait(stream)?;
        reads.iter().try_for_each(|read| read.make_wait(stream))
    }

    /// Notes that work queued on `stream` until now reads the memory.
    pub(super) fn note_read(&self, stream: &Stream) {
        let mut noted = self.0.lock();
        let ticket = stream.ticket();
        match noted.reads.iter_mut().find(|read| read.stream == *stream) {
            Some(read) => read.ticket = ticket,
            None => noted.reads.push(Use { stream: stream.clone(), ticket }),
        }
    }

    /// Notes that work queued on `stream` until now writes the memory. That work waits for all earlier
    /// uses, so it stands for them.
    pub(super) fn note_write(&self, stream: &Stream) {
        let mut noted = self.0.lock();
        noted.write = Use::now(stream);
        noted.reads.clear();
    }

    /// As [`note_write`](Self::note_write) of work that was not made to wait for the reads noted since its address was
    /// given out.
    pub(super) fn note_unordered_write(&self, stream: &Stream) {
        self.0.lock().write = Use::now(stream);
    }

    /// The stream of the last use.
    pub(super) fn last_stream(&self) -> Stream {
        let noted = self.0.lock();
        noted.reads.last().unwrap_or(&noted.write).stream.clone()
    }

    /// The stream of the last use, made to wait for every other use: the one to free on.
    pub(super) fn settle(&self) -> Result<Stream> {
        let stream = self.last_stream();
        self.order_write(&stream)?;
        Ok(stream)
    }
}
