//! 11: a game with pieces in hand: shogi.
//!
//! Shows: features that depend on the own king's square on a board of 9 x 9, pieces in hand as features, and layer stacks that are chosen
//! by a function of your own.
//!
//! ```
//! row = 1534 * own king's square                                              81 squares, as the side sees them
//!     + 729 * enemy + 81 * plane + square                 a piece on the board, 9 planes; golds and small promoted pieces share one
//!     + 1458 + 38 * enemy + first of the kind + i         at least i + 1 pieces of the kind in hand
//! ```
//!
//! Only the rules that matter to a network are here: check, mate and forbidden drops are left out, and kings are not captured.
//!
//! Run: `cargo run --example 11_shogi`
//!
//! ```text
//! Shogi: HalfKpHands[124254] -> 64x2 -> (16 -> 1)x4 by a function
//! ply   0:  0 pieces in hand, stack 0, value 214
//! ply  40:  2 pieces in hand, stack 1, value 1147
//! ply  80:  3 pieces in hand, stack 1, value 289
//! ply 120:  2 pieces in hand, stack 1, value 224
//! ply 160:  3 pieces in hand, stack 1, value 659
//! ply 200:  3 pieces in hand, stack 1, value -135
//! ```

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::spec::TensorMut;
use nnue::{AccumulatorStack, Color, Model, Network, Parameters, nnue};

/// The kind of a piece; the first seven can be in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pawn,
    Lance,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
    King,
    PromotedPawn,
    PromotedLance,
    PromotedKnight,
    PromotedSilver,
    Horse,
    Dragon,
}

use Kind::*;

/// The kinds that can be in hand, and how many of each there are.
pub(crate) const IN_HAND: [(Kind, u32); 7] = [
    (Pawn, 18),
    (Lance, 4),
    (Knight, 4),
    (Silver, 4),
    (Gold, 4),
    (Bishop, 2),
    (Rook, 2),
];

/// A step to the side and forward.
type Step = (i32, i32);

const STRAIGHT: [Step; 4] = [(0, 1), (-1, 0), (1, 0), (0, -1)];
const DIAGONAL: [Step; 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];
const ALL_AROUND: [Step; 8] = [
    (0, 1),
    (-1, 0),
    (1, 0),
    (0, -1),
    (-1, 1),
    (1, 1),
    (-1, -1),
    (1, -1),
];
const OF_GOLD: [Step; 6] = [(0, 1), (-1, 0), (1, 0), (0, -1), (-1, 1), (1, 1)];
const OF_SILVER: [Step; 5] = [(0, 1), (-1, 1), (1, 1), (-1, -1), (1, -1)];

impl Kind {
    /// Single steps, and directions in which it moves any distance.
    fn moves(self) -> (&'static [Step], &'static [Step]) {
        match self {
            Pawn => (&[(0, 1)], &[]),
            Lance => (&[], &[(0, 1)]),
            Knight => (&[(-1, 2), (1, 2)], &[]),
            Silver => (&OF_SILVER, &[]),
            Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => {
                (&OF_GOLD, &[])
            }
            Bishop => (&[], &DIAGONAL),
            Rook => (&[], &STRAIGHT),
            King => (&ALL_AROUND, &[]),
            Horse => (&STRAIGHT, &DIAGONAL),
            Dragon => (&DIAGONAL, &STRAIGHT),
        }
    }

    fn promoted(self) -> Self {
        match self {
            Pawn => PromotedPawn,
            Lance => PromotedLance,
            Knight => PromotedKnight,
            Silver => PromotedSilver,
            Bishop => Horse,
            Rook => Dragon,
            other => other,
        }
    }

    /// Its kind in the hand of the player who captured it, as an index into [`IN_HAND`].
    pub(crate) fn in_hand(self) -> usize {
        match self {
            PromotedPawn => Pawn as usize,
            PromotedLance => Lance as usize,
            PromotedKnight => Knight as usize,
            PromotedSilver => Silver as usize,
            Horse => Bishop as usize,
            Dragon => Rook as usize,
            other => other as usize,
        }
    }

    /// Its plane among the features; kings have none.
    pub(crate) fn plane(self) -> Option<u32> {
        Some(match self {
            King => return None,
            Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => Gold as u32,
            Horse => 7,
            Dragon => 8,
            other => other as u32,
        })
    }
}

/// A piece on a square, counted from the first player's left corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) color: Color,
    pub(crate) kind: Kind,
    pub(crate) square: u32,
}

/// A piece in hand: the last one of its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) kind: usize,
    /// the number of pieces of its kind before it
    pub(crate) before: u32,
}

