//! One thread: buffers with their expected bytes, and random operations on them.
#![expect(clippy::unnecessary_wraps, reason = "all operations have one signature")]

use std::sync::{Arc, Mutex, PoisonError};

use columnade_buffers::{
    Buffer, Device, Error, Exec, Lease, Result, SpillLock, SpillManager, acquire_spill_lock,
};

use crate::options::spilling;
use crate::random::{Random, below};
use crate::watch::{Board, Doing};

/// A buffer and its expected bytes.
#[derive(Clone)]
struct Modelled {
    buffer: Buffer,
    bytes: Vec<u8>,
}

/// Buffers that threads exchange.
pub(crate) struct Pool(Vec<Mutex<Modelled>>);

pub(crate) struct Worker {
    pub(crate) number: usize,
    pub(crate) step: u64,
    pub(crate) refusals: u64,
    pub(crate) differences: u64,
    random: Random,
    exec: Exec,
    manager: Arc<SpillManager>,
    held: Vec<Modelled>,
    exported: Vec<(Lease, Vec<u8>)>,
}

/// The most buffers that a thread holds, and leases.
const HELD: usize = 12;
const EXPORTED: usize = 4;
const POOLED: usize = 16;

/// All random numbers that one step can use, so that the sequence depends on the seed alone.
struct Dice([u64; 6]);

impl Dice {
    fn below(&self, which: usize, bound: usize) -> usize {
        below(self.0[which], bound)
    }

    fn one_in(&self, which: usize, bound: usize) -> bool {
        self.below(which, bound) == 0
    }
}

type Operation = fn(&mut Worker, &Pool, usize, &Dice) -> Result<()>;

/// Operations by relative frequency.
const OPERATIONS: [(u32, &str, Operation); 23] = [
    (10, "new", Worker::make),
    (12, "clone", Worker::share),
    (10, "slice", Worker::slice),
    (14, "write", Worker::write),
    (10, "write a part", Worker::write_part),
    (12, "swap", Worker::swap),
    (12, "drop", Worker::discard),
    (8, "read", Worker::read),
    (8, "isolate", Worker::isolate),
    (5, "assemble", Worker::assemble),
    (5, "copy", Worker::copy),
    (4, "copy to the host and back", Worker::copy_through_host),
    (5, "shallow copy", Worker::shallow_copy),
    (6, "lease", Worker::export),
    (6, "end a lease", Worker::end_lease),
    (4, "foreign write", Worker::foreign_write),
    (1, "expose", Worker::expose),
    (8, "spill", Worker::spill),
    (4, "spill much", Worker::spill_much),
    (6, "reserve", Worker::reserve),
    (10, "access", Worker::access),
    (3, "pointers", Worker::pointers),
    (6, "hint", Worker::hint),
];

impl Pool {
    pub(crate) fn new(exec: &Exec) -> Result<Self> {
        let first = Modelled::new(5000, 0, exec)?;
        Ok(Self((0..POOLED).map(|_| Mutex::new(first.clone())).collect()))
    }
}

impl Modelled {
    fn new(len: usize, seed: u64, exec: &Exec) -> Result<Self> {
        let bytes = pattern(len, seed);
        Ok(Self { buffer: Buffer::from_slice(&bytes, exec)?, bytes })
    }

    fn slice(&self, offset: usize, len: usize) -> Self {
        Self { buffer: self.buffer.slice(offset, len), bytes: self.bytes[offset..offset + len].to_vec() }
    }
}

fn pattern(len: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed, 7);
    let mut bytes = vec![0; len];
    for word in bytes.chunks_mut(8) {
        let random = random.next().to_le_bytes();
        word.copy_from_slice(&random[..word.len()]);
    }
    bytes
}

impl Worker {
    pub(crate) fn new(number: usize, seed: u64, exec: Exec, manager: Arc<SpillManager>) -> Result<Self> {
        let held = vec![Modelled::new(3000, number as u64, &exec)?];
        Ok(Self {
            number,
            step: 0,
            refusals: 0,
            differences: 0,
            random: Random::new(seed, number as u64 + 1),
            exec,
            manager,
            held,
            exported: Vec::new(),
        })
    }

