//! A set of small numbers: insertion, removal and membership in constant time, listing in the number of members.

use alloc::vec;
use alloc::vec::Vec;

/// A set of numbers below a limit.
#[derive(Clone, Debug)]
pub(super) struct Members {
    members: Vec<u32>,
    /// the members before the last [`Self::clear`]
    cleared: Vec<u32>,
    /// by number, its place in `members`; meaningless if that place has another number
    places: Vec<u32>,
}

impl Members {
    pub(super) fn below(limit: u32) -> Self {
        Self {
            members: Vec::new(),
            cleared: Vec::new(),
            places: vec![0; limit as usize],
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.members
    }

    #[inline]
    fn place(&self, number: u32) -> Option<usize> {
        let place = *self.places.get(number as usize)? as usize;
        (self.members.get(place) == Some(&number)).then_some(place)
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.place(number).is_some()
    }

    /// Inserts a number below the limit. Returns whether it was not a member.
    #[inline]
    pub(super) fn insert(&mut self, number: u32) -> bool {
        if self.place(number).is_some() {
            return false;
        }
        self.places[number as usize] = self.members.len() as u32;
        self.members.push(number);
        true
    }

    /// Removes a number. Returns whether it was a member.
    #[inline]
    pub(super) fn remove(&mut self, number: u32) -> bool {
        let Some(place) = self.place(number) else {
            return false;
        };
        self.members.swap_remove(place);
        if let Some(&moved) = self.members.get(place) {
            self.places[moved as usize] = place as u32;
        }
        true
    }

    /// Removes all members, which [`Self::put_back`] can bring back.
    pub(super) fn clear(&mut self) {
        core::mem::swap(&mut self.members, &mut self.cleared);
        self.members.clear();
    }

    /// Replaces all members by those before the last [`Self::clear`].
    pub(super) fn put_back(&mut self) {
        core::mem::swap(&mut self.members, &mut self.cleared);
        for (place, &number) in self.members.iter().enumerate() {
            self.places[number as usize] = place as u32;
        }
    }
}
