//! All lower tiers of one device.

use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;

use super::blocks::{BlockPool, Geometry, SharedPool};
use super::bounce::BouncePool;
use super::builder::PayloadBuilder;
use super::disk::Disk;
use super::movers::Movers;
use super::moves::{DeviceBytes, Mover};
use super::options::{DiskAccess, TierOptions};
use super::slot::{HostBytes, Slot};
use super::{Payload, Tier};
use crate::sync::Arc;
use crate::{Device, Error, Result, Stream, TierUsage};

/// Bytes of a bounce block.
const BOUNCE_BYTES: usize = 4 << 20;

/// The lower tiers of one device: page-locked and other host memory, and the disk. The host has only the
/// disk.
///
/// Clones are the same tiers. No call holds a lock while it copies, allocates or does file I/O. Calls wait
/// only for events of the stream that they are passed and for the tiers' own threads, never for anything that
/// a caller may hold.
#[derive(Clone)]
pub(crate) struct Tiers {
    device: Device,
    /// `None` for the host.
    pinned: Option<Arc<SharedPool>>,
    pageable: Option<Arc<SharedPool>>,
    disk: Arc<Disk>,
    mover: Mover,
}

impl Tiers {
    /// The lower tiers of `device`. No memory is allocated before it is used.
    pub(crate) fn new(device: Device, options: &TierOptions) -> Self {
        Self::with_geometry(device, options, Geometry::default(), BOUNCE_BYTES)
    }

    /// Like [`new`](Self::new), with other sizes.
    pub(super) fn with_geometry(
        device: Device,
        options: &TierOptions,
        geometry: Geometry,
        bounce: usize,
    ) -> Self {
        let pool = |tier, limit| {
            // The host has no other memory, but the explorer of schedules needs moves between tiers.
            let is_there = device != Device::Host || cfg!(shuttle) && tier == Tier::Pageable;
            is_there.then(|| Arc::new(SharedPool::new(BlockPool::new(tier, device, geometry, limit))))
        };
        let movers = Arc::new(Movers::default());
        Self {
            device,
            pinned: pool(Tier::Pinned, options.pinned()),
            pageable: pool(Tier::Pageable, options.pageable()),
            disk: Arc::new(Disk::new(
                Arc::clone(&movers),
                options.folder(),
                options.disk_access,
                options.disk_limit,
            )),
            mover: Mover { bounce: Arc::new(BouncePool::new(device, bounce)), movers },
        }
    }

    /// Starts allocating the pinned tier's first arena in the background.
    pub(crate) fn prepare(&self) {
        if let Some(pinned) = &self.pinned {
            pinned.prepare();
        }
    }

    /// Changes limits and folders. Stored bytes stay where they are, beyond a limit if necessary.
    ///
    /// # Errors
    ///
    /// [`Error::NotImplemented`], [`Error::Option`]; nothing is changed then.
    pub(crate) fn set_options(&self, options: &TierOptions) -> Result<()> {
        options.check()?;
        for (pool, limit) in [(&self.pinned, options.pinned()), (&self.pageable, options.pageable())] {
            if let Some(pool) = pool {
                pool.set_limit(limit);
            }
        }
        self.disk.set(options.folder(), options.disk_access, options.disk_limit);
        Ok(())
    }