    /// Runs one random operation and checks one buffer.
    pub(crate) fn step(&mut self, pool: &Pool, board: &Board) {
        let dice = Dice(std::array::from_fn(|_| self.random.next()));
        self.step += 1;
        let mut at = dice.below(0, OPERATIONS.iter().map(|(weight, ..)| *weight as usize).sum());
        let (_, name, operation) = OPERATIONS
            .iter()
            .find(|(weight, ..)| {
                let here = at < *weight as usize;
                at = at.wrapping_sub(*weight as usize);
                here
            })
            .unwrap_or(&OPERATIONS[0]);
        let at = dice.below(1, self.held.len());
        let buffer = &self.held[at].buffer;
        let (memory, bytes, tier) = (buffer.memory_id(), buffer.len(), buffer.tier());
        board.begin(self.number, self.step, Doing { operation: name, memory, bytes, tier });
        match operation(self, pool, at, &dice) {
            Ok(()) => {}
            Err(error) => self.differ(name, &format!("failed: {error}")),
        }
        let looked_at = dice.below(5, self.held.len());
        let Modelled { buffer, bytes } = &self.held[looked_at];
        match buffer.to_vec::<u8>(&self.exec) {
            Ok(found) if found == *bytes => {}
            Ok(found) => {
                let at = found.iter().zip(bytes).position(|(found, expected)| found != expected);
                let what = format!("{buffer:?} differs first at {at:?} of {}", bytes.len());
                self.differ(name, &what);
            }
            Err(error) => self.differ(name, &format!("cannot be read afterwards: {error}")),
        }
        if (dice.0[5] >> 32).is_multiple_of(1024) {
            let options = spilling(dice.0[4] >> 7);
            if let Err(error) = self.manager.set_options(options) {
                self.differ("options", &error.to_string());
            }
        }
    }

    fn differ(&mut self, operation: &str, what: &str) {
        eprintln!("thread {}, step {}, {operation}: {what}", self.number, self.step);
        self.differences += 1;
    }

