//! Golden values of networks over sets of the user's: positions that functions give, or that the position's type reads from a text. The
//! declared values are checked by the interpreter, which is given rows that are found in another way.

use std::str::FromStr;

use nnue::spec::{Axes, Axis, Fen, NetDesc, Part, RawDesc, reference};
use nnue::{Color, Header, LoadErrorKind, Model, Network, Parameters, nnue};

use crate::ataxx::example::Board;
use crate::games::network;
use crate::readings::readings;

nnue! {
    /// One position of each form; functions may give boxes, and choose the stack.
    pub(crate) struct Corners = crate::ataxx::example::Ataxx147[147, active 49] -> 32x2 @ 255 screlu -> 1x2: i16 by self::crowded {
        format raw { padding: none };
        golden self::opening = -77;
        golden "x5o/7/2-1-2/2xo3/2-1-2/7/o5x o" = 22;
        golden Board::boxed = -24;
    };

    /// The game is chess: its boards are read from FENs.
    pub(crate) struct Queens = crate::buckets::example::QueenBuckets[3072, active 32] -> 32x2 @ 255 screlu -> 1: i16 {
        format raw;
        golden "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 7" = -47;
    };

    /// A text that is no position of the game.
    pub(crate) struct Misread = crate::ataxx::example::Ataxx147[147, active 49] -> 32x2 @ 255 screlu -> 1: i16 {
        format raw;
        golden "8/8/8/8/8/8/8/K1k5 w - - 0 1" = 0;
    };
}

fn opening() -> Board {
    Board::start()
}

fn crowded(board: &Board) -> usize {
    usize::from(stones(board) > 4)
}

fn stones(board: &Board) -> u32 {
    board.stones.iter().map(|stones| stones.count_ones()).sum()
}

impl Board {
    /// The opening after its first move.
    fn boxed() -> Box<Self> {
        let mut board = Self::start();
        let change = board.moves()[0];
        board.play(&change);
        Box::new(board)
    }
}

/// `x5o/7/../o5x x`: the seventh rank first, `x` begins, `-` is blocked.
impl FromStr for Board {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (ranks, side) = text.split_once(' ').ok_or(())?;
        let to_move = match side {
            "x" => Color::White,
            "o" => Color::Black,
            _ => return Err(()),
        };
        let mut board = Self {
            stones: [0; 2],
            blocked: 0,
            to_move,
        };
        let ranks: Vec<&str> = ranks.split('/').collect();
        if ranks.len() != 7 {
            return Err(());
        }
        for (rank, row) in ranks.into_iter().rev().enumerate() {
            let mut square = 7 * rank;
            for letter in row.chars() {
                match letter {
                    'x' => board.stones[0] |= 1 << square,
                    'o' => board.stones[1] |= 1 << square,
                    '-' => board.blocked |= 1 << square,
                    _ => square += letter.to_digit(8).ok_or(())? as usize - 1,
                }
                square += 1;
            }
        }
        Ok(board)
    }
}

/// The value of a board of ataxx by the interpreter.
fn value(network: &Network<Corners>, board: &Board) -> i32 {
    let rows = |side: Color| {
        let planes = [
            board.stones[side.index()],
            board.stones[side.other().index()],
            board.blocked,
        ];
        let on = |row: &usize| planes[row / 49] >> (row % 49) & 1 == 1;
        (0..147).filter(on).collect::<Vec<_>>()
    };
    let rows = [board.to_move, board.to_move.other()].map(rows);
    let tensors = network.params().tensors();
    reference::evaluate_rows(
        &Corners::SPEC,
        &tensors,
        rows,
        usize::from(stones(board) > 4),
    )
    .value
}

/// The network whose values are declared.
fn right<A: Model>() -> Network<A> {
    network::<A>(17, false)
}

