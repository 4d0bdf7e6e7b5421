//! A resource that panics in the middle of a move: the bytes are at their old or their new place.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::resources::{Call, Panicking};
use super::{assert_intact, buffers, execs, over, resource, spilled};
use crate::{Buffer, DeviceLimit, Exec};

/// An operation that moves bytes.
type Step = fn(&[Buffer], &Exec);

const STEPS: [(&str, Call, Step); 5] = [
    ("unspill", Call::Allocate, |all, exec| drop(all[0].read(exec).unwrap())),
    ("unspill in place of another", Call::Free, |all, exec| drop(all[1].read(exec).unwrap())),
    ("unspill to be written", Call::Allocate, |all, exec| {
        drop(all[2].clone().write(exec).unwrap());
    }),
    ("leaving", Call::Free, |all, _| all.iter().for_each(|buffer| _ = buffer.spill().unwrap())),
    ("leaving for another", Call::Free, |_, exec| drop(Buffer::zeroed(3000, exec).unwrap())),
];

#[test]
fn panic_in_a_move_loses_nothing() {
    for exec in execs() {
        for (what, call, step) in STEPS {
            let panicking = Panicking::new(resource(exec.device()));
            let (exec, manager) = over(&exec, panicking.clone(), |options| {
                options.device_limit = Some(DeviceLimit::Bytes(4 << 10));
            });
            // The first buffers are spilled for the last ones.
            let all = buffers(8, 1000, &exec);
            assert_eq!(spilled(&all).len(), 4, "{what}");
            panicking.panic_in(call);
            let ended = catch_unwind(AssertUnwindSafe(|| step(&all, &exec)));
            assert!(ended.is_err() && panicking.has_panicked(), "{what} on {}", exec.device());
            let usage = manager.usage();
            assert_eq!(usage.unmanaged, 0, "{what} on {}: {usage:?}", exec.device());
            // The same again, and all other operations.
            step(&all, &exec);
            assert_intact(&all, &exec);
            manager.spill_to_device_limit(0);
            assert_eq!(spilled(&all).len(), all.len(), "{what} on {}", exec.device());
            assert_intact(&all, &exec);
            // Nothing stays claimed or allocated, here or in the upstream.
            drop(exec.reserve(4 << 10).unwrap());
            drop(all);
            let usage = manager.usage();
            assert!(
                usage.tiers.iter().all(|(_, tier)| tier.bytes == 0),
                "{what} on {}: {usage:?}",
                exec.device()
            );
        }
    }
}
