//! Positions from FENs.
//!
//! A network evaluates any arrangement of pieces, so a position need not be legal: the side to move may give check, pawns may
//! stand anywhere. What the feature sets rely on is required: eight ranks of eight squares, one king each, at most 32 pieces.

use nnue::{Color, PieceKind};
use shakmaty::fen::Fen;
use shakmaty::{Board, Position, Role, Setup};

/// Most pieces that the accumulators and buckets are made for.
const MAX_PIECES: usize = 32;

/// A position as an engine has it: twelve bitboards and the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// by colour, by kind
    sets: [[u64; 6]; 2],
    turn: Color,
}

impl nnue::Position for Placement {
    #[inline(always)]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.sets[color.index()][kind.index()]
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.turn
    }
}

impl Placement {
    /// The position that `fen` describes, or what is wrong with it.
    pub(crate) fn parse(fen: &str) -> Result<Self, String> {
        setup(fen).map(|setup| Self::new(&setup.board, setup.turn))
    }

    /// A position of a game.
    pub(crate) fn of(position: &impl Position) -> Self {
        Self::new(position.board(), position.turn())
    }

    fn new(board: &Board, turn: shakmaty::Color) -> Self {
        let sets = [shakmaty::Color::White, shakmaty::Color::Black]
            .map(|color| Role::ALL.map(|role| (board.by_color(color) & board.by_role(role)).into()));
        Self { sets, turn: turn.into() }
    }

    /// The pieces one by one: colour, kind, square.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Color, PieceKind, usize)> {
        let all = Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
        let squares = |set: u64| (0..64).filter(move |square| set >> square & 1 == 1);
        all.flat_map(move |(color, kind)| {
            squares(self.sets[color.index()][kind.index()]).map(move |square| (color, kind, square))
        })
    }

    /// Whether Black moves next.
    pub(crate) fn black_to_move(&self) -> bool {
        self.turn == Color::Black
    }

    /// The same for the reference interpreter.
    pub(crate) fn plain(&self) -> nnue_spec::reference::Board {
        let pieces = self.iter().map(|(color, kind, square)| (color == Color::Black, kind.index(), square));
        nnue_spec::reference::Board::new(pieces, self.black_to_move())
    }
}

/// The set-up that `fen` describes, with exactly one king each and at most 32 pieces, or what is wrong with it.
pub(crate) fn setup(fen: &str) -> Result<Setup, String> {
    let fen = fen.trim();
    check_placement(fen.split([' ', '_']).next().unwrap_or_default())?;
    let setup = fen.parse::<Fen>().map_err(|error| format!("not a FEN: {error}"))?.into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err("not a FEN of ordinary chess: it has pockets or counts checks".into());
    }
    for (color, name) in [(shakmaty::Color::White, "white"), (shakmaty::Color::Black, "black")] {
        match (setup.board.by_color(color) & setup.board.by_role(Role::King)).count() {
            0 => return Err(format!("{name} has no king")),
            1 => {}
            kings => return Err(format!("{name} has {kings} kings")),
        }
    }
    match setup.board.occupied().count() {
        pieces if pieces > MAX_PIECES => Err(format!("{pieces} pieces, at most {MAX_PIECES} are possible")),
        _ => Ok(setup),
    }
}

/// Judges the first field of a FEN in words that say where the mistake is.
fn check_placement(field: &str) -> Result<(), String> {
    if field.is_empty() {
        return Err("not a FEN: it is empty".into());
    }
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!(
            "not a FEN: {} {}, a board has 8",
            ranks.len(),
            if ranks.len() == 1 { "rank" } else { "ranks" }
        ));
    }
    for (rank, text) in (1..=8).rev().zip(ranks) {
        let mut files = 0;
        for symbol in text.chars() {
            files += match symbol {
                '1'..='8' => symbol as usize - '0' as usize,
                _ if "pnbrqkPNBRQK".contains(symbol) => 1,
                _ => return Err(format!("not a FEN: `{}` in rank {rank} is no piece", symbol.escape_default())),
            };
        }
        if files != 8 {
            return Err(format!("not a FEN: rank {rank} has {files} squares, not 8"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_positions_are_accepted() {
        // white to move gives check, pawns on the first rank, bare turn
        for fen in ["k7/1Q6/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/PPP1K3 b", "4k3/8/8/8/8/8/8/4K3"] {
            assert!(Placement::parse(fen).is_ok(), "{fen}");
        }
        assert_eq!(Placement::parse(crate::input::START).map(|position| position.iter().count()), Ok(32));
    }

    #[test]
    fn every_mistake_has_its_message() {
        let cases = [
            ("", "not a FEN: it is empty"),
            ("hello", "not a FEN: 1 rank, a board has 8"),
            ("8/8/8/8/8/8/8/8/8 w - - 0 1", "not a FEN: 9 ranks, a board has 8"),
            ("k7/8/8/8/8/8/8/K7/Q w - - 0 1", "not a FEN: 9 ranks, a board has 8"),
            ("k7/8/8/8/8/8/8/K8 w - - 0 1", "not a FEN: rank 1 has 9 squares, not 8"),
            ("k7/8/8/8/8/7/8/K7 w - - 0 1", "not a FEN: rank 3 has 7 squares, not 8"),
            ("k7/8/8/8/8/7x/8/K7 w - - 0 1", "not a FEN: `x` in rank 3 is no piece"),
            ("k7/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
            ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "white has 2 kings"),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "not a FEN: invalid turn"),
            ("k7/8/8/8/8/8/8/K7[Q] w - - 0 1", "not a FEN: `[` in rank 1 is no piece"),
            ("kqqqqqqq/8/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/K7 w - - 0 1", "33 pieces, at most 32 are possible"),
        ];
        for (fen, message) in cases {
            let error = Placement::parse(fen).expect_err(fen);
            assert!(error.starts_with(message), "{fen}: {error}");
        }
    }
}
