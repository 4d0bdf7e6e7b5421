//! Preserves the caller's CUDA context across calls into this library.

/// The CUDA context that was current on this thread, or none; restored on drop.
///
/// A call on a GPU makes that GPU's primary context current and leaves it so. A program that uses this
/// library does not mind. A foreign consumer that only releases memory, on any thread and with its own
/// context current, would: functions that foreign code calls begin with this. Without CUDA it does nothing.
#[must_use = "the caller's context is restored when this is dropped"]
pub struct CallersContext {
    #[cfg(feature = "cuda")]
    context: Option<super::cuda::Current>,
}

impl CallersContext {
    /// Records the current context. Does not call the driver before this library has opened it.
    pub fn keep() -> Self {
        Self {
            #[cfg(feature = "cuda")]
            context: super::cuda::Current::of_this_thread(),
        }
    }
}

impl Drop for CallersContext {
    fn drop(&mut self) {
        #[cfg(feature = "cuda")]
        if let Some(context) = &self.context {
            context.make_current();
        }
    }
}

impl std::fmt::Debug for CallersContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallersContext").finish_non_exhaustive()
    }
}
