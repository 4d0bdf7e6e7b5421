//! Documents of JSON as lines of it: one object of a row a line, so that they are decoded as lines are.

use std::io::{self, Cursor, Read};

use super::layout::JsonLayout;
use super::whole;

/// What text of UTF-8 may begin with.
pub(super) const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
/// The bytes that are read to tell which layout a file has.
const BLOCK: usize = 1 << 16;

/// Text that is no document of the layout.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::io) struct DocumentFault {
    /// The line, from 1.
    pub(in crate::io) line: u64,
    /// The byte of the line, from 1.
    pub(in crate::io) byte: u64,
    pub(in crate::io) reason: String,
    /// What comes twice, if that is the reason.
    pub(in crate::io) repeated: Option<Repeated>,
}

/// What a document has twice.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::io) struct Repeated {
    pub(in crate::io) column: String,
    /// The row that the column has twice; `None`: the column itself comes twice.
    pub(in crate::io) row: Option<String>,
}

impl std::fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.reason, self.byte)
    }
}

impl std::error::Error for DocumentFault {}

impl From<DocumentFault> for io::Error {
    fn from(fault: DocumentFault) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, fault)
    }
}

/// The text of a file as lines.
pub(super) struct Lines<R> {
    source: R,
    state: State,
}

enum State {
    /// Nothing was read. `None`: the layout is to be found.
    Start(Option<JsonLayout>),
    /// Lines, after some that were read already.
    Lines(Cursor<Vec<u8>>),
    /// An array of objects, after some text that was read already.
    Records(Cursor<Vec<u8>>, Records),
    /// Lines that were made of the whole text.
    Made(Cursor<Vec<u8>>),
}

impl<R: Read> Lines<R> {
    pub(super) fn new(source: R, layout: Option<JsonLayout>) -> Self {
        Self { source, state: State::Start(layout) }
    }

    fn start(&mut self, layout: Option<JsonLayout>) -> io::Result<State> {
        Ok(match layout {
            Some(JsonLayout::Lines) => State::Lines(Cursor::default()),
            Some(JsonLayout::Records) => State::Records(Cursor::default(), Records::default()),
            Some(layout @ (JsonLayout::Index | JsonLayout::Columns | JsonLayout::Split)) => {
                let mut text = Vec::new();
                self.source.read_to_end(&mut text)?;
                State::Made(Cursor::new(whole::lines(&text, layout)?))
            }
            None => {
                let mut text = Vec::new();
                loop {
                    let count = self.source.by_ref().take(BLOCK as u64).read_to_end(&mut text)?;
                    let begins = text.strip_prefix(&MARK).unwrap_or(&text);
                    match begins.iter().find(|byte| !byte.is_ascii_whitespace()) {
                        Some(b'[') => return Ok(State::Records(Cursor::new(text), Records::default())),
                        None if count > 0 => {}
                        _ => return Ok(State::Lines(Cursor::new(text))),
                    }
                }
            }
        })
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let State::Start(layout) = self.state {
            self.state = self.start(layout)?;
        }
        match &mut self.state {
            State::Start(_) => Ok(0),
            State::Made(made) => made.read(bytes),
            State::Lines(begin) => match begin.read(bytes)? {
                0 => self.source.read(bytes),
                count => Ok(count),
            },
            State::Records(begin, records) => {
                if let Some(fault) = records.fault.take() {
                    return Err(fault.into());
                }
                let count = match begin.read(bytes)? {
                    0 => self.source.read(bytes)?,
                    count => count,
                };
                if count == 0 && !bytes.is_empty() {
                    records.end()?;
                }
                let good = records.separate(&mut bytes[..count]);
                match records.fault.take_if(|_| good == 0) {
                    Some(fault) => Err(fault.into()),
                    None => Ok(good),
                }
            }
        }
    }
}

/// Where in an array of objects the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the array.
    Before,
    /// After its beginning: a value or its end follows.
    First,
    /// After a comma: a value follows.
    Next,
    /// In a value or after it.
    Value,
    /// After its end.
    After,
}

/// Makes an array of objects lines, each as long as before: the ends of lines become spaces, and the commas between the objects ends
/// of lines.
#[derive(Debug)]
pub(super) struct Records {
    place: Place,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    line: u64,
    /// The bytes of the line so far.
    bytes: u64,
    /// The objects that have begun.
    seen: u64,
    /// What is wrong with the text after that which was taken in.
    fault: Option<DocumentFault>,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            place: Place::Before,
            depth: 0,
            in_string: false,
            is_escaped: false,
            line: 1,
            bytes: 0,
            seen: 0,
            fault: None,
        }
    }
}

