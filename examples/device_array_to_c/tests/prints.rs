//! What the example prints, on every device of the build.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use columnade::Device;
use std::process::Command;

const TOTALS: &str = "price: 5.5\nweight: 1.5\n";

fn printed(device: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_device_array_to_c"))
        .env("COLUMNADE_DEVICE", device)
        .output()
        .expect("the example runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn totals_are_those_of_every_device() {
    for device in Device::available() {
        let output = printed(&device.to_string());
        let totals = output.strip_suffix(TOTALS).unwrap_or_else(|| panic!("{device}: {output}"));
        let copied = format!("the function reads memory of the host, and the frame is on {device}\n");
        assert_eq!(totals, if device == Device::Host { "" } else { &copied }, "{device}");
    }
}
