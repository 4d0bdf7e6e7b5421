//! The lower tiers of a manager.

use std::sync::OnceLock;
use std::time::Instant;

use super::tier_full::TierFullBackoff;
use super::{Payload, PayloadBuilder, TierOptions, Tiers};
use crate::stripes::own_stripe;
use crate::sync::Arc;
use crate::sync::global::Mutex;
use crate::{Device, Error, Result, Stream, Tier};

/// Stores payloads in the fastest lower tier that accepts them, and remembers if none does.
pub(super) struct TierStore {
    device: Device,
    tiers: Tiers,
    full: TierFullBackoff,
    /// The error of the last refusal, for the report.
    refused: Mutex<Option<Error>>,
    /// Streams for copies to lower tiers: several, because each copy waits for the work queued before it.
    down: [OnceLock<Stream>; DOWN_STREAMS],
    /// The stream for background unspilling.
    up: OnceLock<Stream>,
}

/// More streams are not faster.
const DOWN_STREAMS: usize = 4;

impl TierStore {
    pub(super) fn new(device: Device, options: &TierOptions) -> Self {
        Self {
            device,
            tiers: Tiers::new(device, options),
            full: TierFullBackoff::default(),
            refused: Mutex::new(None),
            down: [const { OnceLock::new() }; DOWN_STREAMS],
            up: OnceLock::new(),
        }
    }

    pub(super) fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    pub(super) fn set_options(&self, options: &TierOptions) -> Result<()> {
        self.tiers.set_options(options)?;
        self.retry_full();
        Ok(())
    }

    /// The stream of this thread for copies to lower tiers.
    pub(super) fn down_stream(&self) -> Result<&Stream> {
        self.stream(&self.down[own_stripe() % DOWN_STREAMS])
    }

    pub(super) fn up_stream(&self) -> Result<&Stream> {
        self.stream(&self.up)
    }

    fn stream<'a>(&self, place: &'a OnceLock<Stream>) -> Result<&'a Stream> {
        if place.get().is_none() {
            // If two threads make one at once, the first is kept.
            let _ = place.set(Stream::new(self.device)?);
        }
        place.get().ok_or(Error::NoDevice { device: self.device, reason: "no stream".to_owned() })
    }

    /// The size from which on the tiers refused allocations lately.
    pub(super) fn refused_from(&self) -> Option<usize> {
        self.full.least(self.used(), Instant::now())
    }

    /// Whether the tiers refused allocations of some size lately, or can never take any.
    pub(super) fn is_full(&self) -> bool {
        self.tiers.are_closed() || self.refused_from().is_some()
    }

    /// The error of the last tier, if it refused an allocation lately; `again`: if it did so at least twice.
    pub(super) fn refusal(&self, again: bool) -> Option<Box<Error>> {
        self.full.reason(self.used(), again, Instant::now()).map(Box::new)
    }

    /// Makes the next payload try the tiers again: they may have free memory.
    pub(super) fn retry_full(&self) {
        self.full.forget();
    }

    /// The error of the last refusal so far.
    pub(super) fn last_refusal(&self) -> Option<Error> {
        self.refused.lock().clone()
    }

    fn note_full(&self, bytes: usize, error: &Error) {
        *self.refused.lock() = Some(error.clone());
        self.full.note(bytes, error, self.used(), Instant::now());
    }

    fn used(&self) -> usize {
        Tier::ALL.into_iter().map(|tier| self.tiers.used(tier)).sum()
    }

    /// Stores a payload of `bytes` bytes with `store` in the fastest tier from `first` on that takes it. `make_space` frees
    /// memory of a tier and says whether there was any to free.
    pub(super) fn store(
        &self,
        first: Tier,
        bytes: usize,
        mut store: impl FnMut(Tier) -> Result<Arc<Payload>>,
        make_space: impl Fn(Tier, usize) -> bool,
    ) -> Result<Arc<Payload>> {
        let mut last = None;
        for tier in [Tier::Pinned, Tier::Pageable, Tier::Disk] {
            if tier < first || !self.tiers.has(tier) {
                continue;
            }
            if !self.tiers.has_space(tier, bytes) {
                make_space(tier, bytes);
            }
            loop {
                match store(tier) {
                    Ok(payload) => {
                        self.full.took(bytes);
                        return Ok(payload);
                    }
                    Err(error) => last = Some(error),
                }
                // A disk may be full before its limit is reached, which shows when it is written to.
                if self.tiers.has_space(tier, bytes) || !make_space(tier, bytes) {
                    break;
                }
            }
        }
        let error = last.unwrap_or_else(|| Error::Storage {
            tier: Tier::Disk,
            operation: "reserve",
            bytes,
            reason: "there is no lower tier".to_owned(),
        });
        self.note_full(bytes, &error);
        Err(error)
    }

    /// An empty payload of `len` bytes in the fastest tier with space; `make_space` as of [`store`](Self::store).
    pub(super) fn builder(
        &self,
        len: usize,
        make_space: impl Fn(Tier, usize) -> bool,
    ) -> Result<PayloadBuilder> {
        let built = self.tiers.builder(len).or_else(|_| {
            make_space(Tier::Disk, len);
            self.tiers.builder(len)
        });
        built.inspect_err(|error| self.note_full(len, error))
    }
}
