//! Messages of the Arrow IPC format, looked at before the library decodes them: it aborts the process where it is refused memory,
//! and takes as much as a damaged length says.

use arrow_array::RecordBatch as Batch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{CompressionType, Message, RecordBatch, root_as_message};
use arrow_schema::Schema;
use columnade_buffers::system_has_memory;

use super::read::{damaged, invalid, to_arrow};
use crate::io::error::{FileError, caught};

/// What a length begins with in files that are not old.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// The end of a stream.
const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
/// The bytes before a compressed buffer: its length without compression.
const PREFIX: usize = 8;
/// What a byte can stand for: in LZ4 a length goes on by up to 255, in Zstandard a block of 128 KiB has at least 4 bytes.
const MOST_LZ4: u64 = 255;
const MOST_ZSTD: u64 = 1 << 15;
/// What a frame has beside that, as its header and a block that is begun.
const MOST_MORE: u64 = 1 << 17;

/// Gives so many bytes from a position on, which are within the file.
pub(super) type ReadAt<'a> = dyn Fn(usize, usize) -> Result<Buffer, FileError> + 'a;

/// The batches of a stream, message by message.
#[derive(Debug, Default)]
pub(super) struct Stream {
    decoder: StreamDecoder,
    /// Not decoded yet.
    message: Buffer,
    /// The position of the next message.
    at: usize,
    is_at_end: bool,
}

impl Stream {
    /// The bytes before the next message.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The next batch of a stream of `len` bytes, with all columns; `None` at the end.
    pub(super) fn next(&mut self, len: usize, read: &ReadAt<'_>) -> Result<Option<Batch>, FileError> {
        loop {
            // A message without a body is decoded when the next begins.
            while !self.message.is_empty() {
                if let Some(batch) = self.decoder.decode(&mut self.message).map_err(damaged)? {
                    return Ok(Some(batch));
                }
            }
            if self.is_at_end {
                return Ok(None);
            }
            if let Some((message, _)) = message_at(self.at, len, read)? {
                self.at += message.len();
                self.message = message;
            } else {
                self.is_at_end = true;
                self.message = Buffer::from(&END);
            }
        }
    }
}

/// The first batch of a stream, `None` if it has none.
///
/// # Errors
/// [`FileError`] for damaged bytes, as of files.
pub fn batch_of_stream(bytes: &[u8]) -> Result<Option<Batch>, FileError> {
    let bytes = Buffer::from(bytes);
    let read = |at, length| Ok(bytes.slice_with_length(at, length));
    caught(|| {
        // Columns that have no dtype are found before memory is taken for them.
        schema_of_stream(bytes.len(), &read)?;
        Stream::default().next(bytes.len(), &read)
    })
}

/// The columns of a stream of `len` bytes.
pub(super) fn schema_of_stream(len: usize, read: &ReadAt<'_>) -> Result<Schema, FileError> {
    let not_ipc = |reason: String| FileError::NotIpc { reason };
    let header = || {
        let Some((message, start)) = message_at(0, len, read)? else { return Ok(None) };
        let message = root_as_message(&message[start..]).map_err(invalid)?;
        message.header_as_schema().map(to_arrow).transpose()
    };
    match header() {
        Ok(Some(schema)) => Ok(schema),
        Ok(None) => Err(not_ipc("it has no schema".to_owned())),
        Err(error @ (FileError::Io(_) | FileError::UnsupportedType { .. } | FileError::TooDeep { .. })) => {
            Err(error)
        }
        Err(error) => Err(not_ipc(error.to_string())),
    }
}

/// The message at `at` in a stream of `len` bytes, with its body, and where its metadata begin in it; `None` at the end.
fn message_at(at: usize, len: usize, read: &ReadAt<'_>) -> Result<Option<(Buffer, usize)>, FileError> {
    let within = |length: usize| {
        let fits = length <= len - at;
        fits.then_some(length).ok_or_else(|| damaged(format!("it is truncated after {len} bytes")))
    };
    if at == len {
        return Ok(None);
    }
    let start = read(at, within(4)?)?;
    let (start, header) =
        if start.as_slice() == CONTINUATION { (read(at, within(8)?)?, 8) } else { (start, 4) };
    let Some(size) = length_in(&start[header - 4..])? else { return Ok(None) };
    let metadata = read(at, within(header + size)?)?;
    let message = root_as_message(&metadata[header..]).map_err(invalid)?;
    let body = usize::try_from(message.bodyLength()).map_err(damaged)?;
    let whole = read(at, within((header + size).saturating_add(body))?)?;
    check(&message, &whole[header + size..])?;
    Ok(Some((whole, header)))
}

/// Checks the message that is a block of a file, whose body begins at `body`.
pub(super) fn check_block(block: &[u8], body: usize) -> Result<(), FileError> {
    let short = || damaged("a message is shorter than its header");
    let metadata = block.strip_prefix(&CONTINUATION).unwrap_or(block);
    let message = metadata.get(4..).ok_or_else(short)?;
    let message = root_as_message(message).map_err(invalid)?;
    check(&message, block.get(body..).ok_or_else(short)?)
}

/// A length of the header of a message; `None` is the end of a stream.
fn length_in(bytes: &[u8]) -> Result<Option<usize>, FileError> {
    let size = i32::from_le_bytes(bytes.try_into().map_err(damaged)?);
    let size =
        usize::try_from(size).map_err(|_| damaged(format!("a message is said to have {size} bytes")))?;
    Ok((size > 0).then_some(size))
}

/// Refuses buffers that are longer without compression than they can be, and what memory does not suffice for.
fn check(message: &Message<'_>, body: &[u8]) -> Result<(), FileError> {
    let dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(()) };
    let all = decompressed(&batch, body)?;
    if system_has_memory(all) {
        return Ok(());
    }
    let reason = format!("{all} bytes of a batch could not be allocated");
    Err(FileError::out_of_memory(reason))
}

/// Refuses a codec that this build does not have.
pub(super) fn check_codec(codec: CompressionType) -> Result<(), FileError> {
    let (is_there, compression) = match codec {
        CompressionType::LZ4_FRAME => (cfg!(feature = "lz4"), "lz4"),
        _ => (cfg!(feature = "zstd"), "Zstandard"),
    };
    if is_there { Ok(()) } else { Err(FileError::UnsupportedCompression { compression }) }
}

/// The bytes of a batch's buffers without compression.
fn decompressed(batch: &RecordBatch<'_>, body: &[u8]) -> Result<usize, FileError> {
    let Some(compression) = batch.compression() else { return Ok(0) };
    check_codec(compression.codec())?;
    let factor = if compression.codec() == CompressionType::LZ4_FRAME { MOST_LZ4 } else { MOST_ZSTD };
    let mut all = 0_usize;
    for buffer in batch.buffers().iter().flatten() {
        let place = || {
            let offset = usize::try_from(buffer.offset()).ok()?;
            let end = offset.checked_add(usize::try_from(buffer.length()).ok()?)?;
            body.get(offset..end)
        };
        let bytes = place().ok_or_else(|| damaged("a buffer is said to lie beyond the end of its batch"))?;
        let Some((prefix, packed)) = bytes.split_first_chunk::<PREFIX>() else { continue };
        let length = i64::from_le_bytes(*prefix);
        // -1 is a buffer that is not compressed.
        let Ok(length) = u64::try_from(length) else { continue };
        let most = (packed.len() as u64).saturating_mul(factor).saturating_add(MOST_MORE);
        if length > most {
            let packed = packed.len();
            return Err(damaged(format!("{packed} bytes are said to be {length} without compression")));
        }
        all = all.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
    }
    Ok(all)
}
