use super::layout::Layout;
use super::*;

fn layouts(source: &str) -> Result<Vec<Layout>, Fault> {
    layout::of_structs(&parse::interface(source)?, &layout::of_headers())
}

/// The header `x.abi.h` of a source.
fn generated(source: &str, name: &str) -> Result<String, Fault> {
    generate(source, name, "x.abi.h", &layout::of_headers()).map(|(header, _)| header)
}

const GATHER: &str = r"
//! A file about abi! { that is not a block } in its docs.
use crate::abi::Alloc;

abi! {
    /// Docs with { braces } and // slashes.
    #[derive(Debug)]
    pub struct KeyColumn {
        pub data: *const c_void,
        pub(crate) width: i32,
    }
    pub struct GatherArgs {
        /// Where rows come from.
        pub src: *const c_void,
        pub width: i32,
        pub flag: u8,
        pub rows: i64,
        pub alloc: Alloc,
        pub keys: *const KeyColumn,
        pub first: KeyColumn,
        pub names: *mut *const u8,
        pub seeds: [u64; 2],
        pub tail: i16
    }
    entry gather(GatherArgs);
    entry gather_bits(GatherArgs);
}
";

#[test]
fn layout_follows_c_rules() {
    let expected = [
        Layout { size: 16, align: 8, offsets: vec![0, 8] },
        Layout { size: 96, align: 8, offsets: vec![0, 8, 12, 16, 24, 40, 48, 64, 72, 88] },
    ];
    assert_eq!(layouts(GATHER).unwrap(), expected);
}

#[test]
fn layout_agrees_with_rustc() {
    #[repr(C)]
    struct Mixed {
        a: u8,
        b: u16,
        c: [u8; 3],
        d: f64,
        e: f32,
        f: *const u8,
        g: i8,
    }
    use std::mem::{offset_of, size_of};
    let source = "abi! { struct Mixed { a: u8, b: u16, c: [u8; 3], d: f64, e: f32, f: *const u8, g: i8 } }";
    let offsets = [
        offset_of!(Mixed, a),
        offset_of!(Mixed, b),
        offset_of!(Mixed, c),
        offset_of!(Mixed, d),
        offset_of!(Mixed, e),
        offset_of!(Mixed, f),
        offset_of!(Mixed, g),
    ];
    let expected = Layout { size: size_of::<Mixed>(), align: align_of::<Mixed>(), offsets: offsets.into() };
    assert_eq!(layouts(source).unwrap(), [expected]);
}

#[test]
fn header_declares_structs_asserts_and_entries() {
    let header = generated(GATHER, "gather.rs").unwrap();
    for line in [
        "// Generated from the blocks abi! and policy! of gather.rs: change it there.",
        "#pragma once",
        "namespace CN_BUILD {",
        "struct GatherArgs;",
        "  void const *src;",
        "  int32_t width;",
        "  Alloc alloc;",
        "  KeyColumn const *keys;",
        "  KeyColumn first;",
        "  uint8_t const **names;",
        "  uint64_t seeds[2];",
        "static_assert(sizeof(GatherArgs) == 96, \"GatherArgs\");",
        "static_assert(offsetof(GatherArgs, alloc) == 24, \"GatherArgs.alloc\");",
        "ENTRY(gather)(const GatherArgs *args, cudaStream_t stream);",
        "ENTRY(gather_bits)(const GatherArgs *args, cudaStream_t stream);",
    ] {
        assert!(header.lines().any(|found| found == line), "no line `{line}` in\n{header}");
    }
}

#[test]
fn structs_of_shared_files_are_fields_and_arguments() {
    let shared = "abi! { pub struct Search { pub input: ColumnDesc, pub flag: u8 } }";
    let (_, known) = generate(shared, "table.rs", "table.abi.h", &layout::of_headers()).unwrap();
    let source =
        "abi! { struct Args { first: u8, search: Search, last: u8 } entry a(Args); entry count(Search); }";
    let (header, _) = generate(source, "count.rs", "count.abi.h", &known).unwrap();
    assert_eq!(header.matches("#include \"table.abi.h\"\n").count(), 1, "{header}");
    assert!(!header.contains("struct Search"), "{header}");
    assert!(header.contains("static_assert(offsetof(Args, last) == 72,"), "{header}");
}

#[test]
fn policies_are_constants_of_structs() {
    let source = "policy! {\n /// Docs.\n pub struct RowsPolicy {\n /// What for.\n pub const TILE_ROWS: i64 = 8_192;\n\
                  pub const MOST: usize = 4;\n pub const BLOCKS: u32 = 264; } pub struct Other { const A: i32 = 0; } }";
    let header = generated(source, "x.rs").unwrap();
    for line in [
        "struct RowsPolicy {",
        "  static constexpr int64_t kTileRows = 8192;",
        "  static constexpr int32_t kMost = 4;",
        "  static constexpr uint32_t kBlocks = 264;",
        "struct Other {",
        "  static constexpr int32_t kA = 0;",
    ] {
        assert!(header.lines().any(|found| found == line), "no line `{line}` in\n{header}");
    }
}

#[test]
fn blocks_of_one_file_form_one_interface() {
    let source = "abi! { struct A { x: u8 } }\nabi! { struct B { a: A, y: i16 } entry b(B); }\n";
    let interface = parse::interface(source).unwrap();
    assert_eq!(interface.structs.len(), 2);
    assert_eq!(interface.entries, [Entry { name: "b".into(), args: "B".into() }]);
    assert_eq!(parse::interface("fn main() {}").unwrap(), Interface::default());
}

#[test]
fn syntax_errors_name_their_line() {
    let faults = [
        ("abi! {\n struct A {\n  x: bool,\n } }", 3, "bool is neither a scalar"),
        ("abi! {\n struct A { x: c_void } }", 2, "only taken behind a pointer"),
        ("abi! { struct A { } }", 1, "no fields"),
        ("abi! { struct A { x: [u8; 0] } }", 1, "no elements"),
        ("abi! { struct A { x: *u8 } }", 1, "expected `const` or `mut`"),
        ("abi! {\n\n struct A { x: u8 y: u8 } }", 3, "expected `,`"),
        ("abi! { struct A { x: u8 } struct A { x: u8 } }", 1, "declared twice"),
        ("abi! { fn gather(); }", 1, "expected `struct` or `entry`"),
        ("abi! { entry gather(Args) }", 1, "expected `;`"),
        ("abi! { struct A { x: u8 }", 1, "does not end"),
        ("policy! {\n struct A { } }", 2, "no constants"),
        ("policy! { struct A {\n const B: f64 = 1; } }", 2, "f64 is no integer"),
        ("policy! { struct A { const B: i32 = C; } }", 1, "the value of B as a number"),
        ("policy! { struct A { B: i32 = 1; } }", 1, "expected `const`, found `B`"),
    ];
    for (source, line, reason) in faults {
        let fault = generated(source, "x.rs").unwrap_err();
        assert_eq!(fault.line, line, "{source}: {fault:?}");
        assert!(fault.reason.contains(reason), "{source}: {fault:?}");
    }
}

#[test]
fn header_includes_headers_of_field_types() {
    let source = "abi! { pub struct A { pub columns: *const ColumnDesc, } entry a(A); }";
    let header = generated(source, "cuda.rs").unwrap();
    assert_eq!(header.matches("#include \"column.cuh\"\n").count(), 1, "{header}");
    let plain = "abi! { pub struct A { pub alloc: Alloc, } entry a(A); }";
    assert!(!generated(plain, "cuda.rs").unwrap().contains("column.cuh"));
}
