//! The C++ side of a kernel's interface, generated from its one declaration in Rust.
//!
//! A kernel declares argument structs and entries in an `abi!` block. The Rust macro of that name turns the block
//! into `#[repr(C)]` structs and imports; [`AbiHeaders`] turns the same text into a header that the kernel's `.cu`
//! file includes. Every struct's size and every field's offset is computed here by C's rules and asserted in
//! the header; the macro asserts the same on its side, so the two languages cannot drift apart unnoticed. Structs of a
//! [shared](AbiHeaders::shared) file may be fields and arguments in all others.
//!
//! A `policy!` block declares tuning numbers, which Rust reads as associated constants and C++ as `RowsPolicy::kMostRows`.
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
//! policy! {
//!     /// Of `gather.cu`.
//!     pub struct GatherPolicy {
//!         /// What it trades off.
//!         pub const TILE_ROWS: i32 = 2048;
//!     }
//! }
//! ```
//!
//! | Rust | C++ |
//! | --- | --- |
//! | `i8` … `u64`, `usize`, `f32`, `f64` | `int8_t` … `uint64_t`, `size_t`, `float`, `double` |
//! | `*const T`, `*mut T` | `T const *`, `T *` |
//! | `c_void` behind a pointer | `void` |
//! | `[T; N]` | `T name[N]` |
//! | a struct declared above or in a shared file, `Alloc` or `ColumnDesc` | itself |
//! | another name behind a pointer | itself; `kernel.h` must declare it |
//! | `usize` of a constant | `int32_t`, in which kernels count |

mod header;
mod layout;
mod parse;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// The generated headers of a crate.
#[derive(Debug)]
pub struct AbiHeaders {
    folder: PathBuf,
    /// What every file may use.
    known: Vec<Known>,
}

impl AbiHeaders {
    /// Headers in `folder`.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, known: layout::of_headers() }
    }

    /// Their folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes `<stem>.abi.h` for the blocks of `rust_file`, and leaves the header alone when nothing changed, so that no
    /// object becomes stale. The build script runs again when `rust_file` changes.
    ///
    /// # Errors
    /// A file that cannot be read or written, or a block outside the grammar, with its line.
    pub fn write(&self, rust_file: &Path, stem: &str) -> Result<(), Error> {
        self.generate(rust_file, stem).map(|_| ())
    }

    /// [`AbiHeaders::write`], and lets later files use its structs.
    ///
    /// # Errors
    /// Those of [`AbiHeaders::write`].
    pub fn shared(&mut self, rust_file: &Path, stem: &str) -> Result<(), Error> {
        let known = self.generate(rust_file, stem)?;
        self.known.extend(known);
        Ok(())
    }

    /// Writes the header, and returns its structs.
    fn generate(&self, rust_file: &Path, stem: &str) -> Result<Vec<Known>, Error> {
        println!("cargo::rerun-if-changed={}", rust_file.display());
        let text = fs::read_to_string(rust_file).map_err(Error::file(rust_file))?;
        let name = rust_file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let file = format!("{stem}.abi.h");
        let (header, known) = generate(&text, &name, &file, &self.known).map_err(|fault| Error::Abi {
            file: rust_file.to_path_buf(),
            line: fault.line,
            reason: fault.reason,
        })?;
        let out = self.folder.join(file);
        if fs::read_to_string(&out).is_ok_and(|previous| previous == header) {
            return Ok(known);
        }
        fs::create_dir_all(&self.folder).map_err(Error::file(&self.folder))?;
        fs::write(&out, header).map_err(Error::file(&out))?;
        Ok(known)
    }
}

/// The text of the header `file` for a Rust source named `name`, and its structs.
fn generate(source: &str, name: &str, file: &str, known: &[Known]) -> Result<(String, Vec<Known>), Fault> {
    let interface = parse::interface(source)?;
    let layouts = layout::of_structs(&interface, known)?;
    let structs = interface.structs.iter().zip(&layouts).map(|(structure, layout)| Known {
        name: structure.name.clone(),
        size: layout.size,
        align: layout.align,
        header: file.to_owned(),
    });
    let structs = structs.collect();
    Ok((header::text(&interface, &layouts, name, known), structs))
}

/// A struct that another header declares.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    size: usize,
    align: usize,
    header: String,
}

/// All blocks of a file.
#[derive(Debug, Default, PartialEq)]
struct Interface {
    structs: Vec<Struct>,
    entries: Vec<Entry>,
    policies: Vec<Policy>,
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

/// Tuning numbers.
#[derive(Debug, PartialEq)]
struct Policy {
    name: String,
    constants: Vec<Constant>,
}

#[derive(Debug, PartialEq)]
struct Constant {
    name: String,
    /// A scalar.
    ty: String,
    value: usize,
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
