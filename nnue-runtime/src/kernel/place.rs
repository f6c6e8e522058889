//! The source and the targets of the sums of a pass, as slices of vectors of neurons or of PSQT
//! values.
//!
//! The kernels are compiled for each kind of place, because a check at run time would be repeated
//! for every tile.

/// The source of the sums, and the targets of the sums of pieces and of all sums. All slices have
/// the same length, but `start` may be empty.
pub(super) trait Place<T> {
    /// The start values; empty if the sums start from zero.
    fn start(&self) -> &[T];

    /// The target of the sums of pieces.
    #[inline(always)]
    fn cached(&mut self) -> Option<&mut [T]> {
        None
    }

    /// Values to add to the sums of pieces, and values to subtract.
    #[inline(always)]
    fn replaced(&self) -> Option<[&[T]; 2]> {
        None
    }

    /// The target of all sums.
    fn target(&mut self) -> &mut [T];
}

/// `target = source` changed by all rows.
pub(super) struct Move<'a, T> {
    pub(super) source: &'a [T],
    pub(super) target: &'a mut [T],
}

impl<T> Place<T> for Move<'_, T> {
    #[inline(always)]
    fn start(&self) -> &[T] {
        self.source
    }

    #[inline(always)]
    fn target(&mut self) -> &mut [T] {
        self.target
    }
}

/// `cached` is changed by the rows of pieces, or restarts from `bias`; `target = cached` changed by
/// the rows of pairs.
pub(super) struct Renew<'a, T> {
    pub(super) bias: Option<&'a [T]>,
    pub(super) cached: &'a mut [T],
    pub(super) target: &'a mut [T],
}

impl<T> Place<T> for Renew<'_, T> {
    #[inline(always)]
    fn start(&self) -> &[T] {
        match self.bias {
            Some(bias) => bias,
            None => self.cached,
        }
    }

    #[inline(always)]
    fn cached(&mut self) -> Option<&mut [T]> {
        Some(self.cached)
    }

    #[inline(always)]
    fn target(&mut self) -> &mut [T] {
        self.target
    }
}

/// [`Renew`] with `target = source - left + cached`.
pub(super) struct Replace<'a, T> {
    pub(super) source: &'a [T],
    pub(super) left: &'a [T],
    pub(super) cached: &'a mut [T],
    pub(super) target: &'a mut [T],
}

impl<T> Place<T> for Replace<'_, T> {
    #[inline(always)]
    fn start(&self) -> &[T] {
        self.cached
    }

    #[inline(always)]
    fn cached(&mut self) -> Option<&mut [T]> {
        Some(self.cached)
    }

    #[inline(always)]
    fn replaced(&self) -> Option<[&[T]; 2]> {
        Some([self.source, self.left])
    }

    #[inline(always)]
    fn target(&mut self) -> &mut [T] {
        self.target
    }
}
