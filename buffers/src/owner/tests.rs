//! Tests of the word that says how an allocation is held.

use super::state::State;
use crate::{Buffer, Exec};

#[test]
fn pins_leases_and_epochs_do_not_mix() {
    let state = State::new();
    assert!(!state.is_held() && !state.is_leased());
    state.pin();
    state.lease();
    state.pin();
    state.unpin_written();
    assert_eq!(state.epoch(), 1);
    assert!(state.is_held() && state.is_leased());
    state.unpin();
    assert!(state.is_held());
    state.end_lease();
    assert!(!state.is_held() && !state.is_leased());
    // The epoch wraps and leaves the others alone.
    let writes = if cfg!(miri) { 4 } else { (1 << 16) + 4 };
    for _ in 0..writes {
        state.pin();
        state.unpin_written();
    }
    assert_eq!(state.epoch(), 5);
    assert!(!state.is_held());
}

#[test]
fn guards_and_leases_hold() {
    let exec = Exec::host();
    let buffer = Buffer::from_slice(&[1_u8, 2, 3], &exec).unwrap();
    let epoch = buffer.owner().state.epoch();
    let (first, second) = (buffer.read(&exec).unwrap(), buffer.read(&exec).unwrap());
    drop(first);
    assert!(buffer.owner().is_held());
    drop(second);
    assert!(!buffer.owner().is_held());
    let lease = buffer.slice(1, 2).lease();
    assert_eq!((lease.len(), lease.device()), (2, buffer.device()));
    assert!(buffer.owner().is_held());
    drop(lease);
    assert!(!buffer.owner().is_held());
    assert_eq!(buffer.owner().state.epoch(), epoch, "reads do not end an epoch");
}
