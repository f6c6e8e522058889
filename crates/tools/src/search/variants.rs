//! Networks of Fairy-Stockfish: the head of Stockfish's second network, over the rows of a variant.
//!
//! ```text
//!   hash of the transformer = constant ^ values of the accumulators      ► neurons
//!   length of the file = a + b * rows                                    ► rows
//!   rows = kings * (planes * squares + 2 * kinds * places in hand)       ► variants that have as many
//! ```

use std::fmt;

use nnue_format::{Prelude, Tensors};
use nnue_spec::{NetDesc, TensorDesc, TensorRole};

use super::doubt;
use super::found::Guess;
use super::request::Search;

/// The declaration of one variant.
const VARIANTS: &str = include_str!("declared_variants.rs");

/// Its rows and neurons.
const SET: &str = "self::HalfKaPockets[55296, active 64]";
const WIDTH: &str = " -> 64x2,";
const NEURONS: u32 = 64;

/// The set of chess, which is built in.
const CHESS: (usize, &str) = (45056, "HalfKAv2[45056]");

/// What a declaration over other sets has besides.
const OF_PROGRAM: [&str; 2] = [" by self::by_pieces", " { features: 0x5F234CB8 }"];

/// Boards that are named, of those with as many rows.
const NAMED: usize = 3;

/// The guess that a container is a network of a variant.
pub(super) fn of_container(file: &[u8], search: &Search<'_>) -> Option<Guess> {
    let (rows, width) = sizes(file, search)?;
    let declaration = declaration(search.name, rows, width)?;
    let plan = (search.compile)(&declaration)?;
    let tables = plan.tables();
    let net = tables.descriptor();
    let (_, tensors) = Tensors::read(&net, file).ok()?;
    Some(Guess {
        declaration,
        shape: format!("Fairy-Stockfish with {width} neurons and {rows} rows"),
        doubt: doubt::unusual(&net, &tensors),
        scale: None,
        unknown: unknown(rows),
    })
}

/// Rows and neurons of a container, by its hashes and its length.
fn sizes(file: &[u8], search: &Search<'_>) -> Option<(usize, usize)> {
    let compile = |width| (search.compile)(&declaration(search.name, SOME_ROWS, width as usize)?);
    let plan = compile(NEURONS)?;
    let tables = plan.tables();
    let net = tables.descriptor();
    let prelude = Prelude::read(file, &[&net]).ok()?;
    let width = NEURONS ^ ((prelude.transformer_hash ^ net.container.transformer_hash) / 2);
    let plan = compile(width)?;
    let tables = plan.tables();
    let net = tables.descriptor();
    if prelude.network_hash != net.container.network_hash() {
        return None;
    }
    let of_row = bytes(&net, is_of_rows) / SOME_ROWS;
    let fixed = bytes(&net, |tensor| !is_of_rows(tensor)) + 4 * net.stacks.count;
    let found = file.len().checked_sub(prelude.size() as usize + fixed)?;
    let fits = found.is_multiple_of(of_row);
    fits.then_some((found / of_row, width as usize))
}

/// A number of rows for which a declaration compiles.
const SOME_ROWS: usize = 1000;

/// The declaration for so many rows and neurons.
fn declaration(name: &str, rows: usize, width: usize) -> Option<String> {
    let (_, text) = VARIANTS.split_once("pub struct Crazyhouse")?;
    let text = &text[..text.find("};")?];
    let text = text.replace(WIDTH, &format!(" -> {width}x2,"));
    let text = match rows == CHESS.0 {
        true => OF_PROGRAM
            .iter()
            .fold(text.replace(SET, CHESS.1), |text, part| {
                text.replace(part, "")
            }),
        false => text.replace(SET, &set(rows)),
    };
    Some(format!(
        "pub struct {name}{}}};\n",
        text.replace("\n    ", "\n")
    ))
}

/// The set of the program with so many rows. No more pieces are on a board than it has squares.
fn set(rows: usize) -> String {
    let active = match boards(rows).first() {
        Some(board) => format!(", active {}", board.squares()),
        None => String::new(),
    };
    format!("self::HalfKaPockets[{rows}{active}]")
}

