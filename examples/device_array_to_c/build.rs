//! Compiles the C function that receives the array.

fn main() {
    println!("cargo::rerun-if-changed=totals.c");
    println!("cargo::rerun-if-changed=totals.h");
    cc::Build::new().file("totals.c").std("c99").warnings(true).extra_warnings(true).compile("totals");
}