    /// `None` if memory ran out, which is allowed; any other error is a failure.
    fn unless_refused<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Error::OutOfMemory { .. }) => {
                self.refusals += 1;
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    fn hold(&mut self, new: Modelled, dice: &Dice) {
        if self.held.len() < HELD {
            self.held.push(new);
        } else {
            let at = dice.below(4, self.held.len());
            self.held[at] = new;
        }
    }

    /// Checks memory of this device at an address that a lease or lock keeps in place, with no work pending
    /// on it.
    fn look(&mut self, address: *const u8, bytes: &[u8], what: &str) {
        if !matches!(self.exec.device(), Device::Host | Device::Sim) || bytes.is_empty() {
            return;
        }
        // SAFETY: the simulator's memory is host memory; the caller keeps that many bytes in place, and all
        // work on them is done.
        let found = unsafe { std::slice::from_raw_parts(address, bytes.len()) };
        if let Some(at) = found.iter().zip(bytes).position(|(found, expected)| found != expected) {
            let equal = found.iter().zip(bytes).filter(|(found, expected)| found == expected).count();
            let what_differs = format!(
                "the memory at the address differs first at {at}, {equal} of {} bytes are right: {:?}",
                bytes.len(),
                &found[at..found.len().min(at + 8)]
            );
            self.differ(what, &what_differs);
        }
    }

    /// Checks like [`look`](Self::look), then writes.
    fn scribble(&mut self, address: *mut u8, bytes: &[u8]) -> bool {
        if !matches!(self.exec.device(), Device::Host | Device::Sim) {
            return false;
        }
        // SAFETY: as in `look`; the caller may write.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address, bytes.len()) };
        true
    }

    fn make(&mut self, _pool: &Pool, _at: usize, dice: &Dice) -> Result<()> {
        let len = match dice.below(2, 20) {
            0 => dice.below(3, 3),
            1 => 20_000 + dice.below(3, 80_000),
            _ => dice.below(3, 12_000),
        };
        let new = Modelled::new(len, dice.0[4], &self.exec)?;
        self.hold(new, dice);
        Ok(())
    }

    fn share(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let clone = self.held[at].clone();
        self.hold(clone, dice);
        Ok(())
    }

    fn slice(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let len = self.held[at].bytes.len();
        let offset = dice.below(2, len + 1);
        let slice = self.held[at].slice(offset, dice.below(3, len - offset + 1));
        if dice.one_in(4, 2) {
            self.held[at] = slice;
        } else {
            self.hold(slice, dice);
        }
        Ok(())
    }

    fn write(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let Modelled { buffer, bytes } = &mut self.held[at];
        let new = pattern(bytes.len(), dice.0[2]);
        if dice.one_in(3, 4) {
            // A guard that owns its buffer.
            let mut taken = buffer.clone();
            std::mem::swap(&mut taken, buffer);
            let guard = taken.into_write(&self.exec)?;
            *buffer = guard.into_buffer();
        }
        buffer.write(&self.exec)?.copy_from_slice(&new)?;
        *bytes = new;
        Ok(())
    }

    fn write_part(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let len = self.held[at].bytes.len();
        let offset = dice.below(2, len + 1);
        let mut part = self.held[at].slice(offset, dice.below(3, len - offset + 1));
        part.bytes = pattern(part.bytes.len(), dice.0[4]);
        part.buffer.write(&self.exec)?.copy_from_slice(&part.bytes)?;
        self.hold(part, dice);
        Ok(())
    }

    fn swap(&mut self, pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let mut place = pool.0[dice.below(2, POOLED)].lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *place, &mut self.held[at]);
        Ok(())
    }

    fn discard(&mut self, _pool: &Pool, at: usize, _dice: &Dice) -> Result<()> {
        if self.held.len() > 1 {
            self.held.swap_remove(at);
        }
        Ok(())
    }

    fn read(&mut self, _pool: &Pool, at: usize, _dice: &Dice) -> Result<()> {
        let Modelled { buffer, bytes } = self.held[at].clone();
        let exec = self.exec.clone();
        let guard = buffer.read(&exec)?;
        exec.synchronize()?;
        self.look(guard.as_ptr(), &bytes, "read");
        Ok(())
    }

    fn isolate(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let len = self.held[at].bytes.len();
        let offset = dice.below(2, len + 1);
        let mut part = self.held[at].slice(offset, dice.below(3, len - offset + 1));
        part.buffer = part.buffer.isolate()?;
        self.hold(part, dice);
        Ok(())
    }

    fn assemble(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let parts: Vec<&Modelled> =
            (0..=dice.below(2, 4)).map(|more| &self.held[(at + more) % self.held.len()]).collect();
        let buffers: Vec<Buffer> = parts.iter().map(|part| part.buffer.clone()).collect();
        let bytes = parts.iter().flat_map(|part| part.bytes.iter().copied()).collect();
        let buffer = Buffer::assemble(&buffers, &self.exec)?;
        self.hold(Modelled { buffer, bytes }, dice);
        Ok(())
    }

    fn copy(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let Modelled { buffer, bytes } = &self.held[at];
        let copy = Modelled { buffer: buffer.copy_to(&self.exec)?, bytes: bytes.clone() };
        self.hold(copy, dice);
        Ok(())
    }

    fn copy_through_host(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let Modelled { buffer, bytes } = &self.held[at];
        let host = buffer.copy_to(&Exec::host())?;
        let copy = Modelled { buffer: host.copy_to(&self.exec)?, bytes: bytes.clone() };
        if self.exec.device() == Device::Host || copy.buffer.device() == self.exec.device() {
            self.hold(copy, dice);
        }
        Ok(())
    }

    fn shallow_copy(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let Modelled { buffer, bytes } = &self.held[at];
        let copy = Modelled { buffer: buffer.shallow_copy(&self.exec)?, bytes: bytes.clone() };
        self.hold(copy, dice);
        Ok(())
    }

    /// Exports to a foreign reader, which checks the bytes when it releases the lease.
    fn export(&mut self, _pool: &Pool, at: usize, _dice: &Dice) -> Result<()> {
        let Modelled { buffer, bytes } = &self.held[at];
        // Exposed memory may be written at any time.
        if self.exported.len() < EXPORTED && !buffer.is_exposed() {
            self.exported.push((buffer.lease()?, bytes.clone()));
        }
        Ok(())
    }

    fn end_lease(&mut self, _pool: &Pool, at: usize, _dice: &Dice) -> Result<()> {
        if self.exported.is_empty() {
            return Ok(());
        }
        let (lease, bytes) = self.exported.swap_remove(at % self.exported.len());
        if let Some(event) = lease.ready()? {
            event.synchronize()?;
        }
        self.look(lease.as_ptr(), &bytes, "lease");
        Ok(())
    }

    fn foreign_write(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let lease = self.held[at].buffer.lease_mut(&self.exec)?;
        if let Some(event) = lease.ready()? {
            event.synchronize()?;
        }
        let new = pattern(self.held[at].bytes.len(), dice.0[2]);
        if self.scribble(lease.as_ptr().cast_mut(), &new) {
            self.held[at].bytes = new;
        }
        lease.note_use(self.exec.stream());
        Ok(())
    }

    fn expose(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        // The lease waits for earlier reads on other streams; an address alone cannot.
        let lease = self.held[at].buffer.lease_mut(&self.exec)?;
        if let Some(event) = lease.ready()? {
            event.synchronize()?;
        }
        drop(lease);
        let address = self.held[at].buffer.expose(&self.exec)?;
        let new = pattern(self.held[at].bytes.len(), dice.0[2]);
        if self.scribble(address, &new) {
            self.held[at].bytes = new;
        }
        Ok(())
    }

    fn spill(&mut self, _pool: &Pool, at: usize, _dice: &Dice) -> Result<()> {
        self.held[at].buffer.spill()?;
        Ok(())
    }

    fn spill_much(&mut self, _pool: &Pool, _at: usize, dice: &Dice) -> Result<()> {
        self.manager.spill_device_memory(dice.below(2, 200_000));
        Ok(())
    }

    fn reserve(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let bytes = dice.below(2, 100_000);
        let reservation = self.exec.reserve(bytes);
        let Some(reservation) = self.unless_refused(reservation)? else { return Ok(()) };
        let inside = reservation.exec(&self.exec);
        let made = Modelled::new(dice.below(3, bytes + 1) / 2, dice.0[4], &inside);
        if let Some(new) = self.unless_refused(made)? {
            self.hold(new, dice);
        }
        let at = at % self.held.len();
        let Modelled { buffer, bytes } = self.held[at].clone();
        let guard = buffer.read(&inside);
        if let Some(guard) = self.unless_refused(guard)? {
            self.exec.synchronize()?;
            self.look(guard.as_ptr(), &bytes, "read inside a reservation");
        }
        Ok(())
    }

    /// Accesses several buffers to read and one to write at once, with a strict or a soft budget.
    fn access(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let exec = if dice.one_in(2, 2) { self.exec.strict() } else { self.exec.clone() };
        let mut written = self.held.swap_remove(at);
        if self.held.is_empty() {
            self.held.push(written.clone());
        }
        let count = dice.below(3, 5);
        let reads: Vec<Modelled> =
            (0..count).map(|more| self.held[(at + more) % self.held.len()].clone()).collect();
        let buffers: Vec<&Buffer> = reads.iter().map(|read| &read.buffer).collect();
        let access = exec.access(&buffers, [&mut written.buffer]);
        if let Some(mut access) = self.unless_refused(access)? {
            let new = pattern(written.bytes.len(), dice.0[4]);
            access.writes[0].copy_from_slice(&new)?;
            written.bytes = new;
            exec.synchronize()?;
            for (guard, read) in access.reads.iter().zip(&reads) {
                self.look(guard.as_ptr(), &read.bytes, "access");
            }
        }
        self.held.push(written);
        Ok(())
    }

    /// Hints at what will be used soon and what will not.
    fn hint(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let buffer = &self.held[at].buffer;
        if dice.one_in(2, 2) {
            buffer.will_need();
        } else {
            buffer.done_with();
        }
        Ok(())
    }

    /// Takes addresses that are valid until a lock is dropped.
    fn pointers(&mut self, _pool: &Pool, at: usize, dice: &Dice) -> Result<()> {
        let lock: SpillLock = acquire_spill_lock();
        let Modelled { buffer, bytes } = self.held[at].clone();
        let exec = self.exec.clone();
        let address = lock.scope(|| buffer.get_ptr(&lock, &exec))?;
        drop(buffer);
        if dice.one_in(2, 2) {
            let target = self.held[at].buffer.get_mut_ptr(&lock, &exec)?;
            exec.synchronize()?;
            let new = pattern(bytes.len(), dice.0[3]);
            if self.scribble(target, &new) {
                self.held[at].bytes = new;
            }
        } else {
            exec.synchronize()?;
            self.look(address, &bytes, "pointers");
        }
        drop(lock);
        Ok(())
    }
}
