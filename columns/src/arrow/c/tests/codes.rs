//! Codes of dictionaries that name no value: of nested values, which are gathered, and of every width.

use super::hostile::{structure, text};
use super::producer::{Parts, Releases, bytes};
use super::{FULL, MINIMAL, NO_COPY, execs};
use crate::arrow::c::{ImportOptions, Violation};
use crate::{Column, Error, Result, Scalar};
use columnade_buffers::Exec;

/// A column of parts on a device, which are released if they are read.
fn imported(parts: &Parts, options: ImportOptions, exec: &Exec) -> Result<Column> {
    let mut array = parts.array_on(exec, &Releases::default());
    let read = Column::from_arrow_c_device(&parts.schema(), &mut array, &options, exec);
    assert_eq!(array.is_released(), read.is_ok());
    read
}

/// Codes of values that are gathered are checked whatever the options say, on every device.
#[test]
fn codes_of_nested_values_are_checked() {
    let value = |codes: [i8; 2], validity: Option<u8>| {
        let words = structure(vec![text([0, 1, 2], b"ab")]);
        Parts {
            null_count: -1,
            dictionary: Some(Box::new(words)),
            ..Parts::new("c", 2, vec![validity.map(|bits| vec![bits]), bytes(&codes)])
        }
    };
    for exec in execs() {
        let import = |parts: &Parts, options| imported(parts, options, &exec);
        for options in [FULL, MINIMAL] {
            let read = import(&value([1, 0], None), options).unwrap();
            assert_eq!(read.device(), exec.device());
            let rows = read.to_scalars().unwrap();
            assert!(
                rows[0].to_string().ends_with(": b}") && rows[1].to_string().ends_with(": a}"),
                "{rows:?}"
            );
            for beyond in [2, 77, -1, -128] {
                let refused = import(&value([0, beyond], None), options).unwrap_err();
                assert!(
                    matches!(refused, Error::ArrowInterface { violation: Violation::Code { .. }, .. }),
                    "{beyond}: {refused}"
                );
                let read = import(&value([1, beyond], Some(0b01)), options).unwrap();
                assert!(read.to_scalars().unwrap()[1].is_null());
            }
        }
    }
}

/// Codes of 32 and 64 bits, with a sign and without one, are the memory that they come in.
#[test]
fn wide_dictionary_codes_are_checked() {
    let wide = |format, codes: [i64; 2], validity: Option<u8>| {
        let narrow = codes.map(|code| u32::try_from(code & 0xffff_ffff).unwrap());
        let data = if ["i", "I"].contains(&format) { bytes(&narrow) } else { bytes(&codes) };
        Parts {
            null_count: -1,
            dictionary: Some(Box::new(text([0, 1, 2], b"ab"))),
            ..Parts::new(format, 2, vec![validity.map(|bits| vec![bits]), data])
        }
    };
    for exec in execs() {
        let import = |parts: &Parts, options| imported(parts, options, &exec);
        for (format, bits) in [("i", 32), ("I", 32), ("l", 64), ("L", 64)] {
            let read = import(&wide(format, [1, 0], None), NO_COPY).unwrap();
            assert_eq!(read.dtype().to_string(), format!("dictionary<int{bits}, utf8>"));
            assert_eq!(read.to_scalars().unwrap(), ["b", "a"].map(Scalar::from));
            for beyond in [2, (1 << 31) | 5, i64::MAX, i64::MIN | 7] {
                let refused = import(&wide(format, [0, beyond], None), FULL).unwrap_err();
                assert!(
                    matches!(refused, Error::ArrowInterface { violation: Violation::Code { .. }, .. }),
                    "{format} {beyond}: {refused}"
                );
                // Values under nulls are not checked.
                let read = import(&wide(format, [1, beyond], Some(0b01)), FULL).unwrap();
                assert_eq!(read.to_scalars().unwrap(), ["b".into(), Scalar::Null(crate::DType::Utf8)]);
            }
        }
    }
}
