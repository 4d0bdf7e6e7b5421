//! Call sites: which line of a program leases and guards are counted for.

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::Location;

/// A line of a program; `None` for a caller that has no lines of Rust.
type Site = Option<&'static Location<'static>>;

thread_local! {
    static SITE: Cell<Option<Site>> = const { Cell::new(None) };
}

/// While this lives, leases and guards of this thread are counted for the call site named here. An operation
/// that takes many of them then counts as one line of its caller. Of nested call sites, the outermost counts.
///
/// ```
/// use columnade_buffers::CallSite;
///
/// #[track_caller]
/// fn an_operation() -> u32 {
///     let site = CallSite::here();
///     site.location().map_or(0, |at| at.line())
/// }
///
/// assert_eq!(an_operation(), line!());
/// ```
#[derive(Debug)]
pub struct CallSite {
    at: Site,
    is_outermost: bool,
    /// Not `Send`: the call site belongs to one thread.
    _thread: PhantomData<*const ()>,
}

impl CallSite {
    /// The caller of the function that calls this. That function must be `#[track_caller]`.
    #[track_caller]
    pub fn here() -> CallSite {
        CallSite::at(Some(Location::caller()))
    }

    /// The caller of a function that is called from another language: leases and guards are counted for no line, since those
    /// of the library say nothing of the program.
    pub fn outside() -> CallSite {
        CallSite::at(None)
    }

    /// A call site that was recorded earlier, see [`location`](Self::location).
    pub fn at(location: Option<&'static Location<'static>>) -> CallSite {
        let outer = SITE.get();
        if outer.is_none() {
            SITE.set(Some(location));
        }
        CallSite { at: outer.unwrap_or(location), is_outermost: outer.is_none(), _thread: PhantomData }
    }

    /// The call site that counts while this lives; `None` for one [outside](Self::outside).
    pub fn location(&self) -> Option<&'static Location<'static>> {
        self.at
    }
}

impl Drop for CallSite {
    fn drop(&mut self) {
        if self.is_outermost {
            SITE.set(None);
        }
    }
}

/// The call site that counts for an event at `inner`.
pub(crate) fn counted(inner: &'static Location<'static>) -> Site {
    SITE.get().unwrap_or(Some(inner))
}
