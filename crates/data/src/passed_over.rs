//! What readers pass over because nothing can be learned from it.

use std::fmt;

/// Games and positions that a reader has passed over, although nothing is wrong with them.
///
/// ```
/// use nnue_data::{Format, Reader};
///
/// let mut reader = Reader::new(Format::Pgn, &b"[Result \"1-0\"] 1. e4 e5 {[%eval 0.2]} 2. Nf3 1-0"[..]);
/// assert_eq!(reader.by_ref().count(), 1);
/// assert_eq!(reader.passed_over().to_string(), "1 position without an evaluation");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// games without a result
    pub unfinished: Counts,
    /// games without any evaluation
    pub silent: Counts,
    /// positions without an evaluation in other games, but for their first and last
    pub positions: u64,
}

/// Games, and their positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// games
    pub games: u64,
    /// positions in which a move was played
    pub positions: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, positions: usize) {
        self.games += 1;
        self.positions += positions as u64;
    }

    fn text(self, what: &str) -> Option<String> {
        let Self { games, positions } = self;
        let all = [number(games, "game"), number(positions, "position")];
        (games > 0).then(|| format!("{} without {what} ({})", all[0], all[1]))
    }
}

impl PassedOver {
    /// Whether nothing was passed over.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = (self.positions > 0)
            .then(|| number(self.positions, "position") + " without an evaluation");
        let parts = [
            self.unfinished.text("a result"),
            self.silent.text("an evaluation"),
            positions,
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

fn number(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
