//! Text in other encodings than UTF-8, decoded as it is read.

use std::fmt;
use std::io::{self, ErrorKind, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::TextSource;

/// What a reader does with bytes that are no character of the encoding of a file.
///
/// # Source
/// pandas `read_csv(encoding_errors=…)`, Python `bytes.decode(errors=…)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodingErrors {
    /// They are an error.
    #[default]
    Error,
    /// U+FFFD stands in their place.
    Replace,
    /// They are left out.
    Ignore,
}

/// How bytes become characters.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::io) struct TextEncoding {
    /// `None`: UTF-8, or UTF-16 with a byte order mark.
    pub(in crate::io) encoding: Option<&'static Encoding>,
    pub(in crate::io) errors: EncodingErrors,
}

/// The encoded bytes that are read at a time.
const BLOCK: usize = 1 << 16;
/// U+FFFD.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// The encoding with a label of the WHATWG Encoding Standard; `None` for UTF-8, which needs no decoder.
///
/// # Errors
/// Why the label names none.
pub(in crate::io) fn encoding_of(label: &str) -> Result<Option<&'static Encoding>, String> {
    let found = Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
        format!("there is no encoding {label:?}; known are \"utf-8\", \"utf-16\", \"windows-1252\", \"shift_jis\" and the other \
            labels of the WHATWG Encoding Standard")
    })?;
    Ok(Some(found).filter(|found| *found != UTF_8))
}

/// `text` in UTF-8. Without an encoding it is in UTF-8 already, unless it begins with a byte order mark of UTF-16; whether it
/// is, is not looked at here if what is not is an error.
///
/// # Errors
/// [`UnknownEncoding`] for a byte order mark of UTF-32.
pub(super) fn decoded(mut text: TextSource, how: TextEncoding) -> io::Result<TextSource> {
    let TextEncoding { encoding, errors } = how;
    let mut start = Vec::with_capacity(4);
    if encoding.is_none() {
        text.by_ref().take(4).read_to_end(&mut start)?;
        if let Some(unknown) = marked_unknown(&start) {
            return Err(io::Error::new(ErrorKind::Unsupported, unknown));
        }
    }
    let found = encoding.or_else(|| marked(&start));
    let found = found.or_else(|| (errors != EncodingErrors::Error).then_some(UTF_8));
    let text = io::Cursor::new(start).chain(text);
    Ok(match found {
        None => Box::new(text),
        Some(encoding) => Box::new(Decoded {
            text,
            encoding,
            errors,
            decoder: encoding.new_decoder(),
            bytes: Vec::new(),
            before: 0,
            characters: Vec::new(),
            given: 0,
            is_at_end: false,
            fault: None,
        }),
    })
}

/// The encoding whose byte order mark `start` is.
fn marked(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [0xFF, 0xFE, ..] => Some(UTF_16LE),
        [0xFE, 0xFF, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// The encoding without a decoder here whose byte order mark `start` is. That of UTF-32LE is one of UTF-16LE before a zero, which
/// no text begins with.
fn marked_unknown(start: &[u8]) -> Option<UnknownEncoding> {
    match start {
        [0xFF, 0xFE, 0, 0] => Some(UnknownEncoding { name: "UTF-32LE" }),
        [0, 0, 0xFE, 0xFF] => Some(UnknownEncoding { name: "UTF-32BE" }),
        _ => None,
    }
}

/// An encoding that is not decoded, within an [`io::Error`].
#[derive(Debug)]
pub(in crate::io) struct UnknownEncoding {
    pub(in crate::io) name: &'static str,
}

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text in {} is not supported", self.name)
    }
}

impl std::error::Error for UnknownEncoding {}

/// Text that is decoded block by block.
struct Decoded<R> {
    text: R,
    encoding: &'static Encoding,
    errors: EncodingErrors,
    decoder: Decoder,
    /// Bytes that were read and not decoded.
    bytes: Vec<u8>,
    /// How many bytes were decoded before those.
    before: u64,
    /// Characters that were decoded, `given` bytes of which were read.
    characters: Vec<u8>,
    given: usize,
    is_at_end: bool,
    /// What comes after the decoded characters.
    fault: Option<EncodingFault>,
}

/// Bytes that are no character of an encoding, within an [`io::Error`].
#[derive(Debug)]
pub(super) struct EncodingFault {
    encoding: &'static Encoding,
    /// The position in the decompressed file.
    at: u64,
}

impl fmt::Display for EncodingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bytes from position {} on are no character of {}", self.at, self.encoding.name())
    }
}

impl std::error::Error for EncodingFault {}

impl<R: Read> Decoded<R> {
    /// Decodes the next block. After the last one nothing is decoded.
    fn refill(&mut self) -> io::Result<()> {
        self.characters.clear();
        self.given = 0;
        while self.characters.is_empty() && !self.is_at_end && self.fault.is_none() {
            let missing = BLOCK - self.bytes.len();
            let count = self.text.by_ref().take(missing as u64).read_to_end(&mut self.bytes)?;
            let is_last = count < missing;
            self.decode(is_last);
        }
        Ok(())
    }

    /// Decodes the bytes that were read.
    fn decode(&mut self, is_last: bool) {
        // With space for a replacement of each byte.
        let most = self.decoder.max_utf8_buffer_length(self.bytes.len());
        self.characters.resize(most.unwrap_or(4 * BLOCK), 0);
        let (mut read, mut written) = (0, 0);
        loop {
            let (result, bytes, characters) = self.decoder.decode_to_utf8_without_replacement(
                &self.bytes[read..],
                &mut self.characters[written..],
                is_last,
            );
            read += bytes;
            written += characters;
            match (result, self.errors) {
                (DecoderResult::InputEmpty, _) => {
                    self.is_at_end = is_last;
                    break;
                }
                (DecoderResult::OutputFull, _) => break,
                (DecoderResult::Malformed(bytes, after), EncodingErrors::Error) => {
                    let end = self.before + read as u64;
                    let at = end.saturating_sub(u64::from(bytes) + u64::from(after));
                    self.fault = Some(EncodingFault { encoding: self.encoding, at });
                    break;
                }
                (DecoderResult::Malformed(..), EncodingErrors::Replace) => {
                    let end = written + REPLACEMENT.len();
                    self.characters.resize(self.characters.len().max(end), 0);
                    self.characters[written..end].copy_from_slice(REPLACEMENT);
                    written = end;
                }
                (DecoderResult::Malformed(..), EncodingErrors::Ignore) => {}
            }
        }
        self.characters.truncate(written);
        self.before += read as u64;
        self.bytes.drain(..read);
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.given == self.characters.len() {
            self.refill()?;
        }
        if let Some(fault) = self.fault.take_if(|_| self.characters.is_empty()) {
            return Err(io::Error::new(ErrorKind::InvalidData, fault));
        }
        let count = bytes.len().min(self.characters.len() - self.given);
        bytes[..count].copy_from_slice(&self.characters[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}