/// The change of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) mover: Color,
    /// the piece that moves leaves this square ..
    pub(crate) from: Option<Placed>,
    /// .. or the hand
    pub(crate) dropped: Option<Held>,
    pub(crate) to: Placed,
    /// captured ..
    pub(crate) taken: Option<Placed>,
    /// .. and in hand
    pub(crate) gained: Option<Held>,
}

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) pieces: [Option<(Color, Kind)>; 81],
    /// by colour and kind
    pub(crate) hands: [[u32; 7]; 2],
    pub(crate) to_move: Color,
}

impl Board {
    pub(crate) fn start() -> Self {
        let mut pieces = [None; 81];
        let back = [
            Lance, Knight, Silver, Gold, King, Gold, Silver, Knight, Lance,
        ];
        let mut put = |square: usize, kind| {
            pieces[square] = Some((Color::White, kind));
            pieces[80 - square] = Some((Color::Black, kind));
        };
        back.into_iter()
            .enumerate()
            .for_each(|(file, kind)| put(file, kind));
        (18..27).for_each(|square| put(square, Pawn));
        put(10, Bishop);
        put(16, Rook);
        Self {
            pieces,
            hands: [[0; 7]; 2],
            to_move: Color::White,
        }
    }

    /// The square of the king; the first square if there is none.
    pub(crate) fn king(&self, color: Color) -> u32 {
        self.pieces
            .iter()
            .position(|piece| *piece == Some((color, King)))
            .unwrap_or(0) as u32
    }

    /// The pieces on the board.
    pub(crate) fn placed(&self) -> impl Iterator<Item = Placed> {
        let squares = self.pieces.iter().zip(0..);
        squares.filter_map(|(piece, square)| {
            piece.map(|(color, kind)| Placed {
                color,
                kind,
                square,
            })
        })
    }

    /// All moves.
    pub(crate) fn moves(&self) -> Vec<Change> {
        let mut moves = Vec::new();
        for piece in self.placed().filter(|piece| piece.color == self.to_move) {
            let (steps, slides) = piece.kind.moves();
            steps
                .iter()
                .for_each(|&step| self.walk(piece, step, 1, &mut moves));
            slides
                .iter()
                .for_each(|&step| self.walk(piece, step, 8, &mut moves));
        }
        let hand = self.hands[self.to_move.index()];
        for (kind, &count) in hand.iter().enumerate().filter(|(_, count)| **count > 0) {
            let empty = (0..81).filter(|square| self.pieces[*square as usize].is_none());
            moves.extend(empty.map(|square| {
                let to = Placed {
                    color: self.to_move,
                    kind: IN_HAND[kind].0,
                    square,
                };
                let dropped = Some(Held {
                    kind,
                    before: count - 1,
                });
                Change {
                    mover: self.to_move,
                    from: None,
                    dropped,
                    to,
                    taken: None,
                    gained: None,
                }
            }));
        }
        moves
    }

    /// The moves of a piece in one direction. A piece that reaches the last three ranks or leaves them is promoted.
    fn walk(&self, from: Placed, (side, forward): Step, most: i32, moves: &mut Vec<Change>) {
        let (mover, sign) = (from.color, if from.color == Color::White { 1 } else { -1 });
        for steps in 1..=most {
            let file = (from.square % 9) as i32 + steps * side;
            let rank = (from.square / 9) as i32 + sign * steps * forward;
            if !(0..9).contains(&file) || !(0..9).contains(&rank) {
                return;
            }
            let square = (9 * rank + file) as u32;
            let met = self.pieces[square as usize];
            if met.is_some_and(|(color, kind)| color == mover || kind == King) {
                return;
            }
            let in_zone = |square: u32| {
                if mover == Color::White {
                    square >= 54
                } else {
                    square < 27
                }
            };
            let promotes = in_zone(from.square) || in_zone(square);
            let kind = if promotes {
                from.kind.promoted()
            } else {
                from.kind
            };
            let taken = met.map(|(color, kind)| Placed {
                color,
                kind,
                square,
            });
            let gained = taken.map(|piece| piece.kind.in_hand());
            let gained = gained.map(|kind| Held {
                kind,
                before: self.hands[mover.index()][kind],
            });
            let to = Placed {
                color: mover,
                kind,
                square,
            };
            moves.push(Change {
                mover,
                from: Some(from),
                dropped: None,
                to,
                taken,
                gained,
            });
            if met.is_some() {
                return;
            }
        }
    }

    /// Makes a move.
    pub(crate) fn play(&mut self, change: &Change) {
        if let Some(from) = change.from {
            self.pieces[from.square as usize] = None;
        }
        self.pieces[change.to.square as usize] = Some((change.to.color, change.to.kind));
        let hand = &mut self.hands[change.mover.index()];
        if let Some(dropped) = change.dropped {
            hand[dropped.kind] -= 1;
        }
        if let Some(gained) = change.gained {
            hand[gained.kind] += 1;
        }
        self.to_move = change.mover.other();
    }
}

