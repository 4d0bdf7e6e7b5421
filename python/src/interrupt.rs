//! Ctrl-C during work: SIGINT ends the loops of the main thread's work, which then raises `KeyboardInterrupt`.
//!
//! Python's own handler only notes a signal, and Python reads the note once the work has returned. The handler here
//! counts the signal and calls Python's. Python runs its handlers on the main thread, so only work of that thread ends.

use std::sync::atomic::{AtomicU64, Ordering};

use columnade::internal::Interrupted;
use pyo3::prelude::*;

/// How many times SIGINT came while the handler was there.
static INTERRUPTS: AtomicU64 = AtomicU64::new(0);

/// Does `work`, which ends early on Ctrl-C if this is the main thread.
pub(crate) fn interruptible<R>(work: impl FnOnce() -> R) -> Result<R, Interrupted> {
    if handler::is_watching() { columnade::internal::interruptible(&INTERRUPTS, work) } else { Ok(work()) }
}

/// How many times SIGINT came until now.
pub(crate) fn interrupts() -> u64 {
    INTERRUPTS.load(Ordering::Relaxed)
}

/// Whether SIGINT came since there were `before` of them and raised `KeyboardInterrupt` on this thread, which is the main one, as
/// Python's own handler does. What the work called may have taken the exception for an error of its own.
pub(crate) fn has_interrupted(py: Python<'_>, before: u64) -> bool {
    let is_of_python = || -> PyResult<bool> {
        let signal = py.import("signal")?;
        let current = signal.call_method1("getsignal", (signal.getattr("SIGINT")?,))?;
        Ok(current.is(&signal.getattr("default_int_handler")?))
    };
    interrupts() != before && handler::is_watching() && is_of_python().unwrap_or(false)
}

#[cfg(unix)]
mod handler {
    use std::ffi::{c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, Ordering};

    /// The action that the handler replaced; never freed, because a handler may be reading it.
    static REPLACED: AtomicPtr<libc::sigaction> = AtomicPtr::new(ptr::null_mut());

    type Simple = extern "C" fn(c_int);
    type Detailed = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

    extern "C" fn on_interrupt(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        super::INTERRUPTS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: null, or an action that is never changed or freed.
        let Some(replaced) = (unsafe { REPLACED.load(Ordering::Acquire).as_ref() }) else { return };
        if replaced.sa_flags & libc::SA_SIGINFO == 0 {
            // SAFETY: neither SIG_DFL nor SIG_IGN, so a function, and by its flags of one argument.
            let call = unsafe { std::mem::transmute::<libc::sighandler_t, Simple>(replaced.sa_sigaction) };
            call(signal);
        } else {
            // SAFETY: as above; by its flags a function of three arguments.
            let call = unsafe { std::mem::transmute::<libc::sighandler_t, Detailed>(replaced.sa_sigaction) };
            call(signal, info, context);
        }
    }

    /// Whether Ctrl-C during the work of this thread is counted. Puts the handler in place if another one is there, as
    /// after `signal.signal`; a process that ignores SIGINT, or that it ends, keeps doing so.
    pub(super) fn is_watching() -> bool {
        if !is_main_thread() {
            return false;
        }
        let mut current = MaybeUninit::uninit();
        // SAFETY: asks for the action, and the pointer is to memory for one.
        if unsafe { libc::sigaction(libc::SIGINT, ptr::null(), current.as_mut_ptr()) } != 0 {
            return false;
        }
        // SAFETY: the call above succeeded, so it wrote the action.
        let current: libc::sigaction = unsafe { current.assume_init() };
        let ours = on_interrupt as Detailed as libc::sighandler_t;
        if current.sa_sigaction == ours {
            return true;
        }
        if [libc::SIG_DFL, libc::SIG_IGN].contains(&current.sa_sigaction) {
            return false;
        }
        // SAFETY: null, or an action that is never changed or freed.
        let replaced = unsafe { REPLACED.load(Ordering::Acquire).as_ref() };
        if replaced.is_none_or(|replaced| {
            replaced.sa_sigaction != current.sa_sigaction || replaced.sa_flags != current.sa_flags
        }) {
            REPLACED.store(Box::into_raw(Box::new(current)), Ordering::Release);
        }
        let mut action = current;
        action.sa_sigaction = ours;
        action.sa_flags |= libc::SA_SIGINFO;
        // SAFETY: the handler does only what is allowed in one: it changes an atomic, and calls the handler that was
        // there with its arguments.
        unsafe { libc::sigaction(libc::SIGINT, &raw const action, ptr::null_mut()) == 0 }
    }

    #[cfg(target_os = "linux")]
    fn is_main_thread() -> bool {
        // SAFETY: both only return numbers.
        unsafe { libc::gettid() == libc::getpid() }
    }

    #[cfg(not(target_os = "linux"))]
    fn is_main_thread() -> bool {
        // SAFETY: only returns a number.
        unsafe { libc::pthread_main_np() != 0 }
    }
}

#[cfg(not(unix))]
mod handler {
    pub(super) fn is_watching() -> bool {
        false
    }
}
