//! Sizes and offsets by C's rules, on a 64-bit target.

use std::collections::HashMap;

use super::{Fault, Interface, Known, SCALARS, Struct, Type};

/// Structs that the kernels' headers declare: a callback and its context, and a column. Their Rust counterparts are in
/// `kernels/src/abi.rs`.
pub(super) fn of_headers() -> Vec<Known> {
    let known = [("Alloc", 16, 8, "kernel.h"), ("ColumnDesc", 56, 8, "column.cuh")];
    let of = |(name, size, align, header): (&str, usize, usize, &str)| Known {
        name: name.to_owned(),
        size,
        align,
        header: header.to_owned(),
    };
    known.map(of).into()
}

const POINTER_BYTES: usize = 8;

/// Size and field offsets of one struct, in bytes.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) offsets: Vec<usize>,
}

/// The layout of every struct, in the order of declaration.
pub(super) fn of_structs(interface: &Interface, others: &[Known]) -> Result<Vec<Layout>, Fault> {
    let mut known: HashMap<&str, (usize, usize)> =
        others.iter().map(|other| (other.name.as_str(), (other.size, other.align))).collect();
    known.extend(SCALARS.iter().map(|&(name, _, size)| (name, (size, size))));
    let mut layouts = Vec::new();
    for structure in &interface.structs {
        let layout = of_struct(structure, &known)?;
        if known.insert(&structure.name, (layout.size, layout.align)).is_some() {
            return Err(Fault::new(structure.line, format!("{} is declared twice", structure.name)));
        }
        layouts.push(layout);
    }
    Ok(layouts)
}

fn of_struct(structure: &Struct, known: &HashMap<&str, (usize, usize)>) -> Result<Layout, Fault> {
    let mut layout = Layout { size: 0, align: 1, offsets: Vec::new() };
    for field in &structure.fields {
        let (size, align) = of_type(&field.ty, known).map_err(|reason| Fault::new(field.line, reason))?;
        let offset = layout.size.next_multiple_of(align);
        layout.offsets.push(offset);
        layout.size = offset + size;
        layout.align = layout.align.max(align);
    }
    layout.size = layout.size.next_multiple_of(layout.align);
    Ok(layout)
}

/// Size and alignment.
fn of_type(ty: &Type, known: &HashMap<&str, (usize, usize)>) -> Result<(usize, usize), String> {
    match ty {
        Type::Pointer { .. } => Ok((POINTER_BYTES, POINTER_BYTES)),
        Type::Array { len: 0, .. } => Err("an array of no elements, which C++ does not have".into()),
        Type::Array { of, len } => of_type(of, known).map(|(size, align)| (size * len, align)),
        Type::Named(name) if name == "c_void" => Err("c_void is only taken behind a pointer".into()),
        Type::Named(name) => known.get(name.as_str()).copied().ok_or_else(|| {
            format!("{name} is neither a scalar nor a struct declared above, so its layout is not known")
        }),
    }
}
