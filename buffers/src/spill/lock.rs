//! Scopes in which all used buffers stay in place, with cuDF's names.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;

use crate::owner::{Hold, Owner};
use crate::sync::{Arc, Mutex};
use crate::{Buffer, Exec, Result, Stream};

/// Buffers used under this lock keep their addresses until it is dropped; see [`acquire_spill_lock`].
pub struct SpillLock {
    held: Arc<Held>,
}

/// Pins that end with the lock.
#[derive(Default)]
struct Held(Mutex<Vec<Pin>>);

struct Pin {
    owner: Arc<Owner>,
    /// The use to record when the pin ends: work queued on this stream used the memory.
    used_on: Option<(Stream, Hold)>,
    bytes: usize,
    /// The call site of the use, if statistics count call sites.
    site: Option<&'static Location<'static>>,
}

thread_local! {
    /// Whether any scope exists; checked by every guard.
    static IN_SCOPE: Cell<bool> = const { Cell::new(false) };
    static SCOPES: RefCell<Vec<Arc<Held>>> = const { RefCell::new(Vec::new()) };
}

/// Begins a scope for [`get_ptr`](Buffer::get_ptr): memory used in it is not spilled before the lock is
/// dropped.
///
/// A guard does the same for one buffer and is checked by the compiler. The lock is for code that needs many
/// addresses.
///
/// # Source
///
/// cuDF `acquire_spill_lock`.
pub fn acquire_spill_lock() -> SpillLock {
    SpillLock { held: Arc::default() }
}

impl SpillLock {
    /// Runs `body` on this thread. Every buffer with a guard in it stays in place until the lock is dropped,
    /// not only until the guard is dropped.
    pub fn scope<T>(&self, body: impl FnOnce() -> T) -> T {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                SCOPES.with_borrow_mut(|scopes| {
                    scopes.pop();
                    IN_SCOPE.set(!scopes.is_empty());
                });
            }
        }
        SCOPES.with_borrow_mut(|scopes| scopes.push(Arc::clone(&self.held)));
        IN_SCOPE.set(true);
        let _leave = Leave;
        body()
    }

    /// The number of pins.
    pub fn len(&self) -> usize {
        self.held.0.lock().len()
    }

    /// Whether there are no pins.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pins `bytes` bytes of an allocation for work on the context's stream.
    #[track_caller]
    fn hold(&self, owner: &Arc<Owner>, hold: Hold, bytes: usize, exec: &Exec) -> Result<()> {
        owner.hold(hold, exec)?;
        let pin = Pin::new(owner, Some((exec.stream().clone(), hold)), bytes, Location::caller());
        self.held.0.lock().push(pin);
        keep(owner, bytes);
        Ok(())
    }
}

impl Pin {
    /// Takes over a pin of the caller.
    fn new(
        owner: &Arc<Owner>,
        used_on: Option<(Stream, Hold)>,
        bytes: usize,
        caller: &'static Location<'static>,
    ) -> Self {
        let site = owner.manager().and_then(|manager| manager.note_pin(caller, bytes));
        Self { owner: Arc::clone(owner), used_on, bytes, site }
    }
}

/// Adds a pin for the `bytes` bytes that a guard has just pinned to the scopes of this thread.
#[inline]
#[track_caller]
pub(crate) fn keep(owner: &Arc<Owner>, bytes: usize) {
    if IN_SCOPE.get() {
        keep_in_scopes(owner, bytes, Location::caller());
    }
}

#[cold]
fn keep_in_scopes(owner: &Arc<Owner>, bytes: usize, caller: &'static Location<'static>) {
    SCOPES.with_borrow(|scopes| {
        for held in scopes {
            // On the device, because the guard pins it there.
            if owner.try_pin(Hold::Read) {
                held.0.lock().push(Pin::new(owner, None, bytes, caller));
            }
        }
    });
}

impl Buffer {
    /// The address of the bytes, for reads by work queued on the context's stream before `lock` is dropped.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read): the memory is on another device, or cannot be unspilled.
    ///
    /// # Source
    ///
    /// cuDF `Buffer.get_ptr(mode="read")`.
    #[track_caller]
    pub fn get_ptr(&self, lock: &SpillLock, exec: &Exec) -> Result<*const u8> {
        lock.hold(self.owner(), Hold::Read, self.len(), exec)?;
        Ok(self.owner().address(self.offset()).as_ptr())
    }

    /// The address of the bytes, for writes by work queued on the context's stream before `lock` is dropped.
    /// Shared memory is copied first, as by [`write`](Self::write). Until the drop no other guard of this
    /// buffer may be taken.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write): it copies shared memory, and so may run out of it.
    ///
    /// # Source
    ///
    /// cuDF `Buffer.get_ptr(mode="write")`.
    #[track_caller]
    pub fn get_mut_ptr(&mut self, lock: &SpillLock, exec: &Exec) -> Result<*mut u8> {
        exec.require_device(self.device())?;
        self.separate(exec)?;
        lock.hold(self.owner(), Hold::Write, self.len(), exec)?;
        Ok(self.owner().address(self.offset()).as_ptr())
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        if let Some((stream, hold)) = &self.used_on {
            self.owner.note_use(stream, *hold);
        }
        if let (Some(site), Some(manager)) = (self.site, self.owner.manager()) {
            manager.note_unpin(site, self.bytes);
        }
        self.owner.unpin();
    }
}

impl fmt::Debug for SpillLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpillLock").field("pins", &self.len()).finish()
    }
}
