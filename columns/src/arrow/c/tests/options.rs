//! What the options of exports and imports change.

use super::producer::{Parts, Releases, bytes};
use super::{EXPORT, FULL, MINIMAL, NO_COPY, Pattern, column, execs, export_device, import};
use crate::arrow::c::{
    CopyPolicy, DecimalWidth, ExportOptions, Handover, ImportOptions, NullCounts, OffsetLayout, OwnedSchema,
    Violation,
};
use crate::{
    Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorSubject, Scalar, StringColumn, StructColumn,
};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::OffsetWidth;
use std::ffi::CStr;

fn format(schema: &OwnedSchema) -> String {
    // SAFETY: a schema of ours, whose format is text.
    unsafe { CStr::from_ptr(schema.as_raw().format) }.to_str().unwrap().to_owned()
}

fn text(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(Scalar::to_string).collect()
}

#[test]
fn options_choose_offset_and_decimal_widths() {
    let exec = Exec::host();
    let texts = column(&DType::list(DType::Utf8), 50, Pattern::Some, &exec).slice(3, 40).unwrap();
    let decimals = column(&DType::decimal(9, 2).unwrap(), 50, Pattern::Some, &exec);
    let narrow = DType::decimal_stored(7, 2, DecimalStorage::Bits32).unwrap();
    let narrow = column(&narrow, 50, Pattern::Some, &exec).slice(5, 33).unwrap();
    let wide = ExportOptions {
        offsets: OffsetLayout::I64,
        decimals: DecimalWidth::Bits128,
        ..ExportOptions::default()
    };
    for exec in execs() {
        for (column, narrow_format, wide_format) in
            [(&texts, "+l", "+L"), (&decimals, "d:9,2,64", "d:9,2"), (&narrow, "d:7,2,32", "d:7,2")]
        {
            let there = column.to_device(&exec).unwrap();
            for (options, expected) in [(EXPORT, narrow_format), (wide, wide_format)] {
                let (schema, mut array) = there.to_arrow_c_device("c", &options, &exec).unwrap();
                assert_eq!(format(&schema), expected);
                let back = Column::from_arrow_c_device(&schema, &mut array, &FULL, &exec).unwrap();
                assert!(back.dtype().same_values(&column.dtype()));
                assert_eq!(text(&back), text(column));
            }
        }
        // And back to 32 bits.
        let (schema, mut array) = texts.to_arrow_c("c", &wide).unwrap();
        let large = Column::from_arrow_c(&schema, &mut array, &FULL).unwrap().to_device(&exec).unwrap();
        assert_eq!(large.offsets().unwrap().1, OffsetWidth::I64);
        let narrow = ExportOptions { offsets: OffsetLayout::I32, ..ExportOptions::default() };
        let (schema, mut array) = large.to_arrow_c_device("c", &narrow, &exec).unwrap();
        assert_eq!(format(&schema), "+l");
        let back = Column::from_arrow_c_device(&schema, &mut array, &FULL, &exec).unwrap();
        assert_eq!(back.to_scalars().unwrap(), texts.to_scalars().unwrap());
    }
}

#[test]
fn offsets_beyond_32_bits_are_refused() {
    let narrow = ExportOptions { offsets: OffsetLayout::I32, ..ExportOptions::default() };
    let overflow = Error::Overflow { dtype: DType::Int32 }.about(ErrorSubject::Offsets);
    for exec in execs() {
        for (last, fits) in [(i64::from(i32::MAX), true), (1 << 31, false), (1 << 33, false)] {
            // Offsets lie about bytes that nothing reads here.
            let offsets = Buffer::from_slice(&[0_i64, last], &exec).unwrap();
            let chars = Buffer::uninit(0, &exec).unwrap();
            let text = StringColumn::new(offsets, OffsetWidth::I64, chars, None, 0, 1).unwrap();
            let text = Column::String(text);
            let exported = text.to_arrow_c_device("c", &narrow, &exec).map(|_| ());
            assert_eq!(exported, if fits { Ok(()) } else { Err(overflow.clone()) }, "{last}");
            // Named by its path within others.
            let fields = [("t", text)];
            let inner = Column::Struct(StructColumn::new(fields, None, 0, 1).unwrap());
            let frame = ColumnAccessor::from_columns([("s", inner)]).unwrap();
            let exported = frame.to_arrow_c_device(&narrow, &exec).map(|_| ());
            let located = overflow.clone().in_column("s.t");
            assert_eq!(exported, if fits { Ok(()) } else { Err(located) }, "{last}");
        }
    }
}

