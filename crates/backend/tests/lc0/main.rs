//! Planes and numbers of moves against the vectors in `tests/vectors/lc0`, all of them exact; files of weights and networks.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read};

use flate2::read::GzDecoder;
use nnue_backend::lc0::{
    HistoryFill, InputFormat, MOVES, PLANES, Planes, Transform, index_of, move_of,
};
use nnue_data::{Move, Placement, Position, Square};

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/flips.rs"]
mod flips;
mod network;
mod synthetic;
mod weights;

/// The lines of a table, cut into fields, without its header.
fn table(name: &str) -> Vec<Vec<String>> {
    let file = BufReader::new(
        File::open(nnue_testkit::vectors_dir().join("lc0").join(name)).expect("a vector"),
    );
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("gzip text");
    text.lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

fn fill(name: &str) -> HistoryFill {
    match name {
        "no" => HistoryFill::No,
        "fen_only" => HistoryFill::FenOnly,
        "always" => HistoryFill::Always,
        _ => panic!("no way to fill histories: {name}"),
    }
}

/// The positions of a game: a FEN and moves.
fn history(fen: &str, moves: &str) -> Vec<Position> {
    let mut positions = vec![fen.parse::<Position>().expect("a FEN")];
    for text in moves.split(' ').filter(|text| *text != "-") {
        let position = *positions.last().expect("the first one");
        let mv = Move::from_uci(text, &position).expect("a move");
        positions.push(position.play(mv).expect("a possible move"));
    }
    positions
}

/// What the vectors hold: sha256 over all masks and values.
fn digest(planes: &Planes) -> String {
    let bytes = planes.masks.iter().zip(&planes.values);
    let bytes: Vec<u8> = bytes
        .flat_map(|(mask, value)| [&mask.to_le_bytes()[..], &value.to_le_bytes()].concat())
        .collect();
    nnue_testkit::sha256(&bytes)
}

/// Masks and values of the first positions: where they differ, the plane is named.
#[test]
fn planes_of_twenty_positions() {
    let positions: HashMap<(String, String), Vec<Position>> = table("planes.tsv.gz")
        .into_iter()
        .map(|row| ((row[0].clone(), row[4].clone()), history(&row[2], &row[3])))
        .collect();
    let rows = table("planes_full.tsv.gz");
    assert!(rows.len() >= 200, "{}", rows.len());
    for row in rows {
        let [id, fill_name, format, masks, values] = &row[..] else {
            panic!("five fields")
        };
        let history = &positions[&(id.clone(), fill_name.clone())];
        let format = InputFormat::of_number(format.parse().expect("a number")).expect("a format");
        let planes = Planes::encode(history, format, fill(fill_name)).expect("a position");
        let (masks, values): (Vec<&str>, Vec<&str>) =
            (masks.split(',').collect(), values.split(',').collect());
        assert_eq!((masks.len(), values.len()), (PLANES, PLANES));
        for plane in 0..PLANES {
            let mask = u64::from_str_radix(masks[plane], 16).expect("a mask");
            assert_eq!(
                planes.masks[plane], mask,
                "{id} {fill_name} {format:?} plane {plane}: {:016x}",
                planes.masks[plane]
            );
            // the table has the value in decimal; the digests below have its bits
            let value: f32 = values[plane].parse().expect("a value");
            assert!(
                (planes.values[plane] - value).abs() < 1e-6,
                "{id} {fill_name} {format:?} plane {plane}"
            );
        }
    }
}

/// Every position in every format, with histories filled in all three ways.
#[test]
fn planes_of_all_positions() {
    const FORMATS: [u32; 7] = [1, 2, 3, 4, 5, 132, 133];
    let rows = table("planes.tsv.gz");
    assert_eq!(rows.len(), 834);
    let mut wrong = Vec::new();
    for row in &rows {
        let history = history(&row[2], &row[3]);
        for (number, expected) in FORMATS.into_iter().zip(&row[6..]) {
            let format = InputFormat::of_number(number).expect("a format");
            let planes = Planes::encode(&history, format, fill(&row[4])).expect("a position");
            let transform: u8 = row[5].parse().expect("a number");
            let expected_transform = if format.is_canonical() { transform } else { 0 };
            if digest(&planes) != *expected || planes.transform.bits() != expected_transform {
                wrong.push(format!("{} {} {} format {number}", row[0], row[1], row[4]));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ, the first: {:?}",
        wrong.len(),
        7 * rows.len(),
        &wrong[..wrong.len().min(20)]
    );
}

#[test]
fn numbers_are_those_of_squares() {
    let mut numbers = [0.0; 64 * PLANES];
    let position = history("4k3/8/8/8/8/8/4P3/4K3 w - - 7 1", "-");
    let planes =
        Planes::encode(&position, InputFormat::Classical, HistoryFill::No).expect("a position");
    planes.write_to(&mut numbers);
    let ones: Vec<usize> = (0..64 * 109).filter(|&at| numbers[at] != 0.0).collect();
    assert_eq!(ones, [12, 64 * 5 + 4, 64 * 11 + 60]);
    assert!(
        numbers[64 * 109..64 * 110]
            .iter()
            .all(|&number| number == 7.0)
    );
    assert_eq!(
        Planes::encode(&[], InputFormat::Classical, HistoryFill::No),
        None
    );
}

#[test]
fn numbers_of_moves_are_the_published_ones() {
    let text = std::fs::read_to_string(nnue_testkit::vectors_dir().join("lc0/policy_moves.tsv"))
        .expect("a vector");
    let mut count = 0;
    for line in text.lines() {
        let [fen, uci, index] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let position: Position = fen.parse().expect("a FEN");
        let mv = Move::from_uci(uci, &position).expect("a move");
        let index: usize = index.parse().expect("a number");
        assert_eq!(
            index_of(&position, mv, Transform::NONE),
            Some(index),
            "{line}"
        );
        assert_eq!(
            move_of(&position, index, Transform::NONE),
            Some(mv),
            "{line}"
        );
        count += 1;
    }
    assert_eq!(count, 198);
}

/// A position and a move, turned and seen from below.
fn turned(position: &Position, transform: Transform) -> (Position, impl Fn(Move) -> Move) {
    let us = position.side_to_move();
    let flip = move |square: u8| {
        if us == nnue_data::Color::White {
            square
        } else {
            square ^ 56
        }
    };
    let square =
        move |square: Square| Square::index(flip(transform.square(flip(square as u8))).into());
    let mut placement = Placement {
        side_to_move: us,
        ..Placement::EMPTY
    };
    for from in position.occupied() {
        let (piece, color) = (
            position.piece_on(from).expect("a piece"),
            position.color_on(from).expect("a colour"),
        );
        placement.put(square(from), color, piece);
    }
    (placement.check().expect("a position"), move |mv| Move {
        from: square(mv.from),
        to: square(mv.to),
        ..mv
    })
}

/// In random positions, of end games too, legal moves have different numbers, every number leads back to its move, and moves of a turned board have
/// the numbers of the board as it is.
#[test]
fn numbers_of_legal_moves_lead_back() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut seen = HashSet::new();
    for game in 0..400 {
        let mut position = if game % 2 == 0 {
            start()
        } else {
            few_pieces(&mut random)
        };
        for _ in 0..80 {
            let Some(moves) = position.legal_moves().filter(|moves| !moves.is_empty()) else {
                break;
            };
            let format = InputFormat::Canonical;
            let transform = Planes::encode(&[position], format, HistoryFill::No)
                .expect("a position")
                .transform;
            seen.insert(transform);
            let numbers: HashSet<usize> = moves
                .iter()
                .map(|&mv| {
                    let index = index_of(&position, mv, transform).expect("a number");
                    assert!(index < MOVES);
                    assert_eq!(
                        move_of(&position, index, transform),
                        Some(mv),
                        "{}",
                        position.fen(1)
                    );
                    index
                })
                .collect();
            assert_eq!(numbers.len(), moves.len(), "{}", position.fen(1));
            if transform.bits() > 1 {
                let (board, turn) = turned(&position, transform);
                let again = moves
                    .iter()
                    .map(|&mv| index_of(&board, turn(mv), Transform::NONE).expect("a number"));
                assert_eq!(
                    again.collect::<HashSet<_>>(),
                    numbers,
                    "{}",
                    position.fen(1)
                );
            }
            let mv = *random.choice(&moves).expect("there are some");
            position = position.play(mv).expect("a legal move");
        }
    }
    assert_eq!(seen.len(), 8, "every way to turn a board is met");
    assert_eq!(
        (
            move_of(&start(), MOVES, Transform::NONE),
            move_of(&start(), 0, Transform::NONE)
        ),
        (None, None)
    );
}

fn start() -> Position {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        .parse()
        .expect("a FEN")
}

/// Kings and a few pieces, no pawns, anywhere.
fn few_pieces(random: &mut fastrand::Rng) -> Position {
    use nnue_data::{Color, Piece, attacks};
    loop {
        let mut placement = Placement::EMPTY;
        placement.side_to_move = if random.bool() {
            Color::White
        } else {
            Color::Black
        };
        let others = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let mut pieces = vec![(Color::White, Piece::King), (Color::Black, Piece::King)];
        for _ in 0..random.usize(1..4) {
            let color = if random.bool() {
                Color::White
            } else {
                Color::Black
            };
            pieces.push((color, *random.choice(&others).expect("four")));
        }
        pieces.iter().for_each(|&(color, piece)| {
            placement.put(Square::index(random.usize(..64)), color, piece)
        });
        let Ok(position) = placement.check() else {
            continue;
        };
        // kings beside each other are no position of a game
        let near = attacks(
            Piece::King,
            Color::White,
            position.king(Color::White),
            position.occupied(),
        );
        if !near.has(position.king(Color::Black))
            && position
                .legal_moves()
                .is_some_and(|moves| !moves.is_empty())
        {
            return position;
        }
    }
}

/// In every format and with every way to fill histories.
#[test]
fn planes_are_made_without_allocations() {
    let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 e2e4 f6e4 d2d4 e4f6 d4d5 e7e5";
    let history = history(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        moves,
    );
    let mut numbers = Box::new([0.0; 64 * PLANES]);
    for format in InputFormat::ALL {
        for fill in [HistoryFill::No, HistoryFill::FenOnly, HistoryFill::Always] {
            for end in 1..=history.len() {
                let counted = allocation_counter::measure(|| {
                    let planes = Planes::encode(&history[..end], format, fill).expect("a position");
                    planes.write_to(&mut numbers);
                });
                assert_eq!(counted.count_total, 0, "{format:?}, {fill:?}, {end}");
            }
        }
    }
}
