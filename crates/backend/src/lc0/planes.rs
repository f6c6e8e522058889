//! Encodes positions as input planes.

use nnue_data::{BitBoard, Color, Piece, Position};

use super::InputFormat;
use super::history::{self, HistoryFill};
use super::transform::{Board, Transform};

/// Number of planes.
pub const PLANES: usize = 112;

/// Planes per position, and number of positions.
const BOARD: usize = 13;
const POSITIONS: usize = 8;

/// The planes after those of the positions.
const CASTLING: usize = BOARD * POSITIONS;
const SIDE: usize = CASTLING + 4;
const CLOCK: usize = CASTLING + 5;
const ARMAGEDDON: usize = CASTLING + 6;
const ONES: usize = CASTLING + 7;

/// 112 planes: for each, a set of squares and their value. About 1.3 KB; encoding does not allocate.
///
/// ```
/// use nnue_backend::lc0::{HistoryFill, InputFormat, Planes};
/// use nnue_data::Position;
///
/// let start: Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
/// let planes = Planes::encode(&[start], InputFormat::Classical, HistoryFill::FenOnly).ok_or("no position")?;
/// assert_eq!(planes.masks[0], 0xFF00); // own pawns
/// assert_eq!((planes.masks[109], planes.values[109]), (u64::MAX, 0.0)); // the halfmove clock
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Planes {
    /// squares of each plane that have its value; the others are 0
    pub masks: [u64; PLANES],
    /// value of each plane: 1 except for the clock
    pub values: [f32; PLANES],
    /// transform of the board, which applies to moves as well
    pub transform: Transform,
}

impl Planes {
    /// Encodes the last position of a history (the oldest first); `None` if the history is empty.
    ///
    /// Repetitions are searched in the whole history: pass it back to the last capture or pawn move before
    /// the last eight positions, or all of it.
    pub fn encode(history: &[Position], format: InputFormat, fill: HistoryFill) -> Option<Self> {
        let position = history.last()?;
        let view = View {
            position,
            us: position.side_to_move(),
        };
        let mut planes = Self {
            masks: [0; PLANES],
            values: [1.0; PLANES],
            transform: Transform::NONE,
        };
        planes.put_positions(&view, history, format, fill);
        planes.put_rest(&view, history, format);
        if format.is_canonical() && position.castling().is_empty() {
            planes.turn(Transform::of(&view.board()));
        }
        Some(planes)
    }

    /// The planes as dense values: 64 for each, a1 first.
    pub fn write_to(&self, numbers: &mut [f32; 64 * PLANES]) {
        let (planes, _) = numbers.as_chunks_mut::<64>();
        for (numbers, (&mask, &value)) in planes.iter_mut().zip(self.masks.iter().zip(&self.values))
        {
            for (square, number) in numbers.iter_mut().enumerate() {
                *number = if mask >> square & 1 != 0 { value } else { 0.0 };
            }
        }
    }

    /// Up to eight last positions, from now back, as far as the format goes.
    fn put_positions(
        &mut self,
        now: &View<'_>,
        history: &[Position],
        format: InputFormat,
        fill: HistoryFill,
    ) {
        let newest = history.len() - 1;
        let (mut slot, mut ago) = (0, 0);
        while slot < POSITIONS {
            let missing = ago > newest;
            let index = newest.saturating_sub(ago);
            let position = &history[index];
            if missing && (format.has_only_repetitions() || !fills(fill, &history[0])) {
                break;
            }
            // canonical formats end the history where a repetition is no longer possible
            let is_over = position.castling() != now.position.castling()
                || ago > 0 && history::en_passant(history, index).is_some();
            if format.is_canonical() && is_over {
                break;
            }
            let repeated = history::is_repeated(history, index);
            if ago == 0 || repeated || !format.has_only_repetitions() {
                let view = View {
                    position,
                    us: now.us,
                };
                let planes = &mut self.masks[BOARD * slot..][..BOARD];
                view.put(planes, repeated);
                if missing {
                    view.undo_double_push(planes);
                }
                slot += 1;
            }
            if format.is_canonical() && position.halfmove_clock() == 0 {
                break;
            }
            ago += 1;
        }
    }

