//! Creating, slicing, copying and reading buffers.

use super::{SIZES, address, execs, pattern};
use crate::{Buffer, Device, Error, Exec, ReadGuard, WriteGuard};

#[test]
fn values_round_trip() {
    for exec in execs() {
        for &len in SIZES {
            let bytes = pattern(len);
            let buffer = Buffer::from_slice(&bytes, &exec).unwrap();
            assert_eq!((buffer.len(), buffer.is_empty(), buffer.device()), (len, len == 0, exec.device()));
            assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), bytes, "{len} bytes on {}", exec.device());
            assert_eq!(buffer.copy_to(&exec).unwrap().to_vec::<u8>(&exec).unwrap(), bytes);
            assert_eq!(Buffer::zeroed(len, &exec).unwrap().to_vec::<u8>(&exec).unwrap(), vec![0; len]);
        }
        let values = [i64::MIN, -1, 0, 1, i64::MAX];
        assert_eq!(Buffer::from_slice(&values, &exec).unwrap().to_vec::<i64>(&exec).unwrap(), values);
    }
}

#[test]
fn addresses_are_aligned() {
    for exec in execs() {
        for &len in SIZES {
            let buffer = Buffer::uninit(len, &exec).unwrap();
            let address = address(&buffer, &exec).addr();
            assert!(address.is_multiple_of(exec.device().alignment()), "{address:#x} on {}", exec.device());
        }
    }
}

#[test]
fn pinned_memory_is_reused_and_holds_copies() {
    for exec in execs().into_iter().filter(|exec| exec.device() != Device::Host) {
        for bytes in [0, 1, 4096, 4097, 100_000] {
            let mut memory = exec.pinned_memory(bytes).unwrap();
            let address = memory.as_mut_ptr();
            assert!(address.addr().is_multiple_of(4096), "{bytes} bytes on {}", exec.device());
            // SAFETY: at least so many bytes, which only this value uses.
            unsafe { address.write_bytes(7, bytes) };
            let mut other = exec.pinned_memory(bytes).unwrap();
            assert_ne!(other.as_mut_ptr(), address, "{bytes} bytes on {}", exec.device());
        }
    }
}

#[test]
fn unpadded_buffer_holds_its_bytes() {
    for exec in execs() {
        for &len in SIZES {
            let buffer = Buffer::unpadded(len, &exec).unwrap();
            assert_eq!((buffer.len(), buffer.device()), (len, exec.device()));
            let mut filled = Buffer::unpadded(len, &exec).unwrap();
            filled.write(&exec).unwrap().copy_from_slice(&pattern(len)).unwrap();
            assert_eq!(filled.to_vec::<u8>(&exec).unwrap(), pattern(len), "{len} bytes on {}", exec.device());
        }
    }
}

#[test]
fn slices_are_views() {
    for exec in execs() {
        let bytes = pattern(1000);
        let buffer = Buffer::from_slice(&bytes, &exec).unwrap();
        for (offset, len) in [(0, 1000), (0, 0), (1000, 0), (1, 998), (63, 65), (999, 1)] {
            let slice = buffer.slice(offset, len);
            assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), bytes[offset..offset + len]);
            assert!(slice.shares_memory(&buffer));
            assert_eq!(address(&slice, &exec).addr(), address(&buffer, &exec).addr() + offset);
            let (from, to) = (len / 3, len / 2);
            let inner = slice.slice(from, to - from);
            assert_eq!(inner.to_vec::<u8>(&exec).unwrap(), bytes[offset + from..offset + to]);
        }
    }
}

#[test]
#[should_panic(expected = "2 bytes from 9 are not within 10")]
fn slice_beyond_end_panics() {
    let _ = Buffer::zeroed(10, &Exec::host()).unwrap().slice(9, 2);
}

#[test]
fn copy_between_every_pair_of_devices_keeps_bytes() {
    let bytes = pattern(777);
    for from in execs() {
        for to in execs() {
            let source = Buffer::from_slice(&bytes, &from).unwrap().slice(7, 700);
            let copy = source.copy_to(&to).unwrap();
            assert_eq!(copy.device(), to.device());
            assert!(!copy.shares_memory(&source));
            assert_eq!(copy.to_vec::<u8>(&to).unwrap(), bytes[7..707]);
            for empty in [source.slice(3, 0), Buffer::zeroed(0, &from).unwrap()] {
                let copy = empty.copy_to(&to).unwrap();
                assert_eq!((copy.device(), copy.len()), (to.device(), 0));
            }
        }
    }
}

#[test]
fn buffer_of_other_device_is_device_mismatch() {
    let execs = execs();
    for here in &execs {
        for there in execs.iter().filter(|there| there.device() != here.device()) {
            let mut buffer = Buffer::zeroed(8, here).unwrap();
            let mismatch = Error::DeviceMismatch { expected: there.device(), found: here.device() };
            assert_eq!(buffer.read(there).unwrap_err(), mismatch);
            assert_eq!(buffer.write(there).unwrap_err(), mismatch);
            assert_eq!(buffer.to_vec::<u8>(there).unwrap_err(), mismatch);
            let stranger = there.with_resource(here.resource().clone());
            assert_eq!(Buffer::zeroed(8, &stranger).unwrap_err(), mismatch);
            if here.device() != Device::Host {
                let not_host = Error::DeviceMismatch { expected: Device::Host, found: here.device() };
                assert_eq!(buffer.to_arrow().unwrap_err(), not_host);
            }
        }
    }
}

