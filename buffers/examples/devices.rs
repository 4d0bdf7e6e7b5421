//! Prints which devices this build and this machine can use: `devices [DEVICE...]`.
//!
//! Without arguments every kind of device is listed. Exits with 1 if a named device cannot be used.

use columnade_buffers::{Device, Result};
use std::process::ExitCode;

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let asked = if named.is_empty() {
        vec!["host", "sim", "cuda:0"]
    } else {
        named.iter().map(String::as_str).collect()
    };
    let mut code = ExitCode::SUCCESS;
    for name in asked {
        match describe(name) {
            Ok(text) => println!("{name}: {text}"),
            Err(error) => {
                println!("{error}");
                if !named.is_empty() {
                    code = ExitCode::FAILURE;
                }
            }
        }
    }
    code
}

/// The memory of a device that can be used.
fn describe(name: &str) -> Result<String> {
    let device: Device = name.parse()?;
    let memory = device.memory_info()?;
    // The first allocation opens the device's resource.
    columnade_buffers::current_resource(device)?;
    Ok(format!("{} MiB of {} MiB free", memory.free >> 20, memory.total >> 20))
}
