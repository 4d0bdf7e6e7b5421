//! Arrays of a type, right and wrong.

use super::input::Input;
use super::ledger::{Ledger, release_boxed};
use super::types::{Layout, Type};
use super::{read, simulator};
use columnade_buffers::Exec;
use columnade_columns::arrow::c::{
    ARROW_DEVICE_EXT_DEV, ArrowArray, ArrowDeviceArray, OwnedArray, OwnedDeviceArray,
};
use columnade_columns::{Column, ColumnAccessor, Error};
use std::ffi::c_void;
use std::ptr;

/// Rows beyond which a consumer can tell that there are too many.
const MOST_ROWS: i64 = i64::MAX / 64;
/// Rows that are made of memory.
const ROWS: usize = 1 << 13;
/// Rows that a child is given, and bytes that text is.
const CHILD_ROWS: usize = 1 << 12;
/// Bytes of one buffer.
const BYTES: usize = 1 << 20;
/// Allocations of devices are padded at least to this.
const DEVICE_PADDING: usize = 256;
/// Rows without memory that are far more than any offsets to them.
const ENDLESS: i64 = 1 << 44;

/// What holds of an array and a schema, however they are made: see the module. The error that they are refused with on
/// the host. The same array is then one of the simulator.
pub(crate) fn array(data: &[u8]) -> Option<Error> {
    let refused = on_host(data);
    if let Some(exec) = simulator() {
        on_device(data, exec);
    }
    refused
}

fn on_device(data: &[u8], exec: &Exec) {
    let input = &mut Input::new(data);
    let options = input.options();
    let is_column = input.byte() & 1 == 0;
    let field = if is_column { Type::new(input) } else { Type::frame(input) };
    let rows = input.below(100);
    let made = Array::new(&field, rows, input);
    let (schemas, arrays) = (Ledger::default(), Ledger::default());
    let schema = field.schema(&schemas);
    let most_rows = made.most_rows();
    let array = ArrowDeviceArray {
        array: made.raw(&arrays, DEVICE_PADDING),
        device_id: if input.seldom() { input.number() } else { 0 },
        device_type: ARROW_DEVICE_EXT_DEV,
        sync_event: ptr::null_mut(),
        reserved: [0; 3],
    };
    // SAFETY: as for arrays of the host, whose memory the simulator uses as it does its own.
    let mut array = unsafe { OwnedDeviceArray::from_raw(array) };
    let released = arrays.count();
    let read = if is_column {
        let column = Column::from_arrow_c_device(&schema, &mut array, &options, exec);
        column.map(|column| read::column(&column, most_rows))
    } else {
        let frame = ColumnAccessor::from_arrow_c_device(&schema, &mut array, &options, exec);
        frame.map(|frame| read::frame(&frame, most_rows))
    };
    assert!(read.is_err() || array.is_released());
    assert!(read.is_ok() || arrays.count() == released, "an array that is refused is left alone");
    drop((array, schema));
    schemas.assert_settled();
    arrays.assert_settled_soon();
}

fn on_host(data: &[u8]) -> Option<Error> {
    let input = &mut Input::new(data);
    let options = input.options();
    let transport = input.byte();
    let field = if transport & 1 == 0 { Type::new(input) } else { Type::frame(input) };
    let rows = input.below(100);
    let made = Array::new(&field, rows, input);
    let (schemas, arrays) = (Ledger::default(), Ledger::default());
    let schema = field.schema(&schemas);
    let most_rows = made.most_rows();
    let is_column = transport & 1 == 0;
    let refused = if transport & 2 == 0 {
        let mut array = made.array(&arrays);
        let released = arrays.count();
        let read = if is_column {
            let column = Column::from_arrow_c(&schema, &mut array, &options);
            column.map(|column| read::column(&column, most_rows))
        } else {
            let frame = ColumnAccessor::from_arrow_c(&schema, &mut array, &options);
            frame.map(|frame| read::frame(&frame, most_rows))
        };
        assert!(read.is_err() || array.is_released());
        assert!(read.is_ok() || arrays.count() == released, "an array that is refused is left alone");
        read.err()
    } else {
        let mut array = made.device_array(input, &arrays);
        let released = arrays.count();
        let exec = Exec::host();
        let read = if is_column {
            let column = Column::from_arrow_c_device(&schema, &mut array, &options, &exec);
            column.map(|column| read::column(&column, most_rows))
        } else {
            let frame = ColumnAccessor::from_arrow_c_device(&schema, &mut array, &options, &exec);
            frame.map(|frame| read::frame(&frame, most_rows))
        };
        assert!(read.is_err() || array.is_released());
        assert!(read.is_ok() || arrays.count() == released, "an array that is refused is left alone");
        read.err()
    };
    if refused.is_none() {
        arrays.assert_settled();
    }
    drop(schema);
    schemas.assert_settled();
    arrays.assert_settled();
    refused
}

