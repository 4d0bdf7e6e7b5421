//! Nested call sites.

use super::{CallSite, counted};
use std::panic::Location;

#[test]
fn outermost_call_site_counts_until_dropped() {
    let own = Location::caller();
    let (first, second) = (Location::caller(), Location::caller());
    let (own_site, first_site) = (Some(own), Some(first));
    assert_eq!(counted(own), own_site);
    let outer = CallSite::at(first_site);
    let inner = CallSite::at(Some(second));
    let all = (counted(own), inner.location(), outer.location());
    assert_eq!(all, (first_site, first_site, first_site));
    // The order of drops does not matter.
    drop(outer);
    drop(inner);
    assert_eq!(counted(own), own_site);
    std::thread::scope(|scope| {
        let _site = CallSite::at(first_site);
        scope.spawn(|| assert_eq!(counted(own), own_site));
    });
}

#[test]
fn calls_from_outside_count_for_no_line() {
    let own = Location::caller();
    let outer = CallSite::outside();
    let inner = CallSite::here();
    assert_eq!((counted(own), inner.location(), outer.location()), (None, None, None));
    drop((inner, outer));
    // A line of the program goes before a call from outside that it makes.
    let line = CallSite::here();
    let within = CallSite::outside();
    assert!(line.location().is_some() && within.location() == line.location());
    assert_eq!(counted(own), line.location());
}
