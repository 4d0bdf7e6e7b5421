//! What foreign code finds unchanged after it has called this library.

/// The CUDA context that was current on this thread, or none: current again when this is dropped.
///
/// A call on a GPU makes that GPU's primary context current and leaves it so. That is nothing to a program that calls this
/// library to work with it, but to one that hands back memory, on any thread and with a context of its own current, it
/// would be a surprise: functions that foreign code calls begin with this. Without CUDA it does nothing.
#[must_use = "the caller's context comes back when this is dropped"]
pub struct CallersContext {
    #[cfg(feature = "cuda")]
    context: Option<super::cuda::Current>,
}

impl CallersContext {
    /// Remembers what is current now. The driver is not asked before something here has opened it.
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
