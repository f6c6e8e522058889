//! Numbers of chess moves, for the rows of a policy: the schemes that are in use, with their inverses.
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
//! The 1792 moves are those that a queen or a knight can make on an empty board, by their square of origin and then by their target, ascending.
//! 1858 is the scheme of lc0, 1880 that of Monty in 2024 and of others, 3920 that of Monty since.
//!
//! [`MoveSquares`] are the squares of a move, from which three of the schemes number it; [`PolicyMove`] has the piece besides, as 3920 needs it.
//! The adapters of boards make them of moves and moves of them: `nnue::cozy_chess::policy_move`, `nnue::shakmaty::policy_move`. All numbers are
//! from the mover's side of the board: [`seen_by`](PolicyMove::seen_by) brings a move there, and [`mirrored`](PolicyMove::mirrored) to the board
//! of a network that keeps the own king on one half.
//!
//! No two legal moves of a position have the same number, in Chess960 neither, if castlings are written as the king's move onto its rook; but of
//! `from_to` the promotions on the same squares do.

mod numbering;
mod piece_move;
mod squares;

pub use self::numbering::Numbering;
pub use self::piece_move::PolicyMove;
pub use self::squares::MoveSquares;