/// Whether a tensor has numbers for each row.
fn is_of_rows(tensor: &TensorDesc<'_>) -> bool {
    matches!(
        tensor.role,
        TensorRole::TransformerWeight | TensorRole::TransformerPsqt
    )
}

/// The bytes of tensors.
fn bytes(net: &NetDesc<'_>, of: impl Fn(&TensorDesc<'_>) -> bool) -> usize {
    let tensors = net.tensors.iter().filter(|tensor| of(tensor));
    tensors
        .map(|tensor| tensor.len() * tensor.element.bytes())
        .sum()
}

/// What the file does not tell.
fn unknown(rows: usize) -> Vec<String> {
    let network = String::from(
        "that it is a network of Fairy-Stockfish: no hash depends on the variant, and activations are those of Stockfish's second network; values of \
         the engine tell",
    );
    if rows == CHESS.0 {
        return vec![network];
    }
    let boards = boards(rows);
    let named: Vec<_> = boards.iter().take(NAMED).map(Board::to_string).collect();
    let set = match &named[..] {
        [] => "the variant is that of the file".to_owned(),
        named => format!(
            "as many has {}; the variant is that of the file",
            named.join(", or ")
        ),
    };
    vec![
        network,
        format!(
            "`self::HalfKaPockets` and `self::by_pieces`, the {rows} rows and the stack of a position: a set of your program, which says which of them \
             are active: {set}"
        ),
    ]
}

/// A board with the pieces of a variant.
struct Board {
    files: usize,
    ranks: usize,
    /// kinds of pieces, the king among them
    kinds: usize,
    /// whether pieces are held in hand
    has_hands: bool,
    /// squares of the king that have rows of their own
    kings: usize,
}

/// Squares of the king in a palace, as in xiangqi.
const PALACE: usize = 9;

impl Board {
    const fn squares(&self) -> usize {
        self.files * self.ranks
    }

    /// Both kings share a plane. Each side may hold as many pieces of a kind as two ranks have squares.
    const fn rows(&self) -> usize {
        let in_hand = match self.has_hands {
            true => 2 * (self.kinds - 1) * 2 * self.files,
            false => 0,
        };
        self.kings * (self.squares() * (2 * self.kinds - 1) + in_hand)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            files,
            ranks,
            kinds,
            kings,
            ..
        } = self;
        let hands = if self.has_hands {
            ", pieces in hand"
        } else {
            ""
        };
        write!(
            f,
            "{files} x {ranks} squares with {kinds} kinds of pieces{hands}, the king on {kings} squares"
        )
    }
}

/// The boards with so many rows, those that are most like that of chess first.
fn boards(rows: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    for (files, ranks) in (3..=12).flat_map(|files| (3..=10).map(move |ranks| (files, ranks))) {
        for (kinds, has_hands) in (2..=20).flat_map(|kinds| [(kinds, false), (kinds, true)]) {
            let board = |kings| Board {
                files,
                ranks,
                kinds,
                has_hands,
                kings,
            };
            let fitting = [files * ranks, PALACE].map(board);
            boards.extend(fitting.into_iter().filter(|board| board.rows() == rows));
        }
    }
    boards.sort_by_key(|board| {
        let distance = board.files.abs_diff(8) + board.ranks.abs_diff(8);
        (board.kings != board.squares(), distance, board.kinds)
    });
    boards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_the_rows_of_their_boards() {
        for (rows, first) in [
            (
                55_296,
                "8 x 8 squares with 6 kinds of pieces, pieces in hand, the king on 64 squares",
            ),
            (
                45_056,
                "8 x 8 squares with 6 kinds of pieces, the king on 64 squares",
            ),
            (
                10_530,
                "9 x 10 squares with 7 kinds of pieces, the king on 9 squares",
            ),
        ] {
            let named: Vec<_> = boards(rows).iter().map(Board::to_string).collect();
            assert!(named.iter().any(|name| name == first), "{rows}: {named:?}");
        }
        assert!(boards(7).is_empty());
    }
}
