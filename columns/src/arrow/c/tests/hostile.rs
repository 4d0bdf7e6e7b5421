//! Producers that are wrong: an error that names the field, nothing released but by its owner, and no crash.

use super::producer::{Parts, Releases, bytes};
use super::{FULL, MINIMAL, NO_COPY, execs};
use crate::arrow::c::{
    ARROW_DEVICE_CPU, ARROW_DEVICE_CUDA_MANAGED, ARROW_DEVICE_EXT_DEV, ArrowSchema, ImportOptions,
    OwnedArray, OwnedDeviceArray, OwnedSchema, Violation,
};
use crate::{Column, ColumnAccessor, Error, ErrorKind, Scalar};
use columnade_buffers::{Device, Exec};
use std::ptr;

/// Two numbers.
fn numbers() -> Parts {
    Parts::new("l", 2, vec![None, bytes(&[1_i64, 2])])
}

/// Text of two rows.
pub(super) fn text(offsets: [i32; 3], chars: &[u8]) -> Parts {
    Parts::new("u", 2, vec![None, bytes(&offsets), Some(chars.to_vec())])
}

pub(super) fn structure(children: Vec<Parts>) -> Parts {
    Parts { format: "+s", length: 2, buffers: vec![None], children, ..Parts::default() }
}

/// The fault found in a child called `at` of a struct, which is left alone, then released once: the same on every device.
#[track_caller]
fn fault(mut parts: Parts, options: ImportOptions) -> Violation {
    parts.name = "at";
    let other = Parts { name: "other", length: parts.length.clamp(2, 4), ..numbers() };
    let root = Parts { name: "root", ..structure(vec![other, parts]) };
    let releases = Releases::default();
    let (schema, mut array) = (root.schema(), root.array(&releases));
    let error = Column::from_arrow_c(&schema, &mut array, &options).unwrap_err();
    assert!(!array.is_released() && releases.count() == 0, "the source is untouched");
    let frame = ColumnAccessor::from_arrow_c(&schema, &mut array, &options).unwrap_err();
    assert_eq!(error, frame);
    assert!(!array.is_released() && releases.count() == 0, "the source is untouched");
    drop(array);
    assert_eq!(releases.count(), 1);
    for exec in execs() {
        let releases = Releases::default();
        let mut array = root.array_on(&exec, &releases);
        let there = Column::from_arrow_c_device(&schema, &mut array, &options, &exec).unwrap_err();
        assert_eq!(there, error, "{:?}", exec.device());
        let frame = ColumnAccessor::from_arrow_c_device(&schema, &mut array, &options, &exec).unwrap_err();
        assert_eq!(frame, error, "{:?}", exec.device());
        assert!(!array.is_released() && releases.count() == 0, "the source is untouched");
        drop(array);
        assert_eq!(releases.count(), 1);
    }
    let Error::ArrowInterface { field, violation } = error else { panic!("{error}") };
    assert_eq!(field, "at");
    violation
}

#[test]
fn impossible_lengths_are_refused() {
    let refused = |change: fn(&mut Parts), what| {
        let mut parts = numbers();
        change(&mut parts);
        let found = fault(parts, MINIMAL);
        assert!(matches!(found, Violation::Size { what: name, .. } if name == what), "{found}");
    };
    refused(|parts| parts.length = -1, "length");
    refused(|parts| parts.length = i64::MAX, "length");
    refused(|parts| parts.length = i64::MIN, "length");
    refused(|parts| parts.offset = -1, "offset");
    refused(|parts| parts.offset = i64::MAX, "offset");
    refused(|parts| parts.null_count = -2, "null count");
    refused(|parts| parts.null_count = 3, "null count");
    // There is no validity that says so.
    refused(|parts| parts.null_count = 1, "null count");
    // A child with fewer rows than its parent looks at.
    refused(|parts| parts.length = 1, "length");
    // Rows that numbers can count and no memory can hold.
    refused(|parts| parts.length = i64::MAX / 64, "values buffer");
    refused(|parts| parts.offset = i64::MAX / 64 - 2, "values buffer");
    let too_large = |parts: Parts, what| {
        let found = fault(parts, FULL);
        assert!(matches!(found, Violation::Size { what: name, .. } if name == what), "{found}");
    };
    too_large(Parts { length: i64::MAX / 64, ..text([0, 1, 2], b"ab") }, "offsets buffer");
    let wide = Parts::new("U", 2, vec![None, bytes(&[0_i64, 1, 1 << 58]), Some(b"a".to_vec())]);
    too_large(wide, "data buffer");
    let views = Some(bytes(&[0_i64; 4]).unwrap());
    let sizes = bytes(&[1_i64 << 58]);
    too_large(Parts::new("vu", 2, vec![None, views, Some(b"a".to_vec()), sizes]), "buffer of views");
}