/// An array to be.
pub(super) struct Array {
    length: i64,
    offset: i64,
    null_count: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: Vec<Memory>,
    children: Vec<Array>,
    dictionary: Option<Box<Array>>,
    is_released: bool,
    /// A pointer that is null: that to the buffers, that to the children, or that to the first child.
    null: [bool; 3],
}

/// A buffer: exactly the bytes that there are, so that a sanitizer reports reads beyond them.
struct Memory {
    bytes: Box<[u8]>,
    /// Where the buffer begins.
    shift: usize,
    is_null: bool,
}

impl Memory {
    fn new(bytes: &[u8], input: &mut Input<'_>) -> Self {
        let shift = if input.seldom() { input.below(16) } else { 0 };
        let bytes = [&vec![0; shift], bytes].concat().into_boxed_slice();
        Self { bytes, shift, is_null: input.seldom() }
    }

    fn null() -> Self {
        Self { bytes: Box::default(), shift: 0, is_null: true }
    }

    fn address(&self) -> *const c_void {
        if self.is_null { ptr::null() } else { self.bytes[self.shift..].as_ptr().cast() }
    }
}

impl Array {
    /// An array of a type with so many rows, mostly.
    pub(super) fn new(field: &Type, rows: usize, input: &mut Input<'_>) -> Self {
        let mut this = Self {
            length: i64::try_from(rows).unwrap(),
            offset: if input.byte() >= 0xc0 { i64::from(input.byte() % 80) } else { 0 },
            null_count: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: Vec::new(),
            children: Vec::new(),
            dictionary: None,
            is_released: input.seldom() && input.seldom(),
            null: std::array::from_fn(|_| input.seldom() && input.seldom()),
        };
        this.choose_rows(field, input);
        match field.dictionary.as_deref() {
            Some(values) => this.codes(field, values, input),
            None => this.fill(field, input),
        }
        if is_without_memory(field) && this.length > 1 << 20 {
            this.buffers.iter_mut().for_each(|memory| *memory = Memory::null());
            this.null_count = 0;
        }
        this.n_buffers = i64::try_from(this.buffers.len()).unwrap();
        this.n_children = i64::try_from(this.children.len()).unwrap();
        this.lie_about_counts(field, input);
        this
    }

