//! Hands an array to a function in C through Arrow's C device data interface: two structs, and no copy.
//!
//! `cargo run -p columnade-example-device-array-to-c` runs on the device that `COLUMNADE_DEVICE` names.

use columnade::arrow::{ArrowDeviceArray, ArrowSchema, ExportOptions};
use columnade::prelude::*;
use std::error::Error;
use std::ffi::c_int;

/// `TotalsResult` of totals.h.
const TOTALS_OK: c_int = 0;
/// The function does not read the memory of this device.
const TOTALS_DEVICE: c_int = 2;

unsafe extern "C" {
    fn totals(schema: *const ArrowSchema, array: *mut ArrowDeviceArray, totals: *mut f64) -> c_int;
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let frame = df! { "price" => [Some(1.5), None, Some(4.0)], "weight" => [0.25, 0.5, 0.75] }?;

    let found = match totals_of(&frame)? {
        Ok(found) => found,
        Err(TOTALS_DEVICE) => {
            println!("the function reads memory of the host, and the frame is on {}", frame.device());
            totals_of(&frame.to_device(Device::Host)?)?.map_err(|code| format!("totals: error {code}"))?
        }
        Err(code) => return Err(format!("totals: error {code}").into()),
    };
    for (name, total) in frame.columns().iter().zip(found) {
        println!("{name}: {total}");
    }
    Ok(())
}

/// The totals of the frame's columns, or the code that the function returns.
fn totals_of(frame: &DataFrame) -> columnade::Result<std::result::Result<Vec<f64>, c_int>> {
    // The memory stays as it is, and is not spilled, until the array is released.
    let (schema, mut array) = frame.to_arrow_c::<ArrowDeviceArray>(&ExportOptions::default())?;
    let mut found = vec![0.0; frame.columns().len()];
    // SAFETY: both structs are those of one export, and `found` has a value for each column. The function takes what the
    // array holds by releasing it, which it marks; otherwise `array` releases it here.
    let code = unsafe { totals(schema.as_raw(), array.as_mut_ptr(), found.as_mut_ptr()) };
    Ok(if code == TOTALS_OK { Ok(found) } else { Err(code) })
}
