//! Tests of an allocation's state word, and of its views.

use super::Hold;
use super::state::{AddressHistory, AllocationState, PublishedEviction, Residency};
use super::views::Views;
use crate::{Buffer, Device, Error, Exec, Tier};

#[test]
fn pins_leases_and_writers_do_not_mix() {
    let state = AllocationState::new(Tier::Device);
    assert!(!state.is_held() && !state.is_leased());
    assert!(state.pin_to_read() && state.pin_to_write());
    state.lease(false).unwrap();
    state.lease(true).unwrap();
    state.unpin();
    state.unpin();
    assert!(state.is_held() && state.is_leased() && state.has_foreign_writer() && !state.is_pinned());
    state.end_lease(true);
    assert!(state.is_leased() && !state.has_foreign_writer());
    state.end_lease(false);
    assert!(!state.is_held() && !state.is_leased());
    assert!(state.expose() && !state.expose());
    assert!(state.is_held() && state.is_leased() && state.has_foreign_writer());
}

#[test]
fn held_allocation_is_not_evicted() {
    let state = AllocationState::new(Tier::Device);
    assert!(state.pin_to_read());
    assert!(!state.begin_eviction());
    state.lease(false).unwrap();
    state.unpin();
    assert!(!state.begin_eviction());
    state.end_lease(false);
    assert!(state.begin_eviction() && !state.begin_eviction());
}

#[test]
fn allocation_being_evicted_is_readable_and_not_writable() {
    let state = AllocationState::new(Tier::Device);
    assert!(state.begin_eviction());
    assert!(!state.pin_to_write());
    assert!(state.pin_to_read());
    assert_eq!(state.finish_eviction(Tier::Disk), PublishedEviction::Kept);
    state.cancel_eviction(true);
    assert_eq!(state.residency(), Residency::Resident);
    assert!(state.has_copy());
    state.unpin();
    // A writer drops the copy first.
    assert!(!state.pin_to_write());
    assert!(state.forget_copy() && !state.forget_copy());
    assert!(state.pin_to_write());
}

#[test]
fn unspilled_allocation_is_pinned() {
    for tier in [Tier::Pinned, Tier::Pageable, Tier::Disk] {
        let state = AllocationState::new(Tier::Device);
        assert!(state.begin_eviction());
        assert_eq!(state.finish_eviction(tier), PublishedEviction::Evicted(AddressHistory::Private));
        assert_eq!(state.residency(), Residency::Spilled(tier));
        assert!(!state.pin_to_read() && !state.pin_to_write() && !state.is_pinned());
        assert!(!state.begin_moving(Tier::Device));
        assert!(state.begin_moving(tier) && !state.begin_moving(tier));
        assert_eq!(state.residency(), Residency::Moving);
        assert!(!state.pin_to_read());
        state.finish_move(tier);
        assert!(state.begin_moving(tier));
        state.finish_unspill();
        assert_eq!(state.residency(), Residency::Resident);
        assert!(state.is_pinned() && state.has_copy());
        state.unpin();
        assert!(!state.is_held());
    }
}

#[test]
fn export_is_remembered_until_eviction() {
    for expose in [false, true] {
        let state = AllocationState::new(Tier::Device);
        assert!(state.pin_to_read());
        assert_eq!(state.past(), AddressHistory::Private);
        if expose {
            state.expose();
            assert_eq!(state.past(), AddressHistory::Exported);
            continue;
        }
        state.lease(false).unwrap();
        state.unpin();
        state.end_lease(false);
        assert_eq!(state.past(), AddressHistory::Exported);
        assert!(state.begin_eviction());
        state.cancel_eviction(true);
        assert_eq!(state.past(), AddressHistory::Exported, "it has not left");
        assert!(state.begin_eviction());
        assert_eq!(state.finish_eviction(Tier::Disk), PublishedEviction::Evicted(AddressHistory::Exported));
        assert!(state.begin_moving(Tier::Disk));
        state.finish_unspill();
        assert_eq!(state.past(), AddressHistory::Private, "it was never exported at its new address");
    }
}

#[test]
fn export_is_cleared_only_without_holders() {
    let state = AllocationState::new(Tier::Device);
    assert!(state.pin_to_read());
    state.lease(true).unwrap();
    state.clear_exported();
    assert_eq!(state.past(), AddressHistory::Exported, "the holder lives");
    state.end_lease(true);
    state.clear_exported();
    assert_eq!(state.past(), AddressHistory::Private);
    state.expose();
    state.clear_exported();
    assert_eq!(state.past(), AddressHistory::Exported, "for ever");
}