/// A few rows far into the bytes of a long column have offsets of 32 bits all the same.
#[test]
#[cfg_attr(miri, ignore = "three gigabytes, of which the system makes a few pages")]
fn exported_offsets_of_slices_start_at_first_row() {
    const FAR: usize = 3 << 30;
    let mut bytes = vec![0_u8; FAR + 6];
    bytes[FAR..].copy_from_slice("abcß!".as_bytes());
    let ends = [0, 1, 3, 5, 6].map(|end| i64::try_from(FAR + end).unwrap());
    let offsets = Buffer::from_vec(ends.to_vec());
    let mask = Buffer::from_slice(&[0b1101_u8], &Exec::host()).unwrap();
    let text =
        StringColumn::new(offsets, OffsetWidth::I64, Buffer::from_vec(bytes), Some(mask), 0, 4).unwrap();
    let text = Column::String(text);
    let narrow = ExportOptions { offsets: OffsetLayout::I32, ..ExportOptions::default() };
    let long = {
        let ends =
            [0, 1, 1, FAR - (1 << 30), FAR + 1, FAR + 3, FAR + 6].map(|end| i64::try_from(end).unwrap());
        let mask = Buffer::from_slice(&[0b110_1111_u8], &Exec::host()).unwrap();
        let Column::String(text) = &text else { panic!("made above") };
        StringColumn::new(
            Buffer::from_vec(ends.to_vec()),
            OffsetWidth::I64,
            text.chars().clone(),
            Some(mask),
            0,
            6,
        )
    };
    let long = Column::String(long.unwrap());
    let far_rows = long.slice(4, 2).unwrap();
    assert!(far_rows.offset() > 0);
    for column in [text.clone(), text.slice(1, 3).unwrap(), text.slice(3, 1).unwrap(), far_rows] {
        let (schema, mut array) = column.to_arrow_c("c", &narrow).unwrap();
        assert_eq!(format(&schema), "u");
        let back = Column::from_arrow_c(&schema, &mut array, &FULL).unwrap();
        assert_eq!(back.offsets().unwrap().1, OffsetWidth::I32);
        assert_eq!(back.to_scalars().unwrap(), column.to_scalars().unwrap());
    }
}

#[test]
fn nulls_are_counted_on_host_and_on_demand() {
    for exec in execs() {
        let values = column(&DType::Int64, 90, Pattern::Some, &exec);
        // A slice does not know how many of its rows are null.
        let slice = values.slice(3, 50).unwrap();
        let (_, array) = export_device(&slice, &exec);
        let on_host = exec.device() == Device::Host;
        assert_eq!(array.as_raw().array.null_count, if on_host { 10 } else { -1 });
        let exact = ExportOptions { null_counts: NullCounts::Exact, ..ExportOptions::default() };
        let (_, array) = slice.to_arrow_c_device("c", &exact, &exec).unwrap();
        assert_eq!(array.as_raw().array.null_count, 10);
        // Without nulls there is no mask, whatever the column has.
        let (_, array) = values.slice(3, 4).unwrap().to_arrow_c_device("c", &exact, &exec).unwrap();
        assert_eq!(array.as_raw().array.null_count, 0);
        // SAFETY: an array of ours, with two buffers.
        assert!(unsafe { *array.as_raw().array.buffers }.is_null());
    }
}

