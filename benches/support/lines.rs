//! The positions and lines of play that are measured: those of the vectors.

use std::rc::Rc;

use nnue::shakmaty::change_of;
use nnue::{Change, Color, Placed};
use nnue_testkit::board::Board as PlainBoard;
use nnue_testkit::games::{Game, suite_fens, vector_games};
use nnue_testkit::sample;
use shakmaty::Position as _;

use super::Board;

/// Most plies of a line, and positions of a section.
pub(crate) const LONGEST: usize = 16;

/// A position and moves from there on.
pub(crate) struct Line {
    /// the position before the first move
    pub(crate) root: Board,
    /// the moves
    pub(crate) steps: Vec<Step>,
}

/// A move.
pub(crate) struct Step {
    /// what it changes
    pub(crate) change: Change,
    /// the position after it
    pub(crate) board: Board,
}

/// A position and all its legal moves.
pub(crate) struct Family {
    /// the position
    pub(crate) parent: Board,
    /// what the moves change
    pub(crate) moves: Vec<Change>,
}

/// The data of the workloads.
pub(crate) struct Play {
    /// the games cut at king moves into runs of at most 16 plies: in each of these plies every accumulator of every
    /// feature set can be updated incrementally
    pub(crate) normal: Rc<[Line]>,
    /// the games cut into runs of at most 16 plies of any kind
    pub(crate) any: Rc<[Line]>,
    /// the positions of the suite
    pub(crate) suite: Rc<[Board]>,
    /// one position in 16 of the games
    pub(crate) families: Rc<[Family]>,
}

impl Play {
    /// All games and positions, or the sample that the environment selects.
    pub(crate) fn new() -> Self {
        let games: Vec<Game> = vector_games().into_iter().step_by(sample()).collect();
        let no_king = |change: &Change| !Color::ALL.iter().any(|&color| change.touches_king(color));
        Self {
            normal: games.iter().flat_map(|game| cut(game, no_king)).collect(),
            any: games.iter().flat_map(|game| cut(game, |_| true)).collect(),
            families: games.iter().flat_map(families).collect(),
            suite: suite_fens()
                .iter()
                .step_by(sample())
                .map(|fen| Board::from(&PlainBoard::from_fen(fen)))
                .collect(),
        }
    }
}

/// The lines of a game: a move that is not `wanted` ends a line, and the next one starts after it.
fn cut(game: &Game, wanted: impl Fn(&Change) -> bool) -> Vec<Line> {
    let mut now = game.start.clone();
    let mut lines = vec![Line {
        root: seen(&now),
        steps: Vec::new(),
    }];
    for &chess_move in &game.moves {
        let before = seen(&now);
        now.play_unchecked(chess_move);
        let board = seen(&now);
        let change = difference(&before, &board);
        if !wanted(&change) {
            lines.push(Line {
                root: board,
                steps: Vec::new(),
            });
            continue;
        }
        if lines.last().is_none_or(|line| line.steps.len() == LONGEST) {
            lines.push(Line {
                root: before,
                steps: Vec::new(),
            });
        }
        if let Some(line) = lines.last_mut() {
            line.steps.push(Step { change, board });
        }
    }
    lines.retain(|line| !line.steps.is_empty());
    lines
}

/// One position in [`LONGEST`] of a game.
fn families(game: &Game) -> Vec<Family> {
    let family = |position: &shakmaty::Chess| {
        let moves = position
            .legal_moves()
            .iter()
            .map(|&m| change_of(position, &m))
            .collect();
        Family {
            parent: seen(position),
            moves,
        }
    };
    let positions = game.positions();
    positions
        .iter()
        .step_by(LONGEST)
        .map(family)
        .filter(|family| !family.moves.is_empty())
        .collect()
}

fn seen(position: &shakmaty::Chess) -> Board {
    Board::from(&PlainBoard::from_position(position))
}

/// What changed between two positions.
fn difference(before: &Board, after: &Board) -> Change {
    let [before, after] = [before, after].map(|board| board.placed().collect::<Vec<Placed>>());
    Change::new(&before, &after)
        .expect("a move takes at most two pieces off and puts at most two down")
}