impl Records {
    fn fault(&self, reason: &str) -> DocumentFault {
        DocumentFault { line: self.line, byte: self.bytes.max(1), reason: reason.to_owned(), repeated: None }
    }

    /// Takes in some text, up to the first fault, and returns how many bytes that is.
    fn separate(&mut self, text: &mut [u8]) -> usize {
        let mut at = 0;
        while at < text.len() {
            if self.in_string && !self.is_escaped {
                // Most text is in strings.
                let rest = &text[at..];
                let plain = rest.iter().position(|&byte| byte < b' ' || matches!(byte, b'"' | b'\\'));
                let plain = plain.unwrap_or(rest.len());
                self.bytes += plain as u64;
                at += plain;
                if at == text.len() {
                    break;
                }
            }
            let byte = text[at];
            self.bytes += 1;
            match self.byte(byte) {
                Ok(made) => text[at] = made,
                Err(fault) => {
                    self.fault = Some(fault);
                    return at;
                }
            }
            if byte == b'\n' {
                self.line += 1;
                self.bytes = 0;
            }
            at += 1;
        }
        text.len()
    }

    /// What stands in place of a byte.
    fn byte(&mut self, byte: u8) -> Result<u8, DocumentFault> {
        if self.in_string {
            if byte < b' ' {
                return Err(self.fault("a control character is in a string"));
            }
            if self.is_escaped {
                self.is_escaped = false;
            } else {
                self.is_escaped = byte == b'\\';
                self.in_string = byte != b'"';
            }
            return Ok(byte);
        }
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            return Ok(b' ');
        }
        match self.place {
            Place::Before if byte == b'[' => {
                self.place = Place::First;
                return Ok(b' ');
            }
            // A mark of UTF-8.
            Place::Before
                if self.line == 1
                    && MARK.iter().zip(1..).any(|(mark, at)| (byte, self.bytes) == (*mark, at)) =>
            {
                return Ok(b' ');
            }
            Place::Before => return Err(self.fault("the document does not begin with [")),
            Place::After => return Err(self.fault("text follows the end of the document")),
            Place::First if byte == b']' => {
                self.place = Place::After;
                return Ok(b' ');
            }
            Place::First | Place::Next => match byte {
                b',' => return Err(self.fault("a comma stands where an object is expected")),
                b']' => return Err(self.fault("an object is missing after the last comma")),
                _ => {
                    self.place = Place::Value;
                    self.seen += 1;
                }
            },
            Place::Value if self.depth == 0 => match byte {
                b',' => {
                    self.place = Place::Next;
                    return Ok(b'\n');
                }
                b']' => {
                    self.place = Place::After;
                    return Ok(b' ');
                }
                _ => {}
            },
            Place::Value => {}
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => match self.depth.checked_sub(1) {
                Some(depth) => self.depth = depth,
                None => return Err(self.fault("a bracket is closed that was not opened")),
            },
            _ => {}
        }
        Ok(byte)
    }

    /// Refuses text that ends before the document does.
    fn end(&self) -> Result<(), DocumentFault> {
        if self.place == Place::After { Ok(()) } else { Err(self.fault("the document ends too early")) }
    }
}

/// Whether a file is a document, and the line on which one of its rows begins, from 1. `None` for lines.
pub(super) fn line_of_row(
    mut source: impl Read,
    layout: Option<JsonLayout>,
    row: u64,
    column: Option<&str>,
) -> Option<u64> {
    let mut text = Vec::new();
    source.read_to_end(&mut text).ok()?;
    let first = text.strip_prefix(&MARK).unwrap_or(&text);
    let begins_array = first.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    match layout {
        Some(JsonLayout::Lines) => None,
        None if !begins_array => None,
        None | Some(JsonLayout::Records) => {
            let mut records = Records::default();
            for byte in &mut text {
                if records.separate(std::slice::from_mut(byte)) == 0 {
                    return None;
                }
                if records.seen == row {
                    break;
                }
            }
            Some(records.line)
        }
        Some(layout) => whole::line_of_row(&text, layout, row, column),
    }
}