#[test]
fn handover_is_event_or_synchronisation() {
    for exec in execs() {
        let values = column(&DType::Int64, 9, Pattern::Some, &exec);
        let waited = ExportOptions { handover: Handover::Synchronised, ..ExportOptions::default() };
        let (_, array) = values.to_arrow_c_device("c", &waited, &exec).unwrap();
        assert!(array.as_raw().sync_event.is_null());
        let (_, array) = export_device(&values, &exec);
        assert_eq!(array.as_raw().sync_event.is_null(), exec.device() == Device::Host);
        assert_eq!(array.as_raw().reserved, [0; 3]);
        assert_eq!(array.device().unwrap(), exec.device());
        let expected = match exec.device() {
            Device::Host => (1, -1),
            Device::Sim => (12, 0),
            Device::Cuda(ordinal) => (2, ordinal.into()),
        };
        assert_eq!((array.as_raw().device_type, array.as_raw().device_id), expected);
    }
}

#[test]
fn misaligned_memory_is_copied_or_refused() {
    let texts = Some("aßc".as_bytes().to_vec());
    for misaligned in [1, 2, 4, 8] {
        let parts = [
            Parts::new("l", 3, vec![Some(vec![0b1011_0010]), bytes(&[1_i64, 2, 3, 4, 5])]),
            Parts::new("u", 3, vec![Some(vec![0b1011_0010]), bytes(&[0_i32, 0, 1, 1, 3, 4]), texts.clone()]),
            Parts::new("d:20,1", 3, vec![Some(vec![0b1011_0010]), bytes(&[1_i128, 2, 3, 4, 5])]),
            Parts::new("b", 3, vec![Some(vec![0b1011_0010]), Some(vec![0b0101_0110])]),
        ];
        for mut parts in parts {
            (parts.misaligned, parts.offset, parts.null_count) = (misaligned, 2, -1);
            let releases = Releases::default();
            let (schema, mut array) = (parts.schema(), parts.array(&releases));
            let aligned = misaligned.is_multiple_of(if parts.format == "d:20,1" { 16 } else { 8 })
                || (misaligned == 4 && parts.format != "l" && parts.format != "d:20,1");
            let shared = Column::from_arrow_c(&schema, &mut array, &NO_COPY);
            assert_eq!(shared.is_ok(), aligned, "{} {misaligned}: {shared:?}", parts.format);
            if !aligned {
                assert!(!array.is_released());
                let copied = Column::from_arrow_c(&schema, &mut array, &FULL).unwrap();
                assert_eq!(copied.null_count(&Exec::host()).unwrap(), 2);
                assert!(!copied.get(2).unwrap().is_null() && copied.get(0).unwrap().is_null());
            }
        }
    }
}

#[test]
fn copying_import_releases_source_at_once() {
    for copy in [CopyPolicy::Always, CopyPolicy::IfNeeded] {
        let parts = Parts::new("u", 2, vec![None, bytes(&[0_i32, 1, 2]), Some(b"ab".to_vec())]);
        let releases = Releases::default();
        let options = ImportOptions { copy, ..MINIMAL };
        let read = Column::from_arrow_c(&parts.schema(), &mut parts.array(&releases), &options).unwrap();
        assert_eq!(releases.count(), usize::from(copy == CopyPolicy::Always));
        assert_eq!(read.to_scalars().unwrap(), ["a", "b"].map(Scalar::from));
        drop(read);
        assert_eq!(releases.count(), 1);
    }
}

