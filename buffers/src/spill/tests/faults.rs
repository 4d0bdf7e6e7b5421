//! Every step of every transition fails once: the result is right or an error with the reason, nothing is
//! lost, nothing is left behind, and the next attempt works.

use super::{assert_accounted, assert_conserved, contents, execs, is_conserved, over, resource};
use crate::owner::deferred_free::{self, Await};
use crate::sync::Arc;
use crate::{
    Buffer, Cause, Device, DeviceLimit, DiskAccess, Error, Exec, MemoryResource, Result, SpillManager, Tier,
    failpoints,
};
use std::time::{Duration, Instant};

/// Buffers before a transition, and their contents.
struct Scene {
    exec: Exec,
    manager: Arc<SpillManager>,
    memory: Arc<dyn MemoryResource>,
    buffers: Vec<Buffer>,
    /// The possible contents of each buffer: the initial ones, or those that the transition writes.
    allowed: Vec<[Vec<u8>; 2]>,
}

const BYTES: usize = 3000;
const PADDED: usize = 3008;
const COUNT: usize = 6;

impl Scene {
    /// Resident buffers, within a limit in bytes.
    fn new(exec: &Exec, limit: usize) -> Self {
        let memory = resource(exec.device());
        let (exec, manager) = over(exec, memory.clone(), |options| {
            options.device_limit = Some(DeviceLimit::Bytes(limit));
            options.pinned_limit = Some(1 << 20);
            options.pageable_limit = Some(1 << 20);
            options.disk_access = DiskAccess::Cached;
        });
        let buffers = super::buffers(COUNT, BYTES, &exec);
        let allowed = (0..COUNT).map(|at| [contents(at, BYTES), contents(at, BYTES)]).collect();
        Self { exec, manager, memory, buffers, allowed }
    }

    /// Declares that the transition writes a buffer.
    fn writes(&mut self, at: usize) -> Vec<u8> {
        let new = contents(at + 100, BYTES);
        self.allowed[at][1].clone_from(&new);
        new
    }

    #[track_caller]
    fn check(&self, what: &str) {
        for (at, (buffer, allowed)) in self.buffers.iter().zip(&self.allowed).enumerate() {
            let found = buffer.to_vec::<u8>(&self.exec).unwrap();
            assert!(allowed.contains(&found), "{what}: buffer {at} was lost");
        }
        assert_eq!(self.manager.usage().pinned, 0, "{what}");
        assert_accounted(&self.manager);
    }
}

