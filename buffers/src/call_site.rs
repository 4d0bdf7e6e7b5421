//! Who in a program asked for what this library does.

use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::Location;

thread_local! {
    static SITE: Cell<Option<&'static Location<'static>>> = const { Cell::new(None) };
}

/// While this lives, what the thread leases and guards is counted for the place in a program that is named here: an
/// operation that takes many of them is one line of its caller, not many of its own. The outermost place counts.
///
/// ```
/// use columnade_buffers::CallSite;
///
/// #[track_caller]
/// fn an_operation() -> u32 {
///     let site = CallSite::here();
///     site.location().line()
/// }
///
/// assert_eq!(an_operation(), line!());
/// ```
#[derive(Debug)]
pub struct CallSite {
    at: &'static Location<'static>,
    is_outermost: bool,
    /// Of one thread.
    _thread: PhantomData<*const ()>,
}

impl CallSite {
    /// The place that calls the function which calls this, as long as that says `#[track_caller]`.
    #[track_caller]
    pub fn here() -> CallSite {
        CallSite::at(Location::caller())
    }

    /// A place that was noted before.
    pub fn at(location: &'static Location<'static>) -> CallSite {
        let outer = SITE.get();
        if outer.is_none() {
            SITE.set(Some(location));
        }
        CallSite { at: outer.unwrap_or(location), is_outermost: outer.is_none(), _thread: PhantomData }
    }

    /// What counts while this lives.
    pub fn location(&self) -> &'static Location<'static> {
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

/// The place that counts for what is done at `inner`.
pub(crate) fn counted(inner: &'static Location<'static>) -> &'static Location<'static> {
    SITE.get().unwrap_or(inner)
}

#[cfg(test)]
mod tests {
    use super::{CallSite, counted};
    use std::panic::Location;

    #[test]
    fn the_outermost_place_counts_until_it_is_left() {
        let own = Location::caller();
        let (first, second) = (Location::caller(), Location::caller());
        assert_eq!(counted(own), own);
        let outer = CallSite::at(first);
        let inner = CallSite::at(second);
        assert_eq!((counted(own), inner.location(), outer.location()), (first, first, first));
        // In either order.
        drop(outer);
        drop(inner);
        assert_eq!(counted(own), own);
        std::thread::scope(|scope| {
            let _site = CallSite::at(first);
            scope.spawn(|| assert_eq!(counted(own), own));
        });
    }
}
