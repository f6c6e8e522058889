//! The subnets and terms of a move.

use crate::kernel::subnets::Listed;

/// Most terms of a move.
const MOST_TERMS: usize = 4;

/// The subnets of a move, a pair for each of the `PRODUCTS` products of the declaration, and the
/// terms that are added to its logit.
///
/// ```
/// use nnue_runtime::subnets::Move;
/// // `dot(relu(from), relu(to)) + terms[6]`: from e2 to e4, and term 5, which all moves have
/// let e4 = Move::of([[12, 28]]).plus(5);
/// # let _ = e4;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<const PRODUCTS: usize> {
    subnets: [[u16; 2]; PRODUCTS],
    terms: [u16; MOST_TERMS],
    count: u8,
}

impl<const PRODUCTS: usize> Move<PRODUCTS> {
    /// A move with these subnets: for each product, the subnet of its first group and that of its
    /// second.
    pub const fn of(subnets: [[u16; 2]; PRODUCTS]) -> Self {
        Self {
            subnets,
            terms: [0; MOST_TERMS],
            count: 0,
        }
    }

    /// Adds a term, after those before it.
    ///
    /// # Panics
    ///
    /// If it has four already.
    #[must_use]
    pub const fn plus(mut self, term: u16) -> Self {
        assert!(
            (self.count as usize) < MOST_TERMS,
            "a move has up to 4 terms"
        );
        self.terms[self.count as usize] = term;
        self.count += 1;
        self
    }
}

/// [`Move`] with any number of products.
pub trait Named: Copy + Send + Sync + sealed::Sealed + 'static {
    /// Products per move.
    const PRODUCTS: usize;
}

impl<const PRODUCTS: usize> Named for Move<PRODUCTS> {
    const PRODUCTS: usize = PRODUCTS;
}

pub(super) mod sealed {
    /// Only [`Move`](super::Move) implements [`Named`](super::Named).
    pub trait Sealed: super::Listed {}

    impl<const PRODUCTS: usize> Sealed for super::Move<PRODUCTS> {}
}

impl<const PRODUCTS: usize> Listed for Move<PRODUCTS> {
    #[inline(always)]
    fn subnets(&self) -> &[[u16; 2]] {
        &self.subnets
    }

    #[inline(always)]
    fn terms(&self) -> &[u16] {
        &self.terms[..self.count.into()]
    }
}
