//! What a program hears of decoders that panic: an error, and nothing on `stderr` if it asks for that.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};

use columnade::files::silence_decoder_panics;
use columnade::{ErrorKind, read_parquet};

/// Panics that the hook of the program was told.
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// The only test of this process, which has one hook.
#[test]
fn only_panics_that_are_errors_are_silent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("f.parquet");
    // A length in the second column that its page does not have.
    let mut bytes = include_bytes!("files/encodings.parquet").to_vec();
    bytes[216] = 0x7f;
    std::fs::write(&path, bytes).expect("written");
    let read = || {
        let error = read_parquet(&path).read().expect_err("a panic");
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("the decoder failed in column \"m\""), "{error}");
    };
    panic::set_hook(Box::new(|_| {
        TOLD.fetch_add(1, Ordering::Relaxed);
    }));
    read();
    let told = TOLD.swap(0, Ordering::Relaxed);
    assert!(told > 0, "the program's hook is left alone until it is asked for");

    silence_decoder_panics();
    silence_decoder_panics();
    read();
    assert_eq!(TOLD.load(Ordering::Relaxed), 0);
    let own = panic::catch_unwind(|| panic!("of the program"));
    assert!(own.is_err());
    assert_eq!(TOLD.load(Ordering::Relaxed), 1);
    let other = std::thread::spawn(|| panic!("of a thread")).join();
    assert!(other.is_err());
    assert_eq!(TOLD.load(Ordering::Relaxed), 2);
    read();
    assert_eq!(TOLD.load(Ordering::Relaxed), 2);
}
