//! Checks of a full validation.

use super::super::path::Path;
use super::super::violation::Violation;
use super::node::Node;
use crate::column::fixed::FixedLayout;
use crate::column::layout::{check_times, with_digits_of};
use crate::column::read::validity;
use crate::{Column, DType, Result};
use columnade_buffers::{Device, Exec};
use columnade_kernels::{Element, OffsetWidth, Storage};

/// Checks every offset and all text of a column, the digits of its decimals or the range of its times of day, its children
/// aside.
pub(super) fn check(column: &Column, node: &Node<'_>, path: &Path<'_>, exec: &Exec) -> Result<()> {
    if let Some(layout) = column.fixed_layout() {
        let dtype = column.dtype();
        check_times(layout, &dtype, exec)?;
        return with_digits_of(layout, &dtype, exec).map(drop);
    }
    let Some((offsets, width)) = column.offsets() else { return Ok(()) };
    if node.length == 0 {
        return Ok(());
    }
    let host = Exec::host();
    let here = |buffer: &columnade_buffers::Buffer| match buffer.device() {
        Device::Host => Ok(buffer.clone()),
        Device::Sim | Device::Cuda(_) => buffer.copy_to(&host),
    };
    let offsets = here(offsets)?;
    let guard = offsets.read(&host)?;
    let rows = column.offset()..=column.offset() + column.size();
    let offsets: Vec<i64> = match width {
        OffsetWidth::I32 => guard.as_slice::<i32>()[rows].iter().map(|&at| at.into()).collect(),
        OffsetWidth::I64 => guard.as_slice::<i64>()[rows].to_vec(),
    };
    let at = |row: usize| node.offset + row;
    if let Some(row) = offsets.windows(2).position(|pair| pair[1] < pair[0]) {
        let found = offsets[row + 1];
        let reason = "which is before the one of the row before";
        return path.fail(Violation::Offset { row: at(row + 1), found, reason });
    }
    let (DType::Utf8, Some(data)) = (column.dtype(), column.data()) else { return Ok(()) };
    let data = here(data)?;
    let guard = data.read(&host)?;
    let bytes = guard.as_slice::<u8>();
    let mut valid = None;
    let mut is_valid = |row: usize| -> Result<bool> {
        if valid.is_none() {
            valid = Some(validity(column.to_device(&host)?.rows(), &host)?);
        }
        Ok(valid.as_ref().is_none_or(|valid| valid[row]))
    };
    let position = |at: i64| usize::try_from(at).unwrap_or(usize::MAX);
    for (row, offsets) in offsets.windows(2).enumerate() {
        let Some(text) = bytes.get(position(offsets[0])..position(offsets[1])) else {
            let reason = "which is not within the data";
            return path.fail(Violation::Offset { row: at(row + 1), found: offsets[1], reason });
        };
        // Anything may be under a null.
        if std::str::from_utf8(text).is_err() && is_valid(row)? {
            return path.fail(Violation::Utf8 { what: format!("the text of row {}", at(row)) });
        }
    }
    Ok(())
}

/// Checks that the codes of rows that are not null are rows of a dictionary of so many values.
pub(super) fn check_codes(layout: &FixedLayout, values: usize, path: &Path<'_>) -> Result<()> {
    let host = Exec::host();
    let here = layout.to_device(&host)?;
    let mask = here.rows.mask.as_ref().map(|mask| mask.to_vec::<u8>(&host)).transpose()?;
    let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row / 8] >> (row % 8) & 1 == 1);
    let outside = |code: i64| usize::try_from(code).map_or(true, |code| code >= values);
    let mut rows = (here.rows.offset..).zip(codes(&here)?);
    if rows.any(|(row, code)| valid(row) && outside(code)) {
        return path.fail(Violation::Code { values });
    }
    Ok(())
}

/// The codes of the rows of a layout on the host.
pub(super) fn codes(layout: &FixedLayout) -> Result<Vec<i64>> {
    fn read<T: Element + Into<i64>>(layout: &FixedLayout) -> Result<Vec<i64>> {
        let host = Exec::host();
        let guard = layout.data.read(&host)?;
        let rows = layout.rows.offset..layout.rows.offset + layout.rows.size;
        Ok(guard.as_slice::<T>()[rows].iter().map(|&code| code.into()).collect())
    }
    match layout.storage {
        Storage::I8 => read::<i8>(layout),
        Storage::I16 => read::<i16>(layout),
        Storage::I64 => read::<i64>(layout),
        Storage::Bit
        | Storage::I32
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => read::<i32>(layout),
    }
}
