//! Which buffers share memory, and when sharing ends.

use super::{address, execs, overwrite, pattern};
use crate::{Buffer, Exec};

/// The worked example of cuDF's library design: three shallow copies, writes to two of them.
#[test]
fn writes_to_shallow_copies_are_separate() {
    for exec in execs() {
        let mut s1 = Buffer::from_slice(&[1_u8, 2, 3, 4], &exec).unwrap();
        let mut s2 = s1.clone();
        let s3 = s2.clone();
        let shared = address(&s1, &exec);
        assert_eq!((address(&s2, &exec), address(&s3, &exec)), (shared, shared));

        overwrite(&mut s2, 0, &[10, 10], &exec).unwrap();
        assert_eq!((address(&s1, &exec), address(&s3, &exec)), (shared, shared));
        assert_ne!(address(&s2, &exec), shared);

        overwrite(&mut s1, 0, &[11, 11], &exec).unwrap();
        assert_ne!(address(&s1, &exec), shared);
        assert_eq!(address(&s3, &exec), shared);
        let values = [&s1, &s2, &s3].map(|buffer| buffer.to_vec::<u8>(&exec).unwrap());
        assert_eq!(values, [[11, 11, 3, 4], [10, 10, 3, 4], [1, 2, 3, 4]]);
    }
}

#[test]
fn last_view_writes_in_place() {
    for exec in execs() {
        let mut first = Buffer::from_slice(&pattern(100), &exec).unwrap();
        let (second, slice) = (first.clone(), first.slice(10, 20));
        assert!(!first.is_unique());
        drop(second);
        assert!(!first.is_unique());
        drop(slice);
        assert!(first.is_unique());
        let before = address(&first, &exec);
        overwrite(&mut first, 3, &[0], &exec).unwrap();
        assert_eq!(address(&first, &exec), before);
    }
}

#[test]
fn write_to_slice_copies_only_its_range() {
    for exec in execs() {
        let bytes = pattern(4096);
        let buffer = Buffer::from_slice(&bytes, &exec).unwrap();
        let mut slice = buffer.slice(1000, 65);
        let counted =
            exec.with_resource(std::sync::Arc::new(crate::Statistics::new(exec.resource().clone())));
        overwrite(&mut slice, 0, &[1, 2, 3], &counted).unwrap();
        assert_eq!(counted.resource().statistics().unwrap().total, 128);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), bytes);
        let mut expected = bytes[1000..1065].to_vec();
        expected[..3].copy_from_slice(&[1, 2, 3]);
        assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), expected);
    }
}

#[test]
fn write_to_whole_leaves_slices_unchanged() {
    for exec in execs() {
        let bytes = pattern(300);
        let mut buffer = Buffer::from_slice(&bytes, &exec).unwrap();
        let slices = [(0, 300), (1, 2), (299, 1), (300, 0)].map(|(at, len)| (at, buffer.slice(at, len)));
        overwrite(&mut buffer, 0, &[99; 300], &exec).unwrap();
        for (at, slice) in &slices {
            assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), bytes[*at..at + slice.len()]);
            assert!(slice.shares_memory(&slices[0].1));
        }
    }
}

#[test]
fn imported_arrow_memory_is_shared_and_never_written() {
    let exec = Exec::host();
    let arrow = arrow_buffer::Buffer::from_vec(vec![1_i32, 2, 3]);
    let mut buffer = Buffer::from_arrow(arrow.clone());
    assert_eq!(address(&buffer, &exec), arrow.as_ptr());
    assert!(!buffer.is_unique());
    drop(buffer.slice(4, 8));
    buffer.write(&exec).unwrap().as_mut_slice::<i32>()[0] = 9;
    assert_ne!(address(&buffer, &exec), arrow.as_ptr());
    assert_eq!(arrow.typed_data::<i32>(), [1, 2, 3]);
    assert_eq!(buffer.to_vec::<i32>(&exec).unwrap(), [9, 2, 3]);

    let part = Buffer::from_arrow(arrow.slice_with_length(4, 4));
    drop(arrow);
    assert_eq!(part.to_vec::<i32>(&exec).unwrap(), [2]);
    assert!(Buffer::from_arrow(arrow_buffer::Buffer::from_vec(Vec::<u8>::new())).is_empty());
}

#[test]
fn write_to_leased_buffer_copies() {
    let exec = Exec::host();
    let mut buffer = Buffer::from_slice(&[1_i64, 2, 3], &exec).unwrap();
    let before = address(&buffer, &exec);
    let arrow = buffer.slice(8, 16).to_arrow().unwrap();
    let clone = arrow.clone();
    assert_eq!(arrow.as_ptr().addr(), before.addr() + 8);
    drop(arrow);
    assert!(!buffer.is_unique());

    buffer.write(&exec).unwrap().as_mut_slice::<i64>().fill(0);
    assert_eq!(clone.typed_data::<i64>(), [2, 3], "a lease outlives its buffer's memory");
    assert_ne!(address(&buffer, &exec), before);

    let before = address(&buffer, &exec);
    drop(buffer.to_arrow().unwrap());
    assert!(buffer.is_unique(), "an ended lease leaves no trace");
    buffer.write(&exec).unwrap().as_mut_slice::<i64>().fill(5);
    assert_eq!(address(&buffer, &exec), before);
}

#[test]
fn arrow_buffer_round_trips() {
    let exec = Exec::host();
    for &len in super::SIZES {
        let bytes = pattern(len);
        let buffer = Buffer::from_slice(&bytes, &exec).unwrap();
        let back = Buffer::from_arrow(buffer.to_arrow().unwrap());
        assert_eq!(address(&back, &exec), address(&buffer, &exec));
        drop(buffer);
        assert_eq!(back.to_vec::<u8>(&exec).unwrap(), bytes);
    }
}
