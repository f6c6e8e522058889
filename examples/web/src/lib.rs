//! A page with a board that shows the value of a network while pieces are moved. `index.html` is the page; it calls the functions of
//! this program: a game, its legal moves, the value of its position, what each piece contributes to it, and the same of the network in a file
//! that is dropped on the page.
//!
//! Run, in this folder, after `rustup target add wasm32-unknown-unknown`: `cargo build --release`,
//! `cp target/wasm32-unknown-unknown/release/nnue_web.wasm .`, `python3 -m http.server`, and open `http://localhost:8000`.
//!
//! Text is passed in one buffer: the page writes a move or a FEN into it and passes the length, or reads as many bytes as a function
//! returns. A network is read through one import, `pull`, which gives the next bytes: the page has them from a file, or as they arrive.

mod dropped;

use std::cell::RefCell;
use std::fmt::Write;
use std::io::{self, Read};
use std::ops::ControlFlow;

use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Board, Move};
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Color, Model, Network, PieceKind, Position, nnue};

use dropped::{Dropped, Without};
use nnue_tools::StreamError;

nnue! {
    /// The network of the command `nnue`.
    pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "../../crates/cli/nets/default.nnue";
    };
}

/// The size of the buffer in bytes: all moves of any position fit.
const TEXT: usize = 2048;

/// The contribution of a king or of an empty square, which have none.
const NOTHING: i32 = i32::MIN;

struct Game {
    network: Network<Default>,
    /// from the first position to the current one; never empty
    line: Vec<Board>,
    /// follows the line
    stack: AccumulatorStack<Default>,
    text: [u8; TEXT],
    /// the networks that are compared: the built-in one, unless a file took its place, and that of a file
    files: [Option<Dropped>; 2],
}

thread_local! {
    static GAME: RefCell<Game> = RefCell::new(Game {
        network: Network::embedded(),
        line: vec![Board::default()],
        stack: AccumulatorStack::new(),
        text: [0; TEXT],
        files: [None, None],
    });
}

fn game<T>(f: impl FnOnce(&mut Game) -> T) -> T {
    GAME.with_borrow_mut(f)
}

impl Game {
    fn board(&self) -> &Board {
        &self.line[self.line.len() - 1]
    }

    /// Text that the page wrote.
    fn read(&self, len: usize) -> Option<&str> {
        std::str::from_utf8(self.text.get(..len)?).ok()
    }

    /// Writes text for the page to read.
    fn write(&mut self, text: &str) -> usize {
        let len = text.len().min(TEXT);
        self.text[..len].copy_from_slice(&text.as_bytes()[..len]);
        len
    }

    /// The value for White by network 0 or 1, which takes the place of none.
    fn white(&self, which: usize, position: &impl Position) -> i32 {
        match &self.files[which] {
            Some(file) => file.white(position),
            None => for_white(position, self.network.evaluate_fresh(position).value),
        }
    }

    fn play(&mut self, text: &str) -> bool {
        let mut board = self.board().clone();
        let Ok(played) = parse_uci_move(&board, text) else {
            return false;
        };
        let change = change_of(&board, played);
        if board.try_play(played).is_err() {
            return false;
        }
        // The change is recorded; an evaluation computes what it needs.
        self.stack.push(change);
        self.line.push(board);
        true
    }
}

fn for_white(position: &impl Position, value: i32) -> i32 {
    if position.side_to_move() == Color::Black {
        -value
    } else {
        value
    }
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// Evaluates all positions that are `depth` moves away, until there are `limit` of them.
fn visit(
    network: &Network<Default>,
    stack: &mut AccumulatorStack<Default>,
    board: &Board,
    depth: u32,
    left: &mut u32,
) -> ControlFlow<()> {
    if depth == 0 {
        // Only the time is of interest, not the value.
        std::hint::black_box(network.evaluate(board, stack));
        *left -= 1;
        return if *left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        };
    }
    for played in legal_moves(board) {
        let mut next = board.clone();
        stack.push(change_of(board, played));
        next.play(played);
        let flow = visit(network, stack, &next, depth - 1, left);
        stack.pop();
        flow?;
    }
    ControlFlow::Continue(())
}

/// The address of the buffer for text.
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *mut u8 {
    game(|game| game.text.as_mut_ptr())
}

/// Its length.
#[unsafe(no_mangle)]
pub extern "C" fn text_len() -> usize {
    TEXT
}