    /// Copies `len` bytes at `source`, memory of the device, to `tier`, in the order of `stream`; complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`] if the tier is full or cannot be written, [`Error::Device`]; nothing is kept then.
    ///
    /// # Safety
    ///
    /// The bytes are readable by work queued on `stream`, a stream of the device, and not written until this
    /// returns.
    pub(crate) unsafe fn store(
        &self,
        tier: Tier,
        source: NonNull<u8>,
        len: usize,
        stream: &Stream,
    ) -> Result<Arc<Payload>> {
        let slot = Arc::new(self.reserve(tier, len)?);
        let bytes = DeviceBytes { address: source, stream };
        match (tier, self.device) {
            // SAFETY: the caller's promise; host memory needs no stream.
            (_, Device::Host) => unsafe {
                self.mover.host_to_slot(&HostBytes::Memory(source), &slot, len)?;
            },
            // SAFETY: the caller's promise; the slot is new.
            (Tier::Pinned, _) => unsafe { Mover::device_to_pinned(bytes, &slot, 0, len)? },
            // SAFETY: the caller's promise; the slot is new.
            _ => unsafe { self.mover.device_to_slot(bytes, &slot, len)? },
        }
        Ok(Payload::new(len, tier, slot))
    }

    /// Copies `range` of the payload to `target`, memory of the device, for work queued on `stream` from now
    /// on.
    ///
    /// From pinned memory the host does not wait. From other tiers the bytes pass through page-locked blocks;
    /// the host waits until they are there.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`], [`Error::Device`]. Copies of a part may then be queued on `stream`; the payload is
    /// unchanged.
    ///
    /// # Panics
    ///
    /// If the range is not within the payload.
    ///
    /// # Safety
    ///
    /// `target` is writable by work queued on `stream`, a stream of the device, for as many bytes as the
    /// range has, and nothing else uses them until that work has run.
    pub(crate) unsafe fn load(
        &self,
        payload: &Payload,
        range: Range<usize>,
        target: NonNull<u8>,
        stream: &Stream,
    ) -> Result<()> {
        require_within(payload, &range);
        let slot = payload.slot();
        let bytes = DeviceBytes { address: target, stream };
        match (payload.tier(), self.device) {
            // SAFETY: the caller's promise; host memory needs no stream.
            (_, Device::Host) => unsafe { self.mover.slot_to_host(slot, range, &HostBytes::Memory(target)) },
            // SAFETY: the caller's promise; a payload's bytes are never written.
            (Tier::Pinned, _) => unsafe { Mover::pinned_to_device(slot, range, bytes) },
            // SAFETY: the caller's promise; a payload's bytes are never written.
            _ => unsafe { self.mover.feed(slot, range, bytes) },
        }
    }

    /// Reads bytes of the payload from `offset` on to the host; complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`].
    ///
    /// # Panics
    ///
    /// If the range is not within the payload.
    pub(crate) fn read(&self, payload: &Payload, offset: usize, target: &mut [u8]) -> Result<()> {
        let range = offset..offset + target.len();
        require_within(payload, &range);
        let target = HostBytes::Memory(NonNull::from(target).cast());
        // SAFETY: the target is borrowed mutably until this returns; a payload's bytes are never written.
        unsafe { self.mover.slot_to_host(payload.slot(), range, &target) }
    }

    /// Copies a payload in host memory to a lower tier.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`]; nothing is kept then.
    ///
    /// # Panics
    ///
    /// If `tier` is not lower than the payload's.
    pub(crate) fn demote(&self, payload: &Payload, tier: Tier) -> Result<Arc<Payload>> {
        assert!(tier > payload.tier(), "{tier} is not lower than {}", payload.tier());
        let slot = Arc::new(self.reserve(tier, payload.len())?);
        let source = HostBytes::Slot(Arc::clone(payload.slot()));
        // SAFETY: a payload's bytes are never written; the slot is new.
        unsafe { self.mover.host_to_slot(&source, &slot, payload.len())? };
        Ok(Payload::new(payload.len(), tier, slot))
    }

    /// Begins a payload of `len` bytes, in the first tier with enough space.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`] of the last tier, if no tier has enough space.
    pub(crate) fn builder(&self, len: usize) -> Result<PayloadBuilder> {
        let mut refused = None;
        for tier in [Tier::Pinned, Tier::Pageable, Tier::Disk] {
            // Extents are reserved as they are filled, since a payload may share those of its parts.
            let slot = match tier {
                Tier::Disk if len > 0 => self.disk.admit(len).map(|()| Slot::Segments(Vec::new())),
                _ => self.reserve(tier, len),
            };
            match slot {
                Ok(slot) => return Ok(PayloadBuilder::new(self.clone(), tier, slot, len)),
                Err(error) => refused = Some(error),
            }
        }
        Err(refused.unwrap_or_else(|| self.missing(Tier::Disk, len)))
    }

