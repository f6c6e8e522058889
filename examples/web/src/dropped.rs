//! A network from a file that is dropped on the page: any that the library knows, found by its contents.
//!
//! No code is compiled for it. The reference interpreter evaluates it, in milliseconds where compiled code takes less than one in a thousand.

use std::io::Cursor;

use nnue::{Color, PieceKind, Position, stockfish};
use nnue_format::Tensors;
use nnue_spec::NetDesc;
use nnue_spec::reference::{Board, evaluate_parts};
use nnue_tools::recognise;

/// A description and the weights of a file.
pub(crate) struct Dropped {
    name: &'static str,
    spec: &'static NetDesc<'static>,
    tensors: Tensors,
}

impl Dropped {
    /// The network in a file, or what is wrong with the file.
    pub(crate) fn read(file: &[u8], default: &'static NetDesc<'static>) -> Result<Self, String> {
        let known: Vec<_> = std::iter::once(("default", default))
            .chain(stockfish::ALL.iter().copied())
            .collect();
        let specs: Vec<_> = known.iter().map(|(_, spec)| *spec).collect();
        let found = recognise(Cursor::new(file), &specs).map_err(|error| error.to_string())?;
        let (name, spec) = known[found.candidates[0]];
        let (_, tensors) = Tensors::read(spec, file).map_err(|error| error.to_string())?;
        Ok(Self {
            name,
            spec,
            tensors,
        })
    }

    /// What the library calls its declaration.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The value for White.
    pub(crate) fn white(&self, position: &impl Position) -> i32 {
        let board = plain(position);
        let parts = evaluate_parts(self.spec, &self.tensors.refs(), &board);
        let value = self.spec.value_of(
            parts.psqt,
            parts.output.positional(self.spec.value),
            board.black_to_move,
        );
        if board.black_to_move { -value } else { value }
    }
}

/// The position as the interpreter has it.
fn plain(position: &impl Position) -> Board {
    let all = Color::ALL
        .into_iter()
        .flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
    let pieces = all.flat_map(|(color, kind)| {
        let set = position.pieces(color, kind);
        let squares = (0..64).filter(move |square| set >> square & 1 == 1);
        squares.map(move |square| (color == Color::Black, kind.index(), square))
    });
    Board::new(pieces, position.side_to_move() == Color::Black)
}

/// A position without the piece on a square.
pub(crate) struct Without<'p, P> {
    pub(crate) position: &'p P,
    pub(crate) square: u32,
}

impl<P: Position> Position for Without<'_, P> {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.position.pieces(color, kind) & !(1 << self.square)
    }

    fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }
}