/// The position, as FEN.
#[unsafe(no_mangle)]
pub extern "C" fn fen() -> usize {
    game(|game| game.write(&game.board().to_string()))
}

/// Another position, from a FEN of `len` bytes. False if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn set_fen(len: usize) -> bool {
    game(|game| {
        let Some(Ok(board)) = game.read(len).map(str::parse) else {
            return false;
        };
        game.line = vec![board];
        game.stack.reset();
        true
    })
}

/// The legal moves in UCI notation, with blanks between them.
#[unsafe(no_mangle)]
pub extern "C" fn moves() -> usize {
    game(|game| {
        let mut text = String::new();
        for legal in legal_moves(game.board()) {
            let _ = write!(text, "{} ", display_uci_move(game.board(), legal));
        }
        game.write(text.trim_end())
    })
}

/// Plays the move of `len` bytes. False if it is not legal.
#[unsafe(no_mangle)]
pub extern "C" fn play(len: usize) -> bool {
    game(|game| {
        game.read(len)
            .map(str::to_owned)
            .is_some_and(|text| game.play(&text))
    })
}

/// Takes the last move back. False if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn take_back() -> bool {
    game(|game| {
        if game.stack.depth() == 0 {
            return false;
        }
        game.stack.pop();
        game.line.pop();
        true
    })
}

/// The value of the position, from the point of view of the side to move, by the first network, or by the second one, which there must be.
#[unsafe(no_mangle)]
pub extern "C" fn value(second: bool) -> i32 {
    game(|game| {
        let board = game.line[game.line.len() - 1].clone();
        match &game.files[usize::from(second)] {
            Some(file) => for_white(&board, file.white(&board)),
            None => game.network.evaluate(&board, &mut game.stack).value,
        }
    })
}

/// What the piece on a square contributes, for White: the value less the value without the piece. `NOTHING` for kings and empty squares.
#[unsafe(no_mangle)]
pub extern "C" fn contribution(second: bool, square: u32) -> i32 {
    game(|game| {
        let (board, bit) = (game.board(), 1_u64.checked_shl(square).unwrap_or(0));
        let is_king = Color::ALL
            .iter()
            .any(|&color| Position::pieces(board, color, PieceKind::King) & bit != 0);
        if is_king || Position::occupied(board) & bit == 0 {
            return NOTHING;
        }
        let which = usize::from(second);
        game.white(which, board)
            - game.white(
                which,
                &Without {
                    position: board,
                    square,
                },
            )
    })
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Writes the next bytes of the file to `place`, at most `len`, and returns their number, which is 0 at the end only.
    safe fn pull(place: *mut u8, len: usize) -> usize;
}

/// The file that the page has or is fetching. The program waits while the page waits.
struct Incoming;

impl Read for Incoming {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Ok(pull(out.as_mut_ptr(), out.len()).min(out.len()))
    }
}

/// Reads the network that [`pull`] gives, which becomes the second one; the length of a text is returned: the name of its declaration, or, after a
/// `!`, what is wrong with it. After a `?`, the page gives the file again with the next attempt, from 0 on. Functions of the game may be called
/// before it returns.
#[unsafe(no_mangle)]
pub extern "C" fn load(attempt: usize) -> usize {
    let read = Dropped::read(Incoming, &Default::SPEC, attempt);
    game(|game| match read {
        Ok(network) => {
            let name = network.name();
            game.files[1] = Some(network);
            game.write(name)
        }
        Err(StreamError { error, has_next }) => {
            game.write(&format!("{}{error}", if has_next { '?' } else { '!' }))
        }
    })
}

/// The second network becomes the first one, beside which another file can be dropped. False if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn keep() -> bool {
    game(|game| {
        let Some(network) = game.files[1].take() else {
            return false;
        };
        game.files[0] = Some(network);
        true
    })
}

/// Evaluates up to `limit` positions that are `depth` moves away, and returns their number.
#[unsafe(no_mangle)]
pub extern "C" fn nodes(depth: u32, limit: u32) -> u32 {
    game(
        |Game {
             network,
             line,
             stack,
             ..
         }| {
            let mut left = limit.max(1);
            let _ = visit(network, stack, &line[line.len() - 1], depth, &mut left);
            limit.max(1) - left
        },
    )
}

/// The level that evaluates.
#[unsafe(no_mangle)]
pub extern "C" fn level() -> usize {
    game(|game| game.write(game.network.level().level().name()))
}