    /// Bytes in use of a tier; zero for the device.
    pub(crate) fn usage(&self, tier: Tier) -> TierUsage {
        match tier {
            Tier::Disk => self.disk.usage(),
            _ => self.pool(tier).map_or_else(TierUsage::default, |pool| pool.usage()),
        }
    }

    /// Bytes in use of a tier, without a lock; zero for the device.
    pub(crate) fn used(&self, tier: Tier) -> usize {
        match tier {
            Tier::Disk => self.disk.used(),
            _ => self.pool(tier).map_or(0, |pool| pool.used()),
        }
    }

    /// Whether the device has this lower tier.
    pub(crate) fn has(&self, tier: Tier) -> bool {
        tier == Tier::Disk || self.pool(tier).is_some()
    }

    /// Whether a tier's limit allows `bytes` more bytes. Other threads or a full disk may make this wrong.
    pub(crate) fn has_space(&self, tier: Tier, bytes: usize) -> bool {
        match tier {
            Tier::Disk => self.disk.has_space(bytes),
            _ => self.pool(tier).is_some_and(|pool| pool.has_space(bytes)),
        }
    }

    /// Whether the limits of all tiers are used up.
    pub(crate) fn are_closed(&self) -> bool {
        let mut tiers = [Tier::Pinned, Tier::Pageable, Tier::Disk].into_iter().filter(|&tier| self.has(tier));
        tiers.all(|tier| self.usage(tier).limit == Some(0))
    }

    /// How spill files are accessed, which differs from the option if the folder does not support it; `None`
    /// before the first.
    pub(crate) fn disk_access(&self) -> Option<DiskAccess> {
        self.disk.access()
    }

    /// Bytes of pinned memory allocated from the system.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(super) fn pinned_held(&self) -> usize {
        self.pinned.as_ref().map_or(0, |pinned| pinned.held())
    }

    /// Waits until freed disk space is available again.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(super) fn await_holes(&self) {
        self.disk.await_holes();
    }

    pub(super) fn mover(&self) -> &Mover {
        &self.mover
    }

    fn pool(&self, tier: Tier) -> Option<&Arc<SharedPool>> {
        match tier {
            Tier::Pinned => self.pinned.as_ref(),
            Tier::Pageable => self.pageable.as_ref(),
            Tier::Device | Tier::Disk => None,
        }
    }

    pub(super) fn reserve(&self, tier: Tier, len: usize) -> Result<Slot> {
        match tier {
            _ if len == 0 && tier != Tier::Device => Ok(Slot::Empty),
            Tier::Disk => self.disk.reserve(len).map(Slot::Extent),
            _ => {
                let pool = self.pool(tier).ok_or_else(|| self.missing(tier, len))?;
                pool.reserve(len).map(Slot::Blocks)
            }
        }
    }

    fn missing(&self, tier: Tier, bytes: usize) -> Error {
        let reason = format!("{} has no such lower tier", self.device);
        Error::Storage { tier, operation: "reserve", bytes, reason }
    }
}

impl fmt::Debug for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Tiers");
        f.field("device", &self.device);
        for tier in [Tier::Pinned, Tier::Pageable, Tier::Disk] {
            f.field(&tier.to_string(), &self.usage(tier));
        }
        f.finish_non_exhaustive()
    }
}

fn require_within(payload: &Payload, range: &Range<usize>) {
    assert!(
        range.start <= range.end && range.end <= payload.len(),
        "bytes {range:?} of a payload of {}",
        payload.len()
    );
}
