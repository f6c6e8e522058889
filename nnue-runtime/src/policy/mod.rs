//! Numbers of chess moves, for the rows of a policy: the schemes in use, with their inverses.
//!
//! ```text
//!   scheme    moves between squares             promotions                                        others
//!   from_to   64 * from + to                    those of their squares, whatever the pawn becomes
//!   1858      queen and knight moves, 1792      queen, rook, bishop: 1792 + 3 * pair of files + 0, 1, 2
//!                                               knight: that of its squares
//!   1880      the same 1792                     1792 + 22 * (knight, bishop, rook, queen) + 2 * from file + to file
//!   3920      those of each kind of piece,      3822 + the same                                   castlings 2,
//!             3822                                                                                double pushes 8
//! ```
//!
//! The 1792 moves are those that a queen or a knight can make on an empty board, by origin and then
//! by target, ascending. 1858 is the scheme of lc0, 1880 that of Monty in 2024 and of others, 3920
//! that of Monty since.
//!
//! [`MoveSquares`] has the squares of a move, which is enough for three of the schemes;
//! [`PolicyMove`] adds the piece, which 3920 needs. The adapters of boards convert moves to and
//! from them: `nnue::cozy_chess::policy_move`, `nnue::shakmaty::policy_move`. All numbers are from
//! the mover's point of view: [`seen_by`](PolicyMove::seen_by) converts a move to it, and
//! [`mirrored`](PolicyMove::mirrored) to the board of a network that keeps the own king on one
//! half.
//!
//! No two legal moves of a position have the same number, not even in Chess960, if castlings are
//! written as the king's move onto its rook. The exception is `from_to`, where promotions on the
//! same squares share a number.

mod numbering;
mod piece_move;
mod squares;

pub use self::numbering::Numbering;
pub use self::piece_move::PolicyMove;
pub use self::squares::MoveSquares;
