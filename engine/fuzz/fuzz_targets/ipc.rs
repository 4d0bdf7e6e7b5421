//! What must hold of every file: see the module.

#![no_main]
#![expect(dead_code, reason = "the module has all targets, a program one")]

#[path = "../../tests/hostile_files/target.rs"]
mod target;

// A decoder's panic is an error of the file: only those that come out of the library are findings.
libfuzzer_sys::fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |data: &[u8]| {
    drop(target::ipc(data));
});
