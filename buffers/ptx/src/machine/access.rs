//! Loads, stores and atomics: every request is checked and counted before it touches memory.

use super::block::Block;
use super::{Machine, Result};
use crate::arithmetic::Lanes;
use crate::memory;
use crate::ordering::Touch;
use crate::program::{Access, AtomicOp, Inst, LOCAL_WINDOW, SHARED_WINDOW, Space};
use crate::traffic::{self, lanes};

/// What a request does with memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

impl Machine<'_> {
    #[inline]
    pub(super) fn load(
        &mut self,
        block: &mut Block,
        w: usize,
        base: usize,
        inst: &Inst,
        access: &Access,
        mask: u32,
    ) -> Result<()> {
        if access.space == Space::Generic
            && let Some(parts) = parts(&block.warps[w].registers[base + inst.a as usize], access, mask)
        {
            return parts.into_iter().try_for_each(|part| self.load(block, w, base, inst, access, part));
        }
        let at = self.resolve(block, w, base, inst, access, mask, Kind::Load)?;
        let registers = &mut block.warps[w].registers[base..];
        for k in 0..access.count {
            let register = &mut registers[access.slots[usize::from(k)] as usize];
            let skip = u64::from(k) * u64::from(access.bytes);
            macro_rules! read {
                ($T:ty, $U:ty) => {
                    for lane in lanes(mask) {
                        let place = (at[lane] + skip) as *const $T;
                        // SAFETY: `resolve` checked that this lane's element lies in memory that a launch may read.
                        register[lane] = unsafe { place.read_unaligned() } as $U as u64;
                    }
                };
            }
            match (access.bytes, access.signed, access.width) {
                (1, true, 16) => read!(i8, u16),
                (1, true, 32) => read!(i8, u32),
                (1, true, _) => read!(i8, u64),
                (2, true, 32) => read!(i16, u32),
                (2, true, 64) => read!(i16, u64),
                (4, true, 64) => read!(i32, u64),
                (1, ..) => read!(u8, u64),
                (2, ..) => read!(u16, u64),
                (4, ..) => read!(u32, u64),
                _ => read!(u64, u64),
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn store(
        &mut self,
        block: &mut Block,
        w: usize,
        base: usize,
        inst: &Inst,
        access: &Access,
        mask: u32,
    ) -> Result<()> {
        if access.space == Space::Generic
            && let Some(parts) = parts(&block.warps[w].registers[base + inst.a as usize], access, mask)
        {
            return parts.into_iter().try_for_each(|part| self.store(block, w, base, inst, access, part));
        }
        let at = self.resolve(block, w, base, inst, access, mask, Kind::Store)?;
        let registers = &block.warps[w].registers[base..];
        let mut has_changed = false;
        for k in 0..access.count {
            let register = &registers[access.slots[usize::from(k)] as usize];
            let skip = u64::from(k) * u64::from(access.bytes);
            macro_rules! write {
                ($T:ty) => {
                    for lane in lanes(mask) {
                        let place = (at[lane] + skip) as *mut $T;
                        let value = register[lane] as $T;
                        // SAFETY: `resolve` checked that this lane's element lies in memory that a launch may
                        // write.
                        unsafe {
                            has_changed |= place.read_unaligned() != value;
                            place.write_unaligned(value);
                        }
                    }
                };
            }
            match access.bytes {
                1 => write!(u8),
                2 => write!(u16),
                4 => write!(u32),
                _ => write!(u64),
            }
        }
        self.progress += u64::from(has_changed && access.space != Space::Local);
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        block: &mut Block,
        w: usize,
        base: usize,
        inst: &Inst,
        access: &Access,
        op: AtomicOp,
        mask: u32,
    ) -> Result<()> {
        let at = self.resolve(block, w, base, inst, access, mask, Kind::Atomic)?;
        let registers = &mut block.warps[w].registers[base..];
        let (b, c) = (registers[inst.b as usize], registers[inst.c as usize]);
        for lane in lanes(mask) {
            macro_rules! update {
                ($T:ty) => {{
                    let place = at[lane] as *mut $T;
                    // SAFETY: `resolve` checked that this lane's element lies in memory that a launch may write.
                    unsafe {
                        let old = place.read_unaligned();
                        let new = changed(access, op, old.into(), b[lane], c[lane]) as $T;
                        place.write_unaligned(new);
                        self.progress += u64::from(old != new);
                        u64::from(old)
                    }
                }};
            }
            registers[inst.d as usize][lane] = match access.bytes {
                2 => update!(u16),
                4 => update!(u32),
                _ => update!(u64),
            };
        }
        Ok(())
    }

    /// Where the lanes' elements are in the process.
    fn resolve(
        &mut self,
        block: &mut Block,
        w: usize,
        base: usize,
        inst: &Inst,
        access: &Access,
        mask: u32,
        kind: Kind,
    ) -> Result<Lanes> {
        let bytes = u64::from(access.bytes) * u64::from(access.count);
        let mut at = block.warps[w].registers[base + inst.a as usize];
        // Addresses of these windows in registers of 32 bits wrap there.
        let is_window = matches!(access.space, Space::Shared | Space::Local);
        at.iter_mut().for_each(|address| {
            let wraps = is_window && u32::try_from(*address).is_ok();
            *address = address.wrapping_add_signed(access.offset);
            if wraps {
                *address &= u64::from(u32::MAX);
            }
        });
        let (mut low, mut high, mut all) = (u64::MAX, 0, 0);
        for lane in 0..32 {
            let is_active = mask >> lane & 1 != 0;
            low = low.min(if is_active { at[lane] } else { u64::MAX });
            high = high.max(if is_active { at[lane] } else { 0 });
            all |= if is_active { at[lane] } else { 0 };
        }
        if all & (bytes - 1) != 0 {
            let lane = lanes(mask).find(|lane| at[*lane] & (bytes - 1) != 0).unwrap_or(0);
            let what = format!("lane {lane} accesses {bytes} bytes at {:#x}, which is misaligned", at[lane]);
            return Err(self.fault(inst, block, w, &what));
        }
        let mut space = access.space;
        if space == Space::Generic {
            (space, low, high) = generic(&mut at, low, high);
        }
        let end = high.saturating_add(bytes);
        let (start, size, step) = match space {
            Space::Shared => (block.shared.as_ptr() as u64, block.shared.len() as u64, 0),
            Space::Local => {
                let size = self.local_bytes as u64;
                (block.warps[w].local.as_ptr() as u64, size, size)
            }
            Space::Param => (self.launch.params.as_ptr() as u64, self.launch.params.len() as u64, 0),
            Space::Generic | Space::Global => {
                if !self.memory.contains(low, end) {
                    self.check_lanes(block, w, inst, &at, mask, bytes)?;
                }
                self.count_global(&at, mask, bytes, kind);
                self.check_order(block, w, &at, inst, access, mask, kind);
                return Ok(at);
            }
        };
        if end > size {
            let lane = lanes(mask).find(|lane| at[*lane].saturating_add(bytes) > size).unwrap_or(0);
            let what = format!(
                "lane {lane} accesses {bytes} bytes at offset {} of {size} of {space:?} memory",
                at[lane]
            );
            return Err(self.fault(inst, block, w, &what));
        }
        if space == Space::Shared {
            let (passes, least_passes) = traffic::bank_passes(&at, mask, bytes);
            let total = &mut self.counts.total;
            let count = if kind == Kind::Atomic { &mut total.shared_atomics } else { &mut total.shared };
            count.requests += 1;
            count.passes += u64::from(passes);
            count.least_passes += u64::from(least_passes);
        }
        self.counts.total.local_requests += u64::from(space == Space::Local);
        for (lane, address) in at.iter_mut().enumerate() {
            *address = address.wrapping_add(start + lane as u64 * step);
        }
        if space == Space::Shared {
            self.check_order(block, w, &at, inst, access, mask, kind);
        }
        Ok(at)
    }

    /// Each lane by itself: they may touch several allocations.
    #[cold]
    fn check_lanes(
        &mut self,
        block: &Block,
        w: usize,
        inst: &Inst,
        at: &Lanes,
        mask: u32,
        bytes: u64,
    ) -> Result<()> {
        for lane in lanes(mask) {
            let address = at[lane];
            if self.memory.contains(address, address.saturating_add(bytes)) {
                continue;
            }
            let near = match memory::nearest(address) {
                Some((start, end)) => {
                    format!("byte {} of or behind an allocation of {}", address - start, end - start)
                }
                None => "below every allocation".to_owned(),
            };
            let what = format!(
                "lane {lane} accesses {bytes} bytes at {address:#x}, outside every allocation ({near})"
            );
            return Err(self.fault(inst, block, w, &what));
        }
        Ok(())
    }

    fn count_global(&mut self, at: &Lanes, mask: u32, bytes: u64, kind: Kind) {
        let counts = &mut self.counts;
        let active = u64::from(mask.count_ones());
        let requests = match kind {
            Kind::Load => &mut counts.total.loads,
            Kind::Store => &mut counts.total.stores,
            Kind::Atomic => {
                counts.total.atomic_lanes += active;
                for lane in lanes(mask) {
                    *counts.atomics.entry(at[lane]).or_insert(0) += 1;
                }
                &mut counts.total.atomics
            }
        };
        requests.requests += 1;
        requests.sectors += u64::from(traffic::sectors(at, mask));
        requests.bytes += active * bytes;
    }

    fn check_order(
        &mut self,
        block: &Block,
        w: usize,
        at: &Lanes,
        inst: &Inst,
        access: &Access,
        mask: u32,
        kind: Kind,
    ) {
        let Some(ordering) = &mut self.ordering else { return };
        let touch = Touch {
            bytes: u64::from(access.bytes) * u64::from(access.count),
            is_write: kind != Kind::Load,
            order: access.order,
        };
        let code = &self.module.code;
        let pc = (std::ptr::from_ref(inst).addr() - code.as_ptr().addr()) / size_of::<Inst>();
        for lane in lanes(mask) {
            let place = |pc: u32| self.module.place(&code[pc as usize]);
            ordering.access(block.rank, w, lane, at[lane], touch, pc as u32, place);
        }
        ordering.after_access(block.rank, w, mask, touch);
    }
}

/// The lanes of each space, where generic addresses are in several: each is a request of its own.
fn parts(registers: &Lanes, access: &Access, mask: u32) -> Option<Vec<u32>> {
    let mut parts = [0_u32; 3];
    for lane in lanes(mask) {
        let address = registers[lane].wrapping_add_signed(access.offset);
        let windows = [SHARED_WINDOW, LOCAL_WINDOW];
        let space = windows.iter().position(|&window| (window..window << 1).contains(&address));
        parts[space.unwrap_or(windows.len())] |= 1 << lane;
    }
    let parts: Vec<u32> = parts.into_iter().filter(|&part| part != 0).collect();
    (parts.len() > 1).then_some(parts)
}

/// The space of generic addresses; all lanes are in the same one. Addresses become the space's own.
fn generic(at: &mut Lanes, low: u64, high: u64) -> (Space, u64, u64) {
    for (window, space) in [(SHARED_WINDOW, Space::Shared), (LOCAL_WINDOW, Space::Local)] {
        if low >= window && high < window << 1 {
            at.iter_mut().for_each(|address| *address = address.wrapping_sub(window));
            return (space, low - window, high - window);
        }
    }
    (Space::Global, low, high)
}

/// The new value of an atomic.
fn changed(access: &Access, op: AtomicOp, old: u64, b: u64, c: u64) -> u64 {
    let is_wide = access.bytes == 8;
    let is_below = match (access.signed, is_wide) {
        (false, _) => b < old,
        (true, true) => (b as i64) < old as i64,
        (true, false) => (b as i32) < old as i32,
    };
    match op {
        AtomicOp::Add => old.wrapping_add(b),
        AtomicOp::AddFloat if is_wide => (f64::from_bits(old) + f64::from_bits(b)).to_bits(),
        AtomicOp::AddFloat => (f32::from_bits(old as u32) + f32::from_bits(b as u32)).to_bits().into(),
        AtomicOp::Min => {
            if is_below {
                b
            } else {
                old
            }
        }
        AtomicOp::Max => {
            if is_below {
                old
            } else {
                b
            }
        }
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::Exchange => b,
        AtomicOp::CompareAndSwap => {
            if old == b {
                c
            } else {
                old
            }
        }
    }
}