/// A length of metadata is all that says how far to read.
#[test]
fn metadata_with_lengths_beyond_any_producers_is_refused() {
    // One entry, a key of 2^31 − 1 bytes; one entry, the key "k", a value of 2^31 − 1 bytes.
    const LONG_KEY: &[u8] = &[1, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, b'k'];
    const LONG_VALUE: &[u8] = &[1, 0, 0, 0, 1, 0, 0, 0, b'k', 0xff, 0xff, 0xff, 0x7f, b'v'];
    const READ: &[u8] = &[1, 0, 0, 0, 1, 0, 0, 0, b'k', 1, 0, 0, 0, b'v'];
    let lengths = [(LONG_KEY, "length of a metadata key"), (LONG_VALUE, "length of a metadata value")];
    for (metadata, named) in lengths {
        for options in [MINIMAL, FULL] {
            let found = fault(Parts { metadata: Some(metadata), ..numbers() }, options);
            assert!(
                matches!(found, Violation::Size { what, found: 0x7fff_ffff, .. } if what == named),
                "{found}"
            );
        }
    }
    let parts = Parts { metadata: Some(READ), ..numbers() };
    let mut array = parts.array(&Releases::default());
    assert!(Column::from_arrow_c(&parts.schema(), &mut array, &FULL).is_ok());
}

/// Rows that take no memory of their producer's: a length alone takes none here either.
#[test]
fn rows_without_memory_are_refused() {
    let (no_items, null) =
        (|| Parts::new("i", 0, vec![None, None]), |length| Parts::new("n", length, vec![]));
    let made = |format, length, buffers, child: Option<Parts>| Parts {
        children: child.into_iter().collect(),
        ..Parts::new(format, length, buffers)
    };
    for length in [(1 << 26) + 1, 1 << 30, 1 << 33, 1 << 44] {
        for parts in [
            made("w:0", length, vec![None, None], None),
            made("+w:0", length, vec![None], Some(no_items())),
            made("+w:0", length, vec![None], Some(numbers())),
            made("+w:0", length, vec![None], Some(null(0))),
            made("+w:1", length, vec![None], Some(null(length))),
            made("+w:2", length, vec![None], Some(null(2 * length))),
        ] {
            let format = parts.format;
            let found = fault(parts, MINIMAL);
            assert!(matches!(found, Violation::Size { what: "length", .. }), "{format}: {found}");
        }
    }
    // Items that are there are looked for before there is anything that points to them.
    let few = made("+w:1", 1 << 44, vec![None], Some(numbers()));
    let mut array = few.array(&Releases::default());
    let error = Column::from_arrow_c(&few.schema(), &mut array, &MINIMAL).unwrap_err().to_string();
    assert!(error.contains("its parent has more rows"), "{error}");
    let many = if cfg!(miri) { 1 << 9 } else { 1 << 16 };
    // The most that is accepted, and any number of rows that need no offsets.
    for (parts, rows) in [
        (made("w:0", many, vec![None, None], None), many),
        (made("+w:1", many, vec![None], Some(null(many))), many),
        (null(1 << 50), 1 << 50),
        (made("+s", 1 << 50, vec![None], None), 1 << 50),
        (made("+s", 1 << 50, vec![None], Some(null(1 << 50))), 1 << 50),
    ] {
        let mut array = parts.array(&Releases::default());
        let read = Column::from_arrow_c(&parts.schema(), &mut array, &MINIMAL).unwrap();
        let rows = usize::try_from(rows).unwrap();
        assert_eq!((read.size(), read.slice(rows - 1, 1).unwrap().size()), (rows, 1));
    }
}

#[test]
fn wrong_buffer_and_child_counts_are_refused() {
    let refused = |parts: Parts, what| {
        let found = fault(parts, MINIMAL);
        assert!(matches!(found, Violation::Count { what: name, .. } if name == what), "{found}");
    };
    refused(Parts::new("l", 2, vec![None]), "buffers");
    refused(Parts::new("l", 2, vec![]), "buffers");
    refused(Parts::new("u", 2, vec![None, bytes(&[0_i32, 0, 0])]), "buffers");
    refused(Parts::new("vu", 2, vec![None, bytes(&[0_i64; 4])]), "buffers");
    refused(Parts::new("n", 2, vec![None, None]), "buffers");
    refused(Parts { children: vec![numbers()], ..numbers() }, "children of the schema");
    refused(Parts::new("+l", 2, vec![None, bytes(&[0_i32; 3])]), "children of the schema");
    let dictionary = Some(Box::new(text([0, 1, 2], b"ab")));
    refused(Parts { dictionary, format: "g", ..numbers() }, "dictionaries of the schema");
}

