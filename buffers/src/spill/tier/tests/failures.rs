//! Failing steps and full tiers: an error, and nothing is lost.

use super::*;
use crate::{DiskAccess, Error, failpoints};

/// All operations that move bytes, in sequence. Every result is checked, so an injected failure ends it.
fn move_about(setting: &Setting, bytes: &[u8]) -> Result<()> {
    let len = bytes.len();
    let check = |found: Vec<u8>| assert_eq!(found, bytes, "wrong bytes, and no error");
    let buffer = Buffer::from_slice(bytes, &setting.exec)?;
    let first = setting.lower().next().unwrap();
    let mut payload = setting.store_buffer(first, &buffer)?;
    let mut builder = setting.tiers.builder(2 * len)?;
    loop {
        check(setting.loaded(&payload, 0..len)?);
        check(setting.read(&payload, 0..len)?);
        let Some(next) = setting.lower().find(|&tier| tier > payload.tier()) else { break };
        let demoted = setting.tiers.demote(&payload, next);
        check(setting.read_quietly(&payload, demoted.is_err()).unwrap_or_else(|| bytes.to_vec()));
        payload = demoted?;
    }
    builder.append_payload(&payload, 0..len)?;
    setting.append_buffer(&mut builder, &buffer)?;
    let built = builder.finish()?;
    let stored = setting.store_buffer(Tier::Disk, &buffer)?;
    check(setting.read(&stored, 0..len)?);
    check(setting.read(&built, len..2 * len)?);
    Ok(())
}

impl Setting {
    /// Reads what is stored after a failed move: only one step is armed, so this read does not fail.
    fn read_quietly(&self, payload: &Payload, failed: bool) -> Option<Vec<u8>> {
        failed.then(|| self.read(payload, 0..payload.len()).unwrap())
    }
}

/// Creating a spill file is a step of its own, and creating the first one is retried after a failure.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn failure_to_create_spill_file_is_storage_error() {
    let setting = Setting::new(Device::Host, &TierOptions::default());
    let buffer = Buffer::from_slice(&pattern(BLOCK), &setting.exec).unwrap();
    let mut operations = Vec::new();
    for k in 1.. {
        let armed = failpoints::arm_this_thread(k);
        let stored = setting.store_buffer(Tier::Disk, &buffer);
        let failed = armed.has_failed();
        drop(armed);
        match stored {
            Err(Error::Storage { tier: Tier::Disk, operation, .. }) => operations.push(operation),
            Err(error) => panic!("{error}"),
            Ok(_) if failed => operations.push("made good"),
            Ok(_) => break,
        }
    }
    assert_eq!(operations, ["reserve", "create", "write"]);
    assert!(setting.tiers.disk_access().is_some());
    assert_eq!(setting.used(), [0; 3]);
}

/// Steps are counted on the thread that requests a move, whichever thread does the work.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn kth_tier_failure_loses_nothing() {
    for device in Device::available() {
        for size in [4097, 3 * BLOCK + 3] {
            let bytes = pattern(size);
            for k in 1.. {
                // New tiers each time, because they keep what they have made.
                let setting = Setting::new(device, &TierOptions::default());
                let armed = failpoints::arm_this_thread(k);
                let result = move_about(&setting, &bytes);
                let (failed, counted) = (armed.has_failed(), armed.counted());
                drop(armed);
                assert_eq!(setting.used(), [0; 3], "leaked at k = {k} on {device}");
                // A failure may also be recovered: if one tier is full, the next one is used.
                assert!(result.is_ok() || failed, "k = {k} on {device}: {result:?}");
                if !failed {
                    assert!(counted >= 6, "only {counted} steps on {device}");
                    break;
                }
                // Everything works after a failure.
                move_about(&setting, &bytes).unwrap();
                assert_eq!(setting.used(), [0; 3]);
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn full_tier_refuses_and_keeps_stored_bytes() {
    for device in Device::available() {
        let bound = Some(2 * BLOCK);
        let options = TierOptions {
            pinned_limit: bound,
            pageable_limit: bound,
            disk_limit: bound,
            ..TierOptions::default()
        };
        let setting = Setting::new(device, &options);
        let bytes = pattern(BLOCK + 1);
        let lower: Vec<_> = setting.lower().collect();
        let stored: Vec<_> = lower.iter().map(|&tier| setting.store(tier, &bytes).unwrap()).collect();
        for (&tier, payload) in lower.iter().zip(&stored) {
            assert!(!setting.tiers.has_space(tier, BLOCK) && setting.tiers.has_space(tier, 1));
            let error = setting.store(tier, &bytes).unwrap_err();
            let Error::Storage { tier: named, operation, .. } = &error else { panic!("{error}") };
            assert_eq!((*named, *operation), (tier, "reserve"));
            assert_eq!(setting.loaded(payload, 0..bytes.len()).unwrap(), bytes);
            let usage = setting.tiers.usage(tier);
            assert!(usage.limit == bound && usage.peak <= 2 * BLOCK && usage.bytes > BLOCK, "{usage:?}");
        }
        assert!(setting.tiers.builder(BLOCK).is_err());
        let limits = TierOptions { disk_limit: Some(4 * BLOCK), ..options };
        setting.tiers.set_options(&limits).unwrap();
        drop(setting.tiers.builder(BLOCK).unwrap());
        drop(stored);
        assert_eq!(setting.used(), [0; 3]);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn folder_and_access_change_while_bytes_are_stored() {
    for setting in Setting::all() {
        let bytes = pattern(3 * BLOCK);
        let stored = setting.store(Tier::Disk, &bytes).unwrap();
        assert!(matches!(setting.tiers.disk_access(), Some(DiskAccess::Direct | DiskAccess::Cached)));
        let folder = std::env::temp_dir().join(format!("columnade-tier-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let options = TierOptions {
            folder: Some(folder.clone()),
            disk_access: DiskAccess::Cached,
            ..TierOptions::default()
        };
        setting.tiers.set_options(&options).unwrap();
        let other = setting.store(Tier::Disk, &bytes).unwrap();
        assert_eq!(setting.tiers.disk_access(), Some(DiskAccess::Cached));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "the file has no name");
        std::fs::remove_dir(&folder).unwrap();
        for payload in [&stored, &other] {
            assert_eq!(setting.loaded(payload, 0..bytes.len()).unwrap(), bytes);
        }
    }
}
