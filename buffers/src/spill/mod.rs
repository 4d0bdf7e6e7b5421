//! Moving memory to lower tiers, and back.

mod tier;

pub use tier::Tier;