#[test]
#[cfg_attr(miri, ignore = "too many holders for Miri")]
fn pins_and_leases_beyond_maximum_are_refused() {
    let exec = Exec::host();
    let too_many = |holders, most| Error::TooManyHolders { device: Device::Host, holders, most };
    let mut buffer = Buffer::from_slice(&[1_u8, 2, 3], &exec).unwrap();
    let mut leases: Vec<_> = (0..255).map(|_| buffer.lease_mut(&exec).unwrap()).collect();
    assert_eq!(buffer.lease_mut(&exec).unwrap_err(), too_many("leases to writers", 255));
    leases.extend((0..100_000).map(|_| buffer.lease().unwrap()));
    assert!(!buffer.owner().state().is_pinned());
    leases.truncate(300);
    drop(buffer.lease().unwrap());
    buffer.lease_mut(&exec).unwrap_err();
    leases.clear();
    assert!(!buffer.owner().is_held());
    drop(buffer.lease_mut(&exec).unwrap());

    let guard = buffer.read(&exec).unwrap();
    let pins = || (1..AllocationState::MOST_PINS).all(|_| buffer.owner().try_pin(Hold::Read));
    assert!(pins());
    assert_eq!(buffer.read(&exec).unwrap_err(), too_many("guards", AllocationState::MOST_PINS));
    assert_eq!(exec.access(&[&buffer], []).unwrap_err(), too_many("guards", AllocationState::MOST_PINS));
    assert_eq!(buffer.lease().unwrap_err(), too_many("guards", AllocationState::MOST_PINS));
    assert!(!buffer.owner().try_pin(Hold::Write) && !buffer.spill().unwrap());
    buffer.owner().unpin();
    drop(buffer.read(&exec).unwrap());
    (2..AllocationState::MOST_PINS).for_each(|_| buffer.owner().unpin());
    drop(guard);
    assert!(!buffer.owner().is_held());
    assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), [1, 2, 3]);

    let mut other = buffer.clone();
    buffer.owner().state().with_leases(AllocationState::MOST_LEASES - 1, || {
        let last = buffer.lease().unwrap();
        assert_eq!(buffer.lease().unwrap_err(), too_many("leases", AllocationState::MOST_LEASES));
        let state = buffer.owner().state();
        assert!(!state.is_pinned() && state.residency() == Residency::Resident && !state.is_exposed());
        drop(last);
        assert!(other.lease_mut(&exec).is_ok());
    });
    assert!(!buffer.owner().is_held());
}

#[test]
fn guards_and_leases_hold_their_allocation() {
    let exec = Exec::host();
    let buffer = Buffer::from_slice(&[1_u8, 2, 3], &exec).unwrap();
    let (first, second) = (buffer.read(&exec).unwrap(), buffer.read(&exec).unwrap());
    drop(first);
    assert!(buffer.owner().is_held());
    drop(second);
    assert!(!buffer.owner().is_held());
    let lease = buffer.slice(1, 2).lease().unwrap();
    assert_eq!((lease.len(), lease.device()), (2, buffer.device()));
    assert!(buffer.owner().is_held());
    drop(lease);
    assert!(!buffer.owner().is_held());
}

#[test]
fn hull_covers_every_view() {
    let views = Views::new();
    assert_eq!(views.hull(), None);
    views.add(None);
    views.add(Some(10..20));
    assert_eq!(views.hull(), None, "a view covers the whole");
    views.add(Some(40..41));
    views.remove(None);
    assert_eq!(views.hull(), Some(10..41));
    views.add(Some(40..41));
    views.remove(Some(40..41));
    assert_eq!(views.hull(), Some(10..41), "one of two equal ones is left");
    views.remove(Some(40..41));
    assert_eq!(views.hull(), Some(10..20));
    assert!(views.is_sole());
    // Counted but not remembered, until none is left.
    for at in 0..20 {
        views.add(Some(at..at + 1));
    }
    assert_eq!(views.hull(), None);
    for at in 0..20 {
        views.remove(Some(at..at + 1));
    }
    assert_eq!(views.hull(), None);
    views.remove(Some(10..20));
    views.add(Some(3..4));
    assert_eq!(views.hull(), Some(3..4));
}
