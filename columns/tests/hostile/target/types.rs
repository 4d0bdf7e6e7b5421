//! Types, right and wrong, and their schemas.

use super::input::Input;
use super::ledger::{Ledger, release_boxed};
use columnade_columns::arrow::c::{ArrowSchema, OwnedSchema};
use std::ffi::CString;
use std::ptr;

/// Formats of types without children.
const LEAVES: [&str; 38] = [
    "l",
    "u",
    "b",
    "c",
    "C",
    "s",
    "S",
    "i",
    "I",
    "L",
    "f",
    "g",
    "U",
    "vu",
    "z",
    "Z",
    "vz",
    "n",
    "tdD",
    "tiD",
    "ttn",
    "+us:0",
    "tDn",
    "tss:",
    "tsm:UTC",
    "tsu:Europe/Berlin",
    "tsn:+01:30",
    "tsn:No/Where",
    "d:9,2,32",
    "d:18,-3,64",
    "d:12,3",
    "d:38,38",
    "w:3",
    "w:0",
    "w:1000000",
    "e",
    "tdm",
    "d:40,2,256",
];
/// Formats of types with children.
const NESTED: [&str; 9] = ["+s", "+l", "+L", "+w:2", "+w:0", "+w:2147483647", "+m", "+r", "+vl"];
/// The metadata that make a struct an interval, and some that look like it.
const METADATA: [&[(&str, &str)]; 4] = [
    &[("ARROW:extension:name", "pandas.interval"), ("ARROW:extension:metadata", "{\"closed\": \"left\"}")],
    &[("ARROW:extension:name", "pandas.interval"), ("ARROW:extension:metadata", "{\"closed\":")],
    &[("ARROW:extension:name", "pandas.interval")],
    &[("", ""), ("key", "Ω")],
];
/// More levels than this are made by [`tower`] only.
const DEPTH: usize = 4;

/// How rows lie in memory, as the format says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// In no memory.
    Null,
    Bits,
    /// Values of so many bytes.
    Fixed(usize),
    /// Offsets of so many bytes, and what they point into.
    Bytes(usize),
    Views,
    /// Offsets of so many bytes into the child.
    List(usize),
    /// Offsets into the child and sizes, of so many bytes each.
    ListView(usize),
    /// Ends of runs in one child, and a value for each in another.
    Runs,
    /// So many rows of the child for each.
    FixedList(usize),
    Struct,
    /// In none that a consumer could know.
    Unknown,
}

/// What is wrong with a schema itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    Released,
    NullFormat,
    NullName,
    NullChildren,
    NullChild,
    /// Says that it has so many children, which is too many to be read or less than none.
    Children(i64),
    /// Metadata of so many entries.
    Metadata(i32),
}

/// A type of a field.
pub(super) struct Type {
    pub(super) format: CString,
    name: CString,
    flags: i64,
    metadata: Option<Vec<u8>>,
    fault: Fault,
    pub(super) layout: Layout,
    pub(super) children: Vec<Type>,
    pub(super) dictionary: Option<Box<Type>>,
}

impl Type {
    pub(super) fn new(input: &mut Input<'_>) -> Self {
        if input.seldom() { tower(input) } else { Self::at(0, input) }
    }

    /// A struct, as a frame comes as; mostly.
    pub(super) fn frame(input: &mut Input<'_>) -> Self {
        if input.seldom() {
            return Self::new(input);
        }
        let children = (0..input.below(5)).map(|_| Self::at(1, input)).collect();
        Self { children, ..Self::of(b"+s", 0, input) }
    }

