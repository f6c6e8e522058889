//! Numbers of moves: no two legal moves of a position have the same, every number leads back to its move, the boards of both crates agree, and
//! the numbers of 1858 are those of lc0.

use std::collections::BTreeMap;
use std::fs;

use cozy_chess::Board;
use nnue::policy::{MoveSquares, Numbering, PolicyMove};
use nnue::{Color, PieceKind, Square};
use nnue_testkit::random::Random;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, PositionError};

/// Where games begin besides the 960 positions: promotions and captures en passant are near, kings castle over few squares or none.
const STARTS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w ha - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rkr4/8/8/8/8/8/8/5RKR w FHbd - 0 1",
    "rk6/pp6/8/8/8/8/PP6/KR6 w Ba - 0 1",
];

/// A position, as both crates have it.
struct Both {
    cozy: Board,
    shakmaty: Chess,
}

impl Both {
    fn new(cozy: Board) -> Self {
        let fen: Fen = format!("{cozy:#}").parse().expect("a FEN of cozy-chess");
        let shakmaty = fen
            .into_position(CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material);
        Self {
            cozy,
            shakmaty: shakmaty.expect("a legal position"),
        }
    }

    /// A random game's start.
    fn start(random: &mut Random) -> Self {
        let one_of_960 = |random: &mut Random| random.below(960) as u32;
        Self::new(match random.below(4) {
            0 => Board::chess960_startpos(one_of_960(random)),
            1 => Board::double_chess960_startpos(one_of_960(random), one_of_960(random)),
            _ => {
                Board::from_fen(STARTS[random.below(STARTS.len())], true).expect("a legal position")
            }
        })
    }

    fn play(&mut self, mv: PolicyMove) {
        let (cozy, shakmaty) = (
            nnue::cozy_chess::move_of(&self.cozy, mv),
            nnue::shakmaty::move_of(&self.shakmaty, mv),
        );
        self.cozy.play(cozy.expect("a legal move"));
        self.shakmaty
            .play_unchecked(shakmaty.expect("a legal move"));
    }
}

/// How many moves there were of each kind that is numbered in its own way.
type Seen = BTreeMap<String, usize>;

fn kind(position: &Both, mv: PolicyMove) -> String {
    let MoveSquares {
        from,
        to,
        promotion,
    } = mv.squares;
    let target = to.xor(
        if position.cozy.side_to_move() == cozy_chess::Color::White {
            0
        } else {
            56
        },
    );
    match promotion {
        Some(piece) => format!("promotion to {piece:?}"),
        None if mv.castling => format!(
            "castling towards {}",
            if to.file() > from.file() { 'h' } else { 'a' }
        ),
        None if mv.piece == PieceKind::Pawn
            && from.file() != to.file()
            && nnue::Position::occupied(&position.cozy) & target.bit() == 0 =>
        {
            "en passant".to_owned()
        }
        None => format!("{:?}", mv.piece),
    }
}

/// The legal moves of the position, as the boards of both crates give them.
fn legal_moves(position: &Both) -> Vec<PolicyMove> {
    let mut moves = Vec::new();
    position.cozy.generate_moves(|of_a_piece| {
        moves.extend(of_a_piece.into_iter().map(|chess_move| {
            let mv =
                nnue::cozy_chess::policy_move(&position.cozy, chess_move).expect("a piece moves");
            assert_eq!(
                nnue::cozy_chess::move_of(&position.cozy, mv),
                Some(chess_move),
                "{mv:?}"
            );
            mv
        }));
        false
    });
    let of_shakmaty = position
        .shakmaty
        .legal_moves()
        .into_iter()
        .map(|chess_move| {
            let mv = nnue::shakmaty::policy_move(&position.shakmaty, &chess_move)
                .expect("a piece moves");
            assert_eq!(
                nnue::shakmaty::move_of(&position.shakmaty, mv),
                Some(chess_move),
                "{mv:?}"
            );
            mv
        });
    let mut of_shakmaty: Vec<PolicyMove> = of_shakmaty.collect();
    let order = |mv: &PolicyMove| (mv.squares.from_to(), mv.squares.promotion);
    moves.sort_by_key(order);
    of_shakmaty.sort_by_key(order);
    assert_eq!(moves, of_shakmaty, "{:#}", position.cozy);
    moves
}

/// The move that a number leads back to.
fn inverse(scheme: Numbering, position: &Both, number: usize) -> Option<PolicyMove> {
    let squares = match scheme {
        Numbering::Of3920 => return PolicyMove::of_3920(number),
        Numbering::Of1858 => MoveSquares::of_1858(number),
        Numbering::Of1880 => MoveSquares::of_1880(number),
        Numbering::FromTo => MoveSquares::of_from_to(number),
    };
    PolicyMove::on(&position.cozy, squares?)
}

