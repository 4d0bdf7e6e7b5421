//! Streams, right and wrong.

use super::arrays::Array;
use super::input::Input;
use super::ledger::Ledger;
use super::read;
use super::types::Type;
use columnade_columns::arrow::c::{
    ArrowArray, ArrowArrayStream, ArrowSchema, ColumnStreamReader, ImportOptions, OwnedArray, OwnedSchema,
    OwnedStream, StreamReader,
};
use columnade_columns::{Error, Result};
use std::ffi::{CString, c_char, c_int};
use std::ptr;

/// What holds of a stream, however it is made: see the module. The error that it is refused with, or ends in, where it is
/// read as frames. The same stream is then read as a column of structs, and one of bare columns as these.
pub(crate) fn stream(data: &[u8]) -> Option<Error> {
    let refused = read_from(data, Type::frame, StreamReader::new, read::frame);
    read_from(data, Type::frame, ColumnStreamReader::new, read::column);
    read_from(data, Type::new, ColumnStreamReader::new, read::column);
    refused
}

fn read_from<T, R: Iterator<Item = Result<T>>>(
    data: &[u8],
    field: impl FnOnce(&mut Input<'_>) -> Type,
    open: impl FnOnce(&mut OwnedStream, &ImportOptions) -> Result<R>,
    look: impl Fn(&T, i64),
) -> Option<Error> {
    let input = &mut Input::new(data);
    let options = input.options();
    let ledger = Ledger::default();
    let field = field(input);
    let (mut stream, most_rows) = made(field, input, &ledger);
    let mut refused = None;
    match open(&mut stream, &options) {
        Err(error) => {
            assert!(!stream.is_released(), "a stream that is refused is left alone");
            refused = Some(error);
        }
        Ok(mut reader) => {
            assert!(stream.is_released());
            let mut kept = Vec::new();
            for one in reader.by_ref() {
                assert!(refused.is_none(), "after an error there are no more");
                match one {
                    Ok(one) => kept.push(one),
                    Err(error) => refused = Some(error),
                }
            }
            assert!(reader.next().is_none());
            drop(reader);
            for one in &kept {
                look(one, most_rows);
            }
        }
    }
    drop(stream);
    ledger.assert_settled();
    refused
}

/// What a stream owns.
struct Private {
    field: Type,
    /// The last comes first.
    arrays: Vec<Array>,
    /// What the calls return.
    codes: [c_int; 2],
    /// Whether the schema is a released one.
    has_no_schema: bool,
    message: Option<CString>,
    ledger: Ledger,
}

fn made(field: Type, input: &mut Input<'_>, ledger: &Ledger) -> (OwnedStream, i64) {
    let arrays: Vec<_> = (0..input.below(4))
        .map(|_| {
            let rows = input.below(40);
            Array::new(&field, rows, input)
        })
        .collect();
    let most_rows = arrays.iter().map(Array::most_rows).max().unwrap_or_default();
    let code =
        |input: &mut Input<'_>| if input.seldom() { c_int::from(input.byte().cast_signed()) } else { 0 };
    let message = CString::new(input.raw(6).split(|&byte| byte == 0).next().unwrap_or_default()).ok();
    let private = Private {
        field,
        arrays,
        codes: [code(input), code(input)],
        has_no_schema: input.seldom(),
        message: message.filter(|_| !input.seldom()),
        ledger: ledger.clone(),
    };
    ledger.made();
    let stream = ArrowArrayStream {
        get_schema: (!input.seldom()).then_some(get_schema as _),
        get_next: (!input.seldom()).then_some(get_next as _),
        get_last_error: (!input.seldom()).then_some(get_last_error as _),
        release: Some(release),
        private_data: Box::into_raw(Box::new(private)).cast(),
    };
    // SAFETY: filled as the interface says, but for what a consumer can find out.
    (unsafe { OwnedStream::from_raw(stream) }, most_rows)
}

/// # Safety
/// A stream of this producer that is not released.
unsafe fn private<'a>(stream: *mut ArrowArrayStream) -> &'a mut Private {
    // SAFETY: the caller's promise.
    unsafe { &mut *(*stream).private_data.cast() }
}

/// # Safety
/// Same as [`private`]; `out` is writable.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller's promise.
    let private = unsafe { private(stream) };
    let schema =
        if private.has_no_schema { OwnedSchema::released() } else { private.field.schema(&private.ledger) };
    // SAFETY: the caller's promise.
    unsafe { schema.move_to(out) };
    private.codes[0]
}

/// # Safety
/// Same as [`private`]; `out` is writable.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the caller's promise.
    let private = unsafe { private(stream) };
    let array = match private.arrays.pop() {
        Some(array) => array.array(&private.ledger),
        None => OwnedArray::released(),
    };
    // SAFETY: the caller's promise.
    unsafe { array.move_to(out) };
    // It fails in the middle.
    if private.arrays.len() == 1 { private.codes[1] } else { 0 }
}

/// # Safety
/// Same as [`private`].
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the caller's promise.
    let private = unsafe { private(stream) };
    private.message.as_ref().map_or(ptr::null(), |message| message.as_ptr())
}

/// # Safety
/// Same as [`private`].
unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller's promise; the box is taken back once.
    let private = unsafe {
        (*stream).release = None;
        Box::from_raw((*stream).private_data.cast::<Private>())
    };
    private.ledger.released();
}