#[test]
fn copy_never_refuses_layout_changes() {
    let refused = |parts: &Parts| {
        let releases = Releases::default();
        let mut array = parts.array(&releases);
        let error = Column::from_arrow_c(&parts.schema(), &mut array, &NO_COPY).unwrap_err();
        assert!(!array.is_released());
        assert!(
            matches!(error, Error::ArrowInterface { violation: Violation::NeedsCopy { .. }, .. }),
            "{error}"
        );
    };
    refused(&Parts::new("e", 2, vec![None, bytes(&[1_i16, 2])]));
    refused(&Parts::new("vu", 1, vec![None, bytes(&[0_i64; 2]), bytes::<i64>(&[])]));
    let values = Parts::new("u", 2, vec![None, bytes(&[0_i32, 1, 2]), Some(b"aa".to_vec())]);
    refused(&Parts {
        dictionary: Some(Box::new(values)),
        ..Parts::new("c", 2, vec![None, bytes(&[0_i8, 1])])
    });
}

/// Memory of the host that goes to a device is copied, whatever its layout.
#[test]
fn copy_never_refuses_other_device() {
    for exec in execs() {
        let parts = Parts::new("l", 2, vec![None, bytes(&[1_i64, 2])]);
        let mut array = parts.array(&Releases::default());
        let read = Column::from_arrow_c_to_device(&parts.schema(), &mut array, &NO_COPY, &exec);
        assert_eq!(read.is_ok(), exec.device() == Device::Host, "{}", exec.device());
        assert_eq!(array.is_released(), read.is_ok());
        if let Err(error) = read {
            assert!(error.to_string().contains("another device"), "{error}");
            assert!(Column::from_arrow_c_to_device(&parts.schema(), &mut array, &FULL, &exec).is_ok());
        }
    }
}

/// Half floats on every device, and a dictionary of nulls, for which nothing need be copied.
#[test]
fn converted_types_have_documented_dtypes() {
    for exec in execs() {
        let read = |parts: &Parts, options| {
            let (releases, schema) = (Releases::default(), parts.schema());
            let mut array = parts.array_on(&exec, &releases);
            let column = Column::from_arrow_c_device(&schema, &mut array, &options, &exec).unwrap();
            assert_eq!((column.device(), array.is_released()), (exec.device(), true));
            assert_eq!(column.known_null_count().is_some(), parts.format == "c");
            column
        };
        // 1, 2, NaN, -0 behind an offset.
        let halves = bytes(&[0_u16, 0x3c00, 0x4000, 0x7e00, 0x8000]);
        let halves =
            Parts { offset: 1, null_count: -1, ..Parts::new("e", 4, vec![Some(vec![0b1_1011]), halves]) };
        let column = read(&halves, FULL);
        let text: Vec<String> = column.to_scalars().unwrap().iter().map(Scalar::to_string).collect();
        assert_eq!(
            (column.dtype(), text.as_slice()),
            (DType::Float32, ["1.0", "<NA>", "NaN", "-0.0"].map(String::from).as_slice())
        );
        for (length, codes) in [(3, bytes(&[5_i8, 0, -1, 9])), (0, None)] {
            let nothing = Parts { null_count: length, ..Parts::new("n", length, vec![]) };
            let categories = Parts {
                offset: length.min(1),
                dictionary: Some(Box::new(nothing)),
                ..Parts::new("c", length, vec![None, codes])
            };
            let column = read(&categories, NO_COPY);
            assert_eq!(column.dtype().to_string(), "dictionary<int8, utf8>");
            let nulls = vec![Scalar::Null(DType::Utf8); usize::try_from(length).unwrap()];
            assert_eq!(column.to_scalars().unwrap(), nulls);
            let (schema, mut array) = export_device(&column, &exec);
            let back = Column::from_arrow_c_device(&schema, &mut array, &FULL, &exec).unwrap();
            assert_eq!(back.to_scalars().unwrap(), nulls);
        }
    }
}

#[test]
fn names_with_nul_are_refused() {
    let column = column(&DType::Int64, 1, Pattern::None, &Exec::host());
    let error = column.to_arrow_c("a\0b", &EXPORT).unwrap_err();
    assert!(matches!(error, Error::ArrowInterface { violation: Violation::Inexpressible { .. }, .. }));
    assert!(import(column.to_arrow_c("", &EXPORT).unwrap(), FULL).is_ok());
}