/// Of arrays and schemas, of every number that there is.
#[test]
fn negative_counts_are_reported_as_negative() {
    let releases = Releases::default();
    for parts in [numbers(), structure(vec![numbers()])] {
        for count in [-1, i64::from(i32::MIN), i64::MIN] {
            let (mut schema, mut array) = (parts.schema(), parts.array(&releases));
            let told = |schema: &OwnedSchema, array: &mut OwnedArray, what: &str| {
                let text = format!("{what} of {count}: it is negative");
                let error = Column::from_arrow_c(schema, array, &MINIMAL).unwrap_err();
                assert!(error.to_string().contains(&text), "{error}");
                if parts.format == "+s" {
                    let error = ColumnAccessor::from_arrow_c(schema, array, &MINIMAL).unwrap_err();
                    assert!(error.to_string().contains(&text), "{error}");
                }
                assert!(!array.is_released());
            };
            // SAFETY: structs of ours, with their counts again before anything else uses them.
            unsafe {
                let kept = std::mem::replace(&mut (*array.as_mut_ptr()).n_children, count);
                told(&schema, &mut array, "number of children");
                (*array.as_mut_ptr()).n_children = kept;
                let kept = std::mem::replace(&mut (*array.as_mut_ptr()).n_buffers, count);
                told(&schema, &mut array, "number of buffers");
                (*array.as_mut_ptr()).n_buffers = kept;
                let kept = std::mem::replace(&mut (*schema.as_mut_ptr()).n_children, count);
                told(&schema, &mut array, "number of children of the schema");
                (*schema.as_mut_ptr()).n_children = kept;
            }
            assert!(Column::from_arrow_c(&schema, &mut array, &MINIMAL).is_ok());
        }
    }
}

/// A struct whose array is not what its schema says.
fn mismatched(schema: &Parts, array: &Parts) -> Violation {
    let releases = Releases::default();
    let (schema, mut array) = (schema.schema(), array.array(&releases));
    let error = Column::from_arrow_c(&schema, &mut array, &MINIMAL).unwrap_err();
    assert!(!array.is_released());
    match error {
        Error::ArrowInterface { violation, .. } => violation,
        other => panic!("{other}"),
    }
}

#[test]
fn arrays_not_matching_schema_are_refused() {
    let found = mismatched(&structure(vec![numbers()]), &structure(vec![numbers(), numbers()]));
    assert_eq!(found, Violation::Count { what: "children", expected: 1, found: 2 });
    let categories = || Parts {
        dictionary: Some(Box::new(text([0, 1, 2], b"ab"))),
        ..Parts::new("c", 2, vec![None, bytes(&[0_i8, 1])])
    };
    let plain = || Parts { dictionary: None, ..categories() };
    let found = mismatched(&categories(), &plain());
    assert_eq!(found, Violation::Count { what: "dictionaries", expected: 1, found: 0 });
    let found = mismatched(&plain(), &categories());
    assert_eq!(found, Violation::Count { what: "dictionaries", expected: 0, found: 1 });
}