/// Each scheme numbers the moves of the position one to one.
fn check(position: &Both, moves: &[PolicyMove]) {
    for scheme in Numbering::ALL {
        let numbers = moves.iter().map(|&mv| {
            scheme
                .index(mv)
                .unwrap_or_else(|| panic!("{scheme:?}: {mv:?}"))
        });
        let mut numbers: Vec<usize> = numbers.collect();
        for (&number, &mv) in numbers.iter().zip(moves) {
            let back = inverse(scheme, position, number).expect("a move");
            let by_squares_alone = scheme == Numbering::FromTo && mv.squares.promotion.is_some();
            let back = if by_squares_alone {
                PolicyMove {
                    squares: mv.squares,
                    ..back
                }
            } else {
                back
            };
            let found = nnue::cozy_chess::move_of(&position.cozy, back).expect("a legal move");
            let same = nnue::cozy_chess::policy_move(&position.cozy, found);
            assert_eq!(same, Some(mv), "{scheme:?}, {number}: {:#}", position.cozy);
            assert_eq!(scheme.index(mv.mirrored().mirrored()), Some(number));
        }
        assert!(numbers.iter().all(|&number| number < scheme.count()));
        numbers.sort_unstable();
        let all = numbers.len();
        numbers.dedup();
        let shared = moves
            .iter()
            .filter(|mv| !matches!(mv.squares.promotion, None | Some(PieceKind::Queen)))
            .count();
        assert_eq!(
            all - numbers.len(),
            if scheme == Numbering::FromTo {
                shared
            } else {
                0
            },
            "{:#}",
            position.cozy
        );
    }
}

/// The positions of random games.
fn check_games(positions: usize, seed: u64) -> Seen {
    let mut random = Random::new(seed);
    let (mut seen, mut now, mut plies) = (Seen::new(), Both::start(&mut random), 0);
    for _ in 0..positions {
        let moves = legal_moves(&now);
        if moves.is_empty() || plies == 200 {
            (now, plies) = (Both::start(&mut random), 0);
            continue;
        }
        check(&now, &moves);
        for &mv in &moves {
            *seen.entry(kind(&now, mv)).or_default() += 1;
        }
        now.play(moves[random.below(moves.len())]);
        plies += 1;
    }
    seen
}

#[test]
fn every_legal_move_has_a_number_of_its_own() {
    let seen = check_games(40_000, 1);
    let own = [
        "castling towards a",
        "castling towards h",
        "en passant",
        "promotion to Knight",
        "promotion to Queen",
    ];
    assert!(own.iter().all(|kind| seen[*kind] > 20), "{seen:?}");
    assert_eq!(seen.len(), 6 + 4 + 3, "{seen:?}");
}

#[test]
#[ignore = "a million positions take a minute, 14 s if optimised"]
fn every_legal_move_of_million_plies_has_a_number_of_its_own() {
    println!("{:#?}", check_games(1_000_000, 2));
}

fn vector(name: &str) -> String {
    let path = format!("{}/tests/vectors/lc0/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Squares and promotion of a move as UCI writes it.
fn squares(uci: &str) -> MoveSquares {
    let square = |name: &[u8]| Square::at(name[0] - b'a', name[1] - b'1');
    let text = uci.as_bytes();
    let promotion = text.get(4).map(|letter| match letter {
        b'n' => PieceKind::Knight,
        b'b' => PieceKind::Bishop,
        b'r' => PieceKind::Rook,
        b'q' => PieceKind::Queen,
        other => panic!("{uci}: {}", char::from(*other)),
    });
    MoveSquares::new(square(&text[..2]), square(&text[2..4]), promotion)
}

#[test]
fn numbers_of_1858_are_those_of_lc0() {
    let names = vector("policy_index.txt");
    let names: Vec<&str> = names.split_whitespace().collect();
    assert_eq!(names.len(), 1858);
    for (number, name) in names.into_iter().enumerate() {
        assert_eq!(squares(name).index_1858(), Some(number), "{name}");
        assert_eq!(MoveSquares::of_1858(number), Some(squares(name)), "{name}");
    }
}

/// Moves as UCI writes them, castlings as the king's.
#[test]
fn moves_in_positions_have_the_numbers_of_lc0() {
    for line in vector("policy_moves.tsv").lines() {
        let [fen, uci, number] = *line.split('\t').collect::<Vec<_>>() else {
            panic!("three columns: {line}")
        };
        let position = Both::new(Board::from_fen(fen, false).expect("a legal position"));
        let mover = Color::from(position.cozy.side_to_move());
        let mv =
            PolicyMove::on(&position.cozy, squares(uci).seen_by(mover)).expect("a piece moves");
        let found = nnue::cozy_chess::move_of(&position.cozy, mv).expect("a legal move");
        let mv = nnue::cozy_chess::policy_move(&position.cozy, found).expect("a piece moves");
        assert_eq!(
            mv.squares.index_1858(),
            Some(number.parse().expect("a number")),
            "{line}"
        );
        assert_eq!(mv.to_target().seen_by(mover), squares(uci), "{line}");
        check(&position, &legal_moves(&position));
    }
}
