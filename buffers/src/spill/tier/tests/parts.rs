//! Parts that need no device.

use super::*;
use crate::spill::tier::extents::Extents;
use crate::spill::tier::movers::Movers;
use crate::spill::tier::slot::{TransferChunk, chunk_size, chunks};
use crate::{DiskAccess, Error};

#[test]
fn freed_extents_are_reused() {
    let mut extents = Extents::default();
    assert_eq!([extents.take(10), extents.take(20), extents.take(30)], [0, 10, 30]);
    extents.put_back(10, 20);
    assert_eq!(extents.take(5), 10);
    assert_eq!(extents.take(16), 60);
    extents.put_back(0, 10);
    extents.put_back(10, 5);
    assert_eq!(extents.take(30), 0, "free neighbours are one");
    extents.put_back(60, 16);
    extents.put_back(30, 30);
    assert_eq!(extents.take(100), 30, "the end moves back");
    extents.put_back(0, 30);
    extents.put_back(30, 100);
    assert_eq!((extents.idle(), extents.take(1)), (Some(130), 0));
    assert_eq!(extents.idle(), None, "a stretch is in use");
    extents.put_back(0, 1);
    extents.restart();
    assert_eq!((extents.idle(), extents.take(1)), (Some(0), 0));
}

#[test]
fn chunks_cover_a_range_exactly_once() {
    for grain in [1, 16] {
        for range in [0..0, 0..1, 5..6, 0..64, 0..65, 7..200, 64..128, 15..17] {
            let mut next = range.start;
            for TransferChunk { at, bytes, skip, len, offset } in chunks(range.clone(), grain, 64) {
                assert_eq!((at + skip, offset), (next, next - range.start));
                assert!(at.is_multiple_of(grain) && bytes.is_multiple_of(grain) && bytes <= 64 && len > 0);
                assert!(skip < grain && skip + len <= bytes && bytes - skip - len < grain);
                next += len;
            }
            assert_eq!(next, range.end);
        }
    }
    assert_eq!((chunk_size(1, 4 << 20), chunk_size(1 << 30, 4 << 20)), (256 << 10, 4 << 20));
    assert_eq!(chunk_size(1 << 30, 4096), 4096);
}

#[test]
fn dropped_pending_waits_for_its_job() {
    let movers = Movers::default();
    let lane = movers.lane(1 << 30);
    let pending: Vec<_> = (0..100).map(|job| lane.run(move || Ok(job * 2))).collect();
    for (job, pending) in pending.into_iter().enumerate() {
        assert_eq!(pending.wait(), Ok(job * 2));
    }
    let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = Arc::clone(&done);
    drop(lane.run(move || {
        std::thread::sleep(std::time::Duration::from_millis(10));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }));
    assert!(done.load(std::sync::atomic::Ordering::Relaxed));
    let failure = Error::NotImplemented { feature: "this" };
    let expected = Err(failure.clone());
    assert_eq!(lane.run(move || Err::<(), _>(failure)).wait(), expected);
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn unsupported_options_are_errors() {
    let tiers = Tiers::new(Device::Host, &TierOptions::default());
    let gpu = TierOptions { disk_access: DiskAccess::GpuDirect, ..TierOptions::default() };
    let error = tiers.set_options(&gpu).unwrap_err();
    assert!(matches!(error, Error::NotImplemented { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "COLUMNADE_SPILL_DISK_ACCESS=gpu-direct (GPU Direct Storage) is not implemented"
    );
    assert_eq!(gpu.check(), Err(error.clone()));
    assert_eq!(Tiers::new(Device::Host, &gpu).builder(1).map(drop), Err(error));
    let nowhere = TierOptions { folder: Some("/no/such/folder".into()), ..TierOptions::default() };
    let error = tiers.set_options(&nowhere).unwrap_err();
    assert!(matches!(error, Error::Option { variable: "COLUMNADE_SPILL_FOLDER", .. }), "{error}");
    let error = Tiers::new(Device::Host, &nowhere).builder(1).map(drop).unwrap_err();
    assert!(matches!(error, Error::Storage { tier: Tier::Disk, operation: "create", .. }), "{error}");
}

#[test]
fn host_has_only_the_disk_tier() {
    let tiers = Tiers::new(Device::Host, &TierOptions::default());
    for tier in [Tier::Device, Tier::Pinned, Tier::Pageable] {
        assert!(!tiers.has_space(tier, 1));
        assert_eq!(tiers.usage(tier), crate::TierUsage::default());
        // SAFETY: one byte, which is always valid.
        let stored = unsafe { tiers.store(tier, NonNull::from(&1_u8), 1, Exec::host().stream()) };
        assert!(
            matches!(stored, Err(Error::Storage { tier: named, operation: "reserve", .. }) if named == tier)
        );
    }
    assert!(tiers.has_space(Tier::Disk, usize::MAX));
}