#[test]
fn null_pointers_are_refused() {
    let refused = |parts: Parts| {
        let found = fault(parts, MINIMAL);
        assert!(matches!(found, Violation::Null { .. }), "{found}");
    };
    refused(Parts::new("l", 2, vec![None, None]));
    refused(Parts::new("u", 2, vec![None, None, Some(Vec::new())]));
    refused(Parts::new("u", 2, vec![None, bytes(&[0_i32, 1, 2]), None]));
    refused(Parts::new("vu", 2, vec![None, None, bytes::<i64>(&[])]));

    // Pointers of the structs themselves.
    let root = structure(vec![Parts { name: "a", ..numbers() }, Parts { name: "b", ..numbers() }]);
    let releases = Releases::default();
    let schema = root.schema();
    let mut array = root.array(&releases);
    let kept = {
        let raw = array.as_mut_ptr();
        // SAFETY: the array is ours to change; what is taken away is put back below.
        unsafe {
            let kept = ((*raw).buffers, (*raw).children, *(*raw).children);
            (*raw).buffers = ptr::null_mut();
            kept
        }
    };
    let error =
        |array: &mut OwnedArray| Column::from_arrow_c(&schema, array, &MINIMAL).unwrap_err().to_string();
    assert!(error(&mut array).contains("array of buffers is null"));
    // SAFETY: as above.
    unsafe {
        let raw = array.as_mut_ptr();
        (*raw).buffers = kept.0;
        (*raw).children = ptr::null_mut();
    }
    assert!(error(&mut array).contains("array of children is null"));
    // SAFETY: as above.
    unsafe {
        let raw = array.as_mut_ptr();
        (*raw).children = kept.1;
        *kept.1 = ptr::null_mut();
    }
    assert!(error(&mut array).contains("the array is null"));
    // SAFETY: as above.
    unsafe { *kept.1 = kept.2 };
    assert!(Column::from_arrow_c(&schema, &mut array, &MINIMAL).is_ok());
    assert_eq!(releases.count(), 1);

    // A schema without its strings: a format there must be, a name need not.
    let mut schema = numbers().schema();
    // SAFETY: the schema is ours to change; the format lives on in its private data.
    let format = unsafe {
        let raw: *mut ArrowSchema = schema.as_mut_ptr();
        (*raw).name = ptr::null();
        std::mem::replace(&mut (*raw).format, ptr::null())
    };
    let mut array = numbers().array(&releases);
    let error = Column::from_arrow_c(&schema, &mut array, &MINIMAL).unwrap_err();
    assert!(error.to_string().contains("the format is null"), "{error}");
    // SAFETY: as above.
    unsafe { (*schema.as_mut_ptr()).format = format };
    assert!(Column::from_arrow_c(&schema, &mut array, &MINIMAL).is_ok());
    assert_eq!(releases.count(), 2);
    let nameless = structure(vec![numbers(), numbers()]);
    let mut array = nameless.array(&releases);
    let error = ColumnAccessor::from_arrow_c(&nameless.schema(), &mut array, &MINIMAL).unwrap_err();
    assert!(matches!(error, Error::DuplicateLabel { .. }) && !array.is_released(), "{error}");
}

#[test]
fn released_structs_are_refused() {
    let schema = numbers().schema();
    let mut gone = OwnedArray::released();
    let error = Column::from_arrow_c(&schema, &mut gone, &MINIMAL).unwrap_err();
    let released =
        |what| Error::ArrowInterface { field: String::new(), violation: Violation::Released { what } };
    assert_eq!(error, released("array"));
    let text = "Arrow C interface, the array or schema itself: the array is released";
    assert_eq!(error.to_string(), text);
    let releases = Releases::default();
    let mut array = numbers().array(&releases);
    let error = Column::from_arrow_c(&OwnedSchema::released(), &mut array, &MINIMAL).unwrap_err();
    assert_eq!(error, released("schema"));
    let mut gone = OwnedDeviceArray::released();
    let error = Column::from_arrow_c_device(&schema, &mut gone, &MINIMAL, &Exec::host()).unwrap_err();
    assert_eq!(error, released("array"));

    // A child that was moved out.
    let root = structure(vec![Parts { name: "a", ..numbers() }]);
    let mut array = root.array(&releases);
    // SAFETY: the child is moved out, as consumers may.
    let child = unsafe { OwnedArray::move_from(*array.as_raw().children) };
    let error = Column::from_arrow_c(&root.schema(), &mut array, &MINIMAL).unwrap_err();
    assert_eq!(error.to_string(), "Arrow C interface, field \"a\": the array is released");
    drop(array);
    drop(child);
}

#[test]
fn invalid_offsets_are_refused() {
    let offset = |parts: Parts, options: ImportOptions| match fault(parts, options) {
        Violation::Offset { row, found, .. } => (row, found),
        other => panic!("{other}"),
    };
    for options in [MINIMAL, FULL, NO_COPY] {
        assert_eq!(offset(text([-1, 0, 1], b"a"), options), (0, -1));
        assert_eq!(offset(text([0, 0, -5], b"a"), options), (2, -5));
        assert_eq!(offset(text([3, 4, 2], b"abcd"), options), (2, 2));
        let items = || Parts { name: "item", ..numbers() };
        let list = |offsets: [i64; 3]| Parts {
            children: vec![items()],
            ..Parts::new("+L", 2, vec![None, bytes(&offsets)])
        };
        assert_eq!(offset(list([0, 1, 3]), options), (2, 3));
        assert_eq!(offset(list([0, 1, i64::MAX]), options), (2, i64::MAX));
        let wide = Parts::new("U", 2, vec![None, bytes(&[0_i64, 1, i64::MIN]), Some(b"a".to_vec())]);
        assert_eq!(offset(wide, options), (2, i64::MIN));
    }
    // Between the ends only a full validation looks.
    assert_eq!(offset(text([0, 3, 2], b"abc"), FULL), (2, 2));
    let view = |length: i32, buffer: i32, start: i32| {
        let mut view = length.to_ne_bytes().to_vec();
        view.extend([0; 4]);
        view.extend(buffer.to_ne_bytes());
        view.extend(start.to_ne_bytes());
        view.extend([0; 16]);
        let data = Some(b"more than twelve bytes".to_vec());
        Parts::new("vu", 2, vec![None, Some(view), data, bytes(&[22_i64])])
    };
    assert_eq!(offset(view(-1, 0, 0), MINIMAL), (0, -1));
    assert_eq!(offset(view(13, 1, 0), MINIMAL), (0, 1));
    assert_eq!(offset(view(13, -1, 0), MINIMAL), (0, -1));
    assert_eq!(offset(view(13, 0, 10), MINIMAL), (0, 10));
    assert_eq!(offset(view(13, 0, -1), MINIMAL), (0, -1));
    assert_eq!(offset(view(i32::MAX, 0, i32::MAX), MINIMAL), (0, i64::from(i32::MAX)));
}

