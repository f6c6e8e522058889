//! Where the sums of a pass start and where they go, as slices of vectors of neurons or of PSQT values.
//!
//! The kernels are compiled for each kind of place. Asked at run time, the kind would be asked for every tile.

/// Where sums start, what becomes of the sums of pieces, and where all sums go. All slices have the same length, but `start` may be empty.
pub(super) trait Place<T> {
    /// What the sums start from; nothing if they start from zero.
    fn start(&self) -> &[T];

    /// Where the sums of pieces go.
    #[inline(always)]
    fn cached(&mut self) -> Option<&mut [T]> {
        None
    }

    /// What is added to the sums of pieces, and what is subtracted.
    #[inline(always)]
    fn replaced(&self) -> Option<[&[T]; 2]> {
        None
    }

    /// Where all sums go.
    fn target(&mut self) -> &mut [T];
}

/// `target = source`, changed by all rows.
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

/// `cached` changes by the rows of pieces, or starts again from `bias`; `target = cached`, changed by the rows of pairs.
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

/// As [`Renew`], but `target = source - left + cached`.
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
