//! Memory of evaluations from scratch, which a network keeps for the next one: allocating it takes longer than
//! adding the rows of a small network.

use super::scratch::Scratch;
use super::transformer::Accumulator;

/// What one evaluation from scratch needs.
pub(super) struct Fresh {
    /// by side
    pub(super) accumulators: [Accumulator; 2],
    pub(super) scratch: Scratch,
}

/// Memory that is not in use: that of [`Self::MOST`] evaluations, however many threads there were.
#[derive(Default)]
pub(super) struct Spare {
    #[cfg(feature = "std")]
    kept: std::sync::Mutex<alloc::vec::Vec<Fresh>>,
}

impl Spare {
    /// Calls `evaluate` with memory that no other thread uses: what is kept, or what `new` gives.
    pub(super) fn with<R>(
        &self,
        new: impl FnOnce() -> Fresh,
        evaluate: impl FnOnce(&mut Fresh) -> R,
    ) -> R {
        let mut fresh = self.take().unwrap_or_else(new);
        let result = evaluate(&mut fresh);
        self.put(fresh);
        result
    }
}

#[cfg(feature = "std")]
impl Spare {
    const MOST: usize = 16;

    /// Nothing if another thread is taking memory just now.
    fn take(&self) -> Option<Fresh> {
        self.kept.try_lock().ok()?.pop()
    }

    fn put(&self, fresh: Fresh) {
        if let Ok(mut kept) = self.kept.try_lock()
            && kept.len() < Self::MOST
        {
            kept.push(fresh);
        }
    }
}

/// Without threads to lock for, memory is allocated for each evaluation.
#[cfg(not(feature = "std"))]
impl Spare {
    fn take(&self) -> Option<Fresh> {
        None
    }

    fn put(&self, fresh: Fresh) {
        drop(fresh);
    }
}