/// Under a null may be anything, text that is none too; arrow-rs wants text there.
#[test]
fn invalid_utf8_under_nulls_is_accepted() {
    for exec in execs() {
        for (format, offsets) in [("u", bytes(&[0_i32, 1, 3, 4])), ("U", bytes(&[0_i64, 1, 3, 4]))] {
            let data = Some(vec![b'a', 0xc3, 0x28, b'b']);
            let buffers = vec![Some(vec![0b101]), offsets.clone(), data.clone()];
            let hidden = Parts { null_count: 1, ..Parts::new(format, 3, buffers) };
            let mut array = hidden.array_on(&exec, &Releases::default());
            let read = Column::from_arrow_c_device(&hidden.schema(), &mut array, &FULL, &exec).unwrap();
            let expected = ["a".into(), Scalar::Null(crate::DType::Utf8), "b".into()];
            assert_eq!(read.to_scalars().unwrap(), expected);
            for column in [read.slice(0, 3), read.slice(1, 2), Column::concat(&[&read, &read], &exec)] {
                let here = column.unwrap().to_device(&Exec::host()).unwrap();
                let back = Column::from_arrow(here.to_arrow().unwrap().as_ref()).unwrap();
                assert_eq!(back.to_scalars().unwrap(), here.to_scalars().unwrap());
                assert_eq!(here.to_arrow().unwrap().data_type(), &here.arrow_type());
            }
            let seen = Parts::new(format, 3, vec![Some(vec![0b111]), offsets, data]);
            assert_eq!(fault(seen, FULL), Violation::Utf8 { what: "the text of row 1".to_owned() });
        }
    }
}

#[test]
fn full_validation_finds_invalid_contents() {
    let found = fault(text([0, 1, 2], &[b'a', 0xff]), FULL);
    assert_eq!(found, Violation::Utf8 { what: "the text of row 1".to_owned() });
    // Cut within a character.
    let found = fault(text([0, 1, 2], "é".as_bytes()), FULL);
    assert_eq!(found, Violation::Utf8 { what: "the text of row 0".to_owned() });
    let categories = |codes: &[i8]| Parts {
        dictionary: Some(Box::new(text([0, 1, 2], b"ab"))),
        ..Parts::new("c", 2, vec![None, bytes(codes)])
    };
    assert_eq!(fault(categories(&[0, 2]), FULL), Violation::Code { values: 2 });
    assert_eq!(fault(categories(&[-1, 1]), FULL), Violation::Code { values: 2 });
    let counted = Parts { null_count: 2, ..Parts::new("l", 2, vec![Some(vec![0b01]), bytes(&[1_i64, 2])]) };
    assert!(matches!(fault(counted, FULL), Violation::Size { what: "null count", found: 2, .. }));
}

#[test]
fn null_array_with_validity_buffer_is_accepted() {
    let parts = Parts { null_count: 2, ..Parts::new("n", 2, vec![None]) };
    let releases = Releases::default();
    let read = Column::from_arrow_c(&parts.schema(), &mut parts.array(&releases), &FULL).unwrap();
    assert_eq!(
        read.to_scalars().unwrap(),
        [Scalar::Null(crate::DType::Null), Scalar::Null(crate::DType::Null)]
    );
}

#[test]
fn codes_under_nulls_are_ignored() {
    let parts = Parts {
        null_count: -1,
        dictionary: Some(Box::new(text([0, 1, 2], b"ab"))),
        ..Parts::new("c", 2, vec![Some(vec![0b10]), bytes(&[77_i8, 1])])
    };
    let releases = Releases::default();
    let read = Column::from_arrow_c(&parts.schema(), &mut parts.array(&releases), &FULL).unwrap();
    assert_eq!(read.to_scalars().unwrap(), [Scalar::Null(crate::DType::Utf8), "b".into()]);
}

