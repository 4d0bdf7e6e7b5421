//! How the shared library is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        // Programs ask for the library under the version whose interface they were built with; below 1.0 each minor
        // version has another.
        println!(
            "cargo::rustc-cdylib-link-arg=-Wl,-soname,libcolumnade.so.{}.{}",
            env!("CARGO_PKG_VERSION_MAJOR"),
            env!("CARGO_PKG_VERSION_MINOR")
        );
        // Its threads outlive every handle: the code must not go away under them.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
