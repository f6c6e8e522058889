//! The backends of this crate.

use crate::chess::Chess;
use crate::game::Game;
use crate::registry::Backends;
use crate::{adapters, backends, lc0};

impl Backends<Chess> {
    /// All backends of this crate. The program adds those of its declared networks.
    pub fn standard() -> Self {
        let mut backends = Self::for_any_game();
        backends.add(backends::trivial::entry());
        backends.add(lc0::entry());
        backends.add(lc0::reference_entry());
        backends
    }
}

impl<G: Game> Backends<G> {
    /// Backends that do not depend on the rules of a game: `random`, and all adapters.
    pub fn for_any_game() -> Self {
        let mut backends = Self::none();
        backends.add(backends::random::entry());
        adapters::entries()
            .into_iter()
            .for_each(|entry| backends.add(entry));
        backends
    }
}

impl<G: Game> Default for Backends<G> {
    fn default() -> Self {
        Self::for_any_game()
    }
}