/// More digits than the type says are an error of a full validation, unless they are under nulls.
#[test]
fn digits_beyond_precision_are_refused_by_full_validation() {
    for exec in execs() {
        for (format, data) in [
            ("d:4,2,32", bytes(&[9999_i32, -10_000])),
            ("d:4,2,64", bytes(&[9999_i64, 10_000])),
            ("d:15,2", bytes(&[10_i128.pow(15) - 1, -(10_i128.pow(15))])),
            ("d:38,2", bytes(&[10_i128.pow(38) - 1, i128::MAX])),
        ] {
            let import = |validity, options| {
                let parts = Parts {
                    null_count: -1,
                    ..Parts::new(format, 2, vec![Some(vec![validity]), data.clone()])
                };
                let mut array = parts.array_on(&exec, &Releases::default());
                Column::from_arrow_c_device(&parts.schema(), &mut array, options, &exec)
            };
            let refused = import(0b11, &FULL).unwrap_err();
            assert!(matches!(refused, Error::Overflow { .. }), "{refused}");
            assert_eq!(import(0b01, &FULL).unwrap().null_count(&exec).unwrap(), 1);
            // The producer's word is taken, and the memory as it is.
            assert_eq!(import(0b11, &NO_COPY).unwrap().null_count(&exec).unwrap(), 0);
        }
    }
}

#[test]
fn unknown_and_unsupported_formats_are_refused() {
    for format in [
        "",
        "?",
        "ll",
        "+",
        "+w:-1",
        "+w:x",
        "w:",
        "d:",
        "d:0,0",
        "d:39,0",
        "d:10,2,7",
        "d:10,2,32",
        "d:77,2,256",
        "d:40,39,256",
        "d:10,39",
        "d:10,-39,64",
        "d:10,-128",
        "ts:",
        "tsx:",
    ] {
        let found = fault(Parts { format, ..numbers() }, MINIMAL);
        assert_eq!(found, Violation::Format { format: format.to_owned() });
    }
    for format in ["+ud:0,1", "+us:0,1"] {
        let found = fault(Parts { format, ..numbers() }, MINIMAL);
        assert!(matches!(&found, Violation::Unsupported { format: named, .. } if named == format), "{found}");
        let error = Error::ArrowInterface { field: "at".to_owned(), violation: found };
        assert_eq!(error.kind(), ErrorKind::NotImplemented);
    }
}

#[test]
fn cyclic_schemas_are_refused() {
    // A child that is its own parent.
    let mut schema = structure(vec![Parts { name: "again", ..structure(vec![numbers()]) }]).schema();
    // SAFETY: the schema is ours to change; what is changed is put back before it is released.
    let (slot, kept) = unsafe {
        let slot = (*schema.as_raw().children).as_mut().unwrap().children;
        let kept = *slot;
        *slot = schema.as_mut_ptr();
        (slot, kept)
    };
    let mut array = OwnedArray::released();
    let error = Column::from_arrow_c(&schema, &mut array, &MINIMAL).unwrap_err();
    assert!(error.to_string().contains("more than 64 levels"), "{error}");
    // SAFETY: as above.
    unsafe {
        *slot = kept;
        (*schema.as_mut_ptr()).n_children = i64::MAX;
    }
    let error = Column::from_arrow_c(&schema, &mut array, &MINIMAL).unwrap_err();
    assert!(error.to_string().contains("more than 1048576 children"), "{error}");
    // SAFETY: as above.
    unsafe { (*schema.as_mut_ptr()).n_children = 1 };
}

/// Two types for each level, which are one: few schemas, and more fields than could ever be read.
#[test]
#[cfg_attr(miri, ignore = "two million fields")]
fn schemas_with_exponential_field_count_are_refused() {
    let mut parts = numbers();
    for _ in 0..50 {
        parts = structure(vec![parts, numbers()]);
    }
    let schema = parts.schema();
    let mut second = Vec::new();
    let mut at = ptr::from_ref(schema.as_raw());
    // SAFETY: the schemas are ours to change; what is changed is put back before they are released.
    unsafe {
        while (*at).n_children == 2 {
            let slots = (*at).children;
            second.push((slots.add(1), *slots.add(1)));
            *slots.add(1) = *slots;
            at = *slots;
        }
    }
    let error = Column::from_arrow_c(&schema, &mut OwnedArray::released(), &MINIMAL).unwrap_err();
    assert!(error.to_string().contains("more than 2097152 fields in all"), "{error}");
    for (slot, kept) in second {
        // SAFETY: as above.
        unsafe { *slot = kept };
    }
}