#[test]
fn oversized_allocation_is_out_of_memory() {
    for exec in execs() {
        for bytes in [usize::MAX, usize::MAX - 63, isize::MAX.unsigned_abs(), 1 << 60] {
            let error = Buffer::uninit(bytes, &exec).unwrap_err();
            assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
        }
    }
}

#[test]
fn from_vec_does_not_copy() {
    let exec = Exec::host();
    let mut values = Vec::with_capacity(100);
    values.extend([1_i32, -2, 3]);
    let address = values.as_ptr().cast::<u8>();
    let mut buffer = Buffer::from_vec(values);
    assert_eq!(super::address(&buffer, &exec), address);
    assert!(buffer.is_unique());
    buffer.write(&exec).unwrap().as_mut_slice::<i32>()[1] = 7;
    assert_eq!(super::address(&buffer, &exec), address);
    assert_eq!(buffer.to_vec::<i32>(&exec).unwrap(), [1, 7, 3]);

    assert!(Buffer::from_vec(Vec::<i64>::new()).is_empty());
    assert!(Buffer::from_vec(Vec::<i64>::with_capacity(9)).is_empty());
    assert!(Buffer::from_vec(vec![(); 9]).is_empty());
}

#[test]
fn guard_as_slice_views_the_bytes() {
    let exec = Exec::host();
    let mut buffer = Buffer::uninit(24, &exec).unwrap();
    buffer.write(&exec).unwrap().as_mut_slice().copy_from_slice(&[1.5_f64, -0.0, f64::INFINITY]);
    let guard = buffer.read(&exec).unwrap();
    assert_eq!(guard.as_slice::<f64>(), [1.5, -0.0, f64::INFINITY]);
    assert_eq!(guard.as_slice::<u64>()[1], 1 << 63);
    assert_eq!((guard.len(), guard.as_slice::<u8>().len()), (24, 24));
}

#[test]
fn owned_guard_keeps_its_buffer_alive() {
    for exec in execs() {
        let shared = Buffer::from_slice(&[1_u8; 70], &exec).unwrap();
        let mut guard = shared.slice(3, 60).into_write(&exec).unwrap();
        assert_eq!(guard.len(), 60);
        assert_ne!(guard.as_mut_ptr().cast_const(), address(&shared.slice(3, 60), &exec));
        let buffer = guard.into_buffer();
        assert!(buffer.is_unique() && !buffer.owner().is_held());
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), [1; 60]);
        drop(buffer.into_write(&exec).unwrap());
    }
}

#[test]
#[should_panic(expected = "no whole number")]
fn as_slice_of_partial_value_panics() {
    let exec = Exec::host();
    let _ = Buffer::zeroed(7, &exec).unwrap().read(&exec).unwrap().as_slice::<u32>();
}

#[test]
#[should_panic(expected = "not aligned")]
fn as_slice_unaligned_panics() {
    let exec = Exec::host();
    let _ = Buffer::zeroed(8, &exec).unwrap().slice(1, 4).read(&exec).unwrap().as_slice::<u32>();
}

#[test]
fn access_takes_all_guards_or_none() {
    let execs = execs();
    for exec in &execs {
        let first = Buffer::from_slice(&[1_u8; 10], exec).unwrap();
        let second = Buffer::from_slice(&[2_u8; 20], exec).unwrap();
        let mut third = first.clone();
        let mut fourth = Buffer::zeroed(30, exec).unwrap();
        let access = exec.access(&[&first, &second, &first], [&mut third, &mut fourth]).unwrap();
        assert_eq!(access.reads.iter().map(ReadGuard::len).collect::<Vec<_>>(), [10, 20, 10]);
        assert_eq!(access.writes.iter().map(WriteGuard::len).collect::<Vec<_>>(), [10, 30]);
        assert_eq!(access.reads[0].as_ptr(), access.reads[2].as_ptr());
        drop(access);
        assert!(
            !third.shares_memory(&first),
            "a write separates, also from a buffer that the same call reads"
        );
        assert_eq!(third.to_vec::<u8>(exec).unwrap(), [1; 10]);

        for other in execs.iter().filter(|other| other.device() != exec.device()) {
            let mut stranger = Buffer::zeroed(1, other).unwrap();
            exec.access(&[&first], [&mut third, &mut stranger]).unwrap_err();
            assert!(!first.owner().is_held() && !third.owner().is_held());
        }
    }
}

#[test]
fn fault_word_is_sticky_until_taken() {
    for exec in execs() {
        assert_eq!(exec.take_fault().unwrap(), None);
        let word = exec.fault_word().unwrap();
        assert_eq!(word.as_ptr(), exec.clone().fault_word().unwrap().as_ptr());
        assert_eq!(exec.take_fault().unwrap(), None);
        if exec.device() == Device::Host {
            word.raise(7);
            word.raise(8);
            assert_eq!(exec.take_fault().unwrap(), Some(7));
            assert_eq!(exec.take_fault().unwrap(), None);
        }
        let deferring = exec.deferring_faults();
        assert!(deferring.defers_faults() && !exec.defers_faults());
        let own = deferring.fault_word().unwrap();
        assert_ne!(own.as_ptr(), word.as_ptr(), "{}", exec.device());
        assert_eq!(deferring.take_fault().unwrap(), None);
    }
}
