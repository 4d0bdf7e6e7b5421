//! What is exported of our own memory is aligned, and zero wherever there are no rows.

use super::{EXPORT, Pattern, column, dtypes, execs};
use crate::arrow::c::ArrowArray;
use crate::column::rows::Rows;
use crate::{Column, ColumnAccessor, DType};
use columnade_buffers::{Buffer, Exec, PADDING_BYTES};
use columnade_kernels::copying::filter::filter;
use columnade_kernels::{Bits, ColumnData};
use std::ptr::NonNull;

/// Checks the masks of an array and its children, whose offsets are `exec`'s, and counts those with nulls.
fn check_masks(array: &ArrowArray, exec: &Exec, context: &str) -> usize {
    let mut masks = 0;
    if array.n_buffers == 0 {
        return 0;
    }
    // SAFETY: an array of ours, whose first buffer is a mask; null where there are no nulls.
    let mask = unsafe { (*array.buffers).cast_mut().cast::<u8>() };
    if let Some(mask) = NonNull::new(mask) {
        masks += 1;
        assert!(mask.addr().get().is_multiple_of(4), "{context}");
        let bits = usize::try_from(array.offset + array.length).unwrap();
        let bytes = bits.div_ceil(8).next_multiple_of(PADDING_BYTES);
        // SAFETY: memory of ours is padded to that, and the array keeps it.
        let all = unsafe { Buffer::from_foreign(mask, bytes, (), exec) }.to_vec::<u8>(exec).unwrap();
        let is_set = |bit: usize| all[bit / 8] >> (bit % 8) & 1 == 1;
        assert!(!(bits..bytes * 8).any(is_set), "{context}: {bits} bits");
    }
    let children = usize::try_from(array.n_children).unwrap();
    // SAFETY: so many children.
    let below = (0..children).map(|at| unsafe { check_masks(&**array.children.add(at), exec, context) });
    masks + below.sum::<usize>()
}

fn check(column: &Column, exec: &Exec, context: &str) -> usize {
    let frame = ColumnAccessor::from_columns([("c", column.clone())]).unwrap();
    let (_, array) = frame.to_arrow_c_device(&EXPORT, exec).unwrap();
    exec.synchronize().unwrap();
    check_masks(&array.as_raw().array, exec, context)
}

#[test]
#[cfg_attr(miri, ignore = "kernels over many dtypes take too long in Miri")]
fn exported_masks_are_zero_padded() {
    for exec in execs() {
        for dtype in dtypes() {
            let context = format!("{dtype} {:?}", exec.device());
            let mut masks = 0;
            for n in [1, 31, 33, 65, 600] {
                let built = column(&dtype, n, Pattern::Some, &exec);
                masks += check(&built, &exec, &context);
                let parts = [(n / 3, n - n / 3), (0, n / 2), (n - 1, 1)];
                let parts = parts.map(|(offset, len)| built.slice(offset, len).unwrap());
                let joined = Column::concat(&parts.iter().collect::<Vec<_>>(), &exec).unwrap();
                masks += check(&joined, &exec, &context);
            }
            assert!(masks > 0 || dtype == DType::Null, "{context}");
        }
    }
}

#[test]
fn exported_masks_of_filtered_rows_are_zero_padded() {
    for exec in execs() {
        for n in [1, 33, 65, 600, 3000] {
            let values = column(&DType::Int64, n, Pattern::Some, &exec);
            let keep: Vec<u8> =
                (0..n.div_ceil(8)).map(|byte| if byte % 2 == 0 { 0xff } else { 0x6d }).collect();
            let keep = Buffer::from_slice(&keep, &exec).unwrap();
            let bits = Bits { buffer: &keep, offset: 0, len: n };
            let view = values.view().unwrap();
            let mut kept = filter(&[view], bits, None, &exec).unwrap();
            let Some(ColumnData::Fixed(kept)) = kept.pop() else { panic!("numbers stay numbers") };
            let rows = Rows::new(kept.validity.clone(), 0, kept.len, exec.device()).unwrap();
            let column = Column::from_data(DType::Int64, ColumnData::Fixed(kept)).unwrap();
            assert_eq!(column.null_count(&exec).unwrap(), rows.null_count(&exec).unwrap());
            check(&column, &exec, &format!("filter of {n} {:?}", exec.device()));
        }
    }
}
