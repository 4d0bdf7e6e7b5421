//! What must hold of every array and schema: see the module.

#![no_main]
#![expect(dead_code, reason = "the module has all targets, a program one")]

#[path = "../../tests/hostile/target/mod.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| drop(target::array(data)));
