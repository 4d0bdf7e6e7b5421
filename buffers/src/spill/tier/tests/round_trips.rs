//! Stored bytes round-trip, through every path.

use super::*;

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn stored_bytes_round_trip() {
    for setting in Setting::all() {
        for tier in setting.lower() {
            for &size in SIZES {
                let bytes = pattern(size);
                let payload = setting.store(tier, &bytes).unwrap();
                assert_eq!((payload.len(), payload.tier()), (size, tier));
                for range in ranges(size) {
                    let expected = &bytes[range.clone()];
                    assert_eq!(
                        setting.loaded(&payload, range.clone()).unwrap(),
                        expected,
                        "{tier} {size} {range:?}"
                    );
                    assert_eq!(
                        setting.read(&payload, range.clone()).unwrap(),
                        expected,
                        "{tier} {size} {range:?}"
                    );
                }
            }
        }
        assert_eq!(setting.used(), [0; 3]);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn unaligned_source_and_target_round_trip() {
    for setting in Setting::all() {
        for tier in setting.lower() {
            let bytes = pattern(3 * BLOCK);
            let buffer = Buffer::from_slice(&bytes, &setting.exec).unwrap();
            let part = 7..2 * BLOCK + 4099;
            let payload = setting.store_buffer(tier, &buffer.slice(part.start, part.len())).unwrap();
            assert_eq!(setting.loaded(&payload, 0..part.len()).unwrap(), bytes[part.clone()]);

            let mut target = Buffer::zeroed(3 * BLOCK, &setting.exec).unwrap();
            let range = 4096..BLOCK + 8192;
            setting.load_into(&mut target, 13, &payload, range.clone()).unwrap();
            let loaded = target.to_vec::<u8>(&setting.exec).unwrap();
            assert_eq!(loaded[13..13 + range.len()], bytes[7..][range.clone()]);
            assert!(loaded[..13].iter().chain(&loaded[13 + range.len()..]).all(|&byte| byte == 0));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn demoted_bytes_are_unchanged() {
    for setting in Setting::all() {
        for &size in SIZES {
            let bytes = pattern(size);
            for from in setting.lower() {
                for to in setting.lower().filter(|&to| to > from) {
                    let higher = setting.store(from, &bytes).unwrap();
                    let lower = setting.tiers.demote(&higher, to).unwrap();
                    assert_eq!(setting.read(&higher, 0..size).unwrap(), bytes, "{from} to {to}, {size}");
                    drop(higher);
                    assert_eq!((lower.len(), lower.tier()), (size, to));
                    assert_eq!(setting.loaded(&lower, 0..size).unwrap(), bytes, "{from} to {to}, {size}");
                }
            }
        }
        assert_eq!(setting.used(), [0; 3]);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn payload_builder_concatenates_parts() {
    for setting in Setting::all() {
        for tier in setting.lower() {
            // The tiers above are full, so the builder uses this one.
            let bound = |above: Tier| Some(if tier > above { 0 } else { 64 * BLOCK });
            let options = TierOptions {
                pinned_limit: bound(Tier::Pinned),
                pageable_limit: bound(Tier::Pageable),
                ..TierOptions::default()
            };
            let setting = Setting::new(setting.exec.device(), &options);
            for &size in SIZES {
                let bytes = pattern(size);
                let lower = setting.store(tier, &bytes).unwrap();
                let buffer = Buffer::from_slice(&bytes, &setting.exec).unwrap();
                let mut builder = setting.tiers.builder(3 * size).unwrap();
                let (head, tail) = (0..size / 3, size / 3..size);
                builder.append_payload(&lower, head.clone()).unwrap();
                builder.append_bytes(&bytes).unwrap();
                setting.append_buffer(&mut builder, &buffer).unwrap();
                builder.append_payload(&lower, tail.clone()).unwrap();
                let payload = builder.finish().unwrap();
                let expected = [&bytes[head], &bytes, &bytes, &bytes[tail]].concat();
                assert!(payload.tier() == tier || size == 0);
                assert_eq!(setting.loaded(&payload, 0..3 * size).unwrap(), expected, "{tier}, {size}");
            }
            assert_eq!(setting.used(), [0; 3]);
        }
    }
}

/// Most of a large part in a file is shared, and stays when the part is dropped. Small parts, and less than half of a part,
/// are copied.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn payload_builder_shares_large_parts_of_files() {
    const LARGE: usize = (300 << 10) + 5;
    let disk = |setting: &Setting| setting.used()[2];
    for setting in Setting::all() {
        let closed = TierOptions { pinned_limit: Some(0), pageable_limit: Some(0), ..TierOptions::default() };
        let setting = Setting::new(setting.exec.device(), &closed);
        let bytes = pattern(2 * LARGE);
        let parts = [0..LARGE, 0..2 * LARGE, 7..2 * LARGE - 9, 0..1000, LARGE..2 * LARGE];
        let payloads = parts.clone().map(|range| setting.store(Tier::Disk, &bytes[range]).unwrap());
        let stored = disk(&setting);
        // Of each part: all, all but the ends, all between other bytes, all of a small one, and a third of a large one.
        let ranges = [0..LARGE, 4097..2 * LARGE - 1, 0..2 * LARGE - 16, 0..1000, 0..LARGE / 3];
        let len = ranges.iter().map(Range::len).sum::<usize>() + 100;
        let (mut builder, mut expected) = (setting.tiers.builder(len).unwrap(), Vec::new());
        for (number, (payload, range)) in payloads.iter().zip(&ranges).enumerate() {
            if number == 2 {
                builder.append_bytes(&bytes[..100]).unwrap();
                expected.extend_from_slice(&bytes[..100]);
            }
            builder.append_payload(payload, range.clone()).unwrap();
            let start = parts[number].start;
            expected.extend_from_slice(&bytes[start + range.start..start + range.end]);
        }
        let whole = builder.finish().unwrap();
        assert!(
            disk(&setting) < stored + 2 * LARGE / 3,
            "{} of {stored} bytes were copied",
            disk(&setting) - stored
        );
        drop(payloads);
        assert!(disk(&setting) >= 5 * LARGE - (64 << 10), "shared bytes are kept");
        for range in ranges_of(len) {
            assert_eq!(setting.read(&whole, range.clone()).unwrap(), expected[range.clone()], "{range:?}");
            assert_eq!(setting.loaded(&whole, range.clone()).unwrap(), expected[range.clone()], "{range:?}");
        }
        // Segments are shared again.
        let mut builder = setting.tiers.builder(len).unwrap();
        builder.append_payload(&whole, 0..len).unwrap();
        let again = builder.finish().unwrap();
        drop(whole);
        assert_eq!(setting.loaded(&again, 0..len).unwrap(), expected);
        drop(again);
        assert_eq!(setting.used(), [0; 3]);
    }
}

/// Ranges of `len` bytes, also some across the ends of segments.
fn ranges_of(len: usize) -> Vec<Range<usize>> {
    let across = (0..len).step_by(100_000).map(|at| at..len.min(at + 150_001));
    ranges(len).into_iter().chain(across).collect()
}

/// A builder that is dropped, and tiers that are dropped before their payloads.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn dropped_builder_and_tiers_release_their_memory() {
    for setting in Setting::all() {
        // More than is buffered before a file is written.
        const BYTES: usize = (4 << 20) + BLOCK + 3;
        let mut builder = setting.tiers.builder(2 * BYTES).unwrap();
        builder.append_bytes(&pattern(BYTES)).unwrap();
        assert_ne!(setting.used(), [0; 3]);
        drop(builder);
        assert_eq!(setting.used(), [0; 3]);
        let bytes = pattern(3 * BLOCK);
        let payloads: Vec<_> = setting.lower().map(|tier| setting.store(tier, &bytes).unwrap()).collect();
        let Setting { exec, tiers } = setting;
        drop(tiers);
        let other = Setting::new(exec.device(), &TierOptions::default());
        for payload in &payloads {
            assert_eq!(other.read(payload, 0..bytes.len()).unwrap(), bytes);
        }
    }
}

/// Concurrent threads store, load and drop: each finds its own bytes.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn concurrent_threads_share_the_tiers() {
    for setting in Setting::all() {
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let setting =
                    Setting { exec: setting.exec.with_new_stream().unwrap(), tiers: setting.tiers.clone() };
                scope.spawn(move || {
                    for round in 0..12 {
                        let len = (thread * 77_773 + round * 40_009) % (4 * BLOCK);
                        let bytes: Vec<u8> =
                            pattern(len).iter().map(|byte| byte ^ u8::try_from(thread).unwrap()).collect();
                        let payloads: Vec<_> =
                            setting.lower().map(|tier| setting.store(tier, &bytes).unwrap()).collect();
                        for payload in payloads {
                            let loaded = setting.load(&payload, 0..len).unwrap();
                            drop(payload);
                            assert_eq!(loaded.to_vec::<u8>(&setting.exec).unwrap(), bytes);
                        }
                    }
                });
            }
        });
        assert_eq!(setting.used(), [0; 3]);
    }
}