    /// Rows and offset: what is asked for, or something that a consumer can find out.
    fn choose_rows(&mut self, field: &Type, input: &mut Input<'_>) {
        let number = |input: &mut Input<'_>| match input.number() {
            absurd if !(0..=MOST_ROWS).contains(&absurd) => absurd,
            _ if is_without_memory(field) && input.seldom() => ENDLESS,
            other => other % 200,
        };
        if input.seldom() {
            self.length = number(input);
        }
        if input.seldom() && self.length < ENDLESS {
            self.offset = number(input);
        }
        if let Layout::Fixed(width) = field.layout
            && self.end() * width > BYTES
        {
            (self.length, self.offset) = (0, 0);
        }
    }

    /// The rows that there is memory for: none where a consumer can tell that there cannot be so many.
    fn end(&self) -> usize {
        if is_within(self.length, ROWS) && is_within(self.offset, ROWS) {
            usize::try_from(self.length + self.offset).unwrap()
        } else {
            0
        }
    }

    fn validity(&mut self, input: &mut Input<'_>) {
        let bytes = self.end().div_ceil(8);
        if input.byte() < 0x60 {
            self.buffers.push(Memory::null());
        } else {
            self.null_count = -1;
            self.buffers.push(Memory::new(&noise(bytes, input), input));
        }
        if input.seldom() {
            self.null_count = input.number();
        }
    }

    /// The buffers and children of a type that is no dictionary.
    fn fill(&mut self, field: &Type, input: &mut Input<'_>) {
        let end = self.end();
        if field.layout == Layout::Null {
            self.null_count = if input.seldom() { input.number() } else { self.length.max(0) };
            return;
        }
        self.validity(input);
        let mut wanted = end;
        match field.layout {
            Layout::Null | Layout::Struct => {}
            Layout::Bits => self.buffers.push(Memory::new(&noise(end.div_ceil(8), input), input)),
            Layout::Fixed(width) => {
                let mut values = noise(end * width, input);
                if !input.contents_lie && field.format.as_bytes().starts_with(b"d:") {
                    values.chunks_exact_mut(width).for_each(one_digit);
                }
                if !input.contents_lie && field.format.as_bytes().starts_with(b"tt") {
                    // Every unit has more of them in a day.
                    values.chunks_exact_mut(width).for_each(|value| value[2..].fill(0));
                }
                self.buffers.push(Memory::new(&values, input));
            }
            Layout::FixedList(length) => wanted = end.saturating_mul(length).min(CHILD_ROWS),
            Layout::Bytes(width) => {
                let (offsets, last) = offsets(end, width, None, input);
                self.buffers.push(Memory::new(&offsets, input));
                let mut text = noise(last, input);
                if !input.contents_lie {
                    for byte in &mut text {
                        *byte = b'a' + *byte % 26;
                    }
                }
                self.buffers.push(Memory::new(&text, input));
            }
            Layout::List(width) => {
                let endless = field.children.first().is_some_and(is_without_memory);
                let endless =
                    (endless && input.seldom()).then_some(if width == 4 { 1 << 30 } else { ENDLESS });
                let (offsets, last) = offsets(end, width, endless, input);
                self.buffers.push(Memory::new(&offsets, input));
                wanted = last;
            }
            Layout::ListView(width) => {
                wanted = input.below(6);
                for _ in 0..2 {
                    let mut numbers = noise(end * width, input);
                    if !input.contents_lie {
                        numbers.fill(0);
                    }
                    self.buffers.push(Memory::new(&numbers, input));
                }
            }
            // In its children.
            Layout::Runs => {
                self.buffers.clear();
                wanted = input.below(6);
            }
            Layout::Views => self.views(end, input),
            Layout::Unknown => {
                (0..2).for_each(|_| self.buffers.push(Memory::new(&noise(end * 16, input), input)));
            }
        }
        self.children = field.children.iter().map(|child| Self::new(child, wanted, input)).collect();
    }

    fn codes(&mut self, field: &Type, values: &Type, input: &mut Input<'_>) {
        let rows = input.below(6);
        let values = Self::new(values, rows, input);
        let count = values.end().saturating_sub(usize::try_from(values.offset).unwrap_or(0));
        if count == 0 && !input.contents_lie {
            self.length = self.length.min(0);
        }
        self.validity(input);
        let width = if let Layout::Fixed(width) = field.layout { width } else { 1 };
        let mut codes = noise(self.end() * width, input);
        if !input.contents_lie && width > 0 {
            for code in codes.chunks_exact_mut(width) {
                let small = code[0] % u8::try_from(count.max(1)).unwrap_or(u8::MAX) % 128;
                code.fill(0);
                code[0] = small;
            }
        }
        self.buffers.push(Memory::new(&codes, input));
        self.dictionary = Some(Box::new(values));
        self.children = field.children.iter().map(|child| Self::new(child, self.end(), input)).collect();
    }

    /// Views into some buffers, these buffers, and how large they are.
    fn views(&mut self, end: usize, input: &mut Input<'_>) {
        let buffers: Vec<Vec<u8>> = (0..input.below(4))
            .map(|_| {
                let len = input.below(64);
                noise(len, input).into_iter().map(|byte| b'a' + byte % 26).collect()
            })
            .collect();
        let view = |_| {
            let mut view = [0; 16];
            match input.byte() {
                inline @ 0..0x80 => {
                    let len = inline % 13;
                    view[0] = len;
                    view[4..4 + usize::from(len)].fill(b'v');
                }
                0x80..0xe8 => {
                    view[0] = input.byte();
                    view[8] = input.byte() % 4;
                    view[12] = input.byte() % 64;
                }
                _ => view.fill_with(|| input.byte()),
            }
            view
        };
        let views: Vec<u8> = (0..end).flat_map(view).collect();
        self.buffers.push(Memory::new(&views, input));
        let mut sizes: Vec<u8> = Vec::new();
        for bytes in &buffers {
            let size = i64::try_from(bytes.len()).unwrap();
            let lie = input.seldom().then(|| input.pick(&[-1, i64::MIN]));
            sizes.extend(lie.unwrap_or(size).to_ne_bytes());
            self.buffers.push(Memory::new(bytes, input));
        }
        self.buffers.push(Memory::new(&sizes, input));
    }

    fn lie_about_counts(&mut self, field: &Type, input: &mut Input<'_>) {
        if input.seldom() {
            let lie = input.number();
            // Any number of buffers of views is one to be believed.
            if field.layout != Layout::Views || !(0..=1 << 20).contains(&lie) {
                self.n_buffers = lie;
            }
        }
        if input.seldom() {
            let lie = input.number();
            // So is what the schema says.
            if field.children.len() == self.children.len() {
                self.n_children = lie;
            }
        }
        if input.seldom() {
            self.dictionary = match self.dictionary {
                Some(_) => None,
                None => Some(Box::new(Self::new(field, 1, &mut Input::new(&[])))),
            };
        }
    }

    /// The most rows of any array of the tree.
    pub(super) fn most_rows(&self) -> i64 {
        let below = self.children.iter().chain(self.dictionary.as_deref()).map(Self::most_rows);
        below.fold(self.length, i64::max)
    }

    /// The array as the interface has it.
    pub(super) fn array(&self, ledger: &Ledger) -> OwnedArray {
        // SAFETY: filled as the interface says, but for what a consumer can find out.
        unsafe { OwnedArray::from_raw(self.raw(ledger, 0)) }
    }

    /// The array on some device.
    fn device_array(&self, input: &mut Input<'_>, ledger: &Ledger) -> OwnedDeviceArray {
        let device_type = match input.byte() {
            0..0x80 => 1,
            0x80..0xa0 => 3,
            0xa0..0xe0 => i32::from(input.byte()),
            _ => i32::try_from(input.number() >> 32).unwrap_or_default(),
        };
        // Only the host accepts events of no driver.
        let is_pending = device_type == 1 && input.seldom();
        let array = ArrowDeviceArray {
            array: self.raw(ledger, 0),
            device_id: if input.seldom() { input.number() } else { -1 },
            device_type,
            sync_event: if is_pending { ptr::dangling_mut() } else { ptr::null_mut() },
            reserved: [input.number(), 0, 0],
        };
        // SAFETY: as for the array.
        unsafe { OwnedDeviceArray::from_raw(array) }
    }

    /// The struct, with so many bytes behind those of every buffer.
    fn raw(&self, ledger: &Ledger, padding: usize) -> ArrowArray {
        let boxed = |child: &Array| Box::into_raw(Box::new(child.raw(ledger, padding)));
        let padded = |bytes: &[u8]| [bytes, &vec![0; padding]].concat().into_boxed_slice();
        let memory: Vec<_> =
            self.buffers.iter().map(|memory| Memory { bytes: padded(&memory.bytes), ..*memory }).collect();
        ledger.made();
        let private = Box::into_raw(Box::new(Private {
            buffers: memory.iter().map(Memory::address).collect(),
            _memory: memory,
            children: self.children.iter().map(boxed).collect(),
            dictionary: self.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
            shown: Vec::new(),
            ledger: ledger.clone(),
        }));
        // SAFETY: just made; the array owns it from now on.
        let held = unsafe { &mut *private };
        held.shown.clone_from(&held.children);
        let [no_buffers, no_children, no_child] = self.null;
        if let (true, Some(first)) = (no_child, held.shown.first_mut()) {
            *first = ptr::null_mut();
        }
        let array = ArrowArray {
            length: self.length,
            null_count: self.null_count,
            offset: self.offset,
            n_buffers: self.n_buffers,
            n_children: self.n_children,
            buffers: if no_buffers { ptr::null_mut() } else { held.buffers.as_mut_ptr() },
            children: if no_children { ptr::null_mut() } else { held.shown.as_mut_ptr() },
            dictionary: held.dictionary,
            release: Some(release),
            private_data: private.cast(),
        };
        if self.is_released {
            // SAFETY: filled above; what is left of it is released.
            unsafe { drop(OwnedArray::from_raw(array)) };
            return OwnedArray::released().into_raw();
        }
        array
    }
}

