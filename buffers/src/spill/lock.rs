//! Scopes in which everything touched stays where it is, under cuDF's names.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;

use crate::owner::{Hold, Owner};
use crate::sync::{Arc, Mutex};
use crate::{Buffer, Exec, Result, Stream};

/// What is touched under it stays at its address until it is dropped; see [`acquire_spill_lock`].
pub struct SpillLock {
    held: Arc<Held>,
}

/// Pins that end with the lock.
#[derive(Default)]
struct Held(Mutex<Vec<Pin>>);

struct Pin {
    owner: Arc<Owner>,
    /// What is to be noted when the pin ends: work queued on this stream used the memory.
    used_on: Option<(Stream, Hold)>,
    bytes: usize,
    /// Who touched it, while somebody counts that.
    site: Option<&'static Location<'static>>,
}

thread_local! {
    /// Whether there is any scope: asked at every guard.
    static IN_SCOPE: Cell<bool> = const { Cell::new(false) };
    static SCOPES: RefCell<Vec<Arc<Held>>> = const { RefCell::new(Vec::new()) };
}

/// Begins a scope for [`get_ptr`](Buffer::get_ptr): memory touched in it is not spilled before the lock is dropped.
///
/// A guard does the same for one buffer, and is checked by the compiler; this is for code that hands out many
/// addresses.
///
/// # Source
///
/// cuDF `acquire_spill_lock`.
pub fn acquire_spill_lock() -> SpillLock {
    SpillLock { held: Arc::default() }
}

impl SpillLock {
    /// Runs `body` on this thread; every buffer that a guard touches in it stays where it is until the lock is
    /// dropped, not only until the guard is.
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

    /// How many pins it holds.
    pub fn len(&self) -> usize {
        self.held.0.lock().len()
    }

    /// Whether nothing was touched yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pins `bytes` bytes of an allocation for work on the context's stream. Nothing moves between the pin and whatever
    /// the caller does next.
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
    /// Takes over a pin that the caller has taken.
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

/// Keeps what a guard has just pinned, `bytes` bytes of it, for the scopes of this thread.
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
            // At home, for the guard holds it there.
            if owner.try_pin(Hold::Read) {
                held.0.lock().push(Pin::new(owner, None, bytes, caller));
            }
        }
    });
}

impl Buffer {
    /// The address of the bytes, to be read by work queued on the context's stream before `lock` is dropped.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    ///
    /// # Source
    ///
    /// cuDF `Buffer.get_ptr(mode="read")`.
    #[track_caller]
    pub fn get_ptr(&self, lock: &SpillLock, exec: &Exec) -> Result<*const u8> {
        lock.hold(self.owner(), Hold::Read, self.len(), exec)?;
        Ok(self.owner().address(self.offset()).as_ptr())
    }

    /// The address of the bytes, to be written by work queued on the context's stream before `lock` is dropped. Shared
    /// memory is separated first, as by [`write`](Self::write). Until then no other guard of this buffer is to be taken.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
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