    fn at(depth: usize, input: &mut Input<'_>) -> Self {
        let choice = input.byte();
        let format = match choice {
            0..0x90 => LEAVES[usize::from(choice) % LEAVES.len()].as_bytes().to_vec(),
            0x90..0xe8 if depth < DEPTH => NESTED[usize::from(choice) % NESTED.len()].as_bytes().to_vec(),
            0x90..0xe8 => b"i".to_vec(),
            0xe8.. => input.raw(12),
        };
        let mut this = Self::of(&format, depth, input);
        let children = match this.layout {
            _ if depth >= DEPTH => 0,
            Layout::Struct => input.below(4),
            Layout::List(_) | Layout::ListView(_) | Layout::FixedList(_) => usize::from(!input.seldom()),
            Layout::Runs => 2 * usize::from(!input.seldom()),
            _ => usize::from(input.seldom()),
        };
        this.children = (0..children).map(|_| Self::at(depth + 1, input)).collect();
        if let (Layout::Runs, Some(ends)) = (this.layout, this.children.first_mut())
            && !input.seldom()
        {
            *ends = Self::of(input.pick::<&[u8]>(&[b"s", b"i", b"l"]), depth + 1, input);
        }
        if depth < DEPTH && input.byte() >= 0xd0 {
            this.dictionary = Some(Box::new(Self::at(depth + 1, input)));
        }
        this
    }

    fn of(format: &[u8], depth: usize, input: &mut Input<'_>) -> Self {
        let text =
            |bytes: &[u8]| CString::new(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).unwrap();
        let format = text(format);
        let name = match input.byte() {
            raw @ 0xe0.. => text(&input.raw(usize::from(raw - 0xe0))),
            other => text(format!("{depth}{other}").as_bytes()),
        };
        let fault = if input.seldom() {
            let children = [-1, i64::MIN, i64::MAX, (1 << 20) + 1][input.below(4)];
            let entries = [-1, i32::MIN, i32::MAX, (1 << 20) + 1][input.below(4)];
            input.pick(&[
                Fault::Released,
                Fault::NullFormat,
                Fault::NullName,
                Fault::NullChildren,
                Fault::NullChild,
                Fault::Children(children),
                Fault::Metadata(entries),
            ])
        } else {
            Fault::None
        };
        let metadata = input.seldom().then(|| metadata(input.pick(&METADATA)));
        let layout = layout(format.to_bytes());
        let flags = i64::from(input.byte() ^ 2);
        Self { format, name, flags, metadata, fault, layout, children: Vec::new(), dictionary: None }
    }

    /// The schema of the type.
    pub(super) fn schema(&self, ledger: &Ledger) -> OwnedSchema {
        // SAFETY: filled as the interface says, but for what a consumer can find out.
        unsafe { OwnedSchema::from_raw(self.raw(ledger)) }
    }

    fn raw(&self, ledger: &Ledger) -> ArrowSchema {
        let boxed = |child: &Type| Box::into_raw(Box::new(child.raw(ledger)));
        let metadata = match self.fault {
            Fault::Metadata(entries) => Some(entries.to_ne_bytes().to_vec()),
            _ => self.metadata.clone(),
        };
        ledger.made();
        let private = Box::into_raw(Box::new(Private {
            format: self.format.clone(),
            name: self.name.clone(),
            metadata,
            children: self.children.iter().map(boxed).collect(),
            dictionary: self.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
            shown: Vec::new(),
            ledger: ledger.clone(),
        }));
        // SAFETY: just made; the schema owns it from now on.
        let held = unsafe { &mut *private };
        held.shown.clone_from(&held.children);
        if let (Fault::NullChild, Some(last)) = (self.fault, held.shown.last_mut()) {
            *last = ptr::null_mut();
        }
        let schema = ArrowSchema {
            format: if self.fault == Fault::NullFormat { ptr::null() } else { held.format.as_ptr() },
            name: if self.fault == Fault::NullName { ptr::null() } else { held.name.as_ptr() },
            metadata: held.metadata.as_ref().map_or(ptr::null(), |bytes| bytes.as_ptr().cast()),
            flags: self.flags,
            n_children: match self.fault {
                Fault::Children(claimed) => claimed,
                _ => i64::try_from(held.children.len()).unwrap(),
            },
            children: if self.fault == Fault::NullChildren {
                ptr::null_mut()
            } else {
                held.shown.as_mut_ptr()
            },
            dictionary: held.dictionary,
            release: Some(release),
            private_data: private.cast(),
        };
        if self.fault == Fault::Released {
            // SAFETY: filled above; what is left of it is released.
            unsafe { drop(OwnedSchema::from_raw(schema)) };
            return OwnedSchema::released().into_raw();
        }
        schema
    }
}