/// Whether rows of the type take no memory.
fn is_without_memory(field: &Type) -> bool {
    field.dictionary.is_none()
        && match field.layout {
            Layout::Null | Layout::Fixed(0) | Layout::FixedList(0) => true,
            Layout::Struct => field.children.is_empty(),
            _ => false,
        }
}

/// Whether there are at most so many.
fn is_within(number: i64, most: usize) -> bool {
    usize::try_from(number).is_ok_and(|number| number <= most)
}

/// Bytes that one of the input decides: zeros, small numbers, or anything.
fn noise(len: usize, input: &mut Input<'_>) -> Vec<u8> {
    let seed = input.byte();
    let mut state = u32::from(seed).wrapping_mul(0x9e37_79b9) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_ne_bytes()[1]
    };
    match seed {
        0 => vec![0; len],
        1..0x60 => (0..len).map(|at| if at % 8 == 0 { next() } else { 0 }).collect(),
        _ => (0..len).map(|_| next()).collect(),
    }
}

/// Makes a number of one digit of a decimal, which has no fewer.
fn one_digit(value: &mut [u8]) {
    let number = value[0].cast_signed() % 10;
    value.fill(if number < 0 { 0xff } else { 0 });
    value[0] = number.cast_unsigned();
}

/// Offsets of so many rows and bytes each, the last of them, and lies between them. The last may be given.
fn offsets(rows: usize, width: usize, last: Option<i64>, input: &mut Input<'_>) -> (Vec<u8>, usize) {
    let mut at = i64::from(input.byte() / 0x20);
    let step = input.byte() / 0x20;
    let mut offsets = vec![at];
    for row in 0..rows {
        at += i64::from(if step == 7 { input.byte() % 8 } else { step * u8::from(row % 3 != 1) });
        offsets.push(at);
    }
    if let Some(last) = last {
        offsets[rows] = last;
    }
    if input.contents_lie && input.byte() >= 0x80 {
        let row = input.below(rows.min(255) + 1);
        offsets[row] = input.number();
    }
    let end = offsets[rows];
    let most = i64::try_from(CHILD_ROWS).unwrap();
    let unknowable = if width == 4 { most..=i64::MAX } else { most..=1 << 57 };
    if last != Some(end) && unknowable.contains(&end) {
        // The import cannot detect that there is no such memory.
        let end = end % most;
        offsets[rows] = end;
        if !input.contents_lie {
            for at in &mut offsets {
                *at = (*at).min(end);
            }
        }
    }
    let narrow = |offset: i64| i32::try_from(offset).unwrap_or(if offset < 0 { i32::MIN } else { i32::MAX });
    let bytes = offsets.iter().flat_map(|&offset| match width {
        4 => narrow(offset).to_ne_bytes().to_vec(),
        _ => offset.to_ne_bytes().to_vec(),
    });
    // More than any memory is refused before there is need of any.
    let end = if offsets[rows] > 1 << 57 { 0 } else { offsets[rows] };
    (bytes.collect(), usize::try_from(end).unwrap_or(0))
}

/// What an array owns.
struct Private {
    buffers: Vec<*const c_void>,
    _memory: Vec<Memory>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
    /// The children that consumers are shown.
    shown: Vec<*mut ArrowArray>,
    ledger: Ledger,
}

/// # Safety
/// An array of this producer that is not released.
unsafe extern "C" fn release(array: *mut ArrowArray) {
    // SAFETY: the caller's promise; the box is taken back once.
    let private = unsafe {
        (*array).release = None;
        Box::from_raw((*array).private_data.cast::<Private>())
    };
    // SAFETY: null, or a box of `raw` each.
    unsafe { release_boxed(private.children.iter().chain([&private.dictionary])) };
    private.ledger.released();
}
