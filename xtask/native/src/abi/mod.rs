//! The C++ side of a kernel's interface, generated from its one declaration in Rust.
//!
//! A kernel declares argument structs and entries in an `abi!` block. The Rust macro of that name turns the block
//! into `#[repr(C)]` structs and imports; [`abi_header`] turns the same text into a header that the kernel's `.cu`
//! file includes. Every struct's size and every field's offset is computed here by C's rules and asserted in
//! the header; the macro asserts the same on its side, so the two languages cannot drift apart unnoticed.
//!
//! ```text
//! abi! {
//!     /// What gather needs.
//!     pub struct GatherArgs {
//!         pub src: *const c_void,
//!         pub rows: i64,
//!         pub alloc: Alloc,
//!         pub seeds: [u64; 2],
//!     }
//!     entry gather(GatherArgs);
//! }
//! ```
//!
//! | Rust | C++ |
//! | --- | --- |
//! | `i8` … `u64`, `usize`, `f32`, `f64` | `int8_t` … `uint64_t`, `size_t`, `float`, `double` |
//! | `*const T`, `*mut T` | `T const *`, `T *` |
//! | `c_void` behind a pointer | `void` |
//! | `[T; N]` | `T name[N]` |
//! | a struct declared above, `Alloc`, `ColumnDesc` or `AutomatonTable` | itself |
//! | another name behind a pointer | itself; `kernel.h` must declare it |

mod header;
mod layout;
mod parse;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

use crate::Error;

/// Writes the C++ header of the `abi!` blocks of `rust_file` to `header_out`, and leaves the file alone when
/// nothing changed, so that no object becomes stale. The build script runs again when `rust_file` changes.
///
/// # Errors
/// A file that cannot be read or written, or a block outside the grammar, with its line.
pub fn abi_header(rust_file: &Path, header_out: &Path) -> Result<(), Error> {
    println!("cargo::rerun-if-changed={}", rust_file.display());
    let text = fs::read_to_string(rust_file).map_err(Error::file(rust_file))?;
    let name = rust_file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let header = generate(&text, &name).map_err(|fault| Error::Abi {
        file: rust_file.to_path_buf(),
        line: fault.line,
        reason: fault.reason,
    })?;
    if fs::read_to_string(header_out).is_ok_and(|previous| previous == header) {
        return Ok(());
    }
    if let Some(dir) = header_out.parent() {
        fs::create_dir_all(dir).map_err(Error::file(dir))?;
    }
    fs::write(header_out, header).map_err(Error::file(header_out))
}

/// The header's text for a Rust source named `name`.
fn generate(source: &str, name: &str) -> Result<String, Fault> {
    let interface = parse::interface(source)?;
    let layouts = layout::of_structs(&interface)?;
    Ok(header::text(&interface, &layouts, name))
}

/// All `abi!` blocks of a file.
#[derive(Debug, Default, PartialEq)]
struct Interface {
    structs: Vec<Struct>,
    entries: Vec<Entry>,
}

#[derive(Debug, PartialEq)]
struct Struct {
    name: String,
    fields: Vec<Field>,
    line: usize,
}

#[derive(Debug, PartialEq)]
struct Field {
    name: String,
    ty: Type,
    line: usize,
}

/// `entry <name>(<args>);`
#[derive(Debug, PartialEq)]
struct Entry {
    name: String,
    args: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Type {
    /// A scalar, `c_void`, or the name of a struct.
    Named(String),
    Pointer {
        to: Box<Type>,
        is_const: bool,
    },
    Array {
        of: Box<Type>,
        len: usize,
    },
}

/// What is wrong with a block, and where.
#[derive(Debug, PartialEq)]
struct Fault {
    line: usize,
    reason: String,
}

impl Fault {
    fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// Rust scalar, C++ scalar, bytes. Size and alignment are equal on every supported target.
const SCALARS: [(&str, &str, usize); 11] = [
    ("i8", "int8_t", 1),
    ("u8", "uint8_t", 1),
    ("i16", "int16_t", 2),
    ("u16", "uint16_t", 2),
    ("i32", "int32_t", 4),
    ("u32", "uint32_t", 4),
    ("i64", "int64_t", 8),
    ("u64", "uint64_t", 8),
    ("usize", "size_t", 8),
    ("f32", "float", 4),
    ("f64", "double", 8),
];