#[test]
fn invalid_devices_are_refused() {
    let (schema, releases) = (numbers().schema(), Releases::default());
    let import = |device_type, device_id| {
        let mut array = numbers().device_array(device_type, device_id, &releases);
        let read = Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, &Exec::host());
        assert_eq!(array.is_released(), read.is_ok());
        read
    };
    // Known producers write other words than zeros to what is reserved, and 0 for the id of the CPU.
    for device_id in [-1, 0] {
        assert!(import(ARROW_DEVICE_CPU, device_id).is_ok());
    }
    for device_type in [0, -1, 4, 7, 16, 17, 21, i32::MAX, i32::MIN] {
        let Error::ArrowInterface { violation, .. } = import(device_type, 0).unwrap_err() else { panic!() };
        assert!(matches!(violation, Violation::Device { device_type: named, .. } if named == device_type));
    }
    let no_such = [
        (2, vec![-1, 4_000_000_000, i64::MAX, 999]),
        (ARROW_DEVICE_CPU, vec![1, 7, -2, -3, i64::MAX, i64::MIN]),
        (3, vec![-2, i64::MAX, 1 << 32]),
        (ARROW_DEVICE_CUDA_MANAGED, vec![-1, i64::MIN, 1 << 32]),
        (ARROW_DEVICE_EXT_DEV, vec![-1, 1, 7, i64::MAX]),
    ];
    for (device_type, device_id) in no_such.iter().flat_map(|(of, ids)| ids.iter().map(|&id| (*of, id))) {
        let error = import(device_type, device_id).unwrap_err();
        let named = error.to_string();
        let Error::ArrowInterface { violation, .. } = error else { panic!() };
        assert!(matches!(violation, Violation::Device { device_id: named, .. } if named == device_id));
        assert!(named.contains(&format!("id {device_id}: ")), "{named}");
    }
    // Managed memory is its GPU's, where there is one; never the host's.
    let managed = numbers().device_array(ARROW_DEVICE_CUDA_MANAGED, 0, &releases).device();
    match Device::Cuda(0).require() {
        Ok(()) => assert_eq!(managed, Ok(Device::Cuda(0))),
        Err(_) => assert!(matches!(
            managed,
            Err(Error::ArrowInterface { violation: Violation::Device { device_type: 13, .. }, .. })
        )),
    }
    assert!(import(ARROW_DEVICE_CUDA_MANAGED, 0).is_err());
    // An event that the host cannot wait for.
    let mut event = ptr::null_mut::<std::ffi::c_void>();
    for (device_type, usable) in [(ARROW_DEVICE_CPU, false), (3, Device::Cuda(0).require().is_ok())] {
        let mut array = numbers().device_array(device_type, 0, &releases);
        // SAFETY: the array is ours to change.
        unsafe { (*array.as_mut_ptr()).sync_event = (&raw mut event).cast() };
        let read = Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, &Exec::host());
        assert!(
            usable || matches!(read, Err(Error::ArrowInterface { violation: Violation::Device { .. }, .. }))
        );
    }
    // One of no GPU.
    let mut array = numbers().device_array(3, -1, &releases);
    // SAFETY: as above.
    unsafe { (*array.as_mut_ptr()).sync_event = (&raw mut event).cast() };
    let error = Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, &Exec::host()).unwrap_err();
    assert!(error.to_string().contains("type 3, id -1: it has no such id"), "{error}");
    // Page-locked memory is the host's, whichever GPU it is known to.
    for device_id in [-1, 0, 5] {
        assert!(import(3, device_id).is_ok());
    }
    if let Ok(sim) = Exec::new(Device::Sim) {
        let mut array = numbers().device_array(ARROW_DEVICE_CPU, -1, &releases);
        assert!(matches!(
            Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, &sim),
            Err(Error::Memory(columnade_buffers::Error::DeviceMismatch { .. }))
        ));
        assert!(!array.is_released());
    }
}