/// A preparation without failures, then the transition itself.
type Transition = (&'static str, fn(&mut Scene), fn(&mut Scene) -> Result<()>);

const ROOMY: usize = 1 << 20;

#[rustfmt::skip]
const TRANSITIONS: [Transition; 17] = [
    ("evict", nothing, |scene| {
        scene.buffers[0].spill().map(drop)
    }),
    ("evict with a clean copy", spill_and_return, |scene| {
        scene.buffers[0].spill().map(drop)
    }),
    ("unspill", spill_all, |scene| {
        scene.buffers[0].read(&scene.exec).map(drop)
    }),
    ("go from pinned memory further down", spill_all, |scene| {
        let Scene { buffers, manager, .. } = scene;
        let mut pinned = buffers.iter().filter(|buffer| buffer.tier() == Tier::Pinned);
        pinned.try_for_each(|buffer| buffer.owner().demote(manager, Tier::Pinned, Cause::Overflow).map(drop))
    }),
    ("write what is spilled", spill_all, |scene| {
        let new = scene.writes(1);
        scene.buffers[1].write(&scene.exec)?.copy_from_slice(&new)
    }),
    ("write what has a clean copy", spill_and_return, |scene| {
        let new = scene.writes(1);
        scene.buffers[1].write(&scene.exec)?.copy_from_slice(&new)
    }),
    ("separate resident bytes", nothing, |scene| {
        let new = scene.writes(2);
        let _shared = scene.buffers[2].clone();
        scene.buffers[2].write(&scene.exec)?.copy_from_slice(&new)
    }),
    ("separate what is spilled", spill_all, |scene| {
        if scene.buffers.len() == COUNT {
            scene.buffers.push(scene.buffers[2].clone());
            scene.allowed.push([contents(2, BYTES), contents(2, BYTES)]);
        }
        let new = scene.writes(2);
        scene.buffers[2].write(&scene.exec)?.copy_from_slice(&new)
    }),
    ("access of many", spill_all, |scene| {
        let new = scene.writes(5);
        let Scene { buffers, exec, .. } = scene;
        let (read, written) = buffers.split_at_mut(5);
        let reads: Vec<&Buffer> = read.iter().collect();
        exec.access(&reads, &mut written[..1])?.writes[0].copy_from_slice(&new)
    }),
    ("isolate and use", spill_all, |scene| {
        let part = scene.buffers[3].slice(1001, 500).isolate()?;
        part.read(&scene.exec)?;
        assert!(part.to_vec::<u8>(&scene.exec).map_or(true, |bytes| bytes == contents(3, BYTES)[1001..1501]));
        Ok(())
    }),
    ("assemble on the device", spill_some, |scene| {
        let whole = Buffer::assemble(&scene.buffers[..3], &scene.exec)?;
        assert_assembled(&whole, 3, &scene.exec)
    }),
    ("assemble below", spill_some, |scene| {
        let mut options = scene.manager.options();
        options.device_limit = Some(DeviceLimit::Bytes(2 * PADDED));
        scene.manager.set_options(options)?;
        let whole = Buffer::assemble(&scene.buffers, &scene.exec)?;
        assert_assembled(&whole, COUNT, &scene.exec)
    }),
    ("lease", spill_all, |scene| {
        scene.buffers[0].lease()?.ready().map(drop)
    }),
    ("lease to a writer", spill_and_return, |scene| {
        let exec = scene.exec.clone();
        let _shared = scene.buffers[0].clone();
        scene.buffers[0].lease_mut(&exec)?.ready().map(drop)
    }),
    ("expose", spill_all, |scene| {
        let exec = scene.exec.clone();
        scene.buffers[0].expose(&exec).map(drop)
    }),
    ("reserve", nothing, |scene| {
        let reservation = scene.exec.reserve(ROOMY - 2 * PADDED)?;
        let inside = reservation.exec(&scene.exec);
        Buffer::zeroed(PADDED, &inside)?;
        scene.buffers[0].read(&inside).map(drop)
    }),
    ("allocate what is freed by evicting others", nothing, |scene| {
        let mut options = scene.manager.options();
        options.device_limit = Some(DeviceLimit::Bytes(COUNT * PADDED));
        scene.manager.set_options(options)?;
        let new = Buffer::from_slice(&[1_u8; 3 * PADDED], &scene.exec)?;
        // Copies to other devices and back.
        let host = new.copy_to(&Exec::host())?;
        let back = host.copy_to(&scene.exec)?.to_vec::<u8>(&scene.exec)?;
        assert!(back == [1; 3 * PADDED]);
        Ok(())
    }),
];

fn nothing(_scene: &mut Scene) {}

fn spill_all(scene: &mut Scene) {
    scene.manager.spill_device_memory(usize::MAX);
}

fn spill_some(scene: &mut Scene) {
    for buffer in scene.buffers.iter().step_by(2) {
        assert!(buffer.spill().unwrap());
    }
}

fn spill_and_return(scene: &mut Scene) {
    spill_all(scene);
    for buffer in &scene.buffers {
        drop(buffer.read(&scene.exec).unwrap());
    }
}

fn assert_assembled(whole: &Buffer, count: usize, exec: &Exec) -> Result<()> {
    let expected: Vec<u8> = (0..count).flat_map(|at| contents(at, BYTES)).collect();
    assert!(whole.to_vec::<u8>(exec)? == expected);
    Ok(())
}

/// The errors that an injected failure may cause.
fn is_typed(error: &Error) -> bool {
    matches!(error, Error::OutOfMemory { .. } | Error::Storage { .. } | Error::Device { .. })
}

#[test]
fn failure_at_every_step_of_every_transition_loses_nothing() {
    let (mut injected, mut refused) = (0, 0);
    for exec in execs() {
        for (name, before, transition) in TRANSITIONS {
            for k in (1..).step_by(if cfg!(miri) { 9 } else { 1 }) {
                assert!(k < 200, "{name} on {} has no end", exec.device());
                let what = format!("{name}, step {k}, on {}", exec.device());
                let mut scene = Scene::new(&exec, ROOMY);
                before(&mut scene);
                let armed = failpoints::arm_this_thread(k);
                let result = transition(&mut scene);
                let failed = armed.has_failed();
                drop(armed);
                if let Err(error) = &result {
                    assert!(failed && is_typed(error), "{what}: {error}");
                    refused += 1;
                }
                scene.check(&what);
                // The same again, without failures.
                transition(&mut scene).unwrap_or_else(|error| panic!("{what}, again: {error}"));
                scene.check(&what);
                let Scene { exec, manager, memory, buffers, .. } = scene;
                drop(buffers);
                exec.synchronize().unwrap();
                // The free of exported memory is deferred until the work of all contexts is done, including
                // that of other tests.
                let patience = Instant::now() + Duration::from_mins(2);
                // A thread of another test may free it, which is counted in steps.
                while memory.statistics().unwrap().live > 0 || !is_conserved(&manager) {
                    assert!(Instant::now() < patience, "{what}: memory is left");
                    deferred_free::wait(usize::MAX, Await::Any, exec.device());
                    std::thread::yield_now();
                }
                assert_conserved(&manager);
                if !failed {
                    break;
                }
                injected += 1;
            }
        }
        let least = if cfg!(miri) {
            4
        } else if exec.device() == Device::Host {
            40
        } else {
            80
        };
        assert!(injected >= least, "only {injected} steps failed so far, on {}", exec.device());
    }
    assert!(cfg!(miri) || refused < injected, "what has another way takes it");
}