/// Lists in lists, deeper than any type.
fn tower(input: &mut Input<'_>) -> Type {
    let mut this = Type::at(DEPTH, input);
    for level in 0..input.below(80) {
        let format = input.pick::<&[u8]>(&[b"+l", b"+L", b"+w:1", b"+s"]);
        this = Type { children: vec![this], ..Type::of(format, level, input) };
    }
    this
}

/// How rows of a format lie in memory, told apart from how the consumer does it.
fn layout(format: &[u8]) -> Layout {
    let number = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok()?;
        usize::try_from(digits.parse::<i32>().ok()?).ok()
    };
    match format {
        b"n" => Layout::Null,
        b"b" => Layout::Bits,
        b"c" | b"C" => Layout::Fixed(1),
        b"s" | b"S" | b"e" => Layout::Fixed(2),
        b"i" | b"I" | b"f" | b"tdD" | b"tts" | b"ttm" | b"tiM" => Layout::Fixed(4),
        b"l" | b"L" | b"g" | b"tdm" | b"ttu" | b"ttn" | b"tiD" | [b't', b'D' | b's', ..] => Layout::Fixed(8),
        b"tin" => Layout::Fixed(16),
        b"u" | b"z" => Layout::Bytes(4),
        b"U" | b"Z" => Layout::Bytes(8),
        b"vu" | b"vz" => Layout::Views,
        b"+l" | b"+m" => Layout::List(4),
        b"+L" => Layout::List(8),
        b"+vl" => Layout::ListView(4),
        b"+vL" => Layout::ListView(8),
        b"+r" => Layout::Runs,
        b"+s" => Layout::Struct,
        [b'd', b':', parameters @ ..] => match *parameters.split(|&byte| byte == b',').collect::<Vec<_>>() {
            [_, _, b"32"] => Layout::Fixed(4),
            [_, _, b"64"] => Layout::Fixed(8),
            _ => Layout::Fixed(32),
        },
        [b'w', b':', digits @ ..] => number(digits).map_or(Layout::Unknown, Layout::Fixed),
        [b'+', b'w', b':', digits @ ..] => number(digits).map_or(Layout::Unknown, Layout::FixedList),
        _ => Layout::Unknown,
    }
}

/// Metadata as the interface writes it.
fn metadata(entries: &[(&str, &str)]) -> Vec<u8> {
    let length = |length: usize| i32::try_from(length).unwrap().to_ne_bytes();
    let mut bytes = length(entries.len()).to_vec();
    for text in entries.iter().flat_map(|&(key, value)| [key, value]) {
        bytes.extend(length(text.len()));
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// What a schema owns.
struct Private {
    format: CString,
    name: CString,
    metadata: Option<Vec<u8>>,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
    /// The children that consumers are shown.
    shown: Vec<*mut ArrowSchema>,
    ledger: Ledger,
}

/// # Safety
/// A schema of this producer that is not released.
unsafe extern "C" fn release(schema: *mut ArrowSchema) {
    // SAFETY: the caller's promise; the box is taken back once.
    let private = unsafe {
        (*schema).release = None;
        Box::from_raw((*schema).private_data.cast::<Private>())
    };
    // SAFETY: null, or a box of `raw` each.
    unsafe { release_boxed(private.children.iter().chain([&private.dictionary])) };
    private.ledger.released();
}
