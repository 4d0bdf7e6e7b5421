//! Spilling in the background, before memory is short.

use super::worker::Worker;
use super::{Cause, SpillManager};
use crate::sync::Arc;

/// Starts a thread that spills, when it is asked to, until no more than `stop` bytes are given out.
///
/// It is asked when the bytes given out pass a [watermark](super::SpillOptions::watermarks): what it moves was not needed
/// yet, so by default nothing is moved before its room is.
pub(super) fn start(manager: &Arc<SpillManager>, stop: usize) -> Option<Worker<()>> {
    // Asked again while it spills, it looks once more.
    Worker::start("spiller", 1, manager, move |manager, ()| {
        // Others allocate meanwhile; whatever is left when nothing more can be moved stays until the next call.
        while manager.used() > stop
            && manager.free_up(manager.used().saturating_sub(stop), Cause::Watermark, &[]) > 0
        {}
    })
}
