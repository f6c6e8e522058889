//! A network from a file that is dropped on the page or fetched: any that the library knows, found by its contents.
//!
//! No code is compiled for it. The reference interpreter evaluates it, in milliseconds where compiled code takes less than one in a thousand.

use std::io::Read;

use nnue::{Color, PieceKind, Position, stockfish};
use nnue_format::Tensors;
use nnue_spec::NetDesc;
use nnue_spec::reference::{Board, evaluate_parts};
use nnue_tools::{StreamError, Streamed, read_stream};

/// A description and the weights of a file.
pub(crate) struct Dropped {
    name: &'static str,
    spec: &'static NetDesc<'static>,
    tensors: Tensors,
}

impl Dropped {
    /// The network in a file, read to its end, or what is wrong with it.
    pub(crate) fn read(
        file: impl Read,
        default: &'static NetDesc<'static>,
        attempt: usize,
    ) -> Result<Self, StreamError> {
        let known: Vec<_> = std::iter::once(("default", default))
            .chain(stockfish::ALL.iter().copied())
            .collect();
        let specs: Vec<_> = known.iter().map(|(_, spec)| *spec).collect();
        let Streamed { net, tensors, .. } = read_stream(file, &specs, attempt)?;
        let (name, spec) = known[net];
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
