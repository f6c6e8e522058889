//! `nnue-rs`: networks of Stockfish, through its documented incremental interface.

use std::rc::Rc;

use nnue::{Architecture, Color, Encoding, PieceKind, Placed, Position as _};
use nnue_rs::{Accumulator, Network};

use crate::support::{Board, LONGEST, Line, Record, Workload};

/// The peer's copy of a network file of architecture `A`. It reads feature transformers only as LEB128 blocks, and threats only as
/// bytes between them.
pub(crate) fn load<A: Architecture>(bytes: &[u8]) -> Network {
    let mut network = nnue::Network::<A>::from_bytes(bytes).expect("a network of this generation");
    let of_threats = A::SPEC.features.len() > 1;
    network.header_mut().encoding = if of_threats {
        Encoding::Leb128JointPsqt
    } else {
        Encoding::Leb128
    };
    let mut encoded = Vec::new();
    network
        .write(&mut encoded)
        .expect("a vector takes everything");
    Network::from_bytes(&encoded).expect("a network that the peer knows")
}

impl nnue_rs::Board for Board {
    #[inline]
    fn side_to_move(&self) -> nnue_rs::Color {
        color(nnue::Position::side_to_move(self))
    }
    #[inline]
    fn king_square(&self, color: nnue_rs::Color) -> u8 {
        self.king(if color == nnue_rs::Color::White {
            Color::White
        } else {
            Color::Black
        })
        .index() as u8
    }
    #[inline]
    fn for_each_piece(&self, f: &mut dyn FnMut(u8, nnue_rs::Piece)) {
        for placed in self.placed() {
            let (square, piece) = foreign(placed);
            f(square, piece);
        }
    }
}

const fn color(color: Color) -> nnue_rs::Color {
    match color {
        Color::White => nnue_rs::Color::White,
        Color::Black => nnue_rs::Color::Black,
    }
}

const fn foreign(placed: Placed) -> (u8, nnue_rs::Piece) {
    let kind = match placed.piece.kind() {
        PieceKind::Pawn => nnue_rs::PieceKind::Pawn,
        PieceKind::Knight => nnue_rs::PieceKind::Knight,
        PieceKind::Bishop => nnue_rs::PieceKind::Bishop,
        PieceKind::Rook => nnue_rs::PieceKind::Rook,
        PieceKind::Queen => nnue_rs::PieceKind::Queen,
        PieceKind::King => nnue_rs::PieceKind::King,
    };
    (
        placed.square.index() as u8,
        nnue_rs::Piece {
            color: color(placed.piece.color()),
            kind,
        },
    )
}

/// A line with the changes in the peer's types, made outside the clock.
struct ForeignLine {
    root: Board,
    steps: Vec<ForeignStep>,
}

struct ForeignStep {
    removed: Box<[(u8, nnue_rs::Piece)]>,
    added: Box<[(u8, nnue_rs::Piece)]>,
    board: Board,
}

impl From<&Line> for ForeignLine {
    fn from(line: &Line) -> Self {
        let list = |placed: &[Placed]| placed.iter().copied().map(foreign).collect();
        let steps = line.steps.iter().map(|step| ForeignStep {
            removed: list(step.change.removed()),
            added: list(step.change.added()),
            board: step.board,
        });
        Self {
            root: line.root,
            steps: steps.collect(),
        }
    }
}

/// Per ply: `update_changes` (the change is known, as in a search) into an allocated slot, then `evaluate_accumulator`.
pub(crate) struct Plies {
    network: Rc<Network>,
    slots: Slots,
    lines: Vec<ForeignLine>,
}

impl Plies {
    pub(crate) fn new(network: &Rc<Network>, lines: &[Line]) -> Self {
        Self {
            network: Rc::clone(network),
            slots: Slots::default(),
            lines: lines.iter().map(Into::into).collect(),
        }
    }
}

impl Workload for Plies {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &self.lines {
            let slots = self.slots.rooted(&self.network, line);
            record.time(|values| {
                let mut board = &line.root;
                for (ply, step) in line.steps.iter().enumerate() {
                    advance(&self.network, slots, ply, board, step);
                    values.push(evaluate(&self.network, &slots[ply + 1], &step.board));
                    board = &step.board;
                }
            });
        }
    }
}

/// Per evaluation: `evaluate_accumulator` on the computed accumulators of a line, from its end back to its start.
pub(crate) struct Forward {
    network: Rc<Network>,
    slots: Slots,
    lines: Vec<ForeignLine>,
}

impl Forward {
    pub(crate) fn new(network: &Rc<Network>, lines: &[Line]) -> Self {
        Self {
            network: Rc::clone(network),
            slots: Slots::default(),
            lines: lines.iter().map(Into::into).collect(),
        }
    }
}

impl Workload for Forward {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &self.lines {
            let slots = self.slots.rooted(&self.network, line);
            let mut board = &line.root;
            for (ply, step) in line.steps.iter().enumerate() {
                advance(&self.network, slots, ply, board, step);
                evaluate(&self.network, &slots[ply + 1], &step.board);
                board = &step.board;
            }
            record.time(|values| {
                for (step, slot) in line.steps.iter().zip(&slots[1..]).rev() {
                    values.push(evaluate(&self.network, slot, &step.board));
                }
            });
        }
    }
}

/// Per position: `refresh` of an allocated accumulator, then `evaluate_accumulator`.
pub(crate) struct Refresh {
    network: Rc<Network>,
    slot: Accumulator,
    boards: Rc<[Board]>,
}

impl Refresh {
    pub(crate) fn new(network: &Rc<Network>, boards: &Rc<[Board]>) -> Self {
        Self {
            network: Rc::clone(network),
            slot: network.empty_accumulator(),
            boards: Rc::clone(boards),
        }
    }
}

impl Workload for Refresh {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for boards in self.boards.chunks(LONGEST) {
            record.time(|values| {
                for board in boards {
                    self.network.refresh(board, &mut self.slot);
                    values.push(evaluate(&self.network, &self.slot, board));
                }
            });
        }
    }
}

/// The accumulators of a line; the first is the root's.
#[derive(Default)]
struct Slots(Vec<Accumulator>);

impl Slots {
    fn rooted(&mut self, network: &Network, line: &ForeignLine) -> &mut [Accumulator] {
        let missing = (line.steps.len() + 1).saturating_sub(self.0.len());
        self.0
            .extend(std::iter::repeat_with(|| network.empty_accumulator()).take(missing));
        network.refresh(&line.root, &mut self.0[0]);
        &mut self.0
    }
}

/// Fills slot `ply + 1` from slot `ply`, whose position is `before`.
#[inline(always)]
fn advance(
    network: &Network,
    slots: &mut [Accumulator],
    ply: usize,
    before: &Board,
    step: &ForeignStep,
) {
    let (parents, children) = slots.split_at_mut(ply + 1);
    network.update_changes(
        before,
        &step.board,
        &step.removed,
        &step.added,
        &parents[ply],
        &mut children[0],
    );
}

#[inline(always)]
fn evaluate(network: &Network, slot: &Accumulator, board: &Board) -> i32 {
    network.evaluate_accumulator(slot, nnue_rs::Board::side_to_move(board))
}
