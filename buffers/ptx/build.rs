//! Tells the crate whether the simulator's flavour is `ptx`; in the other flavours it is empty.

use columnade_native::{Flavour, build_script};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(columnade_ptx)");
    build_script(|| {
        if Flavour::from_env()? == Flavour::Ptx {
            println!("cargo::rustc-cfg=columnade_ptx");
        }
        Ok(())
    });
}
