//! What is evaluated: positions of a game with their history, and their moves.

use crate::digest::Digest;

/// A game: what its positions and its moves are. The type itself is only a name.
///
/// ```
/// use nnue_backend::Game;
///
/// /// Tic-tac-toe: the squares of both players, and a square as a move.
/// struct Noughts;
///
/// impl Game for Noughts {
///     type Position = [u16; 2];
///     type Move = u8;
///
///     fn words(position: &[u16; 2], mut word: impl FnMut(u64)) {
///         position.iter().for_each(|&squares| word(squares.into()));
///     }
///
///     fn move_word(square: &u8) -> u64 {
///         (*square).into()
///     }
/// }
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// A position.
    type Position: Clone + Send + Sync + 'static;
    /// A move in some position.
    type Move: Clone + Send + Sync + 'static;

    /// Gives `word` everything that tells two positions apart: equal positions give the same words, others do not. They are the same in every
    /// run and on every machine, because files depend on them.
    fn words(position: &Self::Position, word: impl FnMut(u64));

    /// A number of a move that no other move of the same position has, also the same everywhere.
    fn move_word(mv: &Self::Move) -> u64;
}

/// A position to be evaluated: how it came about, and what can be played.
pub struct Sample<'a, G: Game> {
    /// the positions of the game so far, the oldest first, the one to be evaluated last; at least that one
    pub history: &'a [G::Position],
    /// the legal moves, over which the policy is asked for, in any order
    pub moves: &'a [G::Move],
}

impl<G: Game> Clone for Sample<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Sample<'_, G> {}

impl<'a, G: Game> Sample<'a, G> {
    /// The position to be evaluated; `None` if the history is empty.
    pub fn position(&self) -> Option<&'a G::Position> {
        self.history.last()
    }

    /// The same sample with no more than the last `count` positions.
    #[must_use]
    pub fn last(self, count: usize) -> Self {
        Self {
            history: &self.history[self.history.len().saturating_sub(count)..],
            ..self
        }
    }

    /// A number that tells samples apart by their last `history` positions and their moves, in the order in which they are given: a policy has it, too.
    pub fn digest(&self, history: usize) -> u128 {
        let mut digest = Digest::new();
        let history = self.last(history).history;
        history
            .iter()
            .for_each(|position| G::words(position, |word| digest.word(word)));
        digest.word(history.len() as u64);
        self.moves
            .iter()
            .for_each(|mv| digest.word(G::move_word(mv)));
        digest.finish()
    }
}

/// What is wanted beside the value. Backends do not compute what nobody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// the probabilities of the moves
    pub policy: bool,
    /// the share of draws
    pub draws: bool,
    /// the plies that are left
    pub moves_left: bool,
}

impl Wanted {
    /// Everything that the backend has.
    pub const ALL: Self = Self {
        policy: true,
        draws: true,
        moves_left: true,
    };
    /// Nothing but the value.
    pub const VALUE: Self = Self {
        policy: false,
        draws: false,
        moves_left: false,
    };
}
