//! The rules of chess, written once for all engines here: a board with its legal moves, short and slow. Nothing of this file knows of networks.
//!
//! Engines differ in how they number squares and pieces, which is a [`Layout`]. Moves come in the same order in every layout, so that the same
//! search visits the same nodes.

use std::marker::PhantomData;

/// White or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    White,
    Black,
}

impl Color {
    const ALL: [Self; 2] = [Self::White, Self::Black];

    pub(crate) fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The direction of its pawns.
    fn forward(self) -> i8 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }

    /// The rank on which its king begins.
    fn home(self) -> i8 {
        match self {
            Self::White => 0,
            Self::Black => 7,
        }
    }
}

/// A piece without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    fn letter(self) -> char {
        b"pnbrqk"[self as usize].into()
    }
}

/// The piece number of an empty square.
pub(crate) const EMPTY: u8 = 12;

/// How an engine numbers squares and pieces.
pub(crate) trait Layout: Copy {
    /// The number of the square at a file and a rank, both from 0 to 7; its own inverse in the rank.
    fn square(file: i8, rank: i8) -> u8;
    /// The number of a piece, below 12.
    fn piece(color: Color, kind: Kind) -> u8;
    /// What [`piece`](Self::piece) numbered; `None` for an empty square.
    fn color_kind(number: u8) -> Option<(Color, Kind)>;

    /// File and rank of a square.
    fn coordinates(square: u8) -> (i8, i8) {
        let [file, row] = [square % 8, square / 8].map(|it| it as i8);
        (file, (Self::square(0, row) / 8) as i8)
    }
}

/// a1 is 0, b1 is 1; pieces are `2 * kind + color`.
#[derive(Clone, Copy)]
pub(crate) enum A1 {}

impl Layout for A1 {
    fn square(file: i8, rank: i8) -> u8 {
        (8 * rank + file) as u8
    }
    fn piece(color: Color, kind: Kind) -> u8 {
        2 * kind as u8 + color as u8
    }
    fn color_kind(number: u8) -> Option<(Color, Kind)> {
        let kind = Kind::ALL.get(usize::from(number / 2))?;
        Some((Color::ALL[usize::from(number % 2)], *kind))
    }
}

/// a8 is 0, b8 is 1; pieces are `6 * color + kind`.
#[derive(Clone, Copy)]
pub(crate) enum A8 {}

impl Layout for A8 {
    fn square(file: i8, rank: i8) -> u8 {
        (8 * (7 - rank) + file) as u8
    }
    fn piece(color: Color, kind: Kind) -> u8 {
        6 * color as u8 + kind as u8
    }
    fn color_kind(number: u8) -> Option<(Color, Kind)> {
        let color = Color::ALL.get(usize::from(number / 6))?;
        Some((*color, Kind::ALL[usize::from(number % 6)]))
    }
}

/// A move, and what is special about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) special: Special,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    None,
    EnPassant,
    /// of the king, which moves two squares; the rook's squares
    Castling {
        from: u8,
        to: u8,
    },
    Promotion(Kind),
}

/// What taking a move back needs besides the move.
#[derive(Clone, Copy)]
pub(crate) struct Undo {
    captured: u8,
    castling: [[bool; 2]; 2],
    en_passant: Option<u8>,
}