/// The own king's square x (piece or piece in hand).
pub(crate) struct HalfKpHands;

/// Features for each square of the own king.
const STRIDE: u32 = 1534;

/// The feature of a piece on the board, as `side` sees it; kings have none.
fn on_board(piece: Placed, side: Color, king: u32) -> Option<u32> {
    let enemy = u32::from(piece.color != side);
    Some(STRIDE * king + 729 * enemy + 81 * piece.kind.plane()? + seen(piece.square, side))
}

/// The feature of a piece in the hand of `owner`, as `side` sees it.
fn in_hand(held: Held, owner: Color, side: Color, king: u32) -> u32 {
    let first: u32 = IN_HAND[..held.kind].iter().map(|(_, count)| count).sum();
    STRIDE * king + 1458 + 38 * u32::from(owner != side) + first + held.before
}

/// The second player sees the board from the other end.
fn seen(square: u32, side: Color) -> u32 {
    if side == Color::White {
        square
    } else {
        80 - square
    }
}

impl Inputs for HalfKpHands {
    type Position = Board;
    type Change = Change;
    /// The own king's square, as the side sees it. A move of the king changes the view, which is all that a refresh needs.
    type View = u32;
    const ROWS: usize = 81 * STRIDE as usize;
    /// One accumulator is kept for each square of the king.
    const SLOTS: usize = 81;

    fn side_to_move(board: &Board) -> Color {
        board.to_move
    }

    fn view(board: &Board, side: Color) -> u32 {
        seen(board.king(side), side)
    }

    fn slot(king: u32) -> usize {
        king as usize
    }

    fn active(board: &Board, side: Color, king: u32, rows: &mut Rows) {
        board
            .placed()
            .filter_map(|piece| on_board(piece, side, king))
            .for_each(|row| rows.add(row));
        for (owner, hand) in Color::ALL.into_iter().zip(board.hands) {
            for (kind, count) in hand.into_iter().enumerate() {
                (0..count)
                    .for_each(|before| rows.add(in_hand(Held { kind, before }, owner, side, king)));
            }
        }
    }

    fn changed(change: &Change, side: Color, king: u32, rows: &mut ChangedRows) {
        let leaving = [change.from, change.taken].into_iter().flatten();
        leaving
            .filter_map(|piece| on_board(piece, side, king))
            .for_each(|row| rows.remove(row));
        on_board(change.to, side, king)
            .into_iter()
            .for_each(|row| rows.add(row));
        let held = |held| in_hand(held, change.mover, side, king);
        change
            .dropped
            .into_iter()
            .for_each(|dropped| rows.remove(held(dropped)));
        change
            .gained
            .into_iter()
            .for_each(|gained| rows.add(held(gained)));
    }
}

/// The layer stack: it depends on the number of pieces in hand.
pub(crate) fn stack_by_hands(board: &Board) -> usize {
    let held: u32 = board.hands.iter().flatten().sum();
    (held as usize).div_ceil(4).min(3)
}

nnue! {
    /// Four stacks of layers. Of 124254 inputs at most 38 are active at once: all pieces but the kings.
    pub(crate) struct Shogi = self::HalfKpHands[124254, active 38] -> 64x2 -> (16 -> 1)x4 by stack_by_hands;
}

/// Small random weights.
fn network() -> Network<Shogi> {
    let mut params = ShogiParams::zeroed();
    let mut state = 1_u64;
    let mut next = |most: i32| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as i32 % (2 * most + 1) - most
    };
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(60) as i8),
            TensorMut::I16(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(30) as i16),
            TensorMut::I32(weights) => weights.iter_mut().for_each(|weight| *weight = next(2000)),
            TensorMut::F32(_) => {}
        }
    }
    Network::from_params(params)
}

fn main() {
    println!("{}: {}", Shogi::SPEC.name, Shogi::SPEC.notation);
    let (network, mut stack) = (network(), AccumulatorStack::new());
    let mut board = Board::start();
    for ply in 0..=200 {
        let evaluation = network.evaluate(&board, &mut stack);
        assert_eq!(
            evaluation,
            network.evaluate_fresh(&board),
            "incremental or from scratch: the same"
        );
        if ply % 40 == 0 {
            let held: u32 = board.hands.iter().flatten().sum();
            println!(
                "ply {ply:3}: {held:2} pieces in hand, stack {}, value {}",
                evaluation.bucket, evaluation.value
            );
        }
        let moves = board.moves();
        let capture = moves
            .iter()
            .find(|change| change.taken.is_some() && ply % 3 == 0);
        let change = capture.unwrap_or(&moves[(37 * ply + 11) % moves.len()]);
        board.play(change);
        stack.push(*change);
    }
}
