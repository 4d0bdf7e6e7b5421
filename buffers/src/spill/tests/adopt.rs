//! Foreign memory that a context adopts, with and without a copy.

use super::{execs, limited, managed};
use crate::tests::{address, overwrite, pattern};
use crate::{Buffer, Device, Error, Exec, Tier};

fn numbers(count: i64) -> Vec<i64> {
    (0..count).collect()
}

#[test]
fn adopt_of_unshared_vector_keeps_its_address() {
    let (exec, manager) = managed(&Exec::host());
    let mut with_capacity_left = numbers(1000);
    with_capacity_left.reserve(5000);
    // A range from the beginning; the rest is not used any more.
    let whole = arrow_buffer::Buffer::from_vec(pattern(100));
    let cut = whole.slice_with_length(0, 33);
    drop(whole);
    for (memory, bytes) in [
        (arrow_buffer::Buffer::from_vec(pattern(65)), pattern(65)),
        (arrow_buffer::Buffer::from_vec(vec![1_i16, -2, 3]), bytemuck::cast_slice(&[1_i16, -2, 3]).to_vec()),
        (
            arrow_buffer::Buffer::from_vec(vec![0.5_f32, -0.0]),
            bytemuck::cast_slice(&[0.5_f32, -0.0]).to_vec(),
        ),
        (arrow_buffer::Buffer::from_vec(vec![7_i128, -8]), bytemuck::cast_slice(&[7_i128, -8]).to_vec()),
        (arrow_buffer::Buffer::from_vec(numbers(1000)), bytemuck::cast_slice(&numbers(1000)).to_vec()),
        (arrow_buffer::Buffer::from_vec(with_capacity_left), bytemuck::cast_slice(&numbers(1000)).to_vec()),
        (cut, pattern(33)),
    ] {
        let before = memory.as_ptr();
        let is_whole = memory.capacity() == memory.len();
        let mut buffer = Buffer::from_arrow(memory);
        assert!(!buffer.is_unique() && !buffer.is_spillable());
        buffer.adopt(&exec).unwrap();
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, bytes.len());
        assert!(!is_whole || address(&buffer, &exec) == before, "what is not cut stays where it is");
        assert!(buffer.is_unique() && buffer.is_spillable());
        assert_eq!(manager.spill_device_memory(usize::MAX), bytes.len());
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), bytes);
        overwrite(&mut buffer, 0, &[9], &exec).unwrap();
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap()[0], 9);
        let id = buffer.memory_id();
        buffer.adopt(&exec).unwrap();
        assert_eq!(buffer.memory_id(), id, "it is the context's already");
        drop(buffer);
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 0);
    }
}

#[test]
fn adopt_of_shared_memory_copies() {
    let bytes = pattern(640);
    let shared = arrow_buffer::Buffer::from_vec(bytes.clone());
    let aligned = || arrow_buffer::Buffer::from_slice_ref(&bytes);
    let exec = Exec::host();
    let (exec, manager) = managed(&exec);
    let whole = Buffer::from_arrow(shared.clone());
    let leased = Buffer::from_arrow(arrow_buffer::Buffer::from_vec(bytes.clone()));
    let lease = leased.lease().unwrap();
    for mut buffer in [
        whole.clone(),
        whole,
        Buffer::from_arrow(shared.slice_with_length(0, 640)),
        Buffer::from_arrow(aligned()),
        leased,
        Buffer::from_vec(bytes.clone()),
    ] {
        let before = address(&buffer, &Exec::host());
        buffer.adopt(&exec).unwrap();
        assert_ne!(address(&buffer, &exec), before);
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 640);
        overwrite(&mut buffer, 5, &[0, 0], &exec).unwrap();
        assert_eq!(shared.as_slice(), bytes);
    }
    drop(lease);
    // A part of a larger allocation, and an empty one.
    let mut part = Buffer::from_arrow(arrow_buffer::Buffer::from_vec(bytes.clone()).slice(64));
    part.adopt(&exec).unwrap();
    assert_eq!(part.to_vec::<u8>(&exec).unwrap(), bytes[64..]);
    let mut nothing = Buffer::from_arrow(arrow_buffer::Buffer::from_vec(Vec::<i64>::new()));
    nothing.adopt(&exec).unwrap();
    assert!(nothing.is_empty());
}

#[test]
fn adopt_of_view_keeps_its_range() {
    let (exec, _) = managed(&Exec::host());
    let mut slice = Buffer::from_arrow(arrow_buffer::Buffer::from_vec(pattern(1000))).slice(300, 77);
    slice.adopt(&exec).unwrap();
    assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), pattern(1000)[300..377]);
}

#[test]
fn adopt_from_other_device_or_budget_copies() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut buffer = Buffer::from_arrow(arrow_buffer::Buffer::from_vec(pattern(128)));
        buffer.adopt(&exec).unwrap();
        assert_eq!(buffer.device(), exec.device());
        assert_eq!(manager.usage().managed, 128);
        for spilled in [false, true] {
            let mut buffer = buffer.slice(0, 128);
            let (other, others) = managed(&exec);
            if spilled {
                manager.spill_device_memory(usize::MAX);
            }
            buffer.adopt(&other).unwrap();
            assert_eq!(others.usage().managed, 128);
            assert_eq!(buffer.to_vec::<u8>(&other).unwrap(), pattern(128));
        }
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), pattern(128));
    }
}

#[test]
fn adopt_beyond_strict_budget_is_refused_and_loses_nothing() {
    let (exec, manager) = limited(&Exec::host(), 1024);
    let first = Buffer::from_vec_on(pattern(900), &exec).unwrap();
    let guard = first.read(&exec).unwrap();
    let memory = arrow_buffer::Buffer::from_vec(numbers(100));
    let before = memory.as_ptr();
    let mut buffer = Buffer::from_arrow(memory);
    let refused = buffer.adopt(&exec.strict()).unwrap_err();
    assert!(matches!(refused, Error::OutOfMemory { device: Device::Host, requested: 800, .. }), "{refused}");
    assert_eq!(manager.usage().tiers[Tier::Device].bytes, 900);
    assert_eq!(buffer.to_vec::<i64>(&Exec::host()).unwrap(), numbers(100));
    drop(guard);
    buffer.adopt(&exec.strict()).unwrap();
    assert!(first.is_spilled(), "another allocation was evicted");
    assert_eq!(address(&buffer, &exec), before);
    assert_eq!(manager.usage().tiers[Tier::Device].bytes, 800);
}
