//! [`Interface`] to the text of a C++ header.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::layout::Layout;
use super::{Field, Interface, Known, Policy, SCALARS, Struct, Type};

/// The header of a Rust source named `name`.
pub(super) fn text(interface: &Interface, layouts: &[Layout], name: &str, known: &[Known]) -> String {
    let mut out = format!("// Generated from the blocks abi! and policy! of {name}: change it there.\n");
    out += "#pragma once\n#include <cstddef>\n#include <cstdint>\n#include \"kernel.h\"\n";
    for header in headers(interface, known) {
        put(&mut out, format_args!("#include \"{header}\"\n"));
    }
    out += "\nnamespace CN_BUILD {\n";
    for policy in &interface.policies {
        put_policy(&mut out, policy);
    }
    for structure in &interface.structs {
        put(&mut out, format_args!("struct {};\n", structure.name));
    }
    for (structure, layout) in interface.structs.iter().zip(layouts) {
        put_struct(&mut out, structure, layout);
    }
    for entry in &interface.entries {
        put(
            &mut out,
            format_args!("\nENTRY({})(const {} *args, cudaStream_t stream);\n", entry.name, entry.args),
        );
    }
    out += "}  // namespace CN_BUILD\n";
    out
}

/// The headers that declare the types of fields and the arguments of entries, beside the portability header.
fn headers<'a>(interface: &Interface, known: &'a [Known]) -> BTreeSet<&'a str> {
    let header_of =
        |name: &str| known.iter().find(|known| known.name == name).map(|known| known.header.as_str());
    let fields = interface.structs.iter().flat_map(|structure| &structure.fields);
    let of_fields = fields.filter_map(|field| match element(&field.ty) {
        Type::Named(name) => header_of(name),
        Type::Pointer { .. } | Type::Array { .. } => None,
    });
    let of_entries = interface.entries.iter().filter_map(|entry| header_of(&entry.args));
    of_fields.chain(of_entries).filter(|header| *header != "kernel.h").collect()
}

/// Tuning numbers, as constants of a struct.
fn put_policy(out: &mut String, policy: &Policy) {
    put(out, format_args!("struct {} {{\n", policy.name));
    for constant in &policy.constants {
        // Kernels count in int.
        let ty =
            if constant.ty == "usize" { "int32_t" } else { scalar(&constant.ty).unwrap_or(&constant.ty) };
        let name = constant_name(&constant.name);
        put(out, format_args!("  static constexpr {ty} {name} = {};\n", constant.value));
    }
    *out += "};\n";
}

/// `MOST_ROWS` as `kMostRows`.
fn constant_name(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    });
    format!("k{}", words.collect::<String>())
}

/// What a field is made of, behind pointers and in arrays.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Pointer { to, .. } => element(to),
        Type::Array { of, .. } => element(of),
        Type::Named(_) => ty,
    }
}

fn put_struct(out: &mut String, structure: &Struct, layout: &Layout) {
    let name = &structure.name;
    put(out, format_args!("\nstruct {name} {{\n"));
    for field in &structure.fields {
        put(out, format_args!("  {};\n", declaration(field)));
    }
    put(out, format_args!("}};\nstatic_assert(sizeof({name}) == {}, \"{name}\");\n", layout.size));
    put(out, format_args!("static_assert(alignof({name}) == {}, \"{name}\");\n", layout.align));
    for (field, offset) in structure.fields.iter().zip(&layout.offsets) {
        let field = &field.name;
        put(out, format_args!("static_assert(offsetof({name}, {field}) == {offset}, \"{name}.{field}\");\n"));
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = out.write_fmt(text);
}

fn declaration(field: &Field) -> String {
    let (element, suffix) = split_array(&field.ty);
    let ty = type_name(element);
    let blank = if ty.ends_with('*') { "" } else { " " };
    format!("{ty}{blank}{}{suffix}", field.name)
}

/// The innermost element of nested arrays, and their lengths as C++ writes them after the name.
fn split_array(ty: &Type) -> (&Type, String) {
    match ty {
        Type::Array { of, len } => {
            let (element, suffix) = split_array(of);
            (element, format!("[{len}]{suffix}"))
        }
        other => (other, String::new()),
    }
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Named(name) if name == "c_void" => "void".into(),
        Type::Named(name) => scalar(name).unwrap_or(name).into(),
        Type::Pointer { to, is_const } => {
            let to = type_name(to);
            let to = to.strip_suffix(' ').unwrap_or(&to);
            let star = if to.ends_with('*') { "*" } else { " *" };
            if *is_const { format!("{to} const *") } else { format!("{to}{star}") }
        }
        // Only reached behind a pointer: the pointer to an array is the pointer to its element.
        Type::Array { .. } => type_name(split_array(ty).0),
    }
}

/// The C++ name of a scalar.
fn scalar(name: &str) -> Option<&'static str> {
    SCALARS.iter().find(|scalar| scalar.0 == name).map(|scalar| scalar.1)
}
