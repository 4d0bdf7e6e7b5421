//! A clock for tests.

use std::cell::Cell;

thread_local! {
    static NOW: Cell<Option<u64>> = const { Cell::new(None) };
}

/// While it lives, the time of this thread grows by one with every call of [`now`](super::now).
#[must_use]
pub(crate) struct InSteps(());

impl InSteps {
    pub(crate) fn new() -> Self {
        NOW.set(Some(1));
        Self(())
    }
}

impl Drop for InSteps {
    fn drop(&mut self) {
        NOW.set(None);
    }
}

pub(super) fn now() -> Option<u64> {
    let now = NOW.get()?;
    NOW.set(Some(now + 1));
    Some(now)
}