/// A position: 64 squares, and the same pieces as bitboards.
#[derive(Clone, Copy)]
pub(crate) struct Board<L> {
    /// piece numbers, or [`EMPTY`]
    pub(crate) squares: [u8; 64],
    /// by colour and kind; bit `n` is square `n`
    pub(crate) bitboards: [[u64; 6]; 2],
    pub(crate) mover: Color,
    /// by colour: short, long
    castling: [[bool; 2]; 2],
    /// the square that a pawn has just passed
    en_passant: Option<u8>,
    layout: PhantomData<L>,
}

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl<L: Layout> Board<L> {
    /// The position of a FEN, or `None` if the text is none.
    pub(crate) fn of_fen(fen: &str) -> Option<Self> {
        let mut fields = fen.split_whitespace();
        let mut board = Self {
            squares: [EMPTY; 64],
            bitboards: [[0; 6]; 2],
            mover: Color::White,
            castling: [[false; 2]; 2],
            en_passant: None,
            layout: PhantomData,
        };
        for (row, text) in fields.next()?.split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(9) {
                    Some(empty) => file += empty as i8,
                    None => {
                        let color = if letter.is_ascii_uppercase() {
                            Color::White
                        } else {
                            Color::Black
                        };
                        let is_letter = |kind: &Kind| kind.letter() == letter.to_ascii_lowercase();
                        let kind = Kind::ALL.into_iter().find(is_letter)?;
                        if row > 7 || file > 7 {
                            return None;
                        }
                        board.put(color, kind, L::square(file, 7 - row as i8));
                        file += 1;
                    }
                }
            }
        }
        board.mover = match fields.next()? {
            "w" => Color::White,
            _ => Color::Black,
        };
        let rights = fields.next()?;
        board.castling = [['K', 'Q'], ['k', 'q']].map(|side| side.map(|it| rights.contains(it)));
        board.en_passant = Self::square_of(fields.next()?);
        let has_king = |color: &[u64; 6]| color[Kind::King as usize].count_ones() == 1;
        board.bitboards.iter().all(has_king).then_some(board)
    }

    fn square_of(text: &str) -> Option<u8> {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else {
            return None;
        };
        Some(L::square((file - b'a') as i8, (rank - b'1') as i8))
    }

    pub(crate) fn piece_on(&self, square: u8) -> Option<(Color, Kind)> {
        L::color_kind(self.squares[usize::from(square)])
    }

    fn is_empty(&self, square: u8) -> bool {
        self.squares[usize::from(square)] == EMPTY
    }

    fn king(&self, color: Color) -> u8 {
        self.bitboards[color as usize][Kind::King as usize].trailing_zeros() as u8
    }

    fn put(&mut self, color: Color, kind: Kind, square: u8) {
        self.squares[usize::from(square)] = L::piece(color, kind);
        self.bitboards[color as usize][kind as usize] |= 1 << square;
    }

    /// Takes the piece off a square, if there is one, and gives its number.
    fn take(&mut self, square: u8) -> u8 {
        if let Some((color, kind)) = self.piece_on(square) {
            self.bitboards[color as usize][kind as usize] &= !(1 << square);
        }
        std::mem::replace(&mut self.squares[usize::from(square)], EMPTY)
    }

    fn shift(&mut self, from: u8, to: u8) {
        if let Some((color, kind)) = self.piece_on(from) {
            self.take(from);
            self.put(color, kind, to);
        }
    }

    /// Where the piece stands that `mv` captures, if it captures one.
    pub(crate) fn captured_on(&self, mv: Move) -> u8 {
        match mv.special {
            Special::EnPassant => {
                let ((_, rank), (file, _)) = (L::coordinates(mv.from), L::coordinates(mv.to));
                L::square(file, rank)
            }
            _ => mv.to,
        }
    }

    pub(crate) fn make(&mut self, mv: Move) -> Undo {
        let (castling, en_passant) = (self.castling, self.en_passant.take());
        let captured = self.take(self.captured_on(mv));
        let moved = self.piece_on(mv.from);
        self.shift(mv.from, mv.to);
        match mv.special {
            Special::None | Special::EnPassant => {}
            Special::Castling { from, to } => self.shift(from, to),
            Special::Promotion(kind) => {
                self.take(mv.to);
                self.put(self.mover, kind, mv.to);
            }
        }
        let ((file, from), (_, to)) = (L::coordinates(mv.from), L::coordinates(mv.to));
        if moved == Some((self.mover, Kind::Pawn)) && (to - from).abs() == 2 {
            self.en_passant = Some(L::square(file, (from + to) / 2));
        }
        for color in Color::ALL {
            for (right, rook) in [7, 0].into_iter().enumerate() {
                let squares = [rook, 4].map(|file| L::square(file, color.home()));
                if squares.contains(&mv.from) || squares.contains(&mv.to) {
                    self.castling[color as usize][right] = false;
                }
            }
        }
        self.mover = self.mover.other();
        Undo {
            captured,
            castling,
            en_passant,
        }
    }

    pub(crate) fn unmake(&mut self, mv: Move, undo: Undo) {
        self.mover = self.mover.other();
        match mv.special {
            Special::None | Special::EnPassant => {}
            Special::Castling { from, to } => self.shift(to, from),
            Special::Promotion(_) => {
                self.take(mv.to);
                self.put(self.mover, Kind::Pawn, mv.to);
            }
        }
        self.shift(mv.to, mv.from);
        if let Some((victim, kind)) = L::color_kind(undo.captured) {
            self.put(victim, kind, self.captured_on(mv));
        }
        (self.castling, self.en_passant) = (undo.castling, undo.en_passant);
    }

    /// The side to move passes.
    pub(crate) fn pass(&mut self) -> Undo {
        self.mover = self.mover.other();
        Undo {
            captured: EMPTY,
            castling: self.castling,
            en_passant: self.en_passant.take(),
        }
    }

    pub(crate) fn take_pass_back(&mut self, undo: Undo) {
        self.mover = self.mover.other();
        self.en_passant = undo.en_passant;
    }

    fn step(square: u8, (file, rank): (i8, i8)) -> Option<u8> {
        let (from_file, from_rank) = L::coordinates(square);
        let (file, rank) = (from_file + file, from_rank + rank);
        (0..8).contains(&file).then_some(())?;
        (0..8).contains(&rank).then(|| L::square(file, rank))
    }

    /// The squares from `square` in a direction, up to the first piece and with it.
    fn ray(&self, square: u8, direction: (i8, i8)) -> impl Iterator<Item = u8> {
        let mut next = Self::step(square, direction);
        std::iter::from_fn(move || {
            let here = next?;
            next = self
                .is_empty(here)
                .then(|| Self::step(here, direction))
                .flatten();
            Some(here)
        })
    }

    /// Whether a piece of `by` attacks `square`.
    fn is_attacked(&self, square: u8, by: Color) -> bool {
        let has = |at: u8, kinds: &[Kind]| {
            kinds
                .iter()
                .any(|&kind| self.squares[usize::from(at)] == L::piece(by, kind))
        };
        let near = |steps: &[(i8, i8)], kind: Kind| {
            steps
                .iter()
                .filter_map(|&step| Self::step(square, step))
                .any(|at| has(at, &[kind]))
        };
        let far = |steps: &[(i8, i8)], kind: Kind| {
            steps
                .iter()
                .filter_map(|&step| self.ray(square, step).last())
                .any(|at| has(at, &[kind, Kind::Queen]))
        };
        near(&KNIGHT, Kind::Knight)
            || near(&[(1, -by.forward()), (-1, -by.forward())], Kind::Pawn)
            || near(&STRAIGHT, Kind::King)
            || near(&DIAGONAL, Kind::King)
            || far(&STRAIGHT, Kind::Rook)
            || far(&DIAGONAL, Kind::Bishop)
    }

    pub(crate) fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.mover), self.mover.other())
    }

    /// All legal moves: by rank and file of the piece, whatever the layout.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        for (rank, file) in (0..64).map(|at| (at / 8, at % 8)) {
            let from = L::square(file, rank);
            match self.piece_on(from) {
                Some((color, kind)) if color == self.mover => {
                    self.moves_of(kind, from, &mut moves);
                }
                _ => {}
            }
        }
        moves.retain(|&mv| {
            let mut next = *self;
            next.make(mv);
            !next.is_attacked(next.king(self.mover), next.mover)
        });
        moves
    }

    fn moves_of(&self, kind: Kind, from: u8, moves: &mut Vec<Move>) {
        let is_own = |at: u8| {
            self.piece_on(at)
                .is_some_and(|(color, _)| color == self.mover)
        };
        let mut add = |to: u8| {
            if !is_own(to) {
                let special = Special::None;
                moves.push(Move { from, to, special });
            }
        };
        let mut leap = |steps: &[(i8, i8)]| {
            let targets = steps.iter().filter_map(|&step| Self::step(from, step));
            targets.for_each(&mut add);
        };
        match kind {
            Kind::Pawn => self.pawn_moves(from, moves),
            Kind::Knight => leap(&KNIGHT),
            Kind::King => {
                leap(&STRAIGHT);
                leap(&DIAGONAL);
                self.castlings(from, moves);
            }
            Kind::Bishop | Kind::Rook | Kind::Queen => {
                let (bishop, rook) = (kind != Kind::Rook, kind != Kind::Bishop);
                let diagonal = DIAGONAL.iter().filter(|_| bishop);
                let straight = STRAIGHT.iter().filter(|_| rook);
                for &direction in diagonal.chain(straight) {
                    self.ray(from, direction).for_each(&mut add);
                }
            }
        }
    }

    fn pawn_moves(&self, from: u8, moves: &mut Vec<Move>) {
        let forward = self.mover.forward();
        let home = self.mover.home() + forward;
        let last = self.mover.other().home();
        let mut add = |to: u8| {
            if L::coordinates(to).1 == last {
                for kind in Kind::PROMOTIONS {
                    let special = Special::Promotion(kind);
                    moves.push(Move { from, to, special });
                }
            } else {
                // straight ahead no pawn comes to this square: the enemy's pawn that has just passed it stands before it
                let special = if Some(to) == self.en_passant {
                    Special::EnPassant
                } else {
                    Special::None
                };
                moves.push(Move { from, to, special });
            }
        };
        let enemy = |at: u8| {
            self.piece_on(at)
                .is_some_and(|(color, _)| color != self.mover)
        };
        for step in [(-1, forward), (1, forward)] {
            Self::step(from, step)
                .filter(|&to| enemy(to) || Some(to) == self.en_passant)
                .into_iter()
                .for_each(&mut add);
        }
        let ahead = Self::step(from, (0, forward)).filter(|&to| self.is_empty(to));
        let twice = ahead
            .filter(|_| L::coordinates(from).1 == home)
            .and_then(|at| Self::step(at, (0, forward)))
            .filter(|&to| self.is_empty(to));
        ahead.into_iter().chain(twice).for_each(&mut add);
    }

    fn castlings(&self, from: u8, moves: &mut Vec<Move>) {
        let at = |file: i8| L::square(file, self.mover.home());
        let rights = self.castling[self.mover as usize];
        for (right, rook, to, rook_to, between) in [
            (rights[0], 7, 6, 5, &[5, 6][..]),
            (rights[1], 0, 2, 3, &[1, 2, 3]),
        ] {
            if right
                && between.iter().all(|&file| self.is_empty(at(file)))
                && !self.is_check()
                && !self.is_attacked(at(rook_to), self.mover.other())
            {
                let special = Special::Castling {
                    from: at(rook),
                    to: at(rook_to),
                };
                let to = at(to);
                moves.push(Move { from, to, special });
            }
        }
    }

    /// What a capture wins, for the order of moves: 0 for a quiet move, more for a greater piece.
    pub(crate) fn gain(&self, mv: Move) -> u8 {
        let victim = self.piece_on(self.captured_on(mv));
        victim.map_or(0, |(_, kind)| kind as u8 + 1)
            + u8::from(mv.special == Special::Promotion(Kind::Queen))
    }

    /// The legal moves, captures of great pieces first.
    pub(crate) fn ordered_moves(&self) -> Vec<Move> {
        let mut moves = self.legal_moves();
        moves.sort_by_key(|&mv| std::cmp::Reverse(self.gain(mv)));
        moves
    }

    /// How many lines of `depth` legal moves there are.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let below = |mv: Move| {
            let mut board = *self;
            let undo = board.make(mv);
            let nodes = board.perft(depth - 1);
            board.unmake(mv, undo);
            assert!(board.squares == self.squares && board.bitboards == self.bitboards);
            nodes
        };
        moves.into_iter().map(below).sum()
    }

    /// A move as UCI writes it.
    pub(crate) fn uci(mv: Move) -> String {
        let square = |square: u8| {
            let (file, rank) = L::coordinates(square);
            format!("{}{}", char::from(b'a' + file as u8), rank + 1)
        };
        let promotion = match mv.special {
            Special::Promotion(kind) => kind.letter().to_string(),
            _ => String::new(),
        };
        square(mv.from) + &square(mv.to) + &promotion
    }
}