/// Rows of a list view, and of runs, that are not where they say.
#[test]
fn rows_outside_of_their_values_are_refused() {
    let view = |offsets: [i32; 2], sizes: [i32; 2], validity: Option<Vec<u8>>| Parts {
        children: vec![Parts { name: "item", ..numbers() }],
        ..Parts::new("+vl", 2, vec![validity, bytes(&offsets), bytes(&sizes)])
    };
    for (offsets, sizes, row) in
        [([0, -1], [1, 1], 1), ([0, 1], [1, 2], 1), ([0, 0], [-1, 1], 0), ([3, 0], [0, 0], 0)]
    {
        let found = fault(view(offsets, sizes, None), MINIMAL);
        assert!(matches!(found, Violation::Offset { row: at, .. } if at == row), "{found}");
    }
    // Of a null row neither counts.
    for exec in execs() {
        let parts = Parts { null_count: -1, ..view([0, -7], [2, 9], Some(vec![0b01])) };
        let mut array = parts.array_on(&exec, &Releases::default());
        let column = Column::from_arrow_c_device(&parts.schema(), &mut array, &MINIMAL, &exec).unwrap();
        let texts: Vec<String> = column.to_scalars().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["[1, 2]", "<NA>"]);
    }
    let found = fault(view([0, 0], [2, 2], None), NO_COPY);
    assert!(matches!(found, Violation::NeedsCopy { .. }), "{found}");

    let runs = |ends: &[i32], length| Parts {
        children: vec![
            Parts {
                name: "run_ends",
                ..Parts::new("i", i64::try_from(ends.len()).unwrap(), vec![None, bytes(ends)])
            },
            Parts { name: "values", ..numbers() },
        ],
        ..Parts::new("+r", length, vec![])
    };
    for (ends, length) in [(&[1][..], 2), (&[1, 2, 3], 3), (&[], 1), (&[2, i32::MAX], 1 << 40)] {
        let found = fault(runs(ends, length), MINIMAL);
        assert!(matches!(found, Violation::Size { what: "length", .. }), "{found}");
    }
    // One value, said to be two thousand million rows.
    let found = fault(runs(&[i32::MAX - 1, i32::MAX], i32::MAX.into()), MINIMAL);
    assert!(found.to_string().contains("fill no memory"), "{found}");
    for ends in [[0, 2], [2, 2], [-1, 2]] {
        let error = Column::from_arrow_c(
            &runs(&ends, 2).schema(),
            &mut runs(&ends, 2).array(&Releases::default()),
            &MINIMAL,
        )
        .unwrap_err();
        assert!(error.to_string().contains("no end of a run"), "{error}");
    }
    let text_ends = Parts {
        children: vec![
            Parts { name: "run_ends", ..text([0, 1, 2], b"ab") },
            Parts { name: "values", ..numbers() },
        ],
        ..Parts::new("+r", 2, vec![])
    };
    assert!(matches!(fault(text_ends, MINIMAL), Violation::Unsupported { .. }));
}

/// Times beyond a day are an error of a full validation, unless they are under nulls; else they are what they are.
#[test]
fn times_beyond_a_day_are_refused_by_full_validation() {
    for exec in execs() {
        for (format, data) in [
            ("tts", bytes(&[86_399_i32, 86_400])),
            ("ttm", bytes(&[0_i32, -1])),
            ("ttu", bytes(&[0_i64, i64::MIN])),
            ("ttn", bytes(&[86_400_000_000_000_i64 - 1, 86_400_000_000_000])),
        ] {
            let import = |validity, options| {
                let parts = Parts {
                    null_count: -1,
                    ..Parts::new(format, 2, vec![Some(vec![validity]), data.clone()])
                };
                let mut array = parts.array_on(&exec, &Releases::default());
                Column::from_arrow_c_device(&parts.schema(), &mut array, options, &exec)
            };
            let refused = import(0b11, &FULL).unwrap_err();
            assert!(matches!(refused, Error::Overflow { .. }), "{format} {refused}");
            assert_eq!(import(0b01, &FULL).unwrap().null_count(&exec).unwrap(), 1);
            let trusted = import(0b11, &NO_COPY).unwrap();
            assert!(!trusted.get(1).unwrap().to_string().is_empty());
        }
    }
}

#[test]
fn wide_decimal_that_does_not_fit_is_overflow() {
    let mut wide = vec![0_u8; 64];
    wide[0] = 7;
    // 2^128, which 38 digits do not hold.
    wide[48] = 1;
    let parts = |validity| Parts {
        null_count: -1,
        ..Parts::new("d:50,3,256", 2, vec![Some(vec![validity]), Some(wide.clone())])
    };
    for exec in execs() {
        let import = |validity| {
            let parts = parts(validity);
            let mut array = parts.array_on(&exec, &Releases::default());
            Column::from_arrow_c_device(&parts.schema(), &mut array, &MINIMAL, &exec)
        };
        let refused = import(0b11).unwrap_err();
        assert!(matches!(refused, Error::Overflow { .. }), "{refused}");
        let column = import(0b01).unwrap();
        assert_eq!(column.dtype().to_string(), "decimal(38,3)");
        assert_eq!(column.get(0).unwrap().to_string(), "0.007");
        assert!(column.get(1).unwrap().is_null());
    }
}
