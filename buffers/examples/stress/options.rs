//! The command line, and the spill options that a run changes between.

use std::time::Duration;

use columnade_buffers::{Device, DeviceLimit, DiskAccess, SpillOptions, StatisticsLevel, Watermarks};

pub(crate) struct Options {
    pub(crate) threads: usize,
    pub(crate) duration: Duration,
    pub(crate) seed: u64,
    pub(crate) devices: Vec<Device>,
    /// How long one operation of a thread may take before it counts as a deadlock.
    pub(crate) patience: Duration,
}

impl Options {
    pub(crate) fn from_arguments() -> Result<Self, String> {
        let mut options = Self {
            threads: 8,
            duration: Duration::from_secs(10),
            seed: 1,
            devices: Device::available(),
            patience: Duration::from_secs(30),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{name}: {value} is no number"));
            match name.as_str() {
                "--threads" => options.threads = usize::try_from(number()?).unwrap_or(usize::MAX).max(1),
                "--seconds" => options.duration = Duration::from_secs(number()?),
                "--patience" => options.patience = Duration::from_secs(number()?),
                "--seed" => options.seed = number()?,
                "--device" if value == "all" => {}
                "--device" => {
                    options.devices =
                        vec![value.parse::<Device>().map_err(|error| format!("--device: {error}"))?];
                }
                _ => {
                    return Err(format!(
                        "{name}: expected --threads, --seconds, --seed, --device or --patience"
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// Spill options to change between: limits from generous to far too small, with watermarks and without.
pub(crate) fn spilling(choice: u64) -> SpillOptions {
    let limits = [256 << 10, 96 << 10, 512 << 10, 160 << 10];
    // Whole blocks of 1 MiB.
    let memories = [1 << 20, 2 << 20, 0, 3 << 20];
    let pick = |values: [usize; 4], shift: u64| values[crate::random::below(choice >> shift, 4)];
    let watermarks = (choice >> 6 & 7 == 1).then_some(Watermarks { start: 90, stop: 60 });
    SpillOptions {
        spill: true,
        device_limit: Some(DeviceLimit::Bytes(pick(limits, 0))),
        // Always on; otherwise the bytes would not add up at the end.
        statistics: if choice >> 9 & 1 == 0 { StatisticsLevel::Spills } else { StatisticsLevel::Exposures },
        copy_on_write: choice >> 10 & 3 != 3,
        watermarks,
        pinned_limit: Some(pick(memories, 2)),
        pageable_limit: Some(pick(memories, 4)),
        disk_access: if choice >> 12 & 7 == 7 { DiskAccess::Direct } else { DiskAccess::Cached },
        ..SpillOptions::default()
    }
}
