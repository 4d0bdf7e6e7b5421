//! Automation: `cargo xtask <command>`.
fn main() {}