    /// The other planes: castling rights, side to move or en passant, clock, ones.
    fn put_rest(&mut self, view: &View<'_>, history: &[Position], format: InputFormat) {
        let sides = view.castling();
        if format.has_rook_squares() {
            let [[our_a, our_h], [their_a, their_h]] = sides;
            self.masks[CASTLING] = our_a | their_a;
            self.masks[CASTLING + 1] = our_h | their_h;
        } else {
            for (plane, rooks) in self.masks[CASTLING..]
                .iter_mut()
                .zip(sides.into_iter().flatten())
            {
                *plane = ones(rooks != 0);
            }
        }
        let black = ones(view.us == Color::Black);
        self.masks[SIDE] = if format.is_canonical() {
            let square = history::en_passant(history, history.len() - 1);
            square.map_or(0, |square| 1 << (56 + square.file() as u32))
        } else {
            black
        };
        let clock = f32::from(view.position.halfmove_clock());
        self.masks[CLOCK] = u64::MAX;
        self.values[CLOCK] = if format.is_in_hundredths() {
            clock / 100.0
        } else {
            clock
        };
        self.masks[ARMAGEDDON] = if format.is_armageddon() { black } else { 0 };
        self.masks[ONES] = u64::MAX;
    }

    /// Transforms all planes of squares.
    fn turn(&mut self, transform: Transform) {
        self.masks[..CLOCK]
            .iter_mut()
            .for_each(|mask| *mask = transform.mask(*mask));
        self.transform = transform;
    }
}

const fn ones(all: bool) -> u64 {
    if all { u64::MAX } else { 0 }
}

/// Whether missing positions are filled with the oldest one.
fn fills(fill: HistoryFill, oldest: &Position) -> bool {
    match fill {
        HistoryFill::No => false,
        HistoryFill::FenOnly => !history::is_start(oldest),
        HistoryFill::Always => true,
    }
}

/// A position from one side's point of view.
struct View<'a> {
    position: &'a Position,
    us: Color,
}

impl View<'_> {
    /// Squares from this side's point of view.
    fn of(&self, squares: BitBoard) -> u64 {
        if self.us == Color::White {
            squares.0
        } else {
            squares.0.swap_bytes()
        }
    }

    fn pieces(&self, color: Color, piece: Piece) -> u64 {
        self.of(self.position.colored(color, piece))
    }

    /// The pieces of both sides, and whether the position is a repetition.
    fn put(&self, planes: &mut [u64], repeated: bool) {
        for (kind, piece) in Piece::ALL.into_iter().enumerate() {
            planes[kind] = self.pieces(self.us, piece);
            planes[6 + kind] = self.pieces(!self.us, piece);
        }
        planes[12] = ones(repeated);
    }

    /// Moves a pawn that can be captured en passant back to its start.
    fn undo_double_push(&self, planes: &mut [u64]) {
        let Some(square) = self.position.en_passant() else {
            return;
        };
        let file = square.file() as u32;
        if self.position.side_to_move() == self.us {
            planes[6] ^= (1 << (48 + file)) | (1 << (32 + file)); // theirs: from rank 5 to rank 7
        } else {
            planes[0] ^= (1 << (8 + file)) | (1 << (24 + file)); // ours: from rank 4 to rank 2
        }
    }

    /// The rooks that can castle: ours and theirs, each on the side of file a and of file h.
    fn castling(&self) -> [[u64; 2]; 2] {
        [self.us, !self.us].map(|color| {
            let rooks = (self.position.castling() & self.position.color(color)).0;
            let before_king = (1_u64 << self.position.king(color) as u32) - 1; // of the rooks, all on the king's rank
            [rooks & before_king, rooks & !before_king].map(|rooks| self.of(BitBoard(rooks)))
        })
    }

    fn board(&self) -> Board {
        let [ours, theirs] = [self.us, !self.us].map(|color| self.of(self.position.color(color)));
        Board {
            ours,
            theirs,
            pieces: Piece::ALL.map(|piece| self.of(self.position.pieces(piece))),
        }
    }
}
