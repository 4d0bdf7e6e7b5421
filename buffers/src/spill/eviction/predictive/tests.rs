//! What the policy learns.

use super::AccessOrder::{Cyclic, Recency};
use super::*;

/// The cycle after uses of evicted allocations, each with the assumption it was evicted under and how many of ten
/// resident allocations were used meanwhile.
fn cycle_after(uses: &[(AccessOrder, usize)]) -> Option<u64> {
    let policy = Predictive::default();
    for &(assumed, used) in uses {
        policy.learn(Eviction { assumed, last_use: 100, at: 150 }, 180, (10, used));
    }
    policy.cycle()
}

#[test]
fn early_reuse_refutes_the_assumption() {
    assert_eq!(cycle_after(&[]), None, "recency to begin with");
    assert_eq!(cycle_after(&[(Recency, 0)]), Some(80), "the least recently used was needed first");
    assert_eq!(cycle_after(&[(Recency, 10)]), None);
    assert_eq!(cycle_after(&[(Cyclic, 10)]), Some(80), "the most recently used stayed away for a cycle");
    assert_eq!(cycle_after(&[(Recency, 0), (Cyclic, 0)]), None);
}

#[test]
fn long_evidence_is_outweighed_soon() {
    let mut uses = vec![(Recency, 0); 100];
    assert_eq!(cycle_after(&uses), Some(80));
    uses.extend([(Cyclic, 0); 2]);
    assert_eq!(cycle_after(&uses), None);
}

#[test]
fn reuse_without_resident_allocations_is_no_evidence() {
    let policy = Predictive::default();
    policy.learn(Eviction { assumed: Recency, last_use: 1, at: 2 }, 3, (0, 0));
    assert_eq!(policy.cycle(), None);
}