#[test]
fn positions_of_functions_and_texts_are_compared() {
    let network = right::<Corners>();
    let text: Board = Corners::SPEC.goldens[1].fen.parse().expect("a position");
    assert_eq!((stones(&text), text.to_move), (6, Color::Black));
    for (golden, board) in Corners::SPEC
        .goldens
        .iter()
        .zip([opening(), text, *Board::boxed()])
    {
        assert_eq!(value(&network, &board), golden.value, "{}", golden.fen);
    }
    let file = network.to_bytes().expect("no description");
    Network::<Corners>::from_bytes(&file).expect("its golden values are right");

    let (network, golden) = (right::<Queens>(), Queens::SPEC.goldens[0]);
    let rows = [false, true].map(|black| rows_of_queens(golden.fen, black));
    let trace = reference::evaluate_rows(&Queens::SPEC, &network.params().tensors(), rows, 0);
    assert_eq!(trace.value, golden.value, "{}", golden.fen);
    let file = network.to_bytes().expect("no description");
    Network::<Queens>::from_bytes(&file).expect("its golden value is right");
}

/// The rows of a position in which both queens stand where they began, which is bucket 1.
fn rows_of_queens(fen: &str, black: bool) -> Vec<usize> {
    let pieces = Fen::parse(fen).expect("a FEN").pieces.into_iter();
    let row = |(piece, kind, square): (bool, usize, usize)| {
        let (file, rank) = (square % 8, square / 8);
        let rank = if black { 7 - rank } else { rank };
        768 + if piece == black { 0 } else { 384 } + 64 * kind + 8 * rank + file
    };
    pieces.map(row).collect()
}

#[test]
fn another_file_is_refused() {
    let network = right::<Corners>();
    let mut params = network.into_params();
    params.fc0.bias[1][0] += 80; // times 400 / (255 * 64): a value that is greater by 2, of the text alone
    let file = Network::<Corners>::from_params(params)
        .to_bytes()
        .expect("no description");
    let error = Network::<Corners>::from_bytes(&file).expect_err("a golden value differs");
    assert_eq!(error.kind(), LoadErrorKind::Golden);
    let (golden, message) = (Corners::SPEC.goldens[1], error.to_string());
    let values = format!(
        "`{}` has the value {} in `Corners`, declared is {}: ",
        golden.fen,
        golden.value + 2,
        golden.value
    );
    for part in [
        &values,
        "the file is another network",
        "the feature set of the program",
    ] {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn another_order_of_the_weights_is_told() {
    let raw = Corners::SPEC.raw.expect("it is raw");
    let transposed = [Axis::Column, Axis::Copy, Axis::Row].map(Part::whole);
    let axes: Vec<Axes<'_>> = (0..raw.axes.len())
        .map(|index| {
            if Corners::SPEC.tensors[index].name == "fc0_weight" {
                &transposed
            } else {
                raw.axes[index]
            }
        })
        .collect();
    let saved = NetDesc {
        raw: Some(RawDesc { axes: &axes, ..raw }),
        ..Corners::SPEC
    };
    let network = right::<Corners>();
    let file = nnue_format::to_bytes(
        &saved,
        &Header::new(&saved, []),
        &network.params().tensors(),
    );
    let file = file.expect("no description");
    let error = Network::<Corners>::from_bytes(&file).expect_err("the file is transposed");
    assert_eq!(error.kind(), LoadErrorKind::Golden);
    let told = readings::<Corners>(&file, |network, index| {
        let text = || Corners::SPEC.goldens[index].fen.parse();
        let board = [Ok(opening()), text(), Ok(*Board::boxed())];
        let board = board[index].as_ref().expect("a position");
        network.evaluate_fresh(board).value
    });
    assert_eq!(
        told,
        "it fits with `fc0_weight: [input][stack]` (3 of 3 golden values agree)"
    );
}

#[test]
fn a_text_that_is_no_position_is_told() {
    let file = right::<Misread>().to_bytes().expect("no description");
    let error = Network::<Misread>::from_bytes(&file)
        .expect_err("no rank has eight squares")
        .to_string();
    assert!(
        error.contains("`8/8/8/8/8/8/8/K1k5 w - - 0 1` is no position of `Misread`"),
        "{error}"
    );
}

#[test]
fn sets_and_functions_are_code_of_the_program() {
    assert!(
        Queens::SPEC.has_custom_set()
            && Queens::SPEC.has_custom_code()
            && !Queens::SPEC.has_custom_functions()
    );
    assert!(Corners::SPEC.has_custom_functions());
    assert!(!nnue::stockfish::Sfnnv5::SPEC.has_custom_code());
}
