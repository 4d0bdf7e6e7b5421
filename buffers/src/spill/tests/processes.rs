//! A process that ends while its spiller thread works.

use std::process::{Command, exit};

use super::resources::{Call, Gate};
use super::{assert_intact, buffers, over, resource};
use crate::{Device, DeviceLimit, Exec, Watermarks};

/// In the process that ends: the device, the way to end, and the folder of the spill files.
const CHILD: &str = "COLUMNADE_TEST_SPILL_CHILD";
const CODE: i32 = 37;

/// Ends this process while the spiller is in the middle of a move, or at any point.
fn end_while_spilling(device: Device, in_a_move: bool, folder: &str) -> ! {
    let exec = Exec::new(device).unwrap();
    let gate = Gate::new(resource(device));
    let (exec, _manager) = over(&exec, gate.clone(), |options| {
        (options.pinned_limit, options.pageable_limit) = (Some(0), Some(0));
        options.folder = Some(folder.into());
        options.device_limit = Some(DeviceLimit::Bytes(8 << 20));
        options.watermarks = Some(Watermarks { start: 50, stop: 1 });
    });
    if in_a_move {
        gate.close_to(Call::Free);
    }
    // Exceeds the watermark but not the limit: only the spiller has work to do.
    let all = buffers(6, 1 << 20, &exec);
    if in_a_move {
        gate.await_call();
    }
    let more = buffers(1, 1 << 20, &exec);
    assert_intact(&more, &exec);
    std::mem::forget((all, more));
    exit(CODE)
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
fn process_ends_cleanly_while_spiller_works() {
    if let Some(child) = std::env::var_os(CHILD) {
        let child = child.into_string().unwrap();
        let [device, how, folder] = child.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        end_while_spilling(device.parse().unwrap(), how == "move", folder);
    }
    let folder = std::env::temp_dir().join(format!("columnade-ending-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for device in Device::available() {
        for how in ["move", "any", "any", "any"] {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "spill::tests::processes::process_ends_cleanly_while_spiller_works"])
                .args(["--nocapture", "--test-threads=1"])
                .env(CHILD, format!("{device} {how} {}", folder.display()))
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(CODE), "{device}, {how}: {:?}: {said}", output.status);
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{device}, {how}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
