//! The interface of games: positions with their history, and moves.

use crate::digest::Digest;

/// A game: its position and move types. The type itself is only a marker.
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
    /// A move.
    type Move: Clone + Send + Sync + 'static;

    /// Calls `word` with everything that distinguishes positions: the words of two positions are equal
    /// exactly if the positions are. They must be the same in every run and on every machine, because files
    /// depend on them.
    fn words(position: &Self::Position, word: impl FnMut(u64));

    /// An integer that is unique among the moves of a position, also the same everywhere.
    fn move_word(mv: &Self::Move) -> u64;
}

/// A position to evaluate, with its history and legal moves.
pub struct Sample<'a, G: Game> {
    /// positions of the game, the oldest first, the one to evaluate last; not empty
    pub history: &'a [G::Position],
    /// legal moves for the policy, in any order
    pub moves: &'a [G::Move],
}

impl<G: Game> Clone for Sample<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Sample<'_, G> {}

impl<'a, G: Game> Sample<'a, G> {
    /// The position to evaluate; `None` if the history is empty.
    pub fn position(&self) -> Option<&'a G::Position> {
        self.history.last()
    }

    /// The sample with at most the last `count` positions.
    #[must_use]
    pub fn last(self, count: usize) -> Self {
        Self {
            history: &self.history[self.history.len().saturating_sub(count)..],
            ..self
        }
    }

    /// Digest of the last `history` positions and of the moves in their order, which is that of the policy.
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

/// Outputs requested in addition to the value. Backends do not compute the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// move probabilities
    pub policy: bool,
    /// draw probability
    pub draws: bool,
    /// plies left
    pub moves_left: bool,
}

impl Wanted {
    /// All outputs of the backend.
    pub const ALL: Self = Self {
        policy: true,
        draws: true,
        moves_left: true,
    };
    /// Only the value.
    pub const VALUE: Self = Self {
        policy: false,
        draws: false,
        moves_left: false,
    };
}
