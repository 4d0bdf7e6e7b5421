//! Pins and exposures by call site.

use std::collections::HashMap;
use std::panic::Location;

use crate::stripes::{Padded, STRIPES, own_stripe};
use crate::sync::global::Mutex;

use super::numbers::ByNumber;
use super::snapshot::{Amount, ExposureSite, PinSite};

/// Counts by the address of a call site. One site may have several addresses, which are merged when read.
type Sites<T> = ByNumber<(&'static Location<'static>, T)>;

#[derive(Debug, Default)]
struct Exposed {
    amount: Amount,
    spilled: u64,
}

/// The counts of one shard. A guard may be dropped by another thread than the one that took it, so the held
/// counts may be negative here.
#[derive(Clone, Copy, Debug, Default)]
struct Pinned {
    taken: Amount,
    guards: i64,
    bytes: i64,
}

#[derive(Debug, Default)]
pub(super) struct CallSites {
    exposures: Mutex<Sites<Exposed>>,
    /// Sharded by thread: all threads of an operation take guards at one place.
    pins: [Padded<Mutex<Sites<Pinned>>>; STRIPES],
}

impl CallSites {
    pub(super) fn exposed(&self, at: &'static Location<'static>, bytes: usize, was_spilled: bool) {
        let mut exposures = self.exposures.lock();
        let (_, exposed) = exposures.entry(address(at)).or_insert_with(|| (at, Exposed::default()));
        exposed.amount.add(bytes as u64);
        if was_spilled {
            exposed.spilled += bytes as u64;
        }
    }

    pub(super) fn pinned(&self, at: &'static Location<'static>, bytes: usize) {
        self.update(at, |pinned| {
            pinned.taken.add(bytes as u64);
            pinned.guards += 1;
            pinned.bytes += signed(bytes as u64);
        });
    }

    pub(super) fn unpinned(&self, at: &'static Location<'static>, bytes: usize) {
        self.update(at, |pinned| {
            pinned.guards -= 1;
            pinned.bytes -= signed(bytes as u64);
        });
    }

    fn update(&self, at: &'static Location<'static>, change: impl FnOnce(&mut Pinned)) {
        let mut sites = self.pins[own_stripe()].0.lock();
        change(&mut sites.entry(address(at)).or_insert_with(|| (at, Pinned::default())).1);
    }

    /// Sorted by number of exposures, largest first.
    pub(super) fn exposures(&self) -> Vec<ExposureSite> {
        let mut merged: HashMap<_, ExposureSite> = HashMap::new();
        for (at, exposed) in self.exposures.lock().values() {
            let site =
                merged.entry(*at).or_insert(ExposureSite { at, exposed: Amount::default(), spilled: 0 });
            site.exposed.count += exposed.amount.count;
            site.exposed.bytes += exposed.amount.bytes;
            site.spilled += exposed.spilled;
        }
        let mut sites: Vec<_> = merged.into_values().collect();
        sites.sort_by(|a, b| b.exposed.count.cmp(&a.exposed.count).then_with(|| a.at.cmp(b.at)));
        sites
    }

    /// Sorted by bytes held now, then by number of guards, largest first.
    pub(super) fn pins(&self) -> Vec<PinSite> {
        let mut merged: HashMap<_, Pinned> = HashMap::new();
        for Padded(shard) in &self.pins {
            for (at, pinned) in shard.lock().values() {
                let site = merged.entry(*at).or_default();
                site.taken.count += pinned.taken.count;
                site.taken.bytes += pinned.taken.bytes;
                site.guards += pinned.guards;
                site.bytes += pinned.bytes;
            }
        }
        let mut sites: Vec<_> = merged
            .into_iter()
            .map(|(at, pinned)| {
                let held = Amount { count: unsigned(pinned.guards), bytes: unsigned(pinned.bytes) };
                PinSite { at, taken: pinned.taken, held }
            })
            .collect();
        sites.sort_by(|a, b| {
            (b.held.bytes, b.taken.bytes).cmp(&(a.held.bytes, a.taken.bytes)).then_with(|| a.at.cmp(b.at))
        });
        sites
    }
}

fn address(at: &'static Location<'static>) -> u64 {
    std::ptr::from_ref(at).addr() as u64
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn unsigned(sum: i64) -> u64 {
    u64::try_from(sum).unwrap_or(0)
}
