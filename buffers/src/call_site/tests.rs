//! Nested call sites.

use super::{CallSite, counted};
use std::panic::Location;

#[test]
fn outermost_call_site_counts_until_dropped() {
    let own = Location::caller();
    let (first, second) = (Location::caller(), Location::caller());
    assert_eq!(counted(own), own);
    let outer = CallSite::at(first);
    let inner = CallSite::at(second);
    assert_eq!((counted(own), inner.location(), outer.location()), (first, first, first));
    // The order of drops does not matter.
    drop(outer);
    drop(inner);
    assert_eq!(counted(own), own);
    std::thread::scope(|scope| {
        let _site = CallSite::at(first);
        scope.spawn(|| assert_eq!(counted(own), own));
    });
}
